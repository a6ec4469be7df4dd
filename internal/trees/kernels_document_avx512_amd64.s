//go:build !purego

#include "go_asm.h"
#include "textflag.h"
#include "transpose_avx512_amd64.h"
#include "leaves_avx512_amd64.h"

// Kernels of single documents for AVX-512.

// VALUE copies the value of a feature.
#define VALUE(i) \
	MOVL    (4*i)(R8), AX; \
	XORL    R12, R12; \
	CMPQ    AX, DX; \
	JCC     2(PC); \
	MOVL    (BX)(AX*4), R12; \
	MOVL    R12, (4*i)(SI)

// func documentRanksF32AVX512(ranks *[DocumentRows]uint8, values *[DocumentRows]float32, x []float32,
//	features, groups []uint32, thresholds []float32)
//
// Requires: AVX512F, AVX512DQ
//
// DI ranks   SI values   BX x   DX len(x)   R8 features   CX features left, then thresholds left
// R9 groups   R10 groups left   R11 thresholds   R12 value of the features that x lacks
// Z0 values   K3 missing ones   K5 those that have rank 0   Z1 and Z2 numbers of thresholds
// Z5 the number of all   Z28 one   Z27 zero. A gather takes longer than 16 loads and stores.
TEXT ·documentRanksF32AVX512(SB), NOSPLIT, $0-112
	MOVQ ranks+0(FP), DI
	MOVQ values+8(FP), SI
	MOVQ x_base+16(FP), BX
	MOVQ x_len+24(FP), DX
	MOVQ features_base+40(FP), R8
	MOVQ features_len+48(FP), CX
	MOVQ groups_base+64(FP), R9
	MOVQ groups_len+72(FP), R10
	MOVQ thresholds_base+88(FP), R11
	MOVL $1, AX
	VPBROADCASTD AX, Z28
	VPXORD Z27, Z27, Z27

value:
	VALUE(0)
	VALUE(1)
	VALUE(2)
	VALUE(3)
	ADDQ $16, R8
	ADDQ $16, SI
	SUBQ $4, CX
	JNE  value
	MOVQ values+8(FP), SI
	SHRQ $1, R10                  // two elements each

group:
	VMOVUPS   (SI), Z0
	KMOVW     4(R9), K2
	KMOVW     6(R9), K5
	VCMPPS    $0, Z27, Z0, K2, K3
	VCMPPS    $3, Z0, Z0, K4
	KORW      K3, K4, K3
	KANDW     K3, K5, K5
	VPXORD    Z1, Z1, Z1
	VPXORD    Z2, Z2, Z2
	MOVL      (R9), CX
	VPBROADCASTD CX, Z5
	TESTL     $1, CX
	JEQ       even
	VCMPPS    $30, (R11), Z0, K1
	VPADDD    Z28, Z1, K1, Z1
	ADDQ      $64, R11
	DECL      CX

even:
	TESTL     CX, CX
	JEQ       store

pairs:
	VCMPPS    $30, (R11), Z0, K1
	VCMPPS    $30, 64(R11), Z0, K2
	VPADDD    Z28, Z1, K1, Z1
	VPADDD    Z28, Z2, K2, Z2
	ADDQ      $128, R11
	SUBL      $2, CX
	JNE       pairs

store:
	VPADDD    Z2, Z1, Z1
	VMOVDQA32 Z5, K3, Z1
	VMOVDQA32 Z27, K5, Z1
	VPMOVDB   Z1, (DI)
	ADDQ      $64, SI
	ADDQ      $16, DI
	ADDQ      $8, R9
	DECQ      R10
	JNE       group
	VZEROUPPER
	RET

// ABOVE appends to the places old whether values are above the thresholds t: the sign of the
// difference, which is +0 where they are the same. FIRST begins with the first element of a block,
// Z21, and NEXT goes on to the next level. Z20 16 elements of the block   Z16 1   t scratch.
#define ABOVE(values, t, old, places) \
	VSUBPS  values, t, t; \
	VPSHLDD $1, t, old, places
#define FIRST(values, places, t) \
	VSUBPS  values, Z21, t; \
	VPSHLDD $1, t, Z16, places
#define NEXT(block, values, places, t) \
	VPERMPS block, places, t; \
	ABOVE(values, t, places, places)

// STORE writes the ranks of four documents in the lanes of z.
#define STORE(z, i) \
	VEXTRACTI32X4 $0, z, (256*i)(DI); \
	VEXTRACTI32X4 $1, z, (256*(4+i))(DI); \
	VEXTRACTI32X4 $2, z, (256*(8+i))(DI); \
	VEXTRACTI32X4 $3, z, (256*(12+i))(DI)

