//go:build !purego

#include "go_asm.h"
#include "textflag.h"
#include "sort_avx512_amd64.h"

#define INTEL github·com∕simdrank∕simdrank∕internal∕cpu·UseIntel(SB)

#define next SI // next element to read
#define left CX // elements left

// Names of the partitions.
#define src    BX // next element
#define pivots Z0

// FIRST8 sets mask k to the first CX of 8 lanes, and FIRST16 to the first CX of 16. CX must be
// below 32.
#define FIRST8(r, k) MOVL $-1, r; SHLL CX, r; NOTL r; KMOVB r, k
#define FIRST16(r, k) MOVL $-1, r; SHLL CX, r; NOTL r; KMOVW r, k

// The names and macros of sortI64AVX512 and mergeKeysAVX512. LOAD loads 8 elements, or the
// remaining ones followed by the greatest integer. STORE stores the remaining ones.
#define dst      DI
#define loads    AX  // a bit for each element to load
#define stores   DX  // a bit for each element to store
#define greatest Z28 // MaxInt64
#define LOAD(offset, r) \
	VMOVDQA64 greatest, r      \
	KMOVB loads, K7            \
	VMOVDQU64 offset(next), K7, r \
	SHRQ $8, loads
#define STORE(offset, r) \
	KMOVB stores, K7           \
	VMOVDQU64 r, K7, offset(dst) \
	SHRQ $8, stores

// ORDER4 orders four pairs, and CLEAN4 sorts four bitonic registers.
#define ORDER4(a, b, c, d, e, f, g, h) ORDER(a, b); ORDER(c, d); ORDER(e, f); ORDER(g, h)
#define CLEAN4(a, b, c, d) CLEAN(a); CLEAN(b); CLEAN(c); CLEAN(d)

// func scanF64AVX512(x []float64) (lo, hi float64, flags uint64)
// Requires: AVX512F, AVX512DQ
//
// Registers: named below. An iteration of 16 elements checks only the properties that no element
// has violated yet. The tail is processed 8 elements at a time. Lanes after the last element repeat
// an element.
TEXT ·scanF64AVX512(SB), NOSPLIT, $0-48
#define low0  Z0 // least of each lane, of even vectors
#define low1  Z6 // and of odd ones
#define high0 Z1 // greatest of each lane, of even vectors
#define high1 Z7 // and of odd ones
#define wide  Z4 // bits lost by conversion to float32
#define parts Z5 // bits lost by truncation to an integer
#define nans  K1 // lanes with a NaN

// EXTREMES updates the least, the greatest and NaNs with Z2 and Z3.
#define EXTREMES \
	VMINPD Z2, low0, low0    \
	VMAXPD Z2, high0, high0  \
	VMINPD Z3, low1, low1    \
	VMAXPD Z3, high1, high1  \
	VCMPPD $3, Z2, Z3, K4    \ // unordered
	KORB K4, nans, nans

// NARROW computes wide |= x ⊕ float32(x), and WHOLE computes parts |= x ⊕ trunc(x).
#define NARROW(x) \
	VCVTPD2PS x, Y8         \
	VCVTPS2PD Y8, Z8        \
	VPTERNLOGQ $0xf6, Z8, x, wide
#define WHOLE(x) \
	VRNDSCALEPD $11, x, Z8  \ // truncated
	VPTERNLOGQ $0xf6, Z8, x, parts

// LOAD16 loads 16 elements into Z2 and Z3 and updates the extremes. If fewer are left, it goes to
// the remainder.
#define LOAD16 \
	CMPQ left, $16         \
	JLT remainder          \
	PREFETCHT0 const_scanAhead(next) \
	PREFETCHT0 (const_scanAhead+64)(next) \
	VMOVUPD (next), Z2     \
	VMOVUPD 64(next), Z3   \
	ADDQ $128, next        \
	SUBQ $16, left         \
	EXTREMES

	MOVQ x_base+0(FP), next
	MOVQ x_len+8(FP), left
	MOVQ $0x7ff0000000000000, AX // low = +Inf
	VPBROADCASTQ AX, low0
	VMOVAPD low0, low1
	MOVQ $0xfff0000000000000, AX // high = −Inf
	VPBROADCASTQ AX, high0
	VMOVAPD high0, high1
	VPXORQ wide, wide, wide // no flags
	VPXORQ parts, parts, parts
	KXORB nans, nans, nans

checkBoth:
	LOAD16
	NARROW(Z2)
	NARROW(Z3)
	WHOLE(Z2)
	WHOLE(Z3)
	VPTESTMQ wide, wide, K2 // until an element is not a float32 or not an integer
	VPTESTMQ parts, parts, K3
	KORTESTB K2, K2
	JNZ checkWhole
	KORTESTB K3, K3
	JZ checkBoth

checkNarrow: // an element was no integer
	LOAD16
	NARROW(Z2)
	NARROW(Z3)
	VPTESTMQ wide, wide, K2
	KORTESTB K2, K2
	JZ checkNarrow
	JMP checkNothing

checkWhole: // an element was no float32
	KORTESTB K3, K3
	JNZ checkNothing
	LOAD16
	WHOLE(Z2)
	WHOLE(Z3)
	VPTESTMQ parts, parts, K3
	JMP checkWhole

checkNothing: // nothing but extremes and NaNs are left to find
	LOAD16
	JMP checkNothing

remainder:
	CMPQ left, $8 // Z2 = 8 elements
	JLT tail
	VMOVUPD (next), Z2
	ADDQ $64, next
	SUBQ $8, left
	JMP checkTail

tail:
	TESTQ left, left // Z2 = 1 to 7 elements, then the first of them again
	JZ done
	FIRST8(AX, K5)
	VBROADCASTSD (next), Z2
	VMOVUPD (next), K5, Z2
	XORL left, left

checkTail:
	VMOVAPD Z2, Z3 // all properties
	EXTREMES
	NARROW(Z2)
	WHOLE(Z2)
	JMP remainder

