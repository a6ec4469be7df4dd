//go:build !purego

#include "textflag.h"

// Pair kernels for AVX-512.
//
// All share one loop nest. A block is four rows (preferred documents) i … i+3 with
// their numbers of partners p0 … p3, which do not decrease; partners j run in
// vectors of 8, the virtual lanes. Up to p0 rounded down to 8 every lane
// is a pair; from there to the last p each row masks the lanes j < pk. A block that
// the end of the query cuts short has p = 0 for the missing rows.
//
// BX row i   CX last row   DX lower   DI c   R12 j   R13 end of the full vectors
// AX end of the masked vectors   K6 the rows of the block   SI R8 R9 other inputs
// Z0 … Z3 the rows' values   Z4 … Z7 sums of the rows   Y8 … Y11 p0 … p3
// Z14 c[j …]   Z16 … Z19 one value a row   Z30 ones   Y31 0 … 7

DATA pairOne<>+0(SB)/8, $0x3ff0000000000000
GLOBL pairOne<>(SB), RODATA|NOPTR, $8
DATA pairBias<>+0(SB)/8, $1023
GLOBL pairBias<>(SB), RODATA|NOPTR, $8
DATA pairMantissa<>+0(SB)/8, $0x000fffffffffffff
GLOBL pairMantissa<>(SB), RODATA|NOPTR, $8

// EXP sets Z2 to exp(Z0).
#define EXP \
	VMINPD Z0, Z10, Z0; \
	VMAXPD Z0, Z11, Z0; \
	VMOVAPD Z13, Z1; \
	VFMADD231PD Z12, Z0, Z1; \
	VSUBPD Z13, Z1, Z2; \
	VFNMADD231PD Z14, Z2, Z0; \
	VFNMADD231PD Z16, Z2, Z0; \
	VMOVAPD Z17, Z2; \
	VFMADD213PD Z18, Z0, Z2; \
	VFMADD213PD Z19, Z0, Z2; \
	VFMADD213PD Z20, Z0, Z2; \
	VFMADD213PD Z21, Z0, Z2; \
	VFMADD213PD Z22, Z0, Z2; \
	VFMADD213PD Z23, Z0, Z2; \
	VFMADD213PD Z24, Z0, Z2; \
	VFMADD213PD Z25, Z0, Z2; \
	VFMADD213PD Z26, Z0, Z2; \
	VADDPD Z28, Z0, Z3; \
	VSUBPD Z28, Z3, Z4; \
	VSUBPD Z4, Z0, Z4; \
	VMULPD Z0, Z2, Z2; \
	VFMADD213PD Z4, Z0, Z2; \
	VADDPD Z3, Z2, Z2; \
	VPSUBQ Z27, Z1, Z1; \
	VPSRLQ $1, Z1, Z3; \
	VPADDQ Z29, Z3, Z4; \
	VPSUBQ Z3, Z1, Z1; \
	VPADDQ Z29, Z1, Z1; \
	VPSLLQ $52, Z4, Z4; \
	VPSLLQ $52, Z1, Z1; \
	VMULPD Z4, Z2, Z2; \
	VMULPD Z1, Z2, Z2

