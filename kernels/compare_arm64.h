// The body of the kernels of kernels_vector_arm64.s that make three sums of two vectors of any
// types; that file says what the macros of each kernel are.
//
// The lanes do not fit the registers: elements are taken by steps of 16 vectors of 16 bytes of
// lanes, the first eight of each in a first pass, and the last eight in a second one.
//
// R0, R1: x, y, or what is left of them; R2: elements left, from the first vector of the pass on;
// R6: 0 in the first pass; V8-V15, V16-V23, V24-V31: the lanes of each sum; V0-V5: elements; V6,
// V7: the rest after the last whole vector, filled up so that it adds nothing.

// Two vectors of each operand, the first of them vector i.
#define PAIR(i, a, b, c, d, e, f) \
	LOADX(i, 0, F0, 1, F1)         \
	LOADY(i, 2, F2, 3, F3)         \
	TERMS(0, V0, 2, V2, a, b, c) \
	TERMS(1, V1, 3, V3, d, e, f)

// Vector i of what is left, or the rest when there is no whole one.
#define LEFT(i, a, b, c, rest) \
	SUBS $WIDTH, R2          \
	BLT  rest                \
	LOADX1(i, 4, F4)             \
	LOADY1(i, 5, F5)             \
	TERMS(4, V4, 5, V5, a, b, c)

#define REST(a, b, c) TERMS(6, V6, 7, V7, a, b, c); B sum

	MOVD ZR, R6

pass:
	LDP  x+0(FP), (R0, R1)
	MOVD n+16(FP), R2
	CBZ  R6, start
	ADD  $(8*WIDTH*XSIZE), R0
	ADD  $(8*WIDTH*YSIZE), R1
	SUB  $(8*WIDTH), R2

start:
	START
	SUBS $(8*WIDTH), R2
	BLT  tail
	PCALIGN $16

loop:
	PAIR(0, V8, V16, V24, V9, V17, V25)
	PAIR(2, V10, V18, V26, V11, V19, V27)
	PAIR(4, V12, V20, V28, V13, V21, V29)
	PAIR(6, V14, V22, V30, V15, V23, V31)
	ADD  $(16*WIDTH*XSIZE), R0
	ADD  $(16*WIDTH*YSIZE), R1
	SUBS $(16*WIDTH), R2
	BGE  loop

tail:
	ADDS $(8*WIDTH), R2
	BLE  sum // nothing of this pass is left
	FILLS // +0 and −0 to V6 and V7
	AND  $(WIDTH-1), R2, R3
	CBZ  R3, whole
	AND  $~(WIDTH-1), R2, R4
	RESTS // R3 elements from element R4 on to V6 and V7

whole: // fewer than eight vectors
	LEFT(0, V8, V16, V24, rest0)
	LEFT(1, V9, V17, V25, rest1)
	LEFT(2, V10, V18, V26, rest2)
	LEFT(3, V11, V19, V27, rest3)
	LEFT(4, V12, V20, V28, rest4)
	LEFT(5, V13, V21, V29, rest5)
	LEFT(6, V14, V22, V30, rest6)
	REST(V15, V23, V31)

rest0:
	REST(V8, V16, V24)

rest1:
	REST(V9, V17, V25)

rest2:
	REST(V10, V18, V26)

rest3:
	REST(V11, V19, V27)

rest4:
	REST(V12, V20, V28)

rest5:
	REST(V13, V21, V29)

rest6:
	REST(V14, V22, V30)

sum: // g0+g1 or g2+g3 to the first four vectors of each sum
	FADD(12, 8, 8)
	FADD(13, 9, 9)
	FADD(14, 10, 10)
	FADD(15, 11, 11)
	FADD(20, 16, 16)
	FADD(21, 17, 17)
	FADD(22, 18, 18)
	FADD(23, 19, 19)
	FADD(28, 24, 24)
	FADD(29, 25, 25)
	FADD(30, 26, 26)
	FADD(31, 27, 27)
	CBNZ R6, both
	MOVD $1, R6
	MOVD $half-192(SP), R8
	FSTPQ (F8, F9), (R8)
	FSTPQ (F10, F11), 32(R8)
	FSTPQ (F16, F17), 64(R8)
	FSTPQ (F18, F19), 96(R8)
	FSTPQ (F24, F25), 128(R8)
	FSTPQ (F26, F27), 160(R8)
	B    pass

both: // g0+g1+(g2+g3), then halves down to 16 bytes
	MOVD $half-192(SP), R8
	FLDPQ (R8), (F0, F1)
	FLDPQ 32(R8), (F2, F3)
	FADD(0, 8, 8)
	FADD(1, 9, 9)
	FADD(2, 10, 10)
	FADD(3, 11, 11)
	FLDPQ 64(R8), (F0, F1)
	FLDPQ 96(R8), (F2, F3)
	FADD(0, 16, 16)
	FADD(1, 17, 17)
	FADD(2, 18, 18)
	FADD(3, 19, 19)
	FLDPQ 128(R8), (F0, F1)
	FLDPQ 160(R8), (F2, F3)
	FADD(0, 24, 24)
	FADD(1, 25, 25)
	FADD(2, 26, 26)
	FADD(3, 27, 27)
	FADD(10, 8, 8)
	FADD(11, 9, 9)
	FADD(18, 16, 16)
	FADD(19, 17, 17)
	FADD(26, 24, 24)
	FADD(27, 25, 25)
	FADD(9, 8, 8)
	FADD(17, 16, 16)
	FADD(25, 24, 24)
	HALVE(8, V8, 0)
	HALVE(16, V16, 1)
	HALVE(24, V24, 2)

#undef PAIR
#undef LEFT
#undef REST
