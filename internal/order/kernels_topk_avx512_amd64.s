//go:build !purego

#include "textflag.h"
#include "sort32_amd64.h"

// AVX-512 kernels of ranking keys. A vector holds 16 float32; its keys are two vectors of int64,
// whose upper halves are the complement of the float's ordered integer and whose lower halves are
// the index.

// The lanes of two vectors alternately, first of their lower halves, then of their upper halves.
DATA topkLow<>+0(SB)/8, $0x0000001000000000
DATA topkLow<>+8(SB)/8, $0x0000001100000001
DATA topkLow<>+16(SB)/8, $0x0000001200000002
DATA topkLow<>+24(SB)/8, $0x0000001300000003
DATA topkLow<>+32(SB)/8, $0x0000001400000004
DATA topkLow<>+40(SB)/8, $0x0000001500000005
DATA topkLow<>+48(SB)/8, $0x0000001600000006
DATA topkLow<>+56(SB)/8, $0x0000001700000007
GLOBL topkLow<>(SB), RODATA|NOPTR, $64
DATA topkHigh<>+0(SB)/8, $0x0000001800000008 // upper halves
DATA topkHigh<>+8(SB)/8, $0x0000001900000009
DATA topkHigh<>+16(SB)/8, $0x0000001a0000000a
DATA topkHigh<>+24(SB)/8, $0x0000001b0000000b
DATA topkHigh<>+32(SB)/8, $0x0000001c0000000c
DATA topkHigh<>+40(SB)/8, $0x0000001d0000000d
DATA topkHigh<>+48(SB)/8, $0x0000001e0000000e
DATA topkHigh<>+56(SB)/8, $0x0000001f0000000f
GLOBL topkHigh<>(SB), RODATA|NOPTR, $64

#define x    SI // next value
#define left CX // values left

// CONSTANTS sets Z31 to the indices (R9 plus 0 to 15), Z30 to 16, Z29 and Z28 to the permutations
// of INTERLEAVE, Z27 to 0x7fffffff and Z26 to zero. It uses AX.
#define CONSTANTS \
	VPBROADCASTD R9, Z31; \ // base + iota
	VPADDD       github·com∕simdrank∕simdrank∕internal∕kern·Iota(SB), Z31, Z31; \
	MOVL         $16, AX; \ // to the next indices
	VPBROADCASTD AX, Z30; \
	VMOVDQU32    topkLow<>(SB), Z29; \
	VMOVDQU32    topkHigh<>(SB), Z28; \
	MOVL         $0x7fffffff, AX; \ // for DESCENDING
	VPBROADCASTD AX, Z27; \
	VPXORD       Z26, Z26, Z26

// DESCENDING converts the floats v, none of which is a NaN, to upper halves of keys. If b is the
// bits of v + 0, this is the complement of b xor (b>>31 and 0x7fffffff). It uses Z5.
#define DESCENDING(v) \
	VADDPS     Z26, v, v; \
	VPSRAD     $31, v, Z5; \
	VPTERNLOGD $0x87, Z27, Z5, v

// INTERLEAVE sets Z6 (the first 8) and Z7 to the keys with upper halves v and indices i.
#define INTERLEAVE(v, i) \
	VMOVDQA32 Z29, Z6; \
	VPERMI2D  v, i, Z6; \
	VMOVDQA32 Z28, Z7; \
	VPERMI2D  v, i, Z7

// GRADED converts the floats v and their 32-bit grades g, which are below 16, to graded keys. These
// are upper halves of keys with the last four bits replaced by the grade. Keys that differ only in
// the grade may be in any order, because they count as tied. Z25 must be 15, Z26 zero and Z27
// 0x7fffffff; t is scratch.
#define GRADED(v, g, t) \
	VADDPS     Z26, v, v; \ // as in DESCENDING
	VPSRAD     $31, v, t; \
	VPTERNLOGD $0x87, Z27, t, v; \
	VPTERNLOGD $0xba, g, Z25, v // the last four bits from g

// GRADED_CONSTANTS sets the registers that GRADED needs. It uses AX.
#define GRADED_CONSTANTS \
	MOVL         $0x7fffffff, AX; \
	VPBROADCASTD AX, Z27; \
	VPSRLD       $27, Z27, Z25; \
	VPXORD       Z26, Z26, Z26

// ORDER32 sets a to the lesser and b to the greater element of each lane.
#define ORDER32(a, b, t) \
	VPMINSD   b, a, t; \
	VPMAXSD   b, a, b; \
	VMOVDQA32 t, a

// FIX32 compares r with its permutation s. Lanes in least keep the lesser element, and lanes in
// most the greater one.
#define FIX32(s, r, least, most) \
	VPMINSD s, r, least, r; \
	VPMAXSD s, r, most, r

// func rankKeysF32AVX512(dst []int64, x []float32, base int) (nan bool)
//
// Requires: AVX512F, AVX512DQ
//
// The tail is masked.
// Registers: DI: the next key; R9: base; Z4: values; K1: NaNs of the vector; K2: NaNs so far;
// K3: lanes of the tail; Z26-Z31: see CONSTANTS.
TEXT ·rankKeysF32AVX512(SB), NOSPLIT, $0-57
	MOVQ  dst_base+0(FP), DI // arguments
	MOVQ  x_base+24(FP), x
	MOVQ  x_len+32(FP), left
	MOVQ  base+48(FP), R9
	KXORW K2, K2, K2         // no NaN so far
	CONSTANTS
	SUBQ  $16, left          // if left < 16: goto tail
	JLT   tail

loop16:
	VMOVUPS    (x), Z4       // nans |= x[i] is a NaN
	VCMPPS     $3, Z4, Z4, K1
	KORW       K1, K2, K2
	DESCENDING(Z4)           // dst[i] = descending(x[i])<<32 | index, the greatest for a NaN
	VMOVDQA32  Z27, K1, Z4
	INTERLEAVE(Z4, Z31)
	VMOVDQU64  Z6, (DI)
	VMOVDQU64  Z7, 64(DI)
	VPADDD     Z30, Z31, Z31 // the next 16
	ADDQ       $64, x
	ADDQ       $128, DI
	SUBQ       $16, left
	JGE        loop16

