// The body of the rows of gemv in kernels_gemv_amd64.s, which says what the macros of each type
// are.
//
// The dot product of kernels_linear_amd64.s a row at a time, for at least one row and one column.
// AX: dst; R12: the row; R9: its stride in bytes; R10: x; BX: rows left; SI, DI, DX: place in the
// row and in x, elements left; Y0-Y7: the lanes; Y13: −0. The last vector, whole or not, stands
// apart: R13: elements before it; CX: its own; ROWMASK: theirs; ROWLAST, Y14: the row's, loaded
// and converted; Y15: that of x, −0 where there is no element. Row begins in the middle of a
// line: from its start, short rows take up to 1.4 times as long on Zen 5.

// TAKE4 takes vectors i to i+3 of a row to their lanes; TAKE1 vector i, if it is not the last.
#define TAKE4(i, a, b, c, d) \
	LOAD (i*LANES*SIZE)(SI), Y8      \
	LOAD ((i+1)*LANES*SIZE)(SI), Y9  \
	LOAD ((i+2)*LANES*SIZE)(SI), Y10 \
	LOAD ((i+3)*LANES*SIZE)(SI), Y11 \
	FMA (i*32)(DI), Y8, a            \
	FMA (i*32+32)(DI), Y9, b         \
	FMA (i*32+64)(DI), Y10, c        \
	FMA (i*32+96)(DI), Y11, d

#define TAKE1(i, a, last) \
	SUBQ $LANES, DX             \
	JLT last                    \
	LOAD (i*LANES*SIZE)(SI), Y8 \
	FMA (i*32)(DI), Y8, a

#include "gemv_last_amd64.h"
	PCALIGN $32

row:
	LEAQ (R12)(R13*SIZE), R8
	CROSSES(R8, LANES*SIZE, edge)
	VMASKMOVPS (R8), ROWMASK, ROWLAST

begin:
	CONVERT
	MOVQ R12, SI
	MOVQ R10, DI
	MOVQ R13, DX
	VMOVAPD Y13, Y0
	VMOVAPD Y13, Y1
	VMOVAPD Y13, Y2
	VMOVAPD Y13, Y3
	VMOVAPD Y13, Y4
	VMOVAPD Y13, Y5
	VMOVAPD Y13, Y6
	VMOVAPD Y13, Y7
	SUBQ $(8*LANES), DX // eight vectors before the last?
	JLT left

eight:
	NEXT_AHEAD
	TAKE4(0, Y0, Y1, Y2, Y3)
	TAKE4(4, Y4, Y5, Y6, Y7)
	ADDQ $(8*LANES*SIZE), SI
	ADDQ $(8*LANES*XSIZE), DI
	SUBQ $(8*LANES), DX
	JGE eight

left:
	ADDQ $(7*LANES), DX
	JLT last0
	LOAD (SI), Y8
	FMA (DI), Y8, Y0
	TAKE1(1, Y1, last1)
	TAKE1(2, Y2, last2)
	TAKE1(3, Y3, last3)
	TAKE1(4, Y4, last4)
	TAKE1(5, Y5, last5)
	TAKE1(6, Y6, last6)
	FMA Y15, Y14, Y7

sum:
	ADD Y2, Y0, Y0
	ADD Y3, Y1, Y1
	ADD Y6, Y4, Y4
	ADD Y7, Y5, Y5
	ADD Y4, Y0, Y0
	ADD Y5, Y1, Y1

halve:
	ADD Y1, Y0, Y0
	HALVE
	STORE X0, (AX)
	ADDQ $XSIZE, AX
	ADDQ R9, R12
	DECQ BX
	JNE row
	VZEROUPPER
	RET

last6:
	FMA Y15, Y14, Y6
	JMP sum

last5:
	FMA Y15, Y14, Y5
	JMP sum

last4:
	FMA Y15, Y14, Y4
	JMP sum

last3:
	FMA Y15, Y14, Y3
	JMP sum

last2:
	FMA Y15, Y14, Y2
	JMP sum

last1:
	FMA Y15, Y14, Y1
	JMP short

last0:
	FMA Y15, Y14, Y0

short: // up to two vectors: Y2 to Y7 are −0
	CMPQ R13, $LANES
	JGT sum
	JMP halve

edgeX: // the last vector of x near the end of a page, once
	EDGE(32, XSIZE, Y12, Y15, Y15)
	JMP fill

edge: // that of the row
	EDGE(LANES*SIZE, SIZE, ROWMASK, ROWLAST, Y14)
	JMP begin

#undef MASK
#undef EDGE
#undef TAKE4
#undef TAKE1
