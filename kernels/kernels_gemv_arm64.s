//go:build !purego

#include "go_asm.h"
#include "textflag.h"
#include "neon_arm64.h"
#include "lanes_arm64.h"

// Gemv: the dot product of every row with x, in one call. R8 is dst, R9 the row,
// R10 the rows that are left, R11 the stride in bytes, R12 x, R13 the columns.

#define FLOAT64
#define TYPE D2
#define LOG 3
#define MINUS0 0x8000000000000000
#define FADD FADDD2
#define HALVE FADDPD(16, 0)

// func gemvF64NEON(dst, a []float64, rows, cols, stride int, x []float64)
// Requires: NEON
//
// Registers: see above, and for a row those of the dot product, whose steps and tails these are.
TEXT ·gemvF64NEON(SB), NOSPLIT, $0-96
	MOVD dst_base+0(FP), R8
	MOVD a_base+24(FP), R9
	LDP  rows+48(FP), (R10, R13)
	MOVD stride+64(FP), R11
	LSL  $3, R11
	MOVD x_base+72(FP), R12
	CBZ  R10, done
	CBZ  R13, zeros

row:
	MOVD R9, R0
	MOVD R12, R1
	MOVD R13, R2
#include "dot_arm64.h"
#include "sum_arm64.h"
	FMOVD F0, (R8)
	ADD  $8, R8
	ADD  R11, R9
	SUBS $1, R10
	BNE  row

done:
	RET

zeros:
	MOVD ZR, (R8)
	ADD  $8, R8
	SUBS $1, R10
	BNE  zeros
	RET

#undef FLOAT64
#undef TYPE
#undef LOG
#undef MINUS0
#undef FADD
#undef HALVE
#define TYPE S4
#define LOG 2
#define MINUS0 0x80000000
#define FADD FADDS4
#define HALVE VEXT $8, V16.B16, V16.B16, V17.B16; FADDS4(17, 16, 16); FADDPS(16, 0)

// func gemvF32NEON(dst, a []float32, rows, cols, stride int, x []float32)
// Requires: NEON
//
// Registers: see above, and for a row those of the dot product, whose steps and tails these are.
TEXT ·gemvF32NEON(SB), NOSPLIT, $0-96
	MOVD dst_base+0(FP), R8
	MOVD a_base+24(FP), R9
	LDP  rows+48(FP), (R10, R13)
	MOVD stride+64(FP), R11
	LSL  $2, R11
	MOVD x_base+72(FP), R12
	CBZ  R10, done
	CBZ  R13, zeros

row:
	MOVD R9, R0
	MOVD R12, R1
	MOVD R13, R2
#include "dot_arm64.h"
#include "sum_arm64.h"
	FMOVS F0, (R8)
	ADD  $4, R8
	ADD  R11, R9
	SUBS $1, R10
	BNE  row

done:
	RET

zeros:
	MOVW ZR, (R8)
	ADD  $4, R8
	SUBS $1, R10
	BNE  zeros
	RET

// 8 elements of the float32 row at R0 and the float64 x at R1 into four lanes.
#define MULADD_MIXED(off, off2, a, b, c, d) \
	FLDPQ off(R0), (F0, F1)       \
	FLDPQ off2(R1), (F8, F9)      \
	FLDPQ (off2+32)(R1), (F10, F11) \
	FCVTLD2(0, 4)                 \
	FCVTL2D2(0, 5)                \
	FCVTLD2(1, 6)                 \
	FCVTL2D2(1, 7)                \
	VFMLA V8.D2, V4.D2, a.D2      \
	VFMLA V9.D2, V5.D2, b.D2      \
	VFMLA V10.D2, V6.D2, c.D2     \
	VFMLA V11.D2, V7.D2, d.D2

#define LEFT_MIXED(min, off, off2, a, b, rest) \
	CMP   $min, R2            \
	BLT   rest                \
	FMOVQ off(R0), F4         \
	FLDPQ off2(R1), (F6, F7)  \
	FCVTL2D2(4, 5)            \
	FCVTLD2(4, 4)             \
	VFMLA V6.D2, V4.D2, a.D2  \
	VFMLA V7.D2, V5.D2, b.D2

#undef TYPE
#undef LOG
#undef MINUS0
#undef FADD
#undef HALVE
#define TYPE D2
#define FADD FADDD2
#define HALVE FADDPD(16, 0)

