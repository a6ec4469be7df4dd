//go:build !purego

#include "go_asm.h"
#include "textflag.h"
#include "transpose_avx512_amd64.h"
#include "leaves_avx512_amd64.h"

// Kernels of forests for AVX-512. A row of a block is one vector of bits.

// Even numbers, and the first numbers.
DATA forestEven<>+0(SB)/8, $0x0e0c0a0806040200
DATA forestEven<>+8(SB)/8, $0x1e1c1a1816141210
GLOBL forestEven<>(SB), RODATA|NOPTR, $16
DATA forestFirst<>+0(SB)/8, $0x0706050403020100
DATA forestFirst<>+8(SB)/8, $0x0f0e0d0c0b0a0908
GLOBL forestFirst<>(SB), RODATA|NOPTR, $16

// ROW loads 16 features of a document, those that K1 names, into z; CX counts the documents down,
// and those that there are not have values of 0.
#define ROW(z) \
	VPXORD      z, z, z; \
	DECQ        CX; \
	JLT         3(PC); \
	VMOVDQU32.Z (SI), K1, z; \
	PREFETCHT0  (SI)(R13*1); \
	ADDQ        R8, SI

// STORE writes the values of a feature for 16 documents, and is done when it was the last feature.
// AX features left.
#define STORE(z, i) \
	VMOVDQU32 z, (i*4*const_ForestRows)(DX); \
	CMPQ      AX, $(i+1); \
	JEQ       next

// func forestColumnsF32AVX512(dst, x []float32, rows, cols, stride int)
//
// Requires: AVX512F, AVX512DQ
//
// 64 documents at a time, while those after them are fetched: rows are read nearly in order. Tiles
// of 16 features by 16 documents are transposed.
//
// DI dst of the documents   SI x   R9 first of their rows   R10 rows left   R13 bytes of 64 rows
// R8 bytes of a stride   BX first row of the tile's columns   R11 features left   AX features of
// the tile   DX place of the tile   R12 rows left   CX documents of the tile that there are
TEXT ·forestColumnsF32AVX512(SB), NOSPLIT, $0-72
	MOVQ dst_base+0(FP), DI
	MOVQ x_base+24(FP), R9
	MOVQ rows+48(FP), R10
	MOVQ stride+64(FP), R8
	SHLQ $2, R8
	MOVQ R8, R13
	SHLQ $6, R13

documents:
	MOVQ cols+56(FP), R11
	MOVQ R9, BX
	MOVQ DI, DX

columns:
	MOVQ    $16, AX
	CMPQ    R11, AX
	CMOVQLT R11, AX
	MOVL    $1, R12
	MOVQ    AX, CX
	SHLL    CX, R12
	DECL    R12
	KMOVW   R12, K1
	MOVQ    BX, SI
	MOVQ    R10, R12

tile:
	MOVQ R12, CX
	ROW(Z0)
	ROW(Z1)
	ROW(Z2)
	ROW(Z3)
	ROW(Z4)
	ROW(Z5)
	ROW(Z6)
	ROW(Z7)
	ROW(Z8)
	ROW(Z9)
	ROW(Z10)
	ROW(Z11)
	ROW(Z12)
	ROW(Z13)
	ROW(Z14)
	ROW(Z15)
	TRANSPOSE
	STORE(Z4, 0)
	STORE(Z5, 1)
	STORE(Z6, 2)
	STORE(Z7, 3)
	STORE(Z8, 4)
	STORE(Z9, 5)
	STORE(Z10, 6)
	STORE(Z11, 7)
	STORE(Z12, 8)
	STORE(Z13, 9)
	STORE(Z14, 10)
	STORE(Z15, 11)
	STORE(Z16, 12)
	STORE(Z17, 13)
	STORE(Z18, 14)
	STORE(Z19, 15)

next:
	ADDQ $64, DX
	SUBQ $16, R12
	MOVQ R10, CX
	SUBQ R12, CX
	CMPQ CX, $64
	JNE  tile
	ADDQ $(16*4*const_ForestRows-4*64), DX
	ADDQ $64, BX
	SUBQ $16, R11
	JGT  columns
	ADDQ R13, R9
	ADDQ $(4*64), DI
	SUBQ $64, R10
	JGT  documents
	VZEROUPPER
	RET

