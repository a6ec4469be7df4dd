//go:build !purego

#include "go_asm.h"
#include "textflag.h"

// Kernels of forests for AVX-512. A row of a block is one vector of bits.

// The even numbers 0 to 14, and the numbers 0 to 7.
DATA forestEven<>+0(SB)/8, $0x0e0c0a0806040200
DATA forestEven<>+8(SB)/8, $0x1e1c1a1816141210
GLOBL forestEven<>(SB), RODATA|NOPTR, $16
DATA forestFirst<>+0(SB)/8, $0x0706050403020100
DATA forestFirst<>+8(SB)/8, $0x0f0e0d0c0b0a0908
GLOBL forestFirst<>(SB), RODATA|NOPTR, $16

// func forestColumnsF32AVX512(dst, x []float32, rows, cols, stride int)
//
// Requires: AVX512F, AVX512DQ
//
// It processes 64 documents at a time and prefetches the 64 after them, so that it reads rows
// nearly in order. Tiles of 16 columns and 16 documents are transposed.
//
// Registers: DI: dst of the 64 documents; R9: the first of them in x; R10: documents left; BX:
// first column of the tile in the first document; R11: columns left; R12: documents left from the
// tile on; CX: documents left in the tile; K1: mask of the tile's columns.
TEXT ·forestColumnsF32AVX512(SB), NOSPLIT, $0-72
#define out      DX  // dst of the tile
#define row      SI  // next row of the tile
#define rowBytes R8  // bytes of a stride
#define ahead    R13 // bytes of 64 rows
#define tileCols AX  // columns of the tile, up to 16

// ROW loads the tile's columns of a document, or zeros after the last document. It prefetches the
// row of the document 64 rows ahead.
#define ROW(z, end) \
	VPXORD      z, z, z; \
	DECQ        CX; \
	JLT         end; \
	VMOVDQU32.Z (row), K1, z; \
	PREFETCHT0  (row)(ahead*1); \
end: \
	ADDQ        rowBytes, row

// STORE writes a column of 16 documents and ends the tile after its last column.
#define STORE(z, i) \
	VMOVDQU32 z, (i*4*const_ForestRows)(out); \
	CMPQ      tileCols, $(i+1); \
	JEQ       nextTile

	MOVQ dst_base+0(FP), DI
	MOVQ x_base+24(FP), R9
	MOVQ rows+48(FP), R10
	MOVQ stride+64(FP), rowBytes // stride·4
	SHLQ $2, rowBytes
	MOVQ rowBytes, ahead
	SHLQ $6, ahead

documents:
	MOVQ cols+56(FP), R11 // start at column 0
	MOVQ R9, BX
	MOVQ DI, out

columns:
	MOVQ    $16, tileCols // tileCols = min(16, columns left)
	CMPQ    R11, tileCols
	CMOVQLT R11, tileCols
	MOVL    $1, R12 // K1 = 1<<tileCols − 1
	MOVQ    tileCols, CX
	SHLL    CX, R12
	DECL    R12
	KMOVW   R12, K1
	MOVQ    BX, row
	MOVQ    R10, R12

tile:
	MOVQ R12, CX
#include "transpose_avx512_amd64.h"

nextTile:
	ADDQ $64, out // the next 16 documents of 64
	SUBQ $16, R12
	MOVQ R10, CX
	SUBQ R12, CX
	CMPQ CX, $64
	JNE  tile
	ADDQ $(16*4*const_ForestRows-4*64), out // the next 16 columns
	ADDQ $64, BX
	SUBQ $16, R11
	JGT  columns
	ADDQ ahead, R9 // the next 64 documents
	ADDQ $(4*64), DI
	SUBQ $64, R10
	JGT  documents
	VZEROUPPER
	RET
#undef out
#undef row
#undef rowBytes
#undef ahead
#undef tileCols
#undef ROW
#undef STORE

