//go:build !purego

#include "textflag.h"
#include "neon_arm64.h"

// The kernels of rankings and best documents for NEON.

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

// Raises V to the values in X; nothing exceeds or is exceeded by a NaN. X becomes the bits of the
// lanes that are none.
#define RAISE(V, v, X, x, T, t) \
	FCMGTS4(v, x, t)                \
	VBIT  T.B16, X.B16, V.B16       \
	FCMEQS4(x, x, x)

// func thresholdF32NEON(lanes *[16]float32, x []float32) (nan bool)
// Requires: NEON
//
// Raises lanes only; the dispatch finds the k-th of them. R0 lanes, R1 x, R2 elements left; V16
// to V19 the lanes, V20 the bits of those that were never a NaN. Steps of 16, then of one, on a
// copy of the lanes in memory.
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
	VAND  V1.B16, V0.B16, V0.B16
	VAND  V3.B16, V2.B16, V2.B16
	VAND  V2.B16, V0.B16, V0.B16
	VAND  V0.B16, V20.B16, V20.B16
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

// Compares the 16 values in V0 to V3 with the threshold in V30. V27 holds 1, 2, 4 and 8, four
// times: byte i of R11 becomes the set, as bits, of the lanes of the i-th four that reach it.
#define REACHING \
	FCMGES4(30, 0, 4)               \
	FCMGES4(30, 1, 5)               \
	FCMGES4(30, 2, 6)               \
	FCMGES4(30, 3, 7)               \
	VUZP1 V5.H8, V4.H8, V4.H8       \
	VUZP1 V7.H8, V6.H8, V6.H8       \
	VUZP1 V6.B16, V4.B16, V4.B16    \
	VAND  V27.B16, V4.B16, V4.B16   \
	VADDP V4.B16, V4.B16, V4.B16    \
	VADDP V4.B16, V4.B16, V4.B16    \
	FMOVS F4, R11

// For the set of lanes in the i-th byte of R11: to V5 the permutation that brings them to the
// front, to R13 their number. R10 is frontI32, R14 where it has the numbers.
#define FRONT(i) \
	UBFX  $(8*i), R11, $8, R12      \
	ADD   R12<<4, R10, R13          \
	FMOVQ (R13), F5                 \
	MOVBU (R14)(R12), R13

#define SELECT_CONSTANTS(base) \
	MOVD  $github·com∕simdrank∕simdrank∕internal∕kern·Iota(SB), R11 \
	FMOVQ (R11), F29                \
	VDUP  base, V28.S4              \
	VADD  V28.S4, V29.S4, V29.S4    \
	MOVD  $4, R11                   \
	VDUP  R11, V28.S4               \
	MOVD  $0x08040201, R11          \
	VDUP  R11, V27.S4               \
	MOVD  $·frontI32(SB), R10       \
	ADD   $256, R10, R14

// The keys of the i-th four values of V, in V0 to V3, that are to be kept, to R0, which follows
// them. V29 are the indices, V31 +0, V26 all bits.
#define SELECT(i, V, v) \
	FADDS4(31, v, v)                \
	SSHRS4(31, v, 6)                \
	VUSHR $1, V6.S4, V6.S4          \
	VEOR  V6.B16, V.B16, V.B16      \
	VEOR  V26.B16, V.B16, V.B16     \
	FRONT(i)                        \
	VTBL  V5.B16, [V.B16], V.B16    \
	VTBL  V5.B16, [V29.B16], V6.B16 \
	VZIP1 V.S4, V6.S4, V16.S4       \
	VZIP2 V.S4, V6.S4, V17.S4       \
	FSTPQ (F16, F17), (R0)          \
	ADD   R13<<3, R0                \
	VADD  V28.S4, V29.S4, V29.S4

// func selectKeysF32NEON(dst []int64, x []float32, t float32, base int) int
// Requires: NEON
//
// R0 dst, R1 x, R2 elements left, R3 index, R11 the sets of lanes that are kept; V30 t, V29
// indices. Of 16 values of which one at least is kept, each four are brought to the front; of the
// last ones, each is written, and stays where it is kept.
TEXT ·selectKeysF32NEON(SB), NOSPLIT, $0-72
	MOVD  dst_base+0(FP), R0
	LDP   x_base+24(FP), (R1, R2)
	FMOVS t+48(FP), F30
	VDUP  V30.S[0], V30.S4
	MOVD  base+56(FP), R3
	SELECT_CONSTANTS(R3)
	VEOR  V31.B16, V31.B16, V31.B16
	VCMEQ V31.S4, V31.S4, V26.S4
	MOVD  $16, R4
	VDUP  R4, V25.S4
	SUBS  $16, R2
	BLT   left

