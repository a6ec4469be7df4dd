//go:build !purego

#include "textflag.h"

// The pair kernels for AVX2. pair_amd64.h contains the loop nest of the losses.

DATA pairFour<>+0(SB)/8, $4
DATA pairFour<>+8(SB)/8, $4
DATA pairFour<>+16(SB)/8, $4
DATA pairFour<>+24(SB)/8, $4
GLOBL pairFour<>(SB), RODATA|NOPTR, $32

DATA pairOnes<>+0(SB)/8, $0x3ff0000000000000
DATA pairOnes<>+8(SB)/8, $0x3ff0000000000000
DATA pairOnes<>+16(SB)/8, $0x3ff0000000000000
DATA pairOnes<>+24(SB)/8, $0x3ff0000000000000
GLOBL pairOnes<>(SB), RODATA|NOPTR, $32

DATA pairBiases<>+0(SB)/8, $1023
DATA pairBiases<>+8(SB)/8, $1023
DATA pairBiases<>+16(SB)/8, $1023
DATA pairBiases<>+24(SB)/8, $1023
GLOBL pairBiases<>(SB), RODATA|NOPTR, $32

DATA pairMantissas<>+0(SB)/8, $0x000fffffffffffff
DATA pairMantissas<>+8(SB)/8, $0x000fffffffffffff
DATA pairMantissas<>+16(SB)/8, $0x000fffffffffffff
DATA pairMantissas<>+24(SB)/8, $0x000fffffffffffff
GLOBL pairMantissas<>(SB), RODATA|NOPTR, $32

// func expF64AVX2(dst, x []float64)
// Requires: AVX, AVX2, FMA3
// The frame contains expTable, with each constant four times. Registers: named below; Y0: x, then
// r; Y1: k + 2048, then the second power of 2; Y2: the polynomial, then the result; Y3: 1 + r; Y4:
// the error of Y3, then the first power of 2.
TEXT ·expF64AVX2(SB), NOSPLIT, $544-48
#define dst      DI  // next result
#define x        SI  // next value
#define left     CX  // number of remaining values, minus 4 in the loop
#define tailMask Y6
#define magic    Y13 // expMagic: adding it rounds to an integer
#define minus1   Y14 // integers −1
#define ones     Y15

// CONSTANT stores four copies of expTable[i] in the frame.
#define CONSTANT(i) \
	VBROADCASTSD ·expTable+(8*i)(SB), Y0; \
	VMOVUPD      Y0, (32*i)(SP)

// EXP sets Y2 to exp(Y0), with the operations of expGeneric. It uses Y1 and Y3-Y5.
#define EXP \
	VMOVUPD      0(SP), Y5; \ // x = max(expMin, min(expMax, x)), or NaN
	VMINPD       Y0, Y5, Y0; \
	VMOVUPD      32(SP), Y5; \
	VMAXPD       Y0, Y5, Y0; \
	VMOVAPD      magic, Y1; \ // kd = x·log2E + expMagic; k = kd − expMagic
	VFMADD231PD  64(SP), Y0, Y1; \
	VSUBPD       magic, Y1, Y2; \
	VFNMADD231PD 128(SP), Y2, Y0; \ // r = x − k·ln2Hi − k·ln2Lo
	VFNMADD231PD 160(SP), Y2, Y0; \
	VMOVUPD      192(SP), Y2; \ // q = (exp11·r + exp10)·r + … + exp2
	VFMADD213PD  224(SP), Y0, Y2; \
	VFMADD213PD  256(SP), Y0, Y2; \
	VFMADD213PD  288(SP), Y0, Y2; \
	VFMADD213PD  320(SP), Y0, Y2; \
	VFMADD213PD  352(SP), Y0, Y2; \
	VFMADD213PD  384(SP), Y0, Y2; \
	VFMADD213PD  416(SP), Y0, Y2; \
	VFMADD213PD  448(SP), Y0, Y2; \
	VFMADD213PD  480(SP), Y0, Y2; \
	VADDPD       ones, Y0, Y3; \ // h = 1 + r; its error is r − (h − 1)
	VSUBPD       ones, Y3, Y4; \
	VSUBPD       Y4, Y0, Y4; \
	VMULPD       Y0, Y2, Y2; \ // p = h + (q·r·r + error)
	VFMADD213PD  Y4, Y0, Y2; \
	VADDPD       Y3, Y2, Y2; \
	VPSUBQ       512(SP), Y1, Y1; \ // k + 2048, which is not negative, so that a logical shift is correct
	VPSRLQ       $1, Y1, Y3; \ // half + 1024, where half = k>>1
	VPADDQ       minus1, Y3, Y4; \ // exponents half + 1023 and k − half + 1023
	VPSUBQ       Y3, Y1, Y1; \
	VPADDQ       minus1, Y1, Y1; \
	VPSLLQ       $52, Y4, Y4; \ // exp(x) = p · 2^half · 2^(k−half)
	VPSLLQ       $52, Y1, Y1; \
	VMULPD       Y4, Y2, Y2; \
	VMULPD       Y1, Y2, Y2

	MOVQ     dst_base+0(FP), dst // load the arguments
	MOVQ     dst_len+8(FP), left
	MOVQ     x_base+24(FP), x
	CONSTANT(0); CONSTANT(1); CONSTANT(2); CONSTANT(3); CONSTANT(4); CONSTANT(5); CONSTANT(6); CONSTANT(7); CONSTANT(8)
	CONSTANT(9); CONSTANT(10); CONSTANT(11); CONSTANT(12); CONSTANT(13); CONSTANT(14); CONSTANT(15); CONSTANT(16)
	VMOVUPD  96(SP), magic // load the constants that stay in registers
	VPCMPEQQ minus1, minus1, minus1
	VMOVUPD  pairOnes<>(SB), ones
	SUBQ     $4, left      // if left < 4: goto tail
	JLT      tail

