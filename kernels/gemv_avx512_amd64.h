// The body of gemvF64AVX512 and gemvF32AVX512 in kernels_gemv_rows_avx512_amd64.s, for at least one
// row and one column. These macros depend on the type: MOV, MUL, FMA, ADD, COMPRESS, MINUS0, SIZE
// and LOG = log₂(SIZE), EIGHTH, and the stores. sums_avx512_amd64.h explains EIGHTH and the stores.
// The body undefines the macros at its end.
//
// Registers: DX: number of vectors in a row, later in its tail; K1: mask of the elements of the
// last vector; K2: the same mask for the fourth vector of an iteration; Z0-Z3: lanes of a row;
// Z4-Z6: rows whose sums wait for other rows (see SUMS); Z7-Z30: x except its last vector.

#define xStart R8
#define last   R12 // bytes before the last vector of a row
#define lastX  Z31 // last vector of x

// FIRSTn processes the first n-1 vectors of a row. It applies the macro begin, which initializes
// the lanes, to the first four vectors, and the macro go to the others. The arguments of both
// macros are the offset, x and lanes of a vector.
#define FIRST2(begin, go) begin(0, Z7, Z0)
#define FIRST3(begin, go) FIRST2(begin, go); begin(64, Z8, Z1)
#define FIRST4(begin, go) FIRST3(begin, go); begin(128, Z9, Z2)
#define FIRST5(begin, go) FIRST4(begin, go); begin(192, Z10, Z3)
#define FIRST6(begin, go) FIRST5(begin, go); go(256, Z11, Z0)
#define FIRST7(begin, go) FIRST6(begin, go); go(320, Z12, Z1)
#define FIRST8(begin, go) FIRST7(begin, go); go(384, Z13, Z2)
#define FIRST9(begin, go) FIRST8(begin, go); go(448, Z14, Z3)
#define FIRST10(begin, go) FIRST9(begin, go); go(512, Z15, Z0)
#define FIRST11(begin, go) FIRST10(begin, go); go(576, Z16, Z1)
#define FIRST12(begin, go) FIRST11(begin, go); go(640, Z17, Z2)
#define FIRST13(begin, go) FIRST12(begin, go); go(704, Z18, Z3)
#define FIRST14(begin, go) FIRST13(begin, go); go(768, Z19, Z0)
#define FIRST15(begin, go) FIRST14(begin, go); go(832, Z20, Z1)
#define FIRST16(begin, go) FIRST15(begin, go); go(896, Z21, Z2)
#define FIRST17(begin, go) FIRST16(begin, go); go(960, Z22, Z3)
#define FIRST18(begin, go) FIRST17(begin, go); go(1024, Z23, Z0)
#define FIRST19(begin, go) FIRST18(begin, go); go(1088, Z24, Z1)
#define FIRST20(begin, go) FIRST19(begin, go); go(1152, Z25, Z2)
#define FIRST21(begin, go) FIRST20(begin, go); go(1216, Z26, Z3)
#define FIRST22(begin, go) FIRST21(begin, go); go(1280, Z27, Z0)
#define FIRST23(begin, go) FIRST22(begin, go); go(1344, Z28, Z1)
#define FIRST24(begin, go) FIRST23(begin, go); go(1408, Z29, Z2)
#define FIRST25(begin, go) FIRST24(begin, go); go(1472, Z30, Z3)
// If a row has only one vector, lanes without an element are -0.
#define LOAD0(begin, go) VPTERNLOGD $0xff, Z30, Z30, Z30; MINUS0
#define LOADX(off, x, lanes) MOV off(xStart), x
#define BEGIN(off, x, lanes) MUL off(row), x, lanes
#define GO(off, x, lanes) FMA off(row), x, lanes

// Z0 = the sum (0+1) + (2+3) of the lanes of a row. Lanes without an element are not added.
#define ROW1 VMOVAPD Z30, Z0; MUL (row), lastX, K1, Z0
#define ROW2 FIRST2(BEGIN, GO); MUL.Z (row)(last*1), lastX, K1, Z1; ADD Z1, Z0, K1, Z0
#define ROW3 FIRST3(BEGIN, GO); MUL.Z (row)(last*1), lastX, K1, Z2; ADD Z1, Z0, Z0; ADD Z2, Z0, K1, Z0
#define ROW4 FIRST4(BEGIN, GO); MUL.Z (row)(last*1), lastX, K1, Z3; ADD Z1, Z0, Z0; \
	ADD Z3, Z2, K1, Z2; ADD Z2, Z0, Z0
#define ROW(first, lanes) first(BEGIN, GO); FMA (row)(last*1), lastX, K1, lanes; GROUPS

