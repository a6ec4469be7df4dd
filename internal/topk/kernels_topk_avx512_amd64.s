//go:build !purego

#include "textflag.h"
#include "sort_avx512_amd64.h"

// Kernels of ranking keys for AVX-512. A vector has 16 float32; its keys are two vectors of
// int64, of which the upper halves are the complement of the float's ordered integer and the
// lower the index.

// Lanes of two vectors in turn: the lower halves, then the upper halves.
DATA topkLow<>+0(SB)/8, $0x0000001000000000
DATA topkLow<>+8(SB)/8, $0x0000001100000001
DATA topkLow<>+16(SB)/8, $0x0000001200000002
DATA topkLow<>+24(SB)/8, $0x0000001300000003
DATA topkLow<>+32(SB)/8, $0x0000001400000004
DATA topkLow<>+40(SB)/8, $0x0000001500000005
DATA topkLow<>+48(SB)/8, $0x0000001600000006
DATA topkLow<>+56(SB)/8, $0x0000001700000007
GLOBL topkLow<>(SB), RODATA|NOPTR, $64
DATA topkHigh<>+0(SB)/8, $0x0000001800000008
DATA topkHigh<>+8(SB)/8, $0x0000001900000009
DATA topkHigh<>+16(SB)/8, $0x0000001a0000000a
DATA topkHigh<>+24(SB)/8, $0x0000001b0000000b
DATA topkHigh<>+32(SB)/8, $0x0000001c0000000c
DATA topkHigh<>+40(SB)/8, $0x0000001d0000000d
DATA topkHigh<>+48(SB)/8, $0x0000001e0000000e
DATA topkHigh<>+56(SB)/8, $0x0000001f0000000f
GLOBL topkHigh<>(SB), RODATA|NOPTR, $64

// CONSTANTS: Z31 iota + base (in R9), Z30 16, Z29 and Z28 interleaving, Z27 0x7fffffff, Z26 zero.
#define CONSTANTS \
	VPBROADCASTD R9, Z31; \
	VPADDD       github·com∕simdrank∕simdrank∕internal∕kern·Iota(SB), Z31, Z31; \
	MOVL         $16, AX; \
	VPBROADCASTD AX, Z30; \
	VMOVDQU32    topkLow<>(SB), Z29; \
	VMOVDQU32    topkHigh<>(SB), Z28; \
	MOVL         $0x7fffffff, AX; \
	VPBROADCASTD AX, Z27; \
	VPXORD       Z26, Z26, Z26

// DESCENDING turns the floats of v, no NaN, into upper halves of keys: with b the bits of v + 0,
// the complement of b xor (b>>31 and 0x7fffffff). It uses Z5.
#define DESCENDING(v) \
	VADDPS     Z26, v, v; \
	VPSRAD     $31, v, Z5; \
	VPTERNLOGD $0x87, Z27, Z5, v

// INTERLEAVE makes the keys Z6 (the first 8) and Z7 of upper halves v and indices i.
#define INTERLEAVE(v, i) \
	VMOVDQA32 Z29, Z6; \
	VPERMI2D  v, i, Z6; \
	VMOVDQA32 Z28, Z7; \
	VPERMI2D  v, i, Z7

// func rankKeysF32AVX512(dst []int64, x []float32, base int) (nan bool)
//
// Requires: AVX512F, AVX512DQ
//
// DI dst   SI x   CX values left   Z4 values   K1 NaNs of the vector   K2 NaNs so far
// The last values are masked.
TEXT ·rankKeysF32AVX512(SB), NOSPLIT, $0-57
	MOVQ  dst_base+0(FP), DI
	MOVQ  x_base+24(FP), SI
	MOVQ  x_len+32(FP), CX
	MOVQ  base+48(FP), R9
	KXORW K2, K2, K2
	CONSTANTS
	SUBQ  $16, CX
	JLT   tail

