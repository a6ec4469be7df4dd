//go:build !purego

#include "go_asm.h"
#include "textflag.h"
#include "sort_avx512_amd64.h"

#define INTEL github·com∕simdrank∕simdrank∕internal∕cpu·UseIntel(SB)

// LEAST minds the least, the greatest and NaNs of Z2 and Z3.
#define LEAST \
	VMINPD Z2, Z0, Z0      \
	VMAXPD Z2, Z1, Z1      \
	VMINPD Z3, Z6, Z6      \
	VMAXPD Z3, Z7, Z7      \
	VCMPPD $3, Z2, Z3, K4  \ // unordered
	KORB K4, K1, K1

// NARROW adds to Z4 the bits that x loses as float32, and WHOLE to Z5 those that it loses as an
// integer.
#define NARROW(x) \
	VCVTPD2PS x, Y8         \
	VCVTPS2PD Y8, Z8        \
	VPTERNLOGQ $0xf6, Z8, x, Z4
#define WHOLE(x) \
	VRNDSCALEPD $11, x, Z8  \ // truncated
	VPTERNLOGQ $0xf6, Z8, x, Z5

// STEP begins a step of 16 elements, or goes to those that are left.
#define STEP \
	CMPQ CX, $16           \
	JLT rest               \
	PREFETCHT0 const_keysAhead(SI) \
	PREFETCHT0 (const_keysAhead+64)(SI) \
	VMOVUPD (SI), Z2       \
	VMOVUPD 64(SI), Z3     \
	ADDQ $128, SI          \
	SUBQ $16, CX           \
	LEAST

// func scanF64AVX512(x []float64) (lo, hi float64, flags uint64)
// Requires: AVX512F, AVX512DQ
//
// SI x, CX elements left. Z0 and Z6 the least, Z1 and Z7 the greatest of each lane; K1 NaN seen;
// Z4 and Z5 not zero where a value was no float32, and no integer. Sixteen elements a step, which
// look for no more of what has been seen; then eight, and a masked step whose other lanes repeat
// an element.
TEXT ·scanF64AVX512(SB), NOSPLIT, $0-48
	MOVQ x_base+0(FP), SI
	MOVQ x_len+8(FP), CX
	MOVQ $0x7ff0000000000000, AX
	VPBROADCASTQ AX, Z0
	VMOVAPD Z0, Z6
	MOVQ $0xfff0000000000000, AX
	VPBROADCASTQ AX, Z1
	VMOVAPD Z1, Z7
	VPXORQ Z4, Z4, Z4
	VPXORQ Z5, Z5, Z5
	KXORB K1, K1, K1

both:
	STEP
	NARROW(Z2)
	NARROW(Z3)
	WHOLE(Z2)
	WHOLE(Z3)
	VPTESTMQ Z4, Z4, K2
	VPTESTMQ Z5, Z5, K3
	KORTESTB K2, K2
	JNZ wide
	KORTESTB K3, K3
	JZ both

fraction:
	STEP
	NARROW(Z2)
	NARROW(Z3)
	VPTESTMQ Z4, Z4, K2
	KORTESTB K2, K2
	JZ fraction
	JMP neither

wide:
	KORTESTB K3, K3
	JNZ neither
	STEP
	WHOLE(Z2)
	WHOLE(Z3)
	VPTESTMQ Z5, Z5, K3
	JMP wide

neither:
	STEP
	JMP neither

rest:
	CMPQ CX, $8
	JLT tail
	VMOVUPD (SI), Z2
	ADDQ $64, SI
	SUBQ $8, CX
	JMP last

tail:
	TESTQ CX, CX
	JZ done
	MOVL $-1, AX
	SHLL CX, AX
	NOTL AX
	KMOVB AX, K5
	VBROADCASTSD (SI), Z2
	VMOVUPD (SI), K5, Z2
	XORL CX, CX

last:
	VMOVAPD Z2, Z3
	LEAST
	NARROW(Z2)
	WHOLE(Z2)
	JMP rest

done:
	VMINPD Z6, Z0, Z0
	VEXTRACTF64X4 $1, Z0, Y2
	VMINPD Y2, Y0, Y0
	VEXTRACTF128 $1, Y0, X2
	VMINPD X2, X0, X0
	VPERMILPD $1, X0, X2
	VMINSD X2, X0, X0
	VMAXPD Z7, Z1, Z1
	VEXTRACTF64X4 $1, Z1, Y2
	VMAXPD Y2, Y1, Y1
	VEXTRACTF128 $1, Y1, X2
	VMAXPD X2, X1, X1
	VPERMILPD $1, X1, X2
	VMAXSD X2, X1, X1
	VMOVSD X0, lo+24(FP)
	VMOVSD X1, hi+32(FP)
	XORL AX, AX
	VPTESTMQ Z4, Z4, K2
	VPTESTMQ Z5, Z5, K3
	KORTESTB K1, K1
	JZ noNaN
	ORL $const_hasNaN, AX

noNaN:
	KORTESTB K2, K2
	JZ noWide
	ORL $const_hasWide, AX

noWide:
	KORTESTB K3, K3
	JZ noFraction
	ORL $const_hasFraction, AX

noFraction:
	MOVQ AX, flags+40(FP)
	VZEROUPPER
	RET
#undef LEAST
#undef NARROW
#undef WHOLE
#undef STEP

// func linearKeysF64AVX512(dst []int32, x []float64, mid, scale float64)
// Requires: AVX512F, AVX512DQ, AVX512VL
//
// DI dst, SI x, CX elements left, Z0 mid, Z1 scale. Eight elements a step, the
// tail masked.
TEXT ·linearKeysF64AVX512(SB), NOSPLIT, $0-64
	MOVQ dst_base+0(FP), DI
	MOVQ x_base+24(FP), SI
	MOVQ x_len+32(FP), CX
	VBROADCASTSD mid+48(FP), Z0
	VBROADCASTSD scale+56(FP), Z1

