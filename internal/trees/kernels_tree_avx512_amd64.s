//go:build !purego

#include "go_asm.h"
#include "textflag.h"

// Kernels of tree growing for AVX-512.

// The words of 64 columns in the order that histogramU8TileAVX512 transposes: every fourth, then
// those after them.
DATA tileWords<>+0(SB)/8, $0x1c1814100c080400
DATA tileWords<>+8(SB)/8, $0x1d1915110d090501
DATA tileWords<>+16(SB)/8, $0x1e1a16120e0a0602
DATA tileWords<>+24(SB)/8, $0x1f1b17130f0b0703
GLOBL tileWords<>(SB), RODATA|NOPTR, $32

// STORE writes the bytes of a group.
#define STORE(z) \
	VMOVDQU64 z, (DI); \
	ADDQ      R12, DI

// Eight groups, for tile_amd64.h.
#define STEP 64
#define WIDE \
	VPERMW     -64(AX)(SI*1), Z31, Z0; \
	VPERMW     -64(BX)(SI*1), Z31, Z1; \
	VPERMW     -64(CX)(SI*1), Z31, Z2; \
	VPERMW     -64(DX)(SI*1), Z31, Z3; \
	VPERMW     -64(R8)(SI*1), Z31, Z4; \
	VPERMW     -64(R9)(SI*1), Z31, Z5; \
	VPERMW     -64(R10)(SI*1), Z31, Z6; \
	VPERMW     -64(R11)(SI*1), Z31, Z7; \
	VPUNPCKLBW Z1, Z0, Z8; \
	VPUNPCKHBW Z1, Z0, Z9; \
	VPUNPCKLBW Z3, Z2, Z10; \
	VPUNPCKHBW Z3, Z2, Z11; \
	VPUNPCKLBW Z5, Z4, Z12; \
	VPUNPCKHBW Z5, Z4, Z13; \
	VPUNPCKLBW Z7, Z6, Z14; \
	VPUNPCKHBW Z7, Z6, Z15; \
	TRANSPOSE(Z8, Z10, Z12, Z14, Z0, Z1, Z4, Z5, Z6, Z7); \
	TRANSPOSE(Z9, Z11, Z13, Z15, Z0, Z1, Z8, Z10, Z12, Z14); \
	STORE(Z4); \
	STORE(Z5); \
	STORE(Z6); \
	STORE(Z7); \
	STORE(Z8); \
	STORE(Z10); \
	STORE(Z12); \
	STORE(Z14)

// func histogramU8TileAVX512(tile, bins []uint8, stride int, rows []uint32, features int)
//
// Requires: AVX512F, AVX512BW
//
// The tile is that of histogramU8TileAVX2. Eight groups are written at once, then single ones: the
// columns of a row are put into such an order that transposing within lanes leaves those of a group
// in one register. One store for a group in place of four saves 3 to 5 % of the time of a
// histogram, which is that of its stores. Loads under a mask for the last groups would touch lines
// behind a row.
//
// Z31 order, and what tile_amd64.h says
TEXT ·histogramU8TileAVX512(SB), NOSPLIT, $16-88
	VPMOVZXBW tileWords<>(SB), Z31
#include "tile_amd64.h"
	VZEROUPPER
	RET

// func subI64AVX512(dst, a, b []int64)
//
// Requires: AVX512F
//
// DI dst   SI a   DX b   CX elements left   K1 the last ones
TEXT ·subI64AVX512(SB), NOSPLIT, $0-72
	MOVQ dst_base+0(FP), DI
	MOVQ dst_len+8(FP), CX
	MOVQ a_base+24(FP), SI
	MOVQ b_base+48(FP), DX
	SUBQ $32, CX
	JLT  few

