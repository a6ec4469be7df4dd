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

// The four groups of a sum added up, and the halves down to 128 bits.
#define QUARTERS(a, b, c, d, ya, yb, xa, xb) \
	GROUPS(a, b, c, d)         \
	VEXTRACTF64X4 $1, a, yb    \
	ADD yb, ya, ya             \
	VEXTRACTF128 $1, ya, xb    \
	ADD xb, xa, xa

#define SIGNED MOVLQSX AX, AX
#define UNSIGNED MOVL AX, AX

// The 16 sums of Z0, extended, as the result.
#define RESULT_BYTES(EXTEND) \
	VEXTRACTI64X4 $1, Z0, Y1  \
	VPADDD Y1, Y0, Y0         \
	VEXTRACTI128 $1, Y0, X1   \
	VPADDD X1, X0, X0         \
	VPSHUFD $0x4e, X0, X1     \
	VPADDD X1, X0, X0         \
	VPSHUFD $0xb1, X0, X1     \
	VPADDD X1, X0, X0         \
	VMOVD X0, AX              \
	EXTEND                    \
	MOVQ AX, ret+24(FP)       \
	VZEROUPPER                \
	RET

// The cosine as the result: X2 by X4, the root of X3, or 0 where that is 0.
#define QUOTIENT_F32 \
	VDIVSD X4, X2, X2          \
	VXORPS X4, X4, X4          \
	VCMPSD $4, X4, X3, K1      \
	VCVTSD2SS.Z X2, X2, K1, X2 \
	VMOVSS X2, ret+24(FP)      \
	VZEROUPPER                 \
	RET

// The cosine of the sums xy, xx and yy in Z0 to Z2, 16 of each: xx and yy to elements 0 and 1 of X0
// and xy to two halves in 2 and 3, which CONVERT makes float64.
#define RESULT_COSINE_BYTES(CONVERT) \
	VPUNPCKLDQ Z2, Z1, Z3     \
	VPUNPCKHDQ Z2, Z1, Z4     \
	VPADDD Z4, Z3, Z3         \
	VPUNPCKLQDQ Z0, Z3, Z4    \
	VPUNPCKHQDQ Z0, Z3, Z5    \
	VPADDD Z5, Z4, Z0         \
	VEXTRACTI64X4 $1, Z0, Y1  \
	VPADDD Y1, Y0, Y0         \
	VEXTRACTI128 $1, Y0, X1   \
	VPADDD X1, X0, X0         \
	CONVERT X0, Y0            \
	VPERMILPD $1, X0, X3      \
	VMULSD X3, X0, X3         \
	VSQRTSD X3, X3, X4        \
	VEXTRACTF128 $1, Y0, X2   \
	VPERMILPD $1, X2, X1      \
	VADDSD X1, X2, X2         \
	QUOTIENT_F32

// Sums in Z0, Z2, Z4 and Z6; what is to be added to them 128 times in Z1, Z3, Z5 and Z7.
#define JOIN_BYTES(ADD128) \
	VPADDD Z2, Z0, Z0   \
	VPADDD Z3, Z1, Z1   \
	VPADDD Z6, Z4, Z4   \
	VPADDD Z7, Z5, Z5   \
	VPADDD Z4, Z0, Z0   \
	VPADDD Z5, Z1, Z1   \
	VPSLLD $7, Z1, Z1   \
	ADD128 Z1, Z0, Z0

// The sums of a cosine, xy, xx and yy in Z0 to Z2 and Z5 to Z7; what is to be added 128 times in Z3
// and Z8 (by x) and Z4 and Z9 (by y), BYXY being the one for xy.
#define JOIN_COSINE_BYTES(ADD128, BYXY) \
	VPADDD Z5, Z0, Z0         \
	VPADDD Z6, Z1, Z1         \
	VPADDD Z7, Z2, Z2         \
	VPADDD Z8, Z3, Z3         \
	VPADDD Z9, Z4, Z4         \
	VPSLLD $7, Z3, Z3         \
	VPSLLD $7, Z4, Z4         \
	ADD128 BYXY, Z0, Z0       \
	ADD128 Z3, Z1, Z1         \
	ADD128 Z4, Z2, Z2

// The elements of Z0 as those of X0.
#define HALVE_COUNTS \
	VEXTRACTI64X4 $1, Z0, Y1 \
	VPADDQ Y1, Y0, Y0        \
	VEXTRACTI128 $1, Y0, X1  \
	VPADDQ X1, X0, X0

#define RESULT_HAMMING \
	HALVE_COUNTS          \
	VPSHUFD $0x4e, X0, X1 \
	VPADDQ X1, X0, X0     \
	VMOVQ X0, ret+24(FP)  \
	VZEROUPPER            \
	RET

#define RESULT_JACCARD \
	VPUNPCKLQDQ Z1, Z0, Z2         \
	VPUNPCKHQDQ Z1, Z0, Z3         \
	VPADDQ Z3, Z2, Z0              \
	HALVE_COUNTS                   \
	VMOVQ X0, both+24(FP)          \
	VPEXTRQ $1, X0, either+32(FP)  \
	VZEROUPPER                     \
	RET

// The one sum of a dot product or a distance.
#define RESULT_F32 \
	GROUPS(Z0, Z1, Z2, Z3) \
	HALVE_F32

// The cosine of three sums, xy, xx and yy.
#define RESULT_COSINE_F64 \
	QUARTERS(Z4, Z5, Z6, Z7, Y4, Y5, X4, X5)    \
	QUARTERS(Z8, Z9, Z10, Z11, Y8, Y9, X8, X9)  \
	QUARTERS(Z0, Z1, Z2, Z3, Y0, Y1, X0, X1)    \
	VUNPCKLPD X8, X4, X1   \
	VUNPCKHPD X8, X4, X2   \
	VADDPD X2, X1, X3      \
	VSQRTPD X3, X3         \
	VPERMILPD $1, X0, X1   \
	VADDSD X1, X0, X0      \
	VPERMILPD $1, X3, X4   \
	VMULSD X4, X3, X3      \
	VDIVSD X3, X0, X1      \
	VXORPS X4, X4, X4      \
	VCMPSD $0, X4, X3, X4  \
	VANDNPD X1, X4, X1     \
	VMOVSD X1, ret+24(FP)  \
	VZEROUPPER             \
	RET

// xx, yy and xy are halved together: in the end each is one of the first three parts of Z0.
#define RESULT_COSINE_F32 \
	GROUPS(Z4, Z5, Z6, Z7)          \
	GROUPS(Z8, Z9, Z10, Z11)        \
	GROUPS(Z0, Z1, Z2, Z3)          \
	VSHUFF64X2 $0x44, Z8, Z4, Z1    \
	VSHUFF64X2 $0xee, Z8, Z4, Z2    \
	VEXTRACTF64X4 $1, Z0, Y3        \
	VADDPS Z2, Z1, Z1               \
	VADDPS Y3, Y0, Y0               \
	VSHUFF64X2 $0x88, Z0, Z1, Z2    \
	VSHUFF64X2 $0xdd, Z0, Z1, Z3    \
	VADDPS Z3, Z2, Z0               \
	VPERMILPD $0x55, Z0, Z1         \
	VADDPS Z1, Z0, Z0               \
	VMOVSHDUP Z0, Z1                \
	VADDPS Z1, Z0, Z0               \
	VEXTRACTF128 $1, Y0, X1         \
	VEXTRACTF32X4 $2, Z0, X2        \
	VCVTSS2SD X0, X0, X3            \
	VCVTSS2SD X1, X1, X4            \
	VMULSD X4, X3, X3               \
	VSQRTSD X3, X3, X4              \
	VCVTSS2SD X2, X2, X2            \
	QUOTIENT_F32

