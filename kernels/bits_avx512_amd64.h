// The body of the kernels of kernels_vector_avx512_amd64.s that count bits. TERMS(x, y) adds the
// counts of a vector, of which y may be in memory, to Z0 and, if there are two, to Z1.
//
// SI, DI: x, y; DX: words left; Z0, Z1: counts; Z4-Z8: words and scratch.

	MOVQ x+0(FP), SI
	MOVQ n+16(FP), DX
	MOVQ y+8(FP), DI
	VPXOR X0, X0, X0
	VPXOR X1, X1, X1
	CMPQ DX, $64
	JGE many
	SUBQ $8, DX
	JLT rest
	VMOVDQU64 (SI), Z4
	TERMS(Z4, (DI))
	JEQ sum
	SUBQ $8, DX
	JLT rest1
	VMOVDQU64 64(SI), Z5
	TERMS(Z5, 64(DI))
	JEQ sum
	ADDQ $128, SI
	ADDQ $128, DI
	SUBQ $8, DX
	JLT rest

loop:
	VMOVDQU64 (SI), Z4
	TERMS(Z4, (DI))
	ADDQ $64, SI
	ADDQ $64, DI
	SUBQ $8, DX
	JGE loop

rest:
	ADDQ $8, DX
	JEQ sum
	MOVL $1, AX
	MOVL DX, CX
	SHLL CX, AX
	DECL AX
	KMOVW AX, K1
	VMOVDQU64.Z (SI), K1, Z4
	VMOVDQU64.Z (DI), K1, Z5
	TERMS(Z4, Z5) // zeros have no bits

sum:
	RESULT

rest1:
	ADDQ $64, SI
	ADDQ $64, DI
	JMP rest

many:
	CMPQ DX, $const_blockLen
	JGT long
	SUBQ $8, DX
	PREEMPTED(long)
	JMP loop

long: // more than a block, or to be preempted: in Go
	JMP BLOCKS
