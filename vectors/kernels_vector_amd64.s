//go:build !purego

#include "textflag.h"
#include "vector_amd64.h"

// The vector kernels for AVX2 and FMA3. dispatch.go documents the order of operations.

DATA minus0F64<>+0(SB)/8, $0x8000000000000000
GLOBL minus0F64<>(SB), RODATA|NOPTR, $8
DATA minus0F32<>+0(SB)/4, $0x80000000
GLOBL minus0F32<>(SB), RODATA|NOPTR, $4

// The number of bits in each number from 0 to 15.
DATA bitCounts<>+0(SB)/8, $0x0302020102010100
DATA bitCounts<>+8(SB)/8, $0x0403030203020201
GLOBL bitCounts<>(SB), RODATA|NOPTR, $16

DATA lowHalves<>+0(SB)/8, $0x0f0f0f0f0f0f0f0f
GLOBL lowHalves<>(SB), RODATA|NOPTR, $8

// TERM and LAST are parameters of dot_amd64.h. In this file, the terms are squared differences.
#define TERM(op, m, t, u, acc) WITHY(SUB, m, t, u, t); op t, t, acc
#define LAST(acc) SUB yTail, xTail, xTail; FMA xTail, xTail, acc

// The terms of bytes_amd64.h: sum += x·y or (x − y)² for 16-bit words. Each 32-bit lane of sum adds
// the terms of two words.
#define DOT(x, y, sum) VPMADDWD y, x, x; VPADDD x, sum, sum
#define L2(x, y, sum) VPSUBW y, x, x; DOT(x, x, sum)

// func l2F64AVX2(x, y *float64, n int) float64
// Requires: AVX2, FMA3
// Registers: see dot_amd64.h.
TEXT ·l2F64AVX2(SB), NOSPLIT, $0-32
#include "f64_amd64.h"
#include "dot_amd64.h"

// func l2F32AVX2(x, y *float32, n int) float32
// Requires: AVX2, FMA3
// Registers: see dot_amd64.h.
TEXT ·l2F32AVX2(SB), NOSPLIT, $0-28
#include "f32_amd64.h"
#include "dot_amd64.h"

// func cosineF64AVX2(x, y *float64, n int) float64
// Requires: AVX2, FMA3
// Registers: see compare_amd64.h.
TEXT ·cosineF64AVX2(SB), NOSPLIT, $192-32
#include "f64_amd64.h"
#include "compare_cosine_f64_amd64.h"
	VMOVSD X1, ret+24(FP)
	VZEROUPPER
	RET

// func cosineF32AVX2(x, y *float32, n int) float32
// Requires: AVX2, FMA3
// Registers: see compare_amd64.h.
TEXT ·cosineF32AVX2(SB), NOSPLIT, $192-28
#include "f32_amd64.h"
#include "compare_cosine_f32_amd64.h"
	VMOVSS X2, ret+24(FP)
	VZEROUPPER
	RET

// func dotI8AVX2(x, y *int8, n int) int64
// Requires: AVX2
// Registers: see bytes_amd64.h.
TEXT ·dotI8AVX2(SB), NOSPLIT, $32-32
#define LOAD VPMOVSXBW
#define EXTEND MOVLQSX
#define TERMS0(x, y) DOT(x, y, sum0)
#define TERMS1(x, y) DOT(x, y, sum1)
#include "bytes_sum_amd64.h"
	MOVQ AX, ret+24(FP)
	VZEROUPPER
	RET

// func dotU8AVX2(x, y *uint8, n int) int64
// Requires: AVX2
// Registers: see bytes_amd64.h.
TEXT ·dotU8AVX2(SB), NOSPLIT, $32-32
#define LOAD VPMOVZXBW
#define EXTEND MOVL
#define TERMS0(x, y) DOT(x, y, sum0)
#define TERMS1(x, y) DOT(x, y, sum1)
#include "bytes_sum_amd64.h"
	MOVQ AX, ret+24(FP)
	VZEROUPPER
	RET

// func l2I8AVX2(x, y *int8, n int) int64
// Requires: AVX2
// Registers: see bytes_amd64.h.
TEXT ·l2I8AVX2(SB), NOSPLIT, $32-32
#define LOAD VPMOVSXBW
#define EXTEND MOVL
#define TERMS0(x, y) L2(x, y, sum0)
#define TERMS1(x, y) L2(x, y, sum1)
#include "bytes_sum_amd64.h"
	MOVQ AX, ret+24(FP)
	VZEROUPPER
	RET

