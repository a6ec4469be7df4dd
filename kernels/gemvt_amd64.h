// The body of the transposes on AVX2 in kernels_gemv_amd64.s, for at least one column and one row.
// These macros depend on the type: MOV, MASKMOV, FMA, BROADCAST, SIZE (bytes of an element of dst)
// and LOG = log₂(SIZE). WIDE is defined if a is float32 and dst is float64. The body undefines the
// macros. The function ends at done.
//
// The body processes a matrix in one of two ways. The first way uses strips of up to 12 vectors of
// columns, all of equal width except the last one. A strip of dst stays in Y0-Y11 while all rows
// are processed, with its last vector in Y11. Strips are used for narrow matrices, for matrices in
// L1, and for the remaining rows of the second way. The second way processes eight rows at a time,
// and loads and stores dst for each group. The second way reads rows in order, without the gaps
// that strips leave.
//
// Registers: Y0-Y7: elements of c for eight rows; Y0-Y10: vectors of a strip.

#define dst     DI
#define strip   R12 // address of the strip in its first row
#define step    R9  // bytes from a row to the next
#define width   R13 // number of vectors of a strip
#define todo    R11 // number of vectors of a row from this strip on
#define vectors DX  // number of vectors of this strip
#define last    R10 // bytes before the last vector of the strip or of the row
#define row     SI  // address of the strip in a row, or in the first of eight rows
#define rowC    R8  // address of the row's element of c
#define left    BX  // remaining rows
#define mask    Y12 // masks of the elements of a row's last vector, in a and in dst
#define dstMask Y15
#define lastDst Y11
#define ci      Y13 // c[i]
#define row4    R12 // address in the fifth of eight rows
#define step3   R13 // bytes from a row to the third after it
#define pairs   DX  // remaining pairs of vectors
#define ahead   AX  // address to prefetch in the next eight rows
#define fetch   CX  // whether to prefetch
#define dst0    Y8  // two vectors of dst
#define dst1    Y9

// MASKS sets the masks of a last vector that lacks CX elements. ADD computes y += ci·row for vector
// n-1 of a strip, unless it is the last vector, and ADDLAST does so for the last vector. BY
// computes y += c·at, where at is the address of a vector in one of eight rows. BY1, BY2 and BYLAST
// apply BY to one vector of dst, two vectors, and the last vector.
#ifdef WIDE
#define ROWLOG 2
#define VECTORLOG 4
#define WIDEN 2
#define MASKS VMOVUPS 80(AX)(CX*4), X12; VMOVUPD 64(AX)(CX*8), dstMask
#define ADD(n, off, y) CMPQ vectors, $n; JEQ lastVector; VCVTPS2PD (off/2)(row), Y14; FMA Y14, ci, y
#define ADDLAST VMASKMOVPS (row)(last*1), X12, X14; VCVTPS2PD X14, Y14; FMA Y14, ci, lastDst
#define BY(at, c, y) VCVTPS2PD at, Y14; FMA Y14, c, y
#define BYLAST(at, c) VMASKMOVPS at, X12, X14; VCVTPS2PD X14, Y14; FMA Y14, c, dst0
#else
#define ROWLOG LOG
#define VECTORLOG 5
#define WIDEN 1
#define MASKS MOV 64(AX)(CX*SIZE), mask; VMOVAPD mask, dstMask
#define ADD(n, off, y) CMPQ vectors, $n; JEQ lastVector; FMA off(row), ci, y
#define ADDLAST MASKMOV (row)(last*1), mask, Y14; FMA Y14, ci, lastDst
#define BY(at, c, y) FMA at, c, y
#define BYLAST(at, c) MASKMOV at, mask, Y14; FMA Y14, c, dst0
#endif
#define BY1(at, c) BY(at, c, dst0)
#define BY2(at, c) BY(at, c, dst0); BY((1<<VECTORLOG)at, c, dst1)
// Applies the macro do to eight rows, in order.
#define ROWS(do) do((row), Y0); do((row)(step*1), Y1); do((row)(step*2), Y2); do((row)(step3*1), Y3); \
	do((row4), Y4); do((row4)(step*1), Y5); do((row4)(step*2), Y6); do((row4)(step3*1), Y7)
#define LOAD(n, off, y) CMPQ vectors, $n; JEQ loaded; MOV off(dst), y
#define STORE(n, off, y) CMPQ vectors, $n; JEQ stored; MOV y, off(dst)
// Applies the macro do to the vectors of a strip before the last one. The macro jumps if it is
// applied to the last vector.
#define STRIP(do) do(1, 0, Y0); do(2, 32, Y1); do(3, 64, Y2); do(4, 96, Y3); do(5, 128, Y4); do(6, 160, Y5); \
	do(7, 192, Y6); do(8, 224, Y7); do(9, 256, Y8); do(10, 288, Y9); do(11, 320, Y10)

	MOVQ dst_base+0(FP), dst
	MOVQ a_base+24(FP), strip
	MOVQ stride+64(FP), step
	SHLQ $ROWLOG, step
	MOVQ cols+56(FP), todo // todo = ⌈cols/lanes⌉
	ADDQ $((32/SIZE)-1), todo
	SHRQ $(VECTORLOG-ROWLOG), todo
	MOVQ c_base+72(FP), rowC
	MOVQ rows+48(FP), left // if the rows fit in one strip, or the matrix is in L1: goto strips
	CMPQ todo, $12
	JLE strips
	MOVQ step, R13
	IMULQ left, R13
	CMPQ R13, $const_gemvL1
	JLE strips
	MOVQ cols+56(FP), CX // set the masks of the last vector
	NEGQ CX
	ANDQ $((32/SIZE)-1), CX
	LEAQ github·com∕simdrank∕simdrank∕internal∕kern·Masks(SB), AX
	MASKS
	LEAQ -1(todo), last // last = (todo-1) vectors, in bytes
	SHLQ $VECTORLOG, last
	MOVQ strip, row
	XORL fetch, fetch // fetch = the matrix is not in L2
	CMPQ a_len+32(FP), $(const_gemvL2>>ROWLOG)
	SETGT fetch
	LEAQ (step)(step*2), step3
	SUBQ $8, left
	JLT remainder

