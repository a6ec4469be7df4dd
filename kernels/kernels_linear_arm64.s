//go:build !purego

#include "textflag.h"
#include "neon_arm64.h"
#include "lanes_arm64.h"

// The linear kernels for NEON.
//
// Dot products: The lanes that DotF64 and DotF32 document are V16 to V31 in order, with 16 bytes
// each: 32 float64 or 64 float32. The lanes start at −0, which does not change a sum. An iteration
// of the main loop processes 256 bytes of each operand with 16 LDP and 16 FMLA. On an Apple M1,
// which loads twice per cycle, an iteration takes 8 cycles. The remaining elements are processed 32
// bytes at a time. The tail of less than 32 bytes is loaded first and added last. The tail is
// loaded into V0 and V1 (x, padded with +0) and into V2 and V3 (y, padded with −0). The product of
// the paddings is −0, which changes no lane. No load uses post-index addressing, which would cost
// the M1 an additional cycle per 8 cycles.
//
// These are the instructions per element in the main loops, without loop control (4 instructions
// per iteration, or 5 per row of the transpose):
//
//	dotF64 1.00  dotF32 0.50  dotF32Wide 1.75
//	axpyF64 1.25  axpyF32 0.63
//	gemvF64, gemvF32: as dot  gemvF32Wide 1.38
//	addGemvTF64 0.75  addGemvTF32 0.38  addGemvTF32Wide 1.13
//
// Conversions limit the wide dot products. An iteration of 32 elements has 48 conversions and FMLAs
// (gemv: 32) for the three vector pipes of an M1. llvm-mca (ci/mca) predicts that the loops of the
// other dot products take 1.09 times as long as their loads. It predicts that the wide loops take
// 1.01 times as long as the vector pipes need.

// func dotF64NEON(x, y *float64, n int) float64
// Requires: NEON
// Registers: see dot_arm64.h.
TEXT ·dotF64NEON(SB), NOSPLIT, $0-32
#include "f64_arm64.h"
#define TERMS DOT_TERMS
	LDP  x+0(FP), (nextX, nextY) // if n = 0: goto empty
	MOVD n+16(FP), left
	CBZ  left, empty
#include "dot_arm64.h"
#include "tail_f64_arm64.h"
#include "sum_arm64.h"
#include "clear_arm64.h"
	FMOVD F0, ret+24(FP)
	RET

empty:
	MOVD ZR, ret+24(FP)
	RET

// func dotF32NEON(x, y *float32, n int) float32
// Requires: NEON
// Registers: see dot_arm64.h.
TEXT ·dotF32NEON(SB), NOSPLIT, $0-28
#include "f32_arm64.h"
#define TERMS DOT_TERMS
	LDP  x+0(FP), (nextX, nextY) // if n = 0: goto empty
	MOVD n+16(FP), left
	CBZ  left, empty
#include "dot_arm64.h"
#include "tail_f32_arm64.h"
#include "sum_arm64.h"
#include "clear_arm64.h"
	FMOVS F0, ret+24(FP)
	RET

empty:
	MOVW ZR, ret+24(FP)
	RET

// func dotF32WideNEON(x, y *float32, n int) float64
// Requires: NEON
//
// Registers: V0-V3: x and y, or their tails; V4-V11: x and y, converted; V16-V31: lanes, as in
// dotF64NEON.
TEXT ·dotF32WideNEON(SB), NOSPLIT, $0-32
#include "f32wide_arm64.h"
#define TERMS DOT_TERMS
#define iterations R5 // remaining iterations

