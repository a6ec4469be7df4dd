//go:build !purego

#include "go_asm.h"
#include "textflag.h"

// Pairs of ranks for AVX-512: one document against 16 lower ones at a time.

DATA lambdaSign<>+0(SB)/4, $0x80000000
GLOBL lambdaSign<>(SB), RODATA|NOPTR, $4

// func lambdaF32AVX512(grad, hess []float32, docs *LambdaDocs, from, to int, lanes *[16]float32)
//
// Requires: AVX512F, AVX512DQ
//
// DI grad, SI hess, R8 scores, R9 gains, R10 V, R11 F, R12 i, then i+1, R13 to, BX j. Z0 to Z3
// are the score, gain, U and E of i, Z4 to Z8 limit, base, slope, 1 and sign bits, Z9 and Z10 the
// sums of i, Z11 lanes. The first vector of i begins at a multiple of 16 and masks the lanes up
// to i; the last one masks those from N on, which the slices hold but do not mean.
TEXT ·lambdaF32AVX512(SB), NOSPLIT, $0-80
	MOVQ grad_base+0(FP), DI
	MOVQ hess_base+24(FP), SI
	MOVQ docs+48(FP), DX
	MOVQ from+56(FP), R12
	MOVQ to+64(FP), R13
	MOVQ lanes+72(FP), AX

	MOVQ LambdaDocs_Score(DX), R8
	MOVQ LambdaDocs_Gain(DX), R9
	MOVQ LambdaDocs_V(DX), R10
	MOVQ LambdaDocs_F(DX), R11

	VBROADCASTSS LambdaDocs_Limit(DX), Z4
	VBROADCASTSS LambdaDocs_Base(DX), Z5
	VBROADCASTSS LambdaDocs_Slope(DX), Z6
	VBROADCASTSS lambdaSign<>(SB), Z8
	VMOVUPS      (AX), Z11
	MOVL         $0x3f800000, AX
	VPBROADCASTD AX, Z7

document:
	CMPQ R12, R13
	JGE  done

	VBROADCASTSS (R8)(R12*4), Z0
	VBROADCASTSS (R9)(R12*4), Z1
	MOVQ         LambdaDocs_U(DX), AX
	VBROADCASTSS (AX)(R12*4), Z2
	MOVQ         LambdaDocs_E(DX), AX
	VBROADCASTSS (AX)(R12*4), Z3
	VXORPS       X9, X9, X9
	VXORPS       X10, X10, X10

	// K5 = lanes above i of the vector that holds i+1.
	INCQ  R12
	MOVQ  R12, BX
	ANDQ  $-16, BX
	MOVQ  R12, CX
	ANDQ  $15, CX
	MOVL  $0xffff, AX
	SHLL  CX, AX
	KMOVW AX, K5

vector:
	MOVQ LambdaDocs_N(DX), CX
	SUBQ BX, CX
	JLE  reduce
	CMPQ CX, $16
	JGE  whole

	// The last vector: K5 and the lanes below N.
	MOVL  $1, AX
	SHLL  CX, AX
	DECL  AX
	KMOVW AX, K6
	KANDW K5, K6, K5

whole:
	// K2 = pairs, K3 = those whose better document is i; w in Z13.
	VMOVUPS (R9)(BX*4), Z12
	VCMPPS  $4, Z12, Z1, K5, K2    // not equal, or unordered
	VCMPPS  $30, Z12, Z1, K2, K3   // greater
	VSUBPS  Z12, Z1, Z13
	VANDNPS Z13, Z8, Z13
	VMINPS  Z4, Z13, Z13
	VADDPS  (R10)(BX*4), Z2, Z14
	VANDNPS Z14, Z8, Z14
	VMULPS  Z14, Z13, Z13
	VSUBPS  (R8)(BX*4), Z0, Z15
	VMULPS  Z6, Z15, Z15
	VADDPS  Z15, Z5, Z15
	VDIVPS  Z15, Z13, Z13

	// x in Z16, r = 1/(1+x) in Z17, q = x·r in Z16.
	VMULPS (R11)(BX*4), Z3, Z16
	VADDPS Z16, Z7, Z17
	VDIVPS Z17, Z7, Z17
	VMULPS Z17, Z16, Z16

	// w·q in Z18, h in Z19, λ in Z20: w·q where i is better, else w·r.
	VMULPS Z16, Z13, Z18
	VMULPS Z17, Z18, Z19
	VMULPS Z17, Z13, Z20
	VMOVAPS Z18, K3, Z20
	VADDPS Z20, Z11, K2, Z11

	// The gradient of j rises by λ where i is better and falls by it elsewhere.
	KANDNW K2, K3, K4
	VXORPS Z8, Z20, K4, Z20
	VADDPS Z20, Z9, K2, Z9
	VADDPS Z19, Z10, K2, Z10
	VMOVUPS (DI)(BX*4), Z21
	VMOVUPS (SI)(BX*4), Z22
	VADDPS Z20, Z21, K2, Z21
	VADDPS Z19, Z22, K2, Z22
	VMOVUPS Z21, (DI)(BX*4)
	VMOVUPS Z22, (SI)(BX*4)

	KXNORW K5, K5, K5
	ADDQ   $16, BX
	JMP    vector

reduce:
	// Sums of 16 lanes: l + l+8, l + l+4, l + l+2, l + l+1.
	VEXTRACTF32X8 $1, Z9, Y12
	VEXTRACTF32X8 $1, Z10, Y13
	VADDPS        Y12, Y9, Y9
	VADDPS        Y13, Y10, Y10
	VEXTRACTF128  $1, Y9, X12
	VEXTRACTF128  $1, Y10, X13
	VADDPS        X12, X9, X9
	VADDPS        X13, X10, X10
	VPERMILPS     $0x0e, X9, X12
	VPERMILPS     $0x0e, X10, X13
	VADDPS        X12, X9, X9
	VADDPS        X13, X10, X10
	VPERMILPS     $1, X9, X12
	VPERMILPS     $1, X10, X13
	VADDSS        X12, X9, X9
	VADDSS        X13, X10, X10
	VMOVSS        -4(DI)(R12*4), X12
	VMOVSS        -4(SI)(R12*4), X13
	VSUBSS        X9, X12, X12
	VADDSS        X10, X13, X13
	VMOVSS        X12, -4(DI)(R12*4)
	VMOVSS        X13, -4(SI)(R12*4)
	JMP           document

done:
	MOVQ    lanes+72(FP), AX
	VMOVUPS Z11, (AX)
	VZEROUPPER
	RET
