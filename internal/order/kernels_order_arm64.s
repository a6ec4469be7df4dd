//go:build !purego

#include "textflag.h"
#include "neon_arm64.h"

// The order kernels for NEON.

// The least and the greatest of each lane so far, NaNs once there was one.
#define LEAST(x, lo, hi) \
	FMIND2(x, lo, lo)              \
	FMAXD2(x, hi, hi)

// For a step of two float64 in V0: least and greatest in V16 and V17; V19 and V20 keep the bits of
// the lanes that were always a float32, always an integer.
#define SCAN \
	LEAST(0, 16, 17)               \
	FCVTND2(0, 1)                  \
	FCVTLD2(1, 1)                  \
	FRINTZD2(0, 2)                 \
	FCMEQD2(0, 1, 1)               \
	FCMEQD2(0, 2, 2)               \
	VAND  V1.B16, V19.B16, V19.B16 \
	VAND  V2.B16, V20.B16, V20.B16

// Compares R4 with −1, which it is where every lane of V has all its bits.
#define ALL(V) \
	VMOV V.D[0], R4     \
	VMOV V.D[1], R5     \
	AND  R5, R4         \
	CMN  $1, R4

// Sets bit of R3 unless every lane of V has all its bits.
#define FLAG(V, bit) \
	ALL(V)              \
	CSET NE, R4         \
	ORR  R4<<bit, R3

// func scanF64NEON(x []float64) (lo, hi float64, flags uint64)
// Requires: NEON
//
// R0 x, R1 elements, R2 vectors left, R6 those of a block. After a block with a value that is no
// float32 and one that is no integer, eight elements a step look for the least and the greatest
// alone, in V16 and V17 and in V21 to V26. A last single element fills both lanes.
TEXT ·scanF64NEON(SB), NOSPLIT, $0-48
	LDP  x_base+0(FP), (R0, R1)
	MOVD $0x7ff0000000000000, R2
	VDUP R2, V16.D2
	MOVD $0xfff0000000000000, R2
	VDUP R2, V17.D2
	MOVD $-1, R2
	VDUP R2, V19.D2
	VDUP R2, V20.D2
	LSR  $1, R1, R2

block:
	CBZ  R2, left
	MOVD $32, R6
	CMP  R2, R6
	CSEL GT, R2, R6, R6
	SUB  R6, R2

loop2:
	FMOVQ (R0), F0
	SCAN
	ADD   $16, R0
	SUBS  $1, R6
	BNE   loop2
	ALL(V19)
	BEQ   block
	ALL(V20)
	BEQ   block
	VMOV  V16.B16, V21.B16
	VMOV  V17.B16, V22.B16
	VMOV  V16.B16, V23.B16
	VMOV  V17.B16, V24.B16
	VMOV  V16.B16, V25.B16
	VMOV  V17.B16, V26.B16
	SUBS  $4, R2
	BLT   rest

loop8:
	FLDPQ (R0), (F0, F1)
	FLDPQ 32(R0), (F2, F3)
	LEAST(0, 16, 17)
	LEAST(1, 21, 22)
	LEAST(2, 23, 24)
	LEAST(3, 25, 26)
	ADD   $64, R0
	SUBS  $4, R2
	BGE   loop8

rest:
	ADD  $4, R2
	FMIND2(21, 16, 16)
	FMAXD2(22, 17, 17)
	FMIND2(23, 16, 16)
	FMAXD2(24, 17, 17)
	FMIND2(25, 16, 16)
	FMAXD2(26, 17, 17)
	B    block

left:
	TBZ   $0, R1, done
	VLD1R (R0), [V0.D2]
	SCAN

done:
	FCMEQD2(16, 16, 18)
	FMINPD(16, 16)
	FMAXPD(17, 17)
	FMOVD F16, lo+24(FP)
	FMOVD F17, hi+32(FP)
	MOVD  ZR, R3
	FLAG(V18, 0)
	FLAG(V19, 1)
	FLAG(V20, 2)
	MOVD  R3, flags+40(FP)
	RET

// V0 and V1 to the keys of their four elements, in V0.
#define LINEAR_KEYS \
	FSUBD2(16, 0, 0)               \
	FSUBD2(16, 1, 1)               \
	FMULD2(17, 0, 0)               \
	FMULD2(17, 1, 1)               \
	FCVTZSD2(0, 0)                 \
	FCVTZSD2(1, 1)                 \
	VUZP1 V1.S4, V0.S4, V0.S4

// func linearKeysF64NEON(dst []int32, x []float64, mid, scale float64)
// Requires: NEON
//
// R0 dst, R1 x, R2 elements left; V16 mid, V17 scale. Steps of 4, then of 1.
TEXT ·linearKeysF64NEON(SB), NOSPLIT, $0-64
	MOVD dst_base+0(FP), R0
	LDP  x_base+24(FP), (R1, R2)
	MOVD mid+48(FP), R3
	VDUP R3, V16.D2
	MOVD scale+56(FP), R3
	VDUP R3, V17.D2

loop4:
	SUBS  $4, R2
	BLT   left
	FLDPQ (R1), (F0, F1)
	LINEAR_KEYS
	FMOVQ F0, (R0)
	ADD   $32, R1
	ADD   $16, R0
	B     loop4

