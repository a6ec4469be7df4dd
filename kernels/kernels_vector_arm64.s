//go:build !purego

#include "textflag.h"
#include "neon_arm64.h"
#include "lanes_arm64.h"

// The vector kernels for NEON. The order of operations is that of the doc comments in vector.go.

// The result of bytes: EXTEND extends the lower half of R5, which holds x·y.
#define RESULT_DOT(EXTEND) \
	VADD  V12.S4, V8.S4, V8.S4 \
	VADDV V8.S4, V8            \
	VMOV  V8.S[0], R5          \
	EXTEND

#define RESULT_COSINE(EXTEND) \
	VADDV  V8.S4, V8    \
	VADDV  V12.S4, V12  \
	VADDV  V16.S4, V16  \
	VMOV   V8.S[0], R5  \
	VMOV   V12.S[0], R6 \
	VMOV   V16.S[0], R7 \
	EXTEND              \
	SCVTFD R5, F0       \
	SCVTFD R6, F1       \
	SCVTFD R7, F2       \
	FMULD  F2, F1, F1   \
	FSQRTD F1, F2       \
	FDIVD  F2, F0, F0   \
	FMOVD  ZR, F2       \
	FCMPD  F2, F1       \
	FCSELD EQ, F2, F0, F0 \
	FCVTDS F0, F0

// L2 has the body of the dot products, dot_arm64.h and sum_arm64.h, whose macros and registers
// kernels_linear_arm64.s explains: a product becomes the square of the difference.

#undef TERM
#define TERM(j, W, i, V, lane) FSUB(j, i, i); VFMLA V.TYPE, V.TYPE, lane.TYPE
#define FLOAT64
#define TYPE D2
#define LOG 3
#define MINUS0 0x8000000000000000
#define FADD FADDD2
#define FSUB FSUBD2
#define HALVE FADDPD(16, 0)

// func l2F64NEON(x, y *float64, n int) float64
// Requires: NEON
//
// R0 x, R1 y, R2 elements left over, R3 and R4 the rest, R5 steps; see above.
TEXT ·l2F64NEON(SB), NOSPLIT, $0-32
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
#undef FSUB
#undef HALVE
#define TYPE S4
#define LOG 2
#define MINUS0 0x80000000
#define FADD FADDS4
#define FSUB FSUBS4
#define HALVE VEXT $8, V16.B16, V16.B16, V17.B16; FADDS4(17, 16, 16); FADDPS(16, 0)

// func l2F32NEON(x, y *float32, n int) float32
// Requires: NEON
//
// R0 x, R1 y, R2 elements left over, R3 and R4 the rest, R5 steps; see above.
TEXT ·l2F32NEON(SB), NOSPLIT, $0-28
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

#undef TERM
#undef TYPE
#undef LOG
#undef MINUS0
#undef FADD
#undef FSUB
#undef HALVE

// The others have the body compare_arm64.h, with macros for what they do not share. LOADX(i, a, b)
// and LOADY load vectors i and i+1 of WIDTH elements each to the registers a and b, LOADX1(i, a)
// and LOADY1 vector i alone; TERMS(i, V, j, W, a, b, c) adds what elements of x (register V and
// number i) and y (W and j) make to the lanes a, b and c of the sums; FILLS and RESTS prepare V6
// and V7; START prepares the lanes; HALVE(n, V, d) adds the elements of a register.

// The three sums of a cosine. The squares start at −0, too.
#define START_COSINE(T) \
	VDUP R7, V8.T           \
	VMOV V8.B16, V9.B16     \
	VMOV V8.B16, V10.B16    \
	VMOV V8.B16, V11.B16    \
	VMOV V8.B16, V12.B16    \
	VMOV V8.B16, V13.B16    \
	VMOV V8.B16, V14.B16    \
	VMOV V8.B16, V15.B16    \
	VMOV V8.B16, V16.B16    \
	VMOV V8.B16, V17.B16    \
	VMOV V8.B16, V18.B16    \
	VMOV V8.B16, V19.B16    \
	VMOV V8.B16, V20.B16    \
	VMOV V8.B16, V21.B16    \
	VMOV V8.B16, V22.B16    \
	VMOV V8.B16, V23.B16    \
	VMOV V8.B16, V24.B16    \
	VMOV V8.B16, V25.B16    \
	VMOV V8.B16, V26.B16    \
	VMOV V8.B16, V27.B16    \
	VMOV V8.B16, V28.B16    \
	VMOV V8.B16, V29.B16    \
	VMOV V8.B16, V30.B16    \
	VMOV V8.B16, V31.B16

// Those of float32 to lanes of float64.
#define LOADX_WIDE(i, a, A, b, B) FMOVQ (8*i)(R0), B; FCVTLD2(b, a); FCVTL2D2(b, b)
#define LOADY_WIDE(i, a, A, b, B) FMOVQ (8*i)(R1), B; FCVTLD2(b, a); FCVTL2D2(b, b)
#define LOADX1_WIDE(i, a, A) FMOVD (8*i)(R0), A; FCVTLD2(a, a)
#define LOADY1_WIDE(i, a, A) FMOVD (8*i)(R1), A; FCVTLD2(a, a)

// One element.
#define RESTS_WIDE \
	ADD  R4<<2, R0, R3   \
	ADD  R4<<2, R1, R4   \
	MOVD $0x80000000, R5 \
	VDUP R5, V7.S4       \
	VLD1 (R3), V6.S[0]   \
	VLD1 (R4), V7.S[0]   \
	FCVTLD2(6, 6)        \
	FCVTLD2(7, 7)

#define TERMS(i, V, j, W, a, b, c) FSUBD2(j, i, i); VFMLA V.TYPE, V.TYPE, a.TYPE
#define LOADX LOADX_WIDE
#define LOADY LOADY_WIDE
#define LOADX1 LOADX1_WIDE
#define LOADY1 LOADY1_WIDE
#define RESTS RESTS_WIDE
#define TYPE D2
#define WIDTH 2
#define XSIZE 4
#define YSIZE 4
#define START MOVD $0x8000000000000000, R7; START_COSINE(D2)
#define FILLS VEOR V6.B16, V6.B16, V6.B16; VDUP R7, V7.D2
#define FADD FADDD2
#define HALVE(n, V, d) FADDPD(n, d)

// func l2F32WideNEON(x, y *float32, n int) float64
// Requires: NEON
//
// Registers: see compare_arm64.h. A step is 32 elements, 16 vectors of 2, eight of them in each of
// two passes; what is left is taken by vectors, and one element.
TEXT ·l2F32WideNEON(SB), NOSPLIT, $192-32
#include "compare_arm64.h"
	FABSD F0, F0 // −0 of no elements
	FMOVD F0, ret+24(FP)
	RET

#undef TERMS
#undef LOADX
#undef LOADY
#undef LOADX1
#undef LOADY1
#undef RESTS
#undef XSIZE
#undef YSIZE
#define TERMS(i, V, j, W, a, b, c) \
	VFMLA W.TYPE, V.TYPE, a.TYPE \
	VFMLA V.TYPE, V.TYPE, b.TYPE \
	VFMLA W.TYPE, W.TYPE, c.TYPE

#define LOADX(i, a, A, b, B) FLDPQ (16*i)(R0), (A, B)
#define LOADY(i, a, A, b, B) FLDPQ (16*i)(R1), (A, B)
#define LOADX1(i, a, A) FMOVQ (16*i)(R0), A
#define LOADY1(i, a, A) FMOVQ (16*i)(R1), A
#define XSIZE 8
#define YSIZE 8

// One element.
#define RESTS \
	ADD  R4<<3, R0, R3 \
	ADD  R4<<3, R1, R4 \
	VLD1 (R3), V6.D[0] \
	VLD1 (R4), V7.D[0]

// func cosineF64NEON(x, y *float64, n int) float64
// Requires: NEON
//
// Registers: see compare_arm64.h. A step is 32 elements, 16 vectors of 2, eight of them in each of
// two passes; what is left is taken by vectors, and one element.
TEXT ·cosineF64NEON(SB), NOSPLIT, $192-32
#include "compare_arm64.h"
	FSQRTD F1, F1
	FSQRTD F2, F2
	FMULD F2, F1, F1
	FDIVD F1, F0, F0
	FMOVD ZR, F2
	FCMPD F2, F1
	FCSELD EQ, F2, F0, F0
	FMOVD F0, ret+24(FP)
	RET