loop16:
	FLDPQ (R1), (F0, F1)
	FLDPQ 32(R1), (F2, F3)
	ADD   $64, R1
	REACHING
	CBZ   R11, none
	SELECT(0, V0, 0)
	SELECT(1, V1, 1)
	SELECT(2, V2, 2)
	SELECT(3, V3, 3)
	SUBS  $16, R2
	BGE   loop16
	B     left

none:
	VADD V25.S4, V29.S4, V29.S4
	SUBS $16, R2
	BGE  loop16

left:
	ADDS $16, R2
	BEQ  done
	VMOV V29.S[0], R3

loop1:
	FMOVS (R1), F0
	FCMPS F30, F0
	CSET  GE, R6
	FADDS F31, F0, F0
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
	SUBS  $1, R2
	BNE   loop1

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

// The kernels below sort keys of 32 bits, from the greatest: the float as an unsigned integer in
// the order of the values, with the grade in place of its last four bits. Keys whose other bits are
// the same may be out of order: they count as tied.

// BEFORE puts the greater of each lane of a and b into c and the lesser into d, which may be b.
#define BEFORE(a, b, c, d) \
	VUMAX b.S4, a.S4, c.S4          \
	VUMIN b.S4, a.S4, d.S4

// HALVES compares V0 to V7 with V8 to V15, into V16 to V23 and V24 to V31.
#define HALVES \
	BEFORE(V0, V8, V16, V24)        \
	BEFORE(V1, V9, V17, V25)        \
	BEFORE(V2, V10, V18, V26)       \
	BEFORE(V3, V11, V19, V27)       \
	BEFORE(V4, V12, V20, V28)       \
	BEFORE(V5, V13, V21, V29)       \
	BEFORE(V6, V14, V22, V30)       \
	BEFORE(V7, V15, V23, V31)

// FOURS sorts columns of four that are bitonic, in place; A … D are scratch.
#define FOURS(a, b, c, d, A, B, C, D) \
	BEFORE(a, c, A, C)              \
	BEFORE(b, d, B, D)              \
	BEFORE(A, B, a, b)              \
	BEFORE(C, D, c, d)

// CLEAN sorts columns of eight that are bitonic, from a … h into A … H.
#define CLEAN(a, b, c, d, e, f, g, h, A, B, C, D, E, F, G, H) \
	BEFORE(a, e, A, E)              \
	BEFORE(b, f, B, F)              \
	BEFORE(c, g, C, G)              \
	BEFORE(d, h, D, H)              \
	FOURS(A, B, C, D, a, b, c, d)   \
	FOURS(E, F, G, H, e, f, g, h)

#define CLEAN_LOW \
	CLEAN(V0, V1, V2, V3, V4, V5, V6, V7, V16, V17, V18, V19, V20, V21, V22, V23) \
	CLEAN(V8, V9, V10, V11, V12, V13, V14, V15, V24, V25, V26, V27, V28, V29, V30, V31)

#define CLEAN_HIGH \
	CLEAN(V16, V17, V18, V19, V20, V21, V22, V23, V0, V1, V2, V3, V4, V5, V6, V7) \
	CLEAN(V24, V25, V26, V27, V28, V29, V30, V31, V8, V9, V10, V11, V12, V13, V14, V15)

// LANES compares the lanes 0 and 1, and 2 and 3, of A and of B; PAIRS the lanes 0 and 2, and 1 and
// 3. The greater ones go to A, the lesser to B. C and D are scratch.
#define LANES(A, B, C, D) \
	VTRN1 B.S4, A.S4, C.S4          \
	VTRN2 B.S4, A.S4, D.S4          \
	BEFORE(C, D, A, B)

#define PAIRS(A, B, C, D) \
	VZIP1 B.D2, A.D2, C.D2          \
	VZIP2 B.D2, A.D2, D.D2          \
	BEFORE(C, D, A, B)

// EIGHT does for a and b, c and d and so on, with scratch A to H, what do does for two vectors.
#define EIGHT(do, a, b, c, d, e, f, g, h, A, B, C, D, E, F, G, H) \
	do(a, b, A, B)                  \
	do(c, d, C, D)                  \
	do(e, f, E, F)                  \
	do(g, h, G, H)

// EVEN_ODD puts the even lanes of A and B into C, and the odd ones of E and F into D.
#define EVEN_ODD(A, B, C, E, F, D) \
	VUZP1 B.S4, A.S4, C.S4          \
	VUZP2 F.S4, E.S4, D.S4

// XY puts the even lanes of A and B into C, and the odd ones, from the last, into D.
#define XY(A, B, C, D) \
	EVEN_ODD(A, B, C, B, A, D)      \
	VREV64 D.S4, D.S4

