//go:build !purego

#include "textflag.h"

// The pair kernels for AVX-512. pair_avx512_amd64.h contains the loop nest of the losses.

DATA pairOne<>+0(SB)/8, $0x3ff0000000000000
GLOBL pairOne<>(SB), RODATA|NOPTR, $8
DATA pairBias<>+0(SB)/8, $1023
GLOBL pairBias<>(SB), RODATA|NOPTR, $8
DATA pairMantissa<>+0(SB)/8, $0x000fffffffffffff
GLOBL pairMantissa<>(SB), RODATA|NOPTR, $8

// func expF64AVX512(dst, x []float64)
// Requires: AVX512F, AVX512DQ
// Registers: named below; Z0: x, then r; Z1: k + 2048, then the second power of 2; Z2: the
// polynomial, then the result; Z3: 1 + r; Z4: the error of Z3, then the first power of 2; Z10-Z14,
// Z16-Z27: expTable.
TEXT ·expF64AVX512(SB), NOSPLIT, $0-48
#define dst    DI  // next result
#define x      SI  // next value
#define left   CX  // number of remaining values, minus 8 in the loop
#define magic  Z13 // expMagic: adding it rounds to an integer
#define ones   Z28
#define minus1 Z29 // integers −1
#define CONSTANT(i, z) VBROADCASTSD ·expTable+(8*i)(SB), z

// EXP sets Z2 to exp(Z0), with the operations of expGeneric. It uses Z1, Z3 and Z4.
#define EXP \
	VMINPD       Z0, Z10, Z0; \ // x = max(expMin, min(expMax, x)), or NaN
	VMAXPD       Z0, Z11, Z0; \
	VMOVAPD      magic, Z1; \ // kd = x·log2E + expMagic; k = kd − expMagic
	VFMADD231PD  Z12, Z0, Z1; \
	VSUBPD       magic, Z1, Z2; \
	VFNMADD231PD Z14, Z2, Z0; \ // r = x − k·ln2Hi − k·ln2Lo
	VFNMADD231PD Z16, Z2, Z0; \
	VMOVAPD      Z17, Z2; \ // q = (exp11·r + exp10)·r + … + exp2
	VFMADD213PD  Z18, Z0, Z2; \
	VFMADD213PD  Z19, Z0, Z2; \
	VFMADD213PD  Z20, Z0, Z2; \
	VFMADD213PD  Z21, Z0, Z2; \
	VFMADD213PD  Z22, Z0, Z2; \
	VFMADD213PD  Z23, Z0, Z2; \
	VFMADD213PD  Z24, Z0, Z2; \
	VFMADD213PD  Z25, Z0, Z2; \
	VFMADD213PD  Z26, Z0, Z2; \
	VADDPD       ones, Z0, Z3; \ // h = 1 + r; its error is r − (h − 1)
	VSUBPD       ones, Z3, Z4; \
	VSUBPD       Z4, Z0, Z4; \
	VMULPD       Z0, Z2, Z2; \ // p = h + (q·r·r + error)
	VFMADD213PD  Z4, Z0, Z2; \
	VADDPD       Z3, Z2, Z2; \
	VPSUBQ       Z27, Z1, Z1; \ // k + 2048, which is not negative, so that a logical shift is correct
	VPSRLQ       $1, Z1, Z3; \ // half + 1024, where half = k>>1
	VPADDQ       minus1, Z3, Z4; \ // exponents half + 1023 and k − half + 1023
	VPSUBQ       Z3, Z1, Z1; \
	VPADDQ       minus1, Z1, Z1; \
	VPSLLQ       $52, Z4, Z4; \ // exp(x) = p · 2^half · 2^(k−half)
	VPSLLQ       $52, Z1, Z1; \
	VMULPD       Z4, Z2, Z2; \
	VMULPD       Z1, Z2, Z2

	MOVQ         dst_base+0(FP), dst // load the arguments
	MOVQ         dst_len+8(FP), left
	MOVQ         x_base+24(FP), x
	CONSTANT(0, Z10); CONSTANT(1, Z11); CONSTANT(2, Z12); CONSTANT(3, magic); CONSTANT(4, Z14); CONSTANT(5, Z16)
	CONSTANT(6, Z17); CONSTANT(7, Z18); CONSTANT(8, Z19); CONSTANT(9, Z20); CONSTANT(10, Z21); CONSTANT(11, Z22)
	CONSTANT(12, Z23); CONSTANT(13, Z24); CONSTANT(14, Z25); CONSTANT(15, Z26); CONSTANT(16, Z27)
	VBROADCASTSD pairOne<>(SB), ones // load the other constants
	VPTERNLOGD   $0xff, minus1, minus1, minus1
	SUBQ         $8, left            // if left < 8: goto tail
	JLT          tail

