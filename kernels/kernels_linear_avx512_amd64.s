//go:build !purego

#include "textflag.h"

// The linear kernels for AVX-512 (F, VL). The order of operations is that of the
// doc comments in dot.go, axpy.go and gemv.go.
//
// A vector that is not whole is loaded under a mask. A mask hides faults but not their
// price: a masked load that reaches into a page without memory behind it takes some
// hundred nanoseconds. Near the end of a page the vector that ends with the last
// element is loaded instead, and its elements are moved down where they must.
//
// float32 is converted to float64 a ymm at a time: on Zen 4, 8 elements take 1.33
// cycles as one zmm and 1.0 as two ymm, and the FMA beside it costs less. DotF32Wide
// has no code here for that reason: AVX2 does the same.

// func dotF64AVX512(x, y []float64) float64
// Requires: AVX512F
//
// SI, DI: x, y; DX: elements left. Z0-Z3: the 32 lanes, all −0 at first, which
// changes no sum; Z31: −0. The rest after the last whole vector is loaded with
// +0 in x and −0 in y where there is no element, so that those products are −0.
TEXT ·dotF64AVX512(SB), NOSPLIT, $0-56
	MOVQ x_base+0(FP), SI
	MOVQ x_len+8(FP), DX
	MOVQ y_base+24(FP), DI
	VPTERNLOGD $0xff, Z31, Z31, Z31
	VPSLLQ $63, Z31, Z31
	CMPQ DX, $8
	JLE tiny
	VMOVAPD Z31, Z0
	VMOVAPD Z31, Z1
	VMOVAPD Z31, Z2
	VMOVAPD Z31, Z3
	SUBQ $32, DX
	JLT tail

loop32: // a vector to each of the four groups of lanes
	VMOVUPD 0(SI), Z4
	VMOVUPD 64(SI), Z5
	VMOVUPD 128(SI), Z6
	VMOVUPD 192(SI), Z7
	VFMADD231PD 0(DI), Z4, Z0
	VFMADD231PD 64(DI), Z5, Z1
	VFMADD231PD 128(DI), Z6, Z2
	VFMADD231PD 192(DI), Z7, Z3
	ADDQ $256, SI
	ADDQ $256, DI
	SUBQ $32, DX
	JGE loop32

tail: // 32 fewer than the elements left; R10: those after the last whole vector
	ADDQ $32, DX
	JEQ sum
	VMOVAPD Z31, Z5
	VPXORQ Z4, Z4, Z4
	MOVQ DX, R10
	ANDQ $-8, DX
	ANDQ $7, R10
	JEQ whole0
	LEAQ (SI)(DX*8), R8
	LEAQ (DI)(DX*8), R9
	MOVL R10, CX
	MOVL $1, AX
	SHLL CX, AX
	DECL AX
	KMOVW AX, K1
	MOVL R8, AX
	ANDL $4095, AX
	CMPL AX, $4032
	JHI edgeX
	VMOVUPD.Z (R8), K1, Z4

restY:
	MOVL R9, AX
	ANDL $4095, AX
	CMPL AX, $4032
	JHI edgeY
	VMOVUPD (R9), K1, Z5

whole0: // up to three whole vectors, then the rest in the next group
	SUBQ $8, DX
	JLT rest0
	VMOVUPD 0(SI), Z6
	VFMADD231PD 0(DI), Z6, Z0
	SUBQ $8, DX
	JLT rest1
	VMOVUPD 64(SI), Z6
	VFMADD231PD 64(DI), Z6, Z1
	SUBQ $8, DX
	JLT rest2
	VMOVUPD 128(SI), Z6
	VFMADD231PD 128(DI), Z6, Z2
	VFMADD231PD Z5, Z4, Z3
	JMP sum

rest0:
	VFMADD231PD Z5, Z4, Z0
	JMP sum

rest1:
	VFMADD231PD Z5, Z4, Z1
	JMP sum

rest2:
	VFMADD231PD Z5, Z4, Z2

sum: // (g0+g1)+(g2+g3)
	VADDPD Z1, Z0, Z0
	VADDPD Z3, Z2, Z2
	VADDPD Z2, Z0, Z0

halve:
	VEXTRACTF64X4 $1, Z0, Y1
	VADDPD Y1, Y0, Y0
	VEXTRACTF128 $1, Y0, X1
	VADDPD X1, X0, X0
	VPERMILPD $1, X0, X1
	VADDSD X1, X0, X0
	VMOVSD X0, ret+48(FP)
	VZEROUPPER
	RET

tiny: // at most 8 elements: one product a lane
	TESTQ DX, DX
	JEQ empty
	MOVL DX, CX
	MOVL $1, AX
	SHLL CX, AX
	DECL AX
	KMOVW AX, K1
	VMOVAPD Z31, Z5
	MOVL SI, AX
	ANDL $4095, AX
	CMPL AX, $4032
	JHI tinyEdgeX
	VMOVUPD.Z (SI), K1, Z4

tinyY:
	MOVL DI, AX
	ANDL $4095, AX
	CMPL AX, $4032
	JHI tinyEdgeY
	VMOVUPD (DI), K1, Z5

tinyProduct:
	VMULPD Z5, Z4, Z0
	JMP halve

empty:
	MOVQ $0, ret+48(FP)
	VZEROUPPER
	RET

edgeX: // near the end of a page: load the vector that ends with the last element
	MOVL $8, CX
	SUBL R10, CX
	MOVL $-1, AX
	SHLL CX, AX
	KMOVW AX, K2
	VMOVUPD.Z -64(R8)(R10*8), K2, Z6
	VCOMPRESSPD.Z Z6, K2, Z4
	JMP restY

edgeY:
	MOVL $8, CX
	SUBL R10, CX
	MOVL $-1, AX
	SHLL CX, AX
	KMOVW AX, K2
	VMOVUPD.Z -64(R9)(R10*8), K2, Z6
	VCOMPRESSPD Z6, K2, Z5
	JMP whole0

tinyEdgeX:
	MOVL $8, CX
	SUBL DX, CX
	MOVL $-1, AX
	SHLL CX, AX
	KMOVW AX, K2
	VMOVUPD.Z -64(SI)(DX*8), K2, Z6
	VCOMPRESSPD.Z Z6, K2, Z4
	JMP tinyY

tinyEdgeY:
	MOVL $8, CX
	SUBL DX, CX
	MOVL $-1, AX
	SHLL CX, AX
	KMOVW AX, K2
	VMOVUPD.Z -64(DI)(DX*8), K2, Z6
	VCOMPRESSPD Z6, K2, Z5
	JMP tinyProduct

// func dotF32AVX512(x, y []float32) float32
// Requires: AVX512F
//
// SI, DI: x, y; DX: elements left. Z0-Z3: the 64 lanes, all −0 at first, which
// changes no sum; Z31: −0. The rest after the last whole vector is loaded with
// +0 in x and −0 in y where there is no element, so that those products are −0.
TEXT ·dotF32AVX512(SB), NOSPLIT, $0-52
	MOVQ x_base+0(FP), SI
	MOVQ x_len+8(FP), DX
	MOVQ y_base+24(FP), DI
	VPTERNLOGD $0xff, Z31, Z31, Z31
	VPSLLD $31, Z31, Z31
	CMPQ DX, $16
	JLE tiny
	VMOVAPD Z31, Z0
	VMOVAPD Z31, Z1
	VMOVAPD Z31, Z2
	VMOVAPD Z31, Z3
	SUBQ $64, DX
	JLT tail

loop64: // a vector to each of the four groups of lanes
	VMOVUPS 0(SI), Z4
	VMOVUPS 64(SI), Z5
	VMOVUPS 128(SI), Z6
	VMOVUPS 192(SI), Z7
	VFMADD231PS 0(DI), Z4, Z0
	VFMADD231PS 64(DI), Z5, Z1
	VFMADD231PS 128(DI), Z6, Z2
	VFMADD231PS 192(DI), Z7, Z3
	ADDQ $256, SI
	ADDQ $256, DI
	SUBQ $64, DX
	JGE loop64

tail: // 64 fewer than the elements left; R10: those after the last whole vector
	ADDQ $64, DX
	JEQ sum
	VMOVAPD Z31, Z5
	VPXORQ Z4, Z4, Z4
	MOVQ DX, R10
	ANDQ $-16, DX
	ANDQ $15, R10
	JEQ whole0
	LEAQ (SI)(DX*4), R8
	LEAQ (DI)(DX*4), R9
	MOVL R10, CX
	MOVL $1, AX
	SHLL CX, AX
	DECL AX
	KMOVW AX, K1
	MOVL R8, AX
	ANDL $4095, AX
	CMPL AX, $4032
	JHI edgeX
	VMOVUPS.Z (R8), K1, Z4

restY:
	MOVL R9, AX
	ANDL $4095, AX
	CMPL AX, $4032
	JHI edgeY
	VMOVUPS (R9), K1, Z5

whole0: // up to three whole vectors, then the rest in the next group
	SUBQ $16, DX
	JLT rest0
	VMOVUPS 0(SI), Z6
	VFMADD231PS 0(DI), Z6, Z0
	SUBQ $16, DX
	JLT rest1
	VMOVUPS 64(SI), Z6
	VFMADD231PS 64(DI), Z6, Z1
	SUBQ $16, DX
	JLT rest2
	VMOVUPS 128(SI), Z6
	VFMADD231PS 128(DI), Z6, Z2
	VFMADD231PS Z5, Z4, Z3
	JMP sum

rest0:
	VFMADD231PS Z5, Z4, Z0
	JMP sum

rest1:
	VFMADD231PS Z5, Z4, Z1
	JMP sum

rest2:
	VFMADD231PS Z5, Z4, Z2

sum: // (g0+g1)+(g2+g3)
	VADDPS Z1, Z0, Z0
	VADDPS Z3, Z2, Z2
	VADDPS Z2, Z0, Z0

halve:
	VEXTRACTF64X4 $1, Z0, Y1
	VADDPS Y1, Y0, Y0
	VEXTRACTF128 $1, Y0, X1
	VADDPS X1, X0, X0
	VPERMILPD $1, X0, X1
	VADDPS X1, X0, X0
	VMOVSHDUP X0, X1
	VADDSS X1, X0, X0
	VMOVSS X0, ret+48(FP)
	VZEROUPPER
	RET

tiny: // at most 16 elements: one product a lane
	TESTQ DX, DX
	JEQ empty
	MOVL DX, CX
	MOVL $1, AX
	SHLL CX, AX
	DECL AX
	KMOVW AX, K1
	VMOVAPD Z31, Z5
	MOVL SI, AX
	ANDL $4095, AX
	CMPL AX, $4032
	JHI tinyEdgeX
	VMOVUPS.Z (SI), K1, Z4

tinyY:
	MOVL DI, AX
	ANDL $4095, AX
	CMPL AX, $4032
	JHI tinyEdgeY
	VMOVUPS (DI), K1, Z5

tinyProduct:
	VMULPS Z5, Z4, Z0
	JMP halve

empty:
	MOVL $0, ret+48(FP)
	VZEROUPPER
	RET

edgeX: // near the end of a page: load the vector that ends with the last element
	MOVL $16, CX
	SUBL R10, CX
	MOVL $-1, AX
	SHLL CX, AX
	KMOVW AX, K2
	VMOVUPS.Z -64(R8)(R10*4), K2, Z6
	VCOMPRESSPS.Z Z6, K2, Z4
	JMP restY

edgeY:
	MOVL $16, CX
	SUBL R10, CX
	MOVL $-1, AX
	SHLL CX, AX
	KMOVW AX, K2
	VMOVUPS.Z -64(R9)(R10*4), K2, Z6
	VCOMPRESSPS Z6, K2, Z5
	JMP whole0

tinyEdgeX:
	MOVL $16, CX
	SUBL DX, CX
	MOVL $-1, AX
	SHLL CX, AX
	KMOVW AX, K2
	VMOVUPS.Z -64(SI)(DX*4), K2, Z6
	VCOMPRESSPS.Z Z6, K2, Z4
	JMP tinyY

tinyEdgeY:
	MOVL $16, CX
	SUBL DX, CX
	MOVL $-1, AX
	SHLL CX, AX
	KMOVW AX, K2
	VMOVUPS.Z -64(DI)(DX*4), K2, Z6
	VCOMPRESSPS Z6, K2, Z5
	JMP tinyProduct

// func axpyF64AVX512(alpha float64, x, y []float64)
// Requires: AVX512F, FMA3
//
// SI, DI: x, y; DX: elements left; Z0: alpha; BX: bytes done.
TEXT ·axpyF64AVX512(SB), NOSPLIT, $0-56
	VBROADCASTSD alpha+0(FP), Z0
	MOVQ x_base+8(FP), SI
	MOVQ y_base+32(FP), DI
	MOVQ y_len+40(FP), DX
	XORL BX, BX
	SUBQ $32, DX
	JLT tail

loop32:
	VMOVUPD 0(SI)(BX*1), Z1
	VMOVUPD 64(SI)(BX*1), Z2
	VMOVUPD 128(SI)(BX*1), Z3
	VMOVUPD 192(SI)(BX*1), Z4
	VFMADD213PD 0(DI)(BX*1), Z0, Z1
	VFMADD213PD 64(DI)(BX*1), Z0, Z2
	VFMADD213PD 128(DI)(BX*1), Z0, Z3
	VFMADD213PD 192(DI)(BX*1), Z0, Z4
	VMOVUPD Z1, 0(DI)(BX*1)
	VMOVUPD Z2, 64(DI)(BX*1)
	VMOVUPD Z3, 128(DI)(BX*1)
	VMOVUPD Z4, 192(DI)(BX*1)
	ADDQ $256, BX
	SUBQ $32, DX
	JGE loop32

tail:
	ADDQ $24, DX
	JLT rest

loop8:
	VMOVUPD (SI)(BX*1), Z1
	VFMADD213PD (DI)(BX*1), Z0, Z1
	VMOVUPD Z1, (DI)(BX*1)
	ADDQ $64, BX
	SUBQ $8, DX
	JGE loop8

rest: // fewer than 8, under a mask
	ADDQ $8, DX
	JEQ done
	ADDQ BX, SI
	ADDQ BX, DI
	MOVL DX, CX
	MOVL $1, AX
	SHLL CX, AX
	DECL AX
	MOVL SI, R9
	ANDL $4095, R9
	CMPL R9, $4032
	JHI edge
	MOVL DI, R9
	ANDL $4095, R9
	CMPL R9, $4032
	JHI edge

masked:
	KMOVW AX, K1
	VMOVUPD.Z (SI), K1, Z1
	VMOVUPD.Z (DI), K1, Z3
	VFMADD213PD Z3, Z0, Z1
	VMOVUPD Z1, K1, (DI)

done:
	VZEROUPPER
	RET