// RANKED puts the eight keys of A and B into their order.
#define RANKED(A, B, C, D) \
	VZIP1 B.S4, A.S4, C.S4          \
	VZIP2 B.S4, A.S4, D.S4          \
	VZIP1 D.D2, C.D2, A.D2          \
	VZIP2 D.D2, C.D2, B.D2

// DIFFER enters what the keys of A and their followers, the last of which is in B, differ in.
#define DIFFER(A, B, T, LEAST) \
	VEXT  $4, B.B16, A.B16, T.B16   \
	VEOR  A.B16, T.B16, T.B16       \
	VUMIN T.S4, LEAST.S4, LEAST.S4

// GRADED turns the floats in V, with the grades in G, into keys. V24 is +0, V25 the sign bit, V26
// 15; V27 collects NaNs.
#define GRADED(V, v, G) \
	FMAXS4(v, 27, 27)               \
	FADDS4(24, v, v)                \
	SSHRS4(31, v, 7)                \
	VORR V25.B16, V7.B16, V7.B16    \
	VEOR V7.B16, V.B16, V.B16       \
	VBIT V26.B16, G.B16, V.B16

// GRADED8 moves the keys of eight values at R9 with grades at R10 to R8. V28 collects the highest
// grades.
#define GRADED8 \
	FLDPQ   (R9), (F0, F1)          \
	FMOVD   (R10), F2               \
	VUMAX   V2.B16, V28.B16, V28.B16 \
	VUSHLL  $0, V2.B8, V3.H8        \
	VUSHLL  $0, V3.H4, V4.S4        \
	VUSHLL2 $0, V3.H8, V5.S4        \
	GRADED(V0, 0, V4)               \
	GRADED(V1, 1, V5)               \
	FSTPQ   (F0, F1), (R8)

#define GRADED_CONSTANTS \
	VEOR V24.B16, V24.B16, V24.B16  \
	VEOR V27.B16, V27.B16, V27.B16  \
	VEOR V28.B16, V28.B16, V28.B16  \
	MOVD $0x80000000, R12           \
	VDUP R12, V25.S4                \
	MOVD $15, R12                   \
	VDUP R12, V26.S4

// KEYS32 moves to R8 the keys of the values at R9 with the grades at R10, of which there are eight
// more than R11 says, and goes to done. Of the last eight some may have been moved before.
#define KEYS32(done) \
	GRADED_CONSTANTS                \
keys8: \
	GRADED8                         \
	ADD  $32, R8                    \
	ADD  $32, R9                    \
	ADD  $8, R10                    \
	SUBS $8, R11                    \
	BGE  keys8                      \
	ADDS $8, R11                    \
	BEQ  done                       \
	SUB  $8, R11, R12               \
	ADD  R12<<2, R8                 \
	ADD  R12<<2, R9                 \
	ADD  R12, R10                   \
	MOVD ZR, R11                    \
	B    keys8

// LOAD32 loads 32 keys from R8 on, LOAD 64.
#define LOAD32 \
	FLDPQ 0(R8), (F0, F1)           \
	FLDPQ 32(R8), (F2, F3)          \
	FLDPQ 64(R8), (F4, F5)          \
	FLDPQ 96(R8), (F6, F7)

#define LOAD \
	LOAD32                          \
	FLDPQ 128(R8), (F8, F9)         \
	FLDPQ 160(R8), (F10, F11)       \
	FLDPQ 192(R8), (F12, F13)       \
	FLDPQ 224(R8), (F14, F15)

// SORT4 sorts columns of four, MERGE8 those of eight whose halves are sorted, into A … H.
#define SORT4(a, b, c, d, A, B, C, D) \
	BEFORE(a, c, A, C)              \
	BEFORE(b, d, B, D)              \
	BEFORE(A, B, a, B)              \
	BEFORE(C, D, c, d)              \
	BEFORE(B, c, b, c)

#define MERGE8(a, b, c, d, e, f, g, h, A, B, C, D, E, F, G, H) \
	BEFORE(a, h, A, H)              \
	BEFORE(b, g, B, G)              \
	BEFORE(c, f, C, F)              \
	BEFORE(d, e, D, E)              \
	FOURS(A, B, C, D, a, b, c, d)   \
	FOURS(E, F, G, H, e, f, g, h)

// INSERT enters the keys V among the four of each lane, and what falls out into REST. T is scratch.
#define INSERT(V, a, b, c, d, T, REST) \
	VUMIN V.S4, a.S4, T.S4          \
	VUMAX V.S4, a.S4, a.S4          \
	VUMIN T.S4, b.S4, V.S4          \
	VUMAX T.S4, b.S4, b.S4          \
	VUMIN V.S4, c.S4, T.S4          \
	VUMAX V.S4, c.S4, c.S4          \
	VUMIN T.S4, d.S4, V.S4          \
	VUMAX T.S4, d.S4, d.S4          \
	VUMAX V.S4, REST.S4, REST.S4