// func gemvF32WideNEON(dst []float64, a []float32, rows, cols, stride int, x []float64)
// Requires: NEON
//
// The rest of less than 4 elements is loaded as in dotF64NEON (x) and dotF32WideNEON (the row).
TEXT ·gemvF32WideNEON(SB), NOSPLIT, $0-96
	MOVD dst_base+0(FP), R8
	MOVD a_base+24(FP), R9
	LDP  rows+48(FP), (R10, R13)
	MOVD stride+64(FP), R11
	LSL  $2, R11
	MOVD x_base+72(FP), R12
	CBZ  R10, done
	CBZ  R13, zeros

row:
	MOVD R9, R0
	MOVD R12, R1
	MOVD R13, R2
	MOVD $0x8000000000000000, R5
	LANES(D2)
	LSR  $5, R2, R5
	AND  $31, R2
	CBZ  R5, left
	PCALIGN $16

loop32:
	MULADD_MIXED(0, 0, V16, V17, V18, V19)
	MULADD_MIXED(32, 64, V20, V21, V22, V23)
	MULADD_MIXED(64, 128, V24, V25, V26, V27)
	MULADD_MIXED(96, 192, V28, V29, V30, V31)
	ADD  $128, R0
	ADD  $256, R1
	SUBS $1, R5
	BNE  loop32

left:
	CBZ   R2, reduce
	FILL
	REST_WIDE(R0, V0, belowX, loadedX)
	FCVTL2D2(0, 1)
	FCVTLD2(0, 0)
	AND   $28, R2, R3
	ADD   R3<<3, R1, R3
	TBZ   $1, R2, below2
	FMOVQ (R3), F2
	TBZ   $0, R2, loaded
	ADD   $16, R3
	VLD1  (R3), V3.D[0]
	B     loaded

below2:
	TBZ  $0, R2, loaded
	VLD1 (R3), V2.D[0]

loaded:
	LEFT_MIXED(4, 0, 0, V16, V17, rest0)
	LEFT_MIXED(8, 16, 32, V18, V19, rest1)
	LEFT_MIXED(12, 32, 64, V20, V21, rest2)
	LEFT_MIXED(16, 48, 96, V22, V23, rest3)
	LEFT_MIXED(20, 64, 128, V24, V25, rest4)
	LEFT_MIXED(24, 80, 160, V26, V27, rest5)
	LEFT_MIXED(28, 96, 192, V28, V29, rest6)

#include "sum_arm64.h"

	FMOVD F0, (R8)
	ADD   $8, R8
	ADD   R11, R9
	SUBS  $1, R10
	BNE   row

done:
	RET

zeros:
	MOVD ZR, (R8)
	ADD  $8, R8
	SUBS $1, R10
	BNE  zeros
	RET

#undef TYPE
#undef FADD
#undef HALVE

// Gemv transposed: a block of columns of dst stays in registers over all rows, so
// that a row costs its loads, the broadcast of c[i] to V0 and the FMLAs. Blocks of 256 bytes
// of dst (V16 to V31) come first, then 64 (V16 to V19), 16 and one element (V16).
// R0 is dst, R1 a, both at the block's first column, R2 rows, R3 the columns that are left,
// R4 the stride in bytes, R5 c; within a block R6 is the row, R7 c[i], R8 the rows left.

#define BLOCK \
	MOVD R1, R6 \
	MOVD R5, R7 \
	MOVD R2, R8

// The end of a row; c has elements of size bytes.
#define NEXT_ROW(size, loop) \
	ADD  R4, R6   \
	ADD  $size, R7 \
	SUBS $1, R8   \
	BNE  loop

// The end of a block of the given bytes of dst and of a.
#define NEXT_BLOCK(dbytes, abytes, cols) \
	ADD $dbytes, R0 \
	ADD $abytes, R1 \
	SUB $cols, R3

#define DST256(OP) \
	OP(0, F16, F17)   \
	OP(32, F18, F19)  \
	OP(64, F20, F21)  \
	OP(96, F22, F23)  \
	OP(128, F24, F25) \
	OP(160, F26, F27) \
	OP(192, F28, F29) \
	OP(224, F30, F31)

#define DST64(OP) \
	OP(0, F16, F17)  \
	OP(32, F18, F19)

#define LOAD_DST(off, a, b) FLDPQ off(R0), (a, b)
#define STORE_DST(off, a, b) FSTPQ (a, b), off(R0)

