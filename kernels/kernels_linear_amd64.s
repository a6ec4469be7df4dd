//go:build !purego

#include "go_asm.h"
#include "textflag.h"
#include "dispatch_amd64.h"
#include "vector_amd64.h"

// The linear kernels for AVX2 and FMA3. The order of operations is that of the doc
// comments in linear.go and gemv.go.
//
// A masked load hides faults but not their price: one that reaches into a page
// without memory behind it takes some hundred nanoseconds. Near the end of a
// page the vector that ends with the last element is loaded instead.

DATA minus0F64<>+0(SB)/8, $0x8000000000000000
GLOBL minus0F64<>(SB), RODATA|NOPTR, $8

DATA minus0F32<>+0(SB)/4, $0x80000000
GLOBL minus0F32<>(SB), RODATA|NOPTR, $4

// The dot products have the body dot_amd64.h, with macros for what they do not share: LOAD loads
// a vector of LANES elements, SIZE bytes each, and converts it where y is float32 and the lanes
// are float64; BY(op, y, t, u, acc) multiplies a loaded vector t by one at y, to acc or added to
// acc, by way of u where it is converted, and REST(acc) adds the products of the rest; MUL, FMA,
// ADD: the arithmetic; MINUS0(v) and FILL(v) set v to −0 of the lanes' and of y's type; MASK, RESTX
// and RESTY are Y12, Y14 and Y13, or as much of them as a vector of x fills.

// HALVE adds the elements of Y0 and Y1 and returns.
#define HALVE_F64 \
	VADDPD Y1, Y0, Y0       \
	VEXTRACTF128 $1, Y0, X1 \
	VADDPD X1, X0, X0       \
	VPERMILPD $1, X0, X1    \
	VADDSD X1, X0, X0       \
	VMOVSD X0, ret+24(FP)   \
	VZEROUPPER              \
	RET

#define HALVE_F32 \
	VADDPS Y1, Y0, Y0       \
	VEXTRACTF128 $1, Y0, X1 \
	VADDPS X1, X0, X0       \
	VPERMILPD $1, X0, X1    \
	VADDPS X1, X0, X0       \
	VMOVSHDUP X0, X1        \
	VADDSS X1, X0, X0       \
	VMOVSS X0, ret+24(FP)   \
	VZEROUPPER              \
	RET


// func dotF64(x, y *float64, n int) float64
TEXT ·dotF64(SB), NOSPLIT, $0-32
	DISPATCH_WIDE(n+16(FP), ·wideF64(SB), ·dotF64AVX512(SB), ·dotF64AVX2(SB), ·dotF64Go(SB))

#define LOAD VMOVUPD
#define BY(op, y, t, u, acc) op y, t, acc
#define REST(acc) FMA Y15, Y14, acc
#define MUL VMULPD
#define FMA VFMADD231PD
#define ADD VADDPD
#define MINUS0(v) VBROADCASTSD minus0F64<>(SB), v
#define FILL MINUS0
#define MASKMOV VMASKMOVPD
#define MASK Y12
#define RESTX Y14
#define RESTY Y13
#define CONVERT
#define HALVE HALVE_F64
#define LANES 4
#define SIZE 8
#define BLOCKS ·dotF64Go(SB)

// func dotF64AVX2(x, y *float64, n int) float64
// Requires: AVX2, FMA3
//
// Registers: see dot_amd64.h. A step is 32 elements, eight vectors of 4; the whole vectors left
// are taken one by one, the rest under a mask.
TEXT ·dotF64AVX2(SB), NOSPLIT, $0-32
#include "dot_amd64.h"

// func dotF32(x, y *float32, n int) float32
TEXT ·dotF32(SB), NOSPLIT, $0-28
	DISPATCH_WIDE(n+16(FP), ·wideF32(SB), ·dotF32AVX512(SB), ·dotF32AVX2(SB), ·dotF32Go(SB))

#undef LOAD
#undef MUL
#undef FMA
#undef ADD
#undef MINUS0
#undef MASKMOV
#undef HALVE
#undef LANES
#undef SIZE
#undef BLOCKS
#define LOAD VMOVUPS
#define MUL VMULPS
#define FMA VFMADD231PS
#define ADD VADDPS
#define MINUS0(v) VBROADCASTSS minus0F32<>(SB), v
#define MASKMOV VMASKMOVPS
#define HALVE HALVE_F32
#define LANES 8
#define SIZE 4
#define BLOCKS ·dotF32Go(SB)

