//go:build !purego

#include "textflag.h"
#include "vector_amd64.h"
#include "dot_data_avx512_amd64.h"

// The vector kernels for AVX-512. dispatch.go documents the order of operations.

// Returns the cosine X2/X4 as float32, or 0 if X3 = X4² is 0.
#define QUOTIENT_F32 \
	VDIVSD X4, X2, X2; VXORPS X4, X4, X4; VCMPSD $4, X4, X3, K1; \
	VCVTSD2SS.Z X2, X2, K1, X2; VMOVSS X2, ret+24(FP); VZEROUPPER; RET

// a += Σ x·(y−128) and b += Σ x, for unsigned bytes. The comment on dotI8AVX512 explains why.
#define DOT_U8(x, y, a, b) VPXORD half, y, Z28; VPDPBUSD Z28, x, a; VPDPBUSD one, x, b

// func l2F64AVX512(x, y *float64, n int) float64
// Requires: AVX512F
//
// Registers: see dot_avx512_amd64.h.
TEXT ·l2F64AVX512(SB), NOSPLIT, $0-32
#include "f64_avx512_amd64.h"
#include "f64_sums_avx512_amd64.h"
#define BY(op, y, t, u, sum) SUB y, t, t; op t, t, sum
#define BY_K1(op, sum) SUB Z5, Z4, Z4; op Z4, Z4, K1, sum
#include "dot_avx512_amd64.h"
#include "clear_dot_avx512_amd64.h"

// func l2F32AVX512(x, y *float32, n int) float32
// Requires: AVX512F
//
// Registers: see dot_avx512_amd64.h.
TEXT ·l2F32AVX512(SB), NOSPLIT, $0-28
#include "f32_avx512_amd64.h"
#include "f32_sums_avx512_amd64.h"
#define BY(op, y, t, u, sum) SUB y, t, t; op t, t, sum
#define BY_K1(op, sum) SUB Z5, Z4, Z4; op Z4, Z4, K1, sum
#include "dot_avx512_amd64.h"
#include "clear_dot_avx512_amd64.h"

// func cosineF64AVX512(x, y *float64, n int) float64
// Requires: AVX512F
//
// Registers: see compare_avx512_amd64.h.
TEXT ·cosineF64AVX512(SB), NOSPLIT, $0-32
#include "f64_avx512_amd64.h"
#include "cosine_f64_terms_avx512_amd64.h"
#include "compare_avx512_amd64.h"
#include "clear_compare_avx512_amd64.h"

// func cosineF32AVX512(x, y *float32, n int) float32
// Requires: AVX512F
//
// Registers: see compare_avx512_amd64.h.
TEXT ·cosineF32AVX512(SB), NOSPLIT, $0-28
#include "f32_avx512_amd64.h"
#include "cosine_f32_terms_avx512_amd64.h"
#include "compare_avx512_amd64.h"
#include "clear_compare_avx512_amd64.h"

// The kernels for bytes use VPDPBUSD, which multiplies unsigned bytes by signed bytes and adds four
// products to a sum. If both vectors are signed, 128 is added to the bytes of one vector, which
// flips their highest bit. If both are unsigned, 128 is subtracted. The sum of the other vector
// times 128 corrects the result. Processors without VNNI use the avx2 code.

DATA ones<>+0(SB)/8, $0x0101010101010101
GLOBL ones<>(SB), RODATA|NOPTR, $8
DATA halves<>+0(SB)/8, $0x8080808080808080
GLOBL halves<>(SB), RODATA|NOPTR, $8

// func dotI8AVX512(x, y *int8, n int) int64
// Requires: AVX512F, BW, VNNI
//
// Registers: see bytes_avx512_amd64.h.
TEXT ·dotI8AVX512(SB), NOSPLIT, $0-32
#define WIDEN VPMOVSXBW
#define WORDS(x, y) VPDPWSSD y, x, Z0
// a += Σ (x+128)·y; b += Σ y.
#define TERMS(x, y, a, b) VPXORD half, x, Z28; VPDPBUSD y, Z28, a; VPDPBUSD y, one, b
#define JOIN VPSLLD $7, Z1, Z1; VPSUBD Z1, Z0, Z0
#define EXTEND MOVLQSX AX, AX
#include "bytes_avx512_amd64.h"

