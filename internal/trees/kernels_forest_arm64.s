//go:build !purego

#include "go_asm.h"
#include "textflag.h"
#include "neon_arm64.h"

// Kernels of forests for NEON. A row of 512 documents is four vectors.

// ROW loads 4 features of a document; R6 counts the documents down, and those that there are not
// have zeros.
#define ROW(v, f, r) \
	VEOR v.B16, v.B16, v.B16 \
	SUBS $1, R6              \
	BLT  2(PC)               \
	FMOVQ (r), f             \
	ADD  R10, r

// TRANSPOSE makes the columns of a matrix of V16 to V19: a to d.
#define TRANSPOSE(a, b, c, d) \
	VTRN1 V17.S4, V16.S4, V20.S4 \
	VTRN2 V17.S4, V16.S4, V21.S4 \
	VTRN1 V19.S4, V18.S4, V22.S4 \
	VTRN2 V19.S4, V18.S4, V23.S4 \
	VTRN1 V22.D2, V20.D2, a.D2   \
	VTRN1 V23.D2, V21.D2, b.D2   \
	VTRN2 V22.D2, V20.D2, c.D2   \
	VTRN2 V23.D2, V21.D2, d.D2

// func forestColumnsF32NEON(dst, x []float32, rows, cols, stride int)
//
// Requires: NEON
//
// Tiles of 4 features by 4 documents are transposed. The last tile of features begins where it ends
// with the last one. There are 4 features at least.
//
// R0 dst   R1 first row of the tile   R2 rows   R3 features left   R4 bytes of a stride
// R5 and R11 a row and the next   R6 documents left   R7 columns
// R8 documents left with zeros, then features to the next tile   R9 scratch   R10 two strides
TEXT ·forestColumnsF32NEON(SB), NOSPLIT, $0-72
	MOVD dst_base+0(FP), R0
	MOVD x_base+24(FP), R1
	MOVD rows+48(FP), R2
	MOVD cols+56(FP), R3
	MOVD stride+64(FP), R4
	LSL  $2, R4
	LSL  $1, R4, R10

tile:
	MOVD R1, R5
	ADD  R4, R5, R11
	MOVD R2, R6
	MOVD R0, R7
	ADD  $63, R2, R8
	AND  $~63, R8

four:
	ROW(V16, F16, R5)
	ROW(V17, F17, R11)
	ROW(V18, F18, R5)
	ROW(V19, F19, R11)
	TRANSPOSE(V0, V1, V2, V3)
	FMOVQ F0, (R7)
	FMOVQ F1, (4*const_ForestRows)(R7)
	FMOVQ F2, (8*const_ForestRows)(R7)
	FMOVQ F3, (12*const_ForestRows)(R7)
	ADD   $16, R7
	SUB   $4, R8
	CBNZ  R8, four

	SUBS $4, R3
	BEQ  done
	MOVD $4, R8
	CMP  R8, R3
	CSEL LT, R8, R3, R9
	CSEL LT, R3, R8, R8
	MOVD R9, R3
	ADD  R8<<2, R1
	ADD  R8<<11, R0
	B    tile

done:
	RET

// LOAD makes four of the vectors of TEST out of documents 4m to 4m+3, 16+4m to 16+4m+3, …
#define LOAD(m, a, b, c, d) \
	FMOVQ (16*m)(R1), F16     \
	FMOVQ (64+16*m)(R1), F17  \
	FMOVQ (128+16*m)(R1), F18 \
	FMOVQ (192+16*m)(R1), F19 \
	TRANSPOSE(a, b, c, d)

// TEST puts the results of a vector from bit k of the lanes of a on.
#define TEST(k, a) \
	FCMGES4(k, 31, 30) \
	VSLI $(k%8), V30.S4, a.S4

// func forestTestsF32NEON(dst []uint64, values, thresholds []float32)
//
// Requires: NEON
//
// Lane l of vector k is document 16l+k of 64, so the results of the vectors are the bits of a lane
// one after the other.
//
// R0 dst   R1 values   R2 values left   R3 thresholds   R4 their number   R5 row
// R6 next threshold   R7 thresholds left   V0 to V15 values   V31 threshold   V16, V17 results
TEXT ·forestTestsF32NEON(SB), NOSPLIT, $0-72
	MOVD dst_base+0(FP), R0
	MOVD values_base+24(FP), R1
	MOVD values_len+32(FP), R2
	MOVD thresholds_base+48(FP), R3
	MOVD thresholds_len+56(FP), R4

values:
	LOAD(0, V0, V1, V2, V3)
	LOAD(1, V4, V5, V6, V7)
	LOAD(2, V8, V9, V10, V11)
	LOAD(3, V12, V13, V14, V15)
	MOVD R0, R5
	MOVD R3, R6
	MOVD R4, R7

