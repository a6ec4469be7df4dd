//go:build !purego

#include "textflag.h"
#include "neon_arm64.h"
#include "lanes_arm64.h"

// The linear kernels for NEON.
//
// Dot products. The lanes that DotF64 and DotF32 document are V16 to V31 in order, 16 bytes each:
// 32 float64 or 64 float32. They start at −0, which no sum shows. A step of the main loop is 256
// bytes of each operand: 16 LDP and 16 FMLA, so that the two loads a cycle of an Apple M1 are the
// limit (8 cycles). After it, the elements left over are taken 32 bytes at a time as long as that
// goes; the rest of less than 32 bytes is loaded first, into V0 and V1 (x, filled up with +0) and
// V2 and V3 (y, filled up with −0: the product −0 changes no lane), and enters at the end.
// Nothing is loaded by post-index, which costs the M1 a cycle in 8.
//
// Instructions per element in the main loop, without loop control (4 per step, or 5 per row of
// gemvT):
//
//	dotF64 1.00  dotF32 0.50  dotF32Wide 1.75  axpyF64 1.25  axpyF32 0.63  axpyDiffF64 2.00
// axpyDiffF32 1.00
//	gemvF64, gemvF32: as dot  gemvF32Wide 1.38  gemvTF64 0.75  gemvTF32 0.38  gemvTF32Wide 1.13
//
// The wide dots are limited by the conversions: with the FMLAs, 48 instructions (gemv: 32) for
// the three vector pipes of an M1 a step of 32 elements. ci/mca prints what llvm-mca makes of the
// dot loops: 1.09 times the limit of the loads, and 1.01 times that of the vector pipes in the
// wide ones.

#define FLOAT64
#define TYPE D2
#define LOG 3
#define MINUS0 0x8000000000000000
#define FADD FADDD2
#define HALVE FADDPD(16, 0)

// func dotF64NEON(x, y *float64, n int) float64
// Requires: NEON
//
// R0 x, R1 y, R2 elements left over, R3 and R4 the rest, R5 steps; see above.
TEXT ·dotF64NEON(SB), NOSPLIT, $0-32
	LDP  x+0(FP), (R0, R1)
	MOVD n+16(FP), R2
	CBZ  R2, empty
#include "dot_arm64.h"
#include "sum_arm64.h"
	FMOVD F0, ret+24(FP)
	RET

empty:
	MOVD ZR, ret+24(FP)
	RET

#undef FLOAT64
#undef TYPE
#undef LOG
#undef MINUS0
#undef FADD
#undef HALVE
#define TYPE S4
#define LOG 2
#define MINUS0 0x80000000
#define FADD FADDS4
#define HALVE VEXT $8, V16.B16, V16.B16, V17.B16; FADDS4(17, 16, 16); FADDPS(16, 0)

// func dotF32NEON(x, y *float32, n int) float32
// Requires: NEON
//
// R0 x, R1 y, R2 elements left over, R3 and R4 the rest, R5 steps; see above.
TEXT ·dotF32NEON(SB), NOSPLIT, $0-28
	LDP  x+0(FP), (R0, R1)
	MOVD n+16(FP), R2
	CBZ  R2, empty
#include "dot_arm64.h"
#include "sum_arm64.h"
	FMOVS F0, ret+24(FP)
	RET

empty:
	MOVW ZR, ret+24(FP)
	RET

// 8 elements of two float32 operands, converted, into four lanes.
#define MULADD_WIDE(off, a, b, c, d) \
	FLDPQ off(R0), (F0, F1)     \
	FLDPQ off(R1), (F2, F3)     \
	FCVTLD2(0, 4)               \
	FCVTL2D2(0, 5)              \
	FCVTLD2(1, 6)               \
	FCVTL2D2(1, 7)              \
	FCVTLD2(2, 8)               \
	FCVTL2D2(2, 9)              \
	FCVTLD2(3, 10)              \
	FCVTL2D2(3, 11)             \
	VFMLA V8.D2, V4.D2, a.D2    \
	VFMLA V9.D2, V5.D2, b.D2    \
	VFMLA V10.D2, V6.D2, c.D2   \
	VFMLA V11.D2, V7.D2, d.D2

// 4 more elements of both, as LEFT.
#define LEFT_WIDE(min, off, a, b, rest) \
	CMP   $min, R2            \
	BLT   rest                \
	FMOVQ off(R0), F4         \
	FMOVQ off(R1), F6         \
	FCVTL2D2(4, 5)            \
	FCVTLD2(4, 4)             \
	FCVTL2D2(6, 7)            \
	FCVTLD2(6, 6)             \
	VFMLA V6.D2, V4.D2, a.D2  \
	VFMLA V7.D2, V5.D2, b.D2