done:
	VMINPD low1, low0, Z0 // X0 = least of all lanes
	VEXTRACTF64X4 $1, Z0, Y2
	VMINPD Y2, Y0, Y0
	VEXTRACTF128 $1, Y0, X2
	VMINPD X2, X0, X0
	VPERMILPD $1, X0, X2
	VMINSD X2, X0, X0
	VMAXPD high1, high0, Z1 // X1 = greatest of all lanes
	VEXTRACTF64X4 $1, Z1, Y2
	VMAXPD Y2, Y1, Y1
	VEXTRACTF128 $1, Y1, X2
	VMAXPD X2, X1, X1
	VPERMILPD $1, X1, X2
	VMAXSD X2, X1, X1
	VMOVSD X0, lo+24(FP)
	VMOVSD X1, hi+32(FP)
	XORL AX, AX // AX = flags
	VPTESTMQ wide, wide, K2
	VPTESTMQ parts, parts, K3
	KORTESTB nans, nans
	JZ noNaN
	ORL $const_hasNaN, AX

noNaN:
	KORTESTB K2, K2
	JZ noWide
	ORL $const_hasWide, AX

noWide:
	KORTESTB K3, K3 // an element was no integer
	JZ noFraction
	ORL $const_hasFraction, AX

noFraction:
	MOVQ AX, flags+40(FP)
	VZEROUPPER
	RET
#undef low0
#undef low1
#undef high0
#undef high1
#undef wide
#undef parts
#undef nans
#undef EXTREMES
#undef NARROW
#undef WHOLE
#undef LOAD16

// func linearKeysF64AVX512(dst []int32, x []float64, mid, scale float64)
// Requires: AVX512F, AVX512DQ, AVX512VL
//
// Registers: DI: dst; SI: next of x; CX: elements left; Z0: mid; Z1: scale. An iteration processes
// 8 elements; the tail is masked.
TEXT ·linearKeysF64AVX512(SB), NOSPLIT, $0-64
	MOVQ dst_base+0(FP), DI
	MOVQ x_base+24(FP), next
	MOVQ x_len+32(FP), left
	VBROADCASTSD mid+48(FP), Z0
	VBROADCASTSD scale+56(FP), Z1

loop8:
	CMPQ left, $8
	JLT tail
	VMOVUPD (next), Z2 // dst[i] = int32((x[i] − mid)·scale)
	VSUBPD Z0, Z2, Z2
	VMULPD Z1, Z2, Z2
	VCVTTPD2DQ Z2, Y2
	VMOVDQU Y2, (DI)
	ADDQ $64, next // advance by 8
	ADDQ $32, DI
	SUBQ $8, left
	JMP loop8

tail:
	TESTQ left, left
	JZ done
	FIRST8(AX, K1)
	VMOVUPD.Z (next), K1, Z2 // dst[i] = int32((x[i] − mid)·scale)
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
// Registers: DI: dst; SI: next of x; CX: elements left; Y0: zero; Y1: MaxInt32. An iteration
// processes 8 elements; the tail is masked. The key of a negative float32 has all bits but the sign
// flipped.
TEXT ·floatKeysF64AVX512(SB), NOSPLIT, $0-48
	MOVQ dst_base+0(FP), DI
	MOVQ x_base+24(FP), next
	MOVQ x_len+32(FP), left
	VPXOR Y0, Y0, Y0
	VPCMPEQD Y1, Y1, Y1 // MaxInt32
	VPSRLD $1, Y1, Y1

loop8:
	CMPQ left, $8
	JLT tail
	VMOVUPD (next), Z2 // v = float32(x[i]) + 0: −0 becomes +0
	VCVTPD2PS Z2, Y2
	VADDPS Y0, Y2, Y2
	VPSRAD $31, Y2, Y3 // dst[i] = v ⊕ (v >> 31 & MaxInt32)
	VPAND Y1, Y3, Y3
	VPXOR Y3, Y2, Y2
	VMOVDQU Y2, (DI)
	ADDQ $64, next // advance by 8
	ADDQ $32, DI
	SUBQ $8, left
	JMP loop8

tail:
	TESTQ left, left
	JZ done
	FIRST8(AX, K1)
	VMOVUPD.Z (next), K1, Z2 // v = float32(x[i]) + 0
	VCVTPD2PS Z2, Y2
	VADDPS Y0, Y2, Y2
	VPSRAD $31, Y2, Y3 // dst[i] = v ⊕ (v >> 31 & MaxInt32)
	VPAND Y1, Y3, Y3
	VPXOR Y3, Y2, Y2
	VMOVDQU32 Y2, K1, (DI)

done:
	VZEROUPPER
	RET

// func floatKeysF32AVX512(dst []int32, x []float32) (nan bool)
// Requires: AVX512F, AVX512BW
//
// Registers: DI: dst; SI: next of x; CX: elements left; Z0: zero; Z1: MaxInt32; K2: lanes with a
// NaN. An iteration processes 16 elements; the tail is masked.
TEXT ·floatKeysF32AVX512(SB), NOSPLIT, $0-49
	MOVQ dst_base+0(FP), DI
	MOVQ x_base+24(FP), next
	MOVQ x_len+32(FP), left
	VPXORD Z0, Z0, Z0
	MOVL $0x7fffffff, AX // MaxInt32
	VPBROADCASTD AX, Z1
	KXORW K2, K2, K2

loop16:
	CMPQ left, $16
	JLT tail
	VMOVUPS (next), Z2 // v = x[i] + 0; nan |= v ≠ v
	VADDPS Z0, Z2, Z2
	VCMPPS $3, Z2, Z2, K3
	KORW K3, K2, K2
	VPSRAD $31, Z2, Z3 // dst[i] = v ⊕ (v >> 31 & MaxInt32)
	VPANDD Z1, Z3, Z3
	VPXORD Z3, Z2, Z2
	VMOVDQU32 Z2, (DI)
	ADDQ $64, next // advance by 16
	ADDQ $64, DI
	SUBQ $16, left
	JMP loop16

