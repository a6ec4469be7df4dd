//go:build !purego

#include "go_asm.h"
#include "textflag.h"

// Kernels of tree growing for AVX2.

// CELL adds v to the cell of feature f that byte names. The histogram of a feature begins
// HistogramCells cells of 8 bytes behind that of the feature before it.
#define CELL(f, byte, v) \
	MOVBLZX byte, AX; \
	ADDQ    v, (f*8*const_HistogramCells)(DI)(AX*8)

// COLUMN adds the values of eight rows to their cells of feature f.
#define COLUMN(f) \
	MOVQ (f*8)(SI), BX; \
	CELL(f, BL, CX); \
	CELL(f, BH, DX); \
	SHRQ $16, BX; \
	CELL(f, BL, R8); \
	CELL(f, BH, R9); \
	SHRQ $16, BX; \
	CELL(f, BL, R10); \
	CELL(f, BH, R11); \
	SHRL $16, BX; \
	CELL(f, BL, R12); \
	CELL(f, BH, R13)

// EQUAL adds to R8 how many of 32 bytes, four times eight rows, are equal to those behind them. The
// last of eight rows has none behind it.
#define EQUAL(bytes) \
	VMOVDQU   (bytes), Y0; \
	VPSRLQ    $8, Y0, Y1; \
	VPCMPEQB  Y1, Y0, Y0; \
	VPMOVMSKB Y0, AX; \
	ANDL      $0x7f7f7f7f, AX; \
	POPCNTL   AX, AX; \
	ADDQ      AX, R8

// RECORD adds v, the value of row i of eight, to its cells.
#define RECORD(i, v) \
	CELL(0, (0*8+i)(SI), v); \
	CELL(1, (1*8+i)(SI), v); \
	CELL(2, (2*8+i)(SI), v); \
	CELL(3, (3*8+i)(SI), v); \
	CELL(4, (4*8+i)(SI), v); \
	CELL(5, (5*8+i)(SI), v); \
	CELL(6, (6*8+i)(SI), v); \
	CELL(7, (7*8+i)(SI), v)

// func histogramU8FetchAVX2(bins []uint8, stride int, rows []uint32, lines int)
//
// Requires: nothing beyond amd64
//
// SI bins   R8 row numbers   R9 their end   AX line   DX lines left
TEXT ·histogramU8FetchAVX2(SB), NOSPLIT, $0-64
	MOVQ bins_base+0(FP), SI
	MOVQ rows_base+32(FP), R8
	MOVQ rows_len+40(FP), R9
	LEAQ (R8)(R9*4), R9

row:
	MOVL  (R8), AX
	ADDQ  $4, R8
	IMULQ stride+24(FP), AX
	ADDQ  SI, AX
	MOVQ  lines+56(FP), DX

line:
	PREFETCHT1 (AX)
	ADDQ       $64, AX
	DECQ       DX
	JNE        line
	CMPQ       R8, R9
	JLT        row
	RET

