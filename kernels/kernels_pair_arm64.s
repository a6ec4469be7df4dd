//go:build !purego

#include "textflag.h"
#include "neon_arm64.h"

// The pair kernels for NEON.

// One more step of Horner's scheme: the constant c is the new V, from the old Q.
#define HORNER(c, Q, V) \
	VMOV  c.B16, V.B16       \
	VFMLA Q.D2, V0.D2, V.D2

// exp of V0 to V0: k·ln 2 is taken off in V0, V3 and V4 take the polynomial, V5 is
// 1 + r and V7 its rounding error and the rest, V3 and V4 are the factors 2^k. V14 holds ones, V15
// the bias of the exponent.
#define EXP \
	FMIND2(16, 0, 0)             \
	FMAXD2(17, 0, 0)             \
	VMOV  V19.B16, V1.B16        \
	VFMLA V18.D2, V0.D2, V1.D2   \
	FSUBD2(19, 1, 2)             \
	VFMLS V20.D2, V2.D2, V0.D2   \
	VFMLS V21.D2, V2.D2, V0.D2   \
	HORNER(V23, V22, V3)         \
	HORNER(V24, V3, V4)          \
	HORNER(V25, V4, V3)          \
	HORNER(V26, V3, V4)          \
	HORNER(V27, V4, V3)          \
	HORNER(V28, V3, V4)          \
	HORNER(V29, V4, V3)          \
	HORNER(V30, V3, V4)          \
	HORNER(V31, V4, V3)          \
	FADDD2(0, 14, 5)             \
	FSUBD2(14, 5, 7)             \
	FSUBD2(7, 0, 7)              \
	FMULD2(0, 3, 6)              \
	VFMLA V6.D2, V0.D2, V7.D2    \
	FADDD2(7, 5, 0)              \
	VSHL  $32, V1.D2, V1.D2      \
	SSHRD2(33, 1, 3)             \
	SSHRD2(32, 1, 4)             \
	VSUB  V3.D2, V4.D2, V4.D2    \
	VADD  V15.D2, V3.D2, V3.D2   \
	VADD  V15.D2, V4.D2, V4.D2   \
	VSHL  $52, V3.D2, V3.D2      \
	VSHL  $52, V4.D2, V4.D2      \
	FMULD2(3, 0, 0)              \
	FMULD2(4, 0, 0)

#define EXP_CONSTANT2(V, W) \
	VLD1R.P 8(R3), [V.D2] \
	VLD1R.P 8(R3), [W.D2]

// func expF64NEON(dst, x []float64)
// Requires: NEON
//
// R0 dst, R1 x, R2 elements left, V16 to V31 the first of expTable. Steps of two, then one; 41
// instructions a step beside loop control.
TEXT ·expF64NEON(SB), NOSPLIT, $0-48
	MOVD dst_base+0(FP), R0
	LDP  x_base+24(FP), (R1, R2)
	MOVD $·expTable(SB), R3
	EXP_CONSTANT2(V16, V17)
	EXP_CONSTANT2(V18, V19)
	EXP_CONSTANT2(V20, V21)
	EXP_CONSTANT2(V22, V23)
	EXP_CONSTANT2(V24, V25)
	EXP_CONSTANT2(V26, V27)
	EXP_CONSTANT2(V28, V29)
	EXP_CONSTANT2(V30, V31)
	ONED2(14)
	MOVD $1023, R3
	VDUP R3, V15.D2

loop2:
	SUBS  $2, R2
	BLT   left
	FMOVQ (R1), F0
	EXP
	FMOVQ F0, (R0)
	ADD   $16, R0
	ADD   $16, R1
	B     loop2

left:
	TBZ   $0, R2, done
	FMOVD (R1), F0
	EXP
	FMOVD F0, (R0)

done:
	RET

