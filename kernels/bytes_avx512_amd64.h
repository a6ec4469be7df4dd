// The body of the kernels of kernels_vector_avx512_amd64.s that compare vectors of bytes; that file
// says what the macros of each kernel are. Sums are exact, in any order.
//
// SI, DI: x, y; DX: bytes left; Z0-Z9: sums; Z20-Z27: elements; Z28, Z29: scratch; Z30: bytes 1;
// Z31: bytes 128.

	MOVQ x_base+0(FP), SI
	MOVQ x_len+8(FP), DX
	MOVQ y_base+24(FP), DI
	VPBROADCASTQ ones<>(SB), Z30
	VPBROADCASTQ halves<>(SB), Z31
	START
	SUBQ $256, DX
	JLT tail
	PCALIGN $64

loop:
	VMOVDQU64 (SI), Z20
	VMOVDQU64 64(SI), Z21
	VMOVDQU64 128(SI), Z22
	VMOVDQU64 192(SI), Z23
	VMOVDQU64 (DI), Z24
	VMOVDQU64 64(DI), Z25
	VMOVDQU64 128(DI), Z26
	VMOVDQU64 192(DI), Z27
	TERMS0(Z20, Z24)
	TERMS1(Z21, Z25)
	TERMS2(Z22, Z26)
	TERMS3(Z23, Z27)
	ADDQ $256, SI
	ADDQ $256, DI
	SUBQ $256, DX
	JGE loop

tail: // fewer than four vectors
	ADDQ $256, DX
	JEQ sum
	SUBQ $64, DX
	JLT rest
	VMOVDQU64 (SI), Z20
	VMOVDQU64 (DI), Z24
	TERMS0(Z20, Z24)
	JEQ sum
	ADDQ $64, SI
	ADDQ $64, DI
	SUBQ $64, DX
	JLT rest
	VMOVDQU64 (SI), Z20
	VMOVDQU64 (DI), Z24
	TERMS1(Z20, Z24)
	JEQ sum
	ADDQ $64, SI
	ADDQ $64, DI
	SUBQ $64, DX
	JLT rest
	VMOVDQU64 (SI), Z20
	VMOVDQU64 (DI), Z24
	TERMS2(Z20, Z24)
	JEQ sum
	ADDQ $64, SI
	ADDQ $64, DI
	SUBQ $64, DX

rest: // under a mask: zeros add nothing
	MOVL DX, CX
	NEGL CX // 64 − bytes left
	MOVQ $-1, AX
	SHRQ CX, AX
	KMOVQ AX, K1
	VMOVDQU8.Z (SI), K1, Z20
	VMOVDQU8.Z (DI), K1, Z24
	TERMS3(Z20, Z24)

sum:
	RESULT
