// The body of the blocks of queries in kernels_many_avx512_amd64.s. It sets dst[i][j] to the metric
// of query i and row j of a. TERM(x, y, sum) adds the terms of vectors x and y to sum. REMAINDER(x,
// y, k, sum) does the same under mask k.
//
// Two queries and four rows, which are eight pairs, are processed at a time. DotF32 documents the
// four groups of 16 lanes of a pair. The lanes are summed in two passes over the columns, two
// groups per pass, so that every vector of lanes has a register. The rows of a call and the two
// queries stay in L1. Meanwhile, some lines of the following rows are prefetched to L2.
//
// Registers: CX: remaining iterations or lines; Z0-Z7: lanes of the pass's first group, for the
// first query and rows 0-3, then for the second query; Z8-Z15: lanes of the pass's second group;
// Z16-Z23: sums of groups 0 and 1; Z24-Z27: vectors of the queries; Z28, Z29: vectors of a row;
// K1-K4: masks of the elements of each group in the remainder.

#define qNext     SI  // address of the next elements of the first query
#define qBytes    R8  // bytes from the first query to the second
#define left      R13 // number of remaining queries
#define aNext     DI  // address of the next elements of the first row
#define rowBytes  R9  // bytes from a row to the next
#define threeRows R10 // 3·rowBytes
#define rowsLeft  AX  // number of remaining rows
#define loops     BX  // number of iterations of 64 columns
#define dstNext   R12 // address of the next results of the first query
#define dstBytes  R11 // bytes from the results of the first query to the results of the second
#define ahead     DX  // address of the next line to prefetch
#define minus0    Z31 // −0 in every lane

// Sets the lanes of both groups to −0.
#define CLEAR \
	VMOVAPS minus0, Z0; VMOVAPS minus0, Z1; VMOVAPS minus0, Z2; VMOVAPS minus0, Z3;   \
	VMOVAPS minus0, Z4; VMOVAPS minus0, Z5; VMOVAPS minus0, Z6; VMOVAPS minus0, Z7;   \
	VMOVAPS minus0, Z8; VMOVAPS minus0, Z9; VMOVAPS minus0, Z10; VMOVAPS minus0, Z11; \
	VMOVAPS minus0, Z12; VMOVAPS minus0, Z13; VMOVAPS minus0, Z14; VMOVAPS minus0, Z15

// a, b += the terms of a row's first vector and each query. c, d += the terms of the row's second
// vector and each query.
#define ROW(off, row, a, b, c, d) \
	VMOVUPS off row, Z28; VMOVUPS (off+64) row, Z29; \
	TERM(Z24, Z28, a); TERM(Z25, Z28, b); TERM(Z26, Z29, c); TERM(Z27, Z29, d)

// Adds the terms of two vectors of each query and of four rows to both groups, and advances the
// pointers.
#define COLUMNS(off) \
	VMOVUPS off(qNext), Z24; VMOVUPS off(qNext)(qBytes*1), Z25;           \
	VMOVUPS (off+64)(qNext), Z26; VMOVUPS (off+64)(qNext)(qBytes*1), Z27; \
	ROW(off, (aNext), Z0, Z4, Z8, Z12)                                    \
	ROW(off, (aNext)(rowBytes*1), Z1, Z5, Z9, Z13)                        \
	ROW(off, (aNext)(rowBytes*2), Z2, Z6, Z10, Z14)                       \
	ROW(off, (aNext)(threeRows*1), Z3, Z7, Z11, Z15)                      \
	ADDQ $256, qNext; ADDQ $256, aNext

// a, b += the terms of a row's vector and each query, under mask k.
#define LASTROW(off, row, k, a, b) \
	VMOVUPS.Z off row, k, Z28; REMAINDER(Z24, Z28, k, a); REMAINDER(Z25, Z28, k, b)

// Adds the terms of the remainder to the group in a-h, under mask k.
#define LAST(off, k, a, b, c, d, e, f, g, h) \
	VMOVUPS.Z off(qNext), k, Z24; VMOVUPS.Z off(qNext)(qBytes*1), k, Z25; \
	LASTROW(off, (aNext), k, a, e)                                        \
	LASTROW(off, (aNext)(rowBytes*1), k, b, f)                            \
	LASTROW(off, (aNext)(rowBytes*2), k, c, g)                            \
	LASTROW(off, (aNext)(threeRows*1), k, d, h)

// Moves qNext and aNext back to the first column.
#define REWIND MOVQ loops, CX; SHLQ $8, CX; SUBQ CX, qNext; SUBQ CX, aNext

// z = the sums of the halves (HALVE) or quarters (QUARTER) of a, followed by the same sums of b.
#define HALVE(a, b, z) VSHUFF64X2 $0x44, b, a, Z30; VSHUFF64X2 $0xee, b, a, z; VADDPS z, Z30, z
#define QUARTER(a, b, z) VSHUFF64X2 $0x88, b, a, Z30; VSHUFF64X2 $0xdd, b, a, z; VADDPS z, Z30, z

	MOVQ q_base+32(FP), qNext // load the arguments
	MOVQ queries+56(FP), left
	MOVQ qstride+64(FP), qBytes
	MOVQ rows+96(FP), rowsLeft
	MOVQ cols+104(FP), CX
	MOVQ stride+112(FP), rowBytes
	MOVQ dst_base+0(FP), dstNext
	MOVQ dstride+24(FP), dstBytes
	SHLQ $2, qBytes // convert the strides to bytes
	SHLQ $2, rowBytes
	SHLQ $2, dstBytes
	LEAQ (rowBytes)(rowBytes*2), threeRows
	MOVQ CX, loops // loops = cols / 64
	SHRQ $6, loops
	MOVQ $1, DX // K1-K4 = masks of the last cols % 64 columns; SHLQ counts modulo 64
	SHLQ CX, DX
	DECQ DX
	KMOVW DX, K1 // each mask is for 16 columns
	SHRQ $16, DX
	KMOVW DX, K2
	SHRQ $16, DX
	KMOVW DX, K3
	SHRQ $16, DX
	KMOVW DX, K4
	VPTERNLOGD $0xff, minus0, minus0, minus0 // minus0 = all ones << 31
	VPSLLD $31, minus0, minus0
	MOVQ rowsLeft, ahead // ahead = the end of the rows
	IMULQ rowBytes, ahead
	ADDQ a_base+72(FP), ahead