// func forestTestsF32AVX512(dst []uint64, values, thresholds []float32)
//
// Requires: AVX512F, AVX512DQ
//
// It processes up to 255 thresholds at a time, and at the end up to 31 at a time if at most 62 are
// left. Missing thresholds are infinite. A search finds the rank of each value, which is the number
// of thresholds that it exceeds. The search takes eight steps, or seven for up to 127 thresholds,
// or five for up to 31. The bits of the ranks are stored as planes on the stack, bit 7 first. Row
// 64H+8M+L of dst then contains the documents with rank 64h+8m+l ≤ 64H+8M+L.
//
// Registers: R8: values left; R10: thresholds after the piece; CX: thresholds of the piece, then
// its rows left; R12: all of them; Z1: the rank's bits so far; Z28, Z29: even and odd numbers; Z30:
// 1; Z31: +Inf; Z3-Z9: documents with l ≤ 0, ≤ 1, … ≤ 6; Z10, Z11, Z12, Z14, Z13: documents with h
// < H, ≤ H, ≤ H+1, ≤ H+2, ≤ H+3.
TEXT ·forestTestsF32AVX512(SB), NOSPLIT, $512-72
#define row    DI  // next row of dst
#define value  SI  // next 16 values
#define list   R9  // thresholds of the piece
#define plane  R11 // place in the planes
#define below  Z15 // documents with 8h+m < 8H+M
#define upTo   Z16 // documents with 8h+m ≤ 8H+M

// SPLIT splits a table of 32 elements in a and b. The even elements go to even, the odd ones to a.
#define SPLIT(a, b, even) \
	VMOVDQA32 Z28, even; \
	VPERMI2PS b, a, even; \
	VPERMT2PS b, Z29, a

// THRESHOLDS loads 32 thresholds, with infinity after the last, and splits them. The last step uses
// the even ones. Z5 contains the numbers of the next 16 thresholds, and Z4 is 16.
#define THRESHOLDS(i, even, odd) \
	VPBROADCASTD CX, Z1; \
	VPCMPD  $6, Z5, Z1, K1; \
	VPADDD  Z4, Z5, Z5; \
	VPCMPD  $6, Z5, Z1, K2; \
	VPADDD  Z4, Z5, Z5; \
	VMOVAPS Z31, odd; \
	VMOVAPS Z31, Z0; \
	VMOVUPS (128*i)(list), K1, odd; \
	VMOVUPS (128*i+64)(list), K2, Z0; \
	SPLIT(odd, Z0, even)

// ABOVE sets k to the values Z0 that are above z or NaN, and stores k as 16 bits of a plane. NEXT
// appends these bits: Z1 = 2·Z1 + k. STEP is ABOVE with a table of up to 16 thresholds.
#define ABOVE(z, k, at) \
	VCMPPS $6, z, Z0, k; \
	KMOVW  k, at(plane)
#define NEXT(k) \
	VPADDD Z1, Z1, Z1; \
	VPADDD Z30, Z1, k, Z1
#define STEP(table, k, at) \
	VPERMPS table, Z1, Z2; \
	ABOVE(Z2, k, at)

// BELOW sets r0 to r6 to the documents with numbers ≤ 0 to ≤ 6. Z2, Z1 and Z0 are the bits of the
// numbers.
#define BELOW(r0, r1, r2, r3, r4, r5, r6) \
	VMOVDQA64  Z2, r0; VMOVDQA64  Z2, r1; \
	VMOVDQA64  Z2, r2; VMOVDQA64  Z2, r3; \
	VMOVDQA64  Z2, r4; VMOVDQA64  Z2, r5; VMOVDQA64  Z2, r6; \
	VPTERNLOGQ $0x01, Z0, Z1, r0; VPTERNLOGQ $0x03, Z0, Z1, r1; \
	VPTERNLOGQ $0x07, Z0, Z1, r2; VPTERNLOGQ $0x0f, Z0, Z1, r3; \
	VPTERNLOGQ $0x1f, Z0, Z1, r4; VPTERNLOGQ $0x3f, Z0, Z1, r5; \
	VPTERNLOGQ $0x7f, Z0, Z1, r6