// func l2U8AVX2(x, y *uint8, n int) int64
// Requires: AVX2
// Registers: see bytes_amd64.h.
TEXT ·l2U8AVX2(SB), NOSPLIT, $32-32
#define LOAD VPMOVZXBW
#define EXTEND MOVL
#define TERMS0(x, y) L2(x, y, sum0)
#define TERMS1(x, y) L2(x, y, sum1)
#include "bytes_sum_amd64.h"
	MOVQ AX, ret+24(FP)
	VZEROUPPER
	RET

// func cosineI8AVX2(x, y *int8, n int) float32
// Requires: AVX2
// Registers: see bytes_amd64.h.
TEXT ·cosineI8AVX2(SB), NOSPLIT, $32-28
#define LOAD VPMOVSXBW
#define EXTEND MOVLQSX
#include "bytes_cosine_amd64.h"
	VMOVSS X2, ret+24(FP)
	VZEROUPPER
	RET

// func cosineU8AVX2(x, y *uint8, n int) float32
// Requires: AVX2
// Registers: see bytes_amd64.h.
TEXT ·cosineU8AVX2(SB), NOSPLIT, $32-28
#define LOAD VPMOVZXBW
#define EXTEND MOVL
#include "bytes_cosine_amd64.h"
	VMOVSS X2, ret+24(FP)
	VZEROUPPER
	RET

// func hammingBitsAVX2(x, y *uint64, n int) int64
// Requires: AVX2
// Registers: see bits_amd64.h.
TEXT ·hammingBitsAVX2(SB), NOSPLIT, $0-32
#define TERMS(x, y) VPXOR y, x, x; COUNT(x, sum0)
#include "bits_amd64.h"
	VMOVQ X0, ret+24(FP)
	VZEROUPPER
	RET

// func jaccardBitsAVX2(x, y *uint64, n int) (both, either int64)
// Requires: AVX2
// Registers: see bits_amd64.h.
TEXT ·jaccardBitsAVX2(SB), NOSPLIT, $0-40
#define TERMS(x, y) VPAND y, x, Y12; VPOR y, x, x; COUNT(Y12, sum0); COUNT(x, sum1)
#include "bits_amd64.h"
	VEXTRACTI128 $1, Y1, X5 // X1 = the sum of sum1
	VPADDQ X5, X1, X1
	VPSHUFD $0x4e, X1, X5
	VPADDQ X5, X1, X1
	VMOVQ X0, both+24(FP)
	VMOVQ X1, either+32(FP)
	VZEROUPPER
	RET

// func dotF16AVX2(x, y *F16, n int) float32
// Requires: AVX2, FMA3, F16C
// Registers: see compare_amd64.h.
TEXT ·dotF16AVX2(SB), NOSPLIT, $224-28
#include "f16_amd64.h"
#define TERMS(x, y, a, b, c) FMA y, x, a
#include "compare_sum_amd64.h"
	VMOVSS X2, ret+24(FP)
	VZEROUPPER
	RET

// func dotBF16AVX2(x, y *BF16, n int) float32
// Requires: AVX2, FMA3
// Registers: see compare_amd64.h.
TEXT ·dotBF16AVX2(SB), NOSPLIT, $224-28
#include "bf16_amd64.h"
#define TERMS(x, y, a, b, c) FMA y, x, a
#include "compare_sum_amd64.h"
	VMOVSS X2, ret+24(FP)
	VZEROUPPER
	RET

// func l2F16AVX2(x, y *F16, n int) float32
// Requires: AVX2, FMA3, F16C
// Registers: see compare_amd64.h.
TEXT ·l2F16AVX2(SB), NOSPLIT, $224-28
#include "f16_amd64.h"
#define TERMS(x, y, a, b, c) SUB y, x, Y12; FMA Y12, Y12, a
#include "compare_sum_amd64.h"
	VMOVSS X2, ret+24(FP)
	VZEROUPPER
	RET

// func l2BF16AVX2(x, y *BF16, n int) float32
// Requires: AVX2, FMA3
// Registers: see compare_amd64.h.
TEXT ·l2BF16AVX2(SB), NOSPLIT, $224-28
#include "bf16_amd64.h"
#define TERMS(x, y, a, b, c) SUB y, x, Y12; FMA Y12, Y12, a
#include "compare_sum_amd64.h"
	VMOVSS X2, ret+24(FP)
	VZEROUPPER
	RET

