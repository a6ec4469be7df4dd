// The body of cosines of bytes. This body is like bytes_avx512_amd64.h, but computes three sums.
// TERMS(x, y, xy, xx, yy, xs, ys) adds the terms of 64 bytes to xy, xx and yy, which have a bias,
// and adds the bytes to xs and ys. JOIN corrects the bias by adding or subtracting 128·xs and
// 128·ys, which are in Z3 and Z4. CONVERT converts integers to float64.
//
// Registers: Z0-Z2: Σ x·y, Σ x·x, Σ y·y; Z3, Z4: Σ x, Σ y; Z5-Z9: the same sums for every second
// vector; Z20-Z23: bytes of x; Z24-Z27: bytes of y; K1: mask of the last vector's bytes.

#define CLEAR VPXOR X0, X0, X0; VPXOR X1, X1, X1; VPXOR X2, X2, X2
// Z0-Z2 += x·y, x·x, y·y.
#define WORDS(x, y) VPDPWSSD y, x, Z0; VPDPWSSD x, x, Z1; VPDPWSSD y, y, Z2

// Returns the cosine xy / √(xx·yy). Elements 0 and 1 of X0 become xx and yy. Elements 2 and 3
// become two parts of xy, which are added in float64.
#define RESULT \
	VPUNPCKLDQ Z2, Z1, Z3; VPUNPCKHDQ Z2, Z1, Z4; VPADDD Z4, Z3, Z3;   \
	VPUNPCKLQDQ Z0, Z3, Z4; VPUNPCKHQDQ Z0, Z3, Z5; VPADDD Z5, Z4, Z0; \
	VEXTRACTI64X4 $1, Z0, Y1; VPADDD Y1, Y0, Y0;                       \
	VEXTRACTI128 $1, Y0, X1; VPADDD X1, X0, X0; CONVERT X0, Y0;        \
	VPERMILPD $1, X0, X3; VMULSD X3, X0, X3; VSQRTSD X3, X3, X4;       \
	VEXTRACTF128 $1, Y0, X2; VPERMILPD $1, X2, X1; VADDSD X1, X2, X2;  \
	QUOTIENT_F32

#include "bytes_words_avx512_amd64.h"

atLeast128: // if there are at least 128 bytes
	VPBROADCASTQ ones<>(SB), one
	VPBROADCASTQ halves<>(SB), half
	VPXOR X1, X1, X1; VPXOR X2, X2, X2; VPXOR X3, X3, X3 // all sums = 0
	VPXOR X4, X4, X4; VPXOR X5, X5, X5; VPXOR X6, X6, X6
	VPXOR X7, X7, X7; VPXOR X8, X8, X8; VPXOR X9, X9, X9
	SUBQ $256, left
	JLT tail
	PCALIGN $64

loop:
	VMOVDQU64 (xNext), Z20 // sums += terms of 256 bytes
	VMOVDQU64 64(xNext), Z21
	VMOVDQU64 128(xNext), Z22
	VMOVDQU64 192(xNext), Z23
	VMOVDQU64 (yNext), Z24
	VMOVDQU64 64(yNext), Z25
	VMOVDQU64 128(yNext), Z26
	VMOVDQU64 192(yNext), Z27
	TERMS(Z20, Z24, Z0, Z1, Z2, Z3, Z4) // add the terms of each vector
	TERMS(Z21, Z25, Z5, Z6, Z7, Z8, Z9)
	TERMS(Z22, Z26, Z0, Z1, Z2, Z3, Z4)
	TERMS(Z23, Z27, Z5, Z6, Z7, Z8, Z9)
	ADDQ $256, xNext
	ADDQ $256, yNext
	SUBQ $256, left
	JGE loop

tail: // fewer than four vectors remain
	ADDQ $(256-64), left
	JLT lastPart

vector:
	VMOVDQU64 (xNext), Z20 // sums += terms of 64 bytes
	VMOVDQU64 (yNext), Z24
	TERMS(Z20, Z24, Z0, Z1, Z2, Z3, Z4)
	ADDQ $64, xNext
	ADDQ $64, yNext
	SUBQ $64, left
	JGE vector

lastPart: // left+64 bytes remain, fewer than a vector
	ADDQ $64, left
	JEQ join
	MOVL left, CX // K1 = mask of the remaining bytes
	NEGL CX
	MOVQ $-1, AX
	SHRQ CX, AX
	KMOVQ AX, K1
	VMOVDQU8.Z (xNext), K1, Z20 // sums += terms of these bytes; zeros add nothing
	VMOVDQU8.Z (yNext), K1, Z24
	TERMS(Z20, Z24, Z5, Z6, Z7, Z8, Z9)

join:
	VPADDD Z5, Z0, Z0 // Z0-Z2 = xy, xx, yy; Z3, Z4 = 128·xs, 128·ys
	VPADDD Z6, Z1, Z1
	VPADDD Z7, Z2, Z2
	VPADDD Z8, Z3, Z3
	VPADDD Z9, Z4, Z4
	VPSLLD $7, Z3, Z3
	VPSLLD $7, Z4, Z4
	JOIN // correct the bias
	RESULT

#undef xNext
#undef yNext
#undef left
#undef one
#undef half
#undef CLEAR
#undef RESULT
#undef WIDEN
#undef WORDS
#undef TERMS
#undef JOIN
#undef CONVERT
