//go:build !purego

#include "textflag.h"
#include "dispatch_amd64.h"

// Gemv and its transpose for AVX2 and FMA3. The order of operations is that of the doc
// comments in gemv.go; what kernels_linear_amd64.s says of masked loads holds here too.

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

// func gemvF64(dst, a []float64, rows, cols, stride int, x []float64)
TEXT ·gemvF64(SB), NOSPLIT, $0-96
	FITS(BX, DX, 8, 8, 8, checked)
	JMP ·gemvF64AVX512(SB)

checked:
	JMP ·gemvF64Checked(SB)

// func gemvF64AVX2(dst, a []float64, rows, cols, stride int, x []float64)
// Requires: AVX2, FMA3
//
// The dot product of kernels_linear_amd64.s, a row at a time. R11: dst; R12: the row; R9: its stride in
// bytes; BX: rows left; R13: cols; R10: those after the last whole vector. Y12: their
// mask; Y15: that rest of x, −0 where there is no element; Y13: −0.
TEXT ·gemvF64AVX2(SB), NOSPLIT, $0-96
	MOVQ dst_base+0(FP), R11
	MOVQ a_base+24(FP), R12
	MOVQ rows+48(FP), BX
	MOVQ cols+56(FP), R13
	MOVQ stride+64(FP), R9
	SHLQ $3, R9
	MOVQ x_base+72(FP), DI
	VPCMPEQD Y13, Y13, Y13
	VPSLLQ $63, Y13, Y13
	VMOVAPD Y13, Y15
	MOVQ R13, R10
	ANDQ $3, R10
	JEQ row
	MOVQ R10, CX
	NEGQ CX
	LEAQ masks<>(SB), AX
	VMOVUPD 64(AX)(CX*8), Y12
	VANDNPD Y13, Y12, Y11
	LEAQ (DI)(R13*8), R8
	LEAQ (R8)(CX*8), R8
	MOVL R8, DX
	ANDL $4095, DX
	CMPL DX, $4064
	JHI edgeX
	VMASKMOVPD (R8), Y12, Y15

fillX:
	VORPD Y11, Y15, Y15

row:
	VPXOR Y14, Y14, Y14
	TESTQ R10, R10
	JEQ whole
	MOVQ R13, R8
	SUBQ R10, R8
	LEAQ (R12)(R8*8), R8
	MOVL R8, DX
	ANDL $4095, DX
	CMPL DX, $4064
	JHI edge
	VMASKMOVPD (R8), Y12, Y14

whole:
	MOVQ R12, SI
	MOVQ x_base+72(FP), DI
	MOVQ R13, DX
	VMOVAPD Y13, Y0
	VMOVAPD Y13, Y1
	VMOVAPD Y13, Y2
	VMOVAPD Y13, Y3
	VMOVAPD Y13, Y4
	VMOVAPD Y13, Y5
	VMOVAPD Y13, Y6
	VMOVAPD Y13, Y7
	SUBQ $32, DX
	JLT tail

loop32:
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

tail:
	ADDQ $32, DX
	JEQ sum
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
	JMP sum

rest1:
	VFMADD231PD Y15, Y14, Y1
	JMP sum

rest0:
	VFMADD231PD Y15, Y14, Y0

sum:
	VADDPD Y2, Y0, Y0
	VADDPD Y3, Y1, Y1
	VADDPD Y6, Y4, Y4
	VADDPD Y7, Y5, Y5
	VADDPD Y4, Y0, Y0
	VADDPD Y5, Y1, Y1
	VADDPD Y1, Y0, Y0
	VEXTRACTF128 $1, Y0, X1
	VADDPD X1, X0, X0
	VPERMILPD $1, X0, X1
	VADDSD X1, X0, X0
	VMOVSD X0, (R11)
	ADDQ $8, R11
	ADDQ R9, R12
	DECQ BX
	JNE row
	VZEROUPPER
	RET

