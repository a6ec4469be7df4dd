// The body of histogramU8TileAVX2 and histogramU8TileAVX512. WIDE writes the STEP/8 groups of the
// STEP columns before column.
//
// Registers: AX, BX, CX, DX, R8-R11: addresses of eight rows; named below.

#define group  DI  // eight rows of the next group in the tile
#define column SI  // next column; bins before the columns; the end of its columns in WIDE
#define apart  R12 // bytes from a group to the next one
#define row    R13 // next row number

// r = the address of row i of eight.
#define ROW(i, r) \
	MOVL  (i*4)(row), r;    \
	IMULQ stride+48(FP), r; \
	ADDQ  column, r

// Transposes words of eight rows, in each the bytes of two rows: d0 to d3 = two columns of eight
// bytes in each lane. It changes a and b.
#define TRANSPOSE(r01, r23, r45, r67, a, b, d0, d1, d2, d3) \
	VPUNPCKLWD r23, r01, d0; VPUNPCKHWD r23, r01, a; \
	VPUNPCKLWD r67, r45, d2; VPUNPCKHWD r67, r45, b; \
	VPUNPCKHDQ d2, d0, d1; VPUNPCKLDQ d2, d0, d0;    \
	VPUNPCKLDQ b, a, d2; VPUNPCKHDQ b, a, d3

	MOVQ tile_base+0(FP), group // place = eight rows of the first group
	MOVQ group, place-16(SP)
	MOVQ rows_base+56(FP), row
	MOVQ rows_len+64(FP), AX // apart = 64 + 8·rows
	LEAQ 64(AX*8), apart
	LEAQ (row)(AX*4), AX
	MOVQ AX, rowEnd-8(SP)

eight:
	MOVQ bins_base+24(FP), column // addresses of eight rows
	ROW(0, AX); ROW(1, BX)
	ROW(2, CX); ROW(3, DX)
	ROW(4, R8); ROW(5, R9)
	ROW(6, R10); ROW(7, R11)
	MOVQ place-16(SP), group // from the first group and column on
	XORL column, column
	JMP  nextWide

wide:
	WIDE

nextWide:
	ADDQ $STEP, column // if STEP columns are left: goto wide
	CMPQ column, features+80(FP)
	JLE  wide
	SUBQ $STEP, column
	JMP  nextSingle

single:
	VMOVQ      (AX)(column*1), X0; VMOVQ (BX)(column*1), X1 // load eight columns of eight rows
	VMOVQ      (CX)(column*1), X2; VMOVQ (DX)(column*1), X3
	VMOVQ      (R8)(column*1), X4; VMOVQ (R9)(column*1), X5
	VMOVQ      (R10)(column*1), X6; VMOVQ (R11)(column*1), X7
	VPUNPCKLBW X1, X0, X8; VPUNPCKLBW X3, X2, X10 // interleave the bytes of two rows, and transpose
	VPUNPCKLBW X5, X4, X12; VPUNPCKLBW X7, X6, X14
	TRANSPOSE(X8, X10, X12, X14, X0, X1, X4, X5, X6, X7)
	VMOVDQU    X4, (group) // store the group
	VMOVDQU    X5, 16(group)
	VMOVDQU    X6, 32(group)
	VMOVDQU    X7, 48(group)
	ADDQ       apart, group // the next group
	ADDQ       $8, column

nextSingle:
	CMPQ column, features+80(FP)
	JLT  single
	ADDQ $64, place-16(SP) // the next eight rows
	ADDQ $32, row
	CMPQ row, rowEnd-8(SP)
	JLT  eight
#undef group
#undef column
#undef apart
#undef row
#undef ROW
#undef TRANSPOSE
