//go:build !purego

#include "textflag.h"

// Blocks of queries by rows of bytes and of bits, for AVX2: see block.go. Panels hold bytes as
// words, two in each double word; panels of bits hold each byte as two bytes of four bits.

// The shuffle from byte 16 − n on moves the last n of 16 bytes to the front, and zeros after them.
DATA lastBytes<>+0(SB)/8, $0x0706050403020100
DATA lastBytes<>+8(SB)/8, $0x0f0e0d0c0b0a0908
DATA lastBytes<>+16(SB)/8, $0x8080808080808080
DATA lastBytes<>+24(SB)/8, $0x8080808080808080
GLOBL lastBytes<>(SB), RODATA|NOPTR, $32

DATA nibbles<>+0(SB)/8, $0x0f0f0f0f0f0f0f0f
GLOBL nibbles<>(SB), RODATA|NOPTR, $8

// The number of bits of each nibble.
DATA nibbleCounts<>+0(SB)/8, $0x0302020102010100
DATA nibbleCounts<>+8(SB)/8, $0x0403030203020201
GLOBL nibbleCounts<>(SB), RODATA|NOPTR, $16

// Y0 to Y7 = 0.
#define CLEAR8 \
	VPXOR X0, X0, X0; VPXOR X1, X1, X1; VPXOR X2, X2, X2; VPXOR X3, X3, X3 \
	VPXOR X4, X4, X4; VPXOR X5, X5, X5; VPXOR X6, X6, X6; VPXOR X7, X7, X7

// func blockI8PackAVX2(p *blockPanel, v []uint8, offsets *[panelVectors]int, n int, extend uint64)
// Requires: AVX2
// Registers: see block_pack_amd64.h. X15: extend, bits by which words are shifted left and back.
TEXT ·blockI8PackAVX2(SB), NOSPLIT, $0-56
#define WIDEN(x, y) VPMOVZXBW x, y; VPSLLW X15, y, y; VPSRAW X15, y, y
	VMOVQ extend+48(FP), X15
#include "block_pack_amd64.h"

// func blockI8AVX2(tile *blockTile, q, a *blockPanel, steps, queries int, fresh bool)
// Requires: AVX2
// Registers: DI: the tile's next four rows; R9: the next four queries of their panel; SI, R8: next
// words of these queries and of the rows; DX: iterations left; BX: queries left; Y0-Y7: sums of
// query 0 with rows 0-7 and 8-15, of query 1, …; Y8, Y9: words of the rows; Y10-Y12: scratch. An
// iteration is two words of each vector.
TEXT ·blockI8AVX2(SB), NOSPLIT, $0-41
// a, b += products of the words of query i and of the rows.
#define TERM(i, a, b) \
	VPBROADCASTD (4*i)(SI), Y10                  \
	VPMADDWD Y8, Y10, Y11; VPMADDWD Y9, Y10, Y12 \
	VPADDD Y11, a, a; VPADDD Y12, b, b
	MOVQ tile+0(FP), DI
	MOVQ q+8(FP), R9
	MOVQ queries+32(FP), BX

four:
	MOVQ R9, SI // four queries
	MOVQ a+16(FP), R8
	MOVQ steps+24(FP), DX
	CMPB fresh+40(FP), $0
	JNE fresh
	VMOVDQU (DI), Y0 // sums = tile
	VMOVDQU 32(DI), Y1
	VMOVDQU 64(DI), Y2
	VMOVDQU 96(DI), Y3
	VMOVDQU 128(DI), Y4
	VMOVDQU 160(DI), Y5
	VMOVDQU 192(DI), Y6
	VMOVDQU 224(DI), Y7
	JMP start

fresh:
	CLEAR8 // sums = 0

start:
	PCALIGN $32

loop: // sums += products of two words of each vector
	VMOVDQU (R8), Y8
	VMOVDQU 32(R8), Y9
	TERM(0, Y0, Y1)
	TERM(1, Y2, Y3)
	TERM(2, Y4, Y5)
	TERM(3, Y6, Y7)
	ADDQ $64, SI // the next two words
	ADDQ $64, R8
	DECQ DX
	JNE loop
	VMOVDQU Y0, (DI) // tile = sums
	VMOVDQU Y1, 32(DI)
	VMOVDQU Y2, 64(DI)
	VMOVDQU Y3, 96(DI)
	VMOVDQU Y4, 128(DI)
	VMOVDQU Y5, 160(DI)
	VMOVDQU Y6, 192(DI)
	VMOVDQU Y7, 224(DI)
	ADDQ $256, DI // the next four queries
	ADDQ $16, R9
	SUBQ $4, BX
	JGT four
	VZEROUPPER
	RET
#undef TERM

// func blockBitsPackAVX2(p *blockPanel, v []uint8, offsets *[panelVectors]int, n int)
// Requires: AVX2
// Registers: see block_pack_amd64.h. Y15: the lower half of each byte.
TEXT ·blockBitsPackAVX2(SB), NOSPLIT, $0-48
// y = the nibbles of the 16 bytes x as bytes, the lower one of each first.
#define WIDEN(x, y) \
	VPMOVZXBW x, y       \
	VPSLLW $4, y, Y12    \
	VPOR Y12, y, y       \
	VPAND Y15, y, y
	VPBROADCASTQ nibbles<>(SB), Y15
#include "block_pack_amd64.h"

