//go:build !purego

#include "textflag.h"
#include "dispatch_amd64.h"

// The linear kernels for AVX2 and FMA3. The order of operations is that of the doc
// comments in dot.go, axpy.go and gemv.go.
//
// A masked load hides faults but not their price: one that reaches into a page
// without memory behind it takes some hundred nanoseconds. Near the end of a
// page the vector that ends with the last element is loaded instead.

// masks is 8 words of zeros, 8 of ones, 8 of zeros: the mask of the first n lanes
// starts n lanes before the second zeros, that of the last n lanes n lanes after the first.
DATA masks<>+0(SB)/8, $0
DATA masks<>+8(SB)/8, $0
DATA masks<>+16(SB)/8, $0
DATA masks<>+24(SB)/8, $0
DATA masks<>+32(SB)/8, $0xffffffffffffffff
DATA masks<>+40(SB)/8, $0xffffffffffffffff
DATA masks<>+48(SB)/8, $0xffffffffffffffff
DATA masks<>+56(SB)/8, $0xffffffffffffffff
DATA masks<>+64(SB)/8, $0
DATA masks<>+72(SB)/8, $0
DATA masks<>+80(SB)/8, $0
DATA masks<>+88(SB)/8, $0
GLOBL masks<>(SB), RODATA|NOPTR, $96

// rotation is 0 to 7 twice: the indices that move the last n lanes to the front
// start n lanes before the second half.
DATA rotation<>+0(SB)/8, $0x0000000100000000
DATA rotation<>+8(SB)/8, $0x0000000300000002
DATA rotation<>+16(SB)/8, $0x0000000500000004
DATA rotation<>+24(SB)/8, $0x0000000700000006
DATA rotation<>+32(SB)/8, $0x0000000100000000
DATA rotation<>+40(SB)/8, $0x0000000300000002
DATA rotation<>+48(SB)/8, $0x0000000500000004
DATA rotation<>+56(SB)/8, $0x0000000700000006
GLOBL rotation<>(SB), RODATA|NOPTR, $64

// func dotF64(x, y []float64) float64
TEXT ·dotF64(SB), NOSPLIT, $0-56
	DISPATCH(·dotF64AVX512(SB), ·dotF64AVX2(SB), ·dotF64Generic(SB))

// func dotF64AVX2(x, y []float64) float64
// Requires: AVX2, FMA3
//
// SI, DI: x, y; DX: elements left; BX: all of them. Y0-Y7: the 32 lanes, all −0
// at first, which changes no sum. The rest after the last whole vector is loaded
// with +0 in x and −0 in y where there is no element, so that those products are −0.
TEXT ·dotF64AVX2(SB), NOSPLIT, $0-56
	MOVQ x_base+0(FP), SI
	MOVQ x_len+8(FP), DX
	MOVQ y_base+24(FP), DI
	MOVQ DX, BX
	CMPQ DX, $32
	JGE many
	TESTQ DX, DX
	JEQ empty
	VPCMPEQD Y13, Y13, Y13
	VPSLLQ $63, Y13, Y13
	VMOVAPD Y13, Y0
	VMOVAPD Y13, Y1
	VMOVAPD Y13, Y2
	VMOVAPD Y13, Y3
	VMOVAPD Y13, Y4
	VMOVAPD Y13, Y5
	VMOVAPD Y13, Y6
	VMOVAPD Y13, Y7
	JMP left

many: // eight vectors or more; the first products are the lanes
	CMPQ DX, $65536
	JGT long
	VMOVUPD 0(SI), Y8
	VMOVUPD 32(SI), Y9
	VMOVUPD 64(SI), Y10
	VMOVUPD 96(SI), Y11
	VMULPD 0(DI), Y8, Y0
	VMULPD 32(DI), Y9, Y1
	VMULPD 64(DI), Y10, Y2
	VMULPD 96(DI), Y11, Y3
	VMOVUPD 128(SI), Y8
	VMOVUPD 160(SI), Y9
	VMOVUPD 192(SI), Y10
	VMOVUPD 224(SI), Y11
	VMULPD 128(DI), Y8, Y4
	VMULPD 160(DI), Y9, Y5
	VMULPD 192(DI), Y10, Y6
	VMULPD 224(DI), Y11, Y7
	ADDQ $256, SI
	ADDQ $256, DI
	SUBQ $64, DX
	JLT tail

	PCALIGN $64
