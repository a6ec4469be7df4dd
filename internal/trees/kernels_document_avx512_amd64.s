//go:build !purego

#include "go_asm.h"
#include "textflag.h"

// Kernels of single documents for AVX-512.

// VALUE copies the value of a feature.
#define VALUE(i) \
	MOVL    (4*i)(R8), AX; \
	XORL    R12, R12; \
	CMPQ    AX, DX; \
	JCC     2(PC); \
	MOVL    (BX)(AX*4), R12; \
	MOVL    R12, (4*i)(SI)

// COPY copies the value of a feature to a vector of documents.
#define COPY(i) \
	MOVL    (4*i)(R9), AX; \
	XORL    R12, R12; \
	CMPQ    AX, DX; \
	JCC     2(PC); \
	MOVL    (BX)(AX*4), R12; \
	MOVL    R12, (64*i)(SI)

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

// FIND goes down one level of a search: at is the level's thresholds, half what it adds to the
// numbers in Z1, bit what it adds to the places in Z2. Z0 values   Z3, K1 scratch.
#define FIND(at, half, bit) \
	VPERMPS at, Z2, Z3; \
	VCMPPS  $30, Z3, Z0, K1; \
	VPADDD  half, Z1, K1, Z1; \
	VPADDD  bit, Z2, K1, Z2

// STORE writes the ranks of four documents in the lanes of z.
#define STORE(z, i) \
	VEXTRACTI32X4 $0, z, (256*i)(DI); \
	VEXTRACTI32X4 $1, z, (256*(4+i))(DI); \
	VEXTRACTI32X4 $2, z, (256*(8+i))(DI); \
	VEXTRACTI32X4 $3, z, (256*(12+i))(DI)

// func documentTablesF32AVX512(tables *DocumentTables, x []float32, docs, cols, stride int,
//	features, rows []uint32, searches []float32)
//
// Requires: AVX512F, AVX512DQ, AVX512BW, AVX512VBMI
//
// Documents are lanes. First their values are put together by rows of ranks, then the ranks are
// searched for, and transposed, four rows and then 16.
//
// DI tables   BX x of a document   DX columns   R8 bytes of a stride   R9 features, then rows   R10
// those left   R11 values   CX documents left, blocks left   R12 value of what x lacks   R13 ranks
// Z0 values   Z1 ranks   Z2 places in a search   Z4 ranks of a block   Z20 to Z24 16, 8, 4, 2, 1
// Z25 zero   Z26 order of the bytes of four rows
TEXT ·documentTablesF32AVX512(SB), NOSPLIT, $0-128
	MOVQ tables+0(FP), DI
	MOVQ x_base+8(FP), BX
	MOVQ docs+32(FP), CX
	MOVQ cols+40(FP), DX
	MOVQ stride+48(FP), R8
	SHLQ $2, R8
	LEAQ DocumentTables_values(DI), R11

document:
	MOVQ features_base+56(FP), R9
	MOVQ features_len+64(FP), R10
	MOVQ R11, SI

value:
	COPY(0)
	COPY(1)
	COPY(2)
	COPY(3)
	ADDQ $16, R9
	ADDQ $256, SI
	SUBQ $4, R10
	JNE  value
	ADDQ R8, BX
	ADDQ $4, R11
	DECQ CX
	JNE  document

	MOVL $1, AX
	VPBROADCASTD AX, Z24
	VPADDD  Z24, Z24, Z23
	VPADDD  Z23, Z23, Z22
	VPADDD  Z22, Z22, Z21
	VPADDD  Z21, Z21, Z20
	VPXORD  Z25, Z25, Z25
	VMOVDQU8 ·documentOrder(SB), Z26
	LEAQ DocumentTables_values(DI), R11
	LEAQ DocumentTables_ranks(DI), R13
	MOVQ rows_base+80(FP), R9
	MOVQ rows_len+88(FP), R10
	MOVQ searches_base+104(FP), SI

row:
	MOVL    (R9), AX
	VMOVUPS (R11), Z0
	VPXORD  Z1, Z1, Z1
	MOVWLZX AX, CX
	TESTL   CX, CX
	JEQ     missing

block:
	VPXORD  Z2, Z2, Z2
	VCMPPS.BCST  $30, (SI), Z0, K1
	VPADDD  Z20, Z1, K1, Z1
	VPADDD  Z24, Z2, K1, Z2
	FIND(4(SI), Z21, Z23)
	FIND(12(SI), Z22, Z22)
	FIND(28(SI), Z23, Z21)
	VPERMPS 60(SI), Z2, Z3
	VCMPPS  $30, Z3, Z0, K1
	VPADDD  Z24, Z1, K1, Z1
	ADDQ    $128, SI
	DECL    CX
	JNE     block

missing:
	VCMPPS  $3, Z0, Z0, K1
	TESTL   AX, AX
	JGE     rank
	VCMPPS  $0, Z25, Z0, K2
	KORW    K2, K1, K1

rank:
	SHRL    $16, AX
	ANDL    $255, AX
	VPBROADCASTD AX, K1, Z1
	VPMOVDB Z1, (R13)
	ADDQ    $16, R13
	ADDQ    $64, R11
	ADDQ    $4, R9
	DECQ    R10
	JNE     row

	LEAQ DocumentTables_ranks(DI), R13
	MOVQ rows_len+88(FP), R10

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
	STORE(Z0, 0)
	STORE(Z1, 1)
	STORE(Z2, 2)
	STORE(Z3, 3)
	ADDQ $256, R13
	ADDQ $16, DI
	SUBQ $16, R10
	JNE  transpose
	VZEROUPPER
	RET

