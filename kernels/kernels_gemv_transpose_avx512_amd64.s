//go:build !purego

#include "textflag.h"

// The transpose of gemv for AVX-512 (F), in the order of operations of the doc comments in gemv.go. Both functions have the body
// gemvt_avx512_amd64.h, with macros for what they do not share.
//
// For at least one column and one row. Strips of up to 28 vectors of columns, of equal width but for the last; each
// stays in Z0-Z27 over all rows, its last vector in Z27 under K1. Each width has a loop of its own: instructions
// between the loads leave fewer loads in flight, for which L3 and memory wait.
//
// L2 fills twice as fast what is prefetched, and what is read in order. So where the matrix is in L2 and the rows of a strip do not
// touch, each vector comes with a prefetch of the one below it. In L1 that is of no use; from L3 and memory it is slower.
//
// DI: dst; R12: the strip in the first row; R9: stride in bytes; R13: vectors of a strip; R11: vectors left; DX: vectors of
// this strip; R10: where its last one is; K2: mask of the last one of all; CX: whether to prefetch; SI, R8, BX: row, c and
// rows left; Z28: c[i].

#define BEGIN(off, z) MOV off(SI), z; FMA213 off(DI), Z28, z
#define ADD(off, z) FMA off(SI), Z28, z
#define AHEAD(off, z) PREFETCHT0 off(SI)(R9*1); FMA off(SI), Z28, z
#define STORE(off, z) MOV z, off(DI)

// Vectors 0 to n-1 of a strip.
#define FIRST0(do)
#define FIRST1(do) do(0, Z0)
#define FIRST2(do) FIRST1(do); do(64, Z1)
#define FIRST3(do) FIRST2(do); do(128, Z2)
#define FIRST4(do) FIRST3(do); do(192, Z3)
#define FIRST5(do) FIRST4(do); do(256, Z4)
#define FIRST6(do) FIRST5(do); do(320, Z5)
#define FIRST7(do) FIRST6(do); do(384, Z6)
#define FIRST8(do) FIRST7(do); do(448, Z7)
#define FIRST9(do) FIRST8(do); do(512, Z8)
#define FIRST10(do) FIRST9(do); do(576, Z9)
#define FIRST11(do) FIRST10(do); do(640, Z10)
#define FIRST12(do) FIRST11(do); do(704, Z11)
#define FIRST13(do) FIRST12(do); do(768, Z12)
#define FIRST14(do) FIRST13(do); do(832, Z13)
#define FIRST15(do) FIRST14(do); do(896, Z14)
#define FIRST16(do) FIRST15(do); do(960, Z15)
#define FIRST17(do) FIRST16(do); do(1024, Z16)
#define FIRST18(do) FIRST17(do); do(1088, Z17)
#define FIRST19(do) FIRST18(do); do(1152, Z18)
#define FIRST20(do) FIRST19(do); do(1216, Z19)
#define FIRST21(do) FIRST20(do); do(1280, Z20)
#define FIRST22(do) FIRST21(do); do(1344, Z21)
#define FIRST23(do) FIRST22(do); do(1408, Z22)
#define FIRST24(do) FIRST23(do); do(1472, Z23)
#define FIRST25(do) FIRST24(do); do(1536, Z24)
#define FIRST26(do) FIRST25(do); do(1600, Z25)
#define FIRST27(do) FIRST26(do); do(1664, Z26)

#define NEXT ADDQ $SIZE, R8; ADDQ R9, SI; DECQ BX
#define ROWS(row, first, do) row: BROADCAST (R8), Z28; first(do); FMA (SI)(R10*1), Z28, K1, Z27; NEXT; JNE row
#define WIDTH(width, row, ahead, store, first) \
width: first(BEGIN); MOV.Z (SI)(R10*1), K1, Z27; FMA213 (DI)(R10*1), Z28, K1, Z27; NEXT; JEQ store; \
	TESTL CX, CX; JNE ahead; \
	ROWS(row, first, ADD); \
store: first(STORE); JMP stored; \
	ROWS(ahead, first, AHEAD); JMP store
#define CASE(n, width) CMPQ DX, $n; JEQ width

#define MOV VMOVUPD
#define FMA VFMADD231PD
#define FMA213 VFMADD213PD
#define BROADCAST VBROADCASTSD
#define SIZE 8
#define LOG 3
#define LANES 8

// func gemvTF64AVX512(dst, a []float64, rows, cols, stride int, c []float64)
// Requires: AVX512F
TEXT ·gemvTF64AVX512(SB), NOSPLIT, $0-96
#include "gemvt_avx512_amd64.h"

#undef MOV
#undef FMA
#undef FMA213
#undef BROADCAST
#undef SIZE
#undef LOG
#undef LANES
#define MOV VMOVUPS
#define FMA VFMADD231PS
#define FMA213 VFMADD213PS
#define BROADCAST VBROADCASTSS
#define SIZE 4
#define LOG 2
#define LANES 16

// func gemvTF32AVX512(dst, a []float32, rows, cols, stride int, c []float32)
// Requires: AVX512F
TEXT ·gemvTF32AVX512(SB), NOSPLIT, $0-96
#include "gemvt_avx512_amd64.h"
