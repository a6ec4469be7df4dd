// The common start of the bodies in gemv_amd64.h and gemv_four_amd64.h. It loads the arguments and
// the last vector of x, which may be partial. It also sets the masks for this vector and for the
// last vector of a row. gemv_clear_amd64.h undefines the macros.

#define dst     AX
#define nextRow R12 // address of the current row, or of the first of four rows
#define step    R9  // bytes from a row to the next
#define xStart  R10
#define left    BX  // remaining rows
#define place   SI  // address in the row
#define xPlace  DI  // address in x
#define whole   R13 // number of elements, later of vectors, before the last vector of a row
#define minus0  Y13 // -0, which changes no sum
#define lastX   Y15 // last vector of x, with -0 in lanes without an element
#define xs      Y8  // vector of x
#define ahead   R11 // address to prefetch

// Sets mask to the mask of the first CX elements, which have S bytes each, and DX to -CX.
#define MASK(S, mask) MOVQ CX, DX; NEGQ DX; \
	LEAQ github·com∕simdrank∕simdrank∕internal∕kern·Masks(SB), SI; VMOVUPS 96(SI)(DX*S), mask

// EDGE loads the CX elements at R8, which have S bytes each, near the end of a page. It loads the
// vector of V bytes that ends with these elements, and moves the elements to the front of the
// register all. mask and part are registers of V bytes, and part is the lower part of all.
#define EDGE(V, S, mask, part, all) \
	LEAQ github·com∕simdrank∕simdrank∕internal∕kern·Masks(SB), SI; \
	VMOVUPS (32-V)(SI)(CX*S), mask; VMASKMOVPS (-V)(R8)(CX*S), mask, part; MASK(S, mask); \
	LEAQ github·com∕simdrank∕simdrank∕internal∕kern·Iota(SB), SI; VMOVUPS (V)(SI)(DX*S), Y10; \
	VPERMPS all, Y10, all

	MOVQ dst_base+0(FP), dst
	MOVQ a_base+24(FP), nextRow
	MOVQ rows+48(FP), left
	MOVQ cols+56(FP), CX
	MOVQ stride+64(FP), step // step = SIZE·stride
	IMUL3Q $SIZE, step, step
	MOVQ x_base+72(FP), xStart
	LEAQ -1(CX), whole // whole = (cols-1) &^ (LANES-1); CX = cols - whole
	ANDQ $-LANES, whole
	SUBQ whole, CX
	VPCMPEQD minus0, minus0, minus0
	MINUS0
	MASK(XSIZE, Y12) // Y11 = -0 in the lanes of the last vector of x that have no element
	VANDNPS minus0, Y12, Y11
	LEAQ (xStart)(whole*XSIZE), R8
	CROSSES(R8, 32, edgeX) // if the vector reaches into the next page: goto edgeX
	VMASKMOVPS (R8), Y12, lastX
	PCALIGN $64

fill:
	VORPS Y11, lastX, lastX
	MASK(SIZE, ROWMASK)
