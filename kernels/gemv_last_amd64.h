// How the rows of gemv begin in gemv_amd64.h and gemv_four_amd64.h, with registers and macros as in
// the first: arguments, and the last vector of x, which stands apart, with the masks for it and for
// that of a row.

// MASK makes mask that of the first CX lanes of S bytes.
#define MASK(S, mask) \
	MOVQ CX, DX          \
	NEGQ DX              \
	LEAQ github·com∕simdrank∕simdrank∕internal∕kern·Masks(SB), SI \
	VMOVUPS 96(SI)(DX*S), mask

// EDGE loads the first CX lanes at R8, of S bytes, near the end of a page: from the vector of V
// bytes that ends with them. mask and part are registers of V bytes, all is the whole of part.
#define EDGE(V, S, mask, part, all) \
	LEAQ github·com∕simdrank∕simdrank∕internal∕kern·Masks(SB), SI                  \
	VMOVUPS (32-V)(SI)(CX*S), mask        \
	VMASKMOVPS (-V)(R8)(CX*S), mask, part \
	MASK(S, mask)                         \
	LEAQ github·com∕simdrank∕simdrank∕internal∕kern·Iota(SB), SI               \
	VMOVUPS (V)(SI)(DX*S), Y10            \
	VPERMPS all, Y10, all

	MOVQ dst_base+0(FP), AX
	MOVQ a_base+24(FP), R12
	MOVQ rows+48(FP), BX
	MOVQ cols+56(FP), CX
	MOVQ stride+64(FP), R9
	IMUL3Q $SIZE, R9, R9
	MOVQ x_base+72(FP), R10
	LEAQ -1(CX), R13
	ANDQ $-LANES, R13
	SUBQ R13, CX
	VPCMPEQD Y13, Y13, Y13
	MINUS0
	MASK(XSIZE, Y12)
	VANDNPS Y13, Y12, Y11 // −0 where the last vector of x has no element
	LEAQ (R10)(R13*XSIZE), R8
	CROSSES(R8, 32, edgeX)
	VMASKMOVPS (R8), Y12, Y15
	PCALIGN $64

fill:
	VORPS Y11, Y15, Y15
	MASK(SIZE, ROWMASK)
