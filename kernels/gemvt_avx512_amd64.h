// The body of the transposes on AVX-512 in kernels_gemv_transpose_avx512_amd64.s, which explains
// the algorithm. These macros depend on the type: MOV, FMA, FMA213, BROADCAST, and LOG (log₂ of the
// size of an element of dst). WIDE is defined if a is float32 and dst is float64. The body
// undefines the macros at its end.

#define dst     DI  // address of the strip in dst
#define strip   R12 // address of the strip in the first row
#define step    R9  // bytes from a row to the next
#define width   R13 // number of vectors of a strip
#define todo    R11 // number of vectors of a row from this strip on
#define vectors DX  // number of vectors of this strip
#define last    R10 // bytes before the last vector of the strip
#define inL2    CX  // 1 if the second loop is used, see chooseLoop
#define row     SI  // address of the strip in a row
#define rowC    R8  // address of the row's element of c
#define left    BX  // remaining rows
#define lastDst Z27 // last vector of dst
#define ci      Z28 // c[i]
#include "gemvt_columns_avx512_amd64.h"

// BEGIN computes z = c[0]·row + dst for vector i. ADD and ADDODD compute z += c[i]·row, and in the
// wide kernel, ADD also prefetches. APART does the same in the second loop. BEGINLAST and ADDLAST
// do the same for the last vector.
#ifdef WIDE
#define ROWLOG 2
#define VECTORLOG 5
#define WIDEN 2
#define BEGIN(i, y, z) VCVTPS2PD (32*i)(row), z; FMA213 (64*i)(dst), ci, z
#define BEGINLAST VCVTPS2PD.Z (row)(last*1), K1, lastDst
#define ADD(i, y, z) PREFETCHT0 (const_gemvAhead+32*i)(row); ADDODD(i, y, z)
#define ADDODD(i, y, z) VCVTPS2PD (32*i)(row), Z29; VFMADD231PD Z29, ci, z
#define ADDLAST VCVTPS2PD.Z (row)(last*1), K1, Z29; VFMADD231PD Z29, ci, lastDst
#define APART ADDODD
#else
#define ROWLOG LOG
#define VECTORLOG 6
#define WIDEN 1
#define BEGIN(i, y, z) MOV (64*i)(row), z; FMA213 (64*i)(dst), ci, z
#define BEGINLAST MOV.Z (row)(last*1), K1, lastDst
#define ADD(i, y, z) FMA (64*i)(row), ci, z
#define ADDODD(i, y, z) FMA (64*i)(row), ci, z
#define ADDLAST FMA (row)(last*1), ci, K1, lastDst
#define APART(i, y, z) PCALIGN $16; FMA (64*i)(row), ci, z
#endif
#define STORE(i, y, z) MOV z, (64*i)(dst)

// NEXT advances to the next row. ROWS is the loop over the remaining rows. WIDTH processes a strip
// of one width: the first row, the other rows in one of two loops, and the stores.
#define NEXT ADDQ $(1<<LOG), rowC; ADDQ step, row; DECQ left
#define ROWS(loop, all) loop: BROADCAST (rowC), ci; all; ADDLAST; NEXT; JNE loop
#define WIDTH(width, loop, apart, store, first) \
width: first(BEGIN, BEGIN); BEGINLAST; FMA213 (dst)(last*WIDEN), ci, K1, lastDst; NEXT; JEQ store; \
	TESTL inL2, inL2; JNE apart; \
	ROWS(loop, first(ADD, ADDODD)); \
store: first(STORE, STORE); JMP stored; \
	ROWS(apart, first(APART, APART)); JMP store

	MOVQ dst_base+0(FP), dst
	MOVQ a_base+24(FP), strip
	MOVQ stride+64(FP), step
	SHLQ $ROWLOG, step
	MOVQ cols+56(FP), R11 // K2 = mask of the elements of a row's last vector
	MOVQ R11, CX
	NEGQ CX
	ANDQ $((64>>LOG)-1), CX
	MOVL $((1<<(64>>LOG))-1), AX
	SHRL CX, AX
	KMOVW AX, K2
	ADDQ $((64>>LOG)-1), todo // todo = width = ⌈cols/lanes⌉
	SHRQ $(6-LOG), todo
	MOVQ todo, width
	CMPQ todo, $28
	JLE chooseLoop
	LEAQ 27(todo), AX // strips = ⌈vectors/28⌉
	XORL DX, DX
	MOVL $28, CX
	DIVQ CX
	MOVQ AX, CX // width = ⌈vectors/strips⌉
	LEAQ -1(todo)(CX*1), AX
	XORL DX, DX
	DIVQ CX
	MOVQ AX, width

