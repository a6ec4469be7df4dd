//go:build !purego

#include "textflag.h"
#include "neon_arm64.h"

// ALL compares R4 with −1, which it equals if all bits of V are set.
#define ALL(V) \
	VMOV V.D[0], R4     \
	VMOV V.D[1], R5     \
	AND  R5, R4         \
	CMN  $1, R4

// FLAG sets a bit of R3 unless all bits of V are set.
#define FLAG(V, bit) \
	ALL(V)              \
	CSET NE, R4         \
	ORR  R4<<bit, R3

// FLOAT_KEYS converts the four float32 values in V0 to keys. Adding V16, which is +0, turns −0 into
// +0. All bits of negative numbers except the sign are inverted.
#define FLOAT_KEYS \
	FADDS4(16, 0, 0)                \
	SSHRS4(31, 0, 1)                \
	VUSHR $1, V1.S4, V1.S4          \
	VEOR  V1.B16, V0.B16, V0.B16

// CELL sets R12 to the cell of a key and R13 to the content of the cell. NEXT increments the
// content.
#define CELL(key) \
	SUB R4, key, R12               \
	LSR R5, R12, R12               \
	AND R6, R12, R12               \
	MOVWU (R0)(R12<<2), R13
#define NEXT ADDW $1, R13, R13; MOVW R13, (R0)(R12<<2)

// func scanF64NEON(x []float64) (lo, hi float64, flags uint64)
// Requires: NEON
//
// Registers: named below; V16, V17: least and greatest of each lane, NaN after a NaN; V21-V26:
// more of them. After the block in which both properties are violated, an iteration of 8 elements
// finds only the least and the greatest. A single last element fills both lanes.
TEXT ·scanF64NEON(SB), NOSPLIT, $0-48
#define next    R0  // next element
#define length  R1
#define vectors R2  // vectors of 2 elements left
#define block   R6  // vectors left in a block
#define narrow  V19 // all bits of a lane are set if each element was a float32
#define whole   V20 // and if each element was an integer

// EXTREMES updates a least and a greatest with x.
#define EXTREMES(x, low, high) \
	FMIND2(x, low, low)            \
	FMAXD2(x, high, high)

// SCAN processes 2 elements in V0.
#define SCAN \
	EXTREMES(0, 16, 17)            \
	FCVTND2(0, 1)                  \ // narrow &= x = float32(x)
	FCVTLD2(1, 1)                  \
	FRINTZD2(0, 2)                 \ // whole &= x = trunc(x)
	FCMEQD2(0, 1, 1)               \
	FCMEQD2(0, 2, 2)               \
	VAND  V1.B16, narrow.B16, narrow.B16 \
	VAND  V2.B16, whole.B16, whole.B16

	LDP  x_base+0(FP), (next, length)
	MOVD $0x7ff0000000000000, R2 // least = +Inf, greatest = −Inf
	VDUP R2, V16.D2
	MOVD $0xfff0000000000000, R2
	VDUP R2, V17.D2
	MOVD $-1, R2
	VDUP R2, narrow.D2
	VDUP R2, whole.D2
	LSR  $1, length, vectors

nextBlock:
	CBZ  vectors, tail
	MOVD $32, block // block = min(vectors, 32)
	CMP  vectors, block
	CSEL GT, vectors, block, block
	SUB  block, vectors

loop2:
	FMOVQ (next), F0
	SCAN
	ADD   $16, next
	SUBS  $1, block
	BNE   loop2
	ALL(narrow) // until both properties are violated
	BEQ   nextBlock
	ALL(whole)
	BEQ   nextBlock
	VMOV  V16.B16, V21.B16 // three more least and greatest
	VMOV  V17.B16, V22.B16
	VMOV  V16.B16, V23.B16
	VMOV  V17.B16, V24.B16
	VMOV  V16.B16, V25.B16
	VMOV  V17.B16, V26.B16
	SUBS  $4, vectors
	BLT   join

loop8:
	FLDPQ (next), (F0, F1) // 8 elements at a time
	FLDPQ 32(next), (F2, F3)
	EXTREMES(0, 16, 17)
	EXTREMES(1, 21, 22)
	EXTREMES(2, 23, 24)
	EXTREMES(3, 25, 26)
	ADD   $64, next
	SUBS  $4, vectors
	BGE   loop8

join:
	ADD  $4, vectors // one least and one greatest again
	FMIND2(21, 16, 16)
	FMAXD2(22, 17, 17)
	FMIND2(23, 16, 16)
	FMAXD2(24, 17, 17)
	FMIND2(25, 16, 16)
	FMAXD2(26, 17, 17)
	B    nextBlock

tail:
	TBZ   $0, length, done // a single last element
	VLD1R (next), [V0.D2]
	SCAN

done:
	FCMEQD2(16, 16, 18) // no NaN
	FMINPD(16, 16)
	FMAXPD(17, 17)
	FMOVD F16, lo+24(FP)
	FMOVD F17, hi+32(FP)
	MOVD  ZR, R3 // R3 = hasNaN, hasWide, hasFraction
	FLAG(V18, 0)
	FLAG(narrow, 1)
	FLAG(whole, 2)
	MOVD  R3, flags+40(FP)
	RET
#undef next
#undef length
#undef vectors
#undef block
#undef narrow
#undef whole
#undef EXTREMES
#undef SCAN

// func linearKeysF64NEON(dst []int32, x []float64, mid, scale float64)
// Requires: NEON
//
// Registers: R0: dst; R1: next of x; R2: elements left; V16: mid; V17: scale. An iteration
// processes 4 elements, then one.
TEXT ·linearKeysF64NEON(SB), NOSPLIT, $0-64
// LINEAR_KEYS sets V0 to the keys of the 4 elements in V0 and V1: int32((x − mid)·scale).
#define LINEAR_KEYS \
	FSUBD2(16, 0, 0)               \
	FSUBD2(16, 1, 1)               \
	FMULD2(17, 0, 0)               \
	FMULD2(17, 1, 1)               \
	FCVTZSD2(0, 0)                 \
	FCVTZSD2(1, 1)                 \
	VUZP1 V1.S4, V0.S4, V0.S4

	MOVD dst_base+0(FP), R0
	LDP  x_base+24(FP), (R1, R2)
	MOVD mid+48(FP), R3
	VDUP R3, V16.D2
	MOVD scale+56(FP), R3
	VDUP R3, V17.D2

