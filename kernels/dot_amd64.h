// The body of the dot products and squared distances of two vectors of one type. Eight accumulators
// contain the lanes that DotF64 documents. The body has three parameters. A type header, such as
// f64_amd64.h, defines the types, and the body undefines the macros of this header. TERM(op, m, t,
// u, acc) sets acc (MUL) to the terms of t, a vector of x, and m, a vector of y, or adds (FMA) the
// terms to acc. LAST(acc) adds the terms of xTail and yTail.
//
// An iteration processes eight vectors. The first iteration initializes the accumulators. If there
// are fewer than eight vectors, the accumulators start as −0, which changes no sum. Then whole
// vectors are processed one by one. The tail is loaded under a mask. Missing elements are +0 in x
// and −0 in y. Therefore, their products are −0, and the squares of their differences are +0.
//
// Registers: AX: table of masks; CX: number of elements of the tail; R10: −CX; R8, R9: addresses of
// the tail in x and y; Y8-Y13: elements and masks.

#define xPtr  SI // address of the next elements of x
#define yPtr  DI // address of the next elements of y
#define left  DX // number of remaining elements, minus 8·LANES in the loop
#define count BX // number of elements of x
#define acc0  Y0 // lanes 0 to LANES−1
#define acc1  Y1
#define acc2  Y2
#define acc3  Y3
#define acc4  Y4
#define acc5  Y5
#define acc6  Y6
#define acc7  Y7
#define xTail Y14 // tail of x, with +0 in the other lanes
#define yTail Y15 // tail of y, with −0 in the other lanes

// Y8 … Y11 = vectors i to i+3 of x. Alternating loads of x and y would take up to a fifth longer in
// L2.
#define LOAD4(i) \
	LOADX((i*LANES*XSIZE)(xPtr), Y8)      \
	LOADX(((i+1)*LANES*XSIZE)(xPtr), Y9)  \
	LOADX(((i+2)*LANES*XSIZE)(xPtr), Y10) \
	LOADX(((i+3)*LANES*XSIZE)(xPtr), Y11)

// Sets (MUL) the accumulators a to d to the terms of vectors i to i+3, or adds (FMA) the terms.
#define TERM4(op, i, a, b, c, d) \
	TERM(op, (i*LANES*XSIZE)(yPtr), Y8, Y12, a)      \
	TERM(op, ((i+1)*LANES*XSIZE)(yPtr), Y9, Y13, b)  \
	TERM(op, ((i+2)*LANES*XSIZE)(yPtr), Y10, Y14, c) \
	TERM(op, ((i+3)*LANES*XSIZE)(yPtr), Y11, Y15, d)

// acc += terms of vector i. If fewer than LANES elements remain: goto last.
#define NEXT(i, acc, last) \
	SUBQ $LANES, left                    \
	JLT last                             \
	LOADX((i*LANES*XSIZE)(xPtr), Y8)     \
	TERM(FMA, (i*LANES*XSIZE)(yPtr), Y8, Y9, acc)

	MOVQ x+0(FP), xPtr
	MOVQ n+16(FP), left
	MOVQ y+8(FP), yPtr
	MOVQ left, count
	CMPQ left, $(8*LANES) // if n ≥ 8 vectors: goto full
	JGE full
	TESTQ left, left
	JEQ empty
	MINUS0(acc0) // acc0 … acc7 = −0
	VMOVAPS acc0, acc1
	VMOVAPS acc0, acc2
	VMOVAPS acc0, acc3
	VMOVAPS acc0, acc4
	VMOVAPS acc0, acc5
	VMOVAPS acc0, acc6
	VMOVAPS acc0, acc7

tail: // fewer than eight vectors remain
	FILL(yTail) // xTail = +0, yTail = −0
	VXORPS X14, X14, X14
	MOVL left, CX
	ANDL $-LANES, left // number of elements in whole vectors
	ANDL $(LANES-1), CX // number of elements in the tail
	JEQ whole
	LEAQ (xPtr)(left*XSIZE), R8
	LEAQ (yPtr)(left*XSIZE), R9
	LEAQ github·com∕simdrank∕simdrank∕internal∕kern·Masks(SB), AX // Y12 = mask of the first CX lanes
	MOVQ CX, R10
	NEGQ R10
	VMOVUPS 96(AX)(R10*XSIZE), Y12
	VANDNPS yTail, Y12, yTail // −0 in the other lanes
	CROSSES(R8, LANES*XSIZE, pageEndX) // xTail = the last CX elements
	MASKMOV (R8), LOADED(X12, Y12), LOADED(X14, Y14)