edge: // near the end of a page: one at a time
	VMOVSD (SI), X1
	VMOVSD (DI), X3
	VFMADD213SD X3, X0, X1
	VMOVSD X1, (DI)
	ADDQ $8, SI
	ADDQ $8, DI
	DECQ DX
	JNE edge
	VZEROUPPER
	RET

// func axpyF32AVX512(alpha float32, x, y []float32)
// Requires: AVX512F, FMA3
//
// SI, DI: x, y; DX: elements left; Z0: alpha; BX: bytes done.
TEXT ·axpyF32AVX512(SB), NOSPLIT, $0-56
	VBROADCASTSS alpha+0(FP), Z0
	MOVQ x_base+8(FP), SI
	MOVQ y_base+32(FP), DI
	MOVQ y_len+40(FP), DX
	XORL BX, BX
	SUBQ $64, DX
	JLT tail

loop64:
	VMOVUPS 0(SI)(BX*1), Z1
	VMOVUPS 64(SI)(BX*1), Z2
	VMOVUPS 128(SI)(BX*1), Z3
	VMOVUPS 192(SI)(BX*1), Z4
	VFMADD213PS 0(DI)(BX*1), Z0, Z1
	VFMADD213PS 64(DI)(BX*1), Z0, Z2
	VFMADD213PS 128(DI)(BX*1), Z0, Z3
	VFMADD213PS 192(DI)(BX*1), Z0, Z4
	VMOVUPS Z1, 0(DI)(BX*1)
	VMOVUPS Z2, 64(DI)(BX*1)
	VMOVUPS Z3, 128(DI)(BX*1)
	VMOVUPS Z4, 192(DI)(BX*1)
	ADDQ $256, BX
	SUBQ $64, DX
	JGE loop64

tail:
	ADDQ $48, DX
	JLT rest

loop16:
	VMOVUPS (SI)(BX*1), Z1
	VFMADD213PS (DI)(BX*1), Z0, Z1
	VMOVUPS Z1, (DI)(BX*1)
	ADDQ $64, BX
	SUBQ $16, DX
	JGE loop16

rest: // fewer than 16, under a mask
	ADDQ $16, DX
	JEQ done
	ADDQ BX, SI
	ADDQ BX, DI
	MOVL DX, CX
	MOVL $1, AX
	SHLL CX, AX
	DECL AX
	MOVL SI, R9
	ANDL $4095, R9
	CMPL R9, $4032
	JHI edge
	MOVL DI, R9
	ANDL $4095, R9
	CMPL R9, $4032
	JHI edge

masked:
	KMOVW AX, K1
	VMOVUPS.Z (SI), K1, Z1
	VMOVUPS.Z (DI), K1, Z3
	VFMADD213PS Z3, Z0, Z1
	VMOVUPS Z1, K1, (DI)

done:
	VZEROUPPER
	RET

edge: // near the end of a page: one at a time
	VMOVSS (SI), X1
	VMOVSS (DI), X3
	VFMADD213SS X3, X0, X1
	VMOVSS X1, (DI)
	ADDQ $4, SI
	ADDQ $4, DI
	DECQ DX
	JNE edge
	VZEROUPPER
	RET

// func axpyDiffF64AVX512(alpha float64, a, b, y []float64)
// Requires: AVX512F, FMA3
//
// SI, R8, DI: a, b, y; DX: elements left; Z0: alpha; BX: bytes done.
TEXT ·axpyDiffF64AVX512(SB), NOSPLIT, $0-80
	VBROADCASTSD alpha+0(FP), Z0
	MOVQ a_base+8(FP), SI
	MOVQ b_base+32(FP), R8
	MOVQ y_base+56(FP), DI
	MOVQ y_len+64(FP), DX
	XORL BX, BX
	SUBQ $32, DX
	JLT tail

loop32:
	VMOVUPD 0(SI)(BX*1), Z1
	VMOVUPD 64(SI)(BX*1), Z2
	VMOVUPD 128(SI)(BX*1), Z3
	VMOVUPD 192(SI)(BX*1), Z4
	VSUBPD 0(R8)(BX*1), Z1, Z1
	VSUBPD 64(R8)(BX*1), Z2, Z2
	VSUBPD 128(R8)(BX*1), Z3, Z3
	VSUBPD 192(R8)(BX*1), Z4, Z4
	VFMADD213PD 0(DI)(BX*1), Z0, Z1
	VFMADD213PD 64(DI)(BX*1), Z0, Z2
	VFMADD213PD 128(DI)(BX*1), Z0, Z3
	VFMADD213PD 192(DI)(BX*1), Z0, Z4
	VMOVUPD Z1, 0(DI)(BX*1)
	VMOVUPD Z2, 64(DI)(BX*1)
	VMOVUPD Z3, 128(DI)(BX*1)
	VMOVUPD Z4, 192(DI)(BX*1)
	ADDQ $256, BX
	SUBQ $32, DX
	JGE loop32

tail:
	ADDQ $24, DX
	JLT rest

loop8:
	VMOVUPD (SI)(BX*1), Z1
	VSUBPD (R8)(BX*1), Z1, Z1
	VFMADD213PD (DI)(BX*1), Z0, Z1
	VMOVUPD Z1, (DI)(BX*1)
	ADDQ $64, BX
	SUBQ $8, DX
	JGE loop8

rest: // fewer than 8, under a mask
	ADDQ $8, DX
	JEQ done
	ADDQ BX, SI
	ADDQ BX, DI
	ADDQ BX, R8
	MOVL DX, CX
	MOVL $1, AX
	SHLL CX, AX
	DECL AX
	MOVL SI, R9
	ANDL $4095, R9
	CMPL R9, $4032
	JHI edge
	MOVL DI, R9
	ANDL $4095, R9
	CMPL R9, $4032
	JHI edge
	MOVL R8, R9
	ANDL $4095, R9
	CMPL R9, $4032
	JHI edge

masked:
	KMOVW AX, K1
	VMOVUPD.Z (SI), K1, Z1
	VMOVUPD.Z (R8), K1, Z2
	VSUBPD Z2, Z1, Z1
	VMOVUPD.Z (DI), K1, Z3
	VFMADD213PD Z3, Z0, Z1
	VMOVUPD Z1, K1, (DI)

done:
	VZEROUPPER
	RET

edge: // near the end of a page: one at a time
	VMOVSD (SI), X1
	VSUBSD (R8), X1, X1
	VMOVSD (DI), X3
	VFMADD213SD X3, X0, X1
	VMOVSD X1, (DI)
	ADDQ $8, SI
	ADDQ $8, DI
	ADDQ $8, R8
	DECQ DX
	JNE edge
	VZEROUPPER
	RET

// func axpyDiffF32AVX512(alpha float32, a, b, y []float32)
// Requires: AVX512F, FMA3
//
// SI, R8, DI: a, b, y; DX: elements left; Z0: alpha; BX: bytes done.
TEXT ·axpyDiffF32AVX512(SB), NOSPLIT, $0-80
	VBROADCASTSS alpha+0(FP), Z0
	MOVQ a_base+8(FP), SI
	MOVQ b_base+32(FP), R8
	MOVQ y_base+56(FP), DI
	MOVQ y_len+64(FP), DX
	XORL BX, BX
	SUBQ $64, DX
	JLT tail

loop64:
	VMOVUPS 0(SI)(BX*1), Z1
	VMOVUPS 64(SI)(BX*1), Z2
	VMOVUPS 128(SI)(BX*1), Z3
	VMOVUPS 192(SI)(BX*1), Z4
	VSUBPS 0(R8)(BX*1), Z1, Z1
	VSUBPS 64(R8)(BX*1), Z2, Z2
	VSUBPS 128(R8)(BX*1), Z3, Z3
	VSUBPS 192(R8)(BX*1), Z4, Z4
	VFMADD213PS 0(DI)(BX*1), Z0, Z1
	VFMADD213PS 64(DI)(BX*1), Z0, Z2
	VFMADD213PS 128(DI)(BX*1), Z0, Z3
	VFMADD213PS 192(DI)(BX*1), Z0, Z4
	VMOVUPS Z1, 0(DI)(BX*1)
	VMOVUPS Z2, 64(DI)(BX*1)
	VMOVUPS Z3, 128(DI)(BX*1)
	VMOVUPS Z4, 192(DI)(BX*1)
	ADDQ $256, BX
	SUBQ $64, DX
	JGE loop64

tail:
	ADDQ $48, DX
	JLT rest

loop16:
	VMOVUPS (SI)(BX*1), Z1
	VSUBPS (R8)(BX*1), Z1, Z1
	VFMADD213PS (DI)(BX*1), Z0, Z1
	VMOVUPS Z1, (DI)(BX*1)
	ADDQ $64, BX
	SUBQ $16, DX
	JGE loop16

rest: // fewer than 16, under a mask
	ADDQ $16, DX
	JEQ done
	ADDQ BX, SI
	ADDQ BX, DI
	ADDQ BX, R8
	MOVL DX, CX
	MOVL $1, AX
	SHLL CX, AX
	DECL AX
	MOVL SI, R9
	ANDL $4095, R9
	CMPL R9, $4032
	JHI edge
	MOVL DI, R9
	ANDL $4095, R9
	CMPL R9, $4032
	JHI edge
	MOVL R8, R9
	ANDL $4095, R9
	CMPL R9, $4032
	JHI edge

masked:
	KMOVW AX, K1
	VMOVUPS.Z (SI), K1, Z1
	VMOVUPS.Z (R8), K1, Z2
	VSUBPS Z2, Z1, Z1
	VMOVUPS.Z (DI), K1, Z3
	VFMADD213PS Z3, Z0, Z1
	VMOVUPS Z1, K1, (DI)

done:
	VZEROUPPER
	RET

edge: // near the end of a page: one at a time
	VMOVSS (SI), X1
	VSUBSS (R8), X1, X1
	VMOVSS (DI), X3
	VFMADD213SS X3, X0, X1
	VMOVSS X1, (DI)
	ADDQ $4, SI
	ADDQ $4, DI
	ADDQ $4, R8
	DECQ DX
	JNE edge
	VZEROUPPER
	RET

// A column of gemv: the end of the row, or vector n-1 at off into its lanes.
#define COLUMN(n, last, op, off, x, lanes) CMPQ DX, $n; JEQ last; op off(SI), x, lanes

// The last vector, under its mask.
#define LAST(last, op, off, x, lanes) last: op off(SI), x, K1, lanes; JMP sum

// The same for float32 that are converted: whole vectors in halves, see above.
#define COLUMNWIDE(n, last, op, off, half, x, lanes) CMPQ DX, $n; JEQ last; \
	VCVTPS2PD off(SI), Y30; VCVTPS2PD half(SI), Y31; VINSERTF64X4 $1, Y31, Z30, Z30; op Z30, x, lanes
#define COLUMNMEM(n, last, op, off, half, x, lanes) CMPQ DX, $n; JEQ last; \
	VCVTPS2PD off(SI), Y30; VCVTPS2PD half(SI), Y31; VINSERTF64X4 $1, Y31, Z30, Z30; op x(R8), Z30, lanes
// Rows to come, from memory. A prefetch cannot fault, whatever it names.
#define AHEAD(off) PREFETCHT0 16384+off(SI)
#define LASTWIDE(last, op, off, x, lanes, next) last: VCVTPS2PD.Z off(SI), K1, Z30; op Z30, x, lanes; JMP next

// Vector n-1 of x, or of dst, into a register, unless it is the last one.
#define LOAD(n, last, mov, off, from, to) CMPQ DX, $n; JEQ last; mov off(from), to

// The last vector of x, which is in last, goes where it belongs.
#define LOADED(label, last, to) label: VMOVAPD last, to; JMP row

// A column of the transpose, and the loads and stores of dst at its end.
#define TCOLUMN(n, last, op, off, dst) CMPQ DX, $n; JEQ last; op off(SI), Z28, dst
#define TLAST(last, op, off, dst) last: op off(SI), Z28, K1, dst; JMP next
#define TCOLUMNWIDE(n, last, off, half, dst) CMPQ DX, $n; JEQ last; VCVTPS2PD off(SI), Y29; VCVTPS2PD half(SI), Y30; VINSERTF64X4 $1, Y30, Z29, Z29; VFMADD231PD Z29, Z28, dst
#define TLASTWIDE(last, off, dst) last: VCVTPS2PD.Z off(SI), K1, Z29; VFMADD231PD Z29, Z28, dst; JMP next
#define LOADLAST(last, mov, off, dst) last: mov off(DI), K1, dst; JMP rows
#define STORE(n, last, mov, off, dst) CMPQ DX, $n; JEQ last; mov dst, off(DI)
#define STORELAST(last, mov, off, dst) last: mov dst, K1, off(DI); JMP stored

// func gemvF64AVX512(dst, a []float64, rows, cols, stride int, x []float64)
// Requires: AVX512F, AVX512DQ
//
// For 1 to 224 columns and at least four rows. DI: dst; SI: the row; R9: its stride in bytes;
// BX: rows left; DX: vectors of a row; K1: mask of the last one. From 5 vectors, x stays in
// registers from Z4 on and the row is read in order into the lanes Z0-Z3; below, four rows
// share the sums of lanes. Z30: the last vector of x, −0 where there is no element.
TEXT ·gemvF64AVX512(SB), NOSPLIT, $0-96
	MOVQ dst_base+0(FP), DI
	MOVQ a_base+24(FP), SI
	MOVQ rows+48(FP), BX
	MOVQ cols+56(FP), DX
	MOVQ stride+64(FP), R9
	SHLQ $3, R9
	MOVQ x_base+72(FP), R8
	VPTERNLOGD $0xff, Z30, Z30, Z30
	VPSLLQ $63, Z30, Z30
	VMOVAPD Z30, Z31
	// R10: offset of the last vector in elements, CX: how many it has
	LEAQ -1(DX), R10
	ANDQ $-8, R10
	MOVQ DX, CX
	SUBQ R10, CX
	MOVL $1, AX
	SHLL CX, AX
	DECL AX
	KMOVW AX, K1
	ADDQ $7, DX
	SHRQ $3, DX
	LEAQ (R8)(R10*8), R11
	MOVL R11, R12
	ANDL $4095, R12
	CMPL R12, $4032
	JHI edge
	VMOVUPD (R11), K1, Z30

