//go:build !purego

#include "go_asm.h"
#include "textflag.h"

#define INTEL github·com∕simdrank∕simdrank∕internal∕cpu·UseIntel(SB)

#define next SI // next element to read
#define left CX // elements left

// Names of the partitions.
#define src    BX // next element
#define pivots Y0

// oddI64 and highI64 select the lanes that keep the greater element at distances 1 and 2.
DATA oddI64<>+0x00(SB)/8, $0
DATA oddI64<>+0x08(SB)/8, $-1
DATA oddI64<>+0x10(SB)/8, $0
DATA oddI64<>+0x18(SB)/8, $-1
GLOBL oddI64<>(SB), RODATA|NOPTR, $32
DATA highI64<>+0x00(SB)/8, $0
DATA highI64<>+0x08(SB)/8, $0
DATA highI64<>+0x10(SB)/8, $-1
DATA highI64<>+0x18(SB)/8, $-1
GLOBL highI64<>(SB), RODATA|NOPTR, $32

// The macros of tallyI64AVX2 and moveI64AVX2. CELL4 stores the cells of 4 keys in the frame, and
// CELL16 those of 16 keys.
#define least  Y1 // lo
#define shifts X2 // shift
#define last   Y3 // the last cell, a mask
#define CELL4(keys, cell) \
	VMOVDQU keys, Y0       \
	VPSUBQ least, Y0, Y0   \ // cell = (key − lo) >> shift & last
	VPSRLQ shifts, Y0, Y0  \
	VPAND last, Y0, Y0     \
	VMOVDQU Y0, cell(SP)
#define CELL16(keys, cell) \
	CELL4(keys(next), cell); CELL4(keys+32(next), cell+32) \
	CELL4(keys+64(next), cell+64); CELL4(keys+96(next), cell+96)

// CELL1 sets DX to the cell of the next key.
#define CELL1 \
	VMOVQ (next), X0       \
	VPSUBQ X1, X0, X0      \
	VPSRLQ shifts, X0, X0  \
	VPAND X3, X0, X0       \
	VMOVQ X0, DX

// func scanF64AVX2(x []float64) (lo, hi float64, flags uint64)
// Requires: AVX2
//
// Registers: named below. An iteration of 8 elements checks only the properties that no element has
// violated yet. The tail is processed 4 elements at a time, and then one at a time, copied to all
// lanes.
TEXT ·scanF64AVX2(SB), NOSPLIT, $0-48
#define low0  Y0 // least of each lane, of even vectors
#define low1  Y6 // and of odd ones
#define high0 Y1 // greatest of each lane, of even vectors
#define high1 Y7 // and of odd ones
#define wide  Y4 // bits lost by conversion to float32
#define parts Y5 // bits lost by truncation to an integer
#define nans  Y9 // all bits of a lane are set after a NaN

// EXTREMES updates the least, the greatest and NaNs with Y2 and Y3.
#define EXTREMES \
	VMINPD Y2, low0, low0    \
	VMAXPD Y2, high0, high0  \
	VMINPD Y3, low1, low1    \
	VMAXPD Y3, high1, high1  \
	VCMPPD $3, Y2, Y3, Y8    \ // unordered
	VORPD Y8, nans, nans

// NARROW computes wide |= x ⊕ float32(x), and WHOLE computes parts |= x ⊕ trunc(x).
#define NARROW(x) \
	VCVTPD2PSY x, X8       \
	VCVTPS2PD X8, Y8       \
	VXORPD x, Y8, Y8       \
	VORPD Y8, wide, wide
#define WHOLE(x) \
	VROUNDPD $11, x, Y8    \ // truncated
	VXORPD x, Y8, Y8       \
	VORPD Y8, parts, parts

// LOAD8 loads 8 elements into Y2 and Y3 and updates the extremes. If fewer are left, it goes to the
// remainder.
#define LOAD8 \
	CMPQ left, $8          \
	JLT remainder          \
	PREFETCHT0 const_scanAhead(next) \
	VMOVUPD (next), Y2     \
	VMOVUPD 32(next), Y3   \
	ADDQ $64, next         \
	SUBQ $8, left          \
	EXTREMES

	MOVQ x_base+0(FP), next
	MOVQ x_len+8(FP), left
	MOVQ $0x7ff0000000000000, AX // low = +Inf
	VMOVQ AX, X0
	VPBROADCASTQ X0, low0
	VMOVAPD low0, low1
	MOVQ $0xfff0000000000000, AX // high = −Inf
	VMOVQ AX, X1
	VPBROADCASTQ X1, high0
	VMOVAPD high0, high1
	VXORPD wide, wide, wide // no flags
	VXORPD parts, parts, parts
	VXORPD nans, nans, nans

checkBoth:
	LOAD8
	NARROW(Y2)
	NARROW(Y3)
	WHOLE(Y2)
	WHOLE(Y3)
	VPTEST wide, wide // until an element is not a float32 or not an integer
	JNZ checkWhole
	VPTEST parts, parts
	JZ checkBoth

checkNarrow: // an element is not an integer
	LOAD8
	NARROW(Y2)
	NARROW(Y3)
	VPTEST wide, wide
	JZ checkNarrow
	JMP checkNothing

checkWhole: // an element is not a float32
	VPTEST parts, parts
	JNZ checkNothing
	LOAD8
	WHOLE(Y2)
	WHOLE(Y3)
	JMP checkWhole

checkNothing: // only the extremes and NaNs remain to be found
	LOAD8
	JMP checkNothing

remainder:
	CMPQ left, $4 // Y2 = 4 elements
	JLT tail
	VMOVUPD (next), Y2
	ADDQ $32, next
	SUBQ $4, left
	JMP checkTail

tail:
	TESTQ left, left // Y2 = one element, four times
	JZ done
	VBROADCASTSD (next), Y2
	ADDQ $8, next
	DECQ left

checkTail:
	VMOVAPD Y2, Y3 // all properties
	EXTREMES
	NARROW(Y2)
	WHOLE(Y2)
	JMP remainder