loop16:
	VMOVUPS    (SI), Z4
	VCMPPS     $3, Z4, Z4, K1       // unordered: NaN
	KORW       K1, K2, K2
	DESCENDING(Z4)
	VMOVDQA32  Z27, K1, Z4          // the greatest for NaN
	INTERLEAVE(Z4, Z31)
	VMOVDQU64  Z6, (DI)
	VMOVDQU64  Z7, 64(DI)
	VPADDD     Z30, Z31, Z31
	ADDQ       $64, SI
	ADDQ       $128, DI
	SUBQ       $16, CX
	JGE        loop16

tail:
	ADDQ      $16, CX
	JLE       done
	MOVL      $1, AX
	SHLL      CX, AX
	DECL      AX
	KMOVW     AX, K3               // the values that there are
	VMOVUPS.Z (SI), K3, Z4
	VCMPPS    $3, Z4, Z4, K1
	KORW      K1, K2, K2
	DESCENDING(Z4)
	VMOVDQA32 Z27, K1, Z4
	INTERLEAVE(Z4, Z31)
	VMOVDQU64 Z6, K3, (DI)
	KSHIFTRW  $8, K3, K3
	VMOVDQU64 Z7, K3, 64(DI)

done:
	KORTESTW K2, K2
	SETNE    nan+56(FP)
	VZEROUPPER
	RET

// func rankGradesF32AVX512(dst []int64, x []float32, grades []uint8, base int) (nan bool)
//
// Requires: AVX512F, AVX512DQ
//
// As rankKeysF32AVX512, with R8 grades   Z31 indices times 256   Z30 their step
// Z3 lower halves of keys
TEXT ·rankGradesF32AVX512(SB), NOSPLIT, $0-81
	MOVQ  dst_base+0(FP), DI
	MOVQ  x_base+24(FP), SI
	MOVQ  x_len+32(FP), CX
	MOVQ  grades_base+48(FP), R8
	MOVQ  base+72(FP), R9
	KXORW K2, K2, K2
	CONSTANTS
	VPSLLD $8, Z31, Z31
	VPSLLD $8, Z30, Z30
	SUBQ  $16, CX
	JLT   tail

loop16:
	VMOVUPS    (SI), Z4
	VPMOVZXBD  (R8), Z3
	VCMPPS     $3, Z4, Z4, K1       // unordered: NaN
	KORW       K1, K2, K2
	DESCENDING(Z4)
	VMOVDQA32  Z27, K1, Z4          // the greatest for NaN
	VPORD      Z31, Z3, Z3
	INTERLEAVE(Z4, Z3)
	VMOVDQU64  Z6, (DI)
	VMOVDQU64  Z7, 64(DI)
	VPADDD     Z30, Z31, Z31
	ADDQ       $64, SI
	ADDQ       $16, R8
	ADDQ       $128, DI
	SUBQ       $16, CX
	JGE        loop16

tail:
	ADDQ      $16, CX
	JLE       done
	MOVL      $1, AX
	SHLL      CX, AX
	DECL      AX
	KMOVW     AX, K3               // the values that there are
	VMOVUPS.Z (SI), K3, Z4
	VPMOVZXBD.Z (R8), K3, Z3
	VCMPPS    $3, Z4, Z4, K1
	KORW      K1, K2, K2
	DESCENDING(Z4)
	VMOVDQA32 Z27, K1, Z4
	VPORD     Z31, Z3, Z3
	INTERLEAVE(Z4, Z3)
	VMOVDQU64 Z6, K3, (DI)
	KSHIFTRW  $8, K3, K3
	VMOVDQU64 Z7, K3, 64(DI)

done:
	KORTESTW K2, K2
	SETNE    nan+80(FP)
	VZEROUPPER
	RET

