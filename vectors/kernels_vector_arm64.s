//go:build !purego

#include "textflag.h"
#include "neon_arm64.h"
#include "lanes_arm64.h"

// The vector kernels for NEON. dispatch.go documents the order of operations. Most functions
// consist of a type header, which sets macros for the types of x and y, a shared body, and a header
// that undefines the macros.

// LOADTAIL of compare_arm64.h for up to three numbers of 1<<LOGX bytes. E and EE are the
// arrangements of one number and of two numbers.
#define TAIL_SAME(E, EE) \
	ADD  R4<<LOGX, nextX, R5 \
	ADD  R4<<LOGY, nextY, R4 \
	TBZ  $1, R3, one         \
	VLD1 (R5), V6.EE[0]      \
	VLD1 (R4), V7.EE[0]      \
	TBZ  $0, R3, loaded      \
	ADD  $(2<<LOGX), R5      \
	ADD  $(2<<LOGY), R4      \
	VLD1 (R5), V6.E[2]       \
	VLD1 (R4), V7.E[2]       \
	B    loaded              \
one: \
	VLD1 (R5), V6.E[0]       \
	VLD1 (R4), V7.E[0]       \
loaded:

// LOADTAIL for float32 x and a smaller type of y. CONVERT converts the elements of y in V5.
#define TAIL_MIXED(E, EE, CONVERT) \
	ADD  R4<<LOGX, nextX, R5 \
	ADD  R4<<LOGY, nextY, R4 \
	TBZ  $1, R3, one         \
	VLD1 (R5), V6.D[0]       \
	VLD1 (R4), V5.EE[0]      \
	TBZ  $0, R3, two         \
	ADD  $8, R5              \
	ADD  $(2<<LOGY), R4      \
	VLD1 (R5), V6.S[2]       \
	VLD1 (R4), V5.E[2]       \
	CONVERT                  \
	VMOV V5.S[2], V7.S[2]    \
	VMOV V5.D[0], V7.D[0]    \
	B    whole               \
two: \
	CONVERT                  \
	VMOV V5.D[0], V7.D[0]    \
	B    whole               \
one: \
	VLD1 (R5), V6.S[0]       \
	VLD1 (R4), V5.E[0]       \
	CONVERT                  \
	VMOV V5.S[0], V7.S[0]

// Sets the dot product of empty vectors to 0, because sums start with −0.
#define NONE_IS_ZERO \
	MOVD n+16(FP), left \
	CBNZ left, some     \
	FMOVS ZR, F0        \
some:

// F0 = x·y/√(x·x·y·y) for the products in F0, F1 and F2, rounded to float32, or 0 if the divisor is
// 0.
#define COSINE \
	FMULD  F2, F1, F1     \
	FSQRTD F1, F2         \
	FDIVD  F2, F0, F0     \
	FMOVD  ZR, F2         \
	FCMPD  F2, F1         \
	FCSELD EQ, F2, F0, F0 \
	FCVTDS F0, F0

// COSINE for float32 products in F0, F1 and F2, and for int32 products in R5, R6 and R7.
#define COSINE_F32 FCVTSD F0, F0; FCVTSD F1, F1; FCVTSD F2, F2; COSINE
#define COSINE_I32 SCVTFD R5, F0; SCVTFD R6, F1; SCVTFD R7, F2; COSINE

// F0 = x·y/(√(x·x)·√(y·y)) for float64 products, or 0 if the divisor is 0.
#define COSINE_F64 \
	FSQRTD F1, F1 \
	FSQRTD F2, F2 \
	FMULD  F2, F1, F1 \
	FDIVD  F1, F0, F0 \
	FMOVD  ZR, F2 \
	FCMPD  F2, F1 \
	FCSELD EQ, F2, F0, F0

// Set the sums of bytes in V8 to V15, or in V16 to V19, to 0.
#define ZERO8 \
	VEOR V8.B16, V8.B16, V8.B16; VEOR V9.B16, V9.B16, V9.B16; VEOR V10.B16, V10.B16, V10.B16 \
	VEOR V11.B16, V11.B16, V11.B16; VEOR V12.B16, V12.B16, V12.B16; VEOR V13.B16, V13.B16, V13.B16 \
	VEOR V14.B16, V14.B16, V14.B16; VEOR V15.B16, V15.B16, V15.B16