done:
	VMINPD low1, low0, Y0 // X0 = least of all lanes
	VEXTRACTF128 $1, Y0, X2
	VMINPD X2, X0, X0
	VPERMILPD $1, X0, X2
	VMINSD X2, X0, X0
	VMAXPD high1, high0, Y1 // X1 = greatest of all lanes
	VEXTRACTF128 $1, Y1, X2
	VMAXPD X2, X1, X1
	VPERMILPD $1, X1, X2
	VMAXSD X2, X1, X1
	VMOVSD X0, lo+24(FP)
	VMOVSD X1, hi+32(FP)
	XORL AX, AX // AX = flags
	VPTEST nans, nans
	JZ noNaN
	ORL $const_hasNaN, AX

noNaN:
	VPTEST wide, wide // an element was no float32
	JZ noWide
	ORL $const_hasWide, AX

noWide:
	VPTEST parts, parts // an element was no integer
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
#undef LOAD8

// func linearKeysF64AVX2(dst []int32, x []float64, mid, scale float64)
// Requires: AVX2
//
// Registers: DI: dst; SI: next of x; CX: elements left; Y0: mid; Y1: scale. An iteration
// processes 4 elements, then one.
TEXT ·linearKeysF64AVX2(SB), NOSPLIT, $0-64
	MOVQ dst_base+0(FP), DI
	MOVQ x_base+24(FP), next
	MOVQ x_len+32(FP), left
	VBROADCASTSD mid+48(FP), Y0
	VBROADCASTSD scale+56(FP), Y1

loop4:
	CMPQ left, $4
	JLT tail
	VMOVUPD (next), Y2 // dst[i] = int32((x[i] − mid)·scale)
	VSUBPD Y0, Y2, Y2
	VMULPD Y1, Y2, Y2
	VCVTTPD2DQY Y2, X2
	VMOVDQU X2, (DI)
	ADDQ $32, next // advance by 4
	ADDQ $16, DI
	SUBQ $4, left
	JMP loop4

tail:
	TESTQ left, left
	JZ done
	VMOVSD (next), X2 // dst[i] = int32((x[i] − mid)·scale)
	VSUBSD X0, X2, X2
	VMULSD X1, X2, X2
	VCVTTSD2SI X2, AX
	MOVL AX, (DI)
	ADDQ $8, next // advance by 1
	ADDQ $4, DI
	DECQ left
	JMP tail

done:
	VZEROUPPER
	RET

// func floatKeysF64AVX2(dst []int32, x []float64)
// Requires: AVX2
//
// Registers: DI: dst; SI: next of x; CX: elements left; X0: zero; X1: MaxInt32. An iteration
// processes 4 elements, then one. The key of a negative float32 has all bits but the sign flipped.
TEXT ·floatKeysF64AVX2(SB), NOSPLIT, $0-48
	MOVQ dst_base+0(FP), DI
	MOVQ x_base+24(FP), next
	MOVQ x_len+32(FP), left
	VPXOR X0, X0, X0
	VPCMPEQD X1, X1, X1 // MaxInt32
	VPSRLD $1, X1, X1

loop4:
	CMPQ left, $4
	JLT tail
	VCVTPD2PSY (next), X2 // v = float32(x[i]) + 0: −0 becomes +0
	VADDPS X0, X2, X2
	VPSRAD $31, X2, X3 // dst[i] = v ⊕ (v >> 31 & MaxInt32)
	VPAND X1, X3, X3
	VPXOR X3, X2, X2
	VMOVDQU X2, (DI)
	ADDQ $32, next // advance by 4
	ADDQ $16, DI
	SUBQ $4, left
	JMP loop4

tail:
	TESTQ left, left
	JZ done
	VMOVSD (next), X2 // v = float32(x[i]) + 0
	VCVTPD2PSX X2, X2
	VADDPS X0, X2, X2
	VPSRAD $31, X2, X3 // dst[i] = v ⊕ (v >> 31 & MaxInt32)
	VPAND X1, X3, X3
	VPXOR X3, X2, X2
	VMOVD X2, (DI)
	ADDQ $8, next // advance by 1
	ADDQ $4, DI
	DECQ left
	JMP tail

done:
	VZEROUPPER
	RET

// func floatKeysF32AVX2(dst []int32, x []float32) (nan bool)
// Requires: AVX2
//
// Registers: DI: dst; SI: next of x; CX: elements left; Y0: zero; Y1: MaxInt32; Y4: all bits of
// a lane are set after a NaN. An iteration processes 8 elements, then one.
TEXT ·floatKeysF32AVX2(SB), NOSPLIT, $0-49
	MOVQ dst_base+0(FP), DI
	MOVQ x_base+24(FP), next
	MOVQ x_len+32(FP), left
	VPXOR Y0, Y0, Y0
	VPXOR Y4, Y4, Y4
	VPCMPEQD Y1, Y1, Y1 // MaxInt32
	VPSRLD $1, Y1, Y1

loop8:
	CMPQ left, $8
	JLT tail
	VADDPS (next), Y0, Y2 // v = x[i] + 0; nan |= v ≠ v
	VCMPPS $3, Y2, Y2, Y3
	VORPS Y3, Y4, Y4
	VPSRAD $31, Y2, Y3 // dst[i] = v ⊕ (v >> 31 & MaxInt32)
	VPAND Y1, Y3, Y3
	VPXOR Y3, Y2, Y2
	VMOVDQU Y2, (DI)
	ADDQ $32, next // advance by 8
	ADDQ $32, DI
	SUBQ $8, left
	JMP loop8

tail:
	TESTQ left, left
	JZ done
	VBROADCASTSS (next), Y2 // v = x[i] + 0; nan |= v ≠ v
	VADDPS Y0, Y2, Y2
	VCMPPS $3, Y2, Y2, Y3
	VORPS Y3, Y4, Y4
	VPSRAD $31, Y2, Y3 // dst[i] = v ⊕ (v >> 31 & MaxInt32)
	VPAND Y1, Y3, Y3
	VPXOR Y3, Y2, Y2
	VMOVD X2, (DI)
	ADDQ $4, next // advance by 1
	ADDQ $4, DI
	DECQ left
	JMP tail

done:
	VMOVMSKPS Y4, AX
	TESTL AX, AX
	SETNE nan+48(FP)
	VZEROUPPER
	RET

