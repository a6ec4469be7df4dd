// The body of kernels that compute one or three sums over two vectors of any types, in the order
// that DotF64 documents. Three sums are the x·y, x·x and y·y of a cosine. One sum is xy, which is Σ
// x·y or Σ (x − y)². The body has these parameters: a type header, such as f32_i8_amd64.h, which
// the body undefines; START, which initializes xy0; and TERMS(x, y, a, b, c), which adds terms of
// two vectors to accumulators of the three sums.
//
// The 24 accumulators do not fit in the registers. Elements form groups of eight vectors. The first
// pass processes the first four vectors of each group, and the second pass processes the last four.
// Whole vectors after the groups are processed one by one. In the tail, missing elements are +0 in
// x and −0 in y, which do not change a sum.
//
// Registers: CX: number of elements of the tail; R8: index of the tail; Y12, Y13: elements; AX,
// R9-R11: scratch.

#define xPtr   SI // address of the next elements of x
#define yPtr   DI // address of the next elements of y
#define left   DX // remaining elements from the first vector of the pass on, − 4·LANES in the loop
#define second BX // 0 in the first pass, 1 in the second
#define xy0    Y0 // accumulators of vectors 0 or 4, 1 or 5, 2 or 6, and 3 or 7
#define xy1    Y1
#define xy2    Y2
#define xy3    Y3
#define xx0    Y4
#define xx1    Y5
#define xx2    Y6
#define xx3    Y7
#define yy0    Y8
#define yy1    Y9
#define yy2    Y10
#define yy3    Y11
#define xTail  Y14 // tail of x, with +0 in the other lanes
#define yTail  Y15 // tail of y, with −0 in the other lanes

// Loads xTail and yTail under mask m. x and y are these registers, or their lower halves before
// conversion. f is −0 in the other lanes.
#define MASKED_TAIL(m, f, x, y) \
	LEAQ github·com∕simdrank∕simdrank∕internal∕kern·Masks(SB), AX \
	MOVL CX, R10; NEGQ R10                                        \
	VMOVUPS 96(AX)(R10*XSIZE), m                                  \
	MASKMOV (xPtr)(R8*XSIZE), m, x                                \
	MASKMOV (yPtr)(R8*YSIZE), m, y                                \
	FILL(f); VANDNPS f, m, f; VORPS f, y, y                       \
	CONVERT

// Loads xTail and yTail if elements have two bytes. The elements are copied to a buffer of zeros.
#define COPIED_TAIL \
	VXORPS X12, X12, X12; VMOVUPS Y12, tail-224(SP)                                                   \
	LEAQ (xPtr)(R8*2), R9; LEAQ (yPtr)(R8*2), R10                                                     \
	LEAQ tail-224(SP), R11; MOVL CX, R8                                                               \
copy:                                                                                                 \
	MOVW -2(R9)(R8*2), AX; MOVW AX, -2(R11)(R8*2)                                                     \
	MOVW -2(R10)(R8*2), AX; MOVW AX, 14(R11)(R8*2)                                                    \
	DECL R8; JNE copy                                                                                 \
	LOADX((R11), xTail); LOADY(16(R11), yTail)                                                        \
	LEAQ github·com∕simdrank∕simdrank∕internal∕kern·Masks(SB), AX; NEGQ CX; VMOVUPS 96(AX)(CX*4), Y12 \
	MINUS0(Y13); VANDNPS Y13, Y12, Y13; VORPS Y13, yTail, yTail

// Loads xTail and yTail if x is float32 and y has smaller elements. The elements of x are loaded
// under a mask, and the elements of y are copied to a buffer of zeros. MOVY copies an element of y.
#define COPIED_Y_TAIL(MOVY) \
	VXORPS X12, X12, X12; VMOVUPS X12, tail-208(SP)                                                   \
	LEAQ (yPtr)(R8*YSIZE), R10                                                                        \
	LEAQ tail-208(SP), R11; MOVL CX, R9                                                               \
copy:                                                                                                 \
	MOVY -YSIZE(R10)(R9*YSIZE), AX; MOVY AX, -YSIZE(R11)(R9*YSIZE)                                    \
	DECL R9; JNE copy                                                                                 \
	LOADY((R11), yTail)                                                                               \
	LEAQ github·com∕simdrank∕simdrank∕internal∕kern·Masks(SB), AX; NEGQ CX; VMOVUPS 96(AX)(CX*4), Y12 \
	VMASKMOVPS (xPtr)(R8*4), Y12, xTail                                                               \
	MINUS0(Y13); VANDNPS Y13, Y12, Y13; VORPS Y13, yTail, yTail

// a, b, c += the terms of vector i. u and v are scratch.
#define VECTOR(i, u, v, a, b, c) \
	LOADX(i*LANES*XSIZE(xPtr), u) \
	LOADY(i*LANES*YSIZE(yPtr), v) \
	TERMS(u, v, a, b, c)