tail:
	TESTQ left, left
	JZ done
	FIRST16(AX, K1)
	VMOVUPS.Z (next), K1, Z2 // v = x[i] + 0; nan |= v ≠ v
	VADDPS Z0, Z2, Z2
	VCMPPS $3, Z2, Z2, K3
	KORW K3, K2, K2
	VPSRAD $31, Z2, Z3 // dst[i] = v ⊕ (v >> 31 & MaxInt32)
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
// Registers: DI: dst; SI: next of x; BX: next of y; CX: elements left; Z0: 2³¹. An iteration
// processes 8 elements; the tail is masked.
TEXT ·packKeysAVX512(SB), NOSPLIT, $0-72
	MOVQ dst_base+0(FP), DI
	MOVQ dst_len+8(FP), left
	MOVQ x_base+24(FP), next
	MOVQ y_base+48(FP), BX
	MOVL $0x80000000, AX
	VPBROADCASTQ AX, Z0

loop8:
	CMPQ left, $8
	JLT tail
	VPMOVZXDQ (next), Z1 // dst[i] = x[i]·2³² ⊕ y[i] ⊕ 2³¹: x and y do not overlap
	VPMOVZXDQ (BX), Z2
	VPSLLQ $32, Z1, Z1
	VPTERNLOGQ $0x96, Z0, Z2, Z1
	VMOVDQU64 Z1, (DI)
	ADDQ $32, next // advance by 8
	ADDQ $32, BX
	ADDQ $64, DI
	SUBQ $8, left
	JMP loop8

tail:
	TESTQ left, left
	JZ done
	FIRST8(AX, K1)
	VPMOVZXDQ.Z (next), K1, Z1 // dst[i] = x[i]·2³² ⊕ y[i] ⊕ 2³¹
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
// Registers: named below. An iteration compresses the elements of both parts in registers, because
// compressing to memory is microcoded on Zen 4, and stores whole vectors. These stores never reach
// elements that have not been read. The tail masks its stores.
TEXT ·partitionI64AVX512(SB), NOSPLIT, $0-88
#define loEnd DI // where the next element of lo goes
#define hiEnd SI // where the next element of hi goes

// PARTITION8 appends 8 elements at an offset to lo and hi.
#define PARTITION8(offset) \
	VMOVDQU64 offset(src), Z1    \
	VPCMPQ $1, pivots, Z1, K1    \ // K1 = set of lanes less than the pivot, K2 = the others
	KNOTB K1, K2                 \
	KMOVB K1, AX                 \
	VPCOMPRESSQ.Z Z1, K1, Z2     \
	VPCOMPRESSQ.Z Z1, K2, Z3     \
	POPCNTL AX, AX               \
	VMOVDQU64 Z2, (loEnd)        \
	VMOVDQU64 Z3, (hiEnd)        \
	LEAQ (loEnd)(AX*8), loEnd    \ // loEnd += |set|, hiEnd += 8 − |set|
	SHLL $3, AX                  \
	SUBQ AX, hiEnd               \
	ADDQ $64, hiEnd

	MOVQ lo_base+0(FP), loEnd
	MOVQ hi_base+24(FP), hiEnd
	MOVQ src_base+48(FP), src
	MOVQ src_len+56(FP), left
	VPBROADCASTQ pivot+72(FP), pivots
	CMPB INTEL, $0
	JNE ahead32

loop32:
	CMPQ left, $32 // 32 elements at a time
	JLT loop8
	PARTITION8(0)
	PARTITION8(64)
	PARTITION8(128)
	PARTITION8(192)
	ADDQ $256, src
	SUBQ $32, left
	JMP loop32

ahead32: // like loop32, but fetches the destinations: see storesAhead
	CMPQ left, $32
	JLT loop8
	PREFETCHT0 const_storesAhead(loEnd)
	PREFETCHT0 const_storesAhead(hiEnd)
	PARTITION8(0)
	PARTITION8(64)
	PREFETCHT0 const_storesAhead(loEnd) // again, for the other 16 elements
	PREFETCHT0 const_storesAhead(hiEnd)
	PARTITION8(128)
	PARTITION8(192)
	ADDQ $256, src
	SUBQ $32, left
	JMP ahead32

loop8:
	CMPQ left, $8 // 8 elements at a time
	JLT tail
	PARTITION8(0)
	ADDQ $64, src
	SUBQ $8, left
	JMP loop8

tail:
	TESTQ left, left
	JZ done
	FIRST8(AX, K3) // elements less than the pivot to Z2, the others to Z3
	VMOVDQU64.Z (src), K3, Z1
	VPCMPQ $1, pivots, Z1, K3, K1
	KANDNB K3, K1, K2
	KMOVB K1, AX
	VPCOMPRESSQ.Z Z1, K1, Z2
	VPCOMPRESSQ.Z Z1, K2, Z3
	POPCNTL AX, AX // AX = elements of lo; K1, K2 = lanes to store
	SUBL AX, left
	FIRST8(DX, K2)
	MOVL AX, left
	FIRST8(DX, K1)
	VMOVDQU64 Z2, K1, (loEnd)
	VMOVDQU64 Z3, K2, (hiEnd)
	LEAQ (loEnd)(AX*8), loEnd

done:
	SUBQ lo_base+0(FP), loEnd // elements of lo
	SHRQ $3, loEnd
	MOVQ loEnd, ret+80(FP)
	VZEROUPPER
	RET
#undef loEnd
#undef hiEnd
#undef PARTITION8

// func sortI64AVX512(dst, src []int64)
// Requires: AVX512F, AVX512DQ
//
// Registers: see sort_avx512_amd64.h. Z0-Z7 contain the elements, padded with the greatest integer.
// Up to 32 elements are sorted within each of Z0 to Z3, or Z0 and Z1, and merged. More elements are
// sorted as columns, which are transposed to sorted registers and merged (bitonic: Batcher 1968).
TEXT ·sortI64AVX512(SB), NOSPLIT, $0-48
	MOVQ dst_base+0(FP), dst
	MOVQ src_base+24(FP), next
	MOVQ src_len+32(FP), left
	TESTQ left, left
	JZ done
	VMOVDQU64 reverseI64<>(SB), Z31 // constants
	VPTERNLOGQ $0xff, greatest, greatest, greatest
	VPSRLQ $1, greatest, greatest
	LANES
	MOVQ $-1, loads // shift out 64 − length bits
	NEGQ left
	SHRQ left, loads
	MOVQ loads, stores
	NEGQ left
	LOAD(0, Z0) // as many vectors as there are elements for
	LOAD(64, Z1)
	CMPQ left, $16
	JLE sixteen
	LOAD(128, Z2)
	LOAD(192, Z3)
	CMPQ left, $32
	JGT columns
	SORT8(Z0); SORT8(Z1) // sort 8 and 8, and merge them
	SORT8(Z2); SORT8(Z3)
	ORDERREV(Z0, Z1)
	ORDERREV(Z2, Z3)
	CLEAN4(Z0, Z1, Z2, Z3)
	CROSSREV(Z0, Z1, Z2, Z3) // merge 16 and 16
	ORDER(Z0, Z1); ORDER(Z2, Z3)
	CLEAN4(Z0, Z1, Z2, Z3)
	STORE(0, Z0)
	STORE(64, Z1)
	STORE(128, Z2)
	STORE(192, Z3)

