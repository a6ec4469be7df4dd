//go:build !purego

#include "go_asm.h"
#include "textflag.h"

// Kernels of single documents and of packs for AVX-512.

// Names and macros of the two searches for ranks.
#define row      R9  // next row
#define tile     R10 // the tile's elements of tiles
#define column   R11 // values of a tile by columns
#define rank     R13 // ranks by rows
#define block    SI  // next block of thresholds
#define ones     Z16 // 1
#define elements Z20 // elements 0 to 15 of the block
#define element1 Z21

// MASK advances BX from x to the tile's columns, and sets DX and K1 to the mask of the tile's
// columns if x has CX columns in all. It sets the flags by DX.
#define MASK \
	MOVL    (tile), AX; \
	LEAQ    (BX)(AX*4), BX; \
	XORL    DX, DX; \
	SUBQ    AX, CX; \
	CMOVQLT DX, CX; \
	MOVL    $16, DX; \
	CMPQ    CX, DX; \
	CMOVQGT DX, CX; \
	MOVL    $1, DX; \
	SHLL    CX, DX; \
	DECL    DX; \
	KMOVW   DX, K1

// ROW loads the tile's columns of a document into z, 0 when none is left, and prefetches the
// columns after them.
#define ROW(z, end) \
	VPXORD      z, z, z; \
	DECQ        CX; \
	JLT         end; \
	VMOVDQU32.Z (BX), K1, z; \
	PREFETCHT0  64(BX); \
	ADDQ        R8, BX; \
end:

// NEXT goes down a level: place = 2·place + sign of (table[place] − value). The sign is 1 if the
// value is above the element; the difference of equal numbers is +0. FIRST does so from place 1.
#define FIRST(values, places, t) \
	VSUBPS  values, element1, t; \
	VPSHLDD $1, t, ones, places
#define NEXT(table, values, places, t) \
	VPERMPS table, places, t; \
	VSUBPS  values, t, t; \
	VPSHLDD $1, t, places, places

// func rankTableF32AVX512(ranks *[RankRows]uint8, values *[RankRows]float32, x []float32,
//	features, groups []uint32, missing, thresholds []float32)
//
// Requires: AVX512F, AVX512DQ
//
// A gather takes longer than 16 loads and stores.
//
// Registers: DI: ranks; SI: values; BX: x; DX: len(x); R8: features; CX: features left, then
// thresholds left; R9: groups; R10: groups left; R11: thresholds; R13: values of missing ones; Z0:
// values; K3: missing ones; Z1, Z2: thresholds that are exceeded; Z28: 1; Z27: 0.
TEXT ·rankTableF32AVX512(SB), NOSPLIT, $0-136
// VALUE copies the value of feature i, or 0 if x lacks it.
#define VALUE(i) \
	MOVL    (4*i)(R8), AX; \
	XORL    R12, R12; \
	CMPQ    AX, DX; \
	JCC     2(PC); \
	MOVL    (BX)(AX*4), R12; \
	MOVL    R12, (4*i)(SI)

	MOVQ ranks+0(FP), DI
	MOVQ values+8(FP), SI
	MOVQ x_base+16(FP), BX
	MOVQ x_len+24(FP), DX
	MOVQ features_base+40(FP), R8
	MOVQ features_len+48(FP), CX
	MOVQ groups_base+64(FP), R9 // 16 rows each
	MOVQ groups_len+72(FP), R10
	MOVQ missing_base+88(FP), R13
	MOVQ thresholds_base+112(FP), R11
	MOVL $1, AX // Z28 = 1, Z27 = 0
	VPBROADCASTD AX, Z28
	VPXORD Z27, Z27, Z27

value:
	VALUE(0); VALUE(1) // values[r] = x[features[r]]
	VALUE(2); VALUE(3)
	ADDQ $16, R8
	ADDQ $16, SI
	SUBQ $4, CX
	JNE  value
	MOVQ values+8(FP), SI // groups of 16 features have two elements each
	SHRQ $1, R10

group:
	VMOVUPS   (SI), Z0 // K2 = rows that 0 is missing in
	KMOVW     4(R9), K2
	VCMPPS    $0, Z27, Z0, K2, K3 // K3 = missing values, which are replaced
	VCMPPS    $3, Z0, Z0, K4
	KORW      K3, K4, K3
	VMOVUPS   (R13), K3, Z0
	VPXORD    Z1, Z1, Z1 // Z1 + Z2 = number of thresholds that the value is above
	VPXORD    Z2, Z2, Z2
	MOVL      (R9), CX
	TESTL     $1, CX // if the number is odd: one threshold alone
	JEQ       even
	VCMPPS    $22, (R11), Z0, K1 // NaN is above all
	VPADDD    Z28, Z1, K1, Z1
	ADDQ      $64, R11
	DECL      CX

even:
	TESTL     CX, CX
	JEQ       store

pairs:
	VCMPPS    $22, (R11), Z0, K1 // two thresholds of each row
	VCMPPS    $22, 64(R11), Z0, K2
	VPADDD    Z28, Z1, K1, Z1
	VPADDD    Z28, Z2, K2, Z2
	ADDQ      $128, R11
	SUBL      $2, CX
	JNE       pairs

store:
	VPADDD    Z2, Z1, Z1 // ranks
	VPMOVDB   Z1, (DI)
	ADDQ      $64, SI // the next group
	ADDQ      $64, R13
	ADDQ      $16, DI
	ADDQ      $8, R9
	DECQ      R10
	JNE       group
	VZEROUPPER
	RET
#undef VALUE

