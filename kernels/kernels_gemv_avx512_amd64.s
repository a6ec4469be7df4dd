//go:build !purego

#include "textflag.h"

// Gemv of mixed types for AVX-512 (F, DQ). The order of operations is that of the doc
// comments in gemv.go; what kernels_linear_avx512_amd64.s says of masks holds here too.
// Rows of up to eight vectors have a loop of their own for each number of them: three taken
// branches a row would cost more than its loads.

// Where the sums of eight rows stand after EIGHTH64.
DATA order64<>+0(SB)/8, $0
DATA order64<>+8(SB)/8, $2
DATA order64<>+16(SB)/8, $4
DATA order64<>+24(SB)/8, $6
DATA order64<>+32(SB)/8, $1
DATA order64<>+40(SB)/8, $3
DATA order64<>+48(SB)/8, $5
DATA order64<>+56(SB)/8, $7
GLOBL order64<>(SB), RODATA|NOPTR, $64

// A column of gemv: the end of the row, or vector n-1 at off into its lanes.
#define COLUMNWIDE(n, last, off, x, lanes) CMPQ DX, $n; JEQ last; VCVTPS2PD off(SI), Z7; VFMADD231PD Z7, x, lanes
#define COLUMNMEM(n, last, off, x, lanes) CMPQ DX, $n; JEQ last; VCVTPS2PD off(SI), Z7; VFMADD231PD x(R8), Z7, lanes

// The last vector, under its mask.
#define LASTWIDE(last, off, x, lanes) last: VCVTPS2PD.Z off(SI), K1, Z7; VFMADD231PD Z7, x, K1, lanes; JMP sum

// Rows to come, from memory. A prefetch cannot fault, whatever it names.
#define AHEAD(off) PREFETCHT0 16384+off(SI)

// (g0+g1)+(g2+g3)
#define GROUPS(add) add Z1, Z0, Z0; add Z3, Z2, Z2; add Z2, Z0, Z0

// What waits in z and what is in Z0, the sums of a row or more each, are halved together into Z0.
#define HALVE(z, add) VSHUFF64X2 $0x44, Z0, z, Z1; VSHUFF64X2 $0xee, Z0, z, Z2; add Z2, Z1, Z0
#define QUARTER(z, add) VSHUFF64X2 $0x88, Z0, z, Z1; VSHUFF64X2 $0xdd, Z0, z, Z2; add Z2, Z1, Z0
#define EIGHTH64(z) VUNPCKLPD Z0, z, Z1; VUNPCKHPD Z0, z, Z2; VADDPD Z2, Z1, Z0; \
	VMOVUPD order64<>(SB), Z3; VPERMPD Z0, Z3, Z0

// The end of a row whose groups are summed in Z0. A first row waits in Z4 for the second, the
// two in Z5 for the next two, the four in Z6 for the next four; then eight sums are stored.
#define NEXT(row) ADDQ R9, SI; CMPQ R11, BX; JLT row; JMP rest
#define SUMS64(row, two, four, eight) \
	INCQ R11; TESTL $1, R11; JEQ two; VMOVAPD Z0, Z4; NEXT(row); \
two: HALVE(Z4, VADDPD); TESTL $2, R11; JEQ four; VMOVAPD Z0, Z5; NEXT(row); \
four: QUARTER(Z5, VADDPD); TESTL $4, R11; JEQ eight; VMOVAPD Z0, Z6; NEXT(row); \
eight: EIGHTH64(Z6); VMOVUPD Z0, (DI); ADDQ $64, DI; NEXT(row)

// Vector n-1 of x, or of dst, into a register, unless it is the last one.
#define LOAD(n, last, mov, off, from, to) CMPQ DX, $n; JEQ last; mov off(from), to

// The last vector of x, which is in last, goes where it belongs.
#define LOADED(label, last, to, row) label: VMOVAPD last, to; JMP row

