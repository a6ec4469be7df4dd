//go:build !purego

#include "textflag.h"

// Pair kernels for AVX2.
//
// All share one loop nest. A block is four rows (preferred documents) i … i+3 with their numbers
// of partners p0 … p3, which do not decrease. Partners j run twice, for the virtual lanes 0 … 3
// and for 4 … 7, by steps of 8. Up to p0 rounded down to 8 every lane is a pair; from there to
// the last p each row masks the lanes j < pk. A block that the end of the query cuts short has p
// = 0 for the missing rows.
//
// BX row i   CX last row   DX lower   DI c   SI the other input by j   R12 j
// R13 end of the full vectors
// AX end of the masked vectors   R8 0 or 4, the lanes   R9 rows of the block   R10 documents − 4
// R11 acc
// Y0 … Y3 one value a row   Y4 … Y7 sums of the rows   Y12 ones   Y13 value of j   Y14 c[j …]

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

// EXP sets Y2 to exp(Y0).
#define EXP \
	VMOVUPD 0(SP), Y5; \
	VMINPD Y0, Y5, Y0; \
	VMOVUPD 32(SP), Y5; \
	VMAXPD Y0, Y5, Y0; \
	VMOVAPD Y13, Y1; \
	VFMADD231PD 64(SP), Y0, Y1; \
	VSUBPD Y13, Y1, Y2; \
	VFNMADD231PD 128(SP), Y2, Y0; \
	VFNMADD231PD 160(SP), Y2, Y0; \
	VMOVUPD 192(SP), Y2; \
	VFMADD213PD 224(SP), Y0, Y2; \
	VFMADD213PD 256(SP), Y0, Y2; \
	VFMADD213PD 288(SP), Y0, Y2; \
	VFMADD213PD 320(SP), Y0, Y2; \
	VFMADD213PD 352(SP), Y0, Y2; \
	VFMADD213PD 384(SP), Y0, Y2; \
	VFMADD213PD 416(SP), Y0, Y2; \
	VFMADD213PD 448(SP), Y0, Y2; \
	VFMADD213PD 480(SP), Y0, Y2; \
	VADDPD Y15, Y0, Y3; \
	VSUBPD Y15, Y3, Y4; \
	VSUBPD Y4, Y0, Y4; \
	VMULPD Y0, Y2, Y2; \
	VFMADD213PD Y4, Y0, Y2; \
	VADDPD Y3, Y2, Y2; \
	VPSUBQ 512(SP), Y1, Y1; \
	VPSRLQ $1, Y1, Y3; \
	VPADDQ Y14, Y3, Y4; \
	VPSUBQ Y3, Y1, Y1; \
	VPADDQ Y14, Y1, Y1; \
	VPSLLQ $52, Y4, Y4; \
	VPSLLQ $52, Y1, Y1; \
	VMULPD Y4, Y2, Y2; \
	VMULPD Y1, Y2, Y2