// func packKeysAVX2(dst []int64, x, y []int32)
// Requires: AVX2
//
// Registers: DI: dst; SI: next of x; BX: next of y; CX: elements left; Y0: 2³¹. An iteration
// processes 4 elements, then one.
TEXT ·packKeysAVX2(SB), NOSPLIT, $0-72
	MOVQ dst_base+0(FP), DI
	MOVQ dst_len+8(FP), left
	MOVQ x_base+24(FP), next
	MOVQ y_base+48(FP), BX
	VPCMPEQD Y0, Y0, Y0 // 2³¹
	VPSLLQ $63, Y0, Y0
	VPSRLQ $32, Y0, Y0

loop4:
	CMPQ left, $4
	JLT tail
	VPMOVZXDQ (next), Y1 // dst[i] = x[i]·2³² + (y[i] ⊕ 2³¹)
	VPMOVZXDQ (BX), Y2
	VPSLLQ $32, Y1, Y1
	VPXOR Y0, Y2, Y2
	VPOR Y2, Y1, Y1
	VMOVDQU Y1, (DI)
	ADDQ $16, next // advance by 4
	ADDQ $16, BX
	ADDQ $32, DI
	SUBQ $4, left
	JMP loop4

tail:
	TESTQ left, left
	JZ done
	MOVL (next), AX // dst[i] = x[i]·2³² + (y[i] ⊕ 2³¹)
	MOVL (BX), DX
	XORL $0x80000000, DX
	MOVL DX, (DI)
	MOVL AX, 4(DI)
	ADDQ $4, next // advance by 1
	ADDQ $4, BX
	ADDQ $8, DI
	DECQ left
	JMP tail

done:
	VZEROUPPER
	RET

// func partitionI64AVX2(lo, hi, src []int64, pivot int64) int
// Requires: AVX2, POPCNT
//
// Registers: named below. An iteration permutes the elements of both parts to the front of a vector
// and stores whole vectors. These stores never reach elements that have not been read. The last
// elements are processed one at a time.
TEXT ·partitionI64AVX2(SB), NOSPLIT, $0-88
#define loEnd  DI // where the next element of lo goes
#define hiEnd  SI // where the next element of hi goes
#define fronts R8 // permutations that bring a set of lanes to the front, by the set

// PARTITION4 appends 4 elements at an offset to lo and hi.
#define PARTITION4(offset) \
	VMOVDQU offset(src), Y1      \
	VPCMPGTQ Y1, pivots, Y2      \ // set = lanes less than the pivot
	VMOVMSKPD Y2, AX             \
	MOVL AX, DX                  \
	SHLL $5, DX                  \
	VMOVDQU (fronts)(DX*1), Y2   \ // Y2, Y3 = permutations for the set and its complement
	XORL $0x1e0, DX              \
	VMOVDQU (fronts)(DX*1), Y3   \
	VPERMD Y1, Y2, Y2            \
	VPERMD Y1, Y3, Y3            \
	POPCNTL AX, AX               \
	VMOVDQU Y2, (loEnd)          \
	VMOVDQU Y3, (hiEnd)          \
	LEAQ (loEnd)(AX*8), loEnd    \ // loEnd += |set|, hiEnd += 4 − |set|
	SHLL $3, AX                  \
	SUBQ AX, hiEnd               \
	ADDQ $32, hiEnd

	MOVQ lo_base+0(FP), loEnd
	MOVQ hi_base+24(FP), hiEnd
	MOVQ src_base+48(FP), src
	MOVQ src_len+56(FP), left
	VPBROADCASTQ pivot+72(FP), pivots
	LEAQ ·frontI64(SB), fronts

loop16:
	CMPQ left, $16 // 16 elements at a time
	JLT loop4
	PARTITION4(0)
	PARTITION4(32)
	PARTITION4(64)
	PARTITION4(96)
	ADDQ $128, src
	SUBQ $16, left
	JMP loop16

loop4:
	CMPQ left, $4 // 4 elements at a time
	JLT tail
	PARTITION4(0)
	ADDQ $32, src
	SUBQ $4, left
	JMP loop4

tail:
	MOVQ pivot+72(FP), R9

tail1:
	TESTQ left, left
	JZ done
	MOVQ (src), DX // *loEnd = *hiEnd = v; AX = v < pivot
	XORL AX, AX
	MOVQ DX, (loEnd)
	MOVQ DX, (hiEnd)
	CMPQ DX, R9
	SETLT AX
	LEAQ (loEnd)(AX*8), loEnd // loEnd += AX, hiEnd += 1 − AX
	SHLL $3, AX
	SUBQ AX, hiEnd
	ADDQ $8, hiEnd
	ADDQ $8, src
	DECQ left
	JMP tail1

done:
	SUBQ lo_base+0(FP), loEnd // elements of lo
	SHRQ $3, loEnd
	MOVQ loEnd, ret+80(FP)
	VZEROUPPER
	RET
#undef loEnd
#undef hiEnd
#undef fronts
#undef PARTITION4

// func tallyI64AVX2(cells []uint32, keys []int64, lo int64, shift int)
// Requires: AVX2
//
// Registers: BX: cells; SI: next key; CX: keys left; Y1: lo; X2: shift; Y3: the last cell. Vector
// instructions compute the cells of 16 keys, which are then read from the frame.
TEXT ·tallyI64AVX2(SB), NOSPLIT, $128-64
// TALLY counts a key in the cell at an offset of the frame, and TALLY4 counts four keys.
#define TALLY(cell) \
	MOVQ cell(SP), DX      \
	INCL (BX)(DX*4)
#define TALLY4(cell) \
	TALLY(cell); TALLY(cell+8); TALLY(cell+16); TALLY(cell+24)

	MOVQ cells_base+0(FP), BX
	MOVQ cells_len+8(FP), AX
	MOVQ keys_base+24(FP), next
	MOVQ keys_len+32(FP), left
	VPBROADCASTQ lo+48(FP), least
	VMOVQ shift+56(FP), shifts
	DECQ AX // last = len(cells) − 1
	VMOVQ AX, X3
	VPBROADCASTQ X3, last
	PCALIGN $32

loop16:
	CMPQ left, $16 // 16 keys at a time
	JLT tail
	CELL16(0, 0)
	TALLY4(0)
	TALLY4(32)
	TALLY4(64)
	TALLY4(96)
	ADDQ $128, next // advance by 16
	SUBQ $16, left
	JMP loop16

tail:
	TESTQ left, left // then one
	JZ done
	CELL1
	INCL (BX)(DX*4)
	ADDQ $8, next
	DECQ left
	JMP tail

done:
	VZEROUPPER
	RET
