// The body of the dot products in kernels_linear_amd64.s, which says what the macros of each type
// are.
//
// SI, DI: x, y; DX: elements left; BX: all of them. Y0-Y7: the lanes.
//
// The first products are the lanes where there are eight vectors, else they start as −0, which
// changes no sum. The rest after the last whole vector is loaded under a mask, with +0 in x and
// −0 in y where there is no element, so that those products are −0.

// Vectors i to i+3 of x, and their products with those of y. Four of x before four of y: one and
// one takes up to a fifth longer in L2.
#define LOAD4(i) \
	LOAD (i*LANES*SIZE)(SI), Y8  \
	LOAD ((i+1)*LANES*SIZE)(SI), Y9  \
	LOAD ((i+2)*LANES*SIZE)(SI), Y10 \
	LOAD ((i+3)*LANES*SIZE)(SI), Y11

#define BY4(op, i, a, b, c, d) \
	BY(op, (i*LANES*SIZE)(DI), Y8, Y12, a)  \
	BY(op, ((i+1)*LANES*SIZE)(DI), Y9, Y13, b)  \
	BY(op, ((i+2)*LANES*SIZE)(DI), Y10, Y14, c) \
	BY(op, ((i+3)*LANES*SIZE)(DI), Y11, Y15, d)

// NEXT takes vector i of what is left, if there is one, else it goes on at rest.
#define NEXT(i, acc, rest) \
	SUBQ $LANES, DX              \
	JLT rest                     \
	LOAD (i*LANES*SIZE)(SI), Y8  \
	BY(FMA, (i*LANES*SIZE)(DI), Y8, Y9, acc)

	MOVQ x+0(FP), SI
	MOVQ n+16(FP), DX
	MOVQ y+8(FP), DI
	MOVQ DX, BX
	CMPQ DX, $(8*LANES)
	JGE many // eight vectors or more
	TESTQ DX, DX
	JEQ empty
	MINUS0(Y0) // fewer: all lanes −0
	VMOVAPS Y0, Y1
	VMOVAPS Y0, Y2
	VMOVAPS Y0, Y3
	VMOVAPS Y0, Y4
	VMOVAPS Y0, Y5
	VMOVAPS Y0, Y6
	VMOVAPS Y0, Y7

left: // fewer than eight vectors
	FILL(Y15)
	VXORPS X14, X14, X14
	MOVL DX, CX
	ANDL $-LANES, DX // elements of whole vectors
	ANDL $(LANES-1), CX // elements of the rest
	JEQ whole
	LEAQ (SI)(DX*SIZE), R8
	LEAQ (DI)(DX*SIZE), R9
	LEAQ github·com∕simdrank∕simdrank∕internal∕kern·Masks(SB), AX
	MOVQ CX, R10
	NEGQ R10
	VMOVUPS 96(AX)(R10*SIZE), Y12 // the first CX lanes
	VANDNPS Y15, Y12, Y15 // −0 in the others
	CROSSES(R8, LANES*SIZE, edgeX)
	MASKMOV (R8), MASK, RESTX

thenY:
	CROSSES(R9, LANES*SIZE, edgeY)
	MASKMOV (R9), MASK, RESTY

fill:
	VORPS Y13, Y15, Y15

whole:
	CONVERT
	NEXT(0, Y0, rest0)
	NEXT(1, Y1, rest1)
	NEXT(2, Y2, rest2)
	NEXT(3, Y3, rest3)
	NEXT(4, Y4, rest4)
	NEXT(5, Y5, rest5)
	NEXT(6, Y6, rest6)
	REST(Y7)

sum:
	ADD Y2, Y0, Y0
	ADD Y3, Y1, Y1
	ADD Y6, Y4, Y4
	ADD Y7, Y5, Y5
	ADD Y4, Y0, Y0
	ADD Y5, Y1, Y1

halve:
	HALVE
	PCALIGN $32

many:
	CMPQ DX, $const_blockLen
	JGT long
	LOAD4(0)
	BY4(MUL, 0, Y0, Y1, Y2, Y3)
	LOAD4(4)
	BY4(MUL, 4, Y4, Y5, Y6, Y7)
	ADDQ $(8*LANES*SIZE), SI
	ADDQ $(8*LANES*SIZE), DI
	SUBQ $(16*LANES), DX // eight vectors done, and eight more at least?
	JLT tail
	PREEMPTED(stop) // once a call: blocks are short
	PCALIGN $64

near:
	LOAD4(0)
	BY4(FMA, 0, Y0, Y1, Y2, Y3)
	LOAD4(4)
	BY4(FMA, 4, Y4, Y5, Y6, Y7)
	ADDQ $(8*LANES*SIZE), SI
	ADDQ $(8*LANES*SIZE), DI
	SUBQ $(8*LANES), DX
	JGE near

tail:
	ADDQ $(8*LANES), DX
	JEQ sum
	JMP left
	PCALIGN $32

rest6:
	REST(Y6)
	JMP sum
	PCALIGN $32

rest5:
	REST(Y5)
	JMP sum
	PCALIGN $32

rest4:
	REST(Y4)
	JMP sum
	PCALIGN $32

rest3:
	REST(Y3)
	JMP sum
	PCALIGN $32

rest2:
	REST(Y2)
	JMP sum
	PCALIGN $32

rest1:
	REST(Y1)
	JMP short
	PCALIGN $32

rest0:
	REST(Y0)

short: // up to two vectors: Y2 to Y7 are −0
	CMPQ BX, $(2*LANES)
	JGT sum
	JMP halve
	PCALIGN $32

edgeX: // the vector that ends with the last element, its last CX lanes moved to the front
	VMOVUPS (32-LANES*SIZE)(AX)(CX*SIZE), Y12 // the last CX lanes
	LEAQ github·com∕simdrank∕simdrank∕internal∕kern·Iota(SB), R11
	VMOVUPS (LANES*SIZE)(R11)(R10*SIZE), Y10 // indices
	MASKMOV (-LANES*SIZE)(R8)(CX*SIZE), MASK, RESTX
	VPERMPS Y14, Y10, Y14
	VMOVUPS 96(AX)(R10*SIZE), Y12
	JMP thenY

edgeY:
	VMOVUPS (32-LANES*SIZE)(AX)(CX*SIZE), Y12
	LEAQ github·com∕simdrank∕simdrank∕internal∕kern·Iota(SB), R11
	VMOVUPS (LANES*SIZE)(R11)(R10*SIZE), Y10
	MASKMOV (-LANES*SIZE)(R9)(CX*SIZE), MASK, RESTY
	VPERMPS Y13, Y10, Y13
	JMP fill

empty:
	VXORPS X0, X0, X0
	VXORPS X1, X1, X1
	JMP halve

stop: // from the start, in Go, which yields
	VZEROUPPER

long: // more than a block: in blocks, in Go
	JMP BLOCKS

#undef LOAD4
#undef BY4
#undef NEXT
