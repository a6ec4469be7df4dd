//go:build !purego

#include "go_asm.h"
#include "textflag.h"
#include "vector_amd64.h"

// Gemv and its transpose for AVX2 and FMA3, in the order of operations that gemv.go documents. The
// file kernels_linear_amd64.s explains masked loads. gemv_f64_amd64.h, gemv_f32_amd64.h and
// gemv_wide_amd64.h define the macros for the types of gemv. Each type has two bodies: one row at a
// time, and four rows at a time.

// func gemvF64AVX2(dst, a []float64, rows, cols, stride int, x []float64)
// Requires: AVX2, FMA3
//
// Registers: see gemv_amd64.h. An iteration processes 32 elements of a row, eight vectors of 4.
TEXT ·gemvF64AVX2(SB), NOSPLIT, $0-96
#include "gemv_f64_amd64.h"
#include "gemv_amd64.h"

// func gemvF64FourAVX2(dst, a []float64, rows, cols, stride int, x []float64)
// Requires: AVX2, FMA3
//
// Registers: see gemv_four_amd64.h. An iteration processes two vectors of 4 elements in each of
// four rows.
TEXT ·gemvF64FourAVX2(SB), NOSPLIT, $160-96
#include "gemv_f64_amd64.h"
#include "gemv_four_amd64.h"

done:
	VZEROUPPER
	RET

// func gemvF32AVX2(dst, a []float32, rows, cols, stride int, x []float32)
// Requires: AVX2, FMA3
//
// Registers: see gemv_amd64.h. An iteration processes 64 elements of a row, eight vectors of 8.
TEXT ·gemvF32AVX2(SB), NOSPLIT, $0-96
#include "gemv_f32_amd64.h"
#include "gemv_amd64.h"

// func gemvF32FourAVX2(dst, a []float32, rows, cols, stride int, x []float32)
// Requires: AVX2, FMA3
//
// Registers: see gemv_four_amd64.h. An iteration processes two vectors of 8 elements in each of
// four rows.
TEXT ·gemvF32FourAVX2(SB), NOSPLIT, $160-96
#include "gemv_f32_amd64.h"
#include "gemv_four_amd64.h"

done:
	VZEROUPPER
	RET

// func gemvF32WideAVX2(dst []float64, a []float32, rows, cols, stride int, x []float64)
// Requires: AVX2, FMA3
//
// Registers: see gemv_amd64.h. An iteration processes 32 elements of a row, eight vectors of 4.
TEXT ·gemvF32WideAVX2(SB), NOSPLIT, $0-96
#include "gemv_wide_amd64.h"
#include "gemv_amd64.h"

// func gemvF32WideFourAVX2(dst []float64, a []float32, rows, cols, stride int, x []float64)
// Requires: AVX2, FMA3
//
// Registers: see gemv_four_amd64.h. An iteration processes two vectors of 4 elements in each of
// four rows.
TEXT ·gemvF32WideFourAVX2(SB), NOSPLIT, $160-96
#include "gemv_wide_amd64.h"
#include "gemv_four_amd64.h"

done:
	VZEROUPPER
	RET

// func addGemvTF64AVX2(dst, a []float64, rows, cols, stride int, c []float64)
// Requires: AVX2, FMA3
//
// Registers: see gemvt_amd64.h. The code processes strips of up to 12 vectors of 4 columns, or
// eight rows at a time.
TEXT ·addGemvTF64AVX2(SB), NOSPLIT, $16-96
#define MOV VMOVUPD
#define MASKMOV VMASKMOVPD
#define FMA VFMADD231PD
#define BROADCAST VBROADCASTSD
#define SIZE 8
#define LOG 3
#include "gemvt_amd64.h"

done:
	VZEROUPPER
	RET

