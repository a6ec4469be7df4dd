//go:build !purego

#include "go_asm.h"
#include "textflag.h"
#include "sums_avx512_amd64.h"

// Gemv of one type for AVX-512, in the order of operations that gemv.go documents. The file
// kernels_linear_avx512_amd64.s explains why masked lanes do not affect results. The header
// gemv_avx512_amd64.h contains the body for both types. Each width up to 25 vectors has its own
// loop, with x in registers, because a branch per vector would cost as much as its loads. Wider
// rows are processed four vectors at a time, with x in memory. If the matrix is in L1, four rows
// are processed at a time.

// The indices of the sums of eight float32 rows after EIGHTH, in the order of the rows.
DATA order32<>+0(SB)/8, $0x0000000400000000
DATA order32<>+8(SB)/8, $0x0000000c00000008
DATA order32<>+16(SB)/8, $0x0000000600000002
DATA order32<>+24(SB)/8, $0x0000000e0000000a
GLOBL order32<>(SB), RODATA|NOPTR, $32

// func gemvF64AVX512(dst, a []float64, rows, cols, stride int, x []float64)
// Requires: AVX512F, AVX512DQ
//
// Registers: see gemv_avx512_amd64.h. Vectors have 8 elements. The last vector of a row is masked.
TEXT ·gemvF64AVX512(SB), NOSPLIT, $0-96
#define LOG 3
#define SIZE 8
#define MOV VMOVUPD
#define COMPRESS VCOMPRESSPD
#define MINUS0 VPSLLQ $63, Z30, Z30
#define MUL VMULPD
#define FMA VFMADD231PD
#define ADD VADDPD
#define EIGHTH EIGHTH64
#define STORE8 VMOVUPD Z0, (dst); ADDQ $64, dst
#define STORE4 VMOVUPD Y0, (dst); ADDQ $32, dst
#define STOREREST VMOVUPD Z0, K2, (dst)
#define STOREONE VMOVSD X0, (dst); VALIGNQ $1, Z0, Z0, Z0
#include "gemv_avx512_amd64.h"

// func gemvF32AVX512(dst, a []float32, rows, cols, stride int, x []float32)
// Requires: AVX512F, AVX512DQ
//
// Registers: see gemv_avx512_amd64.h. Vectors have 16 elements. The last vector of a row is masked.
TEXT ·gemvF32AVX512(SB), NOSPLIT, $0-96
#define LOG 2
#define SIZE 4
#define MOV VMOVUPS
#define COMPRESS VCOMPRESSPS
#define MINUS0 VPSLLD $31, Z30, Z30
#define MUL VMULPS
#define FMA VFMADD231PS
#define ADD VADDPS
#define EIGHTH(z) VUNPCKLPD Z0, z, Z1; VUNPCKHPD Z0, z, Z2; VADDPS Z2, Z1, Z0; \
	VMOVSHDUP Z0, Z1; VADDPS Z1, Z0, Z0; VMOVUPS order32<>(SB), Y3; VPERMPS Z0, Z3, Z0
#define STORE8 VMOVUPS Y0, (dst); ADDQ $32, dst
#define STORE4 VMOVUPS X0, (dst); ADDQ $16, dst
#define STOREREST VMOVUPS Y0, K2, (dst)
#define STOREONE VMOVSS X0, (dst); VALIGND $1, Z0, Z0, Z0
#include "gemv_avx512_amd64.h"
