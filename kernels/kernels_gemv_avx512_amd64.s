//go:build !purego

#include "go_asm.h"
#include "textflag.h"
#include "dispatch_amd64.h"
#include "sums_avx512_amd64.h"

// Gemv of mixed types for AVX-512 (F, DQ). The order of operations is that of the doc
// comments in gemv.go; what kernels_linear_avx512_amd64.s says of masks holds here too.
//
// A conversion of eight elements takes two operations of the four pipes, the multiply-add a
// third: 0.75 cycles at best, 0.86 to 1.0 here, and sums of the lanes and rows some 1.5 to 2
// cycles per row. Each width up to 17 vectors, 136 columns, has a loop of its own, which reads the
// rows in order; wider ones take x from memory, and in L2 four rows share its loads.

#define SIZE 8
#define ADD VADDPD
#define EIGHTH EIGHTH64
#define STORE8 VMOVUPD Z0, (DI); ADDQ $64, DI
#define STOREREST VMOVUPD Z0, K2, (DI)

// Vector off/32 of a row into its lanes; the first four begin them.
#define BEGIN(off, x, lanes) VCVTPS2PD off(SI), Z7; VMULPD x, Z7, lanes
#define GO(off, x, lanes) VCVTPS2PD off(SI), Z7; VFMADD231PD x, Z7, lanes

// Rows to come, from memory, or with 0 in R12 no more than is loaded next. A prefetch cannot fault,
// whatever it names.
#define AHEAD(off) PREFETCHT0 off(SI)(R12*1)

// How far ahead, see gemvAhead.
#define SETAHEAD \
	MOVL $const_gemvAhead, R12;               \
	CMPB FP512, $0;                           \
	JNE 4(PC);                                \
	CMPQ a_len+32(FP), $(const_gemvMemory/4); \
	JLE 2(PC);                                \
	XORL R12, R12

// The first vectors of a row.
#define FIRST4 \
	AHEAD(0);           \
	BEGIN(0, Z8, Z0);   \
	BEGIN(32, Z9, Z1);  \
	AHEAD(64);          \
	BEGIN(64, Z10, Z2); \
	BEGIN(96, Z11, Z3)
#define FIRST5 FIRST4; AHEAD(128); GO(128, Z12, Z0)
#define FIRST6 FIRST5; GO(160, Z13, Z1)
#define FIRST7 FIRST6; AHEAD(192); GO(192, Z14, Z2)
#define FIRST8 FIRST7; GO(224, Z15, Z3)
#define FIRST9 FIRST8; AHEAD(256); GO(256, Z16, Z0)
#define FIRST10 FIRST9; GO(288, Z17, Z1)
#define FIRST11 FIRST10; AHEAD(320); GO(320, Z18, Z2)
#define FIRST12 FIRST11; GO(352, Z19, Z3)
#define FIRST13 FIRST12; AHEAD(384); GO(384, Z20, Z0)
#define FIRST14 FIRST13; GO(416, Z21, Z1)
#define FIRST15 FIRST14; AHEAD(448); GO(448, Z22, Z2)
#define FIRST16 FIRST15; GO(480, Z23, Z3)

// The rows of one width, with the last vector at off. That one of x is in Z31.
#define WIDTH(row, two, four, eight, first, off, lanes) \
row: first; AHEAD(off); VCVTPS2PD.Z off(SI), K1, Z7; VFMADD231PD Z7, Z31, K1, lanes; GROUPS; \
	SUMS(row, two, four, eight)

// Vector n-1 of x, unless it is the last one.
#define LOAD(n, row, off, x) CMPQ DX, $n; JEQ row; VMOVUPD off(R8), x