#define ZERO4 \
	VEOR V16.B16, V16.B16, V16.B16; VEOR V17.B16, V17.B16, V17.B16; VEOR V18.B16, V18.B16, V18.B16 \
	VEOR V19.B16, V19.B16, V19.B16

// func l2F64NEON(x, y *float64, n int) float64
// Requires: NEON
// Registers: see dot_arm64.h.
TEXT ·l2F64NEON(SB), NOSPLIT, $0-32
#include "f64_arm64.h"
#define TERMS L2_TERMS
	LDP  x+0(FP), (nextX, nextY) // if n = 0: goto empty
	MOVD n+16(FP), left
	CBZ  left, empty
#include "dot_arm64.h"
#include "tail_f64_arm64.h"
#include "sum_arm64.h"
#include "clear_arm64.h"
	FMOVD F0, ret+24(FP)
	RET

empty:
	MOVD ZR, ret+24(FP)
	RET

// func l2F32NEON(x, y *float32, n int) float32
// Requires: NEON
// Registers: see dot_arm64.h.
TEXT ·l2F32NEON(SB), NOSPLIT, $0-28
#include "f32_arm64.h"
#define TERMS L2_TERMS
	LDP  x+0(FP), (nextX, nextY) // if n = 0: goto empty
	MOVD n+16(FP), left
	CBZ  left, empty
#include "dot_arm64.h"
#include "tail_f32_arm64.h"
#include "sum_arm64.h"
#include "clear_arm64.h"
	FMOVS F0, ret+24(FP)
	RET

empty:
	MOVW ZR, ret+24(FP)
	RET

// func cosineF64NEON(x, y *float64, n int) float64
// Requires: NEON
// Registers: see compare_arm64.h.
TEXT ·cosineF64NEON(SB), NOSPLIT, $192-32
#include "f64_arm64.h"
#define TERMS COSINE_TERMS
#include "compare_arm64.h"
#include "clear_arm64.h"
	COSINE_F64
	FMOVD F0, ret+24(FP)
	RET

// func cosineF32NEON(x, y *float32, n int) float32
// Requires: NEON
// Registers: see compare_arm64.h.
TEXT ·cosineF32NEON(SB), NOSPLIT, $192-28
#include "f32_arm64.h"
#define TERMS COSINE_TERMS
#include "compare_arm64.h"
#include "clear_arm64.h"
	COSINE_F32
	FMOVS F0, ret+24(FP)
	RET

// Byte kernels. Kernels with SDOT in their names use SDOT and UDOT, which add four products to a
// lane.

// func dotI8NEON(x, y *int8, n int) int64
// Requires: NEON
// Registers: see bytes_arm64.h.
TEXT ·dotI8NEON(SB), NOSPLIT, $32-32
#include "i8_arm64.h"
#define TERM PRODUCTS
#include "bytes_arm64.h"
#include "clear_bytes_arm64.h"
	VADDV V8.S4, V8 // return the sum of the lanes as a signed 32-bit number
	VMOV V8.S[0], R5
	MOVW R5, R5
	MOVD R5, ret+24(FP)
	RET

// func dotI8SDOTNEON(x, y *int8, n int) int64
// Requires: NEON, SDOT
// Registers: see bytes_arm64.h.
TEXT ·dotI8SDOTNEON(SB), NOSPLIT, $32-32
#include "i8_sdot_arm64.h"
#define TERM PRODUCTS
#include "bytes_arm64.h"
#include "clear_bytes_arm64.h"
	VADDV V8.S4, V8 // return the sum of the lanes as a signed 32-bit number
	VMOV V8.S[0], R5
	MOVW R5, R5
	MOVD R5, ret+24(FP)
	RET

// func dotU8NEON(x, y *uint8, n int) int64
// Requires: NEON
// Registers: see bytes_arm64.h.
TEXT ·dotU8NEON(SB), NOSPLIT, $32-32
#include "u8_arm64.h"
#define TERM PRODUCTS
#include "bytes_arm64.h"
#include "clear_bytes_arm64.h"
	VADDV V8.S4, V8 // return the sum of the lanes as an unsigned 32-bit number
	VMOV V8.S[0], R5
	MOVWU R5, R5
	MOVD R5, ret+24(FP)
	RET