// Four groups, for tile_amd64.h.
#define STEP 32
#define WIDE \
	VMOVDQU      -32(AX)(SI*1), Y0; \
	VMOVDQU      -32(BX)(SI*1), Y1; \
	VMOVDQU      -32(CX)(SI*1), Y2; \
	VMOVDQU      -32(DX)(SI*1), Y3; \
	VMOVDQU      -32(R8)(SI*1), Y4; \
	VMOVDQU      -32(R9)(SI*1), Y5; \
	VMOVDQU      -32(R10)(SI*1), Y6; \
	VMOVDQU      -32(R11)(SI*1), Y7; \
	VPUNPCKLBW   Y1, Y0, Y8; \
	VPUNPCKHBW   Y1, Y0, Y9; \
	VPUNPCKLBW   Y3, Y2, Y10; \
	VPUNPCKHBW   Y3, Y2, Y11; \
	VPUNPCKLBW   Y5, Y4, Y12; \
	VPUNPCKHBW   Y5, Y4, Y13; \
	VPUNPCKLBW   Y7, Y6, Y14; \
	VPUNPCKHBW   Y7, Y6, Y15; \
	TRANSPOSE(Y8, Y10, Y12, Y14, Y0, Y1, Y4, Y5, Y6, Y7); \
	TRANSPOSE(Y9, Y11, Y13, Y15, Y0, Y1, Y8, Y10, Y12, Y14); \
	VMOVDQU      X4, (DI); \
	VMOVDQU      X5, 16(DI); \
	VMOVDQU      X6, 32(DI); \
	VMOVDQU      X7, 48(DI); \
	ADDQ         R12, DI; \
	VMOVDQU      X8, (DI); \
	VMOVDQU      X10, 16(DI); \
	VMOVDQU      X12, 32(DI); \
	VMOVDQU      X14, 48(DI); \
	ADDQ         R12, DI; \
	VEXTRACTI128 $1, Y4, (DI); \
	VEXTRACTI128 $1, Y5, 16(DI); \
	VEXTRACTI128 $1, Y6, 32(DI); \
	VEXTRACTI128 $1, Y7, 48(DI); \
	ADDQ         R12, DI; \
	VEXTRACTI128 $1, Y8, (DI); \
	VEXTRACTI128 $1, Y10, 16(DI); \
	VEXTRACTI128 $1, Y12, 32(DI); \
	VEXTRACTI128 $1, Y14, 48(DI); \
	ADDQ         R12, DI

// func histogramU8TileAVX2(tile, bins []uint8, stride int, rows []uint32, features int)
//
// Requires: AVX2
//
// Of a group of eight features, the tile has the bytes of eight rows for the first feature, for the
// second one and so on; behind these 64 those of the next rows. Groups are 64 bytes apart: were
// they 8 KiB from the next, they would share few sets of the cache. Four groups are written at
// once, then single ones.
TEXT ·histogramU8TileAVX2(SB), NOSPLIT, $16-88
#include "tile_amd64.h"
	VZEROUPPER
	RET

// func histogramU8AVX2(hist, gh []int64, tile, behind []uint8, stride int, next []uint32, most, lines int)
//
// Requires: AVX2, POPCNT
//
// The processor writes one cell per cycle to the nearest cache, but two when they share a line of
// it and follow each other within about four writes. That is why eight rows are taken feature by
// feature. Where they often share the cell itself, each would wait for the one before it: a group
// is taken row by row when a quarter of its first 32 rows have the bins of the rows before them.
//
// A store to the stack takes the place of one to a cell, so the loop has none.
//
// DI hist   SI tile   0(SP) gh less the place in the tile   8(SP) end of the group's tile
// X2 next   16(SP) its end   24(SP) end of hist   32(SP) not 0: row by row
// CX, DX, R8 to R13 values of eight rows   BX their bins   AX bin
// before that R8 next   CX rows left to fetch   AX line   DX lines left
TEXT ·histogramU8AVX2(SB), NOSPLIT, $40-144
	MOVQ hist_base+0(FP), DI
	MOVQ tile_base+48(FP), SI
	MOVQ next_base+104(FP), AX
	VMOVQ AX, X2
	MOVQ next_len+112(FP), BX
	LEAQ (AX)(BX*4), AX
	MOVQ AX, 16(SP)
	MOVQ hist_len+8(FP), AX
	LEAQ (DI)(AX*8), AX
	MOVQ AX, 24(SP)

group:
	MOVQ gh_base+24(FP), AX
	SUBQ SI, AX
	MOVQ AX, 0(SP)
	MOVQ gh_len+32(FP), AX
	LEAQ (SI)(AX*8), AX
	MOVQ AX, 8(SP)

	// R8 of the bytes of R9 rows are equal to those of the row before.
	MOVQ    gh_len+32(FP), R9
	MOVL    $32, AX
	CMPQ    R9, AX
	CMOVQGT AX, R9
	LEAQ    (SI)(R9*8), R10
	MOVQ    SI, R11
	XORL    R8, R8

equal:
	EQUAL(R11)
	ADDQ $32, R11
	CMPQ R11, R10
	JLT  equal
	ADDQ R9, R9
	CMPQ R9, R8
	SBBQ AX, AX
	MOVQ AX, 32(SP)