loop4:
	VMOVUPD (x), Y0 // dst[i] = exp(x[i]), four at a time
	EXP
	VMOVUPD Y2, (dst)
	ADDQ    $32, x
	ADDQ    $32, dst
	SUBQ    $4, left
	JGE     loop4

tail:
	ADDQ         $4, left // if left = 0: goto done
	JEQ          done
	VMOVQ        left, X6 // mask = iota < left
	VPBROADCASTQ X6, tailMask
	VPCMPGTQ     github·com∕simdrank∕simdrank∕internal∕kern·Iota64(SB), tailMask, tailMask
	VMASKMOVPD   (x), tailMask, Y0
	EXP
	VMASKMOVPD   Y2, tailMask, (dst)

done:
	VZEROUPPER
	RET
#undef dst
#undef x
#undef left
#undef tailMask
#undef magic
#undef minus1
#undef ones
#undef CONSTANT
#undef EXP

// func pairSquaredHingeAVX2(c, z []float64, lower []int32, from, to int, acc *[4][8]float64)
// Requires: AVX, AVX2, FMA3
// Registers: see pair_names_amd64.h.
TEXT ·pairSquaredHingeAVX2(SB), NOSPLIT, $416-96
#include "pair_names_amd64.h"
#define BLOCK
#define ROW(k) HINGE_ROW(k)
#define LOAD_LOSS LOAD_HINGE
#define SAVE_LOSS SAVE_HINGE
#define TERMS HINGES
#define LOSS \ // loss += t²; the coefficients are t
	VFMADD231PD Y0, Y0, loss0; VFMADD231PD Y1, Y1, loss1; \
	VFMADD231PD Y2, Y2, loss2; VFMADD231PD Y3, Y3, loss3
#define ADD01(t, sum) VFMADD231PD t, ones, sum
#define ADD23(t, sum) VFMADD231PD t, ones, sum

	MOVQ    c_base+0(FP), c      // load the arguments
	MOVQ    z_base+24(FP), input
	MOVQ    z_len+32(FP), lastFit
	SUBQ    $4, lastFit
	MOVQ    lower_base+48(FP), lower
	MOVQ    from+72(FP), row     // load from, to and acc
	MOVQ    to+80(FP), rowEnd
	MOVQ    acc+88(FP), sums
	VMOVUPD pairOnes<>(SB), ones // 1 in each lane
#include "pair_amd64.h"
	VZEROUPPER
	RET

// func pairHuberHingeAVX2(c, z []float64, lower []int32, inv, half float64, from, to int, acc *[4][8]float64)
// Requires: AVX, AVX2, FMA3
// Registers: see pair_names_amd64.h.
TEXT ·pairHuberHingeAVX2(SB), NOSPLIT, $480-112
#include "pair_names_amd64.h"
#define BLOCK
#define ROW(k) HINGE_ROW(k)
#define LOAD_LOSS LOAD_HINGE
#define SAVE_LOSS SAVE_HINGE
#define TERMS HINGES
#define INVERSE OWN(0) // 1/δ
#define HALF OWN(1) // δ/2

