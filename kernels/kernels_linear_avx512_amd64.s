//go:build !purego

#include "textflag.h"

// The linear kernels for AVX-512 (F, VL). The order of operations is that of the
// doc comments in dot.go, axpy.go and gemv.go.
//
// A vector that is not whole is loaded under a mask. A mask hides faults but not their
// price: a masked load that reaches into a page without memory behind it takes some
// hundred nanoseconds. Near the end of a page the vector that ends with the last
// element is loaded instead, and its elements are moved down where they must.

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
	JHI edge
	MOVL R9, AX
	ANDL $4095, AX
	CMPL AX, $4032
	JHI edge
	VMOVUPD.Z (R8), K1, Z4
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
	JHI tinyEdge
	MOVL DI, AX
	ANDL $4095, AX
	CMPL AX, $4032
	JHI tinyEdge
	VMOVUPD.Z (SI), K1, Z4
	VMOVUPD (DI), K1, Z5

tinyProduct:
	VMULPD Z5, Z4, Z0
	JMP halve

empty:
	MOVQ $0, ret+48(FP)
	VZEROUPPER
	RET

edge: // near the end of a page: load the vector that ends with the last element
	MOVL $8, CX
	SUBL R10, CX
	MOVL $-1, AX
	SHLL CX, AX
	KMOVW AX, K2
	VMOVUPD.Z -64(R8)(R10*8), K2, Z6
	VCOMPRESSPD.Z Z6, K2, Z4
	VMOVUPD.Z -64(R9)(R10*8), K2, Z6
	VCOMPRESSPD Z6, K2, Z5
	JMP whole0

tinyEdge: 
	MOVL $8, CX
	SUBL DX, CX
	MOVL $-1, AX
	SHLL CX, AX
	KMOVW AX, K2
	VMOVUPD.Z -64(SI)(DX*8), K2, Z6
	VCOMPRESSPD.Z Z6, K2, Z4
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
	JHI edge
	MOVL R9, AX
	ANDL $4095, AX
	CMPL AX, $4032
	JHI edge
	VMOVUPS.Z (R8), K1, Z4
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
	JHI tinyEdge
	MOVL DI, AX
	ANDL $4095, AX
	CMPL AX, $4032
	JHI tinyEdge
	VMOVUPS.Z (SI), K1, Z4
	VMOVUPS (DI), K1, Z5

tinyProduct:
	VMULPS Z5, Z4, Z0
	JMP halve

empty:
	MOVL $0, ret+48(FP)
	VZEROUPPER
	RET

edge: // near the end of a page: load the vector that ends with the last element
	MOVL $16, CX
	SUBL R10, CX
	MOVL $-1, AX
	SHLL CX, AX
	KMOVW AX, K2
	VMOVUPS.Z -64(R8)(R10*4), K2, Z6
	VCOMPRESSPS.Z Z6, K2, Z4
	VMOVUPS.Z -64(R9)(R10*4), K2, Z6
	VCOMPRESSPS Z6, K2, Z5
	JMP whole0

tinyEdge: 
	MOVL $16, CX
	SUBL DX, CX
	MOVL $-1, AX
	SHLL CX, AX
	KMOVW AX, K2
	VMOVUPS.Z -64(SI)(DX*4), K2, Z6
	VCOMPRESSPS.Z Z6, K2, Z4
	VMOVUPS.Z -64(DI)(DX*4), K2, Z6
	VCOMPRESSPS Z6, K2, Z5
	JMP tinyProduct

// func dotF32WideAVX512(x, y []float32) float64
// Requires: AVX512F, AVX512VL
//
// SI, DI: x, y; DX: elements left. Z0-Z3: the 32 lanes, all −0 at first, which
// changes no sum; Z31: −0. The rest after the last whole vector is loaded with
// +0 in x and −0 in y where there is no element, so that those products are −0.
// What is loaded is converted on the way, 8 elements at a time.
TEXT ·dotF32WideAVX512(SB), NOSPLIT, $0-56
	MOVQ x_base+0(FP), SI
	MOVQ x_len+8(FP), DX
	MOVQ y_base+24(FP), DI
	VPTERNLOGD $0xff, Z31, Z31, Z31
	VPSLLD $31, Y31, Y5 // −0 in float32
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
	VCVTPS2PD 0(SI), Z8
	VCVTPS2PD 32(SI), Z9
	VCVTPS2PD 64(SI), Z10
	VCVTPS2PD 96(SI), Z11
	VCVTPS2PD 0(DI), Z12
	VCVTPS2PD 32(DI), Z13
	VCVTPS2PD 64(DI), Z14
	VCVTPS2PD 96(DI), Z15
	VFMADD231PD Z12, Z8, Z0
	VFMADD231PD Z13, Z9, Z1
	VFMADD231PD Z14, Z10, Z2
	VFMADD231PD Z15, Z11, Z3
	ADDQ $128, SI
	ADDQ $128, DI
	SUBQ $32, DX
	JGE loop32

tail: // 32 fewer than the elements left; R10: those after the last whole vector
	ADDQ $32, DX
	JEQ sum
	VPXORQ Z4, Z4, Z4
	MOVQ DX, R10
	ANDQ $-8, DX
	ANDQ $7, R10
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
	CMPL AX, $4064
	JHI edge
	MOVL R9, AX
	ANDL $4095, AX
	CMPL AX, $4064
	JHI edge
	VMOVUPS.Z (R8), K1, Y4
	VMOVUPS (R9), K1, Y5

whole0: // up to three whole vectors, then the rest in the next group
	VCVTPS2PD Y4, Z4
	VCVTPS2PD Y5, Z5
	SUBQ $8, DX
	JLT rest0
	VCVTPS2PD 0(SI), Z6
	VCVTPS2PD 0(DI), Z7
	VFMADD231PD Z7, Z6, Z0
	SUBQ $8, DX
	JLT rest1
	VCVTPS2PD 32(SI), Z6
	VCVTPS2PD 32(DI), Z7
	VFMADD231PD Z7, Z6, Z1
	SUBQ $8, DX
	JLT rest2
	VCVTPS2PD 64(SI), Z6
	VCVTPS2PD 64(DI), Z7
	VFMADD231PD Z7, Z6, Z2
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
	MOVL SI, AX
	ANDL $4095, AX
	CMPL AX, $4064
	JHI tinyEdge
	MOVL DI, AX
	ANDL $4095, AX
	CMPL AX, $4064
	JHI tinyEdge
	VMOVUPS.Z (SI), K1, Y4
	VMOVUPS (DI), K1, Y5

tinyProduct:
	VCVTPS2PD Y4, Z4
	VCVTPS2PD Y5, Z5
	VMULPD Z5, Z4, Z0
	JMP halve

empty:
	MOVQ $0, ret+48(FP)
	VZEROUPPER
	RET

edge: // near the end of a page: load the vector that ends with the last element
	MOVL $8, CX
	SUBL R10, CX
	MOVL $-1, AX
	SHLL CX, AX
	KMOVW AX, K2
	VMOVUPS.Z -32(R8)(R10*4), K2, Y6
	VCOMPRESSPS.Z Y6, K2, Y4
	VMOVUPS.Z -32(R9)(R10*4), K2, Y6
	VCOMPRESSPS Y6, K2, Y5
	JMP whole0

tinyEdge: 
	MOVL $8, CX
	SUBL DX, CX
	MOVL $-1, AX
	SHLL CX, AX
	KMOVW AX, K2
	VMOVUPS.Z -32(SI)(DX*4), K2, Y6
	VCOMPRESSPS.Z Y6, K2, Y4
	VMOVUPS.Z -32(DI)(DX*4), K2, Y6
	VCOMPRESSPS Y6, K2, Y5
	JMP tinyProduct

// func axpyF64AVX512(alpha float64, x, y []float64)
// Requires: AVX512F
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

edge: // near the end of a page: take the vectors that end with the last element
	LEAQ -64(SI)(DX*8), SI
	LEAQ -64(DI)(DX*8), DI
	MOVL $8, CX
	SUBL DX, CX
	SHLL CX, AX
	JMP masked

// func axpyF32AVX512(alpha float32, x, y []float32)
// Requires: AVX512F
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

edge: // near the end of a page: take the vectors that end with the last element
	LEAQ -64(SI)(DX*4), SI
	LEAQ -64(DI)(DX*4), DI
	MOVL $16, CX
	SUBL DX, CX
	SHLL CX, AX
	JMP masked

// func axpyDiffF64AVX512(alpha float64, a, b, y []float64)
// Requires: AVX512F
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

edge: // near the end of a page: take the vectors that end with the last element
	LEAQ -64(SI)(DX*8), SI
	LEAQ -64(DI)(DX*8), DI
	LEAQ -64(R8)(DX*8), R8
	MOVL $8, CX
	SUBL DX, CX
	SHLL CX, AX
	JMP masked

// func axpyDiffF32AVX512(alpha float32, a, b, y []float32)
// Requires: AVX512F
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

edge: // near the end of a page: take the vectors that end with the last element
	LEAQ -64(SI)(DX*4), SI
	LEAQ -64(DI)(DX*4), DI
	LEAQ -64(R8)(DX*4), R8
	MOVL $16, CX
	SUBL DX, CX
	SHLL CX, AX
	JMP masked

// func gemvF64AVX512(dst, a []float64, rows, cols, stride int, x []float64)
// Requires: AVX512F, AVX512DQ
//
// For cols > 0; four rows at least when cols > 224. DI: dst; SI: the row; R9: its stride
// in bytes; BX: rows left; DX: vectors of a row; K1: mask of the last one. Up to 28 vectors,
// x stays in registers from Z4 on and the row is read in order into the lanes Z0-Z3; beyond,
// four rows share each load of x. The last vector of x is −0 where there is no element.
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
	CMPQ DX, $28
	JHI fourRows
	CMPQ DX, $1
	JEQ load0
	VMOVUPD 0(R8), Z4
	CMPQ DX, $2
	JEQ load1
	VMOVUPD 64(R8), Z5
	CMPQ DX, $3
	JEQ load2
	VMOVUPD 128(R8), Z6
	CMPQ DX, $4
	JEQ load3
	VMOVUPD 192(R8), Z7
	CMPQ DX, $5
	JEQ load4
	VMOVUPD 256(R8), Z8
	CMPQ DX, $6
	JEQ load5
	VMOVUPD 320(R8), Z9
	CMPQ DX, $7
	JEQ load6
	VMOVUPD 384(R8), Z10
	CMPQ DX, $8
	JEQ load7
	VMOVUPD 448(R8), Z11
	CMPQ DX, $9
	JEQ load8
	VMOVUPD 512(R8), Z12
	CMPQ DX, $10
	JEQ load9
	VMOVUPD 576(R8), Z13
	CMPQ DX, $11
	JEQ load10
	VMOVUPD 640(R8), Z14
	CMPQ DX, $12
	JEQ load11
	VMOVUPD 704(R8), Z15
	CMPQ DX, $13
	JEQ load12
	VMOVUPD 768(R8), Z16
	CMPQ DX, $14
	JEQ load13
	VMOVUPD 832(R8), Z17
	CMPQ DX, $15
	JEQ load14
	VMOVUPD 896(R8), Z18
	CMPQ DX, $16
	JEQ load15
	VMOVUPD 960(R8), Z19
	CMPQ DX, $17
	JEQ load16
	VMOVUPD 1024(R8), Z20
	CMPQ DX, $18
	JEQ load17
	VMOVUPD 1088(R8), Z21
	CMPQ DX, $19
	JEQ load18
	VMOVUPD 1152(R8), Z22
	CMPQ DX, $20
	JEQ load19
	VMOVUPD 1216(R8), Z23
	CMPQ DX, $21
	JEQ load20
	VMOVUPD 1280(R8), Z24
	CMPQ DX, $22
	JEQ load21
	VMOVUPD 1344(R8), Z25
	CMPQ DX, $23
	JEQ load22
	VMOVUPD 1408(R8), Z26
	CMPQ DX, $24
	JEQ load23
	VMOVUPD 1472(R8), Z27
	CMPQ DX, $25
	JEQ load24
	VMOVUPD 1536(R8), Z28
	CMPQ DX, $26
	JEQ load25
	VMOVUPD 1600(R8), Z29
	CMPQ DX, $27
	JEQ load26
	VMOVAPD Z30, Z31
	VMOVUPD 1664(R8), Z30
	JMP row

load26:
	JMP row

load25:
	VMOVAPD Z30, Z29
	JMP row

load24:
	VMOVAPD Z30, Z28
	JMP row

load23:
	VMOVAPD Z30, Z27
	JMP row

load22:
	VMOVAPD Z30, Z26
	JMP row

load21:
	VMOVAPD Z30, Z25
	JMP row

load20:
	VMOVAPD Z30, Z24
	JMP row

load19:
	VMOVAPD Z30, Z23
	JMP row

load18:
	VMOVAPD Z30, Z22
	JMP row

load17:
	VMOVAPD Z30, Z21
	JMP row

load16:
	VMOVAPD Z30, Z20
	JMP row

load15:
	VMOVAPD Z30, Z19
	JMP row

load14:
	VMOVAPD Z30, Z18
	JMP row

load13:
	VMOVAPD Z30, Z17
	JMP row

load12:
	VMOVAPD Z30, Z16
	JMP row

load11:
	VMOVAPD Z30, Z15
	JMP row

load10:
	VMOVAPD Z30, Z14
	JMP row

load9:
	VMOVAPD Z30, Z13
	JMP row

load8:
	VMOVAPD Z30, Z12
	JMP row

load7:
	VMOVAPD Z30, Z11
	JMP row

load6:
	VMOVAPD Z30, Z10
	JMP row

load5:
	VMOVAPD Z30, Z9
	JMP row

load4:
	VMOVAPD Z30, Z8
	JMP row

load3:
	VMOVAPD Z30, Z7
	JMP row

load2:
	VMOVAPD Z30, Z6
	JMP row

load1:
	VMOVAPD Z30, Z5
	JMP row

load0:
	VMOVAPD Z30, Z4

