//go:build !purego

#include "textflag.h"
#include "dispatch_amd64.h"
#include "dot_amd64.h"

// The linear kernels for AVX-512 (F, VL). The order of operations is that of the
// doc comments in dot.go, axpy.go and gemv.go.
//
// A vector that is not whole is loaded under a mask. A mask hides faults but not their
// price: a masked load that reaches into a page without memory behind it takes some
// hundred nanoseconds. Near the end of a page the vector that ends with the last
// element is loaded instead, and its elements are moved down where they must.
//
// float32 is converted to float64 a zmm at a time: on Zen 5, 8 elements take .75 cycles so, and
// 1.0 as two ymm (Zen 4: 1.33 and 1.0).

// order is 0 to 31: W of it, from W − r on, move the last r elements of W to the front.
DATA order<>+0(SB)/8, $0x0706050403020100
DATA order<>+8(SB)/8, $0x0f0e0d0c0b0a0908
DATA order<>+16(SB)/8, $0x1716151413121110
DATA order<>+24(SB)/8, $0x1f1e1d1c1b1a1918
GLOBL order<>(SB), RODATA|NOPTR, $32

DATA minus0F64<>+0(SB)/8, $0x8000000000000000
GLOBL minus0F64<>(SB), RODATA|NOPTR, $8

DATA minus0F32<>+0(SB)/4, $0x80000000
GLOBL minus0F32<>(SB), RODATA|NOPTR, $4

// STEPS takes the next vector of x and y, of V bytes, to each of the four groups of lanes.
#define STEPS(LOAD, BY, op, V) \
	LOAD (0*V)(SI), Z4              \
	LOAD (1*V)(SI), Z5              \
	LOAD (2*V)(SI), Z6              \
	LOAD (3*V)(SI), Z7              \
	BY(op, (0*V)(DI), Z4, Z8, Z0)   \
	BY(op, (1*V)(DI), Z5, Z9, Z1)   \
	BY(op, (2*V)(DI), Z6, Z10, Z2)  \
	BY(op, (3*V)(DI), Z7, Z11, Z3)  \
	ADDQ $(4*V), SI                 \
	ADDQ $(4*V), DI

// HALVE adds the elements of Z0 and returns.
#define HALVE_F64 \
	VEXTRACTF64X4 $1, Z0, Y1 \
	VADDPD Y1, Y0, Y0        \
	VEXTRACTF128 $1, Y0, X1  \
	VADDPD X1, X0, X0        \
	VPERMILPD $1, X0, X1     \
	VADDSD X1, X0, X0        \
	VMOVSD X0, ret+48(FP)    \
	VZEROUPPER               \
	RET

#define HALVE_F32 \
	VEXTRACTF64X4 $1, Z0, Y1 \
	VADDPS Y1, Y0, Y0        \
	VEXTRACTF128 $1, Y0, X1  \
	VADDPS X1, X0, X0        \
	VPERMILPD $1, X0, X1     \
	VADDPS X1, X0, X0        \
	VMOVSHDUP X0, X1         \
	VADDSS X1, X0, X0        \
	VMOVSS X0, ret+48(FP)    \
	VZEROUPPER               \
	RET

// MASK sets CX to the elements that the last vector lacks and K1 to those that it has.
#define MASK(W) \
	MOVL DX, CX          \
	NEGL CX              \
	ANDL $(W-1), CX      \
	MOVL $((1<<W)-1), AX \
	SHRL CX, AX          \
	KMOVW AX, K1

// MASKED loads the vectors at x and y to Z4 and Z5 under the mask, or goes on at edge when that would reach into
// the next page.
#define MASKED(LOAD, x, y, V, edge) \
	CROSSES(x, V, edge) \
	CROSSES(y, V, edge) \
	LOAD.Z (x), K1, Z4 \
	LOAD.Z (y), K1, Z5

// PART does so with the last vectors of x and y.
#define PART(LOAD, W, S, edge) \
	MASK(W)              \
	LEAL -1(DX), R10     \
	ANDL $-W, R10        \
	LEAQ (SI)(R10*S), R8 \
	LEAQ (DI)(R10*S), R9 \
	MASKED(LOAD, R8, R9, (W*S), edge)

// FRONT moves the last elements of Z4 and Z5 to the front.
#define FRONT(MOVE, INDEX) \
	LEAQ order<>(SB), AX  \
	INDEX (AX)(CX*1), Z12 \
	MOVE Z4, Z12, Z4      \
	MOVE Z5, Z12, Z5

