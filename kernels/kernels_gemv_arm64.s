//go:build !purego

#include "go_asm.h"
#include "textflag.h"
#include "neon_arm64.h"
#include "lanes_arm64.h"

// Gemv and sparse products for NEON. The file kernels_linear_arm64.s explains the lanes and the
// tails of dot products.

// ROW of gemvt_arm64.h if a and dst have the same type.
#define ROW64(i, a, b, c, d) \
	FLDPQ (64*i)(row), (F1, F2)     \
	FLDPQ (64*i+32)(row), (F3, F4)  \
	VFMLA V0.TYPE, V1.TYPE, a.TYPE  \
	VFMLA V0.TYPE, V2.TYPE, b.TYPE  \
	VFMLA V0.TYPE, V3.TYPE, c.TYPE  \
	VFMLA V0.TYPE, V4.TYPE, d.TYPE

// func gemvF64NEON(dst, a []float64, rows, cols, stride int, x []float64)
// Requires: NEON
// Registers: see gemv_arm64.h. The file dot_arm64.h describes the registers of a row.
TEXT ·gemvF64NEON(SB), NOSPLIT, $0-96
#include "f64_arm64.h"
#define TERMS DOT_TERMS
#include "gemv_arm64.h"
#include "dot_arm64.h"
#include "tail_f64_arm64.h"
#include "sum_arm64.h"
#include "gemv_end_arm64.h"
#include "clear_arm64.h"

// func gemvF32NEON(dst, a []float32, rows, cols, stride int, x []float32)
// Requires: NEON
// Registers: see gemv_arm64.h. The file dot_arm64.h describes the registers of a row.
TEXT ·gemvF32NEON(SB), NOSPLIT, $0-96
#include "f32_arm64.h"
#define TERMS DOT_TERMS
#include "gemv_arm64.h"
#include "dot_arm64.h"
#include "tail_f32_arm64.h"
#include "sum_arm64.h"
#include "gemv_end_arm64.h"
#include "clear_arm64.h"

// func gemvF32WideNEON(dst []float64, a []float32, rows, cols, stride int, x []float64)
// Requires: NEON
//
// Registers: see gemv_arm64.h. While a row is processed: V0-V3: elements of the row, or the tails
// of the row and x; V4-V7: the row, converted; V8-V11: x; V15: −0; V16-V31: lanes, as in
// dotF64NEON.
TEXT ·gemvF32WideNEON(SB), NOSPLIT, $0-96
#include "f32wide_arm64.h"
#define TERMS DOT_TERMS
#define iterations R5 // remaining iterations

// Adds the products of 8 elements to four registers of lanes. The elements are at offset off from
// nextX (the row) and off2 from nextY (x).
#define MULADD(off, off2, a, b, c, d) \
	FLDPQ off(nextX), (F0, F1)          \
	FLDPQ off2(nextY), (F8, F9)         \
	FLDPQ (off2+32)(nextY), (F10, F11)  \
	FCVTLD2(0, 4); FCVTL2D2(0, 5)       \
	FCVTLD2(1, 6); FCVTL2D2(1, 7)       \
	VFMLA V8.D2, V4.D2, a.D2            \
	VFMLA V9.D2, V5.D2, b.D2            \
	VFMLA V10.D2, V6.D2, c.D2           \
	VFMLA V11.D2, V7.D2, d.D2

// Adds the products of the next 4 elements, like WHOLE of dot_arm64.h.
#define WHOLE(i, a, b, tail) \
	CMP   $(4*(i+1)), left          \
	BLT   tail                      \
	FMOVQ (16*i)(nextX), F4         \
	FLDPQ (32*i)(nextY), (F6, F7)   \
	FCVTL2D2(4, 5); FCVTLD2(4, 4)   \
	VFMLA V6.D2, V4.D2, a.D2        \
	VFMLA V7.D2, V5.D2, b.D2

