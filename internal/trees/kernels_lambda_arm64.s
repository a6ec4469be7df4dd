//go:build !purego

#include "go_asm.h"
#include "textflag.h"
#include "neon_arm64.h"

// These kernels process the pairs of a document i and 16 lower documents j at a time, in four
// vectors. The macros use the names of lambda_arm64.h. off is 0, 16, 32 or 48, for the vector.

// EDGE sets V31 to the lanes of documents j+first to j+first+3 that are from i+1 to N−1. It uses
// R15, V12, V13 and V30.
#define EDGE(first) \
	MOVD $github·com∕simdrank∕simdrank∕internal∕kern·Iota(SB), R15; FMOVQ (R15), F30 \
	ADD $first, j, R15; VDUP R15, V12.S4; VADD V30.S4, V12.S4, V12.S4                \
	VDUP i, V13.S4; CMGTS4(13, 12, 31)                                               \
	VDUP n, V13.S4; CMGTS4(12, 13, 13); VAND V13.B16, V31.B16, V31.B16

// GAINS computes V13 = (gain[i] == gain[j]), better = gain[i] > gain[j], and w = min(|gain[i] −
// gain[j]|, Limit). For a NaN, w is Limit as in the reference, because fminnm returns the operand
// that is a number.
#define GAINS(off) \
	FMOVQ off(gainJ), F12; FCMEQS4(12, gainI, 13); FCMGTS4(12, gainI, 14) \
	FABDS4(12, gainI, w); FMINNMS4(limit, w, w)

// WEIGHT computes w = w·|U[i] + V[j]| / (Base + Slope·(score[i] − score[j])).
#define WEIGHT(off) \
	FMOVQ off(vJ), F15; FADDS4(15, uI, 15); FABSS4(15, 15); FMULS4(15, w, w)                    \
	FMOVQ off(scoreJ), F15; FSUBS4(15, scoreI, 15); FMULS4(slope, 15, 15); FADDS4(15, base, 15) \
	FDIVS4(15, w, w)

// DERIVATIVES computes r = 1/(1+x) and q = x·r. V16 becomes h = (w·q)·r, and V12 becomes λ = w·q if
// better, else w·r. Both are 0 outside of pairs.
#define DERIVATIVES \
	FADDS4(one, x, 16); FDIVS4(16, one, 16); FMULS4(16, x, 15) \
	FMULS4(15, w, 15); FMULS4(16, w, 12); FMULS4(16, 15, 16)   \
	VBIT better.B16, V15.B16, V12.B16; VAND pairs.B16, V12.B16, V12.B16; VAND pairs.B16, V16.B16, V16.B16

// ACCUMULATE adds λ to the lanes in sums, and h to sumH and hess[j]. Then it negates λ unless
// better, and adds it to sumG and grad[j].
#define ACCUMULATE(off, sumG, sumH, sums) \
	FADDS4(12, sums, sums); BIC16(14, sign, 14); VEOR V14.B16, V12.B16, V12.B16          \
	FADDS4(12, sumG, sumG); FADDS4(16, sumH, sumH)                                       \
	FMOVQ off(gradJ), F17; FMOVQ off(hessJ), F18; FADDS4(12, 17, 17); FADDS4(16, 18, 18) \
	FMOVQ F17, off(gradJ); FMOVQ F18, off(hessJ)

// PAIRS adds the pairs of i and four documents j, where x = E[i]·F[j] and pairs = mask & unequal
// gains.
#define PAIRS(off, sumG, sumH, sums, mask) \
	GAINS(off); WEIGHT(off); FMOVQ off(fJ), F15; FMULS4(eI, 15, x); BIC16(13, mask, 13) \
	UNBIAS(off); DERIVATIVES; ACCUMULATE(off, sumG, sumH, sums)

// LOG_TERM computes V18 = (V18 + c)·x, where c is the coefficient of ln(1+x) at offset k. It uses
// V17.
#define LOG_TERM(k) \
	FMOVQ k(logs), F17; FADDS4(17, 18, 18); FMULS4(x, 18, 18)