// func expF64AVX512(dst, x []float64)
// Requires: AVX512F, AVX512DQ
// Z0 x, then r   Z1 k in the low bits, then the second power of 2   Z2 polynomial
// Z3 1+r   Z4 its error, then the first power of 2   Z10 … Z27 the constants   Z28 ones   Z29 −1
TEXT ·expF64AVX512(SB), NOSPLIT, $0-48
	MOVQ         dst_base+0(FP), DI
	MOVQ         dst_len+8(FP), CX
	MOVQ         x_base+24(FP), SI
	VBROADCASTSD ·expTable+0(SB), Z10
	VBROADCASTSD ·expTable+8(SB), Z11
	VBROADCASTSD ·expTable+16(SB), Z12
	VBROADCASTSD ·expTable+24(SB), Z13
	VBROADCASTSD ·expTable+32(SB), Z14
	VBROADCASTSD ·expTable+40(SB), Z16
	VBROADCASTSD ·expTable+48(SB), Z17
	VBROADCASTSD ·expTable+56(SB), Z18
	VBROADCASTSD ·expTable+64(SB), Z19
	VBROADCASTSD ·expTable+72(SB), Z20
	VBROADCASTSD ·expTable+80(SB), Z21
	VBROADCASTSD ·expTable+88(SB), Z22
	VBROADCASTSD ·expTable+96(SB), Z23
	VBROADCASTSD ·expTable+104(SB), Z24
	VBROADCASTSD ·expTable+112(SB), Z25
	VBROADCASTSD ·expTable+120(SB), Z26
	VBROADCASTSD ·expTable+128(SB), Z27
	VBROADCASTSD pairOne<>(SB), Z28
	VPTERNLOGD   $0xff, Z29, Z29, Z29
	SUBQ         $8, CX
	JLT          rest

eight:
	VMOVUPD (SI), Z0
	EXP
	VMOVUPD Z2, (DI)
	ADDQ    $64, SI
	ADDQ    $64, DI
	SUBQ    $8, CX
	JGE     eight

rest:
	ADDQ      $8, CX
	JEQ       done
	MOVL      $1, AX
	SHLL      CX, AX
	DECL      AX
	KMOVB     AX, K1
	VMOVUPD.Z (SI), K1, Z0
	EXP
	VMOVUPD   Z2, K1, (DI)

done:
	VZEROUPPER
	RET

// ROWS loads the block at BX: ROWk has row k's values, the rest is its pk. It jumps to done
// after the last block, and to next when no row of the block has partners.
#define ROWS \
	CMPQ         BX, CX; \
	JGE          done; \
	MOVQ         CX, R13; \
	SUBQ         BX, R13; \
	CMPQ         R13, $4; \
	JLT          cut; \
	MOVLQSX      12(DX)(BX*4), AX; \
	TESTQ        AX, AX; \
	JEQ          next; \
	VPBROADCASTD (DX)(BX*4), Y8; \
	VPBROADCASTD 4(DX)(BX*4), Y9; \
	VPBROADCASTD 8(DX)(BX*4), Y10; \
	VPBROADCASTD 12(DX)(BX*4), Y11; \
	ROW0; \
	ROW1; \
	ROW2; \
	ROW3; \
	MOVL         $15, R13; \
	KMOVB        R13, K6; \
	MOVLQSX      (DX)(BX*4), R13; \
	ANDQ         $-8, R13; \
	JMP          ready; \
cut: \
	VPXOR        Y9, Y9, Y9; \
	VPXOR        Y10, Y10, Y10; \
	VPXOR        Y11, Y11, Y11; \
	MOVL         $1, AX; \
	KMOVB        AX, K6; \
	MOVLQSX      (DX)(BX*4), AX; \
	VPBROADCASTD (DX)(BX*4), Y8; \
	ROW0; \
	CMPQ         R13, $2; \
	JLT          short; \
	MOVL         $3, AX; \
	KMOVB        AX, K6; \
	MOVLQSX      4(DX)(BX*4), AX; \
	VPBROADCASTD 4(DX)(BX*4), Y9; \
	ROW1; \
	JEQ          short; \
	MOVL         $7, AX; \
	KMOVB        AX, K6; \
	MOVLQSX      8(DX)(BX*4), AX; \
	VPBROADCASTD 8(DX)(BX*4), Y10; \
	ROW2; \
short: \
	XORL         R13, R13; \
	TESTQ        AX, AX; \
	JEQ          next; \
ready: \
	VPXORQ       Z4, Z4, Z4; \
	VPXORQ       Z5, Z5, Z5; \
	VPXORQ       Z6, Z6, Z6; \
	VPXORQ       Z7, Z7, Z7; \
	XORL         R12, R12