loop:
	VMOVDQU64 (SI), Z0
	VMOVDQU64 64(SI), Z1
	VMOVDQU64 128(SI), Z2
	VMOVDQU64 192(SI), Z3
	VPSUBQ    (DX), Z0, Z0
	VPSUBQ    64(DX), Z1, Z1
	VPSUBQ    128(DX), Z2, Z2
	VPSUBQ    192(DX), Z3, Z3
	VMOVDQU64 Z0, (DI)
	VMOVDQU64 Z1, 64(DI)
	VMOVDQU64 Z2, 128(DI)
	VMOVDQU64 Z3, 192(DI)
	ADDQ      $256, SI
	ADDQ      $256, DX
	ADDQ      $256, DI
	SUBQ      $32, CX
	JGE       loop

few:
	ADDQ $24, CX
	JLT  tail

eight:
	VMOVDQU64 (SI), Z0
	VPSUBQ    (DX), Z0, Z0
	VMOVDQU64 Z0, (DI)
	ADDQ      $64, SI
	ADDQ      $64, DX
	ADDQ      $64, DI
	SUBQ      $8, CX
	JGE       eight

tail:
	ADDQ        $8, CX
	JEQ         done
	MOVL        $1, AX
	SHLL        CX, AX
	DECL        AX
	KMOVW       AX, K1
	VMOVDQU64.Z (SI), K1, Z0
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
// Most bins gain less than the best one. 16 at a time are looked at in float32, from integers that
// are exact: without alpha, which only lowers gains, their dividends and divisors are wrong by less
// than 2⁻²⁰ of themselves. Where no dividend is more than the divisor times the best gain less 2⁻¹⁶
// of it, none of these bins counts. With a lambda above 2⁶⁰ they could be infinite, and all are
// looked at again.
//
// The others are taken as two vectors of float64. Each lane keeps the first best of every eighth
// bin, and the lowest of the best lanes' bins comes out. Lanes behind the last bin repeat its
// split, with a higher bin: they never win. Nothing is divided where all dividends are at most the
// divisors times a little less than the best gain: then no quotient is more than it.
//
// SI cells   CX cells left   R8 0 if lambda is above 2⁶⁰   0(SP) g and 8(SP) h of total
// Z31 g and Z30 h of total   Z29 lambda   Z28 2³¹   Z27 minHess   Z26 bound of gains
// Z25 sum of the cells before   Z24 zero   Z23 7 in each lane   Z5, Z15 sums up to the bins
// Z0 g, l²y   Z1 g on the right   Z2 h, x and divisor   Z3 h and y on the right   K1 what may count
// In float64: Z22 g and Z21 h of total   Z20 a little less than Z6   Z18 scratch   Z17 all bits but
// the sign   Z16 2⁻⁴⁰   Z9 and Z19 numbers of the bins   Z8 sum, Z7 bin and Z6 gain of the best
// of the first vector, and with 10 added of the second: Z0 g, l²y, gain   Z1 g and r²x on the right
// Z2 h and x   Z3 h and y on the right   K1, K2 which are allowed
TEXT ·bestSplitI64AVX512(SB), NOSPLIT, $16-96
	MOVQ         cells_base+0(FP), SI
	MOVQ         cells_len+8(FP), CX
	VPBROADCASTQ start+24(FP), Z25
	MOVQ         total+32(FP), AX
	MOVL         $0x80000000, BX
	VPBROADCASTQ BX, Z28
	VPXORQ       Z24, Z24, Z24
	VPBROADCASTD AX, Z31
	VCVTSI2SDL   AX, X24, X0
	VMOVSD       X0, 0(SP)
	ADDQ         BX, AX
	SARQ         $32, AX
	VPBROADCASTD AX, Z30
	VCVTSI2SDL   AX, X24, X0
	VMOVSD       X0, 8(SP)
	VMOVSD       lambda+48(FP), X0
	VCVTSD2SS    X0, X0, X0
	VBROADCASTSS X0, Z29
	VCVTTSD2SIQ  minHess+56(FP), AX
	MOVQ         $0x7fffffff, BX      // more is allowed by none of the sums
	CMPQ         AX, BX
	CMOVQGT      BX, AX
	VPBROADCASTD AX, Z27
	MOVL         $7, AX
	VPBROADCASTQ AX, Z23
	VPXORQ       Z8, Z8, Z8
	VPTERNLOGQ   $0xff, Z7, Z7, Z7
	VBROADCASTSD bar+64(FP), Z6
	XORL         R8, R8
	MOVQ         $0x43b0000000000000, AX // 2⁶⁰
	CMPQ         AX, lambda+48(FP)
	SETCC        R8
	VPANDQ.BCST  splitAbs<>(SB), Z6, Z20
	VMULPD.BCST  splitSlack<>(SB), Z20, Z20
	VSUBPD       Z20, Z6, Z20
	VMOVAPD      X6, X0
	SUBQ         $16, CX
	JMP          bound

