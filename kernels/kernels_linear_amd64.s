//go:build !purego

#include "textflag.h"
#include "dispatch_amd64.h"
#include "dot_amd64.h"
#include "masks_amd64.h"

// The linear kernels for AVX2 and FMA3. The order of operations is that of the doc
// comments in dot.go, axpy.go and gemv.go.
//
// A masked load hides faults but not their price: one that reaches into a page
// without memory behind it takes some hundred nanoseconds. Near the end of a
// page the vector that ends with the last element is loaded instead.

DATA minus0F64<>+0(SB)/8, $0x8000000000000000
GLOBL minus0F64<>(SB), RODATA|NOPTR, $8

DATA minus0F32<>+0(SB)/4, $0x80000000
GLOBL minus0F32<>(SB), RODATA|NOPTR, $4

// STEPS takes the next vector of x and y, of V bytes, to each of the eight groups of lanes. Four of x before four
// of y: one and one takes up to a fifth longer in L2.
#define STEPS(LOAD, BY, op, V) \
	LOAD (0*V)(SI), Y8             \
	LOAD (1*V)(SI), Y9             \
	LOAD (2*V)(SI), Y10            \
	LOAD (3*V)(SI), Y11            \
	BY(op, (0*V)(DI), Y8, Y12, Y0)  \
	BY(op, (1*V)(DI), Y9, Y13, Y1)  \
	BY(op, (2*V)(DI), Y10, Y14, Y2) \
	BY(op, (3*V)(DI), Y11, Y15, Y3) \
	LOAD (4*V)(SI), Y8             \
	LOAD (5*V)(SI), Y9             \
	LOAD (6*V)(SI), Y10            \
	LOAD (7*V)(SI), Y11            \
	BY(op, (4*V)(DI), Y8, Y12, Y4)  \
	BY(op, (5*V)(DI), Y9, Y13, Y5)  \
	BY(op, (6*V)(DI), Y10, Y14, Y6) \
	BY(op, (7*V)(DI), Y11, Y15, Y7) \
	ADDQ $(8*V), SI \
	ADDQ $(8*V), DI

// NEXT takes vector i of what is left, if there is one, else it goes on at rest.
#define NEXT(LOAD, BY, FMA, W, S, i, acc, rest) \
	SUBQ $W, DX           \
	JLT rest              \
	LOAD (i*W*S)(SI), Y8  \
	BY(FMA, (i*W*S)(DI), Y8, Y9, acc)

// HALVE adds the elements of Y0 and Y1 and returns.
#define HALVE_F64 \
	VADDPD Y1, Y0, Y0       \
	VEXTRACTF128 $1, Y0, X1 \
	VADDPD X1, X0, X0       \
	VPERMILPD $1, X0, X1    \
	VADDSD X1, X0, X0       \
	VMOVSD X0, ret+48(FP)   \
	VZEROUPPER              \
	RET

#define HALVE_F32 \
	VADDPS Y1, Y0, Y0       \
	VEXTRACTF128 $1, Y0, X1 \
	VADDPS X1, X0, X0       \
	VPERMILPD $1, X0, X1    \
	VADDPS X1, X0, X0       \
	VMOVSHDUP X0, X1        \
	VADDSS X1, X0, X0       \
	VMOVSS X0, ret+48(FP)   \
	VZEROUPPER              \
	RET

// The rest is converted, or is what it shall be.
#define WIDEN \
	VCVTPS2PD X14, Y14 \
	VCVTPS2PD X15, Y15
#define KEEP

// DOT is a dot product. SI, DI: x, y; DX: elements left; BX: all of them. Y0-Y7: the lanes. A vector has W
// elements of S bytes.
//
// The first products are the lanes where there are eight vectors, else they start as −0, which changes no sum. The rest
// after the last whole vector is loaded under a mask, with +0 in x and −0 in y where there is no element,
// so that those products are −0: mask, restX and restY are Y12, Y14 and Y13, or as much of them as a vector fills.
// The loop far is for FAR elements, the blocks of long vectors, which come from beyond L2: on Zen 5, prefetching
// shortens them by a sixth (DotF32) and a fifth (DotF32Wide) in L3, and DotF64 by nothing.
#define DOT(LOAD, BY, MUL, FMA, ADD, LANES, FILL, MASKMOV, mask, restX, restY, CONVERT, PREFETCH, FAR, HALVE, W, S, BLOCKS) \
	MOVQ x_base+0(FP), SI     \
	MOVQ x_len+8(FP), DX      \
	MOVQ y_base+24(FP), DI    \
	MOVQ DX, BX               \
	CMPQ DX, $(8*W)           \
	JGE many                  \
	TESTQ DX, DX              \
	JEQ empty                 \
	LANES, Y0                 \
	VMOVAPS Y0, Y1            \
	VMOVAPS Y0, Y2            \
	VMOVAPS Y0, Y3            \
	VMOVAPS Y0, Y4            \
	VMOVAPS Y0, Y5            \
	VMOVAPS Y0, Y6            \
	VMOVAPS Y0, Y7            \