left:
	ADDS  $4, R2
	BEQ   done

loop1:
	FMOVD (R1), F0
	LINEAR_KEYS
	FMOVS F0, (R0)
	ADD   $8, R1
	ADD   $4, R0
	SUBS  $1, R2
	BNE   loop1

done:
	RET

// The four float32 in V0 to keys: adding V16, which is +0, makes +0 of −0, and
// negative numbers have all bits but the sign inverted.
#define FLOAT_KEYS \
	FADDS4(16, 0, 0)                \
	SSHRS4(31, 0, 1)                \
	VUSHR $1, V1.S4, V1.S4          \
	VEOR  V1.B16, V0.B16, V0.B16

// func floatKeysF64NEON(dst []int32, x []float64)
// Requires: NEON
//
// R0 dst, R1 x, R2 elements left. Steps of 4, then of 1.
TEXT ·floatKeysF64NEON(SB), NOSPLIT, $0-48
	MOVD dst_base+0(FP), R0
	LDP  x_base+24(FP), (R1, R2)
	VEOR V16.B16, V16.B16, V16.B16

loop4:
	SUBS  $4, R2
	BLT   left
	FLDPQ (R1), (F2, F3)
	FCVTND2(2, 0)
	FCVTN2D2(3, 0)
	FLOAT_KEYS
	FMOVQ F0, (R0)
	ADD   $32, R1
	ADD   $16, R0
	B     loop4

left:
	ADDS $4, R2
	BEQ  done

loop1:
	FMOVD (R1), F2
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
// R0 dst, R1 x, R2 elements left; V17 keeps the bits of the lanes that were never a NaN.
TEXT ·floatKeysF32NEON(SB), NOSPLIT, $0-49
	MOVD dst_base+0(FP), R0
	LDP  x_base+24(FP), (R1, R2)
	VEOR V16.B16, V16.B16, V16.B16
	MOVD $-1, R3
	VDUP R3, V17.D2

loop4:
	SUBS  $4, R2
	BLT   left
	FMOVQ (R1), F0
	FCMEQS4(0, 0, 2)
	FLOAT_KEYS
	VAND  V2.B16, V17.B16, V17.B16
	FMOVQ F0, (R0)
	ADD   $16, R1
	ADD   $16, R0
	B     loop4

left:
	ADDS $4, R2
	BEQ  done

loop1:
	FMOVS (R1), F0
	FCMEQS4(0, 0, 2)
	FLOAT_KEYS
	VAND  V2.B16, V17.B16, V17.B16
	FMOVS F0, (R0)
	ADD   $4, R1
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
// R0 dst, R1 x, R2 elements left, R3 y; V16 the sign bit. Steps of 4, then of 1.
TEXT ·packKeysNEON(SB), NOSPLIT, $0-72
	MOVD dst_base+0(FP), R0
	LDP  x_base+24(FP), (R1, R2)
	MOVD y_base+48(FP), R3
	MOVD $0x80000000, R4
	VDUP R4, V16.S4

loop4:
	SUBS  $4, R2
	BLT   left
	FMOVQ (R1), F0
	FMOVQ (R3), F1
	VEOR  V16.B16, V1.B16, V1.B16
	VZIP1 V0.S4, V1.S4, V2.S4
	VZIP2 V0.S4, V1.S4, V3.S4
	FSTPQ (F2, F3), (R0)
	ADD   $16, R1
	ADD   $16, R3
	ADD   $32, R0
	B     loop4

left:
	ADDS $4, R2
	BEQ  done

loop1:
	MOVWU (R3), R5
	MOVWU (R1), R6
	EOR   $0x80000000, R5
	ORR   R6<<32, R5
	MOVD  R5, (R0)
	ADD   $4, R1
	ADD   $4, R3
	ADD   $8, R0
	SUBS  $1, R2
	BNE   loop1

done:
	RET

// Partitions: there is no instruction that moves chosen lanes to the front, so elements are written
// to the ends of both parts, one of which they stay in. R0 lo, R1 hi, R2 src, R3 elements left, R4
// the pivot, R5 elements of lo, R6 of hi.

#define PART_I64(R) \
	MOVD  R, (R0)(R5<<3)     \
	MOVD  R, (R1)(R6<<3)     \
	CMP   R4, R              \
	CSINC GE, R5, R5, R5     \
	CSINC LT, R6, R6, R6

// func partitionI64NEON(lo, hi, src []int64, pivot int64) int
// Requires: NEON
//
// Registers: see above. Four elements a step, which are read before any of them is written: one
// part may begin where src does. Then one.
TEXT ·partitionI64NEON(SB), NOSPLIT, $0-88
	MOVD lo_base+0(FP), R0
	MOVD hi_base+24(FP), R1
	LDP  src_base+48(FP), (R2, R3)
	MOVD pivot+72(FP), R4
	MOVD ZR, R5
	MOVD ZR, R6
	SUBS $4, R3
	BLT  left
	PCALIGN $16

loop4:
	LDP  (R2), (R7, R8)
	LDP  16(R2), (R9, R10)
	ADD  $32, R2
	PART_I64(R7)
	PART_I64(R8)
	PART_I64(R9)
	PART_I64(R10)
	SUBS $4, R3
	BGE  loop4

left:
	ADDS $4, R3
	BEQ  done

