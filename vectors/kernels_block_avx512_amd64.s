//go:build !purego

#include "go_asm.h"
#include "textflag.h"

// Blocks of queries and rows of bytes or bits, for AVX-512. block.go explains the algorithm.

// func blockI8PackAVX512(p *blockPanel, v []uint8, offsets *[panelVectors]int, n int, flip uint32)
// Requires: AVX512F, BW
//
// An iteration transposes 64 bytes of each of 16 vectors. Loads of the last bytes are masked.
//
// Registers: Z0-Z15: a line of vectors 0-15, then their transpose; Z16-Z31: parts of the transpose.
TEXT ·blockI8PackAVX512(SB), NOSPLIT, $0-52
#define panel DI // address of the next words of the panel
#define bytes SI // address of the next bytes of the vectors
#define at    R8 // address of the vectors' offsets
#define left  DX // number of remaining bytes
#define valid K1 // mask of the remaining bytes

// line = 64 bytes of vector i, with 0 after the last byte.
#define LOAD(i, reg, line) MOVQ (8*i)(at), reg; VMOVDQU8.Z (bytes)(reg*1), valid, line
// Computes line ^= flip for four lines.
#define FLIP(a, b, c, d) VPXORD Z31, a, a; VPXORD Z31, b, b; VPXORD Z31, c, c; VPXORD Z31, d, d
// In each lane: lo = a0 b0 a1 b1, hi = a2 b2 a3 b3.
#define WORDS(a, b, lo, hi) VPUNPCKLDQ b, a, lo; VPUNPCKHDQ b, a, hi
// In each lane: lo = a0 a1 b0 b1, hi = a2 a3 b2 b3.
#define PAIRS(a, b, lo, hi) VPUNPCKLQDQ b, a, lo; VPUNPCKHQDQ b, a, hi
// Stores words k, k+4, k+8 and k+12 of all 16 vectors to the panel, as p, q, r and s. Before, lane
// L of a, b, c and d contains word 4·L + k of four vectors each. e and g are lanes 0 and 2 of two
// registers, and f and h are lanes 1 and 3.
#define STORE(k, a, b, c, d, e, f, g, h, p, q, r, s) \
	VSHUFI32X4 $0x88, b, a, e; VSHUFI32X4 $0xdd, b, a, f;       \
	VSHUFI32X4 $0x88, d, c, g; VSHUFI32X4 $0xdd, d, c, h;       \
	VSHUFI32X4 $0x88, g, e, p; VSHUFI32X4 $0x88, h, f, q;       \
	VSHUFI32X4 $0xdd, g, e, r; VSHUFI32X4 $0xdd, h, f, s;       \
	VMOVDQU32 p, (64*k)(panel); VMOVDQU32 q, (64*(k+4))(panel); \
	VMOVDQU32 r, (64*(k+8))(panel); VMOVDQU32 s, (64*(k+12))(panel)

	MOVQ p+0(FP), panel // load the arguments
	MOVQ v+8(FP), bytes
	MOVQ offsets+32(FP), at
	MOVQ n+40(FP), left
	KXNORQ valid, valid, valid // valid = 64 bytes

loop:
	CMPQ left, $64
	JGE whole
	MOVL $64, CX // valid = the remaining bytes
	SUBL left, CX
	MOVQ $-1, AX
	SHRQ CX, AX
	KMOVQ AX, valid