loop4:
	SUBS  $4, R2 // 4 elements at a time
	BLT   tail
	FLDPQ (R1), (F0, F1)
	LINEAR_KEYS
	FMOVQ F0, (R0)
	ADD   $32, R1 // advance by 4
	ADD   $16, R0
	B     loop4

tail:
	ADDS  $4, R2
	BEQ   done

loop1:
	FMOVD (R1), F0 // then one
	LINEAR_KEYS
	FMOVS F0, (R0)
	ADD   $8, R1
	ADD   $4, R0
	SUBS  $1, R2
	BNE   loop1

done:
	RET
#undef LINEAR_KEYS

// func floatKeysF64NEON(dst []int32, x []float64)
// Requires: NEON
//
// Registers: R0: dst; R1: next of x; R2: elements left; V16: zero. An iteration processes 4
// elements, then one.
TEXT ·floatKeysF64NEON(SB), NOSPLIT, $0-48
	MOVD dst_base+0(FP), R0
	LDP  x_base+24(FP), (R1, R2)
	VEOR V16.B16, V16.B16, V16.B16

loop4:
	SUBS  $4, R2
	BLT   tail
	FLDPQ (R1), (F2, F3) // dst[i] = key of float32(x[i])
	FCVTND2(2, 0)
	FCVTN2D2(3, 0)
	FLOAT_KEYS
	FMOVQ F0, (R0)
	ADD   $32, R1 // advance by 4
	ADD   $16, R0
	B     loop4

tail:
	ADDS $4, R2
	BEQ  done

loop1:
	FMOVD (R1), F2 // dst[i] = key of float32(x[i])
	FCVTND2(2, 0)
	FLOAT_KEYS
	FMOVS F0, (R0)
	ADD   $8, R1
	ADD   $4, R0
	SUBS  $1, R2
	BNE   loop1

done:
	RET

// func floatKeysF32NEON(dst []int32, x []float32) (nan bool)
// Requires: NEON
//
// Registers: R0: dst; R1: next of x; R2: elements left; V16: zero; V17: all bits of a lane are set
// before a NaN. An iteration processes 4 elements, then one.
TEXT ·floatKeysF32NEON(SB), NOSPLIT, $0-49
	MOVD dst_base+0(FP), R0
	LDP  x_base+24(FP), (R1, R2)
	VEOR V16.B16, V16.B16, V16.B16
	MOVD $-1, R3
	VDUP R3, V17.D2

loop4:
	SUBS  $4, R2
	BLT   tail
	FMOVQ (R1), F0 // dst[i] = key of x[i]; V17 &= x[i] = x[i]
	FCMEQS4(0, 0, 2)
	FLOAT_KEYS
	VAND  V2.B16, V17.B16, V17.B16
	FMOVQ F0, (R0)
	ADD   $16, R1 // advance by 4
	ADD   $16, R0
	B     loop4

tail:
	ADDS $4, R2
	BEQ  done

loop1:
	FMOVS (R1), F0 // dst[i] = key of x[i]; V17 &= x[i] = x[i]
	FCMEQS4(0, 0, 2)
	FLOAT_KEYS
	VAND  V2.B16, V17.B16, V17.B16
	FMOVS F0, (R0)
	ADD   $4, R1 // advance by 1
	ADD   $4, R0
	SUBS  $1, R2
	BNE   loop1

done:
	MOVD ZR, R3
	FLAG(V17, 0)
	MOVB R3, nan+48(FP)
	RET

// func packKeysNEON(dst []int64, x, y []int32)
// Requires: NEON
//
// Registers: R0: dst; R1: next of x; R2: elements left; R3: next of y; V16: 2³¹. An iteration
// processes 4 elements, then one.
TEXT ·packKeysNEON(SB), NOSPLIT, $0-72
	MOVD dst_base+0(FP), R0
	LDP  x_base+24(FP), (R1, R2)
	MOVD y_base+48(FP), R3
	MOVD $0x80000000, R4
	VDUP R4, V16.S4

loop4:
	SUBS  $4, R2
	BLT   tail
	FMOVQ (R1), F0 // dst[i] = x[i]·2³² + (y[i] ⊕ 2³¹)
	FMOVQ (R3), F1
	VEOR  V16.B16, V1.B16, V1.B16
	VZIP1 V0.S4, V1.S4, V2.S4
	VZIP2 V0.S4, V1.S4, V3.S4
	FSTPQ (F2, F3), (R0)
	ADD   $16, R1 // advance by 4
	ADD   $16, R3
	ADD   $32, R0
	B     loop4

tail:
	ADDS $4, R2
	BEQ  done

loop1:
	MOVWU (R3), R5 // dst[i] = x[i]·2³² + (y[i] ⊕ 2³¹)
	MOVWU (R1), R6
	EOR   $0x80000000, R5
	ORR   R6<<32, R5
	MOVD  R5, (R0)
	ADD   $4, R1 // advance by 1
	ADD   $4, R3
	ADD   $8, R0
	SUBS  $1, R2
	BNE   loop1

done:
	RET

