//go:build !purego

#include "textflag.h"
#include "sort32_amd64.h"

// Kernels of ranking keys for AVX2. A vector has 8 float32.

// KEY turns the bits of a float in BX, no NaN, into the upper half of its key: −0 to +0, then
// the complement of b xor (b>>31 and 0x7fffffff). R8 is zero. It uses DX.
#define KEY \
	CMPL    BX, $0x80000000; \
	CMOVLEQ R8, BX; \
	MOVL    BX, DX; \
	SARL    $31, DX; \
	ANDL    $0x7fffffff, DX; \
	XORL    DX, BX; \
	NOTL    BX; \
	SHLQ    $32, BX

// func rankKeysF32AVX2(dst []int64, x []float32, base int) (nan bool)
//
// Requires: AVX, AVX2
//
// DI dst   SI x   CX values left   R9 index   Y15 indices   Y14 8   Y13 0x7fffffff   Y12 zero
// Y11 ones
// Y4 values   Y10 NaNs so far. The last values are taken one by one.
TEXT ·rankKeysF32AVX2(SB), NOSPLIT, $0-57
	MOVQ  dst_base+0(FP), DI
	MOVQ  x_base+24(FP), SI
	MOVQ  x_len+32(FP), CX
	MOVQ  base+48(FP), R9
	XORL  R10, R10                       // a NaN among the last values
	VMOVQ R9, X15
	VPBROADCASTD X15, Y15
	VPADDD github·com∕simdrank∕simdrank∕internal∕kern·Iota(SB), Y15, Y15
	VPCMPEQD Y11, Y11, Y11
	VPSRLD $31, Y11, Y14
	VPSLLD $3, Y14, Y14
	VPSRLD $1, Y11, Y13
	VPXOR  Y12, Y12, Y12
	VPXOR  Y10, Y10, Y10
	SUBQ  $8, CX
	JLT   tail

loop8:
	VMOVUPS (SI), Y4
	VCMPPS  $3, Y4, Y4, Y5
	VPOR    Y5, Y10, Y10
	VADDPS  Y12, Y4, Y4
	VPSRAD  $31, Y4, Y6
	VPAND   Y13, Y6, Y6
	VPXOR   Y6, Y4, Y4
	VPXOR   Y11, Y4, Y4
	VBLENDVPS Y5, Y13, Y4, Y4            // the greatest for NaN
	VPUNPCKLDQ Y4, Y15, Y6               // keys 0 1 4 5
	VPUNPCKHDQ Y4, Y15, Y7               // keys 2 3 6 7
	VPERM2I128 $0x20, Y7, Y6, Y8
	VPERM2I128 $0x31, Y7, Y6, Y9
	VMOVDQU Y8, (DI)
	VMOVDQU Y9, 32(DI)
	VPADDD  Y14, Y15, Y15
	ADDQ    $8, R9
	ADDQ    $32, SI
	ADDQ    $64, DI
	SUBQ    $8, CX
	JGE     loop8

tail:
	ADDQ $8, CX
	JLE  done
	XORL R8, R8

loop1:
	MOVL (SI), BX
	MOVL BX, AX
	ANDL $0x7fffffff, AX
	CMPL AX, $0x7f800000
	JHI  nan
	KEY

store:
	ORQ  R9, BX
	MOVQ BX, (DI)
	INCQ R9
	ADDQ $4, SI
	ADDQ $8, DI
	DECQ CX
	JNZ  loop1

done:
	VMOVMSKPS Y10, AX
	ORL       R10, AX
	SETNE     nan+56(FP)
	VZEROUPPER
	RET

nan:
	MOVL $1, R10
	MOVL $0x7fffffff, BX
	SHLQ $32, BX
	JMP  store

// func rankGradesF32AVX2(dst []int64, x []float32, grades []uint8, base int) (nan bool)
//
// Requires: AVX, AVX2
//
// As rankKeysF32AVX2, with R12 grades   R9 index times 256   Y15 indices times 256   Y14 their step
// Y3 lower halves of keys
TEXT ·rankGradesF32AVX2(SB), NOSPLIT, $0-81
	MOVQ  dst_base+0(FP), DI
	MOVQ  x_base+24(FP), SI
	MOVQ  x_len+32(FP), CX
	MOVQ  grades_base+48(FP), R12
	MOVQ  base+72(FP), R9
	XORL  R10, R10                       // a NaN among the last values
	VMOVQ R9, X15
	VPBROADCASTD X15, Y15
	VPADDD github·com∕simdrank∕simdrank∕internal∕kern·Iota(SB), Y15, Y15
	VPSLLD $8, Y15, Y15
	SHLQ  $8, R9
	VPCMPEQD Y11, Y11, Y11
	VPSRLD $31, Y11, Y14
	VPSLLD $11, Y14, Y14
	VPSRLD $1, Y11, Y13
	VPXOR  Y12, Y12, Y12
	VPXOR  Y10, Y10, Y10
	SUBQ  $8, CX
	JLT   tail

loop8:
	VMOVUPS (SI), Y4
	VPMOVZXBD (R12), Y3
	VCMPPS  $3, Y4, Y4, Y5
	VPOR    Y5, Y10, Y10
	VADDPS  Y12, Y4, Y4
	VPSRAD  $31, Y4, Y6
	VPAND   Y13, Y6, Y6
	VPXOR   Y6, Y4, Y4
	VPXOR   Y11, Y4, Y4
	VBLENDVPS Y5, Y13, Y4, Y4            // the greatest for NaN
	VPOR    Y15, Y3, Y3
	VPUNPCKLDQ Y4, Y3, Y6                // keys 0 1 4 5
	VPUNPCKHDQ Y4, Y3, Y7                // keys 2 3 6 7
	VPERM2I128 $0x20, Y7, Y6, Y8
	VPERM2I128 $0x31, Y7, Y6, Y9
	VMOVDQU Y8, (DI)
	VMOVDQU Y9, 32(DI)
	VPADDD  Y14, Y15, Y15
	ADDQ    $2048, R9
	ADDQ    $32, SI
	ADDQ    $8, R12
	ADDQ    $64, DI
	SUBQ    $8, CX
	JGE     loop8

