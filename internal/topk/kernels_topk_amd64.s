//go:build !purego

#include "textflag.h"

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
	MOVQ  R9, X15
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
	MOVQ  R9, X15
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
	MOVQ         R8, X4
	VPBROADCASTD X4, Y4
	VPCMPGTD     Y9, Y4, Y5              // fewer than k are greater
	VPCMPGTD     Y10, Y4, Y6
	MOVL         $0x7f800000, AX
	MOVQ         AX, X7
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
	MOVQ         R9, X15
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
	MOVQ  R9, X1
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
	MOVQ         X0, AX
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

// func topGainsF32AVX2(dst *[16]float64, keys []int64, x []float32, grades []uint8, gains *[16]float64, k int) (nan, ok bool)
//
// Requires: AVX, AVX2, POPCNT
//
// As thresholdF32AVX2 and the short lists of selectKeysF32AVX2, with grades in the keys. Then the
// rank of each of up to 32
// keys is the number of lesser upper halves, and its gain goes there.
// DI dst, where the lane maxima lie meanwhile   R10 keys   R12 end of the keys   SI x   R8 grades
// CX values left   R11 k
// R9 permutations by the bits of lanes to bring first
TEXT ·topGainsF32AVX2(SB), NOSPLIT, $0-98
	MOVQ    dst+0(FP), DI
	MOVQ    keys_base+8(FP), R10
	MOVQ    x_base+32(FP), SI
	MOVQ    x_len+40(FP), CX
	MOVQ    grades_base+56(FP), R8
	MOVQ    k+88(FP), R11
	MOVL    $0xff800000, AX              // −Inf
	MOVQ    AX, X0
	VPBROADCASTD X0, Y0
	VMOVAPS Y0, Y1
	VMOVAPS Y0, Y2
	VMOVAPS Y0, Y3
	VXORPS  Y8, Y8, Y8
	MOVQ    SI, BX
	MOVQ    CX, DX
	SUBQ    $32, DX
	JLT     rest

loop32:
	VMOVUPS (BX), Y4
	VMOVUPS 32(BX), Y5
	VMOVUPS 64(BX), Y6
	VMOVUPS 96(BX), Y7
	VCMPPS  $3, Y4, Y5, Y9
	VCMPPS  $3, Y6, Y7, Y10
	VMAXPS  Y0, Y4, Y0
	VMAXPS  Y1, Y5, Y1
	VMAXPS  Y2, Y6, Y2
	VMAXPS  Y3, Y7, Y3
	VORPS   Y9, Y10, Y10
	VORPS   Y10, Y8, Y8
	ADDQ    $128, BX
	SUBQ    $32, DX
	JGE     loop32
	VMAXPS  Y2, Y0, Y0
	VMAXPS  Y3, Y1, Y1

rest:
	ADDQ $16, DX
	JLT  tail
	VMOVUPS (BX), Y4
	VMOVUPS 32(BX), Y5
	VCMPPS  $3, Y4, Y5, Y9
	VMAXPS  Y0, Y4, Y0
	VMAXPS  Y1, Y5, Y1
	VORPS   Y9, Y8, Y8
	ADDQ    $64, BX
	SUBQ    $16, DX

tail:
	ADDQ       $16, DX
	JLE        ranks
	LEAQ       github·com∕simdrank∕simdrank∕internal∕kern·Masks+96(SB), AX
	SHLQ       $2, DX
	SUBQ       DX, AX
	VMOVUPS    (AX), Y6
	VMOVUPS    32(AX), Y7
	VMASKMOVPS (BX), Y6, Y4
	VMASKMOVPS 32(BX), Y7, Y5
	VCMPPS     $3, Y4, Y5, Y9
	VORPS      Y9, Y8, Y8
	VMAXPS     Y0, Y4, Y4
	VMAXPS     Y1, Y5, Y5
	VBLENDVPS  Y6, Y4, Y0, Y0
	VBLENDVPS  Y7, Y5, Y1, Y1