load:
	CMPQ DX, $5
	JLT fourRows
	VMOVUPD 0(R8), Z4
	VMOVUPD 64(R8), Z5
	VMOVUPD 128(R8), Z6
	VMOVUPD 192(R8), Z7
	LOAD(5, load4, VMOVUPD, 256, R8, Z8)
	LOAD(6, load5, VMOVUPD, 320, R8, Z9)
	LOAD(7, load6, VMOVUPD, 384, R8, Z10)
	LOAD(8, load7, VMOVUPD, 448, R8, Z11)
	LOAD(9, load8, VMOVUPD, 512, R8, Z12)
	LOAD(10, load9, VMOVUPD, 576, R8, Z13)
	LOAD(11, load10, VMOVUPD, 640, R8, Z14)
	LOAD(12, load11, VMOVUPD, 704, R8, Z15)
	LOAD(13, load12, VMOVUPD, 768, R8, Z16)
	LOAD(14, load13, VMOVUPD, 832, R8, Z17)
	LOAD(15, load14, VMOVUPD, 896, R8, Z18)
	LOAD(16, load15, VMOVUPD, 960, R8, Z19)
	LOAD(17, load16, VMOVUPD, 1024, R8, Z20)
	LOAD(18, load17, VMOVUPD, 1088, R8, Z21)
	LOAD(19, load18, VMOVUPD, 1152, R8, Z22)
	LOAD(20, load19, VMOVUPD, 1216, R8, Z23)
	LOAD(21, load20, VMOVUPD, 1280, R8, Z24)
	LOAD(22, load21, VMOVUPD, 1344, R8, Z25)
	LOAD(23, load22, VMOVUPD, 1408, R8, Z26)
	LOAD(24, load23, VMOVUPD, 1472, R8, Z27)
	LOAD(25, load24, VMOVUPD, 1536, R8, Z28)
	LOAD(26, load25, VMOVUPD, 1600, R8, Z29)
	VMOVAPD Z30, Z31
	LOAD(27, load26, VMOVUPD, 1664, R8, Z30)
	JMP row

	LOADED(load26, Z30, Z30)
	LOADED(load25, Z30, Z29)
	LOADED(load24, Z30, Z28)
	LOADED(load23, Z30, Z27)
	LOADED(load22, Z30, Z26)
	LOADED(load21, Z30, Z25)
	LOADED(load20, Z30, Z24)
	LOADED(load19, Z30, Z23)
	LOADED(load18, Z30, Z22)
	LOADED(load17, Z30, Z21)
	LOADED(load16, Z30, Z20)
	LOADED(load15, Z30, Z19)
	LOADED(load14, Z30, Z18)
	LOADED(load13, Z30, Z17)
	LOADED(load12, Z30, Z16)
	LOADED(load11, Z30, Z15)
	LOADED(load10, Z30, Z14)
	LOADED(load9, Z30, Z13)
	LOADED(load8, Z30, Z12)
	LOADED(load7, Z30, Z11)
	LOADED(load6, Z30, Z10)
	LOADED(load5, Z30, Z9)
	LOADED(load4, Z30, Z8)

row: // lanes of the row, whole vectors until the last
	VMULPD 0(SI), Z4, Z0
	VMULPD 64(SI), Z5, Z1
	VMULPD 128(SI), Z6, Z2
	VMULPD 192(SI), Z7, Z3
	COLUMN(5, last4, VFMADD231PD, 256, Z8, Z0)
	COLUMN(6, last5, VFMADD231PD, 320, Z9, Z1)
	COLUMN(7, last6, VFMADD231PD, 384, Z10, Z2)
	COLUMN(8, last7, VFMADD231PD, 448, Z11, Z3)
	COLUMN(9, last8, VFMADD231PD, 512, Z12, Z0)
	COLUMN(10, last9, VFMADD231PD, 576, Z13, Z1)
	COLUMN(11, last10, VFMADD231PD, 640, Z14, Z2)
	COLUMN(12, last11, VFMADD231PD, 704, Z15, Z3)
	COLUMN(13, last12, VFMADD231PD, 768, Z16, Z0)
	COLUMN(14, last13, VFMADD231PD, 832, Z17, Z1)
	COLUMN(15, last14, VFMADD231PD, 896, Z18, Z2)
	COLUMN(16, last15, VFMADD231PD, 960, Z19, Z3)
	COLUMN(17, last16, VFMADD231PD, 1024, Z20, Z0)
	COLUMN(18, last17, VFMADD231PD, 1088, Z21, Z1)
	COLUMN(19, last18, VFMADD231PD, 1152, Z22, Z2)
	COLUMN(20, last19, VFMADD231PD, 1216, Z23, Z3)
	COLUMN(21, last20, VFMADD231PD, 1280, Z24, Z0)
	COLUMN(22, last21, VFMADD231PD, 1344, Z25, Z1)
	COLUMN(23, last22, VFMADD231PD, 1408, Z26, Z2)
	COLUMN(24, last23, VFMADD231PD, 1472, Z27, Z3)
	COLUMN(25, last24, VFMADD231PD, 1536, Z28, Z0)
	COLUMN(26, last25, VFMADD231PD, 1600, Z29, Z1)
	COLUMN(27, last26, VFMADD231PD, 1664, Z30, Z2)
	VFMADD231PD 1728(SI), Z31, K1, Z3

sum: // (g0+g1)+(g2+g3), then halves
	VADDPD Z1, Z0, Z0
	VADDPD Z3, Z2, Z2
	VADDPD Z2, Z0, Z0
	VEXTRACTF64X4 $1, Z0, Y1
	VADDPD Y1, Y0, Y0
	VEXTRACTF128 $1, Y0, X1
	VADDPD X1, X0, X0
	VPERMILPD $1, X0, X1
	VADDSD X1, X0, X0
	VMOVSD X0, (DI)
	ADDQ $8, DI
	ADDQ R9, SI
	DECQ BX
	JNE row
	VZEROUPPER
	RET

	LAST(last4, VFMADD231PD, 256, Z8, Z0)
	LAST(last5, VFMADD231PD, 320, Z9, Z1)
	LAST(last6, VFMADD231PD, 384, Z10, Z2)
	LAST(last7, VFMADD231PD, 448, Z11, Z3)
	LAST(last8, VFMADD231PD, 512, Z12, Z0)
	LAST(last9, VFMADD231PD, 576, Z13, Z1)
	LAST(last10, VFMADD231PD, 640, Z14, Z2)
	LAST(last11, VFMADD231PD, 704, Z15, Z3)
	LAST(last12, VFMADD231PD, 768, Z16, Z0)
	LAST(last13, VFMADD231PD, 832, Z17, Z1)
	LAST(last14, VFMADD231PD, 896, Z18, Z2)
	LAST(last15, VFMADD231PD, 960, Z19, Z3)
	LAST(last16, VFMADD231PD, 1024, Z20, Z0)
	LAST(last17, VFMADD231PD, 1088, Z21, Z1)
	LAST(last18, VFMADD231PD, 1152, Z22, Z2)
	LAST(last19, VFMADD231PD, 1216, Z23, Z3)
	LAST(last20, VFMADD231PD, 1280, Z24, Z0)
	LAST(last21, VFMADD231PD, 1344, Z25, Z1)
	LAST(last22, VFMADD231PD, 1408, Z26, Z2)
	LAST(last23, VFMADD231PD, 1472, Z27, Z3)
	LAST(last24, VFMADD231PD, 1536, Z28, Z0)
	LAST(last25, VFMADD231PD, 1600, Z29, Z1)
	LAST(last26, VFMADD231PD, 1664, Z30, Z2)

edge: // near the end of a page: the vector that ends with the last element, moved down
	MOVQ CX, R12
	NEGQ CX
	ADDQ $8, CX
	MOVL $-1, AX
	SHLL CX, AX
	KMOVW AX, K2
	VMOVUPD.Z -64(R11)(R12*8), K2, Z0
	VCOMPRESSPD Z0, K2, Z30
	JMP load

fourRows: // Z0-Z15: the lanes of four rows; Z31: −0; R11: third stride; DX: whole vectors. The
	// last four rows may overlap those before.
	LEAQ (R9)(R9*2), R11
	DECQ DX

rows4:
	VMOVAPD Z31, Z0
	VMOVAPD Z31, Z1
	VMOVAPD Z31, Z2
	VMOVAPD Z31, Z3
	VMOVAPD Z31, Z4
	VMOVAPD Z31, Z5
	VMOVAPD Z31, Z6
	VMOVAPD Z31, Z7
	VMOVAPD Z31, Z8
	VMOVAPD Z31, Z9
	VMOVAPD Z31, Z10
	VMOVAPD Z31, Z11
	VMOVAPD Z31, Z12
	VMOVAPD Z31, Z13
	VMOVAPD Z31, Z14
	VMOVAPD Z31, Z15
	CMPQ DX, $1
	JLT end0
	VMOVUPD 0(R8), Z16
	VFMADD231PD (SI), Z16, Z0
	VFMADD231PD (SI)(R9*1), Z16, Z4
	VFMADD231PD (SI)(R9*2), Z16, Z8
	VFMADD231PD (SI)(R11*1), Z16, Z12
	CMPQ DX, $2
	JLT end1
	VMOVUPD 64(R8), Z16
	VFMADD231PD 64(SI), Z16, Z1
	VFMADD231PD 64(SI)(R9*1), Z16, Z5
	VFMADD231PD 64(SI)(R9*2), Z16, Z9
	VFMADD231PD 64(SI)(R11*1), Z16, Z13
	CMPQ DX, $3
	JLT end2
	VMOVUPD 128(R8), Z16
	VFMADD231PD 128(SI), Z16, Z2
	VFMADD231PD 128(SI)(R9*1), Z16, Z6
	VFMADD231PD 128(SI)(R9*2), Z16, Z10
	VFMADD231PD 128(SI)(R11*1), Z16, Z14
	VFMADD231PD 192(SI), Z30, K1, Z3
	VFMADD231PD 192(SI)(R9*1), Z30, K1, Z7
	VFMADD231PD 192(SI)(R9*2), Z30, K1, Z11
	VFMADD231PD 192(SI)(R11*1), Z30, K1, Z15

sum4: // as above; the halves of two rows, then the quarters of four, share a register
	VADDPD Z1, Z0, Z0
	VADDPD Z3, Z2, Z2
	VADDPD Z2, Z0, Z0
	VADDPD Z5, Z4, Z4
	VADDPD Z7, Z6, Z6
	VADDPD Z6, Z4, Z4
	VADDPD Z9, Z8, Z8
	VADDPD Z11, Z10, Z10
	VADDPD Z10, Z8, Z8
	VADDPD Z13, Z12, Z12
	VADDPD Z15, Z14, Z14
	VADDPD Z14, Z12, Z12
	VSHUFF64X2 $0x44, Z4, Z0, Z1 // lower halves of rows 0 and 1
	VSHUFF64X2 $0xee, Z4, Z0, Z2 // upper halves
	VADDPD Z2, Z1, Z0
	VSHUFF64X2 $0x44, Z12, Z8, Z1
	VSHUFF64X2 $0xee, Z12, Z8, Z2
	VADDPD Z2, Z1, Z8
	VSHUFF64X2 $0x88, Z8, Z0, Z1 // lower quarters of all four
	VSHUFF64X2 $0xdd, Z8, Z0, Z2 // upper quarters
	VADDPD Z2, Z1, Z0
	VPERMILPD $0x55, Z0, Z1
	VADDPD Z1, Z0, Z0
	// the sum of row r stands first in quarter r
	VEXTRACTF32X4 $1, Z0, X1
	VEXTRACTF32X4 $2, Z0, X2
	VEXTRACTF32X4 $3, Z0, X3
	VMOVSD X0, (DI)
	VMOVSD X1, 8(DI)
	VMOVSD X2, 16(DI)
	VMOVSD X3, 24(DI)
	SUBQ $4, BX
	JEQ done
	ADDQ $32, DI
	LEAQ (SI)(R9*4), SI
	CMPQ BX, $4
	JGE rows4
	// step back so that four rows are left
	LEAQ -4(BX), AX
	LEAQ (DI)(AX*8), DI
	IMULQ R9, AX
	ADDQ AX, SI
	MOVL $4, BX
	JMP rows4

done:
	VZEROUPPER
	RET

end0:
	VFMADD231PD (SI), Z30, K1, Z0
	VFMADD231PD (SI)(R9*1), Z30, K1, Z4
	VFMADD231PD (SI)(R9*2), Z30, K1, Z8
	VFMADD231PD (SI)(R11*1), Z30, K1, Z12
	JMP sum4

end1:
	VFMADD231PD 64(SI), Z30, K1, Z1
	VFMADD231PD 64(SI)(R9*1), Z30, K1, Z5
	VFMADD231PD 64(SI)(R9*2), Z30, K1, Z9
	VFMADD231PD 64(SI)(R11*1), Z30, K1, Z13
	JMP sum4

end2:
	VFMADD231PD 128(SI), Z30, K1, Z2
	VFMADD231PD 128(SI)(R9*1), Z30, K1, Z6
	VFMADD231PD 128(SI)(R9*2), Z30, K1, Z10
	VFMADD231PD 128(SI)(R11*1), Z30, K1, Z14
	JMP sum4

// func gemvF32AVX512(dst, a []float32, rows, cols, stride int, x []float32)
// Requires: AVX512F, AVX512DQ
//
// For 1 to 448 columns and at least four rows. DI: dst; SI: the row; R9: its stride in bytes;
// BX: rows left; DX: vectors of a row; K1: mask of the last one. From 5 vectors, x stays in
// registers from Z4 on and the row is read in order into the lanes Z0-Z3; below, four rows
// share the sums of lanes. Z30: the last vector of x, −0 where there is no element.
TEXT ·gemvF32AVX512(SB), NOSPLIT, $0-96
	MOVQ dst_base+0(FP), DI
	MOVQ a_base+24(FP), SI
	MOVQ rows+48(FP), BX
	MOVQ cols+56(FP), DX
	MOVQ stride+64(FP), R9
	SHLQ $2, R9
	MOVQ x_base+72(FP), R8
	VPTERNLOGD $0xff, Z30, Z30, Z30
	VPSLLD $31, Z30, Z30
	VMOVAPD Z30, Z31
	// R10: offset of the last vector in elements, CX: how many it has
	LEAQ -1(DX), R10
	ANDQ $-16, R10
	MOVQ DX, CX
	SUBQ R10, CX
	MOVL $1, AX
	SHLL CX, AX
	DECL AX
	KMOVW AX, K1
	ADDQ $15, DX
	SHRQ $4, DX
	LEAQ (R8)(R10*4), R11
	MOVL R11, R12
	ANDL $4095, R12
	CMPL R12, $4032
	JHI edge
	VMOVUPS (R11), K1, Z30

