// x and y have elements of float32, for lanes of float32; see f64_avx512_amd64.h.
#define LOADX(m, z) VMOVUPS m, z
#define LOADX_K(m, k, z) VMOVUPS.Z m, k, z
#define LOADY LOADX
#define LOADY_K LOADX_K
#define LANES 16
#define XSIZE 4
#define YSIZE 4
