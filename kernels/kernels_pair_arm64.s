//go:build !purego

#include "textflag.h"
#include "neon_arm64.h"

// The pair kernels for NEON. pair_arm64.h contains the loop nest of the losses.

// func expF64NEON(dst, x []float64)
// Requires: NEON
//
// An iteration computes two results, and the tail computes one. An iteration has 41 instructions in
// addition to loop control. Registers: named below; V0: x, then r, then the result; V1: k; V3, V4:
// the polynomial, then the powers of 2; V5: 1 + r; V7: the error of V5, then the remaining terms;
// V14: ones; V15: 1023, the exponent's bias; V16-V31: the first 16 constants of expTable.
TEXT ·expF64NEON(SB), NOSPLIT, $0-48
#define dst   R0 // next result
#define x     R1 // next value
#define left  R2 // number of remaining values, minus 2 in the loop
#define table R3 // next constant

#define CONSTANTS(V, W) \
	VLD1R.P 8(table), [V.D2] \
	VLD1R.P 8(table), [W.D2]

// HORNER sets q1 to q·r + constant.
#define HORNER(constant, q, q1) \
	VMOV  constant.B16, q1.B16 \
	VFMLA q.D2, V0.D2, q1.D2

// EXP sets V0 to exp(V0), with the operations of expGeneric. It uses V1-V7.
#define EXP \
	FMIND2(16, 0, 0)           \ // x = max(expMin, min(expMax, x)), or NaN
	FMAXD2(17, 0, 0)           \
	VMOV  V19.B16, V1.B16      \ // kd = x·log2E + expMagic; k = kd − expMagic
	VFMLA V18.D2, V0.D2, V1.D2 \
	FSUBD2(19, 1, 2)           \
	VFMLS V20.D2, V2.D2, V0.D2 \ // r = x − k·ln2Hi − k·ln2Lo
	VFMLS V21.D2, V2.D2, V0.D2 \
	HORNER(V23, V22, V3)       \ // q = (exp11·r + exp10)·r + … + exp2
	HORNER(V24, V3, V4)        \
	HORNER(V25, V4, V3)        \
	HORNER(V26, V3, V4)        \
	HORNER(V27, V4, V3)        \
	HORNER(V28, V3, V4)        \
	HORNER(V29, V4, V3)        \
	HORNER(V30, V3, V4)        \
	HORNER(V31, V4, V3)        \
	FADDD2(0, 14, 5)           \ // h = 1 + r; its error is r − (h − 1)
	FSUBD2(14, 5, 7)           \
	FSUBD2(7, 0, 7)            \
	FMULD2(0, 3, 6)            \ // p = h + (q·r·r + error)
	VFMLA V6.D2, V0.D2, V7.D2  \
	FADDD2(7, 5, 0)            \
	VSHL  $32, V1.D2, V1.D2    \ // half = k>>1, and k − half, where k is the low 32 bits of kd
	SSHRD2(33, 1, 3)           \
	SSHRD2(32, 1, 4)           \
	VSUB  V3.D2, V4.D2, V4.D2  \
	VADD  V15.D2, V3.D2, V3.D2 \ // exp(x) = p · 2^half · 2^(k−half)
	VADD  V15.D2, V4.D2, V4.D2 \
	VSHL  $52, V3.D2, V3.D2    \
	VSHL  $52, V4.D2, V4.D2    \
	FMULD2(3, 0, 0)            \
	FMULD2(4, 0, 0)

	MOVD dst_base+0(FP), dst   // load the arguments
	LDP  x_base+24(FP), (x, left)
	MOVD $·expTable(SB), table // V16 … V31 = expTable
	CONSTANTS(V16, V17); CONSTANTS(V18, V19); CONSTANTS(V20, V21); CONSTANTS(V22, V23)
	CONSTANTS(V24, V25); CONSTANTS(V26, V27); CONSTANTS(V28, V29); CONSTANTS(V30, V31)
	ONED2(14)
	MOVD $1023, R3
	VDUP R3, V15.D2

loop2:
	SUBS  $2, left // if left < 2: goto tail
	BLT   tail
	FMOVQ (x), F0  // dst[i] = exp(x[i]), two at a time
	EXP
	FMOVQ F0, (dst)
	ADD   $16, dst
	ADD   $16, x
	B     loop2

tail:
	TBZ   $0, left, done // if left is even: goto done
	FMOVD (x), F0
	EXP
	FMOVD F0, (dst)

done:
	RET
