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
// float32 is converted to float64 a zmm at a time: on Zen 5, 8 elements take .75 cycles so, and
// 1.0 as two ymm (Zen 4: 1.33 and 1.0).

// func dotF64AVX512(x, y []float64) float64
// Requires: AVX512F
//
// SI, DI: x, y; DX: elements left. Z0-Z3: the 32 lanes. R8, R9: the last vector of x and y, K1:
// its mask, R10: the elements before it. Lanes without an element are not written; only the
// products of the first vector fill up with −0, which changes no sum, when there is no other.
TEXT ·dotF64AVX512(SB), NOSPLIT, $0-56
	MOVQ x_base+0(FP), SI
	MOVQ x_len+8(FP), DX
	MOVQ y_base+24(FP), DI
	CMPQ DX, $8
	JLE one
	CMPQ DX, $32
	JGE many
	LEAL -1(DX), R10
	ANDL $-8, R10
	LEAQ (SI)(R10*8), R8
	LEAQ (DI)(R10*8), R9
	MOVL DX, CX
	NEGL CX
	ANDL $7, CX
	MOVL $255, AX
	SHRL CX, AX
	KMOVW AX, K1
	MOVL R8, AX
	ANDL $4095, AX
	CMPL AX, $4032
	JHI fewEdge
	MOVL R9, AX
	ANDL $4095, AX
	CMPL AX, $4032
	JHI fewEdge
	VMOVUPD.Z (R8), K1, Z4
	VMOVUPD.Z (R9), K1, Z5

few: // two to four vectors, the last one in Z4 and Z5
	VMULPD Z5, Z4, Z5
	VMOVUPD (SI), Z0
	VMULPD (DI), Z0, Z0
	CMPL R10, $16
	JLT add1
	VMOVUPD 64(SI), Z1
	VMULPD 64(DI), Z1, Z1
	VADDPD Z1, Z0, Z0
	JEQ add1
	VMOVUPD 128(SI), Z2
	VMULPD 128(DI), Z2, Z2
	VADDPD Z5, Z2, K1, Z2
	VADDPD Z2, Z0, Z0
	JMP halve

many: // more than four vectors; the first products are the lanes
	VMOVUPD 0(SI), Z0
	VMOVUPD 64(SI), Z1
	VMOVUPD 128(SI), Z2
	VMOVUPD 192(SI), Z3
	VMULPD 0(DI), Z0, Z0
	VMULPD 64(DI), Z1, Z1
	VMULPD 128(DI), Z2, Z2
	VMULPD 192(DI), Z3, Z3
	ADDQ $256, SI
	ADDQ $256, DI
	SUBQ $64, DX
	JLT tail

	PCALIGN $64
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

tail: // 32 fewer than the elements left
	ADDQ $32, DX
	JEQ sum
	LEAL -1(DX), R10
	ANDL $-8, R10
	LEAQ (SI)(R10*8), R8
	LEAQ (DI)(R10*8), R9
	MOVL DX, CX
	NEGL CX
	ANDL $7, CX
	MOVL $255, AX
	SHRL CX, AX
	KMOVW AX, K1
	MOVL R8, AX
	ANDL $4095, AX
	CMPL AX, $4032
	JHI tailEdge
	MOVL R9, AX
	ANDL $4095, AX
	CMPL AX, $4032
	JHI tailEdge
	VMOVUPD.Z (R8), K1, Z4
	VMOVUPD.Z (R9), K1, Z5

left: // up to four vectors, the last one in Z4 and Z5
	CMPL R10, $8
	JLT last0
	VMOVUPD (SI), Z6
	VFMADD231PD (DI), Z6, Z0
	JEQ last1
	VMOVUPD 64(SI), Z6
	VFMADD231PD 64(DI), Z6, Z1
	CMPL R10, $16
	JEQ last2
	VMOVUPD 128(SI), Z6
	VFMADD231PD 128(DI), Z6, Z2
	VFMADD231PD Z5, Z4, K1, Z3

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