loop:
	VMOVQ X2, R8
	MOVQ  most+128(FP), CX
	TESTQ CX, CX
	JEQ   fetched

fetch:
	CMPQ  R8, 16(SP)
	JGE   fetched
	MOVL  (R8), AX
	ADDQ  $4, R8
	IMULQ stride+96(FP), AX
	ADDQ  behind_base+72(FP), AX
	MOVQ  lines+136(FP), DX

line:
	PREFETCHT1 (AX)
	ADDQ       $64, AX
	DECQ       DX
	JNE        line
	DECQ       CX
	JNE        fetch
	VMOVQ      R8, X2

fetched:
	MOVQ 0(SP), AX
	ADDQ SI, AX
	MOVQ (AX), CX
	MOVQ 8(AX), DX
	MOVQ 16(AX), R8
	MOVQ 24(AX), R9
	MOVQ 32(AX), R10
	MOVQ 40(AX), R11
	MOVQ 48(AX), R12
	MOVQ 56(AX), R13
	CMPQ 32(SP), $0
	JNE  records
	COLUMN(0)
	COLUMN(1)
	COLUMN(2)
	COLUMN(3)
	COLUMN(4)
	COLUMN(5)
	COLUMN(6)
	COLUMN(7)
	JMP  added

records:
	RECORD(0, CX)
	RECORD(1, DX)
	RECORD(2, R8)
	RECORD(3, R9)
	RECORD(4, R10)
	RECORD(5, R11)
	RECORD(6, R12)
	RECORD(7, R13)

added:
	ADDQ $64, SI
	CMPQ SI, 8(SP)
	JNE  loop
	ADDQ $64, SI
	ADDQ $(8*8*const_HistogramCells), DI
	CMPQ DI, 24(SP)
	JNE  group
	VZEROUPPER
	RET

// FOUR adds the values of four rows, whose bytes are at a place, to their cells of feature f.
#define FOUR(f, bytes) \
	MOVL bytes, BX; \
	CELL(f, BL, CX); \
	CELL(f, BH, DX); \
	SHRL $16, BX; \
	CELL(f, BL, R8); \
	CELL(f, BH, R9)

// FOURRECORD adds v, the value of row i of four, to its cells.
#define FOURRECORD(i, v) \
	CELL(0, (i)(SI), v); \
	CELL(1, (i)(SI)(R10*1), v); \
	CELL(2, (i)(SI)(R10*2), v); \
	CELL(3, (i)(SI)(R11*1), v); \
	CELL(4, (i)(R12), v); \
	CELL(5, (i)(R12)(R10*1), v); \
	CELL(6, (i)(R12)(R10*2), v); \
	CELL(7, (i)(R12)(R11*1), v)

// func histogramU8ColumnsAVX2(hist, gh []int64, cols []uint8, pitch int)
//
// Requires: AVX2, POPCNT
//
// As histogramU8AVX2, of eight columns in place of a tile. len(gh) is a multiple of 32. Four rows
// at a time leave registers for the places of the columns.
//
// DI hist   SI first column   R12 fifth   R10 pitch   R11 3·pitch   R13 gh   0(SP) end of SI
// CX, DX, R8, R9 values of four rows   BX their bins   AX bin
// before that R8 equal bytes   R9 column   CX columns left
TEXT ·histogramU8ColumnsAVX2(SB), NOSPLIT, $8-80
	MOVQ hist_base+0(FP), DI
	MOVQ gh_base+24(FP), R13
	MOVQ cols_base+48(FP), SI
	MOVQ pitch+72(FP), R10
	LEAQ (R10)(R10*2), R11
	LEAQ (SI)(R10*4), R12
	MOVQ gh_len+32(FP), AX
	ADDQ SI, AX
	MOVQ AX, 0(SP)

	XORL R8, R8
	MOVQ SI, R9
	MOVL $8, CX

equal:
	EQUAL(R9)
	ADDQ R10, R9
	DECQ CX
	JNE  equal
	CMPQ R8, $(2*32)
	JHI  records

