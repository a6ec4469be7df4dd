//go:build !purego

#include "textflag.h"
#include "neon_arm64.h"

// Kernels of many vectors for NEON. The order of operations is that of the doc comments of DotF32
// and L2F32.

// TERM adds what the elements of a row (number j and register W) and of a query (i and V) make to
// the lanes.
#define TERM(j, W, i, V, lane) VFMLA W.S4, V.S4, lane.S4

// func dotBlockF32NEON(dst []float32, dstride int, q []float32, queries, qstride int, a []float32, rows, cols, stride int, lanes *[512]float32)
// Requires: NEON
//
// Registers: see many_block_arm64.h.
TEXT ·dotBlockF32NEON(SB), NOSPLIT, $0-128
#include "many_block_arm64.h"

#undef TERM
#define TERM(j, W, i, V, lane) FSUBS4(j, i, 22); VFMLA V22.S4, V22.S4, lane.S4

// func l2BlockF32NEON(dst []float32, dstride int, q []float32, queries, qstride int, a []float32, rows, cols, stride int, lanes *[512]float32)
// Requires: NEON
//
// Registers: see many_block_arm64.h.
TEXT ·l2BlockF32NEON(SB), NOSPLIT, $0-128
#include "many_block_arm64.h"

// func fetchNEON(p unsafe.Pointer, size int)
// Requires: NEON
//
// R0: a line; R1: the end.
TEXT ·fetchNEON(SB), NOSPLIT, $0-16
	LDP p+0(FP), (R0, R1)
	ADD R0, R1

line:
	PRFM (R0), PLDL1KEEP
	ADD  $64, R0
	CMP  R1, R0
	BLO  line
	RET