// DOCUMENT loads 16 columns of a document, those that K1 names, into z, and fetches those after
// them; CX counts the documents down, and those that there are not have values of 0.
#define DOCUMENT(z) \
	VPXORD      z, z, z; \
	DECQ        CX; \
	JLT         4(PC); \
	VMOVDQU32.Z (BX), K1, z; \
	PREFETCHT0  64(BX); \
	ADDQ        R8, BX

// MASK sets BX, which is x, to its columns of a tile, and K1 to those that there are of CX columns.
// DX is K1, and the flags are those of DX.
#define MASK \
	MOVL    (R10), AX; \
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

// TILE writes the columns of 16 documents, so many bytes after each other, to R11.
#define TILE(bytes) \
	DOCUMENT(Z0); \
	DOCUMENT(Z1); \
	DOCUMENT(Z2); \
	DOCUMENT(Z3); \
	DOCUMENT(Z4); \
	DOCUMENT(Z5); \
	DOCUMENT(Z6); \
	DOCUMENT(Z7); \
	DOCUMENT(Z8); \
	DOCUMENT(Z9); \
	DOCUMENT(Z10); \
	DOCUMENT(Z11); \
	DOCUMENT(Z12); \
	DOCUMENT(Z13); \
	DOCUMENT(Z14); \
	DOCUMENT(Z15); \
	TRANSPOSE; \
	VMOVUPS Z4, (R11); \
	VMOVUPS Z5, (1*bytes)(R11); \
	VMOVUPS Z6, (2*bytes)(R11); \
	VMOVUPS Z7, (3*bytes)(R11); \
	VMOVUPS Z8, (4*bytes)(R11); \
	VMOVUPS Z9, (5*bytes)(R11); \
	VMOVUPS Z10, (6*bytes)(R11); \
	VMOVUPS Z11, (7*bytes)(R11); \
	VMOVUPS Z12, (8*bytes)(R11); \
	VMOVUPS Z13, (9*bytes)(R11); \
	VMOVUPS Z14, (10*bytes)(R11); \
	VMOVUPS Z15, (11*bytes)(R11); \
	VMOVUPS Z16, (12*bytes)(R11); \
	VMOVUPS Z17, (13*bytes)(R11); \
	VMOVUPS Z18, (14*bytes)(R11); \
	VMOVUPS Z19, (15*bytes)(R11)

// func documentTablesF32SearchAVX512(tables *DocumentTables, x []float32, docs, cols, stride int,
//	tiles, rows []uint32, blocks []float32)
//
// Requires: AVX512F, AVX512DQ, AVX512VBMI2
//
// The ranks of up to 16 documents by rows, as DocumentPackRank has them. Documents are lanes. A
// tile of 16 columns is transposed, then the ranks of its rows are searched for.
//
// DI special values   R8 bytes of a stride   R9 rows, R12 their end   R10 tiles   R11 values of a
// tile   R13 ranks   SI blocks   BX x of a document, place of values, index of special values
// AX column, row   DX rows of the tile left   CX documents left, blocks left
// Z0 values   Z1 ranks   Z2 places   Z3 scratch   Z16, Z17, Z18 1, 16, 32   Z19 −128   Z20, Z21 of
// a block
TEXT ·documentTablesF32SearchAVX512(SB), NOSPLIT, $0-128
	MOVQ tables+0(FP), R13
	LEAQ DocumentTables_values(R13), R11
	ADDQ $DocumentTables_ranks, R13
	MOVQ stride+48(FP), R8
	SHLQ $2, R8
	MOVQ tiles_base+56(FP), R10
	MOVQ rows_base+80(FP), R9
	MOVQ rows_len+88(FP), R12
	LEAQ (R9)(R12*4), R12
	MOVQ blocks_base+104(FP), SI
	LEAQ ·documentSpecials(SB), DI

tile:
	MOVQ x_base+8(FP), BX
	MOVQ cols+40(FP), CX
	MASK
	MOVQ docs+32(FP), CX
	CMOVQEQ DX, CX                // without columns, no document is looked at
	TILE(64)
	MOVL 4(R10), DX
	ADDQ $8, R10
	TESTL DX, DX
	JEQ  tiled

	MOVL $1, AX
	VPBROADCASTD AX, Z16
	MOVL $16, AX
	VPBROADCASTD AX, Z17
	VPADDD Z17, Z17, Z18
	MOVL $-128, AX
	VPBROADCASTD AX, Z19

row:
	MOVL    (R9), AX
	MOVL    AX, BX
	SHRL    $8, BX
	ANDL    $(15*64), BX
	VMOVUPS (R11)(BX*1), Z0
	MOVL    AX, BX
	SHRL    $30, BX
	VFIXUPIMMPS.BCST $0, (DI)(BX*4), Z0, Z0
	VMOVDQA64 Z19, Z1
	MOVL    AX, CX
	ANDL    $15, CX
	JEQ     short

