// The body of blocks of queries and rows of bytes or bits, for NEON.
//
// Four queries and four rows are processed at a time. The sums of the sixteen pairs are in
// registers, with four exact lanes each. If fewer queries remain, the last query replaces the
// missing ones, and its results are stored several times. If fewer than four rows remain, the last
// four rows are used, some of them again.
//
// The function defines three macros. LOG is the logarithm of an element's bytes. TERMS(w, W, v, V,
// u, U, a, b) adds the terms of 16 bytes of a row (in W, register number w) and of two queries (in
// V and U, register numbers v and u) to the sums a and b. FOLD reduces each sum to four lanes of 32
// bits. An iteration processes 32 bytes of each vector. Then 16 bytes may follow, and the masked
// vector that ends with the last byte.
//
// Registers: R9, R17: scratch; V0-V3, V4-V7, V8-V11, V12-V15: sums of each query; V16-V23: the
// queries, with two vectors each; V24, V25: a row; V26-V30: scratch; V31: mask of the tail.

#define query1      R0 // addresses in four queries
#define query2      R1
#define query3      R2
#define query4      R3
#define row1        R4 // addresses in four rows
#define row2        R5
#define row3        R6
#define row4        R7
#define iterations  R8 // number of remaining iterations of 32 bytes
#define dst         R10 // address of the result of the first query and row
#define dst2        R12 // offsets of the results of the other queries
#define dst3        R13
#define dst4        R14
#define rowsLeft    R11
#define rowBytes    R15 // bytes from a row to the next
#define queriesLeft R16
#define firstQuery  R19 // addresses of four queries and four rows
#define firstRow    R20
#define norms       R21 // address of the rows' products with themselves
#define ownNorms    R22 // address of the queries' products with themselves
#define kind        R23 // metric
#define bytes       R24 // number of bytes of a vector
#define firstDst    R25 // address of the result of the first of four queries and the first row

// Adds the terms of two vectors of the row at R and of each query.
#define ROW(R, a, b, c, d) \
	FLDPQ (R), (F24, F25)                  \
	TERMS(24, V24, 16, V16, 18, V18, a, b) \
	TERMS(24, V24, 20, V20, 22, V22, c, d) \
	TERMS(25, V25, 17, V17, 19, V19, a, b) \
	TERMS(25, V25, 21, V21, 23, V23, c, d)

// Adds the terms of one vector of each query (V16, V18, V20, V22) and of each row (V17, V19, V21,
// V23).
#define VECTORS \
	TERMS(17, V17, 16, V16, 18, V18, 0, 4)   \
	TERMS(17, V17, 20, V20, 22, V22, 8, 12)  \
	TERMS(19, V19, 16, V16, 18, V18, 1, 5)   \
	TERMS(19, V19, 20, V20, 22, V22, 9, 13)  \
	TERMS(21, V21, 16, V16, 18, V18, 2, 6)   \
	TERMS(21, V21, 20, V20, 22, V22, 10, 14) \
	TERMS(23, V23, 16, V16, 18, V18, 3, 7)   \
	TERMS(23, V23, 20, V20, 22, V22, 11, 15)

// Advances the addresses of queries and rows by n bytes.
#define MOVE(n) \
	ADD n, query1; ADD n, query2; ADD n, query3; ADD n, query4; \
	ADD n, row1; ADD n, row2; ADD n, row3; ADD n, row4

// Loads the vector at R + R17 under the mask.
#define LAST(R, F, V) ADD R17, R, R9; FMOVQ (R9), F; VAND V31.B16, V.B16, V.B16

// A = the sums of the four lanes of A, B, C and D.
#define SUMS(A, B, C, D) VADDP B.S4, A.S4, A.S4; VADDP D.S4, C.S4, C.S4; VADDP C.S4, A.S4, A.S4

// V = the distances of query i and four rows: x·x (lane i of V17) + y·y (V16) − 2·x·y (V).
#define DISTANCES(i, V) \
	VDUP V17.S[i], V18.S4       \
	VADD V16.S4, V18.S4, V18.S4 \
	VADD V.S4, V.S4, V.S4       \
	VSUB V.S4, V18.S4, V.S4

