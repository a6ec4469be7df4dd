// The body of Axpy for float64.
#define LANES 4
#define BYTES 32
#define VECTOR(off) AXPY(VMOVUPD, VFMADD213PD, Y0, Y1, off)
#include "axpy_amd64.h"

element: // y += alpha·x for one element
	AXPY(VMOVSD, VFMADD213SD, X0, X1, 0)
	ADDQ $8, BX
	DECQ DX
	JNE element

done:
	VZEROUPPER
	RET
#undef LANES
#undef BYTES
#undef VECTOR
