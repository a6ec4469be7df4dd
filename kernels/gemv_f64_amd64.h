// The macros of gemv_amd64.h and gemv_four_amd64.h for float64. gemv_f32_amd64.h and
// gemv_wide_amd64.h contain the macros for the other types, and gemv_clear_amd64.h undefines them.
// A vector has LANES elements. An element has SIZE bytes in a row, and XSIZE bytes in x and dst.
// ROWMASK and ROWLAST are the parts of Y12 and Y14 that hold the last vector of a row before
// conversion.
//
// LOAD loads a vector of a row. CONVERT converts the last vector of a row in Y14. FMA and ADD are
// instructions. MINUS0 shifts ones to -0. BY computes y += row·xs, and FIRST computes y = row·xs.
// NEXT_AHEAD prefetches a row from memory, and AHEAD4 prefetches the data of an iteration of four
// rows. HALVE sets X0 to the sum of Y0, and STORE stores the sum. STORE4 stores the sums of four
// rows. For float32, it first adds the two halves.

#define SIZE 8
#define XSIZE 8
#define LANES 4
#define LOGLANES 2
#define ROWMASK Y12
#define ROWLAST Y14
#define LOAD VMOVUPD
#define FMA VFMADD231PD
#define ADD VADDPD
#define MINUS0 VPSLLQ $63, minus0, minus0
#define CONVERT
#define BY(at, y) FMA at, xs, y
#define FIRST(at, y) VMULPD at, xs, y
#define NEXT_AHEAD
#define AHEAD4 PREFETCHT0 (ahead); PREFETCHT0 64(ahead); PREFETCHT0 128(ahead); PREFETCHT0 192(ahead); ADDQ $256, ahead
#define HALVE VEXTRACTF128 $1, Y0, X1; VADDPD X1, X0, X0; VPERMILPD $1, X0, X1; VADDSD X1, X0, X0
#define STORE VMOVSD
#define STORE4 VMOVUPD Y0, (dst)