// func gemvF32WideAVX512(dst []float64, a []float32, rows, cols, stride int, x []float64)
// Requires: AVX512F, AVX512DQ
//
// For at least one column and one row. DI: dst; SI: the row; R9: its stride in bytes; BX:
// rows; R11: rows done; DX: vectors of a row; K1: mask of the last one. Z0-Z3: the lanes of a
// row; Z4-Z6: rows that wait for others, see SUMS64; Z7: what is converted; Z8-Z30: x, whose
// vectors from the 24th on are in memory, at R8, but for the last one in Z31.
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
	VMOVUPD.Z (R10), K1, Z0

load:
	CMPQ DX, $32
	JGT long
	LOAD(1, load0, VMOVUPD, 0, R8, Z8)
	LOAD(2, load1, VMOVUPD, 64, R8, Z9)
	LOAD(3, load2, VMOVUPD, 128, R8, Z10)
	LOAD(4, load3, VMOVUPD, 192, R8, Z11)
	LOAD(5, load4, VMOVUPD, 256, R8, Z12)
	LOAD(6, load5, VMOVUPD, 320, R8, Z13)
	LOAD(7, load6, VMOVUPD, 384, R8, Z14)
	LOAD(8, load7, VMOVUPD, 448, R8, Z15)
	LOAD(9, load8, VMOVUPD, 512, R8, Z16)
	LOAD(10, load9, VMOVUPD, 576, R8, Z17)
	LOAD(11, load10, VMOVUPD, 640, R8, Z18)
	LOAD(12, load11, VMOVUPD, 704, R8, Z19)
	LOAD(13, load12, VMOVUPD, 768, R8, Z20)
	LOAD(14, load13, VMOVUPD, 832, R8, Z21)
	LOAD(15, load14, VMOVUPD, 896, R8, Z22)
	LOAD(16, load15, VMOVUPD, 960, R8, Z23)
	LOAD(17, load16, VMOVUPD, 1024, R8, Z24)
	LOAD(18, load17, VMOVUPD, 1088, R8, Z25)
	LOAD(19, load18, VMOVUPD, 1152, R8, Z26)
	LOAD(20, load19, VMOVUPD, 1216, R8, Z27)
	LOAD(21, load20, VMOVUPD, 1280, R8, Z28)
	LOAD(22, load21, VMOVUPD, 1344, R8, Z29)
	LOAD(23, load22, VMOVUPD, 1408, R8, Z30)
	VMOVAPD Z0, Z31
	JMP row

	LOADED(load0, Z0, Z8, row1)
	LOADED(load1, Z0, Z9, row2)
	LOADED(load2, Z0, Z10, row3)
	LOADED(load3, Z0, Z11, row4)
	LOADED(load4, Z0, Z12, row5)
	LOADED(load5, Z0, Z13, row6)
	LOADED(load6, Z0, Z14, row7)
	LOADED(load7, Z0, Z15, row8)
	LOADED(load8, Z0, Z16, row)
	LOADED(load9, Z0, Z17, row)
	LOADED(load10, Z0, Z18, row)
	LOADED(load11, Z0, Z19, row)
	LOADED(load12, Z0, Z20, row)
	LOADED(load13, Z0, Z21, row)
	LOADED(load14, Z0, Z22, row)
	LOADED(load15, Z0, Z23, row)
	LOADED(load16, Z0, Z24, row)
	LOADED(load17, Z0, Z25, row)
	LOADED(load18, Z0, Z26, row)
	LOADED(load19, Z0, Z27, row)
	LOADED(load20, Z0, Z28, row)
	LOADED(load21, Z0, Z29, row)
	LOADED(load22, Z0, Z30, row)

row1: // lanes without an element are −0
	VPTERNLOGD $0xff, Z31, Z31, Z31
	VPSLLQ $63, Z31, Z31

nextRow1:
	VMOVAPD Z31, Z0
	VCVTPS2PD.Z 0(SI), K1, Z7
	VMULPD Z7, Z8, K1, Z0
	SUMS64(nextRow1, two1, four1, eight1)