// SPLIT replaces the table a, of which b is the second half, by its odd elements, and sets even to
// the even ones.
#define SPLIT(a, b, even) \
	VMOVDQA32 Z28, even; \
	VPERMI2PS b, a, even; \
	VPERMT2PS b, Z29, a

// THRESHOLDS loads 32 thresholds, infinity behind the last, and splits them into those of the last
// step of a search and those of all others. CX thresholds of the piece.
#define THRESHOLDS(i, even, odd) \
	VPBROADCASTD CX, Z1; \
	VPCMPD  $6, Z5, Z1, K1; \
	VPADDD  Z4, Z5, Z5; \
	VPCMPD  $6, Z5, Z1, K2; \
	VPADDD  Z4, Z5, Z5; \
	VMOVAPS Z31, odd; \
	VMOVAPS Z31, Z0; \
	VMOVUPS (128*i)(R9), K1, odd; \
	VMOVUPS (128*i+64)(R9), K2, Z0; \
	SPLIT(odd, Z0, even)

// ABOVE sets the bits of k for those of 16 values Z0 that are above the thresholds z, or NaN, and
// writes them to a plane. NEXT appends them to the numbers Z1.
#define ABOVE(z, k, at) \
	VCMPPS $6, z, Z0, k; \
	KMOVW  k, at(R11)
#define NEXT(k) \
	VPADDD Z1, Z1, Z1; \
	VPADDD Z30, Z1, k, Z1

// STEP is a step of a search in a table of up to 16 thresholds.
#define STEP(table, k, at) \
	VPERMPS table, Z1, Z2; \
	ABOVE(Z2, k, at)

// BELOW sets r0 to r6 to the documents of which the number with the bits Z2, Z1 and Z0 is at most
// 0 to 6.
#define BELOW(r0, r1, r2, r3, r4, r5, r6) \
	VMOVDQA64  Z2, r0; \
	VMOVDQA64  Z2, r1; \
	VMOVDQA64  Z2, r2; \
	VMOVDQA64  Z2, r3; \
	VMOVDQA64  Z2, r4; \
	VMOVDQA64  Z2, r5; \
	VMOVDQA64  Z2, r6; \
	VPTERNLOGQ $0x01, Z0, Z1, r0; \
	VPTERNLOGQ $0x03, Z0, Z1, r1; \
	VPTERNLOGQ $0x07, Z0, Z1, r2; \
	VPTERNLOGQ $0x0f, Z0, Z1, r3; \
	VPTERNLOGQ $0x1f, Z0, Z1, r4; \
	VPTERNLOGQ $0x3f, Z0, Z1, r5; \
	VPTERNLOGQ $0x7f, Z0, Z1, r6

// TEST writes the row of a threshold: documents of low pass by the lower three bits of the number
// of thresholds that their value is above, those of Z16 by the others, and those of Z15 by others
// that are less. It is done when it was the last one. CX thresholds left.
#define TEST(low, i) \
	VMOVDQA64  low, Z2; \
	VPTERNLOGQ $0xea, Z15, Z16, Z2; \
	VMOVDQU64  Z2, (64*i)(DI); \
	DECL       CX; \
	JEQ        tested

// func forestTestsF32AVX512(dst []uint64, values, thresholds []float32)
//
// Requires: AVX512F, AVX512DQ
//
// Thresholds are taken 255 at a time, the last 62 in two halves. A search finds how many of them
// each value is above, in eight steps, in seven where there are no more than 127, or in five where
// there are no more than 31. The bits of this number are planes on the stack, out of which the rows
// of the thresholds are made.
//
// DI dst   SI values   R8 values left   R9 thresholds   R10 thresholds left   CX thresholds of the
// piece that are left, R12 all of these   R11 place on the stack
TEXT ·forestTestsF32AVX512(SB), NOSPLIT, $512-72
	MOVQ  dst_base+0(FP), DI
	MOVQ  thresholds_base+48(FP), R9
	MOVQ  thresholds_len+56(FP), R10
	MOVL  $0x7f800000, AX
	VPBROADCASTD AX, Z31
	MOVL  $1, AX
	VPBROADCASTD AX, Z30