// The losses share one loop nest. A block is four rows (preferred documents) i … i+3 with their
// numbers of partners p0 … p3, which do not decrease; a block that the end of the query cuts
// short has p = 0 for the missing rows. The partners of a block are run four times, for the
// virtual lanes 2g and 2g+1 of the eight: j = 2g, 2g+1, then 8 further and so on. While j+1 < p0
// every lane is a pair; from there to the last p each row masks the lanes j < pk. The lane behind
// the last p is a document still, no later than the last row, to which zeros are added.
//
// R0 c, R1 the other input by j, R2 lower, R3 row i, R4 last row, R5 acc, R6 end of the full
// vectors, R7 end of the masked ones, R8 j, R9 and R10 c[j] and the input at j, R11 16·g, R12 to
// R15 p0 … p3, R16 other input V0 … V3 one value a row, V4 input at j, V5 c[j], V6 … V9 the four
// pairs, V12 … V15 p0 … p3 V16 … V19 sums of the rows, V20 … V23 the loss. The frame keeps the
// sums of the rows of each g.

#define ZERO(V) VEOR V.B16, V.B16, V.B16

// Reads the block at R3: partners into R6, R7, R12 to R15 and V12 to V15, values by ROW. It
// jumps to done after the last block, and to next when no row of the block has partners.
#define ROWS(ROW) \
	CMP    R4, R3           \
	BGE    done             \
	MOVD   ZR, R6           \
	MOVD   ZR, R13          \
	MOVD   ZR, R14          \
	MOVD   ZR, R15          \
	ADD    R3<<2, R2, R19   \
	SUB    R3, R4, R20      \
	MOVW   (R19), R12       \
	MOVD   R12, R7          \
	ROW(0, V0, 0)            \
	CMP    $2, R20          \
	BLT    ready            \
	MOVW   4(R19), R13      \
	MOVD   R13, R7          \
	ROW(8, V1, 1)            \
	BEQ    ready            \
	MOVW   8(R19), R14      \
	MOVD   R14, R7          \
	ROW(16, V2, 2)           \
	CMP    $4, R20          \
	BLT    ready            \
	MOVW   12(R19), R15     \
	MOVD   R15, R7          \
	ROW(24, V3, 3)           \
	MOVD   R12, R6          \
ready: \
	CBZ    R7, next         \
	VDUP   R12, V12.D2      \
	VDUP   R13, V13.D2      \
	VDUP   R14, V14.D2      \
	VDUP   R15, V15.D2      \
	MOVD   ZR, R11

// Starts the lanes of R11.
#define LANES \
	ZERO(V16)               \
	ZERO(V17)               \
	ZERO(V18)               \
	ZERO(V19)               \
	ADD  R11, R0, R9        \
	ADD  R11, R1, R10       \
	LSR  $3, R11, R8

// Goes to loop while every lane of the next vectors is a pair, R19 = j+1 < p0.
#define WHILE_FULL(loop) \
	ADD  $1, R8, R19        \
	CMP  R6, R19            \
	BLT  loop

#define LOAD \
	FMOVQ (R10), F4         \
	FMOVQ (R9), F5

// Adds the four pairs to the sums of the rows and, in the order of the rows, to c[j].
#define ADD_PAIRS(a, b, c, d) \
	FADDD2(a, 5, 5)         \
	FADDD2(a, 16, 16)       \
	FADDD2(b, 17, 17)       \
	FADDD2(c, 18, 18)       \
	FADDD2(d, 19, 19)       \
	FADDD2(b, 5, 5)         \
	FADDD2(c, 5, 5)         \
	FADDD2(d, 5, 5)         \
	FMOVQ F5, (R9)          \
	ADD   $64, R9           \
	ADD   $64, R10          \
	ADD   $8, R8

// Clears the lanes of V6 … V9 that are no pairs; changes V4.
#define MASK(p, t, V) \
	CMGTD2(4, p, 24)        \
	VAND V24.B16, V.B16, V.B16

#define MASKS \
	VMOV R8, V4.D[0]        \
	ADD  $1, R8, R19        \
	VMOV R19, V4.D[1]       \
	MASK(12, 6, V6)         \
	MASK(13, 7, V7)         \
	MASK(14, 8, V8)         \
	MASK(15, 9, V9)