loop32: // one vector to each eighth of the lanes
	VMOVUPD 0(SI), Y8
	VMOVUPD 32(SI), Y9
	VMOVUPD 64(SI), Y10
	VMOVUPD 96(SI), Y11
	VFMADD231PD 0(DI), Y8, Y0
	VFMADD231PD 32(DI), Y9, Y1
	VFMADD231PD 64(DI), Y10, Y2
	VFMADD231PD 96(DI), Y11, Y3
	VMOVUPD 128(SI), Y8
	VMOVUPD 160(SI), Y9
	VMOVUPD 192(SI), Y10
	VMOVUPD 224(SI), Y11
	VFMADD231PD 128(DI), Y8, Y4
	VFMADD231PD 160(DI), Y9, Y5
	VFMADD231PD 192(DI), Y10, Y6
	VFMADD231PD 224(DI), Y11, Y7
	ADDQ $256, SI
	ADDQ $256, DI
	SUBQ $32, DX
	JGE loop32

tail: // 32 fewer than the elements left; CX: those after the last whole vector
	ADDQ $32, DX
	JEQ sum
	VPCMPEQD Y13, Y13, Y13
	VPSLLQ $63, Y13, Y13
left:
	VMOVAPD Y13, Y15
	VPXOR Y14, Y14, Y14
	MOVQ DX, CX
	ANDQ $-4, DX
	ANDQ $3, CX
	JEQ whole0
	LEAQ (SI)(DX*8), R8
	LEAQ (DI)(DX*8), R9
	LEAQ masks<>(SB), AX
	MOVQ CX, R10
	NEGQ R10
	VMOVUPD 64(AX)(R10*8), Y12
	VANDNPD Y13, Y12, Y11
	MOVL R8, R11
	ANDL $4095, R11
	CMPL R11, $4064
	JHI edgeX
	VMASKMOVPD (R8), Y12, Y14

restY:
	MOVL R9, R11
	ANDL $4095, R11
	CMPL R11, $4064
	JHI edgeY
	VMASKMOVPD (R9), Y12, Y15

fill:
	VORPD Y11, Y15, Y15

whole0: // up to seven whole vectors, then the rest in the next eighth
	SUBQ $4, DX
	JLT rest0
	VMOVUPD 0(SI), Y8
	VFMADD231PD 0(DI), Y8, Y0
	SUBQ $4, DX
	JLT rest1
	VMOVUPD 32(SI), Y8
	VFMADD231PD 32(DI), Y8, Y1
	SUBQ $4, DX
	JLT rest2
	VMOVUPD 64(SI), Y8
	VFMADD231PD 64(DI), Y8, Y2
	SUBQ $4, DX
	JLT rest3
	VMOVUPD 96(SI), Y8
	VFMADD231PD 96(DI), Y8, Y3
	SUBQ $4, DX
	JLT rest4
	VMOVUPD 128(SI), Y8
	VFMADD231PD 128(DI), Y8, Y4
	SUBQ $4, DX
	JLT rest5
	VMOVUPD 160(SI), Y8
	VFMADD231PD 160(DI), Y8, Y5
	SUBQ $4, DX
	JLT rest6
	VMOVUPD 192(SI), Y8
	VFMADD231PD 192(DI), Y8, Y6
	VFMADD231PD Y15, Y14, Y7
	JMP sum

rest6:
	VFMADD231PD Y15, Y14, Y6
	JMP sum

rest5:
	VFMADD231PD Y15, Y14, Y5
	JMP sum

rest4:
	VFMADD231PD Y15, Y14, Y4
	JMP sum

rest3:
	VFMADD231PD Y15, Y14, Y3
	JMP sum

rest2:
	VFMADD231PD Y15, Y14, Y2
	JMP short

rest1:
	VFMADD231PD Y15, Y14, Y1
	JMP short

rest0:
	VFMADD231PD Y15, Y14, Y0

short: // nothing but −0 beyond the first 8 lanes when there are no more elements
	CMPQ BX, $8
	JLE halve

sum: // (g0+g1)+(g2+g3), each group in two registers
	VADDPD Y2, Y0, Y0
	VADDPD Y3, Y1, Y1
	VADDPD Y6, Y4, Y4
	VADDPD Y7, Y5, Y5
	VADDPD Y4, Y0, Y0
	VADDPD Y5, Y1, Y1

