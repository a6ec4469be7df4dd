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

// PLANE puts the bits of a plane of 16 documents from bit b of the bytes of v on. R6 goes to the
// next plane.
#define PLANE(b, v) \
	VLD1R  (R6), [V16.H8]           \
	ADD    $(8*const_ForestWords), R6 \
	VCMTST V31.B16, V16.B16, V16.B16 \
	VSLI   $b, V16.B16, v.B16

// FIRST is PLANE of bit 0, and does not wait for what v held.
#define FIRST(v) \
	VLD1R  (R6), [V16.H8]           \
	ADD    $(8*const_ForestWords), R6 \
	VCMTST V31.B16, V16.B16, v.B16

// ONLY clears all but the lowest n bits of the bytes of v.
#define ONLY(n, v) \
	MOVD $1, R11         \
	LSL  n, R11          \
	SUB  $1, R11         \
	VDUP R11, V16.B16    \
	VAND V16.B16, v.B16, v.B16

// LEAF adds a leaf to a score: that of the number of some bits of r from bit first on.
#define LEAF(first, bits, r, f) \
	UBFX  $first, r, $bits, R11 \
	FMOVD (R9)(R11<<3), F16     \
	FADDD F16, f, f

// func forestAddF64NEON(scores []float64, planes []uint64, trees []uint8, leaves []float64)
//
// Requires: NEON
//
// The scores of 16 documents stay in registers from tree to tree. Their bits of a plane are two
// bytes, which fill a vector by turns: lanes 2i and 2i+1 get bit i of either, so they belong to the
// documents i and 8+i.
//
// R0 scores   R1 planes   R2 trees   R3 their number   R4 leaves   R5 scores left   R6 plane
// R7 tree   R8 trees left   R9 leaves of the tree   R10 number of its planes   R11 scratch
// R12 to R15 numbers of leaves   V0 to V15 scores   V16 scratch   V17, V18 numbers of leaves
// V31 a bit for each lane
TEXT ·forestAddF64NEON(SB), NOSPLIT, $0-96
	MOVD scores_base+0(FP), R0
	MOVD scores_len+8(FP), R5
	MOVD planes_base+24(FP), R1
	MOVD trees_base+48(FP), R2
	MOVD trees_len+56(FP), R3
	MOVD leaves_base+72(FP), R4
	MOVD $0x0808040402020101, R6
	VMOV R6, V31.D[0]
	MOVD $0x8080404020201010, R6
	VMOV R6, V31.D[1]

documents:
	FLDPD (R0), (F0, F1)
	FLDPD 16(R0), (F2, F3)
	FLDPD 32(R0), (F4, F5)
	FLDPD 48(R0), (F6, F7)
	FLDPD 64(R0), (F8, F9)
	FLDPD 80(R0), (F10, F11)
	FLDPD 96(R0), (F12, F13)
	FLDPD 112(R0), (F14, F15)
	MOVD  R1, R6
	MOVD  R2, R7
	MOVD  R3, R8
	MOVD  R4, R9

tree:
	MOVBU.P 1(R7), R10
	FIRST(V17)
	PLANE(1, V17)
	PLANE(2, V17)
	PLANE(3, V17)
	PLANE(4, V17)
	CMP $6, R10
	BLT bytes
	PLANE(5, V17)
	BEQ bytes
	PLANE(6, V17)
	CMP $8, R10
	BLT bytes
	PLANE(7, V17)
	BGT words

bytes:
	ONLY(R10, V17)
	VMOV V17.D[0], R12
	VMOV V17.D[1], R13
	LEAF(0, 8, R12, F0)
	LEAF(8, 8, R12, F8)
	LEAF(16, 8, R12, F1)
	LEAF(24, 8, R12, F9)
	LEAF(32, 8, R12, F2)
	LEAF(40, 8, R12, F10)
	LEAF(48, 8, R12, F3)
	LEAF(56, 8, R12, F11)
	LEAF(0, 8, R13, F4)
	LEAF(8, 8, R13, F12)
	LEAF(16, 8, R13, F5)
	LEAF(24, 8, R13, F13)
	LEAF(32, 8, R13, F6)
	LEAF(40, 8, R13, F14)
	LEAF(48, 8, R13, F7)
	LEAF(56, 8, R13, F15)

next:
	MOVD $8, R11
	LSL  R10, R11
	ADD  R11, R9
	SUB  $1, R8
	CBNZ R8, tree

	FSTPD (F0, F1), (R0)
	FSTPD (F2, F3), 16(R0)
	FSTPD (F4, F5), 32(R0)
	FSTPD (F6, F7), 48(R0)
	FSTPD (F8, F9), 64(R0)
	FSTPD (F10, F11), 80(R0)
	FSTPD (F12, F13), 96(R0)
	FSTPD (F14, F15), 112(R0)
	ADD   $128, R0
	ADD   $2, R1
	SUBS  $16, R5
	BNE   documents
	RET

words:
	FIRST(V18)
	CMP $10, R10
	BLT few
	PLANE(1, V18)
	BEQ few
	PLANE(2, V18)
	CMP $12, R10
	BLT few
	PLANE(3, V18)

few:
	SUB   $8, R10, R12
	ONLY(R12, V18)
	VZIP1 V18.B16, V17.B16, V19.B16
	VZIP2 V18.B16, V17.B16, V20.B16
	VMOV  V19.D[0], R12
	VMOV  V19.D[1], R13
	VMOV  V20.D[0], R14
	VMOV  V20.D[1], R15
	LEAF(0, 16, R12, F0)
	LEAF(16, 16, R12, F8)
	LEAF(32, 16, R12, F1)
	LEAF(48, 16, R12, F9)
	LEAF(0, 16, R13, F2)
	LEAF(16, 16, R13, F10)
	LEAF(32, 16, R13, F3)
	LEAF(48, 16, R13, F11)
	LEAF(0, 16, R14, F4)
	LEAF(16, 16, R14, F12)
	LEAF(32, 16, R14, F5)
	LEAF(48, 16, R14, F13)
	LEAF(0, 16, R15, F6)
	LEAF(16, 16, R15, F14)
	LEAF(32, 16, R15, F7)
	LEAF(48, 16, R15, F15)
	B next
