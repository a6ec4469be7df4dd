//go:build !purego

#include "textflag.h"
#include "neon_arm64.h"

// The linear kernels for NEON.
//
// Dot products. The lanes that DotF64 and DotF32 document are V16 to V31 in order,
// 16 bytes each: 32 float64 or 64 float32. They start at −0, which no sum
// shows. A step of the main loop is 256 bytes of each operand: 16 LDP and 16
// FMLA, so that the two loads a cycle of an Apple M1 are the limit (8 cycles). After
// it, the elements left over are taken 32 bytes at a time as long as that goes; the rest of
// less than 32 bytes is loaded first, into V0 and V1 (x, filled up with +0) and V2
// and V3 (y, filled up with −0: the product −0 changes no lane), and enters at the end. Nothing is loaded by post-index, which
// costs the M1 a cycle in 8.
//
// Instructions an element in the main loop, without loop control (4 a step, or 5 a row of gemvT):
//
//	dotF64 1.00  dotF32 0.50  dotF32Wide 1.75  axpyF64 1.25  axpyF32 0.63  axpyDiffF64 2.00  axpyDiffF32 1.00
//	gemvF64, gemvF32: as dot  gemvF32Wide 1.38  gemvTF64 0.75  gemvTF32 0.38  gemvTF32Wide 1.13
//
// The wide dots are limited by the conversions: with the FMLAs, 48 instructions (gemv: 32) for the three
// vector pipes of an M1 a step of 32 elements. ci/mca prints what llvm-mca makes of the dot loops: 1.09 times the
// limit of the loads, and 1.00 times that of the vector pipes in the wide ones.

// Every lane −0.
#define LANES(T) \
	VDUP R5, V15.T          \
	VMOV V15.B16, V16.B16   \
	VMOV V15.B16, V17.B16   \
	VMOV V15.B16, V18.B16   \
	VMOV V15.B16, V19.B16   \
	VMOV V15.B16, V20.B16   \
	VMOV V15.B16, V21.B16   \
	VMOV V15.B16, V22.B16   \
	VMOV V15.B16, V23.B16   \
	VMOV V15.B16, V24.B16   \
	VMOV V15.B16, V25.B16   \
	VMOV V15.B16, V26.B16   \
	VMOV V15.B16, V27.B16   \
	VMOV V15.B16, V28.B16   \
	VMOV V15.B16, V29.B16   \
	VMOV V15.B16, V30.B16   \
	VMOV V15.B16, V31.B16

#define LANES_F64 MOVD $0x8000000000000000, R5; LANES(D2)
#define LANES_F32 MOVD $0x80000000, R5; LANES(S4)

// 64 bytes of each operand, at an offset from R0 (x) and R1 (y), into four lanes.
#define MULADD(off, T, a, b, c, d) \
	FLDPQ off(R0), (F0, F1)      \
	FLDPQ off(R1), (F4, F5)      \
	FLDPQ (off+32)(R0), (F2, F3) \
	FLDPQ (off+32)(R1), (F6, F7) \
	VFMLA V4.T, V0.T, a.T        \
	VFMLA V5.T, V1.T, b.T        \
	VFMLA V6.T, V2.T, c.T        \
	VFMLA V7.T, V3.T, d.T

// 256 bytes of each.
#define MULADD256(T) \
	MULADD(0, T, V16, V17, V18, V19)   \
	MULADD(64, T, V20, V21, V22, V23)  \
	MULADD(128, T, V24, V25, V26, V27) \
	MULADD(192, T, V28, V29, V30, V31)

// The next 32 bytes of each into two lanes when at least min elements are left
// over, else the rest.
#define LEFT(min, off, T, a, b, rest) \
	CMP   $min, R2          \
	BLT   rest              \
	FLDPQ off(R0), (F4, F5) \
	FLDPQ off(R1), (F6, F7) \
	VFMLA V6.T, V4.T, a.T   \
	VFMLA V7.T, V5.T, b.T

// The rest, in V0 to V3, into two lanes.
#define REST(T, a, b) \
	VFMLA V2.T, V0.T, a.T \
	VFMLA V3.T, V1.T, b.T \
	B     reduce