tail:
	ADDQ      $16, left   // if left == 0: goto done
	JLE       done
	MOVL      $1, AX      // lanes = 1<<left − 1
	SHLL      left, AX
	DECL      AX
	KMOVW     AX, K3
	VMOVUPS.Z (x), K3, Z4 // the same for them
	VCMPPS    $3, Z4, Z4, K1
	KORW      K1, K2, K2
	DESCENDING(Z4)
	VMOVDQA32 Z27, K1, Z4
	INTERLEAVE(Z4, Z31)   // of which left are stored
	VMOVDQU64 Z6, K3, (DI)
	KSHIFTRW  $8, K3, K3
	VMOVDQU64 Z7, K3, 64(DI)

done:
	KORTESTW K2, K2 // nan = nans ≠ 0
	SETNE    nan+56(FP)
	VZEROUPPER
	RET

// func rankGradesF32AVX512(dst []int64, x []float32, grades []uint8, base int) (nan bool)
//
// Requires: AVX512F, AVX512DQ
//
// It is like rankKeysF32AVX512, but the lower halves are index·256 + grade.
// Registers: DI: the next key; R8: the next grade; R9: base; Z3: lower halves; Z4: values; K1: NaNs
// of the vector; K2: NaNs so far; K3: lanes of the tail; Z30: 16·256; Z31: indices times 256;
// Z26-Z29: see CONSTANTS.
TEXT ·rankGradesF32AVX512(SB), NOSPLIT, $0-81
	MOVQ  dst_base+0(FP), DI // arguments
	MOVQ  x_base+24(FP), x
	MOVQ  x_len+32(FP), left
	MOVQ  grades_base+48(FP), R8
	MOVQ  base+72(FP), R9
	KXORW K2, K2, K2         // no NaN so far
	CONSTANTS
	VPSLLD $8, Z31, Z31      // times 256
	VPSLLD $8, Z30, Z30
	SUBQ  $16, left          // if left < 16: goto tail
	JLT   tail

loop16:
	VMOVUPS    (x), Z4       // nans |= x[i] is a NaN
	VPMOVZXBD  (R8), Z3
	VCMPPS     $3, Z4, Z4, K1
	KORW       K1, K2, K2
	DESCENDING(Z4)           // dst[i] = descending(x[i])<<32 | index<<8 | grade, the greatest for a NaN
	VMOVDQA32  Z27, K1, Z4
	VPORD      Z31, Z3, Z3
	INTERLEAVE(Z4, Z3)
	VMOVDQU64  Z6, (DI)
	VMOVDQU64  Z7, 64(DI)
	VPADDD     Z30, Z31, Z31 // the next 16
	ADDQ       $64, x
	ADDQ       $16, R8
	ADDQ       $128, DI
	SUBQ       $16, left
	JGE        loop16

tail:
	ADDQ      $16, left   // if left == 0: goto done
	JLE       done
	MOVL      $1, AX      // lanes = 1<<left − 1
	SHLL      left, AX
	DECL      AX
	KMOVW     AX, K3
	VMOVUPS.Z (x), K3, Z4 // the same for them
	VPMOVZXBD.Z (R8), K3, Z3
	VCMPPS    $3, Z4, Z4, K1
	KORW      K1, K2, K2
	DESCENDING(Z4)
	VMOVDQA32 Z27, K1, Z4
	VPORD     Z31, Z3, Z3
	INTERLEAVE(Z4, Z3)    // of which left are stored
	VMOVDQU64 Z6, K3, (DI)
	KSHIFTRW  $8, K3, K3
	VMOVDQU64 Z7, K3, 64(DI)

done:
	KORTESTW K2, K2 // nan = nans ≠ 0
	SETNE    nan+80(FP)
	VZEROUPPER
	RET

// func gainsOfKeysF64AVX512(dst []float64, keys []int64, gains *[16]float64) (tied bool)
//
// Requires: AVX512F, AVX512DQ
//
// The tail is masked.
// Registers: DI: the next gain; SI: the next key; CX: keys left; Z0, Z1: gains; Z2: keys; Z3: keys
// of the vector before; Z4: predecessors of the keys; K1: ties; K2: ties so far; K3: lanes of the
// tail.
TEXT ·gainsOfKeysF64AVX512(SB), NOSPLIT, $0-57
	MOVQ      dst_base+0(FP), DI // arguments
	MOVQ      keys_base+24(FP), SI
	MOVQ      keys_len+32(FP), CX
	MOVQ      gains+48(FP), AX
	KXORB     K2, K2, K2
	TESTQ     CX, CX             // if left == 0: goto done
	JEQ       done
	VMOVUPD   (AX), Z0
	VMOVUPD   64(AX), Z1
	MOVQ      (SI), AX           // before = ^keys[0], which is not tied with it
	NOTQ      AX
	VPBROADCASTQ AX, Z3
	SUBQ      $8, CX             // if left < 8: goto tail
	JLT       tail

loop8:
	VMOVDQU64  (SI), Z2 // ties |= key>>32 == predecessor>>32
	VALIGNQ    $7, Z3, Z2, Z4
	VPXORQ     Z2, Z4, Z4
	VPSRLQ     $32, Z4, Z4
	VPTESTNMQ  Z4, Z4, K1
	KORB       K1, K2, K2
	VMOVDQA64  Z2, Z3   // dst[i] = gains[key&15]
	VPERMI2PD  Z1, Z0, Z2
	VMOVUPD    Z2, (DI)
	ADDQ       $64, SI  // the next 8
	ADDQ       $64, DI
	SUBQ       $8, CX
	JGE        loop8

