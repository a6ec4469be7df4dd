//go:build !purego

#include "textflag.h"
#include "neon_arm64.h"

// The kernels of rankings and best documents for NEON. The sort stays in Go.

// The keys of the four values in V0 to V2 and V3, with the lower halves in LOW. V16 is +0, V17 the
// indices, V18 all bits, V19 the upper half of a NaN's key, V20 what four indices more add to V17;
// V21 keeps the bits of the lanes that were never a NaN.
#define RANK_KEYS(LOW) \
	FCMEQS4(0, 0, 1)                \
	VAND  V1.B16, V21.B16, V21.B16  \
	FADDS4(16, 0, 0)                \
	SSHRS4(31, 0, 2)                \
	VUSHR $1, V2.S4, V2.S4          \
	VEOR  V2.B16, V0.B16, V0.B16    \
	VEOR  V18.B16, V0.B16, V0.B16   \
	VBIF  V1.B16, V19.B16, V0.B16   \
	VZIP1 V0.S4, LOW.S4, V2.S4      \
	VZIP2 V0.S4, LOW.S4, V3.S4      \
	VADD  V20.S4, V17.S4, V17.S4

// func rankKeysF32NEON(dst []int64, x []float32, base int) (nan bool)
// Requires: NEON
//
// R0 dst, R1 x, R2 elements left. Steps of 4, then of 1.
TEXT ·rankKeysF32NEON(SB), NOSPLIT, $0-57
	MOVD  dst_base+0(FP), R0
	LDP   x_base+24(FP), (R1, R2)
	MOVD  base+48(FP), R3
	MOVD  $github·com∕simdrank∕simdrank∕internal∕kern·Iota(SB), R4
	FMOVQ (R4), F17
	VDUP  R3, V16.S4
	VADD  V16.S4, V17.S4, V17.S4
	VEOR  V16.B16, V16.B16, V16.B16
	MOVD  $-1, R4
	VDUP  R4, V18.D2
	VDUP  R4, V21.D2
	VUSHR $1, V18.S4, V19.S4
	MOVD  $4, R4
	VDUP  R4, V20.S4

loop4:
	SUBS  $4, R2
	BLT   left
	FMOVQ (R1), F0
	RANK_KEYS(V17)
	FSTPQ (F2, F3), (R0)
	ADD   $16, R1
	ADD   $32, R0
	B     loop4

left:
	ADDS $4, R2
	BEQ  done
	MOVD $1, R4
	VDUP R4, V20.S4

loop1:
	FMOVS (R1), F0
	RANK_KEYS(V17)
	FMOVD F2, (R0)
	ADD   $4, R1
	ADD   $8, R0
	SUBS  $1, R2
	BNE   loop1

done:
	VMOV V21.D[0], R4
	VMOV V21.D[1], R5
	AND  R5, R4
	CMN  $1, R4
	CSET NE, R4
	MOVB R4, nan+56(FP)
	RET

// func rankGradesF32NEON(dst []int64, x []float32, grades []uint8, base int) (nan bool)
// Requires: NEON
//
// As rankKeysF32NEON, with R6 grades; V17 the indices times 256, V5 the lower halves of keys.
TEXT ·rankGradesF32NEON(SB), NOSPLIT, $0-81
	MOVD  dst_base+0(FP), R0
	LDP   x_base+24(FP), (R1, R2)
	MOVD  grades_base+48(FP), R6
	MOVD  base+72(FP), R3
	MOVD  $github·com∕simdrank∕simdrank∕internal∕kern·Iota(SB), R4
	FMOVQ (R4), F17
	VDUP  R3, V16.S4
	VADD  V16.S4, V17.S4, V17.S4
	VSHL  $8, V17.S4, V17.S4
	VEOR  V16.B16, V16.B16, V16.B16
	MOVD  $-1, R4
	VDUP  R4, V18.D2
	VDUP  R4, V21.D2
	VUSHR $1, V18.S4, V19.S4
	MOVD  $(4<<8), R4
	VDUP  R4, V20.S4

loop4:
	SUBS   $4, R2
	BLT    left
	FMOVQ  (R1), F0
	FMOVS  (R6), F5
	VUSHLL $0, V5.B8, V5.H8
	VUSHLL $0, V5.H4, V5.S4
	VORR   V17.B16, V5.B16, V5.B16
	RANK_KEYS(V5)
	FSTPQ  (F2, F3), (R0)
	ADD    $16, R1
	ADD    $4, R6
	ADD    $32, R0
	B      loop4

left:
	ADDS $4, R2
	BEQ  done
	MOVD $(1<<8), R4
	VDUP R4, V20.S4

