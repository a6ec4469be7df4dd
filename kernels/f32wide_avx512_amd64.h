// x and y have float32 elements, and lanes are float64. f64_avx512_amd64.h describes the macros.
#define LOADX(m, z) VCVTPS2PD m, z
#define LOADX_K(m, k, z) VCVTPS2PD.Z m, k, z
#define LOADY LOADX
#define LOADY_K LOADX_K
#define LANES 8
#define XSIZE 4
#define YSIZE 4