#undef TYPE
#undef WIDTH
#undef XSIZE
#undef YSIZE
#undef START
#undef FILLS
#undef FADD
#undef HALVE
#undef RESTS
#define TYPE S4
#define WIDTH 4
#define XSIZE 4
#define YSIZE 4
#define START MOVD $0x80000000, R7; START_COSINE(S4)
#define FILLS VEOR V6.B16, V6.B16, V6.B16; VDUP R7, V7.S4
#define FADD FADDS4
#define HALVE(n, V, d) VEXT $8, V.B16, V.B16, V3.B16; FADDS4(3, n, n); FADDPS(n, d)

// Up to three elements.
#define RESTS \
	ADD  R4<<2, R0, R5 \
	ADD  R4<<2, R1, R4 \
	TBZ  $1, R3, one   \
	VLD1 (R5), V6.D[0] \
	VLD1 (R4), V7.D[0] \
	TBZ  $0, R3, whole \
	ADD  $8, R5        \
	ADD  $8, R4        \
	VLD1 (R5), V6.S[2] \
	VLD1 (R4), V7.S[2] \
	B    whole         \
one: \
	VLD1 (R5), V6.S[0] \
	VLD1 (R4), V7.S[0]

// func cosineF32NEON(x, y *float32, n int) float32
// Requires: NEON
//
// Registers: see compare_arm64.h. A step is 64 elements, 16 vectors of 4, eight of them in each of
// two passes; what is left is taken by vectors, and up to three elements.
TEXT ·cosineF32NEON(SB), NOSPLIT, $192-28
#include "compare_arm64.h"
	FCVTSD F0, F0
	FCVTSD F1, F1
	FCVTSD F2, F2
	FMULD F2, F1, F1
	FSQRTD F1, F2
	FDIVD F2, F0, F0
	FMOVD ZR, F2
	FCMPD F2, F1
	FCSELD EQ, F2, F0, F0
	FCVTDS F0, F0
	FMOVS F0, ret+24(FP)
	RET

#undef LOADX
#undef LOADY
#undef LOADX1
#undef LOADY1
#undef TYPE
#undef WIDTH
#undef START
#undef FILLS
#undef FADD
#undef HALVE
#undef RESTS
#define LOADX LOADX_WIDE
#define LOADY LOADY_WIDE
#define LOADX1 LOADX1_WIDE
#define LOADY1 LOADY1_WIDE
#define RESTS RESTS_WIDE
#define TYPE D2
#define WIDTH 2
#define START MOVD $0x8000000000000000, R7; START_COSINE(D2)
#define FILLS VEOR V6.B16, V6.B16, V6.B16; VDUP R7, V7.D2
#define FADD FADDD2
#define HALVE(n, V, d) FADDPD(n, d)

// func cosineF32WideNEON(x, y *float32, n int) float64
// Requires: NEON
//
// Registers: see compare_arm64.h. A step is 32 elements, 16 vectors of 2, eight of them in each of
// two passes; what is left is taken by vectors, and one element.
TEXT ·cosineF32WideNEON(SB), NOSPLIT, $192-32
#include "compare_arm64.h"
	FSQRTD F1, F1
	FSQRTD F2, F2
	FMULD F2, F1, F1
	FDIVD F1, F0, F0
	FMOVD ZR, F2
	FCMPD F2, F1
	FCSELD EQ, F2, F0, F0
	FMOVD F0, ret+24(FP)
	RET

#undef TERMS
#undef LOADX
#undef LOADY
#undef LOADX1
#undef LOADY1
#undef TYPE
#undef WIDTH
#undef XSIZE
#undef YSIZE
#undef START
#undef FILLS
#undef FADD
#undef HALVE
#undef RESTS

// The kernels of bytes have the body bytes_arm64.h. TERMS0(x, y) to TERMS3 add the 16 elements of
// registers with these numbers to the sums; RESULT makes the result of the sums in V8, V12 and V16.
// A kernel whose name has SDOT uses SDOT and UDOT, which add four products to a sum at once.

#define START \
	VEOR V8.B16, V8.B16, V8.B16    \
	VEOR V9.B16, V9.B16, V9.B16    \
	VEOR V10.B16, V10.B16, V10.B16 \
	VEOR V11.B16, V11.B16, V11.B16 \
	VEOR V12.B16, V12.B16, V12.B16 \
	VEOR V13.B16, V13.B16, V13.B16 \
	VEOR V14.B16, V14.B16, V14.B16 \
	VEOR V15.B16, V15.B16, V15.B16 \
	VEOR V16.B16, V16.B16, V16.B16 \
	VEOR V17.B16, V17.B16, V17.B16 \
	VEOR V18.B16, V18.B16, V18.B16 \
	VEOR V19.B16, V19.B16, V19.B16

// Products of two vectors to the sums a and b.
#define PRODUCTS_I8(x, y, a, b) SMULLH8(y, x, 20); SMULL2H8(y, x, 21); SADALPS4(20, a); SADALPS4(21, b)
#define PRODUCTS_U8(x, y, a, b) UMULLH8(y, x, 20); UMULL2H8(y, x, 21); UADALPS4(20, a); UADALPS4(21, b)
#define SQUARES_I8(x, y, a, b) SABDB16(y, x, 22); PRODUCTS_U8(22, 22, a, b)
#define SQUARES_U8(x, y, a, b) UABDB16(y, x, 22); PRODUCTS_U8(22, 22, a, b)
#define SQUARES_SDOT_I8(x, y, a) SABDB16(y, x, 22); UDOTS4(22, 22, a)
#define SQUARES_SDOT_U8(x, y, a) UABDB16(y, x, 22); UDOTS4(22, 22, a)

#define SIGNED MOVW R5, R5
#define UNSIGNED MOVWU R5, R5

#define TERMS0(x, y) PRODUCTS_I8(x, y, 8, 9)
#define TERMS1(x, y) PRODUCTS_I8(x, y, 10, 11)
#define TERMS2(x, y) PRODUCTS_I8(x, y, 12, 13)
#define TERMS3(x, y) PRODUCTS_I8(x, y, 14, 15)
#define RESULT RESULT_DOT(SIGNED)

// func dotI8NEON(x, y *int8, n int) int64
// Requires: NEON
//
// Registers: see bytes_arm64.h. A step is 128 elements, or 64 once; whole vectors of 16 are left,
// and the last vector under a mask.
TEXT ·dotI8NEON(SB), NOSPLIT, $32-32
#include "bytes_arm64.h"
	MOVD R5, ret+24(FP)
	RET

#undef TERMS0
#undef TERMS1
#undef TERMS2
#undef TERMS3
#undef RESULT

#define TERMS0(x, y) SDOTS4(y, x, 8)
#define TERMS1(x, y) SDOTS4(y, x, 9)
#define TERMS2(x, y) SDOTS4(y, x, 10)
#define TERMS3(x, y) SDOTS4(y, x, 11)
#define RESULT RESULT_DOT(SIGNED)

// func dotI8SDOTNEON(x, y *int8, n int) int64
// Requires: NEON, SDOT
//
// Registers: see bytes_arm64.h. A step is 128 elements, or 64 once; whole vectors of 16 are left,
// and the last vector under a mask.
TEXT ·dotI8SDOTNEON(SB), NOSPLIT, $32-32
#include "bytes_arm64.h"
	MOVD R5, ret+24(FP)
	RET

#undef TERMS0
#undef TERMS1
#undef TERMS2
#undef TERMS3
#undef RESULT

#define TERMS0(x, y) PRODUCTS_U8(x, y, 8, 9)
#define TERMS1(x, y) PRODUCTS_U8(x, y, 10, 11)
#define TERMS2(x, y) PRODUCTS_U8(x, y, 12, 13)
#define TERMS3(x, y) PRODUCTS_U8(x, y, 14, 15)
#define RESULT RESULT_DOT(UNSIGNED)

