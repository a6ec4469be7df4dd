// The body of blocks of queries and rows of float32. It processes two queries and four rows, which
// are eight pairs, at a time. It makes eight passes over the columns. Each pass sums 8 of the 64
// lanes that DotF32 documents, which are two vectors per pair. The rows of a call and the two
// queries stay in L1. The function defines TERM(j, W, i, V, lane), which adds the terms of elements
// of a row (in W, register number j) and of a query (in V, register number i) to a lane.
//
// Registers: R17: scratch; V0-V7: lanes of the four rows and the first query; V8-V15: lanes of the
// four rows and the second query; V16-V19: the queries; V20, V21: a row; V22: scratch; V31: −0.

#define query1      R0 // addresses in two queries, at the columns of the pass
#define query2      R1
#define row1        R2 // addresses in four rows, at the columns of the pass
#define row2        R3
#define row3        R4
#define row4        R5
#define iterations  R6 // number of iterations of 64 columns
#define iterLeft    R7
#define tailCols    R8 // number of columns after the iterations, without columns of earlier passes
#define sums        R9 // address of the pass's lanes in memory
#define passes      R10 // number of remaining passes
#define rowsLeft    R11
#define dst         R12 // address of the result of the first query and row
#define dstBytes    R13 // bytes from a query to the next in dst
#define queryBytes  R14 // bytes from a query to the next
#define rowBytes    R15 // bytes from a row to the next
#define queriesLeft R16
#define firstQuery  R19 // addresses of two queries and four rows
#define firstRow    R20

// Adds the terms of two vectors of the row at R and of both queries.
#define ROW(R, a, b, c, d) \
	FLDPQ (R), (F20, F21)     \
	TERM(20, V20, 16, V16, a) \
	TERM(21, V21, 17, V17, b) \
	TERM(20, V20, 18, V18, c) \
	TERM(21, V21, 19, V19, d)

// Adds the terms of two vectors of each row and query.
#define ROWS \
	FLDPQ (query1), (F16, F17)    \
	FLDPQ (query2), (F18, F19)    \
	ROW(row1, V0, V1, V8, V9)     \
	ROW(row2, V2, V3, V10, V11)   \
	ROW(row3, V4, V5, V12, V13)   \
	ROW(row4, V6, V7, V14, V15)

// Adds the terms of one vector of the row at R and of both queries.
#define HALFROW(R, a, c) FMOVQ (R), F20; TERM(20, V20, 16, V16, a); TERM(20, V20, 18, V18, c)

// Advances the addresses of queries and rows by n bytes (ADD), or moves them back (SUB).
#define MOVE(n, op) op n, query1; op n, query2; op n, row1; op n, row2; op n, row3; op n, row4

// sum = the lanes of pair i, (g₀+g₁)+(g₂+g₃), reduced by halves to four elements. R17 is the
// address of the lanes of the last four passes.
#define LANES(i, sum) \
	FLDPQ (i*32)(sums), (F16, F17)      \
	FLDPQ (i*32+256)(sums), (F18, F19)  \
	FLDPQ (i*32+512)(sums), (F20, F21)  \
	FLDPQ (i*32+768)(sums), (F22, F23)  \
	FLDPQ (i*32)(R17), (F24, F25)       \
	FLDPQ (i*32+256)(R17), (F26, F27)   \
	FLDPQ (i*32+512)(R17), (F28, F29)   \
	FLDPQ (i*32+768)(R17), (F30, F31)   \
	FADDS4(20, 16, 16); FADDS4(21, 17, 17); FADDS4(22, 18, 18); FADDS4(23, 19, 19) \
	FADDS4(28, 24, 24); FADDS4(29, 25, 25); FADDS4(30, 26, 26); FADDS4(31, 27, 27) \
	FADDS4(24, 16, 16); FADDS4(25, 17, 17); FADDS4(26, 18, 18); FADDS4(27, 19, 19) \
	FADDS4(18, 16, 16); FADDS4(19, 17, 17); FADDS4(17, 16, sum)

// V20 = the sums of the four elements of A, B, C and D.
#define SUMS(A, B, C, D) \
	VZIP1 B.D2, A.D2, V16.D2     \
	VZIP2 B.D2, A.D2, V17.D2     \
	VZIP1 D.D2, C.D2, V18.D2     \
	VZIP2 D.D2, C.D2, V19.D2     \
	FADDS4(17, 16, 16)           \
	FADDS4(19, 18, 18)           \
	VUZP1 V18.S4, V16.S4, V20.S4 \
	VUZP2 V18.S4, V16.S4, V21.S4 \
	FADDS4(21, 20, 20)

	MOVD dst_base+0(FP), dst
	MOVD dstride+24(FP), dstBytes
	MOVD q_base+32(FP), firstQuery
	MOVD queries+56(FP), queriesLeft
	MOVD qstride+64(FP), queryBytes // convert strides to bytes; iterations = cols/64
	MOVD cols+104(FP), iterations
	MOVD stride+112(FP), rowBytes
	LSL  $2, dstBytes
	LSL  $2, queryBytes
	LSL  $2, rowBytes
	LSR  $6, iterations