// Puts the sums of the rows away and goes to lanes for the next two lanes.
#define NEXT_LANES \
	MOVD  RSP, R19                  \
	ADD   R11<<2, R19               \
	FSTPQ (F16, F17), 16(R19)       \
	FSTPQ (F18, F19), 48(R19)       \
	ADD   $16, R11                  \
	CMP   $64, R11                  \
	BLT   lanes

// Reduces the sums by the tree ((0+4)+(2+6))+((1+5)+(3+7)) and subtracts them from
// c[i … i+3]: V4 to V7 have the rows of g = 0, then g = 2 is added, V8 to V11 likewise of 1 and 3.
#define SUBTRACT_SUMS \
	MOVD   RSP, R19                 \
	FLDPQ  16(R19), (F4, F5)        \
	FLDPQ  48(R19), (F6, F7)        \
	FLDPQ  80(R19), (F8, F9)        \
	FLDPQ  112(R19), (F10, F11)     \
	FLDPQ  144(R19), (F16, F17)     \
	FLDPQ  176(R19), (F18, F19)     \
	FLDPQ  208(R19), (F20, F21)     \
	FLDPQ  240(R19), (F22, F23)     \
	FADDD2(16, 4, 4)                \
	FADDD2(17, 5, 5)                \
	FADDD2(18, 6, 6)                \
	FADDD2(19, 7, 7)                \
	FADDD2(20, 8, 8)                \
	FADDD2(21, 9, 9)                \
	FADDD2(22, 10, 10)              \
	FADDD2(23, 11, 11)              \
	FADDD2(8, 4, 4)                 \
	FADDD2(9, 5, 5)                 \
	FADDD2(10, 6, 6)                \
	FADDD2(11, 7, 7)                \
	FADDPD(4, 4)                    \
	FADDPD(5, 5)                    \
	FADDPD(6, 6)                    \
	FADDPD(7, 7)                    \
	ADD    R3<<3, R0, R9            \
	SUB    R3, R4, R20              \
	SUBTRACT(0, F4)                 \
	CMP    $2, R20                  \
	BLT    next                     \
	SUBTRACT(8, F5)                 \
	BEQ    next                     \
	SUBTRACT(16, F6)                \
	CMP    $4, R20                  \
	BLT    next                     \
	SUBTRACT(24, F7)

#define SUBTRACT(off, F) \
	FMOVD off(R9), F24      \
	FSUBD F, F24, F24       \
	FMOVD F24, off(R9)

// The lanes of R11 of the four rows of the loss, 64 bytes apart.
#define LOAD_LOSS \
	ADD   R11, R5, R19      \
	FMOVQ (R19), F20        \
	FMOVQ 64(R19), F21      \
	FMOVQ 128(R19), F22     \
	FMOVQ 192(R19), F23

#define STORE_LOSS \
	ADD   R11, R5, R19      \
	FMOVQ F20, (R19)        \
	FMOVQ F21, 64(R19)      \
	FMOVQ F22, 128(R19)     \
	FMOVQ F23, 192(R19)

// The rows of the hinge losses hold 1 − z[i]; V30 is zeros, V31 ones.
#define HINGE_ROW(off, V, v) \
	ADD   R3<<3, R1, R21    \
	ADD   $off, R21         \
	VLD1R (R21), [V.D2]     \
	FSUBD2(v, 31, v)

// t = max(0, 1 − z[i] + z[j]) of a row, and in V6 … V9 of all.
#define MARGIN(row, t) \
	FADDD2(row, 4, t)       \
	FMAXD2(30, t, t)

#define MARGINS \
	MARGIN(0, 6)            \
	MARGIN(1, 7)            \
	MARGIN(2, 8)            \
	MARGIN(3, 9)

// Adds t² to the loss.
#define SQUARES \
	VFMLA V6.D2, V6.D2, V20.D2      \
	VFMLA V7.D2, V7.D2, V21.D2      \
	VFMLA V8.D2, V8.D2, V22.D2      \
	VFMLA V9.D2, V9.D2, V23.D2