loop8:
	CMPQ CX, $8
	JLT tail
	PREFETCHT0 const_keysAhead(SI)
	VMOVUPD (SI), Z2
	VSUBPD Z0, Z2, Z2
	VMULPD Z1, Z2, Z2
	VCVTTPD2DQ Z2, Y2
	VMOVDQU Y2, (DI)
	ADDQ $64, SI
	ADDQ $32, DI
	SUBQ $8, CX
	JMP loop8

tail:
	TESTQ CX, CX
	JZ done
	MOVL $-1, AX
	SHLL CX, AX
	NOTL AX
	KMOVB AX, K1
	VMOVUPD.Z (SI), K1, Z2
	VSUBPD Z0, Z2, Z2
	VMULPD Z1, Z2, Z2
	VCVTTPD2DQ Z2, Y2
	VMOVDQU32 Y2, K1, (DI)

done:
	VZEROUPPER
	RET

// func floatKeysF64AVX512(dst []int32, x []float64)
// Requires: AVX512F, AVX512DQ, AVX512VL
//
// DI dst, SI x, CX elements left, Y0 zero, Y1 MaxInt32. Eight elements a step, the
// tail masked. Negative float32 have all bits but the sign flipped.
TEXT ·floatKeysF64AVX512(SB), NOSPLIT, $0-48
	MOVQ dst_base+0(FP), DI
	MOVQ x_base+24(FP), SI
	MOVQ x_len+32(FP), CX
	VPXOR Y0, Y0, Y0
	VPCMPEQD Y1, Y1, Y1
	VPSRLD $1, Y1, Y1

loop8:
	CMPQ CX, $8
	JLT tail
	PREFETCHT0 const_keysAhead(SI)
	VMOVUPD (SI), Z2
	VCVTPD2PS Z2, Y2
	VADDPS Y0, Y2, Y2 // −0 + 0 is +0
	VPSRAD $31, Y2, Y3
	VPAND Y1, Y3, Y3
	VPXOR Y3, Y2, Y2
	VMOVDQU Y2, (DI)
	ADDQ $64, SI
	ADDQ $32, DI
	SUBQ $8, CX
	JMP loop8

tail:
	TESTQ CX, CX
	JZ done
	MOVL $-1, AX
	SHLL CX, AX
	NOTL AX
	KMOVB AX, K1
	VMOVUPD.Z (SI), K1, Z2
	VCVTPD2PS Z2, Y2
	VADDPS Y0, Y2, Y2
	VPSRAD $31, Y2, Y3
	VPAND Y1, Y3, Y3
	VPXOR Y3, Y2, Y2
	VMOVDQU32 Y2, K1, (DI)

done:
	VZEROUPPER
	RET

// func floatKeysF32AVX512(dst []int32, x []float32) (nan bool)
// Requires: AVX512F, AVX512BW
//
// DI dst, SI x, CX elements left, Z0 zero, Z1 MaxInt32, K2 NaN seen. Sixteen elements a
// step, the tail masked.
TEXT ·floatKeysF32AVX512(SB), NOSPLIT, $0-49
	MOVQ dst_base+0(FP), DI
	MOVQ x_base+24(FP), SI
	MOVQ x_len+32(FP), CX
	VPXORD Z0, Z0, Z0
	MOVL $0x7fffffff, AX
	VPBROADCASTD AX, Z1
	KXORW K2, K2, K2

loop16:
	CMPQ CX, $16
	JLT tail
	VMOVUPS (SI), Z2
	VADDPS Z0, Z2, Z2
	VCMPPS $3, Z2, Z2, K3
	KORW K3, K2, K2
	VPSRAD $31, Z2, Z3
	VPANDD Z1, Z3, Z3
	VPXORD Z3, Z2, Z2
	VMOVDQU32 Z2, (DI)
	ADDQ $64, SI
	ADDQ $64, DI
	SUBQ $16, CX
	JMP loop16

tail:
	TESTQ CX, CX
	JZ done
	MOVL $-1, AX
	SHLL CX, AX
	NOTL AX
	KMOVW AX, K1
	VMOVUPS.Z (SI), K1, Z2
	VADDPS Z0, Z2, Z2
	VCMPPS $3, Z2, Z2, K3
	KORW K3, K2, K2
	VPSRAD $31, Z2, Z3
	VPANDD Z1, Z3, Z3
	VPXORD Z3, Z2, Z2
	VMOVDQU32 Z2, K1, (DI)

done:
	KORTESTW K2, K2
	SETNE nan+48(FP)
	VZEROUPPER
	RET

// func packKeysAVX512(dst []int64, x, y []int32)
// Requires: AVX512F, AVX512DQ, AVX512VL
//
// DI dst, SI x, BX y, CX elements left, Z0 2³¹. Eight elements a step, the tail masked.
TEXT ·packKeysAVX512(SB), NOSPLIT, $0-72
	MOVQ dst_base+0(FP), DI
	MOVQ dst_len+8(FP), CX
	MOVQ x_base+24(FP), SI
	MOVQ y_base+48(FP), BX
	MOVL $0x80000000, AX
	VPBROADCASTQ AX, Z0

loop8:
	CMPQ CX, $8
	JLT tail
	VPMOVZXDQ (SI), Z1
	VPMOVZXDQ (BX), Z2
	VPSLLQ $32, Z1, Z1
	VPTERNLOGQ $0x96, Z0, Z2, Z1 // the parts do not meet: x ⊕ y ⊕ 2³¹
	VMOVDQU64 Z1, (DI)
	ADDQ $32, SI
	ADDQ $32, BX
	ADDQ $64, DI
	SUBQ $8, CX
	JMP loop8

