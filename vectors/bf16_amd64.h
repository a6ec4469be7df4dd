// The type parameters of compare_amd64.h for BF16 elements of x and y, and float32 lanes.
#include "lanes_f32_amd64.h"
#define XSIZE 2 // bytes per element
#define YSIZE 2
#define LOADX(m, r) VPMOVZXWD m, r; VPSLLD $16, r, r // r = LANES elements at m, converted to float32
#define LOADY LOADX
#define TAIL COPIED_TAIL