// func addGemvTF32AVX2(dst, a []float32, rows, cols, stride int, c []float32)
// Requires: AVX2, FMA3
//
// Registers: see gemvt_amd64.h. The code processes strips of up to 12 vectors of 8 columns, or
// eight rows at a time.
TEXT ·addGemvTF32AVX2(SB), NOSPLIT, $16-96
#define MOV VMOVUPS
#define MASKMOV VMASKMOVPS
#define FMA VFMADD231PS
#define BROADCAST VBROADCASTSS
#define SIZE 4
#define LOG 2
#include "gemvt_amd64.h"

done:
	VZEROUPPER
	RET

// func addGemvTF32WideAVX2(dst []float64, a []float32, rows, cols, stride int, c []float64)
// Requires: AVX2, FMA3
//
// Registers: see gemvt_amd64.h. The code processes strips of up to 12 vectors of 4 columns, or
// eight rows at a time.
TEXT ·addGemvTF32WideAVX2(SB), NOSPLIT, $16-96
#define WIDE
#define MOV VMOVUPD
#define MASKMOV VMASKMOVPD
#define FMA VFMADD231PD
#define BROADCAST VBROADCASTSD
#define SIZE 8
#define LOG 3
#include "gemvt_amd64.h"

done:
	VZEROUPPER
	RET

#undef WIDE

// func spmvF32WideAVX2(dst []float64, offsets []int, index []int32, value []float32, x []float64) int
// Requires: AVX2, FMA3
//
// An iteration adds two elements, each to its lane on the stack. The lanes are added as in gemv.
// Branch prediction of a row's end often fails, so the remaining single element costs no branch:
// the first element is processed before the loop. If the number of elements is odd, the first
// element is added to its lane, and otherwise to a lane that nothing reads. If a column is not
// below xEnd, it is either invalid or in a later block of columns. In the second case, the lanes
// are summed before the element is processed.
//
// Registers: AX: a column, then its lane; X12: zeros; X0, X1: value and x of an element.
TEXT ·spmvF32WideAVX2(SB), NOSPLIT, $272-128
#define dst    R11
#define n      BX  // number of rows
#define i      R10 // index of the row
#define starts R12 // address of offsets
#define column SI  // address of index
#define values DI  // address of value
#define xs     R8  // address of x
#define xEnd   R9  // end of the current block of columns
#define k      DX  // index of the element
#define end    R13 // end of the row's elements
#define odd    CX  // whether the number of elements is odd
#define sums   X11 // sum of the previous blocks
#define minus0 Y13 // -0
	MOVQ dst_base+0(FP), dst
	MOVQ dst_len+8(FP), n
	MOVQ offsets_base+24(FP), starts
	MOVQ index_base+48(FP), column
	MOVQ value_base+72(FP), values
	MOVQ x_base+96(FP), xs
	VPCMPEQD minus0, minus0, minus0 // minus0 = -0; X12 = 0
	VPSLLQ $63, minus0, minus0
	VXORPD X12, X12, X12
	VMOVSD X12, 256(SP) // the lane that nothing reads; 264(SP) = its number
	MOVQ $32, 264(SP)
	XORQ i, i
	MOVQ (starts), k

row: // if i == n: goto done; end = offsets[i+1]
	CMPQ i, n
	JGE done
	MOVQ 8(starts)(i*8), end
	VXORPD sums, sums, sums
	XORL AX, AX

block: // xEnd = min(end of the block that contains column AX, len(x)); lanes = -0
	ORL $(const_blockLen-1), AX
	LEAQ 1(AX), xEnd
	CMPQ xEnd, x_len+104(FP)
	CMOVQGT x_len+104(FP), xEnd
	VMOVUPD minus0, 0(SP) // lanes 0 to 15
	VMOVUPD minus0, 32(SP)
	VMOVUPD minus0, 64(SP)
	VMOVUPD minus0, 96(SP)
	VMOVUPD minus0, 128(SP) // lanes 16 to 31
	VMOVUPD minus0, 160(SP)
	VMOVUPD minus0, 192(SP)
	VMOVUPD minus0, 224(SP)
	MOVQ end, CX // add the first element to its lane or, if odd = 0, to the lane that nothing reads
	SUBQ k, CX
	JEQ sum
	MOVL (column)(k*4), AX
	CMPQ AX, xEnd
	JAE beyond
	VCVTSS2SD (values)(k*4), X12, X0 // lane += value·x
	VMOVSD (xs)(AX*8), X1
	ANDL $31, AX
	ANDL $1, odd
	CMOVLEQ 264(SP), AX
	VFMADD213SD (SP)(AX*8), X0, X1
	VMOVSD X1, (SP)(AX*8)
	ADDQ odd, k
	JMP nextTwo

	PCALIGN $32