// DOT is a dot product. SI, DI: x, y; DX: elements left; Z0-Z3: the lanes. A vector has W elements of S bytes.
//
// The first products are the lanes; a lane without an element is not written. Only the products of a
// last vector that are the lanes, too, fill up with −0, which changes no sum. Near the end of a page, the vector that ends with
// the last element is loaded instead of the last one.
//
// The loop far is for FROM < elements <= TO, times on Zen 5. What exceeds an L1 cache of 48 KB by up to 32 KB, a part of which is
// there when the next call comes, takes three quarters of the time of near at 64 KB, and more than 80 KB the same or longer.
// The blocks of long vectors take a tenth less in DotF32Wide when they come from L3. At 46 elements the order of the parts, and that they start
// half a cache line, is worth a tenth.
#define DOT(LOAD, BY, MUL, FMA, ADD, MOVE, INDEX, FILL, PREFETCH, FROM, TO, HALVE, W, S, BLOCKS) \
	MOVQ x_base+0(FP), SI  \
	MOVQ x_len+8(FP), DX   \
	MOVQ y_base+24(FP), DI \
	CMPQ DX, $W            \
	JLE one                \
	CMPQ DX, $(4*W)        \
	JGE many               \
	TESTL $(W-1), DX       \
	JNE fewPart            \
	LOAD (-W*S)(SI)(DX*S), Z4 \
	BY(MUL, (-W*S)(DI)(DX*S), Z4, Z5, Z6) \
few:                           \
	LOAD (SI), Z5 \
	BY(MUL, (DI), Z5, Z8, Z0) \
	CMPL DX, $(2*W)        \
	JGT more               \
add:                           \
	ADD Z6, Z0, Z0         \
halve:                         \
	HALVE                  \
	PCALIGN $32            \
more:                          \
	LOAD (W*S)(SI), Z5 \
	BY(MUL, (W*S)(DI), Z5, Z8, Z1) \
	ADD Z1, Z0, Z0         \
	CMPL DX, $(3*W)        \
	JLE add                \
	LOAD (2*W*S)(SI), Z5 \
	BY(MUL, (2*W*S)(DI), Z5, Z8, Z2) \
	ADD Z6, Z2, Z2         \
	ADD Z2, Z0, Z0         \
	JMP halve              \
	PCALIGN $32            \
many:                          \
	CMPQ DX, $65536        \
	JGT long               \
	STEPS(LOAD, BY, MUL, (W*S)) \
	SUBQ $(8*W), DX        \
	JLT tail               \
	PREEMPTED(stop)        \
	LEAL (8*W-FROM-1)(DX), AX \
	CMPL AX, $(TO-FROM-1)  \
	JLS far                \
	PCALIGN $64            \
near:                          \
	STEPS(LOAD, BY, FMA, (W*S)) \
	SUBQ $(4*W), DX        \
	JGE near               \
tail:                          \
	ADDQ $(4*W), DX        \
	JEQ sum                \
	TESTL $(W-1), DX       \
	JEQ tailWhole          \
	PART(LOAD, W, S, tailEdge) \
left:                          \
	CMPL DX, $W            \
	JLE last0              \
	LOAD (SI), Z6 \
	BY(FMA, (DI), Z6, Z8, Z0) \
	CMPL DX, $(2*W)        \
	JLE last1              \
	LOAD (W*S)(SI), Z6 \
	BY(FMA, (W*S)(DI), Z6, Z8, Z1) \
	CMPL DX, $(3*W)        \
	JLE last2              \
	LOAD (2*W*S)(SI), Z6 \
	BY(FMA, (2*W*S)(DI), Z6, Z8, Z2) \
	FMA Z5, Z4, K1, Z3     \
sum:                           \
	ADD Z1, Z0, Z0         \
	ADD Z3, Z2, Z2         \
	ADD Z2, Z0, Z0         \
	HALVE                  \
	PCALIGN $32            \
last0:                         \
	FMA Z5, Z4, K1, Z0     \
	JMP sum                \
	PCALIGN $32            \
last1:                         \
	FMA Z5, Z4, K1, Z1     \
	JMP sum                \
	PCALIGN $32            \
last2:                         \
	FMA Z5, Z4, K1, Z2     \
	JMP sum                \
	PCALIGN $32            \
one:                           \
	JEQ oneWhole           \
	TESTQ DX, DX           \
	JEQ empty              \
	MASK(W)                \
	FILL, Z0               \
	MASKED(LOAD, SI, DI, (W*S), oneEdge) \
product:                       \
	MUL Z5, Z4, K1, Z0     \
	JMP halve              \
	PCALIGN $32            \
fewPart:                       \
	PART(LOAD, W, S, fewEdge) \
fewProduct:                    \
	FILL, Z6               \
	MUL Z5, Z4, K1, Z6     \
	JMP few                \
	PCALIGN $32            \
tailWhole:                     \
	KXNORW K1, K1, K1      \
	LOAD (-W*S)(SI)(DX*S), Z4 \
	LOAD (-W*S)(DI)(DX*S), Z5 \
	JMP left               \
	PCALIGN $32            \