block:
	VMOVUPS (SI), Z20
	VBROADCASTSS 4(SI), Z21
	FIRST(Z0, Z2, Z3)
	NEXT(Z20, Z0, Z2, Z3)
	NEXT(Z20, Z0, Z2, Z3)
	NEXT(Z20, Z0, Z2, Z3)
	NEXT(64(SI), Z0, Z2, Z3)
	VPADDD  Z2, Z1, Z1
	VPSUBD  Z18, Z1, Z1
	ADDQ    $(4*const_documentBlock), SI
	DECL    CX
	JNE     block

short:
	TESTL   $const_documentShort, AX
	JEQ     rank
	VMOVUPS (SI), Z20
	VBROADCASTSS 4(SI), Z21
	FIRST(Z0, Z2, Z3)
	NEXT(Z20, Z0, Z2, Z3)
	NEXT(Z20, Z0, Z2, Z3)
	NEXT(Z20, Z0, Z2, Z3)
	VPADDD  Z2, Z1, Z1
	VPSUBD  Z17, Z1, Z1
	ADDQ    $(2*const_documentBlock), SI

rank:
	ANDL    $(255*16), AX
	VPMOVSDB Z1, (R13)(AX*1)
	ADDQ    $4, R9
	DECL    DX
	JNE     row

tiled:
	CMPQ R9, R12
	JNE  tile

	VZEROUPPER
	RET

// func documentTablesF32AVX512(tables *DocumentTables, rows int)
//
// Requires: AVX512F, AVX512BW, AVX512VBMI
//
// The ranks of 16 documents, by rows, become tables: four rows are transposed, and then 16.
//
// DI tables   R13 ranks   R10 rows left   Z26 order of the bytes of four rows   Z27 bit 7 of bytes
// Z0 to Z7 scratch
TEXT ·documentTablesF32AVX512(SB), NOSPLIT, $0-16
	MOVQ tables+0(FP), DI
	MOVQ rows+8(FP), R10
	LEAQ DocumentTables_ranks(DI), R13
	MOVL $0x80808080, AX
	VPBROADCASTD AX, Z27
	VMOVDQU8 ·documentOrder(SB), Z26

transpose:
	VPERMB     (R13), Z26, Z0
	VPERMB     64(R13), Z26, Z1
	VPERMB     128(R13), Z26, Z2
	VPERMB     192(R13), Z26, Z3
	VPUNPCKLDQ Z1, Z0, Z4
	VPUNPCKHDQ Z1, Z0, Z5
	VPUNPCKLDQ Z3, Z2, Z6
	VPUNPCKHDQ Z3, Z2, Z7
	VPUNPCKLQDQ Z6, Z4, Z0
	VPUNPCKHQDQ Z6, Z4, Z1
	VPUNPCKLQDQ Z7, Z5, Z2
	VPUNPCKHQDQ Z7, Z5, Z3
	VPXORD Z27, Z0, Z0
	VPXORD Z27, Z1, Z1
	VPXORD Z27, Z2, Z2
	VPXORD Z27, Z3, Z3
	STORE(Z0, 0)
	STORE(Z1, 1)
	STORE(Z2, 2)
	STORE(Z3, 3)
	ADDQ $256, R13
	ADDQ $16, DI
	SUBQ $16, R10
	JGT  transpose
	VZEROUPPER
	RET

// MOVE moves the leaves of a document, whose ranks are in r0 and r1, by a step. Z20 rows
// Z21, Z22, Z23 limits, first leaves and leaves right. a, k scratch.
#define MOVE(r0, r1, leaves, a, k) \
	VMOVDQA64 Z20, a; \
	VPERMI2B  r1, r0, a; \
	VPCMPUB   $6, Z21, a, k; \
	VPCMPUB   $0, Z22, leaves, k, k; \
	VMOVDQU8  Z23, k, leaves

// FOUR is a step at at of four documents. r0 and r1, r2 and r3, … ranks.
#define FOUR(at, r0, r1, r2, r3, r4, r5, r6, r7) \
	VMOVDQU8 (at)(SI), Z20; \
	VMOVDQU8 (at+64)(SI), Z21; \
	VMOVDQU8 (at+128)(SI), Z22; \
	VMOVDQU8 (at+192)(SI), Z23; \
	MOVE(r0, r1, Z16, Z24, K1); \
	MOVE(r2, r3, Z17, Z25, K2); \
	MOVE(r4, r5, Z18, Z26, K3); \
	MOVE(r6, r7, Z19, Z27, K4)

// NARROW moves the leaves lo of a document by the two steps at at. Z0 to Z3 ranks   a, b, k
// scratch.
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

