//go:build !purego

#include "textflag.h"
#include "neon_arm64.h"

// NEON kernels of rankings and best documents.

// RANK_KEYS sets V2 and V3 to the keys of the four floats in V0 with the lower halves LOW. V16 must
// be +0, V17 the indices, V18 all ones, V19 the upper half of a NaN's key, and V20 the number 4, by
// which V17 advances. V21 keeps the bits of the lanes that have had no NaN. It uses V1.
#define RANK_KEYS(LOW) \
	FCMEQS4(0, 0, 1) \ // numbers &= v == v
	VAND  V1.B16, V21.B16, V21.B16 \
	FADDS4(16, 0, 0) \ // −0 becomes +0
	SSHRS4(31, 0, 2) \ // v = descending(v): flip all bits but the sign if v is negative, then all
	VUSHR $1, V2.S4, V2.S4 \
	VEOR  V2.B16, V0.B16, V0.B16 \
	VEOR  V18.B16, V0.B16, V0.B16 \
	VBIF  V1.B16, V19.B16, V0.B16 \ // the greatest for a NaN
	VZIP1 V0.S4, LOW.S4, V2.S4 \ // keys = v<<32 | LOW
	VZIP2 V0.S4, LOW.S4, V3.S4 \
	VADD  V20.S4, V17.S4, V17.S4

// BEFORE sets c to the greater and d to the lesser element of each lane of a and b. d may be b.
#define BEFORE(a, b, c, d) \
	VUMAX b.S4, a.S4, c.S4 \
	VUMIN b.S4, a.S4, d.S4

// FOURS sorts bitonic columns of four in place. A to D are scratch.
#define FOURS(a, b, c, d, A, B, C, D) \
	BEFORE(a, c, A, C); BEFORE(b, d, B, D) \
	BEFORE(A, B, a, b); BEFORE(C, D, c, d)

// CLEAN sorts bitonic columns of eight in a to h and stores the result in A to H.
#define CLEAN(a, b, c, d, e, f, g, h, A, B, C, D, E, F, G, H) \
	BEFORE(a, e, A, E); BEFORE(b, f, B, F); BEFORE(c, g, C, G); BEFORE(d, h, D, H) \
	FOURS(A, B, C, D, a, b, c, d) \
	FOURS(E, F, G, H, e, f, g, h)

// LANES compares lanes 0 and 1, and lanes 2 and 3, of A and B. PAIRS compares lanes 0 and 2, and
// lanes 1 and 3. The greater elements go to A, the lesser ones to B. C and D are scratch.
#define LANES(A, B, C, D) \
	VTRN1 B.S4, A.S4, C.S4; VTRN2 B.S4, A.S4, D.S4 \
	BEFORE(C, D, A, B)

#define PAIRS(A, B, C, D) \
	VZIP1 B.D2, A.D2, C.D2; VZIP2 B.D2, A.D2, D.D2 \
	BEFORE(C, D, A, B)

// EIGHT applies the macro do, which takes two vectors, to a and b, to c and d, and so on. A to H
// are scratch.
#define EIGHT(do, a, b, c, d, e, f, g, h, A, B, C, D, E, F, G, H) \
	do(a, b, A, B); do(c, d, C, D); do(e, f, E, F); do(g, h, G, H)

// EVEN_ODD copies the even lanes of A and B to C, and the odd lanes of E and F to D.
#define EVEN_ODD(A, B, C, E, F, D) \
	VUZP1 B.S4, A.S4, C.S4; VUZP2 F.S4, E.S4, D.S4

// XY copies the even lanes of A and B to C, and the odd lanes in reverse order to D.
#define XY(A, B, C, D) \
	EVEN_ODD(A, B, C, B, A, D) \
	VREV64 D.S4, D.S4

// RANKED arranges the eight keys of A and B in the order of their ranks.
#define RANKED(A, B, C, D) \
	VZIP1 B.S4, A.S4, C.S4; VZIP2 B.S4, A.S4, D.S4 \
	VZIP1 D.D2, C.D2, A.D2; VZIP2 D.D2, C.D2, B.D2

// GRADED converts the floats V with the grades G to graded keys. These are unsigned integers in the
// order of the floats, with the last four bits replaced by the grade. Keys are sorted in descending
// order. Keys that differ only in the grade may be in any order, because they count as tied. V24
// must be +0, V25 the sign bit and V26 15. V27 collects NaNs. It uses V7.
#define GRADED(V, v, G) \
	FMAXS4(v, 27, 27) \
	FADDS4(24, v, v) \ // −0 becomes +0
	SSHRS4(31, v, 7) \ // flip all bits of a negative float, the sign of others
	VORR V25.B16, V7.B16, V7.B16 \
	VEOR V7.B16, V.B16, V.B16 \
	VBIT V26.B16, G.B16, V.B16 // the last four bits from G

// KEYS32 stores the graded keys of the R11 + 8 values at R9, whose grades are at R10, to R8 and
// jumps to done. It may store some of the last eight keys twice. V27 collects NaNs, and V28 the
// highest grades. It uses R12 and V0 to V7.
#define KEYS32(done) \
	VEOR V24.B16, V24.B16, V24.B16; VEOR V27.B16, V27.B16, V27.B16; VEOR V28.B16, V28.B16, V28.B16 \
	MOVD $0x80000000, R12; VDUP R12, V25.S4 \
	MOVD $15, R12; VDUP R12, V26.S4 \
keys8: \ // keys[i] = graded(x[i], grades[i]), for 8 values
	FLDPQ   (R9), (F0, F1) \
	FMOVD   (R10), F2 \
	VUMAX   V2.B16, V28.B16, V28.B16 \
	VUSHLL  $0, V2.B8, V3.H8 \ // grades of 32 bits
	VUSHLL  $0, V3.H4, V4.S4; VUSHLL2 $0, V3.H8, V5.S4 \
	GRADED(V0, 0, V4); GRADED(V1, 1, V5) \
	FSTPQ   (F0, F1), (R8) \
	ADD  $32, R8; ADD $32, R9; ADD $8, R10 \ // the next 8
	SUBS $8, R11 \
	BGE  keys8 \
	ADDS $8, R11 \ // the last 8 values, if any is left
	BEQ  done \
	SUB  $8, R11, R12 \
	ADD  R12<<2, R8; ADD R12<<2, R9; ADD R12, R10 \
	MOVD ZR, R11 \
	B    keys8