row2: // a sum takes nothing from lanes without an element
	VCVTPS2PD 0(SI), Z7
	VMULPD Z7, Z8, Z0
	VCVTPS2PD.Z 32(SI), K1, Z7
	VMULPD.Z Z7, Z9, K1, Z1
	VADDPD Z1, Z0, K1, Z0
	SUMS64(row2, two2, four2, eight2)

row3:
	VCVTPS2PD 0(SI), Z7
	VMULPD Z7, Z8, Z0
	VCVTPS2PD 32(SI), Z7
	VMULPD Z7, Z9, Z1
	VCVTPS2PD.Z 64(SI), K1, Z7
	VMULPD.Z Z7, Z10, K1, Z2
	VADDPD Z1, Z0, Z0
	VADDPD Z2, Z0, K1, Z0
	SUMS64(row3, two3, four3, eight3)

row4:
	VCVTPS2PD 0(SI), Z7
	VMULPD Z7, Z8, Z0
	VCVTPS2PD 32(SI), Z7
	VMULPD Z7, Z9, Z1
	VCVTPS2PD 64(SI), Z7
	VMULPD Z7, Z10, Z2
	VCVTPS2PD.Z 96(SI), K1, Z7
	VMULPD.Z Z7, Z11, K1, Z3
	VADDPD Z1, Z0, Z0
	VADDPD Z3, Z2, K1, Z2
	VADDPD Z2, Z0, Z0
	SUMS64(row4, two4, four4, eight4)

row5:
	VCVTPS2PD 0(SI), Z7
	VMULPD Z7, Z8, Z0
	VCVTPS2PD 32(SI), Z7
	VMULPD Z7, Z9, Z1
	VCVTPS2PD 64(SI), Z7
	VMULPD Z7, Z10, Z2
	VCVTPS2PD 96(SI), Z7
	VMULPD Z7, Z11, Z3
	VCVTPS2PD.Z 128(SI), K1, Z7
	VFMADD231PD Z7, Z12, K1, Z0
	GROUPS(VADDPD)
	SUMS64(row5, two5, four5, eight5)

row6:
	VCVTPS2PD 0(SI), Z7
	VMULPD Z7, Z8, Z0
	VCVTPS2PD 32(SI), Z7
	VMULPD Z7, Z9, Z1
	VCVTPS2PD 64(SI), Z7
	VMULPD Z7, Z10, Z2
	VCVTPS2PD 96(SI), Z7
	VMULPD Z7, Z11, Z3
	VCVTPS2PD 128(SI), Z7
	VFMADD231PD Z7, Z12, Z0
	VCVTPS2PD.Z 160(SI), K1, Z7
	VFMADD231PD Z7, Z13, K1, Z1
	GROUPS(VADDPD)
	SUMS64(row6, two6, four6, eight6)

row7:
	VCVTPS2PD 0(SI), Z7
	VMULPD Z7, Z8, Z0
	VCVTPS2PD 32(SI), Z7
	VMULPD Z7, Z9, Z1
	VCVTPS2PD 64(SI), Z7
	VMULPD Z7, Z10, Z2
	VCVTPS2PD 96(SI), Z7
	VMULPD Z7, Z11, Z3
	VCVTPS2PD 128(SI), Z7
	VFMADD231PD Z7, Z12, Z0
	VCVTPS2PD 160(SI), Z7
	VFMADD231PD Z7, Z13, Z1
	VCVTPS2PD.Z 192(SI), K1, Z7
	VFMADD231PD Z7, Z14, K1, Z2
	GROUPS(VADDPD)
	SUMS64(row7, two7, four7, eight7)