// func documentLeavesU8AVX512(leaves [][DocumentTrees]uint8, ranks [][DocumentRows]uint8, second int,
//	steps []uint8, slabs []uint32)
//
// Requires: AVX512F, AVX512BW, AVX512VBMI
//
// Each step waits for the one before it. Four documents take turns, of which the last have some of
// those before them where their number is no multiple; of up to three, two slabs of each.
//
// DI leaves of a document, BX of a slab   AX ranks   R12 second   R11 documents left   SI steps of
// a slab   R8 of the next   R9 slabs   R10 slabs left   CX, DX pairs of steps left
TEXT ·documentLeavesU8AVX512(SB), NOSPLIT, $0-104
	MOVQ leaves_base+0(FP), DI
	MOVQ leaves_len+8(FP), R11
	MOVQ ranks_base+24(FP), AX
	MOVQ second+48(FP), R12
	CMPQ R11, $4
	JLT  one

// Z0, Z1, Z4, Z5, … ranks of even steps, Z2, Z3, Z6, Z7, … of odd ones   Z16 to Z19 leaves of the
// trees
four:
	MOVQ DI, BX
	MOVQ steps_base+56(FP), SI
	MOVQ slabs_base+80(FP), R9
	MOVQ slabs_len+88(FP), R10
	VMOVDQU8 (AX), Z0
	VMOVDQU8 64(AX), Z1
	VMOVDQU8 (AX)(R12*1), Z2
	VMOVDQU8 64(AX)(R12*1), Z3
	VMOVDQU8 256(AX), Z4
	VMOVDQU8 320(AX), Z5
	VMOVDQU8 256(AX)(R12*1), Z6
	VMOVDQU8 320(AX)(R12*1), Z7
	VMOVDQU8 512(AX), Z8
	VMOVDQU8 576(AX), Z9
	VMOVDQU8 512(AX)(R12*1), Z10
	VMOVDQU8 576(AX)(R12*1), Z11
	VMOVDQU8 768(AX), Z12
	VMOVDQU8 832(AX), Z13
	VMOVDQU8 768(AX)(R12*1), Z14
	VMOVDQU8 832(AX)(R12*1), Z15

slab4:
	VPXORQ Z16, Z16, Z16
	VPXORQ Z17, Z17, Z17
	VPXORQ Z18, Z18, Z18
	VPXORQ Z19, Z19, Z19
	MOVL   (R9), CX
	TESTL  CX, CX
	JEQ    done4

step4:
	FOUR(0, Z0, Z1, Z4, Z5, Z8, Z9, Z12, Z13)
	FOUR(256, Z2, Z3, Z6, Z7, Z10, Z11, Z14, Z15)
	ADDQ $512, SI
	DECL CX
	JNE  step4

done4:
	VMOVDQU8 Z16, (BX)
	VMOVDQU8 Z17, 256(BX)
	VMOVDQU8 Z18, 512(BX)
	VMOVDQU8 Z19, 768(BX)
	ADDQ     $64, BX
	ADDQ     $4, R9
	DECQ     R10
	JNE      slab4
	ADDQ     $1024, DI
	ADDQ     $1024, AX
	SUBQ     $4, R11
	JEQ      end
	CMPQ     R11, $4
	JGE      four
	SUBQ     $4, R11
	SHLQ     $8, R11
	ADDQ     R11, DI
	ADDQ     R11, AX
	MOVQ     $4, R11
	JMP      four

// Z0, Z1 ranks of even steps, Z2, Z3 of odd ones   Z4, Z6 leaves of the trees
one:
	MOVQ DI, BX
	MOVQ steps_base+56(FP), SI
	MOVQ slabs_base+80(FP), R9
	MOVQ slabs_len+88(FP), R10
	VMOVDQU8 (AX), Z0
	VMOVDQU8 64(AX), Z1
	VMOVDQU8 (AX)(R12*1), Z2
	VMOVDQU8 64(AX)(R12*1), Z3

pair:
	VPXORQ     Z4, Z4, Z4
	VPXORQ     Z6, Z6, Z6
	MOVL  (R9), CX
	CMPQ  R10, $2
	JLT   first
	MOVL  4(R9), DX
	MOVQ  CX, R8
	SHLQ  $9, R8
	ADDQ  SI, R8

both:
	SUBL   $1, CX
	JLT    second
	SUBL   $1, DX
	JLT    undo
	NARROW(SI, Z4, Z8, Z9, K1)
	NARROW(R8, Z6, Z10, Z11, K2)
	JMP    both

undo:
	INCL  CX

first:
	DECL  CX
	JLT   done
	NARROW(SI, Z4, Z8, Z9, K1)
	JMP   first

second:
	DECL  DX
	JLT   done
	NARROW(R8, Z6, Z10, Z11, K2)
	JMP   second

done:
	VMOVDQU8 Z4, (BX)
	CMPQ     R10, $2
	JLT      next
	VMOVDQU8 Z6, 64(BX)
	MOVQ     R8, SI
	ADDQ     $128, BX
	ADDQ     $8, R9
	SUBQ     $2, R10
	JNE      pair

