//go:build !purego

#include "go_asm.h"
#include "textflag.h"

// Gemv of float32 rows by float64 vectors, and its transpose, for AVX-512 processors that split
// 512-bit operations (see cpu.UseFP512). gemv.go documents the order of operations. The file
// kernels_linear_avx512_amd64.s explains why masked lanes do not affect results.
//
// In each cycle, a Zen 4 executes two multiply-adds and two loads of four elements, which the load
// converts to float64. A conversion from a register costs 1.5 times as much, and a 512-bit
// conversion costs 1.67 times as much. Any other load delays a conversion, so six rows share the
// loads of x. The registers cannot hold all lanes of six rows. Therefore, a row's vectors with even
// numbers are processed first, and then the vectors with odd numbers.
//
// Six rows of 136 columns need at least 120 cycles for 240 loads, and 118 cycles for 470 operations
// of the four pipes. They take 133 cycles on Zen 4. The conversions without the other operations
// take 102 cycles. Sums of lanes are interleaved with the products of the next vectors, because a
// separate chain of sums would take 20 more cycles.

DATA one<>+0(SB)/8, $0x3ff0000000000000
GLOBL one<>(SB), RODATA|NOPTR, $8

// func gemvF32WideSplitAVX512(dst []float64, a []float32, rows, cols, stride int, x []float64)
// Requires: AVX512F, AVX512DQ, AVX512VL
//
// gemvF32WideSplit calls this function for at least six rows and 32 columns. If the number of rows
// is not a multiple of six, the last six rows are computed again. Sets 0 to 3 contain lanes. A
// row's even vectors are added to the sets in turn: vector 0 to set 0, vector 2 to set 1, and so
// on. The odd vectors are then added in the same way.
//
// Registers: K1: mask of the elements of a row's last vector; K2: mask of the same elements among
// the last four elements of x; Y0-Y23: lanes of six rows, for sets 0 to 3; Y24-Y29: sums of the
// even vectors, then of all vectors.
TEXT ·gemvF32WideSplitAVX512(SB), NOSPLIT, $16-96
#define sums    DI  // elements of dst for the six rows
#define left    BX  // number of rows after the six rows
#define six     DX  // start of the six rows
#define place   SI  // address in the first of the six rows
#define xPlace  CX  // x - 2·six, to which 2·place is added
#define step    R9  // bytes from a row to the next; step3 and step5 are 3 and 5 times as many
#define step3   R10
#define step5   R11
#define blocks  AX  // end of the blocks of 32 columns in the first row
#define tail    R13 // after the blocks: 2·(number of whole vectors), + 1 if a partial vector follows
#define ahead   R8  // address to prefetch in the next six rows
#define lastX   R12 // address of the last four elements of x
#define wide    Y30 // four elements of a row in float64
#define xs      Y31 // the four elements of x for wide, or ones

// MULTIPLY: lanes = row·x. ADD: lanes += row·x. ADDLAST: the same as ADD for the last vector of a
// row, under its mask.
#define MULTIPLY(row, lanes) VCVTPS2PD row, wide; VMULPD wide, xs, lanes
#define ADD(row, lanes) VCVTPS2PD row, wide; VFMADD231PD wide, xs, lanes
#define ADDLAST(row, lanes) VCVTPS2PD.Z row, K1, wide; VFMADD231PD wide, xs, K1, lanes

// Applies the macro do to the vectors at offset off of the six rows.
#define ROWS(do, off, a, b, c, d, e, f) do(off(place), a); do(off(place)(step*1), b); \
	do(off(place)(step*2), c); do(off(place)(step3*1), d); do(off(place)(step*4), e); \
	do(off(place)(step5*1), f)
#define SET0(do, off) ROWS(do, off, Y0, Y1, Y2, Y3, Y4, Y5)
#define SET1(do, off) ROWS(do, off, Y6, Y7, Y8, Y9, Y10, Y11)
#define SET2(do, off) ROWS(do, off, Y12, Y13, Y14, Y15, Y16, Y17)
#define SET3(do, off) ROWS(do, off, Y18, Y19, Y20, Y21, Y22, Y23)

