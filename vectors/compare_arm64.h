// The body of the kernels in kernels_vector_arm64.s that sum terms of two vectors in lanes. It
// returns a dot product or a squared distance in F0, or the sums x·y, x·x and y·y of a cosine in
// F0, F1 and F2.
//
// The lanes of three sums do not fit in the registers. Therefore, the body makes two passes over
// the operands, in iterations of 16 vectors of WIDTH elements. The first pass processes the first
// eight vectors of each iteration, and the second pass processes the other eight. The tail of a
// pass consists of whole vectors, followed by at most one partial vector.
//
// A type header defines the macros. f64_lanes_arm64.h explains TYPE, WIDTH, MINUS0 and HALVE. LOGX
// and LOGY are logarithms of the bytes of an element. LOADX(p, i, a, A, b, B) loads vectors i and
// i+1 of x at p into the registers a and b, whose names are A and B, and converts them to the type
// of the lanes. LOADX1 loads only vector i. LOADY and LOADY1 load y. LOADTAIL loads R3 elements
// that follow R4 others. LOADTAIL loads these elements over the padding in V6 (x: +0) and V7 (y:
// −0, set by PAD). The function defines TERMS.
//
// Registers: R3-R5: scratch; V0-V5: elements; V6, V7: the last vector, padded; V8-V15, V16-V23,
// V24-V31: lanes of the three sums.

#define second R6 // 0 in the first pass, 1 in the second
#define minus0 R7 // bits of −0
#define sums   R8 // address of the sums of the first pass in the frame

// Adds the terms of vectors i and i+1 to the lanes a, b, c and d, e, f.
#define PAIR(i, a, b, c, d, e, f) \
	LOADX(nextX, i, 0, F0, 1, F1) \
	LOADY(nextY, i, 2, F2, 3, F3) \
	TERMS(0, V0, 2, V2, a, b, c)  \
	TERMS(1, V1, 3, V3, d, e, f)

// Adds the terms of vector i to the lanes a, b and c. If the vector is not whole: goto tail.
#define WHOLE(i, a, b, c, tail) \
	SUBS $WIDTH, left            \
	BLT  tail                    \
	LOADX1(nextX, i, 4, F4)      \
	LOADY1(nextY, i, 5, F5)      \
	TERMS(4, V4, 5, V5, a, b, c)

#define TAIL(a, b, c) TERMS(6, V6, 7, V7, a, b, c); B sum

	MOVD ZR, second

pass:
	LDP  x+0(FP), (nextX, nextY)
	MOVD n+16(FP), left
	CBZ  second, start
	ADD  $(8*WIDTH<<LOGX), nextX // start the second pass with vector 8
	ADD  $(8*WIDTH<<LOGY), nextY
	SUB  $(8*WIDTH), left

start:
	MOVD $MINUS0, minus0 // lanes of the first sum = −0
	VDUP minus0, V8.TYPE
	VMOV V8.B16, V9.B16; VMOV V8.B16, V10.B16; VMOV V8.B16, V11.B16
	VMOV V8.B16, V12.B16; VMOV V8.B16, V13.B16; VMOV V8.B16, V14.B16; VMOV V8.B16, V15.B16
	VMOV V8.B16, V16.B16; VMOV V8.B16, V17.B16; VMOV V8.B16, V18.B16; VMOV V8.B16, V19.B16 // second sum = −0
	VMOV V8.B16, V20.B16; VMOV V8.B16, V21.B16; VMOV V8.B16, V22.B16; VMOV V8.B16, V23.B16
	VMOV V8.B16, V24.B16; VMOV V8.B16, V25.B16; VMOV V8.B16, V26.B16; VMOV V8.B16, V27.B16 // third sum = −0
	VMOV V8.B16, V28.B16; VMOV V8.B16, V29.B16; VMOV V8.B16, V30.B16; VMOV V8.B16, V31.B16
	SUBS $(8*WIDTH), left
	BLT  tail
	PCALIGN $16