next:
	ADDQ     $256, DI
	ADDQ     $256, AX
	DECQ     R11
	JNE      one

end:
	VZEROUPPER
	RET

// COLUMNS transposes the leaves of eight documents in 64 trees: those of a tree become eight bytes.
// Z27 an order of the trees, which the transposition undoes.
#define COLUMNS \
	VPERMB     (0*const_DocumentTrees)(SI), Z27, Z0; \
	VPERMB     (1*const_DocumentTrees)(SI), Z27, Z1; \
	VPERMB     (2*const_DocumentTrees)(SI), Z27, Z2; \
	VPERMB     (3*const_DocumentTrees)(SI), Z27, Z3; \
	VPERMB     (4*const_DocumentTrees)(SI), Z27, Z4; \
	VPERMB     (5*const_DocumentTrees)(SI), Z27, Z5; \
	VPERMB     (6*const_DocumentTrees)(SI), Z27, Z6; \
	VPERMB     (7*const_DocumentTrees)(SI), Z27, Z7; \
	VPUNPCKLBW Z1, Z0, Z8; \
	VPUNPCKHBW Z1, Z0, Z9; \
	VPUNPCKLBW Z3, Z2, Z10; \
	VPUNPCKHBW Z3, Z2, Z11; \
	VPUNPCKLBW Z5, Z4, Z12; \
	VPUNPCKHBW Z5, Z4, Z13; \
	VPUNPCKLBW Z7, Z6, Z14; \
	VPUNPCKHBW Z7, Z6, Z15; \
	VPUNPCKLWD Z10, Z8, Z0; \
	VPUNPCKHWD Z10, Z8, Z1; \
	VPUNPCKLWD Z11, Z9, Z2; \
	VPUNPCKHWD Z11, Z9, Z3; \
	VPUNPCKLWD Z14, Z12, Z4; \
	VPUNPCKHWD Z14, Z12, Z5; \
	VPUNPCKLWD Z15, Z13, Z6; \
	VPUNPCKHWD Z15, Z13, Z7; \
	TREES(Z0, Z4, 0); \
	TREES(Z1, Z5, 128); \
	TREES(Z2, Z6, 256); \
	TREES(Z3, Z7, 384)

// TREES writes 16 trees, given documents 0 to 3 and 4 to 7.
#define TREES(a, b, at) \
	VPUNPCKLDQ b, a, Z8; \
	VPUNPCKHDQ b, a, Z9; \
	VMOVDQU64  Z8, (at)(R13); \
	VMOVDQU64  Z9, (at+64)(R13)

// LEAF32 and LEAF64 add the values of a tree's leaves at at, of eight documents, to their scores.
// Z16 to Z19 and Z20 to Z23 values   Z26, Z25 16 and 32   Z0 to Z3, K5, K6 scratch.
#define LEAF32(at, scores) \
	VPMOVZXBQ (at)(R13), Z0; \
	VPTESTMQ  Z26, Z0, K5; \
	VMOVDQA64 Z0, Z1; \
	VPERMI2PD Z17, Z16, Z0; \
	VPERMI2PD Z19, Z18, Z1; \
	VMOVAPD   Z1, K5, Z0; \
	VADDPD    Z0, scores, scores
#define LEAF64(at, scores) \
	VPMOVZXBQ (at)(R13), Z0; \
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

// func documentSumF64AVX512(scores []float64, leaves *DocumentLeaves, widths []uint32,
//	values []float64, trees int)
//
// Requires: AVX512F, AVX512BW, AVX512VBMI
//
// No width is more than 64. Documents take turns, eight at once: the values of a tree are in
// registers, out of which their leaves are looked up. Leaves of documents that there are not may be
// any.
//
// DI scores   R8 documents   SI their leaves   AX leaves of the slab by trees, R13 of a tree
// R9 widths   R11 values   DX bytes of those of a tree   R10 trees left   R12 those of the slab
// BX width   CX scratch   Z28, Z29 scores   K7 the last of them   Z26, Z25 16 and 32
TEXT ·documentSumF64AVX512(SB), NOSPLIT, $0-88
	MOVQ scores_base+0(FP), DI
	MOVQ scores_len+8(FP), R8
	MOVQ leaves+24(FP), SI
	LEAQ DocumentLeaves_slab(SI), AX
	MOVQ widths_base+32(FP), R9
	MOVQ values_base+56(FP), R11
	MOVQ trees+80(FP), R10
	MOVL $16, CX
	VPBROADCASTQ CX, Z26
	VPADDQ Z26, Z26, Z25
	VMOVDQU8 ·documentTrees(SB), Z27
	MOVL $1, BX
	MOVL R8, CX
	SHLL CX, BX
	DECL BX
	KMOVW BX, K7
	VMOVUPD.Z (DI), K7, Z28
	CMPQ R8, $8
	JLE  slab
	KSHIFTRW $8, K7, K7
	VMOVUPD.Z 64(DI), K7, Z29

