//go:build !purego

#include "textflag.h"
#include "sort32_amd64.h"

// AVX2 kernels of ranking keys. A vector holds 8 float32.

#define x    SI // next value
#define left CX // values left

// KEY converts BX, the bits of a float that is not a NaN, to the upper half of its key. If b is the
// bits of the float + 0, this is the complement of b xor (b>>31 and 0x7fffffff). R8 must be zero.
// It uses DX.
#define KEY \
	CMPL    BX, $0x80000000; \ // −0 becomes +0
	CMOVLEQ R8, BX; \
	MOVL    BX, DX; \
	SARL    $31, DX; \
	ANDL    $0x7fffffff, DX; \ // the bits to flip in a negative float
	XORL    DX, BX; \
	NOTL    BX; \
	SHLQ    $32, BX

// DESCENDING converts the floats v to upper halves of keys, like KEY. Y11 must be ones, Y12 zero
// and Y13 0x7fffffff. It uses Y6.
#define DESCENDING(v) \
	VADDPS Y12, v, v; \ // −0 becomes +0
	VPSRAD $31, v, Y6; \
	VPAND  Y13, Y6, Y6; \ // the bits to flip in a negative float
	VPXOR  Y6, v, v; \
	VPXOR  Y11, v, v

// INTERLEAVE sets Y8 and Y9 to eight keys with the given upper and lower halves. It uses Y6 and Y7.
#define INTERLEAVE(upper, lower) \
	VPUNPCKLDQ upper, lower, Y6; \ // keys 0 1 4 5
	VPUNPCKHDQ upper, lower, Y7; \ // 2 3 6 7
	VPERM2I128 $0x20, Y7, Y6, Y8; \
	VPERM2I128 $0x31, Y7, Y6, Y9

// GRADED converts the floats v and their 32-bit grades g to graded keys. These are integers in the
// order of the floats, with the last four bits replaced by the grade; grades above 15 become 15.
// Keys are sorted in descending order. Keys that differ only in the grade may be in any order,
// because they count as tied. Y13 must be zero and Y14 15. Y15 collects NaNs, and t is scratch.
#define GRADED(v, g, t) \
	VADDPS   Y13, v, v; \ // −0 becomes +0
	VCMPPS   $3, v, v, t; \ // nans |= v is a NaN
	VORPS    t, Y15, Y15; \
	VPSRAD   $31, v, t; \ // v ^= 0x7fffffff if v is negative
	VPSRLD   $1, t, t; \
	VPXOR    t, v, v; \
	VPOR     Y14, v, v; \ // v = v | 15, xor 15 less the grade
	VPSUBUSB g, Y14, g; \
	VPXOR    g, v, v

// ORDER32 sets a to the greater and b to the lesser element of each lane.
#define ORDER32(a, b, t) \
	VPMINSD b, a, t; \
	VPMAXSD b, a, a; \
	VMOVDQA t, b

// FIX32 compares r with its permutation s. Lanes of r keep the lesser element if their bit is set,
// and the greater one otherwise.
#define FIX32(s, r, bits, t) \
	VPMAXSD  s, r, t; \
	VPMINSD  s, r, r; \
	VPBLENDD bits, r, t, r

// FLIP merges the columns of the lanes that order exchanges. a and b are rows at the same distance
// from the first and the last row.
#define FLIP(order, bits, a, b) \
	VPSHUFD order, a, Y8; \
	VPSHUFD order, b, Y9; \
	FIX32(Y9, a, bits, Y10); \
	FIX32(Y8, b, bits, Y10)

// NEAR orders the lanes of a that are one or two apart.
#define NEAR(order, bits, a) \
	VPSHUFD order, a, Y8; \
	FIX32(Y8, a, bits, Y9)

// NEAR8 applies NEAR to Y0 to Y7.
#define NEAR8(order, bits) \
	NEAR(order, bits, Y0); NEAR(order, bits, Y1); NEAR(order, bits, Y2); NEAR(order, bits, Y3); \
	NEAR(order, bits, Y4); NEAR(order, bits, Y5); NEAR(order, bits, Y6); NEAR(order, bits, Y7)

// GAINS loads the 16 gains at R10 into the tables that GAINS8 reads: their lower halves into Y4
// (grades below 8) and Y5 (from 8 on), their upper halves into Y6 and Y7. It uses Y8.
#define GAINS \
	VMOVUPS (R10), Y6; \ // gains 0 to 7, halves apart
	VMOVUPS 32(R10), Y8; \
	VSHUFPS $0x88, Y8, Y6, Y4; \
	VSHUFPS $0xdd, Y8, Y6, Y6; \
	VMOVUPS 64(R10), Y7; \ // gains 8 to 15
	VMOVUPS 96(R10), Y8; \
	VSHUFPS $0x88, Y8, Y7, Y5; \
	VSHUFPS $0xdd, Y8, Y7, Y7; \
	VPERMQ  $0xd8, Y4, Y4; VPERMQ $0xd8, Y5, Y5; \ // in order
	VPERMQ  $0xd8, Y6, Y6; VPERMQ $0xd8, Y7, Y7

// GAINS8 sets Y10 to the lower and Y11 to the upper halves of the gains of the grades in the last
// four bits of Y8. It uses Y9.
#define GAINS8 \
	VPSLLD    $28, Y8, Y9; \ // the sign: 8 and above
	VPERMD    Y4, Y8, Y10; \ // lower halves
	VPERMD    Y5, Y8, Y11; \
	VBLENDVPS Y9, Y11, Y10, Y10; \
	VPERMD    Y6, Y8, Y11; \ // upper halves
	VPERMD    Y7, Y8, Y8; \
	VBLENDVPS Y9, Y8, Y11, Y11

// func rankKeysF32AVX2(dst []int64, x []float32, base int) (nan bool)
//
// Requires: AVX, AVX2
//
// The tail is processed value by value.
// Registers: DI: the next key; R8, Y12: zero; R9: the index of the next value; R10: 1 once the tail
// had a NaN; Y4: values; Y10: lanes that had a NaN; Y11: ones; Y13: 0x7fffffff; Y14: 8; Y15:
// indices.
TEXT ·rankKeysF32AVX2(SB), NOSPLIT, $0-57
	MOVQ  dst_base+0(FP), DI // arguments
	MOVQ  x_base+24(FP), x
	MOVQ  x_len+32(FP), left
	MOVQ  base+48(FP), R9
	XORL  R10, R10
	VMOVQ R9, X15            // indices = base + iota
	VPBROADCASTD X15, Y15
	VPADDD github·com∕simdrank∕simdrank∕internal∕kern·Iota(SB), Y15, Y15
	VPCMPEQD Y11, Y11, Y11   // constants
	VPSRLD $31, Y11, Y14
	VPSLLD $3, Y14, Y14
	VPSRLD $1, Y11, Y13
	VPXOR  Y12, Y12, Y12
	VPXOR  Y10, Y10, Y10     // no NaN so far
	SUBQ  $8, left           // if left < 8: goto tail
	JLT   tail