loop8:
	VMOVUPD (x), Z0 // dst[i] = exp(x[i]), eight at a time
	EXP
	VMOVUPD Z2, (dst)
	ADDQ    $64, x
	ADDQ    $64, dst
	SUBQ    $8, left
	JGE     loop8

tail:
	ADDQ      $8, left // if left = 0: goto done
	JEQ       done
	MOVL      $1, AX   // mask = (1 << left) − 1
	SHLL      left, AX
	DECL      AX
	KMOVB     AX, K1
	VMOVUPD.Z (x), K1, Z0
	EXP
	VMOVUPD   Z2, K1, (dst)

done:
	VZEROUPPER
	RET
#undef dst
#undef x
#undef left
#undef magic
#undef ones
#undef minus1
#undef CONSTANT
#undef EXP

// func pairSquaredHingeAVX512(c, z []float64, lower []int32, from, to int, acc *[4][8]float64)
// Requires: AVX512F, AVX512DQ, AVX512VL
// Registers: see pair_names_avx512_amd64.h; R12: acc, before and after the loops.
TEXT ·pairSquaredHingeAVX512(SB), NOSPLIT, $0-96
#include "pair_names_avx512_amd64.h"
#define ROW(k, value) HINGE_ROW(k, value)
#define TERMS HINGES
#define TERMS_MASKED HINGES_MASKED
#define LOSS \ // loss += t²; the coefficients are t
	VFMADD231PD Z16, Z16, loss0; VFMADD231PD Z17, Z17, loss1; \
	VFMADD231PD Z18, Z18, loss2; VFMADD231PD Z19, Z19, loss3
#define SAVE_LOSS \
	MOVQ acc+88(FP), R12; \
	SAVE_HINGE
#define ADD01(t, sum) VFMADD231PD t, ones, sum
#define ADD23(t, sum) VFMADD231PD t, ones, sum

	MOVQ c_base+0(FP), c // load the arguments
	MOVQ z_base+24(FP), input
	MOVQ lower_base+48(FP), lower
	MOVQ from+72(FP), row
	MOVQ to+80(FP), rowEnd
	MOVQ acc+88(FP), R12
	LOAD_HINGE           // loss = acc
	CONSTANTS
#include "pair_avx512_amd64.h"
	VZEROUPPER
	RET

// func pairHuberHingeAVX512(c, z []float64, lower []int32, inv, half float64, from, to int, acc *[4][8]float64)
// Requires: AVX512F, AVX512DQ, AVX512VL
// Registers: see pair_names_avx512_amd64.h; R12: acc, before and after the loops; Z24-Z27: u of
// each row.
TEXT ·pairHuberHingeAVX512(SB), NOSPLIT, $0-112
#include "pair_names_avx512_amd64.h"
#define inverse   Z28 // 1/δ
#define halfDelta Z29 // δ/2
#define ROW(k, value) HINGE_ROW(k, value)
#define TERMS HINGES
#define TERMS_MASKED HINGES_MASKED

