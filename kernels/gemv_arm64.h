// The start of Gemv, which computes the dot product of each row of a and x. The body of a dot
// product and gemv_end_arm64.h follow it.

#define dst      R8  // address of the next element of dst
#define row      R9  // address of the next row of a
#define rowsLeft R10
#define rowBytes R11 // bytes from a row to the next
#define vector   R12 // address of x
#define columns  R13

	MOVD dst_base+0(FP), dst
	MOVD a_base+24(FP), row
	LDP  rows+48(FP), (rowsLeft, columns)
	MOVD stride+64(FP), rowBytes
	LSL  $LOGX, rowBytes
	MOVD x_base+72(FP), vector
	CBZ  rowsLeft, done // if rows = 0: return; if columns = 0: goto zeros
	CBZ  columns, zeros

nextRow:
	MOVD row, nextX
	MOVD vector, nextY
	MOVD columns, left