loop8:
	VMOVUPS (x), Y4       // nans |= x[i] is a NaN
	VCMPPS  $3, Y4, Y4, Y5
	VPOR    Y5, Y10, Y10
	DESCENDING(Y4)        // dst[i] = descending(x[i])<<32 | index, the greatest for a NaN
	VBLENDVPS Y5, Y13, Y4, Y4
	INTERLEAVE(Y4, Y15)
	VMOVDQU Y8, (DI)
	VMOVDQU Y9, 32(DI)
	VPADDD  Y14, Y15, Y15 // the next 8
	ADDQ    $8, R9
	ADDQ    $32, x
	ADDQ    $64, DI
	SUBQ    $8, left
	JGE     loop8

tail:
	ADDQ $8, left // if left == 0: goto done
	JLE  done
	XORL R8, R8

loop1:
	MOVL (x), BX // if x[i] is a NaN: goto nan
	MOVL BX, AX
	ANDL $0x7fffffff, AX
	CMPL AX, $0x7f800000
	JHI  nan
	KEY

store:
	ORQ  R9, BX // dst[i] = descending<<32 | index
	MOVQ BX, (DI)
	INCQ R9
	ADDQ $4, x
	ADDQ $8, DI
	DECQ left
	JNZ  loop1

done:
	VMOVMSKPS Y10, AX // return whether a vector or the tail had a NaN
	ORL       R10, AX
	SETNE     nan+56(FP)
	VZEROUPPER
	RET

nan:
	MOVL $1, R10 // the greatest upper half
	MOVL $0x7fffffff, BX
	SHLQ $32, BX
	JMP  store

// func rankGradesF32AVX2(dst []int64, x []float32, grades []uint8, base int) (nan bool)
//
// Requires: AVX, AVX2
//
// It is like rankKeysF32AVX2, but the lower halves are index·256 + grade.
// Registers: DI: the next key; R12: the next grade; R8, Y12: zero; R9: the index of the next value,
// times 256; R10: 1 once the tail had a NaN; Y3: lower halves; Y4: values; Y10: lanes that had a
// NaN; Y11: ones; Y13: 0x7fffffff; Y14: 8·256; Y15: indices times 256.
TEXT ·rankGradesF32AVX2(SB), NOSPLIT, $0-81
	MOVQ  dst_base+0(FP), DI // arguments
	MOVQ  x_base+24(FP), x
	MOVQ  x_len+32(FP), left
	MOVQ  grades_base+48(FP), R12
	MOVQ  base+72(FP), R9
	XORL  R10, R10
	VMOVQ R9, X15            // indices = (base + iota)·256
	VPBROADCASTD X15, Y15
	VPADDD github·com∕simdrank∕simdrank∕internal∕kern·Iota(SB), Y15, Y15
	VPSLLD $8, Y15, Y15
	SHLQ  $8, R9
	VPCMPEQD Y11, Y11, Y11   // constants
	VPSRLD $31, Y11, Y14
	VPSLLD $11, Y14, Y14
	VPSRLD $1, Y11, Y13
	VPXOR  Y12, Y12, Y12
	VPXOR  Y10, Y10, Y10     // no NaN so far
	SUBQ  $8, left           // if left < 8: goto tail
	JLT   tail

loop8:
	VMOVUPS (x), Y4       // nans |= x[i] is a NaN
	VPMOVZXBD (R12), Y3
	VCMPPS  $3, Y4, Y4, Y5
	VPOR    Y5, Y10, Y10
	DESCENDING(Y4)        // dst[i] = descending(x[i])<<32 | index<<8 | grade, the greatest for a NaN
	VBLENDVPS Y5, Y13, Y4, Y4
	VPOR    Y15, Y3, Y3
	INTERLEAVE(Y4, Y3)
	VMOVDQU Y8, (DI)
	VMOVDQU Y9, 32(DI)
	VPADDD  Y14, Y15, Y15 // the next 8
	ADDQ    $2048, R9
	ADDQ    $32, x
	ADDQ    $8, R12
	ADDQ    $64, DI
	SUBQ    $8, left
	JGE     loop8

tail:
	ADDQ $8, left // if left == 0: goto done
	JLE  done
	XORL R8, R8

loop1:
	MOVL (x), BX // if x[i] is a NaN: goto nan
	MOVL BX, AX
	ANDL $0x7fffffff, AX
	CMPL AX, $0x7f800000
	JHI  nan
	KEY

store:
	ORQ     R9, BX   // dst[i] = descending<<32 | index<<8 | grade
	MOVBLZX (R12), AX
	ORQ     AX, BX
	MOVQ    BX, (DI)
	ADDQ    $256, R9 // the next value
	ADDQ    $4, x
	INCQ    R12
	ADDQ    $8, DI
	DECQ    left
	JNZ     loop1

done:
	VMOVMSKPS Y10, AX // return whether a vector or the tail had a NaN
	ORL       R10, AX
	SETNE     nan+80(FP)
	VZEROUPPER
	RET

nan:
	MOVL $1, R10 // the greatest upper half
	MOVL $0x7fffffff, BX
	SHLQ $32, BX
	JMP  store

// func thresholdF32AVX2(lanes *[16]float32, x []float32, k int) (t float32, nan bool)
//
// Requires: AVX, AVX2
//
// If the value is a NaN, VMAXPS returns its second operand, the maximum. The tail is masked. A lane
// is among the k largest if fewer than k lanes are greater. The result is the least of these lanes.
// Registers: named below.
TEXT ·thresholdF32AVX2(SB), NOSPLIT, $0-45
#define out      DI  // lanes
#define rank     R8  // k
#define max0     Y0  // maxima of lanes 0 to 7
#define max1     Y1  // of lanes 8 to 15
#define max2     Y2  // like max0, of every other 16 values
#define max3     Y3  // like max1
#define nans     Y8  // lanes that had a NaN
#define greater0 Y9  // number of lanes greater than lanes 0 to 7
#define greater1 Y10 // than lanes 8 to 15
	MOVQ    lanes+0(FP), out // arguments
	MOVQ    x_base+8(FP), x
	MOVQ    x_len+16(FP), left
	MOVQ    k+32(FP), rank
	VMOVUPS (out), max0      // initialize the maxima
	VMOVUPS 32(out), max1
	VMOVAPS max0, max2; VMOVAPS max1, max3
	VXORPS  nans, nans, nans
	SUBQ    $32, left        // if left < 32: goto last16
	JLT     last16

