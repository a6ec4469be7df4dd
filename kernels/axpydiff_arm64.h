// The body of AxpyDiff: y[i] = alpha·(a[i]−b[i]) + y[i], as axpy_arm64.h. nextX points to a.
//
// Registers: V0, V1: a, then a−b; V2, V3: b; V4, V5: y; V15: alpha in each lane.

#define nextB      R3 // next elements of b
#define iterations R5 // iterations of 128 bytes

// y += alpha·(a−b) for 32 bytes at off.
#define DIFF32(off) \
	FLDPQ off(nextX), (F0, F1)        \
	FLDPQ off(nextB), (F2, F3)        \
	FLDPQ off(nextY), (F4, F5)        \
	FSUB(2, 0, 0)                     \
	FSUB(3, 1, 1)                     \
	VFMLA V15.TYPE, V0.TYPE, V4.TYPE  \
	VFMLA V15.TYPE, V1.TYPE, V5.TYPE  \
	FSTPQ (F4, F5), off(nextY)

// The same for as many bytes as LDST loads and stores.
#define DIFF(LDST) \
	LDST  (nextX), F0                 \
	LDST  (nextB), F2                 \
	LDST  (nextY), F4                 \
	FSUB(2, 0, 0)                     \
	VFMLA V15.TYPE, V0.TYPE, V4.TYPE  \
	LDST  F4, (nextY)

#define ADVANCE(bytes) ADD $bytes, nextX; ADD $bytes, nextY; ADD $bytes, nextB

	LSR $(7-LOGX), left, iterations
	CBZ iterations, below128
	PCALIGN $16

loop:
	DIFF32(0) // 128 bytes
	DIFF32(32)
	DIFF32(64)
	DIFF32(96)
	ADVANCE(128)
	SUBS $1, iterations
	BNE  loop

below128:
	TBZ $(6-LOGX), left, below64
	DIFF32(0) // 64 bytes
	DIFF32(32)
	ADVANCE(64)

below64:
	TBZ $(5-LOGX), left, below32
	DIFF32(0) // 32 bytes
	ADVANCE(32)

below32:
	TBZ $(4-LOGX), left, below16
	DIFF(FMOVQ) // 16 bytes
	ADVANCE(16)

below16:
	TBZ $(3-LOGX), left, below8
	DIFF(FMOVD) // 8 bytes

#undef nextB
#undef iterations
#undef DIFF32
#undef DIFF
#undef ADVANCE
