//go:build !purego

#include "go_asm.h"
#include "textflag.h"
#include "neon_arm64.h"

// Kernels of tree growing for NEON.

// func histogramU8NEON(hist []int64, bins []uint8, stride int, rows []uint32, gh []int64)
//
// Requires: nothing
//
// An update takes a load, a store and two instructions between them. Two rows are added at a time,
// because one load reads two row numbers or values.
//
// Registers: R0-R7: the eight histograms; R13, R14: bins of two rows; R15, R16: their values; R19:
// a bin; R20: its cell; named below.
TEXT ·histogramU8NEON(SB), NOSPLIT, $0-104
#define place R8  // bins, or the next row of them
#define pitch R9  // stride
#define row   R10 // next row number
#define value R11 // next value
#define left  R12 // rows left

// FEATURE adds v to the cell of feature f that bins selects. h is the histogram of f.
#define FEATURE(f, h, bins, v) \
	UBFX $(8*f), bins, $8, R19; MOVD (h)(R19<<3), R20; ADD v, R20; MOVD R20, (h)(R19<<3)

// FEATURES adds the value v of a row to the cells of eight features that bins selects.
#define FEATURES(bins, v) \
	FEATURE(0, R0, bins, v); FEATURE(1, R1, bins, v); FEATURE(2, R2, bins, v); FEATURE(3, R3, bins, v) \
	FEATURE(4, R4, bins, v); FEATURE(5, R5, bins, v); FEATURE(6, R6, bins, v); FEATURE(7, R7, bins, v)

	MOVD hist_base+0(FP), R0 // histograms, one after the other
	ADD  $(8*const_HistogramCells), R0, R1
	ADD  $(8*const_HistogramCells), R1, R2
	ADD  $(8*const_HistogramCells), R2, R3
	ADD  $(8*const_HistogramCells), R3, R4
	ADD  $(8*const_HistogramCells), R4, R5
	ADD  $(8*const_HistogramCells), R5, R6
	ADD  $(8*const_HistogramCells), R6, R7
	MOVD bins_base+24(FP), place // load the other arguments
	MOVD stride+48(FP), pitch
	MOVD rows_base+56(FP), row
	MOVD gh_base+80(FP), value
	MOVD gh_len+88(FP), left
	CBZ  row, inOrder // if no rows are listed: goto inOrder
	SUBS $2, left
	BLT  lastListed

listed:
	LDPW (row), (R13, R14) // two row numbers and values
	LDP  (value), (R15, R16)
	MUL  pitch, R13 // the bins of the rows
	MUL  pitch, R14
	MOVD (place)(R13), R13
	MOVD (place)(R14), R14
	FEATURES(R13, R15) // add the values
	FEATURES(R14, R16)
	ADD  $8, row // the next two rows
	ADD  $16, value
	SUBS $2, left
	BGE  listed

lastListed:
	TBZ   $0, left, done // add the last row, if their number is odd
	MOVWU (row), R13
	MOVD  (value), R15
	MUL   pitch, R13
	MOVD  (place)(R13), R13
	FEATURES(R13, R15)
	RET

inOrder:
	LSL  $1, pitch, R17 // R17 = 2·pitch
	SUBS $2, left
	BLT  lastInOrder

loop:
	LDP  (value), (R15, R16) // add the values of two rows
	MOVD (place), R13
	MOVD (place)(pitch), R14
	FEATURES(R13, R15)
	FEATURES(R14, R16)
	ADD  R17, place // the next two rows
	ADD  $16, value
	SUBS $2, left
	BGE  loop

lastInOrder:
	TBZ  $0, left, done // add the last row, if their number is odd
	MOVD (value), R15
	MOVD (place), R13
	FEATURES(R13, R15)

done:
	RET
#undef place
#undef pitch
#undef row
#undef value
#undef left
#undef FEATURE
#undef FEATURES

// func subI64NEON(dst, a, b []int64)
//
// Requires: NEON
//
// It subtracts the last seven elements one by one.
//
// Registers: R0, R1, R2: the next elements of dst, a and b; R3: elements left.
TEXT ·subI64NEON(SB), NOSPLIT, $0-72
	MOVD dst_base+0(FP), R0 // load the arguments
	MOVD dst_len+8(FP), R3
	MOVD a_base+24(FP), R1
	MOVD b_base+48(FP), R2
	SUBS $8, R3
	BLT  tail

loop:
	FLDPQ (R1), (F0, F1) // load eight elements of a and b
	FLDPQ 32(R1), (F2, F3)
	FLDPQ (R2), (F4, F5)
	FLDPQ 32(R2), (F6, F7)
	VSUB  V4.D2, V0.D2, V0.D2 // dst[i] = a[i] − b[i]
	VSUB  V5.D2, V1.D2, V1.D2
	VSUB  V6.D2, V2.D2, V2.D2
	VSUB  V7.D2, V3.D2, V3.D2
	FSTPQ (F0, F1), (R0)
	FSTPQ (F2, F3), 32(R0)
	ADD   $64, R1 // the next eight elements
	ADD   $64, R2
	ADD   $64, R0
	SUBS  $8, R3
	BGE   loop

tail:
	ADDS $8, R3
	BEQ  done

element:
	MOVD.P 8(R1), R4 // dst[i] = a[i] − b[i]
	MOVD.P 8(R2), R5
	SUB    R5, R4
	MOVD.P R4, 8(R0)
	SUBS   $1, R3
	BNE    element

done:
	RET

// func bestSplitI64NEON(cells []int64, start, total int64, alpha, lambda, minHess, bar float64) (gain float64, bin int, sum int64)
//
// Requires: NEON
//
// Each lane keeps the first best of every second bin, and the result is the lower bin of the lanes
// with the best gain. Lanes after the last bin repeat its split with a higher bin number, so they
// never win. If none of the four dividends exceeds its divisor times a little less than the best
// gain, no quotient can be better, and the divisions are skipped.
//
// 2³¹ is added to both halves of the sums, so that these are unsigned. With the upper half of the
// float64 2⁵² above them, they are the float64 values 2⁵² + 2³¹ + g and 2⁵² + 2³¹ + h. Subtracting
// 2⁵² + 2³¹ is exact.
//
// Registers: V0: sums of bins 0 and 1; V1: g, l²·y, dividend, gain; V2: g and r²·x on the right;
// V3: h, x, divisor; V4: h and y on the right; V5: the splits that may count; V8-V13: the same of
// bins 2 and 3; V17: 0, 1; V19: 2⁻⁴⁰; V22: bestGain; V31: the upper halves of 2⁵²; named below.
TEXT ·bestSplitI64NEON(SB), NOSPLIT, $0-96
#define cell      R0  // next cell
#define left      R1  // cells left
#define penalty   R2  // 0 if alpha is +0
#define firstBin  R3  // bin of the first lane
#define bias      R4  // 2³¹ in both halves
#define before    V24 // sum of the previous cells, with bias
#define bestSum   V20
#define bestBin   V21
// Vectors as operands of instructions that neon_arm64.h encodes:
#define zero      18
#define bestGain  22
#define bound     23  // a little less than bestGain
#define least     25  // minHess
#define lambdas   26  // lambda
#define alphas    27  // alpha
#define hTotal    28  // 2⁵² + 2³¹ + h of total
#define gTotal    29  // 2⁵² + 2³¹ + g of total
#define base      30  // 2⁵² + 2³¹

// BOUND computes bound = b − |b|·2⁻⁴⁰, where b is the greater lane of bestGain.
#define BOUND \
	FMAXPD(bestGain, bound); VDUP V23.D[0], V23.D2 \
	FABSD2(bound, 6); FMULD2(19, 6, 6); FSUBD2(6, bound, bound)

