//go:build !purego

#include "go_asm.h"
#include "textflag.h"

// Kernels of tree growing for AVX-512.

// func subI64AVX512(dst, a, b []int64)
//
// Requires: AVX512F
//
// Registers: DI, SI, DX: the next elements of dst, a and b; CX: elements left; K1: the last ones.
TEXT ·subI64AVX512(SB), NOSPLIT, $0-72
	MOVQ dst_base+0(FP), DI // load the arguments
	MOVQ dst_len+8(FP), CX
	MOVQ a_base+24(FP), SI
	MOVQ b_base+48(FP), DX
	SUBQ $32, CX
	JLT  vectors

loop:
	VMOVDQU64 (SI), Z0 // load 32 elements of a
	VMOVDQU64 64(SI), Z1
	VMOVDQU64 128(SI), Z2
	VMOVDQU64 192(SI), Z3
	VPSUBQ    (DX), Z0, Z0 // dst[i] = a[i] − b[i]
	VPSUBQ    64(DX), Z1, Z1
	VPSUBQ    128(DX), Z2, Z2
	VPSUBQ    192(DX), Z3, Z3
	VMOVDQU64 Z0, (DI) // store them
	VMOVDQU64 Z1, 64(DI)
	VMOVDQU64 Z2, 128(DI)
	VMOVDQU64 Z3, 192(DI)
	ADDQ      $256, SI // the next 32 elements
	ADDQ      $256, DX
	ADDQ      $256, DI
	SUBQ      $32, CX
	JGE       loop

vectors:
	ADDQ $24, CX // if fewer than eight elements are left: goto tail
	JLT  tail

vector:
	VMOVDQU64 (SI), Z0 // dst[i] = a[i] − b[i], eight elements
	VPSUBQ    (DX), Z0, Z0
	VMOVDQU64 Z0, (DI)
	ADDQ      $64, SI // the next eight elements
	ADDQ      $64, DX
	ADDQ      $64, DI
	SUBQ      $8, CX
	JGE       vector

tail:
	ADDQ        $8, CX // K1 = the lanes of the last elements; if none: goto done
	JEQ         done
	MOVL        $1, AX
	SHLL        CX, AX
	DECL        AX
	KMOVW       AX, K1
	VMOVDQU64.Z (SI), K1, Z0 // dst[i] = a[i] − b[i]
	VMOVDQU64.Z (DX), K1, Z1
	VPSUBQ      Z1, Z0, Z0
	VMOVDQU64   Z0, K1, (DI)

done:
	VZEROUPPER
	RET

DATA splitAbs<>+0(SB)/8, $0x7fffffffffffffff
DATA splitAbs<>+8(SB)/8, $0x7fffffffffffffff
GLOBL splitAbs<>(SB), RODATA|NOPTR, $16
DATA splitSlack<>+0(SB)/8, $0x3d70000000000000 // 2⁻⁴⁰
GLOBL splitSlack<>(SB), RODATA|NOPTR, $8
DATA splitRough<>+0(SB)/8, $0x3ef0000000000000 // 2⁻¹⁶
GLOBL splitRough<>(SB), RODATA|NOPTR, $8