// func dotU8NEON(x, y *uint8, n int) int64
// Requires: NEON
//
// Registers: see bytes_arm64.h. A step is 128 elements, or 64 once; whole vectors of 16 are left,
// and the last vector under a mask.
TEXT ·dotU8NEON(SB), NOSPLIT, $32-32
#include "bytes_arm64.h"
	MOVD R5, ret+24(FP)
	RET

#undef TERMS0
#undef TERMS1
#undef TERMS2
#undef TERMS3
#undef RESULT

#define TERMS0(x, y) UDOTS4(y, x, 8)
#define TERMS1(x, y) UDOTS4(y, x, 9)
#define TERMS2(x, y) UDOTS4(y, x, 10)
#define TERMS3(x, y) UDOTS4(y, x, 11)
#define RESULT RESULT_DOT(UNSIGNED)

// func dotU8SDOTNEON(x, y *uint8, n int) int64
// Requires: NEON, SDOT
//
// Registers: see bytes_arm64.h. A step is 128 elements, or 64 once; whole vectors of 16 are left,
// and the last vector under a mask.
TEXT ·dotU8SDOTNEON(SB), NOSPLIT, $32-32
#include "bytes_arm64.h"
	MOVD R5, ret+24(FP)
	RET

#undef TERMS0
#undef TERMS1
#undef TERMS2
#undef TERMS3
#undef RESULT

#define TERMS0(x, y) SQUARES_I8(x, y, 8, 9)
#define TERMS1(x, y) SQUARES_I8(x, y, 10, 11)
#define TERMS2(x, y) SQUARES_I8(x, y, 12, 13)
#define TERMS3(x, y) SQUARES_I8(x, y, 14, 15)
#define RESULT RESULT_DOT(UNSIGNED)

// func l2I8NEON(x, y *int8, n int) int64
// Requires: NEON
//
// Registers: see bytes_arm64.h. A step is 128 elements, or 64 once; whole vectors of 16 are left,
// and the last vector under a mask.
TEXT ·l2I8NEON(SB), NOSPLIT, $32-32
#include "bytes_arm64.h"
	MOVD R5, ret+24(FP)
	RET

#undef TERMS0
#undef TERMS1
#undef TERMS2
#undef TERMS3
#undef RESULT

#define TERMS0(x, y) SQUARES_SDOT_I8(x, y, 8)
#define TERMS1(x, y) SQUARES_SDOT_I8(x, y, 9)
#define TERMS2(x, y) SQUARES_SDOT_I8(x, y, 10)
#define TERMS3(x, y) SQUARES_SDOT_I8(x, y, 11)
#define RESULT RESULT_DOT(UNSIGNED)

// func l2I8SDOTNEON(x, y *int8, n int) int64
// Requires: NEON, SDOT
//
// Registers: see bytes_arm64.h. A step is 128 elements, or 64 once; whole vectors of 16 are left,
// and the last vector under a mask.
TEXT ·l2I8SDOTNEON(SB), NOSPLIT, $32-32
#include "bytes_arm64.h"
	MOVD R5, ret+24(FP)
	RET

#undef TERMS0
#undef TERMS1
#undef TERMS2
#undef TERMS3
#undef RESULT

#define TERMS0(x, y) SQUARES_U8(x, y, 8, 9)
#define TERMS1(x, y) SQUARES_U8(x, y, 10, 11)
#define TERMS2(x, y) SQUARES_U8(x, y, 12, 13)
#define TERMS3(x, y) SQUARES_U8(x, y, 14, 15)
#define RESULT RESULT_DOT(UNSIGNED)

// func l2U8NEON(x, y *uint8, n int) int64
// Requires: NEON
//
// Registers: see bytes_arm64.h. A step is 128 elements, or 64 once; whole vectors of 16 are left,
// and the last vector under a mask.
TEXT ·l2U8NEON(SB), NOSPLIT, $32-32
#include "bytes_arm64.h"
	MOVD R5, ret+24(FP)
	RET

#undef TERMS0
#undef TERMS1
#undef TERMS2
#undef TERMS3
#undef RESULT

#define TERMS0(x, y) SQUARES_SDOT_U8(x, y, 8)
#define TERMS1(x, y) SQUARES_SDOT_U8(x, y, 9)
#define TERMS2(x, y) SQUARES_SDOT_U8(x, y, 10)
#define TERMS3(x, y) SQUARES_SDOT_U8(x, y, 11)
#define RESULT RESULT_DOT(UNSIGNED)

// func l2U8SDOTNEON(x, y *uint8, n int) int64
// Requires: NEON, SDOT
//
// Registers: see bytes_arm64.h. A step is 128 elements, or 64 once; whole vectors of 16 are left,
// and the last vector under a mask.
TEXT ·l2U8SDOTNEON(SB), NOSPLIT, $32-32
#include "bytes_arm64.h"
	MOVD R5, ret+24(FP)
	RET

#undef TERMS0
#undef TERMS1
#undef TERMS2
#undef TERMS3
#undef RESULT

#define TERMS0(x, y) PRODUCTS_I8(x, y, 8, 9); PRODUCTS_I8(x, x, 12, 13); PRODUCTS_I8(y, y, 16, 17)
#define TERMS1(x, y) PRODUCTS_I8(x, y, 10, 11); PRODUCTS_I8(x, x, 14, 15); PRODUCTS_I8(y, y, 18, 19)
#define TERMS2 TERMS0
#define TERMS3 TERMS1
#define RESULT RESULT_COSINE(SIGNED)

// func cosineI8NEON(x, y *int8, n int) float32
// Requires: NEON
//
// Registers: see bytes_arm64.h. A step is 128 elements, or 64 once; whole vectors of 16 are left,
// and the last vector under a mask.
TEXT ·cosineI8NEON(SB), NOSPLIT, $32-28
#include "bytes_arm64.h"
	FMOVS F0, ret+24(FP)
	RET

#undef TERMS0
#undef TERMS1
#undef TERMS2
#undef TERMS3
#undef RESULT

#define TERMS0(x, y) SDOTS4(y, x, 8); SDOTS4(x, x, 12); SDOTS4(y, y, 16)
#define TERMS1(x, y) SDOTS4(y, x, 9); SDOTS4(x, x, 13); SDOTS4(y, y, 17)
#define TERMS2 TERMS0
#define TERMS3 TERMS1
#define RESULT RESULT_COSINE(SIGNED)

// func cosineI8SDOTNEON(x, y *int8, n int) float32
// Requires: NEON, SDOT
//
// Registers: see bytes_arm64.h. A step is 128 elements, or 64 once; whole vectors of 16 are left,
// and the last vector under a mask.
TEXT ·cosineI8SDOTNEON(SB), NOSPLIT, $32-28
#include "bytes_arm64.h"
	FMOVS F0, ret+24(FP)
	RET

#undef TERMS0
#undef TERMS1
#undef TERMS2
#undef TERMS3
#undef RESULT

#define TERMS0(x, y) PRODUCTS_U8(x, y, 8, 9); PRODUCTS_U8(x, x, 12, 13); PRODUCTS_U8(y, y, 16, 17)
#define TERMS1(x, y) PRODUCTS_U8(x, y, 10, 11); PRODUCTS_U8(x, x, 14, 15); PRODUCTS_U8(y, y, 18, 19)
#define TERMS2 TERMS0
#define TERMS3 TERMS1
#define RESULT RESULT_COSINE(UNSIGNED)

// func cosineU8NEON(x, y *uint8, n int) float32
// Requires: NEON
//
// Registers: see bytes_arm64.h. A step is 128 elements, or 64 once; whole vectors of 16 are left,
// and the last vector under a mask.
TEXT ·cosineU8NEON(SB), NOSPLIT, $32-28
#include "bytes_arm64.h"
	FMOVS F0, ret+24(FP)
	RET

#undef TERMS0
#undef TERMS1
#undef TERMS2
#undef TERMS3
#undef RESULT