// MASKS sets K1 to the lanes j < AX and K2 … K5 to j < p0 … p3.
#define MASKS \
	VPBROADCASTD R12, Y16; \
	VPADDD       Y31, Y16, Y16; \
	VPBROADCASTD AX, Y17; \
	VPCMPD       $1, Y17, Y16, K1; \
	VPCMPD       $1, Y8, Y16, K2; \
	VPCMPD       $1, Y9, Y16, K3; \
	VPCMPD       $1, Y10, Y16, K4; \
	VPCMPD       $1, Y11, Y16, K5

// SUBSUMS reduces Z4 … Z7 by the tree ((0+4)+(2+6))+((1+5)+(3+7)) and subtracts the
// four sums from c[i … i+3].
#define SUBSUMS \
	VEXTRACTF64X4 $1, Z4, Y16; \
	VEXTRACTF64X4 $1, Z5, Y17; \
	VEXTRACTF64X4 $1, Z6, Y18; \
	VEXTRACTF64X4 $1, Z7, Y19; \
	VADDPD        Y16, Y4, Y4; \
	VADDPD        Y17, Y5, Y5; \
	VADDPD        Y18, Y6, Y6; \
	VADDPD        Y19, Y7, Y7; \
	VPERM2F128    $0x20, Y5, Y4, Y8; \
	VPERM2F128    $0x31, Y5, Y4, Y9; \
	VPERM2F128    $0x20, Y7, Y6, Y10; \
	VPERM2F128    $0x31, Y7, Y6, Y11; \
	VADDPD        Y9, Y8, Y8; \
	VADDPD        Y11, Y10, Y10; \
	VHADDPD       Y10, Y8, Y8; \
	VPERMPD       $0xD8, Y8, Y8; \
	VMOVUPD.Z     (DI)(BX*8), K6, Y16; \
	VSUBPD        Y8, Y16, Y16; \
	VMOVUPD       Y16, K6, (DI)(BX*8)

// ADDC adds the pairs' coefficients Z16 … Z19 to the sums of the rows, two by sum01 and two by
// sum23, and, in the order of the rows, to c[j …] in Z14. A product with 1 changes nothing: where
// the pipes that multiply have less to do than those that add, they take sums. A Zen 4 also takes
// maxima and minima where it adds.
#define SUM(t, sum) VADDPD t, sum, sum
#define FMASUM(t, sum) VFMADD231PD t, Z30, sum
#define ADDC(sum01, sum23) \
	VADDPD Z16, Z14, Z14; \
	sum01(Z16, Z4); \
	sum01(Z17, Z5); \
	sum23(Z18, Z6); \
	sum23(Z19, Z7); \
	VADDPD Z17, Z14, Z14; \
	VADDPD Z18, Z14, Z14; \
	VADDPD Z19, Z14, Z14

// MARGINS has t = 1 − z[i] + z[j] in Z16 … Z19, two of them by a product with 1.
#define MARGINS \
	VADDPD Z0, Z13, Z16; \
	VADDPD Z1, Z13, Z17; \
	VMOVAPD Z2, Z18; \
	VMOVAPD Z3, Z19; \
	VFMADD231PD Z30, Z13, Z18; \
	VFMADD231PD Z30, Z13, Z19

// HINGES raises t to at least 0; HINGESMASKED also clears the lanes that are no pairs.
#define HINGES \
	VMAXPD Z16, Z12, Z16; \
	VMAXPD Z17, Z12, Z17; \
	VMAXPD Z18, Z12, Z18; \
	VMAXPD Z19, Z12, Z19

#define HINGESMASKED \
	VMAXPD.Z Z16, Z12, K2, Z16; \
	VMAXPD.Z Z17, Z12, K3, Z17; \
	VMAXPD.Z Z18, Z12, K4, Z18; \
	VMAXPD.Z Z19, Z12, K5, Z19