// SIDES splits the sums S into g and h of the left side (gl = GL, hl = HL) and of the right side
// (gr, hr). It sets allowed to the splits for which both h ≥ minHess.
#define SIDES(S, GL, gl, gr, HL, hl, hr, allowed) \
	VTRN1 V31.S4, S.S4, GL.S4; VTRN2 V31.S4, S.S4, HL.S4 \
	FSUBD2(gl, gTotal, gr); FSUBD2(hl, hTotal, hr)       \
	FSUBD2(base, gl, gl); FSUBD2(base, hl, hl)           \
	FMIND2(hl, hr, allowed); FCMGED2(least, allowed, allowed)

	MOVD    cells_base+0(FP), cell // load the arguments
	MOVD    cells_len+8(FP), left
	MOVD    start+24(FP), R6
	MOVD    total+32(FP), R5
	MOVD    alpha+40(FP), penalty
	MOVD    lambda+48(FP), R7
	MOVD    minHess+56(FP), R8
	MOVD    $0x8000000080000000, bias // before = start + bias
	ADD     bias, R6
	VDUP    R6, before.D2
	VDUP    penalty, V27.D2 // constants
	VDUP    R7, V26.D2
	VDUP    R8, V25.D2
	MOVD    $0x43300000, R6
	VDUP    R6, V31.S4
	MOVD    $0x4330000080000000, R6
	VDUP    R6, V30.D2
	SCVTFWD R5, F29 // gTotal = the lower half of total, + 2⁵² + 2³¹
	FADDD   F30, F29, F29
	VDUP    V29.D[0], V29.D2
	MOVD    $0x80000000, R6 // hTotal = (total + 2³¹) >> 32, + 2⁵² + 2³¹
	ADD     R6, R5
	ASR     $32, R5
	SCVTFD  R5, F28
	FADDD   F30, F28, F28
	VDUP    V28.D[0], V28.D2
	MOVD    bar+64(FP), R6 // bestGain, bestBin, bestSum = bar, −1, bias
	VDUP    R6, V22.D2
	MOVD    $0x3d70000000000000, R6 // 2⁻⁴⁰
	VDUP    R6, V19.D2
	BOUND
	MOVD    $-1, firstBin
	VDUP    firstBin, bestBin.D2
	VDUP    bias, bestSum.D2
	VEOR    V18.B16, V18.B16, V18.B16 // constants
	MOVD    $1, R6
	VMOV    V18.B16, V17.B16
	VMOV    R6, V17.D[1]
	MOVD    ZR, firstBin
	SUBS    $4, left
	BLT     tail

loop:
	FLDPQ (cell), (F0, F8) // load four cells

sums:
	VEXT $8, V0.B16, V18.B16, V6.B16; VEXT $8, V8.B16, V18.B16, V7.B16 // sums of two cells
	VADD V6.D2, V0.D2, V0.D2; VADD V7.D2, V8.D2, V8.D2
	VADD before.D2, V0.D2, V0.D2 // then with the cells before
	VDUP V0.D[1], V6.D2
	VADD V6.D2, V8.D2, V8.D2
	VDUP V8.D[1], before.D2

	SIDES(V0, V1, 1, 2, V3, 3, 4, 5) // g, h and the splits that are allowed
	SIDES(V8, V9, 9, 10, V11, 11, 12, 13)
	CBNZ penalty, penalize

penalized:
	FADDD2(lambdas, 3, 3); FADDD2(lambdas, 11, 11) // x and y = h + lambda
	FADDD2(lambdas, 4, 4); FADDD2(lambdas, 12, 12)
	FMULD2(1, 1, 1); FMULD2(9, 9, 9) // dividend = (l·l)·y + (r·r)·x, divisor = x·y
	FMULD2(2, 2, 2); FMULD2(10, 10, 10)
	FMULD2(4, 1, 1); FMULD2(12, 9, 9)
	FMULD2(3, 2, 2); FMULD2(11, 10, 10)
	FMULD2(4, 3, 3); FMULD2(12, 11, 11)
	FADDD2(2, 1, 1); FADDD2(10, 9, 9)
	FMULD2(bound, 3, 6); FMULD2(bound, 11, 7) // allowed &= dividend > divisor·bound
	FCMGTD2(6, 1, 6); FCMGTD2(7, 9, 7)
	VAND V6.B16, V5.B16, V5.B16; VAND V7.B16, V13.B16, V13.B16
	VORR V5.B16, V13.B16, V6.B16 // if any is allowed: goto better
	VADDP V6.D2, V6.D2, V6.D2
	FMOVD F6, R5
	CBNZ R5, better