row: // lanes of the row, whole vectors until the last
	CMPQ DX, $1
	JEQ last0
	VMULPD 0(SI), Z4, Z0
	CMPQ DX, $2
	JEQ last1
	VMULPD 64(SI), Z5, Z1
	CMPQ DX, $3
	JEQ last2
	VMULPD 128(SI), Z6, Z2
	CMPQ DX, $4
	JEQ last3
	VMULPD 192(SI), Z7, Z3
	CMPQ DX, $5
	JEQ last4
	VFMADD231PD 256(SI), Z8, Z0
	CMPQ DX, $6
	JEQ last5
	VFMADD231PD 320(SI), Z9, Z1
	CMPQ DX, $7
	JEQ last6
	VFMADD231PD 384(SI), Z10, Z2
	CMPQ DX, $8
	JEQ last7
	VFMADD231PD 448(SI), Z11, Z3
	CMPQ DX, $9
	JEQ last8
	VFMADD231PD 512(SI), Z12, Z0
	CMPQ DX, $10
	JEQ last9
	VFMADD231PD 576(SI), Z13, Z1
	CMPQ DX, $11
	JEQ last10
	VFMADD231PD 640(SI), Z14, Z2
	CMPQ DX, $12
	JEQ last11
	VFMADD231PD 704(SI), Z15, Z3
	CMPQ DX, $13
	JEQ last12
	VFMADD231PD 768(SI), Z16, Z0
	CMPQ DX, $14
	JEQ last13
	VFMADD231PD 832(SI), Z17, Z1
	CMPQ DX, $15
	JEQ last14
	VFMADD231PD 896(SI), Z18, Z2
	CMPQ DX, $16
	JEQ last15
	VFMADD231PD 960(SI), Z19, Z3
	CMPQ DX, $17
	JEQ last16
	VFMADD231PD 1024(SI), Z20, Z0
	CMPQ DX, $18
	JEQ last17
	VFMADD231PD 1088(SI), Z21, Z1
	CMPQ DX, $19
	JEQ last18
	VFMADD231PD 1152(SI), Z22, Z2
	CMPQ DX, $20
	JEQ last19
	VFMADD231PD 1216(SI), Z23, Z3
	CMPQ DX, $21
	JEQ last20
	VFMADD231PD 1280(SI), Z24, Z0
	CMPQ DX, $22
	JEQ last21
	VFMADD231PD 1344(SI), Z25, Z1
	CMPQ DX, $23
	JEQ last22
	VFMADD231PD 1408(SI), Z26, Z2
	CMPQ DX, $24
	JEQ last23
	VFMADD231PD 1472(SI), Z27, Z3
	CMPQ DX, $25
	JEQ last24
	VFMADD231PD 1536(SI), Z28, Z0
	CMPQ DX, $26
	JEQ last25
	VFMADD231PD 1600(SI), Z29, Z1
	CMPQ DX, $27
	JEQ last26
	VFMADD231PD 1664(SI), Z30, Z2
	VFMADD231PD 1728(SI), Z31, K1, Z3

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
	VMOVSD X0, (DI)
	ADDQ $8, DI
	ADDQ R9, SI
	DECQ BX
	JNE row
	VZEROUPPER
	RET

last0:
	VMOVUPD.Z 0(SI), K1, Z0
	VMULPD Z0, Z4, Z0
	JMP halve

last1:
	VMOVUPD.Z 64(SI), K1, Z1
	VMULPD Z1, Z5, Z1
	VADDPD Z1, Z0, Z0
	JMP halve

last2:
	VMOVUPD.Z 128(SI), K1, Z2
	VMULPD Z2, Z6, Z2
	VADDPD Z1, Z0, Z0
	VADDPD Z2, Z0, Z0
	JMP halve

last3:
	VMOVUPD.Z 192(SI), K1, Z3
	VMULPD Z3, Z7, Z3
	JMP sum

last4:
	VFMADD231PD 256(SI), Z8, K1, Z0
	JMP sum

last5:
	VFMADD231PD 320(SI), Z9, K1, Z1
	JMP sum

last6:
	VFMADD231PD 384(SI), Z10, K1, Z2
	JMP sum

last7:
	VFMADD231PD 448(SI), Z11, K1, Z3
	JMP sum

last8:
	VFMADD231PD 512(SI), Z12, K1, Z0
	JMP sum

last9:
	VFMADD231PD 576(SI), Z13, K1, Z1
	JMP sum

last10:
	VFMADD231PD 640(SI), Z14, K1, Z2
	JMP sum

last11:
	VFMADD231PD 704(SI), Z15, K1, Z3
	JMP sum

last12:
	VFMADD231PD 768(SI), Z16, K1, Z0
	JMP sum

last13:
	VFMADD231PD 832(SI), Z17, K1, Z1
	JMP sum

last14:
	VFMADD231PD 896(SI), Z18, K1, Z2
	JMP sum

last15:
	VFMADD231PD 960(SI), Z19, K1, Z3
	JMP sum

last16:
	VFMADD231PD 1024(SI), Z20, K1, Z0
	JMP sum

last17:
	VFMADD231PD 1088(SI), Z21, K1, Z1
	JMP sum

last18:
	VFMADD231PD 1152(SI), Z22, K1, Z2
	JMP sum

last19:
	VFMADD231PD 1216(SI), Z23, K1, Z3
	JMP sum

last20:
	VFMADD231PD 1280(SI), Z24, K1, Z0
	JMP sum

last21:
	VFMADD231PD 1344(SI), Z25, K1, Z1
	JMP sum

last22:
	VFMADD231PD 1408(SI), Z26, K1, Z2
	JMP sum

last23:
	VFMADD231PD 1472(SI), Z27, K1, Z3
	JMP sum

last24:
	VFMADD231PD 1536(SI), Z28, K1, Z0
	JMP sum

last25:
	VFMADD231PD 1600(SI), Z29, K1, Z1
	JMP sum

last26:
	VFMADD231PD 1664(SI), Z30, K1, Z2
	JMP sum

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

fourRows: // Z0-Z15: the lanes of four rows; Z16-Z19: x; R11: third stride; R12: end of the whole
	// blocks of x; DX: vectors after them. The last four rows may overlap those before.
	LEAQ (R9)(R9*2), R11
	DECQ DX
	MOVQ DX, R12
	ANDQ $3, DX
	SUBQ DX, R12
	SHLQ $6, R12
	ADDQ R8, R12

rows4:
	MOVQ SI, R13
	MOVQ x_base+72(FP), R8
	VMOVUPD 0(R8), Z16
	VMOVUPD 64(R8), Z17
	VMOVUPD 128(R8), Z18
	VMOVUPD 192(R8), Z19
	VMULPD (R13), Z16, Z0
	VMULPD 64(R13), Z17, Z1
	VMULPD 128(R13), Z18, Z2
	VMULPD 192(R13), Z19, Z3
	VMULPD (R13)(R9*1), Z16, Z4
	VMULPD 64(R13)(R9*1), Z17, Z5
	VMULPD 128(R13)(R9*1), Z18, Z6
	VMULPD 192(R13)(R9*1), Z19, Z7
	VMULPD (R13)(R9*2), Z16, Z8
	VMULPD 64(R13)(R9*2), Z17, Z9
	VMULPD 128(R13)(R9*2), Z18, Z10
	VMULPD 192(R13)(R9*2), Z19, Z11
	VMULPD (R13)(R11*1), Z16, Z12
	VMULPD 64(R13)(R11*1), Z17, Z13
	VMULPD 128(R13)(R11*1), Z18, Z14
	VMULPD 192(R13)(R11*1), Z19, Z15
	ADDQ $256, R13
	ADDQ $256, R8

loop32:
	VMOVUPD 0(R8), Z16
	VMOVUPD 64(R8), Z17
	VMOVUPD 128(R8), Z18
	VMOVUPD 192(R8), Z19
	VFMADD231PD (R13), Z16, Z0
	VFMADD231PD 64(R13), Z17, Z1
	VFMADD231PD 128(R13), Z18, Z2
	VFMADD231PD 192(R13), Z19, Z3
	VFMADD231PD (R13)(R9*1), Z16, Z4
	VFMADD231PD 64(R13)(R9*1), Z17, Z5
	VFMADD231PD 128(R13)(R9*1), Z18, Z6
	VFMADD231PD 192(R13)(R9*1), Z19, Z7
	VFMADD231PD (R13)(R9*2), Z16, Z8
	VFMADD231PD 64(R13)(R9*2), Z17, Z9
	VFMADD231PD 128(R13)(R9*2), Z18, Z10
	VFMADD231PD 192(R13)(R9*2), Z19, Z11
	VFMADD231PD (R13)(R11*1), Z16, Z12
	VFMADD231PD 64(R13)(R11*1), Z17, Z13
	VFMADD231PD 128(R13)(R11*1), Z18, Z14
	VFMADD231PD 192(R13)(R11*1), Z19, Z15
	ADDQ $256, R13
	ADDQ $256, R8
	CMPQ R8, R12
	JNE loop32

	// up to three whole vectors and the last one
	CMPQ DX, $1
	JLT end0
	VMOVUPD 0(R8), Z16
	VFMADD231PD (R13), Z16, Z0
	VFMADD231PD (R13)(R9*1), Z16, Z4
	VFMADD231PD (R13)(R9*2), Z16, Z8
	VFMADD231PD (R13)(R11*1), Z16, Z12
	CMPQ DX, $2
	JLT end1
	VMOVUPD 64(R8), Z16
	VFMADD231PD 64(R13), Z16, Z1
	VFMADD231PD 64(R13)(R9*1), Z16, Z5
	VFMADD231PD 64(R13)(R9*2), Z16, Z9
	VFMADD231PD 64(R13)(R11*1), Z16, Z13
	CMPQ DX, $3
	JLT end2
	VMOVUPD 128(R8), Z16
	VFMADD231PD 128(R13), Z16, Z2
	VFMADD231PD 128(R13)(R9*1), Z16, Z6
	VFMADD231PD 128(R13)(R9*2), Z16, Z10
	VFMADD231PD 128(R13)(R11*1), Z16, Z14
	VFMADD231PD 192(R13), Z30, K1, Z3
	VFMADD231PD 192(R13)(R9*1), Z30, K1, Z7
	VFMADD231PD 192(R13)(R9*2), Z30, K1, Z11
	VFMADD231PD 192(R13)(R11*1), Z30, K1, Z15

sum4: // as above, with the four rows in the quarters of a register for the last steps
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
	VSHUFF64X2 $0xee, Z4, Z0, Z2
	VADDPD Z2, Z1, Z0
	VSHUFF64X2 $0x44, Z12, Z8, Z1
	VSHUFF64X2 $0xee, Z12, Z8, Z2
	VADDPD Z2, Z1, Z8
	VSHUFF64X2 $0x88, Z8, Z0, Z1 // first quarters of the halves
	VSHUFF64X2 $0xdd, Z8, Z0, Z2
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
	VFMADD231PD (R13), Z30, K1, Z0
	VFMADD231PD (R13)(R9*1), Z30, K1, Z4
	VFMADD231PD (R13)(R9*2), Z30, K1, Z8
	VFMADD231PD (R13)(R11*1), Z30, K1, Z12
	JMP sum4

end1:
	VFMADD231PD 64(R13), Z30, K1, Z1
	VFMADD231PD 64(R13)(R9*1), Z30, K1, Z5
	VFMADD231PD 64(R13)(R9*2), Z30, K1, Z9
	VFMADD231PD 64(R13)(R11*1), Z30, K1, Z13
	JMP sum4

end2:
	VFMADD231PD 128(R13), Z30, K1, Z2
	VFMADD231PD 128(R13)(R9*1), Z30, K1, Z6
	VFMADD231PD 128(R13)(R9*2), Z30, K1, Z10
	VFMADD231PD 128(R13)(R11*1), Z30, K1, Z14
	JMP sum4

// func gemvF32AVX512(dst, a []float32, rows, cols, stride int, x []float32)
// Requires: AVX512F, AVX512DQ
//
// For cols > 0; four rows at least when cols > 448. DI: dst; SI: the row; R9: its stride
// in bytes; BX: rows left; DX: vectors of a row; K1: mask of the last one. Up to 28 vectors,
// x stays in registers from Z4 on and the row is read in order into the lanes Z0-Z3; beyond,
// four rows share each load of x. The last vector of x is −0 where there is no element.
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
	CMPQ DX, $28
	JHI fourRows
	CMPQ DX, $1
	JEQ load0
	VMOVUPS 0(R8), Z4
	CMPQ DX, $2
	JEQ load1
	VMOVUPS 64(R8), Z5
	CMPQ DX, $3
	JEQ load2
	VMOVUPS 128(R8), Z6
	CMPQ DX, $4
	JEQ load3
	VMOVUPS 192(R8), Z7
	CMPQ DX, $5
	JEQ load4
	VMOVUPS 256(R8), Z8
	CMPQ DX, $6
	JEQ load5
	VMOVUPS 320(R8), Z9
	CMPQ DX, $7
	JEQ load6
	VMOVUPS 384(R8), Z10
	CMPQ DX, $8
	JEQ load7
	VMOVUPS 448(R8), Z11
	CMPQ DX, $9
	JEQ load8
	VMOVUPS 512(R8), Z12
	CMPQ DX, $10
	JEQ load9
	VMOVUPS 576(R8), Z13
	CMPQ DX, $11
	JEQ load10
	VMOVUPS 640(R8), Z14
	CMPQ DX, $12
	JEQ load11
	VMOVUPS 704(R8), Z15
	CMPQ DX, $13
	JEQ load12
	VMOVUPS 768(R8), Z16
	CMPQ DX, $14
	JEQ load13
	VMOVUPS 832(R8), Z17
	CMPQ DX, $15
	JEQ load14
	VMOVUPS 896(R8), Z18
	CMPQ DX, $16
	JEQ load15
	VMOVUPS 960(R8), Z19
	CMPQ DX, $17
	JEQ load16
	VMOVUPS 1024(R8), Z20
	CMPQ DX, $18
	JEQ load17
	VMOVUPS 1088(R8), Z21
	CMPQ DX, $19
	JEQ load18
	VMOVUPS 1152(R8), Z22
	CMPQ DX, $20
	JEQ load19
	VMOVUPS 1216(R8), Z23
	CMPQ DX, $21
	JEQ load20
	VMOVUPS 1280(R8), Z24
	CMPQ DX, $22
	JEQ load21
	VMOVUPS 1344(R8), Z25
	CMPQ DX, $23
	JEQ load22
	VMOVUPS 1408(R8), Z26
	CMPQ DX, $24
	JEQ load23
	VMOVUPS 1472(R8), Z27
	CMPQ DX, $25
	JEQ load24
	VMOVUPS 1536(R8), Z28
	CMPQ DX, $26
	JEQ load25
	VMOVUPS 1600(R8), Z29
	CMPQ DX, $27
	JEQ load26
	VMOVAPD Z30, Z31
	VMOVUPS 1664(R8), Z30
	JMP row

