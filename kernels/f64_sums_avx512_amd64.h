// The arithmetic of float64 lanes in dot_avx512_amd64.h. MOVE permutes elements by indices, which
// INDEX converts from bytes. MINUS0(z) sets the lanes of z to −0. HALVE returns the sum of the
// lanes of Z0.
#define ADD VADDPD
#define SUB VSUBPD
#define MUL VMULPD
#define FMA VFMADD231PD
#define MOVE VPERMPD
#define INDEX VPMOVZXBQ
#define MINUS0(z) VBROADCASTSD minus0F64<>(SB), z
// Adds the upper half of the lanes to the lower half, three times.
#define HALVE \
	VEXTRACTF64X4 $1, Z0, Y1; VADDPD Y1, Y0, Y0; \
	VEXTRACTF128 $1, Y0, X1; VADDPD X1, X0, X0;  \
	VPERMILPD $1, X0, X1; VADDSD X1, X0, X0;     \
	VMOVSD X0, ret+24(FP); VZEROUPPER; RET
