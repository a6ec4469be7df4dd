//go:build !purego

#include "go_asm.h"
#include "textflag.h"
#include "neon_arm64.h"

// Kernels of forests for NEON. A row of 512 documents is four vectors.

// TRANSPOSE sets a to d to the columns of the 4 by 4 elements V16 to V19.
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
// It transposes tiles of 4 columns and 4 documents, first all documents of 4 columns, then of the
// next 4. There must be at least 4 columns. The last 4 may overlap the columns before them.
//
// Registers: R0: dst of the 4 columns; R1: first row at these columns; R2: rows; R3: columns left;
// R4: bytes of a stride; R10: bytes of two strides; R5, R11: the next two rows; R6: documents left;
// R7: dst of the tile; R8: documents left, rounded up to 64, then columns to advance; R9: scratch.
TEXT ·forestColumnsF32NEON(SB), NOSPLIT, $0-72
// ROW loads 4 columns of the next document, or zeros after the last document.
#define ROW(v, f, r) \
	VEOR v.B16, v.B16, v.B16 \
	SUBS $1, R6              \
	BLT  2(PC)               \
	FMOVQ (r), f             \
	ADD  R10, r

	MOVD dst_base+0(FP), R0
	MOVD x_base+24(FP), R1
	MOVD rows+48(FP), R2
	MOVD cols+56(FP), R3
	MOVD stride+64(FP), R4
	LSL  $2, R4 // stride·4
	LSL  $1, R4, R10

columns:
	MOVD R1, R5 // start at document 0
	ADD  R4, R5, R11
	MOVD R2, R6
	MOVD R0, R7
	ADD  $63, R2, R8
	AND  $~63, R8

tile:
	ROW(V16, F16, R5); ROW(V17, F17, R11) // four rows become four columns
	ROW(V18, F18, R5); ROW(V19, F19, R11)
	TRANSPOSE(V0, V1, V2, V3)
	FMOVQ F0, (R7)
	FMOVQ F1, (4*const_ForestRows)(R7)
	FMOVQ F2, (8*const_ForestRows)(R7)
	FMOVQ F3, (12*const_ForestRows)(R7) // column 3
	ADD   $16, R7
	SUB   $4, R8
	CBNZ  R8, tile

	SUBS $4, R3
	BEQ  done
	MOVD $4, R8 // advance min(4, columns left) columns; columns left = max(4, columns left)
	CMP  R8, R3
	CSEL LT, R8, R3, R9
	CSEL LT, R3, R8, R8
	MOVD R9, R3
	ADD  R8<<2, R1 // 4 bytes of x, and 4·512 of dst for each column
	ADD  R8<<11, R0
	B    columns

done:
	RET
#undef ROW

// func forestTestsF32NEON(dst []uint64, values, thresholds []float32)
//
// Requires: NEON
//
// It tests 64 documents at a time. Lane l of vector k is document 16l+k, so each lane collects the
// results of its documents in consecutive bits.
//
// Registers: R0: dst; R1: values; R2: values left; R3: thresholds; R4: their number; R5: dst of the
// next row; R6: next threshold; R7: thresholds left; V0-V15: values; V31: threshold; V16, V17:
// bits of documents 16l to 16l+7, and of the others.
TEXT ·forestTestsF32NEON(SB), NOSPLIT, $0-72
// LOAD loads the vectors k = 4m to 4m+3 into a to d.
#define LOAD(m, a, b, c, d) \
	FMOVQ (16*m)(R1), F16     \
	FMOVQ (64+16*m)(R1), F17  \
	FMOVQ (128+16*m)(R1), F18 \
	FMOVQ (192+16*m)(R1), F19 \
	TRANSPOSE(a, b, c, d)

// TEST inserts the results of vector k into the lanes of a, from bit k%8 on.
#define TEST(k, a) \
	FCMGES4(k, 31, 30) \
	VSLI $(k%8), V30.S4, a.S4

	MOVD dst_base+0(FP), R0
	MOVD values_base+24(FP), R1
	MOVD values_len+32(FP), R2
	MOVD thresholds_base+48(FP), R3
	MOVD thresholds_len+56(FP), R4