// func cosineF16AVX2(x, y *F16, n int) float32
// Requires: AVX2, FMA3, F16C
// Registers: see compare_amd64.h.
TEXT ·cosineF16AVX2(SB), NOSPLIT, $224-28
#include "f16_amd64.h"
#include "compare_cosine_f32_amd64.h"
	VMOVSS X2, ret+24(FP)
	VZEROUPPER
	RET

// func cosineBF16AVX2(x, y *BF16, n int) float32
// Requires: AVX2, FMA3
// Registers: see compare_amd64.h.
TEXT ·cosineBF16AVX2(SB), NOSPLIT, $224-28
#include "bf16_amd64.h"
#include "compare_cosine_f32_amd64.h"
	VMOVSS X2, ret+24(FP)
	VZEROUPPER
	RET

// func dotF32F16AVX2(x *float32, y *F16, n int) float32
// Requires: AVX2, FMA3, F16C
// Registers: see compare_amd64.h.
TEXT ·dotF32F16AVX2(SB), NOSPLIT, $208-28
#include "f32_f16_amd64.h"
#define TERMS(x, y, a, b, c) FMA y, x, a
#include "compare_sum_amd64.h"
	VMOVSS X2, ret+24(FP)
	VZEROUPPER
	RET

// func dotF32BF16AVX2(x *float32, y *BF16, n int) float32
// Requires: AVX2, FMA3
// Registers: see compare_amd64.h.
TEXT ·dotF32BF16AVX2(SB), NOSPLIT, $208-28
#include "f32_bf16_amd64.h"
#define TERMS(x, y, a, b, c) FMA y, x, a
#include "compare_sum_amd64.h"
	VMOVSS X2, ret+24(FP)
	VZEROUPPER
	RET

// func dotF32I8AVX2(x *float32, y *int8, n int) float32
// Requires: AVX2, FMA3
// Registers: see compare_amd64.h.
TEXT ·dotF32I8AVX2(SB), NOSPLIT, $208-28
#include "f32_i8_amd64.h"
#define TERMS(x, y, a, b, c) FMA y, x, a
#include "compare_sum_amd64.h"
	VMOVSS X2, ret+24(FP)
	VZEROUPPER
	RET

// func dotF32U8AVX2(x *float32, y *uint8, n int) float32
// Requires: AVX2, FMA3
// Registers: see compare_amd64.h.
TEXT ·dotF32U8AVX2(SB), NOSPLIT, $208-28
#include "f32_u8_amd64.h"
#define TERMS(x, y, a, b, c) FMA y, x, a
#include "compare_sum_amd64.h"
	VMOVSS X2, ret+24(FP)
	VZEROUPPER
	RET

// func l2F32F16AVX2(x *float32, y *F16, n int) float32
// Requires: AVX2, FMA3, F16C
// Registers: see compare_amd64.h.
TEXT ·l2F32F16AVX2(SB), NOSPLIT, $208-28
#include "f32_f16_amd64.h"
#define TERMS(x, y, a, b, c) SUB y, x, Y12; FMA Y12, Y12, a
#include "compare_sum_amd64.h"
	VMOVSS X2, ret+24(FP)
	VZEROUPPER
	RET

// func l2F32BF16AVX2(x *float32, y *BF16, n int) float32
// Requires: AVX2, FMA3
// Registers: see compare_amd64.h.
TEXT ·l2F32BF16AVX2(SB), NOSPLIT, $208-28
#include "f32_bf16_amd64.h"
#define TERMS(x, y, a, b, c) SUB y, x, Y12; FMA Y12, Y12, a
#include "compare_sum_amd64.h"
	VMOVSS X2, ret+24(FP)
	VZEROUPPER
	RET

// func l2F32I8AVX2(x *float32, y *int8, n int) float32
// Requires: AVX2, FMA3
// Registers: see compare_amd64.h.
TEXT ·l2F32I8AVX2(SB), NOSPLIT, $208-28
#include "f32_i8_amd64.h"
#define TERMS(x, y, a, b, c) SUB y, x, Y12; FMA Y12, Y12, a
#include "compare_sum_amd64.h"
	VMOVSS X2, ret+24(FP)
	VZEROUPPER
	RET