// TWO, FOUR and EIGHT process this number of rows without the branches of SUMS. The parameter all
// is a macro that sums the lanes of one row.
#define TWO(all) all; VMOVAPD Z0, Z4; ADDQ step, row; all; HALVE(Z4); ADDQ step, row
#define FOUR(all) TWO(all); VMOVAPD Z0, Z5; TWO(all); QUARTER(Z5)
#define EIGHT(all) FOUR(all); VMOVAPD Z0, Z6; FOUR(all); EIGHTH(Z6); STORE8

// Processes all rows of one width. Narrow rows are processed eight at a time while at least eight
// remain. If eight rows of four or more vectors were processed in this way, a load would advance by
// at least 2 KB per iteration. The hardware does not prefetch such loads, and the throughput of L2
// would be half.
#define NARROW(width, next, eights, few, two, four, eight, first, all) \
width: first(LOADX, LOADX); SUBQ $8, n; JLT few; \
eights: EIGHT(all); SUBQ $8, n; JGE eights; \
few: ADDQ $8, n; JEQ done; \
next: all; SUMS(next, two, four, eight)
#define WIDTH(width, next, two, four, eight, first, all) \
width: first(LOADX, LOADX); \
next: all; SUMS(next, two, four, eight)

	MOVQ dst_base+0(FP), dst
	MOVQ a_base+24(FP), row
	MOVQ rows+48(FP), n
	MOVQ cols+56(FP), DX
	MOVQ stride+64(FP), step // step = SIZE·stride
	SHLQ $LOG, step
	MOVQ x_base+72(FP), xStart
	XORL count, count
	LEAQ -1(DX), last // last = (cols-1) &^ (lanes-1); CX = cols - last
	ANDQ $-(64>>LOG), last
	MOVQ DX, CX
	SUBQ last, CX
	MOVL $1, AX // K1 = 1<<CX - 1
	SHLL CX, AX
	DECL AX
	KMOVW AX, K1
	SHLQ $LOG, last
	ADDQ $((64>>LOG)-1), DX // DX = ⌈cols/lanes⌉
	SHRQ $(6-LOG), DX
	LEAQ (xStart)(last*1), R10 // load lastX; if the load would reach into the next page: goto edge
	MOVL R10, AX
	ANDL $4095, AX
	CMPL AX, $4032
	JHI edge
	MOV.Z (R10), K1, lastX

widths:
#include "gemv_widths_avx512_amd64.h"
	JMP long

	NARROW(width1, row1, eights1, few1, two1, four1, eight1, LOAD0, ROW1) // rows of 1 to 4 vectors
	NARROW(width2, row2, eights2, few2, two2, four2, eight2, FIRST2, ROW2)
	NARROW(width3, row3, eights3, few3, two3, four3, eight3, FIRST3, ROW3)
	WIDTH(width4, row4, two4, four4, eight4, FIRST4, ROW4)
	WIDTH(width5, row5, two5, four5, eight5, FIRST5, ROW(FIRST5, Z0)) // rows of 5 to 11 vectors
	WIDTH(width6, row6, two6, four6, eight6, FIRST6, ROW(FIRST6, Z1))
	WIDTH(width7, row7, two7, four7, eight7, FIRST7, ROW(FIRST7, Z2))
	WIDTH(width8, row8, two8, four8, eight8, FIRST8, ROW(FIRST8, Z3))
	WIDTH(width9, row9, two9, four9, eight9, FIRST9, ROW(FIRST9, Z0))
	WIDTH(width10, row10, two10, four10, eight10, FIRST10, ROW(FIRST10, Z1))
	WIDTH(width11, row11, two11, four11, eight11, FIRST11, ROW(FIRST11, Z2))
	WIDTH(width12, row12, two12, four12, eight12, FIRST12, ROW(FIRST12, Z3)) // rows of 12 to 18 vectors
	WIDTH(width13, row13, two13, four13, eight13, FIRST13, ROW(FIRST13, Z0))
	WIDTH(width14, row14, two14, four14, eight14, FIRST14, ROW(FIRST14, Z1))
	WIDTH(width15, row15, two15, four15, eight15, FIRST15, ROW(FIRST15, Z2))
	WIDTH(width16, row16, two16, four16, eight16, FIRST16, ROW(FIRST16, Z3))
	WIDTH(width17, row17, two17, four17, eight17, FIRST17, ROW(FIRST17, Z0))
	WIDTH(width18, row18, two18, four18, eight18, FIRST18, ROW(FIRST18, Z1))
	WIDTH(width19, row19, two19, four19, eight19, FIRST19, ROW(FIRST19, Z2)) // rows of 19 to 25 vectors
	WIDTH(width20, row20, two20, four20, eight20, FIRST20, ROW(FIRST20, Z3))
	WIDTH(width21, row21, two21, four21, eight21, FIRST21, ROW(FIRST21, Z0))
	WIDTH(width22, row22, two22, four22, eight22, FIRST22, ROW(FIRST22, Z1))
	WIDTH(width23, row23, two23, four23, eight23, FIRST23, ROW(FIRST23, Z2))
	WIDTH(width24, row24, two24, four24, eight24, FIRST24, ROW(FIRST24, Z3))
	WIDTH(width25, row25, two25, four25, eight25, FIRST25, ROW(FIRST25, Z0))