loop1:
	MOVD (R2), R7
	ADD  $8, R2
	PART_I64(R7)
	SUBS $1, R3
	BNE  loop1

done:
	MOVD R5, ret+80(FP)
	RET

// CELL_I64 finds the cell of a key, R12, and what the table at R0 has for it, R13. NEXT_I64 makes
// that one more.
#define CELL_I64(key) \
	SUB R4, key, R12               \
	LSR R5, R12, R12               \
	AND R6, R12, R12               \
	MOVWU (R0)(R12<<2), R13
#define NEXT_I64 \
	ADDW $1, R13, R13              \
	MOVW R13, (R0)(R12<<2)

#define KEY(key) \
	CELL_I64(key)                  \
	NEXT_I64

// func tallyI64NEON(cells []uint32, keys []int64, lo int64, shift int)
// Requires: NEON
//
// R0 cells, R2 to R6 as keys_arm64.h takes them.
TEXT ·tallyI64NEON(SB), NOSPLIT, $0-64
	LDP  cells_base+0(FP), (R0, R6)
	LDP  keys_base+24(FP), (R2, R3)
	LDP  lo+48(FP), (R4, R5)
#include "keys_arm64.h"
#undef KEY

#define KEY(key) \
	CELL_I64(key)                  \
	MOVD key, (R1)(R13<<3)         \
	NEXT_I64

// func moveI64NEON(dst []int64, cells []uint32, keys []int64, lo int64, shift int)
// Requires: NEON
//
// R0 where the next key of each cell goes in dst, R1 dst, R2 to R6 as keys_arm64.h takes them.
TEXT ·moveI64NEON(SB), NOSPLIT, $0-88
	MOVD dst_base+0(FP), R1
	LDP  cells_base+24(FP), (R0, R6)
	LDP  keys_base+48(FP), (R2, R3)
	LDP  lo+72(FP), (R4, R5)
#include "keys_arm64.h"
#undef KEY

// Sorting a leaf, as kernels_order_amd64.s does, with two elements to a vector. A vector is sorted
// with another one lane by lane: the lesser elements stay in A. NEON has no minimum of 64 bits:
// what an element of A exceeds that of B by, or 0, is taken off the one and added to the other.
// That is of unsigned numbers, so sign bits are flipped meanwhile. V28 to V31 are scratch.
#define ORDER(A, a, B, b) \
	UQSUBD2(b, a, 30)               \
	VSUB V30.D2, A.D2, A.D2         \
	VADD V30.D2, B.D2, B.D2

// The same for A and V28; the greater elements go to B.
#define ORDER28(A, a, B) \
	UQSUBD2(28, a, 30)              \
	VSUB V30.D2, A.D2, A.D2         \
	VADD V30.D2, V28.D2, B.D2

// Two sorted columns, of which A and B are rows as far from the first as from the last, become a
// lesser and a greater half: the lower elements of A and B against their upper ones, last first.
#define CROSS(A, a, B) \
	VZIP2 A.D2, B.D2, V28.D2        \
	VZIP1 B.D2, A.D2, A.D2          \
	ORDER28(A, a, B)

// A against B with its lanes swapped.
#define TURN(A, a, B) \
	VEXT $8, B.B16, B.B16, V28.B16  \
	ORDER28(A, a, B)

// The two elements of A, and those of B.
#define NEIGHBORS(A, B) \
	VZIP2 B.D2, A.D2, V28.D2        \
	VZIP1 B.D2, A.D2, V29.D2        \
	UQSUBD2(28, 29, 30)             \
	VADD V30.D2, V28.D2, V31.D2     \
	VSUB V30.D2, V29.D2, V29.D2     \
	VZIP1 V31.D2, V29.D2, A.D2      \
	VZIP2 V31.D2, V29.D2, B.D2

// Eight elements that rise and then fall, element i and element 7−i in one vector. They are sorted
// in A, B, D and C.
#define CLEAN8(A, a, B, b, C, D, d) \
	TURN(A, a, D)                   \
	TURN(B, b, C)                   \
	TURN(A, a, B)                   \
	TURN(D, d, C)                   \
	NEIGHBORS(A, B)                 \
	NEIGHBORS(D, C)

// Vector V of the lesser half against one of the greater half, whose order is turned around.
#define FACE(V, v, offset) \
	FMOVQ offset(R4), F28           \
	VEXT  $8, V28.B16, V28.B16, V28.B16 \
	ORDER28(V, v, V27)              \
	FMOVQ F27, offset(R4)

// Loads V0 to V7, or V0 to V15, from R4 on.
#define LOAD8 \
	FLDPQ 0(R4), (F0, F1)           \
	FLDPQ 32(R4), (F2, F3)          \
	FLDPQ 64(R4), (F4, F5)          \
	FLDPQ 96(R4), (F6, F7)

#define LOAD16 \
	LOAD8                           \
	FLDPQ 128(R4), (F8, F9)         \
	FLDPQ 160(R4), (F10, F11)       \
	FLDPQ 192(R4), (F12, F13)       \
	FLDPQ 224(R4), (F14, F15)

