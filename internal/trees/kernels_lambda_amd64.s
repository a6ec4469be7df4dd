//go:build !purego

#include "go_asm.h"
#include "textflag.h"

// These kernels process the pairs of a document i and 16 lower documents j at a time, in two
// halves. The macros use the names of lambda_amd64.h. off is 0 for the first half and 32 for the
// second.

DATA lambdaAbs8<>+0(SB)/8, $0x7fffffff7fffffff; DATA lambdaAbs8<>+8(SB)/8, $0x7fffffff7fffffff
DATA lambdaAbs8<>+16(SB)/8, $0x7fffffff7fffffff; DATA lambdaAbs8<>+24(SB)/8, $0x7fffffff7fffffff
GLOBL lambdaAbs8<>(SB), RODATA|NOPTR, $32
DATA lambdaSign8<>+0(SB)/8, $0x8000000080000000; DATA lambdaSign8<>+8(SB)/8, $0x8000000080000000
DATA lambdaSign8<>+16(SB)/8, $0x8000000080000000; DATA lambdaSign8<>+24(SB)/8, $0x8000000080000000
GLOBL lambdaSign8<>(SB), RODATA|NOPTR, $32

// CLAMP computes AX = −min(max(AX − j − first, 0), 8). It uses CX.
#define CLAMP(first) \
	SUBQ j, AX; SUBQ $first, AX;               \
	XORL CX, CX; TESTQ AX, AX; CMOVQLT CX, AX; \
	MOVL $8, CX; CMPQ AX, CX; CMOVQGT CX, AX; NEGQ AX

// EDGE sets mask to the lanes of documents j+first to j+first+7 that are from i to N−1, where i has
// already been incremented. It uses AX, CX and Y10.
#define EDGE(first) \
	MOVQ i, AX; CLAMP(first);                                                                   \
	LEAQ github·com∕simdrank∕simdrank∕internal∕kern·Masks+32(SB), CX; VMOVDQU (CX)(AX*4), mask; \
	MOVQ LambdaDocs_N(query), AX; CLAMP(first);                                                 \
	LEAQ github·com∕simdrank∕simdrank∕internal∕kern·Masks+96(SB), CX; VMOVDQU (CX)(AX*4), Y10;  \
	VPAND Y10, mask, mask

// GAINS computes mask &= gain[i] ≠ gain[j], better = gain[i] > gain[j], and w = min(|gain[i] −
// gain[j]|, Limit), which is Limit for a NaN.
#define GAINS(off) \
	VMOVUPS      off(gain)(j*4), w;                          \
	VCMPPS       $4, w, gainI, Y11; VANDPS Y11, mask, mask;  \
	VCMPPS       $30, w, gainI, better;                      \
	VSUBPS       w, gainI, w; VANDPS lambdaAbs8<>(SB), w, w; \
	VBROADCASTSS LambdaDocs_Limit(query), Y11; VMINPS Y11, w, w

// WEIGHT computes w = w·|u[i] + v[j]| / (Base + Slope·(score[i] − score[j])).
#define WEIGHT(off) \
	VADDPS       off(v)(j*4), uI, Y11; VANDPS lambdaAbs8<>(SB), Y11, Y11; VMULPS Y11, w, w; \
	VSUBPS       off(score)(j*4), scoreI, Y11;                                              \
	VBROADCASTSS LambdaDocs_Slope(query), Y12; VMULPS Y12, Y11, Y11;                        \
	VBROADCASTSS LambdaDocs_Base(query), Y12; VADDPS Y11, Y12, Y11;                         \
	VDIVPS       Y11, w, w

// DERIVATIVES computes r = 1/(1+x) and q = x·r. Y13 becomes h = (w·q)·r, and Y10 becomes λ = w·q if
// better, else w·r. Both are 0 outside of mask.
#define DERIVATIVES \
	VADDPS    x, one, Y12; VDIVPS Y12, one, Y12; VMULPS Y12, x, x; \
	VMULPS    x, w, Y11; VMULPS Y12, Y11, Y13; VMULPS Y12, w, Y10; \
	VBLENDVPS better, Y11, Y10, Y10; VANDPS mask, Y10, Y10; VANDPS mask, Y13, Y13

// ACCUMULATE adds λ to the lanes and h to sumH and hess[j]. Then it negates λ unless better, and
// adds it to sumG and grad[j].
#define ACCUMULATE(off, sumG, sumH) \
	VADDPS  off(lane), Y10, Y14; VMOVUPS Y14, off(lane);               \
	VANDNPS lambdaSign8<>(SB), better, Y14; VXORPS Y14, Y10, Y10;      \
	VADDPS  Y10, sumG, sumG; VADDPS Y13, sumH, sumH;                   \
	VADDPS  off(grad)(j*4), Y10, Y10; VADDPS off(hess)(j*4), Y13, Y13; \
	VMOVUPS Y10, off(grad)(j*4); VMOVUPS Y13, off(hess)(j*4)

// PAIRS adds the pairs of i and eight documents j in mask, where x = e[i]·f[j].
#define PAIRS(off, sumG, sumH) \
	GAINS(off); WEIGHT(off); VMULPS off(f)(j*4), eI, x; \
	UNBIAS(off); DERIVATIVES; ACCUMULATE(off, sumG, sumH)