load26:
	JMP row

load25:
	VMOVAPD Z30, Z29
	JMP row

load24:
	VMOVAPD Z30, Z28
	JMP row

load23:
	VMOVAPD Z30, Z27
	JMP row

load22:
	VMOVAPD Z30, Z26
	JMP row

load21:
	VMOVAPD Z30, Z25
	JMP row

load20:
	VMOVAPD Z30, Z24
	JMP row

load19:
	VMOVAPD Z30, Z23
	JMP row

load18:
	VMOVAPD Z30, Z22
	JMP row

load17:
	VMOVAPD Z30, Z21
	JMP row

load16:
	VMOVAPD Z30, Z20
	JMP row

load15:
	VMOVAPD Z30, Z19
	JMP row

load14:
	VMOVAPD Z30, Z18
	JMP row

load13:
	VMOVAPD Z30, Z17
	JMP row

load12:
	VMOVAPD Z30, Z16
	JMP row

load11:
	VMOVAPD Z30, Z15
	JMP row

load10:
	VMOVAPD Z30, Z14
	JMP row

load9:
	VMOVAPD Z30, Z13
	JMP row

load8:
	VMOVAPD Z30, Z12
	JMP row

load7:
	VMOVAPD Z30, Z11
	JMP row

load6:
	VMOVAPD Z30, Z10
	JMP row

load5:
	VMOVAPD Z30, Z9
	JMP row

load4:
	VMOVAPD Z30, Z8
	JMP row

load3:
	VMOVAPD Z30, Z7
	JMP row

load2:
	VMOVAPD Z30, Z6
	JMP row

load1:
	VMOVAPD Z30, Z5
	JMP row

load0:
	VMOVAPD Z30, Z4

row: // lanes of the row, whole vectors until the last
	CMPQ DX, $1
	JEQ last0
	VMULPS 0(SI), Z4, Z0
	CMPQ DX, $2
	JEQ last1
	VMULPS 64(SI), Z5, Z1
	CMPQ DX, $3
	JEQ last2
	VMULPS 128(SI), Z6, Z2
	CMPQ DX, $4
	JEQ last3
	VMULPS 192(SI), Z7, Z3
	CMPQ DX, $5
	JEQ last4
	VFMADD231PS 256(SI), Z8, Z0
	CMPQ DX, $6
	JEQ last5
	VFMADD231PS 320(SI), Z9, Z1
	CMPQ DX, $7
	JEQ last6
	VFMADD231PS 384(SI), Z10, Z2
	CMPQ DX, $8
	JEQ last7
	VFMADD231PS 448(SI), Z11, Z3
	CMPQ DX, $9
	JEQ last8
	VFMADD231PS 512(SI), Z12, Z0
	CMPQ DX, $10
	JEQ last9
	VFMADD231PS 576(SI), Z13, Z1
	CMPQ DX, $11
	JEQ last10
	VFMADD231PS 640(SI), Z14, Z2
	CMPQ DX, $12
	JEQ last11
	VFMADD231PS 704(SI), Z15, Z3
	CMPQ DX, $13
	JEQ last12
	VFMADD231PS 768(SI), Z16, Z0
	CMPQ DX, $14
	JEQ last13
	VFMADD231PS 832(SI), Z17, Z1
	CMPQ DX, $15
	JEQ last14
	VFMADD231PS 896(SI), Z18, Z2
	CMPQ DX, $16
	JEQ last15
	VFMADD231PS 960(SI), Z19, Z3
	CMPQ DX, $17
	JEQ last16
	VFMADD231PS 1024(SI), Z20, Z0
	CMPQ DX, $18
	JEQ last17
	VFMADD231PS 1088(SI), Z21, Z1
	CMPQ DX, $19
	JEQ last18
	VFMADD231PS 1152(SI), Z22, Z2
	CMPQ DX, $20
	JEQ last19
	VFMADD231PS 1216(SI), Z23, Z3
	CMPQ DX, $21
	JEQ last20
	VFMADD231PS 1280(SI), Z24, Z0
	CMPQ DX, $22
	JEQ last21
	VFMADD231PS 1344(SI), Z25, Z1
	CMPQ DX, $23
	JEQ last22
	VFMADD231PS 1408(SI), Z26, Z2
	CMPQ DX, $24
	JEQ last23
	VFMADD231PS 1472(SI), Z27, Z3
	CMPQ DX, $25
	JEQ last24
	VFMADD231PS 1536(SI), Z28, Z0
	CMPQ DX, $26
	JEQ last25
	VFMADD231PS 1600(SI), Z29, Z1
	CMPQ DX, $27
	JEQ last26
	VFMADD231PS 1664(SI), Z30, Z2
	VFMADD231PS 1728(SI), Z31, K1, Z3

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
	VMOVSS X0, (DI)
	ADDQ $4, DI
	ADDQ R9, SI
	DECQ BX
	JNE row
	VZEROUPPER
	RET

last0:
	VMOVUPS.Z 0(SI), K1, Z0
	VMULPS Z0, Z4, Z0
	JMP halve

last1:
	VMOVUPS.Z 64(SI), K1, Z1
	VMULPS Z1, Z5, Z1
	VADDPS Z1, Z0, Z0
	JMP halve

last2:
	VMOVUPS.Z 128(SI), K1, Z2
	VMULPS Z2, Z6, Z2
	VADDPS Z1, Z0, Z0
	VADDPS Z2, Z0, Z0
	JMP halve

last3:
	VMOVUPS.Z 192(SI), K1, Z3
	VMULPS Z3, Z7, Z3
	JMP sum

last4:
	VFMADD231PS 256(SI), Z8, K1, Z0
	JMP sum

last5:
	VFMADD231PS 320(SI), Z9, K1, Z1
	JMP sum

last6:
	VFMADD231PS 384(SI), Z10, K1, Z2
	JMP sum

last7:
	VFMADD231PS 448(SI), Z11, K1, Z3
	JMP sum

last8:
	VFMADD231PS 512(SI), Z12, K1, Z0
	JMP sum

last9:
	VFMADD231PS 576(SI), Z13, K1, Z1
	JMP sum

last10:
	VFMADD231PS 640(SI), Z14, K1, Z2
	JMP sum

last11:
	VFMADD231PS 704(SI), Z15, K1, Z3
	JMP sum

last12:
	VFMADD231PS 768(SI), Z16, K1, Z0
	JMP sum

last13:
	VFMADD231PS 832(SI), Z17, K1, Z1
	JMP sum

last14:
	VFMADD231PS 896(SI), Z18, K1, Z2
	JMP sum

last15:
	VFMADD231PS 960(SI), Z19, K1, Z3
	JMP sum

last16:
	VFMADD231PS 1024(SI), Z20, K1, Z0
	JMP sum

last17:
	VFMADD231PS 1088(SI), Z21, K1, Z1
	JMP sum

last18:
	VFMADD231PS 1152(SI), Z22, K1, Z2
	JMP sum

last19:
	VFMADD231PS 1216(SI), Z23, K1, Z3
	JMP sum

last20:
	VFMADD231PS 1280(SI), Z24, K1, Z0
	JMP sum

last21:
	VFMADD231PS 1344(SI), Z25, K1, Z1
	JMP sum

last22:
	VFMADD231PS 1408(SI), Z26, K1, Z2
	JMP sum

last23:
	VFMADD231PS 1472(SI), Z27, K1, Z3
	JMP sum

last24:
	VFMADD231PS 1536(SI), Z28, K1, Z0
	JMP sum

last25:
	VFMADD231PS 1600(SI), Z29, K1, Z1
	JMP sum

last26:
	VFMADD231PS 1664(SI), Z30, K1, Z2
	JMP sum

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

fourRows: // Z0-Z15: the lanes of four rows; Z16-Z19: x; R11: third stride; R12: end of the whole
	// blocks of x; DX: vectors after them. The last four rows may overlap those before.
	LEAQ (R9)(R9*2), R11
	DECQ DX
	MOVQ DX, R12
	ANDQ $3, DX
	SUBQ DX, R12
	SHLQ $6, R12
	ADDQ R8, R12

rows4:
	MOVQ SI, R13
	MOVQ x_base+72(FP), R8
	VMOVUPS 0(R8), Z16
	VMOVUPS 64(R8), Z17
	VMOVUPS 128(R8), Z18
	VMOVUPS 192(R8), Z19
	VMULPS (R13), Z16, Z0
	VMULPS 64(R13), Z17, Z1
	VMULPS 128(R13), Z18, Z2
	VMULPS 192(R13), Z19, Z3
	VMULPS (R13)(R9*1), Z16, Z4
	VMULPS 64(R13)(R9*1), Z17, Z5
	VMULPS 128(R13)(R9*1), Z18, Z6
	VMULPS 192(R13)(R9*1), Z19, Z7
	VMULPS (R13)(R9*2), Z16, Z8
	VMULPS 64(R13)(R9*2), Z17, Z9
	VMULPS 128(R13)(R9*2), Z18, Z10
	VMULPS 192(R13)(R9*2), Z19, Z11
	VMULPS (R13)(R11*1), Z16, Z12
	VMULPS 64(R13)(R11*1), Z17, Z13
	VMULPS 128(R13)(R11*1), Z18, Z14
	VMULPS 192(R13)(R11*1), Z19, Z15
	ADDQ $256, R13
	ADDQ $256, R8

loop64:
	VMOVUPS 0(R8), Z16
	VMOVUPS 64(R8), Z17
	VMOVUPS 128(R8), Z18
	VMOVUPS 192(R8), Z19
	VFMADD231PS (R13), Z16, Z0
	VFMADD231PS 64(R13), Z17, Z1
	VFMADD231PS 128(R13), Z18, Z2
	VFMADD231PS 192(R13), Z19, Z3
	VFMADD231PS (R13)(R9*1), Z16, Z4
	VFMADD231PS 64(R13)(R9*1), Z17, Z5
	VFMADD231PS 128(R13)(R9*1), Z18, Z6
	VFMADD231PS 192(R13)(R9*1), Z19, Z7
	VFMADD231PS (R13)(R9*2), Z16, Z8
	VFMADD231PS 64(R13)(R9*2), Z17, Z9
	VFMADD231PS 128(R13)(R9*2), Z18, Z10
	VFMADD231PS 192(R13)(R9*2), Z19, Z11
	VFMADD231PS (R13)(R11*1), Z16, Z12
	VFMADD231PS 64(R13)(R11*1), Z17, Z13
	VFMADD231PS 128(R13)(R11*1), Z18, Z14
	VFMADD231PS 192(R13)(R11*1), Z19, Z15
	ADDQ $256, R13
	ADDQ $256, R8
	CMPQ R8, R12
	JNE loop64

	// up to three whole vectors and the last one
	CMPQ DX, $1
	JLT end0
	VMOVUPS 0(R8), Z16
	VFMADD231PS (R13), Z16, Z0
	VFMADD231PS (R13)(R9*1), Z16, Z4
	VFMADD231PS (R13)(R9*2), Z16, Z8
	VFMADD231PS (R13)(R11*1), Z16, Z12
	CMPQ DX, $2
	JLT end1
	VMOVUPS 64(R8), Z16
	VFMADD231PS 64(R13), Z16, Z1
	VFMADD231PS 64(R13)(R9*1), Z16, Z5
	VFMADD231PS 64(R13)(R9*2), Z16, Z9
	VFMADD231PS 64(R13)(R11*1), Z16, Z13
	CMPQ DX, $3
	JLT end2
	VMOVUPS 128(R8), Z16
	VFMADD231PS 128(R13), Z16, Z2
	VFMADD231PS 128(R13)(R9*1), Z16, Z6
	VFMADD231PS 128(R13)(R9*2), Z16, Z10
	VFMADD231PS 128(R13)(R11*1), Z16, Z14
	VFMADD231PS 192(R13), Z30, K1, Z3
	VFMADD231PS 192(R13)(R9*1), Z30, K1, Z7
	VFMADD231PS 192(R13)(R9*2), Z30, K1, Z11
	VFMADD231PS 192(R13)(R11*1), Z30, K1, Z15

sum4: // as above, with the four rows in the quarters of a register for the last steps
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
	VSHUFF64X2 $0xee, Z4, Z0, Z2
	VADDPS Z2, Z1, Z0
	VSHUFF64X2 $0x44, Z12, Z8, Z1
	VSHUFF64X2 $0xee, Z12, Z8, Z2
	VADDPS Z2, Z1, Z8
	VSHUFF64X2 $0x88, Z8, Z0, Z1 // first quarters of the halves
	VSHUFF64X2 $0xdd, Z8, Z0, Z2
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
	VFMADD231PS (R13), Z30, K1, Z0
	VFMADD231PS (R13)(R9*1), Z30, K1, Z4
	VFMADD231PS (R13)(R9*2), Z30, K1, Z8
	VFMADD231PS (R13)(R11*1), Z30, K1, Z12
	JMP sum4

end1:
	VFMADD231PS 64(R13), Z30, K1, Z1
	VFMADD231PS 64(R13)(R9*1), Z30, K1, Z5
	VFMADD231PS 64(R13)(R9*2), Z30, K1, Z9
	VFMADD231PS 64(R13)(R11*1), Z30, K1, Z13
	JMP sum4

end2:
	VFMADD231PS 128(R13), Z30, K1, Z2
	VFMADD231PS 128(R13)(R9*1), Z30, K1, Z6
	VFMADD231PS 128(R13)(R9*2), Z30, K1, Z10
	VFMADD231PS 128(R13)(R11*1), Z30, K1, Z14
	JMP sum4

