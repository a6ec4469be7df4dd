//go:build !purego

#include "go_asm.h"
#include "textflag.h"
#include "dispatch_amd64.h"
#include "vector_amd64.h"

// The linear kernels for AVX-512 (F, VL). The order of operations is that of the
// doc comments in linear.go and gemv.go.
//
// A vector that is not whole is loaded under a mask, but in axpy. A mask hides faults but not their
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

// PIECE does a part of the rest: MOVE loads and stores it, by registers t and u.
#define PIECE64(MOVE, alpha, t, u) \
	MOVE (SI)(BX*1), t       \
	MOVE (DI)(BX*1), u       \
	VFMADD213PD u, alpha, t  \
	MOVE t, (DI)(BX*1)
#define PIECE32(MOVE, alpha, t, u) \
	MOVE (SI)(BX*1), t       \
	MOVE (DI)(BX*1), u       \
	VFMADD213PS u, alpha, t  \
	MOVE t, (DI)(BX*1)
#define DIFFPIECE64(MOVE, alpha, t, u) \
	MOVE (SI)(BX*1), t       \
	MOVE (R8)(BX*1), u       \
	VSUBPD u, t, t           \
	MOVE (DI)(BX*1), u       \
	VFMADD213PD u, alpha, t  \
	MOVE t, (DI)(BX*1)
#define DIFFPIECE32(MOVE, alpha, t, u) \
	MOVE (SI)(BX*1), t       \
	MOVE (R8)(BX*1), u       \
	VSUBPS u, t, t           \
	MOVE (DI)(BX*1), u       \
	VFMADD213PS u, alpha, t  \
	MOVE t, (DI)(BX*1)

#define BYTES 64
#define VECTOR AXPY64
#define LANES 8
#define PIECE PIECE64

// func axpyF64AVX512(alpha float64, x, y []float64)
// Requires: AVX512F, FMA3
//
// Registers: see above. A step is 32 elements, four vectors of 8; whole vectors are left, and
// then halves of what a vector holds, down to one.
TEXT ·axpyF64AVX512(SB), NOSPLIT, $0-56
	VBROADCASTSD alpha+0(FP), Z0
	MOVQ x_base+8(FP), SI
	MOVQ y_base+32(FP), DI
	MOVQ y_len+40(FP), DX
#include "axpy_amd64.h"
#include "axpy_rest_avx512_amd64.h"

#undef VECTOR
#undef LANES
#define VECTOR AXPY32
#define LANES 16
#undef PIECE
#define PIECE PIECE32
#define SINGLE

// func axpyF32AVX512(alpha float32, x, y []float32)
// Requires: AVX512F, FMA3
//
// Registers: see above. A step is 64 elements, four vectors of 16; whole vectors are left, and
// then halves of what a vector holds, down to one.
TEXT ·axpyF32AVX512(SB), NOSPLIT, $0-56
	VBROADCASTSS alpha+0(FP), Z0
	MOVQ x_base+8(FP), SI
	MOVQ y_base+32(FP), DI
	MOVQ y_len+40(FP), DX
#include "axpy_amd64.h"
#include "axpy_rest_avx512_amd64.h"

#undef VECTOR
#undef LANES
#define VECTOR DIFF64
#define LANES 8
#undef PIECE
#undef SINGLE
#define PIECE DIFFPIECE64

// func axpyDiffF64AVX512(alpha float64, a, b, y []float64)
// Requires: AVX512F, FMA3
//
// Registers: see above. A step is 32 elements, four vectors of 8; whole vectors are left, and
// then halves of what a vector holds, down to one.
TEXT ·axpyDiffF64AVX512(SB), NOSPLIT, $0-80
	VBROADCASTSD alpha+0(FP), Z0
	MOVQ a_base+8(FP), SI
	MOVQ b_base+32(FP), R8
	MOVQ y_base+56(FP), DI
	MOVQ y_len+64(FP), DX
#include "axpy_amd64.h"
#include "axpy_rest_avx512_amd64.h"

#undef VECTOR
#undef LANES
#define VECTOR DIFF32
#define LANES 16
#undef PIECE
#define PIECE DIFFPIECE32
#define SINGLE

// func axpyDiffF32AVX512(alpha float32, a, b, y []float32)
// Requires: AVX512F, FMA3
//
// Registers: see above. A step is 64 elements, four vectors of 16; whole vectors are left, and
// then halves of what a vector holds, down to one.
TEXT ·axpyDiffF32AVX512(SB), NOSPLIT, $0-80
	VBROADCASTSS alpha+0(FP), Z0
	MOVQ a_base+8(FP), SI
	MOVQ b_base+32(FP), R8
	MOVQ y_base+56(FP), DI
	MOVQ y_len+64(FP), DX
#include "axpy_amd64.h"
#include "axpy_rest_avx512_amd64.h"
