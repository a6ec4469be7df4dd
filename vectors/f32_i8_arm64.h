// Type header for float32 elements of x and int8 elements of y, with float32 lanes. compare_arm64.h
// explains the macros.
#include "f32_lanes_arm64.h"
#define LOGX 2
#define LOGY 0
#define LOADX(p, i, a, A, b, B) FLDPQ (16*i)(p), (A, B)
#define LOADX1(p, i, a, A) FMOVQ (16*i)(p), A
#define LOADY(p, i, a, A, b, B) \
	FMOVD (4*i)(p), B \
	SSHLLH8(b, b)     \
	SSHLLS4(b, a)     \
	SCVTFS4(a, a)     \
	SSHLL2S4(b, b)    \
	SCVTFS4(b, b)
#define LOADY1(p, i, a, A) FMOVS (4*i)(p), A; SSHLLH8(a, a); SSHLLS4(a, a); SCVTFS4(a, a)
#define PAD VDUP R7, V7.S4; VEOR V5.B16, V5.B16, V5.B16
#define LOADTAIL TAIL_MIXED(B, H, SSHLLH8(5, 5); SSHLLS4(5, 5); SCVTFS4(5, 5))
