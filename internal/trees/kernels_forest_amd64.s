//go:build !purego

#include "go_asm.h"
#include "textflag.h"
#include "leaves_amd64.h"
#include "transpose_amd64.h"

// Kernels of forests for AVX2. A row of a block is two vectors of bits.

// The first numbers, where tables of a search have their thresholds after they were split, the
// bytes of a vector that bits of 32 are taken from, and the bits of a byte.
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

// ROW loads 8 features of a document, those of the mask Y13, into y; CX counts the documents down,
// and those that there are not have values of 0.
#define ROW(y) \
	VPXOR       y, y, y; \
	DECQ        CX; \
	JLT         3(PC); \
	VMASKMOVPS  (SI), Y13, y; \
	PREFETCHT0  (SI)(R13*1); \
	ADDQ        R8, SI

// STORE writes the values of a feature for 8 documents, halves of a and b, and is done when it was
// the last feature. AX features left.
#define STORE(half, a, b, i) \
	VPERM2I128 half, b, a, Y5; \
	VMOVDQU    Y5, (i*4*const_ForestRows)(DX); \
	CMPQ       AX, $(i+1); \
	JEQ        next

// func forestColumnsF32AVX2(dst, x []float32, rows, cols, stride int)
//
// Requires: AVX, AVX2
//
// 64 documents at a time, while those after them are fetched: rows are read nearly in order. Tiles
// of 8 features by 8 documents are transposed: pairs, quadruples, and halves.
//
// DI dst of the documents   SI x   R9 first of their rows   R10 rows left   R13 bytes of 64 rows
// R8 bytes of a stride   BX first row of the tile's columns   R11 features left   AX features of
// the tile   DX place of the tile   R12 rows left   CX documents of the tile that there are
TEXT ·forestColumnsF32AVX2(SB), NOSPLIT, $0-72
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
	MOVQ    $8, AX
	CMPQ    R11, AX
	CMOVQLT R11, AX
	MOVQ    AX, CX
	NEGQ    CX
	LEAQ    github·com∕simdrank∕simdrank∕internal∕kern·Masks+96(SB), R12
	VMOVDQU (R12)(CX*4), Y13
	MOVQ    BX, SI
	MOVQ    R10, R12

tile:
	MOVQ R12, CX
	TILE

next:
	ADDQ $32, DX
	SUBQ $8, R12
	MOVQ R10, CX
	SUBQ R12, CX
	CMPQ CX, $64
	JNE  tile
	ADDQ $(8*4*const_ForestRows-4*64), DX
	ADDQ $32, BX
	SUBQ $8, R11
	JGT  columns
	ADDQ R13, R9
	ADDQ $(4*64), DI
	SUBQ $64, R10
	JGT  documents
	VZEROUPPER
	RET

// THRESHOLDS loads 8 thresholds, infinity behind the last. Y1 the number of those of the piece, Y2
// their numbers, Y3 8, Y15 infinity.
#define THRESHOLDS(i, y) \
	VPCMPGTD   Y2, Y1, Y0; \
	VPADDD     Y3, Y2, Y2; \
	VMASKMOVPS (32*i)(R9), Y0, y; \
	VBLENDVPS  Y0, y, Y15, y

// PASS sets y to the documents that pass thresholds y, of values Y0, and a byte of their plane.
#define PASS(y, at) \
	VCMPPS    $2, y, Y0, y; \
	VMOVMSKPS y, AX; \
	MOVB      AX, at(R11)

// NEXT appends bits to the numbers Y3, which are less than 0.
#define NEXT(y) \
	VPADDD Y3, Y3, Y3; \
	VPADDD y, Y3, Y3

// TEST writes half of the row of a threshold: documents of low pass by the lower three bits of the
// number of thresholds that their value is above, those of Y11 by the higher two, and those of Y10
// by less of these. It is done when it was the last one. CX thresholds left.
#define TEST(low, i) \
	VPAND   low, Y11, Y0; \
	VPOR    Y10, Y0, Y0; \
	VMOVDQU Y0, (64*i)(DX); \
	DECL    CX; \
	JEQ     tested