// func dotF32AVX2(x, y *float32, n int) float32
// Requires: AVX2, FMA3
//
// Registers: see dot_amd64.h. A step is 64 elements, eight vectors of 8; the whole vectors left
// are taken one by one, the rest under a mask.
TEXT ·dotF32AVX2(SB), NOSPLIT, $0-28
#include "dot_amd64.h"

// func dotF32Wide(x, y *float32, n int) float64
TEXT ·dotF32Wide(SB), NOSPLIT, $0-32
	DISPATCH_WIDE(n+16(FP), ·wideF32Wide(SB), ·dotF32WideAVX512(SB), ·dotF32WideAVX2(SB), ·dotF32WideGo(SB))

#undef LOAD
#undef BY
#undef MUL
#undef FMA
#undef ADD
#undef MINUS0
#undef FILL
#undef MASK
#undef RESTX
#undef RESTY
#undef CONVERT
#undef HALVE
#undef LANES
#undef BLOCKS
#define LOAD VCVTPS2PD
#define BY(op, y, t, u, acc) VCVTPS2PD y, u; op u, t, acc
#define MUL VMULPD
#define FMA VFMADD231PD
#define ADD VADDPD
#define MINUS0(v) VBROADCASTSD minus0F64<>(SB), v
#define FILL(v) VBROADCASTSS minus0F32<>(SB), v
#define MASK X12
#define RESTX X14
#define RESTY X13
#define CONVERT VCVTPS2PD X14, Y14; VCVTPS2PD X15, Y15
#define HALVE HALVE_F64
#define LANES 4
#define BLOCKS ·dotF32WideGo(SB)

// func dotF32WideAVX2(x, y *float32, n int) float64
// Requires: AVX2, FMA3
//
// Registers: see dot_amd64.h. A step is 32 elements, eight vectors of 4; the whole vectors left
// are taken one by one, the rest under a mask.
TEXT ·dotF32WideAVX2(SB), NOSPLIT, $0-32
#include "dot_amd64.h"

#undef LOAD
#undef BY
#undef MUL
#undef FMA
#undef ADD
#undef MINUS0
#undef FILL
#undef MASKMOV
#undef MASK
#undef RESTX
#undef RESTY
#undef CONVERT
#undef HALVE
#undef LANES
#undef SIZE
#undef BLOCKS
#undef REST

// Axpy and AxpyDiff: SI, R8, DI: x or a, b, y; DX: elements left; BX: bytes done; Y0: alpha. Each
// vector is stored before the next is loaded: see the other tier.
#define AXPY64(off) VMOVUPD off(SI)(BX*1), Y1; VFMADD213PD off(DI)(BX*1), Y0, Y1; VMOVUPD Y1, off(DI)(BX*1)
#define AXPY32(off) VMOVUPS off(SI)(BX*1), Y1; VFMADD213PS off(DI)(BX*1), Y0, Y1; VMOVUPS Y1, off(DI)(BX*1)
#define DIFF64(off) \
	VMOVUPD off(SI)(BX*1), Y1;         \
	VSUBPD off(R8)(BX*1), Y1, Y1;      \
	VFMADD213PD off(DI)(BX*1), Y0, Y1; \
	VMOVUPD Y1, off(DI)(BX*1)
#define DIFF32(off) \
	VMOVUPS off(SI)(BX*1), Y1;         \
	VSUBPS off(R8)(BX*1), Y1, Y1;      \
	VFMADD213PS off(DI)(BX*1), Y0, Y1; \
	VMOVUPS Y1, off(DI)(BX*1)

// func axpyF64(alpha float64, x, y []float64)
TEXT ·axpyF64(SB), NOSPLIT, $0-56
	DISPATCH_WIDE(y_len+40(FP), ·wideAxpy(SB), ·axpyF64AVX512(SB), ·axpyF64AVX2(SB), ·axpyF64Generic(SB))

#define BYTES 32
#define VECTOR AXPY64
#define LANES 4

// func axpyF64AVX2(alpha float64, x, y []float64)
// Requires: AVX2, FMA3
//
// Registers: see above. A step is 16 elements, four vectors of 4; whole vectors are left, and the
// rest one by one.
TEXT ·axpyF64AVX2(SB), NOSPLIT, $0-56
	VBROADCASTSD alpha+0(FP), Y0
	MOVQ x_base+8(FP), SI
	MOVQ y_base+32(FP), DI
	MOVQ y_len+40(FP), DX
#include "axpy_amd64.h"

loop1:
	VMOVSD (SI)(BX*1), X1
	VFMADD213SD (DI)(BX*1), X0, X1
	VMOVSD X1, (DI)(BX*1)
	ADDQ $8, BX
	DECQ DX
	JNE loop1

done:
	VZEROUPPER
	RET