// V0 to V15 in pairs that lie 1, 2, 4 or 8 vectors apart.
#define ORDER_APART1 \
	ORDER(V0, 0, V1, 1)             \
	ORDER(V2, 2, V3, 3)             \
	ORDER(V4, 4, V5, 5)             \
	ORDER(V6, 6, V7, 7)             \
	ORDER(V8, 8, V9, 9)             \
	ORDER(V10, 10, V11, 11)         \
	ORDER(V12, 12, V13, 13)         \
	ORDER(V14, 14, V15, 15)

#define ORDER_APART2 \
	ORDER(V0, 0, V2, 2)             \
	ORDER(V1, 1, V3, 3)             \
	ORDER(V4, 4, V6, 6)             \
	ORDER(V5, 5, V7, 7)             \
	ORDER(V8, 8, V10, 10)           \
	ORDER(V9, 9, V11, 11)           \
	ORDER(V12, 12, V14, 14)         \
	ORDER(V13, 13, V15, 15)

#define ORDER_APART4 \
	ORDER(V0, 0, V4, 4)             \
	ORDER(V1, 1, V5, 5)             \
	ORDER(V2, 2, V6, 6)             \
	ORDER(V3, 3, V7, 7)             \
	ORDER(V8, 8, V12, 12)           \
	ORDER(V9, 9, V13, 13)           \
	ORDER(V10, 10, V14, 14)         \
	ORDER(V11, 11, V15, 15)

#define ORDER_APART8 \
	ORDER(V0, 0, V8, 8)             \
	ORDER(V1, 1, V9, 9)             \
	ORDER(V2, 2, V10, 10)           \
	ORDER(V3, 3, V11, 11)           \
	ORDER(V4, 4, V12, 12)           \
	ORDER(V5, 5, V13, 13)           \
	ORDER(V6, 6, V14, 14)           \
	ORDER(V7, 7, V15, 15)

// func sortI64NEON(dst, src []int64)
// Requires: NEON
//
// R0 dst, R1 elements, R2 src, R3 a copy of it, filled up to 16, 32 or 64 with the greatest number,
// R4 place in the copy, R5 elements left, R8 length of the copy. Networks sort columns of 8 or 16
// rows and two columns, twice where there are more than 32 elements, whose halves are then merged.
TEXT ·sortI64NEON(SB), NOSPLIT, $528-48
	MOVD dst_base+0(FP), R0
	LDP  src_base+24(FP), (R2, R1)
	CBZ  R1, done
	MOVD RSP, R3
	ADD  $16, R3
	MOVD R3, R4
	SUBS $2, R1, R5
	BLT  single

copy:
	LDP.P 16(R2), (R6, R7)
	EOR   $(1<<63), R6
	EOR   $(1<<63), R7
	STP.P (R6, R7), 16(R4)
	SUBS  $2, R5
	BGE   copy

single:
	MOVD  $-1, R6
	TBZ   $0, R1, even
	MOVD  (R2), R7
	EOR   $(1<<63), R7
	STP.P (R7, R6), 16(R4)

even:
	MOVD $16, R8
	CMP  $16, R1
	BLE  fill
	MOVD $32, R8
	CMP  $32, R1
	BLE  fill
	MOVD $64, R8

fill:
	ADD R8<<3, R3, R5

fill2:
	CMP   R5, R4
	BEQ   filled
	STP.P (R6, R6), 16(R4)
	B     fill2

filled:
	MOVD R3, R4
	CMP  $16, R8
	BGT  half
	LOAD8
	// The 19 comparators for 8 inputs (Knuth, volume 3, 5.3.4).
	ORDER(V0, 0, V2, 2)
	ORDER(V1, 1, V3, 3)
	ORDER(V4, 4, V6, 6)
	ORDER(V5, 5, V7, 7)
	ORDER(V0, 0, V4, 4)
	ORDER(V1, 1, V5, 5)
	ORDER(V2, 2, V6, 6)
	ORDER(V3, 3, V7, 7)
	ORDER(V0, 0, V1, 1)
	ORDER(V2, 2, V3, 3)
	ORDER(V4, 4, V5, 5)
	ORDER(V6, 6, V7, 7)
	ORDER(V2, 2, V4, 4)
	ORDER(V3, 3, V5, 5)
	ORDER(V1, 1, V4, 4)
	ORDER(V3, 3, V6, 6)
	ORDER(V1, 1, V2, 2)
	ORDER(V3, 3, V4, 4)
	ORDER(V5, 5, V6, 6)
	CROSS(V0, 0, V7)
	CROSS(V1, 1, V6)
	CROSS(V2, 2, V5)
	CROSS(V3, 3, V4)
	CLEAN8(V0, 0, V1, 1, V2, V3, 3)
	CLEAN8(V7, 7, V6, 6, V5, V4, 4)
	FSTPQ (F0, F1), 0(R4)
	FSTPQ (F3, F2), 32(R4)
	FSTPQ (F7, F6), 64(R4)
	FSTPQ (F4, F5), 96(R4)
	B    write