// func dotU8SDOTNEON(x, y *uint8, n int) int64
// Requires: NEON, SDOT
// Registers: see bytes_arm64.h.
TEXT ·dotU8SDOTNEON(SB), NOSPLIT, $32-32
#include "u8_sdot_arm64.h"
#define TERM PRODUCTS
#include "bytes_arm64.h"
#include "clear_bytes_arm64.h"
	VADDV V8.S4, V8 // return the sum of the lanes as an unsigned 32-bit number
	VMOV V8.S[0], R5
	MOVWU R5, R5
	MOVD R5, ret+24(FP)
	RET

// func l2I8NEON(x, y *int8, n int) int64
// Requires: NEON
// Registers: see bytes_arm64.h.
TEXT ·l2I8NEON(SB), NOSPLIT, $32-32
#include "i8_arm64.h"
#define TERM SQUARES
#include "bytes_arm64.h"
#include "clear_bytes_arm64.h"
	VADDV V8.S4, V8 // return the sum of the lanes as an unsigned 32-bit number
	VMOV V8.S[0], R5
	MOVWU R5, R5
	MOVD R5, ret+24(FP)
	RET

// func l2I8SDOTNEON(x, y *int8, n int) int64
// Requires: NEON, SDOT
// Registers: see bytes_arm64.h.
TEXT ·l2I8SDOTNEON(SB), NOSPLIT, $32-32
#include "i8_sdot_arm64.h"
#define TERM SQUARES
#include "bytes_arm64.h"
#include "clear_bytes_arm64.h"
	VADDV V8.S4, V8 // return the sum of the lanes as an unsigned 32-bit number
	VMOV V8.S[0], R5
	MOVWU R5, R5
	MOVD R5, ret+24(FP)
	RET

// func l2U8NEON(x, y *uint8, n int) int64
// Requires: NEON
// Registers: see bytes_arm64.h.
TEXT ·l2U8NEON(SB), NOSPLIT, $32-32
#include "u8_arm64.h"
#define TERM SQUARES
#include "bytes_arm64.h"
#include "clear_bytes_arm64.h"
	VADDV V8.S4, V8 // return the sum of the lanes as an unsigned 32-bit number
	VMOV V8.S[0], R5
	MOVWU R5, R5
	MOVD R5, ret+24(FP)
	RET

// func l2U8SDOTNEON(x, y *uint8, n int) int64
// Requires: NEON, SDOT
// Registers: see bytes_arm64.h.
TEXT ·l2U8SDOTNEON(SB), NOSPLIT, $32-32
#include "u8_sdot_arm64.h"
#define TERM SQUARES
#include "bytes_arm64.h"
#include "clear_bytes_arm64.h"
	VADDV V8.S4, V8 // return the sum of the lanes as an unsigned 32-bit number
	VMOV V8.S[0], R5
	MOVWU R5, R5
	MOVD R5, ret+24(FP)
	RET

// func cosineI8NEON(x, y *int8, n int) float32
// Requires: NEON
// Registers: see bytes_cosine_arm64.h.
TEXT ·cosineI8NEON(SB), NOSPLIT, $32-28
#include "i8_arm64.h"
#include "bytes_cosine_arm64.h"
#include "clear_bytes_arm64.h"
	MOVW R5, R5
	COSINE_I32
	FMOVS F0, ret+24(FP)
	RET

// func cosineI8SDOTNEON(x, y *int8, n int) float32
// Requires: NEON, SDOT
// Registers: see bytes_cosine_arm64.h.
TEXT ·cosineI8SDOTNEON(SB), NOSPLIT, $32-28
#include "i8_sdot_arm64.h"
#include "bytes_cosine_arm64.h"
#include "clear_bytes_arm64.h"
	MOVW R5, R5
	COSINE_I32
	FMOVS F0, ret+24(FP)
	RET

