// This file adds the leaves of documents to scores for AVX-512. It loads the tables and defines
// macros, which the function must undefine. Leaves are looked up as two halves of 32 bits.
//
// Registers: R11: leaves of the tree; Z8, Z9, Z15: orders of the documents; Z25, Z26: odd and even
// numbers; Z10, Z11: lower halves of the leaves; Z12, Z13: upper halves; Z4-Z7: the same of leaves
// 32 to 63; Z1-Z3, Z14, K1: scratch. AX becomes 1.

// The even numbers 0 to 14, the order of documents by pairs, a transposed 4×4 matrix, and bit 5.
DATA leavesEven<>+0(SB)/8, $0x0e0c0a0806040200
DATA leavesEven<>+8(SB)/8, $0x1e1c1a1816141210
GLOBL leavesEven<>(SB), RODATA|NOPTR, $16
DATA leavesPairs<>+0(SB)/8, $0x0b0a030209080100
DATA leavesPairs<>+8(SB)/8, $0x0f0e07060d0c0504
GLOBL leavesPairs<>(SB), RODATA|NOPTR, $16
DATA leavesTranspose<>+0(SB)/8, $0x0d0905010c080400
DATA leavesTranspose<>+8(SB)/8, $0x0f0b07030e0a0602
GLOBL leavesTranspose<>(SB), RODATA|NOPTR, $16
DATA leavesBit5<>+0(SB)/4, $32
GLOBL leavesBit5<>(SB), RODATA|NOPTR, $4

// HALVES splits 32 leaves, which start at byte at, into their lower and upper halves.
#define HALVES(at, low0, low1, high0, high1) \
	VMOVDQU64 (at)(R11), low1; \
	VMOVDQU64 (at+128)(R11), high1; \
	VMOVDQA32 Z26, low0; \
	VMOVDQA32 Z25, high0; \
	VPERMI2D  (at+64)(R11), low1, low0; \
	VPERMI2D  (at+64)(R11), low1, high0; \
	VMOVDQA32 Z26, low1; \
	VPERMI2D  (at+192)(R11), high1, low1; \
	VPERMT2D  (at+192)(R11), Z25, high1

// SIXTEEN adds the leaves of 16 documents to their scores. The lowest five bits of the elements of
// Z1 are the leaf numbers. The scores of the elements 0, 1, 4, 5, … are in a, and the others in b.
// SIXTEEN64 does the same with six bits.
#define SIXTEEN(a, b) \
	VMOVDQA32  Z1, Z2; \
	VPERMI2D   Z11, Z10, Z1; \
	VPERMI2D   Z13, Z12, Z2; \
	VPUNPCKLDQ Z2, Z1, Z3; \
	VPUNPCKHDQ Z2, Z1, Z1; \
	VADDPD     Z3, a, a; \
	VADDPD     Z1, b, b
#define SIXTEEN64(a, b) \
	VPTESTMD.BCST leavesBit5<>(SB), Z1, K1; \
	VMOVDQA32  Z1, Z2; \
	VMOVDQA32  Z1, Z3; \
	VMOVDQA32  Z1, Z14; \
	VPERMI2D   Z11, Z10, Z1; \
	VPERMI2D   Z13, Z12, Z2; \
	VPERMI2D   Z5, Z4, Z3; \
	VPERMI2D   Z7, Z6, Z14; \
	VMOVDQA32  Z3, K1, Z1; \
	VMOVDQA32  Z14, K1, Z2; \
	VPUNPCKLDQ Z2, Z1, Z3; \
	VPUNPCKHDQ Z2, Z1, Z1; \
	VADDPD     Z3, a, a; \
	VADDPD     Z1, b, b

	VPMOVZXBD leavesEven<>(SB), Z26 // Z26 = 0, 2, … 30; Z25 = 1, 3, … 31
	MOVL $1, AX
	VPBROADCASTD AX, Z25
	VPADDD Z25, Z26, Z25
	VBROADCASTI32X4 leavesPairs<>(SB), Z15
	VPMOVZXBD       leavesTranspose<>(SB), Z9
	VBROADCASTI32X4 leavesTranspose<>(SB), Z8