// LOAD loads 64 keys at R8.
#define LOAD \
	FLDPQ 0(R8), (F0, F1); FLDPQ 32(R8), (F2, F3) \
	FLDPQ 64(R8), (F4, F5); FLDPQ 96(R8), (F6, F7) \
	FLDPQ 128(R8), (F8, F9); FLDPQ 160(R8), (F10, F11) \
	FLDPQ 192(R8), (F12, F13); FLDPQ 224(R8), (F14, F15)

// func rankKeysF32NEON(dst []int64, x []float32, base int) (nan bool)
// Requires: NEON
//
// An iteration processes four values. The last values are processed one at a time.
// Registers: R0: the next key; R1: the next value; R2: values left; V16-V21: see RANK_KEYS.
TEXT ·rankKeysF32NEON(SB), NOSPLIT, $0-57
	MOVD  dst_base+0(FP), R0        // arguments
	LDP   x_base+24(FP), (R1, R2)
	MOVD  base+48(FP), R3
	MOVD  $github·com∕simdrank∕simdrank∕internal∕kern·Iota(SB), R4
	FMOVQ (R4), F17                 // indices = base + iota
	VDUP  R3, V16.S4
	VADD  V16.S4, V17.S4, V17.S4
	VEOR  V16.B16, V16.B16, V16.B16 // constants of RANK_KEYS
	MOVD  $-1, R4
	VDUP  R4, V18.D2
	VDUP  R4, V21.D2
	VUSHR $1, V18.S4, V19.S4
	MOVD  $4, R4
	VDUP  R4, V20.S4

loop4:
	SUBS  $4, R2   // while left ≥ 4
	BLT   tail
	FMOVQ (R1), F0 // dst[i] = key(x[i])
	RANK_KEYS(V17)
	FSTPQ (F2, F3), (R0)
	ADD   $16, R1
	ADD   $32, R0
	B     loop4

tail:
	ADDS $4, R2 // if left == 0: goto done; otherwise indices advance by 1
	BEQ  done
	MOVD $1, R4
	VDUP R4, V20.S4

loop1:
	FMOVS (R1), F0 // dst[i] = key(x[i])
	RANK_KEYS(V17)
	FMOVD F2, (R0)
	ADD   $4, R1
	ADD   $8, R0
	SUBS  $1, R2
	BNE   loop1

done:
	VMOV V21.D[0], R4 // nan = numbers ≠ −1
	VMOV V21.D[1], R5
	AND  R5, R4
	CMN  $1, R4
	CSET NE, R4
	MOVB R4, nan+56(FP)
	RET

// func rankGradesF32NEON(dst []int64, x []float32, grades []uint8, base int) (nan bool)
// Requires: NEON
//
// It is like rankKeysF32NEON, but the lower halves are index·256 + grade.
// Registers: R0: the next key; R1: the next value; R2: values left; R6: the next grade; V5: lower
// halves; V17: indices times 256; V16, V18-V21: see RANK_KEYS.
TEXT ·rankGradesF32NEON(SB), NOSPLIT, $0-81
	MOVD  dst_base+0(FP), R0        // arguments
	LDP   x_base+24(FP), (R1, R2)
	MOVD  grades_base+48(FP), R6
	MOVD  base+72(FP), R3
	MOVD  $github·com∕simdrank∕simdrank∕internal∕kern·Iota(SB), R4
	FMOVQ (R4), F17                 // indices = (base + iota)·256
	VDUP  R3, V16.S4
	VADD  V16.S4, V17.S4, V17.S4
	VSHL  $8, V17.S4, V17.S4
	VEOR  V16.B16, V16.B16, V16.B16 // constants of RANK_KEYS
	MOVD  $-1, R4
	VDUP  R4, V18.D2
	VDUP  R4, V21.D2
	VUSHR $1, V18.S4, V19.S4
	MOVD  $(4<<8), R4
	VDUP  R4, V20.S4

loop4:
	SUBS   $4, R2   // while left ≥ 4
	BLT    tail
	FMOVQ  (R1), F0 // low = index·256 + grades[i]
	FMOVS  (R6), F5
	VUSHLL $0, V5.B8, V5.H8
	VUSHLL $0, V5.H4, V5.S4
	VORR   V17.B16, V5.B16, V5.B16
	RANK_KEYS(V5)   // dst[i] = the key of x[i] and low
	FSTPQ  (F2, F3), (R0)
	ADD    $16, R1
	ADD    $4, R6
	ADD    $32, R0
	B      loop4

tail:
	ADDS $4, R2 // if left == 0: goto done; otherwise indices advance by 1
	BEQ  done
	MOVD $(1<<8), R4
	VDUP R4, V20.S4

loop1:
	FMOVS (R1), F0 // the same for one value
	MOVBU (R6), R4
	VMOV  R4, V5.S[0]
	VORR  V17.B16, V5.B16, V5.B16
	RANK_KEYS(V5)
	FMOVD F2, (R0)
	ADD   $4, R1   // the next
	ADD   $1, R6
	ADD   $8, R0
	SUBS  $1, R2
	BNE   loop1

done:
	VMOV V21.D[0], R4 // nan = numbers ≠ −1
	VMOV V21.D[1], R5
	AND  R5, R4
	CMN  $1, R4
	CSET NE, R4
	MOVB R4, nan+80(FP)
	RET

// func thresholdF32NEON(lanes *[16]float32, x []float32) (nan bool)
// Requires: NEON
//
// It computes only the maxima of the lanes. The Go code that calls it finds the k-th largest of
// them. The tail is processed value by value, on a copy of the lanes in memory.
// Registers: R0: lanes; R1: the next value; R2: values left; V16-V19: the lanes; V20: bits of the
// lanes that never had a NaN.
TEXT ·thresholdF32NEON(SB), NOSPLIT, $0-33
	MOVD  lanes+0(FP), R0 // arguments
	LDP   x_base+8(FP), (R1, R2)
	FLDPQ (R0), (F16, F17)
	FLDPQ 32(R0), (F18, F19)
	MOVD  $-1, R4
	VDUP  R4, V20.D2

// RAISE computes V = max(V, X), but ignores NaNs in X. It sets X to the bits of the lanes that are
// not NaN.
#define RAISE(V, v, X, x, T, t) \
	FCMGTS4(v, x, t) \
	VBIT  T.B16, X.B16, V.B16 \
	FCMEQS4(x, x, x)

