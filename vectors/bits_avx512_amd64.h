// The body of the kernels that count bits. TERMS(x, y) adds the bit counts of vectors x and y,
// which may be in memory, to the counts Z0 and, if there are two counts, Z1. RESULT returns the
// counts.
//
// Registers: SI, DI: the next words of x and y; DX: number of remaining words, minus 8; Z0, Z1:
// counts; Z4, Z5: words; K1: mask of the last vector's words.

	MOVQ x+0(FP), SI // load the arguments
	MOVQ n+16(FP), DX
	MOVQ y+8(FP), DI
	VPXOR X0, X0, X0
	VPXOR X1, X1, X1
	CMPQ DX, $64
	JGE atLeast64
	SUBQ $8, DX // counts += counts of words 0-7
	JLT remainder
	VMOVDQU64 (SI), Z4
	TERMS(Z4, (DI))
	JEQ sum
	SUBQ $8, DX // counts += counts of words 8-15
	JLT last
	VMOVDQU64 64(SI), Z5
	TERMS(Z5, 64(DI))
	JEQ sum
	ADDQ $128, SI
	ADDQ $128, DI
	SUBQ $8, DX
	JLT remainder

loop:
	VMOVDQU64 (SI), Z4 // counts += counts of 8 words
	TERMS(Z4, (DI))
	ADDQ $64, SI
	ADDQ $64, DI
	SUBQ $8, DX
	JGE loop

remainder: // DX+8 words remain, fewer than a vector
	ADDQ $8, DX
	JEQ sum
	MOVL $1, AX // K1 = mask of the remaining words
	MOVL DX, CX
	SHLL CX, AX
	DECL AX
	KMOVW AX, K1
	VMOVDQU64.Z (SI), K1, Z4 // counts += counts of these words; zeros have no bits
	VMOVDQU64.Z (DI), K1, Z5
	TERMS(Z4, Z5)

sum:
	RESULT

last: // the remaining words follow words 0-7
	ADDQ $64, SI
	ADDQ $64, DI
	JMP remainder

atLeast64: // if there are at least 64 words
	SUBQ $8, DX
	JMP loop

#undef TERMS
#undef RESULT
