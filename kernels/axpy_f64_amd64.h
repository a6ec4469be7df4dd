// The body of Axpy and AxpyDiff of float64. STEP is AXPY or DIFF, and undefined at the end.
#define LANES 4
#define BYTES 32
#define VECTOR(off) STEP(VMOVUPD, VSUBPD, VFMADD213PD, Y0, Y1, off)
#include "axpy_amd64.h"

element: // y += alpha·x or alpha·(a − b), one element
	STEP(VMOVSD, VSUBSD, VFMADD213SD, X0, X1, 0)
	ADDQ $8, BX
	DECQ DX
	JNE element

done:
	VZEROUPPER
	RET
#undef LANES
#undef BYTES
#undef VECTOR
#undef STEP
