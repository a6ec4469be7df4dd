// Transposes 8 x 8 values of 32 bits for AVX2.

// PAIRS interleaves the 32-bit elements of a and b in every 128 bits, QUADS pairs of elements:
// the lower go to lo, the others to b.
#define PAIRS(a, b, lo) \
	VPUNPCKLDQ b, a, lo; \
	VPUNPCKHDQ b, a, b
#define QUADS(a, b, lo) \
	VPUNPCKLQDQ b, a, lo; \
	VPUNPCKHQDQ b, a, b

// TRANSPOSE makes columns of the rows Y0 to Y7: 0 and 4 of rows 0 to 3 are Y6, of the others Y1;
// 1 and 5 are Y0 and Y4, 2 and 6 Y8 and Y2, 3 and 7 Y3 and Y7. Y5 scratch.
#define TRANSPOSE \
	PAIRS(Y0, Y1, Y8); \
	PAIRS(Y2, Y3, Y0); \
	PAIRS(Y4, Y5, Y2); \
	PAIRS(Y6, Y7, Y4); \
	QUADS(Y8, Y0, Y6); \
	QUADS(Y1, Y3, Y8); \
	QUADS(Y2, Y4, Y1); \
	QUADS(Y5, Y7, Y2)

// TILE stores the columns of 8 rows. ROW and STORE are those of the file that includes this one:
// ROW loads the next row, STORE writes a column, which the lower halves of two vectors are, or the
// upper.
#define TILE \
	ROW(Y0); \
	ROW(Y1); \
	ROW(Y2); \
	ROW(Y3); \
	ROW(Y4); \
	ROW(Y5); \
	ROW(Y6); \
	ROW(Y7); \
	TRANSPOSE; \
	STORE($0x20, Y6, Y1, 0); \
	STORE($0x20, Y0, Y4, 1); \
	STORE($0x20, Y8, Y2, 2); \
	STORE($0x20, Y3, Y7, 3); \
	STORE($0x31, Y6, Y1, 4); \
	STORE($0x31, Y0, Y4, 5); \
	STORE($0x31, Y8, Y2, 6); \
	STORE($0x31, Y3, Y7, 7)
