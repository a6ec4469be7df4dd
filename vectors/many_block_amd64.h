// The body of blocks of queries on AVX2. Its parameter TERM(x, y, acc) adds the terms of a vector
// of a query and a vector of a row to an accumulator. The body undefines TERM at the end.
//
// Two queries and four rows, which are eight pairs, are processed at a time. DotF32 documents the
// 64 lanes of a pair. The lanes are summed in eight passes over the columns, and each pass computes
// one vector of lanes of each pair. The rows of a call and the two queries stay in L1. Meanwhile,
// some lines of the following rows are prefetched to L2.
//
// Registers: CX: remaining iterations or lines, scratch; Y8, Y9: elements of the queries; Y10:
// elements of a row; Y11-Y14: scratch.

#define qPtr        SI  // address of the next elements of the first query
#define qStride     R8  // bytes from a query to the next
#define queriesLeft R13
#define rowPtr      DI  // address of the next elements of the first row
#define rowStride   R9  // bytes from a row to the next
#define rowStride3  R10 // bytes of three rows
#define rowsLeft    R12
#define groups      BX  // number of whole groups of 64 columns
#define lane        R11 // index of the pass's first lane
#define out         AX  // address of the pass's sums in lanes
#define ahead       DX  // address of the next line to prefetch
#define sum00       Y0  // lanes of the first query and rows 0 … 3
#define sum01       Y1
#define sum02       Y2
#define sum03       Y3
#define sum10       Y4  // lanes of the second query
#define sum11       Y5
#define sum12       Y6
#define sum13       Y7
#define minus0      Y15

// a, b += the terms of a row and of each query.
#define ROW(row, a, b) \
	VMOVUPS row, Y10 \
	TERM(Y8, Y10, a); TERM(Y9, Y10, b)

// Adds the terms of one vector of each query and row to all sums.
#define VECTOR \
	VMOVUPS (qPtr), Y8                       \
	VMOVUPS (qPtr)(qStride*1), Y9            \
	ROW((rowPtr), sum00, sum10)              \
	ROW((rowPtr)(rowStride*1), sum01, sum11) \
	ROW((rowPtr)(rowStride*2), sum02, sum12) \
	ROW((rowPtr)(rowStride3*1), sum03, sum13)

// ROW for the tail. Y11 moves the elements to the front, Y12 is their mask, and Y13 is −0 in the
// other lanes.
#define TAIL_ROW(row, a, b) \
	VPERMPS row, Y11, Y10    \
	VANDPS Y12, Y10, Y10     \
	VORPS Y13, Y10, Y10      \
	TERM(Y8, Y10, a)         \
	TERM(Y9, Y10, b)

// Sets sum to the sum of the eight vectors of lanes of pair i. The sum is a vector of 8 lanes.
#define SUM8(i, sum) \
	VMOVUPS (i*32-2048)(out), sum           \
	VMOVUPS (i*32+1*256-2048)(out), Y8      \
	VMOVUPS (i*32+4*256-2048)(out), Y9      \
	VMOVUPS (i*32+5*256-2048)(out), Y10     \
	VADDPS (i*32+2*256-2048)(out), sum, sum \
	VADDPS (i*32+3*256-2048)(out), Y8, Y8   \
	VADDPS (i*32+6*256-2048)(out), Y9, Y9   \
	VADDPS (i*32+7*256-2048)(out), Y10, Y10 \
	VADDPS Y9, sum, sum; VADDPS Y10, Y8, Y8 \
	VADDPS Y8, sum, sum

// Sets the lower half of a to the sum of the halves of a, and the upper half to the sum of the
// halves of b.
#define HALVE(a, b) \
	VPERM2F128 $0x20, b, a, Y8 \
	VPERM2F128 $0x31, b, a, Y9 \
	VADDPS Y9, Y8, a

	MOVQ q_base+32(FP), qPtr
	MOVQ queries+56(FP), queriesLeft
	MOVQ qstride+64(FP), qStride // convert the strides to bytes
	MOVQ stride+112(FP), rowStride
	SHLQ $2, qStride
	SHLQ $2, rowStride
	LEAQ (rowStride)(rowStride*2), rowStride3
	MOVQ cols+104(FP), groups
	SHRQ $6, groups
	MOVQ rows+96(FP), ahead // ahead = a + rows·stride, the end of the rows
	IMULQ rowStride, ahead
	ADDQ a_base+72(FP), ahead
	VPCMPEQD minus0, minus0, minus0
	VPSLLD $31, minus0, minus0

nextQueries:
	MOVQ a_base+72(FP), rowPtr
	MOVQ rows+96(FP), rowsLeft

nextRows:
	MOVQ lines+120(FP), CX // prefetch the given number of lines
	TESTQ CX, CX
	JEQ begin

prefetch:
	PREFETCHT1 (ahead)
	ADDQ $64, ahead
	DECQ CX
	JNE prefetch

begin:
	XORL lane, lane
	MOVQ lanes+128(FP), out // out = lanes, aligned, because stores that cross a line take several times as long
	ADDQ $63, out
	ANDQ $-64, out

pass:
	VMOVAPS minus0, sum00 // all sums = −0
	VMOVAPS minus0, sum01
	VMOVAPS minus0, sum02
	VMOVAPS minus0, sum03
	VMOVAPS minus0, sum10
	VMOVAPS minus0, sum11
	VMOVAPS minus0, sum12
	VMOVAPS minus0, sum13
	MOVQ groups, CX // if cols < 64: goto tail
	TESTQ CX, CX
	JEQ tail
	PCALIGN $32

