//go:build !purego

#include "go_asm.h"
#include "textflag.h"

// Blocks of queries by rows of bytes and of bits, for AVX-512: see block.go.

// func blockI8PackAVX512(p *blockPanel, v []uint8, offsets *[panelVectors]int, n int, flip uint32)
// Requires: AVX512F, BW
//
// SI: bytes of the vectors, from the first one of the step on; R8: their offsets; DI: the panel;
// DX: bytes left; Z0-Z31: words. A step is 64 bytes of each vector, the last ones under a mask.
TEXT ·blockI8PackAVX512(SB), NOSPLIT, $0-52
	MOVQ p+0(FP), DI
	MOVQ v_base+8(FP), SI
	MOVQ offsets+32(FP), R8
	MOVQ n+40(FP), DX
	KXNORQ K1, K1, K1

step:
	CMPQ DX, $64
	JGE whole
	MOVL $64, CX
	SUBL DX, CX
	MOVQ $-1, AX
	SHRQ CX, AX
	KMOVQ AX, K1

whole:
	MOVL flip+48(FP), AX
	VPBROADCASTD AX, Z31
	MOVQ 0(R8), AX
	VMOVDQU8.Z (SI)(AX*1), K1, Z0
	MOVQ 8(R8), BX
	VMOVDQU8.Z (SI)(BX*1), K1, Z1
	MOVQ 16(R8), CX
	VMOVDQU8.Z (SI)(CX*1), K1, Z2
	MOVQ 24(R8), R9
	VMOVDQU8.Z (SI)(R9*1), K1, Z3
	MOVQ 32(R8), AX
	VMOVDQU8.Z (SI)(AX*1), K1, Z4
	MOVQ 40(R8), BX
	VMOVDQU8.Z (SI)(BX*1), K1, Z5
	MOVQ 48(R8), CX
	VMOVDQU8.Z (SI)(CX*1), K1, Z6
	MOVQ 56(R8), R9
	VMOVDQU8.Z (SI)(R9*1), K1, Z7
	MOVQ 64(R8), AX
	VMOVDQU8.Z (SI)(AX*1), K1, Z8
	MOVQ 72(R8), BX
	VMOVDQU8.Z (SI)(BX*1), K1, Z9
	MOVQ 80(R8), CX
	VMOVDQU8.Z (SI)(CX*1), K1, Z10
	MOVQ 88(R8), R9
	VMOVDQU8.Z (SI)(R9*1), K1, Z11
	MOVQ 96(R8), AX
	VMOVDQU8.Z (SI)(AX*1), K1, Z12
	MOVQ 104(R8), BX
	VMOVDQU8.Z (SI)(BX*1), K1, Z13
	MOVQ 112(R8), CX
	VMOVDQU8.Z (SI)(CX*1), K1, Z14
	MOVQ 120(R8), R9
	VMOVDQU8.Z (SI)(R9*1), K1, Z15
	VPXORD Z31, Z0, Z0
	VPXORD Z31, Z1, Z1
	VPXORD Z31, Z2, Z2
	VPXORD Z31, Z3, Z3
	VPXORD Z31, Z4, Z4
	VPXORD Z31, Z5, Z5
	VPXORD Z31, Z6, Z6
	VPXORD Z31, Z7, Z7
	VPXORD Z31, Z8, Z8
	VPXORD Z31, Z9, Z9
	VPXORD Z31, Z10, Z10
	VPXORD Z31, Z11, Z11
	VPXORD Z31, Z12, Z12
	VPXORD Z31, Z13, Z13
	VPXORD Z31, Z14, Z14
	VPXORD Z31, Z15, Z15

	// Words of two vectors, of four, and of eight and sixteen by lanes.
	VPUNPCKLDQ Z1, Z0, Z16
	VPUNPCKHDQ Z1, Z0, Z17
	VPUNPCKLDQ Z3, Z2, Z18
	VPUNPCKHDQ Z3, Z2, Z19
	VPUNPCKLDQ Z5, Z4, Z20
	VPUNPCKHDQ Z5, Z4, Z21
	VPUNPCKLDQ Z7, Z6, Z22
	VPUNPCKHDQ Z7, Z6, Z23
	VPUNPCKLDQ Z9, Z8, Z24
	VPUNPCKHDQ Z9, Z8, Z25
	VPUNPCKLDQ Z11, Z10, Z26
	VPUNPCKHDQ Z11, Z10, Z27
	VPUNPCKLDQ Z13, Z12, Z28
	VPUNPCKHDQ Z13, Z12, Z29
	VPUNPCKLDQ Z15, Z14, Z30
	VPUNPCKHDQ Z15, Z14, Z31
	VPUNPCKLQDQ Z18, Z16, Z0
	VPUNPCKHQDQ Z18, Z16, Z1
	VPUNPCKLQDQ Z19, Z17, Z2
	VPUNPCKHQDQ Z19, Z17, Z3
	VPUNPCKLQDQ Z22, Z20, Z4
	VPUNPCKHQDQ Z22, Z20, Z5
	VPUNPCKLQDQ Z23, Z21, Z6
	VPUNPCKHQDQ Z23, Z21, Z7
	VPUNPCKLQDQ Z26, Z24, Z8
	VPUNPCKHQDQ Z26, Z24, Z9
	VPUNPCKLQDQ Z27, Z25, Z10
	VPUNPCKHQDQ Z27, Z25, Z11
	VPUNPCKLQDQ Z30, Z28, Z12
	VPUNPCKHQDQ Z30, Z28, Z13
	VPUNPCKLQDQ Z31, Z29, Z14
	VPUNPCKHQDQ Z31, Z29, Z15
	VSHUFI32X4 $0x88, Z4, Z0, Z16
	VSHUFI32X4 $0xdd, Z4, Z0, Z17
	VSHUFI32X4 $0x88, Z12, Z8, Z18
	VSHUFI32X4 $0xdd, Z12, Z8, Z19
	VSHUFI32X4 $0x88, Z18, Z16, Z24
	VSHUFI32X4 $0x88, Z19, Z17, Z25
	VSHUFI32X4 $0xdd, Z18, Z16, Z26
	VSHUFI32X4 $0xdd, Z19, Z17, Z27
	VMOVDQU32 Z24, 0(DI)
	VMOVDQU32 Z25, 256(DI)
	VMOVDQU32 Z26, 512(DI)
	VMOVDQU32 Z27, 768(DI)
	VSHUFI32X4 $0x88, Z5, Z1, Z20
	VSHUFI32X4 $0xdd, Z5, Z1, Z21
	VSHUFI32X4 $0x88, Z13, Z9, Z22
	VSHUFI32X4 $0xdd, Z13, Z9, Z23
	VSHUFI32X4 $0x88, Z22, Z20, Z28
	VSHUFI32X4 $0x88, Z23, Z21, Z29
	VSHUFI32X4 $0xdd, Z22, Z20, Z30
	VSHUFI32X4 $0xdd, Z23, Z21, Z31
	VMOVDQU32 Z28, 64(DI)
	VMOVDQU32 Z29, 320(DI)
	VMOVDQU32 Z30, 576(DI)
	VMOVDQU32 Z31, 832(DI)
	VSHUFI32X4 $0x88, Z6, Z2, Z16
	VSHUFI32X4 $0xdd, Z6, Z2, Z17
	VSHUFI32X4 $0x88, Z14, Z10, Z18
	VSHUFI32X4 $0xdd, Z14, Z10, Z19
	VSHUFI32X4 $0x88, Z18, Z16, Z24
	VSHUFI32X4 $0x88, Z19, Z17, Z25
	VSHUFI32X4 $0xdd, Z18, Z16, Z26
	VSHUFI32X4 $0xdd, Z19, Z17, Z27
	VMOVDQU32 Z24, 128(DI)
	VMOVDQU32 Z25, 384(DI)
	VMOVDQU32 Z26, 640(DI)
	VMOVDQU32 Z27, 896(DI)
	VSHUFI32X4 $0x88, Z7, Z3, Z20
	VSHUFI32X4 $0xdd, Z7, Z3, Z21
	VSHUFI32X4 $0x88, Z15, Z11, Z22
	VSHUFI32X4 $0xdd, Z15, Z11, Z23
	VSHUFI32X4 $0x88, Z22, Z20, Z28
	VSHUFI32X4 $0x88, Z23, Z21, Z29
	VSHUFI32X4 $0xdd, Z22, Z20, Z30
	VSHUFI32X4 $0xdd, Z23, Z21, Z31
	VMOVDQU32 Z28, 192(DI)
	VMOVDQU32 Z29, 448(DI)
	VMOVDQU32 Z30, 704(DI)
	VMOVDQU32 Z31, 960(DI)
	ADDQ $64, SI
	ADDQ $1024, DI
	SUBQ $64, DX
	JGT step
	VZEROUPPER
	RET