loop16:
	SUBS  $16, R2                // while left ≥ 16
	BLT   tail
	FLDPQ (R1), (F0, F1)
	FLDPQ 32(R1), (F2, F3)
	RAISE(V16, 16, V0, 0, V4, 4) // lanes[i] = max(lanes[i], x[i])
	RAISE(V17, 17, V1, 1, V5, 5)
	RAISE(V18, 18, V2, 2, V6, 6)
	RAISE(V19, 19, V3, 3, V7, 7)
	VAND  V1.B16, V0.B16, V0.B16 // numbers &= x[i] == x[i]
	VAND  V3.B16, V2.B16, V2.B16
	VAND  V2.B16, V0.B16, V0.B16
	VAND  V0.B16, V20.B16, V20.B16
	ADD   $64, R1
	B     loop16

tail:
	FSTPQ (F16, F17), (R0) // store the lanes; if left == 0: goto done
	FSTPQ (F18, F19), 32(R0)
	ADDS  $16, R2
	BEQ   done

loop1:
	FMOVS (R1), F0 // the same for one value and lane
	FMOVS (R0), F16
	FCMEQS4(0, 0, 4)
	FCMGTS4(16, 0, 5)
	VAND  V4.B16, V20.B16, V20.B16
	VBIT  V5.B16, V0.B16, V16.B16
	FMOVS F16, (R0)
	ADD   $4, R0   // the next
	ADD   $4, R1
	SUBS  $1, R2
	BNE   loop1

done:
	VMOV V20.D[0], R4 // nan = numbers ≠ −1
	VMOV V20.D[1], R5
	AND  R5, R4
	CMN  $1, R4
	CSET NE, R4
	MOVB R4, nan+32(FP)
	RET
#undef RAISE

// func selectKeysF32NEON(dst []int64, x []float32, t float32, base int) int
// Requires: NEON
//
// If any of 16 values is to be kept, the values to keep are permuted to the front of each four. In
// the tail, each value is stored, but dst advances only if it is to be kept.
// Registers: V26: all ones; V27: 1, 2, 4 and 8, four times; V30: t; V31: zero.
TEXT ·selectKeysF32NEON(SB), NOSPLIT, $0-72
#define keys    R0  // end of the keys
#define x       R1  // next value
#define left    R2  // values left
#define index   R3  // index of x[0], in the tail
#define front   R10 // frontI32
#define sets    R11 // byte i: the lanes of the i-th four values to keep
#define sizes   R14 // number of lanes in each set
#define sixteen V25 // 16
#define four    V28 // 4
#define indices V29
	MOVD  dst_base+0(FP), keys  // arguments
	LDP   x_base+24(FP), (x, left)
	FMOVS t+48(FP), F30
	VDUP  V30.S[0], V30.S4
	MOVD  base+56(FP), index
	MOVD  $github·com∕simdrank∕simdrank∕internal∕kern·Iota(SB), R11
	FMOVQ (R11), F29            // indices = base + iota
	VDUP  index, four.S4
	VADD  four.S4, indices.S4, indices.S4
	MOVD  $4, R11               // constants
	VDUP  R11, four.S4
	MOVD  $0x08040201, R11
	VDUP  R11, V27.S4
	MOVD  $·frontI32(SB), front // the tables of sets
	ADD   $256, front, sizes
	VEOR  V31.B16, V31.B16, V31.B16
	VCMEQ V31.S4, V31.S4, V26.S4
	MOVD  $16, R4               // to the indices of the next 16
	VDUP  R4, sixteen.S4
	SUBS  $16, left             // if left < 16: goto tail
	BLT   tail

// SELECT appends the keys of the i-th four values V whose bits in byte i of sets are set.
#define SELECT(i, V, v) \
	FADDS4(31, v, v) \ // v = descending(v + 0)
	SSHRS4(31, v, 6) \
	VUSHR $1, V6.S4, V6.S4 \
	VEOR  V6.B16, V.B16, V.B16 \
	VEOR  V26.B16, V.B16, V.B16 \
	UBFX  $(8*i), sets, $8, R12 \ // V5 = the permutation, R13 = the number of lanes
	ADD   R12<<4, front, R13 \
	FMOVQ (R13), F5 \
	MOVBU (sizes)(R12), R13 \
	VTBL  V5.B16, [V.B16], V.B16 \ // v<<32 | index
	VTBL  V5.B16, [indices.B16], V6.B16 \
	VZIP1 V.S4, V6.S4, V16.S4 \
	VZIP2 V.S4, V6.S4, V17.S4 \
	FSTPQ (F16, F17), (keys) \
	ADD   R13<<3, keys \
	VADD  four.S4, indices.S4, indices.S4

loop16:
	FLDPQ (x), (F0, F1)           // the next 16
	FLDPQ 32(x), (F2, F3)
	ADD   $64, x
	FCMGES4(30, 0, 4)             // x[i] ≥ t, in bytes
	FCMGES4(30, 1, 5)
	FCMGES4(30, 2, 6)
	FCMGES4(30, 3, 7)
	VUZP1 V5.H8, V4.H8, V4.H8
	VUZP1 V7.H8, V6.H8, V6.H8
	VUZP1 V6.B16, V4.B16, V4.B16
	VAND  V27.B16, V4.B16, V4.B16 // sets = four sums of 1, 2, 4 and 8
	VADDP V4.B16, V4.B16, V4.B16
	VADDP V4.B16, V4.B16, V4.B16
	FMOVS F4, sets
	CBZ   sets, none              // if none: goto none
	SELECT(0, V0, 0)
	SELECT(1, V1, 1)
	SELECT(2, V2, 2)
	SELECT(3, V3, 3)
	SUBS  $16, left               // the next 16
	BGE   loop16
	B     tail

none:
	VADD sixteen.S4, indices.S4, indices.S4
	SUBS $16, left
	BGE  loop16

tail:
	ADDS $16, left // if left == 0: goto done
	BEQ  done
	VMOV indices.S[0], index

loop1:
	FMOVS (x), F0           // R6 = x[i] ≥ t
	FCMPS F30, F0
	CSET  GE, R6
	FADDS F31, F0, F0       // descending(x[i] + 0)
	FMOVS F0, R5
	ASRW  $31, R5, R7
	MVNW  R7, R7
	ORRW  $0x80000000, R7, R7
	EORW  R7, R5, R5
	ORR   R5<<32, index, R5 // store the key; keys += R6
	MOVD  R5, (keys)
	ADD   R6<<3, keys
	ADD   $1, index         // the next
	ADD   $4, x
	SUBS  $1, left
	BNE   loop1

done:
	MOVD dst_base+0(FP), R1 // return the number of keys
	SUB  R1, keys
	LSR  $3, keys
	MOVD keys, ret+64(FP)
	RET
#undef keys
#undef x
#undef left
#undef index
#undef front
#undef sets
#undef sizes
#undef sixteen
#undef four
#undef indices
#undef SELECT

