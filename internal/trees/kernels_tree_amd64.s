//go:build !purego

#include "go_asm.h"
#include "textflag.h"

// Kernels of tree growing for AVX2.

// REPEAT4 defines a table of four equal numbers of 64 bits.
#define REPEAT4(name, value) \
	DATA name<>+0(SB)/8, value; DATA name<>+8(SB)/8, value;   \
	DATA name<>+16(SB)/8, value; DATA name<>+24(SB)/8, value; \
	GLOBL name<>(SB), RODATA|NOPTR, $32

REPEAT4(treeFour, $4)
REPEAT4(treeHalf, $0x80000000)
REPEAT4(treeAbs, $0x7fffffffffffffff)
REPEAT4(treeSlack, $0x3d70000000000000) // 2⁻⁴⁰
REPEAT4(treeZero, $0)

#define hist DI // histogram of the first of eight features

// CELL adds v to hist[f][bin]. Each feature has HistogramCells cells of 8 bytes.
#define CELL(f, bin, v) \
	MOVBLZX bin, AX; ADDQ v, (f*8*const_HistogramCells)(hist)(AX*8)

// EQUAL adds the number of bytes that equal the next byte to R8. It compares 32 bytes, which are
// four groups of eight rows, but not the last byte of each group.
#define EQUAL(bytes) \
	VMOVDQU   (bytes), Y0;     \
	VPSRLQ    $8, Y0, Y1;      \
	VPCMPEQB  Y1, Y0, Y0;      \
	VPMOVMSKB Y0, AX;          \
	ANDL      $0x7f7f7f7f, AX; \
	POPCNTL   AX, AX;          \
	ADDQ      AX, R8

// func histogramU8FetchAVX2(bins []uint8, stride int, rows []uint32, lines int)
//
// Requires: nothing beyond amd64
//
// Registers: SI: bins; R8: next row number; R9: end of the row numbers; AX: a cache line of the
// row; DX: cache lines left.
TEXT ·histogramU8FetchAVX2(SB), NOSPLIT, $0-64
	MOVQ bins_base+0(FP), SI // load the arguments
	MOVQ rows_base+32(FP), R8
	MOVQ rows_len+40(FP), R9
	LEAQ (R8)(R9*4), R9

nextRow:
	MOVL  (R8), AX // AX = bins + rows[i]·stride
	ADDQ  $4, R8
	IMULQ stride+24(FP), AX
	ADDQ  SI, AX
	MOVQ  lines+56(FP), DX

nextLine:
	PREFETCHT1 (AX) // prefetch all lines of the row
	ADDQ       $64, AX
	DECQ       DX
	JNE        nextLine
	CMPQ       R8, R9
	JLT        nextRow
	RET

// func histogramU8TileAVX2(tile, bins []uint8, stride int, rows []uint32, features int)
//
// Requires: AVX2
//
// The tile has groups of eight features. For eight rows, a group contains the eight bytes of the
// first feature, then of the second, and so on: 64 bytes in all. The next eight rows follow.
// Between groups there is a gap of 64 bytes, because groups that start 8 KiB apart would share few
// cache sets. Four groups are written at a time, then single ones.
//
// Registers: AX, BX, CX, DX, R8-R11: addresses of eight rows; Y0-Y15: their columns.
TEXT ·histogramU8TileAVX2(SB), NOSPLIT, $16-88
#define group  DI  // eight rows of the next group in the tile
#define column SI  // next column; bins before the columns; the end of its columns in WIDE
#define apart  R12 // bytes from a group to the next one
#define row    R13 // next row number

// ROW sets r to the address of row i of eight.
#define ROW(i, r) \
	MOVL  (i*4)(row), r;    \
	IMULQ stride+48(FP), r; \
	ADDQ  column, r

// TRANSPOSE transposes the words of eight rows, each with the bytes of two rows. It sets d0 to d3
// to two columns of eight bytes in each lane, and changes a and b.
#define TRANSPOSE(r01, r23, r45, r67, a, b, d0, d1, d2, d3) \
	VPUNPCKLWD r23, r01, d0; VPUNPCKHWD r23, r01, a; \
	VPUNPCKLWD r67, r45, d2; VPUNPCKHWD r67, r45, b; \
	VPUNPCKHDQ d2, d0, d1; VPUNPCKLDQ d2, d0, d0;    \
	VPUNPCKLDQ b, a, d2; VPUNPCKHDQ b, a, d3