// func bestSplitI64AVX512(cells []int64, start, total int64, alpha, lambda, minHess, bar float64) (gain float64, bin int, sum int64)
//
// Requires: AVX512F, AVX512DQ
//
// Most bins gain less than the best one. So 16 bins at a time are first tested in float32, computed
// from exact integers. The test ignores alpha, which can only lower gains. The relative errors of
// dividends and divisors are then less than 2⁻²⁰. If no dividend exceeds the divisor times the best
// gain reduced by 2⁻¹⁶, none of these bins is better. If lambda exceeds 2⁶⁰, the products could be
// infinite, so all bins are scored.
// The remaining bins are scored as two vectors of float64. Each lane keeps the first best of every
// eighth bin, and the result is the lowest bin among the lanes with the best gain. Lanes after the
// last bin repeat its split with a higher bin number, so they never win. If no dividend exceeds its
// divisor times a little less than the best gain, no quotient can be better, and the divisions are
// skipped.
//
// Registers: Z0: g, l²·y, gain; Z1: g and r²·x on the right; Z2: h, x, divisor; Z3: h, y on the
// right; Z4: the lower h; Z10-Z14: the same of the second vector; K1, K2: the splits of both that
// may count; Z18: an argument in all lanes; named below.
TEXT ·bestSplitI64AVX512(SB), NOSPLIT, $16-96
#define cell     SI  // next cell
#define left     CX  // cells left
#define finite   R8  // 0 if lambda is above 2⁶⁰
#define sums0    Z5  // sums of the cells up to each bin
#define sums1    Z15 // the same of the second vector
#define bestGain Z6
#define bestBin  Z7
#define bestSum  Z8
#define bins0    Z9  // bins of the lanes
#define bins1    Z19 // the same of the second vector
#define noSign   Z17 // all bits except the sign
#define bound    Z20 // a little less than bestGain
#define hTotal   Z21 // h of total, float64
#define gTotal   Z22 // g of total, float64
#define seven    Z23 // 7
#define zero     Z24 // 0
#define before   Z25 // sum of the previous cells
#define rough    Z26 // 2⁻¹⁶ less than the greatest lane of bestGain, float32
#define least    Z27 // minHess, int32
#define half     Z28 // 2³¹
#define lambdas  Z29 // lambda, float32
#define hTotal32 Z30 // h of total, int32
#define gTotal32 Z31 // g of total, int32

// GREATEST sets X0 to the greatest lane of bestGain.
#define GREATEST \
	VEXTRACTF64X4 $1, bestGain, Y0; VMAXPD Y0, Y6, Y0; \
	VEXTRACTF128  $1, Y0, X1; VMAXPD X1, X0, X0;       \
	VPERMILPD     $1, X0, X1; VMAXPD X1, X0, X0

// BOUND computes bound = bestGain − |bestGain|·2⁻⁴⁰ from |bestGain| in bound.
#define BOUND \
	VMULPD.BCST splitSlack<>(SB), bound, bound; \
	VSUBPD      bound, bestGain, bound

	MOVQ         cells_base+0(FP), cell // load the arguments
	MOVQ         cells_len+8(FP), left
	VPBROADCASTQ start+24(FP), before
	MOVQ         total+32(FP), AX
	MOVL         $0x80000000, BX // constants
	VPBROADCASTQ BX, half
	VPXORQ       zero, zero, zero
	VPBROADCASTD AX, gTotal32 // gTotal32 and totalG = the lower half of total
	VCVTSI2SDL   AX, X24, X0
	VMOVSD       X0, totalG-16(SP)
	ADDQ         BX, AX // hTotal32 and totalH = (total + 2³¹) >> 32
	SARQ         $32, AX
	VPBROADCASTD AX, hTotal32
	VCVTSI2SDL   AX, X24, X0
	VMOVSD       X0, totalH-8(SP)
	VMOVSD       lambda+48(FP), X0 // lambdas = lambda in float32
	VCVTSD2SS    X0, X0, X0
	VBROADCASTSS X0, lambdas
	VCVTTSD2SIQ  minHess+56(FP), AX // least = min(minHess, 2³¹−1): no sum allows more
	MOVQ         $0x7fffffff, BX
	CMPQ         AX, BX
	CMOVQGT      BX, AX
	VPBROADCASTD AX, least
	MOVL         $7, AX
	VPBROADCASTQ AX, seven
	VPXORQ       bestSum, bestSum, bestSum // bestSum, bestBin, bestGain = 0, −1, bar
	VPTERNLOGQ   $0xff, bestBin, bestBin, bestBin
	VBROADCASTSD bar+64(FP), bestGain
	XORL         finite, finite // finite = 2⁶⁰ ≥ lambda, by their bits
	MOVQ         $0x43b0000000000000, AX
	CMPQ         AX, lambda+48(FP)
	SETCC        finite
	VPANDQ.BCST  splitAbs<>(SB), bestGain, bound // |bestGain|
	BOUND
	VMOVAPD      X6, X0
	SUBQ         $16, left
	JMP          setRough