next:
	ADD  $32, cell // the next four cells
	ADD  $4, firstBin
	SUBS $4, left
	BGE  loop

tail:
	ADDS $4, left // V0, V8 = one to three cells, and zeros; if none: goto done
	BLE  done
	VEOR V8.B16, V8.B16, V8.B16
	TBZ  $1, left, single
	FMOVQ (cell), F0
	TBZ  $0, left, loaded
	FMOVD 16(cell), F8
	B    loaded

single:
	FMOVD (cell), F0

loaded:
	MOVD ZR, left // none left
	B    sums

penalize:
	FABSD2(1, 1); FABSD2(9, 9) // l = max(|g| − alpha, 0), on the right r
	FABSD2(2, 2); FABSD2(10, 10)
	FSUBD2(alphas, 1, 1); FSUBD2(alphas, 9, 9)
	FSUBD2(alphas, 2, 2); FSUBD2(alphas, 10, 10)
	FMAXD2(zero, 1, 1); FMAXD2(zero, 9, 9)
	FMAXD2(zero, 2, 2); FMAXD2(zero, 10, 10)
	B penalized

better:
	FDIVD2(3, 1, 1); FDIVD2(11, 9, 9) // gain = dividend/divisor
	VDUP firstBin, V6.D2 // V6, V7 = bins 0 and 1, 2 and 3
	ADD  $2, firstBin, R5
	VADD V17.D2, V6.D2, V6.D2
	VDUP R5, V7.D2
	VADD V17.D2, V7.D2, V7.D2
	FCMGTD2(bestGain, 1, 2) // if gain > bestGain, bins 0 and 1 are the best of their lanes
	VAND V2.B16, V5.B16, V5.B16
	VBIT V5.B16, V1.B16, V22.B16
	VBIT V5.B16, V6.B16, bestBin.B16
	VBIT V5.B16, V0.B16, bestSum.B16
	FCMGTD2(bestGain, 9, 2) // then bins 2 and 3
	VAND V2.B16, V13.B16, V13.B16
	VBIT V13.B16, V9.B16, V22.B16
	VBIT V13.B16, V7.B16, bestBin.B16
	VBIT V13.B16, V8.B16, bestSum.B16
	BOUND
	B next

done:
	VMOV  V22.D[1], R5 // gain, bin and sum of the lanes: F22, R6, R8 and F1, R7, R9
	FMOVD R5, F1
	VMOV  bestBin.D[0], R6
	VMOV  bestBin.D[1], R7
	VMOV  bestSum.D[0], R8
	VMOV  bestSum.D[1], R9
	FCMPD F22, F1 // the second lane counts if it gains more, or as much with the lower bin
	BGT   second
	BLT   first
	CMP   R6, R7
	BHS   first

second:
	FMOVD F1, F22
	MOVD  R7, R6
	MOVD  R9, R8

first:
	SUB   bias, R8 // store the results
	FMOVD F22, gain+72(FP)
	MOVD  R6, bin+80(FP)
	MOVD  R8, sum+88(FP)
	RET
#undef cell
#undef left
#undef penalty
#undef firstBin
#undef bias
#undef before
#undef bestSum
#undef bestBin
#undef zero
#undef bestGain
#undef bound
#undef least
#undef lambdas
#undef alphas
#undef hTotal
#undef gTotal
#undef base
#undef BOUND
#undef SIDES