// LOSS converts t to u = min(1, t/δ), and adds u·(t − δ/2·u) to the loss.
#define LOSS \
	VMULPD inverse, Z16, Z24; VMULPD inverse, Z17, Z25; \ // u = min(1, t/δ)
	VMULPD inverse, Z18, Z26; VMULPD inverse, Z19, Z27; \
	VMINPD Z24, ones, Z24; VMINPD Z25, ones, Z25; \
	VMINPD Z26, ones, Z26; VMINPD Z27, ones, Z27; \
	VFNMADD231PD Z24, halfDelta, Z16; VFNMADD231PD Z25, halfDelta, Z17; \ // t − δ/2·u
	VFNMADD231PD Z26, halfDelta, Z18; VFNMADD231PD Z27, halfDelta, Z19; \
	VFMADD231PD Z24, Z16, loss0; VFMADD231PD Z25, Z17, loss1; \ // loss += u·(t − δ/2·u)
	VFMADD231PD Z26, Z18, loss2; VFMADD231PD Z27, Z19, loss3; \
	VMOVAPD Z24, Z16; VMOVAPD Z25, Z17; VMOVAPD Z26, Z18; VMOVAPD Z27, Z19 // the coefficients are u
#define SAVE_LOSS \
	MOVQ acc+104(FP), R12; \
	SAVE_HINGE
#define ADD01(t, sum) VFMADD231PD t, ones, sum
#define ADD23(t, sum) VADDPD t, sum, sum

	MOVQ         c_base+0(FP), c // load the arguments
	MOVQ         z_base+24(FP), input
	MOVQ         lower_base+48(FP), lower
	VBROADCASTSD inv+72(FP), inverse
	VBROADCASTSD half+80(FP), halfDelta
	MOVQ         from+88(FP), row
	MOVQ         to+96(FP), rowEnd
	MOVQ         acc+104(FP), R12
	LOAD_HINGE                   // loss = acc
	CONSTANTS
#include "pair_avx512_amd64.h"
	VZEROUPPER
	RET
#undef inverse
#undef halfDelta

// func pairLogisticAVX512(c, e, f []float64, lower []int32, from, to int, acc *[4][8]float64)
// Requires: AVX512F, AVX512DQ, AVX512VL
// Registers: see pair_names_avx512_amd64.h; R12: acc, before and after the loops; Z20-Z27: scratch.
TEXT ·pairLogisticAVX512(SB), NOSPLIT, $0-120
#include "pair_names_avx512_amd64.h"
#define f         R9
#define product   Z12 // mantissa of Π(1 + m) of each lane: acc[0]
#define exponents Z28 // exponent of Π(1 + m) of each lane: acc[1]
#define ROW(k, value) VBROADCASTSD (8*k)(f)(row*8), value
#define TERMS \ // m = e[j]·f[i]
	VMULPD value0, inputs, Z16; VMULPD value1, inputs, Z17; \
	VMULPD value2, inputs, Z18; VMULPD value3, inputs, Z19
#define TERMS_MASKED \ // m, or 0 in lanes that are not pairs
	VMULPD.Z value0, inputs, K2, Z16; VMULPD.Z value1, inputs, K3, Z17; \
	VMULPD.Z value2, inputs, K4, Z18; VMULPD.Z value3, inputs, K5, Z19

// LOSS converts m to the coefficients m/(1+m), with one division for the four rows. Let r = 1 + m
// and Π = r0·r1·r2·r3. Then m0/r0 = (m0·r1)·(r2·r3/Π), and so on. LOSS also multiplies product by
// Π, adds the exponent of the result to exponents, and keeps the mantissa in product.
#define LOSS \
	VADDPD ones, Z16, Z20; VADDPD ones, Z17, Z21; \ // r = 1 + m
	VADDPD ones, Z18, Z22; VADDPD ones, Z19, Z23; \
	VMULPD      Z21, Z20, Z24; \ // r0·r1, r2·r3, Π and 1/Π
	VMULPD      Z23, Z22, Z25; \
	VMULPD      Z25, Z24, Z29; \
	VDIVPD      Z29, ones, Z26; \
	VMULPD      Z21, Z16, Z16; \ // m0·r1, m1·r0, m2·r3, m3·r2
	VMULPD      Z20, Z17, Z17; \
	VMULPD      Z23, Z18, Z18; \
	VMULPD      Z22, Z19, Z19; \
	VMULPD      Z25, Z26, Z25; \ // r2·r3/Π and r0·r1/Π
	VMULPD      Z24, Z26, Z24; \
	VMULPD      Z25, Z16, Z16; \ // m/r
	VMULPD      Z25, Z17, Z17; \
	VMULPD      Z24, Z18, Z18; \
	VMULPD      Z24, Z19, Z19; \
	VMULPD      Z29, product, product; \ // product *= Π
	VPSRLQ      $52, product, Z24; \ // exponents += exponent of product
	VPSUBQ.BCST pairBias<>(SB), Z24, Z24; \
	VPADDQ      Z24, exponents, exponents; \
	VPANDQ.BCST pairMantissa<>(SB), product, product; \ // 1 ≤ product < 2
	VPORQ       ones, product, product