load:
	CMPQ DX, $5
	JLT fourRows
	VMOVUPS 0(R8), Z4
	VMOVUPS 64(R8), Z5
	VMOVUPS 128(R8), Z6
	VMOVUPS 192(R8), Z7
	LOAD(5, load4, VMOVUPS, 256, R8, Z8)
	LOAD(6, load5, VMOVUPS, 320, R8, Z9)
	LOAD(7, load6, VMOVUPS, 384, R8, Z10)
	LOAD(8, load7, VMOVUPS, 448, R8, Z11)
	LOAD(9, load8, VMOVUPS, 512, R8, Z12)
	LOAD(10, load9, VMOVUPS, 576, R8, Z13)
	LOAD(11, load10, VMOVUPS, 640, R8, Z14)
	LOAD(12, load11, VMOVUPS, 704, R8, Z15)
	LOAD(13, load12, VMOVUPS, 768, R8, Z16)
	LOAD(14, load13, VMOVUPS, 832, R8, Z17)
	LOAD(15, load14, VMOVUPS, 896, R8, Z18)
	LOAD(16, load15, VMOVUPS, 960, R8, Z19)
	LOAD(17, load16, VMOVUPS, 1024, R8, Z20)
	LOAD(18, load17, VMOVUPS, 1088, R8, Z21)
	LOAD(19, load18, VMOVUPS, 1152, R8, Z22)
	LOAD(20, load19, VMOVUPS, 1216, R8, Z23)
	LOAD(21, load20, VMOVUPS, 1280, R8, Z24)
	LOAD(22, load21, VMOVUPS, 1344, R8, Z25)
	LOAD(23, load22, VMOVUPS, 1408, R8, Z26)
	LOAD(24, load23, VMOVUPS, 1472, R8, Z27)
	LOAD(25, load24, VMOVUPS, 1536, R8, Z28)
	LOAD(26, load25, VMOVUPS, 1600, R8, Z29)
	VMOVAPD Z30, Z31
	LOAD(27, load26, VMOVUPS, 1664, R8, Z30)
	JMP row

	LOADED(load26, Z30, Z30)
	LOADED(load25, Z30, Z29)
	LOADED(load24, Z30, Z28)
	LOADED(load23, Z30, Z27)
	LOADED(load22, Z30, Z26)
	LOADED(load21, Z30, Z25)
	LOADED(load20, Z30, Z24)
	LOADED(load19, Z30, Z23)
	LOADED(load18, Z30, Z22)
	LOADED(load17, Z30, Z21)
	LOADED(load16, Z30, Z20)
	LOADED(load15, Z30, Z19)
	LOADED(load14, Z30, Z18)
	LOADED(load13, Z30, Z17)
	LOADED(load12, Z30, Z16)
	LOADED(load11, Z30, Z15)
	LOADED(load10, Z30, Z14)
	LOADED(load9, Z30, Z13)
	LOADED(load8, Z30, Z12)
	LOADED(load7, Z30, Z11)
	LOADED(load6, Z30, Z10)
	LOADED(load5, Z30, Z9)
	LOADED(load4, Z30, Z8)

row: // lanes of the row, whole vectors until the last
	VMULPS 0(SI), Z4, Z0
	VMULPS 64(SI), Z5, Z1
	VMULPS 128(SI), Z6, Z2
	VMULPS 192(SI), Z7, Z3
	COLUMN(5, last4, VFMADD231PS, 256, Z8, Z0)
	COLUMN(6, last5, VFMADD231PS, 320, Z9, Z1)
	COLUMN(7, last6, VFMADD231PS, 384, Z10, Z2)
	COLUMN(8, last7, VFMADD231PS, 448, Z11, Z3)
	COLUMN(9, last8, VFMADD231PS, 512, Z12, Z0)
	COLUMN(10, last9, VFMADD231PS, 576, Z13, Z1)
	COLUMN(11, last10, VFMADD231PS, 640, Z14, Z2)
	COLUMN(12, last11, VFMADD231PS, 704, Z15, Z3)
	COLUMN(13, last12, VFMADD231PS, 768, Z16, Z0)
	COLUMN(14, last13, VFMADD231PS, 832, Z17, Z1)
	COLUMN(15, last14, VFMADD231PS, 896, Z18, Z2)
	COLUMN(16, last15, VFMADD231PS, 960, Z19, Z3)
	COLUMN(17, last16, VFMADD231PS, 1024, Z20, Z0)
	COLUMN(18, last17, VFMADD231PS, 1088, Z21, Z1)
	COLUMN(19, last18, VFMADD231PS, 1152, Z22, Z2)
	COLUMN(20, last19, VFMADD231PS, 1216, Z23, Z3)
	COLUMN(21, last20, VFMADD231PS, 1280, Z24, Z0)
	COLUMN(22, last21, VFMADD231PS, 1344, Z25, Z1)
	COLUMN(23, last22, VFMADD231PS, 1408, Z26, Z2)
	COLUMN(24, last23, VFMADD231PS, 1472, Z27, Z3)
	COLUMN(25, last24, VFMADD231PS, 1536, Z28, Z0)
	COLUMN(26, last25, VFMADD231PS, 1600, Z29, Z1)
	COLUMN(27, last26, VFMADD231PS, 1664, Z30, Z2)
	VFMADD231PS 1728(SI), Z31, K1, Z3

sum: // (g0+g1)+(g2+g3), then halves
	VADDPS Z1, Z0, Z0
	VADDPS Z3, Z2, Z2
	VADDPS Z2, Z0, Z0
	VEXTRACTF64X4 $1, Z0, Y1
	VADDPS Y1, Y0, Y0
	VEXTRACTF128 $1, Y0, X1
	VADDPS X1, X0, X0
	VPERMILPD $1, X0, X1
	VADDPS X1, X0, X0
	VMOVSHDUP X0, X1
	VADDSS X1, X0, X0
	VMOVSS X0, (DI)
	ADDQ $4, DI
	ADDQ R9, SI
	DECQ BX
	JNE row
	VZEROUPPER
	RET

	LAST(last4, VFMADD231PS, 256, Z8, Z0)
	LAST(last5, VFMADD231PS, 320, Z9, Z1)
	LAST(last6, VFMADD231PS, 384, Z10, Z2)
	LAST(last7, VFMADD231PS, 448, Z11, Z3)
	LAST(last8, VFMADD231PS, 512, Z12, Z0)
	LAST(last9, VFMADD231PS, 576, Z13, Z1)
	LAST(last10, VFMADD231PS, 640, Z14, Z2)
	LAST(last11, VFMADD231PS, 704, Z15, Z3)
	LAST(last12, VFMADD231PS, 768, Z16, Z0)
	LAST(last13, VFMADD231PS, 832, Z17, Z1)
	LAST(last14, VFMADD231PS, 896, Z18, Z2)
	LAST(last15, VFMADD231PS, 960, Z19, Z3)
	LAST(last16, VFMADD231PS, 1024, Z20, Z0)
	LAST(last17, VFMADD231PS, 1088, Z21, Z1)
	LAST(last18, VFMADD231PS, 1152, Z22, Z2)
	LAST(last19, VFMADD231PS, 1216, Z23, Z3)
	LAST(last20, VFMADD231PS, 1280, Z24, Z0)
	LAST(last21, VFMADD231PS, 1344, Z25, Z1)
	LAST(last22, VFMADD231PS, 1408, Z26, Z2)
	LAST(last23, VFMADD231PS, 1472, Z27, Z3)
	LAST(last24, VFMADD231PS, 1536, Z28, Z0)
	LAST(last25, VFMADD231PS, 1600, Z29, Z1)
	LAST(last26, VFMADD231PS, 1664, Z30, Z2)

edge: // near the end of a page: the vector that ends with the last element, moved down
	MOVQ CX, R12
	NEGQ CX
	ADDQ $16, CX
	MOVL $-1, AX
	SHLL CX, AX
	KMOVW AX, K2
	VMOVUPS.Z -64(R11)(R12*4), K2, Z0
	VCOMPRESSPS Z0, K2, Z30
	JMP load

fourRows: // Z0-Z15: the lanes of four rows; Z31: −0; R11: third stride; DX: whole vectors. The
	// last four rows may overlap those before.
	LEAQ (R9)(R9*2), R11
	DECQ DX

rows4:
	VMOVAPD Z31, Z0
	VMOVAPD Z31, Z1
	VMOVAPD Z31, Z2
	VMOVAPD Z31, Z3
	VMOVAPD Z31, Z4
	VMOVAPD Z31, Z5
	VMOVAPD Z31, Z6
	VMOVAPD Z31, Z7
	VMOVAPD Z31, Z8
	VMOVAPD Z31, Z9
	VMOVAPD Z31, Z10
	VMOVAPD Z31, Z11
	VMOVAPD Z31, Z12
	VMOVAPD Z31, Z13
	VMOVAPD Z31, Z14
	VMOVAPD Z31, Z15
	CMPQ DX, $1
	JLT end0
	VMOVUPS 0(R8), Z16
	VFMADD231PS (SI), Z16, Z0
	VFMADD231PS (SI)(R9*1), Z16, Z4
	VFMADD231PS (SI)(R9*2), Z16, Z8
	VFMADD231PS (SI)(R11*1), Z16, Z12
	CMPQ DX, $2
	JLT end1
	VMOVUPS 64(R8), Z16
	VFMADD231PS 64(SI), Z16, Z1
	VFMADD231PS 64(SI)(R9*1), Z16, Z5
	VFMADD231PS 64(SI)(R9*2), Z16, Z9
	VFMADD231PS 64(SI)(R11*1), Z16, Z13
	CMPQ DX, $3
	JLT end2
	VMOVUPS 128(R8), Z16
	VFMADD231PS 128(SI), Z16, Z2
	VFMADD231PS 128(SI)(R9*1), Z16, Z6
	VFMADD231PS 128(SI)(R9*2), Z16, Z10
	VFMADD231PS 128(SI)(R11*1), Z16, Z14
	VFMADD231PS 192(SI), Z30, K1, Z3
	VFMADD231PS 192(SI)(R9*1), Z30, K1, Z7
	VFMADD231PS 192(SI)(R9*2), Z30, K1, Z11
	VFMADD231PS 192(SI)(R11*1), Z30, K1, Z15

sum4: // as above; the halves of two rows, then the quarters of four, share a register
	VADDPS Z1, Z0, Z0
	VADDPS Z3, Z2, Z2
	VADDPS Z2, Z0, Z0
	VADDPS Z5, Z4, Z4
	VADDPS Z7, Z6, Z6
	VADDPS Z6, Z4, Z4
	VADDPS Z9, Z8, Z8
	VADDPS Z11, Z10, Z10
	VADDPS Z10, Z8, Z8
	VADDPS Z13, Z12, Z12
	VADDPS Z15, Z14, Z14
	VADDPS Z14, Z12, Z12
	VSHUFF64X2 $0x44, Z4, Z0, Z1 // lower halves of rows 0 and 1
	VSHUFF64X2 $0xee, Z4, Z0, Z2 // upper halves
	VADDPS Z2, Z1, Z0
	VSHUFF64X2 $0x44, Z12, Z8, Z1
	VSHUFF64X2 $0xee, Z12, Z8, Z2
	VADDPS Z2, Z1, Z8
	VSHUFF64X2 $0x88, Z8, Z0, Z1 // lower quarters of all four
	VSHUFF64X2 $0xdd, Z8, Z0, Z2 // upper quarters
	VADDPS Z2, Z1, Z0
	VPERMILPD $0x55, Z0, Z1
	VADDPS Z1, Z0, Z0
	VMOVSHDUP Z0, Z1
	VADDPS Z1, Z0, Z0
	// the sum of row r stands first in quarter r
	VEXTRACTF32X4 $1, Z0, X1
	VEXTRACTF32X4 $2, Z0, X2
	VEXTRACTF32X4 $3, Z0, X3
	VMOVSS X0, (DI)
	VMOVSS X1, 4(DI)
	VMOVSS X2, 8(DI)
	VMOVSS X3, 12(DI)
	SUBQ $4, BX
	JEQ done
	ADDQ $16, DI
	LEAQ (SI)(R9*4), SI
	CMPQ BX, $4
	JGE rows4
	// step back so that four rows are left
	LEAQ -4(BX), AX
	LEAQ (DI)(AX*4), DI
	IMULQ R9, AX
	ADDQ AX, SI
	MOVL $4, BX
	JMP rows4

done:
	VZEROUPPER
	RET

end0:
	VFMADD231PS (SI), Z30, K1, Z0
	VFMADD231PS (SI)(R9*1), Z30, K1, Z4
	VFMADD231PS (SI)(R9*2), Z30, K1, Z8
	VFMADD231PS (SI)(R11*1), Z30, K1, Z12
	JMP sum4

end1:
	VFMADD231PS 64(SI), Z30, K1, Z1
	VFMADD231PS 64(SI)(R9*1), Z30, K1, Z5
	VFMADD231PS 64(SI)(R9*2), Z30, K1, Z9
	VFMADD231PS 64(SI)(R11*1), Z30, K1, Z13
	JMP sum4

end2:
	VFMADD231PS 128(SI), Z30, K1, Z2
	VFMADD231PS 128(SI)(R9*1), Z30, K1, Z6
	VFMADD231PS 128(SI)(R9*2), Z30, K1, Z10
	VFMADD231PS 128(SI)(R11*1), Z30, K1, Z14
	JMP sum4

// func gemvF32WideAVX512(dst []float64, a []float32, rows, cols, stride int, x []float64)
// Requires: AVX512F, AVX512DQ
//
// For 1 to 256 columns and at least four rows. DI: dst; SI: the row; R9: its stride in bytes;
// BX: rows left; DX: vectors of a row; K1: mask of the last one. From 5 vectors, 25 of x stays in
// registers from Z4 on and the row is read in order into the lanes Z0-Z3; below, four rows
// share the sums of lanes. Z29: the last vector of x, −0 where there is no element.
TEXT ·gemvF32WideAVX512(SB), NOSPLIT, $0-96
	MOVQ dst_base+0(FP), DI
	MOVQ a_base+24(FP), SI
	MOVQ rows+48(FP), BX
	MOVQ cols+56(FP), DX
	MOVQ stride+64(FP), R9
	SHLQ $2, R9
	MOVQ x_base+72(FP), R8
	VPTERNLOGD $0xff, Z29, Z29, Z29
	VPSLLQ $63, Z29, Z29
	VMOVAPD Z29, Z31
	// R10: offset of the last vector in elements, CX: how many it has
	LEAQ -1(DX), R10
	ANDQ $-8, R10
	MOVQ DX, CX
	SUBQ R10, CX
	MOVL $1, AX
	SHLL CX, AX
	DECL AX
	KMOVW AX, K1
	ADDQ $7, DX
	SHRQ $3, DX
	LEAQ (R8)(R10*8), R11
	MOVL R11, R12
	ANDL $4095, R12
	CMPL R12, $4032
	JHI edge
	VMOVUPD (R11), K1, Z29