loop32:
	VMOVUPS (x), Y4          // max[i] = max(x[i], max[i]); nans |= x[i] is a NaN
	VMOVUPS 32(x), Y5
	VMOVUPS 64(x), Y6
	VMOVUPS 96(x), Y7
	VCMPPS  $3, Y4, Y5, Y9
	VCMPPS  $3, Y6, Y7, Y10
	VMAXPS  max0, Y4, max0   // a NaN leaves the maximum
	VMAXPS  max1, Y5, max1
	VMAXPS  max2, Y6, max2
	VMAXPS  max3, Y7, max3
	VORPS   Y9, Y10, Y10
	VORPS   Y10, nans, nans
	ADDQ    $128, x          // the next 32
	SUBQ    $32, left
	JGE     loop32
	VMAXPS  max2, max0, max0 // both halves
	VMAXPS  max3, max1, max1

last16:
	ADDQ $16, left  // if left < 16: goto tail
	JLT  tail
	VMOVUPS (x), Y4 // the same for 16 values
	VMOVUPS 32(x), Y5
	VCMPPS  $3, Y4, Y5, Y9
	VMAXPS  max0, Y4, max0
	VMAXPS  max1, Y5, max1
	VORPS   Y9, nans, nans
	ADDQ    $64, x
	SUBQ    $16, left

tail:
	ADDQ       $16, left   // if left == 0: goto ranks
	JLE        ranks
	LEAQ       github·com∕simdrank∕simdrank∕internal∕kern·Masks+96(SB), AX // the first left of 16 lanes
	SHLQ       $2, left
	SUBQ       left, AX
	VMOVUPS    (AX), Y6
	VMOVUPS    32(AX), Y7
	VMASKMOVPS (x), Y6, Y4 // the same for them
	VMASKMOVPS 32(x), Y7, Y5
	VCMPPS     $3, Y4, Y5, Y9
	VORPS      Y9, nans, nans
	VMAXPS     max0, Y4, Y4
	VMAXPS     max1, Y5, Y5
	VBLENDVPS  Y6, Y4, max0, max0
	VBLENDVPS  Y7, Y5, max1, max1

ranks:
	VXORPS  greater0, greater0, greater0 // no lane is greater so far
	VXORPS  greater1, greater1, greater1
	VADDPS  greater0, max0, max0         // lanes = max + 0: −0 becomes +0
	VADDPS  greater0, max1, max1
	VMOVUPS max0, (out)
	VMOVUPS max1, 32(out)

// GREATER counts lane j for each lane that is less.
#define GREATER(j) \
	VBROADCASTSS (4*j)(out), Y4; \
	VCMPPS       $0x11, Y4, max0, Y5; \ // max < lanes[j]
	VCMPPS       $0x11, Y4, max1, Y6; \
	VPSUBD       Y5, greater0, greater0; \
	VPSUBD       Y6, greater1, greater1

	GREATER(0); GREATER(1); GREATER(2); GREATER(3)
	GREATER(4); GREATER(5); GREATER(6); GREATER(7)
	GREATER(8); GREATER(9); GREATER(10); GREATER(11)
	GREATER(12); GREATER(13); GREATER(14); GREATER(15)
	VMOVQ        rank, X4        // lanes with greater ≥ k become +Inf
	VPBROADCASTD X4, Y4
	VPCMPGTD     greater0, Y4, Y5
	VPCMPGTD     greater1, Y4, Y6
	MOVL         $0x7f800000, AX // +Inf
	VMOVQ        AX, X7
	VPBROADCASTD X7, Y7
	VBLENDVPS    Y5, max0, Y7, Y0
	VBLENDVPS    Y6, max1, Y7, Y1
	VMINPS       Y1, Y0, Y0      // t = the least of 16 lanes: of 8, 4, 2
	VEXTRACTF128 $1, Y0, X1
	VMINPS       X1, X0, X0
	VPERMILPS    $0x4e, X0, X1
	VMINPS       X1, X0, X0
	VPERMILPS    $0xb1, X0, X1
	VMINPS       X1, X0, X0
	VMOVSS       X0, t+40(FP)
	VMOVMSKPS    nans, AX        // nan = any lane had one
	TESTL        AX, AX
	SETNE        nan+44(FP)
	VZEROUPPER
	RET
#undef out
#undef rank
#undef max0
#undef max1
#undef max2
#undef max3
#undef nans
#undef greater0
#undef greater1
#undef GREATER

// func selectKeysF32AVX2(dst []int64, x []float32, t float32, base int) int
//
// Requires: AVX, AVX2, POPCNT
//
// In a list of 512 or more values, few reach t, so the mask of 32 comparisons is read bit by bit.
// In a shorter list their number is unpredictable. So all values are converted to keys, the keys to
// keep are permuted to the front of a vector, and whole vectors are stored. Such a store cannot
// exceed dst, because the number of kept values is at most the number of read values. The tail is
// processed value by value.
// Registers: R8, Y12: zero; Y11: ones; Y13: 0x7fffffff.
TEXT ·selectKeysF32AVX2(SB), NOSPLIT, $0-72
#define keys      DI  // end of the keys
#define index     R9  // index of x[0]
#define kept      R10 // a bit for each of 32 values that is to be kept
#define front     R11 // permutations that move a set of lanes to the front
#define threshold Y0  // t
#define eight     Y14 // 8
#define indices   Y15
	MOVQ         dst_base+0(FP), keys // arguments
	MOVQ         x_base+24(FP), x
	MOVQ         x_len+32(FP), left
	MOVQ         base+56(FP), index
	VBROADCASTSS t+48(FP), threshold
	XORL         R8, R8
	SUBQ         $32, left            // if left < 512: goto vectors
	JLT          vectors
	CMPQ         left, $(512-32)
	JLT          vectors