// The elements left over, R2 of them, n to a step of 32 bytes.
#define LEFTOVER(n, T) \
	LEFT(1*n, 0, T, V16, V17, rest0)   \
	LEFT(2*n, 32, T, V18, V19, rest1)  \
	LEFT(3*n, 64, T, V20, V21, rest2)  \
	LEFT(4*n, 96, T, V22, V23, rest3)  \
	LEFT(5*n, 128, T, V24, V25, rest4) \
	LEFT(6*n, 160, T, V26, V27, rest5) \
	LEFT(7*n, 192, T, V28, V29, rest6) \
	RESTS(T)

#define RESTS(T) \
	REST(T, V30, V31) \
rest6: \
	REST(T, V28, V29) \
rest5: \
	REST(T, V26, V27) \
rest4: \
	REST(T, V24, V25) \
rest3: \
	REST(T, V22, V23) \
rest2: \
	REST(T, V20, V21) \
rest1: \
	REST(T, V18, V19) \
rest0: \
	REST(T, V16, V17)

// Sets V0 to V3 to what fills the rest up.
#define FILL \
	VEOR V0.B16, V0.B16, V0.B16 \
	VEOR V1.B16, V1.B16, V1.B16 \
	VMOV V15.B16, V2.B16        \
	VMOV V15.B16, V3.B16

// Loads the rest: the last R2 mod 4 float64 of R2 left over.
#define REST_F64 \
	FILL                     \
	AND   $28, R2, R3        \
	ADD   R3<<3, R1, R4      \
	ADD   R3<<3, R0, R3      \
	TBZ   $1, R2, below2     \
	FMOVQ (R3), F0           \
	FMOVQ (R4), F2           \
	TBZ   $0, R2, loaded     \
	ADD   $16, R4            \
	FMOVD 16(R3), F1         \
	VLD1  (R4), V3.D[0]      \
	B     loaded             \
below2: \
	TBZ   $0, R2, loaded     \
	FMOVD (R3), F0           \
	VLD1  (R4), V2.D[0]      \
loaded:

// Loads the rest: the last R2 mod 8 float32 of R2 left over.
#define REST_F32 \
	FILL                        \
	AND   $56, R2, R3           \
	ADD   R3<<2, R1, R4         \
	ADD   R3<<2, R0, R3         \
	TBZ   $2, R2, below4        \
	FMOVQ (R3), F0              \
	FMOVQ (R4), F2              \
	ADD   $16, R3               \
	ADD   $16, R4               \
	TBZ   $1, R2, one1          \
	FMOVD (R3), F1              \
	VLD1  (R4), V3.D[0]         \
	TBZ   $0, R2, loaded        \
	ADD   $8, R3                \
	ADD   $8, R4                \
	VLD1  (R3), V1.S[2]         \
	VLD1  (R4), V3.S[2]         \
	B     loaded                \
one1: \
	TBZ   $0, R2, loaded        \
	FMOVS (R3), F1              \
	VLD1  (R4), V3.S[0]         \
	B     loaded                \
below4: \
	TBZ   $1, R2, one0          \
	FMOVD (R3), F0              \
	VLD1  (R4), V2.D[0]         \
	TBZ   $0, R2, loaded        \
	ADD   $8, R3                \
	ADD   $8, R4                \
	VLD1  (R3), V0.S[2]         \
	VLD1  (R4), V2.S[2]         \
	B     loaded                \
one0: \
	TBZ   $0, R2, loaded        \
	FMOVS (R3), F0              \
	VLD1  (R4), V2.S[0]         \
loaded:

// The tree: (g₀+g₁)+(g₂+g₃) lane by lane into V16 to V19, then halves, into F0.
#define TREE(FADD) \
	FADD(20, 16, 16) \
	FADD(21, 17, 17) \
	FADD(22, 18, 18) \
	FADD(23, 19, 19) \
	FADD(28, 24, 24) \
	FADD(29, 25, 25) \
	FADD(30, 26, 26) \
	FADD(31, 27, 27) \
	FADD(24, 16, 16) \
	FADD(25, 17, 17) \
	FADD(26, 18, 18) \
	FADD(27, 19, 19) \
	FADD(18, 16, 16) \
	FADD(19, 17, 17) \
	FADD(17, 16, 16)

#define TREE_F64 TREE(FADDD2); FADDPD(16, 0)

#define TREE_F32 \
	TREE(FADDS4)                         \
	VEXT $8, V16.B16, V16.B16, V17.B16   \
	FADDS4(17, 16, 16)                   \
	FADDPS(16, 0)

