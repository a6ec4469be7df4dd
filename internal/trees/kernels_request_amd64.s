//go:build !purego

#include "go_asm.h"
#include "textflag.h"

// func walkF64AVX2(score float64, keys []uint32, cells []uint64, trees []uint32) float64
//
// Requires: AVX2
//
// Eight trees take turns, down to the last level that any of them has. No branch depends on the
// document.
//
// Registers: X0: score; SI: keys; DI: cells; AX, BX, CX, DX, R9-R12: cells of eight trees; R8:
// their elements of trees; R8, R13: scratch.
TEXT ·walkF64AVX2(SB), NOSPLIT, $24-88
// ROOT loads the root of tree i: n = trees[2i], R13 = max(R13, trees[2i+1]), the number of levels.
#define ROOT(i, n) \
	MOVL 8*i(R8), n; \
	CMPL R13, (8*i+4)(R8); \
	CMOVLCS (8*i+4)(R8), R13

// LEVEL moves on from cell n: n += cell.next + (cell.limit < keys[cell.row]), by the borrow of the
// comparison.
#define LEVEL(n) \
	MOVWLZX 4(DI)(n*8), R8; \
	MOVWLZX 6(DI)(n*8), R13; \
	MOVL    (SI)(R8*4), R8; \
	CMPL    (DI)(n*8), R8; \
	ADCQ    R13, n

	VMOVSD score+0(FP), X0
	MOVQ keys_base+8(FP), SI
	MOVQ cells_base+32(FP), DI
	MOVQ trees_len+64(FP), R8
	MOVQ R8, left-24(SP) // elements of trees left
	MOVQ trees_base+56(FP), R8

trees:
	XORL R13, R13 // the roots, and the number of levels
	ROOT(0, AX); ROOT(1, BX); ROOT(2, CX); ROOT(3, DX)
	ROOT(4, R9); ROOT(5, R10); ROOT(6, R11); ROOT(7, R12)
	ADDQ $64, R8
	MOVQ R8, next-16(SP) // the next eight trees
	MOVL R13, levels-8(SP)
	TESTL R13, R13
	JEQ  leaves

level:
	LEVEL(AX); LEVEL(BX) // one level down
	LEVEL(CX); LEVEL(DX)
	LEVEL(R9); LEVEL(R10)
	LEVEL(R11); LEVEL(R12)
	DECL levels-8(SP) // until the last level
	JNE  level

leaves:
	VADDSD 16(DI)(AX*8), X0, X0; VADDSD 16(DI)(BX*8), X0, X0 // score += values, tree by tree
	VADDSD 16(DI)(CX*8), X0, X0; VADDSD 16(DI)(DX*8), X0, X0
	VADDSD 16(DI)(R9*8), X0, X0; VADDSD 16(DI)(R10*8), X0, X0
	VADDSD 16(DI)(R11*8), X0, X0; VADDSD 16(DI)(R12*8), X0, X0
	MOVQ next-16(SP), R8 // the next eight trees
	SUBQ $16, left-24(SP)
	JNE  trees
	VMOVSD X0, ret+80(FP)
	RET
#undef ROOT
#undef LEVEL

// The values that are missing in addition to NaN, which are NaN if there are none, by the flag
// rankZero of a row.
DATA rankMissing<>+0(SB)/4, $0x7fc00000
DATA rankMissing<>+4(SB)/4, $0
GLOBL rankMissing<>(SB), RODATA|NOPTR, $8

// Where VPACKSSDW and VPACKSSWB leave each four of 32 elements.
DATA packOrder<>+0(SB)/8, $0x0703060205010400
GLOBL packOrder<>(SB), RODATA|NOPTR, $8