tail:
	TESTQ CX, CX
	JZ done
	MOVL $-1, AX
	SHLL CX, AX
	NOTL AX
	KMOVB AX, K1
	VPMOVZXDQ.Z (SI), K1, Z1
	VPMOVZXDQ.Z (BX), K1, Z2
	VPSLLQ $32, Z1, Z1
	VPTERNLOGQ $0x96, Z0, Z2, Z1
	VMOVDQU64 Z1, K1, (DI)

done:
	VZEROUPPER
	RET

// func partitionI64AVX512(lo, hi, src []int64, pivot int64) int
// Requires: AVX512F, AVX512DQ, POPCNT
//
// DI end of lo, SI end of hi, BX src, CX elements left, Z0 pivot. Eight elements a step: both
// parts are compressed in registers (to memory it is microcoded on Zen 4) and
// stored whole, which stays behind what has been read. The tail masks its stores.
TEXT ·partitionI64AVX512(SB), NOSPLIT, $0-88
	MOVQ lo_base+0(FP), DI
	MOVQ hi_base+24(FP), SI
	MOVQ src_base+48(FP), BX
	MOVQ src_len+56(FP), CX
	VPBROADCASTQ pivot+72(FP), Z0

#define STEP(offset) \
	VMOVDQU64 offset(BX), Z1     \
	VPCMPQ $1, Z0, Z1, K1        \
	KNOTB K1, K2                 \
	KMOVB K1, AX                 \
	VPCOMPRESSQ.Z Z1, K1, Z2     \
	VPCOMPRESSQ.Z Z1, K2, Z3     \
	POPCNTL AX, AX               \
	VMOVDQU64 Z2, (DI)           \
	VMOVDQU64 Z3, (SI)           \
	LEAQ (DI)(AX*8), DI          \
	SHLL $3, AX                  \
	SUBQ AX, SI                  \
	ADDQ $64, SI

	CMPB INTEL, $0
	JNE ahead32

loop32:
	CMPQ CX, $32
	JLT loop8
	STEP(0)
	STEP(64)
	STEP(128)
	STEP(192)
	ADDQ $256, BX
	SUBQ $32, CX
	JMP loop32

ahead32: // as loop32, and what it will store to is fetched: see storesAhead
	CMPQ CX, $32
	JLT loop8
	PREFETCHT0 const_storesAhead(DI)
	PREFETCHT0 const_storesAhead(SI)
	STEP(0)
	STEP(64)
	PREFETCHT0 const_storesAhead(DI)
	PREFETCHT0 const_storesAhead(SI)
	STEP(128)
	STEP(192)
	ADDQ $256, BX
	SUBQ $32, CX
	JMP ahead32

loop8:
	CMPQ CX, $8
	JLT tail
	STEP(0)
	ADDQ $64, BX
	SUBQ $8, CX
	JMP loop8

tail:
	TESTQ CX, CX
	JZ done
	MOVL $-1, AX
	SHLL CX, AX
	NOTL AX
	KMOVB AX, K3
	VMOVDQU64.Z (BX), K3, Z1
	VPCMPQ $1, Z0, Z1, K3, K1
	KANDNB K3, K1, K2 // in the tail and not in K1
	KMOVB K1, AX
	VPCOMPRESSQ.Z Z1, K1, Z2
	VPCOMPRESSQ.Z Z1, K2, Z3
	POPCNTL AX, AX
	SUBL AX, CX // elements of hi
	MOVL $-1, DX
	SHLL CX, DX
	NOTL DX
	KMOVB DX, K2
	MOVL AX, CX
	MOVL $-1, DX
	SHLL CX, DX
	NOTL DX
	KMOVB DX, K1
	VMOVDQU64 Z2, K1, (DI)
	VMOVDQU64 Z3, K2, (SI)
	LEAQ (DI)(AX*8), DI

done:
	SUBQ lo_base+0(FP), DI
	SHRQ $3, DI
	MOVQ DI, ret+80(FP)
	VZEROUPPER
	RET
#undef STEP

// LOAD loads 8 elements, or those that are left and the greatest integers behind.
#define LOAD(offset, r) \
	VMOVDQA64 Z28, r           \
	KMOVB AX, K7               \
	VMOVDQU64 offset(SI), K7, r \
	SHRQ $8, AX

#define STORE(offset, r) \
	KMOVB DX, K7               \
	VMOVDQU64 r, K7, offset(DI) \
	SHRQ $8, DX

// func sortI64AVX512(dst, src []int64)
// Requires: AVX512F, AVX512DQ
//
// DI dst, SI src, CX length ≤ 64; AX, DX a bit for each element that is left. Up to 16 elements
// in Z0–Z1 and up to 32 in Z0–Z3, each sorted by itself; else 64 in Z0–Z7, sorted as columns,
// transposed, so that every register is sorted. Then registers are merged (bitonic: Batcher
// 1968). K1–K6 are the lanes of lesser and greater at distances 1, 2 and 4. Z28 MaxInt64, Z31
// reversal.
TEXT ·sortI64AVX512(SB), NOSPLIT, $0-48
	MOVQ dst_base+0(FP), DI
	MOVQ src_base+24(FP), SI
	MOVQ src_len+32(FP), CX
	TESTQ CX, CX
	JZ done
	VMOVDQU64 reverseI64<>(SB), Z31
	VPTERNLOGQ $0xff, Z28, Z28, Z28
	VPSRLQ $1, Z28, Z28
	LANES
	MOVQ $-1, AX
	NEGQ CX
	SHRQ CX, AX // 64 − length bits go
	MOVQ AX, DX
	NEGQ CX
	LOAD(0, Z0)
	LOAD(64, Z1)
	CMPQ CX, $16
	JLE sixteen
	LOAD(128, Z2)
	LOAD(192, Z3)
	CMPQ CX, $32
	JGT columns
	SORT8(Z0)
	SORT8(Z1)
	SORT8(Z2)
	SORT8(Z3)
	ORDERREV(Z0, Z1)
	ORDERREV(Z2, Z3)
	CLEAN(Z0)
	CLEAN(Z1)
	CLEAN(Z2)
	CLEAN(Z3)
	CROSSREV(Z0, Z1, Z2, Z3)
	ORDER(Z0, Z1)
	ORDER(Z2, Z3)
	CLEAN(Z0)
	CLEAN(Z1)
	CLEAN(Z2)
	CLEAN(Z3)
	STORE(0, Z0)
	STORE(64, Z1)
	STORE(128, Z2)
	STORE(192, Z3)