#undef dst
#undef x
#undef left
#undef table
#undef CONSTANTS
#undef HORNER
#undef EXP

// func pairSquaredHingeNEON(c, z []float64, lower []int32, from, to int, acc *[4][8]float64)
// Requires: NEON
//
// An iteration processes two partners of each of four rows. It has 24 instructions in addition to
// loop control. Registers: see pair_names_arm64.h; V30: zeros; V31: ones.
TEXT ·pairSquaredHingeNEON(SB), NOSPLIT, $272-96
#include "pair_names_arm64.h"
#define ROW(off, V, v) HINGE_ROW(off, V, v)
#define LOAD_LOSS LOAD_HINGE
#define SAVE_LOSS SAVE_HINGE
#define TERMS HINGES
#define LOSS \ // loss += t²; the coefficients are t
	VFMLA V6.D2, V6.D2, V20.D2; VFMLA V7.D2, V7.D2, V21.D2 \
	VFMLA V8.D2, V8.D2, V22.D2; VFMLA V9.D2, V9.D2, V23.D2
#define TERMS_LOSS TERMS; LOSS
#define ADD_PAIRS ADD_TERMS(6, 7, 8, 9)

	MOVD c_base+0(FP), c // load the arguments
	MOVD z_base+24(FP), input
	MOVD lower_base+48(FP), lower
	MOVD from+72(FP), row
	MOVD to+80(FP), rowEnd
	MOVD acc+88(FP), sums
	ZERO(V30)
	ONED2(31)
#include "pair_arm64.h"
	RET

// func pairHuberHingeNEON(c, z []float64, lower []int32, inv, half float64, from, to int, acc *[4][8]float64)
// Requires: NEON
//
// An iteration processes two partners of each of four rows. It has 36 instructions in addition to
// loop control. Registers: see pair_names_arm64.h; V10: 1/δ and δ/2; V25-V28: u of each row; V30:
// zeros; V31: ones.
TEXT ·pairHuberHingeNEON(SB), NOSPLIT, $272-112
#include "pair_names_arm64.h"
#define ROW(off, V, v) HINGE_ROW(off, V, v)
#define LOAD_LOSS \ // V10 is set here, because the reduction overwrites it
	LOAD_HINGE                \
	MOVD inv+72(FP), R19      \
	VMOV R19, V10.D[0]        \
	MOVD half+80(FP), R19     \
	VMOV R19, V10.D[1]
#define SAVE_LOSS SAVE_HINGE

// HUBER sets u to min(1, t/δ) for a row, and adds u·(t − δ/2·u) to its loss. T and U are the
// registers with the numbers t and u.
#define HUBER(t, T, u, U, loss) \
	FMULD2E(0, 10, t, u)      \
	FMIND2(31, u, u)          \
	FMLSD2E(1, 10, u, t)      \
	VFMLA U.D2, T.D2, loss.D2
#define TERMS HINGES
#define LOSS \
	HUBER(6, V6, 25, V25, V20); HUBER(7, V7, 26, V26, V21) \
	HUBER(8, V8, 27, V27, V22); HUBER(9, V9, 28, V28, V23)
#define TERMS_LOSS \
	MARGIN(0, 6); HUBER(6, V6, 25, V25, V20) \
	MARGIN(1, 7); HUBER(7, V7, 26, V26, V21) \
	MARGIN(2, 8); HUBER(8, V8, 27, V27, V22) \
	MARGIN(3, 9); HUBER(9, V9, 28, V28, V23)
#define ADD_PAIRS ADD_TERMS(25, 26, 27, 28)

	MOVD c_base+0(FP), c // load the arguments
	MOVD z_base+24(FP), input
	MOVD lower_base+48(FP), lower
	MOVD from+88(FP), row
	MOVD to+96(FP), rowEnd
	MOVD acc+104(FP), sums
	ZERO(V30)
	ONED2(31)
#include "pair_arm64.h"
	RET
#undef HUBER

// func pairLogisticNEON(c, e, f []float64, lower []int32, from, to int, acc *[4][8]float64)
// Requires: NEON
//
// An iteration processes two partners of each of four rows. It has 40 instructions in addition to
// loop control. Registers: see pair_names_arm64.h; V20: acc[0], the mantissa of each lane's product
// of 1 + m; V21: acc[1], the exponent of this product; V22: the exponent's bias; V23: the mask of
// the mantissa; V25-V30: scratch; V31: ones.
TEXT ·pairLogisticNEON(SB), NOSPLIT, $272-120
#include "pair_names_arm64.h"
#define f R16
#define ROW(off, V, v) \ // f[i+k]
	ADD   row<<3, f, R21         \
	ADD   $off, R21              \
	VLD1R (R21), [V.D2]