edgeX: // as in the dot product, for x
	VMOVUPS (AX)(R10*8), Y10
	LEAQ rotation<>(SB), DX
	VMOVUPS 32(DX)(CX*8), Y9
	VMASKMOVPD -32(R8)(R10*8), Y10, Y15
	VPERMPS Y15, Y9, Y15
	JMP fillX

edge: // and for the row
	LEAQ rotation<>(SB), DX
	VMOVUPS (AX)(R10*8), Y10
	VMOVUPS 32(DX)(CX*8), Y9
	VMASKMOVPD -32(R8)(R10*8), Y10, Y14
	VPERMPS Y14, Y9, Y14
	JMP whole

// func gemvF32(dst, a []float32, rows, cols, stride int, x []float32)
TEXT ·gemvF32(SB), NOSPLIT, $0-96
	FITS(BX, DX, 4, 4, 16, checked)
	JMP ·gemvF32AVX512(SB)

checked:
	JMP ·gemvF32Checked(SB)

// func gemvF32AVX2(dst, a []float32, rows, cols, stride int, x []float32)
// Requires: AVX2, FMA3
//
// The dot product of kernels_linear_amd64.s, a row at a time. R11: dst; R12: the row; R9: its stride in
// bytes; BX: rows left; R13: cols; R10: those after the last whole vector. Y12: their
// mask; Y15: that rest of x, −0 where there is no element; Y13: −0.
TEXT ·gemvF32AVX2(SB), NOSPLIT, $0-96
	MOVQ dst_base+0(FP), R11
	MOVQ a_base+24(FP), R12
	MOVQ rows+48(FP), BX
	MOVQ cols+56(FP), R13
	MOVQ stride+64(FP), R9
	SHLQ $2, R9
	MOVQ x_base+72(FP), DI
	VPCMPEQD Y13, Y13, Y13
	VPSLLD $31, Y13, Y13
	VMOVAPD Y13, Y15
	MOVQ R13, R10
	ANDQ $7, R10
	JEQ row
	MOVQ R10, CX
	NEGQ CX
	LEAQ masks<>(SB), AX
	VMOVUPS 64(AX)(CX*4), Y12
	VANDNPS Y13, Y12, Y11
	LEAQ (DI)(R13*4), R8
	LEAQ (R8)(CX*4), R8
	MOVL R8, DX
	ANDL $4095, DX
	CMPL DX, $4064
	JHI edgeX
	VMASKMOVPS (R8), Y12, Y15

fillX:
	VORPS Y11, Y15, Y15

row:
	VPXOR Y14, Y14, Y14
	TESTQ R10, R10
	JEQ whole
	MOVQ R13, R8
	SUBQ R10, R8
	LEAQ (R12)(R8*4), R8
	MOVL R8, DX
	ANDL $4095, DX
	CMPL DX, $4064
	JHI edge
	VMASKMOVPS (R8), Y12, Y14

whole:
	MOVQ R12, SI
	MOVQ x_base+72(FP), DI
	MOVQ R13, DX
	VMOVAPD Y13, Y0
	VMOVAPD Y13, Y1
	VMOVAPD Y13, Y2
	VMOVAPD Y13, Y3
	VMOVAPD Y13, Y4
	VMOVAPD Y13, Y5
	VMOVAPD Y13, Y6
	VMOVAPD Y13, Y7
	SUBQ $64, DX
	JLT tail

loop64:
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

tail:
	ADDQ $64, DX
	JEQ sum
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
	JMP sum

rest1:
	VFMADD231PS Y15, Y14, Y1
	JMP sum

rest0:
	VFMADD231PS Y15, Y14, Y0

sum:
	VADDPS Y2, Y0, Y0
	VADDPS Y3, Y1, Y1
	VADDPS Y6, Y4, Y4
	VADDPS Y7, Y5, Y5
	VADDPS Y4, Y0, Y0
	VADDPS Y5, Y1, Y1
	VADDPS Y1, Y0, Y0
	VEXTRACTF128 $1, Y0, X1
	VADDPS X1, X0, X0
	VPERMILPD $1, X0, X1
	VADDPS X1, X0, X0
	VMOVSHDUP X0, X1
	VADDSS X1, X0, X0
	VMOVSS X0, (R11)
	ADDQ $4, R11
	ADDQ R9, R12
	DECQ BX
	JNE row
	VZEROUPPER
	RET

