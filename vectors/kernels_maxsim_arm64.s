//go:build !purego

#include "textflag.h"
#include "neon_arm64.h"

// MaxSim for NEON. MaxSim documents the order of operations.

// func maxSimF32NEON(maxima *[maxSimLanes]float32, q, a []float32, rows, cols, stride int)
// Requires: NEON
// Registers: see maxsim_arm64.h.
TEXT ·maxSimF32NEON(SB), NOSPLIT, $0-80
#define TERM(m, n, d) FMLAES4(m, n, d)
#define MAX(m, n, d) FMAXS4(m, n, d) // NaN if one of them is NaN
	MOVD a_base+32(FP), R5
	MOVD rows+56(FP), R6
	MOVD cols+64(FP), R10
	MOVD stride+72(FP), R7
	LSL  $2, R7
#include "maxsim_arm64.h"

// func maxSimI8SDOTNEON(maxima *[maxSimLanes]int32, q, a []int8, rows, words, stride int)
// Requires: NEON, SDOT
// Registers: see maxsim_arm64.h.
TEXT ·maxSimI8SDOTNEON(SB), NOSPLIT, $0-80
#define TERM(m, n, d) SDOTES4(m, n, d)
#define MAX(m, n, d) SMAXS4(m, n, d)
	MOVD a_base+32(FP), R5
	MOVD rows+56(FP), R6
	MOVD words+64(FP), R10
	MOVD stride+72(FP), R7
#include "maxsim_arm64.h"
