// The body of the kernels of kernels_block_avx512_amd64.s that add products of panels to a tile, or
// make results of them; that file says what the macros of each kernel are.
//
// DI: the tile; SI: the panel of queries; R8: that of rows; DX, BX: steps, and those done; R9: what
// is fetched, for each 16 steps a line of each of 16 rows, R10 bytes from the last one; R11: back
// to the first row, and a line further; Z0-Z15: the sums of each query; Z16: words of the rows.

// The results of query i: what its sums z make.
#define RESULT(i, z) \
	VPMULLD Z16, z, z            \
	VPADDD Z17, z, z             \
	VPADDD.BCST (4*i)(SI), z, z  \
	VCVTDQ2PS z, z               \
	VMOVUPS z, (DI)              \
	ADDQ R8, DI

	MOVQ tile+0(FP), DI
	MOVQ q+8(FP), SI
	MOVQ a+16(FP), R8
	MOVQ steps+24(FP), DX
	MOVQ fetch+32(FP), R9
	MOVQ stride+40(FP), R10
	MOVQ R10, R11
	SHLQ $4, R11
	SUBQ $64, R11
	XORL BX, BX
	CMPB fresh+48(FP), $0
	JNE fresh
	VMOVDQU32 0(DI), Z0
	VMOVDQU32 64(DI), Z1
	VMOVDQU32 128(DI), Z2
	VMOVDQU32 192(DI), Z3
	VMOVDQU32 256(DI), Z4
	VMOVDQU32 320(DI), Z5
	VMOVDQU32 384(DI), Z6
	VMOVDQU32 448(DI), Z7
	VMOVDQU32 512(DI), Z8
	VMOVDQU32 576(DI), Z9
	VMOVDQU32 640(DI), Z10
	VMOVDQU32 704(DI), Z11
	VMOVDQU32 768(DI), Z12
	VMOVDQU32 832(DI), Z13
	VMOVDQU32 896(DI), Z14
	VMOVDQU32 960(DI), Z15
	JMP start

fresh:
	VPXOR X0, X0, X0
	VPXOR X1, X1, X1
	VPXOR X2, X2, X2
	VPXOR X3, X3, X3
	VPXOR X4, X4, X4
	VPXOR X5, X5, X5
	VPXOR X6, X6, X6
	VPXOR X7, X7, X7
	VPXOR X8, X8, X8
	VPXOR X9, X9, X9
	VPXOR X10, X10, X10
	VPXOR X11, X11, X11
	VPXOR X12, X12, X12
	VPXOR X13, X13, X13
	VPXOR X14, X14, X14
	VPXOR X15, X15, X15

start:
	PCALIGN $64

loop:
	VMOVDQU32 (R8), Z16
	PREFETCHT0 (R9)
	ADDQ R10, R9
	TERM(0, Z0)
	TERM(1, Z1)
	TERM(2, Z2)
	TERM(3, Z3)
	TERM(4, Z4)
	TERM(5, Z5)
	TERM(6, Z6)
	TERM(7, Z7)
	TERM(8, Z8)
	TERM(9, Z9)
	TERM(10, Z10)
	TERM(11, Z11)
	TERM(12, Z12)
	TERM(13, Z13)
	TERM(14, Z14)
	TERM(15, Z15)
	ADDQ $64, SI
	ADDQ $64, R8
	INCQ BX
	CMPQ BX, DX
	JEQ done
	TESTL $15, BX
	JNE loop
	SUBQ R11, R9
	JMP loop

done:
	MOVQ result+56(FP), AX
	TESTQ AX, AX
	JNE results
	VMOVDQU32 Z0, 0(DI)
	VMOVDQU32 Z1, 64(DI)
	VMOVDQU32 Z2, 128(DI)
	VMOVDQU32 Z3, 192(DI)
	VMOVDQU32 Z4, 256(DI)
	VMOVDQU32 Z5, 320(DI)
	VMOVDQU32 Z6, 384(DI)
	VMOVDQU32 Z7, 448(DI)
	VMOVDQU32 Z8, 512(DI)
	VMOVDQU32 Z9, 576(DI)
	VMOVDQU32 Z10, 640(DI)
	VMOVDQU32 Z11, 704(DI)
	VMOVDQU32 Z12, 768(DI)
	VMOVDQU32 Z13, 832(DI)
	VMOVDQU32 Z14, 896(DI)
	VMOVDQU32 Z15, 960(DI)
	VZEROUPPER
	RET

results:
	MOVQ blockResult_dst(AX), DI
	MOVQ blockResult_stride(AX), R8
	MOVQ blockResult_add(AX), SI
	MOVQ blockResult_norm(AX), BX
	VPBROADCASTD blockResult_scale(AX), Z16
	VMOVDQU32 (BX), Z17
	SHLQ $2, R8
	RESULT(0, Z0)
	RESULT(1, Z1)
	RESULT(2, Z2)
	RESULT(3, Z3)
	RESULT(4, Z4)
	RESULT(5, Z5)
	RESULT(6, Z6)
	RESULT(7, Z7)
	RESULT(8, Z8)
	RESULT(9, Z9)
	RESULT(10, Z10)
	RESULT(11, Z11)
	RESULT(12, Z12)
	RESULT(13, Z13)
	RESULT(14, Z14)
	RESULT(15, Z15)
	VZEROUPPER
	RET

#undef RESULT
