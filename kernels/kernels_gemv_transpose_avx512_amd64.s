//go:build !purego

#include "go_asm.h"
#include "textflag.h"
#include "dispatch_amd64.h"

// The transpose of gemv for AVX-512 (F), in the order of operations of the doc comments in
// gemv.go. The functions have the body gemvt_avx512_amd64.h, with macros for what they do not
// share.
//
// For at least one column and one row. Strips of up to 28 vectors of columns, of equal width but
// for the last; each stays in Z0-Z27 over all rows, its last vector in Z27 under K1. Each width
// has loops of its own. 220 columns of float64 as two strips of 14 take 1.07 times as long on Zen
// 5 in L2, and with float32 in a 1.16 times.
//
// A processor foretells a load that goes on by the same stride, and knows the load by its address
// in the code. Where the rows of a strip do not touch, that makes L3 and memory 1.4 times faster
// on Zen 5, and L2 slower by half. It remembers 128 such loads, it seems, by the last bits of
// those addresses: it forgets each before it comes again when there are ten or more, 16 bytes
// apart. So is a second loop, for what may be in L2.
//
// DI: dst; R12: the strip in the first row; R9: stride in bytes; R13: vectors of a strip; R11:
// vectors left; DX: vectors of this strip; R10: where its last one is; K2: mask of the last one
// of all; CX: whether to take the second loop; SI, R8, BX: row, c and
// rows left; Z28: c[i].

#define STORE(off, z) MOV z, off(DI)

// Vectors 0 to n-1 of a strip; the odd ones of float32 are in the cache line of those before.
#define FIRST0(do, odd)
#define FIRST1(do, odd) do(0, Z0)
#define FIRST2(do, odd) FIRST1(do, odd); odd(64, Z1)
#define FIRST3(do, odd) FIRST2(do, odd); do(128, Z2)
#define FIRST4(do, odd) FIRST3(do, odd); odd(192, Z3)
#define FIRST5(do, odd) FIRST4(do, odd); do(256, Z4)
#define FIRST6(do, odd) FIRST5(do, odd); odd(320, Z5)
#define FIRST7(do, odd) FIRST6(do, odd); do(384, Z6)
#define FIRST8(do, odd) FIRST7(do, odd); odd(448, Z7)
#define FIRST9(do, odd) FIRST8(do, odd); do(512, Z8)
#define FIRST10(do, odd) FIRST9(do, odd); odd(576, Z9)
#define FIRST11(do, odd) FIRST10(do, odd); do(640, Z10)
#define FIRST12(do, odd) FIRST11(do, odd); odd(704, Z11)
#define FIRST13(do, odd) FIRST12(do, odd); do(768, Z12)
#define FIRST14(do, odd) FIRST13(do, odd); odd(832, Z13)
#define FIRST15(do, odd) FIRST14(do, odd); do(896, Z14)
#define FIRST16(do, odd) FIRST15(do, odd); odd(960, Z15)
#define FIRST17(do, odd) FIRST16(do, odd); do(1024, Z16)
#define FIRST18(do, odd) FIRST17(do, odd); odd(1088, Z17)
#define FIRST19(do, odd) FIRST18(do, odd); do(1152, Z18)
#define FIRST20(do, odd) FIRST19(do, odd); odd(1216, Z19)
#define FIRST21(do, odd) FIRST20(do, odd); do(1280, Z20)
#define FIRST22(do, odd) FIRST21(do, odd); odd(1344, Z21)
#define FIRST23(do, odd) FIRST22(do, odd); do(1408, Z22)
#define FIRST24(do, odd) FIRST23(do, odd); odd(1472, Z23)
#define FIRST25(do, odd) FIRST24(do, odd); do(1536, Z24)
#define FIRST26(do, odd) FIRST25(do, odd); odd(1600, Z25)
#define FIRST27(do, odd) FIRST26(do, odd); do(1664, Z26)