tail:
	ADDQ $8, CX
	JLE  done
	XORL R8, R8

loop1:
	MOVL (SI), BX
	MOVL BX, AX
	ANDL $0x7fffffff, AX
	CMPL AX, $0x7f800000
	JHI  nan
	KEY

store:
	ORQ     R9, BX
	MOVBLZX (R12), AX
	ORQ     AX, BX
	MOVQ    BX, (DI)
	ADDQ    $256, R9
	ADDQ    $4, SI
	INCQ    R12
	ADDQ    $8, DI
	DECQ    CX
	JNZ     loop1

done:
	VMOVMSKPS Y10, AX
	ORL       R10, AX
	SETNE     nan+80(FP)
	VZEROUPPER
	RET

nan:
	MOVL $1, R10
	MOVL $0x7fffffff, BX
	SHLQ $32, BX
	JMP  store

// func thresholdF32AVX2(lanes *[16]float32, x []float32, k int) (t float32, nan bool)
//
// Requires: AVX, AVX2
//
// DI lanes   SI x   CX values left   R8 k   Y0 Y1 maxima of lanes 0 … 7 and 8 … 15, Y2 Y3 of every
// other row
// Y4 … Y7 values   Y8 NaNs so far   Y9 Y10 how many lanes are greater than each
// A maximum takes its second operand, the lane, when the value is NaN. The last values are
// masked. A lane is among the k largest when fewer than k are greater: the least of these is the
// result.
TEXT ·thresholdF32AVX2(SB), NOSPLIT, $0-45
	MOVQ    lanes+0(FP), DI
	MOVQ    x_base+8(FP), SI
	MOVQ    x_len+16(FP), CX
	MOVQ    k+32(FP), R8
	VMOVUPS (DI), Y0
	VMOVUPS 32(DI), Y1
	VMOVAPS Y0, Y2
	VMOVAPS Y1, Y3
	VXORPS  Y8, Y8, Y8
	SUBQ    $32, CX
	JLT     rest

loop32:
	VMOVUPS (SI), Y4
	VMOVUPS 32(SI), Y5
	VMOVUPS 64(SI), Y6
	VMOVUPS 96(SI), Y7
	VCMPPS  $3, Y4, Y5, Y9
	VCMPPS  $3, Y6, Y7, Y10
	VMAXPS  Y0, Y4, Y0
	VMAXPS  Y1, Y5, Y1
	VMAXPS  Y2, Y6, Y2
	VMAXPS  Y3, Y7, Y3
	VORPS   Y9, Y10, Y10
	VORPS   Y10, Y8, Y8
	ADDQ    $128, SI
	SUBQ    $32, CX
	JGE     loop32
	VMAXPS  Y2, Y0, Y0
	VMAXPS  Y3, Y1, Y1

rest:
	ADDQ $16, CX
	JLT  tail
	VMOVUPS (SI), Y4
	VMOVUPS 32(SI), Y5
	VCMPPS  $3, Y4, Y5, Y9
	VMAXPS  Y0, Y4, Y0
	VMAXPS  Y1, Y5, Y1
	VORPS   Y9, Y8, Y8
	ADDQ    $64, SI
	SUBQ    $16, CX

tail:
	ADDQ       $16, CX
	JLE        ranks
	LEAQ       github·com∕simdrank∕simdrank∕internal∕kern·Masks+96(SB), AX
	SHLQ       $2, CX
	SUBQ       CX, AX
	VMOVUPS    (AX), Y6
	VMOVUPS    32(AX), Y7
	VMASKMOVPS (SI), Y6, Y4
	VMASKMOVPS 32(SI), Y7, Y5
	VCMPPS     $3, Y4, Y5, Y9
	VORPS      Y9, Y8, Y8
	VMAXPS     Y0, Y4, Y4
	VMAXPS     Y1, Y5, Y5
	VBLENDVPS  Y6, Y4, Y0, Y0
	VBLENDVPS  Y7, Y5, Y1, Y1

ranks:
	VXORPS  Y9, Y9, Y9
	VXORPS  Y10, Y10, Y10
	VADDPS  Y9, Y0, Y0                   // −0 becomes +0
	VADDPS  Y9, Y1, Y1
	VMOVUPS Y0, (DI)
	VMOVUPS Y1, 32(DI)

#define GREATER(j) \
	VBROADCASTSS (4*j)(DI), Y4; \
	VCMPPS       $0x11, Y4, Y0, Y5; \ // lane < lanes[j]
	VCMPPS       $0x11, Y4, Y1, Y6; \
	VPSUBD       Y5, Y9, Y9; \
	VPSUBD       Y6, Y10, Y10

	GREATER(0)
	GREATER(1)
	GREATER(2)
	GREATER(3)
	GREATER(4)
	GREATER(5)
	GREATER(6)
	GREATER(7)
	GREATER(8)
	GREATER(9)
	GREATER(10)
	GREATER(11)
	GREATER(12)
	GREATER(13)
	GREATER(14)
	GREATER(15)
	VMOVQ        R8, X4
	VPBROADCASTD X4, Y4
	VPCMPGTD     Y9, Y4, Y5              // fewer than k are greater
	VPCMPGTD     Y10, Y4, Y6
	MOVL         $0x7f800000, AX
	VMOVQ        AX, X7
	VPBROADCASTD X7, Y7                  // +Inf elsewhere
	VBLENDVPS    Y5, Y0, Y7, Y0
	VBLENDVPS    Y6, Y1, Y7, Y1
	VMINPS       Y1, Y0, Y0              // the least of 16 lanes, 8, 4, 2
	VEXTRACTF128 $1, Y0, X1
	VMINPS       X1, X0, X0
	VPERMILPS    $0x4e, X0, X1
	VMINPS       X1, X0, X0
	VPERMILPS    $0xb1, X0, X1
	VMINPS       X1, X0, X0
	VMOVSS       X0, t+40(FP)
	VMOVMSKPS    Y8, AX
	TESTL        AX, AX
	SETNE        nan+44(FP)
	VZEROUPPER
	RET

