// The body of the kernels of kernels_vector_avx512_amd64.s that make one or three sums of two
// vectors of any types; that file says what the macros of each kernel are.
//
// SI, DI: x, y, or the four vectors before what is left of them; DX: elements left; Z0-Z3, Z4-Z7,
// Z8-Z11: the lanes of each sum; Z16-Z23: elements.
//
// A last vector that is not whole is loaded under a mask. Unlike in dot_avx512_amd64.h, nothing is
// done about its price near a page without memory, some hundred nanoseconds.

// (g0+g1)+(g2+g3)
#define GROUPS(a, b, c, d) ADD b, a, a; ADD d, c, c; ADD c, a, a

	MOVQ x+0(FP), SI
	MOVQ n+16(FP), DX
	MOVQ y+8(FP), DI
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
	SUBQ $(4*LANES), DX
	JGE more

tail: // fewer than four vectors; DX is four vectors less than what is left
	CMPQ DX, $(-3*LANES)
	JLT rest0
	LOADX(4*LANES*XSIZE(SI), Z16)
	LOADY(4*LANES*YSIZE(DI), Z20)
	TERMS(Z16, Z20, Z0, Z4, Z8)
	JEQ sum
	CMPQ DX, $(-2*LANES)
	JLT rest1
	LOADX(5*LANES*XSIZE(SI), Z17)
	LOADY(5*LANES*YSIZE(DI), Z21)
	TERMS(Z17, Z21, Z1, Z5, Z9)
	JEQ sum
	CMPQ DX, $-LANES
	JLT rest2
	LOADX(6*LANES*XSIZE(SI), Z18)
	LOADY(6*LANES*YSIZE(DI), Z22)
	TERMS(Z18, Z22, Z2, Z6, Z10)
	JEQ sum
	MASK
	LOADX_K1(7*LANES*XSIZE(SI), Z19)
	LOADY_K1(7*LANES*YSIZE(DI), Z23)
	TERMS_K1(Z19, Z23, Z3, Z7, Z11)

sum:
	RESULT
	PCALIGN $32

more: // eight vectors or more
	CMPQ DX, $(const_blockLen-8*LANES)
	JGT long
	PREEMPTED(stop)
	PCALIGN $64

loop:
	LOADX(4*LANES*XSIZE(SI), Z16)
	LOADX(5*LANES*XSIZE(SI), Z17)
	LOADX(6*LANES*XSIZE(SI), Z18)
	LOADX(7*LANES*XSIZE(SI), Z19)
	LOADY(4*LANES*YSIZE(DI), Z20)
	LOADY(5*LANES*YSIZE(DI), Z21)
	LOADY(6*LANES*YSIZE(DI), Z22)
	LOADY(7*LANES*YSIZE(DI), Z23)
	TERMS(Z16, Z20, Z0, Z4, Z8)
	TERMS(Z17, Z21, Z1, Z5, Z9)
	TERMS(Z18, Z22, Z2, Z6, Z10)
	TERMS(Z19, Z23, Z3, Z7, Z11)
	ADDQ $(4*LANES*XSIZE), SI
	ADDQ $(4*LANES*YSIZE), DI
	SUBQ $(4*LANES), DX
	JGE loop
	JMP tail

rest0:
	CMPQ DX, $(-4*LANES)
	JEQ sum
	ADDQ $(3*LANES), DX
	MASK
	LOADX_K1(4*LANES*XSIZE(SI), Z16)
	LOADY_K1(4*LANES*YSIZE(DI), Z20)
	TERMS_K1(Z16, Z20, Z0, Z4, Z8)
	JMP sum

rest1:
	ADDQ $(2*LANES), DX
	MASK
	LOADX_K1(5*LANES*XSIZE(SI), Z17)
	LOADY_K1(5*LANES*YSIZE(DI), Z21)
	TERMS_K1(Z17, Z21, Z1, Z5, Z9)
	JMP sum

rest2:
	ADDQ $LANES, DX
	MASK
	LOADX_K1(6*LANES*XSIZE(SI), Z18)
	LOADY_K1(6*LANES*YSIZE(DI), Z22)
	TERMS_K1(Z18, Z22, Z2, Z6, Z10)
	JMP sum

few: // the lanes start empty
	START
	SUBQ $(4*LANES*XSIZE), SI
	SUBQ $(4*LANES*YSIZE), DI
	JMP tail

stop: // from the start, in Go, which yields

long: // more than a block: in blocks, in Go
	VZEROUPPER
	JMP BLOCKS

#undef GROUPS