half:
	LOAD16
	// Green's 60 comparators for 16 inputs (same place).
	ORDER_APART1
	ORDER_APART2
	ORDER_APART4
	ORDER_APART8
	ORDER(V1, 1, V2, 2)
	ORDER(V3, 3, V12, 12)
	ORDER(V13, 13, V14, 14)
	ORDER(V7, 7, V11, 11)
	ORDER(V4, 4, V8, 8)
	ORDER(V5, 5, V10, 10)
	ORDER(V6, 6, V9, 9)
	ORDER(V1, 1, V4, 4)
	ORDER(V7, 7, V13, 13)
	ORDER(V2, 2, V8, 8)
	ORDER(V11, 11, V14, 14)
	ORDER(V2, 2, V4, 4)
	ORDER(V5, 5, V6, 6)
	ORDER(V9, 9, V10, 10)
	ORDER(V11, 11, V13, 13)
	ORDER(V3, 3, V8, 8)
	ORDER(V7, 7, V12, 12)
	ORDER(V6, 6, V8, 8)
	ORDER(V10, 10, V12, 12)
	ORDER(V3, 3, V5, 5)
	ORDER(V7, 7, V9, 9)
	ORDER(V3, 3, V4, 4)
	ORDER(V5, 5, V6, 6)
	ORDER(V7, 7, V8, 8)
	ORDER(V9, 9, V10, 10)
	ORDER(V11, 11, V12, 12)
	ORDER(V6, 6, V7, 7)
	ORDER(V8, 8, V9, 9)
	CROSS(V0, 0, V15)
	CROSS(V1, 1, V14)
	CROSS(V2, 2, V13)
	CROSS(V3, 3, V12)
	CROSS(V4, 4, V11)
	CROSS(V5, 5, V10)
	CROSS(V6, 6, V9)
	CROSS(V7, 7, V8)
	TURN(V0, 0, V7)
	TURN(V1, 1, V6)
	TURN(V2, 2, V5)
	TURN(V3, 3, V4)
	TURN(V15, 15, V8)
	TURN(V14, 14, V9)
	TURN(V13, 13, V10)
	TURN(V12, 12, V11)
	CLEAN8(V0, 0, V1, 1, V2, V3, 3)
	CLEAN8(V7, 7, V6, 6, V5, V4, 4)
	CLEAN8(V15, 15, V14, 14, V13, V12, 12)
	CLEAN8(V8, 8, V9, 9, V10, V11, 11)
	FSTPQ (F0, F1), 0(R4)
	FSTPQ (F3, F2), 32(R4)
	FSTPQ (F7, F6), 64(R4)
	FSTPQ (F4, F5), 96(R4)
	FSTPQ (F15, F14), 128(R4)
	FSTPQ (F12, F13), 160(R4)
	FSTPQ (F8, F9), 192(R4)
	FSTPQ (F11, F10), 224(R4)
	ADD  $256, R4
	CMP  R5, R4
	BNE  half
	MOVD R3, R4
	CMP  $32, R8
	BEQ  write

	// The first half against the reverse of the second.
	LOAD16
	FACE(V0, 0, 496)
	FACE(V1, 1, 480)
	FACE(V2, 2, 464)
	FACE(V3, 3, 448)
	FACE(V4, 4, 432)
	FACE(V5, 5, 416)
	FACE(V6, 6, 400)
	FACE(V7, 7, 384)
	FACE(V8, 8, 368)
	FACE(V9, 9, 352)
	FACE(V10, 10, 336)
	FACE(V11, 11, 320)
	FACE(V12, 12, 304)
	FACE(V13, 13, 288)
	FACE(V14, 14, 272)
	FACE(V15, 15, 256)
	B    clean

load:
	LOAD16

clean:
	ORDER_APART8
	ORDER_APART4
	ORDER_APART2
	ORDER_APART1
	NEIGHBORS(V0, V1)
	NEIGHBORS(V2, V3)
	NEIGHBORS(V4, V5)
	NEIGHBORS(V6, V7)
	NEIGHBORS(V8, V9)
	NEIGHBORS(V10, V11)
	NEIGHBORS(V12, V13)
	NEIGHBORS(V14, V15)
	FSTPQ (F0, F1), 0(R4)
	FSTPQ (F2, F3), 32(R4)
	FSTPQ (F4, F5), 64(R4)
	FSTPQ (F6, F7), 96(R4)
	FSTPQ (F8, F9), 128(R4)
	FSTPQ (F10, F11), 160(R4)
	FSTPQ (F12, F13), 192(R4)
	FSTPQ (F14, F15), 224(R4)
	ADD  $256, R4
	CMP  R5, R4
	BNE  load

write:
	SUBS $2, R1
	BLT  last

write2:
	LDP.P 16(R3), (R6, R7)
	EOR   $(1<<63), R6
	EOR   $(1<<63), R7
	STP.P (R6, R7), 16(R0)
	SUBS  $2, R1
	BGE   write2

last:
	TBZ  $0, R1, done
	MOVD (R3), R6
	EOR  $(1<<63), R6
	MOVD R6, (R0)

done:
	RET

// Lane k of 8 to bit k: V18 and V19 hold the bits.
DATA splitBits<>+0x00(SB)/8, $0x0000000200000001
DATA splitBits<>+0x08(SB)/8, $0x0000000800000004
DATA splitBits<>+0x10(SB)/8, $0x0000002000000010
DATA splitBits<>+0x18(SB)/8, $0x0000008000000040
GLOBL splitBits<>(SB), RODATA|NOPTR, $32

// Bit k of the byte at R, and R += 1, for each lane k of V0 and V1 that is not 0.
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