edge: // lastX = the last CX elements of the vector that ends with the last element
	MOVQ CX, R13
	NEGQ CX
	ADDQ $(64>>LOG), CX
	MOVL $-1, AX
	SHLL CX, AX
	KMOVW AX, K2
	MOV.Z -64(R10)(R13*SIZE), K2, lastX // move the elements to the front
	COMPRESS.Z lastX, K2, lastX
	JMP widths

	REST // store the sums that wait; SUMS jumps here after the last row

done:
	VZEROUPPER
	RET

storeEdge: // store the CX remaining sums one at a time
	STOREONE
	ADDQ $SIZE, dst
	DECL CX
	JNE storeEdge
	VZEROUPPER
	RET

#define step3  AX  // bytes of three rows; before that, bytes of the matrix
#define xPlace R10
#define fours  R13 // groups of four vectors; the last group includes the tail
#define tail   DX  // number of vectors after whole groups, 0 to 3; see single for 4
#define todo   CX  // remaining groups, without the last one if four rows are processed at a time
#define back   R12 // number of bytes by which the loop advances row
#define minus0 Z30

// STEP adds the products rows·x of one vector to the lanes of four rows. LAST does the same for the
// last vector, under its mask.
#define STEP(off, x, a, b, c, d) MOV off(xPlace), x; FMA off(row), x, a; \
	FMA off(row)(step*1), x, b; FMA off(row)(step*2), x, c; FMA off(row)(step3*1), x, d
#define LAST(off, a, b, c, d) FMA off(row), lastX, K1, a; FMA off(row)(step*1), lastX, K1, b; \
	FMA off(row)(step*2), lastX, K1, c; FMA off(row)(step3*1), lastX, K1, d
#define START(a, b, c, d) VMOVAPD minus0, a; VMOVAPD minus0, b; VMOVAPD minus0, c; VMOVAPD minus0, d

width26: // rows of more than 25 vectors: four vectors at a time, with x in memory
width27:
long:
	VPTERNLOGD $0xff, minus0, minus0, minus0
	MINUS0
	MOVQ DX, fours // fours = ⌈vectors/4⌉; tail = vectors mod 4
	ADDQ $3, fours
	SHRQ $2, fours
	ANDQ $3, tail
	MOVQ step, AX // if the matrix is not in L1: goto single; four rows take 0.65 of the time for 700 columns
	IMULQ n, AX
	CMPQ AX, $const_gemvL1
	JGT single
	LEAQ (step)(step*2), step3
	SUBQ $4, n
	JLT lastRows

longRows: // Z0-Z15 = -0, the lanes 0 to 3 of four rows
	MOVQ xStart, xPlace
	LEAQ -1(fours), todo
	START(Z0, Z1, Z2, Z3)
	START(Z4, Z5, Z6, Z7)
	START(Z8, Z9, Z10, Z11)
	START(Z12, Z13, Z14, Z15)

	PCALIGN $64
fourVectors: // lanes += rows·x
	STEP(0, Z16, Z0, Z4, Z8, Z12)
	STEP(64, Z17, Z1, Z5, Z9, Z13)
	STEP(128, Z18, Z2, Z6, Z10, Z14)
	STEP(192, Z19, Z3, Z7, Z11, Z15)
	ADDQ $256, xPlace
	ADDQ $256, row
	DECQ todo
	JNE fourVectors
	CMPQ tail, $1 // up to three more whole vectors, and the last one
	JEQ lastInLane0
	STEP(0, Z16, Z0, Z4, Z8, Z12)
	CMPQ tail, $2
	JEQ lastInLane1
	STEP(64, Z17, Z1, Z5, Z9, Z13)
	CMPQ tail, $3 // the last vector is in lane 2 or 3
	JEQ lastInLane2
	STEP(128, Z18, Z2, Z6, Z10, Z14)
	LAST(192, Z3, Z7, Z11, Z15)

