// Type header for BF16 elements of x and y with float32 lanes. compare_arm64.h explains the macros.
#include "f32_lanes_arm64.h"
#define LOGX 1
#define LOGY 1
#define LOADX(p, i, a, A, b, B) FMOVQ (8*i)(p), B; SHLLS4(b, a); SHLL2S4(b, b)
#define LOADX1(p, i, a, A) FMOVD (8*i)(p), A; SHLLS4(a, a)
#define LOADY LOADX
#define LOADY1 LOADX1
#define PAD MOVD $0x8000, R5; VDUP R5, V7.H8 // the bits are −0 in F16 and BF16
#define LOADTAIL TAIL_SAME(H, S); SHLLS4(6, 6); SHLLS4(7, 7)
