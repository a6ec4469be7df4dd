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

// func lambdaF32AVX2(grad, hess []float32, docs *LambdaDocs, from, to int, lanes *[16]float32)
//
// Requires: AVX2
//
// DI grad, SI hess, R8 scores, R9 gains, R10 V, R11 F, R12 i, then i+1, R13 lanes, BX j. Y0 to Y3
// are the score, gain, U and E of i, Y4 is 1, Y5 to Y8 are the sums of i. Vectors at the edges
// are masked: what the slices hold from N on is not meant.
TEXT ·lambdaF32AVX2(SB), NOSPLIT, $0-80
	MOVQ grad_base+0(FP), DI
	MOVQ hess_base+24(FP), SI
	MOVQ docs+48(FP), DX
	MOVQ from+56(FP), R12
	MOVQ lanes+72(FP), R13

	MOVQ LambdaDocs_Score(DX), R8
	MOVQ LambdaDocs_Gain(DX), R9
	MOVQ LambdaDocs_V(DX), R10
	MOVQ LambdaDocs_F(DX), R11

	MOVL         $0x3f800000, AX
	VMOVD        AX, X4
	VBROADCASTSS X4, Y4

document:
	CMPQ R12, to+64(FP)
	JGE  done

	VBROADCASTSS (R8)(R12*4), Y0
	VBROADCASTSS (R9)(R12*4), Y1
	MOVQ         LambdaDocs_U(DX), AX
	VBROADCASTSS (AX)(R12*4), Y2
	MOVQ         LambdaDocs_E(DX), AX
	VBROADCASTSS (AX)(R12*4), Y3
	VXORPS       X5, X5, X5
	VXORPS       X6, X6, X6
	VXORPS       X7, X7, X7
	VXORPS       X8, X8, X8
	INCQ         R12
	MOVQ         R12, BX
	ANDQ         $-16, BX

vector:
	MOVQ LambdaDocs_N(DX), AX
	SUBQ BX, AX
	JLE  reduce
	CMPQ AX, $16
	JLT  edge
	CMPQ BX, R12
	JLT  edge

	VPCMPEQD Y9, Y9, Y9
	PAIRS(0, Y5, Y7)
	VPCMPEQD Y9, Y9, Y9
	PAIRS(32, Y6, Y8)
	ADDQ $16, BX
	JMP  vector

edge:
	EDGE(0)
	PAIRS(0, Y5, Y7)
	EDGE(8)
	PAIRS(32, Y6, Y8)
	ADDQ $16, BX
	JMP  vector

reduce:
	// Sums of 16 lanes: l + l+8, l + l+4, l + l+2, l + l+1.
	VADDPS       Y6, Y5, Y5
	VADDPS       Y8, Y7, Y7
	VEXTRACTF128 $1, Y5, X6
	VEXTRACTF128 $1, Y7, X8
	VADDPS       X6, X5, X5
	VADDPS       X8, X7, X7
	VPERMILPS    $0x0e, X5, X6
	VPERMILPS    $0x0e, X7, X8
	VADDPS       X6, X5, X5
	VADDPS       X8, X7, X7
	VPERMILPS    $1, X5, X6
	VPERMILPS    $1, X7, X8
	VADDSS       X6, X5, X5
	VADDSS       X8, X7, X7
	VMOVSS       -4(DI)(R12*4), X6
	VMOVSS       -4(SI)(R12*4), X8
	VSUBSS       X5, X6, X6
	VADDSS       X7, X8, X8
	VMOVSS       X6, -4(DI)(R12*4)
	VMOVSS       X8, -4(SI)(R12*4)
	JMP          document

done:
	VZEROUPPER
	RET
