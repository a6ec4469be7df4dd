// x and y have elements of float32, widened to lanes of float64; see f64_avx512_amd64.h.
#define LOADX(m, z) VCVTPS2PD m, z
#define LOADX_K(m, k, z) VCVTPS2PD.Z m, k, z
#define LOADY LOADX
#define LOADY_K LOADX_K
#define LANES 8
#define XSIZE 4
#define YSIZE 4