#define TERMS0(x, y) UDOTS4(y, x, 8); UDOTS4(x, x, 12); UDOTS4(y, y, 16)
#define TERMS1(x, y) UDOTS4(y, x, 9); UDOTS4(x, x, 13); UDOTS4(y, y, 17)
#define TERMS2 TERMS0
#define TERMS3 TERMS1
#define RESULT RESULT_COSINE(UNSIGNED)

// func cosineU8SDOTNEON(x, y *uint8, n int) float32
// Requires: NEON, SDOT
//
// Registers: see bytes_arm64.h. A step is 128 elements, or 64 once; whole vectors of 16 are left,
// and the last vector under a mask.
TEXT ·cosineU8SDOTNEON(SB), NOSPLIT, $32-28
#include "bytes_arm64.h"
	FMOVS F0, ret+24(FP)
	RET

#undef TERMS0
#undef TERMS1
#undef TERMS2
#undef TERMS3
#undef RESULT

#undef START

// The counts of bits have the body bits_arm64.h.

#define COUNT(V, W) VEOR W.B16, V.B16, V.B16; VCNT V.B16, V.B16
#define PLUS(V, W, A, B) VADD A.B16, V.B16, V.B16
#define FOLD(n, m) UADDLPH8(n, n); UADALPS4(n, 8)
#define RESULT VUADDLV V8.S4, V8

// func hammingBitsNEON(x, y *uint64, n int) int64
// Requires: NEON
//
// Registers: see bits_arm64.h. A step is 8 words, four vectors of 2; whole vectors are left, and a
// word.
TEXT ·hammingBitsNEON(SB), NOSPLIT, $0-32
#include "bits_arm64.h"
	FMOVD F8, ret+24(FP)
	RET

#undef COUNT
#undef PLUS
#undef FOLD
#undef RESULT
#define COUNT(V, W) \
	VAND W.B16, V.B16, V20.B16  \
	VORR W.B16, V.B16, W.B16    \
	VCNT V20.B16, V.B16         \
	VCNT W.B16, W.B16

#define PLUS(V, W, A, B) VADD A.B16, V.B16, V.B16; VADD B.B16, W.B16, W.B16
#define FOLD(n, m) UADDLPH8(n, n); UADDLPH8(m, m); UADALPS4(n, 8); UADALPS4(m, 9)
#define RESULT VUADDLV V8.S4, V8; VUADDLV V9.S4, V9

// func jaccardBitsNEON(x, y *uint64, n int) (both, either int64)
// Requires: NEON
//
// Registers: see bits_arm64.h. A step is 8 words, four vectors of 2; whole vectors are left, and a
// word.
TEXT ·jaccardBitsNEON(SB), NOSPLIT, $0-40
#include "bits_arm64.h"
	FMOVD F8, both+24(FP)
	FMOVD F9, either+32(FP)
	RET

#undef COUNT
#undef PLUS
#undef FOLD
#undef RESULT

// The kernels of F16 and BF16 have the body compare_arm64.h, too. WIDEN and WIDEN2 convert the
// lower and the upper four numbers of a register.

#define TYPE S4
#define WIDTH 4
#define XSIZE 2
#define YSIZE 2
#define FADD FADDS4
#define HALVE(n, V, d) VEXT $8, V.B16, V.B16, V3.B16; FADDS4(3, n, n); FADDPS(n, d)
#define LOADX(i, a, A, b, B) FMOVQ (8*i)(R0), B; WIDEN(b, a); WIDEN2(b, b)
#define LOADY(i, a, A, b, B) FMOVQ (8*i)(R1), B; WIDEN(b, a); WIDEN2(b, b)
#define LOADX1(i, a, A) FMOVD (8*i)(R0), A; WIDEN(a, a)
#define LOADY1(i, a, A) FMOVD (8*i)(R1), A; WIDEN(a, a)
#define START MOVD $0x80000000, R7; START_COSINE(S4)

// +0, and −0 of both types.
#define FILLS VEOR V6.B16, V6.B16, V6.B16; MOVD $0x8000, R5; VDUP R5, V7.H8

// Up to three numbers.
#define RESTS \
	ADD  R4<<1, R0, R5 \
	ADD  R4<<1, R1, R4 \
	TBZ  $1, R3, one   \
	VLD1 (R5), V6.S[0] \
	VLD1 (R4), V7.S[0] \
	TBZ  $0, R3, widen \
	ADD  $4, R5        \
	ADD  $4, R4        \
	VLD1 (R5), V6.H[2] \
	VLD1 (R4), V7.H[2] \
	B    widen         \
one: \
	VLD1 (R5), V6.H[0] \
	VLD1 (R4), V7.H[0] \
widen: \
	WIDEN(6, 6)        \
	WIDEN(7, 7)

// The product of no elements is 0, not the −0 that sums begin with.
#define NONE_IS_ZERO \
	MOVD n+16(FP), R2          \
	CBNZ R2, some              \
	FMOVS ZR, F0               \
some:

#define TERMS(i, V, j, W, a, b, c) VFMLA W.TYPE, V.TYPE, a.TYPE

#define WIDEN FCVTLS4
#define WIDEN2 FCVTL2S4

// func dotF16NEON(x, y *F16, n int) float32
// Requires: NEON
//
// Registers: see compare_arm64.h. A step is 64 elements, 16 vectors of 4, eight of them in each of
// two passes; what is left is taken by vectors, and up to three elements.
TEXT ·dotF16NEON(SB), NOSPLIT, $192-28
#include "compare_arm64.h"
	NONE_IS_ZERO
	FMOVS F0, ret+24(FP)
	RET

#undef WIDEN
#undef WIDEN2

#define WIDEN SHLLS4
#define WIDEN2 SHLL2S4

// func dotBF16NEON(x, y *BF16, n int) float32
// Requires: NEON
//
// Registers: see compare_arm64.h. A step is 64 elements, 16 vectors of 4, eight of them in each of
// two passes; what is left is taken by vectors, and up to three elements.
TEXT ·dotBF16NEON(SB), NOSPLIT, $192-28
#include "compare_arm64.h"
	NONE_IS_ZERO
	FMOVS F0, ret+24(FP)
	RET

#undef WIDEN
#undef WIDEN2
#undef TERMS

#define TERMS(i, V, j, W, a, b, c) FSUBS4(j, i, i); VFMLA V.TYPE, V.TYPE, a.TYPE

#define WIDEN FCVTLS4
#define WIDEN2 FCVTL2S4

// func l2F16NEON(x, y *F16, n int) float32
// Requires: NEON
//
// Registers: see compare_arm64.h. A step is 64 elements, 16 vectors of 4, eight of them in each of
// two passes; what is left is taken by vectors, and up to three elements.
TEXT ·l2F16NEON(SB), NOSPLIT, $192-28
#include "compare_arm64.h"
	FABSS F0, F0 // −0 of no elements
	FMOVS F0, ret+24(FP)
	RET

#undef WIDEN
#undef WIDEN2

#define WIDEN SHLLS4
#define WIDEN2 SHLL2S4

// func l2BF16NEON(x, y *BF16, n int) float32
// Requires: NEON
//
// Registers: see compare_arm64.h. A step is 64 elements, 16 vectors of 4, eight of them in each of
// two passes; what is left is taken by vectors, and up to three elements.
TEXT ·l2BF16NEON(SB), NOSPLIT, $192-28
#include "compare_arm64.h"
	FABSS F0, F0 // −0 of no elements
	FMOVS F0, ret+24(FP)
	RET

#undef WIDEN
#undef WIDEN2
#undef TERMS

#define TERMS(i, V, j, W, a, b, c) \
	VFMLA W.TYPE, V.TYPE, a.TYPE \
	VFMLA V.TYPE, V.TYPE, b.TYPE \
	VFMLA W.TYPE, W.TYPE, c.TYPE

#define WIDEN FCVTLS4
#define WIDEN2 FCVTL2S4

