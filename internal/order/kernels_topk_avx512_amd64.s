//go:build !purego

#include "textflag.h"
#include "sort32_amd64.h"
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

// The kernels below sort keys of 32 bits: the upper half of a key, with the grade in place of its
// last four bits. Keys whose other bits are the same may be out of order: they count as tied.

// GRADED turns the floats of v and their grades g, below 16 and of 32 bits, into such keys. Z25
// is 15, Z26 zero, Z27 0x7fffffff, t is scratch.
#define GRADED(v, g, t) \
	VADDPS     Z26, v, v; \
	VPSRAD     $31, v, t; \
	VPTERNLOGD $0x87, Z27, t, v; \
	VPTERNLOGD $0xba, g, Z25, v

#define GRADED_CONSTANTS \
	MOVL         $0x7fffffff, AX; \
	VPBROADCASTD AX, Z27; \
	VPSRLD       $27, Z27, Z25; \
	VPXORD       Z26, Z26, Z26

// ORDER32 makes a the lesser and b the greater of each lane.
#define ORDER32(a, b, t) \
	VPMINSD   b, a, t; \
	VPMAXSD   b, a, b; \
	VMOVDQA32 t, a

// FIX32 takes r and its permutation s: lanes of least keep the lesser, those of most the greater.
#define FIX32(s, r, least, most) \
	VPMINSD s, r, least, r; \
	VPMAXSD s, r, most, r

// func bestGainsF32AVX512(dst *[16]float64, x []float32, grades []uint8, gains *[16]float64, k int) (nan, ok bool)
//
// Requires: AVX512F, AVX512DQ, AVX512BW, AVX512VL
//
// DI dst   SI x   R8 grades   CX values left   R11 k
// Z0 … Z3 the four best of each lane, in order   Z8 the best of the others
// X24 Z25 15   Z26 zero   Z27 the worst key   K1 NaNs   K5 a bit for each of the k first
// Then 16 sorted columns of four become one of 16, in Y0 … Y7 where rank r is element r%8 of lane
// r/8: columns are merged in pairs, of which two rounds keep the better half. It fails when a fifth
// value of a lane, or the eighth of four lanes, is as good as the k-th.
TEXT ·bestGainsF32AVX512(SB), NOSPLIT, $0-74
	MOVQ  dst+0(FP), DI
	MOVQ  x_base+8(FP), SI
	MOVQ  x_len+16(FP), CX
	MOVQ  grades_base+32(FP), R8
	MOVQ  k+64(FP), R11
	GRADED_CONSTANTS
	VPACKUSDW X25, X25, X24
	VPACKUSWB X24, X24, X24
	VMOVDQA32 Z27, Z0
	VMOVDQA32 Z27, Z1
	VMOVDQA32 Z27, Z2
	VMOVDQA32 Z27, Z3
	VMOVDQA32 Z27, Z8
	KXORW K1, K1, K1
	SUBQ  $16, CX
	JLT   tail

// INSERT enters the keys Z4.
#define INSERT \
	VPMAXSD Z0, Z4, Z5; \
	VPMINSD Z0, Z4, Z0; \
	VPMAXSD Z1, Z5, Z6; \
	VPMINSD Z1, Z5, Z1; \
	VPMAXSD Z2, Z6, Z5; \
	VPMINSD Z2, Z6, Z2; \
	VPMAXSD Z3, Z5, Z6; \
	VPMINSD Z3, Z5, Z3; \
	VPMINSD Z6, Z8, Z8

loop16:
	VMOVUPS   (SI), Z4
	VPMINUB   (R8), X24, X7
	VPMOVZXBD X7, Z7
	VCMPPS    $3, Z4, Z4, K2       // unordered: NaN
	KORW      K2, K1, K1
	GRADED(Z4, Z7, Z5)
	INSERT
	ADDQ      $64, SI
	ADDQ      $16, R8
	SUBQ      $16, CX
	JGE       loop16