// Dot product of R2 > 0 elements at R0 and R1, into F0. Changes R0 to R5.
#define DOT_F64 \
	LANES_F64              \
	LSR  $5, R2, R5        \
	AND  $31, R2           \
	CBZ  R5, left          \
	PCALIGN $16            \
loop32: \
	MULADD256(D2)          \
	ADD  $256, R0          \
	ADD  $256, R1          \
	SUBS $1, R5            \
	BNE  loop32            \
left: \
	CBZ  R2, reduce        \
	REST_F64               \
	LEFTOVER(4, D2)        \
reduce: \
	TREE_F64

#define DOT_F32 \
	LANES_F32              \
	LSR  $6, R2, R5        \
	AND  $63, R2           \
	CBZ  R5, left          \
	PCALIGN $16            \
loop64: \
	MULADD256(S4)          \
	ADD  $256, R0          \
	ADD  $256, R1          \
	SUBS $1, R5            \
	BNE  loop64            \
left: \
	CBZ  R2, reduce        \
	REST_F32               \
	LEFTOVER(8, S4)        \
reduce: \
	TREE_F32

// func dotF64NEON(x, y []float64) float64
// Requires: NEON
//
// R0 x, R1 y, R2 elements left over, R3 and R4 the rest, R5 steps; see above.
TEXT ·dotF64NEON(SB), NOSPLIT, $0-56
	LDP  x_base+0(FP), (R0, R2)
	MOVD y_base+24(FP), R1
	CBZ  R2, empty
	DOT_F64
	FMOVD F0, ret+48(FP)
	RET

empty:
	MOVD ZR, ret+48(FP)
	RET

// func dotF32NEON(x, y []float32) float32
// Requires: NEON
//
// R0 x, R1 y, R2 elements left over, R3 and R4 the rest, R5 steps; see above.
TEXT ·dotF32NEON(SB), NOSPLIT, $0-52
	LDP  x_base+0(FP), (R0, R2)
	MOVD y_base+24(FP), R1
	CBZ  R2, empty
	DOT_F32
	FMOVS F0, ret+48(FP)
	RET

empty:
	MOVW ZR, ret+48(FP)
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

// Loads the rest of one float32 operand, the last R2 mod 4 elements of those left
// over, which start at p, to V.
#define REST_WIDE(p, V, below2, loaded) \
	AND   $28, R2, R3        \
	ADD   R3<<2, p, R3       \
	TBZ   $1, R2, below2     \
	VLD1  (R3), V.D[0]       \
	TBZ   $0, R2, loaded     \
	ADD   $8, R3             \
	VLD1  (R3), V.S[2]       \
	B     loaded             \
below2: \
	TBZ   $0, R2, loaded     \
	VLD1  (R3), V.S[0]       \
loaded:

// func dotF32WideNEON(x, y []float32) float64
// Requires: NEON
//
// The lanes are those of dotF64NEON. A step is 32 elements, the rest less than 4.
TEXT ·dotF32WideNEON(SB), NOSPLIT, $0-56
	LDP  x_base+0(FP), (R0, R2)
	MOVD y_base+24(FP), R1
	CBZ  R2, empty
	LANES_F64
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
	RESTS(D2)

reduce:
	TREE_F64
	FMOVD F0, ret+48(FP)
	RET

empty:
	MOVD ZR, ret+48(FP)
	RET

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

#define AXPY_STEPS(T) \
	CBZ R5, left         \
	PCALIGN $16          \
loop128: \
	AXPY32(0, T)         \
	AXPY32(32, T)        \
	AXPY32(64, T)        \
	AXPY32(96, T)        \
	ADD  $128, R0        \
	ADD  $128, R1        \
	SUBS $1, R5          \
	BNE  loop128         \
left:

#define ADVANCE(bytes) \
	ADD $bytes, R0 \
	ADD $bytes, R1

// func axpyF64NEON(alpha float64, x, y []float64)
// Requires: NEON
TEXT ·axpyF64NEON(SB), NOSPLIT, $0-56
	MOVD alpha+0(FP), R5
	VDUP R5, V15.D2
	MOVD x_base+8(FP), R0
	LDP  y_base+32(FP), (R1, R2)
	LSR  $4, R2, R5
	AXPY_STEPS(D2)
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