// The sums of BF16, whose even lanes are in za and zc and odd ones in zb and zd: (g0+g1)+(g2+g3),
// and the upper half of those 16 sums onto the lower: even ones to the lower half of ya, odd ones
// to its upper half. The last sum is that of an even one and an odd one.
#define HALVES_BF16(za, zb, zc, zd, ya, yb, yc, yd, xb) \
	VEXTRACTF64X4 $1, za, Y12     \
	VEXTRACTF64X4 $1, zb, Y13     \
	VEXTRACTF64X4 $1, zc, Y14     \
	VEXTRACTF64X4 $1, zd, Y15     \
	VADDPS Y12, ya, ya            \
	VADDPS Y13, yb, yb            \
	VADDPS Y14, yc, yc            \
	VADDPS Y15, yd, yd            \
	VADDPS yc, ya, ya             \
	VADDPS yd, yb, yb             \
	VINSERTF128 $1, xb, ya, yc    \
	VPERM2F128 $0x31, yb, ya, yd  \
	VADDPS yd, yc, ya

#define RESULT_BF16 \
	HALVES_BF16(Z0, Z1, Z2, Z3, Y0, Y1, Y2, Y3, X1) \
	VPERMILPD $5, Y0, Y1     \
	VADDPS Y1, Y0, Y0        \
	VMOVSHDUP Y0, Y1         \
	VADDPS Y1, Y0, Y0        \
	VEXTRACTF128 $1, Y0, X1  \
	VADDSS X1, X0, X0        \
	VMOVSS X0, ret+24(FP)    \
	VZEROUPPER               \
	RET

// xx, yy and xy become the first three elements of X0.
#define RESULT_COSINE_BF16 \
	HALVES_BF16(Z4, Z5, Z6, Z7, Y4, Y5, Y6, Y7, X5)    \
	HALVES_BF16(Z8, Z9, Z10, Z11, Y8, Y9, Y10, Y11, X9) \
	HALVES_BF16(Z0, Z1, Z2, Z3, Y0, Y1, Y2, Y3, X1)    \
	VUNPCKLPD Y8, Y4, Y1            \
	VUNPCKHPD Y8, Y4, Y2            \
	VADDPS Y2, Y1, Y1               \
	VPERMILPD $5, Y0, Y3            \
	VADDPS Y3, Y0, Y0               \
	VSHUFPS $0x88, Y0, Y1, Y2       \
	VSHUFPS $0xdd, Y0, Y1, Y3       \
	VADDPS Y3, Y2, Y0               \
	VEXTRACTF128 $1, Y0, X1         \
	VADDPS X1, X0, X0               \
	VCVTPS2PD X0, Y0                \
	VPERMILPD $1, X0, X3            \
	VMULSD X3, X0, X3               \
	VSQRTSD X3, X3, X4              \
	VEXTRACTF128 $1, Y0, X2         \
	QUOTIENT_F32

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
#define BLOCKS ·l2F64Go(SB)

// func l2F64AVX512(x, y *float64, n int) float64
// Requires: AVX512F
//
// Registers: see dot_avx512_amd64.h. A step is 32 elements, four vectors of 8; up to three
// vectors are left, and one under a mask.
TEXT ·l2F64AVX512(SB), NOSPLIT, $0-32
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
#define BLOCKS ·l2F32Go(SB)

// func l2F32AVX512(x, y *float32, n int) float32
// Requires: AVX512F
//
// Registers: see dot_avx512_amd64.h. A step is 64 elements, four vectors of 16; up to three
// vectors are left, and one under a mask.
TEXT ·l2F32AVX512(SB), NOSPLIT, $0-28
#include "dot_avx512_amd64.h"

#undef LOAD
#undef BY
#undef SUB
#undef MUL
#undef FMA
#undef ADD
#undef MOVE
#undef INDEX
#undef MINUS0
#undef HALVE
#undef LANES
#undef BLOCKS
#define LOAD VCVTPS2PD
#define BY(op, y, t, u, acc) VCVTPS2PD y, u; SUB u, t, t; op t, t, acc
#define SUB VSUBPD
#define MUL VMULPD
#define FMA VFMADD231PD
#define ADD VADDPD
#define MOVE VPERMPD
#define INDEX VPMOVZXBQ
#define MINUS0(v) VBROADCASTSD minus0F64<>(SB), v
#define HALVE HALVE_F64
#define LANES 8
#define BLOCKS ·l2F32WideGo(SB)

// func l2F32WideAVX512(x, y *float32, n int) float64
// Requires: AVX512F
//
// Registers: see dot_avx512_amd64.h. A step is 32 elements, four vectors of 8; up to three
// vectors are left, and one under a mask.
TEXT ·l2F32WideAVX512(SB), NOSPLIT, $0-32
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
// lanes that are to be added to; RESULT adds them up and returns. BLOCKS is the function for more
// than a block.

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
#define BLOCKS ·cosineF64Go(SB)

// func cosineF64AVX512(x, y *float64, n int) float64
// Requires: AVX512F
//
// Registers: see compare_avx512_amd64.h. A step is 32 elements, four vectors of 8; up to three
// vectors are left, and one under a mask.
TEXT ·cosineF64AVX512(SB), NOSPLIT, $0-32
#include "compare_avx512_amd64.h"

#undef BLOCKS
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
#define BLOCKS ·cosineF32Go(SB)

// func cosineF32AVX512(x, y *float32, n int) float32
// Requires: AVX512F
//
// Registers: see compare_avx512_amd64.h. A step is 64 elements, four vectors of 16; up to three
// vectors are left, and one under a mask.
TEXT ·cosineF32AVX512(SB), NOSPLIT, $0-28
#include "compare_avx512_amd64.h"

#undef BLOCKS
#undef START
#undef LOADX
#undef LOADY
#undef LOADX_K1
#undef LOADY_K1
#undef MUL
#undef FMA
#undef ADD
#undef LANES
#undef RESULT
#define START VBROADCASTSD minus0F64<>(SB), Z0; START_COSINE
#define LOADX(m, z) VCVTPS2PD m, z
#define LOADY(m, z) VCVTPS2PD m, z
#define LOADX_K1(m, z) VCVTPS2PD.Z m, K1, z
#define LOADY_K1(m, z) VCVTPS2PD.Z m, K1, z
#define MUL VMULPD
#define FMA VFMADD231PD
#define ADD VADDPD
#define LANES 8
#define RESULT RESULT_COSINE_F64
#define BLOCKS ·cosineF32WideGo(SB)