// func expF64AVX2(dst, x []float64)
// Requires: AVX, AVX2, FMA3
// Y0 x, then r   Y1 k in the low bits, then the second power of 2   Y2 polynomial
// Y3 1+r   Y4 its error, then the first power of 2   Y13 rounds   Y14 −1   Y15 ones
// The frame holds the constants in the order of expTable, four times each.
TEXT ·expF64AVX2(SB), NOSPLIT, $544-48
	MOVQ         dst_base+0(FP), DI
	MOVQ         dst_len+8(FP), CX
	MOVQ         x_base+24(FP), SI
	VBROADCASTSD ·expTable+0(SB), Y0
	VMOVUPD      Y0, 0(SP)
	VBROADCASTSD ·expTable+8(SB), Y0
	VMOVUPD      Y0, 32(SP)
	VBROADCASTSD ·expTable+16(SB), Y0
	VMOVUPD      Y0, 64(SP)
	VBROADCASTSD ·expTable+24(SB), Y0
	VMOVUPD      Y0, 96(SP)
	VBROADCASTSD ·expTable+32(SB), Y0
	VMOVUPD      Y0, 128(SP)
	VBROADCASTSD ·expTable+40(SB), Y0
	VMOVUPD      Y0, 160(SP)
	VBROADCASTSD ·expTable+48(SB), Y0
	VMOVUPD      Y0, 192(SP)
	VBROADCASTSD ·expTable+56(SB), Y0
	VMOVUPD      Y0, 224(SP)
	VBROADCASTSD ·expTable+64(SB), Y0
	VMOVUPD      Y0, 256(SP)
	VBROADCASTSD ·expTable+72(SB), Y0
	VMOVUPD      Y0, 288(SP)
	VBROADCASTSD ·expTable+80(SB), Y0
	VMOVUPD      Y0, 320(SP)
	VBROADCASTSD ·expTable+88(SB), Y0
	VMOVUPD      Y0, 352(SP)
	VBROADCASTSD ·expTable+96(SB), Y0
	VMOVUPD      Y0, 384(SP)
	VBROADCASTSD ·expTable+104(SB), Y0
	VMOVUPD      Y0, 416(SP)
	VBROADCASTSD ·expTable+112(SB), Y0
	VMOVUPD      Y0, 448(SP)
	VBROADCASTSD ·expTable+120(SB), Y0
	VMOVUPD      Y0, 480(SP)
	VBROADCASTSD ·expTable+128(SB), Y0
	VMOVUPD      Y0, 512(SP)
	VMOVUPD      96(SP), Y13
	VPCMPEQQ     Y14, Y14, Y14
	VMOVUPD      pairOnes<>(SB), Y15
	SUBQ         $4, CX
	JLT          rest

four:
	VMOVUPD (SI), Y0
	EXP
	VMOVUPD Y2, (DI)
	ADDQ    $32, SI
	ADDQ    $32, DI
	SUBQ    $4, CX
	JGE     four

rest:
	ADDQ         $4, CX
	JEQ          done
	VMOVQ        CX, X6
	VPBROADCASTQ X6, Y6
	VPCMPGTQ     github·com∕simdrank∕simdrank∕internal∕kern·Iota64(SB), Y6, Y6
	VMASKMOVPD   (SI), Y6, Y0
	EXP
	VMASKMOVPD   Y2, Y6, (DI)

done:
	VZEROUPPER
	RET

// The frame: the rows' values and pk − 1 in every lane, the sums of lanes 0 … 3, a
// mask, and what a kernel keeps beside.
#define VALUE(k) (32*k)(SP)
#define LAST(k) (128+32*k)(SP)
#define LOW(k) (256+32*k)(SP)
#define MASK 384(SP)
#define OWN(k) (416+32*k)(SP)

// ROWP puts pk − 1 of row k in place and pk in AX.
#define ROWP(k) \
	MOVLQSX      (4*k)(DX)(BX*4), AX; \
	LEAQ         -1(AX), R12; \
	VMOVQ        R12, X14; \
	VPBROADCASTQ X14, Y14; \
	VMOVDQU      Y14, LAST(k)

// ROWS loads the block at BX with ROW(k) for each of its rows. It jumps to done after the last
// block, and to next when no row of the block has partners.
#define ROWS \
	MOVQ     CX, R9; \
	SUBQ     BX, R9; \
	JLE      done; \
	CMPQ     R9, $4; \
	JLT      cut; \
	MOVLQSX  12(DX)(BX*4), AX; \
	TESTQ    AX, AX; \
	JEQ      next; \
	ROW(0); \
	ROW(1); \
	ROW(2); \
	ROW(3); \
	ROWP(0); \
	ROWP(1); \
	ROWP(2); \
	ROWP(3); \
	MOVLQSX  (DX)(BX*4), R13; \
	ANDQ     $-8, R13; \
	JMP      ready; \
cut: \
	VPCMPEQQ Y14, Y14, Y14; \
	VMOVDQU  Y14, LAST(1); \
	VMOVDQU  Y14, LAST(2); \
	VMOVDQU  Y14, LAST(3); \
	XORL     R13, R13; \
	ROW(0); \
	ROWP(0); \
	CMPQ     R9, $2; \
	JLT      short; \
	ROW(1); \
	ROWP(1); \
	CMPQ     R9, $2; \
	JEQ      short; \
	ROW(2); \
	ROWP(2); \
