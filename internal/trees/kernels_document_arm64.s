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

// FIRST and SECOND move the cells of eight trees one level down.
#define FIRST \
	LEVEL(R4)  \
	LEVEL(R5)  \
	LEVEL(R6)  \
	LEVEL(R7)  \
	LEVEL(R8)  \
	LEVEL(R9)  \
	LEVEL(R10) \
	LEVEL(R11)

#define SECOND \
	LEVEL(R15) \
	LEVEL(R16) \
	LEVEL(R17) \
	LEVEL(R19) \
	LEVEL(R20) \
	LEVEL(R21) \
	LEVEL(R22) \
	LEVEL(R23)

// ROOT loads the root of tree i, and raises levels to its own. R2 trees.
#define ROOT(i, n, levels) \
	LDPW 8*i(R2), (n, R13) \
	CMP  levels, R13       \
	CSEL HI, R13, levels, levels

// LEAF adds the value of the leaf n to the score.
#define LEAF(n) \
	ADD   n<<3, R1, R13  \
	FMOVD 16(R13), F1    \
	FADDD F1, F0, F0

// func documentWalkF64NEON(score float64, keys []uint32, cells []uint64, trees []uint32) float64
//
// Requires: nothing
//
// A level is a chain of 11 cycles, so sixteen trees go down together, as far as both eights of them
// have levels.
//
// F0 score   R0 keys   R1 cells   R2 trees   R3 elements of trees left   R4 to R11 and R15 to R17,
// R19 to R23 cells of twice eight trees   R12, R24 their levels left, R25 those of both
TEXT ·documentWalkF64NEON(SB), NOSPLIT, $0-88
	FMOVD score+0(FP), F0
	MOVD  keys_base+8(FP), R0
	MOVD  cells_base+32(FP), R1
	MOVD  trees_base+56(FP), R2
	MOVD  trees_len+64(FP), R3

trees:
	MOVD ZR, R12
	MOVD ZR, R24
	ROOT(0, R4, R12)
	ROOT(1, R5, R12)
	ROOT(2, R6, R12)
	ROOT(3, R7, R12)
	ROOT(4, R8, R12)
	ROOT(5, R9, R12)
	ROOT(6, R10, R12)
	ROOT(7, R11, R12)
	SUBS $32, R3
	BLT  first
	ROOT(8, R15, R24)
	ROOT(9, R16, R24)
	ROOT(10, R17, R24)
	ROOT(11, R19, R24)
	ROOT(12, R20, R24)
	ROOT(13, R21, R24)
	ROOT(14, R22, R24)
	ROOT(15, R23, R24)
	CMP  R12, R24
	CSEL LO, R24, R12, R25
	SUB  R25, R12
	SUB  R25, R24
	CBZ  R25, first

both:
	FIRST
	SECOND
	SUB  $1, R25
	CBNZ R25, both

first:
	CBZ R12, second
	FIRST
	SUB $1, R12
	B   first

second:
	CBZ R24, leaves
	SECOND
	SUB $1, R24
	B   second

leaves:
	LEAF(R4)
	LEAF(R5)
	LEAF(R6)
	LEAF(R7)
	LEAF(R8)
	LEAF(R9)
	LEAF(R10)
	LEAF(R11)
	TBNZ $63, R3, done
	LEAF(R15)
	LEAF(R16)
	LEAF(R17)
	LEAF(R19)
	LEAF(R20)
	LEAF(R21)
	LEAF(R22)
	LEAF(R23)
	ADD  $128, R2
	CBNZ R3, trees

done:
	FMOVD F0, ret+80(FP)
	RET