#undef TALLY
#undef TALLY4

// func moveI64AVX2(dst []int64, cells []uint32, keys []int64, lo int64, shift int)
// Requires: AVX2
//
// Registers: named below. The frame contains the cells of 16 keys. On Intel, it also contains the
// cells of the next 16 keys, whose destinations are prefetched in the meantime: see storesAhead.
TEXT ·moveI64AVX2(SB), NOSPLIT, $256-88
#define dst    DI
#define starts BX // where the next key of each cell goes

// PUT moves a key to cell DX. MOVE does so for the cell at an offset of the frame, and MOVE4 for
// four keys.
#define PUT(key) \
	MOVL (starts)(DX*4), R8    \
	MOVQ key, AX           \
	MOVQ AX, (dst)(R8*8)    \
	INCL R8                \
	MOVL R8, (starts)(DX*4)
#define MOVE(key, cell) \
	MOVQ cell(SP), DX      \
	PUT(key(next))
#define MOVE4(cell) \
	MOVE(cell, cell); MOVE(cell+8, cell+8) \
	MOVE(cell+16, cell+16); MOVE(cell+24, cell+24)

// FETCH prefetches the destination of a later key, or of another key of the same cell before it.
#define FETCH(cell) \
	MOVQ cell(SP), R9      \
	MOVL (starts)(R9*4), R9    \
	PREFETCHT0 (dst)(R9*8)

// AHEAD4 moves four keys and prefetches the destinations of four later keys. AHEAD moves 16 keys,
// computes the cells of the next 16 and prefetches their destinations.
#define AHEAD4(key, cell, ahead) \
	FETCH(ahead); MOVE(key, cell)         \
	FETCH(ahead+8); MOVE(key+8, cell+8)   \
	FETCH(ahead+16); MOVE(key+16, cell+16) \
	FETCH(ahead+24); MOVE(key+24, cell+24)
#define AHEAD(cell, ahead) \
	CELL16(128, ahead)      \
	AHEAD4(0, cell, ahead)  \
	AHEAD4(32, cell+32, ahead+32) \
	AHEAD4(64, cell+64, ahead+64) \
	AHEAD4(96, cell+96, ahead+96) \
	ADDQ $128, next         \
	SUBQ $16, left

	MOVQ dst_base+0(FP), dst
	MOVQ cells_base+24(FP), starts
	MOVQ cells_len+32(FP), AX
	MOVQ keys_base+48(FP), next
	MOVQ keys_len+56(FP), left
	VPBROADCASTQ lo+72(FP), least
	VMOVQ shift+80(FP), shifts
	DECQ AX // last = len(cells) − 1
	VMOVQ AX, X3
	VPBROADCASTQ X3, last
	CMPB INTEL, $0
	JEQ loop16
	CMPQ left, $48 // two times 16 keys, and 16 to fetch for
	JLT loop16
	CELL16(0, 0)
	PCALIGN $32

ahead32:
	AHEAD(0, 128)
	AHEAD(128, 0)
	CMPQ left, $48
	JGE ahead32

loop16:
	CMPQ left, $16 // 16 keys at a time
	JLT tail
	CELL16(0, 0)
	MOVE4(0)
	MOVE4(32)
	MOVE4(64)
	MOVE4(96)
	ADDQ $128, next // advance by 16
	SUBQ $16, left
	JMP loop16

tail:
	TESTQ left, left // then one
	JZ done
	CELL1
	PUT((next))
	ADDQ $8, next
	DECQ left
	JMP tail

done:
	VZEROUPPER
	RET
#undef dst
#undef starts
#undef PUT
#undef MOVE
#undef MOVE4
#undef FETCH
#undef AHEAD4
#undef AHEAD

// func sortI64AVX2(dst, src []int64)
// Requires: AVX2
//
// Registers: named below; Y0-Y7: the half being sorted; Y8, Y9, Y12, Y13: scratch. The frame
// contains 64 elements in halves of 32. A half in use is padded with the greatest integer. It is
// sorted as columns, which are transposed to rows and merged (bitonic: Batcher 1968). Two halves
// are merged in the same way, through the frame.
TEXT ·sortI64AVX2(SB), NOSPLIT, $512-48
#define dst    DI
#define half   BX  // the half being sorted
#define halves R11 // how many there are: 1 or 2
#define masks  R9  // where the ones of kern.Masks end
#define odd    Y10 // lanes of the greater at distance 1
#define upper  Y11 // lanes of the greater at distance 2

// ORDER sets a to the lesser and b to the greater of each lane.
#define ORDER(a, b) \
	VPCMPGTQ b, a, Y9       \
	VBLENDVPD Y9, b, a, Y8  \
	VBLENDVPD Y9, a, b, b   \
	VMOVDQA Y8, a

// ORDER4 orders four pairs.
#define ORDER4(a, b, c, d, e, f, g, h) ORDER(a, b); ORDER(c, d); ORDER(e, f); ORDER(g, h)

// CROSSREV merges a with the reverse of d, and c with the reverse of b. The lesser elements go to a
// and c, the greater ones to b and d.
#define CROSSREV(a, c, b, d) \
	VPERMQ $0x1b, d, Y8      \
	VPERMQ $0x1b, b, Y12     \
	VPCMPGTQ Y8, a, Y9       \
	VBLENDVPD Y9, a, Y8, b   \
	VBLENDVPD Y9, Y8, a, a   \
	VPCMPGTQ Y12, c, Y9      \
	VBLENDVPD Y9, c, Y12, d  \
	VBLENDVPD Y9, Y12, c, c

// CLEAN sorts a bitonic register: it orders lanes at distances 2 and 1. CLEAN8 does this for each
// of Y0 to Y7.
#define CLEAN(r) \
	VPERMQ $0x4e, r, Y8    \
	VPCMPGTQ Y8, r, Y9     \
	VPXOR upper, Y9, Y9    \
	VBLENDVPD Y9, Y8, r, r \
	VPSHUFD $0x4e, r, Y8   \
	VPCMPGTQ Y8, r, Y9     \
	VPXOR odd, Y9, Y9      \
	VBLENDVPD Y9, Y8, r, r
#define CLEAN8 \
	CLEAN(Y0); CLEAN(Y1); CLEAN(Y2); CLEAN(Y3); \
	CLEAN(Y4); CLEAN(Y5); CLEAN(Y6); CLEAN(Y7)