short: \
	TESTQ    AX, AX; \
	JEQ      next; \
ready: \
	XORL     R8, R8

#define CLEARSUMS \
	VXORPD Y4, Y4, Y4; \
	VXORPD Y5, Y5, Y5; \
	VXORPD Y6, Y6, Y6; \
	VXORPD Y7, Y7, Y7; \
	MOVQ   R8, R12

// LOADS has the inputs of j … j+3 in Y13 and Y14, as far as there are documents, and the mask of
// that in MASK.
#define LOADS \
	VMOVQ        R10, X14; \
	VPBROADCASTQ X14, Y14; \
	VMOVQ        R12, X13; \
	VPBROADCASTQ X13, Y13; \
	VPSUBQ       Y13, Y14, Y14; \
	VPADDQ       pairFour<>(SB), Y14, Y14; \
	VPCMPGTQ     github·com∕simdrank∕simdrank∕internal∕kern·Iota64(SB), Y14, Y14; \
	VMOVDQU      Y14, MASK; \
	VMASKMOVPD   (SI)(R12*8), Y14, Y13; \
	VMASKMOVPD   (DI)(R12*8), Y14, Y14

#define STORES \
	VMOVDQU    MASK, Y13; \
	VMASKMOVPD Y14, Y13, (DI)(R12*8)

// NOPAIRS clears the lanes of Y0 … Y3 that are no pairs; it takes Y13 and Y15.
#define NOPAIRS \
	VMOVQ        R12, X13; \
	VPBROADCASTQ X13, Y13; \
	VPADDQ       github·com∕simdrank∕simdrank∕internal∕kern·Iota64(SB), Y13, Y13; \
	VPCMPGTQ     LAST(0), Y13, Y15; \
	VANDNPD      Y0, Y15, Y0; \
	VPCMPGTQ     LAST(1), Y13, Y15; \
	VANDNPD      Y1, Y15, Y1; \
	VPCMPGTQ     LAST(2), Y13, Y15; \
	VANDNPD      Y2, Y15, Y2; \
	VPCMPGTQ     LAST(3), Y13, Y15; \
	VANDNPD      Y3, Y15, Y3

// SUBSUMS reduces the sums of the rows by the tree ((0+4)+(2+6))+((1+5)+(3+7)) and
// subtracts them from c[i … i+3].
#define SUBSUMS \
	VADDPD     LOW(0), Y4, Y4; \
	VADDPD     LOW(1), Y5, Y5; \
	VADDPD     LOW(2), Y6, Y6; \
	VADDPD     LOW(3), Y7, Y7; \
	VPERM2F128 $0x20, Y5, Y4, Y0; \
	VPERM2F128 $0x31, Y5, Y4, Y1; \
	VPERM2F128 $0x20, Y7, Y6, Y2; \
	VPERM2F128 $0x31, Y7, Y6, Y3; \
	VADDPD     Y1, Y0, Y0; \
	VADDPD     Y3, Y2, Y2; \
	VHADDPD    Y2, Y0, Y0; \
	VPERMPD    $0xD8, Y0, Y0; \
	CMPQ       R9, $4; \
	JLT        rest; \
	VMOVUPD    (DI)(BX*8), Y1; \
	VSUBPD     Y0, Y1, Y1; \
	VMOVUPD    Y1, (DI)(BX*8); \
	JMP        next; \
rest: \
	VMOVQ        R9, X2; \
	VPBROADCASTQ X2, Y2; \
	VPCMPGTQ     github·com∕simdrank∕simdrank∕internal∕kern·Iota64(SB), Y2, Y2; \
	VMASKMOVPD   (DI)(BX*8), Y2, Y1; \
	VSUBPD       Y0, Y1, Y1; \
	VMASKMOVPD   Y1, Y2, (DI)(BX*8)

#define SAVELOW \
	VMOVUPD Y4, LOW(0); \
	VMOVUPD Y5, LOW(1); \
	VMOVUPD Y6, LOW(2); \
	VMOVUPD Y7, LOW(3)