done:
	VZEROUPPER
	RET

sixteen:
	SORT8(Z0); SORT8(Z1) // sort 8 and 8, and merge them
	ORDERREV(Z0, Z1)
	CLEAN(Z0); CLEAN(Z1)
	STORE(0, Z0)
	STORE(64, Z1)
	VZEROUPPER
	RET

columns:
	LOAD(256, Z4) // more than 32 elements
	LOAD(320, Z5)
	LOAD(384, Z6)
	LOAD(448, Z7)
	// Sort columns by the 19 comparators for 8 inputs (Knuth, volume 3, 5.3.4).
	ORDER4(Z0, Z2, Z1, Z3, Z4, Z6, Z5, Z7)
	ORDER4(Z0, Z4, Z1, Z5, Z2, Z6, Z3, Z7)
	ORDER4(Z0, Z1, Z2, Z3, Z4, Z5, Z6, Z7)
	ORDER(Z2, Z4); ORDER(Z3, Z5)
	ORDER(Z1, Z4); ORDER(Z3, Z6)
	ORDER(Z1, Z2); ORDER(Z3, Z4); ORDER(Z5, Z6)
	// Transpose columns to rows, which may be in any order: pairs of lanes first.
	VPUNPCKLQDQ Z1, Z0, Z8
	VPUNPCKHQDQ Z1, Z0, Z9
	VPUNPCKLQDQ Z3, Z2, Z10
	VPUNPCKHQDQ Z3, Z2, Z11
	VPUNPCKLQDQ Z5, Z4, Z12
	VPUNPCKHQDQ Z5, Z4, Z13
	VPUNPCKLQDQ Z7, Z6, Z14
	VPUNPCKHQDQ Z7, Z6, Z15
	VSHUFI64X2 $0x88, Z10, Z8, Z16 // then quarters: four rows of two even columns
	VSHUFI64X2 $0xdd, Z10, Z8, Z17
	VSHUFI64X2 $0x88, Z14, Z12, Z18
	VSHUFI64X2 $0xdd, Z14, Z12, Z19
	VSHUFI64X2 $0x88, Z11, Z9, Z20 // and of two odd ones
	VSHUFI64X2 $0xdd, Z11, Z9, Z21
	VSHUFI64X2 $0x88, Z15, Z13, Z22
	VSHUFI64X2 $0xdd, Z15, Z13, Z23
	VSHUFI64X2 $0x88, Z18, Z16, Z0 // whole columns
	VSHUFI64X2 $0xdd, Z18, Z16, Z1
	VSHUFI64X2 $0x88, Z19, Z17, Z2
	VSHUFI64X2 $0xdd, Z19, Z17, Z3
	VSHUFI64X2 $0x88, Z22, Z20, Z4
	VSHUFI64X2 $0xdd, Z22, Z20, Z5
	VSHUFI64X2 $0x88, Z23, Z21, Z6
	VSHUFI64X2 $0xdd, Z23, Z21, Z7
	ORDERREV(Z0, Z1); ORDERREV(Z2, Z3) // merge 8 and 8
	ORDERREV(Z4, Z5); ORDERREV(Z6, Z7)
	CLEAN4(Z0, Z1, Z2, Z3)
	CLEAN4(Z4, Z5, Z6, Z7)
	CROSSREV(Z0, Z1, Z2, Z3) // merge 16 and 16
	CROSSREV(Z4, Z5, Z6, Z7)
	ORDER4(Z0, Z1, Z2, Z3, Z4, Z5, Z6, Z7)
	CLEAN4(Z0, Z1, Z2, Z3)
	CLEAN4(Z4, Z5, Z6, Z7)
	CROSSREV(Z0, Z3, Z4, Z7) // merge 32 and 32
	CROSSREV(Z1, Z2, Z5, Z6)
	ORDER4(Z0, Z2, Z1, Z3, Z4, Z6, Z5, Z7)
	ORDER4(Z0, Z1, Z2, Z3, Z4, Z5, Z6, Z7)
	CLEAN4(Z0, Z1, Z2, Z3)
	CLEAN4(Z4, Z5, Z6, Z7)
	STORE(0, Z0) // as many as there are
	STORE(64, Z1)
	STORE(128, Z2)
	STORE(192, Z3)
	STORE(256, Z4) // elements 32 to 63
	STORE(320, Z5)
	STORE(384, Z6)
	STORE(448, Z7)
	VZEROUPPER
	RET

// func splitKeysAVX512(y []int32, newX, newKey []uint8, keys []int64)
// Requires: AVX512F, AVX512DQ, AVX512VL
//
// Registers: DI: y; BX: newX; DX: newKey; SI: key before the next; CX: keys left; Z0: the bits of
// x; Y1: 2³¹. An iteration processes 8 keys and stores a byte of bits; the tail is masked.
TEXT ·splitKeysAVX512(SB), NOSPLIT, $0-96
	MOVQ y_base+0(FP), DI
	MOVQ y_len+8(FP), left
	MOVQ newX_base+24(FP), BX
	MOVQ newKey_base+48(FP), DX
	MOVQ keys_base+72(FP), next
	MOVQ $0xffffffff00000000, AX // constants
	VPBROADCASTQ AX, Z0
	MOVL $0x80000000, AX
	VPBROADCASTD AX, Y1