values:
	LOAD(0, V0, V1, V2, V3); LOAD(1, V4, V5, V6, V7) // Vk = documents k, 16+k, 32+k, 48+k
	LOAD(2, V8, V9, V10, V11); LOAD(3, V12, V13, V14, V15)
	MOVD R0, R5
	MOVD R3, R6
	MOVD R4, R7

test:
	VLD1R.P 4(R6), [V31.S4]
	FCMGES4(0, 31, 16) // documents 16l and 16l+8: all bits
	FCMGES4(8, 31, 17)
	TEST(1, V16); TEST(9, V17) // each of the others replaces the bits from its own on
	TEST(2, V16); TEST(10, V17)
	TEST(3, V16); TEST(11, V17)
	TEST(4, V16); TEST(12, V17) // documents 16l+4 and 16l+12
	TEST(5, V16); TEST(13, V17)
	TEST(6, V16); TEST(14, V17)
	TEST(7, V16); TEST(15, V17)
	VSLI  $8, V17.S4, V16.S4 // the lowest 16 bits of the four lanes are the word
	VUZP1 V16.H8, V16.H8, V16.H8
	FMOVD F16, (R5)
	ADD   $(8*const_ForestWords), R5
	SUB   $1, R7
	CBNZ  R7, test

	ADD  $8, R0 // the next 64 documents
	ADD  $256, R1
	SUBS $64, R2
	BNE  values
	RET
#undef LOAD
#undef TEST

// func forestSelectNEON(rows []uint64, ops []uint32)
//
// Requires: NEON
//
// Registers: R0: rows; R1: ops; R2: elements of ops left; R3-R6: rows of the result, test, yes and
// no; V0-V3: test, then result; V4-V7: yes; V16-V19: no.
TEXT ·forestSelectNEON(SB), NOSPLIT, $0-48
	MOVD rows_base+0(FP), R0
	MOVD ops_base+24(FP), R1
	MOVD ops_len+32(FP), R2

loop:
	LDPW  (R1), (R3, R4) // the four rows of the operation
	LDPW  8(R1), (R5, R6)
	ADD   R3<<3, R0, R3; ADD R4<<3, R0, R4
	ADD   R5<<3, R0, R5; ADD R6<<3, R0, R6
	FLDPQ (R4), (F0, F1) // result = test & yes | no &^ test
	FLDPQ 32(R4), (F2, F3)
	FLDPQ (R5), (F4, F5)
	FLDPQ 32(R5), (F6, F7)
	FLDPQ (R6), (F16, F17)
	FLDPQ 32(R6), (F18, F19)
	VBSL  V16.B16, V4.B16, V0.B16 // select
	VBSL  V17.B16, V5.B16, V1.B16
	VBSL  V18.B16, V6.B16, V2.B16
	VBSL  V19.B16, V7.B16, V3.B16
	FSTPQ (F0, F1), (R3); FSTPQ (F2, F3), 32(R3)
	ADD   $16, R1 // the next operation
	SUB   $4, R2
	CBNZ  R2, loop
	RET

// func forestAddF64LeavesNEON(numbers *[forestTrees][128]uint16, planes []uint64, trees []uint8)
//
// Requires: NEON
//
// Eight planes of 128 documents are 16 matrices of 8 planes by 8 documents, one in each byte of the
// vectors. After the transposition, vector k contains the leaf numbers of the documents 8j+k, for
// 16 values of j. They are stored in this order, with k = 0 first.
//
// Registers: R2: trees; R3: trees left; R4: planes of the tree; V0-V7: planes 0 to 7, then low
// bytes of the leaf numbers; V16-V19: planes 8 to 11; V16-V23: high bytes; V24, V25: scratch.
TEXT ·forestAddF64LeavesNEON(SB), NOSPLIT, $0-56
#define number R0  // next leaf numbers
#define plane0 R1  // the tree's first plane
#define upper4 V28 // masks: the upper 4 bits of 8, the upper 2 of 4, the upper one of 2
#define upper2 V29
#define upper1 V30
#define lower4 V31 // the lower 4 bits of 8

