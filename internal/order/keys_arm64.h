// This is the body of tallyI64NEON and moveI64NEON. It applies KEY to 4 keys at a time, then to one
// key at a time.
//
// Registers: R0: cells, or where the next key of each cell goes; R1: dst; R2: next key; R3: keys
// left; R4: lo; R5: shift; R6: number of cells, then the last one; R7-R10: keys; R12: cell of a
// key; R13: its content.

	SUB  $1, R6 // the last cell
	SUBS $4, R3
	BLT  tail
	PCALIGN $16

loop4:
	LDP  (R2), (R7, R8) // 4 keys
	LDP  16(R2), (R9, R10)
	ADD  $32, R2
	KEY(R7)
	KEY(R8)
	KEY(R9)
	KEY(R10)
	SUBS $4, R3
	BGE  loop4

tail:
	ADDS $4, R3 // the last 0 to 3
	BEQ  done

loop1:
	MOVD.P 8(R2), R7
	KEY(R7)
	SUBS $1, R3
	BNE  loop1

done:
	RET
