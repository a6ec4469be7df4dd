// The loop nest of the pair losses for NEON. pair_names_arm64.h must be included before it.
//
// A block consists of four rows (preferred documents) i … i+3. Row i+k has pk partners, and p0 ≤ p1
// ≤ p2 ≤ p3. A row after the end of the query has p = 0. Each block processes its partners four
// times, for two of the eight virtual lanes at a time: j = 2g and 2g+1, then j+8, and so on. While
// j+1 < p0, both lanes are pairs. From there up to the last p, the lanes with j ≥ pk of row i+k are
// set to 0. The lane after the last p still belongs to a document, because p is at most the index
// of the row. This lane adds zeros.
//
// The function defines:
//   ROW(off, V, v)         sets V, number v, from row i+k, off = 8·k
//   LOAD_LOSS, SAVE_LOSS   load and store the loss of two lanes
//   TERMS                  V6-V9 = a term of each pair, 0 if it adds nothing
//   LOSS                   adds to the loss, and turns the terms into coefficients
//   TERMS_LOSS             TERMS and LOSS together
//   ADD_PAIRS              ADD_TERMS of the coefficients
// Registers: see pair_names_arm64.h; V0-V3: values of the rows; V4: input[j], input[j+1]; V5: c[j],
// c[j+1]; V6-V9: terms of each row; V12-V15: number of partners of each row; V16-V19: sums of each
// row's coefficients; V20-V23: the loss. The frame contains the sums for each g.

// ONLY_PAIRS sets the lanes of T to 0 in which j is at least the number of partners. V4 contains j,
// and the register with the number p contains the number of partners.
#define ONLY_PAIRS(p, T) \
	CMGTD2(4, p, 24)           \
	VAND V24.B16, T.B16, T.B16

// SUBTRACT subtracts the sum F from c[i+k], where off = 8·k.
#define SUBTRACT(off, F) \
	FMOVD off(nextC), F24      \
	FSUBD F, F24, F24          \
	FMOVD F24, off(nextC)

block:
	CMP  rowEnd, row        // if no rows remain: goto done
	BGE  done
	MOVD ZR, allEnd         // missing rows have p = 0
	MOVD ZR, p1
	MOVD ZR, p2
	MOVD ZR, p3
	ADD  row<<2, lower, R19 // load the first row; R20 = number of remaining rows
	SUB  row, rowEnd, R20
	MOVW (R19), p0
	MOVD p0, pairEnd
	ROW(0, V0, 0)
	CMP  $2, R20            // if one row remains: goto rowsEnd; otherwise load the second row
	BLT  rowsEnd
	MOVW 4(R19), p1
	MOVD p1, pairEnd
	ROW(8, V1, 1)
	BEQ  rowsEnd            // if two rows remain: goto rowsEnd; otherwise load the third row
	MOVW 8(R19), p2
	MOVD p2, pairEnd
	ROW(16, V2, 2)
	CMP  $4, R20            // if three rows remain: goto rowsEnd; otherwise load the fourth row
	BLT  rowsEnd
	MOVW 12(R19), p3
	MOVD p3, pairEnd
	ROW(24, V3, 3)
	MOVD p0, allEnd         // allEnd = p0, because all four rows are present

rowsEnd:
	CBZ  pairEnd, nextBlock
	VDUP p0, V12.D2; VDUP p1, V13.D2; VDUP p2, V14.D2; VDUP p3, V15.D2 // numbers of partners, for the masks
	MOVD ZR, lanes

pass:
	ZERO(V16); ZERO(V17); ZERO(V18); ZERO(V19) // sums = 0
	ADD lanes, c, nextC // j = 2g
	ADD lanes, input, nextInput
	LSR $3, lanes, j
	LOAD_LOSS
	ADD $1, j, R19      // if j + 1 ≥ allEnd: goto masked
	CMP allEnd, R19
	BLT full
	B   masked