// TEST writes row L = i: below | upTo & (l ≤ L). After the last row, it ends the piece.
#define TEST(low, i) \
	VMOVDQA64  low, Z2; \
	VPTERNLOGQ $0xea, below, upTo, Z2; \
	VMOVDQU64  Z2, (64*i)(row); \
	DECL       CX; \
	JEQ        tested

	MOVQ  dst_base+0(FP), row
	MOVQ  thresholds_base+48(FP), list
	MOVQ  thresholds_len+56(FP), R10
	MOVL  $0x7f800000, AX // Z31 = +Inf; Z30 = 1
	VPBROADCASTD AX, Z31
	MOVL  $1, AX
	VPBROADCASTD AX, Z30

piece:
	VPMOVZXBD forestEven<>(SB), Z28
	VPADDD    Z30, Z28, Z29
	VPMOVZXBD forestFirst<>(SB), Z5
	MOVL    $16, AX
	VPBROADCASTD AX, Z4 // 16
	MOVL    $255, CX // CX = min(255 or 31, thresholds left)
	MOVL    $31, AX
	CMPQ    R10, $62 // two short searches are faster than a long one
	CMOVQLE AX, CX
	CMPQ    R10, CX
	CMOVQLT R10, CX
	SUBQ    CX, R10
	MOVQ    CX, R12
	MOVQ    values_base+24(FP), value // start at value 0
	MOVQ    values_len+32(FP), R8
	LEAQ    planes-512(SP), plane
	VPTERNLOGQ $0xff, Z0, Z0, Z0 // documents without values are above all thresholds
	VMOVDQU64 Z0, planes-512(SP); VMOVDQU64 Z0, planes-448(SP)
	VMOVDQU64 Z0, planes-384(SP); VMOVDQU64 Z0, planes-320(SP)
	VMOVDQU64 Z0, planes-256(SP); VMOVDQU64 Z0, planes-192(SP)
	VMOVDQU64 Z0, planes-128(SP); VMOVDQU64 Z0, planes-64(SP)
	CMPL    CX, $31
	JLE     five

	THRESHOLDS(0, Z6, Z14); THRESHOLDS(1, Z7, Z15) // Z6-Z13 = thresholds 0 2 … 254, of the last step
	THRESHOLDS(2, Z8, Z16); THRESHOLDS(3, Z9, Z17)
	THRESHOLDS(4, Z10, Z18); THRESHOLDS(5, Z11, Z19)
	THRESHOLDS(6, Z12, Z20); THRESHOLDS(7, Z13, Z21)
	SPLIT(Z14, Z15, Z22)          // Z22-Z25 = 1 5 … 253, of the last but one
	SPLIT(Z16, Z17, Z23)
	SPLIT(Z18, Z19, Z24)
	SPLIT(Z20, Z21, Z25)
	SPLIT(Z14, Z16, Z26)          // Z26, Z27 = 3 11 … 251
	SPLIT(Z18, Z20, Z27)
	SPLIT(Z14, Z18, Z15)          // 7 23 … 247
	VPERMPS Z14, Z28, Z16         // 15 47 … 239
	VPERMPS Z14, Z29, Z14
	VPERMPS Z14, Z28, Z17         // 31 95 159 223
	VPERMPS Z17, Z30, Z21         // 95
	VPERMPS Z14, Z29, Z14         // 63 127 191
	VPERMPS Z14, Z30, Z18         // 127
	VPADDD  Z30, Z30, Z2
	VPERMPS Z14, Z2, Z20          // 191
	VBROADCASTSS X14, Z19         // 63
	CMPL    CX, $127
	JLE     seven