// func partitionI64NEON(lo, hi, src []int64, pivot int64) int
// Requires: NEON
//
// Registers: R0: lo; R1: hi; R2: next of src; R3: elements left; R4: pivot; R5: elements of lo; R6:
// elements of hi; R7-R10: elements. NEON has no instruction that moves selected lanes to the front.
// So each element is written to the ends of both parts, and only one part advances. An iteration
// reads 4 elements before it writes them, because one part may begin where src does. The last
// elements are processed one at a time.
TEXT ·partitionI64NEON(SB), NOSPLIT, $0-88
// PART writes an element to the ends of both parts and advances the part that it belongs to.
#define PART(R) \
	MOVD  R, (R0)(R5<<3)     \
	MOVD  R, (R1)(R6<<3)     \
	CMP   R4, R              \
	CSINC GE, R5, R5, R5     \
	CSINC LT, R6, R6, R6

	MOVD lo_base+0(FP), R0
	MOVD hi_base+24(FP), R1
	LDP  src_base+48(FP), (R2, R3)
	MOVD pivot+72(FP), R4
	MOVD ZR, R5
	MOVD ZR, R6
	SUBS $4, R3
	BLT  tail
	PCALIGN $16

loop4:
	LDP  (R2), (R7, R8) // 4 elements at a time
	LDP  16(R2), (R9, R10)
	ADD  $32, R2
	PART(R7)
	PART(R8)
	PART(R9)
	PART(R10)
	SUBS $4, R3
	BGE  loop4 // a whole iteration is left

tail:
	ADDS $4, R3
	BEQ  done

loop1:
	MOVD (R2), R7
	ADD  $8, R2
	PART(R7)
	SUBS $1, R3 // then one
	BNE  loop1

done:
	MOVD R5, ret+80(FP)
	RET
#undef PART

// func tallyI64NEON(cells []uint32, keys []int64, lo int64, shift int)
// Requires: NEON
//
// Registers: see keys_arm64.h.
TEXT ·tallyI64NEON(SB), NOSPLIT, $0-64
#define KEY(key) CELL(key); NEXT
	LDP  cells_base+0(FP), (R0, R6)
	LDP  keys_base+24(FP), (R2, R3)
	LDP  lo+48(FP), (R4, R5)
#include "keys_arm64.h"
#undef KEY

// func moveI64NEON(dst []int64, cells []uint32, keys []int64, lo int64, shift int)
// Requires: NEON
//
// Registers: see keys_arm64.h.
TEXT ·moveI64NEON(SB), NOSPLIT, $0-88
#define KEY(key) CELL(key); MOVD key, (R1)(R13<<3); NEXT
	MOVD dst_base+0(FP), R1
	LDP  cells_base+24(FP), (R0, R6)
	LDP  keys_base+48(FP), (R2, R3)
	LDP  lo+72(FP), (R4, R5)
#include "keys_arm64.h"
#undef KEY

// func sortI64NEON(dst, src []int64)
// Requires: NEON
//
// Registers: named below; V0-V15: elements, two to a vector; V27-V31: scratch. The frame contains a
// copy of src, padded to 16, 32 or 64 elements with the greatest number. Networks sort columns of 8
// or 16 rows and merge two columns. For more than 32 elements they do so twice, and the two halves
// are merged as in kernels_order_amd64.s.
//
// NEON has no minimum of 64-bit integers. Two vectors are ordered lane by lane by their saturated
// difference: max(A − B, 0) is subtracted from A and added to B. This orders unsigned numbers, so
// the sign bits of the copy are flipped.
TEXT ·sortI64NEON(SB), NOSPLIT, $528-48
#define dst    R0
#define left   R1 // elements
#define copied R3 // the copy
#define place  R4 // where the copy is read or written
#define end    R5 // its end; first, elements left to copy
#define size   R8 // its length

// ORDER sets A to the lesser and B to the greater element of each lane. ORDER28 does this for A and
// V28, and sets B to the greater elements.
#define ORDER(A, a, B, b) \
	UQSUBD2(b, a, 30)               \
	VSUB V30.D2, A.D2, A.D2         \
	VADD V30.D2, B.D2, B.D2
#define ORDER28(A, a, B) \
	UQSUBD2(28, a, 30)              \
	VSUB V30.D2, A.D2, A.D2         \
	VADD V30.D2, V28.D2, B.D2

// CROSS merges two sorted columns into a lesser and a greater half. A and B are rows at the same
// distance from the first and the last row. The lower elements of each are compared with the upper
// elements of the other.
#define CROSS(A, a, B) \
	VZIP2 A.D2, B.D2, V28.D2        \
	VZIP1 B.D2, A.D2, A.D2          \
	ORDER28(A, a, B)

// TURN orders A with B whose lanes are swapped.
#define TURN(A, a, B) \
	VEXT $8, B.B16, B.B16, V28.B16  \
	ORDER28(A, a, B)

// NEIGHBORS orders the two elements of A, and those of B.
#define NEIGHBORS(A, B) \
	VZIP2 B.D2, A.D2, V28.D2        \
	VZIP1 B.D2, A.D2, V29.D2        \
	UQSUBD2(28, 29, 30)             \
	VADD V30.D2, V28.D2, V31.D2     \
	VSUB V30.D2, V29.D2, V29.D2     \
	VZIP1 V31.D2, V29.D2, A.D2      \
	VZIP2 V31.D2, V29.D2, B.D2

// CLEAN8 sorts a bitonic half of 8 elements, of which element i and element 7−i are in one vector,
// into A, B, D and C.
#define CLEAN8(A, a, B, b, C, D, d) \
	TURN(A, a, D); TURN(B, b, C) \
	TURN(A, a, B); TURN(D, d, C) \
	NEIGHBORS(A, B); NEIGHBORS(D, C)

// FACE orders V with a vector of the greater half, whose lanes are swapped.
#define FACE(V, v, offset) \
	FMOVQ offset(place), F28        \
	VEXT  $8, V28.B16, V28.B16, V28.B16 \
	ORDER28(V, v, V27)              \
	FMOVQ F27, offset(place)

// LOAD8 loads V0 to V7, and LOAD16 loads V0 to V15.
#define LOAD8 \
	FLDPQ 0(place), (F0, F1)        \
	FLDPQ 32(place), (F2, F3)       \
	FLDPQ 64(place), (F4, F5)       \
	FLDPQ 96(place), (F6, F7)