// Four rows side by side: a vector, or the last one, into their lanes.
#define STEP(off, a, b, c, d) \
	VMOVUPD 2*off(R8)(CX*8), Z20;  \
	VCVTPS2PD off(SI)(CX*4), Z16;  \
	VCVTPS2PD off(R10)(CX*4), Z17; \
	VCVTPS2PD off(R11)(CX*4), Z18; \
	VCVTPS2PD off(R12)(CX*4), Z19; \
	VFMADD231PD Z16, Z20, a;       \
	VFMADD231PD Z17, Z20, b;       \
	VFMADD231PD Z18, Z20, c;       \
	VFMADD231PD Z19, Z20, d
#define LAST(off, a, b, c, d) VCVTPS2PD.Z off(SI)(CX*4), K1, Z16; VCVTPS2PD.Z off(R10)(CX*4), K1, Z17; \
	VCVTPS2PD.Z off(R11)(CX*4), K1, Z18; VCVTPS2PD.Z off(R12)(CX*4), K1, Z19; VFMADD231PD Z16, Z31, K1, a; \
	VFMADD231PD Z17, Z31, K1, b; VFMADD231PD Z18, Z31, K1, c; VFMADD231PD Z19, Z31, K1, d
#define START(a, b, c, d) VMOVAPD Z30, a; VMOVAPD Z30, b; VMOVAPD Z30, c; VMOVAPD Z30, d

// The lanes of four rows in Z21-Z24 are halved together, and stored.
#define HALVES VSHUFF64X2 $0x44, Z22, Z21, Z26; VSHUFF64X2 $0xee, Z22, Z21, Z27; VADDPD Z27, Z26, Z26; \
	VSHUFF64X2 $0x44, Z24, Z23, Z28; VSHUFF64X2 $0xee, Z24, Z23, Z29; VADDPD Z29, Z28, Z28; \
	VSHUFF64X2 $0x88, Z28, Z26, Z27; VSHUFF64X2 $0xdd, Z28, Z26, Z29; VADDPD Z29, Z27, Z26; \
	VPERMILPD $0x55, Z26, Z27; VADDPD Z27, Z26, Z26; VPERMPD Z26, Z25, Z26; VMOVUPD Y26, (DI); ADDQ $32, DI

// func gemvF32WideAVX512(dst []float64, a []float32, rows, cols, stride int, x []float64)
// Requires: AVX512F, AVX512DQ
//
// For at least one column and one row. DI: dst; SI: the row; R9: its stride in bytes; BX:
// rows; R11: rows done; R12: bytes that rows are fetched ahead; DX: vectors of a row; K1: mask of
// the last one. Z0-Z3: the lanes of a row; Z4-Z6: rows that wait for others, see SUMS; Z7: what is
// converted; Z8-Z23: x, but for its last vector in Z31; Z30: −0.
TEXT ·gemvF32WideAVX512(SB), NOSPLIT, $0-96
	MOVQ dst_base+0(FP), DI
	MOVQ a_base+24(FP), SI
	MOVQ rows+48(FP), BX
	MOVQ cols+56(FP), DX
	MOVQ stride+64(FP), R9
	SHLQ $2, R9
	MOVQ x_base+72(FP), R8
	XORL R11, R11
	// R10: the last vector of x, CX: how many elements it has
	LEAQ -1(DX), R10
	ANDQ $-8, R10
	MOVQ DX, CX
	SUBQ R10, CX
	MOVL $1, AX
	SHLL CX, AX
	DECL AX
	KMOVW AX, K1
	ADDQ $7, DX
	SHRQ $3, DX
	LEAQ (R8)(R10*8), R10
	MOVL R10, R12
	ANDL $4095, R12
	CMPL R12, $4032
	JHI edge
	VMOVUPD.Z (R10), K1, Z31

