// The body of Gemv transposed: dst[j] = c[i]·a[i][j] + dst[j]. A block of columns of dst stays in
// registers while all rows are processed. Therefore, a row costs only its loads, the broadcast of
// c[i] and the FMLAs. Blocks of 256 bytes of dst (V16 to V31) come first, then blocks of 64 bytes
// (V16 to V19), blocks of 16 bytes and single elements (V16). The body ends after one element. The
// function must then jump to column or to done.
//
// A type header defines the types of a (as x) and of dst and c (as lanes). The function defines ROW
// and ELEMENT. ROW(i, a, b, c, d) adds c[i] times the row's columns to four registers, for the 64
// bytes of dst from byte 64·i of the block on. ELEMENT loads one column into V1.
//
// Registers: V0: c[i]; V1-V6: a row; V16-V31: the block of dst.

#define dst      R0 // address of the block in dst
#define block    R1 // address of the block in the first row of a
#define count    R2 // number of rows
#define colsLeft R3
#define rowBytes R4 // bytes from a row to the next
#define first    R5 // address of c
#define row      R6 // address of the block in the next row
#define factor   R7 // address of the next element of c
#define rowsLeft R8

#define START_BLOCK MOVD block, row; MOVD first, factor; MOVD count, rowsLeft

// Advances to the next row and jumps to loop, unless this was the last row.
#define NEXT_ROW(loop) \
	ADD  rowBytes, row        \
	ADD  $(16/WIDTH), factor  \
	SUBS $1, rowsLeft         \
	BNE  loop

// Advances to the block that follows n bytes of dst.
#define NEXT_BLOCK(n) \
	ADD $n, dst                      \
	ADD $((n*WIDTH/16)<<LOGX), block \
	SUB $(n*WIDTH/16), colsLeft

// Load or store 64 or 256 bytes of dst. OP is LOAD or STORE.
#define DST64(OP) OP(0, F16, F17); OP(32, F18, F19)
#define DST256(OP) \
	DST64(OP)         \
	OP(64, F20, F21)  \
	OP(96, F22, F23)  \
	OP(128, F24, F25) \
	OP(160, F26, F27) \
	OP(192, F28, F29) \
	OP(224, F30, F31)
#define LOAD(off, a, b) FLDPQ off(dst), (a, b)
#define STORE(off, a, b) FSTPQ (a, b), off(dst)

	MOVD dst_base+0(FP), dst
	MOVD a_base+24(FP), block
	LDP  rows+48(FP), (count, colsLeft)
	MOVD stride+64(FP), rowBytes
	LSL  $LOGX, rowBytes
	MOVD c_base+72(FP), first
	CBZ  count, done

block256:
	CMP  $(16*WIDTH), colsLeft // if less than 256 bytes of dst remain: goto block64
	BLT  block64
	DST256(LOAD)
	START_BLOCK

row256:
	VLD1R (factor), [V0.TYPE] // dst[j] += c[i]·a[i][j]
	ROW(0, V16, V17, V18, V19)
	ROW(1, V20, V21, V22, V23)
	ROW(2, V24, V25, V26, V27)
	ROW(3, V28, V29, V30, V31)
	NEXT_ROW(row256)
	DST256(STORE)
	NEXT_BLOCK(256)
	B    block256

block64:
	CMP  $(4*WIDTH), colsLeft // if less than 64 bytes of dst remain: goto block16
	BLT  block16
	DST64(LOAD)
	START_BLOCK

row64:
	VLD1R (factor), [V0.TYPE] // dst[j] += c[i]·a[i][j]
	ROW(0, V16, V17, V18, V19)
	NEXT_ROW(row64)
	DST64(STORE)
	NEXT_BLOCK(64)
	B    block64

block16:
	CMP  $WIDTH, colsLeft // if less than 16 bytes of dst remain: goto column
	BLT  column
	FMOVQ (dst), F16
	START_BLOCK

row16:
	VLD1R (factor), [V0.TYPE] // dst[j] += c[i]·a[i][j]
	LOADX1(row, 0, 1, F1)
	VFMLA V0.TYPE, V1.TYPE, V16.TYPE
	NEXT_ROW(row16)
	FMOVQ F16, (dst)
	NEXT_BLOCK(16)
	B    block16

column:
	CBZ  colsLeft, done // if colsLeft = 0: goto done
	FMOV (dst), F16
	START_BLOCK

row1:
	FMOV (factor), F0 // dst[j] += c[i]·a[i][j]
	ELEMENT
	VFMLA V0.TYPE, V1.TYPE, V16.TYPE
	NEXT_ROW(row1)
	FMOV F16, (dst)

#undef dst
#undef block
#undef count
#undef colsLeft
#undef rowBytes
#undef first
#undef row
#undef factor
#undef rowsLeft
#undef START_BLOCK
#undef NEXT_ROW
#undef NEXT_BLOCK
#undef DST64
#undef DST256
#undef LOAD
#undef STORE
#undef ROW
#undef ELEMENT