// func packRanksF32AVX2(table *PackTable, x []float32, docs, cols, stride int,
//	tiles, rows []uint32, blocks []float32)
//
// Requires: AVX, AVX2
//
// Tiles of 16 columns are transposed, 8 columns and 8 documents at a time. Then documents are
// lanes: all rows of the tile are searched for the first 32 documents, then for the others, as many
// eights as there are. A search goes down the levels of a block: from element 1, and from the
// element at place to the one at 2·place+1 if the value is above it, else to the one at 2·place.
//
// Registers: DI: table. Of a tile: R8: x at its next columns; BX: columns of x from there; R12:
// bytes of a stride; R13: next document; CX: documents left; DX, AX: place in the tile, and its
// end; Y13: mask of the columns. Of a search: R8: ranks; R12: rows left; R13: documents left; AX:
// the row; CX: its blocks left; BX, DX: scratch; Y0-Y3: values; Y4-Y7: ranks; Y8: element 1; Y9: 2;
// Y10, Y15: elements 0 to 3 and 4 to 7, twice.
TEXT ·packRanksF32AVX2(SB), NOSPLIT, $24-128
#define block  SI  // next block of thresholds
#define row    R9  // next row
#define tile   R10 // the tile's elements of tiles
#define column R11 // columns of the tile
#define above  Y13 // value > element 1
#define place  Y14 // places in the next level

// ROW loads 8 columns of a document into y, 0 when none is left, and prefetches the next tile's.
#define ROW(y, end) \
	VPXOR      y, y, y; \
	DECQ       CX; \
	JLT        end; \
	VMASKMOVPS (R13), Y13, y; \
	PREFETCHT0 (2*64-1)(R13); \
end: \
	ADDQ       R12, R13

// STORE writes a column of 8 documents, halves of a and b.
#define STORE(half, a, b, i) \
	VPERM2I128 half, b, a, Y5; \
	VMOVDQU    Y5, (i*4*const_PackSize)(DX)

// MISSING replaces missing values, which are NaN or equal Y4, by Y5.
#define MISSING(values) \
	VCMPPS    $3, values, values, Y6; \
	VCMPPS    $0, Y4, values, Y7; \
	VORPS     Y7, Y6, Y6; \
	VBLENDVPS Y6, Y5, values, values

// NEXT goes down a level, where the elements at the places are Y11: place = 2·place + (value >
// Y11). NaN is above all elements.
#define NEXT(values) \
	VCMPPS $6, Y11, values, Y11; \
	VPADDD place, place, place; \
	VPSUBD Y11, place, place

// FOURTH goes down four levels, from place 1: elements 1, 2 and 3, 4 to 7, and 8 to 15. HALF adds
// the places in a block of 16 elements to the ranks, WHOLE those in a block of 32.
#define FOURTH(values) \
	VCMPPS $6, Y8, values, above; \
	VPSUBD above, Y9, place; \
	VPERMILPS place, Y10, Y11; \
	NEXT(values); \
	VPERMILPS place, Y15, Y11; \
	NEXT(values); \
	VPERMPS   32(block), place, Y11; \
	NEXT(values)
#define HALF(values, ranks) \
	FOURTH(values); \
	VPADDD place, ranks, ranks
#define WHOLE(values, ranks) \
	FOURTH(values); \
	VPERMPS   64(block), place, Y11; \
	VPERMPS   96(block), place, Y12; \
	VBLENDVPS above, Y12, Y11, Y11; \
	NEXT(values); \
	VPADDD    place, ranks, ranks

// BLOCK adds the places of up to 32 values in a block, R13 of them, and goes to done.
#define BLOCK(ADD, done) \
	VBROADCASTSS   4(block), Y8; \
	VBROADCASTF128 (block), Y10; \
	VBROADCASTF128 16(block), Y15; \
	ADD(Y0, Y4); \
	CMPQ R13, $8; \
	JLE  done; \
	ADD(Y1, Y5); \
	CMPQ R13, $16; \
	JLE  done; \
	ADD(Y2, Y6); \
	CMPQ R13, $24; \
	JLE  done; \
	ADD(Y3, Y7)

	MOVQ table+0(FP), DI
	MOVQ tiles_base+56(FP), tile
	MOVQ tiles_len+64(FP), AX
	MOVQ AX, left-24(SP) // elements of tiles left
	MOVQ rows_base+80(FP), row
	MOVQ blocks_base+104(FP), block

nextTile:
	MOVL (tile), AX // start at the tile's first column
	MOVQ cols+40(FP), BX
	SUBQ AX, BX
	MOVQ x_base+8(FP), R8
	LEAQ (R8)(AX*4), R8
	MOVQ stride+48(FP), R12
	SHLQ $2, R12
	LEAQ PackTable_values(DI), column

