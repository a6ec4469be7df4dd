// Kernels of bytes that compute one sum with bytes_amd64.h. AX becomes sum0 + sum1, extended from
// 32 to 64 bits by EXTEND. The header undefines its parameters at the end.

#define sum0 Y0 // eight partial sums each
#define sum1 Y1
#include "bytes_amd64.h"
	VPADDD sum1, sum0, sum0 // AX = the sum of 16 partial sums
	VEXTRACTI128 $1, sum0, X1
	VPADDD X1, X0, X0
	VPSHUFD $0x4e, X0, X1
	VPADDD X1, X0, X0
	VPSHUFD $0xb1, X0, X1
	VPADDD X1, X0, X0
	VMOVD X0, AX
	EXTEND AX, AX
#undef sum0
#undef sum1
#undef LOAD
#undef EXTEND
#undef TERMS0
#undef TERMS1