search8:
	VMOVUPS   (value), Z0
	ABOVE(Z18, K1, 0) // bit 7, by threshold 127
	VBLENDMPS Z20, Z19, K1, Z2 // bit 6, by 191 or 63
	VMOVDQA32.Z Z30, K1, Z1
	ABOVE(Z2, K2, 64)
	NEXT(K2)
	STEP(Z17, K3, 128) // bits 5 to 3
	NEXT(K3)
	STEP(Z16, K3, 192)
	NEXT(K3)
	STEP(Z15, K3, 256)
	NEXT(K3)
	VMOVDQA32 Z1, Z2 // bit 2, of 32 thresholds
	VPERMI2PS Z27, Z26, Z2
	ABOVE(Z2, K3, 320)
	NEXT(K3)
	VMOVDQA32 Z1, Z2 // bit 1, of twice 32 thresholds by bit 7
	VMOVDQA32 Z1, Z3
	VPERMI2PS Z23, Z22, Z2
	VPERMI2PS Z25, Z24, Z3
	VMOVAPS   Z3, K1, Z2
	ABOVE(Z2, K3, 384)
	NEXT(K3)
	VMOVDQA32 Z1, Z2 // bit 0, of four times 32 thresholds by bits 7 and 6
	VMOVDQA32 Z1, Z3
	VMOVDQA32 Z1, Z4
	VPERMI2PS Z7, Z6, Z2
	VPERMI2PS Z9, Z8, Z3
	VPERMI2PS Z11, Z10, Z4
	VPERMI2PS Z13, Z12, Z1
	VMOVAPS   Z3, K2, Z2 // select by bit 6, then by bit 7
	VMOVAPS   Z1, K2, Z4
	VMOVAPS   Z4, K1, Z2
	ABOVE(Z2, K3, 448)
	ADDQ      $64, value // the next 16 values
	ADDQ      $2, plane
	SUBQ      $16, R8
	JNE       search8
	JMP       searched

seven:
	VBROADCASTSS X17, Z20 // 31
	VPXORD    Z2, Z2, Z2  // bit 7 is 0
	VMOVDQU64 Z2, planes-512(SP)

search7:
	VMOVUPS   (value), Z0
	ABOVE(Z19, K1, 64) // bit 6, by threshold 63
	VBLENDMPS Z21, Z20, K1, Z2 // bit 5, by 95 or 31
	VMOVDQA32.Z Z30, K1, Z1
	ABOVE(Z2, K2, 128)
	NEXT(K2)
	STEP(Z16, K3, 192) // bits 4 to 2
	NEXT(K3)
	STEP(Z15, K3, 256)
	NEXT(K3)
	STEP(Z26, K3, 320)
	NEXT(K3)
	VMOVDQA32 Z1, Z2 // bit 1, of 32 thresholds
	VPERMI2PS Z23, Z22, Z2
	ABOVE(Z2, K3, 384)
	NEXT(K3)
	VMOVDQA32 Z1, Z2 // bit 0, of twice 32 thresholds by bit 6
	VPERMI2PS Z7, Z6, Z2
	VPERMI2PS Z9, Z8, Z1
	VMOVAPS   Z1, K1, Z2
	ABOVE(Z2, K3, 448)
	ADDQ      $64, value // the next 16 values
	ADDQ      $2, plane
	SUBQ      $16, R8
	JNE       search7
	JMP       searched

five:
	THRESHOLDS(0, Z26, Z25) // 0 2 … 30, and 1 3 … 31, of which step 4 uses every second
	VALIGND $1, Z25, Z25, Z24 // 3 5 …, of which step 3 uses every fourth
	VALIGND $3, Z25, Z25, Z2
	VBROADCASTSS X2, Z22 // 7
	VALIGND $7, Z25, Z25, Z2
	VBROADCASTSS X2, Z21 // 15
	VALIGND $11, Z25, Z25, Z2
	VBROADCASTSS X2, Z23 // 23
	VPADDD Z30, Z30, Z29 // Z29, Z28, Z27 = 2, 4, 8
	VPADDD Z29, Z29, Z28
	VPADDD Z28, Z28, Z27
	VPXORD Z2, Z2, Z2 // bits 7 to 5 are 0
	VMOVDQU64 Z2, planes-512(SP); VMOVDQU64 Z2, planes-448(SP); VMOVDQU64 Z2, planes-384(SP)

search5:
	VMOVUPS   (value), Z0
	ABOVE(Z21, K1, 192) // bit 4, by threshold 15; Z1 = 8·bit 4
	VBLENDMPS Z23, Z22, K1, Z2
	VMOVDQA32.Z Z27, K1, Z1
	ABOVE(Z2, K2, 256) // bit 3, by 23 or 7; Z1 += 4·bit 3
	VPADDD    Z28, Z1, K2, Z1
	STEP(Z24, K3, 320) // bit 2; Z1 += 2·bit 2
	VPADDD    Z29, Z1, K3, Z1
	STEP(Z25, K4, 384) // bit 1; Z1 += bit 1
	VPADDD    Z30, Z1, K4, Z1
	STEP(Z26, K5, 448) // bit 0
	ADDQ      $64, value // the next 16 values
	ADDQ      $2, plane
	SUBQ      $16, R8
	JNE       search5

