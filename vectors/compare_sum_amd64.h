// Kernels that compute one sum of float32 with compare_amd64.h. X2 becomes the sum of all TERMS.
// The header undefines this parameter at the end.

// xy0 = −0. Without elements, xy0 = +0, so that the sum is +0.
#define START \
	XORL AX, AX            \
	MOVL $0x80000000, CX   \
	CMPQ n+16(FP), $0      \
	CMOVLNE CX, AX         \
	VMOVD AX, X0           \
	VPBROADCASTD X0, xy0

#include "compare_amd64.h"
	VPERMILPD $1, X0, X1 // X2 = the sum of four lanes; the upper half is added to the lower half twice
	VADDPS X1, X0, X0
	VMOVSHDUP X0, X1
	VADDSS X1, X0, X2
#undef START
#undef TERMS