longSums: // row = the next four rows
	LEAQ -1(fours), CX
	SHLQ $8, CX
	SUBQ CX, row
	LEAQ (row)(step*4), row
	ADD Z9, Z8, Z8 // Z8, Z12 = (lane 0 + lane 1) + (lane 2 + lane 3) of rows 2 and 3
	ADD Z11, Z10, Z10
	ADD Z13, Z12, Z12
	ADD Z15, Z14, Z14
	ADD Z10, Z8, Z8
	ADD Z14, Z12, Z12
	GROUPS // Z5, Z0 = the same for rows 0 and 1
	ADD Z5, Z4, Z4
	ADD Z7, Z6, Z6
	VMOVAPD Z0, Z5
	ADD Z6, Z4, Z0
	HALVE(Z5) // store the sums of the four rows
	VMOVAPD Z0, Z5
	VMOVAPD Z12, Z0
	HALVE(Z8)
	QUARTER(Z5)
	EIGHTH(Z0)
	STORE4
	SUBQ $4, n // if four rows remain: goto longRows
	JGE longRows

lastRows:
	ADDQ $4, n
	JEQ done

single: // if the matrix is not in L2, a constant step is slower (see fourth): if tail = 0: tail = 4
	CMPQ AX, $const_gemvL2
	JLE chosen
	TESTQ tail, tail
	JNE chosen
	MOVL $4, tail

chosen: // back = 256·fours, or 256·(fours-1) if tail is not 0
	MOVQ tail, back
	NEGQ back
	SBBQ back, back
	ADDQ fours, back
	SHLQ $8, back
	MOVL $-1, AX // K2 = ones, because all vectors but the last are whole
	KMOVW AX, K2

longRow: // lanes = -0
	START(Z0, Z1, Z2, Z3)
	MOVQ xStart, xPlace
	MOVQ fours, todo

	PCALIGN $64
fourth: // also the last group if tail = 0, because the hardware prefetches loads with a constant step
	MOV (row), Z8
	MOV 64(row), Z9
	MOV 128(row), Z10
	MOV.Z 192(row), K2, Z11
	ADDQ $256, row
	DECQ todo
	JEQ lastFour
	FMA (xPlace), Z8, Z0 // lanes += row·x
	FMA 64(xPlace), Z9, Z1
	FMA 128(xPlace), Z10, Z2
	FMA 192(xPlace), Z11, Z3
	ADDQ $256, xPlace
	CMPQ todo, $1 // before the last group: K2 = K1 if tail = 0; otherwise goto the tail
	JNE fourth
	CMPQ tail, $1
	JEQ last1
	JGT lastTwo
	KMOVW K1, K2
	JMP fourth

lastFour: // lanes += row·x, with the last vector under its mask
	FMA (xPlace), Z8, Z0
	FMA 64(xPlace), Z9, Z1
	FMA 128(xPlace), Z10, Z2
	FMA lastX, Z11, K1, Z3
	KMOVW AX, K2

longSum: // sum the row and go to the next one
	SUBQ back, row
	GROUPS
	SUMS(longRow, longTwo, longFour, longEight)

lastInLane0: // lanes of four rows += products of the last vector
	LAST(0, Z0, Z4, Z8, Z12)
	JMP longSums

lastInLane1:
	LAST(64, Z1, Z5, Z9, Z13)
	JMP longSums

lastInLane2:
	LAST(128, Z2, Z6, Z10, Z14)
	JMP longSums

last1: // lanes += row·x for a tail of one vector
	FMA (row), lastX, K1, Z0
	JMP longSum

lastTwo: // lanes += row·x for a tail of two to four vectors
	MOV (row), Z8
	FMA (xPlace), Z8, Z0
	CMPQ tail, $2
	JEQ last2
	MOV 64(row), Z9
	FMA 64(xPlace), Z9, Z1
	CMPQ tail, $3
	JEQ last3
	MOV 128(row), Z10 // four vectors
	FMA 128(xPlace), Z10, Z2
	FMA 192(row), lastX, K1, Z3
	JMP longSum

last3:
	FMA 128(row), lastX, K1, Z2
	JMP longSum

last2: // the last vector
	FMA 64(row), lastX, K1, Z1
	JMP longSum

#undef xStart
#undef last
#undef lastX
#undef FIRST2
#undef FIRST3
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
#undef FIRST17
#undef FIRST18
#undef FIRST19
#undef FIRST20
#undef FIRST21
#undef FIRST22
#undef FIRST23
#undef FIRST24
#undef FIRST25
#undef LOAD0
#undef LOADX
#undef BEGIN
#undef GO
#undef ROW1
#undef ROW2
#undef ROW3
#undef ROW4
#undef ROW
#undef TWO
#undef FOUR
#undef EIGHT
#undef NARROW
#undef WIDTH
#undef step3
#undef xPlace
#undef fours
#undef tail
#undef todo
#undef back
#undef minus0
#undef STEP
#undef LAST
#undef START
#undef LOG
#undef SIZE
#undef MOV
#undef COMPRESS
#undef MINUS0
#undef MUL
#undef FMA
#undef ADD
#undef EIGHTH
#undef STORE8
#undef STORE4
#undef STOREREST
#undef STOREONE