// func axpyF32NEON(alpha float32, x, y []float32)
// Requires: NEON
TEXT ·axpyF32NEON(SB), NOSPLIT, $0-56
	MOVWU alpha+0(FP), R5
	VDUP  R5, V15.S4
	MOVD  x_base+8(FP), R0
	LDP   y_base+32(FP), (R1, R2)
	LSR   $5, R2, R5
	AXPY_STEPS(S4)
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

#define AXPYDIFF_STEPS(T, FSUB) \
	CBZ R5, left              \
	PCALIGN $16               \
loop128: \
	AXPYDIFF32(0, T, FSUB)    \
	AXPYDIFF32(32, T, FSUB)   \
	AXPYDIFF32(64, T, FSUB)   \
	AXPYDIFF32(96, T, FSUB)   \
	ADVANCE3(128)             \
	SUBS $1, R5               \
	BNE  loop128              \
left:

#define ADVANCE3(bytes) \
	ADD $bytes, R0 \
	ADD $bytes, R1 \
	ADD $bytes, R3

// func axpyDiffF64NEON(alpha float64, a, b, y []float64)
// Requires: NEON
TEXT ·axpyDiffF64NEON(SB), NOSPLIT, $0-80
	MOVD alpha+0(FP), R5
	VDUP R5, V15.D2
	MOVD a_base+8(FP), R0
	MOVD b_base+32(FP), R3
	LDP  y_base+56(FP), (R1, R2)
	LSR  $4, R2, R5
	AXPYDIFF_STEPS(D2, FSUBD2)
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

// func axpyDiffF32NEON(alpha float32, a, b, y []float32)
// Requires: NEON
TEXT ·axpyDiffF32NEON(SB), NOSPLIT, $0-80
	MOVWU alpha+0(FP), R5
	VDUP  R5, V15.S4
	MOVD  a_base+8(FP), R0
	MOVD  b_base+32(FP), R3
	LDP   y_base+56(FP), (R1, R2)
	LSR   $5, R2, R5
	AXPYDIFF_STEPS(S4, FSUBS4)
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

// Gemv: the dot product of every row with x, in one call. R8 is dst, R9 the row,
// R10 the rows that are left, R11 the stride in bytes, R12 x, R13 the columns.

// func gemvF64NEON(dst, a []float64, rows, cols, stride int, x []float64)
// Requires: NEON
TEXT ·gemvF64NEON(SB), NOSPLIT, $0-96
	MOVD dst_base+0(FP), R8
	MOVD a_base+24(FP), R9
	LDP  rows+48(FP), (R10, R13)
	MOVD stride+64(FP), R11
	LSL  $3, R11
	MOVD x_base+72(FP), R12
	CBZ  R10, done
	CBZ  R13, zeros

row:
	MOVD R9, R0
	MOVD R12, R1
	MOVD R13, R2
	DOT_F64
	FMOVD F0, (R8)
	ADD  $8, R8
	ADD  R11, R9
	SUBS $1, R10
	BNE  row

done:
	RET

zeros:
	MOVD ZR, (R8)
	ADD  $8, R8
	SUBS $1, R10
	BNE  zeros
	RET

// func gemvF32NEON(dst, a []float32, rows, cols, stride int, x []float32)
// Requires: NEON
TEXT ·gemvF32NEON(SB), NOSPLIT, $0-96
	MOVD dst_base+0(FP), R8
	MOVD a_base+24(FP), R9
	LDP  rows+48(FP), (R10, R13)
	MOVD stride+64(FP), R11
	LSL  $2, R11
	MOVD x_base+72(FP), R12
	CBZ  R10, done
	CBZ  R13, zeros

row:
	MOVD R9, R0
	MOVD R12, R1
	MOVD R13, R2
	DOT_F32
	FMOVS F0, (R8)
	ADD  $4, R8
	ADD  R11, R9
	SUBS $1, R10
	BNE  row

done:
	RET

zeros:
	MOVW ZR, (R8)
	ADD  $4, R8
	SUBS $1, R10
	BNE  zeros
	RET

