// This body transposes a tile of 16 rows and 16 columns of 32 bits for AVX-512. ROW(z, end) loads
// the next row, or continues at end. STORE(z, i) writes column i.
//
// Registers: Z0-Z15: the rows; Z4-Z19: the columns; Z0-Z29: scratch.

// PAIRS interleaves 32-bit elements of a and b in each 128-bit lane, and QUADS interleaves pairs of
// elements. The lower results go to lo, the upper ones to hi. LANES copies the even lanes of a and
// b to even, and the odd lanes to odd.
#define PAIRS(a, b, lo, hi) \
	VPUNPCKLDQ b, a, lo; \
	VPUNPCKHDQ b, a, hi
#define QUADS(a, b, lo, hi) \
	VPUNPCKLQDQ b, a, lo; \
	VPUNPCKHQDQ b, a, hi
#define LANES(a, b, even, odd) \
	VSHUFI32X4 $0x88, b, a, even; \
	VSHUFI32X4 $0xdd, b, a, odd

	ROW(Z0, row1); ROW(Z1, row2) // Zi = row i
	ROW(Z2, row3); ROW(Z3, row4)
	ROW(Z4, row5); ROW(Z5, row6)
	ROW(Z6, row7); ROW(Z7, row8)
	ROW(Z8, row9); ROW(Z9, row10) // rows 8 to 15
	ROW(Z10, row11); ROW(Z11, row12)
	ROW(Z12, row13); ROW(Z13, row14)
	ROW(Z14, row15); ROW(Z15, pairs)
	PAIRS(Z0, Z1, Z16, Z17); PAIRS(Z2, Z3, Z18, Z19) // rows 0, 1: columns 0, 1, …, and 2, 3, …
	PAIRS(Z4, Z5, Z20, Z21); PAIRS(Z6, Z7, Z22, Z23)
	PAIRS(Z8, Z9, Z24, Z25); PAIRS(Z10, Z11, Z26, Z27)
	PAIRS(Z12, Z13, Z28, Z29); PAIRS(Z14, Z15, Z0, Z1)
	QUADS(Z16, Z18, Z2, Z3); QUADS(Z17, Z19, Z4, Z5) // rows 0 to 3: columns 0 and 1, 2 and 3
	QUADS(Z20, Z22, Z6, Z7); QUADS(Z21, Z23, Z8, Z9)
	QUADS(Z24, Z26, Z10, Z11); QUADS(Z25, Z27, Z12, Z13)
	QUADS(Z28, Z0, Z14, Z15); QUADS(Z29, Z1, Z16, Z17)
	LANES(Z2, Z6, Z18, Z19); LANES(Z10, Z14, Z20, Z21) // rows 0 to 7, 8 to 15: columns 0 and 8, 4 and 12
	LANES(Z3, Z7, Z22, Z23); LANES(Z11, Z15, Z24, Z25)
	LANES(Z4, Z8, Z26, Z27); LANES(Z12, Z16, Z28, Z29)
	LANES(Z5, Z9, Z0, Z1); LANES(Z13, Z17, Z2, Z3)
	LANES(Z18, Z20, Z4, Z12); LANES(Z19, Z21, Z8, Z16) // Z(4+i) = column i
	LANES(Z22, Z24, Z5, Z13); LANES(Z23, Z25, Z9, Z17)
	LANES(Z26, Z28, Z6, Z14); LANES(Z27, Z29, Z10, Z18)
	LANES(Z0, Z2, Z7, Z15); LANES(Z1, Z3, Z11, Z19)
	STORE(Z4, 0); STORE(Z5, 1) // columns 0 to 7
	STORE(Z6, 2); STORE(Z7, 3)
	STORE(Z8, 4); STORE(Z9, 5)
	STORE(Z10, 6); STORE(Z11, 7)
	STORE(Z12, 8); STORE(Z13, 9) // columns 8 to 15
	STORE(Z14, 10); STORE(Z15, 11)
	STORE(Z16, 12); STORE(Z17, 13)
	STORE(Z18, 14); STORE(Z19, 15)

#undef PAIRS
#undef QUADS
#undef LANES
