//go:build !purego

#include "go_asm.h"
#include "textflag.h"
#include "dispatch_amd64.h"
#include "vector_amd64.h"

// Gemv and its transpose for AVX2 and FMA3. The order of operations is that of the doc
// comments in gemv.go; what kernels_linear_amd64.s says of masked loads holds here too.

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

// The rows of gemv have the body gemv_amd64.h, with macros for what they do not share: a vector
// has LANES elements, of SIZE bytes in a row and XSIZE in x and dst; LOAD loads one of a row, FMA
// multiplies it by one of x; MINUS0 shifts all ones left to −0; ROWMASK, ROWLAST: Y12 and Y14, or
// as much of them as the last vector of a row fills; CONVERT converts that; HALVE and STORE end a
// row.
//
// NEXT_AHEAD fetches rows to come, see gemvAheadMemory: a prefetch cannot fault.
//
// Four rows at a time have the body gemv_four_amd64.h: BY multiplies a vector of a row by Y8 and
// adds it to a lane, FIRST begins one; FETCH fetches what a step takes; STORE4 stores the sums of
// four rows, for float32 adding the two halves that are left; LOGLANES is log₂ of LANES.

#define LOAD VMOVUPD
#define FMA VFMADD231PD
#define ADD VADDPD
#define MINUS0 VPSLLQ $63, Y13, Y13
#define ROWMASK Y12
#define ROWLAST Y14
#define CONVERT
#define NEXT_AHEAD
#define HALVE HALVE_F64
#define STORE VMOVSD
#define LANES 4
#define SIZE 8
#define XSIZE 8

// func gemvF64AVX2(dst, a []float64, rows, cols, stride int, x []float64)
// Requires: AVX2, FMA3
//
// Registers: see gemv_amd64.h. A step is 32 elements of a row, eight vectors of 4; the last
// vector, whole or not, is loaded under a mask first.
TEXT ·gemvF64AVX2(SB), NOSPLIT, $0-96
#include "gemv_amd64.h"

#define BY(at, y) FMA at, Y8, y
#define FIRST(at, y) VMULPD at, Y8, y
#define FETCH PREFETCHT0 (R11); PREFETCHT0 64(R11); PREFETCHT0 128(R11); PREFETCHT0 192(R11); ADDQ $256, R11
#define STORE4 VMOVUPD Y0, (AX)
#define LOGLANES 2

// func gemvF64FourAVX2(dst, a []float64, rows, cols, stride int, x []float64)
// Requires: AVX2, FMA3
//
// Registers: see gemv_four_amd64.h. A step is two vectors of each of four rows.
TEXT ·gemvF64FourAVX2(SB), NOSPLIT, $160-96
#include "gemv_four_amd64.h"

done:
	VZEROUPPER
	RET

#undef LOAD
#undef FMA
#undef ADD
#undef MINUS0
#undef HALVE
#undef STORE
#undef LANES
#undef SIZE
#undef XSIZE
#define LOAD VMOVUPS
#define FMA VFMADD231PS
#define ADD VADDPS
#define MINUS0 VPSLLD $31, Y13, Y13
#define HALVE HALVE_F32
#define STORE VMOVSS
#define LANES 8
#define SIZE 4
#define XSIZE 4

// func gemvF32AVX2(dst, a []float32, rows, cols, stride int, x []float32)
// Requires: AVX2, FMA3
//
// Registers: see gemv_amd64.h. A step is 64 elements of a row, eight vectors of 8; the last
// vector, whole or not, is loaded under a mask first.
TEXT ·gemvF32AVX2(SB), NOSPLIT, $0-96
#include "gemv_amd64.h"

#undef STORE4
#undef LOGLANES
#undef FIRST
#define FIRST(at, y) VMULPS at, Y8, y
#define STORE4 VHADDPS Y0, Y0, Y0; VEXTRACTF128 $1, Y0, X1; VUNPCKLPD X1, X0, X0; VMOVUPS X0, (AX)
#define LOGLANES 3

// func gemvF32FourAVX2(dst, a []float32, rows, cols, stride int, x []float32)
// Requires: AVX2, FMA3
//
// Registers: see gemv_four_amd64.h. A step is two vectors of each of four rows.
TEXT ·gemvF32FourAVX2(SB), NOSPLIT, $160-96
#include "gemv_four_amd64.h"

done:
	VZEROUPPER
	RET