done:
	VZEROUPPER
	RET

sixteen:
	SORT8(Z0)
	SORT8(Z1)
	ORDERREV(Z0, Z1)
	CLEAN(Z0)
	CLEAN(Z1)
	STORE(0, Z0)
	STORE(64, Z1)
	VZEROUPPER
	RET

columns:
	LOAD(256, Z4)
	LOAD(320, Z5)
	LOAD(384, Z6)
	LOAD(448, Z7)
	// The 19 comparators for 8 inputs (Knuth, volume 3, 5.3.4).
	ORDER(Z0, Z2)
	ORDER(Z1, Z3)
	ORDER(Z4, Z6)
	ORDER(Z5, Z7)
	ORDER(Z0, Z4)
	ORDER(Z1, Z5)
	ORDER(Z2, Z6)
	ORDER(Z3, Z7)
	ORDER(Z0, Z1)
	ORDER(Z2, Z3)
	ORDER(Z4, Z5)
	ORDER(Z6, Z7)
	ORDER(Z2, Z4)
	ORDER(Z3, Z5)
	ORDER(Z1, Z4)
	ORDER(Z3, Z6)
	ORDER(Z1, Z2)
	ORDER(Z3, Z4)
	ORDER(Z5, Z6)
	// Columns become rows, in any order: pairs of lanes, then quarters.
	VPUNPCKLQDQ Z1, Z0, Z8
	VPUNPCKHQDQ Z1, Z0, Z9
	VPUNPCKLQDQ Z3, Z2, Z10
	VPUNPCKHQDQ Z3, Z2, Z11
	VPUNPCKLQDQ Z5, Z4, Z12
	VPUNPCKHQDQ Z5, Z4, Z13
	VPUNPCKLQDQ Z7, Z6, Z14
	VPUNPCKHQDQ Z7, Z6, Z15
	VSHUFI64X2 $0x88, Z10, Z8, Z16
	VSHUFI64X2 $0xdd, Z10, Z8, Z17
	VSHUFI64X2 $0x88, Z14, Z12, Z18
	VSHUFI64X2 $0xdd, Z14, Z12, Z19
	VSHUFI64X2 $0x88, Z11, Z9, Z20
	VSHUFI64X2 $0xdd, Z11, Z9, Z21
	VSHUFI64X2 $0x88, Z15, Z13, Z22
	VSHUFI64X2 $0xdd, Z15, Z13, Z23
	VSHUFI64X2 $0x88, Z18, Z16, Z0
	VSHUFI64X2 $0xdd, Z18, Z16, Z1
	VSHUFI64X2 $0x88, Z19, Z17, Z2
	VSHUFI64X2 $0xdd, Z19, Z17, Z3
	VSHUFI64X2 $0x88, Z22, Z20, Z4
	VSHUFI64X2 $0xdd, Z22, Z20, Z5
	VSHUFI64X2 $0x88, Z23, Z21, Z6
	VSHUFI64X2 $0xdd, Z23, Z21, Z7
	// 8 and 8.
	ORDERREV(Z0, Z1)
	ORDERREV(Z2, Z3)
	ORDERREV(Z4, Z5)
	ORDERREV(Z6, Z7)
	CLEAN(Z0)
	CLEAN(Z1)
	CLEAN(Z2)
	CLEAN(Z3)
	CLEAN(Z4)
	CLEAN(Z5)
	CLEAN(Z6)
	CLEAN(Z7)
	// 16 and 16.
	CROSSREV(Z0, Z1, Z2, Z3)
	CROSSREV(Z4, Z5, Z6, Z7)
	ORDER(Z0, Z1)
	ORDER(Z2, Z3)
	ORDER(Z4, Z5)
	ORDER(Z6, Z7)
	CLEAN(Z0)
	CLEAN(Z1)
	CLEAN(Z2)
	CLEAN(Z3)
	CLEAN(Z4)
	CLEAN(Z5)
	CLEAN(Z6)
	CLEAN(Z7)
	// 32 and 32.
	CROSSREV(Z0, Z3, Z4, Z7)
	CROSSREV(Z1, Z2, Z5, Z6)
	ORDER(Z0, Z2)
	ORDER(Z1, Z3)
	ORDER(Z4, Z6)
	ORDER(Z5, Z7)
	ORDER(Z0, Z1)
	ORDER(Z2, Z3)
	ORDER(Z4, Z5)
	ORDER(Z6, Z7)
	CLEAN(Z0)
	CLEAN(Z1)
	CLEAN(Z2)
	CLEAN(Z3)
	CLEAN(Z4)
	CLEAN(Z5)
	CLEAN(Z6)
	CLEAN(Z7)
	STORE(0, Z0)
	STORE(64, Z1)
	STORE(128, Z2)
	STORE(192, Z3)
	STORE(256, Z4)
	STORE(320, Z5)
	STORE(384, Z6)
	STORE(448, Z7)
	VZEROUPPER
	RET

