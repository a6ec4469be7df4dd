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

// BOUND sets V23 to a little less than the best gain, the greater lane of V22.
#define BOUND \
	FMAXPD(22, 23)          \
	VDUP V23.D[0], V23.D2   \
	FABSD2(23, 6)           \
	FMULD2(19, 6, 6)        \
	FSUBD2(6, 23, 23)

// SIDES takes sums S apart: gl and gr are g on the left, in the vector GL, and on the right, hl and
// hr likewise h, and allowed says where neither h is below the least.
#define SIDES(S, GL, gl, gr, HL, hl, hr, allowed) \
	VTRN1 V31.S4, S.S4, GL.S4 \
	VTRN2 V31.S4, S.S4, HL.S4 \
	FSUBD2(gl, 29, gr)        \
	FSUBD2(hl, 28, hr)        \
	FSUBD2(30, gl, gl)        \
	FSUBD2(30, hl, hl)        \
	FMIND2(hl, hr, allowed)   \
	FCMGED2(25, allowed, allowed)

// func bestSplitI64NEON(cells []int64, start, total int64, alpha, lambda, minHess, bar float64) (gain float64, bin int, sum int64)
//
// Requires: NEON
//
// Each lane keeps the first best of every second bin, and the lower of the best lanes' bins comes
// out. Lanes behind the last bin repeat its split, with a higher bin: they never win. Nothing is
// divided where all four dividends are at most the divisors times a little less than the best gain:
// then no quotient is more than it.
//
// Sums have 2³¹ added to both halves, which makes these unsigned. Below the upper half of the
// float64 2⁵² they are the float64s 2⁵² + 2³¹ + g and 2⁵² + 2³¹ + h, from which the first two terms
// are taken off without rounding.
//
// R0 cells   R1 cells left   R2 0 if alpha is +0   R3 bin of the first lane
// R4 what sums have added   V31 upper halves of 2⁵²   V30 2⁵² + 2³¹, V29 and V28 that and g and h
// of total   V27 alpha   V26 lambda   V25 minHess   V24 sum of the cells before   V23 bound of the
// quotients   V22 gain, V21 bin and V20 sum of the best   V19 2⁻⁴⁰   V18 zero   V17 0 and 1
// of bins 0 and 1, and with 8 added of bins 2 and 3: V0 sums up to the bins   V1 g, l²y, numerator,
// gain   V2 g and r²x on the right   V3 h, x, denominator   V4 h and y on the right   V5 which are
// allowed, then which gain   V6, V7 scratch
TEXT ·bestSplitI64NEON(SB), NOSPLIT, $0-96
	MOVD    cells_base+0(FP), R0
	MOVD    cells_len+8(FP), R1
	MOVD    start+24(FP), R6
	MOVD    total+32(FP), R5
	MOVD    alpha+40(FP), R2
	MOVD    lambda+48(FP), R7
	MOVD    minHess+56(FP), R8
	MOVD    $0x8000000080000000, R4
	ADD     R4, R6
	VDUP    R6, V24.D2
	VDUP    R2, V27.D2
	VDUP    R7, V26.D2
	VDUP    R8, V25.D2
	MOVD    $0x43300000, R6
	VDUP    R6, V31.S4
	MOVD    $0x4330000080000000, R6
	VDUP    R6, V30.D2
	SCVTFWD R5, F29
	FADDD   F30, F29, F29
	VDUP    V29.D[0], V29.D2
	MOVD    $0x80000000, R6
	ADD     R6, R5
	ASR     $32, R5
	SCVTFD  R5, F28
	FADDD   F30, F28, F28
	VDUP    V28.D[0], V28.D2
	MOVD    bar+64(FP), R6
	VDUP    R6, V22.D2
	MOVD    $0x3d70000000000000, R6 // 2⁻⁴⁰
	VDUP    R6, V19.D2
	BOUND
	MOVD    $-1, R3
	VDUP    R3, V21.D2
	VDUP    R4, V20.D2
	VEOR    V18.B16, V18.B16, V18.B16
	MOVD    $1, R6
	VMOV    V18.B16, V17.B16
	VMOV    R6, V17.D[1]
	MOVD    ZR, R3
	SUBS    $4, R1
	BLT     tail

loop:
	FLDPQ (R0), (F0, F8)