// 8 elements of the float32 row at R0 and the float64 x at R1 into four lanes.
#define MULADD_MIXED(off, off2, a, b, c, d) \
	FLDPQ off(R0), (F0, F1)       \
	FLDPQ off2(R1), (F8, F9)      \
	FLDPQ (off2+32)(R1), (F10, F11) \
	FCVTLD2(0, 4)                 \
	FCVTL2D2(0, 5)                \
	FCVTLD2(1, 6)                 \
	FCVTL2D2(1, 7)                \
	VFMLA V8.D2, V4.D2, a.D2      \
	VFMLA V9.D2, V5.D2, b.D2      \
	VFMLA V10.D2, V6.D2, c.D2     \
	VFMLA V11.D2, V7.D2, d.D2

#define LEFT_MIXED(min, off, off2, a, b, rest) \
	CMP   $min, R2            \
	BLT   rest                \
	FMOVQ off(R0), F4         \
	FLDPQ off2(R1), (F6, F7)  \
	FCVTL2D2(4, 5)            \
	FCVTLD2(4, 4)             \
	VFMLA V6.D2, V4.D2, a.D2  \
	VFMLA V7.D2, V5.D2, b.D2

// func gemvF32WideNEON(dst []float64, a []float32, rows, cols, stride int, x []float64)
// Requires: NEON
//
// The rest of less than 4 elements is loaded as in dotF64NEON (x) and dotF32WideNEON (the row).
TEXT ·gemvF32WideNEON(SB), NOSPLIT, $0-96
	MOVD dst_base+0(FP), R8
	MOVD a_base+24(FP), R9
	LDP  rows+48(FP), (R10, R13)
	MOVD stride+64(FP), R11
	LSL  $2, R11
	MOVD x_base+72(FP), R12
	CBZ  R10, done
	CBZ  R13, zeros

row:
	MOVD R9, R0
	MOVD R12, R1
	MOVD R13, R2
	LANES_F64
	LSR  $5, R2, R5
	AND  $31, R2
	CBZ  R5, left
	PCALIGN $16

loop32:
	MULADD_MIXED(0, 0, V16, V17, V18, V19)
	MULADD_MIXED(32, 64, V20, V21, V22, V23)
	MULADD_MIXED(64, 128, V24, V25, V26, V27)
	MULADD_MIXED(96, 192, V28, V29, V30, V31)
	ADD  $128, R0
	ADD  $256, R1
	SUBS $1, R5
	BNE  loop32

left:
	CBZ   R2, reduce
	FILL
	REST_WIDE(R0, V0, belowX, loadedX)
	FCVTL2D2(0, 1)
	FCVTLD2(0, 0)
	AND   $28, R2, R3
	ADD   R3<<3, R1, R3
	TBZ   $1, R2, below2
	FMOVQ (R3), F2
	TBZ   $0, R2, loaded
	ADD   $16, R3
	VLD1  (R3), V3.D[0]
	B     loaded

below2:
	TBZ  $0, R2, loaded
	VLD1 (R3), V2.D[0]

loaded:
	LEFT_MIXED(4, 0, 0, V16, V17, rest0)
	LEFT_MIXED(8, 16, 32, V18, V19, rest1)
	LEFT_MIXED(12, 32, 64, V20, V21, rest2)
	LEFT_MIXED(16, 48, 96, V22, V23, rest3)
	LEFT_MIXED(20, 64, 128, V24, V25, rest4)
	LEFT_MIXED(24, 80, 160, V26, V27, rest5)
	LEFT_MIXED(28, 96, 192, V28, V29, rest6)
	RESTS(D2)

reduce:
	TREE_F64
	FMOVD F0, (R8)
	ADD   $8, R8
	ADD   R11, R9
	SUBS  $1, R10
	BNE   row

done:
	RET

zeros:
	MOVD ZR, (R8)
	ADD  $8, R8
	SUBS $1, R10
	BNE  zeros
	RET

// Gemv transposed: a block of columns of dst stays in registers over all rows, so
// that a row costs its loads, the broadcast of c[i] to V0 and the FMLAs. Blocks of 256 bytes
// of dst (V16 to V31) come first, then 64 (V16 to V19), 16 and one element (V16).
// R0 is dst, R1 a, both at the block's first column, R2 rows, R3 the columns that are left,
// R4 the stride in bytes, R5 c; within a block R6 is the row, R7 c[i], R8 the rows left.

#define BLOCK \
	MOVD R1, R6 \
	MOVD R5, R7 \
	MOVD R2, R8

