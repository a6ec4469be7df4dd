//go:build !purego

#include "textflag.h"
#include "dispatch_amd64.h"
#include "dot_amd64.h"
#include "masks_amd64.h"

// Gemv and its transpose for AVX2 and FMA3. The order of operations is that of the doc
// comments in gemv.go; what kernels_linear_amd64.s says of masked loads holds here too.

// MASK makes mask that of the first CX lanes of S bytes.
#define MASK(S, mask) \
	MOVQ CX, DX                     \
	NEGQ DX                         \
	LEAQ masks<>(SB), SI            \
	VMOVUPS 64(SI)(DX*S), mask

// EDGE loads the first CX lanes at R8, of S bytes, near the end of a page: from the vector of V bytes that ends with them. mask and
// part are registers of V bytes, all is the whole of part.
#define EDGE(V, S, mask, part, all) \
	LEAQ masks<>(SB), SI            \
	VMOVUPS (32-V)(SI)(CX*S), mask  \
	VMASKMOVPS (-V)(R8)(CX*S), mask, part \
	MASK(S, mask)                   \
	LEAQ rotation<>(SB), SI         \
	VMOVUPS V(SI)(DX*S), Y10        \
	VPERMPS all, Y10, all

// TAKE4 takes vectors i to i+3 of a row, of V bytes, to their lanes; TAKE1 vector i, if it is not the last.
#define TAKE4(LOAD, FMA, V, i, a, b, c, d) \
	LOAD (i*V)(SI), Y8              \
	LOAD (i*V+V)(SI), Y9            \
	LOAD (i*V+2*V)(SI), Y10         \
	LOAD (i*V+3*V)(SI), Y11         \
	FMA (i*32)(DI), Y8, a           \
	FMA (i*32+32)(DI), Y9, b        \
	FMA (i*32+64)(DI), Y10, c       \
	FMA (i*32+96)(DI), Y11, d

#define TAKE1(LOAD, FMA, W, V, i, a, last) \
	SUBQ $W, DX                     \
	JLT last                        \
	LOAD (i*V)(SI), Y8              \
	FMA (i*32)(DI), Y8, a

// HALVE adds the elements of Y0.
#define HALVE_F64 \
	VEXTRACTF128 $1, Y0, X1         \
	VADDPD X1, X0, X0               \
	VPERMILPD $1, X0, X1            \
	VADDSD X1, X0, X0

#define HALVE_F32 \
	VEXTRACTF128 $1, Y0, X1         \
	VADDPS X1, X0, X0               \
	VPERMILPD $1, X0, X1            \
	VADDPS X1, X0, X0               \
	VMOVSHDUP X0, X1                \
	VADDSS X1, X0, X0

#define MINUS0_F64 VPSLLQ $63, Y13, Y13
#define MINUS0_F32 VPSLLD $31, Y13, Y13
#define TO64 VCVTPS2PD X14, Y14

// Rows to come: a prefetch cannot fault. A load under a mask seems not to foretell the next ones: short rows in L3 take up to 1.7
// times as long without LAST_AHEAD on Zen 5.
#define LAST_AHEAD PREFETCHT0 4096(R8)
#define NEXT_AHEAD PREFETCHT0 16384(SI); PREFETCHT0 16448(SI)
#define NONE

// GEMV is the dot product of kernels_linear_amd64.s a row at a time, for at least one row and one column. AX: dst; R12: the
// row; R9: its stride in bytes; R10: x; BX: rows left; SI, DI, DX: place in the row and in x, elements left; Y0-Y7: the
// lanes; Y13: −0. A vector has W elements: of S bytes in a row, of X bytes in x and dst. The last one, whole or not, stands
// apart: R13: elements before it; CX: its own; mask: theirs; last, Y14: the row's, loaded and converted; Y15: that of x, −0
// where there is no element. Row begins in the middle of a line: from its start, short rows take up to 1.4 times as long on Zen 5.
#define GEMV(LOAD, FMA, ADD, MINUS0, mask, last, CONVERT, ROWAHEAD, AHEAD, HALVE, STORE, W, S, X) \
	MOVQ dst_base+0(FP), AX         \
	MOVQ a_base+24(FP), R12         \
	MOVQ rows+48(FP), BX            \
	MOVQ cols+56(FP), CX            \
	MOVQ stride+64(FP), R9          \
	IMUL3Q $S, R9, R9               \
	MOVQ x_base+72(FP), R10         \
	LEAQ -1(CX), R13                \
	ANDQ $-W, R13                   \
	SUBQ R13, CX                    \
	VPCMPEQD Y13, Y13, Y13          \
	MINUS0                          \
	MASK(X, Y12)                    \
	VANDNPS Y13, Y12, Y11           \
	LEAQ (R10)(R13*X), R8           \
	CROSSES(R8, 32, edgeX)          \
	VMASKMOVPS (R8), Y12, Y15       \
	PCALIGN $64                     \
fill:                                   \
	VORPS Y11, Y15, Y15             \
	MASK(S, mask)                   \
	PCALIGN $32                     \
row:                                    \
	LEAQ (R12)(R13*S), R8           \
	ROWAHEAD                        \
	CROSSES(R8, (W*S), edge)        \
	VMASKMOVPS (R8), mask, last     \
begin:                                  \
	CONVERT                         \
	MOVQ R12, SI                    \
	MOVQ R10, DI                    \
	MOVQ R13, DX                    \
	VMOVAPD Y13, Y0                 \
	VMOVAPD Y13, Y1                 \
	VMOVAPD Y13, Y2                 \
	VMOVAPD Y13, Y3                 \
	VMOVAPD Y13, Y4                 \
	VMOVAPD Y13, Y5                 \
	VMOVAPD Y13, Y6                 \
	VMOVAPD Y13, Y7                 \
	SUBQ $(8*W), DX                 \
	JLT left                        \