loop8:
	CMPQ left, $8
	JLT tail
	VMOVDQU64 8(next), Z2 // Z3 = key ⊕ the key before
	VPXORQ (next), Z2, Z3
	VPTESTMQ Z0, Z3, K1 // K1 = another x, K2 = another key
	VPTESTMQ Z3, Z3, K2
	VPMOVQD Z2, Y2 // y[i] = lower half ⊕ 2³¹
	VPXOR Y1, Y2, Y2
	VMOVDQU Y2, (DI)
	KMOVB K1, (BX)
	KMOVB K2, (DX)
	ADDQ $64, next // advance by 8 keys and a byte
	ADDQ $32, DI
	INCQ BX
	INCQ DX
	SUBQ $8, left
	JMP loop8

tail:
	TESTQ left, left
	JZ done
	FIRST8(AX, K3)
	VMOVDQU64.Z 8(next), K3, Z2 // Z3 = key ⊕ the key before
	VMOVDQU64.Z (next), K3, Z3
	VPXORQ Z3, Z2, Z3
	VPTESTMQ Z0, Z3, K1 // K1 = another x, K2 = another key
	VPTESTMQ Z3, Z3, K2
	VPMOVQD Z2, Y2 // y[i] = lower half ⊕ 2³¹
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
// Registers: named below. An iteration processes 16 elements. Let p(v) be the number of elements of
// lo that iteration v finds. Then Σ 16·v·p(v) = 16·(rounds·n − Σ n after each iteration), so the
// loop needs no multiplication. The tail is another iteration with masked stores.
TEXT ·partitionCountI32AVX512(SB), NOSPLIT, $0-96
#define lo     DI
#define hi     SI
#define loLen  R8  // elements of lo, n
#define hiLen  R11 // elements of hi
#define rounds R9  // iterations, the tail included
#define sums   R10 // Σ n after each iteration
#define inLane Z29 // Σ of the lanes that go to lo
#define lanes  Z30 // 0 to 15

// PARTITION16 appends 16 elements at an offset to lo and hi.
#define PARTITION16(offset) \
	VMOVDQU32 offset(src), Z1     \
	VPCMPD $1, pivots, Z1, K1     \ // K1 = set of lanes less than the pivot, K2 = the others
	KNOTW K1, K2                  \
	KMOVW K1, AX                  \
	VPCOMPRESSD.Z Z1, K1, Z2      \
	VPCOMPRESSD.Z Z1, K2, Z3      \
	POPCNTL AX, AX                \
	VPADDD lanes, inLane, K1, inLane \
	VMOVDQU32 Z2, (lo)(loLen*4)   \
	VMOVDQU32 Z3, (hi)(hiLen*4)   \
	ADDQ AX, loLen                \ // loLen += |set|, hiLen += 16 − |set|, sums += loLen
	SUBQ AX, hiLen                \
	ADDQ $16, hiLen               \
	ADDQ loLen, sums

	MOVQ lo_base+0(FP), lo
	MOVQ hi_base+24(FP), hi
	MOVQ src_base+48(FP), src
	MOVQ src_len+56(FP), left
	MOVL pivot+72(FP), AX
	VPBROADCASTD AX, pivots
	VPXORD inLane, inLane, inLane
	VMOVDQU32 github·com∕simdrank∕simdrank∕internal∕kern·Iota(SB), lanes
	XORL loLen, loLen // nothing counted
	XORL sums, sums
	XORL hiLen, hiLen
	MOVQ left, rounds // ⌈left/16⌉
	ADDQ $15, rounds
	SHRQ $4, rounds
	CMPB INTEL, $0
	JNE ahead64

loop64:
	CMPQ left, $64 // 64 elements at a time
	JLT loop16
	PARTITION16(0)
	PARTITION16(64)
	PARTITION16(128)
	PARTITION16(192)
	ADDQ $256, src
	SUBQ $64, left
	JMP loop64

ahead64: // like loop64, but fetches the destinations: see storesAhead
	CMPQ left, $64
	JLT loop16
	PREFETCHT0 const_storesAhead(lo)(loLen*4)
	PREFETCHT0 const_storesAhead(hi)(hiLen*4)
	PARTITION16(0)
	PARTITION16(64)
	PREFETCHT0 const_storesAhead(lo)(loLen*4) // again, for the other 32 elements
	PREFETCHT0 const_storesAhead(hi)(hiLen*4)
	PARTITION16(128)
	PARTITION16(192)
	ADDQ $256, src
	SUBQ $64, left
	JMP ahead64

loop16:
	CMPQ left, $16 // 16 elements at a time
	JLT tail
	PARTITION16(0)
	ADDQ $64, src
	SUBQ $16, left
	JMP loop16

tail:
	TESTQ left, left
	JZ done
	FIRST16(AX, K3) // elements less than the pivot to Z2, the others to Z3
	VMOVDQU32.Z (src), K3, Z1
	VPCMPD $1, pivots, Z1, K3, K1
	KANDNW K3, K1, K2
	KMOVW K1, AX
	VPCOMPRESSD.Z Z1, K1, Z2
	VPCOMPRESSD.Z Z1, K2, Z3
	POPCNTL AX, AX // AX = elements of lo; K1, K2 = lanes to store
	VPADDD lanes, inLane, K1, inLane
	SUBL AX, left
	FIRST16(DX, K2)
	MOVL AX, left
	FIRST16(DX, K1)
	VMOVDQU32 Z2, K1, (lo)(loLen*4)
	VMOVDQU32 Z3, K2, (hi)(hiLen*4)
	ADDQ AX, loLen // loLen += AX, sums += loLen
	ADDQ loLen, sums

done:
	VEXTRACTI64X4 $1, inLane, Y1 // AX = Σ of all lanes
	VPADDD Y1, Y29, Y1
	VEXTRACTI128 $1, Y1, X2
	VPADDD X2, X1, X1
	VPSHUFD $0x4e, X1, X2
	VPADDD X2, X1, X1
	VPSHUFD $0xb1, X1, X2
	VPADDD X2, X1, X1
	VMOVD X1, AX
	IMULQ loLen, rounds // positions = 16·(rounds·n − sums) + AX
	SUBQ sums, rounds
	SHLQ $4, rounds
	ADDQ AX, rounds
	MOVQ loLen, n+80(FP)
	MOVQ rounds, positions+88(FP)
	VZEROUPPER
	RET