// func cosineF16NEON(x, y *F16, n int) float32
// Requires: NEON
//
// Registers: see compare_arm64.h. A step is 64 elements, 16 vectors of 4, eight of them in each of
// two passes; what is left is taken by vectors, and up to three elements.
TEXT ·cosineF16NEON(SB), NOSPLIT, $192-28
#include "compare_arm64.h"
	FCVTSD F0, F0
	FCVTSD F1, F1
	FCVTSD F2, F2
	FMULD F2, F1, F1
	FSQRTD F1, F2
	FDIVD F2, F0, F0
	FMOVD ZR, F2
	FCMPD F2, F1
	FCSELD EQ, F2, F0, F0
	FCVTDS F0, F0
	FMOVS F0, ret+24(FP)
	RET

#undef WIDEN
#undef WIDEN2

#define WIDEN SHLLS4
#define WIDEN2 SHLL2S4

// func cosineBF16NEON(x, y *BF16, n int) float32
// Requires: NEON
//
// Registers: see compare_arm64.h. A step is 64 elements, 16 vectors of 4, eight of them in each of
// two passes; what is left is taken by vectors, and up to three elements.
TEXT ·cosineBF16NEON(SB), NOSPLIT, $192-28
#include "compare_arm64.h"
	FCVTSD F0, F0
	FCVTSD F1, F1
	FCVTSD F2, F2
	FMULD F2, F1, F1
	FSQRTD F1, F2
	FDIVD F2, F0, F0
	FMOVD ZR, F2
	FCMPD F2, F1
	FCSELD EQ, F2, F0, F0
	FCVTDS F0, F0
	FMOVS F0, ret+24(FP)
	RET

#undef WIDEN
#undef WIDEN2
#undef TERMS

#undef TYPE
#undef WIDTH
#undef XSIZE
#undef YSIZE
#undef FADD
#undef HALVE
#undef LOADX
#undef LOADY
#undef LOADX1
#undef LOADY1
#undef START
#undef FILLS
#undef RESTS

// The kernels of float32 and a small type have the body compare_arm64.h, too. WIDEN and WIDEN2
// convert the lower and the upper four numbers of a register; ONE, TWO and THIRD are the lanes of
// V5 for one number, two, and the third of three.

#define TYPE S4
#define WIDTH 4
#define XSIZE 4
#define FADD FADDS4
#define HALVE(n, V, d) VEXT $8, V.B16, V.B16, V3.B16; FADDS4(3, n, n); FADDPS(n, d)
#define LOADX(i, a, A, b, B) FLDPQ (16*i)(R0), (A, B)
#define LOADX1(i, a, A) FMOVQ (16*i)(R0), A
#define START MOVD $0x80000000, R7; START_COSINE(S4)
#define FILLS VEOR V6.B16, V6.B16, V6.B16; VDUP R7, V7.S4; VEOR V5.B16, V5.B16, V5.B16

// Up to three numbers, those of y by way of V5.
#define RESTS \
	ADD  R4<<2, R0, R5    \
	ADD  R4<<(YSIZE-1), R1, R4 \
	TBZ  $1, R3, one      \
	VLD1 (R5), V6.D[0]    \
	VLD1 (R4), TWO        \
	TBZ  $0, R3, two      \
	ADD  $8, R5           \
	ADD  $(2*YSIZE), R4   \
	VLD1 (R5), V6.S[2]    \
	VLD1 (R4), THIRD      \
	WIDEN(5, 5)           \
	VMOV V5.S[2], V7.S[2] \
	VMOV V5.D[0], V7.D[0] \
	B    whole            \
two: \
	WIDEN(5, 5)           \
	VMOV V5.D[0], V7.D[0] \
	B    whole            \
one: \
	VLD1 (R5), V6.S[0]    \
	VLD1 (R4), ONE        \
	WIDEN(5, 5)           \
	VMOV V5.S[0], V7.S[0]

#define LOADHALVES(i, a, A, b, B) FMOVQ (8*i)(R1), B; WIDEN(b, a); WIDEN2(b, b)
#define LOADHALVES1(i, a, A) FMOVD (8*i)(R1), A; WIDEN(a, a)

// Bytes become words first.
#define LOADBYTES(i, a, A, b, B) FMOVD (4*i)(R1), B; WORDS(b, b); WIDEN_WORDS(b, a); WIDEN2_WORDS(b, b)
#define LOADBYTES1(i, a, A) FMOVS (4*i)(R1), A; WIDEN(a, a)

#define WIDEN_I8(n, d) SSHLLH8(n, d); SSHLLS4(d, d); SCVTFS4(d, d)
#define WORDS_I8 SSHLLH8
#define WIDEN_WORDS_I8(n, d) SSHLLS4(n, d); SCVTFS4(d, d)
#define WIDEN2_WORDS_I8(n, d) SSHLL2S4(n, d); SCVTFS4(d, d)

#define WIDEN_U8(n, d) USHLLH8(n, d); USHLLS4(d, d); SCVTFS4(d, d)
#define WORDS_U8 USHLLH8
#define WIDEN_WORDS_U8(n, d) USHLLS4(n, d); SCVTFS4(d, d)
#define WIDEN2_WORDS_U8(n, d) USHLL2S4(n, d); SCVTFS4(d, d)

#define TERMS(i, V, j, W, a, b, c) VFMLA W.TYPE, V.TYPE, a.TYPE

#define YSIZE 2
#define ONE V5.H[0]
#define TWO V5.S[0]
#define THIRD V5.H[2]
#define LOADY LOADHALVES
#define LOADY1 LOADHALVES1

#define WIDEN FCVTLS4
#define WIDEN2 FCVTL2S4

// func dotF32F16NEON(x *float32, y *F16, n int) float32
// Requires: NEON
//
// Registers: see compare_arm64.h. A step is 64 elements, 16 vectors of 4, eight of them in each of
// two passes; what is left is taken by vectors, and up to three elements.
TEXT ·dotF32F16NEON(SB), NOSPLIT, $192-28
#include "compare_arm64.h"
	NONE_IS_ZERO
	FMOVS F0, ret+24(FP)
	RET

#undef WIDEN
#undef WIDEN2

#define WIDEN SHLLS4
#define WIDEN2 SHLL2S4

// func dotF32BF16NEON(x *float32, y *BF16, n int) float32
// Requires: NEON
//
// Registers: see compare_arm64.h. A step is 64 elements, 16 vectors of 4, eight of them in each of
// two passes; what is left is taken by vectors, and up to three elements.
TEXT ·dotF32BF16NEON(SB), NOSPLIT, $192-28
#include "compare_arm64.h"
	NONE_IS_ZERO
	FMOVS F0, ret+24(FP)
	RET

#undef WIDEN
#undef WIDEN2

#undef YSIZE
#undef ONE
#undef TWO
#undef THIRD
#undef LOADY
#undef LOADY1

#define YSIZE 1
#define ONE V5.B[0]
#define TWO V5.H[0]
#define THIRD V5.B[2]
#define LOADY LOADBYTES
#define LOADY1 LOADBYTES1

#define WIDEN WIDEN_I8
#define WORDS WORDS_I8
#define WIDEN_WORDS WIDEN_WORDS_I8
#define WIDEN2_WORDS WIDEN2_WORDS_I8

// func dotF32I8NEON(x *float32, y *int8, n int) float32
// Requires: NEON
//
// Registers: see compare_arm64.h. A step is 64 elements, 16 vectors of 4, eight of them in each of
// two passes; what is left is taken by vectors, and up to three elements.
TEXT ·dotF32I8NEON(SB), NOSPLIT, $192-28
#include "compare_arm64.h"
	NONE_IS_ZERO
	FMOVS F0, ret+24(FP)
	RET

#undef WIDEN
#undef WORDS
#undef WIDEN_WORDS
#undef WIDEN2_WORDS

#define WIDEN WIDEN_U8
#define WORDS WORDS_U8
#define WIDEN_WORDS WIDEN_WORDS_U8
#define WIDEN2_WORDS WIDEN2_WORDS_U8

// func dotF32U8NEON(x *float32, y *uint8, n int) float32
// Requires: NEON
//
// Registers: see compare_arm64.h. A step is 64 elements, 16 vectors of 4, eight of them in each of
// two passes; what is left is taken by vectors, and up to three elements.
TEXT ·dotF32U8NEON(SB), NOSPLIT, $192-28
#include "compare_arm64.h"
	NONE_IS_ZERO
	FMOVS F0, ret+24(FP)
	RET