#define LOAD_LOSS \ // V22 and V23 are set here, because the reduction overwrites them
	ADD   lanes, sums, R19           \
	FMOVQ (R19), F20                 \
	FMOVQ 64(R19), F21               \
	MOVD  $1023, R19                 \
	VDUP  R19, V22.D2                \
	MOVD  $0x000fffffffffffff, R19   \
	VDUP  R19, V23.D2
#define SAVE_LOSS \
	ADD   lanes, sums, R19 \
	FMOVQ F20, (R19)       \
	FMOVQ F21, 64(R19)
#define TERMS \ // m = e[j]·f[i]
	FMULD2(0, 4, 6); FMULD2(1, 4, 7); FMULD2(2, 4, 8); FMULD2(3, 4, 9)

// LOSS converts m to the coefficients m/(1+m), with one division for the four rows. Let r = 1 + m
// and Π = r0·r1·r2·r3. Then m0/r0 = (m0·r1)·(r2·r3/Π), and so on. LOSS also multiplies V20 by Π,
// adds the exponent of the result to V21, and keeps the mantissa in V20.
#define LOSS \
	FADDD2(31, 6, 25); FADDD2(31, 7, 26); FADDD2(31, 8, 27); FADDD2(31, 9, 28) \ // r = 1 + m
	FMULD2(26, 25, 29)              \ // r0·r1, r2·r3, Π and 1/Π
	FMULD2(28, 27, 30)              \
	FMULD2(30, 29, 10)              \
	FDIVD2(10, 31, 11)              \
	FMULD2(26, 6, 6)                \ // m0·r1, m1·r0, m2·r3, m3·r2
	FMULD2(25, 7, 7)                \
	FMULD2(28, 8, 8)                \
	FMULD2(27, 9, 9)                \
	FMULD2(11, 29, 29)              \ // r0·r1/Π and r2·r3/Π
	FMULD2(11, 30, 30)              \
	FMULD2(29, 8, 8)                \ // m/r
	FMULD2(29, 9, 9)                \
	FMULD2(30, 6, 6)                \
	FMULD2(30, 7, 7)                \
	FMULD2(10, 20, 20)              \ // product *= Π
	VUSHR $52, V20.D2, V10.D2       \ // exponents += exponent of product
	VSUB  V22.D2, V10.D2, V10.D2    \
	VADD  V10.D2, V21.D2, V21.D2    \
	VAND  V23.B16, V20.B16, V20.B16 \ // 1 ≤ product < 2
	VORR  V31.B16, V20.B16, V20.B16
#define TERMS_LOSS TERMS; LOSS
#define ADD_PAIRS ADD_TERMS(6, 7, 8, 9)

	MOVD c_base+0(FP), c // load the arguments
	MOVD e_base+24(FP), input
	MOVD f_base+48(FP), f
	MOVD lower_base+72(FP), lower
	MOVD from+96(FP), row
	MOVD to+104(FP), rowEnd
	MOVD acc+112(FP), sums
	ONED2(31)
#include "pair_arm64.h"
	RET
#undef f

// func pairSweepNEON(tree []float64, leaf []int32, ask, item, x, y []float64, margin float64, done, from, to int, sx, sy []float64) int
// Requires: NEON
//
// A group consists of eight querying documents. A smaller last group is copied to the frame. There,
// missing documents have leaf 0, so that no item is active for them. Registers: named below; R12:
// node − 1, whose upper bits are the parent and whose low 3 bits are the child's index; V0-V3: the
// group's values; V4-V7: its leaves; V16-V23: its sums of x and of y; V24-V27: value, leaf, x and y
// of the item; F30: value of the group's last document; V31: margin.
TEXT ·pairSweepNEON(SB), NOSPLIT, $272-232
#define trees   R0  // 16 sums per node: of x for each child, then of y
#define leaves  R1
#define asks    R2
#define items   R3
#define xs      R4
#define ys      R5
#define sumsX   R6
#define sumsY   R7
#define next    R8  // next item
#define doc     R9  // next document, or first document of the group
#define docEnd  R10
#define itemEnd R11
#define masks   R14 // mask for the first child; the masks for the other children precede it
#define frame   R19