loop32:
	VCMPPS    $0x12, (x), threshold, Y1 // t ≤ x
	VCMPPS    $0x12, 32(x), threshold, Y2
	VCMPPS    $0x12, 64(x), threshold, Y3
	VCMPPS    $0x12, 96(x), threshold, Y4
	VORPS     Y1, Y2, Y5                // if none: goto next32
	VORPS     Y3, Y4, Y6
	VORPS     Y5, Y6, Y5
	VMOVMSKPS Y5, kept
	TESTL     kept, kept
	JEQ       next32
	VMOVMSKPS Y1, kept                  // kept = all 32 bits
	VMOVMSKPS Y2, AX
	SHLL      $8, AX
	ORL       AX, kept
	VMOVMSKPS Y3, AX
	SHLL      $16, AX
	ORL       AX, kept
	VMOVMSKPS Y4, AX                    // the last 8
	SHLL      $24, AX
	ORL       AX, kept

keep:
	BSFL kept, AX      // i = the lowest bit of kept, which is cleared
	LEAL -1(kept), BX
	ANDL BX, kept
	MOVL (x)(AX*4), BX // append key(x[i])
	KEY
	ADDL index, AX
	ORQ  AX, BX
	MOVQ BX, (keys)
	ADDQ $8, keys
	TESTL kept, kept   // while kept has bits
	JNE  keep

next32:
	ADDQ $128, x // the next 32
	ADDQ $32, index
	SUBQ $32, left
	JGE  loop32

vectors:
	ADDQ $24, left             // if left < 8: goto tail
	JLT  tail
	LEAQ         ·frontI64(SB), front
	VMOVQ        index, X15    // indices = index + iota
	VPBROADCASTD X15, indices
	VPADDD       github·com∕simdrank∕simdrank∕internal∕kern·Iota(SB), indices, indices
	VPCMPEQD     Y11, Y11, Y11 // constants
	VPSRLD       $31, Y11, eight
	VPSLLD       $3, eight, eight
	VPSRLD       $1, Y11, Y13
	VPXOR        Y12, Y12, Y12

loop8:
	VMOVUPS    (x), Y4 // Y1 = t ≤ x[i]; Y8 and Y9 = keys
	VCMPPS     $0x12, Y4, threshold, Y1
	DESCENDING(Y4)
	INTERLEAVE(Y4, indices)
	VPADDD     eight, indices, indices
	VMOVMSKPS  Y1, AX  // AX, BX = sets of the first and the last 4 lanes with t ≤ x[i]
	MOVL       AX, BX
	ANDL       $15, AX
	SHRL       $4, BX
	MOVL       AX, DX  // append the keys of AX: front[set] moves them to the front
	SHLL       $5, DX
	VMOVDQU    (front)(DX*1), Y6
	VPERMD     Y8, Y6, Y8
	VMOVDQU    Y8, (keys)
	POPCNTL    AX, AX
	LEAQ       (keys)(AX*8), keys
	MOVL       BX, DX  // append the keys of BX
	SHLL       $5, DX
	VMOVDQU    (front)(DX*1), Y7
	VPERMD     Y9, Y7, Y9
	VMOVDQU    Y9, (keys)
	POPCNTL    BX, BX
	LEAQ       (keys)(BX*8), keys
	ADDQ       $32, x  // the next 8
	ADDQ       $8, index
	SUBQ       $8, left
	JGE        loop8

tail:
	ADDQ $8, left // if left == 0: goto done
	JLE  done

loop1:
	VMOVSS   (x), X1 // if x[i] < t or x[i] is a NaN: goto next1
	VUCOMISS X0, X1
	JCS      next1
	MOVL     (x), BX // append key(x[i])
	KEY
	ORQ      index, BX
	MOVQ     BX, (keys)
	ADDQ     $8, keys

next1:
	ADDQ $4, x // the next value
	INCQ index
	DECQ left
	JNZ  loop1

done:
	SUBQ dst_base+0(FP), keys // return the number of keys
	SHRQ $3, keys
	MOVQ keys, ret+64(FP)
	VZEROUPPER
	RET
#undef keys
#undef index
#undef kept
#undef front
#undef threshold
#undef eight
#undef indices

// func countLevelsU8AVX2(counts *[16]int64, x []uint8, levels int) (others int64)
//
// Requires: AVX, AVX2
//
// Each part of up to 4096 elements is read once per level, from the nearest cache. Fewer than 32
// elements are counted one by one.
// Registers: DI: counts; SI: the part; R11: elements left; R12: elements of the part; R13: elements
// of its whole vectors; BX: elements counted of it; R8: levels; R9: level; R10: elements counted;
// Y1: the level; Y0, Y3: negative counts in bytes; Y14: elements of the last vector, which ends the
// part, that were counted before; Y15: zero.
TEXT ·countLevelsU8AVX2(SB), NOSPLIT, $0-48
	MOVQ  counts+0(FP), DI // arguments
	MOVQ  x_base+8(FP), SI
	MOVQ  x_len+16(FP), R11
	MOVQ  levels+32(FP), R8
	XORL  R10, R10
	VPXOR Y15, Y15, Y15
	CMPQ  R11, $32         // if left < 32: goto tail
	JLT   tail

part:
	MOVQ R11, R12 // elements = min(left, 4096)
	CMPQ R12, $4096
	JLE  whole
	MOVQ $4096, R12

whole:
	MOVQ    R12, R13 // counted = the first 32 − elements%32 lanes
	ANDQ    $-32, R13
	MOVQ    R12, AX
	ANDQ    $31, AX
	LEAQ    github·com∕simdrank∕simdrank∕internal∕kern·Masks+64(SB), BX
	VMOVDQU (BX)(AX*1), Y14
	XORL    R9, R9

level:
	CMPQ  R9, R8     // for level < levels
	JGE   nextPart
	VMOVQ R9, X1
	VPBROADCASTB X1, Y1
	VPXOR Y0, Y0, Y0 // initialize the counts
	VPXOR Y3, Y3, Y3
	XORL  BX, BX
	MOVQ  R13, DX    // if fewer than 128: goto loop32
	SUBQ  $128, DX
	JLT   loop32

