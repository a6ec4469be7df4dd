// The terms x·y, x·x and y·y of a cosine of float32 lanes. cosine_f64_terms_avx512_amd64.h
// describes the macros.
#define FIRST(x, y, sum, xx, yy) VMULPS y, x, sum; VMULPS x, x, xx; VMULPS y, y, yy
#define TERMS(x, y, sum, xx, yy) VFMADD231PS y, x, sum; VFMADD231PS x, x, xx; VFMADD231PS y, y, yy
#define TERMS_K1(x, y, sum, xx, yy) \
	VFMADD231PS y, x, K1, sum; VFMADD231PS x, x, K1, xx; VFMADD231PS y, y, K1, yy

// Sums of products start at −0, sums of squares at +0.
#define START \
	VBROADCASTSS minus0F32<>(SB), Z0; VMOVAPS Z0, Z1; VMOVAPS Z0, Z2; VMOVAPS Z0, Z3; \
	VXORPS X4, X4, X4; VXORPS X5, X5, X5; VXORPS X6, X6, X6; VXORPS X7, X7, X7;       \
	VXORPS X8, X8, X8; VXORPS X9, X9, X9; VXORPS X10, X10, X10; VXORPS X11, X11, X11

// Returns xy / √(xx·yy), computed in float64, or 0 if the divisor is 0. xx, yy and xy are reduced
// together. In the end, they are the first elements of the first three quarters of Z0.
#define RESULT \
	VADDPS Z5, Z4, Z4; VADDPS Z7, Z6, Z6; VADDPS Z6, Z4, Z4;        \
	VADDPS Z9, Z8, Z8; VADDPS Z11, Z10, Z10; VADDPS Z10, Z8, Z8;    \
	VADDPS Z1, Z0, Z0; VADDPS Z3, Z2, Z2; VADDPS Z2, Z0, Z0;        \
	VSHUFF64X2 $0x44, Z8, Z4, Z1; VSHUFF64X2 $0xee, Z8, Z4, Z2;     \
	VEXTRACTF64X4 $1, Z0, Y3; VADDPS Z2, Z1, Z1; VADDPS Y3, Y0, Y0; \
	VSHUFF64X2 $0x88, Z0, Z1, Z2; VSHUFF64X2 $0xdd, Z0, Z1, Z3;     \
	VADDPS Z3, Z2, Z0; VPERMILPD $0x55, Z0, Z1; VADDPS Z1, Z0, Z0;  \
	VMOVSHDUP Z0, Z1; VADDPS Z1, Z0, Z0;                            \
	VEXTRACTF128 $1, Y0, X1; VEXTRACTF32X4 $2, Z0, X2;              \
	VCVTSS2SD X0, X0, X3; VCVTSS2SD X1, X1, X4; VMULSD X4, X3, X3;  \
	VSQRTSD X3, X3, X4; VCVTSS2SD X2, X2, X2;                       \
	QUOTIENT_F32