// func rankTablesF32SearchAVX512(tables *RankTables, x []float32, docs, cols, stride int,
//	tiles, rows []uint32, blocks []float32)
//
// Requires: AVX512F, AVX512DQ, AVX512VBMI2
//
// It finds the ranks of up to 16 documents by rows, as PackRank has them. Documents are
// lanes. A tile of 16 columns is transposed, then its rows are searched. A search goes down the
// levels of a block: from element 1, and from the element at place to the one at 2·place+1 if the
// value is above it, else to the one at 2·place.
//
// Registers: DI: special values; R8: bytes of a stride; R12: end of the rows; BX: x of a document,
// place of values, index of special values; AX: column, row; DX: rows of the tile left; CX:
// documents left, blocks left; Z0: values; Z1: ranks; Z2: places; Z3, Z4: scratch; Z17, Z18, Z19:
// 16, 32, −128.
TEXT ·rankTablesF32SearchAVX512(SB), NOSPLIT, $0-128
#define STORE(z, i) VMOVUPS z, (64*i)(column)

	MOVQ tables+0(FP), rank
	LEAQ RankTables_values(rank), column
	ADDQ $RankTables_ranks, rank
	MOVQ stride+48(FP), R8 // stride·4
	SHLQ $2, R8
	MOVQ tiles_base+56(FP), tile
	MOVQ rows_base+80(FP), row
	MOVQ rows_len+88(FP), R12
	LEAQ (row)(R12*4), R12
	MOVQ blocks_base+104(FP), block
	LEAQ ·rankSpecials(SB), DI

nextTile:
	MOVQ x_base+8(FP), BX // K1 = the tile's columns that x has
	MOVQ cols+40(FP), CX
	MASK
	MOVQ docs+32(FP), CX
	CMOVQEQ DX, CX // without columns, no document is read
#include "transpose_avx512_amd64.h"
	MOVL 4(tile), DX // rows of the tile
	ADDQ $8, tile
	TESTL DX, DX
	JEQ  tiled
	MOVL $1, AX // the constants, which the transposition overwrote
	VPBROADCASTD AX, ones
	MOVL $16, AX
	VPBROADCASTD AX, Z17
	VPADDD Z17, Z17, Z18
	MOVL $-128, AX
	VPBROADCASTD AX, Z19

nextRow:
	MOVL    (row), AX // values of the row's column, with special values replaced
	MOVL    AX, BX
	SHRL    $8, BX
	ANDL    $(15*64), BX
	VMOVUPS (column)(BX*1), Z4
	MOVL    AX, BX
	SHRL    $31, BX
	VBROADCASTSS (block), Z0 // element 0 for missing values
	VFIXUPIMMPS.BCST $0, (DI)(BX*4), Z4, Z0
	VMOVDQA64 Z19, Z1 // CX = blocks of 32 elements
	MOVL    AX, CX
	ANDL    $15, CX
	JEQ     short

nextBlock:
	VMOVUPS (block), elements // five levels down
	VBROADCASTSS 4(block), element1
	FIRST(Z0, Z2, Z3)
	NEXT(elements, Z0, Z2, Z3); NEXT(elements, Z0, Z2, Z3)
	NEXT(elements, Z0, Z2, Z3); NEXT(64(block), Z0, Z2, Z3)
	VPADDD  Z2, Z1, Z1 // rank += place − 32
	VPSUBD  Z18, Z1, Z1
	ADDQ    $(4*const_rankBlock), block
	DECL    CX
	JNE     nextBlock

short:
	TESTL   $const_rankShort, AX // the last block may have 16 elements
	JEQ     ranked
	VMOVUPS (block), elements
	VBROADCASTSS 4(block), element1
	FIRST(Z0, Z2, Z3)
	NEXT(elements, Z0, Z2, Z3); NEXT(elements, Z0, Z2, Z3); NEXT(elements, Z0, Z2, Z3)
	VPADDD  Z2, Z1, Z1 // rank += place − 16
	VPSUBD  Z17, Z1, Z1
	ADDQ    $(2*const_rankBlock), block

ranked:
	ANDL    $(255*16), AX // store the ranks of the row
	VPMOVSDB Z1, (rank)(AX*1)
	ADDQ    $4, row
	DECL    DX
	JNE     nextRow

tiled:
	CMPQ row, R12 // are there more tiles?
	JNE  nextTile
	VZEROUPPER
	RET
#undef STORE

// func rankTablesF32AVX512(tables *RankTables, rows int)
//
// Requires: AVX512F, AVX512BW, AVX512VBMI
//
// The ranks of 16 documents, by rows, become tables: four rows are transposed, and then 16.
//
// Registers: DI: tables; R13: ranks; R10: rows left; Z26: order of the bytes of four rows; Z27: bit
// 7 of bytes; Z0-Z7: scratch.
TEXT ·rankTablesF32AVX512(SB), NOSPLIT, $0-16
// STORE writes 16 ranks of four documents, which are the lanes of z.
#define STORE(z, i) \
	VEXTRACTI32X4 $0, z, (256*i)(DI); \
	VEXTRACTI32X4 $1, z, (256*(4+i))(DI); \
	VEXTRACTI32X4 $2, z, (256*(8+i))(DI); \
	VEXTRACTI32X4 $3, z, (256*(12+i))(DI)

	MOVQ tables+0(FP), DI
	MOVQ rows+8(FP), R10
	LEAQ RankTables_ranks(DI), R13
	MOVL $0x80808080, AX
	VPBROADCASTD AX, Z27
	VMOVDQU8 ·rankOrder(SB), Z26

