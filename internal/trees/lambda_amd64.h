// The body of the kernels of kernels_lambda_amd64.s. With UNBIASED it is that of
// lambdaUnbiasedF32AVX2.
//
// DI grad, SI hess, R8 scores, R9 gains, R10 V, R11 F, R12 i, then i+1, R13 lanes, BX j. Y0 to Y3
// are the score, gain, U and E of i, Y4 is 1, Y5 to Y8 are the sums of i. UNBIASED, from SP on: 128
// bytes of losses of i, then vectors of σ, the largest number, Plus and Minus of i, and 1.

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
#ifdef UNBIASED
	VMOVUPS      Y4, 256(SP)
	VBROADCASTSS LambdaDocs_Sigma(DX), Y5
	VMOVUPS      Y5, 128(SP)
	MOVL         $0x7f7fffff, AX
	VMOVD        AX, X5
	VBROADCASTSS X5, Y5
	VMOVUPS      Y5, 160(SP)
#endif

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
#ifdef UNBIASED
	MOVQ         LambdaDocs_Plus(DX), AX
	VBROADCASTSS (AX)(R12*4), Y9
	VMOVUPS      Y9, 192(SP)
	MOVQ         LambdaDocs_Minus(DX), AX
	VBROADCASTSS (AX)(R12*4), Y9
	VMOVUPS      Y9, 224(SP)
	VMOVUPS      Y5, 0(SP)
	VMOVUPS      Y5, 32(SP)
	VMOVUPS      Y5, 64(SP)
	VMOVUPS      Y5, 96(SP)
#endif
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
	LAMBDA_REDUCE
	VMOVSS       -4(DI)(R12*4), X6
	VMOVSS       -4(SI)(R12*4), X8
	VSUBSS       X5, X6, X6
	VADDSS       X7, X8, X8
	VMOVSS       X6, -4(DI)(R12*4)
	VMOVSS       X8, -4(SI)(R12*4)
#ifdef UNBIASED
	VMOVUPS      0(SP), Y5
	VMOVUPS      32(SP), Y6
	VMOVUPS      64(SP), Y7
	VMOVUPS      96(SP), Y8
	LAMBDA_REDUCE
	MOVQ         LambdaDocs_PlusLoss(DX), AX
	VADDSS       -4(AX)(R12*4), X5, X5
	VMOVSS       X5, -4(AX)(R12*4)
	MOVQ         LambdaDocs_MinusLoss(DX), AX
	VADDSS       -4(AX)(R12*4), X7, X7
	VMOVSS       X7, -4(AX)(R12*4)
#endif
	JMP          document

done:
