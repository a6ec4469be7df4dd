//go:build !purego

#include "go_asm.h"
#include "textflag.h"

// Gemv of mixed types for AVX-512 (F, VL) on processors that split what has 512 bits, see
// cpu.UseFP512. The order of operations is that of the doc comments in gemv.go; what
// kernels_linear_avx512_amd64.s says of masks holds here too.
//
// A Zen 4 loads two vectors of four elements per cycle and converts them on the way, and multiplies
// and adds as many besides; from a register a conversion takes half as long again, with 512 bits
// two thirds. What else is loaded takes the place of a conversion. So eight rows share the loads of
// x, and as they have not enough registers for all lanes, they take those of one eighth of them
// after those of another: vectors k, k+8, k+16, …
//
// A row of 136 columns, 34 vectors, needs 77 operations of the four pipes, 19.3 cycles,
// and 38 loads, 19.1: both at once take 22 to 23 on Zen 4, where the conversions alone take 17.

// A vector at a place in a row, times that of x, to its lanes or added to them; and a last vector,
// which is not whole.
#define BEGIN(place, x, lanes) VCVTPS2PD place, Y30; VMULPD Y30, x, lanes
#define ADD(place, x, lanes) VCVTPS2PD place, Y30; VFMADD231PD Y30, x, lanes
#define LAST(place, x, lanes) VCVTPS2PD.Z place, K1, Y30; VFMADD231PD Y30, x, K1, lanes

// The vector at off in four of eight rows: do is BEGIN, ADD or LAST. R10, R11, R12: three, five and
// seven strides.
#define ROWS4(do, off, x, a, b, c, d) \
	do(off(SI), x, a);        \
	do(off(SI)(R9*1), x, b);  \
	do(off(SI)(R9*2), x, c);  \
	do(off(SI)(R10*1), x, d)
#define MORE4(do, off, x, a, b, c, d) \
	do(off(SI)(R9*4), x, a);  \
	do(off(SI)(R11*1), x, b); \
	do(off(SI)(R10*2), x, c); \
	do(off(SI)(R12*1), x, d)

// The lanes of eight rows: three sets, and the halves of a fourth.
#define SETA(do, off, x) ROWS4(do, off, x, Y0, Y1, Y2, Y3); MORE4(do, off, x, Y4, Y5, Y6, Y7)
#define SETB(do, off, x) ROWS4(do, off, x, Y8, Y9, Y10, Y11); MORE4(do, off, x, Y12, Y13, Y14, Y15)
#define SETC(do, off, x) ROWS4(do, off, x, Y16, Y17, Y18, Y19); MORE4(do, off, x, Y20, Y21, Y22, Y23)
#define LOWD(do, off, x) ROWS4(do, off, x, Y24, Y25, Y26, Y27)
#define HIGHD(do, off, x) MORE4(do, off, x, Y24, Y25, Y26, Y27)

// AHEAD fetches as much of the rows to come as a step takes; there is nothing at 0.
#define AHEAD TESTQ DX, DX; JEQ 4(PC); PREFETCHT0 (DX); PREFETCHT0 64(DX); ADDQ $128, DX

// Vectors k, k+8, … of the rows. AX: steps of 32 columns; R13: twice the whole vectors after them,
// and 1 if another one follows.
#define LANES(k, set, loop, rest, next) \
	MOVQ a_base+24(FP), SI;     \
	MOVQ x_base+72(FP), R8;     \
	VMOVUPD (32*k)(R8), Y28;    \
	AHEAD;                      \
	set(BEGIN, (16*k), Y28);    \
	MOVQ AX, CX;                \
	CMPQ R13, $(2*k+2);         \
	SBBQ $0, CX;                \
	JEQ rest;                   \
loop: \
	ADDQ $128, SI;              \
	ADDQ $256, R8;              \
	VMOVUPD (32*k)(R8), Y28;    \
	AHEAD;                      \
	set(ADD, (16*k), Y28);      \
	DECQ CX;                    \
	JNE loop;                   \
rest: \
	CMPQ R13, $(2*k+1);         \
	JNE next;                   \
	set(LAST, (128+16*k), Y31); \
next:

// Sums of four rows. A product with 1 changes nothing: the pipes that multiply take as many of the
// sums as they have room for beside the products, for those that add convert.
#define SUM4(a, b, c, d, e, f, g, h) VADDPD a, e, e; VADDPD b, f, f; VADDPD c, g, g; VADDPD d, h, h
#define FMA4(a, b, c, d, e, f, g, h) \
	VFMADD231PD a, Y29, e; \
	VFMADD231PD b, Y29, f; \
	VFMADD231PD c, Y29, g; \
	VFMADD231PD d, Y29, h
#define BTOA(do) do(Y8, Y9, Y10, Y11, Y0, Y1, Y2, Y3); do(Y12, Y13, Y14, Y15, Y4, Y5, Y6, Y7)
#define CTOB(do) do(Y16, Y17, Y18, Y19, Y8, Y9, Y10, Y11); do(Y20, Y21, Y22, Y23, Y12, Y13, Y14, Y15)

// The four lanes left of each of four rows, halved together, to off(DI).
#define HALVES(off, a, b, c, d, xc, xd) \
	VINSERTF128 $1, xc, a, Y8;   \
	VPERM2F128 $0x31, c, a, Y9;  \
	VINSERTF128 $1, xd, b, Y10;  \
	VPERM2F128 $0x31, d, b, Y11; \
	VADDPD Y9, Y8, Y8;           \
	VADDPD Y11, Y10, Y10;        \
	VUNPCKLPD Y10, Y8, Y9;       \
	VUNPCKHPD Y10, Y8, Y11;      \
	VADDPD Y11, Y9, Y8;          \
	VMOVUPD Y8, off(DI)

// func gemvF32WideSplitAVX512(dst []float64, a []float32, rows, cols, stride int, x []float64)
// Requires: AVX512F, AVX512VL
//
// For at least one column and one row. Eights of rows with 32 columns or more; gemvF32WideAVX512
// has the others, and what comes from memory, where one stream is faster. DI: dst; SI, R8: place in
// the rows and in x; R9: stride in bytes; BX: rows left; CX: steps left; DX: what to prefetch;
// Y0-Y27: lanes; Y28: x; Y29: 1; Y30: what is converted; Y31: the last vector of x, unless it is
// whole; K1: its mask. The arguments a and x hold where the eight rows and x begin, rows how far
// ahead to prefetch, or 0.
TEXT ·gemvF32WideSplitAVX512(SB), NOSPLIT, $0-96
	MOVQ dst_base+0(FP), DI
	MOVQ rows+48(FP), BX
	MOVQ cols+56(FP), R13
	MOVQ stride+64(FP), R9
	MOVQ x_base+72(FP), R8
	LEAQ -32(R13), AX
	CMPQ AX, $(const_gemvSplit-32) // unsigned: 32 <= cols <= gemvSplit
	JHI others
	CMPQ a_len+32(FP), $(const_gemvMemory/4)
	JGT others
	SUBQ $8, BX
	JLT others
	SHLQ $2, R9
	LEAQ (R9)(R9*2), R10
	LEAQ (R9)(R9*4), R11
	LEAQ (R10)(R9*4), R12
	MOVQ $0x3ff0000000000000, AX
	VPBROADCASTQ AX, Y29

	// the last vector of x: the one that ends with the last element, moved down
	VMOVUPD -32(R8)(R13*8), Y31
	MOVL R13, CX
	NEGL CX
	ANDL $3, CX // elements that it lacks
	MOVL $15, AX
	SHLL CX, AX
	KMOVW AX, K2
	VCOMPRESSPD.Z Y31, K2, Y31
	MOVL $15, AX
	SHRL CX, AX
	KMOVW AX, K1
	MOVQ R13, AX
	SHRQ $5, AX
	ANDL $31, R13
	SHRL $2, R13
	NEGL CX // sets the carry if it lacks some
	ADCL R13, R13
	XORL DX, DX // what is in L1 is not fetched
	MOVQ rows+48(FP), CX
	IMULQ R9, CX
	CMPQ CX, $const_gemvL1
	JLE 2(PC)
	LEAQ const_gemvAheadSplit(R9*8), DX
	MOVQ DX, rows+48(FP)

eight:
	MOVQ a_base+24(FP), SI
	MOVQ rows+48(FP), DX
	TESTQ DX, DX
	JEQ 2(PC)
	ADDQ SI, DX
	LANES(0, SETA, loop0, rest0, next0)
	LANES(2, SETB, loop2, rest2, next2)
	BTOA(SUM4)
	LANES(4, SETB, loop4, rest4, next4)
	LANES(6, SETC, loop6, rest6, next6)
	CTOB(FMA4)
	BTOA(SUM4)
	LANES(1, SETB, loop1, rest1, next1)
	LANES(3, SETC, loop3, rest3, next3)
	CTOB(FMA4)
	LANES(5, SETC, loop5, rest5, next5)
	LANES(7, LOWD, loop7, rest7, next7)
	SUM4(Y24, Y25, Y26, Y27, Y16, Y17, Y18, Y19)
	LANES(7, HIGHD, loop8, rest8, next8)
	SUM4(Y24, Y25, Y26, Y27, Y20, Y21, Y22, Y23)
	CTOB(FMA4)
	BTOA(SUM4)
	HALVES(0, Y0, Y1, Y2, Y3, X2, X3)
	HALVES(32, Y4, Y5, Y6, Y7, X6, X7)
	ADDQ $64, DI
	MOVQ a_base+24(FP), SI
	LEAQ (SI)(R9*8), SI
	MOVQ SI, a_base+24(FP)
	SUBQ $8, BX
	JGE eight
	VZEROUPPER
	ADDQ $8, BX
	JEQ done
	MOVQ DI, dst_base+0(FP)
	MOVQ BX, rows+48(FP)

others:
	JMP ·gemvF32WideAVX512(SB)

done:
	RET

// The transpose: the first vectors of columns stay in registers over all rows. Where they stand in
// dst, and their registers.
#define FIRST0(do)
#define FIRST1(do) do(0, Y0)
#define FIRST2(do) FIRST1(do); do(32, Y1)
#define FIRST3(do) FIRST2(do); do(64, Y2)
#define FIRST4(do) FIRST3(do); do(96, Y3)
#define FIRST5(do) FIRST4(do); do(128, Y4)
#define FIRST6(do) FIRST5(do); do(160, Y5)
#define FIRST7(do) FIRST6(do); do(192, Y6)
#define FIRST8(do) FIRST7(do); do(224, Y7)
#define FIRST9(do) FIRST8(do); do(256, Y8)
#define FIRST10(do) FIRST9(do); do(288, Y9)
#define FIRST11(do) FIRST10(do); do(320, Y10)
#define FIRST12(do) FIRST11(do); do(352, Y11)
#define FIRST13(do) FIRST12(do); do(384, Y12)
#define FIRST14(do) FIRST13(do); do(416, Y13)
#define FIRST15(do) FIRST14(do); do(448, Y14)
#define FIRST16(do) FIRST15(do); do(480, Y15)
#define FIRST17(do) FIRST16(do); do(512, Y16)
#define FIRST18(do) FIRST17(do); do(544, Y17)
#define FIRST19(do) FIRST18(do); do(576, Y18)
#define FIRST20(do) FIRST19(do); do(608, Y19)
#define FIRST21(do) FIRST20(do); do(640, Y20)
#define FIRST22(do) FIRST21(do); do(672, Y21)
#define FIRST23(do) FIRST22(do); do(704, Y22)
#define FIRST24(do) FIRST23(do); do(736, Y23)
#define FIRST25(do) FIRST24(do); do(768, Y24)
#define FIRST26(do) FIRST25(do); do(800, Y25)
#define FIRST27(do) FIRST26(do); do(832, Y26)
#undef BEGIN
#undef ADD
#define BEGIN(off, y) VMOVUPD off(DI), y
#define ADD(off, y) VCVTPS2PD (off/2)(SI), Y29; VFMADD231PD Y29, Y28, y
#define STORE(off, y) VMOVUPD y, off(DI)
#define ROW(row) row: VBROADCASTSD (R8), Y28
#define END(row) \
	VCVTPS2PD.Z (SI)(R10*1), K1, Y29; \
	VFMADD231PD Y29, Y28, Y27;        \
	ADDQ $8, R8;                      \
	ADDQ R9, SI;                      \
	DECQ BX;                          \
	JNE row