// func gemvF32WideAVX512(dst []float64, a []float32, rows, cols, stride int, x []float64)
// Requires: AVX512F, AVX512DQ
//
// For cols > 0; four rows at least when cols > 208. DI: dst; SI: the row; R9: its stride
// in bytes; BX: rows left; DX: vectors of a row; K1: mask of the last one. Up to 26 vectors,
// x stays in registers from Z4 on and the row is read in order into the lanes Z0-Z3; beyond,
// four rows share each load of x. The last vector of x is −0 where there is no element.
TEXT ·gemvF32WideAVX512(SB), NOSPLIT, $0-96
	MOVQ dst_base+0(FP), DI
	MOVQ a_base+24(FP), SI
	MOVQ rows+48(FP), BX
	MOVQ cols+56(FP), DX
	MOVQ stride+64(FP), R9
	SHLQ $2, R9
	MOVQ x_base+72(FP), R8
	VPTERNLOGD $0xff, Z30, Z30, Z30
	VPSLLQ $63, Z30, Z30
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
	CMPQ DX, $26
	JHI fourRows
	CMPQ DX, $1
	JEQ load0
	VMOVUPD 0(R8), Z4
	CMPQ DX, $2
	JEQ load1
	VMOVUPD 64(R8), Z5
	CMPQ DX, $3
	JEQ load2
	VMOVUPD 128(R8), Z6
	CMPQ DX, $4
	JEQ load3
	VMOVUPD 192(R8), Z7
	CMPQ DX, $5
	JEQ load4
	VMOVUPD 256(R8), Z8
	CMPQ DX, $6
	JEQ load5
	VMOVUPD 320(R8), Z9
	CMPQ DX, $7
	JEQ load6
	VMOVUPD 384(R8), Z10
	CMPQ DX, $8
	JEQ load7
	VMOVUPD 448(R8), Z11
	CMPQ DX, $9
	JEQ load8
	VMOVUPD 512(R8), Z12
	CMPQ DX, $10
	JEQ load9
	VMOVUPD 576(R8), Z13
	CMPQ DX, $11
	JEQ load10
	VMOVUPD 640(R8), Z14
	CMPQ DX, $12
	JEQ load11
	VMOVUPD 704(R8), Z15
	CMPQ DX, $13
	JEQ load12
	VMOVUPD 768(R8), Z16
	CMPQ DX, $14
	JEQ load13
	VMOVUPD 832(R8), Z17
	CMPQ DX, $15
	JEQ load14
	VMOVUPD 896(R8), Z18
	CMPQ DX, $16
	JEQ load15
	VMOVUPD 960(R8), Z19
	CMPQ DX, $17
	JEQ load16
	VMOVUPD 1024(R8), Z20
	CMPQ DX, $18
	JEQ load17
	VMOVUPD 1088(R8), Z21
	CMPQ DX, $19
	JEQ load18
	VMOVUPD 1152(R8), Z22
	CMPQ DX, $20
	JEQ load19
	VMOVUPD 1216(R8), Z23
	CMPQ DX, $21
	JEQ load20
	VMOVUPD 1280(R8), Z24
	CMPQ DX, $22
	JEQ load21
	VMOVUPD 1344(R8), Z25
	CMPQ DX, $23
	JEQ load22
	VMOVUPD 1408(R8), Z26
	CMPQ DX, $24
	JEQ load23
	VMOVUPD 1472(R8), Z27
	CMPQ DX, $25
	JEQ load24
	VMOVUPD 1536(R8), Z28
	VMOVAPD Z30, Z29
	JMP row

load24:
	VMOVAPD Z30, Z28
	JMP row

load23:
	VMOVAPD Z30, Z27
	JMP row

load22:
	VMOVAPD Z30, Z26
	JMP row

load21:
	VMOVAPD Z30, Z25
	JMP row

load20:
	VMOVAPD Z30, Z24
	JMP row

load19:
	VMOVAPD Z30, Z23
	JMP row

load18:
	VMOVAPD Z30, Z22
	JMP row

load17:
	VMOVAPD Z30, Z21
	JMP row

load16:
	VMOVAPD Z30, Z20
	JMP row

load15:
	VMOVAPD Z30, Z19
	JMP row

load14:
	VMOVAPD Z30, Z18
	JMP row

load13:
	VMOVAPD Z30, Z17
	JMP row

load12:
	VMOVAPD Z30, Z16
	JMP row

load11:
	VMOVAPD Z30, Z15
	JMP row

load10:
	VMOVAPD Z30, Z14
	JMP row

load9:
	VMOVAPD Z30, Z13
	JMP row

load8:
	VMOVAPD Z30, Z12
	JMP row

load7:
	VMOVAPD Z30, Z11
	JMP row

load6:
	VMOVAPD Z30, Z10
	JMP row

load5:
	VMOVAPD Z30, Z9
	JMP row

load4:
	VMOVAPD Z30, Z8
	JMP row

load3:
	VMOVAPD Z30, Z7
	JMP row

load2:
	VMOVAPD Z30, Z6
	JMP row

load1:
	VMOVAPD Z30, Z5
	JMP row

load0:
	VMOVAPD Z30, Z4

row: // lanes of the row, whole vectors until the last
	CMPQ DX, $1
	JEQ last0
	VCVTPS2PD 0(SI), Z31
	VMULPD Z31, Z4, Z0
	CMPQ DX, $2
	JEQ last1
	VCVTPS2PD 32(SI), Z31
	VMULPD Z31, Z5, Z1
	CMPQ DX, $3
	JEQ last2
	VCVTPS2PD 64(SI), Z31
	VMULPD Z31, Z6, Z2
	CMPQ DX, $4
	JEQ last3
	VCVTPS2PD 96(SI), Z31
	VMULPD Z31, Z7, Z3
	CMPQ DX, $5
	JEQ last4
	VCVTPS2PD 128(SI), Z31
	VFMADD231PD Z31, Z8, Z0
	CMPQ DX, $6
	JEQ last5
	VCVTPS2PD 160(SI), Z31
	VFMADD231PD Z31, Z9, Z1
	CMPQ DX, $7
	JEQ last6
	VCVTPS2PD 192(SI), Z31
	VFMADD231PD Z31, Z10, Z2
	CMPQ DX, $8
	JEQ last7
	VCVTPS2PD 224(SI), Z31
	VFMADD231PD Z31, Z11, Z3
	CMPQ DX, $9
	JEQ last8
	VCVTPS2PD 256(SI), Z31
	VFMADD231PD Z31, Z12, Z0
	CMPQ DX, $10
	JEQ last9
	VCVTPS2PD 288(SI), Z31
	VFMADD231PD Z31, Z13, Z1
	CMPQ DX, $11
	JEQ last10
	VCVTPS2PD 320(SI), Z31
	VFMADD231PD Z31, Z14, Z2
	CMPQ DX, $12
	JEQ last11
	VCVTPS2PD 352(SI), Z31
	VFMADD231PD Z31, Z15, Z3
	CMPQ DX, $13
	JEQ last12
	VCVTPS2PD 384(SI), Z31
	VFMADD231PD Z31, Z16, Z0
	CMPQ DX, $14
	JEQ last13
	VCVTPS2PD 416(SI), Z31
	VFMADD231PD Z31, Z17, Z1
	CMPQ DX, $15
	JEQ last14
	VCVTPS2PD 448(SI), Z31
	VFMADD231PD Z31, Z18, Z2
	CMPQ DX, $16
	JEQ last15
	VCVTPS2PD 480(SI), Z31
	VFMADD231PD Z31, Z19, Z3
	CMPQ DX, $17
	JEQ last16
	VCVTPS2PD 512(SI), Z31
	VFMADD231PD Z31, Z20, Z0
	CMPQ DX, $18
	JEQ last17
	VCVTPS2PD 544(SI), Z31
	VFMADD231PD Z31, Z21, Z1
	CMPQ DX, $19
	JEQ last18
	VCVTPS2PD 576(SI), Z31
	VFMADD231PD Z31, Z22, Z2
	CMPQ DX, $20
	JEQ last19
	VCVTPS2PD 608(SI), Z31
	VFMADD231PD Z31, Z23, Z3
	CMPQ DX, $21
	JEQ last20
	VCVTPS2PD 640(SI), Z31
	VFMADD231PD Z31, Z24, Z0
	CMPQ DX, $22
	JEQ last21
	VCVTPS2PD 672(SI), Z31
	VFMADD231PD Z31, Z25, Z1
	CMPQ DX, $23
	JEQ last22
	VCVTPS2PD 704(SI), Z31
	VFMADD231PD Z31, Z26, Z2
	CMPQ DX, $24
	JEQ last23
	VCVTPS2PD 736(SI), Z31
	VFMADD231PD Z31, Z27, Z3
	CMPQ DX, $25
	JEQ last24
	VCVTPS2PD 768(SI), Z31
	VFMADD231PD Z31, Z28, Z0
	VCVTPS2PD.Z 800(SI), K1, Z31
	VFMADD231PD Z31, Z29, Z1

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
	VMOVSD X0, (DI)
	ADDQ $8, DI
	ADDQ R9, SI
	DECQ BX
	JNE row
	VZEROUPPER
	RET

last0:
	VCVTPS2PD.Z 0(SI), K1, Z31
	VMULPD Z31, Z4, Z0
	JMP halve

last1:
	VCVTPS2PD.Z 32(SI), K1, Z31
	VMULPD Z31, Z5, Z1
	VADDPD Z1, Z0, Z0
	JMP halve

last2:
	VCVTPS2PD.Z 64(SI), K1, Z31
	VMULPD Z31, Z6, Z2
	VADDPD Z1, Z0, Z0
	VADDPD Z2, Z0, Z0
	JMP halve

last3:
	VCVTPS2PD.Z 96(SI), K1, Z31
	VMULPD Z31, Z7, Z3
	JMP sum

last4:
	VCVTPS2PD.Z 128(SI), K1, Z31
	VFMADD231PD Z31, Z8, Z0
	JMP sum

last5:
	VCVTPS2PD.Z 160(SI), K1, Z31
	VFMADD231PD Z31, Z9, Z1
	JMP sum

last6:
	VCVTPS2PD.Z 192(SI), K1, Z31
	VFMADD231PD Z31, Z10, Z2
	JMP sum

last7:
	VCVTPS2PD.Z 224(SI), K1, Z31
	VFMADD231PD Z31, Z11, Z3
	JMP sum

last8:
	VCVTPS2PD.Z 256(SI), K1, Z31
	VFMADD231PD Z31, Z12, Z0
	JMP sum

last9:
	VCVTPS2PD.Z 288(SI), K1, Z31
	VFMADD231PD Z31, Z13, Z1
	JMP sum

last10:
	VCVTPS2PD.Z 320(SI), K1, Z31
	VFMADD231PD Z31, Z14, Z2
	JMP sum

last11:
	VCVTPS2PD.Z 352(SI), K1, Z31
	VFMADD231PD Z31, Z15, Z3
	JMP sum

last12:
	VCVTPS2PD.Z 384(SI), K1, Z31
	VFMADD231PD Z31, Z16, Z0
	JMP sum

last13:
	VCVTPS2PD.Z 416(SI), K1, Z31
	VFMADD231PD Z31, Z17, Z1
	JMP sum

last14:
	VCVTPS2PD.Z 448(SI), K1, Z31
	VFMADD231PD Z31, Z18, Z2
	JMP sum

last15:
	VCVTPS2PD.Z 480(SI), K1, Z31
	VFMADD231PD Z31, Z19, Z3
	JMP sum

last16:
	VCVTPS2PD.Z 512(SI), K1, Z31
	VFMADD231PD Z31, Z20, Z0
	JMP sum

last17:
	VCVTPS2PD.Z 544(SI), K1, Z31
	VFMADD231PD Z31, Z21, Z1
	JMP sum

last18:
	VCVTPS2PD.Z 576(SI), K1, Z31
	VFMADD231PD Z31, Z22, Z2
	JMP sum

last19:
	VCVTPS2PD.Z 608(SI), K1, Z31
	VFMADD231PD Z31, Z23, Z3
	JMP sum

last20:
	VCVTPS2PD.Z 640(SI), K1, Z31
	VFMADD231PD Z31, Z24, Z0
	JMP sum

last21:
	VCVTPS2PD.Z 672(SI), K1, Z31
	VFMADD231PD Z31, Z25, Z1
	JMP sum

last22:
	VCVTPS2PD.Z 704(SI), K1, Z31
	VFMADD231PD Z31, Z26, Z2
	JMP sum

last23:
	VCVTPS2PD.Z 736(SI), K1, Z31
	VFMADD231PD Z31, Z27, Z3
	JMP sum

last24:
	VCVTPS2PD.Z 768(SI), K1, Z31
	VFMADD231PD Z31, Z28, Z0
	JMP sum

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

fourRows: // Z0-Z15: the lanes of four rows; Z16-Z19: x; R11: third stride; R12: end of the whole
	// blocks of x; DX: vectors after them. The last four rows may overlap those before.
	LEAQ (R9)(R9*2), R11
	DECQ DX
	MOVQ DX, R12
	ANDQ $3, DX
	SUBQ DX, R12
	SHLQ $6, R12
	ADDQ R8, R12

rows4:
	MOVQ SI, R13
	MOVQ x_base+72(FP), R8
	VMOVUPD 0(R8), Z16
	VMOVUPD 64(R8), Z17
	VMOVUPD 128(R8), Z18
	VMOVUPD 192(R8), Z19
	VCVTPS2PD (R13), Z20
	VMULPD Z20, Z16, Z0
	VCVTPS2PD 32(R13), Z21
	VMULPD Z21, Z17, Z1
	VCVTPS2PD 64(R13), Z22
	VMULPD Z22, Z18, Z2
	VCVTPS2PD 96(R13), Z23
	VMULPD Z23, Z19, Z3
	VCVTPS2PD (R13)(R9*1), Z20
	VMULPD Z20, Z16, Z4
	VCVTPS2PD 32(R13)(R9*1), Z21
	VMULPD Z21, Z17, Z5
	VCVTPS2PD 64(R13)(R9*1), Z22
	VMULPD Z22, Z18, Z6
	VCVTPS2PD 96(R13)(R9*1), Z23
	VMULPD Z23, Z19, Z7
	VCVTPS2PD (R13)(R9*2), Z20
	VMULPD Z20, Z16, Z8
	VCVTPS2PD 32(R13)(R9*2), Z21
	VMULPD Z21, Z17, Z9
	VCVTPS2PD 64(R13)(R9*2), Z22
	VMULPD Z22, Z18, Z10
	VCVTPS2PD 96(R13)(R9*2), Z23
	VMULPD Z23, Z19, Z11
	VCVTPS2PD (R13)(R11*1), Z20
	VMULPD Z20, Z16, Z12
	VCVTPS2PD 32(R13)(R11*1), Z21
	VMULPD Z21, Z17, Z13
	VCVTPS2PD 64(R13)(R11*1), Z22
	VMULPD Z22, Z18, Z14
	VCVTPS2PD 96(R13)(R11*1), Z23
	VMULPD Z23, Z19, Z15
	ADDQ $128, R13
	ADDQ $256, R8

