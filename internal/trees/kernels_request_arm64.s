//go:build !purego

#include "textflag.h"

// func walkF64NEON(score float64, keys []uint32, cells []uint64, trees []uint32) float64
//
// Requires: nothing
//
// A level is a chain of 11 cycles, so sixteen trees go down together, as far as both eights of them
// have levels.
//
// Registers: F0: score; R4-R11: cells of the first eight trees; R15-R17, R19-R23: cells of the
// second eight; F1, R13, R14: scratch.
TEXT ·walkF64NEON(SB), NOSPLIT, $0-88
#define keys   R0
#define cells  R1
#define tree   R2  // next elements of trees
#define left   R3  // elements of trees left
#define first  R12 // levels of the first eight trees left
#define second R24 // levels of the second eight
#define joint  R25 // levels of both

// ROOT loads the root of tree i: n = trees[2i], levels = max(levels, trees[2i+1]).
#define ROOT(i, n, levels) \
	LDPW 8*i(tree), (n, R13) \
	CMP  levels, R13       \
	CSEL HI, R13, levels, levels

// LEVEL moves on from cell n: n += cell.next + (cell.limit < keys[cell.row]). FIRST and SECOND do
// so for eight trees.
#define LEVEL(n) \
	MOVD  (cells)(n<<3), R13 \
	UBFX  $32, R13, $16, R14 \
	MOVWU (keys)(R14<<2), R14 \
	ADD   R13>>48, n         \
	CMPW  R14, R13           \
	CINC  LO, n, n
#define FIRST \
	LEVEL(R4); LEVEL(R5); LEVEL(R6); LEVEL(R7) \
	LEVEL(R8); LEVEL(R9); LEVEL(R10); LEVEL(R11)
#define SECOND \
	LEVEL(R15); LEVEL(R16); LEVEL(R17); LEVEL(R19) \
	LEVEL(R20); LEVEL(R21); LEVEL(R22); LEVEL(R23)

// LEAF adds the value of the leaf n to the score.
#define LEAF(n) \
	ADD   n<<3, cells, R13 \
	FMOVD 16(R13), F1     \
	FADDD F1, F0, F0

	FMOVD score+0(FP), F0
	MOVD  keys_base+8(FP), keys
	MOVD  cells_base+32(FP), cells
	MOVD  trees_base+56(FP), tree
	MOVD  trees_len+64(FP), left

trees:
	MOVD ZR, first
	MOVD ZR, second
	ROOT(0, R4, first) // the roots of eight trees
	ROOT(1, R5, first)
	ROOT(2, R6, first)
	ROOT(3, R7, first)
	ROOT(4, R8, first)
	ROOT(5, R9, first)
	ROOT(6, R10, first)
	ROOT(7, R11, first)
	SUBS $32, left // if there are no more, left is negative
	BLT  firstLevels
	ROOT(8, R15, second) // the roots of eight more
	ROOT(9, R16, second)
	ROOT(10, R17, second)
	ROOT(11, R19, second)
	ROOT(12, R20, second)
	ROOT(13, R21, second)
	ROOT(14, R22, second)
	ROOT(15, R23, second)
	CMP  first, second // joint = min(first, second), which both lose
	CSEL LO, second, first, joint
	SUB  joint, first
	SUB  joint, second
	CBZ  joint, firstLevels

both:
	FIRST // one level down
	SECOND
	SUB  $1, joint
	CBNZ joint, both

firstLevels:
	CBZ first, secondLevels // the levels that only the first eight have
	FIRST
	SUB $1, first
	B   firstLevels

secondLevels:
	CBZ second, leaves // the levels that only the second eight have
	SECOND
	SUB $1, second
	B   secondLevels

leaves:
	LEAF(R4); LEAF(R5); LEAF(R6); LEAF(R7) // score += the values of the leaves, tree by tree
	LEAF(R8); LEAF(R9); LEAF(R10); LEAF(R11)
	TBNZ $63, left, done
	LEAF(R15); LEAF(R16); LEAF(R17); LEAF(R19)
	LEAF(R20); LEAF(R21); LEAF(R22); LEAF(R23)
	ADD  $128, tree // the next sixteen trees
	CBNZ left, trees

done:
	FMOVD F0, ret+80(FP)
	RET
#undef keys
#undef cells
#undef tree
#undef left
#undef first
#undef second
#undef joint
#undef ROOT
#undef LEVEL
#undef FIRST
#undef SECOND
#undef LEAF