tail:
	ADDQ        $8, CX       // if left == 0: goto done
	JLE         done
	MOVL        $1, AX       // lanes = 1<<left − 1
	SHLL        CX, AX
	DECL        AX
	KMOVB       AX, K3
	VMOVDQU64.Z (SI), K3, Z2 // the same for them
	VALIGNQ     $7, Z3, Z2, Z4
	VPXORQ      Z2, Z4, Z4
	VPSRLQ      $32, Z4, Z4
	VPTESTNMQ   Z4, Z4, K3, K1
	KORB        K1, K2, K2
	VPERMI2PD   Z1, Z0, Z2
	VMOVUPD     Z2, K3, (DI)

done:
	KORTESTB K2, K2 // tied = ties ≠ 0
	SETNE    tied+56(FP)
	VZEROUPPER
	RET

// func thresholdF32AVX512(lanes *[16]float32, x []float32, k int) (t float32, nan bool)
//
// Requires: AVX512F, AVX512DQ
//
// If the value is a NaN, VMAXPS returns its second operand, the maximum. The tail is masked. A lane
// is among the k largest if fewer than k lanes are greater. The result is the least of these lanes.
// Registers: named below.
TEXT ·thresholdF32AVX512(SB), NOSPLIT, $0-45
#define out      DI // lanes
#define rank     R8 // k
#define max0     Z0 // maxima of the lanes, of every fourth 16 values
#define max1     Z1
#define max2     Z2
#define max3     Z3
#define greater0 Z8 // number of lanes greater than each, of the even ones
#define greater1 Z9 // of the odd ones
#define nans     K1 // lanes that had a NaN
	MOVQ    lanes+0(FP), out // arguments
	MOVQ    x_base+8(FP), x
	MOVQ    x_len+16(FP), left
	MOVQ    k+32(FP), rank
	VMOVUPS (out), max0      // initialize the maxima
	VMOVAPS max0, max1; VMOVAPS max0, max2; VMOVAPS max0, max3
	KXORW   nans, nans, nans
	SUBQ    $64, left        // if left < 64: goto vectors
	JLT     vectors

loop64:
	VMOVUPS (x), Z4          // max[i] = max(x[i], max[i]); nans |= x[i] is a NaN
	VMOVUPS 64(x), Z5
	VMOVUPS 128(x), Z6
	VMOVUPS 192(x), Z7
	VCMPPS  $3, Z4, Z5, K2
	VCMPPS  $3, Z6, Z7, K3
	VMAXPS  max0, Z4, max0   // a NaN leaves the maximum
	VMAXPS  max1, Z5, max1
	VMAXPS  max2, Z6, max2
	VMAXPS  max3, Z7, max3
	KORW    K2, K3, K3
	KORW    K3, nans, nans
	ADDQ    $256, x          // the next 64
	SUBQ    $64, left
	JGE     loop64
	VMAXPS  max1, max0, max0 // all four
	VMAXPS  max3, max2, max2
	VMAXPS  max2, max0, max0

vectors:
	ADDQ $48, left // if left < 16: goto tail
	JLT  tail

loop16:
	VMOVUPS (x), Z4 // the same for 16 values
	VCMPPS  $3, Z4, Z4, K2
	VMAXPS  max0, Z4, max0
	KORW    K2, nans, nans
	ADDQ    $64, x
	SUBQ    $16, left
	JGE     loop16

tail:
	ADDQ      $16, left // if left == 0: goto ranks
	JLE       ranks
	MOVL      $1, AX    // the same for 1<<left − 1
	SHLL      left, AX
	DECL      AX
	KMOVW     AX, K3
	VMOVUPS.Z (x), K3, Z4
	VCMPPS    $3, Z4, Z4, K2
	VMAXPS    max0, Z4, K3, max0
	KORW      K2, nans, nans

ranks:
	VPXORD  greater0, greater0, greater0 // no lane is greater so far
	VPXORD  greater1, greater1, greater1
	VADDPS  greater0, max0, max0         // lanes = max + 0: −0 becomes +0
	VMOVUPS max0, (out)
	VPTERNLOGD $0xff, Z10, Z10, Z10      // −1

// GREATER counts lane j for each lane that is less.
#define GREATER(j, count) \
	VCMPPS.BCST $0x11, (4*j)(out), max0, K2; \ // max < lanes[j]
	VPSUBD      Z10, count, K2, count

	GREATER(0, greater0); GREATER(1, greater1); GREATER(2, greater0); GREATER(3, greater1)
	GREATER(4, greater0); GREATER(5, greater1); GREATER(6, greater0); GREATER(7, greater1)
	GREATER(8, greater0); GREATER(9, greater1); GREATER(10, greater0); GREATER(11, greater1)
	GREATER(12, greater0); GREATER(13, greater1); GREATER(14, greater0); GREATER(15, greater1)
	VPADDD       greater1, greater0, Z8 // lanes with greater ≥ k become +Inf
	VPBROADCASTD rank, Z9
	VPCMPD       $1, Z9, Z8, K2
	MOVL         $0x7f800000, AX
	VPBROADCASTD AX, Z4
	VMOVAPS      max0, K2, Z4
	VEXTRACTF64X4 $1, Z4, Y5            // t = the least of 16 lanes: of 8, 4, 2
	VMINPS       Y5, Y4, Y4
	VEXTRACTF128 $1, Y4, X5
	VMINPS       X5, X4, X4
	VPERMILPS    $0x4e, X4, X5
	VMINPS       X5, X4, X4
	VPERMILPS    $0xb1, X4, X5          // of 2
	VMINPS       X5, X4, X4
	VMOVSS       X4, t+40(FP)
	KORTESTW     nans, nans             // nan = any lane had one
	SETNE        nan+44(FP)
	VZEROUPPER
	RET
#undef out
#undef rank
#undef max0
#undef max1
#undef max2
#undef max3
#undef greater0
#undef greater1
#undef nans
#undef GREATER

