// x has float32 elements, y has uint8 elements, and lanes are float32. f64_avx512_amd64.h describes
// the macros.
#define LOADX(m, z) VMOVUPS m, z
#define LOADX_K(m, k, z) VMOVUPS.Z m, k, z
#define LOADY(m, z) VPMOVZXBD m, z; VCVTDQ2PS z, z
#define LOADY_K(m, k, z) VPMOVZXBD.Z m, k, z; VCVTDQ2PS z, z
#define LANES 16
#define XSIZE 4
#define YSIZE 1