// STORE4 stores four vectors of a group with the instruction MOVE and advances to the next group.
#define STORE4(MOVE, a, b, c, d) \
	MOVE(a, (group)); MOVE(b, 16(group)); MOVE(c, 32(group)); MOVE(d, 48(group)); \
	ADDQ apart, group
#define LOW(x, address) VMOVDQU x, address
#define HIGH(y, address) VEXTRACTI128 $1, y, address

// WIDE transposes 32 columns of eight rows. It interleaves the bytes of two rows and then, with
// TRANSPOSE, words and double words. The resulting groups are first the lower halves of Y4 to Y7
// and of Y8 to Y14, then their upper halves.
#define WIDE \
	VMOVDQU    -32(AX)(column*1), Y0; VMOVDQU -32(BX)(column*1), Y1;   \
	VMOVDQU    -32(CX)(column*1), Y2; VMOVDQU -32(DX)(column*1), Y3;   \
	VMOVDQU    -32(R8)(column*1), Y4; VMOVDQU -32(R9)(column*1), Y5;   \
	VMOVDQU    -32(R10)(column*1), Y6; VMOVDQU -32(R11)(column*1), Y7; \
	VPUNPCKLBW Y1, Y0, Y8; VPUNPCKHBW Y1, Y0, Y9;                      \
	VPUNPCKLBW Y3, Y2, Y10; VPUNPCKHBW Y3, Y2, Y11;                    \
	VPUNPCKLBW Y5, Y4, Y12; VPUNPCKHBW Y5, Y4, Y13;                    \
	VPUNPCKLBW Y7, Y6, Y14; VPUNPCKHBW Y7, Y6, Y15;                    \
	TRANSPOSE(Y8, Y10, Y12, Y14, Y0, Y1, Y4, Y5, Y6, Y7);              \
	TRANSPOSE(Y9, Y11, Y13, Y15, Y0, Y1, Y8, Y10, Y12, Y14);           \
	STORE4(LOW, X4, X5, X6, X7); STORE4(LOW, X8, X10, X12, X14);       \
	STORE4(HIGH, Y4, Y5, Y6, Y7); STORE4(HIGH, Y8, Y10, Y12, Y14)

	MOVQ tile_base+0(FP), group // place = eight rows of the first group
	MOVQ group, place-16(SP)
	MOVQ rows_base+56(FP), row
	MOVQ rows_len+64(FP), AX // apart = 64 + 8·rows
	LEAQ 64(AX*8), apart
	LEAQ (row)(AX*4), AX
	MOVQ AX, rowEnd-8(SP)

eight:
	MOVQ bins_base+24(FP), column // addresses of eight rows
	ROW(0, AX); ROW(1, BX)
	ROW(2, CX); ROW(3, DX)
	ROW(4, R8); ROW(5, R9)
	ROW(6, R10); ROW(7, R11)
	MOVQ place-16(SP), group // from the first group and column on
	XORL column, column
	JMP  nextWide

wide:
	WIDE

nextWide:
	ADDQ $32, column // if 32 columns remain: goto wide
	CMPQ column, features+80(FP)
	JLE  wide
	SUBQ $32, column
	JMP  nextSingle

single:
	VMOVQ      (AX)(column*1), X0; VMOVQ (BX)(column*1), X1 // load eight columns of eight rows
	VMOVQ      (CX)(column*1), X2; VMOVQ (DX)(column*1), X3
	VMOVQ      (R8)(column*1), X4; VMOVQ (R9)(column*1), X5
	VMOVQ      (R10)(column*1), X6; VMOVQ (R11)(column*1), X7
	VPUNPCKLBW X1, X0, X8; VPUNPCKLBW X3, X2, X10 // interleave the bytes of two rows, and transpose
	VPUNPCKLBW X5, X4, X12; VPUNPCKLBW X7, X6, X14
	TRANSPOSE(X8, X10, X12, X14, X0, X1, X4, X5, X6, X7)
	VMOVDQU    X4, (group) // store the group
	VMOVDQU    X5, 16(group)
	VMOVDQU    X6, 32(group)
	VMOVDQU    X7, 48(group)
	ADDQ       apart, group // the next group
	ADDQ       $8, column

nextSingle:
	CMPQ column, features+80(FP)
	JLT  single
	ADDQ $64, place-16(SP) // the next eight rows
	ADDQ $32, row
	CMPQ row, rowEnd-8(SP)
	JLT  eight
	VZEROUPPER
	RET