full:
	FMOVQ (nextInput), F4 // both lanes are pairs
	FMOVQ (nextC), F5
	TERMS_LOSS
	ADD_PAIRS
	FMOVQ F5, (nextC)
	ADD   $64, nextC      // j += 8
	ADD   $64, nextInput
	ADD   $8, j
	ADD   $1, j, R19      // while j + 1 < allEnd
	CMP   allEnd, R19
	BLT   full

masked:
	CMP   pairEnd, j
	BGE   passEnd
	FMOVQ (nextInput), F4 // the lanes with j < pk are pairs
	FMOVQ (nextC), F5
	TERMS
	VMOV  j, V4.D[0]      // V4 = j, j + 1
	ADD   $1, j, R19
	VMOV  R19, V4.D[1]
	ONLY_PAIRS(12, V6); ONLY_PAIRS(13, V7); ONLY_PAIRS(14, V8); ONLY_PAIRS(15, V9)
	LOSS             // add the coefficients of the pairs
	ADD_PAIRS
	FMOVQ F5, (nextC)
	ADD   $64, nextC // j += 8
	ADD   $64, nextInput
	ADD   $8, j
	B     masked

passEnd:
	SAVE_LOSS
	MOVD  RSP, R19   // save the sums of these lanes
	ADD   lanes<<2, R19
	FSTPQ (F16, F17), 16(R19)
	FSTPQ (F18, F19), 48(R19)
	ADD   $16, lanes // continue with the next two of eight lanes
	CMP   $64, lanes
	BLT   pass

	MOVD  RSP, R19             // sums by the tree ((0+4)+(2+6))+((1+5)+(3+7)): g = 0 in V4-V7
	FLDPQ 16(R19), (F4, F5)
	FLDPQ 48(R19), (F6, F7)
	FLDPQ 80(R19), (F8, F9)    // g = 1 in V8-V11
	FLDPQ 112(R19), (F10, F11)
	FLDPQ 144(R19), (F16, F17) // g = 2 in V16-V19
	FLDPQ 176(R19), (F18, F19)
	FLDPQ 208(R19), (F20, F21) // g = 3 in V20-V23
	FLDPQ 240(R19), (F22, F23)
	FADDD2(16, 4, 4); FADDD2(17, 5, 5); FADDD2(18, 6, 6); FADDD2(19, 7, 7) // lanes 0+4 and 1+5
	FADDD2(20, 8, 8); FADDD2(21, 9, 9); FADDD2(22, 10, 10); FADDD2(23, 11, 11) // lanes 2+6 and 3+7
	FADDD2(8, 4, 4); FADDD2(9, 5, 5); FADDD2(10, 6, 6); FADDD2(11, 7, 7) // the even lanes, the odd lanes
	FADDPD(4, 4); FADDPD(5, 5); FADDPD(6, 6); FADDPD(7, 7) // add the two lanes
	ADD   row<<3, c, nextC // c[i …] −= sums, for the rows of the block
	SUB   row, rowEnd, R20
	SUBTRACT(0, F4)
	CMP   $2, R20
	BLT   nextBlock
	SUBTRACT(8, F5)
	BEQ   nextBlock        // if two rows remain: goto nextBlock
	SUBTRACT(16, F6)
	CMP   $4, R20
	BLT   nextBlock
	SUBTRACT(24, F7)

nextBlock:
	ADD $4, row
	B   block

done:

#undef ONLY_PAIRS
#undef SUBTRACT
#undef ROW
#undef LOAD_LOSS
#undef SAVE_LOSS
#undef TERMS
#undef LOSS
#undef TERMS_LOSS
#undef ADD_PAIRS
#undef c
#undef input
#undef lower
#undef row
#undef rowEnd
#undef sums
#undef allEnd
#undef pairEnd
#undef j
#undef nextC
#undef nextInput
#undef lanes
#undef p0
#undef p1
#undef p2
#undef p3
#undef ZERO
#undef ADD_TERMS
#undef HINGE_ROW
#undef MARGIN
#undef HINGES
#undef LOAD_HINGE
#undef SAVE_HINGE