loop128:
	VPCMPEQB (SI)(BX*1), Y1, Y4 // counts −= x[i] == level
	VPCMPEQB 32(SI)(BX*1), Y1, Y5
	VPCMPEQB 64(SI)(BX*1), Y1, Y6
	VPCMPEQB 96(SI)(BX*1), Y1, Y7
	VPADDB   Y4, Y0, Y0
	VPADDB   Y5, Y3, Y3
	VPADDB   Y6, Y0, Y0
	VPADDB   Y7, Y3, Y3
	ADDQ     $128, BX           // the next 128
	CMPQ     BX, DX
	JLE      loop128

loop32:
	CMPQ     BX, R13
	JGE      sum
	VPCMPEQB (SI)(BX*1), Y1, Y4 // counts −= x[i] == level
	VPADDB   Y4, Y0, Y0
	ADDQ     $32, BX
	JMP      loop32

sum:
	VPCMPEQB     -32(SI)(R12*1), Y1, Y4 // the last vector, without elements counted before
	VPANDN       Y4, Y14, Y4
	VPADDB       Y4, Y3, Y3
	VPXOR        Y4, Y4, Y4             // negate the counts, at most 68 each, and add them
	VPSUBB       Y0, Y4, Y0
	VPSUBB       Y3, Y4, Y3
	VPADDB       Y3, Y0, Y0
	VPSADBW      Y15, Y0, Y0            // n = the sum of all bytes
	VEXTRACTI128 $1, Y0, X2
	VPADDQ       X2, X0, X0
	VPSHUFD      $0x4e, X0, X2
	VPADDQ       X2, X0, X0
	VMOVQ        X0, AX
	ADDQ         AX, (DI)(R9*8)         // counts[level] += n
	ADDQ         AX, R10
	INCQ         R9
	JMP          level

nextPart:
	ADDQ R12, SI // the next part
	SUBQ R12, R11
	CMPQ R11, $32
	JGE  part

tail:
	TESTQ R11, R11 // while left > 0
	JEQ   done

loop1:
	MOVBLZX (SI), AX // if x[i] < levels: counts[x[i]]++
	INCQ    SI
	DECQ    R11
	CMPQ    AX, R8
	JGE     next1
	INCQ    (DI)(AX*8)
	INCQ    R10

next1:
	TESTQ R11, R11 // while left > 0
	JNE   loop1

done:
	MOVQ x_len+16(FP), AX // return the number of elements not counted
	SUBQ R10, AX
	MOVQ AX, others+40(FP)
	VZEROUPPER
	RET

// func bestGainsF32AVX2(dst *[16]float64, x []float32, grades []uint8, gains *[16]float64, k int) (nan, ok bool)
//
// Requires: AVX, AVX2
//
// It requires at least 8 values. It keeps the four best keys of each lane in order: of even vectors
// in Y0 to Y3, and of odd vectors in Y4 to Y7. These 16 sorted columns of four are then merged to
// one column of 16, in which rank r is element r%8 of lane r/8. Columns are merged in pairs, and
// two of the rounds keep only the better half. The function fails if the fifth value of a lane, or
// the eighth of four lanes, is as good as the k-th. Registers: Y0-Y7: rows of the columns.
TEXT ·bestGainsF32AVX2(SB), NOSPLIT, $0-74
#define out     DI  // dst
#define grades  R8  // next grade
#define table   R10 // gains
#define rank    R11 // k
#define others  Y12 // best of the keys in no column
#define zero    Y13
#define fifteen Y14
#define nans    Y15 // lanes that had a NaN
	MOVQ     dst+0(FP), out            // arguments
	MOVQ     x_base+8(FP), x
	MOVQ     x_len+16(FP), left
	MOVQ     grades_base+32(FP), grades
	MOVQ     gains+56(FP), table
	MOVQ     k+64(FP), rank
	VPCMPEQD fifteen, fifteen, fifteen // others = the worst key; constants
	VPSLLD   $31, fifteen, others
	VPSRLD   $28, fifteen, fifteen
	VPXOR    zero, zero, zero
	VPXOR    nans, nans, nans
	VMOVDQA  others, Y0; VMOVDQA others, Y1; VMOVDQA others, Y2; VMOVDQA others, Y3 // empty columns
	VMOVDQA  others, Y4; VMOVDQA others, Y5; VMOVDQA others, Y6; VMOVDQA others, Y7
	SUBQ     $16, left                 // if left < 16: goto last8
	JLT      last8

// INSERT inserts the keys Y8 into columns of four. The keys that drop out go to others.
#define INSERT(a, b, c, d) \
	VPMINSD a, Y8, Y9; \
	VPMAXSD a, Y8, a; \
	VPMINSD b, Y9, Y10; \
	VPMAXSD b, Y9, b; \
	VPMINSD c, Y10, Y9; \
	VPMAXSD c, Y10, c; \
	VPMINSD d, Y9, Y10; \ // the fifth
	VPMAXSD d, Y9, d; \
	VPMAXSD Y10, others, others

loop16:
	VMOVUPS   (x), Y8   // insert the graded keys of 8 values
	VPMOVZXBD (grades), Y10
	GRADED(Y8, Y10, Y9)
	INSERT(Y0, Y1, Y2, Y3)
	VMOVUPS   32(x), Y8 // and of 8 more
	VPMOVZXBD 8(grades), Y10
	GRADED(Y8, Y10, Y9)
	INSERT(Y4, Y5, Y6, Y7)
	ADDQ      $64, x    // the next 16
	ADDQ      $16, grades
	SUBQ      $16, left
	JGE       loop16

last8:
	ADDQ      $8, left // if left < 8: goto tail
	JLT       tail
	VMOVUPS   (x), Y8  // insert the keys of 8 values
	VPMOVZXBD (grades), Y10
	GRADED(Y8, Y10, Y9)
	INSERT(Y0, Y1, Y2, Y3)
	ADDQ      $32, x
	ADDQ      $8, grades
	SUBQ      $8, left

tail:
	ADDQ      $8, left           // if left == 0: goto merge
	JLE       merge
	VMOVUPS   -32(x)(left*4), Y8 // the keys of the last 8 values
	VPMOVZXBD -8(grades)(left*1), Y10
	GRADED(Y8, Y10, Y9)
	LEAQ      github·com∕simdrank∕simdrank∕internal∕kern·Masks(SB), AX
	VMOVDQU   (AX)(left*4), Y9   // insert the last left of them; the others become the worst key
	VPCMPEQD  Y10, Y10, Y10
	VPSLLD    $31, Y10, Y10
	VBLENDVPS Y9, Y8, Y10, Y8
	INSERT(Y4, Y5, Y6, Y7)

