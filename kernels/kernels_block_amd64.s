//go:build !purego

#include "textflag.h"

// Blocks of queries by rows of bytes, for AVX2: see block.go. Panels hold the bytes as words of 16
// bits, two in each double word.

// To the front of 16 bytes, from byte 16 − n on: their last n, then zeros.
DATA lastBytes<>+0(SB)/8, $0x0706050403020100
DATA lastBytes<>+8(SB)/8, $0x0f0e0d0c0b0a0908
DATA lastBytes<>+16(SB)/8, $0x8080808080808080
DATA lastBytes<>+24(SB)/8, $0x8080808080808080
GLOBL lastBytes<>(SB), RODATA|NOPTR, $32

// Words of vector i, from its offset on, whose last bytes are moved to the front by X14.
#define WORDS(i, x, y) \
	MOVQ (8*i)(R8), AX     \
	VMOVDQU (SI)(AX*1), x  \
	VPSHUFB X14, x, x      \
	VPMOVZXBW x, y         \
	VPSLLW X15, y, y       \
	VPSRAW X15, y, y

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

// func blockI8PackAVX2(p *blockPanel, v []uint8, offsets *[panelVectors]int, n int, extend uint64)
// Requires: AVX2
//
// SI: bytes of the vectors, from the first one of the step on; R8: their offsets; DI: the panel;
// DX: bytes left; X14: as in lastBytes; X15: extend, the bits by which words are shifted left and
// back. A step is 16 bytes of each vector; of those of the last one, some have been seen.
TEXT ·blockI8PackAVX2(SB), NOSPLIT, $0-56
	MOVQ p+0(FP), DI
	MOVQ v_base+8(FP), SI
	MOVQ offsets+32(FP), R8
	MOVQ n+40(FP), DX
	VMOVQ extend+48(FP), X15
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

// The products of the words of query i, a constant, and of those of the rows to a and b.
#define TERM(i, a, b) \
	VPBROADCASTD (4*i)(SI), Y10 \
	VPMADDWD Y8, Y10, Y11       \
	VPMADDWD Y9, Y10, Y12       \
	VPADDD Y11, a, a            \
	VPADDD Y12, b, b

// func blockI8AVX2(tile *blockTile, q, a *blockPanel, steps, queries int, fresh bool)
// Requires: AVX2
//
// DI: the tile; SI, R9: the panel of queries; R8: that of rows; DX: steps left; BX: queries left;
// Y0-Y7: the sums of four queries; Y8, Y9: words of the rows; Y10-Y12: scratch. A step is two words
// of each vector, of four queries at a time.
TEXT ·blockI8AVX2(SB), NOSPLIT, $0-41
	MOVQ tile+0(FP), DI
	MOVQ q+8(FP), R9
	MOVQ queries+32(FP), BX

four:
	MOVQ R9, SI
	MOVQ a+16(FP), R8
	MOVQ steps+24(FP), DX
	CMPB fresh+40(FP), $0
	JNE fresh
	VMOVDQU (DI), Y0
	VMOVDQU 32(DI), Y1
	VMOVDQU 64(DI), Y2
	VMOVDQU 96(DI), Y3
	VMOVDQU 128(DI), Y4
	VMOVDQU 160(DI), Y5
	VMOVDQU 192(DI), Y6
	VMOVDQU 224(DI), Y7
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

start:
	PCALIGN $32

loop:
	VMOVDQU (R8), Y8
	VMOVDQU 32(R8), Y9
	TERM(0, Y0, Y1)
	TERM(1, Y2, Y3)
	TERM(2, Y4, Y5)
	TERM(3, Y6, Y7)
	ADDQ $64, SI
	ADDQ $64, R8
	DECQ DX
	JNE loop
	VMOVDQU Y0, (DI)
	VMOVDQU Y1, 32(DI)
	VMOVDQU Y2, 64(DI)
	VMOVDQU Y3, 96(DI)
	VMOVDQU Y4, 128(DI)
	VMOVDQU Y5, 160(DI)
	VMOVDQU Y6, 192(DI)
	VMOVDQU Y7, 224(DI)
	ADDQ $256, DI
	ADDQ $16, R9
	SUBQ $4, BX
	JGT four
	VZEROUPPER
	RET

// func blockI8StoreAVX2(dst []float32, stride int, tile *blockTile, add []int32, norm *[panelVectors]int32, scale int32)
// Requires: AVX2
//
// DI: dst; R8: its stride in bytes; SI: the tile; R9: add; DX: queries left; Y4, Y5: norm; Y6:
// scale. A step is a query.
TEXT ·blockI8StoreAVX2(SB), NOSPLIT, $0-76
	MOVQ dst_base+0(FP), DI
	MOVQ stride+24(FP), R8
	SHLQ $2, R8
	MOVQ tile+32(FP), SI
	MOVQ add_base+40(FP), R9
	MOVQ add_len+48(FP), DX
	MOVQ norm+64(FP), AX
	VMOVDQU (AX), Y4
	VMOVDQU 32(AX), Y5
	MOVL scale+72(FP), AX
	VMOVD AX, X6
	VPBROADCASTD X6, Y6

query:
	VPBROADCASTD (R9), Y2
	VPMULLD (SI), Y6, Y0
	VPMULLD 32(SI), Y6, Y1
	VPADDD Y2, Y0, Y0
	VPADDD Y2, Y1, Y1
	VPADDD Y4, Y0, Y0
	VPADDD Y5, Y1, Y1
	VCVTDQ2PS Y0, Y0
	VCVTDQ2PS Y1, Y1
	VMOVUPS Y0, (DI)
	VMOVUPS Y1, 32(DI)
	ADDQ $64, SI
	ADDQ $4, R9
	ADDQ R8, DI
	DECQ DX
	JNE query
	VZEROUPPER
	RET
