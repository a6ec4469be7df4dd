// Type header for float64 elements of x and y with float64 lanes. compare_arm64.h explains the
// macros.
#include "f64_lanes_arm64.h"
#define LOGX 3
#define LOGY 3
#define LOADX(p, i, a, A, b, B) FLDPQ (16*i)(p), (A, B)
#define LOADX1(p, i, a, A) FMOVQ (16*i)(p), A
#define LOADY LOADX
#define LOADY1 LOADX1
#define PAD VDUP R7, V7.D2
#define LOADTAIL ADD R4<<3, nextX, R3; ADD R4<<3, nextY, R4; VLD1 (R3), V6.D[0]; VLD1 (R4), V7.D[0]