// VECTOR applies the macro do to vector 2·i+odd of 32 columns, with the lanes of the given set.
// LASTVECTOR also moves the last elements of x to the front.
#define VECTOR(do, odd, set, i) VMOVUPD (64*i+32*odd)(xPlace)(place*2), xs; set(do, (32*i+16*odd))
#define LASTVECTOR(odd, set, i) VMOVUPD (lastX), xs; VCOMPRESSPD.Z xs, K2, xs; set(ADDLAST, (32*i+16*odd))
// Applies the macro do to the even or odd vectors of the next 32 columns.
#define BLOCK(do, odd) VECTOR(do, odd, SET0, 0); VECTOR(do, odd, SET1, 1); \
	VECTOR(do, odd, SET2, 2); VECTOR(do, odd, SET3, 3); ADDQ $128, place

// SUM sets m = a + g, …, r = f + l for six rows. SUM1 computes g += a, …, l += f by a multiply-add
// with ones, which gives the same results. The pipes that multiply have room for some of the sums,
// while the pipes that add are busy with conversions.
#define SUM(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r) VADDPD g, a, m; VADDPD h, b, n; \
	VADDPD i, c, o; VADDPD j, d, p; VADDPD k, e, q; VADDPD l, f, r
#define SUM1(a, b, c, d, e, f, g, h, i, j, k, l) VFMADD231PD a, xs, g; VFMADD231PD b, xs, h; \
	VFMADD231PD c, xs, i; VFMADD231PD d, xs, j; VFMADD231PD e, xs, k; VFMADD231PD f, xs, l

// Sums the four lanes of each row in Y24-Y29, and stores the six sums.
#define HALVES VSHUFF64X2 $3, Y26, Y24, Y30; VSHUFF64X2 $0, Y26, Y24, Y24; VADDPD Y30, Y24, Y24; \
	VSHUFF64X2 $3, Y27, Y25, Y30; VSHUFF64X2 $0, Y27, Y25, Y25; VADDPD Y30, Y25, Y25; \
	VUNPCKLPD Y25, Y24, Y26; VUNPCKHPD Y25, Y24, Y27; VADDPD Y27, Y26, Y26; \
	VEXTRACTF64X2 $1, Y28, X30; VEXTRACTF64X2 $1, Y29, X31; VADDPD X30, X28, X28; \
	VADDPD X31, X29, X29; VUNPCKLPD X29, X28, X30; VUNPCKHPD X29, X28, X31; VADDPD X31, X30, X30; \
	VMOVUPD Y26, (sums); VMOVUPD X30, 32(sums); ADDQ sixSums-16(SP), sums

// Sets place, xPlace and ahead for the current six rows.
#define PLACE \
	MOVQ x_base+72(FP), xPlace; SUBQ six, xPlace; SUBQ six, xPlace; MOVQ six, place; \
	MOVQ sixRows-8(SP), ahead; ADDQ six, ahead

// Prefetches the part of the next six rows that corresponds to one iteration. Without prefetching,
// rows of 136 columns take 1.15 times as long in L2, and 1.4 times as long in L3.
#define AHEAD PREFETCHT0 (ahead); PREFETCHT0 64(ahead); PREFETCHT0 128(ahead); \
	PREFETCHT0 192(ahead); PREFETCHT0 256(ahead); PREFETCHT0 320(ahead); ADDQ $384, ahead

	MOVQ rows+48(FP), left
	SUBQ $6, left
	MOVQ stride+64(FP), step // step, step3, step5 = 4·stride·(1, 3, 5)
	SHLQ $2, step
	MOVQ dst_base+0(FP), sums
	MOVQ a_base+24(FP), six
	LEAQ (step)(step*2), step3
	LEAQ (step)(step*4), step5
	LEAQ (step3*2), AX // bytes from six rows to the next six rows, in a and in dst
	MOVQ AX, sixRows-8(SP)
	MOVQ $48, sixSums-16(SP)
	MOVQ cols+56(FP), R13 // lastX = &x[cols-4]
	MOVQ x_base+72(FP), lastX
	LEAQ -32(lastX)(R13*8), lastX
	MOVL R13, CX // CX = number of elements that the last vector lacks
	NEGL CX
	ANDL $3, CX
	MOVL $15, AX // K2, K1 = 15<<CX, 15>>CX
	SHLL CX, AX
	KMOVW AX, K2
	MOVL $15, AX
	SHRL CX, AX
	KMOVW AX, K1
	MOVQ R13, AX // blocks = six + 4·(cols &^ 31)
	ANDQ $-32, AX
	LEAQ (six)(AX*4), blocks
	ANDL $31, tail // tail = 2·(cols%32 / 4) + 1 if the last vector lacks elements
	SHRL $2, tail
	NEGL CX // sets the carry if CX ≠ 0
	ADCL tail, tail
	PLACE
	BLOCK(MULTIPLY, 0) // lanes = products of the even vectors of 32 columns

