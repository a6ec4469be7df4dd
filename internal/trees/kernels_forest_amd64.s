//go:build !purego

#include "go_asm.h"
#include "textflag.h"

// Kernels of forests for AVX2. A row of a block is two vectors of bits.

// The numbers 0 to 7. For the tables of the search steps, the position of each threshold. For
// spreading 32 bits over a vector, the source of each byte, and the bit of each byte.
DATA forestFirst<>+0(SB)/8, $0x0706050403020100
GLOBL forestFirst<>(SB), RODATA|NOPTR, $8
DATA forestStep5<>+0(SB)/8, $0x0603020504010007
GLOBL forestStep5<>(SB), RODATA|NOPTR, $8
DATA forestStep4<>+0(SB)/8, $0x0306020501040007
GLOBL forestStep4<>(SB), RODATA|NOPTR, $8
DATA forestStep3<>+0(SB)/8, $0x0201000000000003
GLOBL forestStep3<>(SB), RODATA|NOPTR, $8
DATA forestSpread<>+0(SB)/8, $0x0000000000000000
DATA forestSpread<>+8(SB)/8, $0x0101010101010101
DATA forestSpread<>+16(SB)/8, $0x0202020202020202
DATA forestSpread<>+24(SB)/8, $0x0303030303030303
GLOBL forestSpread<>(SB), RODATA|NOPTR, $32
DATA forestBits<>+0(SB)/8, $0x8040201008040201
GLOBL forestBits<>(SB), RODATA|NOPTR, $8

// func forestColumnsF32AVX2(dst, x []float32, rows, cols, stride int)
//
// Requires: AVX, AVX2
//
// It processes 64 documents at a time and prefetches the 64 after them, so that it reads rows
// nearly in order. Tiles of 8 columns and 8 documents are transposed.
//
// Registers: DI: dst of the 64 documents; R9: the first of them in x; R10: documents left; BX:
// first column of the tile in the first document; R11: columns left; R12: documents left from the
// tile on; CX: documents left in the tile; Y13: mask of the tile's columns.
TEXT ·forestColumnsF32AVX2(SB), NOSPLIT, $0-72
#define out      DX  // dst of the tile
#define row      SI  // next row of the tile
#define rowBytes R8  // bytes of a stride
#define ahead    R13 // bytes of 64 rows
#define tileCols AX  // columns of the tile, up to 8

// ROW loads the tile's columns of a document, or zeros after the last document. It prefetches the
// row of the document 64 rows ahead.
#define ROW(y, end) \
	VPXOR      y, y, y; \
	DECQ       CX; \
	JLT        end; \
	VMASKMOVPS (row), Y13, y; \
	PREFETCHT0 (row)(ahead*1); \
end: \
	ADDQ       rowBytes, row

// STORE writes a column of 8 documents and ends the tile after its last column.
#define STORE(half, a, b, i) \
	VPERM2I128 half, b, a, Y5; \
	VMOVDQU    Y5, (i*4*const_ForestRows)(out); \
	CMPQ       tileCols, $(i+1); \
	JEQ        nextTile

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
	MOVQ    $8, tileCols // tileCols = min(8, columns left)
	CMPQ    R11, tileCols
	CMOVQLT R11, tileCols
	MOVQ    tileCols, CX // Y13 = mask of the first tileCols lanes
	NEGQ    CX
	LEAQ    github·com∕simdrank∕simdrank∕internal∕kern·Masks+96(SB), R12
	VMOVDQU (R12)(CX*4), Y13
	MOVQ    BX, row
	MOVQ    R10, R12

tile:
	MOVQ R12, CX
#include "transpose_amd64.h"

nextTile:
	ADDQ $32, out // the next 8 documents of 64
	SUBQ $8, R12
	MOVQ R10, CX
	SUBQ R12, CX
	CMPQ CX, $64
	JNE  tile
	ADDQ $(8*4*const_ForestRows-4*64), out // the next 8 columns
	ADDQ $32, BX
	SUBQ $8, R11
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

// func forestTestsF32AVX2(dst []uint64, values, thresholds []float32)
//
// Requires: AVX, AVX2
//
// It processes 31 thresholds at a time. If fewer are left, the others are infinite. A search in
// five steps finds the rank of each value, which is the number of thresholds that it exceeds. The
// complements of the bits of the ranks are stored as planes on the stack, bit 4 first. Row 8H+L of
// dst then contains the documents with rank 8h+l ≤ 8H+L.
//
// Registers: SI: values; R8: values left; R10: thresholds after the piece; CX: thresholds of the
// piece, then its rows left; R13: all of them; Y3: the rank's bits so far; Y3-Y9: documents with
// l ≤ 0, ≤ 1, … ≤ 6; Y12-Y14: documents with h ≤ H+1, ≤ H+2, ≤ H+3.
TEXT ·forestTestsF32AVX2(SB), NOSPLIT, $320-72
#define dst    DI  // dst of the piece
#define list   R9  // thresholds of the piece
#define plane  R11 // place in the planes
#define row    DX  // next row of dst
#define below  Y10 // documents with h < H
#define upTo   Y11 // documents with h ≤ H