// V, register number n, = the cosines of query i and four rows: x·y (V) / √(x·x·y·y), computed in
// float64. y·y is in V16 and V17. The cosine is 0 if the divisor is 0.
#define COSINES(i, n) \
	MOVW (4*i)(ownNorms), R17                  \
	SCVTFD R17, F18; VDUP V18.D[0], V18.D2     \
	FMULD2(16, 18, 20); FMULD2(17, 18, 21)     \
	FSQRTD2(20, 22); FSQRTD2(21, 23)           \
	SSHLLD2(n, 24); SSHLL2D2(n, 25)            \
	SCVTFD2(24, 24); SCVTFD2(25, 25)           \
	FDIVD2(22, 24, 24); FDIVD2(23, 25, 25)     \
	FCMEQ0D2(20, 20); FCMEQ0D2(21, 21)         \
	BIC16(20, 24, 24); BIC16(21, 25, 25)       \
	FCVTND2(24, n); FCVTN2D2(25, n)

	MOVD dst_base+0(FP), firstDst
	MOVD q_base+32(FP), firstQuery
	MOVD queries+56(FP), queriesLeft
	MOVD cols+104(FP), bytes
	MOVD stride+112(FP), rowBytes
	MOVD own+120(FP), ownNorms
	MOVBU metric+136(FP), kind
	LSL  $LOG, bytes // convert lengths and strides to bytes
	LSL  $LOG, rowBytes
	MOVD $github·com∕simdrank∕simdrank∕internal∕kern·Masks+16(SB), R9
	AND  $15, bytes, R17 // V31 = mask of the last bytes % 16 bytes
	ADD  R17, R9
	FMOVQ (R9), F31

fourQueries:
	MOVD firstDst, dst
	MOVD a_base+72(FP), firstRow
	MOVD rows+96(FP), rowsLeft
	MOVD norm+128(FP), norms
	MOVD qstride+64(FP), R9 // R9 = bytes from a query to the next; R17 = bytes from its results to the next
	MOVD dstride+24(FP), R17
	LSL  $LOG, R9
	LSL  $2, R17
	MOVD firstQuery, query1 // second query, or the first one again
	CMP  $2, queriesLeft
	CSEL GE, R17, ZR, dst2
	CSEL GE, R9, ZR, query2
	ADD  query1, query2
	CMP  $3, queriesLeft // third query, or the previous one again
	CSEL GE, R17, ZR, dst3
	CSEL GE, R9, ZR, query3
	ADD  dst2, dst3
	ADD  query2, query3
	CMP  $4, queriesLeft // fourth query, or the previous one again
	CSEL GE, R17, ZR, dst4
	CSEL GE, R9, ZR, query4
	ADD  dst3, dst4
	ADD  query3, query4

fourRows:
	MOVD firstRow, row1
	ADD  rowBytes, row1, row2
	ADD  rowBytes, row2, row3
	ADD  rowBytes, row3, row4
	VEOR V0.B16, V0.B16, V0.B16; VEOR V1.B16, V1.B16, V1.B16; VEOR V2.B16, V2.B16, V2.B16 // all sums = 0
	VEOR V3.B16, V3.B16, V3.B16; VEOR V4.B16, V4.B16, V4.B16; VEOR V5.B16, V5.B16, V5.B16
	VEOR V6.B16, V6.B16, V6.B16; VEOR V7.B16, V7.B16, V7.B16; VEOR V8.B16, V8.B16, V8.B16
	VEOR V9.B16, V9.B16, V9.B16; VEOR V10.B16, V10.B16, V10.B16; VEOR V11.B16, V11.B16, V11.B16
	VEOR V12.B16, V12.B16, V12.B16; VEOR V13.B16, V13.B16, V13.B16; VEOR V14.B16, V14.B16, V14.B16
	VEOR V15.B16, V15.B16, V15.B16
	LSR  $5, bytes, iterations // if bytes < 32: goto below32
	CBZ  iterations, below32
	PCALIGN $16

loop:
	FLDPQ (query1), (F16, F17) // sums += terms of 32 bytes of 16 pairs
	FLDPQ (query2), (F18, F19)
	FLDPQ (query3), (F20, F21)
	FLDPQ (query4), (F22, F23)
	ROW(row1, 0, 4, 8, 12)
	ROW(row2, 1, 5, 9, 13)
	ROW(row3, 2, 6, 10, 14)
	ROW(row4, 3, 7, 11, 15)
	MOVE($32) // advance; while iterations remain
	SUBS $1, iterations
	BNE  loop