#undef WIDEN
#undef WORDS
#undef WIDEN_WORDS
#undef WIDEN2_WORDS

#undef YSIZE
#undef ONE
#undef TWO
#undef THIRD
#undef LOADY
#undef LOADY1

#undef TERMS

#define TERMS(i, V, j, W, a, b, c) FSUBS4(j, i, i); VFMLA V.TYPE, V.TYPE, a.TYPE

#define YSIZE 2
#define ONE V5.H[0]
#define TWO V5.S[0]
#define THIRD V5.H[2]
#define LOADY LOADHALVES
#define LOADY1 LOADHALVES1

#define WIDEN FCVTLS4
#define WIDEN2 FCVTL2S4

// func l2F32F16NEON(x *float32, y *F16, n int) float32
// Requires: NEON
//
// Registers: see compare_arm64.h. A step is 64 elements, 16 vectors of 4, eight of them in each of
// two passes; what is left is taken by vectors, and up to three elements.
TEXT ·l2F32F16NEON(SB), NOSPLIT, $192-28
#include "compare_arm64.h"
	FABSS F0, F0 // −0 of no elements
	FMOVS F0, ret+24(FP)
	RET

#undef WIDEN
#undef WIDEN2

#define WIDEN SHLLS4
#define WIDEN2 SHLL2S4

// func l2F32BF16NEON(x *float32, y *BF16, n int) float32
// Requires: NEON
//
// Registers: see compare_arm64.h. A step is 64 elements, 16 vectors of 4, eight of them in each of
// two passes; what is left is taken by vectors, and up to three elements.
TEXT ·l2F32BF16NEON(SB), NOSPLIT, $192-28
#include "compare_arm64.h"
	FABSS F0, F0 // −0 of no elements
	FMOVS F0, ret+24(FP)
	RET

#undef WIDEN
#undef WIDEN2

#undef YSIZE
#undef ONE
#undef TWO
#undef THIRD
#undef LOADY
#undef LOADY1

#define YSIZE 1
#define ONE V5.B[0]
#define TWO V5.H[0]
#define THIRD V5.B[2]
#define LOADY LOADBYTES
#define LOADY1 LOADBYTES1

#define WIDEN WIDEN_I8
#define WORDS WORDS_I8
#define WIDEN_WORDS WIDEN_WORDS_I8
#define WIDEN2_WORDS WIDEN2_WORDS_I8

// func l2F32I8NEON(x *float32, y *int8, n int) float32
// Requires: NEON
//
// Registers: see compare_arm64.h. A step is 64 elements, 16 vectors of 4, eight of them in each of
// two passes; what is left is taken by vectors, and up to three elements.
TEXT ·l2F32I8NEON(SB), NOSPLIT, $192-28
#include "compare_arm64.h"
	FABSS F0, F0 // −0 of no elements
	FMOVS F0, ret+24(FP)
	RET

#undef WIDEN
#undef WORDS
#undef WIDEN_WORDS
#undef WIDEN2_WORDS

#define WIDEN WIDEN_U8
#define WORDS WORDS_U8
#define WIDEN_WORDS WIDEN_WORDS_U8
#define WIDEN2_WORDS WIDEN2_WORDS_U8

// func l2F32U8NEON(x *float32, y *uint8, n int) float32
// Requires: NEON
//
// Registers: see compare_arm64.h. A step is 64 elements, 16 vectors of 4, eight of them in each of
// two passes; what is left is taken by vectors, and up to three elements.
TEXT ·l2F32U8NEON(SB), NOSPLIT, $192-28
#include "compare_arm64.h"
	FABSS F0, F0 // −0 of no elements
	FMOVS F0, ret+24(FP)
	RET

#undef WIDEN
#undef WORDS
#undef WIDEN_WORDS
#undef WIDEN2_WORDS

#undef YSIZE
#undef ONE
#undef TWO
#undef THIRD
#undef LOADY
#undef LOADY1

#undef TERMS

#define TERMS(i, V, j, W, a, b, c) \
	VFMLA W.TYPE, V.TYPE, a.TYPE \
	VFMLA V.TYPE, V.TYPE, b.TYPE \
	VFMLA W.TYPE, W.TYPE, c.TYPE

#define YSIZE 2
#define ONE V5.H[0]
#define TWO V5.S[0]
#define THIRD V5.H[2]
#define LOADY LOADHALVES
#define LOADY1 LOADHALVES1

#define WIDEN FCVTLS4
#define WIDEN2 FCVTL2S4

// func cosineF32F16NEON(x *float32, y *F16, n int) float32
// Requires: NEON
//
// Registers: see compare_arm64.h. A step is 64 elements, 16 vectors of 4, eight of them in each of
// two passes; what is left is taken by vectors, and up to three elements.
TEXT ·cosineF32F16NEON(SB), NOSPLIT, $192-28
#include "compare_arm64.h"
	FCVTSD F0, F0
	FCVTSD F1, F1
	FCVTSD F2, F2
	FMULD F2, F1, F1
	FSQRTD F1, F2
	FDIVD F2, F0, F0
	FMOVD ZR, F2
	FCMPD F2, F1
	FCSELD EQ, F2, F0, F0
	FCVTDS F0, F0
	FMOVS F0, ret+24(FP)
	RET

#undef WIDEN
#undef WIDEN2

#define WIDEN SHLLS4
#define WIDEN2 SHLL2S4

// func cosineF32BF16NEON(x *float32, y *BF16, n int) float32
// Requires: NEON
//
// Registers: see compare_arm64.h. A step is 64 elements, 16 vectors of 4, eight of them in each of
// two passes; what is left is taken by vectors, and up to three elements.
TEXT ·cosineF32BF16NEON(SB), NOSPLIT, $192-28
#include "compare_arm64.h"
	FCVTSD F0, F0
	FCVTSD F1, F1
	FCVTSD F2, F2
	FMULD F2, F1, F1
	FSQRTD F1, F2
	FDIVD F2, F0, F0
	FMOVD ZR, F2
	FCMPD F2, F1
	FCSELD EQ, F2, F0, F0
	FCVTDS F0, F0
	FMOVS F0, ret+24(FP)
	RET

#undef WIDEN
#undef WIDEN2

#undef YSIZE
#undef ONE
#undef TWO
#undef THIRD
#undef LOADY
#undef LOADY1

#define YSIZE 1
#define ONE V5.B[0]
#define TWO V5.H[0]
#define THIRD V5.B[2]
#define LOADY LOADBYTES
#define LOADY1 LOADBYTES1

#define WIDEN WIDEN_I8
#define WORDS WORDS_I8
#define WIDEN_WORDS WIDEN_WORDS_I8
#define WIDEN2_WORDS WIDEN2_WORDS_I8

// func cosineF32I8NEON(x *float32, y *int8, n int) float32
// Requires: NEON
//
// Registers: see compare_arm64.h. A step is 64 elements, 16 vectors of 4, eight of them in each of
// two passes; what is left is taken by vectors, and up to three elements.
TEXT ·cosineF32I8NEON(SB), NOSPLIT, $192-28
#include "compare_arm64.h"
	FCVTSD F0, F0
	FCVTSD F1, F1
	FCVTSD F2, F2
	FMULD F2, F1, F1
	FSQRTD F1, F2
	FDIVD F2, F0, F0
	FMOVD ZR, F2
	FCMPD F2, F1
	FCSELD EQ, F2, F0, F0
	FCVTDS F0, F0
	FMOVS F0, ret+24(FP)
	RET

#undef WIDEN
#undef WORDS
#undef WIDEN_WORDS
#undef WIDEN2_WORDS

#define WIDEN WIDEN_U8
#define WORDS WORDS_U8
#define WIDEN_WORDS WIDEN_WORDS_U8
#define WIDEN2_WORDS WIDEN2_WORDS_U8