// func dotU8AVX512(x, y *uint8, n int) int64
// Requires: AVX512F, BW, VNNI
//
// Registers: see bytes_avx512_amd64.h.
TEXT ·dotU8AVX512(SB), NOSPLIT, $0-32
#define WIDEN VPMOVZXBW
#define WORDS(x, y) VPDPWSSD y, x, Z0
#define TERMS DOT_U8
#define JOIN VPSLLD $7, Z1, Z1; VPADDD Z1, Z0, Z0
#define EXTEND MOVL AX, AX
#include "bytes_avx512_amd64.h"

// func l2I8AVX512(x, y *int8, n int) int64
// Requires: AVX512F, BW, VNNI
//
// Registers: see bytes_avx512_amd64.h.
TEXT ·l2I8AVX512(SB), NOSPLIT, $0-32
#define WIDEN VPMOVSXBW
#define WORDS(x, y) VPSUBW y, x, x; VPDPWSSD x, x, Z0
// Applies DOT_U8 to the absolute differences.
#define TERMS(x, y, a, b) \
	VPMAXSB y, x, Z28; VPMINSB y, x, Z29; VPSUBB Z29, Z28, Z29; DOT_U8(Z29, Z29, a, b)
#define JOIN VPSLLD $7, Z1, Z1; VPADDD Z1, Z0, Z0
#define EXTEND MOVL AX, AX
#include "bytes_avx512_amd64.h"

// func l2U8AVX512(x, y *uint8, n int) int64
// Requires: AVX512F, BW, VNNI
//
// Registers: see bytes_avx512_amd64.h.
TEXT ·l2U8AVX512(SB), NOSPLIT, $0-32
#define WIDEN VPMOVZXBW
#define WORDS(x, y) VPSUBW y, x, x; VPDPWSSD x, x, Z0
// Applies DOT_U8 to the absolute differences.
#define TERMS(x, y, a, b) \
	VPMAXUB y, x, Z28; VPMINUB y, x, Z29; VPSUBB Z29, Z28, Z29; DOT_U8(Z29, Z29, a, b)
#define JOIN VPSLLD $7, Z1, Z1; VPADDD Z1, Z0, Z0
#define EXTEND MOVL AX, AX
#include "bytes_avx512_amd64.h"

// func cosineI8AVX512(x, y *int8, n int) float32
// Requires: AVX512F, BW, VNNI
//
// Registers: see cosine_bytes_avx512_amd64.h.
TEXT ·cosineI8AVX512(SB), NOSPLIT, $0-28
#define WIDEN VPMOVSXBW
// xy += Σ (x+128)·y; xx += Σ (x+128)·x; yy += Σ (y+128)·y; xs += Σ x; ys += Σ y.
#define TERMS(x, y, xy, xx, yy, xs, ys) \
	VPXORD half, x, Z28; VPXORD half, y, Z29;                      \
	VPDPBUSD y, Z28, xy; VPDPBUSD x, Z28, xx; VPDPBUSD y, Z29, yy; \
	VPDPBUSD x, one, xs; VPDPBUSD y, one, ys
#define JOIN VPSUBD Z4, Z0, Z0; VPSUBD Z3, Z1, Z1; VPSUBD Z4, Z2, Z2
#define CONVERT VCVTDQ2PD
#include "cosine_bytes_avx512_amd64.h"

// func cosineU8AVX512(x, y *uint8, n int) float32
// Requires: AVX512F, BW, VNNI
//
// Registers: see cosine_bytes_avx512_amd64.h.
TEXT ·cosineU8AVX512(SB), NOSPLIT, $0-28
#define WIDEN VPMOVZXBW
// xy += Σ x·(y−128); xx += Σ x·(x−128); yy += Σ y·(y−128); xs += Σ x; ys += Σ y.
#define TERMS(x, y, xy, xx, yy, xs, ys) \
	VPXORD half, x, Z28; VPXORD half, y, Z29;                      \
	VPDPBUSD Z29, x, xy; VPDPBUSD Z28, x, xx; VPDPBUSD Z29, y, yy; \
	VPDPBUSD one, x, xs; VPDPBUSD one, y, ys
