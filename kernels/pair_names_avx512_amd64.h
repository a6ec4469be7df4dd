// Registers and macros that the pair losses for AVX-512 share. pair_avx512_amd64.h contains the
// loop nest, and undefines these macros.

#define row     BX  // i, the first row of the block
#define rowEnd  CX
#define lower   DX  // number of partners of each row
#define c       DI  // coefficient of each document
#define input   SI  // input of each partner: z, or e of the logistic loss
#define j       R12 // index of the partner
#define allEnd  R13 // end of the unmasked vectors
#define pairEnd AX  // number of partners of the block's last row
#define rowMask K6  // mask of the block's rows
#define value0  Z0  // values of the rows
#define value1  Z1
#define value2  Z2
#define value3  Z3
#define sum0    Z4  // sums of each row's coefficients
#define sum1    Z5
#define sum2    Z6
#define sum3    Z7
#define zero    Z12
#define inputs  Z13 // input[j … j+7]
#define cj      Z14 // c[j … j+7]
#define loss0   Z20 // sums of each row's losses; temporaries of the logistic loss
#define loss1   Z21
#define loss2   Z22
#define loss3   Z23
#define ones    Z30
#define iota    Y31 // 0 … 7

#define CONSTANTS \
	VPXORQ       zero, zero, zero; \
	VBROADCASTSD pairOne<>(SB), ones; \
	VMOVDQU32    github·com∕simdrank∕simdrank∕internal∕kern·Iota(SB), iota

// HINGE_ROW sets value to 1 − z[i+k].
#define HINGE_ROW(k, value) \
	VBROADCASTSD (8*k)(input)(row*8), value; \
	VSUBPD       value, ones, value

// MARGINS sets Z16-Z19 to t = (1 − z[i]) + z[j]. Two of the sums are multiply-adds with ones.
#define MARGINS \
	VADDPD      value0, inputs, Z16; \
	VADDPD      value1, inputs, Z17; \
	VMOVAPD     value2, Z18; \
	VMOVAPD     value3, Z19; \
	VFMADD231PD ones, inputs, Z18; \
	VFMADD231PD ones, inputs, Z19

// HINGES sets Z16-Z19 to max(0, t), or NaN. HINGES_MASKED also sets the lanes that are not pairs to
// 0.
#define HINGES \
	MARGINS; \
	VMAXPD Z16, zero, Z16; VMAXPD Z17, zero, Z17; \
	VMAXPD Z18, zero, Z18; VMAXPD Z19, zero, Z19
#define HINGES_MASKED \
	MARGINS; \
	VMAXPD.Z Z16, zero, K2, Z16; VMAXPD.Z Z17, zero, K3, Z17; \
	VMAXPD.Z Z18, zero, K4, Z18; VMAXPD.Z Z19, zero, K5, Z19

// LOAD_HINGE and SAVE_HINGE load and store the 4·8 lanes of the loss. R12 is the address of acc.
#define LOAD_HINGE \
	VMOVUPD (R12), loss0; VMOVUPD 64(R12), loss1; \
	VMOVUPD 128(R12), loss2; VMOVUPD 192(R12), loss3
#define SAVE_HINGE \
	VMOVUPD loss0, (R12); VMOVUPD loss1, 64(R12); \
	VMOVUPD loss2, 128(R12); VMOVUPD loss3, 192(R12)