loop32:
	VMOVUPD 0(R8), Z16
	VMOVUPD 64(R8), Z17
	VMOVUPD 128(R8), Z18
	VMOVUPD 192(R8), Z19
	VCVTPS2PD (R13), Z20
	VFMADD231PD Z20, Z16, Z0
	VCVTPS2PD 32(R13), Z21
	VFMADD231PD Z21, Z17, Z1
	VCVTPS2PD 64(R13), Z22
	VFMADD231PD Z22, Z18, Z2
	VCVTPS2PD 96(R13), Z23
	VFMADD231PD Z23, Z19, Z3
	VCVTPS2PD (R13)(R9*1), Z20
	VFMADD231PD Z20, Z16, Z4
	VCVTPS2PD 32(R13)(R9*1), Z21
	VFMADD231PD Z21, Z17, Z5
	VCVTPS2PD 64(R13)(R9*1), Z22
	VFMADD231PD Z22, Z18, Z6
	VCVTPS2PD 96(R13)(R9*1), Z23
	VFMADD231PD Z23, Z19, Z7
	VCVTPS2PD (R13)(R9*2), Z20
	VFMADD231PD Z20, Z16, Z8
	VCVTPS2PD 32(R13)(R9*2), Z21
	VFMADD231PD Z21, Z17, Z9
	VCVTPS2PD 64(R13)(R9*2), Z22
	VFMADD231PD Z22, Z18, Z10
	VCVTPS2PD 96(R13)(R9*2), Z23
	VFMADD231PD Z23, Z19, Z11
	VCVTPS2PD (R13)(R11*1), Z20
	VFMADD231PD Z20, Z16, Z12
	VCVTPS2PD 32(R13)(R11*1), Z21
	VFMADD231PD Z21, Z17, Z13
	VCVTPS2PD 64(R13)(R11*1), Z22
	VFMADD231PD Z22, Z18, Z14
	VCVTPS2PD 96(R13)(R11*1), Z23
	VFMADD231PD Z23, Z19, Z15
	ADDQ $128, R13
	ADDQ $256, R8
	CMPQ R8, R12
	JNE loop32

	// up to three whole vectors and the last one
	CMPQ DX, $1
	JLT end0
	VMOVUPD 0(R8), Z16
	VCVTPS2PD (R13), Z20
	VFMADD231PD Z20, Z16, Z0
	VCVTPS2PD (R13)(R9*1), Z21
	VFMADD231PD Z21, Z16, Z4
	VCVTPS2PD (R13)(R9*2), Z22
	VFMADD231PD Z22, Z16, Z8
	VCVTPS2PD (R13)(R11*1), Z23
	VFMADD231PD Z23, Z16, Z12
	CMPQ DX, $2
	JLT end1
	VMOVUPD 64(R8), Z16
	VCVTPS2PD 32(R13), Z20
	VFMADD231PD Z20, Z16, Z1
	VCVTPS2PD 32(R13)(R9*1), Z21
	VFMADD231PD Z21, Z16, Z5
	VCVTPS2PD 32(R13)(R9*2), Z22
	VFMADD231PD Z22, Z16, Z9
	VCVTPS2PD 32(R13)(R11*1), Z23
	VFMADD231PD Z23, Z16, Z13
	CMPQ DX, $3
	JLT end2
	VMOVUPD 128(R8), Z16
	VCVTPS2PD 64(R13), Z20
	VFMADD231PD Z20, Z16, Z2
	VCVTPS2PD 64(R13)(R9*1), Z21
	VFMADD231PD Z21, Z16, Z6
	VCVTPS2PD 64(R13)(R9*2), Z22
	VFMADD231PD Z22, Z16, Z10
	VCVTPS2PD 64(R13)(R11*1), Z23
	VFMADD231PD Z23, Z16, Z14
	VCVTPS2PD.Z 96(R13), K1, Z20
	VFMADD231PD Z20, Z30, Z3
	VCVTPS2PD.Z 96(R13)(R9*1), K1, Z21
	VFMADD231PD Z21, Z30, Z7
	VCVTPS2PD.Z 96(R13)(R9*2), K1, Z22
	VFMADD231PD Z22, Z30, Z11
	VCVTPS2PD.Z 96(R13)(R11*1), K1, Z23
	VFMADD231PD Z23, Z30, Z15

sum4: // as above, with the four rows in the quarters of a register for the last steps
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
	VSHUFF64X2 $0xee, Z4, Z0, Z2
	VADDPD Z2, Z1, Z0
	VSHUFF64X2 $0x44, Z12, Z8, Z1
	VSHUFF64X2 $0xee, Z12, Z8, Z2
	VADDPD Z2, Z1, Z8
	VSHUFF64X2 $0x88, Z8, Z0, Z1 // first quarters of the halves
	VSHUFF64X2 $0xdd, Z8, Z0, Z2
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
	VCVTPS2PD.Z (R13), K1, Z20
	VFMADD231PD Z20, Z30, Z0
	VCVTPS2PD.Z (R13)(R9*1), K1, Z21
	VFMADD231PD Z21, Z30, Z4
	VCVTPS2PD.Z (R13)(R9*2), K1, Z22
	VFMADD231PD Z22, Z30, Z8
	VCVTPS2PD.Z (R13)(R11*1), K1, Z23
	VFMADD231PD Z23, Z30, Z12
	JMP sum4

end1:
	VCVTPS2PD.Z 32(R13), K1, Z20
	VFMADD231PD Z20, Z30, Z1
	VCVTPS2PD.Z 32(R13)(R9*1), K1, Z21
	VFMADD231PD Z21, Z30, Z5
	VCVTPS2PD.Z 32(R13)(R9*2), K1, Z22
	VFMADD231PD Z22, Z30, Z9
	VCVTPS2PD.Z 32(R13)(R11*1), K1, Z23
	VFMADD231PD Z23, Z30, Z13
	JMP sum4

end2:
	VCVTPS2PD.Z 64(R13), K1, Z20
	VFMADD231PD Z20, Z30, Z2
	VCVTPS2PD.Z 64(R13)(R9*1), K1, Z21
	VFMADD231PD Z21, Z30, Z6
	VCVTPS2PD.Z 64(R13)(R9*2), K1, Z22
	VFMADD231PD Z22, Z30, Z10
	VCVTPS2PD.Z 64(R13)(R11*1), K1, Z23
	VFMADD231PD Z23, Z30, Z14
	JMP sum4

// func gemvTF64AVX512(dst, a []float64, rows, cols, stride int, c []float64)
// Requires: AVX512F
//
// Strips of up to 28 vectors of columns, of equal width but for the last; each strip of dst
// stays in Z0-Z27 over all rows. DI: dst; R12: the strip of the first row; R9: stride in
// bytes; R13: vectors of a strip; R10: vectors left; DX: vectors of this strip; K1: mask of
// its last vector; SI, R8, BX: row, c and rows left; Z28: c[i].
TEXT ·gemvTF64AVX512(SB), NOSPLIT, $0-96
	MOVQ dst_base+0(FP), DI
	MOVQ a_base+24(FP), R12
	MOVQ stride+64(FP), R9
	SHLQ $3, R9
	MOVQ cols+56(FP), R10
	ADDQ $7, R10
	SHRQ $3, R10
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
	CMPQ DX, $1
	JEQ load0
	VMOVUPD 0(DI), Z0
	CMPQ DX, $2
	JEQ load1
	VMOVUPD 64(DI), Z1
	CMPQ DX, $3
	JEQ load2
	VMOVUPD 128(DI), Z2
	CMPQ DX, $4
	JEQ load3
	VMOVUPD 192(DI), Z3
	CMPQ DX, $5
	JEQ load4
	VMOVUPD 256(DI), Z4
	CMPQ DX, $6
	JEQ load5
	VMOVUPD 320(DI), Z5
	CMPQ DX, $7
	JEQ load6
	VMOVUPD 384(DI), Z6
	CMPQ DX, $8
	JEQ load7
	VMOVUPD 448(DI), Z7
	CMPQ DX, $9
	JEQ load8
	VMOVUPD 512(DI), Z8
	CMPQ DX, $10
	JEQ load9
	VMOVUPD 576(DI), Z9
	CMPQ DX, $11
	JEQ load10
	VMOVUPD 640(DI), Z10
	CMPQ DX, $12
	JEQ load11
	VMOVUPD 704(DI), Z11
	CMPQ DX, $13
	JEQ load12
	VMOVUPD 768(DI), Z12
	CMPQ DX, $14
	JEQ load13
	VMOVUPD 832(DI), Z13
	CMPQ DX, $15
	JEQ load14
	VMOVUPD 896(DI), Z14
	CMPQ DX, $16
	JEQ load15
	VMOVUPD 960(DI), Z15
	CMPQ DX, $17
	JEQ load16
	VMOVUPD 1024(DI), Z16
	CMPQ DX, $18
	JEQ load17
	VMOVUPD 1088(DI), Z17
	CMPQ DX, $19
	JEQ load18
	VMOVUPD 1152(DI), Z18
	CMPQ DX, $20
	JEQ load19
	VMOVUPD 1216(DI), Z19
	CMPQ DX, $21
	JEQ load20
	VMOVUPD 1280(DI), Z20
	CMPQ DX, $22
	JEQ load21
	VMOVUPD 1344(DI), Z21
	CMPQ DX, $23
	JEQ load22
	VMOVUPD 1408(DI), Z22
	CMPQ DX, $24
	JEQ load23
	VMOVUPD 1472(DI), Z23
	CMPQ DX, $25
	JEQ load24
	VMOVUPD 1536(DI), Z24
	CMPQ DX, $26
	JEQ load25
	VMOVUPD 1600(DI), Z25
	CMPQ DX, $27
	JEQ load26
	VMOVUPD 1664(DI), Z26
	VMOVUPD.Z 1728(DI), K1, Z27
	JMP rows

load26:
	VMOVUPD.Z 1664(DI), K1, Z26
	JMP rows

load25:
	VMOVUPD.Z 1600(DI), K1, Z25
	JMP rows

load24:
	VMOVUPD.Z 1536(DI), K1, Z24
	JMP rows

load23:
	VMOVUPD.Z 1472(DI), K1, Z23
	JMP rows

load22:
	VMOVUPD.Z 1408(DI), K1, Z22
	JMP rows

load21:
	VMOVUPD.Z 1344(DI), K1, Z21
	JMP rows

load20:
	VMOVUPD.Z 1280(DI), K1, Z20
	JMP rows

load19:
	VMOVUPD.Z 1216(DI), K1, Z19
	JMP rows

load18:
	VMOVUPD.Z 1152(DI), K1, Z18
	JMP rows

load17:
	VMOVUPD.Z 1088(DI), K1, Z17
	JMP rows

load16:
	VMOVUPD.Z 1024(DI), K1, Z16
	JMP rows

load15:
	VMOVUPD.Z 960(DI), K1, Z15
	JMP rows

load14:
	VMOVUPD.Z 896(DI), K1, Z14
	JMP rows

load13:
	VMOVUPD.Z 832(DI), K1, Z13
	JMP rows

load12:
	VMOVUPD.Z 768(DI), K1, Z12
	JMP rows

load11:
	VMOVUPD.Z 704(DI), K1, Z11
	JMP rows

load10:
	VMOVUPD.Z 640(DI), K1, Z10
	JMP rows

load9:
	VMOVUPD.Z 576(DI), K1, Z9
	JMP rows

load8:
	VMOVUPD.Z 512(DI), K1, Z8
	JMP rows

load7:
	VMOVUPD.Z 448(DI), K1, Z7
	JMP rows

load6:
	VMOVUPD.Z 384(DI), K1, Z6
	JMP rows

load5:
	VMOVUPD.Z 320(DI), K1, Z5
	JMP rows

load4:
	VMOVUPD.Z 256(DI), K1, Z4
	JMP rows

load3:
	VMOVUPD.Z 192(DI), K1, Z3
	JMP rows

load2:
	VMOVUPD.Z 128(DI), K1, Z2
	JMP rows

load1:
	VMOVUPD.Z 64(DI), K1, Z1
	JMP rows

load0:
	VMOVUPD.Z 0(DI), K1, Z0

rows:
	MOVQ R12, SI
	MOVQ c_base+72(FP), R8
	MOVQ rows+48(FP), BX

row: // dst += c[i]·row
	VBROADCASTSD (R8), Z28
	CMPQ DX, $1
	JEQ last0
	VFMADD231PD 0(SI), Z28, Z0
	CMPQ DX, $2
	JEQ last1
	VFMADD231PD 64(SI), Z28, Z1
	CMPQ DX, $3
	JEQ last2
	VFMADD231PD 128(SI), Z28, Z2
	CMPQ DX, $4
	JEQ last3
	VFMADD231PD 192(SI), Z28, Z3
	CMPQ DX, $5
	JEQ last4
	VFMADD231PD 256(SI), Z28, Z4
	CMPQ DX, $6
	JEQ last5
	VFMADD231PD 320(SI), Z28, Z5
	CMPQ DX, $7
	JEQ last6
	VFMADD231PD 384(SI), Z28, Z6
	CMPQ DX, $8
	JEQ last7
	VFMADD231PD 448(SI), Z28, Z7
	CMPQ DX, $9
	JEQ last8
	VFMADD231PD 512(SI), Z28, Z8
	CMPQ DX, $10
	JEQ last9
	VFMADD231PD 576(SI), Z28, Z9
	CMPQ DX, $11
	JEQ last10
	VFMADD231PD 640(SI), Z28, Z10
	CMPQ DX, $12
	JEQ last11
	VFMADD231PD 704(SI), Z28, Z11
	CMPQ DX, $13
	JEQ last12
	VFMADD231PD 768(SI), Z28, Z12
	CMPQ DX, $14
	JEQ last13
	VFMADD231PD 832(SI), Z28, Z13
	CMPQ DX, $15
	JEQ last14
	VFMADD231PD 896(SI), Z28, Z14
	CMPQ DX, $16
	JEQ last15
	VFMADD231PD 960(SI), Z28, Z15
	CMPQ DX, $17
	JEQ last16
	VFMADD231PD 1024(SI), Z28, Z16
	CMPQ DX, $18
	JEQ last17
	VFMADD231PD 1088(SI), Z28, Z17
	CMPQ DX, $19
	JEQ last18
	VFMADD231PD 1152(SI), Z28, Z18
	CMPQ DX, $20
	JEQ last19
	VFMADD231PD 1216(SI), Z28, Z19
	CMPQ DX, $21
	JEQ last20
	VFMADD231PD 1280(SI), Z28, Z20
	CMPQ DX, $22
	JEQ last21
	VFMADD231PD 1344(SI), Z28, Z21
	CMPQ DX, $23
	JEQ last22
	VFMADD231PD 1408(SI), Z28, Z22
	CMPQ DX, $24
	JEQ last23
	VFMADD231PD 1472(SI), Z28, Z23
	CMPQ DX, $25
	JEQ last24
	VFMADD231PD 1536(SI), Z28, Z24
	CMPQ DX, $26
	JEQ last25
	VFMADD231PD 1600(SI), Z28, Z25
	CMPQ DX, $27
	JEQ last26
	VFMADD231PD 1664(SI), Z28, Z26
	VFMADD231PD 1728(SI), Z28, K1, Z27