tail:
	ADDQ       $16, CX
	JLE        merge
	MOVL       $0xffff, AX
	SHLL       CX, AX
	KMOVW      AX, K4
	KNOTW      K4, K3              // the values that there are
	VMOVUPS.Z  (SI), K3, Z4
	VMOVDQU8.Z (R8), K3, X7
	VPMINUB    X24, X7, X7
	VPMOVZXBD  X7, Z7
	VCMPPS     $3, Z4, Z4, K2
	KORW       K2, K1, K1
	GRADED(Z4, Z7, Z5)
	VMOVDQA32  Z27, K4, Z4
	INSERT

merge:
	KORTESTW      K1, K1
	JNE           nan
	MOVL          $0x55, AX
	KMOVW         AX, K1
	MOVL          $0xaa, AX
	KMOVW         AX, K2
	VMOVDQA       github·com∕simdrank∕simdrank∕internal∕kern·Iota(SB), Y9
	MOVL          $5, AX
	VPBROADCASTD  AX, Y10
	VPXOR         Y10, Y9, Y9       // lanes 4 apart and reversed in pairs
	// Columns of 8, of lanes that are 8 apart.
	VEXTRACTI64X4 $1, Z0, Y4
	VEXTRACTI64X4 $1, Z1, Y5
	VEXTRACTI64X4 $1, Z2, Y6
	VEXTRACTI64X4 $1, Z3, Y7
	VEXTRACTI64X4 $1, Z8, Y11
	VPMINSD       Y11, Y8, Y8
	MERGE32(Y0, Y1, Y2, Y3, Y4, Y5, Y6, Y7, Y10)

// BEST keeps the better halves of neighbors, LAST those of lanes 4 apart; FLIP merges pairs of
// lanes in neighbors. Each merges a with the reverse of b. LANE orders neighbors.
#define BEST(a, b) \
	VPSHUFD $0xb1, a, Y10; \
	VPSHUFD $0xb1, b, Y11; \
	VPMINSD Y11, a, a; \
	VPMINSD Y10, b, b

#define FLIP(a, b) \
	VPSHUFD $0x1b, a, Y10; \
	VPSHUFD $0x1b, b, Y11; \
	FIX32(Y11, a, K1, K2); \
	FIX32(Y10, b, K1, K2)

#define LAST(a, b) \
	VPERMD  a, Y9, Y10; \
	VPERMD  b, Y9, Y11; \
	VPMINSD Y11, a, a; \
	VPMINSD Y10, b, b

#define LANE(a) \
	VPSHUFD $0xb1, a, Y10; \
	FIX32(Y10, a, K1, K2)

	// The best 8 of neighbors, in both of them. What they leave out is no better than the eighth.
	BEST(Y0, Y7)
	BEST(Y1, Y6)
	BEST(Y2, Y5)
	BEST(Y3, Y4)
	CLEAN32(Y0, Y1, Y2, Y3, Y4, Y5, Y6, Y7, Y10)
	VPMINSD Y7, Y8, Y8
	// Columns of 16, in two lanes.
	FLIP(Y0, Y7)
	FLIP(Y1, Y6)
	FLIP(Y2, Y5)
	FLIP(Y3, Y4)
	CLEAN32(Y0, Y1, Y2, Y3, Y4, Y5, Y6, Y7, Y10)
	LAST(Y0, Y7)
	LAST(Y1, Y6)
	LAST(Y2, Y5)
	LAST(Y3, Y4)
	LANE(Y0)
	LANE(Y1)
	LANE(Y2)
	LANE(Y3)
	LANE(Y4)
	LANE(Y5)
	LANE(Y6)
	LANE(Y7)
	CLEAN32(Y0, Y1, Y2, Y3, Y4, Y5, Y6, Y7, Y10)
	// Z0 gets the 16 keys.
	KEYS16
	VINSERTI64X4  $1, Y1, Z0, Z2

	MOVQ          R11, CX
	MOVL          $-1, AX
	SHLL          CX, AX
	NOTL          AX
	KMOVW         AX, K5
	DECL          CX
	VPBROADCASTD  CX, Z3
	VPERMD        Z2, Z3, Z3           // the k-th
	VPORD         Z25, Z3, Z3
	VPCMPD        $2, Y3, Y8, K1       // one of the others may be as good
	VALIGND       $1, Z2, Z2, Z4       // each key's follower
	VPXORD        Z2, Z4, Z4
	VPCMPUD       $2, Z25, Z4, K5, K2  // ties
	VPANDD        Z25, Z2, Z4
	VPCMPEQD      Z25, Z4, K5, K3      // grades of 15 and more
	KORW          K1, K2, K1
	KORTESTW      K1, K3
	JNE           fail
	MOVQ          gains+56(FP), AX
	VMOVUPD       (AX), Z4
	VMOVUPD       64(AX), Z5
	VPMOVZXDQ     Y0, Z0
	VPMOVZXDQ     Y1, Z1
	KSHIFTRW      $8, K5, K6
	VPERMI2PD.Z   Z5, Z4, K5, Z0
	VPERMI2PD.Z   Z5, Z4, K6, Z1
	VMOVUPD       Z0, (DI)
	VMOVUPD       Z1, 64(DI)
	MOVB          $0, nan+72(FP)
	MOVB          $1, ok+73(FP)
	VZEROUPPER
	RET

