//go:build !purego

#include "go_asm.h"
#include "textflag.h"

// Kernels of forests for AVX-512. A block of 32 documents is two vectors of 32-bit words or four
// of float64.

// ROW loads 16 features of a document, those that K1 names, into z and turns them into keys; CX
// counts the documents down and those that there are not have keys of 0. Z31 zero, Z30 the key of
// NaN, Z29 scratch, K2 scratch, K3 the NaNs so far.
#define ROW(z) \
	VPXORD      z, z, z; \
	DECQ        CX; \
	JLT         2(PC); \
	VMOVDQU32.Z (SI), K1, z; \
	ADDQ        R8, SI; \
	VCMPPS      $3, z, z, K2; \
	VADDPS      Z31, z, z; \
	VPSRAD      $31, z, Z29; \
	VPTERNLOGD  $0x78, Z30, Z29, z; \
	VMOVDQA32   Z30, K2, z; \
	KORW        K2, K3, K3

// STORE writes the keys of a feature for 16 documents, and is done when it was the last feature.
// AX features left.
#define STORE(z, i) \
	VMOVDQU32 z, (i*4*const_ForestRows)(DI); \
	CMPQ      AX, $(i+1); \
	JEQ       half

// PAIRS interleaves the 32-bit elements of a and b in every 128 bits, QUADS pairs of elements:
// the lower go to lo, the others to hi.
#define PAIRS(a, b, lo, hi) \
	VPUNPCKLDQ b, a, lo; \
	VPUNPCKHDQ b, a, hi
#define QUADS(a, b, lo, hi) \
	VPUNPCKLQDQ b, a, lo; \
	VPUNPCKHQDQ b, a, hi

// LANES takes the even 128-bit lanes of a and b to even, the odd ones to odd.
#define LANES(a, b, even, odd) \
	VSHUFI32X4 $0x88, b, a, even; \
	VSHUFI32X4 $0xdd, b, a, odd

// func forestKeysF32AVX512(dst []int32, x []float32, rows, cols, stride int) (nan bool)
//
// Requires: AVX512F, AVX512DQ
//
// DI dst   SI x   BX first row of the tile   R8 bytes of a stride   R9 features left   R10 rows
// AX features of the tile
// R11 the tile's half of the documents   CX documents left. Tiles of 16 features by 16 documents
// are transposed:
// pairs, quadruples, and lanes twice.
TEXT ·forestKeysF32AVX512(SB), NOSPLIT, $0-73
	MOVQ dst_base+0(FP), DI
	MOVQ x_base+24(FP), BX
	MOVQ rows+48(FP), R10
	MOVQ cols+56(FP), R9
	MOVQ stride+64(FP), R8
	SHLQ $2, R8
	VPXORD Z31, Z31, Z31
	MOVL   $0x7fffffff, AX
	VPBROADCASTD AX, Z30
	KXORW  K3, K3, K3

tile:
	MOVQ    $16, AX
	CMPQ    R9, AX
	CMOVQLT R9, AX
	MOVL    $1, DX
	MOVQ    AX, CX
	SHLL    CX, DX
	DECL    DX
	KMOVW   DX, K1
	MOVQ    BX, SI
	MOVQ    R10, R11              // documents of this half and those after it
	MOVQ    R11, CX

transpose:
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
	PAIRS(Z0, Z1, Z16, Z17)
	PAIRS(Z2, Z3, Z18, Z19)
	PAIRS(Z4, Z5, Z20, Z21)
	PAIRS(Z6, Z7, Z22, Z23)
	PAIRS(Z8, Z9, Z24, Z25)
	PAIRS(Z10, Z11, Z26, Z27)
	PAIRS(Z12, Z13, Z28, Z29)
	PAIRS(Z14, Z15, Z0, Z1)
	QUADS(Z16, Z18, Z2, Z3)       // features 0 and 1 of each lane, documents 0 to 3
	QUADS(Z17, Z19, Z4, Z5)       // 2 and 3
	QUADS(Z20, Z22, Z6, Z7)       // documents 4 to 7
	QUADS(Z21, Z23, Z8, Z9)
	QUADS(Z24, Z26, Z10, Z11)     // 8 to 11
	QUADS(Z25, Z27, Z12, Z13)
	QUADS(Z28, Z0, Z14, Z15)      // 12 to 15
	QUADS(Z29, Z1, Z16, Z17)
	LANES(Z2, Z6, Z18, Z19)       // features 0 8 | 4 12, documents 0 to 7
	LANES(Z10, Z14, Z20, Z21)     // documents 8 to 15
	LANES(Z3, Z7, Z22, Z23)       // features 1 9 | 5 13
	LANES(Z11, Z15, Z24, Z25)
	LANES(Z4, Z8, Z26, Z27)       // features 2 10 | 6 14
	LANES(Z12, Z16, Z28, Z29)
	LANES(Z5, Z9, Z0, Z1)         // features 3 11 | 7 15
	LANES(Z13, Z17, Z2, Z3)
	LANES(Z18, Z20, Z4, Z12)      // features 0 and 8
	LANES(Z19, Z21, Z8, Z16)      // 4 and 12
	LANES(Z22, Z24, Z5, Z13)      // 1 and 9
	LANES(Z23, Z25, Z9, Z17)      // 5 and 13
	LANES(Z26, Z28, Z6, Z14)      // 2 and 10
	LANES(Z27, Z29, Z10, Z18)     // 6 and 14
	LANES(Z0, Z2, Z7, Z15)        // 3 and 11
	LANES(Z1, Z3, Z11, Z19)       // 7 and 15
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

