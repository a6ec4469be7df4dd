// Transpositions for AVX-512.

// PAIRS interleaves the 32-bit elements of a and b in every 128 bits, QUADS pairs of elements:
// the lower go to lo, the others to hi.
#define PAIRS(a, b, lo, hi) \
	VPUNPCKLDQ b, a, lo; \
	VPUNPCKHDQ b, a, hi
#define QUADS(a, b, lo, hi) \
	VPUNPCKLQDQ b, a, lo; \
	VPUNPCKHQDQ b, a, hi

// LANES takes the even 128-bit lanes of a and b to even, the odd ones to odd.
#define LANES(a, b, even, odd) \
	VSHUFI32X4 $0x88, b, a, even; \
	VSHUFI32X4 $0xdd, b, a, odd

// TRANSPOSE transposes 16 rows of 16 elements of 32 bits in Z0 to Z15 to columns in Z4 to Z19:
// pairs are put together, then quadruples, and lanes twice. It takes Z0 to Z29.
#define TRANSPOSE \
	PAIRS(Z0, Z1, Z16, Z17); \
	PAIRS(Z2, Z3, Z18, Z19); \
	PAIRS(Z4, Z5, Z20, Z21); \
	PAIRS(Z6, Z7, Z22, Z23); \
	PAIRS(Z8, Z9, Z24, Z25); \
	PAIRS(Z10, Z11, Z26, Z27); \
	PAIRS(Z12, Z13, Z28, Z29); \
	PAIRS(Z14, Z15, Z0, Z1); \
	QUADS(Z16, Z18, Z2, Z3); \
	QUADS(Z17, Z19, Z4, Z5); \
	QUADS(Z20, Z22, Z6, Z7); \
	QUADS(Z21, Z23, Z8, Z9); \
	QUADS(Z24, Z26, Z10, Z11); \
	QUADS(Z25, Z27, Z12, Z13); \
	QUADS(Z28, Z0, Z14, Z15); \
	QUADS(Z29, Z1, Z16, Z17); \
	LANES(Z2, Z6, Z18, Z19); \
	LANES(Z10, Z14, Z20, Z21); \
	LANES(Z3, Z7, Z22, Z23); \
	LANES(Z11, Z15, Z24, Z25); \
	LANES(Z4, Z8, Z26, Z27); \
	LANES(Z12, Z16, Z28, Z29); \
	LANES(Z5, Z9, Z0, Z1); \
	LANES(Z13, Z17, Z2, Z3); \
	LANES(Z18, Z20, Z4, Z12); \
	LANES(Z19, Z21, Z8, Z16); \
	LANES(Z22, Z24, Z5, Z13); \
	LANES(Z23, Z25, Z9, Z17); \
	LANES(Z26, Z28, Z6, Z14); \
	LANES(Z27, Z29, Z10, Z18); \
	LANES(Z0, Z2, Z7, Z15); \
	LANES(Z1, Z3, Z11, Z19)
