// x and y have F16 elements, and lanes are float32. f64_avx512_amd64.h describes the macros.
#define LOADX(m, z) VCVTPH2PS m, z
#define LOADX_K(m, k, z) VCVTPH2PS.Z m, k, z
#define LOADY LOADX
#define LOADY_K LOADX_K
#define LANES 16
#define XSIZE 2
#define YSIZE 2
