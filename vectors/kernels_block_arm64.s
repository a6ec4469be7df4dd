//go:build !purego

#include "textflag.h"
#include "neon_arm64.h"

// Blocks of queries and rows of bytes or bits, for NEON. block_arm64.h contains the body of all
// functions.

// func blockI8NEON(dst []float32, dstride int, q []int8, queries, qstride int, a []int8, rows, cols, stride int, own *[blockQueries]int32, norm *[blockRows]int32, metric metric)
// Requires: NEON
// Registers: see block_arm64.h.
TEXT ·blockI8NEON(SB), NOSPLIT, $0-137
#define FOLD
#define LOG 0
#define TERMS(w, W, v, V, u, U, a, b) \
	SMULLH8(w, v, 26); SMULLH8(w, u, 27); SMULL2H8(w, v, 28); SMULL2H8(w, u, 29) \
	SADALPS4(26, a); SADALPS4(27, b); SADALPS4(28, a); SADALPS4(29, b)
#include "block_arm64.h"

// func blockI8SDOTNEON(dst []float32, dstride int, q []int8, queries, qstride int, a []int8, rows, cols, stride int, own *[blockQueries]int32, norm *[blockRows]int32, metric metric)
// Requires: NEON, SDOT
// Registers: see block_arm64.h.
TEXT ·blockI8SDOTNEON(SB), NOSPLIT, $0-137
#define FOLD
#define LOG 0
#define TERMS(w, W, v, V, u, U, a, b) SDOTS4(w, v, a); SDOTS4(w, u, b)
#include "block_arm64.h"

// func blockU8NEON(dst []float32, dstride int, q []uint8, queries, qstride int, a []uint8, rows, cols, stride int, own *[blockQueries]int32, norm *[blockRows]int32, metric metric)
// Requires: NEON
// Registers: see block_arm64.h.
TEXT ·blockU8NEON(SB), NOSPLIT, $0-137
#define FOLD
#define LOG 0
#define TERMS(w, W, v, V, u, U, a, b) \
	UMULLH8(w, v, 26); UMULLH8(w, u, 27); UMULL2H8(w, v, 28); UMULL2H8(w, u, 29) \
	UADALPS4(26, a); UADALPS4(27, b); UADALPS4(28, a); UADALPS4(29, b)
#include "block_arm64.h"

// func blockU8SDOTNEON(dst []float32, dstride int, q []uint8, queries, qstride int, a []uint8, rows, cols, stride int, own *[blockQueries]int32, norm *[blockRows]int32, metric metric)
// Requires: NEON, SDOT
// Registers: see block_arm64.h.
TEXT ·blockU8SDOTNEON(SB), NOSPLIT, $0-137
#define FOLD
#define LOG 0
#define TERMS(w, W, v, V, u, U, a, b) UDOTS4(w, v, a); UDOTS4(w, u, b)
#include "block_arm64.h"

// func blockBitsNEON(dst []float32, dstride int, q []uint64, queries, qstride int, a []uint64, rows, cols, stride int, own *[blockQueries]int32, norm *[blockRows]int32, metric metric)
// Requires: NEON
// Registers: see block_arm64.h.
TEXT ·blockBitsNEON(SB), NOSPLIT, $0-137
#define LOG 3
#define TERMS(w, W, v, V, u, U, a, b) \
	VEOR W.B16, V.B16, V26.B16 \
	VEOR W.B16, U.B16, V27.B16 \
	VCNT V26.B16, V26.B16      \
	VCNT V27.B16, V27.B16      \
	UADALPH8(26, a)            \
	UADALPH8(27, b)
#define FOLD \
	UADDLPS4(0, 0); UADDLPS4(1, 1); UADDLPS4(2, 2); UADDLPS4(3, 3) \
	UADDLPS4(4, 4); UADDLPS4(5, 5); UADDLPS4(6, 6); UADDLPS4(7, 7) \
	UADDLPS4(8, 8); UADDLPS4(9, 9); UADDLPS4(10, 10); UADDLPS4(11, 11) \
	UADDLPS4(12, 12); UADDLPS4(13, 13); UADDLPS4(14, 14); UADDLPS4(15, 15)
#include "block_arm64.h"