// func selectKeysF32AVX512(dst []int64, x []float32, t float32, base int) int
//
// Requires: AVX512F, AVX512DQ, POPCNT
//
// Values and indices to keep are compressed in registers, and whole vectors are stored. Such a
// store cannot exceed dst, because the number of kept values is at most the number of read values.
// The tail is masked.
// Registers: R9: base; Z26-Z29: see CONSTANTS.
TEXT ·selectKeysF32AVX512(SB), NOSPLIT, $0-72
#define keys      DI  // end of the keys
#define threshold Z0  // t
#define sixteen   Z30 // 16
#define indices   Z31
	MOVQ dst_base+0(FP), keys // arguments
	MOVQ x_base+24(FP), x
	MOVQ x_len+32(FP), left
	MOVQ base+56(FP), R9
	VBROADCASTSS t+48(FP), threshold
	CONSTANTS
	SUBQ $64, left            // if left < 64: goto vectors
	JLT  vectors

loop64: // mostly without a value to keep
	VCMPPS   $0x12, (x), threshold, K1 // t ≤ x
	VCMPPS   $0x12, 64(x), threshold, K2
	VCMPPS   $0x12, 128(x), threshold, K3
	VCMPPS   $0x12, 192(x), threshold, K4
	KORW     K1, K2, K5                // if any: goto keep64
	KORW     K3, K4, K6
	KORTESTW K5, K6
	JNE      keep64

// KEEP appends the keys of the values at offset whose bit in mask is set.
#define KEEP(offset, mask) \
	VPCOMPRESSD.Z indices, mask, Z3; \ // those indices and values come first
	VMOVUPS       offset(x), Z4; \
	VPCOMPRESSD.Z Z4, mask, Z4; \
	DESCENDING(Z4); \
	INTERLEAVE(Z4, Z3); \
	VMOVDQU64     Z6, (keys); \ // 16 keys, of which the set bits count
	VMOVDQU64     Z7, 64(keys); \
	KMOVW         mask, AX; \
	POPCNTL       AX, AX; \
	LEAQ          (keys)(AX*8), keys; \
	VPADDD        sixteen, indices, indices

next64:
	VPSLLD $2, sixteen, Z3 // indices += 64
	VPADDD Z3, indices, indices
	ADDQ   $256, x
	SUBQ   $64, left
	JGE    loop64
	JMP    vectors

keep64:
	KEEP(0, K1) // append the keys of all 64
	KEEP(64, K2)
	KEEP(128, K3)
	KEEP(192, K4)
	ADDQ $256, x
	SUBQ $64, left
	JGE  loop64

vectors:
	ADDQ $48, left // if left < 16: goto tail
	JLT  tail

loop16:
	VCMPPS $0x12, (x), threshold, K1 // t ≤ x
	KEEP(0, K1)
	ADDQ   $64, x
	SUBQ   $16, left
	JGE    loop16

tail:
	ADDQ      $16, left           // if left == 0: goto done
	JLE       done
	MOVL      $1, AX              // of 1<<left − 1 lanes, those with t ≤ x
	SHLL      left, AX
	DECL      AX
	KMOVW     AX, K3
	VMOVUPS.Z (x), K3, Z4
	VCMPPS    $0x12, Z4, threshold, K3, K1
	VPCOMPRESSD.Z indices, K1, Z3 // their keys
	VPCOMPRESSD.Z Z4, K1, Z4
	DESCENDING(Z4)
	INTERLEAVE(Z4, Z3)
	KMOVW     K1, AX              // append only them: no more than left fit
	POPCNTL   AX, CX
	MOVL      $1, AX
	SHLL      CX, AX
	DECL      AX
	KMOVW     AX, K3
	VMOVDQU64 Z6, K3, (keys)
	KSHIFTRW  $8, K3, K3          // the second 8
	VMOVDQU64 Z7, K3, 64(keys)
	LEAQ      (keys)(CX*8), keys

done:
	SUBQ dst_base+0(FP), keys // return the number of keys
	SHRQ $3, keys
	MOVQ keys, ret+64(FP)
	VZEROUPPER
	RET
#undef keys
#undef threshold
#undef sixteen
#undef indices
#undef KEEP

// func countLevelsU8AVX512(counts *[16]int64, x []uint8, levels int) (others int64)
//
// Requires: AVX512F, AVX512BW, POPCNT
//
// It accepts at most 256 elements.
// Registers: DI: counts; SI: the next elements; BX: elements left, until all are loaded; R8:
// levels; R9: level; R10: elements counted; Z0-Z3: all elements; K1-K4: their lanes; Z4: the level.
TEXT ·countLevelsU8AVX512(SB), NOSPLIT, $0-48
	MOVQ counts+0(FP), DI // arguments
	MOVQ x_base+8(FP), SI
	MOVQ x_len+16(FP), BX
	MOVQ levels+32(FP), R8
	XORL R10, R10
	XORL R9, R9

// LOAD loads the next 64 elements, or the remaining ones and zeros. It uses AX, CX and DX.
#define LOAD(z, k) \
	MOVQ        $-1, AX; \ // CX = the number of missing elements
	XORL        DX, DX; \
	MOVL        $64, CX; \
	SUBQ        BX, CX; \
	CMOVQLT     DX, CX; \
	SHRQ        CX, AX; \ // k = −1>>CX, or 0 if all are missing: a shift by 64 would be by 0
	CMPQ        CX, $64; \
	CMOVQGE     DX, AX; \
	KMOVQ       AX, k; \
	VMOVDQU8.Z  (SI), k, z; \
	ADDQ        $64, SI; \
	SUBQ        $64, BX

	LOAD(Z0, K1); LOAD(Z1, K2)
	CMPQ BX, $0 // if at most 128 elements: goto level2
	JLE  level2
	LOAD(Z2, K3); LOAD(Z3, K4)