// ROWS transposes four registers with sorted columns to four sorted registers.
#define ROWS(a, b, c, d) \
	VPUNPCKLQDQ b, a, Y8      \
	VPUNPCKHQDQ b, a, Y9      \
	VPUNPCKLQDQ d, c, Y12     \
	VPUNPCKHQDQ d, c, Y13     \
	VPERM2I128 $0x20, Y12, Y8, a \
	VPERM2I128 $0x20, Y13, Y9, b \
	VPERM2I128 $0x31, Y12, Y8, c \
	VPERM2I128 $0x31, Y13, Y9, d

// CLEAN32 sorts the 32 elements of Y0 to Y7, which are bitonic.
#define CLEAN32 \
	ORDER4(Y0, Y4, Y1, Y5, Y2, Y6, Y3, Y7) \
	ORDER4(Y0, Y2, Y1, Y3, Y4, Y6, Y5, Y7) \
	ORDER4(Y0, Y1, Y2, Y3, Y4, Y5, Y6, Y7) \
	CLEAN8

// LOAD32 loads 32 elements of the frame into Y0 to Y7, and STORE32 stores them.
#define LOAD32(offset) \
	VMOVDQU (offset+0)(half), Y0; VMOVDQU (offset+32)(half), Y1 \
	VMOVDQU (offset+64)(half), Y2; VMOVDQU (offset+96)(half), Y3 \
	VMOVDQU (offset+128)(half), Y4; VMOVDQU (offset+160)(half), Y5 \
	VMOVDQU (offset+192)(half), Y6; VMOVDQU (offset+224)(half), Y7
#define STORE32(offset, a, b, c, d, e, f, g, h) \
	VMOVDQU a, (offset+0)(half); VMOVDQU b, (offset+32)(half) \
	VMOVDQU c, (offset+64)(half); VMOVDQU d, (offset+96)(half) \
	VMOVDQU e, (offset+128)(half); VMOVDQU f, (offset+160)(half) \
	VMOVDQU g, (offset+192)(half); VMOVDQU h, (offset+224)(half)

// FACE compares r with 4 elements of the frame in reverse order. The lesser ones go to r, the
// greater ones to the frame.
#define FACE(r, offset) \
	VMOVDQU offset(half), Y12   \
	VPERMQ $0x1b, Y12, Y12      \
	VPCMPGTQ Y12, r, Y9         \
	VBLENDVPD Y9, r, Y12, Y13   \
	VBLENDVPD Y9, Y12, r, r     \
	VMOVDQU Y13, offset(half)

	MOVQ dst_base+0(FP), dst
	MOVQ src_base+24(FP), next
	MOVQ src_len+32(FP), left
	TESTQ left, left
	JZ done
	VMOVDQU oddI64<>(SB), odd
	VMOVDQU highI64<>(SB), upper
	VPCMPEQD Y0, Y0, Y0 // MaxInt64
	VPSRLQ $1, Y0, Y0
	LEAQ buf-(8*const_LeafLen)(SP), half
	LEAQ github·com∕simdrank∕simdrank∕internal∕kern·Masks+64(SB), masks

	MOVL $1, DX // DX = halves to sort
	CMPQ left, $32
	JLE fill
	MOVL $2, DX

fill:
	MOVQ DX, halves
	MOVQ DX, R8
	SHLQ $8, R8 // their bytes
	XORL AX, AX // AX = bytes copied
	MOVQ left, R10

copy4:
	CMPQ R10, $4 // copy 4 elements at a time
	JLT copyTail
	VMOVDQU (next)(AX*1), Y1
	VMOVDQU Y1, (half)(AX*1)
	ADDQ $32, AX
	SUBQ $4, R10
	JMP copy4

copyTail:
	CMPQ AX, R8 // the last 0 to 3 elements, then MaxInt64 up to the end of the half
	JGE sortHalf
	NEGQ R10
	VMOVDQU 32(masks)(R10*8), Y2
	VPMASKMOVQ (next)(AX*1), Y2, Y1
	VBLENDVPD Y2, Y1, Y0, Y1
	VMOVDQU Y1, (half)(AX*1)
	XORL R10, R10 // nothing but MaxInt64 from here on
	ADDQ $32, AX
	JMP copyTail

sortHalf:
	LOAD32(0)
	// Sort columns by the 19 comparators for 8 inputs (Knuth, volume 3, 5.3.4).
	ORDER4(Y0, Y2, Y1, Y3, Y4, Y6, Y5, Y7)
	ORDER4(Y0, Y4, Y1, Y5, Y2, Y6, Y3, Y7)
	ORDER4(Y0, Y1, Y2, Y3, Y4, Y5, Y6, Y7)
	ORDER(Y2, Y4); ORDER(Y3, Y5)
	ORDER(Y1, Y4); ORDER(Y3, Y6)
	ORDER(Y1, Y2); ORDER(Y3, Y4); ORDER(Y5, Y6)
	ROWS(Y0, Y1, Y2, Y3) // column c becomes rows c and 4+c
	ROWS(Y4, Y5, Y6, Y7)
	CROSSREV(Y0, Y4, Y1, Y5) // merge columns 0 and 1, 2 and 3
	CROSSREV(Y2, Y6, Y3, Y7)
	ORDER4(Y0, Y4, Y1, Y5, Y2, Y6, Y3, Y7)
	CLEAN8
	CROSSREV(Y0, Y5, Y2, Y7) // Y0 Y4 Y1 Y5 are sorted, and Y2 Y6 Y3 Y7: merge them
	CROSSREV(Y4, Y1, Y6, Y3)
	ORDER4(Y0, Y1, Y4, Y5, Y2, Y3, Y6, Y7)
	ORDER4(Y0, Y4, Y1, Y5, Y2, Y6, Y3, Y7)
	CLEAN8
	STORE32(0, Y0, Y4, Y1, Y5, Y2, Y6, Y3, Y7)
	ADDQ $256, half // the other half
	DECL DX
	JNZ sortHalf
	LEAQ buf-(8*const_LeafLen)(SP), half
	CMPL halves, $1
	JEQ write

	LOAD32(0) // merge: the first half against the reverse of the second
	XORL AX, AX
	FACE(Y0, 480)
	FACE(Y1, 448)
	FACE(Y2, 416)
	FACE(Y3, 384)
	FACE(Y4, 352)
	FACE(Y5, 320)
	FACE(Y6, 288) // both halves become bitonic
	FACE(Y7, 256)
	CLEAN32
	STORE32(0, Y0, Y1, Y2, Y3, Y4, Y5, Y6, Y7)
	LOAD32(256)
	CLEAN32
	STORE32(256, Y0, Y1, Y2, Y3, Y4, Y5, Y6, Y7)