// func cosineF32U8NEON(x *float32, y *uint8, n int) float32
// Requires: NEON
//
// Registers: see compare_arm64.h. A step is 64 elements, 16 vectors of 4, eight of them in each of
// two passes; what is left is taken by vectors, and up to three elements.
TEXT ·cosineF32U8NEON(SB), NOSPLIT, $192-28
#include "compare_arm64.h"
	FCVTSD F0, F0
	FCVTSD F1, F1
	FCVTSD F2, F2
	FMULD F2, F1, F1
	FSQRTD F1, F2
	FDIVD F2, F0, F0
	FMOVD ZR, F2
	FCMPD F2, F1
	FCSELD EQ, F2, F0, F0
	FCVTDS F0, F0
	FMOVS F0, ret+24(FP)
	RET

#undef WIDEN
#undef WORDS
#undef WIDEN_WORDS
#undef WIDEN2_WORDS

#undef YSIZE
#undef ONE
#undef TWO
#undef THIRD
#undef LOADY
#undef LOADY1

#undef TERMS

#undef TYPE
#undef WIDTH
#undef XSIZE
#undef FADD
#undef HALVE
#undef LOADX
#undef LOADX1
#undef START
#undef FILLS
#undef RESTS

// The kernels of integers of four bits have the body bytes_arm64.h. Both of a pair are taken as
// bytes of 16 times their value, so each sum is 256 times what it should be: at most 65536 pairs
// make less than 2³¹ in a lane. V24: the lower half of each byte.

#define START \
	VMOVI $15, V24.B16             \
	VEOR V8.B16, V8.B16, V8.B16    \
	VEOR V9.B16, V9.B16, V9.B16    \
	VEOR V10.B16, V10.B16, V10.B16 \
	VEOR V11.B16, V11.B16, V11.B16 \
	VEOR V12.B16, V12.B16, V12.B16 \
	VEOR V13.B16, V13.B16, V13.B16 \
	VEOR V14.B16, V14.B16, V14.B16 \
	VEOR V15.B16, V15.B16, V15.B16

// The second of each pair in V22 and V23, the first in x and y.
#define HALVES(x, y) \
	BIC16(24, x, 22)  \
	BIC16(24, y, 23)  \
	SHLB16(4, x, x)   \
	SHLB16(4, y, y)

// The size of their differences in V22 and x.
#define DIFFERENCES(x, y) \
	HALVES(x, y)        \
	SABDB16(23, 22, 22) \
	SABDB16(y, x, x)

#define PRODUCTS_I4(x, y, a, b) HALVES(x, y); PRODUCTS_I8(22, 23, a, b); PRODUCTS_I8(x, y, a, b)
#define SQUARES_I4(x, y, a, b) DIFFERENCES(x, y); PRODUCTS_U8(22, 22, a, b); PRODUCTS_U8(x, x, a, b)
#define PRODUCTS_SDOT_I4(x, y, a, b) HALVES(x, y); SDOTS4(23, 22, a); SDOTS4(y, x, b)
#define SQUARES_SDOT_I4(x, y, a, b) DIFFERENCES(x, y); UDOTS4(22, 22, a); UDOTS4(x, x, b)

#define SIGNED_I4 SSHRS4(8, 8, 8)
#define UNSIGNED_I4 VUSHR $8, V8.S4, V8.S4

#define RESULT_I4(SHIFT) \
	VADD  V12.S4, V8.S4, V8.S4 \
	SHIFT                      \
	VADDV V8.S4, V8            \
	VMOV  V8.S[0], R5          \
	MOVW  R5, R5

#define TERMS0(x, y) PRODUCTS_I4(x, y, 8, 9)
#define TERMS1(x, y) PRODUCTS_I4(x, y, 10, 11)
#define TERMS2(x, y) PRODUCTS_I4(x, y, 12, 13)
#define TERMS3(x, y) PRODUCTS_I4(x, y, 14, 15)
#define RESULT RESULT_I4(SIGNED_I4)

// func dotI4NEON(x, y *I4x2, n int) int64
// Requires: NEON
//
// Registers: see bytes_arm64.h. A step is 64 pairs; whole vectors of 16 are left, and the last
// vector under a mask.
TEXT ·dotI4NEON(SB), NOSPLIT, $32-32
#include "bytes_arm64.h"
	MOVD R5, ret+24(FP)
	RET

#undef TERMS0
#undef TERMS1
#undef TERMS2
#undef TERMS3
#undef RESULT

#define TERMS0(x, y) PRODUCTS_SDOT_I4(x, y, 8, 9)
#define TERMS1(x, y) PRODUCTS_SDOT_I4(x, y, 10, 11)
#define TERMS2(x, y) PRODUCTS_SDOT_I4(x, y, 12, 13)
#define TERMS3(x, y) PRODUCTS_SDOT_I4(x, y, 14, 15)
#define RESULT RESULT_I4(SIGNED_I4)

// func dotI4SDOTNEON(x, y *I4x2, n int) int64
// Requires: NEON, SDOT
//
// Registers: see bytes_arm64.h. A step is 64 pairs; whole vectors of 16 are left, and the last
// vector under a mask.
TEXT ·dotI4SDOTNEON(SB), NOSPLIT, $32-32
#include "bytes_arm64.h"
	MOVD R5, ret+24(FP)
	RET

#undef TERMS0
#undef TERMS1
#undef TERMS2
#undef TERMS3
#undef RESULT

#define TERMS0(x, y) SQUARES_I4(x, y, 8, 9)
#define TERMS1(x, y) SQUARES_I4(x, y, 10, 11)
#define TERMS2(x, y) SQUARES_I4(x, y, 12, 13)
#define TERMS3(x, y) SQUARES_I4(x, y, 14, 15)
#define RESULT RESULT_I4(UNSIGNED_I4)

// func l2I4NEON(x, y *I4x2, n int) int64
// Requires: NEON
//
// Registers: see bytes_arm64.h. A step is 64 pairs; whole vectors of 16 are left, and the last
// vector under a mask.
TEXT ·l2I4NEON(SB), NOSPLIT, $32-32
#include "bytes_arm64.h"
	MOVD R5, ret+24(FP)
	RET

#undef TERMS0
#undef TERMS1
#undef TERMS2
#undef TERMS3
#undef RESULT

#define TERMS0(x, y) SQUARES_SDOT_I4(x, y, 8, 9)
#define TERMS1(x, y) SQUARES_SDOT_I4(x, y, 10, 11)
#define TERMS2(x, y) SQUARES_SDOT_I4(x, y, 12, 13)
#define TERMS3(x, y) SQUARES_SDOT_I4(x, y, 14, 15)
#define RESULT RESULT_I4(UNSIGNED_I4)

// func l2I4SDOTNEON(x, y *I4x2, n int) int64
// Requires: NEON, SDOT
//
// Registers: see bytes_arm64.h. A step is 64 pairs; whole vectors of 16 are left, and the last
// vector under a mask.
TEXT ·l2I4SDOTNEON(SB), NOSPLIT, $32-32
#include "bytes_arm64.h"
	MOVD R5, ret+24(FP)
	RET

#undef TERMS0
#undef TERMS1
#undef TERMS2
#undef TERMS3
#undef RESULT

#undef START

// Conversions: R0 dst, R1 src, R2 numbers left, a multiple of 16.

// func f16FromF32NEON(dst []F16, src []float32)
// Requires: NEON
//
// Registers: see above. A step is 8 numbers; there is no rest.
TEXT ·f16FromF32NEON(SB), NOSPLIT, $0-48
	MOVD dst_base+0(FP), R0
	LDP  src_base+24(FP), (R1, R2)
	CBZ R2, done

loop:
	FLDPQ (R1), (F0, F1)
	FCVTNH4(0, 0)
	FCVTN2H8(1, 0)
	FMOVQ F0, (R0)
	ADD  $32, R1
	ADD  $16, R0
	SUBS $8, R2
	BNE  loop

done:
	RET

// func f32FromF16NEON(dst []float32, src []F16)
// Requires: NEON
//
// Registers: see above. A step is 8 numbers; there is no rest.
TEXT ·f32FromF16NEON(SB), NOSPLIT, $0-48
	MOVD dst_base+0(FP), R0
	LDP  src_base+24(FP), (R1, R2)
	CBZ R2, done