// LOADLOSS and STORELOSS move four lanes of the loss by row, Y8 … Y11.
#define LOADLOSS \
	VMOVUPD (R11)(R8*8), Y8; \
	VMOVUPD 64(R11)(R8*8), Y9; \
	VMOVUPD 128(R11)(R8*8), Y10; \
	VMOVUPD 192(R11)(R8*8), Y11

#define STORELOSS \
	VMOVUPD Y8, (R11)(R8*8); \
	VMOVUPD Y9, 64(R11)(R8*8); \
	VMOVUPD Y10, 128(R11)(R8*8); \
	VMOVUPD Y11, 192(R11)(R8*8)

// MARGINS has t = 1 − z[i] + z[j] in Y0 … Y3, two of them by a product with the ones in Y12.
#define MARGINS \
	VADDPD VALUE(0), Y13, Y0; \
	VADDPD VALUE(1), Y13, Y1; \
	VMOVUPD VALUE(2), Y2; \
	VMOVUPD VALUE(3), Y3; \
	VFMADD231PD Y12, Y13, Y2; \
	VFMADD231PD Y12, Y13, Y3

// HINGES raises t to at least 0.
#define HINGES \
	VXORPD Y15, Y15, Y15; \
	VMAXPD Y0, Y15, Y0; \
	VMAXPD Y1, Y15, Y1; \
	VMAXPD Y2, Y15, Y2; \
	VMAXPD Y3, Y15, Y3

// SQUARES adds t² to the loss.
#define SQUARES \
	VFMADD231PD Y0, Y0, Y8; \
	VFMADD231PD Y1, Y1, Y9; \
	VFMADD231PD Y2, Y2, Y10; \
	VFMADD231PD Y3, Y3, Y11

// ADDC adds the pairs' coefficients to the sums of the rows, two by sum01 and two by sum23, and, in
// the order of the rows, to Y14. See kernels_pair_avx512_amd64.s for products with the ones in Y12.
#define SUM(t, sum) VADDPD t, sum, sum
#define FMASUM(t, sum) VFMADD231PD t, Y12, sum
#define ADDC(sum01, sum23) \
	VADDPD Y0, Y14, Y14; \
	sum01(Y0, Y4); \
	sum01(Y1, Y5); \
	sum23(Y2, Y6); \
	sum23(Y3, Y7); \
	VADDPD Y1, Y14, Y14; \
	VADDPD Y2, Y14, Y14; \
	VADDPD Y3, Y14, Y14

// HUBER turns t into u = min(1, t/δ) and adds u·(t − δ/2·u) to the loss.
#define HUBER \
	VMULPD OWN(0), Y0, Y13; \
	VMINPD Y13, Y12, Y13; \
	VMOVAPD Y0, Y15; \
	VFNMADD231PD OWN(1), Y13, Y15; \
	VFMADD231PD Y13, Y15, Y8; \
	VMOVAPD Y13, Y0; \
	VMULPD OWN(0), Y1, Y13; \
	VMINPD Y13, Y12, Y13; \
	VMOVAPD Y1, Y15; \
	VFNMADD231PD OWN(1), Y13, Y15; \
	VFMADD231PD Y13, Y15, Y9; \
	VMOVAPD Y13, Y1; \
	VMULPD OWN(0), Y2, Y13; \
	VMINPD Y13, Y12, Y13; \
	VMOVAPD Y2, Y15; \
	VFNMADD231PD OWN(1), Y13, Y15; \
	VFMADD231PD Y13, Y15, Y10; \
	VMOVAPD Y13, Y2; \
	VMULPD OWN(0), Y3, Y13; \
	VMINPD Y13, Y12, Y13; \
	VMOVAPD Y3, Y15; \
	VFNMADD231PD OWN(1), Y13, Y15; \
	VFMADD231PD Y13, Y15, Y11; \
	VMOVAPD Y13, Y3

// The row values of the hinge losses are 1 − z[i].
#define ROW(k) \
	VBROADCASTSD (8*k)(SI)(BX*8), Y13; \
	VSUBPD       Y13, Y12, Y13; \
	VMOVUPD      Y13, VALUE(k)