slab:
	MOVQ AX, R13
	COLUMNS
	CMPQ R8, $8
	JLE  values
	ADDQ $(8*const_DocumentTrees), SI
	ADDQ $512, R13
	COLUMNS
	SUBQ $(8*const_DocumentTrees), SI

values:
	MOVL    (R9), BX
	MOVQ    BX, DX
	SHLQ    $3, DX
	ADDQ    $4, R9
	MOVL    $const_DocumentSlab, R12
	CMPQ    R10, R12
	CMOVQLT R10, R12
	SUBQ    R12, R10
	MOVL    BX, CX
	SUBL    $32, CX
	CMOVLLS BX, CX                // values behind the first 32, or all if there are no more
	MOVQ    $1, R13
	SHLQ    CX, R13
	DECQ    R13
	KMOVD   R13, K1
	KSHIFTRD $8, K1, K2
	KSHIFTRD $16, K1, K3
	KSHIFTRD $24, K1, K4
	MOVQ    AX, R13
	CMPL    BX, $32
	JHI     tree64

tree32:
	VMOVUPD.Z (R11), K1, Z16
	VMOVUPD.Z 64(R11), K2, Z17
	VMOVUPD.Z 128(R11), K3, Z18
	VMOVUPD.Z 192(R11), K4, Z19
	LEAF32(0, Z28)
	CMPQ    R8, $8
	JLE     next32
	LEAF32(512, Z29)

next32:
	ADDQ    $8, R13
	ADDQ    DX, R11
	DECQ    R12
	JNE     tree32

summed:
	ADDQ    $const_DocumentSlab, SI
	TESTQ   R10, R10
	JNE     slab
	CMPQ    R8, $8
	JLE     last
	VMOVUPD Z28, (DI)
	ADDQ    $64, DI
	VMOVAPD Z29, Z28

last:
	VMOVUPD Z28, K7, (DI)
	VZEROUPPER
	RET

tree64:
	VMOVUPD   (R11), Z16
	VMOVUPD   64(R11), Z17
	VMOVUPD   128(R11), Z18
	VMOVUPD   192(R11), Z19
	VMOVUPD.Z 256(R11), K1, Z20
	VMOVUPD.Z 320(R11), K2, Z21
	VMOVUPD.Z 384(R11), K3, Z22
	VMOVUPD.Z 448(R11), K4, Z23
	LEAF64(0, Z28)
	CMPQ      R8, $8
	JLE       next64
	LEAF64(512, Z29)

next64:
	ADDQ      $8, R13
	ADDQ      DX, R11
	DECQ      R12
	JNE       tree64
	JMP       summed

// FIRSTS and NEXTS are those of 64 values, Z0 to Z3, and ADD adds their places, Z8 to Z11, to their
// ranks, Z4 to Z7. Z12 to Z15 scratch.
#define FIRSTS \
	VMOVUPS (SI), Z20; \
	VBROADCASTSS 4(SI), Z21; \
	FIRST(Z0, Z8, Z12); \
	FIRST(Z1, Z9, Z13); \
	FIRST(Z2, Z10, Z14); \
	FIRST(Z3, Z11, Z15)
#define NEXTS(block) \
	NEXT(block, Z0, Z8, Z12); \
	NEXT(block, Z1, Z9, Z13); \
	NEXT(block, Z2, Z10, Z14); \
	NEXT(block, Z3, Z11, Z15)
#define ADD \
	VPADDD Z8, Z4, Z4; \
	VPADDD Z9, Z5, Z5; \
	VPADDD Z10, Z6, Z6; \
	VPADDD Z11, Z7, Z7

// func documentPackRanksF32AVX512(table *DocumentPackTable, x []float32, docs, cols, stride int,
//	tiles, rows []uint32, blocks []float32)
//
// Requires: AVX512F, AVX512DQ, AVX512VBMI2
//
// As documentTablesF32SearchAVX512, of four times 16 documents, whose searches take turns: each
// step waits for the one before it.
//
// DI special values   R8 bytes of a stride   R9 rows, R12 their end   R10 tiles   R11 values of a
// tile   R13 ranks   SI blocks   BX x of a document, place of values, first place   AX column, row
// DX sixteens of documents left, rows of the tile left   CX documents left, blocks left
// Z0 to Z3 values   Z4 to Z7 ranks   Z8 to Z11 places   Z12 to Z15 scratch   Z16 1
// Z20 special values, then with Z21 and Z22 of a block
TEXT ·documentPackRanksF32AVX512(SB), NOSPLIT, $0-128
	MOVQ table+0(FP), R13
	LEAQ DocumentPackTable_values(R13), R11
	ADDQ $DocumentPackTable_Ranks, R13
	MOVQ stride+48(FP), R8
	SHLQ $2, R8
	MOVQ tiles_base+56(FP), R10
	MOVQ rows_base+80(FP), R9
	MOVQ rows_len+88(FP), R12
	LEAQ (R9)(R12*4), R12
	MOVQ blocks_base+104(FP), SI
	LEAQ ·documentSpecials(SB), DI