#undef group
#undef column
#undef apart
#undef row
#undef ROW
#undef TRANSPOSE
#undef STORE4
#undef LOW
#undef HIGH
#undef WIDE

// func histogramU8AVX2(hist, gh []int64, tile, behind []uint8, stride int, next []uint32, most, lines int)
//
// Requires: AVX2, POPCNT
//
// The processor usually writes one cell per cycle to the L1 cache. It writes two if they are in the
// same cache line and at most about four writes apart. That is why eight rows are added feature by
// feature. If they often have the same cell, however, each addition would wait for the previous
// one. So a group is added row by row if a quarter of its first 32 rows have the same bins as the
// previous rows.
//
// A store to the stack would displace a store to a cell, so the loop has none.
//
// Registers: CX, DX, R8-R13: values of eight rows; BX: their bins of a feature; AX: a bin; named
// below.
TEXT ·histogramU8AVX2(SB), NOSPLIT, $40-144
#define tile      SI // bins of the next eight rows
#define ahead     X2 // next row number to prefetch, between iterations
#define fetch     R8 // the same while rows are prefetched
#define count     CX // rows left to prefetch
#define lineCount DX // cache lines of the row left to prefetch

// COLUMN adds the values of eight rows to their cells of feature f.
#define COLUMN(f) \
	MOVQ (f*8)(tile), BX; CELL(f, BL, CX); CELL(f, BH, DX); \
	SHRQ $16, BX; CELL(f, BL, R8); CELL(f, BH, R9);         \
	SHRQ $16, BX; CELL(f, BL, R10); CELL(f, BH, R11);       \
	SHRL $16, BX; CELL(f, BL, R12); CELL(f, BH, R13)

// RECORD adds v, the value of row i of eight, to its cells of eight features.
#define RECORD(i, v) \
	CELL(0, (0*8+i)(tile), v); CELL(1, (1*8+i)(tile), v); \
	CELL(2, (2*8+i)(tile), v); CELL(3, (3*8+i)(tile), v); \
	CELL(4, (4*8+i)(tile), v); CELL(5, (5*8+i)(tile), v); \
	CELL(6, (6*8+i)(tile), v); CELL(7, (7*8+i)(tile), v)

	MOVQ hist_base+0(FP), hist // load the arguments
	MOVQ tile_base+48(FP), tile
	MOVQ next_base+104(FP), AX
	VMOVQ AX, ahead
	MOVQ next_len+112(FP), BX // the ends of next and hist
	LEAQ (AX)(BX*4), AX
	MOVQ AX, nextEnd-24(SP)
	MOVQ hist_len+8(FP), AX
	LEAQ (hist)(AX*8), AX
	MOVQ AX, histEnd-16(SP)

group:
	MOVQ gh_base+24(FP), AX // values = gh − tile: eight rows are 64 bytes of both
	SUBQ tile, AX
	MOVQ AX, values-40(SP)
	MOVQ gh_len+32(FP), AX // groupEnd = the end of the group in the tile
	LEAQ (tile)(AX*8), AX
	MOVQ AX, groupEnd-32(SP)

	MOVQ    gh_len+32(FP), R9 // R9 = min(rows, 32)
	MOVL    $32, AX
	CMPQ    R9, AX
	CMOVQGT AX, R9
	LEAQ    (tile)(R9*8), R10 // the end of their bins
	MOVQ    tile, R11
	XORL    R8, R8

equal:
	EQUAL(R11) // R8 = bytes that are equal to the byte of the previous row, of 8·R9
	ADDQ $32, R11
	CMPQ R11, R10
	JLT  equal
	ADDQ R9, R9 // byRow = R8 > 2·R9
	CMPQ R9, R8
	SBBQ AX, AX
	MOVQ AX, byRow-8(SP)

loop:
	VMOVQ ahead, fetch
	MOVQ  most+128(FP), count
	TESTQ count, count // if most == 0: goto add
	JEQ   add

nextRow:
	CMPQ  fetch, nextEnd-24(SP) // if all rows are prefetched: goto add
	JGE   add
	MOVL  (fetch), AX // AX = behind + row·stride
	ADDQ  $4, fetch
	IMULQ stride+96(FP), AX
	ADDQ  behind_base+72(FP), AX
	MOVQ  lines+136(FP), lineCount

