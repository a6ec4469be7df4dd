// The body of the transposes in kernels_gemv_amd64.s.

	MOVQ dst_base+0(FP), DI
	MOVQ a_base+24(FP), R12
	MOVQ stride+64(FP), R9
	SHLQ $ROWLOG, R9
	MOVQ cols+56(FP), R11
	ADDQ $(LANES-1), R11
	SHRQ $(VECTORLOG-ROWLOG), R11
	MOVQ R11, R13
	CMPQ R11, $12
	JLE strip
	CMPQ a_len+32(FP), $(const_gemvMemory>>ROWLOG)
	JGT rows
	// strips = ⌈vectors/12⌉, vectors of a strip = ⌈vectors/strips⌉
	LEAQ 11(R11), AX
	XORL DX, DX
	MOVL $12, CX
	DIVQ CX
	MOVQ AX, CX
	LEAQ -1(R11)(CX*1), AX
	XORL DX, DX
	DIVQ CX
	MOVQ AX, R13

strip:
	VPCMPEQD Y12, Y12, Y12
	VMOVAPD Y12, Y15
	MOVQ R13, DX
	CMPQ R11, R13
	JGT begin
	MOVQ R11, DX
	MOVQ cols+56(FP), CX
	NEGQ CX
	ANDQ $(LANES-1), CX
	JEQ begin
	LEAQ github·com∕simdrank∕simdrank∕internal∕kern·Masks(SB), AX // the last vector lacks CX elements
	MASKS

begin:
	LEAQ -1(DX), R10
	SHLQ $VECTORLOG, R10
	MOVQ R12, SI
	MOVQ c_base+72(FP), R8
	MOVQ rows+48(FP), BX
	FIRST11(LOAD)

loaded:
	MASKMOV (DI)(R10*WIDEN), Y15, Y11

row: // dst += c[i]·row
	BROADCAST (R8), Y13
	FIRST11(ADD)

last:
	ADDLAST
	ADDQ $SIZE, R8
	ADDQ R9, SI
	DECQ BX
	JNE row
	FIRST11(STORE)

stored:
	MASKMOV Y11, Y15, (DI)(R10*WIDEN)
	LEAQ 32(DI)(R10*WIDEN), DI
	LEAQ (1<<VECTORLOG)(R12)(R10*1), R12
	SUBQ DX, R11
	JNE strip
	VZEROUPPER
	RET

rows:
	MOVQ cols+56(FP), CX
	NEGQ CX
	ANDQ $(LANES-1), CX
	LEAQ github·com∕simdrank∕simdrank∕internal∕kern·Masks(SB), AX // the last vector lacks CX elements
	MASKS
	LEAQ -1(R11), R10
	SHLQ $VECTORLOG, R10
	LEAQ -(2<<VECTORLOG)(R10), R13
	MOVQ R12, SI
	MOVQ c_base+72(FP), R8
	MOVQ rows+48(FP), BX
	SPLITS(next)
	ADDQ $const_gemvAheadMemory, R12

next: // dst += c[i]·row
	BROADCAST (R8), Y13
	XORL CX, CX

two:
	PREFETCHT0 (R12)(CX*1)
	TAKE(0, Y0)
	TAKE((1<<VECTORLOG), Y1)
	FMA213 (DI)(CX*WIDEN), Y13, Y0
	FMA213 32(DI)(CX*WIDEN), Y13, Y1
	MOV Y0, (DI)(CX*WIDEN)
	MOV Y1, 32(DI)(CX*WIDEN)
	ADDQ $(2<<VECTORLOG), CX
	CMPQ CX, R13
	JLE two
	CMPQ CX, R10
	JEQ end
	TAKE(0, Y0)
	FMA213 (DI)(CX*WIDEN), Y13, Y0
	MOV Y0, (DI)(CX*WIDEN)

end:
	MASKMOV (DI)(R10*WIDEN), Y15, Y11
	ADDLAST
	MASKMOV Y11, Y15, (DI)(R10*WIDEN)
	ADDQ $SIZE, R8
	ADDQ R9, SI
	ADDQ R9, R12
	DECQ BX
	JNE next
	VZEROUPPER
	RET
