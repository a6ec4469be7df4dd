// The macros of gemv_amd64.h and gemv_four_amd64.h for float64; gemv_f32_amd64.h and
// gemv_wide_amd64.h are for the other types, and gemv_clear_amd64.h undefines the macros. A vector
// has LANES elements, of SIZE bytes in a row and XSIZE in x and dst. ROWMASK and ROWLAST are the
// parts of Y12 and Y14 that the last vector of a row fills.
//
// LOAD loads a vector of a row, CONVERT converts its last one in Y14; FMA and ADD are instructions;
// MINUS0 shifts ones to -0. BY: y += row·xs, FIRST: y = row·xs. NEXT_AHEAD prefetches a row from
// memory, and AHEAD4 the data of an iteration of four rows. HALVE: X0 = the sum of Y0; STORE stores
// it, and STORE4 the sums of four rows, for float32 after adding the two halves.

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
