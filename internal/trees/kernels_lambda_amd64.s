//go:build !purego

#include "go_asm.h"
#include "textflag.h"

// Pairs of ranks for AVX2: one document against 16 lower ones at a time, in two halves.

DATA lambdaAbs8<>+0(SB)/8, $0x7fffffff7fffffff
DATA lambdaAbs8<>+8(SB)/8, $0x7fffffff7fffffff
DATA lambdaAbs8<>+16(SB)/8, $0x7fffffff7fffffff
DATA lambdaAbs8<>+24(SB)/8, $0x7fffffff7fffffff
GLOBL lambdaAbs8<>(SB), RODATA|NOPTR, $32
DATA lambdaSign8<>+0(SB)/8, $0x8000000080000000
DATA lambdaSign8<>+8(SB)/8, $0x8000000080000000
DATA lambdaSign8<>+16(SB)/8, $0x8000000080000000
DATA lambdaSign8<>+24(SB)/8, $0x8000000080000000
GLOBL lambdaSign8<>(SB), RODATA|NOPTR, $32

// CLAMP brings r to 0 … 8. It uses CX.
#define CLAMP(r) \
	XORL    CX, CX; \
	TESTQ   r, r; \
	CMOVQLT CX, r; \
	MOVL    $8, CX; \
	CMPQ    r, CX; \
	CMOVQGT CX, r

// EDGE sets Y9 to the lanes of the 8 from BX+first on that lie from R12 (i+1) to N−1. It uses AX,
// CX and Y10.
#define EDGE(first) \
	MOVQ    R12, AX; \
	SUBQ    BX, AX; \
	SUBQ    $first, AX; \
	CLAMP(AX); \
	NEGQ    AX; \
	LEAQ    github·com∕simdrank∕simdrank∕internal∕kern·Masks+32(SB), CX; \
	VMOVDQU (CX)(AX*4), Y9; \
	MOVQ    LambdaDocs_N(DX), AX; \
	SUBQ    BX, AX; \
	SUBQ    $first, AX; \
	CLAMP(AX); \
	NEGQ    AX; \
	LEAQ    github·com∕simdrank∕simdrank∕internal∕kern·Masks+96(SB), CX; \
	VMOVDQU (CX)(AX*4), Y10; \
	VPAND   Y10, Y9, Y9

// PAIRS takes 8 lower documents, at the offset off in bytes, the sums of i in g and h, and the
// mask Y9. Y15 are the lanes where i is the better document, w in Y10, then x, r and q, then w·q
// in Y11, h in Y13 and λ in Y10.
#define PAIRS(off, g, h) \
	VMOVUPS      off(R9)(BX*4), Y10; \
	VCMPPS       $4, Y10, Y1, Y11; \
	VANDPS       Y11, Y9, Y9; \
	VCMPPS       $30, Y10, Y1, Y15; \
	VSUBPS       Y10, Y1, Y10; \
	VANDPS       lambdaAbs8<>(SB), Y10, Y10; \
	VBROADCASTSS LambdaDocs_Limit(DX), Y11; \
	VMINPS       Y11, Y10, Y10; \
	VADDPS       off(R10)(BX*4), Y2, Y11; \
	VANDPS       lambdaAbs8<>(SB), Y11, Y11; \
	VMULPS       Y11, Y10, Y10; \
	VSUBPS       off(R8)(BX*4), Y0, Y11; \
	VBROADCASTSS LambdaDocs_Slope(DX), Y12; \
	VMULPS       Y12, Y11, Y11; \
	VBROADCASTSS LambdaDocs_Base(DX), Y12; \
	VADDPS       Y11, Y12, Y11; \
	VDIVPS       Y11, Y10, Y10; \
	VMULPS       off(R11)(BX*4), Y3, Y11; \
	UNBIAS(off); \
	VADDPS       Y11, Y4, Y12; \
	VDIVPS       Y12, Y4, Y12; \
	VMULPS       Y12, Y11, Y11; \
	VMULPS       Y11, Y10, Y11; \
	VMULPS       Y12, Y11, Y13; \
	VMULPS       Y12, Y10, Y10; \
	VBLENDVPS    Y15, Y11, Y10, Y10; \
	VANDPS       Y9, Y10, Y10; \
	VANDPS       Y9, Y13, Y13; \
	VADDPS       off(R13), Y10, Y14; \
	VMOVUPS      Y14, off(R13); \
	VANDNPS      lambdaSign8<>(SB), Y15, Y14; \
	VXORPS       Y14, Y10, Y10; \
	VADDPS       Y10, g, g; \
	VADDPS       Y13, h, h; \
	VADDPS       off(DI)(BX*4), Y10, Y10; \
	VADDPS       off(SI)(BX*4), Y13, Y13; \
	VMOVUPS      Y10, off(DI)(BX*4); \
	VMOVUPS      Y13, off(SI)(BX*4)