#define JOIN VPADDD Z3, Z0, Z0; VPADDD Z3, Z1, Z1; VPADDD Z4, Z2, Z2
#define CONVERT VCVTUDQ2PD
#include "cosine_bytes_avx512_amd64.h"

// Kernels that count bits. Processors without VPOPCNTDQ use the avx2 code.

// func hammingBitsAVX512(x, y *uint64, n int) int64
// Requires: AVX512F, VPOPCNTDQ
//
// Registers: see bits_avx512_amd64.h.
TEXT ·hammingBitsAVX512(SB), NOSPLIT, $0-32
#define TERMS(x, y) VPXORQ y, x, x; VPOPCNTQ x, x; VPADDQ x, Z0, Z0 // Z0 += bits of x^y
// Returns the sum of the elements of Z0.
#define RESULT \
	VEXTRACTI64X4 $1, Z0, Y1; VPADDQ Y1, Y0, Y0; VEXTRACTI128 $1, Y0, X1; VPADDQ X1, X0, X0; \
	VPSHUFD $0x4e, X0, X1; VPADDQ X1, X0, X0; VMOVQ X0, ret+24(FP); VZEROUPPER; RET
#include "bits_avx512_amd64.h"

// func jaccardBitsAVX512(x, y *uint64, n int) (both, either int64)
// Requires: AVX512F, VPOPCNTDQ
//
// Registers: see bits_avx512_amd64.h.
TEXT ·jaccardBitsAVX512(SB), NOSPLIT, $0-40
// Z0 += bits of x&y; Z1 += bits of x|y.
#define TERMS(x, y) \
	VPANDQ y, x, Z8; VPORQ y, x, x; VPOPCNTQ Z8, Z8; VPOPCNTQ x, x; VPADDQ Z8, Z0, Z0; VPADDQ x, Z1, Z1
// Returns the sums of the elements of Z0 and of Z1. Both are reduced together in Z0.
#define RESULT \
	VPUNPCKLQDQ Z1, Z0, Z2; VPUNPCKHQDQ Z1, Z0, Z3; VPADDQ Z3, Z2, Z0;                       \
	VEXTRACTI64X4 $1, Z0, Y1; VPADDQ Y1, Y0, Y0; VEXTRACTI128 $1, Y0, X1; VPADDQ X1, X0, X0; \
	VMOVQ X0, both+24(FP); VPEXTRQ $1, X0, either+32(FP); VZEROUPPER; RET
#include "bits_avx512_amd64.h"

// func dotF16AVX512(x, y *F16, n int) float32
// Requires: AVX512F
//
// Registers: see compare_avx512_amd64.h.
TEXT ·dotF16AVX512(SB), NOSPLIT, $0-28
#include "f16_avx512_amd64.h"
#include "dot_terms_avx512_amd64.h"
#include "compare_avx512_amd64.h"
#include "clear_compare_avx512_amd64.h"

// func dotBF16AVX512(x, y *BF16, n int) float32
// Requires: AVX512F, BW
//
// Registers: see bf16_avx512_amd64.h.
TEXT ·dotBF16AVX512(SB), NOSPLIT, $0-28
#include "dot_terms_avx512_amd64.h"
#include "bf16_avx512_amd64.h"
#include "clear_terms_avx512_amd64.h"

// func l2F16AVX512(x, y *F16, n int) float32
// Requires: AVX512F
//
// Registers: see compare_avx512_amd64.h.
TEXT ·l2F16AVX512(SB), NOSPLIT, $0-28
#include "f16_avx512_amd64.h"
#include "l2_terms_avx512_amd64.h"
#include "compare_avx512_amd64.h"
#include "clear_compare_avx512_amd64.h"