loop:
	VMOVDQU64 (SI), Z5
	VMOVDQU64 64(SI), Z15

sums:
	// Of two, of four, then of all cells up to each, then with those before.
	VALIGNQ $7, Z24, Z5, Z0
	VALIGNQ $7, Z24, Z15, Z10
	VPADDQ  Z0, Z5, Z5
	VPADDQ  Z10, Z15, Z15
	VALIGNQ $6, Z24, Z5, Z0
	VALIGNQ $6, Z24, Z15, Z10
	VPADDQ  Z0, Z5, Z5
	VPADDQ  Z10, Z15, Z15
	VALIGNQ $4, Z24, Z5, Z0
	VALIGNQ $4, Z24, Z15, Z10
	VPADDQ  Z0, Z5, Z5
	VPADDQ  Z10, Z15, Z15
	VPERMQ  Z5, Z23, Z0
	VPERMQ  Z15, Z23, Z10
	VPADDQ  Z25, Z5, Z5
	VPADDQ  Z0, Z25, Z25
	VPADDQ  Z25, Z15, Z15
	VPADDQ  Z10, Z25, Z25

	TESTL R8, R8
	JEQ   again

	// The lower halves are g, and the upper ones h, after 2³¹ is added; in any order of the bins.
	VPADDQ      Z28, Z5, Z2
	VPADDQ      Z28, Z15, Z12
	VSHUFPS     $0x88, Z15, Z5, Z0
	VSHUFPS     $0xdd, Z12, Z2, Z2
	VPSUBD      Z0, Z31, Z1
	VPSUBD      Z2, Z30, Z3
	VPMINSD     Z2, Z3, Z4
	VPCMPD      $5, Z27, Z4, K1      // at least minHess
	VCVTDQ2PS   Z0, Z0
	VCVTDQ2PS   Z1, Z1
	VCVTDQ2PS   Z2, Z2
	VCVTDQ2PS   Z3, Z3
	VADDPS      Z29, Z2, Z2
	VADDPS      Z29, Z3, Z3
	VMULPS      Z0, Z0, Z0
	VMULPS      Z1, Z1, Z1
	VMULPS      Z3, Z0, Z0
	VFMADD231PS Z2, Z1, Z0
	VMULPS      Z3, Z2, Z2
	VMULPS      Z26, Z2, Z2
	VCMPPS      $6, Z2, Z0, K1, K1   // greater
	KORTESTW    K1, K1
	JNE         again

next:
	ADDQ $128, SI
	SUBQ $16, CX
	JGE  loop

tail:
	ADDQ        $16, CX
	JLE         done
	MOVL        $1, AX
	SHLL        CX, AX
	DECL        AX
	KMOVW       AX, K1
	KSHIFTRW    $8, K1, K2
	VMOVDQU64.Z (SI), K1, Z5
	VMOVDQU64.Z 64(SI), K2, Z15
	XORL        CX, CX
	JMP         sums