row8:
	VCVTPS2PD 0(SI), Z7
	VMULPD Z7, Z8, Z0
	VCVTPS2PD 32(SI), Z7
	VMULPD Z7, Z9, Z1
	VCVTPS2PD 64(SI), Z7
	VMULPD Z7, Z10, Z2
	VCVTPS2PD 96(SI), Z7
	VMULPD Z7, Z11, Z3
	VCVTPS2PD 128(SI), Z7
	VFMADD231PD Z7, Z12, Z0
	VCVTPS2PD 160(SI), Z7
	VFMADD231PD Z7, Z13, Z1
	VCVTPS2PD 192(SI), Z7
	VFMADD231PD Z7, Z14, Z2
	VCVTPS2PD.Z 224(SI), K1, Z7
	VFMADD231PD Z7, Z15, K1, Z3
	GROUPS(VADDPD)
	SUMS64(row8, two8, four8, eight8)

row: // more vectors: whole ones until the last
	AHEAD(0)
	VCVTPS2PD 0(SI), Z7
	VMULPD Z7, Z8, Z0
	VCVTPS2PD 32(SI), Z7
	VMULPD Z7, Z9, Z1
	AHEAD(64)
	VCVTPS2PD 64(SI), Z7
	VMULPD Z7, Z10, Z2
	VCVTPS2PD 96(SI), Z7
	VMULPD Z7, Z11, Z3
	AHEAD(128)
	VCVTPS2PD 128(SI), Z7
	VFMADD231PD Z7, Z12, Z0
	VCVTPS2PD 160(SI), Z7
	VFMADD231PD Z7, Z13, Z1
	AHEAD(192)
	VCVTPS2PD 192(SI), Z7
	VFMADD231PD Z7, Z14, Z2
	VCVTPS2PD 224(SI), Z7
	VFMADD231PD Z7, Z15, Z3
	AHEAD(256)
	COLUMNWIDE(9, last8, 256, Z16, Z0)
	COLUMNWIDE(10, last9, 288, Z17, Z1)
	AHEAD(320)
	COLUMNWIDE(11, last10, 320, Z18, Z2)
	COLUMNWIDE(12, last11, 352, Z19, Z3)
	AHEAD(384)
	COLUMNWIDE(13, last12, 384, Z20, Z0)
	COLUMNWIDE(14, last13, 416, Z21, Z1)
	AHEAD(448)
	COLUMNWIDE(15, last14, 448, Z22, Z2)
	COLUMNWIDE(16, last15, 480, Z23, Z3)
	AHEAD(512)
	COLUMNWIDE(17, last16, 512, Z24, Z0)
	COLUMNWIDE(18, last17, 544, Z25, Z1)
	AHEAD(576)
	COLUMNWIDE(19, last18, 576, Z26, Z2)
	COLUMNWIDE(20, last19, 608, Z27, Z3)
	AHEAD(640)
	COLUMNWIDE(21, last20, 640, Z28, Z0)
	COLUMNWIDE(22, last21, 672, Z29, Z1)
	AHEAD(704)
	COLUMNWIDE(23, last22, 704, Z30, Z2)
	COLUMNMEM(24, last23, 736, 1472, Z3)
	AHEAD(768)
	COLUMNMEM(25, last24, 768, 1536, Z0)
	COLUMNMEM(26, last25, 800, 1600, Z1)
	AHEAD(832)
	COLUMNMEM(27, last26, 832, 1664, Z2)
	COLUMNMEM(28, last27, 864, 1728, Z3)
	AHEAD(896)
	COLUMNMEM(29, last28, 896, 1792, Z0)
	COLUMNMEM(30, last29, 928, 1856, Z1)
	AHEAD(960)
	COLUMNMEM(31, last30, 960, 1920, Z2)
	VCVTPS2PD.Z 992(SI), K1, Z7
	VFMADD231PD Z7, Z31, K1, Z3