// THRESHOLDS loads 8 thresholds into y, infinity after the last. Y1 is the number of thresholds,
// Y2 the numbers of the next 8, Y3 is 8, and Y15 is infinity.
#define THRESHOLDS(i, y) \
	VPCMPGTD   Y2, Y1, Y0; \
	VPADDD     Y3, Y2, Y2; \
	VMASKMOVPS (32*i)(list), Y0, y; \
	VBLENDVPS  Y0, y, Y15, y

// PASS compares the values Y0 with their thresholds: y = values ≤ y, and a byte of a plane.
#define PASS(y, at) \
	VCMPPS    $2, y, Y0, y; \
	VMOVMSKPS y, AX; \
	MOVB      AX, at(plane)

// NEXT appends bits: Y3 = 2·Y3 + y.
#define NEXT(y) \
	VPADDD Y3, Y3, Y3; \
	VPADDD y, Y3, Y3

// TEST writes row L = i: below | upTo & (l ≤ L). After the last row, it ends the half.
#define TEST(low, i) \
	VPAND   low, upTo, Y0; \
	VPOR    below, Y0, Y0; \
	VMOVDQU Y0, (64*i)(row); \
	DECL    CX; \
	JEQ     tested

	MOVQ  dst_base+0(FP), dst
	MOVQ  thresholds_base+48(FP), list
	MOVQ  thresholds_len+56(FP), R10
	VPXOR   Y0, Y0, Y0 // planes = 0: documents without values pass nothing
	VMOVDQU Y0, planes-320(SP); VMOVDQU Y0, planes-288(SP)
	VMOVDQU Y0, planes-256(SP); VMOVDQU Y0, planes-224(SP)
	VMOVDQU Y0, planes-192(SP); VMOVDQU Y0, planes-160(SP)
	VMOVDQU Y0, planes-128(SP); VMOVDQU Y0, planes-96(SP)
	VMOVDQU Y0, planes-64(SP);  VMOVDQU Y0, planes-32(SP)

piece:
	MOVL    $31, CX // CX = min(31, thresholds left)
	CMPQ    R10, CX
	CMOVQLT R10, CX
	SUBQ    CX, R10
	MOVL    $0x7f800000, AX // Y15 = +Inf; Y1 = CX; Y3 = 8; Y2 = 0, 1, … 7
	VMOVD   AX, X15
	VPBROADCASTD X15, Y15
	VMOVD   CX, X1
	VPBROADCASTD X1, Y1
	MOVL    $8, AX
	VMOVD   AX, X3
	VPBROADCASTD X3, Y3
	VPMOVZXBD forestFirst<>(SB), Y2 // Y4-Y7 = the thresholds t0 … t31
	THRESHOLDS(0, Y4); THRESHOLDS(1, Y5)
	THRESHOLDS(2, Y6); THRESHOLDS(3, Y7)
	VSHUFPS   $0x88, Y5, Y4, Y8   // 0 2 8 10 | 4 6 12 14
	VSHUFPS   $0x88, Y7, Y6, Y9
	VSHUFPS   $0xdd, Y5, Y4, Y4   // 1 3 9 11 | 5 7 13 15
	VSHUFPS   $0xdd, Y7, Y6, Y6
	VSHUFPS   $0x88, Y6, Y4, Y7   // 1 9 17 25 | 5 13 21 29
	VSHUFPS   $0xdd, Y6, Y4, Y6   // 3 11 19 27 | 7 15 23 31
	VPMOVZXBD forestStep5<>(SB), Y0
	VPERMPS   Y8, Y0, Y8          // 14 0 2 … 12, for ranks below 16
	VPERMPS   Y9, Y0, Y9          // 30 16 18 … 28, for others
	VPMOVZXBD forestStep4<>(SB), Y0
	VPERMPS   Y7, Y0, Y7          // 29 1 5 … 25
	VEXTRACTF128 $1, Y6, X5
	VBROADCASTSS X5, Y4           // t7
	VSHUFPS   $0x55, X5, X5, X14
	VBROADCASTSS X14, Y14         // t15
	VSHUFPS   $0xaa, X5, X5, X5
	VBROADCASTSS X5, Y5           // t23
	VPMOVZXBD forestStep3<>(SB), Y0
	VPERMPS   Y6, Y0, Y6          // 27, and from place 5 on 3 11 19
	MOVQ      values_base+24(FP), SI
	MOVQ      values_len+32(FP), R8
	LEAQ      planes-320(SP), plane

