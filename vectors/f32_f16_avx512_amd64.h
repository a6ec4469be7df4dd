// x has elements of float32 and y of F16, widened to lanes of float32; see f64_avx512_amd64.h.
#define LOADX(m, z) VMOVUPS m, z
#define LOADX_K(m, k, z) VMOVUPS.Z m, k, z
#define LOADY(m, z) VCVTPH2PS m, z
#define LOADY_K(m, k, z) VCVTPH2PS.Z m, k, z
#define LANES 16
#define XSIZE 4
#define YSIZE 2