transpose:
	VPERMB (R13), Z26, Z0; VPERMB 64(R13), Z26, Z1 // Zi = rows 4i to 4i+3 of documents 0, 1, … 15
	VPERMB 128(R13), Z26, Z2; VPERMB 192(R13), Z26, Z3
	VPUNPCKLDQ Z1, Z0, Z4;  VPUNPCKHDQ Z1, Z0, Z5 // Zi = 16 rows of documents i, 4+i, 8+i, 12+i
	VPUNPCKLDQ Z3, Z2, Z6;  VPUNPCKHDQ Z3, Z2, Z7
	VPUNPCKLQDQ Z6, Z4, Z0; VPUNPCKHQDQ Z6, Z4, Z1
	VPUNPCKLQDQ Z7, Z5, Z2; VPUNPCKHQDQ Z7, Z5, Z3
	VPXORD Z27, Z0, Z0; VPXORD Z27, Z1, Z1 // ranks from −128 on become ranks from 0 on
	VPXORD Z27, Z2, Z2; VPXORD Z27, Z3, Z3
	STORE(Z0, 0); STORE(Z1, 1)
	STORE(Z2, 2); STORE(Z3, 3)
	ADDQ $256, R13 // the next 16 rows
	ADDQ $16, DI
	SUBQ $16, R10
	JGT  transpose
	VZEROUPPER
	RET
#undef STORE

// func rankLeavesU8AVX512(leaves [][RankTrees]uint8, ranks [][RankRows]uint8, second int,
//	steps []uint8, slabs []uint32, masked bool)
//
// Requires: AVX512F, AVX512BW, AVX512VBMI
//
// Each step waits for the one before it, so four documents take turns; if their number is no
// multiple of four, the last four overlap those before them. Of up to three documents, two slabs of
// each take turns.
//
// Registers: DI: leaves of a document; AX: its ranks; R12: second; R11: documents left; R9: slabs;
// R10: slabs left; CX, DX: pairs of steps left. Of four documents: Z0, Z1, Z4, Z5, Z8, Z9, Z12,
// Z13: ranks for even steps; Z2, Z3, Z6, Z7, Z10, Z11, Z14, Z15: for odd ones; Z16-Z19: leaves. Of
// one: Z0, Z1: ranks for even steps; Z2, Z3: for odd ones; Z4, Z6: leaves in two slabs.
TEXT ·rankLeavesU8AVX512(SB), NOSPLIT, $0-105
#define slab  BX  // leaves of the slab
#define step  SI  // next step of the slab
#define step2 R8  // next step of the slab after it
#define split Z20 // of a step: rows
#define limit Z21 // greatest ranks that go left
#define below Z22 // first leaves below the splits
#define right Z23 // first leaves below their right children
#define mask  Z28 // bits of the ranks that are compared

// MOVE moves the leaves of a document, whose ranks are r0 and r1, by a step: leaf = right if leaf =
// below and rank > limit. FOUR does so for four documents, by the step at at.
#define MOVE(r0, r1, leaves, a, k) \
	VMOVDQA64 split, a; \
	VPERMI2B  r1, r0, a; \
	VPCMPUB   $6, limit, a, k; \
	VPCMPUB   $0, below, leaves, k, k; \
	VMOVDQU8  right, k, leaves
#define FOUR(at, r0, r1, r2, r3, r4, r5, r6, r7) \
	VMOVDQU8 (at)(step), split; \
	VMOVDQU8 (at+64)(step), limit; \
	VMOVDQU8 (at+128)(step), below; \
	VMOVDQU8 (at+192)(step), right; \
	MOVE(r0, r1, Z16, Z24, K1); \
	MOVE(r2, r3, Z17, Z25, K2); \
	MOVE(r4, r5, Z18, Z26, K3); \
	MOVE(r6, r7, Z19, Z27, K4)

// MASKED is MOVE, and FOURMASKED is FOUR, with a mask: leaf = right if rank & mask > limit.
#define MASKED(r0, r1, leaves, a, k) \
	VMOVDQA64 split, a; \
	VPERMI2B  r1, r0, a; \
	VPANDQ    mask, a, a; \
	VPCMPUB   $6, limit, a, k; \
	VPCMPUB   $0, below, leaves, k, k; \
	VMOVDQU8  right, k, leaves
#define FOURMASKED(at, r0, r1, r2, r3, r4, r5, r6, r7) \
	VMOVDQU8 (at)(step), split; \
	VMOVDQU8 (at+64)(step), limit; \
	VMOVDQU8 (at+128)(step), below; \
	VMOVDQU8 (at+192)(step), right; \
	VMOVDQU8 (at+256)(step), mask; \
	MASKED(r0, r1, Z16, Z24, K1); \
	MASKED(r2, r3, Z17, Z25, K2); \
	MASKED(r4, r5, Z18, Z26, K3); \
	MASKED(r6, r7, Z19, Z27, K4)

// NARROW moves the leaves lo of a document, whose ranks are Z0 to Z3, by the two steps at at.
#define NARROW(at, lo, a, b, k) \
	VMOVDQU8 (at), a; \
	VMOVDQU8 256(at), b; \
	VPERMI2B Z1, Z0, a; \
	VPERMI2B Z3, Z2, b; \
	VPCMPUB  $6, 64(at), a, k; \
	VPCMPUB  $0, 128(at), lo, k, k; \
	VMOVDQU8 192(at), k, lo; \
	VPCMPUB  $6, 320(at), b, k; \
	VPCMPUB  $0, 384(at), lo, k, k; \
	VMOVDQU8 448(at), k, lo; \
	ADDQ     $512, at

// NARROWMASKED is NARROW with masks.
#define NARROWMASKED(at, lo, a, b, k) \
	VMOVDQU8 (at), a; \
	VMOVDQU8 320(at), b; \
	VPERMI2B Z1, Z0, a; \
	VPERMI2B Z3, Z2, b; \
	VPANDQ   256(at), a, a; \
	VPANDQ   576(at), b, b; \
	VPCMPUB  $6, 64(at), a, k; \
	VPCMPUB  $0, 128(at), lo, k, k; \
	VMOVDQU8 192(at), k, lo; \
	VPCMPUB  $6, 384(at), b, k; \
	VPCMPUB  $0, 448(at), lo, k, k; \
	VMOVDQU8 512(at), k, lo; \
	ADDQ     $640, at

	MOVQ leaves_base+0(FP), DI
	MOVQ leaves_len+8(FP), R11
	MOVQ ranks_base+24(FP), AX
	MOVQ second+48(FP), R12
	CMPQ R11, $4
	JLT  one