loop1:
	FMOVS (R1), F0
	MOVBU (R6), R4
	VMOV  R4, V5.S[0]
	VORR  V17.B16, V5.B16, V5.B16
	RANK_KEYS(V5)
	FMOVD F2, (R0)
	ADD   $4, R1
	ADD   $1, R6
	ADD   $8, R0
	SUBS  $1, R2
	BNE   loop1

done:
	VMOV V21.D[0], R4
	VMOV V21.D[1], R5
	AND  R5, R4
	CMN  $1, R4
	CSET NE, R4
	MOVB R4, nan+80(FP)
	RET

// Raises V to the values in x; nothing exceeds or is exceeded by a NaN. V20 keeps the bits of the
// lanes that were never one.
#define RAISE(V, v, X, x, T, t) \
	FCMGTS4(v, x, t)                \
	VBIT  T.B16, X.B16, V.B16       \
	FCMEQS4(x, x, t)                \
	VAND  T.B16, V20.B16, V20.B16

// func thresholdF32NEON(lanes *[16]float32, x []float32) (nan bool)
// Requires: NEON
//
// Raises lanes only; the dispatch finds the k-th of them. R0 lanes, R1 x, R2 elements left; V16
// to V19 the lanes. Steps of 16, then of one, on a copy of the lanes in memory.
TEXT ·thresholdF32NEON(SB), NOSPLIT, $0-33
	MOVD  lanes+0(FP), R0
	LDP   x_base+8(FP), (R1, R2)
	FLDPQ (R0), (F16, F17)
	FLDPQ 32(R0), (F18, F19)
	MOVD  $-1, R4
	VDUP  R4, V20.D2

loop16:
	SUBS  $16, R2
	BLT   left
	FLDPQ (R1), (F0, F1)
	FLDPQ 32(R1), (F2, F3)
	RAISE(V16, 16, V0, 0, V4, 4)
	RAISE(V17, 17, V1, 1, V5, 5)
	RAISE(V18, 18, V2, 2, V6, 6)
	RAISE(V19, 19, V3, 3, V7, 7)
	ADD   $64, R1
	B     loop16

left:
	FSTPQ (F16, F17), (R0)
	FSTPQ (F18, F19), 32(R0)
	ADDS  $16, R2
	BEQ   done

loop1:
	FMOVS (R1), F0
	FMOVS (R0), F16
	FCMEQS4(0, 0, 4)
	FCMGTS4(16, 0, 5)
	VAND  V4.B16, V20.B16, V20.B16
	VBIT  V5.B16, V0.B16, V16.B16
	FMOVS F16, (R0)
	ADD   $4, R0
	ADD   $4, R1
	SUBS  $1, R2
	BNE   loop1

done:
	VMOV V20.D[0], R4
	VMOV V20.D[1], R5
	AND  R5, R4
	CMN  $1, R4
	CSET NE, R4
	MOVB R4, nan+32(FP)
	RET

// func selectKeysF32NEON(dst []int64, x []float32, t float32, base int) int
// Requires: NEON
//
// R0 dst, R1 x, R2 elements left, R3 index, R4 elements to take one by one; V16 t, F17 +0. Of 16
// values of which one at least is kept, and of the last ones, each is written, and stays where it
// is kept.
TEXT ·selectKeysF32NEON(SB), NOSPLIT, $0-72
	MOVD  dst_base+0(FP), R0
	LDP   x_base+24(FP), (R1, R2)
	FMOVS t+48(FP), F16
	VDUP  V16.S[0], V16.S4
	MOVD  base+56(FP), R3
	VEOR  V17.B16, V17.B16, V17.B16

loop16:
	SUBS  $16, R2
	BLT   left
	FLDPQ (R1), (F0, F1)
	FLDPQ 32(R1), (F2, F3)
	FCMGES4(16, 0, 0)
	FCMGES4(16, 1, 1)
	FCMGES4(16, 2, 2)
	FCMGES4(16, 3, 3)
	VORR  V1.B16, V0.B16, V0.B16
	VORR  V3.B16, V2.B16, V2.B16
	VORR  V2.B16, V0.B16, V0.B16
	VMOV  V0.D[0], R5
	VMOV  V0.D[1], R6
	ORR   R6, R5
	MOVD  $16, R4
	CBNZ  R5, loop1
	ADD   $64, R1
	ADD   $16, R3
	B     loop16

left:
	ADDS $16, R2, R4
	MOVD ZR, R2
	BEQ  done

