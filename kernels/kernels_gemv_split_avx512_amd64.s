//go:build !purego

#include "go_asm.h"
#include "textflag.h"

// Gemv of mixed types for AVX-512 (F, VL) on processors that split what has 512 bits, see
// cpu.UseFP512. The order of operations is that of the doc comments in gemv.go; what
// kernels_linear_avx512_amd64.s says of masks holds here too.
//
// A Zen 4 loads two vectors of four elements per cycle and converts them on the way, and multiplies
// and adds as many besides; from a register a conversion takes half as long again, with 512 bits
// two thirds. What else is loaded takes the place of a conversion. So six rows share the loads of
// x, and as they have not enough registers for all lanes, they take every other vector, and then
// those between.
//
// Six rows of 136 columns need 240 loads, 120 cycles, and 470 operations of four pipes, 118; they
// take 133 on Zen 4, where the conversions alone take 102. Sums stand between the products that
// come next: behind one another they would wait for each other, 20 cycles more.

DATA one<>+0(SB)/8, $0x3ff0000000000000
GLOBL one<>(SB), RODATA|NOPTR, $8

// A vector at a place in a row, times that of x, to its lanes or added to them; and a last vector,
// which is not whole.
#define BEGIN(place, lanes) VCVTPS2PD place, Y30; VMULPD Y30, Y31, lanes
#define ADD(place, lanes) VCVTPS2PD place, Y30; VFMADD231PD Y30, Y31, lanes
#define LAST(place, lanes) VCVTPS2PD.Z place, K1, Y30; VFMADD231PD Y30, Y31, K1, lanes

// The vector at off in six rows: do is BEGIN, ADD or LAST.
#define ROWS6(do, off, a, b, c, d, e, f) \
	do(off(SI), a);        \
	do(off(SI)(R9*1), b);  \
	do(off(SI)(R9*2), c);  \
	do(off(SI)(R10*1), d); \
	do(off(SI)(R9*4), e);  \
	do(off(SI)(R11*1), f)

// Four sets of lanes.
#define SET0(do, off) ROWS6(do, off, Y0, Y1, Y2, Y3, Y4, Y5)
#define SET1(do, off) ROWS6(do, off, Y6, Y7, Y8, Y9, Y10, Y11)
#define SET2(do, off) ROWS6(do, off, Y12, Y13, Y14, Y15, Y16, Y17)
#define SET3(do, off) ROWS6(do, off, Y18, Y19, Y20, Y21, Y22, Y23)

// Vector 2i+odd of 32 columns, and a last one, that of x being the one that ends with its last
// element, moved down.
#define BEGIN4(odd, set, i) VMOVUPD (64*i+32*odd)(CX)(SI*2), Y31; set(BEGIN, (32*i+16*odd))
#define ADD4(odd, set, i) VMOVUPD (64*i+32*odd)(CX)(SI*2), Y31; set(ADD, (32*i+16*odd))
#define LAST4(odd, set, i) VMOVUPD (R12), Y31; VCOMPRESSPD.Z Y31, K2, Y31; set(LAST, (32*i+16*odd))

// Vectors odd, odd+2, … of the rows but for the first 32 columns.
#define LANES(odd, loop, rest, last0, last1, last2, last3, next) \
	CMPQ SI, AX; JEQ rest; \
loop: \
	AHEAD;              \
	ADD4(odd, SET0, 0); \
	ADD4(odd, SET1, 1); \
	ADD4(odd, SET2, 2); \
	ADD4(odd, SET3, 3); \
	ADDQ $128, SI;      \
	CMPQ SI, AX;        \
	JNE loop;           \
rest: \
	AHEAD; \
	CMPQ R13, $(2*odd+1); JLT next; JEQ last0; \
	ADD4(odd, SET0, 0); \
	CMPQ R13, $(2*odd+5); JLT next; JEQ last1; \
	ADD4(odd, SET1, 1); \
	CMPQ R13, $(2*odd+9); JLT next; JEQ last2; \
	ADD4(odd, SET2, 2); \
	CMPQ R13, $(2*odd+13); JLT next; JEQ last3; \
	ADD4(odd, SET3, 3); \
next:
#define LASTS(odd, last0, last1, last2, last3, next) \
last0: LAST4(odd, SET0, 0); JMP next; \
last1: LAST4(odd, SET1, 1); JMP next; \
last2: LAST4(odd, SET2, 2); JMP next; \
last3: LAST4(odd, SET3, 3); JMP next

// Sums of six rows. A product with 1 changes nothing: the pipes that multiply take as many of the
// sums as they have room for beside the products, for those that add convert.
#define SUM6(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r) \
	VADDPD g, a, m; \
	VADDPD h, b, n; \
	VADDPD i, c, o; \
	VADDPD j, d, p; \
	VADDPD k, e, q; \
	VADDPD l, f, r