// func gainsOfKeysF64AVX512(dst []float64, keys []int64, gains *[16]float64) (tied bool)
//
// Requires: AVX512F, AVX512DQ
//
// DI dst   SI keys   CX keys left   Z0 Z1 gains   Z2 keys   Z3 those before
// Z4 keys, each after its neighbor
// K1 ties   K2 ties so far   K3 the last keys, masked
TEXT ·gainsOfKeysF64AVX512(SB), NOSPLIT, $0-57
	MOVQ      dst_base+0(FP), DI
	MOVQ      keys_base+24(FP), SI
	MOVQ      keys_len+32(FP), CX
	MOVQ      gains+48(FP), AX
	KXORB     K2, K2, K2
	TESTQ     CX, CX
	JEQ       done
	VMOVUPD   (AX), Z0
	VMOVUPD   64(AX), Z1
	MOVQ      (SI), AX
	NOTQ      AX
	VPBROADCASTQ AX, Z3              // tied with no key
	SUBQ      $8, CX
	JLT       tail

loop8:
	VMOVDQU64  (SI), Z2
	VALIGNQ    $7, Z3, Z2, Z4
	VPXORQ     Z2, Z4, Z4
	VPSRLQ     $32, Z4, Z4
	VPTESTNMQ  Z4, Z4, K1
	KORB       K1, K2, K2
	VMOVDQA64  Z2, Z3
	VPERMI2PD  Z1, Z0, Z2            // by the lowest four bits
	VMOVUPD    Z2, (DI)
	ADDQ       $64, SI
	ADDQ       $64, DI
	SUBQ       $8, CX
	JGE        loop8

tail:
	ADDQ        $8, CX
	JLE         done
	MOVL        $1, AX
	SHLL        CX, AX
	DECL        AX
	KMOVB       AX, K3
	VMOVDQU64.Z (SI), K3, Z2
	VALIGNQ     $7, Z3, Z2, Z4
	VPXORQ      Z2, Z4, Z4
	VPSRLQ      $32, Z4, Z4
	VPTESTNMQ   Z4, Z4, K3, K1
	KORB        K1, K2, K2
	VPERMI2PD   Z1, Z0, Z2
	VMOVUPD     Z2, K3, (DI)

done:
	KORTESTB K2, K2
	SETNE    tied+56(FP)
	VZEROUPPER
	RET

// func thresholdF32AVX512(lanes *[16]float32, x []float32, k int) (t float32, nan bool)
//
// Requires: AVX512F, AVX512DQ
//
// DI lanes   SI x   CX values left   R8 k   Z0 … Z3 maxima of the lanes   Z4 … Z7 values
// K1 NaNs so far   Z8, Z9 how many lanes are greater than each
// A maximum takes its second operand, the lane, when the value is NaN. The last values are
// masked. A lane is among the k largest when fewer than k are greater: the least of these is the
// result.
TEXT ·thresholdF32AVX512(SB), NOSPLIT, $0-45
	MOVQ    lanes+0(FP), DI
	MOVQ    x_base+8(FP), SI
	MOVQ    x_len+16(FP), CX
	MOVQ    k+32(FP), R8
	VMOVUPS (DI), Z0
	VMOVAPS Z0, Z1
	VMOVAPS Z0, Z2
	VMOVAPS Z0, Z3
	KXORW   K1, K1, K1
	SUBQ    $64, CX
	JLT     rest

loop64:
	VMOVUPS (SI), Z4
	VMOVUPS 64(SI), Z5
	VMOVUPS 128(SI), Z6
	VMOVUPS 192(SI), Z7
	VCMPPS  $3, Z4, Z5, K2
	VCMPPS  $3, Z6, Z7, K3
	VMAXPS  Z0, Z4, Z0
	VMAXPS  Z1, Z5, Z1
	VMAXPS  Z2, Z6, Z2
	VMAXPS  Z3, Z7, Z3
	KORW    K2, K3, K3
	KORW    K3, K1, K1
	ADDQ    $256, SI
	SUBQ    $64, CX
	JGE     loop64
	VMAXPS  Z1, Z0, Z0
	VMAXPS  Z3, Z2, Z2
	VMAXPS  Z2, Z0, Z0

