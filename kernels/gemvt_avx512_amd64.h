// The body of the functions in kernels_gemv_transpose_avx512_amd64.s.

	MOVQ dst_base+0(FP), DI
	MOVQ a_base+24(FP), R12
	MOVQ stride+64(FP), R9
	SHLQ $ROWLOG, R9
	MOVQ cols+56(FP), R11
	MOVQ R11, CX
	NEGQ CX
	ANDQ $(LANES-1), CX
	MOVL $((1<<LANES)-1), AX
	SHRL CX, AX
	KMOVW AX, K2
	ADDQ $(LANES-1), R11
	SHRQ $(6-LOG), R11
	MOVQ R11, R13
	CMPQ R11, $28
	JLE even
	// strips = ⌈vectors/28⌉, vectors of a strip = ⌈vectors/strips⌉
	LEAQ 27(R11), AX
	XORL DX, DX
	MOVL $28, CX
	DIVQ CX
	MOVQ AX, CX
	LEAQ -1(R11)(CX*1), AX
	XORL DX, DX
	DIVQ CX
	MOVQ AX, R13

even: // is the matrix taken to be in L2?
	XORL CX, CX
	MOVQ R13, AX
	SHLQ $VECTORLOG, AX
	CMPQ AX, R9
	JGE strip
	MOVQ rows+48(FP), AX
	IMULQ cols+56(FP), AX
	SUBQ $(const_gemvL1>>ROWLOG), AX
	CMPQ AX, $((const_gemvL2-const_gemvL1)>>ROWLOG)
	SETCS CX

strip:
	KXNORW K1, K1, K1
	MOVQ R13, DX
	CMPQ R11, R13
	JGT begin
	MOVQ R11, DX
	KMOVW K2, K1

begin:
	MOVQ DX, R10
	SHLQ $VECTORLOG, R10
	SUBQ $(1<<VECTORLOG), R10
	MOVQ R12, SI
	MOVQ c_base+72(FP), R8
	MOVQ rows+48(FP), BX
	BROADCAST (R8), Z28
#include "gemv_widths_avx512_amd64.h"
	JMP width28

	WIDTH(width1, row1, apart1, store1, FIRST0)
	WIDTH(width2, row2, apart2, store2, FIRST1)
	WIDTH(width3, row3, apart3, store3, FIRST2)
	WIDTH(width4, row4, apart4, store4, FIRST3)
	WIDTH(width5, row5, apart5, store5, FIRST4)
	WIDTH(width6, row6, apart6, store6, FIRST5)
	WIDTH(width7, row7, apart7, store7, FIRST6)
	WIDTH(width8, row8, apart8, store8, FIRST7)
	WIDTH(width9, row9, apart9, store9, FIRST8)
	WIDTH(width10, row10, apart10, store10, FIRST9)
	WIDTH(width11, row11, apart11, store11, FIRST10)
	WIDTH(width12, row12, apart12, store12, FIRST11)
	WIDTH(width13, row13, apart13, store13, FIRST12)
	WIDTH(width14, row14, apart14, store14, FIRST13)
	WIDTH(width15, row15, apart15, store15, FIRST14)
	WIDTH(width16, row16, apart16, store16, FIRST15)
	WIDTH(width17, row17, apart17, store17, FIRST16)
	WIDTH(width18, row18, apart18, store18, FIRST17)
	WIDTH(width19, row19, apart19, store19, FIRST18)
	WIDTH(width20, row20, apart20, store20, FIRST19)
	WIDTH(width21, row21, apart21, store21, FIRST20)
	WIDTH(width22, row22, apart22, store22, FIRST21)
	WIDTH(width23, row23, apart23, store23, FIRST22)
	WIDTH(width24, row24, apart24, store24, FIRST23)
	WIDTH(width25, row25, apart25, store25, FIRST24)
	WIDTH(width26, row26, apart26, store26, FIRST25)
	WIDTH(width27, row27, apart27, store27, FIRST26)
	WIDTH(width28, row28, apart28, store28, FIRST27)

stored:
	MOV Z27, K1, (DI)(R10*WIDEN)
	LEAQ 64(DI)(R10*WIDEN), DI
	LEAQ (1<<VECTORLOG)(R12)(R10*1), R12
	SUBQ DX, R11
	JNE strip
	VZEROUPPER
	RET