even: // if place == blocks: goto evenTail
	CMPQ place, blocks
	JEQ evenTail

evenBlock: // lanes += products of the even vectors of the next 32 columns
	AHEAD
	BLOCK(ADD, 0)
	CMPQ place, blocks
	JNE evenBlock

evenTail: // lanes += products of vectors 0, 2, 4 and 6 of the tail that exist
	AHEAD
	CMPQ tail, $1
	JLT odd
	JEQ last0
	VECTOR(ADD, 0, SET0, 0)
	CMPQ tail, $5 // vector 2, if the tail has it
	JLT odd
	JEQ last2
	VECTOR(ADD, 0, SET1, 1)
	CMPQ tail, $9 // vector 4, if the tail has it
	JLT odd
	JEQ last4
	VECTOR(ADD, 0, SET2, 2)
	CMPQ tail, $13 // vector 6, if the tail has it
	JLT odd
	JEQ last6
	VECTOR(ADD, 0, SET3, 3)

odd: // Y24-Y29 = sets (0+1) + (2+3); lanes = products of the odd vectors of the first 32 columns
	MOVQ six, place
	SUM(Y0, Y1, Y2, Y3, Y4, Y5, Y6, Y7, Y8, Y9, Y10, Y11, Y24, Y25, Y26, Y27, Y28, Y29)
	AHEAD
	VECTOR(MULTIPLY, 1, SET0, 0)
	VECTOR(MULTIPLY, 1, SET1, 1)
	VBROADCASTSD one<>(SB), xs // set 3 += set 2, before the sets are overwritten
	SUM1(Y12, Y13, Y14, Y15, Y16, Y17, Y18, Y19, Y20, Y21, Y22, Y23)
	VECTOR(MULTIPLY, 1, SET2, 2)
	SUM(Y18, Y19, Y20, Y21, Y22, Y23, Y24, Y25, Y26, Y27, Y28, Y29, Y24, Y25, Y26, Y27, Y28, Y29)
	VECTOR(MULTIPLY, 1, SET3, 3)
	ADDQ $128, place
	CMPQ place, blocks // if no blocks follow: goto oddTail
	JEQ oddTail

oddBlock: // lanes += products of the odd vectors of the next 32 columns
	AHEAD
	BLOCK(ADD, 1)
	CMPQ place, blocks
	JNE oddBlock

oddTail: // lanes += products of vectors 1, 3, 5 and 7 of the tail that exist
	AHEAD
	CMPQ tail, $3
	JLT nextSix
	JEQ last1
	VECTOR(ADD, 1, SET0, 0)
	CMPQ tail, $7 // vector 3, if the tail has it
	JLT nextSix
	JEQ last3
	VECTOR(ADD, 1, SET1, 1)
	CMPQ tail, $11 // vector 5, if the tail has it
	JLT nextSix
	JEQ last5
	VECTOR(ADD, 1, SET2, 2)
	CMPQ tail, $15 // vector 7, if the tail has it; no vector follows
	JEQ last7

nextSix: // if left < 6: goto lastRows
	SUBQ $6, left
	JLT lastRows

begin: // Y24-Y29 += sets (0+1) + (2+3), interleaved with even products of the next six rows
	ADDQ sixRows-8(SP), six
	ADDQ sixRows-8(SP), blocks
	PLACE
	SUM(Y0, Y1, Y2, Y3, Y4, Y5, Y6, Y7, Y8, Y9, Y10, Y11, Y0, Y1, Y2, Y3, Y4, Y5)
	AHEAD
	VECTOR(MULTIPLY, 0, SET1, 1)
	VBROADCASTSD one<>(SB), xs // set 3 += set 2
	SUM1(Y12, Y13, Y14, Y15, Y16, Y17, Y18, Y19, Y20, Y21, Y22, Y23)
	VECTOR(MULTIPLY, 0, SET2, 2)
	SUM(Y0, Y1, Y2, Y3, Y4, Y5, Y18, Y19, Y20, Y21, Y22, Y23, Y0, Y1, Y2, Y3, Y4, Y5)
	VECTOR(MULTIPLY, 0, SET3, 3)
	SUM(Y0, Y1, Y2, Y3, Y4, Y5, Y24, Y25, Y26, Y27, Y28, Y29, Y24, Y25, Y26, Y27, Y28, Y29)
	VECTOR(MULTIPLY, 0, SET0, 0)
	ADDQ $128, place
	HALVES // store the sums of the previous six rows
	JMP even