// ZERO clears a vector. PLANE loads plane b of the 128 documents.
#define ZERO(v) VEOR v.B16, v.B16, v.B16
#define PLANE(b, f) FMOVQ (8*const_ForestWords*b)(plane0), f

// SWAP swaps the bits of b outside of the mask with the bits k places higher in a.
#define SWAP(k, mask, a, b) \
	VSHL  $k, b.B16, V24.B16       \
	VUSHR $k, a.B16, V25.B16       \
	VBIT  mask.B16, V24.B16, a.B16 \
	VBIF  mask.B16, V25.B16, b.B16

// SPLIT moves the upper 4 bits of each byte of n to d. The lower 4 bits remain in n.
#define SPLIT(n, d) \
	VUSHR $4, n.B16, d.B16 \
	VAND  lower4.B16, n.B16, n.B16

// NUMBERS stores the low and high bytes of the 16 leaf numbers of vector k.
#define NUMBERS(k, low, high) \
	VZIP1 high.B16, low.B16, V24.B16 \
	VZIP2 high.B16, low.B16, V25.B16 \
	FSTPQ (F24, F25), (32*k)(number)

	MOVD  numbers+0(FP), number
	MOVD  planes_base+8(FP), plane0
	MOVD  trees_base+32(FP), R2
	MOVD  trees_len+40(FP), R3
	VMOVI $0xf0, upper4.B16
	VMOVI $0xcc, upper2.B16
	VMOVI $0xaa, upper1.B16
	VMOVI $0x0f, lower4.B16

tree:
	MOVBU.P 1(R2), R4 // planes that the tree lacks are 0
	ZERO(V5); ZERO(V6); ZERO(V7)
	ZERO(V16); ZERO(V17); ZERO(V18); ZERO(V19)
	ZERO(V20); ZERO(V21); ZERO(V22); ZERO(V23)
	PLANE(0, F0); PLANE(1, F1) // at least 5 planes, at most 12
	PLANE(2, F2); PLANE(3, F3)
	PLANE(4, F4)
	CMP $6, R4 // planes 5 and 6
	BLT low
	PLANE(5, F5)
	BEQ low
	PLANE(6, F6)
	CMP $8, R4 // plane 7
	BLT low
	PLANE(7, F7)
	BEQ low
	PLANE(8, F16) // planes 8 to 11
	CMP $10, R4
	BLT high
	PLANE(9, F17)
	BEQ high
	PLANE(10, F18)
	CMP $12, R4
	BLT high
	PLANE(11, F19) // all 12

high:
	SWAP(2, upper2, V16, V18); SWAP(2, upper2, V17, V19) // V16-V23 = high bytes, of 4 bits
	SWAP(1, upper1, V16, V17); SWAP(1, upper1, V18, V19)
	SPLIT(V16, V20); SPLIT(V17, V21)
	SPLIT(V18, V22); SPLIT(V19, V23)

low:
	SWAP(4, upper4, V0, V4); SWAP(4, upper4, V1, V5) // V0-V7 = low bytes: swap blocks of 4 by 4 bits
	SWAP(4, upper4, V2, V6); SWAP(4, upper4, V3, V7)
	SWAP(2, upper2, V0, V2); SWAP(2, upper2, V1, V3) // blocks of 2 by 2
	SWAP(2, upper2, V4, V6); SWAP(2, upper2, V5, V7)
	SWAP(1, upper1, V0, V1); SWAP(1, upper1, V2, V3) // bits
	SWAP(1, upper1, V4, V5); SWAP(1, upper1, V6, V7)
	NUMBERS(0, V0, V16); NUMBERS(1, V1, V17) // store the leaf numbers of documents 8j, 8j+1, …
	NUMBERS(2, V2, V18); NUMBERS(3, V3, V19)
	NUMBERS(4, V4, V20); NUMBERS(5, V5, V21)
	NUMBERS(6, V6, V22); NUMBERS(7, V7, V23)
	ADD  $256, number // the next tree
	ADD  R4<<6, plane0
	SUB  $1, R3
	CBNZ R3, tree
	RET