level4:
	CMPQ         R9, R8         // for level < levels
	JGE          done
	VPBROADCASTB R9, Z4
	VPCMPEQB     Z4, Z0, K1, K5; VPCMPEQB Z4, Z1, K2, K6 // masks = x[i] == level
	KMOVQ        K5, AX; KMOVQ K6, BX
	VPCMPEQB     Z4, Z2, K3, K5; VPCMPEQB Z4, Z3, K4, K6
	KMOVQ        K5, DX; KMOVQ K6, R11
	POPCNTQ      AX, AX; POPCNTQ BX, BX; POPCNTQ DX, DX; POPCNTQ R11, R11 // n = the number of bits
	ADDQ         BX, AX; ADDQ R11, DX; ADDQ DX, AX
	ADDQ         AX, (DI)(R9*8) // counts[level] += n
	ADDQ         AX, R10
	INCQ         R9
	JMP          level4

level2:
	CMPQ         R9, R8                 // for level < levels
	JGE          done
	VPBROADCASTB R9, Z4
	VPCMPEQB     Z4, Z0, K1, K5; VPCMPEQB Z4, Z1, K2, K6 // masks = x[i] == level
	KMOVQ        K5, AX; KMOVQ K6, BX
	POPCNTQ      AX, AX; POPCNTQ BX, BX // counts[level] += the number of bits
	ADDQ         BX, AX
	ADDQ         AX, (DI)(R9*8)
	ADDQ         AX, R10
	INCQ         R9
	JMP          level2

done:
	MOVQ x_len+16(FP), AX // return the number of elements not counted
	SUBQ R10, AX
	MOVQ AX, others+40(FP)
	VZEROUPPER
	RET
#undef LOAD

// func bestGainsF32AVX512(dst *[16]float64, x []float32, grades []uint8, gains *[16]float64, k int) (nan, ok bool)
//
// Requires: AVX512F, AVX512DQ, AVX512BW, AVX512VL
//
// It keeps the four best keys of each lane in order. These 16 sorted columns of four are then
// merged to one column of 16 in Y0 to Y7, in which rank r is element r%8 of lane r/8. Columns are
// merged in pairs, and two of the rounds keep only the better half. The function fails if the fifth
// value of a lane, or the eighth of four lanes, is as good as the k-th.
// Registers: Z0-Z3: rows of 16 columns; Y0-Y7: rows of 8 columns, after merge; Y8: others of these
// columns.
TEXT ·bestGainsF32AVX512(SB), NOSPLIT, $0-74
#define out     DI  // dst
#define grades  R8  // next grade
#define rank    R11 // k
#define others  Z8  // best of the keys in no column
#define most    X24 // 15, in bytes: the highest grade
#define fifteen Z25
#define worst   Z27 // worst key
#define nans    K1  // lanes that had a NaN
#define even    K1  // even lanes, after merge
#define odd     K2  // odd lanes
#define first   K5  // the first k ranks
	MOVQ  dst+0(FP), out // arguments
	MOVQ  x_base+8(FP), x
	MOVQ  x_len+16(FP), left
	MOVQ  grades_base+32(FP), grades
	MOVQ  k+64(FP), rank
	GRADED_CONSTANTS
	VPACKUSDW X25, X25, most
	VPACKUSWB most, most, most
	VMOVDQA32 worst, Z0; VMOVDQA32 worst, Z1; VMOVDQA32 worst, Z2; VMOVDQA32 worst, Z3 // empty columns
	VMOVDQA32 worst, others
	KXORW nans, nans, nans
	SUBQ  $16, left      // if left < 16: goto tail
	JLT   tail

// INSERT inserts the keys Z4 into the columns. The keys that drop out go to others.
#define INSERT \
	VPMAXSD Z0, Z4, Z5; \
	VPMINSD Z0, Z4, Z0; \
	VPMAXSD Z1, Z5, Z6; \
	VPMINSD Z1, Z5, Z1; \
	VPMAXSD Z2, Z6, Z5; \
	VPMINSD Z2, Z6, Z2; \
	VPMAXSD Z3, Z5, Z6; \ // the fifth
	VPMINSD Z3, Z5, Z3; \
	VPMINSD Z6, others, others

loop16:
	VMOVUPS   (x), Z4        // grade = min(grades[i], 15)
	VPMINUB   (grades), most, X7
	VPMOVZXBD X7, Z7
	VCMPPS    $3, Z4, Z4, K2 // nans |= x[i] is a NaN
	KORW      K2, nans, nans
	GRADED(Z4, Z7, Z5)
	INSERT
	ADDQ      $64, x         // the next 16
	ADDQ      $16, grades
	SUBQ      $16, left
	JGE       loop16

tail:
	ADDQ       $16, left     // if left == 0: goto merge
	JLE        merge
	MOVL       $0xffff, AX   // the first left lanes are K3, the others K4
	SHLL       left, AX
	KMOVW      AX, K4
	KNOTW      K4, K3
	VMOVUPS.Z  (x), K3, Z4   // the same for them
	VMOVDQU8.Z (grades), K3, X7
	VPMINUB    most, X7, X7
	VPMOVZXBD  X7, Z7
	VCMPPS     $3, Z4, Z4, K2
	KORW       K2, nans, nans
	GRADED(Z4, Z7, Z5)
	VMOVDQA32  worst, K4, Z4 // and the worst key in the other lanes
	INSERT

merge:
	KORTESTW      nans, nans // if any value is a NaN: goto nan
	JNE           nan
	MOVL          $0x55, AX; KMOVW AX, even
	MOVL          $0xaa, AX; KMOVW AX, odd
	VMOVDQA       github·com∕simdrank∕simdrank∕internal∕kern·Iota(SB), Y9
	MOVL          $5, AX     // lanes 4 apart and reversed in pairs: iota xor 5
	VPBROADCASTD  AX, Y10
	VPXOR         Y10, Y9, Y9
	VEXTRACTI64X4 $1, Z0, Y4; VEXTRACTI64X4 $1, Z1, Y5 // columns of 8, of lanes that are 8 apart
	VEXTRACTI64X4 $1, Z2, Y6; VEXTRACTI64X4 $1, Z3, Y7
	VEXTRACTI64X4 $1, others, Y11
	VPMINSD       Y11, Y8, Y8
	MERGE32(Y0, Y1, Y2, Y3, Y4, Y5, Y6, Y7, Y10)