nextLine:
	PREFETCHT1 (AX) // prefetch all lines of the row
	ADDQ       $64, AX
	DECQ       lineCount
	JNE        nextLine
	DECQ       count
	JNE        nextRow
	VMOVQ      fetch, ahead

add:
	MOVQ values-40(SP), AX // load eight values
	ADDQ tile, AX
	MOVQ (AX), CX; MOVQ 8(AX), DX; MOVQ 16(AX), R8; MOVQ 24(AX), R9
	MOVQ 32(AX), R10; MOVQ 40(AX), R11; MOVQ 48(AX), R12; MOVQ 56(AX), R13
	CMPQ byRow-8(SP), $0
	JNE  records
	COLUMN(0) // hist[f][tile[f][i]] += value i, by feature
	COLUMN(1)
	COLUMN(2)
	COLUMN(3)
	COLUMN(4)
	COLUMN(5)
	COLUMN(6)
	COLUMN(7)
	JMP  added

records:
	RECORD(0, CX) // hist[f][tile[f][i]] += value i, by row
	RECORD(1, DX)
	RECORD(2, R8)
	RECORD(3, R9)
	RECORD(4, R10)
	RECORD(5, R11)
	RECORD(6, R12)
	RECORD(7, R13)

added:
	ADDQ $64, tile // the next eight rows of the group
	CMPQ tile, groupEnd-32(SP)
	JNE  loop
	ADDQ $64, tile // the next group, 64 bytes further
	ADDQ $(8*8*const_HistogramCells), hist
	CMPQ hist, histEnd-16(SP)
	JNE  group
	VZEROUPPER
	RET
#undef tile
#undef ahead
#undef fetch
#undef count
#undef lineCount
#undef COLUMN
#undef RECORD

// func histogramU8ColumnsAVX2(hist, gh []int64, cols []uint8, pitch int)
//
// Requires: AVX2, POPCNT
//
// It is like histogramU8AVX2, but the bins are in eight columns instead of a tile. len(gh) must be
// a multiple of 32. It processes four rows at a time, which leaves registers for the addresses of
// the columns.
//
// Registers: CX, DX, R8, R9: values of four rows; BX: their bins of a feature; AX: a bin; named
// below.
TEXT ·histogramU8ColumnsAVX2(SB), NOSPLIT, $8-80
#define column0 SI  // next row in column 0
#define column4 R12 // next row in column 4
#define pitch1  R10 // pitch
#define pitch3  R11 // 3·pitch
#define value   R13 // value of the next row

// FOUR adds the values of four rows to their cells of feature f. bytes contains their bins.
#define FOUR(f, bytes) \
	MOVL bytes, BX; CELL(f, BL, CX); CELL(f, BH, DX); \
	SHRL $16, BX; CELL(f, BL, R8); CELL(f, BH, R9)

// RECORD adds v, the value of row i of four, to its cells of eight features.
#define RECORD(i, v) \
	CELL(0, (i)(column0), v); CELL(1, (i)(column0)(pitch1*1), v);           \
	CELL(2, (i)(column0)(pitch1*2), v); CELL(3, (i)(column0)(pitch3*1), v); \
	CELL(4, (i)(column4), v); CELL(5, (i)(column4)(pitch1*1), v);           \
	CELL(6, (i)(column4)(pitch1*2), v); CELL(7, (i)(column4)(pitch3*1), v)

	MOVQ hist_base+0(FP), hist // load the arguments
	MOVQ gh_base+24(FP), value
	MOVQ cols_base+48(FP), column0
	MOVQ pitch+72(FP), pitch1
	LEAQ (pitch1)(pitch1*2), pitch3
	LEAQ (column0)(pitch1*4), column4
	MOVQ gh_len+32(FP), AX // end = the end of column 0
	ADDQ column0, AX
	MOVQ AX, end-8(SP)

	XORL R8, R8 // R8 = equal neighbors among the first 32 rows of eight columns
	MOVQ column0, R9
	MOVL $8, CX

equal:
	EQUAL(R9)
	ADDQ pitch1, R9 // the next column
	DECQ CX
	JNE  equal
	CMPQ R8, $(2*32) // if more than a quarter: goto records
	JHI  records