search:
	VMOVUPS   (SI), Y0
	VMOVAPS   Y14, Y1 // bit 4 is 0 if value ≤ t15
	PASS(Y1, 0)
	VBLENDVPS Y1, Y4, Y5, Y2 // bit 3, by t7 or t23
	PASS(Y2, 64)
	VPADDD    Y1, Y1, Y3 // the lowest bits of Y3 index the thresholds of the next step
	VPADDD    Y2, Y3, Y3
	VPERMPS   Y6, Y3, Y2 // bit 2
	PASS(Y2, 128)
	NEXT(Y2)
	VPERMPS   Y7, Y3, Y2 // bit 1
	PASS(Y2, 192)
	NEXT(Y2)
	VPERMPS   Y8, Y3, Y2 // bit 0
	VPERMPS   Y9, Y3, Y13
	VBLENDVPS Y1, Y2, Y13, Y2
	PASS(Y2, 256)
	ADDQ      $32, SI // the next 8 values
	INCQ      plane
	SUBQ      $8, R8
	JNE       search

	LEAQ planes-320(SP), plane
	MOVL CX, R13
	MOVQ dst, row

half:
	MOVL     R13, CX
	VMOVDQU  (plane), Y12    // h < 2
	VMOVDQU  64(plane), Y13
	VMOVDQU  128(plane), Y6  // l ≤ 3: bit 2 is 0
	VMOVDQU  192(plane), Y1
	VMOVDQU  256(plane), Y2
	VPAND    Y1, Y6, Y4      // l ≤ 1
	VPAND    Y2, Y4, Y3      // l ≤ 0
	VPOR     Y2, Y1, Y5
	VPAND    Y5, Y6, Y5      // l ≤ 2
	VPAND    Y2, Y1, Y7
	VPOR     Y7, Y6, Y7      // l ≤ 4
	VPOR     Y1, Y6, Y8      // l ≤ 5
	VPOR     Y2, Y8, Y9      // l ≤ 6
	VPXOR    below, below, below // h < 0
	VPAND    Y13, Y12, upTo  // h ≤ 0
	VPOR     Y13, Y12, Y13   // h ≤ 2, after Y12: h ≤ 1
	VPCMPEQD Y14, Y14, Y14   // h ≤ 3

eight:
	TEST(Y3, 0) // rows 8H to 8H+6
	TEST(Y4, 1)
	TEST(Y5, 2)
	TEST(Y6, 3)
	TEST(Y7, 4)
	TEST(Y8, 5)
	TEST(Y9, 6)
	VMOVDQU  upTo, 448(row) // row 8H+7: any l
	ADDQ     $512, row
	VMOVDQA  upTo, below    // H++
	VMOVDQA  Y12, upTo
	VMOVDQA  Y13, Y12
	VMOVDQA  Y14, Y13
	DECL     CX
	JNE      eight

tested:
	LEAQ  planes-320(SP), AX // after the first half, do the second if it has values
	CMPQ  AX, plane
	JNE   nextPiece
	LEAQ  32(plane), plane
	LEAQ  32(dst), row
	CMPQ  values_len+32(FP), $(const_ForestRows/2)
	JGT   half

nextPiece:
	ADDQ  $(31*64), dst // the next 31 thresholds
	ADDQ  $(31*4), list
	TESTQ R10, R10
	JNE   piece
	VZEROUPPER
	RET
#undef dst
#undef list
#undef plane
#undef row
#undef below
#undef upTo
#undef THRESHOLDS
#undef PASS
#undef NEXT
#undef TEST

