//go:build !purego

#include "go_asm.h"
#include "textflag.h"
#include "dispatch_amd64.h"
#include "vector_amd64.h"

// The vector kernels for AVX-512. The order of operations is that of the doc comments in
// vector.go.

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

// L2 has the body of the dot products, dot_avx512_amd64.h, whose macros
// kernels_linear_avx512_amd64.s explains: a product becomes the square of the difference.

#define HALVE_F64 \
	VEXTRACTF64X4 $1, Z0, Y1 \
	VADDPD Y1, Y0, Y0        \
	VEXTRACTF128 $1, Y0, X1  \
	VADDPD X1, X0, X0        \
	VPERMILPD $1, X0, X1     \
	VADDSD X1, X0, X0        \
	VMOVSD X0, ret+48(FP)    \
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
	VMOVSS X0, ret+48(FP)    \
	VZEROUPPER               \
	RET

// (g0+g1)+(g2+g3) and the halves down to 128 bits, of one sum.
#define QUARTERS(a, b, c, d, ya, yb, xa, xb) \
	ADD b, a, a                \
	ADD d, c, c                \
	ADD c, a, a                \
	VEXTRACTF64X4 $1, a, yb    \
	ADD yb, ya, ya             \
	VEXTRACTF128 $1, ya, xb    \
	ADD xb, xa, xa

// The three sums of a cosine.
#define RESULT_COSINE_F64 \
	QUARTERS(Z0, Z1, Z2, Z3, Y0, Y1, X0, X1)    \
	QUARTERS(Z4, Z5, Z6, Z7, Y4, Y5, X4, X5)    \
	QUARTERS(Z8, Z9, Z10, Z11, Y8, Y9, X8, X9)  \
	VUNPCKLPD X4, X0, X1                        \
	VUNPCKHPD X4, X0, X2                        \
	VADDPD X2, X1, X1                           \
	VPERMILPD $1, X8, X9                        \
	VADDSD X9, X8, X8                           \
	VSHUFPD $1, X8, X1, X3 \
	VSQRTPD X3, X3         \
	VPERMILPD $1, X3, X4   \
	VMULSD X4, X3, X3      \
	VDIVSD X3, X1, X1      \
	VXORPS X4, X4, X4      \
	VCMPSD $0, X4, X3, X4  \
	VANDNPD X1, X4, X1     \
	VMOVSD X1, ret+48(FP)  \
	VZEROUPPER                                  \
	RET

#define RESULT_COSINE_F32 \
	QUARTERS(Z0, Z1, Z2, Z3, Y0, Y1, X0, X1)    \
	QUARTERS(Z4, Z5, Z6, Z7, Y4, Y5, X4, X5)    \
	QUARTERS(Z8, Z9, Z10, Z11, Y8, Y9, X8, X9)  \
	VUNPCKLPD X4, X0, X1                        \
	VUNPCKHPD X4, X0, X2                        \
	VADDPS X2, X1, X1                           \
	VPERMILPD $1, X8, X9                        \
	VADDPS X9, X8, X8                           \
	VSHUFPS $0x88, X8, X1, X2                   \
	VSHUFPS $0xdd, X8, X1, X3                   \
	VADDPS X3, X2, X2                           \
	VMOVSHDUP X2, X3       \
	VPERMILPD $1, X2, X4   \
	VCVTSS2SD X3, X3, X3   \
	VCVTSS2SD X4, X4, X4   \
	VCVTSS2SD X2, X2, X2   \
	VMULSD X4, X3, X3      \
	VSQRTSD X3, X3, X4     \
	VDIVSD X4, X2, X2      \
	VCVTSD2SS X2, X2, X2   \
	VXORPS X4, X4, X4      \
	VCMPSD $0, X4, X3, X4  \
	VANDNPS X2, X4, X2     \
	VMOVSS X2, ret+48(FP)  \
	VZEROUPPER                                  \
	RET

#define LOAD VMOVUPD
#define BY(op, y, t, u, acc) SUB y, t, t; op t, t, acc
#define REST(op, acc) SUB Z5, Z4, Z4; op Z4, Z4, K1, acc
#define SUB VSUBPD
#define MUL VMULPD
#define FMA VFMADD231PD
#define ADD VADDPD
#define MOVE VPERMPD
#define INDEX VPMOVZXBQ
#define MINUS0(v) VBROADCASTSD minus0F64<>(SB), v
#define HALVE HALVE_F64
#define LANES 8
#define SIZE 8
#define BLOCKS ·l2F64Long(SB)

// func l2F64AVX512(x, y []float64) float64
// Requires: AVX512F
//
// Registers: see dot_avx512_amd64.h. A step is 32 elements, four vectors of 8; up to three
// vectors are left, and one under a mask.
TEXT ·l2F64AVX512(SB), NOSPLIT, $0-56
#include "dot_avx512_amd64.h"