edgeX: // as in the dot product, for x
	VMOVUPS (AX)(R10*4), Y10
	LEAQ rotation<>(SB), DX
	VMOVUPS 32(DX)(CX*4), Y9
	VMASKMOVPS -32(R8)(R10*4), Y10, Y15
	VPERMPS Y15, Y9, Y15
	JMP fillX

edge: // and for the row
	LEAQ rotation<>(SB), DX
	VMOVUPS (AX)(R10*4), Y10
	VMOVUPS 32(DX)(CX*4), Y9
	VMASKMOVPS -32(R8)(R10*4), Y10, Y14
	VPERMPS Y14, Y9, Y14
	JMP whole

// func gemvF32Wide(dst []float64, a []float32, rows, cols, stride int, x []float64)
TEXT ·gemvF32Wide(SB), NOSPLIT, $0-96
	FITS(BX, DX, 8, 4, 8, checked)
	JMP ·gemvF32WideAVX512(SB)

checked:
	JMP ·gemvF32WideChecked(SB)

// func gemvF32WideAVX2(dst []float64, a []float32, rows, cols, stride int, x []float64)
// Requires: AVX2, FMA3
//
// The dot product of kernels_linear_amd64.s, a row at a time. R11: dst; R12: the row; R9: its stride in
// bytes; BX: rows left; R13: cols; R10: those after the last whole vector. Y12: their
// mask; Y15: that rest of x, −0 where there is no element; Y13: −0.
TEXT ·gemvF32WideAVX2(SB), NOSPLIT, $0-96
	MOVQ dst_base+0(FP), R11
	MOVQ a_base+24(FP), R12
	MOVQ rows+48(FP), BX
	MOVQ cols+56(FP), R13
	MOVQ stride+64(FP), R9
	SHLQ $2, R9
	MOVQ x_base+72(FP), DI
	VPCMPEQD Y13, Y13, Y13
	VPSLLQ $63, Y13, Y13
	VMOVAPD Y13, Y15
	MOVQ R13, R10
	ANDQ $3, R10
	JEQ row
	MOVQ R10, CX
	NEGQ CX
	LEAQ masks<>(SB), AX
	VMOVUPD 64(AX)(CX*8), Y12
	VANDNPD Y13, Y12, Y11
	LEAQ (DI)(R13*8), R8
	LEAQ (R8)(CX*8), R8
	MOVL R8, DX
	ANDL $4095, DX
	CMPL DX, $4064
	JHI edgeX
	VMASKMOVPD (R8), Y12, Y15

fillX:
	VORPD Y11, Y15, Y15
	VMOVUPS 64(AX)(CX*4), X12

row:
	VPXOR Y14, Y14, Y14
	TESTQ R10, R10
	JEQ whole
	MOVQ R13, R8
	SUBQ R10, R8
	LEAQ (R12)(R8*4), R8
	MOVL R8, DX
	ANDL $4095, DX
	CMPL DX, $4080
	JHI edge
	VMASKMOVPS (R8), X12, X14

whole:
	VCVTPS2PD X14, Y14
	MOVQ R12, SI
	MOVQ x_base+72(FP), DI
	MOVQ R13, DX
	VMOVAPD Y13, Y0
	VMOVAPD Y13, Y1
	VMOVAPD Y13, Y2
	VMOVAPD Y13, Y3
	VMOVAPD Y13, Y4
	VMOVAPD Y13, Y5
	VMOVAPD Y13, Y6
	VMOVAPD Y13, Y7
	SUBQ $32, DX
	JLT tail

