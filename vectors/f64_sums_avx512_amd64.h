// The arithmetic of lanes of float64 in dot_avx512_amd64.h. MOVE moves elements by indices, which
// INDEX makes of bytes; MINUS0(z) sets the lanes of z to −0; HALVE returns the sum of Z0's
// elements.
#define ADD VADDPD
#define SUB VSUBPD
#define MUL VMULPD
#define FMA VFMADD231PD
#define MOVE VPERMPD
#define INDEX VPMOVZXBQ
#define MINUS0(z) VBROADCASTSD minus0F64<>(SB), z
// The lower half of the elements + the upper half, three times.
#define HALVE \
	VEXTRACTF64X4 $1, Z0, Y1; VADDPD Y1, Y0, Y0; \
	VEXTRACTF128 $1, Y0, X1; VADDPD X1, X0, X0;  \
	VPERMILPD $1, X0, X1; VADDSD X1, X0, X0;     \
	VMOVSD X0, ret+24(FP); VZEROUPPER; RET
