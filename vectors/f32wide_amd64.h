// The type parameters of dot_amd64.h and compare_amd64.h: float32, summed in float64.
#include "lanes_f64_amd64.h"
#define XSIZE 4 // bytes per element
#define YSIZE 4
#define LOADX(m, r) VCVTPS2PD m, r // LANES elements, converted to lanes
#define LOADY LOADX
#define WITHY(op, m, t, u, r) VCVTPS2PD m, u; op u, t, r // r = t op elements of y; u is scratch
#define LOADED(x, y) x // LANES elements before conversion fill the x or the y register
#define MASKMOV VMASKMOVPS
#define FILL(v) VBROADCASTSS minus0F32<>(SB), v // −0 of the elements' type
#define CONVERT VCVTPS2PD X14, Y14; VCVTPS2PD X15, Y15 // elements in X14 and X15 to lanes
#define TAIL MASKED_TAIL(X12, X13, X14, X15)
