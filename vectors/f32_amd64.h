// The type parameters of dot_amd64.h and compare_amd64.h: float32, summed in float32.
#include "lanes_f32_amd64.h"
#define XSIZE 4 // bytes per element
#define YSIZE 4
#define LOADX(m, r) VMOVUPS m, r // LANES elements, converted to lanes
#define LOADY LOADX
#define WITHY(op, m, t, u, r) op m, t, r // r = t op elements of y; u is scratch
#define LOADED(x, y) y // LANES elements before conversion fill the x or the y register
#define MASKMOV VMASKMOVPS
#define FILL MINUS0 // −0 of the elements' type
#define CONVERT // elements in Y14 and Y15 to lanes
#define TAIL MASKED_TAIL(Y12, Y13, Y14, Y15)