// func pairSquaredHingeNEON(c, z []float64, lower []int32, from, to int, acc *[4][8]float64)
// Requires: NEON
//
// R1 z. 24 instructions for two vectors of four pairs beside loop control.
TEXT ·pairSquaredHingeNEON(SB), NOSPLIT, $272-96
	MOVD c_base+0(FP), R0
	MOVD z_base+24(FP), R1
	MOVD lower_base+48(FP), R2
	MOVD from+72(FP), R3
	MOVD to+80(FP), R4
	MOVD acc+88(FP), R5
	ZERO(V30)
	ONED2(31)

rows:
	ROWS(HINGE_ROW)

lanes:
	LANES
	LOAD_LOSS
	WHILE_FULL(full)
	B masked

full:
	LOAD
	MARGINS
	SQUARES
	ADD_PAIRS(6, 7, 8, 9)
	WHILE_FULL(full)

masked:
	CMP R7, R8
	BGE sums
	LOAD
	MARGINS
	MASKS
	SQUARES
	ADD_PAIRS(6, 7, 8, 9)
	B   masked

sums:
	STORE_LOSS
	NEXT_LANES
	SUBTRACT_SUMS

next:
	ADD $4, R3
	B   rows

done:
	RET

// u = min(1, t/δ) of a row, of which T and U are the vectors t and u; adds u·(t − δ/2·u) to the
// loss. V10 holds 1/δ and δ/2.
#define HUBER(t, T, u, U, loss) \
	FMULD2E(0, 10, t, u)            \
	FMIND2(31, u, u)                \
	FMLSD2E(1, 10, u, t)            \
	VFMLA U.D2, T.D2, loss.D2

// func pairHuberHingeNEON(c, z []float64, lower []int32, inv, half float64, from, to int, acc *[4][8]float64)
// Requires: NEON
//
// R1 z, V10 inv and half. 36 instructions for two vectors of four pairs beside loop control.
TEXT ·pairHuberHingeNEON(SB), NOSPLIT, $272-112
	MOVD c_base+0(FP), R0
	MOVD z_base+24(FP), R1
	MOVD lower_base+48(FP), R2
	MOVD from+88(FP), R3
	MOVD to+96(FP), R4
	MOVD acc+104(FP), R5
	ZERO(V30)
	ONED2(31)

rows:
	ROWS(HINGE_ROW)

lanes:
	LANES
	LOAD_LOSS
	MOVD inv+72(FP), R19
	VMOV R19, V10.D[0]
	MOVD half+80(FP), R19
	VMOV R19, V10.D[1]
	WHILE_FULL(full)
	B    masked

full:
	LOAD
	MARGIN(0, 6)
	HUBER(6, V6, 25, V25, V20)
	MARGIN(1, 7)
	HUBER(7, V7, 26, V26, V21)
	MARGIN(2, 8)
	HUBER(8, V8, 27, V27, V22)
	MARGIN(3, 9)
	HUBER(9, V9, 28, V28, V23)
	ADD_PAIRS(25, 26, 27, 28)
	WHILE_FULL(full)

masked:
	CMP R7, R8
	BGE sums
	LOAD
	MARGINS
	MASKS
	HUBER(6, V6, 25, V25, V20)
	HUBER(7, V7, 26, V26, V21)
	HUBER(8, V8, 27, V27, V22)
	HUBER(9, V9, 28, V28, V23)
	ADD_PAIRS(25, 26, 27, 28)
	B   masked

sums:
	STORE_LOSS
	NEXT_LANES
	SUBTRACT_SUMS

next:
	ADD $4, R3
	B   rows

done:
	RET

#define LOGISTIC_ROW(off, V, v) \
	ADD   R3<<3, R16, R21   \
	ADD   $off, R21         \
	VLD1R (R21), [V.D2]