loop32: // rows to come, from memory: a prefetch cannot fault
	PREFETCHT0 16384(SI)
	PREFETCHT0 16448(SI)
	VCVTPS2PD 0(SI), Y8
	VCVTPS2PD 16(SI), Y9
	VCVTPS2PD 32(SI), Y10
	VCVTPS2PD 48(SI), Y11
	VFMADD231PD 0(DI), Y8, Y0
	VFMADD231PD 32(DI), Y9, Y1
	VFMADD231PD 64(DI), Y10, Y2
	VFMADD231PD 96(DI), Y11, Y3
	VCVTPS2PD 64(SI), Y8
	VCVTPS2PD 80(SI), Y9
	VCVTPS2PD 96(SI), Y10
	VCVTPS2PD 112(SI), Y11
	VFMADD231PD 128(DI), Y8, Y4
	VFMADD231PD 160(DI), Y9, Y5
	VFMADD231PD 192(DI), Y10, Y6
	VFMADD231PD 224(DI), Y11, Y7
	ADDQ $128, SI
	ADDQ $256, DI
	SUBQ $32, DX
	JGE loop32

tail:
	ADDQ $32, DX
	JEQ sum
	SUBQ $4, DX
	JLT rest0
	VCVTPS2PD 0(SI), Y8
	VFMADD231PD 0(DI), Y8, Y0
	SUBQ $4, DX
	JLT rest1
	VCVTPS2PD 16(SI), Y8
	VFMADD231PD 32(DI), Y8, Y1
	SUBQ $4, DX
	JLT rest2
	VCVTPS2PD 32(SI), Y8
	VFMADD231PD 64(DI), Y8, Y2
	SUBQ $4, DX
	JLT rest3
	VCVTPS2PD 48(SI), Y8
	VFMADD231PD 96(DI), Y8, Y3
	SUBQ $4, DX
	JLT rest4
	VCVTPS2PD 64(SI), Y8
	VFMADD231PD 128(DI), Y8, Y4
	SUBQ $4, DX
	JLT rest5
	VCVTPS2PD 80(SI), Y8
	VFMADD231PD 160(DI), Y8, Y5
	SUBQ $4, DX
	JLT rest6
	VCVTPS2PD 96(SI), Y8
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
	JMP sum

rest1:
	VFMADD231PD Y15, Y14, Y1
	JMP sum

rest0:
	VFMADD231PD Y15, Y14, Y0

sum:
	VADDPD Y2, Y0, Y0
	VADDPD Y3, Y1, Y1
	VADDPD Y6, Y4, Y4
	VADDPD Y7, Y5, Y5
	VADDPD Y4, Y0, Y0
	VADDPD Y5, Y1, Y1
	VADDPD Y1, Y0, Y0
	VEXTRACTF128 $1, Y0, X1
	VADDPD X1, X0, X0
	VPERMILPD $1, X0, X1
	VADDSD X1, X0, X0
	VMOVSD X0, (R11)
	ADDQ $8, R11
	ADDQ R9, R12
	DECQ BX
	JNE row
	VZEROUPPER
	RET

edgeX: // as in the dot product, for x
	VMOVUPS (AX)(R10*8), Y10
	LEAQ rotation<>(SB), DX
	VMOVUPS 32(DX)(CX*8), Y9
	VMASKMOVPD -32(R8)(R10*8), Y10, Y15
	VPERMPS Y15, Y9, Y15
	JMP fillX

edge: // and for the row
	LEAQ rotation<>(SB), DX
	VMOVUPS 16(AX)(R10*4), X10
	VMOVUPS 16(DX)(CX*4), X9
	VMASKMOVPS -16(R8)(R10*4), X10, X14
	VPERMILPS X9, X14, X14
	JMP whole

// func gemvTF64(dst, a []float64, rows, cols, stride int, x []float64)
TEXT ·gemvTF64(SB), NOSPLIT, $0-96
	FITS(DX, BX, 8, 8, 8, checked)
	LEAQ (DI)(R10*8), AX // the last vector of dst
	ANDL $4095, AX
	CMPL AX, $4032
	JHI checked
	JMP ·gemvTF64AVX512(SB)

checked:
	JMP ·gemvTF64Checked(SB)

