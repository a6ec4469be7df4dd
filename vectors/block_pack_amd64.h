// The body of functions that transpose n bytes of 16 vectors to a panel. Its parameter WIDEN(x, y)
// converts the 16 bytes in x to words in y. The body undefines WIDEN at the end.
//
// An iteration processes 16 bytes of each vector. The last iteration loads the last 16 bytes of the
// vectors, and shifts out the bytes that have already been processed.
//
// Registers: AX, CX: scratch; Y0-Y11: words; Y12, Y15: for WIDEN.

#define bytes     SI  // address of the vectors' bytes for the iteration
#define offsetPtr R8  // address of the vectors' offsets
#define panel     DI  // destination of 16 bytes of each vector, as words
#define left      DX  // number of remaining bytes
#define shifts    R9  // address of the table lastBytes
#define shift     X14 // shuffle from this table that moves the last bytes to the front

// y = words of vector i.
#define WORDS(i, x, y) \
	MOVQ (8*i)(offsetPtr), AX  \
	VMOVDQU (bytes)(AX*1), x   \
	VPSHUFB shift, x, x        \
	WIDEN(x, y)

// Transposes Y0 to Y7, which contain eight 32-bit lanes of eight vectors. Lane k of all vectors is
// stored at 64·k+off(panel).
#define TRANSPOSE(off) \
	VPUNPCKLDQ Y1, Y0, Y8; VPUNPCKHDQ Y1, Y0, Y9                 \
	VPUNPCKLDQ Y3, Y2, Y10; VPUNPCKHDQ Y3, Y2, Y11               \
	VPUNPCKLQDQ Y10, Y8, Y0; VPUNPCKHQDQ Y10, Y8, Y1             \
	VPUNPCKLQDQ Y11, Y9, Y2; VPUNPCKHQDQ Y11, Y9, Y3             \
	VPUNPCKLDQ Y5, Y4, Y8; VPUNPCKHDQ Y5, Y4, Y9                 \
	VPUNPCKLDQ Y7, Y6, Y10; VPUNPCKHDQ Y7, Y6, Y11               \
	VPUNPCKLQDQ Y10, Y8, Y4; VPUNPCKHQDQ Y10, Y8, Y5             \
	VPUNPCKLQDQ Y11, Y9, Y6; VPUNPCKHQDQ Y11, Y9, Y7             \
	VPERM2I128 $0x20, Y4, Y0, Y8; VPERM2I128 $0x31, Y4, Y0, Y9   \
	VPERM2I128 $0x20, Y5, Y1, Y10; VPERM2I128 $0x31, Y5, Y1, Y11 \
	VMOVDQU Y8, off(panel); VMOVDQU Y9, (off+256)(panel)         \
	VMOVDQU Y10, (off+64)(panel); VMOVDQU Y11, (off+320)(panel)  \
	VPERM2I128 $0x20, Y6, Y2, Y8; VPERM2I128 $0x31, Y6, Y2, Y9   \
	VPERM2I128 $0x20, Y7, Y3, Y10; VPERM2I128 $0x31, Y7, Y3, Y11 \
	VMOVDQU Y8, (off+128)(panel); VMOVDQU Y9, (off+384)(panel)   \
	VMOVDQU Y10, (off+192)(panel); VMOVDQU Y11, (off+448)(panel)

	MOVQ p+0(FP), panel
	MOVQ v_base+8(FP), bytes
	MOVQ offsets+32(FP), offsetPtr
	MOVQ n+40(FP), left
	LEAQ lastBytes<>(SB), shifts
	VMOVDQU (shifts), shift

loop:
	CMPQ left, $16 // if left < 16: load the last 16 bytes, and shift out the first ones
	JGE whole
	MOVL $16, CX
	SUBQ left, CX
	VMOVDQU (shifts)(CX*1), shift
	SUBQ CX, bytes

whole: // process vectors 0 to 7
	WORDS(0, X0, Y0)
	WORDS(1, X1, Y1)
	WORDS(2, X2, Y2)
	WORDS(3, X3, Y3)
	WORDS(4, X4, Y4)
	WORDS(5, X5, Y5)
	WORDS(6, X6, Y6)
	WORDS(7, X7, Y7)
	TRANSPOSE(0) // transpose vectors 0 to 7, and process vectors 8 to 15
	WORDS(8, X0, Y0)
	WORDS(9, X1, Y1)
	WORDS(10, X2, Y2)
	WORDS(11, X3, Y3)
	WORDS(12, X4, Y4)
	WORDS(13, X5, Y5)
	WORDS(14, X6, Y6)
	WORDS(15, X7, Y7) // process the last vector, and transpose vectors 8 to 15
	TRANSPOSE(32)
	ADDQ $16, bytes
	ADDQ $512, panel
	SUBQ $16, left
	JGT loop
	VZEROUPPER
	RET

#undef bytes
#undef offsetPtr
#undef panel
#undef left
#undef shifts
#undef shift
#undef WORDS
#undef TRANSPOSE
#undef WIDEN