#define WIDTH(width, row, first) \
width: \
	first(BEGIN); \
	ROW(row);     \
	first(ADD);   \
	END(row);     \
	first(STORE); \
	JMP stored

// func gemvTF32WideSplitAVX512(dst []float64, a []float32, rows, cols, stride int, c []float64)
// Requires: AVX512F, AVX512VL
//
// For at least one column and one row. The rows are read in order: what the processor fetches by
// itself comes fastest. Vectors that have no register go from dst and back to it; beyond gemvTSplit
// columns strips are faster, those of gemvTF32WideAVX2 or, from L3 on, gemvTF32WideAVX512. DI: dst;
// SI, R8, BX: row, c and rows left; R9: stride in bytes; DX: vectors of a row; R10: where the last
// one is, which stays in Y27 under K1; Y28: c[i]; Y29: what is converted.
TEXT ·gemvTF32WideSplitAVX512(SB), NOSPLIT, $0-96
	MOVQ dst_base+0(FP), DI
	MOVQ a_base+24(FP), SI
	MOVQ rows+48(FP), BX
	MOVQ cols+56(FP), CX
	MOVQ stride+64(FP), R9
	MOVQ c_base+72(FP), R8
	CMPQ CX, $const_gemvTSplit
	JGT strips
	SHLQ $2, R9
	LEAQ 3(CX), DX
	SHRQ $2, DX
	MOVQ DX, R10
	SHLQ $4, R10
	SUBQ $16, R10
	NEGL CX
	ANDL $3, CX
	MOVL $15, AX
	SHRL CX, AX
	KMOVW AX, K1
	VMOVUPD.Z (DI)(R10*2), K1, Y27
	CMPQ DX, $28
	JGT wide
#include "gemv_widths_avx512_amd64.h"
	JMP width28

	WIDTH(width1, row1, FIRST0)
	WIDTH(width2, row2, FIRST1)
	WIDTH(width3, row3, FIRST2)
	WIDTH(width4, row4, FIRST3)
	WIDTH(width5, row5, FIRST4)
	WIDTH(width6, row6, FIRST5)
	WIDTH(width7, row7, FIRST6)
	WIDTH(width8, row8, FIRST7)
	WIDTH(width9, row9, FIRST8)
	WIDTH(width10, row10, FIRST9)
	WIDTH(width11, row11, FIRST10)
	WIDTH(width12, row12, FIRST11)
	WIDTH(width13, row13, FIRST12)
	WIDTH(width14, row14, FIRST13)
	WIDTH(width15, row15, FIRST14)
	WIDTH(width16, row16, FIRST15)
	WIDTH(width17, row17, FIRST16)
	WIDTH(width18, row18, FIRST17)
	WIDTH(width19, row19, FIRST18)
	WIDTH(width20, row20, FIRST19)
	WIDTH(width21, row21, FIRST20)
	WIDTH(width22, row22, FIRST21)
	WIDTH(width23, row23, FIRST22)
	WIDTH(width24, row24, FIRST23)
	WIDTH(width25, row25, FIRST24)
	WIDTH(width26, row26, FIRST25)
	WIDTH(width27, row27, FIRST26)
	WIDTH(width28, row28, FIRST27)

wide: // R11: place of a vector without a register
	FIRST27(BEGIN)
	ROW(rowWide)
	FIRST27(ADD)
	MOVL $(27*16), R11

vector:
	VCVTPS2PD (SI)(R11*1), Y29
	VFMADD213PD (DI)(R11*2), Y28, Y29
	VMOVUPD Y29, (DI)(R11*2)
	ADDQ $16, R11
	CMPQ R11, R10
	JNE vector
	END(rowWide)
	FIRST27(STORE)

stored:
	VMOVUPD Y27, K1, (DI)(R10*2)
	VZEROUPPER
	RET

strips:
	CMPQ a_len+32(FP), $(const_gemvL2/4)
	JGT 2(PC)
	JMP ·gemvTF32WideAVX2(SB)
	JMP ·gemvTF32WideAVX512(SB)