// func countLevelsU8NEON(counts *[16]int64, x []uint8, levels int) (others int64)
// Requires: NEON
//
// Runs of at most 255 vectors are read once for eight levels. V16 to V23 contain the levels, and
// V24 to V31 count them in bytes. The tail is counted byte by byte.
// Registers: V16-V23: eight levels; V24-V31: their counts.
TEXT ·countLevelsU8NEON(SB), NOSPLIT, $0-48
#define first   R0  // counts
#define x       R1  // the run, or the next byte
#define left    R2  // vectors left
#define limit   R3  // levels
#define run     R4  // vectors of the run, or bytes left
#define vector  R5  // next vector of the run
#define vectors R6  // vectors of the run left
#define counter R7  // count of the first of the eight levels
#define pending R8  // levels from that on
#define counted R9  // elements counted
	MOVD counts+0(FP), first // arguments
	LDP  x_base+8(FP), (x, left)
	MOVD levels+32(FP), limit
	MOVD ZR, counted
	LSR  $4, left

nextRun:
	CBZ  left, tail // run = min(left, 255)
	MOVD $255, run
	CMP  run, left
	CSEL LT, left, run, run
	MOVD first, counter
	MOVD limit, pending
	VMOVI $0, V16.B16; VMOVI $1, V17.B16; VMOVI $2, V18.B16; VMOVI $3, V19.B16
	VMOVI $4, V20.B16; VMOVI $5, V21.B16; VMOVI $6, V22.B16; VMOVI $7, V23.B16

eight:
	VMOVI $0, V24.B16; VMOVI $0, V25.B16; VMOVI $0, V26.B16; VMOVI $0, V27.B16 // no counts yet
	VMOVI $0, V28.B16; VMOVI $0, V29.B16; VMOVI $0, V30.B16; VMOVI $0, V31.B16
	MOVD  x, vector
	MOVD  run, vectors

// LEVEL adds the number of bytes in V0 that equal V to W, by byte.
#define LEVEL(V, W, T) \
	VCMEQ V.B16, V0.B16, T.B16 \
	VSUB  T.B16, W.B16, W.B16

loop16:
	FMOVQ (vector), F0
	LEVEL(V16, V24, V1); LEVEL(V17, V25, V2); LEVEL(V18, V26, V3); LEVEL(V19, V27, V4)
	LEVEL(V20, V28, V5); LEVEL(V21, V29, V6); LEVEL(V22, V30, V7); LEVEL(V23, V31, V8)
	ADD   $16, vector // the next vector
	SUBS  $1, vectors
	BNE   loop16

// ADD_LEVEL adds the counts W of level l, from 0 to 7, to the counter of the level and to counted.
// It jumps to endRun if there are no more levels.
#define ADD_LEVEL(l, W) \
	CMP     $l, pending \
	BLE     endRun \
	VUADDLV W.B16, W \ // the sum of all bytes
	VMOV    W.H[0], R10 \
	MOVD    (8*l)(counter), R11 \
	ADD     R10, R11 \
	MOVD    R11, (8*l)(counter) \
	ADD     R10, counted

	ADD_LEVEL(0, V24); ADD_LEVEL(1, V25); ADD_LEVEL(2, V26); ADD_LEVEL(3, V27)
	ADD_LEVEL(4, V28); ADD_LEVEL(5, V29); ADD_LEVEL(6, V30); ADD_LEVEL(7, V31)
	SUBS $8, pending // the next eight levels
	BLE  endRun
	ADD  $64, counter
	VMOVI $8, V16.B16; VMOVI $9, V17.B16; VMOVI $10, V18.B16; VMOVI $11, V19.B16
	VMOVI $12, V20.B16; VMOVI $13, V21.B16; VMOVI $14, V22.B16; VMOVI $15, V23.B16
	B    eight

endRun:
	MOVD vector, x // the next run
	SUB  run, left
	B    nextRun

tail:
	MOVD x_len+16(FP), R4 // others = the number of elements not counted so far
	SUB  counted, R4, R9
	ANDS $15, R4          // the last len(x)%16 bytes
	BEQ  done

loop1:
	MOVBU (x), R5 // if x[i] < levels: counts[x[i]]++; others--
	CMP   limit, R5
	BGE   next1
	MOVD  (first)(R5<<3), R6
	ADD   $1, R6
	MOVD  R6, (first)(R5<<3)
	SUB   $1, R9

next1:
	ADD  $1, x // the next byte
	SUBS $1, R4
	BNE  loop1

done:
	MOVD R9, others+40(FP)
	RET
#undef first
#undef x
#undef left
#undef limit
#undef run
#undef vector
#undef vectors
#undef counter
#undef pending
#undef counted
#undef LEVEL
#undef ADD_LEVEL

// func bestGainsF32NEON(dst *[16]float64, keys []int64, x []float32, grades []uint8, gains *[16]float64, k int) (nan, ok bool)
// Requires: NEON
//
// It requires at least 8 values. It keeps the four best keys of every 16th value in V0 to V15, and
// the best other keys in V28 to V31. These 16 sorted columns of four are then merged to one column
// of 16. Columns are merged in pairs, and two of the rounds keep only the better half. The function
// fails if the fifth value of a column, or the eighth of four columns, is as good as the k-th.
// Registers: R8-R11: see KEYS32; V0-V15: the columns; V28-V31: the best other keys, after checked.
TEXT ·bestGainsF32NEON(SB), NOSPLIT, $0-98
#define out    R0 // dst: the next gain
#define keys   R1 // keys of 32 bits
#define x      R2
#define count  R3 // number of values
#define grades R4
#define table  R5 // gains
#define rank   R6 // k, then ranks left
	MOVD dst+0(FP), out // arguments
	MOVD keys_base+8(FP), keys
	LDP  x_base+32(FP), (x, count)
	MOVD grades_base+56(FP), grades
	MOVD gains+80(FP), table
	MOVD k+88(FP), rank
	MOVD keys, R8       // keys of all values
	MOVD x, R9
	MOVD grades, R10
	SUB  $8, count, R11
	KEYS32(check)

check:
	ADD    count<<2, keys, R9 // 16 worst keys behind them, and more up to 64
	FSTPQ  (F24, F24), (R9)
	FSTPQ  (F24, F24), 32(R9)
	ADD    $256, keys, R10

worst:
	CMP   R10, R9 // while end < keys + 64
	BHS   checked
	FSTPQ (F24, F24), (R9)
	ADD   $32, R9
	B     worst