whole:
	MOVL flip+48(FP), AX
	VPBROADCASTD AX, Z31
	LOAD(0, AX, Z0) // Z0-Z7 = lines of vectors 0-7
	LOAD(1, BX, Z1)
	LOAD(2, CX, Z2)
	LOAD(3, R9, Z3)
	LOAD(4, AX, Z4)
	LOAD(5, BX, Z5)
	LOAD(6, CX, Z6)
	LOAD(7, R9, Z7)
	LOAD(8, AX, Z8) // Z8-Z15 = lines of vectors 8-15
	LOAD(9, BX, Z9)
	LOAD(10, CX, Z10)
	LOAD(11, R9, Z11)
	LOAD(12, AX, Z12)
	LOAD(13, BX, Z13)
	LOAD(14, CX, Z14)
	LOAD(15, R9, Z15)
	FLIP(Z0, Z1, Z2, Z3) // line ^= flip
	FLIP(Z4, Z5, Z6, Z7)
	FLIP(Z8, Z9, Z10, Z11)
	FLIP(Z12, Z13, Z14, Z15)
	WORDS(Z0, Z1, Z16, Z17) // interleave words of two vectors
	WORDS(Z2, Z3, Z18, Z19)
	WORDS(Z4, Z5, Z20, Z21)
	WORDS(Z6, Z7, Z22, Z23)
	WORDS(Z8, Z9, Z24, Z25)
	WORDS(Z10, Z11, Z26, Z27)
	WORDS(Z12, Z13, Z28, Z29)
	WORDS(Z14, Z15, Z30, Z31)
	PAIRS(Z16, Z18, Z0, Z1) // interleave words of four vectors: each lane contains one word of each
	PAIRS(Z17, Z19, Z2, Z3)
	PAIRS(Z20, Z22, Z4, Z5)
	PAIRS(Z21, Z23, Z6, Z7)
	PAIRS(Z24, Z26, Z8, Z9)
	PAIRS(Z25, Z27, Z10, Z11)
	PAIRS(Z28, Z30, Z12, Z13)
	PAIRS(Z29, Z31, Z14, Z15)
	STORE(0, Z0, Z4, Z8, Z12, Z16, Z17, Z18, Z19, Z24, Z25, Z26, Z27) // interleave and store words of all vectors
	STORE(1, Z1, Z5, Z9, Z13, Z20, Z21, Z22, Z23, Z28, Z29, Z30, Z31)
	STORE(2, Z2, Z6, Z10, Z14, Z16, Z17, Z18, Z19, Z24, Z25, Z26, Z27)
	STORE(3, Z3, Z7, Z11, Z15, Z20, Z21, Z22, Z23, Z28, Z29, Z30, Z31)
	ADDQ $64, bytes // advance by 64 bytes
	ADDQ $1024, panel
	SUBQ $64, left
	JGT loop
	VZEROUPPER
	RET

#undef panel
#undef bytes
#undef at
#undef left
#undef valid
#undef LOAD
#undef FLIP
#undef WORDS
#undef PAIRS
#undef STORE

// func blockI8AVX512(tile *blockTile, q, a *blockPanel, steps int, fetch uintptr, stride int, fresh bool, result *blockResult)
// Requires: AVX512F, VNNI
//
// Registers: see block_avx512_amd64.h.
TEXT ·blockI8AVX512(SB), NOSPLIT, $0-64
#define TERM(i, sum) VPDPBUSD.BCST (4*i)(words), Z16, sum
#include "block_avx512_amd64.h"

// func blockU8AVX512(tile *blockTile, q, a *blockPanel, steps int, fetch uintptr, stride int, fresh bool, result *blockResult)
// Requires: AVX512F, VNNI
//
// Registers: see block_avx512_amd64.h.
TEXT ·blockU8AVX512(SB), NOSPLIT, $0-64
#define TERM(i, sum) VPBROADCASTD (4*i)(words), Z17; VPDPBUSD Z16, Z17, sum
#include "block_avx512_amd64.h"

// func blockBitsAVX512(tile *blockTile, q, a *blockPanel, steps int, fetch uintptr, stride int, fresh bool, result *blockResult)
// Requires: AVX512F, VPOPCNTDQ
//
// Registers: see block_avx512_amd64.h.
TEXT ·blockBitsAVX512(SB), NOSPLIT, $0-64
#define TERM(i, sum) VPXORD.BCST (4*i)(words), Z16, Z17; VPOPCNTD Z17, Z17; VPADDD Z17, sum, sum
#include "block_avx512_amd64.h"

// func blockI8StoreAVX512(dst []float32, stride int, tile *blockTile, add []int32, norm *[panelVectors]int32, scale int32)
// Requires: AVX512F
//
// Registers: DI, R8: dst and its stride in bytes; SI: the tile; R9: add; DX: remaining queries; Z1:
// norm; Z2: scale.
TEXT ·blockI8StoreAVX512(SB), NOSPLIT, $0-76
	MOVQ dst_base+0(FP), DI // load the arguments
	MOVQ stride+24(FP), R8
	SHLQ $2, R8
	MOVQ tile+32(FP), SI
	MOVQ add_base+40(FP), R9
	MOVQ add_len+48(FP), DX // DX = number of queries, one per element of add
	MOVQ norm+64(FP), AX
	VMOVDQU32 (AX), Z1
	MOVL scale+72(FP), AX
	VPBROADCASTD AX, Z2

query:
	VPMULLD (SI), Z2, Z0 // dst = float32(scale·tile + norm + add)
	VPADDD Z1, Z0, Z0
	VPADDD.BCST (R9), Z0, Z0
	VCVTDQ2PS Z0, Z0
	VMOVUPS Z0, (DI)
	ADDQ $64, SI // advance to the next query
	ADDQ $4, R9
	ADDQ R8, DI
	DECQ DX
	JNE query
	VZEROUPPER
	RET