again:
	VBROADCASTSD 0(SP), Z22
	VBROADCASTSD 8(SP), Z21
	VPBROADCASTQ splitAbs<>(SB), Z17
	VPADDQ       Z28, Z5, Z2
	VPADDQ       Z28, Z15, Z12
	VPSRAQ       $32, Z2, Z2
	VPSRAQ       $32, Z12, Z12
	VCVTQQ2PD    Z2, Z2
	VCVTQQ2PD    Z12, Z12
	VPSLLQ       $32, Z5, Z0
	VPSLLQ       $32, Z15, Z10
	VPSRAQ       $32, Z0, Z0
	VPSRAQ       $32, Z10, Z10
	VCVTQQ2PD    Z0, Z0
	VCVTQQ2PD    Z10, Z10
	VSUBPD       Z2, Z21, Z3
	VSUBPD       Z12, Z21, Z13
	VSUBPD       Z0, Z22, Z1
	VSUBPD       Z10, Z22, Z11
	VBROADCASTSD minHess+56(FP), Z18
	VMINPD       Z2, Z3, Z4
	VMINPD       Z12, Z13, Z14
	VCMPPD       $0x1d, Z18, Z4, K1  // at least minHess
	VCMPPD       $0x1d, Z18, Z14, K2
	KORTESTB     K1, K2
	JEQ          next
	CMPQ         alpha+40(FP), $0
	JEQ          penalized
	VBROADCASTSD alpha+40(FP), Z18
	VPANDQ       Z17, Z0, Z0
	VPANDQ       Z17, Z10, Z10
	VPANDQ       Z17, Z1, Z1
	VPANDQ       Z17, Z11, Z11
	VSUBPD       Z18, Z0, Z0
	VSUBPD       Z18, Z10, Z10
	VSUBPD       Z18, Z1, Z1
	VSUBPD       Z18, Z11, Z11
	VMAXPD       Z24, Z0, Z0
	VMAXPD       Z24, Z10, Z10
	VMAXPD       Z24, Z1, Z1
	VMAXPD       Z24, Z11, Z11

penalized:
	VBROADCASTSD lambda+48(FP), Z18
	VADDPD       Z18, Z2, Z2
	VADDPD       Z18, Z12, Z12
	VADDPD       Z18, Z3, Z3
	VADDPD       Z18, Z13, Z13
	VMULPD       Z0, Z0, Z0
	VMULPD       Z10, Z10, Z10
	VMULPD       Z1, Z1, Z1
	VMULPD       Z11, Z11, Z11
	VMULPD       Z3, Z0, Z0
	VMULPD       Z13, Z10, Z10
	VMULPD       Z2, Z1, Z1
	VMULPD       Z12, Z11, Z11
	VADDPD       Z1, Z0, Z0
	VADDPD       Z11, Z10, Z10
	VMULPD       Z3, Z2, Z2
	VMULPD       Z13, Z12, Z12
	VMULPD       Z20, Z2, Z3
	VMULPD       Z20, Z12, Z13
	VCMPPD       $0x1e, Z3, Z0, K1, K1 // greater
	VCMPPD       $0x1e, Z13, Z10, K2, K2
	KORTESTB     K1, K2
	JEQ          next
	VDIVPD       Z2, Z0, Z0
	VDIVPD       Z12, Z10, Z10
	MOVQ         SI, AX
	SUBQ         cells_base+0(FP), AX
	SHRQ         $3, AX
	VPBROADCASTQ AX, Z9
	VPADDQ       github·com∕simdrank∕simdrank∕internal∕kern·Iota64(SB), Z9, Z9
	ADDQ         $8, AX
	VPBROADCASTQ AX, Z19
	VPADDQ       github·com∕simdrank∕simdrank∕internal∕kern·Iota64(SB), Z19, Z19
	VCMPPD       $0x1e, Z6, Z0, K1, K1 // greater
	VMOVAPD      Z0, K1, Z6
	VMOVDQA64    Z9, K1, Z7
	VMOVDQA64    Z5, K1, Z8
	VCMPPD       $0x1e, Z6, Z10, K2, K2
	VMOVAPD      Z10, K2, Z6
	VMOVDQA64    Z19, K2, Z7
	VMOVDQA64    Z15, K2, Z8
	VPANDQ       Z17, Z6, Z20
	VMULPD.BCST  splitSlack<>(SB), Z20, Z20
	VSUBPD       Z20, Z6, Z20
	ADDQ         $128, SI
	SUBQ         $16, CX
	CMPQ         CX, $-16
	JEQ          done                // nothing is left
	VEXTRACTF64X4 $1, Z6, Y0
	VMAXPD        Y0, Y6, Y0
	VEXTRACTF128  $1, Y0, X1
	VMAXPD        X1, X0, X0
	VPERMILPD     $1, X0, X1
	VMAXPD        X1, X0, X0

