// Jumps to the code for rows of DX vectors, if DX is at most 27, by a search in four groups. The
// code after this header processes longer rows.

#define CASE(n, width) CMPQ DX, $n; JEQ width

	CMPQ DX, $14 // if DX > 14: goto over14; if DX > 7: goto over7
	JGT over14
	CMPQ DX, $7
	JGT over7
	CASE(1, width1) // 1 to 7 vectors
	CASE(2, width2)
	CASE(3, width3)
	CASE(4, width4)
	CASE(5, width5)
	CASE(6, width6)
	JMP width7

over7: // 8 to 14 vectors
	CASE(8, width8)
	CASE(9, width9)
	CASE(10, width10)
	CASE(11, width11)
	CASE(12, width12)
	CASE(13, width13)
	JMP width14

over14: // if DX > 21: goto over21; otherwise 15 to 17 vectors
	CMPQ DX, $21
	JGT over21
	CASE(15, width15)
	CASE(16, width16)
	CASE(17, width17)
	CASE(18, width18) // 18 to 21 vectors
	CASE(19, width19)
	CASE(20, width20)
	JMP width21

over21: // 22 to 27 vectors
	CASE(22, width22)
	CASE(23, width23)
	CASE(24, width24)
	CASE(25, width25)
	CASE(26, width26)
	CASE(27, width27)

#undef CASE
