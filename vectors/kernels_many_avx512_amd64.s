//go:build !purego

#include "go_asm.h"
#include "textflag.h"

// Kernels that compare queries with many vectors, for AVX-512. DotF32 and L2F32 document the order
// of operations.

// xa = the sum (a+b)+(c+d) of four groups of 16 lanes, reduced to 128 bits. The upper half is added
// to the lower half twice.
#define QUARTERS(a, b, c, d, ya, yb, xa, xb) \
	VADDPS b, a, a          \
	VADDPS d, c, c          \
	VADDPS c, a, a          \
	VEXTRACTF64X4 $1, a, yb \
	VADDPS yb, ya, ya       \
	VEXTRACTF128 $1, ya, xb \
	VADDPS xb, xa, xa

// The positions of the sums of eight query-row pairs after halving the lanes four times.
DATA order32<>+0(SB)/8, $0x0000000400000000
DATA order32<>+8(SB)/8, $0x0000000c00000008
DATA order32<>+16(SB)/8, $0x0000000600000002
DATA order32<>+24(SB)/8, $0x0000000e0000000a
GLOBL order32<>(SB), RODATA|NOPTR, $32

// func l2RowsF32AVX512(dst, q, a []float32, rows, cols, stride int)
// Requires: AVX512F, AVX512DQ
//
// Registers: see many_rows_avx512_amd64.h.
TEXT ·l2RowsF32AVX512(SB), NOSPLIT, $0-96
#define CLEAR VMOVAPS Z31, Z0; VMOVAPS Z31, Z1; VMOVAPS Z31, Z2; VMOVAPS Z31, Z3 // sums = −0
// t = q−a; sum += t·t.
#define TERM(off, t, sum, norm) VMOVUPS off(SI), t; VSUBPS off(DI), t, t; VFMADD231PS t, t, sum
#define REMAINDER(off, k, sum, norm) \
	VMOVUPS.Z off(SI), k, Z8; VMOVUPS.Z off(DI), k, Z9; \
	VSUBPS Z9, Z8, Z8; VFMADD231PS Z8, Z8, k, sum
// X0 = the sum of the lanes.
#define RESULT \
	QUARTERS(Z0, Z1, Z2, Z3, Y0, Y1, X0, X1) \
	VPERMILPD $1, X0, X1; VADDPS X1, X0, X0; \
	VMOVSHDUP X0, X1; VADDSS X1, X0, X0
#include "many_rows_avx512_amd64.h"

// func cosineRowsF32AVX512(dst, q, a []float32, rows, cols, stride int, qq float32)
// Requires: AVX512F, AVX512DQ
//
// Registers: see many_rows_avx512_amd64.h; X30: q·q in float64.
TEXT ·cosineRowsF32AVX512(SB), NOSPLIT, $0-100
// sums = norms = −0.
#define CLEAR \
	VMOVAPS Z31, Z0; VMOVAPS Z31, Z1; VMOVAPS Z31, Z2; VMOVAPS Z31, Z3; \
	VMOVAPS Z31, Z4; VMOVAPS Z31, Z5; VMOVAPS Z31, Z6; VMOVAPS Z31, Z7
// sum += q·a; norm += a·a.
#define TERM(off, t, sum, norm) \
	VMOVUPS off(DI), t; VFMADD231PS off(SI), t, sum; VFMADD231PS t, t, norm
#define REMAINDER(off, k, sum, norm) \
	VMOVUPS.Z off(SI), k, Z8; VMOVUPS.Z off(DI), k, Z9; \
	VFMADD231PS Z9, Z8, k, sum; VFMADD231PS Z9, Z9, k, norm
// X0, X1 = q·a, a·a in float64; X2 = q·q · a·a. X0 = q·a / √X2 in float32, or 0 if X2 is 0.
#define RESULT \
	QUARTERS(Z0, Z1, Z2, Z3, Y0, Y1, X0, X1)                        \
	QUARTERS(Z4, Z5, Z6, Z7, Y4, Y5, X4, X5)                        \
	VUNPCKLPD X4, X0, X1; VUNPCKHPD X4, X0, X2; VADDPS X2, X1, X1;  \
	VMOVSHDUP X1, X2; VADDPS X2, X1, X0; VPERMILPD $1, X0, X1;      \
	VCVTSS2SD X0, X0, X0; VCVTSS2SD X1, X1, X1; VMULSD X30, X1, X2; \
	VSQRTSD X2, X2, X1; VDIVSD X1, X0, X0; VCVTSD2SS X0, X0, X0;    \
	VXORPS X1, X1, X1; VCMPSD $0, X1, X2, X1; VANDNPS X0, X1, X0
	VXORPS X30, X30, X30 // X30 = float64(qq)
	VCVTSS2SD qq+96(FP), X30, X30
#include "many_rows_avx512_amd64.h"

// func dotBlockF32AVX512(dst []float32, dstride int, q []float32, queries, qstride int, a []float32, rows, cols, stride, lines int)
// Requires: AVX512F, AVX512DQ
//
// Registers: see many_block_avx512_amd64.h.
TEXT ·dotBlockF32AVX512(SB), NOSPLIT, $0-128
#define TERM(x, y, sum) VFMADD231PS y, x, sum
#define REMAINDER(x, y, k, sum) VFMADD231PS y, x, k, sum
#include "many_block_avx512_amd64.h"

// func l2BlockF32AVX512(dst []float32, dstride int, q []float32, queries, qstride int, a []float32, rows, cols, stride, lines int)
// Requires: AVX512F, AVX512DQ
//
// Registers: see many_block_avx512_amd64.h.
TEXT ·l2BlockF32AVX512(SB), NOSPLIT, $0-128
#define TERM(x, y, sum) VSUBPS y, x, Z30; VFMADD231PS Z30, Z30, sum // sum += (x−y)²
#define REMAINDER(x, y, k, sum) VSUBPS y, x, Z30; VFMADD231PS Z30, Z30, k, sum
#include "many_block_avx512_amd64.h"

// func cosinesF32AVX512(dst []float32, xx float32, yy []float32)
// Requires: AVX512F
//
// dst contains the products x·y. An iteration converts eight of them to cosines.
//
// Registers: DI: dst; SI: yy; CX: remaining elements, a multiple of 8; Z0: xx; Z5: zeros; Z1:
// products, then cosines; Z2: xx·yy; K1: mask of the lanes in which xx·yy is not 0.
TEXT ·cosinesF32AVX512(SB), NOSPLIT, $0-56
	MOVQ dst_base+0(FP), DI // load the arguments
	MOVQ dst_len+8(FP), CX
	MOVQ yy_base+32(FP), SI
	VCVTSS2SD xx+24(FP), X0, X0
	VBROADCASTSD X0, Z0
	VPXORQ Z5, Z5, Z5

loop:
	SUBQ $8, CX
	JLT done
	VCVTPS2PD (DI), Z1 // Z1 = x·y / √(xx·yy), in float64
	VCVTPS2PD (SI), Z2
	VMULPD Z0, Z2, Z2
	VSQRTPD Z2, Z3
	VDIVPD Z3, Z1, Z1
	VCMPPD $4, Z5, Z2, K1 // dst = float32(Z1), or 0 if xx·yy is 0; NaN stays NaN
	VCVTPD2PS.Z Z1, K1, Y1
	VMOVUPS Y1, (DI)
	ADDQ $32, DI
	ADDQ $32, SI
	JMP loop

done:
	VZEROUPPER
	RET