// func selectKeysF32AVX2(dst []int64, x []float32, t float32, base int) int
//
// Requires: AVX, AVX2, POPCNT
//
// DI end of the keys   SI x   CX values left   R9 index of (SI)   Y0 t
// R10 a bit for each value to keep
// The few values to keep of a long list are taken one by one from the mask; so are the last of x.
// In a short list their
// number is not foreseen: all values are made keys, of which those to keep are permuted to the
// front of vectors that
// are stored whole, which cannot pass the end of dst while no more values were kept than read.
// R11 permutations by the bits of lanes to bring first   Y15 indices   Y14 8   Y13 0x7fffffff
// Y12 zero   Y11 ones
TEXT ·selectKeysF32AVX2(SB), NOSPLIT, $0-72
	MOVQ         dst_base+0(FP), DI
	MOVQ         x_base+24(FP), SI
	MOVQ         x_len+32(FP), CX
	MOVQ         base+56(FP), R9
	VBROADCASTSS t+48(FP), Y0
	XORL         R8, R8
	SUBQ         $32, CX
	JLT          rest
	CMPQ         CX, $(512-32)
	JLT          rest

loop32:
	VCMPPS    $0x12, (SI), Y0, Y1        // t ≤ x
	VCMPPS    $0x12, 32(SI), Y0, Y2
	VCMPPS    $0x12, 64(SI), Y0, Y3
	VCMPPS    $0x12, 96(SI), Y0, Y4
	VORPS     Y1, Y2, Y5
	VORPS     Y3, Y4, Y6
	VORPS     Y5, Y6, Y5
	VMOVMSKPS Y5, R10
	TESTL     R10, R10
	JEQ       next32
	VMOVMSKPS Y1, R10
	VMOVMSKPS Y2, AX
	SHLL      $8, AX
	ORL       AX, R10
	VMOVMSKPS Y3, AX
	SHLL      $16, AX
	ORL       AX, R10
	VMOVMSKPS Y4, AX
	SHLL      $24, AX
	ORL       AX, R10

// KEEP takes the values whose bits are set in R10.
#define KEEP(loop) \
loop: \
	BSFL R10, AX; \
	LEAL -1(R10), BX; \
	ANDL BX, R10; \
	MOVL (SI)(AX*4), BX; \
	KEY; \
	ADDL R9, AX; \
	ORQ  AX, BX; \
	MOVQ BX, (DI); \
	ADDQ $8, DI; \
	TESTL R10, R10; \
	JNE  loop

	KEEP(keep32)

next32:
	ADDQ $128, SI
	ADDQ $32, R9
	SUBQ $32, CX
	JGE  loop32

rest:
	ADDQ $24, CX
	JLT  tail
	LEAQ         github·com∕simdrank∕simdrank∕internal∕order·FrontI64(SB), R11
	VMOVQ        R9, X15
	VPBROADCASTD X15, Y15
	VPADDD       github·com∕simdrank∕simdrank∕internal∕kern·Iota(SB), Y15, Y15
	VPCMPEQD     Y11, Y11, Y11
	VPSRLD       $31, Y11, Y14
	VPSLLD       $3, Y14, Y14
	VPSRLD       $1, Y11, Y13
	VPXOR        Y12, Y12, Y12

loop8:
	VMOVUPS    (SI), Y4
	VCMPPS     $0x12, Y4, Y0, Y1
	VADDPS     Y12, Y4, Y4
	VPSRAD     $31, Y4, Y6
	VPAND      Y13, Y6, Y6
	VPXOR      Y6, Y4, Y4
	VPXOR      Y11, Y4, Y4
	VPUNPCKLDQ Y4, Y15, Y6               // keys 0 1 4 5
	VPUNPCKHDQ Y4, Y15, Y7               // keys 2 3 6 7
	VPERM2I128 $0x20, Y7, Y6, Y8
	VPERM2I128 $0x31, Y7, Y6, Y9
	VPADDD     Y14, Y15, Y15
	VMOVMSKPS  Y1, AX
	MOVL       AX, BX
	ANDL       $15, AX
	SHRL       $4, BX
	MOVL       AX, DX
	SHLL       $5, DX
	VMOVDQU    (R11)(DX*1), Y6
	VPERMD     Y8, Y6, Y8
	VMOVDQU    Y8, (DI)
	POPCNTL    AX, AX
	LEAQ       (DI)(AX*8), DI
	MOVL       BX, DX
	SHLL       $5, DX
	VMOVDQU    (R11)(DX*1), Y7
	VPERMD     Y9, Y7, Y9
	VMOVDQU    Y9, (DI)
	POPCNTL    BX, BX
	LEAQ       (DI)(BX*8), DI
	ADDQ       $32, SI
	ADDQ       $8, R9
	SUBQ       $8, CX
	JGE        loop8

tail:
	ADDQ $8, CX
	JLE  done

loop1:
	VMOVSS   (SI), X1
	VUCOMISS X0, X1
	JCS      next1                       // x < t, or NaN
	MOVL     (SI), BX
	KEY
	ORQ      R9, BX
	MOVQ     BX, (DI)
	ADDQ     $8, DI

next1:
	ADDQ $4, SI
	INCQ R9
	DECQ CX
	JNZ  loop1