// func bestGainsF32NEON(dst *[16]float64, keys []int64, x []float32, grades []uint8, gains *[16]float64, k int) (nan, ok bool)
// Requires: NEON
//
// For 8 values and more. R0 dst, R1 keys, which get those of 32 bits, R2 x, R3 its length, R4
// grades, R5 gains, R6 k. The four best of every 16th value are kept, in V0 to V15, and the best of
// the others in V28 to V31. Then 16 sorted columns of four become one of 16: columns are merged in
// pairs, of which two rounds keep the better half. It fails when a fifth value of a column, or the
// eighth of four columns, is as good as the k-th.
TEXT ·bestGainsF32NEON(SB), NOSPLIT, $0-98
	MOVD dst+0(FP), R0
	MOVD keys_base+8(FP), R1
	LDP  x_base+32(FP), (R2, R3)
	MOVD grades_base+56(FP), R4
	MOVD gains+80(FP), R5
	MOVD k+88(FP), R6

	// R8 to R11 keys, values, grades and values left.
	MOVD R1, R8
	MOVD R2, R9
	MOVD R4, R10
	SUB  $8, R3, R11
	KEYS32(check)

	// The worst keys up to 64, and up to the next 16. R9 the end.
check:
	ADD    R3<<2, R1, R9
	FSTPQ  (F24, F24), (R9)
	FSTPQ  (F24, F24), 32(R9)
	ADD    $256, R1, R10

worst:
	CMP   R10, R9
	BHS   checked
	FSTPQ (F24, F24), (R9)
	ADD   $32, R9
	B     worst

checked:
	FCMEQS4(27, 27, 0)
	VMOV  V0.D[0], R8
	VMOV  V0.D[1], R9
	AND   R9, R8
	CMN   $1, R8
	BNE   nan
	VMOVI $15, V1.B16
	VUMAX V28.B16, V1.B16, V1.B16
	VCMEQ V28.B16, V1.B16, V1.B16 // grades of 15 and more
	VMOV  V1.D[0], R8
	CBNZ  R8, fail
	MOVD  R1, R8
	LOAD
	SORT4(V0, V1, V2, V3, V16, V17, V18, V19)
	SORT4(V4, V5, V6, V7, V20, V21, V22, V23)
	SORT4(V8, V9, V10, V11, V16, V17, V18, V19)
	SORT4(V12, V13, V14, V15, V20, V21, V22, V23)
	VEOR  V28.B16, V28.B16, V28.B16
	VEOR  V29.B16, V29.B16, V29.B16
	VEOR  V30.B16, V30.B16, V30.B16
	VEOR  V31.B16, V31.B16, V31.B16
	SUBS  $64, R3, R9
	BLE   merge
	ADD   $256, R1, R8

insert16:
	FLDPQ (R8), (F16, F17)
	FLDPQ 32(R8), (F18, F19)
	INSERT(V16, V0, V1, V2, V3, V20, V28)
	INSERT(V17, V4, V5, V6, V7, V21, V29)
	INSERT(V18, V8, V9, V10, V11, V22, V30)
	INSERT(V19, V12, V13, V14, V15, V23, V31)
	ADD   $64, R8
	SUBS  $16, R9
	BGT   insert16

