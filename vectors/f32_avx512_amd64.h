// x and y have float32 elements, and lanes are float32. f64_avx512_amd64.h describes the macros.
#define LOADX(m, z) VMOVUPS m, z
#define LOADX_K(m, k, z) VMOVUPS.Z m, k, z
#define LOADY LOADX
#define LOADY_K LOADX_K
#define LANES 16
#define XSIZE 4
#define YSIZE 4