// 64 bytes of a row, times c[i], into four registers.
#define ROW64(off, T, a, b, c, d) \
	FLDPQ off(R6), (F1, F2)      \
	FLDPQ (off+32)(R6), (F3, F4) \
	VFMLA V0.T, V1.T, a.T        \
	VFMLA V0.T, V2.T, b.T        \
	VFMLA V0.T, V3.T, c.T        \
	VFMLA V0.T, V4.T, d.T

// func gemvTF64NEON(dst, a []float64, rows, cols, stride int, c []float64)
// Requires: NEON
//
// Registers: see above. Blocks of 32 columns, then 8, 2 and one.
TEXT ·gemvTF64NEON(SB), NOSPLIT, $0-96
	MOVD dst_base+0(FP), R0
	MOVD a_base+24(FP), R1
	LDP  rows+48(FP), (R2, R3)
	MOVD stride+64(FP), R4
	LSL  $3, R4
	MOVD c_base+72(FP), R5
	CBZ  R2, done

block32:
	CMP $32, R3
	BLT block8
	DST256(LOAD_DST)
	BLOCK

row32:
	VLD1R (R7), [V0.D2]
	ROW64(0, D2, V16, V17, V18, V19)
	ROW64(64, D2, V20, V21, V22, V23)
	ROW64(128, D2, V24, V25, V26, V27)
	ROW64(192, D2, V28, V29, V30, V31)
	NEXT_ROW(8, row32)
	DST256(STORE_DST)
	NEXT_BLOCK(256, 256, 32)
	B     block32

block8:
	CMP $8, R3
	BLT block2
	DST64(LOAD_DST)
	BLOCK

row8:
	VLD1R (R7), [V0.D2]
	ROW64(0, D2, V16, V17, V18, V19)
	NEXT_ROW(8, row8)
	DST64(STORE_DST)
	NEXT_BLOCK(64, 64, 8)
	B     block8

block2:
	CMP   $2, R3
	BLT   block1
	FMOVQ (R0), F16
	BLOCK

row2:
	VLD1R (R7), [V0.D2]
	FMOVQ (R6), F1
	VFMLA V0.D2, V1.D2, V16.D2
	NEXT_ROW(8, row2)
	FMOVQ F16, (R0)
	NEXT_BLOCK(16, 16, 2)
	B     block2

block1:
	CBZ   R3, done
	FMOVD (R0), F16
	BLOCK

row1:
	FMOVD (R7), F0
	FMOVD (R6), F1
	VFMLA V0.D2, V1.D2, V16.D2
	NEXT_ROW(8, row1)
	FMOVD F16, (R0)

done:
	RET

// func gemvTF32NEON(dst, a []float32, rows, cols, stride int, c []float32)
// Requires: NEON
//
// Registers: see above. Blocks of 64 columns, then 16, 4 and one.
TEXT ·gemvTF32NEON(SB), NOSPLIT, $0-96
	MOVD dst_base+0(FP), R0
	MOVD a_base+24(FP), R1
	LDP  rows+48(FP), (R2, R3)
	MOVD stride+64(FP), R4
	LSL  $2, R4
	MOVD c_base+72(FP), R5
	CBZ  R2, done

block64:
	CMP $64, R3
	BLT block16
	DST256(LOAD_DST)
	BLOCK

row64:
	VLD1R (R7), [V0.S4]
	ROW64(0, S4, V16, V17, V18, V19)
	ROW64(64, S4, V20, V21, V22, V23)
	ROW64(128, S4, V24, V25, V26, V27)
	ROW64(192, S4, V28, V29, V30, V31)
	NEXT_ROW(4, row64)
	DST256(STORE_DST)
	NEXT_BLOCK(256, 256, 64)
	B     block64

block16:
	CMP $16, R3
	BLT block4
	DST64(LOAD_DST)
	BLOCK

row16:
	VLD1R (R7), [V0.S4]
	ROW64(0, S4, V16, V17, V18, V19)
	NEXT_ROW(4, row16)
	DST64(STORE_DST)
	NEXT_BLOCK(64, 64, 16)
	B     block16

block4:
	CMP   $4, R3
	BLT   block1
	FMOVQ (R0), F16
	BLOCK

row4:
	VLD1R (R7), [V0.S4]
	FMOVQ (R6), F1
	VFMLA V0.S4, V1.S4, V16.S4
	NEXT_ROW(4, row4)
	FMOVQ F16, (R0)
	NEXT_BLOCK(16, 16, 4)
	B     block4

