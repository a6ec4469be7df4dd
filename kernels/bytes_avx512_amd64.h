// The body of dot products and squared distances of bytes: exact sums, in any order. WIDEN makes
// words of 32 bytes; WORDS(x, y) adds the terms of two vectors of words to Z0. TERMS(x, y, a, b) adds
// the terms of 64 bytes to the sums a and b; JOIN makes the sum of the terms of them in Z0 and Z1.
// EXTEND extends the result in AX. x and y may be changed; Z28 and Z29 are temporaries.
//
// Fewer than 128 bytes are widened to words, which takes twice as many iterations but no sums that
// make up for a bias: on Zen 5, 96 bytes take 0.7 to 0.8 of the time.
//
// Registers: Z0: the sum; Z0, Z2, Z4, Z6: the sums a of the loop; Z1, Z3, Z5, Z7: the sums b; Z20-Z27:
// elements; K1: the bytes of the last vector.

#define xNext SI  // next bytes of x
#define yNext DI  // next bytes of y
#define left  DX  // bytes left
#define one   Z30 // bytes 1
#define half  Z31 // bytes 128

// Returns the sum of the 16 elements of Z0, halved four times.
#define RESULT \
	VEXTRACTI64X4 $1, Z0, Y1; VPADDD Y1, Y0, Y0; VEXTRACTI128 $1, Y0, X1; VPADDD X1, X0, X0; \
	VPSHUFD $0x4e, X0, X1; VPADDD X1, X0, X0; VPSHUFD $0xb1, X0, X1; VPADDD X1, X0, X0;      \
	VMOVD X0, AX; EXTEND; MOVQ AX, ret+24(FP); VZEROUPPER; RET

	MOVQ x+0(FP), xNext // load the arguments
	MOVQ n+16(FP), left
	MOVQ y+8(FP), yNext
	VPXOR X0, X0, X0
	CMPQ left, $128
	JGE many
	SUBQ $32, left
	JLT last
	WIDEN (xNext), Z20 // sum += terms of bytes 0-31
	WIDEN (yNext), Z24
	WORDS(Z20, Z24)
	SUBQ $32, left
	JLT last1
	WIDEN 32(xNext), Z21 // of bytes 32-63
	WIDEN 32(yNext), Z25
	WORDS(Z21, Z25)
	SUBQ $32, left
	JLT last2
	WIDEN 64(xNext), Z22 // of bytes 64-95
	WIDEN 64(yNext), Z26
	WORDS(Z22, Z26)
	JEQ words
	ADDQ $96, xNext
	ADDQ $96, yNext
	SUBQ $32, left

last: // left+32 bytes, fewer than 32
	ADDQ $32, left
	JEQ words
	MOVL $1, AX // K1 = the bytes left
	MOVL left, CX
	SHLL CX, AX
	DECL AX
	KMOVD AX, K1
	WIDEN.Z (xNext), K1, Z20 // sum += terms of these bytes; zeros add nothing
	WIDEN.Z (yNext), K1, Z24
	WORDS(Z20, Z24)

words:
	RESULT
	PCALIGN $32

last1:
	ADDQ $32, xNext
	ADDQ $32, yNext
	JMP last

last2:
	ADDQ $64, xNext
	ADDQ $64, yNext
	JMP last
	PCALIGN $32

many: // 128 bytes or more
	CMPQ DX, $const_blockLen
	JGT long
	VPBROADCASTQ ones<>(SB), one
	VPBROADCASTQ halves<>(SB), half
	VPXOR X1, X1, X1 // all sums = 0
	VPXOR X2, X2, X2
	VPXOR X3, X3, X3
	VPXOR X4, X4, X4
	VPXOR X5, X5, X5
	VPXOR X6, X6, X6
	VPXOR X7, X7, X7
	VPXOR X8, X8, X8 // not used
	VPXOR X9, X9, X9
	SUBQ $256, left
	JLT tail
	PREEMPTED(stop)
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
	TERMS(Z20, Z24, Z0, Z1) // by vector
	TERMS(Z21, Z25, Z2, Z3)
	TERMS(Z22, Z26, Z4, Z5)
	TERMS(Z23, Z27, Z6, Z7)
	ADDQ $256, xNext
	ADDQ $256, yNext
	SUBQ $256, left
	JGE loop

tail: // fewer than four vectors
	ADDQ $(256-64), left
	JLT part

vector:
	VMOVDQU64 (xNext), Z20 // sums += terms of 64 bytes
	VMOVDQU64 (yNext), Z24
	TERMS(Z20, Z24, Z0, Z1)
	ADDQ $64, xNext
	ADDQ $64, yNext
	SUBQ $64, left
	JGE vector

part: // left+64 bytes, fewer than 64
	ADDQ $64, left
	JEQ join
	MOVL left, CX // K1 = the bytes left
	NEGL CX
	MOVQ $-1, AX
	SHRQ CX, AX
	KMOVQ AX, K1
	VMOVDQU8.Z (xNext), K1, Z20 // sums += their terms; zeros add nothing
	VMOVDQU8.Z (yNext), K1, Z24
	TERMS(Z20, Z24, Z2, Z3)

join:
	VPADDD Z2, Z0, Z0 // Z0, Z1 = the sums of a and b
	VPADDD Z3, Z1, Z1
	VPADDD Z6, Z4, Z4
	VPADDD Z7, Z5, Z5
	VPADDD Z4, Z0, Z0
	VPADDD Z5, Z1, Z1
	JOIN
	RESULT

stop: // from the start, in Go, which yields
	VZEROUPPER

long: // more than a block: in blocks, in Go
	JMP BLOCKS

#undef xNext
#undef yNext
#undef left
#undef one
#undef half
#undef RESULT
#undef WIDEN
#undef WORDS
#undef TERMS
#undef JOIN
#undef EXTEND
#undef BLOCKS