oneWhole:                      \
	LOAD (SI), Z4          \
	BY(MUL, (DI), Z4, Z5, Z0) \
	JMP halve              \
oneEdge:                       \
	MOVL $-1, AX           \
	SHLL CX, AX            \
	KMOVW AX, K2           \
	LOAD.Z (-W*S)(SI)(DX*S), K2, Z4 \
	LOAD.Z (-W*S)(DI)(DX*S), K2, Z5 \
	FRONT(MOVE, INDEX)     \
	JMP product            \
fewEdge:                       \
	LOAD (-W*S)(SI)(DX*S), Z4 \
	LOAD (-W*S)(DI)(DX*S), Z5 \
	FRONT(MOVE, INDEX)     \
	JMP fewProduct         \
tailEdge:                      \
	LOAD (-W*S)(SI)(DX*S), Z4 \
	LOAD (-W*S)(DI)(DX*S), Z5 \
	FRONT(MOVE, INDEX)     \
	JMP left               \
	PCALIGN $32            \
far:                           \
	PREFETCH               \
	STEPS(LOAD, BY, FMA, (W*S)) \
	SUBQ $(4*W), DX        \
	JGE far                \
	JMP tail               \
empty:                         \
	VPXOR X0, X0, X0       \
	JMP halve              \
stop:                          \
	VZEROUPPER              \
long:                          \
	JMP BLOCKS

// func dotF64AVX512(x, y []float64) float64
// Requires: AVX512F
TEXT ·dotF64AVX512(SB), NOSPLIT, $0-56
	DOT(VMOVUPD, PLAIN, VMULPD, VFMADD231PD, VADDPD, VPERMPD, VPMOVZXBQ, VBROADCASTSD minus0F64<>(SB), PREFETCH_256, 3072, 5120, HALVE_F64, 8, 8, ·dotF64Long(SB))

// func dotF32AVX512(x, y []float32) float32
// Requires: AVX512F
TEXT ·dotF32AVX512(SB), NOSPLIT, $0-52
	DOT(VMOVUPS, PLAIN, VMULPS, VFMADD231PS, VADDPS, VPERMPS, VPMOVZXBD, VBROADCASTSS minus0F32<>(SB), PREFETCH_256, 6144, 10240, HALVE_F32, 16, 4, ·dotF32Long(SB))

// func dotF32WideAVX512(x, y []float32) float64
// Requires: AVX512F
TEXT ·dotF32WideAVX512(SB), NOSPLIT, $0-56
	DOT(VCVTPS2PD, CONVERTED, VMULPD, VFMADD231PD, VADDPD, VPERMPD, VPMOVZXBQ, VBROADCASTSD minus0F64<>(SB), PREFETCH_128, 65535, 65536, HALVE_F64, 8, 4, ·dotF32WideLong(SB))

// Axpy and AxpyDiff: SI, R8, DI: x or a, b, y; DX: elements left; BX: bytes done; Z0: alpha.
// A line of 64 bytes is loaded and stored before the next: in L1 groups of four loads and four stores take a tenth longer.
#define AXPY64(off) VMOVUPD off(SI)(BX*1), Z1; VFMADD213PD off(DI)(BX*1), Z0, Z1; VMOVUPD Z1, off(DI)(BX*1)
#define AXPY32(off) VMOVUPS off(SI)(BX*1), Z1; VFMADD213PS off(DI)(BX*1), Z0, Z1; VMOVUPS Z1, off(DI)(BX*1)
#define DIFF64(off) VMOVUPD off(SI)(BX*1), Z1; VSUBPD off(R8)(BX*1), Z1, Z1; VFMADD213PD off(DI)(BX*1), Z0, Z1; VMOVUPD Z1, off(DI)(BX*1)
#define DIFF32(off) VMOVUPS off(SI)(BX*1), Z1; VSUBPS off(R8)(BX*1), Z1, Z1; VFMADD213PS off(DI)(BX*1), Z0, Z1; VMOVUPS Z1, off(DI)(BX*1)

// All whole lines, of n elements each; what is left is fewer.
#define LINES(line, n) \
	XORL BX, BX;     \
	SUBQ $(4*n), DX; \
	JLT  few;        \
four:                    \
	line(0);         \
	line(64);        \
	line(128);       \
	line(192);       \
	ADDQ $256, BX;   \
	SUBQ $(4*n), DX; \
	JGE  four;       \
few:                     \
	ADDQ $(3*n), DX; \
	JLT  rest;       \
one:                     \
	line(0);         \
	ADDQ $64, BX;    \
	SUBQ $n, DX;     \
	JGE  one;        \
rest:                    \
	ADDQ $n, DX;     \
	JEQ  done

// K1: the elements left.
#define LEFT MOVL DX, CX; MOVL $1, AX; SHLL CX, AX; DECL AX; KMOVW AX, K1