test:
	VLD1R.P 4(R6), [V31.S4]
	FCMGES4(0, 31, 16)
	FCMGES4(8, 31, 17)
	TEST(1, V16)
	TEST(9, V17)
	TEST(2, V16)
	TEST(10, V17)
	TEST(3, V16)
	TEST(11, V17)
	TEST(4, V16)
	TEST(12, V17)
	TEST(5, V16)
	TEST(13, V17)
	TEST(6, V16)
	TEST(14, V17)
	TEST(7, V16)
	TEST(15, V17)
	VSLI  $8, V17.S4, V16.S4
	VUZP1 V16.H8, V16.H8, V16.H8
	FMOVD F16, (R5)
	ADD   $(8*const_ForestWords), R5
	SUB   $1, R7
	CBNZ  R7, test

	ADD  $8, R0
	ADD  $256, R1
	SUBS $64, R2
	BNE  values
	RET

// func forestSelectNEON(rows []uint64, ops []uint32)
//
// Requires: NEON
//
// R0 rows   R1 ops   R2 elements of ops left   R3 to R6 rows: of the result, of the test, of the
// two others   V0 to V3 test, then result   V4 to V7 where it is set   V16 to V19 where it is not
TEXT ·forestSelectNEON(SB), NOSPLIT, $0-48
	MOVD rows_base+0(FP), R0
	MOVD ops_base+24(FP), R1
	MOVD ops_len+32(FP), R2

loop:
	LDPW  (R1), (R3, R4)
	LDPW  8(R1), (R5, R6)
	ADD   R3<<3, R0, R3
	ADD   R4<<3, R0, R4
	ADD   R5<<3, R0, R5
	ADD   R6<<3, R0, R6
	FLDPQ (R4), (F0, F1)
	FLDPQ 32(R4), (F2, F3)
	FLDPQ (R5), (F4, F5)
	FLDPQ 32(R5), (F6, F7)
	FLDPQ (R6), (F16, F17)
	FLDPQ 32(R6), (F18, F19)
	VBSL  V16.B16, V4.B16, V0.B16
	VBSL  V17.B16, V5.B16, V1.B16
	VBSL  V18.B16, V6.B16, V2.B16
	VBSL  V19.B16, V7.B16, V3.B16
	FSTPQ (F0, F1), (R3)
	FSTPQ (F2, F3), 32(R3)
	ADD   $16, R1
	SUB   $4, R2
	CBNZ  R2, loop
	RET

// ZERO clears a vector.
#define ZERO(v) VEOR v.B16, v.B16, v.B16

// PLANE loads plane b of 128 documents.
#define PLANE(b, f) FMOVQ (8*const_ForestWords*b)(R1), f

// SWAP swaps the bits of b that are not in the mask with those of a, k higher, that are.
#define SWAP(k, mask, a, b) \
	VSHL  $k, b.B16, V24.B16       \
	VUSHR $k, a.B16, V25.B16       \
	VBIT  mask.B16, V24.B16, a.B16 \
	VBIF  mask.B16, V25.B16, b.B16

// SPLIT leaves the lower four bits of the bytes of n, and moves the others to d.
#define SPLIT(n, d) \
	VUSHR $4, n.B16, d.B16 \
	VAND  V31.B16, n.B16, n.B16

// NUMBERS stores 16 numbers of leaves, of low and high bytes.
#define NUMBERS(k, low, high) \
	VZIP1 high.B16, low.B16, V24.B16 \
	VZIP2 high.B16, low.B16, V25.B16 \
	FSTPQ (F24, F25), (32*k)(R0)

// func forestAddF64LeavesNEON(numbers *[forestTrees][128]uint16, planes []uint64, trees []uint8)
//
// Requires: NEON
//
// Eight planes are matrices of 8 by 8 bits, a byte of each vector: planes by documents. Transposed,
// vector k has the numbers of the documents 8j+k. So those are stored: of k = 0 for all 16 j first.
//
// R0 numbers   R1 planes   R2 trees   R3 their number   R4 planes of the tree
// V0 to V7 planes, then low bytes   V16 to V19 more planes, V16 to V23 high bytes
// V24, V25 scratch   V28 to V31 masks of bits
TEXT ·forestAddF64LeavesNEON(SB), NOSPLIT, $0-56
	MOVD  numbers+0(FP), R0
	MOVD  planes_base+8(FP), R1
	MOVD  trees_base+32(FP), R2
	MOVD  trees_len+40(FP), R3
	VMOVI $0xf0, V28.B16
	VMOVI $0xcc, V29.B16
	VMOVI $0xaa, V30.B16
	VMOVI $0x0f, V31.B16

tree:
	MOVBU.P 1(R2), R4
	ZERO(V5)
	ZERO(V6)
	ZERO(V7)
	ZERO(V16)
	ZERO(V17)
	ZERO(V18)
	ZERO(V19)
	ZERO(V20)
	ZERO(V21)
	ZERO(V22)
	ZERO(V23)
	PLANE(0, F0)
	PLANE(1, F1)
	PLANE(2, F2)
	PLANE(3, F3)
	PLANE(4, F4)
	CMP $6, R4
	BLT low
	PLANE(5, F5)
	BEQ low
	PLANE(6, F6)
	CMP $8, R4
	BLT low
	PLANE(7, F7)
	BEQ low
	PLANE(8, F16)
	CMP $10, R4
	BLT high
	PLANE(9, F17)
	BEQ high
	PLANE(10, F18)
	CMP $12, R4
	BLT high
	PLANE(11, F19)

