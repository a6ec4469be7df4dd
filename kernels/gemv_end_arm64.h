// The end of Gemv. It stores the result of a row, which is in F0, and continues with the next row.
// If there are no columns, it stores zeros.

	FMOV F0, (dst) // dst[i] = row·x
	ADD  $(16/WIDTH), dst
	ADD  rowBytes, row
	SUBS $1, rowsLeft
	BNE  nextRow

done:
	RET

zeros:
	MOV  ZR, (dst) // if there are no columns: dst[i] = 0
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
