// x and y have float64 elements, and lanes are float64. LOADX(m, z) loads LANES elements of x,
// which have XSIZE bytes each. LOADX_K(m, k, z) loads the elements under mask k, and 0 in the other
// lanes. LOADY, LOADY_K and YSIZE are the same for y.
#define LOADX(m, z) VMOVUPD m, z
#define LOADX_K(m, k, z) VMOVUPD.Z m, k, z
#define LOADY LOADX
#define LOADY_K LOADX_K
#define LANES 8
#define XSIZE 8
#define YSIZE 8