// func cosineF32WideAVX512(x, y *float32, n int) float64
// Requires: AVX512F
//
// Registers: see compare_avx512_amd64.h. A step is 32 elements, four vectors of 8; up to three
// vectors are left, and one under a mask.
TEXT ·cosineF32WideAVX512(SB), NOSPLIT, $0-32
#include "compare_avx512_amd64.h"

#undef BLOCKS
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

#undef FIRST
#undef TERMS
#undef TERMS_K1
#undef MASK

// The kernels of bytes have the body bytes_avx512_amd64.h. WIDEN makes 32 bytes words, and
// WORDS(x, y) adds what two vectors of words make to the sums Z0 (or Z0 to Z2), which START clears.
//
// VPDPBUSD multiplies unsigned by signed bytes and adds four products to a sum. Where both are
// signed, one of them is taken with 128 added, which flips its first bit, and where both are
// unsigned, with 128 less; 128 times the sum of the other makes up for it. TERMS0(x, y) to TERMS3
// add 64 elements each to the sums of a loop, and JOIN makes those of Z0 (to Z2) of them; RESULT
// adds the elements of the sums up and returns.
//
// Processors without VNNI run the code of avx2.

DATA ones<>+0(SB)/8, $0x0101010101010101
GLOBL ones<>(SB), RODATA|NOPTR, $8

DATA halves<>+0(SB)/8, $0x8080808080808080
GLOBL halves<>(SB), RODATA|NOPTR, $8

#define START VPXOR X0, X0, X0

#define DOT_WORDS(x, y) VPDPWSSD y, x, Z0
#define L2_WORDS(x, y) VPSUBW y, x, x; VPDPWSSD x, x, Z0
#define COSINE_WORDS(x, y) VPDPWSSD y, x, Z0; VPDPWSSD x, x, Z1; VPDPWSSD y, y, Z2

#define DOT_I8(x, y, a, b) VPXORD Z31, x, Z28; VPDPBUSD y, Z28, a; VPDPBUSD y, Z30, b
#define DOT_U8(x, y, a, b) VPXORD Z31, y, Z28; VPDPBUSD Z28, x, a; VPDPBUSD Z30, x, b

// The sizes of the differences, and their squares as DOT_U8.
#define L2_I8(x, y, a, b) \
	VPMAXSB y, x, Z28      \
	VPMINSB y, x, Z29      \
	VPSUBB Z29, Z28, Z29   \
	DOT_U8(Z29, Z29, a, b)

#define L2_U8(x, y, a, b) \
	VPMAXUB y, x, Z28      \
	VPMINUB y, x, Z29      \
	VPSUBB Z29, Z28, Z29   \
	DOT_U8(Z29, Z29, a, b)

#define COSINE_I8(x, y, a, b, c, d, e) \
	VPXORD Z31, x, Z28   \
	VPXORD Z31, y, Z29   \
	VPDPBUSD y, Z28, a   \
	VPDPBUSD x, Z28, b   \
	VPDPBUSD y, Z29, c   \
	VPDPBUSD x, Z30, d   \
	VPDPBUSD y, Z30, e

#define COSINE_U8(x, y, a, b, c, d, e) \
	VPXORD Z31, x, Z28   \
	VPXORD Z31, y, Z29   \
	VPDPBUSD Z29, x, a   \
	VPDPBUSD Z28, x, b   \
	VPDPBUSD Z29, y, c   \
	VPDPBUSD Z30, x, d   \
	VPDPBUSD Z30, y, e

#define TERMS0(x, y) DOT_I8(x, y, Z0, Z1)
#define TERMS1(x, y) DOT_I8(x, y, Z2, Z3)
#define TERMS2(x, y) DOT_I8(x, y, Z4, Z5)
#define TERMS3(x, y) DOT_I8(x, y, Z6, Z7)
#define WIDEN VPMOVSXBW
#define WORDS DOT_WORDS
#define JOIN JOIN_BYTES(VPSUBD)
#define RESULT RESULT_BYTES(SIGNED)
#define BLOCKS ·dotI8Go(SB)

// func dotI8AVX512(x, y *int8, n int) int64
// Requires: AVX512F, BW, VNNI
//
// Registers: see bytes_avx512_amd64.h. A step is 256 elements; vectors of 32 are left, and one
// under a mask.
TEXT ·dotI8AVX512(SB), NOSPLIT, $0-32
#include "bytes_avx512_amd64.h"

#undef TERMS0
#undef TERMS1
#undef TERMS2
#undef TERMS3
#undef WIDEN
#undef WORDS
#undef JOIN
#undef RESULT
#undef BLOCKS

#define TERMS0(x, y) DOT_U8(x, y, Z0, Z1)
#define TERMS1(x, y) DOT_U8(x, y, Z2, Z3)
#define TERMS2(x, y) DOT_U8(x, y, Z4, Z5)
#define TERMS3(x, y) DOT_U8(x, y, Z6, Z7)
#define WIDEN VPMOVZXBW
#define WORDS DOT_WORDS
#define JOIN JOIN_BYTES(VPADDD)
#define RESULT RESULT_BYTES(UNSIGNED)
#define BLOCKS ·dotU8Go(SB)

// func dotU8AVX512(x, y *uint8, n int) int64
// Requires: AVX512F, BW, VNNI
//
// Registers: see bytes_avx512_amd64.h. A step is 256 elements; vectors of 32 are left, and one
// under a mask.
TEXT ·dotU8AVX512(SB), NOSPLIT, $0-32
#include "bytes_avx512_amd64.h"

#undef TERMS0
#undef TERMS1
#undef TERMS2
#undef TERMS3
#undef WIDEN
#undef WORDS
#undef JOIN
#undef RESULT
#undef BLOCKS

#define TERMS0(x, y) L2_I8(x, y, Z0, Z1)
#define TERMS1(x, y) L2_I8(x, y, Z2, Z3)
#define TERMS2(x, y) L2_I8(x, y, Z4, Z5)
#define TERMS3(x, y) L2_I8(x, y, Z6, Z7)
#define WIDEN VPMOVSXBW
#define WORDS L2_WORDS
#define JOIN JOIN_BYTES(VPADDD)
#define RESULT RESULT_BYTES(UNSIGNED)
#define BLOCKS ·l2I8Go(SB)

// func l2I8AVX512(x, y *int8, n int) int64
// Requires: AVX512F, BW, VNNI
//
// Registers: see bytes_avx512_amd64.h. A step is 256 elements; vectors of 32 are left, and one
// under a mask.
TEXT ·l2I8AVX512(SB), NOSPLIT, $0-32
#include "bytes_avx512_amd64.h"

#undef TERMS0
#undef TERMS1
#undef TERMS2
#undef TERMS3
#undef WIDEN
#undef WORDS
#undef JOIN
#undef RESULT
#undef BLOCKS