#undef LOAD
#undef SUB
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
#define LOAD VMOVUPS
#define SUB VSUBPS
#define MUL VMULPS
#define FMA VFMADD231PS
#define ADD VADDPS
#define MOVE VPERMPS
#define INDEX VPMOVZXBD
#define MINUS0(v) VBROADCASTSS minus0F32<>(SB), v
#define HALVE HALVE_F32
#define LANES 16
#define SIZE 4
#define BLOCKS ·l2F32Long(SB)

// func l2F32AVX512(x, y []float32) float32
// Requires: AVX512F
//
// Registers: see dot_avx512_amd64.h. A step is 64 elements, four vectors of 16; up to three
// vectors are left, and one under a mask.
TEXT ·l2F32AVX512(SB), NOSPLIT, $0-52
#include "dot_avx512_amd64.h"

#undef LOAD
#undef BY
#undef REST
#undef SUB
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

// The others have the body compare_avx512_amd64.h, with macros for what they do not share. LOADX
// and LOADY load LANES elements of XSIZE and YSIZE bytes to a register, with _K1 those of the mask
// that MASK makes of DX, elements left less LANES. TERMS(x, y, a, b, c) adds what they make to the
// lanes a, b and c of the sums, or those of the mask; FIRST sets the lanes to it. START prepares
// lanes that are to be added to; RESULT adds them up and returns.

#define MASK LEAL LANES(DX), CX; MOVL $1, AX; SHLL CX, AX; DECL AX; KMOVW AX, K1

// The three sums of a cosine. The squares start at +0, which changes no sum of squares.
#define START_COSINE \
	VMOVAPS Z0, Z1 \
	VMOVAPS Z0, Z2 \
	VMOVAPS Z0, Z3 \
	VXORPS X4, X4, X4 \
	VXORPS X5, X5, X5 \
	VXORPS X6, X6, X6 \
	VXORPS X7, X7, X7 \
	VXORPS X8, X8, X8 \
	VXORPS X9, X9, X9 \
	VXORPS X10, X10, X10 \
	VXORPS X11, X11, X11

#define FIRST(x, y, a, b, c) MUL y, x, a; MUL x, x, b; MUL y, y, c
#define TERMS(x, y, a, b, c) FMA y, x, a; FMA x, x, b; FMA y, y, c
#define TERMS_K1(x, y, a, b, c) FMA y, x, K1, a; FMA x, x, K1, b; FMA y, y, K1, c

#define START VBROADCASTSD minus0F64<>(SB), Z0; START_COSINE
#define LOADX(m, z) VMOVUPD m, z
#define LOADY(m, z) VMOVUPD m, z
#define LOADX_K1(m, z) VMOVUPD.Z m, K1, z
#define LOADY_K1(m, z) VMOVUPD.Z m, K1, z
#define MUL VMULPD
#define FMA VFMADD231PD
#define ADD VADDPD
#define LANES 8
#define XSIZE 8
#define YSIZE 8
#define RESULT RESULT_COSINE_F64

// func cosineF64AVX512(x, y []float64) float64
// Requires: AVX512F
//
// Registers: see compare_avx512_amd64.h. A step is 32 elements, four vectors of 8; up to three
// vectors are left, and one under a mask.
TEXT ·cosineF64AVX512(SB), NOSPLIT, $0-56
#include "compare_avx512_amd64.h"

#undef START
#undef LOADX
#undef LOADY
#undef LOADX_K1
#undef LOADY_K1
#undef MUL
#undef FMA
#undef ADD
#undef LANES
#undef XSIZE
#undef YSIZE
#undef RESULT
#define START VBROADCASTSS minus0F32<>(SB), Z0; START_COSINE
#define LOADX(m, z) VMOVUPS m, z
#define LOADY(m, z) VMOVUPS m, z
#define LOADX_K1(m, z) VMOVUPS.Z m, K1, z
#define LOADY_K1(m, z) VMOVUPS.Z m, K1, z
#define MUL VMULPS
#define FMA VFMADD231PS
#define ADD VADDPS
#define LANES 16
#define XSIZE 4
#define YSIZE 4
#define RESULT RESULT_COSINE_F32

// func cosineF32AVX512(x, y []float32) float32
// Requires: AVX512F
//
// Registers: see compare_avx512_amd64.h. A step is 64 elements, four vectors of 16; up to three
// vectors are left, and one under a mask.
TEXT ·cosineF32AVX512(SB), NOSPLIT, $0-52
#include "compare_avx512_amd64.h"

#undef START
#undef LOADX
#undef LOADY
#undef LOADX_K1
#undef LOADY_K1
#undef MUL
#undef FMA
#undef ADD
#undef LANES
#undef XSIZE
#undef YSIZE
#undef RESULT