searched:
	VMOVDQU64 planes-512(SP), Z14; VMOVDQU64 planes-448(SP), Z15 // bits 7 and 6, of h
	VMOVDQU64 planes-384(SP), Z2; VMOVDQU64 planes-320(SP), Z1 // bits 5 to 3, of m
	VMOVDQU64 planes-256(SP), Z0
	BELOW(Z3, Z4, Z5, Z6, Z7, Z8, Z9)
	VMOVDQU64 planes-192(SP), Z2; VMOVDQU64 planes-128(SP), Z1 // bits 2 to 0, of l
	VMOVDQU64 planes-64(SP), Z0
	VMOVDQU64 Z3, planes-512(SP); VMOVDQU64 Z4, planes-448(SP) // planes = documents with m ≤ 0, …
	VMOVDQU64 Z5, planes-384(SP); VMOVDQU64 Z6, planes-320(SP)
	VMOVDQU64 Z7, planes-256(SP); VMOVDQU64 Z8, planes-192(SP)
	VMOVDQU64 Z9, planes-128(SP)
	BELOW(Z3, Z4, Z5, Z6, Z7, Z8, Z9) // Z3-Z9 = documents with l ≤ 0, … ≤ 6
	VPTERNLOGQ $0xff, Z13, Z13, Z13 // any m, any h
	VMOVDQU64  Z13, planes-64(SP)
	VPXORQ     Z10, Z10, Z10 // h < 0
	VMOVDQA64  Z14, Z11
	VMOVDQA64  Z14, Z12
	VPTERNLOGQ $0x03, Z15, Z15, Z11 // h ≤ 0
	VPTERNLOGQ $0x0f, Z15, Z15, Z12 // h ≤ 1
	VPTERNLOGQ $0x3f, Z15, Z15, Z14 // h ≤ 2
	VPXORQ     below, below, below

high:
	LEAQ planes-512(SP), plane // M = 0
	MOVL $8, AX

eight:
	VMOVDQU64  (plane), upTo // upTo = h < H or h ≤ H and m ≤ M
	VPTERNLOGQ $0xea, Z10, Z11, upTo
	TEST(Z3, 0) // rows 64H+8M to 64H+8M+6
	TEST(Z4, 1)
	TEST(Z5, 2)
	TEST(Z6, 3)
	TEST(Z7, 4)
	TEST(Z8, 5)
	TEST(Z9, 6)
	VMOVDQU64 upTo, 448(row) // row 64H+8M+7: any l
	ADDQ      $512, row
	ADDQ      $64, plane // M++
	VMOVDQA64 upTo, below
	DECL      CX
	JEQ       tested
	DECL      AX
	JNE       eight
	VMOVDQA64 Z11, Z10 // H++
	VMOVDQA64 Z12, Z11
	VMOVDQA64 Z14, Z12
	VMOVDQA64 Z13, Z14
	JMP       high

tested:
	TESTQ R10, R10
	JNE   nextPiece
	VZEROUPPER // all pieces are done
	RET

nextPiece:
	ADDQ $(7*64), row // the last seven of 31 or 255 rows did not advance it
	LEAQ (list)(R12*4), list
	JMP  piece
#undef row
#undef value
#undef list
#undef plane
#undef below
#undef upTo
#undef SPLIT
#undef THRESHOLDS
#undef ABOVE
#undef NEXT
#undef STEP
#undef BELOW
#undef TEST