#define LOAD16 \
	LOAD8                           \
	FLDPQ 128(place), (F8, F9)      \
	FLDPQ 160(place), (F10, F11)    \
	FLDPQ 192(place), (F12, F13)    \
	FLDPQ 224(place), (F14, F15)

// ORDER_APART orders V0 to V15 in pairs that lie 1, 2, 4 or 8 vectors apart.
#define ORDER_APART1 \
	ORDER(V0, 0, V1, 1); ORDER(V2, 2, V3, 3); ORDER(V4, 4, V5, 5); ORDER(V6, 6, V7, 7) \
	ORDER(V8, 8, V9, 9); ORDER(V10, 10, V11, 11); ORDER(V12, 12, V13, 13); ORDER(V14, 14, V15, 15)
#define ORDER_APART2 \
	ORDER(V0, 0, V2, 2); ORDER(V1, 1, V3, 3); ORDER(V4, 4, V6, 6); ORDER(V5, 5, V7, 7) \
	ORDER(V8, 8, V10, 10); ORDER(V9, 9, V11, 11); ORDER(V12, 12, V14, 14); ORDER(V13, 13, V15, 15)
#define ORDER_APART4 \
	ORDER(V0, 0, V4, 4); ORDER(V1, 1, V5, 5); ORDER(V2, 2, V6, 6); ORDER(V3, 3, V7, 7) \
	ORDER(V8, 8, V12, 12); ORDER(V9, 9, V13, 13); ORDER(V10, 10, V14, 14); ORDER(V11, 11, V15, 15)
#define ORDER_APART8 \
	ORDER(V0, 0, V8, 8); ORDER(V1, 1, V9, 9); ORDER(V2, 2, V10, 10); ORDER(V3, 3, V11, 11) \
	ORDER(V4, 4, V12, 12); ORDER(V5, 5, V13, 13); ORDER(V6, 6, V14, 14); ORDER(V7, 7, V15, 15)

	MOVD dst_base+0(FP), dst
	LDP  src_base+24(FP), (R2, left)
	CBZ  left, done
	MOVD RSP, copied
	ADD  $16, copied
	MOVD copied, place
	SUBS $2, left, end
	BLT  single

copy:
	LDP.P 16(R2), (R6, R7) // copy 2 elements at a time, as unsigned numbers
	EOR   $(1<<63), R6
	EOR   $(1<<63), R7
	STP.P (R6, R7), 16(place)
	SUBS  $2, end
	BGE   copy

single:
	MOVD  $-1, R6 // the greatest number
	TBZ   $0, left, even
	MOVD  (R2), R7
	EOR   $(1<<63), R7
	STP.P (R7, R6), 16(place)

even:
	MOVD $16, size // size = 16, 32 or 64
	CMP  $16, left
	BLE  fill
	MOVD $32, size
	CMP  $32, left
	BLE  fill
	MOVD $64, size

fill:
	ADD size<<3, copied, end

fill2:
	CMP   end, place // fill up with the greatest number
	BEQ   filled
	STP.P (R6, R6), 16(place)
	B     fill2

filled:
	MOVD copied, place
	CMP  $16, size
	BGT  half
	LOAD8
	// Sort two columns by the 19 comparators for 8 inputs (Knuth, volume 3, 5.3.4).
	ORDER(V0, 0, V2, 2); ORDER(V1, 1, V3, 3); ORDER(V4, 4, V6, 6); ORDER(V5, 5, V7, 7)
	ORDER(V0, 0, V4, 4); ORDER(V1, 1, V5, 5); ORDER(V2, 2, V6, 6); ORDER(V3, 3, V7, 7)
	ORDER(V0, 0, V1, 1); ORDER(V2, 2, V3, 3); ORDER(V4, 4, V5, 5); ORDER(V6, 6, V7, 7)
	ORDER(V2, 2, V4, 4); ORDER(V3, 3, V5, 5)
	ORDER(V1, 1, V4, 4); ORDER(V3, 3, V6, 6)
	ORDER(V1, 1, V2, 2); ORDER(V3, 3, V4, 4); ORDER(V5, 5, V6, 6)
	CROSS(V0, 0, V7); CROSS(V1, 1, V6) // merge the columns
	CROSS(V2, 2, V5); CROSS(V3, 3, V4)
	CLEAN8(V0, 0, V1, 1, V2, V3, 3)
	CLEAN8(V7, 7, V6, 6, V5, V4, 4)
	FSTPQ (F0, F1), 0(place) // the 16 elements
	FSTPQ (F3, F2), 32(place)
	FSTPQ (F7, F6), 64(place)
	FSTPQ (F4, F5), 96(place)
	B    write