merge:
	VUMAX V29.S4, V28.S4, V28.S4
	VUMAX V31.S4, V30.S4, V30.S4
	VUMAX V30.S4, V28.S4, V28.S4
	FMOVQ F28, 64(R1)
	// Columns of 8, then the best 8 of pairs. What they leave out is no better than the eighth.
	MERGE8(V0, V1, V2, V3, V4, V5, V6, V7, V16, V17, V18, V19, V20, V21, V22, V23)
	MERGE8(V8, V9, V10, V11, V12, V13, V14, V15, V24, V25, V26, V27, V28, V29, V30, V31)
	VUMAX V16.S4, V31.S4, V0.S4
	VUMAX V17.S4, V30.S4, V1.S4
	VUMAX V18.S4, V29.S4, V2.S4
	VUMAX V19.S4, V28.S4, V3.S4
	VUMAX V20.S4, V27.S4, V4.S4
	VUMAX V21.S4, V26.S4, V5.S4
	VUMAX V22.S4, V25.S4, V6.S4
	VUMAX V23.S4, V24.S4, V7.S4
	CLEAN(V0, V1, V2, V3, V4, V5, V6, V7, V16, V17, V18, V19, V20, V21, V22, V23)
	FMOVQ 64(R1), F31
	VUMAX V23.S4, V31.S4, V31.S4
	// Columns of 16: lanes 0 and 2 against 1 and 3, from the last.
	EVEN_ODD(V16, V17, V0, V23, V22, V4)
	EVEN_ODD(V18, V19, V1, V21, V20, V5)
	EVEN_ODD(V20, V21, V2, V19, V18, V6)
	EVEN_ODD(V22, V23, V3, V17, V16, V7)
	CLEAN(V0, V1, V2, V3, V4, V5, V6, V7, V16, V17, V18, V19, V20, V21, V22, V23)
	EIGHT(PAIRS, V16, V17, V18, V19, V20, V21, V22, V23, V0, V1, V2, V3, V4, V5, V6, V7)
	// The best 16: even lanes against odd ones, from the last.
	XY(V16, V17, V0, V7)
	XY(V18, V19, V1, V6)
	XY(V20, V21, V2, V5)
	XY(V22, V23, V3, V4)
	VUMAX V4.S4, V0.S4, V16.S4
	VUMAX V5.S4, V1.S4, V17.S4
	VUMAX V6.S4, V2.S4, V18.S4
	VUMAX V7.S4, V3.S4, V19.S4
	FOURS(V16, V17, V18, V19, V0, V1, V2, V3)
	LANES(V16, V17, V0, V1)
	LANES(V18, V19, V2, V3)
	PAIRS(V16, V17, V0, V1)
	PAIRS(V18, V19, V2, V3)
	RANKED(V16, V17, V0, V1)
	RANKED(V18, V19, V2, V3)
	FSTPQ (F16, F17), (R1)
	FSTPQ (F18, F19), 32(R1)

	// None of the others may be as good as the k-th.
	ADD   R6<<2, R1, R8
	SUB   $4, R8
	VLD1R (R8), [V0.S4]
	MOVD  $15, R9
	VDUP  R9, V1.S4
	BIC16(1, 0, 0)
	VUMAX V31.S4, V0.S4, V0.S4
	VCMEQ V31.S4, V0.S4, V0.S4
	VMOV  V0.D[0], R9
	VMOV  V0.D[1], R10
	ORR   R10, R9
	CBNZ  R9, fail

	VEOR  V0.B16, V0.B16, V0.B16
	FSTPQ (F0, F0), (R0)
	FSTPQ (F0, F0), 32(R0)
	FSTPQ (F0, F0), 64(R0)
	FSTPQ (F0, F0), 96(R0)
	MOVWU (R1), R8

gain:
	MOVWU.W 4(R1), R9
	EOR     R8, R9, R10
	CMP     $15, R10
	BLS     fail // tied
	AND     $15, R8
	FMOVD   (R5)(R8<<3), F0
	FMOVD.P F0, 8(R0)
	MOVD    R9, R8
	SUBS    $1, R6
	BNE     gain
	MOVD    $1, R8
	MOVB    ZR, nan+96(FP)
	MOVB    R8, ok+97(FP)
	RET

nan:
	MOVD $1, R8
	MOVB R8, nan+96(FP)
	MOVB ZR, ok+97(FP)
	RET

fail:
	MOVB ZR, nan+96(FP)
	MOVB ZR, ok+97(FP)
	RET

// STORED moves what A and B hold of the first half, from the last, to offset.
#define STORED(A, B, C, c, D, d, offset) \
	EVEN_ODD(B, A, C, B, A, D)      \
	VREV64 C.S4, C.S4               \
	VREV64 D.S4, D.S4               \
	FSTPQ  (d, c), offset(R5)

// MERGED leaves of A and B and of the first half what is better, and moves the rest on.
#define MERGED(A, B, C, D, offset) \
	EVEN_ODD(A, B, C, A, B, D)      \
	FLDPQ offset(R5), (F30, F31)    \
	BEFORE(C, V30, A, V30)          \
	BEFORE(D, V31, B, V31)          \
	FSTPQ (F30, F31), (256+offset)(R5)

// func rankGainsF32NEON(dst []float64, x []float32, grades []uint8, gains *[16]float64) (ok bool)
// Requires: NEON
//
// For 8 to 128 values. R0 dst, R1 x, R2 their number, R3 grades, R4 gains, R5 keys, R6 32, 64 or
// 128 of them, the worst behind those of values, R7 halves to sort, R8 half of the keys.
// A half is sorted as four columns of 16, in V0 to V15, which become two of 32 and then one. Where
// there are two halves, the best 64 of them and the others follow. Each step goes from V0 to V15 to
// V16 to V31, or back.
TEXT ·rankGainsF32NEON(SB), NOSPLIT, $544-81
	MOVD  dst_base+0(FP), R0
	LDP   x_base+24(FP), (R1, R2)
	MOVD  grades_base+48(FP), R3
	MOVD  gains+72(FP), R4
	MOVD  RSP, R5
	ADD   $16, R5
	MOVD  ZR, R7
	MOVD  $32, R6
	CMP   $32, R2
	BLE   worst
	MOVD  $64, R6
	CMP   $64, R2
	BLE   worst
	MOVD  $128, R6
	MOVD  $2, R7

	// The worst keys, no two alike, and up to three too many.
