//go:build !purego

#include "go_asm.h"
#include "textflag.h"
#include "dispatch_amd64.h"
#include "vector_amd64.h"

// The linear kernels for AVX-512 (F, VL). The order of operations is that of the
// doc comments in linear.go and gemv.go.
//
// A vector that is not whole is loaded under a mask. A mask hides faults but not their
// price: a masked load that reaches into a page without memory behind it takes some
// hundred nanoseconds. Near the end of a page the vector that ends with the last
// element is loaded instead, and its elements are moved down where they must.
//
// float32 is converted to float64 a zmm at a time: on Zen 5, 8 elements take .75 cycles so, and
// 1.0 as two ymm. On Zen 4 they take 1.33 and 1.0, so there DotF32Wide, L2F32Wide and CosineF32Wide
// run the code of AVX2: dot products take 1.0 to 1.1 times as long as their conversions.

// order is 0 to 31: W of it, from W − r on, move the last r elements of W to the front.
DATA order<>+0(SB)/8, $0x0706050403020100
DATA order<>+8(SB)/8, $0x0f0e0d0c0b0a0908
DATA order<>+16(SB)/8, $0x1716151413121110
DATA order<>+24(SB)/8, $0x1f1e1d1c1b1a1918
GLOBL order<>(SB), RODATA|NOPTR, $32

DATA minus0F64<>+0(SB)/8, $0x8000000000000000
GLOBL minus0F64<>(SB), RODATA|NOPTR, $8

DATA minus0F32<>+0(SB)/4, $0x80000000
GLOBL minus0F32<>(SB), RODATA|NOPTR, $4

// The dot products have the body dot_avx512_amd64.h, with macros for what they do not share:
// LOAD, BY, MUL, FMA and ADD are those of kernels_linear_amd64.s; REST(op, acc) has the products of
// the rest under the mask K1; MOVE moves elements by the indices that INDEX makes of bytes;
// MINUS0(v) sets the lanes v to −0; a loop that prefetches is for FROM < elements <= TO, where they
// are defined.

// HALVE adds the elements of Z0 and returns.
#define HALVE_F64 \
	VEXTRACTF64X4 $1, Z0, Y1 \
	VADDPD Y1, Y0, Y0        \
	VEXTRACTF128 $1, Y0, X1  \
	VADDPD X1, X0, X0        \
	VPERMILPD $1, X0, X1     \
	VADDSD X1, X0, X0        \
	VMOVSD X0, ret+24(FP)    \
	VZEROUPPER               \
	RET

#define HALVE_F32 \
	VEXTRACTF64X4 $1, Z0, Y1 \
	VADDPS Y1, Y0, Y0        \
	VEXTRACTF128 $1, Y0, X1  \
	VADDPS X1, X0, X0        \
	VPERMILPD $1, X0, X1     \
	VADDPS X1, X0, X0        \
	VMOVSHDUP X0, X1         \
	VADDSS X1, X0, X0        \
	VMOVSS X0, ret+24(FP)    \
	VZEROUPPER               \
	RET

#define LOAD VMOVUPD
#define BY(op, y, t, u, acc) op y, t, acc
#define REST(op, acc) op Z5, Z4, K1, acc
#define MUL VMULPD
#define FMA VFMADD231PD
#define ADD VADDPD
#define MOVE VPERMPD
#define INDEX VPMOVZXBQ
#define MINUS0(v) VBROADCASTSD minus0F64<>(SB), v
#define FROM const_dotFarF64
#define TO const_dotFarF64To
#define HALVE HALVE_F64
#define LANES 8
#define SIZE 8
#define BLOCKS ·dotF64Go(SB)

// func dotF64AVX512(x, y *float64, n int) float64
// Requires: AVX512F
//
// Registers: see dot_avx512_amd64.h. A step is 32 elements, four vectors of 8; up to three
// vectors are left, and one under a mask.
TEXT ·dotF64AVX512(SB), NOSPLIT, $0-32
#include "dot_avx512_amd64.h"

#undef LOAD
#undef MUL
#undef FMA
#undef ADD
#undef MOVE
#undef INDEX
#undef MINUS0
#undef FROM
#undef TO
#undef HALVE
#undef LANES
#undef SIZE
#undef BLOCKS
#define LOAD VMOVUPS
#define MUL VMULPS
#define FMA VFMADD231PS
#define ADD VADDPS
#define MOVE VPERMPS
#define INDEX VPMOVZXBD
#define MINUS0(v) VBROADCASTSS minus0F32<>(SB), v
#define FROM const_dotFarF32
#define TO const_dotFarF32To
#define HALVE HALVE_F32
#define LANES 16
#define SIZE 4
#define BLOCKS ·dotF32Go(SB)

