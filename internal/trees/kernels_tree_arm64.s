//go:build !purego

#include "go_asm.h"
#include "textflag.h"
#include "neon_arm64.h"

// Kernels of tree growing for NEON.

// FEATURE adds v to a cell of the feature f, whose histogram is at h. bins holds the row's bins.
#define FEATURE(f, h, bins, v) \
	UBFX $(8*f), bins, $8, R19 \
	MOVD (h)(R19<<3), R20      \
	ADD  v, R20                \
	MOVD R20, (h)(R19<<3)

#define FEATURES(bins, v) \
	FEATURE(0, R0, bins, v) \
	FEATURE(1, R1, bins, v) \
	FEATURE(2, R2, bins, v) \
	FEATURE(3, R3, bins, v) \
	FEATURE(4, R4, bins, v) \
	FEATURE(5, R5, bins, v) \
	FEATURE(6, R6, bins, v) \
	FEATURE(7, R7, bins, v)

// func histogramU8NEON(hist []int64, bins []uint8, stride int, rows []uint32, gh []int64)
//
// Requires: nothing
//
// An update is a load and a store, and two instructions between them. Two rows are taken at once,
// because pairs of numbers and values are one load.
//
// R0 to R7 the eight histograms   R8 bins   R9 stride   R10 next row number   R11 next value
// R12 rows left   R13, R14 bins of two rows   R15, R16 their values   R17 bytes of two strides
// R19 bin   R20 cell
TEXT ·histogramU8NEON(SB), NOSPLIT, $0-104
	MOVD hist_base+0(FP), R0
	ADD  $(8*const_HistogramCells), R0, R1
	ADD  $(8*const_HistogramCells), R1, R2
	ADD  $(8*const_HistogramCells), R2, R3
	ADD  $(8*const_HistogramCells), R3, R4
	ADD  $(8*const_HistogramCells), R4, R5
	ADD  $(8*const_HistogramCells), R5, R6
	ADD  $(8*const_HistogramCells), R6, R7
	MOVD bins_base+24(FP), R8
	MOVD stride+48(FP), R9
	MOVD rows_base+56(FP), R10
	MOVD gh_base+80(FP), R11
	MOVD gh_len+88(FP), R12
	CBZ  R10, all
	SUBS $2, R12
	BLT  last

listed:
	LDPW (R10), (R13, R14)
	LDP  (R11), (R15, R16)
	MUL  R9, R13
	MUL  R9, R14
	MOVD (R8)(R13), R13
	MOVD (R8)(R14), R14
	FEATURES(R13, R15)
	FEATURES(R14, R16)
	ADD  $8, R10
	ADD  $16, R11
	SUBS $2, R12
	BGE  listed

last:
	TBZ   $0, R12, done
	MOVWU (R10), R13
	MOVD  (R11), R15
	MUL   R9, R13
	MOVD  (R8)(R13), R13
	FEATURES(R13, R15)
	RET

all:
	LSL  $1, R9, R17
	SUBS $2, R12
	BLT  one

next:
	LDP  (R11), (R15, R16)
	MOVD (R8), R13
	MOVD (R8)(R9), R14
	FEATURES(R13, R15)
	FEATURES(R14, R16)
	ADD  R17, R8
	ADD  $16, R11
	SUBS $2, R12
	BGE  next

one:
	TBZ  $0, R12, done
	MOVD (R11), R15
	MOVD (R8), R13
	FEATURES(R13, R15)

done:
	RET

// func subI64NEON(dst, a, b []int64)
//
// Requires: NEON
//
// R0 dst   R1 a   R2 b   R3 elements left
// The last seven elements are taken one by one.
TEXT ·subI64NEON(SB), NOSPLIT, $0-72
	MOVD dst_base+0(FP), R0
	MOVD dst_len+8(FP), R3
	MOVD a_base+24(FP), R1
	MOVD b_base+48(FP), R2
	SUBS $8, R3
	BLT  few