one: // one vector; in Z31, for to set all ones in Z0 would wait for what it held before
	MOVL DX, CX
	NEGL CX
	ADDL $8, CX
	TESTQ DX, DX
	JEQ empty
	MOVL $255, AX
	SHRL CX, AX
	KMOVW AX, K1
	VPTERNLOGD $0xff, Z31, Z31, Z31
	VPSLLQ $63, Z31, Z31
	VMOVAPD Z31, Z0
	MOVL SI, AX
	ANDL $4095, AX
	CMPL AX, $4032
	JHI oneEdge
	MOVL DI, AX
	ANDL $4095, AX
	CMPL AX, $4032
	JHI oneEdge
	VMOVUPD.Z (SI), K1, Z4
	VMULPD (DI), Z4, K1, Z0
	JMP halve

add1:
	VADDPD Z5, Z0, K1, Z0
	JMP halve

last0:
	VFMADD231PD Z5, Z4, K1, Z0
	JMP sum

last1:
	VFMADD231PD Z5, Z4, K1, Z1
	JMP sum

last2:
	VFMADD231PD Z5, Z4, K1, Z2
	JMP sum

empty:
	MOVQ $0, ret+48(FP)
	RET

oneEdge: // near the end of a page: load the vectors that end with the last element, move them down
	MOVL $-1, AX
	SHLL CX, AX
	KMOVW AX, K2
	NEGQ CX
	VMOVUPD.Z (SI)(CX*8), K2, Z4
	VMOVUPD.Z (DI)(CX*8), K2, Z5
	VCOMPRESSPD.Z Z4, K2, Z4
	VCOMPRESSPD.Z Z5, K2, Z5
	VMULPD Z5, Z4, K1, Z0
	JMP halve

fewEdge:
	MOVL $-1, AX
	SHLL CX, AX
	KMOVW AX, K2
	NEGQ CX
	VMOVUPD.Z (R8)(CX*8), K2, Z4
	VMOVUPD.Z (R9)(CX*8), K2, Z5
	VCOMPRESSPD.Z Z4, K2, Z4
	VCOMPRESSPD.Z Z5, K2, Z5
	JMP few

tailEdge:
	MOVL $-1, AX
	SHLL CX, AX
	KMOVW AX, K2
	NEGQ CX
	VMOVUPD.Z (R8)(CX*8), K2, Z4
	VMOVUPD.Z (R9)(CX*8), K2, Z5
	VCOMPRESSPD.Z Z4, K2, Z4
	VCOMPRESSPD.Z Z5, K2, Z5
	JMP left

// func dotF32AVX512(x, y []float32) float32
// Requires: AVX512F
//
// SI, DI: x, y; DX: elements left. Z0-Z3: the 64 lanes. R8, R9: the last vector of x and y, K1:
// its mask, R10: the elements before it. Lanes without an element are not written; only the
// products of the first vector fill up with −0, which changes no sum, when there is no other.
TEXT ·dotF32AVX512(SB), NOSPLIT, $0-52
	MOVQ x_base+0(FP), SI
	MOVQ x_len+8(FP), DX
	MOVQ y_base+24(FP), DI
	CMPQ DX, $16
	JLE one
	CMPQ DX, $64
	JGE many
	LEAL -1(DX), R10
	ANDL $-16, R10
	LEAQ (SI)(R10*4), R8
	LEAQ (DI)(R10*4), R9
	MOVL DX, CX
	NEGL CX
	ANDL $15, CX
	MOVL $65535, AX
	SHRL CX, AX
	KMOVW AX, K1
	MOVL R8, AX
	ANDL $4095, AX
	CMPL AX, $4032
	JHI fewEdge
	MOVL R9, AX
	ANDL $4095, AX
	CMPL AX, $4032
	JHI fewEdge
	VMOVUPS.Z (R8), K1, Z4
	VMOVUPS.Z (R9), K1, Z5

few: // two to four vectors, the last one in Z4 and Z5
	VMULPS Z5, Z4, Z5
	VMOVUPS (SI), Z0
	VMULPS (DI), Z0, Z0
	CMPL R10, $32
	JLT add1
	VMOVUPS 64(SI), Z1
	VMULPS 64(DI), Z1, Z1
	VADDPS Z1, Z0, Z0
	JEQ add1
	VMOVUPS 128(SI), Z2
	VMULPS 128(DI), Z2, Z2
	VADDPS Z5, Z2, K1, Z2
	VADDPS Z2, Z0, Z0
	JMP halve