// func axpyF32(alpha float32, x, y []float32)
TEXT ·axpyF32(SB), NOSPLIT, $0-56
	DISPATCH_WIDE(y_len+40(FP), ·wideAxpy(SB), ·axpyF32AVX512(SB), ·axpyF32AVX2(SB), ·axpyF32Generic(SB))

#undef VECTOR
#undef LANES
#define VECTOR AXPY32
#define LANES 8

// func axpyF32AVX2(alpha float32, x, y []float32)
// Requires: AVX2, FMA3
//
// Registers: see above. A step is 32 elements, four vectors of 8; whole vectors are left, and
// then four, if there are as many, and one by one.
TEXT ·axpyF32AVX2(SB), NOSPLIT, $0-56
	VBROADCASTSS alpha+0(FP), Y0
	MOVQ x_base+8(FP), SI
	MOVQ y_base+32(FP), DI
	MOVQ y_len+40(FP), DX
#include "axpy_amd64.h"
	SUBQ $4, DX
	JLT scalar
	VMOVUPS (SI)(BX*1), X1
	VFMADD213PS (DI)(BX*1), X0, X1
	VMOVUPS X1, (DI)(BX*1)
	ADDQ $16, BX
	SUBQ $4, DX

scalar:
	ADDQ $4, DX
	JEQ done

loop1:
	VMOVSS (SI)(BX*1), X1
	VFMADD213SS (DI)(BX*1), X0, X1
	VMOVSS X1, (DI)(BX*1)
	ADDQ $4, BX
	DECQ DX
	JNE loop1

done:
	VZEROUPPER
	RET

// func axpyDiffF64(alpha float64, a, b, y []float64)
TEXT ·axpyDiffF64(SB), NOSPLIT, $0-80
	DISPATCH(·axpyDiffF64AVX512(SB), ·axpyDiffF64AVX2(SB), ·axpyDiffF64Generic(SB))

#undef VECTOR
#undef LANES
#define VECTOR DIFF64
#define LANES 4

// func axpyDiffF64AVX2(alpha float64, a, b, y []float64)
// Requires: AVX2, FMA3
//
// Registers: see above. A step is 16 elements, four vectors of 4; whole vectors are left, and the
// rest one by one.
TEXT ·axpyDiffF64AVX2(SB), NOSPLIT, $0-80
	VBROADCASTSD alpha+0(FP), Y0
	MOVQ a_base+8(FP), SI
	MOVQ b_base+32(FP), R8
	MOVQ y_base+56(FP), DI
	MOVQ y_len+64(FP), DX
#include "axpy_amd64.h"

loop1:
	VMOVSD (SI)(BX*1), X1
	VSUBSD (R8)(BX*1), X1, X1
	VFMADD213SD (DI)(BX*1), X0, X1
	VMOVSD X1, (DI)(BX*1)
	ADDQ $8, BX
	DECQ DX
	JNE loop1

done:
	VZEROUPPER
	RET

// func axpyDiffF32(alpha float32, a, b, y []float32)
TEXT ·axpyDiffF32(SB), NOSPLIT, $0-80
	DISPATCH(·axpyDiffF32AVX512(SB), ·axpyDiffF32AVX2(SB), ·axpyDiffF32Generic(SB))

#undef VECTOR
#undef LANES
#define VECTOR DIFF32
#define LANES 8

// func axpyDiffF32AVX2(alpha float32, a, b, y []float32)
// Requires: AVX2, FMA3
//
// Registers: see above. A step is 32 elements, four vectors of 8; whole vectors are left, and
// then four, if there are as many, and one by one.
TEXT ·axpyDiffF32AVX2(SB), NOSPLIT, $0-80
	VBROADCASTSS alpha+0(FP), Y0
	MOVQ a_base+8(FP), SI
	MOVQ b_base+32(FP), R8
	MOVQ y_base+56(FP), DI
	MOVQ y_len+64(FP), DX
#include "axpy_amd64.h"
	SUBQ $4, DX
	JLT scalar
	VMOVUPS (SI)(BX*1), X1
	VSUBPS (R8)(BX*1), X1, X1
	VFMADD213PS (DI)(BX*1), X0, X1
	VMOVUPS X1, (DI)(BX*1)
	ADDQ $16, BX
	SUBQ $4, DX

scalar:
	ADDQ $4, DX
	JEQ done

loop1:
	VMOVSS (SI)(BX*1), X1
	VSUBSS (R8)(BX*1), X1, X1
	VFMADD213SS (DI)(BX*1), X0, X1
	VMOVSS X1, (DI)(BX*1)
	ADDQ $4, BX
	DECQ DX
	JNE loop1

done:
	VZEROUPPER
	RET