// func l2F32U8AVX2(x *float32, y *uint8, n int) float32
// Requires: AVX2, FMA3
// Registers: see compare_amd64.h.
TEXT ·l2F32U8AVX2(SB), NOSPLIT, $208-28
#include "f32_u8_amd64.h"
#define TERMS(x, y, a, b, c) SUB y, x, Y12; FMA Y12, Y12, a
#include "compare_sum_amd64.h"
	VMOVSS X2, ret+24(FP)
	VZEROUPPER
	RET

// func cosineF32F16AVX2(x *float32, y *F16, n int) float32
// Requires: AVX2, FMA3, F16C
// Registers: see compare_amd64.h.
TEXT ·cosineF32F16AVX2(SB), NOSPLIT, $208-28
#include "f32_f16_amd64.h"
#include "compare_cosine_f32_amd64.h"
	VMOVSS X2, ret+24(FP)
	VZEROUPPER
	RET

// func cosineF32BF16AVX2(x *float32, y *BF16, n int) float32
// Requires: AVX2, FMA3
// Registers: see compare_amd64.h.
TEXT ·cosineF32BF16AVX2(SB), NOSPLIT, $208-28
#include "f32_bf16_amd64.h"
#include "compare_cosine_f32_amd64.h"
	VMOVSS X2, ret+24(FP)
	VZEROUPPER
	RET

// func cosineF32I8AVX2(x *float32, y *int8, n int) float32
// Requires: AVX2, FMA3
// Registers: see compare_amd64.h.
TEXT ·cosineF32I8AVX2(SB), NOSPLIT, $208-28
#include "f32_i8_amd64.h"
#include "compare_cosine_f32_amd64.h"
	VMOVSS X2, ret+24(FP)
	VZEROUPPER
	RET

// func cosineF32U8AVX2(x *float32, y *uint8, n int) float32
// Requires: AVX2, FMA3
// Registers: see compare_amd64.h.
TEXT ·cosineF32U8AVX2(SB), NOSPLIT, $208-28
#include "f32_u8_amd64.h"
#include "compare_cosine_f32_amd64.h"
	VMOVSS X2, ret+24(FP)
	VZEROUPPER
	RET

// Conversions. The number of elements is a multiple of 16.

// func f16FromF32AVX2(dst []F16, src []float32)
// Requires: AVX2, F16C
// Registers: SI, DI: next elements of src and dst; DX: number of remaining elements, minus 8.
TEXT ·f16FromF32AVX2(SB), NOSPLIT, $0-48
	MOVQ dst_base+0(FP), DI
	MOVQ src_base+24(FP), SI
	MOVQ src_len+32(FP), DX
	SUBQ $8, DX // if fewer than 8 elements remain: goto done
	JLT done

loop: // dst = src, for eight elements
	VMOVUPS (SI), Y0
	VCVTPS2PH $0, Y0, (DI)
	ADDQ $32, SI
	ADDQ $16, DI
	SUBQ $8, DX
	JGE loop

done:
	VZEROUPPER
	RET

// func f32FromF16AVX2(dst []float32, src []F16)
// Requires: AVX2, F16C
// Registers: SI, DI: next elements of src and dst; DX: number of remaining elements, minus 8.
TEXT ·f32FromF16AVX2(SB), NOSPLIT, $0-48
	MOVQ dst_base+0(FP), DI
	MOVQ src_base+24(FP), SI
	MOVQ src_len+32(FP), DX
	SUBQ $8, DX // if fewer than 8 elements remain: goto done
	JLT done

loop: // dst = src, for eight elements
	VCVTPH2PS (SI), Y0
	VMOVUPS Y0, (DI)
	ADDQ $16, SI
	ADDQ $32, DI
	SUBQ $8, DX
	JGE loop

done:
	VZEROUPPER
	RET

// func bF16FromF32AVX2(dst []BF16, src []float32)
// Requires: AVX2
// Registers: SI, DI: next elements of src and dst; DX: number of remaining elements, minus 8;
// Y4-Y6: 0x7fff, 1 and 0x40.
TEXT ·bF16FromF32AVX2(SB), NOSPLIT, $0-48
	MOVQ dst_base+0(FP), DI
	MOVQ src_base+24(FP), SI
	MOVQ src_len+32(FP), DX
	SUBQ $8, DX // if fewer than 8 elements remain: goto done
	JLT done
	MOVL $0x7fff, AX // load the constants
	VMOVD AX, X4
	VPBROADCASTD X4, Y4
	MOVL $1, AX
	VMOVD AX, X5
	VPBROADCASTD X5, Y5
	MOVL $0x40, AX // the bit that makes a NaN quiet
	VMOVD AX, X6
	VPBROADCASTD X6, Y6

