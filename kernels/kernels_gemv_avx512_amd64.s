//go:build !purego

#include "go_asm.h"
#include "textflag.h"
#include "sums_avx512_amd64.h"

// Gemv of float32 rows by float64 vectors for AVX-512, in the order of operations that gemv.go
// documents. The file kernels_linear_avx512_amd64.s explains why masked lanes do not affect
// results.
//
// A conversion of eight elements uses two operations of the four pipes, and the multiply-add uses a
// third one. Therefore, eight elements take at least 0.75 cycles. This code takes 0.86 to 1.0
// cycles. Summing lanes and rows takes about 1.5 to 2 cycles per row. Each width up to 17 vectors,
// or 136 columns, has its own loop, which reads the rows in order, with x in registers. For wider
// rows, x is in memory. If the matrix is in L2, four rows share the loads of x, which takes 0.79 to
// 0.85 of the time for 700 columns (Zen 5).

// func gemvF32WideAVX512(dst []float64, a []float32, rows, cols, stride int, x []float64)
// Requires: AVX512F, AVX512DQ
//
// The function requires at least one row and one column.
//
// Registers: DX: number of vectors of a row; K1: mask of the elements of the last vector; Z0-Z3:
// lanes of a row; Z4-Z6: rows whose sums wait for other rows (see SUMS); Z8-Z23: x except its last
// vector.
TEXT ·gemvF32WideAVX512(SB), NOSPLIT, $0-96
#define SIZE 8
#define ADD VADDPD
#define EIGHTH EIGHTH64
#define STORE8 VMOVUPD Z0, (dst); ADDQ $64, dst
#define STOREREST VMOVUPD Z0, K2, (dst)
#define FP512 github·com∕simdrank∕simdrank∕internal∕cpu·UseFP512(SB)
#define xStart R8
#define ahead  R12 // prefetch distance in bytes
#define wide   Z7  // eight elements of a row in float64
#define minus0 Z30
#define lastX  Z31 // last vector of x

// ahead = gemvAhead, or 0 if the matrix is in memory and the processor splits 512-bit operations.
// tuning_amd64.go explains why.
#define SETAHEAD(chosen) MOVL $const_gemvAhead, ahead; CMPB FP512, $0; JNE chosen; \
	CMPQ a_len+32(FP), $(const_gemvMemory/4); JLE chosen; XORL ahead, ahead; chosen:

// Prefetches a line of a later row. A prefetch cannot fault, even if its address is invalid.
#define AHEAD(off) PREFETCHT0 off(row)(ahead*1)

// BEGIN computes lanes = row·x for the first four vectors of a row, and GO computes lanes += row·x
// for others.
#define BEGIN(off, x, lanes) VCVTPS2PD off(row), wide; VMULPD x, wide, lanes
#define GO(off, x, lanes) VCVTPS2PD off(row), wide; VFMADD231PD x, wide, lanes
#define FIRST4 AHEAD(0); BEGIN(0, Z8, Z0); BEGIN(32, Z9, Z1); AHEAD(64); BEGIN(64, Z10, Z2); \
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

// Processes all rows of one width. The last vector of a row is at offset off.
#define WIDTH(next, two, four, eight, first, off, lanes) \
next: first; AHEAD(off); VCVTPS2PD.Z off(row), K1, wide; VFMADD231PD wide, lastX, K1, lanes; GROUPS; \
	SUMS(next, two, four, eight)

// If vector i-1 of x is the last vector: goto next. Otherwise load it.
#define LOAD(i, next, off, x) CMPQ DX, $i; JEQ next; VMOVUPD off(xStart), x

	MOVQ dst_base+0(FP), dst
	MOVQ a_base+24(FP), row
	MOVQ rows+48(FP), n
	MOVQ cols+56(FP), DX
	MOVQ stride+64(FP), step // step = 4·stride
	SHLQ $2, step
	MOVQ x_base+72(FP), xStart
	XORL count, count
	LEAQ -1(DX), R10 // R10 = (cols-1) &^ 7; CX = cols - R10
	ANDQ $-8, R10
	MOVQ DX, CX
	SUBQ R10, CX
	MOVL $1, AX // K1 = 1<<CX - 1
	SHLL CX, AX
	DECL AX
	KMOVW AX, K1
	ADDQ $7, DX // DX = ⌈cols/8⌉
	SHRQ $3, DX
	LEAQ (xStart)(R10*8), R10 // load lastX; if the load would reach into the next page: goto edge
	MOVL R10, R12
	ANDL $4095, R12
	CMPL R12, $4032
	JHI edge
	VMOVUPD.Z (R10), K1, lastX

