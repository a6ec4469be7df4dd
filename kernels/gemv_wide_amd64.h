// The macros of gemv_amd64.h and gemv_four_amd64.h for float32 rows and float64 vectors.
// gemv_f64_amd64.h describes them, and gemv_clear_amd64.h undefines them.

#define SIZE 4
#define XSIZE 8
#define LANES 4
#define LOGLANES 2
#define ROWMASK X12
#define ROWLAST X14
#define LOAD VCVTPS2PD
#define FMA VFMADD231PD
#define ADD VADDPD
#define MINUS0 VPSLLQ $63, minus0, minus0
#define CONVERT VCVTPS2PD X14, Y14
#define BY(at, y) VCVTPS2PD at, Y14; VFMADD231PD Y14, xs, y
#define FIRST(at, y) VCVTPS2PD at, Y14; VMULPD Y14, xs, y
#define NEXT_AHEAD PREFETCHT0 const_gemvAheadMemory(place); PREFETCHT0 (const_gemvAheadMemory+64)(place)
#define AHEAD4 PREFETCHT0 (ahead); PREFETCHT0 64(ahead); ADDQ $128, ahead
#define HALVE VEXTRACTF128 $1, Y0, X1; VADDPD X1, X0, X0; VPERMILPD $1, X0, X1; VADDSD X1, X0, X0
#define STORE VMOVSD
#define STORE4 VMOVUPD Y0, (dst)