// LOADLOSS and STORELOSS move the 4·8 lanes of the loss, Z20 … Z23, from and to R12.
#define LOADLOSS \
	VMOVUPD (R12), Z20; \
	VMOVUPD 64(R12), Z21; \
	VMOVUPD 128(R12), Z22; \
	VMOVUPD 192(R12), Z23

#define STORELOSS \
	VMOVUPD Z20, (R12); \
	VMOVUPD Z21, 64(R12); \
	VMOVUPD Z22, 128(R12); \
	VMOVUPD Z23, 192(R12)

#define CONSTANTS \
	VPXORQ       Z12, Z12, Z12; \
	VBROADCASTSD pairOne<>(SB), Z30; \
	VMOVDQU32    github·com∕simdrank∕simdrank∕internal∕kern·Iota(SB), Y31

// The rows of the hinge losses hold 1 − z[i].
#define ROW0 VBROADCASTSD (SI)(BX*8), Z0; VSUBPD Z0, Z30, Z0
#define ROW1 VBROADCASTSD 8(SI)(BX*8), Z1; VSUBPD Z1, Z30, Z1
#define ROW2 VBROADCASTSD 16(SI)(BX*8), Z2; VSUBPD Z2, Z30, Z2
#define ROW3 VBROADCASTSD 24(SI)(BX*8), Z3; VSUBPD Z3, Z30, Z3

// SQUARES adds t² to the loss.
#define SQUARES \
	VFMADD231PD Z16, Z16, Z20; \
	VFMADD231PD Z17, Z17, Z21; \
	VFMADD231PD Z18, Z18, Z22; \
	VFMADD231PD Z19, Z19, Z23

// func pairSquaredHingeAVX512(c, z []float64, lower []int32, from, to int, acc *[4][8]float64)
// Requires: AVX512F, AVX512DQ, AVX512VL
// SI z   Z0 … Z3 1 − z[i]   Z13 z[j …]   Z20 … Z23 the loss
TEXT ·pairSquaredHingeAVX512(SB), NOSPLIT, $0-96
	MOVQ c_base+0(FP), DI
	MOVQ z_base+24(FP), SI
	MOVQ lower_base+48(FP), DX
	MOVQ from+72(FP), BX
	MOVQ to+80(FP), CX
	MOVQ acc+88(FP), R12
	LOADLOSS
	CONSTANTS

rows:
	ROWS
	CMPQ R12, R13
	JGE  masked

full:
	VMOVUPD (SI)(R12*8), Z13
	VMOVUPD (DI)(R12*8), Z14
	MARGINS
	HINGES
	SQUARES
	ADDC(FMASUM, FMASUM)
	VMOVUPD Z14, (DI)(R12*8)
	ADDQ    $8, R12
	CMPQ    R12, R13
	JLT     full

masked:
	CMPQ    R12, AX
	JGE     sums
	MASKS
	VMOVUPD.Z (SI)(R12*8), K1, Z13
	VMOVUPD.Z (DI)(R12*8), K1, Z14
	MARGINS
	HINGESMASKED
	SQUARES
	ADDC(FMASUM, FMASUM)
	VMOVUPD Z14, K1, (DI)(R12*8)
	ADDQ    $8, R12
	JMP     masked

sums:
	SUBSUMS

next:
	ADDQ $4, BX
	JMP  rows

done:
	MOVQ acc+88(FP), R12
	STORELOSS
	VZEROUPPER
	RET

// HUBER turns t into u = min(1, t/δ) and adds u·(t − δ/2·u) to the loss.
#define HUBER \
	VMULPD       Z28, Z16, Z24; \
	VMULPD       Z28, Z17, Z25; \
	VMULPD       Z28, Z18, Z26; \
	VMULPD       Z28, Z19, Z27; \
	VMINPD       Z24, Z30, Z24; \
	VMINPD       Z25, Z30, Z25; \
	VMINPD       Z26, Z30, Z26; \
	VMINPD       Z27, Z30, Z27; \
	VFNMADD231PD Z24, Z29, Z16; \
	VFNMADD231PD Z25, Z29, Z17; \
	VFNMADD231PD Z26, Z29, Z18; \
	VFNMADD231PD Z27, Z29, Z19; \
	VFMADD231PD  Z24, Z16, Z20; \
	VFMADD231PD  Z25, Z17, Z21; \
	VFMADD231PD  Z26, Z18, Z22; \
	VFMADD231PD  Z27, Z19, Z23; \
	VMOVAPD      Z24, Z16; \
	VMOVAPD      Z25, Z17; \
	VMOVAPD      Z26, Z18; \
	VMOVAPD      Z27, Z19