// HUBER converts t to u = min(1, t/δ), and adds u·(t − δ/2·u) to the loss.
#define HUBER(t, loss) \
	VMULPD       INVERSE, t, Y13; \ // u = min(1, t/δ)
	VMINPD       Y13, ones, Y13; \
	VMOVAPD      t, Y15; \ // t − δ/2·u
	VFNMADD231PD HALF, Y13, Y15; \
	VFMADD231PD  Y13, Y15, loss; \
	VMOVAPD      Y13, t
#define LOSS HUBER(Y0, loss0); HUBER(Y1, loss1); HUBER(Y2, loss2); HUBER(Y3, loss3)
#define ADD01(t, sum) VFMADD231PD t, ones, sum
#define ADD23(t, sum) VADDPD t, sum, sum

	MOVQ         c_base+0(FP), c  // load the arguments
	MOVQ         z_base+24(FP), input
	MOVQ         z_len+32(FP), lastFit
	SUBQ         $4, lastFit
	MOVQ         lower_base+48(FP), lower
	VBROADCASTSD inv+72(FP), Y13  // INVERSE = 1/δ; HALF = δ/2
	VMOVUPD      Y13, INVERSE
	VBROADCASTSD half+80(FP), Y13
	VMOVUPD      Y13, HALF
	MOVQ         from+88(FP), row // load from, to and acc
	MOVQ         to+96(FP), rowEnd
	MOVQ         acc+104(FP), sums
	VMOVUPD      pairOnes<>(SB), ones
#include "pair_amd64.h"
	VZEROUPPER
	RET
#undef INVERSE
#undef HALF
#undef HUBER

// func pairLogisticAVX2(c, e, f []float64, lower []int32, from, to int, acc *[4][8]float64)
// Requires: AVX, AVX2
// Registers: see pair_names_amd64.h; R11: f while the values of a block are loaded; Y8-Y11:
// scratch.
TEXT ·pairLogisticAVX2(SB), NOSPLIT, $448-120
#include "pair_names_amd64.h"
#define product Y12 // mantissa of Π(1 + m) of each lane, acc[0]; acc[1] contains the exponents
#define BLOCK \
	MOVQ f_base+48(FP), R11
#define ROW(k) \ // f[i+k]
	VBROADCASTSD (8*k)(R11)(row*8), Y13; \
	VMOVUPD      Y13, VALUE(k)
#define LOAD_LOSS \
	MOVQ    acc+112(FP), sums; \
	VMOVUPD (sums)(lane*8), product
#define SAVE_LOSS VMOVUPD product, (sums)(lane*8)
#define TERMS \ // m = e[j]·f[i]
	VMULPD VALUE(0), Y13, Y0; VMULPD VALUE(1), Y13, Y1; \
	VMULPD VALUE(2), Y13, Y2; VMULPD VALUE(3), Y13, Y3

// LOSS converts m to the coefficients m/(1+m), with one division for the four rows. Let r = 1 + m
// and Π = r0·r1·r2·r3. Then m0/r0 = (m0·r1)·(r2·r3/Π), and so on. LOSS also multiplies product by
// Π, adds the exponent of the result to acc[1], and keeps the mantissa in product. Meanwhile, the
// stack slot OWN(0) holds cj.
#define LOSS \
	VMOVUPD cj, OWN(0); \
	VMOVUPD pairOnes<>(SB), Y15; \
	VADDPD Y15, Y0, Y8; VADDPD Y15, Y1, Y9; VADDPD Y15, Y2, Y10; VADDPD Y15, Y3, Y11; \ // r = 1 + m
	VMULPD  Y9, Y0, Y0; \ // m0·r1, m1·r0, m2·r3, m3·r2
	VMULPD  Y8, Y1, Y1; \
	VMULPD  Y11, Y2, Y2; \
	VMULPD  Y10, Y3, Y3; \
	VMULPD  Y9, Y8, Y13; \ // r0·r1, r2·r3 and Π
	VMULPD  Y11, Y10, Y14; \
	VMULPD  Y14, Y13, Y8; \
	VDIVPD  Y8, Y15, Y9; \ // 1/Π
	VMULPD  Y8, product, product; \ // product *= Π, during the division
	VMULPD  Y14, Y9, Y14; \ // r2·r3/Π and r0·r1/Π
	VMULPD  Y13, Y9, Y13; \
	VPSRLQ  $52, product, Y10; \ // acc[1] += exponent of product
	VPSUBQ  pairBiases<>(SB), Y10, Y10; \
	VPADDQ  64(sums)(lane*8), Y10, Y10; \
	VMOVDQU Y10, 64(sums)(lane*8); \
	VANDPD  pairMantissas<>(SB), product, product; \ // 1 ≤ product < 2
	VORPD   Y15, product, product; \
	VMULPD  Y14, Y0, Y0; \ // m/r
	VMULPD  Y14, Y1, Y1; \
	VMULPD  Y13, Y2, Y2; \
	VMULPD  Y13, Y3, Y3; \
	VMOVUPD OWN(0), cj