// The transposes on AVX2 have the body gemvt_amd64.h, with macros for what they do not share. For at least one column and one row. Strips of
// up to 12 vectors of columns, of equal width but for the last; each stays in Y0-Y11 over all rows, its last vector in Y11. DI: dst; R12: the
// strip in the first row; R9: stride in bytes; R13: vectors of a strip; R11: vectors left; DX: vectors of this
// strip; R10: where its last one is; Y12: its mask in a, Y15: in dst; SI, R8, BX: row, c and rows left; Y13: c[i].
//
// Wider than a strip and followed by more than 16 MiB, as matrices in memory are, one row after the other goes over all columns instead, and dst
// passes through the registers: strips leave gaps in what is read. CX: bytes of the row that are done; R13: where its last two whole vectors begin.

#define LOAD(n, off, y) CMPQ DX, $n; JEQ loaded; MOV off(DI), y
#define STORE(n, off, y) CMPQ DX, $n; JEQ stored; MOV y, off(DI)

// The first vectors of a strip: vector n-1 at off in y.
#define FIRST1(do) do(1, 0, Y0)
#define FIRST2(do) FIRST1(do); do(2, 32, Y1)
#define FIRST3(do) FIRST2(do); do(3, 64, Y2)
#define FIRST4(do) FIRST3(do); do(4, 96, Y3)
#define FIRST5(do) FIRST4(do); do(5, 128, Y4)
#define FIRST6(do) FIRST5(do); do(6, 160, Y5)
#define FIRST7(do) FIRST6(do); do(7, 192, Y6)
#define FIRST8(do) FIRST7(do); do(8, 224, Y7)
#define FIRST9(do) FIRST8(do); do(9, 256, Y8)
#define FIRST10(do) FIRST9(do); do(10, 288, Y9)
#define FIRST11(do) FIRST10(do); do(11, 320, Y10)

#define ADD(n, off, y) CMPQ DX, $n; JEQ last; FMA off(SI), Y13, y
#define ADDLAST MASKMOV (SI)(R10*1), Y12, Y14; FMA Y14, Y13, Y11
#define MASKS VMOVUPD 32(AX)(CX*8), Y12; VMOVAPD Y12, Y15
#define TAKE(off, y) VMOVUPD off(SI)(CX*1), y
#define MOV VMOVUPD
#define MASKMOV VMASKMOVPD
#define FMA VFMADD231PD
#define FMA213 VFMADD213PD
#define BROADCAST VBROADCASTSD
#define SIZE 8
#define LANES 4
#define ROWLOG 3
#define VECTORLOG 5
#define WIDEN 1

// func gemvTF64AVX2(dst, a []float64, rows, cols, stride int, c []float64)
// Requires: AVX2, FMA3
TEXT ·gemvTF64AVX2(SB), NOSPLIT, $0-96
#include "gemvt_amd64.h"

// func gemvTF32(dst, a []float32, rows, cols, stride int, x []float32)
TEXT ·gemvTF32(SB), NOSPLIT, $0-96
	FITS(DX, BX, 4, 4, 16, checked)
	LEAQ (DI)(R10*4), AX // the last vector of dst
	ANDL $4095, AX
	CMPL AX, $4032
	JHI checked
	JMP ·gemvTF32AVX512(SB)

checked:
	JMP ·gemvTF32Checked(SB)

#undef MASKS
#undef TAKE
#undef MOV
#undef MASKMOV
#undef FMA
#undef FMA213
#undef BROADCAST
#undef SIZE
#undef LANES
#undef ROWLOG
#define MASKS VMOVUPS 32(AX)(CX*4), Y12; VMOVAPD Y12, Y15
#define TAKE(off, y) VMOVUPS off(SI)(CX*1), y
#define MOV VMOVUPS
#define MASKMOV VMASKMOVPS
#define FMA VFMADD231PS
#define FMA213 VFMADD213PS
#define BROADCAST VBROADCASTSS
#define SIZE 4
#define LANES 8
#define ROWLOG 2

// func gemvTF32AVX2(dst, a []float32, rows, cols, stride int, c []float32)
// Requires: AVX2, FMA3
TEXT ·gemvTF32AVX2(SB), NOSPLIT, $0-96
#include "gemvt_amd64.h"

