// The body of the rows in kernels_many_avx512_amd64.s, which says what the macros of each metric
// are.
//
// DI: the row; SI: the query; R8, R9: where both start; R10: the stride in bytes; AX: dst; DX: rows
// left; BX: whole steps of 64 columns, CX: those left. K1-K4: the lanes of the groups that the rest
// has. Z0-Z3: the lanes of a row, Z4-Z7: those of its norm; Z8-Z11: vectors; Z31: −0.

	MOVQ dst_base+0(FP), AX
	MOVQ q_base+24(FP), R8
	MOVQ a_base+48(FP), R9
	MOVQ rows+72(FP), DX
	MOVQ cols+80(FP), CX
	MOVQ stride+88(FP), R10
	SHLQ $2, R10
	MOVQ CX, BX
	SHRQ $6, BX
	MOVQ $1, DI
	SHLQ CX, DI // by the last six bits of CX: the rest
	DECQ DI
	KMOVW DI, K1
	SHRQ $16, DI
	KMOVW DI, K2
	SHRQ $16, DI
	KMOVW DI, K3
	SHRQ $16, DI
	KMOVW DI, K4
	VPTERNLOGD $0xff, Z31, Z31, Z31
	VPSLLD $31, Z31, Z31

row:
	CLEAR
	MOVQ R8, SI
	MOVQ R9, DI
	MOVQ BX, CX
	TESTQ CX, CX
	JEQ rest
	PCALIGN $32

step:
	TERM(0, Z8, Z0, Z4)
	TERM(64, Z9, Z1, Z5)
	TERM(128, Z10, Z2, Z6)
	TERM(192, Z11, Z3, Z7)
	ADDQ $256, SI
	ADDQ $256, DI
	DECQ CX
	JNE step

rest:
	KTESTW K1, K1
	JEQ done
	RESTTERM(0, K1, Z0, Z4)
	KTESTW K2, K2
	JEQ done
	RESTTERM(64, K2, Z1, Z5)
	KTESTW K3, K3
	JEQ done
	RESTTERM(128, K3, Z2, Z6)
	KTESTW K4, K4
	JEQ done
	RESTTERM(192, K4, Z3, Z7)

done:
	DONE
	VMOVSS X0, (AX)
	ADDQ $4, AX
	ADDQ R10, R9
	DECQ DX
	JNE row
	VZEROUPPER
	RET