#define NEXT ADDQ $SIZE, R8; ADDQ R9, SI; DECQ BX
#define ROWS(row, all) row: BROADCAST (R8), Z28; all; ADDLAST; NEXT; JNE row
#define WIDTH(width, row, apart, store, first) \
width: first(BEGIN, BEGIN); BEGINLAST; FMA213 (DI)(R10*WIDEN), Z28, K1, Z27; NEXT; JEQ store; \
	TESTL CX, CX; JNE apart; \
	ROWS(row, first(ADD, ADDODD)); \
store: first(STORE, STORE); JMP stored; \
	ROWS(apart, first(APART, APART)); JMP store

#define BEGIN(off, z) MOV off(SI), z; FMA213 off(DI), Z28, z
#define BEGINLAST MOV.Z (SI)(R10*1), K1, Z27
#define ADD(off, z) FMA off(SI), Z28, z
#define ADDODD(off, z) FMA off(SI), Z28, z
#define ADDLAST FMA (SI)(R10*1), Z28, K1, Z27
#define APART(off, z) PCALIGN $16; FMA off(SI), Z28, z
#define WIDEN 1
#define VECTORLOG 6
#define ROWLOG 3
#define MOV VMOVUPD
#define FMA VFMADD231PD
#define FMA213 VFMADD213PD
#define BROADCAST VBROADCASTSD
#define SIZE 8
#define LOG 3
#define LANES 8

// func gemvTF64AVX512(dst, a []float64, rows, cols, stride int, c []float64)
// Requires: AVX512F
//
// Registers: see above. A strip of up to 28 vectors of columns, the last one under a mask, a row
// at a time.
TEXT ·gemvTF64AVX512(SB), NOSPLIT, $0-96
#include "gemvt_avx512_amd64.h"

#undef MOV
#undef FMA
#undef FMA213
#undef BROADCAST
#undef SIZE
#undef LOG
#undef LANES
#undef ROWLOG
#define ROWLOG 2
#define MOV VMOVUPS
#define FMA VFMADD231PS
#define FMA213 VFMADD213PS
#define BROADCAST VBROADCASTSS
#define SIZE 4
#define LOG 2
#define LANES 16

// func gemvTF32AVX512(dst, a []float32, rows, cols, stride int, c []float32)
// Requires: AVX512F
//
// Registers: see above. A strip of up to 28 vectors of columns, the last one under a mask, a row
// at a time.
TEXT ·gemvTF32AVX512(SB), NOSPLIT, $0-96
#include "gemvt_avx512_amd64.h"

#undef BEGIN
#undef BEGINLAST
#undef ADD
#undef ADDODD
#undef ADDLAST
#undef APART
#undef WIDEN
#undef VECTORLOG
#undef MOV
#undef FMA213
#undef BROADCAST
#undef SIZE
#undef LOG
#undef LANES
#define BEGIN(off, z) VCVTPS2PD (off/2)(SI), z; FMA213 off(DI), Z28, z
#define BEGINLAST VCVTPS2PD.Z (SI)(R10*1), K1, Z27
#define ADD(off, z) PREFETCHT0 (const_gemvAhead+off/2)(SI); ADDODD(off, z)
#define ADDODD(off, z) VCVTPS2PD (off/2)(SI), Z29; VFMADD231PD Z29, Z28, z
#define ADDLAST VCVTPS2PD.Z (SI)(R10*1), K1, Z29; VFMADD231PD Z29, Z28, Z27
#define APART ADDODD
#define WIDEN 2
#define VECTORLOG 5
#define MOV VMOVUPD
#define FMA213 VFMADD213PD
#define BROADCAST VBROADCASTSD
#define SIZE 8
#define LOG 3
#define LANES 8

// One row times c, to columns in Z0-Z3: four vectors, one, and the last one.
#define BLOCK(row, c) \
	VCVTPS2PD (row)(CX*4), Z4;   \
	VCVTPS2PD 32(row)(CX*4), Z5; \
	VCVTPS2PD 64(row)(CX*4), Z6; \
	VCVTPS2PD 96(row)(CX*4), Z7; \
	VFMADD231PD Z4, c, Z0;       \
	VFMADD231PD Z5, c, Z1;       \
	VFMADD231PD Z6, c, Z2;       \
	VFMADD231PD Z7, c, Z3
