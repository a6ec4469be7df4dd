// The body of the kernels of kernels_vector_amd64.s that compare vectors of bytes; that file says
// what the macros of each kernel are. Sums are exact, in any order.
//
// SI, DI: x, y; DX: bytes left; Y0-Y5: sums; Y8-Y15: elements as words.

	MOVQ x+0(FP), SI
	MOVQ n+16(FP), DX
	MOVQ y+8(FP), DI
	VPXOR X0, X0, X0
	VPXOR X1, X1, X1
	VPXOR X2, X2, X2
	VPXOR X3, X3, X3
	VPXOR X4, X4, X4
	VPXOR X5, X5, X5
	CMPQ DX, $16
	JLT few
	SUBQ $64, DX
	JLT tail
	PCALIGN $32

loop:
	LOAD (SI), Y8
	LOAD (DI), Y9
	LOAD 16(SI), Y10
	LOAD 16(DI), Y11
	TERMS0(Y8, Y9)
	TERMS1(Y10, Y11)
	LOAD 32(SI), Y12
	LOAD 32(DI), Y13
	LOAD 48(SI), Y14
	LOAD 48(DI), Y15
	TERMS0(Y12, Y13)
	TERMS1(Y14, Y15)
	ADDQ $64, SI
	ADDQ $64, DI
	SUBQ $64, DX
	JGE loop

tail: // fewer than four vectors
	ADDQ $(64-16), DX
	JLT rest

vector:
	LOAD (SI), Y8
	LOAD (DI), Y9
	TERMS0(Y8, Y9)
	ADDQ $16, SI
	ADDQ $16, DI
	SUBQ $16, DX
	JGE vector

rest:
	ADDQ $16, DX
	JEQ sum

	// The vectors that end with the last element, of which the last DX elements are left.
	LEAQ github·com∕simdrank∕simdrank∕internal∕kern·Masks(SB), AX
	VMOVDQU (AX)(DX*2), Y12
	LOAD -16(SI)(DX*1), Y8
	LOAD -16(DI)(DX*1), Y9
	VPAND Y12, Y8, Y8
	VPAND Y12, Y9, Y9
	TERMS1(Y8, Y9)
	JMP sum

few: // less than a vector: copied, after zeros
	VMOVDQU X0, x-32(SP)
	VMOVDQU X0, y-16(SP)
	LEAQ x-32(SP), R8
	TESTQ DX, DX
	JEQ sum

copy:
	MOVBLZX -1(SI)(DX*1), AX
	MOVBLZX -1(DI)(DX*1), CX
	MOVB AX, -1(R8)(DX*1)
	MOVB CX, 15(R8)(DX*1)
	DECQ DX
	JNE copy
	LOAD (R8), Y8
	LOAD 16(R8), Y9
	TERMS0(Y8, Y9)

sum:
	RESULT