// func forestTestsF32AVX2(dst []uint64, values, thresholds []float32)
//
// Requires: AVX, AVX2
//
// Thresholds are taken 31 at a time, infinity where there are less. A search in five steps finds
// how many of them each value is above. The complements of the bits of this number are planes on
// the stack, out of which the rows of the thresholds are made.
//
// DI dst   SI values   R8 values left   R9 thresholds   R10 thresholds left   CX thresholds of the
// piece   R11 place on the stack   DX rows of the piece
TEXT ·forestTestsF32AVX2(SB), NOSPLIT, $320-72
	MOVQ  dst_base+0(FP), DI
	MOVQ  thresholds_base+48(FP), R9
	MOVQ  thresholds_len+56(FP), R10
	VPXOR   Y0, Y0, Y0
	VMOVDQU Y0, (SP)
	VMOVDQU Y0, 32(SP)
	VMOVDQU Y0, 64(SP)
	VMOVDQU Y0, 96(SP)
	VMOVDQU Y0, 128(SP)
	VMOVDQU Y0, 160(SP)
	VMOVDQU Y0, 192(SP)
	VMOVDQU Y0, 224(SP)
	VMOVDQU Y0, 256(SP)
	VMOVDQU Y0, 288(SP)

piece:
	MOVL    $31, CX
	CMPQ    R10, CX
	CMOVQLT R10, CX
	SUBQ    CX, R10
	MOVL    $0x7f800000, AX
	VMOVD   AX, X15
	VPBROADCASTD X15, Y15
	VMOVD   CX, X1
	VPBROADCASTD X1, Y1
	MOVL    $8, AX
	VMOVD   AX, X3
	VPBROADCASTD X3, Y3
	VPMOVZXBD forestFirst<>(SB), Y2
	THRESHOLDS(0, Y4)
	THRESHOLDS(1, Y5)
	THRESHOLDS(2, Y6)
	THRESHOLDS(3, Y7)
	VSHUFPS   $0x88, Y5, Y4, Y8   // 0 2 8 10 | 4 6 12 14
	VSHUFPS   $0x88, Y7, Y6, Y9
	VSHUFPS   $0xdd, Y5, Y4, Y4   // 1 3 9 11 | 5 7 13 15
	VSHUFPS   $0xdd, Y7, Y6, Y6
	VSHUFPS   $0x88, Y6, Y4, Y7   // 1 9 17 25 | 5 13 21 29
	VSHUFPS   $0xdd, Y6, Y4, Y6   // 3 11 19 27 | 7 15 23 31
	VPMOVZXBD forestStep5<>(SB), Y0
	VPERMPS   Y8, Y0, Y8          // 14 0 2 … 12, for numbers of which the highest bit is 1
	VPERMPS   Y9, Y0, Y9          // 30 16 18 … 28, for others
	VPMOVZXBD forestStep4<>(SB), Y0
	VPERMPS   Y7, Y0, Y7          // 29 1 5 … 25
	VEXTRACTF128 $1, Y6, X5
	VBROADCASTSS X5, Y4           // 7
	VSHUFPS   $0x55, X5, X5, X14
	VBROADCASTSS X14, Y14         // 15
	VSHUFPS   $0xaa, X5, X5, X5
	VBROADCASTSS X5, Y5           // 23
	VPMOVZXBD forestStep3<>(SB), Y0
	VPERMPS   Y6, Y0, Y6          // 27, and behind others 3 11 19
	MOVQ      values_base+24(FP), SI
	MOVQ      values_len+32(FP), R8
	LEAQ      0(SP), R11

search:
	VMOVUPS   (SI), Y0
	VMOVAPS   Y14, Y1
	PASS(Y1, 0)
	VBLENDVPS Y1, Y4, Y5, Y2
	PASS(Y2, 64)
	VPADDD    Y1, Y1, Y3
	VPADDD    Y2, Y3, Y3
	VPERMPS   Y6, Y3, Y2
	PASS(Y2, 128)
	NEXT(Y2)
	VPERMPS   Y7, Y3, Y2
	PASS(Y2, 192)
	NEXT(Y2)
	VPERMPS   Y8, Y3, Y2
	VPERMPS   Y9, Y3, Y13
	VBLENDVPS Y1, Y2, Y13, Y2
	PASS(Y2, 256)
	ADDQ      $32, SI
	INCQ      R11
	SUBQ      $8, R8
	JNE       search

	LEAQ 0(SP), R11
	MOVL CX, R13
	MOVQ DI, DX