// func gemvTF32Wide(dst []float64, a []float32, rows, cols, stride int, x []float64)
TEXT ·gemvTF32Wide(SB), NOSPLIT, $0-96
	FITS(DX, BX, 8, 4, 8, checked)
	LEAQ (DI)(R10*8), AX // the last vector of dst
	ANDL $4095, AX
	CMPL AX, $4032
	JHI checked
	JMP ·gemvTF32WideAVX512(SB)

checked:
	JMP ·gemvTF32WideChecked(SB)

#undef ADD
#undef ADDLAST
#undef MASKS
#undef TAKE
#undef MOV
#undef MASKMOV
#undef FMA213
#undef BROADCAST
#undef SIZE
#undef LANES
#undef VECTORLOG
#undef WIDEN
#define ADD(n, off, y) CMPQ DX, $n; JEQ last; VCVTPS2PD (off/2)(SI), Y14; VFMADD231PD Y14, Y13, y
#define ADDLAST VMASKMOVPS (SI)(R10*1), X12, X14; VCVTPS2PD X14, Y14; VFMADD231PD Y14, Y13, Y11
#define MASKS VMOVUPS 48(AX)(CX*4), X12; VMOVUPD 32(AX)(CX*8), Y15
#define TAKE(off, y) VCVTPS2PD off(SI)(CX*1), y
#define MOV VMOVUPD
#define MASKMOV VMASKMOVPD
#define FMA213 VFMADD213PD
#define BROADCAST VBROADCASTSD
#define SIZE 8
#define LANES 4
#define VECTORLOG 4
#define WIDEN 2

// func gemvTF32WideAVX2(dst []float64, a []float32, rows, cols, stride int, c []float64)
// Requires: AVX2, FMA3
TEXT ·gemvTF32WideAVX2(SB), NOSPLIT, $0-96
#include "gemvt_amd64.h"

// func spmvF32WideAVX2(dst []float64, offsets []int, index []int32, value []float32, x []float64) int
// Requires: AVX2, FMA3
//
// An element at a time into its lane, on the stack; the sum of the lanes as in gemv. R11: dst; BX: rows;
// R10: row; R12: offsets; SI: index; DI: value; R8: x; R9: len(x); DX, R13: element and end; Y13: −0.
TEXT ·spmvF32WideAVX2(SB), NOSPLIT, $256-128
	MOVQ dst_base+0(FP), R11
	MOVQ dst_len+8(FP), BX
	MOVQ offsets_base+24(FP), R12
	MOVQ index_base+48(FP), SI
	MOVQ value_base+72(FP), DI
	MOVQ x_base+96(FP), R8
	MOVQ x_len+104(FP), R9
	VPCMPEQD Y13, Y13, Y13
	VPSLLQ $63, Y13, Y13
	VXORPD X12, X12, X12
	XORQ R10, R10
	MOVQ (R12), DX

row:
	CMPQ R10, BX
	JGE done
	MOVQ 8(R12)(R10*8), R13
	VMOVUPD Y13, 0(SP)
	VMOVUPD Y13, 32(SP)
	VMOVUPD Y13, 64(SP)
	VMOVUPD Y13, 96(SP)
	VMOVUPD Y13, 128(SP)
	VMOVUPD Y13, 160(SP)
	VMOVUPD Y13, 192(SP)
	VMOVUPD Y13, 224(SP)
	JMP more

element:
	MOVL (SI)(DX*4), AX
	VCVTSS2SD (DI)(DX*4), X12, X0
	INCQ DX
	CMPQ AX, R9
	JAE done
	MOVL AX, CX
	ANDL $31, CX
	VMOVSD (SP)(CX*8), X1
	VFMADD231SD (R8)(AX*8), X0, X1
	VMOVSD X1, (SP)(CX*8)

