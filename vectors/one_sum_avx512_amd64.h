// The start and the result of one sum of float32 lanes. Headers of terms include it.

// Sets all lanes to −0, or to +0 if there are no elements.
#define START \
	XORL AX, AX; MOVL $0x80000000, CX; CMPQ n+16(FP), $0; CMOVLNE CX, AX; VPBROADCASTD AX, Z0; \
	VMOVAPS Z0, Z1; VMOVAPS Z0, Z2; VMOVAPS Z0, Z3
// Returns the sum of the lanes of (sum0+sum1) + (sum2+sum3). It adds the upper half to the lower
// half, four times.
#define RESULT \
	VADDPS Z1, Z0, Z0; VADDPS Z3, Z2, Z2; VADDPS Z2, Z0, Z0; \
	VEXTRACTF64X4 $1, Z0, Y1; VADDPS Y1, Y0, Y0;             \
	VEXTRACTF128 $1, Y0, X1; VADDPS X1, X0, X0;              \
	VPERMILPD $1, X0, X1; VADDPS X1, X0, X0;                 \
	VMOVSHDUP X0, X1; VADDSS X1, X0, X0;                     \
	VMOVSS X0, ret+24(FP); VZEROUPPER; RET