// ADD_ITEM adds x and y of the item to the sums sx and sy of two documents with the values a and
// the leaves l. For each document, ADD_ITEM adds x and y only if the item is active, which means
// that a + value > margin, and if its leaf is earlier than the leaf of the document.
#define ADD_ITEM(a, l, sx, sy) \
	FADDD2(24, a, 28)              \
	FCMGTD2(31, 28, 28)            \
	CMGTD2(25, l, 29)              \
	VAND V29.B16, V28.B16, V28.B16 \
	VAND V26.B16, V28.B16, V29.B16 \
	VAND V27.B16, V28.B16, V28.B16 \
	FADDD2(29, sx, sx)             \
	FADDD2(28, sy, sy)

// ADD_UNMASKED adds value to two sums of a node, in the lanes in which mask is 0.
#define ADD_UNMASKED(value, mask, sums, t) \
	BIC16(mask, value, t) \
	FADDD2(t, sums, sums)

	MOVD  tree_base+0(FP), trees // load the arguments
	MOVD  leaf_base+24(FP), leaves
	MOVD  ask_base+48(FP), asks
	LDP   item_base+72(FP), (items, itemEnd)
	MOVD  x_base+96(FP), xs
	MOVD  y_base+120(FP), ys
	FMOVD margin+144(FP), F31
	VDUP  V31.D[0], V31.D2
	MOVD  done+152(FP), next     // load done, from and to
	MOVD  from+160(FP), doc
	MOVD  to+168(FP), docEnd
	MOVD  sx_base+176(FP), sumsX
	MOVD  sy_base+200(FP), sumsY
	MOVD  $github·com∕simdrank∕simdrank∕internal∕kern·Masks+88(SB), masks
	MOVD  RSP, frame
	ADD   $16, frame

group:
	CMP docEnd, doc // if no documents remain: goto done
	BGE done

document:
	MOVWU (leaves)(doc<<2), R12 // sum of x = sum of y = 0
	SUB   $1, R12
	FMOVD ZR, F24
	FMOVD ZR, F25

level:
	AND   $7, R12, R13         // add the sums of this child, numbers 16·parent + child and 16·parent + child + 8
	LSR   $3, R12
	ADD   R12<<7, trees, R15
	ADD   R13<<3, R15
	FMOVD (R15), F26
	FMOVD 64(R15), F27
	FADDD F26, F24, F24
	FADDD F27, F25, F25
	SUBS  $1, R12              // continue with the parent, unless it is the root
	BGE   level
	FMOVD F24, (sumsX)(doc<<3) // sx[doc], sy[doc] = the sums of the path
	FMOVD F25, (sumsY)(doc<<3)
	ADD   $1, doc
	CMP   docEnd, doc          // until the documents or the group end
	BGE   load
	TST   $7, doc
	BNE   document

load:
	ADD   doc<<3, asks, R13
	FMOVD -8(R13), F30
	TST   $7, doc            // if the group has fewer than eight documents: goto loadCut
	BNE   loadCut
	FLDPQ -64(R13), (F0, F1) // load the group's eight values and leaves
	FLDPQ -32(R13), (F2, F3)
	ADD   doc<<2, leaves, R13
	FLDPQ -32(R13), (F24, F25)
	SSHLLD2(24, 4)
	SSHLL2D2(24, 5)
	SSHLLD2(25, 6)
	SSHLL2D2(25, 7)
	SUB   $8, doc            // doc = first document; load the group's sums
	ADD   doc<<3, sumsX, R13
	FLDPQ (R13), (F16, F17)
	FLDPQ 32(R13), (F18, F19)
	ADD   doc<<3, sumsY, R13
	FLDPQ (R13), (F20, F21)
	FLDPQ 32(R13), (F22, F23)
	B     nextItem

loadCut:
	VEOR  V24.B16, V24.B16, V24.B16 // leaves in the frame = 0
	FSTPQ (F24, F24), 64(frame)
	FSTPQ (F24, F24), 96(frame)
	AND   $7, doc, R13              // R13 = number of documents in the group; doc = first document
	AND   $~7, doc