// func splitKeysAVX512(y []int32, newX, newKey []uint8, keys []int64)
// Requires: AVX512F, AVX512DQ, AVX512VL
//
// DI y, BX newX, DX newKey, SI keys, CX elements left, Z0 the bits of x, Y1 2³¹. Eight
// elements a step, the tail masked.
TEXT ·splitKeysAVX512(SB), NOSPLIT, $0-96
	MOVQ y_base+0(FP), DI
	MOVQ y_len+8(FP), CX
	MOVQ newX_base+24(FP), BX
	MOVQ newKey_base+48(FP), DX
	MOVQ keys_base+72(FP), SI
	MOVQ $0xffffffff00000000, AX
	VPBROADCASTQ AX, Z0
	MOVL $0x80000000, AX
	VPBROADCASTD AX, Y1

loop8:
	CMPQ CX, $8
	JLT tail
	VMOVDQU64 8(SI), Z2
	VPXORQ (SI), Z2, Z3
	VPTESTMQ Z0, Z3, K1
	VPTESTMQ Z3, Z3, K2
	VPMOVQD Z2, Y2
	VPXOR Y1, Y2, Y2
	VMOVDQU Y2, (DI)
	KMOVB K1, (BX)
	KMOVB K2, (DX)
	ADDQ $64, SI
	ADDQ $32, DI
	INCQ BX
	INCQ DX
	SUBQ $8, CX
	JMP loop8

tail:
	TESTQ CX, CX
	JZ done
	MOVL $-1, AX
	SHLL CX, AX
	NOTL AX
	KMOVB AX, K3
	VMOVDQU64.Z 8(SI), K3, Z2
	VMOVDQU64.Z (SI), K3, Z3
	VPXORQ Z3, Z2, Z3
	VPTESTMQ Z0, Z3, K1
	VPTESTMQ Z3, Z3, K2
	VPMOVQD Z2, Y2
	VPXOR Y1, Y2, Y2
	VMOVDQU32 Y2, K3, (DI)
	KMOVB K1, (BX)
	KMOVB K2, (DX)

done:
	VZEROUPPER
	RET

// func partitionCountI32AVX512(lo, hi, src []int32, pivot int32) (n int, positions int64)
// Requires: AVX512F, AVX512BW, POPCNT
//
// DI lo, SI hi, BX src, CX elements left, Z0 pivot, R8 n, R9 steps done, R10 sum of n after each
// step, R11 elements of hi, Z29 Σ of the lanes (Z30) of lo. Sixteen elements a step. With p the
// elements of lo in step v, Σ 16·v·p = 16·(steps·n − Σ n after each): no multiplication in the
// loop. The tail is one more step with masked stores.
TEXT ·partitionCountI32AVX512(SB), NOSPLIT, $0-96
	MOVQ lo_base+0(FP), DI
	MOVQ hi_base+24(FP), SI
	MOVQ src_base+48(FP), BX
	MOVQ src_len+56(FP), CX
	MOVL pivot+72(FP), AX
	VPBROADCASTD AX, Z0
	VPXORD Z29, Z29, Z29
	VMOVDQU32 github·com∕simdrank∕simdrank∕internal∕kern·Iota(SB), Z30
	XORL R8, R8
	XORL R10, R10
	XORL R11, R11
	MOVQ CX, R9
	ADDQ $15, R9
	SHRQ $4, R9

#define STEP(offset) \
	VMOVDQU32 offset(BX), Z1      \
	VPCMPD $1, Z0, Z1, K1         \
	KNOTW K1, K2                  \
	KMOVW K1, AX                  \
	VPCOMPRESSD.Z Z1, K1, Z2      \
	VPCOMPRESSD.Z Z1, K2, Z3      \
	POPCNTL AX, AX                \
	VPADDD Z30, Z29, K1, Z29      \
	VMOVDQU32 Z2, (DI)(R8*4)      \
	VMOVDQU32 Z3, (SI)(R11*4)     \
	ADDQ AX, R8                   \
	SUBQ AX, R11                  \
	ADDQ $16, R11                 \
	ADDQ R8, R10

	CMPB INTEL, $0
	JNE ahead64

loop64:
	CMPQ CX, $64
	JLT loop16
	STEP(0)
	STEP(64)
	STEP(128)
	STEP(192)
	ADDQ $256, BX
	SUBQ $64, CX
	JMP loop64

ahead64: // as loop64, and what it will store to is fetched: see storesAhead
	CMPQ CX, $64
	JLT loop16
	PREFETCHT0 const_storesAhead(DI)(R8*4)
	PREFETCHT0 const_storesAhead(SI)(R11*4)
	STEP(0)
	STEP(64)
	PREFETCHT0 const_storesAhead(DI)(R8*4)
	PREFETCHT0 const_storesAhead(SI)(R11*4)
	STEP(128)
	STEP(192)
	ADDQ $256, BX
	SUBQ $64, CX
	JMP ahead64

loop16:
	CMPQ CX, $16
	JLT tail
	STEP(0)
	ADDQ $64, BX
	SUBQ $16, CX
	JMP loop16

tail:
	TESTQ CX, CX
	JZ done
	MOVL $-1, AX
	SHLL CX, AX
	NOTL AX
	KMOVW AX, K3
	VMOVDQU32.Z (BX), K3, Z1
	VPCMPD $1, Z0, Z1, K3, K1
	KANDNW K3, K1, K2
	KMOVW K1, AX
	VPCOMPRESSD.Z Z1, K1, Z2
	VPCOMPRESSD.Z Z1, K2, Z3
	POPCNTL AX, AX
	VPADDD Z30, Z29, K1, Z29
	SUBL AX, CX
	MOVL $-1, DX
	SHLL CX, DX
	NOTL DX
	KMOVW DX, K2
	MOVL AX, CX
	MOVL $-1, DX
	SHLL CX, DX
	NOTL DX
	KMOVW DX, K1
	VMOVDQU32 Z2, K1, (DI)(R8*4)
	VMOVDQU32 Z3, K2, (SI)(R11*4)
	ADDQ AX, R8
	ADDQ R8, R10

