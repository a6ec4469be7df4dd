// The body of gemvF32WideSplitAVX512 and gemvF32WideApartSplitAVX512 in
// kernels_gemv_split_avx512_amd64.s, which says what the registers are. BX: rows left without the
// first six; a_cap: from six rows to the next ones, in bytes; dst_len: the same in dst.

	MOVQ cols+56(FP), R13
	MOVQ x_base+72(FP), R12
	LEAQ -32(R12)(R13*8), R12
	MASKS
	MOVQ R13, AX
	ANDQ $-32, AX
	LEAQ (DX)(AX*4), AX
	ANDL $31, R13
	SHRL $2, R13
	NEGL CX // sets the carry if it lacks some
	ADCL R13, R13
	PLACE
	BEGIN4(0, SET0, 0)
	BEGIN4(0, SET1, 1)
	BEGIN4(0, SET2, 2)
	BEGIN4(0, SET3, 3)
	ADDQ $128, SI

six:
	LANES(0, loop0, rest0, last00, last01, last02, last03, next0)
	MOVQ DX, SI
	SUM6(Y0, Y1, Y2, Y3, Y4, Y5, Y6, Y7, Y8, Y9, Y10, Y11, Y24, Y25, Y26, Y27, Y28, Y29)
	AHEAD
	BEGIN4(1, SET0, 0)
	BEGIN4(1, SET1, 1)
	VBROADCASTSD one<>(SB), Y31
	FMA6(Y12, Y13, Y14, Y15, Y16, Y17, Y18, Y19, Y20, Y21, Y22, Y23)
	BEGIN4(1, SET2, 2)
	SUM6(Y18, Y19, Y20, Y21, Y22, Y23, Y24, Y25, Y26, Y27, Y28, Y29, Y24, Y25, Y26, Y27, Y28, Y29)
	BEGIN4(1, SET3, 3)
	ADDQ $128, SI
	LANES(1, loop1, rest1, last10, last11, last12, last13, next1)
	SUBQ $6, BX
	JLT few

more:
	ADDQ a_cap+40(FP), DX
	ADDQ a_cap+40(FP), AX
	PLACE
	SUM6(Y0, Y1, Y2, Y3, Y4, Y5, Y6, Y7, Y8, Y9, Y10, Y11, Y0, Y1, Y2, Y3, Y4, Y5)
	AHEAD
	BEGIN4(0, SET1, 1)
	VBROADCASTSD one<>(SB), Y31
	FMA6(Y12, Y13, Y14, Y15, Y16, Y17, Y18, Y19, Y20, Y21, Y22, Y23)
	BEGIN4(0, SET2, 2)
	SUM6(Y0, Y1, Y2, Y3, Y4, Y5, Y18, Y19, Y20, Y21, Y22, Y23, Y0, Y1, Y2, Y3, Y4, Y5)
	BEGIN4(0, SET3, 3)
	SUM6(Y0, Y1, Y2, Y3, Y4, Y5, Y24, Y25, Y26, Y27, Y28, Y29, Y24, Y25, Y26, Y27, Y28, Y29)
	BEGIN4(0, SET0, 0)
	ADDQ $128, SI
	HALVES
	JMP six

few: // the last six rows, some of them again
	ADDQ $6, BX
	JEQ end
	LEAQ (BX*8), SI
	MOVQ SI, dst_len+8(FP)
	MOVQ stride+64(FP), SI
	IMULQ BX, SI
	SHLQ $2, SI
	MOVQ SI, a_cap+40(FP)
	XORL BX, BX
	JMP more

end:
	SUM6(Y0, Y1, Y2, Y3, Y4, Y5, Y6, Y7, Y8, Y9, Y10, Y11, Y0, Y1, Y2, Y3, Y4, Y5)
	SUM6(Y12, Y13, Y14, Y15, Y16, Y17, Y18, Y19, Y20, Y21, Y22, Y23, Y18, Y19, Y20, Y21, Y22, Y23)
	SUM6(Y0, Y1, Y2, Y3, Y4, Y5, Y18, Y19, Y20, Y21, Y22, Y23, Y0, Y1, Y2, Y3, Y4, Y5)
	SUM6(Y0, Y1, Y2, Y3, Y4, Y5, Y24, Y25, Y26, Y27, Y28, Y29, Y24, Y25, Y26, Y27, Y28, Y29)
	HALVES
