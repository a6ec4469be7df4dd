// The body of the kernels of kernels_block_arm64.s, which says what the macros of each kernel are.
//
// Four queries and four rows at a time: the sums of the sixteen pairs stay in registers, four lanes
// each, all of which are exact. Where fewer queries are left, the last one takes the place of those
// that are missing, and writes the same results again. Fewer than four last rows are computed
// together with some before them once more.
//
// R0-R3: the queries; R4-R7: the rows; R8: steps left; R9, R17: anything; R10: the place of the
// first query and row in dst; R11: rows left; R12-R14: the distances of the other queries from
// there; R15: the distance of rows in bytes; R16: queries left; R19: the queries; R20: the rows;
// R21, R22: the products of rows and of queries with themselves; R23: the metric; R24: columns in
// bytes; R25: the place of the first query in dst. V0-V15: the sums, those of the first query
// first; V16-V23: the queries, two vectors each; V24, V25: a row; V26-V30: anything; V31: the mask
// of the last vector.

// Two vectors of row j at R, and of each query.
#define ROW(R, a, b, c, d) \
	FLDPQ (R), (F24, F25)                  \
	TERMS(24, V24, 16, V16, 18, V18, a, b) \
	TERMS(24, V24, 20, V20, 22, V22, c, d) \
	TERMS(25, V25, 17, V17, 19, V19, a, b) \
	TERMS(25, V25, 21, V21, 23, V23, c, d)

// A vector of each query in V16, V18, V20 and V22, of each row in V17, V19, V21 and V23.
#define VECTORS \
	TERMS(17, V17, 16, V16, 18, V18, 0, 4)  \
	TERMS(17, V17, 20, V20, 22, V22, 8, 12) \
	TERMS(19, V19, 16, V16, 18, V18, 1, 5)  \
	TERMS(19, V19, 20, V20, 22, V22, 9, 13) \
	TERMS(21, V21, 16, V16, 18, V18, 2, 6)  \
	TERMS(21, V21, 20, V20, 22, V22, 10, 14) \
	TERMS(23, V23, 16, V16, 18, V18, 3, 7)  \
	TERMS(23, V23, 20, V20, 22, V22, 11, 15)

#define MOVE(n) \
	ADD n, R0 \
	ADD n, R1 \
	ADD n, R2 \
	ADD n, R3 \
	ADD n, R4 \
	ADD n, R5 \
	ADD n, R6 \
	ADD n, R7

// The vector that ends R17 bytes from R, under the mask.
#define LAST(R, F, V) \
	ADD  R17, R, R9 \
	FMOVQ (R9), F   \
	VAND V31.B16, V.B16, V.B16

// The sums of four lanes of each of four pairs, in the first of them.
#define SUMS(A, B, C, D) \
	VADDP B.S4, A.S4, A.S4 \
	VADDP D.S4, C.S4, C.S4 \
	VADDP C.S4, A.S4, A.S4

// Distances: the products of the query, in lane i of V17, and of the rows, in V16, with themselves,
// less twice the sums.
#define DISTANCES(i, V) \
	VDUP V17.S[i], V18.S4    \
	VADD V16.S4, V18.S4, V18.S4 \
	VADD V.S4, V.S4, V.S4    \
	VSUB V.S4, V18.S4, V.S4

// Cosines of the sums in V, number n: the query's product with itself is number i of those at R22,
// those of the rows are in V16 and V17. A product of 0 makes a cosine of 0.
#define COSINES(i, n) \
	MOVW (4*i)(R22), R17      \
	SCVTFD R17, F18           \
	VDUP V18.D[0], V18.D2     \
	FMULD2(16, 18, 20)        \
	FMULD2(17, 18, 21)        \
	FSQRTD2(20, 22)           \
	FSQRTD2(21, 23)           \
	SSHLLD2(n, 24)            \
	SSHLL2D2(n, 25)           \
	SCVTFD2(24, 24)           \
	SCVTFD2(25, 25)           \
	FDIVD2(22, 24, 24)        \
	FDIVD2(23, 25, 25)        \
	FCMEQ0D2(20, 20)          \
	FCMEQ0D2(21, 21)          \
	BIC16(20, 24, 24)         \
	BIC16(21, 25, 25)         \
	FCVTND2(24, n)            \
	FCVTN2D2(25, n)

	MOVD dst_base+0(FP), R25
	MOVD q_base+32(FP), R19
	MOVD queries+56(FP), R16
	MOVD cols+104(FP), R24
	MOVD stride+112(FP), R15
	MOVD own+120(FP), R22
	MOVBU metric+136(FP), R23
	LSL  $LOG, R24
	LSL  $LOG, R15
	MOVD $github·com∕simdrank∕simdrank∕internal∕kern·Masks+16(SB), R9
	AND  $15, R24, R17
	ADD  R17, R9
	FMOVQ (R9), F31