rest:
	ADDQ $48, CX
	JLT  tail

loop16:
	VMOVUPS (SI), Z4
	VCMPPS  $3, Z4, Z4, K2
	VMAXPS  Z0, Z4, Z0
	KORW    K2, K1, K1
	ADDQ    $64, SI
	SUBQ    $16, CX
	JGE     loop16

tail:
	ADDQ      $16, CX
	JLE       ranks
	MOVL      $1, AX
	SHLL      CX, AX
	DECL      AX
	KMOVW     AX, K3
	VMOVUPS.Z (SI), K3, Z4
	VCMPPS    $3, Z4, Z4, K2
	VMAXPS    Z0, Z4, K3, Z0
	KORW      K2, K1, K1

ranks:
	VPXORD  Z8, Z8, Z8
	VPXORD  Z9, Z9, Z9
	VADDPS  Z8, Z0, Z0                   // −0 becomes +0
	VMOVUPS Z0, (DI)
	VPTERNLOGD $0xff, Z10, Z10, Z10      // −1

#define GREATER(j, count) \
	VCMPPS.BCST $0x11, (4*j)(DI), Z0, K2; \ // lane < lanes[j]
	VPSUBD      Z10, count, K2, count

	GREATER(0, Z8)
	GREATER(1, Z9)
	GREATER(2, Z8)
	GREATER(3, Z9)
	GREATER(4, Z8)
	GREATER(5, Z9)
	GREATER(6, Z8)
	GREATER(7, Z9)
	GREATER(8, Z8)
	GREATER(9, Z9)
	GREATER(10, Z8)
	GREATER(11, Z9)
	GREATER(12, Z8)
	GREATER(13, Z9)
	GREATER(14, Z8)
	GREATER(15, Z9)
	VPADDD       Z9, Z8, Z8
	VPBROADCASTD R8, Z9
	VPCMPD       $1, Z9, Z8, K2          // fewer than k are greater
	MOVL         $0x7f800000, AX
	VPBROADCASTD AX, Z4                  // +Inf elsewhere
	VMOVAPS      Z0, K2, Z4
	VEXTRACTF64X4 $1, Z4, Y5             // the least of 16 lanes, 8, 4, 2
	VMINPS       Y5, Y4, Y4
	VEXTRACTF128 $1, Y4, X5
	VMINPS       X5, X4, X4
	VPERMILPS    $0x4e, X4, X5
	VMINPS       X5, X4, X4
	VPERMILPS    $0xb1, X4, X5
	VMINPS       X5, X4, X4
	VMOVSS       X4, t+40(FP)
	KORTESTW     K1, K1
	SETNE        nan+44(FP)
	VZEROUPPER
	RET

// func selectKeysF32AVX512(dst []int64, x []float32, t float32, base int) int
//
// Requires: AVX512F, AVX512DQ, POPCNT
//
// DI end of the keys   SI x   CX values left   Z0 t   Z4 values   K1 those to keep
// Values and indices are compressed in registers; stores are whole vectors, which cannot pass the
// end of dst while
// no more values were kept than read. The last values are masked.
TEXT ·selectKeysF32AVX512(SB), NOSPLIT, $0-72
	MOVQ dst_base+0(FP), DI
	MOVQ x_base+24(FP), SI
	MOVQ x_len+32(FP), CX
	MOVQ base+56(FP), R9
	VBROADCASTSS t+48(FP), Z0
	CONSTANTS
	SUBQ $64, CX
	JLT  rest

loop64: // mostly nothing is kept
	VCMPPS   $0x12, (SI), Z0, K1         // t ≤ x
	VCMPPS   $0x12, 64(SI), Z0, K2
	VCMPPS   $0x12, 128(SI), Z0, K3
	VCMPPS   $0x12, 192(SI), Z0, K4
	KORW     K1, K2, K5
	KORW     K3, K4, K6
	KORTESTW K5, K6
	JNE      some