merge:
	VMOVMSKPS nans, AX                          // if any value is a NaN: goto nan
	TESTL     AX, AX
	JNE       nan
	MERGE32(Y0, Y1, Y2, Y3, Y4, Y5, Y6, Y7, Y8) // columns of 8

// BEST compares row a of each column with row b of the neighboring column, where b is as far from
// the last row as a from the first. The better half remains in both columns.
#define BEST(a, b) \
	VPSHUFD $0xb1, a, Y8; \
	VPSHUFD $0xb1, b, Y9; \
	VPMAXSD Y9, a, a; \
	VPMAXSD Y8, b, b

// LAST is BEST for columns of two lanes each, which are 4 lanes apart.
#define LAST(a, b) \
	VPERMD  a, Y11, Y8; \
	VPERMD  b, Y11, Y9; \
	VPMAXSD Y9, a, a; \
	VPMAXSD Y8, b, b

	// Keep the best 8 of neighboring columns in both. All keys that are dropped are at most as good
	// as the eighth.
	BEST(Y0, Y7); BEST(Y1, Y6); BEST(Y2, Y5); BEST(Y3, Y4)
	CLEAN32(Y0, Y1, Y2, Y3, Y4, Y5, Y6, Y7, Y8)
	VPMAXSD Y7, others, others
	// Merge columns of 16, which take two lanes.
	FLIP($0x1b, $0xaa, Y0, Y7); FLIP($0x1b, $0xaa, Y1, Y6)
	FLIP($0x1b, $0xaa, Y2, Y5); FLIP($0x1b, $0xaa, Y3, Y4)
	CLEAN32(Y0, Y1, Y2, Y3, Y4, Y5, Y6, Y7, Y8)
	VMOVDQU github·com∕simdrank∕simdrank∕internal∕kern·Iota(SB), Y11 // lanes 5 4 7 6 1 0 3 2
	VPSHUFD $0xb1, Y11, Y11
	VPERMQ  $0x4e, Y11, Y11
	LAST(Y0, Y7); LAST(Y1, Y6); LAST(Y2, Y5); LAST(Y3, Y4) // the best 16, sorted
	NEAR8($0xb1, $0xaa)
	CLEAN32(Y0, Y1, Y2, Y3, Y4, Y5, Y6, Y7, Y8)
	KEYS16 // Y0 and Y1 hold the 16 keys

	VMOVDQU      Y0, (out)                    // if others is as good as the k-th key: goto fail
	VMOVDQU      Y1, 32(out)
	VPBROADCASTD -4(out)(rank*4), Y4
	VPANDN       Y4, fifteen, Y4
	VPCMPGTD     others, Y4, Y4               // the k-th key, without its grade, is better in all lanes
	VMOVMSKPS    Y4, AX
	CMPL         AX, $0xff
	JNE          fail
	LEAQ         github·com∕simdrank∕simdrank∕internal∕kern·Masks+96(SB), AX
	SHLQ         $2, rank                     // masks of the first k ranks
	SUBQ         rank, AX
	VMOVDQU      (AX), Y2
	VMOVDQU      32(AX), Y3
	VMOVDQU      github·com∕simdrank∕simdrank∕internal∕kern·Iota(SB), Y4
	VPCMPEQD     Y6, Y6, Y6                   // each key's successor: lanes 1 to 8, of which VPERMD uses three bits
	VPSUBD       Y6, Y4, Y4
	VPERMD       Y0, Y4, Y5
	VPERMD       Y1, Y4, Y6
	VPBLENDD     $0x80, Y6, Y5, Y5
	VPXOR        Y0, Y5, Y5; VPXOR Y1, Y6, Y6 // tied = key>>4 == successor>>4
	VPSRLD       $4, Y5, Y5; VPSRLD $4, Y6, Y6
	VPCMPEQD     zero, Y5, Y5; VPCMPEQD zero, Y6, Y6
	VPAND        fifteen, Y0, Y7; VPAND fifteen, Y1, Y8 // or the grade is 15 or more
	VPCMPEQD     fifteen, Y7, Y7; VPCMPEQD fifteen, Y8, Y8
	VPOR         Y7, Y5, Y5; VPOR Y8, Y6, Y6
	VPAND        Y2, Y5, Y5; VPAND Y3, Y6, Y6 // if any of the first k: goto fail
	VPOR         Y5, Y6, Y6
	VMOVMSKPS    Y6, AX
	TESTL        AX, AX
	JNE          fail
	GAINS

// STORE8 stores the gains of the keys r, or 0 for keys that are not among the first k.
#define STORE8(r, first, offset) \
	VPERMQ     $0xd8, r, Y8; \ // an order that interleaving undoes
	VPERMQ     $0xd8, first, first; \
	GAINS8; \
	VPAND      first, Y10, Y10; \
	VPAND      first, Y11, Y11; \
	VPUNPCKLDQ Y11, Y10, Y8; \ // halves of float64 together
	VPUNPCKHDQ Y11, Y10, Y9; \
	VMOVDQU    Y8, offset(out); \
	VMOVDQU    Y9, (offset+32)(out)

	STORE8(Y0, Y2, 0)
	STORE8(Y1, Y3, 64)
	MOVB $0, nan+72(FP) // return false, true
	MOVB $1, ok+73(FP)
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
#undef table
#undef rank
#undef others
#undef zero
#undef fifteen
#undef nans
#undef INSERT
#undef BEST
#undef LAST
#undef STORE8

// func rankGainsF32AVX2(dst []float64, x []float32, grades []uint8, gains *[16]float64) (ok bool)
//
// Requires: AVX, AVX2
//
// It requires 8 to 128 values. It is like rankGainsF32AVX512, but with 8 lanes: it sorts 64 keys,
// then the others, and merges the two. At the end, rank r is element r%8 of lane r/8, and its grade
// is nibble r%8 of 32 bits. Registers: Y0-Y7: rows of 64 keys; R10: the gains, at the end.
TEXT ·rankGainsF32AVX2(SB), NOSPLIT, $336-81
#define dst     DI  // next gain
#define ranked  SI  // grades by rank, once keys are sorted
#define grades  R8  // grades of this half
#define count   CX  // number of values, then ranks left
#define masks   R9  // Masks, at its ones
#define final   R10 // start of the last 8 values
#define eight   R11 // 8
#define length  R11 // number of values, at the end
#define start   R12 // first value of this half: 0 or 64
#define halves  R13 // halves left to rank
#define before  DX  // last key of the half before
#define worst   Y11 // worst keys, no two of them equal
#define least   Y11 // least difference of a key and its successor
#define highest Y12 // highest grades so far
#define zero    Y13
#define fifteen Y14
#define nans    Y15 // lanes that had a NaN
	MOVQ     dst_base+0(FP), dst // arguments
	MOVQ     x_base+24(FP), x
	MOVQ     x_len+32(FP), count
	MOVQ     grades_base+48(FP), grades
	LEAQ     github·com∕simdrank∕simdrank∕internal∕kern·Masks+32(SB), masks
	LEAQ     -8(count), final    // constants
	MOVL     $8, eight
	XORL     start, start
	VPCMPEQD fifteen, fifteen, fifteen
	VPSRLD   $28, fifteen, fifteen
	VPXOR    zero, zero, zero
	VPXOR    nans, nans, nans
	VPXOR    highest, highest, highest