left:                             \
	FILL, Y15                 \
	VXORPS X14, X14, X14      \
	MOVL DX, CX               \
	ANDL $-W, DX              \
	ANDL $(W-1), CX           \
	JEQ whole                 \
	LEAQ (SI)(DX*S), R8       \
	LEAQ (DI)(DX*S), R9       \
	LEAQ masks<>(SB), AX      \
	MOVQ CX, R10              \
	NEGQ R10                  \
	VMOVUPS 64(AX)(R10*S), Y12 \
	VANDNPS Y15, Y12, Y15     \
	CROSSES(R8, (W*S), edgeX) \
	MASKMOV (R8), mask, restX \
thenY:                            \
	CROSSES(R9, (W*S), edgeY) \
	MASKMOV (R9), mask, restY \
fill:                             \
	VORPS Y13, Y15, Y15       \
whole:                            \
	CONVERT                   \
	NEXT(LOAD, BY, FMA, W, S, 0, Y0, rest0) \
	NEXT(LOAD, BY, FMA, W, S, 1, Y1, rest1) \
	NEXT(LOAD, BY, FMA, W, S, 2, Y2, rest2) \
	NEXT(LOAD, BY, FMA, W, S, 3, Y3, rest3) \
	NEXT(LOAD, BY, FMA, W, S, 4, Y4, rest4) \
	NEXT(LOAD, BY, FMA, W, S, 5, Y5, rest5) \
	NEXT(LOAD, BY, FMA, W, S, 6, Y6, rest6) \
	FMA Y15, Y14, Y7          \
sum:                              \
	ADD Y2, Y0, Y0            \
	ADD Y3, Y1, Y1            \
	ADD Y6, Y4, Y4            \
	ADD Y7, Y5, Y5            \
	ADD Y4, Y0, Y0            \
	ADD Y5, Y1, Y1            \
halve:                            \
	HALVE                     \
	PCALIGN $32               \
many:                             \
	CMPQ DX, $65536           \
	JGT long                  \
	STEPS(LOAD, BY, MUL, (W*S))   \
	SUBQ $(16*W), DX          \
	JLT tail                  \
	PREEMPTED(stop)           \
	CMPQ DX, $(FAR-16*W)      \
	JEQ far                   \
	PCALIGN $64               \
near:                             \
	STEPS(LOAD, BY, FMA, (W*S))   \
	SUBQ $(8*W), DX           \
	JGE near                  \
tail:                             \
	ADDQ $(8*W), DX           \
	JEQ sum                   \
	JMP left                  \
	PCALIGN $32               \
rest6:                            \
	FMA Y15, Y14, Y6          \
	JMP sum                   \
	PCALIGN $32               \
rest5:                            \
	FMA Y15, Y14, Y5          \
	JMP sum                   \
	PCALIGN $32               \
rest4:                            \
	FMA Y15, Y14, Y4          \
	JMP sum                   \
	PCALIGN $32               \
rest3:                            \
	FMA Y15, Y14, Y3          \
	JMP sum                   \
	PCALIGN $32               \
rest2:                            \
	FMA Y15, Y14, Y2          \
	JMP sum                   \
	PCALIGN $32               \
rest1:                            \
	FMA Y15, Y14, Y1          \
	JMP short                 \
	PCALIGN $32               \
rest0:                            \
	FMA Y15, Y14, Y0          \
short:                            \
	CMPQ BX, $(2*W)           \
	JGT sum                   \
	JMP halve                 \
	PCALIGN $32               \
far:                              \
	PREFETCH                  \
	STEPS(LOAD, BY, FMA, (W*S))   \
	SUBQ $(8*W), DX           \
	JGE far                   \
	JMP tail                  \
edgeX:                            \
	VMOVUPS (32-W*S)(AX)(CX*S), Y12 \
	LEAQ rotation<>(SB), R11  \
	VMOVUPS (W*S)(R11)(R10*S), Y10 \
	MASKMOV (-W*S)(R8)(CX*S), mask, restX \
	VPERMPS Y14, Y10, Y14     \
	VMOVUPS 64(AX)(R10*S), Y12 \
	JMP thenY                 \
edgeY:                            \
	VMOVUPS (32-W*S)(AX)(CX*S), Y12 \
	LEAQ rotation<>(SB), R11  \
	VMOVUPS (W*S)(R11)(R10*S), Y10 \
	MASKMOV (-W*S)(R9)(CX*S), mask, restY \
	VPERMPS Y13, Y10, Y13     \
	JMP fill                  \