queries:
	MOVD R25, R10
	MOVD a_base+72(FP), R20
	MOVD rows+96(FP), R11
	MOVD norm+128(FP), R21

	// the next three queries, or the last one
	MOVD qstride+64(FP), R9
	MOVD dstride+24(FP), R17
	LSL  $LOG, R9
	LSL  $2, R17
	MOVD R19, R0
	CMP  $2, R16
	CSEL GE, R17, ZR, R12
	CSEL GE, R9, ZR, R1
	ADD  R0, R1
	CMP  $3, R16
	CSEL GE, R17, ZR, R13
	CSEL GE, R9, ZR, R2
	ADD  R12, R13
	ADD  R1, R2
	CMP  $4, R16
	CSEL GE, R17, ZR, R14
	CSEL GE, R9, ZR, R3
	ADD  R13, R14
	ADD  R2, R3

rows:
	MOVD R20, R4
	ADD  R15, R4, R5
	ADD  R15, R5, R6
	ADD  R15, R6, R7
	VEOR V0.B16, V0.B16, V0.B16
	VEOR V1.B16, V1.B16, V1.B16
	VEOR V2.B16, V2.B16, V2.B16
	VEOR V3.B16, V3.B16, V3.B16
	VEOR V4.B16, V4.B16, V4.B16
	VEOR V5.B16, V5.B16, V5.B16
	VEOR V6.B16, V6.B16, V6.B16
	VEOR V7.B16, V7.B16, V7.B16
	VEOR V8.B16, V8.B16, V8.B16
	VEOR V9.B16, V9.B16, V9.B16
	VEOR V10.B16, V10.B16, V10.B16
	VEOR V11.B16, V11.B16, V11.B16
	VEOR V12.B16, V12.B16, V12.B16
	VEOR V13.B16, V13.B16, V13.B16
	VEOR V14.B16, V14.B16, V14.B16
	VEOR V15.B16, V15.B16, V15.B16
	LSR  $5, R24, R8
	CBZ  R8, rest
	PCALIGN $16

step:
	FLDPQ (R0), (F16, F17)
	FLDPQ (R1), (F18, F19)
	FLDPQ (R2), (F20, F21)
	FLDPQ (R3), (F22, F23)
	ROW(R4, 0, 4, 8, 12)
	ROW(R5, 1, 5, 9, 13)
	ROW(R6, 2, 6, 10, 14)
	ROW(R7, 3, 7, 11, 15)
	MOVE($32)
	SUBS $1, R8
	BNE  step

rest:
	TBZ  $4, R24, last
	FMOVQ (R0), F16
	FMOVQ (R1), F18
	FMOVQ (R2), F20
	FMOVQ (R3), F22
	FMOVQ (R4), F17
	FMOVQ (R5), F19
	FMOVQ (R6), F21
	FMOVQ (R7), F23
	VECTORS
	MOVE($16)

last: // the vector that ends with the last byte
	ANDS $15, R24, R17
	BEQ  sum
	SUB  $16, R17
	LAST(R0, F16, V16)
	LAST(R1, F18, V18)
	LAST(R2, F20, V20)
	LAST(R3, F22, V22)
	LAST(R4, F17, V17)
	LAST(R5, F19, V19)
	LAST(R6, F21, V21)
	LAST(R7, F23, V23)
	VECTORS

sum: // of each query, to V0, V4, V8 and V12
	AND  $~15, R24, R17
	SUB  R17, R0
	SUB  R17, R1
	SUB  R17, R2
	SUB  R17, R3
	FOLD
	SUMS(V0, V1, V2, V3)
	SUMS(V4, V5, V6, V7)
	SUMS(V8, V9, V10, V11)
	SUMS(V12, V13, V14, V15)
	CBZ  R23, convert
	FMOVQ (R21), F16
	CMP  $1, R23
	BNE  cosines
	FMOVQ (R22), F17
	DISTANCES(0, V0)
	DISTANCES(1, V4)
	DISTANCES(2, V8)
	DISTANCES(3, V12)
	B    convert

cosines:
	SSHLL2D2(16, 17)
	SSHLLD2(16, 16)
	SCVTFD2(17, 17)
	SCVTFD2(16, 16)
	COSINES(0, 0)
	COSINES(1, 4)
	COSINES(2, 8)
	COSINES(3, 12)
	B    store

convert:
	SCVTFS4(0, 0)
	SCVTFS4(4, 4)
	SCVTFS4(8, 8)
	SCVTFS4(12, 12)

store:
	FMOVQ F0, (R10)
	ADD  R12, R10, R17
	FMOVQ F4, (R17)
	ADD  R13, R10, R17
	FMOVQ F8, (R17)
	ADD  R14, R10, R17
	FMOVQ F12, (R17)

	// the next four rows, or the last four
	SUBS $4, R11
	BEQ  next
	MOVD $4, R9
	CMP  R9, R11
	CSEL LT, R11, R9, R17
	CSEL LT, R9, R11, R11
	MADD R17, R20, R15, R20
	ADD  R17<<2, R10
	ADD  R17<<2, R21
	B    rows

next: // the next four queries
	MOVD qstride+64(FP), R9
	MOVD dstride+24(FP), R17
	ADD  R9<<(LOG+2), R19
	ADD  R17<<4, R25
	ADD  $16, R22
	SUBS $4, R16
	BGT  queries
	RET

#undef ROW
#undef VECTORS
#undef MOVE
#undef LAST
#undef SUMS
#undef DISTANCES
#undef COSINES