bound:
	VANDPD        splitAbs<>(SB), X0, X1
	VMULSD        splitRough<>(SB), X1, X1
	VSUBSD        X1, X0, X0
	VCVTSD2SS.RD_SAE X0, X0, X0
	VBROADCASTSS  X0, Z26
	TESTQ         CX, CX
	JGE           loop
	JMP           tail

done:
	VEXTRACTF64X4 $1, Z6, Y0
	VMAXPD        Y0, Y6, Y0
	VEXTRACTF128  $1, Y0, X1
	VMAXPD        X1, X0, X0
	VPERMILPD     $1, X0, X1
	VMAXPD        X1, X0, X0
	VMOVSD        X0, gain+72(FP)
	VBROADCASTSD  X0, Z0
	VCMPPD        $4, Z0, Z6, K1          // not equal: then the bin is made the greatest number
	VPTERNLOGQ    $0xff, Z7, Z7, K1, Z7
	VEXTRACTI64X4 $1, Z7, Y0
	VPMINUQ       Z0, Z7, Z0
	VEXTRACTI128  $1, Y0, X1
	VPMINUQ       Z1, Z0, Z0
	VPSHUFD       $0x4e, X0, X1
	VPMINUQ       Z1, Z0, Z0
	VMOVQ         X0, bin+80(FP)
	VPBROADCASTQ  X0, Z0
	VPCMPEQQ      Z0, Z7, K1
	VPCOMPRESSQ   Z8, K1, Z0
	VMOVQ         X0, sum+88(FP)
	VZEROUPPER
	RET

// SIDE shifts whether row i goes right into m, given the stride of rows: the table at SP has 0 for
// the bins that do.
#define SIDE(i, m, stride) \
	MOVL    (i*4)(SI), R13; \
	IMULQ   stride, R13; \
	MOVBLZX (R12)(R13*1), R13; \
	CMPB    0(SP)(R13*1), $1; \
	ADCL    m, m

// MOVE16 moves 16 rows to their sides.
#define MOVE16(stride) \
	VMOVDQU32   (SI), Z0; \
	VMOVDQU64   (DI), Z1; \
	VMOVDQU64   64(DI), Z2; \
	XORL        AX, AX; \
	XORL        BX, BX; \
	SIDE(7, AX, stride); \
	SIDE(15, BX, stride); \
	SIDE(6, AX, stride); \
	SIDE(14, BX, stride); \
	SIDE(5, AX, stride); \
	SIDE(13, BX, stride); \
	SIDE(4, AX, stride); \
	SIDE(12, BX, stride); \
	SIDE(3, AX, stride); \
	SIDE(11, BX, stride); \
	SIDE(2, AX, stride); \
	SIDE(10, BX, stride); \
	SIDE(1, AX, stride); \
	SIDE(9, BX, stride); \
	SIDE(0, AX, stride); \
	SIDE(8, BX, stride); \
	KMOVW       AX, K3; \
	KMOVW       BX, K4; \
	SHLL        $8, BX; \
	ORL         AX, BX; \
	KMOVW       BX, K1; \
	KNOTW       K1, K2; \
	KNOTW       K3, K5; \
	KNOTW       K4, K6; \
	POPCNTL     AX, AX; \
	POPCNTL     BX, BX; \
	ADDQ        BX, DX; \
	VPCOMPRESSD Z0, K2, Z3; \
	VPCOMPRESSD Z0, K1, Z4; \
	VMOVDQU32   Z3, (R8); \
	VMOVDQU32   Z4, (R10); \
	VPCOMPRESSQ Z1, K5, Z3; \
	VPCOMPRESSQ Z1, K3, Z4; \
	VPCOMPRESSQ Z2, K6, Z5; \
	VPCOMPRESSQ Z2, K4, Z6; \
	VMOVDQU64   Z3, (R9); \
	VMOVDQU64   Z4, (R11); \
	VMOVDQU64   Z6, (R11)(AX*8); \
	NEGQ        AX; \
	VMOVDQU64   Z5, 64(R9)(AX*8); \
	LEAQ        (R10)(BX*4), R10; \
	LEAQ        (R11)(BX*8), R11; \
	NEGQ        BX; \
	LEAQ        64(R8)(BX*4), R8; \
	LEAQ        128(R9)(BX*8), R9; \
	ADDQ        $64, SI; \
	ADDQ        $128, DI