// func pairSquaredHingeAVX2(c, z []float64, lower []int32, from, to int, acc *[4][8]float64)
// Requires: AVX, AVX2, FMA3
// SI z   VALUE(k) 1 − z[i]   Y8 … Y11 the loss
TEXT ·pairSquaredHingeAVX2(SB), NOSPLIT, $416-96
	MOVQ    c_base+0(FP), DI
	MOVQ    z_base+24(FP), SI
	MOVQ    z_len+32(FP), R10
	SUBQ    $4, R10
	MOVQ    lower_base+48(FP), DX
	MOVQ    from+72(FP), BX
	MOVQ    to+80(FP), CX
	MOVQ    acc+88(FP), R11
	VMOVUPD pairOnes<>(SB), Y12

rows:
	ROWS

lanes:
	LOADLOSS
	CLEARSUMS
	CMPQ R12, R13
	JGE  masked

full:
	VMOVUPD (SI)(R12*8), Y13
	VMOVUPD (DI)(R12*8), Y14
	MARGINS
	HINGES
	SQUARES
	ADDC(FMASUM, FMASUM)
	VMOVUPD Y14, (DI)(R12*8)
	ADDQ    $8, R12
	CMPQ    R12, R13
	JLT     full

masked:
	CMPQ    R12, AX
	JGE     sums
	CMPQ    R12, R10
	JGT     tail
	VMOVUPD (SI)(R12*8), Y13
	VMOVUPD (DI)(R12*8), Y14
	MARGINS
	HINGES
	NOPAIRS
	SQUARES
	ADDC(FMASUM, FMASUM)
	VMOVUPD Y14, (DI)(R12*8)
	ADDQ    $8, R12
	JMP     masked

tail:
	LOADS
	MARGINS
	HINGES
	NOPAIRS
	SQUARES
	ADDC(FMASUM, FMASUM)
	STORES

sums:
	STORELOSS
	TESTQ R8, R8
	JNE   reduce
	SAVELOW
	MOVQ  $4, R8
	JMP   lanes

reduce:
	SUBSUMS

next:
	ADDQ $4, BX
	JMP  rows

done:
	VZEROUPPER
	RET

// func pairHuberHingeAVX2(c, z []float64, lower []int32, inv, half float64, from, to int, acc *[4][8]float64)
// Requires: AVX, AVX2, FMA3
// As above   OWN(0) 1/δ   OWN(1) δ/2
TEXT ·pairHuberHingeAVX2(SB), NOSPLIT, $480-112
	MOVQ         c_base+0(FP), DI
	MOVQ         z_base+24(FP), SI
	MOVQ         z_len+32(FP), R10
	SUBQ         $4, R10
	MOVQ         lower_base+48(FP), DX
	VBROADCASTSD inv+72(FP), Y13
	VMOVUPD      Y13, OWN(0)
	VBROADCASTSD half+80(FP), Y13
	VMOVUPD      Y13, OWN(1)
	MOVQ         from+88(FP), BX
	MOVQ         to+96(FP), CX
	MOVQ         acc+104(FP), R11
	VMOVUPD      pairOnes<>(SB), Y12

rows:
	ROWS

lanes:
	LOADLOSS
	CLEARSUMS
	CMPQ R12, R13
	JGE  masked

full:
	VMOVUPD (SI)(R12*8), Y13
	VMOVUPD (DI)(R12*8), Y14
	MARGINS
	HINGES
	HUBER
	ADDC(FMASUM, SUM)
	VMOVUPD Y14, (DI)(R12*8)
	ADDQ    $8, R12
	CMPQ    R12, R13
	JLT     full

masked:
	CMPQ    R12, AX
	JGE     sums
	CMPQ    R12, R10
	JGT     tail
	VMOVUPD (SI)(R12*8), Y13
	VMOVUPD (DI)(R12*8), Y14
	MARGINS
	HINGES
	NOPAIRS
	HUBER
	ADDC(FMASUM, SUM)
	VMOVUPD Y14, (DI)(R12*8)
	ADDQ    $8, R12
	JMP     masked

