// The type parameters of compare_amd64.h for F16 elements of x and y, and float32 lanes.
#include "lanes_f32_amd64.h"
#define XSIZE 2 // bytes per element
#define YSIZE 2
#define LOADX(m, r) VCVTPH2PS m, r // r = LANES elements at m, converted to float32
#define LOADY LOADX
#define TAIL COPIED_TAIL