half:
	ADDQ $64, DI
	SUBQ $16, R11
	MOVQ R11, CX
	MOVQ R10, DX
	SUBQ R11, DX
	CMPQ DX, $16                  // the second half comes after the first alone
	JEQ  transpose
	ADDQ $(15*4*const_ForestRows), DI // the keys of 16 features, less those of one: both halves
	ADDQ $64, BX
	SUBQ $16, R9
	JGT  tile

	KORTESTW K3, K3
	SETNE    nan+72(FP)
	VZEROUPPER
	RET


// BIT turns words into the numbers of their lowest bits: the exponents of v and −v as floats. Z30
// zero, Z29 the exponent of 1, Z7 scratch.
#define BIT(v) \
	VPSUBD     v, Z30, Z7; \
	VPANDD     Z7, v, v; \
	VCVTUDQ2PS v, v; \
	VPSRLD     $23, v, v; \
	VPSUBD     Z29, v, v

// LEAF adds the leaves of the 8 numbers of y to the scores s of the documents that k names. Z20
// to Z23 leaves, Z28 16, Z4 Z5 K7 scratch.
#define LEAF(y, k, s) \
	VPMOVZXDQ y, Z4; \
	VMOVDQA64 Z4, Z5; \
	VPTESTMQ  Z28, Z4, K7; \
	VPERMI2PD Z21, Z20, Z4; \
	VPERMI2PD Z23, Z22, Z5; \
	VMOVAPD   Z5, K7, Z4; \
	VADDPD    Z4, s, k, s

// func forestAddF64AVX512(scores []float64, keys []int32, nodes, words []uint32, leaves []float64)
//
// Requires: AVX512F, AVX512DQ
//
// DI scores   SI keys   R8 nodes   R9 words   R10 words left   R11 leaves   CX splits left
// Z16 to Z19 scores
// Z0 and Z1 words of the documents   K3 and K4 documents that no word of the tree has placed
TEXT ·forestAddF64AVX512(SB), NOSPLIT, $0-120
	MOVQ scores_base+0(FP), DI
	MOVQ keys_base+24(FP), SI
	MOVQ nodes_base+48(FP), R8
	MOVQ words_base+72(FP), R9
	MOVQ words_len+80(FP), R10
	MOVQ leaves_base+96(FP), R11
	VMOVUPD (DI), Z16
	VMOVUPD 64(DI), Z17
	VMOVUPD 128(DI), Z18
	VMOVUPD 192(DI), Z19
	VPXORD  Z30, Z30, Z30
	MOVL    $127, AX
	VPBROADCASTD AX, Z29
	MOVL    $16, AX
	VPBROADCASTQ AX, Z28
	KXORW   K3, K3, K3
	KXORW   K4, K4, K4

word:
	MOVL (R9), CX
	ADDQ $4, R9
	TESTL CX, CX
	JGE  later                    // ForestFirst is the sign
	ANDL $(const_ForestFirst-1), CX
	KXNORW K3, K3, K3
	KXNORW K4, K4, K4

later:
	VPTERNLOGD $0xff, Z0, Z0, Z0
	VPTERNLOGD $0xff, Z1, Z1, Z1
	TESTL CX, CX
	JEQ   place
	TESTL $1, CX
	JEQ   pairs

	MOVL (R8), AX
	VPBROADCASTD 4(R8), Z2
	VPBROADCASTD 8(R8), Z3
	VPCMPD $2, (SI)(AX*4), Z2, K1
	VPCMPD $2, 64(SI)(AX*4), Z2, K2
	VPANDD Z3, Z0, K1, Z0
	VPANDD Z3, Z1, K2, Z1
	ADDQ $12, R8
	DECL CX
	JEQ  place

pairs:
	MOVL (R8), AX
	VPBROADCASTD 4(R8), Z2
	VPBROADCASTD 8(R8), Z3
	VPCMPD $2, (SI)(AX*4), Z2, K1
	VPCMPD $2, 64(SI)(AX*4), Z2, K2
	VPANDD Z3, Z0, K1, Z0
	VPANDD Z3, Z1, K2, Z1
	MOVL 12(R8), AX
	VPBROADCASTD 16(R8), Z2
	VPBROADCASTD 20(R8), Z3
	VPCMPD $2, (SI)(AX*4), Z2, K1
	VPCMPD $2, 64(SI)(AX*4), Z2, K2
	VPANDD Z3, Z0, K1, Z0
	VPANDD Z3, Z1, K2, Z1
	ADDQ $24, R8
	SUBL $2, CX
	JNE  pairs

place:
	VPTESTMD Z0, Z0, K3, K1
	VPTESTMD Z1, Z1, K4, K2
	KANDNW   K3, K1, K3
	KANDNW   K4, K2, K4
	BIT(Z0)
	BIT(Z1)
	VMOVUPD (R11), Z20
	VMOVUPD 64(R11), Z21
	VMOVUPD 128(R11), Z22
	VMOVUPD 192(R11), Z23
	ADDQ    $(8*const_forestWord), R11
	VEXTRACTI64X4 $1, Z0, Y2
	VEXTRACTI64X4 $1, Z1, Y3
	KSHIFTRW $8, K1, K5
	KSHIFTRW $8, K2, K6
	LEAF(Y0, K1, Z16)
	LEAF(Y2, K5, Z17)
	LEAF(Y1, K2, Z18)
	LEAF(Y3, K6, Z19)
	DECQ    R10
	JNE     word

	VMOVUPD Z16, (DI)
	VMOVUPD Z17, 64(DI)
	VMOVUPD Z18, 128(DI)
	VMOVUPD Z19, 192(DI)
	VZEROUPPER
	RET
