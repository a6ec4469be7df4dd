// The body of what does KEY with each of R3 keys at R2, for lo in R4, shift in R5 and the number of
// cells in R6, where the last cell stands from now on. Four keys a step, then one.

	SUB  $1, R6
	SUBS $4, R3
	BLT  left
	PCALIGN $16

loop4:
	LDP  (R2), (R7, R8)
	LDP  16(R2), (R9, R10)
	ADD  $32, R2
	KEY(R7)
	KEY(R8)
	KEY(R9)
	KEY(R10)
	SUBS $4, R3
	BGE  loop4

left:
	ADDS $4, R3
	BEQ  done

loop1:
	MOVD.P 8(R2), R7
	KEY(R7)
	SUBS $1, R3
	BNE  loop1

done:
	RET