#include "gemv_arm64.h"
	LANES // lanes = −0; iterations = left/32; left = left mod 32
	LSR  $5, left, iterations
	AND  $31, left
	CBZ  iterations, below32
	PCALIGN $16

loop:
	MULADD(0, 0, V16, V17, V18, V19) // lane[j mod 32] += row[j]·x[j]
	MULADD(32, 64, V20, V21, V22, V23)
	MULADD(64, 128, V24, V25, V26, V27)
	MULADD(96, 192, V28, V29, V30, V31)
	ADD  $128, nextX
	ADD  $256, nextY
	SUBS $1, iterations
	BNE  loop

below32:
	CBZ   left, reduce
	PAD_TAIL // load the tail of the row, up to three elements, and convert it to float64
	LOAD_TAIL_F32(nextX, V0, belowX, loadedX)
	FCVTL2D2(0, 1)
	FCVTLD2(0, 0)
	AND   $28, left, R3 // load the tail of x
	ADD   R3<<3, nextY, R3
	TBZ   $1, left, below2
	FMOVQ (R3), F2
	TBZ   $0, left, loaded
	ADD   $16, R3 // load the third element
	VLD1  (R3), V3.D[0]
	B     loaded

below2:
	TBZ  $0, left, loaded
	VLD1 (R3), V2.D[0]
#include "sum_arm64.h"
#include "gemv_end_arm64.h"
#undef iterations
#undef MULADD
#include "clear_arm64.h"

// func addGemvTF64NEON(dst, a []float64, rows, cols, stride int, c []float64)
// Requires: NEON
// Registers: see gemvt_arm64.h.
TEXT ·addGemvTF64NEON(SB), NOSPLIT, $0-96
#include "f64_arm64.h"
#define ROW ROW64
#define ELEMENT FMOVD (row), F1
#include "gemvt_arm64.h"
#include "clear_arm64.h"

done:
	RET

// func addGemvTF32NEON(dst, a []float32, rows, cols, stride int, c []float32)
// Requires: NEON
// Registers: see gemvt_arm64.h.
TEXT ·addGemvTF32NEON(SB), NOSPLIT, $0-96
#include "f32_arm64.h"
#define ROW ROW64
#define ELEMENT FMOVS (row), F1
#include "gemvt_arm64.h"
#include "clear_arm64.h"
	ADD $4, R0 // advance to the next of up to three columns
	ADD $4, R1
	SUB $1, R3
	B   column

done:
	RET

// func addGemvTF32WideNEON(dst []float64, a []float32, rows, cols, stride int, c []float64)
// Requires: NEON
// Registers: see gemvt_arm64.h.
TEXT ·addGemvTF32WideNEON(SB), NOSPLIT, $0-96
#include "f32wide_arm64.h"
#define ROW(i, a, b, c, d) \
	FLDPQ (32*i)(row), (F1, F2)   \
	FCVTLD2(1, 3); FCVTL2D2(1, 4) \
	FCVTLD2(2, 5); FCVTL2D2(2, 6) \
	VFMLA V0.D2, V3.D2, a.D2      \
	VFMLA V0.D2, V4.D2, b.D2      \
	VFMLA V0.D2, V5.D2, c.D2      \
	VFMLA V0.D2, V6.D2, d.D2
#define ELEMENT FMOVS (row), F1; FCVTLD2(1, 1)
#include "gemvt_arm64.h"
#include "clear_arm64.h"

done:
	RET

// func spmvF32WideNEON(dst []float64, offsets []int, index []int32, value []float32, x []float64) int
// Requires: NEON
//
// Registers: named below.
//
// An iteration adds two elements, each to its lane on the stack. The lanes are added as in gemv.
// The branch at a row's end is often mispredicted, so an odd element is handled without a branch.
// Before the loop, the first element is added to its own lane if the number of elements is odd.
// Otherwise, it is added to a lane that nothing reads, and the loop processes it again. If a column
// is not below blockEnd, it is either invalid or in another block of columns. In the second case,
// the lanes are summed before the element is processed.
TEXT ·spmvF32WideNEON(SB), NOSPLIT, $288-128
#define dst        R0
#define rowsLeft   R1
#define nextOffset R2
#define nextIndex  R3
#define nextValue  R4
#define vector     R5 // address of x
#define columns    R6 // length of x
#define lanes      R7 // address of 32 lanes, and of one that nothing reads
#define rowEnd     R9 // end of the row in index
#define blockEnd   R10 // end of the current block of columns
#define column     R11
#define column2    R12
#define indexes    R13 // address of index
#define odd        R14 // after ANDS: 4 if the number of elements is odd, 0 otherwise
#define total      F30 // sum of the previous blocks