// m = e[j]·f[i] in V6 … V9.
#define ODDS \
	FMULD2(0, 4, 6)         \
	FMULD2(1, 4, 7)         \
	FMULD2(2, 4, 8)         \
	FMULD2(3, 4, 9)

// m/(1+m) in V6 … V9 from one division, and Π(1+m) in V10: with r = 1+m in V25 … V28,
// V29 = r0·r1 and V30 = r2·r3 become r0·r1/Π and r2·r3/Π.
#define FRACTIONS \
	FADDD2(31, 6, 25)       \
	FADDD2(31, 7, 26)       \
	FADDD2(31, 8, 27)       \
	FADDD2(31, 9, 28)       \
	FMULD2(26, 25, 29)      \
	FMULD2(28, 27, 30)      \
	FMULD2(30, 29, 10)      \
	FDIVD2(10, 31, 11)      \
	FMULD2(26, 6, 6)        \
	FMULD2(25, 7, 7)        \
	FMULD2(28, 8, 8)        \
	FMULD2(27, 9, 9)        \
	FMULD2(11, 29, 29)      \
	FMULD2(11, 30, 30)      \
	FMULD2(29, 8, 8)        \
	FMULD2(29, 9, 9)        \
	FMULD2(30, 6, 6)        \
	FMULD2(30, 7, 7)

// Multiplies V20 by V10, counts the exponent of the result in V21 and takes it
// off. V22 is the bias of the exponent, V23 the mask of the mantissa.
#define PRODUCT \
	FMULD2(10, 20, 20)              \
	VUSHR $52, V20.D2, V10.D2       \
	VSUB  V22.D2, V10.D2, V10.D2    \
	VADD  V10.D2, V21.D2, V21.D2    \
	VAND  V23.B16, V20.B16, V20.B16 \
	VORR  V31.B16, V20.B16, V20.B16

// func pairLogisticNEON(c, e, f []float64, lower []int32, from, to int, acc *[4][8]float64)
// Requires: NEON
//
// R1 e, R16 f. V20 and V21 are the lanes of acc[0], the product, and of acc[1], its exponents. 40
// instructions for two vectors of four pairs beside loop control.
TEXT ·pairLogisticNEON(SB), NOSPLIT, $272-120
	MOVD c_base+0(FP), R0
	MOVD e_base+24(FP), R1
	MOVD f_base+48(FP), R16
	MOVD lower_base+72(FP), R2
	MOVD from+96(FP), R3
	MOVD to+104(FP), R4
	MOVD acc+112(FP), R5
	ONED2(31)

rows:
	ROWS(LOGISTIC_ROW)

lanes:
	LANES
	ADD   R11, R5, R19
	FMOVQ (R19), F20
	FMOVQ 64(R19), F21
	MOVD  $1023, R19
	VDUP  R19, V22.D2
	MOVD  $0x000fffffffffffff, R19
	VDUP  R19, V23.D2
	WHILE_FULL(full)
	B     masked

full:
	LOAD
	ODDS
	FRACTIONS
	PRODUCT
	ADD_PAIRS(6, 7, 8, 9)
	WHILE_FULL(full)

masked:
	CMP R7, R8
	BGE sums
	LOAD
	ODDS
	MASKS
	FRACTIONS
	PRODUCT
	ADD_PAIRS(6, 7, 8, 9)
	B   masked

sums:
	ADD   R11, R5, R19
	FMOVQ F20, (R19)
	FMOVQ F21, 64(R19)
	NEXT_LANES
	SUBTRACT_SUMS

next:
	ADD $4, R3
	B   rows

done:
	RET

// One item, in both lanes of V24 to V27 its value, leaf, x and y, for two documents that ask, whose
// values and leaves are numbers a and l: x and y to their sums. V31 is the margin.
#define SWEEP_TWO(a, l, sx, sy) \
	FADDD2(24, a, 28)               \
	FCMGTD2(31, 28, 28)             \
	CMGTD2(25, l, 29)               \
	VAND V29.B16, V28.B16, V28.B16  \
	VAND V26.B16, V28.B16, V29.B16  \
	VAND V27.B16, V28.B16, V28.B16  \
	FADDD2(29, sx, sx)              \
	FADDD2(28, sy, sy)