// VECTOR for vector i if it is whole. Otherwise: goto last. If no elements remain after vector i:
// goto sum. The terms do not change the flags of SUBQ.
#define NEXT(i, a, b, c, last) \
	SUBQ $LANES, left            \
	JLT last                     \
	VECTOR(i, Y12, Y13, a, b, c) \
	JEQ sum

	XORL second, second

pass:
	MOVQ x+0(FP), xPtr // skip vectors 0 to 3 in the second pass
	MOVQ n+16(FP), left
	MOVQ y+8(FP), yPtr
	TESTL second, second
	JEQ start
	ADDQ $(4*LANES*XSIZE), xPtr
	ADDQ $(4*LANES*YSIZE), yPtr
	SUBQ $(4*LANES), left

start:
	START // xy = −0 and xx = yy = +0, which change no sum of products and of squares
	VMOVAPS xy0, xy1
	VMOVAPS xy0, xy2
	VMOVAPS xy0, xy3
	VXORPS X4, X4, X4
	VXORPS X5, X5, X5
	VXORPS X6, X6, X6
	VXORPS X7, X7, X7
	VXORPS X8, X8, X8 // yy = +0
	VXORPS X9, X9, X9
	VXORPS X10, X10, X10
	VXORPS X11, X11, X11
	SUBQ $(4*LANES), left // if fewer than four vectors remain: goto end
	JLT end
	PCALIGN $32

loop:
	VECTOR(0, Y12, Y13, xy0, xx0, yy0) // add the terms of four vectors
	VECTOR(1, Y14, Y15, xy1, xx1, yy1)
	VECTOR(2, Y12, Y13, xy2, xx2, yy2)
	VECTOR(3, Y14, Y15, xy3, xx3, yy3)
	ADDQ $(8*LANES*XSIZE), xPtr // advance by a group
	ADDQ $(8*LANES*YSIZE), yPtr
	SUBQ $(8*LANES), left
	JGE loop

end:
	ADDQ $(4*LANES), left // if no elements of this pass remain: goto sum
	JLE sum
	MOVL left, CX // CX = left % LANES; R8 = left − CX
	ANDL $(LANES-1), CX
	JEQ whole
	MOVL left, R8
	ANDL $-LANES, R8
	TAIL // xTail, yTail = the last CX elements

whole: // add up to three whole vectors
	NEXT(0, xy0, xx0, yy0, last0)
	NEXT(1, xy1, xx1, yy1, last1)
	NEXT(2, xy2, xx2, yy2, last2)
	TERMS(xTail, yTail, xy3, xx3, yy3) // add the tail after three vectors
	JMP sum

last0: // last0, last1, last2: add the tail after 0, 1 or 2 vectors
	TERMS(xTail, yTail, xy0, xx0, yy0)
	JMP sum

last1:
	TERMS(xTail, yTail, xy1, xx1, yy1)
	JMP sum

last2:
	TERMS(xTail, yTail, xy2, xx2, yy2)

sum: // g₀+g₁ in the first pass, g₂+g₃ in the second
	ADD xy2, xy0, xy0
	ADD xy3, xy1, xy1
	ADD xx2, xx0, xx0
	ADD xx3, xx1, xx1
	ADD yy2, yy0, yy0
	ADD yy3, yy1, yy1
	TESTL second, second
	JNE both
	INCL second // save the sums of the first pass
	VMOVUPS xy0, half-192(SP)
	VMOVUPS xy1, half-160(SP)
	VMOVUPS xx0, half-128(SP)
	VMOVUPS xx1, half-96(SP)
	VMOVUPS yy0, half-64(SP)
	VMOVUPS yy1, half-32(SP)
	JMP pass

both: // (g₀+g₁)+(g₂+g₃)
	ADD half-192(SP), xy0, xy0
	ADD half-160(SP), xy1, xy1
	ADD half-128(SP), xx0, xx0
	ADD half-96(SP), xx1, xx1
	ADD half-64(SP), yy0, yy0
	ADD half-32(SP), yy1, yy1
	ADD xy1, xy0, xy0 // X0, X4, X8 = sums of the halves, down to 128 bits
	ADD xx1, xx0, xx0
	ADD yy1, yy0, yy0
	VEXTRACTF128 $1, xy0, X1
	VEXTRACTF128 $1, xx0, X5
	VEXTRACTF128 $1, yy0, X9
	ADD X1, X0, X0
	ADD X5, X4, X4
	ADD X9, X8, X8

#undef xPtr
#undef yPtr
#undef left
#undef second
#undef xy0
#undef xy1
#undef xy2
#undef xy3
#undef xx0
#undef xx1
#undef xx2
#undef xx3
#undef yy0
#undef yy1
#undef yy2
#undef yy3
#undef xTail
#undef yTail
#undef MASKED_TAIL
#undef COPIED_TAIL
#undef COPIED_Y_TAIL
#undef VECTOR
#undef NEXT
#include "clear_amd64.h"