piece:
	VPMOVZXBD forestEven<>(SB), Z28
	VPADDD    Z30, Z28, Z29       // odd numbers
	VPMOVZXBD forestFirst<>(SB), Z5
	MOVL    $16, AX
	VPBROADCASTD AX, Z4
	MOVL    $255, CX
	MOVL    $31, AX
	CMPQ    R10, $62              // two short searches take less time than a long one
	CMOVQLE AX, CX
	CMPQ    R10, CX
	CMOVQLT R10, CX
	SUBQ    CX, R10
	MOVQ    CX, R12
	MOVQ    values_base+24(FP), SI
	MOVQ    values_len+32(FP), R8
	LEAQ    0(SP), R11
	VPTERNLOGQ $0xff, Z0, Z0, Z0  // documents without values are above all thresholds
	VMOVDQU64 Z0, (SP)
	VMOVDQU64 Z0, 64(SP)
	VMOVDQU64 Z0, 128(SP)
	VMOVDQU64 Z0, 192(SP)
	VMOVDQU64 Z0, 256(SP)
	VMOVDQU64 Z0, 320(SP)
	VMOVDQU64 Z0, 384(SP)
	VMOVDQU64 Z0, 448(SP)
	CMPL    CX, $31
	JLE     few

	THRESHOLDS(0, Z6, Z14)
	THRESHOLDS(1, Z7, Z15)
	THRESHOLDS(2, Z8, Z16)
	THRESHOLDS(3, Z9, Z17)
	THRESHOLDS(4, Z10, Z18)
	THRESHOLDS(5, Z11, Z19)
	THRESHOLDS(6, Z12, Z20)
	THRESHOLDS(7, Z13, Z21)       // Z6 to Z13 of the last step: thresholds 0 2 … 254
	SPLIT(Z14, Z15, Z22)
	SPLIT(Z16, Z17, Z23)
	SPLIT(Z18, Z19, Z24)
	SPLIT(Z20, Z21, Z25)          // Z22 to Z25 of the last but one: 1 5 … 253
	SPLIT(Z14, Z16, Z26)
	SPLIT(Z18, Z20, Z27)          // Z26 Z27: 3 11 … 251
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
	VMOVUPS   (SI), Z0
	ABOVE(Z18, K1, 0)
	VBLENDMPS Z20, Z19, K1, Z2
	VMOVDQA32.Z Z30, K1, Z1
	ABOVE(Z2, K2, 64)
	NEXT(K2)
	STEP(Z17, K3, 128)
	NEXT(K3)
	STEP(Z16, K3, 192)
	NEXT(K3)
	STEP(Z15, K3, 256)
	NEXT(K3)
	VMOVDQA32 Z1, Z2
	VPERMI2PS Z27, Z26, Z2
	ABOVE(Z2, K3, 320)
	NEXT(K3)
	VMOVDQA32 Z1, Z2
	VMOVDQA32 Z1, Z3
	VPERMI2PS Z23, Z22, Z2
	VPERMI2PS Z25, Z24, Z3
	VMOVAPS   Z3, K1, Z2
	ABOVE(Z2, K3, 384)
	NEXT(K3)
	VMOVDQA32 Z1, Z2
	VMOVDQA32 Z1, Z3
	VMOVDQA32 Z1, Z4
	VPERMI2PS Z7, Z6, Z2
	VPERMI2PS Z9, Z8, Z3
	VPERMI2PS Z11, Z10, Z4
	VPERMI2PS Z13, Z12, Z1
	VMOVAPS   Z3, K2, Z2
	VMOVAPS   Z1, K2, Z4
	VMOVAPS   Z4, K1, Z2
	ABOVE(Z2, K3, 448)
	ADDQ      $64, SI
	ADDQ      $2, R11
	SUBQ      $16, R8
	JNE       search8
	JMP       searched

seven:
	VBROADCASTSS X17, Z20         // 31
	VPXORD    Z2, Z2, Z2
	VMOVDQU64 Z2, (SP)

search7:
	VMOVUPS   (SI), Z0
	ABOVE(Z19, K1, 64)
	VBLENDMPS Z21, Z20, K1, Z2
	VMOVDQA32.Z Z30, K1, Z1
	ABOVE(Z2, K2, 128)
	NEXT(K2)
	STEP(Z16, K3, 192)
	NEXT(K3)
	STEP(Z15, K3, 256)
	NEXT(K3)
	STEP(Z26, K3, 320)
	NEXT(K3)
	VMOVDQA32 Z1, Z2
	VPERMI2PS Z23, Z22, Z2
	ABOVE(Z2, K3, 384)
	NEXT(K3)
	VMOVDQA32 Z1, Z2
	VPERMI2PS Z7, Z6, Z2
	VPERMI2PS Z9, Z8, Z1
	VMOVAPS   Z1, K1, Z2
	ABOVE(Z2, K3, 448)
	ADDQ      $64, SI
	ADDQ      $2, R11
	SUBQ      $16, R8
	JNE       search7
	JMP       searched