// func l2BF16AVX512(x, y *BF16, n int) float32
// Requires: AVX512F, BW
//
// Registers: see bf16_avx512_amd64.h.
TEXT ·l2BF16AVX512(SB), NOSPLIT, $0-28
#include "l2_terms_avx512_amd64.h"
#include "bf16_avx512_amd64.h"
#include "clear_terms_avx512_amd64.h"

// func cosineF16AVX512(x, y *F16, n int) float32
// Requires: AVX512F
//
// Registers: see compare_avx512_amd64.h.
TEXT ·cosineF16AVX512(SB), NOSPLIT, $0-28
#include "f16_avx512_amd64.h"
#include "cosine_f32_terms_avx512_amd64.h"
#include "compare_avx512_amd64.h"
#include "clear_compare_avx512_amd64.h"

// func cosineBF16AVX512(x, y *BF16, n int) float32
// Requires: AVX512F, BW
//
// Registers: see bf16_avx512_amd64.h.
TEXT ·cosineBF16AVX512(SB), NOSPLIT, $0-28
#include "cosine_f32_terms_avx512_amd64.h"
#define COSINE
#include "bf16_avx512_amd64.h"
#include "clear_terms_avx512_amd64.h"

// func dotF32F16AVX512(x *float32, y *F16, n int) float32
// Requires: AVX512F
//
// Registers: see compare_avx512_amd64.h.
TEXT ·dotF32F16AVX512(SB), NOSPLIT, $0-28
#include "f32_f16_avx512_amd64.h"
#include "dot_terms_avx512_amd64.h"
#include "compare_avx512_amd64.h"
#include "clear_compare_avx512_amd64.h"

// func dotF32BF16AVX512(x *float32, y *BF16, n int) float32
// Requires: AVX512F
//
// Registers: see compare_avx512_amd64.h.
TEXT ·dotF32BF16AVX512(SB), NOSPLIT, $0-28
#include "f32_bf16_avx512_amd64.h"
#include "dot_terms_avx512_amd64.h"
#include "compare_avx512_amd64.h"
#include "clear_compare_avx512_amd64.h"

// func dotF32I8AVX512(x *float32, y *int8, n int) float32
// Requires: AVX512F
//
// Registers: see compare_avx512_amd64.h.
TEXT ·dotF32I8AVX512(SB), NOSPLIT, $0-28
#include "f32_i8_avx512_amd64.h"
#include "dot_terms_avx512_amd64.h"
#include "compare_avx512_amd64.h"
#include "clear_compare_avx512_amd64.h"

// func dotF32U8AVX512(x *float32, y *uint8, n int) float32
// Requires: AVX512F
//
// Registers: see compare_avx512_amd64.h.
TEXT ·dotF32U8AVX512(SB), NOSPLIT, $0-28
#include "f32_u8_avx512_amd64.h"
#include "dot_terms_avx512_amd64.h"
#include "compare_avx512_amd64.h"
#include "clear_compare_avx512_amd64.h"

// func l2F32F16AVX512(x *float32, y *F16, n int) float32
// Requires: AVX512F
//
// Registers: see compare_avx512_amd64.h.
TEXT ·l2F32F16AVX512(SB), NOSPLIT, $0-28
#include "f32_f16_avx512_amd64.h"
#include "l2_terms_avx512_amd64.h"
#include "compare_avx512_amd64.h"
#include "clear_compare_avx512_amd64.h"

// func l2F32BF16AVX512(x *float32, y *BF16, n int) float32
// Requires: AVX512F
//
// Registers: see compare_avx512_amd64.h.
TEXT ·l2F32BF16AVX512(SB), NOSPLIT, $0-28
#include "f32_bf16_avx512_amd64.h"
#include "l2_terms_avx512_amd64.h"
#include "compare_avx512_amd64.h"
#include "clear_compare_avx512_amd64.h"

// func l2F32I8AVX512(x *float32, y *int8, n int) float32
// Requires: AVX512F
//
// Registers: see compare_avx512_amd64.h.
TEXT ·l2F32I8AVX512(SB), NOSPLIT, $0-28
#include "f32_i8_avx512_amd64.h"
#include "l2_terms_avx512_amd64.h"
#include "compare_avx512_amd64.h"
#include "clear_compare_avx512_amd64.h"