load:
	CMPQ DX, $5
	JLT fourRows
	VMOVUPD 0(R8), Z4
	VMOVUPD 64(R8), Z5
	VMOVUPD 128(R8), Z6
	VMOVUPD 192(R8), Z7
	LOAD(5, load4, VMOVUPD, 256, R8, Z8)
	LOAD(6, load5, VMOVUPD, 320, R8, Z9)
	LOAD(7, load6, VMOVUPD, 384, R8, Z10)
	LOAD(8, load7, VMOVUPD, 448, R8, Z11)
	LOAD(9, load8, VMOVUPD, 512, R8, Z12)
	LOAD(10, load9, VMOVUPD, 576, R8, Z13)
	LOAD(11, load10, VMOVUPD, 640, R8, Z14)
	LOAD(12, load11, VMOVUPD, 704, R8, Z15)
	LOAD(13, load12, VMOVUPD, 768, R8, Z16)
	LOAD(14, load13, VMOVUPD, 832, R8, Z17)
	LOAD(15, load14, VMOVUPD, 896, R8, Z18)
	LOAD(16, load15, VMOVUPD, 960, R8, Z19)
	LOAD(17, load16, VMOVUPD, 1024, R8, Z20)
	LOAD(18, load17, VMOVUPD, 1088, R8, Z21)
	LOAD(19, load18, VMOVUPD, 1152, R8, Z22)
	LOAD(20, load19, VMOVUPD, 1216, R8, Z23)
	LOAD(21, load20, VMOVUPD, 1280, R8, Z24)
	LOAD(22, load21, VMOVUPD, 1344, R8, Z25)
	LOAD(23, load22, VMOVUPD, 1408, R8, Z26)
	LOAD(24, load23, VMOVUPD, 1472, R8, Z27)
	LOAD(25, load24, VMOVUPD, 1536, R8, Z28)
	JMP row

	LOADED(load24, Z29, Z28)
	LOADED(load23, Z29, Z27)
	LOADED(load22, Z29, Z26)
	LOADED(load21, Z29, Z25)
	LOADED(load20, Z29, Z24)
	LOADED(load19, Z29, Z23)
	LOADED(load18, Z29, Z22)
	LOADED(load17, Z29, Z21)
	LOADED(load16, Z29, Z20)
	LOADED(load15, Z29, Z19)
	LOADED(load14, Z29, Z18)
	LOADED(load13, Z29, Z17)
	LOADED(load12, Z29, Z16)
	LOADED(load11, Z29, Z15)
	LOADED(load10, Z29, Z14)
	LOADED(load9, Z29, Z13)
	LOADED(load8, Z29, Z12)
	LOADED(load7, Z29, Z11)
	LOADED(load6, Z29, Z10)
	LOADED(load5, Z29, Z9)
	LOADED(load4, Z29, Z8)

row: // lanes of the row, whole vectors until the last
	AHEAD(0)
	AHEAD(64)
	VCVTPS2PD 0(SI), Y30
	VCVTPS2PD 16(SI), Y31
	VINSERTF64X4 $1, Y31, Z30, Z30
	VMULPD Z30, Z4, Z0
	VCVTPS2PD 32(SI), Y30
	VCVTPS2PD 48(SI), Y31
	VINSERTF64X4 $1, Y31, Z30, Z30
	VMULPD Z30, Z5, Z1
	VCVTPS2PD 64(SI), Y30
	VCVTPS2PD 80(SI), Y31
	VINSERTF64X4 $1, Y31, Z30, Z30
	VMULPD Z30, Z6, Z2
	VCVTPS2PD 96(SI), Y30
	VCVTPS2PD 112(SI), Y31
	VINSERTF64X4 $1, Y31, Z30, Z30
	VMULPD Z30, Z7, Z3
	AHEAD(128)
	COLUMNWIDE(5, last4, VFMADD231PD, 128, 144, Z8, Z0)
	COLUMNWIDE(6, last5, VFMADD231PD, 160, 176, Z9, Z1)
	AHEAD(192)
	COLUMNWIDE(7, last6, VFMADD231PD, 192, 208, Z10, Z2)
	COLUMNWIDE(8, last7, VFMADD231PD, 224, 240, Z11, Z3)
	AHEAD(256)
	COLUMNWIDE(9, last8, VFMADD231PD, 256, 272, Z12, Z0)
	COLUMNWIDE(10, last9, VFMADD231PD, 288, 304, Z13, Z1)
	AHEAD(320)
	COLUMNWIDE(11, last10, VFMADD231PD, 320, 336, Z14, Z2)
	COLUMNWIDE(12, last11, VFMADD231PD, 352, 368, Z15, Z3)
	AHEAD(384)
	COLUMNWIDE(13, last12, VFMADD231PD, 384, 400, Z16, Z0)
	COLUMNWIDE(14, last13, VFMADD231PD, 416, 432, Z17, Z1)
	AHEAD(448)
	COLUMNWIDE(15, last14, VFMADD231PD, 448, 464, Z18, Z2)
	COLUMNWIDE(16, last15, VFMADD231PD, 480, 496, Z19, Z3)
	AHEAD(512)
	COLUMNWIDE(17, last16, VFMADD231PD, 512, 528, Z20, Z0)
	COLUMNWIDE(18, last17, VFMADD231PD, 544, 560, Z21, Z1)
	AHEAD(576)
	COLUMNWIDE(19, last18, VFMADD231PD, 576, 592, Z22, Z2)
	COLUMNWIDE(20, last19, VFMADD231PD, 608, 624, Z23, Z3)
	AHEAD(640)
	COLUMNWIDE(21, last20, VFMADD231PD, 640, 656, Z24, Z0)
	COLUMNWIDE(22, last21, VFMADD231PD, 672, 688, Z25, Z1)
	AHEAD(704)
	COLUMNWIDE(23, last22, VFMADD231PD, 704, 720, Z26, Z2)
	COLUMNWIDE(24, last23, VFMADD231PD, 736, 752, Z27, Z3)
	AHEAD(768)
	COLUMNWIDE(25, last24, VFMADD231PD, 768, 784, Z28, Z0)
	COLUMNMEM(26, last25, VFMADD231PD, 800, 816, 1600, Z1)
	AHEAD(832)
	COLUMNMEM(27, last26, VFMADD231PD, 832, 848, 1664, Z2)
	COLUMNMEM(28, last27, VFMADD231PD, 864, 880, 1728, Z3)
	AHEAD(896)
	COLUMNMEM(29, last28, VFMADD231PD, 896, 912, 1792, Z0)
	COLUMNMEM(30, last29, VFMADD231PD, 928, 944, 1856, Z1)
	AHEAD(960)
	COLUMNMEM(31, last30, VFMADD231PD, 960, 976, 1920, Z2)
	VCVTPS2PD.Z 992(SI), K1, Z30
	VFMADD231PD Z30, Z29, Z3

sum: // (g0+g1)+(g2+g3), then halves
	VADDPD Z1, Z0, Z0
	VADDPD Z3, Z2, Z2
	VADDPD Z2, Z0, Z0
	VEXTRACTF64X4 $1, Z0, Y1
	VADDPD Y1, Y0, Y0
	VEXTRACTF128 $1, Y0, X1
	VADDPD X1, X0, X0
	VPERMILPD $1, X0, X1
	VADDSD X1, X0, X0
	VMOVSD X0, (DI)
	ADDQ $8, DI
	ADDQ R9, SI
	DECQ BX
	JNE row
	VZEROUPPER
	RET

	LASTWIDE(last4, VFMADD231PD, 128, Z8, Z0, sum)
	LASTWIDE(last5, VFMADD231PD, 160, Z9, Z1, sum)
	LASTWIDE(last6, VFMADD231PD, 192, Z10, Z2, sum)
	LASTWIDE(last7, VFMADD231PD, 224, Z11, Z3, sum)
	LASTWIDE(last8, VFMADD231PD, 256, Z12, Z0, sum)
	LASTWIDE(last9, VFMADD231PD, 288, Z13, Z1, sum)
	LASTWIDE(last10, VFMADD231PD, 320, Z14, Z2, sum)
	LASTWIDE(last11, VFMADD231PD, 352, Z15, Z3, sum)
	LASTWIDE(last12, VFMADD231PD, 384, Z16, Z0, sum)
	LASTWIDE(last13, VFMADD231PD, 416, Z17, Z1, sum)
	LASTWIDE(last14, VFMADD231PD, 448, Z18, Z2, sum)
	LASTWIDE(last15, VFMADD231PD, 480, Z19, Z3, sum)
	LASTWIDE(last16, VFMADD231PD, 512, Z20, Z0, sum)
	LASTWIDE(last17, VFMADD231PD, 544, Z21, Z1, sum)
	LASTWIDE(last18, VFMADD231PD, 576, Z22, Z2, sum)
	LASTWIDE(last19, VFMADD231PD, 608, Z23, Z3, sum)
	LASTWIDE(last20, VFMADD231PD, 640, Z24, Z0, sum)
	LASTWIDE(last21, VFMADD231PD, 672, Z25, Z1, sum)
	LASTWIDE(last22, VFMADD231PD, 704, Z26, Z2, sum)
	LASTWIDE(last23, VFMADD231PD, 736, Z27, Z3, sum)
	LASTWIDE(last24, VFMADD231PD, 768, Z28, Z0, sum)
	LASTWIDE(last25, VFMADD231PD, 800, Z29, Z1, sum)
	LASTWIDE(last26, VFMADD231PD, 832, Z29, Z2, sum)
	LASTWIDE(last27, VFMADD231PD, 864, Z29, Z3, sum)
	LASTWIDE(last28, VFMADD231PD, 896, Z29, Z0, sum)
	LASTWIDE(last29, VFMADD231PD, 928, Z29, Z1, sum)
	LASTWIDE(last30, VFMADD231PD, 960, Z29, Z2, sum)

edge: // near the end of a page: the vector that ends with the last element, moved down
	MOVQ CX, R12
	NEGQ CX
	ADDQ $8, CX
	MOVL $-1, AX
	SHLL CX, AX
	KMOVW AX, K2
	VMOVUPD.Z -64(R11)(R12*8), K2, Z0
	VCOMPRESSPD Z0, K2, Z29
	JMP load

fourRows: // Z0-Z15: the lanes of four rows; Z31: −0; R11: third stride; DX: whole vectors. The
	// last four rows may overlap those before.
	LEAQ (R9)(R9*2), R11
	DECQ DX

rows4:
	VMOVAPD Z31, Z0
	VMOVAPD Z31, Z1
	VMOVAPD Z31, Z2
	VMOVAPD Z31, Z3
	VMOVAPD Z31, Z4
	VMOVAPD Z31, Z5
	VMOVAPD Z31, Z6
	VMOVAPD Z31, Z7
	VMOVAPD Z31, Z8
	VMOVAPD Z31, Z9
	VMOVAPD Z31, Z10
	VMOVAPD Z31, Z11
	VMOVAPD Z31, Z12
	VMOVAPD Z31, Z13
	VMOVAPD Z31, Z14
	VMOVAPD Z31, Z15
	CMPQ DX, $1
	JLT end0
	VMOVUPD 0(R8), Z16
	VCVTPS2PD (SI), Z20
	VFMADD231PD Z20, Z16, Z0
	VCVTPS2PD (SI)(R9*1), Z21
	VFMADD231PD Z21, Z16, Z4
	VCVTPS2PD (SI)(R9*2), Z22
	VFMADD231PD Z22, Z16, Z8
	VCVTPS2PD (SI)(R11*1), Z23
	VFMADD231PD Z23, Z16, Z12
	CMPQ DX, $2
	JLT end1
	VMOVUPD 64(R8), Z16
	VCVTPS2PD 32(SI), Z20
	VFMADD231PD Z20, Z16, Z1
	VCVTPS2PD 32(SI)(R9*1), Z21
	VFMADD231PD Z21, Z16, Z5
	VCVTPS2PD 32(SI)(R9*2), Z22
	VFMADD231PD Z22, Z16, Z9
	VCVTPS2PD 32(SI)(R11*1), Z23
	VFMADD231PD Z23, Z16, Z13
	CMPQ DX, $3
	JLT end2
	VMOVUPD 128(R8), Z16
	VCVTPS2PD 64(SI), Z20
	VFMADD231PD Z20, Z16, Z2
	VCVTPS2PD 64(SI)(R9*1), Z21
	VFMADD231PD Z21, Z16, Z6
	VCVTPS2PD 64(SI)(R9*2), Z22
	VFMADD231PD Z22, Z16, Z10
	VCVTPS2PD 64(SI)(R11*1), Z23
	VFMADD231PD Z23, Z16, Z14
	VCVTPS2PD.Z 96(SI), K1, Z20
	VFMADD231PD Z20, Z29, Z3
	VCVTPS2PD.Z 96(SI)(R9*1), K1, Z21
	VFMADD231PD Z21, Z29, Z7
	VCVTPS2PD.Z 96(SI)(R9*2), K1, Z22
	VFMADD231PD Z22, Z29, Z11
	VCVTPS2PD.Z 96(SI)(R11*1), K1, Z23
	VFMADD231PD Z23, Z29, Z15

sum4: // as above; the halves of two rows, then the quarters of four, share a register
	VADDPD Z1, Z0, Z0
	VADDPD Z3, Z2, Z2
	VADDPD Z2, Z0, Z0
	VADDPD Z5, Z4, Z4
	VADDPD Z7, Z6, Z6
	VADDPD Z6, Z4, Z4
	VADDPD Z9, Z8, Z8
	VADDPD Z11, Z10, Z10
	VADDPD Z10, Z8, Z8
	VADDPD Z13, Z12, Z12
	VADDPD Z15, Z14, Z14
	VADDPD Z14, Z12, Z12
	VSHUFF64X2 $0x44, Z4, Z0, Z1 // lower halves of rows 0 and 1
	VSHUFF64X2 $0xee, Z4, Z0, Z2 // upper halves
	VADDPD Z2, Z1, Z0
	VSHUFF64X2 $0x44, Z12, Z8, Z1
	VSHUFF64X2 $0xee, Z12, Z8, Z2
	VADDPD Z2, Z1, Z8
	VSHUFF64X2 $0x88, Z8, Z0, Z1 // lower quarters of all four
	VSHUFF64X2 $0xdd, Z8, Z0, Z2 // upper quarters
	VADDPD Z2, Z1, Z0
	VPERMILPD $0x55, Z0, Z1
	VADDPD Z1, Z0, Z0
	// the sum of row r stands first in quarter r
	VEXTRACTF32X4 $1, Z0, X1
	VEXTRACTF32X4 $2, Z0, X2
	VEXTRACTF32X4 $3, Z0, X3
	VMOVSD X0, (DI)
	VMOVSD X1, 8(DI)
	VMOVSD X2, 16(DI)
	VMOVSD X3, 24(DI)
	SUBQ $4, BX
	JEQ done
	ADDQ $32, DI
	LEAQ (SI)(R9*4), SI
	CMPQ BX, $4
	JGE rows4
	// step back so that four rows are left
	LEAQ -4(BX), AX
	LEAQ (DI)(AX*8), DI
	IMULQ R9, AX
	ADDQ AX, SI
	MOVL $4, BX
	JMP rows4

done:
	VZEROUPPER
	RET

end0:
	VCVTPS2PD.Z (SI), K1, Z20
	VFMADD231PD Z20, Z29, Z0
	VCVTPS2PD.Z (SI)(R9*1), K1, Z21
	VFMADD231PD Z21, Z29, Z4
	VCVTPS2PD.Z (SI)(R9*2), K1, Z22
	VFMADD231PD Z22, Z29, Z8
	VCVTPS2PD.Z (SI)(R11*1), K1, Z23
	VFMADD231PD Z23, Z29, Z12
	JMP sum4

