//go:build !purego

#include "go_asm.h"
#include "textflag.h"
#include "sums_avx512_amd64.h"

// Gemv of one type for AVX-512 (F, DQ). The order of operations is that of the doc comments in
// gemv.go; what kernels_linear_avx512_amd64.s says of masks holds here too. Both types share the
// body in gemv_avx512_amd64.h. Each width up to 25 vectors has a loop of its own: a branch a
// vector would cost as much as its loads.
//
// DI: dst; SI: the row; R9: its stride in bytes; BX: rows; R11: rows done; DX: vectors of a row;
// R12: the last of them, in bytes; K1: its mask. Z0-Z3: the lanes of a row; Z4-Z6: rows that wait
// for others, see SUMS. Z31: the last vector of x; Z7-Z30: the others.

// Where the sums of eight rows stand after EIGHTH32.
DATA order32<>+0(SB)/8, $0x0000000400000000
DATA order32<>+8(SB)/8, $0x0000000c00000008
DATA order32<>+16(SB)/8, $0x0000000600000002
DATA order32<>+24(SB)/8, $0x0000000e0000000a
GLOBL order32<>(SB), RODATA|NOPTR, $32

// All vectors of n but the last: where they stand, x, their lanes. The first four begin the lanes.
#define FIRST2(begin, go) begin(0, Z7, Z0)
#define FIRST3(begin, go) FIRST2(begin, go); begin(64, Z8, Z1)
#define FIRST4(begin, go) FIRST3(begin, go); begin(128, Z9, Z2)
#define FIRST5(begin, go) FIRST4(begin, go); begin(192, Z10, Z3)
#define FIRST6(begin, go) FIRST5(begin, go); go(256, Z11, Z0)
#define FIRST7(begin, go) FIRST6(begin, go); go(320, Z12, Z1)
#define FIRST8(begin, go) FIRST7(begin, go); go(384, Z13, Z2)
#define FIRST9(begin, go) FIRST8(begin, go); go(448, Z14, Z3)
#define FIRST10(begin, go) FIRST9(begin, go); go(512, Z15, Z0)
#define FIRST11(begin, go) FIRST10(begin, go); go(576, Z16, Z1)
#define FIRST12(begin, go) FIRST11(begin, go); go(640, Z17, Z2)
#define FIRST13(begin, go) FIRST12(begin, go); go(704, Z18, Z3)
#define FIRST14(begin, go) FIRST13(begin, go); go(768, Z19, Z0)
#define FIRST15(begin, go) FIRST14(begin, go); go(832, Z20, Z1)
#define FIRST16(begin, go) FIRST15(begin, go); go(896, Z21, Z2)
#define FIRST17(begin, go) FIRST16(begin, go); go(960, Z22, Z3)
#define FIRST18(begin, go) FIRST17(begin, go); go(1024, Z23, Z0)
#define FIRST19(begin, go) FIRST18(begin, go); go(1088, Z24, Z1)
#define FIRST20(begin, go) FIRST19(begin, go); go(1152, Z25, Z2)
#define FIRST21(begin, go) FIRST20(begin, go); go(1216, Z26, Z3)
#define FIRST22(begin, go) FIRST21(begin, go); go(1280, Z27, Z0)
#define FIRST23(begin, go) FIRST22(begin, go); go(1344, Z28, Z1)
#define FIRST24(begin, go) FIRST23(begin, go); go(1408, Z29, Z2)
#define FIRST25(begin, go) FIRST24(begin, go); go(1472, Z30, Z3)
// The first vector of a row of one is the last: lanes without an element are −0.
#define LOAD0(begin, go) VPTERNLOGD $0xff, Z30, Z30, Z30; MINUS0
#define LOADX(off, x, lanes) MOV off(R8), x
#define BEGIN(off, x, lanes) MUL off(SI), x, lanes
#define GO(off, x, lanes) FMA off(SI), x, lanes

// A row: the sums of its lanes, (g0+g1)+(g2+g3), in Z0. Lanes without an element take no part.
#define ROW1 VMOVAPD Z30, Z0; MUL (SI), Z31, K1, Z0
#define ROW2 FIRST2(BEGIN, GO); MUL.Z (SI)(R12*1), Z31, K1, Z1; ADD Z1, Z0, K1, Z0
#define ROW3 FIRST3(BEGIN, GO); MUL.Z (SI)(R12*1), Z31, K1, Z2; ADD Z1, Z0, Z0; ADD Z2, Z0, K1, Z0
#define ROW4 \
	FIRST4(BEGIN, GO);              \
	MUL.Z (SI)(R12*1), Z31, K1, Z3; \
	ADD Z1, Z0, Z0;                 \
	ADD Z3, Z2, K1, Z2;             \
	ADD Z2, Z0, Z0