tile:
	MOVQ x_base+8(FP), BX
	MOVQ cols+40(FP), CX
	MASK
	MOVQ docs+32(FP), CX
	CMOVQEQ DX, CX                // without columns, no document is looked at
	MOVL $4, DX

sixteen:
	TILE(4*const_DocumentPack)
	ADDQ $64, R11
	DECL DX
	JNE  sixteen
	SUBQ $(4*const_DocumentPack), R11
	MOVL 4(R10), DX
	ADDQ $8, R10
	TESTL DX, DX
	JEQ  tiled
	MOVL $1, AX
	VPBROADCASTD AX, Z16

row:
	MOVL    (R9), AX
	MOVL    AX, BX
	SHRL    $30, BX
	VPBROADCASTD (DI)(BX*4), Z20
	MOVL    AX, BX
	SHRL    $6, BX
	ANDL    $(15*4*const_DocumentPack), BX
	VMOVUPS (R11)(BX*1), Z0
	VMOVUPS 64(R11)(BX*1), Z1
	VMOVUPS 128(R11)(BX*1), Z2
	VMOVUPS 192(R11)(BX*1), Z3
	VFIXUPIMMPS $0, Z20, Z0, Z0
	VFIXUPIMMPS $0, Z20, Z1, Z1
	VFIXUPIMMPS $0, Z20, Z2, Z2
	VFIXUPIMMPS $0, Z20, Z3, Z3
	MOVL    AX, CX
	ANDL    $15, CX
	MOVL    CX, BX
	SHLL    $5, BX
	ADDL    $128, BX
	TESTL   $const_documentShort, AX
	JEQ     2(PC)
	ADDL    $16, BX
	NEGL    BX                    // places begin with the number of a block's elements
	VPBROADCASTD BX, Z4
	VMOVDQA64 Z4, Z5
	VMOVDQA64 Z4, Z6
	VMOVDQA64 Z4, Z7
	TESTL   CX, CX
	JEQ     short

block:
	FIRSTS
	NEXTS(Z20)
	NEXTS(Z20)
	NEXTS(Z20)
	VMOVUPS 64(SI), Z22
	NEXTS(Z22)
	ADD
	ADDQ    $(4*const_documentBlock), SI
	DECL    CX
	JNE     block

short:
	TESTL   $const_documentShort, AX
	JEQ     rank
	FIRSTS
	NEXTS(Z20)
	NEXTS(Z20)
	NEXTS(Z20)
	ADD
	ADDQ    $(2*const_documentBlock), SI

rank:
	SHLL    $2, AX
	ANDL    $(255*const_DocumentPack), AX
	VPMOVSDB Z4, (R13)(AX*1)
	VPMOVSDB Z5, 16(R13)(AX*1)
	VPMOVSDB Z6, 32(R13)(AX*1)
	VPMOVSDB Z7, 48(R13)(AX*1)
	ADDQ    $4, R9
	DECL    DX
	JNE     row

tiled:
	CMPQ R9, R12
	JNE  tile

	VZEROUPPER
	RET

// SPLIT moves the leaves of 64 documents by a split at at, PAIR those of two trees by the splits at
// p. R8 ranks   a, b, c, k, AX scratch.
#define SPLIT(at, p, leaves, a, b, c, k) \
	MOVBLZX      (at)(p), AX; \
	VPBROADCASTB (at+1)(p), a; \
	VPBROADCASTB (at+2)(p), b; \
	VPBROADCASTB (at+3)(p), c; \
	SHLQ         $6, AX; \
	VPCMPB       $2, (R8)(AX*1), a, k; \
	VPCMPB       $0, b, leaves, k, k; \
	VPADDB       c, leaves, k, leaves
#define PAIR(p, l0, l1, k0, k1) \
	SPLIT(0, p, l0, Z1, Z2, Z3, k0); \
	SPLIT(4, p, l1, Z4, Z5, Z6, k1); \
	ADDQ $8, p

// SOME is HALVES of up to 32 leaves, those that K2 to K5 name. Z14 scratch.
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

// EIGHTS does what do says with the scores of each eight documents, and goes on at done behind the
// last eight that there are.
#define EIGHTS(do, done) \
	do(0, Z16); \
	CMPQ DX, $8; \
	JEQ  done; \
	do(64, Z17); \
	CMPQ DX, $16; \
	JEQ  done; \
	do(128, Z18); \
	CMPQ DX, $24; \
	JEQ  done; \
	do(192, Z19); \
	CMPQ DX, $32; \
	JEQ  done; \
	do(256, Z20); \
	CMPQ DX, $40; \
	JEQ  done; \
	do(320, Z21); \
	CMPQ DX, $48; \
	JEQ  done; \
	do(384, Z22); \
	CMPQ DX, $56; \
	JEQ  done; \
	do(448, Z23)
