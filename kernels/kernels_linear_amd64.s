//go:build !purego

#include "textflag.h"
#include "vector_amd64.h"

// The linear kernels for AVX2 and FMA3. dispatch.go and gemv.go document the order of operations.
//
// A mask suppresses faults but not their cost: a masked load that reaches into an unmapped page
// takes some hundred nanoseconds. Therefore, near the end of a page, the code loads the vector that
// ends with the last element.

DATA minus0F64<>+0(SB)/8, $0x8000000000000000
GLOBL minus0F64<>(SB), RODATA|NOPTR, $8
DATA minus0F32<>+0(SB)/4, $0x80000000
GLOBL minus0F32<>(SB), RODATA|NOPTR, $4

// In dot_amd64.h, terms are products.
#define TERM WITHY
#define LAST(acc) FMA yTail, xTail, acc

// y += alpha·x for the elements at offset off. t is a temporary.
#define AXPY(MOV, FMA, alpha, t, off) \
	MOV off(SI)(BX*1), t; FMA off(DI)(BX*1), alpha, t; MOV t, off(DI)(BX*1)

// func dotF64AVX2(x, y *float64, n int) float64
// Requires: AVX2, FMA3
// Registers: see dot_amd64.h.
TEXT ·dotF64AVX2(SB), NOSPLIT, $0-32
#include "f64_amd64.h"
#include "dot_amd64.h"

// func dotF32AVX2(x, y *float32, n int) float32
// Requires: AVX2, FMA3
// Registers: see dot_amd64.h.
TEXT ·dotF32AVX2(SB), NOSPLIT, $0-28
#include "f32_amd64.h"
#include "dot_amd64.h"

// func dotF32WideAVX2(x, y *float32, n int) float64
// Requires: AVX2, FMA3
// Registers: see dot_amd64.h.
TEXT ·dotF32WideAVX2(SB), NOSPLIT, $0-32
#include "f32wide_amd64.h"
#include "dot_amd64.h"

// func axpyF64AVX2(alpha float64, x, y []float64)
// Requires: AVX2, FMA3
// Registers: see axpy_amd64.h.
TEXT ·axpyF64AVX2(SB), NOSPLIT, $0-56
	VBROADCASTSD alpha+0(FP), Y0
	MOVQ x_base+8(FP), SI
	MOVQ y_base+32(FP), DI
	MOVQ y_len+40(FP), DX
#include "axpy_f64_amd64.h"

// func axpyF32AVX2(alpha float32, x, y []float32)
// Requires: AVX2, FMA3
// Registers: see axpy_amd64.h.
TEXT ·axpyF32AVX2(SB), NOSPLIT, $0-56
	VBROADCASTSS alpha+0(FP), Y0
	MOVQ x_base+8(FP), SI
	MOVQ y_base+32(FP), DI
	MOVQ y_len+40(FP), DX
#include "axpy_f32_amd64.h"