// func dotF32AVX512(x, y *float32, n int) float32
// Requires: AVX512F
//
// Registers: see dot_avx512_amd64.h. A step is 64 elements, four vectors of 16; up to three
// vectors are left, and one under a mask.
TEXT ·dotF32AVX512(SB), NOSPLIT, $0-28
#include "dot_avx512_amd64.h"

#undef LOAD
#undef BY
#undef MUL
#undef FMA
#undef ADD
#undef MOVE
#undef INDEX
#undef MINUS0
#undef FROM
#undef TO
#undef HALVE
#undef LANES
#undef BLOCKS
#define LOAD VCVTPS2PD
#define BY(op, y, t, u, acc) VCVTPS2PD y, u; op u, t, acc
#define MUL VMULPD
#define FMA VFMADD231PD
#define ADD VADDPD
#define MOVE VPERMPD
#define INDEX VPMOVZXBQ
#define MINUS0(v) VBROADCASTSD minus0F64<>(SB), v
#define HALVE HALVE_F64
#define LANES 8
#define BLOCKS ·dotF32WideGo(SB)

// func dotF32WideAVX512(x, y *float32, n int) float64
// Requires: AVX512F
//
// Registers: see dot_avx512_amd64.h. A step is 32 elements, four vectors of 8; up to three
// vectors are left, and one under a mask.
TEXT ·dotF32WideAVX512(SB), NOSPLIT, $0-32
#include "dot_avx512_amd64.h"

#undef LOAD
#undef BY
#undef MUL
#undef FMA
#undef ADD
#undef MOVE
#undef INDEX
#undef MINUS0
#undef HALVE
#undef LANES
#undef SIZE
#undef BLOCKS
#undef REST

// Axpy and AxpyDiff: SI, R8, DI: x or a, b, y; DX: elements left; BX: bytes done; Z0: alpha. A
// line of 64 bytes is loaded and stored before the next: in L1 groups of four loads and four
// stores take a tenth longer.
#define AXPY64(off) VMOVUPD off(SI)(BX*1), Z1; VFMADD213PD off(DI)(BX*1), Z0, Z1; VMOVUPD Z1, off(DI)(BX*1)
#define AXPY32(off) VMOVUPS off(SI)(BX*1), Z1; VFMADD213PS off(DI)(BX*1), Z0, Z1; VMOVUPS Z1, off(DI)(BX*1)
#define DIFF64(off) \
	VMOVUPD off(SI)(BX*1), Z1;         \
	VSUBPD off(R8)(BX*1), Z1, Z1;      \
	VFMADD213PD off(DI)(BX*1), Z0, Z1; \
	VMOVUPD Z1, off(DI)(BX*1)
#define DIFF32(off) \
	VMOVUPS off(SI)(BX*1), Z1;         \
	VSUBPS off(R8)(BX*1), Z1, Z1;      \
	VFMADD213PS off(DI)(BX*1), Z0, Z1; \
	VMOVUPS Z1, off(DI)(BX*1)

// K1: the elements left.
#define LEFT MOVL DX, CX; MOVL $1, AX; SHLL CX, AX; DECL AX; KMOVW AX, K1

// Near the end of a page the rest is taken one at a time.
#define PAGE(from, edge) LEAL (from)(BX*1), CX; ANDL $4095, CX; CMPL CX, $4032; JHI edge

#define BYTES 64
#define VECTOR AXPY64
#define LANES 8

// func axpyF64AVX512(alpha float64, x, y []float64)
// Requires: AVX512F, FMA3
//
// Registers: see above. A step is 32 elements, four vectors of 8; whole vectors are left, and the
// rest under a mask, or one by one near the end of a page.
TEXT ·axpyF64AVX512(SB), NOSPLIT, $0-56
	VBROADCASTSD alpha+0(FP), Z0
	MOVQ x_base+8(FP), SI
	MOVQ y_base+32(FP), DI
	MOVQ y_len+40(FP), DX
#include "axpy_amd64.h"
	PAGE(SI, edge)
	PAGE(DI, edge)
	LEFT
	VMOVUPD.Z (SI)(BX*1), K1, Z1
	VFMADD213PD (DI)(BX*1), Z0, K1, Z1
	VMOVUPD Z1, K1, (DI)(BX*1)

done:
	VZEROUPPER
	RET

