// The arithmetic of float32 lanes. Type headers include it.

#define LANES 8 // number of lanes in a vector
#define MUL VMULPS
#define SUB VSUBPS
#define FMA VFMADD231PS
#define ADD VADDPS
#define MINUS0(v) VBROADCASTSS minus0F32<>(SB), v // −0, which changes no sum

// Returns the sum of the lanes of Y0 and Y1. It adds the upper half to the lower half, four times.
#define RETURN_SUM \
	VADDPS Y1, Y0, Y0                          \
	VEXTRACTF128 $1, Y0, X1; VADDPS X1, X0, X0 \
	VPERMILPD $1, X0, X1; VADDPS X1, X0, X0    \
	VMOVSHDUP X0, X1; VADDSS X1, X0, X0        \
	VMOVSS X0, ret+24(FP); VZEROUPPER; RET