high:
	SWAP(2, V29, V16, V18)
	SWAP(2, V29, V17, V19)
	SWAP(1, V30, V16, V17)
	SWAP(1, V30, V18, V19)
	SPLIT(V16, V20)
	SPLIT(V17, V21)
	SPLIT(V18, V22)
	SPLIT(V19, V23)

low:
	SWAP(4, V28, V0, V4)
	SWAP(4, V28, V1, V5)
	SWAP(4, V28, V2, V6)
	SWAP(4, V28, V3, V7)
	SWAP(2, V29, V0, V2)
	SWAP(2, V29, V1, V3)
	SWAP(2, V29, V4, V6)
	SWAP(2, V29, V5, V7)
	SWAP(1, V30, V0, V1)
	SWAP(1, V30, V2, V3)
	SWAP(1, V30, V4, V5)
	SWAP(1, V30, V6, V7)
	NUMBERS(0, V0, V16)
	NUMBERS(1, V1, V17)
	NUMBERS(2, V2, V18)
	NUMBERS(3, V3, V19)
	NUMBERS(4, V4, V20)
	NUMBERS(5, V5, V21)
	NUMBERS(6, V6, V22)
	NUMBERS(7, V7, V23)
	ADD  $256, R0
	ADD  R4<<6, R1
	SUB  $1, R3
	CBNZ R3, tree
	RET

// LEAF adds the leaf of a number in r, from bit first on, to a score.
#define LEAF(first, r, f) \
	UBFX  $first, r, $16, R11   \
	FMOVD (R9)(R11<<3), F16     \
	FADDD F16, f, f

#define LEAVES(r, a, b, c, d) \
	LEAF(0, r, a)  \
	LEAF(16, r, b) \
	LEAF(32, r, c) \
	LEAF(48, r, d)

// func forestAddF64NEON(scores []float64, numbers *[forestTrees][128]uint16, trees []uint8, leaves []float64)
//
// Requires: NEON
//
// The scores of 16 documents stay in registers from tree to tree: four of each eight, so that their
// numbers of leaves lie in four words.
//
// R0 scores   R1 numbers   R2 trees   R3 their number   R4 leaves   R5 scores left   R6 numbers
// R7 tree   R8 trees left   R9 leaves of the tree   R10 number of its planes   R11 scratch
// R12 to R15 numbers   V0 to V15 scores   V16 scratch
TEXT ·forestAddF64NEON(SB), NOSPLIT, $0-80
	MOVD scores_base+0(FP), R0
	MOVD scores_len+8(FP), R5
	MOVD numbers+24(FP), R1
	MOVD trees_base+32(FP), R2
	MOVD trees_len+40(FP), R3
	MOVD leaves_base+56(FP), R4

documents:
	FLDPD (R0), (F0, F1)
	FLDPD 16(R0), (F2, F3)
	FLDPD 64(R0), (F4, F5)
	FLDPD 80(R0), (F6, F7)
	FLDPD 128(R0), (F8, F9)
	FLDPD 144(R0), (F10, F11)
	FLDPD 192(R0), (F12, F13)
	FLDPD 208(R0), (F14, F15)
	MOVD  R1, R6
	MOVD  R2, R7
	MOVD  R3, R8
	MOVD  R4, R9

tree:
	MOVD    (R6), R12
	MOVD    32(R6), R13
	MOVD    64(R6), R14
	MOVD    96(R6), R15
	MOVBU.P 1(R7), R10
	LEAVES(R12, F0, F4, F8, F12)
	LEAVES(R13, F1, F5, F9, F13)
	LEAVES(R14, F2, F6, F10, F14)
	LEAVES(R15, F3, F7, F11, F15)
	MOVD $8, R11
	LSL  R10, R11
	ADD  R11, R9
	ADD  $256, R6
	SUB  $1, R8
	CBNZ R8, tree

	FSTPD (F0, F1), (R0)
	FSTPD (F2, F3), 16(R0)
	FSTPD (F4, F5), 64(R0)
	FSTPD (F6, F7), 80(R0)
	FSTPD (F8, F9), 128(R0)
	FSTPD (F10, F11), 144(R0)
	FSTPD (F12, F13), 192(R0)
	FSTPD (F14, F15), 208(R0)

	// The other four of each eight, then the next 32.
	ADD  $32, R0
	ADD  $128, R1
	SUB  $16, R5
	TBNZ $4, R5, documents
	ADD  $192, R0
	SUB  $248, R1
	CBNZ R5, documents
	RET
