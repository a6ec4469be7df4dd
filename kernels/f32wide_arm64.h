// Type header for float32 elements of x and y with float64 lanes. compare_arm64.h explains the
// macros.
#include "f64_lanes_arm64.h"
#define LOGX 2
#define LOGY 2
#define LOADX(p, i, a, A, b, B) FMOVQ (8*i)(p), B; FCVTLD2(b, a); FCVTL2D2(b, b)
#define LOADX1(p, i, a, A) FMOVD (8*i)(p), A; FCVTLD2(a, a)
#define LOADY LOADX
#define LOADY1 LOADX1
#define PAD VDUP R7, V7.D2
#define LOADTAIL \
	ADD  R4<<2, nextX, R3 \
	ADD  R4<<2, nextY, R4 \
	MOVD $0x80000000, R5  \
	VDUP R5, V7.S4        \
	VLD1 (R3), V6.S[0]    \
	VLD1 (R4), V7.S[0]    \
	FCVTLD2(6, 6)         \
	FCVTLD2(7, 7)
