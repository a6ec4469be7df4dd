// The body of the kernels that compute one or three sums over two vectors of any types. A header of
// element types defines LOADX, LOADY and their sizes. f64_avx512_amd64.h describes them. A header
// of terms defines the other parameters. TERMS(x, y, sum, xx, yy) adds the terms of x and y to the
// sums, and TERMS_K1 does so in the lanes of K1. FIRST sets the sums to the terms. START
// initializes the sums if there are fewer than four vectors. RESULT returns the result.
//
// The last vector is loaded under a mask if it is partial. Unlike dot_avx512_amd64.h, this body
// does not avoid masked loads near an unmapped page, which take some hundred nanoseconds.
//
// Registers: Z16-Z19: elements of x; Z20-Z23: elements of y; K1: mask of the last vector's
// elements.

#include "compare_names_avx512_amd64.h"

// Adds the terms of vector g, the last one, which has left+LANES elements, to the sums of a group.
#define LAST(g, x, y, sum, xx, yy) \
	LEAL LANES(left), CX; MOVL $1, AX; SHLL CX, AX; DECL AX; KMOVW AX, K1;      \
	LOADX_K(g*LANES*XSIZE(xNext), K1, x); LOADY_K(g*LANES*YSIZE(yNext), K1, y); \
	TERMS_K1(x, y, sum, xx, yy)

	MOVQ x+0(FP), xNext // load the arguments
	MOVQ n+16(FP), left
	MOVQ y+8(FP), yNext
	SUBQ $(4*LANES), left
	JLT initialize
	LOADX(0*LANES*XSIZE(xNext), Z16) // four vectors initialize the sums
	LOADX(1*LANES*XSIZE(xNext), Z17)
	LOADX(2*LANES*XSIZE(xNext), Z18)
	LOADX(3*LANES*XSIZE(xNext), Z19)
	LOADY(0*LANES*YSIZE(yNext), Z20)
	LOADY(1*LANES*YSIZE(yNext), Z21)
	LOADY(2*LANES*YSIZE(yNext), Z22)
	LOADY(3*LANES*YSIZE(yNext), Z23)
	FIRST(Z16, Z20, sum0, xx0, yy0) // sums of group g = terms of vector g
	FIRST(Z17, Z21, sum1, xx1, yy1)
	FIRST(Z18, Z22, sum2, xx2, yy2)
	FIRST(Z19, Z23, sum3, xx3, yy3)
	SUBQ $(4*LANES), left
	JGE loop

tail: // process the elements from 4·LANES on; left = remaining elements − 4·LANES
	CMPQ left, $(-3*LANES)
	JLT last0
	LOADX(4*LANES*XSIZE(xNext), Z16) // group 0 += terms of a whole vector
	LOADY(4*LANES*YSIZE(yNext), Z20)
	TERMS(Z16, Z20, sum0, xx0, yy0)
	JEQ sum
	CMPQ left, $(-2*LANES)
	JLT last1
	LOADX(5*LANES*XSIZE(xNext), Z17) // group 1 += terms of a whole vector
	LOADY(5*LANES*YSIZE(yNext), Z21)
	TERMS(Z17, Z21, sum1, xx1, yy1)
	JEQ sum
	CMPQ left, $-LANES
	JLT last2
	LOADX(6*LANES*XSIZE(xNext), Z18) // group 2 += terms of a whole vector
	LOADY(6*LANES*YSIZE(yNext), Z22)
	TERMS(Z18, Z22, sum2, xx2, yy2)
	JEQ sum
	LAST(7, Z19, Z23, sum3, xx3, yy3) // group 3 += terms of the last vector

sum:
	RESULT
	PCALIGN $64

loop:
	LOADX(4*LANES*XSIZE(xNext), Z16) // sums of group g += terms of vector g
	LOADX(5*LANES*XSIZE(xNext), Z17)
	LOADX(6*LANES*XSIZE(xNext), Z18)
	LOADX(7*LANES*XSIZE(xNext), Z19)
	LOADY(4*LANES*YSIZE(yNext), Z20)
	LOADY(5*LANES*YSIZE(yNext), Z21)
	LOADY(6*LANES*YSIZE(yNext), Z22)
	LOADY(7*LANES*YSIZE(yNext), Z23)
	TERMS(Z16, Z20, sum0, xx0, yy0) // add the terms of each group
	TERMS(Z17, Z21, sum1, xx1, yy1)
	TERMS(Z18, Z22, sum2, xx2, yy2)
	TERMS(Z19, Z23, sum3, xx3, yy3)
	ADDQ $(4*LANES*XSIZE), xNext
	ADDQ $(4*LANES*YSIZE), yNext
	SUBQ $(4*LANES), left
	JGE loop
	JMP tail

last0: // no whole vector remains
	CMPQ left, $(-4*LANES)
	JEQ sum
	ADDQ $(3*LANES), left
	LAST(4, Z16, Z20, sum0, xx0, yy0) // group 0 += terms of the last vector
	JMP sum

last1: // the last vector follows one whole vector
	ADDQ $(2*LANES), left
	LAST(5, Z17, Z21, sum1, xx1, yy1) // group 1 += terms of the last vector
	JMP sum

last2: // the last vector follows two whole vectors
	ADDQ $LANES, left
	LAST(6, Z18, Z22, sum2, xx2, yy2) // group 2 += terms of the last vector
	JMP sum

initialize: // initialize the sums if there are fewer than four vectors
	START
	SUBQ $(4*LANES*XSIZE), xNext
	SUBQ $(4*LANES*YSIZE), yNext
	JMP tail

#undef LAST