loop:
	FMOVQ (R1), F1
	FCVTLS4(1, 0)
	FCVTL2S4(1, 1)
	FSTPQ (F0, F1), (R0)
	ADD  $16, R1
	ADD  $32, R0
	SUBS $8, R2
	BNE  loop

done:
	RET

// The upper halves of V, number i, rounded, in the lower ones of W; those of NaN made quiet.
#define ROUND_BF16(i, V, W) \
	VUSHR $16, V.S4, V4.S4         \
	VORR  V22.B16, V4.B16, V5.B16  \
	VAND  V21.B16, V4.B16, V4.B16  \
	VADD  V20.S4, V4.S4, V4.S4     \
	VADD  V.S4, V4.S4, V4.S4       \
	VUSHR $16, V4.S4, W.S4         \
	FCMEQS4(i, i, 6)               \
	VBIF  V6.B16, V5.B16, W.B16

// func bF16FromF32NEON(dst []BF16, src []float32)
// Requires: NEON
//
// Registers: see above. A step is 8 numbers; there is no rest.
TEXT ·bF16FromF32NEON(SB), NOSPLIT, $0-48
	MOVD dst_base+0(FP), R0
	LDP  src_base+24(FP), (R1, R2)
	CBZ R2, done
	MOVD $0x7fff, R3
	VDUP R3, V20.S4
	MOVD $1, R3
	VDUP R3, V21.S4
	MOVD $0x40, R3
	VDUP R3, V22.S4

loop:
	FLDPQ (R1), (F0, F1)
	ROUND_BF16(0, V0, V2)
	ROUND_BF16(1, V1, V3)
	XTNH4(2, 2)
	XTN2H8(3, 2)
	FMOVQ F2, (R0)
	ADD  $32, R1
	ADD  $16, R0
	SUBS $8, R2
	BNE  loop

done:
	RET

// func f32FromBF16NEON(dst []float32, src []BF16)
// Requires: NEON
//
// Registers: see above. A step is 8 numbers; there is no rest.
TEXT ·f32FromBF16NEON(SB), NOSPLIT, $0-48
	MOVD dst_base+0(FP), R0
	LDP  src_base+24(FP), (R1, R2)
	CBZ R2, done

loop:
	FMOVQ (R1), F1
	SHLLS4(1, 0)
	SHLL2S4(1, 1)
	FSTPQ (F0, F1), (R0)
	ADD  $16, R1
	ADD  $32, R0
	SUBS $8, R2
	BNE  loop

done:
	RET

// Quantizers: R0 dst, R1 src, R2 numbers left, a multiple of 16, or of 64 for bits of signs.

// func scaleI8NEON(x []float32) float32
// Requires: NEON
//
// Registers: R1 x, R2 numbers left; V16: the largest; V17: zeros; V18: the largest finite number. A
// step is 16 numbers; there is no rest.
TEXT ·scaleI8NEON(SB), NOSPLIT, $0-28
	LDP  x_base+0(FP), (R1, R2)
	VEOR V16.B16, V16.B16, V16.B16
	VEOR V17.B16, V17.B16, V17.B16
	MOVD $0x7f7fffff, R3
	VDUP R3, V18.S4
	CBZ  R2, done

loop:
	FLDPQ (R1), (F0, F1)
	FLDPQ 32(R1), (F2, F3)
	FABSS4(0, 0)
	FABSS4(1, 1)
	FABSS4(2, 2)
	FABSS4(3, 3)
	CMGTS4(18, 0, 4) // not finite
	CMGTS4(18, 1, 5)
	CMGTS4(18, 2, 6)
	CMGTS4(18, 3, 7)
	VBIT V4.B16, V17.B16, V0.B16 // 0 in its place
	VBIT V5.B16, V17.B16, V1.B16
	VBIT V6.B16, V17.B16, V2.B16
	VBIT V7.B16, V17.B16, V3.B16
	SMAXS4(1, 0, 0) // the order of integers is that of sizes
	SMAXS4(3, 2, 2)
	SMAXS4(2, 0, 0)
	SMAXS4(0, 16, 16)
	ADD  $64, R1
	SUBS $16, R2
	BNE  loop

done:
	SMAXVS4(16, 16)
	FMOVS F16, ret+24(FP)
	RET

// func quantizeI8NEON(dst []int8, src []float32, scale float32)
// Requires: NEON
//
// Registers: see above; V16: the scale; V17: bytes −127. A step is 16 numbers; there is no rest.
TEXT ·quantizeI8NEON(SB), NOSPLIT, $0-52
	MOVD dst_base+0(FP), R0
	LDP  src_base+24(FP), (R1, R2)
	CBZ  R2, done
	MOVWU scale+48(FP), R3
	VDUP R3, V16.S4
	MOVD $0x81, R3
	VDUP R3, V17.B16

loop:
	FLDPQ (R1), (F0, F1)
	FLDPQ 32(R1), (F2, F3)
	FDIVS4(16, 0, 0)
	FDIVS4(16, 1, 1)
	FDIVS4(16, 2, 2)
	FDIVS4(16, 3, 3)
	FCVTNSS4(0, 0) // 0 of a NaN
	FCVTNSS4(1, 1)
	FCVTNSS4(2, 2)
	FCVTNSS4(3, 3)
	SQXTNH4(0, 0)
	SQXTN2H8(1, 0)
	SQXTNH4(2, 2)
	SQXTN2H8(3, 2)
	SQXTNB8(0, 0)
	SQXTN2B16(2, 0)
	SMAXB16(17, 0, 0)
	FMOVQ F0, (R0)
	ADD  $64, R1
	ADD  $16, R0
	SUBS $16, R2
	BNE  loop

done:
	RET

// func dequantizeI8NEON(dst []float32, src []int8, scale float32)
// Requires: NEON
//
// Registers: see above; V16: the scale. A step is 16 numbers; there is no rest.
TEXT ·dequantizeI8NEON(SB), NOSPLIT, $0-52
	MOVD dst_base+0(FP), R0
	LDP  src_base+24(FP), (R1, R2)
	CBZ  R2, done
	MOVWU scale+48(FP), R3
	VDUP R3, V16.S4

loop:
	FLDPD (R1), (F1, F3)
	SSHLLH8(1, 1)
	SSHLLH8(3, 3)
	WIDEN_WORDS_I8(1, 0)
	WIDEN2_WORDS_I8(1, 1)
	WIDEN_WORDS_I8(3, 2)
	WIDEN2_WORDS_I8(3, 3)
	FMULS4(16, 0, 0)
	FMULS4(16, 1, 1)
	FMULS4(16, 2, 2)
	FMULS4(16, 3, 3)
	FSTPQ (F0, F1), (R0)
	FSTPQ (F2, F3), 32(R0)
	ADD  $16, R1
	ADD  $64, R0
	SUBS $16, R2
	BNE  loop

done:
	RET

// func signBitsNEON(dst []uint64, src []float32)
// Requires: NEON
//
// Registers: see above; V16: the bit of each byte. A step is 16 numbers; there is no rest.
TEXT ·signBitsNEON(SB), NOSPLIT, $0-48
	MOVD dst_base+0(FP), R0
	LDP  src_base+24(FP), (R1, R2)
	CBZ  R2, done
	MOVD $0x8040201008040201, R3
	VDUP R3, V16.D2

loop:
	FLDPQ (R1), (F0, F1)
	FLDPQ 32(R1), (F2, F3)
	FCMGT0S4(0, 0)
	FCMGT0S4(1, 1)
	FCMGT0S4(2, 2)
	FCMGT0S4(3, 3)
	VUZP1 V1.H8, V0.H8, V0.H8
	VUZP1 V3.H8, V2.H8, V2.H8
	VUZP1 V2.B16, V0.B16, V0.B16
	VAND  V16.B16, V0.B16, V0.B16
	VADDP V0.B16, V0.B16, V0.B16
	VADDP V0.B16, V0.B16, V0.B16
	VADDP V0.B16, V0.B16, V0.B16
	VMOV V0.H[0], R3
	MOVH R3, (R0)
	ADD  $64, R1
	ADD  $2, R0
	SUBS $16, R2
	BNE  loop

done:
	RET
