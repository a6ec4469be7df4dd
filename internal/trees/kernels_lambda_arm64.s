//go:build !purego

#include "go_asm.h"
#include "textflag.h"
#include "neon_arm64.h"

// Pairs of ranks for NEON: one document against 16 lower ones at a time, in four vectors.

// EDGE sets V31 to the lanes of the 4 from R8+first on that lie from i+1 to N−1. It uses R15,
// V12, V13 and V30.
#define EDGE(first) \
	MOVD  $github·com∕simdrank∕simdrank∕internal∕kern·Iota(SB), R15   \
	FMOVQ (R15), F30               \
	ADD   $first, R8, R15          \
	VDUP  R15, V12.S4              \
	VADD  V30.S4, V12.S4, V12.S4   \
	VDUP  R10, V13.S4              \
	CMGTS4(13, 12, 31)             \
	VDUP  R7, V13.S4               \
	CMGTS4(12, 13, 13)             \
	VAND  V13.B16, V31.B16, V31.B16

// PAIRS takes 4 lower documents, at the offset off in bytes, their sums and lanes in g, h and l,
// and the mask. V14 are the lanes where i is the better document and V13 those of equal gain,
// later the pairs; w in V12, x in V15, r in V16; then w·q in V15, λ in V12 and h in V16.
#define PAIRS(off, g, h, l, mask) \
	FMOVQ off(R22), F12             \
	FCMEQS4(12, 21, 13)             \
	FCMGTS4(12, 21, 14)             \
	FABDS4(12, 21, 12)              \
	FMINNMS4(24, 12, 12)            \
	FMOVQ off(R23), F15             \
	FADDS4(15, 22, 15)              \
	FABSS4(15, 15)                  \
	FMULS4(15, 12, 12)              \
	FMOVQ off(R21), F15             \
	FSUBS4(15, 20, 15)              \
	FMULS4(26, 15, 15)              \
	FADDS4(15, 25, 15)              \
	FDIVS4(15, 12, 12)              \
	FMOVQ off(R24), F15             \
	FMULS4(23, 15, 15)              \
	FADDS4(27, 15, 16)              \
	FDIVS4(16, 27, 16)              \
	FMULS4(16, 15, 15)              \
	FMULS4(15, 12, 15)              \
	FMULS4(16, 12, 12)              \
	FMULS4(16, 15, 16)              \
	VBIT  V14.B16, V15.B16, V12.B16 \
	BIC16(13, mask, 13)             \
	VAND  V13.B16, V12.B16, V12.B16 \
	VAND  V13.B16, V16.B16, V16.B16 \
	FADDS4(12, l, l)                \
	BIC16(14, 28, 14)               \
	VEOR  V14.B16, V12.B16, V12.B16 \
	FADDS4(12, g, g)                \
	FADDS4(16, h, h)                \
	FMOVQ off(R19), F17             \
	FMOVQ off(R20), F18             \
	FADDS4(12, 17, 17)              \
	FADDS4(16, 18, 18)              \
	FMOVQ F17, off(R19)             \
	FMOVQ F18, off(R20)

#define ZERO(V) VEOR V.B16, V.B16, V.B16