#define KEEP(offset, mask) \
	VPCOMPRESSD.Z Z31, mask, Z3; \
	VMOVUPS       offset(SI), Z4; \
	VPCOMPRESSD.Z Z4, mask, Z4; \
	DESCENDING(Z4); \
	INTERLEAVE(Z4, Z3); \
	VMOVDQU64     Z6, (DI); \
	VMOVDQU64     Z7, 64(DI); \
	KMOVW         mask, AX; \
	POPCNTL       AX, AX; \
	LEAQ          (DI)(AX*8), DI; \
	VPADDD        Z30, Z31, Z31

next64:
	VPSLLD $2, Z30, Z3
	VPADDD Z3, Z31, Z31
	ADDQ   $256, SI
	SUBQ   $64, CX
	JGE    loop64
	JMP    rest

some:
	KEEP(0, K1)
	KEEP(64, K2)
	KEEP(128, K3)
	KEEP(192, K4)
	ADDQ $256, SI
	SUBQ $64, CX
	JGE  loop64

rest:
	ADDQ $48, CX
	JLT  tail

loop16:
	VCMPPS $0x12, (SI), Z0, K1
	KEEP(0, K1)
	ADDQ   $64, SI
	SUBQ   $16, CX
	JGE    loop16

tail:
	ADDQ      $16, CX
	JLE       done
	MOVL      $1, AX
	SHLL      CX, AX
	DECL      AX
	KMOVW     AX, K3
	VMOVUPS.Z (SI), K3, Z4
	VCMPPS    $0x12, Z4, Z0, K3, K1
	VPCOMPRESSD.Z Z31, K1, Z3
	VPCOMPRESSD.Z Z4, K1, Z4
	DESCENDING(Z4)
	INTERLEAVE(Z4, Z3)
	KMOVW     K1, AX
	POPCNTL   AX, CX
	MOVL      $1, AX
	SHLL      CX, AX
	DECL      AX
	KMOVW     AX, K3                     // as many as are kept
	VMOVDQU64 Z6, K3, (DI)
	KSHIFTRW  $8, K3, K3
	VMOVDQU64 Z7, K3, 64(DI)
	LEAQ      (DI)(CX*8), DI

done:
	SUBQ dst_base+0(FP), DI
	SHRQ $3, DI
	MOVQ DI, ret+64(FP)
	VZEROUPPER
	RET

// func countLevelsU8AVX512(counts *[16]int64, x []uint8, levels int) (others int64)
//
// Requires: AVX512F, AVX512BW, POPCNT
//
// DI counts   SI x   CX elements   R8 levels   R9 level   R10 elements counted
// AX, BX, DX, R11 masks
// Z0 … Z3 up to 256 elements, K1 … K4 which of them there are   Z4 the level
TEXT ·countLevelsU8AVX512(SB), NOSPLIT, $0-48
	MOVQ counts+0(FP), DI
	MOVQ x_base+8(FP), SI
	MOVQ x_len+16(FP), BX
	MOVQ levels+32(FP), R8
	XORL R10, R10
	XORL R9, R9

// LOAD loads what there is of the next 64 elements.
#define LOAD(z, k) \
	MOVQ        $-1, AX; \
	XORL        DX, DX; \
	MOVL        $64, CX; \
	SUBQ        BX, CX; \ // elements that are missing
	CMOVQLT     DX, CX; \
	SHRQ        CX, AX; \
	CMPQ        CX, $64; \
	CMOVQGE     DX, AX; \ // all: a shift by 64 would be none
	KMOVQ       AX, k; \
	VMOVDQU8.Z  (SI), k, z; \
	ADDQ        $64, SI; \
	SUBQ        $64, BX

	LOAD(Z0, K1)
	LOAD(Z1, K2)
	CMPQ BX, $0
	JLE  level2
	LOAD(Z2, K3)
	LOAD(Z3, K4)

