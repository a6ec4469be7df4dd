// The body of gemvF64AVX512 and gemvF32AVX512 in kernels_gemv_rows_avx512_amd64.s, for at least
// one row and one column.

	MOVQ dst_base+0(FP), DI
	MOVQ a_base+24(FP), SI
	MOVQ rows+48(FP), BX
	MOVQ cols+56(FP), DX
	MOVQ stride+64(FP), R9
	SHLQ $LOG, R9
	MOVQ x_base+72(FP), R8
	XORL R11, R11
	LEAQ -1(DX), R12
	ANDQ $-LANES, R12
	MOVQ DX, CX
	SUBQ R12, CX // elements of the last vector
	MOVL $1, AX
	SHLL CX, AX
	DECL AX
	KMOVW AX, K1
	SHLQ $LOG, R12
	ADDQ $(LANES-1), DX
	SHRQ $(6-LOG), DX
	LEAQ (R8)(R12*1), R10
	MOVL R10, AX
	ANDL $4095, AX
	CMPL AX, $4032
	JHI edge
	MOV.Z (R10), K1, Z31

widths:
#include "gemv_widths_avx512_amd64.h"
	JMP long

	NARROW(width1, row1, eights1, few1, two1, four1, eight1, LOAD0, ROW1)
	NARROW(width2, row2, eights2, few2, two2, four2, eight2, FIRST2, ROW2)
	NARROW(width3, row3, eights3, few3, two3, four3, eight3, FIRST3, ROW3)
	WIDTH(width4, row4, two4, four4, eight4, FIRST4, ROW4)
	WIDTH(width5, row5, two5, four5, eight5, FIRST5, ROW(FIRST5, Z0))
	WIDTH(width6, row6, two6, four6, eight6, FIRST6, ROW(FIRST6, Z1))
	WIDTH(width7, row7, two7, four7, eight7, FIRST7, ROW(FIRST7, Z2))
	WIDTH(width8, row8, two8, four8, eight8, FIRST8, ROW(FIRST8, Z3))
	WIDTH(width9, row9, two9, four9, eight9, FIRST9, ROW(FIRST9, Z0))
	WIDTH(width10, row10, two10, four10, eight10, FIRST10, ROW(FIRST10, Z1))
	WIDTH(width11, row11, two11, four11, eight11, FIRST11, ROW(FIRST11, Z2))
	WIDTH(width12, row12, two12, four12, eight12, FIRST12, ROW(FIRST12, Z3))
	WIDTH(width13, row13, two13, four13, eight13, FIRST13, ROW(FIRST13, Z0))
	WIDTH(width14, row14, two14, four14, eight14, FIRST14, ROW(FIRST14, Z1))
	WIDTH(width15, row15, two15, four15, eight15, FIRST15, ROW(FIRST15, Z2))
	WIDTH(width16, row16, two16, four16, eight16, FIRST16, ROW(FIRST16, Z3))
	WIDTH(width17, row17, two17, four17, eight17, FIRST17, ROW(FIRST17, Z0))
	WIDTH(width18, row18, two18, four18, eight18, FIRST18, ROW(FIRST18, Z1))
	WIDTH(width19, row19, two19, four19, eight19, FIRST19, ROW(FIRST19, Z2))
	WIDTH(width20, row20, two20, four20, eight20, FIRST20, ROW(FIRST20, Z3))
	WIDTH(width21, row21, two21, four21, eight21, FIRST21, ROW(FIRST21, Z0))
	WIDTH(width22, row22, two22, four22, eight22, FIRST22, ROW(FIRST22, Z1))
	WIDTH(width23, row23, two23, four23, eight23, FIRST23, ROW(FIRST23, Z2))
	WIDTH(width24, row24, two24, four24, eight24, FIRST24, ROW(FIRST24, Z3))
	WIDTH(width25, row25, two25, four25, eight25, FIRST25, ROW(FIRST25, Z0))

edge: // near the end of a page: the vector that ends with the last element, moved down
	MOVQ CX, R13
	NEGQ CX
	ADDQ $LANES, CX
	MOVL $-1, AX
	SHLL CX, AX
	KMOVW AX, K2
	MOV.Z -64(R10)(R13*SIZE), K2, Z31
	COMPRESS.Z Z31, K2, Z31
	JMP widths

	REST

done:
	VZEROUPPER
	RET

storeEdge:
	STOREONE
	ADDQ $SIZE, DI
	DECL CX
	JNE storeEdge
	VZEROUPPER
	RET

width26: // and more
width27:
long: // x from memory, four vectors at a time. R13: fours, the last one with what comes after it; DX: vectors
	// after the others; R10: x; CX: fours left; Z30: −0
	VPTERNLOGD $0xff, Z30, Z30, Z30
	MINUS0
	MOVQ DX, R13
	ADDQ $3, R13
	SHRQ $2, R13
	ANDQ $3, DX
	// a matrix that may be in L1 in fours of rows
	MOVQ R9, AX
	IMULQ BX, AX
	CMPQ AX, $const_gemvL1
	JGT single
	LEAQ (R9)(R9*2), AX // three rows
	SUBQ $4, BX
	JLT few