block1:
	CBZ   R3, done
	FMOVS (R0), F16
	BLOCK

row1:
	FMOVS (R7), F0
	FMOVS (R6), F1
	VFMLA V0.S4, V1.S4, V16.S4
	NEXT_ROW(4, row1)
	FMOVS F16, (R0)
	NEXT_BLOCK(4, 4, 1)
	B     block1

done:
	RET

// 32 bytes of a float32 row, converted, times c[i], into four registers.
#define ROW32_WIDE(off, a, b, c, d) \
	FLDPQ off(R6), (F1, F2)     \
	FCVTLD2(1, 3)               \
	FCVTL2D2(1, 4)              \
	FCVTLD2(2, 5)               \
	FCVTL2D2(2, 6)              \
	VFMLA V0.D2, V3.D2, a.D2    \
	VFMLA V0.D2, V4.D2, b.D2    \
	VFMLA V0.D2, V5.D2, c.D2    \
	VFMLA V0.D2, V6.D2, d.D2

// func gemvTF32WideNEON(dst []float64, a []float32, rows, cols, stride int, c []float64)
// Requires: NEON
//
// Registers: see above. Blocks of 32 columns, then 8, 2 and one.
TEXT ·gemvTF32WideNEON(SB), NOSPLIT, $0-96
	MOVD dst_base+0(FP), R0
	MOVD a_base+24(FP), R1
	LDP  rows+48(FP), (R2, R3)
	MOVD stride+64(FP), R4
	LSL  $2, R4
	MOVD c_base+72(FP), R5
	CBZ  R2, done

block32:
	CMP $32, R3
	BLT block8
	DST256(LOAD_DST)
	BLOCK

row32:
	VLD1R (R7), [V0.D2]
	ROW32_WIDE(0, V16, V17, V18, V19)
	ROW32_WIDE(32, V20, V21, V22, V23)
	ROW32_WIDE(64, V24, V25, V26, V27)
	ROW32_WIDE(96, V28, V29, V30, V31)
	NEXT_ROW(8, row32)
	DST256(STORE_DST)
	NEXT_BLOCK(256, 128, 32)
	B     block32

block8:
	CMP $8, R3
	BLT block2
	DST64(LOAD_DST)
	BLOCK

row8:
	VLD1R (R7), [V0.D2]
	ROW32_WIDE(0, V16, V17, V18, V19)
	NEXT_ROW(8, row8)
	DST64(STORE_DST)
	NEXT_BLOCK(64, 32, 8)
	B     block8

block2:
	CMP   $2, R3
	BLT   block1
	FMOVQ (R0), F16
	BLOCK

row2:
	VLD1R (R7), [V0.D2]
	FMOVD (R6), F1
	FCVTLD2(1, 1)
	VFMLA V0.D2, V1.D2, V16.D2
	NEXT_ROW(8, row2)
	FMOVQ F16, (R0)
	NEXT_BLOCK(16, 8, 2)
	B     block2

block1:
	CBZ   R3, done
	FMOVD (R0), F16
	BLOCK

row1:
	FMOVD (R7), F0
	FMOVS (R6), F1
	FCVTLD2(1, 1)
	VFMLA V0.D2, V1.D2, V16.D2
	NEXT_ROW(8, row1)
	FMOVD F16, (R0)

done:
	RET

// The value in F, whose column is R11: to its lane, unless the column is not below R10.
#define SPMV_TAKE(F, beyond) \
	CMP    R10, R11              \
	BHS    beyond                \
	FCVTSD F, F                  \
	FMOVD  (R5)(R11<<3), F2      \
	AND    $31, R11              \
	FMOVD  (R7)(R11<<3), F3      \
	FMADDD F2, F3, F, F3         \
	FMOVD  F3, (R7)(R11<<3)

