// The body of the kernels of kernels_vector_arm64.s that compare vectors of bytes; that file says
// what the macros of each kernel are. Sums are exact, in any order.
//
// R0, R1: x, y; R2: bytes left; V0-V7: elements; V8-V19: sums; V20-V23: scratch.

// 64 bytes of each, from an offset on.
#define STEP(off) \
	FLDPQ off(R0), (F0, F1)      \
	FLDPQ off(R1), (F4, F5)      \
	FLDPQ (off+32)(R0), (F2, F3) \
	FLDPQ (off+32)(R1), (F6, F7) \
	TERMS0(0, 4)                 \
	TERMS1(1, 5)                 \
	TERMS2(2, 6)                 \
	TERMS3(3, 7)

	LDP  x+0(FP), (R0, R1)
	MOVD n+16(FP), R2
	START
	CMP  $16, R2
	BLT  few
	SUBS $128, R2
	BLT  once
	PCALIGN $16

loop:
	STEP(0)
	STEP(64)
	ADD  $128, R0
	ADD  $128, R1
	SUBS $128, R2
	BGE  loop

once:
	ADDS $(128-64), R2
	BLT  tail
	STEP(0)
	ADD  $64, R0
	ADD  $64, R1
	SUB  $64, R2

tail: // fewer than four vectors
	ADDS $(64-16), R2
	BLT  rest

vector:
	FMOVQ (R0), F0
	FMOVQ (R1), F4
	TERMS0(0, 4)
	ADD  $16, R0
	ADD  $16, R1
	SUBS $16, R2
	BGE  vector

rest:
	ADDS $16, R2
	BEQ  sum

	// The vectors that end with the last element, of which the last R2 elements are left.
	MOVD $github·com∕simdrank∕simdrank∕internal∕kern·Masks+16(SB), R3
	ADD  R2, R3
	ADD  R2, R0
	ADD  R2, R1
	SUB  $16, R0
	SUB  $16, R1
	FMOVQ (R3), F2
	FMOVQ (R0), F0
	FMOVQ (R1), F4
	VAND V2.B16, V0.B16, V0.B16
	VAND V2.B16, V4.B16, V4.B16
	TERMS0(0, 4)
	B    sum

few: // less than a vector: copied, after zeros
	CBZ  R2, sum
	MOVD $x-32(SP), R3
	STP  (ZR, ZR), (R3)
	STP  (ZR, ZR), 16(R3)

copy:
	SUB  $1, R2
	MOVBU (R0)(R2), R4
	MOVBU (R1)(R2), R5
	MOVB R4, (R3)(R2)
	ADD  $16, R2, R6
	MOVB R5, (R3)(R6)
	CBNZ R2, copy
	FLDPQ (R3), (F0, F4)
	TERMS0(0, 4)

sum: // of each of up to three to V8, V12 and V16
	VADD V9.S4, V8.S4, V8.S4
	VADD V11.S4, V10.S4, V10.S4
	VADD V13.S4, V12.S4, V12.S4
	VADD V15.S4, V14.S4, V14.S4
	VADD V17.S4, V16.S4, V16.S4
	VADD V19.S4, V18.S4, V18.S4
	VADD V10.S4, V8.S4, V8.S4
	VADD V14.S4, V12.S4, V12.S4
	VADD V18.S4, V16.S4, V16.S4
	RESULT

#undef STEP