half:
	LOAD16
	// Sort two columns by Green's 60 comparators for 16 inputs (same place).
	ORDER_APART1
	ORDER_APART2
	ORDER_APART4
	ORDER_APART8 // V0 and V15 are in their places
	ORDER(V1, 1, V2, 2); ORDER(V3, 3, V12, 12); ORDER(V13, 13, V14, 14); ORDER(V7, 7, V11, 11)
	ORDER(V4, 4, V8, 8); ORDER(V5, 5, V10, 10); ORDER(V6, 6, V9, 9)
	ORDER(V1, 1, V4, 4); ORDER(V7, 7, V13, 13); ORDER(V2, 2, V8, 8); ORDER(V11, 11, V14, 14) // then V1 and V14
	ORDER(V2, 2, V4, 4); ORDER(V5, 5, V6, 6); ORDER(V9, 9, V10, 10); ORDER(V11, 11, V13, 13)
	ORDER(V3, 3, V8, 8); ORDER(V7, 7, V12, 12)
	ORDER(V6, 6, V8, 8); ORDER(V10, 10, V12, 12); ORDER(V3, 3, V5, 5); ORDER(V7, 7, V9, 9)
	ORDER(V3, 3, V4, 4); ORDER(V5, 5, V6, 6); ORDER(V7, 7, V8, 8)
	ORDER(V9, 9, V10, 10); ORDER(V11, 11, V12, 12)
	ORDER(V6, 6, V7, 7); ORDER(V8, 8, V9, 9)
	CROSS(V0, 0, V15); CROSS(V1, 1, V14) // merge the columns
	CROSS(V2, 2, V13); CROSS(V3, 3, V12)
	CROSS(V4, 4, V11); CROSS(V5, 5, V10)
	CROSS(V6, 6, V9); CROSS(V7, 7, V8)
	TURN(V0, 0, V7); TURN(V1, 1, V6) // two bitonic parts of each half
	TURN(V2, 2, V5); TURN(V3, 3, V4)
	TURN(V15, 15, V8); TURN(V14, 14, V9)
	TURN(V13, 13, V10); TURN(V12, 12, V11)
	CLEAN8(V0, 0, V1, 1, V2, V3, 3) // sort the parts
	CLEAN8(V7, 7, V6, 6, V5, V4, 4)
	CLEAN8(V15, 15, V14, 14, V13, V12, 12)
	CLEAN8(V8, 8, V9, 9, V10, V11, 11)
	FSTPQ (F0, F1), 0(place) // the 32 elements
	FSTPQ (F3, F2), 32(place)
	FSTPQ (F7, F6), 64(place)
	FSTPQ (F4, F5), 96(place)
	FSTPQ (F15, F14), 128(place)
	FSTPQ (F12, F13), 160(place)
	FSTPQ (F8, F9), 192(place)
	FSTPQ (F11, F10), 224(place)
	ADD  $256, place // the other half, if there is one
	CMP  end, place
	BNE  half
	MOVD copied, place
	CMP  $32, size
	BEQ  write

	LOAD16 // merge: the first half against the reverse of the second
	FACE(V0, 0, 496); FACE(V1, 1, 480)
	FACE(V2, 2, 464); FACE(V3, 3, 448)
	FACE(V4, 4, 432); FACE(V5, 5, 416)
	FACE(V6, 6, 400); FACE(V7, 7, 384)
	FACE(V8, 8, 368); FACE(V9, 9, 352)
	FACE(V10, 10, 336); FACE(V11, 11, 320)
	FACE(V12, 12, 304); FACE(V13, 13, 288) // then each half is bitonic
	FACE(V14, 14, 272); FACE(V15, 15, 256)
	B    clean

load:
	LOAD16

clean:
	ORDER_APART8 // sort a bitonic half
	ORDER_APART4
	ORDER_APART2
	ORDER_APART1
	NEIGHBORS(V0, V1); NEIGHBORS(V2, V3)
	NEIGHBORS(V4, V5); NEIGHBORS(V6, V7)
	NEIGHBORS(V8, V9); NEIGHBORS(V10, V11)
	NEIGHBORS(V12, V13); NEIGHBORS(V14, V15)
	FSTPQ (F0, F1), 0(place) // the 32 elements
	FSTPQ (F2, F3), 32(place)
	FSTPQ (F4, F5), 64(place)
	FSTPQ (F6, F7), 96(place)
	FSTPQ (F8, F9), 128(place)
	FSTPQ (F10, F11), 160(place)
	FSTPQ (F12, F13), 192(place)
	FSTPQ (F14, F15), 224(place)
	ADD  $256, place // the other half
	CMP  end, place
	BNE  load

write:
	SUBS $2, left
	BLT  last

write2:
	LDP.P 16(copied), (R6, R7) // write 2 elements at a time, as signed numbers
	EOR   $(1<<63), R6
	EOR   $(1<<63), R7
	STP.P (R6, R7), 16(dst)
	SUBS  $2, left
	BGE   write2

last:
	TBZ  $0, left, done // a single last element
	MOVD (copied), R6
	EOR  $(1<<63), R6
	MOVD R6, (dst)

done:
	RET
#undef dst
#undef left
#undef copied
#undef place
#undef end
#undef size
#undef ORDER
#undef ORDER28
#undef CROSS
#undef TURN
#undef NEIGHBORS
#undef CLEAN8
#undef FACE
#undef LOAD8
#undef LOAD16
#undef ORDER_APART1
#undef ORDER_APART2
#undef ORDER_APART4
#undef ORDER_APART8

// splitBits is the value with bit k set in lane k of 8.
DATA splitBits<>+0x00(SB)/8, $0x0000000200000001
DATA splitBits<>+0x08(SB)/8, $0x0000000800000004
DATA splitBits<>+0x10(SB)/8, $0x0000002000000010
DATA splitBits<>+0x18(SB)/8, $0x0000008000000040
GLOBL splitBits<>(SB), RODATA|NOPTR, $32

// func splitKeysNEON(y []int32, newX, newKey []uint8, keys []int64)
// Requires: NEON
//
// Registers: R0: y; R1: keys left; R2: newX; R3: newKey; R4: key before the next; V16: 2³¹; V18,
// V19: splitBits. An iteration processes 8 keys and stores a byte of bits. The tail processes one
// key at a time and collects its bits in R7 and R8; R9 is the bit of the key.
TEXT ·splitKeysNEON(SB), NOSPLIT, $0-96
// STORE_BITS stores a byte in which bit k is set if lane k of V0 and V1 is nonzero, and increments
// R.
#define STORE_BITS(R, V0, V1) \
	VCMTST V0.S4, V0.S4, V10.S4      \
	VCMTST V1.S4, V1.S4, V11.S4      \
	VAND   V18.B16, V10.B16, V10.B16 \
	VAND   V19.B16, V11.B16, V11.B16 \
	VADD   V11.S4, V10.S4, V10.S4    \
	VADDV  V10.S4, V10               \
	VMOV   V10.S[0], R6              \
	MOVB   R6, (R)                   \
	ADD    $1, R

	LDP   y_base+0(FP), (R0, R1)
	MOVD  newX_base+24(FP), R2
	MOVD  newKey_base+48(FP), R3
	MOVD  keys_base+72(FP), R4
	MOVD  $0x80000000, R5 // constants
	VDUP  R5, V16.S4
	MOVD  $splitBits<>(SB), R5
	FLDPQ (R5), (F18, F19)