write:
	XORL AX, AX // AX = bytes written

write4:
	CMPQ left, $4 // 4 elements at a time
	JLT writeTail
	VMOVDQU (half)(AX*1), Y1
	VMOVDQU Y1, (dst)(AX*1)
	ADDQ $32, AX
	SUBQ $4, left
	JMP write4

writeTail:
	TESTQ left, left // the last 1 to 3 elements, masked
	JZ done
	NEGQ left
	VMOVDQU 32(masks)(left*8), Y2
	VMOVDQU (half)(AX*1), Y1
	VPMASKMOVQ Y1, Y2, (dst)(AX*1)

done:
	VZEROUPPER
	RET
#undef dst
#undef half
#undef halves
#undef masks
#undef odd
#undef upper
#undef ORDER
#undef ORDER4
#undef CROSSREV
#undef CLEAN
#undef CLEAN8
#undef ROWS
#undef CLEAN32
#undef LOAD32
#undef STORE32
#undef FACE

// func splitKeysAVX2(y []int32, newX, newKey []uint8, keys []int64)
// Requires: AVX2
//
// Registers: DI: y; BX: newX; DX: newKey; SI: key before the next; CX: keys left; Y0: 2³¹. An
// iteration processes 8 keys and stores a byte of bits. The tail processes one key at a time and
// collects its bits in R8 and R9.
TEXT ·splitKeysAVX2(SB), NOSPLIT, $0-96
	MOVQ y_base+0(FP), DI
	MOVQ y_len+8(FP), left
	MOVQ newX_base+24(FP), BX
	MOVQ newKey_base+48(FP), DX
	MOVQ keys_base+72(FP), next
	VPCMPEQD Y0, Y0, Y0 // 2³¹
	VPSLLD $31, Y0, Y0

loop8:
	CMPQ left, $8
	JLT tail
	VMOVDQU 8(next), Y1 // Y1, Y2 = 8 keys; Y3, Y4 = the keys before them
	VMOVDQU 40(next), Y2
	VMOVDQU (next), Y3
	VMOVDQU 32(next), Y4
	VPCMPEQD Y1, Y3, Y5 // the sign of a lane: equal upper halves, the same x
	VPCMPEQD Y2, Y4, Y6
	VPCMPEQQ Y1, Y3, Y3 // equal keys
	VPCMPEQQ Y2, Y4, Y4
	VMOVMSKPD Y5, AX // *newX = a bit for each x that differs
	VMOVMSKPD Y6, R8
	SHLL $4, R8
	ORL R8, AX
	NOTL AX
	MOVB AX, (BX)
	VMOVMSKPD Y3, AX // *newKey = a bit for each key that differs
	VMOVMSKPD Y4, R8
	SHLL $4, R8
	ORL R8, AX
	NOTL AX
	MOVB AX, (DX)
	VSHUFPS $0x88, Y2, Y1, Y1 // y[i] = lower half ⊕ 2³¹
	VPERMQ $0xd8, Y1, Y1
	VPXOR Y0, Y1, Y1
	VMOVDQU Y1, (DI)
	ADDQ $64, next // advance by 8 keys and a byte
	ADDQ $32, DI
	INCQ BX
	INCQ DX
	SUBQ $8, left
	JMP loop8

tail:
	TESTQ left, left
	JZ done
	XORL R8, R8 // no bits
	XORL R9, R9
	MOVL $1, R10 // R10 = bit of the key

tail1:
	MOVQ 8(next), R11 // AX = key ⊕ the key before; y[i] = lower half ⊕ 2³¹
	MOVQ (next), AX
	XORQ R11, AX
	XORL $0x80000000, R11
	MOVL R11, (DI)
	XORL R11, R11 // if AX ≠ 0: R9 |= bit
	TESTQ AX, AX
	CMOVLNE R10, R11
	ORL R11, R9
	XORL R11, R11 // if AX >> 32 ≠ 0: R8 |= bit
	SHRQ $32, AX
	CMOVLNE R10, R11
	ORL R11, R8
	ADDL R10, R10 // advance by a bit and a key
	ADDQ $8, next
	ADDQ $4, DI
	DECQ left
	JNZ tail1
	MOVB R8, (BX)
	MOVB R9, (DX)

done:
	VZEROUPPER
	RET

// func partitionCountI32AVX2(lo, hi, src []int32, pivot int32) (n int, positions int64)
// Requires: AVX2, POPCNT
//
// Registers: named below. An iteration processes 8 elements and sums positions like the AVX-512
// kernel. The tail is processed one element at a time.
TEXT ·partitionCountI32AVX2(SB), NOSPLIT, $0-96
#define lo     DI
#define hi     SI
#define loLen  R8  // elements of lo, n
#define hiLen  R11 // elements of hi
#define rounds R9  // iterations; in the tail, positions
#define sums   R10 // Σ n after each iteration; in the tail, the pivot
#define fronts R12 // permutations that bring a set of lanes to the front, by the set
#define inLane Y9  // Σ of the lanes that go to lo
#define lanes  Y10 // 0 to 7