// The value in V, where the mask does not have its bits, to a vector of sums of a node.
#define SWEEP_ADD(value, mask, sums, t) \
	BIC16(mask, value, t)           \
	FADDD2(t, sums, sums)

// func pairSweepNEON(tree []float64, leaf []int32, ask, item, x, y []float64, margin float64, done, from, to int, sx, sy []float64) int
// Requires: NEON
//
// R0 tree, R1 leaf, R2 ask, R3 item, R4 x, R5 y, R6 sx, R7 sy, R8 items done, R9 first document of
// eight that ask, R10 to, R11 items, R12 node − 1: its parent and, in the low 3 bits, which child
// it is, R14 the mask of the first child, before which are those of more, R19 the frame; V0 to V3
// ask, V4 to V7 leaves, V16 to V23 sums, F30 the last ask. The last documents, fewer than eight,
// are asked for in the frame, where leaf 0 marks none.
TEXT ·pairSweepNEON(SB), NOSPLIT, $272-232
	MOVD  tree_base+0(FP), R0
	MOVD  leaf_base+24(FP), R1
	MOVD  ask_base+48(FP), R2
	LDP   item_base+72(FP), (R3, R11)
	MOVD  x_base+96(FP), R4
	MOVD  y_base+120(FP), R5
	FMOVD margin+144(FP), F31
	VDUP  V31.D[0], V31.D2
	MOVD  done+152(FP), R8
	MOVD  from+160(FP), R9
	MOVD  to+168(FP), R10
	MOVD  sx_base+176(FP), R6
	MOVD  sy_base+200(FP), R7
	MOVD  $github·com∕simdrank∕simdrank∕internal∕kern·Masks+88(SB), R14
	MOVD  RSP, R19
	ADD   $16, R19

eight:
	CMP R10, R9
	BGE done

	// Add up the sums of this child on every level.
document:
	MOVWU (R1)(R9<<2), R12
	SUB   $1, R12
	FMOVD ZR, F24
	FMOVD ZR, F25

level:
	AND   $7, R12, R13
	LSR   $3, R12
	ADD   R12<<7, R0, R15
	ADD   R13<<3, R15
	FMOVD (R15), F26
	FMOVD 64(R15), F27
	FADDD F26, F24, F24
	FADDD F27, F25, F25
	SUBS  $1, R12
	BGE   level
	FMOVD F24, (R6)(R9<<3)
	FMOVD F25, (R7)(R9<<3)
	ADD   $1, R9
	CMP   R10, R9
	BGE   window
	TST   $7, R9
	BNE   document

	// The eight documents, or how many the last ones are.
window:
	ADD   R9<<3, R2, R13
	FMOVD -8(R13), F30
	TST   $7, R9
	BNE   few
	FLDPQ -64(R13), (F0, F1)
	FLDPQ -32(R13), (F2, F3)
	ADD   R9<<2, R1, R13
	FLDPQ -32(R13), (F24, F25)
	SSHLLD2(24, 4)
	SSHLL2D2(24, 5)
	SSHLLD2(25, 6)
	SSHLL2D2(25, 7)
	SUB   $8, R9
	ADD   R9<<3, R6, R13
	FLDPQ (R13), (F16, F17)
	FLDPQ 32(R13), (F18, F19)
	ADD   R9<<3, R7, R13
	FLDPQ (R13), (F20, F21)
	FLDPQ 32(R13), (F22, F23)
	B     items

few:
	VEOR  V24.B16, V24.B16, V24.B16
	FSTPQ (F24, F24), 64(R19)
	FSTPQ (F24, F24), 96(R19)
	AND   $7, R9, R13
	AND   $~7, R9

