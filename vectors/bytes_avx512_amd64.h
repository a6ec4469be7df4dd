// The body of dot products and squared distances of bytes. The sums are exact, so their order does
// not matter. TERMS(x, y, a, b) adds the terms of 64 bytes to the sums a and b. It uses Z28 and
// Z29, and may overwrite x and y. JOIN sets Z0 to the sums of the terms, given the total of all
// sums a in Z0 and of all sums b in Z1. EXTEND extends the sum, which is in AX, to 64 bits.
// bytes_words_avx512_amd64.h describes WIDEN and WORDS.
//
// Registers: Z0, Z2, Z4, Z6: sums a; Z1, Z3, Z5, Z7: sums b; Z20-Z23: bytes of x; Z24-Z27: bytes of
// y; K1: mask of the bytes of the last vector.

#define CLEAR VPXOR X0, X0, X0
// Returns the sum of the 16 elements of Z0. It adds the upper half to the lower half, four times.
#define RESULT \
	VEXTRACTI64X4 $1, Z0, Y1; VPADDD Y1, Y0, Y0; VEXTRACTI128 $1, Y0, X1; VPADDD X1, X0, X0; \
	VPSHUFD $0x4e, X0, X1; VPADDD X1, X0, X0; VPSHUFD $0xb1, X0, X1; VPADDD X1, X0, X0;      \
	VMOVD X0, AX; EXTEND; MOVQ AX, ret+24(FP); VZEROUPPER; RET

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
	TERMS(Z20, Z24, Z0, Z1) // add the terms of each vector
	TERMS(Z21, Z25, Z2, Z3)
	TERMS(Z22, Z26, Z4, Z5)
	TERMS(Z23, Z27, Z6, Z7)
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
	TERMS(Z20, Z24, Z0, Z1)
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
	TERMS(Z20, Z24, Z2, Z3)

join:
	VPADDD Z2, Z0, Z0 // Z0, Z1 = sums of all a and of all b
	VPADDD Z3, Z1, Z1
	VPADDD Z6, Z4, Z4
	VPADDD Z7, Z5, Z5
	VPADDD Z4, Z0, Z0
	VPADDD Z5, Z1, Z1
	JOIN
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
#undef EXTEND