few:
	THRESHOLDS(0, Z26, Z25)       // 0 2 … 30 and, of which every second is looked at, 1 3 … 31
	VALIGND $1, Z25, Z25, Z24     // 3 5 …, of which every fourth is looked at
	VALIGND $3, Z25, Z25, Z2
	VBROADCASTSS X2, Z22          // 7
	VALIGND $7, Z25, Z25, Z2
	VBROADCASTSS X2, Z21          // 15
	VALIGND $11, Z25, Z25, Z2
	VBROADCASTSS X2, Z23          // 23
	VPADDD Z30, Z30, Z29          // 2
	VPADDD Z29, Z29, Z28          // 4
	VPADDD Z28, Z28, Z27          // 8
	VPXORD Z2, Z2, Z2
	VMOVDQU64 Z2, (SP)
	VMOVDQU64 Z2, 64(SP)
	VMOVDQU64 Z2, 128(SP)

search5:
	VMOVUPS   (SI), Z0
	ABOVE(Z21, K1, 192)
	VBLENDMPS Z23, Z22, K1, Z2
	VMOVDQA32.Z Z27, K1, Z1
	ABOVE(Z2, K2, 256)
	VPADDD    Z28, Z1, K2, Z1
	STEP(Z24, K3, 320)
	VPADDD    Z29, Z1, K3, Z1
	STEP(Z25, K4, 384)
	VPADDD    Z30, Z1, K4, Z1
	STEP(Z26, K5, 448)
	ADDQ      $64, SI
	ADDQ      $2, R11
	SUBQ      $16, R8
	JNE       search5

searched:
	VMOVDQU64 (SP), Z14
	VMOVDQU64 64(SP), Z15
	VMOVDQU64 128(SP), Z2
	VMOVDQU64 192(SP), Z1
	VMOVDQU64 256(SP), Z0
	BELOW(Z3, Z4, Z5, Z6, Z7, Z8, Z9)
	VMOVDQU64 320(SP), Z2
	VMOVDQU64 384(SP), Z1
	VMOVDQU64 448(SP), Z0
	VMOVDQU64 Z3, (SP)
	VMOVDQU64 Z4, 64(SP)
	VMOVDQU64 Z5, 128(SP)
	VMOVDQU64 Z6, 192(SP)
	VMOVDQU64 Z7, 256(SP)
	VMOVDQU64 Z8, 320(SP)
	VMOVDQU64 Z9, 384(SP)
	BELOW(Z3, Z4, Z5, Z6, Z7, Z8, Z9)
	VPTERNLOGQ $0xff, Z13, Z13, Z13
	VMOVDQU64  Z13, 448(SP)
	VPXORQ     Z10, Z10, Z10      // the highest two bits: none are below 0, Z11 are 0
	VMOVDQA64  Z14, Z11
	VMOVDQA64  Z14, Z12
	VPTERNLOGQ $0x03, Z15, Z15, Z11
	VPTERNLOGQ $0x0f, Z15, Z15, Z12
	VPTERNLOGQ $0x3f, Z15, Z15, Z14
	VPXORQ     Z15, Z15, Z15

high:
	LEAQ 0(SP), R11
	MOVL $8, AX

eight:
	VMOVDQU64  (R11), Z16
	VPTERNLOGQ $0xea, Z10, Z11, Z16
	TEST(Z3, 0)
	TEST(Z4, 1)
	TEST(Z5, 2)
	TEST(Z6, 3)
	TEST(Z7, 4)
	TEST(Z8, 5)
	TEST(Z9, 6)
	VMOVDQU64 Z16, 448(DI)
	ADDQ      $512, DI
	ADDQ      $64, R11
	VMOVDQA64 Z16, Z15
	DECL      CX
	JEQ       tested
	DECL      AX
	JNE       eight
	VMOVDQA64 Z11, Z10
	VMOVDQA64 Z12, Z11
	VMOVDQA64 Z14, Z12
	VMOVDQA64 Z13, Z14
	JMP       high

tested:
	TESTQ R10, R10
	JNE   more
	VZEROUPPER
	RET

