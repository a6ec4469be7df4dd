//go:build !purego

#include "textflag.h"

// MaxSim for AVX-512. MaxSim documents the order of operations.

// func maxSimF32AVX512(maxima *[maxSimLanes]float32, q, a []float32, rows, cols, stride int)
// Requires: AVX512F
//
// Registers: see maxsim_avx512_amd64.h; K1-K3: lanes in which a sum is NaN.
TEXT ·maxSimF32AVX512(SB), NOSPLIT, $0-80
#define TERM(x, y, sum) VFMADD231PS x, y, sum
// m = max(m, a-h), or NaN if one of a-h is NaN. VMAXPS returns its first operand, in the order of
// this file, if one of them is NaN.
#define RAISE(a, b, c, d, e, f, g, h, m) \
	VCMPPS $3, a, b, K1; VCMPPS $3, c, d, K2; KORW K1, K2, K1 \
	VCMPPS $3, e, f, K2; VCMPPS $3, g, h, K3; KORW K2, K3, K2 \
	KORW K1, K2, K1                                           \
	VMAXPS a, b, a; VMAXPS c, d, c; VMAXPS e, f, e            \
	VMAXPS g, h, g; VMAXPS a, c, a; VMAXPS e, g, e            \
	VMAXPS a, e, a; VMAXPS m, a, m                            \
	VPTERNLOGD $0xff, m, m, K1, m
	MOVQ maxima+0(FP), DI
	MOVQ a_base+32(FP), BX
	MOVQ rows+56(FP), DX
	MOVQ cols+64(FP), R11
	MOVQ stride+72(FP), R9
	SHLQ $2, R9
#include "maxsim_avx512_amd64.h"

// func maxSimI8PackAVX512(dst, src []int8, rows, cols, stride int)
// Requires: AVX512F, BW
//
// Registers: DI: the next bytes of dst; SI: the next bytes of a row; R8: the row; R9: bytes from a
// row to the next; DX: remaining rows; BX: remaining bytes of the row, minus 64; R10: cols − 64;
// K1: mask of the last bytes of a row; Z1: 0x80 in each byte.
TEXT ·maxSimI8PackAVX512(SB), NOSPLIT, $0-72
	MOVQ dst_base+0(FP), DI // load the arguments
	MOVQ src_base+24(FP), R8
	MOVQ rows+48(FP), DX
	MOVQ cols+56(FP), R10
	MOVQ stride+64(FP), R9
	MOVL $0x80808080, AX
	VPBROADCASTD AX, Z1
	MOVQ R10, CX // K1 = mask of the last 1 to 64 bytes
	NEGQ CX
	MOVQ $-1, AX
	SHRQ CX, AX
	KMOVQ AX, K1
	SUBQ $64, R10

row:
	MOVQ R8, SI // start a row
	MOVQ R10, BX
	CMPQ BX, $0
	JLE last

loop:
	VPXORD (SI), Z1, Z0 // dst = bytes ^ 0x80
	VMOVDQU32 Z0, (DI)
	ADDQ $64, SI
	ADDQ $64, DI
	SUBQ $64, BX
	JGT loop

last:
	VMOVDQU8.Z (SI), K1, Z0 // the same for the last bytes
	VPXORD Z1, Z0, Z0
	VMOVDQU32 Z0, (DI)
	ADDQ $64, DI // advance by a row
	ADDQ R9, R8
	DECQ DX
	JNE row
	VZEROUPPER
	RET

// func maxSimI8AVX512(maxima *[maxSimLanes]int32, q, a []int8, rows, words, stride int)
// Requires: AVX512F, VNNI
//
// Registers: see maxsim_avx512_amd64.h.
TEXT ·maxSimI8AVX512(SB), NOSPLIT, $0-80
#define TERM(x, y, sum) VPDPBUSD x, y, sum
// m = max(m, a-h).
#define RAISE(a, b, c, d, e, f, g, h, m) \
	VPMAXSD a, b, a; VPMAXSD c, d, c; VPMAXSD e, f, e; VPMAXSD g, h, g; \
	VPMAXSD a, c, a; VPMAXSD e, g, e; VPMAXSD a, e, a; VPMAXSD a, m, m
	MOVQ maxima+0(FP), DI // load the arguments
	MOVQ a_base+32(FP), BX
	MOVQ rows+56(FP), DX
	MOVQ words+64(FP), R11
	MOVQ stride+72(FP), R9
#include "maxsim_avx512_amd64.h"
