//go:build !purego

#include "go_asm.h"
#include "textflag.h"
#include "leaves_amd64.h"

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
// 32. FOURTH finds the first four levels.
#define FOURTH(values) \
	FIRST(values); \
	VPERMPS (SI), Y14, Y11; \
	NEXT(values); \
	VPERMPS (SI), Y14, Y11; \
	NEXT(values); \
	VPERMPS 32(SI), Y14, Y11; \
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

// func documentPackRanksF32AVX2(table *DocumentPackTable, rows []uint32, blocks []float32) int
//
// Requires: AVX2
//
// The rows of a tile, whose values are in table.values. Documents are lanes. A search goes through
// the levels of blocks as that of documentTablesF32AVX512 does, by the lowest three bits of places.
// It returns the number of elements of blocks that the rows have.
//
// DI ranks   SI blocks   R9 rows   R12 rows left   R11 values   AX row   CX blocks left
// BX, DX scratch   Y0 to Y3 values   Y4 to Y7 ranks   Y10 order of the bytes
TEXT ·documentPackRanksF32AVX2(SB), NOSPLIT, $0-64
	MOVQ table+0(FP), DI
	MOVQ rows_base+8(FP), R9
	MOVQ rows_len+16(FP), R12
	MOVQ blocks_base+32(FP), SI
	LEAQ DocumentPackTable_values(DI), R11
	LEAQ DocumentPackTable_Ranks(DI), DI
	MOVL $2, AX
	VMOVD AX, X9
	VPBROADCASTD X9, Y9
	VPMOVZXBD documentPacked<>(SB), Y10

row:
	MOVL    (R9), AX
	MOVL    AX, BX
	SHRL    $3, BX
	ANDL    $(15*4*const_ForestRows), BX
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
	VBROADCASTSS 4(SI), Y8
	WHOLE(Y0, Y4)
	WHOLE(Y1, Y5)
	WHOLE(Y2, Y6)
	WHOLE(Y3, Y7)
	ADDQ    $(4*const_documentBlock), SI
	DECL    CX
	JNE     block

short:
	TESTL   $const_documentShort, AX
	JEQ     rank
	VBROADCASTSS 4(SI), Y8
	HALF(Y0, Y4)
	HALF(Y1, Y5)
	HALF(Y2, Y6)
	HALF(Y3, Y7)
	ADDQ    $(2*const_documentBlock), SI

rank:
	VPACKSSDW Y5, Y4, Y4
	VPACKSSDW Y7, Y6, Y6
	VPACKSSWB Y6, Y4, Y4
	VPERMD    Y4, Y10, Y4
	ADDL      AX, AX
	ANDL      $(255*const_DocumentPack), AX
	VMOVDQU   Y4, (DI)(AX*1)
	ADDQ      $4, R9
	DECQ      R12
	JNE       row
	SUBQ blocks_base+32(FP), SI
	SHRQ $2, SI
	MOVQ SI, ret+56(FP)
	VZEROUPPER
	RET

// SPLIT moves the leaves of the documents by a split at at. R8 ranks   a, b, c, row scratch.
#define SPLIT(at, leaves, a, b, c, row) \
	MOVL         (at)(SI), row; \
	VPBROADCASTD (at+4)(SI), a; \
	VPBROADCASTD (at+8)(SI), b; \
	VPBROADCASTD (at+12)(SI), c; \
	VPCMPGTB     (R8)(row*1), a, a; \
	VPCMPEQB     leaves, b, b; \
	VPANDN       c, a, a; \
	VPAND        a, b, b; \
	VPADDB       b, leaves, leaves

// func documentPackSumF64AVX2(scores *[DocumentPack]float64, ranks *[DocumentRows][DocumentPack]int8,
//	splits, pairs []uint32, values []float64, trees int)
//
// Requires: AVX2
//
// Documents are lanes, of bytes. Two trees take turns, for each split waits for the one before it.
//
// DI scores   R8 ranks   SI splits   R9 pairs   R10 trees left   R11 values of a tree, BX their
// bytes   CX steps left   Y0, Y7 leaves   Y8 to Y15 scores
TEXT ·documentPackSumF64AVX2(SB), NOSPLIT, $0-96
	MOVQ scores+0(FP), DI
	MOVQ ranks+8(FP), R8
	MOVQ splits_base+16(FP), SI
	MOVQ pairs_base+40(FP), R9
	MOVQ values_base+64(FP), R11
	MOVQ trees+88(FP), R10
	LOAD_SCORES

pair:
	MOVL  (R9), CX
	MOVL  4(R9), BX
	SHLQ  $3, BX
	ADDQ  $8, R9
	VPXOR Y0, Y0, Y0
	VPXOR Y7, Y7, Y7
	TESTL CX, CX
	JEQ   sum

step:
	SPLIT(0, Y0, Y1, Y2, Y3, AX)
	SPLIT(16, Y7, Y4, Y5, Y6, DX)
	ADDQ $32, SI
	DECL CX
	JNE  step

sum:
	LEAVES
	ADDQ BX, R11
	DECQ R10
	JEQ  end
	VMOVDQA Y7, Y0
	LEAVES
	ADDQ BX, R11
	DECQ R10
	JNE  pair

end:
	STORE_SCORES
	VZEROUPPER
	RET