// lane[column mod 32] += value·x[column], where F contains value. If column ≥ blockEnd: goto
// beyond.
#define ADD_LANE(F, beyond) \
	CMP    blockEnd, column         \
	BHS    beyond                   \
	FCVTSD F, F                     \
	FMOVD  (vector)(column<<3), F2  \
	AND    $31, column              \
	FMOVD  (lanes)(column<<3), F3   \
	FMADDD F2, F3, F, F3            \
	FMOVD  F3, (lanes)(column<<3)

	LDP   dst_base+0(FP), (dst, rowsLeft)
	MOVD  offsets_base+24(FP), nextOffset
	MOVD  index_base+48(FP), indexes
	MOVD  value_base+72(FP), nextValue
	LDP   x_base+96(FP), (vector, columns)
	MOVD  RSP, lanes // lanes = address in the frame
	ADD   $16, lanes
	MOVD  ZR, 256(lanes)
	MOVD  $0x8000000000000000, R9 // V31 = −0
	VDUP  R9, V31.D2
	MOVD.P 8(nextOffset), R9 // nextIndex, nextValue = addresses of the first element
	ADD   R9<<2, indexes, nextIndex
	ADD   R9<<2, nextValue
	CBZ   rowsLeft, done

nextRow:
	MOVD.P 8(nextOffset), rowEnd
	ADD    rowEnd<<2, indexes, rowEnd
	FMOVD  ZR, total
	MOVD   ZR, column

nextBlock:
	ORR   $(const_blockLen-1), column // blockEnd = min(end of the block that contains column, columns)
	ADD   $1, column, blockEnd
	CMP   columns, blockEnd
	CSEL  GT, columns, blockEnd, blockEnd
	FSTPQ (F31, F31), (lanes) // lanes = −0
	FSTPQ (F31, F31), 32(lanes)
	FSTPQ (F31, F31), 64(lanes)
	FSTPQ (F31, F31), 96(lanes)
	FSTPQ (F31, F31), 128(lanes)
	FSTPQ (F31, F31), 160(lanes)
	FSTPQ (F31, F31), 192(lanes)
	FSTPQ (F31, F31), 224(lanes)
	SUBS  nextIndex, rowEnd, odd // if the row has no more elements: goto sum
	BEQ   sum
	MOVWU (nextIndex), column // add the first element to its lane or, if the number is even, to lane 32
	CMP   blockEnd, column
	BHS   beyond
	FMOVS (nextValue), F0
	FCVTSD F0, F0
	FMOVD (vector)(column<<3), F2
	AND   $31, column
	MOVD  $32, column2 // lane 32, which nothing reads
	ANDS  $4, odd
	CSEL  EQ, column2, column, column
	FMOVD (lanes)(column<<3), F3
	FMADDD F2, F3, F0, F3
	FMOVD F3, (lanes)(column<<3)
	ADD   odd, nextIndex // skip the first element only if the number is odd
	ADD   odd, nextValue
	B     check
	PCALIGN $16

two:
	LDPW  (nextIndex), (column, column2) // add the next two elements, each to its lane
	FLDPS (nextValue), (F0, F1)
	ADD_LANE(F0, beyond)
	MOVD  column2, column
	ADD_LANE(F1, beyondSecond)
	ADD   $8, nextIndex
	ADD   $8, nextValue