loop:
	VMOVDQU64 (cell), sums0 // load 16 cells
	VMOVDQU64 64(cell), sums1

prefix:
	VALIGNQ $7, zero, sums0, Z0; VALIGNQ $7, zero, sums1, Z10 // sums of two cells
	VPADDQ  Z0, sums0, sums0; VPADDQ Z10, sums1, sums1
	VALIGNQ $6, zero, sums0, Z0; VALIGNQ $6, zero, sums1, Z10 // of four cells
	VPADDQ  Z0, sums0, sums0; VPADDQ Z10, sums1, sums1
	VALIGNQ $4, zero, sums0, Z0; VALIGNQ $4, zero, sums1, Z10 // of all cells up to each bin
	VPADDQ  Z0, sums0, sums0; VPADDQ Z10, sums1, sums1
	VPERMQ  sums0, seven, Z0; VPERMQ sums1, seven, Z10 // the sums of the two vectors
	VPADDQ  before, sums0, sums0; VPADDQ Z0, before, before // sums += before; before += the cells
	VPADDQ  before, sums1, sums1; VPADDQ Z10, before, before
	TESTL   finite, finite
	JEQ     score

	// After 2³¹ is added, the lower halves are g and the upper halves h. The order of bins does not
	// matter.
	VPADDQ      half, sums0, Z2
	VPADDQ      half, sums1, Z12
	VSHUFPS     $0x88, sums1, sums0, Z0 // g and h, on the right too
	VSHUFPS     $0xdd, Z12, Z2, Z2
	VPSUBD      Z0, gTotal32, Z1
	VPSUBD      Z2, hTotal32, Z3
	VPMINSD     Z2, Z3, Z4 // K1 = both h ≥ minHess
	VPCMPD      $5, least, Z4, K1
	VCVTDQ2PS   Z0, Z0 // to float32
	VCVTDQ2PS   Z1, Z1
	VCVTDQ2PS   Z2, Z2
	VCVTDQ2PS   Z3, Z3
	VADDPS      lambdas, Z2, Z2 // x and y = h + lambda
	VADDPS      lambdas, Z3, Z3
	VMULPS      Z0, Z0, Z0 // dividend = g²·y + (g on the right)²·x
	VMULPS      Z1, Z1, Z1
	VMULPS      Z3, Z0, Z0
	VFMADD231PS Z2, Z1, Z0
	VMULPS      Z3, Z2, Z2 // divisor·rough
	VMULPS      rough, Z2, Z2
	VCMPPS      $6, Z2, Z0, K1, K1 // if any dividend is greater: goto score
	KORTESTW    K1, K1
	JNE         score

next:
	ADDQ $128, cell // the next 16 cells
	SUBQ $16, left
	JGE  loop

tail:
	ADDQ        $16, left // the last cells, and zeros; if none: goto done
	JLE         done
	MOVL        $1, AX
	SHLL        CX, AX
	DECL        AX
	KMOVW       AX, K1
	KSHIFTRW    $8, K1, K2
	VMOVDQU64.Z (cell), K1, sums0
	VMOVDQU64.Z 64(cell), K2, sums1
	XORL        left, left // none left
	JMP         prefix