load:
	VPTERNLOGD $0xff, Z30, Z30, Z30
	VPSLLQ $63, Z30, Z30
	CMPQ DX, $17
	JGT long
	SETAHEAD
	LOAD(1, row1, 0, Z8)
	LOAD(2, row2, 64, Z9)
	LOAD(3, row3, 128, Z10)
	LOAD(4, row4, 192, Z11)
	LOAD(5, row5, 256, Z12)
	LOAD(6, row6, 320, Z13)
	LOAD(7, row7, 384, Z14)
	LOAD(8, row8, 448, Z15)
	LOAD(9, row9, 512, Z16)
	LOAD(10, row10, 576, Z17)
	LOAD(11, row11, 640, Z18)
	LOAD(12, row12, 704, Z19)
	LOAD(13, row13, 768, Z20)
	LOAD(14, row14, 832, Z21)
	LOAD(15, row15, 896, Z22)
	LOAD(16, row16, 960, Z23)
	JMP row17

row1: // lanes without an element are −0
	VMOVAPD Z30, Z0
	VCVTPS2PD.Z (SI), K1, Z7
	VMULPD Z7, Z31, K1, Z0
	AHEAD(0)
	SUMS(row1, two1, four1, eight1)

row2: // a sum takes nothing from lanes without an element
	BEGIN(0, Z8, Z0)
	VCVTPS2PD.Z 32(SI), K1, Z7
	VMULPD.Z Z7, Z31, K1, Z1
	VADDPD Z1, Z0, K1, Z0
	AHEAD(0)
	SUMS(row2, two2, four2, eight2)

row3:
	BEGIN(0, Z8, Z0)
	BEGIN(32, Z9, Z1)
	VCVTPS2PD.Z 64(SI), K1, Z7
	VMULPD.Z Z7, Z31, K1, Z2
	VADDPD Z1, Z0, Z0
	VADDPD Z2, Z0, K1, Z0
	AHEAD(0)
	AHEAD(64)
	SUMS(row3, two3, four3, eight3)

row4:
	BEGIN(0, Z8, Z0)
	BEGIN(32, Z9, Z1)
	BEGIN(64, Z10, Z2)
	VCVTPS2PD.Z 96(SI), K1, Z7
	VMULPD.Z Z7, Z31, K1, Z3
	VADDPD Z1, Z0, Z0
	VADDPD Z3, Z2, K1, Z2
	VADDPD Z2, Z0, Z0
	AHEAD(0)
	AHEAD(64)
	SUMS(row4, two4, four4, eight4)

	WIDTH(row5, two5, four5, eight5, FIRST4, 128, Z0)
	WIDTH(row6, two6, four6, eight6, FIRST5, 160, Z1)
	WIDTH(row7, two7, four7, eight7, FIRST6, 192, Z2)
	WIDTH(row8, two8, four8, eight8, FIRST7, 224, Z3)
	WIDTH(row9, two9, four9, eight9, FIRST8, 256, Z0)
	WIDTH(row10, two10, four10, eight10, FIRST9, 288, Z1)
	WIDTH(row11, two11, four11, eight11, FIRST10, 320, Z2)
	WIDTH(row12, two12, four12, eight12, FIRST11, 352, Z3)
	WIDTH(row13, two13, four13, eight13, FIRST12, 384, Z0)
	WIDTH(row14, two14, four14, eight14, FIRST13, 416, Z1)
	WIDTH(row15, two15, four15, eight15, FIRST14, 448, Z2)
	WIDTH(row16, two16, four16, eight16, FIRST15, 480, Z3)
	WIDTH(row17, two17, four17, eight17, FIRST16, 512, Z0)

edge: // near the end of a page: the vector that ends with the last element, moved down
	MOVQ CX, R12
	NEGQ CX
	ADDQ $8, CX
	MOVL $-1, AX
	SHLL CX, AX
	KMOVW AX, K2
	VMOVUPD.Z -64(R10)(R12*8), K2, Z31
	VCOMPRESSPD.Z Z31, K2, Z31
	JMP load

	REST

done:
	VZEROUPPER
	RET

