// The sums of the rows of gemv on AVX-512, eight at a time. The function that includes it defines
// ADD; EIGHTH, which is EIGHTH64 or its equivalent for another type; STORE8 and STOREREST, which
// store eight sums or the sums under K2 at dst; and SIZE, the bytes of a sum.
//
// Registers: Z0: the lanes of a row's sum, then sums; Z4: a row that waits; Z5: two rows; Z6: four
// rows.

#define dst   DI
#define row   SI
#define step  R9  // bytes from a row to the next
#define n     BX  // rows
#define count R11 // rows that are summed

// The order of the sums of eight rows after EIGHTH64.
DATA order64<>+0(SB)/8, $0
DATA order64<>+8(SB)/8, $2
DATA order64<>+16(SB)/8, $4
DATA order64<>+24(SB)/8, $6
DATA order64<>+32(SB)/8, $1
DATA order64<>+40(SB)/8, $3
DATA order64<>+48(SB)/8, $5
DATA order64<>+56(SB)/8, $7
GLOBL order64<>(SB), RODATA|NOPTR, $64

// Z0 = (g0+g1)+(g2+g3), of the groups of lanes Z0-Z3.
#define GROUPS ADD Z1, Z0, Z0; ADD Z3, Z2, Z2; ADD Z2, Z0, Z0

// Z0 = the lanes of the rows in z, then of the rows in Z0, half as many of each: a vector of two
// rows, of four, and of eight, whose sums EIGHTH64 puts in order.
#define HALVE(z) VSHUFF64X2 $0x44, Z0, z, Z1; VSHUFF64X2 $0xee, Z0, z, Z2; ADD Z2, Z1, Z0
#define QUARTER(z) VSHUFF64X2 $0x88, Z0, z, Z1; VSHUFF64X2 $0xdd, Z0, z, Z2; ADD Z2, Z1, Z0
#define EIGHTH64(z) VUNPCKLPD Z0, z, Z1; VUNPCKHPD Z0, z, Z2; VADDPD Z2, Z1, Z0; \
	VMOVUPD order64<>(SB), Z3; VPERMPD Z0, Z3, Z0

// The end of a row: goto next for the next one, or to tailRows. Every second row is halved with
// the first, which waited in Z4; every second pair is with the two in Z5, and every second four
// with the four in Z6. Then eight sums are stored.
#define NEXT(next) ADDQ step, row; CMPQ count, n; JLT next; JMP tailRows
#define SUMS(next, two, four, eight) \
	INCQ count; TESTL $1, count; JEQ two; VMOVAPD Z0, Z4; NEXT(next); \
two: HALVE(Z4); TESTL $2, count; JEQ four; VMOVAPD Z0, Z5; NEXT(next); \
four: QUARTER(Z5); TESTL $4, count; JEQ eight; VMOVAPD Z0, Z6; NEXT(next); \
eight: EIGHTH(Z6); STORE8; NEXT(next)

// The end of the rows: stores the count mod 8 sums that wait, or jumps to done if there are none.
// K2: their mask; AX: their number, rounded up. At tailTwo, two rows are in Z0, and two in Z5 if AX
// is 4 or 8; at tailFour, four are in Z0, and four in Z6 if AX is 6 or 8. Near the end of a page
// they are stored one at a time, at storeEdge.
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