// func spmvF32WideNEON(dst []float64, offsets []int, index []int32, value []float32, x []float64) int
// Requires: NEON
//
// Two elements at a time, each into its lane, on the stack; the sum of the lanes as in gemv. The
// end of a row is hard to predict: where its elements are odd in number the first one goes before
// the others, else that one is added to a lane that nothing reads, without a branch. A column that
// is not below R10 is none, or begins a block of columns: then the lanes are summed up. R0 dst, R1
// rows, R2 offsets, R3 index, R4 value, R5 x, R6 its length, R7 lanes, R9 end of the row in index,
// R10 end of the block of x, R11 and R12 columns, R13 where index begins, R14 4 where the elements
// are odd in number; F30 sum of the blocks before, V31 −0.
TEXT ·spmvF32WideNEON(SB), NOSPLIT, $288-128
	LDP   dst_base+0(FP), (R0, R1)
	MOVD  offsets_base+24(FP), R2
	MOVD  index_base+48(FP), R13
	MOVD  value_base+72(FP), R4
	LDP   x_base+96(FP), (R5, R6)
	MOVD  RSP, R7
	ADD   $16, R7
	MOVD  ZR, 256(R7) // the lane that nothing reads
	MOVD  $0x8000000000000000, R9
	VDUP  R9, V31.D2
	MOVD.P 8(R2), R9
	ADD   R9<<2, R13, R3
	ADD   R9<<2, R4
	CBZ   R1, done

row:
	MOVD.P 8(R2), R9
	ADD    R9<<2, R13, R9
	FMOVD  ZR, F30
	MOVD   ZR, R11

block: // that of column R11
	ORR   $(const_blockLen-1), R11
	ADD   $1, R11, R10
	CMP   R6, R10
	CSEL  GT, R6, R10, R10
	FSTPQ (F31, F31), (R7)
	FSTPQ (F31, F31), 32(R7)
	FSTPQ (F31, F31), 64(R7)
	FSTPQ (F31, F31), 96(R7)
	FSTPQ (F31, F31), 128(R7)
	FSTPQ (F31, F31), 160(R7)
	FSTPQ (F31, F31), 192(R7)
	FSTPQ (F31, F31), 224(R7)
	SUBS  R3, R9, R14
	BEQ   sum
	MOVWU (R3), R11
	CMP   R10, R11
	BHS   beyond
	FMOVS (R4), F0
	FCVTSD F0, F0
	FMOVD (R5)(R11<<3), F2
	AND   $31, R11
	MOVD  $32, R12
	ANDS  $4, R14
	CSEL  EQ, R12, R11, R11
	FMOVD (R7)(R11<<3), F3
	FMADDD F2, F3, F0, F3
	FMOVD F3, (R7)(R11<<3)
	ADD   R14, R3
	ADD   R14, R4
	B     more
	PCALIGN $16

two:
	LDPW  (R3), (R11, R12)
	FLDPS (R4), (F0, F1)
	SPMV_TAKE(F0, beyond)
	MOVD  R12, R11
	SPMV_TAKE(F1, second)
	ADD   $8, R3
	ADD   $8, R4

more:
	CMP R9, R3
	BLO two

sum: // (g₀+g₁)+(g₂+g₃) lane by lane, then halves
	FLDPQ (R7), (F0, F1)
	FLDPQ 32(R7), (F2, F3)
	FLDPQ 64(R7), (F4, F5)
	FLDPQ 96(R7), (F6, F7)
	FLDPQ 128(R7), (F16, F17)
	FLDPQ 160(R7), (F18, F19)
	FLDPQ 192(R7), (F20, F21)
	FLDPQ 224(R7), (F22, F23)
	FADDD2(4, 0, 0)
	FADDD2(5, 1, 1)
	FADDD2(6, 2, 2)
	FADDD2(7, 3, 3)
	FADDD2(20, 16, 16)
	FADDD2(21, 17, 17)
	FADDD2(22, 18, 18)
	FADDD2(23, 19, 19)
	FADDD2(16, 0, 0)
	FADDD2(17, 1, 1)
	FADDD2(18, 2, 2)
	FADDD2(19, 3, 3)
	FADDD2(2, 0, 0)
	FADDD2(3, 1, 1)
	FADDD2(1, 0, 0)
	FADDPD(0, 0)
	FADDD F0, F30, F30
	CMP   R9, R3
	BLO   block
	FMOVD.P F30, 8(R0)
	SUBS  $1, R1
	BNE   row

done:
	MOVD dst_len+8(FP), R2
	SUB  R1, R2
	MOVD R2, ret+120(FP)
	RET

second:
	ADD $4, R3
	ADD $4, R4

beyond:
	CMP R6, R11
	BLO sum
	B   done

