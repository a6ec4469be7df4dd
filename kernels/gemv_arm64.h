// The start of Gemv: the dot product of each row of a with x, in one call. A dot product follows,
// and gemv_end_arm64.h.

#define dst      R8  // next element of dst
#define row      R9  // next row of a
#define rowsLeft R10
#define rowBytes R11 // from row to row
#define vector   R12 // x
#define columns  R13

	MOVD dst_base+0(FP), dst
	MOVD a_base+24(FP), row
	LDP  rows+48(FP), (rowsLeft, columns)
	MOVD stride+64(FP), rowBytes
	LSL  $LOGX, rowBytes
	MOVD x_base+72(FP), vector
	CBZ  rowsLeft, done // if rows = 0: return; if columns = 0: all are 0
	CBZ  columns, zeros

nextRow:
	MOVD row, nextX
	MOVD vector, nextY
	MOVD columns, left