// func partitionRowsNEON(rowsL []uint32, ghL []int64, rows []uint32, gh []int64, rowsR []uint32, ghR []int64, bins []uint8, stride int, left *[4]uint64) int
//
// Requires: NEON
//
// Each row is stored once, at a selected address. NEON has no compress instruction, and storing a
// row on both sides would take twice as many stores. Four rows are loaded before any of them is
// stored. Both sides are addressed relative to rowsL.
//
// Registers: R3-R6: four rows; R7, R16, R17, R19: their gh; V0, V1: bits of left; V2: their bytes'
// numbers; V3: a bit of each byte; V4: 2; named below.
TEXT ·partitionRowsNEON(SB), NOSPLIT, $256-192
#define row    R0  // next row
#define value  R1  // next gh
#define count  R2  // rows left
#define rowsL  R8
#define ghL    R9
#define ghR    R11 // less the first number on the right
#define bins   R12
#define isLeft R13 // table: 255 for the bins on the left
#define nextL  R14 // next number on the left
#define nextR  R15 // next number on the right
#define pitch  R24 // stride, below 2³²

// SIDE moves row r and its value v to the left if its bin is nonzero in isLeft, and to the right
// otherwise.
#define SIDE(r, v) \
	UMADDL pitch, bins, r, R20; MOVBU (R20), R20; MOVBU (isLeft)(R20), R20; CMP $0, R20 \
	CSEL   NE, ghL, ghR, R22; CSEL NE, nextL, nextR, R23                                \
	CINC   NE, nextL, nextL; CINC EQ, nextR, nextR                                      \
	MOVW   r, (rowsL)(R23<<2); MOVD v, (R22)(R23<<3)

	MOVD  left+176(FP), R0 // V0, V1 = left
	FLDPQ (R0), (F0, F1)
	MOVD  $0x0101010101010101, R1 // V2 = eight times 0, eight times 1
	VEOR  V2.B16, V2.B16, V2.B16
	VMOV  R1, V2.D[1]
	MOVD  $0x8040201008040201, R1
	VDUP  R1, V3.D2
	VMOVI $2, V4.B16
	MOVD  $table-256(SP), isLeft // R1 = the next 16 bytes of the table, R2 = 16-byte blocks left
	MOVD  isLeft, R1
	MOVD  $16, R2

tableLoop:
	VTBL   V2.B16, [V0.B16, V1.B16], V5.B16 // isLeft[bin] = 255 if bit bin of left is set, else 0
	VADD   V4.B16, V2.B16, V2.B16
	VCMTST V3.B16, V5.B16, V5.B16
	FMOVQ  F5, (R1)
	ADD    $16, R1
	SUBS   $1, R2
	BNE    tableLoop

	MOVD rowsL_base+0(FP), rowsL // load the arguments
	MOVD ghL_base+24(FP), ghL
	MOVD rowsR_base+96(FP), nextR // nextR = (rowsR − rowsL)/4
	SUB  rowsL, nextR
	ASR  $2, nextR
	MOVD ghR_base+120(FP), ghR
	SUB  nextR<<3, ghR
	MOVD rows_base+48(FP), row // load the other arguments
	MOVD rows_len+56(FP), count
	MOVD gh_base+72(FP), value
	MOVD bins_base+144(FP), bins
	MOVD stride+168(FP), pitch
	MOVD ZR, nextL
	SUBS $4, count
	BLT  tail

loop:
	LDPW (row), (R3, R4) // load four rows
	LDPW 8(row), (R5, R6)
	LDP  (value), (R7, R16)
	LDP  16(value), (R17, R19)
	SIDE(R3, R7) // move them to their sides
	SIDE(R4, R16)
	SIDE(R5, R17)
	SIDE(R6, R19)
	ADD  $16, row // the next four rows
	ADD  $32, value
	SUBS $4, count
	BGE  loop

tail:
	ADDS $4, count
	BEQ  done

single:
	MOVWU.P 4(row), R3 // move a row to its side
	MOVD.P  8(value), R7
	SIDE(R3, R7)
	SUBS    $1, count
	BNE     single

done:
	MOVD nextL, ret+184(FP)
	RET