tailY: // yTail |= the last CX elements
	CROSSES(R9, LANES*XSIZE, pageEndY)
	MASKMOV (R9), LOADED(X12, Y12), LOADED(X13, Y13)

fill:
	VORPS Y13, yTail, yTail

whole: // acc[i] += terms of vector i; the accumulator after the last whole vector gets the tail
	CONVERT
	NEXT(0, acc0, last0)
	NEXT(1, acc1, last1)
	NEXT(2, acc2, last2)
	NEXT(3, acc3, last3)
	NEXT(4, acc4, last4)
	NEXT(5, acc5, last5)
	NEXT(6, acc6, last6)
	LAST(acc7) // add the tail after seven whole vectors

sum: // (g₀+g₁)+(g₂+g₃), where a group is two accumulators
	ADD acc2, acc0, acc0
	ADD acc3, acc1, acc1
	ADD acc6, acc4, acc4
	ADD acc7, acc5, acc5
	ADD acc4, acc0, acc0
	ADD acc5, acc1, acc1

return:
	RETURN_SUM
	PCALIGN $32

full: // if there are at least eight vectors
	LOAD4(0) // acc0 … acc7 = terms of vectors 0 to 7
	TERM4(MUL, 0, acc0, acc1, acc2, acc3)
	LOAD4(4)
	TERM4(MUL, 4, acc4, acc5, acc6, acc7)
	ADDQ $(8*LANES*XSIZE), xPtr
	ADDQ $(8*LANES*XSIZE), yPtr
	SUBQ $(16*LANES), left // if fewer than eight vectors remain: goto end
	JLT end
	PCALIGN $64

loop: // acc0 … acc7 += terms of vectors 0 to 7
	LOAD4(0)
	TERM4(FMA, 0, acc0, acc1, acc2, acc3)
	LOAD4(4)
	TERM4(FMA, 4, acc4, acc5, acc6, acc7)
	ADDQ $(8*LANES*XSIZE), xPtr
	ADDQ $(8*LANES*XSIZE), yPtr
	SUBQ $(8*LANES), left
	JGE loop

end:
	ADDQ $(8*LANES), left // if no elements remain: goto sum
	JEQ sum
	JMP tail
	PCALIGN $32

last6: // acc6 += terms of the tail
	LAST(acc6)
	JMP sum
	PCALIGN $32

last5:
	LAST(acc5)
	JMP sum
	PCALIGN $32

last4:
	LAST(acc4)
	JMP sum
	PCALIGN $32

last3:
	LAST(acc3) // acc3 += terms of the tail
	JMP sum
	PCALIGN $32

last2:
	LAST(acc2)
	JMP sum
	PCALIGN $32

last1:
	LAST(acc1)
	JMP short
	PCALIGN $32

last0:
	LAST(acc0)

short: // if n ≤ 2 vectors, acc2 … acc7 are −0: goto return
	CMPQ count, $(2*LANES)
	JGT sum
	JMP return
	PCALIGN $32

pageEndX: // load the vector that ends with the last element, and move its last CX lanes to the front
	VMOVUPS (32-LANES*XSIZE)(AX)(CX*XSIZE), Y12 // mask of the last CX lanes
	LEAQ github·com∕simdrank∕simdrank∕internal∕kern·Iota(SB), R11
	VMOVUPS (LANES*XSIZE)(R11)(R10*XSIZE), Y10 // indices for the permutation
	MASKMOV (-LANES*XSIZE)(R8)(CX*XSIZE), LOADED(X12, Y12), LOADED(X14, Y14)
	VPERMPS xTail, Y10, xTail
	VMOVUPS 96(AX)(R10*XSIZE), Y12
	JMP tailY

pageEndY:
	VMOVUPS (32-LANES*XSIZE)(AX)(CX*XSIZE), Y12 // do the same for y
	LEAQ github·com∕simdrank∕simdrank∕internal∕kern·Iota(SB), R11
	VMOVUPS (LANES*XSIZE)(R11)(R10*XSIZE), Y10
	MASKMOV (-LANES*XSIZE)(R9)(CX*XSIZE), LOADED(X12, Y12), LOADED(X13, Y13)
	VPERMPS Y13, Y10, Y13
	JMP fill

empty: // return 0
	VXORPS X0, X0, X0
	VXORPS X1, X1, X1
	JMP return

#undef xPtr
#undef yPtr
#undef left
#undef count
#undef acc0
#undef acc1
#undef acc2
#undef acc3
#undef acc4
#undef acc5
#undef acc6
#undef acc7
#undef xTail
#undef yTail
#undef LOAD4
#undef TERM4
#undef NEXT
#include "clear_amd64.h"
