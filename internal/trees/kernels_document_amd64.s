//go:build !purego

#include "go_asm.h"
#include "textflag.h"
#include "leaves_amd64.h"
#include "transpose_amd64.h"

// LEVEL moves the cell n one level down: a limit that is less than the key borrows. SI keys, DI
// cells, R8 and R13 scratch.
#define LEVEL(n) \
	MOVWLZX 4(DI)(n*8), R8; \
	MOVWLZX 6(DI)(n*8), R13; \
	MOVL    (SI)(R8*4), R8; \
	CMPL    (DI)(n*8), R8; \
	ADCQ    R13, n

// ROOT loads the root of tree i, and raises the levels in R13 to its own. R8 trees.
#define ROOT(i, n) \
	MOVL 8*i(R8), n; \
	CMPL R13, (8*i+4)(R8); \
	CMOVLCS (8*i+4)(R8), R13

// func documentWalkF64AVX2(score float64, keys []uint32, cells []uint64, trees []uint32) float64
//
// Requires: AVX2
//
// X0 score   SI keys   DI cells   AX BX CX DX R9 R10 R11 R12 cells of eight trees. What is left of
// trees, and the levels that are left of these eight, are in memory.
TEXT ·documentWalkF64AVX2(SB), NOSPLIT, $8-88
	VMOVSD score+0(FP), X0
	MOVQ keys_base+8(FP), SI
	MOVQ cells_base+32(FP), DI

trees:
	MOVQ trees_base+56(FP), R8
	XORL R13, R13
	ROOT(0, AX)
	ROOT(1, BX)
	ROOT(2, CX)
	ROOT(3, DX)
	ROOT(4, R9)
	ROOT(5, R10)
	ROOT(6, R11)
	ROOT(7, R12)
	ADDQ $64, R8
	MOVQ R8, trees_base+56(FP)
	MOVL R13, levels-8(SP)
	TESTL R13, R13
	JEQ  leaves

level:
	LEVEL(AX)
	LEVEL(BX)
	LEVEL(CX)
	LEVEL(DX)
	LEVEL(R9)
	LEVEL(R10)
	LEVEL(R11)
	LEVEL(R12)
	DECL levels-8(SP)
	JNE  level

leaves:
	VADDSD 16(DI)(AX*8), X0, X0
	VADDSD 16(DI)(BX*8), X0, X0
	VADDSD 16(DI)(CX*8), X0, X0
	VADDSD 16(DI)(DX*8), X0, X0
	VADDSD 16(DI)(R9*8), X0, X0
	VADDSD 16(DI)(R10*8), X0, X0
	VADDSD 16(DI)(R11*8), X0, X0
	VADDSD 16(DI)(R12*8), X0, X0
	SUBQ $16, trees_len+64(FP)
	JNE  trees
	VMOVSD X0, ret+80(FP)
	RET

// Which values are missing beside NaN, which is itself where there are none, and what becomes of
// missing ones, by the flags of a row, documentLeft and twice documentZero.
DATA documentMissing<>+0(SB)/8, $0x7fc000007fc00000
DATA documentMissing<>+8(SB)/8, $0xff8000007fc00000
DATA documentMissing<>+16(SB)/8, $0x7fc0000000000000
DATA documentMissing<>+24(SB)/8, $0xff80000000000000
GLOBL documentMissing<>(SB), RODATA|NOPTR, $32

// Where VPACKSSDW and VPACKSSWB leave each four of 32 elements.
DATA documentPacked<>+0(SB)/8, $0x0703060205010400
GLOBL documentPacked<>(SB), RODATA|NOPTR, $8

// MISSING replaces the missing of 8 values. Y4 what is missing beside NaN   Y5 what becomes of it.
#define MISSING(values) \
	VCMPPS    $3, values, values, Y6; \
	VCMPPS    $0, Y4, values, Y7; \
	VORPS     Y7, Y6, Y6; \
	VBLENDVPS Y6, Y5, values, values

// FIRST sets the places Y14 behind the first element of a block, Y8, and Y13 to whether the values
// are above it, which NaN is; NEXT goes on to the next level, of elements Y11. Y9 2.
#define FIRST(values) \
	VCMPPS $6, Y8, values, Y13; \
	VPSUBD Y13, Y9, Y14