halve:
	VADDPD Y1, Y0, Y0
	VEXTRACTF128 $1, Y0, X1
	VADDPD X1, X0, X0
	VPERMILPD $1, X0, X1
	VADDSD X1, X0, X0
	VMOVSD X0, ret+48(FP)
	VZEROUPPER
	RET

edgeX: // near the end of a page: load the vector that ends with the last element, rotate it
	VMOVUPD (AX)(CX*8), Y9
	LEAQ rotation<>(SB), R11
	VMOVUPS 32(R11)(R10*8), Y10
	VMASKMOVPD -32(R8)(CX*8), Y9, Y14
	VPERMPS Y14, Y10, Y14
	JMP restY

edgeY:
	VMOVUPD (AX)(CX*8), Y9
	LEAQ rotation<>(SB), R11
	VMOVUPS 32(R11)(R10*8), Y10
	VMASKMOVPD -32(R9)(CX*8), Y9, Y15
	VPERMPS Y15, Y10, Y15
	JMP fill

long:
	JMP ·dotF64Long(SB)

empty:
	MOVQ $0, ret+48(FP)
	RET

// func dotF32(x, y []float32) float32
TEXT ·dotF32(SB), NOSPLIT, $0-52
	DISPATCH(·dotF32AVX512(SB), ·dotF32AVX2(SB), ·dotF32Generic(SB))

// func dotF32AVX2(x, y []float32) float32
// Requires: AVX2, FMA3
//
// SI, DI: x, y; DX: elements left; BX: all of them. Y0-Y7: the 64 lanes, all −0
// at first, which changes no sum. The rest after the last whole vector is loaded
// with +0 in x and −0 in y where there is no element, so that those products are −0.
TEXT ·dotF32AVX2(SB), NOSPLIT, $0-52
	MOVQ x_base+0(FP), SI
	MOVQ x_len+8(FP), DX
	MOVQ y_base+24(FP), DI
	MOVQ DX, BX
	CMPQ DX, $64
	JGE many
	TESTQ DX, DX
	JEQ empty
	VPCMPEQD Y13, Y13, Y13
	VPSLLD $31, Y13, Y13
	VMOVAPD Y13, Y0
	VMOVAPD Y13, Y1
	VMOVAPD Y13, Y2
	VMOVAPD Y13, Y3
	VMOVAPD Y13, Y4
	VMOVAPD Y13, Y5
	VMOVAPD Y13, Y6
	VMOVAPD Y13, Y7
	JMP left

many: // eight vectors or more; the first products are the lanes
	CMPQ DX, $65536
	JGT long
	VMOVUPS 0(SI), Y8
	VMOVUPS 32(SI), Y9
	VMOVUPS 64(SI), Y10
	VMOVUPS 96(SI), Y11
	VMULPS 0(DI), Y8, Y0
	VMULPS 32(DI), Y9, Y1
	VMULPS 64(DI), Y10, Y2
	VMULPS 96(DI), Y11, Y3
	VMOVUPS 128(SI), Y8
	VMOVUPS 160(SI), Y9
	VMOVUPS 192(SI), Y10
	VMOVUPS 224(SI), Y11
	VMULPS 128(DI), Y8, Y4
	VMULPS 160(DI), Y9, Y5
	VMULPS 192(DI), Y10, Y6
	VMULPS 224(DI), Y11, Y7
	ADDQ $256, SI
	ADDQ $256, DI
	SUBQ $128, DX
	JLT tail

	PCALIGN $64
loop64: // one vector to each eighth of the lanes
	VMOVUPS 0(SI), Y8
	VMOVUPS 32(SI), Y9
	VMOVUPS 64(SI), Y10
	VMOVUPS 96(SI), Y11
	VFMADD231PS 0(DI), Y8, Y0
	VFMADD231PS 32(DI), Y9, Y1
	VFMADD231PS 64(DI), Y10, Y2
	VFMADD231PS 96(DI), Y11, Y3
	VMOVUPS 128(SI), Y8
	VMOVUPS 160(SI), Y9
	VMOVUPS 192(SI), Y10
	VMOVUPS 224(SI), Y11
	VFMADD231PS 128(DI), Y8, Y4
	VFMADD231PS 160(DI), Y9, Y5
	VFMADD231PS 192(DI), Y10, Y6
	VFMADD231PS 224(DI), Y11, Y7
	ADDQ $256, SI
	ADDQ $256, DI
	SUBQ $64, DX
	JGE loop64