longRows:
	MOVQ R8, R10
	LEAQ -1(R13), CX
	START(Z0, Z1, Z2, Z3)
	START(Z4, Z5, Z6, Z7)
	START(Z8, Z9, Z10, Z11)
	START(Z12, Z13, Z14, Z15)

	PCALIGN $64
fours:
	STEP(0, Z16, Z0, Z4, Z8, Z12)
	STEP(64, Z17, Z1, Z5, Z9, Z13)
	STEP(128, Z18, Z2, Z6, Z10, Z14)
	STEP(192, Z19, Z3, Z7, Z11, Z15)
	ADDQ $256, R10
	ADDQ $256, SI
	DECQ CX
	JNE fours
	CMPQ DX, $1
	JEQ firsts
	STEP(0, Z16, Z0, Z4, Z8, Z12)
	CMPQ DX, $2
	JEQ seconds
	STEP(64, Z17, Z1, Z5, Z9, Z13)
	CMPQ DX, $3
	JEQ thirds
	STEP(128, Z18, Z2, Z6, Z10, Z14)
	LAST(192, Z3, Z7, Z11, Z15)

longSums:
	LEAQ -1(R13), CX
	SHLQ $8, CX
	SUBQ CX, SI
	LEAQ (SI)(R9*4), SI
	ADD Z9, Z8, Z8
	ADD Z11, Z10, Z10
	ADD Z13, Z12, Z12
	ADD Z15, Z14, Z14
	ADD Z10, Z8, Z8
	ADD Z14, Z12, Z12
	GROUPS
	ADD Z5, Z4, Z4
	ADD Z7, Z6, Z6
	VMOVAPD Z0, Z5
	ADD Z6, Z4, Z0
	HALVE(Z5)
	VMOVAPD Z0, Z5
	VMOVAPD Z12, Z0
	HALVE(Z8)
	QUARTER(Z5)
	EIGHTH(Z0)
	STORE4
	SUBQ $4, BX
	JGE longRows

few:
	ADDQ $4, BX
	JEQ done

single: // from L3 or memory an even step does harm, see fourth
	CMPQ AX, $const_gemvL2
	JLE even
	TESTQ DX, DX
	JNE even
	MOVL $4, DX

even: // R12: the fours that the loop adds to SI; K2: mask of a fourth vector
	MOVQ DX, R12
	NEGQ R12
	SBBQ R12, R12 // −1 when vectors come after them
	ADDQ R13, R12
	SHLQ $8, R12
	MOVL $-1, AX
	KMOVW AX, K2

longRow:
	START(Z0, Z1, Z2, Z3)
	MOVQ R8, R10
	MOVQ R13, CX

	PCALIGN $64
fourth: // the last four too, if there are as many: the prefetcher follows what steps evenly through memory
	MOV (SI), Z8
	MOV 64(SI), Z9
	MOV 128(SI), Z10
	MOV.Z 192(SI), K2, Z11
	ADDQ $256, SI
	DECQ CX
	JEQ lastFour
	FMA (R10), Z8, Z0
	FMA 64(R10), Z9, Z1
	FMA 128(R10), Z10, Z2
	FMA 192(R10), Z11, Z3
	ADDQ $256, R10
	CMPQ CX, $1
	JNE fourth
	CMPQ DX, $1
	JEQ last1
	JGT more
	KMOVW K1, K2
	JMP fourth

lastFour:
	FMA (R10), Z8, Z0
	FMA 64(R10), Z9, Z1
	FMA 128(R10), Z10, Z2
	FMA Z31, Z11, K1, Z3
	KMOVW AX, K2

longSum:
	SUBQ R12, SI
	GROUPS
	SUMS(longRow, longTwo, longFour, longEight)

firsts:
	LAST(0, Z0, Z4, Z8, Z12)
	JMP longSums

seconds:
	LAST(64, Z1, Z5, Z9, Z13)
	JMP longSums

thirds:
	LAST(128, Z2, Z6, Z10, Z14)
	JMP longSums

last1:
	FMA (SI), Z31, K1, Z0
	JMP longSum

more:
	MOV (SI), Z8
	FMA (R10), Z8, Z0
	CMPQ DX, $2
	JEQ last2
	MOV 64(SI), Z9
	FMA 64(R10), Z9, Z1
	CMPQ DX, $3
	JEQ last3
	MOV 128(SI), Z10
	FMA 128(R10), Z10, Z2
	FMA 192(SI), Z31, K1, Z3
	JMP longSum

last3:
	FMA 128(SI), Z31, K1, Z2
	JMP longSum

last2:
	FMA 64(SI), Z31, K1, Z1
	JMP longSum