eight:                                  \
	AHEAD                           \
	TAKE4(LOAD, FMA, (W*S), 0, Y0, Y1, Y2, Y3) \
	TAKE4(LOAD, FMA, (W*S), 4, Y4, Y5, Y6, Y7) \
	ADDQ $(8*W*S), SI               \
	ADDQ $(8*W*X), DI               \
	SUBQ $(8*W), DX                 \
	JGE eight                       \
left:                                   \
	ADDQ $(7*W), DX                 \
	JLT last0                       \
	LOAD (SI), Y8                   \
	FMA (DI), Y8, Y0                \
	TAKE1(LOAD, FMA, W, (W*S), 1, Y1, last1) \
	TAKE1(LOAD, FMA, W, (W*S), 2, Y2, last2) \
	TAKE1(LOAD, FMA, W, (W*S), 3, Y3, last3) \
	TAKE1(LOAD, FMA, W, (W*S), 4, Y4, last4) \
	TAKE1(LOAD, FMA, W, (W*S), 5, Y5, last5) \
	TAKE1(LOAD, FMA, W, (W*S), 6, Y6, last6) \
	FMA Y15, Y14, Y7                \
sum:                                    \
	ADD Y2, Y0, Y0                  \
	ADD Y3, Y1, Y1                  \
	ADD Y6, Y4, Y4                  \
	ADD Y7, Y5, Y5                  \
	ADD Y4, Y0, Y0                  \
	ADD Y5, Y1, Y1                  \
halve:                                  \
	ADD Y1, Y0, Y0                  \
	HALVE                           \
	STORE X0, (AX)                  \
	ADDQ $X, AX                     \
	ADDQ R9, R12                    \
	DECQ BX                         \
	JNE row                         \
	VZEROUPPER                      \
	RET                             \
last6:                                  \
	FMA Y15, Y14, Y6                \
	JMP sum                         \
last5:                                  \
	FMA Y15, Y14, Y5                \
	JMP sum                         \
last4:                                  \
	FMA Y15, Y14, Y4                \
	JMP sum                         \
last3:                                  \
	FMA Y15, Y14, Y3                \
	JMP sum                         \
last2:                                  \
	FMA Y15, Y14, Y2                \
	JMP sum                         \
last1:                                  \
	FMA Y15, Y14, Y1                \
	JMP short                       \
last0:                                  \
	FMA Y15, Y14, Y0                \
short:                                  \
	CMPQ R13, $W                    \
	JGT sum                         \
	JMP halve                       \
edgeX:                                  \
	EDGE(32, X, Y12, Y15, Y15)      \
	JMP fill                        \
edge:                                   \
	EDGE((W*S), S, mask, last, Y14) \
	JMP begin

// func gemvF64(dst, a []float64, rows, cols, stride int, x []float64)
TEXT ·gemvF64(SB), NOSPLIT, $0-96
	FITS(BX, DX, 8, 8, 8, checked)
	JMP ·gemvF64AVX512(SB)

checked:
	JMP ·gemvF64Checked(SB)

// func gemvF64AVX2(dst, a []float64, rows, cols, stride int, x []float64)
// Requires: AVX2, FMA3
TEXT ·gemvF64AVX2(SB), NOSPLIT, $0-96
	GEMV(VMOVUPD, VFMADD231PD, VADDPD, MINUS0_F64, Y12, Y14, NONE, LAST_AHEAD, NONE, HALVE_F64, VMOVSD, 4, 8, 8)

// func gemvF32(dst, a []float32, rows, cols, stride int, x []float32)
TEXT ·gemvF32(SB), NOSPLIT, $0-96
	FITS(BX, DX, 4, 4, 16, checked)
	JMP ·gemvF32AVX512(SB)

checked:
	JMP ·gemvF32Checked(SB)

// func gemvF32AVX2(dst, a []float32, rows, cols, stride int, x []float32)
// Requires: AVX2, FMA3
TEXT ·gemvF32AVX2(SB), NOSPLIT, $0-96
	GEMV(VMOVUPS, VFMADD231PS, VADDPS, MINUS0_F32, Y12, Y14, NONE, LAST_AHEAD, NONE, HALVE_F32, VMOVSS, 8, 4, 4)

// func gemvF32Wide(dst []float64, a []float32, rows, cols, stride int, x []float64)
TEXT ·gemvF32Wide(SB), NOSPLIT, $0-96
	FITS(BX, DX, 8, 4, 8, checked)
	JMP ·gemvF32WideAVX512(SB)

checked:
	JMP ·gemvF32WideChecked(SB)

// func gemvF32WideAVX2(dst []float64, a []float32, rows, cols, stride int, x []float64)
// Requires: AVX2, FMA3
TEXT ·gemvF32WideAVX2(SB), NOSPLIT, $0-96
	GEMV(VCVTPS2PD, VFMADD231PD, VADDPD, MINUS0_F64, X12, X14, TO64, NONE, NEXT_AHEAD, HALVE_F64, VMOVSD, 4, 4, 8)

// func gemvTF64(dst, a []float64, rows, cols, stride int, x []float64)
TEXT ·gemvTF64(SB), NOSPLIT, $0-96
	FITS(DX, BX, 8, 8, 8, checked)
	LEAQ (DI)(R10*8), AX // the last vector of dst
	CROSSES(AX, 64, checked)
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
	CROSSES(AX, 64, checked)
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
	CROSSES(AX, 64, checked)
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
	HALVE_F64
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