done:
	SUBQ dst_base+0(FP), DI
	SHRQ $3, DI
	MOVQ DI, ret+64(FP)
	VZEROUPPER
	RET

// func countLevelsU8AVX2(counts *[16]int64, x []uint8, levels int) (others int64)
//
// Requires: AVX, AVX2
//
// DI counts   SI x   R12 elements of the part: up to 4096, from the nearest cache
// R13 those in whole vectors
// R8 levels   R9 level   R10 elements counted   R11 elements left   Y1 the level
// Y0 Y3 negative counts in bytes
// Y14 mask of the vector that ends the part   Y15 zero
// Fewer than 32 elements are counted one by one.
TEXT ·countLevelsU8AVX2(SB), NOSPLIT, $0-48
	MOVQ  counts+0(FP), DI
	MOVQ  x_base+8(FP), SI
	MOVQ  x_len+16(FP), R11
	MOVQ  levels+32(FP), R8
	XORL  R10, R10
	VPXOR Y15, Y15, Y15
	CMPQ  R11, $32
	JLT   few

part:
	MOVQ R11, R12
	CMPQ R12, $4096
	JLE  whole
	MOVQ $4096, R12

whole:
	MOVQ    R12, R13
	ANDQ    $-32, R13
	MOVQ    R12, AX
	ANDQ    $31, AX
	LEAQ    github·com∕simdrank∕simdrank∕internal∕kern·Masks+64(SB), BX
	VMOVDQU (BX)(AX*1), Y14              // 32 − AX ones
	XORL    R9, R9

level:
	CMPQ  R9, R8
	JGE   nextPart
	VMOVQ R9, X1
	VPBROADCASTB X1, Y1
	VPXOR Y0, Y0, Y0
	VPXOR Y3, Y3, Y3
	XORL  BX, BX
	MOVQ  R13, DX
	SUBQ  $128, DX
	JLT   short

loop128:
	VPCMPEQB (SI)(BX*1), Y1, Y4
	VPCMPEQB 32(SI)(BX*1), Y1, Y5
	VPCMPEQB 64(SI)(BX*1), Y1, Y6
	VPCMPEQB 96(SI)(BX*1), Y1, Y7
	VPADDB   Y4, Y0, Y0
	VPADDB   Y5, Y3, Y3
	VPADDB   Y6, Y0, Y0
	VPADDB   Y7, Y3, Y3
	ADDQ     $128, BX
	CMPQ     BX, DX
	JLE      loop128

short:
	CMPQ     BX, R13
	JGE      sum
	VPCMPEQB (SI)(BX*1), Y1, Y4
	VPADDB   Y4, Y0, Y0
	ADDQ     $32, BX
	JMP      short

sum:
	VPCMPEQB     -32(SI)(R12*1), Y1, Y4
	VPANDN       Y4, Y14, Y4             // those not yet counted
	VPADDB       Y4, Y3, Y3
	VPXOR        Y4, Y4, Y4
	VPSUBB       Y0, Y4, Y0              // at most 68 each
	VPSUBB       Y3, Y4, Y3
	VPADDB       Y3, Y0, Y0
	VPSADBW      Y15, Y0, Y0
	VEXTRACTI128 $1, Y0, X2
	VPADDQ       X2, X0, X0
	VPSHUFD      $0x4e, X0, X2
	VPADDQ       X2, X0, X0
	VMOVQ        X0, AX
	ADDQ         AX, (DI)(R9*8)
	ADDQ         AX, R10
	INCQ         R9
	JMP          level

nextPart:
	ADDQ R12, SI
	SUBQ R12, R11
	CMPQ R11, $32
	JGE  part

few:
	TESTQ R11, R11
	JEQ   done

loop1:
	MOVBLZX (SI), AX
	INCQ    SI
	DECQ    R11
	CMPQ    AX, R8
	JGE     next1
	INCQ    (DI)(AX*8)
	INCQ    R10

next1:
	TESTQ R11, R11
	JNE   loop1

done:
	MOVQ x_len+16(FP), AX
	SUBQ R10, AX
	MOVQ AX, others+40(FP)
	VZEROUPPER
	RET

// The kernels below sort keys of 32 bits, from the greatest: the ordered integer of a float, with
// the grade in place of its last four bits. Keys whose other bits are the same may be out of order:
// they count as tied.

// GRADED turns the floats v into such keys, with their grades g of 32 bits, of which those above 15
// become 15. Y14 is 15, Y13 zero, Y15 collects NaNs, t is scratch.
#define GRADED(v, g, t) \
	VADDPS   Y13, v, v; \
	VCMPPS   $3, v, v, t; \
	VORPS    t, Y15, Y15; \
	VPSRAD   $31, v, t; \
	VPSRLD   $1, t, t; \
	VPXOR    t, v, v; \
	VPOR     Y14, v, v; \
	VPSUBUSB g, Y14, g; \ // 15 less the grade
	VPXOR    g, v, v

// ORDER32 makes a the greater and b the lesser of each lane.
#define ORDER32(a, b, t) \
	VPMINSD b, a, t; \
	VPMAXSD b, a, a; \
	VMOVDQA t, b

// FIX32 takes r and its permutation s: lanes whose bit is set keep the lesser, others the greater.
#define FIX32(s, r, bits, t) \
	VPMAXSD  s, r, t; \
	VPMINSD  s, r, r; \
	VPBLENDD bits, r, t, r

// FLIP merges the columns of lanes that order reverses, a with the reverse of b.
#define FLIP(order, bits, a, b) \
	VPSHUFD order, a, Y8; \
	VPSHUFD order, b, Y9; \
	FIX32(Y9, a, bits, Y10); \
	FIX32(Y8, b, bits, Y10)

// NEAR orders lanes at a distance of one or two.
#define NEAR(order, bits, a) \
	VPSHUFD order, a, Y8; \
	FIX32(Y8, a, bits, Y9)