done:
	VEXTRACTI64X4 $1, Z29, Y1
	VPADDD Y1, Y29, Y1
	VEXTRACTI128 $1, Y1, X2
	VPADDD X2, X1, X1
	VPSHUFD $0x4e, X1, X2
	VPADDD X2, X1, X1
	VPSHUFD $0xb1, X1, X2
	VPADDD X2, X1, X1
	VMOVD X1, AX
	IMULQ R8, R9
	SUBQ R10, R9
	SHLQ $4, R9
	ADDQ AX, R9
	MOVQ R8, n+80(FP)
	MOVQ R9, positions+88(FP)
	VZEROUPPER
	RET
#undef STEP

// evenWords is the permutation of words that brings the lower halves of 32 dwords together.
DATA evenWords<>+0x00(SB)/8, $0x0006000400020000
DATA evenWords<>+0x08(SB)/8, $0x000e000c000a0008
DATA evenWords<>+0x10(SB)/8, $0x0016001400120010
DATA evenWords<>+0x18(SB)/8, $0x001e001c001a0018
DATA evenWords<>+0x20(SB)/8, $0x0026002400220020
DATA evenWords<>+0x28(SB)/8, $0x002e002c002a0028
DATA evenWords<>+0x30(SB)/8, $0x0036003400320030
DATA evenWords<>+0x38(SB)/8, $0x003e003c003a0038
GLOBL evenWords<>(SB), RODATA|NOPTR, $64

// NARROW takes dwords in the order of unsigned numbers, X6 bits lower, and stores the lower half of
// each in both halves. K3 are the even words.
#define NARROW(offset, r) \
	VPXORD Z8, r, r         \
	VPSRLD X6, r, r         \
	VPSLLD $16, r, Z7       \
	VPBLENDMW r, Z7, K3, Z7 \
	VMOVDQU64 Z7, offset(BX)

// func inversionsI32AVX512(a []int32) (inversions, equal int64)
// Requires: AVX512F, AVX512BW, POPCNT
//
// SI element i, CX elements left, R8 the bits of elements behind i, R9 inversions, R10 pairs
// that differ. Each element is compared with all, which stand in Z0–Z1, or Z0–Z3 for more than
// 32, with the greatest integers behind: a bit says that another is less. Over all i, each
// pair that differs sets one bit, and an inversion one behind i.
//
// Of more than 32 elements, 16 bits from the highest on that differs are compared first: in Z0 and
// Z5, and twice per dword at BX. R11 bits below them are left out; if then some are equal, Z0–Z3
// follow.
TEXT ·inversionsI32AVX512(SB), NOSPLIT, $256-40
	MOVQ a_base+0(FP), SI
	MOVQ a_len+8(FP), CX
	XORL R9, R9
	XORL R10, R10
	TESTQ CX, CX
	JZ done
	MOVQ $-1, AX
	NEGQ CX
	SHRQ CX, AX
	NEGQ CX
	MOVQ $-2, R8
	KMOVQ AX, K1
	CMPQ CX, $32
	JGT narrow
	MOVL $0x7fffffff, AX
	VPBROADCASTD AX, Z0
	VMOVDQA64 Z0, Z1
	VMOVDQU32 (SI), K1, Z0
	KSHIFTRQ $16, K1, K1
	VMOVDQU32 64(SI), K1, Z1

loop32:
	VPCMPD.BCST $1, (SI), Z0, K1
	VPCMPD.BCST $1, (SI), Z1, K2
	KUNPCKWD K1, K2, K1
	KMOVD K1, AX
	POPCNTL AX, DX
	ANDL R8, AX
	ADDQ DX, R10
	POPCNTL AX, AX
	ADDQ AX, R9
	ADDL R8, R8
	ADDQ $4, SI
	DECQ CX
	JNZ loop32
	JMP done

narrow:
	VPBROADCASTD (SI), Z4
	VMOVDQA64 Z4, Z2
	VMOVDQA64 Z4, Z3
	KSHIFTRQ $32, K1, K1
	KSHIFTRQ $16, K1, K2
	VMOVDQU32 (SI), Z0
	VMOVDQU32 64(SI), Z1
	VMOVDQU32 128(SI), K1, Z2
	VMOVDQU32 192(SI), K2, Z3
	VPXORD Z0, Z4, Z5
	VPTERNLOGD $0xf6, Z1, Z4, Z5 // or what differs
	VPTERNLOGD $0xf6, Z2, Z4, Z5
	VPTERNLOGD $0xf6, Z3, Z4, Z5
	VEXTRACTI64X4 $1, Z5, Y6
	VPOR Y6, Y5, Y5
	VEXTRACTI128 $1, Y5, X6
	VPOR X6, X5, X5
	VPSHUFD $0x4e, X5, X6
	VPOR X6, X5, X5
	VPSHUFD $0xb1, X5, X6
	VPOR X6, X5, X5
	VMOVD X5, AX
	ORL $0x8000, AX
	BSRL AX, R11
	SUBQ $15, R11
	VMOVQ R11, X6
	MOVL $0x55555555, AX
	KMOVD AX, K3
	MOVL $0x80000000, AX
	VPBROADCASTD AX, Z8
	LEAQ buf-256(SP), BX
	NARROW(0, Z0)
	NARROW(64, Z1)
	NARROW(128, Z2)
	NARROW(192, Z3)
	VMOVDQU64 evenWords<>(SB), Z6
	VPERMT2W Z1, Z6, Z0
	VPERMT2W Z3, Z6, Z2
	VPTERNLOGD $0xff, Z5, Z5, Z5
	VMOVDQU16 Z2, K1, Z5