tail:
	LOADS
	MARGINS
	HINGES
	NOPAIRS
	HUBER
	ADDC(FMASUM, SUM)
	STORES

sums:
	STORELOSS
	TESTQ R8, R8
	JNE   reduce
	SAVELOW
	MOVQ  $4, R8
	JMP   lanes

reduce:
	SUBSUMS

next:
	ADDQ $4, BX
	JMP  rows

done:
	VZEROUPPER
	RET

// ODDS has m = e[j]·f[i] in Y0 … Y3.
#define ODDS \
	VMULPD VALUE(0), Y13, Y0; \
	VMULPD VALUE(1), Y13, Y1; \
	VMULPD VALUE(2), Y13, Y2; \
	VMULPD VALUE(3), Y13, Y3

// PROBABILITIES multiplies m by 1/(1+m), from one division for the four rows: with r = 1+m, Y15 =
// r0·r1·r2·r3, m0/(1+m0) = (m0·r1)·(r2·r3/Y15) and so on. It multiplies the product Y12 of all by
// Y15, counts the exponent of the result in acc[1] and takes it off. c[j …] waits in OWN(0).
#define PROBABILITIES \
	VMOVUPD Y14, OWN(0); \
	VMOVUPD pairOnes<>(SB), Y15; \
	VADDPD  Y15, Y0, Y8; \
	VADDPD  Y15, Y1, Y9; \
	VADDPD  Y15, Y2, Y10; \
	VADDPD  Y15, Y3, Y11; \
	VMULPD  Y9, Y0, Y0; \
	VMULPD  Y8, Y1, Y1; \
	VMULPD  Y11, Y2, Y2; \
	VMULPD  Y10, Y3, Y3; \
	VMULPD  Y9, Y8, Y13; \
	VMULPD  Y11, Y10, Y14; \
	VMULPD  Y14, Y13, Y8; \
	VDIVPD  Y8, Y15, Y9; \
	VMULPD  Y8, Y12, Y12; \
	VMULPD  Y14, Y9, Y14; \
	VMULPD  Y13, Y9, Y13; \
	VPSRLQ  $52, Y12, Y10; \
	VPSUBQ  pairBiases<>(SB), Y10, Y10; \
	VPADDQ  64(R11)(R8*8), Y10, Y10; \
	VMOVDQU Y10, 64(R11)(R8*8); \
	VANDPD  pairMantissas<>(SB), Y12, Y12; \
	VORPD   Y15, Y12, Y12; \
	VMULPD  Y14, Y0, Y0; \
	VMULPD  Y14, Y1, Y1; \
	VMULPD  Y13, Y2, Y2; \
	VMULPD  Y13, Y3, Y3; \
	VMOVUPD OWN(0), Y14

#undef ROW
#define ROW(k) \
	VBROADCASTSD (8*k)(R11)(BX*8), Y13; \
	VMOVUPD      Y13, VALUE(k)

// func pairLogisticAVX2(c, e, f []float64, lower []int32, from, to int, acc *[4][8]float64)
// Requires: AVX, AVX2
// SI e   VALUE(k) f[i]   Y8 … Y11 temporaries   Y12 the product
TEXT ·pairLogisticAVX2(SB), NOSPLIT, $448-120
	MOVQ c_base+0(FP), DI
	MOVQ e_base+24(FP), SI
	MOVQ e_len+32(FP), R10
	SUBQ $4, R10
	MOVQ f_base+48(FP), R11
	MOVQ lower_base+72(FP), DX
	MOVQ from+96(FP), BX
	MOVQ to+104(FP), CX

rows:
	MOVQ f_base+48(FP), R11
	ROWS

lanes:
	MOVQ    acc+112(FP), R11
	VMOVUPD (R11)(R8*8), Y12
	CLEARSUMS
	CMPQ R12, R13
	JGE  masked

