//go:build !purego

#include "go_asm.h"
#include "textflag.h"

// Kernels of many vectors for AVX-512. The order of operations is that of the doc comments of
// DotF32 and L2F32.

// (g0+g1)+(g2+g3) and the halves down to 128 bits, of one sum.
#define QUARTERS(a, b, c, d, ya, yb, xa, xb) \
	VADDPS b, a, a          \
	VADDPS d, c, c          \
	VADDPS c, a, a          \
	VEXTRACTF64X4 $1, a, yb \
	VADDPS yb, ya, ya       \
	VEXTRACTF128 $1, ya, xb \
	VADDPS xb, xa, xa

// Where the sums of eight pairs stand after they were halved four times.
DATA order32<>+0(SB)/8, $0x0000000400000000
DATA order32<>+8(SB)/8, $0x0000000c00000008
DATA order32<>+16(SB)/8, $0x0000000600000002
DATA order32<>+24(SB)/8, $0x0000000e0000000a
GLOBL order32<>(SB), RODATA|NOPTR, $32

// The rows one by one. TERM adds what two vectors make to the lanes, RESTTERM what their first
// lanes make; DONE makes the result of the lanes.

#define LANES4 \
	VMOVAPS Z31, Z0 \
	VMOVAPS Z31, Z1 \
	VMOVAPS Z31, Z2 \
	VMOVAPS Z31, Z3

#define CLEAR LANES4
#define TERM(off, t, a, b) \
	VMOVUPS off(SI), t        \
	VSUBPS off(DI), t, t      \
	VFMADD231PS t, t, a
#define RESTTERM(off, K, a, b) \
	VMOVUPS.Z off(SI), K, Z8      \
	VMOVUPS.Z off(DI), K, Z9      \
	VSUBPS Z9, Z8, Z8             \
	VFMADD231PS Z8, Z8, K, a
#define DONE \
	QUARTERS(Z0, Z1, Z2, Z3, Y0, Y1, X0, X1) \
	VPERMILPD $1, X0, X1 \
	VADDPS X1, X0, X0    \
	VMOVSHDUP X0, X1     \
	VADDSS X1, X0, X0

// func l2RowsF32AVX512(dst, q, a []float32, rows, cols, stride int)
// Requires: AVX512F, AVX512DQ
//
// Registers: see many_rows_avx512_amd64.h.
TEXT ·l2RowsF32AVX512(SB), NOSPLIT, $0-96
#include "many_rows_avx512_amd64.h"

#undef CLEAR
#undef TERM
#undef RESTTERM
#undef DONE
#define CLEAR \
	LANES4          \
	VMOVAPS Z31, Z4 \
	VMOVAPS Z31, Z5 \
	VMOVAPS Z31, Z6 \
	VMOVAPS Z31, Z7
#define TERM(off, t, a, b) \
	PREFETCHT0 (const_cosineAhead+off)(DI) \
	VMOVUPS off(DI), t        \
	VFMADD231PS off(SI), t, a \
	VFMADD231PS t, t, b
#define RESTTERM(off, K, a, b) \
	VMOVUPS.Z off(SI), K, Z8      \
	VMOVUPS.Z off(DI), K, Z9      \
	VFMADD231PS Z9, Z8, K, a      \
	VFMADD231PS Z9, Z9, K, b
#define DONE \
	QUARTERS(Z0, Z1, Z2, Z3, Y0, Y1, X0, X1) \
	QUARTERS(Z4, Z5, Z6, Z7, Y4, Y5, X4, X5) \
	VUNPCKLPD X4, X0, X1   \
	VUNPCKHPD X4, X0, X2   \
	VADDPS X2, X1, X1      \
	VMOVSHDUP X1, X2       \
	VADDPS X2, X1, X0      \
	VPERMILPD $1, X0, X1   \
	VCVTSS2SD X0, X0, X0   \
	VCVTSS2SD X1, X1, X1   \
	VMULSD X30, X1, X2     \
	VSQRTSD X2, X2, X1     \
	VDIVSD X1, X0, X0      \
	VCVTSD2SS X0, X0, X0   \
	VXORPS X1, X1, X1      \
	VCMPSD $0, X1, X2, X1  \
	VANDNPS X0, X1, X0

// func cosineRowsF32AVX512(dst, q, a []float32, rows, cols, stride int, qq float32)
// Requires: AVX512F, AVX512DQ
//
// Registers: see many_rows_avx512_amd64.h; X30: q·q in float64.
//
// What is read next is fetched ahead, see tuning_amd64.go. Squared distances of long rows lose by
// that.
TEXT ·cosineRowsF32AVX512(SB), NOSPLIT, $0-100
	VXORPS X30, X30, X30
	VCVTSS2SD qq+96(FP), X30, X30
#include "many_rows_avx512_amd64.h"

#undef CLEAR
#undef TERM
#undef RESTTERM
#define TERM(x, y, acc) VFMADD231PS y, x, acc
#define RESTTERM(x, y, K, acc) VFMADD231PS y, x, K, acc

// func dotBlockF32AVX512(dst []float32, dstride int, q []float32, queries, qstride int, a []float32, rows, cols, stride, lines int)
// Requires: AVX512F, AVX512DQ
//
// Registers: see many_block_avx512_amd64.h.
TEXT ·dotBlockF32AVX512(SB), NOSPLIT, $0-128
#include "many_block_avx512_amd64.h"

#undef TERM
#undef RESTTERM
#define TERM(x, y, acc) VSUBPS y, x, Z30; VFMADD231PS Z30, Z30, acc
#define RESTTERM(x, y, K, acc) VSUBPS y, x, Z30; VFMADD231PS Z30, Z30, K, acc

// func l2BlockF32AVX512(dst []float32, dstride int, q []float32, queries, qstride int, a []float32, rows, cols, stride, lines int)
// Requires: AVX512F, AVX512DQ
//
// Registers: see many_block_avx512_amd64.h.
TEXT ·l2BlockF32AVX512(SB), NOSPLIT, $0-128
#include "many_block_avx512_amd64.h"

// func cosinesF32AVX512(dst []float32, xx float32, yy []float32)
// Requires: AVX512F
//
// DI: dst; SI: yy; CX: elements left, in eights; Z0: xx. The products, in float64, of eight rows at
// a time: Z1; x·x·y·y: Z2; where that is 0: K1.
TEXT ·cosinesF32AVX512(SB), NOSPLIT, $0-56
	MOVQ dst_base+0(FP), DI
	MOVQ dst_len+8(FP), CX
	MOVQ yy_base+32(FP), SI
	VCVTSS2SD xx+24(FP), X0, X0
	VBROADCASTSD X0, Z0
	VPXORQ Z5, Z5, Z5

eight:
	SUBQ $8, CX
	JLT done
	VCVTPS2PD (DI), Z1
	VCVTPS2PD (SI), Z2
	VMULPD Z0, Z2, Z2
	VSQRTPD Z2, Z3
	VDIVPD Z3, Z1, Z1
	VCMPPD $4, Z5, Z2, K1 // not equal, or not ordered
	VCVTPD2PS.Z Z1, K1, Y1
	VMOVUPS Y1, (DI)
	ADDQ $32, DI
	ADDQ $32, SI
	JMP eight

done:
	VZEROUPPER
	RET