#define TERMS0(x, y) L2_U8(x, y, Z0, Z1)
#define TERMS1(x, y) L2_U8(x, y, Z2, Z3)
#define TERMS2(x, y) L2_U8(x, y, Z4, Z5)
#define TERMS3(x, y) L2_U8(x, y, Z6, Z7)
#define WIDEN VPMOVZXBW
#define WORDS L2_WORDS
#define JOIN JOIN_BYTES(VPADDD)
#define RESULT RESULT_BYTES(UNSIGNED)
#define BLOCKS ·l2U8Go(SB)

// func l2U8AVX512(x, y *uint8, n int) int64
// Requires: AVX512F, BW, VNNI
//
// Registers: see bytes_avx512_amd64.h. A step is 256 elements; vectors of 32 are left, and one
// under a mask.
TEXT ·l2U8AVX512(SB), NOSPLIT, $0-32
#include "bytes_avx512_amd64.h"

#undef TERMS0
#undef TERMS1
#undef TERMS2
#undef TERMS3
#undef WIDEN
#undef WORDS
#undef JOIN
#undef RESULT
#undef BLOCKS

#undef START
#define START VPXOR X0, X0, X0; VPXOR X1, X1, X1; VPXOR X2, X2, X2

#define TERMS0(x, y) COSINE_I8(x, y, Z0, Z1, Z2, Z3, Z4)
#define TERMS1(x, y) COSINE_I8(x, y, Z5, Z6, Z7, Z8, Z9)
#define TERMS2 TERMS0
#define TERMS3 TERMS1
#define WIDEN VPMOVSXBW
#define WORDS COSINE_WORDS
#define JOIN JOIN_COSINE_BYTES(VPSUBD, Z4)
#define RESULT RESULT_COSINE_BYTES(VCVTDQ2PD)
#define BLOCKS ·cosineI8Go(SB)

// func cosineI8AVX512(x, y *int8, n int) float32
// Requires: AVX512F, BW, VNNI
//
// Registers: see bytes_avx512_amd64.h. A step is 256 elements; vectors of 32 are left, and one
// under a mask.
TEXT ·cosineI8AVX512(SB), NOSPLIT, $0-28
#include "bytes_avx512_amd64.h"

#undef TERMS0
#undef TERMS1
#undef TERMS2
#undef TERMS3
#undef WIDEN
#undef WORDS
#undef JOIN
#undef RESULT
#undef BLOCKS

#define TERMS0(x, y) COSINE_U8(x, y, Z0, Z1, Z2, Z3, Z4)
#define TERMS1(x, y) COSINE_U8(x, y, Z5, Z6, Z7, Z8, Z9)
#define TERMS2 TERMS0
#define TERMS3 TERMS1
#define WIDEN VPMOVZXBW
#define WORDS COSINE_WORDS
#define JOIN JOIN_COSINE_BYTES(VPADDD, Z3)
#define RESULT RESULT_COSINE_BYTES(VCVTUDQ2PD)
#define BLOCKS ·cosineU8Go(SB)

// func cosineU8AVX512(x, y *uint8, n int) float32
// Requires: AVX512F, BW, VNNI
//
// Registers: see bytes_avx512_amd64.h. A step is 256 elements; vectors of 32 are left, and one
// under a mask.
TEXT ·cosineU8AVX512(SB), NOSPLIT, $0-28
#include "bytes_avx512_amd64.h"

#undef TERMS0
#undef TERMS1
#undef TERMS2
#undef TERMS3
#undef WIDEN
#undef WORDS
#undef JOIN
#undef RESULT
#undef BLOCKS

#undef START

// The counts of bits have the body bits_avx512_amd64.h. Processors without VPOPCNTDQ run the code
// of avx2.

#define TERMS(x, y) VPXORQ y, x, x; VPOPCNTQ x, x; VPADDQ x, Z0, Z0
#define RESULT RESULT_HAMMING
#define BLOCKS ·hammingBitsGo(SB)

// func hammingBitsAVX512(x, y *uint64, n int) int64
// Requires: AVX512F, VPOPCNTDQ
//
// Registers: see bits_avx512_amd64.h. A step is 8 words; the rest is taken under a mask.
TEXT ·hammingBitsAVX512(SB), NOSPLIT, $0-32
#include "bits_avx512_amd64.h"

#undef TERMS
#undef RESULT
#undef BLOCKS
#define TERMS(x, y) \
	VPANDQ y, x, Z8     \
	VPORQ y, x, x       \
	VPOPCNTQ Z8, Z8     \
	VPOPCNTQ x, x       \
	VPADDQ Z8, Z0, Z0   \
	VPADDQ x, Z1, Z1
#define RESULT RESULT_JACCARD
#define BLOCKS ·jaccardBitsGo(SB)

// func jaccardBitsAVX512(x, y *uint64, n int) (both, either int64)
// Requires: AVX512F, VPOPCNTDQ
//
// Registers: see bits_avx512_amd64.h. A step is 8 words; the rest is taken under a mask.
TEXT ·jaccardBitsAVX512(SB), NOSPLIT, $0-40
#include "bits_avx512_amd64.h"

#undef TERMS
#undef RESULT
#undef BLOCKS

// The kernels of F16 have the body compare_avx512_amd64.h, too, and those of BF16 have
// bf16_avx512_amd64.h with the same macros but for loads.

#define MASK LEAL LANES(DX), CX; MOVL $1, AX; SHLL CX, AX; DECL AX; KMOVW AX, K1
#define LANES 16
#define XSIZE 2
#define YSIZE 2
#define MUL VMULPS
#define FMA VFMADD231PS
#define ADD VADDPS

// One sum, +0 where there is no element.
#define START_ONE \
	XORL AX, AX                    \
	MOVL $0x80000000, CX           \
	CMPQ n+16(FP), $0           \
	CMOVLNE CX, AX                 \
	VPBROADCASTD AX, Z0            \
	VMOVAPS Z0, Z1                 \
	VMOVAPS Z0, Z2                 \
	VMOVAPS Z0, Z3

#define F16(m, z) VCVTPH2PS m, z
#define F16_K1(m, z) VCVTPH2PS.Z m, K1, z
#define BF16(m, z) VPMOVZXWD m, z; VPSLLD $16, z, z
#define BF16_K1(m, z) VPMOVZXWD.Z m, K1, z; VPSLLD $16, z, z

#define FIRST(x, y, a, b, c) MUL y, x, a
#define TERMS(x, y, a, b, c) FMA y, x, a
#define TERMS_K1(x, y, a, b, c) FMA y, x, K1, a
#define START START_ONE
#define RESULT RESULT_F32

#define LOADX F16
#define LOADY F16
#define LOADX_K1 F16_K1
#define LOADY_K1 F16_K1
#define BLOCKS ·dotF16Go(SB)

// func dotF16AVX512(x, y *F16, n int) float32
// Requires: AVX512F
//
// Registers: see compare_avx512_amd64.h. A step is 64 elements, four vectors of 16; up to three
// vectors are left, and one under a mask.
TEXT ·dotF16AVX512(SB), NOSPLIT, $0-28
#include "compare_avx512_amd64.h"

