//go:build !purego

#include "go_asm.h"
#include "textflag.h"
#include "dispatch_amd64.h"
#include "vector_amd64.h"
#include "dot_data_avx512_amd64.h"

// The linear kernels for AVX-512 (F, VL). dispatch.go and gemv.go document the order of operations.
//
// Vectors without LANES elements are loaded under a mask, except in axpy. A mask suppresses faults
// but not their cost: a masked load that reaches into an unmapped page takes some hundred
// nanoseconds. Therefore, near the end of a page, the code loads the vector that ends with the last
// element, and moves its elements to the front if necessary.
//
// float32 is converted to float64 one ZMM register at a time. On Zen 5, converting 8 elements in
// this way takes 0.75 cycles, compared with 1.0 cycles for two YMM registers. On Zen 4, it takes
// 1.33 and 1.0 cycles, so DotF32Wide uses the AVX2 code there. Dot products take 1.0 to 1.1 times
// as long as their conversions.

// func dotF64AVX512(x, y *float64, n int) float64
// Requires: AVX512F
//
// Registers: see dot_avx512_amd64.h.
TEXT ·dotF64AVX512(SB), NOSPLIT, $0-32
#include "f64_avx512_amd64.h"
#include "f64_sums_avx512_amd64.h"
#define BY(op, y, t, u, sum) op y, t, sum
#define BY_K1(op, sum) op Z5, Z4, K1, sum
#define FROM const_dotFarF64
#define TO const_dotFarF64To
#include "dot_avx512_amd64.h"
#include "clear_dot_avx512_amd64.h"

// func dotF32AVX512(x, y *float32, n int) float32
// Requires: AVX512F
//
// Registers: see dot_avx512_amd64.h.
TEXT ·dotF32AVX512(SB), NOSPLIT, $0-28
#include "f32_avx512_amd64.h"
#include "f32_sums_avx512_amd64.h"
#define BY(op, y, t, u, sum) op y, t, sum
#define BY_K1(op, sum) op Z5, Z4, K1, sum
#define FROM const_dotFarF32
#define TO const_dotFarF32To
#include "dot_avx512_amd64.h"
#include "clear_dot_avx512_amd64.h"

// func dotF32WideAVX512(x, y *float32, n int) float64
// Requires: AVX512F
//
// Registers: see dot_avx512_amd64.h.
TEXT ·dotF32WideAVX512(SB), NOSPLIT, $0-32
#include "f32wide_avx512_amd64.h"
#include "f64_sums_avx512_amd64.h"
#define BY(op, y, t, u, sum) LOADY(y, u); op u, t, sum
#define BY_K1(op, sum) op Z5, Z4, K1, sum
#include "dot_avx512_amd64.h"
#include "clear_dot_avx512_amd64.h"

// Axpy loads and stores one line of 64 bytes at a time. In L1, groups of four loads and four stores
// would take a tenth longer.

// func axpyF64AVX512(alpha float64, x, y []float64)
// Requires: AVX512F, FMA3
//
// Registers: see axpy_rest_avx512_amd64.h.
TEXT ·axpyF64AVX512(SB), NOSPLIT, $0-56
// VECTOR computes y[i] += alpha·x[i] for the vector at offset off, and PART for a part of a vector.
#define VECTOR(off) \
	VMOVUPD off(SI)(BX*1), Z1; VFMADD213PD off(DI)(BX*1), Z0, Z1; VMOVUPD Z1, off(DI)(BX*1)
#define PART(MOVE, alpha, t, u) \
	MOVE (SI)(BX*1), t; MOVE (DI)(BX*1), u; VFMADD213PD u, alpha, t; MOVE t, (DI)(BX*1)
#define LANES 8
#define BYTES 64
	VBROADCASTSD alpha+0(FP), Z0 // load the arguments
	MOVQ x_base+8(FP), SI
	MOVQ y_base+32(FP), DI
	MOVQ y_len+40(FP), DX
#include "axpy_amd64.h"
#include "axpy_rest_avx512_amd64.h"

// func axpyF32AVX512(alpha float32, x, y []float32)
// Requires: AVX512F, FMA3
//
// Registers: see axpy_rest_avx512_amd64.h.
TEXT ·axpyF32AVX512(SB), NOSPLIT, $0-56
// VECTOR computes y[i] += alpha·x[i] for the vector at offset off, and PART for a part of a vector.
#define VECTOR(off) \
	VMOVUPS off(SI)(BX*1), Z1; VFMADD213PS off(DI)(BX*1), Z0, Z1; VMOVUPS Z1, off(DI)(BX*1)
#define PART(MOVE, alpha, t, u) \
	MOVE (SI)(BX*1), t; MOVE (DI)(BX*1), u; VFMADD213PS u, alpha, t; MOVE t, (DI)(BX*1)
#define LANES 16
#define BYTES 64
#define SINGLE
	VBROADCASTSS alpha+0(FP), Z0 // load the arguments
	MOVQ x_base+8(FP), SI
	MOVQ y_base+32(FP), DI
	MOVQ y_len+40(FP), DX
#include "axpy_amd64.h"
#include "axpy_rest_avx512_amd64.h"