tail: // 64 fewer than the elements left; CX: those after the last whole vector
	ADDQ $64, DX
	JEQ sum
	VPCMPEQD Y13, Y13, Y13
	VPSLLD $31, Y13, Y13
left:
	VMOVAPD Y13, Y15
	VPXOR Y14, Y14, Y14
	MOVQ DX, CX
	ANDQ $-8, DX
	ANDQ $7, CX
	JEQ whole0
	LEAQ (SI)(DX*4), R8
	LEAQ (DI)(DX*4), R9
	LEAQ masks<>(SB), AX
	MOVQ CX, R10
	NEGQ R10
	VMOVUPS 64(AX)(R10*4), Y12
	VANDNPS Y13, Y12, Y11
	MOVL R8, R11
	ANDL $4095, R11
	CMPL R11, $4064
	JHI edgeX
	VMASKMOVPS (R8), Y12, Y14

restY:
	MOVL R9, R11
	ANDL $4095, R11
	CMPL R11, $4064
	JHI edgeY
	VMASKMOVPS (R9), Y12, Y15

fill:
	VORPS Y11, Y15, Y15

whole0: // up to seven whole vectors, then the rest in the next eighth
	SUBQ $8, DX
	JLT rest0
	VMOVUPS 0(SI), Y8
	VFMADD231PS 0(DI), Y8, Y0
	SUBQ $8, DX
	JLT rest1
	VMOVUPS 32(SI), Y8
	VFMADD231PS 32(DI), Y8, Y1
	SUBQ $8, DX
	JLT rest2
	VMOVUPS 64(SI), Y8
	VFMADD231PS 64(DI), Y8, Y2
	SUBQ $8, DX
	JLT rest3
	VMOVUPS 96(SI), Y8
	VFMADD231PS 96(DI), Y8, Y3
	SUBQ $8, DX
	JLT rest4
	VMOVUPS 128(SI), Y8
	VFMADD231PS 128(DI), Y8, Y4
	SUBQ $8, DX
	JLT rest5
	VMOVUPS 160(SI), Y8
	VFMADD231PS 160(DI), Y8, Y5
	SUBQ $8, DX
	JLT rest6
	VMOVUPS 192(SI), Y8
	VFMADD231PS 192(DI), Y8, Y6
	VFMADD231PS Y15, Y14, Y7
	JMP sum

rest6:
	VFMADD231PS Y15, Y14, Y6
	JMP sum

rest5:
	VFMADD231PS Y15, Y14, Y5
	JMP sum

rest4:
	VFMADD231PS Y15, Y14, Y4
	JMP sum

rest3:
	VFMADD231PS Y15, Y14, Y3
	JMP sum

rest2:
	VFMADD231PS Y15, Y14, Y2
	JMP short

rest1:
	VFMADD231PS Y15, Y14, Y1
	JMP short

rest0:
	VFMADD231PS Y15, Y14, Y0

short: // nothing but −0 beyond the first 16 lanes when there are no more elements
	CMPQ BX, $16
	JLE halve

sum: // (g0+g1)+(g2+g3), each group in two registers
	VADDPS Y2, Y0, Y0
	VADDPS Y3, Y1, Y1
	VADDPS Y6, Y4, Y4
	VADDPS Y7, Y5, Y5
	VADDPS Y4, Y0, Y0
	VADDPS Y5, Y1, Y1

halve:
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

edgeX: // near the end of a page: load the vector that ends with the last element, rotate it
	VMOVUPS (AX)(CX*4), Y9
	LEAQ rotation<>(SB), R11
	VMOVUPS 32(R11)(R10*4), Y10
	VMASKMOVPS -32(R8)(CX*4), Y9, Y14
	VPERMPS Y14, Y10, Y14
	JMP restY

edgeY:
	VMOVUPS (AX)(CX*4), Y9
	LEAQ rotation<>(SB), R11
	VMOVUPS 32(R11)(R10*4), Y10
	VMASKMOVPS -32(R9)(CX*4), Y9, Y15
	VPERMPS Y15, Y10, Y15
	JMP fill

long:
	JMP ·dotF32Long(SB)

empty:
	MOVL $0, ret+48(FP)
	RET

// func dotF32Wide(x, y []float32) float64
TEXT ·dotF32Wide(SB), NOSPLIT, $0-56
	DISPATCH(·dotF32WideAVX512(SB), ·dotF32WideAVX2(SB), ·dotF32WideGeneric(SB))