score: // from here on, a line holds both vectors
	VBROADCASTSD totalG-16(SP), gTotal // constants
	VBROADCASTSD totalH-8(SP), hTotal
	VPBROADCASTQ splitAbs<>(SB), noSign
	VPADDQ       half, sums0, Z2; VPADDQ half, sums1, Z12 // h = the upper halves of sums + 2³¹
	VPSRAQ       $32, Z2, Z2; VPSRAQ $32, Z12, Z12
	VCVTQQ2PD    Z2, Z2; VCVTQQ2PD Z12, Z12
	VPSLLQ       $32, sums0, Z0; VPSLLQ $32, sums1, Z10 // g = the lower halves of sums
	VPSRAQ       $32, Z0, Z0; VPSRAQ $32, Z10, Z10
	VCVTQQ2PD    Z0, Z0; VCVTQQ2PD Z10, Z10
	VSUBPD       Z2, hTotal, Z3; VSUBPD Z12, hTotal, Z13 // h and g on the right
	VSUBPD       Z0, gTotal, Z1; VSUBPD Z10, gTotal, Z11
	VBROADCASTSD minHess+56(FP), Z18 // K1, K2 = both h ≥ minHess; if none: goto next
	VMINPD       Z2, Z3, Z4; VMINPD Z12, Z13, Z14
	VCMPPD       $0x1d, Z18, Z4, K1; VCMPPD $0x1d, Z18, Z14, K2
	KORTESTB     K1, K2
	JEQ          next
	CMPQ         alpha+40(FP), $0
	JEQ          penalized
	VBROADCASTSD alpha+40(FP), Z18 // l = max(|g| − alpha, 0), on the right r
	VPANDQ       noSign, Z0, Z0; VPANDQ noSign, Z10, Z10
	VPANDQ       noSign, Z1, Z1; VPANDQ noSign, Z11, Z11
	VSUBPD       Z18, Z0, Z0; VSUBPD Z18, Z10, Z10
	VSUBPD       Z18, Z1, Z1; VSUBPD Z18, Z11, Z11
	VMAXPD       zero, Z0, Z0; VMAXPD zero, Z10, Z10
	VMAXPD       zero, Z1, Z1; VMAXPD zero, Z11, Z11

penalized:
	VBROADCASTSD lambda+48(FP), Z18 // x and y = h + lambda
	VADDPD       Z18, Z2, Z2; VADDPD Z18, Z12, Z12
	VADDPD       Z18, Z3, Z3; VADDPD Z18, Z13, Z13
	VMULPD       Z0, Z0, Z0; VMULPD Z10, Z10, Z10 // dividend = (l·l)·y + (r·r)·x
	VMULPD       Z1, Z1, Z1; VMULPD Z11, Z11, Z11
	VMULPD       Z3, Z0, Z0; VMULPD Z13, Z10, Z10
	VMULPD       Z2, Z1, Z1; VMULPD Z12, Z11, Z11
	VADDPD       Z1, Z0, Z0; VADDPD Z11, Z10, Z10
	VMULPD       Z3, Z2, Z2; VMULPD Z13, Z12, Z12 // divisor = x·y
	VMULPD       bound, Z2, Z3; VMULPD bound, Z12, Z13 // K1, K2 &= dividend > divisor·bound
	VCMPPD       $0x1e, Z3, Z0, K1, K1; VCMPPD $0x1e, Z13, Z10, K2, K2
	KORTESTB     K1, K2
	JEQ          next
	VDIVPD       Z2, Z0, Z0; VDIVPD Z12, Z10, Z10 // gain = dividend/divisor
	MOVQ         cell, AX // bins0, bins1 = the number of previous cells + 0 to 7, 8 to 15
	SUBQ         cells_base+0(FP), AX
	SHRQ         $3, AX
	VPBROADCASTQ AX, bins0
	VPADDQ       github·com∕simdrank∕simdrank∕internal∕kern·Iota64(SB), bins0, bins0
	ADDQ         $8, AX
	VPBROADCASTQ AX, bins1
	VPADDQ       github·com∕simdrank∕simdrank∕internal∕kern·Iota64(SB), bins1, bins1
	VCMPPD       $0x1e, bestGain, Z0, K1, K1 // if gain > bestGain, the first vector is the best
	VMOVAPD      Z0, K1, bestGain
	VMOVDQA64    bins0, K1, bestBin
	VMOVDQA64    sums0, K1, bestSum
	VCMPPD       $0x1e, bestGain, Z10, K2, K2 // then the second vector
	VMOVAPD      Z10, K2, bestGain
	VMOVDQA64    bins1, K2, bestBin
	VMOVDQA64    sums1, K2, bestSum
	VPANDQ       noSign, bestGain, bound // |bestGain|
	BOUND
	ADDQ         $128, cell // the next 16 cells; if none are left: goto done
	SUBQ         $16, left
	CMPQ         left, $-16
	JEQ          done
	GREATEST

