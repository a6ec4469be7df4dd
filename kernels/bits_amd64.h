// The body of the kernels of kernels_vector_amd64.s that count bits. TERMS(x, y) adds the counts of
// two vectors of words to Y0 and, if there are two, to Y1. The bits of half a byte are looked up.
//
// SI, DI: x, y; DX: words left; Y2: the table; Y3: the lower half of each byte; Y4: zeros; Y8-Y11:
// words; Y5-Y7, Y12, Y13: scratch.

	MOVQ x+0(FP), SI
	MOVQ n+16(FP), DX
	MOVQ y+8(FP), DI
	VPXOR X0, X0, X0
	VPXOR X1, X1, X1
	VPXOR X4, X4, X4
	VBROADCASTI128 bitCounts<>(SB), Y2
	VPBROADCASTQ lowHalves<>(SB), Y3
	SUBQ $8, DX
	JLT tail
	PCALIGN $32

loop:
	VMOVDQU (SI), Y8
	VMOVDQU (DI), Y9
	TERMS(Y8, Y9)
	VMOVDQU 32(SI), Y10
	VMOVDQU 32(DI), Y11
	TERMS(Y10, Y11)
	ADDQ $64, SI
	ADDQ $64, DI
	SUBQ $8, DX
	JGE loop

tail: // fewer than two vectors
	ADDQ $8, DX
	JEQ sum
	SUBQ $4, DX
	JLT rest
	VMOVDQU (SI), Y8
	VMOVDQU (DI), Y9
	TERMS(Y8, Y9)
	JEQ sum
	ADDQ $32, SI
	ADDQ $32, DI
	SUBQ $4, DX

rest: // under a mask: zeros have no bits
	LEAQ github·com∕simdrank∕simdrank∕internal∕kern·Masks(SB), AX
	NEGQ DX
	VMOVDQU 64(AX)(DX*8), Y7
	VPMASKMOVQ (SI), Y7, Y10
	VPMASKMOVQ (DI), Y7, Y11
	TERMS(Y10, Y11)

sum:
	VEXTRACTI128 $1, Y0, X5
	VPADDQ X5, X0, X0
	VPSHUFD $0x4e, X0, X5
	VPADDQ X5, X0, X0