many: // more than four vectors; the first products are the lanes
	VMOVUPS 0(SI), Z0
	VMOVUPS 64(SI), Z1
	VMOVUPS 128(SI), Z2
	VMOVUPS 192(SI), Z3
	VMULPS 0(DI), Z0, Z0
	VMULPS 64(DI), Z1, Z1
	VMULPS 128(DI), Z2, Z2
	VMULPS 192(DI), Z3, Z3
	ADDQ $256, SI
	ADDQ $256, DI
	SUBQ $128, DX
	JLT tail

	PCALIGN $64
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

tail: // 64 fewer than the elements left
	ADDQ $64, DX
	JEQ sum
	LEAL -1(DX), R10
	ANDL $-16, R10
	LEAQ (SI)(R10*4), R8
	LEAQ (DI)(R10*4), R9
	MOVL DX, CX
	NEGL CX
	ANDL $15, CX
	MOVL $65535, AX
	SHRL CX, AX
	KMOVW AX, K1
	MOVL R8, AX
	ANDL $4095, AX
	CMPL AX, $4032
	JHI tailEdge
	MOVL R9, AX
	ANDL $4095, AX
	CMPL AX, $4032
	JHI tailEdge
	VMOVUPS.Z (R8), K1, Z4
	VMOVUPS.Z (R9), K1, Z5

left: // up to four vectors, the last one in Z4 and Z5
	CMPL R10, $16
	JLT last0
	VMOVUPS (SI), Z6
	VFMADD231PS (DI), Z6, Z0
	JEQ last1
	VMOVUPS 64(SI), Z6
	VFMADD231PS 64(DI), Z6, Z1
	CMPL R10, $32
	JEQ last2
	VMOVUPS 128(SI), Z6
	VFMADD231PS 128(DI), Z6, Z2
	VFMADD231PS Z5, Z4, K1, Z3

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

one: // one vector; in Z31, for to set all ones in Z0 would wait for what it held before
	MOVL DX, CX
	NEGL CX
	ADDL $16, CX
	TESTQ DX, DX
	JEQ empty
	MOVL $65535, AX
	SHRL CX, AX
	KMOVW AX, K1
	VPTERNLOGD $0xff, Z31, Z31, Z31
	VPSLLD $31, Z31, Z31
	VMOVAPD Z31, Z0
	MOVL SI, AX
	ANDL $4095, AX
	CMPL AX, $4032
	JHI oneEdge
	MOVL DI, AX
	ANDL $4095, AX
	CMPL AX, $4032
	JHI oneEdge
	VMOVUPS.Z (SI), K1, Z4
	VMULPS (DI), Z4, K1, Z0
	JMP halve

add1:
	VADDPS Z5, Z0, K1, Z0
	JMP halve

last0:
	VFMADD231PS Z5, Z4, K1, Z0
	JMP sum

last1:
	VFMADD231PS Z5, Z4, K1, Z1
	JMP sum

last2:
	VFMADD231PS Z5, Z4, K1, Z2
	JMP sum

empty:
	MOVL $0, ret+48(FP)
	RET

oneEdge: // near the end of a page: load the vectors that end with the last element, move them down
	MOVL $-1, AX
	SHLL CX, AX
	KMOVW AX, K2
	NEGQ CX
	VMOVUPS.Z (SI)(CX*4), K2, Z4
	VMOVUPS.Z (DI)(CX*4), K2, Z5
	VCOMPRESSPS.Z Z4, K2, Z4
	VCOMPRESSPS.Z Z5, K2, Z5
	VMULPS Z5, Z4, K1, Z0
	JMP halve

fewEdge:
	MOVL $-1, AX
	SHLL CX, AX
	KMOVW AX, K2
	NEGQ CX
	VMOVUPS.Z (R8)(CX*4), K2, Z4
	VMOVUPS.Z (R9)(CX*4), K2, Z5
	VCOMPRESSPS.Z Z4, K2, Z4
	VCOMPRESSPS.Z Z5, K2, Z5
	JMP few