setRough: // rough = X0 − |X0|·2⁻¹⁶, rounded down to float32
	VANDPD        splitAbs<>(SB), X0, X1
	VMULSD        splitRough<>(SB), X1, X1
	VSUBSD        X1, X0, X0
	VCVTSD2SS.RD_SAE X0, X0, X0
	VBROADCASTSS  X0, rough
	TESTQ         left, left
	JGE           loop
	JMP           tail

done:
	GREATEST // gain = the greatest lane of bestGain
	VMOVSD        X0, gain+72(FP)
	VBROADCASTSD  X0, Z0 // bestBin = all ones in the lanes of a lower gain
	VCMPPD        $4, Z0, bestGain, K1
	VPTERNLOGQ    $0xff, bestBin, bestBin, K1, bestBin
	VEXTRACTI64X4 $1, bestBin, Y0 // bin = the least lane of bestBin
	VPMINUQ       Z0, bestBin, Z0
	VEXTRACTI128  $1, Y0, X1
	VPMINUQ       Z1, Z0, Z0
	VPSHUFD       $0x4e, X0, X1
	VPMINUQ       Z1, Z0, Z0
	VMOVQ         X0, bin+80(FP)
	VPBROADCASTQ  X0, Z0 // sum = the lane of bestSum that has this bin
	VPCMPEQQ      Z0, bestBin, K1
	VPCOMPRESSQ   bestSum, K1, Z0
	VMOVQ         X0, sum+88(FP)
	VZEROUPPER
	RET
#undef cell
#undef left
#undef finite
#undef sums0
#undef sums1
#undef bestGain
#undef bestBin
#undef bestSum
#undef bins0
#undef bins1
#undef noSign
#undef bound
#undef hTotal
#undef gTotal
#undef seven
#undef zero
#undef before
#undef rough
#undef least
#undef half
#undef lambdas
#undef hTotal32
#undef gTotal32
#undef GREATEST
#undef BOUND

// func partitionRowsAVX512(rowsL []uint32, ghL []int64, rows []uint32, gh []int64, rowsR []uint32, ghR []int64, bins []uint8, stride int, left *[4]uint64) int
//
// Requires: AVX512F, AVX512BW, POPCNT
//
// The sides of rows are determined one by one, because a gather of bins takes longer than single
// loads. But rows are moved 16 at a time, because single stores to four places cost a cycle each.
// Whole vectors are stored. The elements after the rows of a side are overwritten later, or are
// scratch. The last 15 rows are moved one by one.
//
// Registers: Z0: rows; Z1, Z2: their gh; AX, BX: which of 8 rows go right; K1, K2: right and left
// of 16; K3, K4: right of 8; K5, K6: left of 8; named below.
TEXT ·partitionRowsAVX512(SB), NOSPLIT, $256-192
#define row     SI  // next row
#define value   DI  // next gh
#define count   CX  // rows left
#define right   DX  // rows on the right
#define rowsL   R8  // rowsL, the next element
#define ghL     R9
#define rowsR   R10
#define ghR     R11
#define bins    R12
#define element R13 // the bin's place, then the bin

// SIDE shifts a bit into m that is set if row i goes right. The table is 0 for bins that go right.
#define SIDE(i, m) \
	MOVL  (i*4)(row), element;                                         \
	IMULQ stride+168(FP), element; MOVBLZX (bins)(element*1), element; \
	CMPB  table-256(SP)(element*1), $1; ADCL m, m

// SIDES loads 16 rows. It sets AX and BX to the rows that go right, of the first and of the last 8.
#define SIDES \
	VMOVDQU32 (row), Z0; VMOVDQU64 (value), Z1; VMOVDQU64 64(value), Z2;             \
	XORL AX, AX; XORL BX, BX;                                                        \
	SIDE(7, AX); SIDE(15, BX); SIDE(6, AX); SIDE(14, BX); SIDE(5, AX); SIDE(13, BX); \
	SIDE(4, AX); SIDE(12, BX); SIDE(3, AX); SIDE(11, BX); SIDE(2, AX); SIDE(10, BX); \
	SIDE(1, AX); SIDE(9, BX); SIDE(0, AX); SIDE(8, BX)