load: // if DX > 17: goto long; otherwise load x, and goto rowDX
	VPTERNLOGD $0xff, minus0, minus0, minus0
	VPSLLQ $63, minus0, minus0
	CMPQ DX, $17
	JGT long
	SETAHEAD(aheadShort)
	LOAD(1, row1, 0, Z8) // vectors 0 to 7 of x
	LOAD(2, row2, 64, Z9)
	LOAD(3, row3, 128, Z10)
	LOAD(4, row4, 192, Z11)
	LOAD(5, row5, 256, Z12)
	LOAD(6, row6, 320, Z13)
	LOAD(7, row7, 384, Z14)
	LOAD(8, row8, 448, Z15)
	LOAD(9, row9, 512, Z16) // vectors 8 to 15 of x
	LOAD(10, row10, 576, Z17)
	LOAD(11, row11, 640, Z18)
	LOAD(12, row12, 704, Z19)
	LOAD(13, row13, 768, Z20)
	LOAD(14, row14, 832, Z21)
	LOAD(15, row15, 896, Z22)
	LOAD(16, row16, 960, Z23)
	JMP row17

row1: // one vector: lanes without an element are -0
	VMOVAPD minus0, Z0
	VCVTPS2PD.Z (row), K1, wide
	VMULPD wide, lastX, K1, Z0
	AHEAD(0)
	SUMS(row1, two1, four1, eight1)

row2: // two vectors: lanes without an element are not added
	BEGIN(0, Z8, Z0)
	VCVTPS2PD.Z 32(row), K1, wide
	VMULPD.Z wide, lastX, K1, Z1
	VADDPD Z1, Z0, K1, Z0
	AHEAD(0)
	SUMS(row2, two2, four2, eight2)

row3: // Z0 = (lane 0 + lane 1) + lane 2
	BEGIN(0, Z8, Z0)
	BEGIN(32, Z9, Z1)
	VCVTPS2PD.Z 64(row), K1, wide
	VMULPD.Z wide, lastX, K1, Z2
	VADDPD Z1, Z0, Z0
	VADDPD Z2, Z0, K1, Z0
	AHEAD(0)
	AHEAD(64)
	SUMS(row3, two3, four3, eight3) // the next row

row4: // Z0 = (lane 0 + lane 1) + (lane 2 + lane 3)
	BEGIN(0, Z8, Z0)
	BEGIN(32, Z9, Z1)
	BEGIN(64, Z10, Z2)
	VCVTPS2PD.Z 96(row), K1, wide
	VMULPD.Z wide, lastX, K1, Z3
	VADDPD Z1, Z0, Z0
	VADDPD Z3, Z2, K1, Z2
	VADDPD Z2, Z0, Z0
	AHEAD(0) // the next row
	AHEAD(64)
	SUMS(row4, two4, four4, eight4)

	WIDTH(row5, two5, four5, eight5, FIRST4, 128, Z0) // rows of 5 to 11 vectors
	WIDTH(row6, two6, four6, eight6, FIRST5, 160, Z1)
	WIDTH(row7, two7, four7, eight7, FIRST6, 192, Z2)
	WIDTH(row8, two8, four8, eight8, FIRST7, 224, Z3)
	WIDTH(row9, two9, four9, eight9, FIRST8, 256, Z0)
	WIDTH(row10, two10, four10, eight10, FIRST9, 288, Z1)
	WIDTH(row11, two11, four11, eight11, FIRST10, 320, Z2)
	WIDTH(row12, two12, four12, eight12, FIRST11, 352, Z3) // rows of 12 to 17 vectors
	WIDTH(row13, two13, four13, eight13, FIRST12, 384, Z0)
	WIDTH(row14, two14, four14, eight14, FIRST13, 416, Z1)
	WIDTH(row15, two15, four15, eight15, FIRST14, 448, Z2)
	WIDTH(row16, two16, four16, eight16, FIRST15, 480, Z3)
	WIDTH(row17, two17, four17, eight17, FIRST16, 512, Z0)