group: // sums += the pass's vector of each group
	VECTOR
	ADDQ $256, qPtr
	ADDQ $256, rowPtr
	DECQ CX
	JNE group

tail:
	MOVQ cols+104(FP), CX // CX = cols % 64 − lane, the number of columns from the pass's vector on
	ANDQ $63, CX
	SUBQ lane, CX
	JLE store
	CMPQ CX, $8
	JLT masked
	VECTOR

store:
	VMOVUPS sum00, (out) // store the sums of the pass
	VMOVUPS sum01, 32(out)
	VMOVUPS sum02, 64(out)
	VMOVUPS sum03, 96(out)
	VMOVUPS sum10, 128(out)
	VMOVUPS sum11, 160(out)
	VMOVUPS sum12, 192(out)
	VMOVUPS sum13, 224(out)
	ADDQ $256, out // go back to the first group, and advance by one vector
	MOVQ groups, CX
	SHLQ $8, CX
	SUBQ $32, CX
	SUBQ CX, qPtr
	SUBQ CX, rowPtr
	ADDQ $8, lane
	CMPQ lane, $64
	JLT pass
	SUBQ $256, qPtr // after eight passes: reduce each pair to one vector
	SUBQ $256, rowPtr
	SUM8(0, sum00)
	SUM8(1, sum01)
	SUM8(2, sum02)
	SUM8(3, sum03)
	SUM8(4, sum10)
	SUM8(5, sum11) // pairs of the second query
	SUM8(6, sum12)
	SUM8(7, sum13)
	HALVE(sum00, sum10) // reduce to four lanes, with the second query in the upper half
	HALVE(sum01, sum11)
	HALVE(sum02, sum12)
	HALVE(sum03, sum13)
	VUNPCKLPD Y1, Y0, Y8 // reduce to two lanes
	VUNPCKHPD Y1, Y0, Y9
	VUNPCKLPD Y3, Y2, Y10
	VUNPCKHPD Y3, Y2, Y11
	VADDPS Y9, Y8, Y0
	VADDPS Y11, Y10, Y1
	VSHUFPS $0x88, Y1, Y0, Y8 // reduce to one lane
	VSHUFPS $0xdd, Y1, Y0, Y9
	VADDPS Y9, Y8, Y0
	MOVQ dstride+24(FP), AX // CX = dst + (queries − queriesLeft)·dstride + rows − rowsLeft
	MOVQ queries+56(FP), CX
	SUBQ queriesLeft, CX
	IMULQ AX, CX
	ADDQ rows+96(FP), CX
	SUBQ rowsLeft, CX
	SHLQ $2, CX
	ADDQ dst_base+0(FP), CX
	VMOVUPS X0, (CX) // store four results of each query
	VEXTRACTF128 $1, Y0, (CX)(AX*4)
	LEAQ (rowPtr)(rowStride*4), rowPtr // advance by four rows
	SUBQ $4, rowsLeft
	JNE nextRows
	LEAQ (qPtr)(qStride*2), qPtr // advance by two queries
	SUBQ $2, queriesLeft
	JNE nextQueries
	VZEROUPPER
	RET

masked: // for 1 to 7 elements, load the vectors that end with them, and move their last lanes to the front
	SHLQ $2, CX
	NEGQ CX
	VMOVQ SI, X14
	LEAQ github·com∕simdrank∕simdrank∕internal∕kern·Iota(SB), SI // Y11 = indices
	VMOVUPS 32(SI)(CX*1), Y11
	LEAQ github·com∕simdrank∕simdrank∕internal∕kern·Masks(SB), SI // Y12 = mask; Y13 = −0 in the other lanes
	VMOVUPS 96(SI)(CX*1), Y12
	VANDNPS minus0, Y12, Y13
	VMOVQ X14, SI
	NEGQ CX // CX −= 32; move both pointers back to the start of these vectors
	SUBQ $32, CX
	ADDQ CX, qPtr
	ADDQ CX, rowPtr
	VPERMPS (qPtr), Y11, Y8 // Y8, Y9 = elements of the queries, with +0 in the other lanes
	VPERMPS (qPtr)(qStride*1), Y11, Y9
	VANDPS Y12, Y8, Y8
	VANDPS Y12, Y9, Y9
	TAIL_ROW((rowPtr), sum00, sum10)
	TAIL_ROW((rowPtr)(rowStride*1), sum01, sum11)
	TAIL_ROW((rowPtr)(rowStride*2), sum02, sum12)
	TAIL_ROW((rowPtr)(rowStride3*1), sum03, sum13)
	SUBQ CX, qPtr // restore the pointers
	SUBQ CX, rowPtr
	JMP store

#undef qPtr
#undef qStride
#undef queriesLeft
#undef rowPtr
#undef rowStride
#undef rowStride3
#undef rowsLeft
#undef groups
#undef lane
#undef out
#undef ahead
#undef sum00
#undef sum01
#undef sum02
#undef sum03
#undef sum10
#undef sum11
#undef sum12
#undef sum13
#undef minus0
#undef ROW
#undef VECTOR
#undef TAIL_ROW
#undef SUM8
#undef HALVE
#undef TERM