// MASKS sets K1 to K6 to the masks of the sides, AX to the number of rows that go right of the
// first 8, and BX to the number of all 16.
#define MASKS \
	KMOVW AX, K3; KMOVW BX, K4; SHLL $8, BX; ORL AX, BX; KMOVW BX, K1; \
	KNOTW K1, K2; KNOTW K3, K5; KNOTW K4, K6;                          \
	POPCNTL AX, AX; POPCNTL BX, BX; ADDQ BX, right

// APPEND appends the rows and their values to the sides. The values of the last 8 rows follow AX
// values on the right side and 8−AX on the left side.
#define APPEND \
	VPCOMPRESSD Z0, K2, Z3; VPCOMPRESSD Z0, K1, Z4; VMOVDQU32 Z3, (rowsL); VMOVDQU32 Z4, (rowsR);   \
	VPCOMPRESSQ Z1, K5, Z3; VPCOMPRESSQ Z1, K3, Z4; VPCOMPRESSQ Z2, K6, Z5; VPCOMPRESSQ Z2, K4, Z6; \
	VMOVDQU64 Z3, (ghL); VMOVDQU64 Z4, (ghR); VMOVDQU64 Z6, (ghR)(AX*8);                            \
	NEGQ AX; VMOVDQU64 Z5, 64(ghL)(AX*8)

// ADVANCE advances by BX rows on the right, 16−BX rows on the left and 16 rows of the source.
#define ADVANCE \
	LEAQ (rowsR)(BX*4), rowsR; LEAQ (ghR)(BX*8), ghR; NEGQ BX; \
	LEAQ 64(rowsL)(BX*4), rowsL; LEAQ 128(ghL)(BX*8), ghL;     \
	ADDQ $64, row; ADDQ $128, value

// FETCH prefetches the bin of the row partitionAhead+i rows ahead.
#define FETCH(i) \
	MOVL  (4*const_partitionAhead+i*4)(row), element; \
	IMULQ stride+168(FP), element; PREFETCHT0 (bins)(element*1)

	MOVQ      left+176(FP), AX // table[bin] = −1 if bit bin of left is set, else 0
	KMOVQ     (AX), K1
	KMOVQ     8(AX), K2
	KMOVQ     16(AX), K3
	KMOVQ     24(AX), K4
	VPMOVM2B  K1, Z0
	VPMOVM2B  K2, Z1
	VPMOVM2B  K3, Z2
	VPMOVM2B  K4, Z3
	VMOVDQU64 Z0, table-256(SP) // a byte for each bin
	VMOVDQU64 Z1, table-192(SP)
	VMOVDQU64 Z2, table-128(SP)
	VMOVDQU64 Z3, table-64(SP)
	MOVQ      rowsL_base+0(FP), rowsL // load the arguments
	MOVQ      ghL_base+24(FP), ghL
	MOVQ      rowsR_base+96(FP), rowsR
	MOVQ      ghR_base+120(FP), ghR
	MOVQ      rows_base+48(FP), row // the source
	MOVQ      rows_len+56(FP), count
	MOVQ      gh_base+72(FP), value
	MOVQ      bins_base+144(FP), bins
	XORL      right, right
	SUBQ      $16, count
	JLT       tail

	CMPQ stride+168(FP), $1 // a column needs no prefetches
	JEQ  loop

ahead:
	CMPQ count, $const_partitionAhead // if fewer rows are left: goto loop
	JLT  loop
	FETCH(0); FETCH(1); FETCH(2); FETCH(3) // prefetch the bins of 16 rows
	FETCH(4); FETCH(5); FETCH(6); FETCH(7)
	FETCH(8); FETCH(9); FETCH(10); FETCH(11)
	FETCH(12); FETCH(13); FETCH(14); FETCH(15)
	SIDES // move 16 rows to their sides
	MASKS
	APPEND
	ADVANCE
	SUBQ $16, count
	JGE  ahead
	JMP  tail

loop:
	SIDES // move 16 rows to their sides
	MASKS
	APPEND
	ADVANCE
	SUBQ $16, count
	JGE  loop

tail:
	ADDQ $16, count
	JEQ  done