four:
	MOVQ DI, slab // start at slab 0
	MOVQ steps_base+56(FP), step
	MOVQ slabs_base+80(FP), R9
	MOVQ slabs_len+88(FP), R10
	VMOVDQU8 (AX), Z0; VMOVDQU8 64(AX), Z1 // ranks of each document: from 0 on, and from second on
	VMOVDQU8 (AX)(R12*1), Z2; VMOVDQU8 64(AX)(R12*1), Z3
	VMOVDQU8 256(AX), Z4; VMOVDQU8 320(AX), Z5
	VMOVDQU8 256(AX)(R12*1), Z6; VMOVDQU8 320(AX)(R12*1), Z7
	VMOVDQU8 512(AX), Z8; VMOVDQU8 576(AX), Z9
	VMOVDQU8 512(AX)(R12*1), Z10; VMOVDQU8 576(AX)(R12*1), Z11
	VMOVDQU8 768(AX), Z12; VMOVDQU8 832(AX), Z13
	VMOVDQU8 768(AX)(R12*1), Z14; VMOVDQU8 832(AX)(R12*1), Z15

slab4:
	VPXORQ Z16, Z16, Z16; VPXORQ Z17, Z17, Z17 // all trees at leaf 0
	VPXORQ Z18, Z18, Z18; VPXORQ Z19, Z19, Z19
	MOVL   (R9), CX
	TESTL  CX, CX
	JEQ    done4

	CMPB   masked+104(FP), $0
	JNE    masked4

step4:
	FOUR(0, Z0, Z1, Z4, Z5, Z8, Z9, Z12, Z13) // an even and an odd step
	FOUR(256, Z2, Z3, Z6, Z7, Z10, Z11, Z14, Z15)
	ADDQ $512, step
	DECL CX
	JNE  step4
	JMP  done4

masked4:
	FOURMASKED(0, Z0, Z1, Z4, Z5, Z8, Z9, Z12, Z13) // an even and an odd step with masks
	FOURMASKED(320, Z2, Z3, Z6, Z7, Z10, Z11, Z14, Z15)
	ADDQ $640, step
	DECL CX
	JNE  masked4

done4:
	VMOVDQU8 Z16, (slab) // store the leaves; the next slab
	VMOVDQU8 Z17, 256(slab)
	VMOVDQU8 Z18, 512(slab)
	VMOVDQU8 Z19, 768(slab)
	ADDQ     $64, slab
	ADDQ     $4, R9
	DECQ     R10
	JNE      slab4
	ADDQ     $1024, DI // the next four documents, or the last four
	ADDQ     $1024, AX
	SUBQ     $4, R11
	JEQ      end
	CMPQ     R11, $4
	JGE      four
	SUBQ     $4, R11 // go back by 4 − R11 documents, which are processed again
	SHLQ     $8, R11
	ADDQ     R11, DI
	ADDQ     R11, AX
	MOVQ     $4, R11
	JMP      four

one:
	MOVQ DI, slab // start at slab 0
	MOVQ steps_base+56(FP), step
	MOVQ slabs_base+80(FP), R9
	MOVQ slabs_len+88(FP), R10
	VMOVDQU8 (AX), Z0; VMOVDQU8 64(AX), Z1 // the document's ranks
	VMOVDQU8 (AX)(R12*1), Z2; VMOVDQU8 64(AX)(R12*1), Z3

	CMPB masked+104(FP), $0
	JNE  pairMasked

pair:
	VPXORQ Z4, Z4, Z4; VPXORQ Z6, Z6, Z6 // all trees at leaf 0
	MOVL  (R9), CX // CX, DX = pairs of steps of the two slabs
	CMPQ  R10, $2
	JLT   onlyFirst
	MOVL  4(R9), DX
	MOVQ  CX, step2
	SHLQ  $9, step2
	ADDQ  step, step2

both:
	SUBL   $1, CX // until one of the slabs has no steps left
	JLT    onlySecond
	SUBL   $1, DX
	JLT    undo
	NARROW(step, Z4, Z8, Z9, K1)
	NARROW(step2, Z6, Z10, Z11, K2)
	JMP    both

undo:
	INCL  CX // this pair of steps is still left

onlyFirst:
	DECL  CX
	JLT   done
	NARROW(step, Z4, Z8, Z9, K1)
	JMP   onlyFirst

onlySecond:
	DECL  DX // the first slab is done
	JLT   done
	NARROW(step2, Z6, Z10, Z11, K2)
	JMP   onlySecond

done:
	VMOVDQU8 Z4, (slab) // store the leaves
	CMPQ     R10, $2
	JLT      next
	VMOVDQU8 Z6, 64(slab)
	MOVQ     step2, step // the next two slabs
	ADDQ     $128, slab
	ADDQ     $8, R9
	SUBQ     $2, R10
	JNE      pair

next:
	ADDQ     $256, DI // the next document
	ADDQ     $256, AX
	DECQ     R11
	JNE      one

end:
	VZEROUPPER
	RET

pairMasked: // like pair, but with masks
	VPXORQ Z4, Z4, Z4; VPXORQ Z6, Z6, Z6 // all trees at leaf 0
	MOVL   (R9), CX // CX, DX = pairs of steps of the two slabs
	CMPQ   R10, $2
	JLT    onlyFirstMasked
	MOVL   4(R9), DX
	LEAQ   (CX)(CX*4), step2
	SHLQ   $7, step2
	ADDQ   step, step2

bothMasked:
	SUBL $1, CX // until one of the slabs has no steps left
	JLT  onlySecondMasked
	SUBL $1, DX
	JLT  undoMasked
	NARROWMASKED(step, Z4, Z8, Z9, K1)
	NARROWMASKED(step2, Z6, Z10, Z11, K2)
	JMP  bothMasked