sum:
	GROUPS(VADDPD)
	SUMS64(row, two, four, eight)

	LASTWIDE(last8, 256, Z16, Z0)
	LASTWIDE(last9, 288, Z17, Z1)
	LASTWIDE(last10, 320, Z18, Z2)
	LASTWIDE(last11, 352, Z19, Z3)
	LASTWIDE(last12, 384, Z20, Z0)
	LASTWIDE(last13, 416, Z21, Z1)
	LASTWIDE(last14, 448, Z22, Z2)
	LASTWIDE(last15, 480, Z23, Z3)
	LASTWIDE(last16, 512, Z24, Z0)
	LASTWIDE(last17, 544, Z25, Z1)
	LASTWIDE(last18, 576, Z26, Z2)
	LASTWIDE(last19, 608, Z27, Z3)
	LASTWIDE(last20, 640, Z28, Z0)
	LASTWIDE(last21, 672, Z29, Z1)
	LASTWIDE(last22, 704, Z30, Z2)
	LASTWIDE(last23, 736, Z31, Z3)
	LASTWIDE(last24, 768, Z31, Z0)
	LASTWIDE(last25, 800, Z31, Z1)
	LASTWIDE(last26, 832, Z31, Z2)
	LASTWIDE(last27, 864, Z31, Z3)
	LASTWIDE(last28, 896, Z31, Z0)
	LASTWIDE(last29, 928, Z31, Z1)
	LASTWIDE(last30, 960, Z31, Z2)

edge: // near the end of a page: the vector that ends with the last element, moved down
	MOVQ CX, R12
	NEGQ CX
	ADDQ $8, CX
	MOVL $-1, AX
	SHLL CX, AX
	KMOVW AX, K2
	VMOVUPD.Z -64(R10)(R12*8), K2, Z0
	VCOMPRESSPD.Z Z0, K2, Z0
	JMP load

rest: // R11 mod 8 rows wait; K2: their mask; AX: their number, rounded up
	MOVL R11, CX
	ANDL $7, CX
	JEQ done
	MOVL $1, AX
	SHLL CX, AX
	DECL AX
	KMOVW AX, K2
	MOVL CX, AX
	CMPL AX, $4
	JEQ restFour
	TESTL $1, AX
	JEQ restTwo
	HALVE(Z0, VADDPD)
	INCL AX

restTwo: // two rows in Z0, and two in Z5 when AX is 4 or 8
	TESTL $2, AX
	JEQ restBoth
	QUARTER(Z0, VADDPD)
	JMP restFour

restBoth:
	QUARTER(Z5, VADDPD)

restFour: // four rows in Z0, and four in Z6 when AX is 6 or 8
	CMPL AX, $4
	JLE restLow
	EIGHTH64(Z6)
	JMP store

restLow:
	EIGHTH64(Z0)

store: // near the end of a page one at a time
	MOVL DI, AX
	ANDL $4095, AX
	CMPL AX, $4032
	JHI storeEdge
	VMOVUPD Z0, K2, (DI)

done:
	VZEROUPPER
	RET

long: // in order, with x from memory: from L2, rows side by side come half as fast as one stream.
	// DX: whole vectors; R13: back to the start of the row; R10: x; CX: vectors left; Z31: the last one of x
	VMOVAPD Z0, Z31
	DECQ DX
	MOVQ DX, R13
	ANDQ $-4, R13
	IMULQ $32, R13

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
	GROUPS(VADDPD)
	SUMS64(longRow, longTwo, longFour, longEight)

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

// 0, 1, … 15
DATA ramp<>+0(SB)/8, $0x0000000100000000
DATA ramp<>+8(SB)/8, $0x0000000300000002
DATA ramp<>+16(SB)/8, $0x0000000500000004
DATA ramp<>+24(SB)/8, $0x0000000700000006
DATA ramp<>+32(SB)/8, $0x0000000900000008
DATA ramp<>+40(SB)/8, $0x0000000b0000000a
DATA ramp<>+48(SB)/8, $0x0000000d0000000c
DATA ramp<>+56(SB)/8, $0x0000000f0000000e
GLOBL ramp<>(SB), RODATA|NOPTR, $64

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
	VPADDD ramp<>(SB), Z3, Z3
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