long: // x from memory: in L2 in fours of rows, which share its loads, and the others one by one
	CMPQ a_len+32(FP), $(const_gemvL2/4)
	JGT single
	CMPQ BX, $4
	JLT single
	// R10, R11, R12: rows; CX: columns done; DX: those before the last one to four vectors; R13:
	// from there to the last one; Z21-Z24: the lanes of four rows, which are halved together when
	// the next ones have been multiplied
	VMOVUPD order64<>(SB), Z25
	MOVQ cols+56(FP), R13
	DECQ R13
	MOVQ R13, DX
	ANDQ $-32, DX
	SUBQ DX, R13

nextFour:
	LEAQ (SI)(R9*1), R10
	LEAQ (SI)(R9*2), R11
	LEAQ (R10)(R9*2), R12
	XORL CX, CX
	START(Z0, Z1, Z2, Z3)
	START(Z4, Z5, Z6, Z7)
	START(Z8, Z9, Z10, Z11)
	START(Z12, Z13, Z14, Z15)

	PCALIGN $64
fours:
	STEP(0, Z0, Z4, Z8, Z12)
	STEP(32, Z1, Z5, Z9, Z13)
	STEP(64, Z2, Z6, Z10, Z14)
	STEP(96, Z3, Z7, Z11, Z15)
	ADDQ $32, CX
	CMPQ CX, DX
	JLT fours
	CMPQ R13, $8
	JLT firsts
	STEP(0, Z0, Z4, Z8, Z12)
	CMPQ R13, $16
	JLT seconds
	STEP(32, Z1, Z5, Z9, Z13)
	CMPQ R13, $24
	JLT thirds
	STEP(64, Z2, Z6, Z10, Z14)
	LAST(96, Z3, Z7, Z11, Z15)

fourSums:
	CMPQ SI, a_base+24(FP)
	JEQ groups
	HALVES

groups:
	VADDPD Z1, Z0, Z0
	VADDPD Z5, Z4, Z4
	VADDPD Z9, Z8, Z8
	VADDPD Z13, Z12, Z12
	VADDPD Z3, Z2, Z2
	VADDPD Z7, Z6, Z6
	VADDPD Z11, Z10, Z10
	VADDPD Z15, Z14, Z14
	VADDPD Z2, Z0, Z21
	VADDPD Z6, Z4, Z22
	VADDPD Z10, Z8, Z23
	VADDPD Z14, Z12, Z24
	LEAQ (SI)(R9*4), SI
	SUBQ $4, BX
	CMPQ BX, $4
	JGE nextFour
	HALVES
	TESTQ BX, BX
	JEQ done
	XORL R11, R11
	MOVQ cols+56(FP), DX
	ADDQ $7, DX
	SHRQ $3, DX

single: // DX: whole vectors; R13: back to the start of the row; R10: x; CX: vectors left
	DECQ DX
	MOVQ DX, R13
	ANDQ $-4, R13
	IMULQ $32, R13
	SETAHEAD

longRow:
	MOVQ R8, R10
	LEAQ -8(DX), CX
	VCVTPS2PD (SI), Z8
	VCVTPS2PD 32(SI), Z9
	VCVTPS2PD 64(SI), Z10
	VCVTPS2PD 96(SI), Z11
	VMULPD (R10), Z8, Z0
	VMULPD 64(R10), Z9, Z1
	VMULPD 128(R10), Z10, Z2
	VMULPD 192(R10), Z11, Z3

	PCALIGN $64
block:
	ADDQ $256, R10
	ADDQ $128, SI
	AHEAD(0)
	AHEAD(64)
	VCVTPS2PD (SI), Z8
	VCVTPS2PD 32(SI), Z9
	VCVTPS2PD 64(SI), Z10
	VCVTPS2PD 96(SI), Z11
	VFMADD231PD (R10), Z8, Z0
	VFMADD231PD 64(R10), Z9, Z1
	VFMADD231PD 128(R10), Z10, Z2
	VFMADD231PD 192(R10), Z11, Z3
	SUBQ $4, CX
	JGE block
	ADDQ $256, R10
	ADDQ $128, SI
	ADDQ $4, CX
	JEQ end0
	CMPQ CX, $2
	JLT end1
	JEQ end2
	VCVTPS2PD (SI), Z8
	VFMADD231PD (R10), Z8, Z0
	VCVTPS2PD 32(SI), Z8
	VFMADD231PD 64(R10), Z8, Z1
	VCVTPS2PD 64(SI), Z8
	VFMADD231PD 128(R10), Z8, Z2
	VCVTPS2PD.Z 96(SI), K1, Z8
	VFMADD231PD Z8, Z31, K1, Z3

