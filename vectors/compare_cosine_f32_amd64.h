// Cosines with float32 sums, computed with compare_amd64.h. X2 becomes x·y / √((x·x)·(y·y)), or 0
// if the divisor is 0.

#define START MINUS0(xy0)
#define TERMS(x, y, a, b, c) FMA y, x, a; FMA x, x, b; FMA y, y, c
#include "compare_amd64.h"
	VUNPCKLPD X4, X0, X1 // two lanes of each sum: X1 = x·y, x·x; X8 = y·y
	VUNPCKHPD X4, X0, X2
	VADDPS X2, X1, X1
	VPERMILPD $1, X8, X9
	VADDPS X9, X8, X8
	VSHUFPS $0x88, X8, X1, X2 // X2 = x·y, x·x, y·y
	VSHUFPS $0xdd, X8, X1, X3
	VADDPS X3, X2, X2
	VMOVSHDUP X2, X3 // convert to float64: X3 = x·x, X4 = y·y, X2 = x·y
	VPERMILPD $1, X2, X4
	VCVTSS2SD X3, X3, X3
	VCVTSS2SD X4, X4, X4
	VCVTSS2SD X2, X2, X2
	VMULSD X4, X3, X3 // X2 = x·y / √((x·x)·(y·y)) as float32, or 0 if the product is 0
	VSQRTSD X3, X3, X4
	VDIVSD X4, X2, X2
	VCVTSD2SS X2, X2, X2
	VXORPS X4, X4, X4
	VCMPSD $0, X4, X3, X4
	VANDNPS X2, X4, X2
#undef START
#undef TERMS
