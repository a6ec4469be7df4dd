// These sorting networks for 32-bit keys are shared by both tiers. Each lane of eight registers, a
// to h, is a column. ORDER32, which the .s files define, moves the first key in sorted order to a
// and the other to b. t is scratch.

// SORT32 sorts columns with the 19 comparators for 8 inputs (Knuth, volume 3, 5.3.4), layer by
// layer.
#define SORT32(a, b, c, d, e, f, g, h, t) \
	ORDER32(a, c, t); ORDER32(b, d, t); ORDER32(e, g, t); ORDER32(f, h, t); \
	ORDER32(a, e, t); ORDER32(b, f, t); ORDER32(c, g, t); ORDER32(d, h, t); \
	ORDER32(a, b, t); ORDER32(c, d, t); ORDER32(e, f, t); ORDER32(g, h, t); \
	ORDER32(c, e, t); ORDER32(d, f, t); \
	ORDER32(b, e, t); ORDER32(d, g, t); \
	ORDER32(b, c, t); ORDER32(d, e, t); ORDER32(f, g, t)

// FOURS32 sorts columns with two bitonic halves.
#define FOURS32(a, b, c, d, e, f, g, h, t) \
	ORDER32(a, c, t); ORDER32(b, d, t); ORDER32(e, g, t); ORDER32(f, h, t); \
	ORDER32(a, b, t); ORDER32(c, d, t); ORDER32(e, f, t); ORDER32(g, h, t)

// CLEAN32 sorts bitonic columns.
#define CLEAN32(a, b, c, d, e, f, g, h, t) \
	ORDER32(a, e, t); ORDER32(b, f, t); ORDER32(c, g, t); ORDER32(d, h, t); \
	FOURS32(a, b, c, d, e, f, g, h, t)

// MERGE32 sorts columns with two sorted halves.
#define MERGE32(a, b, c, d, e, f, g, h, t) \
	ORDER32(a, h, t); ORDER32(b, g, t); ORDER32(c, f, t); ORDER32(d, e, t); \
	FOURS32(a, b, c, d, e, f, g, h, t)

// KEYS16 copies lane 0 of Y0 to Y7 to Y0, and lane 1 to Y1.
#define KEYS16 \
	VPUNPCKLDQ  X1, X0, X0; \ // pairs: lanes 0 of two registers, then lanes 1
	VPUNPCKLDQ  X3, X2, X2; \
	VPUNPCKLDQ  X5, X4, X4; \
	VPUNPCKLDQ  X7, X6, X6; \
	VPUNPCKHQDQ X2, X0, X1; \ // fours, of one lane each
	VPUNPCKLQDQ X2, X0, X0; \
	VPUNPCKHQDQ X6, X4, X3; \
	VPUNPCKLQDQ X6, X4, X2; \
	VINSERTI128 $1, X2, Y0, Y0; \ // eights
	VINSERTI128 $1, X3, Y1, Y1