#define SAVE_LOSS \
	MOVQ      acc+112(FP), R12; \
	VMOVUPD   product, (R12); \
	VMOVDQU64 exponents, 64(R12)
#define ADD01(t, sum) VADDPD t, sum, sum
#define ADD23(t, sum) VADDPD t, sum, sum

	MOVQ      c_base+0(FP), c // load the arguments
	MOVQ      e_base+24(FP), input
	MOVQ      f_base+48(FP), f
	MOVQ      lower_base+72(FP), lower
	MOVQ      from+96(FP), row
	MOVQ      to+104(FP), rowEnd
	MOVQ      acc+112(FP), R12
	CONSTANTS
	VMOVUPD   (R12), product  // product and exponents = acc
	VMOVDQU64 64(R12), exponents
#include "pair_avx512_amd64.h"
	VZEROUPPER
	RET
#undef f
#undef product
#undef exponents

// func pairSweepAVX512(tree []float64, leaf []int32, ask, item, x, y []float64, margin float64, done, from, to int, sx, sy []float64) int
// Requires: AVX512F, AVX512DQ, AVX512VL
// A group consists of eight querying documents, or fewer at the end. Registers: named below; AX:
// node − 1, whose upper bits are the parent and whose low 3 bits are the child's index.
TEXT ·pairSweepAVX512(SB), NOSPLIT, $0-232
#define trees     DI  // 16 sums per node: of x for each child, then of y
#define leaves    SI
#define asks      R8
#define items     R9
#define xs        R10
#define ys        R11
#define sumsX     R12
#define sumsY     R13
#define doc       BX  // next document, or first document of the group
#define next      DX  // next item
#define margins   Z16
#define margin0   X16 // first lane of margins
#define lastAsk   X17 // value of the group's last document
#define groupAsk  Z20 // values, leaves and sums of the group
#define groupLeaf Y21
#define groupX    Z22
#define groupY    Z23
#define itemX     Z0  // x and y of the item
#define itemY     Z1
#define iota      Y31 // 0 … 7
#define members   K7  // mask of the group's documents

	MOVQ         tree_base+0(FP), trees // load the arguments
	MOVQ         leaf_base+24(FP), leaves
	MOVQ         ask_base+48(FP), asks
	MOVQ         item_base+72(FP), items
	MOVQ         x_base+96(FP), xs
	MOVQ         y_base+120(FP), ys
	VBROADCASTSD margin+144(FP), margins
	MOVQ         done+152(FP), next
	MOVQ         from+160(FP), doc      // load from, sx and sy
	MOVQ         sx_base+176(FP), sumsX
	MOVQ         sy_base+200(FP), sumsY
	VMOVDQU32    github·com∕simdrank∕simdrank∕internal∕kern·Iota(SB), iota

group:
	CMPQ doc, to+168(FP)
	JGE  done

document:
	MOVL   (leaves)(doc*4), AX // sum of x = sum of y = 0
	DECL   AX
	VXORPD X0, X0, X0
	VXORPD X1, X1, X1