#define ADD01(t, sum) VADDPD t, sum, sum
#define ADD23(t, sum) VADDPD t, sum, sum

	MOVQ c_base+0(FP), c  // load the arguments
	MOVQ e_base+24(FP), input
	MOVQ e_len+32(FP), lastFit
	SUBQ $4, lastFit
	MOVQ f_base+48(FP), R11
	MOVQ lower_base+72(FP), lower
	MOVQ from+96(FP), row // load from and to
	MOVQ to+104(FP), rowEnd
#include "pair_amd64.h"
	VZEROUPPER
	RET
#undef product

// func pairSweepAVX2(tree []float64, leaf []int32, ask, item, x, y []float64, margin float64, done, from, to int, sx, sy []float64) int
// Requires: AVX, AVX2
// A group consists of eight querying documents. A smaller last group is copied to the frame. There,
// missing documents have leaf 0, so that no item is active for them. Registers: named below; AX:
// node − 1, whose upper bits are the parent and whose low 3 bits are the child's index.
TEXT ·pairSweepAVX2(SB), NOSPLIT, $256-232
#define trees   DI  // 16 sums per node: of x for each child, then of y
#define leaves  SI
#define asks    R8
#define items   R9
#define xs      R10
#define ys      R11
#define sumsX   R12
#define sumsY   R13
#define doc     BX  // next document, or first document of the group
#define next    DX  // next item
#define ask0    Y4  // values, leaves and sums of the group
#define ask1    Y5
#define leaf0   Y6
#define leaf1   Y7
#define x0      Y8
#define x1      Y9
#define y0      Y10
#define y1      Y11
#define margins Y12
#define margin0 X12 // first lane of margins
#define itemX   Y13 // x and y of the item
#define itemY   Y14
#define lastAsk X15 // value of the group's last document

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
	VMOVSD    -8(asks)(doc*8), lastAsk
	TESTQ     $7, doc             // if the group has fewer than eight documents: goto loadCut
	JNE       loadCut
	SUBQ      $8, doc
	VMOVUPD   (asks)(doc*8), ask0 // load the group's eight values, leaves and sums
	VMOVUPD   32(asks)(doc*8), ask1
	VPMOVSXDQ (leaves)(doc*4), leaf0
	VPMOVSXDQ 16(leaves)(doc*4), leaf1
	VMOVUPD   (sumsX)(doc*8), x0
	VMOVUPD   32(sumsX)(doc*8), x1
	VMOVUPD   (sumsY)(doc*8), y0
	VMOVUPD   32(sumsY)(doc*8), y1
	JMP       nextItem

loadCut:
	VXORPD  Y0, Y0, Y0 // leaves in the frame = 0
	VMOVUPD Y0, 64(SP)
	VMOVUPD Y0, 96(SP)
	MOVQ    doc, CX    // CX = number of documents in the group; doc = first document
	ANDQ    $7, CX
	ANDQ    $-8, doc

copyIn:
	DECQ    CX                 // copy values and sums to the frame, starting with the last document
	LEAQ    (doc)(CX*1), AX
	VMOVSD  (asks)(AX*8), X0
	VMOVSD  X0, 0(SP)(CX*8)
	VMOVSD  (sumsX)(AX*8), X0
	VMOVSD  X0, 128(SP)(CX*8)
	VMOVSD  (sumsY)(AX*8), X0
	VMOVSD  X0, 192(SP)(CX*8)
	MOVLQSX (leaves)(AX*4), AX // copy the leaf
	MOVQ    AX, 64(SP)(CX*8)
	TESTQ   CX, CX
	JNE     copyIn
	VMOVUPD 0(SP), ask0        // load the group from the frame
	VMOVUPD 32(SP), ask1
	VMOVUPD 64(SP), leaf0
	VMOVUPD 96(SP), leaf1
	VMOVUPD 128(SP), x0
	VMOVUPD 160(SP), x1
	VMOVUPD 192(SP), y0
	VMOVUPD 224(SP), y1