#undef TYPE
#undef LOG
#undef MINUS0
#undef FADD
#undef HALVE
#define TYPE D2
#define FADD FADDD2
#define HALVE FADDPD(16, 0)

// func dotF32WideNEON(x, y *float32, n int) float64
// Requires: NEON
//
// The lanes are those of dotF64NEON. A step is 32 elements, the rest less than 4.
TEXT ·dotF32WideNEON(SB), NOSPLIT, $0-32
	LDP  x+0(FP), (R0, R1)
	MOVD n+16(FP), R2
	CBZ  R2, empty
	MOVD $0x8000000000000000, R5
	LANES(D2)
	LSR  $5, R2, R5
	AND  $31, R2
	CBZ  R5, left
	PCALIGN $16

loop32:
	MULADD_WIDE(0, V16, V17, V18, V19)
	MULADD_WIDE(32, V20, V21, V22, V23)
	MULADD_WIDE(64, V24, V25, V26, V27)
	MULADD_WIDE(96, V28, V29, V30, V31)
	ADD  $128, R0
	ADD  $128, R1
	SUBS $1, R5
	BNE  loop32

left:
	CBZ  R2, reduce
	MOVD $0x80000000, R4
	VEOR V0.B16, V0.B16, V0.B16
	VDUP R4, V2.S4
	REST_WIDE(R0, V0, belowX, loadedX)
	REST_WIDE(R1, V2, belowY, loadedY)
	FCVTL2D2(0, 1)
	FCVTLD2(0, 0)
	FCVTL2D2(2, 3)
	FCVTLD2(2, 2)
	LEFT_WIDE(4, 0, V16, V17, rest0)
	LEFT_WIDE(8, 16, V18, V19, rest1)
	LEFT_WIDE(12, 32, V20, V21, rest2)
	LEFT_WIDE(16, 48, V22, V23, rest3)
	LEFT_WIDE(20, 64, V24, V25, rest4)
	LEFT_WIDE(24, 80, V26, V27, rest5)
	LEFT_WIDE(28, 96, V28, V29, rest6)

#include "sum_arm64.h"

	FMOVD F0, ret+24(FP)
	RET

empty:
	MOVD ZR, ret+24(FP)
	RET

#undef TYPE
#undef FADD
#undef HALVE

// Axpy: V15 is alpha in every lane, R0 x, R1 y, R2 elements, R5 steps of 128 bytes.
// What is left over is taken by halves of 64 bytes down to one element.

// y += alpha·x for 32 bytes.
#define AXPY32(off, T) \
	FLDPQ off(R0), (F0, F1)  \
	FLDPQ off(R1), (F4, F5)  \
	VFMLA V15.T, V0.T, V4.T  \
	VFMLA V15.T, V1.T, V5.T  \
	FSTPQ (F4, F5), off(R1)

// The same for less, by a load and a store of that width.
#define AXPY(LDST, T) \
	LDST  (R0), F0          \
	LDST  (R1), F4          \
	VFMLA V15.T, V0.T, V4.T \
	LDST  F4, (R1)

#define ADVANCE(bytes) \
	ADD $bytes, R0 \
	ADD $bytes, R1

#define VECTOR(off) AXPY32(off, D2)
#define NEXT ADVANCE(128)

// func axpyF64NEON(alpha float64, x, y []float64)
// Requires: NEON
//
// Registers: see above. A step is 16 elements; then 8, 4, 2 and one.
TEXT ·axpyF64NEON(SB), NOSPLIT, $0-56
	MOVD alpha+0(FP), R5
	VDUP R5, V15.D2
	MOVD x_base+8(FP), R0
	LDP  y_base+32(FP), (R1, R2)
	LSR  $4, R2, R5
#include "axpy_arm64.h"
	TBZ  $3, R2, left4
	AXPY32(0, D2)
	AXPY32(32, D2)
	ADVANCE(64)

left4:
	TBZ $2, R2, left2
	AXPY32(0, D2)
	ADVANCE(32)

left2:
	TBZ $1, R2, left1
	AXPY(FMOVQ, D2)
	ADVANCE(16)

left1:
	TBZ $0, R2, done
	AXPY(FMOVD, D2)

done:
	RET

#undef VECTOR
#define VECTOR(off) AXPY32(off, S4)

