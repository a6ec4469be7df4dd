// The body of the kernels of kernels_lambda_avx512_amd64.s. With UNBIASED it is that of
// lambdaUnbiasedF32AVX512.
//
// DI grad, SI hess, R8 scores, R9 gains, R10 V, R11 F, R12 i, then i+1, R13 to, BX j. Z0 to Z3
// are the score, gain, U and E of i, Z4 to Z8 limit, base, slope, 1 and sign bits, Z9 and Z10 the
// sums of i, Z11 lanes. UNBIASED: Z23 and Z24 are Plus and Minus of i, Z25 σ, Z26 the largest
// number, Z27 and Z28 the losses of i.

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
#ifdef UNBIASED
	VBROADCASTSS LambdaDocs_Sigma(DX), Z25
	MOVL         $0x7f7fffff, AX
	VPBROADCASTD AX, Z26
#endif

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
#ifdef UNBIASED
	MOVQ         LambdaDocs_Plus(DX), AX
	VBROADCASTSS (AX)(R12*4), Z23
	MOVQ         LambdaDocs_Minus(DX), AX
	VBROADCASTSS (AX)(R12*4), Z24
	VXORPS       Z27, Z27, Z27
	VXORPS       Z28, Z28, Z28
#endif

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
	VSUBPS  (R8)(BX*4), Z0, Z14
	VMULPS  Z6, Z14, Z15
	VADDPS  Z15, Z5, Z15
	VDIVPS  Z15, Z13, Z13
	KANDNW  K2, K3, K4

	// x in Z16, r = 1/(1+x) in Z17, q = x·r in Z16.
	VMULPS (R11)(BX*4), Z3, Z16
#ifdef UNBIASED
	// ln(1+x) in Z18, and σ·(sᵢ−sⱼ) more where j is better; w·loss in Z18.
	VBROADCASTSS ·lambdaLog+112(SB), Z18
	VMULPS       Z16, Z18, Z18
	LOG_TERM(96)
	LOG_TERM(80)
	LOG_TERM(64)
	LOG_TERM(48)
	LOG_TERM(32)
	LOG_TERM(16)
	LOG_TERM(0)
	VMULPS       Z25, Z14, Z14
	VMINPS       Z26, Z14, Z14
	VADDPS       Z14, Z18, K4, Z18
	VMULPS       Z18, Z13, Z18

	// a, of i, in Z19 and b, of j, in Z20; w·a·b in Z13.
	VMOVAPS Z24, Z19
	VMOVAPS Z23, K3, Z19
	MOVQ    LambdaDocs_Plus(DX), AX
	VMOVUPS (AX)(BX*4), Z20
	MOVQ    LambdaDocs_Minus(DX), AX
	VMOVUPS (AX)(BX*4), K3, Z20
	VMULPS  Z20, Z19, Z21
	VMULPS  Z21, Z13, Z13

	// Losses of i, and of j.
	VMULPS  Z20, Z18, Z20
	VADDPS  Z20, Z27, K3, Z27
	VADDPS  Z20, Z28, K4, Z28
	VMULPS  Z19, Z18, Z19
	MOVQ    LambdaDocs_PlusLoss(DX), AX
	VMOVUPS (AX)(BX*4), Z20
	VADDPS  Z19, Z20, K4, Z20
	VMOVUPS Z20, (AX)(BX*4)
	MOVQ    LambdaDocs_MinusLoss(DX), AX
	VMOVUPS (AX)(BX*4), Z20
	VADDPS  Z19, Z20, K3, Z20
	VMOVUPS Z20, (AX)(BX*4)
#endif
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
	LAMBDA_REDUCE
	VMOVSS        -4(DI)(R12*4), X12
	VMOVSS        -4(SI)(R12*4), X13
	VSUBSS        X9, X12, X12
	VADDSS        X10, X13, X13
	VMOVSS        X12, -4(DI)(R12*4)
	VMOVSS        X13, -4(SI)(R12*4)
#ifdef UNBIASED
	VMOVAPS       Z27, Z9
	VMOVAPS       Z28, Z10
	LAMBDA_REDUCE
	MOVQ          LambdaDocs_PlusLoss(DX), AX
	VADDSS        -4(AX)(R12*4), X9, X9
	VMOVSS        X9, -4(AX)(R12*4)
	MOVQ          LambdaDocs_MinusLoss(DX), AX
	VADDSS        -4(AX)(R12*4), X10, X10
	VMOVSS        X10, -4(AX)(R12*4)
#endif
	JMP           document

done:
	MOVQ    lanes+72(FP), AX
	VMOVUPS Z11, (AX)