next:
	ADDQ $8, R8
	ADDQ R9, SI
	DECQ BX
	JNE row
	CMPQ DX, $1
	JEQ store0
	VMOVUPD Z0, 0(DI)
	CMPQ DX, $2
	JEQ store1
	VMOVUPD Z1, 64(DI)
	CMPQ DX, $3
	JEQ store2
	VMOVUPD Z2, 128(DI)
	CMPQ DX, $4
	JEQ store3
	VMOVUPD Z3, 192(DI)
	CMPQ DX, $5
	JEQ store4
	VMOVUPD Z4, 256(DI)
	CMPQ DX, $6
	JEQ store5
	VMOVUPD Z5, 320(DI)
	CMPQ DX, $7
	JEQ store6
	VMOVUPD Z6, 384(DI)
	CMPQ DX, $8
	JEQ store7
	VMOVUPD Z7, 448(DI)
	CMPQ DX, $9
	JEQ store8
	VMOVUPD Z8, 512(DI)
	CMPQ DX, $10
	JEQ store9
	VMOVUPD Z9, 576(DI)
	CMPQ DX, $11
	JEQ store10
	VMOVUPD Z10, 640(DI)
	CMPQ DX, $12
	JEQ store11
	VMOVUPD Z11, 704(DI)
	CMPQ DX, $13
	JEQ store12
	VMOVUPD Z12, 768(DI)
	CMPQ DX, $14
	JEQ store13
	VMOVUPD Z13, 832(DI)
	CMPQ DX, $15
	JEQ store14
	VMOVUPD Z14, 896(DI)
	CMPQ DX, $16
	JEQ store15
	VMOVUPD Z15, 960(DI)
	CMPQ DX, $17
	JEQ store16
	VMOVUPD Z16, 1024(DI)
	CMPQ DX, $18
	JEQ store17
	VMOVUPD Z17, 1088(DI)
	CMPQ DX, $19
	JEQ store18
	VMOVUPD Z18, 1152(DI)
	CMPQ DX, $20
	JEQ store19
	VMOVUPD Z19, 1216(DI)
	CMPQ DX, $21
	JEQ store20
	VMOVUPD Z20, 1280(DI)
	CMPQ DX, $22
	JEQ store21
	VMOVUPD Z21, 1344(DI)
	CMPQ DX, $23
	JEQ store22
	VMOVUPD Z22, 1408(DI)
	CMPQ DX, $24
	JEQ store23
	VMOVUPD Z23, 1472(DI)
	CMPQ DX, $25
	JEQ store24
	VMOVUPD Z24, 1536(DI)
	CMPQ DX, $26
	JEQ store25
	VMOVUPD Z25, 1600(DI)
	CMPQ DX, $27
	JEQ store26
	VMOVUPD Z26, 1664(DI)
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

last0:
	VFMADD231PD 0(SI), Z28, K1, Z0
	JMP next

last1:
	VFMADD231PD 64(SI), Z28, K1, Z1
	JMP next

last2:
	VFMADD231PD 128(SI), Z28, K1, Z2
	JMP next

last3:
	VFMADD231PD 192(SI), Z28, K1, Z3
	JMP next

last4:
	VFMADD231PD 256(SI), Z28, K1, Z4
	JMP next

last5:
	VFMADD231PD 320(SI), Z28, K1, Z5
	JMP next

last6:
	VFMADD231PD 384(SI), Z28, K1, Z6
	JMP next

last7:
	VFMADD231PD 448(SI), Z28, K1, Z7
	JMP next

last8:
	VFMADD231PD 512(SI), Z28, K1, Z8
	JMP next

last9:
	VFMADD231PD 576(SI), Z28, K1, Z9
	JMP next

last10:
	VFMADD231PD 640(SI), Z28, K1, Z10
	JMP next

last11:
	VFMADD231PD 704(SI), Z28, K1, Z11
	JMP next

last12:
	VFMADD231PD 768(SI), Z28, K1, Z12
	JMP next

last13:
	VFMADD231PD 832(SI), Z28, K1, Z13
	JMP next

last14:
	VFMADD231PD 896(SI), Z28, K1, Z14
	JMP next

last15:
	VFMADD231PD 960(SI), Z28, K1, Z15
	JMP next

last16:
	VFMADD231PD 1024(SI), Z28, K1, Z16
	JMP next

last17:
	VFMADD231PD 1088(SI), Z28, K1, Z17
	JMP next

last18:
	VFMADD231PD 1152(SI), Z28, K1, Z18
	JMP next

last19:
	VFMADD231PD 1216(SI), Z28, K1, Z19
	JMP next

last20:
	VFMADD231PD 1280(SI), Z28, K1, Z20
	JMP next

last21:
	VFMADD231PD 1344(SI), Z28, K1, Z21
	JMP next

last22:
	VFMADD231PD 1408(SI), Z28, K1, Z22
	JMP next

last23:
	VFMADD231PD 1472(SI), Z28, K1, Z23
	JMP next

last24:
	VFMADD231PD 1536(SI), Z28, K1, Z24
	JMP next

last25:
	VFMADD231PD 1600(SI), Z28, K1, Z25
	JMP next

last26:
	VFMADD231PD 1664(SI), Z28, K1, Z26
	JMP next

store0:
	VMOVUPD Z0, K1, 0(DI)
	JMP stored

store1:
	VMOVUPD Z1, K1, 64(DI)
	JMP stored

store2:
	VMOVUPD Z2, K1, 128(DI)
	JMP stored

store3:
	VMOVUPD Z3, K1, 192(DI)
	JMP stored

store4:
	VMOVUPD Z4, K1, 256(DI)
	JMP stored

store5:
	VMOVUPD Z5, K1, 320(DI)
	JMP stored

store6:
	VMOVUPD Z6, K1, 384(DI)
	JMP stored

store7:
	VMOVUPD Z7, K1, 448(DI)
	JMP stored

store8:
	VMOVUPD Z8, K1, 512(DI)
	JMP stored

store9:
	VMOVUPD Z9, K1, 576(DI)
	JMP stored

store10:
	VMOVUPD Z10, K1, 640(DI)
	JMP stored

store11:
	VMOVUPD Z11, K1, 704(DI)
	JMP stored

store12:
	VMOVUPD Z12, K1, 768(DI)
	JMP stored

store13:
	VMOVUPD Z13, K1, 832(DI)
	JMP stored

store14:
	VMOVUPD Z14, K1, 896(DI)
	JMP stored

store15:
	VMOVUPD Z15, K1, 960(DI)
	JMP stored

store16:
	VMOVUPD Z16, K1, 1024(DI)
	JMP stored

store17:
	VMOVUPD Z17, K1, 1088(DI)
	JMP stored

store18:
	VMOVUPD Z18, K1, 1152(DI)
	JMP stored

store19:
	VMOVUPD Z19, K1, 1216(DI)
	JMP stored

store20:
	VMOVUPD Z20, K1, 1280(DI)
	JMP stored

store21:
	VMOVUPD Z21, K1, 1344(DI)
	JMP stored

store22:
	VMOVUPD Z22, K1, 1408(DI)
	JMP stored

store23:
	VMOVUPD Z23, K1, 1472(DI)
	JMP stored

store24:
	VMOVUPD Z24, K1, 1536(DI)
	JMP stored

store25:
	VMOVUPD Z25, K1, 1600(DI)
	JMP stored

store26:
	VMOVUPD Z26, K1, 1664(DI)
	JMP stored

// func gemvTF32AVX512(dst, a []float32, rows, cols, stride int, c []float32)
// Requires: AVX512F
//
// Strips of up to 28 vectors of columns, of equal width but for the last; each strip of dst
// stays in Z0-Z27 over all rows. DI: dst; R12: the strip of the first row; R9: stride in
// bytes; R13: vectors of a strip; R10: vectors left; DX: vectors of this strip; K1: mask of
// its last vector; SI, R8, BX: row, c and rows left; Z28: c[i].
TEXT ·gemvTF32AVX512(SB), NOSPLIT, $0-96
	MOVQ dst_base+0(FP), DI
	MOVQ a_base+24(FP), R12
	MOVQ stride+64(FP), R9
	SHLQ $2, R9
	MOVQ cols+56(FP), R10
	ADDQ $15, R10
	SHRQ $4, R10
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
	CMPQ DX, $1
	JEQ load0
	VMOVUPS 0(DI), Z0
	CMPQ DX, $2
	JEQ load1
	VMOVUPS 64(DI), Z1
	CMPQ DX, $3
	JEQ load2
	VMOVUPS 128(DI), Z2
	CMPQ DX, $4
	JEQ load3
	VMOVUPS 192(DI), Z3
	CMPQ DX, $5
	JEQ load4
	VMOVUPS 256(DI), Z4
	CMPQ DX, $6
	JEQ load5
	VMOVUPS 320(DI), Z5
	CMPQ DX, $7
	JEQ load6
	VMOVUPS 384(DI), Z6
	CMPQ DX, $8
	JEQ load7
	VMOVUPS 448(DI), Z7
	CMPQ DX, $9
	JEQ load8
	VMOVUPS 512(DI), Z8
	CMPQ DX, $10
	JEQ load9
	VMOVUPS 576(DI), Z9
	CMPQ DX, $11
	JEQ load10
	VMOVUPS 640(DI), Z10
	CMPQ DX, $12
	JEQ load11
	VMOVUPS 704(DI), Z11
	CMPQ DX, $13
	JEQ load12
	VMOVUPS 768(DI), Z12
	CMPQ DX, $14
	JEQ load13
	VMOVUPS 832(DI), Z13
	CMPQ DX, $15
	JEQ load14
	VMOVUPS 896(DI), Z14
	CMPQ DX, $16
	JEQ load15
	VMOVUPS 960(DI), Z15
	CMPQ DX, $17
	JEQ load16
	VMOVUPS 1024(DI), Z16
	CMPQ DX, $18
	JEQ load17
	VMOVUPS 1088(DI), Z17
	CMPQ DX, $19
	JEQ load18
	VMOVUPS 1152(DI), Z18
	CMPQ DX, $20
	JEQ load19
	VMOVUPS 1216(DI), Z19
	CMPQ DX, $21
	JEQ load20
	VMOVUPS 1280(DI), Z20
	CMPQ DX, $22
	JEQ load21
	VMOVUPS 1344(DI), Z21
	CMPQ DX, $23
	JEQ load22
	VMOVUPS 1408(DI), Z22
	CMPQ DX, $24
	JEQ load23
	VMOVUPS 1472(DI), Z23
	CMPQ DX, $25
	JEQ load24
	VMOVUPS 1536(DI), Z24
	CMPQ DX, $26
	JEQ load25
	VMOVUPS 1600(DI), Z25
	CMPQ DX, $27
	JEQ load26
	VMOVUPS 1664(DI), Z26
	VMOVUPS.Z 1728(DI), K1, Z27
	JMP rows

load26:
	VMOVUPS.Z 1664(DI), K1, Z26
	JMP rows

load25:
	VMOVUPS.Z 1600(DI), K1, Z25
	JMP rows

load24:
	VMOVUPS.Z 1536(DI), K1, Z24
	JMP rows

load23:
	VMOVUPS.Z 1472(DI), K1, Z23
	JMP rows

load22:
	VMOVUPS.Z 1408(DI), K1, Z22
	JMP rows

load21:
	VMOVUPS.Z 1344(DI), K1, Z21
	JMP rows

load20:
	VMOVUPS.Z 1280(DI), K1, Z20
	JMP rows

load19:
	VMOVUPS.Z 1216(DI), K1, Z19
	JMP rows

load18:
	VMOVUPS.Z 1152(DI), K1, Z18
	JMP rows

load17:
	VMOVUPS.Z 1088(DI), K1, Z17
	JMP rows

load16:
	VMOVUPS.Z 1024(DI), K1, Z16
	JMP rows

load15:
	VMOVUPS.Z 960(DI), K1, Z15
	JMP rows

load14:
	VMOVUPS.Z 896(DI), K1, Z14
	JMP rows

load13:
	VMOVUPS.Z 832(DI), K1, Z13
	JMP rows

load12:
	VMOVUPS.Z 768(DI), K1, Z12
	JMP rows

load11:
	VMOVUPS.Z 704(DI), K1, Z11
	JMP rows

load10:
	VMOVUPS.Z 640(DI), K1, Z10
	JMP rows

load9:
	VMOVUPS.Z 576(DI), K1, Z9
	JMP rows

load8:
	VMOVUPS.Z 512(DI), K1, Z8
	JMP rows

load7:
	VMOVUPS.Z 448(DI), K1, Z7
	JMP rows

load6:
	VMOVUPS.Z 384(DI), K1, Z6
	JMP rows

load5:
	VMOVUPS.Z 320(DI), K1, Z5
	JMP rows

load4:
	VMOVUPS.Z 256(DI), K1, Z4
	JMP rows

load3:
	VMOVUPS.Z 192(DI), K1, Z3
	JMP rows

load2:
	VMOVUPS.Z 128(DI), K1, Z2
	JMP rows

load1:
	VMOVUPS.Z 64(DI), K1, Z1
	JMP rows

load0:
	VMOVUPS.Z 0(DI), K1, Z0

rows:
	MOVQ R12, SI
	MOVQ c_base+72(FP), R8
	MOVQ rows+48(FP), BX