level4:
	CMPQ         R9, R8
	JGE          done
	VPBROADCASTB R9, Z4
	VPCMPEQB     Z4, Z0, K1, K5
	VPCMPEQB     Z4, Z1, K2, K6
	KMOVQ        K5, AX
	KMOVQ        K6, BX
	VPCMPEQB     Z4, Z2, K3, K5
	VPCMPEQB     Z4, Z3, K4, K6
	KMOVQ        K5, DX
	KMOVQ        K6, R11
	POPCNTQ      AX, AX
	POPCNTQ      BX, BX
	POPCNTQ      DX, DX
	POPCNTQ      R11, R11
	ADDQ         BX, AX
	ADDQ         R11, DX
	ADDQ         DX, AX
	ADDQ         AX, (DI)(R9*8)
	ADDQ         AX, R10
	INCQ         R9
	JMP          level4

level2:
	CMPQ         R9, R8
	JGE          done
	VPBROADCASTB R9, Z4
	VPCMPEQB     Z4, Z0, K1, K5
	VPCMPEQB     Z4, Z1, K2, K6
	KMOVQ        K5, AX
	KMOVQ        K6, BX
	POPCNTQ      AX, AX
	POPCNTQ      BX, BX
	ADDQ         BX, AX
	ADDQ         AX, (DI)(R9*8)
	ADDQ         AX, R10
	INCQ         R9
	JMP          level2

done:
	MOVQ x_len+16(FP), AX
	SUBQ R10, AX
	MOVQ AX, others+40(FP)
	VZEROUPPER
	RET

// func topGainsF32AVX512(dst *[16]float64, keys []int64, x []float32, grades []uint8, gains *[16]float64, k int) (nan, ok bool)
//
// Requires: AVX512F, AVX512DQ, POPCNT
//
// DI dst, where the lane maxima lie meanwhile   R10 keys   R12 end of the keys   SI x   R8 grades
// CX values left   R11 k
// As thresholdF32AVX512, selectKeysF32AVX512 and sortI64AVX512 one after the other, with grades in
// the keys: Z0 Z1 maxima, then Z0
// the threshold, then Z0 … Z3 up to 32 keys, of which Z0 Z1 become the first 16.
TEXT ·topGainsF32AVX512(SB), NOSPLIT, $0-98
	MOVQ  dst+0(FP), DI
	MOVQ  keys_base+8(FP), R10
	MOVQ  x_base+32(FP), SI
	MOVQ  x_len+40(FP), CX
	MOVQ  grades_base+56(FP), R8
	MOVQ  k+88(FP), R11
	MOVL  $0xff800000, AX                // −Inf
	VPBROADCASTD AX, Z0
	VMOVAPS Z0, Z1
	KXORW K1, K1, K1
	MOVQ  SI, BX
	MOVQ  CX, DX
	SUBQ  $32, DX
	JLT   rest

loop32:
	VMOVUPS (BX), Z4
	VMOVUPS 64(BX), Z5
	VCMPPS  $3, Z4, Z5, K2
	VMAXPS  Z0, Z4, Z0
	VMAXPS  Z1, Z5, Z1
	KORW    K2, K1, K1
	ADDQ    $128, BX
	SUBQ    $32, DX
	JGE     loop32

rest:
	ADDQ $16, DX
	JLT  tail
	VMOVUPS (BX), Z4
	VCMPPS  $3, Z4, Z4, K2
	VMAXPS  Z0, Z4, Z0
	KORW    K2, K1, K1
	ADDQ    $64, BX
	SUBQ    $16, DX

tail:
	ADDQ      $16, DX
	JLE       ranks
	MOVL      $0xffff, AX
	MOVQ      CX, R9
	MOVQ      DX, CX
	SHLL      CX, AX
	MOVQ      R9, CX
	KMOVW     AX, K3
	KNOTW     K3, K3                     // the values that there are
	VMOVUPS.Z (BX), K3, Z4
	VCMPPS    $3, Z4, Z4, K2
	VMAXPS    Z1, Z4, K3, Z1
	KORW      K2, K1, K1

