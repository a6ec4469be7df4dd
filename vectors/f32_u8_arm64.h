// Type header for float32 elements of x and uint8 elements of y, with float32 lanes.
// compare_arm64.h explains the macros.
#include "f32_lanes_arm64.h"
#define LOGX 2
#define LOGY 0
#define LOADX(p, i, a, A, b, B) FLDPQ (16*i)(p), (A, B)
#define LOADX1(p, i, a, A) FMOVQ (16*i)(p), A
#define LOADY(p, i, a, A, b, B) \
	FMOVD (4*i)(p), B \
	USHLLH8(b, b)     \
	USHLLS4(b, a)     \
	SCVTFS4(a, a)     \
	USHLL2S4(b, b)    \
	SCVTFS4(b, b)
#define LOADY1(p, i, a, A) FMOVS (4*i)(p), A; USHLLH8(a, a); USHLLS4(a, a); SCVTFS4(a, a)
#define PAD VDUP R7, V7.S4; VEOR V5.B16, V5.B16, V5.B16
#define LOADTAIL TAIL_MIXED(B, H, USHLLH8(5, 5); USHLLS4(5, 5); SCVTFS4(5, 5))