// func splitKeysNEON(y []int32, newX, newKey []uint8, keys []int64)
// Requires: NEON
//
// R0 y, R1 elements left, R2 newX, R3 newKey, R4 the key before the first of a
// step; V16 the sign bit. A step is 8 keys, which fill a byte; what is left fills the last
// bytes one bit at a time: R7 and R8 collect them, R9 is the bit.
TEXT ·splitKeysNEON(SB), NOSPLIT, $0-96
	LDP   y_base+0(FP), (R0, R1)
	MOVD  newX_base+24(FP), R2
	MOVD  newKey_base+48(FP), R3
	MOVD  keys_base+72(FP), R4
	MOVD  $0x80000000, R5
	VDUP  R5, V16.S4
	MOVD  $splitBits<>(SB), R5
	FLDPQ (R5), (F18, F19)

loop8:
	SUBS  $8, R1
	BLT   left
	FLDPQ (R4), (F0, F1)
	FLDPQ 32(R4), (F2, F3)
	ADD   $8, R4, R5
	FLDPQ (R5), (F4, F5)
	FLDPQ 32(R5), (F6, F7)
	VUZP1 V5.S4, V4.S4, V8.S4
	VUZP1 V7.S4, V6.S4, V9.S4
	VEOR  V16.B16, V8.B16, V8.B16
	VEOR  V16.B16, V9.B16, V9.B16
	FSTPQ (F8, F9), (R0)
	VEOR  V0.B16, V4.B16, V0.B16
	VEOR  V1.B16, V5.B16, V1.B16
	VEOR  V2.B16, V6.B16, V2.B16
	VEOR  V3.B16, V7.B16, V3.B16
	VUZP2 V1.S4, V0.S4, V4.S4
	VUZP2 V3.S4, V2.S4, V5.S4
	VUZP1 V1.S4, V0.S4, V6.S4
	VUZP1 V3.S4, V2.S4, V7.S4
	VORR  V4.B16, V6.B16, V6.B16
	VORR  V5.B16, V7.B16, V7.B16
	STORE_BITS(R2, V4, V5)
	STORE_BITS(R3, V6, V7)
	ADD   $32, R0
	ADD   $64, R4
	B     loop8

left:
	ADDS $8, R1
	BEQ  done
	MOVD ZR, R7
	MOVD ZR, R8
	MOVD $1, R9

loop1:
	LDP  (R4), (R5, R6)
	EOR  R6, R5
	EOR  $0x80000000, R6
	MOVW R6, (R0)
	CMP  $0, R5
	CSEL NE, R9, ZR, R6
	ORR  R6, R8
	LSR  $32, R5
	CMP  $0, R5
	CSEL NE, R9, ZR, R6
	ORR  R6, R7
	LSL  $1, R9
	ADD  $4, R0
	ADD  $8, R4
	SUBS $1, R1
	BNE  loop1
	MOVB R7, (R2)
	MOVB R8, (R3)

done:
	RET

#define PART_I32(R) \
	MOVW  R, (R0)(R5<<2)     \
	MOVW  R, (R1)(R6<<2)     \
	CMPW  R4, R              \
	CSINC GE, R5, R5, R5     \
	CSINC LT, R6, R6, R6     \
	ADD   R5, R11

// func partitionCountI32NEON(lo, hi, src []int32, pivot int32) (n int, positions int64)
// Requires: NEON
//
// Registers: as in partitionI64NEON; R11 the sum of R5 after each element, R12 elements. An element
// of lo at position i counts in the last len(src) − i terms of that sum, so the sum of positions is
// n·len(src) less R11.
TEXT ·partitionCountI32NEON(SB), NOSPLIT, $0-96
	MOVD lo_base+0(FP), R0
	MOVD hi_base+24(FP), R1
	LDP  src_base+48(FP), (R2, R3)
	MOVW pivot+72(FP), R4
	MOVD R3, R12
	MOVD ZR, R5
	MOVD ZR, R6
	MOVD ZR, R11
	SUBS $4, R3
	BLT  left
	PCALIGN $16

loop4:
	LDPW (R2), (R7, R8)
	LDPW 8(R2), (R9, R10)
	ADD  $16, R2
	PART_I32(R7)
	PART_I32(R8)
	PART_I32(R9)
	PART_I32(R10)
	SUBS $4, R3
	BGE  loop4

left:
	ADDS $4, R3
	BEQ  done

loop1:
	MOVW (R2), R7
	ADD  $4, R2
	PART_I32(R7)
	SUBS $1, R3
	BNE  loop1

done:
	MUL  R5, R12
	SUB  R11, R12
	MOVD R5, n+80(FP)
	MOVD R12, positions+88(FP)
	RET

// Counts lane t of V0 against the lanes of V0 that V holds: V16 counts the inversions and V17 the
// equal ones. Masks of the comparison are −1.
#define COUNT_LANE(t, V) \
	VDUP  V0.S[t], V1.S4          \
	CMGTS4(0, 1, 2)               \
	VCMEQ V0.S4, V1.S4, V3.S4     \
	VAND  V.B16, V2.B16, V2.B16   \
	VAND  V.B16, V3.B16, V3.B16   \
	VSUB  V2.S4, V16.S4, V16.S4   \
	VSUB  V3.S4, V17.S4, V17.S4