// func forestTransposeAVX512(rows []uint64)
//
// Requires: AVX512F
//
// A vector has the eight words of a row, so it processes eight 64×64 bit matrices at a time. The
// step for n swaps bits of words n rows apart: in each group of 2n bits, the upper n bits of the
// first word and the lower n bits of the second. The steps for 32, 16 and 8 combine rows whose
// numbers differ by multiples of 8. The other steps combine consecutive rows.
//
// Registers: Z0-Z7: eight rows; Z8: scratch; Z16-Z21: lower bits of each step.
TEXT ·forestTransposeAVX512(SB), NOSPLIT, $0-24
#define block SI // 64 rows
#define words R9 // words left
#define row   DI // the first of eight rows
#define left  CX // eights left
// SWAP is the step for n on the rows a and b. EIGHT does three steps on eight rows at equal
// distances.
#define SWAP(n, low, a, b) \
	VPSRLQ     $n, a, Z8; \
	VPTERNLOGQ $0x28, low, b, Z8; \
	VPXORQ     Z8, b, b; \
	VPSLLQ     $n, Z8, Z8; \
	VPXORQ     Z8, a, a
#define EIGHT(distance, n4, n2, n1, low4, low2, low1) \
	VMOVDQU64 (row), Z0; VMOVDQU64 (distance)(row), Z1; \
	VMOVDQU64 (2*distance)(row), Z2; VMOVDQU64 (3*distance)(row), Z3; \
	VMOVDQU64 (4*distance)(row), Z4; VMOVDQU64 (5*distance)(row), Z5; \
	VMOVDQU64 (6*distance)(row), Z6; VMOVDQU64 (7*distance)(row), Z7; \
	SWAP(n4, low4, Z0, Z4); SWAP(n4, low4, Z1, Z5); SWAP(n4, low4, Z2, Z6); SWAP(n4, low4, Z3, Z7); \
	SWAP(n2, low2, Z0, Z2); SWAP(n2, low2, Z1, Z3); SWAP(n2, low2, Z4, Z6); SWAP(n2, low2, Z5, Z7); \
	SWAP(n1, low1, Z0, Z1); SWAP(n1, low1, Z2, Z3); SWAP(n1, low1, Z4, Z5); SWAP(n1, low1, Z6, Z7); \
	VMOVDQU64 Z0, (row); VMOVDQU64 Z1, (distance)(row); \
	VMOVDQU64 Z2, (2*distance)(row); VMOVDQU64 Z3, (3*distance)(row); \
	VMOVDQU64 Z4, (4*distance)(row); VMOVDQU64 Z5, (5*distance)(row); \
	VMOVDQU64 Z6, (6*distance)(row); VMOVDQU64 Z7, (7*distance)(row)

	MOVQ rows_base+0(FP), block
	MOVQ rows_len+8(FP), words
	// the lower n bits of each 2n, for n = 32, 16, 8, 4, 2 and 1
	MOVQ $0x00000000ffffffff, AX; VPBROADCASTQ AX, Z16
	MOVQ $0x0000ffff0000ffff, AX; VPBROADCASTQ AX, Z17
	MOVQ $0x00ff00ff00ff00ff, AX; VPBROADCASTQ AX, Z18
	MOVQ $0x0f0f0f0f0f0f0f0f, AX; VPBROADCASTQ AX, Z19
	MOVQ $0x3333333333333333, AX; VPBROADCASTQ AX, Z20
	MOVQ $0x5555555555555555, AX; VPBROADCASTQ AX, Z21

block64:
	MOVQ block, row
	MOVL $8, left

apart: // steps of 32, 16 and 8
	EIGHT(512, 32, 16, 8, Z16, Z17, Z18)
	ADDQ $64, row
	DECL left
	JNE  apart
	MOVQ block, row
	MOVL $8, left

together: // steps of 4, 2 and 1
	EIGHT(64, 4, 2, 1, Z19, Z20, Z21)
	ADDQ $512, row
	DECL left
	JNE  together
	ADDQ $4096, block // the next 64 rows
	SUBQ $512, words
	JNE  block64
	VZEROUPPER
	RET
#undef block
#undef words
#undef row
#undef left
#undef SWAP
#undef EIGHT

// func forestSelectAVX512(rows []uint64, ops []uint32)
//
// Requires: AVX512F
//
// It processes eight operations at a time. The processor assumes that a load depends on the last
// store of the same instruction. If the operations of eight trees are interleaved, that store
// belongs to the same tree as the load.
//
// Registers: R9: elements of ops left.
TEXT ·forestSelectAVX512(SB), NOSPLIT, $0-48
#define row0 SI // rows
#define op   R8 // next operation
#define to   AX // word of the result
#define test BX // words of the operands
#define yes  CX
#define no   DX

