// The body of Axpy: y[i] = alpha·x[i] + y[i]. At the label below8, less than 8 bytes remain. A type
// header defines TYPE and LOGX.
//
// Registers: V0, V1: x; V4, V5: y; V15: alpha in each lane.

#define iterations R5 // remaining iterations of 128 bytes

// y += alpha·x for the 32 bytes at offset off.
#define AXPY32(off) \
	FLDPQ off(nextX), (F0, F1)        \
	FLDPQ off(nextY), (F4, F5)        \
	VFMLA V15.TYPE, V0.TYPE, V4.TYPE  \
	VFMLA V15.TYPE, V1.TYPE, V5.TYPE  \
	FSTPQ (F4, F5), off(nextY)

// y += alpha·x for the bytes that LDST loads and stores.
#define AXPY(LDST) \
	LDST  (nextX), F0                 \
	LDST  (nextY), F4                 \
	VFMLA V15.TYPE, V0.TYPE, V4.TYPE  \
	LDST  F4, (nextY)

	LSR $(7-LOGX), left, iterations
	CBZ iterations, below128
	PCALIGN $16

loop:
	AXPY32(0) // y += alpha·x for 128 bytes
	AXPY32(32)
	AXPY32(64)
	AXPY32(96)
	ADD  $128, nextX
	ADD  $128, nextY
	SUBS $1, iterations
	BNE  loop

below128:
	TBZ $(6-LOGX), left, below64
	AXPY32(0) // y += alpha·x for 64 bytes
	AXPY32(32)
	ADD $64, nextX
	ADD $64, nextY

below64:
	TBZ $(5-LOGX), left, below32
	AXPY32(0) // y += alpha·x for 32 bytes
	ADD $32, nextX
	ADD $32, nextY

below32:
	TBZ $(4-LOGX), left, below16
	AXPY(FMOVQ) // y += alpha·x for 16 bytes
	ADD $16, nextX
	ADD $16, nextY

below16:
	TBZ $(3-LOGX), left, below8
	AXPY(FMOVD) // y += alpha·x for 8 bytes

#undef iterations
#undef AXPY32
#undef AXPY