below32:
	TBZ  $4, bytes, tail
	FMOVQ (query1), F16 // load 16 bytes of the queries
	FMOVQ (query2), F18
	FMOVQ (query3), F20
	FMOVQ (query4), F22
	FMOVQ (row1), F17 // load 16 bytes of the rows
	FMOVQ (row2), F19
	FMOVQ (row3), F21
	FMOVQ (row4), F23
	VECTORS
	MOVE($16)

tail:
	ANDS $15, bytes, R17
	BEQ  sum
	SUB  $16, R17 // load the masked vectors of the queries that end with the last byte
	LAST(query1, F16, V16)
	LAST(query2, F18, V18)
	LAST(query3, F20, V20)
	LAST(query4, F22, V22)
	LAST(row1, F17, V17) // load the masked vectors of the rows
	LAST(row2, F19, V19)
	LAST(row3, F21, V21)
	LAST(row4, F23, V23)
	VECTORS

sum:
	AND  $~15, bytes, R17 // move the queries back to their start
	SUB  R17, query1
	SUB  R17, query2
	SUB  R17, query3
	SUB  R17, query4
	FOLD // V0, V4, V8, V12 = x·y of each query and four rows
	SUMS(V0, V1, V2, V3)
	SUMS(V4, V5, V6, V7)
	SUMS(V8, V9, V10, V11)
	SUMS(V12, V13, V14, V15)
	CBZ  kind, convert // if the metric is the dot product: goto convert
	FMOVQ (norms), F16
	CMP  $1, kind
	BNE  cosines
	FMOVQ (ownNorms), F17 // compute distances
	DISTANCES(0, V0); DISTANCES(1, V4); DISTANCES(2, V8); DISTANCES(3, V12)
	B    convert

cosines:
	SSHLL2D2(16, 17) // convert y·y to float64, and compute cosines
	SSHLLD2(16, 16)
	SCVTFD2(17, 17)
	SCVTFD2(16, 16)
	COSINES(0, 0); COSINES(1, 4); COSINES(2, 8); COSINES(3, 12)
	B    store

convert:
	SCVTFS4(0, 0); SCVTFS4(4, 4); SCVTFS4(8, 8); SCVTFS4(12, 12) // convert to float32

store:
	FMOVQ F0, (dst) // store four results of each query
	ADD  dst2, dst, R17
	FMOVQ F4, (R17)
	ADD  dst3, dst, R17
	FMOVQ F8, (R17)
	ADD  dst4, dst, R17
	FMOVQ F12, (R17)
	SUBS $4, rowsLeft // R17 = number of rows to advance, so that four rows remain
	BEQ  nextQueries
	MOVD $4, R9
	CMP  R9, rowsLeft
	CSEL LT, rowsLeft, R9, R17
	CSEL LT, R9, rowsLeft, rowsLeft
	MADD R17, firstRow, rowBytes, firstRow // advance by R17 rows
	ADD  R17<<2, dst
	ADD  R17<<2, norms
	B    fourRows

nextQueries:
	MOVD qstride+64(FP), R9 // advance by four queries
	MOVD dstride+24(FP), R17
	ADD  R9<<(LOG+2), firstQuery
	ADD  R17<<4, firstDst
	ADD  $16, ownNorms
	SUBS $4, queriesLeft
	BGT  fourQueries
	RET

#undef query1
#undef query2
#undef query3
#undef query4
#undef row1
#undef row2
#undef row3
#undef row4
#undef iterations
#undef dst
#undef dst2
#undef dst3
#undef dst4
#undef rowsLeft
#undef rowBytes
#undef queriesLeft
#undef firstQuery
#undef firstRow
#undef norms
#undef ownNorms
#undef kind
#undef bytes
#undef firstDst
#undef ROW
#undef VECTORS
#undef MOVE
#undef LAST
#undef SUMS
#undef DISTANCES
#undef COSINES
#undef LOG
#undef TERMS
#undef FOLD