edge: // lastX = the last CX elements of the vector that ends with the last element
	MOVQ CX, R12
	NEGQ CX
	ADDQ $8, CX
	MOVL $-1, AX
	SHLL CX, AX
	KMOVW AX, K2
	VMOVUPD.Z -64(R10)(R12*8), K2, lastX // move the elements to the front
	VCOMPRESSPD.Z lastX, K2, lastX
	JMP load

	REST // store the sums that wait; SUMS jumps here after the last row

done:
	VZEROUPPER
	RET

#define row1   R10
#define row2   R11
#define row3   R12
#define place  CX  // number of columns before the current vector
#define blocks DX  // number of columns in blocks of four vectors, before the last vector
#define tail   R13 // number of columns after these blocks, minus 1
#define xs     Z20 // vector of x

// STEP adds the products rows·x of one vector to the lanes of four rows. LAST does the same for the
// last vector, under its mask.
#define STEP(off, a, b, c, d) VMOVUPD 2*off(xStart)(place*8), xs; \
	VCVTPS2PD off(row)(place*4), Z16; VCVTPS2PD off(row1)(place*4), Z17; \
	VCVTPS2PD off(row2)(place*4), Z18; VCVTPS2PD off(row3)(place*4), Z19; VFMADD231PD Z16, xs, a; \
	VFMADD231PD Z17, xs, b; VFMADD231PD Z18, xs, c; VFMADD231PD Z19, xs, d
#define LAST(off, a, b, c, d) VCVTPS2PD.Z off(row)(place*4), K1, Z16; \
	VCVTPS2PD.Z off(row1)(place*4), K1, Z17; VCVTPS2PD.Z off(row2)(place*4), K1, Z18; \
	VCVTPS2PD.Z off(row3)(place*4), K1, Z19; VFMADD231PD Z16, lastX, K1, a; \
	VFMADD231PD Z17, lastX, K1, b; VFMADD231PD Z18, lastX, K1, c; VFMADD231PD Z19, lastX, K1, d
#define START(a, b, c, d) VMOVAPD minus0, a; VMOVAPD minus0, b; VMOVAPD minus0, c; VMOVAPD minus0, d

// Stores the sums of the four rows in Z21-Z24.
#define HALVES VSHUFF64X2 $0x44, Z22, Z21, Z26; VSHUFF64X2 $0xee, Z22, Z21, Z27; VADDPD Z27, Z26, Z26; \
	VSHUFF64X2 $0x44, Z24, Z23, Z28; VSHUFF64X2 $0xee, Z24, Z23, Z29; VADDPD Z29, Z28, Z28; \
	VSHUFF64X2 $0x88, Z28, Z26, Z27; VSHUFF64X2 $0xdd, Z28, Z26, Z29; VADDPD Z29, Z27, Z26; \
	VPERMILPD $0x55, Z26, Z27; VADDPD Z27, Z26, Z26; VPERMPD Z26, Z25, Z26; VMOVUPD Y26, (dst); ADDQ $32, dst

long: // goto single for fewer than four rows, or if the matrix is not in L2, where one stream is not slower
	CMPQ a_len+32(FP), $(const_gemvL2/4)
	JGT single
	CMPQ n, $4
	JLT single
	VMOVUPD order64<>(SB), Z25
	MOVQ cols+56(FP), tail // blocks = (cols-1) &^ 31; tail = cols-1 - blocks
	DECQ tail
	MOVQ tail, blocks
	ANDQ $-32, blocks
	SUBQ blocks, tail

nextFour: // Z0-Z15 = -0, the lanes 0 to 3 of row, row1, row2 and row3
	LEAQ (row)(step*1), row1
	LEAQ (row)(step*2), row2
	LEAQ (row1)(step*2), row3
	XORL place, place
	START(Z0, Z1, Z2, Z3)
	START(Z4, Z5, Z6, Z7)
	START(Z8, Z9, Z10, Z11)
	START(Z12, Z13, Z14, Z15)

	PCALIGN $64
fourVectors: // lanes += rows·x
	STEP(0, Z0, Z4, Z8, Z12)
	STEP(32, Z1, Z5, Z9, Z13)
	STEP(64, Z2, Z6, Z10, Z14)
	STEP(96, Z3, Z7, Z11, Z15)
	ADDQ $32, place
	CMPQ place, blocks
	JLT fourVectors
	CMPQ tail, $8 // up to three whole vectors, and the last one
	JLT lastInLane0
	STEP(0, Z0, Z4, Z8, Z12)
	CMPQ tail, $16
	JLT lastInLane1
	STEP(32, Z1, Z5, Z9, Z13)
	CMPQ tail, $24 // the last vector is in lane 2 or 3
	JLT lastInLane2
	STEP(64, Z2, Z6, Z10, Z14)
	LAST(96, Z3, Z7, Z11, Z15)

