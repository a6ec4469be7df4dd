// The loops of bytes_arm64.h and bytes_cosine_arm64.h over the bytes of x and y, and the addition
// of their registers of sums. The sums are exact, so their order does not matter.
//
// A type header defines START, which sets the sums to 0. FOUR adds the terms of 64 bytes in V0-V3
// (x) and V4-V7 (y). ONE adds the terms of 16 bytes in V0 and V4.

#define maskAt R3 // address of the mask of the last vector
#define copyAt R3 // address of copies of x and y, if they are shorter than a vector

// Adds the terms of 64 bytes of x and y at offset off.
#define ADD64(off) \
	FLDPQ off(nextX), (F0, F1)      \
	FLDPQ off(nextY), (F4, F5)      \
	FLDPQ (off+32)(nextX), (F2, F3) \
	FLDPQ (off+32)(nextY), (F6, F7) \
	FOUR

	LDP  x+0(FP), (nextX, nextY)
	MOVD n+16(FP), left
	START
	CMP  $16, left
	BLT  below16
	SUBS $128, left
	BLT  below128
	PCALIGN $16

loop:
	ADD64(0) // sums += terms of 128 bytes
	ADD64(64)
	ADD  $128, nextX
	ADD  $128, nextY
	SUBS $128, left
	BGE  loop

below128:
	ADDS $(128-64), left
	BLT  below64
	ADD64(0) // sums += terms of 64 bytes
	ADD  $64, nextX
	ADD  $64, nextY
	SUB  $64, left

below64:
	ADDS $(64-16), left
	BLT  tail

vector:
	FMOVQ (nextX), F0 // sums += terms of 16 bytes
	FMOVQ (nextY), F4
	ONE
	ADD  $16, nextX
	ADD  $16, nextY
	SUBS $16, left
	BGE  vector

tail:
	ADDS $16, left // if no bytes remain: goto sum
	BEQ  sum
	MOVD $github·com∕simdrank∕simdrank∕internal∕kern·Masks+16(SB), maskAt
	ADD  left, maskAt // load the vectors that end with the last byte, under the mask
	ADD  left, nextX
	ADD  left, nextY
	SUB  $16, nextX
	SUB  $16, nextY
	FMOVQ (maskAt), F2
	FMOVQ (nextX), F0
	FMOVQ (nextY), F4
	VAND V2.B16, V0.B16, V0.B16 // masked bytes add 0
	VAND V2.B16, V4.B16, V4.B16
	ONE
	B    sum

below16:
	CBZ  left, sum
	MOVD $copies-32(SP), copyAt // copy x and y, which are shorter than a vector, and pad them with zeros
	STP  (ZR, ZR), (copyAt)
	STP  (ZR, ZR), 16(copyAt)

copy:
	SUB  $1, left // copies[left] = x[left]; copies[16+left] = y[left]
	MOVBU (nextX)(left), R4
	MOVBU (nextY)(left), R5
	MOVB R4, (copyAt)(left)
	ADD  $16, left, R6
	MOVB R5, (copyAt)(R6)
	CBNZ left, copy
	FLDPQ (copyAt), (F0, F4)
	ONE

sum:
	VADD V9.S4, V8.S4, V8.S4; VADD V11.S4, V10.S4, V10.S4 // add the registers of each sum
	VADD V13.S4, V12.S4, V12.S4; VADD V15.S4, V14.S4, V14.S4
	VADD V17.S4, V16.S4, V16.S4; VADD V19.S4, V18.S4, V18.S4
	VADD V10.S4, V8.S4, V8.S4; VADD V14.S4, V12.S4, V12.S4; VADD V18.S4, V16.S4, V16.S4

#undef maskAt
#undef copyAt
#undef ADD64