// SELECT is the operation at offset at: to = test & yes | no &^ test.
#define SELECT(at) \
	MOVQ (at)(op), test; \
	MOVQ (at+8)(op), no; \
	MOVL test, to; \
	SHRQ $32, test; \
	MOVL no, yes; \
	SHRQ $32, no; \
	VMOVDQU64  (row0)(test*8), Z0; \
	VMOVDQU64  (row0)(yes*8), Z1; \
	VPTERNLOGQ $0xca, (row0)(no*8), Z1, Z0; \
	VMOVDQU64  Z0, (row0)(to*8)

	MOVQ rows_base+0(FP), row0
	MOVQ ops_base+24(FP), op
	MOVQ ops_len+32(FP), R9
	SUBQ $32, R9
	JLT  remainder

eight:
	SELECT(0); SELECT(16) // eight operations
	SELECT(32); SELECT(48)
	SELECT(64); SELECT(80)
	SELECT(96); SELECT(112)
	ADDQ $128, op
	SUBQ $32, R9
	JGE  eight

remainder:
	ADDQ $32, R9 // R9 = elements of the last up to seven operations
	JEQ  done

single:
	SELECT(0)
	ADDQ $16, op
	SUBQ $4, R9
	JNE  single

done:
	VZEROUPPER
	RET
#undef row0
#undef op
#undef to
#undef test
#undef yes
#undef no
#undef SELECT

// func forestAddF64AVX512(scores []float64, planes []uint64, trees []uint8, leaves []float64)
//
// Requires: AVX512F, AVX512DQ, AVX512BW
//
// It processes 64 documents at a time and builds the leaf number of each document in a byte from
// the planes. The bytes are permuted so that the first bytes of all 32-bit elements belong to 16
// consecutive documents, and so on for the second, third and fourth bytes.
//
// Registers: R8: documents left; R9: trees; R10: trees left; R11: leaves of the tree; CX: its
// planes; Z16-Z23: scores; Z31, Z30, Z28, Z27, Z24, Z29: 1, 2, 4, 8, 16, 32. Others: see
// leaves_avx512_amd64.h.
TEXT ·forestAddF64AVX512(SB), NOSPLIT, $0-96
#define score  DI // the 64 documents' scores
#define word   SI // the documents' word of the first plane of all trees
#define plane0 BX // the documents' word of the tree's first plane
#define number Z0 // leaf numbers

// LOAD_SCORES loads the scores into Z16-Z23, and STORE_SCORES stores them.
#define LOAD_SCORES \
	VMOVUPD (score), Z16; VMOVUPD 64(score), Z17; \
	VMOVUPD 128(score), Z18; VMOVUPD 192(score), Z19; \
	VMOVUPD 256(score), Z20; VMOVUPD 320(score), Z21; \
	VMOVUPD 384(score), Z22; VMOVUPD 448(score), Z23
#define STORE_SCORES \
	VMOVUPD Z16, (score); VMOVUPD Z17, 64(score); \
	VMOVUPD Z18, 128(score); VMOVUPD Z19, 192(score); \
	VMOVUPD Z20, 256(score); VMOVUPD Z21, 320(score); \
	VMOVUPD Z22, 384(score); VMOVUPD Z23, 448(score)

	MOVQ scores_base+0(FP), score
	MOVQ scores_len+8(FP), R8
	MOVQ planes_base+24(FP), word
#include "leaves_avx512_amd64.h"
	VPBROADCASTB AX, Z31
	VPADDB Z31, Z31, Z30 // 2
	VPADDB Z30, Z30, Z28 // 4
	VPADDB Z28, Z28, Z27 // 8
	VPADDB Z27, Z27, Z24 // 16
	VPADDB Z24, Z24, Z29 // 32

documents:
	LOAD_SCORES
	MOVQ word, plane0 // the first tree
	MOVQ trees_base+48(FP), R9
	MOVQ trees_len+56(FP), R10
	MOVQ leaves_base+72(FP), R11