row: // dst += c[i]·row
	VBROADCASTSS (R8), Z28
	CMPQ DX, $1
	JEQ last0
	VFMADD231PS 0(SI), Z28, Z0
	CMPQ DX, $2
	JEQ last1
	VFMADD231PS 64(SI), Z28, Z1
	CMPQ DX, $3
	JEQ last2
	VFMADD231PS 128(SI), Z28, Z2
	CMPQ DX, $4
	JEQ last3
	VFMADD231PS 192(SI), Z28, Z3
	CMPQ DX, $5
	JEQ last4
	VFMADD231PS 256(SI), Z28, Z4
	CMPQ DX, $6
	JEQ last5
	VFMADD231PS 320(SI), Z28, Z5
	CMPQ DX, $7
	JEQ last6
	VFMADD231PS 384(SI), Z28, Z6
	CMPQ DX, $8
	JEQ last7
	VFMADD231PS 448(SI), Z28, Z7
	CMPQ DX, $9
	JEQ last8
	VFMADD231PS 512(SI), Z28, Z8
	CMPQ DX, $10
	JEQ last9
	VFMADD231PS 576(SI), Z28, Z9
	CMPQ DX, $11
	JEQ last10
	VFMADD231PS 640(SI), Z28, Z10
	CMPQ DX, $12
	JEQ last11
	VFMADD231PS 704(SI), Z28, Z11
	CMPQ DX, $13
	JEQ last12
	VFMADD231PS 768(SI), Z28, Z12
	CMPQ DX, $14
	JEQ last13
	VFMADD231PS 832(SI), Z28, Z13
	CMPQ DX, $15
	JEQ last14
	VFMADD231PS 896(SI), Z28, Z14
	CMPQ DX, $16
	JEQ last15
	VFMADD231PS 960(SI), Z28, Z15
	CMPQ DX, $17
	JEQ last16
	VFMADD231PS 1024(SI), Z28, Z16
	CMPQ DX, $18
	JEQ last17
	VFMADD231PS 1088(SI), Z28, Z17
	CMPQ DX, $19
	JEQ last18
	VFMADD231PS 1152(SI), Z28, Z18
	CMPQ DX, $20
	JEQ last19
	VFMADD231PS 1216(SI), Z28, Z19
	CMPQ DX, $21
	JEQ last20
	VFMADD231PS 1280(SI), Z28, Z20
	CMPQ DX, $22
	JEQ last21
	VFMADD231PS 1344(SI), Z28, Z21
	CMPQ DX, $23
	JEQ last22
	VFMADD231PS 1408(SI), Z28, Z22
	CMPQ DX, $24
	JEQ last23
	VFMADD231PS 1472(SI), Z28, Z23
	CMPQ DX, $25
	JEQ last24
	VFMADD231PS 1536(SI), Z28, Z24
	CMPQ DX, $26
	JEQ last25
	VFMADD231PS 1600(SI), Z28, Z25
	CMPQ DX, $27
	JEQ last26
	VFMADD231PS 1664(SI), Z28, Z26
	VFMADD231PS 1728(SI), Z28, K1, Z27

next:
	ADDQ $4, R8
	ADDQ R9, SI
	DECQ BX
	JNE row
	CMPQ DX, $1
	JEQ store0
	VMOVUPS Z0, 0(DI)
	CMPQ DX, $2
	JEQ store1
	VMOVUPS Z1, 64(DI)
	CMPQ DX, $3
	JEQ store2
	VMOVUPS Z2, 128(DI)
	CMPQ DX, $4
	JEQ store3
	VMOVUPS Z3, 192(DI)
	CMPQ DX, $5
	JEQ store4
	VMOVUPS Z4, 256(DI)
	CMPQ DX, $6
	JEQ store5
	VMOVUPS Z5, 320(DI)
	CMPQ DX, $7
	JEQ store6
	VMOVUPS Z6, 384(DI)
	CMPQ DX, $8
	JEQ store7
	VMOVUPS Z7, 448(DI)
	CMPQ DX, $9
	JEQ store8
	VMOVUPS Z8, 512(DI)
	CMPQ DX, $10
	JEQ store9
	VMOVUPS Z9, 576(DI)
	CMPQ DX, $11
	JEQ store10
	VMOVUPS Z10, 640(DI)
	CMPQ DX, $12
	JEQ store11
	VMOVUPS Z11, 704(DI)
	CMPQ DX, $13
	JEQ store12
	VMOVUPS Z12, 768(DI)
	CMPQ DX, $14
	JEQ store13
	VMOVUPS Z13, 832(DI)
	CMPQ DX, $15
	JEQ store14
	VMOVUPS Z14, 896(DI)
	CMPQ DX, $16
	JEQ store15
	VMOVUPS Z15, 960(DI)
	CMPQ DX, $17
	JEQ store16
	VMOVUPS Z16, 1024(DI)
	CMPQ DX, $18
	JEQ store17
	VMOVUPS Z17, 1088(DI)
	CMPQ DX, $19
	JEQ store18
	VMOVUPS Z18, 1152(DI)
	CMPQ DX, $20
	JEQ store19
	VMOVUPS Z19, 1216(DI)
	CMPQ DX, $21
	JEQ store20
	VMOVUPS Z20, 1280(DI)
	CMPQ DX, $22
	JEQ store21
	VMOVUPS Z21, 1344(DI)
	CMPQ DX, $23
	JEQ store22
	VMOVUPS Z22, 1408(DI)
	CMPQ DX, $24
	JEQ store23
	VMOVUPS Z23, 1472(DI)
	CMPQ DX, $25
	JEQ store24
	VMOVUPS Z24, 1536(DI)
	CMPQ DX, $26
	JEQ store25
	VMOVUPS Z25, 1600(DI)
	CMPQ DX, $27
	JEQ store26
	VMOVUPS Z26, 1664(DI)
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

last0:
	VFMADD231PS 0(SI), Z28, K1, Z0
	JMP next

last1:
	VFMADD231PS 64(SI), Z28, K1, Z1
	JMP next

last2:
	VFMADD231PS 128(SI), Z28, K1, Z2
	JMP next

last3:
	VFMADD231PS 192(SI), Z28, K1, Z3
	JMP next

last4:
	VFMADD231PS 256(SI), Z28, K1, Z4
	JMP next

last5:
	VFMADD231PS 320(SI), Z28, K1, Z5
	JMP next

last6:
	VFMADD231PS 384(SI), Z28, K1, Z6
	JMP next

last7:
	VFMADD231PS 448(SI), Z28, K1, Z7
	JMP next

last8:
	VFMADD231PS 512(SI), Z28, K1, Z8
	JMP next

last9:
	VFMADD231PS 576(SI), Z28, K1, Z9
	JMP next

last10:
	VFMADD231PS 640(SI), Z28, K1, Z10
	JMP next

last11:
	VFMADD231PS 704(SI), Z28, K1, Z11
	JMP next

last12:
	VFMADD231PS 768(SI), Z28, K1, Z12
	JMP next

last13:
	VFMADD231PS 832(SI), Z28, K1, Z13
	JMP next

last14:
	VFMADD231PS 896(SI), Z28, K1, Z14
	JMP next

last15:
	VFMADD231PS 960(SI), Z28, K1, Z15
	JMP next

last16:
	VFMADD231PS 1024(SI), Z28, K1, Z16
	JMP next

last17:
	VFMADD231PS 1088(SI), Z28, K1, Z17
	JMP next

last18:
	VFMADD231PS 1152(SI), Z28, K1, Z18
	JMP next

last19:
	VFMADD231PS 1216(SI), Z28, K1, Z19
	JMP next

last20:
	VFMADD231PS 1280(SI), Z28, K1, Z20
	JMP next

last21:
	VFMADD231PS 1344(SI), Z28, K1, Z21
	JMP next

last22:
	VFMADD231PS 1408(SI), Z28, K1, Z22
	JMP next

last23:
	VFMADD231PS 1472(SI), Z28, K1, Z23
	JMP next

last24:
	VFMADD231PS 1536(SI), Z28, K1, Z24
	JMP next

last25:
	VFMADD231PS 1600(SI), Z28, K1, Z25
	JMP next

last26:
	VFMADD231PS 1664(SI), Z28, K1, Z26
	JMP next

store0:
	VMOVUPS Z0, K1, 0(DI)
	JMP stored

store1:
	VMOVUPS Z1, K1, 64(DI)
	JMP stored

store2:
	VMOVUPS Z2, K1, 128(DI)
	JMP stored

store3:
	VMOVUPS Z3, K1, 192(DI)
	JMP stored

store4:
	VMOVUPS Z4, K1, 256(DI)
	JMP stored

store5:
	VMOVUPS Z5, K1, 320(DI)
	JMP stored

store6:
	VMOVUPS Z6, K1, 384(DI)
	JMP stored

store7:
	VMOVUPS Z7, K1, 448(DI)
	JMP stored

store8:
	VMOVUPS Z8, K1, 512(DI)
	JMP stored

store9:
	VMOVUPS Z9, K1, 576(DI)
	JMP stored

store10:
	VMOVUPS Z10, K1, 640(DI)
	JMP stored

store11:
	VMOVUPS Z11, K1, 704(DI)
	JMP stored

store12:
	VMOVUPS Z12, K1, 768(DI)
	JMP stored

store13:
	VMOVUPS Z13, K1, 832(DI)
	JMP stored

store14:
	VMOVUPS Z14, K1, 896(DI)
	JMP stored

store15:
	VMOVUPS Z15, K1, 960(DI)
	JMP stored

store16:
	VMOVUPS Z16, K1, 1024(DI)
	JMP stored

store17:
	VMOVUPS Z17, K1, 1088(DI)
	JMP stored

store18:
	VMOVUPS Z18, K1, 1152(DI)
	JMP stored

store19:
	VMOVUPS Z19, K1, 1216(DI)
	JMP stored

store20:
	VMOVUPS Z20, K1, 1280(DI)
	JMP stored

store21:
	VMOVUPS Z21, K1, 1344(DI)
	JMP stored

store22:
	VMOVUPS Z22, K1, 1408(DI)
	JMP stored

store23:
	VMOVUPS Z23, K1, 1472(DI)
	JMP stored

store24:
	VMOVUPS Z24, K1, 1536(DI)
	JMP stored

store25:
	VMOVUPS Z25, K1, 1600(DI)
	JMP stored

store26:
	VMOVUPS Z26, K1, 1664(DI)
	JMP stored

// func gemvTF32WideAVX512(dst []float64, a []float32, rows, cols, stride int, c []float64)
// Requires: AVX512F
//
// Strips of up to 28 vectors of columns, of equal width but for the last; each strip of dst
// stays in Z0-Z27 over all rows. DI: dst; R12: the strip of the first row; R9: stride in
// bytes; R13: vectors of a strip; R10: vectors left; DX: vectors of this strip; K1: mask of
// its last vector; SI, R8, BX: row, c and rows left; Z28: c[i].
TEXT ·gemvTF32WideAVX512(SB), NOSPLIT, $0-96
	MOVQ dst_base+0(FP), DI
	MOVQ a_base+24(FP), R12
	MOVQ stride+64(FP), R9
	SHLQ $2, R9
	MOVQ cols+56(FP), R10
	ADDQ $7, R10
	SHRQ $3, R10
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
	CMPQ DX, $1
	JEQ load0
	VMOVUPD 0(DI), Z0
	CMPQ DX, $2
	JEQ load1
	VMOVUPD 64(DI), Z1
	CMPQ DX, $3
	JEQ load2
	VMOVUPD 128(DI), Z2
	CMPQ DX, $4
	JEQ load3
	VMOVUPD 192(DI), Z3
	CMPQ DX, $5
	JEQ load4
	VMOVUPD 256(DI), Z4
	CMPQ DX, $6
	JEQ load5
	VMOVUPD 320(DI), Z5
	CMPQ DX, $7
	JEQ load6
	VMOVUPD 384(DI), Z6
	CMPQ DX, $8
	JEQ load7
	VMOVUPD 448(DI), Z7
	CMPQ DX, $9
	JEQ load8
	VMOVUPD 512(DI), Z8
	CMPQ DX, $10
	JEQ load9
	VMOVUPD 576(DI), Z9
	CMPQ DX, $11
	JEQ load10
	VMOVUPD 640(DI), Z10
	CMPQ DX, $12
	JEQ load11
	VMOVUPD 704(DI), Z11
	CMPQ DX, $13
	JEQ load12
	VMOVUPD 768(DI), Z12
	CMPQ DX, $14
	JEQ load13
	VMOVUPD 832(DI), Z13
	CMPQ DX, $15
	JEQ load14
	VMOVUPD 896(DI), Z14
	CMPQ DX, $16
	JEQ load15
	VMOVUPD 960(DI), Z15
	CMPQ DX, $17
	JEQ load16
	VMOVUPD 1024(DI), Z16
	CMPQ DX, $18
	JEQ load17
	VMOVUPD 1088(DI), Z17
	CMPQ DX, $19
	JEQ load18
	VMOVUPD 1152(DI), Z18
	CMPQ DX, $20
	JEQ load19
	VMOVUPD 1216(DI), Z19
	CMPQ DX, $21
	JEQ load20
	VMOVUPD 1280(DI), Z20
	CMPQ DX, $22
	JEQ load21
	VMOVUPD 1344(DI), Z21
	CMPQ DX, $23
	JEQ load22
	VMOVUPD 1408(DI), Z22
	CMPQ DX, $24
	JEQ load23
	VMOVUPD 1472(DI), Z23
	CMPQ DX, $25
	JEQ load24
	VMOVUPD 1536(DI), Z24
	CMPQ DX, $26
	JEQ load25
	VMOVUPD 1600(DI), Z25
	CMPQ DX, $27
	JEQ load26
	VMOVUPD 1664(DI), Z26
	VMOVUPD.Z 1728(DI), K1, Z27
	JMP rows

load26:
	VMOVUPD.Z 1664(DI), K1, Z26
	JMP rows

load25:
	VMOVUPD.Z 1600(DI), K1, Z25
	JMP rows

load24:
	VMOVUPD.Z 1536(DI), K1, Z24
	JMP rows

load23:
	VMOVUPD.Z 1472(DI), K1, Z23
	JMP rows

load22:
	VMOVUPD.Z 1408(DI), K1, Z22
	JMP rows

load21:
	VMOVUPD.Z 1344(DI), K1, Z21
	JMP rows

load20:
	VMOVUPD.Z 1280(DI), K1, Z20
	JMP rows

load19:
	VMOVUPD.Z 1216(DI), K1, Z19
	JMP rows

load18:
	VMOVUPD.Z 1152(DI), K1, Z18
	JMP rows

load17:
	VMOVUPD.Z 1088(DI), K1, Z17
	JMP rows

load16:
	VMOVUPD.Z 1024(DI), K1, Z16
	JMP rows