half:
	MOVL     R13, CX
	VMOVDQU  (R11), Y12
	VMOVDQU  64(R11), Y13
	VMOVDQU  128(R11), Y6         // which are 0 to 3 of the lower three bits
	VMOVDQU  192(R11), Y1
	VMOVDQU  256(R11), Y2
	VPAND    Y1, Y6, Y4           // 0 or 1
	VPAND    Y2, Y4, Y3           // 0
	VPOR     Y2, Y1, Y5
	VPAND    Y5, Y6, Y5           // 0 to 2
	VPAND    Y2, Y1, Y7
	VPOR     Y7, Y6, Y7           // 0 to 4
	VPOR     Y1, Y6, Y8           // 0 to 5
	VPOR     Y2, Y8, Y9           // 0 to 6
	VPXOR    Y10, Y10, Y10
	VPAND    Y13, Y12, Y11        // which are 0 of the higher two bits
	VPOR     Y13, Y12, Y13        // 0 to 2, after Y12, 0 or 1
	VPCMPEQD Y14, Y14, Y14

eight:
	TEST(Y3, 0)
	TEST(Y4, 1)
	TEST(Y5, 2)
	TEST(Y6, 3)
	TEST(Y7, 4)
	TEST(Y8, 5)
	TEST(Y9, 6)
	VMOVDQU  Y11, 448(DX)
	ADDQ     $512, DX
	VMOVDQA  Y11, Y10
	VMOVDQA  Y12, Y11
	VMOVDQA  Y13, Y12
	VMOVDQA  Y14, Y13
	DECL     CX
	JNE      eight

tested:
	LEAQ  0(SP), AX
	CMPQ  AX, R11
	JNE   rows
	LEAQ  32(R11), R11
	LEAQ  32(DI), DX
	CMPQ  values_len+32(FP), $(const_ForestRows/2)
	JGT   half

rows:
	ADDQ  $(31*64), DI
	ADDQ  $(31*4), R9
	TESTQ R10, R10
	JNE   piece
	VZEROUPPER
	RET

// INDICES loads the rows of an operation, AX of the result, BX of the test, CX and DX.
#define INDICES \
	MOVQ (R8), BX; \
	MOVQ 8(R8), DX; \
	MOVL BX, AX; \
	SHRQ $32, BX; \
	MOVL DX, CX; \
	SHRQ $32, DX; \
	ADDQ $16, R8

// func forestSelectAVX2(rows []uint64, ops []uint32, words int)
//
// Requires: AVX, AVX2
//
// SI rows   R8 ops   R9 elements of ops left
TEXT ·forestSelectAVX2(SB), NOSPLIT, $0-56
	MOVQ rows_base+0(FP), SI
	MOVQ ops_base+24(FP), R8
	MOVQ ops_len+32(FP), R9
	CMPQ words+48(FP), $(const_ForestWords/2)
	JLE  half

op:
	INDICES
	VMOVDQU (SI)(BX*8), Y0
	VMOVDQU 32(SI)(BX*8), Y1
	VPAND   (SI)(CX*8), Y0, Y2
	VPAND   32(SI)(CX*8), Y1, Y3
	VPANDN  (SI)(DX*8), Y0, Y0
	VPANDN  32(SI)(DX*8), Y1, Y1
	VPOR    Y2, Y0, Y0
	VPOR    Y3, Y1, Y1
	VMOVDQU Y0, (SI)(AX*8)
	VMOVDQU Y1, 32(SI)(AX*8)
	SUBQ $4, R9
	JNE  op
	VZEROUPPER
	RET