#undef number
#undef plane0
#undef upper4
#undef upper2
#undef upper1
#undef lower4
#undef ZERO
#undef PLANE
#undef SWAP
#undef SPLIT
#undef NUMBERS

// func forestAddF64NEON(scores []float64, numbers *[forestTrees][128]uint16, trees []uint8, leaves []float64)
//
// Requires: NEON
//
// The scores of 16 documents stay in registers for all trees. The documents are four of each eight,
// because then their leaf numbers are four words.
//
// Registers: R0: scores; R1: numbers of the 16 documents; R2: trees; R3: their number; R4: leaves;
// R5: scores left; R6: numbers of the tree; R7: next element of trees; R8: trees left; R9: leaves
// of the tree; R10: its planes; R12-R15: leaf numbers; V0-V15: scores; R11, V16: scratch.
TEXT ·forestAddF64NEON(SB), NOSPLIT, $0-80
// LEAVES adds the leaves of four documents, whose numbers are 16 bits of r each, to their scores.
#define LEAF(first, r, f) \
	UBFX  $first, r, $16, R11   \
	FMOVD (R9)(R11<<3), F16     \
	FADDD F16, f, f
#define LEAVES(r, a, b, c, d) \
	LEAF(0, r, a)  \
	LEAF(16, r, b) \
	LEAF(32, r, c) \
	LEAF(48, r, d)

	MOVD scores_base+0(FP), R0
	MOVD scores_len+8(FP), R5
	MOVD numbers+24(FP), R1
	MOVD trees_base+32(FP), R2
	MOVD trees_len+40(FP), R3
	MOVD leaves_base+56(FP), R4

documents:
	FLDPD (R0), (F0, F1); FLDPD 16(R0), (F2, F3) // scores of documents 8j to 8j+3
	FLDPD 64(R0), (F4, F5); FLDPD 80(R0), (F6, F7)
	FLDPD 128(R0), (F8, F9); FLDPD 144(R0), (F10, F11)
	FLDPD 192(R0), (F12, F13); FLDPD 208(R0), (F14, F15)
	MOVD  R1, R6 // start at tree 0
	MOVD  R2, R7
	MOVD  R3, R8
	MOVD  R4, R9

tree:
	MOVD    (R6), R12 // documents 8j; 8j+1; 8j+2; 8j+3
	MOVD    32(R6), R13
	MOVD    64(R6), R14
	MOVD    96(R6), R15
	MOVBU.P 1(R7), R10
	LEAVES(R12, F0, F4, F8, F12); LEAVES(R13, F1, F5, F9, F13) // score += leaves[number]
	LEAVES(R14, F2, F6, F10, F14); LEAVES(R15, F3, F7, F11, F15)
	MOVD $8, R11 // the next tree: skip the 1<<R10 leaves of this one
	LSL  R10, R11
	ADD  R11, R9
	ADD  $256, R6
	SUB  $1, R8
	CBNZ R8, tree

	FSTPD (F0, F1), (R0); FSTPD (F2, F3), 16(R0) // store the scores
	FSTPD (F4, F5), 64(R0); FSTPD (F6, F7), 80(R0)
	FSTPD (F8, F9), 128(R0); FSTPD (F10, F11), 144(R0)
	FSTPD (F12, F13), 192(R0); FSTPD (F14, F15), 208(R0)
	ADD  $32, R0 // the other four of each eight, then the next 32
	ADD  $128, R1
	SUB  $16, R5
	TBNZ $4, R5, documents
	ADD  $192, R0
	SUB  $248, R1
	CBNZ R5, documents
	RET
#undef LEAF
#undef LEAVES
