//go:build !purego

#include "go_asm.h"
#include "textflag.h"

// Kernels of forests for AVX2. A block of 32 documents is four vectors of 32-bit words or eight
// of float64.

// ROW loads 8 features of a document, those of the mask Y13, into y and turns them into keys; CX
// counts the documents down and those that there are not have keys of 0. Y15 zero, Y14 the key of
// NaN, Y12 the NaNs so far, Y10 and Y11 scratch.
#define ROW(y) \
	VPXOR      y, y, y; \
	DECQ       CX; \
	JLT        2(PC); \
	VMASKMOVPS (SI), Y13, y; \
	ADDQ       R8, SI; \
	VCMPPS     $3, y, y, Y10; \
	VPOR       Y10, Y12, Y12; \
	VADDPS     Y15, y, y; \
	VPSRAD     $31, y, Y11; \
	VPAND      Y14, Y11, Y11; \
	VPXOR      Y11, y, y; \
	VBLENDVPS  Y10, Y14, y, y

// PAIRS interleaves the 32-bit elements of a and b in every 128 bits, QUADS pairs of elements:
// the lower go to lo, the others to b.
#define PAIRS(a, b, lo) \
	VPUNPCKLDQ b, a, lo; \
	VPUNPCKHDQ b, a, b
#define QUADS(a, b, lo) \
	VPUNPCKLQDQ b, a, lo; \
	VPUNPCKHQDQ b, a, b

// STORE writes the keys of a feature for 8 documents, halves of a and b, and is done when it was
// the last feature. AX features left.
#define STORE(half, a, b, i) \
	VPERM2I128 half, b, a, Y5; \
	VMOVDQU    Y5, (i*4*const_ForestRows)(DI); \
	CMPQ       AX, $(i+1); \
	JEQ        quarter

// func forestKeysF32AVX2(dst []int32, x []float32, rows, cols, stride int) (nan bool)
//
// Requires: AVX, AVX2
//
// DI dst   SI x   BX first row of the tile   R8 bytes of a stride   R9 features left   R10 rows
// AX features of the tile
// R11 documents from this quarter on   R12 quarters left. Tiles of 8 features by 8 documents are
// transposed: pairs,
// quadruples, and halves.
TEXT ·forestKeysF32AVX2(SB), NOSPLIT, $0-73
	MOVQ dst_base+0(FP), DI
	MOVQ x_base+24(FP), BX
	MOVQ rows+48(FP), R10
	MOVQ cols+56(FP), R9
	MOVQ stride+64(FP), R8
	SHLQ $2, R8
	VPXOR    Y15, Y15, Y15
	VPXOR    Y12, Y12, Y12
	VPCMPEQD Y14, Y14, Y14
	VPSRLD   $1, Y14, Y14
	LEAQ github·com∕simdrank∕simdrank∕internal∕kern·Masks+96(SB), R13

tile:
	MOVQ    $8, AX
	CMPQ    R9, AX
	CMOVQLT R9, AX
	MOVQ    AX, DX
	NEGQ    DX
	VMOVDQU (R13)(DX*4), Y13
	MOVQ    BX, SI
	MOVQ    R10, R11
	MOVQ    $(const_ForestRows/8), R12

transpose:
	MOVQ R11, CX
	ROW(Y0)
	ROW(Y1)
	ROW(Y2)
	ROW(Y3)
	ROW(Y4)
	ROW(Y5)
	ROW(Y6)
	ROW(Y7)
	PAIRS(Y0, Y1, Y8)
	PAIRS(Y2, Y3, Y0)
	PAIRS(Y4, Y5, Y2)
	PAIRS(Y6, Y7, Y4)
	QUADS(Y8, Y0, Y6)             // features 0 and 4, 1 and 5, documents 0 to 3
	QUADS(Y1, Y3, Y8)             // 2 and 6, 3 and 7
	QUADS(Y2, Y4, Y1)             // documents 4 to 7
	QUADS(Y5, Y7, Y2)
	STORE($0x20, Y6, Y1, 0)
	STORE($0x20, Y0, Y4, 1)
	STORE($0x20, Y8, Y2, 2)
	STORE($0x20, Y3, Y7, 3)
	STORE($0x31, Y6, Y1, 4)
	STORE($0x31, Y0, Y4, 5)
	STORE($0x31, Y8, Y2, 6)
	STORE($0x31, Y3, Y7, 7)

