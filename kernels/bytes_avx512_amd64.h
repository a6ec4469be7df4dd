// The body of the kernels of kernels_vector_avx512_amd64.s that compare vectors of bytes; that file
// says what the macros of each kernel are. Sums are exact, in any order.
//
// SI, DI: x, y; DX: bytes left; Z0-Z2: the sums; Z3-Z9: further ones of the loop; Z20-Z27:
// elements; Z28, Z29: scratch; Z30: bytes 1; Z31: bytes 128.
//
// Fewer than 128 bytes are widened to words, which takes twice as many steps but no sums that make
// up for a bias: on Zen 5, 96 bytes take .7 to .8 of the time.

	MOVQ x+0(FP), SI
	MOVQ n+16(FP), DX
	MOVQ y+8(FP), DI
	START
	CMPQ DX, $128
	JGE many
	SUBQ $32, DX
	JLT rest
	WIDEN (SI), Z20
	WIDEN (DI), Z24
	WORDS(Z20, Z24)
	SUBQ $32, DX
	JLT rest1
	WIDEN 32(SI), Z21
	WIDEN 32(DI), Z25
	WORDS(Z21, Z25)
	SUBQ $32, DX
	JLT rest2
	WIDEN 64(SI), Z22
	WIDEN 64(DI), Z26
	WORDS(Z22, Z26)
	JEQ words
	ADDQ $96, SI
	ADDQ $96, DI
	SUBQ $32, DX

rest: // DX is 32 less than what is left
	ADDQ $32, DX
	JEQ words
	MOVL $1, AX
	MOVL DX, CX
	SHLL CX, AX
	DECL AX
	KMOVD AX, K1
	WIDEN.Z (SI), K1, Z20
	WIDEN.Z (DI), K1, Z24
	WORDS(Z20, Z24) // zeros add nothing

words:
	RESULT
	PCALIGN $32

rest1:
	ADDQ $32, SI
	ADDQ $32, DI
	JMP rest

rest2:
	ADDQ $64, SI
	ADDQ $64, DI
	JMP rest
	PCALIGN $32

many:
	CMPQ DX, $const_blockLen
	JGT long
	VPBROADCASTQ ones<>(SB), Z30
	VPBROADCASTQ halves<>(SB), Z31
	VPXOR X1, X1, X1
	VPXOR X2, X2, X2
	VPXOR X3, X3, X3
	VPXOR X4, X4, X4
	VPXOR X5, X5, X5
	VPXOR X6, X6, X6
	VPXOR X7, X7, X7
	VPXOR X8, X8, X8
	VPXOR X9, X9, X9
	SUBQ $256, DX
	JLT tail
	PREEMPTED(stop)
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
	ADDQ $(256-64), DX
	JLT part

one:
	VMOVDQU64 (SI), Z20
	VMOVDQU64 (DI), Z24
	TERMS0(Z20, Z24)
	ADDQ $64, SI
	ADDQ $64, DI
	SUBQ $64, DX
	JGE one

part: // under a mask: zeros add nothing
	ADDQ $64, DX
	JEQ join
	MOVL DX, CX
	NEGL CX
	MOVQ $-1, AX
	SHRQ CX, AX
	KMOVQ AX, K1
	VMOVDQU8.Z (SI), K1, Z20
	VMOVDQU8.Z (DI), K1, Z24
	TERMS1(Z20, Z24)

join:
	JOIN
	RESULT

stop: // from the start, in Go, which yields
	VZEROUPPER

long: // more than a block: in blocks, in Go
	JMP BLOCKS
