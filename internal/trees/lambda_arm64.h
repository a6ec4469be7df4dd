// This is the body of lambdaF32NEON and, with UNBIASED, of lambdaUnbiasedF32NEON.
//
// With UNBIASED, the frame contains 64 bytes for each of the losses Plus and Minus of i, then
// vectors of σ, the largest number, and Plus and Minus of i.
//
// Registers: R0-R5: grad, hess, scores, gains, V, F; R12, R13: U, E; R9, R15: addresses; V0-V3,
// V4-V7: sums of the gradient and of the second derivative of i; V8-V11: lanes; V12: w, then λ;
// V15: x; V12-V19: temporaries of a pair; V29: all ones; V31: the mask at an edge; named below.

#define gradJ  R19 // grad[j]
#define hessJ  R20 // hess[j]
#define scoreJ R21 // Score[j]
#define gainJ  R22 // Gain[j]
#define vJ     R23 // V[j]
#define fJ     R24 // F[j]
#define query  R6  // docs
#define n      R7  // N
#define j      R8  // first of 16 documents
#define i      R10
#define end    R11 // to
#define lane   R14 // lanes
#define logs   R25 // coefficients of ln(1+x)
#define losses R26 // the frame
#define pairs  V13 // the pairs that count
#define better V14 // the pairs of which i is the better document
// Vectors as operands of instructions that neon_arm64.h encodes:
#define w      12  // weight of the pairs
#define x      15  // E[i]·F[j]
#define scoreI 20  // Score[i]
#define gainI  21  // Gain[i]
#define uI     22  // U[i]
#define eI     23  // E[i]
#define limit  24
#define base   25
#define slope  26
#define one    27  // 1
#define sign   28  // sign bits
// Vectors in the frame:
#define SIGMA 128(losses)
#define LARGEST 144(losses)
#define PLUS_I 160(losses)
#define MINUS_I 176(losses)

// ZERO clears V.
#define ZERO(V) VEOR V.B16, V.B16, V.B16

// AT_I broadcasts the float32 at p + 4·i to V.
#define AT_I(p, V) \
	ADD i<<2, p, R15; VLD1R (R15), [V.S4]

// FIELD broadcasts a field of docs to V.
#define FIELD(field, V) \
	ADD $field, query, R15; VLD1R (R15), [V.S4]

	MOVD grad_base+0(FP), R0 // load the arguments
	MOVD hess_base+24(FP), R1
	MOVD docs+48(FP), query
	MOVD from+56(FP), i
	MOVD to+64(FP), end
	MOVD lanes+72(FP), lane
	MOVD LambdaDocs_N(query), n // the slices of docs
	MOVD LambdaDocs_Score(query), R2; MOVD LambdaDocs_Gain(query), R3
	MOVD LambdaDocs_V(query), R4; MOVD LambdaDocs_F(query), R5
	MOVD LambdaDocs_U(query), R12; MOVD LambdaDocs_E(query), R13
	FIELD(LambdaDocs_Limit, V24) // constants
	FIELD(LambdaDocs_Base, V25)
	FIELD(LambdaDocs_Slope, V26)
	MOVW $0x3f800000, R15; VDUP R15, V27.S4
	MOVD $0x80000000, R15; VDUP R15, V28.S4
	MOVD $-1, R15; VDUP R15, V29.D2
#ifdef UNBIASED
	MOVD  $·lambdaLog(SB), logs // and in the frame
	MOVD  $scratch-192(SP), losses
	FIELD(LambdaDocs_Sigma, V12)
	FMOVQ F12, SIGMA
	MOVW  $0x7f7fffff, R15; VDUP R15, V12.S4; FMOVQ F12, LARGEST
#endif
	FLDPQ (lane), (F8, F9) // load lanes
	FLDPQ 32(lane), (F10, F11)