more:
	CMPQ DX, R13
	JLT element
	VMOVUPD 0(SP), Y0
	VMOVUPD 32(SP), Y1
	VMOVUPD 128(SP), Y4
	VMOVUPD 160(SP), Y5
	VADDPD 64(SP), Y0, Y0
	VADDPD 96(SP), Y1, Y1
	VADDPD 192(SP), Y4, Y4
	VADDPD 224(SP), Y5, Y5
	VADDPD Y4, Y0, Y0
	VADDPD Y5, Y1, Y1
	VADDPD Y1, Y0, Y0
	VEXTRACTF128 $1, Y0, X1
	VADDPD X1, X0, X0
	VPERMILPD $1, X0, X1
	VADDSD X1, X0, X0
	VADDSD X12, X0, X0
	VMOVSD X0, (R11)(R10*8)
	INCQ R10
	JMP row

done:
	MOVQ R10, ret+120(FP)
	VZEROUPPER
	RET

// func spmvTF32WideAVX2(dst []float64, offsets []int, index []int32, value []float32, c []float64) int
// Requires: AVX2, FMA3
//
// An element at a time. R8: c; BX: rows; R10: row; R12: offsets; SI: index; DI: value;
// R11: dst; R9: len(dst); DX, R13: element and end; X2: c[i].
TEXT ·spmvTF32WideAVX2(SB), NOSPLIT, $0-128
	MOVQ dst_base+0(FP), R11
	MOVQ dst_len+8(FP), R9
	MOVQ offsets_base+24(FP), R12
	MOVQ index_base+48(FP), SI
	MOVQ value_base+72(FP), DI
	MOVQ c_base+96(FP), R8
	MOVQ c_len+104(FP), BX
	VXORPD X12, X12, X12
	XORQ R10, R10
	MOVQ (R12), DX

row:
	CMPQ R10, BX
	JGE done
	MOVQ 8(R12)(R10*8), R13
	VMOVSD (R8)(R10*8), X2
	JMP more

element:
	MOVL (SI)(DX*4), AX
	VCVTSS2SD (DI)(DX*4), X12, X0
	INCQ DX
	CMPQ AX, R9
	JAE done
	VMOVSD (R11)(AX*8), X1
	VFMADD231SD X0, X2, X1
	VMOVSD X1, (R11)(AX*8)

more:
	CMPQ DX, R13
	JLT element
	INCQ R10
	JMP row

done:
	MOVQ R10, ret+120(FP)
	VZEROUPPER
	RET

// func nonzerosF32AVX2(index []int32, value, row []float32, first int) int
// Requires: AVX2
//
// Eight elements at a time, those that are not zero one by one from a mask of their signs; the rest
// one by one. DI: index; R8: value; SI: row; BX: elements left; R9: place; R10: found; Y1: 0.
TEXT ·nonzerosF32AVX2(SB), NOSPLIT, $0-88
	MOVQ index_base+0(FP), DI
	MOVQ value_base+24(FP), R8
	MOVQ row_base+48(FP), SI
	MOVQ row_len+56(FP), BX
	MOVQ first+72(FP), R9
	XORQ R10, R10
	VXORPS Y1, Y1, Y1
	SUBQ $8, BX
	JLT rest

eight:
	VCMPPS $4, (SI), Y1, Y0
	VMOVMSKPS Y0, AX
	TESTL AX, AX
	JEQ next

found:
	BSFL AX, CX
	LEAL (R9)(CX*1), DX
	MOVL DX, (DI)(R10*4)
	MOVL (SI)(CX*4), DX
	MOVL DX, (R8)(R10*4)
	INCQ R10
	LEAL -1(AX), DX
	ANDL DX, AX
	JNE found

next:
	ADDQ $32, SI
	ADDQ $8, R9
	SUBQ $8, BX
	JGE eight

rest:
	ADDQ $8, BX
	JEQ done

one:
	MOVL (SI), DX
	LEAL (DX)(DX*1), AX // without its sign
	TESTL AX, AX
	JEQ zero
	MOVL R9, (DI)(R10*4)
	MOVL DX, (R8)(R10*4)
	INCQ R10

zero:
	ADDQ $4, SI
	INCQ R9
	DECQ BX
	JNE one

done:
	MOVQ R10, ret+80(FP)
	VZEROUPPER
	RET