#undef BLOCKS
#undef LOADX
#undef LOADY
#undef LOADX_K1
#undef LOADY_K1

#undef RESULT
#define RESULT RESULT_BF16
#define BLOCKS ·dotBF16Go(SB)

// func dotBF16AVX512(x, y *BF16, n int) float32
// Requires: AVX512F, BW
//
// Registers: see bf16_avx512_amd64.h. A step is 64 elements, two vectors of 32; up to one vector is
// left, and one under a mask.
TEXT ·dotBF16AVX512(SB), NOSPLIT, $0-28
#include "bf16_avx512_amd64.h"

#undef BLOCKS
#undef RESULT
#define RESULT RESULT_F32
#undef FIRST
#undef TERMS
#undef TERMS_K1

#define FIRST(x, y, a, b, c) VSUBPS y, x, x; MUL x, x, a
#define TERMS(x, y, a, b, c) VSUBPS y, x, x; FMA x, x, a
#define TERMS_K1(x, y, a, b, c) VSUBPS y, x, x; FMA x, x, K1, a

#define LOADX F16
#define LOADY F16
#define LOADX_K1 F16_K1
#define LOADY_K1 F16_K1
#define BLOCKS ·l2F16Go(SB)

// func l2F16AVX512(x, y *F16, n int) float32
// Requires: AVX512F
//
// Registers: see compare_avx512_amd64.h. A step is 64 elements, four vectors of 16; up to three
// vectors are left, and one under a mask.
TEXT ·l2F16AVX512(SB), NOSPLIT, $0-28
#include "compare_avx512_amd64.h"

#undef BLOCKS
#undef LOADX
#undef LOADY
#undef LOADX_K1
#undef LOADY_K1

#undef RESULT
#define RESULT RESULT_BF16
#define BLOCKS ·l2BF16Go(SB)

// func l2BF16AVX512(x, y *BF16, n int) float32
// Requires: AVX512F, BW
//
// Registers: see bf16_avx512_amd64.h. A step is 64 elements, two vectors of 32; up to one vector is
// left, and one under a mask.
TEXT ·l2BF16AVX512(SB), NOSPLIT, $0-28
#include "bf16_avx512_amd64.h"

#undef BLOCKS
#undef RESULT
#define RESULT RESULT_F32
#undef FIRST
#undef TERMS
#undef TERMS_K1
#undef START
#undef RESULT

#define FIRST(x, y, a, b, c) MUL y, x, a; MUL x, x, b; MUL y, y, c
#define TERMS(x, y, a, b, c) FMA y, x, a; FMA x, x, b; FMA y, y, c
#define TERMS_K1(x, y, a, b, c) FMA y, x, K1, a; FMA x, x, K1, b; FMA y, y, K1, c
#define START VBROADCASTSS minus0F32<>(SB), Z0; START_COSINE
#define RESULT RESULT_COSINE_F32

#define LOADX F16
#define LOADY F16
#define LOADX_K1 F16_K1
#define LOADY_K1 F16_K1
#define BLOCKS ·cosineF16Go(SB)

// func cosineF16AVX512(x, y *F16, n int) float32
// Requires: AVX512F
//
// Registers: see compare_avx512_amd64.h. A step is 64 elements, four vectors of 16; up to three
// vectors are left, and one under a mask.
TEXT ·cosineF16AVX512(SB), NOSPLIT, $0-28
#include "compare_avx512_amd64.h"

#undef BLOCKS
#undef LOADX
#undef LOADY
#undef LOADX_K1
#undef LOADY_K1

#undef RESULT
#define RESULT RESULT_COSINE_BF16
#define BLOCKS ·cosineBF16Go(SB)

// func cosineBF16AVX512(x, y *BF16, n int) float32
// Requires: AVX512F, BW
//
// Registers: see bf16_avx512_amd64.h. A step is 64 elements, two vectors of 32; up to one vector is
// left, and one under a mask.
TEXT ·cosineBF16AVX512(SB), NOSPLIT, $0-28
#include "bf16_avx512_amd64.h"

#undef BLOCKS
#undef FIRST
#undef TERMS
#undef TERMS_K1
#undef START
#undef RESULT

#undef MASK
#undef LANES
#undef XSIZE
#undef YSIZE
#undef MUL
#undef FMA
#undef ADD

// The kernels of float32 and a small type have the body compare_avx512_amd64.h, too.

#define MASK LEAL LANES(DX), CX; MOVL $1, AX; SHLL CX, AX; DECL AX; KMOVW AX, K1
#define LANES 16
#define XSIZE 4
#define MUL VMULPS
#define FMA VFMADD231PS
#define ADD VADDPS
#define LOADX(m, z) VMOVUPS m, z
#define LOADX_K1(m, z) VMOVUPS.Z m, K1, z

#define I8(m, z) VPMOVSXBD m, z; VCVTDQ2PS z, z
#define I8_K1(m, z) VPMOVSXBD.Z m, K1, z; VCVTDQ2PS z, z
#define U8(m, z) VPMOVZXBD m, z; VCVTDQ2PS z, z
#define U8_K1(m, z) VPMOVZXBD.Z m, K1, z; VCVTDQ2PS z, z

#define FIRST(x, y, a, b, c) MUL y, x, a
#define TERMS(x, y, a, b, c) FMA y, x, a
#define TERMS_K1(x, y, a, b, c) FMA y, x, K1, a
#define START START_ONE
#define RESULT RESULT_F32

#define YSIZE 2

#define LOADY F16
#define LOADY_K1 F16_K1
#define BLOCKS ·dotF32F16Go(SB)

// func dotF32F16AVX512(x *float32, y *F16, n int) float32
// Requires: AVX512F
//
// Registers: see compare_avx512_amd64.h. A step is 64 elements, four vectors of 16; up to three
// vectors are left, and one under a mask.
TEXT ·dotF32F16AVX512(SB), NOSPLIT, $0-28
#include "compare_avx512_amd64.h"

#undef BLOCKS
#undef LOADY
#undef LOADY_K1

#define LOADY BF16
#define LOADY_K1 BF16_K1
#define BLOCKS ·dotF32BF16Go(SB)

// func dotF32BF16AVX512(x *float32, y *BF16, n int) float32
// Requires: AVX512F
//
// Registers: see compare_avx512_amd64.h. A step is 64 elements, four vectors of 16; up to three
// vectors are left, and one under a mask.
TEXT ·dotF32BF16AVX512(SB), NOSPLIT, $0-28
#include "compare_avx512_amd64.h"

#undef BLOCKS
#undef LOADY
#undef LOADY_K1

#undef YSIZE

#define YSIZE 1

#define LOADY I8
#define LOADY_K1 I8_K1
#define BLOCKS ·dotF32I8Go(SB)

// func dotF32I8AVX512(x *float32, y *int8, n int) float32
// Requires: AVX512F
//
// Registers: see compare_avx512_amd64.h. A step is 64 elements, four vectors of 16; up to three
// vectors are left, and one under a mask.
TEXT ·dotF32I8AVX512(SB), NOSPLIT, $0-28
#include "compare_avx512_amd64.h"

