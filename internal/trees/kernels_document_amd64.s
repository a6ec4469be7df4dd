//go:build !purego

#include "textflag.h"

// LEVEL moves the cell n one level down: a limit that is less than the key borrows. SI keys, DI
// cells, R8 and R13 scratch.
#define LEVEL(n) \
	MOVWLZX 4(DI)(n*8), R8; \
	MOVWLZX 6(DI)(n*8), R13; \
	MOVL    (SI)(R8*4), R8; \
	CMPL    (DI)(n*8), R8; \
	ADCQ    R13, n

// ROOT loads the root of tree i, and raises the levels in R13 to its own. R8 trees.
#define ROOT(i, n) \
	MOVL 8*i(R8), n; \
	CMPL R13, (8*i+4)(R8); \
	CMOVLCS (8*i+4)(R8), R13

// func documentWalkF64AVX2(score float64, keys []uint32, cells []uint64, trees []uint32) float64
//
// Requires: AVX2
//
// X0 score   SI keys   DI cells   AX BX CX DX R9 R10 R11 R12 cells of eight trees. What is left of
// trees, and the levels that are left of these eight, are in memory.
TEXT ·documentWalkF64AVX2(SB), NOSPLIT, $8-88
	VMOVSD score+0(FP), X0
	MOVQ keys_base+8(FP), SI
	MOVQ cells_base+32(FP), DI

trees:
	MOVQ trees_base+56(FP), R8
	XORL R13, R13
	ROOT(0, AX)
	ROOT(1, BX)
	ROOT(2, CX)
	ROOT(3, DX)
	ROOT(4, R9)
	ROOT(5, R10)
	ROOT(6, R11)
	ROOT(7, R12)
	ADDQ $64, R8
	MOVQ R8, trees_base+56(FP)
	MOVL R13, levels-8(SP)
	TESTL R13, R13
	JEQ  leaves

level:
	LEVEL(AX)
	LEVEL(BX)
	LEVEL(CX)
	LEVEL(DX)
	LEVEL(R9)
	LEVEL(R10)
	LEVEL(R11)
	LEVEL(R12)
	DECL levels-8(SP)
	JNE  level

leaves:
	VADDSD 16(DI)(AX*8), X0, X0
	VADDSD 16(DI)(BX*8), X0, X0
	VADDSD 16(DI)(CX*8), X0, X0
	VADDSD 16(DI)(DX*8), X0, X0
	VADDSD 16(DI)(R9*8), X0, X0
	VADDSD 16(DI)(R10*8), X0, X0
	VADDSD 16(DI)(R11*8), X0, X0
	VADDSD 16(DI)(R12*8), X0, X0
	SUBQ $16, trees_len+64(FP)
	JNE  trees
	VMOVSD X0, ret+80(FP)
	RET