empty:                            \
	VXORPS X0, X0, X0         \
	VXORPS X1, X1, X1         \
	JMP halve                 \
stop:                             \
	VZEROUPPER                 \
long:                             \
	JMP BLOCKS

// func dotF64(x, y []float64) float64
TEXT ·dotF64(SB), NOSPLIT, $0-56
	DISPATCH(·dotF64AVX512(SB), ·dotF64AVX2(SB), ·dotF64Generic(SB))

// func dotF64AVX2(x, y []float64) float64
// Requires: AVX2, FMA3
TEXT ·dotF64AVX2(SB), NOSPLIT, $0-56
	DOT(VMOVUPD, PLAIN, VMULPD, VFMADD231PD, VADDPD, VBROADCASTSD minus0F64<>(SB), VBROADCASTSD minus0F64<>(SB), VMASKMOVPD, Y12, Y14, Y13, KEEP, PREFETCH_256, 0, HALVE_F64, 4, 8, ·dotF64Long(SB))

// func dotF32(x, y []float32) float32
TEXT ·dotF32(SB), NOSPLIT, $0-52
	DISPATCH(·dotF32AVX512(SB), ·dotF32AVX2(SB), ·dotF32Generic(SB))

// func dotF32AVX2(x, y []float32) float32
// Requires: AVX2, FMA3
TEXT ·dotF32AVX2(SB), NOSPLIT, $0-52
	DOT(VMOVUPS, PLAIN, VMULPS, VFMADD231PS, VADDPS, VBROADCASTSS minus0F32<>(SB), VBROADCASTSS minus0F32<>(SB), VMASKMOVPS, Y12, Y14, Y13, KEEP, PREFETCH_256, 65536, HALVE_F32, 8, 4, ·dotF32Long(SB))

// func dotF32Wide(x, y []float32) float64
TEXT ·dotF32Wide(SB), NOSPLIT, $0-56
	DISPATCH(·dotF32WideAVX512(SB), ·dotF32WideAVX2(SB), ·dotF32WideGeneric(SB))

// func dotF32WideAVX2(x, y []float32) float64
// Requires: AVX2, FMA3
TEXT ·dotF32WideAVX2(SB), NOSPLIT, $0-56
	DOT(VCVTPS2PD, CONVERTED, VMULPD, VFMADD231PD, VADDPD, VBROADCASTSD minus0F64<>(SB), VBROADCASTSS minus0F32<>(SB), VMASKMOVPS, X12, X14, X13, WIDEN, PREFETCH_128, 65536, HALVE_F64, 4, 4, ·dotF32WideLong(SB))

// Axpy and AxpyDiff: SI, R8, DI: x or a, b, y; DX: elements left; BX: bytes done; Y0: alpha. Each
// vector is stored before the next is loaded: see the other tier.
#define AXPY64(off) VMOVUPD off(SI)(BX*1), Y1; VFMADD213PD off(DI)(BX*1), Y0, Y1; VMOVUPD Y1, off(DI)(BX*1)
#define AXPY32(off) VMOVUPS off(SI)(BX*1), Y1; VFMADD213PS off(DI)(BX*1), Y0, Y1; VMOVUPS Y1, off(DI)(BX*1)
#define DIFF64(off) VMOVUPD off(SI)(BX*1), Y1; VSUBPD off(R8)(BX*1), Y1, Y1; VFMADD213PD off(DI)(BX*1), Y0, Y1; VMOVUPD Y1, off(DI)(BX*1)
#define DIFF32(off) VMOVUPS off(SI)(BX*1), Y1; VSUBPS off(R8)(BX*1), Y1, Y1; VFMADD213PS off(DI)(BX*1), Y0, Y1; VMOVUPS Y1, off(DI)(BX*1)

// All whole vectors, of n elements each; what is left is fewer.
#define VECTORS(vector, n) \
	XORL BX, BX;     \
	SUBQ $(4*n), DX; \
	JLT  few;        \
four:                    \
	vector(0);       \
	vector(32);      \
	vector(64);      \
	vector(96);      \
	ADDQ $128, BX;   \
	SUBQ $(4*n), DX; \
	JGE  four;       \
few:                     \
	ADDQ $(3*n), DX; \
	JLT  rest;       \
one:                     \
	vector(0);       \
	ADDQ $32, BX;    \
	SUBQ $n, DX;     \
	JGE  one;        \
rest:                    \
	ADDQ $n, DX;     \
	JEQ  done

// func axpyF64(alpha float64, x, y []float64)
TEXT ·axpyF64(SB), NOSPLIT, $0-56
	DISPATCH(·axpyF64AVX512(SB), ·axpyF64AVX2(SB), ·axpyF64Generic(SB))

