// The body of the blocks of queries in kernels_many_arm64.s, which says what TERM of each metric
// is.
//
// Two queries and four rows at a time: eight pairs. The 64 lanes that DotF32 documents are summed
// in eight passes over the columns, two vectors of lanes of each pair in each. The rows of a call
// stay in L1, and so do the two queries.
//
// R0, R1: the two queries; R2-R5: the four rows; R6: steps of 64 columns, R7: those left; R8: the
// columns after them, less those of the passes before; R9: where the sums of a pass go; R10: passes
// left; R11: rows left; R12: the first query's place in dst, R13: the second query's distance from
// there; R14, R15: the distance of queries and of rows in bytes; R16: queries left; R17: anything;
// R19, R20: the queries, the rows. V0-V15: the lanes of the pairs, those of the first query first;
// V16-V19: the queries; V20, V21: a row; V22: anything; V31: −0.

// Two vectors of a row and of both queries, or one.
#define ROW(R, a, b, c, d) \
	FLDPQ (R), (F20, F21)  \
	TERM(20, V20, 16, V16, a) \
	TERM(21, V21, 17, V17, b) \
	TERM(20, V20, 18, V18, c) \
	TERM(21, V21, 19, V19, d)

#define STEP \
	FLDPQ (R0), (F16, F17)      \
	FLDPQ (R1), (F18, F19)      \
	ROW(R2, V0, V1, V8, V9)     \
	ROW(R3, V2, V3, V10, V11)   \
	ROW(R4, V4, V5, V12, V13)   \
	ROW(R5, V6, V7, V14, V15)

#define HALFROW(R, a, c) \
	FMOVQ (R), F20            \
	TERM(20, V20, 16, V16, a) \
	TERM(20, V20, 18, V18, c)

#define MOVE(n, op) \
	op n, R0 \
	op n, R1 \
	op n, R2 \
	op n, R3 \
	op n, R4 \
	op n, R5

// The sum of pair i, four elements: (g0+g1)+(g2+g3), then halves.
#define LANES(i, sum) \
	FLDPQ (i*32)(R9), (F16, F17)       \
	FLDPQ (i*32+256)(R9), (F18, F19)   \
	FLDPQ (i*32+512)(R9), (F20, F21)   \
	FLDPQ (i*32+768)(R9), (F22, F23)   \
	FLDPQ (i*32)(R17), (F24, F25)      \
	FLDPQ (i*32+256)(R17), (F26, F27)  \
	FLDPQ (i*32+512)(R17), (F28, F29)  \
	FLDPQ (i*32+768)(R17), (F30, F31)  \
	FADDS4(20, 16, 16) \
	FADDS4(21, 17, 17) \
	FADDS4(22, 18, 18) \
	FADDS4(23, 19, 19) \
	FADDS4(28, 24, 24) \
	FADDS4(29, 25, 25) \
	FADDS4(30, 26, 26) \
	FADDS4(31, 27, 27) \
	FADDS4(24, 16, 16) \
	FADDS4(25, 17, 17) \
	FADDS4(26, 18, 18) \
	FADDS4(27, 19, 19) \
	FADDS4(18, 16, 16) \
	FADDS4(19, 17, 17) \
	FADDS4(17, 16, sum)

// The sums of four times four elements, in V20.
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

	MOVD dst_base+0(FP), R12
	MOVD dstride+24(FP), R13
	MOVD q_base+32(FP), R19
	MOVD queries+56(FP), R16
	MOVD qstride+64(FP), R14
	MOVD cols+104(FP), R6
	MOVD stride+112(FP), R15
	LSL  $2, R13
	LSL  $2, R14
	LSL  $2, R15
	LSR  $6, R6

queries:
	MOVD a_base+72(FP), R20
	MOVD rows+96(FP), R11

rows:
	MOVD R19, R0
	ADD  R14, R0, R1
	MOVD R20, R2
	ADD  R15, R2, R3
	ADD  R15, R3, R4
	ADD  R15, R4, R5
	MOVD cols+104(FP), R8
	AND  $63, R8
	MOVD lanes+120(FP), R9
	MOVD $8, R10

pass:
	MOVD $0x80000000, R17
	VDUP R17, V31.S4
	VMOV V31.B16, V0.B16
	VMOV V31.B16, V1.B16
	VMOV V31.B16, V2.B16
	VMOV V31.B16, V3.B16
	VMOV V31.B16, V4.B16
	VMOV V31.B16, V5.B16
	VMOV V31.B16, V6.B16
	VMOV V31.B16, V7.B16
	VMOV V31.B16, V8.B16
	VMOV V31.B16, V9.B16
	VMOV V31.B16, V10.B16
	VMOV V31.B16, V11.B16
	VMOV V31.B16, V12.B16
	VMOV V31.B16, V13.B16
	VMOV V31.B16, V14.B16
	VMOV V31.B16, V15.B16
	CBZ  R6, rest
	MOVD R6, R7
	PCALIGN $16

step:
	STEP
	MOVE($256, ADD)
	SUBS $1, R7
	BNE  step

rest:
	CMP  $4, R8
	BLT  store
	BEQ  half
	STEP
	B    store

half:
	FMOVQ (R0), F16
	FMOVQ (R1), F18
	HALFROW(R2, V0, V8)
	HALFROW(R3, V2, V10)
	HALFROW(R4, V4, V12)
	HALFROW(R5, V6, V14)

store:
	FSTPQ (F0, F1), (R9)
	FSTPQ (F2, F3), 32(R9)
	FSTPQ (F4, F5), 64(R9)
	FSTPQ (F6, F7), 96(R9)
	FSTPQ (F8, F9), 128(R9)
	FSTPQ (F10, F11), 160(R9)
	FSTPQ (F12, F13), 192(R9)
	FSTPQ (F14, F15), 224(R9)
	ADD  $256, R9
	LSL  $8, R6, R17
	SUB  $32, R17
	MOVE(R17, SUB)
	SUB  $8, R8
	SUBS $1, R10
	BNE  pass
	SUB  $1024, R9, R17
	SUB  $2048, R9
	LANES(0, 0)
	LANES(1, 1)
	LANES(2, 2)
	LANES(3, 3)
	LANES(4, 4)
	LANES(5, 5)
	LANES(6, 6)
	LANES(7, 7)
	SUMS(V0, V1, V2, V3)
	FMOVQ F20, (R12)
	SUMS(V4, V5, V6, V7)
	ADD  R13, R12, R17
	FMOVQ F20, (R17)
	ADD  $16, R12
	ADD  R15<<2, R20
	SUBS $4, R11
	BNE  rows

	// the next two queries
	MOVD rows+96(FP), R11
	SUB  R11<<2, R12
	ADD  R13<<1, R12
	ADD  R14<<1, R19
	SUBS $2, R16
	BNE  queries
	RET

#undef ROW
#undef STEP
#undef HALFROW
#undef MOVE
#undef LANES
#undef SUMS
