// x and y have elements of F16, widened to lanes of float32; see f64_avx512_amd64.h.
#define LOADX(m, z) VCVTPH2PS m, z
#define LOADX_K(m, k, z) VCVTPH2PS.Z m, k, z
#define LOADY LOADX
#define LOADY_K LOADX_K
#define LANES 16
#define XSIZE 2
#define YSIZE 2