checked:
	FCMEQS4(27, 27, 0) // if any value is a NaN: goto nan
	VMOV  V0.D[0], R8
	VMOV  V0.D[1], R9
	AND   R9, R8
	CMN   $1, R8
	BNE   nan
	VMOVI $15, V1.B16  // if any grade is 15 or more: goto fail
	VUMAX V28.B16, V1.B16, V1.B16
	VCMEQ V28.B16, V1.B16, V1.B16
	VMOV  V1.D[0], R8
	CBNZ  R8, fail
	MOVD  keys, R8     // the first 64 keys
	LOAD

// SORT4 sorts columns of four in place. A to D are scratch.
#define SORT4(a, b, c, d, A, B, C, D) \
	BEFORE(a, c, A, C); BEFORE(b, d, B, D) \
	BEFORE(A, B, a, B); BEFORE(C, D, c, d) \
	BEFORE(B, c, b, c)

// MERGE8 sorts columns of eight with sorted halves and stores the result in A to H.
#define MERGE8(a, b, c, d, e, f, g, h, A, B, C, D, E, F, G, H) \
	BEFORE(a, h, A, H); BEFORE(b, g, B, G); BEFORE(c, f, C, F); BEFORE(d, e, D, E) \
	FOURS(A, B, C, D, a, b, c, d) \
	FOURS(E, F, G, H, e, f, g, h)

// INSERT inserts the keys V into columns of four. The keys that drop out go to REST. T is scratch.
#define INSERT(V, a, b, c, d, T, REST) \
	VUMIN V.S4, a.S4, T.S4; VUMAX V.S4, a.S4, a.S4 \
	VUMIN T.S4, b.S4, V.S4; VUMAX T.S4, b.S4, b.S4 \
	VUMIN V.S4, c.S4, T.S4; VUMAX V.S4, c.S4, c.S4 \
	VUMIN T.S4, d.S4, V.S4; VUMAX T.S4, d.S4, d.S4 \
	VUMAX V.S4, REST.S4, REST.S4 // the fifth

	SORT4(V0, V1, V2, V3, V16, V17, V18, V19); SORT4(V4, V5, V6, V7, V20, V21, V22, V23)
	SORT4(V8, V9, V10, V11, V16, V17, V18, V19); SORT4(V12, V13, V14, V15, V20, V21, V22, V23)
	VEOR  V28.B16, V28.B16, V28.B16 // no other keys
	VEOR  V29.B16, V29.B16, V29.B16
	VEOR  V30.B16, V30.B16, V30.B16
	VEOR  V31.B16, V31.B16, V31.B16
	SUBS  $64, count, R9            // if count ≤ 64: goto merge
	BLE   merge
	ADD   $256, keys, R8

insert16:
	FLDPQ (R8), (F16, F17) // insert 16 keys
	FLDPQ 32(R8), (F18, F19)
	INSERT(V16, V0, V1, V2, V3, V20, V28)
	INSERT(V17, V4, V5, V6, V7, V21, V29)
	INSERT(V18, V8, V9, V10, V11, V22, V30)
	INSERT(V19, V12, V13, V14, V15, V23, V31)
	ADD   $64, R8          // the next 16
	SUBS  $16, R9
	BGT   insert16

merge:
	VUMAX V29.S4, V28.S4, V28.S4 // keep the best other keys in memory
	VUMAX V31.S4, V30.S4, V30.S4
	VUMAX V30.S4, V28.S4, V28.S4
	FMOVQ F28, 64(keys)
	// Merge columns of 8, then keep the best 8 of pairs. All keys that are dropped are at most as
	// good as the eighth.
	MERGE8(V0, V1, V2, V3, V4, V5, V6, V7, V16, V17, V18, V19, V20, V21, V22, V23)
	MERGE8(V8, V9, V10, V11, V12, V13, V14, V15, V24, V25, V26, V27, V28, V29, V30, V31)
	VUMAX V16.S4, V31.S4, V0.S4; VUMAX V17.S4, V30.S4, V1.S4
	VUMAX V18.S4, V29.S4, V2.S4; VUMAX V19.S4, V28.S4, V3.S4
	VUMAX V20.S4, V27.S4, V4.S4; VUMAX V21.S4, V26.S4, V5.S4
	VUMAX V22.S4, V25.S4, V6.S4; VUMAX V23.S4, V24.S4, V7.S4
	CLEAN(V0, V1, V2, V3, V4, V5, V6, V7, V16, V17, V18, V19, V20, V21, V22, V23) // sorted, into V16 to V23
	FMOVQ 64(keys), F31
	VUMAX V23.S4, V31.S4, V31.S4
	// Merge columns of 16: lanes 0 and 2 with the reverse of lanes 1 and 3.
	EVEN_ODD(V16, V17, V0, V23, V22, V4); EVEN_ODD(V18, V19, V1, V21, V20, V5)
	EVEN_ODD(V20, V21, V2, V19, V18, V6); EVEN_ODD(V22, V23, V3, V17, V16, V7)
	CLEAN(V0, V1, V2, V3, V4, V5, V6, V7, V16, V17, V18, V19, V20, V21, V22, V23)
	EIGHT(PAIRS, V16, V17, V18, V19, V20, V21, V22, V23, V0, V1, V2, V3, V4, V5, V6, V7)
	// Keep the best 16: compare even lanes with the reverse of odd lanes.
	XY(V16, V17, V0, V7); XY(V18, V19, V1, V6); XY(V20, V21, V2, V5); XY(V22, V23, V3, V4)
	VUMAX V4.S4, V0.S4, V16.S4; VUMAX V5.S4, V1.S4, V17.S4
	VUMAX V6.S4, V2.S4, V18.S4; VUMAX V7.S4, V3.S4, V19.S4
	FOURS(V16, V17, V18, V19, V0, V1, V2, V3)
	LANES(V16, V17, V0, V1); LANES(V18, V19, V2, V3)
	PAIRS(V16, V17, V0, V1); PAIRS(V18, V19, V2, V3)
	RANKED(V16, V17, V0, V1); RANKED(V18, V19, V2, V3)
	FSTPQ (F16, F17), (keys) // keys[:16]
	FSTPQ (F18, F19), 32(keys)

	ADD   rank<<2, keys, R8      // if another key is as good as the k-th: goto fail
	SUB   $4, R8
	VLD1R (R8), [V0.S4]
	MOVD  $15, R9                // max(keys[k−1] &^ 15, others) == others
	VDUP  R9, V1.S4
	BIC16(1, 0, 0)
	VUMAX V31.S4, V0.S4, V0.S4
	VCMEQ V31.S4, V0.S4, V0.S4
	VMOV  V0.D[0], R9            // in any lane
	VMOV  V0.D[1], R10
	ORR   R10, R9
	CBNZ  R9, fail
	VEOR  V0.B16, V0.B16, V0.B16 // dst[:16] = 0
	FSTPQ (F0, F0), (out)
	FSTPQ (F0, F0), 32(out)
	FSTPQ (F0, F0), 64(out)
	FSTPQ (F0, F0), 96(out)
	MOVWU (keys), R8