#undef BLOCKS
#undef LOADY
#undef LOADY_K1

#define LOADY U8
#define LOADY_K1 U8_K1
#define BLOCKS ·dotF32U8Go(SB)

// func dotF32U8AVX512(x *float32, y *uint8, n int) float32
// Requires: AVX512F
//
// Registers: see compare_avx512_amd64.h. A step is 64 elements, four vectors of 16; up to three
// vectors are left, and one under a mask.
TEXT ·dotF32U8AVX512(SB), NOSPLIT, $0-28
#include "compare_avx512_amd64.h"

#undef BLOCKS
#undef LOADY
#undef LOADY_K1

#undef YSIZE

#undef FIRST
#undef TERMS
#undef TERMS_K1
#undef START
#undef RESULT

#define FIRST(x, y, a, b, c) VSUBPS y, x, x; MUL x, x, a
#define TERMS(x, y, a, b, c) VSUBPS y, x, x; FMA x, x, a
#define TERMS_K1(x, y, a, b, c) VSUBPS y, x, x; FMA x, x, K1, a
#define START START_ONE
#define RESULT RESULT_F32

#define YSIZE 2

#define LOADY F16
#define LOADY_K1 F16_K1
#define BLOCKS ·l2F32F16Go(SB)

// func l2F32F16AVX512(x *float32, y *F16, n int) float32
// Requires: AVX512F
//
// Registers: see compare_avx512_amd64.h. A step is 64 elements, four vectors of 16; up to three
// vectors are left, and one under a mask.
TEXT ·l2F32F16AVX512(SB), NOSPLIT, $0-28
#include "compare_avx512_amd64.h"

#undef BLOCKS
#undef LOADY
#undef LOADY_K1

#define LOADY BF16
#define LOADY_K1 BF16_K1
#define BLOCKS ·l2F32BF16Go(SB)

// func l2F32BF16AVX512(x *float32, y *BF16, n int) float32
// Requires: AVX512F
//
// Registers: see compare_avx512_amd64.h. A step is 64 elements, four vectors of 16; up to three
// vectors are left, and one under a mask.
TEXT ·l2F32BF16AVX512(SB), NOSPLIT, $0-28
#include "compare_avx512_amd64.h"

#undef BLOCKS
#undef LOADY
#undef LOADY_K1

#undef YSIZE

#define YSIZE 1

#define LOADY I8
#define LOADY_K1 I8_K1
#define BLOCKS ·l2F32I8Go(SB)

// func l2F32I8AVX512(x *float32, y *int8, n int) float32
// Requires: AVX512F
//
// Registers: see compare_avx512_amd64.h. A step is 64 elements, four vectors of 16; up to three
// vectors are left, and one under a mask.
TEXT ·l2F32I8AVX512(SB), NOSPLIT, $0-28
#include "compare_avx512_amd64.h"

#undef BLOCKS
#undef LOADY
#undef LOADY_K1

#define LOADY U8
#define LOADY_K1 U8_K1
#define BLOCKS ·l2F32U8Go(SB)

// func l2F32U8AVX512(x *float32, y *uint8, n int) float32
// Requires: AVX512F
//
// Registers: see compare_avx512_amd64.h. A step is 64 elements, four vectors of 16; up to three
// vectors are left, and one under a mask.
TEXT ·l2F32U8AVX512(SB), NOSPLIT, $0-28
#include "compare_avx512_amd64.h"

#undef BLOCKS
#undef LOADY
#undef LOADY_K1

#undef YSIZE

#undef FIRST
#undef TERMS
#undef TERMS_K1
#undef START
#undef RESULT

#define FIRST(x, y, a, b, c) MUL y, x, a; MUL x, x, b; MUL y, y, c
#define TERMS(x, y, a, b, c) FMA y, x, a; FMA x, x, b; FMA y, y, c
#define TERMS_K1(x, y, a, b, c) FMA y, x, K1, a; FMA x, x, K1, b; FMA y, y, K1, c
#define START VBROADCASTSS minus0F32<>(SB), Z0; START_COSINE
#define RESULT RESULT_COSINE_F32

#define YSIZE 2

#define LOADY F16
#define LOADY_K1 F16_K1
#define BLOCKS ·cosineF32F16Go(SB)

// func cosineF32F16AVX512(x *float32, y *F16, n int) float32
// Requires: AVX512F
//
// Registers: see compare_avx512_amd64.h. A step is 64 elements, four vectors of 16; up to three
// vectors are left, and one under a mask.
TEXT ·cosineF32F16AVX512(SB), NOSPLIT, $0-28
#include "compare_avx512_amd64.h"

#undef BLOCKS
#undef LOADY
#undef LOADY_K1

#define LOADY BF16
#define LOADY_K1 BF16_K1
#define BLOCKS ·cosineF32BF16Go(SB)

// func cosineF32BF16AVX512(x *float32, y *BF16, n int) float32
// Requires: AVX512F
//
// Registers: see compare_avx512_amd64.h. A step is 64 elements, four vectors of 16; up to three
// vectors are left, and one under a mask.
TEXT ·cosineF32BF16AVX512(SB), NOSPLIT, $0-28
#include "compare_avx512_amd64.h"

#undef BLOCKS
#undef LOADY
#undef LOADY_K1

#undef YSIZE

#define YSIZE 1

#define LOADY I8
#define LOADY_K1 I8_K1
#define BLOCKS ·cosineF32I8Go(SB)

// func cosineF32I8AVX512(x *float32, y *int8, n int) float32
// Requires: AVX512F
//
// Registers: see compare_avx512_amd64.h. A step is 64 elements, four vectors of 16; up to three
// vectors are left, and one under a mask.
TEXT ·cosineF32I8AVX512(SB), NOSPLIT, $0-28
#include "compare_avx512_amd64.h"

#undef BLOCKS
#undef LOADY
#undef LOADY_K1

#define LOADY U8
#define LOADY_K1 U8_K1
#define BLOCKS ·cosineF32U8Go(SB)

// func cosineF32U8AVX512(x *float32, y *uint8, n int) float32
// Requires: AVX512F
//
// Registers: see compare_avx512_amd64.h. A step is 64 elements, four vectors of 16; up to three
// vectors are left, and one under a mask.
TEXT ·cosineF32U8AVX512(SB), NOSPLIT, $0-28
#include "compare_avx512_amd64.h"

#undef BLOCKS
#undef LOADY
#undef LOADY_K1

#undef YSIZE

#undef FIRST
#undef TERMS
#undef TERMS_K1
#undef START
#undef RESULT

#undef MASK
#undef LANES
#undef XSIZE
#undef MUL
#undef FMA
#undef ADD
#undef LOADX
#undef LOADX_K1

// The kernels of integers of four bits have the body bytes_avx512_amd64.h. With 8 added, which
// flips the first bit, they are unsigned.

DATA flips<>+0(SB)/8, $0x8888888888888888
GLOBL flips<>(SB), RODATA|NOPTR, $8

