// The loop nest of the pair losses for AVX2. pair_names_amd64.h must be included before it.
//
// A block consists of four rows (preferred documents) i … i+3. Row i+k has pk partners, and p0 ≤ p1
// ≤ p2 ≤ p3. A row after the end of the query has p = 0. Each block processes its partners j twice,
// for the virtual lanes 0 … 3 and for the lanes 4 … 7, in iterations of 8. Up to p0 rounded down to
// 8, every lane is a pair. From there up to the last p, the lanes with j ≥ pk of row i+k are set to
// 0.
//
// The function defines:
//   BLOCK                  runs before each block
//   ROW(k)                 sets VALUE(k) from row i+k
//   LOAD_LOSS, SAVE_LOSS   load and store the loss of four lanes
//   TERMS                  Y0-Y3 = a term of each pair, 0 if it adds nothing; Y13 holds input[j …]
//   LOSS                   adds to the loss, and turns the terms into coefficients
//   ADD01(t, sum)          adds coefficient t to the sum of row 0 or 1; ADD23 is for rows 2 and 3
// Registers: see pair_names_amd64.h; Y0-Y3: terms, then coefficients of each row; Y13: input[j …],
// then scratch; Y15: scratch.

// ROW_PARTNERS sets LAST(k) to pk − 1 and pairEnd to pk. It uses R12 and Y14.
#define ROW_PARTNERS(k) \
	MOVLQSX      (4*k)(lower)(row*4), pairEnd; \
	LEAQ         -1(pairEnd), R12; \
	VMOVQ        R12, X14; \
	VPBROADCASTQ X14, Y14; \
	VMOVDQU      Y14, LAST(k)

// ONLY_PAIRS sets the lanes of Y0-Y3 that are not pairs to 0. It uses Y13 and Y15.
#define ONLY_PAIRS \
	VMOVQ        j, X13; \
	VPBROADCASTQ X13, Y13; \
	VPADDQ       github·com∕simdrank∕simdrank∕internal∕kern·Iota64(SB), Y13, Y13; \
	VPCMPGTQ     LAST(0), Y13, Y15; \ // t = 0 if j > pk − 1
	VANDNPD      Y0, Y15, Y0; \
	VPCMPGTQ     LAST(1), Y13, Y15; \
	VANDNPD      Y1, Y15, Y1; \
	VPCMPGTQ     LAST(2), Y13, Y15; \
	VANDNPD      Y2, Y15, Y2; \
	VPCMPGTQ     LAST(3), Y13, Y15; \
	VANDNPD      Y3, Y15, Y3

// ADD_PAIRS adds the coefficients to the sums of the rows. It also adds them to c[j …], in the
// order of the rows.
#define ADD_PAIRS \
	VADDPD Y0, cj, cj; \
	ADD01(Y0, sum0); \
	ADD01(Y1, sum1); \
	ADD23(Y2, sum2); \
	ADD23(Y3, sum3); \
	VADDPD Y1, cj, cj; \
	VADDPD Y2, cj, cj; \
	VADDPD Y3, cj, cj

block:
	BLOCK
	MOVQ    rowEnd, rows     // if no rows remain: goto done
	SUBQ    row, rows
	JLE     done
	CMPQ    rows, $4         // if rows < 4: goto cut
	JLT     cut
	MOVLQSX 12(lower)(row*4), pairEnd
	TESTQ   pairEnd, pairEnd // if p3 = 0: goto nextBlock
	JEQ     nextBlock
	ROW(0); ROW(1); ROW(2); ROW(3) // load values and numbers of partners of four rows
	ROW_PARTNERS(0); ROW_PARTNERS(1); ROW_PARTNERS(2); ROW_PARTNERS(3)
	MOVLQSX (lower)(row*4), allEnd // allEnd = p0 rounded down to 8
	ANDQ    $-8, allEnd
	JMP     partners

cut:
	VPCMPEQQ Y14, Y14, Y14 // missing rows have p − 1 = −1
	VMOVDQU  Y14, LAST(1)
	VMOVDQU  Y14, LAST(2)
	VMOVDQU  Y14, LAST(3)
	XORL     allEnd, allEnd
	ROW(0)                 // load values and numbers of partners of one to three rows
	ROW_PARTNERS(0)
	CMPQ     rows, $2
	JLT      cutEnd
	ROW(1)
	ROW_PARTNERS(1)
	CMPQ     rows, $2      // if rows = 2: goto cutEnd
	JEQ      cutEnd
	ROW(2)
	ROW_PARTNERS(2)

cutEnd:
	TESTQ pairEnd, pairEnd // if the last p = 0: goto nextBlock
	JEQ   nextBlock

partners:
	XORL lane, lane

pass:
	LOAD_LOSS
	VXORPD sum0, sum0, sum0; VXORPD sum1, sum1, sum1 // sums = 0
	VXORPD sum2, sum2, sum2; VXORPD sum3, sum3, sum3
	MOVQ lane, j // if allEnd ≤ j: goto masked
	CMPQ j, allEnd
	JGE  masked

