// Registers and macros that the pair losses for NEON share. pair_arm64.h contains the loop nest,
// and undefines these macros.

#define c         R0  // coefficient of each document
#define input     R1  // input of each partner: z, or e of the logistic loss
#define lower     R2  // number of partners of each row
#define row       R3  // i, the first row of the block
#define rowEnd    R4
#define sums      R5  // acc
#define allEnd    R6  // end of the unmasked vectors
#define pairEnd   R7  // number of partners of the block's last row
#define j         R8  // index of the partner
#define nextC     R9  // address of c[j]
#define nextInput R10 // address of input[j]
#define lanes     R11 // 16·g, the offset of lanes 2g and 2g+1
#define p0        R12 // number of partners of each row
#define p1        R13
#define p2        R14
#define p3        R15

#define ZERO(V) VEOR V.B16, V.B16, V.B16

// ADD_TERMS adds coefficients to the sums of the rows. It also adds them to c[j], in the order of
// the rows.
#define ADD_TERMS(t0, t1, t2, t3) \
	FADDD2(t0, 5, 5)        \
	FADDD2(t0, 16, 16); FADDD2(t1, 17, 17); FADDD2(t2, 18, 18); FADDD2(t3, 19, 19) \
	FADDD2(t1, 5, 5)        \
	FADDD2(t2, 5, 5)        \
	FADDD2(t3, 5, 5)

// HINGE_ROW sets V, register number v, to 1 − z[i+k], where off = 8·k.
#define HINGE_ROW(off, V, v) \
	ADD   row<<3, input, R21        \
	ADD   $off, R21                 \
	VLD1R (R21), [V.D2]             \
	FSUBD2(v, 31, v)

// MARGIN sets t to max(0, (1 − z[i]) + z[j]), or NaN, for one row. HINGES does this for all four
// rows, in V6-V9.
#define MARGIN(v, t) \
	FADDD2(v, 4, t)         \
	FMAXD2(30, t, t)
#define HINGES \
	MARGIN(0, 6); MARGIN(1, 7); MARGIN(2, 8); MARGIN(3, 9)

// LOAD_HINGE and SAVE_HINGE load and store two lanes of each row's loss, 64 bytes apart.
#define LOAD_HINGE \
	ADD   lanes, sums, R19  \
	FMOVQ (R19), F20; FMOVQ 64(R19), F21; FMOVQ 128(R19), F22; FMOVQ 192(R19), F23
#define SAVE_HINGE \
	ADD   lanes, sums, R19  \
	FMOVQ F20, (R19); FMOVQ F21, 64(R19); FMOVQ F22, 128(R19); FMOVQ F23, 192(R19)
