// The body of the dot products of NEON and of the rows of gemv: of R2 > 0 elements at R0 and R1,
// into F0. Changes R0 to R5. The sum of the lanes, sum_arm64.h, follows it. TYPE: the arrangement
// of a vector (D2, S4); LOG: the logarithm of an element's bytes; MINUS0: the bits of −0; FLOAT64
// is defined when the elements are float64.

// 64 bytes of each operand, at an offset from R0 (x) and R1 (y), into four lanes.
#define MULADD(off, a, b, c, d) \
	FLDPQ off(R0), (F0, F1)      \
	FLDPQ off(R1), (F4, F5)      \
	FLDPQ (off+32)(R0), (F2, F3) \
	FLDPQ (off+32)(R1), (F6, F7) \
	TERM(4, V4, 0, V0, a)          \
	TERM(5, V5, 1, V1, b)          \
	TERM(6, V6, 2, V2, c)          \
	TERM(7, V7, 3, V3, d)

// The next 32 bytes of each, step i, into two lanes when they are whole, else the rest.
#define LEFT(i, a, b, rest) \
	CMP   $((i+1)<<(5-LOG)), R2    \
	BLT   rest                     \
	FLDPQ (32*i)(R0), (F4, F5)     \
	FLDPQ (32*i)(R1), (F6, F7)     \
	TERM(6, V6, 4, V4, a)          \
	TERM(7, V7, 5, V5, b)

	MOVD $MINUS0, R5
	LANES(TYPE)
	LSR  $(8-LOG), R2, R5 // steps of 256 bytes
	AND  $((256>>LOG)-1), R2
	CBZ  R5, left
	PCALIGN $16

loop:
	MULADD(0, V16, V17, V18, V19)
	MULADD(64, V20, V21, V22, V23)
	MULADD(128, V24, V25, V26, V27)
	MULADD(192, V28, V29, V30, V31)
	ADD  $256, R0
	ADD  $256, R1
	SUBS $1, R5
	BNE  loop

left:
	CBZ  R2, reduce
	FILL // the rest of less than 32 bytes is loaded first, to V0 and V1 (x), V2 and V3 (y)
	AND   $((256>>LOG)-(32>>LOG)), R2, R3
	ADD   R3<<LOG, R1, R4
	ADD   R3<<LOG, R0, R3
#ifdef FLOAT64 // up to three elements
	TBZ   $1, R2, below2
	FMOVQ (R3), F0
	FMOVQ (R4), F2
	TBZ   $0, R2, loaded
	ADD   $16, R4
	FMOVD 16(R3), F1
	VLD1  (R4), V3.D[0]
	B     loaded

below2:
	TBZ   $0, R2, loaded
	FMOVD (R3), F0
	VLD1  (R4), V2.D[0]
#else // up to seven
	TBZ   $2, R2, below4
	FMOVQ (R3), F0
	FMOVQ (R4), F2
	ADD   $16, R3
	ADD   $16, R4
	TBZ   $1, R2, one1
	FMOVD (R3), F1
	VLD1  (R4), V3.D[0]
	TBZ   $0, R2, loaded
	ADD   $8, R3
	ADD   $8, R4
	VLD1  (R3), V1.S[2]
	VLD1  (R4), V3.S[2]
	B     loaded

one1:
	TBZ   $0, R2, loaded
	FMOVS (R3), F1
	VLD1  (R4), V3.S[0]
	B     loaded

below4:
	TBZ   $1, R2, one0
	FMOVD (R3), F0
	VLD1  (R4), V2.D[0]
	TBZ   $0, R2, loaded
	ADD   $8, R3
	ADD   $8, R4
	VLD1  (R3), V0.S[2]
	VLD1  (R4), V2.S[2]
	B     loaded

one0:
	TBZ   $0, R2, loaded
	FMOVS (R3), F0
	VLD1  (R4), V2.S[0]
#endif

loaded:
	LEFT(0, V16, V17, rest0)
	LEFT(1, V18, V19, rest1)
	LEFT(2, V20, V21, rest2)
	LEFT(3, V22, V23, rest3)
	LEFT(4, V24, V25, rest4)
	LEFT(5, V26, V27, rest5)
	LEFT(6, V28, V29, rest6)

#undef MULADD
#undef LEFT