loop:
	VMOVUPS (SI), Y0 // Y3 = src>>16 | 0x40, for NaN; Y7 = isNaN(src)
	VPSRLD $16, Y0, Y1
	VPOR Y6, Y1, Y3
	VCMPPS $3, Y0, Y0, Y7
	VPAND Y5, Y1, Y2 // Y2 = (src + 0x7fff + src>>16&1) >> 16, rounded to even
	VPADDD Y4, Y2, Y2
	VPADDD Y0, Y2, Y2
	VPSRLD $16, Y2, Y2
	VBLENDVPS Y7, Y3, Y2, Y2 // dst = isNaN(src) ? Y3 : Y2
	VEXTRACTI128 $1, Y2, X3
	VPACKUSDW X3, X2, X2
	VMOVDQU X2, (DI)
	ADDQ $32, SI // advance by eight elements
	ADDQ $16, DI
	SUBQ $8, DX
	JGE loop

done:
	VZEROUPPER
	RET

// func f32FromBF16AVX2(dst []float32, src []BF16)
// Requires: AVX2
// Registers: SI, DI: next elements of src and dst; DX: number of remaining elements, minus 8.
TEXT ·f32FromBF16AVX2(SB), NOSPLIT, $0-48
	MOVQ dst_base+0(FP), DI
	MOVQ src_base+24(FP), SI
	MOVQ src_len+32(FP), DX
	SUBQ $8, DX // if fewer than 8 elements remain: goto done
	JLT done

loop: // dst = src<<16, for eight elements
	VPMOVZXWD (SI), Y0
	VPSLLD $16, Y0, Y0
	VMOVUPS Y0, (DI)
	ADDQ $16, SI // advance by eight elements
	ADDQ $32, DI
	SUBQ $8, DX
	JGE loop

done:
	VZEROUPPER
	RET

// Quantizers. The number of elements is a multiple of 16, or of 64 in signBitsAVX2.

DATA finite<>+0(SB)/4, $0x7f7fffff
GLOBL finite<>(SB), RODATA|NOPTR, $4
DATA sizes<>+0(SB)/4, $0x7fffffff
GLOBL sizes<>(SB), RODATA|NOPTR, $4
DATA highest<>+0(SB)/4, $0x42fe0000 // 127
GLOBL highest<>(SB), RODATA|NOPTR, $4
DATA lowest<>+0(SB)/4, $0xc2fe0000
GLOBL lowest<>(SB), RODATA|NOPTR, $4

// func scaleI8AVX2(x []float32) float32
// Requires: AVX2
// Registers: SI: next elements; DX: number of remaining elements, minus 16; Y0, Y1: the largest
// |x[i]| in each lane; Y14: the largest finite number; Y15: all bits except the sign.
TEXT ·scaleI8AVX2(SB), NOSPLIT, $0-28
// acc = max(acc, |v|) if v is finite. Compared as integers, the bits of absolute values have the
// same order as the values.
#define GREATER(v, t, acc) \
	VPAND Y15, v, v       \
	VPCMPGTD Y14, v, t    \
	VPANDN v, t, v        \
	VPMAXSD v, acc, acc
	MOVQ x_base+0(FP), SI
	MOVQ x_len+8(FP), DX
	VPBROADCASTD finite<>(SB), Y14
	VPBROADCASTD sizes<>(SB), Y15
	VPXOR X0, X0, X0
	VPXOR X1, X1, X1
	SUBQ $16, DX // if fewer than 16 elements remain: goto done
	JLT done

loop: // process 16 elements
	VMOVDQU (SI), Y2
	VMOVDQU 32(SI), Y3
	GREATER(Y2, Y4, Y0)
	GREATER(Y3, Y5, Y1)
	ADDQ $64, SI
	SUBQ $16, DX
	JGE loop