// func pairHuberHingeAVX512(c, z []float64, lower []int32, inv, half float64, from, to int, acc *[4][8]float64)
// Requires: AVX512F, AVX512DQ, AVX512VL
// As above   Z24 … Z27 u   Z28 1/δ   Z29 δ/2
TEXT ·pairHuberHingeAVX512(SB), NOSPLIT, $0-112
	MOVQ         c_base+0(FP), DI
	MOVQ         z_base+24(FP), SI
	MOVQ         lower_base+48(FP), DX
	VBROADCASTSD inv+72(FP), Z28
	VBROADCASTSD half+80(FP), Z29
	MOVQ         from+88(FP), BX
	MOVQ         to+96(FP), CX
	MOVQ         acc+104(FP), R12
	LOADLOSS
	CONSTANTS

rows:
	ROWS
	CMPQ R12, R13
	JGE  masked

full:
	VMOVUPD (SI)(R12*8), Z13
	VMOVUPD (DI)(R12*8), Z14
	MARGINS
	HINGES
	HUBER
	ADDC(FMASUM, SUM)
	VMOVUPD Z14, (DI)(R12*8)
	ADDQ    $8, R12
	CMPQ    R12, R13
	JLT     full

masked:
	CMPQ    R12, AX
	JGE     sums
	MASKS
	VMOVUPD.Z (SI)(R12*8), K1, Z13
	VMOVUPD.Z (DI)(R12*8), K1, Z14
	MARGINS
	HINGESMASKED
	HUBER
	ADDC(FMASUM, SUM)
	VMOVUPD Z14, K1, (DI)(R12*8)
	ADDQ    $8, R12
	JMP     masked

sums:
	SUBSUMS

next:
	ADDQ $4, BX
	JMP  rows

done:
	MOVQ acc+104(FP), R12
	STORELOSS
	VZEROUPPER
	RET

// ODDS has m = e[j]·f[i] in Z16 … Z19, ODDSMASKED 0 for the lanes that are no pairs.
#define ODDS \
	VMULPD Z0, Z13, Z16; \
	VMULPD Z1, Z13, Z17; \
	VMULPD Z2, Z13, Z18; \
	VMULPD Z3, Z13, Z19

#define ODDSMASKED \
	VMULPD.Z Z0, Z13, K2, Z16; \
	VMULPD.Z Z1, Z13, K3, Z17; \
	VMULPD.Z Z2, Z13, K4, Z18; \
	VMULPD.Z Z3, Z13, K5, Z19

// PROBABILITIES multiplies m by 1/(1+m), from one division for the four rows: with r = 1+m,
// Z29 = r0·r1·r2·r3, m0/(1+m0) = (m0·r1)·(r2·r3/Z29) and so on.
#define PROBABILITIES \
	VADDPD Z30, Z16, Z20; \
	VADDPD Z30, Z17, Z21; \
	VADDPD Z30, Z18, Z22; \
	VADDPD Z30, Z19, Z23; \
	VMULPD Z21, Z20, Z24; \
	VMULPD Z23, Z22, Z25; \
	VMULPD Z25, Z24, Z29; \
	VDIVPD Z29, Z30, Z26; \
	VMULPD Z21, Z16, Z16; \
	VMULPD Z20, Z17, Z17; \
	VMULPD Z23, Z18, Z18; \
	VMULPD Z22, Z19, Z19; \
	VMULPD Z25, Z26, Z25; \
	VMULPD Z24, Z26, Z24; \
	VMULPD Z25, Z16, Z16; \
	VMULPD Z25, Z17, Z17; \
	VMULPD Z24, Z18, Z18; \
	VMULPD Z24, Z19, Z19

