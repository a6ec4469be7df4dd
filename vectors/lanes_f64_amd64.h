// The arithmetic of float64 lanes. Type headers include it.

#define LANES 4 // number of lanes in a vector
#define MUL VMULPD
#define SUB VSUBPD
#define FMA VFMADD231PD
#define ADD VADDPD
#define MINUS0(v) VBROADCASTSD minus0F64<>(SB), v // −0, which changes no sum

// Returns the sum of the lanes of Y0 and Y1. It adds the upper half to the lower half, three times.
#define RETURN_SUM \
	VADDPD Y1, Y0, Y0                          \
	VEXTRACTF128 $1, Y0, X1; VADDPD X1, X0, X0 \
	VPERMILPD $1, X0, X1; VADDSD X1, X0, X0    \
	VMOVSD X0, ret+24(FP); VZEROUPPER; RET