level:
	MOVL   AX, CX             // add the sums of this child; the first has the number 16·parent + child = 2·AX − child
	ANDL   $7, CX
	NEGQ   CX
	LEAQ   (CX)(AX*2), CX
	VADDSD (trees)(CX*8), X0, X0
	VADDSD 64(trees)(CX*8), X1, X1
	SHRL   $3, AX             // continue with the parent, unless it is the root
	SUBL   $1, AX
	JGE    level
	VMOVSD X0, (sumsX)(doc*8) // sx[doc], sy[doc] = the sums of the path
	VMOVSD X1, (sumsY)(doc*8)
	INCQ   doc
	CMPQ   doc, to+168(FP)    // until the documents or the group end
	JGE    load
	TESTQ  $7, doc
	JNE    document

load:
	VMOVSD      -8(asks)(doc*8), lastAsk
	LEAQ        -1(doc), CX                      // members = (2 << (doc−1)%8) − 1
	ANDL        $7, CX
	MOVL        $2, AX
	SHLL        CX, AX
	DECL        AX
	KMOVB       AX, members
	DECQ        doc                              // doc = first document of the group
	ANDQ        $-8, doc
	VMOVUPD.Z   (asks)(doc*8), members, groupAsk // load the group's values, leaves and sums
	VMOVDQU32.Z (leaves)(doc*4), members, groupLeaf
	VMOVUPD.Z   (sumsX)(doc*8), members, groupX
	VMOVUPD.Z   (sumsY)(doc*8), members, groupY

nextItem:
	CMPQ         next, item_len+80(FP)         // if no items remain: goto store
	JGE          store
	VADDSD       (items)(next*8), lastAsk, X18 // if !(lastAsk + item > margin): goto store
	VUCOMISD     margin0, X18
	JLS          store
	MOVL         (leaves)(next*4), AX          // load the item's leaf, value, x and y
	VBROADCASTSD (items)(next*8), Z2
	VPBROADCASTD AX, Y3
	VBROADCASTSD (xs)(next*8), itemX
	VBROADCASTSD (ys)(next*8), itemY
	VADDPD       Z2, groupAsk, Z2              // K1 = the item's leaf is earlier, and ask + item > margin
	VPCMPD       $1, groupLeaf, Y3, members, K1
	VCMPPD       $30, margins, Z2, K1, K1
	VADDPD       itemX, groupX, K1, groupX     // the group's sums += x, y if the item is active
	VADDPD       itemY, groupY, K1, groupY
	INCQ         next                          // insert the item into the tree, starting at its leaf
	DECL         AX

insert:
	MOVL         AX, CX            // K1 = the children after this one
	ANDL         $7, CX
	VPBROADCASTD CX, Y2
	VPCMPD       $1, iota, Y2, K1
	MOVL         AX, CX            // CX = 128·parent, the offset of the parent's sums
	ANDL         $-8, CX
	SHLQ         $4, CX
	VMOVUPD      (trees)(CX*1), Z3 // sums of the children in K1 += x, y
	VMOVUPD      64(trees)(CX*1), Z4
	VADDPD       itemX, Z3, K1, Z3
	VADDPD       itemY, Z4, K1, Z4
	VMOVUPD      Z3, (trees)(CX*1)
	VMOVUPD      Z4, 64(trees)(CX*1)
	SHRL         $3, AX            // continue with the parent, unless it is the root
	SUBL         $1, AX
	JGE          insert
	JMP          nextItem

store:
	VMOVUPD groupX, members, (sumsX)(doc*8) // sx, sy = the group's sums
	VMOVUPD groupY, members, (sumsY)(doc*8)
	ADDQ    $8, doc
	JMP     group

done:
	MOVQ next, ret+224(FP) // return the number of inserted items
	VZEROUPPER
	RET
#undef trees
#undef leaves
#undef asks
#undef items
#undef xs
#undef ys
#undef sumsX
#undef sumsY
#undef doc
#undef next
#undef margins
#undef margin0
#undef lastAsk
#undef groupAsk
#undef groupLeaf
#undef groupX
#undef groupY
#undef itemX
#undef itemY
#undef iota
#undef members