undoMasked:
	INCL CX // this pair of steps is still left

onlyFirstMasked:
	DECL CX
	JLT  doneMasked
	NARROWMASKED(step, Z4, Z8, Z9, K1)
	JMP  onlyFirstMasked

onlySecondMasked:
	DECL DX // the first slab is done
	JLT  doneMasked
	NARROWMASKED(step2, Z6, Z10, Z11, K2)
	JMP  onlySecondMasked

doneMasked:
	VMOVDQU8 Z4, (slab) // store the leaves
	CMPQ     R10, $2
	JLT      next
	VMOVDQU8 Z6, 64(slab)
	MOVQ     step2, step // the next two slabs
	ADDQ     $128, slab
	ADDQ     $8, R9
	SUBQ     $2, R10
	JNE      pairMasked
	JMP      next
#undef slab
#undef mask
#undef MASKED
#undef FOURMASKED
#undef NARROWMASKED
#undef step
#undef step2
#undef split
#undef limit
#undef below
#undef right
#undef MOVE
#undef FOUR
#undef NARROW

// func rankSumF64AVX512(scores []float64, leaves *RankLeaves, widths []uint32,
//	values []float64, trees int)
//
// Requires: AVX512F, AVX512BW, AVX512VBMI
//
// No width is more than 64. The values of a tree are in registers, out of which the leaves of eight
// documents at a time are looked up. Lanes after the last document may hold any leaves.
//
// Registers: DI: scores; R8: documents; AX: leaves of the slab by trees; R9: widths; R10: trees
// left; R12: trees of the slab left; BX, DX: a tree's values, and their bytes; Z16-Z23: values of
// the tree; Z25, Z26: 32 and 16; Z27: order of trees; K1-K4: masks of the values from 0 on, or from
// 32 on; K7: mask of the last scores; CX, Z0-Z15, K5, K6: scratch.
TEXT ·rankSumF64AVX512(SB), NOSPLIT, $0-88
#define leaf   SI  // the documents' leaves in the slab
#define tree   R13 // leaves of a tree
#define value  R11 // values of a tree
#define score0 Z28 // scores of documents 0 to 7
#define score8 Z29 // scores of documents 8 to 15

// COLUMNS transposes the leaves of eight documents in 64 trees: the leaves of a tree become eight
// bytes. The transposition undoes the order Z27.
#define COLUMNS \
	VPERMB (0*const_RankTrees)(leaf), Z27, Z0; VPERMB (1*const_RankTrees)(leaf), Z27, Z1; \
	VPERMB (2*const_RankTrees)(leaf), Z27, Z2; VPERMB (3*const_RankTrees)(leaf), Z27, Z3; \
	VPERMB (4*const_RankTrees)(leaf), Z27, Z4; VPERMB (5*const_RankTrees)(leaf), Z27, Z5; \
	VPERMB (6*const_RankTrees)(leaf), Z27, Z6; VPERMB (7*const_RankTrees)(leaf), Z27, Z7; \
	VPUNPCKLBW Z1, Z0, Z8;  VPUNPCKHBW Z1, Z0, Z9; \
	VPUNPCKLBW Z3, Z2, Z10; VPUNPCKHBW Z3, Z2, Z11; \
	VPUNPCKLBW Z5, Z4, Z12; VPUNPCKHBW Z5, Z4, Z13; \
	VPUNPCKLBW Z7, Z6, Z14; VPUNPCKHBW Z7, Z6, Z15; \
	VPUNPCKLWD Z10, Z8, Z0; VPUNPCKHWD Z10, Z8, Z1; \
	VPUNPCKLWD Z11, Z9, Z2; VPUNPCKHWD Z11, Z9, Z3; \
	VPUNPCKLWD Z14, Z12, Z4; VPUNPCKHWD Z14, Z12, Z5; \
	VPUNPCKLWD Z15, Z13, Z6; VPUNPCKHWD Z15, Z13, Z7; \
	TREES(Z0, Z4, 0); \
	TREES(Z1, Z5, 128); \
	TREES(Z2, Z6, 256); \
	TREES(Z3, Z7, 384)

// TREES writes 16 trees, given documents 0 to 3 and 4 to 7.
#define TREES(a, b, at) \
	VPUNPCKLDQ b, a, Z8; \
	VPUNPCKHDQ b, a, Z9; \
	VMOVDQU64  Z8, (at)(tree); \
	VMOVDQU64  Z9, (at+64)(tree)

// LEAF32 and LEAF64 add the values of a tree's leaves, which are eight bytes from at on, to the
// scores of eight documents. The lowest four bits of a leaf select in two registers, bit 4 between
// two pairs of registers, and bit 5 between two of these pairs.
#define LEAF32(at, scores) \
	VPMOVZXBQ (at)(tree), Z0; \
	VPTESTMQ  Z26, Z0, K5; \
	VMOVDQA64 Z0, Z1; \
	VPERMI2PD Z17, Z16, Z0; \
	VPERMI2PD Z19, Z18, Z1; \
	VMOVAPD   Z1, K5, Z0; \
	VADDPD    Z0, scores, scores
