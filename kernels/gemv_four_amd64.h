// The body of four rows of gemv at a time in kernels_gemv_amd64.s, which says what the macros of
// each type are.
//
// For a multiple of four rows and at least one column. The registers hold two lanes of each of four
// rows, which share the loads of x: the rows are gone over once for each pair of lanes, in the
// order of the sums 0 and 2, 4 and 6, 1 and 3, 5 and 7.
//
// AX: dst; R12: the first of four rows; R9, R8: from it to the second and to the fourth; R10: x;
// BX: rows left; R13: vectors of a row before its last one; CX: the first lane of the pair; SI,
// DI: place in the first row and in x; DX: steps left, then how many lanes the last vector is
// after the first one; R11: what to fetch. Y0-Y3, Y4-Y7: two lanes of each row; Y8: a vector
// of x; Y9, Y10, Y11, Y15: sums of each row; ROWMASK: the mask of its last vector; Y14: what is
// converted; Y13: −0, with which all sums begin, as it changes none. They end at done.
//
// On the stack: the sums of lanes 0, 2, 4 and 6; from 128 on, the last vector of x.

// BY4 multiplies a vector of each row, at off, by that of x, and adds the products to lanes a to d.
// FIRST4 sets the lanes to the products, and LAST4 takes the last vectors of the rows.
#define BY4(off, a, b, c, d) \
	BY(off(SI), a)       \
	BY(off(SI)(R9*1), b) \
	BY(off(SI)(R9*2), c) \
	BY(off(SI)(R8*1), d)

#define FIRST4(off, a, b, c, d) \
	FIRST(off(SI), a)       \
	FIRST(off(SI)(R9*1), b) \
	FIRST(off(SI)(R9*2), c) \
	FIRST(off(SI)(R8*1), d)

#define LAST(at, a) \
	VMASKMOVPS at, ROWMASK, ROWLAST \
	CONVERT                         \
	FMA Y14, Y8, a

#define LAST4(off, a, b, c, d) \
	LAST(off(SI), a)       \
	LAST(off(SI)(R9*1), b) \
	LAST(off(SI)(R9*2), c) \
	LAST(off(SI)(R8*1), d)

#include "gemv_last_amd64.h"
	VMOVUPS Y15, 128(SP)
	LEAQ (R9)(R9*2), R8
	SHRQ $LOGLANES, R13

four:
	LEAQ const_gemvAhead(R12), R11
	XORL CX, CX

half:
	VMOVAPD Y13, Y9
	VMOVAPD Y13, Y10
	VMOVAPD Y13, Y11
	VMOVAPD Y13, Y15

lanes:
	CMPQ R13, CX
	JLT next // no vector is in these lanes
	IMUL3Q $(LANES*SIZE), CX, SI
	ADDQ R12, SI
	MOVQ CX, DI
	SHLQ $5, DI
	ADDQ R10, DI
	LEAQ 5(R13), DX
	SUBQ CX, DX
	SHRQ $3, DX
	JNE first
	VMOVAPD Y13, Y0
	VMOVAPD Y13, Y1
	VMOVAPD Y13, Y2
	VMOVAPD Y13, Y3
	VMOVAPD Y13, Y4
	VMOVAPD Y13, Y5
	VMOVAPD Y13, Y6
	VMOVAPD Y13, Y7
	JMP left

first:
	FETCH
	VMOVUPS (DI), Y8
	FIRST4(0, Y0, Y1, Y2, Y3)
	VMOVUPS 64(DI), Y8
	FIRST4((2*LANES*SIZE), Y4, Y5, Y6, Y7)
	JMP stepped

step:
	FETCH
	VMOVUPS (DI), Y8
	BY4(0, Y0, Y1, Y2, Y3)
	VMOVUPS 64(DI), Y8
	BY4((2*LANES*SIZE), Y4, Y5, Y6, Y7)

stepped:
	ADDQ $(8*LANES*SIZE), SI
	ADDQ $256, DI
	DECQ DX
	JNE step

left:
	MOVL R13, DX
	SUBL CX, DX
	ANDL $7, DX
	CMPL DX, $2
	JHI add
	TESTL DX, DX
	JEQ last
	VMOVUPS (DI), Y8
	BY4(0, Y0, Y1, Y2, Y3)
	CMPL DX, $2
	JNE add
	VMOVUPS 128(SP), Y8
	LAST4((2*LANES*SIZE), Y4, Y5, Y6, Y7)
	JMP add

last:
	VMOVUPS 128(SP), Y8
	LAST4(0, Y0, Y1, Y2, Y3)

add:
	ADD Y4, Y0, Y0
	ADD Y5, Y1, Y1
	ADD Y6, Y2, Y2
	ADD Y7, Y3, Y3
	ADD Y0, Y9, Y9
	ADD Y1, Y10, Y10
	ADD Y2, Y11, Y11
	ADD Y3, Y15, Y15

next:
	XORL $4, CX
	TESTL $4, CX
	JNE lanes
	TESTL CX, CX
	JNE sum
	VMOVUPS Y9, 0(SP)
	VMOVUPS Y10, 32(SP)
	VMOVUPS Y11, 64(SP)
	VMOVUPS Y15, 96(SP)
	INCL CX
	JMP half

sum:
	ADD 0(SP), Y9, Y0
	ADD 32(SP), Y10, Y1
	ADD 64(SP), Y11, Y2
	ADD 96(SP), Y15, Y3
	VPERM2F128 $0x20, Y2, Y0, Y4 // the lower halves of rows 0 and 2
	VPERM2F128 $0x31, Y2, Y0, Y5
	VPERM2F128 $0x20, Y3, Y1, Y6
	VPERM2F128 $0x31, Y3, Y1, Y7
	ADD Y5, Y4, Y0
	ADD Y7, Y6, Y1
	VUNPCKLPD Y1, Y0, Y2 // rows 0, 1, 2, 3
	VUNPCKHPD Y1, Y0, Y3
	ADD Y3, Y2, Y0
	STORE4
	ADDQ $(4*XSIZE), AX
	LEAQ (R12)(R9*4), R12
	SUBQ $4, BX
	JNE four
	JMP done

edgeX: // the last vector of x near the end of a page, once
	EDGE(32, XSIZE, Y12, Y15, Y15)
	JMP fill

#undef BY4
#undef FIRST4
#undef LAST
#undef LAST4
#undef MASK
#undef EDGE
