// Sums of the leaves of documents for AVX-512.

// Even numbers, the order of documents by pairs, a matrix of 4 by 4 transposed, and bit 5.
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

// LEAF_TABLES loads what sums of leaves take: Z8, Z9, Z15, Z25 and Z26. AX becomes 1.
#define LEAF_TABLES \
	VPMOVZXBD leavesEven<>(SB), Z26; \
	MOVL $1, AX; \
	VPBROADCASTD AX, Z25; \
	VPADDD Z25, Z26, Z25; \
	VBROADCASTI32X4 leavesPairs<>(SB), Z15; \
	VPMOVZXBD       leavesTranspose<>(SB), Z9; \
	VBROADCASTI32X4 leavesTranspose<>(SB), Z8

// SIXTEEN adds the leaves of the lower five bits of the elements of Z1 to the scores a, of the
// elements 0, 1, 4, 5, …, and b. Z10 and Z11 have the lower halves of leaves, Z12 and Z13 the
// higher.
#define SIXTEEN(a, b) \
	VMOVDQA32  Z1, Z2; \
	VPERMI2D   Z11, Z10, Z1; \
	VPERMI2D   Z13, Z12, Z2; \
	VPUNPCKLDQ Z2, Z1, Z3; \
	VPUNPCKHDQ Z2, Z1, Z1; \
	VADDPD     Z3, a, a; \
	VADDPD     Z1, b, b

// SIXTEEN64 is SIXTEEN for six bits. Z4, Z5 and Z6, Z7 have the halves of leaves from 32 on.
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

// HALVES splits 32 leaves from at on into their lower and higher halves.
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