#undef row
#undef value
#undef count
#undef rowsL
#undef ghL
#undef ghR
#undef bins
#undef isLeft
#undef nextL
#undef nextR
#undef pitch
#undef SIDE

// func binF32NEON(dst []uint8, x []float32, stride int, t *binTree, depth int, zero uint32) (missing int)
//
// Requires: nothing
//
// A step down the tree takes a load, a comparison and an addition with carry. Eight values descend
// together, because each step waits for the previous one. The bounds that are not less than the
// value are on the left of its leaf, so the leaf number counts them. The key of −0 is just below
// the key of +0, and no bound has it.
//
// Registers: R10-R17: keys of eight values; R19-R26: their nodes; named below.
TEXT ·binF32NEON(SB), NOSPLIT, $0-88
#define bin          R0 // next element of dst
#define value        R1 // next value of x
#define pitch        R2 // stride in bytes
#define tree         R3
#define left         R4 // values left
#define zeroMissing  R5 // zero
#define leastMissing R6 // the least missing value, see KEY
#define missingCount R7 // missing values
#define levels       R9 // levels left
#define lastLeaf     R9

// KEY sets k to the key of the next value, or to all ones if the value is missing, and j to 1, the
// root. A value is missing if twice its bits, minus 1 if zeros are missing, are at least
// leastMissing.
#define KEY(k, j) \
	MOVWU (value), k; ADD pitch, value; ASRW $31, k, j; ORRW $0x80000000, j, j \
	ADDW k, k, R8; SUBW zeroMissing, R8; EORW j, k, k; CMPW leastMissing, R8   \
	CSINVW LO, k, ZR, k; ADC ZR, missingCount, missingCount; MOVD $1, j

// STEP sets j to the right child of node j if its bound is not less than k, and else to the left
// child.
#define STEP(k, j) \
	MOVWU (tree)(j<<2), R8; CMPW k, R8; ADC j, j, j

// BIN stores the bin of a value: the distance of its leaf from the last leaf.
#define BIN(j, i) \
	SUB j, lastLeaf, j; MOVB j, i(bin)

// lastLeaf = 2·2^depth − 1
#define LAST_LEAF \
	MOVD depth+64(FP), R8; MOVD $2, lastLeaf; LSL R8, lastLeaf; SUB $1, lastLeaf

	MOVD  dst_base+0(FP), bin // load the arguments
	MOVD  dst_len+8(FP), left
	MOVD  x_base+24(FP), value
	MOVD  stride+48(FP), pitch
	LSL   $2, pitch
	MOVD  t+56(FP), tree
	MOVWU zero+72(FP), zeroMissing // leastMissing = 0xff000001 − zero
	MOVD  $0xff000001, leastMissing
	SUB   zeroMissing, leastMissing
	MOVD  ZR, missingCount
	SUBS  $8, left
	BLT   tail

loop:
	KEY(R10, R19); KEY(R11, R20) // keys of eight values
	KEY(R12, R21); KEY(R13, R22)
	KEY(R14, R23); KEY(R15, R24)
	KEY(R16, R25); KEY(R17, R26)
	MOVD depth+64(FP), levels // if there is only the root: goto leaves
	CBZ  levels, leaves

level:
	STEP(R10, R19); STEP(R11, R20) // go down by a level
	STEP(R12, R21); STEP(R13, R22)
	STEP(R14, R23); STEP(R15, R24)
	STEP(R16, R25); STEP(R17, R26)
	SUB  $1, levels // the next level
	CBNZ levels, level

leaves:
	LAST_LEAF // store eight bins
	BIN(R19, 0); BIN(R20, 1)
	BIN(R21, 2); BIN(R22, 3)
	BIN(R23, 4); BIN(R24, 5)
	BIN(R25, 6); BIN(R26, 7)
	ADD  $8, bin // the next eight values
	SUBS $8, left
	BGE  loop

tail:
	ADDS $8, left
	BEQ  done

single:
	KEY(R10, R19) // the same for a single value
	MOVD depth+64(FP), levels
	CBZ  levels, leaf