#undef LOAD
#undef FMA
#undef ADD
#undef MINUS0
#undef ROWMASK
#undef ROWLAST
#undef CONVERT
#undef NEXT_AHEAD
#undef HALVE
#undef STORE
#undef LANES
#undef XSIZE
#define LOAD VCVTPS2PD
#define FMA VFMADD231PD
#define ADD VADDPD
#define MINUS0 VPSLLQ $63, Y13, Y13
#define ROWMASK X12
#define ROWLAST X14
#define CONVERT VCVTPS2PD X14, Y14
#define NEXT_AHEAD PREFETCHT0 const_gemvAheadMemory(SI); PREFETCHT0 (const_gemvAheadMemory+64)(SI)
#define HALVE HALVE_F64
#define STORE VMOVSD
#define LANES 4
#define XSIZE 8

// func gemvF32WideAVX2(dst []float64, a []float32, rows, cols, stride int, x []float64)
// Requires: AVX2, FMA3
//
// Registers: see gemv_amd64.h. A step is 32 elements of a row, eight vectors of 4; the last
// vector, whole or not, is loaded under a mask first.
TEXT ·gemvF32WideAVX2(SB), NOSPLIT, $0-96
#include "gemv_amd64.h"

#undef BY
#undef FETCH
#undef STORE4
#undef LOGLANES
#define BY(at, y) VCVTPS2PD at, Y14; VFMADD231PD Y14, Y8, y
#undef FIRST
#define FIRST(at, y) VCVTPS2PD at, Y14; VMULPD Y14, Y8, y
#define FETCH PREFETCHT0 (R11); PREFETCHT0 64(R11); ADDQ $128, R11
#define STORE4 VMOVUPD Y0, (AX)
#define LOGLANES 2

// func gemvF32WideFourAVX2(dst []float64, a []float32, rows, cols, stride int, x []float64)
// Requires: AVX2, FMA3
//
// Registers: see gemv_four_amd64.h. A step is two vectors of each of four rows.
TEXT ·gemvF32WideFourAVX2(SB), NOSPLIT, $160-96
#include "gemv_four_amd64.h"

done:
	VZEROUPPER
	RET

#undef LOAD
#undef FMA
#undef ADD
#undef MINUS0
#undef ROWMASK
#undef ROWLAST
#undef CONVERT
#undef NEXT_AHEAD
#undef HALVE
#undef STORE
#undef LANES
#undef SIZE
#undef XSIZE

// The transposes on AVX2 have the body gemvt_amd64.h, with macros for what they do not share. For
// at least one column and one row. They go over a matrix in one of two ways:
//
// In strips of up to 12 vectors of columns, of equal width but for the last: narrow matrices, those
// in L1, and rows that eights leave over. A strip stays in Y0-Y11 over all rows, its last vector in
// Y11. DI: dst; R12: the strip in the first row; R9: stride in bytes; R13: vectors of a strip; R11:
// vectors left; DX: vectors of this strip; R10: where its last one is; Y12: its mask in a, Y15: in
// dst; SI, R8, BX: row, c and rows left; Y13: c[i].
//
// In eights of rows, whose c stay in Y0-Y7, while dst passes through the registers: rows are read
// in order, where strips leave gaps. SI, R12: place in the first and the fifth row; R9, R13: from a
// row to the next and to the third after it; DI: place in dst; DX: pairs of vectors left; R11:
// vectors of a row; R10: bytes of those before the last; AX: the next eight rows, which are
// fetched if CX is 1; Y8, Y9: dst; Y14: what is converted.

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
#undef BY
#define BY(at, c, y) FMA at, c, y
#define BYLAST(at, c) MASKMOV at, Y12, Y14; FMA Y14, c, Y8
#define BY2(at, next, c) BY(at, c, Y8); BY(next, c, Y9)
#define MASKS VMOVUPD 64(AX)(CX*8), Y12; VMOVAPD Y12, Y15
#define MOV VMOVUPD
#define MASKMOV VMASKMOVPD
#define FMA VFMADD231PD
#define BROADCAST VBROADCASTSD
#define SIZE 8
#define LANES 4
#define ROWLOG 3
#define VECTORLOG 5
#define WIDEN 1

// func gemvTF64AVX2(dst, a []float64, rows, cols, stride int, c []float64)
// Requires: AVX2, FMA3
//
// Registers: see above. A strip of up to 12 vectors of columns, the last one under a mask, a row
// at a time.
TEXT ·gemvTF64AVX2(SB), NOSPLIT, $16-96
#include "gemvt_amd64.h"