#undef lo
#undef hi
#undef loLen
#undef hiLen
#undef rounds
#undef sums
#undef inLane
#undef lanes
#undef PARTITION16

// evenWords is the permutation that collects the lower words of 32 doublewords.
DATA evenWords<>+0x00(SB)/8, $0x0006000400020000
DATA evenWords<>+0x08(SB)/8, $0x000e000c000a0008
DATA evenWords<>+0x10(SB)/8, $0x0016001400120010
DATA evenWords<>+0x18(SB)/8, $0x001e001c001a0018
DATA evenWords<>+0x20(SB)/8, $0x0026002400220020
DATA evenWords<>+0x28(SB)/8, $0x002e002c002a0028
DATA evenWords<>+0x30(SB)/8, $0x0036003400320030
DATA evenWords<>+0x38(SB)/8, $0x003e003c003a0038
GLOBL evenWords<>(SB), RODATA|NOPTR, $64

// func inversionsI32AVX512(a []int32) (inversions, equal int64)
// Requires: AVX512F, AVX512BW, POPCNT
//
// Registers: named below. All elements are in Z0 and Z1, or in Z0 to Z3 if there are more than 32,
// padded with the greatest integer. Each element a[i] is compared with all of them, which gives a
// bit for each element that is less. In total, each pair of different elements sets one bit. The
// bits of inversions are those after position i.
//
// If there are more than 32 elements, the highest 16 bits that differ are compared first. They are
// in Z0 and Z5, and twice in each doubleword of the frame. If some of these are equal and lower
// bits were dropped, whole elements are compared.
TEXT ·inversionsI32AVX512(SB), NOSPLIT, $256-40
#define behind   R8  // bits of the elements behind i
#define inverted R9  // inversions: pairs with a[i] > a[j], i < j
#define differ   R10 // pairs that differ
#define dropped  R11 // bits below the 16 that are compared first
#define words    BX  // next of the 16 bits, twice in each dword
#define signs    Z8  // the sign bit of each dword

// NARROW stores the lower word of each doubleword of r twice. K3 is the set of even words.
#define NARROW(offset, r) \
	VPXORD signs, r, r      \ // r = r in the order of unsigned numbers, without the dropped bits
	VPSRLD X6, r, r         \
	VPSLLD $16, r, Z7       \
	VPBLENDMW r, Z7, K3, Z7 \
	VMOVDQU64 Z7, offset(words)

	MOVQ a_base+0(FP), next
	MOVQ a_len+8(FP), left
	XORL inverted, inverted
	XORL differ, differ
	TESTQ left, left
	JZ done
	MOVQ $-1, AX // K1 = a bit for each element
	NEGQ left
	SHRQ left, AX
	NEGQ left
	MOVQ $-2, behind // all but element 0
	KMOVQ AX, K1
	CMPQ left, $32
	JGT narrow
	MOVL $0x7fffffff, AX // Z0, Z1 = elements, then MaxInt32
	VPBROADCASTD AX, Z0
	VMOVDQA64 Z0, Z1
	VMOVDQU32 (next), K1, Z0
	KSHIFTRQ $16, K1, K1
	VMOVDQU32 64(next), K1, Z1

loop32:
	VPCMPD.BCST $1, (next), Z0, K1 // AX = bits of the elements less than a[i]
	VPCMPD.BCST $1, (next), Z1, K2
	KUNPCKWD K1, K2, K1
	KMOVD K1, AX
	POPCNTL AX, DX // differ += their number
	ANDL behind, AX
	ADDQ DX, differ
	POPCNTL AX, AX // inverted += the number of these behind i
	ADDQ AX, inverted
	ADDL behind, behind // i++
	ADDQ $4, next
	DECQ left
	JNZ loop32
	JMP done

narrow:
	VPBROADCASTD (next), Z4 // Z0-Z3 = elements, then a[0]
	VMOVDQA64 Z4, Z2
	VMOVDQA64 Z4, Z3
	KSHIFTRQ $32, K1, K1
	KSHIFTRQ $16, K1, K2
	VMOVDQU32 (next), Z0
	VMOVDQU32 64(next), Z1
	VMOVDQU32 128(next), K1, Z2
	VMOVDQU32 192(next), K2, Z3 // K1, K2 = elements from 32 on, from 48 on
	VPXORD Z0, Z4, Z5 // AX = bits in which any element differs from a[0]
	VPTERNLOGD $0xf6, Z1, Z4, Z5 // Z5 |= Z1 ⊕ Z4
	VPTERNLOGD $0xf6, Z2, Z4, Z5
	VPTERNLOGD $0xf6, Z3, Z4, Z5
	VEXTRACTI64X4 $1, Z5, Y6
	VPOR Y6, Y5, Y5
	VEXTRACTI128 $1, Y5, X6
	VPOR X6, X5, X5
	VPSHUFD $0x4e, X5, X6 // of 4 dwords
	VPOR X6, X5, X5
	VPSHUFD $0xb1, X5, X6
	VPOR X6, X5, X5
	VMOVD X5, AX
	ORL $0x8000, AX // dropped = max(highest bit of AX, 15) − 15
	BSRL AX, dropped
	SUBQ $15, dropped
	VMOVQ dropped, X6
	MOVL $0x55555555, AX // constants of NARROW
	KMOVD AX, K3
	MOVL $0x80000000, AX
	VPBROADCASTD AX, signs
	LEAQ buf-256(SP), words
	NARROW(0, Z0)
	NARROW(64, Z1)
	NARROW(128, Z2)
	NARROW(192, Z3)
	VMOVDQU64 evenWords<>(SB), Z6 // Z0 = the 16 bits of elements 0 to 31
	VPERMT2W Z1, Z6, Z0
	VPERMT2W Z3, Z6, Z2 // Z5 = those of elements 32 to 63, then ones
	VPTERNLOGD $0xff, Z5, Z5, Z5
	VMOVDQU16 Z2, K1, Z5