full:
	VMOVUPD (SI)(R12*8), Y13
	VMOVUPD (DI)(R12*8), Y14
	ODDS
	PROBABILITIES
	ADDC(SUM, SUM)
	VMOVUPD Y14, (DI)(R12*8)
	ADDQ    $8, R12
	CMPQ    R12, R13
	JLT     full

masked:
	CMPQ    R12, AX
	JGE     sums
	CMPQ    R12, R10
	JGT     tail
	VMOVUPD (SI)(R12*8), Y13
	VMOVUPD (DI)(R12*8), Y14
	ODDS
	NOPAIRS
	PROBABILITIES
	ADDC(SUM, SUM)
	VMOVUPD Y14, (DI)(R12*8)
	ADDQ    $8, R12
	JMP     masked

tail:
	LOADS
	ODDS
	NOPAIRS
	PROBABILITIES
	ADDC(SUM, SUM)
	STORES

sums:
	VMOVUPD Y12, (R11)(R8*8)
	TESTQ R8, R8
	JNE   reduce
	SAVELOW
	MOVQ  $4, R8
	JMP   lanes

reduce:
	SUBSUMS

next:
	ADDQ $4, BX
	JMP  rows

done:
	VZEROUPPER
	RET

// func pairSweepAVX2(tree []float64, leaf []int32, ask, item, x, y []float64, margin float64, done, from, to int, sx, sy []float64) int
// Requires: AVX, AVX2
// DI tree   SI leaf   R8 ask   R9 item   R10 x   R11 y   R12 sx   R13 sy
// BX first document of eight that ask   DX items done
// AX node − 1: its parent and, in the low 3 bits, which child it is
// Y4 Y5 ask   Y6 Y7 leaf   Y8 … Y11 sums   Y12 margin   Y13 x   Y14 y   X15 the last ask
// The last documents, fewer than eight, are asked for in the frame, where leaf 0 marks none.
TEXT ·pairSweepAVX2(SB), NOSPLIT, $256-232
	MOVQ         tree_base+0(FP), DI
	MOVQ         leaf_base+24(FP), SI
	MOVQ         ask_base+48(FP), R8
	MOVQ         item_base+72(FP), R9
	MOVQ         x_base+96(FP), R10
	MOVQ         y_base+120(FP), R11
	VBROADCASTSD margin+144(FP), Y12
	MOVQ         done+152(FP), DX
	MOVQ         from+160(FP), BX
	MOVQ         sx_base+176(FP), R12
	MOVQ         sy_base+200(FP), R13

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
	VMOVSD     -8(R8)(BX*8), X15
	TESTQ      $7, BX
	JNE        few
	SUBQ       $8, BX
	VMOVUPD    (R8)(BX*8), Y4
	VMOVUPD    32(R8)(BX*8), Y5
	VPMOVSXDQ  (SI)(BX*4), Y6
	VPMOVSXDQ  16(SI)(BX*4), Y7
	VMOVUPD    (R12)(BX*8), Y8
	VMOVUPD    32(R12)(BX*8), Y9
	VMOVUPD    (R13)(BX*8), Y10
	VMOVUPD    32(R13)(BX*8), Y11
	JMP        items

few:
	VXORPD  Y0, Y0, Y0
	VMOVUPD Y0, 64(SP)
	VMOVUPD Y0, 96(SP)
	MOVQ    BX, CX
	ANDQ    $7, CX
	ANDQ    $-8, BX

fewin:
	DECQ    CX
	LEAQ    (BX)(CX*1), AX
	VMOVSD  (R8)(AX*8), X0
	VMOVSD  X0, 0(SP)(CX*8)
	VMOVSD  (R12)(AX*8), X0
	VMOVSD  X0, 128(SP)(CX*8)
	VMOVSD  (R13)(AX*8), X0
	VMOVSD  X0, 192(SP)(CX*8)
	MOVLQSX (SI)(AX*4), AX
	MOVQ    AX, 64(SP)(CX*8)
	TESTQ   CX, CX
	JNE     fewin
	VMOVUPD 0(SP), Y4
	VMOVUPD 32(SP), Y5
	VMOVUPD 64(SP), Y6
	VMOVUPD 96(SP), Y7
	VMOVUPD 128(SP), Y8
	VMOVUPD 160(SP), Y9
	VMOVUPD 192(SP), Y10
	VMOVUPD 224(SP), Y11

	// Items active for the last of them: to the sums of those that they are active for, and to
	// the tree.