// Adds the products of 8 elements, at offset off from nextX and nextY, to four registers of lanes.
#define MULADD(off, a, b, c, d) \
	FLDPQ off(nextX), (F0, F1)      \
	FLDPQ off(nextY), (F2, F3)      \
	FCVTLD2(0, 4); FCVTL2D2(0, 5)   \
	FCVTLD2(1, 6); FCVTL2D2(1, 7)   \
	FCVTLD2(2, 8); FCVTL2D2(2, 9)   \
	FCVTLD2(3, 10); FCVTL2D2(3, 11) \
	VFMLA V8.D2, V4.D2, a.D2        \
	VFMLA V9.D2, V5.D2, b.D2        \
	VFMLA V10.D2, V6.D2, c.D2       \
	VFMLA V11.D2, V7.D2, d.D2

// Adds the products of the next 4 elements, like WHOLE of dot_arm64.h.
#define WHOLE(i, a, b, tail) \
	CMP   $(4*(i+1)), left          \
	BLT   tail                      \
	FMOVQ (16*i)(nextX), F4         \
	FMOVQ (16*i)(nextY), F6         \
	FCVTL2D2(4, 5); FCVTLD2(4, 4)   \
	FCVTL2D2(6, 7); FCVTLD2(6, 6)   \
	VFMLA V6.D2, V4.D2, a.D2        \
	VFMLA V7.D2, V5.D2, b.D2

	LDP  x+0(FP), (nextX, nextY) // if n = 0: goto empty
	MOVD n+16(FP), left
	CBZ  left, empty
	LANES // lanes = −0; iterations = left/32; left = left mod 32
	LSR  $5, left, iterations
	AND  $31, left
	CBZ  iterations, below32
	PCALIGN $16

loop:
	MULADD(0, V16, V17, V18, V19) // lane[i mod 32] += x[i]·y[i]
	MULADD(32, V20, V21, V22, V23)
	MULADD(64, V24, V25, V26, V27)
	MULADD(96, V28, V29, V30, V31)
	ADD  $128, nextX
	ADD  $128, nextY
	SUBS $1, iterations
	BNE  loop

below32:
	CBZ  left, reduce
	MOVD $0x80000000, R4 // load the tail of up to three elements, padded, and convert it to float64
	VEOR V0.B16, V0.B16, V0.B16
	VDUP R4, V2.S4
	LOAD_TAIL_F32(nextX, V0, belowX, loadedX)
	LOAD_TAIL_F32(nextY, V2, belowY, loadedY)
	FCVTL2D2(0, 1)
	FCVTLD2(0, 0)
	FCVTL2D2(2, 3) // add 4 elements at a time, then the lanes
	FCVTLD2(2, 2)
#include "sum_arm64.h"
#undef iterations
#undef MULADD
#include "clear_arm64.h"
	FMOVD F0, ret+24(FP)
	RET

empty:
	MOVD ZR, ret+24(FP)
	RET

// func axpyF64NEON(alpha float64, x, y []float64)
// Requires: NEON
// Registers: see axpy_arm64.h.
TEXT ·axpyF64NEON(SB), NOSPLIT, $0-56
#include "f64_arm64.h"
	MOVD alpha+0(FP), R5
	VDUP R5, V15.D2
	MOVD x_base+8(FP), nextX
	LDP  y_base+32(FP), (nextY, left)
#include "axpy_arm64.h"
#include "clear_arm64.h"

below8:
	RET

// func axpyF32NEON(alpha float32, x, y []float32)
// Requires: NEON
// Registers: see axpy_arm64.h.
TEXT ·axpyF32NEON(SB), NOSPLIT, $0-56
#include "f32_arm64.h"
	MOVWU alpha+0(FP), R5
	VDUP R5, V15.S4
	MOVD x_base+8(FP), nextX
	LDP  y_base+32(FP), (nextY, left)
#include "axpy_arm64.h"
#include "clear_arm64.h"
	ADD $8, nextX
	ADD $8, nextY

below8:
	TBZ $0, left, done
	FMOVS (nextX), F0 // y[i] += alpha·x[i] for one element
	FMOVS (nextY), F4
	VFMLA V15.S4, V0.S4, V4.S4
	FMOVS F4, (nextY)

done:
	RET