ranks:
	KORTESTW K1, K1
	JNE      nan
	VMAXPS   Z1, Z0, Z0
	VPXORD   Z8, Z8, Z8
	VPXORD   Z9, Z9, Z9
	VADDPS   Z8, Z0, Z0                  // −0 becomes +0
	VMOVUPS  Z0, (DI)
	VPTERNLOGD $0xff, Z10, Z10, Z10      // −1
	GREATER(0, Z8)
	GREATER(1, Z9)
	GREATER(2, Z8)
	GREATER(3, Z9)
	GREATER(4, Z8)
	GREATER(5, Z9)
	GREATER(6, Z8)
	GREATER(7, Z9)
	GREATER(8, Z8)
	GREATER(9, Z9)
	GREATER(10, Z8)
	GREATER(11, Z9)
	GREATER(12, Z8)
	GREATER(13, Z9)
	GREATER(14, Z8)
	GREATER(15, Z9)
	VPADDD       Z9, Z8, Z8
	VPBROADCASTD R11, Z9
	VPADDD       Z10, Z9, Z4
	VPCMPEQD     Z4, Z8, K2              // k−1 are greater
	KMOVW        K2, AX
	BSFL         AX, AX
	JEQ          tied
	VBROADCASTSS (DI)(AX*4), Z0
	MOVL         (DI)(AX*4), AX
	CMPL         AX, $0xff800000
	JEQ          fail
	JMP          select

tied: // with equal lanes there may be none
	VPCMPD       $1, Z9, Z8, K2          // fewer than k are greater
	MOVL         $0x7f800000, AX
	VPBROADCASTD AX, Z4                  // +Inf elsewhere
	VMOVAPS      Z0, K2, Z4
	VEXTRACTF64X4 $1, Z4, Y5             // the least of 16 lanes, 8, 4, 2
	VMINPS       Y5, Y4, Y4
	VEXTRACTF128 $1, Y4, X5
	VMINPS       X5, X4, X4
	VPERMILPS    $0x4e, X4, X5
	VMINPS       X5, X4, X4
	VPERMILPS    $0xb1, X4, X5
	VMINPS       X5, X4, X4
	VMOVD        X4, AX
	CMPL         AX, $0xff800000
	JEQ          fail
	VBROADCASTSS X4, Z0

select:
	XORL   R9, R9
	CONSTANTS
	VPSLLD $8, Z31, Z31
	VPSLLD $8, Z30, Z30
	MOVQ   R10, R12
	SUBQ   $16, CX
	JLT    selectTail

select16:
	VMOVUPS   (SI), Z4
	VPMOVZXBD (R8), Z3
	VCMPPS    $0x12, Z4, Z0, K1          // t ≤ x
	VPORD     Z31, Z3, Z3
	VPCOMPRESSD.Z Z3, K1, Z3
	VPCOMPRESSD.Z Z4, K1, Z4
	DESCENDING(Z4)
	INTERLEAVE(Z4, Z3)
	VMOVDQU64 Z6, (R12)
	VMOVDQU64 Z7, 64(R12)
	KMOVW     K1, AX
	POPCNTL   AX, AX
	LEAQ      (R12)(AX*8), R12
	VPADDD    Z30, Z31, Z31
	ADDQ      $64, SI
	ADDQ      $16, R8
	SUBQ      $16, CX
	JGE       select16

selectTail:
	ADDQ      $16, CX
	JLE       sort
	MOVL      $0xffff, AX
	SHLL      CX, AX
	KMOVW     AX, K3
	KNOTW     K3, K3
	VMOVUPS.Z (SI), K3, Z4
	VPMOVZXBD.Z (R8), K3, Z3
	VCMPPS    $0x12, Z4, Z0, K3, K1
	VPORD     Z31, Z3, Z3
	VPCOMPRESSD.Z Z3, K1, Z3
	VPCOMPRESSD.Z Z4, K1, Z4
	DESCENDING(Z4)
	INTERLEAVE(Z4, Z3)
	VMOVDQU64 Z6, (R12)
	VMOVDQU64 Z7, 64(R12)
	KMOVW     K1, AX
	POPCNTL   AX, AX
	LEAQ      (R12)(AX*8), R12

