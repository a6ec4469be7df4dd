// The body of the blocks of queries in kernels_many_amd64.s, which says what TERM of each metric
// is.
//
// Two queries and four rows at a time: eight pairs. The 64 lanes that DotF32 documents are summed
// in eight passes over the columns, a vector of lanes of each pair in each. The rows of a call stay
// in L1, and so do the two queries. Meanwhile some lines of the rows that follow are fetched to L2.
//
// SI: the two queries; R8: their distance in bytes; R13: queries left. DI: the four rows; R9: the
// distance of two, R10: of four; R12: rows left. BX: whole steps of 64 columns, CX: those left;
// R11: the first lane of the pass; AX: where its sums go; DX: what is fetched. Y0-Y7: the lanes of
// the pairs, those of the first query first; Y8, Y9: the queries; Y10: a row; Y11-Y14: anything;
// Y15: −0.

// A vector of a row and of both queries.
#define ROW(row, a, b) \
	VMOVUPS row, Y10   \
	TERM(Y8, Y10, a)   \
	TERM(Y9, Y10, b)

#define STEP \
	VMOVUPS (SI), Y8           \
	VMOVUPS (SI)(R8*1), Y9     \
	ROW((DI), Y0, Y4)          \
	ROW((DI)(R9*1), Y1, Y5)    \
	ROW((DI)(R9*2), Y2, Y6)    \
	ROW((DI)(R10*1), Y3, Y7)

// The first lanes of Y12, which end the vector: +0 in the others of a query, −0 in those of a row.
#define RESTROW(row, a, b) \
	VPERMPS row, Y11, Y10    \
	VANDPS Y12, Y10, Y10     \
	VORPS Y13, Y10, Y10      \
	TERM(Y8, Y10, a)         \
	TERM(Y9, Y10, b)

// The sums of pair i: the lower half of the 16 sums, and the upper one.
#define LANES(i, sum) \
	VMOVUPS (i*32-2048)(AX), sum            \
	VMOVUPS (i*32+1*256-2048)(AX), Y8       \
	VMOVUPS (i*32+4*256-2048)(AX), Y9       \
	VMOVUPS (i*32+5*256-2048)(AX), Y10      \
	VADDPS (i*32+2*256-2048)(AX), sum, sum  \
	VADDPS (i*32+3*256-2048)(AX), Y8, Y8    \
	VADDPS (i*32+6*256-2048)(AX), Y9, Y9    \
	VADDPS (i*32+7*256-2048)(AX), Y10, Y10  \
	VADDPS Y9, sum, sum                     \
	VADDPS Y10, Y8, Y8                      \
	VADDPS Y8, sum, sum

// The halves of two sums added, those of a in the lower half of it.
#define HALVE(a, b) \
	VPERM2F128 $0x20, b, a, Y8 \
	VPERM2F128 $0x31, b, a, Y9 \
	VADDPS Y9, Y8, a

	MOVQ q_base+32(FP), SI
	MOVQ queries+56(FP), R13
	MOVQ qstride+64(FP), R8
	MOVQ rows+96(FP), DX
	MOVQ cols+104(FP), BX
	MOVQ stride+112(FP), R9
	SHLQ $2, R8
	SHLQ $2, R9
	LEAQ (R9)(R9*2), R10
	SHRQ $6, BX
	IMULQ R9, DX
	ADDQ a_base+72(FP), DX // what follows the rows
	VPCMPEQD Y15, Y15, Y15
	VPSLLD $31, Y15, Y15

queries:
	MOVQ a_base+72(FP), DI
	MOVQ rows+96(FP), R12

rows:
	MOVQ lines+120(FP), CX
	TESTQ CX, CX
	JEQ begin

fetch:
	PREFETCHT1 (DX)
	ADDQ $64, DX
	DECQ CX
	JNE fetch

begin:
	XORL R11, R11
	MOVQ lanes+128(FP), AX
	ADDQ $63, AX
	ANDQ $-64, AX // stores that cross a line take several times as long