half:
	LEAQ 64(start), AX // if fewer than 64 values are left: goto partial
	CMPQ AX, count
	JGT  partial

// ROW sets r to the graded keys of row j of the values.
#define ROW(j, r) \
	VMOVUPS   (32*j)(x), r; \
	VPMOVZXBD (8*j)(grades), Y10; \
	VPMAXUB   Y10, highest, highest; \
	GRADED(r, Y10, Y9)

	ROW(0, Y0); ROW(1, Y1); ROW(2, Y2); ROW(3, Y3)
	ROW(4, Y4); ROW(5, Y5); ROW(6, Y6); ROW(7, Y7)
	JMP sort

// PART is ROW for a row that may be incomplete or missing. It then loads the last 8 values, and
// replaces values of earlier rows by the worst keys.
#define PART(j, r) \
	LEAQ      (8*j)(start), AX; \ // BX = min(start of the row, start of the last 8)
	MOVQ      AX, BX; \
	CMPQ      AX, final; \
	CMOVQGT   final, BX; \
	SUBQ      BX, AX; \ // AX = −min(values of earlier rows, 8)
	CMPQ      AX, eight; \
	CMOVQGT   eight, AX; \
	NEGQ      AX; \
	SUBQ      start, BX; \
	VMOVUPS   (x)(BX*4), r; \ // r = the graded keys
	VPMOVZXBD (grades)(BX*1), Y10; \
	VPMAXUB   Y10, highest, highest; \
	GRADED(r, Y10, Y9); \
	VMOVDQU   (masks)(AX*4), Y9; \ // except those of earlier rows
	VBLENDVPS Y9, r, worst, r; \
	VPADDD    Y8, worst, worst

partial:
	VPCMPEQD Y8, Y8, Y8  // worst = −2³¹ + 16·iota
	VPSLLD   $31, Y8, Y9
	VMOVDQU  github·com∕simdrank∕simdrank∕internal∕kern·Iota(SB), worst
	VPSLLD   $4, worst, worst
	VPOR     Y9, worst, worst
	VPSRLD   $31, Y8, Y8 // and 16·8 more in the next row
	VPSLLD   $7, Y8, Y8
	PART(0, Y0); PART(1, Y1); PART(2, Y2); PART(3, Y3)
	PART(4, Y4); PART(5, Y5); PART(6, Y6); PART(7, Y7)

sort:
	SORT32(Y0, Y1, Y2, Y3, Y4, Y5, Y6, Y7, Y8) // columns of 8
	FLIP($0xb1, $0xaa, Y0, Y7); FLIP($0xb1, $0xaa, Y1, Y6) // of 16, in two lanes
	FLIP($0xb1, $0xaa, Y2, Y5); FLIP($0xb1, $0xaa, Y3, Y4)
	CLEAN32(Y0, Y1, Y2, Y3, Y4, Y5, Y6, Y7, Y8)
	FLIP($0x1b, $0xcc, Y0, Y7); FLIP($0x1b, $0xcc, Y1, Y6) // of 32, in four
	FLIP($0x1b, $0xcc, Y2, Y5); FLIP($0x1b, $0xcc, Y3, Y4)
	NEAR8($0xb1, $0xaa)
	CLEAN32(Y0, Y1, Y2, Y3, Y4, Y5, Y6, Y7, Y8)

// REVERSED is FLIP for all 8 lanes.
#define REVERSED(a, b) \
	VPSHUFD $0x1b, a, Y8; \
	VPSHUFD $0x1b, b, Y9; \
	VPERMQ  $0x4e, Y8, Y8; \
	VPERMQ  $0x4e, Y9, Y9; \
	FIX32(Y9, a, $0xf0, Y10); \
	FIX32(Y8, b, $0xf0, Y10)

	REVERSED(Y0, Y7); REVERSED(Y1, Y6); REVERSED(Y2, Y5); REVERSED(Y3, Y4) // of 64
	NEAR8($0x4e, $0xcc)
	NEAR8($0xb1, $0xaa)
	CLEAN32(Y0, Y1, Y2, Y3, Y4, Y5, Y6, Y7, Y8)
	VPMAXSD   fifteen, highest, Y8 // if a grade is 15 or more, or a value is a NaN: goto fail
	VPCMPEQD  Y8, highest, Y8
	VORPS     nans, Y8, Y8
	VMOVMSKPS Y8, AX
	TESTL     AX, AX
	JNE       fail
	TESTQ     start, start         // if this is the second half: goto merge
	JNE       merge
	CMPQ      count, $64           // if it is the only one: goto single
	JLE       single
	VMOVDQU   Y0, keys-336(SP); VMOVDQU Y1, keys-304(SP) // keep the keys of the first half
	VMOVDQU   Y2, keys-272(SP); VMOVDQU Y3, keys-240(SP)
	VMOVDQU   Y4, keys-208(SP); VMOVDQU Y5, keys-176(SP)
	VMOVDQU   Y6, keys-144(SP); VMOVDQU Y7, keys-112(SP)
	ADDQ      $64, start           // the second half
	ADDQ      $256, x
	ADDQ      $64, grades
	JMP       half

single:
	MOVL     $1, halves
	LEAQ     nibbles-80(SP), ranked
	VPCMPEQD least, least, least
	JMP      sorted