// func dotF32WideAVX2(x, y []float32) float64
// Requires: AVX2, FMA3
//
// SI, DI: x, y; DX: elements left; BX: all of them. Y0-Y7: the 32 lanes, all −0
// at first, which changes no sum. The rest after the last whole vector is loaded
// with +0 in x and −0 in y where there is no element, so that those products are −0.
// What is loaded is converted on the way, 4 elements at a time.
TEXT ·dotF32WideAVX2(SB), NOSPLIT, $0-56
	MOVQ x_base+0(FP), SI
	MOVQ x_len+8(FP), DX
	MOVQ y_base+24(FP), DI
	MOVQ DX, BX
	CMPQ DX, $32
	JGE many
	TESTQ DX, DX
	JEQ empty
	VPCMPEQD Y13, Y13, Y13
	VPSLLD $31, X13, X15 // −0 in float32
	VPSLLQ $63, Y13, Y13
	VMOVAPD Y13, Y0
	VMOVAPD Y13, Y1
	VMOVAPD Y13, Y2
	VMOVAPD Y13, Y3
	VMOVAPD Y13, Y4
	VMOVAPD Y13, Y5
	VMOVAPD Y13, Y6
	VMOVAPD Y13, Y7
	JMP left

many: // eight vectors or more; the first products are the lanes
	CMPQ DX, $65536
	JGT long
	VCVTPS2PD 0(SI), Y8
	VCVTPS2PD 16(SI), Y9
	VCVTPS2PD 0(DI), Y10
	VCVTPS2PD 16(DI), Y11
	VMULPD Y10, Y8, Y0
	VMULPD Y11, Y9, Y1
	VCVTPS2PD 32(SI), Y8
	VCVTPS2PD 48(SI), Y9
	VCVTPS2PD 32(DI), Y10
	VCVTPS2PD 48(DI), Y11
	VMULPD Y10, Y8, Y2
	VMULPD Y11, Y9, Y3
	VCVTPS2PD 64(SI), Y8
	VCVTPS2PD 80(SI), Y9
	VCVTPS2PD 64(DI), Y10
	VCVTPS2PD 80(DI), Y11
	VMULPD Y10, Y8, Y4
	VMULPD Y11, Y9, Y5
	VCVTPS2PD 96(SI), Y8
	VCVTPS2PD 112(SI), Y9
	VCVTPS2PD 96(DI), Y10
	VCVTPS2PD 112(DI), Y11
	VMULPD Y10, Y8, Y6
	VMULPD Y11, Y9, Y7
	ADDQ $128, SI
	ADDQ $128, DI
	SUBQ $64, DX
	JLT tail

	PCALIGN $64
loop32: // one vector to each eighth of the lanes
	VCVTPS2PD 0(SI), Y8
	VCVTPS2PD 16(SI), Y9
	VCVTPS2PD 0(DI), Y10
	VCVTPS2PD 16(DI), Y11
	VFMADD231PD Y10, Y8, Y0
	VFMADD231PD Y11, Y9, Y1
	VCVTPS2PD 32(SI), Y8
	VCVTPS2PD 48(SI), Y9
	VCVTPS2PD 32(DI), Y10
	VCVTPS2PD 48(DI), Y11
	VFMADD231PD Y10, Y8, Y2
	VFMADD231PD Y11, Y9, Y3
	VCVTPS2PD 64(SI), Y8
	VCVTPS2PD 80(SI), Y9
	VCVTPS2PD 64(DI), Y10
	VCVTPS2PD 80(DI), Y11
	VFMADD231PD Y10, Y8, Y4
	VFMADD231PD Y11, Y9, Y5
	VCVTPS2PD 96(SI), Y8
	VCVTPS2PD 112(SI), Y9
	VCVTPS2PD 96(DI), Y10
	VCVTPS2PD 112(DI), Y11
	VFMADD231PD Y10, Y8, Y6
	VFMADD231PD Y11, Y9, Y7
	ADDQ $128, SI
	ADDQ $128, DI
	SUBQ $32, DX
	JGE loop32

tail: // 32 fewer than the elements left; CX: those after the last whole vector
	ADDQ $32, DX
	JEQ sum
	VPCMPEQD Y13, Y13, Y13
	VPSLLD $31, X13, X15 // −0 in float32
	VPSLLQ $63, Y13, Y13