// PARTITION8 appends 8 elements at an offset to lo and hi.
#define PARTITION8(offset) \
	VMOVDQU offset(src), Y1        \
	VPCMPGTD Y1, pivots, Y2        \ // AX = set of lanes less than the pivot, DX = the others
	VMOVMSKPS Y2, AX               \
	VPAND lanes, Y2, Y4            \
	MOVL AX, DX                    \
	XORL $0xff, DX                 \
	VPMOVZXBD (fronts)(AX*8), Y2   \
	VPMOVZXBD (fronts)(DX*8), Y3   \
	VPADDD Y4, inLane, inLane      \
	VPERMD Y1, Y2, Y2              \
	VPERMD Y1, Y3, Y3              \
	POPCNTL AX, AX                 \
	VMOVDQU Y2, (lo)(loLen*4)      \
	VMOVDQU Y3, (hi)(hiLen*4)      \
	ADDQ AX, loLen                 \ // loLen += |set|, hiLen += 8 − |set|, sums += loLen
	SUBQ AX, hiLen                 \
	ADDQ $8, hiLen                 \
	ADDQ loLen, sums

	MOVQ lo_base+0(FP), lo
	MOVQ hi_base+24(FP), hi
	MOVQ src_base+48(FP), src
	MOVQ src_len+56(FP), left
	MOVL pivot+72(FP), AX
	VMOVD AX, X0
	VPBROADCASTD X0, pivots
	VPXOR inLane, inLane, inLane
	VMOVDQU github·com∕simdrank∕simdrank∕internal∕kern·Iota(SB), lanes // constants, no counts
	LEAQ ·frontI32(SB), fronts
	XORL loLen, loLen
	XORL sums, sums
	XORL hiLen, hiLen
	MOVQ left, rounds
	SHRQ $3, rounds

loop32:
	CMPQ left, $32 // 32 elements at a time
	JLT loop8
	PARTITION8(0)
	PARTITION8(32)
	PARTITION8(64)
	PARTITION8(96)
	ADDQ $128, src
	SUBQ $32, left
	JMP loop32

loop8:
	CMPQ left, $8 // 8 elements at a time
	JLT tail
	PARTITION8(0)
	ADDQ $32, src
	SUBQ $8, left
	JMP loop8

tail:
	MOVQ rounds, R13 // positions so far = 8·(rounds·n − sums) + Σ lanes
	IMULQ loLen, rounds
	SUBQ sums, rounds
	SHLQ $3, rounds
	SHLQ $3, R13 // position of the next element
	VEXTRACTI128 $1, inLane, X2 // AX = Σ lanes
	VPADDD X2, X9, X1
	VPSHUFD $0x4e, X1, X2
	VPADDD X2, X1, X1
	VPSHUFD $0xb1, X1, X2
	VPADDD X2, X1, X1
	VMOVD X1, AX
	ADDQ AX, rounds
	MOVL pivot+72(FP), sums // the sum is used up

tail1:
	TESTQ left, left
	JZ done
	MOVL (src), DX // lo[loLen] = hi[hiLen] = v; AX = v < pivot
	XORL AX, AX
	MOVL DX, (lo)(loLen*4)
	MOVL DX, (hi)(hiLen*4)
	CMPL DX, sums
	SETLT AX
	ADDQ AX, loLen // loLen += AX, hiLen += 1 − AX
	SUBQ AX, hiLen
	INCQ hiLen
	NEGQ AX // positions += AX·position
	ANDQ R13, AX
	ADDQ AX, rounds
	INCQ R13 // next element
	ADDQ $4, src
	DECQ left
	JMP tail1

done:
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
#undef fronts
#undef inLane
#undef lanes
#undef PARTITION8

// func inversionsI32AVX2(a []int32) (inversions, equal int64)
// Requires: AVX2, POPCNT
//
// Registers: named below; Y0-Y7: the elements; Y9-Y12: scratch. It counts like the AVX-512 kernel.
// Up to 32 elements are in Y0 to Y3, and up to 64 in Y0 to Y7. They come from a copy in the frame,
// which is padded with the greatest integer. Pack instructions work on each half of a register. So
// the lower half of Yk has elements 4k to 4k+3 of 16, and the upper half has the same elements of
// the next 16.
TEXT ·inversionsI32AVX2(SB), NOSPLIT, $256-40
#define copied   BX  // elements in the frame
#define behind   R8  // bits of the elements behind i
#define inverted R9  // inversions: pairs with a[i] > a[j], i < j
#define differ   R10 // pairs that differ
#define each     Y8  // a[i] in each lane

// LESS sets AX to a bit for each of 32 elements, which is set if the element is less than a[i].
#define LESS(a, b, c, d) \
	VPCMPGTD a, each, Y9     \
	VPCMPGTD b, each, Y10    \
	VPCMPGTD c, each, Y11    \
	VPCMPGTD d, each, Y12    \
	VPACKSSDW Y10, Y9, Y9    \
	VPACKSSDW Y12, Y11, Y11  \
	VPACKSSWB Y11, Y9, Y9    \
	VPMOVMSKB Y9, AX

	MOVQ a_base+0(FP), next
	MOVQ a_len+8(FP), left
	XORL inverted, inverted
	XORL differ, differ
	TESTQ left, left
	JZ done
	VPCMPEQD Y0, Y0, Y0 // MaxInt32
	VPSRLD $1, Y0, Y0
	LEAQ buf-256(SP), copied // copy: AX bytes are copied, DX elements left
	LEAQ github·com∕simdrank∕simdrank∕internal∕kern·Masks+64(SB), R11
	XORL AX, AX
	MOVQ left, DX

copy8:
	CMPQ DX, $8 // 8 elements at a time
	JLT copyTail
	VMOVDQU (next)(AX*1), Y1
	VMOVDQU Y1, (copied)(AX*1)
	ADDQ $32, AX
	SUBQ $8, DX
	JMP copy8

copyTail:
	CMPQ AX, $256 // the last 0 to 7 elements, then MaxInt32 up to 64
	JGE arrange
	NEGQ DX
	VMOVDQU 32(R11)(DX*4), Y2
	VPMASKMOVD (next)(AX*1), Y2, Y1
	VPBLENDVB Y2, Y1, Y0, Y1
	VMOVDQU Y1, (copied)(AX*1)
	XORL DX, DX // nothing but MaxInt32 from here on
	ADDQ $32, AX
	JMP copyTail

arrange:
	VMOVDQU (copied), X0 // elements 0 to 31
	VMOVDQU 16(copied), X1
	VMOVDQU 32(copied), X2
	VMOVDQU 48(copied), X3
	VINSERTI128 $1, 64(copied), Y0, Y0
	VINSERTI128 $1, 80(copied), Y1, Y1
	VINSERTI128 $1, 96(copied), Y2, Y2
	VINSERTI128 $1, 112(copied), Y3, Y3
	MOVQ $-2, behind // all but element 0
	CMPQ left, $32
	JGT arrange64