tailEdge:
	MOVL $-1, AX
	SHLL CX, AX
	KMOVW AX, K2
	NEGQ CX
	VMOVUPS.Z (R8)(CX*4), K2, Z4
	VMOVUPS.Z (R9)(CX*4), K2, Z5
	VCOMPRESSPS.Z Z4, K2, Z4
	VCOMPRESSPS.Z Z5, K2, Z5
	JMP left

// func dotF32WideAVX512(x, y []float32) float64
// Requires: AVX512F
//
// SI, DI: x, y; DX: elements left. Z0-Z3: the 32 lanes. R8, R9: the last vector of x and y, K1:
// its mask, R10: the elements before it. Lanes without an element are not written; only the
// products of the first vector fill up with −0, which changes no sum, when there is no other.
TEXT ·dotF32WideAVX512(SB), NOSPLIT, $0-56
	MOVQ x_base+0(FP), SI
	MOVQ x_len+8(FP), DX
	MOVQ y_base+24(FP), DI
	CMPQ DX, $8
	JLE one
	CMPQ DX, $32
	JGE many
	LEAL -1(DX), R10
	ANDL $-8, R10
	LEAQ (SI)(R10*4), R8
	LEAQ (DI)(R10*4), R9
	MOVL DX, CX
	NEGL CX
	ANDL $7, CX
	MOVL $255, AX
	SHRL CX, AX
	KMOVW AX, K1
	MOVL R8, AX
	ANDL $4095, AX
	CMPL AX, $4064
	JHI fewEdge
	MOVL R9, AX
	ANDL $4095, AX
	CMPL AX, $4064
	JHI fewEdge
	VCVTPS2PD.Z (R8), K1, Z4
	VCVTPS2PD.Z (R9), K1, Z5

few: // two to four vectors, the last one in Z4 and Z5
	VMULPD Z5, Z4, Z5
	VCVTPS2PD (SI), Z0
	VCVTPS2PD (DI), Z8
	VMULPD Z8, Z0, Z0
	CMPL R10, $16
	JLT add1
	VCVTPS2PD 32(SI), Z1
	VCVTPS2PD 32(DI), Z9
	VMULPD Z9, Z1, Z1
	VADDPD Z1, Z0, Z0
	JEQ add1
	VCVTPS2PD 64(SI), Z2
	VCVTPS2PD 64(DI), Z10
	VMULPD Z10, Z2, Z2
	VADDPD Z5, Z2, K1, Z2
	VADDPD Z2, Z0, Z0
	JMP halve

many: // more than four vectors; the first products are the lanes
	VCVTPS2PD 0(SI), Z0
	VCVTPS2PD 32(SI), Z1
	VCVTPS2PD 64(SI), Z2
	VCVTPS2PD 96(SI), Z3
	VCVTPS2PD 0(DI), Z8
	VMULPD Z8, Z0, Z0
	VCVTPS2PD 32(DI), Z9
	VMULPD Z9, Z1, Z1
	VCVTPS2PD 64(DI), Z10
	VMULPD Z10, Z2, Z2
	VCVTPS2PD 96(DI), Z11
	VMULPD Z11, Z3, Z3
	ADDQ $128, SI
	ADDQ $128, DI
	SUBQ $64, DX
	JLT tail

	PCALIGN $64
loop32: // a vector to each of the four groups of lanes
	VCVTPS2PD 0(SI), Z4
	VCVTPS2PD 32(SI), Z5
	VCVTPS2PD 64(SI), Z6
	VCVTPS2PD 96(SI), Z7
	VCVTPS2PD 0(DI), Z8
	VFMADD231PD Z8, Z4, Z0
	VCVTPS2PD 32(DI), Z9
	VFMADD231PD Z9, Z5, Z1
	VCVTPS2PD 64(DI), Z10
	VFMADD231PD Z10, Z6, Z2
	VCVTPS2PD 96(DI), Z11
	VFMADD231PD Z11, Z7, Z3
	ADDQ $128, SI
	ADDQ $128, DI
	SUBQ $32, DX
	JGE loop32

