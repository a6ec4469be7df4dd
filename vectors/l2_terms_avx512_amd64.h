// The terms (x−y)² of a squared distance of float32 lanes.
#include "one_sum_avx512_amd64.h"
#define FIRST(x, y, sum, xx, yy) VSUBPS y, x, x; VMULPS x, x, sum
#define TERMS(x, y, sum, xx, yy) VSUBPS y, x, x; VFMADD231PS x, x, sum
#define TERMS_K1(x, y, sum, xx, yy) VSUBPS y, x, x; VFMADD231PS x, x, K1, sum