worst:
	MOVD  $github·com∕simdrank∕simdrank∕internal∕kern·Iota(SB), R9
	FMOVQ (R9), F0
	VDUP  R2, V1.S4
	VADD  V1.S4, V0.S4, V0.S4
	VSHL  $4, V0.S4, V0.S4
	VMOVI $64, V1.B16
	VUSHR $24, V1.S4, V1.S4
	ADD   R2<<2, R5, R8
	ADD   R6<<2, R5, R9
	B     fill

fill4:
	FMOVQ.P F0, 16(R8)
	VADD    V1.S4, V0.S4, V0.S4

fill:
	CMP R9, R8
	BLO fill4

	// R8 to R11 keys, values, grades and values left.
	MOVD  R5, R8
	MOVD  R1, R9
	MOVD  R3, R10
	SUB   $8, R2, R11
	KEYS32(check)

check:
	FCMEQS4(27, 27, 0)
	VMOVI $15, V1.B16
	VUMAX V28.B16, V1.B16, V1.B16
	VCMEQ V28.B16, V1.B16, V1.B16 // grades of 15 and more
	VMOV  V0.D[0], R8
	VMOV  V0.D[1], R9
	VMOV  V1.D[0], R10
	AND   R9, R8
	BIC   R10, R8
	CMN   $1, R8
	BNE   fail
	MOVD  R5, R8
	CMP   $32, R6
	BEQ   few

sort:
	LOAD
	// Columns of 16, with Green's 60 comparators (Knuth, volume 3, 5.3.4).
	HALVES
	CLEAN_HIGH
	BEFORE(V5, V10, V21, V10)
	BEFORE(V6, V9, V22, V9)
	BEFORE(V3, V12, V19, V12)
	BEFORE(V13, V14, V29, V14)
	BEFORE(V4, V8, V20, V8)
	BEFORE(V7, V11, V23, V27)
	BEFORE(V1, V2, V17, V2)
	BEFORE(V17, V20, V1, V20)
	BEFORE(V23, V29, V7, V29)
	BEFORE(V2, V8, V18, V8)
	BEFORE(V27, V14, V11, V14)
	BEFORE(V21, V22, V5, V22)
	BEFORE(V9, V10, V25, V10)
	BEFORE(V18, V20, V2, V20)
	BEFORE(V11, V29, V27, V13)
	BEFORE(V19, V8, V3, V8)
	BEFORE(V7, V12, V23, V12)
	BEFORE(V22, V8, V6, V8)
	BEFORE(V10, V12, V26, V12)
	BEFORE(V3, V5, V19, V21)
	BEFORE(V23, V25, V7, V25)
	BEFORE(V19, V20, V3, V4)
	BEFORE(V21, V6, V5, V22)
	BEFORE(V7, V8, V23, V24)
	BEFORE(V25, V26, V9, V10)
	BEFORE(V27, V12, V11, V12)
	BEFORE(V22, V23, V6, V7)
	BEFORE(V24, V9, V8, V9)
	// Of 32: lanes 0 and 2 against 1 and 3, from the last.
	EVEN_ODD(V0, V1, V16, V15, V14, V24)
	EVEN_ODD(V2, V3, V17, V13, V12, V25)
	EVEN_ODD(V4, V5, V18, V11, V10, V26)
	EVEN_ODD(V6, V7, V19, V9, V8, V27)
	EVEN_ODD(V8, V9, V20, V7, V6, V28)
	EVEN_ODD(V10, V11, V21, V5, V4, V29)
	EVEN_ODD(V12, V13, V22, V3, V2, V30)
	EVEN_ODD(V14, V15, V23, V1, V0, V31)
	BEFORE(V16, V24, V0, V8)
	BEFORE(V17, V25, V1, V9)
	BEFORE(V18, V26, V2, V10)
	BEFORE(V19, V27, V3, V11)
	BEFORE(V20, V28, V4, V12)
	BEFORE(V21, V29, V5, V13)
	BEFORE(V22, V30, V6, V14)
	BEFORE(V23, V31, V7, V15)
	CLEAN_LOW
	EIGHT(PAIRS, V16, V17, V18, V19, V20, V21, V22, V23, V0, V1, V2, V3, V4, V5, V6, V7)
	EIGHT(PAIRS, V24, V25, V26, V27, V28, V29, V30, V31, V8, V9, V10, V11, V12, V13, V14, V15)
	// Of 64: even lanes against odd ones, from the last.
	XY(V16, V17, V0, V15)
	XY(V18, V19, V1, V14)
	XY(V20, V21, V2, V13)
	XY(V22, V23, V3, V12)
	XY(V24, V25, V4, V11)
	XY(V26, V27, V5, V10)
	XY(V28, V29, V6, V9)
	XY(V30, V31, V7, V8)

