// The body of Axpy for float32.
#define LANES 8
#define BYTES 32
#define VECTOR(off) AXPY(VMOVUPS, VFMADD213PS, Y0, Y1, off)
#include "axpy_amd64.h"
	SUBQ $4, DX // y += alpha·x for four elements, if they remain
	JLT scalar
	AXPY(VMOVUPS, VFMADD213PS, X0, X1, 0)
	ADDQ $16, BX
	SUBQ $4, DX

scalar:
	ADDQ $4, DX
	JEQ done

element: // y += alpha·x for one element
	AXPY(VMOVSS, VFMADD213SS, X0, X1, 0)
	ADDQ $4, BX
	DECQ DX
	JNE element

done:
	VZEROUPPER
	RET
#undef LANES
#undef BYTES
#undef VECTOR