#define FMA6(a, b, c, d, e, f, g, h, i, j, k, l) \
	VFMADD231PD a, Y31, g; \
	VFMADD231PD b, Y31, h; \
	VFMADD231PD c, Y31, i; \
	VFMADD231PD d, Y31, j; \
	VFMADD231PD e, Y31, k; \
	VFMADD231PD f, Y31, l

// MASKS sets K1 to the mask of the last vector of R13 columns and K2 to where it stands in the last
// four columns, and CX to the number of elements that it lacks.
#define MASKS \
	MOVL R13, CX;   \
	NEGL CX;        \
	ANDL $3, CX;    \
	MOVL $15, AX;   \
	SHLL CX, AX;    \
	KMOVW AX, K2;   \
	MOVL $15, AX;   \
	SHRL CX, AX;    \
	KMOVW AX, K1

// The four lanes left of each of the rows, halved together: those of four rows to Y26, of two to
// X30, and from there to dst.
#define HALVES4 \
	VSHUFF64X2 $3, Y26, Y24, Y30;   \
	VSHUFF64X2 $0, Y26, Y24, Y24;   \
	VADDPD Y30, Y24, Y24;           \
	VSHUFF64X2 $3, Y27, Y25, Y30;   \
	VSHUFF64X2 $0, Y27, Y25, Y25;   \
	VADDPD Y30, Y25, Y25;           \
	VUNPCKLPD Y25, Y24, Y26;        \
	VUNPCKHPD Y25, Y24, Y27;        \
	VADDPD Y27, Y26, Y26
#define HALVES \
	HALVES4;                        \
	VEXTRACTF64X2 $1, Y28, X30;     \
	VEXTRACTF64X2 $1, Y29, X31;     \
	VADDPD X30, X28, X28;           \
	VADDPD X31, X29, X29;           \
	VUNPCKLPD X29, X28, X30;        \
	VUNPCKHPD X29, X28, X31;        \
	VADDPD X31, X30, X30;           \
	VMOVUPD Y26, (DI);              \
	VMOVUPD X30, 32(DI);            \
	ADDQ sixSums-16(SP), DI

// PLACE goes to the start of the rows. AHEAD fetches as much of the next six as a step takes.
#define PLACE \
	MOVQ x_base+72(FP), CX;  \
	SUBQ DX, CX;             \
	SUBQ DX, CX;             \
	MOVQ DX, SI;             \
	MOVQ sixRows-8(SP), R8; \
	ADDQ DX, R8
#define AHEAD \
	PREFETCHT0 (R8);     \
	PREFETCHT0 64(R8);   \
	PREFETCHT0 128(R8);  \
	PREFETCHT0 192(R8);  \
	PREFETCHT0 256(R8);  \
	PREFETCHT0 320(R8);  \
	ADDQ $384, R8

// func gemvF32WideSplitAVX512(dst []float64, a []float32, rows, cols, stride int, x []float64)
// Requires: AVX512F, AVX512DQ, AVX512VL
//
// For at least six rows and 32 columns, see gemvF32WideSplit. DI: dst; DX: where six rows begin;
// SI: place in the first one; CX: what makes of twice that the place in x; R9, R10, R11: from there
// to the second, fourth and sixth row; AX: where 32 columns no longer follow; R13: twice the whole
// vectors after that, and 1 if another one follows; BX: rows left; R8: what to prefetch; Y0-Y23:
// lanes; Y24-Y29: sums of lanes; Y30: what is converted; Y31: x; R12: its last vector; K1: mask of
// the last vector; K2: where it stands.
TEXT ·gemvF32WideSplitAVX512(SB), NOSPLIT, $16-96
	MOVQ rows+48(FP), BX
	SUBQ $6, BX
	MOVQ stride+64(FP), R9
	SHLQ $2, R9
	MOVQ dst_base+0(FP), DI
	MOVQ a_base+24(FP), DX
	LEAQ (R9)(R9*2), R10
	LEAQ (R9)(R9*4), R11
	LEAQ (R10*2), AX
	MOVQ AX, sixRows-8(SP)
	MOVQ $48, sixSums-16(SP)
	MOVQ cols+56(FP), R13
	MOVQ x_base+72(FP), R12
	LEAQ -32(R12)(R13*8), R12
	MASKS
	MOVQ R13, AX
	ANDQ $-32, AX
	LEAQ (DX)(AX*4), AX
	ANDL $31, R13
	SHRL $2, R13
	NEGL CX // sets the carry if it lacks some
	ADCL R13, R13
	PLACE
	BEGIN4(0, SET0, 0)
	BEGIN4(0, SET1, 1)
	BEGIN4(0, SET2, 2)
	BEGIN4(0, SET3, 3)
	ADDQ $128, SI

