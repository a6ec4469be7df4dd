// Sums of the leaves of 32 documents for AVX2.

// The scores of 32 documents at DI, in Y8 to Y15.
#define LOAD_SCORES \
	VMOVUPD (DI), Y8; \
	VMOVUPD 32(DI), Y9; \
	VMOVUPD 64(DI), Y10; \
	VMOVUPD 96(DI), Y11; \
	VMOVUPD 128(DI), Y12; \
	VMOVUPD 160(DI), Y13; \
	VMOVUPD 192(DI), Y14; \
	VMOVUPD 224(DI), Y15
#define STORE_SCORES \
	VMOVUPD Y8, (DI); \
	VMOVUPD Y9, 32(DI); \
	VMOVUPD Y10, 64(DI); \
	VMOVUPD Y11, 96(DI); \
	VMOVUPD Y12, 128(DI); \
	VMOVUPD Y13, 160(DI); \
	VMOVUPD Y14, 192(DI); \
	VMOVUPD Y15, 224(DI)

// FOUR adds the leaves of four documents, of which DX has the numbers in its lowest bytes, to their
// scores.
#define FOUR(y) \
	MOVBLZX     DX, AX; \
	SHRQ        $8, DX; \
	MOVBLZX     DX, R13; \
	SHRQ        $8, DX; \
	VMOVSD      (R11)(AX*8), X1; \
	VMOVHPD     (R11)(R13*8), X1, X1; \
	MOVBLZX     DX, AX; \
	SHRQ        $8, DX; \
	MOVBLZX     DX, R13; \
	SHRQ        $8, DX; \
	VMOVSD      (R11)(AX*8), X2; \
	VMOVHPD     (R11)(R13*8), X2, X2; \
	VINSERTF128 $1, X2, Y1, Y1; \
	VADDPD      Y1, y, y

// LEAVES adds the leaves of 32 documents, of which Y0 has the numbers, to their scores Y8 to Y15.
// R11 leaves of the tree   X1 to X3, AX, DX, R13 scratch.
#define LEAVES \
	VEXTRACTI128 $1, Y0, X3; \
	VMOVQ   X0, DX; \
	FOUR(Y8); \
	FOUR(Y9); \
	VPEXTRQ $1, X0, DX; \
	FOUR(Y10); \
	FOUR(Y11); \
	VMOVQ   X3, DX; \
	FOUR(Y12); \
	FOUR(Y13); \
	VPEXTRQ $1, X3, DX; \
	FOUR(Y14); \
	FOUR(Y15)