// func inversionsI32NEON(a []int32) (inversions, equal int64)
// Requires: NEON
//
// Each four elements are compared with every one before them, and among themselves. R0 a, R1
// elements that are left, R2 the four, R3 four earlier ones; V16 and V17 the counts of the four,
// V18 and V19 of all; V20 the numbers of the lanes, V21 to V23 the lanes above 0, 1 and 2, V24
// those that hold an element.
TEXT ·inversionsI32NEON(SB), NOSPLIT, $0-40
	LDP   a_base+0(FP), (R0, R1)
	VEOR  V18.B16, V18.B16, V18.B16
	VEOR  V19.B16, V19.B16, V19.B16
	MOVD  $github·com∕simdrank∕simdrank∕internal∕kern·Iota(SB), R4
	FMOVQ (R4), F20
	VEOR  V1.B16, V1.B16, V1.B16
	CMGTS4(1, 20, 21)
	MOVD  $1, R4
	VDUP  R4, V1.S4
	CMGTS4(1, 20, 22)
	MOVD  $2, R4
	VDUP  R4, V1.S4
	CMGTS4(1, 20, 23)
	MOVD  R0, R2
	CBZ   R1, done

block:
	VDUP  R1, V1.S4
	CMGTS4(20, 1, 24)
	CMP   $4, R1
	BLT   cut
	FMOVQ (R2), F0
	B     loaded

cut:
	VEOR  V0.B16, V0.B16, V0.B16
	TBZ   $1, R1, one
	FMOVD (R2), F0
	TBZ   $0, R1, loaded
	ADD   $8, R2, R3
	VLD1  (R3), V0.S[2]
	B     loaded

one:
	FMOVS (R2), F0

loaded:
	VEOR V16.B16, V16.B16, V16.B16
	VEOR V17.B16, V17.B16, V17.B16
	COUNT_LANE(0, V21)
	COUNT_LANE(1, V22)
	COUNT_LANE(2, V23)
	MOVD R0, R3
	CMP  R3, R2
	BEQ  counted

earlier:
	FMOVQ.P 16(R3), F6
	VDUP    V6.S[0], V1.S4
	VDUP    V6.S[1], V4.S4
	VDUP    V6.S[2], V5.S4
	VDUP    V6.S[3], V6.S4
	CMGTS4(0, 1, 2)
	CMGTS4(0, 4, 3)
	CMGTS4(0, 5, 7)
	CMGTS4(0, 6, 8)
	VCMEQ   V0.S4, V1.S4, V1.S4
	VCMEQ   V0.S4, V4.S4, V4.S4
	VCMEQ   V0.S4, V5.S4, V5.S4
	VCMEQ   V0.S4, V6.S4, V6.S4
	VADD    V3.S4, V2.S4, V2.S4
	VADD    V8.S4, V7.S4, V7.S4
	VADD    V4.S4, V1.S4, V1.S4
	VADD    V6.S4, V5.S4, V5.S4
	VADD    V7.S4, V2.S4, V2.S4
	VADD    V5.S4, V1.S4, V1.S4
	VSUB    V2.S4, V16.S4, V16.S4
	VSUB    V1.S4, V17.S4, V17.S4
	CMP     R3, R2
	BNE     earlier

counted:
	VAND V24.B16, V16.B16, V16.B16
	VAND V24.B16, V17.B16, V17.B16
	VADD V16.S4, V18.S4, V18.S4
	VADD V17.S4, V19.S4, V19.S4
	ADD  $16, R2
	SUBS $4, R1
	BGT  block

done:
	VADDV V18.S4, V18
	VADDV V19.S4, V19
	VMOV  V18.S[0], R2
	VMOV  V19.S[0], R3
	MOVD  R2, inversions+24(FP)
	MOVD  R3, equal+32(FP)
	RET

// One earlier pair, V4 (x) and V5 (y) in both lanes, against two pairs, x and y: V16 counts
// the ties in x, V17 in y, V18 in either, V19 the discordant ones, which are tied in neither and
// ordered differently. Masks of the comparison are −1.
#define COUNT_TWO(x, y) \
	FCMEQD2(x, 4, 6)                \
	FCMEQD2(y, 5, 7)                \
	FCMGTD2(x, 4, 8)                \
	FCMGTD2(y, 5, 9)                \
	VORR V7.B16, V6.B16, V10.B16    \
	VEOR V9.B16, V8.B16, V8.B16     \
	BIC16(10, 8, 8)

#define ADD_TWO \
	VSUB V6.D2, V16.D2, V16.D2      \
	VSUB V7.D2, V17.D2, V17.D2      \
	VSUB V10.D2, V18.D2, V18.D2     \
	VSUB V8.D2, V19.D2, V19.D2

// Narrows the comparison to the lanes that V20 holds.
#define MASK_TWO \
	VAND V20.B16, V6.B16, V6.B16    \
	VAND V20.B16, V7.B16, V7.B16    \
	VAND V20.B16, V8.B16, V8.B16    \
	VAND V20.B16, V10.B16, V10.B16

#define NEXT_EARLIER \
	VLD1R.P 8(R5), [V4.D2] \
	VLD1R.P 8(R6), [V5.D2]