gain:
	MOVWU.W 4(keys), R9 // if the key and its successor are tied: goto fail
	EOR     R8, R9, R10
	CMP     $15, R10
	BLS     fail
	AND     $15, R8     // dst[r] = gains[key&15]
	FMOVD   (table)(R8<<3), F0
	FMOVD.P F0, 8(out)
	MOVD    R9, R8
	SUBS    $1, rank
	BNE     gain
	MOVD    $1, R8      // return false, true
	MOVB    ZR, nan+96(FP)
	MOVB    R8, ok+97(FP)
	RET

nan:
	MOVD $1, R8 // return true, false
	MOVB R8, nan+96(FP)
	MOVB ZR, ok+97(FP)
	RET

fail:
	MOVB ZR, nan+96(FP) // return false, false
	MOVB ZR, ok+97(FP)
	RET
#undef out
#undef keys
#undef x
#undef count
#undef grades
#undef table
#undef rank
#undef SORT4
#undef MERGE8
#undef INSERT

// func rankGainsF32NEON(dst []float64, x []float32, grades []uint8, gains *[16]float64) (ok bool)
// Requires: NEON
//
// It requires 8 to 128 values. A half, which is 64 keys, is sorted as four columns of 16 in V0 to
// V15, which are merged to two columns of 32 and then to one. If there are two halves, the best 64
// keys are separated from the others, and both are sorted again. Each stage moves the keys from
// V0-V15 to V16-V31 or back.
// Registers: R8-R11: see KEYS32; V0-V31: the keys, from sort on.
TEXT ·rankGainsF32NEON(SB), NOSPLIT, $544-81
#define dst    R0 // next gain
#define x      R1
#define count  R2 // number of values, then ranks left
#define grades R3
#define table  R4 // gains
#define keys   R5 // keys of 32 bits, in the frame
#define size   R6 // number of keys: 32, 64 or 128, the worst behind the keys of values
#define halves R7 // halves left to sort, if there are two
#define half   R8 // keys of the half
	MOVD  dst_base+0(FP), dst // arguments
	LDP   x_base+24(FP), (x, count)
	MOVD  grades_base+48(FP), grades
	MOVD  gains+72(FP), table
	MOVD  RSP, keys
	ADD   $16, keys
	MOVD  ZR, halves          // size = 32, 64 or 128
	MOVD  $32, size
	CMP   $32, count
	BLE   worst
	MOVD  $64, size           // if count > 32: 64
	CMP   $64, count
	BLE   worst
	MOVD  $128, size          // if count > 64: 128, in two halves
	MOVD  $2, halves

worst:
	MOVD  $github·com∕simdrank∕simdrank∕internal∕kern·Iota(SB), R9
	FMOVQ (R9), F0    // the worst keys, no two of them equal: 16·(count + iota)
	VDUP  R2, V1.S4
	VADD  V1.S4, V0.S4, V0.S4
	VSHL  $4, V0.S4, V0.S4
	VMOVI $64, V1.B16 // and 16·4 more in the next vector
	VUSHR $24, V1.S4, V1.S4
	ADD   count<<2, keys, R8
	ADD   size<<2, keys, R9
	B     fill

fill4: // up to three too many
	FMOVQ.P F0, 16(R8)
	VADD    V1.S4, V0.S4, V0.S4

fill:
	CMP R9, R8
	BLO fill4
	MOVD  keys, R8 // keys of all values
	MOVD  x, R9
	MOVD  grades, R10
	SUB   $8, count, R11
	KEYS32(check)

check:
	FCMEQS4(27, 27, 0) // if any value is a NaN, or a grade is 15 or more: goto fail
	VMOVI $15, V1.B16
	VUMAX V28.B16, V1.B16, V1.B16
	VCMEQ V28.B16, V1.B16, V1.B16
	VMOV  V0.D[0], R8
	VMOV  V0.D[1], R9
	VMOV  V1.D[0], R10
	AND   R9, R8       // numbers &^ grades ≠ −1
	BIC   R10, R8
	CMN   $1, R8
	BNE   fail
	MOVD  keys, half
	CMP   $32, size    // if size == 32: goto sort32
	BEQ   sort32

// HALVES compares V0 to V7 with V8 to V15 and stores the results in V16 to V23 and V24 to V31.
#define HALVES \
	BEFORE(V0, V8, V16, V24); BEFORE(V1, V9, V17, V25) \
	BEFORE(V2, V10, V18, V26); BEFORE(V3, V11, V19, V27) \
	BEFORE(V4, V12, V20, V28); BEFORE(V5, V13, V21, V29) \
	BEFORE(V6, V14, V22, V30); BEFORE(V7, V15, V23, V31)

// CLEAN_LOW applies CLEAN to both halves of V0 to V15, and CLEAN_HIGH to both halves of V16 to V31.
#define CLEAN_LOW \
	CLEAN(V0, V1, V2, V3, V4, V5, V6, V7, V16, V17, V18, V19, V20, V21, V22, V23) \
	CLEAN(V8, V9, V10, V11, V12, V13, V14, V15, V24, V25, V26, V27, V28, V29, V30, V31)

#define CLEAN_HIGH \
	CLEAN(V16, V17, V18, V19, V20, V21, V22, V23, V0, V1, V2, V3, V4, V5, V6, V7) \
	CLEAN(V24, V25, V26, V27, V28, V29, V30, V31, V8, V9, V10, V11, V12, V13, V14, V15)