nextQueries: // process two queries and all rows
	MOVQ a_base+72(FP), aNext
	MOVQ rows+96(FP), rowsLeft

nextRows: // process four rows
	MOVQ lines+120(FP), CX // prefetch the given number of lines
	TESTQ CX, CX
	JEQ pass01

fetch:
	PREFETCHT1 (ahead)
	ADDQ $64, ahead
	DECQ CX
	JNE fetch

pass01: // compute groups 0 and 1
	CLEAR
	MOVQ loops, CX
	TESTQ CX, CX
	JEQ remainder01
	PCALIGN $64

loop01:
	COLUMNS(0) // groups 0 and 1 += terms of 32 of 64 columns
	DECQ CX
	JNE loop01

remainder01:
	KTESTW K1, K1 // group 0, then group 1 += terms of the remainder
	JEQ sum01
	LAST(0, K1, Z0, Z1, Z2, Z3, Z4, Z5, Z6, Z7)
	KTESTW K2, K2
	JEQ sum01
	LAST(64, K2, Z8, Z9, Z10, Z11, Z12, Z13, Z14, Z15)

sum01:
	REWIND
	VADDPS Z8, Z0, Z16; VADDPS Z9, Z1, Z17 // Z16-Z23 = group 0 + group 1
	VADDPS Z10, Z2, Z18; VADDPS Z11, Z3, Z19
	VADDPS Z12, Z4, Z20; VADDPS Z13, Z5, Z21
	VADDPS Z14, Z6, Z22; VADDPS Z15, Z7, Z23
	CLEAR // compute groups 2 and 3
	MOVQ loops, CX
	TESTQ CX, CX
	JEQ remainder23
	PCALIGN $64

loop23:
	COLUMNS(128) // groups 2 and 3 += terms of the other 32 columns
	DECQ CX
	JNE loop23

remainder23:
	KTESTW K3, K3 // group 2, then group 3 += terms of the remainder
	JEQ sum23
	LAST(128, K3, Z0, Z1, Z2, Z3, Z4, Z5, Z6, Z7)
	KTESTW K4, K4
	JEQ sum23
	LAST(192, K4, Z8, Z9, Z10, Z11, Z12, Z13, Z14, Z15)

sum23:
	REWIND
	VADDPS Z8, Z0, Z0; VADDPS Z9, Z1, Z1 // Z0-Z7 = group 2 + group 3
	VADDPS Z10, Z2, Z2; VADDPS Z11, Z3, Z3
	VADDPS Z12, Z4, Z4; VADDPS Z13, Z5, Z5
	VADDPS Z14, Z6, Z6; VADDPS Z15, Z7, Z7
	VADDPS Z0, Z16, Z0; VADDPS Z1, Z17, Z1 // Z0-Z7 = (group 0 + group 1) + (group 2 + group 3)
	VADDPS Z2, Z18, Z2; VADDPS Z3, Z19, Z3
	VADDPS Z4, Z20, Z4; VADDPS Z5, Z21, Z5
	VADDPS Z6, Z22, Z6; VADDPS Z7, Z23, Z7
	HALVE(Z0, Z1, Z0) // add halves until 4 lanes of each pair remain
	HALVE(Z2, Z3, Z2)
	HALVE(Z4, Z5, Z4)
	HALVE(Z6, Z7, Z6)
	QUARTER(Z0, Z2, Z0)
	QUARTER(Z4, Z6, Z4)
	VUNPCKLPD Z4, Z0, Z1 // add halves until 1 lane of each pair remains
	VUNPCKHPD Z4, Z0, Z2
	VADDPS Z2, Z1, Z0
	VMOVSHDUP Z0, Z1
	VADDPS Z1, Z0, Z0
	VMOVUPS order32<>(SB), Y3 // store the results of both queries for four rows
	VPERMPS Z0, Z3, Z0
	VMOVUPS X0, (dstNext)
	VEXTRACTF128 $1, Y0, (dstNext)(dstBytes*1)
	ADDQ $16, dstNext // advance by four rows
	LEAQ (aNext)(rowBytes*4), aNext
	SUBQ $4, rowsLeft
	JNE nextRows
	MOVQ rows+96(FP), CX // advance by two queries
	SHLQ $2, CX
	SUBQ CX, dstNext
	LEAQ (dstNext)(dstBytes*2), dstNext
	LEAQ (qNext)(qBytes*2), qNext
	SUBQ $2, left
	JNE nextQueries
	VZEROUPPER
	RET

#undef qNext
#undef qBytes
#undef left
#undef aNext
#undef rowBytes
#undef threeRows
#undef rowsLeft
#undef loops
#undef dstNext
#undef dstBytes
#undef ahead
#undef minus0
#undef CLEAR
#undef ROW
#undef COLUMNS
#undef LASTROW
#undef LAST
#undef REWIND
#undef HALVE
#undef QUARTER
#undef TERM
#undef REMAINDER
