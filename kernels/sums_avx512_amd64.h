// The sums of the rows of gemv on AVX-512, for eight rows at a time. The including function defines
// ADD, EIGHTH, STORE8, STOREREST and SIZE. EIGHTH is EIGHTH64 or its equivalent for another type.
// STORE8 stores eight sums at dst, and STOREREST stores the sums under K2. SIZE is the number of
// bytes of a sum.
//
// Registers: Z0: lanes of a row, then sums; Z4: one row that waits for another row; Z5: two rows
// that wait; Z6: four rows that wait.

#define dst   DI
#define row   SI
#define step  R9  // bytes from a row to the next
#define n     BX  // number of rows
#define count R11 // number of rows that have been summed

// The indices of the sums of eight rows before EIGHTH64 reorders them, in the order of the rows.
DATA order64<>+0(SB)/8, $0
DATA order64<>+8(SB)/8, $2
DATA order64<>+16(SB)/8, $4
DATA order64<>+24(SB)/8, $6
DATA order64<>+32(SB)/8, $1
DATA order64<>+40(SB)/8, $3
DATA order64<>+48(SB)/8, $5
DATA order64<>+56(SB)/8, $7
GLOBL order64<>(SB), RODATA|NOPTR, $64

// Z0 = (g0+g1)+(g2+g3), for the groups of lanes g0 to g3 in Z0-Z3.
#define GROUPS ADD Z1, Z0, Z0; ADD Z3, Z2, Z2; ADD Z2, Z0, Z0

// These macros combine the rows in z with the rows in Z0, and halve the number of lanes per row.
// HALVE makes a vector of two rows, QUARTER of four, and EIGHTH64 of eight. EIGHTH64 then orders
// the sums by row.
#define HALVE(z) VSHUFF64X2 $0x44, Z0, z, Z1; VSHUFF64X2 $0xee, Z0, z, Z2; ADD Z2, Z1, Z0
#define QUARTER(z) VSHUFF64X2 $0x88, Z0, z, Z1; VSHUFF64X2 $0xdd, Z0, z, Z2; ADD Z2, Z1, Z0
#define EIGHTH64(z) VUNPCKLPD Z0, z, Z1; VUNPCKHPD Z0, z, Z2; VADDPD Z2, Z1, Z0; \
	VMOVUPD order64<>(SB), Z3; VPERMPD Z0, Z3, Z0

// SUMS ends a row, and continues at next or, after the last row, at tailRows. It combines every
// second row with the previous row in Z4, every second pair of rows with the pair in Z5, and every
// second four rows with the four rows in Z6. Then it stores eight sums.
#define NEXT(next) ADDQ step, row; CMPQ count, n; JLT next; JMP tailRows
#define SUMS(next, two, four, eight) \
	INCQ count; TESTL $1, count; JEQ two; VMOVAPD Z0, Z4; NEXT(next); \
two: HALVE(Z4); TESTL $2, count; JEQ four; VMOVAPD Z0, Z5; NEXT(next); \
four: QUARTER(Z5); TESTL $4, count; JEQ eight; VMOVAPD Z0, Z6; NEXT(next); \
eight: EIGHTH(Z6); STORE8; NEXT(next)

// REST ends the last row. It stores the count mod 8 sums that wait, or jumps to done if there are
// none. K2 is the mask of these sums, and AX is their number, rounded up. At tailTwo, Z0 contains
// two rows, and Z5 contains two if AX is 4 or 8. At tailFour, Z0 contains four rows, and Z6
// contains four if AX is 6 or 8. Near the end of a page, the code at storeEdge stores the sums one
// at a time.
#define REST \
tailRows: \
	MOVL count, CX; ANDL $7, CX; JEQ done;                         \
	MOVL $1, AX; SHLL CX, AX; DECL AX; KMOVW AX, K2;             \
	MOVL CX, AX; CMPL AX, $4; JEQ tailFour; TESTL $1, AX; JEQ tailTwo; \
	HALVE(Z0); INCL AX;                                          \
tailTwo: \
	TESTL $2, AX; JEQ tailBoth; QUARTER(Z0); JMP tailFour;       \
tailBoth: \
	QUARTER(Z5);                                                 \
tailFour: \
	CMPL AX, $4; JLE tailLow; EIGHTH(Z6); JMP store;             \
tailLow: \
	EIGHTH(Z0);                                                  \
store: \
	MOVL dst, AX; ANDL $4095, AX; CMPL AX, $(4096-8*SIZE); JHI storeEdge; \
	STOREREST