single:
	MOVL    (row), BX // AX = −1 if the row goes right, else 0
	MOVQ    (value), R13
	MOVQ    BX, AX
	IMULQ   stride+168(FP), AX
	MOVBLZX (bins)(AX*1), AX
	CMPB    table-256(SP)(AX*1), $1
	SBBQ    AX, AX
	MOVL    BX, (rowsL) // store the row on both sides
	MOVL    BX, (rowsR)
	MOVQ    R13, (ghL)
	MOVQ    R13, (ghR)
	LEAQ    4(rowsL)(AX*4), rowsL // go to the next element on its side only
	LEAQ    8(ghL)(AX*8), ghL
	SUBQ    AX, right
	NEGQ    AX
	LEAQ    (rowsR)(AX*4), rowsR
	LEAQ    (ghR)(AX*8), ghR
	ADDQ    $4, row // the next row
	ADDQ    $8, value
	DECQ    count
	JNE     single

done:
	MOVQ rows_len+56(FP), AX // ret = rows on the left
	SUBQ right, AX
	MOVQ AX, ret+184(FP)
	VZEROUPPER
	RET
#undef row
#undef value
#undef count
#undef right
#undef rowsL
#undef ghL
#undef rowsR
#undef ghR
#undef bins
#undef element
#undef SIDE
#undef SIDES
#undef MASKS
#undef APPEND
#undef ADVANCE
#undef FETCH

// func binF32AVX512(dst []uint8, x []float32, stride int, t *binTable, n int, zero uint32) (missing int)
//
// Requires: AVX512F, POPCNT
//
// It compares a value with the 16 splits, which select the 16 bounds for the second comparison.
//
// Registers: DI: dst; SI: the next value of x; R8: stride in bytes; R9: bounds; R10: zero; R11: the
// least missing value; R12: n; CX: values left; DX: missing values; BX: bin; Z0: value; Z1: splits;
// Z2: the first 16 bounds.
TEXT ·binF32AVX512(SB), NOSPLIT, $0-88
// VALUE stores the bin BX, or n if the value is missing, and advances to the next value. A value is
// missing if twice its bits, minus 1 if zeros are missing, are at least R11; for a NaN, they are at
// least R11+1.
#define VALUE \
	MOVL (SI), AX; ADDL AX, AX; SUBL R10, AX; CMPL AX, R11; \
	CMOVLCC R12, BX; SBBQ $-1, DX; MOVB BX, (DI);           \
	ADDQ R8, SI; INCQ DI

	MOVQ      dst_base+0(FP), DI // load the arguments
	MOVQ      dst_len+8(FP), CX
	MOVQ      x_base+24(FP), SI
	MOVQ      stride+48(FP), R8
	SHLQ      $2, R8
	MOVQ      t+56(FP), R9
	MOVQ      n+64(FP), R12
	MOVL      zero+72(FP), R10
	MOVL      $0xff000001, R11 // constants
	XORL      DX, DX
	VMOVUPS   binTable_split(R9), Z1
	ADDQ      $binTable_bound, R9
	VMOVUPS   (R9), Z2
	TESTQ     CX, CX // if there are no values: goto done
	JEQ       done
	CMPQ      R12, $16 // if all bounds are in Z2: goto single
	JLE       single

loop:
	VBROADCASTSS (SI), Z0 // BX = 16·number of splits < value
	VCMPPS       $1, Z0, Z1, K1
	KMOVW        K1, BX
	POPCNTL      BX, BX
	SHLL         $4, BX
	VCMPPS       $0x1e, (R9)(BX*4), Z0, K2 // BX += number of its 16 bounds < value
	KMOVW        K2, R13
	POPCNTL      R13, R13
	ADDL         R13, BX
	VALUE
	DECQ         CX
	JNE          loop
	JMP          done

single:
	VBROADCASTSS (SI), Z0 // BX = number of the first bounds < value
	VCMPPS       $1, Z0, Z2, K1
	KMOVW        K1, BX
	POPCNTL      BX, BX
	VALUE
	DECQ         CX // the next value
	JNE          single

done:
	MOVQ DX, missing+80(FP)
	VZEROUPPER
	RET
#undef VALUE