fewin:
	SUB    $1, R13
	ADD    R9, R13, R12
	FMOVD  (R2)(R12<<3), F24
	FMOVD  F24, (R19)(R13<<3)
	MOVW   (R1)(R12<<2), R16
	ADD    R13<<3, R19, R15
	MOVD   R16, 64(R15)
	FMOVD  (R6)(R12<<3), F24
	FMOVD  F24, 128(R15)
	FMOVD  (R7)(R12<<3), F24
	FMOVD  F24, 192(R15)
	CBNZ   R13, fewin
	FLDPQ  (R19), (F0, F1)
	FLDPQ  32(R19), (F2, F3)
	FLDPQ  64(R19), (F4, F5)
	FLDPQ  96(R19), (F6, F7)
	FLDPQ  128(R19), (F16, F17)
	FLDPQ  160(R19), (F18, F19)
	FLDPQ  192(R19), (F20, F21)
	FLDPQ  224(R19), (F22, F23)

	// Items active for the last of them: to the sums of those that they are active for, and to the
	// tree.
items:
	CMP   R11, R8
	BGE   sums
	FMOVD (R3)(R8<<3), F24
	FADDD F24, F30, F25
	FCMPD F31, F25
	BLE   sums // or one is a NaN
	VDUP  V24.D[0], V24.D2
	MOVWU (R1)(R8<<2), R12
	VDUP  R12, V25.D2
	ADD   R8<<3, R4, R13
	VLD1R (R13), [V26.D2]
	ADD   R8<<3, R5, R13
	VLD1R (R13), [V27.D2]
	SWEEP_TWO(0, 4, 16, 20)
	SWEEP_TWO(1, 5, 17, 21)
	SWEEP_TWO(2, 6, 18, 22)
	SWEEP_TWO(3, 7, 19, 23)
	ADD   $1, R8
	SUB   $1, R12

	// Add x and y to the sums of the children after this one: V8 to V11 mask the others.
insert:
	AND   $7, R12, R13
	LSR   $3, R12
	SUB   R13<<3, R14, R13
	ADD   R12<<7, R0, R15
	FLDPQ (R13), (F8, F9)
	FLDPQ 32(R13), (F10, F11)
	FLDPQ (R15), (F12, F13)
	FLDPQ 32(R15), (F14, F15)
	SWEEP_ADD(26, 8, 12, 24)
	SWEEP_ADD(26, 9, 13, 25)
	SWEEP_ADD(26, 10, 14, 28)
	SWEEP_ADD(26, 11, 15, 29)
	FSTPQ (F12, F13), (R15)
	FSTPQ (F14, F15), 32(R15)
	FLDPQ 64(R15), (F12, F13)
	FLDPQ 96(R15), (F14, F15)
	SWEEP_ADD(27, 8, 12, 24)
	SWEEP_ADD(27, 9, 13, 25)
	SWEEP_ADD(27, 10, 14, 28)
	SWEEP_ADD(27, 11, 15, 29)
	FSTPQ (F12, F13), 64(R15)
	FSTPQ (F14, F15), 96(R15)
	SUBS  $1, R12
	BGE   insert
	B     items

sums:
	ADD   $8, R9, R13
	CMP   R10, R13
	BGT   fewout
	ADD   R9<<3, R6, R15
	FSTPQ (F16, F17), (R15)
	FSTPQ (F18, F19), 32(R15)
	ADD   R9<<3, R7, R15
	FSTPQ (F20, F21), (R15)
	FSTPQ (F22, F23), 32(R15)
	MOVD  R13, R9
	B     eight

fewout:
	FSTPQ (F16, F17), 128(R19)
	FSTPQ (F18, F19), 160(R19)
	FSTPQ (F20, F21), 192(R19)
	FSTPQ (F22, F23), 224(R19)

out:
	FMOVD 128(R19), F24
	FMOVD F24, (R6)(R9<<3)
	FMOVD 192(R19), F24
	FMOVD F24, (R7)(R9<<3)
	ADD   $8, R19
	ADD   $1, R9
	CMP   R10, R9
	BLT   out

done:
	MOVD R8, ret+224(FP)
	RET