#define LEAF64(at, scores) \
	VPMOVZXBQ (at)(tree), Z0; \
	VPTESTMQ  Z26, Z0, K5; \
	VPTESTMQ  Z25, Z0, K6; \
	VMOVDQA64 Z0, Z1; \
	VMOVDQA64 Z0, Z2; \
	VMOVDQA64 Z0, Z3; \
	VPERMI2PD Z17, Z16, Z0; \
	VPERMI2PD Z19, Z18, Z1; \
	VPERMI2PD Z21, Z20, Z2; \
	VPERMI2PD Z23, Z22, Z3; \
	VMOVAPD   Z1, K5, Z0; \
	VMOVAPD   Z3, K5, Z2; \
	VMOVAPD   Z2, K6, Z0; \
	VADDPD    Z0, scores, scores

	MOVQ scores_base+0(FP), DI
	MOVQ scores_len+8(FP), R8
	MOVQ leaves+24(FP), leaf
	LEAQ RankLeaves_slab(leaf), AX
	MOVQ widths_base+32(FP), R9
	MOVQ values_base+56(FP), value
	MOVQ trees+80(FP), R10
	MOVL $16, CX // Z26 = 16, Z25 = 32
	VPBROADCASTQ CX, Z26
	VPADDQ Z26, Z26, Z25
	VMOVDQU8 ·rankTreeOrder(SB), Z27
	MOVL $1, BX // load the scores; K7 = mask of the documents, at last of those from 8 on
	MOVL R8, CX
	SHLL CX, BX
	DECL BX
	KMOVW BX, K7
	VMOVUPD.Z (DI), K7, score0
	CMPQ R8, $8
	JLE  slab
	KSHIFTRW $8, K7, K7 // documents 8 to 15
	VMOVUPD.Z 64(DI), K7, score8

slab:
	MOVQ AX, tree // the leaves of documents 0 to 7 by trees, and of 8 to 15
	COLUMNS
	CMPQ R8, $8
	JLE  values
	ADDQ $(8*const_RankTrees), leaf
	ADDQ $512, tree
	COLUMNS
	SUBQ $(8*const_RankTrees), leaf

values:
	MOVL    (R9), BX // BX, DX = values of a tree, and bytes
	MOVQ    BX, DX
	SHLQ    $3, DX
	ADDQ    $4, R9
	MOVL    $const_RankSlab, R12 // R12 = min(64, trees left)
	CMPQ    R10, R12
	CMOVQLT R10, R12
	SUBQ    R12, R10
	MOVL    BX, CX // K1-K4 = mask of the values after the first 32, or of all if there are no more
	SUBL    $32, CX
	CMOVLLS BX, CX
	MOVQ    $1, R13
	SHLQ    CX, R13
	DECQ    R13
	KMOVD   R13, K1
	KSHIFTRD $8, K1, K2
	KSHIFTRD $16, K1, K3 // the third and the fourth eight
	KSHIFTRD $24, K1, K4
	MOVQ    AX, tree
	CMPL    BX, $32
	JHI     tree64

tree32:
	VMOVUPD.Z (value), K1, Z16; VMOVUPD.Z 64(value), K2, Z17 // scores += values of a tree
	VMOVUPD.Z 128(value), K3, Z18; VMOVUPD.Z 192(value), K4, Z19
	LEAF32(0, score0)
	CMPQ    R8, $8
	JLE     next32
	LEAF32(512, score8)

next32:
	ADDQ    $8, tree // the next tree
	ADDQ    DX, value
	DECQ    R12
	JNE     tree32

summed:
	ADDQ    $const_RankSlab, leaf // the next slab
	TESTQ   R10, R10
	JNE     slab
	CMPQ    R8, $8 // store the scores
	JLE     last
	VMOVUPD score0, (DI)
	ADDQ    $64, DI
	VMOVAPD score8, score0

last:
	VMOVUPD score0, K7, (DI)
	VZEROUPPER
	RET

tree64:
	VMOVUPD   (value), Z16; VMOVUPD 64(value), Z17 // scores += values of a tree
	VMOVUPD   128(value), Z18; VMOVUPD 192(value), Z19
	VMOVUPD.Z 256(value), K1, Z20; VMOVUPD.Z 320(value), K2, Z21
	VMOVUPD.Z 384(value), K3, Z22; VMOVUPD.Z 448(value), K4, Z23
	LEAF64(0, score0) // documents 0 to 7, and 8 to 15
	CMPQ      R8, $8
	JLE       next64
	LEAF64(512, score8)

next64:
	ADDQ      $8, tree // the next tree
	ADDQ      DX, value
	DECQ      R12
	JNE       tree64
	JMP       summed
#undef leaf
#undef tree
#undef value
#undef score0
#undef score8
#undef COLUMNS
#undef TREES
#undef LEAF32
#undef LEAF64

// func packRanksF32AVX512(table *PackTable, x []float32, docs, cols, stride int,
//	tiles, rows []uint32, blocks []float32)
//
// Requires: AVX512F, AVX512DQ, AVX512VBMI2
//
// It is like rankTablesF32SearchAVX512 for four times 16 documents, whose searches take turns,
// because each step waits for the one before it.
//
// Registers: DI: special values; R8: bytes of a stride; R12: end of the rows; BX: x of a document,
// place of values, first place; AX: column, row; DX: sixteens of documents left, rows of the tile
// left; CX: documents left, blocks left; Z0-Z3: values; Z4-Z7: ranks; Z8-Z11: places; Z12-Z15:
// scratch; Z22: elements 16 to 31.
TEXT ·packRanksF32AVX512(SB), NOSPLIT, $0-128
#define STORE(z, i) VMOVUPS z, (4*const_PackSize*i)(column)

// FIRSTS and NEXTS are FIRST and NEXT for 64 values, and ADD adds their places to their ranks.
#define FIRSTS \
	VMOVUPS (block), elements; \
	VBROADCASTSS 4(block), element1; \
	FIRST(Z0, Z8, Z12); FIRST(Z1, Z9, Z13); \
	FIRST(Z2, Z10, Z14); FIRST(Z3, Z11, Z15)
#define NEXTS(table) \
	NEXT(table, Z0, Z8, Z12); NEXT(table, Z1, Z9, Z13); \
	NEXT(table, Z2, Z10, Z14); NEXT(table, Z3, Z11, Z15)