two: // lanes += value·x for elements k and k+1
	VCVTPS2PD (values)(k*4), X0
	MOVL (column)(k*4), AX
	CMPQ AX, xEnd
	JAE beyond
	VMOVSD (xs)(AX*8), X1
	ANDL $31, AX // AX = lane of the column
	VFMADD213SD (SP)(AX*8), X0, X1
	VMOVSD X1, (SP)(AX*8)
	VUNPCKHPD X0, X0, X0 // element k+1
	MOVL 4(column)(k*4), AX
	CMPQ AX, xEnd
	JAE second
	VMOVSD (xs)(AX*8), X1
	ANDL $31, AX // AX = lane of the column
	VFMADD213SD (SP)(AX*8), X0, X1
	VMOVSD X1, (SP)(AX*8)
	ADDQ $2, k

nextTwo:
	CMPQ k, end
	JLT two

sum: // sums += sum of the lanes, in the order of gemv
	VMOVUPD 0(SP), Y0
	VMOVUPD 32(SP), Y1
	VMOVUPD 128(SP), Y4
	VMOVUPD 160(SP), Y5
	VADDPD 64(SP), Y0, Y0 // lanes (0+2) + (4+6) and (1+3) + (5+7), four at a time
	VADDPD 96(SP), Y1, Y1
	VADDPD 192(SP), Y4, Y4
	VADDPD 224(SP), Y5, Y5
	VADDPD Y4, Y0, Y0
	VADDPD Y5, Y1, Y1
	VADDPD Y1, Y0, Y0 // add halves until one element remains
	VEXTRACTF128 $1, Y0, X1
	VADDPD X1, X0, X0
	VPERMILPD $1, X0, X1
	VADDSD X1, X0, X0
	VADDSD X0, sums, sums // sums += sum of the block; if elements remain: goto block, for the block of column AX
	CMPQ k, end
	JLT block
	VMOVSD sums, (dst)(i*8) // dst[i] = sums
	INCQ i
	JMP row

second: // if element k+1 is beyond the block: skip element k
	INCQ k

beyond: // if the column is valid: goto sum; otherwise return i
	CMPQ AX, x_len+104(FP)
	JLT sum

done:
	MOVQ i, ret+120(FP)
	VZEROUPPER
	RET
#undef dst
#undef n
#undef i
#undef starts
#undef column
#undef values
#undef xs
#undef xEnd
#undef k
#undef end
#undef odd
#undef sums
#undef minus0

// func addSpmvTF32WideAVX2(dst []float64, offsets []int, index []int32, value []float32, c []float64) int
// Requires: AVX2, FMA3
//
// An iteration adds two elements. An odd number of elements is handled as in spmvF32WideAVX2.
//
// Registers: R11, R9: dst and its length; R8, BX: c and its length; R12: offsets; SI, DI: index and
// value; R10: row i; DX, R13: element k and the end of the row; CX: whether the number of elements
// is odd; AX: a column, then the address of its element of dst; X0, X1: values; X2: c[i].
TEXT ·addSpmvTF32WideAVX2(SB), NOSPLIT, $16-128
	MOVQ dst_base+0(FP), R11
	MOVQ dst_len+8(FP), R9
	MOVQ offsets_base+24(FP), R12
	MOVQ index_base+48(FP), SI
	MOVQ value_base+72(FP), DI
	MOVQ c_base+96(FP), R8
	MOVQ c_len+104(FP), BX
	VXORPD X12, X12, X12
	VMOVSD X12, nowhere-16(SP) // an element that nothing reads; toNowhere = its address
	LEAQ nowhere-16(SP), AX
	MOVQ AX, toNowhere-8(SP)
	XORQ R10, R10
	MOVQ (R12), DX

