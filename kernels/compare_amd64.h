// The body of the kernels of kernels_vector_amd64.s that make three sums of two vectors of any
// types; that file says what the macros of each kernel are.
//
// The 24 vectors of lanes do not fit the registers: elements are taken by steps of eight vectors,
// the first four of each in a first pass, and the last four in a second one.
//
// SI, DI: x, y, or what is left of them; DX: elements left, from the first vector of the pass on;
// BX: 0 in the first pass; Y0-Y3, Y4-Y7, Y8-Y11: the lanes of each sum; Y12, Y13: elements; Y14,
// Y15: the rest after the last whole vector, filled up so that it adds nothing.

	XORL BX, BX

pass:
	MOVQ x+0(FP), SI
	MOVQ n+16(FP), DX
	MOVQ y+8(FP), DI
	TESTL BX, BX
	JEQ start
	ADDQ $(4*LANES*XSIZE), SI
	ADDQ $(4*LANES*YSIZE), DI
	SUBQ $(4*LANES), DX

start:
	START
	SUBQ $(4*LANES), DX
	JLT tail
	PCALIGN $32

loop:
	LOADX(0*LANES*XSIZE(SI), Y12)
	LOADY(0*LANES*YSIZE(DI), Y13)
	TERMS(Y12, Y13, Y0, Y4, Y8)
	LOADX(1*LANES*XSIZE(SI), Y14)
	LOADY(1*LANES*YSIZE(DI), Y15)
	TERMS(Y14, Y15, Y1, Y5, Y9)
	LOADX(2*LANES*XSIZE(SI), Y12)
	LOADY(2*LANES*YSIZE(DI), Y13)
	TERMS(Y12, Y13, Y2, Y6, Y10)
	LOADX(3*LANES*XSIZE(SI), Y14)
	LOADY(3*LANES*YSIZE(DI), Y15)
	TERMS(Y14, Y15, Y3, Y7, Y11)
	ADDQ $(8*LANES*XSIZE), SI
	ADDQ $(8*LANES*YSIZE), DI
	SUBQ $(8*LANES), DX
	JGE loop

tail:
	ADDQ $(4*LANES), DX
	JLE sum // nothing of this pass is left
	MOVL DX, CX
	ANDL $(LANES-1), CX
	JEQ whole
	MOVL DX, R8
	ANDL $-LANES, R8
	RESTS // elements CX of those from R8 on

whole: // fewer than four vectors
	SUBQ $LANES, DX
	JLT rest0
	LOADX(0*LANES*XSIZE(SI), Y12)
	LOADY(0*LANES*YSIZE(DI), Y13)
	TERMS(Y12, Y13, Y0, Y4, Y8)
	JEQ sum
	SUBQ $LANES, DX
	JLT rest1
	LOADX(1*LANES*XSIZE(SI), Y12)
	LOADY(1*LANES*YSIZE(DI), Y13)
	TERMS(Y12, Y13, Y1, Y5, Y9)
	JEQ sum
	SUBQ $LANES, DX
	JLT rest2
	LOADX(2*LANES*XSIZE(SI), Y12)
	LOADY(2*LANES*YSIZE(DI), Y13)
	TERMS(Y12, Y13, Y2, Y6, Y10)
	JEQ sum
	TERMS(Y14, Y15, Y3, Y7, Y11)
	JMP sum

rest0:
	TERMS(Y14, Y15, Y0, Y4, Y8)
	JMP sum

rest1:
	TERMS(Y14, Y15, Y1, Y5, Y9)
	JMP sum

rest2:
	TERMS(Y14, Y15, Y2, Y6, Y10)

sum: // g0+g1 or g2+g3
	ADD Y2, Y0, Y0
	ADD Y3, Y1, Y1
	ADD Y6, Y4, Y4
	ADD Y7, Y5, Y5
	ADD Y10, Y8, Y8
	ADD Y11, Y9, Y9
	TESTL BX, BX
	JNE both
	INCL BX
	VMOVUPS Y0, half-192(SP)
	VMOVUPS Y1, half-160(SP)
	VMOVUPS Y4, half-128(SP)
	VMOVUPS Y5, half-96(SP)
	VMOVUPS Y8, half-64(SP)
	VMOVUPS Y9, half-32(SP)
	JMP pass

both:
	ADD half-192(SP), Y0, Y0
	ADD half-160(SP), Y1, Y1
	ADD half-128(SP), Y4, Y4
	ADD half-96(SP), Y5, Y5
	ADD half-64(SP), Y8, Y8
	ADD half-32(SP), Y9, Y9
	ADD Y1, Y0, Y0
	ADD Y5, Y4, Y4
	ADD Y9, Y8, Y8
	VEXTRACTF128 $1, Y0, X1
	VEXTRACTF128 $1, Y4, X5
	VEXTRACTF128 $1, Y8, X9
	ADD X1, X0, X0
	ADD X5, X4, X4
	ADD X9, X8, X8
	RESULT
