//go:build !purego

#include "go_asm.h"
#include "textflag.h"

// Kernels of tree growing for AVX2.

// FEATURE adds DX to a cell of feature f, whose histogram begins HistogramCells cells of 8 bytes
// behind that of the feature before it.
#define FEATURE(f, byte) \
	MOVBLZX byte, AX; \
	ADDQ    DX, (f*8*const_HistogramCells)(DI)(AX*8)

// FEATURES adds DX to the cells that the bytes of BX name. The halves of BX are shifted apart,
// because one would wait for the other.
#define FEATURES \
	MOVQ BX, CX; \
	SHRQ $32, CX; \
	FEATURE(0, BL); \
	FEATURE(1, BH); \
	SHRL $16, BX; \
	FEATURE(2, BL); \
	FEATURE(3, BH); \
	FEATURE(4, CL); \
	FEATURE(5, CH); \
	SHRL $16, CX; \
	FEATURE(6, CL); \
	FEATURE(7, CH)

// AHEAD is how many rows the bins are fetched ahead: at eight cycles per row, the time of an access
// to memory.
#define AHEAD 128

// func histogramU8AVX2(hist []int64, bins []uint8, stride int, rows []uint32, gh []int64)
//
// Requires: nothing
//
// The processor reads, adds and writes one cell a cycle, from the nearest cache. The rest of the
// loop hides behind that, if the bins are near. Addresses that are fetched ahead may lie behind
// the end of bins: that is no access.
//
// DI hist   SI bins   R8 stride   R9 next row number   R10 next value   R11 rows left
// R12 AHEAD rows, in bytes   R13 rows left that have none AHEAD   BX the row's bins   CX the last
// four of them   DX value   AX bin
TEXT ·histogramU8AVX2(SB), NOSPLIT, $0-104
	MOVQ  hist_base+0(FP), DI
	MOVQ  bins_base+24(FP), SI
	MOVQ  stride+48(FP), R8
	MOVQ  rows_base+56(FP), R9
	MOVQ  gh_base+80(FP), R10
	MOVQ  gh_len+88(FP), R11
	TESTQ R11, R11
	JEQ   done
	TESTQ R9, R9
	JEQ   all

	// R11 of the rows have one AHEAD, then R13 have none.
	MOVQ    rows_len+64(FP), AX
	SUBQ    $AHEAD, AX
	XORL    R13, R13
	CMPQ    AX, R13
	CMOVQLT R13, AX
	MOVQ    R11, R13
	CMPQ    AX, R11
	CMOVQLT AX, R11
	SUBQ    R11, R13
	TESTQ   R11, R11
	JEQ     last

listed:
	MOVL       (AHEAD*4)(R9), BX
	IMULQ      R8, BX
	PREFETCHT0 (SI)(BX*1)
	MOVL       (R9), BX
	IMULQ      R8, BX
	MOVQ       (SI)(BX*1), BX
	MOVQ       (R10), DX
	FEATURES
	ADDQ       $4, R9
	ADDQ       $8, R10
	DECQ       R11
	JNE        listed
	TESTQ      R13, R13
	JEQ        done

last:
	MOVL  (R9), BX
	IMULQ R8, BX
	MOVQ  (SI)(BX*1), BX
	MOVQ  (R10), DX
	FEATURES
	ADDQ  $4, R9
	ADDQ  $8, R10
	DECQ  R13
	JNE   last

done:
	RET

all:
	IMUL3Q $AHEAD, R8, R12

next:
	PREFETCHT0 (SI)(R12*1)
	MOVQ       (SI), BX
	MOVQ       (R10), DX
	FEATURES
	ADDQ       R8, SI
	ADDQ       $8, R10
	DECQ       R11
	JNE        next
	RET

// func subI64AVX2(dst, a, b []int64)
//
// Requires: AVX2
//
// DI dst   SI a   DX b   CX elements left
// The last three elements are taken one by one.
TEXT ·subI64AVX2(SB), NOSPLIT, $0-72
	MOVQ dst_base+0(FP), DI
	MOVQ dst_len+8(FP), CX
	MOVQ a_base+24(FP), SI
	MOVQ b_base+48(FP), DX
	SUBQ $16, CX
	JLT  few

