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
#define FOUR(leaves, y) \
	MOVBLZX     DX, AX; \
	MOVBLZX     DH, CX; \
	SHRQ        $16, DX; \
	VMOVSD      (leaves)(AX*8), X1; \
	VMOVHPD     (leaves)(CX*8), X1, X1; \
	MOVBLZX     DX, AX; \
	MOVBLZX     DH, CX; \
	SHRQ        $16, DX; \
	VMOVSD      (leaves)(AX*8), X2; \
	VMOVHPD     (leaves)(CX*8), X2, X2; \
	VINSERTF128 $1, X2, Y1, Y1; \
	VADDPD      Y1, y, y

// LEAVES adds the leaves of 32 documents, of which Y0 has the numbers, to their scores Y8 to Y15.
// R11 leaves of the tree   X1 to X3, AX, CX, DX scratch.
#define LEAVES \
	VEXTRACTI128 $1, Y0, X3; \
	VMOVQ   X0, DX; \
	FOUR(R11, Y8); \
	FOUR(R11, Y9); \
	VPEXTRQ $1, X0, DX; \
	FOUR(R11, Y10); \
	FOUR(R11, Y11); \
	VMOVQ   X3, DX; \
	FOUR(R11, Y12); \
	FOUR(R11, Y13); \
	VPEXTRQ $1, X3, DX; \
	FOUR(R11, Y14); \
	FOUR(R11, Y15)
