// FOUR adds the leaves of four documents to their scores y. The lowest four bytes of DX are the
// leaf numbers, which are shifted out. It uses X1, X2, AX and CX.
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