loop:
	VMOVDQU (SI), Y0
	VMOVDQU 32(SI), Y1
	VMOVDQU 64(SI), Y2
	VMOVDQU 96(SI), Y3
	VPSUBQ  (DX), Y0, Y0
	VPSUBQ  32(DX), Y1, Y1
	VPSUBQ  64(DX), Y2, Y2
	VPSUBQ  96(DX), Y3, Y3
	VMOVDQU Y0, (DI)
	VMOVDQU Y1, 32(DI)
	VMOVDQU Y2, 64(DI)
	VMOVDQU Y3, 96(DI)
	ADDQ    $128, SI
	ADDQ    $128, DX
	ADDQ    $128, DI
	SUBQ    $16, CX
	JGE     loop

few:
	ADDQ $12, CX
	JLT  tail

four:
	VMOVDQU (SI), Y0
	VPSUBQ  (DX), Y0, Y0
	VMOVDQU Y0, (DI)
	ADDQ    $32, SI
	ADDQ    $32, DX
	ADDQ    $32, DI
	SUBQ    $4, CX
	JGE     four

tail:
	ADDQ $4, CX
	JEQ  done

one:
	MOVQ (SI), AX
	SUBQ (DX), AX
	MOVQ AX, (DI)
	ADDQ $8, SI
	ADDQ $8, DX
	ADDQ $8, DI
	DECQ CX
	JNE  one

done:
	VZEROUPPER
	RET

DATA treeFour<>+0(SB)/8, $4
DATA treeFour<>+8(SB)/8, $4
DATA treeFour<>+16(SB)/8, $4
DATA treeFour<>+24(SB)/8, $4
GLOBL treeFour<>(SB), RODATA|NOPTR, $32

DATA treeHalf<>+0(SB)/8, $0x80000000
DATA treeHalf<>+8(SB)/8, $0x80000000
DATA treeHalf<>+16(SB)/8, $0x80000000
DATA treeHalf<>+24(SB)/8, $0x80000000
GLOBL treeHalf<>(SB), RODATA|NOPTR, $32

DATA treeAbs<>+0(SB)/8, $0x7fffffffffffffff
DATA treeAbs<>+8(SB)/8, $0x7fffffffffffffff
DATA treeAbs<>+16(SB)/8, $0x7fffffffffffffff
DATA treeAbs<>+24(SB)/8, $0x7fffffffffffffff
GLOBL treeAbs<>(SB), RODATA|NOPTR, $32

DATA treeSlack<>+0(SB)/8, $0x3d70000000000000 // 2⁻⁴⁰
DATA treeSlack<>+8(SB)/8, $0x3d70000000000000
DATA treeSlack<>+16(SB)/8, $0x3d70000000000000
DATA treeSlack<>+24(SB)/8, $0x3d70000000000000
GLOBL treeSlack<>(SB), RODATA|NOPTR, $32

DATA treeZero<>+0(SB)/8, $0
DATA treeZero<>+8(SB)/8, $0
DATA treeZero<>+16(SB)/8, $0
DATA treeZero<>+24(SB)/8, $0
GLOBL treeZero<>(SB), RODATA|NOPTR, $32

// func bestSplitI64AVX2(cells []int64, start, total int64, alpha, lambda, minHess, bar float64) (gain float64, bin int, sum int64)
//
// Requires: AVX2
//
// Each lane keeps the first best of every fourth bin, and the lowest of the best lanes' bins
// comes out. Lanes behind the last bin repeat its split, with a higher bin: they never win. Nothing
// is divided where all dividends are at most the divisors times a little less than the best gain:
// then no quotient is more than it.
//
// SI cells   CX cells left   DX 0 if alpha is +0   Y15 g and Y10 h of total   Y14 alpha
// Y13 lambda   Y12 minHess
// Y11 sum of the cells before   Y9 numbers of the bins   Y8 sum, Y7 bin and Y6 gain of the best
// Y5 sums up to the bins
// Y4 which are allowed   Y0 g, l²y, gain   Y1 g and r²x on the right   Y2 h and x
// Y3 h and y on the right   0(SP) a little less than Y6
TEXT ·bestSplitI64AVX2(SB), NOSPLIT, $32-96
	MOVQ         cells_base+0(FP), SI
	MOVQ         cells_len+8(FP), CX
	VPBROADCASTQ start+24(FP), Y11
	MOVQ         total+32(FP), AX
	MOVQ         alpha+40(FP), DX
	VCVTSI2SDL   AX, X15, X15
	VBROADCASTSD X15, Y15
	ADDQ         treeHalf<>(SB), AX
	SARQ         $32, AX
	VCVTSI2SDL   AX, X10, X10
	VBROADCASTSD X10, Y10
	VBROADCASTSD alpha+40(FP), Y14
	VBROADCASTSD lambda+48(FP), Y13
	VBROADCASTSD minHess+56(FP), Y12
	VMOVDQU      github·com∕simdrank∕simdrank∕internal∕kern·Iota64(SB), Y9
	VPXOR        Y8, Y8, Y8
	VPCMPEQD     Y7, Y7, Y7
	VBROADCASTSD bar+64(FP), Y6
	VANDPD       treeAbs<>(SB), Y6, Y0
	VMULPD       treeSlack<>(SB), Y0, Y0
	VSUBPD       Y0, Y6, Y0
	VMOVUPD      Y0, 0(SP)
	SUBQ         $4, CX
	JLT          tail