more:                             // the last seven of 31 or 255 rows were written without a step
	ADDQ $(7*64), DI
	LEAQ (R9)(R12*4), R9
	JMP  piece

// SELECT is an operation, at at. a, b vectors of a row or of its first half.
#define SELECT(at, a, b) \
	MOVQ (at)(R8), BX; \
	MOVQ (at+8)(R8), DX; \
	MOVL BX, AX; \
	SHRQ $32, BX; \
	MOVL DX, CX; \
	SHRQ $32, DX; \
	VMOVDQU64  (SI)(BX*8), a; \
	VMOVDQU64  (SI)(CX*8), b; \
	VPTERNLOGQ $0xca, (SI)(DX*8), b, a; \
	VMOVDQU64  a, (SI)(AX*8)
#define SELECT8(a, b) \
	SELECT(0, a, b); \
	SELECT(16, a, b); \
	SELECT(32, a, b); \
	SELECT(48, a, b); \
	SELECT(64, a, b); \
	SELECT(80, a, b); \
	SELECT(96, a, b); \
	SELECT(112, a, b); \
	ADDQ $128, R8; \
	SUBQ $32, R9

// func forestSelectAVX512(rows []uint64, ops []uint32, words int)
//
// Requires: AVX512F, AVX512VL
//
// Eight operations at a time: loads wait for the last store of the same instruction, which is one
// of the same tree where eight of them take turns.
//
// SI rows   R8 ops   R9 elements of ops left   AX BX CX DX rows of an operation
TEXT ·forestSelectAVX512(SB), NOSPLIT, $0-56
	MOVQ rows_base+0(FP), SI
	MOVQ ops_base+24(FP), R8
	MOVQ ops_len+32(FP), R9
	SUBQ $32, R9
	JLT  rest
	CMPQ words+48(FP), $(const_ForestWords/2)
	JLE  half

eight:
	SELECT8(Z0, Z1)
	JGE  eight
	JMP  rest

half:
	SELECT8(Y0, Y1)
	JGE  half

rest:
	ADDQ $32, R9
	JEQ  done

op:
	SELECT(0, Z0, Z1)
	ADDQ $16, R8
	SUBQ $4, R9
	JNE  op

done:
	VZEROUPPER
	RET

// func forestAddF64AVX512(scores []float64, planes []uint64, trees []uint8, leaves []float64)
//
// Requires: AVX512F, AVX512DQ, AVX512BW
//
// 64 documents at a time. The planes set the bits of bytes, one for each document, which are then
// put in such an order that the first, second, third and fourth bytes of all 32-bit elements are
// the leaves of 16 documents each. Leaves are looked up as two halves of 32 bits.
//
// DI scores   R8 documents left   SI word of the planes   R9 trees   R10 trees left   R11 leaves
// BX this word of the tree's planes   CX planes   Z16 to Z23 scores   Z0 numbers of leaves
TEXT ·forestAddF64AVX512(SB), NOSPLIT, $0-96
	MOVQ scores_base+0(FP), DI
	MOVQ scores_len+8(FP), R8
	MOVQ planes_base+24(FP), SI
	LEAF_TABLES
	VPBROADCASTB AX, Z31
	VPADDB Z31, Z31, Z30          // 2
	VPADDB Z30, Z30, Z28          // 4
	VPADDB Z28, Z28, Z27          // 8
	VPADDB Z27, Z27, Z24          // 16
	VPADDB Z24, Z24, Z29          // 32

documents:
	VMOVUPD (DI), Z16
	VMOVUPD 64(DI), Z17
	VMOVUPD 128(DI), Z18
	VMOVUPD 192(DI), Z19
	VMOVUPD 256(DI), Z20
	VMOVUPD 320(DI), Z21
	VMOVUPD 384(DI), Z22
	VMOVUPD 448(DI), Z23
	MOVQ SI, BX
	MOVQ trees_base+48(FP), R9
	MOVQ trees_len+56(FP), R10
	MOVQ leaves_base+72(FP), R11

