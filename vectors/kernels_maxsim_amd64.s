//go:build !purego

#include "textflag.h"

// MaxSim for AVX2. MaxSim documents the order of operations.

// func maxSimF32AVX2(maxima *[maxSimLanes]float32, q, a []float32, rows, cols, stride int)
// Requires: AVX2, FMA3
//
// Three rows are processed at a time, with the 32 query tokens of the panel. If fewer remain, the
// last three rows are processed, some of them again.
//
// Registers: Y0-Y3: dot products of the first row and all tokens; Y4-Y7, Y8-Y11: of the second and
// the third row; Y12-Y14: an element of each row, scratch; Y15: an element of eight tokens, maxima.
TEXT ·maxSimF32AVX2(SB), NOSPLIT, $0-80
#define maxPtr   DI  // address of the maxima
#define qPtr     SI  // address of the next elements of the query tokens
#define rowPtr   AX  // address of the next element of the first row
#define first    BX  // address of the first row
#define left     DX  // number of remaining rows
#define rowBytes R9  // bytes from a row to the next
#define count    CX  // number of remaining columns

// Adds the products of eight tokens at off in the panel to the sums of three rows.
#define TERMS(off, s0, s1, s2) \
	VMOVUPS off(qPtr), Y15     \
	VFMADD231PS Y12, Y15, s0   \
	VFMADD231PS Y13, Y15, s1   \
	VFMADD231PS Y14, Y15, s2

// Raises eight maxima at off to the sums of three rows, or sets them to NaN if a sum is NaN.
// VMAXPS returns its first operand, in the order of this file, if one of them is NaN.
#define RAISE(off, s0, s1, s2) \
	VMOVUPS off(maxPtr), Y15 \
	VCMPPS $3, s0, s1, Y12   \
	VCMPPS $3, s2, s2, Y13   \
	VMAXPS s0, s1, s0        \
	VMAXPS s0, s2, s0        \
	VMAXPS Y15, s0, Y15      \
	VORPS Y12, Y13, Y12      \
	VORPS Y12, Y15, Y15      \
	VMOVUPS Y15, off(maxPtr)

	MOVQ maxima+0(FP), maxPtr // load the arguments
	MOVQ a_base+32(FP), first
	MOVQ rows+56(FP), left
	MOVQ stride+72(FP), rowBytes
	SHLQ $2, rowBytes

rows:
	CMPQ left, $3 // if left < 3: first −= (3 − left) rows; left = 3
	JGE start
	SUBQ $3, left
	IMULQ rowBytes, left
	ADDQ left, first
	MOVQ $3, left

start:
	MOVQ q_base+8(FP), qPtr
	MOVQ first, rowPtr // start three rows
	MOVQ cols+64(FP), count
	VXORPS Y0, Y0, Y0; VXORPS Y1, Y1, Y1; VXORPS Y2, Y2, Y2; VXORPS Y3, Y3, Y3 // sums = 0
	VXORPS Y4, Y4, Y4; VXORPS Y5, Y5, Y5; VXORPS Y6, Y6, Y6; VXORPS Y7, Y7, Y7 // sums of the second row
	VXORPS Y8, Y8, Y8; VXORPS Y9, Y9, Y9; VXORPS Y10, Y10, Y10; VXORPS Y11, Y11, Y11 // sums of the third row
	PCALIGN $32

loop: // sums += products of a column
	VBROADCASTSS (rowPtr), Y12
	VBROADCASTSS (rowPtr)(rowBytes*1), Y13
	VBROADCASTSS (rowPtr)(rowBytes*2), Y14
	TERMS(0, Y0, Y4, Y8)
	TERMS(32, Y1, Y5, Y9)
	TERMS(64, Y2, Y6, Y10)
	TERMS(96, Y3, Y7, Y11)
	ADDQ $128, qPtr // advance by a column
	ADDQ $4, rowPtr
	DECQ count
	JNE loop
	RAISE(0, Y0, Y4, Y8) // maxima = max(maxima, sums)
	RAISE(32, Y1, Y5, Y9)
	RAISE(64, Y2, Y6, Y10)
	RAISE(96, Y3, Y7, Y11)
	LEAQ (rowBytes)(rowBytes*2), R8 // advance by three rows
	ADDQ R8, first
	SUBQ $3, left
	JNE rows
	VZEROUPPER
	RET
#undef maxPtr
#undef qPtr
#undef rowPtr
#undef first
#undef left
#undef rowBytes
#undef count
#undef TERMS
#undef RAISE
