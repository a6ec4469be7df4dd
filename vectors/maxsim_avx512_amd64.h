// The body of the MaxSim kernels in kernels_maxsim_avx512_amd64.s. It processes eight rows at a
// time, with the 32 query tokens of the panel. If fewer remain, the last eight rows are processed,
// some of them again. A column is an element of float32 or a word of four bytes.
//
// TERM(x, y, sum) adds the products of a column of tokens (x) and of a row (y). RAISE(a, …, h, m)
// raises m to the sums of eight rows.
//
// Registers: Z0-Z15: sums of row 0 and tokens 0-15, of row 0 and tokens 16-31, of row 1, …; Z16,
// Z17: a column of the tokens; Z18: a column of a row; Z20, Z21: maxima.

#define maxPtr    DI  // address of the maxima
#define qPtr      SI  // address of the next column of the panel
#define first     BX  // address of the first row
#define row0      AX  // address of the next column of the first row
#define row5      R12 // address of the next column of the sixth row
#define left      DX  // number of remaining rows
#define rowBytes  R9  // bytes from a row to the next
#define threeRows R8  // 3·rowBytes
#define cols      R11 // number of columns
#define count     CX  // number of remaining columns

// a, b += products of a row's column and all tokens.
#define ROW(row, a, b) VBROADCASTSS row, Z18; TERM(Z16, Z18, a); TERM(Z17, Z18, b)

	LEAQ (rowBytes)(rowBytes*2), threeRows
	VMOVUPS (maxPtr), Z20
	VMOVUPS 64(maxPtr), Z21

rows:
	CMPQ left, $8 // if left < 8: first −= (8 − left) rows; left = 8
	JGE start
	SUBQ $8, left
	IMULQ rowBytes, left
	ADDQ left, first
	MOVQ $8, left

start:
	MOVQ q_base+8(FP), qPtr // start eight rows
	MOVQ first, row0
	LEAQ (first)(rowBytes*4), row5
	ADDQ rowBytes, row5
	MOVQ cols, count
	VPXOR X0, X0, X0; VPXOR X1, X1, X1; VPXOR X2, X2, X2; VPXOR X3, X3, X3 // sums = 0
	VPXOR X4, X4, X4; VPXOR X5, X5, X5; VPXOR X6, X6, X6; VPXOR X7, X7, X7 // rows 2 and 3
	VPXOR X8, X8, X8; VPXOR X9, X9, X9; VPXOR X10, X10, X10; VPXOR X11, X11, X11 // rows 4 and 5
	VPXOR X12, X12, X12; VPXOR X13, X13, X13; VPXOR X14, X14, X14; VPXOR X15, X15, X15 // rows 6 and 7
	PCALIGN $64

loop: // sums += products of a column
	VMOVUPS (qPtr), Z16
	VMOVUPS 64(qPtr), Z17
	ROW((row0), Z0, Z1)
	ROW((row0)(rowBytes*1), Z2, Z3)
	ROW((row0)(rowBytes*2), Z4, Z5)
	ROW((row0)(threeRows*1), Z6, Z7)
	ROW((row0)(rowBytes*4), Z8, Z9) // rows 4 to 7
	ROW((row5), Z10, Z11)
	ROW((row5)(rowBytes*1), Z12, Z13)
	ROW((row5)(rowBytes*2), Z14, Z15)
	ADDQ $128, qPtr // advance by a column
	ADDQ $4, row0
	ADDQ $4, row5
	DECQ count
	JNE loop
	RAISE(Z0, Z2, Z4, Z6, Z8, Z10, Z12, Z14, Z20) // maxima = max(maxima, sums), and advance by eight rows
	RAISE(Z1, Z3, Z5, Z7, Z9, Z11, Z13, Z15, Z21)
	LEAQ (first)(rowBytes*8), first
	SUBQ $8, left
	JNE rows
	VMOVUPS Z20, (maxPtr)
	VMOVUPS Z21, 64(maxPtr)
	VZEROUPPER
	RET

#undef maxPtr
#undef qPtr
#undef first
#undef row0
#undef row5
#undef left
#undef rowBytes
#undef threeRows
#undef cols
#undef count
#undef ROW
#undef TERM
#undef RAISE