DATA lowHalves<>+0(SB)/8, $0x0f0f0f0f0f0f0f0f
GLOBL lowHalves<>(SB), RODATA|NOPTR, $8

DATA highHalves<>+0(SB)/8, $0xf0f0f0f0f0f0f0f0
GLOBL highHalves<>(SB), RODATA|NOPTR, $8

#define START VPXOR X0, X0, X0

// Those of x with 8 added by 16 times those of y to a, the latter to b.
#define DOT_I4(x, y, a, b) \
	VPXORQ.BCST flips<>(SB), x, x           \
	VPSRLW $4, x, Z28                       \
	VPANDQ.BCST lowHalves<>(SB), Z28, Z28   \
	VPANDQ.BCST lowHalves<>(SB), x, x       \
	VPANDQ.BCST highHalves<>(SB), y, Z29    \
	VPSLLW $4, y, y                         \
	VPANDQ.BCST highHalves<>(SB), y, y      \
	VPDPBUSD Z29, Z28, a                    \
	VPDPBUSD y, x, a                        \
	VPDPBUSD Z29, Z30, b                    \
	VPDPBUSD y, Z30, b

#define L2_I4(x, y, a, b) \
	VPXORQ.BCST flips<>(SB), x, x           \
	VPXORQ.BCST flips<>(SB), y, y           \
	VPSRLW $4, x, Z28                       \
	VPSRLW $4, y, Z29                       \
	VPANDQ.BCST lowHalves<>(SB), Z28, Z28   \
	VPANDQ.BCST lowHalves<>(SB), Z29, Z29   \
	VPANDQ.BCST lowHalves<>(SB), x, x       \
	VPANDQ.BCST lowHalves<>(SB), y, y       \
	VPSUBB Z29, Z28, Z28                    \
	VPSUBB y, x, x                          \
	VPABSB Z28, Z28                         \
	VPABSB x, x                             \
	VPDPBUSD Z28, Z28, a                    \
	VPDPBUSD x, x, b

// The second of each pair of words, and the first.
#define DOT_I4_WORDS(x, y) \
	VPSRAW $4, x, Z28      \
	VPSRAW $4, y, Z29      \
	VPSLLW $12, x, x       \
	VPSLLW $12, y, y       \
	VPSRAW $12, x, x       \
	VPSRAW $12, y, y       \
	VPDPWSSD Z29, Z28, Z0  \
	VPDPWSSD y, x, Z0

#define L2_I4_WORDS(x, y) \
	VPSRAW $4, x, Z28      \
	VPSRAW $4, y, Z29      \
	VPSLLW $12, x, x       \
	VPSLLW $12, y, y       \
	VPSRAW $12, x, x       \
	VPSRAW $12, y, y       \
	VPSUBW Z29, Z28, Z28   \
	VPSUBW y, x, x         \
	VPDPWSSD Z28, Z28, Z0  \
	VPDPWSSD x, x, Z0

// The sums a in Z0, Z2, Z4 and Z6, and b in Z1, Z3, Z5 and Z7.
#define JOIN_I4 \
	VPADDD Z2, Z0, Z0   \
	VPADDD Z3, Z1, Z1   \
	VPADDD Z6, Z4, Z4   \
	VPADDD Z7, Z5, Z5   \
	VPADDD Z4, Z0, Z0   \
	VPADDD Z5, Z1, Z1

#define WIDEN VPMOVSXBW

#define TERMS0(x, y) DOT_I4(x, y, Z0, Z1)
#define TERMS1(x, y) DOT_I4(x, y, Z2, Z3)
#define TERMS2(x, y) DOT_I4(x, y, Z4, Z5)
#define TERMS3(x, y) DOT_I4(x, y, Z6, Z7)
#define WORDS DOT_I4_WORDS
#define JOIN JOIN_I4; VPSLLD $3, Z1, Z1; VPSUBD Z1, Z0, Z0; VPSRAD $4, Z0, Z0
#define RESULT RESULT_BYTES(SIGNED)
#define BLOCKS ·dotI4Go(SB)

// func dotI4AVX512(x, y *I4x2, n int) int64
// Requires: AVX512F, BW, VNNI
//
// Registers: see bytes_avx512_amd64.h. A step is 256 pairs; vectors of 32 are left, and one
// under a mask.
TEXT ·dotI4AVX512(SB), NOSPLIT, $0-32
#include "bytes_avx512_amd64.h"

#undef TERMS0
#undef TERMS1
#undef TERMS2
#undef TERMS3
#undef WORDS
#undef JOIN
#undef RESULT
#undef BLOCKS

#define TERMS0(x, y) L2_I4(x, y, Z0, Z1)
#define TERMS1(x, y) L2_I4(x, y, Z2, Z3)
#define TERMS2(x, y) L2_I4(x, y, Z4, Z5)
#define TERMS3(x, y) L2_I4(x, y, Z6, Z7)
#define WORDS L2_I4_WORDS
#define JOIN JOIN_I4; VPADDD Z1, Z0, Z0
#define RESULT RESULT_BYTES(UNSIGNED)
#define BLOCKS ·l2I4Go(SB)

// func l2I4AVX512(x, y *I4x2, n int) int64
// Requires: AVX512F, BW, VNNI
//
// Registers: see bytes_avx512_amd64.h. A step is 256 pairs; vectors of 32 are left, and one
// under a mask.
TEXT ·l2I4AVX512(SB), NOSPLIT, $0-32
#include "bytes_avx512_amd64.h"

#undef TERMS0
#undef TERMS1
#undef TERMS2
#undef TERMS3
#undef WORDS
#undef JOIN
#undef RESULT
#undef BLOCKS

#undef WIDEN
#undef START

// Conversions: SI, DI: src, dst; DX: numbers left, a multiple of 16.

// func f16FromF32AVX512(dst []F16, src []float32)
// Requires: AVX512F
//
// Registers: see above. A step is 16 numbers; there is no rest.
TEXT ·f16FromF32AVX512(SB), NOSPLIT, $0-48
	MOVQ dst_base+0(FP), DI
	MOVQ src_base+24(FP), SI
	MOVQ src_len+32(FP), DX
	SUBQ $16, DX
	JLT done

loop:
	VMOVUPS (SI), Z0
	VCVTPS2PH $0, Z0, (DI)
	ADDQ $64, SI
	ADDQ $32, DI
	SUBQ $16, DX
	JGE loop

done:
	VZEROUPPER
	RET

// func f32FromF16AVX512(dst []float32, src []F16)
// Requires: AVX512F
//
// Registers: see above. A step is 16 numbers; there is no rest.
TEXT ·f32FromF16AVX512(SB), NOSPLIT, $0-48
	MOVQ dst_base+0(FP), DI
	MOVQ src_base+24(FP), SI
	MOVQ src_len+32(FP), DX
	SUBQ $16, DX
	JLT done

loop:
	VCVTPH2PS (SI), Z0
	VMOVUPS Z0, (DI)
	ADDQ $32, SI
	ADDQ $64, DI
	SUBQ $16, DX
	JGE loop