#define ROW(first, lanes) first(BEGIN, GO); FMA (SI)(R12*1), Z31, K1, lanes; GROUPS

#define EIGHTH32(z) VUNPCKLPD Z0, z, Z1; VUNPCKHPD Z0, z, Z2; VADDPS Z2, Z1, Z0; \
	VMOVSHDUP Z0, Z1; VADDPS Z1, Z0, Z0; VMOVUPS order32<>(SB), Y3; VPERMPS Z0, Z3, Z0

// Four rows side by side: a vector of x, or the last one, into their lanes.
#define STEP(off, x, a, b, c, d) \
	MOV off(R10), x;         \
	FMA off(SI), x, a;       \
	FMA off(SI)(R9*1), x, b; \
	FMA off(SI)(R9*2), x, c; \
	FMA off(SI)(AX*1), x, d
#define LAST(off, a, b, c, d) \
	FMA off(SI), Z31, K1, a;       \
	FMA off(SI)(R9*1), Z31, K1, b; \
	FMA off(SI)(R9*2), Z31, K1, c; \
	FMA off(SI)(AX*1), Z31, K1, d
#define START(a, b, c, d) VMOVAPD Z30, a; VMOVAPD Z30, b; VMOVAPD Z30, c; VMOVAPD Z30, d

// Eight rows without the branches of SUMS.
#define TWO(row) row; VMOVAPD Z0, Z4; ADDQ R9, SI; row; HALVE(Z4); ADDQ R9, SI
#define FOUR(row) TWO(row); VMOVAPD Z0, Z5; TWO(row); QUARTER(Z5)
#define EIGHT(row) FOUR(row); VMOVAPD Z0, Z6; FOUR(row); EIGHTH(Z6); STORE8

// The rows of one width: narrow ones in eights as long as there are as many. In eights of rows of
// four and more vectors each instruction would step over 2 KB or more: it is not prefetched, and
// the L2 cache delivers half as much.
#define NARROW(width, row, eights, few, two, four, eight, first, all) \
width: first(LOADX, LOADX); SUBQ $8, BX; JLT few; \
eights: EIGHT(all); SUBQ $8, BX; JGE eights; \
few: ADDQ $8, BX; JEQ done; \
row: all; SUMS(row, two, four, eight)
#define WIDTH(width, row, two, four, eight, first, all) \
width: first(LOADX, LOADX); \
row: all; SUMS(row, two, four, eight)

#define LOG 3
#define SIZE 8
#define LANES 8
#define MOV VMOVUPD
#define COMPRESS VCOMPRESSPD
#define MINUS0 VPSLLQ $63, Z30, Z30
#define MUL VMULPD
#define FMA VFMADD231PD
#define ADD VADDPD
#define EIGHTH EIGHTH64
#define STORE8 VMOVUPD Z0, (DI); ADDQ $64, DI
#define STORE4 VMOVUPD Y0, (DI); ADDQ $32, DI
#define STOREREST VMOVUPD Z0, K2, (DI)
#define STOREONE VMOVSD X0, (DI); VALIGNQ $1, Z0, Z0, Z0

// func gemvF64AVX512(dst, a []float64, rows, cols, stride int, x []float64)
// Requires: AVX512F, AVX512DQ
//
// Registers: see above. All vectors of 8 elements of a row, the last one under a mask; more than
// 25 in fours, and four rows at a time from L1.
TEXT ·gemvF64AVX512(SB), NOSPLIT, $0-96
#include "gemv_avx512_amd64.h"

#undef LOG
#undef SIZE
#undef LANES
#undef MOV
#undef COMPRESS
#undef MINUS0
#undef MUL
#undef FMA
#undef ADD
#undef EIGHTH
#undef STORE8
#undef STORE4
#undef STOREREST
#undef STOREONE
#define LOG 2
#define SIZE 4
#define LANES 16
#define MOV VMOVUPS
#define COMPRESS VCOMPRESSPS
#define MINUS0 VPSLLD $31, Z30, Z30
#define MUL VMULPS
#define FMA VFMADD231PS
#define ADD VADDPS
#define EIGHTH EIGHTH32
#define STORE8 VMOVUPS Y0, (DI); ADDQ $32, DI
#define STORE4 VMOVUPS X0, (DI); ADDQ $16, DI
#define STOREREST VMOVUPS Y0, K2, (DI)
#define STOREONE VMOVSS X0, (DI); VALIGND $1, Z0, Z0, Z0

// func gemvF32AVX512(dst, a []float32, rows, cols, stride int, x []float32)
// Requires: AVX512F, AVX512DQ
//
// Registers: see above. All vectors of 16 elements of a row, the last one under a mask; more than
// 25 in fours, and four rows at a time from L1.
TEXT ·gemvF32AVX512(SB), NOSPLIT, $0-96
#include "gemv_avx512_amd64.h"