loop:
	VMOVDQU (SI), Y5

sums:
	// Of two, then of all cells up to each, then with those before.
	VPSLLDQ  $8, Y5, Y0
	VPADDQ   Y0, Y5, Y5
	VPERMQ   $0x55, Y5, Y0
	VPXOR    Y1, Y1, Y1
	VPBLENDD $0xf0, Y0, Y1, Y0
	VPADDQ   Y0, Y5, Y5
	VPERMQ   $0xff, Y5, Y0
	VPADDQ   Y11, Y5, Y5
	VPADDQ   Y0, Y11, Y11

	// The upper halves are h, after 2³¹ is added; the lower halves are g.
	VPADDQ       treeHalf<>(SB), Y5, Y2
	VEXTRACTI128 $1, Y2, X3
	VSHUFPS      $0xdd, X3, X2, X2
	VCVTDQ2PD    X2, Y2
	VEXTRACTI128 $1, Y5, X0
	VSHUFPS      $0x88, X0, X5, X0
	VCVTDQ2PD    X0, Y0
	VSUBPD       Y2, Y10, Y3
	VSUBPD       Y0, Y15, Y1
	VMINPD       Y2, Y3, Y4
	VCMPPD       $0x1d, Y12, Y4, Y4       // at least minHess
	VTESTPD      Y4, Y4
	JEQ          next
	TESTQ        DX, DX
	JEQ          penalized
	VANDPD       treeAbs<>(SB), Y0, Y0
	VANDPD       treeAbs<>(SB), Y1, Y1
	VSUBPD       Y14, Y0, Y0
	VSUBPD       Y14, Y1, Y1
	VMAXPD       treeZero<>(SB), Y0, Y0
	VMAXPD       treeZero<>(SB), Y1, Y1

penalized:
	VADDPD    Y13, Y2, Y2
	VADDPD    Y13, Y3, Y3
	VMULPD    Y0, Y0, Y0
	VMULPD    Y1, Y1, Y1
	VMULPD    Y3, Y0, Y0
	VMULPD    Y2, Y1, Y1
	VADDPD    Y1, Y0, Y0
	VMULPD    Y3, Y2, Y2
	VMULPD    0(SP), Y2, Y3
	VCMPPD    $0x1e, Y3, Y0, Y3 // greater
	VANDPD    Y3, Y4, Y4
	VTESTPD   Y4, Y4
	JEQ       next
	VDIVPD    Y2, Y0, Y0
	VCMPPD    $0x1e, Y6, Y0, Y1 // greater
	VANDPD    Y4, Y1, Y1
	VBLENDVPD Y1, Y0, Y6, Y6
	VBLENDVPD Y1, Y9, Y7, Y7
	VBLENDVPD Y1, Y5, Y8, Y8
	VANDPD    treeAbs<>(SB), Y6, Y0
	VMULPD    treeSlack<>(SB), Y0, Y0
	VSUBPD    Y0, Y6, Y0
	VMOVUPD   Y0, 0(SP)

next:
	VPADDQ treeFour<>(SB), Y9, Y9
	ADDQ   $32, SI
	SUBQ   $4, CX
	JGE    loop