columns:
	MOVQ (value), CX; MOVQ 8(value), DX; MOVQ 16(value), R8; MOVQ 24(value), R9
	FOUR(0, (column0)) // hist[f][column f[i]] += value i, by feature
	FOUR(1, (column0)(pitch1*1))
	FOUR(2, (column0)(pitch1*2))
	FOUR(3, (column0)(pitch3*1))
	FOUR(4, (column4))
	FOUR(5, (column4)(pitch1*1))
	FOUR(6, (column4)(pitch1*2))
	FOUR(7, (column4)(pitch3*1))
	ADDQ $4, column0 // the next four rows
	ADDQ $4, column4
	ADDQ $32, value
	CMPQ column0, end-8(SP)
	JNE  columns
	VZEROUPPER
	RET

records:
	MOVQ (value), CX; MOVQ 8(value), DX; MOVQ 16(value), R8; MOVQ 24(value), R9
	RECORD(0, CX) // hist[f][column f[i]] += value i, by row
	RECORD(1, DX)
	RECORD(2, R8)
	RECORD(3, R9)
	ADDQ $4, column0 // the next four rows
	ADDQ $4, column4
	ADDQ $32, value
	CMPQ column0, end-8(SP)
	JNE  records
	VZEROUPPER
	RET
#undef column0
#undef column4
#undef pitch1
#undef pitch3
#undef value
#undef FOUR
#undef RECORD

// func subI64AVX2(dst, a, b []int64)
//
// Requires: AVX2
//
// It subtracts the last three elements one by one.
//
// Registers: DI, SI, DX: the next elements of dst, a and b; CX: elements left.
TEXT ·subI64AVX2(SB), NOSPLIT, $0-72
	MOVQ dst_base+0(FP), DI // load the arguments
	MOVQ dst_len+8(FP), CX
	MOVQ a_base+24(FP), SI
	MOVQ b_base+48(FP), DX
	SUBQ $16, CX
	JLT  vectors

loop:
	VMOVDQU (SI), Y0 // load 16 elements of a
	VMOVDQU 32(SI), Y1
	VMOVDQU 64(SI), Y2
	VMOVDQU 96(SI), Y3
	VPSUBQ  (DX), Y0, Y0 // dst[i] = a[i] − b[i]
	VPSUBQ  32(DX), Y1, Y1
	VPSUBQ  64(DX), Y2, Y2
	VPSUBQ  96(DX), Y3, Y3
	VMOVDQU Y0, (DI) // store them
	VMOVDQU Y1, 32(DI)
	VMOVDQU Y2, 64(DI)
	VMOVDQU Y3, 96(DI)
	ADDQ    $128, SI // the next 16 elements
	ADDQ    $128, DX
	ADDQ    $128, DI
	SUBQ    $16, CX
	JGE     loop

vectors:
	ADDQ $12, CX // if fewer than four elements are left: goto tail
	JLT  tail

vector:
	VMOVDQU (SI), Y0 // dst[i] = a[i] − b[i], four elements
	VPSUBQ  (DX), Y0, Y0
	VMOVDQU Y0, (DI)
	ADDQ    $32, SI // the next four elements
	ADDQ    $32, DX
	ADDQ    $32, DI
	SUBQ    $4, CX
	JGE     vector

tail:
	ADDQ $4, CX
	JEQ  done

element:
	MOVQ (SI), AX // dst[i] = a[i] − b[i]
	SUBQ (DX), AX
	MOVQ AX, (DI)
	ADDQ $8, SI // the next element
	ADDQ $8, DX
	ADDQ $8, DI
	DECQ CX
	JNE  element

done:
	VZEROUPPER
	RET

// func bestSplitI64AVX2(cells []int64, start, total int64, alpha, lambda, minHess, bar float64) (gain float64, bin int, sum int64)
//
// Requires: AVX2
//
// Each lane keeps the first best of every fourth bin, and the result is the lowest bin among the
// lanes with the best gain. Lanes after the last bin repeat its split with a higher bin number, so
// they never win. If no dividend exceeds its divisor times a little less than the best gain, no
// quotient can be better, and the divisions are skipped.
//
// Registers: Y0: g, l²·y, gain; Y1: g and r²·x on the right; Y2: h, x; Y3: h, y on the right; named
// below.
TEXT ·bestSplitI64AVX2(SB), NOSPLIT, $32-96
#define cell     SI  // next cell
#define left     CX  // cells left
#define penalty  DX  // 0 if alpha is +0
#define gTotal   Y15 // g of total
#define alphas   Y14 // alpha
#define lambdas  Y13 // lambda
#define least    Y12 // minHess
#define before   Y11 // sum of the previous cells
#define hTotal   Y10 // h of total
#define bins     Y9  // bins of the lanes
#define bestSum  Y8
#define bestBin  Y7
#define bestGain Y6
#define sums     Y5  // sums of the cells up to each bin
#define allowed  Y4  // the splits that may count