// func cosineU8NEON(x, y *uint8, n int) float32
// Requires: NEON
// Registers: see bytes_cosine_arm64.h.
TEXT ·cosineU8NEON(SB), NOSPLIT, $32-28
#include "u8_arm64.h"
#include "bytes_cosine_arm64.h"
#include "clear_bytes_arm64.h"
	MOVWU R5, R5
	COSINE_I32
	FMOVS F0, ret+24(FP)
	RET

// func cosineU8SDOTNEON(x, y *uint8, n int) float32
// Requires: NEON, SDOT
// Registers: see bytes_cosine_arm64.h.
TEXT ·cosineU8SDOTNEON(SB), NOSPLIT, $32-28
#include "u8_sdot_arm64.h"
#include "bytes_cosine_arm64.h"
#include "clear_bytes_arm64.h"
	MOVWU R5, R5
	COSINE_I32
	FMOVS F0, ret+24(FP)
	RET

// func hammingBitsNEON(x, y *uint64, n int) int64
// Requires: NEON
// Registers: see bits_arm64.h.
TEXT ·hammingBitsNEON(SB), NOSPLIT, $0-32
#define COUNT(V, W) VEOR W.B16, V.B16, V.B16; VCNT V.B16, V.B16
#define PLUS(V, W, A, B) VADD A.B16, V.B16, V.B16
#define FOLD(n, m) UADDLPH8(n, n); UADALPS4(n, 8)
#include "bits_arm64.h"
	VUADDLV V8.S4, V8
	FMOVD F8, ret+24(FP)
	RET

// func jaccardBitsNEON(x, y *uint64, n int) (both, either int64)
// Requires: NEON
// Registers: see bits_arm64.h.
TEXT ·jaccardBitsNEON(SB), NOSPLIT, $0-40
#define COUNT(V, W) VAND W.B16, V.B16, V20.B16; VORR W.B16, V.B16, W.B16; VCNT V20.B16, V.B16; VCNT W.B16, W.B16
#define PLUS(V, W, A, B) VADD A.B16, V.B16, V.B16; VADD B.B16, W.B16, W.B16
#define FOLD(n, m) UADDLPH8(n, n); UADDLPH8(m, m); UADALPS4(n, 8); UADALPS4(m, 9)
#include "bits_arm64.h"
	VUADDLV V8.S4, V8
	VUADDLV V9.S4, V9
	FMOVD F8, both+24(FP)
	FMOVD F9, either+32(FP)
	RET

// func dotF16NEON(x, y *F16, n int) float32
// Requires: NEON
// Registers: see compare_arm64.h.
TEXT ·dotF16NEON(SB), NOSPLIT, $192-28
#include "f16_arm64.h"
#define TERMS DOT_TERMS
#include "compare_arm64.h"
#include "clear_arm64.h"
	NONE_IS_ZERO
	FMOVS F0, ret+24(FP)
	RET

// func dotBF16NEON(x, y *BF16, n int) float32
// Requires: NEON
// Registers: see compare_arm64.h.
TEXT ·dotBF16NEON(SB), NOSPLIT, $192-28
#include "bf16_arm64.h"
#define TERMS DOT_TERMS
#include "compare_arm64.h"
#include "clear_arm64.h"
	NONE_IS_ZERO
	FMOVS F0, ret+24(FP)
	RET

// func l2F16NEON(x, y *F16, n int) float32
// Requires: NEON
// Registers: see compare_arm64.h.
TEXT ·l2F16NEON(SB), NOSPLIT, $192-28
#include "f16_arm64.h"
#define TERMS L2_TERMS
#include "compare_arm64.h"
#include "clear_arm64.h"
	FABSS F0, F0 // −0, the sum of empty vectors, becomes +0
	FMOVS F0, ret+24(FP)
	RET

// func l2BF16NEON(x, y *BF16, n int) float32
// Requires: NEON
// Registers: see compare_arm64.h.
TEXT ·l2BF16NEON(SB), NOSPLIT, $192-28
#include "bf16_arm64.h"
#define TERMS L2_TERMS
#include "compare_arm64.h"
#include "clear_arm64.h"
	FABSS F0, F0 // −0, the sum of empty vectors, becomes +0
	FMOVS F0, ret+24(FP)
	RET