end1:
	VCVTPS2PD.Z 32(SI), K1, Z20
	VFMADD231PD Z20, Z29, Z1
	VCVTPS2PD.Z 32(SI)(R9*1), K1, Z21
	VFMADD231PD Z21, Z29, Z5
	VCVTPS2PD.Z 32(SI)(R9*2), K1, Z22
	VFMADD231PD Z22, Z29, Z9
	VCVTPS2PD.Z 32(SI)(R11*1), K1, Z23
	VFMADD231PD Z23, Z29, Z13
	JMP sum4

end2:
	VCVTPS2PD.Z 64(SI), K1, Z20
	VFMADD231PD Z20, Z29, Z2
	VCVTPS2PD.Z 64(SI)(R9*1), K1, Z21
	VFMADD231PD Z21, Z29, Z6
	VCVTPS2PD.Z 64(SI)(R9*2), K1, Z22
	VFMADD231PD Z22, Z29, Z10
	VCVTPS2PD.Z 64(SI)(R11*1), K1, Z23
	VFMADD231PD Z23, Z29, Z14
	JMP sum4

// func gemvTF64AVX512(dst, a []float64, rows, cols, stride int, c []float64)
// Requires: AVX512F
//
// For cols and rows > 0. Strips of up to 28 vectors of columns, of equal width but for the last;
// each strip of dst stays in Z0-Z27 over all rows. DI: dst; R12: the strip of the first
// row; R9: stride in bytes; R13: vectors of a strip; R10: vectors left; DX: vectors of this
// strip; K1: mask of its last vector; SI, R8, BX: row, c and rows left; Z28: c[i].
TEXT ·gemvTF64AVX512(SB), NOSPLIT, $0-96
	MOVQ dst_base+0(FP), DI
	MOVQ a_base+24(FP), R12
	MOVQ stride+64(FP), R9
	SHLQ $3, R9
	MOVQ cols+56(FP), R10
	ADDQ $7, R10
	SHRQ $3, R10
	MOVQ R10, R13
	CMPQ R10, $28
	JLE strip
	// strips = ⌈vectors/28⌉, vectors of a strip = ⌈vectors/strips⌉
	LEAQ 27(R10), AX
	XORL DX, DX
	MOVL $28, CX
	DIVQ CX
	MOVQ AX, CX
	LEAQ -1(R10)(CX*1), AX
	XORL DX, DX
	DIVQ CX
	MOVQ AX, R13

strip:
	MOVL $-1, AX
	MOVQ R13, DX
	CMPQ R10, R13
	JGT load
	MOVQ R10, DX
	// the last vector lacks CX elements
	MOVQ cols+56(FP), CX
	NEGQ CX
	ANDQ $7, CX
	MOVL $255, AX
	SHRL CX, AX

load:
	KMOVW AX, K1
	LOAD(1, load0, VMOVUPD, 0, DI, Z0)
	LOAD(2, load1, VMOVUPD, 64, DI, Z1)
	LOAD(3, load2, VMOVUPD, 128, DI, Z2)
	LOAD(4, load3, VMOVUPD, 192, DI, Z3)
	LOAD(5, load4, VMOVUPD, 256, DI, Z4)
	LOAD(6, load5, VMOVUPD, 320, DI, Z5)
	LOAD(7, load6, VMOVUPD, 384, DI, Z6)
	LOAD(8, load7, VMOVUPD, 448, DI, Z7)
	LOAD(9, load8, VMOVUPD, 512, DI, Z8)
	LOAD(10, load9, VMOVUPD, 576, DI, Z9)
	LOAD(11, load10, VMOVUPD, 640, DI, Z10)
	LOAD(12, load11, VMOVUPD, 704, DI, Z11)
	LOAD(13, load12, VMOVUPD, 768, DI, Z12)
	LOAD(14, load13, VMOVUPD, 832, DI, Z13)
	LOAD(15, load14, VMOVUPD, 896, DI, Z14)
	LOAD(16, load15, VMOVUPD, 960, DI, Z15)
	LOAD(17, load16, VMOVUPD, 1024, DI, Z16)
	LOAD(18, load17, VMOVUPD, 1088, DI, Z17)
	LOAD(19, load18, VMOVUPD, 1152, DI, Z18)
	LOAD(20, load19, VMOVUPD, 1216, DI, Z19)
	LOAD(21, load20, VMOVUPD, 1280, DI, Z20)
	LOAD(22, load21, VMOVUPD, 1344, DI, Z21)
	LOAD(23, load22, VMOVUPD, 1408, DI, Z22)
	LOAD(24, load23, VMOVUPD, 1472, DI, Z23)
	LOAD(25, load24, VMOVUPD, 1536, DI, Z24)
	LOAD(26, load25, VMOVUPD, 1600, DI, Z25)
	LOAD(27, load26, VMOVUPD, 1664, DI, Z26)
	VMOVUPD.Z 1728(DI), K1, Z27

rows:
	MOVQ R12, SI
	MOVQ c_base+72(FP), R8
	MOVQ rows+48(FP), BX

row: // dst += c[i]·row
	VBROADCASTSD (R8), Z28
	TCOLUMN(1, last0, VFMADD231PD, 0, Z0)
	TCOLUMN(2, last1, VFMADD231PD, 64, Z1)
	TCOLUMN(3, last2, VFMADD231PD, 128, Z2)
	TCOLUMN(4, last3, VFMADD231PD, 192, Z3)
	TCOLUMN(5, last4, VFMADD231PD, 256, Z4)
	TCOLUMN(6, last5, VFMADD231PD, 320, Z5)
	TCOLUMN(7, last6, VFMADD231PD, 384, Z6)
	TCOLUMN(8, last7, VFMADD231PD, 448, Z7)
	TCOLUMN(9, last8, VFMADD231PD, 512, Z8)
	TCOLUMN(10, last9, VFMADD231PD, 576, Z9)
	TCOLUMN(11, last10, VFMADD231PD, 640, Z10)
	TCOLUMN(12, last11, VFMADD231PD, 704, Z11)
	TCOLUMN(13, last12, VFMADD231PD, 768, Z12)
	TCOLUMN(14, last13, VFMADD231PD, 832, Z13)
	TCOLUMN(15, last14, VFMADD231PD, 896, Z14)
	TCOLUMN(16, last15, VFMADD231PD, 960, Z15)
	TCOLUMN(17, last16, VFMADD231PD, 1024, Z16)
	TCOLUMN(18, last17, VFMADD231PD, 1088, Z17)
	TCOLUMN(19, last18, VFMADD231PD, 1152, Z18)
	TCOLUMN(20, last19, VFMADD231PD, 1216, Z19)
	TCOLUMN(21, last20, VFMADD231PD, 1280, Z20)
	TCOLUMN(22, last21, VFMADD231PD, 1344, Z21)
	TCOLUMN(23, last22, VFMADD231PD, 1408, Z22)
	TCOLUMN(24, last23, VFMADD231PD, 1472, Z23)
	TCOLUMN(25, last24, VFMADD231PD, 1536, Z24)
	TCOLUMN(26, last25, VFMADD231PD, 1600, Z25)
	TCOLUMN(27, last26, VFMADD231PD, 1664, Z26)
	VFMADD231PD 1728(SI), Z28, K1, Z27

next:
	ADDQ $8, R8
	ADDQ R9, SI
	DECQ BX
	JNE row
	STORE(1, store0, VMOVUPD, 0, Z0)
	STORE(2, store1, VMOVUPD, 64, Z1)
	STORE(3, store2, VMOVUPD, 128, Z2)
	STORE(4, store3, VMOVUPD, 192, Z3)
	STORE(5, store4, VMOVUPD, 256, Z4)
	STORE(6, store5, VMOVUPD, 320, Z5)
	STORE(7, store6, VMOVUPD, 384, Z6)
	STORE(8, store7, VMOVUPD, 448, Z7)
	STORE(9, store8, VMOVUPD, 512, Z8)
	STORE(10, store9, VMOVUPD, 576, Z9)
	STORE(11, store10, VMOVUPD, 640, Z10)
	STORE(12, store11, VMOVUPD, 704, Z11)
	STORE(13, store12, VMOVUPD, 768, Z12)
	STORE(14, store13, VMOVUPD, 832, Z13)
	STORE(15, store14, VMOVUPD, 896, Z14)
	STORE(16, store15, VMOVUPD, 960, Z15)
	STORE(17, store16, VMOVUPD, 1024, Z16)
	STORE(18, store17, VMOVUPD, 1088, Z17)
	STORE(19, store18, VMOVUPD, 1152, Z18)
	STORE(20, store19, VMOVUPD, 1216, Z19)
	STORE(21, store20, VMOVUPD, 1280, Z20)
	STORE(22, store21, VMOVUPD, 1344, Z21)
	STORE(23, store22, VMOVUPD, 1408, Z22)
	STORE(24, store23, VMOVUPD, 1472, Z23)
	STORE(25, store24, VMOVUPD, 1536, Z24)
	STORE(26, store25, VMOVUPD, 1600, Z25)
	STORE(27, store26, VMOVUPD, 1664, Z26)
	VMOVUPD Z27, K1, 1728(DI)

stored:
	MOVQ DX, AX
	SHLQ $6, AX
	ADDQ AX, DI
	ADDQ AX, R12
	SUBQ DX, R10
	JNE strip
	VZEROUPPER
	RET

	LOADLAST(load0, VMOVUPD.Z, 0, Z0)
	LOADLAST(load1, VMOVUPD.Z, 64, Z1)
	LOADLAST(load2, VMOVUPD.Z, 128, Z2)
	LOADLAST(load3, VMOVUPD.Z, 192, Z3)
	LOADLAST(load4, VMOVUPD.Z, 256, Z4)
	LOADLAST(load5, VMOVUPD.Z, 320, Z5)
	LOADLAST(load6, VMOVUPD.Z, 384, Z6)
	LOADLAST(load7, VMOVUPD.Z, 448, Z7)
	LOADLAST(load8, VMOVUPD.Z, 512, Z8)
	LOADLAST(load9, VMOVUPD.Z, 576, Z9)
	LOADLAST(load10, VMOVUPD.Z, 640, Z10)
	LOADLAST(load11, VMOVUPD.Z, 704, Z11)
	LOADLAST(load12, VMOVUPD.Z, 768, Z12)
	LOADLAST(load13, VMOVUPD.Z, 832, Z13)
	LOADLAST(load14, VMOVUPD.Z, 896, Z14)
	LOADLAST(load15, VMOVUPD.Z, 960, Z15)
	LOADLAST(load16, VMOVUPD.Z, 1024, Z16)
	LOADLAST(load17, VMOVUPD.Z, 1088, Z17)
	LOADLAST(load18, VMOVUPD.Z, 1152, Z18)
	LOADLAST(load19, VMOVUPD.Z, 1216, Z19)
	LOADLAST(load20, VMOVUPD.Z, 1280, Z20)
	LOADLAST(load21, VMOVUPD.Z, 1344, Z21)
	LOADLAST(load22, VMOVUPD.Z, 1408, Z22)
	LOADLAST(load23, VMOVUPD.Z, 1472, Z23)
	LOADLAST(load24, VMOVUPD.Z, 1536, Z24)
	LOADLAST(load25, VMOVUPD.Z, 1600, Z25)
	LOADLAST(load26, VMOVUPD.Z, 1664, Z26)

	TLAST(last0, VFMADD231PD, 0, Z0)
	TLAST(last1, VFMADD231PD, 64, Z1)
	TLAST(last2, VFMADD231PD, 128, Z2)
	TLAST(last3, VFMADD231PD, 192, Z3)
	TLAST(last4, VFMADD231PD, 256, Z4)
	TLAST(last5, VFMADD231PD, 320, Z5)
	TLAST(last6, VFMADD231PD, 384, Z6)
	TLAST(last7, VFMADD231PD, 448, Z7)
	TLAST(last8, VFMADD231PD, 512, Z8)
	TLAST(last9, VFMADD231PD, 576, Z9)
	TLAST(last10, VFMADD231PD, 640, Z10)
	TLAST(last11, VFMADD231PD, 704, Z11)
	TLAST(last12, VFMADD231PD, 768, Z12)
	TLAST(last13, VFMADD231PD, 832, Z13)
	TLAST(last14, VFMADD231PD, 896, Z14)
	TLAST(last15, VFMADD231PD, 960, Z15)
	TLAST(last16, VFMADD231PD, 1024, Z16)
	TLAST(last17, VFMADD231PD, 1088, Z17)
	TLAST(last18, VFMADD231PD, 1152, Z18)
	TLAST(last19, VFMADD231PD, 1216, Z19)
	TLAST(last20, VFMADD231PD, 1280, Z20)
	TLAST(last21, VFMADD231PD, 1344, Z21)
	TLAST(last22, VFMADD231PD, 1408, Z22)
	TLAST(last23, VFMADD231PD, 1472, Z23)
	TLAST(last24, VFMADD231PD, 1536, Z24)
	TLAST(last25, VFMADD231PD, 1600, Z25)
	TLAST(last26, VFMADD231PD, 1664, Z26)

	STORELAST(store0, VMOVUPD, 0, Z0)
	STORELAST(store1, VMOVUPD, 64, Z1)
	STORELAST(store2, VMOVUPD, 128, Z2)
	STORELAST(store3, VMOVUPD, 192, Z3)
	STORELAST(store4, VMOVUPD, 256, Z4)
	STORELAST(store5, VMOVUPD, 320, Z5)
	STORELAST(store6, VMOVUPD, 384, Z6)
	STORELAST(store7, VMOVUPD, 448, Z7)
	STORELAST(store8, VMOVUPD, 512, Z8)
	STORELAST(store9, VMOVUPD, 576, Z9)
	STORELAST(store10, VMOVUPD, 640, Z10)
	STORELAST(store11, VMOVUPD, 704, Z11)
	STORELAST(store12, VMOVUPD, 768, Z12)
	STORELAST(store13, VMOVUPD, 832, Z13)
	STORELAST(store14, VMOVUPD, 896, Z14)
	STORELAST(store15, VMOVUPD, 960, Z15)
	STORELAST(store16, VMOVUPD, 1024, Z16)
	STORELAST(store17, VMOVUPD, 1088, Z17)
	STORELAST(store18, VMOVUPD, 1152, Z18)
	STORELAST(store19, VMOVUPD, 1216, Z19)
	STORELAST(store20, VMOVUPD, 1280, Z20)
	STORELAST(store21, VMOVUPD, 1344, Z21)
	STORELAST(store22, VMOVUPD, 1408, Z22)
	STORELAST(store23, VMOVUPD, 1472, Z23)
	STORELAST(store24, VMOVUPD, 1536, Z24)
	STORELAST(store25, VMOVUPD, 1600, Z25)
	STORELAST(store26, VMOVUPD, 1664, Z26)

