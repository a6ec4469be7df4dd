// The arithmetic of float32 lanes. f64_sums_avx512_amd64.h describes the macros.
#define ADD VADDPS
#define SUB VSUBPS
#define MUL VMULPS
#define FMA VFMADD231PS
#define MOVE VPERMPS
#define INDEX VPMOVZXBD
#define MINUS0(z) VBROADCASTSS minus0F32<>(SB), z
// Adds the upper half of the lanes to the lower half, four times.
#define HALVE \
	VEXTRACTF64X4 $1, Z0, Y1; VADDPS Y1, Y0, Y0; \
	VEXTRACTF128 $1, Y0, X1; VADDPS X1, X0, X0;  \
	VPERMILPD $1, X0, X1; VADDPS X1, X0, X0;     \
	VMOVSHDUP X0, X1; VADDSS X1, X0, X0;         \
	VMOVSS X0, ret+24(FP); VZEROUPPER; RET