done: // reduce 16 lanes to their maximum
	VPMAXSD Y1, Y0, Y0
	VEXTRACTI128 $1, Y0, X1
	VPMAXSD X1, X0, X0
	VPSHUFD $0x4e, X0, X1 // reduce four lanes, then two
	VPMAXSD X1, X0, X0
	VPSHUFD $0xb1, X0, X1
	VPMAXSD X1, X0, X0
	VMOVSS X0, ret+24(FP)
	VZEROUPPER
	RET
#undef GREATER

// func quantizeI8AVX2(dst []int8, src []float32, scale float32)
// Requires: AVX2
// Registers: SI, DI: next elements of src and dst; DX: number of remaining elements, minus 16;
// Y13-Y15: scale, 127 and −127.
TEXT ·quantizeI8AVX2(SB), NOSPLIT, $0-52
// v = m/scale as integers, limited to −127 … 127. NaN becomes 0.
#define QUOTIENTS(m, v, t) \
	VMOVUPS m, v          \
	VDIVPS Y13, v, v      \
	VCMPPS $7, v, v, t    \
	VANDPS t, v, v        \
	VMINPS Y14, v, v      \
	VMAXPS Y15, v, v      \
	VCVTPS2DQ v, v
	MOVQ dst_base+0(FP), DI
	MOVQ src_base+24(FP), SI
	MOVQ src_len+32(FP), DX
	VBROADCASTSS scale+48(FP), Y13
	VBROADCASTSS highest<>(SB), Y14
	VBROADCASTSS lowest<>(SB), Y15
	SUBQ $16, DX // if fewer than 16 elements remain: goto done
	JLT done

loop: // dst = src/scale as bytes, for 16 elements
	QUOTIENTS((SI), Y0, Y2)
	QUOTIENTS(32(SI), Y1, Y3)
	VPACKSSDW Y1, Y0, Y0 // pack to 16 bits, which processes 128-bit lanes separately; VPERMQ restores the order
	VPERMQ $0xd8, Y0, Y0
	VEXTRACTI128 $1, Y0, X1
	VPACKSSWB X1, X0, X0
	VMOVDQU X0, (DI)
	ADDQ $64, SI // advance by 16 elements
	ADDQ $16, DI
	SUBQ $16, DX
	JGE loop

done:
	VZEROUPPER
	RET
#undef QUOTIENTS

// func dequantizeI8AVX2(dst []float32, src []int8, scale float32)
// Requires: AVX2
// Registers: named below; Y0, Y1: elements.
TEXT ·dequantizeI8AVX2(SB), NOSPLIT, $0-52
#define next   SI  // address of the next elements of src
#define out    DI  // address of the next products
#define left   DX  // number of remaining elements, minus 16
#define factor Y13 // scale, in each lane

	MOVQ dst_base+0(FP), out // load the arguments
	MOVQ src_base+24(FP), next
	MOVQ src_len+32(FP), left
	VBROADCASTSS scale+48(FP), factor
	SUBQ $16, left // if there are fewer than 16 elements: goto done
	JLT done

loop:
	VPMOVSXBD (next), Y0 // Y0, Y1 = 16 elements as float32
	VPMOVSXBD 8(next), Y1
	VCVTDQ2PS Y0, Y0
	VCVTDQ2PS Y1, Y1
	VMULPS factor, Y0, Y0 // out = scale·elements
	VMULPS factor, Y1, Y1
	VMOVUPS Y0, (out)
	VMOVUPS Y1, 32(out)
	ADDQ $16, next // the next 16 elements
	ADDQ $64, out
	SUBQ $16, left
	JGE loop

done:
	VZEROUPPER
	RET
#undef next
#undef out
#undef left
#undef factor

// func signBitsAVX2(dst []uint64, src []float32)
// Requires: AVX2
// Registers: SI: next elements of src; DI: next byte of dst; DX: number of remaining elements,
// minus 8; Y15: zeros.
TEXT ·signBitsAVX2(SB), NOSPLIT, $0-48
	MOVQ dst_base+0(FP), DI
	MOVQ src_base+24(FP), SI
	MOVQ src_len+32(FP), DX
	VXORPS X15, X15, X15
	SUBQ $8, DX // if fewer than 8 elements remain: goto done
	JLT done

loop: // one byte of dst = (0 < src), for eight elements
	VCMPPS $1, (SI), Y15, Y0
	VMOVMSKPS Y0, AX
	MOVB AX, (DI)
	ADDQ $32, SI // advance by eight elements
	INCQ DI
	SUBQ $8, DX
	JGE loop

done:
	VZEROUPPER
	RET