loop16:
	VPBROADCASTD (words), Z6 // AX = bits of the elements less than a[i], by 16 bits
	VPCMPUW $1, Z6, Z0, K2
	VPCMPUW $1, Z6, Z5, K3
	KUNPCKDQ K2, K3, K2
	KMOVQ K2, AX
	POPCNTQ AX, DX // differ += their number
	ANDQ behind, AX
	ADDQ DX, differ
	POPCNTQ AX, AX // inverted += the number of these behind i
	ADDQ AX, inverted
	ADDQ behind, behind // i++
	ADDQ $4, words
	DECQ left
	JNZ loop16
	MOVQ a_len+8(FP), left // AX = n(n−1)/2 − differ: pairs with equal bits
	LEAQ -1(left), AX
	IMULQ left, AX
	SHRQ $1, AX
	SUBQ differ, AX
	JZ counted // if AX = 0 or dropped = 0: done
	TESTQ dropped, dropped
	JZ counted
	XORL inverted, inverted // count again
	XORL differ, differ
	MOVL $0x7fffffff, AX // Z0-Z3 = elements, then MaxInt32
	VPBROADCASTD AX, Z2
	VMOVDQA64 Z2, Z3
	MOVQ $-2, behind
	KSHIFTRQ $16, K1, K2
	VMOVDQU32 (next), Z0
	VMOVDQU32 64(next), Z1
	VMOVDQU32 128(next), K1, Z2
	VMOVDQU32 192(next), K2, Z3 // K1 is still the set of elements from 32 on

loop64:
	VPCMPD.BCST $1, (next), Z0, K1 // AX = bits of the elements less than a[i]
	VPCMPD.BCST $1, (next), Z1, K2
	VPCMPD.BCST $1, (next), Z2, K3
	VPCMPD.BCST $1, (next), Z3, K4
	KUNPCKWD K1, K2, K1
	KUNPCKWD K3, K4, K3
	KUNPCKDQ K1, K3, K1
	KMOVQ K1, AX
	POPCNTQ AX, DX // differ += their number
	ANDQ behind, AX
	ADDQ DX, differ
	POPCNTQ AX, AX // inverted += the number of these behind i
	ADDQ AX, inverted
	ADDQ behind, behind // i++
	ADDQ $4, next
	DECQ left
	JNZ loop64

done:
	MOVQ a_len+8(FP), left // AX = equal = n(n−1)/2 − differ
	LEAQ -1(left), AX
	IMULQ left, AX
	SHRQ $1, AX
	SUBQ differ, AX

counted:
	MOVQ inverted, inversions+24(FP)
	MOVQ AX, equal+32(FP)
	VZEROUPPER
	RET
#undef behind
#undef inverted
#undef differ
#undef dropped
#undef words
#undef signs
#undef NARROW

// func countPairsF64AVX512(x, y []float64) (concordant, discordant, untiedX, untiedY int64)
// Requires: AVX512F, AVX512DQ
//
// Registers: SI: x; DI: y; CX: length; BX: first of 8 columns; Z0, Z1: their x and y; K7: columns
// that exist; DX: row; Z4-Z7: the counts of each lane; Z8: ones. Each row is compared with all
// columns, so an untied pair appears once in ascending order of x, and once in ascending order of
// y.
TEXT ·countPairsF64AVX512(SB), NOSPLIT, $0-80
// SUM stores the sum of a counter's lanes.
#define SUM(z, y, to) \
	VEXTRACTI64X4 $1, z, Y0 \
	VPADDQ Y0, y, Y0        \
	VEXTRACTI128 $1, Y0, X1 \
	VPADDQ X1, X0, X0       \
	VPSHUFD $0x4e, X0, X1   \
	VPADDQ X1, X0, X0       \
	VMOVQ X0, to

	MOVQ x_base+0(FP), SI
	MOVQ x_len+8(FP), CX
	MOVQ y_base+24(FP), DI
	VPXORQ Z4, Z4, Z4 // no counts
	VPXORQ Z5, Z5, Z5
	VPXORQ Z6, Z6, Z6
	VPXORQ Z7, Z7, Z7
	MOVL $1, AX // ones
	VPBROADCASTQ AX, Z8
	XORL BX, BX

columns:
	CMPQ BX, CX
	JGE done
	MOVQ CX, R8 // AX = a bit for each of the columns, at most 8
	SUBQ BX, R8
	MOVL $0xff, AX
	CMPQ R8, $8
	JGE full
	MOVQ CX, DX // ~(−1 << columns)
	MOVL R8, CX
	MOVL $-1, AX
	SHLL CX, AX
	NOTL AX
	MOVQ DX, CX // the length again

full:
	KMOVB AX, K7
	VMOVUPD.Z (SI)(BX*8), K7, Z0
	VMOVUPD.Z (DI)(BX*8), K7, Z1
	XORL DX, DX

rows:
	VBROADCASTSD (SI)(DX*8), Z2 // the row's x and y
	VBROADCASTSD (DI)(DX*8), Z3
	VCMPPD $1, Z0, Z2, K7, K1 // x ascends from the row to the column
	VCMPPD $1, Z1, Z3, K7, K2 // y ascends
	VCMPPD $1, Z3, Z1, K1, K3 // discordant: x ascends and y descends
	KANDB K1, K2, K4 // concordant
	VPADDQ Z8, Z4, K4, Z4
	VPADDQ Z8, Z5, K3, Z5
	VPADDQ Z8, Z6, K1, Z6
	VPADDQ Z8, Z7, K2, Z7
	INCQ DX // next row
	CMPQ DX, CX
	JLT rows
	ADDQ $8, BX // next columns
	JMP columns

done:
	SUM(Z4, Y4, concordant+48(FP))
	SUM(Z5, Y5, discordant+56(FP))
	SUM(Z6, Y6, untiedX+64(FP))
	SUM(Z7, Y7, untiedY+72(FP))
	VZEROUPPER
	RET
#undef SUM