pass:
	VMOVAPS Y15, Y0
	VMOVAPS Y15, Y1
	VMOVAPS Y15, Y2
	VMOVAPS Y15, Y3
	VMOVAPS Y15, Y4
	VMOVAPS Y15, Y5
	VMOVAPS Y15, Y6
	VMOVAPS Y15, Y7
	MOVQ BX, CX
	TESTQ CX, CX
	JEQ rest
	PCALIGN $32

step:
	STEP
	ADDQ $256, SI
	ADDQ $256, DI
	DECQ CX
	JNE step

rest:
	MOVQ cols+104(FP), CX
	ANDQ $63, CX
	SUBQ R11, CX
	JLE store
	CMPQ CX, $8
	JLT part
	STEP

store:
	VMOVUPS Y0, (AX)
	VMOVUPS Y1, 32(AX)
	VMOVUPS Y2, 64(AX)
	VMOVUPS Y3, 96(AX)
	VMOVUPS Y4, 128(AX)
	VMOVUPS Y5, 160(AX)
	VMOVUPS Y6, 192(AX)
	VMOVUPS Y7, 224(AX)
	ADDQ $256, AX
	MOVQ BX, CX
	SHLQ $8, CX
	SUBQ $32, CX
	SUBQ CX, SI
	SUBQ CX, DI
	ADDQ $8, R11
	CMPQ R11, $64
	JLT pass
	SUBQ $256, SI
	SUBQ $256, DI
	LANES(0, Y0)
	LANES(1, Y1)
	LANES(2, Y2)
	LANES(3, Y3)
	LANES(4, Y4)
	LANES(5, Y5)
	LANES(6, Y6)
	LANES(7, Y7)
	HALVE(Y0, Y4)
	HALVE(Y1, Y5)
	HALVE(Y2, Y6)
	HALVE(Y3, Y7)
	VUNPCKLPD Y1, Y0, Y8
	VUNPCKHPD Y1, Y0, Y9
	VUNPCKLPD Y3, Y2, Y10
	VUNPCKHPD Y3, Y2, Y11
	VADDPS Y9, Y8, Y0
	VADDPS Y11, Y10, Y1
	VSHUFPS $0x88, Y1, Y0, Y8
	VSHUFPS $0xdd, Y1, Y0, Y9
	VADDPS Y9, Y8, Y0
	MOVQ dst_base+0(FP), CX
	MOVQ dstride+24(FP), AX
	VMOVUPS X0, (CX)
	VEXTRACTF128 $1, Y0, (CX)(AX*4)
	ADDQ $16, CX
	MOVQ CX, dst_base+0(FP)
	LEAQ (DI)(R9*4), DI
	SUBQ $4, R12
	JNE rows

	// the next two queries
	MOVQ rows+96(FP), R11
	SHLQ $2, R11
	SUBQ R11, CX
	LEAQ (CX)(AX*8), CX
	MOVQ CX, dst_base+0(FP)
	LEAQ (SI)(R8*2), SI
	SUBQ $2, R13
	JNE queries
	VZEROUPPER
	RET

part: // up to seven elements: the vector that ends with the last one, its last CX lanes moved to the front
	SHLQ $2, CX
	NEGQ CX
	VMOVQ SI, X14
	LEAQ github·com∕simdrank∕simdrank∕internal∕kern·Iota(SB), SI
	VMOVUPS 32(SI)(CX*1), Y11
	LEAQ github·com∕simdrank∕simdrank∕internal∕kern·Masks(SB), SI
	VMOVUPS 96(SI)(CX*1), Y12
	VANDNPS Y15, Y12, Y13
	VMOVQ X14, SI
	NEGQ CX
	SUBQ $32, CX
	ADDQ CX, SI
	ADDQ CX, DI
	VPERMPS (SI), Y11, Y8
	VPERMPS (SI)(R8*1), Y11, Y9
	VANDPS Y12, Y8, Y8
	VANDPS Y12, Y9, Y9
	RESTROW((DI), Y0, Y4)
	RESTROW((DI)(R9*1), Y1, Y5)
	RESTROW((DI)(R9*2), Y2, Y6)
	RESTROW((DI)(R10*1), Y3, Y7)
	SUBQ CX, SI
	SUBQ CX, DI
	JMP store

#undef ROW
#undef STEP
#undef RESTROW
#undef LANES
#undef HALVE