columns:
	XORL  CX, CX // AX = columns that x has, 0 to 8
	MOVL  $8, AX
	CMPQ  BX, AX
	CMOVQLT BX, AX
	TESTQ AX, AX
	CMOVQLT CX, AX
	CMOVQGT docs+32(FP), CX // CX = documents, or 0 if AX is 0: then none is read
	NEGQ  AX
	LEAQ  github·com∕simdrank∕simdrank∕internal∕kern·Masks+96(SB), DX
	VMOVDQU (DX)(AX*4), Y13
	MOVQ  R8, R13 // start at document 0
	MOVQ  column, DX
	MOVQ  docs+32(FP), AX
	LEAQ  (DX)(AX*4), AX

eight:
#include "transpose_amd64.h"
	ADDQ $32, DX // the next 8 documents
	CMPQ DX, AX
	JLT  eight
	ADDQ $32, R8 // the next 8 columns of 16
	SUBQ $8, BX
	ADDQ $(8*4*const_PackSize), column
	LEAQ (PackTable_values+16*4*const_PackSize)(DI), DX
	CMPQ column, DX
	JLT  columns

	LEAQ  PackTable_values(DI), column // start the search at document 0
	LEAQ  PackTable_Ranks(DI), R8
	MOVQ  docs+32(FP), R13
	MOVL  $2, AX
	VMOVD AX, X9
	VPBROADCASTD X9, Y9
	MOVQ  row, rows-8(SP) // rows and blocks of the tile
	MOVQ  block, blocks-16(SP)

lanes:
	MOVQ rows-8(SP), row
	MOVQ blocks-16(SP), block
	MOVL 4(tile), R12

nextRow:
	MOVL    (row), AX // Y0-Y3 = values of the row's column
	MOVL    AX, BX
	SHRL    $6, BX
	ANDL    $(15*4*const_PackSize), BX
	VMOVUPS (column)(BX*1), Y0; VMOVUPS 32(column)(BX*1), Y1
	VMOVUPS 64(column)(BX*1), Y2; VMOVUPS 96(column)(BX*1), Y3
	MOVL    AX, BX // replace missing values by element 0, if the row has flags
	SHRL    $30, BX
	JEQ     search
	SHRL    $1, BX
	LEAQ    rankMissing<>(SB), DX
	VBROADCASTSS (DX)(BX*4), Y4
	VBROADCASTSS (block), Y5
	MISSING(Y0); MISSING(Y1); MISSING(Y2); MISSING(Y3)

search:
	MOVL    AX, CX // CX = blocks of 32 elements
	ANDL    $15, CX
	MOVL    CX, BX
	SHLL    $5, BX
	MOVL    AX, DX
	SHRL    $8, DX
	ANDL    $16, DX
	LEAL    128(BX)(DX*1), BX // ranks = −128 − all elements: a place begins with its block's
	NEGL    BX
	VMOVD   BX, X4
	VPBROADCASTD X4, Y4
	VMOVDQA Y4, Y5; VMOVDQA Y4, Y6; VMOVDQA Y4, Y7
	TESTL   CX, CX // are there such blocks?
	JEQ     short

nextBlock:
	BLOCK(WHOLE, whole)

whole:
	ADDQ $(4*const_rankBlock), block
	DECL CX
	JNE  nextBlock

short:
	TESTL $const_rankShort, AX // the last block may have 16 elements
	JEQ   rank
	BLOCK(HALF, half)

half:
	ADDQ $(2*const_rankBlock), block

rank:
	VPMOVZXBD packOrder<>(SB), Y10 // store the ranks as bytes, in the order of documents
	VPACKSSDW Y5, Y4, Y4
	VPACKSSDW Y7, Y6, Y6
	VPACKSSWB Y6, Y4, Y4
	VPERMD    Y4, Y10, Y4
	SHLL      $2, AX
	ANDL      $(255*const_PackSize), AX
	VMOVDQU   Y4, (R8)(AX*1)
	ADDQ      $4, row // the next row
	DECQ      R12
	JNE       nextRow
	ADDQ $32, R8 // the next 32 documents
	ADDQ $(4*32), column
	SUBQ $32, R13
	JGT  lanes
	ADDQ $8, tile // the next tile
	SUBQ $2, left-24(SP)
	JGT  nextTile
	VZEROUPPER
	RET