tail: // 32 fewer than the elements left
	ADDQ $32, DX
	JEQ sum
	LEAL -1(DX), R10
	ANDL $-8, R10
	LEAQ (SI)(R10*4), R8
	LEAQ (DI)(R10*4), R9
	MOVL DX, CX
	NEGL CX
	ANDL $7, CX
	MOVL $255, AX
	SHRL CX, AX
	KMOVW AX, K1
	MOVL R8, AX
	ANDL $4095, AX
	CMPL AX, $4064
	JHI tailEdge
	MOVL R9, AX
	ANDL $4095, AX
	CMPL AX, $4064
	JHI tailEdge
	VCVTPS2PD.Z (R8), K1, Z4
	VCVTPS2PD.Z (R9), K1, Z5

left: // up to four vectors, the last one in Z4 and Z5
	CMPL R10, $8
	JLT last0
	VCVTPS2PD (SI), Z6
	VCVTPS2PD (DI), Z8
	VFMADD231PD Z8, Z6, Z0
	JEQ last1
	VCVTPS2PD 32(SI), Z6
	VCVTPS2PD 32(DI), Z9
	VFMADD231PD Z9, Z6, Z1
	CMPL R10, $16
	JEQ last2
	VCVTPS2PD 64(SI), Z6
	VCVTPS2PD 64(DI), Z10
	VFMADD231PD Z10, Z6, Z2
	VFMADD231PD Z5, Z4, K1, Z3

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

one: // one vector; in Z31, for to set all ones in Z0 would wait for what it held before
	MOVL DX, CX
	NEGL CX
	ADDL $8, CX
	TESTQ DX, DX
	JEQ empty
	MOVL $255, AX
	SHRL CX, AX
	KMOVW AX, K1
	VPTERNLOGD $0xff, Z31, Z31, Z31
	VPSLLQ $63, Z31, Z31
	VMOVAPD Z31, Z0
	MOVL SI, AX
	ANDL $4095, AX
	CMPL AX, $4064
	JHI oneEdge
	MOVL DI, AX
	ANDL $4095, AX
	CMPL AX, $4064
	JHI oneEdge
	VCVTPS2PD.Z (SI), K1, Z4
	VCVTPS2PD.Z (DI), K1, Z8
	VMULPD Z8, Z4, K1, Z0
	JMP halve

add1:
	VADDPD Z5, Z0, K1, Z0
	JMP halve

last0:
	VFMADD231PD Z5, Z4, K1, Z0
	JMP sum

last1:
	VFMADD231PD Z5, Z4, K1, Z1
	JMP sum

last2:
	VFMADD231PD Z5, Z4, K1, Z2
	JMP sum

empty:
	MOVQ $0, ret+48(FP)
	RET

oneEdge: // near the end of a page: load the vectors that end with the last element, move them down
	MOVL $-1, AX
	SHLL CX, AX
	KMOVW AX, K2
	NEGQ CX
	VMOVUPS.Z (SI)(CX*4), K2, Y4
	VMOVUPS.Z (DI)(CX*4), K2, Y5
	VCOMPRESSPS.Z Y4, K2, Y4
	VCVTPS2PD Y4, Z4
	VCOMPRESSPS.Z Y5, K2, Y5
	VCVTPS2PD Y5, Z5
	VMULPD Z5, Z4, K1, Z0
	JMP halve

fewEdge:
	MOVL $-1, AX
	SHLL CX, AX
	KMOVW AX, K2
	NEGQ CX
	VMOVUPS.Z (R8)(CX*4), K2, Y4
	VMOVUPS.Z (R9)(CX*4), K2, Y5
	VCOMPRESSPS.Z Y4, K2, Y4
	VCVTPS2PD Y4, Z4
	VCOMPRESSPS.Z Y5, K2, Y5
	VCVTPS2PD Y5, Z5
	JMP few

tailEdge:
	MOVL $-1, AX
	SHLL CX, AX
	KMOVW AX, K2
	NEGQ CX
	VMOVUPS.Z (R8)(CX*4), K2, Y4
	VMOVUPS.Z (R9)(CX*4), K2, Y5
	VCOMPRESSPS.Z Y4, K2, Y4
	VCVTPS2PD Y4, Z4
	VCOMPRESSPS.Z Y5, K2, Y5
	VCVTPS2PD Y5, Z5
	JMP left

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