edge:
	VMOVSD (SI)(BX*1), X1
	VFMADD213SD (DI)(BX*1), X0, X1
	VMOVSD X1, (DI)(BX*1)
	ADDQ $8, BX
	DECQ DX
	JNE edge
	VZEROUPPER
	RET

#undef VECTOR
#undef LANES
#define VECTOR AXPY32
#define LANES 16

// func axpyF32AVX512(alpha float32, x, y []float32)
// Requires: AVX512F, FMA3
//
// Registers: see above. A step is 64 elements, four vectors of 16; whole vectors are left, and
// the rest under a mask, or one by one near the end of a page.
TEXT ·axpyF32AVX512(SB), NOSPLIT, $0-56
	VBROADCASTSS alpha+0(FP), Z0
	MOVQ x_base+8(FP), SI
	MOVQ y_base+32(FP), DI
	MOVQ y_len+40(FP), DX
#include "axpy_amd64.h"
	PAGE(SI, edge)
	PAGE(DI, edge)
	LEFT
	VMOVUPS.Z (SI)(BX*1), K1, Z1
	VFMADD213PS (DI)(BX*1), Z0, K1, Z1
	VMOVUPS Z1, K1, (DI)(BX*1)

done:
	VZEROUPPER
	RET

edge:
	VMOVSS (SI)(BX*1), X1
	VFMADD213SS (DI)(BX*1), X0, X1
	VMOVSS X1, (DI)(BX*1)
	ADDQ $4, BX
	DECQ DX
	JNE edge
	VZEROUPPER
	RET

#undef VECTOR
#undef LANES
#define VECTOR DIFF64
#define LANES 8

// func axpyDiffF64AVX512(alpha float64, a, b, y []float64)
// Requires: AVX512F, FMA3
//
// Registers: see above. A step is 32 elements, four vectors of 8; whole vectors are left, and the
// rest under a mask, or one by one near the end of a page.
TEXT ·axpyDiffF64AVX512(SB), NOSPLIT, $0-80
	VBROADCASTSD alpha+0(FP), Z0
	MOVQ a_base+8(FP), SI
	MOVQ b_base+32(FP), R8
	MOVQ y_base+56(FP), DI
	MOVQ y_len+64(FP), DX
#include "axpy_amd64.h"
	PAGE(SI, edge)
	PAGE(R8, edge)
	PAGE(DI, edge)
	LEFT
	VMOVUPD.Z (SI)(BX*1), K1, Z1
	VSUBPD.Z (R8)(BX*1), Z1, K1, Z1
	VFMADD213PD (DI)(BX*1), Z0, K1, Z1
	VMOVUPD Z1, K1, (DI)(BX*1)

done:
	VZEROUPPER
	RET

edge:
	VMOVSD (SI)(BX*1), X1
	VSUBSD (R8)(BX*1), X1, X1
	VFMADD213SD (DI)(BX*1), X0, X1
	VMOVSD X1, (DI)(BX*1)
	ADDQ $8, BX
	DECQ DX
	JNE edge
	VZEROUPPER
	RET

#undef VECTOR
#undef LANES
#define VECTOR DIFF32
#define LANES 16

// func axpyDiffF32AVX512(alpha float32, a, b, y []float32)
// Requires: AVX512F, FMA3
//
// Registers: see above. A step is 64 elements, four vectors of 16; whole vectors are left, and
// the rest under a mask, or one by one near the end of a page.
TEXT ·axpyDiffF32AVX512(SB), NOSPLIT, $0-80
	VBROADCASTSS alpha+0(FP), Z0
	MOVQ a_base+8(FP), SI
	MOVQ b_base+32(FP), R8
	MOVQ y_base+56(FP), DI
	MOVQ y_len+64(FP), DX
#include "axpy_amd64.h"
	PAGE(SI, edge)
	PAGE(R8, edge)
	PAGE(DI, edge)
	LEFT
	VMOVUPS.Z (SI)(BX*1), K1, Z1
	VSUBPS.Z (R8)(BX*1), Z1, K1, Z1
	VFMADD213PS (DI)(BX*1), Z0, K1, Z1
	VMOVUPS Z1, K1, (DI)(BX*1)

done:
	VZEROUPPER
	RET

edge:
	VMOVSS (SI)(BX*1), X1
	VSUBSS (R8)(BX*1), X1, X1
	VFMADD213SS (DI)(BX*1), X0, X1
	VMOVSS X1, (DI)(BX*1)
	ADDQ $4, BX
	DECQ DX
	JNE edge
	VZEROUPPER
	RET