copyIn:
	SUB   $1, R13              // copy values, leaves and sums to the frame, starting with the last document
	ADD   doc, R13, R12
	FMOVD (asks)(R12<<3), F24
	FMOVD F24, (frame)(R13<<3)
	MOVW  (leaves)(R12<<2), R16
	ADD   R13<<3, frame, R15
	MOVD  R16, 64(R15)
	FMOVD (sumsX)(R12<<3), F24 // copy the sums
	FMOVD F24, 128(R15)
	FMOVD (sumsY)(R12<<3), F24
	FMOVD F24, 192(R15)
	CBNZ  R13, copyIn
	FLDPQ (frame), (F0, F1); FLDPQ 32(frame), (F2, F3) // load the group from the frame
	FLDPQ 64(frame), (F4, F5); FLDPQ 96(frame), (F6, F7)
	FLDPQ 128(frame), (F16, F17); FLDPQ 160(frame), (F18, F19)
	FLDPQ 192(frame), (F20, F21); FLDPQ 224(frame), (F22, F23)

nextItem:
	CMP   itemEnd, next         // if no items remain: goto store
	BGE   store
	FMOVD (items)(next<<3), F24 // if !(lastAsk + item > margin): goto store
	FADDD F24, F30, F25
	FCMPD F31, F25
	BLE   store                 // also if one of them is NaN
	VDUP  V24.D[0], V24.D2      // load the item's value, leaf, x and y
	MOVWU (leaves)(next<<2), R12
	VDUP  R12, V25.D2
	ADD   next<<3, xs, R13
	VLD1R (R13), [V26.D2]
	ADD   next<<3, ys, R13
	VLD1R (R13), [V27.D2]
	ADD_ITEM(0, 4, 16, 20)      // the group's sums += x, y if the item is active
	ADD_ITEM(1, 5, 17, 21)
	ADD_ITEM(2, 6, 18, 22)
	ADD_ITEM(3, 7, 19, 23)
	ADD   $1, next              // insert the item into the tree, starting at its leaf
	SUB   $1, R12

insert:
	AND   $7, R12, R13        // V8-V11 = masks of the children up to this one
	LSR   $3, R12
	SUB   R13<<3, masks, R13
	ADD   R12<<7, trees, R15
	FLDPQ (R13), (F8, F9)
	FLDPQ 32(R13), (F10, F11)
	FLDPQ (R15), (F12, F13)   // sums of x of the children after this one += x
	FLDPQ 32(R15), (F14, F15)
	ADD_UNMASKED(26, 8, 12, 24)
	ADD_UNMASKED(26, 9, 13, 25)
	ADD_UNMASKED(26, 10, 14, 28)
	ADD_UNMASKED(26, 11, 15, 29)
	FSTPQ (F12, F13), (R15)
	FSTPQ (F14, F15), 32(R15)
	FLDPQ 64(R15), (F12, F13) // sums of y of these children += y
	FLDPQ 96(R15), (F14, F15)
	ADD_UNMASKED(27, 8, 12, 24)
	ADD_UNMASKED(27, 9, 13, 25)
	ADD_UNMASKED(27, 10, 14, 28)
	ADD_UNMASKED(27, 11, 15, 29)
	FSTPQ (F12, F13), 64(R15)
	FSTPQ (F14, F15), 96(R15)
	SUBS  $1, R12             // continue with the parent, unless it is the root
	BGE   insert
	B     nextItem

store:
	ADD   $8, doc, R13       // if the group has fewer than eight documents: goto storeCut
	CMP   docEnd, R13
	BGT   storeCut
	ADD   doc<<3, sumsX, R15 // sx, sy = the group's sums
	FSTPQ (F16, F17), (R15)
	FSTPQ (F18, F19), 32(R15)
	ADD   doc<<3, sumsY, R15
	FSTPQ (F20, F21), (R15)
	FSTPQ (F22, F23), 32(R15)
	MOVD  R13, doc
	B     group

storeCut:
	FSTPQ (F16, F17), 128(frame); FSTPQ (F18, F19), 160(frame) // store the sums in the frame
	FSTPQ (F20, F21), 192(frame); FSTPQ (F22, F23), 224(frame)

copyOut:
	FMOVD 128(frame), F24 // sx[doc], sy[doc] = the next sums in the frame
	FMOVD F24, (sumsX)(doc<<3)
	FMOVD 192(frame), F24
	FMOVD F24, (sumsY)(doc<<3)
	ADD   $8, frame
	ADD   $1, doc
	CMP   docEnd, doc
	BLT   copyOut

done:
	MOVD next, ret+224(FP) // return the number of inserted items
	RET
#undef trees
#undef leaves
#undef asks
#undef items
#undef xs
#undef ys
#undef sumsX
#undef sumsY
#undef next
#undef doc
#undef docEnd
#undef itemEnd
#undef masks
#undef frame
#undef ADD_ITEM
#undef ADD_UNMASKED