sort:
	LOAD
	// Sort columns of 16 with Green's 60 comparators (Knuth, volume 3, 5.3.4).
	HALVES
	CLEAN_HIGH
	BEFORE(V5, V10, V21, V10); BEFORE(V6, V9, V22, V9); BEFORE(V3, V12, V19, V12)
	BEFORE(V13, V14, V29, V14); BEFORE(V4, V8, V20, V8); BEFORE(V7, V11, V23, V27)
	BEFORE(V1, V2, V17, V2)
	BEFORE(V17, V20, V1, V20); BEFORE(V23, V29, V7, V29); BEFORE(V2, V8, V18, V8)
	BEFORE(V27, V14, V11, V14); BEFORE(V21, V22, V5, V22); BEFORE(V9, V10, V25, V10)
	// The last 15 comparators.
	BEFORE(V18, V20, V2, V20); BEFORE(V11, V29, V27, V13)
	BEFORE(V19, V8, V3, V8); BEFORE(V7, V12, V23, V12)
	BEFORE(V22, V8, V6, V8); BEFORE(V10, V12, V26, V12); BEFORE(V3, V5, V19, V21); BEFORE(V23, V25, V7, V25)
	BEFORE(V19, V20, V3, V4); BEFORE(V21, V6, V5, V22); BEFORE(V7, V8, V23, V24)
	BEFORE(V25, V26, V9, V10); BEFORE(V27, V12, V11, V12)
	BEFORE(V22, V23, V6, V7); BEFORE(V24, V9, V8, V9)
	// Merge columns of 32: lanes 0 and 2 with the reverse of lanes 1 and 3.
	EVEN_ODD(V0, V1, V16, V15, V14, V24); EVEN_ODD(V2, V3, V17, V13, V12, V25)
	EVEN_ODD(V4, V5, V18, V11, V10, V26); EVEN_ODD(V6, V7, V19, V9, V8, V27)
	EVEN_ODD(V8, V9, V20, V7, V6, V28); EVEN_ODD(V10, V11, V21, V5, V4, V29)
	EVEN_ODD(V12, V13, V22, V3, V2, V30); EVEN_ODD(V14, V15, V23, V1, V0, V31)
	BEFORE(V16, V24, V0, V8); BEFORE(V17, V25, V1, V9); BEFORE(V18, V26, V2, V10); BEFORE(V19, V27, V3, V11)
	BEFORE(V20, V28, V4, V12); BEFORE(V21, V29, V5, V13); BEFORE(V22, V30, V6, V14); BEFORE(V23, V31, V7, V15)
	// The sorted columns are in V16 to V31.
	CLEAN_LOW
	EIGHT(PAIRS, V16, V17, V18, V19, V20, V21, V22, V23, V0, V1, V2, V3, V4, V5, V6, V7)
	EIGHT(PAIRS, V24, V25, V26, V27, V28, V29, V30, V31, V8, V9, V10, V11, V12, V13, V14, V15)
	// Merge to a column of 64: even lanes with the reverse of odd lanes.
	XY(V16, V17, V0, V15); XY(V18, V19, V1, V14); XY(V20, V21, V2, V13); XY(V22, V23, V3, V12)
	XY(V24, V25, V4, V11); XY(V26, V27, V5, V10); XY(V28, V29, V6, V9); XY(V30, V31, V7, V8)

bitonic: // 64 keys, four next to each other in a vector, of which lanes 1 and 2 are interchanged
	HALVES
	CLEAN_HIGH
	EIGHT(LANES, V0, V1, V2, V3, V4, V5, V6, V7, V16, V17, V18, V19, V20, V21, V22, V23)
	EIGHT(LANES, V8, V9, V10, V11, V12, V13, V14, V15, V24, V25, V26, V27, V28, V29, V30, V31)
	EIGHT(PAIRS, V0, V1, V2, V3, V4, V5, V6, V7, V16, V17, V18, V19, V20, V21, V22, V23)
	EIGHT(PAIRS, V8, V9, V10, V11, V12, V13, V14, V15, V24, V25, V26, V27, V28, V29, V30, V31)
	SUBS $1, halves // if all are sorted: goto ranked
	BLT  ranked
	BEQ  second     // if this is the second half: goto second

// STORED stores the keys of the first half in A and B in reverse order at offset.
#define STORED(A, B, C, c, D, d, offset) \
	EVEN_ODD(B, A, C, B, A, D) \
	VREV64 C.S4, C.S4; VREV64 D.S4, D.S4 \
	FSTPQ  (d, c), offset(keys)

// MERGED compares A and B with keys of the first half. The better keys remain, and the others are
// stored after the first half.
#define MERGED(A, B, C, D, offset) \
	EVEN_ODD(A, B, C, A, B, D) \
	FLDPQ offset(keys), (F30, F31) \
	BEFORE(C, V30, A, V30); BEFORE(D, V31, B, V31) \
	FSTPQ (F30, F31), (256+offset)(keys)

	STORED(V0, V1, V16, F16, V17, F17, 224); STORED(V2, V3, V18, F18, V19, F19, 192) // the first half
	STORED(V4, V5, V20, F20, V21, F21, 160); STORED(V6, V7, V22, F22, V23, F23, 128)
	STORED(V8, V9, V24, F24, V25, F25, 96); STORED(V10, V11, V26, F26, V27, F27, 64)
	STORED(V12, V13, V28, F28, V29, F29, 32); STORED(V14, V15, V30, F30, V31, F31, 0)
	ADD  $256, half
	B    sort

second: // two bitonic halves, of which the better is sorted first
	MERGED(V0, V1, V16, V17, 0); MERGED(V2, V3, V18, V19, 32)
	MERGED(V4, V5, V20, V21, 64); MERGED(V6, V7, V22, V23, 96)
	MERGED(V8, V9, V24, V25, 128); MERGED(V10, V11, V26, V27, 160)
	MERGED(V12, V13, V28, V29, 192); MERGED(V14, V15, V16, V17, 224)
	MOVD keys, half
	B    bitonic

// DIFFER computes LEAST = min(LEAST, key xor successor) over the keys in A. B has the successor of
// the last key.
#define DIFFER(A, B, T, LEAST) \
	VEXT  $4, B.B16, A.B16, T.B16 \
	VEOR  A.B16, T.B16, T.B16 \
	VUMIN T.S4, LEAST.S4, LEAST.S4