row: // if i == len(c): goto done; end = offsets[i+1]
	CMPQ R10, BX
	JGE done
	MOVQ 8(R12)(R10*8), R13
	VMOVSD (R8)(R10*8), X2
	MOVQ R13, CX // add the first element to dst or, if the number is even, to the unread element
	SUBQ DX, CX
	JEQ nextRow
	MOVL (SI)(DX*4), AX // if the column is invalid: goto done
	CMPQ AX, R9
	JAE done
	VCVTSS2SD (DI)(DX*4), X12, X0 // dst[column] += c[i]·value
	LEAQ (R11)(AX*8), AX
	ANDL $1, CX
	CMOVQEQ toNowhere-8(SP), AX
	VFMADD213SD (AX), X2, X0
	VMOVSD X0, (AX)
	ADDQ CX, DX
	JMP nextTwo

	PCALIGN $32

two: // dst[column] += c[i]·value for elements k and k+1
	VCVTPS2PD (DI)(DX*4), X0
	VUNPCKHPD X0, X0, X1
	MOVL (SI)(DX*4), AX
	CMPQ AX, R9
	JAE done
	VFMADD213SD (R11)(AX*8), X2, X0
	VMOVSD X0, (R11)(AX*8)
	MOVL 4(SI)(DX*4), AX // element k+1
	CMPQ AX, R9
	JAE done
	VFMADD213SD (R11)(AX*8), X2, X1
	VMOVSD X1, (R11)(AX*8)
	ADDQ $2, DX

nextTwo: // if k < end: goto two
	CMPQ DX, R13
	JLT two

nextRow:
	INCQ R10
	JMP row

done:
	MOVQ R10, ret+120(FP)
	VZEROUPPER
	RET

// func nonzerosF32AVX2(index []int32, value, row []float32, first int) int
// Requires: AVX2
//
// Eight elements are tested at a time, and the nonzero ones are appended one by one. The tail is
// processed one by one.
//
// Registers: DI: index; R8: value; SI: row; BX: remaining elements, minus 8 in the loop; R9: column
// of the element; R10: number of nonzero elements found; Y1: zeros.
TEXT ·nonzerosF32AVX2(SB), NOSPLIT, $0-88
	MOVQ index_base+0(FP), DI
	MOVQ value_base+24(FP), R8
	MOVQ row_base+48(FP), SI
	MOVQ row_len+56(FP), BX
	MOVQ first+72(FP), R9 // found = 0
	XORQ R10, R10
	VXORPS Y1, Y1, Y1
	SUBQ $8, BX
	JLT tail

eight: // AX = one bit per element, 1 if the element is not 0
	VCMPPS $4, (SI), Y1, Y0
	VMOVMSKPS Y0, AX
	TESTL AX, AX
	JEQ nextEight

found: // index[found], value[found] = column and element of the lowest bit; found++
	BSFL AX, CX
	LEAL (R9)(CX*1), DX
	MOVL DX, (DI)(R10*4)
	MOVL (SI)(CX*4), DX
	MOVL DX, (R8)(R10*4)
	INCQ R10
	LEAL -1(AX), DX // clear that bit
	ANDL DX, AX
	JNE found

nextEight:
	ADDQ $32, SI
	ADDQ $8, R9
	SUBQ $8, BX
	JGE eight

tail:
	ADDQ $8, BX
	JEQ done

one: // do the same for one element, if its bits without the sign are not 0
	MOVL (SI), DX
	LEAL (DX)(DX*1), AX
	TESTL AX, AX
	JEQ zero
	MOVL R9, (DI)(R10*4)
	MOVL DX, (R8)(R10*4)
	INCQ R10

zero: // advance by one element
	ADDQ $4, SI
	INCQ R9
	DECQ BX
	JNE one

done:
	MOVQ R10, ret+80(FP)
	VZEROUPPER
	RET
