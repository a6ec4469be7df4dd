// The body of the packing of kernels_block_amd64.s, which says what WIDEN of each kind makes of 16
// bytes.
//
// SI: bytes of the vectors, from the first one of the step on; R8: their offsets; DI: the panel;
// DX: bytes left; X14: as in lastBytes; Y12, Y15: for WIDEN; Y0-Y11: words. A step is 16 bytes of
// each vector; of those of the last one, some have been seen.

// Words of vector i, from its offset on, whose last bytes are moved to the front by X14.
#define WORDS(i, x, y) \
	MOVQ (8*i)(R8), AX     \
	VMOVDQU (SI)(AX*1), x  \
	VPSHUFB X14, x, x      \
	WIDEN(x, y)

// Eight double words of eight vectors, transposed to 64·k+off(DI).
#define TRANSPOSE(off) \
	VPUNPCKLDQ Y1, Y0, Y8    \
	VPUNPCKHDQ Y1, Y0, Y9    \
	VPUNPCKLDQ Y3, Y2, Y10   \
	VPUNPCKHDQ Y3, Y2, Y11   \
	VPUNPCKLQDQ Y10, Y8, Y0  \
	VPUNPCKHQDQ Y10, Y8, Y1  \
	VPUNPCKLQDQ Y11, Y9, Y2  \
	VPUNPCKHQDQ Y11, Y9, Y3  \
	VPUNPCKLDQ Y5, Y4, Y8    \
	VPUNPCKHDQ Y5, Y4, Y9    \
	VPUNPCKLDQ Y7, Y6, Y10   \
	VPUNPCKHDQ Y7, Y6, Y11   \
	VPUNPCKLQDQ Y10, Y8, Y4  \
	VPUNPCKHQDQ Y10, Y8, Y5  \
	VPUNPCKLQDQ Y11, Y9, Y6  \
	VPUNPCKHQDQ Y11, Y9, Y7  \
	VPERM2I128 $0x20, Y4, Y0, Y8  \
	VPERM2I128 $0x31, Y4, Y0, Y9  \
	VPERM2I128 $0x20, Y5, Y1, Y10 \
	VPERM2I128 $0x31, Y5, Y1, Y11 \
	VMOVDQU Y8, off(DI)           \
	VMOVDQU Y9, (off+256)(DI)     \
	VMOVDQU Y10, (off+64)(DI)     \
	VMOVDQU Y11, (off+320)(DI)    \
	VPERM2I128 $0x20, Y6, Y2, Y8  \
	VPERM2I128 $0x31, Y6, Y2, Y9  \
	VPERM2I128 $0x20, Y7, Y3, Y10 \
	VPERM2I128 $0x31, Y7, Y3, Y11 \
	VMOVDQU Y8, (off+128)(DI)     \
	VMOVDQU Y9, (off+384)(DI)     \
	VMOVDQU Y10, (off+192)(DI)    \
	VMOVDQU Y11, (off+448)(DI)

	MOVQ p+0(FP), DI
	MOVQ v_base+8(FP), SI
	MOVQ offsets+32(FP), R8
	MOVQ n+40(FP), DX
	LEAQ lastBytes<>(SB), R9
	VMOVDQU (R9), X14

step:
	CMPQ DX, $16
	JGE whole
	MOVL $16, CX
	SUBQ DX, CX
	VMOVDQU (R9)(CX*1), X14
	SUBQ CX, SI

whole:
	WORDS(0, X0, Y0)
	WORDS(1, X1, Y1)
	WORDS(2, X2, Y2)
	WORDS(3, X3, Y3)
	WORDS(4, X4, Y4)
	WORDS(5, X5, Y5)
	WORDS(6, X6, Y6)
	WORDS(7, X7, Y7)
	TRANSPOSE(0)
	WORDS(8, X0, Y0)
	WORDS(9, X1, Y1)
	WORDS(10, X2, Y2)
	WORDS(11, X3, Y3)
	WORDS(12, X4, Y4)
	WORDS(13, X5, Y5)
	WORDS(14, X6, Y6)
	WORDS(15, X7, Y7)
	TRANSPOSE(32)
	ADDQ $16, SI
	ADDQ $512, DI
	SUBQ $16, DX
	JGT step
	VZEROUPPER
	RET

#undef WORDS
#undef TRANSPOSE
