// Sums of leaves for AVX2.

// FOUR adds the leaves of four documents, of which DX has the numbers in its lowest bytes, to their
// scores, and shifts DX by them. X1, X2, AX, CX scratch.
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