// func cosineF16NEON(x, y *F16, n int) float32
// Requires: NEON
// Registers: see compare_arm64.h.
TEXT ·cosineF16NEON(SB), NOSPLIT, $192-28
#include "f16_arm64.h"
#define TERMS COSINE_TERMS
#include "compare_arm64.h"
#include "clear_arm64.h"
	COSINE_F32
	FMOVS F0, ret+24(FP)
	RET

// func cosineBF16NEON(x, y *BF16, n int) float32
// Requires: NEON
// Registers: see compare_arm64.h.
TEXT ·cosineBF16NEON(SB), NOSPLIT, $192-28
#include "bf16_arm64.h"
#define TERMS COSINE_TERMS
#include "compare_arm64.h"
#include "clear_arm64.h"
	COSINE_F32
	FMOVS F0, ret+24(FP)
	RET

// func dotF32F16NEON(x *float32, y *F16, n int) float32
// Requires: NEON
// Registers: see compare_arm64.h.
TEXT ·dotF32F16NEON(SB), NOSPLIT, $192-28
#include "f32_f16_arm64.h"
#define TERMS DOT_TERMS
#include "compare_arm64.h"
#include "clear_arm64.h"
	NONE_IS_ZERO
	FMOVS F0, ret+24(FP)
	RET

// func dotF32BF16NEON(x *float32, y *BF16, n int) float32
// Requires: NEON
// Registers: see compare_arm64.h.
TEXT ·dotF32BF16NEON(SB), NOSPLIT, $192-28
#include "f32_bf16_arm64.h"
#define TERMS DOT_TERMS
#include "compare_arm64.h"
#include "clear_arm64.h"
	NONE_IS_ZERO
	FMOVS F0, ret+24(FP)
	RET

// func dotF32I8NEON(x *float32, y *int8, n int) float32
// Requires: NEON
// Registers: see compare_arm64.h.
TEXT ·dotF32I8NEON(SB), NOSPLIT, $192-28
#include "f32_i8_arm64.h"
#define TERMS DOT_TERMS
#include "compare_arm64.h"
#include "clear_arm64.h"
	NONE_IS_ZERO
	FMOVS F0, ret+24(FP)
	RET

// func dotF32U8NEON(x *float32, y *uint8, n int) float32
// Requires: NEON
// Registers: see compare_arm64.h.
TEXT ·dotF32U8NEON(SB), NOSPLIT, $192-28
#include "f32_u8_arm64.h"
#define TERMS DOT_TERMS
#include "compare_arm64.h"
#include "clear_arm64.h"
	NONE_IS_ZERO
	FMOVS F0, ret+24(FP)
	RET

// func l2F32F16NEON(x *float32, y *F16, n int) float32
// Requires: NEON
// Registers: see compare_arm64.h.
TEXT ·l2F32F16NEON(SB), NOSPLIT, $192-28
#include "f32_f16_arm64.h"
#define TERMS L2_TERMS
#include "compare_arm64.h"
#include "clear_arm64.h"
	FABSS F0, F0 // −0, the sum of empty vectors, becomes +0
	FMOVS F0, ret+24(FP)
	RET

// func l2F32BF16NEON(x *float32, y *BF16, n int) float32
// Requires: NEON
// Registers: see compare_arm64.h.
TEXT ·l2F32BF16NEON(SB), NOSPLIT, $192-28
#include "f32_bf16_arm64.h"
#define TERMS L2_TERMS
#include "compare_arm64.h"
#include "clear_arm64.h"
	FABSS F0, F0 // −0, the sum of empty vectors, becomes +0
	FMOVS F0, ret+24(FP)
	RET

// func l2F32I8NEON(x *float32, y *int8, n int) float32
// Requires: NEON
// Registers: see compare_arm64.h.
TEXT ·l2F32I8NEON(SB), NOSPLIT, $192-28
#include "f32_i8_arm64.h"
#define TERMS L2_TERMS
#include "compare_arm64.h"
#include "clear_arm64.h"
	FABSS F0, F0 // −0, the sum of empty vectors, becomes +0
	FMOVS F0, ret+24(FP)
	RET

