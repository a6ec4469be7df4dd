// x has float32 elements, y has BF16 elements, and lanes are float32. f64_avx512_amd64.h describes
// the macros.
#define LOADX(m, z) VMOVUPS m, z
#define LOADX_K(m, k, z) VMOVUPS.Z m, k, z
#define LOADY(m, z) VPMOVZXWD m, z; VPSLLD $16, z, z
#define LOADY_K(m, k, z) VPMOVZXWD.Z m, k, z; VPSLLD $16, z, z
#define LANES 16
#define XSIZE 4
#define YSIZE 2