loop8:
	SUBS  $8, R1
	BLT   tail
	FLDPQ (R4), (F0, F1) // V0-V3 = the keys before, V4-V7 = 8 keys
	FLDPQ 32(R4), (F2, F3)
	ADD   $8, R4, R5
	FLDPQ (R5), (F4, F5)
	FLDPQ 32(R5), (F6, F7)
	VUZP1 V5.S4, V4.S4, V8.S4 // y[i] = lower half ⊕ 2³¹
	VUZP1 V7.S4, V6.S4, V9.S4
	VEOR  V16.B16, V8.B16, V8.B16
	VEOR  V16.B16, V9.B16, V9.B16
	FSTPQ (F8, F9), (R0)
	VEOR  V0.B16, V4.B16, V0.B16 // key ⊕ the key before
	VEOR  V1.B16, V5.B16, V1.B16
	VEOR  V2.B16, V6.B16, V2.B16
	VEOR  V3.B16, V7.B16, V3.B16
	VUZP2 V1.S4, V0.S4, V4.S4 // V4, V5 = its upper halves, V6, V7 = its lower ones
	VUZP2 V3.S4, V2.S4, V5.S4
	VUZP1 V1.S4, V0.S4, V6.S4
	VUZP1 V3.S4, V2.S4, V7.S4
	VORR  V4.B16, V6.B16, V6.B16 // V6, V7 = both halves
	VORR  V5.B16, V7.B16, V7.B16
	STORE_BITS(R2, V4, V5)
	STORE_BITS(R3, V6, V7)
	ADD   $32, R0
	ADD   $64, R4
	B     loop8

tail:
	ADDS $8, R1
	BEQ  done
	MOVD ZR, R7 // no bits
	MOVD ZR, R8
	MOVD $1, R9

loop1:
	LDP  (R4), (R5, R6) // R5 = key ⊕ the key before; y[i] = lower half ⊕ 2³¹
	EOR  R6, R5
	EOR  $0x80000000, R6
	MOVW R6, (R0)
	CMP  $0, R5 // if R5 ≠ 0: R8 |= bit
	CSEL NE, R9, ZR, R6
	ORR  R6, R8
	LSR  $32, R5 // if R5 >> 32 ≠ 0: R7 |= bit
	CMP  $0, R5
	CSEL NE, R9, ZR, R6
	ORR  R6, R7
	LSL  $1, R9 // advance by a bit and a key
	ADD  $4, R0
	ADD  $8, R4
	SUBS $1, R1
	BNE  loop1
	MOVB R7, (R2)
	MOVB R8, (R3)

done:
	RET
#undef STORE_BITS

// func partitionCountI32NEON(lo, hi, src []int32, pivot int32) (n int, positions int64)
// Requires: NEON
//
// Registers: R0: lo; R1: hi; R2: next of src; R3: elements left; R4: pivot; R5: elements of lo, n;
// R6: elements of hi; R7-R10: elements; R11: Σ n after each element; R12: len(src). It partitions
// like partitionI64NEON. An element of lo at position i counts in the last len(src) − i terms of
// R11, so positions = n·len(src) − R11.
TEXT ·partitionCountI32NEON(SB), NOSPLIT, $0-96
// PART writes an element to the ends of both parts, advances the part that it belongs to, and adds
// n to R11.
#define PART(R) \
	MOVW  R, (R0)(R5<<2)     \
	MOVW  R, (R1)(R6<<2)     \
	CMPW  R4, R              \
	CSINC GE, R5, R5, R5     \
	CSINC LT, R6, R6, R6     \
	ADD   R5, R11

	MOVD lo_base+0(FP), R0
	MOVD hi_base+24(FP), R1
	LDP  src_base+48(FP), (R2, R3)
	MOVW pivot+72(FP), R4
	MOVD R3, R12
	MOVD ZR, R5 // nothing counted
	MOVD ZR, R6
	MOVD ZR, R11
	SUBS $4, R3
	BLT  tail
	PCALIGN $16

loop4:
	LDPW (R2), (R7, R8) // 4 elements at a time
	LDPW 8(R2), (R9, R10)
	ADD  $16, R2
	PART(R7)
	PART(R8)
	PART(R9)
	PART(R10)
	SUBS $4, R3
	BGE  loop4 // a whole iteration is left

tail:
	ADDS $4, R3
	BEQ  done

loop1:
	MOVW (R2), R7
	ADD  $4, R2
	PART(R7)
	SUBS $1, R3 // then one
	BNE  loop1

done:
	MUL  R5, R12 // n·len(src) − Σ n
	SUB  R11, R12
	MOVD R5, n+80(FP)
	MOVD R12, positions+88(FP)
	RET
#undef PART

