// The first part of a dot product or a squared distance of left > 0 elements, which processes whole
// iterations of 256 bytes of x and y. A tail header such as tail_f64_arm64.h then loads the tail of
// less than 32 bytes. sum_arm64.h adds the remaining blocks of 32 bytes before the tail, the tail,
// and the lanes.
//
// Registers: V0-V3: x; V4-V7: y; V15: −0; V16-V31: lanes.

#define tailX      R3 // address of the tail of x
#define tailY      R4 // address of the tail of y
#define iterations R5 // remaining iterations

// Adds the terms of 64 bytes of x and y, at offset off, to four registers of lanes.
#define MULADD(off, a, b, c, d) \
	FLDPQ off(nextX), (F0, F1)      \
	FLDPQ off(nextY), (F4, F5)      \
	FLDPQ (off+32)(nextX), (F2, F3) \
	FLDPQ (off+32)(nextY), (F6, F7) \
	TERMS(0, V0, 4, V4, a, a, a)    \
	TERMS(1, V1, 5, V5, b, b, b)    \
	TERMS(2, V2, 6, V6, c, c, c)    \
	TERMS(3, V3, 7, V7, d, d, d)

// Adds the terms of the 32 bytes with number i after the iterations to two registers of lanes. If
// fewer bytes remain: goto tail.
#define WHOLE(i, a, b, tail) \
	CMP   $((i+1)<<(5-LOGX)), left \
	BLT   tail                     \
	FLDPQ (32*i)(nextX), (F4, F5)  \
	FLDPQ (32*i)(nextY), (F6, F7)  \
	TERMS(4, V4, 6, V6, a, a, a)   \
	TERMS(5, V5, 7, V7, b, b, b)

	LANES // lanes = −0; iterations = number of whole blocks of 256 bytes; left = remaining elements
	LSR  $(8-LOGX), left, iterations
	AND  $((256>>LOGX)-1), left
	CBZ  iterations, below256
	PCALIGN $16

loop:
	MULADD(0, V16, V17, V18, V19) // lane[i mod lanes] += x[i]·y[i], or (x[i]−y[i])²
	MULADD(64, V20, V21, V22, V23)
	MULADD(128, V24, V25, V26, V27)
	MULADD(192, V28, V29, V30, V31)
	ADD  $256, nextX
	ADD  $256, nextY
	SUBS $1, iterations
	BNE  loop

below256:
	CBZ  left, reduce // if left = 0: goto reduce
	PAD_TAIL
	AND  $((256>>LOGX)-(32>>LOGX)), left, R3 // R3 = number of elements before the tail
	ADD  R3<<LOGX, nextY, tailY
	ADD  R3<<LOGX, nextX, tailX

#undef iterations
#undef MULADD