longSum:
	SUBQ R13, SI
	GROUPS
	SUMS(longRow, longTwo, longFour, longEight)

firsts:
	LAST(0, Z0, Z4, Z8, Z12)
	JMP fourSums

seconds:
	LAST(32, Z1, Z5, Z9, Z13)
	JMP fourSums

thirds:
	LAST(64, Z2, Z6, Z10, Z14)
	JMP fourSums

end0:
	VCVTPS2PD.Z (SI), K1, Z8
	VFMADD231PD Z8, Z31, K1, Z0
	JMP longSum

end1:
	VCVTPS2PD (SI), Z8
	VFMADD231PD (R10), Z8, Z0
	VCVTPS2PD.Z 32(SI), K1, Z8
	VFMADD231PD Z8, Z31, K1, Z1
	JMP longSum

end2:
	VCVTPS2PD (SI), Z8
	VFMADD231PD (R10), Z8, Z0
	VCVTPS2PD 32(SI), Z8
	VFMADD231PD 64(R10), Z8, Z1
	VCVTPS2PD.Z 64(SI), K1, Z8
	VFMADD231PD Z8, Z31, K1, Z2
	JMP longSum

storeEdge:
	VMOVSD X0, (DI)
	VALIGNQ $1, Z0, Z0, Z0
	ADDQ $8, DI
	DECL CX
	JNE storeEdge
	VZEROUPPER
	RET

// func nonzerosF32AVX512(index []int32, value, row []float32, first int) int
// Requires: AVX512F, POPCNT
//
// Sixteen elements at a time, pushed together; the rest with a mask. DI: index; R8: value; SI: row;
// BX: elements left; R10: found; Z3: places; Z5: 16; Z1: 0.
TEXT ·nonzerosF32AVX512(SB), NOSPLIT, $0-88
	MOVQ index_base+0(FP), DI
	MOVQ value_base+24(FP), R8
	MOVQ row_base+48(FP), SI
	MOVQ row_len+56(FP), BX
	XORQ R10, R10
	VPXORD Z1, Z1, Z1
	VPBROADCASTD first+72(FP), Z3
	VPADDD github·com∕simdrank∕simdrank∕internal∕kern·Iota(SB), Z3, Z3
	MOVL $16, AX
	VPBROADCASTD AX, Z5
	SUBQ $16, BX
	JLT rest

sixteen:
	VMOVUPS (SI), Z0

push:
	VCMPPS $4, Z1, Z0, K1
	KMOVW K1, AX
	POPCNTL AX, CX
	VCOMPRESSPS Z0, K1, Z2
	VPCOMPRESSD Z3, K1, Z4
	MOVL $1, DX
	SHLL CX, DX
	DECL DX
	KMOVW DX, K2
	VMOVUPS Z2, K2, (R8)(R10*4)
	VMOVDQU32 Z4, K2, (DI)(R10*4)
	ADDQ CX, R10
	VPADDD Z5, Z3, Z3
	ADDQ $64, SI
	SUBQ $16, BX
	JGE sixteen

rest: // −16: nothing is left; below, that was the rest
	ADDQ $16, BX
	JLE done
	MOVQ BX, CX
	MOVL $1, DX
	SHLL CX, DX
	DECL DX
	KMOVW DX, K3
	VMOVUPS.Z (SI), K3, Z0
	XORQ BX, BX
	JMP push

done:
	MOVQ R10, ret+80(FP)
	VZEROUPPER
	RET