// The end of a row; c has elements of size bytes.
#define NEXT_ROW(size, loop) \
	ADD  R4, R6   \
	ADD  $size, R7 \
	SUBS $1, R8   \
	BNE  loop

// The end of a block of the given bytes of dst and of a.
#define NEXT_BLOCK(dbytes, abytes, cols) \
	ADD $dbytes, R0 \
	ADD $abytes, R1 \
	SUB $cols, R3

#define DST256(OP) \
	OP(0, F16, F17)   \
	OP(32, F18, F19)  \
	OP(64, F20, F21)  \
	OP(96, F22, F23)  \
	OP(128, F24, F25) \
	OP(160, F26, F27) \
	OP(192, F28, F29) \
	OP(224, F30, F31)

#define DST64(OP) \
	OP(0, F16, F17)  \
	OP(32, F18, F19)

#define LOAD_DST(off, a, b) FLDPQ off(R0), (a, b)
#define STORE_DST(off, a, b) FSTPQ (a, b), off(R0)

// 64 bytes of a row, times c[i], into four registers.
#define ROW64(off, T, a, b, c, d) \
	FLDPQ off(R6), (F1, F2)      \
	FLDPQ (off+32)(R6), (F3, F4) \
	VFMLA V0.T, V1.T, a.T        \
	VFMLA V0.T, V2.T, b.T        \
	VFMLA V0.T, V3.T, c.T        \
	VFMLA V0.T, V4.T, d.T

// func gemvTF64NEON(dst, a []float64, rows, cols, stride int, c []float64)
// Requires: NEON
TEXT ·gemvTF64NEON(SB), NOSPLIT, $0-96
	MOVD dst_base+0(FP), R0
	MOVD a_base+24(FP), R1
	LDP  rows+48(FP), (R2, R3)
	MOVD stride+64(FP), R4
	LSL  $3, R4
	MOVD c_base+72(FP), R5
	CBZ  R2, done

block32:
	CMP $32, R3
	BLT block8
	DST256(LOAD_DST)
	BLOCK

row32:
	VLD1R (R7), [V0.D2]
	ROW64(0, D2, V16, V17, V18, V19)
	ROW64(64, D2, V20, V21, V22, V23)
	ROW64(128, D2, V24, V25, V26, V27)
	ROW64(192, D2, V28, V29, V30, V31)
	NEXT_ROW(8, row32)
	DST256(STORE_DST)
	NEXT_BLOCK(256, 256, 32)
	B     block32

block8:
	CMP $8, R3
	BLT block2
	DST64(LOAD_DST)
	BLOCK

row8:
	VLD1R (R7), [V0.D2]
	ROW64(0, D2, V16, V17, V18, V19)
	NEXT_ROW(8, row8)
	DST64(STORE_DST)
	NEXT_BLOCK(64, 64, 8)
	B     block8

block2:
	CMP   $2, R3
	BLT   block1
	FMOVQ (R0), F16
	BLOCK

row2:
	VLD1R (R7), [V0.D2]
	FMOVQ (R6), F1
	VFMLA V0.D2, V1.D2, V16.D2
	NEXT_ROW(8, row2)
	FMOVQ F16, (R0)
	NEXT_BLOCK(16, 16, 2)
	B     block2

block1:
	CBZ   R3, done
	FMOVD (R0), F16
	BLOCK

row1:
	FMOVD (R7), F0
	FMOVD (R6), F1
	VFMLA V0.D2, V1.D2, V16.D2
	NEXT_ROW(8, row1)
	FMOVD F16, (R0)

done:
	RET

// func gemvTF32NEON(dst, a []float32, rows, cols, stride int, c []float32)
// Requires: NEON
TEXT ·gemvTF32NEON(SB), NOSPLIT, $0-96
	MOVD dst_base+0(FP), R0
	MOVD a_base+24(FP), R1
	LDP  rows+48(FP), (R2, R3)
	MOVD stride+64(FP), R4
	LSL  $2, R4
	MOVD c_base+72(FP), R5
	CBZ  R2, done

block64:
	CMP $64, R3
	BLT block16
	DST256(LOAD_DST)
	BLOCK