six:
	LANES(0, loop0, rest0, last00, last01, last02, last03, next0)
	MOVQ DX, SI
	SUM6(Y0, Y1, Y2, Y3, Y4, Y5, Y6, Y7, Y8, Y9, Y10, Y11, Y24, Y25, Y26, Y27, Y28, Y29)
	AHEAD
	BEGIN4(1, SET0, 0)
	BEGIN4(1, SET1, 1)
	VBROADCASTSD one<>(SB), Y31
	FMA6(Y12, Y13, Y14, Y15, Y16, Y17, Y18, Y19, Y20, Y21, Y22, Y23)
	BEGIN4(1, SET2, 2)
	SUM6(Y18, Y19, Y20, Y21, Y22, Y23, Y24, Y25, Y26, Y27, Y28, Y29, Y24, Y25, Y26, Y27, Y28, Y29)
	BEGIN4(1, SET3, 3)
	ADDQ $128, SI
	LANES(1, loop1, rest1, last10, last11, last12, last13, next1)
	SUBQ $6, BX
	JLT few

more:
	ADDQ sixRows-8(SP), DX
	ADDQ sixRows-8(SP), AX
	PLACE
	SUM6(Y0, Y1, Y2, Y3, Y4, Y5, Y6, Y7, Y8, Y9, Y10, Y11, Y0, Y1, Y2, Y3, Y4, Y5)
	AHEAD
	BEGIN4(0, SET1, 1)
	VBROADCASTSD one<>(SB), Y31
	FMA6(Y12, Y13, Y14, Y15, Y16, Y17, Y18, Y19, Y20, Y21, Y22, Y23)
	BEGIN4(0, SET2, 2)
	SUM6(Y0, Y1, Y2, Y3, Y4, Y5, Y18, Y19, Y20, Y21, Y22, Y23, Y0, Y1, Y2, Y3, Y4, Y5)
	BEGIN4(0, SET3, 3)
	SUM6(Y0, Y1, Y2, Y3, Y4, Y5, Y24, Y25, Y26, Y27, Y28, Y29, Y24, Y25, Y26, Y27, Y28, Y29)
	BEGIN4(0, SET0, 0)
	ADDQ $128, SI
	HALVES
	JMP six

few: // the last six rows, some of them again
	ADDQ $6, BX
	JEQ end
	LEAQ (BX*8), SI
	MOVQ SI, sixSums-16(SP)
	MOVQ stride+64(FP), SI
	IMULQ BX, SI
	SHLQ $2, SI
	MOVQ SI, sixRows-8(SP)
	XORL BX, BX
	JMP more

end:
	SUM6(Y0, Y1, Y2, Y3, Y4, Y5, Y6, Y7, Y8, Y9, Y10, Y11, Y0, Y1, Y2, Y3, Y4, Y5)
	SUM6(Y12, Y13, Y14, Y15, Y16, Y17, Y18, Y19, Y20, Y21, Y22, Y23, Y18, Y19, Y20, Y21, Y22, Y23)
	SUM6(Y0, Y1, Y2, Y3, Y4, Y5, Y18, Y19, Y20, Y21, Y22, Y23, Y0, Y1, Y2, Y3, Y4, Y5)
	SUM6(Y0, Y1, Y2, Y3, Y4, Y5, Y24, Y25, Y26, Y27, Y28, Y29, Y24, Y25, Y26, Y27, Y28, Y29)
	HALVES
	VZEROUPPER
	RET
	LASTS(0, last00, last01, last02, last03, next0)
	LASTS(1, last10, last11, last12, last13, next1)

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
// For at least one column and one row, see gemvTF32WideSplit. The rows are read in order: what the
// processor fetches by itself comes fastest. Vectors that have no register go from dst and back to
// it. DI: dst; SI, R8, BX: row, c and rows left; R9: stride in bytes; DX: vectors of a row; R10:
// where the last one is, which stays in Y27 under K1; Y28: c[i]; Y29: what is converted.
TEXT ·gemvTF32WideSplitAVX512(SB), NOSPLIT, $0-96
	PCALIGN $64 // of the whole function: 32 bytes further, 136 columns take 1.2 times as long in L3
	MOVQ dst_base+0(FP), DI
	MOVQ a_base+24(FP), SI
	MOVQ rows+48(FP), BX
	MOVQ cols+56(FP), CX
	MOVQ stride+64(FP), R9
	MOVQ c_base+72(FP), R8
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