#define NEAR8(order, bits) \
	NEAR(order, bits, Y0); \
	NEAR(order, bits, Y1); \
	NEAR(order, bits, Y2); \
	NEAR(order, bits, Y3); \
	NEAR(order, bits, Y4); \
	NEAR(order, bits, Y5); \
	NEAR(order, bits, Y6); \
	NEAR(order, bits, Y7)

// GAINS makes tables of the gains at R10 that GAINS8 looks up: the lower halves Y4 and Y5, the
// upper halves Y6 and Y7, of grades below 8 and of the others. It uses Y8.
#define GAINS \
	VMOVUPS (R10), Y6; \
	VMOVUPS 32(R10), Y8; \
	VSHUFPS $0x88, Y8, Y6, Y4; \
	VSHUFPS $0xdd, Y8, Y6, Y6; \
	VMOVUPS 64(R10), Y7; \
	VMOVUPS 96(R10), Y8; \
	VSHUFPS $0x88, Y8, Y7, Y5; \
	VSHUFPS $0xdd, Y8, Y7, Y7; \
	VPERMQ  $0xd8, Y4, Y4; \
	VPERMQ  $0xd8, Y5, Y5; \
	VPERMQ  $0xd8, Y6, Y6; \
	VPERMQ  $0xd8, Y7, Y7

// GAINS8 makes the gains' lower halves Y10 and upper halves Y11 of the last four bits of Y8. It
// uses Y9.
#define GAINS8 \
	VPSLLD    $28, Y8, Y9; \ // the sign: 8 and more
	VPERMD    Y4, Y8, Y10; \
	VPERMD    Y5, Y8, Y11; \
	VBLENDVPS Y9, Y11, Y10, Y10; \
	VPERMD    Y6, Y8, Y11; \
	VPERMD    Y7, Y8, Y8; \
	VBLENDVPS Y9, Y8, Y11, Y11

// func bestGainsF32AVX2(dst *[16]float64, x []float32, grades []uint8, gains *[16]float64, k int) (nan, ok bool)
//
// Requires: AVX, AVX2
//
// For 8 values and more. DI dst   SI x   R8 grades   CX values left   R11 k   R10 gains
// Y0 … Y3 the four best of each lane, in order, of every other vector   Y4 … Y7 of the rest
// Y12 the best of the others
// Y14 15   Y13 zero   Y15 NaNs
// Then 16 sorted columns of four become one of 16, in Y0 … Y7 where rank r is element r%8 of lane
// r/8: columns are merged in pairs, of which two rounds keep the better half. It fails when a fifth
// value of a lane, or the eighth of four lanes, is as good as the k-th.
TEXT ·bestGainsF32AVX2(SB), NOSPLIT, $0-74
	MOVQ     dst+0(FP), DI
	MOVQ     x_base+8(FP), SI
	MOVQ     x_len+16(FP), CX
	MOVQ     grades_base+32(FP), R8
	MOVQ     gains+56(FP), R10
	MOVQ     k+64(FP), R11
	VPCMPEQD Y14, Y14, Y14
	VPSLLD   $31, Y14, Y12               // the worst key
	VPSRLD   $28, Y14, Y14
	VPXOR    Y13, Y13, Y13
	VPXOR    Y15, Y15, Y15
	VMOVDQA  Y12, Y0
	VMOVDQA  Y12, Y1
	VMOVDQA  Y12, Y2
	VMOVDQA  Y12, Y3
	VMOVDQA  Y12, Y4
	VMOVDQA  Y12, Y5
	VMOVDQA  Y12, Y6
	VMOVDQA  Y12, Y7
	SUBQ     $16, CX
	JLT      rest

// INSERT enters the keys Y8 among the four.
#define INSERT(a, b, c, d) \
	VPMINSD a, Y8, Y9; \
	VPMAXSD a, Y8, a; \
	VPMINSD b, Y9, Y10; \
	VPMAXSD b, Y9, b; \
	VPMINSD c, Y10, Y9; \
	VPMAXSD c, Y10, c; \
	VPMINSD d, Y9, Y10; \
	VPMAXSD d, Y9, d; \
	VPMAXSD Y10, Y12, Y12

loop16:
	VMOVUPS   (SI), Y8
	VPMOVZXBD (R8), Y10
	GRADED(Y8, Y10, Y9)
	INSERT(Y0, Y1, Y2, Y3)
	VMOVUPS   32(SI), Y8
	VPMOVZXBD 8(R8), Y10
	GRADED(Y8, Y10, Y9)
	INSERT(Y4, Y5, Y6, Y7)
	ADDQ      $64, SI
	ADDQ      $16, R8
	SUBQ      $16, CX
	JGE       loop16

rest:
	ADDQ      $8, CX
	JLT       tail
	VMOVUPS   (SI), Y8
	VPMOVZXBD (R8), Y10
	GRADED(Y8, Y10, Y9)
	INSERT(Y0, Y1, Y2, Y3)
	ADDQ      $32, SI
	ADDQ      $8, R8
	SUBQ      $8, CX

tail: // the last 8, of which some were there before
	ADDQ      $8, CX
	JLE       merge
	VMOVUPS   -32(SI)(CX*4), Y8
	VPMOVZXBD -8(R8)(CX*1), Y10
	GRADED(Y8, Y10, Y9)
	LEAQ      github·com∕simdrank∕simdrank∕internal∕kern·Masks(SB), AX
	VMOVDQU   (AX)(CX*4), Y9
	VPCMPEQD  Y10, Y10, Y10
	VPSLLD    $31, Y10, Y10
	VBLENDVPS Y9, Y8, Y10, Y8
	INSERT(Y4, Y5, Y6, Y7)