loop16:
	VPBROADCASTD (BX), Z6
	VPCMPUW $1, Z6, Z0, K2
	VPCMPUW $1, Z6, Z5, K3
	KUNPCKDQ K2, K3, K2
	KMOVQ K2, AX
	POPCNTQ AX, DX
	ANDQ R8, AX
	ADDQ DX, R10
	POPCNTQ AX, AX
	ADDQ AX, R9
	ADDQ R8, R8
	ADDQ $4, BX
	DECQ CX
	JNZ loop16
	MOVQ a_len+8(FP), CX
	LEAQ -1(CX), AX
	IMULQ CX, AX
	SHRQ $1, AX
	SUBQ R10, AX
	JZ counted
	TESTQ R11, R11
	JZ counted
	XORL R9, R9
	XORL R10, R10
	MOVL $0x7fffffff, AX
	VPBROADCASTD AX, Z2
	VMOVDQA64 Z2, Z3
	MOVQ $-2, R8
	KSHIFTRQ $16, K1, K2
	VMOVDQU32 (SI), Z0
	VMOVDQU32 64(SI), Z1
	VMOVDQU32 128(SI), K1, Z2
	VMOVDQU32 192(SI), K2, Z3

loop64:
	VPCMPD.BCST $1, (SI), Z0, K1
	VPCMPD.BCST $1, (SI), Z1, K2
	VPCMPD.BCST $1, (SI), Z2, K3
	VPCMPD.BCST $1, (SI), Z3, K4
	KUNPCKWD K1, K2, K1
	KUNPCKWD K3, K4, K3
	KUNPCKDQ K1, K3, K1
	KMOVQ K1, AX
	POPCNTQ AX, DX
	ANDQ R8, AX
	ADDQ DX, R10
	POPCNTQ AX, AX
	ADDQ AX, R9
	ADDQ R8, R8
	ADDQ $4, SI
	DECQ CX
	JNZ loop64

done:
	MOVQ a_len+8(FP), CX
	LEAQ -1(CX), AX
	IMULQ CX, AX
	SHRQ $1, AX
	SUBQ R10, AX

counted:
	MOVQ R9, inversions+24(FP)
	MOVQ AX, equal+32(FP)
	VZEROUPPER
	RET

// func countPairsF64AVX512(x, y []float64) (concordant, discordant, untiedX, untiedY int64)
// Requires: AVX512F, AVX512DQ
//
// SI x, DI y, CX length, BX first of the 8 elements in Z0, Z1, K7 those that exist, DX the element
// they are compared with. Over all, each pair has one order in which x ascends, and one in
// which y does. Z4–Z7 are the counts, Z8 ones.
TEXT ·countPairsF64AVX512(SB), NOSPLIT, $0-80
	MOVQ x_base+0(FP), SI
	MOVQ x_len+8(FP), CX
	MOVQ y_base+24(FP), DI
	VPXORQ Z4, Z4, Z4
	VPXORQ Z5, Z5, Z5
	VPXORQ Z6, Z6, Z6
	VPXORQ Z7, Z7, Z7
	MOVL $1, AX
	VPBROADCASTQ AX, Z8
	XORL BX, BX

columns:
	CMPQ BX, CX
	JGE done
	MOVQ CX, R8
	SUBQ BX, R8
	MOVL $0xff, AX
	CMPQ R8, $8
	JGE full
	MOVQ CX, DX
	MOVL R8, CX
	MOVL $-1, AX
	SHLL CX, AX
	NOTL AX
	MOVQ DX, CX

full:
	KMOVB AX, K7
	VMOVUPD.Z (SI)(BX*8), K7, Z0
	VMOVUPD.Z (DI)(BX*8), K7, Z1
	XORL DX, DX

rows:
	VBROADCASTSD (SI)(DX*8), Z2
	VBROADCASTSD (DI)(DX*8), Z3
	VCMPPD $1, Z0, Z2, K7, K1 // x of the row is less
	VCMPPD $1, Z1, Z3, K7, K2
	VCMPPD $1, Z3, Z1, K1, K3 // and y greater
	KANDB K1, K2, K4
	VPADDQ Z8, Z4, K4, Z4
	VPADDQ Z8, Z5, K3, Z5
	VPADDQ Z8, Z6, K1, Z6
	VPADDQ Z8, Z7, K2, Z7
	INCQ DX
	CMPQ DX, CX
	JLT rows
	ADDQ $8, BX
	JMP columns

#define SUM(z, y, to) \
	VEXTRACTI64X4 $1, z, Y0 \
	VPADDQ Y0, y, Y0        \
	VEXTRACTI128 $1, Y0, X1 \
	VPADDQ X1, X0, X0       \
	VPSHUFD $0x4e, X0, X1   \
	VPADDQ X1, X0, X0       \
	VMOVQ X0, to

done:
	SUM(Z4, Y4, concordant+48(FP))
	SUM(Z5, Y5, discordant+56(FP))
	SUM(Z6, Y6, untiedX+64(FP))
	SUM(Z7, Y7, untiedY+72(FP))
	VZEROUPPER
	RET
#undef SUM

// PASSING puts the positions of the keys that pass, of those in Z4 that K1 has, at the front of Z7,
// and their number into AX.
#define PASSING \
	VPSRLD $5, Z4, Z5             \
	VPANDD Z0, Z5, Z5             \
	VPGATHERDD (R8)(Z5*4), K1, Z6 \
	VPRORVD Z4, Z6, Z6            \
	VPTESTMD Z1, Z6, K2           \
	KMOVW K2, AX                  \
	VPCOMPRESSD.Z Z2, K2, Z7      \
	POPCNTL AX, AX

