// This is the body of lambdaF32AVX512 and, with UNBIASED, of lambdaUnbiasedF32AVX512.
//
// Registers: K3, K4: the pairs of which i, or j, is the better document; Z16-Z22: temporaries;
// named below.

#define grad     DI
#define hess     SI
#define query    DX  // docs
#define score    R8
#define gain     R9
#define v        R10
#define f        R11
#define i        R12 // i; i+1 while its pairs are added
#define end      R13 // to
#define j        BX  // first of 16 documents
#define scoreI   Z0  // score[i]
#define gainI    Z1  // gain[i]
#define uI       Z2  // U[i]
#define eI       Z3  // E[i]
#define limit    Z4
#define base     Z5
#define slope    Z6
#define one      Z7  // 1
#define sign     Z8  // sign bits
#define sumG     Z9  // gradient of i
#define sumH     Z10 // second derivative of i
#define lane     Z11 // lanes
#define w        Z13 // weight of the pairs
#define apart    Z14 // score[i] − score[j]
#define plusI    Z23 // Plus[i]
#define minusI   Z24 // Minus[i]
#define sigma    Z25 // σ
#define largest  Z26 // the largest number
#define sumPlus  Z27 // losses of i if it is the better document
#define sumMinus Z28 // losses of i if j is
#define pairs    K2  // the pairs that count
#define inside   K5  // lanes of documents from i to N−1

// LOG_TERM computes Z18 = (Z18 + c)·x, where x is in Z16 and c is the coefficient of ln(1+x) at
// offset k.
#define LOG_TERM(k) \
	VADDPS.BCST ·lambdaLog+k(SB), Z18, Z18; VMULPS Z16, Z18, Z18

// REDUCE sums the 16 lanes of Z9 to X9, and of Z10 to X10. It adds lanes 8, then 4, 2 and 1 apart.
#define REDUCE \
	VEXTRACTF32X8 $1, Z9, Y12; VEXTRACTF32X8 $1, Z10, Y13; VADDPS Y12, Y9, Y9; VADDPS Y13, Y10, Y10;   \
	VEXTRACTF128  $1, Y9, X12; VEXTRACTF128 $1, Y10, X13; VADDPS X12, X9, X9; VADDPS X13, X10, X10;    \
	VPERMILPS     $0x0e, X9, X12; VPERMILPS $0x0e, X10, X13; VADDPS X12, X9, X9; VADDPS X13, X10, X10; \
	VPERMILPS     $1, X9, X12; VPERMILPS $1, X10, X13; VADDSS X12, X9, X9; VADDSS X13, X10, X10

	MOVQ grad_base+0(FP), grad // load the arguments
	MOVQ hess_base+24(FP), hess
	MOVQ docs+48(FP), query
	MOVQ from+56(FP), i
	MOVQ to+64(FP), end
	MOVQ lanes+72(FP), AX
	MOVQ LambdaDocs_Score(query), score; MOVQ LambdaDocs_Gain(query), gain
	MOVQ LambdaDocs_V(query), v; MOVQ LambdaDocs_F(query), f
	VBROADCASTSS LambdaDocs_Limit(query), limit // constants
	VBROADCASTSS LambdaDocs_Base(query), base
	VBROADCASTSS LambdaDocs_Slope(query), slope
	VBROADCASTSS lambdaSign<>(SB), sign
	VMOVUPS      (AX), lane // load lanes
	MOVL         $0x3f800000, AX; VPBROADCASTD AX, one
#ifdef UNBIASED
	VBROADCASTSS LambdaDocs_Sigma(query), sigma
	MOVL         $0x7f7fffff, AX; VPBROADCASTD AX, largest
#endif

document:
	CMPQ i, end
	JGE  done

	VBROADCASTSS (score)(i*4), scoreI // the values of i
	VBROADCASTSS (gain)(i*4), gainI
	MOVQ LambdaDocs_U(query), AX; VBROADCASTSS (AX)(i*4), uI
	MOVQ LambdaDocs_E(query), AX; VBROADCASTSS (AX)(i*4), eI
	VXORPS X9, X9, X9; VXORPS X10, X10, X10 // all sums = 0
#ifdef UNBIASED
	MOVQ LambdaDocs_Plus(query), AX; VBROADCASTSS (AX)(i*4), plusI
	MOVQ LambdaDocs_Minus(query), AX; VBROADCASTSS (AX)(i*4), minusI
	VXORPS sumPlus, sumPlus, sumPlus; VXORPS sumMinus, sumMinus, sumMinus
#endif
	INCQ  i // i is i+1 from here on; j = i & ^15
	MOVQ  i, j
	ANDQ  $-16, j
	MOVQ  i, CX // inside = the lanes from i on
	ANDQ  $15, CX
	MOVL  $0xffff, AX
	SHLL  CX, AX
	KMOVW AX, inside

vector:
	MOVQ LambdaDocs_N(query), CX // if j ≥ N: goto reduce
	SUBQ j, CX
	JLE  reduce
	CMPQ CX, $16 // if N ≥ j+16: goto pair
	JGE  pair
	MOVL  $1, AX // inside &= the lanes below N
	SHLL  CX, AX
	DECL  AX
	KMOVW AX, K6
	KANDW inside, K6, inside

