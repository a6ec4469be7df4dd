// Registers, frame and macros that the pair losses for AVX2 share. pair_amd64.h contains the loop
// nest, and undefines these macros.

#define row     BX  // i, the first row of the block
#define rowEnd  CX
#define lower   DX  // number of partners of each row
#define c       DI  // coefficient of each document
#define input   SI  // input of each partner: z, or e of the logistic loss
#define j       R12 // index of the partner
#define allEnd  R13 // end of the unmasked vectors
#define pairEnd AX  // number of partners of the block's last row
#define lane    R8  // 0 or 4, the first virtual lane of this pass
#define rows    R9  // number of remaining rows; a block contains at most four
#define lastFit R10 // number of documents − 4, the last j of a whole vector
#define sums    R11 // acc
#define ones    Y12
#define cj      Y14 // c[j … j+3]
#define sum0    Y4  // sums of each row's coefficients
#define sum1    Y5
#define sum2    Y6
#define sum3    Y7
#define loss0   Y8  // sums of each row's losses; temporaries of the logistic loss
#define loss1   Y9
#define loss2   Y10
#define loss3   Y11

// The frame contains the values of the rows and pk − 1, each in four lanes, the sums of lanes 0 …
// 3, the mask of the last vector, and two values that the function defines.
#define VALUE(k) (32*k)(SP)
#define LAST(k) (128+32*k)(SP)
#define LOW(k) (256+32*k)(SP)
#define MASK 384(SP)
#define OWN(k) (416+32*k)(SP)

// HINGE_ROW sets VALUE(k) to 1 − z[i+k].
#define HINGE_ROW(k) \
	VBROADCASTSD (8*k)(input)(row*8), Y13; \
	VSUBPD       Y13, ones, Y13; \
	VMOVUPD      Y13, VALUE(k)

// HINGES sets Y0-Y3 to max(0, 1 − z[i] + z[j]). Two of the sums are multiply-adds with ones. The
// file pair_avx512_amd64.h explains why.
#define HINGES \
	VADDPD      VALUE(0), Y13, Y0; \ // t = (1 − z[i]) + z[j]
	VADDPD      VALUE(1), Y13, Y1; \
	VMOVUPD     VALUE(2), Y2; \
	VMOVUPD     VALUE(3), Y3; \
	VFMADD231PD ones, Y13, Y2; \
	VFMADD231PD ones, Y13, Y3; \
	VXORPD      Y15, Y15, Y15; \ // t = max(0, t), or NaN
	VMAXPD Y0, Y15, Y0; VMAXPD Y1, Y15, Y1; VMAXPD Y2, Y15, Y2; VMAXPD Y3, Y15, Y3

// LOAD_HINGE and SAVE_HINGE load and store four lanes of each row's loss.
#define LOAD_HINGE \
	VMOVUPD (sums)(lane*8), loss0; VMOVUPD 64(sums)(lane*8), loss1; \
	VMOVUPD 128(sums)(lane*8), loss2; VMOVUPD 192(sums)(lane*8), loss3
#define SAVE_HINGE \
	VMOVUPD loss0, (sums)(lane*8); VMOVUPD loss1, 64(sums)(lane*8); \
	VMOVUPD loss2, 128(sums)(lane*8); VMOVUPD loss3, 192(sums)(lane*8)