// func filterI32AVX512(dst, keys []int32, filter []uint64) int
// Requires: AVX512F, AVX512BW, POPCNT
//
// DI end of dst, SI keys, CX elements left, R8 filter, Z0 the last dword of the filter, Z1 ones,
// Z2 positions, Z3 16. Sixteen keys a step: their dwords of the filter are gathered and rotated by
// the keys. The tail masks its gather and its store.
TEXT ·filterI32AVX512(SB), NOSPLIT, $0-80
	MOVQ dst_base+0(FP), DI
	MOVQ keys_base+24(FP), SI
	MOVQ keys_len+32(FP), CX
	MOVQ filter_base+48(FP), R8
	MOVQ filter_len+56(FP), AX
	LEAL -1(AX)(AX*1), AX
	VPBROADCASTD AX, Z0
	MOVL $1, AX
	VPBROADCASTD AX, Z1
	VMOVDQU32 github·com∕simdrank∕simdrank∕internal∕kern·Iota(SB), Z2
	MOVL $16, AX
	VPBROADCASTD AX, Z3

loop16:
	CMPQ CX, $16
	JLT tail
	VMOVDQU32 (SI), Z4
	KXNORW K1, K1, K1
	PASSING
	VMOVDQU32 Z7, (DI)
	LEAQ (DI)(AX*4), DI
	VPADDD Z3, Z2, Z2
	ADDQ $64, SI
	SUBQ $16, CX
	JMP loop16

tail:
	TESTQ CX, CX
	JZ done
	MOVL $-1, AX
	SHLL CX, AX
	NOTL AX
	KMOVW AX, K1
	VMOVDQU32.Z (SI), K1, Z4
	VPXORD Z6, Z6, Z6
	PASSING
	MOVL AX, CX
	MOVL $-1, DX
	SHLL CX, DX
	NOTL DX
	KMOVW DX, K1
	VMOVDQU32 Z7, K1, (DI)
	LEAQ (DI)(AX*4), DI

done:
	SUBQ dst_base+0(FP), DI
	SHRQ $2, DI
	MOVQ DI, ret+72(FP)
	VZEROUPPER
	RET
#undef PASSING

// func mergeKeysAVX512(keys []int64)
//
// Requires: AVX512F, AVX512DQ
//
// DI SI keys   CX their number, 64 < CX ≤ 128   AX DX a bit for each key after the first 64
// Z0 … Z7 the first 64, Z8 … Z15 the others   Z28 MaxInt64   Z29 Z30 scratch   Z31 reversal
// K1 … K6 the lanes of lesser and greater at distances 1, 2 and 4
// The bitonic merge (Batcher 1968): keys at the same distance from the ends, then within each half
// at
// distances 32, 16, 8 and in the vectors.
TEXT ·mergeKeysAVX512(SB), NOSPLIT, $0-24
	MOVQ       keys_base+0(FP), DI
	MOVQ       DI, SI
	MOVQ       keys_len+8(FP), CX
	VMOVDQU64  reverseI64<>(SB), Z31
	VPTERNLOGQ $0xff, Z28, Z28, Z28
	VPSRLQ     $1, Z28, Z28
	LANES
	MOVQ       $-1, AX
	NEGQ       CX
	SHRQ       CX, AX                    // by 128 − length, modulo 64
	MOVQ       AX, DX
	VMOVDQU64  (DI), Z0
	VMOVDQU64  64(DI), Z1
	VMOVDQU64  128(DI), Z2
	VMOVDQU64  192(DI), Z3
	VMOVDQU64  256(DI), Z4
	VMOVDQU64  320(DI), Z5
	VMOVDQU64  384(DI), Z6
	VMOVDQU64  448(DI), Z7
	LOAD(512, Z8)
	LOAD(576, Z9)
	LOAD(640, Z10)
	LOAD(704, Z11)
	LOAD(768, Z12)
	LOAD(832, Z13)
	LOAD(896, Z14)
	LOAD(960, Z15)
	CROSSREV(Z0, Z7, Z8, Z15)
	CROSSREV(Z1, Z6, Z9, Z14)
	CROSSREV(Z2, Z5, Z10, Z13)
	CROSSREV(Z3, Z4, Z11, Z12)
	ORDER(Z0, Z4)
	ORDER(Z1, Z5)
	ORDER(Z2, Z6)
	ORDER(Z3, Z7)
	ORDER(Z8, Z12)
	ORDER(Z9, Z13)
	ORDER(Z10, Z14)
	ORDER(Z11, Z15)
	ORDER(Z0, Z2)
	ORDER(Z1, Z3)
	ORDER(Z4, Z6)
	ORDER(Z5, Z7)
	ORDER(Z8, Z10)
	ORDER(Z9, Z11)
	ORDER(Z12, Z14)
	ORDER(Z13, Z15)
	ORDER(Z0, Z1)
	ORDER(Z2, Z3)
	ORDER(Z4, Z5)
	ORDER(Z6, Z7)
	ORDER(Z8, Z9)
	ORDER(Z10, Z11)
	ORDER(Z12, Z13)
	ORDER(Z14, Z15)
	CLEAN(Z0)
	CLEAN(Z1)
	CLEAN(Z2)
	CLEAN(Z3)
	CLEAN(Z4)
	CLEAN(Z5)
	CLEAN(Z6)
	CLEAN(Z7)
	CLEAN(Z8)
	CLEAN(Z9)
	CLEAN(Z10)
	CLEAN(Z11)
	CLEAN(Z12)
	CLEAN(Z13)
	CLEAN(Z14)
	CLEAN(Z15)
	VMOVDQU64  Z0, (DI)
	VMOVDQU64  Z1, 64(DI)
	VMOVDQU64  Z2, 128(DI)
	VMOVDQU64  Z3, 192(DI)
	VMOVDQU64  Z4, 256(DI)
	VMOVDQU64  Z5, 320(DI)
	VMOVDQU64  Z6, 384(DI)
	VMOVDQU64  Z7, 448(DI)
	STORE(512, Z8)
	STORE(576, Z9)
	STORE(640, Z10)
	STORE(704, Z11)
	STORE(768, Z12)
	STORE(832, Z13)
	STORE(896, Z14)
	STORE(960, Z15)
	VZEROUPPER
	RET