// func forestTransposeAVX2(rows []uint64)
//
// Requires: AVX, AVX2
//
// A vector has the four words of half a row, so it processes four 64×64 bit matrices at a time. The
// step for n swaps bits of words n rows apart: in each group of 2n bits, the upper n bits of the
// first word and the lower n bits of the second. The steps for 32, 16 and 8 combine rows whose
// numbers differ by multiples of 8. The other steps combine consecutive rows.
//
// Registers: Y0-Y7: eight rows; Y8: scratch; Y10-Y15: lower bits of each step.
TEXT ·forestTransposeAVX2(SB), NOSPLIT, $0-24
#define block SI // 64 rows
#define words R9 // words left
#define row   DI // the first of eight rows
#define left  CX // eights left
// SWAP is the step for n on the rows a and b. EIGHT does three steps on eight rows at equal
// distances.
#define SWAP(n, low, a, b) \
	VPSRLQ $n, a, Y8; \
	VPXOR  b, Y8, Y8; \
	VPAND  low, Y8, Y8; \
	VPXOR  Y8, b, b; \
	VPSLLQ $n, Y8, Y8; \
	VPXOR  Y8, a, a
#define EIGHT(distance, n4, n2, n1, low4, low2, low1) \
	VMOVDQU (row), Y0; VMOVDQU (distance)(row), Y1; \
	VMOVDQU (2*distance)(row), Y2; VMOVDQU (3*distance)(row), Y3; \
	VMOVDQU (4*distance)(row), Y4; VMOVDQU (5*distance)(row), Y5; \
	VMOVDQU (6*distance)(row), Y6; VMOVDQU (7*distance)(row), Y7; \
	SWAP(n4, low4, Y0, Y4); SWAP(n4, low4, Y1, Y5); SWAP(n4, low4, Y2, Y6); SWAP(n4, low4, Y3, Y7); \
	SWAP(n2, low2, Y0, Y2); SWAP(n2, low2, Y1, Y3); SWAP(n2, low2, Y4, Y6); SWAP(n2, low2, Y5, Y7); \
	SWAP(n1, low1, Y0, Y1); SWAP(n1, low1, Y2, Y3); SWAP(n1, low1, Y4, Y5); SWAP(n1, low1, Y6, Y7); \
	VMOVDQU Y0, (row); VMOVDQU Y1, (distance)(row); \
	VMOVDQU Y2, (2*distance)(row); VMOVDQU Y3, (3*distance)(row); \
	VMOVDQU Y4, (4*distance)(row); VMOVDQU Y5, (5*distance)(row); \
	VMOVDQU Y6, (6*distance)(row); VMOVDQU Y7, (7*distance)(row)

	MOVQ rows_base+0(FP), block
	MOVQ rows_len+8(FP), words
	// the lower n bits of each 2n, for n = 32, 16, 8, 4, 2 and 1
	MOVQ $0x00000000ffffffff, AX; VMOVQ AX, X10; VPBROADCASTQ X10, Y10
	MOVQ $0x0000ffff0000ffff, AX; VMOVQ AX, X11; VPBROADCASTQ X11, Y11
	MOVQ $0x00ff00ff00ff00ff, AX; VMOVQ AX, X12; VPBROADCASTQ X12, Y12
	MOVQ $0x0f0f0f0f0f0f0f0f, AX; VMOVQ AX, X13; VPBROADCASTQ X13, Y13
	MOVQ $0x3333333333333333, AX; VMOVQ AX, X14; VPBROADCASTQ X14, Y14
	MOVQ $0x5555555555555555, AX; VMOVQ AX, X15; VPBROADCASTQ X15, Y15

block64:
	MOVQ block, row
	MOVL $8, left

apart: // steps of 32, 16 and 8
	EIGHT(512, 32, 16, 8, Y10, Y11, Y12)
	ADDQ $64, row
	DECL left
	JNE  apart
	MOVQ block, row
	MOVL $8, left

together: // steps of 4, 2 and 1
	EIGHT(64, 4, 2, 1, Y13, Y14, Y15)
	ADDQ $512, row
	DECL left
	JNE  together
	ADDQ $4096, block // the next 64 rows
	SUBQ $512, words
	JGT  block64 // the last row may have only half of its words
	VZEROUPPER
	RET
#undef block
#undef words
#undef row
#undef left
#undef SWAP
#undef EIGHT

// func forestSelectAVX2(rows []uint64, ops []uint32)
//
// Requires: AVX, AVX2
//
// Registers: SI: rows; R8: next operation; R9: elements of ops left; AX, BX, CX, DX: words of the
// result, the test, yes and no.
TEXT ·forestSelectAVX2(SB), NOSPLIT, $0-48
	MOVQ rows_base+0(FP), SI
	MOVQ ops_base+24(FP), R8
	MOVQ ops_len+32(FP), R9

