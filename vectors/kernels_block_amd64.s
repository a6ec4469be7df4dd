//go:build !purego

#include "textflag.h"

// Blocks of queries and rows of bytes or bits, for AVX2. block.go explains the algorithm. A panel
// of bytes contains each byte as a 16-bit word. A panel of bits contains each byte as two bytes, of
// four bits each.

// The 16 bytes of the table from byte 16 − n on are a shuffle that moves the last n bytes of a
// register to the front, and zeros after them.
DATA lastBytes<>+0(SB)/8, $0x0706050403020100
DATA lastBytes<>+8(SB)/8, $0x0f0e0d0c0b0a0908
DATA lastBytes<>+16(SB)/8, $0x8080808080808080
DATA lastBytes<>+24(SB)/8, $0x8080808080808080
GLOBL lastBytes<>(SB), RODATA|NOPTR, $32

DATA nibbles<>+0(SB)/8, $0x0f0f0f0f0f0f0f0f
GLOBL nibbles<>(SB), RODATA|NOPTR, $8

// The number of bits in each nibble from 0 to 15.
DATA nibbleCounts<>+0(SB)/8, $0x0302020102010100
DATA nibbleCounts<>+8(SB)/8, $0x0403030203020201
GLOBL nibbleCounts<>(SB), RODATA|NOPTR, $16

// Sets Y0 to Y7 to 0.
#define CLEAR8 \
	VPXOR X0, X0, X0; VPXOR X1, X1, X1; VPXOR X2, X2, X2; VPXOR X3, X3, X3 \
	VPXOR X4, X4, X4; VPXOR X5, X5, X5; VPXOR X6, X6, X6; VPXOR X7, X7, X7

// func blockI8PackAVX2(p *blockPanel, v []uint8, offsets *[panelVectors]int, n int, extend uint64)
// Requires: AVX2
// Registers: see block_pack_amd64.h. X15: extend, the number of bits by which words are shifted
// left and back.
TEXT ·blockI8PackAVX2(SB), NOSPLIT, $0-56
#define WIDEN(x, y) VPMOVZXBW x, y; VPSLLW X15, y, y; VPSRAW X15, y, y
	VMOVQ extend+48(FP), X15
#include "block_pack_amd64.h"

// func blockI8AVX2(tile *blockTile, q, a *blockPanel, steps, queries int, fresh bool)
// Requires: AVX2
// Registers: DI: the next four rows of the tile; R9: the next four queries in the panel; SI, R8:
// the next words of these queries and of the rows; DX: remaining iterations; BX: remaining queries;
// Y0-Y7: sums of query 0 with rows 0-7 and 8-15, of query 1, …; Y8, Y9: words of the rows; Y10-Y12:
// scratch. An iteration processes two words of each vector.
TEXT ·blockI8AVX2(SB), NOSPLIT, $0-41
// a, b += products of the words of query i and the words of the rows.
#define TERM(i, a, b) \
	VPBROADCASTD (4*i)(SI), Y10                  \
	VPMADDWD Y8, Y10, Y11; VPMADDWD Y9, Y10, Y12 \
	VPADDD Y11, a, a; VPADDD Y12, b, b
	MOVQ tile+0(FP), DI
	MOVQ q+8(FP), R9
	MOVQ queries+32(FP), BX

four:
	MOVQ R9, SI // start four queries
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
	ADDQ $64, SI // advance by two words
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
	ADDQ $256, DI // advance by four queries
	ADDQ $16, R9
	SUBQ $4, BX
	JGT four
	VZEROUPPER
	RET
#undef TERM

// func blockBitsPackAVX2(p *blockPanel, v []uint8, offsets *[panelVectors]int, n int)
// Requires: AVX2
// Registers: see block_pack_amd64.h. Y15: mask of the lower half of each byte.
TEXT ·blockBitsPackAVX2(SB), NOSPLIT, $0-48
// y = the nibbles of the 16 bytes in x, each in its own byte, with the lower nibble first.
#define WIDEN(x, y) \
	VPMOVZXBW x, y       \
	VPSLLW $4, y, Y12    \
	VPOR Y12, y, y       \
	VPAND Y15, y, y
	VPBROADCASTQ nibbles<>(SB), Y15
#include "block_pack_amd64.h"

// func blockBitsAVX2(tile *blockTile, q, a *blockPanel, steps, queries int, fresh bool)
// Requires: AVX2
// Registers: Y0-Y7: counts of query 0 with rows 0-7 and 8-15, of query 1, …, in bytes, which grow
// by at most 4 per iteration; Y8, Y9: nibbles of the rows; Y10-Y12: scratch. An iteration processes
// four nibbles of each vector.
TEXT ·blockBitsAVX2(SB), NOSPLIT, $0-41
#define sums   DI  // address of the next four rows of the tile
#define qFirst R9  // address of the next four queries in the panel
#define qPtr   SI  // address of the next nibbles of the queries
#define rowPtr R8  // address of the next nibbles of the rows
#define left   DX  // number of remaining iterations
#define inLoop CX  // number of remaining iterations of the loop
#define qLeft  BX  // number of remaining queries
#define counts Y13 // table of the bit counts of nibbles
#define bytes1 Y14 // 1 in each byte
#define words1 Y15 // 1 in each word

// a, b += number of bits that differ between the nibbles of query i and the nibbles of the rows.
#define TERM(i, a, b) \
	VPBROADCASTD (4*i)(qPtr), Y10                      \
	VPXOR Y8, Y10, Y11; VPXOR Y9, Y10, Y12             \
	VPSHUFB Y11, counts, Y11; VPSHUFB Y12, counts, Y12 \
	VPADDB Y11, a, a; VPADDB Y12, b, b

// Adds the bytes of acc to eight sums of the tile, at offset off. Each sum gets four bytes.
#define ADDUP(off, acc) \
	VPMADDUBSW bytes1, acc, acc \
	VPMADDWD words1, acc, acc   \
	VPADDD off(sums), acc, acc  \
	VMOVDQU acc, off(sums)

	MOVQ tile+0(FP), sums
	MOVQ q+8(FP), qFirst
	MOVQ queries+32(FP), qLeft
	VBROADCASTI128 nibbleCounts<>(SB), counts
	VPCMPEQD words1, words1, words1 // bytes1, words1 = 1, the absolute value of −1
	VPABSB words1, bytes1
	VPABSW words1, words1

four:
	MOVQ qFirst, qPtr // start four queries
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
	MOVL $32, inLoop // inLoop = min(left, 32), because a byte can hold the counts of 63 iterations
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
	ADDQ $64, qPtr // advance by four nibbles
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
	TESTQ left, left // while iterations remain
	JNE counting
	ADDQ $256, sums // advance by four queries
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
// Registers: DI: the next row of dst; R8: the stride of dst in bytes; SI: the next row of the tile;
// R9: the next element of add; DX: remaining queries; Y4, Y5: norm; Y6: scale.
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
	VCVTDQ2PS Y0, Y0 // convert to float32
	VCVTDQ2PS Y1, Y1
	VMOVUPS Y0, (DI)
	VMOVUPS Y1, 32(DI)
	ADDQ $64, SI // advance to the next query
	ADDQ $4, R9
	ADDQ R8, DI
	DECQ DX
	JNE query
	VZEROUPPER
	RET