merge:
	VMOVMSKPS Y15, AX
	TESTL     AX, AX
	JNE       nan
	// Columns of 8.
	MERGE32(Y0, Y1, Y2, Y3, Y4, Y5, Y6, Y7, Y8)

// BEST keeps the better halves of neighbors, LAST those of lanes 4 apart.
#define BEST(a, b) \
	VPSHUFD $0xb1, a, Y8; \
	VPSHUFD $0xb1, b, Y9; \
	VPMAXSD Y9, a, a; \
	VPMAXSD Y8, b, b

#define LAST(a, b) \
	VPERMD  a, Y11, Y8; \
	VPERMD  b, Y11, Y9; \
	VPMAXSD Y9, a, a; \
	VPMAXSD Y8, b, b

	// The best 8 of neighbors, in both of them. What they leave out is no better than the eighth.
	BEST(Y0, Y7)
	BEST(Y1, Y6)
	BEST(Y2, Y5)
	BEST(Y3, Y4)
	CLEAN32(Y0, Y1, Y2, Y3, Y4, Y5, Y6, Y7, Y8)
	VPMAXSD Y7, Y12, Y12
	// Columns of 16, in two lanes.
	FLIP($0x1b, $0xaa, Y0, Y7)
	FLIP($0x1b, $0xaa, Y1, Y6)
	FLIP($0x1b, $0xaa, Y2, Y5)
	FLIP($0x1b, $0xaa, Y3, Y4)
	CLEAN32(Y0, Y1, Y2, Y3, Y4, Y5, Y6, Y7, Y8)
	VMOVDQU github·com∕simdrank∕simdrank∕internal∕kern·Iota(SB), Y11
	VPSHUFD $0xb1, Y11, Y11
	VPERMQ  $0x4e, Y11, Y11              // lanes 4 apart and reversed in pairs
	LAST(Y0, Y7)
	LAST(Y1, Y6)
	LAST(Y2, Y5)
	LAST(Y3, Y4)
	NEAR8($0xb1, $0xaa)
	CLEAN32(Y0, Y1, Y2, Y3, Y4, Y5, Y6, Y7, Y8)
	// Y0 and Y1 get the 16 keys.
	KEYS16

	VMOVDQU      Y0, (DI)
	VMOVDQU      Y1, 32(DI)
	VPBROADCASTD -4(DI)(R11*4), Y4       // the k-th
	VPANDN       Y4, Y14, Y4
	VPCMPGTD     Y12, Y4, Y4
	VMOVMSKPS    Y4, AX
	CMPL         AX, $0xff               // none of the others is as good
	JNE          fail
	LEAQ         github·com∕simdrank∕simdrank∕internal∕kern·Masks+96(SB), AX
	SHLQ         $2, R11
	SUBQ         R11, AX
	VMOVDQU      (AX), Y2                // the first k
	VMOVDQU      32(AX), Y3
	VMOVDQU      github·com∕simdrank∕simdrank∕internal∕kern·Iota(SB), Y4
	VPCMPEQD     Y6, Y6, Y6
	VPSUBD       Y6, Y4, Y4              // lanes 1 to 8: VPERMD looks at three bits
	VPERMD       Y0, Y4, Y5              // each key's follower
	VPERMD       Y1, Y4, Y6
	VPBLENDD     $0x80, Y6, Y5, Y5
	VPXOR        Y0, Y5, Y5
	VPXOR        Y1, Y6, Y6
	VPSRLD       $4, Y5, Y5
	VPSRLD       $4, Y6, Y6
	VPCMPEQD     Y13, Y5, Y5             // ties
	VPCMPEQD     Y13, Y6, Y6
	VPAND        Y14, Y0, Y7
	VPAND        Y14, Y1, Y8
	VPCMPEQD     Y14, Y7, Y7             // grades of 15 and more
	VPCMPEQD     Y14, Y8, Y8
	VPOR         Y7, Y5, Y5
	VPOR         Y8, Y6, Y6
	VPAND        Y2, Y5, Y5
	VPAND        Y3, Y6, Y6
	VPOR         Y5, Y6, Y6
	VMOVMSKPS    Y6, AX
	TESTL        AX, AX
	JNE          fail
	GAINS

// STORE8 stores the gains of the keys r that are among the first k.
#define STORE8(r, first, offset) \
	VPERMQ     $0xd8, r, Y8; \ // interleaving undoes it
	VPERMQ     $0xd8, first, first; \
	GAINS8; \
	VPAND      first, Y10, Y10; \
	VPAND      first, Y11, Y11; \
	VPUNPCKLDQ Y11, Y10, Y8; \
	VPUNPCKHDQ Y11, Y10, Y9; \
	VMOVDQU    Y8, offset(DI); \
	VMOVDQU    Y9, (offset+32)(DI)

	STORE8(Y0, Y2, 0)
	STORE8(Y1, Y3, 64)
	MOVB $0, nan+72(FP)
	MOVB $1, ok+73(FP)
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

#undef STORE8

// func rankGainsF32AVX2(dst []float64, x []float32, grades []uint8, gains *[16]float64) (ok bool)
//
// Requires: AVX, AVX2
//
// For 8 to 128 values. DI dst   SI x   R8 grades   CX their number   Y0 … Y7 64 keys
// Y11 the worst keys, no two alike   Y12 grades, so far   Y13 zero   Y14 15   Y15 NaNs
// R9 masks   R10 CX−8   R11 8   R12 first of the 64 values   DX the last of the keys before
// As rankGainsF32AVX512, on 8 lanes: 64 keys are sorted, then the others, then they are merged.
// In the end rank r is element r%8 of lane r/8, and its grade is the nibble r%8 of 32 bits.
TEXT ·rankGainsF32AVX2(SB), NOSPLIT, $336-81
	MOVQ     dst_base+0(FP), DI
	MOVQ     x_base+24(FP), SI
	MOVQ     x_len+32(FP), CX
	MOVQ     grades_base+48(FP), R8
	LEAQ     github·com∕simdrank∕simdrank∕internal∕kern·Masks+32(SB), R9
	LEAQ     -8(CX), R10
	MOVL     $8, R11
	XORL     R12, R12
	VPCMPEQD Y14, Y14, Y14
	VPSRLD   $28, Y14, Y14
	VPXOR    Y13, Y13, Y13
	VPXOR    Y15, Y15, Y15
	VPXOR    Y12, Y12, Y12

