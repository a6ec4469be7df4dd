//go:build !purego

#include "go_asm.h"
#include "textflag.h"
#include "neon_arm64.h"

// Pairs of ranks for NEON: one document i against 16 lower documents j at a time, in four vectors.
// The macros use the names of lambda_arm64.h; off is 0, 16, 32 or 48, for the vector.

// V31 = the lanes of documents j+first to j+first+3 that are from i+1 to N−1. It uses R15, V12, V13
// and V30.
#define EDGE(first) \
	MOVD $github·com∕simdrank∕simdrank∕internal∕kern·Iota(SB), R15; FMOVQ (R15), F30 \
	ADD $first, j, R15; VDUP R15, V12.S4; VADD V30.S4, V12.S4, V12.S4                \
	VDUP i, V13.S4; CMGTS4(13, 12, 31)                                               \
	VDUP n, V13.S4; CMGTS4(12, 13, 13); VAND V13.B16, V31.B16, V31.B16

// V13 = (gain[i] == gain[j]); better = gain[i] > gain[j]; w = min(|gain[i] − gain[j]|, Limit),
// Limit for NaN: fminnm returns the number of the two, as the reference does.
#define GAINS(off) \
	FMOVQ off(gainJ), F12; FCMEQS4(12, gainI, 13); FCMGTS4(12, gainI, 14) \
	FABDS4(12, gainI, w); FMINNMS4(limit, w, w)

// w = w·|U[i] + V[j]| / (Base + Slope·(score[i] − score[j])).
#define WEIGHT(off) \
	FMOVQ off(vJ), F15; FADDS4(15, uI, 15); FABSS4(15, 15); FMULS4(15, w, w)                    \
	FMOVQ off(scoreJ), F15; FSUBS4(15, scoreI, 15); FMULS4(slope, 15, 15); FADDS4(15, base, 15) \
	FDIVS4(15, w, w)

// r = 1/(1+x), q = x·r; h = (w·q)·r, in V16; λ = w·q if better, else w·r, in V12; both 0
// except in pairs.
#define DERIVATIVES \
	FADDS4(one, x, 16); FDIVS4(16, one, 16); FMULS4(16, x, 15) \
	FMULS4(15, w, 15); FMULS4(16, w, 12); FMULS4(16, 15, 16)   \
	VBIT better.B16, V15.B16, V12.B16; VAND pairs.B16, V12.B16, V12.B16; VAND pairs.B16, V16.B16, V16.B16

// lanes, in sums, += λ, then λ = −λ unless better; sumG and grad[j] += λ; sumH and hess[j] += h.
#define ACCUMULATE(off, sumG, sumH, sums) \
	FADDS4(12, sums, sums); BIC16(14, sign, 14); VEOR V14.B16, V12.B16, V12.B16          \
	FADDS4(12, sumG, sumG); FADDS4(16, sumH, sumH)                                       \
	FMOVQ off(gradJ), F17; FMOVQ off(hessJ), F18; FADDS4(12, 17, 17); FADDS4(16, 18, 18) \
	FMOVQ F17, off(gradJ); FMOVQ F18, off(hessJ)

// Adds the pairs of i and four documents j; x = E[i]·F[j]; pairs = mask & unequal gains.
#define PAIRS(off, sumG, sumH, sums, mask) \
	GAINS(off); WEIGHT(off); FMOVQ off(fJ), F15; FMULS4(eI, 15, x); BIC16(13, mask, 13) \
	UNBIAS(off); DERIVATIVES; ACCUMULATE(off, sumG, sumH, sums)

// V18 = (V18 + c)·x, c the coefficient of ln(1+x) at the offset k. It uses V17.
#define LOG_TERM(k) \
	FMOVQ k(logs), F17; FADDS4(17, 18, 18); FMULS4(x, 18, 18)