left:
	VPXOR Y14, Y14, Y14
	MOVQ DX, CX
	ANDQ $-4, DX
	ANDQ $3, CX
	JEQ whole0
	LEAQ (SI)(DX*4), R8
	LEAQ (DI)(DX*4), R9
	LEAQ masks<>(SB), AX
	MOVQ CX, R10
	NEGQ R10
	VMOVUPS 64(AX)(R10*4), X12
	VANDNPS X15, X12, X11
	MOVL R8, R11
	ANDL $4095, R11
	CMPL R11, $4080
	JHI edgeX
	VMASKMOVPS (R8), X12, X14

restY:
	MOVL R9, R11
	ANDL $4095, R11
	CMPL R11, $4080
	JHI edgeY
	VMASKMOVPS (R9), X12, X15

fill:
	VORPS X11, X15, X15

whole0: // up to seven whole vectors, then the rest in the next eighth
	VCVTPS2PD X14, Y14
	VCVTPS2PD X15, Y15
	SUBQ $4, DX
	JLT rest0
	VCVTPS2PD 0(SI), Y8
	VCVTPS2PD 0(DI), Y9
	VFMADD231PD Y9, Y8, Y0
	SUBQ $4, DX
	JLT rest1
	VCVTPS2PD 16(SI), Y8
	VCVTPS2PD 16(DI), Y9
	VFMADD231PD Y9, Y8, Y1
	SUBQ $4, DX
	JLT rest2
	VCVTPS2PD 32(SI), Y8
	VCVTPS2PD 32(DI), Y9
	VFMADD231PD Y9, Y8, Y2
	SUBQ $4, DX
	JLT rest3
	VCVTPS2PD 48(SI), Y8
	VCVTPS2PD 48(DI), Y9
	VFMADD231PD Y9, Y8, Y3
	SUBQ $4, DX
	JLT rest4
	VCVTPS2PD 64(SI), Y8
	VCVTPS2PD 64(DI), Y9
	VFMADD231PD Y9, Y8, Y4
	SUBQ $4, DX
	JLT rest5
	VCVTPS2PD 80(SI), Y8
	VCVTPS2PD 80(DI), Y9
	VFMADD231PD Y9, Y8, Y5
	SUBQ $4, DX
	JLT rest6
	VCVTPS2PD 96(SI), Y8
	VCVTPS2PD 96(DI), Y9
	VFMADD231PD Y9, Y8, Y6
	VFMADD231PD Y15, Y14, Y7
	JMP sum

rest6:
	VFMADD231PD Y15, Y14, Y6
	JMP sum

rest5:
	VFMADD231PD Y15, Y14, Y5
	JMP sum

rest4:
	VFMADD231PD Y15, Y14, Y4
	JMP sum

rest3:
	VFMADD231PD Y15, Y14, Y3
	JMP sum

rest2:
	VFMADD231PD Y15, Y14, Y2
	JMP short

rest1:
	VFMADD231PD Y15, Y14, Y1
	JMP short

rest0:
	VFMADD231PD Y15, Y14, Y0

short: // nothing but −0 beyond the first 8 lanes when there are no more elements
	CMPQ BX, $8
	JLE halve

sum: // (g0+g1)+(g2+g3), each group in two registers
	VADDPD Y2, Y0, Y0
	VADDPD Y3, Y1, Y1
	VADDPD Y6, Y4, Y4
	VADDPD Y7, Y5, Y5
	VADDPD Y4, Y0, Y0
	VADDPD Y5, Y1, Y1

halve:
	VADDPD Y1, Y0, Y0
	VEXTRACTF128 $1, Y0, X1
	VADDPD X1, X0, X0
	VPERMILPD $1, X0, X1
	VADDSD X1, X0, X0
	VMOVSD X0, ret+48(FP)
	VZEROUPPER
	RET

edgeX: // near the end of a page: load the vector that ends with the last element, rotate it
	VMOVUPS 16(AX)(CX*4), X9
	LEAQ rotation<>(SB), R11
	VMOVUPS 16(R11)(R10*4), X10
	VMASKMOVPS -16(R8)(CX*4), X9, X14
	VPERMILPS X10, X14, X14
	JMP restY

edgeY:
	VMOVUPS 16(AX)(CX*4), X9
	LEAQ rotation<>(SB), R11
	VMOVUPS 16(R11)(R10*4), X10
	VMASKMOVPS -16(R9)(CX*4), X9, X15
	VPERMILPS X10, X15, X15
	JMP fill

long:
	JMP ·dotF32WideLong(SB)

empty:
	MOVQ $0, ret+48(FP)
	RET

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
