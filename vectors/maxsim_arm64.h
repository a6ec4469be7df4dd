// The body of the MaxSim kernels for NEON. It processes three rows at a time, with the 32 query
// tokens of the panel. If fewer remain, the last three rows are processed, some of them again. A
// column is an element of float32 or a word of four bytes.
//
// TERM(m, n, d) adds the products of the first column in Vm and the columns of four tokens in Vn to
// Vd. MAX(m, n, d) sets Vd to the maxima of Vm and Vn.
//
// Registers: R8: scratch; V0-V7: sums of the first row and all tokens; V8-V15: of the second row;
// V16-V23: of the third row; V24-V27: a column of four tokens, maxima; V28-V30: a column of each
// row.

#define maxPtr   R0  // address of the next maxima
#define qPtr     R1  // address of the next elements of the query tokens
#define row1     R2  // address of the next element of each row
#define row2     R3
#define row3     R4
#define first    R5  // address of the first row
#define left     R6  // number of remaining rows
#define rowBytes R7  // bytes from a row to the next
#define cols     R10 // number of columns
#define count    R9  // number of remaining columns

// Adds the products of eight tokens to the sums s and s+1 of the first row, and s+8 and s+16 of the
// other rows.
#define TERMS(s, F, G, f, g) \
	FLDPQ.P 32(qPtr), (F, G)                     \
	TERM(28, f, s); TERM(28, g, (s+1))       \
	TERM(29, f, (s+8)); TERM(29, g, (s+9))     \
	TERM(30, f, (s+16)); TERM(30, g, (s+17))

// Raises eight maxima to the sums s and s+1 of the first row and the sums of the other rows. The
// maximum of a NaN and a number is NaN.
#define RAISE(s) \
	FLDPQ (maxPtr), (F24, F25)                 \
	MAX((s+8), s, s); MAX((s+9), (s+1), (s+1))   \
	MAX((s+16), s, s); MAX((s+17), (s+1), (s+1)) \
	MAX(s, 24, 24); MAX((s+1), 25, 25)     \
	FSTPQ.P (F24, F25), 32(maxPtr)


rows:
	CMP  $3, left // if left < 3: first −= (3 − left) rows; left = 3
	BGE  start
	SUB  $3, left
	MUL  rowBytes, left, R8
	ADD  R8, first
	MOVD $3, left

start:
	MOVD q_base+8(FP), qPtr // start three rows
	MOVD first, row1
	ADD  rowBytes, row1, row2
	ADD  rowBytes, row2, row3
	MOVD cols, count
	VEOR V0.B16, V0.B16, V0.B16; VEOR V1.B16, V1.B16, V1.B16; VEOR V2.B16, V2.B16, V2.B16 // sums = 0
	VEOR V3.B16, V3.B16, V3.B16; VEOR V4.B16, V4.B16, V4.B16; VEOR V5.B16, V5.B16, V5.B16
	VEOR V6.B16, V6.B16, V6.B16; VEOR V7.B16, V7.B16, V7.B16; VEOR V8.B16, V8.B16, V8.B16 // more sums
	VEOR V9.B16, V9.B16, V9.B16; VEOR V10.B16, V10.B16, V10.B16; VEOR V11.B16, V11.B16, V11.B16
	VEOR V12.B16, V12.B16, V12.B16; VEOR V13.B16, V13.B16, V13.B16; VEOR V14.B16, V14.B16, V14.B16 // more sums
	VEOR V15.B16, V15.B16, V15.B16; VEOR V16.B16, V16.B16, V16.B16; VEOR V17.B16, V17.B16, V17.B16
	VEOR V18.B16, V18.B16, V18.B16; VEOR V19.B16, V19.B16, V19.B16; VEOR V20.B16, V20.B16, V20.B16 // more sums
	VEOR V21.B16, V21.B16, V21.B16; VEOR V22.B16, V22.B16, V22.B16; VEOR V23.B16, V23.B16, V23.B16
	PCALIGN $16

loop: // sums += products of a column
	FMOVS.P 4(row1), F28
	FMOVS.P 4(row2), F29
	FMOVS.P 4(row3), F30
	TERMS(0, F24, F25, 24, 25)
	TERMS(2, F26, F27, 26, 27)
	TERMS(4, F24, F25, 24, 25)
	TERMS(6, F26, F27, 26, 27)
	SUBS $1, count // repeat for each column
	BNE  loop
	MOVD maxima+0(FP), maxPtr // maxima = max(maxima, sums)
	RAISE(0)
	RAISE(2)
	RAISE(4)
	RAISE(6)
	ADD  rowBytes<<1, first // advance by three rows
	ADD  rowBytes, first
	SUBS $3, left
	BNE  rows
	RET
#undef maxPtr
#undef qPtr
#undef row1
#undef row2
#undef row3
#undef first
#undef left
#undef rowBytes
#undef count
#undef TERMS
#undef RAISE
#undef cols
#undef TERM
#undef MAX