tail:
	ADDQ       $4, CX
	JLE        done
	LEAQ       github·com∕simdrank∕simdrank∕internal∕kern·Masks+96(SB), AX
	SHLQ       $3, CX
	SUBQ       CX, AX
	VMOVDQU    (AX), Y0
	VPMASKMOVQ (SI), Y0, Y5
	XORL       CX, CX
	JMP        sums

done:
	VEXTRACTF128 $1, Y6, X0
	VMAXPD       X0, X6, X0
	VPERMILPD    $1, X0, X1
	VMAXPD       X1, X0, X0
	VMOVSD       X0, gain+72(FP)
	VBROADCASTSD X0, Y0
	VCMPPD       $4, Y0, Y6, Y1 // not equal: then the bin is made the greatest number
	VORPD        Y1, Y7, Y7
	VEXTRACTI128 $1, Y7, X0
	VPMINUD      X0, X7, X0
	VPSHUFD      $0x4e, X0, X1
	VPMINUD      X1, X0, X0
	VMOVQ        X0, bin+80(FP)
	VPBROADCASTQ X0, Y0
	VPCMPEQQ     Y0, Y7, Y0
	VPAND        Y0, Y8, Y8
	VEXTRACTI128 $1, Y8, X0
	VPOR         X0, X8, X0
	VPSHUFD      $0x4e, X0, X1
	VPOR         X1, X0, X0
	VMOVQ        X0, sum+88(FP)
	VZEROUPPER
	RET

// VALUE stores the bin of a value, given its bin in BX, and goes on to the next. Twice the bits
// of the value, less 1 if zero is missing, are at least R11 for missing values.
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

// func binF32AVX2(dst []uint8, x []float32, stride int, t *binTable, n int, zero uint32) (missing int)
//
// Requires: AVX2, POPCNT
//
// A value is compared with the 16 splits, which tells the 16 bounds that it is to be compared with.
//
// DI dst   SI x   R8 stride in bytes   R9 bounds   R10 zero   R11 least of what is missing
// R12 n   CX values left
// DX missing values   BX bin   AX, R13 scratch   Y0 value   Y1, Y2 splits   Y3, Y4 the first bounds
TEXT ·binF32AVX2(SB), NOSPLIT, $0-88
	MOVQ      dst_base+0(FP), DI
	MOVQ      dst_len+8(FP), CX
	MOVQ      x_base+24(FP), SI
	MOVQ      stride+48(FP), R8
	SHLQ      $2, R8
	MOVQ      t+56(FP), R9
	MOVQ      n+64(FP), R12
	MOVL      zero+72(FP), R10
	MOVL      $0xff000001, R11
	SUBL      R10, R11
	XORL      DX, DX
	VMOVUPS   binTable_split(R9), Y1
	VMOVUPS   (binTable_split+32)(R9), Y2
	ADDQ      $binTable_bound, R9
	VMOVUPS   (R9), Y3
	VMOVUPS   32(R9), Y4
	TESTQ     CX, CX
	JEQ       done
	CMPQ      R12, $16
	JLE       few

loop:
	// Sixteen signs of comparisons are two bits each after they are packed.
	VBROADCASTSS (SI), Y0
	VCMPPS       $1, Y0, Y1, Y5
	VCMPPS       $1, Y0, Y2, Y6
	VPACKSSDW    Y6, Y5, Y5
	VPMOVMSKB    Y5, BX
	POPCNTL      BX, BX
	SHLL         $3, BX
	VCMPPS       $0x1e, (R9)(BX*4), Y0, Y5
	VCMPPS       $0x1e, 32(R9)(BX*4), Y0, Y6
	VPACKSSDW    Y6, Y5, Y5
	VPMOVMSKB    Y5, R13
	POPCNTL      R13, R13
	SHRL         $1, R13
	ADDL         R13, BX
	VALUE
	DECQ         CX
	JNE          loop
	JMP          done

few:
	VBROADCASTSS (SI), Y0
	VCMPPS       $1, Y0, Y3, Y5
	VCMPPS       $1, Y0, Y4, Y6
	VPACKSSDW    Y6, Y5, Y5
	VPMOVMSKB    Y5, BX
	POPCNTL      BX, BX
	SHRL         $1, BX
	VALUE
	DECQ         CX
	JNE          few

done:
	MOVQ DX, missing+80(FP)
	VZEROUPPER
	RET