// LOOKUP sets key to the ranks of the rows at at. Z0 to Z3 ranks   k, tmp scratch.
#define LOOKUP(at, key, tmp, k) \
	VMOVDQU8  at, key; \
	VMOVDQA64 key, tmp; \
	VPMOVB2M  key, k; \
	VPERMI2B  Z1, Z0, key; \
	VPERMI2B  Z3, Z2, tmp; \
	VMOVDQU8  tmp, k, key

// NARROW moves the leaves lo of 64 trees, given the ranks key of a step.
#define NARROW(at, key, lo, k1, k2) \
	VPCMPUB  $6, 64(at), key, k1; \
	VPCMPUB  $0, 128(at), lo, k1, k2; \
	VMOVDQU8 192(at), k2, lo; \
	ADDQ     $256, at

// func documentLeavesU8AVX512(leaves []uint8, ranks *[DocumentRows]uint8, steps []uint8, slabs []uint32)
//
// Requires: AVX512F, AVX512BW, AVX512VBMI
//
// DI leaves   SI steps of a slab   R8 of the next   R9 slabs   R10 slabs left   CX, DX steps left
// Z0 to Z3 ranks   Z4, Z6 leaves of the trees
TEXT ·documentLeavesU8AVX512(SB), NOSPLIT, $0-80
	MOVQ leaves_base+0(FP), DI
	MOVQ ranks+24(FP), AX
	MOVQ steps_base+32(FP), SI
	MOVQ slabs_base+56(FP), R9
	MOVQ slabs_len+64(FP), R10
	VMOVDQU8 (AX), Z0
	VMOVDQU8 64(AX), Z1
	VMOVDQU8 128(AX), Z2
	VMOVDQU8 192(AX), Z3

pair:
	VPXORQ     Z4, Z4, Z4
	VPXORQ     Z6, Z6, Z6
	MOVL  (R9), CX
	CMPQ  R10, $2
	JLT   first
	MOVL  4(R9), DX
	MOVQ  CX, R8
	SHLQ  $8, R8
	ADDQ  SI, R8

both:
	SUBL   $1, CX
	JLT    second
	SUBL   $1, DX
	JLT    undo
	LOOKUP((SI), Z8, Z9, K3)
	LOOKUP((R8), Z11, Z12, K6)
	NARROW(SI, Z8, Z4, K1, K2)
	NARROW(R8, Z11, Z6, K4, K5)
	JMP    both

undo:
	INCL  CX

first:
	DECL  CX
	JLT   done
	LOOKUP((SI), Z8, Z9, K3)
	NARROW(SI, Z8, Z4, K1, K2)
	JMP   first

second:
	DECL  DX
	JLT   done
	LOOKUP((R8), Z11, Z12, K6)
	NARROW(R8, Z11, Z6, K4, K5)
	JMP   second

done:
	VMOVDQU8 Z4, (DI)
	CMPQ     R10, $2
	JLT      end
	VMOVDQU8 Z6, 64(DI)
	MOVQ     R8, SI
	ADDQ     $128, DI
	ADDQ     $8, R9
	SUBQ     $2, R10
	JNE      pair

end:
	VZEROUPPER
	RET

// ADD adds the value of the leaf of document d to x.
#define ADD(d, reg, x) \
	MOVBLZX (d*const_DocumentTrees)(SI), reg; \
	VADDSD  (R11)(reg*8), x, x

// func documentSumF64AVX512(scores []float64, leaves *[DocumentBlock][DocumentTrees]uint8, widths []uint32,
//	values []float64, trees int)
//
// Requires: AVX2. A sum of a document waits for the one before it: four documents take turns.
//
// X0 to X3 scores   SI leaves   R9 widths   R11 values   DX bytes of those of a tree   R10 trees
// left   R12 those of the slab
TEXT ·documentSumF64AVX512(SB), NOSPLIT, $0-88
	MOVQ scores_base+0(FP), DI
	MOVQ leaves+24(FP), SI
	MOVQ widths_base+32(FP), R9
	MOVQ values_base+56(FP), R11
	MOVQ trees+80(FP), R10
	VMOVSD (DI), X0
	VMOVSD 8(DI), X1
	VMOVSD 16(DI), X2
	VMOVSD 24(DI), X3

slab:
	MOVL    (R9), DX
	SHLQ    $3, DX
	ADDQ    $4, R9
	MOVL    $const_DocumentSlab, R12
	CMPQ    R10, R12
	CMOVQLT R10, R12
	SUBQ    R12, R10

tree:
	ADD(0, AX, X0)
	ADD(1, BX, X1)
	ADD(2, CX, X2)
	ADD(3, R8, X3)
	INCQ SI
	ADDQ DX, R11
	DECQ R12
	JNE  tree
	TESTQ R10, R10
	JNE  slab
	VMOVSD X0, (DI)
	VMOVSD X1, 8(DI)
	VMOVSD X2, 16(DI)
	VMOVSD X3, 24(DI)
	RET