// func axpyF64AVX2(alpha float64, x, y []float64)
// Requires: AVX2, FMA3
TEXT ·axpyF64AVX2(SB), NOSPLIT, $0-56
	VBROADCASTSD alpha+0(FP), Y0
	MOVQ x_base+8(FP), SI
	MOVQ y_base+32(FP), DI
	MOVQ y_len+40(FP), DX
	VECTORS(AXPY64, 4)

loop1:
	VMOVSD (SI)(BX*1), X1
	VFMADD213SD (DI)(BX*1), X0, X1
	VMOVSD X1, (DI)(BX*1)
	ADDQ $8, BX
	DECQ DX
	JNE loop1

done:
	VZEROUPPER
	RET

// func axpyF32(alpha float32, x, y []float32)
TEXT ·axpyF32(SB), NOSPLIT, $0-56
	DISPATCH(·axpyF32AVX512(SB), ·axpyF32AVX2(SB), ·axpyF32Generic(SB))

// func axpyF32AVX2(alpha float32, x, y []float32)
// Requires: AVX2, FMA3
TEXT ·axpyF32AVX2(SB), NOSPLIT, $0-56
	VBROADCASTSS alpha+0(FP), Y0
	MOVQ x_base+8(FP), SI
	MOVQ y_base+32(FP), DI
	MOVQ y_len+40(FP), DX
	VECTORS(AXPY32, 8)
	SUBQ $4, DX
	JLT scalar
	VMOVUPS (SI)(BX*1), X1
	VFMADD213PS (DI)(BX*1), X0, X1
	VMOVUPS X1, (DI)(BX*1)
	ADDQ $16, BX
	SUBQ $4, DX

scalar:
	ADDQ $4, DX
	JEQ done

loop1:
	VMOVSS (SI)(BX*1), X1
	VFMADD213SS (DI)(BX*1), X0, X1
	VMOVSS X1, (DI)(BX*1)
	ADDQ $4, BX
	DECQ DX
	JNE loop1

done:
	VZEROUPPER
	RET

// func axpyDiffF64(alpha float64, a, b, y []float64)
TEXT ·axpyDiffF64(SB), NOSPLIT, $0-80
	DISPATCH(·axpyDiffF64AVX512(SB), ·axpyDiffF64AVX2(SB), ·axpyDiffF64Generic(SB))

// func axpyDiffF64AVX2(alpha float64, a, b, y []float64)
// Requires: AVX2, FMA3
TEXT ·axpyDiffF64AVX2(SB), NOSPLIT, $0-80
	VBROADCASTSD alpha+0(FP), Y0
	MOVQ a_base+8(FP), SI
	MOVQ b_base+32(FP), R8
	MOVQ y_base+56(FP), DI
	MOVQ y_len+64(FP), DX
	VECTORS(DIFF64, 4)

loop1:
	VMOVSD (SI)(BX*1), X1
	VSUBSD (R8)(BX*1), X1, X1
	VFMADD213SD (DI)(BX*1), X0, X1
	VMOVSD X1, (DI)(BX*1)
	ADDQ $8, BX
	DECQ DX
	JNE loop1

done:
	VZEROUPPER
	RET

// func axpyDiffF32(alpha float32, a, b, y []float32)
TEXT ·axpyDiffF32(SB), NOSPLIT, $0-80
	DISPATCH(·axpyDiffF32AVX512(SB), ·axpyDiffF32AVX2(SB), ·axpyDiffF32Generic(SB))

// func axpyDiffF32AVX2(alpha float32, a, b, y []float32)
// Requires: AVX2, FMA3
TEXT ·axpyDiffF32AVX2(SB), NOSPLIT, $0-80
	VBROADCASTSS alpha+0(FP), Y0
	MOVQ a_base+8(FP), SI
	MOVQ b_base+32(FP), R8
	MOVQ y_base+56(FP), DI
	MOVQ y_len+64(FP), DX
	VECTORS(DIFF32, 8)
	SUBQ $4, DX
	JLT scalar
	VMOVUPS (SI)(BX*1), X1
	VSUBPS (R8)(BX*1), X1, X1
	VFMADD213PS (DI)(BX*1), X0, X1
	VMOVUPS X1, (DI)(BX*1)
	ADDQ $16, BX
	SUBQ $4, DX

scalar:
	ADDQ $4, DX
	JEQ done

loop1:
	VMOVSS (SI)(BX*1), X1
	VSUBSS (R8)(BX*1), X1, X1
	VFMADD213SS (DI)(BX*1), X0, X1
	VMOVSS X1, (DI)(BX*1)
	ADDQ $4, BX
	DECQ DX
	JNE loop1

done:
	VZEROUPPER
	RET