full:
	VMOVUPD (input)(j*8), Y13 // all lanes are pairs
	VMOVUPD (c)(j*8), cj
	TERMS
	LOSS
	ADD_PAIRS
	VMOVUPD cj, (c)(j*8)
	ADDQ    $8, j             // while j < allEnd
	CMPQ    j, allEnd
	JLT     full

masked:
	CMPQ    j, pairEnd
	JGE     passEnd
	CMPQ    j, lastFit        // if fewer than four documents remain: goto tail
	JGT     tail
	VMOVUPD (input)(j*8), Y13 // the lanes with j < pk are pairs
	VMOVUPD (c)(j*8), cj
	TERMS
	ONLY_PAIRS
	LOSS
	ADD_PAIRS
	VMOVUPD cj, (c)(j*8)
	ADDQ    $8, j
	JMP     masked

tail:
	VMOVQ        lastFit, X14           // mask = documents − j > iota
	VPBROADCASTQ X14, Y14
	VMOVQ        j, X13
	VPBROADCASTQ X13, Y13
	VPSUBQ       Y13, Y14, Y14
	VPADDQ       pairFour<>(SB), Y14, Y14
	VPCMPGTQ     github·com∕simdrank∕simdrank∕internal∕kern·Iota64(SB), Y14, Y14
	VMOVDQU      Y14, MASK
	VMASKMOVPD   (input)(j*8), Y14, Y13 // load the last documents under the mask
	VMASKMOVPD   (c)(j*8), Y14, cj
	TERMS
	ONLY_PAIRS
	LOSS
	ADD_PAIRS
	VMOVDQU      MASK, Y13
	VMASKMOVPD   cj, Y13, (c)(j*8)

passEnd:
	SAVE_LOSS
	TESTQ lane, lane // if this was the second pass: goto reduce
	JNE   reduce
	VMOVUPD sum0, LOW(0); VMOVUPD sum1, LOW(1) // save the sums of lanes 0 … 3
	VMOVUPD sum2, LOW(2); VMOVUPD sum3, LOW(3)
	MOVQ  $4, lane
	JMP   pass

reduce:
	VADDPD LOW(0), sum0, sum0; VADDPD LOW(1), sum1, sum1 // Y0 = sums by the tree ((0+4)+(2+6))+((1+5)+(3+7))
	VADDPD LOW(2), sum2, sum2; VADDPD LOW(3), sum3, sum3
	VPERM2F128 $0x20, sum1, sum0, Y0 // lanes 0 and 1 of rows 0 and 1, then of rows 2 and 3
	VPERM2F128 $0x31, sum1, sum0, Y1
	VPERM2F128 $0x20, sum3, sum2, Y2
	VPERM2F128 $0x31, sum3, sum2, Y3
	VADDPD     Y1, Y0, Y0
	VADDPD     Y3, Y2, Y2
	VHADDPD    Y2, Y0, Y0            // sums of rows 0, 2, 1 and 3
	VPERMPD    $0xD8, Y0, Y0         // sums in the order of the rows
	CMPQ       rows, $4              // if rows < 4: goto reduceCut
	JLT        reduceCut
	VMOVUPD    (c)(row*8), Y1        // c[i … i+3] −= sums
	VSUBPD     Y0, Y1, Y1
	VMOVUPD    Y1, (c)(row*8)
	JMP        nextBlock

reduceCut:
	VMOVQ        rows, X2 // c[i …] −= sums for the remaining rows
	VPBROADCASTQ X2, Y2
	VPCMPGTQ     github·com∕simdrank∕simdrank∕internal∕kern·Iota64(SB), Y2, Y2
	VMASKMOVPD   (c)(row*8), Y2, Y1
	VSUBPD       Y0, Y1, Y1
	VMASKMOVPD   Y1, Y2, (c)(row*8)

nextBlock:
	ADDQ $4, row
	JMP  block

done:

#undef ROW_PARTNERS
#undef ONLY_PAIRS
#undef ADD_PAIRS
#undef BLOCK
#undef ROW
#undef LOAD_LOSS
#undef SAVE_LOSS
#undef TERMS
#undef LOSS
#undef ADD01
#undef ADD23
#undef row
#undef rowEnd
#undef lower
#undef c
#undef input
#undef j
#undef allEnd
#undef pairEnd
#undef lane
#undef rows
#undef lastFit
#undef sums
#undef ones
#undef cj
#undef sum0
#undef sum1
#undef sum2
#undef sum3
#undef loss0
#undef loss1
#undef loss2
#undef loss3
#undef VALUE
#undef LAST
#undef LOW
#undef MASK
#undef OWN
#undef HINGE_ROW
#undef HINGES
#undef LOAD_HINGE
#undef SAVE_HINGE