op:
	MOVQ (R8), BX // the four indices
	MOVQ 8(R8), DX
	MOVL BX, AX
	SHRQ $32, BX
	MOVL DX, CX
	SHRQ $32, DX
	ADDQ $16, R8
	VMOVDQU (SI)(BX*8), Y0 // Y0, Y1 = test
	VMOVDQU 32(SI)(BX*8), Y1
	VPAND   (SI)(CX*8), Y0, Y2 // result = test & yes | no &^ test
	VPAND   32(SI)(CX*8), Y1, Y3
	VPANDN  (SI)(DX*8), Y0, Y0
	VPANDN  32(SI)(DX*8), Y1, Y1
	VPOR    Y2, Y0, Y0
	VPOR    Y3, Y1, Y1
	VMOVDQU Y0, (SI)(AX*8)
	VMOVDQU Y1, 32(SI)(AX*8) // store it
	SUBQ $4, R9
	JNE  op
	VZEROUPPER
	RET

// func forestAddF64AVX2(scores []float64, planes []uint64, trees []uint8, leaves []float64)
//
// Requires: AVX, AVX2
//
// Trees have at most eight planes. It processes 32 documents at a time and builds the leaf number
// of each document in a byte, from the highest plane to the lowest.
//
// Registers: R8: documents left; R9: trees; R10: trees left; CX: planes of the tree; AX: end of the
// planes left; R12: planes of the next tree; Y6: byte of each document; Y7: bit of each document;
// Y8-Y15: scores.
TEXT ·forestAddF64AVX2(SB), NOSPLIT, $0-96
#define score    DI  // the 32 documents' scores
#define word     SI  // the documents' bits in the first plane of all trees
#define leaf     R11 // leaves of the tree
#define plane0   BX  // the documents' bits in the first plane of the tree
#define number   Y0 // leaf numbers
#include "leaves_amd64.h"

	MOVQ scores_base+0(FP), score
	MOVQ scores_len+8(FP), R8
	MOVQ planes_base+24(FP), word
	VMOVDQU      forestSpread<>(SB), Y6
	VPBROADCASTQ forestBits<>(SB), Y7

documents:
	VMOVUPD (score), Y8;     VMOVUPD 32(score), Y9 // Y8-Y15 = scores[0:32]
	VMOVUPD 64(score), Y10;  VMOVUPD 96(score), Y11
	VMOVUPD 128(score), Y12; VMOVUPD 160(score), Y13
	VMOVUPD 192(score), Y14; VMOVUPD 224(score), Y15
	MOVQ word, plane0 // the first tree
	MOVQ trees_base+48(FP), R9
	MOVQ trees_len+56(FP), R10
	MOVQ leaves_base+72(FP), leaf

nextTree:
	MOVBLZX (R9), CX
	MOVQ    CX, AX // AX = end of its planes
	SHLQ    $6, AX
	ADDQ    plane0, AX
	MOVQ    AX, R12
	VPXOR   number, number, number

plane:
	SUBQ $64, AX
	VPBROADCASTD (AX), Y1 // Y1 = −(the document's bit of the plane)
	VPSHUFB  Y6, Y1, Y1
	VPAND    Y7, Y1, Y1
	VPCMPEQB Y7, Y1, Y1
	VPADDB   number, number, number // number = 2·number + bit
	VPSUBB   Y1, number, number
	CMPQ AX, plane0
	JNE  plane
	VEXTRACTI128 $1, number, X3
	VMOVQ   X0, DX // score += leaves[number], 8 documents at a time
	FOUR(leaf, Y8); FOUR(leaf, Y9)
	VPEXTRQ $1, X0, DX
	FOUR(leaf, Y10); FOUR(leaf, Y11)
	VMOVQ   X3, DX // documents 16 to 31
	FOUR(leaf, Y12); FOUR(leaf, Y13)
	VPEXTRQ $1, X3, DX
	FOUR(leaf, Y14); FOUR(leaf, Y15)
	MOVQ R12, plane0 // the next tree: skip the 1<<CX leaves of this one
	MOVBLZX (R9), CX
	MOVL $8, AX
	SHLQ CX, AX
	ADDQ AX, leaf
	INCQ R9
	DECQ R10
	JNE  nextTree

	VMOVUPD Y8, (score);     VMOVUPD Y9, 32(score) // scores[0:32] = Y8-Y15
	VMOVUPD Y10, 64(score);  VMOVUPD Y11, 96(score)
	VMOVUPD Y12, 128(score); VMOVUPD Y13, 160(score)
	VMOVUPD Y14, 192(score); VMOVUPD Y15, 224(score)
	ADDQ $256, score // the next 32 documents
	ADDQ $4, word
	SUBQ $32, R8
	JNE  documents
	VZEROUPPER
	RET
#undef score
#undef word
#undef leaf
#undef plane0
#undef number
#undef FOUR