bitonic: // 64 keys, four next to each other in a vector, of which lanes 1 and 2 are interchanged
	HALVES
	CLEAN_HIGH
	EIGHT(LANES, V0, V1, V2, V3, V4, V5, V6, V7, V16, V17, V18, V19, V20, V21, V22, V23)
	EIGHT(LANES, V8, V9, V10, V11, V12, V13, V14, V15, V24, V25, V26, V27, V28, V29, V30, V31)
	EIGHT(PAIRS, V0, V1, V2, V3, V4, V5, V6, V7, V16, V17, V18, V19, V20, V21, V22, V23)
	EIGHT(PAIRS, V8, V9, V10, V11, V12, V13, V14, V15, V24, V25, V26, V27, V28, V29, V30, V31)
	SUBS $1, R7
	BLT  ranked
	BEQ  second
	STORED(V0, V1, V16, F16, V17, F17, 224)
	STORED(V2, V3, V18, F18, V19, F19, 192)
	STORED(V4, V5, V20, F20, V21, F21, 160)
	STORED(V6, V7, V22, F22, V23, F23, 128)
	STORED(V8, V9, V24, F24, V25, F25, 96)
	STORED(V10, V11, V26, F26, V27, F27, 64)
	STORED(V12, V13, V28, F28, V29, F29, 32)
	STORED(V14, V15, V30, F30, V31, F31, 0)
	ADD  $256, R8
	B    sort

second:
	MERGED(V0, V1, V16, V17, 0)
	MERGED(V2, V3, V18, V19, 32)
	MERGED(V4, V5, V20, V21, 64)
	MERGED(V6, V7, V22, V23, 96)
	MERGED(V8, V9, V24, V25, 128)
	MERGED(V10, V11, V26, V27, 160)
	MERGED(V12, V13, V28, V29, 192)
	MERGED(V14, V15, V16, V17, 224)
	MOVD R5, R8
	B    bitonic

ranked:
	EIGHT(RANKED, V0, V1, V2, V3, V4, V5, V6, V7, V16, V17, V18, V19, V20, V21, V22, V23)
	EIGHT(RANKED, V8, V9, V10, V11, V12, V13, V14, V15, V24, V25, V26, V27, V28, V29, V30, V31)
	FSTPQ (F0, F1), 0(R8)
	FSTPQ (F2, F3), 32(R8)
	FSTPQ (F4, F5), 64(R8)
	FSTPQ (F6, F7), 96(R8)
	FSTPQ (F8, F9), 128(R8)
	FSTPQ (F10, F11), 160(R8)
	FSTPQ (F12, F13), 192(R8)
	FSTPQ (F14, F15), 224(R8)
	VMOVI $255, V28.B16
	VMOVI $255, V29.B16
	VMOVI $255, V30.B16
	VMOVI $255, V31.B16
	DIFFER(V0, V1, V16, V28)
	DIFFER(V1, V2, V17, V29)
	DIFFER(V2, V3, V18, V30)
	DIFFER(V3, V4, V19, V31)
	DIFFER(V4, V5, V20, V28)
	DIFFER(V5, V6, V21, V29)
	DIFFER(V6, V7, V22, V30)
	DIFFER(V7, V8, V23, V31)
	DIFFER(V8, V9, V24, V28)
	DIFFER(V9, V10, V25, V29)
	DIFFER(V10, V11, V26, V30)
	DIFFER(V11, V12, V27, V31)
	DIFFER(V12, V13, V16, V28)
	DIFFER(V13, V14, V17, V29)
	DIFFER(V14, V15, V18, V30)
	DIFFER(V15, V0, V19, V31)

differ:
	VUMIN V29.S4, V28.S4, V28.S4
	VUMIN V31.S4, V30.S4, V30.S4
	VUMIN V30.S4, V28.S4, V28.S4
	VUSHR $4, V28.S4, V28.S4
	VEOR  V29.B16, V29.B16, V29.B16
	VCMEQ V29.S4, V28.S4, V28.S4
	VMOV  V28.D[0], R9
	VMOV  V28.D[1], R10
	ORR   R10, R9
	CBNZ  R9, fail
	ADD   $256, R8
	ADD   R6<<2, R5, R9
	CMP   R9, R8
	BHS   last
	LOAD
	B     bitonic