// func spmvTF32WideNEON(dst []float64, offsets []int, index []int32, value []float32, c []float64) int
// Requires: NEON
//
// Two elements at a time; the first one of an odd number as in spmvF32WideNEON. R0 dst, R1 its
// length, R2 offsets, R3 index, R4 value, R5 c, R6 rows, R7 the address of what nothing reads, R9
// end of the row in index, R11 and R12 columns, R13 where index begins, R14 4 where the elements
// are odd in number; F30 c[i].
TEXT ·spmvTF32WideNEON(SB), NOSPLIT, $32-128
	LDP   dst_base+0(FP), (R0, R1)
	MOVD  offsets_base+24(FP), R2
	MOVD  index_base+48(FP), R13
	MOVD  value_base+72(FP), R4
	LDP   c_base+96(FP), (R5, R6)
	MOVD  RSP, R7
	ADD   $16, R7
	MOVD  ZR, (R7)
	MOVD.P 8(R2), R9
	ADD   R9<<2, R13, R3
	ADD   R9<<2, R4
	CBZ   R6, done

row:
	MOVD.P  8(R2), R9
	ADD     R9<<2, R13, R9
	FMOVD.P 8(R5), F30
	SUBS    R3, R9, R14
	BEQ     next
	MOVWU   (R3), R11
	CMP     R1, R11
	BHS     done
	FMOVS   (R4), F0
	FCVTSD  F0, F0
	ADD     R11<<3, R0, R11
	ANDS    $4, R14
	CSEL    EQ, R7, R11, R11
	FMOVD   (R11), F2
	FMADDD  F30, F2, F0, F2
	FMOVD   F2, (R11)
	ADD     R14, R3
	ADD     R14, R4
	B       more
	PCALIGN $16

two:
	LDPW.P 8(R3), (R11, R12)
	FLDPS.P 8(R4), (F0, F1)
	CMP    R1, R11
	BHS    done
	FMOVD  (R0)(R11<<3), F2
	FCVTSD F0, F0
	FCVTSD F1, F1
	FMADDD F30, F2, F0, F2
	FMOVD  F2, (R0)(R11<<3)
	CMP    R1, R12
	BHS    done
	FMOVD  (R0)(R12<<3), F3
	FMADDD F30, F3, F1, F3
	FMOVD  F3, (R0)(R12<<3)

more:
	CMP R9, R3
	BLO two

next:
	SUBS $1, R6
	BNE  row

done:
	MOVD c_len+104(FP), R2
	SUB  R6, R2
	MOVD R2, ret+120(FP)
	RET

// func nonzerosF32NEON(index []int32, value, row []float32, first int) int
// Requires: NEON
//
// Sixteen elements at a time, those that are not zero one by one from a mask of four bits for each;
// the rest one by one. R0 index, R1 value, R2 row, R3 elements left, R4 place, R5 the lowest bit of
// each four, R6 the mask, R7 four times a place among the sixteen.
TEXT ·nonzerosF32NEON(SB), NOSPLIT, $0-88
	MOVD index_base+0(FP), R0
	MOVD value_base+24(FP), R1
	LDP  row_base+48(FP), (R2, R3)
	MOVD first+72(FP), R4
	MOVD $0x1111111111111111, R5
	SUBS $16, R3
	BLT  rest

sixteen:
	FLDPQ (R2), (F0, F1)
	FLDPQ 32(R2), (F2, F3)
	FCMEQ0S4(0, 0)
	FCMEQ0S4(1, 1)
	FCMEQ0S4(2, 2)
	FCMEQ0S4(3, 3)
	VUZP1 V1.H8, V0.H8, V0.H8
	VUZP1 V3.H8, V2.H8, V2.H8
	VUZP1 V2.B16, V0.B16, V0.B16
	SHRNB8(4, 0, 0)
	FMOVD F0, R6
	BICS  R6, R5, R6
	BEQ   next

found:
	RBIT   R6, R7
	CLZ    R7, R7
	SUB    $1, R6, R8
	AND    R8, R6
	ADD    R7>>2, R4, R9
	MOVWU  (R2)(R7), R8
	MOVW.P R9, 4(R0)
	MOVW.P R8, 4(R1)
	CBNZ   R6, found

next:
	ADD  $64, R2
	ADD  $16, R4
	SUBS $16, R3
	BGE  sixteen

rest:
	ADDS $16, R3
	BEQ  done

one:
	MOVWU.P 4(R2), R8
	TST    $0x7fffffff, R8 // without its sign
	BEQ    zero
	MOVW.P R4, 4(R0)
	MOVW.P R8, 4(R1)

zero:
	ADD  $1, R4
	SUBS $1, R3
	BNE  one

done:
	MOVD index_base+0(FP), R1
	SUB  R1, R0
	LSR  $2, R0
	MOVD R0, ret+80(FP)
	RET