// FETCH brings the bin of the row that is i behind the next partitionAhead into the cache.
#define FETCH(i, stride) \
	MOVL       (4*const_partitionAhead+i*4)(SI), R13; \
	IMULQ      stride, R13; \
	PREFETCHT0 (R12)(R13*1)

// func partitionRowsAVX512(rowsL []uint32, ghL []int64, rows []uint32, gh []int64, rowsR []uint32, ghR []int64, bins []uint8, stride int, left *[4]uint64) int
//
// Requires: AVX512F, AVX512BW, POPCNT
//
// Sides are found one by one, since a gather of bins takes longer than their loads, and rows are
// moved by 16, since single stores to four places take a cycle each. Whole vectors are stored:
// what is behind a side's rows is written again later, or is scratch. The last 15 rows are moved
// one by one.
//
// SI rows   DI gh   CX rows left   R8 rowsL   R9 ghL   R10 rowsR   R11 ghR   R12 bins
// DX rows on the right
// AX and BX which of 8 rows go right   Z0 rows   Z1, Z2 gh   K1 right, K2 left of 16
// K3, K4 right, K5, K6 left of 8
TEXT ·partitionRowsAVX512(SB), NOSPLIT, $256-192
	MOVQ      left+176(FP), AX
	KMOVQ     (AX), K1
	KMOVQ     8(AX), K2
	KMOVQ     16(AX), K3
	KMOVQ     24(AX), K4
	VPMOVM2B  K1, Z0
	VPMOVM2B  K2, Z1
	VPMOVM2B  K3, Z2
	VPMOVM2B  K4, Z3
	VMOVDQU64 Z0, 0(SP)
	VMOVDQU64 Z1, 64(SP)
	VMOVDQU64 Z2, 128(SP)
	VMOVDQU64 Z3, 192(SP)
	MOVQ      rowsL_base+0(FP), R8
	MOVQ      ghL_base+24(FP), R9
	MOVQ      rowsR_base+96(FP), R10
	MOVQ      ghR_base+120(FP), R11
	MOVQ      rows_base+48(FP), SI
	MOVQ      rows_len+56(FP), CX
	MOVQ      gh_base+72(FP), DI
	MOVQ      bins_base+144(FP), R12
	XORL      DX, DX
	SUBQ      $16, CX
	JLT       tail

	CMPQ stride+168(FP), $1
	JEQ  loop

ahead:
	CMPQ CX, $const_partitionAhead
	JLT  loop
	FETCH(0, stride+168(FP))
	FETCH(1, stride+168(FP))
	FETCH(2, stride+168(FP))
	FETCH(3, stride+168(FP))
	FETCH(4, stride+168(FP))
	FETCH(5, stride+168(FP))
	FETCH(6, stride+168(FP))
	FETCH(7, stride+168(FP))
	FETCH(8, stride+168(FP))
	FETCH(9, stride+168(FP))
	FETCH(10, stride+168(FP))
	FETCH(11, stride+168(FP))
	FETCH(12, stride+168(FP))
	FETCH(13, stride+168(FP))
	FETCH(14, stride+168(FP))
	FETCH(15, stride+168(FP))
	MOVE16(stride+168(FP))
	SUBQ $16, CX
	JGE  ahead
	JMP  tail