document:
	CMP end, i
	BGE done

	AT_I(R2, V20) // the values of i
	AT_I(R3, V21)
	AT_I(R12, V22)
	AT_I(R13, V23)
	ZERO(V0); ZERO(V1); ZERO(V2); ZERO(V3) // all sums = 0
	ZERO(V4); ZERO(V5); ZERO(V6); ZERO(V7)
#ifdef UNBIASED
	MOVD LambdaDocs_Plus(query), R15; AT_I(R15, V12)
	FMOVQ F12, PLUS_I
	MOVD LambdaDocs_Minus(query), R15; AT_I(R15, V12)
	FMOVQ F12, MINUS_I
	FSTPQ (F0, F0), (losses); FSTPQ (F0, F0), 32(losses)
	FSTPQ (F0, F0), 64(losses); FSTPQ (F0, F0), 96(losses)
#endif
	ADD $1, i, j // j = (i+1) & ^15; its elements of the slices
	AND $~15, j, j
	ADD j<<2, R0, gradJ; ADD j<<2, R1, hessJ
	ADD j<<2, R2, scoreJ; ADD j<<2, R3, gainJ
	ADD j<<2, R4, vJ; ADD j<<2, R5, fJ

block:
	CMP n, j // if j ≥ N: goto reduce
	BGE reduce
	ADD $16, j, R15 // if the block reaches beyond N or begins at i or before: goto edge
	CMP n, R15
	BGT edge
	CMP i, j
	BLE edge

	PAIRS(0, 0, 4, 8, 29) // add the pairs of 16 documents
	PAIRS(16, 1, 5, 9, 29)
	PAIRS(32, 2, 6, 10, 29)
	PAIRS(48, 3, 7, 11, 29)

next:
	ADD $64, gradJ; ADD $64, hessJ; ADD $64, scoreJ // the next 16 documents
	ADD $64, gainJ; ADD $64, vJ; ADD $64, fJ
	ADD $16, j
	B   block

edge:
	EDGE(0) // add the pairs of the documents from i+1 to N−1
	PAIRS(0, 0, 4, 8, 31)
	EDGE(4)
	PAIRS(16, 1, 5, 9, 31)
	EDGE(8) // the other two vectors
	PAIRS(32, 2, 6, 10, 31)
	EDGE(12)
	PAIRS(48, 3, 7, 11, 31)
	B next

reduce:
	REDUCE
	ADD i<<2, R0, R15; FMOVS (R15), F12 // grad[i] −= its sum
	FSUBS F0, F12, F12; FMOVS F12, (R15)
	ADD i<<2, R1, R15; FMOVS (R15), F13 // hess[i] += its sum
	FADDS F4, F13, F13; FMOVS F13, (R15)
#ifdef UNBIASED
	FLDPQ (losses), (F0, F1); FLDPQ 32(losses), (F2, F3) // losses of i += their sums
	FLDPQ 64(losses), (F4, F5); FLDPQ 96(losses), (F6, F7)
	REDUCE
	MOVD LambdaDocs_PlusLoss(query), R15; ADD i<<2, R15, R15
	FMOVS (R15), F12; FADDS F0, F12, F12; FMOVS F12, (R15)
	MOVD LambdaDocs_MinusLoss(query), R15; ADD i<<2, R15, R15
	FMOVS (R15), F13; FADDS F4, F13, F13; FMOVS F13, (R15)
#endif
	ADD $1, i // the next document
	B   document

done:
	FSTPQ (F8, F9), (lane)
	FSTPQ (F10, F11), 32(lane)
#undef gradJ
#undef hessJ
#undef scoreJ
#undef gainJ
#undef vJ
#undef fJ
#undef query
#undef n
#undef j
#undef i
#undef end
#undef lane
#undef logs
#undef losses
#undef pairs
#undef better
#undef w
#undef x
#undef scoreI
#undef gainI
#undef uI
#undef eI
#undef limit
#undef base
#undef slope
#undef one
#undef sign
#undef SIGMA
#undef LARGEST
#undef PLUS_I
#undef MINUS_I
#undef ZERO
#undef AT_I
#undef FIELD
