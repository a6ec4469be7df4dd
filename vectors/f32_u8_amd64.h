// The type parameters of compare_amd64.h: x of float32, y of uint8, summed in float32.
#include "lanes_f32_amd64.h"
#define XSIZE 4 // bytes per element
#define YSIZE 1
#define LOADX(m, r) VMOVUPS m, r // LANES elements as float32
#define LOADY(m, r) VPMOVZXBD m, r; VCVTDQ2PS r, r
#define TAIL COPIED_Y_TAIL(MOVB)