// func blockBitsAVX2(tile *blockTile, q, a *blockPanel, steps, queries int, fresh bool)
// Requires: AVX2
// Registers: Y0-Y7: counts in bytes, at most 4 an iteration, of query 0 with rows 0-7 and 8-15, of
// query 1, …; Y8, Y9: nibbles of the rows; Y10-Y12: scratch. An iteration is four nibbles of each
// vector.
TEXT ·blockBitsAVX2(SB), NOSPLIT, $0-41
#define sums   DI  // of the tile: the next four rows
#define qFirst R9  // the next four queries of their panel
#define qPtr   SI  // their next nibbles
#define rowPtr R8  // next nibbles of the rows
#define left   DX  // iterations left
#define inLoop CX  // iterations left of the loop
#define qLeft  BX  // queries left
#define counts Y13 // bits of each nibble, a table
#define bytes1 Y14 // 1 in each byte
#define words1 Y15 // 1 in each word

// a, b += bits that differ in the nibbles of query i and of the rows.
#define TERM(i, a, b) \
	VPBROADCASTD (4*i)(qPtr), Y10                      \
	VPXOR Y8, Y10, Y11; VPXOR Y9, Y10, Y12             \
	VPSHUFB Y11, counts, Y11; VPSHUFB Y12, counts, Y12 \
	VPADDB Y11, a, a; VPADDB Y12, b, b

// Eight sums of the tile, at off, += the bytes of acc, four for each.
#define ADDUP(off, acc) \
	VPMADDUBSW bytes1, acc, acc \
	VPMADDWD words1, acc, acc   \
	VPADDD off(sums), acc, acc  \
	VMOVDQU acc, off(sums)

	MOVQ tile+0(FP), sums
	MOVQ q+8(FP), qFirst
	MOVQ queries+32(FP), qLeft
	VBROADCASTI128 nibbleCounts<>(SB), counts
	VPCMPEQD words1, words1, words1 // the size of −1 is 1
	VPABSB words1, bytes1
	VPABSW words1, words1

four:
	MOVQ qFirst, qPtr // four queries
	MOVQ a+16(FP), rowPtr
	MOVQ steps+24(FP), left
	CMPB fresh+40(FP), $0
	JEQ counting
	VPXOR X0, X0, X0
	VMOVDQU Y0, (sums) // tile = 0
	VMOVDQU Y0, 32(sums)
	VMOVDQU Y0, 64(sums)
	VMOVDQU Y0, 96(sums)
	VMOVDQU Y0, 128(sums)
	VMOVDQU Y0, 160(sums)
	VMOVDQU Y0, 192(sums)
	VMOVDQU Y0, 224(sums)

counting:
	CLEAR8 // counts = 0
	MOVL $32, inLoop // min(left, 32) iterations: a byte holds the counts of 63
	CMPQ left, inLoop
	CMOVQLT left, inLoop
	SUBQ inLoop, left
	PCALIGN $32

loop: // counts += bits that differ in four nibbles of each vector
	VMOVDQU (rowPtr), Y8
	VMOVDQU 32(rowPtr), Y9
	TERM(0, Y0, Y1)
	TERM(1, Y2, Y3)
	TERM(2, Y4, Y5)
	TERM(3, Y6, Y7)
	ADDQ $64, qPtr // the next four nibbles
	ADDQ $64, rowPtr
	DECQ inLoop
	JNE loop
	ADDUP(0, Y0) // tile += counts
	ADDUP(32, Y1)
	ADDUP(64, Y2)
	ADDUP(96, Y3)
	ADDUP(128, Y4)
	ADDUP(160, Y5)
	ADDUP(192, Y6)
	ADDUP(224, Y7)
	TESTQ left, left // until none are left
	JNE counting
	ADDQ $256, sums // the next four queries
	ADDQ $16, qFirst
	SUBQ $4, qLeft
	JGT four
	VZEROUPPER
	RET
#undef sums
#undef qFirst
#undef qPtr
#undef rowPtr
#undef left
#undef inLoop
#undef qLeft
#undef counts
#undef bytes1
#undef words1
#undef TERM
#undef ADDUP

// func blockI8StoreAVX2(dst []float32, stride int, tile *blockTile, add []int32, norm *[panelVectors]int32, scale int32)
// Requires: AVX2
// Registers: DI: next row of dst; R8: its stride in bytes; SI: next row of the tile; R9: next
// element of add; DX: queries left; Y4, Y5: norm; Y6: scale.
TEXT ·blockI8StoreAVX2(SB), NOSPLIT, $0-76
	MOVQ dst_base+0(FP), DI
	MOVQ stride+24(FP), R8
	SHLQ $2, R8
	MOVQ tile+32(FP), SI
	MOVQ add_base+40(FP), R9
	MOVQ add_len+48(FP), DX
	MOVQ norm+64(FP), AX // Y4, Y5 = norm
	VMOVDQU (AX), Y4
	VMOVDQU 32(AX), Y5
	MOVL scale+72(FP), AX // Y6 = scale
	VMOVD AX, X6
	VPBROADCASTD X6, Y6

query:
	VPBROADCASTD (R9), Y2 // dst = scale·tile + add + norm
	VPMULLD (SI), Y6, Y0
	VPMULLD 32(SI), Y6, Y1
	VPADDD Y2, Y0, Y0
	VPADDD Y2, Y1, Y1
	VPADDD Y4, Y0, Y0
	VPADDD Y5, Y1, Y1
	VCVTDQ2PS Y0, Y0 // as float32
	VCVTDQ2PS Y1, Y1
	VMOVUPS Y0, (DI)
	VMOVUPS Y1, 32(DI)
	ADDQ $64, SI // the next query
	ADDQ $4, R9
	ADDQ R8, DI
	DECQ DX
	JNE query
	VZEROUPPER
	RET