pair:
	VMOVUPS (gain)(j*4), Z12 // pairs = inside & gain[i] ≠ gain[j]; K3 = pairs & gain[i] > gain[j]
	VCMPPS  $4, Z12, gainI, inside, pairs
	VCMPPS  $30, Z12, gainI, pairs, K3
	VSUBPS  Z12, gainI, w // w = min(|gain[i] − gain[j]|, Limit), Limit for NaN
	VANDNPS w, sign, w
	VMINPS  limit, w, w
	VADDPS  (v)(j*4), uI, Z14 // w = w·|u[i] + v[j]| / (Base + Slope·apart)
	VANDNPS Z14, sign, Z14
	VMULPS  Z14, w, w
	VSUBPS  (score)(j*4), scoreI, apart
	VMULPS  slope, apart, Z15
	VADDPS  Z15, base, Z15
	VDIVPS  Z15, w, w
	KANDNW  pairs, K3, K4
	VMULPS  (f)(j*4), eI, Z16 // x = e[i]·f[j], in Z16
#ifdef UNBIASED
	VBROADCASTSS ·lambdaLog+112(SB), Z18 // Z18 = w·(ln(1+x) + (K4: min(σ·apart, largest)))
	VMULPS       Z16, Z18, Z18
	LOG_TERM(96); LOG_TERM(80); LOG_TERM(64); LOG_TERM(48); LOG_TERM(32); LOG_TERM(16); LOG_TERM(0)
	VMULPS       sigma, apart, Z14
	VMINPS       largest, Z14, Z14
	VADDPS       Z14, Z18, K4, Z18
	VMULPS       Z18, w, Z18

	VMOVAPS minusI, Z19 // a = plus[i], b = minus[j] in K3, else minus[i], plus[j], in Z19 and Z20
	VMOVAPS plusI, K3, Z19
	MOVQ    LambdaDocs_Plus(query), AX; VMOVUPS (AX)(j*4), Z20
	MOVQ    LambdaDocs_Minus(query), AX; VMOVUPS (AX)(j*4), K3, Z20
	VMULPS  Z20, Z19, Z21 // w = w·(a·b)
	VMULPS  Z21, w, w
	VMULPS  Z20, Z18, Z20 // losses of i += loss·b
	VADDPS  Z20, sumPlus, K3, sumPlus
	VADDPS  Z20, sumMinus, K4, sumMinus
	VMULPS  Z19, Z18, Z19 // losses of j += loss·a
	MOVQ    LambdaDocs_PlusLoss(query), AX; VMOVUPS (AX)(j*4), Z20
	VADDPS  Z19, Z20, K4, Z20; VMOVUPS Z20, (AX)(j*4)
	MOVQ    LambdaDocs_MinusLoss(query), AX; VMOVUPS (AX)(j*4), Z20
	VADDPS  Z19, Z20, K3, Z20; VMOVUPS Z20, (AX)(j*4)
#endif
	VADDPS  Z16, one, Z17 // r = 1/(1+x), q = x·r
	VDIVPS  Z17, one, Z17
	VMULPS  Z17, Z16, Z16
	VMULPS  Z16, w, Z18 // h = (w·q)·r in Z19; λ = w·q in K3, else w·r, in Z20
	VMULPS  Z17, Z18, Z19
	VMULPS  Z17, w, Z20
	VMOVAPS Z18, K3, Z20
	VADDPS  Z20, lane, pairs, lane // lanes += λ, then λ = −λ in K4
	VXORPS  sign, Z20, K4, Z20
	VADDPS  Z20, sumG, pairs, sumG // sumG and grad[j] += λ; sumH and hess[j] += h
	VADDPS  Z19, sumH, pairs, sumH
	VMOVUPS (grad)(j*4), Z21; VMOVUPS (hess)(j*4), Z22
	VADDPS  Z20, Z21, pairs, Z21; VADDPS Z19, Z22, pairs, Z22
	VMOVUPS Z21, (grad)(j*4); VMOVUPS Z22, (hess)(j*4)
	KXNORW  inside, inside, inside // the next vector, all lanes
	ADDQ    $16, j
	JMP     vector

reduce:
	REDUCE
	VMOVSS -4(grad)(i*4), X12 // grad[i] −= its sum; hess[i] += its sum
	VMOVSS -4(hess)(i*4), X13
	VSUBSS X9, X12, X12
	VADDSS X10, X13, X13
	VMOVSS X12, -4(grad)(i*4)
	VMOVSS X13, -4(hess)(i*4)
#ifdef UNBIASED
	VMOVAPS sumPlus, Z9 // losses of i += their sums
	VMOVAPS sumMinus, Z10
	REDUCE
	MOVQ LambdaDocs_PlusLoss(query), AX; VADDSS -4(AX)(i*4), X9, X9; VMOVSS X9, -4(AX)(i*4)
	MOVQ LambdaDocs_MinusLoss(query), AX; VADDSS -4(AX)(i*4), X10, X10; VMOVSS X10, -4(AX)(i*4)
#endif
	JMP document

done:
	MOVQ    lanes+72(FP), AX
	VMOVUPS lane, (AX)
#undef grad
#undef hess
#undef query
#undef score
#undef gain
#undef v
#undef f
#undef i
#undef end
#undef j
#undef scoreI
#undef gainI
#undef uI
#undef eI
#undef limit
#undef base
#undef slope
#undef one
#undef sign
#undef sumG
#undef sumH
#undef lane
#undef w
#undef apart
#undef plusI
#undef minusI
#undef sigma
#undef largest
#undef sumPlus
#undef sumMinus
#undef pairs
#undef inside
#undef LOG_TERM
#undef REDUCE
