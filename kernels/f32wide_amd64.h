// The type parameters of dot_amd64.h and compare_amd64.h for float32 elements and float64 lanes.
#include "lanes_f64_amd64.h"
#define XSIZE 4 // bytes per element
#define YSIZE 4
#define LOADX(m, r) VCVTPS2PD m, r // r = LANES elements at m, converted to lanes
#define LOADY LOADX
#define WITHY(op, m, t, u, r) VCVTPS2PD m, u; op u, t, r // r = t op the elements of y at m; u is scratch
#define LOADED(x, y) x // selects the register that holds LANES elements before conversion
#define MASKMOV VMASKMOVPS
#define FILL(v) VBROADCASTSS minus0F32<>(SB), v // sets a register to −0 of the elements' type
#define CONVERT VCVTPS2PD X14, Y14; VCVTPS2PD X15, Y15 // converts elements in X14 and X15 to lanes
#define TAIL MASKED_TAIL(X12, X13, X14, X15)