// MERGE merges the 16 keys of rows a and b, whose numbers add up to 7, with 16 keys of the first
// half. The better keys remain, and the others go to the frame.
#define MERGE(a, aKeys, b, bKeys) \
	VPERMD  b, Y11, Y8; \ // b and a, from the last lane
	VPERMD  a, Y11, Y9; \
	VMOVDQU aKeys, a; \
	VMOVDQU bKeys, b; \
	VPMINSD Y8, a, Y10; \ // the others, and the better ones
	VPMINSD Y9, b, Y12; \
	VPMAXSD Y8, a, a; \
	VPMAXSD Y9, b, b; \
	VMOVDQU Y10, aKeys; \
	VMOVDQU Y12, bKeys

merge:
	MOVL     $2, halves
	LEAQ     nibbles-80(SP), ranked
	VMOVDQU  github·com∕simdrank∕simdrank∕internal∕kern·Iota(SB), Y11 // 7 − iota
	VPSHUFD  $0x1b, Y11, Y11
	VPERMQ   $0x4e, Y11, Y11
	MERGE(Y0, keys-336(SP), Y7, keys-112(SP)) // two bitonic halves
	MERGE(Y1, keys-304(SP), Y6, keys-144(SP))
	MERGE(Y2, keys-272(SP), Y5, keys-176(SP))
	MERGE(Y3, keys-240(SP), Y4, keys-208(SP))
	VPCMPEQD least, least, least

// FOUR orders the lanes of a that are four apart.
#define FOUR(a) \
	VPERMQ $0x4e, a, Y8; \
	FIX32(Y8, a, $0xf0, Y9)

bitonic: // sort 64 keys
	FOUR(Y0); FOUR(Y1); FOUR(Y2); FOUR(Y3); FOUR(Y4); FOUR(Y5); FOUR(Y6); FOUR(Y7)
	NEAR8($0x4e, $0xcc)
	NEAR8($0xb1, $0xaa)
	CLEAN32(Y0, Y1, Y2, Y3, Y4, Y5, Y6, Y7, Y8)

// DIFFER computes least = min(least, a xor b).
#define DIFFER(a, b) \
	VPXOR   a, b, Y8; \
	VPMINUD Y8, least, least

// GRADE appends the grades of a to the nibbles in Y10.
#define GRADE(a) \
	VPSRLD $4, Y10, Y10; \
	VPSLLD $28, a, Y8; \
	VPOR   Y8, Y10, Y10

sorted: // compare each key with its successor
	DIFFER(Y0, Y1); DIFFER(Y1, Y2); DIFFER(Y2, Y3); DIFFER(Y3, Y4)
	DIFFER(Y4, Y5); DIFFER(Y5, Y6); DIFFER(Y6, Y7)
	VPCMPEQD Y8, Y8, Y8     // the last row with lanes 1 2 3 4 5 6 7 0 of the first
	VMOVDQU  github·com∕simdrank∕simdrank∕internal∕kern·Iota(SB), Y9
	VPSUBD   Y8, Y9, Y9
	VPERMD   Y0, Y9, Y9
	DIFFER(Y7, Y9)
	VPSLLD   $28, Y0, Y10   // ranked[lane] = 8 grades
	GRADE(Y1); GRADE(Y2); GRADE(Y3); GRADE(Y4); GRADE(Y5); GRADE(Y6); GRADE(Y7)
	VMOVDQU  Y10, (ranked)
	DECQ     halves
	JEQ      last
	VEXTRACTI128 $1, Y7, X8 // before = the last key
	VPSHUFD  $0xff, X8, X8
	VMOVD    X8, before
	VMOVDQU  keys-336(SP), Y0; VMOVDQU keys-304(SP), Y1 // the second half
	VMOVDQU  keys-272(SP), Y2; VMOVDQU keys-240(SP), Y3
	VMOVDQU  keys-208(SP), Y4; VMOVDQU keys-176(SP), Y5
	VMOVDQU  keys-144(SP), Y6; VMOVDQU keys-112(SP), Y7
	ADDQ     $32, ranked    // its grades follow
	JMP      bitonic

last:
	TESTQ start, start // if keys 63 and 64 are tied: goto fail
	JEQ   ties
	VMOVD X0, AX
	XORL  before, AX
	CMPL  AX, $15
	JLS   fail

ties:
	VPSRLD    $4, least, Y11         // if any two keys are tied: goto fail
	VPCMPEQD  zero, Y11, Y11
	VMOVMSKPS Y11, AX
	TESTL     AX, AX
	JNE       fail
	MOVQ      gains+72(FP), R10
	GAINS
	LEAQ      nibbles-80(SP), ranked // shifts = 4·(0 1 4 5 2 3 6 7), an order that interleaving undoes
	VMOVDQU   github·com∕simdrank∕simdrank∕internal∕kern·Iota(SB), Y12
	VPERMQ    $0xd8, Y12, Y12
	VPSLLD    $2, Y12, Y12
	MOVQ      count, length
	SUBQ      $8, count

// STORE8 stores the gains of the nibbles Y8.
#define STORE8 \
	GAINS8; \
	VPUNPCKLDQ Y11, Y10, Y8; \ // halves of float64 together
	VPUNPCKHDQ Y11, Y10, Y9; \
	VMOVDQU    Y8, (dst); \
	VMOVDQU    Y9, 32(dst)

gain8:
	VPBROADCASTD (ranked), Y8           // dst[i] = gains[grade of rank i]
	VPSRLVD      Y12, Y8, Y8
	STORE8
	ADDQ         $4, ranked             // the next 8 ranks
	ADDQ         $64, dst
	SUBQ         $8, count
	JGE          gain8
	ADDQ         $8, count              // if none is left: goto done
	JEQ          done
	LEAQ         -64(dst)(count*8), dst // the last 8 ranks, from nibble length − 8 on
	LEAQ         -8(length), AX
	MOVQ         AX, CX
	SHRQ         $1, AX                 // 8 bytes from that nibble's byte on
	LEAQ         nibbles-80(SP), ranked
	MOVQ         (ranked)(AX*1), AX
	ANDL         $1, CX                 // shifted by a nibble if its index is odd
	SHLL         $2, CX
	SHRQ         CX, AX
	VMOVQ        AX, X8
	VPBROADCASTD X8, Y8
	VPSRLVD      Y12, Y8, Y8
	STORE8

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
#undef masks
#undef final
#undef eight
#undef length
#undef start
#undef halves
#undef before
#undef worst
#undef least
#undef highest
#undef zero
#undef fifteen
#undef nans
#undef ROW
#undef PART
#undef REVERSED
#undef MERGE
#undef FOUR
#undef DIFFER
#undef GRADE
#undef STORE8