// func filterI32AVX512(dst, keys []int32, filter []uint64) int
// Requires: AVX512F, AVX512BW, POPCNT
//
// Registers: DI: end of dst; SI: next key; CX: keys left; R8: filter; Z0: index of its last
// doubleword; Z1: ones; Z2: positions; Z3: 16. An iteration gathers the doublewords of the filter
// for 16 keys and rotates them by the keys. The tail masks its gather and its store.
TEXT ·filterI32AVX512(SB), NOSPLIT, $0-80
// PASSING tests the keys of Z4 in K1. It moves the positions of those that pass to the front of Z7,
// and sets AX to their number.
#define PASSING \
	VPSRLD $5, Z4, Z5             \ // Z6 = filter[key >> 5 & last], in dwords
	VPANDD Z0, Z5, Z5             \
	VPGATHERDD (R8)(Z5*4), K1, Z6 \
	VPRORVD Z4, Z6, Z6            \ // pass = Z6 >> (key mod 32) & 1
	VPTESTMD Z1, Z6, K2           \
	KMOVW K2, AX                  \
	VPCOMPRESSD.Z Z2, K2, Z7      \
	POPCNTL AX, AX

	MOVQ dst_base+0(FP), DI
	MOVQ keys_base+24(FP), next
	MOVQ keys_len+32(FP), left
	MOVQ filter_base+48(FP), R8
	MOVQ filter_len+56(FP), AX
	LEAL -1(AX)(AX*1), AX // last = 2·words − 1
	VPBROADCASTD AX, Z0
	MOVL $1, AX // constants
	VPBROADCASTD AX, Z1
	VMOVDQU32 github·com∕simdrank∕simdrank∕internal∕kern·Iota(SB), Z2
	MOVL $16, AX
	VPBROADCASTD AX, Z3

loop16:
	CMPQ left, $16
	JLT tail
	VMOVDQU32 (next), Z4 // *DI++ = positions of the keys that pass
	KXNORW K1, K1, K1
	PASSING
	VMOVDQU32 Z7, (DI)
	LEAQ (DI)(AX*4), DI
	VPADDD Z3, Z2, Z2 // advance by 16
	ADDQ $64, next
	SUBQ $16, left
	JMP loop16

tail:
	TESTQ left, left
	JZ done
	FIRST16(AX, K1) // Z7 = positions of the keys that pass
	VMOVDQU32.Z (next), K1, Z4
	VPXORD Z6, Z6, Z6
	PASSING
	MOVL AX, left // store as many
	FIRST16(DX, K1)
	VMOVDQU32 Z7, K1, (DI)
	LEAQ (DI)(AX*4), DI

done:
	SUBQ dst_base+0(FP), DI // positions found
	SHRQ $2, DI
	MOVQ DI, ret+72(FP)
	VZEROUPPER
	RET
#undef PASSING

// func mergeKeysAVX512(keys []int64)
// Requires: AVX512F, AVX512DQ
//
// Registers: see sort_avx512_amd64.h. Z0-Z7 contain the first 64 keys, and Z8-Z15 the other 1 to
// 64, padded with the greatest integer. This is a bitonic merge (Batcher 1968). It orders keys at
// the same distance from the two ends, and then, within each half, keys at distances 32, 16 and 8
// and within vectors.
TEXT ·mergeKeysAVX512(SB), NOSPLIT, $0-24
	MOVQ keys_base+0(FP), dst
	MOVQ dst, next
	MOVQ keys_len+8(FP), left
	VMOVDQU64 reverseI64<>(SB), Z31 // constants
	VPTERNLOGQ $0xff, greatest, greatest, greatest
	VPSRLQ $1, greatest, greatest
	LANES
	MOVQ $-1, loads // shift out 128 − length bits, modulo 64
	NEGQ left
	SHRQ left, loads
	MOVQ loads, stores
	VMOVDQU64 (dst), Z0 // the first 64 keys
	VMOVDQU64 64(dst), Z1
	VMOVDQU64 128(dst), Z2
	VMOVDQU64 192(dst), Z3
	VMOVDQU64 256(dst), Z4
	VMOVDQU64 320(dst), Z5
	VMOVDQU64 384(dst), Z6
	VMOVDQU64 448(dst), Z7
	LOAD(512, Z8); LOAD(576, Z9) // the others
	LOAD(640, Z10); LOAD(704, Z11)
	LOAD(768, Z12); LOAD(832, Z13)
	LOAD(896, Z14); LOAD(960, Z15)
	CROSSREV(Z0, Z7, Z8, Z15) // from both ends
	CROSSREV(Z1, Z6, Z9, Z14)
	CROSSREV(Z2, Z5, Z10, Z13)
	CROSSREV(Z3, Z4, Z11, Z12)
	ORDER4(Z0, Z4, Z1, Z5, Z2, Z6, Z3, Z7) // at distance 32
	ORDER4(Z8, Z12, Z9, Z13, Z10, Z14, Z11, Z15)
	ORDER4(Z0, Z2, Z1, Z3, Z4, Z6, Z5, Z7) // 16
	ORDER4(Z8, Z10, Z9, Z11, Z12, Z14, Z13, Z15)
	ORDER4(Z0, Z1, Z2, Z3, Z4, Z5, Z6, Z7) // 8
	ORDER4(Z8, Z9, Z10, Z11, Z12, Z13, Z14, Z15)
	CLEAN4(Z0, Z1, Z2, Z3) // in the vectors
	CLEAN4(Z4, Z5, Z6, Z7)
	CLEAN4(Z8, Z9, Z10, Z11)
	CLEAN4(Z12, Z13, Z14, Z15)
	VMOVDQU64 Z0, (dst) // store as many as there are
	VMOVDQU64 Z1, 64(dst)
	VMOVDQU64 Z2, 128(dst)
	VMOVDQU64 Z3, 192(dst)
	VMOVDQU64 Z4, 256(dst)
	VMOVDQU64 Z5, 320(dst)
	VMOVDQU64 Z6, 384(dst)
	VMOVDQU64 Z7, 448(dst)
	STORE(512, Z8); STORE(576, Z9) // the last 1 to 64
	STORE(640, Z10); STORE(704, Z11)
	STORE(768, Z12); STORE(832, Z13)
	STORE(896, Z14); STORE(960, Z15)
	VZEROUPPER
	RET