#define NEXT(values) \
	VCMPPS $6, Y11, values, Y11; \
	VPADDD Y14, Y14, Y14; \
	VPSUBD Y11, Y14, Y14

// HALF adds the places of 8 values in a block of 16 elements to their ranks, WHOLE those in one of
// 32. FOURTH finds the first four levels. Y10 elements 0 to 3, Y15 elements 4 to 7, twice.
#define FOURTH(values) \
	FIRST(values); \
	VPERMILPS Y14, Y10, Y11; \
	NEXT(values); \
	VPERMILPS Y14, Y15, Y11; \
	NEXT(values); \
	VPERMPS   32(SI), Y14, Y11; \
	NEXT(values)
#define HALF(values, ranks) \
	FOURTH(values); \
	VPADDD Y14, ranks, ranks
#define WHOLE(values, ranks) \
	FOURTH(values); \
	VPERMPS   64(SI), Y14, Y11; \
	VPERMPS   96(SI), Y14, Y12; \
	VBLENDVPS Y13, Y12, Y11, Y11; \
	NEXT(values); \
	VPADDD    Y14, ranks, ranks

// BLOCK adds the places of up to 32 values in a block, R13 of them, and goes to done.
#define BLOCK(ADD, done) \
	VBROADCASTSS   4(SI), Y8; \
	VBROADCASTF128 (SI), Y10; \
	VBROADCASTF128 16(SI), Y15; \
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

// ROW loads 8 columns of a document, those of the mask Y13, into y, and fetches what the next tile
// reads of it; CX counts the documents down, and those that there are not have values of 0.
#define ROW(y) \
	VPXOR       y, y, y; \
	DECQ        CX; \
	JLT         3(PC); \
	VMASKMOVPS  (R13), Y13, y; \
	PREFETCHT0  (2*64-1)(R13); \
	ADDQ        R12, R13

// STORE writes a column of 8 documents, halves of a and b.
#define STORE(half, a, b, i) \
	VPERM2I128 half, b, a, Y5; \
	VMOVDQU    Y5, (i*4*const_DocumentPack)(DX)

// func documentPackRanksF32AVX2(table *DocumentPackTable, x []float32, docs, cols, stride int,
//	tiles, rows []uint32, blocks []float32)
//
// Requires: AVX, AVX2
//
// Tiles of 16 columns are transposed, 8 documents at a time. Then documents are lanes, of which 32
// are searched for all rows of the tile before the others, as many eights as there are. A search
// goes through the levels of blocks as that of documentTablesF32AVX512 does, by the lowest bits of
// places.
//
// DI table   SI blocks   R9 rows   R10 tiles   R11 columns of the tile
// Of a tile: R8 x   BX columns of x   R12 bytes of a stride   R13 document   CX documents left
// DX place in the tile, and AX its end
// Of a search: R8 ranks   R12 rows left   R13 documents left   AX row   CX blocks left   BX, DX
// scratch   Y0 to Y3 values   Y4 to Y7 ranks   Y9 2
TEXT ·documentPackRanksF32AVX2(SB), NOSPLIT, $16-128
	MOVQ table+0(FP), DI
	MOVQ tiles_base+56(FP), R10
	MOVQ rows_base+80(FP), R9
	MOVQ blocks_base+104(FP), SI

tile:
	MOVL (R10), AX
	MOVQ cols+40(FP), BX
	SUBQ AX, BX
	MOVQ x_base+8(FP), R8
	LEAQ (R8)(AX*4), R8
	MOVQ stride+48(FP), R12
	SHLQ $2, R12
	LEAQ DocumentPackTable_values(DI), R11

columns:
	XORL  CX, CX
	MOVL  $8, AX
	CMPQ  BX, AX
	CMOVQLT BX, AX
	TESTQ AX, AX
	CMOVQLT CX, AX
	CMOVQGT docs+32(FP), CX       // no document has a column that x lacks
	NEGQ  AX
	LEAQ  github·com∕simdrank∕simdrank∕internal∕kern·Masks+96(SB), DX
	VMOVDQU (DX)(AX*4), Y13
	MOVQ  R8, R13
	MOVQ  R11, DX
	MOVQ  docs+32(FP), AX
	LEAQ  (DX)(AX*4), AX