#undef block
#undef row
#undef tile
#undef column
#undef above
#undef place
#undef ROW
#undef STORE
#undef MISSING
#undef NEXT
#undef FOURTH
#undef HALF
#undef WHOLE
#undef BLOCK

// func packSumF64AVX2(scores []float64, ranks *[RankRows][PackSize]uint8,
//	splits, pairs []uint32, values []float64, trees int, masked bool)
//
// Requires: AVX, AVX2
//
// Documents are lanes, of bytes. Two trees take turns, because a split waits for the one before it.
// The leaves of both are kept on the stack, 64 of each, and added to the scores tree by tree.
//
// Registers: R9: pairs; R10: trees left; BX: bytes of a tree's values; CX: steps left; R12:
// documents that have their sums; Y0, Y1: leaves of the first tree; Y2, Y3: of the second one; AX,
// CX, DX: scratch.
TEXT ·packSumF64AVX2(SB), NOSPLIT, $128-113
#define score  DI
#define rank   R8  // ranks, 64 for each row
#define split  SI  // next splits of both trees
#define first  R11 // values of the first tree
#define second R13 // values of the second tree
#include "leaves_amd64.h"

// SPLIT moves the leaves of 32 documents by the split at at: leaves += left, if the document is at
// its first leaf and its rank is not less.
#define SPLIT(at, leaves, a, b, c, row) \
	MOVBLZX      (at)(split), row; \
	VPBROADCASTB (at+1)(split), a; \
	VPBROADCASTB (at+2)(split), b; \
	VPBROADCASTB (at+3)(split), c; \
	SHLL         $6, row; \
	VPCMPGTB     (rank)(row*1), a, a; \
	VPCMPEQB     leaves, b, b; \
	VPANDN       c, a, a; \
	VPAND        a, b, b; \
	VPADDB       b, leaves, leaves

// BOTH moves the leaves of 64 documents, the second 32 in more, and loads the split once.
#define BOTH(at, leaves, more, a, b, c, e, f, row) \
	MOVBLZX      (at)(split), row; \
	VPBROADCASTB (at+1)(split), a; \
	VPBROADCASTB (at+2)(split), b; \
	VPBROADCASTB (at+3)(split), c; \
	SHLL         $6, row; \
	VPCMPGTB     (rank)(row*1), a, e; \
	VPCMPGTB     32(rank)(row*1), a, a; \
	VPCMPEQB     leaves, b, f; \
	VPCMPEQB     more, b, b; \
	VPANDN       c, e, e; \
	VPANDN       c, a, a; \
	VPAND        e, f, f; \
	VPAND        a, b, b; \
	VPADDB       f, leaves, leaves; \
	VPADDB       b, more, more

// SPLITMASKED is SPLIT, and BOTHMASKED is BOTH, with masks. m is scratch.
#define SPLITMASKED(at, leaves, a, b, c, m, row) \
	MOVBLZX      (at)(split), row; \
	VPBROADCASTB (at+4)(split), m; \
	VPBROADCASTB (at+1)(split), a; \
	VPBROADCASTB (at+2)(split), b; \
	VPBROADCASTB (at+3)(split), c; \
	SHLL         $6, row; \
	VPAND        (rank)(row*1), m, m; \
	VPCMPGTB     m, a, a; \
	VPCMPEQB     leaves, b, b; \
	VPANDN       c, a, a; \
	VPAND        a, b, b; \
	VPADDB       b, leaves, leaves
#define BOTHMASKED(at, leaves, more, a, b, c, e, f, m, row) \
	MOVBLZX      (at)(split), row; \
	VPBROADCASTB (at+4)(split), m; \
	VPBROADCASTB (at+1)(split), a; \
	VPBROADCASTB (at+2)(split), b; \
	VPBROADCASTB (at+3)(split), c; \
	SHLL         $6, row; \
	VPAND        (rank)(row*1), m, e; \
	VPAND        32(rank)(row*1), m, m; \
	VPCMPGTB     e, a, e; \
	VPCMPGTB     m, a, a; \
	VPCMPEQB     leaves, b, f; \
	VPCMPEQB     more, b, b; \
	VPANDN       c, e, e; \
	VPANDN       c, a, a; \
	VPAND        e, f, f; \
	VPAND        a, b, b; \
	VPADDB       f, leaves, leaves; \
	VPADDB       b, more, more

	MOVQ scores_base+0(FP), score
	MOVQ ranks+24(FP), rank
	MOVQ splits_base+32(FP), split
	MOVQ pairs_base+56(FP), R9
	MOVQ values_base+80(FP), first
	MOVQ trees+104(FP), R10