loop:
	MOVE16(stride+168(FP))
	SUBQ $16, CX
	JGE  loop

tail:
	ADDQ $16, CX
	JEQ  done

one:
	MOVL    (SI), BX
	MOVQ    (DI), R13
	MOVQ    BX, AX
	IMULQ   stride+168(FP), AX
	MOVBLZX (R12)(AX*1), AX
	CMPB    0(SP)(AX*1), $1
	SBBQ    AX, AX              // −1 on the right, else 0
	MOVL    BX, (R8)
	MOVL    BX, (R10)
	MOVQ    R13, (R9)
	MOVQ    R13, (R11)
	LEAQ    4(R8)(AX*4), R8
	LEAQ    8(R9)(AX*8), R9
	SUBQ    AX, DX
	NEGQ    AX
	LEAQ    (R10)(AX*4), R10
	LEAQ    (R11)(AX*8), R11
	ADDQ    $4, SI
	ADDQ    $8, DI
	DECQ    CX
	JNE     one

done:
	MOVQ rows_len+56(FP), AX
	SUBQ DX, AX
	MOVQ AX, ret+184(FP)
	VZEROUPPER
	RET

// VALUE stores the bin of a value, given its bin in BX, and goes on to the next. Twice the bits
// of the value, less 1 if zero is missing, are at least R11 for missing values: those of NaN are at
// least R11+1.
#define VALUE \
	MOVL    (SI), AX; \
	ADDL    AX, AX; \
	SUBL    R10, AX; \
	CMPL    AX, R11; \
	CMOVLCC R12, BX; \
	SBBQ    $-1, DX; \
	MOVB    BX, (DI); \
	ADDQ    R8, SI; \
	INCQ    DI

// func binF32AVX512(dst []uint8, x []float32, stride int, t *binTable, n int, zero uint32) (missing int)
//
// Requires: AVX512F, POPCNT
//
// A value is compared with the 16 splits, which tells the 16 bounds that it is to be compared with.
//
// DI dst   SI x   R8 stride in bytes   R9 bounds   R10 zero   R11 least of what is missing
// R12 n   CX values left
// DX missing values   BX bin   AX, R13 scratch   Z0 value   Z1 splits   Z2 the first bounds
TEXT ·binF32AVX512(SB), NOSPLIT, $0-88
	MOVQ      dst_base+0(FP), DI
	MOVQ      dst_len+8(FP), CX
	MOVQ      x_base+24(FP), SI
	MOVQ      stride+48(FP), R8
	SHLQ      $2, R8
	MOVQ      t+56(FP), R9
	MOVQ      n+64(FP), R12
	MOVL      zero+72(FP), R10
	MOVL      $0xff000001, R11
	XORL      DX, DX
	VMOVUPS   binTable_split(R9), Z1
	ADDQ      $binTable_bound, R9
	VMOVUPS   (R9), Z2
	TESTQ     CX, CX
	JEQ       done
	CMPQ      R12, $16
	JLE       few

loop:
	VBROADCASTSS (SI), Z0
	VCMPPS       $1, Z0, Z1, K1
	KMOVW        K1, BX
	POPCNTL      BX, BX
	SHLL         $4, BX
	VCMPPS       $0x1e, (R9)(BX*4), Z0, K2
	KMOVW        K2, R13
	POPCNTL      R13, R13
	ADDL         R13, BX
	VALUE
	DECQ         CX
	JNE          loop
	JMP          done

few:
	VBROADCASTSS (SI), Z0
	VCMPPS       $1, Z0, Z2, K1
	KMOVW        K1, BX
	POPCNTL      BX, BX
	VALUE
	DECQ         CX
	JNE          few

done:
	MOVQ DX, missing+80(FP)
	VZEROUPPER
	RET
