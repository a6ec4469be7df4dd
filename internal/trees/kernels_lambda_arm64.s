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
	BIC16(13, mask, 13)             \
	UNBIAS(off)                     \
	FADDS4(27, 15, 16)              \
	FDIVS4(16, 27, 16)              \
	FMULS4(16, 15, 15)              \
	FMULS4(15, 12, 15)              \
	FMULS4(16, 12, 12)              \
	FMULS4(16, 15, 16)              \
	VBIT  V14.B16, V15.B16, V12.B16 \
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

// LOG_TERM adds the coefficient of the logarithm at the offset k to the polynomial in V18 and
// multiplies it by x, in V15. It uses V17.
#define LOG_TERM(k) \
	FMOVQ k(R25), F17               \
	FADDS4(17, 18, 18)              \
	FMULS4(15, 18, 18)

// LOSSES takes w in V12, x in V15, the lanes where i is better in V14 and the pairs in V13. It adds
// the losses to those of i and of 4 lower documents, at the offset off in bytes, and multiplies w
// by the factors of both: first w·loss in V18, a, of i, in V19 and b, of j, in V16.
#define LOSSES(off) \
	FMOVQ 112(R25), F18             \
	FMULS4(15, 18, 18)              \
	LOG_TERM(96)                    \
	LOG_TERM(80)                    \
	LOG_TERM(64)                    \
	LOG_TERM(48)                    \
	LOG_TERM(32)                    \
	LOG_TERM(16)                    \
	LOG_TERM(0)                     \
	FMOVQ off(R21), F17             \
	FSUBS4(17, 20, 17)              \
	FMOVQ 128(R26), F16             \
	FMULS4(16, 17, 17)              \
	FMOVQ 144(R26), F16             \
	FMINNMS4(16, 17, 17)            \
	BIC16(14, 17, 17)               \
	FADDS4(17, 18, 18)              \
	FMULS4(18, 12, 18)              \
	MOVD  LambdaDocs_Plus(R6), R9   \
	ADD   R8<<2, R9, R9             \
	FMOVQ off(R9), F16              \
	MOVD  LambdaDocs_Minus(R6), R9  \
	ADD   R8<<2, R9, R9             \
	FMOVQ off(R9), F17              \
	VBIT  V14.B16, V17.B16, V16.B16 \
	FMOVQ 176(R26), F19             \
	FMOVQ 160(R26), F17             \
	VBIT  V14.B16, V17.B16, V19.B16 \
	FMULS4(16, 18, 17)              \
	FMULS4(19, 18, 18)              \
	FMULS4(16, 19, 19)              \
	FMULS4(19, 12, 12)              \
	VAND  V13.B16, V17.B16, V17.B16 \
	VAND  V13.B16, V18.B16, V18.B16 \
	VAND  V14.B16, V17.B16, V16.B16 \
	FMOVQ (0+off)(R26), F19         \
	FADDS4(16, 19, 19)              \
	FMOVQ F19, (0+off)(R26)         \
	BIC16(14, 17, 16)               \
	FMOVQ (64+off)(R26), F19        \
	FADDS4(16, 19, 19)              \
	FMOVQ F19, (64+off)(R26)        \
	BIC16(14, 18, 16)               \
	MOVD  LambdaDocs_PlusLoss(R6), R9 \
	ADD   R8<<2, R9, R9             \
	FMOVQ off(R9), F19              \
	FADDS4(16, 19, 19)              \
	FMOVQ F19, off(R9)              \
	VAND  V14.B16, V18.B16, V16.B16 \
	MOVD  LambdaDocs_MinusLoss(R6), R9 \
	ADD   R8<<2, R9, R9             \
	FMOVQ off(R9), F19              \
	FADDS4(16, 19, 19)              \
	FMOVQ F19, off(R9)

#define UNBIAS(off)

// LAMBDA_REDUCE sums the 16 lanes of V0 to V3 and those of V4 to V7 to F0 and F4: l + l+8, l + l+4,
// l + l+2, l + l+1.
#define LAMBDA_REDUCE \
	FADDS4(2, 0, 0)                   \
	FADDS4(3, 1, 1)                   \
	FADDS4(6, 4, 4)                   \
	FADDS4(7, 5, 5)                   \
	FADDS4(1, 0, 0)                   \
	FADDS4(5, 4, 4)                   \
	VEXT  $8, V0.B16, V0.B16, V1.B16 \
	VEXT  $8, V4.B16, V4.B16, V5.B16 \
	FADDS4(1, 0, 0)                   \
	FADDS4(5, 4, 4)                   \
	FADDPS(0, 0)                      \
	FADDPS(4, 4)

#define ZERO(V) VEOR V.B16, V.B16, V.B16

// func lambdaF32NEON(grad, hess []float32, docs *LambdaDocs, from, to int, lanes *[16]float32)
//
// Requires: NEON
//
// Registers: see lambda_arm64.h. Vectors at the edges are masked: what the slices hold from N on is
// not meant. fminnm takes the limit where a difference of gains is NaN, as the reference does.
TEXT ·lambdaF32NEON(SB), NOSPLIT, $0-80
#include "lambda_arm64.h"
	RET

#define UNBIASED
#undef UNBIAS
#define UNBIAS(off) LOSSES(off)

// func lambdaUnbiasedF32NEON(grad, hess []float32, docs *LambdaDocs, from, to int, lanes *[16]float32)
//
// Requires: NEON
//
// Registers: see lambda_arm64.h. Vectors are masked as in lambdaF32NEON.
TEXT ·lambdaUnbiasedF32NEON(SB), NOSPLIT, $192-80
#include "lambda_arm64.h"
	RET