loop1:
	FMOVS (R1), F0
	FCMPS F16, F0
	CSET  GE, R6
	FADDS F17, F0, F0
	FMOVS F0, R5
	ASRW  $31, R5, R7
	MVNW  R7, R7
	ORRW  $0x80000000, R7, R7
	EORW  R7, R5, R5
	ORR   R5<<32, R3, R5
	MOVD  R5, (R0)
	ADD   R6<<3, R0
	ADD   $1, R3
	ADD   $4, R1
	SUBS  $1, R4
	BNE   loop1
	CBNZ  R2, loop16

done:
	MOVD dst_base+0(FP), R1
	SUB  R1, R0
	LSR  $3, R0
	MOVD R0, ret+64(FP)
	RET

// Compares the 16 bytes in V0 with a level.
#define LEVEL(V, W, T) \
	VCMEQ V.B16, V0.B16, T.B16 \
	VSUB  T.B16, W.B16, W.B16

// Adds what W has counted of level l, 0 to 7, to its counter and to R9; goes on
// to counted when there are no more levels.
#define ADD_LEVEL(l, W) \
	CMP     $l, R8          \
	BLE     counted         \
	VUADDLV W.B16, W        \
	VMOV    W.H[0], R10     \
	MOVD    (8*l)(R7), R11  \
	ADD     R10, R11        \
	MOVD    R11, (8*l)(R7)  \
	ADD     R10, R9

// func countLevelsU8NEON(counts *[16]int64, x []uint8, levels int) (others int64)
// Requires: NEON
//
// At most 255 vectors are run for eight levels at a time, which V16 to V23 hold and V24 to V31
// count in bytes; then the bytes that are left, one by one. R0 counts, R1 x, R2 vectors left, R3
// levels, R4 vectors of a run, R5 its position and R6 what is left of it, R7 counters and R8
// levels of the eight, R9 elements counted.
TEXT ·countLevelsU8NEON(SB), NOSPLIT, $0-48
	MOVD counts+0(FP), R0
	LDP  x_base+8(FP), (R1, R2)
	MOVD levels+32(FP), R3
	MOVD ZR, R9
	LSR  $4, R2

run:
	CBZ  R2, left
	MOVD $255, R4
	CMP  R4, R2
	CSEL LT, R2, R4, R4
	MOVD R0, R7
	MOVD R3, R8
	VMOVI $0, V16.B16
	VMOVI $1, V17.B16
	VMOVI $2, V18.B16
	VMOVI $3, V19.B16
	VMOVI $4, V20.B16
	VMOVI $5, V21.B16
	VMOVI $6, V22.B16
	VMOVI $7, V23.B16

eight:
	VMOVI $0, V24.B16
	VMOVI $0, V25.B16
	VMOVI $0, V26.B16
	VMOVI $0, V27.B16
	VMOVI $0, V28.B16
	VMOVI $0, V29.B16
	VMOVI $0, V30.B16
	VMOVI $0, V31.B16
	MOVD  R1, R5
	MOVD  R4, R6

loop16:
	FMOVQ (R5), F0
	LEVEL(V16, V24, V1)
	LEVEL(V17, V25, V2)
	LEVEL(V18, V26, V3)
	LEVEL(V19, V27, V4)
	LEVEL(V20, V28, V5)
	LEVEL(V21, V29, V6)
	LEVEL(V22, V30, V7)
	LEVEL(V23, V31, V8)
	ADD   $16, R5
	SUBS  $1, R6
	BNE   loop16

	ADD_LEVEL(0, V24)
	ADD_LEVEL(1, V25)
	ADD_LEVEL(2, V26)
	ADD_LEVEL(3, V27)
	ADD_LEVEL(4, V28)
	ADD_LEVEL(5, V29)
	ADD_LEVEL(6, V30)
	ADD_LEVEL(7, V31)
	SUBS $8, R8
	BLE  counted
	ADD  $64, R7
	VMOVI $8, V16.B16
	VMOVI $9, V17.B16
	VMOVI $10, V18.B16
	VMOVI $11, V19.B16
	VMOVI $12, V20.B16
	VMOVI $13, V21.B16
	VMOVI $14, V22.B16
	VMOVI $15, V23.B16
	B    eight

counted:
	MOVD R5, R1
	SUB  R4, R2
	B    run

left:
	MOVD x_len+16(FP), R4
	SUB  R9, R4, R9         // elements not counted so far
	ANDS $15, R4
	BEQ  done

loop1:
	MOVBU (R1), R5
	CMP   R3, R5
	BGE   next
	MOVD  (R0)(R5<<3), R6
	ADD   $1, R6
	MOVD  R6, (R0)(R5<<3)
	SUB   $1, R9

next:
	ADD  $1, R1
	SUBS $1, R4
	BNE  loop1

done:
	MOVD R9, others+40(FP)
	RET
