// The body of Axpy and AxpyDiff of float32. STEP is AXPY or DIFF, and undefined at the end.
#define LANES 8
#define BYTES 32
#define VECTOR(off) STEP(VMOVUPS, VSUBPS, VFMADD213PS, Y0, Y1, off)
#include "axpy_amd64.h"
	SUBQ $4, DX // the same for four elements, if there are as many
	JLT scalar
	STEP(VMOVUPS, VSUBPS, VFMADD213PS, X0, X1, 0)
	ADDQ $16, BX
	SUBQ $4, DX

scalar:
	ADDQ $4, DX
	JEQ done

element: // y += alpha·x or alpha·(a − b), one element
	STEP(VMOVSS, VSUBSS, VFMADD213SS, X0, X1, 0)
	ADDQ $4, BX
	DECQ DX
	JNE element

done:
	VZEROUPPER
	RET
#undef LANES
#undef BYTES
#undef VECTOR
#undef STEP
