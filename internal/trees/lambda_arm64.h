// The body of the kernels of kernels_lambda_arm64.s. With UNBIASED it is that of
// lambdaUnbiasedF32NEON.
//
// R0 to R5 grad, hess, scores, gains, V and F, R19 to R24 the same from j on; R6 docs, R7 N, R8
// j, R10 i, R11 to, R12 U, R13 E, R14 lanes. V0 to V3 and V4 to V7 the sums of i, V8 to V11
// lanes, V20 to V23 the score, gain, U and E of i, V24 to V28 limit, base, slope, 1 and sign
// bits, V29 all ones. UNBIASED: R25 coefficients of the logarithm, R26 128 bytes of losses of i,
// then vectors of σ, the largest number, Plus and Minus of i.

	MOVD grad_base+0(FP), R0
	MOVD hess_base+24(FP), R1
	MOVD docs+48(FP), R6
	MOVD from+56(FP), R10
	MOVD to+64(FP), R11
	MOVD lanes+72(FP), R14

	MOVD LambdaDocs_N(R6), R7
	MOVD LambdaDocs_Score(R6), R2
	MOVD LambdaDocs_Gain(R6), R3
	MOVD LambdaDocs_V(R6), R4
	MOVD LambdaDocs_F(R6), R5
	MOVD LambdaDocs_U(R6), R12
	MOVD LambdaDocs_E(R6), R13

	ADD   $LambdaDocs_Limit, R6, R15
	VLD1R (R15), [V24.S4]
	ADD   $LambdaDocs_Base, R6, R15
	VLD1R (R15), [V25.S4]
	ADD   $LambdaDocs_Slope, R6, R15
	VLD1R (R15), [V26.S4]
	MOVW  $0x3f800000, R15
	VDUP  R15, V27.S4
	MOVD  $0x80000000, R15
	VDUP  R15, V28.S4
	MOVD  $-1, R15
	VDUP  R15, V29.D2

#ifdef UNBIASED
	MOVD  $·lambdaLog(SB), R25
	MOVD  $losses-192(SP), R26
	ADD   $LambdaDocs_Sigma, R6, R15
	VLD1R (R15), [V12.S4]
	FMOVQ F12, 128(R26)
	MOVW  $0x7f7fffff, R15
	VDUP  R15, V12.S4
	FMOVQ F12, 144(R26)
#endif

	FLDPQ (R14), (F8, F9)
	FLDPQ 32(R14), (F10, F11)

document:
	CMP R11, R10
	BGE done

	ADD   R10<<2, R2, R15
	VLD1R (R15), [V20.S4]
	ADD   R10<<2, R3, R15
	VLD1R (R15), [V21.S4]
	ADD   R10<<2, R12, R15
	VLD1R (R15), [V22.S4]
	ADD   R10<<2, R13, R15
	VLD1R (R15), [V23.S4]
	ZERO(V0)
	ZERO(V1)
	ZERO(V2)
	ZERO(V3)
	ZERO(V4)
	ZERO(V5)
	ZERO(V6)
	ZERO(V7)
#ifdef UNBIASED
	MOVD  LambdaDocs_Plus(R6), R15
	ADD   R10<<2, R15, R15
	VLD1R (R15), [V12.S4]
	FMOVQ F12, 160(R26)
	MOVD  LambdaDocs_Minus(R6), R15
	ADD   R10<<2, R15, R15
	VLD1R (R15), [V12.S4]
	FMOVQ F12, 176(R26)
	FSTPQ (F0, F0), (R26)
	FSTPQ (F0, F0), 32(R26)
	FSTPQ (F0, F0), 64(R26)
	FSTPQ (F0, F0), 96(R26)
#endif

	ADD $1, R10, R8
	AND $~15, R8, R8
	ADD R8<<2, R0, R19
	ADD R8<<2, R1, R20
	ADD R8<<2, R2, R21
	ADD R8<<2, R3, R22
	ADD R8<<2, R4, R23
	ADD R8<<2, R5, R24

block:
	CMP R7, R8
	BGE reduce
	ADD $16, R8, R15
	CMP R7, R15
	BGT edge
	CMP R10, R8
	BLE edge

	PAIRS(0, 0, 4, 8, 29)
	PAIRS(16, 1, 5, 9, 29)
	PAIRS(32, 2, 6, 10, 29)
	PAIRS(48, 3, 7, 11, 29)

next:
	ADD $64, R19
	ADD $64, R20
	ADD $64, R21
	ADD $64, R22
	ADD $64, R23
	ADD $64, R24
	ADD $16, R8
	B   block

edge:
	EDGE(0)
	PAIRS(0, 0, 4, 8, 31)
	EDGE(4)
	PAIRS(16, 1, 5, 9, 31)
	EDGE(8)
	PAIRS(32, 2, 6, 10, 31)
	EDGE(12)
	PAIRS(48, 3, 7, 11, 31)
	B next

reduce:
	LAMBDA_REDUCE
	ADD   R10<<2, R0, R15
	FMOVS (R15), F12
	FSUBS F0, F12, F12
	FMOVS F12, (R15)
	ADD   R10<<2, R1, R15
	FMOVS (R15), F13
	FADDS F4, F13, F13
	FMOVS F13, (R15)
#ifdef UNBIASED
	FLDPQ (R26), (F0, F1)
	FLDPQ 32(R26), (F2, F3)
	FLDPQ 64(R26), (F4, F5)
	FLDPQ 96(R26), (F6, F7)
	LAMBDA_REDUCE
	MOVD  LambdaDocs_PlusLoss(R6), R15
	ADD   R10<<2, R15, R15
	FMOVS (R15), F12
	FADDS F0, F12, F12
	FMOVS F12, (R15)
	MOVD  LambdaDocs_MinusLoss(R6), R15
	ADD   R10<<2, R15, R15
	FMOVS (R15), F13
	FADDS F4, F13, F13
	FMOVS F13, (R15)
#endif
	ADD   $1, R10
	B     document

done:
	FSTPQ (F8, F9), (R14)
	FSTPQ (F10, F11), 32(R14)