ranks:
	VMOVMSKPS Y8, AX
	TESTL     AX, AX
	JNE       nan
	VXORPS  Y9, Y9, Y9
	VXORPS  Y10, Y10, Y10
	VADDPS  Y9, Y0, Y0                   // −0 becomes +0
	VADDPS  Y9, Y1, Y1
	VMOVUPS Y0, (DI)
	VMOVUPS Y1, 32(DI)
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
	MOVQ         R11, X4
	VPBROADCASTD X4, Y4
	VPCMPGTD     Y9, Y4, Y5              // fewer than k are greater
	VPCMPGTD     Y10, Y4, Y6
	MOVL         $0x7f800000, AX
	MOVQ         AX, X7
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
	VMOVD        X0, AX
	CMPL         AX, $0xff800000
	JEQ          fail
	VBROADCASTSS X0, Y0                  // the threshold

	MOVQ         R10, R12
	LEAQ         github·com∕simdrank∕simdrank∕internal∕order·FrontI64(SB), R9
	VMOVDQU      github·com∕simdrank∕simdrank∕internal∕kern·Iota(SB), Y15
	VPSLLD       $8, Y15, Y15
	VPCMPEQD     Y11, Y11, Y11
	VPSRLD       $31, Y11, Y14
	VPSLLD       $11, Y14, Y14
	VPSRLD       $1, Y11, Y13
	VPXOR        Y12, Y12, Y12
	SUBQ         $8, CX
	JLT          selectTail

// FRONT makes keys of the scores Y4 and the lower halves Y3, and stores those whose bit is set in
// AX; it uses BX and DX.
#define FRONT \
	VADDPS     Y12, Y4, Y4; \
	VPSRAD     $31, Y4, Y6; \
	VPAND      Y13, Y6, Y6; \
	VPXOR      Y6, Y4, Y4; \
	VPXOR      Y11, Y4, Y4; \
	VPUNPCKLDQ Y4, Y3, Y6; \
	VPUNPCKHDQ Y4, Y3, Y7; \
	VPERM2I128 $0x20, Y7, Y6, Y8; \
	VPERM2I128 $0x31, Y7, Y6, Y9; \
	MOVL       AX, BX; \
	ANDL       $15, AX; \
	SHRL       $4, BX; \
	MOVL       AX, DX; \
	SHLL       $5, DX; \
	VMOVDQU    (R9)(DX*1), Y6; \
	VPERMD     Y8, Y6, Y8; \
	VMOVDQU    Y8, (R12); \
	POPCNTL    AX, AX; \
	LEAQ       (R12)(AX*8), R12; \
	MOVL       BX, DX; \
	SHLL       $5, DX; \
	VMOVDQU    (R9)(DX*1), Y7; \
	VPERMD     Y9, Y7, Y9; \
	VMOVDQU    Y9, (R12); \
	POPCNTL    BX, BX; \
	LEAQ       (R12)(BX*8), R12

select8:
	VMOVUPS   (SI), Y4
	VPMOVZXBD (R8), Y3
	VCMPPS    $0x12, Y4, Y0, Y1          // t ≤ x
	VPOR      Y15, Y3, Y3
	VMOVMSKPS Y1, AX
	FRONT
	VPADDD    Y14, Y15, Y15
	ADDQ      $32, SI
	ADDQ      $8, R8
	SUBQ      $8, CX
	JGE       select8

selectTail:
	ADDQ         $8, CX
	JLE          count
	VMOVD        X15, BX                 // index of (SI), shifted

select1: // the key of one value is stored, and kept if it is large enough
	VMOVSS   (SI), X4
	VADDSS   X12, X4, X4
	VMOVD    X4, AX
	MOVL     AX, DX
	SARL     $31, DX
	ANDL     $0x7fffffff, DX
	XORL     DX, AX
	NOTL     AX
	SHLQ     $32, AX
	MOVBLZX  (R8), DX
	ORL      BX, DX
	ORQ      DX, AX
	MOVQ     AX, (R12)
	XORL     AX, AX
	VUCOMISS X0, X4
	SETCC    AX                          // not less
	LEAQ     (R12)(AX*8), R12
	ADDL     $256, BX
	ADDQ     $4, SI
	INCQ     R8
	DECQ     CX
	JNZ      select1

count:
	MOVQ    R12, R13
	SUBQ    R10, R13
	SHRQ    $3, R13                      // keys
	CMPQ    R13, $32
	JGT     fail
	VPSRLQ  $1, Y11, Y10                 // MaxInt64 behind them, up to 24 or 32
	VMOVDQU Y10, (R12)
	VMOVDQU Y10, 32(R12)
	VMOVDQU Y10, 64(R12)
	VMOVDQU Y10, 96(R12)
	VMOVDQU Y10, 128(R12)
	VMOVDQU Y10, 160(R12)

// HALVES loads 8 keys as upper halves u and lower halves l, in the same order, whichever it is.
#define HALVES(offset, u, l) \
	VMOVUPS offset(R10), l; \
	VMOVUPS (offset+32)(R10), Y12; \
	VSHUFPS $0xdd, Y12, l, u; \
	VSHUFPS $0x88, Y12, l, l

	HALVES(0, Y0, Y4)
	HALVES(64, Y1, Y5)
	HALVES(128, Y2, Y6)
	HALVES(192, Y3, Y7)
	VPXOR Y8, Y8, Y8                     // how many upper halves are less than each
	VPXOR Y9, Y9, Y9
	VPXOR Y10, Y10, Y10
	VPXOR Y11, Y11, Y11

#define LESS24(j) \
	VPBROADCASTD (8*j+4)(R10), Y12; \
	VPCMPGTD     Y12, Y0, Y13; \
	VPCMPGTD     Y12, Y1, Y14; \
	VPCMPGTD     Y12, Y2, Y15; \
	VPSUBD       Y13, Y8, Y8; \
	VPSUBD       Y14, Y9, Y9; \
	VPSUBD       Y15, Y10, Y10

	LESS24(0)
	LESS24(1)
	LESS24(2)
	LESS24(3)
	LESS24(4)
	LESS24(5)
	LESS24(6)
	LESS24(7)
	LESS24(8)
	LESS24(9)
	LESS24(10)
	LESS24(11)
	LESS24(12)
	LESS24(13)
	LESS24(14)
	LESS24(15)
	LESS24(16)
	LESS24(17)
	LESS24(18)
	LESS24(19)
	LESS24(20)
	LESS24(21)
	LESS24(22)
	LESS24(23)
	CMPQ R13, $24
	JGT  many

	// The ranks, and the lower halves, of 24 keys; 8 more are not looked at.
	VMOVDQU Y8, 512(R10)
	VMOVDQU Y9, 544(R10)
	VMOVDQU Y10, 576(R10)
	VMOVDQU Y4, 640(R10)
	VMOVDQU Y5, 672(R10)
	VMOVDQU Y6, 704(R10)
	MOVQ    $24, CX
	JMP     place

many: // 32 are compared from the start
	VPXOR Y8, Y8, Y8
	VPXOR Y9, Y9, Y9
	VPXOR Y10, Y10, Y10
	MOVQ  R10, BX
	MOVQ  $32, CX

less1:
	VPBROADCASTD 4(BX), Y12
	VPCMPGTD     Y12, Y0, Y13
	VPCMPGTD     Y12, Y1, Y14
	VPCMPGTD     Y12, Y2, Y15
	VPCMPGTD     Y12, Y3, Y12
	VPSUBD       Y13, Y8, Y8
	VPSUBD       Y14, Y9, Y9
	VPSUBD       Y15, Y10, Y10
	VPSUBD       Y12, Y11, Y11
	ADDQ         $8, BX
	DECQ         CX
	JNZ          less1
	VMOVDQU Y8, 512(R10)
	VMOVDQU Y9, 544(R10)
	VMOVDQU Y10, 576(R10)
	VMOVDQU Y11, 608(R10)
	VMOVDQU Y4, 640(R10)
	VMOVDQU Y5, 672(R10)
	VMOVDQU Y6, 704(R10)
	VMOVDQU Y7, 736(R10)
	MOVQ    $32, CX

// R9 gains   DX a bit for each rank that there is, X13 for those that there must be: of k and the
// next keys, or of all
// R12 grades of the first k   R8 lane   BX rank, then min(rank, k)   AX grade   R13 zero
place:
	MOVQ    CX, BX
	LEAQ    1(R11), CX
	CMPQ    R13, CX
	CMOVQLT R13, CX
	MOVQ    $-1, AX
	SHLQ    CX, AX
	NOTQ    AX
	MOVQ    AX, X13
	MOVQ    BX, CX
	MOVQ    gains+80(FP), R9
	XORL    DX, DX
	XORL    R12, R12
	XORL    R8, R8
	XORL    R13, R13
	VXORPS  Y0, Y0, Y0
	VMOVUPS Y0, (DI)
	VMOVUPS Y0, 32(DI)
	VMOVUPS Y0, 64(DI)
	VMOVUPS Y0, 96(DI)

place1:
	MOVL     512(R10)(R8*4), BX
	MOVBLZX  640(R10)(R8*4), AX
	BTSQ     BX, DX
	CMPL     BX, R11
	CMOVLCC  R11, BX                     // all others at k, which is no rank
	MOVBLZX  AX, SI
	CMOVLCC  R13, SI
	ORL      SI, R12
	ANDL     $15, AX
	VMOVSD   (R9)(AX*8), X1
	VMOVSD   X1, (DI)(BX*8)
	INCQ     R8
	CMPQ     R8, CX
	JLT      place1
	MOVQ     $0, (DI)(R11*8)
	MOVQ     X13, AX
	ANDQ     AX, DX
	CMPQ     DX, AX                      // one is missing after a tie
	JNE      fail
	TESTL    $0xf0, R12                  // grades that gains lacks
	JNE      fail
	MOVB     $0, nan+96(FP)
	MOVB     $1, ok+97(FP)
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