// func lambdaF32NEON(grad, hess []float32, docs *LambdaDocs, from, to int, lanes *[16]float32)
//
// Requires: NEON
//
// R0 to R5 grad, hess, scores, gains, V and F, R19 to R24 the same from j on; R6 docs, R7 N, R8
// j, R10 i, R11 to, R12 U, R13 E, R14 lanes. V0 to V3 and V4 to V7 the sums of i, V8 to V11
// lanes, V20 to V23 the score, gain, U and E of i, V24 to V28 limit, base, slope, 1 and sign
// bits, V29 all ones. Vectors at the edges are masked: what the slices hold from N on is not
// meant. fminnm takes the limit where a difference of gains is NaN, as the reference does.
TEXT ·lambdaF32NEON(SB), NOSPLIT, $0-80
	MOVD grad_base+0(FP), R0
	MOVD hess_base+24(FP), R1
	MOVD docs+48(FP), R6
	MOVD from+56(FP), R10
	MOVD to+64(FP), R11
	MOVD lanes+72(FP), R14

	MOVD LambdaDocs_N(R6), R7
	MOVD LambdaDocs_Score(R6), R2
	MOVD LambdaDocs_Gain(R6), R3
	MOVD LambdaDocs_V(R6), R4
	MOVD LambdaDocs_F(R6), R5
	MOVD LambdaDocs_U(R6), R12
	MOVD LambdaDocs_E(R6), R13

	ADD   $LambdaDocs_Limit, R6, R15
	VLD1R (R15), [V24.S4]
	ADD   $LambdaDocs_Base, R6, R15
	VLD1R (R15), [V25.S4]
	ADD   $LambdaDocs_Slope, R6, R15
	VLD1R (R15), [V26.S4]
	MOVW  $0x3f800000, R15
	VDUP  R15, V27.S4
	MOVD  $0x80000000, R15
	VDUP  R15, V28.S4
	MOVD  $-1, R15
	VDUP  R15, V29.D2

	FLDPQ (R14), (F8, F9)
	FLDPQ 32(R14), (F10, F11)

document:
	CMP R11, R10
	BGE done

	ADD   R10<<2, R2, R15
	VLD1R (R15), [V20.S4]
	ADD   R10<<2, R3, R15
	VLD1R (R15), [V21.S4]
	ADD   R10<<2, R12, R15
	VLD1R (R15), [V22.S4]
	ADD   R10<<2, R13, R15
	VLD1R (R15), [V23.S4]
	ZERO(V0)
	ZERO(V1)
	ZERO(V2)
	ZERO(V3)
	ZERO(V4)
	ZERO(V5)
	ZERO(V6)
	ZERO(V7)

	ADD $1, R10, R8
	AND $~15, R8, R8
	ADD R8<<2, R0, R19
	ADD R8<<2, R1, R20
	ADD R8<<2, R2, R21
	ADD R8<<2, R3, R22
	ADD R8<<2, R4, R23
	ADD R8<<2, R5, R24

block:
	CMP R7, R8
	BGE reduce
	ADD $16, R8, R15
	CMP R7, R15
	BGT edge
	CMP R10, R8
	BLE edge

	PAIRS(0, 0, 4, 8, 29)
	PAIRS(16, 1, 5, 9, 29)
	PAIRS(32, 2, 6, 10, 29)
	PAIRS(48, 3, 7, 11, 29)

next:
	ADD $64, R19
	ADD $64, R20
	ADD $64, R21
	ADD $64, R22
	ADD $64, R23
	ADD $64, R24
	ADD $16, R8
	B   block

edge:
	EDGE(0)
	PAIRS(0, 0, 4, 8, 31)
	EDGE(4)
	PAIRS(16, 1, 5, 9, 31)
	EDGE(8)
	PAIRS(32, 2, 6, 10, 31)
	EDGE(12)
	PAIRS(48, 3, 7, 11, 31)
	B next

reduce:
	// Sums of 16 lanes: l + l+8, l + l+4, l + l+2, l + l+1.
	FADDS4(2, 0, 0)
	FADDS4(3, 1, 1)
	FADDS4(6, 4, 4)
	FADDS4(7, 5, 5)
	FADDS4(1, 0, 0)
	FADDS4(5, 4, 4)
	VEXT  $8, V0.B16, V0.B16, V1.B16
	VEXT  $8, V4.B16, V4.B16, V5.B16
	FADDS4(1, 0, 0)
	FADDS4(5, 4, 4)
	FADDPS(0, 0)
	FADDPS(4, 4)
	ADD   R10<<2, R0, R15
	FMOVS (R15), F12
	FSUBS F0, F12, F12
	FMOVS F12, (R15)
	ADD   R10<<2, R1, R15
	FMOVS (R15), F13
	FADDS F4, F13, F13
	FMOVS F13, (R15)
	ADD   $1, R10
	B     document

done:
	FSTPQ (F8, F9), (R14)
	FSTPQ (F10, F11), 32(R14)
	RET