// func countPairsF64NEON(x, y []float64) (concordant, discordant, untiedX, untiedY int64)
// Requires: NEON
//
// Each four elements (V0 and V1 of x, V2 and V3 of y) are compared with every one before them,
// and among themselves; then one at a time is, with its like in the other lane. R0 x, R1
// elements, R2 y, R3 and R4 the four, R5 and R6 the earlier ones, R7 elements left.
TEXT ·countPairsF64NEON(SB), NOSPLIT, $0-80
	LDP  x_base+0(FP), (R0, R1)
	MOVD y_base+24(FP), R2
	VEOR V16.B16, V16.B16, V16.B16
	VEOR V17.B16, V17.B16, V17.B16
	VEOR V18.B16, V18.B16, V18.B16
	VEOR V19.B16, V19.B16, V19.B16
	VEOR V20.B16, V20.B16, V20.B16
	MOVD $-1, R5
	VMOV R5, V20.D[1]
	MOVD R0, R3
	MOVD R2, R4
	MOVD R1, R7

block4:
	SUBS  $4, R7
	BLT   left
	FLDPQ (R3), (F0, F1)
	FLDPQ (R4), (F2, F3)

	// Elements 0 and 1 against the upper two; 0 against 1 and 2 against 3.
	VDUP V0.D[0], V4.D2
	VDUP V2.D[0], V5.D2
	COUNT_TWO(1, 3)
	ADD_TWO
	COUNT_TWO(0, 2)
	MASK_TWO
	ADD_TWO
	VDUP V0.D[1], V4.D2
	VDUP V2.D[1], V5.D2
	COUNT_TWO(1, 3)
	ADD_TWO
	VDUP V1.D[0], V4.D2
	VDUP V3.D[0], V5.D2
	COUNT_TWO(1, 3)
	MASK_TWO
	ADD_TWO

	MOVD R0, R5
	MOVD R2, R6
	CMP  R5, R3
	BEQ  next4

earlier4:
	NEXT_EARLIER
	COUNT_TWO(0, 2)
	ADD_TWO
	COUNT_TWO(1, 3)
	ADD_TWO
	CMP R5, R3
	BNE earlier4

next4:
	ADD $32, R3
	ADD $32, R4
	B   block4

left:
	ADDS $4, R7
	BEQ  done

block1:
	FMOVD (R3), F0
	VDUP  V0.D[0], V0.D2
	FMOVD (R4), F2
	VDUP  V2.D[0], V2.D2
	MOVD  R0, R5
	MOVD  R2, R6
	CMP   R5, R3
	BEQ   next1

earlier1:
	NEXT_EARLIER
	COUNT_TWO(0, 2)
	MASK_TWO
	ADD_TWO
	CMP R5, R3
	BNE earlier1

next1:
	ADD  $8, R3
	ADD  $8, R4
	SUBS $1, R7
	BNE  block1

done:
	VADDP V16.D2, V16.D2, V16.D2
	VADDP V17.D2, V17.D2, V17.D2
	VADDP V18.D2, V18.D2, V18.D2
	VADDP V19.D2, V19.D2, V19.D2
	VMOV  V16.D[0], R3
	VMOV  V17.D[0], R4
	VMOV  V18.D[0], R5
	VMOV  V19.D[0], R6
	SUB   $1, R1, R7
	MUL   R1, R7
	LSR   $1, R7            // n(n−1)/2 pairs
	SUB   R3, R7, R3
	SUB   R4, R7, R4
	SUB   R5, R7, R5
	SUB   R6, R5, R5
	MOVD  R5, concordant+48(FP)
	MOVD  R6, discordant+56(FP)
	MOVD  R3, untiedX+64(FP)
	MOVD  R4, untiedY+72(FP)
	RET

// Stores the next position, and counts it where the key in k passes.
#define FILTER_I32(k) \
	LSR  $6, k, R9       \
	AND  R4, R9          \
	MOVD (R3)(R9<<3), R9 \
	MOVW R5, (R0)(R6<<2) \
	LSR  k, R9           \
	ADD  $1, R5          \
	AND  $1, R9          \
	ADD  R9, R6

// func filterI32NEON(dst, keys []int32, filter []uint64) int
// Requires: NEON
//
// R0 dst, R1 keys, R2 elements left, R3 filter, R4 the last of its words, R5 the next position, R6
// positions found. Four keys a step without a branch, then one.
TEXT ·filterI32NEON(SB), NOSPLIT, $0-80
	MOVD dst_base+0(FP), R0
	LDP  keys_base+24(FP), (R1, R2)
	LDP  filter_base+48(FP), (R3, R4)
	SUB  $1, R4
	MOVD ZR, R5
	MOVD ZR, R6
	SUBS $4, R2
	BLT  left
	PCALIGN $16

loop4:
	LDPW (R1), (R7, R8)
	LDPW 8(R1), (R10, R11)
	ADD  $16, R1
	FILTER_I32(R7)
	FILTER_I32(R8)
	FILTER_I32(R10)
	FILTER_I32(R11)
	SUBS $4, R2
	BGE  loop4

left:
	ADDS $4, R2
	BEQ  done

loop1:
	MOVWU (R1), R7
	ADD  $4, R1
	FILTER_I32(R7)
	SUBS $1, R2
	BNE  loop1

done:
	MOVD R6, ret+72(FP)
	RET