tree:
	MOVBLZX (R9), CX
	CMPL    CX, $6
	JGT     large
	KMOVQ   (BX), K1
	KMOVQ   64(BX), K2
	KMOVQ   128(BX), K3
	KMOVQ   192(BX), K4
	KMOVQ   256(BX), K5
	VMOVDQU8.Z Z31, K1, Z0
	VPADDB  Z30, Z0, K2, Z0
	VPADDB  Z28, Z0, K3, Z0
	VPADDB  Z27, Z0, K4, Z0
	VPADDB  Z24, Z0, K5, Z0
	CMPL    CX, $6
	JEQ     six
	VPSHUFB Z15, Z0, Z0
	VPERMD  Z0, Z9, Z0
	VPSHUFB Z8, Z0, Z0
	HALVES(0, Z10, Z11, Z12, Z13)
	VMOVDQA32 Z0, Z1
	SIXTEEN(Z16, Z17)
	VPSRLD  $8, Z0, Z1
	SIXTEEN(Z18, Z19)
	VPSRLD  $16, Z0, Z1
	SIXTEEN(Z20, Z21)
	VPSRLD  $24, Z0, Z1
	SIXTEEN(Z22, Z23)
	ADDQ    $(5*64), BX
	ADDQ    $(8*32), R11
	INCQ    R9
	DECQ    R10
	JNE     tree

stored:
	VMOVUPD Z16, (DI)
	VMOVUPD Z17, 64(DI)
	VMOVUPD Z18, 128(DI)
	VMOVUPD Z19, 192(DI)
	VMOVUPD Z20, 256(DI)
	VMOVUPD Z21, 320(DI)
	VMOVUPD Z22, 384(DI)
	VMOVUPD Z23, 448(DI)
	ADDQ $512, DI
	ADDQ $8, SI
	SUBQ $64, R8
	JNE  documents
	VZEROUPPER
	RET

six:
	KMOVQ   320(BX), K6
	VPADDB  Z29, Z0, K6, Z0
	VPSHUFB Z15, Z0, Z0
	VPERMD  Z0, Z9, Z0
	VPSHUFB Z8, Z0, Z0
	HALVES(0, Z10, Z11, Z12, Z13)
	HALVES(256, Z4, Z5, Z6, Z7)
	VMOVDQA32 Z0, Z1
	SIXTEEN64(Z16, Z17)
	VPSRLD  $8, Z0, Z1
	SIXTEEN64(Z18, Z19)
	VPSRLD  $16, Z0, Z1
	SIXTEEN64(Z20, Z21)
	VPSRLD  $24, Z0, Z1
	SIXTEEN64(Z22, Z23)
	ADDQ    $(6*64), BX
	ADDQ    $(8*64), R11
	INCQ    R9
	DECQ    R10
	JNE     tree
	JMP     stored

large:                            // eight documents at a time, bits from the highest plane on
	VMOVUPD Z16, (DI)
	VMOVUPD Z17, 64(DI)
	VMOVUPD Z18, 128(DI)
	VMOVUPD Z19, 192(DI)
	VMOVUPD Z20, 256(DI)
	VMOVUPD Z21, 320(DI)
	VMOVUPD Z22, 384(DI)
	VMOVUPD Z23, 448(DI)
	MOVL $1, AX
	VPBROADCASTQ AX, Z14
	MOVQ CX, DX
	SHLQ $6, DX
	ADDQ BX, DX                   // behind the last plane
	MOVQ DI, AX

eight:
	VPXORQ Z0, Z0, Z0
	MOVQ   DX, R12
	MOVL   CX, R13

plane:
	SUBQ   $64, R12
	KMOVB  (R12), K1
	VPADDQ Z0, Z0, Z0
	VPADDQ Z14, Z0, K1, Z0
	DECL   R13
	JNE    plane
	KXNORW K1, K1, K1
	VPXORQ Z1, Z1, Z1
	VGATHERQPD (R11)(Z0*8), K1, Z1
	VADDPD  (AX), Z1, Z1
	VMOVUPD Z1, (AX)
	INCQ DX
	ADDQ $64, AX
	MOVQ AX, R12
	SUBQ DI, R12
	CMPQ R12, $512
	JNE  eight

	VMOVUPD (DI), Z16
	VMOVUPD 64(DI), Z17
	VMOVUPD 128(DI), Z18
	VMOVUPD 192(DI), Z19
	VMOVUPD 256(DI), Z20
	VMOVUPD 320(DI), Z21
	VMOVUPD 384(DI), Z22
	VMOVUPD 448(DI), Z23
	MOVL CX, AX
	SHLQ $6, AX
	ADDQ AX, BX
	MOVL $8, AX
	SHLQ CX, AX
	ADDQ AX, R11
	INCQ R9
	DECQ R10
	JNE  tree
	JMP  stored