nan:
	MOVB $1, nan+72(FP)
	MOVB $0, ok+73(FP)
	VZEROUPPER
	RET

fail:
	MOVB $0, nan+72(FP)
	MOVB $0, ok+73(FP)
	VZEROUPPER
	RET
#undef FLIP
#undef LANE

// func rankGainsF32AVX512(dst []float64, x []float32, grades []uint8, gains *[16]float64) (ok bool)
//
// Requires: AVX512F, AVX512DQ, AVX512BW
//
// For 65 to 128 values. DI dst   SI x   R8 grades   CX their number   Z0 … Z7 the keys
// Z25 15   Z26 zero   Z27 0x7fffffff   Z24 the worst keys, no two alike   Z16 Z17 scratch
// The lanes are 16 columns of 8 that are sorted and merged in pairs, so that three of the stages
// of a bitonic merge (Batcher 1968) are between registers. In the end rank r is element r%8 of
// lane r/8, and its grade is the nibble r%8 of 32 bits.
TEXT ·rankGainsF32AVX512(SB), NOSPLIT, $64-81
	MOVQ  dst_base+0(FP), DI
	MOVQ  x_base+24(FP), SI
	MOVQ  x_len+32(FP), CX
	MOVQ  grades_base+48(FP), R8
	GRADED_CONSTANTS
	MOVQ  $-1, AX
	NEGQ  CX
	SHRQ  CX, AX                         // by 128 − length, modulo 64
	NEGQ  CX
	KMOVQ AX, K4                         // those after 64
	MOVL  $0x0f0f0f0f, AX
	VPBROADCASTD AX, Z24
	VMOVDQU8.Z 64(R8), K4, Z16
	VPMAXUB    (R8), Z16, Z16
	VPCMPUB    $5, Z24, Z16, K1          // grades of 15 and more
	KORTESTQ   K1, K1
	JNE        fail
	VMOVUPS   (SI), Z0
	VMOVUPS   64(SI), Z1
	VMOVUPS   128(SI), Z2
	VMOVUPS   192(SI), Z3
	VMOVUPS.Z 256(SI), K4, Z4
	KSHIFTRQ  $16, K4, K5
	VMOVUPS.Z 320(SI), K5, Z5
	KSHIFTRQ  $32, K4, K6
	VMOVUPS.Z 384(SI), K6, Z6
	KSHIFTRQ  $48, K4, K7
	VMOVUPS.Z 448(SI), K7, Z7
	VCMPPS    $3, Z0, Z1, K1             // unordered: NaN
	VCMPPS    $3, Z2, Z3, K2
	KORW      K1, K2, K1
	VCMPPS    $3, Z4, Z5, K2
	KORW      K1, K2, K1
	VCMPPS    $3, Z6, Z7, K2
	KORTESTW  K1, K2
	JNE       fail
	VPMOVZXBD   (R8), Z16
	GRADED(Z0, Z16, Z17)
	VPMOVZXBD   16(R8), Z18
	GRADED(Z1, Z18, Z19)
	VPMOVZXBD   32(R8), Z16
	GRADED(Z2, Z16, Z17)
	VPMOVZXBD   48(R8), Z18
	GRADED(Z3, Z18, Z19)
	VPMOVZXBD.Z 64(R8), K4, Z16
	GRADED(Z4, Z16, Z17)
	VPMOVZXBD.Z 80(R8), K5, Z18
	GRADED(Z5, Z18, Z19)
	VPMOVZXBD.Z 96(R8), K6, Z16
	GRADED(Z6, Z16, Z17)
	VPMOVZXBD.Z 112(R8), K7, Z18
	GRADED(Z7, Z18, Z19)
	VMOVDQU32 github·com∕simdrank∕simdrank∕internal∕kern·Iota(SB), Z23
	VPSLLD    $4, Z23, Z24
	VPSRLD    $15, Z27, Z16
	VPXORD    Z16, Z27, Z16              // 0x7fff0000
	VPORD     Z16, Z24, Z24
	MOVL      $256, AX
	VPBROADCASTD AX, Z16
	KNOTW     K4, K4
	VMOVDQA32 Z24, K4, Z4
	VPADDD    Z16, Z24, Z24
	KNOTW     K5, K5
	VMOVDQA32 Z24, K5, Z5
	VPADDD    Z16, Z24, Z24
	KNOTW     K6, K6
	VMOVDQA32 Z24, K6, Z6
	VPADDD    Z16, Z24, Z24
	KNOTW     K7, K7
	VMOVDQA32 Z24, K7, Z7

	MOVL  $0x5555, AX
	KMOVW AX, K1
	KNOTW K1, K2
	MOVL  $0x3333, AX
	KMOVW AX, K3
	KNOTW K3, K4
	MOVL  $0x0f0f, AX
	KMOVW AX, K5
	KNOTW K5, K6
	VPXORD Z25, Z23, Z22                 // reverses 16 lanes
	VPSRLD $1, Z25, Z16
	VPXORD Z16, Z23, Z23                 // reverses 8 lanes
	SORT32(Z0, Z1, Z2, Z3, Z4, Z5, Z6, Z7, Z16)