eight:
	TILE
	ADDQ $32, DX
	CMPQ DX, AX
	JLT  eight
	ADDQ $32, R8
	SUBQ $8, BX
	ADDQ $(8*4*const_DocumentPack), R11
	LEAQ (DocumentPackTable_values+16*4*const_DocumentPack)(DI), DX
	CMPQ R11, DX
	JLT  columns

	LEAQ  DocumentPackTable_values(DI), R11
	LEAQ  DocumentPackTable_Ranks(DI), R8
	MOVQ  docs+32(FP), R13
	MOVL  $2, AX
	VMOVD AX, X9
	VPBROADCASTD X9, Y9
	MOVQ  R9, rows-8(SP)
	MOVQ  SI, blocks-16(SP)

lanes:
	MOVQ rows-8(SP), R9
	MOVQ blocks-16(SP), SI
	MOVL 4(R10), R12

row:
	MOVL    (R9), AX
	MOVL    AX, BX
	SHRL    $6, BX
	ANDL    $(15*4*const_DocumentPack), BX
	VMOVUPS (R11)(BX*1), Y0
	VMOVUPS 32(R11)(BX*1), Y1
	VMOVUPS 64(R11)(BX*1), Y2
	VMOVUPS 96(R11)(BX*1), Y3
	MOVL    AX, BX
	SHRL    $30, BX
	JEQ     search
	LEAQ    documentMissing<>(SB), DX
	VBROADCASTSS (DX)(BX*8), Y4
	VBROADCASTSS 4(DX)(BX*8), Y5
	MISSING(Y0)
	MISSING(Y1)
	MISSING(Y2)
	MISSING(Y3)

search:
	MOVL    AX, CX
	ANDL    $15, CX
	MOVL    CX, BX
	SHLL    $5, BX
	MOVL    AX, DX
	SHRL    $8, DX
	ANDL    $16, DX
	LEAL    128(BX)(DX*1), BX     // places begin with the number of a block's elements
	NEGL    BX
	VMOVD   BX, X4
	VPBROADCASTD X4, Y4
	VMOVDQA Y4, Y5
	VMOVDQA Y4, Y6
	VMOVDQA Y4, Y7
	TESTL   CX, CX
	JEQ     short

block:
	BLOCK(WHOLE, whole)

whole:
	ADDQ $(4*const_documentBlock), SI
	DECL CX
	JNE  block

short:
	TESTL $const_documentShort, AX
	JEQ   rank
	BLOCK(HALF, half)

half:
	ADDQ $(2*const_documentBlock), SI

rank:
	VPMOVZXBD documentPacked<>(SB), Y10
	VPACKSSDW Y5, Y4, Y4
	VPACKSSDW Y7, Y6, Y6
	VPACKSSWB Y6, Y4, Y4
	VPERMD    Y4, Y10, Y4
	SHLL      $2, AX
	ANDL      $(255*const_DocumentPack), AX
	VMOVDQU   Y4, (R8)(AX*1)
	ADDQ      $4, R9
	DECQ      R12
	JNE       row
	ADDQ $32, R8
	ADDQ $(4*32), R11
	SUBQ $32, R13
	JGT  lanes
	ADDQ $8, R10
	SUBQ $2, tiles_len+64(FP)
	JGT  tile
	VZEROUPPER
	RET

// SPLIT moves the leaves of 32 documents by a split at at. R8 ranks   a, b, c, row scratch.
#define SPLIT(at, leaves, a, b, c, row) \
	MOVBLZX      (at)(SI), row; \
	VPBROADCASTB (at+1)(SI), a; \
	VPBROADCASTB (at+2)(SI), b; \
	VPBROADCASTB (at+3)(SI), c; \
	SHLL         $6, row; \
	VPCMPGTB     (R8)(row*1), a, a; \
	VPCMPEQB     leaves, b, b; \
	VPANDN       c, a, a; \
	VPAND        a, b, b; \
	VPADDB       b, leaves, leaves