// func l2F32U8AVX512(x *float32, y *uint8, n int) float32
// Requires: AVX512F
//
// Registers: see compare_avx512_amd64.h.
TEXT ·l2F32U8AVX512(SB), NOSPLIT, $0-28
#include "f32_u8_avx512_amd64.h"
#include "l2_terms_avx512_amd64.h"
#include "compare_avx512_amd64.h"
#include "clear_compare_avx512_amd64.h"

// func cosineF32F16AVX512(x *float32, y *F16, n int) float32
// Requires: AVX512F
//
// Registers: see compare_avx512_amd64.h.
TEXT ·cosineF32F16AVX512(SB), NOSPLIT, $0-28
#include "f32_f16_avx512_amd64.h"
#include "cosine_f32_terms_avx512_amd64.h"
#include "compare_avx512_amd64.h"
#include "clear_compare_avx512_amd64.h"

// func cosineF32BF16AVX512(x *float32, y *BF16, n int) float32
// Requires: AVX512F
//
// Registers: see compare_avx512_amd64.h.
TEXT ·cosineF32BF16AVX512(SB), NOSPLIT, $0-28
#include "f32_bf16_avx512_amd64.h"
#include "cosine_f32_terms_avx512_amd64.h"
#include "compare_avx512_amd64.h"
#include "clear_compare_avx512_amd64.h"

// func cosineF32I8AVX512(x *float32, y *int8, n int) float32
// Requires: AVX512F
//
// Registers: see compare_avx512_amd64.h.
TEXT ·cosineF32I8AVX512(SB), NOSPLIT, $0-28
#include "f32_i8_avx512_amd64.h"
#include "cosine_f32_terms_avx512_amd64.h"
#include "compare_avx512_amd64.h"
#include "clear_compare_avx512_amd64.h"

// func cosineF32U8AVX512(x *float32, y *uint8, n int) float32
// Requires: AVX512F
//
// Registers: see compare_avx512_amd64.h.
TEXT ·cosineF32U8AVX512(SB), NOSPLIT, $0-28
#include "f32_u8_avx512_amd64.h"
#include "cosine_f32_terms_avx512_amd64.h"
#include "compare_avx512_amd64.h"
#include "clear_compare_avx512_amd64.h"

// Conversions and quantizers. The number of elements is a multiple of 16, or of 64 in
// signBitsAVX512.

// func f16FromF32AVX512(dst []F16, src []float32)
// Requires: AVX512F
//
// Registers: DI: dst; SI: src; DX: number of remaining elements, minus 16.
TEXT ·f16FromF32AVX512(SB), NOSPLIT, $0-48
	MOVQ dst_base+0(FP), DI // load the arguments
	MOVQ src_base+24(FP), SI
	MOVQ src_len+32(FP), DX
	SUBQ $16, DX
	JLT done

loop:
	VMOVUPS (SI), Z0 // dst = src, rounded to nearest even
	VCVTPS2PH $0, Z0, (DI)
	ADDQ $64, SI // advance to the next elements
	ADDQ $32, DI
	SUBQ $16, DX
	JGE loop

done:
	VZEROUPPER
	RET

// func f32FromF16AVX512(dst []float32, src []F16)
// Requires: AVX512F
//
// Registers: DI: dst; SI: src; DX: number of remaining elements, minus 16.
TEXT ·f32FromF16AVX512(SB), NOSPLIT, $0-48
	MOVQ dst_base+0(FP), DI // load the arguments
	MOVQ src_base+24(FP), SI
	MOVQ src_len+32(FP), DX
	SUBQ $16, DX
	JLT done

loop:
	VCVTPH2PS (SI), Z0 // dst = src
	VMOVUPS Z0, (DI)
	ADDQ $32, SI // advance to the next elements
	ADDQ $64, DI
	SUBQ $16, DX
	JGE loop

done:
	VZEROUPPER
	RET