// func l2F32U8NEON(x *float32, y *uint8, n int) float32
// Requires: NEON
// Registers: see compare_arm64.h.
TEXT ·l2F32U8NEON(SB), NOSPLIT, $192-28
#include "f32_u8_arm64.h"
#define TERMS L2_TERMS
#include "compare_arm64.h"
#include "clear_arm64.h"
	FABSS F0, F0 // −0, the sum of empty vectors, becomes +0
	FMOVS F0, ret+24(FP)
	RET

// func cosineF32F16NEON(x *float32, y *F16, n int) float32
// Requires: NEON
// Registers: see compare_arm64.h.
TEXT ·cosineF32F16NEON(SB), NOSPLIT, $192-28
#include "f32_f16_arm64.h"
#define TERMS COSINE_TERMS
#include "compare_arm64.h"
#include "clear_arm64.h"
	COSINE_F32
	FMOVS F0, ret+24(FP)
	RET

// func cosineF32BF16NEON(x *float32, y *BF16, n int) float32
// Requires: NEON
// Registers: see compare_arm64.h.
TEXT ·cosineF32BF16NEON(SB), NOSPLIT, $192-28
#include "f32_bf16_arm64.h"
#define TERMS COSINE_TERMS
#include "compare_arm64.h"
#include "clear_arm64.h"
	COSINE_F32
	FMOVS F0, ret+24(FP)
	RET

// func cosineF32I8NEON(x *float32, y *int8, n int) float32
// Requires: NEON
// Registers: see compare_arm64.h.
TEXT ·cosineF32I8NEON(SB), NOSPLIT, $192-28
#include "f32_i8_arm64.h"
#define TERMS COSINE_TERMS
#include "compare_arm64.h"
#include "clear_arm64.h"
	COSINE_F32
	FMOVS F0, ret+24(FP)
	RET

// func cosineF32U8NEON(x *float32, y *uint8, n int) float32
// Requires: NEON
// Registers: see compare_arm64.h.
TEXT ·cosineF32U8NEON(SB), NOSPLIT, $192-28
#include "f32_u8_arm64.h"
#define TERMS COSINE_TERMS
#include "compare_arm64.h"
#include "clear_arm64.h"
	COSINE_F32
	FMOVS F0, ret+24(FP)
	RET

// Conversions and quantizers. The length of src is a multiple of 16, so that there is no tail.

// func f16FromF32NEON(dst []F16, src []float32)
// Requires: NEON
//
// Registers: R0: the next element of dst; R1: the next element of src; R2: remaining elements.
TEXT ·f16FromF32NEON(SB), NOSPLIT, $0-48
	MOVD dst_base+0(FP), R0
	LDP  src_base+24(FP), (R1, R2)
	CBZ R2, done

loop:
	FLDPQ (R1), (F0, F1) // dst[i] = F16(src[i]) for 8 elements
	FCVTNH4(0, 0)
	FCVTN2H8(1, 0)
	FMOVQ F0, (R0)
	ADD  $32, R1
	ADD  $16, R0
	SUBS $8, R2
	BNE  loop

done:
	RET

// func f32FromF16NEON(dst []float32, src []F16)
// Requires: NEON
//
// Registers: R0: the next element of dst; R1: the next element of src; R2: remaining elements.
TEXT ·f32FromF16NEON(SB), NOSPLIT, $0-48
	MOVD dst_base+0(FP), R0
	LDP  src_base+24(FP), (R1, R2)
	CBZ R2, done

loop:
	FMOVQ (R1), F1 // dst[i] = float32(src[i]) for 8 elements
	FCVTLS4(1, 0)
	FCVTL2S4(1, 1)
	FSTPQ (F0, F1), (R0)
	ADD  $16, R1
	ADD  $32, R0
	SUBS $8, R2
	BNE  loop

done:
	RET

