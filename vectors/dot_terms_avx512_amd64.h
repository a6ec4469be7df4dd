// The terms x·y of a dot product of float32 lanes.
#include "one_sum_avx512_amd64.h"
#define FIRST(x, y, sum, xx, yy) VMULPS y, x, sum
#define TERMS(x, y, sum, xx, yy) VFMADD231PS y, x, sum
#define TERMS_K1(x, y, sum, xx, yy) VFMADD231PS y, x, K1, sum
