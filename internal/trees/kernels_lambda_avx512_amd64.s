//go:build !purego

#include "go_asm.h"
#include "textflag.h"

// Pairs of ranks for AVX-512: one document against 16 lower ones at a time.

DATA lambdaSign<>+0(SB)/4, $0x80000000
GLOBL lambdaSign<>(SB), RODATA|NOPTR, $4

// LOG_TERM adds the coefficient of the logarithm at the offset k to the polynomial in Z18 and
// multiplies it by x, in Z16.
#define LOG_TERM(k) \
	VADDPS.BCST ·lambdaLog+k(SB), Z18, Z18; \
	VMULPS      Z16, Z18, Z18

// LAMBDA_REDUCE sums the 16 lanes of Z9 and of Z10: l + l+8, l + l+4, l + l+2, l + l+1.
#define LAMBDA_REDUCE \
	VEXTRACTF32X8 $1, Z9, Y12;    \
	VEXTRACTF32X8 $1, Z10, Y13;   \
	VADDPS        Y12, Y9, Y9;    \
	VADDPS        Y13, Y10, Y10;  \
	VEXTRACTF128  $1, Y9, X12;    \
	VEXTRACTF128  $1, Y10, X13;   \
	VADDPS        X12, X9, X9;    \
	VADDPS        X13, X10, X10;  \
	VPERMILPS     $0x0e, X9, X12; \
	VPERMILPS     $0x0e, X10, X13; \
	VADDPS        X12, X9, X9;    \
	VADDPS        X13, X10, X10;  \
	VPERMILPS     $1, X9, X12;    \
	VPERMILPS     $1, X10, X13;   \
	VADDSS        X12, X9, X9;    \
	VADDSS        X13, X10, X10

// func lambdaF32AVX512(grad, hess []float32, docs *LambdaDocs, from, to int, lanes *[16]float32)
//
// Requires: AVX512F, AVX512DQ
//
// Registers: see lambda_avx512_amd64.h. The first vector of i begins at a multiple of 16 and masks
// the lanes up to i; the last one masks those from N on, which the slices hold but do not mean.
TEXT ·lambdaF32AVX512(SB), NOSPLIT, $0-80
#include "lambda_avx512_amd64.h"
	VZEROUPPER
	RET

#define UNBIASED

// func lambdaUnbiasedF32AVX512(grad, hess []float32, docs *LambdaDocs, from, to int, lanes *[16]float32)
//
// Requires: AVX512F, AVX512DQ
//
// Registers: see lambda_avx512_amd64.h. Vectors are masked as in lambdaF32AVX512.
TEXT ·lambdaUnbiasedF32AVX512(SB), NOSPLIT, $0-80
#include "lambda_avx512_amd64.h"
	VZEROUPPER
	RET