// BOUND computes bound = bestGain − |bestGain|·2⁻⁴⁰. A quotient whose dividend is at most
// divisor·bound is not better, with any rounding.
#define BOUND \
	VANDPD  treeAbs<>(SB), bestGain, Y0; \
	VMULPD  treeSlack<>(SB), Y0, Y0;     \
	VSUBPD  Y0, bestGain, Y0;            \
	VMOVUPD Y0, bound-32(SP)

	MOVQ         cells_base+0(FP), cell // load the arguments
	MOVQ         cells_len+8(FP), left
	VPBROADCASTQ start+24(FP), before
	MOVQ         total+32(FP), AX
	MOVQ         alpha+40(FP), penalty
	VCVTSI2SDL   AX, X15, X15 // gTotal = the lower half of total
	VBROADCASTSD X15, gTotal
	ADDQ         treeHalf<>(SB), AX // hTotal = (total + 2³¹) >> 32
	SARQ         $32, AX
	VCVTSI2SDL   AX, X10, X10
	VBROADCASTSD X10, hTotal
	VBROADCASTSD alpha+40(FP), alphas // constants
	VBROADCASTSD lambda+48(FP), lambdas
	VBROADCASTSD minHess+56(FP), least
	VMOVDQU      github·com∕simdrank∕simdrank∕internal∕kern·Iota64(SB), bins // bins = 0, 1, 2, 3
	VPXOR        bestSum, bestSum, bestSum // bestSum, bestBin, bestGain = 0, −1, bar
	VPCMPEQD     bestBin, bestBin, bestBin
	VBROADCASTSD bar+64(FP), bestGain
	BOUND
	SUBQ         $4, left
	JLT          tail

loop:
	VMOVDQU (cell), sums // load four cells

prefix:
	VPSLLDQ  $8, sums, Y0 // sums of two cells
	VPADDQ   Y0, sums, sums
	VPERMQ   $0x55, sums, Y0 // sums of all cells up to each bin
	VPXOR    Y1, Y1, Y1
	VPBLENDD $0xf0, Y0, Y1, Y0
	VPADDQ   Y0, sums, sums
	VPERMQ   $0xff, sums, Y0 // sums += before; before += the sum of the four cells
	VPADDQ   before, sums, sums
	VPADDQ   Y0, before, before

	VPADDQ       treeHalf<>(SB), sums, Y2 // h = the upper halves of sums + 2³¹
	VEXTRACTI128 $1, Y2, X3
	VSHUFPS      $0xdd, X3, X2, X2
	VCVTDQ2PD    X2, Y2
	VEXTRACTI128 $1, sums, X0 // g = the lower halves of sums
	VSHUFPS      $0x88, X0, X5, X0
	VCVTDQ2PD    X0, Y0
	VSUBPD       Y2, hTotal, Y3 // h and g on the right
	VSUBPD       Y0, gTotal, Y1
	VMINPD       Y2, Y3, allowed // allowed = both h ≥ minHess; if none: goto next
	VCMPPD       $0x1d, least, allowed, allowed
	VTESTPD      allowed, allowed
	JEQ          next
	TESTQ        penalty, penalty
	JEQ          penalized
	VANDPD       treeAbs<>(SB), Y0, Y0 // l = max(|g| − alpha, 0), on the right r
	VANDPD       treeAbs<>(SB), Y1, Y1
	VSUBPD       alphas, Y0, Y0
	VSUBPD       alphas, Y1, Y1
	VMAXPD       treeZero<>(SB), Y0, Y0
	VMAXPD       treeZero<>(SB), Y1, Y1