sumFours: // sum the previous four rows in Z21-Z24, if any, in parallel with the products
	CMPQ row, a_base+24(FP)
	JEQ groups
	HALVES

groups: // Z21-Z24 = (lane 0 + lane 1) + (lane 2 + lane 3) of each row
	VADDPD Z1, Z0, Z0
	VADDPD Z5, Z4, Z4
	VADDPD Z9, Z8, Z8
	VADDPD Z13, Z12, Z12
	VADDPD Z3, Z2, Z2
	VADDPD Z7, Z6, Z6
	VADDPD Z11, Z10, Z10
	VADDPD Z15, Z14, Z14
	VADDPD Z2, Z0, Z21 // add the sums of lanes 2 and 3
	VADDPD Z6, Z4, Z22
	VADDPD Z10, Z8, Z23
	VADDPD Z14, Z12, Z24
	LEAQ (row)(step*4), row // if four rows remain: goto nextFour
	SUBQ $4, n
	CMPQ n, $4
	JGE nextFour
	HALVES
	TESTQ n, n // process the remaining rows one by one
	JEQ done
	XORL count, count
	MOVQ cols+56(FP), DX
	ADDQ $7, DX
	SHRQ $3, DX

#define whole  DX  // number of vectors of a row before the last one
#define back   R13 // bytes from the end of the loop to the start of the row
#define xPlace R10
#define todo   CX  // number of remaining whole vectors, minus 4 in the loop
single:
	DECQ whole // back = 32·(whole &^ 3)
	MOVQ whole, back
	ANDQ $-4, back
	IMULQ $32, back
	SETAHEAD(longRow)
	MOVQ xStart, xPlace // lanes = row·x
	LEAQ -8(whole), todo
	VCVTPS2PD (row), Z8
	VCVTPS2PD 32(row), Z9
	VCVTPS2PD 64(row), Z10
	VCVTPS2PD 96(row), Z11
	VMULPD (xPlace), Z8, Z0
	VMULPD 64(xPlace), Z9, Z1
	VMULPD 128(xPlace), Z10, Z2 // vectors 2 and 3
	VMULPD 192(xPlace), Z11, Z3

	PCALIGN $64
block: // lanes += row·x
	ADDQ $256, xPlace
	ADDQ $128, row
	AHEAD(0)
	AHEAD(64)
	VCVTPS2PD (row), Z8
	VCVTPS2PD 32(row), Z9
	VCVTPS2PD 64(row), Z10
	VCVTPS2PD 96(row), Z11
	VFMADD231PD (xPlace), Z8, Z0 // four vectors
	VFMADD231PD 64(xPlace), Z9, Z1
	VFMADD231PD 128(xPlace), Z10, Z2
	VFMADD231PD 192(xPlace), Z11, Z3
	SUBQ $4, todo
	JGE block
	ADDQ $256, xPlace // todo = number of remaining whole vectors, 0 to 3
	ADDQ $128, row
	ADDQ $4, todo
	JEQ end0
	CMPQ todo, $2
	JLT end1
	JEQ end2
	VCVTPS2PD (row), Z8 // lanes += row·x for three vectors and the last vector
	VFMADD231PD (xPlace), Z8, Z0
	VCVTPS2PD 32(row), Z8
	VFMADD231PD 64(xPlace), Z8, Z1
	VCVTPS2PD 64(row), Z8
	VFMADD231PD 128(xPlace), Z8, Z2
	VCVTPS2PD.Z 96(row), K1, Z8
	VFMADD231PD Z8, lastX, K1, Z3

longSum: // sum the row and go to the next one
	SUBQ back, row
	GROUPS
	SUMS(longRow, longTwo, longFour, longEight)

lastInLane0: // lanes of four rows += products of the last vector
	LAST(0, Z0, Z4, Z8, Z12)
	JMP sumFours

lastInLane1:
	LAST(32, Z1, Z5, Z9, Z13)
	JMP sumFours

lastInLane2:
	LAST(64, Z2, Z6, Z10, Z14)
	JMP sumFours