#define VECTOR(row, c) VCVTPS2PD (row)(CX*4), Z4; VFMADD231PD Z4, c, Z0
#define MASKED(row, c) VCVTPS2PD.Z (row)(CX*4), K1, Z4; VFMADD231PD Z4, c, Z0
#define FOUR(do) do(SI, Z24); do(R10, Z25); do(R11, Z26); do(R12, Z27)
#define ONE(do) PREFETCHT0 (AX)(CX*4); PREFETCHT0 64(AX)(CX*4); \
	do(SI, Z24)
#define COLUMNS(block, vector, masked, rows) \
	XORL CX, CX; PCALIGN $64; \
block: VMOVUPD (DI)(CX*8), Z0; VMOVUPD 64(DI)(CX*8), Z1; VMOVUPD 128(DI)(CX*8), Z2; VMOVUPD 192(DI)(CX*8), Z3; \
	rows(BLOCK); \
	VMOVUPD Z0, (DI)(CX*8); VMOVUPD Z1, 64(DI)(CX*8); VMOVUPD Z2, 128(DI)(CX*8); VMOVUPD Z3, 192(DI)(CX*8); \
	ADDQ $32, CX; CMPQ CX, R13; JLE block; CMPQ CX, DX; JEQ masked; \
vector: VMOVUPD (DI)(CX*8), Z0; rows(VECTOR); VMOVUPD Z0, (DI)(CX*8); ADDQ $8, CX; CMPQ CX, DX; JLT vector; \
masked: VMOVUPD.Z (DI)(CX*8), K1, Z0; rows(MASKED); VMOVUPD Z0, K1, (DI)(CX*8)

// func gemvTF32WideAVX512(dst []float64, a []float32, rows, cols, stride int, c []float64)
// Requires: AVX512F
//
// Wider than a strip, four rows go over all columns together, and dst passes through the
// registers: strips are slower by a third from memory. There even four rows are slower than one
// that is prefetched, as one more stream. SI, R10,
// R11, R12: the rows; CX: columns done; DX: those before the last vector; R13: those before the
// last block begins; AX: what to prefetch; Z24-Z27: c.
TEXT ·gemvTF32WideAVX512(SB), NOSPLIT, $0-96
	CMPQ cols+56(FP), $224
	JGT long
#include "gemvt_avx512_amd64.h"

long:
	MOVQ dst_base+0(FP), DI
	MOVQ a_base+24(FP), SI
	MOVQ rows+48(FP), BX
	MOVQ cols+56(FP), DX
	MOVQ stride+64(FP), R9
	SHLQ $2, R9
	MOVQ c_base+72(FP), R8
	MOVQ DX, CX
	NEGQ CX
	ANDQ $7, CX
	MOVL $255, AX
	SHRL CX, AX
	KMOVW AX, K1
	DECQ DX
	ANDQ $-8, DX
	LEAQ -32(DX), R13
	CMPQ a_len+32(FP), $(const_gemvMemory/4)
	JGT single

four:
	SUBQ $4, BX
	JLT rest
	LEAQ (SI)(R9*1), R10
	LEAQ (SI)(R9*2), R11
	LEAQ (R10)(R9*2), R12
	VBROADCASTSD (R8), Z24
	VBROADCASTSD 8(R8), Z25
	VBROADCASTSD 16(R8), Z26
	VBROADCASTSD 24(R8), Z27
	COLUMNS(blockFour, vectorFour, maskedFour, FOUR)
	ADDQ $32, R8
	LEAQ (SI)(R9*4), SI
	JMP four

rest:
	ADDQ $4, BX
	JEQ done

single:
	MOVQ SI, AX
	CMPB FP512, $0
	JEQ one
	ADDQ $const_gemvAheadMemory, AX

one:
	VBROADCASTSD (R8), Z24
	COLUMNS(blockOne, vectorOne, maskedOne, ONE)
	ADDQ $8, R8
	ADDQ R9, SI
	ADDQ R9, AX
	DECQ BX
	JNE one

done:
	VZEROUPPER
	RET
