// Type header for float32 elements of x and y with float32 lanes. compare_arm64.h explains the
// macros.
#include "f32_lanes_arm64.h"
#define LOGX 2
#define LOGY 2
#define LOADX(p, i, a, A, b, B) FLDPQ (16*i)(p), (A, B)
#define LOADX1(p, i, a, A) FMOVQ (16*i)(p), A
#define LOADY LOADX
#define LOADY1 LOADX1
#define PAD VDUP R7, V7.S4
#define LOADTAIL TAIL_SAME(S, D)
