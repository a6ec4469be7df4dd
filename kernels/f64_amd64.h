// The type parameters of dot_amd64.h and compare_amd64.h for float64 elements and float64 lanes.
#include "lanes_f64_amd64.h"
#define XSIZE 8 // bytes per element
#define YSIZE 8
#define LOADX(m, r) VMOVUPD m, r // r = LANES elements at m, converted to lanes
#define LOADY LOADX
#define WITHY(op, m, t, u, r) op m, t, r // r = t op the elements of y at m; u is scratch
#define LOADED(x, y) y // selects the register that holds LANES elements before conversion
#define MASKMOV VMASKMOVPD
#define FILL MINUS0 // sets a register to −0 of the elements' type
#define CONVERT // converts elements in Y14 and Y15 to lanes
#define TAIL MASKED_TAIL(Y12, Y13, Y14, Y15)