// The kernels of tiles have the body block_avx512_amd64.h. TERM(i, acc) adds the products of the
// words of query i, a constant, and of those of the rows, in Z16, to acc; Z17 is scratch.

#define TERM(i, acc) VPDPBUSD.BCST (4*i)(SI), Z16, acc

// func blockI8AVX512(tile *blockTile, q, a *blockPanel, steps int, fetch uintptr, stride int, fresh bool, result *blockResult)
// Requires: AVX512F, VNNI
//
// Registers: see block_avx512_amd64.h. A step is a word of each vector.
TEXT ·blockI8AVX512(SB), NOSPLIT, $0-64
#include "block_avx512_amd64.h"

#undef TERM
#define TERM(i, acc) VPBROADCASTD (4*i)(SI), Z17; VPDPBUSD Z16, Z17, acc

// func blockU8AVX512(tile *blockTile, q, a *blockPanel, steps int, fetch uintptr, stride int, fresh bool, result *blockResult)
// Requires: AVX512F, VNNI
//
// Registers: see block_avx512_amd64.h. A step is a word of each vector.
TEXT ·blockU8AVX512(SB), NOSPLIT, $0-64
#include "block_avx512_amd64.h"

#undef TERM
#define TERM(i, acc) VPXORD.BCST (4*i)(SI), Z16, Z17; VPOPCNTD Z17, Z17; VPADDD Z17, acc, acc