// func inversionsI32NEON(a []int32) (inversions, equal int64)
// Requires: NEON
//
// Registers: R0: a; R1: elements left; R2: the next 4; R3: 4 earlier ones; V0: the 4; V16, V17:
// their inversions and equal pairs; V18, V19: the totals; V20: 0 to 3; V21-V23: the lanes above
// 0, 1 and 2; V24: the lanes that hold an element. Each 4 elements are compared with every earlier
// one, and with each other. Masks are −1, so they are subtracted from counts.
TEXT ·inversionsI32NEON(SB), NOSPLIT, $0-40
// COUNT_LANE compares lane t of V0 with the lanes of V0 in set.
#define COUNT_LANE(t, set) \
	VDUP  V0.S[t], V1.S4          \
	CMGTS4(0, 1, 2)               \
	VCMEQ V0.S4, V1.S4, V3.S4     \
	VAND  set.B16, V2.B16, V2.B16 \
	VAND  set.B16, V3.B16, V3.B16 \
	VSUB  V2.S4, V16.S4, V16.S4   \
	VSUB  V3.S4, V17.S4, V17.S4

	LDP   a_base+0(FP), (R0, R1)
	VEOR  V18.B16, V18.B16, V18.B16
	VEOR  V19.B16, V19.B16, V19.B16
	MOVD  $github·com∕simdrank∕simdrank∕internal∕kern·Iota(SB), R4
	FMOVQ (R4), F20
	VEOR  V1.B16, V1.B16, V1.B16 // V21 = lane > 0, V22 = lane > 1, V23 = lane > 2
	CMGTS4(1, 20, 21)
	MOVD  $1, R4
	VDUP  R4, V1.S4
	CMGTS4(1, 20, 22)
	MOVD  $2, R4
	VDUP  R4, V1.S4
	CMGTS4(1, 20, 23)
	MOVD  R0, R2 // element 0
	CBZ   R1, done

block:
	VDUP  R1, V1.S4 // V24 = lane < elements left; V0 = the 4 elements
	CMGTS4(20, 1, 24)
	CMP   $4, R1
	BLT   cut
	FMOVQ (R2), F0
	B     loaded

cut:
	VEOR  V0.B16, V0.B16, V0.B16 // 2 or 3 elements
	TBZ   $1, R1, one
	FMOVD (R2), F0
	TBZ   $0, R1, loaded
	ADD   $8, R2, R3
	VLD1  (R3), V0.S[2]
	B     loaded

one:
	FMOVS (R2), F0

loaded:
	VEOR V16.B16, V16.B16, V16.B16 // among the 4
	VEOR V17.B16, V17.B16, V17.B16
	COUNT_LANE(0, V21)
	COUNT_LANE(1, V22)
	COUNT_LANE(2, V23)
	MOVD R0, R3
	CMP  R3, R2
	BEQ  counted

earlier:
	FMOVQ.P 16(R3), F6 // V1, V4, V5, V6 = each of 4 earlier elements
	VDUP    V6.S[0], V1.S4
	VDUP    V6.S[1], V4.S4
	VDUP    V6.S[2], V5.S4
	VDUP    V6.S[3], V6.S4
	CMGTS4(0, 1, 2) // V2, V3, V7, V8 = earlier > V0
	CMGTS4(0, 4, 3)
	CMGTS4(0, 5, 7)
	CMGTS4(0, 6, 8)
	VCMEQ   V0.S4, V1.S4, V1.S4 // V1, V4, V5, V6 = earlier = V0
	VCMEQ   V0.S4, V4.S4, V4.S4
	VCMEQ   V0.S4, V5.S4, V5.S4
	VCMEQ   V0.S4, V6.S4, V6.S4
	VADD    V3.S4, V2.S4, V2.S4 // sums of four
	VADD    V8.S4, V7.S4, V7.S4
	VADD    V4.S4, V1.S4, V1.S4
	VADD    V6.S4, V5.S4, V5.S4
	VADD    V7.S4, V2.S4, V2.S4
	VADD    V5.S4, V1.S4, V1.S4
	VSUB    V2.S4, V16.S4, V16.S4 // inversions and equal pairs
	VSUB    V1.S4, V17.S4, V17.S4
	CMP     R3, R2
	BNE     earlier

counted:
	VAND V24.B16, V16.B16, V16.B16 // only lanes that hold an element
	VAND V24.B16, V17.B16, V17.B16
	VADD V16.S4, V18.S4, V18.S4
	VADD V17.S4, V19.S4, V19.S4
	ADD  $16, R2 // next 4 elements
	SUBS $4, R1
	BGT  block

done:
	VADDV V18.S4, V18 // all lanes
	VADDV V19.S4, V19
	VMOV  V18.S[0], R2
	VMOV  V19.S[0], R3
	MOVD  R2, inversions+24(FP)
	MOVD  R3, equal+32(FP)
	RET
#undef COUNT_LANE

// func countPairsF64NEON(x, y []float64) (concordant, discordant, untiedX, untiedY int64)
// Requires: NEON
//
// Registers: named below; V0, V1: 4 elements of x; V2, V3: 4 of y; V4, V5: x and y of one earlier
// element in both lanes; V6-V10: masks. Each 4 elements are compared with every earlier one, and
// with each other. The tail processes one element at a time, in one lane. Masks are −1, so they are
// subtracted from counts.
TEXT ·countPairsF64NEON(SB), NOSPLIT, $0-80
#define allX       R0
#define allY       R2
#define length     R1
#define nextX      R3 // next elements
#define nextY      R4
#define earlierX   R5 // earlier elements
#define earlierY   R6
#define left       R7  // elements left
#define tiesX      V16 // ties in x
#define tiesY      V17 // in y
#define ties       V18 // in either; V19 counts discordant pairs
#define upper      V20 // the upper lane

// COMPARE computes masks for the earlier element and two elements v of x and w of y. V6 and V7 are
// ties in x and y, V10 is ties in either, and V8 is discordant pairs, which have opposite orders in
// x and y and no ties.
#define COMPARE(v, w) \
	FCMEQD2(v, 4, 6)                \
	FCMEQD2(w, 5, 7)                \
	FCMGTD2(v, 4, 8)                \
	FCMGTD2(w, 5, 9)                \
	VORR V7.B16, V6.B16, V10.B16    \
	VEOR V9.B16, V8.B16, V8.B16     \
	BIC16(10, 8, 8)

// COUNT adds the masks to the counts. UPPER clears the masks of the lower lane.
#define COUNT \
	VSUB V6.D2, tiesX.D2, tiesX.D2  \
	VSUB V7.D2, tiesY.D2, tiesY.D2  \
	VSUB V10.D2, ties.D2, ties.D2   \
	VSUB V8.D2, V19.D2, V19.D2
