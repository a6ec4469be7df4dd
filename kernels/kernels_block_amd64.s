//go:build !purego

#include "textflag.h"

// Blocks of queries by rows of bytes and of bits, for AVX2: see block.go. Panels hold the bytes as
// words of 16 bits, two in each double word; those of bits as two bytes of four bits.

// To the front of 16 bytes, from byte 16 − n on: their last n, then zeros.
DATA lastBytes<>+0(SB)/8, $0x0706050403020100
DATA lastBytes<>+8(SB)/8, $0x0f0e0d0c0b0a0908
DATA lastBytes<>+16(SB)/8, $0x8080808080808080
DATA lastBytes<>+24(SB)/8, $0x8080808080808080
GLOBL lastBytes<>(SB), RODATA|NOPTR, $32

DATA nibbles<>+0(SB)/8, $0x0f0f0f0f0f0f0f0f
GLOBL nibbles<>(SB), RODATA|NOPTR, $8

// The bits of each nibble.
DATA nibbleCounts<>+0(SB)/8, $0x0302020102010100
DATA nibbleCounts<>+8(SB)/8, $0x0403030203020201
GLOBL nibbleCounts<>(SB), RODATA|NOPTR, $16

// The nibbles of 16 bytes as bytes: the lower one of each first.
#define NIBBLES(x, y) \
	VPMOVZXBW x, y       \
	VPSLLW $4, y, Y12    \
	VPOR Y12, y, y       \
	VPAND Y15, y, y

#define WIDEN(x, y) VPMOVZXBW x, y; VPSLLW X15, y, y; VPSRAW X15, y, y

// func blockI8PackAVX2(p *blockPanel, v []uint8, offsets *[panelVectors]int, n int, extend uint64)
// Requires: AVX2
//
// Registers: see block_pack_amd64.h; X15: extend, the bits by which words are shifted left and
// back.
TEXT ·blockI8PackAVX2(SB), NOSPLIT, $0-56
	VMOVQ extend+48(FP), X15
#include "block_pack_amd64.h"

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

#undef WIDEN
#undef TERM

#define WIDEN NIBBLES

// func blockBitsPackAVX2(p *blockPanel, v []uint8, offsets *[panelVectors]int, n int)
// Requires: AVX2
//
// Registers: see block_pack_amd64.h; Y15: the lower half of each byte.
TEXT ·blockBitsPackAVX2(SB), NOSPLIT, $0-48
	VPBROADCASTQ nibbles<>(SB), Y15
#include "block_pack_amd64.h"

#undef WIDEN

// The bits that differ in the nibbles of query i, a constant, and of the rows added to a and b.
#define TERM(i, a, b) \
	VPBROADCASTD (4*i)(SI), Y10 \
	VPXOR Y8, Y10, Y11          \
	VPXOR Y9, Y10, Y12          \
	VPSHUFB Y11, Y13, Y11       \
	VPSHUFB Y12, Y13, Y12       \
	VPADDB Y11, a, a            \
	VPADDB Y12, b, b

// The bytes of acc added to eight sums of the tile, off bytes from its start.
#define ADDUP(off, acc) \
	VPMADDUBSW Y14, acc, acc    \
	VPMADDWD Y15, acc, acc      \
	VPADDD off(DI), acc, acc    \
	VMOVDQU acc, off(DI)

// func blockBitsAVX2(tile *blockTile, q, a *blockPanel, steps, queries int, fresh bool)
// Requires: AVX2
//
// DI: the tile; SI, R9: the panel of queries; R8: that of rows; DX: steps left, CX: those of the
// loop; BX: queries left; Y0-Y7: counts of four queries in bytes, at most 4 a step; Y8, Y9: nibbles
// of the rows; Y10-Y12: scratch; Y13: the bits of a nibble; Y14, Y15: bytes and words 1. A step is
// four nibbles of each vector, of four queries at a time.
TEXT ·blockBitsAVX2(SB), NOSPLIT, $0-41
	MOVQ tile+0(FP), DI
	MOVQ q+8(FP), R9
	MOVQ queries+32(FP), BX
	VBROADCASTI128 nibbleCounts<>(SB), Y13
	VPCMPEQD Y15, Y15, Y15
	VPABSB Y15, Y14
	VPABSW Y15, Y15

four:
	MOVQ R9, SI
	MOVQ a+16(FP), R8
	MOVQ steps+24(FP), DX
	CMPB fresh+40(FP), $0
	JEQ counts
	VPXOR X0, X0, X0
	VMOVDQU Y0, (DI)
	VMOVDQU Y0, 32(DI)
	VMOVDQU Y0, 64(DI)
	VMOVDQU Y0, 96(DI)
	VMOVDQU Y0, 128(DI)
	VMOVDQU Y0, 160(DI)
	VMOVDQU Y0, 192(DI)
	VMOVDQU Y0, 224(DI)

counts:
	VPXOR X0, X0, X0
	VPXOR X1, X1, X1
	VPXOR X2, X2, X2
	VPXOR X3, X3, X3
	VPXOR X4, X4, X4
	VPXOR X5, X5, X5
	VPXOR X6, X6, X6
	VPXOR X7, X7, X7
	MOVL $32, CX // counts of 63 steps would fit a byte
	CMPQ DX, CX
	CMOVQLT DX, CX
	SUBQ CX, DX
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
	DECQ CX
	JNE loop
	ADDUP(0, Y0)
	ADDUP(32, Y1)
	ADDUP(64, Y2)
	ADDUP(96, Y3)
	ADDUP(128, Y4)
	ADDUP(160, Y5)
	ADDUP(192, Y6)
	ADDUP(224, Y7)
	TESTQ DX, DX
	JNE counts
	ADDQ $256, DI
	ADDQ $16, R9
	SUBQ $4, BX
	JGT four
	VZEROUPPER
	RET

#undef TERM
#undef ADDUP

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