// func bF16FromF32AVX512(dst []BF16, src []float32)
// Requires: AVX512F
//
// Registers: DI: dst; SI: src; DX: number of remaining elements, minus 16.
TEXT ·bF16FromF32AVX512(SB), NOSPLIT, $0-48
	MOVQ dst_base+0(FP), DI // load the arguments
	MOVQ src_base+24(FP), SI
	MOVQ src_len+32(FP), DX
	SUBQ $16, DX
	JLT done
	MOVL $0x7fff, AX // Z4 = 0x7fff, for rounding; Z5 = 1; Z6 = the bit that makes a NaN quiet
	VPBROADCASTD AX, Z4
	MOVL $1, AX
	VPBROADCASTD AX, Z5
	MOVL $0x40, AX
	VPBROADCASTD AX, Z6

loop:
	VMOVUPS (SI), Z0 // Z3 = upper half of src with the quiet bit, for NaN
	VPSRLD $16, Z0, Z1
	VPORD Z6, Z1, Z3
	VCMPPS $3, Z0, Z0, K1
	VPANDD Z5, Z1, Z2 // Z2 = (src + 0x7fff + last bit of the upper half) >> 16: rounded to nearest even
	VPADDD Z4, Z2, Z2
	VPADDD Z0, Z2, Z2
	VPSRLD $16, Z2, Z2
	VMOVDQA32 Z3, K1, Z2 // dst = Z3 if src is NaN, else Z2
	VPMOVDW Z2, (DI)
	ADDQ $64, SI // advance to the next elements
	ADDQ $32, DI
	SUBQ $16, DX
	JGE loop

done:
	VZEROUPPER
	RET

// func f32FromBF16AVX512(dst []float32, src []BF16)
// Requires: AVX512F
//
// Registers: DI: dst; SI: src; DX: number of remaining elements, minus 16.
TEXT ·f32FromBF16AVX512(SB), NOSPLIT, $0-48
	MOVQ dst_base+0(FP), DI // load the arguments
	MOVQ src_base+24(FP), SI
	MOVQ src_len+32(FP), DX
	SUBQ $16, DX
	JLT done

loop:
	VPMOVZXWD (SI), Z0 // dst = src << 16
	VPSLLD $16, Z0, Z0
	VMOVUPS Z0, (DI)
	ADDQ $32, SI // advance to the next elements
	ADDQ $64, DI
	SUBQ $16, DX
	JGE loop

done:
	VZEROUPPER
	RET

DATA finite<>+0(SB)/4, $0x7f7fffff
GLOBL finite<>(SB), RODATA|NOPTR, $4
DATA sizes<>+0(SB)/4, $0x7fffffff
GLOBL sizes<>(SB), RODATA|NOPTR, $4
DATA highest<>+0(SB)/4, $0x42fe0000 // 127
GLOBL highest<>(SB), RODATA|NOPTR, $4
DATA lowest<>+0(SB)/4, $0xc2fe0000
GLOBL lowest<>(SB), RODATA|NOPTR, $4

// func scaleI8AVX512(x []float32) float32
// Requires: AVX512F
//
// Registers: SI: x; DX: number of remaining elements, minus 16; Z0: the largest absolute value in
// each lane, compared as integers, which gives the same order; Z14: the largest finite number; Z15:
// all bits except the sign.
TEXT ·scaleI8AVX512(SB), NOSPLIT, $0-28
	MOVQ x_base+0(FP), SI // load the arguments
	MOVQ x_len+8(FP), DX
	VPBROADCASTD finite<>(SB), Z14
	VPBROADCASTD sizes<>(SB), Z15
	VPXOR X0, X0, X0
	SUBQ $16, DX
	JLT done

loop:
	VPANDD (SI), Z15, Z1 // Z0 = max(Z0, |x|) for finite x
	VPCMPD $2, Z14, Z1, K1
	VPMAXSD Z1, Z0, K1, Z0
	ADDQ $64, SI // advance to the next elements
	SUBQ $16, DX
	JGE loop