lastRows: // if 1 to 5 rows remain: six = the last six rows; left = 0
	ADDQ $6, left
	JEQ end
	LEAQ (left*8), SI // advance by this number of rows in dst and in a
	MOVQ SI, sixSums-16(SP)
	MOVQ stride+64(FP), SI
	IMULQ left, SI
	SHLQ $2, SI
	MOVQ SI, sixRows-8(SP)
	XORL left, left
	JMP begin

end: // Y24-Y29 += sets (0+1) + (2+3); store the sums
	SUM(Y0, Y1, Y2, Y3, Y4, Y5, Y6, Y7, Y8, Y9, Y10, Y11, Y0, Y1, Y2, Y3, Y4, Y5)
	SUM(Y12, Y13, Y14, Y15, Y16, Y17, Y18, Y19, Y20, Y21, Y22, Y23, Y18, Y19, Y20, Y21, Y22, Y23)
	SUM(Y0, Y1, Y2, Y3, Y4, Y5, Y18, Y19, Y20, Y21, Y22, Y23, Y0, Y1, Y2, Y3, Y4, Y5)
	SUM(Y0, Y1, Y2, Y3, Y4, Y5, Y24, Y25, Y26, Y27, Y28, Y29, Y24, Y25, Y26, Y27, Y28, Y29)
	HALVES
	VZEROUPPER
	RET

last0: // last0 … last7: lanes += products of the last vector, which is vector 0 … 7 of the tail
	LASTVECTOR(0, SET0, 0)
	JMP odd

last2:
	LASTVECTOR(0, SET1, 1)
	JMP odd

last4:
	LASTVECTOR(0, SET2, 2)
	JMP odd

last6: // vector 6
	LASTVECTOR(0, SET3, 3)
	JMP odd

last1:
	LASTVECTOR(1, SET0, 0)
	JMP nextSix

last3:
	LASTVECTOR(1, SET1, 1)
	JMP nextSix

last5: // vector 5
	LASTVECTOR(1, SET2, 2)
	JMP nextSix

last7:
	LASTVECTOR(1, SET3, 3)
	JMP nextSix

#undef sums
#undef left
#undef six
#undef place
#undef xPlace
#undef step
#undef step3
#undef step5
#undef blocks
#undef tail
#undef ahead
#undef lastX
#undef wide
#undef xs
#undef MULTIPLY
#undef ADD
#undef ADDLAST
#undef ROWS
#undef SET0
#undef SET1
#undef SET2
#undef SET3
#undef VECTOR
#undef LASTVECTOR
#undef BLOCK
#undef SUM
#undef SUM1
#undef HALVES
#undef PLACE
#undef AHEAD

// func addGemvTF32WideSplitAVX512(dst []float64, a []float32, rows, cols, stride int, c []float64)
// Requires: AVX512F, AVX512VL
//
// addGemvTF32WideSplit calls this function for at least one row and column. The function reads the
// rows in order, which is fastest for the prefetcher. Up to 28 vectors of dst stay in registers
// while all rows are processed. If there are more vectors, vectors 27 and following are loaded from
// dst and stored for each row, except for the last one.
//
// Registers: Y0-Y26: vectors 0 to 26 of dst; K1: mask of the elements of the last vector.
TEXT ·addGemvTF32WideSplitAVX512(SB), NOSPLIT, $0-96
#define dst     DI
#define row     SI
#define step    R9  // bytes from a row to the next
#define rowC    R8  // address of the row's element of c
#define left    BX  // remaining rows
#define vectors DX  // number of vectors of a row
#define last    R10 // bytes before the last vector of a row
#define vector  R11 // bytes before the current vector, if it has no register
#define lastDst Y27 // last vector of dst
#define ci      Y28 // c[i]
#define wide    Y29 // four elements of a row in float64
#include "gemvt_columns_avx512_amd64.h"
#define BEGIN(i, y, z) VMOVUPD (32*i)(dst), y
#define ADD(i, y, z) VCVTPS2PD (16*i)(row), wide; VFMADD231PD wide, ci, y
#define STORE(i, y, z) VMOVUPD y, (32*i)(dst)
// Adds the last vector of a row. Continues at next if rows remain, and after the macro otherwise.
#define ADDLAST(next) VCVTPS2PD.Z (row)(last*1), K1, wide; VFMADD231PD wide, ci, lastDst; \
	ADDQ $8, rowC; ADDQ step, row; DECQ left; JNE next
