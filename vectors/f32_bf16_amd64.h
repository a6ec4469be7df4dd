// The type parameters of compare_amd64.h: x of float32, y of BF16, summed in float32.
#include "lanes_f32_amd64.h"
#define XSIZE 4 // bytes per element
#define YSIZE 2
#define LOADX(m, r) VMOVUPS m, r // LANES elements as float32
#define LOADY(m, r) VPMOVZXWD m, r; VPSLLD $16, r, r
#define TAIL COPIED_Y_TAIL(MOVW)