penalized:
	VADDPD    lambdas, Y2, Y2 // x and y = h + lambda
	VADDPD    lambdas, Y3, Y3
	VMULPD    Y0, Y0, Y0 // dividend = (l·l)·y + (r·r)·x
	VMULPD    Y1, Y1, Y1
	VMULPD    Y3, Y0, Y0
	VMULPD    Y2, Y1, Y1
	VADDPD    Y1, Y0, Y0
	VMULPD    Y3, Y2, Y2 // divisor = x·y
	VMULPD    bound-32(SP), Y2, Y3 // allowed &= dividend > divisor·bound; if none: goto next
	VCMPPD    $0x1e, Y3, Y0, Y3
	VANDPD    Y3, allowed, allowed
	VTESTPD   allowed, allowed
	JEQ       next
	VDIVPD    Y2, Y0, Y0 // gain = dividend/divisor; Y1 = allowed & gain > bestGain
	VCMPPD    $0x1e, bestGain, Y0, Y1
	VANDPD    allowed, Y1, Y1
	VBLENDVPD Y1, Y0, bestGain, bestGain // bestGain, bestBin, bestSum = the lanes of Y1
	VBLENDVPD Y1, bins, bestBin, bestBin
	VBLENDVPD Y1, sums, bestSum, bestSum
	BOUND

next:
	VPADDQ treeFour<>(SB), bins, bins // the next four bins
	ADDQ   $32, cell
	SUBQ   $4, left
	JGE    loop

tail:
	ADDQ       $4, left
	JLE        done
	LEAQ       github·com∕simdrank∕simdrank∕internal∕kern·Masks+96(SB), AX
	SHLQ       $3, left // sums = one to three cells, and zeros
	SUBQ       left, AX
	VMOVDQU    (AX), Y0
	VPMASKMOVQ (cell), Y0, sums
	XORL       left, left // none left
	JMP        prefix

done:
	VEXTRACTF128 $1, bestGain, X0 // gain = the greatest lane of bestGain
	VMAXPD       X0, X6, X0
	VPERMILPD    $1, X0, X1
	VMAXPD       X1, X0, X0
	VMOVSD       X0, gain+72(FP)
	VBROADCASTSD X0, Y0 // bestBin = all ones in the lanes of a lower gain
	VCMPPD       $4, Y0, bestGain, Y1
	VORPD        Y1, bestBin, bestBin
	VEXTRACTI128 $1, bestBin, X0 // bin = the least lane of bestBin
	VPMINUD      X0, X7, X0
	VPSHUFD      $0x4e, X0, X1
	VPMINUD      X1, X0, X0
	VMOVQ        X0, bin+80(FP)
	VPBROADCASTQ X0, Y0 // sum = the lane of bestSum that has this bin
	VPCMPEQQ     Y0, bestBin, Y0
	VPAND        Y0, bestSum, bestSum // the other lanes are 0
	VEXTRACTI128 $1, bestSum, X0
	VPOR         X0, X8, X0
	VPSHUFD      $0x4e, X0, X1
	VPOR         X1, X0, X0
	VMOVQ        X0, sum+88(FP)
	VZEROUPPER
	RET
#undef cell
#undef left
#undef penalty
#undef gTotal
#undef alphas
#undef lambdas
#undef least
#undef before
#undef hTotal
#undef bins
#undef bestSum
#undef bestBin
#undef bestGain
#undef sums
#undef allowed
#undef BOUND

// func binF32AVX2(dst []uint8, x []float32, stride int, t *binTable, n int, zero uint32) (missing int)
//
// Requires: AVX2, POPCNT
//
// It compares a value with the 16 splits, which select the 16 bounds for the second comparison.
//
// Registers: DI: dst; SI: the next value of x; R8: stride in bytes; R9: bounds; R10: zero; R11: the
// least missing value; R12: n; CX: values left; DX: missing values; BX: bin; Y0: value; Y1, Y2:
// splits; Y3, Y4: the first 16 bounds.
TEXT ·binF32AVX2(SB), NOSPLIT, $0-88
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
	VMOVUPS   binTable_split(R9), Y1
	VMOVUPS   (binTable_split+32)(R9), Y2
	ADDQ      $binTable_bound, R9
	VMOVUPS   (R9), Y3
	VMOVUPS   32(R9), Y4
	TESTQ     CX, CX // if there are no values: goto done
	JEQ       done
	CMPQ      R12, $16 // if all bounds are in Y3 and Y4: goto single
	JLE       single

