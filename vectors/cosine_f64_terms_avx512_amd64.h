// The terms x·y, x·x and y·y of a cosine of float64 lanes. TERMS adds them to the sums, TERMS_K1
// adds them in the lanes of K1, and FIRST sets the sums to them.
#define FIRST(x, y, sum, xx, yy) VMULPD y, x, sum; VMULPD x, x, xx; VMULPD y, y, yy
#define TERMS(x, y, sum, xx, yy) VFMADD231PD y, x, sum; VFMADD231PD x, x, xx; VFMADD231PD y, y, yy
#define TERMS_K1(x, y, sum, xx, yy) \
	VFMADD231PD y, x, K1, sum; VFMADD231PD x, x, K1, xx; VFMADD231PD y, y, K1, yy

// Sums of products start at −0, and sums of squares start at +0. These values do not change the
// sums.
#define START \
	VBROADCASTSD minus0F64<>(SB), Z0; VMOVAPS Z0, Z1; VMOVAPS Z0, Z2; VMOVAPS Z0, Z3; \
	VXORPS X4, X4, X4; VXORPS X5, X5, X5; VXORPS X6, X6, X6; VXORPS X7, X7, X7;       \
	VXORPS X8, X8, X8; VXORPS X9, X9, X9; VXORPS X10, X10, X10; VXORPS X11, X11, X11

// Returns xy / (√xx·√yy), or 0 if the divisor is 0. X4, X8 and X0 contain xx, yy and xy, reduced to
// two lanes. X3 contains √xx and √yy.
#define RESULT \
	VADDPD Z5, Z4, Z4; VADDPD Z7, Z6, Z6; VADDPD Z6, Z4, Z4;       \
	VEXTRACTF64X4 $1, Z4, Y5; VADDPD Y5, Y4, Y4;                   \
	VEXTRACTF128 $1, Y4, X5; VADDPD X5, X4, X4;                    \
	VADDPD Z9, Z8, Z8; VADDPD Z11, Z10, Z10; VADDPD Z10, Z8, Z8;   \
	VEXTRACTF64X4 $1, Z8, Y9; VADDPD Y9, Y8, Y8;                   \
	VEXTRACTF128 $1, Y8, X9; VADDPD X9, X8, X8;                    \
	VADDPD Z1, Z0, Z0; VADDPD Z3, Z2, Z2; VADDPD Z2, Z0, Z0;       \
	VEXTRACTF64X4 $1, Z0, Y1; VADDPD Y1, Y0, Y0;                   \
	VEXTRACTF128 $1, Y0, X1; VADDPD X1, X0, X0;                    \
	VUNPCKLPD X8, X4, X1; VUNPCKHPD X8, X4, X2; VADDPD X2, X1, X3; \
	VSQRTPD X3, X3; VPERMILPD $1, X0, X1; VADDSD X1, X0, X0;       \
	VPERMILPD $1, X3, X4; VMULSD X4, X3, X3; VDIVSD X3, X0, X1;    \
	VXORPS X4, X4, X4; VCMPSD $0, X4, X3, X4; VANDNPD X1, X4, X1;  \
	VMOVSD X1, ret+24(FP); VZEROUPPER; RET