done:
	VZEROUPPER
	RET

// func bF16FromF32AVX512(dst []BF16, src []float32)
// Requires: AVX512F
//
// Registers: see above. A step is 16 numbers; there is no rest.
TEXT ·bF16FromF32AVX512(SB), NOSPLIT, $0-48
	MOVQ dst_base+0(FP), DI
	MOVQ src_base+24(FP), SI
	MOVQ src_len+32(FP), DX
	SUBQ $16, DX
	JLT done
	MOVL $0x7fff, AX
	VPBROADCASTD AX, Z4
	MOVL $1, AX
	VPBROADCASTD AX, Z5
	MOVL $0x40, AX
	VPBROADCASTD AX, Z6

loop:
	VMOVUPS (SI), Z0
	VPSRLD $16, Z0, Z1
	VPORD Z6, Z1, Z3 // a NaN made quiet
	VCMPPS $3, Z0, Z0, K1
	VPANDD Z5, Z1, Z2
	VPADDD Z4, Z2, Z2
	VPADDD Z0, Z2, Z2 // rounded
	VPSRLD $16, Z2, Z2
	VMOVDQA32 Z3, K1, Z2
	VPMOVDW Z2, (DI)
	ADDQ $64, SI
	ADDQ $32, DI
	SUBQ $16, DX
	JGE loop

done:
	VZEROUPPER
	RET

// func f32FromBF16AVX512(dst []float32, src []BF16)
// Requires: AVX512F
//
// Registers: see above. A step is 16 numbers; there is no rest.
TEXT ·f32FromBF16AVX512(SB), NOSPLIT, $0-48
	MOVQ dst_base+0(FP), DI
	MOVQ src_base+24(FP), SI
	MOVQ src_len+32(FP), DX
	SUBQ $16, DX
	JLT done

loop:
	BF16((SI), Z0)
	VMOVUPS Z0, (DI)
	ADDQ $32, SI
	ADDQ $64, DI
	SUBQ $16, DX
	JGE loop

done:
	VZEROUPPER
	RET

// Quantizers: SI, DI: src, dst; DX: numbers left, a multiple of 16, or of 64 for bits of signs.

DATA finite<>+0(SB)/4, $0x7f7fffff
GLOBL finite<>(SB), RODATA|NOPTR, $4

DATA sizes<>+0(SB)/4, $0x7fffffff
GLOBL sizes<>(SB), RODATA|NOPTR, $4

DATA highest<>+0(SB)/4, $0x42fe0000 // 127
GLOBL highest<>(SB), RODATA|NOPTR, $4

DATA lowest<>+0(SB)/4, $0xc2fe0000
GLOBL lowest<>(SB), RODATA|NOPTR, $4

// func scaleI8AVX512(x []float32) float32
// Requires: AVX512F
//
// Registers: see above; Z0: the largest sizes, as integers; Z14, Z15: the largest finite number,
// all bits but the sign. A step is 16 numbers; there is no rest.
TEXT ·scaleI8AVX512(SB), NOSPLIT, $0-28
	MOVQ x_base+0(FP), SI
	MOVQ x_len+8(FP), DX
	VPBROADCASTD finite<>(SB), Z14
	VPBROADCASTD sizes<>(SB), Z15
	VPXOR X0, X0, X0
	SUBQ $16, DX
	JLT done

loop:
	VPANDD (SI), Z15, Z1
	VPCMPD $2, Z14, Z1, K1 // finite
	VPMAXSD Z1, Z0, K1, Z0
	ADDQ $64, SI
	SUBQ $16, DX
	JGE loop

done:
	VEXTRACTI64X4 $1, Z0, Y1
	VPMAXSD Y1, Y0, Y0
	VEXTRACTI128 $1, Y0, X1
	VPMAXSD X1, X0, X0
	VPSHUFD $0x4e, X0, X1
	VPMAXSD X1, X0, X0
	VPSHUFD $0xb1, X0, X1
	VPMAXSD X1, X0, X0
	VMOVSS X0, ret+24(FP)
	VZEROUPPER
	RET

// func quantizeI8AVX512(dst []int8, src []float32, scale float32)
// Requires: AVX512F
//
// Registers: see above; Z13-Z15: the scale, 127, −127. A step is 16 numbers; there is no rest.
TEXT ·quantizeI8AVX512(SB), NOSPLIT, $0-52
	MOVQ dst_base+0(FP), DI
	MOVQ src_base+24(FP), SI
	MOVQ src_len+32(FP), DX
	VBROADCASTSS scale+48(FP), Z13
	VBROADCASTSS highest<>(SB), Z14
	VBROADCASTSS lowest<>(SB), Z15
	SUBQ $16, DX
	JLT done

loop:
	VMOVUPS (SI), Z0
	VDIVPS Z13, Z0, Z0
	VCMPPS $7, Z0, Z0, K1 // no NaN
	VMINPS Z14, Z0, Z0
	VMAXPS Z15, Z0, Z0
	VCVTPS2DQ.Z Z0, K1, Z0
	VPMOVDB Z0, (DI)
	ADDQ $64, SI
	ADDQ $16, DI
	SUBQ $16, DX
	JGE loop

done:
	VZEROUPPER
	RET

// func dequantizeI8AVX512(dst []float32, src []int8, scale float32)
// Requires: AVX512F
//
// Registers: see above; Z13: the scale. A step is 16 numbers; there is no rest.
TEXT ·dequantizeI8AVX512(SB), NOSPLIT, $0-52
	MOVQ dst_base+0(FP), DI
	MOVQ src_base+24(FP), SI
	MOVQ src_len+32(FP), DX
	VBROADCASTSS scale+48(FP), Z13
	SUBQ $16, DX
	JLT done

loop:
	I8((SI), Z0)
	VMULPS Z13, Z0, Z0
	VMOVUPS Z0, (DI)
	ADDQ $16, SI
	ADDQ $64, DI
	SUBQ $16, DX
	JGE loop

done:
	VZEROUPPER
	RET

// func signBitsAVX512(dst []uint64, src []float32)
// Requires: AVX512F, BW
//
// Registers: see above; Z15: zeros. A step is 64 numbers; there is no rest.
TEXT ·signBitsAVX512(SB), NOSPLIT, $0-48
	MOVQ dst_base+0(FP), DI
	MOVQ src_base+24(FP), SI
	MOVQ src_len+32(FP), DX
	VXORPS X15, X15, X15
	SUBQ $64, DX
	JLT done

loop:
	VCMPPS $1, (SI), Z15, K1 // 0 < number
	VCMPPS $1, 64(SI), Z15, K2
	VCMPPS $1, 128(SI), Z15, K3
	VCMPPS $1, 192(SI), Z15, K4
	KUNPCKWD K1, K2, K1
	KUNPCKWD K3, K4, K3
	KUNPCKDQ K1, K3, K1
	KMOVQ K1, (DI)
	ADDQ $256, SI
	ADDQ $8, DI
	SUBQ $64, DX
	JGE loop

done:
	VZEROUPPER
	RET
