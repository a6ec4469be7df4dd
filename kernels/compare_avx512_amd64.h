// The body of the kernels of kernels_vector_avx512_amd64.s that make one or three sums of two
// vectors of any types; that file says what the macros of each kernel are.
//
// SI, DI: x, y; DX: elements left; Z0-Z3, Z4-Z7, Z8-Z11: the lanes of each sum; Z16-Z23: elements.
//
// A last vector that is not whole is loaded under a mask. Unlike in dot_avx512_amd64.h, nothing is
// done about its price near a page without memory, some hundred nanoseconds.

	MOVQ x_base+0(FP), SI
	MOVQ x_len+8(FP), DX
	MOVQ y_base+24(FP), DI
	SUBQ $(4*LANES), DX
	JLT few
	LOADX(0*LANES*XSIZE(SI), Z16)
	LOADX(1*LANES*XSIZE(SI), Z17)
	LOADX(2*LANES*XSIZE(SI), Z18)
	LOADX(3*LANES*XSIZE(SI), Z19)
	LOADY(0*LANES*YSIZE(DI), Z20)
	LOADY(1*LANES*YSIZE(DI), Z21)
	LOADY(2*LANES*YSIZE(DI), Z22)
	LOADY(3*LANES*YSIZE(DI), Z23)
	FIRST(Z16, Z20, Z0, Z4, Z8)
	FIRST(Z17, Z21, Z1, Z5, Z9)
	FIRST(Z18, Z22, Z2, Z6, Z10)
	FIRST(Z19, Z23, Z3, Z7, Z11)
	ADDQ $(4*LANES*XSIZE), SI
	ADDQ $(4*LANES*YSIZE), DI
	SUBQ $(4*LANES), DX
	JLT tail
	PCALIGN $64

loop:
	LOADX(0*LANES*XSIZE(SI), Z16)
	LOADX(1*LANES*XSIZE(SI), Z17)
	LOADX(2*LANES*XSIZE(SI), Z18)
	LOADX(3*LANES*XSIZE(SI), Z19)
	LOADY(0*LANES*YSIZE(DI), Z20)
	LOADY(1*LANES*YSIZE(DI), Z21)
	LOADY(2*LANES*YSIZE(DI), Z22)
	LOADY(3*LANES*YSIZE(DI), Z23)
	TERMS(Z16, Z20, Z0, Z4, Z8)
	TERMS(Z17, Z21, Z1, Z5, Z9)
	TERMS(Z18, Z22, Z2, Z6, Z10)
	TERMS(Z19, Z23, Z3, Z7, Z11)
	ADDQ $(4*LANES*XSIZE), SI
	ADDQ $(4*LANES*YSIZE), DI
	SUBQ $(4*LANES), DX
	JGE loop

tail: // fewer than four vectors
	ADDQ $(4*LANES), DX
	JEQ sum
	SUBQ $LANES, DX
	JLT rest0
	LOADX(0*LANES*XSIZE(SI), Z16)
	LOADY(0*LANES*YSIZE(DI), Z20)
	TERMS(Z16, Z20, Z0, Z4, Z8)
	JEQ sum
	SUBQ $LANES, DX
	JLT rest1
	LOADX(1*LANES*XSIZE(SI), Z17)
	LOADY(1*LANES*YSIZE(DI), Z21)
	TERMS(Z17, Z21, Z1, Z5, Z9)
	JEQ sum
	SUBQ $LANES, DX
	JLT rest2
	LOADX(2*LANES*XSIZE(SI), Z18)
	LOADY(2*LANES*YSIZE(DI), Z22)
	TERMS(Z18, Z22, Z2, Z6, Z10)
	JEQ sum
	SUBQ $LANES, DX
	MASK
	LOADX_K1(3*LANES*XSIZE(SI), Z19)
	LOADY_K1(3*LANES*YSIZE(DI), Z23)
	TERMS_K1(Z19, Z23, Z3, Z7, Z11)
	JMP sum

rest0:
	MASK
	LOADX_K1(0*LANES*XSIZE(SI), Z16)
	LOADY_K1(0*LANES*YSIZE(DI), Z20)
	TERMS_K1(Z16, Z20, Z0, Z4, Z8)
	JMP sum

rest1:
	MASK
	LOADX_K1(1*LANES*XSIZE(SI), Z17)
	LOADY_K1(1*LANES*YSIZE(DI), Z21)
	TERMS_K1(Z17, Z21, Z1, Z5, Z9)
	JMP sum

rest2:
	MASK
	LOADX_K1(2*LANES*XSIZE(SI), Z18)
	LOADY_K1(2*LANES*YSIZE(DI), Z22)
	TERMS_K1(Z18, Z22, Z2, Z6, Z10)

sum:
	RESULT
	PCALIGN $32

few: // the lanes start empty
	START
	JMP tail