#define UPPER \
	VAND upper.B16, V6.B16, V6.B16  \
	VAND upper.B16, V7.B16, V7.B16  \
	VAND upper.B16, V8.B16, V8.B16  \
	VAND upper.B16, V10.B16, V10.B16

// EARLIER loads the next earlier element.
#define EARLIER \
	VLD1R.P 8(earlierX), [V4.D2] \
	VLD1R.P 8(earlierY), [V5.D2]

	LDP  x_base+0(FP), (allX, length)
	MOVD y_base+24(FP), allY
	VEOR tiesX.B16, tiesX.B16, tiesX.B16
	VEOR tiesY.B16, tiesY.B16, tiesY.B16
	VEOR ties.B16, ties.B16, ties.B16
	VEOR V19.B16, V19.B16, V19.B16
	VEOR upper.B16, upper.B16, upper.B16 // only the upper lane
	MOVD $-1, R5
	VMOV R5, upper.D[1]
	MOVD allX, nextX // element 0
	MOVD allY, nextY
	MOVD length, left

block4:
	SUBS  $4, left
	BLT   tail
	FLDPQ (nextX), (F0, F1)
	FLDPQ (nextY), (F2, F3)
	VDUP  V0.D[0], V4.D2 // element 0 with 2, 3 and 1
	VDUP  V2.D[0], V5.D2
	COMPARE(1, 3); COUNT
	COMPARE(0, 2); UPPER; COUNT
	VDUP  V0.D[1], V4.D2 // element 1 with 2 and 3
	VDUP  V2.D[1], V5.D2
	COMPARE(1, 3); COUNT
	VDUP  V1.D[0], V4.D2 // element 2 with 3
	VDUP  V3.D[0], V5.D2
	COMPARE(1, 3); UPPER; COUNT
	MOVD  allX, earlierX
	MOVD  allY, earlierY
	CMP   earlierX, nextX
	BEQ   next4

earlier4:
	EARLIER // each earlier element with all 4
	COMPARE(0, 2); COUNT
	COMPARE(1, 3); COUNT
	CMP earlierX, nextX
	BNE earlier4

next4:
	ADD $32, nextX // advance by 4
	ADD $32, nextY
	B   block4

tail:
	ADDS $4, left
	BEQ  done

block1:
	FMOVD (nextX), F0 // V0, V2 = one element, twice
	VDUP  V0.D[0], V0.D2
	FMOVD (nextY), F2
	VDUP  V2.D[0], V2.D2
	MOVD  allX, earlierX
	MOVD  allY, earlierY
	CMP   earlierX, nextX
	BEQ   next1

earlier1:
	EARLIER // each earlier element with this one
	COMPARE(0, 2); UPPER; COUNT
	CMP earlierX, nextX
	BNE earlier1

next1:
	ADD  $8, nextX
	ADD  $8, nextY
	SUBS $1, left
	BNE  block1

done:
	VADDP tiesX.D2, tiesX.D2, tiesX.D2 // both lanes
	VADDP tiesY.D2, tiesY.D2, tiesY.D2
	VADDP ties.D2, ties.D2, ties.D2
	VADDP V19.D2, V19.D2, V19.D2
	VMOV  tiesX.D[0], R3
	VMOV  tiesY.D[0], R4
	VMOV  ties.D[0], R5
	VMOV  V19.D[0], R6 // discordant
	SUB   $1, length, R7 // R7 = n(n−1)/2 pairs
	MUL   length, R7
	LSR   $1, R7
	SUB   R3, R7, R3 // untied = pairs − ties; concordant = pairs − ties in either − discordant
	SUB   R4, R7, R4
	SUB   R5, R7, R5
	SUB   R6, R5, R5
	MOVD  R5, concordant+48(FP)
	MOVD  R6, discordant+56(FP)
	MOVD  R3, untiedX+64(FP)
	MOVD  R4, untiedY+72(FP)
	RET
#undef allX
#undef allY
#undef length
#undef nextX
#undef nextY
#undef earlierX
#undef earlierY
#undef left
#undef tiesX
#undef tiesY
#undef ties
#undef upper
#undef COMPARE
#undef COUNT
#undef UPPER
#undef EARLIER

// func filterI32NEON(dst, keys []int32, filter []uint64) int
// Requires: NEON
//
// Registers: R0: dst; R1: next key; R2: keys left; R3: filter; R4: the last of its words; R5:
// position of the next key; R6: positions found; R7, R8, R10, R11: keys. An iteration processes 4
// keys without a branch, then one.
TEXT ·filterI32NEON(SB), NOSPLIT, $0-80
// FILTER stores the next position, and counts it if a key passes.
#define FILTER(key) \
	LSR  $6, key, R9     \ // word = filter[key >> 6 & last]
	AND  R4, R9          \
	MOVD (R3)(R9<<3), R9 \
	MOVW R5, (R0)(R6<<2) \
	LSR  key, R9         \ // found += word >> (key mod 64) & 1
	ADD  $1, R5          \
	AND  $1, R9          \
	ADD  R9, R6

	MOVD dst_base+0(FP), R0
	LDP  keys_base+24(FP), (R1, R2)
	LDP  filter_base+48(FP), (R3, R4)
	SUB  $1, R4
	MOVD ZR, R5
	MOVD ZR, R6
	SUBS $4, R2
	BLT  tail
	PCALIGN $16

loop4:
	LDPW (R1), (R7, R8) // 4 keys at a time
	LDPW 8(R1), (R10, R11)
	ADD  $16, R1
	FILTER(R7)
	FILTER(R8)
	FILTER(R10)
	FILTER(R11)
	SUBS $4, R2
	BGE  loop4 // a whole iteration is left

tail:
	ADDS $4, R2
	BEQ  done

loop1:
	MOVWU (R1), R7
	ADD  $4, R1
	FILTER(R7)
	SUBS $1, R2 // then one
	BNE  loop1

done:
	MOVD R6, ret+72(FP)
	RET
#undef FILTER