// LOG_TERM computes Y13 = (Y13 + c)·x, where c is the coefficient of ln(1+x) at offset k. It uses
// Y14.
#define LOG_TERM(k) \
	VBROADCASTSS ·lambdaLog+k(SB), Y14; VADDPS Y14, Y13, Y13; VMULPS x, Y13, Y13

// LOSS sets Y13 to the loss: w·(ln(1+x) + (0 if better, else min(σ·(score[i] − score[j]),
// largest))).
#define LOSS(off) \
	VBROADCASTSS ·lambdaLog+112(SB), Y13; VMULPS x, Y13, Y13;                                        \
	LOG_TERM(96); LOG_TERM(80); LOG_TERM(64); LOG_TERM(48); LOG_TERM(32); LOG_TERM(16); LOG_TERM(0); \
	VSUBPS       off(score)(j*4), scoreI, Y14; VMULPS sigma-160(SP), Y14, Y14;                       \
	VMINPS       largest-128(SP), Y14, Y14; VANDNPS Y14, better, Y14;                                \
	VADDPS       Y14, Y13, Y13; VMULPS Y13, w, Y13

// LOSS_OF_I sets Y14 to b = minus[j] if better, else plus[j]. It adds loss·b to sumPlus if better,
// else to sumMinus. It uses AX, Y4 and Y12.
#define LOSS_OF_I(off) \
	MOVQ    LambdaDocs_Plus(query), AX; VMOVUPS off(AX)(j*4), Y14;                 \
	MOVQ    LambdaDocs_Minus(query), AX; VBLENDVPS better, off(AX)(j*4), Y14, Y14; \
	VMULPS  Y14, Y13, Y4; VANDPS mask, Y4, Y4; VANDPS better, Y4, Y12;             \
	VADDPS  sumPlus+(off-288)(SP), Y12, Y12; VMOVUPS Y12, sumPlus+(off-288)(SP);   \
	VANDNPS Y4, better, Y12;                                                       \
	VADDPS  sumMinus+(off-224)(SP), Y12, Y12; VMOVUPS Y12, sumMinus+(off-224)(SP)

// LOSS_OF_J computes a = plus[i] if better, else minus[i], and w = w·(a·b). It adds loss·a to
// minusLoss[j] if better, else to plusLoss[j]. It uses AX and Y12 to Y14.
#define LOSS_OF_J(off) \
	VMOVUPS minusI-64(SP), Y12; VBLENDVPS better, plusI-96(SP), Y12, Y12; \
	VMULPS  Y12, Y13, Y13; VANDPS mask, Y13, Y13;                         \
	VMULPS  Y14, Y12, Y12; VMULPS Y12, w, w;                              \
	MOVQ    LambdaDocs_PlusLoss(query), AX; VANDNPS Y13, better, Y12;     \
	VADDPS  off(AX)(j*4), Y12, Y12; VMOVUPS Y12, off(AX)(j*4);            \
	MOVQ    LambdaDocs_MinusLoss(query), AX; VANDPS better, Y13, Y12;     \
	VADDPS  off(AX)(j*4), Y12, Y12; VMOVUPS Y12, off(AX)(j*4)

// LOSSES adds the losses of i and eight documents j, and multiplies w by the factors of both.
#define LOSSES(off) \
	LOSS(off); LOSS_OF_I(off); LOSS_OF_J(off); VMOVUPS ones-32(SP), one

// REDUCE sums the 16 lanes of Y5 and Y6 to X5, and of Y7 and Y8 to X7. It adds lanes 8, then 4, 2
// and 1 apart.
#define REDUCE \
	VADDPS       Y6, Y5, Y5; VADDPS Y8, Y7, Y7;                                                \
	VEXTRACTF128 $1, Y5, X6; VEXTRACTF128 $1, Y7, X8; VADDPS X6, X5, X5; VADDPS X8, X7, X7;    \
	VPERMILPS    $0x0e, X5, X6; VPERMILPS $0x0e, X7, X8; VADDPS X6, X5, X5; VADDPS X8, X7, X7; \
	VPERMILPS    $1, X5, X6; VPERMILPS $1, X7, X8; VADDSS X6, X5, X5; VADDSS X8, X7, X7

// func lambdaF32AVX2(grad, hess []float32, docs *LambdaDocs, from, to int, lanes *[16]float32)
//
// Requires: AVX2
//
// Vectors at the edges are masked, because elements of the slices from N on are undefined.
//
// Registers: see lambda_amd64.h.
TEXT ·lambdaF32AVX2(SB), NOSPLIT, $0-80
#define UNBIAS(off)
#include "lambda_amd64.h"
	VZEROUPPER
	RET
#undef UNBIAS

// func lambdaUnbiasedF32AVX2(grad, hess []float32, docs *LambdaDocs, from, to int, lanes *[16]float32)
//
// Requires: AVX2
//
// Vectors are masked as in lambdaF32AVX2.
//
// Registers: see lambda_amd64.h.
TEXT ·lambdaUnbiasedF32AVX2(SB), NOSPLIT, $288-80
#define UNBIASED
#define UNBIAS(off) LOSSES(off)
#include "lambda_amd64.h"
	VZEROUPPER
	RET
#undef UNBIASED
#undef UNBIAS
