// x and y have elements of float64, for lanes of float64. LOADX(m, z) loads LANES elements of x,
// XSIZE bytes each; LOADX_K(m, k, z) loads those under mask k, and 0 for the others. LOADY and
// YSIZE are the same for y.
#define LOADX(m, z) VMOVUPD m, z
#define LOADX_K(m, k, z) VMOVUPD.Z m, k, z
#define LOADY LOADX
#define LOADY_K LOADX_K
#define LANES 8
#define XSIZE 8
#define YSIZE 8