done:
	VEXTRACTI64X4 $1, Z0, Y1 // reduce the lanes to their maximum
	VPMAXSD Y1, Y0, Y0
	VEXTRACTI128 $1, Y0, X1
	VPMAXSD X1, X0, X0
	VPSHUFD $0x4e, X0, X1
	VPMAXSD X1, X0, X0
	VPSHUFD $0xb1, X0, X1
	VPMAXSD X1, X0, X0
	VMOVSS X0, ret+24(FP) // return the bits as float32
	VZEROUPPER
	RET

// func quantizeI8AVX512(dst []int8, src []float32, scale float32)
// Requires: AVX512F
//
// Registers: DI: dst; SI: src; DX: number of remaining elements, minus 16; Z13: scale; Z14: 127;
// Z15: −127; K1: mask of the elements that are not NaN.
TEXT ·quantizeI8AVX512(SB), NOSPLIT, $0-52
	MOVQ dst_base+0(FP), DI // load the arguments
	MOVQ src_base+24(FP), SI
	MOVQ src_len+32(FP), DX
	VBROADCASTSS scale+48(FP), Z13
	VBROADCASTSS highest<>(SB), Z14
	VBROADCASTSS lowest<>(SB), Z15
	SUBQ $16, DX
	JLT done

loop:
	VMOVUPS (SI), Z0 // Z0 = src / scale, in [−127, 127]
	VDIVPS Z13, Z0, Z0
	VCMPPS $7, Z0, Z0, K1
	VMINPS Z14, Z0, Z0
	VMAXPS Z15, Z0, Z0
	VCVTPS2DQ.Z Z0, K1, Z0 // dst = Z0 rounded to nearest even, or 0 for NaN
	VPMOVDB Z0, (DI)
	ADDQ $64, SI // advance to the next elements
	ADDQ $16, DI
	SUBQ $16, DX
	JGE loop

done:
	VZEROUPPER
	RET

// func dequantizeI8AVX512(dst []float32, src []int8, scale float32)
// Requires: AVX512F
//
// Registers: DI: dst; SI: src; DX: number of remaining elements, minus 16; Z13: scale.
TEXT ·dequantizeI8AVX512(SB), NOSPLIT, $0-52
	MOVQ dst_base+0(FP), DI // load the arguments
	MOVQ src_base+24(FP), SI
	MOVQ src_len+32(FP), DX
	VBROADCASTSS scale+48(FP), Z13
	SUBQ $16, DX
	JLT done

loop:
	VPMOVSXBD (SI), Z0 // dst = src · scale
	VCVTDQ2PS Z0, Z0
	VMULPS Z13, Z0, Z0
	VMOVUPS Z0, (DI)
	ADDQ $16, SI // advance to the next elements
	ADDQ $64, DI
	SUBQ $16, DX
	JGE loop

done:
	VZEROUPPER
	RET

// func signBitsAVX512(dst []uint64, src []float32)
// Requires: AVX512F, BW
//
// Registers: DI: dst; SI: src; DX: number of remaining elements, minus 64; Z15: zeros; K1-K4: bits
// of 16 elements each.
TEXT ·signBitsAVX512(SB), NOSPLIT, $0-48
	MOVQ dst_base+0(FP), DI // load the arguments
	MOVQ src_base+24(FP), SI
	MOVQ src_len+32(FP), DX
	VXORPS X15, X15, X15
	SUBQ $64, DX
	JLT done

loop:
	VCMPPS $1, (SI), Z15, K1 // bit i = 0 < src[i], for 64 elements
	VCMPPS $1, 64(SI), Z15, K2
	VCMPPS $1, 128(SI), Z15, K3
	VCMPPS $1, 192(SI), Z15, K4
	KUNPCKWD K1, K2, K1 // dst = the bits, in order
	KUNPCKWD K3, K4, K3
	KUNPCKDQ K1, K3, K1
	KMOVQ K1, (DI)
	ADDQ $256, SI // advance to the next elements
	ADDQ $8, DI
	SUBQ $64, DX
	JGE loop

done:
	VZEROUPPER
	RET