last:
	CMP   $64, R6
	BLE   gain
	MOVWU 252(R5), R9
	MOVWU 256(R5), R10
	EOR   R10, R9
	CMP   $15, R9
	BLS   fail // tied across the halves

gain:
	SUBS $4, R2

gain4:
	LDP.P 16(R5), (R8, R9)
	AND   $15, R8, R10
	UBFX  $32, R8, $4, R11
	AND   $15, R9, R12
	UBFX  $32, R9, $4, R13
	FMOVD (R4)(R10<<3), F0
	FMOVD (R4)(R11<<3), F1
	FMOVD (R4)(R12<<3), F2
	FMOVD (R4)(R13<<3), F3
	FSTPD (F0, F1), (R0)
	FSTPD (F2, F3), 16(R0)
	ADD   $32, R0
	SUBS  $4, R2
	BGE   gain4
	ADDS  $4, R2
	BEQ   done

gain1:
	MOVWU.P 4(R5), R8
	AND     $15, R8
	FMOVD   (R4)(R8<<3), F0
	FMOVD.P F0, 8(R0)
	SUBS    $1, R2
	BNE     gain1

done:
	MOVD $1, R8
	MOVB R8, ok+80(FP)
	RET

fail:
	MOVB ZR, ok+80(FP)
	RET

	// 32 keys: four columns of 8, in V0 to V7, with the 19 comparators for as many inputs.
few:
	LOAD32
	BEFORE(V0, V2, V16, V2)
	BEFORE(V1, V3, V17, V3)
	BEFORE(V4, V6, V20, V6)
	BEFORE(V5, V7, V21, V7)
	BEFORE(V16, V20, V0, V20)
	BEFORE(V17, V21, V1, V21)
	BEFORE(V2, V6, V18, V6)
	BEFORE(V3, V7, V19, V7)
	BEFORE(V0, V1, V16, V1)
	BEFORE(V18, V19, V2, V19)
	BEFORE(V20, V21, V4, V21)
	BEFORE(V6, V7, V22, V7)
	BEFORE(V2, V4, V18, V4)
	BEFORE(V19, V21, V3, V21)
	BEFORE(V1, V4, V17, V4)
	BEFORE(V3, V22, V19, V22)
	BEFORE(V17, V18, V1, V2)
	BEFORE(V19, V4, V3, V4)
	BEFORE(V21, V22, V5, V6)
	EVEN_ODD(V16, V1, V8, V7, V6, V12)
	EVEN_ODD(V2, V3, V9, V5, V4, V13)
	EVEN_ODD(V4, V5, V10, V3, V2, V14)
	EVEN_ODD(V6, V7, V11, V1, V16, V15)
	CLEAN(V8, V9, V10, V11, V12, V13, V14, V15, V16, V17, V18, V19, V20, V21, V22, V23)
	EIGHT(PAIRS, V16, V17, V18, V19, V20, V21, V22, V23, V0, V1, V2, V3, V4, V5, V6, V7)
	XY(V16, V17, V0, V7)
	XY(V18, V19, V1, V6)
	XY(V20, V21, V2, V5)
	XY(V22, V23, V3, V4)
	CLEAN(V0, V1, V2, V3, V4, V5, V6, V7, V16, V17, V18, V19, V20, V21, V22, V23)
	EIGHT(LANES, V16, V17, V18, V19, V20, V21, V22, V23, V0, V1, V2, V3, V4, V5, V6, V7)
	EIGHT(PAIRS, V16, V17, V18, V19, V20, V21, V22, V23, V0, V1, V2, V3, V4, V5, V6, V7)
	EIGHT(RANKED, V16, V17, V18, V19, V20, V21, V22, V23, V0, V1, V2, V3, V4, V5, V6, V7)
	FSTPQ (F16, F17), 0(R8)
	FSTPQ (F18, F19), 32(R8)
	FSTPQ (F20, F21), 64(R8)
	FSTPQ (F22, F23), 96(R8)
	VMOVI $255, V28.B16
	VMOVI $255, V29.B16
	VMOVI $255, V30.B16
	VMOVI $255, V31.B16
	DIFFER(V16, V17, V0, V28)
	DIFFER(V17, V18, V1, V29)
	DIFFER(V18, V19, V2, V30)
	DIFFER(V19, V20, V3, V31)
	DIFFER(V20, V21, V4, V28)
	DIFFER(V21, V22, V5, V29)
	DIFFER(V22, V23, V6, V30)
	DIFFER(V23, V16, V7, V31)
	B     differ