half:
	LEAQ 64(R12), AX
	CMPQ AX, CX
	JGT  partial

#define ROW(j, r) \
	VMOVUPS   (32*j)(SI), r; \
	VPMOVZXBD (8*j)(R8), Y10; \
	VPMAXUB   Y10, Y12, Y12; \
	GRADED(r, Y10, Y9)

	ROW(0, Y0)
	ROW(1, Y1)
	ROW(2, Y2)
	ROW(3, Y3)
	ROW(4, Y4)
	ROW(5, Y5)
	ROW(6, Y6)
	ROW(7, Y7)
	JMP sort

// PART is a ROW of which some values, or all, may be missing: it loads the last 8 there are, and
// takes those that no other row has.
#define PART(j, r) \
	LEAQ      (8*j)(R12), AX; \
	MOVQ      AX, BX; \
	CMPQ      AX, R10; \
	CMOVQGT   R10, BX; \
	SUBQ      BX, AX; \
	CMPQ      AX, R11; \
	CMOVQGT   R11, AX; \
	NEGQ      AX; \
	SUBQ      R12, BX; \
	VMOVUPS   (SI)(BX*4), r; \
	VPMOVZXBD (R8)(BX*1), Y10; \
	VPMAXUB   Y10, Y12, Y12; \
	GRADED(r, Y10, Y9); \
	VMOVDQU   (R9)(AX*4), Y9; \
	VBLENDVPS Y9, r, Y11, r; \
	VPADDD    Y8, Y11, Y11

partial:
	VPCMPEQD Y8, Y8, Y8
	VPSLLD   $31, Y8, Y9
	VMOVDQU  github·com∕simdrank∕simdrank∕internal∕kern·Iota(SB), Y11
	VPSLLD   $4, Y11, Y11
	VPOR     Y9, Y11, Y11
	VPSRLD   $31, Y8, Y8
	VPSLLD   $7, Y8, Y8                  // from a row's worst keys to the next row's
	PART(0, Y0)
	PART(1, Y1)
	PART(2, Y2)
	PART(3, Y3)
	PART(4, Y4)
	PART(5, Y5)
	PART(6, Y6)
	PART(7, Y7)

sort:
	SORT32(Y0, Y1, Y2, Y3, Y4, Y5, Y6, Y7, Y8)
	// Columns of 16, in two lanes.
	FLIP($0xb1, $0xaa, Y0, Y7)
	FLIP($0xb1, $0xaa, Y1, Y6)
	FLIP($0xb1, $0xaa, Y2, Y5)
	FLIP($0xb1, $0xaa, Y3, Y4)
	CLEAN32(Y0, Y1, Y2, Y3, Y4, Y5, Y6, Y7, Y8)
	// Of 32.
	FLIP($0x1b, $0xcc, Y0, Y7)
	FLIP($0x1b, $0xcc, Y1, Y6)
	FLIP($0x1b, $0xcc, Y2, Y5)
	FLIP($0x1b, $0xcc, Y3, Y4)
	NEAR8($0xb1, $0xaa)
	CLEAN32(Y0, Y1, Y2, Y3, Y4, Y5, Y6, Y7, Y8)
	// Of 64.

#define REVERSED(a, b) \
	VPSHUFD $0x1b, a, Y8; \
	VPSHUFD $0x1b, b, Y9; \
	VPERMQ  $0x4e, Y8, Y8; \
	VPERMQ  $0x4e, Y9, Y9; \
	FIX32(Y9, a, $0xf0, Y10); \
	FIX32(Y8, b, $0xf0, Y10)

	REVERSED(Y0, Y7)
	REVERSED(Y1, Y6)
	REVERSED(Y2, Y5)
	REVERSED(Y3, Y4)
	NEAR8($0x4e, $0xcc)
	NEAR8($0xb1, $0xaa)
	CLEAN32(Y0, Y1, Y2, Y3, Y4, Y5, Y6, Y7, Y8)
	VPMAXSD   Y14, Y12, Y8
	VPCMPEQD  Y8, Y12, Y8                // grades of 15 and more
	VORPS     Y15, Y8, Y8
	VMOVMSKPS Y8, AX
	TESTL     AX, AX
	JNE       fail
	TESTQ     R12, R12
	JNE       merge
	CMPQ      CX, $64
	JLE       single
	VMOVDQU   Y0, keys-336(SP)
	VMOVDQU   Y1, keys-304(SP)
	VMOVDQU   Y2, keys-272(SP)
	VMOVDQU   Y3, keys-240(SP)
	VMOVDQU   Y4, keys-208(SP)
	VMOVDQU   Y5, keys-176(SP)
	VMOVDQU   Y6, keys-144(SP)
	VMOVDQU   Y7, keys-112(SP)
	ADDQ      $64, R12
	ADDQ      $256, SI
	ADDQ      $64, R8
	JMP       half

// From here on: R13 times 64 keys, sorted or bitonic   SI where their grades go   DX the last of
// the keys before
// Y11 what keys and their followers differ in, the least of it
single:
	MOVL     $1, R13
	LEAQ     nibbles-80(SP), SI
	VPCMPEQD Y11, Y11, Y11
	JMP      sorted

// MERGE splits the keys of rows a and b, 7 in all, and those before into the better, which stay,
// and the others.
#define MERGE(a, aKeys, b, bKeys) \
	VPERMD  b, Y11, Y8; \
	VPERMD  a, Y11, Y9; \
	VMOVDQU aKeys, a; \
	VMOVDQU bKeys, b; \
	VPMINSD Y8, a, Y10; \
	VPMINSD Y9, b, Y12; \
	VPMAXSD Y8, a, a; \
	VPMAXSD Y9, b, b; \
	VMOVDQU Y10, aKeys; \
	VMOVDQU Y12, bKeys

merge:
	MOVL     $2, R13
	LEAQ     nibbles-80(SP), SI
	VMOVDQU  github·com∕simdrank∕simdrank∕internal∕kern·Iota(SB), Y11
	VPSHUFD  $0x1b, Y11, Y11
	VPERMQ   $0x4e, Y11, Y11             // reverses lanes
	MERGE(Y0, keys-336(SP), Y7, keys-112(SP))
	MERGE(Y1, keys-304(SP), Y6, keys-144(SP))
	MERGE(Y2, keys-272(SP), Y5, keys-176(SP))
	MERGE(Y3, keys-240(SP), Y4, keys-208(SP))
	VPCMPEQD Y11, Y11, Y11

#define FOUR(a) \
	VPERMQ $0x4e, a, Y8; \
	FIX32(Y8, a, $0xf0, Y9)

bitonic:
	FOUR(Y0)
	FOUR(Y1)
	FOUR(Y2)
	FOUR(Y3)
	FOUR(Y4)
	FOUR(Y5)
	FOUR(Y6)
	FOUR(Y7)
	NEAR8($0x4e, $0xcc)
	NEAR8($0xb1, $0xaa)
	CLEAN32(Y0, Y1, Y2, Y3, Y4, Y5, Y6, Y7, Y8)

// DIFFER enters what a and b differ in.
#define DIFFER(a, b) \
	VPXOR   a, b, Y8; \
	VPMINUD Y8, Y11, Y11

// GRADE puts the grades of a behind those before.
#define GRADE(a) \
	VPSRLD $4, Y10, Y10; \
	VPSLLD $28, a, Y8; \
	VPOR   Y8, Y10, Y10

sorted:
	DIFFER(Y0, Y1)
	DIFFER(Y1, Y2)
	DIFFER(Y2, Y3)
	DIFFER(Y3, Y4)
	DIFFER(Y4, Y5)
	DIFFER(Y5, Y6)
	DIFFER(Y6, Y7)
	VPCMPEQD Y8, Y8, Y8
	VMOVDQU  github·com∕simdrank∕simdrank∕internal∕kern·Iota(SB), Y9
	VPSUBD   Y8, Y9, Y9
	VPERMD   Y0, Y9, Y9                  // lanes 1 2 3 4 5 6 7 0
	DIFFER(Y7, Y9)
	VPSLLD   $28, Y0, Y10
	GRADE(Y1)
	GRADE(Y2)
	GRADE(Y3)
	GRADE(Y4)
	GRADE(Y5)
	GRADE(Y6)
	GRADE(Y7)
	VMOVDQU  Y10, (SI)
	DECQ     R13
	JEQ      last
	VEXTRACTI128 $1, Y7, X8
	VPSHUFD  $0xff, X8, X8
	VMOVD    X8, DX
	VMOVDQU  keys-336(SP), Y0
	VMOVDQU  keys-304(SP), Y1
	VMOVDQU  keys-272(SP), Y2
	VMOVDQU  keys-240(SP), Y3
	VMOVDQU  keys-208(SP), Y4
	VMOVDQU  keys-176(SP), Y5
	VMOVDQU  keys-144(SP), Y6
	VMOVDQU  keys-112(SP), Y7
	ADDQ     $32, SI
	JMP      bitonic

last:
	TESTQ R12, R12
	JEQ   ties
	VMOVD X0, AX
	XORL  DX, AX
	CMPL  AX, $15
	JLS   fail

ties:
	VPSRLD    $4, Y11, Y11
	VPCMPEQD  Y13, Y11, Y11
	VMOVMSKPS Y11, AX
	TESTL     AX, AX
	JNE       fail
	MOVQ      gains+72(FP), R10
	GAINS
	LEAQ      nibbles-80(SP), SI
	VMOVDQU   github·com∕simdrank∕simdrank∕internal∕kern·Iota(SB), Y12
	VPERMQ    $0xd8, Y12, Y12            // interleaving undoes it
	VPSLLD    $2, Y12, Y12
	MOVQ      CX, R11
	SUBQ      $8, CX

#define STORE8 \
	GAINS8; \
	VPUNPCKLDQ Y11, Y10, Y8; \
	VPUNPCKHDQ Y11, Y10, Y9; \
	VMOVDQU    Y8, (DI); \
	VMOVDQU    Y9, 32(DI)

gain8:
	VPBROADCASTD (SI), Y8
	VPSRLVD      Y12, Y8, Y8
	STORE8
	ADDQ         $4, SI
	ADDQ         $64, DI
	SUBQ         $8, CX
	JGE          gain8
	ADDQ         $8, CX
	JEQ          done
	// The last 8, of which some were there before.
	LEAQ         -64(DI)(CX*8), DI
	LEAQ         -8(R11), AX
	MOVQ         AX, CX
	SHRQ         $1, AX
	LEAQ         nibbles-80(SP), SI
	MOVQ         (SI)(AX*1), AX
	ANDL         $1, CX
	SHLL         $2, CX
	SHRQ         CX, AX
	VMOVQ        AX, X8
	VPBROADCASTD X8, Y8
	VPSRLVD      Y12, Y8, Y8
	STORE8

done:
	MOVB $1, ok+80(FP)
	VZEROUPPER
	RET

fail:
	MOVB $0, ok+80(FP)
	VZEROUPPER
	RET