tree:
	MOVBLZX (R9), CX
	CMPL    CX, $6
	JGT     large
	KMOVQ   (plane0), K1; KMOVQ   64(plane0), K2 // number = Σ bit of plane b · 2ᵇ
	KMOVQ   128(plane0), K3; KMOVQ   192(plane0), K4
	KMOVQ   256(plane0), K5
	VMOVDQU8.Z Z31, K1, number
	VPADDB  Z30, number, K2, number
	VPADDB  Z28, number, K3, number // planes 2 to 4
	VPADDB  Z27, number, K4, number
	VPADDB  Z24, number, K5, number
	CMPL    CX, $6
	JEQ     six
	VPSHUFB Z15, number, number // put the documents in order
	VPERMD  number, Z9, number
	VPSHUFB Z8, number, number
	HALVES(0, Z10, Z11, Z12, Z13)
	VMOVDQA32 number, Z1 // score += leaves[number], 16 documents at a time
	SIXTEEN(Z16, Z17)
	VPSRLD  $8, number, Z1
	SIXTEEN(Z18, Z19)
	VPSRLD  $16, number, Z1
	SIXTEEN(Z20, Z21)
	VPSRLD  $24, number, Z1
	SIXTEEN(Z22, Z23)
	ADDQ    $(5*64), plane0 // the next tree
	ADDQ    $(8*32), R11
	INCQ    R9
	DECQ    R10
	JNE     tree

summed:
	STORE_SCORES
	ADDQ $512, score // the next 64 documents
	ADDQ $8, word
	SUBQ $64, R8
	JNE  documents
	VZEROUPPER
	RET

six:
	KMOVQ   320(plane0), K6 // number += bit of plane 5 · 32
	VPADDB  Z29, number, K6, number
	VPSHUFB Z15, number, number // as above
	VPERMD  number, Z9, number
	VPSHUFB Z8, number, number
	HALVES(0, Z10, Z11, Z12, Z13)
	HALVES(256, Z4, Z5, Z6, Z7)
	VMOVDQA32 number, Z1 // score += leaves[number], 16 documents at a time
	SIXTEEN64(Z16, Z17)
	VPSRLD  $8, number, Z1
	SIXTEEN64(Z18, Z19)
	VPSRLD  $16, number, Z1
	SIXTEEN64(Z20, Z21)
	VPSRLD  $24, number, Z1
	SIXTEEN64(Z22, Z23)
	ADDQ    $(6*64), plane0 // the next tree
	ADDQ    $(8*64), R11
	INCQ    R9
	DECQ    R10
	JNE     tree
	JMP     summed

large: // more than six planes: eight documents at a time, bits from the highest plane on
	STORE_SCORES
	MOVL $1, AX
	VPBROADCASTQ AX, Z14
	MOVQ CX, DX // DX = end of the planes; AX = scores of the eight documents
	SHLQ $6, DX
	ADDQ plane0, DX
	MOVQ score, AX

eight:
	VPXORQ number, number, number
	MOVQ   DX, R12
	MOVL   CX, R13

plane:
	SUBQ   $64, R12
	KMOVB  (R12), K1 // number = 2·number + bit of the plane
	VPADDQ number, number, number
	VPADDQ Z14, number, K1, number
	DECL   R13
	JNE    plane
	KXNORW K1, K1, K1 // score += leaves[number]
	VPXORQ Z1, Z1, Z1
	VGATHERQPD (R11)(number*8), K1, Z1
	VADDPD  (AX), Z1, Z1
	VMOVUPD Z1, (AX)
	INCQ DX // the next eight documents of 64
	ADDQ $64, AX
	MOVQ AX, R12
	SUBQ score, R12
	CMPQ R12, $512
	JNE  eight

	LOAD_SCORES
	MOVL CX, AX // the next tree: skip the CX planes and 1<<CX leaves of this one
	SHLQ $6, AX
	ADDQ AX, plane0
	MOVL $8, AX
	SHLQ CX, AX
	ADDQ AX, R11
	INCQ R9 // the next element of trees
	DECQ R10
	JNE  tree
	JMP  summed
#undef score
#undef word
#undef plane0
#undef number
#undef LOAD_SCORES
#undef STORE_SCORES
#undef HALVES
#undef SIXTEEN
#undef SIXTEEN64