loop32:
	VPBROADCASTD (next), each
	LESS(Y0, Y1, Y2, Y3)
	POPCNTL AX, DX // differ += elements less than a[i]
	ANDL behind, AX
	ADDQ DX, differ
	POPCNTL AX, AX // inverted += the number of these behind i
	ADDQ AX, inverted
	ADDL behind, behind // i++
	ADDQ $4, next
	DECQ left
	JNZ loop32
	JMP done

arrange64:
	VMOVDQU 128(copied), X4 // elements 32 to 63
	VMOVDQU 144(copied), X5
	VMOVDQU 160(copied), X6
	VMOVDQU 176(copied), X7
	VINSERTI128 $1, 192(copied), Y4, Y4
	VINSERTI128 $1, 208(copied), Y5, Y5
	VINSERTI128 $1, 224(copied), Y6, Y6
	VINSERTI128 $1, 240(copied), Y7, Y7

loop64:
	VPBROADCASTD (next), each // AX = bits of the elements less than a[i]
	LESS(Y4, Y5, Y6, Y7)
	MOVQ AX, DX
	SHLQ $32, DX
	LESS(Y0, Y1, Y2, Y3)
	ORQ DX, AX
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
	MOVQ a_len+8(FP), CX // equal = n(n−1)/2 − differ
	LEAQ -1(CX), AX
	IMULQ CX, AX
	SHRQ $1, AX
	SUBQ differ, AX
	MOVQ inverted, inversions+24(FP)
	MOVQ AX, equal+32(FP)
	VZEROUPPER
	RET
#undef copied
#undef behind
#undef inverted
#undef differ
#undef each
#undef LESS

// func countPairsF64AVX2(x, y []float64) (concordant, discordant, untiedX, untiedY int64)
// Requires: AVX2
//
// Registers: SI: x; DI: y; CX: length; BX: first of 4 columns; Y0, Y1: their x and y; Y14: columns
// that exist; DX: row; Y4-Y7: minus the counts of each lane. Each row is compared with all columns,
// so an untied pair appears once in ascending order of x, and once in ascending order of y.
TEXT ·countPairsF64AVX2(SB), NOSPLIT, $0-80
// SUM stores the sum of a counter's lanes, negated.
#define SUM(y, x, to) \
	VEXTRACTI128 $1, y, X1 \
	VPADDQ X1, x, X0       \
	VPSHUFD $0x4e, X0, X1  \
	VPADDQ X1, X0, X0      \
	VMOVQ X0, AX           \
	NEGQ AX                \
	MOVQ AX, to

	MOVQ x_base+0(FP), SI
	MOVQ x_len+8(FP), CX
	MOVQ y_base+24(FP), DI
	LEAQ github·com∕simdrank∕simdrank∕internal∕kern·Masks+64(SB), R9
	VPXOR Y4, Y4, Y4 // no counts
	VPXOR Y5, Y5, Y5
	VPXOR Y6, Y6, Y6
	VPXOR Y7, Y7, Y7
	XORL BX, BX

columns:
	CMPQ BX, CX
	JGE done
	MOVQ BX, R8 // R8 = −min(4, columns left)
	SUBQ CX, R8
	CMPQ R8, $-4
	JGE mask
	MOVQ $-4, R8

mask:
	VMOVDQU 32(R9)(R8*8), Y14
	VMASKMOVPD (SI)(BX*8), Y14, Y0
	VMASKMOVPD (DI)(BX*8), Y14, Y1
	XORL DX, DX

rows:
	VBROADCASTSD (SI)(DX*8), Y2 // the row's x and y
	VBROADCASTSD (DI)(DX*8), Y3
	VCMPPD $1, Y0, Y2, Y8 // x ascends from the row to the column
	VCMPPD $1, Y1, Y3, Y9 // y ascends
	VCMPPD $1, Y3, Y1, Y10 // y descends
	VPAND Y14, Y8, Y8
	VPAND Y14, Y9, Y9
	VPAND Y8, Y9, Y11 // concordant
	VPAND Y8, Y10, Y10 // discordant
	VPADDQ Y11, Y4, Y4 // counts −= masks, which are −1
	VPADDQ Y10, Y5, Y5
	VPADDQ Y8, Y6, Y6
	VPADDQ Y9, Y7, Y7
	INCQ DX // next row
	CMPQ DX, CX
	JLT rows
	ADDQ $4, BX // next columns
	JMP columns

done:
	SUM(Y4, X4, concordant+48(FP))
	SUM(Y5, X5, discordant+56(FP))
	SUM(Y6, X6, untiedX+64(FP))
	SUM(Y7, X7, untiedY+72(FP))
	VZEROUPPER
	RET
#undef SUM

// func filterI32AVX2(dst, keys []int32, filter []uint64) int
// Requires: nothing beyond amd64
//
// Registers: DI: dst; SI: next key; CX: keys left; R8: filter; R9: the last of its words; R10:
// positions found; R11: position of the next key. An iteration processes 4 keys without a branch,
// because only a few per cent of keys pass. The last keys are processed one at a time.
TEXT ·filterI32AVX2(SB), NOSPLIT, $0-80
// FILTER stores the position of key i of an iteration, and counts it if the key passes.
#define FILTER(i) \
	MOVL (4*i)(next), AX    \
	LEAL i(R11), BX         \
	MOVL AX, DX             \
	SHRL $6, DX             \ // word = filter[key >> 6 & last]
	ANDL R9, DX             \
	MOVQ (R8)(DX*8), DX     \
	MOVL BX, (DI)(R10*4)    \
	BTQ AX, DX              \ // found += word >> (key mod 64) & 1
	ADCQ $0, R10

	MOVQ dst_base+0(FP), DI
	MOVQ keys_base+24(FP), next
	MOVQ keys_len+32(FP), left
	MOVQ filter_base+48(FP), R8
	MOVQ filter_len+56(FP), R9
	DECQ R9
	XORL R10, R10 // nothing found, position 0
	XORL R11, R11

loop4:
	CMPQ left, $4 // 4 keys at a time
	JLT tail
	FILTER(0)
	FILTER(1)
	FILTER(2)
	FILTER(3)
	ADDQ $16, next
	ADDL $4, R11
	SUBQ $4, left // advance by 4
	JMP loop4

tail:
	TESTQ left, left // then one
	JZ done
	FILTER(0)
	ADDQ $4, next
	INCL R11
	DECQ left
	JMP tail

done:
	MOVQ R10, ret+72(FP)
	RET
#undef FILTER