twoQueries:
	MOVD a_base+72(FP), firstRow
	MOVD rows+96(FP), rowsLeft

fourRows:
	MOVD firstQuery, query1 // start two queries and four rows
	ADD  queryBytes, query1, query2
	MOVD firstRow, row1
	ADD  rowBytes, row1, row2
	ADD  rowBytes, row2, row3
	ADD  rowBytes, row3, row4
	MOVD cols+104(FP), tailCols // tailCols = cols mod 64
	AND  $63, tailCols
	MOVD lanes+120(FP), sums
	MOVD $8, passes

pass:
	MOVD $0x80000000, R17 // lanes of the first query = −0
	VDUP R17, V31.S4
	VMOV V31.B16, V0.B16; VMOV V31.B16, V1.B16; VMOV V31.B16, V2.B16; VMOV V31.B16, V3.B16
	VMOV V31.B16, V4.B16; VMOV V31.B16, V5.B16; VMOV V31.B16, V6.B16; VMOV V31.B16, V7.B16
	VMOV V31.B16, V8.B16; VMOV V31.B16, V9.B16; VMOV V31.B16, V10.B16; VMOV V31.B16, V11.B16 // second query = −0
	VMOV V31.B16, V12.B16; VMOV V31.B16, V13.B16; VMOV V31.B16, V14.B16; VMOV V31.B16, V15.B16
	CBZ  iterations, tail // if cols < 64: goto tail
	MOVD iterations, iterLeft
	PCALIGN $16

loop:
	ROWS // lanes += terms of 8 of 64 columns
	MOVE($256, ADD)
	SUBS $1, iterLeft
	BNE  loop

tail:
	CMP  $4, tailCols // lanes += terms of up to 8 columns after the iterations
	BLT  store
	BEQ  four
	ROWS
	B    store

four:
	FMOVQ (query1), F16 // lanes += terms of 4 columns
	FMOVQ (query2), F18
	HALFROW(row1, V0, V8)
	HALFROW(row2, V2, V10)
	HALFROW(row3, V4, V12)
	HALFROW(row4, V6, V14)

store:
	FSTPQ (F0, F1), (sums) // store the lanes of the pass
	FSTPQ (F2, F3), 32(sums)
	FSTPQ (F4, F5), 64(sums)
	FSTPQ (F6, F7), 96(sums)
	FSTPQ (F8, F9), 128(sums)
	FSTPQ (F10, F11), 160(sums)
	FSTPQ (F12, F13), 192(sums)
	FSTPQ (F14, F15), 224(sums)
	ADD  $256, sums // go back to the first columns, and advance by 8 columns
	LSL  $8, iterations, R17
	SUB  $32, R17
	MOVE(R17, SUB)
	SUB  $8, tailCols
	SUBS $1, passes
	BNE  pass
	SUB  $1024, sums, R17
	SUB  $2048, sums
	LANES(0, 0); LANES(1, 1); LANES(2, 2); LANES(3, 3) // Vi = four elements of the sum of pair i
	LANES(4, 4); LANES(5, 5); LANES(6, 6); LANES(7, 7)
	SUMS(V0, V1, V2, V3) // store four results of each query
	FMOVQ F20, (dst)
	SUMS(V4, V5, V6, V7)
	ADD  dstBytes, dst, R17
	FMOVQ F20, (R17)
	ADD  $16, dst // advance by four rows
	ADD  rowBytes<<2, firstRow
	SUBS $4, rowsLeft
	BNE  fourRows
	MOVD rows+96(FP), rowsLeft // advance by two queries
	SUB  rowsLeft<<2, dst
	ADD  dstBytes<<1, dst
	ADD  queryBytes<<1, firstQuery
	SUBS $2, queriesLeft
	BNE  twoQueries
	RET

#undef query1
#undef query2
#undef row1
#undef row2
#undef row3
#undef row4
#undef iterations
#undef iterLeft
#undef tailCols
#undef sums
#undef passes
#undef rowsLeft
#undef dst
#undef dstBytes
#undef queryBytes
#undef rowBytes
#undef queriesLeft
#undef firstQuery
#undef firstRow
#undef TERM
#undef ROW
#undef ROWS
#undef HALFROW
#undef MOVE
#undef LANES
#undef SUMS