// BEST compares row a of each column with row b of the neighboring column, where b is as far from
// the last row as a from the first. The better half remains in both columns.
#define BEST(a, b) \
	VPSHUFD $0xb1, a, Y10; \
	VPSHUFD $0xb1, b, Y11; \
	VPMINSD Y11, a, a; \
	VPMINSD Y10, b, b

// FLIP merges the columns of neighboring pairs of lanes, which then take two lanes. a and b are
// rows at the same distance from the first and the last row.
#define FLIP(a, b) \
	VPSHUFD $0x1b, a, Y10; \
	VPSHUFD $0x1b, b, Y11; \
	FIX32(Y11, a, even, odd); \
	FIX32(Y10, b, even, odd)

// LAST is BEST for columns of two lanes each, which are 4 lanes apart.
#define LAST(a, b) \
	VPERMD  a, Y9, Y10; \
	VPERMD  b, Y9, Y11; \
	VPMINSD Y11, a, a; \
	VPMINSD Y10, b, b

// LANE orders neighboring lanes.
#define LANE(a) \
	VPSHUFD $0xb1, a, Y10; \
	FIX32(Y10, a, even, odd)

	// Keep the best 8 of neighboring columns in both. All keys that are dropped are at most as good
	// as the eighth.
	BEST(Y0, Y7); BEST(Y1, Y6); BEST(Y2, Y5); BEST(Y3, Y4)
	CLEAN32(Y0, Y1, Y2, Y3, Y4, Y5, Y6, Y7, Y10)
	VPMINSD Y7, Y8, Y8
	// Merge columns of 16, which take two lanes, and keep the best 16 of two of them, sorted.
	FLIP(Y0, Y7); FLIP(Y1, Y6); FLIP(Y2, Y5); FLIP(Y3, Y4)
	CLEAN32(Y0, Y1, Y2, Y3, Y4, Y5, Y6, Y7, Y10)
	LAST(Y0, Y7); LAST(Y1, Y6); LAST(Y2, Y5); LAST(Y3, Y4)
	LANE(Y0); LANE(Y1); LANE(Y2); LANE(Y3); LANE(Y4); LANE(Y5); LANE(Y6); LANE(Y7)
	CLEAN32(Y0, Y1, Y2, Y3, Y4, Y5, Y6, Y7, Y10)
	KEYS16 // Z2 = the 16 keys
	VINSERTI64X4  $1, Y1, Z0, Z2

	MOVQ          rank, CX          // first = 1<<k − 1
	MOVL          $-1, AX
	SHLL          CX, AX
	NOTL          AX
	KMOVW         AX, first
	DECL          CX                // K1 = lanes with others ≤ the k-th key | 15
	VPBROADCASTD  CX, Z3
	VPERMD        Z2, Z3, Z3
	VPORD         fifteen, Z3, Z3
	VPCMPD        $2, Y3, Y8, K1
	VALIGND       $1, Z2, Z2, Z4    // K2 = keys tied with their successors
	VPXORD        Z2, Z4, Z4
	VPCMPUD       $2, fifteen, Z4, first, K2
	VPANDD        fifteen, Z2, Z4   // K3 = grades of 15 or more
	VPCMPEQD      fifteen, Z4, first, K3
	KORW          K1, K2, K1        // if any: goto fail
	KORTESTW      K1, K3
	JNE           fail
	MOVQ          gains+56(FP), AX
	VMOVUPD       (AX), Z4          // dst[r] = gains[key&15] if r < k, otherwise 0
	VMOVUPD       64(AX), Z5
	VPMOVZXDQ     Y0, Z0
	VPMOVZXDQ     Y1, Z1
	KSHIFTRW      $8, first, K6
	VPERMI2PD.Z   Z5, Z4, first, Z0 // masked by rank
	VPERMI2PD.Z   Z5, Z4, K6, Z1
	VMOVUPD       Z0, (out)
	VMOVUPD       Z1, 64(out)
	MOVB          $0, nan+72(FP)    // return false, true
	MOVB          $1, ok+73(FP)
	VZEROUPPER
	RET

nan:
	MOVB $1, nan+72(FP) // return true, false
	MOVB $0, ok+73(FP)
	VZEROUPPER
	RET

fail:
	MOVB $0, nan+72(FP) // return false, false
	MOVB $0, ok+73(FP)
	VZEROUPPER
	RET
#undef out
#undef grades
#undef rank
#undef others
#undef most
#undef fifteen
#undef worst
#undef nans
#undef even
#undef odd
#undef first
#undef INSERT
#undef BEST
#undef FLIP
#undef LAST
#undef LANE