items:
	CMPQ         DX, item_len+80(FP)
	JGE          sums
	VADDSD       (R9)(DX*8), X15, X0
	VUCOMISD     X12, X0
	JLS          sums
	MOVL         (SI)(DX*4), AX
	VBROADCASTSD (R9)(DX*8), Y0
	VMOVQ        AX, X1
	VPBROADCASTQ X1, Y1
	VBROADCASTSD (R10)(DX*8), Y13
	VBROADCASTSD (R11)(DX*8), Y14
	VADDPD       Y0, Y4, Y2
	VADDPD       Y0, Y5, Y3
	VCMPPD       $30, Y12, Y2, Y2
	VCMPPD       $30, Y12, Y3, Y3
	VPCMPGTQ     Y1, Y6, Y0
	VPCMPGTQ     Y1, Y7, Y1
	VANDPD       Y0, Y2, Y2
	VANDPD       Y1, Y3, Y3
	VANDPD       Y13, Y2, Y0
	VANDPD       Y13, Y3, Y1
	VANDPD       Y14, Y2, Y2
	VANDPD       Y14, Y3, Y3
	VADDPD       Y0, Y8, Y8
	VADDPD       Y1, Y9, Y9
	VADDPD       Y2, Y10, Y10
	VADDPD       Y3, Y11, Y11
	INCQ         DX
	DECL         AX

	// Add x and y to the sums of the children after this one: Y0 and Y1 mask them.
insert:
	MOVL         AX, CX
	ANDL         $7, CX
	VMOVQ        CX, X1
	VPBROADCASTQ X1, Y1
	VMOVDQU      github·com∕simdrank∕simdrank∕internal∕kern·Iota64(SB), Y0
	VPADDQ       pairFour<>(SB), Y0, Y2
	VPCMPGTQ     Y1, Y0, Y0
	VPCMPGTQ     Y1, Y2, Y1
	MOVL         AX, CX
	ANDL         $-8, CX
	SHLQ         $4, CX
	VANDPD       Y13, Y0, Y2
	VANDPD       Y13, Y1, Y3
	VADDPD       (DI)(CX*1), Y2, Y2
	VADDPD       32(DI)(CX*1), Y3, Y3
	VMOVUPD      Y2, (DI)(CX*1)
	VMOVUPD      Y3, 32(DI)(CX*1)
	VANDPD       Y14, Y0, Y2
	VANDPD       Y14, Y1, Y3
	VADDPD       64(DI)(CX*1), Y2, Y2
	VADDPD       96(DI)(CX*1), Y3, Y3
	VMOVUPD      Y2, 64(DI)(CX*1)
	VMOVUPD      Y3, 96(DI)(CX*1)
	SHRL         $3, AX
	SUBL         $1, AX
	JGE          insert
	JMP          items

sums:
	LEAQ    8(BX), AX
	CMPQ    AX, to+168(FP)
	JGT     fewout
	VMOVUPD Y8, (R12)(BX*8)
	VMOVUPD Y9, 32(R12)(BX*8)
	VMOVUPD Y10, (R13)(BX*8)
	VMOVUPD Y11, 32(R13)(BX*8)
	MOVQ    AX, BX
	JMP     eight

fewout:
	VMOVUPD Y8, 128(SP)
	VMOVUPD Y9, 160(SP)
	VMOVUPD Y10, 192(SP)
	VMOVUPD Y11, 224(SP)
	XORL    CX, CX

out:
	VMOVSD 128(SP)(CX*8), X0
	VMOVSD X0, (R12)(BX*8)
	VMOVSD 192(SP)(CX*8), X0
	VMOVSD X0, (R13)(BX*8)
	INCQ   CX
	INCQ   BX
	CMPQ   BX, to+168(FP)
	JLT    out

done:
	MOVQ DX, ret+224(FP)
	VZEROUPPER
	RET