// func gemvTF32AVX512(dst, a []float32, rows, cols, stride int, c []float32)
// Requires: AVX512F
//
// For cols and rows > 0. Strips of up to 28 vectors of columns, of equal width but for the last;
// each strip of dst stays in Z0-Z27 over all rows. DI: dst; R12: the strip of the first
// row; R9: stride in bytes; R13: vectors of a strip; R10: vectors left; DX: vectors of this
// strip; K1: mask of its last vector; SI, R8, BX: row, c and rows left; Z28: c[i].
TEXT ·gemvTF32AVX512(SB), NOSPLIT, $0-96
	MOVQ dst_base+0(FP), DI
	MOVQ a_base+24(FP), R12
	MOVQ stride+64(FP), R9
	SHLQ $2, R9
	MOVQ cols+56(FP), R10
	ADDQ $15, R10
	SHRQ $4, R10
	MOVQ R10, R13
	CMPQ R10, $28
	JLE strip
	// strips = ⌈vectors/28⌉, vectors of a strip = ⌈vectors/strips⌉
	LEAQ 27(R10), AX
	XORL DX, DX
	MOVL $28, CX
	DIVQ CX
	MOVQ AX, CX
	LEAQ -1(R10)(CX*1), AX
	XORL DX, DX
	DIVQ CX
	MOVQ AX, R13

strip:
	MOVL $-1, AX
	MOVQ R13, DX
	CMPQ R10, R13
	JGT load
	MOVQ R10, DX
	// the last vector lacks CX elements
	MOVQ cols+56(FP), CX
	NEGQ CX
	ANDQ $15, CX
	MOVL $65535, AX
	SHRL CX, AX

load:
	KMOVW AX, K1
	LOAD(1, load0, VMOVUPS, 0, DI, Z0)
	LOAD(2, load1, VMOVUPS, 64, DI, Z1)
	LOAD(3, load2, VMOVUPS, 128, DI, Z2)
	LOAD(4, load3, VMOVUPS, 192, DI, Z3)
	LOAD(5, load4, VMOVUPS, 256, DI, Z4)
	LOAD(6, load5, VMOVUPS, 320, DI, Z5)
	LOAD(7, load6, VMOVUPS, 384, DI, Z6)
	LOAD(8, load7, VMOVUPS, 448, DI, Z7)
	LOAD(9, load8, VMOVUPS, 512, DI, Z8)
	LOAD(10, load9, VMOVUPS, 576, DI, Z9)
	LOAD(11, load10, VMOVUPS, 640, DI, Z10)
	LOAD(12, load11, VMOVUPS, 704, DI, Z11)
	LOAD(13, load12, VMOVUPS, 768, DI, Z12)
	LOAD(14, load13, VMOVUPS, 832, DI, Z13)
	LOAD(15, load14, VMOVUPS, 896, DI, Z14)
	LOAD(16, load15, VMOVUPS, 960, DI, Z15)
	LOAD(17, load16, VMOVUPS, 1024, DI, Z16)
	LOAD(18, load17, VMOVUPS, 1088, DI, Z17)
	LOAD(19, load18, VMOVUPS, 1152, DI, Z18)
	LOAD(20, load19, VMOVUPS, 1216, DI, Z19)
	LOAD(21, load20, VMOVUPS, 1280, DI, Z20)
	LOAD(22, load21, VMOVUPS, 1344, DI, Z21)
	LOAD(23, load22, VMOVUPS, 1408, DI, Z22)
	LOAD(24, load23, VMOVUPS, 1472, DI, Z23)
	LOAD(25, load24, VMOVUPS, 1536, DI, Z24)
	LOAD(26, load25, VMOVUPS, 1600, DI, Z25)
	LOAD(27, load26, VMOVUPS, 1664, DI, Z26)
	VMOVUPS.Z 1728(DI), K1, Z27

rows:
	MOVQ R12, SI
	MOVQ c_base+72(FP), R8
	MOVQ rows+48(FP), BX

row: // dst += c[i]·row
	VBROADCASTSS (R8), Z28
	TCOLUMN(1, last0, VFMADD231PS, 0, Z0)
	TCOLUMN(2, last1, VFMADD231PS, 64, Z1)
	TCOLUMN(3, last2, VFMADD231PS, 128, Z2)
	TCOLUMN(4, last3, VFMADD231PS, 192, Z3)
	TCOLUMN(5, last4, VFMADD231PS, 256, Z4)
	TCOLUMN(6, last5, VFMADD231PS, 320, Z5)
	TCOLUMN(7, last6, VFMADD231PS, 384, Z6)
	TCOLUMN(8, last7, VFMADD231PS, 448, Z7)
	TCOLUMN(9, last8, VFMADD231PS, 512, Z8)
	TCOLUMN(10, last9, VFMADD231PS, 576, Z9)
	TCOLUMN(11, last10, VFMADD231PS, 640, Z10)
	TCOLUMN(12, last11, VFMADD231PS, 704, Z11)
	TCOLUMN(13, last12, VFMADD231PS, 768, Z12)
	TCOLUMN(14, last13, VFMADD231PS, 832, Z13)
	TCOLUMN(15, last14, VFMADD231PS, 896, Z14)
	TCOLUMN(16, last15, VFMADD231PS, 960, Z15)
	TCOLUMN(17, last16, VFMADD231PS, 1024, Z16)
	TCOLUMN(18, last17, VFMADD231PS, 1088, Z17)
	TCOLUMN(19, last18, VFMADD231PS, 1152, Z18)
	TCOLUMN(20, last19, VFMADD231PS, 1216, Z19)
	TCOLUMN(21, last20, VFMADD231PS, 1280, Z20)
	TCOLUMN(22, last21, VFMADD231PS, 1344, Z21)
	TCOLUMN(23, last22, VFMADD231PS, 1408, Z22)
	TCOLUMN(24, last23, VFMADD231PS, 1472, Z23)
	TCOLUMN(25, last24, VFMADD231PS, 1536, Z24)
	TCOLUMN(26, last25, VFMADD231PS, 1600, Z25)
	TCOLUMN(27, last26, VFMADD231PS, 1664, Z26)
	VFMADD231PS 1728(SI), Z28, K1, Z27

next:
	ADDQ $4, R8
	ADDQ R9, SI
	DECQ BX
	JNE row
	STORE(1, store0, VMOVUPS, 0, Z0)
	STORE(2, store1, VMOVUPS, 64, Z1)
	STORE(3, store2, VMOVUPS, 128, Z2)
	STORE(4, store3, VMOVUPS, 192, Z3)
	STORE(5, store4, VMOVUPS, 256, Z4)
	STORE(6, store5, VMOVUPS, 320, Z5)
	STORE(7, store6, VMOVUPS, 384, Z6)
	STORE(8, store7, VMOVUPS, 448, Z7)
	STORE(9, store8, VMOVUPS, 512, Z8)
	STORE(10, store9, VMOVUPS, 576, Z9)
	STORE(11, store10, VMOVUPS, 640, Z10)
	STORE(12, store11, VMOVUPS, 704, Z11)
	STORE(13, store12, VMOVUPS, 768, Z12)
	STORE(14, store13, VMOVUPS, 832, Z13)
	STORE(15, store14, VMOVUPS, 896, Z14)
	STORE(16, store15, VMOVUPS, 960, Z15)
	STORE(17, store16, VMOVUPS, 1024, Z16)
	STORE(18, store17, VMOVUPS, 1088, Z17)
	STORE(19, store18, VMOVUPS, 1152, Z18)
	STORE(20, store19, VMOVUPS, 1216, Z19)
	STORE(21, store20, VMOVUPS, 1280, Z20)
	STORE(22, store21, VMOVUPS, 1344, Z21)
	STORE(23, store22, VMOVUPS, 1408, Z22)
	STORE(24, store23, VMOVUPS, 1472, Z23)
	STORE(25, store24, VMOVUPS, 1536, Z24)
	STORE(26, store25, VMOVUPS, 1600, Z25)
	STORE(27, store26, VMOVUPS, 1664, Z26)
	VMOVUPS Z27, K1, 1728(DI)

stored:
	MOVQ DX, AX
	SHLQ $6, AX
	ADDQ AX, DI
	ADDQ AX, R12
	SUBQ DX, R10
	JNE strip
	VZEROUPPER
	RET

	LOADLAST(load0, VMOVUPS.Z, 0, Z0)
	LOADLAST(load1, VMOVUPS.Z, 64, Z1)
	LOADLAST(load2, VMOVUPS.Z, 128, Z2)
	LOADLAST(load3, VMOVUPS.Z, 192, Z3)
	LOADLAST(load4, VMOVUPS.Z, 256, Z4)
	LOADLAST(load5, VMOVUPS.Z, 320, Z5)
	LOADLAST(load6, VMOVUPS.Z, 384, Z6)
	LOADLAST(load7, VMOVUPS.Z, 448, Z7)
	LOADLAST(load8, VMOVUPS.Z, 512, Z8)
	LOADLAST(load9, VMOVUPS.Z, 576, Z9)
	LOADLAST(load10, VMOVUPS.Z, 640, Z10)
	LOADLAST(load11, VMOVUPS.Z, 704, Z11)
	LOADLAST(load12, VMOVUPS.Z, 768, Z12)
	LOADLAST(load13, VMOVUPS.Z, 832, Z13)
	LOADLAST(load14, VMOVUPS.Z, 896, Z14)
	LOADLAST(load15, VMOVUPS.Z, 960, Z15)
	LOADLAST(load16, VMOVUPS.Z, 1024, Z16)
	LOADLAST(load17, VMOVUPS.Z, 1088, Z17)
	LOADLAST(load18, VMOVUPS.Z, 1152, Z18)
	LOADLAST(load19, VMOVUPS.Z, 1216, Z19)
	LOADLAST(load20, VMOVUPS.Z, 1280, Z20)
	LOADLAST(load21, VMOVUPS.Z, 1344, Z21)
	LOADLAST(load22, VMOVUPS.Z, 1408, Z22)
	LOADLAST(load23, VMOVUPS.Z, 1472, Z23)
	LOADLAST(load24, VMOVUPS.Z, 1536, Z24)
	LOADLAST(load25, VMOVUPS.Z, 1600, Z25)
	LOADLAST(load26, VMOVUPS.Z, 1664, Z26)

	TLAST(last0, VFMADD231PS, 0, Z0)
	TLAST(last1, VFMADD231PS, 64, Z1)
	TLAST(last2, VFMADD231PS, 128, Z2)
	TLAST(last3, VFMADD231PS, 192, Z3)
	TLAST(last4, VFMADD231PS, 256, Z4)
	TLAST(last5, VFMADD231PS, 320, Z5)
	TLAST(last6, VFMADD231PS, 384, Z6)
	TLAST(last7, VFMADD231PS, 448, Z7)
	TLAST(last8, VFMADD231PS, 512, Z8)
	TLAST(last9, VFMADD231PS, 576, Z9)
	TLAST(last10, VFMADD231PS, 640, Z10)
	TLAST(last11, VFMADD231PS, 704, Z11)
	TLAST(last12, VFMADD231PS, 768, Z12)
	TLAST(last13, VFMADD231PS, 832, Z13)
	TLAST(last14, VFMADD231PS, 896, Z14)
	TLAST(last15, VFMADD231PS, 960, Z15)
	TLAST(last16, VFMADD231PS, 1024, Z16)
	TLAST(last17, VFMADD231PS, 1088, Z17)
	TLAST(last18, VFMADD231PS, 1152, Z18)
	TLAST(last19, VFMADD231PS, 1216, Z19)
	TLAST(last20, VFMADD231PS, 1280, Z20)
	TLAST(last21, VFMADD231PS, 1344, Z21)
	TLAST(last22, VFMADD231PS, 1408, Z22)
	TLAST(last23, VFMADD231PS, 1472, Z23)
	TLAST(last24, VFMADD231PS, 1536, Z24)
	TLAST(last25, VFMADD231PS, 1600, Z25)
	TLAST(last26, VFMADD231PS, 1664, Z26)

	STORELAST(store0, VMOVUPS, 0, Z0)
	STORELAST(store1, VMOVUPS, 64, Z1)
	STORELAST(store2, VMOVUPS, 128, Z2)
	STORELAST(store3, VMOVUPS, 192, Z3)
	STORELAST(store4, VMOVUPS, 256, Z4)
	STORELAST(store5, VMOVUPS, 320, Z5)
	STORELAST(store6, VMOVUPS, 384, Z6)
	STORELAST(store7, VMOVUPS, 448, Z7)
	STORELAST(store8, VMOVUPS, 512, Z8)
	STORELAST(store9, VMOVUPS, 576, Z9)
	STORELAST(store10, VMOVUPS, 640, Z10)
	STORELAST(store11, VMOVUPS, 704, Z11)
	STORELAST(store12, VMOVUPS, 768, Z12)
	STORELAST(store13, VMOVUPS, 832, Z13)
	STORELAST(store14, VMOVUPS, 896, Z14)
	STORELAST(store15, VMOVUPS, 960, Z15)
	STORELAST(store16, VMOVUPS, 1024, Z16)
	STORELAST(store17, VMOVUPS, 1088, Z17)
	STORELAST(store18, VMOVUPS, 1152, Z18)
	STORELAST(store19, VMOVUPS, 1216, Z19)
	STORELAST(store20, VMOVUPS, 1280, Z20)
	STORELAST(store21, VMOVUPS, 1344, Z21)
	STORELAST(store22, VMOVUPS, 1408, Z22)
	STORELAST(store23, VMOVUPS, 1472, Z23)
	STORELAST(store24, VMOVUPS, 1536, Z24)
	STORELAST(store25, VMOVUPS, 1600, Z25)
	STORELAST(store26, VMOVUPS, 1664, Z26)

// func gemvTF32WideAVX512(dst []float64, a []float32, rows, cols, stride int, c []float64)
// Requires: AVX512F
//
// For cols and rows > 0. Strips of up to 28 vectors of columns, of equal width but for the last;
// each strip of dst stays in Z0-Z27 over all rows. DI: dst; R12: the strip of the first
// row; R9: stride in bytes; R13: vectors of a strip; R10: vectors left; DX: vectors of this
// strip; K1: mask of its last vector; SI, R8, BX: row, c and rows left; Z28: c[i].
TEXT ·gemvTF32WideAVX512(SB), NOSPLIT, $0-96
	MOVQ dst_base+0(FP), DI
	MOVQ a_base+24(FP), R12
	MOVQ stride+64(FP), R9
	SHLQ $2, R9
	MOVQ cols+56(FP), R10
	ADDQ $7, R10
	SHRQ $3, R10
	MOVQ R10, R13
	CMPQ R10, $28
	JLE strip
	// strips = ⌈vectors/28⌉, vectors of a strip = ⌈vectors/strips⌉
	LEAQ 27(R10), AX
	XORL DX, DX
	MOVL $28, CX
	DIVQ CX
	MOVQ AX, CX
	LEAQ -1(R10)(CX*1), AX
	XORL DX, DX
	DIVQ CX
	MOVQ AX, R13