#define ADD \
	VPADDD Z8, Z4, Z4; VPADDD Z9, Z5, Z5; \
	VPADDD Z10, Z6, Z6; VPADDD Z11, Z7, Z7

	MOVQ table+0(FP), rank
	LEAQ PackTable_values(rank), column
	ADDQ $PackTable_Ranks, rank
	MOVQ stride+48(FP), R8 // stride·4
	SHLQ $2, R8
	MOVQ tiles_base+56(FP), tile
	MOVQ rows_base+80(FP), row
	MOVQ rows_len+88(FP), R12
	LEAQ (row)(R12*4), R12
	MOVQ blocks_base+104(FP), block
	LEAQ ·rankSpecials(SB), DI

nextTile:
	MOVQ x_base+8(FP), BX // K1 = the tile's columns that x has
	MOVQ cols+40(FP), CX
	MASK
	MOVQ docs+32(FP), CX
	CMOVQEQ DX, CX // without columns, no document is read
	MOVL $4, DX

sixteen:
#include "transpose_avx512_amd64.h"
	ADDQ $64, column // the next 16 documents
	DECL DX
	JNE  sixteen
	SUBQ $(4*const_PackSize), column
	MOVL 4(tile), DX // rows of the tile
	ADDQ $8, tile
	TESTL DX, DX
	JEQ  tiled
	MOVL $1, AX
	VPBROADCASTD AX, ones

nextRow:
	MOVL    (row), AX // values of the row's column, with special values replaced
	MOVL    AX, BX
	SHRL    $31, BX
	VPBROADCASTD (DI)(BX*4), Z20
	MOVL    AX, BX // the place of the column
	SHRL    $6, BX
	ANDL    $(15*4*const_PackSize), BX
	VMOVUPS (column)(BX*1), Z4; VMOVUPS 64(column)(BX*1), Z5
	VMOVUPS 128(column)(BX*1), Z6; VMOVUPS 192(column)(BX*1), Z7
	VBROADCASTSS (block), Z0 // element 0 for missing values
	VMOVAPS Z0, Z1; VMOVAPS Z0, Z2; VMOVAPS Z0, Z3
	VFIXUPIMMPS $0, Z20, Z4, Z0; VFIXUPIMMPS $0, Z20, Z5, Z1 // by the tables in Z20
	VFIXUPIMMPS $0, Z20, Z6, Z2; VFIXUPIMMPS $0, Z20, Z7, Z3
	MOVL    AX, CX // CX = blocks of 32 elements
	ANDL    $15, CX
	MOVL    CX, BX // ranks = −128 − all elements: a place begins with its block's
	SHLL    $5, BX
	ADDL    $128, BX
	TESTL   $const_rankShort, AX // a short block has 16 elements
	JEQ     2(PC)
	ADDL    $16, BX
	NEGL    BX
	VPBROADCASTD BX, Z4
	VMOVDQA64 Z4, Z5; VMOVDQA64 Z4, Z6; VMOVDQA64 Z4, Z7
	TESTL   CX, CX
	JEQ     short

nextBlock:
	FIRSTS // five levels down
	NEXTS(elements); NEXTS(elements); NEXTS(elements)
	VMOVUPS 64(block), Z22
	NEXTS(Z22)
	ADD
	ADDQ    $(4*const_rankBlock), block
	DECL    CX // the next block
	JNE     nextBlock

short:
	TESTL   $const_rankShort, AX // the last block may have 16 elements
	JEQ     ranked
	FIRSTS
	NEXTS(elements); NEXTS(elements); NEXTS(elements)
	ADD
	ADDQ    $(2*const_rankBlock), block

ranked:
	SHLL    $2, AX // store the ranks of the row
	ANDL    $(255*const_PackSize), AX
	VPMOVSDB Z4, (rank)(AX*1); VPMOVSDB Z5, 16(rank)(AX*1)
	VPMOVSDB Z6, 32(rank)(AX*1); VPMOVSDB Z7, 48(rank)(AX*1)
	ADDQ    $4, row // the next row
	DECL    DX
	JNE     nextRow

tiled:
	CMPQ row, R12 // are there more tiles?
	JNE  nextTile
	VZEROUPPER
	RET
#undef STORE
#undef FIRSTS
#undef NEXTS
#undef ADD

// func packSumF64AVX512(scores []float64, ranks *[RankRows][PackSize]uint8,
//	splits, pairs []uint32, values []float64, trees int)
//
// Requires: AVX512F, AVX512DQ, AVX512BW
//
// Documents are lanes, of bytes. No tree has more than 64 values. Two pairs of trees take turns,
// because each split waits for the one before it.
//
// Registers: R9: pairs; R10: trees left; R12: trees of two pairs left; BX: values of a tree; CX,
// R13: steps left; DX: documents; Z0, Z31, Z30, Z29: leaves; Z16-Z23: scores; K2-K5: values, or
// those from 32 on. Others: see leaves_avx512_amd64.h.
TEXT ·packSumF64AVX512(SB), NOSPLIT, $0-112
#define split  SI // next splits of the first pair
#define split2 DI // next splits of the second pair, before and after that scores
#define ranks0 R8 // ranks, 64 for each row
#define number Z0 // leaves in the next tree

// SPLIT moves the leaves of 64 documents by the split at at, PAIR the leaves in two trees by the
// splits at p: leaves += left, if the document is at its first leaf and its rank is not less.
#define SPLIT(at, p, leaves, a, b, c, k) \
	MOVBLZX      (at)(p), AX; \
	VPBROADCASTB (at+1)(p), a; \
	VPBROADCASTB (at+2)(p), b; \
	VPBROADCASTB (at+3)(p), c; \
	SHLQ         $6, AX; \
	VPCMPB       $2, (ranks0)(AX*1), a, k; \
	VPCMPB       $0, b, leaves, k, k; \
	VPADDB       c, leaves, k, leaves