#define FLIP(order, a, b, least, most) \
	VPSHUFD order, a, Z16; \
	VPSHUFD order, b, Z17; \
	FIX32(Z17, a, least, most); \
	FIX32(Z16, b, least, most)

#define FLIPBY(order, a, b, least, most) \
	VPERMD a, order, Z16; \
	VPERMD b, order, Z17; \
	FIX32(Z17, a, least, most); \
	FIX32(Z16, b, least, most)

#define LANE(a) \
	VPSHUFD $0xb1, a, Z16; \
	FIX32(Z16, a, K1, K2)

#define LANES8 \
	LANE(Z0); \
	LANE(Z1); \
	LANE(Z2); \
	LANE(Z3); \
	LANE(Z4); \
	LANE(Z5); \
	LANE(Z6); \
	LANE(Z7); \
	CLEAN32(Z0, Z1, Z2, Z3, Z4, Z5, Z6, Z7, Z16)

#define PAIR(a) \
	VPSHUFD $0x4e, a, Z16; \
	FIX32(Z16, a, K3, K4)

#define PAIRS8 \
	PAIR(Z0); \
	PAIR(Z1); \
	PAIR(Z2); \
	PAIR(Z3); \
	PAIR(Z4); \
	PAIR(Z5); \
	PAIR(Z6); \
	PAIR(Z7)