load15:
	VMOVUPD.Z 960(DI), K1, Z15
	JMP rows

load14:
	VMOVUPD.Z 896(DI), K1, Z14
	JMP rows

load13:
	VMOVUPD.Z 832(DI), K1, Z13
	JMP rows

load12:
	VMOVUPD.Z 768(DI), K1, Z12
	JMP rows

load11:
	VMOVUPD.Z 704(DI), K1, Z11
	JMP rows

load10:
	VMOVUPD.Z 640(DI), K1, Z10
	JMP rows

load9:
	VMOVUPD.Z 576(DI), K1, Z9
	JMP rows

load8:
	VMOVUPD.Z 512(DI), K1, Z8
	JMP rows

load7:
	VMOVUPD.Z 448(DI), K1, Z7
	JMP rows

load6:
	VMOVUPD.Z 384(DI), K1, Z6
	JMP rows

load5:
	VMOVUPD.Z 320(DI), K1, Z5
	JMP rows

load4:
	VMOVUPD.Z 256(DI), K1, Z4
	JMP rows

load3:
	VMOVUPD.Z 192(DI), K1, Z3
	JMP rows

load2:
	VMOVUPD.Z 128(DI), K1, Z2
	JMP rows

load1:
	VMOVUPD.Z 64(DI), K1, Z1
	JMP rows

load0:
	VMOVUPD.Z 0(DI), K1, Z0

rows:
	MOVQ R12, SI
	MOVQ c_base+72(FP), R8
	MOVQ rows+48(FP), BX

row: // dst += c[i]·row
	VBROADCASTSD (R8), Z28
	CMPQ DX, $1
	JEQ last0
	VCVTPS2PD 0(SI), Z29
	VFMADD231PD Z29, Z28, Z0
	CMPQ DX, $2
	JEQ last1
	VCVTPS2PD 32(SI), Z30
	VFMADD231PD Z30, Z28, Z1
	CMPQ DX, $3
	JEQ last2
	VCVTPS2PD 64(SI), Z31
	VFMADD231PD Z31, Z28, Z2
	CMPQ DX, $4
	JEQ last3
	VCVTPS2PD 96(SI), Z29
	VFMADD231PD Z29, Z28, Z3
	CMPQ DX, $5
	JEQ last4
	VCVTPS2PD 128(SI), Z30
	VFMADD231PD Z30, Z28, Z4
	CMPQ DX, $6
	JEQ last5
	VCVTPS2PD 160(SI), Z31
	VFMADD231PD Z31, Z28, Z5
	CMPQ DX, $7
	JEQ last6
	VCVTPS2PD 192(SI), Z29
	VFMADD231PD Z29, Z28, Z6
	CMPQ DX, $8
	JEQ last7
	VCVTPS2PD 224(SI), Z30
	VFMADD231PD Z30, Z28, Z7
	CMPQ DX, $9
	JEQ last8
	VCVTPS2PD 256(SI), Z31
	VFMADD231PD Z31, Z28, Z8
	CMPQ DX, $10
	JEQ last9
	VCVTPS2PD 288(SI), Z29
	VFMADD231PD Z29, Z28, Z9
	CMPQ DX, $11
	JEQ last10
	VCVTPS2PD 320(SI), Z30
	VFMADD231PD Z30, Z28, Z10
	CMPQ DX, $12
	JEQ last11
	VCVTPS2PD 352(SI), Z31
	VFMADD231PD Z31, Z28, Z11
	CMPQ DX, $13
	JEQ last12
	VCVTPS2PD 384(SI), Z29
	VFMADD231PD Z29, Z28, Z12
	CMPQ DX, $14
	JEQ last13
	VCVTPS2PD 416(SI), Z30
	VFMADD231PD Z30, Z28, Z13
	CMPQ DX, $15
	JEQ last14
	VCVTPS2PD 448(SI), Z31
	VFMADD231PD Z31, Z28, Z14
	CMPQ DX, $16
	JEQ last15
	VCVTPS2PD 480(SI), Z29
	VFMADD231PD Z29, Z28, Z15
	CMPQ DX, $17
	JEQ last16
	VCVTPS2PD 512(SI), Z30
	VFMADD231PD Z30, Z28, Z16
	CMPQ DX, $18
	JEQ last17
	VCVTPS2PD 544(SI), Z31
	VFMADD231PD Z31, Z28, Z17
	CMPQ DX, $19
	JEQ last18
	VCVTPS2PD 576(SI), Z29
	VFMADD231PD Z29, Z28, Z18
	CMPQ DX, $20
	JEQ last19
	VCVTPS2PD 608(SI), Z30
	VFMADD231PD Z30, Z28, Z19
	CMPQ DX, $21
	JEQ last20
	VCVTPS2PD 640(SI), Z31
	VFMADD231PD Z31, Z28, Z20
	CMPQ DX, $22
	JEQ last21
	VCVTPS2PD 672(SI), Z29
	VFMADD231PD Z29, Z28, Z21
	CMPQ DX, $23
	JEQ last22
	VCVTPS2PD 704(SI), Z30
	VFMADD231PD Z30, Z28, Z22
	CMPQ DX, $24
	JEQ last23
	VCVTPS2PD 736(SI), Z31
	VFMADD231PD Z31, Z28, Z23
	CMPQ DX, $25
	JEQ last24
	VCVTPS2PD 768(SI), Z29
	VFMADD231PD Z29, Z28, Z24
	CMPQ DX, $26
	JEQ last25
	VCVTPS2PD 800(SI), Z30
	VFMADD231PD Z30, Z28, Z25
	CMPQ DX, $27
	JEQ last26
	VCVTPS2PD 832(SI), Z31
	VFMADD231PD Z31, Z28, Z26
	VCVTPS2PD.Z 864(SI), K1, Z29
	VFMADD231PD Z29, Z28, Z27

next:
	ADDQ $8, R8
	ADDQ R9, SI
	DECQ BX
	JNE row
	CMPQ DX, $1
	JEQ store0
	VMOVUPD Z0, 0(DI)
	CMPQ DX, $2
	JEQ store1
	VMOVUPD Z1, 64(DI)
	CMPQ DX, $3
	JEQ store2
	VMOVUPD Z2, 128(DI)
	CMPQ DX, $4
	JEQ store3
	VMOVUPD Z3, 192(DI)
	CMPQ DX, $5
	JEQ store4
	VMOVUPD Z4, 256(DI)
	CMPQ DX, $6
	JEQ store5
	VMOVUPD Z5, 320(DI)
	CMPQ DX, $7
	JEQ store6
	VMOVUPD Z6, 384(DI)
	CMPQ DX, $8
	JEQ store7
	VMOVUPD Z7, 448(DI)
	CMPQ DX, $9
	JEQ store8
	VMOVUPD Z8, 512(DI)
	CMPQ DX, $10
	JEQ store9
	VMOVUPD Z9, 576(DI)
	CMPQ DX, $11
	JEQ store10
	VMOVUPD Z10, 640(DI)
	CMPQ DX, $12
	JEQ store11
	VMOVUPD Z11, 704(DI)
	CMPQ DX, $13
	JEQ store12
	VMOVUPD Z12, 768(DI)
	CMPQ DX, $14
	JEQ store13
	VMOVUPD Z13, 832(DI)
	CMPQ DX, $15
	JEQ store14
	VMOVUPD Z14, 896(DI)
	CMPQ DX, $16
	JEQ store15
	VMOVUPD Z15, 960(DI)
	CMPQ DX, $17
	JEQ store16
	VMOVUPD Z16, 1024(DI)
	CMPQ DX, $18
	JEQ store17
	VMOVUPD Z17, 1088(DI)
	CMPQ DX, $19
	JEQ store18
	VMOVUPD Z18, 1152(DI)
	CMPQ DX, $20
	JEQ store19
	VMOVUPD Z19, 1216(DI)
	CMPQ DX, $21
	JEQ store20
	VMOVUPD Z20, 1280(DI)
	CMPQ DX, $22
	JEQ store21
	VMOVUPD Z21, 1344(DI)
	CMPQ DX, $23
	JEQ store22
	VMOVUPD Z22, 1408(DI)
	CMPQ DX, $24
	JEQ store23
	VMOVUPD Z23, 1472(DI)
	CMPQ DX, $25
	JEQ store24
	VMOVUPD Z24, 1536(DI)
	CMPQ DX, $26
	JEQ store25
	VMOVUPD Z25, 1600(DI)
	CMPQ DX, $27
	JEQ store26
	VMOVUPD Z26, 1664(DI)
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

last0:
	VCVTPS2PD.Z 0(SI), K1, Z29
	VFMADD231PD Z29, Z28, Z0
	JMP next

last1:
	VCVTPS2PD.Z 32(SI), K1, Z29
	VFMADD231PD Z29, Z28, Z1
	JMP next

last2:
	VCVTPS2PD.Z 64(SI), K1, Z29
	VFMADD231PD Z29, Z28, Z2
	JMP next

last3:
	VCVTPS2PD.Z 96(SI), K1, Z29
	VFMADD231PD Z29, Z28, Z3
	JMP next

last4:
	VCVTPS2PD.Z 128(SI), K1, Z29
	VFMADD231PD Z29, Z28, Z4
	JMP next

last5:
	VCVTPS2PD.Z 160(SI), K1, Z29
	VFMADD231PD Z29, Z28, Z5
	JMP next

last6:
	VCVTPS2PD.Z 192(SI), K1, Z29
	VFMADD231PD Z29, Z28, Z6
	JMP next

last7:
	VCVTPS2PD.Z 224(SI), K1, Z29
	VFMADD231PD Z29, Z28, Z7
	JMP next

last8:
	VCVTPS2PD.Z 256(SI), K1, Z29
	VFMADD231PD Z29, Z28, Z8
	JMP next

last9:
	VCVTPS2PD.Z 288(SI), K1, Z29
	VFMADD231PD Z29, Z28, Z9
	JMP next

last10:
	VCVTPS2PD.Z 320(SI), K1, Z29
	VFMADD231PD Z29, Z28, Z10
	JMP next

last11:
	VCVTPS2PD.Z 352(SI), K1, Z29
	VFMADD231PD Z29, Z28, Z11
	JMP next

last12:
	VCVTPS2PD.Z 384(SI), K1, Z29
	VFMADD231PD Z29, Z28, Z12
	JMP next

last13:
	VCVTPS2PD.Z 416(SI), K1, Z29
	VFMADD231PD Z29, Z28, Z13
	JMP next

last14:
	VCVTPS2PD.Z 448(SI), K1, Z29
	VFMADD231PD Z29, Z28, Z14
	JMP next

last15:
	VCVTPS2PD.Z 480(SI), K1, Z29
	VFMADD231PD Z29, Z28, Z15
	JMP next

last16:
	VCVTPS2PD.Z 512(SI), K1, Z29
	VFMADD231PD Z29, Z28, Z16
	JMP next

last17:
	VCVTPS2PD.Z 544(SI), K1, Z29
	VFMADD231PD Z29, Z28, Z17
	JMP next

last18:
	VCVTPS2PD.Z 576(SI), K1, Z29
	VFMADD231PD Z29, Z28, Z18
	JMP next

last19:
	VCVTPS2PD.Z 608(SI), K1, Z29
	VFMADD231PD Z29, Z28, Z19
	JMP next

last20:
	VCVTPS2PD.Z 640(SI), K1, Z29
	VFMADD231PD Z29, Z28, Z20
	JMP next

last21:
	VCVTPS2PD.Z 672(SI), K1, Z29
	VFMADD231PD Z29, Z28, Z21
	JMP next

last22:
	VCVTPS2PD.Z 704(SI), K1, Z29
	VFMADD231PD Z29, Z28, Z22
	JMP next

last23:
	VCVTPS2PD.Z 736(SI), K1, Z29
	VFMADD231PD Z29, Z28, Z23
	JMP next

last24:
	VCVTPS2PD.Z 768(SI), K1, Z29
	VFMADD231PD Z29, Z28, Z24
	JMP next

last25:
	VCVTPS2PD.Z 800(SI), K1, Z29
	VFMADD231PD Z29, Z28, Z25
	JMP next

last26:
	VCVTPS2PD.Z 832(SI), K1, Z29
	VFMADD231PD Z29, Z28, Z26
	JMP next

store0:
	VMOVUPD Z0, K1, 0(DI)
	JMP stored

store1:
	VMOVUPD Z1, K1, 64(DI)
	JMP stored

store2:
	VMOVUPD Z2, K1, 128(DI)
	JMP stored

store3:
	VMOVUPD Z3, K1, 192(DI)
	JMP stored

store4:
	VMOVUPD Z4, K1, 256(DI)
	JMP stored

store5:
	VMOVUPD Z5, K1, 320(DI)
	JMP stored

store6:
	VMOVUPD Z6, K1, 384(DI)
	JMP stored

store7:
	VMOVUPD Z7, K1, 448(DI)
	JMP stored

store8:
	VMOVUPD Z8, K1, 512(DI)
	JMP stored

store9:
	VMOVUPD Z9, K1, 576(DI)
	JMP stored

store10:
	VMOVUPD Z10, K1, 640(DI)
	JMP stored

store11:
	VMOVUPD Z11, K1, 704(DI)
	JMP stored

store12:
	VMOVUPD Z12, K1, 768(DI)
	JMP stored

store13:
	VMOVUPD Z13, K1, 832(DI)
	JMP stored

store14:
	VMOVUPD Z14, K1, 896(DI)
	JMP stored

store15:
	VMOVUPD Z15, K1, 960(DI)
	JMP stored

store16:
	VMOVUPD Z16, K1, 1024(DI)
	JMP stored

store17:
	VMOVUPD Z17, K1, 1088(DI)
	JMP stored

store18:
	VMOVUPD Z18, K1, 1152(DI)
	JMP stored

store19:
	VMOVUPD Z19, K1, 1216(DI)
	JMP stored

store20:
	VMOVUPD Z20, K1, 1280(DI)
	JMP stored

store21:
	VMOVUPD Z21, K1, 1344(DI)
	JMP stored

store22:
	VMOVUPD Z22, K1, 1408(DI)
	JMP stored

store23:
	VMOVUPD Z23, K1, 1472(DI)
	JMP stored

store24:
	VMOVUPD Z24, K1, 1536(DI)
	JMP stored

store25:
	VMOVUPD Z25, K1, 1600(DI)
	JMP stored

store26:
	VMOVUPD Z26, K1, 1664(DI)
	JMP stored