sums:
	// Of two, then with the cells before.
	VEXT $8, V0.B16, V18.B16, V6.B16
	VEXT $8, V8.B16, V18.B16, V7.B16
	VADD V6.D2, V0.D2, V0.D2
	VADD V7.D2, V8.D2, V8.D2
	VADD V24.D2, V0.D2, V0.D2
	VDUP V0.D[1], V6.D2
	VADD V6.D2, V8.D2, V8.D2
	VDUP V8.D[1], V24.D2

	SIDES(V0, V1, 1, 2, V3, 3, 4, 5)
	SIDES(V8, V9, 9, 10, V11, 11, 12, 13)
	CBNZ R2, penalty

penalized:
	FADDD2(26, 3, 3)
	FADDD2(26, 11, 11)
	FADDD2(26, 4, 4)
	FADDD2(26, 12, 12)
	FMULD2(1, 1, 1)
	FMULD2(9, 9, 9)
	FMULD2(2, 2, 2)
	FMULD2(10, 10, 10)
	FMULD2(4, 1, 1)
	FMULD2(12, 9, 9)
	FMULD2(3, 2, 2)
	FMULD2(11, 10, 10)
	FMULD2(4, 3, 3)
	FMULD2(12, 11, 11)
	FADDD2(2, 1, 1)
	FADDD2(10, 9, 9)
	FMULD2(23, 3, 6)
	FMULD2(23, 11, 7)
	FCMGTD2(6, 1, 6)
	FCMGTD2(7, 9, 7)
	VAND V6.B16, V5.B16, V5.B16
	VAND V7.B16, V13.B16, V13.B16
	VORR V5.B16, V13.B16, V6.B16
	VADDP V6.D2, V6.D2, V6.D2
	FMOVD F6, R5
	CBNZ R5, better

next:
	ADD  $32, R0
	ADD  $4, R3
	SUBS $4, R1
	BGE  loop

tail:
	// One to three cells, and zeros.
	ADDS $4, R1
	BLE  done
	VEOR V8.B16, V8.B16, V8.B16
	TBZ  $1, R1, single
	FMOVQ (R0), F0
	TBZ  $0, R1, last
	FMOVD 16(R0), F8
	B    last

single:
	FMOVD (R0), F0

last:
	MOVD ZR, R1
	B    sums

penalty:
	FABSD2(1, 1)
	FABSD2(9, 9)
	FABSD2(2, 2)
	FABSD2(10, 10)
	FSUBD2(27, 1, 1)
	FSUBD2(27, 9, 9)
	FSUBD2(27, 2, 2)
	FSUBD2(27, 10, 10)
	FMAXD2(18, 1, 1)
	FMAXD2(18, 9, 9)
	FMAXD2(18, 2, 2)
	FMAXD2(18, 10, 10)
	B penalized

better:
	FDIVD2(3, 1, 1)
	FDIVD2(11, 9, 9)
	VDUP R3, V6.D2
	ADD  $2, R3, R5
	VADD V17.D2, V6.D2, V6.D2
	VDUP R5, V7.D2
	VADD V17.D2, V7.D2, V7.D2
	FCMGTD2(22, 1, 2)
	VAND V2.B16, V5.B16, V5.B16
	VBIT V5.B16, V1.B16, V22.B16
	VBIT V5.B16, V6.B16, V21.B16
	VBIT V5.B16, V0.B16, V20.B16
	FCMGTD2(22, 9, 2)
	VAND V2.B16, V13.B16, V13.B16
	VBIT V13.B16, V9.B16, V22.B16
	VBIT V13.B16, V7.B16, V21.B16
	VBIT V13.B16, V8.B16, V20.B16
	BOUND
	B next

done:
	VMOV  V22.D[1], R5
	FMOVD R5, F1
	VMOV  V21.D[0], R6
	VMOV  V21.D[1], R7
	VMOV  V20.D[0], R8
	VMOV  V20.D[1], R9
	// The second lane counts if it gains more, or as much with the lower bin.
	FCMPD F22, F1
	BGT   second
	BLT   first
	CMP   R6, R7
	BHS   first

second:
	FMOVD F1, F22
	MOVD  R7, R6
	MOVD  R9, R8

first:
	SUB   R4, R8
	FMOVD F22, gain+72(FP)
	MOVD  R6, bin+80(FP)
	MOVD  R8, sum+88(FP)
	RET

