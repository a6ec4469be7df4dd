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