check:
	CMP rowEnd, nextIndex
	BLO two

sum:
	FLDPQ (lanes), (F0, F1) // g₀ and g₁
	FLDPQ 32(lanes), (F2, F3)
	FLDPQ 64(lanes), (F4, F5)
	FLDPQ 96(lanes), (F6, F7)
	FLDPQ 128(lanes), (F16, F17) // g₂ and g₃
	FLDPQ 160(lanes), (F18, F19)
	FLDPQ 192(lanes), (F20, F21)
	FLDPQ 224(lanes), (F22, F23)
	FADDD2(4, 0, 0); FADDD2(5, 1, 1); FADDD2(6, 2, 2); FADDD2(7, 3, 3) // g₀+g₁
	FADDD2(20, 16, 16); FADDD2(21, 17, 17); FADDD2(22, 18, 18); FADDD2(23, 19, 19) // g₂+g₃
	FADDD2(16, 0, 0); FADDD2(17, 1, 1); FADDD2(18, 2, 2); FADDD2(19, 3, 3) // (g₀+g₁)+(g₂+g₃)
	FADDD2(2, 0, 0); FADDD2(3, 1, 1); FADDD2(1, 0, 0) // add halves until one element remains
	FADDPD(0, 0)
	FADDD F0, total, total // total += sum of the block; if elements remain: goto nextBlock
	CMP   rowEnd, nextIndex
	BLO   nextBlock
	FMOVD.P total, 8(dst) // dst[i] = total
	SUBS  $1, rowsLeft
	BNE   nextRow

done:
	MOVD dst_len+8(FP), R2 // return the number of rows before this one
	SUB  rowsLeft, R2
	MOVD R2, ret+120(FP)
	RET

beyondSecond:
	ADD $4, nextIndex // skip the first of the two elements, which was added
	ADD $4, nextValue

beyond:
	CMP columns, column // if the column is valid, it is in another block: goto sum; otherwise this row fails
	BLO sum
	B   done
#undef dst
#undef rowsLeft
#undef nextOffset
#undef nextIndex
#undef nextValue
#undef vector
#undef columns
#undef lanes
#undef rowEnd
#undef blockEnd
#undef column
#undef column2
#undef indexes
#undef odd
#undef total
#undef ADD_LANE

// func addSpmvTF32WideNEON(dst []float64, offsets []int, index []int32, value []float32, c []float64) int
// Requires: NEON
//
// Registers: R0, R1: dst and its length; R2: next offset; R3, R4: next elements of index and value;
// R5: next element of c; R6: remaining rows; R7: address of an element that nothing reads; R9: end
// of the row in index; R11, R12: columns; R13: index; R14: 4 if the number of elements is odd,
// after ANDS; F30: c[i].
//
// An iteration adds two elements. An odd number of elements is handled as in spmvF32WideNEON.
TEXT ·addSpmvTF32WideNEON(SB), NOSPLIT, $32-128
	LDP   dst_base+0(FP), (R0, R1)
	MOVD  offsets_base+24(FP), R2
	MOVD  index_base+48(FP), R13
	MOVD  value_base+72(FP), R4
	LDP   c_base+96(FP), (R5, R6)
	MOVD  RSP, R7 // R7 = address of an element in the frame that nothing reads
	ADD   $16, R7
	MOVD  ZR, (R7)
	MOVD.P 8(R2), R9 // R3, R4 = addresses of the first element
	ADD   R9<<2, R13, R3
	ADD   R9<<2, R4
	CBZ   R6, done

nextRow:
	MOVD.P  8(R2), R9 // load the row's end and c[i]
	ADD     R9<<2, R13, R9
	FMOVD.P 8(R5), F30
	SUBS    R3, R9, R14 // if the row has no elements: goto rowDone
	BEQ     rowDone
	MOVWU   (R3), R11 // add the first element to dst or, if the number is even, to the unread element
	CMP     R1, R11
	BHS     done
	FMOVS   (R4), F0
	FCVTSD  F0, F0
	ADD     R11<<3, R0, R11
	ANDS    $4, R14
	CSEL    EQ, R7, R11, R11
	FMOVD   (R11), F2 // dst[column] += c[i]·value
	FMADDD  F30, F2, F0, F2
	FMOVD   F2, (R11)
	ADD     R14, R3 // skip the first element only if the number is odd
	ADD     R14, R4
	B       check
	PCALIGN $16

