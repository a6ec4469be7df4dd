// The body of the transposes in kernels_gemv_amd64.s.

	MOVQ dst_base+0(FP), DI
	MOVQ a_base+24(FP), R12
	MOVQ stride+64(FP), R9
	SHLQ $ROWLOG, R9
	MOVQ cols+56(FP), R11
	ADDQ $(LANES-1), R11
	SHRQ $(VECTORLOG-ROWLOG), R11
	MOVQ c_base+72(FP), R8
	MOVQ rows+48(FP), BX
	CMPQ R11, $12
	JLE strips
	MOVQ R9, R13
	IMULQ BX, R13
	CMPQ R13, $const_gemvL1
	JLE strips
	MOVQ cols+56(FP), CX
	NEGQ CX
	ANDQ $(LANES-1), CX
	LEAQ github·com∕simdrank∕simdrank∕internal∕kern·Masks(SB), AX // the last vector lacks CX elements
	MASKS
	LEAQ -1(R11), R10
	SHLQ $VECTORLOG, R10
	MOVQ R12, SI
	XORL CX, CX
	CMPQ a_len+32(FP), $(const_gemvL2>>ROWLOG)
	SETGT CX
	LEAQ (R9)(R9*2), R13
	SUBQ $8, BX
	JLT rest

eight: // dst += c[i]·row + … + c[i+7]·row
	BROADCAST (R8), Y0
	BROADCAST SIZE(R8), Y1
	BROADCAST (2*SIZE)(R8), Y2
	BROADCAST (3*SIZE)(R8), Y3
	BROADCAST (4*SIZE)(R8), Y4
	BROADCAST (5*SIZE)(R8), Y5
	BROADCAST (6*SIZE)(R8), Y6
	BROADCAST (7*SIZE)(R8), Y7
	LEAQ (SI)(R9*8), AX // the next eight rows
	LEAQ (SI)(R9*4), R12
	MOVQ dst_base+0(FP), DI
	LEAQ -1(R11), DX
	SHRQ $1, DX

two:
	TESTL CX, CX
	JEQ fetched
	PREFETCHT1 (AX)
	PREFETCHT1 64(AX)
	PREFETCHT1 128(AX)
	PREFETCHT1 192(AX)
	ADDQ $256, AX

fetched:
	MOV (DI), Y8
	MOV 32(DI), Y9
	BY2((SI), (1<<VECTORLOG)(SI), Y0)
	BY2((SI)(R9*1), (1<<VECTORLOG)(SI)(R9*1), Y1)
	BY2((SI)(R9*2), (1<<VECTORLOG)(SI)(R9*2), Y2)
	BY2((SI)(R13*1), (1<<VECTORLOG)(SI)(R13*1), Y3)
	BY2((R12), (1<<VECTORLOG)(R12), Y4)
	BY2((R12)(R9*1), (1<<VECTORLOG)(R12)(R9*1), Y5)
	BY2((R12)(R9*2), (1<<VECTORLOG)(R12)(R9*2), Y6)
	BY2((R12)(R13*1), (1<<VECTORLOG)(R12)(R13*1), Y7)
	MOV Y8, (DI)
	MOV Y9, 32(DI)
	ADDQ $(2<<VECTORLOG), SI
	ADDQ $(2<<VECTORLOG), R12
	ADDQ $64, DI
	DECQ DX
	JNE two
	TESTQ $1, R11
	JNE one
	MOV (DI), Y8
	BY((SI), Y0, Y8)
	BY((SI)(R9*1), Y1, Y8)
	BY((SI)(R9*2), Y2, Y8)
	BY((SI)(R13*1), Y3, Y8)
	BY((R12), Y4, Y8)
	BY((R12)(R9*1), Y5, Y8)
	BY((R12)(R9*2), Y6, Y8)
	BY((R12)(R13*1), Y7, Y8)
	MOV Y8, (DI)
	ADDQ $(1<<VECTORLOG), SI
	ADDQ $(1<<VECTORLOG), R12
	ADDQ $32, DI

one: // the last vector
	MASKMOV (DI), Y15, Y8
	BYLAST((SI), Y0)
	BYLAST((SI)(R9*1), Y1)
	BYLAST((SI)(R9*2), Y2)
	BYLAST((SI)(R13*1), Y3)
	BYLAST((R12), Y4)
	BYLAST((R12)(R9*1), Y5)
	BYLAST((R12)(R9*2), Y6)
	BYLAST((R12)(R13*1), Y7)
	MASKMOV Y8, Y15, (DI)
	LEAQ (R12)(R9*4), SI
	SUBQ R10, SI
	ADDQ $(8*SIZE), R8
	SUBQ $8, BX
	JGE eight

rest: // fewer than eight rows, from SI on
	ADDQ $8, BX
	JEQ done
	MOVQ SI, R12
	MOVQ dst_base+0(FP), DI

strips: // strips = ⌈vectors/12⌉, vectors of a strip = ⌈vectors/strips⌉
	MOVQ BX, rowsLeft-8(SP)
	MOVQ R8, firstC-16(SP)
	MOVQ R11, R13
	CMPQ R11, $12
	JLE strip
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
	MOVQ firstC-16(SP), R8
	MOVQ rowsLeft-8(SP), BX
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

done:
	VZEROUPPER
	RET
