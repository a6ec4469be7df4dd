//go:build !purego

#include "go_asm.h"
#include "textflag.h"

// Kernels of single documents for AVX-512.

// VALUE copies the value of a feature.
#define VALUE(i) \
	MOVL    (4*i)(R8), AX; \
	XORL    R12, R12; \
	CMPQ    AX, DX; \
	JCC     2(PC); \
	MOVL    (BX)(AX*4), R12; \
	MOVL    R12, (4*i)(SI)

// func documentRanksF32AVX512(ranks *[DocumentRows]uint8, values *[DocumentRows]float32, x []float32,
//	features, groups []uint32, thresholds []float32)
//
// Requires: AVX512F, AVX512DQ
//
// DI ranks   SI values   BX x   DX len(x)   R8 features   CX features left, then thresholds left
// R9 groups   R10 groups left   R11 thresholds   R12 value of the features that x lacks
// Z0 values   K3 missing ones   K5 those that have rank 0   Z1 and Z2 numbers of thresholds
// Z5 the number of all   Z28 one   Z27 zero. A gather takes longer than 16 loads and stores.
TEXT ·documentRanksF32AVX512(SB), NOSPLIT, $0-112
	MOVQ ranks+0(FP), DI
	MOVQ values+8(FP), SI
	MOVQ x_base+16(FP), BX
	MOVQ x_len+24(FP), DX
	MOVQ features_base+40(FP), R8
	MOVQ features_len+48(FP), CX
	MOVQ groups_base+64(FP), R9
	MOVQ groups_len+72(FP), R10
	MOVQ thresholds_base+88(FP), R11
	MOVL $1, AX
	VPBROADCASTD AX, Z28
	VPXORD Z27, Z27, Z27

value:
	VALUE(0)
	VALUE(1)
	VALUE(2)
	VALUE(3)
	ADDQ $16, R8
	ADDQ $16, SI
	SUBQ $4, CX
	JNE  value
	MOVQ values+8(FP), SI
	SHRQ $1, R10                  // two elements each

group:
	VMOVUPS   (SI), Z0
	KMOVW     4(R9), K2
	KMOVW     6(R9), K5
	VCMPPS    $0, Z27, Z0, K2, K3
	VCMPPS    $3, Z0, Z0, K4
	KORW      K3, K4, K3
	KANDW     K3, K5, K5
	VPXORD    Z1, Z1, Z1
	VPXORD    Z2, Z2, Z2
	MOVL      (R9), CX
	VPBROADCASTD CX, Z5
	TESTL     $1, CX
	JEQ       even
	VCMPPS    $30, (R11), Z0, K1
	VPADDD    Z28, Z1, K1, Z1
	ADDQ      $64, R11
	DECL      CX

even:
	TESTL     CX, CX
	JEQ       store

pairs:
	VCMPPS    $30, (R11), Z0, K1
	VCMPPS    $30, 64(R11), Z0, K2
	VPADDD    Z28, Z1, K1, Z1
	VPADDD    Z28, Z2, K2, Z2
	ADDQ      $128, R11
	SUBL      $2, CX
	JNE       pairs

store:
	VPADDD    Z2, Z1, Z1
	VMOVDQA32 Z5, K3, Z1
	VMOVDQA32 Z27, K5, Z1
	VPMOVDB   Z1, (DI)
	ADDQ      $64, SI
	ADDQ      $16, DI
	ADDQ      $8, R9
	DECQ      R10
	JNE       group
	VZEROUPPER
	RET

// LOOKUP sets key to the ranks of the rows at at. Z0 to Z3 ranks   k, tmp scratch.
#define LOOKUP(at, key, tmp, k) \
	VMOVDQU8  at, key; \
	VMOVDQA64 key, tmp; \
	VPMOVB2M  key, k; \
	VPERMI2B  Z1, Z0, key; \
	VPERMI2B  Z3, Z2, tmp; \
	VMOVDQU8  tmp, k, key

// NARROW moves the leaves lo of 64 trees, given the ranks key of a step.
#define NARROW(at, key, lo, k1, k2) \
	VPCMPUB  $6, 64(at), key, k1; \
	VPCMPUB  $0, 128(at), lo, k1, k2; \
	VMOVDQU8 192(at), k2, lo; \
	ADDQ     $256, at

// func documentLeavesU8AVX512(leaves []uint8, ranks *[DocumentRows]uint8, steps []uint8, slabs []uint32)
//
// Requires: AVX512F, AVX512BW, AVX512VBMI
//
// DI leaves   SI steps of a slab   R8 of the next   R9 slabs   R10 slabs left   CX, DX steps left
// Z0 to Z3 ranks   Z4, Z6 leaves of the trees
TEXT ·documentLeavesU8AVX512(SB), NOSPLIT, $0-80
	MOVQ leaves_base+0(FP), DI
	MOVQ ranks+24(FP), AX
	MOVQ steps_base+32(FP), SI
	MOVQ slabs_base+56(FP), R9
	MOVQ slabs_len+64(FP), R10
	VMOVDQU8 (AX), Z0
	VMOVDQU8 64(AX), Z1
	VMOVDQU8 128(AX), Z2
	VMOVDQU8 192(AX), Z3

pair:
	VPXORQ     Z4, Z4, Z4
	VPXORQ     Z6, Z6, Z6
	MOVL  (R9), CX
	CMPQ  R10, $2
	JLT   first
	MOVL  4(R9), DX
	MOVQ  CX, R8
	SHLQ  $8, R8
	ADDQ  SI, R8

both:
	SUBL   $1, CX
	JLT    second
	SUBL   $1, DX
	JLT    undo
	LOOKUP((SI), Z8, Z9, K3)
	LOOKUP((R8), Z11, Z12, K6)
	NARROW(SI, Z8, Z4, K1, K2)
	NARROW(R8, Z11, Z6, K4, K5)
	JMP    both

undo:
	INCL  CX

first:
	DECL  CX
	JLT   done
	LOOKUP((SI), Z8, Z9, K3)
	NARROW(SI, Z8, Z4, K1, K2)
	JMP   first

second:
	DECL  DX
	JLT   done
	LOOKUP((R8), Z11, Z12, K6)
	NARROW(R8, Z11, Z6, K4, K5)
	JMP   second

done:
	VMOVDQU8 Z4, (DI)
	CMPQ     R10, $2
	JLT      end
	VMOVDQU8 Z6, 64(DI)
	MOVQ     R8, SI
	ADDQ     $128, DI
	ADDQ     $8, R9
	SUBQ     $2, R10
	JNE      pair

end:
	VZEROUPPER
	RET