// BOTH moves those of 64, more of which is the second half, with one load of what splits have.
#define BOTH(at, leaves, more, a, b, c, e, f, row) \
	MOVBLZX      (at)(SI), row; \
	VPBROADCASTB (at+1)(SI), a; \
	VPBROADCASTB (at+2)(SI), b; \
	VPBROADCASTB (at+3)(SI), c; \
	SHLL         $6, row; \
	VPCMPGTB     (R8)(row*1), a, e; \
	VPCMPGTB     32(R8)(row*1), a, a; \
	VPCMPEQB     leaves, b, f; \
	VPCMPEQB     more, b, b; \
	VPANDN       c, e, e; \
	VPANDN       c, a, a; \
	VPAND        e, f, f; \
	VPAND        a, b, b; \
	VPADDB       f, leaves, leaves; \
	VPADDB       b, more, more

// func documentPackSumF64AVX2(scores []float64, ranks *[DocumentRows][DocumentPack]int8,
//	splits, pairs []uint32, values []float64, trees int)
//
// Requires: AVX, AVX2
//
// Documents are lanes, of bytes. Two trees take turns, for each split waits for the one before it.
// The leaves of both are kept on the stack, 64 of each, and added to scores tree by tree.
//
// DI scores   R8 ranks   SI splits   R9 pairs   R10 trees left   R11 values of a tree, BX their
// bytes   R13 values of the other   CX steps left   R12 documents that have their sums
// Y0, Y1 leaves   Y2, Y3 of the other tree   AX, CX, DX scratch
TEXT ·documentPackSumF64AVX2(SB), NOSPLIT, $128-112
	MOVQ scores_base+0(FP), DI
	MOVQ ranks+24(FP), R8
	MOVQ splits_base+32(FP), SI
	MOVQ pairs_base+56(FP), R9
	MOVQ values_base+80(FP), R11
	MOVQ trees+104(FP), R10

pair:
	MOVL  (R9), CX
	MOVL  4(R9), BX
	SHLQ  $3, BX
	ADDQ  $8, R9
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
	VPXOR Y2, Y2, Y2
	VPXOR Y3, Y3, Y3
	TESTL CX, CX
	JEQ   leaves
	CMPQ  scores_len+8(FP), $32
	JGT   both

step:
	SPLIT(0, Y0, Y4, Y5, Y6, AX)
	SPLIT(4, Y2, Y7, Y8, Y9, DX)
	ADDQ $8, SI
	DECL CX
	JNE  step
	JMP  leaves

both:
	BOTH(0, Y0, Y1, Y4, Y5, Y6, Y7, Y8, AX)
	BOTH(4, Y2, Y3, Y9, Y10, Y11, Y12, Y13, DX)
	ADDQ $8, SI
	DECL CX
	JNE  both

leaves:
	VMOVDQU Y0, 0(SP)
	VMOVDQU Y1, 32(SP)
	VMOVDQU Y2, 64(SP)
	VMOVDQU Y3, 96(SP)
	XORL    R12, R12
	LEAQ    (R11)(BX*1), R13
	SUBQ    $2, R10
	JLT     last

sums:
	VMOVUPD (DI)(R12*8), Y4
	VMOVUPD 32(DI)(R12*8), Y5
	MOVQ    0(SP)(R12*1), DX
	FOUR(R11, Y4)
	FOUR(R11, Y5)
	MOVQ    64(SP)(R12*1), DX
	FOUR(R13, Y4)
	FOUR(R13, Y5)
	VMOVUPD Y4, (DI)(R12*8)
	VMOVUPD Y5, 32(DI)(R12*8)
	ADDQ    $8, R12
	CMPQ    R12, scores_len+8(FP)
	JLT     sums
	LEAQ (R13)(BX*1), R11
	TESTQ R10, R10
	JNE  pair
	VZEROUPPER
	RET

last:
	VMOVUPD (DI)(R12*8), Y4
	VMOVUPD 32(DI)(R12*8), Y5
	MOVQ    0(SP)(R12*1), DX
	FOUR(R11, Y4)
	FOUR(R11, Y5)
	VMOVUPD Y4, (DI)(R12*8)
	VMOVUPD Y5, 32(DI)(R12*8)
	ADDQ    $8, R12
	CMPQ    R12, scores_len+8(FP)
	JLT     last
	VZEROUPPER
	RET
