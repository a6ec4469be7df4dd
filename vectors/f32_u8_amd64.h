// The type parameters of compare_amd64.h for float32 elements of x, uint8 elements of y, and
// float32 lanes.
#include "lanes_f32_amd64.h"
#define XSIZE 4 // bytes per element
#define YSIZE 1
#define LOADX(m, r) VMOVUPS m, r // r = LANES elements at m, converted to float32
#define LOADY(m, r) VPMOVZXBD m, r; VCVTDQ2PS r, r
#define TAIL COPIED_Y_TAIL(MOVB)
