// The body of gemv on AVX2 for one row at a time, for at least one row and one column. The body
// computes the dot product of kernels_linear_amd64.s for each row. The last vector of a row, whole
// or partial, is loaded first, under a mask. The loop over rows starts in the middle of a cache
// line. If it started at the beginning of a line, short rows would take up to 1.4 times as long on
// Zen 5.
//
// Registers: Y0-Y7: lanes of eight vectors; CX: number of elements of the last vector; ROWMASK:
// mask of these elements; Y14: the last vector of the row; R8: address of this vector.

#define todo DX // remaining elements before the last vector, minus 8·LANES in the loop

// TAKE4 adds the products of vectors i to i+3 of a row to the lanes a to d. TAKE1 does the same for
// vector i. If vector i is the last vector: goto last.
#define TAKE4(i, a, b, c, d) \
	LOAD (i*LANES*SIZE)(place), Y8      \
	LOAD ((i+1)*LANES*SIZE)(place), Y9  \
	LOAD ((i+2)*LANES*SIZE)(place), Y10 \
	LOAD ((i+3)*LANES*SIZE)(place), Y11 \
	FMA (i*32)(xPlace), Y8, a           \
	FMA (i*32+32)(xPlace), Y9, b        \
	FMA (i*32+64)(xPlace), Y10, c       \
	FMA (i*32+96)(xPlace), Y11, d
#define TAKE1(i, a, last) \
	SUBQ $LANES, todo              \
	JLT last                       \
	LOAD (i*LANES*SIZE)(place), Y8 \
	FMA (i*32)(xPlace), Y8, a

#include "gemv_last_amd64.h"
	PCALIGN $32

row: // Y14 = last vector of the row
	LEAQ (nextRow)(whole*SIZE), R8
	CROSSES(R8, LANES*SIZE, edge)
	VMASKMOVPS (R8), ROWMASK, ROWLAST

begin:
	CONVERT
	MOVQ nextRow, place
	MOVQ xStart, xPlace
	MOVQ whole, todo
	VMOVAPD minus0, Y0 // lanes = -0
	VMOVAPD minus0, Y1
	VMOVAPD minus0, Y2
	VMOVAPD minus0, Y3
	VMOVAPD minus0, Y4
	VMOVAPD minus0, Y5
	VMOVAPD minus0, Y6
	VMOVAPD minus0, Y7
	SUBQ $(8*LANES), todo // if fewer than eight vectors precede the last one: goto tail
	JLT tail

eight: // lanes += eight vectors of the row · x
	NEXT_AHEAD
	TAKE4(0, Y0, Y1, Y2, Y3)
	TAKE4(4, Y4, Y5, Y6, Y7)
	ADDQ $(8*LANES*SIZE), place
	ADDQ $(8*LANES*XSIZE), xPlace
	SUBQ $(8*LANES), todo
	JGE eight

tail: // lanes += up to seven more vectors and the last vector
	ADDQ $(7*LANES), todo
	JLT last0
	LOAD (place), Y8 // vector 0
	FMA (xPlace), Y8, Y0
	TAKE1(1, Y1, last1)
	TAKE1(2, Y2, last2)
	TAKE1(3, Y3, last3) // vectors 3 to 6
	TAKE1(4, Y4, last4)
	TAKE1(5, Y5, last5)
	TAKE1(6, Y6, last6)
	FMA lastX, Y14, Y7

sum: // Y0, Y1 = lanes (0+2) + (4+6), (1+3) + (5+7)
	ADD Y2, Y0, Y0
	ADD Y3, Y1, Y1
	ADD Y6, Y4, Y4
	ADD Y7, Y5, Y5
	ADD Y4, Y0, Y0
	ADD Y5, Y1, Y1

halve: // dst[i] = sum of Y0 + Y1
	ADD Y1, Y0, Y0
	HALVE
	STORE X0, (dst)
	ADDQ $XSIZE, dst // the next row
	ADDQ step, nextRow
	DECQ left
	JNE row
	VZEROUPPER
	RET

last6: // last0 … last6: lanes += the last vector of the row · the last vector of x
	FMA lastX, Y14, Y6
	JMP sum

last5:
	FMA lastX, Y14, Y5
	JMP sum

last4:
	FMA lastX, Y14, Y4
	JMP sum

last3: // three vectors precede the last one
	FMA lastX, Y14, Y3
	JMP sum

last2:
	FMA lastX, Y14, Y2
	JMP sum

last1:
	FMA lastX, Y14, Y1
	JMP short

last0:
	FMA lastX, Y14, Y0

short: // if the row has up to two vectors, Y2 to Y7 are -0: goto halve
	CMPQ whole, $LANES
	JGT sum
	JMP halve

edgeX: // load the last vector of x, near the end of a page; executed once
	EDGE(32, XSIZE, Y12, lastX, lastX)
	JMP fill

edge: // load the last vector of the row, near the end of a page
	EDGE(LANES*SIZE, SIZE, ROWMASK, ROWLAST, Y14)
	JMP begin

#undef todo
#undef TAKE4
#undef TAKE1
#include "gemv_clear_amd64.h"