// PRODUCT multiplies Z12 by Z29, counts the exponent of the result in Z28 and takes it off.
#define PRODUCT \
	VMULPD      Z29, Z12, Z12; \
	VPSRLQ      $52, Z12, Z24; \
	VPSUBQ.BCST pairBias<>(SB), Z24, Z24; \
	VPADDQ      Z24, Z28, Z28; \
	VPANDQ.BCST pairMantissa<>(SB), Z12, Z12; \
	VPORQ       Z30, Z12, Z12

#undef ROW0
#undef ROW1
#undef ROW2
#undef ROW3
#define ROW0 VBROADCASTSD (R9)(BX*8), Z0
#define ROW1 VBROADCASTSD 8(R9)(BX*8), Z1
#define ROW2 VBROADCASTSD 16(R9)(BX*8), Z2
#define ROW3 VBROADCASTSD 24(R9)(BX*8), Z3

// func pairLogisticAVX512(c, e, f []float64, lower []int32, from, to int, acc *[4][8]float64)
// Requires: AVX512F, AVX512DQ, AVX512VL
// SI e   R9 f   Z0 … Z3 f[i]   Z13 e[j …]   Z12 product and Z28 count of its exponents: acc[0] and
// acc[1]
TEXT ·pairLogisticAVX512(SB), NOSPLIT, $0-120
	MOVQ    c_base+0(FP), DI
	MOVQ    e_base+24(FP), SI
	MOVQ    f_base+48(FP), R9
	MOVQ    lower_base+72(FP), DX
	MOVQ    from+96(FP), BX
	MOVQ    to+104(FP), CX
	MOVQ    acc+112(FP), R12
	CONSTANTS
	VMOVUPD (R12), Z12
	VMOVDQU64 64(R12), Z28

rows:
	ROWS
	CMPQ R12, R13
	JGE  masked

full:
	VMOVUPD (SI)(R12*8), Z13
	VMOVUPD (DI)(R12*8), Z14
	ODDS
	PROBABILITIES
	PRODUCT
	ADDC(SUM, SUM)
	VMOVUPD Z14, (DI)(R12*8)
	ADDQ    $8, R12
	CMPQ    R12, R13
	JLT     full

masked:
	CMPQ    R12, AX
	JGE     sums
	MASKS
	VMOVUPD.Z (SI)(R12*8), K1, Z13
	VMOVUPD.Z (DI)(R12*8), K1, Z14
	ODDSMASKED
	PROBABILITIES
	PRODUCT
	ADDC(SUM, SUM)
	VMOVUPD Z14, K1, (DI)(R12*8)
	ADDQ    $8, R12
	JMP     masked

sums:
	SUBSUMS

next:
	ADDQ $4, BX
	JMP  rows

done:
	MOVQ      acc+112(FP), R12
	VMOVUPD   Z12, (R12)
	VMOVDQU64 Z28, 64(R12)
	VZEROUPPER
	RET

// func pairSweepAVX512(tree []float64, leaf []int32, ask, item, x, y []float64, margin float64, done, from, to int, sx, sy []float64) int
// Requires: AVX512F, AVX512DQ, AVX512VL
// DI tree   SI leaf   R8 ask   R9 item   R10 x   R11 y   R12 sx   R13 sy
// BX first document of eight that ask   DX items done
// AX node − 1: its parent and, in the low 3 bits, which child it is
// Z20 ask   Y21 leaf   Z22 Z23 sums   Z16 margin   X17 the last ask   K7 the documents
TEXT ·pairSweepAVX512(SB), NOSPLIT, $0-232
	MOVQ         tree_base+0(FP), DI
	MOVQ         leaf_base+24(FP), SI
	MOVQ         ask_base+48(FP), R8
	MOVQ         item_base+72(FP), R9
	MOVQ         x_base+96(FP), R10
	MOVQ         y_base+120(FP), R11
	VBROADCASTSD margin+144(FP), Z16
	MOVQ         done+152(FP), DX
	MOVQ         from+160(FP), BX
	MOVQ         sx_base+176(FP), R12
	MOVQ         sy_base+200(FP), R13
	VMOVDQU32    github·com∕simdrank∕simdrank∕internal∕kern·Iota(SB), Y31