quarter:
	ADDQ $32, DI
	SUBQ $8, R11
	DECQ R12
	JNE  transpose
	ADDQ $(7*4*const_ForestRows), DI // the keys of 8 features, less those of one: four quarters
	ADDQ $32, BX
	SUBQ $8, R9
	JGT  tile

	VMOVMSKPS Y12, AX
	TESTL     AX, AX
	SETNE     nan+72(FP)
	VZEROUPPER
	RET

// SPLIT clears bits in the words v of 8 documents with the keys at at: v AND (limit > key OR
// keep). Y4 limit, Y5 keep.
#define SPLIT(at, v, t) \
	VPCMPGTD at, Y4, t; \
	VPOR     Y5, t, t; \
	VPAND    t, v, v

// PLACE adds the leaves of the lowest bits of the words v of 8 documents to their scores at at,
// where pending is set and v is not zero, and clears pending there. Other scores have −0 added,
// which leaves all bits as they are. The number of a bit is its exponent as a float. Y9 zero, Y8
// 127, Y10 −0, Y11 255, Y4 to Y7 scratch.
#define PLACE(v, x, pending, at) \
	VPCMPEQD     v, Y9, Y6; \
	VPANDN       pending, Y6, Y7; \
	VPAND        Y6, pending, pending; \
	VPSUBD       v, Y9, Y6; \
	VPAND        Y6, v, v; \
	VCVTDQ2PS    v, v; \
	VPSRLD       $23, v, v; \
	VPAND        Y11, v, v; \
	VPSUBD       Y8, v, v; \
	VPMOVSXDQ    X7, Y4; \
	VMOVAPD      Y10, Y5; \
	VGATHERDPD   Y4, (R11)(x*8), Y5; \
	VADDPD       at(DI), Y5, Y5; \
	VMOVUPD      Y5, at(DI); \
	VEXTRACTI128 $1, v, x; \
	VEXTRACTI128 $1, Y7, X7; \
	VPMOVSXDQ    X7, Y4; \
	VMOVAPD      Y10, Y5; \
	VGATHERDPD   Y4, (R11)(x*8), Y5; \
	VADDPD       (at+32)(DI), Y5, Y5; \
	VMOVUPD      Y5, (at+32)(DI)

// func forestAddF64AVX2(scores []float64, keys []int32, nodes, words []uint32, leaves []float64)
//
// Requires: AVX, AVX2
//
// DI scores   SI keys   R8 nodes   R9 words   R10 words left   R11 leaves   CX splits left
// Y0 to Y3 words of the documents   Y12 to Y15 documents that no word of the tree has placed
TEXT ·forestAddF64AVX2(SB), NOSPLIT, $0-120
	MOVQ scores_base+0(FP), DI
	MOVQ keys_base+24(FP), SI
	MOVQ nodes_base+48(FP), R8
	MOVQ words_base+72(FP), R9
	MOVQ words_len+80(FP), R10
	MOVQ leaves_base+96(FP), R11
	VPXOR    Y9, Y9, Y9
	VPCMPEQD Y10, Y10, Y10
	VPSRLD   $25, Y10, Y8
	VPSRLD   $24, Y10, Y11
	VPSLLQ   $63, Y10, Y10
	VPXOR    Y12, Y12, Y12
	VPXOR    Y13, Y13, Y13
	VPXOR    Y14, Y14, Y14
	VPXOR    Y15, Y15, Y15

word:
	VPCMPEQD Y0, Y0, Y0
	VMOVDQA  Y0, Y1
	VMOVDQA  Y0, Y2
	VMOVDQA  Y0, Y3
	MOVL  (R9), CX
	ADDQ  $4, R9
	TESTL CX, CX
	JGE   later                      // ForestFirst is the sign
	ANDL  $(const_ForestFirst-1), CX
	VMOVDQA Y0, Y12
	VMOVDQA Y0, Y13
	VMOVDQA Y0, Y14
	VMOVDQA Y0, Y15

later:
	TESTL CX, CX
	JEQ   place

split:
	MOVL (R8), AX
	VPBROADCASTD 4(R8), Y4
	VPBROADCASTD 8(R8), Y5
	SPLIT((SI)(AX*4), Y0, Y6)
	SPLIT(32(SI)(AX*4), Y1, Y7)
	SPLIT(64(SI)(AX*4), Y2, Y6)
	SPLIT(96(SI)(AX*4), Y3, Y7)
	ADDQ $12, R8
	DECL CX
	JNE  split

place:
	PLACE(Y0, X0, Y12, 0)
	PLACE(Y1, X1, Y13, 64)
	PLACE(Y2, X2, Y14, 128)
	PLACE(Y3, X3, Y15, 192)
	ADDQ $(8*const_forestWord), R11
	DECQ R10
	JNE  word
	VZEROUPPER
	RET