// LOSS sets V18 to the loss: w·(ln(1+x) + (0 if better, else min(σ·(score[i] − score[j]),
// largest))).
#define LOSS(off) \
	FMOVQ 112(logs), F18; FMULS4(x, 18, 18)                                                         \
	LOG_TERM(96); LOG_TERM(80); LOG_TERM(64); LOG_TERM(48); LOG_TERM(32); LOG_TERM(16); LOG_TERM(0) \
	FMOVQ off(scoreJ), F17; FSUBS4(17, scoreI, 17); FMOVQ SIGMA, F16; FMULS4(16, 17, 17)            \
	FMOVQ LARGEST, F16; FMINNMS4(16, 17, 17); BIC16(14, 17, 17)                                     \
	FADDS4(17, 18, 18); FMULS4(18, w, 18)

// AT_J sets R9 to the address of element j of a slice of docs.
#define AT_J(slice) \
	MOVD slice(query), R9; ADD j<<2, R9, R9

// FACTORS sets V19 to a and V16 to b, where a = Plus[i] and b = Minus[j] if better, else a =
// Minus[i] and b = Plus[j]. It computes V17 = loss·b and V18 = loss·a, which are 0 outside of
// pairs, and w = w·(a·b).
#define FACTORS(off) \
	AT_J(LambdaDocs_Plus); FMOVQ off(R9), F16                                     \
	AT_J(LambdaDocs_Minus); FMOVQ off(R9), F17; VBIT better.B16, V17.B16, V16.B16 \
	FMOVQ MINUS_I, F19; FMOVQ PLUS_I, F17; VBIT better.B16, V17.B16, V19.B16      \
	FMULS4(16, 18, 17); FMULS4(19, 18, 18); FMULS4(16, 19, 19); FMULS4(19, w, w)  \
	VAND pairs.B16, V17.B16, V17.B16; VAND pairs.B16, V18.B16, V18.B16

// LOSSES adds the losses of i and four documents j, and multiplies w by the factors of both. A loss
// is added to Plus of the better document and to Minus of the other one.
#define LOSSES(off) \
	LOSS(off); FACTORS(off)                                                                                    \
	VAND V14.B16, V17.B16, V16.B16; FMOVQ (0+off)(losses), F19; FADDS4(16, 19, 19); FMOVQ F19, (0+off)(losses) \
	BIC16(14, 17, 16); FMOVQ (64+off)(losses), F19; FADDS4(16, 19, 19); FMOVQ F19, (64+off)(losses)            \
	BIC16(14, 18, 16); AT_J(LambdaDocs_PlusLoss); FMOVQ off(R9), F19; FADDS4(16, 19, 19); FMOVQ F19, off(R9)   \
	VAND V14.B16, V18.B16, V16.B16; AT_J(LambdaDocs_MinusLoss)                                                 \
	FMOVQ off(R9), F19; FADDS4(16, 19, 19); FMOVQ F19, off(R9)

// REDUCE sums the 16 lanes of V0 to V3 to F0, and of V4 to V7 to F4. It adds lanes 8, then 4, 2 and
// 1 apart.
#define REDUCE \
	FADDS4(2, 0, 0); FADDS4(3, 1, 1); FADDS4(6, 4, 4); FADDS4(7, 5, 5); FADDS4(1, 0, 0); FADDS4(5, 4, 4) \
	VEXT $8, V0.B16, V0.B16, V1.B16; VEXT $8, V4.B16, V4.B16, V5.B16; FADDS4(1, 0, 0); FADDS4(5, 4, 4)   \
	FADDPS(0, 0); FADDPS(4, 4)

// func lambdaF32NEON(grad, hess []float32, docs *LambdaDocs, from, to int, lanes *[16]float32)
//
// Requires: NEON
//
// Vectors at the edges are masked, because elements of the slices from N on are undefined.
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