eight:
	CMPQ BX, to+168(FP)
	JGE  done

	// Add up the sums of this child on every level: value 16·parent + child = 2·AX − child.
document:
	MOVL   (SI)(BX*4), AX
	DECL   AX
	VXORPD X0, X0, X0
	VXORPD X1, X1, X1

level:
	MOVL   AX, CX
	ANDL   $7, CX
	NEGQ   CX
	LEAQ   (CX)(AX*2), CX
	VADDSD (DI)(CX*8), X0, X0
	VADDSD 64(DI)(CX*8), X1, X1
	SHRL   $3, AX
	SUBL   $1, AX
	JGE    level
	VMOVSD X0, (R12)(BX*8)
	VMOVSD X1, (R13)(BX*8)
	INCQ   BX
	CMPQ   BX, to+168(FP)
	JGE    window
	TESTQ  $7, BX
	JNE    document

	// The eight documents, or how many the last ones are.
window:
	VMOVSD      -8(R8)(BX*8), X17
	LEAQ        -1(BX), CX
	ANDL        $7, CX
	MOVL        $2, AX
	SHLL        CX, AX
	DECL        AX
	KMOVB       AX, K7
	DECQ        BX
	ANDQ        $-8, BX
	VMOVUPD.Z   (R8)(BX*8), K7, Z20
	VMOVDQU32.Z (SI)(BX*4), K7, Y21
	VMOVUPD.Z   (R12)(BX*8), K7, Z22
	VMOVUPD.Z   (R13)(BX*8), K7, Z23

	// Items active for the last of them: to the sums of those that they are active for, and to
	// the tree.
items:
	CMPQ         DX, item_len+80(FP)
	JGE          sums
	VADDSD       (R9)(DX*8), X17, X18
	VUCOMISD     X16, X18
	JLS          sums
	MOVL         (SI)(DX*4), AX
	VBROADCASTSD (R9)(DX*8), Z2
	VPBROADCASTD AX, Y3
	VBROADCASTSD (R10)(DX*8), Z0
	VBROADCASTSD (R11)(DX*8), Z1
	VADDPD       Z2, Z20, Z2
	VPCMPD       $1, Y21, Y3, K7, K1
	VCMPPD       $30, Z16, Z2, K1, K1
	VADDPD       Z0, Z22, K1, Z22
	VADDPD       Z1, Z23, K1, Z23
	INCQ         DX
	DECL         AX

	// Add x and y to the sums of the children after this one.
insert:
	MOVL         AX, CX
	ANDL         $7, CX
	VPBROADCASTD CX, Y2
	VPCMPD       $1, Y31, Y2, K1
	MOVL         AX, CX
	ANDL         $-8, CX
	SHLQ         $4, CX
	VMOVUPD      (DI)(CX*1), Z3
	VMOVUPD      64(DI)(CX*1), Z4
	VADDPD       Z0, Z3, K1, Z3
	VADDPD       Z1, Z4, K1, Z4
	VMOVUPD      Z3, (DI)(CX*1)
	VMOVUPD      Z4, 64(DI)(CX*1)
	SHRL         $3, AX
	SUBL         $1, AX
	JGE          insert
	JMP          items

sums:
	VMOVUPD Z22, K7, (R12)(BX*8)
	VMOVUPD Z23, K7, (R13)(BX*8)
	ADDQ    $8, BX
	JMP     eight

done:
	MOVQ DX, ret+224(FP)
	VZEROUPPER
	RET