// Processes all rows of one width: dst[j] += c[i]·row[j], with dst in registers.
#define WIDTH(width, next, first) \
width: \
	first(BEGIN, BEGIN); \
next: \
	VBROADCASTSD (rowC), ci; \
	first(ADD, ADD); \
	ADDLAST(next); \
	first(STORE, STORE); \
	JMP stored

	PCALIGN $64 // 32 bytes later, loops of 136 columns would take 1.2 times as long in L3
	MOVQ dst_base+0(FP), dst
	MOVQ a_base+24(FP), row
	MOVQ rows+48(FP), left
	MOVQ cols+56(FP), CX
	MOVQ stride+64(FP), step // step = 4·stride
	MOVQ c_base+72(FP), rowC
	SHLQ $2, step
	LEAQ 3(CX), vectors // vectors = ⌈cols/4⌉; last = 16·(vectors-1)
	SHRQ $2, vectors
	MOVQ vectors, last
	SHLQ $4, last
	SUBQ $16, last
	NEGL CX // K1 = 15 >> (-cols mod 4)
	ANDL $3, CX
	MOVL $15, AX
	SHRL CX, AX
	KMOVW AX, K1
	VMOVUPD.Z (dst)(last*2), K1, lastDst
	CMPQ vectors, $28 // if vectors > 28: goto wider
	JGT wider
#include "gemv_widths_avx512_amd64.h"
	JMP width28

	WIDTH(width1, row1, FIRST0) // rows of 1 to 7 vectors
	WIDTH(width2, row2, FIRST1)
	WIDTH(width3, row3, FIRST2)
	WIDTH(width4, row4, FIRST3)
	WIDTH(width5, row5, FIRST4)
	WIDTH(width6, row6, FIRST5)
	WIDTH(width7, row7, FIRST6)
	WIDTH(width8, row8, FIRST7) // rows of 8 to 14 vectors
	WIDTH(width9, row9, FIRST8)
	WIDTH(width10, row10, FIRST9)
	WIDTH(width11, row11, FIRST10)
	WIDTH(width12, row12, FIRST11)
	WIDTH(width13, row13, FIRST12)
	WIDTH(width14, row14, FIRST13)
	WIDTH(width15, row15, FIRST14) // rows of 15 to 21 vectors
	WIDTH(width16, row16, FIRST15)
	WIDTH(width17, row17, FIRST16)
	WIDTH(width18, row18, FIRST17)
	WIDTH(width19, row19, FIRST18)
	WIDTH(width20, row20, FIRST19)
	WIDTH(width21, row21, FIRST20)
	WIDTH(width22, row22, FIRST21) // rows of 22 to 28 vectors
	WIDTH(width23, row23, FIRST22)
	WIDTH(width24, row24, FIRST23)
	WIDTH(width25, row25, FIRST24)
	WIDTH(width26, row26, FIRST25)
	WIDTH(width27, row27, FIRST26)
	WIDTH(width28, row28, FIRST27)

wider: // like WIDTH(width28, …), but with vectors without registers
	FIRST27(BEGIN, BEGIN)

rowWider: // vectors 0 to 26 += c[i]·row
	VBROADCASTSD (rowC), ci
	FIRST27(ADD, ADD)
	MOVL $(27*16), vector

nextVector: // dst[j] += c[i]·row[j]
	VCVTPS2PD (row)(vector*1), wide
	VFMADD213PD (dst)(vector*2), ci, wide
	VMOVUPD wide, (dst)(vector*2)
	ADDQ $16, vector
	CMPQ vector, last
	JNE nextVector
	ADDLAST(rowWider) // if rows remain: goto rowWider; otherwise store dst
	FIRST27(STORE, STORE)

stored:
	VMOVUPD lastDst, K1, (dst)(last*2)
	VZEROUPPER
	RET

#undef dst
#undef row
#undef step
#undef rowC
#undef left
#undef vectors
#undef last
#undef vector
#undef lastDst
#undef ci
#undef wide
#undef BEGIN
#undef ADD
#undef STORE
#undef ADDLAST
#undef WIDTH
#include "gemvt_clear_avx512_amd64.h"