loop:
	FLDPQ (R1), (F0, F1)
	FLDPQ 32(R1), (F2, F3)
	FLDPQ (R2), (F4, F5)
	FLDPQ 32(R2), (F6, F7)
	VSUB  V4.D2, V0.D2, V0.D2
	VSUB  V5.D2, V1.D2, V1.D2
	VSUB  V6.D2, V2.D2, V2.D2
	VSUB  V7.D2, V3.D2, V3.D2
	FSTPQ (F0, F1), (R0)
	FSTPQ (F2, F3), 32(R0)
	ADD   $64, R1
	ADD   $64, R2
	ADD   $64, R0
	SUBS  $8, R3
	BGE   loop

few:
	ADDS $8, R3
	BEQ  done

one:
	MOVD.P 8(R1), R4
	MOVD.P 8(R2), R5
	SUB    R5, R4
	MOVD.P R4, 8(R0)
	SUBS   $1, R3
	BNE    one

done:
	RET

// KEY loads a value, makes it the key k, all ones when it is missing, and sets its node j to the
// root. Twice the bits of the value, less 1 if zero is missing, are at least R6 for missing values.
#define KEY(k, j) \
	MOVWU  (R1), k               \
	ADD    R2, R1                \
	ASRW   $31, k, j             \
	ORRW   $0x80000000, j, j     \
	ADDW   k, k, R8              \
	SUBW   R5, R8                \
	EORW   j, k, k               \
	CMPW   R6, R8                \
	CSINVW LO, k, ZR, k          \
	ADC    ZR, R7, R7            \
	MOVD   $1, j

// STEP goes to the right child where the node is not less than the key.
#define STEP(k, j) \
	MOVWU (R3)(j<<2), R8 \
	CMPW  k, R8          \
	ADC   j, j, j

// BIN stores the bin of a value: how far its leaf is from the last one, R9.
#define BIN(j, i) \
	SUB  j, R9, j \
	MOVB j, i(R0)

// func binF32NEON(dst []uint8, x []float32, stride int, t *binTree, depth int, zero uint32) (missing int)
//
// Requires: nothing
//
// A step down the tree is a load, a comparison and an addition with its carry. Eight values go
// down together, because a step waits for the one before. Bounds that are not less than the value
// are on the left, so the number of the leaf counts them. −0 has a key of its own, just below that
// of +0, which no bound has.
//
// R0 dst   R1 x   R2 stride in bytes   R3 tree   R4 values left   R5 zero   R6 least of what is
// missing   R7 missing values   R8 scratch   R9 levels left, then the last leaf
// R10 to R17 keys   R19 to R26 nodes
TEXT ·binF32NEON(SB), NOSPLIT, $0-88
	MOVD  dst_base+0(FP), R0
	MOVD  dst_len+8(FP), R4
	MOVD  x_base+24(FP), R1
	MOVD  stride+48(FP), R2
	LSL   $2, R2
	MOVD  t+56(FP), R3
	MOVWU zero+72(FP), R5
	MOVD  $0xff000001, R6
	SUB   R5, R6
	MOVD  ZR, R7
	SUBS  $8, R4
	BLT   tail

loop:
	KEY(R10, R19)
	KEY(R11, R20)
	KEY(R12, R21)
	KEY(R13, R22)
	KEY(R14, R23)
	KEY(R15, R24)
	KEY(R16, R25)
	KEY(R17, R26)
	MOVD depth+64(FP), R9
	CBZ  R9, leaves

level:
	STEP(R10, R19)
	STEP(R11, R20)
	STEP(R12, R21)
	STEP(R13, R22)
	STEP(R14, R23)
	STEP(R15, R24)
	STEP(R16, R25)
	STEP(R17, R26)
	SUB  $1, R9
	CBNZ R9, level

leaves:
	MOVD depth+64(FP), R8
	MOVD $2, R9
	LSL  R8, R9
	SUB  $1, R9
	BIN(R19, 0)
	BIN(R20, 1)
	BIN(R21, 2)
	BIN(R22, 3)
	BIN(R23, 4)
	BIN(R24, 5)
	BIN(R25, 6)
	BIN(R26, 7)
	ADD  $8, R0
	SUBS $8, R4
	BGE  loop

