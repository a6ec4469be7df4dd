// The body of histogramU8TileAVX2 and histogramU8TileAVX512: WIDE writes the STEP/8 groups of the
// columns before SI.
//
// 0(SP) tile   8(SP) end of rows   R12 bytes of a group   R13 next row numbers
// AX, BX, CX, DX, R8 to R11 places of eight rows   SI column, for WIDE the end of its columns,
// before that bins   DI tile at the group

// PLACE puts the place of row i of eight listed rows into r.
#define PLACE(i, r) \
	MOVL  (i*4)(R13), r; \
	IMULQ stride+48(FP), r; \
	ADDQ  SI, r

// TRANSPOSE turns bytes of eight rows, of two rows in turns, into those of eight columns, two in
// each lane of d0 to d3. It changes a and b.
#define TRANSPOSE(r01, r23, r45, r67, a, b, d0, d1, d2, d3) \
	VPUNPCKLWD r23, r01, d0; \
	VPUNPCKHWD r23, r01, a; \
	VPUNPCKLWD r67, r45, d2; \
	VPUNPCKHWD r67, r45, b; \
	VPUNPCKHDQ d2, d0, d1; \
	VPUNPCKLDQ d2, d0, d0; \
	VPUNPCKLDQ b, a, d2; \
	VPUNPCKHDQ b, a, d3

	MOVQ tile_base+0(FP), DI
	MOVQ DI, 0(SP)
	MOVQ rows_base+56(FP), R13
	MOVQ rows_len+64(FP), AX
	LEAQ 64(AX*8), R12
	LEAQ (R13)(AX*4), AX
	MOVQ AX, 8(SP)

eight:
	MOVQ bins_base+24(FP), SI
	PLACE(0, AX)
	PLACE(1, BX)
	PLACE(2, CX)
	PLACE(3, DX)
	PLACE(4, R8)
	PLACE(5, R9)
	PLACE(6, R10)
	PLACE(7, R11)
	MOVQ 0(SP), DI
	XORL SI, SI
	JMP  more

wide:
	WIDE

more:
	ADDQ $STEP, SI
	CMPQ SI, features+80(FP)
	JLE  wide
	SUBQ $STEP, SI
	JMP  last

word:
	VMOVQ      (AX)(SI*1), X0
	VMOVQ      (BX)(SI*1), X1
	VMOVQ      (CX)(SI*1), X2
	VMOVQ      (DX)(SI*1), X3
	VMOVQ      (R8)(SI*1), X4
	VMOVQ      (R9)(SI*1), X5
	VMOVQ      (R10)(SI*1), X6
	VMOVQ      (R11)(SI*1), X7
	VPUNPCKLBW X1, X0, X8
	VPUNPCKLBW X3, X2, X10
	VPUNPCKLBW X5, X4, X12
	VPUNPCKLBW X7, X6, X14
	TRANSPOSE(X8, X10, X12, X14, X0, X1, X4, X5, X6, X7)
	VMOVDQU    X4, (DI)
	VMOVDQU    X5, 16(DI)
	VMOVDQU    X6, 32(DI)
	VMOVDQU    X7, 48(DI)
	ADDQ       R12, DI
	ADDQ       $8, SI

last:
	CMPQ SI, features+80(FP)
	JLT  word
	ADDQ $64, 0(SP)
	ADDQ $32, R13
	CMPQ R13, 8(SP)
	JLT  eight