// func rankGainsF32AVX512(dst []float64, x []float32, grades []uint8, gains *[16]float64) (ok bool)
//
// Requires: AVX512F, AVX512DQ, AVX512BW
//
// It requires 65 to 128 values. The lanes are 16 columns of 8, which are sorted and merged in
// pairs, so that three of the stages of a bitonic merge (Batcher 1968) take place between
// registers. At the end, rank r is element r%8 of lane r/8, and its grade is nibble r%8 of 32 bits.
// Registers: Z0-Z7: rows of the keys; Z26: zero; Z27: 0x7fffffff.
TEXT ·rankGainsF32AVX512(SB), NOSPLIT, $64-81
#define dst     DI  // next gain
#define ranked  SI  // grades by rank, once keys are sorted
#define grades  R8
#define count   CX  // number of values, then ranks left
#define row4    K4  // lanes of row 4 with a value; all from 64 on
#define row5    K5
#define row6    K6
#define row7    K7
#define less1   K1  // lanes that keep the lesser of two at a distance of 1, during the sort
#define more1   K2  // lanes that keep the greater
#define less2   K3  // at a distance of 2
#define more2   K4
#define less4   K5
#define more4   K6
#define less8   K7
#define reverse Z22 // reverses 16 lanes
#define halves  Z23 // reverses 8 lanes
#define worst   Z24 // worst keys, no two of them equal
#define fifteen Z25
	MOVQ  dst_base+0(FP), dst                   // arguments
	MOVQ  x_base+24(FP), x
	MOVQ  x_len+32(FP), count
	MOVQ  grades_base+48(FP), grades
	GRADED_CONSTANTS
	MOVQ  $-1, AX                               // row4 = −1>>(128 − count), modulo 64: all values from 64 on
	NEGQ  count
	SHRQ  count, AX
	NEGQ  count
	KMOVQ AX, row4
	MOVL  $0x0f0f0f0f, AX                       // if any grade is 15 or more: goto fail
	VPBROADCASTD AX, Z24
	VMOVDQU8.Z 64(grades), row4, Z16
	VPMAXUB    (grades), Z16, Z16
	VPCMPUB    $5, Z24, Z16, K1
	KORTESTQ   K1, K1
	JNE        fail
	VMOVUPS   (x), Z0; VMOVUPS 64(x), Z1        // rows of values
	VMOVUPS   128(x), Z2; VMOVUPS 192(x), Z3
	VMOVUPS.Z 256(x), row4, Z4                  // the next rows are partial or empty
	KSHIFTRQ  $16, row4, row5; VMOVUPS.Z 320(x), row5, Z5
	KSHIFTRQ  $32, row4, row6; VMOVUPS.Z 384(x), row6, Z6
	KSHIFTRQ  $48, row4, row7; VMOVUPS.Z 448(x), row7, Z7
	VCMPPS    $3, Z0, Z1, K1                    // if any value is a NaN: goto fail
	VCMPPS    $3, Z2, Z3, K2; KORW K1, K2, K1
	VCMPPS    $3, Z4, Z5, K2; KORW K1, K2, K1
	VCMPPS    $3, Z6, Z7, K2
	KORTESTW  K1, K2
	JNE       fail
	VPMOVZXBD   (grades), Z16; GRADED(Z0, Z16, Z17) // rows of graded keys
	VPMOVZXBD   16(grades), Z18; GRADED(Z1, Z18, Z19)
	VPMOVZXBD   32(grades), Z16; GRADED(Z2, Z16, Z17)
	VPMOVZXBD   48(grades), Z18; GRADED(Z3, Z18, Z19)
	VPMOVZXBD.Z 64(grades), row4, Z16; GRADED(Z4, Z16, Z17) // the next rows are partial or empty
	VPMOVZXBD.Z 80(grades), row5, Z18; GRADED(Z5, Z18, Z19)
	VPMOVZXBD.Z 96(grades), row6, Z16; GRADED(Z6, Z16, Z17)
	VPMOVZXBD.Z 112(grades), row7, Z18; GRADED(Z7, Z18, Z19)
	VMOVDQU32 github·com∕simdrank∕simdrank∕internal∕kern·Iota(SB), Z23
	VPSLLD    $4, Z23, worst                    // worst = 0x7fff0000 + 16·iota
	VPSRLD    $15, Z27, Z16
	VPXORD    Z16, Z27, Z16
	VPORD     Z16, worst, worst
	MOVL      $256, AX                          // and 16·16 more in the next row
	VPBROADCASTD AX, Z16
	KNOTW     row4, K4; VMOVDQA32 worst, K4, Z4 // lanes without a value get the worst keys
	VPADDD    Z16, worst, worst; KNOTW row5, K5; VMOVDQA32 worst, K5, Z5
	VPADDD    Z16, worst, worst; KNOTW row6, K6; VMOVDQA32 worst, K6, Z6
	VPADDD    Z16, worst, worst; KNOTW row7, K7; VMOVDQA32 worst, K7, Z7

	MOVL  $0x5555, AX; KMOVW AX, less1; KNOTW less1, more1 // the masks of the sort
	MOVL  $0x3333, AX; KMOVW AX, less2; KNOTW less2, more2
	MOVL  $0x0f0f, AX; KMOVW AX, less4; KNOTW less4, more4
	VPXORD fifteen, Z23, reverse                // iota xor 15, and iota xor 7
	VPSRLD $1, fifteen, Z16
	VPXORD Z16, Z23, halves
	SORT32(Z0, Z1, Z2, Z3, Z4, Z5, Z6, Z7, Z16) // columns of 8

// FLIP merges the columns of lanes that order reverses: a with the reverse of b.
#define FLIP(order, a, b, least, most) \
	VPSHUFD order, a, Z16; \
	VPSHUFD order, b, Z17; \
	FIX32(Z17, a, least, most); \
	FIX32(Z16, b, least, most)

// FLIPBY is FLIP with a lane order in a register.
#define FLIPBY(order, a, b, least, most) \
	VPERMD a, order, Z16; \
	VPERMD b, order, Z17; \
	FIX32(Z17, a, least, most); \
	FIX32(Z16, b, least, most)

// LANE orders the lanes of a that are 1 apart, PAIR those 2 apart, and FOUR those 4 apart.
#define LANE(a) \
	VPSHUFD $0xb1, a, Z16; \
	FIX32(Z16, a, less1, more1)

#define PAIR(a) \
	VPSHUFD $0x4e, a, Z16; \
	FIX32(Z16, a, less2, more2)

#define FOUR(a) \
	VPERMQ $0x4e, a, Z16; \
	FIX32(Z16, a, less4, more4)

// LANES8 applies LANE to all rows and sorts the columns. PAIRS8 applies PAIR instead.
#define LANES8 \
	LANE(Z0); LANE(Z1); LANE(Z2); LANE(Z3); LANE(Z4); LANE(Z5); LANE(Z6); LANE(Z7); \
	CLEAN32(Z0, Z1, Z2, Z3, Z4, Z5, Z6, Z7, Z16)

