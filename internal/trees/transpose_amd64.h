// This body transposes a tile of 8 rows and 8 columns of 32 bits for AVX2. ROW(y, end) loads the
// next row, or continues at end. STORE(half, a, b, i) writes column i, which consists of the lower
// or the upper halves of a and b.
//
// Registers: Y0-Y7: the rows, then with Y8: the columns; Y5: scratch.

// PAIRS interleaves 32-bit elements of a and b in each 128-bit lane, and QUADS interleaves pairs of
// elements. The lower results go to lo, the upper ones to b.
#define PAIRS(a, b, lo) \
	VPUNPCKLDQ b, a, lo; \
	VPUNPCKHDQ b, a, b
#define QUADS(a, b, lo) \
	VPUNPCKLQDQ b, a, lo; \
	VPUNPCKHQDQ b, a, b

	ROW(Y0, row1); ROW(Y1, row2) // Yi = row i
	ROW(Y2, row3); ROW(Y3, row4)
	ROW(Y4, row5); ROW(Y5, row6)
	ROW(Y6, row7); ROW(Y7, pairs)
	PAIRS(Y0, Y1, Y8); PAIRS(Y2, Y3, Y0) // rows 0 and 1: Y8 = columns 0, 1, 4, 5; Y1 = 2, 3, 6, 7
	PAIRS(Y4, Y5, Y2); PAIRS(Y6, Y7, Y4)
	QUADS(Y8, Y0, Y6); QUADS(Y1, Y3, Y8) // rows 0 to 3: Y6, Y0, Y8, Y3 = columns 0, 1, 2, 3 and 4 more
	QUADS(Y2, Y4, Y1); QUADS(Y5, Y7, Y2) // rows 4 to 7: Y1, Y4, Y2, Y7
	STORE($0x20, Y6, Y1, 0); STORE($0x20, Y0, Y4, 1) // the lower lanes, then the upper ones
	STORE($0x20, Y8, Y2, 2); STORE($0x20, Y3, Y7, 3)
	STORE($0x31, Y6, Y1, 4); STORE($0x31, Y0, Y4, 5)
	STORE($0x31, Y8, Y2, 6); STORE($0x31, Y3, Y7, 7)

#undef PAIRS
#undef QUADS