two:
	LDPW.P 8(R3), (R11, R12) // dst[column] += c[i]·value for two elements
	FLDPS.P 8(R4), (F0, F1)
	CMP    R1, R11
	BHS    done
	FMOVD  (R0)(R11<<3), F2
	FCVTSD F0, F0
	FCVTSD F1, F1
	FMADDD F30, F2, F0, F2
	FMOVD  F2, (R0)(R11<<3)
	CMP    R1, R12 // the second element, which may have the same column
	BHS    done
	FMOVD  (R0)(R12<<3), F3
	FMADDD F30, F3, F1, F3
	FMOVD  F3, (R0)(R12<<3)

check:
	CMP R9, R3
	BLO two

rowDone:
	SUBS $1, R6
	BNE  nextRow

done:
	MOVD c_len+104(FP), R2 // return the number of rows before this one
	SUB  R6, R2
	MOVD R2, ret+120(FP)
	RET

// func nonzerosF32NEON(index []int32, value, row []float32, first int) int
// Requires: NEON
//
// Registers: R0, R1: next elements of index and value; R2: next element of row; R3: remaining
// elements, minus 16 in the loop; R4: column of the next element; R5: lowest bit of each group of
// four; R6: four bits per element, with the lowest one set if the element is not 0; R7: four times
// the number of an element among 16.
TEXT ·nonzerosF32NEON(SB), NOSPLIT, $0-88
	MOVD index_base+0(FP), R0
	MOVD value_base+24(FP), R1
	LDP  row_base+48(FP), (R2, R3)
	MOVD first+72(FP), R4
	MOVD $0x1111111111111111, R5
	SUBS $16, R3 // if fewer than 16 elements remain: goto tail
	BLT  tail

sixteen:
	FLDPQ (R2), (F0, F1) // V0 … V3 = ones where row[j] = 0
	FLDPQ 32(R2), (F2, F3)
	FCMEQ0S4(0, 0); FCMEQ0S4(1, 1); FCMEQ0S4(2, 2); FCMEQ0S4(3, 3)
	VUZP1 V1.H8, V0.H8, V0.H8 // R6 = four bits per element
	VUZP1 V3.H8, V2.H8, V2.H8
	VUZP1 V2.B16, V0.B16, V0.B16
	SHRNB8(4, 0, 0)
	FMOVD F0, R6
	BICS  R6, R5, R6 // R6 = one bit per element that is not 0
	BEQ   next16

found:
	RBIT   R6, R7 // R7 = position of the lowest bit; clear this bit
	CLZ    R7, R7
	SUB    $1, R6, R8
	AND    R8, R6
	ADD    R7>>2, R4, R9 // append the column to index and the element to value
	MOVWU  (R2)(R7), R8
	MOVW.P R9, 4(R0)
	MOVW.P R8, 4(R1)
	CBNZ   R6, found

next16:
	ADD  $64, R2
	ADD  $16, R4
	SUBS $16, R3 // if at least 16 elements remain: goto sixteen
	BGE  sixteen

tail:
	ADDS $16, R3
	BEQ  done

one:
	MOVWU.P 4(R2), R8 // append one element, unless it is ±0
	TST    $0x7fffffff, R8
	BEQ    zero
	MOVW.P R4, 4(R0)
	MOVW.P R8, 4(R1)

zero:
	ADD  $1, R4
	SUBS $1, R3
	BNE  one

done:
	MOVD index_base+0(FP), R1 // return the number of appended elements
	SUB  R1, R0
	LSR  $2, R0
	MOVD R0, ret+80(FP)
	RET