columns:
	MOVQ (R13), CX
	MOVQ 8(R13), DX
	MOVQ 16(R13), R8
	MOVQ 24(R13), R9
	FOUR(0, (SI))
	FOUR(1, (SI)(R10*1))
	FOUR(2, (SI)(R10*2))
	FOUR(3, (SI)(R11*1))
	FOUR(4, (R12))
	FOUR(5, (R12)(R10*1))
	FOUR(6, (R12)(R10*2))
	FOUR(7, (R12)(R11*1))
	ADDQ $4, SI
	ADDQ $4, R12
	ADDQ $32, R13
	CMPQ SI, 0(SP)
	JNE  columns
	VZEROUPPER
	RET

records:
	MOVQ (R13), CX
	MOVQ 8(R13), DX
	MOVQ 16(R13), R8
	MOVQ 24(R13), R9
	FOURRECORD(0, CX)
	FOURRECORD(1, DX)
	FOURRECORD(2, R8)
	FOURRECORD(3, R9)
	ADDQ $4, SI
	ADDQ $4, R12
	ADDQ $32, R13
	CMPQ SI, 0(SP)
	JNE  records
	VZEROUPPER
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

// PAIR stores the two rows of a vector.
#define PAIR(v) \
	VMOVQ   v, (DI); \
	VMOVHPD v, (DI)(R8*1); \
	LEAQ    (DI)(R8*2), DI

// func interleaveU8AVX2(dst []uint8, stride int, cols []uint8, pitch, n int)
//
// Requires: AVX2
//
// Sixteen rows of eight bytes are transposed: pairs, quadruples, rows.
//
// DI dst   R8 stride   SI columns 0 to 3   DX pitch   R9 three times that   BX columns 4 to 7
// CX rows left
TEXT ·interleaveU8AVX2(SB), NOSPLIT, $0-72
	MOVQ  dst_base+0(FP), DI
	MOVQ  stride+24(FP), R8
	MOVQ  cols_base+32(FP), SI
	MOVQ  pitch+56(FP), DX
	MOVQ  n+64(FP), CX
	LEAQ  (DX)(DX*2), R9
	LEAQ  (SI)(DX*4), BX
	TESTQ CX, CX
	JZ    interleaved

interleave:
	VMOVDQU (SI), X0
	VMOVDQU (SI)(DX*1), X1
	VMOVDQU (SI)(DX*2), X2
	VMOVDQU (SI)(R9*1), X3
	VMOVDQU (BX), X4
	VMOVDQU (BX)(DX*1), X5
	VMOVDQU (BX)(DX*2), X6
	VMOVDQU (BX)(R9*1), X7
	VPUNPCKLBW X1, X0, X8
	VPUNPCKHBW X1, X0, X9
	VPUNPCKLBW X3, X2, X10
	VPUNPCKHBW X3, X2, X11
	VPUNPCKLBW X5, X4, X12
	VPUNPCKHBW X5, X4, X13
	VPUNPCKLBW X7, X6, X14
	VPUNPCKHBW X7, X6, X15
	VPUNPCKLWD X10, X8, X0
	VPUNPCKHWD X10, X8, X1
	VPUNPCKLWD X11, X9, X2
	VPUNPCKHWD X11, X9, X3
	VPUNPCKLWD X14, X12, X4
	VPUNPCKHWD X14, X12, X5
	VPUNPCKLWD X15, X13, X6
	VPUNPCKHWD X15, X13, X7
	VPUNPCKLDQ X4, X0, X8
	VPUNPCKHDQ X4, X0, X9
	VPUNPCKLDQ X5, X1, X10
	VPUNPCKHDQ X5, X1, X11
	VPUNPCKLDQ X6, X2, X12
	VPUNPCKHDQ X6, X2, X13
	VPUNPCKLDQ X7, X3, X14
	VPUNPCKHDQ X7, X3, X15
	PAIR(X8)
	PAIR(X9)
	PAIR(X10)
	PAIR(X11)
	PAIR(X12)
	PAIR(X13)
	PAIR(X14)
	PAIR(X15)
	ADDQ $16, SI
	ADDQ $16, BX
	SUBQ $16, CX
	JNZ  interleave

interleaved:
	VZEROUPPER
	RET
