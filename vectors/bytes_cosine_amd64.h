// Cosines of bytes, computed with bytes_amd64.h. X2 becomes x·y / √((x·x)·(y·y)), or 0 if the
// divisor is 0. EXTEND extends x·y from 32 to 64 bits. The header undefines its parameters at the
// end.

#define xy0 Y0 // eight partial sums each
#define xx0 Y1
#define yy0 Y2
#define xy1 Y3
#define xx1 Y4
#define yy1 Y5

// xy, xx, yy += products of words. Y6 is scratch.
#define PRODUCTS(x, y, xy, xx, yy) \
	VPMADDWD y, x, Y6; VPADDD Y6, xy, xy \
	VPMADDWD x, x, x; VPADDD x, xx, xx   \
	VPMADDWD y, y, y; VPADDD y, yy, yy

#define TERMS0(x, y) PRODUCTS(x, y, xy0, xx0, yy0)
#define TERMS1(x, y) PRODUCTS(x, y, xy1, xx1, yy1)
#include "bytes_amd64.h"
	VPADDD xy1, xy0, xy0 // combine each sum in one vector
	VPADDD xx1, xx0, xx0
	VPADDD yy1, yy0, yy0
	VPHADDD xx0, xy0, Y0 // X0 = x·y, x·x, y·y
	VPHADDD yy0, yy0, Y2
	VPHADDD Y2, Y0, Y0
	VEXTRACTI128 $1, Y0, X1
	VPADDD X1, X0, X0
	VMOVD X0, AX // convert to float64: X2 = x·y, X3 = x·x, X4 = y·y
	VPEXTRD $1, X0, CX
	VPEXTRD $2, X0, DX
	EXTEND AX, AX
	VXORPS X1, X1, X1
	VCVTSI2SDQ CX, X1, X3
	VCVTSI2SDQ DX, X1, X4
	VCVTSI2SDQ AX, X1, X2
	VMULSD X4, X3, X3 // X2 = x·y / √((x·x)·(y·y)) as float32, or 0 if the product is 0
	VSQRTSD X3, X3, X4
	VDIVSD X4, X2, X2
	VCVTSD2SS X2, X2, X2
	VCMPSD $0, X1, X3, X4
	VANDNPS X2, X4, X2
#undef xy0
#undef xx0
#undef yy0
#undef xy1
#undef xx1
#undef yy1
#undef PRODUCTS
#undef LOAD
#undef EXTEND
#undef TERMS0
#undef TERMS1