#define PAIRS8 \
	PAIR(Z0); PAIR(Z1); PAIR(Z2); PAIR(Z3); PAIR(Z4); PAIR(Z5); PAIR(Z6); PAIR(Z7)

	FLIP($0xb1, Z0, Z7, less1, more1); FLIP($0xb1, Z1, Z6, less1, more1) // columns of 16, in two lanes
	FLIP($0xb1, Z2, Z5, less1, more1); FLIP($0xb1, Z3, Z4, less1, more1)
	CLEAN32(Z0, Z1, Z2, Z3, Z4, Z5, Z6, Z7, Z16)
	FLIP($0x1b, Z0, Z7, less2, more2); FLIP($0x1b, Z1, Z6, less2, more2) // of 32, in four
	FLIP($0x1b, Z2, Z5, less2, more2); FLIP($0x1b, Z3, Z4, less2, more2)
	LANES8
	FLIPBY(halves, Z0, Z7, less4, more4); FLIPBY(halves, Z1, Z6, less4, more4) // of 64, in eight
	FLIPBY(halves, Z2, Z5, less4, more4); FLIPBY(halves, Z3, Z4, less4, more4)
	PAIRS8
	LANES8
	MOVL  $0x00ff, AX // less8, and K2 for the greater until LANES8 needs more1
	KMOVW AX, less8
	KNOTW less8, K2
	FLIPBY(reverse, Z0, Z7, less8, K2); FLIPBY(reverse, Z1, Z6, less8, K2) // columns of 128, in 16 lanes
	FLIPBY(reverse, Z2, Z5, less8, K2); FLIPBY(reverse, Z3, Z4, less8, K2)
	KNOTW less1, more1
	FOUR(Z0); FOUR(Z1); FOUR(Z2); FOUR(Z3); FOUR(Z4); FOUR(Z5); FOUR(Z6); FOUR(Z7)
	PAIRS8
	LANES8

	VPXORD  Z1, Z0, Z8; VPXORD Z2, Z1, Z9     // differences of each key and its successor
	VPXORD  Z3, Z2, Z10; VPXORD Z4, Z3, Z11
	VPXORD  Z5, Z4, Z12; VPXORD Z6, Z5, Z13
	VPXORD  Z7, Z6, Z14
	VALIGND $1, Z0, Z0, Z15                   // the last row is followed by the next lanes of the first
	VPXORD  Z7, Z15, Z15
	VPMINUD Z9, Z8, Z8; VPMINUD Z11, Z10, Z10 // if the least is at most 15, which is a tie: goto fail
	VPMINUD Z13, Z12, Z12; VPMINUD Z15, Z14, Z14
	VPMINUD Z10, Z8, Z8; VPMINUD Z14, Z12, Z12
	VPMINUD Z12, Z8, Z8
	VPCMPUD  $2, fifteen, Z8, K1
	KORTESTW K1, K1
	JNE      fail
	VPANDD     fifteen, Z3, Z8                // grades of rows 0 to 3 in Z8, of rows 4 to 7 in Z9
	VPSLLD     $4, Z7, Z9; VPSLLD $4, Z8, Z8  // grades = grades<<4 | key&15
	VPTERNLOGD $0xf8, fifteen, Z6, Z9; VPTERNLOGD $0xf8, fifteen, Z2, Z8
	VPSLLD     $4, Z9, Z9; VPSLLD $4, Z8, Z8
	VPTERNLOGD $0xf8, fifteen, Z5, Z9; VPTERNLOGD $0xf8, fifteen, Z1, Z8
	VPSLLD     $4, Z9, Z9; VPSLLD $4, Z8, Z8
	VPTERNLOGD $0xf8, fifteen, Z4, Z9; VPTERNLOGD $0xf8, fifteen, Z0, Z8
	VPSLLD     $16, Z9, Z9                    // ranked[lane] = 8 grades
	VPORD      Z9, Z8, Z8
	VMOVDQU32  Z8, nibbles-64(SP)
	LEAQ       nibbles-64(SP), ranked
	MOVQ       gains+72(FP), AX
	VMOVUPD    (AX), Z0
	VMOVUPD    64(AX), Z1
	VMOVDQU64  github·com∕simdrank∕simdrank∕internal∕kern·Iota64(SB), Z2 // shifts = 4·iota
	VPSLLQ     $2, Z2, Z2
	SUBQ       $8, count

gain8:
	VPBROADCASTD (ranked), Z3 // dst[i] = gains[grade of rank i]
	VPSRLVQ      Z2, Z3, Z3
	VPERMI2PD    Z1, Z0, Z3
	VMOVUPD      Z3, (dst)
	ADDQ         $4, ranked   // the next 8 ranks
	ADDQ         $64, dst
	SUBQ         $8, count
	JGE          gain8
	ADDQ         $8, count    // if none is left: goto done
	JEQ          done
	MOVL         $-1, AX      // the same for 1<<count − 1
	SHLL         count, AX
	NOTL         AX
	KMOVB        AX, K1
	VPBROADCASTD (ranked), Z3
	VPSRLVQ      Z2, Z3, Z3
	VPERMI2PD    Z1, Z0, Z3
	VMOVUPD      Z3, K1, (dst)

done:
	MOVB $1, ok+80(FP) // return true
	VZEROUPPER
	RET

fail:
	MOVB $0, ok+80(FP) // return false
	VZEROUPPER
	RET
#undef dst
#undef ranked
#undef grades
#undef count
#undef row4
#undef row5
#undef row6
#undef row7
#undef less1
#undef more1
#undef less2
#undef more2
#undef less4
#undef more4
#undef less8
#undef reverse
#undef halves
#undef worst
#undef fifteen
#undef FLIP
#undef FLIPBY
#undef LANE
#undef PAIR
#undef FOUR
#undef LANES8
#undef PAIRS8