ranked: // store the sorted keys and compare each with its successor
	EIGHT(RANKED, V0, V1, V2, V3, V4, V5, V6, V7, V16, V17, V18, V19, V20, V21, V22, V23)
	EIGHT(RANKED, V8, V9, V10, V11, V12, V13, V14, V15, V24, V25, V26, V27, V28, V29, V30, V31)
	FSTPQ (F0, F1), 0(half); FSTPQ (F2, F3), 32(half)
	FSTPQ (F4, F5), 64(half); FSTPQ (F6, F7), 96(half)
	FSTPQ (F8, F9), 128(half); FSTPQ (F10, F11), 160(half)
	FSTPQ (F12, F13), 192(half); FSTPQ (F14, F15), 224(half)
	VMOVI $255, V28.B16; VMOVI $255, V29.B16; VMOVI $255, V30.B16; VMOVI $255, V31.B16 // least differences
	DIFFER(V0, V1, V16, V28); DIFFER(V1, V2, V17, V29); DIFFER(V2, V3, V18, V30); DIFFER(V3, V4, V19, V31)
	DIFFER(V4, V5, V20, V28); DIFFER(V5, V6, V21, V29); DIFFER(V6, V7, V22, V30); DIFFER(V7, V8, V23, V31)
	DIFFER(V8, V9, V24, V28); DIFFER(V9, V10, V25, V29); DIFFER(V10, V11, V26, V30); DIFFER(V11, V12, V27, V31)
	DIFFER(V12, V13, V16, V28); DIFFER(V13, V14, V17, V29); DIFFER(V14, V15, V18, V30); DIFFER(V15, V0, V19, V31)

differ:
	VUMIN V29.S4, V28.S4, V28.S4 // if the least is less than 16, which is a tie: goto fail
	VUMIN V31.S4, V30.S4, V30.S4
	VUMIN V30.S4, V28.S4, V28.S4
	VUSHR $4, V28.S4, V28.S4
	VEOR  V29.B16, V29.B16, V29.B16
	VCMEQ V29.S4, V28.S4, V28.S4
	VMOV  V28.D[0], R9           // in any lane
	VMOV  V28.D[1], R10
	ORR   R10, R9
	CBNZ  R9, fail
	ADD   $256, half             // if there is another half: sort it
	ADD   size<<2, keys, R9
	CMP   R9, half
	BHS   last
	LOAD
	B     bitonic

last:
	CMP   $64, size // if keys 63 and 64 are tied: goto fail
	BLE   gain
	MOVWU 252(keys), R9
	MOVWU 256(keys), R10
	EOR   R10, R9
	CMP   $15, R9
	BLS   fail

gain:
	SUBS $4, count

gain4:
	LDP.P 16(keys), (R8, R9)  // dst[i] = gains[keys[i]&15]
	AND   $15, R8, R10
	UBFX  $32, R8, $4, R11
	AND   $15, R9, R12
	UBFX  $32, R9, $4, R13
	FMOVD (table)(R10<<3), F0 // their gains
	FMOVD (table)(R11<<3), F1
	FMOVD (table)(R12<<3), F2
	FMOVD (table)(R13<<3), F3
	FSTPD (F0, F1), (dst)
	FSTPD (F2, F3), 16(dst)
	ADD   $32, dst            // the next 4
	SUBS  $4, count
	BGE   gain4
	ADDS  $4, count           // if none is left: goto done
	BEQ   done

gain1:
	MOVWU.P 4(keys), R8 // the same for one
	AND     $15, R8
	FMOVD   (table)(R8<<3), F0
	FMOVD.P F0, 8(dst)
	SUBS    $1, count
	BNE     gain1

done:
	MOVD $1, R8 // return true
	MOVB R8, ok+80(FP)
	RET

fail:
	MOVB ZR, ok+80(FP) // return false
	RET

sort32: // four columns of 8, in V0 to V7, with the 19 comparators for 8 inputs
	FLDPQ 0(R8), (F0, F1); FLDPQ 32(R8), (F2, F3)
	FLDPQ 64(R8), (F4, F5); FLDPQ 96(R8), (F6, F7)
	BEFORE(V0, V2, V16, V2); BEFORE(V1, V3, V17, V3); BEFORE(V4, V6, V20, V6); BEFORE(V5, V7, V21, V7)
	BEFORE(V16, V20, V0, V20); BEFORE(V17, V21, V1, V21); BEFORE(V2, V6, V18, V6); BEFORE(V3, V7, V19, V7)
	BEFORE(V0, V1, V16, V1); BEFORE(V18, V19, V2, V19); BEFORE(V20, V21, V4, V21); BEFORE(V6, V7, V22, V7)
	BEFORE(V2, V4, V18, V4); BEFORE(V19, V21, V3, V21)
	BEFORE(V1, V4, V17, V4); BEFORE(V3, V22, V19, V22)
	BEFORE(V17, V18, V1, V2); BEFORE(V19, V4, V3, V4); BEFORE(V21, V22, V5, V6)
	EVEN_ODD(V16, V1, V8, V7, V6, V12); EVEN_ODD(V2, V3, V9, V5, V4, V13) // two columns of 16
	EVEN_ODD(V4, V5, V10, V3, V2, V14); EVEN_ODD(V6, V7, V11, V1, V16, V15)
	CLEAN(V8, V9, V10, V11, V12, V13, V14, V15, V16, V17, V18, V19, V20, V21, V22, V23)
	EIGHT(PAIRS, V16, V17, V18, V19, V20, V21, V22, V23, V0, V1, V2, V3, V4, V5, V6, V7)
	XY(V16, V17, V0, V7); XY(V18, V19, V1, V6); XY(V20, V21, V2, V5); XY(V22, V23, V3, V4) // one of 32
	CLEAN(V0, V1, V2, V3, V4, V5, V6, V7, V16, V17, V18, V19, V20, V21, V22, V23)
	EIGHT(LANES, V16, V17, V18, V19, V20, V21, V22, V23, V0, V1, V2, V3, V4, V5, V6, V7)
	EIGHT(PAIRS, V16, V17, V18, V19, V20, V21, V22, V23, V0, V1, V2, V3, V4, V5, V6, V7)
	EIGHT(RANKED, V16, V17, V18, V19, V20, V21, V22, V23, V0, V1, V2, V3, V4, V5, V6, V7)
	FSTPQ (F16, F17), 0(half); FSTPQ (F18, F19), 32(half) // store and compare, as above
	FSTPQ (F20, F21), 64(half); FSTPQ (F22, F23), 96(half)
	VMOVI $255, V28.B16; VMOVI $255, V29.B16; VMOVI $255, V30.B16; VMOVI $255, V31.B16
	DIFFER(V16, V17, V0, V28); DIFFER(V17, V18, V1, V29); DIFFER(V18, V19, V2, V30); DIFFER(V19, V20, V3, V31)
	DIFFER(V20, V21, V4, V28); DIFFER(V21, V22, V5, V29); DIFFER(V22, V23, V6, V30); DIFFER(V23, V16, V7, V31)
	B     differ
#undef dst
#undef x
#undef count
#undef grades
#undef table
#undef keys
#undef size
#undef halves
#undef half
#undef HALVES
#undef CLEAN_LOW
#undef CLEAN_HIGH
#undef STORED
#undef MERGED
#undef DIFFER