end0: // lanes += row·x for the last vector
	VCVTPS2PD.Z (row), K1, Z8
	VFMADD231PD Z8, lastX, K1, Z0
	JMP longSum

end1: // lanes += row·x for one vector and the last vector
	VCVTPS2PD (row), Z8
	VFMADD231PD (xPlace), Z8, Z0
	VCVTPS2PD.Z 32(row), K1, Z8
	VFMADD231PD Z8, lastX, K1, Z1
	JMP longSum

end2: // lanes += row·x for two vectors and the last vector
	VCVTPS2PD (row), Z8
	VFMADD231PD (xPlace), Z8, Z0
	VCVTPS2PD 32(row), Z8
	VFMADD231PD 64(xPlace), Z8, Z1
	VCVTPS2PD.Z 64(row), K1, Z8
	VFMADD231PD Z8, lastX, K1, Z2
	JMP longSum

storeEdge: // store the CX remaining sums one at a time
	VMOVSD X0, (dst)
	VALIGNQ $1, Z0, Z0, Z0
	ADDQ $8, dst
	DECL CX
	JNE storeEdge
	VZEROUPPER
	RET

#undef SIZE
#undef ADD
#undef EIGHTH
#undef STORE8
#undef STOREREST
#undef FP512
#undef xStart
#undef ahead
#undef wide
#undef minus0
#undef lastX
#undef SETAHEAD
#undef AHEAD
#undef BEGIN
#undef GO
#undef FIRST4
#undef FIRST5
#undef FIRST6
#undef FIRST7
#undef FIRST8
#undef FIRST9
#undef FIRST10
#undef FIRST11
#undef FIRST12
#undef FIRST13
#undef FIRST14
#undef FIRST15
#undef FIRST16
#undef WIDTH
#undef LOAD
#undef row1
#undef row2
#undef row3
#undef place
#undef blocks
#undef tail
#undef xs
#undef STEP
#undef LAST
#undef START
#undef HALVES
#undef whole
#undef back
#undef xPlace
#undef todo

// func nonzerosF32AVX512(index []int32, value, row []float32, first int) int
// Requires: AVX512F, POPCNT
//
// Sixteen elements are processed at a time, and the nonzero ones are packed. The tail is processed
// under a mask.
//
// Registers: DI: index; R8: value; SI: row; BX: remaining elements, minus 16 in the loop; R10:
// number of nonzero elements found; Z0: elements; Z3: columns of the elements; Z5: 16; Z1: zeros;
// K1: mask of the nonzero elements.
TEXT ·nonzerosF32AVX512(SB), NOSPLIT, $0-88
	MOVQ index_base+0(FP), DI
	MOVQ value_base+24(FP), R8
	MOVQ row_base+48(FP), SI
	MOVQ row_len+56(FP), BX
	XORQ R10, R10
	VPXORD Z1, Z1, Z1
	VPBROADCASTD first+72(FP), Z3 // columns = first + (0, 1, …, 15)
	VPADDD github·com∕simdrank∕simdrank∕internal∕kern·Iota(SB), Z3, Z3
	MOVL $16, AX
	VPBROADCASTD AX, Z5
	SUBQ $16, BX
	JLT tail

sixteen:
	VMOVUPS (SI), Z0

pack: // CX = number of nonzero elements; Z2, Z4 = these elements and their columns
	VCMPPS $4, Z1, Z0, K1
	KMOVW K1, AX
	POPCNTL AX, CX
	VCOMPRESSPS Z0, K1, Z2
	VPCOMPRESSD Z3, K1, Z4
	MOVL $1, DX // store CX elements and columns
	SHLL CX, DX
	DECL DX
	KMOVW DX, K2
	VMOVUPS Z2, K2, (R8)(R10*4)
	VMOVDQU32 Z4, K2, (DI)(R10*4)
	ADDQ CX, R10 // advance by sixteen elements
	VPADDD Z5, Z3, Z3
	ADDQ $64, SI
	SUBQ $16, BX
	JGE sixteen

tail: // if elements remain: process them under a mask
	ADDQ $16, BX
	JLE done
	MOVQ BX, CX
	MOVL $1, DX
	SHLL CX, DX
	DECL DX
	KMOVW DX, K3
	VMOVUPS.Z (SI), K3, Z0 // BX = 0, so that pack ends after the tail
	XORQ BX, BX
	JMP pack

done:
	MOVQ R10, ret+80(FP)
	VZEROUPPER
	RET
