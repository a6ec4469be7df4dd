// The end of Gemv: the result of a row, in F0, to dst; the next row; rows of no columns.

	FMOV F0, (dst) // dst[i] = row·x
	ADD  $(16/WIDTH), dst
	ADD  rowBytes, row
	SUBS $1, rowsLeft
	BNE  nextRow

done:
	RET

zeros:
	MOV  ZR, (dst) // dst[i] = 0
	ADD  $(16/WIDTH), dst
	SUBS $1, rowsLeft
	BNE  zeros
	RET

#undef dst
#undef row
#undef rowsLeft
#undef rowBytes
#undef vector
#undef columns