#undef MASKS
#undef MOV
#undef MASKMOV
#undef FMA
#undef BROADCAST
#undef SIZE
#undef LANES
#undef ROWLOG
#define MASKS VMOVUPS 64(AX)(CX*4), Y12; VMOVAPD Y12, Y15
#define MOV VMOVUPS
#define MASKMOV VMASKMOVPS
#define FMA VFMADD231PS
#define BROADCAST VBROADCASTSS
#define SIZE 4
#define LANES 8
#define ROWLOG 2

// func gemvTF32AVX2(dst, a []float32, rows, cols, stride int, c []float32)
// Requires: AVX2, FMA3
//
// Registers: see above. A strip of up to 12 vectors of columns, the last one under a mask, a row
// at a time.
TEXT ·gemvTF32AVX2(SB), NOSPLIT, $16-96
#include "gemvt_amd64.h"

#undef ADD
#undef ADDLAST
#undef MASKS
#undef MOV
#undef MASKMOV
#undef BROADCAST
#undef SIZE
#undef LANES
#undef VECTORLOG
#undef WIDEN
#define ADD(n, off, y) CMPQ DX, $n; JEQ last; VCVTPS2PD (off/2)(SI), Y14; VFMADD231PD Y14, Y13, y
#define ADDLAST VMASKMOVPS (SI)(R10*1), X12, X14; VCVTPS2PD X14, Y14; VFMADD231PD Y14, Y13, Y11
#undef BY
#undef BYLAST
#define BY(at, c, y) VCVTPS2PD at, Y14; VFMADD231PD Y14, c, y
#define BYLAST(at, c) VMASKMOVPS at, X12, X14; VCVTPS2PD X14, Y14; VFMADD231PD Y14, c, Y8
#define MASKS VMOVUPS 80(AX)(CX*4), X12; VMOVUPD 64(AX)(CX*8), Y15
#define MOV VMOVUPD
#define MASKMOV VMASKMOVPD
#define BROADCAST VBROADCASTSD
#define SIZE 8
#define LANES 4
#define VECTORLOG 4
#define WIDEN 2

// func gemvTF32WideAVX2(dst []float64, a []float32, rows, cols, stride int, c []float64)
// Requires: AVX2, FMA3
//
// Registers: see above. A strip of up to 12 vectors of columns, the last one under a mask, a row
// at a time.
TEXT ·gemvTF32WideAVX2(SB), NOSPLIT, $16-96
#include "gemvt_amd64.h"

// func spmvF32WideAVX2(dst []float64, offsets []int, index []int32, value []float32, x []float64) int
// Requires: AVX2, FMA3
//
// Two elements at a time, each into its lane, on the stack; the sum of the lanes as in gemv. The
// end of a row is hard to predict: where its elements are odd in number the first one goes before
// the others, else that one is added to a lane that nothing reads, without a branch. An index that
// is not below R9 is no column, or begins a block of columns: then the lanes are summed up. R11:
// dst; BX: rows; R10: row; R12: offsets; SI: index; DI: value; R8: x; R9: end of the block of x;
// DX, R13: element and end; CX: whether they are odd in number; X11: sum of the blocks before;
// Y13: −0.
TEXT ·spmvF32WideAVX2(SB), NOSPLIT, $272-128
	MOVQ dst_base+0(FP), R11
	MOVQ dst_len+8(FP), BX
	MOVQ offsets_base+24(FP), R12
	MOVQ index_base+48(FP), SI
	MOVQ value_base+72(FP), DI
	MOVQ x_base+96(FP), R8
	VPCMPEQD Y13, Y13, Y13
	VPSLLQ $63, Y13, Y13
	VXORPD X12, X12, X12
	VMOVSD X12, 256(SP) // the lane that nothing reads
	MOVQ $32, 264(SP)   // and its place
	XORQ R10, R10
	MOVQ (R12), DX

row:
	CMPQ R10, BX
	JGE done
	MOVQ 8(R12)(R10*8), R13
	VXORPD X11, X11, X11
	XORL AX, AX