row64:
	VLD1R (R7), [V0.S4]
	ROW64(0, S4, V16, V17, V18, V19)
	ROW64(64, S4, V20, V21, V22, V23)
	ROW64(128, S4, V24, V25, V26, V27)
	ROW64(192, S4, V28, V29, V30, V31)
	NEXT_ROW(4, row64)
	DST256(STORE_DST)
	NEXT_BLOCK(256, 256, 64)
	B     block64

block16:
	CMP $16, R3
	BLT block4
	DST64(LOAD_DST)
	BLOCK

row16:
	VLD1R (R7), [V0.S4]
	ROW64(0, S4, V16, V17, V18, V19)
	NEXT_ROW(4, row16)
	DST64(STORE_DST)
	NEXT_BLOCK(64, 64, 16)
	B     block16

block4:
	CMP   $4, R3
	BLT   block1
	FMOVQ (R0), F16
	BLOCK

row4:
	VLD1R (R7), [V0.S4]
	FMOVQ (R6), F1
	VFMLA V0.S4, V1.S4, V16.S4
	NEXT_ROW(4, row4)
	FMOVQ F16, (R0)
	NEXT_BLOCK(16, 16, 4)
	B     block4

block1:
	CBZ   R3, done
	FMOVS (R0), F16
	BLOCK

row1:
	FMOVS (R7), F0
	FMOVS (R6), F1
	VFMLA V0.S4, V1.S4, V16.S4
	NEXT_ROW(4, row1)
	FMOVS F16, (R0)
	NEXT_BLOCK(4, 4, 1)
	B     block1

done:
	RET

// 32 bytes of a float32 row, converted, times c[i], into four registers.
#define ROW32_WIDE(off, a, b, c, d) \
	FLDPQ off(R6), (F1, F2)     \
	FCVTLD2(1, 3)               \
	FCVTL2D2(1, 4)              \
	FCVTLD2(2, 5)               \
	FCVTL2D2(2, 6)              \
	VFMLA V0.D2, V3.D2, a.D2    \
	VFMLA V0.D2, V4.D2, b.D2    \
	VFMLA V0.D2, V5.D2, c.D2    \
	VFMLA V0.D2, V6.D2, d.D2

// func gemvTF32WideNEON(dst []float64, a []float32, rows, cols, stride int, c []float64)
// Requires: NEON
TEXT ·gemvTF32WideNEON(SB), NOSPLIT, $0-96
	MOVD dst_base+0(FP), R0
	MOVD a_base+24(FP), R1
	LDP  rows+48(FP), (R2, R3)
	MOVD stride+64(FP), R4
	LSL  $2, R4
	MOVD c_base+72(FP), R5
	CBZ  R2, done

block32:
	CMP $32, R3
	BLT block8
	DST256(LOAD_DST)
	BLOCK

row32:
	VLD1R (R7), [V0.D2]
	ROW32_WIDE(0, V16, V17, V18, V19)
	ROW32_WIDE(32, V20, V21, V22, V23)
	ROW32_WIDE(64, V24, V25, V26, V27)
	ROW32_WIDE(96, V28, V29, V30, V31)
	NEXT_ROW(8, row32)
	DST256(STORE_DST)
	NEXT_BLOCK(256, 128, 32)
	B     block32

block8:
	CMP $8, R3
	BLT block2
	DST64(LOAD_DST)
	BLOCK

row8:
	VLD1R (R7), [V0.D2]
	ROW32_WIDE(0, V16, V17, V18, V19)
	NEXT_ROW(8, row8)
	DST64(STORE_DST)
	NEXT_BLOCK(64, 32, 8)
	B     block8

block2:
	CMP   $2, R3
	BLT   block1
	FMOVQ (R0), F16
	BLOCK

row2:
	VLD1R (R7), [V0.D2]
	FMOVD (R6), F1
	FCVTLD2(1, 1)
	VFMLA V0.D2, V1.D2, V16.D2
	NEXT_ROW(8, row2)
	FMOVQ F16, (R0)
	NEXT_BLOCK(16, 8, 2)
	B     block2

block1:
	CBZ   R3, done
	FMOVD (R0), F16
	BLOCK

row1:
	FMOVD (R7), F0
	FMOVS (R6), F1
	FCVTLD2(1, 1)
	VFMLA V0.D2, V1.D2, V16.D2
	NEXT_ROW(8, row1)
	FMOVD F16, (R0)

done:
	RET
