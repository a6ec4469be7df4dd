// The body of the kernels of kernels_vector_arm64.s that count bits. COUNT(V, W) turns two vectors
// of words into counts of their bytes, one in V and, where there are two, the other in W;
// PLUS(V, W, A, B) adds those in A and B to them; FOLD(n, m) adds those in registers n and m to V8
// and V9.
//
// R0, R1: x, y; R2: words left; V0-V7: words and counts; V20: scratch.

	LDP  x+0(FP), (R0, R1)
	MOVD n+16(FP), R2
	VEOR V8.B16, V8.B16, V8.B16
	VEOR V9.B16, V9.B16, V9.B16
	SUBS $8, R2
	BLT  tail
	PCALIGN $16

loop:
	FLDPQ (R0), (F0, F1)
	FLDPQ (R1), (F4, F5)
	FLDPQ 32(R0), (F2, F3)
	FLDPQ 32(R1), (F6, F7)
	COUNT(V0, V4)
	COUNT(V1, V5)
	COUNT(V2, V6)
	COUNT(V3, V7)
	PLUS(V0, V4, V1, V5)
	PLUS(V2, V6, V3, V7)
	PLUS(V0, V4, V2, V6) // 32 at most
	FOLD(0, 4)
	ADD  $64, R0
	ADD  $64, R1
	SUBS $8, R2
	BGE  loop

tail: // fewer than four vectors
	ADDS $(8-2), R2
	BLT  rest

vector:
	FMOVQ (R0), F0
	FMOVQ (R1), F4
	COUNT(V0, V4)
	FOLD(0, 4)
	ADD  $16, R0
	ADD  $16, R1
	SUBS $2, R2
	BGE  vector

rest: // a word, with zeros above it
	TBZ  $0, R2, sum
	FMOVD (R0), F0
	FMOVD (R1), F4
	COUNT(V0, V4)
	FOLD(0, 4)

sum:
	RESULT
