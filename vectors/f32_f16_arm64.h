// Type header for float32 elements of x and F16 elements of y, with float32 lanes. compare_arm64.h
// explains the macros.
#include "f32_lanes_arm64.h"
#define LOGX 2
#define LOGY 1
#define LOADX(p, i, a, A, b, B) FLDPQ (16*i)(p), (A, B)
#define LOADX1(p, i, a, A) FMOVQ (16*i)(p), A
#define LOADY(p, i, a, A, b, B) FMOVQ (8*i)(p), B; FCVTLS4(b, a); FCVTL2S4(b, b)
#define LOADY1(p, i, a, A) FMOVD (8*i)(p), A; FCVTLS4(a, a)
#define PAD VDUP R7, V7.S4; VEOR V5.B16, V5.B16, V5.B16
#define LOADTAIL TAIL_MIXED(H, S, FCVTLS4(5, 5))