strip:
	MOVL $-1, AX
	MOVQ R13, DX
	CMPQ R10, R13
	JGT load
	MOVQ R10, DX
	// the last vector lacks CX elements
	MOVQ cols+56(FP), CX
	NEGQ CX
	ANDQ $7, CX
	MOVL $255, AX
	SHRL CX, AX

load:
	KMOVW AX, K1
	LOAD(1, load0, VMOVUPD, 0, DI, Z0)
	LOAD(2, load1, VMOVUPD, 64, DI, Z1)
	LOAD(3, load2, VMOVUPD, 128, DI, Z2)
	LOAD(4, load3, VMOVUPD, 192, DI, Z3)
	LOAD(5, load4, VMOVUPD, 256, DI, Z4)
	LOAD(6, load5, VMOVUPD, 320, DI, Z5)
	LOAD(7, load6, VMOVUPD, 384, DI, Z6)
	LOAD(8, load7, VMOVUPD, 448, DI, Z7)
	LOAD(9, load8, VMOVUPD, 512, DI, Z8)
	LOAD(10, load9, VMOVUPD, 576, DI, Z9)
	LOAD(11, load10, VMOVUPD, 640, DI, Z10)
	LOAD(12, load11, VMOVUPD, 704, DI, Z11)
	LOAD(13, load12, VMOVUPD, 768, DI, Z12)
	LOAD(14, load13, VMOVUPD, 832, DI, Z13)
	LOAD(15, load14, VMOVUPD, 896, DI, Z14)
	LOAD(16, load15, VMOVUPD, 960, DI, Z15)
	LOAD(17, load16, VMOVUPD, 1024, DI, Z16)
	LOAD(18, load17, VMOVUPD, 1088, DI, Z17)
	LOAD(19, load18, VMOVUPD, 1152, DI, Z18)
	LOAD(20, load19, VMOVUPD, 1216, DI, Z19)
	LOAD(21, load20, VMOVUPD, 1280, DI, Z20)
	LOAD(22, load21, VMOVUPD, 1344, DI, Z21)
	LOAD(23, load22, VMOVUPD, 1408, DI, Z22)
	LOAD(24, load23, VMOVUPD, 1472, DI, Z23)
	LOAD(25, load24, VMOVUPD, 1536, DI, Z24)
	LOAD(26, load25, VMOVUPD, 1600, DI, Z25)
	LOAD(27, load26, VMOVUPD, 1664, DI, Z26)
	VMOVUPD.Z 1728(DI), K1, Z27

rows:
	MOVQ R12, SI
	MOVQ c_base+72(FP), R8
	MOVQ rows+48(FP), BX

row: // dst += c[i]·row
	VBROADCASTSD (R8), Z28
	TCOLUMNWIDE(1, last0, 0, 16, Z0)
	TCOLUMNWIDE(2, last1, 32, 48, Z1)
	TCOLUMNWIDE(3, last2, 64, 80, Z2)
	TCOLUMNWIDE(4, last3, 96, 112, Z3)
	TCOLUMNWIDE(5, last4, 128, 144, Z4)
	TCOLUMNWIDE(6, last5, 160, 176, Z5)
	TCOLUMNWIDE(7, last6, 192, 208, Z6)
	TCOLUMNWIDE(8, last7, 224, 240, Z7)
	TCOLUMNWIDE(9, last8, 256, 272, Z8)
	TCOLUMNWIDE(10, last9, 288, 304, Z9)
	TCOLUMNWIDE(11, last10, 320, 336, Z10)
	TCOLUMNWIDE(12, last11, 352, 368, Z11)
	TCOLUMNWIDE(13, last12, 384, 400, Z12)
	TCOLUMNWIDE(14, last13, 416, 432, Z13)
	TCOLUMNWIDE(15, last14, 448, 464, Z14)
	TCOLUMNWIDE(16, last15, 480, 496, Z15)
	TCOLUMNWIDE(17, last16, 512, 528, Z16)
	TCOLUMNWIDE(18, last17, 544, 560, Z17)
	TCOLUMNWIDE(19, last18, 576, 592, Z18)
	TCOLUMNWIDE(20, last19, 608, 624, Z19)
	TCOLUMNWIDE(21, last20, 640, 656, Z20)
	TCOLUMNWIDE(22, last21, 672, 688, Z21)
	TCOLUMNWIDE(23, last22, 704, 720, Z22)
	TCOLUMNWIDE(24, last23, 736, 752, Z23)
	TCOLUMNWIDE(25, last24, 768, 784, Z24)
	TCOLUMNWIDE(26, last25, 800, 816, Z25)
	TCOLUMNWIDE(27, last26, 832, 848, Z26)
	VCVTPS2PD.Z 864(SI), K1, Z29
	VFMADD231PD Z29, Z28, Z27

next:
	ADDQ $8, R8
	ADDQ R9, SI
	DECQ BX
	JNE row
	STORE(1, store0, VMOVUPD, 0, Z0)
	STORE(2, store1, VMOVUPD, 64, Z1)
	STORE(3, store2, VMOVUPD, 128, Z2)
	STORE(4, store3, VMOVUPD, 192, Z3)
	STORE(5, store4, VMOVUPD, 256, Z4)
	STORE(6, store5, VMOVUPD, 320, Z5)
	STORE(7, store6, VMOVUPD, 384, Z6)
	STORE(8, store7, VMOVUPD, 448, Z7)
	STORE(9, store8, VMOVUPD, 512, Z8)
	STORE(10, store9, VMOVUPD, 576, Z9)
	STORE(11, store10, VMOVUPD, 640, Z10)
	STORE(12, store11, VMOVUPD, 704, Z11)
	STORE(13, store12, VMOVUPD, 768, Z12)
	STORE(14, store13, VMOVUPD, 832, Z13)
	STORE(15, store14, VMOVUPD, 896, Z14)
	STORE(16, store15, VMOVUPD, 960, Z15)
	STORE(17, store16, VMOVUPD, 1024, Z16)
	STORE(18, store17, VMOVUPD, 1088, Z17)
	STORE(19, store18, VMOVUPD, 1152, Z18)
	STORE(20, store19, VMOVUPD, 1216, Z19)
	STORE(21, store20, VMOVUPD, 1280, Z20)
	STORE(22, store21, VMOVUPD, 1344, Z21)
	STORE(23, store22, VMOVUPD, 1408, Z22)
	STORE(24, store23, VMOVUPD, 1472, Z23)
	STORE(25, store24, VMOVUPD, 1536, Z24)
	STORE(26, store25, VMOVUPD, 1600, Z25)
	STORE(27, store26, VMOVUPD, 1664, Z26)
	VMOVUPD Z27, K1, 1728(DI)

stored:
	MOVQ DX, AX
	SHLQ $6, AX
	ADDQ AX, DI
	SHRQ $1, AX
	ADDQ AX, R12
	SUBQ DX, R10
	JNE strip
	VZEROUPPER
	RET

	LOADLAST(load0, VMOVUPD.Z, 0, Z0)
	LOADLAST(load1, VMOVUPD.Z, 64, Z1)
	LOADLAST(load2, VMOVUPD.Z, 128, Z2)
	LOADLAST(load3, VMOVUPD.Z, 192, Z3)
	LOADLAST(load4, VMOVUPD.Z, 256, Z4)
	LOADLAST(load5, VMOVUPD.Z, 320, Z5)
	LOADLAST(load6, VMOVUPD.Z, 384, Z6)
	LOADLAST(load7, VMOVUPD.Z, 448, Z7)
	LOADLAST(load8, VMOVUPD.Z, 512, Z8)
	LOADLAST(load9, VMOVUPD.Z, 576, Z9)
	LOADLAST(load10, VMOVUPD.Z, 640, Z10)
	LOADLAST(load11, VMOVUPD.Z, 704, Z11)
	LOADLAST(load12, VMOVUPD.Z, 768, Z12)
	LOADLAST(load13, VMOVUPD.Z, 832, Z13)
	LOADLAST(load14, VMOVUPD.Z, 896, Z14)
	LOADLAST(load15, VMOVUPD.Z, 960, Z15)
	LOADLAST(load16, VMOVUPD.Z, 1024, Z16)
	LOADLAST(load17, VMOVUPD.Z, 1088, Z17)
	LOADLAST(load18, VMOVUPD.Z, 1152, Z18)
	LOADLAST(load19, VMOVUPD.Z, 1216, Z19)
	LOADLAST(load20, VMOVUPD.Z, 1280, Z20)
	LOADLAST(load21, VMOVUPD.Z, 1344, Z21)
	LOADLAST(load22, VMOVUPD.Z, 1408, Z22)
	LOADLAST(load23, VMOVUPD.Z, 1472, Z23)
	LOADLAST(load24, VMOVUPD.Z, 1536, Z24)
	LOADLAST(load25, VMOVUPD.Z, 1600, Z25)
	LOADLAST(load26, VMOVUPD.Z, 1664, Z26)

	TLASTWIDE(last0, 0, Z0)
	TLASTWIDE(last1, 32, Z1)
	TLASTWIDE(last2, 64, Z2)
	TLASTWIDE(last3, 96, Z3)
	TLASTWIDE(last4, 128, Z4)
	TLASTWIDE(last5, 160, Z5)
	TLASTWIDE(last6, 192, Z6)
	TLASTWIDE(last7, 224, Z7)
	TLASTWIDE(last8, 256, Z8)
	TLASTWIDE(last9, 288, Z9)
	TLASTWIDE(last10, 320, Z10)
	TLASTWIDE(last11, 352, Z11)
	TLASTWIDE(last12, 384, Z12)
	TLASTWIDE(last13, 416, Z13)
	TLASTWIDE(last14, 448, Z14)
	TLASTWIDE(last15, 480, Z15)
	TLASTWIDE(last16, 512, Z16)
	TLASTWIDE(last17, 544, Z17)
	TLASTWIDE(last18, 576, Z18)
	TLASTWIDE(last19, 608, Z19)
	TLASTWIDE(last20, 640, Z20)
	TLASTWIDE(last21, 672, Z21)
	TLASTWIDE(last22, 704, Z22)
	TLASTWIDE(last23, 736, Z23)
	TLASTWIDE(last24, 768, Z24)
	TLASTWIDE(last25, 800, Z25)
	TLASTWIDE(last26, 832, Z26)

	STORELAST(store0, VMOVUPD, 0, Z0)
	STORELAST(store1, VMOVUPD, 64, Z1)
	STORELAST(store2, VMOVUPD, 128, Z2)
	STORELAST(store3, VMOVUPD, 192, Z3)
	STORELAST(store4, VMOVUPD, 256, Z4)
	STORELAST(store5, VMOVUPD, 320, Z5)
	STORELAST(store6, VMOVUPD, 384, Z6)
	STORELAST(store7, VMOVUPD, 448, Z7)
	STORELAST(store8, VMOVUPD, 512, Z8)
	STORELAST(store9, VMOVUPD, 576, Z9)
	STORELAST(store10, VMOVUPD, 640, Z10)
	STORELAST(store11, VMOVUPD, 704, Z11)
	STORELAST(store12, VMOVUPD, 768, Z12)
	STORELAST(store13, VMOVUPD, 832, Z13)
	STORELAST(store14, VMOVUPD, 896, Z14)
	STORELAST(store15, VMOVUPD, 960, Z15)
	STORELAST(store16, VMOVUPD, 1024, Z16)
	STORELAST(store17, VMOVUPD, 1088, Z17)
	STORELAST(store18, VMOVUPD, 1152, Z18)
	STORELAST(store19, VMOVUPD, 1216, Z19)
	STORELAST(store20, VMOVUPD, 1280, Z20)
	STORELAST(store21, VMOVUPD, 1344, Z21)
	STORELAST(store22, VMOVUPD, 1408, Z22)
	STORELAST(store23, VMOVUPD, 1472, Z23)
	STORELAST(store24, VMOVUPD, 1536, Z24)
	STORELAST(store25, VMOVUPD, 1600, Z25)
	STORELAST(store26, VMOVUPD, 1664, Z26)

// 0, 1, … 15
DATA ramp<>+0(SB)/8, $0x0000000100000000
DATA ramp<>+8(SB)/8, $0x0000000300000002
DATA ramp<>+16(SB)/8, $0x0000000500000004
DATA ramp<>+24(SB)/8, $0x0000000700000006
DATA ramp<>+32(SB)/8, $0x0000000900000008
DATA ramp<>+40(SB)/8, $0x0000000b0000000a
DATA ramp<>+48(SB)/8, $0x0000000d0000000c
DATA ramp<>+56(SB)/8, $0x0000000f0000000e
GLOBL ramp<>(SB), RODATA|NOPTR, $64

// func nonzerosF32AVX512(index []int32, value, row []float32, first int) int
// Requires: AVX512F, POPCNT
//
// Sixteen elements at a time, pushed together; the rest with a mask. DI: index; R8: value; SI: row;
// BX: elements left; R10: found; Z3: places; Z5: 16; Z1: 0.
TEXT ·nonzerosF32AVX512(SB), NOSPLIT, $0-88
	MOVQ index_base+0(FP), DI
	MOVQ value_base+24(FP), R8
	MOVQ row_base+48(FP), SI
	MOVQ row_len+56(FP), BX
	XORQ R10, R10
	VPXORD Z1, Z1, Z1
	VPBROADCASTD first+72(FP), Z3
	VPADDD ramp<>(SB), Z3, Z3
	MOVL $16, AX
	VPBROADCASTD AX, Z5
	SUBQ $16, BX
	JLT rest

sixteen:
	VMOVUPS (SI), Z0

push:
	VCMPPS $4, Z1, Z0, K1
	KMOVW K1, AX
	POPCNTL AX, CX
	VCOMPRESSPS Z0, K1, Z2
	VPCOMPRESSD Z3, K1, Z4
	MOVL $1, DX
	SHLL CX, DX
	DECL DX
	KMOVW DX, K2
	VMOVUPS Z2, K2, (R8)(R10*4)
	VMOVDQU32 Z4, K2, (DI)(R10*4)
	ADDQ CX, R10
	VPADDD Z5, Z3, Z3
	ADDQ $64, SI
	SUBQ $16, BX
	JGE sixteen

rest: // −16: nothing is left; below, that was the rest
	ADDQ $16, BX
	JLE done
	MOVQ BX, CX
	MOVL $1, DX
	SHLL CX, DX
	DECL DX
	KMOVW DX, K3
	VMOVUPS.Z (SI), K3, Z0
	XORQ BX, BX
	JMP push

done:
	MOVQ R10, ret+80(FP)
	VZEROUPPER
	RET