// func bF16FromF32NEON(dst []BF16, src []float32)
// Requires: NEON
//
// Registers: R0: the next element of dst; R1: the next element of src; R2: remaining elements; V20:
// 0x7fff; V21: 1; V22: the bit that makes a NaN quiet.
TEXT ·bF16FromF32NEON(SB), NOSPLIT, $0-48
// W = the upper halves of the lanes of V, register number i, rounded to nearest even. NaNs become
// quiet.
#define ROUND_BF16(i, V, W) \
	VUSHR $16, V.S4, V4.S4         \
	VORR  V22.B16, V4.B16, V5.B16  \
	VAND  V21.B16, V4.B16, V4.B16  \
	VADD  V20.S4, V4.S4, V4.S4     \
	VADD  V.S4, V4.S4, V4.S4       \
	VUSHR $16, V4.S4, W.S4         \
	FCMEQS4(i, i, 6)               \
	VBIF  V6.B16, V5.B16, W.B16
	MOVD dst_base+0(FP), R0
	LDP  src_base+24(FP), (R1, R2)
	CBZ R2, done
	MOVD $0x7fff, R3 // load the constants
	VDUP R3, V20.S4
	MOVD $1, R3
	VDUP R3, V21.S4
	MOVD $0x40, R3
	VDUP R3, V22.S4

loop:
	FLDPQ (R1), (F0, F1) // dst[i] = BF16(src[i]) for 8 elements
	ROUND_BF16(0, V0, V2)
	ROUND_BF16(1, V1, V3)
	XTNH4(2, 2)
	XTN2H8(3, 2)
	FMOVQ F2, (R0)
	ADD  $32, R1
	ADD  $16, R0
	SUBS $8, R2 // while elements remain
	BNE  loop

done:
	RET
#undef ROUND_BF16

// func f32FromBF16NEON(dst []float32, src []BF16)
// Requires: NEON
//
// Registers: R0: the next element of dst; R1: the next element of src; R2: remaining elements.
TEXT ·f32FromBF16NEON(SB), NOSPLIT, $0-48
	MOVD dst_base+0(FP), R0
	LDP  src_base+24(FP), (R1, R2)
	CBZ R2, done

loop:
	FMOVQ (R1), F1 // dst[i] = float32(src[i]) for 8 elements
	SHLLS4(1, 0)
	SHLL2S4(1, 1)
	FSTPQ (F0, F1), (R0)
	ADD  $16, R1
	ADD  $32, R0
	SUBS $8, R2
	BNE  loop

done:
	RET

// func scaleI8NEON(x []float32) float32
// Requires: NEON
//
// Registers: R1: the next element of x; R2: remaining elements; V16: the largest absolute value;
// V17: 0; V18: the largest finite number.
TEXT ·scaleI8NEON(SB), NOSPLIT, $0-28
	LDP  x_base+0(FP), (R1, R2)
	VEOR V16.B16, V16.B16, V16.B16; VEOR V17.B16, V17.B16, V17.B16
	MOVD $0x7f7fffff, R3
	VDUP R3, V18.S4
	CBZ  R2, done

loop:
	FLDPQ (R1), (F0, F1) // s = |x[i]| for 16 elements
	FLDPQ 32(R1), (F2, F3)
	FABSS4(0, 0); FABSS4(1, 1); FABSS4(2, 2); FABSS4(3, 3)
	CMGTS4(18, 0, 4); CMGTS4(18, 1, 5); CMGTS4(18, 2, 6); CMGTS4(18, 3, 7) // s = 0 if it is not finite
	VBIT V4.B16, V17.B16, V0.B16; VBIT V5.B16, V17.B16, V1.B16
	VBIT V6.B16, V17.B16, V2.B16; VBIT V7.B16, V17.B16, V3.B16
	SMAXS4(1, 0, 0) // largest = max(largest, s); compared as integers, bits have the same order
	SMAXS4(3, 2, 2)
	SMAXS4(2, 0, 0)
	SMAXS4(0, 16, 16)
	ADD  $64, R1 // while elements remain
	SUBS $16, R2
	BNE  loop

done:
	SMAXVS4(16, 16)
	FMOVS F16, ret+24(FP)
	RET

// func quantizeI8NEON(dst []int8, src []float32, scale float32)
// Requires: NEON
//
// Registers: R0: the next element of dst; R1: the next element of src; R2: remaining elements; V16:
// scale; V17: −127.
TEXT ·quantizeI8NEON(SB), NOSPLIT, $0-52
	MOVD dst_base+0(FP), R0
	LDP  src_base+24(FP), (R1, R2)
	CBZ  R2, done
	MOVWU scale+48(FP), R3
	VDUP R3, V16.S4
	MOVD $0x81, R3
	VDUP R3, V17.B16

