//go:build !purego

#include "go_asm.h"
#include "textflag.h"

// These kernels process the pairs of a document i and 16 lower documents j at a time.

DATA lambdaSign<>+0(SB)/4, $0x80000000
GLOBL lambdaSign<>(SB), RODATA|NOPTR, $4

// func lambdaF32AVX512(grad, hess []float32, docs *LambdaDocs, from, to int, lanes *[16]float32)
//
// Requires: AVX512F, AVX512DQ
//
// The first vector of i begins at a multiple of 16, with the lanes up to i masked. In the last
// vector, the lanes from N on are masked, because these elements are undefined.
//
// Registers: see lambda_avx512_amd64.h.
TEXT ·lambdaF32AVX512(SB), NOSPLIT, $0-80
#include "lambda_avx512_amd64.h"
	VZEROUPPER
	RET

// func lambdaUnbiasedF32AVX512(grad, hess []float32, docs *LambdaDocs, from, to int, lanes *[16]float32)
//
// Requires: AVX512F, AVX512DQ
//
// Vectors are masked as in lambdaF32AVX512.
//
// Registers: see lambda_avx512_amd64.h.
TEXT ·lambdaUnbiasedF32AVX512(SB), NOSPLIT, $0-80
#define UNBIASED
#include "lambda_avx512_amd64.h"
	VZEROUPPER
	RET
#undef UNBIASED