pair:
	MOVL  (R9), CX // CX = steps, BX = 8·values of a tree
	MOVL  4(R9), BX
	SHLQ  $3, BX
	ADDQ  $8, R9
	VPXOR Y0, Y0, Y0; VPXOR Y1, Y1, Y1 // all documents at leaf 0
	VPXOR Y2, Y2, Y2; VPXOR Y3, Y3, Y3
	TESTL CX, CX
	JEQ   leaves
	CMPB  masked+112(FP), $0
	JNE   masked
	CMPQ  scores_len+8(FP), $32 // up to 32 documents need one vector of each tree
	JGT   both

step:
	SPLIT(0, Y0, Y4, Y5, Y6, AX) // one split of each tree
	SPLIT(4, Y2, Y7, Y8, Y9, DX)
	ADDQ $8, split
	DECL CX
	JNE  step
	JMP  leaves

both:
	BOTH(0, Y0, Y1, Y4, Y5, Y6, Y7, Y8, AX) // one split of each tree
	BOTH(4, Y2, Y3, Y9, Y10, Y11, Y12, Y13, DX)
	ADDQ $8, split
	DECL CX
	JNE  both
	JMP  leaves

masked:
	CMPQ scores_len+8(FP), $32
	JGT  bothMasked

stepMasked:
	SPLITMASKED(0, Y0, Y4, Y5, Y6, Y10, AX) // one split of each tree
	SPLITMASKED(8, Y2, Y7, Y8, Y9, Y11, DX)
	ADDQ $16, split
	DECL CX
	JNE  stepMasked
	JMP  leaves

bothMasked:
	BOTHMASKED(0, Y0, Y1, Y4, Y5, Y6, Y7, Y8, Y14, AX) // one split of each tree
	BOTHMASKED(8, Y2, Y3, Y9, Y10, Y11, Y12, Y13, Y15, DX)
	ADDQ $16, split
	DECL CX
	JNE  bothMasked

leaves: // keep the leaves, and start at document 0
	VMOVDQU Y0, leafOne-128(SP); VMOVDQU Y1, leafOne-96(SP)
	VMOVDQU Y2, leafTwo-64(SP); VMOVDQU Y3, leafTwo-32(SP)
	XORL    R12, R12
	LEAQ    (first)(BX*1), second
	SUBQ    $2, R10
	JLT     last

sums:
	VMOVUPD (score)(R12*8), Y4; VMOVUPD 32(score)(R12*8), Y5 // 8 scores += values of both trees
	MOVQ    leafOne-128(SP)(R12*1), DX
	FOUR(first, Y4); FOUR(first, Y5)
	MOVQ    leafTwo-64(SP)(R12*1), DX
	FOUR(second, Y4); FOUR(second, Y5)
	VMOVUPD Y4, (score)(R12*8); VMOVUPD Y5, 32(score)(R12*8)
	ADDQ    $8, R12 // the next 8 documents
	CMPQ    R12, scores_len+8(FP)
	JLT     sums
	LEAQ (second)(BX*1), first // the next pair
	TESTQ R10, R10
	JNE  pair
	VZEROUPPER
	RET

last:
	VMOVUPD (score)(R12*8), Y4; VMOVUPD 32(score)(R12*8), Y5 // 8 scores += values of the last tree
	MOVQ    leafOne-128(SP)(R12*1), DX
	FOUR(first, Y4); FOUR(first, Y5)
	VMOVUPD Y4, (score)(R12*8); VMOVUPD Y5, 32(score)(R12*8)
	ADDQ    $8, R12 // the next 8 documents
	CMPQ    R12, scores_len+8(FP)
	JLT     last
	VZEROUPPER
	RET
#undef score
#undef rank
#undef split
#undef first
#undef second
#undef FOUR
#undef SPLIT
#undef BOTH
#undef SPLITMASKED
#undef BOTHMASKED