chooseLoop: // inL2 = strips do not touch, and gemvL1 <= bytes of the matrix < gemvL2
	XORL inL2, inL2
	MOVQ width, AX
	SHLQ $VECTORLOG, AX
	CMPQ AX, step
	JGE nextStrip
	MOVQ rows+48(FP), AX // AX = number of elements
	IMULQ cols+56(FP), AX
	SUBQ $(const_gemvL1>>ROWLOG), AX
	CMPQ AX, $((const_gemvL2-const_gemvL1)>>ROWLOG)
	SETCS inL2

nextStrip: // vectors = width; K1 = ones; for the last strip: vectors = todo; K1 = K2
	KXNORW K1, K1, K1
	MOVQ width, vectors
	CMPQ todo, width
	JGT begin
	MOVQ todo, vectors
	KMOVW K2, K1

begin: // last = (vectors - 1), in bytes
	MOVQ vectors, last
	SHLQ $VECTORLOG, last
	SUBQ $(1<<VECTORLOG), last
	MOVQ strip, row // row, rowC = the first row
	MOVQ c_base+72(FP), rowC
	MOVQ rows+48(FP), left
	BROADCAST (rowC), ci
#include "gemv_widths_avx512_amd64.h"
	JMP width28

	WIDTH(width1, row1, apart1, store1, FIRST0) // strips of 1 to 7 vectors
	WIDTH(width2, row2, apart2, store2, FIRST1)
	WIDTH(width3, row3, apart3, store3, FIRST2)
	WIDTH(width4, row4, apart4, store4, FIRST3)
	WIDTH(width5, row5, apart5, store5, FIRST4)
	WIDTH(width6, row6, apart6, store6, FIRST5)
	WIDTH(width7, row7, apart7, store7, FIRST6)
	WIDTH(width8, row8, apart8, store8, FIRST7) // strips of 8 to 14 vectors
	WIDTH(width9, row9, apart9, store9, FIRST8)
	WIDTH(width10, row10, apart10, store10, FIRST9)
	WIDTH(width11, row11, apart11, store11, FIRST10)
	WIDTH(width12, row12, apart12, store12, FIRST11)
	WIDTH(width13, row13, apart13, store13, FIRST12)
	WIDTH(width14, row14, apart14, store14, FIRST13)
	WIDTH(width15, row15, apart15, store15, FIRST14) // strips of 15 to 21 vectors
	WIDTH(width16, row16, apart16, store16, FIRST15)
	WIDTH(width17, row17, apart17, store17, FIRST16)
	WIDTH(width18, row18, apart18, store18, FIRST17)
	WIDTH(width19, row19, apart19, store19, FIRST18)
	WIDTH(width20, row20, apart20, store20, FIRST19)
	WIDTH(width21, row21, apart21, store21, FIRST20)
	WIDTH(width22, row22, apart22, store22, FIRST21) // strips of 22 to 28 vectors
	WIDTH(width23, row23, apart23, store23, FIRST22)
	WIDTH(width24, row24, apart24, store24, FIRST23)
	WIDTH(width25, row25, apart25, store25, FIRST24)
	WIDTH(width26, row26, apart26, store26, FIRST25)
	WIDTH(width27, row27, apart27, store27, FIRST26)
	WIDTH(width28, row28, apart28, store28, FIRST27)

stored: // if strips remain: goto nextStrip
	MOV lastDst, K1, (dst)(last*WIDEN)
	LEAQ 64(dst)(last*WIDEN), dst
	LEAQ (1<<VECTORLOG)(strip)(last*1), strip
	SUBQ vectors, todo
	JNE nextStrip
	VZEROUPPER
	RET

#undef dst
#undef strip
#undef step
#undef width
#undef todo
#undef vectors
#undef last
#undef inL2
#undef row
#undef rowC
#undef left
#undef lastDst
#undef ci
#undef ROWLOG
#undef VECTORLOG
#undef WIDEN
#undef BEGIN
#undef BEGINLAST
#undef ADD
#undef ADDODD
#undef ADDLAST
#undef APART
#undef STORE
#undef NEXT
#undef ROWS
#undef WIDTH
#undef MOV
#undef FMA
#undef FMA213
#undef BROADCAST
#undef LOG
#include "gemvt_clear_avx512_amd64.h"