#define FOUR(a) \
	VPERMQ $0x4e, a, Z16; \
	FIX32(Z16, a, K5, K6)

	// Columns of 16, in two lanes.
	FLIP($0xb1, Z0, Z7, K1, K2)
	FLIP($0xb1, Z1, Z6, K1, K2)
	FLIP($0xb1, Z2, Z5, K1, K2)
	FLIP($0xb1, Z3, Z4, K1, K2)
	CLEAN32(Z0, Z1, Z2, Z3, Z4, Z5, Z6, Z7, Z16)
	// Of 32.
	FLIP($0x1b, Z0, Z7, K3, K4)
	FLIP($0x1b, Z1, Z6, K3, K4)
	FLIP($0x1b, Z2, Z5, K3, K4)
	FLIP($0x1b, Z3, Z4, K3, K4)
	LANES8
	// Of 64.
	FLIPBY(Z23, Z0, Z7, K5, K6)
	FLIPBY(Z23, Z1, Z6, K5, K6)
	FLIPBY(Z23, Z2, Z5, K5, K6)
	FLIPBY(Z23, Z3, Z4, K5, K6)
	PAIRS8
	LANES8
	// All.
	MOVL  $0x00ff, AX
	KMOVW AX, K7
	KNOTW K7, K2
	FLIPBY(Z22, Z0, Z7, K7, K2)
	FLIPBY(Z22, Z1, Z6, K7, K2)
	FLIPBY(Z22, Z2, Z5, K7, K2)
	FLIPBY(Z22, Z3, Z4, K7, K2)
	KNOTW K1, K2
	FOUR(Z0)
	FOUR(Z1)
	FOUR(Z2)
	FOUR(Z3)
	FOUR(Z4)
	FOUR(Z5)
	FOUR(Z6)
	FOUR(Z7)
	PAIRS8
	LANES8

	// What each key and its follower differ in.
	VPXORD  Z1, Z0, Z8
	VPXORD  Z2, Z1, Z9
	VPXORD  Z3, Z2, Z10
	VPXORD  Z4, Z3, Z11
	VPXORD  Z5, Z4, Z12
	VPXORD  Z6, Z5, Z13
	VPXORD  Z7, Z6, Z14
	VALIGND $1, Z0, Z0, Z15
	VPXORD  Z7, Z15, Z15
	VPMINUD Z9, Z8, Z8
	VPMINUD Z11, Z10, Z10
	VPMINUD Z13, Z12, Z12
	VPMINUD Z15, Z14, Z14
	VPMINUD Z10, Z8, Z8
	VPMINUD Z14, Z12, Z12
	VPMINUD Z12, Z8, Z8
	VPCMPUD  $2, Z25, Z8, K1             // ties
	KORTESTW K1, K1
	JNE      fail
	// The grades.
	VPANDD     Z25, Z3, Z8
	VPSLLD     $4, Z7, Z9
	VPSLLD     $4, Z8, Z8
	VPTERNLOGD $0xf8, Z25, Z6, Z9
	VPTERNLOGD $0xf8, Z25, Z2, Z8
	VPSLLD     $4, Z9, Z9
	VPSLLD     $4, Z8, Z8
	VPTERNLOGD $0xf8, Z25, Z5, Z9
	VPTERNLOGD $0xf8, Z25, Z1, Z8
	VPSLLD     $4, Z9, Z9
	VPSLLD     $4, Z8, Z8
	VPTERNLOGD $0xf8, Z25, Z4, Z9
	VPTERNLOGD $0xf8, Z25, Z0, Z8
	VPSLLD     $16, Z9, Z9
	VPORD      Z9, Z8, Z8
	VMOVDQU32  Z8, nibbles-64(SP)
	LEAQ       nibbles-64(SP), SI
	MOVQ       gains+72(FP), AX
	VMOVUPD    (AX), Z0
	VMOVUPD    64(AX), Z1
	VMOVDQU64  github·com∕simdrank∕simdrank∕internal∕kern·Iota64(SB), Z2
	VPSLLQ     $2, Z2, Z2
	SUBQ       $8, CX

gain8:
	VPBROADCASTD (SI), Z3
	VPSRLVQ      Z2, Z3, Z3
	VPERMI2PD    Z1, Z0, Z3              // by the last four bits
	VMOVUPD      Z3, (DI)
	ADDQ         $4, SI
	ADDQ         $64, DI
	SUBQ         $8, CX
	JGE          gain8
	ADDQ         $8, CX
	JEQ          done
	MOVL         $-1, AX
	SHLL         CX, AX
	NOTL         AX
	KMOVB        AX, K1
	VPBROADCASTD (SI), Z3
	VPSRLVQ      Z2, Z3, Z3
	VPERMI2PD    Z1, Z0, Z3
	VMOVUPD      Z3, K1, (DI)

done:
	MOVB $1, ok+80(FP)
	VZEROUPPER
	RET

fail:
	MOVB $0, ok+80(FP)
	VZEROUPPER
	RET