// func axpyF32NEON(alpha float32, x, y []float32)
// Requires: NEON
//
// Registers: see above. A step is 32 elements; then 16, 8, 4, 2 and one.
TEXT ·axpyF32NEON(SB), NOSPLIT, $0-56
	MOVWU alpha+0(FP), R5
	VDUP  R5, V15.S4
	MOVD  x_base+8(FP), R0
	LDP   y_base+32(FP), (R1, R2)
	LSR   $5, R2, R5
#include "axpy_arm64.h"
	TBZ   $4, R2, left8
	AXPY32(0, S4)
	AXPY32(32, S4)
	ADVANCE(64)

left8:
	TBZ $3, R2, left4
	AXPY32(0, S4)
	ADVANCE(32)

left4:
	TBZ $2, R2, left2
	AXPY(FMOVQ, S4)
	ADVANCE(16)

left2:
	TBZ $1, R2, left1
	AXPY(FMOVD, S4)
	ADVANCE(8)

left1:
	TBZ $0, R2, done
	AXPY(FMOVS, S4)

done:
	RET

// AxpyDiff: as axpy, with R0 a, R3 b and R1 y.

#define AXPYDIFF32(off, T, FSUB) \
	FLDPQ off(R0), (F0, F1)  \
	FLDPQ off(R3), (F2, F3)  \
	FLDPQ off(R1), (F4, F5)  \
	FSUB(2, 0, 0)            \
	FSUB(3, 1, 1)            \
	VFMLA V15.T, V0.T, V4.T  \
	VFMLA V15.T, V1.T, V5.T  \
	FSTPQ (F4, F5), off(R1)

#define AXPYDIFF(LDST, T, FSUB) \
	LDST  (R0), F0          \
	LDST  (R3), F2          \
	LDST  (R1), F4          \
	FSUB(2, 0, 0)           \
	VFMLA V15.T, V0.T, V4.T \
	LDST  F4, (R1)

#define ADVANCE3(bytes) \
	ADD $bytes, R0 \
	ADD $bytes, R1 \
	ADD $bytes, R3

#undef VECTOR
#undef NEXT
#define VECTOR(off) AXPYDIFF32(off, D2, FSUBD2)
#define NEXT ADVANCE3(128)

// func axpyDiffF64NEON(alpha float64, a, b, y []float64)
// Requires: NEON
//
// Registers: see above. A step is 16 elements; then 8, 4, 2 and one.
TEXT ·axpyDiffF64NEON(SB), NOSPLIT, $0-80
	MOVD alpha+0(FP), R5
	VDUP R5, V15.D2
	MOVD a_base+8(FP), R0
	MOVD b_base+32(FP), R3
	LDP  y_base+56(FP), (R1, R2)
	LSR  $4, R2, R5
#include "axpy_arm64.h"
	TBZ  $3, R2, left4
	AXPYDIFF32(0, D2, FSUBD2)
	AXPYDIFF32(32, D2, FSUBD2)
	ADVANCE3(64)

left4:
	TBZ $2, R2, left2
	AXPYDIFF32(0, D2, FSUBD2)
	ADVANCE3(32)

left2:
	TBZ $1, R2, left1
	AXPYDIFF(FMOVQ, D2, FSUBD2)
	ADVANCE3(16)

left1:
	TBZ $0, R2, done
	AXPYDIFF(FMOVD, D2, FSUBD2)

done:
	RET

#undef VECTOR
#define VECTOR(off) AXPYDIFF32(off, S4, FSUBS4)

// func axpyDiffF32NEON(alpha float32, a, b, y []float32)
// Requires: NEON
//
// Registers: see above. A step is 32 elements; then 16, 8, 4, 2 and one.
TEXT ·axpyDiffF32NEON(SB), NOSPLIT, $0-80
	MOVWU alpha+0(FP), R5
	VDUP  R5, V15.S4
	MOVD  a_base+8(FP), R0
	MOVD  b_base+32(FP), R3
	LDP   y_base+56(FP), (R1, R2)
	LSR   $5, R2, R5
#include "axpy_arm64.h"
	TBZ   $4, R2, left8
	AXPYDIFF32(0, S4, FSUBS4)
	AXPYDIFF32(32, S4, FSUBS4)
	ADVANCE3(64)

left8:
	TBZ $3, R2, left4
	AXPYDIFF32(0, S4, FSUBS4)
	ADVANCE3(32)

left4:
	TBZ $2, R2, left2
	AXPYDIFF(FMOVQ, S4, FSUBS4)
	ADVANCE3(16)

left2:
	TBZ $1, R2, left1
	AXPYDIFF(FMOVD, S4, FSUBS4)
	ADVANCE3(8)

left1:
	TBZ $0, R2, done
	AXPYDIFF(FMOVS, S4, FSUBS4)

done:
	RET