nextItem:
	CMPQ         next, item_len+80(FP)        // if no items remain: goto store
	JGE          store
	VADDSD       (items)(next*8), lastAsk, X0 // if !(lastAsk + item > margin): goto store
	VUCOMISD     margin0, X0
	JLS          store
	MOVL         (leaves)(next*4), AX         // load the item's leaf, value, x and y
	VBROADCASTSD (items)(next*8), Y0
	VMOVQ        AX, X1
	VPBROADCASTQ X1, Y1
	VBROADCASTSD (xs)(next*8), itemX
	VBROADCASTSD (ys)(next*8), itemY
	VADDPD       Y0, ask0, Y2                 // active = ask + item > margin
	VADDPD       Y0, ask1, Y3
	VCMPPD       $30, margins, Y2, Y2
	VCMPPD       $30, margins, Y3, Y3
	VPCMPGTQ     Y1, leaf0, Y0                // active &= the item's leaf is earlier
	VPCMPGTQ     Y1, leaf1, Y1
	VANDPD       Y0, Y2, Y2
	VANDPD       Y1, Y3, Y3
	VANDPD       itemX, Y2, Y0                // the group's sums += active ? item : 0
	VANDPD       itemX, Y3, Y1
	VANDPD       itemY, Y2, Y2
	VANDPD       itemY, Y3, Y3
	VADDPD       Y0, x0, x0
	VADDPD       Y1, x1, x1
	VADDPD       Y2, y0, y0
	VADDPD       Y3, y1, y1
	INCQ         next                         // insert the item into the tree, starting at its leaf
	DECL         AX

insert:
	MOVL         AX, CX        // Y0, Y1 = masks of the children after this one
	ANDL         $7, CX
	VMOVQ        CX, X1
	VPBROADCASTQ X1, Y1
	VMOVDQU      github·com∕simdrank∕simdrank∕internal∕kern·Iota64(SB), Y0
	VPADDQ       pairFour<>(SB), Y0, Y2
	VPCMPGTQ     Y1, Y0, Y0
	VPCMPGTQ     Y1, Y2, Y1
	MOVL         AX, CX        // CX = 128·parent, the offset of the parent's sums
	ANDL         $-8, CX
	SHLQ         $4, CX
	VANDPD       itemX, Y0, Y2 // sums of x of these children += x
	VANDPD       itemX, Y1, Y3
	VADDPD       (trees)(CX*1), Y2, Y2
	VADDPD       32(trees)(CX*1), Y3, Y3
	VMOVUPD      Y2, (trees)(CX*1)
	VMOVUPD      Y3, 32(trees)(CX*1)
	VANDPD       itemY, Y0, Y2 // sums of y of these children += y
	VANDPD       itemY, Y1, Y3
	VADDPD       64(trees)(CX*1), Y2, Y2
	VADDPD       96(trees)(CX*1), Y3, Y3
	VMOVUPD      Y2, 64(trees)(CX*1)
	VMOVUPD      Y3, 96(trees)(CX*1)
	SHRL         $3, AX        // continue with the parent, unless it is the root
	SUBL         $1, AX
	JGE          insert
	JMP          nextItem

store:
	LEAQ    8(doc), AX
	CMPQ    AX, to+168(FP)     // if the group has fewer than eight documents: goto storeCut
	JGT     storeCut
	VMOVUPD x0, (sumsX)(doc*8) // sx, sy = the group's sums
	VMOVUPD x1, 32(sumsX)(doc*8)
	VMOVUPD y0, (sumsY)(doc*8)
	VMOVUPD y1, 32(sumsY)(doc*8)
	MOVQ    AX, doc
	JMP     group

storeCut:
	VMOVUPD x0, 128(SP) // store the sums in the frame
	VMOVUPD x1, 160(SP)
	VMOVUPD y0, 192(SP)
	VMOVUPD y1, 224(SP)
	XORL    CX, CX

copyOut:
	VMOVSD 128(SP)(CX*8), X0 // sx[doc], sy[doc] = the sums in the frame
	VMOVSD X0, (sumsX)(doc*8)
	VMOVSD 192(SP)(CX*8), X0
	VMOVSD X0, (sumsY)(doc*8)
	INCQ   CX
	INCQ   doc
	CMPQ   doc, to+168(FP)
	JLT    copyOut

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
#undef ask0
#undef ask1
#undef leaf0
#undef leaf1
#undef x0
#undef x1
#undef y0
#undef y1
#undef margins
#undef margin0
#undef itemX
#undef itemY
#undef lastAsk
