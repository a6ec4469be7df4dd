// Cosines with float64 sums, computed with compare_amd64.h. X1 becomes x·y / (√(x·x)·√(y·y)), or 0
// if the divisor is 0.

#define START MINUS0(xy0)
#define TERMS(x, y, a, b, c) FMA y, x, a; FMA x, x, b; FMA y, y, c
#include "compare_amd64.h"
	VUNPCKLPD X4, X0, X1 // X1 = x·y, x·x; X8 = y·y
	VUNPCKHPD X4, X0, X2
	VADDPD X2, X1, X1
	VPERMILPD $1, X8, X9
	VADDSD X9, X8, X8
	VSHUFPD $1, X8, X1, X3 // X3 = √(x·x) · √(y·y)
	VSQRTPD X3, X3
	VPERMILPD $1, X3, X4
	VMULSD X4, X3, X3
	VDIVSD X3, X1, X1 // X1 = x·y / X3, or 0 if X3 = 0
	VXORPS X4, X4, X4
	VCMPSD $0, X4, X3, X4
	VANDNPD X1, X4, X1
#undef START
#undef TERMS