// func blockBitsAVX512(tile *blockTile, q, a *blockPanel, steps int, fetch uintptr, stride int, fresh bool, result *blockResult)
// Requires: AVX512F, VPOPCNTDQ
//
// Registers: see block_avx512_amd64.h. A step is a word of each vector.
TEXT ·blockBitsAVX512(SB), NOSPLIT, $0-64
#include "block_avx512_amd64.h"

#undef TERM

// func blockI8StoreAVX512(dst []float32, stride int, tile *blockTile, add []int32, norm *[panelVectors]int32, scale int32)
// Requires: AVX512F
//
// DI: dst; R8: its stride in bytes; SI: the tile; R9: add; DX: queries left; Z1: norm; Z2: scale.
// A step is a query.
TEXT ·blockI8StoreAVX512(SB), NOSPLIT, $0-76
	MOVQ dst_base+0(FP), DI
	MOVQ stride+24(FP), R8
	SHLQ $2, R8
	MOVQ tile+32(FP), SI
	MOVQ add_base+40(FP), R9
	MOVQ add_len+48(FP), DX
	MOVQ norm+64(FP), AX
	VMOVDQU32 (AX), Z1
	MOVL scale+72(FP), AX
	VPBROADCASTD AX, Z2

query:
	VPMULLD (SI), Z2, Z0
	VPADDD Z1, Z0, Z0
	VPADDD.BCST (R9), Z0, Z0
	VCVTDQ2PS Z0, Z0
	VMOVUPS Z0, (DI)
	ADDQ $64, SI
	ADDQ $4, R9
	ADDQ R8, DI
	DECQ DX
	JNE query
	VZEROUPPER
	RET
