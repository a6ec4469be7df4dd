// The macros of gemv_amd64.h and gemv_four_amd64.h for float32. gemv_f64_amd64.h describes them,
// and gemv_clear_amd64.h undefines them.

#define SIZE 4
#define XSIZE 4
#define LANES 8
#define LOGLANES 3
#define ROWMASK Y12
#define ROWLAST Y14
#define LOAD VMOVUPS
#define FMA VFMADD231PS
#define ADD VADDPS
#define MINUS0 VPSLLD $31, minus0, minus0
#define CONVERT
#define BY(at, y) FMA at, xs, y
#define FIRST(at, y) VMULPS at, xs, y
#define NEXT_AHEAD
#define AHEAD4 PREFETCHT0 (ahead); PREFETCHT0 64(ahead); PREFETCHT0 128(ahead); PREFETCHT0 192(ahead); ADDQ $256, ahead
#define HALVE VEXTRACTF128 $1, Y0, X1; VADDPS X1, X0, X0; VPERMILPD $1, X0, X1; VADDPS X1, X0, X0; \
	VMOVSHDUP X0, X1; VADDSS X1, X0, X0
#define STORE VMOVSS
#define STORE4 VHADDPS Y0, Y0, Y0; VEXTRACTF128 $1, Y0, X1; VUNPCKLPD X1, X0, X0; VMOVUPS X0, (dst)