// The loss, in V18: w·(ln(1+x) + (0 if better, else min(σ·(score[i] − score[j]), largest))).
#define LOSS(off) \
	FMOVQ 112(logs), F18; FMULS4(x, 18, 18)                                                         \
	LOG_TERM(96); LOG_TERM(80); LOG_TERM(64); LOG_TERM(48); LOG_TERM(32); LOG_TERM(16); LOG_TERM(0) \
	FMOVQ off(scoreJ), F17; FSUBS4(17, scoreI, 17); FMOVQ SIGMA, F16; FMULS4(16, 17, 17)            \
	FMOVQ LARGEST, F16; FMINNMS4(16, 17, 17); BIC16(14, 17, 17)                                     \
	FADDS4(17, 18, 18); FMULS4(18, w, 18)

// R9 = the address of element j of a slice of docs.
#define AT_J(slice) \
	MOVD slice(query), R9; ADD j<<2, R9, R9

// V17 = loss·b, V18 = loss·a and w = w·(a·b), the losses 0 except in pairs; a = Plus[i] and
// b = Minus[j] if better, else Minus[i] and Plus[j], in V19 and V16.
#define FACTORS(off) \
	AT_J(LambdaDocs_Plus); FMOVQ off(R9), F16                                     \
	AT_J(LambdaDocs_Minus); FMOVQ off(R9), F17; VBIT better.B16, V17.B16, V16.B16 \
	FMOVQ MINUS_I, F19; FMOVQ PLUS_I, F17; VBIT better.B16, V17.B16, V19.B16      \
	FMULS4(16, 18, 17); FMULS4(19, 18, 18); FMULS4(16, 19, 19); FMULS4(19, w, w)  \
	VAND pairs.B16, V17.B16, V17.B16; VAND pairs.B16, V18.B16, V18.B16

// Adds the losses of i and four documents j, and multiplies w by the factors of both. A loss
// goes to Plus of the better document, and to Minus of the other one.
#define LOSSES(off) \
	LOSS(off); FACTORS(off)                                                                                    \
	VAND V14.B16, V17.B16, V16.B16; FMOVQ (0+off)(losses), F19; FADDS4(16, 19, 19); FMOVQ F19, (0+off)(losses) \
	BIC16(14, 17, 16); FMOVQ (64+off)(losses), F19; FADDS4(16, 19, 19); FMOVQ F19, (64+off)(losses)            \
	BIC16(14, 18, 16); AT_J(LambdaDocs_PlusLoss); FMOVQ off(R9), F19; FADDS4(16, 19, 19); FMOVQ F19, off(R9)   \
	VAND V14.B16, V18.B16, V16.B16; AT_J(LambdaDocs_MinusLoss)                                                 \
	FMOVQ off(R9), F19; FADDS4(16, 19, 19); FMOVQ F19, off(R9)

// Reduces the 16 lanes of V0 to V3 to F0, and of V4 to V7 to F4: l + l+8, l + l+4, l + l+2,
// l + l+1.
#define REDUCE \
	FADDS4(2, 0, 0); FADDS4(3, 1, 1); FADDS4(6, 4, 4); FADDS4(7, 5, 5); FADDS4(1, 0, 0); FADDS4(5, 4, 4) \
	VEXT $8, V0.B16, V0.B16, V1.B16; VEXT $8, V4.B16, V4.B16, V5.B16; FADDS4(1, 0, 0); FADDS4(5, 4, 4)   \
	FADDPS(0, 0); FADDPS(4, 4)

// func lambdaF32NEON(grad, hess []float32, docs *LambdaDocs, from, to int, lanes *[16]float32)
//
// Requires: NEON
//
// Vectors at the edges are masked: the elements of the slices from N on have no meaning.
//
// Registers: see lambda_arm64.h.
TEXT ·lambdaF32NEON(SB), NOSPLIT, $0-80
#define UNBIAS(off)
#include "lambda_arm64.h"
	RET
#undef UNBIAS

// func lambdaUnbiasedF32NEON(grad, hess []float32, docs *LambdaDocs, from, to int, lanes *[16]float32)
//
// Requires: NEON
//
// Vectors are masked as in lambdaF32NEON.
//
// Registers: see lambda_arm64.h.
TEXT ·lambdaUnbiasedF32NEON(SB), NOSPLIT, $192-80
#define UNBIASED
#define UNBIAS(off) LOSSES(off)
#include "lambda_arm64.h"
	RET
#undef UNBIASED
#undef UNBIAS