// SIDE moves a row and its value v to the left when its bin is nonzero in the table at R13, to the
// right otherwise.
#define SIDE(row, v) \
	UMADDL R24, R12, row, R20 \
	MOVBU  (R20), R20         \
	MOVBU  (R13)(R20), R20    \
	CMP    $0, R20            \
	CSEL   NE, R9, R11, R22   \
	CSEL   NE, R14, R15, R23  \
	CINC   NE, R14, R14       \
	CINC   EQ, R15, R15       \
	MOVW   row, (R8)(R23<<2)  \
	MOVD   v, (R22)(R23<<3)

// func partitionRowsNEON(rowsL []uint32, ghL []int64, rows []uint32, gh []int64, rowsR []uint32, ghR []int64, bins []uint8, stride int, left *[4]uint64) int
//
// Requires: NEON
//
// A row is stored once, at an address that is chosen: there is no compress here, and to store it
// on both sides takes twice the stores. Four rows are loaded before any of them is stored. A table
// on the stack holds 255 for the bins on the left. Rows on the right have numbers as elements of
// rowsL, so that both sides are stored from there on.
//
// R0 rows   R1 gh   R2 rows left   R3 to R6 four rows   R7, R16, R17, R19 their gh   R8 rowsL
// R9 ghL   R11 ghR, less the first number on the right   R12 bins   R24 stride, below 2³²
// R13 table   R14 next number on the left, R15 on the right   R20, R22, R23 scratch
// V0, V1 bits of left   V2 their bytes' numbers   V3 bits of a byte   V4 two
TEXT ·partitionRowsNEON(SB), NOSPLIT, $256-192
	MOVD  left+176(FP), R0
	FLDPQ (R0), (F0, F1)
	MOVD  $0x0101010101010101, R1
	VEOR  V2.B16, V2.B16, V2.B16
	VMOV  R1, V2.D[1]
	MOVD  $0x8040201008040201, R1
	VDUP  R1, V3.D2
	VMOVI $2, V4.B16
	MOVD  $table-256(SP), R13
	MOVD  R13, R1
	MOVD  $16, R2

table:
	VTBL   V2.B16, [V0.B16, V1.B16], V5.B16
	VADD   V4.B16, V2.B16, V2.B16
	VCMTST V3.B16, V5.B16, V5.B16
	FMOVQ  F5, (R1)
	ADD    $16, R1
	SUBS   $1, R2
	BNE    table

	MOVD rowsL_base+0(FP), R8
	MOVD ghL_base+24(FP), R9
	MOVD rowsR_base+96(FP), R15
	SUB  R8, R15
	ASR  $2, R15
	MOVD ghR_base+120(FP), R11
	SUB  R15<<3, R11
	MOVD rows_base+48(FP), R0
	MOVD rows_len+56(FP), R2
	MOVD gh_base+72(FP), R1
	MOVD bins_base+144(FP), R12
	MOVD stride+168(FP), R24
	MOVD ZR, R14
	SUBS $4, R2
	BLT  tail

loop:
	LDPW (R0), (R3, R4)
	LDPW 8(R0), (R5, R6)
	LDP  (R1), (R7, R16)
	LDP  16(R1), (R17, R19)
	SIDE(R3, R7)
	SIDE(R4, R16)
	SIDE(R5, R17)
	SIDE(R6, R19)
	ADD  $16, R0
	ADD  $32, R1
	SUBS $4, R2
	BGE  loop

tail:
	ADDS $4, R2
	BEQ  done

one:
	MOVWU.P 4(R0), R3
	MOVD.P  8(R1), R7
	SIDE(R3, R7)
	SUBS    $1, R2
	BNE     one

done:
	MOVD R14, ret+184(FP)
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
	ADD    R7, R0         \
	VST1   v.D[1], (R6)   \
	ADD    R7, R6

// func interleaveU8NEON(dst []uint8, stride int, cols []uint8, pitch, n int)
//
// Requires: NEON
//
// Sixteen rows of eight bytes are transposed: pairs, quadruples, rows.
//
// R0 and R6 a row of dst and the next   R2 cols   R3 pitch   R4 rows left   R5 column
// R7 two strides
TEXT ·interleaveU8NEON(SB), NOSPLIT, $0-72
	MOVD dst_base+0(FP), R0
	MOVD stride+24(FP), R7
	ADD  R7, R0, R6
	LSL  $1, R7
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