loop:
	VBROADCASTSS (SI), Y0 // BX = 2·number of splits < value: packed, each has two bits
	VCMPPS       $1, Y0, Y1, Y5
	VCMPPS       $1, Y0, Y2, Y6
	VPACKSSDW    Y6, Y5, Y5
	VPMOVMSKB    Y5, BX
	POPCNTL      BX, BX
	SHLL         $3, BX // BX = 16·that number
	VCMPPS       $0x1e, (R9)(BX*4), Y0, Y5 // R13 = 2·number of its 16 bounds < value
	VCMPPS       $0x1e, 32(R9)(BX*4), Y0, Y6
	VPACKSSDW    Y6, Y5, Y5
	VPMOVMSKB    Y5, R13
	POPCNTL      R13, R13
	SHRL         $1, R13 // bin = BX + R13/2
	ADDL         R13, BX
	VALUE
	DECQ         CX
	JNE          loop
	JMP          done

single:
	VBROADCASTSS (SI), Y0 // BX = number of the first bounds < value
	VCMPPS       $1, Y0, Y3, Y5
	VCMPPS       $1, Y0, Y4, Y6
	VPACKSSDW    Y6, Y5, Y5
	VPMOVMSKB    Y5, BX
	POPCNTL      BX, BX
	SHRL         $1, BX
	VALUE
	DECQ         CX // the next value
	JNE          single

done:
	MOVQ DX, missing+80(FP)
	VZEROUPPER
	RET
#undef VALUE

// func interleaveU8AVX2(dst []uint8, stride int, cols []uint8, pitch, n int)
//
// Requires: AVX2
//
// It transposes 16 rows of eight bytes by interleaving bytes, pairs and quadruples.
//
// Registers: DI: the next row of dst; R8: stride; SI, BX: the next rows of columns 0 and 4; DX:
// pitch; R9: 3·pitch; CX: rows left.
TEXT ·interleaveU8AVX2(SB), NOSPLIT, $0-72
// PAIR stores the two rows of a vector.
#define PAIR(v) \
	VMOVQ v, (DI); VMOVHPD v, (DI)(R8*1); LEAQ (DI)(R8*2), DI

	MOVQ  dst_base+0(FP), DI // load the arguments
	MOVQ  stride+24(FP), R8
	MOVQ  cols_base+32(FP), SI
	MOVQ  pitch+56(FP), DX
	MOVQ  n+64(FP), CX
	LEAQ  (DX)(DX*2), R9
	LEAQ  (SI)(DX*4), BX
	TESTQ CX, CX
	JZ    done

loop:
	VMOVDQU (SI), X0; VMOVDQU (SI)(DX*1), X1 // load 16 rows of eight columns
	VMOVDQU (SI)(DX*2), X2; VMOVDQU (SI)(R9*1), X3
	VMOVDQU (BX), X4; VMOVDQU (BX)(DX*1), X5
	VMOVDQU (BX)(DX*2), X6; VMOVDQU (BX)(R9*1), X7
	VPUNPCKLBW X1, X0, X8; VPUNPCKHBW X1, X0, X9 // pairs of columns
	VPUNPCKLBW X3, X2, X10; VPUNPCKHBW X3, X2, X11
	VPUNPCKLBW X5, X4, X12; VPUNPCKHBW X5, X4, X13
	VPUNPCKLBW X7, X6, X14; VPUNPCKHBW X7, X6, X15
	VPUNPCKLWD X10, X8, X0; VPUNPCKHWD X10, X8, X1 // quadruples
	VPUNPCKLWD X11, X9, X2; VPUNPCKHWD X11, X9, X3
	VPUNPCKLWD X14, X12, X4; VPUNPCKHWD X14, X12, X5
	VPUNPCKLWD X15, X13, X6; VPUNPCKHWD X15, X13, X7
	VPUNPCKLDQ X4, X0, X8; VPUNPCKHDQ X4, X0, X9 // rows, two to a vector
	VPUNPCKLDQ X5, X1, X10; VPUNPCKHDQ X5, X1, X11
	VPUNPCKLDQ X6, X2, X12; VPUNPCKHDQ X6, X2, X13
	VPUNPCKLDQ X7, X3, X14; VPUNPCKHDQ X7, X3, X15
	PAIR(X8) // store 16 rows
	PAIR(X9)
	PAIR(X10)
	PAIR(X11)
	PAIR(X12)
	PAIR(X13)
	PAIR(X14)
	PAIR(X15)
	ADDQ $16, SI // the next 16 rows
	ADDQ $16, BX
	SUBQ $16, CX
	JNZ  loop

done:
	VZEROUPPER
	RET
#undef PAIR
