// The type parameters of compare_amd64.h: x and y of F16, summed in float32.
#include "lanes_f32_amd64.h"
#define XSIZE 2 // bytes per element
#define YSIZE 2
#define LOADX(m, r) VCVTPH2PS m, r // LANES elements as float32
#define LOADY LOADX
#define TAIL COPIED_TAIL