// LOG_TERM adds the coefficient of the logarithm at the offset k to the polynomial in Y13 and
// multiplies it by x, in Y11. It uses Y14.
#define LOG_TERM(k) \
	VBROADCASTSS ·lambdaLog+k(SB), Y14; \
	VADDPS       Y14, Y13, Y13; \
	VMULPS       Y11, Y13, Y13

// LOSSES takes w in Y10, x in Y11, the lanes where i is better in Y15 and the mask Y9. It adds the
// losses to those of i and of 8 lower documents, at the offset off in bytes, and multiplies w by
// the factors of both: first w·loss in Y13, then a, of i, in Y12 and b, of j, in Y14.
#define LOSSES(off) \
	VBROADCASTSS ·lambdaLog+112(SB), Y13; \
	VMULPS       Y11, Y13, Y13; \
	LOG_TERM(96); \
	LOG_TERM(80); \
	LOG_TERM(64); \
	LOG_TERM(48); \
	LOG_TERM(32); \
	LOG_TERM(16); \
	LOG_TERM(0); \
	VSUBPS       off(R8)(BX*4), Y0, Y14; \
	VMULPS       128(SP), Y14, Y14; \
	VMINPS       160(SP), Y14, Y14; \
	VANDNPS      Y14, Y15, Y14; \
	VADDPS       Y14, Y13, Y13; \
	VMULPS       Y13, Y10, Y13; \
	MOVQ         LambdaDocs_Plus(DX), AX; \
	VMOVUPS      off(AX)(BX*4), Y14; \
	MOVQ         LambdaDocs_Minus(DX), AX; \
	VBLENDVPS    Y15, off(AX)(BX*4), Y14, Y14; \
	VMULPS       Y14, Y13, Y4; \
	VANDPS       Y9, Y4, Y4; \
	VANDPS       Y15, Y4, Y12; \
	VADDPS       (0+off)(SP), Y12, Y12; \
	VMOVUPS      Y12, (0+off)(SP); \
	VANDNPS      Y4, Y15, Y12; \
	VADDPS       (64+off)(SP), Y12, Y12; \
	VMOVUPS      Y12, (64+off)(SP); \
	VMOVUPS      224(SP), Y12; \
	VBLENDVPS    Y15, 192(SP), Y12, Y12; \
	VMULPS       Y12, Y13, Y13; \
	VANDPS       Y9, Y13, Y13; \
	VMULPS       Y14, Y12, Y12; \
	VMULPS       Y12, Y10, Y10; \
	MOVQ         LambdaDocs_PlusLoss(DX), AX; \
	VANDNPS      Y13, Y15, Y12; \
	VADDPS       off(AX)(BX*4), Y12, Y12; \
	VMOVUPS      Y12, off(AX)(BX*4); \
	MOVQ         LambdaDocs_MinusLoss(DX), AX; \
	VANDPS       Y15, Y13, Y12; \
	VADDPS       off(AX)(BX*4), Y12, Y12; \
	VMOVUPS      Y12, off(AX)(BX*4); \
	VMOVUPS      256(SP), Y4

#define UNBIAS(off)

// LAMBDA_REDUCE sums the 16 lanes of Y5 and Y6 and those of Y7 and Y8 to X5 and X7: l + l+8,
// l + l+4, l + l+2, l + l+1.
#define LAMBDA_REDUCE \
	VADDPS       Y6, Y5, Y5; \
	VADDPS       Y8, Y7, Y7; \
	VEXTRACTF128 $1, Y5, X6; \
	VEXTRACTF128 $1, Y7, X8; \
	VADDPS       X6, X5, X5; \
	VADDPS       X8, X7, X7; \
	VPERMILPS    $0x0e, X5, X6; \
	VPERMILPS    $0x0e, X7, X8; \
	VADDPS       X6, X5, X5; \
	VADDPS       X8, X7, X7; \
	VPERMILPS    $1, X5, X6; \
	VPERMILPS    $1, X7, X8; \
	VADDSS       X6, X5, X5; \
	VADDSS       X8, X7, X7

// func lambdaF32AVX2(grad, hess []float32, docs *LambdaDocs, from, to int, lanes *[16]float32)
//
// Requires: AVX2
//
// Registers: see lambda_amd64.h. Vectors at the edges are masked: what the slices hold from N on is
// not meant.
TEXT ·lambdaF32AVX2(SB), NOSPLIT, $0-80
#include "lambda_amd64.h"
	VZEROUPPER
	RET

#define UNBIASED
#undef UNBIAS
#define UNBIAS(off) LOSSES(off)

// func lambdaUnbiasedF32AVX2(grad, hess []float32, docs *LambdaDocs, from, to int, lanes *[16]float32)
//
// Requires: AVX2
//
// Registers: see lambda_amd64.h. Vectors are masked as in lambdaF32AVX2.
TEXT ·lambdaUnbiasedF32AVX2(SB), NOSPLIT, $288-80
#include "lambda_amd64.h"
	VZEROUPPER
	RET
