// The loop nest of the pair losses for AVX-512. pair_names_avx512_amd64.h must be included before
// it.
//
// A block consists of four rows (preferred documents) i … i+3. Row i+k has pk partners, and p0 ≤ p1
// ≤ p2 ≤ p3. A row after the end of the query has p = 0. The block's partners j are processed in
// vectors of 8, the virtual lanes. Up to p0 rounded down to 8, every lane is a pair. From there up
// to the last p, a mask selects the lanes j < pk of row i+k.
//
// The function defines:
//   ROW(k, value)         sets value from row i+k
//   TERMS, TERMS_MASKED   Z16-Z19 = a term of each pair, 0 if it adds nothing
//   LOSS                  adds to the loss, and turns the terms into coefficients
//   SAVE_LOSS             stores the loss to acc
//   ADD01(t, sum)         adds coefficient t to the sum of row 0 or 1; ADD23 is for rows 2 and 3
// A multiply-add with ones computes the same sum as an addition. If the ports that multiply are
// less busy than the ports that add, multiply-adds compute some of the sums. On Zen 4, the ports
// that add also compute maxima and minima. Registers: see pair_names_avx512_amd64.h; Z16-Z19:
// terms, then coefficients of each row; Y8-Y11: number of partners of each row; K1: lanes below the
// last p; K2-K5: pairs of each row; R13: remaining rows at the start of a block.

// ADD_PAIRS adds the coefficients to the sums of the rows. It also adds them to c[j …], in the
// order of the rows.
#define ADD_PAIRS \
	VADDPD Z16, cj, cj; \
	ADD01(Z16, sum0); \
	ADD01(Z17, sum1); \
	ADD23(Z18, sum2); \
	ADD23(Z19, sum3); \
	VADDPD Z17, cj, cj; \
	VADDPD Z18, cj, cj; \
	VADDPD Z19, cj, cj

block:
	CMPQ    row, rowEnd               // if no rows remain: goto done
	JGE     done
	MOVQ    rowEnd, R13               // if fewer than four remain: goto cut
	SUBQ    row, R13
	CMPQ    R13, $4
	JLT     cut
	MOVLQSX 12(lower)(row*4), pairEnd // if p3 = 0: goto nextBlock
	TESTQ   pairEnd, pairEnd
	JEQ     nextBlock
	VPBROADCASTD (lower)(row*4), Y8; VPBROADCASTD 4(lower)(row*4), Y9 // load the numbers of partners of four rows
	VPBROADCASTD 8(lower)(row*4), Y10; VPBROADCASTD 12(lower)(row*4), Y11
	ROW(0, value0); ROW(1, value1); ROW(2, value2); ROW(3, value3) // load the values of the rows
	MOVL    $15, R13
	KMOVB   R13, rowMask
	MOVLQSX (lower)(row*4), allEnd // allEnd = p0 rounded down to 8
	ANDQ    $-8, allEnd
	JMP     partners

cut:
	VPXOR        Y9, Y9, Y9 // missing rows have p = 0
	VPXOR        Y10, Y10, Y10
	VPXOR        Y11, Y11, Y11
	MOVL         $1, AX     // the first row
	KMOVB        AX, rowMask
	MOVLQSX      (lower)(row*4), pairEnd
	VPBROADCASTD (lower)(row*4), Y8
	ROW(0, value0)
	CMPQ         R13, $2    // if only one row remains: goto cutEnd
	JLT          cutEnd
	MOVL         $3, AX     // the second row
	KMOVB        AX, rowMask
	MOVLQSX      4(lower)(row*4), pairEnd
	VPBROADCASTD 4(lower)(row*4), Y9
	ROW(1, value1)
	JEQ          cutEnd     // if two rows remain: goto cutEnd
	MOVL         $7, AX     // the third row
	KMOVB        AX, rowMask
	MOVLQSX      8(lower)(row*4), pairEnd
	VPBROADCASTD 8(lower)(row*4), Y10
	ROW(2, value2)