down:
	STEP(R10, R19) // go down by a level
	SUB  $1, levels
	CBNZ levels, down

leaf:
	LAST_LEAF // store the bin
	BIN(R19, 0)
	ADD  $1, bin
	SUBS $1, left
	BNE  single

done:
	MOVD missingCount, missing+80(FP)
	RET
#undef bin
#undef value
#undef pitch
#undef tree
#undef left
#undef zeroMissing
#undef leastMissing
#undef missingCount
#undef levels
#undef lastLeaf
#undef KEY
#undef STEP
#undef BIN
#undef LAST_LEAF

// func interleaveU8NEON(dst []uint8, stride int, cols []uint8, pitch, n int)
//
// Requires: NEON
//
// It transposes 16 rows of eight bytes by interleaving bytes, pairs and quadruples.
//
// Registers: R0, R6: a row of dst and the next one; R2: cols; R3: pitch; R4: rows left; R5: a
// column; R7: two strides.
TEXT ·interleaveU8NEON(SB), NOSPLIT, $0-72
// ROWS stores the two rows in a vector.
#define ROWS(f, v) \
	FMOVD f, (R0); ADD R7, R0; VST1 v.D[1], (R6); ADD R7, R6

	MOVD dst_base+0(FP), R0 // load the arguments
	MOVD stride+24(FP), R7
	ADD  R7, R0, R6
	LSL  $1, R7
	MOVD cols_base+32(FP), R2
	MOVD pitch+56(FP), R3
	MOVD n+64(FP), R4
	CBZ  R4, done

loop:
	FMOVQ (R2), F0; ADD R3, R2, R5 // load 16 rows of eight columns
	FMOVQ (R5), F1; ADD R3, R5
	FMOVQ (R5), F2; ADD R3, R5
	FMOVQ (R5), F3; ADD R3, R5
	FMOVQ (R5), F4; ADD R3, R5
	FMOVQ (R5), F5; ADD R3, R5
	FMOVQ (R5), F6; ADD R3, R5
	FMOVQ (R5), F7
	VZIP1 V1.B16, V0.B16, V16.B16; VZIP2 V1.B16, V0.B16, V17.B16 // pairs of columns
	VZIP1 V3.B16, V2.B16, V18.B16; VZIP2 V3.B16, V2.B16, V19.B16
	VZIP1 V5.B16, V4.B16, V20.B16; VZIP2 V5.B16, V4.B16, V21.B16
	VZIP1 V7.B16, V6.B16, V22.B16; VZIP2 V7.B16, V6.B16, V23.B16
	VZIP1 V18.H8, V16.H8, V0.H8; VZIP2 V18.H8, V16.H8, V1.H8 // quadruples
	VZIP1 V19.H8, V17.H8, V2.H8; VZIP2 V19.H8, V17.H8, V3.H8
	VZIP1 V22.H8, V20.H8, V4.H8; VZIP2 V22.H8, V20.H8, V5.H8
	VZIP1 V23.H8, V21.H8, V6.H8; VZIP2 V23.H8, V21.H8, V7.H8
	VZIP1 V4.S4, V0.S4, V16.S4; VZIP2 V4.S4, V0.S4, V17.S4 // rows, two to a vector
	VZIP1 V5.S4, V1.S4, V18.S4; VZIP2 V5.S4, V1.S4, V19.S4
	VZIP1 V6.S4, V2.S4, V20.S4; VZIP2 V6.S4, V2.S4, V21.S4
	VZIP1 V7.S4, V3.S4, V22.S4; VZIP2 V7.S4, V3.S4, V23.S4
	ROWS(F16, V16); ROWS(F17, V17) // store 16 rows
	ROWS(F18, V18); ROWS(F19, V19)
	ROWS(F20, V20); ROWS(F21, V21)
	ROWS(F22, V22); ROWS(F23, V23)
	ADD  $16, R2 // the next 16 rows
	SUBS $16, R4
	BNE  loop

done:
	RET
#undef ROWS
