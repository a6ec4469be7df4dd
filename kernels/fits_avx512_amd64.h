// The checks of gemv and of its transpose, which go on at checked when PREEMPTED does, and unless
// AVX-512 runs, the operands fit and make one call, dst overlaps none of the others, and the last
// vector of the last row, loaded under a mask, does not reach beyond its page. Everything else,
// also what is wrong, is for Go. dst has DSTLEN elements of VSIZE bytes and x has XLEN, one of
// them BX (rows) and the other DX (cols); a has elements of MSIZE bytes, VECTOR of them to a
// vector.
//
// SI, DI, R8: a, dst, x; R9: stride; R10: elements of a row before its last vector; R11: len(a).

	CMPB github·com∕simdrank∕simdrank∕internal∕cpu·UseAVX512(SB), $0
	JEQ checked
	PREEMPTED(checked)
	MOVQ rows+48(FP), BX
	MOVQ cols+56(FP), DX
	MOVQ stride+64(FP), R9
	MOVQ a_len+32(FP), R11
	CMPQ DSTLEN, dst_len+8(FP)
	JNE checked
	CMPQ XLEN, x_len+80(FP)
	JNE checked
	CMPQ DX, R9
	JGT checked
	LEAQ -1(DX), R10
	CMPQ R10, $const_blockLen // unsigned, as what follows: 0 < cols <= blockLen
	JCC checked
	MOVQ BX, AX
	IMULQ DX, AX
	DECQ AX
	CMPQ AX, $(16*const_blockLen/MSIZE) // 0 < rows·cols, 1 MiB at most: one call
	JCC checked
	LEAQ -1(BX), CX
	IMULQ R9, CX // where the last row begins
	JOS checked
	LEAQ (CX)(DX*1), AX
	CMPQ AX, R11 // where it ends
	JHI checked
	MOVQ dst_base+0(FP), DI
	MOVQ a_base+24(FP), SI
	MOVQ x_base+72(FP), R8
	ANDQ $-VECTOR, R10
	ADDQ R10, CX
	LEAQ (SI)(CX*MSIZE), CX
	ANDL $4095, CX
	CMPL CX, $(4096-VECTOR*MSIZE)
	JHI checked
	LEAQ (DI)(DSTLEN*VSIZE), AX // the ends of dst, x and a
	LEAQ (R8)(XLEN*VSIZE), R12
	LEAQ (SI)(R11*MSIZE), R13
	CMPQ AX, R8
	JLS 3(PC)
	CMPQ R12, DI
	JHI checked
	CMPQ AX, SI
	JLS 3(PC)
	CMPQ R13, DI
	JHI checked