loop:
	FLDPQ (R1), (F0, F1) // q = src[i]/scale for 16 elements
	FLDPQ 32(R1), (F2, F3)
	FDIVS4(16, 0, 0); FDIVS4(16, 1, 1); FDIVS4(16, 2, 2); FDIVS4(16, 3, 3)
	FCVTNSS4(0, 0); FCVTNSS4(1, 1); FCVTNSS4(2, 2); FCVTNSS4(3, 3) // round to nearest even; NaN becomes 0
	SQXTNH4(0, 0) // dst[i] = q, limited to −127 … 127
	SQXTN2H8(1, 0)
	SQXTNH4(2, 2)
	SQXTN2H8(3, 2)
	SQXTNB8(0, 0)
	SQXTN2B16(2, 0)
	SMAXB16(17, 0, 0)
	FMOVQ F0, (R0)
	ADD  $64, R1 // while elements remain
	ADD  $16, R0
	SUBS $16, R2
	BNE  loop

done:
	RET

// func dequantizeI8NEON(dst []float32, src []int8, scale float32)
// Requires: NEON
//
// Registers: R0: the next element of dst; R1: the next element of src; R2: remaining elements; V16:
// scale.
TEXT ·dequantizeI8NEON(SB), NOSPLIT, $0-52
	MOVD dst_base+0(FP), R0
	LDP  src_base+24(FP), (R1, R2)
	CBZ  R2, done
	MOVWU scale+48(FP), R3
	VDUP R3, V16.S4

loop:
	FLDPD (R1), (F1, F3) // load 16 bytes, and extend them to 16 and 32 bits
	SSHLLH8(1, 1)
	SSHLLH8(3, 3)
	SSHLLS4(1, 0)
	SCVTFS4(0, 0)
	SSHLL2S4(1, 1) // convert to float32
	SCVTFS4(1, 1)
	SSHLLS4(3, 2)
	SCVTFS4(2, 2)
	SSHLL2S4(3, 3)
	SCVTFS4(3, 3)
	FMULS4(16, 0, 0); FMULS4(16, 1, 1); FMULS4(16, 2, 2); FMULS4(16, 3, 3) // dst[i] = float32(src[i])·scale
	FSTPQ (F0, F1), (R0) // store; while elements remain
	FSTPQ (F2, F3), 32(R0)
	ADD  $16, R1
	ADD  $64, R0
	SUBS $16, R2
	BNE  loop

done:
	RET

// func signBitsNEON(dst []uint64, src []float32)
// Requires: NEON
//
// Registers: R0: the next bits of dst; R1: the next element of src; R2: remaining elements, a
// multiple of 64; V16: the bit of each byte.
TEXT ·signBitsNEON(SB), NOSPLIT, $0-48
	MOVD dst_base+0(FP), R0
	LDP  src_base+24(FP), (R1, R2)
	CBZ  R2, done
	MOVD $0x8040201008040201, R3
	VDUP R3, V16.D2

loop:
	FLDPQ (R1), (F0, F1) // V0 … V3 = (src[i] > 0) for 16 elements
	FLDPQ 32(R1), (F2, F3)
	FCMGT0S4(0, 0); FCMGT0S4(1, 1); FCMGT0S4(2, 2); FCMGT0S4(3, 3)
	VUZP1 V1.H8, V0.H8, V0.H8 // narrow to bytes
	VUZP1 V3.H8, V2.H8, V2.H8
	VUZP1 V2.B16, V0.B16, V0.B16
	VAND  V16.B16, V0.B16, V0.B16 // combine the bits of 8 bytes by adding them
	VADDP V0.B16, V0.B16, V0.B16
	VADDP V0.B16, V0.B16, V0.B16
	VADDP V0.B16, V0.B16, V0.B16
	VMOV V0.H[0], R3
	MOVH R3, (R0)
	ADD  $64, R1 // while elements remain
	ADD  $2, R0
	SUBS $16, R2
	BNE  loop

done:
	RET