tail:
	ADDS $8, R4
	BEQ  done

one:
	KEY(R10, R19)
	MOVD depth+64(FP), R9
	CBZ  R9, leaf

down:
	STEP(R10, R19)
	SUB  $1, R9
	CBNZ R9, down

leaf:
	MOVD depth+64(FP), R8
	MOVD $2, R9
	LSL  R8, R9
	SUB  $1, R9
	BIN(R19, 0)
	ADD  $1, R0
	SUBS $1, R4
	BNE  one

done:
	MOVD R7, missing+80(FP)
	RET

// ROWS stores the two rows of a vector.
#define ROWS(f, v) \
	FMOVD  f, (R0)        \
	ADD    R1, R0         \
	VST1   v.D[1], (R0)   \
	ADD    R1, R0

// func interleaveU8NEON(dst []uint8, stride int, cols []uint8, pitch, n int)
//
// Requires: NEON
//
// Sixteen rows of eight bytes are transposed: pairs, quadruples, rows.
//
// R0 dst   R1 stride   R2 cols   R3 pitch   R4 rows left   R5 column
TEXT ·interleaveU8NEON(SB), NOSPLIT, $0-72
	MOVD dst_base+0(FP), R0
	MOVD stride+24(FP), R1
	MOVD cols_base+32(FP), R2
	MOVD pitch+56(FP), R3
	MOVD n+64(FP), R4
	CBZ  R4, done

loop:
	FMOVQ (R2), F0
	ADD   R3, R2, R5
	FMOVQ (R5), F1
	ADD   R3, R5
	FMOVQ (R5), F2
	ADD   R3, R5
	FMOVQ (R5), F3
	ADD   R3, R5
	FMOVQ (R5), F4
	ADD   R3, R5
	FMOVQ (R5), F5
	ADD   R3, R5
	FMOVQ (R5), F6
	ADD   R3, R5
	FMOVQ (R5), F7
	VZIP1 V1.B16, V0.B16, V16.B16
	VZIP2 V1.B16, V0.B16, V17.B16
	VZIP1 V3.B16, V2.B16, V18.B16
	VZIP2 V3.B16, V2.B16, V19.B16
	VZIP1 V5.B16, V4.B16, V20.B16
	VZIP2 V5.B16, V4.B16, V21.B16
	VZIP1 V7.B16, V6.B16, V22.B16
	VZIP2 V7.B16, V6.B16, V23.B16
	VZIP1 V18.H8, V16.H8, V0.H8
	VZIP2 V18.H8, V16.H8, V1.H8
	VZIP1 V19.H8, V17.H8, V2.H8
	VZIP2 V19.H8, V17.H8, V3.H8
	VZIP1 V22.H8, V20.H8, V4.H8
	VZIP2 V22.H8, V20.H8, V5.H8
	VZIP1 V23.H8, V21.H8, V6.H8
	VZIP2 V23.H8, V21.H8, V7.H8
	VZIP1 V4.S4, V0.S4, V16.S4
	VZIP2 V4.S4, V0.S4, V17.S4
	VZIP1 V5.S4, V1.S4, V18.S4
	VZIP2 V5.S4, V1.S4, V19.S4
	VZIP1 V6.S4, V2.S4, V20.S4
	VZIP2 V6.S4, V2.S4, V21.S4
	VZIP1 V7.S4, V3.S4, V22.S4
	VZIP2 V7.S4, V3.S4, V23.S4
	ROWS(F16, V16)
	ROWS(F17, V17)
	ROWS(F18, V18)
	ROWS(F19, V19)
	ROWS(F20, V20)
	ROWS(F21, V21)
	ROWS(F22, V22)
	ROWS(F23, V23)
	ADD  $16, R2
	SUBS $16, R4
	BNE  loop

done:
	RET