block:
	// The end of the block of column AX.
	ORL $(const_blockLen-1), AX
	LEAQ 1(AX), R9
	CMPQ R9, x_len+104(FP)
	CMOVQGT x_len+104(FP), R9
	VMOVUPD Y13, 0(SP)
	VMOVUPD Y13, 32(SP)
	VMOVUPD Y13, 64(SP)
	VMOVUPD Y13, 96(SP)
	VMOVUPD Y13, 128(SP)
	VMOVUPD Y13, 160(SP)
	VMOVUPD Y13, 192(SP)
	VMOVUPD Y13, 224(SP)
	MOVQ R13, CX
	SUBQ DX, CX
	JEQ sum
	MOVL (SI)(DX*4), AX
	CMPQ AX, R9
	JAE beyond
	VCVTSS2SD (DI)(DX*4), X12, X0
	VMOVSD (R8)(AX*8), X1
	ANDL $31, AX
	ANDL $1, CX
	CMOVLEQ 264(SP), AX
	VFMADD213SD (SP)(AX*8), X0, X1
	VMOVSD X1, (SP)(AX*8)
	ADDQ CX, DX
	JMP more

	PCALIGN $32

two:
	VCVTPS2PD (DI)(DX*4), X0
	MOVL (SI)(DX*4), AX
	CMPQ AX, R9
	JAE beyond
	VMOVSD (R8)(AX*8), X1
	ANDL $31, AX
	VFMADD213SD (SP)(AX*8), X0, X1
	VMOVSD X1, (SP)(AX*8)
	VUNPCKHPD X0, X0, X0
	MOVL 4(SI)(DX*4), AX
	CMPQ AX, R9
	JAE second
	VMOVSD (R8)(AX*8), X1
	ANDL $31, AX
	VFMADD213SD (SP)(AX*8), X0, X1
	VMOVSD X1, (SP)(AX*8)
	PREFETCHT0 const_spmvAhead(SI)(DX*4)
	PREFETCHT0 const_spmvAhead(DI)(DX*4)
	ADDQ $2, DX

more:
	CMPQ DX, R13
	JLT two

sum:
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
	VADDSD X0, X11, X11
	CMPQ DX, R13
	JLT block
	VMOVSD X11, (R11)(R10*8)
	INCQ R10
	JMP row

second:
	INCQ DX

beyond:
	CMPQ AX, x_len+104(FP)
	JLT sum

done:
	MOVQ R10, ret+120(FP)
	VZEROUPPER
	RET

// func spmvTF32WideAVX2(dst []float64, offsets []int, index []int32, value []float32, c []float64) int
// Requires: AVX2, FMA3
//
// Two elements at a time; the first one of an odd number as in spmvF32WideAVX2. R8: c; BX: rows;
// R10: row; R12: offsets; SI: index; DI: value; R11: dst; R9: len(dst); DX, R13: element and end;
// CX: whether they are odd in number; X2: c[i].
TEXT ·spmvTF32WideAVX2(SB), NOSPLIT, $16-128
	MOVQ dst_base+0(FP), R11
	MOVQ dst_len+8(FP), R9
	MOVQ offsets_base+24(FP), R12
	MOVQ index_base+48(FP), SI
	MOVQ value_base+72(FP), DI
	MOVQ c_base+96(FP), R8
	MOVQ c_len+104(FP), BX
	VXORPD X12, X12, X12
	VMOVSD X12, 0(SP) // what nothing reads
	LEAQ 0(SP), AX
	MOVQ AX, 8(SP) // and its address
	XORQ R10, R10
	MOVQ (R12), DX

row:
	CMPQ R10, BX
	JGE done
	MOVQ 8(R12)(R10*8), R13
	VMOVSD (R8)(R10*8), X2
	MOVQ R13, CX
	SUBQ DX, CX
	JEQ next
	MOVL (SI)(DX*4), AX
	CMPQ AX, R9
	JAE done
	VCVTSS2SD (DI)(DX*4), X12, X0
	LEAQ (R11)(AX*8), AX
	ANDL $1, CX
	CMOVQEQ 8(SP), AX
	VFMADD213SD (AX), X2, X0
	VMOVSD X0, (AX)
	ADDQ CX, DX
	JMP more

	PCALIGN $32

two:
	VCVTPS2PD (DI)(DX*4), X0
	VUNPCKHPD X0, X0, X1
	MOVL (SI)(DX*4), AX
	CMPQ AX, R9
	JAE done
	VFMADD213SD (R11)(AX*8), X2, X0
	VMOVSD X0, (R11)(AX*8)
	MOVL 4(SI)(DX*4), AX
	CMPQ AX, R9
	JAE done
	VFMADD213SD (R11)(AX*8), X2, X1
	VMOVSD X1, (R11)(AX*8)
	ADDQ $2, DX

more:
	CMPQ DX, R13
	JLT two

next:
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