sort:
	SUBQ R10, R12
	SHRQ $3, R12
	CMPQ R12, $32
	JGT  fail
	MOVQ R12, CX
	MOVQ $-1, AX
	SHLQ CX, AX
	NOTQ AX                              // a bit for each key
	KMOVW AX, K1
	SHRQ  $8, AX
	KMOVW AX, K2
	SHRQ  $8, AX
	KMOVW AX, K3
	SHRQ  $8, AX
	KMOVW AX, K4
	VPTERNLOGQ $0xff, Z0, Z0, Z0
	VPSRLQ     $1, Z0, Z0                // MaxInt64 behind them
	VMOVDQA64  Z0, Z1
	VMOVDQA64  Z0, Z2
	VMOVDQA64  Z0, Z3
	VMOVDQU64  (R10), K1, Z0
	VMOVDQU64  64(R10), K2, Z1
	VMOVDQU64  128(R10), K3, Z2
	VMOVDQU64  192(R10), K4, Z3
	VMOVDQU64  reverseI64<>(SB), Z31
	LANES
	SORT8(Z0)
	SORT8(Z1)
	SORT8(Z2)
	CMPQ       R12, $24
	JLE        merge
	SORT8(Z3)
	ORDERREV(Z2, Z3)
	CLEAN(Z2)
	CLEAN(Z3)

merge:
	ORDERREV(Z0, Z1)
	CLEAN(Z0)
	CLEAN(Z1)
	// The lesser 16 of 16 and 16.
	VPERMQ     Z3, Z31, Z3
	VPERMQ     Z2, Z31, Z2
	VPMINSQ    Z3, Z0, Z0
	VPMINSQ    Z2, Z1, Z1
	ORDER(Z0, Z1)
	CLEAN(Z0)
	CLEAN(Z1)

	MOVQ       R11, CX
	MOVL       $-1, AX
	SHLL       CX, AX
	NOTL       AX                        // a bit for each of the k first
	KMOVW      AX, K5
	SHRL       $8, AX
	KMOVW      AX, K6
	VALIGNQ    $1, Z0, Z1, Z4            // each key's follower
	VALIGNQ    $1, Z1, Z1, Z5
	VPXORQ     Z0, Z4, Z4
	VPXORQ     Z1, Z5, Z5
	VPSRLQ     $32, Z4, Z4
	VPSRLQ     $32, Z5, Z5
	VPTESTNMQ  Z4, Z4, K5, K1            // ties
	VPTESTNMQ  Z5, Z5, K6, K2
	MOVL       $0xf0, AX
	VPBROADCASTQ AX, Z6
	VPTESTMQ   Z6, Z0, K5, K3            // grades that gains lacks
	VPTESTMQ   Z6, Z1, K6, K4
	KORB       K1, K2, K1
	KORB       K3, K4, K3
	KORTESTB   K1, K3
	JNE        fail
	MOVQ       gains+80(FP), AX
	VMOVUPD    (AX), Z2
	VMOVUPD    64(AX), Z3
	VPERMI2PD.Z Z3, Z2, K5, Z0
	VPERMI2PD.Z Z3, Z2, K6, Z1
	VMOVUPD    Z0, (DI)
	VMOVUPD    Z1, 64(DI)
	MOVB       $0, nan+96(FP)
	MOVB       $1, ok+97(FP)
	VZEROUPPER
	RET

nan:
	MOVB $1, nan+96(FP)
	MOVB $0, ok+97(FP)
	VZEROUPPER
	RET

fail:
	MOVB $0, nan+96(FP)
	MOVB $0, ok+97(FP)
	VZEROUPPER
	RET