#define PAIR(p, l0, l1, k0, k1) \
	SPLIT(0, p, l0, Z1, Z2, Z3, k0); \
	SPLIT(4, p, l1, Z4, Z5, Z6, k1); \
	ADDQ $8, p

// SOME is HALVES of up to 32 leaves, whose masks are K2 to K5. Z14 is scratch.
#define SOME(at, low0, low1, high0, high1) \
	VMOVDQU64.Z (at)(R11), K2, low1; \
	VMOVDQU64.Z (at+64)(R11), K3, Z14; \
	VMOVDQA32   Z26, low0; \
	VMOVDQA32   Z25, high0; \
	VPERMI2D    Z14, low1, low0; \
	VPERMI2D    Z14, low1, high0; \
	VMOVDQU64.Z (at+128)(R11), K4, high1; \
	VMOVDQU64.Z (at+192)(R11), K5, Z14; \
	VMOVDQA32   Z26, low1; \
	VPERMI2D    Z14, high1, low1; \
	VPERMT2D    Z14, Z25, high1

// EIGHTS applies do to the scores of each eight documents, and continues at done after the last.
#define EIGHTS(do, done) \
	do(0, Z16); CMPQ DX, $8; JEQ done; \
	do(64, Z17); CMPQ DX, $16; JEQ done; \
	do(128, Z18); CMPQ DX, $24; JEQ done; \
	do(192, Z19); CMPQ DX, $32; JEQ done; \
	do(256, Z20); CMPQ DX, $40; JEQ done; \
	do(320, Z21); CMPQ DX, $48; JEQ done; \
	do(384, Z22); CMPQ DX, $56; JEQ done; \
	do(448, Z23)
#define LOAD(at, scores) VMOVUPD at(DI), scores
#define SAVE(at, scores) VMOVUPD scores, at(DI)

// SUMS adds the leaves of a tree to the scores of as many sixteens of documents as there are.
#define SUMS(sixteen) \
	VMOVDQA32 number, Z1; \
	sixteen(Z16, Z17); \
	CMPQ   DX, $16; \
	JLE    added; \
	VPSRLD $8, number, Z1; \
	sixteen(Z18, Z19); \
	CMPQ   DX, $32; \
	JLE    added; \
	VPSRLD $16, number, Z1; \
	sixteen(Z20, Z21); \
	CMPQ   DX, $48; \
	JLE    added; \
	VPSRLD $24, number, Z1; \
	sixteen(Z22, Z23)

	MOVQ scores_base+0(FP), DI
	MOVQ scores_len+8(FP), DX
	MOVQ ranks+24(FP), ranks0
	MOVQ splits_base+32(FP), split
	MOVQ pairs_base+56(FP), R9
	MOVQ values_base+80(FP), R11
	MOVQ trees+104(FP), R10
#include "leaves_avx512_amd64.h"
	EIGHTS(LOAD, loaded)

loaded:
	VPXORQ number, number, number; VPXORQ Z31, Z31, Z31 // all documents at leaf 0 of four trees
	VPXORQ Z30, Z30, Z30; VPXORQ Z29, Z29, Z29
	MOVL   (R9), CX // CX, R13 = steps of the two pairs
	MOVQ   CX, split2
	SHLQ   $3, split2
	ADDQ   split, split2
	CMPQ   R10, $2
	JLE    onlyFirst
	MOVL   8(R9), R13

both:
	SUBL $1, CX // until one of the pairs has no steps left
	JLT  onlySecond
	SUBL $1, R13
	JLT  undo
	PAIR(split, number, Z31, K1, K2)
	PAIR(split2, Z30, Z29, K3, K4)
	JMP  both

undo:
	INCL CX // this step is still left

onlyFirst:
	DECL CX
	JLT  moved
	PAIR(split, number, Z31, K1, K2)
	JMP  onlyFirst

onlySecond:
	DECL R13 // the first pair is done
	JLT  moved
	PAIR(split2, Z30, Z29, K3, K4)
	JMP  onlySecond

moved:
	MOVQ split2, split // the splits of the next pairs
	MOVL $4, R12

pair:
	MOVL    4(R9), BX
	ADDQ    $8, R9
	MOVL    BX, CX // K2-K5 = mask of the values after the first 32, or of all if there are no more
	SUBL    $32, CX
	CMOVLLS BX, CX
	MOVQ    $1, AX
	SHLQ    CX, AX
	DECQ    AX
	KMOVD   AX, K2
	KSHIFTRD $8, K2, K3
	KSHIFTRD $16, K2, K4 // the third and the fourth eight
	KSHIFTRD $24, K2, K5

tree:
	VPSHUFB Z15, number, number // put the documents in order
	VPERMD  number, Z9, number
	VPSHUFB Z8, number, number
	CMPL    BX, $32
	JHI     wide
	SOME(0, Z10, Z11, Z12, Z13) // scores += values of the leaves
	SUMS(SIXTEEN)

added:
	LEAQ (R11)(BX*8), R11 // the next tree
	DECQ R10
	JEQ  store
	VMOVDQA64 Z31, number
	VMOVDQA64 Z30, Z31
	VMOVDQA64 Z29, Z30
	DECL  R12 // after four trees, and after two
	JEQ   loaded
	TESTL $1, R12
	JNE   tree
	JMP   pair

wide:
	HALVES(0, Z10, Z11, Z12, Z13) // more than 32 values
	SOME(256, Z4, Z5, Z6, Z7)
	SUMS(SIXTEEN64)
	JMP     added

store:
	MOVQ scores_base+0(FP), DI
	EIGHTS(SAVE, end)

end:
	VZEROUPPER
	RET
#undef split
#undef split2
#undef ranks0
#undef number
#undef SPLIT
#undef PAIR
#undef SOME
#undef EIGHTS
#undef LOAD
#undef SAVE
#undef SUMS
#undef HALVES
#undef SIXTEEN
#undef SIXTEEN64