cutEnd:
	XORL  allEnd, allEnd
	TESTQ pairEnd, pairEnd // if the last p = 0: goto nextBlock
	JEQ   nextBlock

partners:
	VPXORQ sum0, sum0, sum0; VPXORQ sum1, sum1, sum1 // sums = 0
	VPXORQ sum2, sum2, sum2; VPXORQ sum3, sum3, sum3
	XORL j, j // if allEnd = 0: goto masked
	CMPQ j, allEnd
	JGE  masked

full:
	VMOVUPD (input)(j*8), inputs // all lanes are pairs
	VMOVUPD (c)(j*8), cj
	TERMS
	LOSS
	ADD_PAIRS
	VMOVUPD cj, (c)(j*8)
	ADDQ    $8, j                // while j < allEnd
	CMPQ    j, allEnd
	JLT     full

masked:
	CMPQ         j, pairEnd
	JGE          reduce
	VPBROADCASTD j, Y16 // K1 = lanes below the last p; K2-K5 = pairs of each row: j + iota < p
	VPADDD       iota, Y16, Y16
	VPBROADCASTD pairEnd, Y17
	VPCMPD       $1, Y17, Y16, K1
	VPCMPD $1, Y8, Y16, K2; VPCMPD $1, Y9, Y16, K3
	VPCMPD $1, Y10, Y16, K4; VPCMPD $1, Y11, Y16, K5
	VMOVUPD.Z    (input)(j*8), K1, inputs // the lanes with j < pk are pairs
	VMOVUPD.Z    (c)(j*8), K1, cj
	TERMS_MASKED
	LOSS
	ADD_PAIRS
	VMOVUPD      cj, K1, (c)(j*8)
	ADDQ         $8, j
	JMP          masked

reduce:
	VEXTRACTF64X4 $1, Z4, Y16; VEXTRACTF64X4 $1, Z5, Y17 // Y8 = sums by the tree ((0+4)+(2+6))+((1+5)+(3+7))
	VEXTRACTF64X4 $1, Z6, Y18; VEXTRACTF64X4 $1, Z7, Y19
	VADDPD Y16, Y4, Y4; VADDPD Y17, Y5, Y5; VADDPD Y18, Y6, Y6; VADDPD Y19, Y7, Y7
	VPERM2F128 $0x20, Y5, Y4, Y8        // lanes 0 and 1 of rows 0 and 1, then of rows 2 and 3
	VPERM2F128 $0x31, Y5, Y4, Y9
	VPERM2F128 $0x20, Y7, Y6, Y10
	VPERM2F128 $0x31, Y7, Y6, Y11
	VADDPD     Y9, Y8, Y8
	VADDPD     Y11, Y10, Y10
	VHADDPD    Y10, Y8, Y8              // sums of rows 0, 2, 1 and 3
	VPERMPD    $0xD8, Y8, Y8            // sums in the order of the rows
	VMOVUPD.Z  (c)(row*8), rowMask, Y16 // c[i … i+3] −= sums, for the rows of the block
	VSUBPD     Y8, Y16, Y16
	VMOVUPD    Y16, rowMask, (c)(row*8)

nextBlock:
	ADDQ $4, row
	JMP  block

done:
	SAVE_LOSS

#undef ADD_PAIRS
#undef ROW
#undef TERMS
#undef TERMS_MASKED
#undef LOSS
#undef SAVE_LOSS
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
#undef rowMask
#undef value0
#undef value1
#undef value2
#undef value3
#undef sum0
#undef sum1
#undef sum2
#undef sum3
#undef zero
#undef inputs
#undef cj
#undef loss0
#undef loss1
#undef loss2
#undef loss3
#undef ones
#undef iota
#undef CONSTANTS
#undef HINGE_ROW
#undef MARGINS
#undef HINGES
#undef HINGES_MASKED
#undef LOAD_HINGE
#undef SAVE_HINGE
