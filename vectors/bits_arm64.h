// The body of the kernels that count bits. COUNT(V, W) converts two vectors of words to bit counts
// per byte, in V and, for jaccardBits, also in W. PLUS(V, W, A, B) adds the counts in A and B to V
// and W. FOLD(n, m) adds the counts in registers n and m to the sums V8 and V9.
//
// Registers: V0-V3: x, then counts; V4-V7: y, then counts; V8, V9: sums; V20: scratch.

	LDP  x+0(FP), (nextX, nextY)
	MOVD n+16(FP), left
	VEOR V8.B16, V8.B16, V8.B16
	VEOR V9.B16, V9.B16, V9.B16
	SUBS $8, left // if left < 8: goto below8
	BLT  below8
	PCALIGN $16

loop:
	FLDPQ (nextX), (F0, F1) // count the bits of 8 words
	FLDPQ (nextY), (F4, F5)
	FLDPQ 32(nextX), (F2, F3)
	FLDPQ 32(nextY), (F6, F7)
	COUNT(V0, V4)
	COUNT(V1, V5)
	COUNT(V2, V6)
	COUNT(V3, V7)
	PLUS(V0, V4, V1, V5) // sums += counts, which are at most 4·8 per byte
	PLUS(V2, V6, V3, V7)
	PLUS(V0, V4, V2, V6)
	FOLD(0, 4)
	ADD  $64, nextX
	ADD  $64, nextY
	SUBS $8, left // while 8 words remain
	BGE  loop

below8:
	ADDS $(8-2), left
	BLT  tail

vector:
	FMOVQ (nextX), F0 // sums += counts of 2 words
	FMOVQ (nextY), F4
	COUNT(V0, V4)
	FOLD(0, 4)
	ADD  $16, nextX
	ADD  $16, nextY
	SUBS $2, left
	BGE  vector

tail:
	TBZ  $0, left, sum
	FMOVD (nextX), F0 // sums += counts of one word; the upper half of the registers is 0
	FMOVD (nextY), F4
	COUNT(V0, V4)
	FOLD(0, 4)

sum:

#undef COUNT
#undef PLUS
#undef FOLD
