//go:build !purego

#include "textflag.h"

// MaxSim for AVX-512. MaxSim documents the order of operations.

// func maxSimF32AVX512(maxima *[maxSimLanes]float32, q, a []float32, rows, cols, stride int)
// Requires: AVX512F
//
// Registers: see maxsim_avx512_amd64.h; K1-K3: lanes in which a sum is NaN.
TEXT ·maxSimF32AVX512(SB), NOSPLIT, $0-80
#define TERM(x, y, sum) VFMADD231PS x, y, sum
// m = max(m, a-h), or NaN if one of a-h is NaN. VMAXPS returns its first operand, in the order of
// this file, if one of them is NaN.
#define RAISE(a, b, c, d, e, f, g, h, m) \
	VCMPPS $3, a, b, K1; VCMPPS $3, c, d, K2; KORW K1, K2, K1 \
	VCMPPS $3, e, f, K2; VCMPPS $3, g, h, K3; KORW K2, K3, K2 \
	KORW K1, K2, K1                                           \
	VMAXPS a, b, a; VMAXPS c, d, c; VMAXPS e, f, e            \
	VMAXPS g, h, g; VMAXPS a, c, a; VMAXPS e, g, e            \
	VMAXPS a, e, a; VMAXPS m, a, m                            \
	VPTERNLOGD $0xff, m, m, K1, m
	MOVQ maxima+0(FP), DI
	MOVQ a_base+32(FP), BX
	MOVQ rows+56(FP), DX
	MOVQ cols+64(FP), R11
	MOVQ stride+72(FP), R9
	SHLQ $2, R9
#include "maxsim_avx512_amd64.h"
