// The steps of Axpy and AxpyDiff on NEON: R5 of them, each of four times VECTOR(off), 32 bytes at
// off. NEXT goes 128 bytes on.

	CBZ R5, left
	PCALIGN $16

loop128:
	VECTOR(0)
	VECTOR(32)
	VECTOR(64)
	VECTOR(96)
	NEXT
	SUBS $1, R5
	BNE  loop128

left:
