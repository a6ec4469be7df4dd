// This is the body of lambdaF32AVX2 and, with UNBIASED, of lambdaUnbiasedF32AVX2.
//
// With UNBIASED, the frame contains vectors: two for each of the losses sumPlus and sumMinus of i,
// then σ, the largest number, Plus and Minus of i, and 1.
//
// Registers: Y10-Y14: temporaries of a pair; named below.

#define grad   DI
#define hess   SI
#define query  DX  // docs
#define score  R8
#define gain   R9
#define v      R10
#define f      R11
#define i      R12 // i; i+1 while its pairs are added
#define j      BX  // first of 16 documents
#define lane   R13 // lanes
#define scoreI Y0  // score[i]
#define gainI  Y1  // gain[i]
#define uI     Y2  // U[i]
#define eI     Y3  // E[i]
#define one    Y4  // 1
#define sumG0  Y5  // gradient of i, lanes 0 to 7
#define sumG1  Y6  // lanes 8 to 15
#define sumH0  Y7  // second derivative of i, lanes 0 to 7
#define sumH1  Y8  // lanes 8 to 15
#define mask   Y9  // the pairs that count
#define w      Y10 // weight of the pairs
#define x      Y11 // E[i]·F[j]
#define better Y15 // the pairs of which i is the better document

	MOVQ grad_base+0(FP), grad // load the arguments
	MOVQ hess_base+24(FP), hess
	MOVQ docs+48(FP), query
	MOVQ from+56(FP), i
	MOVQ lanes+72(FP), lane
	MOVQ LambdaDocs_Score(query), score; MOVQ LambdaDocs_Gain(query), gain
	MOVQ LambdaDocs_V(query), v; MOVQ LambdaDocs_F(query), f
	MOVL $0x3f800000, AX; VMOVD AX, X4; VBROADCASTSS X4, one
#ifdef UNBIASED
	VMOVUPS one, ones-32(SP) // constants in the frame
	VBROADCASTSS LambdaDocs_Sigma(query), Y5; VMOVUPS Y5, sigma-160(SP)
	MOVL $0x7f7fffff, AX; VMOVD AX, X5; VBROADCASTSS X5, Y5; VMOVUPS Y5, largest-128(SP)
#endif

document:
	CMPQ i, to+64(FP)
	JGE  done

	VBROADCASTSS (score)(i*4), scoreI // the values of i
	VBROADCASTSS (gain)(i*4), gainI
	MOVQ LambdaDocs_U(query), AX; VBROADCASTSS (AX)(i*4), uI
	MOVQ LambdaDocs_E(query), AX; VBROADCASTSS (AX)(i*4), eI
	VXORPS X5, X5, X5; VXORPS X6, X6, X6; VXORPS X7, X7, X7; VXORPS X8, X8, X8 // all sums = 0
#ifdef UNBIASED
	MOVQ LambdaDocs_Plus(query), AX; VBROADCASTSS (AX)(i*4), Y9; VMOVUPS Y9, plusI-96(SP)
	MOVQ LambdaDocs_Minus(query), AX; VBROADCASTSS (AX)(i*4), Y9; VMOVUPS Y9, minusI-64(SP)
	VMOVUPS Y5, sumPlus-288(SP); VMOVUPS Y5, sumPlus-256(SP)
	VMOVUPS Y5, sumMinus-224(SP); VMOVUPS Y5, sumMinus-192(SP)
#endif
	INCQ i // i is i+1 from here on; j = i & ^15
	MOVQ i, j
	ANDQ $-16, j

vector:
	MOVQ LambdaDocs_N(query), AX // if j ≥ N: goto reduce
	SUBQ j, AX
	JLE  reduce
	CMPQ AX, $16 // if the vectors reach beyond N or begin before i: goto edge
	JLT  edge
	CMPQ j, i
	JLT  edge

	VPCMPEQD mask, mask, mask // add the pairs of 16 documents
	PAIRS(0, sumG0, sumH0)
	VPCMPEQD mask, mask, mask
	PAIRS(32, sumG1, sumH1)
	ADDQ $16, j
	JMP  vector

edge:
	EDGE(0) // add the pairs of the documents from i to N−1
	PAIRS(0, sumG0, sumH0)
	EDGE(8)
	PAIRS(32, sumG1, sumH1)
	ADDQ $16, j
	JMP  vector

reduce:
	REDUCE
	VMOVSS -4(grad)(i*4), X6 // grad[i] −= its sum; hess[i] += its sum
	VMOVSS -4(hess)(i*4), X8
	VSUBSS X5, X6, X6
	VADDSS X7, X8, X8
	VMOVSS X6, -4(grad)(i*4)
	VMOVSS X8, -4(hess)(i*4)
#ifdef UNBIASED
	VMOVUPS sumPlus-288(SP), Y5; VMOVUPS sumPlus-256(SP), Y6 // losses of i += their sums
	VMOVUPS sumMinus-224(SP), Y7; VMOVUPS sumMinus-192(SP), Y8
	REDUCE
	MOVQ LambdaDocs_PlusLoss(query), AX; VADDSS -4(AX)(i*4), X5, X5; VMOVSS X5, -4(AX)(i*4)
	MOVQ LambdaDocs_MinusLoss(query), AX; VADDSS -4(AX)(i*4), X7, X7; VMOVSS X7, -4(AX)(i*4)
#endif
	JMP document

done:
#undef grad
#undef hess
#undef query
#undef score
#undef gain
#undef v
#undef f
#undef i
#undef j
#undef lane
#undef scoreI
#undef gainI
#undef uI
#undef eI
#undef one
#undef sumG0
#undef sumG1
#undef sumH0
#undef sumH1
#undef mask
#undef w
#undef x
#undef better