loop:
	PAIR(0, V8, V16, V24, V9, V17, V25) // lanes of vector i += terms of vector i
	PAIR(2, V10, V18, V26, V11, V19, V27)
	PAIR(4, V12, V20, V28, V13, V21, V29)
	PAIR(6, V14, V22, V30, V15, V23, V31)
	ADD  $(16*WIDTH<<LOGX), nextX
	ADD  $(16*WIDTH<<LOGY), nextY
	SUBS $(16*WIDTH), left
	BGE  loop

tail:
	ADDS $(8*WIDTH), left
	BLE  sum // if no elements of this pass remain: goto sum
	VEOR V6.B16, V6.B16, V6.B16
	PAD
	AND  $(WIDTH-1), left, R3
	CBZ  R3, whole
	AND  $~(WIDTH-1), left, R4 // load the last elements before nextX and nextY advance
	LOADTAIL

whole:
	WHOLE(0, V8, V16, V24, tail0) // add whole vectors, as in the loop
	WHOLE(1, V9, V17, V25, tail1)
	WHOLE(2, V10, V18, V26, tail2)
	WHOLE(3, V11, V19, V27, tail3)
	WHOLE(4, V12, V20, V28, tail4)
	WHOLE(5, V13, V21, V29, tail5)
	WHOLE(6, V14, V22, V30, tail6)
	TAIL(V15, V23, V31) // add the padded vector; its padding adds −0
tail0:
	TAIL(V8, V16, V24)
tail1:
	TAIL(V9, V17, V25)
tail2:
	TAIL(V10, V18, V26)
tail3:
	TAIL(V11, V19, V27)
tail4:
	TAIL(V12, V20, V28)
tail5:
	TAIL(V13, V21, V29)
tail6:
	TAIL(V14, V22, V30)

sum:
	FADD(12, 8, 8); FADD(13, 9, 9); FADD(14, 10, 10); FADD(15, 11, 11) // g₀+g₁, or g₂+g₃ in the second pass
	FADD(20, 16, 16); FADD(21, 17, 17); FADD(22, 18, 18); FADD(23, 19, 19)
	FADD(28, 24, 24); FADD(29, 25, 25); FADD(30, 26, 26); FADD(31, 27, 27)
	CBNZ second, both
	MOVD $1, second // save the sums of the first pass
	MOVD $half-192(SP), sums
	FSTPQ (F8, F9), (sums)
	FSTPQ (F10, F11), 32(sums)
	FSTPQ (F16, F17), 64(sums)
	FSTPQ (F18, F19), 96(sums)
	FSTPQ (F24, F25), 128(sums)
	FSTPQ (F26, F27), 160(sums)
	B    pass

both:
	MOVD $half-192(SP), sums // first sum: (g₀+g₁)+(g₂+g₃)
	FLDPQ (sums), (F0, F1)
	FLDPQ 32(sums), (F2, F3)
	FADD(0, 8, 8); FADD(1, 9, 9); FADD(2, 10, 10); FADD(3, 11, 11)
	FLDPQ 64(sums), (F0, F1) // second sum
	FLDPQ 96(sums), (F2, F3)
	FADD(0, 16, 16); FADD(1, 17, 17); FADD(2, 18, 18); FADD(3, 19, 19)
	FLDPQ 128(sums), (F0, F1) // third sum
	FLDPQ 160(sums), (F2, F3)
	FADD(0, 24, 24); FADD(1, 25, 25); FADD(2, 26, 26); FADD(3, 27, 27)
	FADD(10, 8, 8); FADD(11, 9, 9) // add halves until one element remains
	FADD(18, 16, 16); FADD(19, 17, 17)
	FADD(26, 24, 24); FADD(27, 25, 25)
	FADD(9, 8, 8); FADD(17, 16, 16); FADD(25, 24, 24)
	HALVE(8, V8, 0, 3, V3)
	HALVE(16, V16, 1, 3, V3)
	HALVE(24, V24, 2, 3, V3)

#undef second
#undef minus0
#undef sums
#undef TERMS
#undef PAIR
#undef WHOLE
#undef TAIL