eight: // dst += c[i]·row + … + c[i+7]·row
	BROADCAST (rowC), Y0
	BROADCAST SIZE(rowC), Y1
	BROADCAST (2*SIZE)(rowC), Y2
	BROADCAST (3*SIZE)(rowC), Y3
	BROADCAST (4*SIZE)(rowC), Y4
	BROADCAST (5*SIZE)(rowC), Y5
	BROADCAST (6*SIZE)(rowC), Y6
	BROADCAST (7*SIZE)(rowC), Y7
	LEAQ (row)(step*8), ahead // ahead = the next eight rows; pairs = ⌊(todo-1)/2⌋
	LEAQ (row)(step*4), row4
	MOVQ dst_base+0(FP), dst
	LEAQ -1(todo), pairs
	SHRQ $1, pairs

two: // if fetch: prefetch the next eight rows
	TESTL fetch, fetch
	JEQ fetched
	PREFETCHT1 (ahead)
	PREFETCHT1 64(ahead)
	PREFETCHT1 128(ahead)
	PREFETCHT1 192(ahead)
	ADDQ $256, ahead

fetched:
	MOV (dst), dst0 // dst0, dst1 += c[i]·row, …, c[i+7]·row
	MOV 32(dst), dst1
	ROWS(BY2)
	MOV dst0, (dst) // store, and advance by two vectors
	MOV dst1, 32(dst)
	ADDQ $(2<<VECTORLOG), row
	ADDQ $(2<<VECTORLOG), row4
	ADDQ $64, dst
	DECQ pairs
	JNE two
	TESTQ $1, todo // if the number of vectors is even, one vector remains between the pairs and the last vector
	JNE lastOfEight
	MOV (dst), dst0
	ROWS(BY1)
	MOV dst0, (dst)
	ADDQ $(1<<VECTORLOG), row
	ADDQ $(1<<VECTORLOG), row4
	ADDQ $32, dst

lastOfEight: // add the last vector under the masks
	MASKMOV (dst), dstMask, dst0
	ROWS(BYLAST)
	MASKMOV dst0, dstMask, (dst) // row = the next eight rows
	LEAQ (row4)(step*4), row
	SUBQ last, row
	ADDQ $(8*SIZE), rowC
	SUBQ $8, left
	JGE eight

remainder: // process the remaining rows in strips
	ADDQ $8, left
	JEQ done
	MOVQ row, strip
	MOVQ dst_base+0(FP), dst

strips: // n = ⌈todo/12⌉ strips; width = ⌈todo/n⌉
	MOVQ left, rowsLeft-8(SP)
	MOVQ rowC, firstC-16(SP)
	MOVQ todo, width
	CMPQ todo, $12
	JLE nextStrip
	LEAQ 11(todo), AX // CX = n
	XORL DX, DX
	MOVL $12, CX
	DIVQ CX
	MOVQ AX, CX
	LEAQ -1(todo)(CX*1), AX // width = ⌈todo/n⌉
	XORL DX, DX
	DIVQ CX
	MOVQ AX, width

nextStrip: // vectors = min(width, todo); masks = ones, or the masks of the row in the last strip
	VPCMPEQD mask, mask, mask
	VMOVAPD mask, dstMask
	MOVQ width, vectors
	CMPQ todo, width
	JGT begin
	MOVQ todo, vectors
	MOVQ cols+56(FP), CX // CX = number of elements that the last vector lacks
	NEGQ CX
	ANDQ $((32/SIZE)-1), CX
	JEQ begin
	LEAQ github·com∕simdrank∕simdrank∕internal∕kern·Masks(SB), AX
	MASKS

begin: // load the strip of dst
	LEAQ -1(vectors), last
	SHLQ $VECTORLOG, last
	MOVQ strip, row
	MOVQ firstC-16(SP), rowC
	MOVQ rowsLeft-8(SP), left
	STRIP(LOAD)

loaded:
	MASKMOV (dst)(last*WIDEN), dstMask, lastDst

nextRow: // strip += c[i]·row
	BROADCAST (rowC), ci
	STRIP(ADD)

lastVector:
	ADDLAST
	ADDQ $SIZE, rowC
	ADDQ step, row
	DECQ left
	JNE nextRow
	STRIP(STORE)

stored: // if strips remain: goto nextStrip
	MASKMOV lastDst, dstMask, (dst)(last*WIDEN)
	LEAQ 32(dst)(last*WIDEN), dst
	LEAQ (1<<VECTORLOG)(strip)(last*1), strip
	SUBQ vectors, todo
	JNE nextStrip

#undef dst
#undef strip
#undef step
#undef width
#undef todo
#undef vectors
#undef last
#undef row
#undef rowC
#undef left
#undef mask
#undef dstMask
#undef lastDst
#undef ci
#undef row4
#undef step3
#undef pairs
#undef ahead
#undef fetch
#undef dst0
#undef dst1
#undef ROWLOG
#undef VECTORLOG
#undef WIDEN
#undef MASKS
#undef ADD
#undef ADDLAST
#undef BY
#undef BYLAST
#undef BY1
#undef BY2
#undef ROWS
#undef LOAD
#undef STORE
#undef STRIP
#undef MOV
#undef MASKMOV
#undef FMA
#undef BROADCAST
#undef SIZE
#undef LOG
