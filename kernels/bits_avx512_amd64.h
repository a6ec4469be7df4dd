// The body of the kernels of kernels_vector_avx512_amd64.s that count bits. TERMS(x, y, a, b) adds
// the counts of a vector to a and, if there are two, to b.
//
// SI, DI: x, y; DX: words left; Z0, Z1, Z2, Z3: counts; Z4-Z12: words and scratch.

	MOVQ x_base+0(FP), SI
	MOVQ x_len+8(FP), DX
	MOVQ y_base+24(FP), DI
	VPXOR X0, X0, X0
	VPXOR X1, X1, X1
	VPXOR X2, X2, X2
	VPXOR X3, X3, X3
	SUBQ $16, DX
	JLT tail
	PCALIGN $64

loop:
	VMOVDQU64 (SI), Z4
	VMOVDQU64 64(SI), Z6
	VMOVDQU64 (DI), Z5
	VMOVDQU64 64(DI), Z7
	TERMS(Z4, Z5, Z0, Z1)
	TERMS(Z6, Z7, Z2, Z3)
	ADDQ $128, SI
	ADDQ $128, DI
	SUBQ $16, DX
	JGE loop

tail: // fewer than two vectors
	ADDQ $16, DX
	JEQ sum
	SUBQ $8, DX
	JLT rest
	VMOVDQU64 (SI), Z4
	VMOVDQU64 (DI), Z5
	TERMS(Z4, Z5, Z0, Z1)
	JEQ sum
	ADDQ $64, SI
	ADDQ $64, DI
	SUBQ $8, DX

rest: // under a mask: zeros have no bits
	LEAL 8(DX), CX
	MOVL $1, AX
	SHLL CX, AX
	DECL AX
	KMOVW AX, K1
	VMOVDQU64.Z (SI), K1, Z6
	VMOVDQU64.Z (DI), K1, Z7
	TERMS(Z6, Z7, Z2, Z3)

sum:
	VPADDQ Z2, Z0, Z0
	VEXTRACTI64X4 $1, Z0, Y2
	VPADDQ Y2, Y0, Y0
	VEXTRACTI128 $1, Y0, X2
	VPADDQ X2, X0, X0
	VPSHUFD $0x4e, X0, X2
	VPADDQ X2, X0, X0