#define LOAD(at, scores) VMOVUPD at(DI), scores
#define SAVE(at, scores) VMOVUPD scores, at(DI)

// SUMS adds the leaves Z0 of a tree to the scores of as many sixteens of documents as there are.
#define SUMS(sixteen) \
	VMOVDQA32 Z0, Z1; \
	sixteen(Z16, Z17); \
	CMPQ   DX, $16; \
	JLE    added; \
	VPSRLD $8, Z0, Z1; \
	sixteen(Z18, Z19); \
	CMPQ   DX, $32; \
	JLE    added; \
	VPSRLD $16, Z0, Z1; \
	sixteen(Z20, Z21); \
	CMPQ   DX, $48; \
	JLE    added; \
	VPSRLD $24, Z0, Z1; \
	sixteen(Z22, Z23)

// func documentPackSumF64AVX512(scores []float64, ranks *[DocumentRows][DocumentPack]int8,
//	splits, pairs []uint32, values []float64, trees int)
//
// Requires: AVX512F, AVX512DQ, AVX512BW
//
// Documents are lanes, of bytes. No tree has more than 64 values, which are looked up as two halves
// of 32 bits. Two pairs of trees take turns, for each split waits for the one before it.
//
// DI scores, splits of the second pair   R8 ranks   SI splits   R9 pairs   R10 trees left, R12 of
// two pairs   R11 values of a tree, BX their number   CX and R13 steps left   DX documents
// Z0, Z31, Z30, Z29 leaves   Z16 to Z23 scores   K2 to K5 values
TEXT ·documentPackSumF64AVX512(SB), NOSPLIT, $0-112
	MOVQ scores_base+0(FP), DI
	MOVQ scores_len+8(FP), DX
	MOVQ ranks+24(FP), R8
	MOVQ splits_base+32(FP), SI
	MOVQ pairs_base+56(FP), R9
	MOVQ values_base+80(FP), R11
	MOVQ trees+104(FP), R10
	LEAF_TABLES
	EIGHTS(LOAD, loaded)

loaded:
	VPXORQ Z0, Z0, Z0
	VPXORQ Z31, Z31, Z31
	VPXORQ Z30, Z30, Z30
	VPXORQ Z29, Z29, Z29
	MOVL   (R9), CX
	MOVQ   CX, DI
	SHLQ   $3, DI
	ADDQ   SI, DI
	CMPQ   R10, $2
	JLE    first
	MOVL   8(R9), R13

both:
	SUBL $1, CX
	JLT  second
	SUBL $1, R13
	JLT  undo
	PAIR(SI, Z0, Z31, K1, K2)
	PAIR(DI, Z30, Z29, K3, K4)
	JMP  both

undo:
	INCL CX

first:
	DECL CX
	JLT  moved
	PAIR(SI, Z0, Z31, K1, K2)
	JMP  first

second:
	DECL R13
	JLT  moved
	PAIR(DI, Z30, Z29, K3, K4)
	JMP  second

moved:
	MOVQ DI, SI
	MOVL $4, R12

pair:
	MOVL    4(R9), BX
	ADDQ    $8, R9
	MOVL    BX, CX
	SUBL    $32, CX
	CMOVLLS BX, CX                // values behind the first 32, or all if there are no more
	MOVQ    $1, AX
	SHLQ    CX, AX
	DECQ    AX
	KMOVD   AX, K2
	KSHIFTRD $8, K2, K3
	KSHIFTRD $16, K2, K4
	KSHIFTRD $24, K2, K5

tree:
	VPSHUFB Z15, Z0, Z0
	VPERMD  Z0, Z9, Z0
	VPSHUFB Z8, Z0, Z0
	CMPL    BX, $32
	JHI     wide
	SOME(0, Z10, Z11, Z12, Z13)
	SUMS(SIXTEEN)

added:
	LEAQ (R11)(BX*8), R11
	DECQ R10
	JEQ  store
	VMOVDQA64 Z31, Z0
	VMOVDQA64 Z30, Z31
	VMOVDQA64 Z29, Z30
	DECL  R12
	JEQ   loaded
	TESTL $1, R12
	JNE   tree
	JMP   pair

wide:
	HALVES(0, Z10, Z11, Z12, Z13)
	SOME(256, Z4, Z5, Z6, Z7)
	SUMS(SIXTEEN64)
	JMP     added

store:
	MOVQ scores_base+0(FP), DI
	EIGHTS(SAVE, end)

end:
	VZEROUPPER
	RET