// Near the end of a page the rest is taken one at a time.
#define PAGE(from, edge) LEAL (from)(BX*1), CX; ANDL $4095, CX; CMPL CX, $4032; JHI edge

// func axpyF64AVX512(alpha float64, x, y []float64)
// Requires: AVX512F, FMA3
TEXT ·axpyF64AVX512(SB), NOSPLIT, $0-56
	VBROADCASTSD alpha+0(FP), Z0
	MOVQ x_base+8(FP), SI
	MOVQ y_base+32(FP), DI
	MOVQ y_len+40(FP), DX
	LINES(AXPY64, 8)
	PAGE(SI, edge)
	PAGE(DI, edge)
	LEFT
	VMOVUPD.Z (SI)(BX*1), K1, Z1
	VFMADD213PD (DI)(BX*1), Z0, K1, Z1
	VMOVUPD Z1, K1, (DI)(BX*1)

done:
	VZEROUPPER
	RET

edge:
	VMOVSD (SI)(BX*1), X1
	VFMADD213SD (DI)(BX*1), X0, X1
	VMOVSD X1, (DI)(BX*1)
	ADDQ $8, BX
	DECQ DX
	JNE edge
	VZEROUPPER
	RET

// func axpyF32AVX512(alpha float32, x, y []float32)
// Requires: AVX512F, FMA3
TEXT ·axpyF32AVX512(SB), NOSPLIT, $0-56
	VBROADCASTSS alpha+0(FP), Z0
	MOVQ x_base+8(FP), SI
	MOVQ y_base+32(FP), DI
	MOVQ y_len+40(FP), DX
	LINES(AXPY32, 16)
	PAGE(SI, edge)
	PAGE(DI, edge)
	LEFT
	VMOVUPS.Z (SI)(BX*1), K1, Z1
	VFMADD213PS (DI)(BX*1), Z0, K1, Z1
	VMOVUPS Z1, K1, (DI)(BX*1)

done:
	VZEROUPPER
	RET

edge:
	VMOVSS (SI)(BX*1), X1
	VFMADD213SS (DI)(BX*1), X0, X1
	VMOVSS X1, (DI)(BX*1)
	ADDQ $4, BX
	DECQ DX
	JNE edge
	VZEROUPPER
	RET

// func axpyDiffF64AVX512(alpha float64, a, b, y []float64)
// Requires: AVX512F, FMA3
TEXT ·axpyDiffF64AVX512(SB), NOSPLIT, $0-80
	VBROADCASTSD alpha+0(FP), Z0
	MOVQ a_base+8(FP), SI
	MOVQ b_base+32(FP), R8
	MOVQ y_base+56(FP), DI
	MOVQ y_len+64(FP), DX
	LINES(DIFF64, 8)
	PAGE(SI, edge)
	PAGE(R8, edge)
	PAGE(DI, edge)
	LEFT
	VMOVUPD.Z (SI)(BX*1), K1, Z1
	VSUBPD.Z (R8)(BX*1), Z1, K1, Z1
	VFMADD213PD (DI)(BX*1), Z0, K1, Z1
	VMOVUPD Z1, K1, (DI)(BX*1)

done:
	VZEROUPPER
	RET

edge:
	VMOVSD (SI)(BX*1), X1
	VSUBSD (R8)(BX*1), X1, X1
	VFMADD213SD (DI)(BX*1), X0, X1
	VMOVSD X1, (DI)(BX*1)
	ADDQ $8, BX
	DECQ DX
	JNE edge
	VZEROUPPER
	RET

// func axpyDiffF32AVX512(alpha float32, a, b, y []float32)
// Requires: AVX512F, FMA3
TEXT ·axpyDiffF32AVX512(SB), NOSPLIT, $0-80
	VBROADCASTSS alpha+0(FP), Z0
	MOVQ a_base+8(FP), SI
	MOVQ b_base+32(FP), R8
	MOVQ y_base+56(FP), DI
	MOVQ y_len+64(FP), DX
	LINES(DIFF32, 16)
	PAGE(SI, edge)
	PAGE(R8, edge)
	PAGE(DI, edge)
	LEFT
	VMOVUPS.Z (SI)(BX*1), K1, Z1
	VSUBPS.Z (R8)(BX*1), Z1, K1, Z1
	VFMADD213PS (DI)(BX*1), Z0, K1, Z1
	VMOVUPS Z1, K1, (DI)(BX*1)

done:
	VZEROUPPER
	RET

edge:
	VMOVSS (SI)(BX*1), X1
	VSUBSS (R8)(BX*1), X1, X1
	VFMADD213SS (DI)(BX*1), X0, X1
	VMOVSS X1, (DI)(BX*1)
	ADDQ $4, BX
	DECQ DX
	JNE edge
	VZEROUPPER
	RET
