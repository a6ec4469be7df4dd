//go:build !purego

#include "textflag.h"

// LEVEL moves the cell n one level down: to its next cell, or behind that when the key is above the
// limit. R0 keys, R1 cells, R13 and R14 scratch.
#define LEVEL(n) \
	MOVD  (R1)(n<<3), R13    \
	UBFX  $32, R13, $16, R14 \
	MOVWU (R0)(R14<<2), R14  \
	ADD   R13>>48, n         \
	CMPW  R14, R13           \
	CINC  LO, n, n

// ROOT loads the root of tree i, and raises the levels in R12 to its own. R2 trees.
#define ROOT(i, n) \
	LDPW 8*i(R2), (n, R13) \
	CMP  R12, R13          \
	CSEL HI, R13, R12, R12

// LEAF adds the value of the leaf n to the score.
#define LEAF(n) \
	ADD   n<<3, R1, R13  \
	FMOVD 16(R13), F1    \
	FADDD F1, F0, F0

// func documentWalkF64NEON(score float64, keys []uint32, cells []uint64, trees []uint32) float64
//
// Requires: nothing
//
// F0 score   R0 keys   R1 cells   R2 trees   R3 elements of trees left   R4 to R11 cells of eight
// trees   R12 levels left of these
TEXT ·documentWalkF64NEON(SB), NOSPLIT, $0-88
	FMOVD score+0(FP), F0
	MOVD  keys_base+8(FP), R0
	MOVD  cells_base+32(FP), R1
	MOVD  trees_base+56(FP), R2
	MOVD  trees_len+64(FP), R3

trees:
	MOVD ZR, R12
	ROOT(0, R4)
	ROOT(1, R5)
	ROOT(2, R6)
	ROOT(3, R7)
	ROOT(4, R8)
	ROOT(5, R9)
	ROOT(6, R10)
	ROOT(7, R11)
	CBZ  R12, leaves

level:
	LEVEL(R4)
	LEVEL(R5)
	LEVEL(R6)
	LEVEL(R7)
	LEVEL(R8)
	LEVEL(R9)
	LEVEL(R10)
	LEVEL(R11)
	SUB  $1, R12
	CBNZ R12, level

leaves:
	LEAF(R4)
	LEAF(R5)
	LEAF(R6)
	LEAF(R7)
	LEAF(R8)
	LEAF(R9)
	LEAF(R10)
	LEAF(R11)
	ADD  $64, R2
	SUBS $16, R3
	BNE  trees
	FMOVD F0, ret+80(FP)
	RET