half:
	INDICES
	VMOVDQU (SI)(BX*8), Y0
	VPAND   (SI)(CX*8), Y0, Y2
	VPANDN  (SI)(DX*8), Y0, Y0
	VPOR    Y2, Y0, Y0
	VMOVDQU Y0, (SI)(AX*8)
	SUBQ $4, R9
	JNE  half
	VZEROUPPER
	RET

// The scores of 32 documents at DI, in Y8 to Y15.
#define LOAD_SCORES \
	VMOVUPD (DI), Y8; \
	VMOVUPD 32(DI), Y9; \
	VMOVUPD 64(DI), Y10; \
	VMOVUPD 96(DI), Y11; \
	VMOVUPD 128(DI), Y12; \
	VMOVUPD 160(DI), Y13; \
	VMOVUPD 192(DI), Y14; \
	VMOVUPD 224(DI), Y15
#define STORE_SCORES \
	VMOVUPD Y8, (DI); \
	VMOVUPD Y9, 32(DI); \
	VMOVUPD Y10, 64(DI); \
	VMOVUPD Y11, 96(DI); \
	VMOVUPD Y12, 128(DI); \
	VMOVUPD Y13, 160(DI); \
	VMOVUPD Y14, 192(DI); \
	VMOVUPD Y15, 224(DI)

// LEAVES adds the leaves of 32 documents, of which Y0 has the numbers, to their scores Y8 to Y15.
// R11 leaves of the tree   X1 to X3, AX, CX, DX scratch.
#define LEAVES \
	VEXTRACTI128 $1, Y0, X3; \
	VMOVQ   X0, DX; \
	FOUR(R11, Y8); \
	FOUR(R11, Y9); \
	VPEXTRQ $1, X0, DX; \
	FOUR(R11, Y10); \
	FOUR(R11, Y11); \
	VMOVQ   X3, DX; \
	FOUR(R11, Y12); \
	FOUR(R11, Y13); \
	VPEXTRQ $1, X3, DX; \
	FOUR(R11, Y14); \
	FOUR(R11, Y15)

// func forestAddF64AVX2(scores []float64, planes []uint64, trees []uint8, leaves []float64)
//
// Requires: AVX, AVX2
//
// Trees have at most eight planes. 32 documents at a time: the planes, from the highest one on,
// become bytes, one for each document.
//
// DI scores   R8 documents left   SI place in the planes   R9 trees   R10 trees left   R11 leaves
// BX this place in the tree's planes   CX planes   Y8 to Y15 scores   Y0 numbers of leaves
TEXT ·forestAddF64AVX2(SB), NOSPLIT, $0-96
	MOVQ scores_base+0(FP), DI
	MOVQ scores_len+8(FP), R8
	MOVQ planes_base+24(FP), SI
	VMOVDQU      forestSpread<>(SB), Y6
	VPBROADCASTQ forestBits<>(SB), Y7

documents:
	LOAD_SCORES
	MOVQ SI, BX
	MOVQ trees_base+48(FP), R9
	MOVQ trees_len+56(FP), R10
	MOVQ leaves_base+72(FP), R11

tree:
	MOVBLZX (R9), CX
	MOVQ    CX, AX
	SHLQ    $6, AX
	ADDQ    BX, AX
	MOVQ    AX, R12               // planes of the next tree
	VPXOR   Y0, Y0, Y0

plane:
	SUBQ $64, AX
	VPBROADCASTD (AX), Y1
	VPSHUFB  Y6, Y1, Y1
	VPAND    Y7, Y1, Y1
	VPCMPEQB Y7, Y1, Y1
	VPADDB   Y0, Y0, Y0
	VPSUBB   Y1, Y0, Y0
	CMPQ AX, BX
	JNE  plane
	LEAVES
	MOVQ R12, BX
	MOVBLZX (R9), CX
	MOVL $8, AX
	SHLQ CX, AX
	ADDQ AX, R11
	INCQ R9
	DECQ R10
	JNE  tree

	STORE_SCORES
	ADDQ $256, DI
	ADDQ $4, SI
	SUBQ $32, R8
	JNE  documents
	VZEROUPPER
	RET
