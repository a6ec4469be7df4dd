//go:build !purego

#include "go_asm.h"
#include "textflag.h"

#define INTEL github·com∕simdrank∕simdrank∕internal∕cpu·UseIntel(SB)

// oddI64 and highI64 are the lanes of the greater at distances 1 and 2.
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

// LEAST minds the least, the greatest and NaNs of Y2 and Y3.
#define LEAST \
	VMINPD Y2, Y0, Y0      \
	VMAXPD Y2, Y1, Y1      \
	VMINPD Y3, Y6, Y6      \
	VMAXPD Y3, Y7, Y7      \
	VCMPPD $3, Y2, Y3, Y8  \ // unordered
	VORPD Y8, Y9, Y9

// NARROW adds to Y4 the bits that x loses as float32, and WHOLE to Y5 those that it loses as an
// integer.
#define NARROW(x) \
	VCVTPD2PSY x, X8       \
	VCVTPS2PD X8, Y8       \
	VXORPD x, Y8, Y8       \
	VORPD Y8, Y4, Y4
#define WHOLE(x) \
	VROUNDPD $11, x, Y8    \ // truncated
	VXORPD x, Y8, Y8       \
	VORPD Y8, Y5, Y5

// STEP begins a step of 8 elements, or goes to those that are left.
#define STEP \
	CMPQ CX, $8            \
	JLT rest               \
	PREFETCHT0 const_keysAhead(SI) \
	VMOVUPD (SI), Y2       \
	VMOVUPD 32(SI), Y3     \
	ADDQ $64, SI           \
	SUBQ $8, CX            \
	LEAST

// func scanF64AVX2(x []float64) (lo, hi float64, flags uint64)
// Requires: AVX2
//
// SI x, CX elements left. Y0 and Y6 the least, Y1 and Y7 the greatest of each lane; Y9 NaN seen;
// Y4 and Y5 not zero where a value was no float32, and no integer. Eight elements a step, which
// look for no more of what has been seen; then four, and then one, in all lanes.
TEXT ·scanF64AVX2(SB), NOSPLIT, $0-48
	MOVQ x_base+0(FP), SI
	MOVQ x_len+8(FP), CX
	MOVQ $0x7ff0000000000000, AX
	VMOVQ AX, X0
	VPBROADCASTQ X0, Y0
	VMOVAPD Y0, Y6
	MOVQ $0xfff0000000000000, AX
	VMOVQ AX, X1
	VPBROADCASTQ X1, Y1
	VMOVAPD Y1, Y7
	VXORPD Y4, Y4, Y4
	VXORPD Y5, Y5, Y5
	VXORPD Y9, Y9, Y9

both:
	STEP
	NARROW(Y2)
	NARROW(Y3)
	WHOLE(Y2)
	WHOLE(Y3)
	VPTEST Y4, Y4
	JNZ wide
	VPTEST Y5, Y5
	JZ both

fraction:
	STEP
	NARROW(Y2)
	NARROW(Y3)
	VPTEST Y4, Y4
	JZ fraction
	JMP neither

wide:
	VPTEST Y5, Y5
	JNZ neither
	STEP
	WHOLE(Y2)
	WHOLE(Y3)
	JMP wide

neither:
	STEP
	JMP neither

rest:
	CMPQ CX, $4
	JLT tail
	VMOVUPD (SI), Y2
	ADDQ $32, SI
	SUBQ $4, CX
	JMP last

tail:
	TESTQ CX, CX
	JZ done
	VBROADCASTSD (SI), Y2
	ADDQ $8, SI
	DECQ CX

last:
	VMOVAPD Y2, Y3
	LEAST
	NARROW(Y2)
	WHOLE(Y2)
	JMP rest

done:
	VMINPD Y6, Y0, Y0
	VEXTRACTF128 $1, Y0, X2
	VMINPD X2, X0, X0
	VPERMILPD $1, X0, X2
	VMINSD X2, X0, X0
	VMAXPD Y7, Y1, Y1
	VEXTRACTF128 $1, Y1, X2
	VMAXPD X2, X1, X1
	VPERMILPD $1, X1, X2
	VMAXSD X2, X1, X1
	VMOVSD X0, lo+24(FP)
	VMOVSD X1, hi+32(FP)
	XORL AX, AX
	VPTEST Y9, Y9
	JZ noNaN
	ORL $const_hasNaN, AX

noNaN:
	VPTEST Y4, Y4
	JZ noWide
	ORL $const_hasWide, AX

noWide:
	VPTEST Y5, Y5
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

// func linearKeysF64AVX2(dst []int32, x []float64, mid, scale float64)
// Requires: AVX2
//
// DI dst, SI x, CX elements left, Y0 mid, Y1 scale. Four elements a step, then
// one.
TEXT ·linearKeysF64AVX2(SB), NOSPLIT, $0-64
	MOVQ dst_base+0(FP), DI
	MOVQ x_base+24(FP), SI
	MOVQ x_len+32(FP), CX
	VBROADCASTSD mid+48(FP), Y0
	VBROADCASTSD scale+56(FP), Y1

loop4:
	CMPQ CX, $4
	JLT tail
	PREFETCHT0 const_keysAhead(SI)
	VMOVUPD (SI), Y2
	VSUBPD Y0, Y2, Y2
	VMULPD Y1, Y2, Y2
	VCVTTPD2DQY Y2, X2
	VMOVDQU X2, (DI)
	ADDQ $32, SI
	ADDQ $16, DI
	SUBQ $4, CX
	JMP loop4

tail:
	TESTQ CX, CX
	JZ done
	VMOVSD (SI), X2
	VSUBSD X0, X2, X2
	VMULSD X1, X2, X2
	VCVTTSD2SI X2, AX
	MOVL AX, (DI)
	ADDQ $8, SI
	ADDQ $4, DI
	DECQ CX
	JMP tail

done:
	VZEROUPPER
	RET

// func floatKeysF64AVX2(dst []int32, x []float64)
// Requires: AVX2
//
// DI dst, SI x, CX elements left, X0 zero, X1 MaxInt32. Four elements a step, then one. Negative
// float32 have all bits but the sign flipped.
TEXT ·floatKeysF64AVX2(SB), NOSPLIT, $0-48
	MOVQ dst_base+0(FP), DI
	MOVQ x_base+24(FP), SI
	MOVQ x_len+32(FP), CX
	VPXOR X0, X0, X0
	VPCMPEQD X1, X1, X1
	VPSRLD $1, X1, X1

loop4:
	CMPQ CX, $4
	JLT tail
	PREFETCHT0 const_keysAhead(SI)
	VCVTPD2PSY (SI), X2
	VADDPS X0, X2, X2 // −0 + 0 is +0
	VPSRAD $31, X2, X3
	VPAND X1, X3, X3
	VPXOR X3, X2, X2
	VMOVDQU X2, (DI)
	ADDQ $32, SI
	ADDQ $16, DI
	SUBQ $4, CX
	JMP loop4

tail:
	TESTQ CX, CX
	JZ done
	VMOVSD (SI), X2
	VCVTPD2PSX X2, X2
	VADDPS X0, X2, X2
	VPSRAD $31, X2, X3
	VPAND X1, X3, X3
	VPXOR X3, X2, X2
	VMOVD X2, (DI)
	ADDQ $8, SI
	ADDQ $4, DI
	DECQ CX
	JMP tail

done:
	VZEROUPPER
	RET

// func floatKeysF32AVX2(dst []int32, x []float32) (nan bool)
// Requires: AVX2
//
// DI dst, SI x, CX elements left, Y0 zero, Y1 MaxInt32, Y4 NaN seen. Eight elements a step, then
// one.
TEXT ·floatKeysF32AVX2(SB), NOSPLIT, $0-49
	MOVQ dst_base+0(FP), DI
	MOVQ x_base+24(FP), SI
	MOVQ x_len+32(FP), CX
	VPXOR Y0, Y0, Y0
	VPXOR Y4, Y4, Y4
	VPCMPEQD Y1, Y1, Y1
	VPSRLD $1, Y1, Y1

loop8:
	CMPQ CX, $8
	JLT tail
	VADDPS (SI), Y0, Y2
	VCMPPS $3, Y2, Y2, Y3
	VORPS Y3, Y4, Y4
	VPSRAD $31, Y2, Y3
	VPAND Y1, Y3, Y3
	VPXOR Y3, Y2, Y2
	VMOVDQU Y2, (DI)
	ADDQ $32, SI
	ADDQ $32, DI
	SUBQ $8, CX
	JMP loop8

tail:
	TESTQ CX, CX
	JZ done
	VBROADCASTSS (SI), Y2
	VADDPS Y0, Y2, Y2
	VCMPPS $3, Y2, Y2, Y3
	VORPS Y3, Y4, Y4
	VPSRAD $31, Y2, Y3
	VPAND Y1, Y3, Y3
	VPXOR Y3, Y2, Y2
	VMOVD X2, (DI)
	ADDQ $4, SI
	ADDQ $4, DI
	DECQ CX
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
// DI dst, SI x, BX y, CX elements left, Y0 2³¹. Four elements a step, then one.
TEXT ·packKeysAVX2(SB), NOSPLIT, $0-72
	MOVQ dst_base+0(FP), DI
	MOVQ dst_len+8(FP), CX
	MOVQ x_base+24(FP), SI
	MOVQ y_base+48(FP), BX
	VPCMPEQD Y0, Y0, Y0
	VPSLLQ $63, Y0, Y0
	VPSRLQ $32, Y0, Y0

loop4:
	CMPQ CX, $4
	JLT tail
	VPMOVZXDQ (SI), Y1
	VPMOVZXDQ (BX), Y2
	VPSLLQ $32, Y1, Y1
	VPXOR Y0, Y2, Y2
	VPOR Y2, Y1, Y1
	VMOVDQU Y1, (DI)
	ADDQ $16, SI
	ADDQ $16, BX
	ADDQ $32, DI
	SUBQ $4, CX
	JMP loop4

tail:
	TESTQ CX, CX
	JZ done
	MOVL (SI), AX
	MOVL (BX), DX
	XORL $0x80000000, DX
	MOVL DX, (DI)
	MOVL AX, 4(DI)
	ADDQ $4, SI
	ADDQ $4, BX
	ADDQ $8, DI
	DECQ CX
	JMP tail

done:
	VZEROUPPER
	RET

// func partitionI64AVX2(lo, hi, src []int64, pivot int64) int
// Requires: AVX2, POPCNT
//
// DI end of lo, SI end of hi, BX src, CX elements left, Y0 pivot, R8 permutations by the bits of
// lanes to bring first. Four elements a step: both parts are permuted to the front and stored
// whole, which stays behind what has been read. Then one.
TEXT ·partitionI64AVX2(SB), NOSPLIT, $0-88
	MOVQ lo_base+0(FP), DI
	MOVQ hi_base+24(FP), SI
	MOVQ src_base+48(FP), BX
	MOVQ src_len+56(FP), CX
	VPBROADCASTQ pivot+72(FP), Y0
	LEAQ ·FrontI64(SB), R8

#define STEP(offset) \
	VMOVDQU offset(BX), Y1       \
	VPCMPGTQ Y1, Y0, Y2          \
	VMOVMSKPD Y2, AX             \
	MOVL AX, DX                  \
	SHLL $5, DX                  \
	VMOVDQU (R8)(DX*1), Y2       \
	XORL $0x1e0, DX              \
	VMOVDQU (R8)(DX*1), Y3       \
	VPERMD Y1, Y2, Y2            \
	VPERMD Y1, Y3, Y3            \
	POPCNTL AX, AX               \
	VMOVDQU Y2, (DI)             \
	VMOVDQU Y3, (SI)             \
	LEAQ (DI)(AX*8), DI          \
	SHLL $3, AX                  \
	SUBQ AX, SI                  \
	ADDQ $32, SI

loop16:
	CMPQ CX, $16
	JLT loop4
	STEP(0)
	STEP(32)
	STEP(64)
	STEP(96)
	ADDQ $128, BX
	SUBQ $16, CX
	JMP loop16

loop4:
	CMPQ CX, $4
	JLT tail
	STEP(0)
	ADDQ $32, BX
	SUBQ $4, CX
	JMP loop4

tail:
	MOVQ pivot+72(FP), R9

tail1:
	TESTQ CX, CX
	JZ done
	MOVQ (BX), DX
	XORL AX, AX
	MOVQ DX, (DI)
	MOVQ DX, (SI)
	CMPQ DX, R9
	SETLT AX
	LEAQ (DI)(AX*8), DI
	SHLL $3, AX
	SUBQ AX, SI
	ADDQ $8, SI
	ADDQ $8, BX
	DECQ CX
	JMP tail1

done:
	SUBQ lo_base+0(FP), DI
	SHRQ $3, DI
	MOVQ DI, ret+80(FP)
	VZEROUPPER
	RET
#undef STEP

// CELL4 finds the cells of 4 keys, and CELL16 those of 16.
#define CELL4(keys, cell) \
	VMOVDQU keys, Y0       \
	VPSUBQ Y1, Y0, Y0      \
	VPSRLQ X2, Y0, Y0      \
	VPAND Y3, Y0, Y0       \
	VMOVDQU Y0, cell(SP)
#define CELL16(keys, cell) \
	CELL4(keys(SI), cell)    \
	CELL4(keys+32(SI), cell+32) \
	CELL4(keys+64(SI), cell+64) \
	CELL4(keys+96(SI), cell+96)

// CELL1 finds the cell DX of one key.
#define CELL1 \
	VMOVQ (SI), X0         \
	VPSUBQ X1, X0, X0      \
	VPSRLQ X2, X0, X0      \
	VPAND X3, X0, X0       \
	VMOVQ X0, DX

// TALLY counts a key whose cell is found, and TALLY4 four.
#define TALLY(cell) \
	MOVQ cell(SP), DX      \
	INCL (BX)(DX*4)
#define TALLY4(cell) \
	TALLY(cell)            \
	TALLY(cell+8)          \
	TALLY(cell+16)         \
	TALLY(cell+24)

// func tallyI64AVX2(cells []uint32, keys []int64, lo int64, shift int)
// Requires: AVX2
//
// BX cells, SI keys, CX keys left; Y1 lo, X2 shift, Y3 the last cell. The cells of 16 keys, found
// by vectors, stand in the frame.
TEXT ·tallyI64AVX2(SB), NOSPLIT, $128-64
	MOVQ cells_base+0(FP), BX
	MOVQ cells_len+8(FP), AX
	MOVQ keys_base+24(FP), SI
	MOVQ keys_len+32(FP), CX
	VPBROADCASTQ lo+48(FP), Y1
	VMOVQ shift+56(FP), X2
	DECQ AX
	VMOVQ AX, X3
	VPBROADCASTQ X3, Y3
	PCALIGN $32

loop16:
	CMPQ CX, $16
	JLT tail
	CELL16(0, 0)
	TALLY4(0)
	TALLY4(32)
	TALLY4(64)
	TALLY4(96)
	ADDQ $128, SI
	SUBQ $16, CX
	JMP loop16

tail:
	TESTQ CX, CX
	JZ done
	CELL1
	INCL (BX)(DX*4)
	ADDQ $8, SI
	DECQ CX
	JMP tail

done:
	VZEROUPPER
	RET

// PUT moves a key to its cell DX. MOVE does so where the cell is found, and FETCH fetches where
// another key will go, or the keys of its cell that come before it.
#define PUT(key) \
	MOVL (BX)(DX*4), R8    \
	MOVQ key, AX           \
	MOVQ AX, (DI)(R8*8)    \
	INCL R8                \
	MOVL R8, (BX)(DX*4)
#define MOVE(key, cell) \
	MOVQ cell(SP), DX      \
	PUT(key(SI))
#define FETCH(cell) \
	MOVQ cell(SP), R9      \
	MOVL (BX)(R9*4), R9    \
	PREFETCHT0 (DI)(R9*8)

// MOVE4 moves four keys, and AHEAD4 fetches where four others will go meanwhile.
#define MOVE4(cell) \
	MOVE(cell, cell)       \
	MOVE(cell+8, cell+8)   \
	MOVE(cell+16, cell+16) \
	MOVE(cell+24, cell+24)
#define AHEAD4(key, cell, next) \
	FETCH(next)            \
	MOVE(key, cell)        \
	FETCH(next+8)          \
	MOVE(key+8, cell+8)    \
	FETCH(next+16)         \
	MOVE(key+16, cell+16)  \
	FETCH(next+24)         \
	MOVE(key+24, cell+24)

// AHEAD moves 16 keys, and fetches where the next 16 will go, whose cells it finds.
#define AHEAD(cell, next) \
	CELL16(128, next)      \
	AHEAD4(0, cell, next)  \
	AHEAD4(32, cell+32, next+32) \
	AHEAD4(64, cell+64, next+64) \
	AHEAD4(96, cell+96, next+96) \
	ADDQ $128, SI          \
	SUBQ $16, CX

// func moveI64AVX2(dst []int64, cells []uint32, keys []int64, lo int64, shift int)
// Requires: AVX2
//
// DI dst, BX where the next key of each cell goes, SI keys, CX keys left; Y1 lo, X2 shift, Y3 the
// last cell. The cells of 16 keys stand in the frame and, where what they will be stored to is
// fetched, those of the next 16.
TEXT ·moveI64AVX2(SB), NOSPLIT, $256-88
	MOVQ dst_base+0(FP), DI
	MOVQ cells_base+24(FP), BX
	MOVQ cells_len+32(FP), AX
	MOVQ keys_base+48(FP), SI
	MOVQ keys_len+56(FP), CX
	VPBROADCASTQ lo+72(FP), Y1
	VMOVQ shift+80(FP), X2
	DECQ AX
	VMOVQ AX, X3
	VPBROADCASTQ X3, Y3
	CMPB INTEL, $0
	JEQ loop16
	CMPQ CX, $48
	JLT loop16
	CELL16(0, 0)
	PCALIGN $32

ahead32:
	AHEAD(0, 128)
	AHEAD(128, 0)
	CMPQ CX, $48
	JGE ahead32

loop16:
	CMPQ CX, $16
	JLT tail
	CELL16(0, 0)
	MOVE4(0)
	MOVE4(32)
	MOVE4(64)
	MOVE4(96)
	ADDQ $128, SI
	SUBQ $16, CX
	JMP loop16

tail:
	TESTQ CX, CX
	JZ done
	CELL1
	PUT((SI))
	ADDQ $8, SI
	DECQ CX
	JMP tail

done:
	VZEROUPPER
	RET
#undef CELL4
#undef CELL16
#undef CELL1
#undef TALLY
#undef TALLY4
#undef PUT
#undef MOVE
#undef FETCH
#undef MOVE4
#undef AHEAD4
#undef AHEAD

// ORDER makes a the lesser and b the greater of each lane.
#define ORDER(a, b) \
	VPCMPGTQ b, a, Y9       \
	VBLENDVPD Y9, b, a, Y8  \
	VBLENDVPD Y9, a, b, b   \
	VMOVDQA Y8, a

// CROSSREV merges a with the reverse of d, and c with that of b: lesser lanes to a and c, greater
// ones to b and d.
#define CROSSREV(a, c, b, d) \
	VPERMQ $0x1b, d, Y8      \
	VPERMQ $0x1b, b, Y12     \
	VPCMPGTQ Y8, a, Y9       \
	VBLENDVPD Y9, a, Y8, b   \
	VBLENDVPD Y9, Y8, a, a   \
	VPCMPGTQ Y12, c, Y9      \
	VBLENDVPD Y9, c, Y12, d  \
	VBLENDVPD Y9, Y12, c, c

// CLEAN sorts a register that is bitonic: distances 2 and 1. Lanes of the greater (Y11, Y10)
// take the partner when it is not less.
#define CLEAN(r) \
	VPERMQ $0x4e, r, Y8    \
	VPCMPGTQ Y8, r, Y9     \
	VPXOR Y11, Y9, Y9      \
	VBLENDVPD Y9, Y8, r, r \
	VPSHUFD $0x4e, r, Y8   \
	VPCMPGTQ Y8, r, Y9     \
	VPXOR Y10, Y9, Y9      \
	VBLENDVPD Y9, Y8, r, r

// ROWS turns four registers, sorted by column, into four sorted registers.
#define ROWS(a, b, c, d) \
	VPUNPCKLQDQ b, a, Y8      \
	VPUNPCKHQDQ b, a, Y9      \
	VPUNPCKLQDQ d, c, Y12     \
	VPUNPCKHQDQ d, c, Y13     \
	VPERM2I128 $0x20, Y12, Y8, a \
	VPERM2I128 $0x20, Y13, Y9, b \
	VPERM2I128 $0x31, Y12, Y8, c \
	VPERM2I128 $0x31, Y13, Y9, d

// CLEAN32 sorts the 32 elements of Y0–Y7, which are bitonic.
#define CLEAN32 \
	ORDER(Y0, Y4) \
	ORDER(Y1, Y5) \
	ORDER(Y2, Y6) \
	ORDER(Y3, Y7) \
	ORDER(Y0, Y2) \
	ORDER(Y1, Y3) \
	ORDER(Y4, Y6) \
	ORDER(Y5, Y7) \
	ORDER(Y0, Y1) \
	ORDER(Y2, Y3) \
	ORDER(Y4, Y5) \
	ORDER(Y6, Y7) \
	CLEAN(Y0) \
	CLEAN(Y1) \
	CLEAN(Y2) \
	CLEAN(Y3) \
	CLEAN(Y4) \
	CLEAN(Y5) \
	CLEAN(Y6) \
	CLEAN(Y7)

#define LOAD32(offset) \
	VMOVDQU (offset+0)(BX), Y0 \
	VMOVDQU (offset+32)(BX), Y1 \
	VMOVDQU (offset+64)(BX), Y2 \
	VMOVDQU (offset+96)(BX), Y3 \
	VMOVDQU (offset+128)(BX), Y4 \
	VMOVDQU (offset+160)(BX), Y5 \
	VMOVDQU (offset+192)(BX), Y6 \
	VMOVDQU (offset+224)(BX), Y7

#define STORE32(offset) \
	VMOVDQU Y0, (offset+0)(BX) \
	VMOVDQU Y1, (offset+32)(BX) \
	VMOVDQU Y2, (offset+64)(BX) \
	VMOVDQU Y3, (offset+96)(BX) \
	VMOVDQU Y4, (offset+128)(BX) \
	VMOVDQU Y5, (offset+160)(BX) \
	VMOVDQU Y6, (offset+192)(BX) \
	VMOVDQU Y7, (offset+224)(BX)

// func sortI64AVX2(dst, src []int64)
// Requires: AVX2
//
// DI dst, SI src, CX length ≤ 64, BX the half at work of 64 elements on the stack, filled up with
// the greatest integers, DX halves left. A half is sorted in Y0–Y7: as columns, turned into rows,
// which are merged (bitonic: Batcher 1968); two halves are merged likewise, through the stack.
// Y10, Y11 are the lanes of the greater at distances 1 and 2.
TEXT ·sortI64AVX2(SB), NOSPLIT, $512-48
	MOVQ dst_base+0(FP), DI
	MOVQ src_base+24(FP), SI
	MOVQ src_len+32(FP), CX
	TESTQ CX, CX
	JZ done
	VMOVDQU oddI64<>(SB), Y10
	VMOVDQU highI64<>(SB), Y11
	VPCMPEQD Y0, Y0, Y0
	VPSRLQ $1, Y0, Y0
	LEAQ buf-(8*const_LeafLen)(SP), BX
	LEAQ github·com∕simdrank∕simdrank∕internal∕kern·Masks+64(SB), R9

	// Copy, 4 elements a step; the rest of the last one and of its half are MaxInt64.
	MOVL $1, DX
	CMPQ CX, $32
	JLE fill
	MOVL $2, DX

fill:
	MOVQ DX, R11
	MOVQ DX, R8
	SHLQ $8, R8 // bytes
	XORL AX, AX
	MOVQ CX, R10

copy4:
	CMPQ R10, $4
	JLT copyTail
	VMOVDQU (SI)(AX*1), Y1
	VMOVDQU Y1, (BX)(AX*1)
	ADDQ $32, AX
	SUBQ $4, R10
	JMP copy4

copyTail:
	CMPQ AX, R8
	JGE sortHalf
	NEGQ R10
	VMOVDQU 32(R9)(R10*8), Y2
	VPMASKMOVQ (SI)(AX*1), Y2, Y1
	VBLENDVPD Y2, Y1, Y0, Y1
	VMOVDQU Y1, (BX)(AX*1)
	XORL R10, R10
	ADDQ $32, AX
	JMP copyTail

sortHalf:
	LOAD32(0)
	// The 19 comparators for 8 inputs (Knuth, volume 3, 5.3.4).
	ORDER(Y0, Y2)
	ORDER(Y1, Y3)
	ORDER(Y4, Y6)
	ORDER(Y5, Y7)
	ORDER(Y0, Y4)
	ORDER(Y1, Y5)
	ORDER(Y2, Y6)
	ORDER(Y3, Y7)
	ORDER(Y0, Y1)
	ORDER(Y2, Y3)
	ORDER(Y4, Y5)
	ORDER(Y6, Y7)
	ORDER(Y2, Y4)
	ORDER(Y3, Y5)
	ORDER(Y1, Y4)
	ORDER(Y3, Y6)
	ORDER(Y1, Y2)
	ORDER(Y3, Y4)
	ORDER(Y5, Y6)
	// Column c is rows c and 4+c: merge 0 and 1, 2 and 3.
	ROWS(Y0, Y1, Y2, Y3)
	ROWS(Y4, Y5, Y6, Y7)
	CROSSREV(Y0, Y4, Y1, Y5)
	CROSSREV(Y2, Y6, Y3, Y7)
	ORDER(Y0, Y4)
	ORDER(Y1, Y5)
	ORDER(Y2, Y6)
	ORDER(Y3, Y7)
	CLEAN(Y0)
	CLEAN(Y1)
	CLEAN(Y2)
	CLEAN(Y3)
	CLEAN(Y4)
	CLEAN(Y5)
	CLEAN(Y6)
	CLEAN(Y7)
	// Now Y0 Y4 Y1 Y5 are sorted, and Y2 Y6 Y3 Y7: merge them.
	CROSSREV(Y0, Y5, Y2, Y7)
	CROSSREV(Y4, Y1, Y6, Y3)
	ORDER(Y0, Y1)
	ORDER(Y4, Y5)
	ORDER(Y2, Y3)
	ORDER(Y6, Y7)
	ORDER(Y0, Y4)
	ORDER(Y1, Y5)
	ORDER(Y2, Y6)
	ORDER(Y3, Y7)
	CLEAN(Y0)
	CLEAN(Y1)
	CLEAN(Y2)
	CLEAN(Y3)
	CLEAN(Y4)
	CLEAN(Y5)
	CLEAN(Y6)
	CLEAN(Y7)
	// Y0 Y4 Y1 Y5 Y2 Y6 Y3 Y7
	VMOVDQU Y0, 0(BX)
	VMOVDQU Y4, 32(BX)
	VMOVDQU Y1, 64(BX)
	VMOVDQU Y5, 96(BX)
	VMOVDQU Y2, 128(BX)
	VMOVDQU Y6, 160(BX)
	VMOVDQU Y3, 192(BX)
	VMOVDQU Y7, 224(BX)
	ADDQ $256, BX
	DECL DX
	JNZ sortHalf
	LEAQ buf-(8*const_LeafLen)(SP), BX
	CMPL R11, $1
	JEQ write

	// The first half against the reverse of the second.
	LOAD32(0)
	XORL AX, AX

#define FACE(r, offset) \
	VMOVDQU offset(BX), Y12     \
	VPERMQ $0x1b, Y12, Y12      \
	VPCMPGTQ Y12, r, Y9         \
	VBLENDVPD Y9, r, Y12, Y13   \
	VBLENDVPD Y9, Y12, r, r     \
	VMOVDQU Y13, offset(BX)

	FACE(Y0, 480)
	FACE(Y1, 448)
	FACE(Y2, 416)
	FACE(Y3, 384)
	FACE(Y4, 352)
	FACE(Y5, 320)
	FACE(Y6, 288)
	FACE(Y7, 256)
	CLEAN32
	STORE32(0)
	LOAD32(256)
	CLEAN32
	STORE32(256)

write:
	XORL AX, AX

write4:
	CMPQ CX, $4
	JLT writeTail
	VMOVDQU (BX)(AX*1), Y1
	VMOVDQU Y1, (DI)(AX*1)
	ADDQ $32, AX
	SUBQ $4, CX
	JMP write4

writeTail:
	TESTQ CX, CX
	JZ done
	NEGQ CX
	VMOVDQU 32(R9)(CX*8), Y2
	VMOVDQU (BX)(AX*1), Y1
	VPMASKMOVQ Y1, Y2, (DI)(AX*1)

done:
	VZEROUPPER
	RET
#undef ORDER
#undef CROSSREV
#undef CLEAN
#undef ROWS
#undef CLEAN32
#undef LOAD32
#undef STORE32
#undef FACE

// func splitKeysAVX2(y []int32, newX, newKey []uint8, keys []int64)
// Requires: AVX2
//
// DI y, BX newX, DX newKey, SI keys, CX elements left, Y0 2³¹. Eight elements a step. Then one:
// R8, R9 gather its bits.
TEXT ·splitKeysAVX2(SB), NOSPLIT, $0-96
	MOVQ y_base+0(FP), DI
	MOVQ y_len+8(FP), CX
	MOVQ newX_base+24(FP), BX
	MOVQ newKey_base+48(FP), DX
	MOVQ keys_base+72(FP), SI
	VPCMPEQD Y0, Y0, Y0
	VPSLLD $31, Y0, Y0

loop8:
	CMPQ CX, $8
	JLT tail
	VMOVDQU 8(SI), Y1
	VMOVDQU 40(SI), Y2
	VMOVDQU (SI), Y3
	VMOVDQU 32(SI), Y4
	VPCMPEQD Y1, Y3, Y5 // its upper half: the same x
	VPCMPEQD Y2, Y4, Y6
	VPCMPEQQ Y1, Y3, Y3
	VPCMPEQQ Y2, Y4, Y4
	VMOVMSKPD Y5, AX
	VMOVMSKPD Y6, R8
	SHLL $4, R8
	ORL R8, AX
	NOTL AX
	MOVB AX, (BX)
	VMOVMSKPD Y3, AX
	VMOVMSKPD Y4, R8
	SHLL $4, R8
	ORL R8, AX
	NOTL AX
	MOVB AX, (DX)
	VSHUFPS $0x88, Y2, Y1, Y1
	VPERMQ $0xd8, Y1, Y1
	VPXOR Y0, Y1, Y1
	VMOVDQU Y1, (DI)
	ADDQ $64, SI
	ADDQ $32, DI
	INCQ BX
	INCQ DX
	SUBQ $8, CX
	JMP loop8

tail:
	TESTQ CX, CX
	JZ done
	XORL R8, R8
	XORL R9, R9
	MOVL $1, R10

tail1:
	MOVQ 8(SI), R11
	MOVQ (SI), AX
	XORQ R11, AX
	XORL $0x80000000, R11
	MOVL R11, (DI)
	XORL R11, R11
	TESTQ AX, AX
	CMOVLNE R10, R11
	ORL R11, R9
	XORL R11, R11
	SHRQ $32, AX
	CMOVLNE R10, R11
	ORL R11, R8
	ADDL R10, R10
	ADDQ $8, SI
	ADDQ $4, DI
	DECQ CX
	JNZ tail1
	MOVB R8, (BX)
	MOVB R9, (DX)

done:
	VZEROUPPER
	RET

// func partitionCountI32AVX2(lo, hi, src []int32, pivot int32) (n int, positions int64)
// Requires: AVX2, POPCNT
//
// DI lo, SI hi, BX src, CX elements left, Y0 pivot, R8 n, R9 whole steps, R10 sum of n after each
// step, R11 elements of hi, R12 permutations by the bits of lanes to bring first, Y9 Σ of the
// lanes (Y10) of lo. Eight elements a step; positions as in the AVX-512 kernel. The tail takes
// one.
TEXT ·partitionCountI32AVX2(SB), NOSPLIT, $0-96
	MOVQ lo_base+0(FP), DI
	MOVQ hi_base+24(FP), SI
	MOVQ src_base+48(FP), BX
	MOVQ src_len+56(FP), CX
	MOVL pivot+72(FP), AX
	VMOVD AX, X0
	VPBROADCASTD X0, Y0
	VPXOR Y9, Y9, Y9
	VMOVDQU github·com∕simdrank∕simdrank∕internal∕kern·Iota(SB), Y10
	LEAQ ·frontI32(SB), R12
	XORL R8, R8
	XORL R10, R10
	XORL R11, R11
	MOVQ CX, R9
	SHRQ $3, R9

#define STEP(offset) \
	VMOVDQU offset(BX), Y1         \
	VPCMPGTD Y1, Y0, Y2            \
	VMOVMSKPS Y2, AX               \
	VPAND Y10, Y2, Y4              \
	MOVL AX, DX                    \
	XORL $0xff, DX                 \
	VPMOVZXBD (R12)(AX*8), Y2      \
	VPMOVZXBD (R12)(DX*8), Y3      \
	VPADDD Y4, Y9, Y9              \
	VPERMD Y1, Y2, Y2              \
	VPERMD Y1, Y3, Y3              \
	POPCNTL AX, AX                 \
	VMOVDQU Y2, (DI)(R8*4)         \
	VMOVDQU Y3, (SI)(R11*4)        \
	ADDQ AX, R8                    \
	SUBQ AX, R11                   \
	ADDQ $8, R11                   \
	ADDQ R8, R10

loop32:
	CMPQ CX, $32
	JLT loop8
	STEP(0)
	STEP(32)
	STEP(64)
	STEP(96)
	ADDQ $128, BX
	SUBQ $32, CX
	JMP loop32

loop8:
	CMPQ CX, $8
	JLT tail
	STEP(0)
	ADDQ $32, BX
	SUBQ $8, CX
	JMP loop8

tail:
	// positions = 8·(steps·n − Σ n after each) + Σ lanes, so far
	MOVQ R9, R13
	IMULQ R8, R9
	SUBQ R10, R9
	SHLQ $3, R9
	SHLQ $3, R13 // position of the next element
	VEXTRACTI128 $1, Y9, X2
	VPADDD X2, X9, X1
	VPSHUFD $0x4e, X1, X2
	VPADDD X2, X1, X1
	VPSHUFD $0xb1, X1, X2
	VPADDD X2, X1, X1
	VMOVD X1, AX
	ADDQ AX, R9
	MOVL pivot+72(FP), R10

tail1:
	TESTQ CX, CX
	JZ done
	MOVL (BX), DX
	XORL AX, AX
	MOVL DX, (DI)(R8*4)
	MOVL DX, (SI)(R11*4)
	CMPL DX, R10
	SETLT AX
	ADDQ AX, R8
	SUBQ AX, R11
	INCQ R11
	NEGQ AX
	ANDQ R13, AX
	ADDQ AX, R9
	INCQ R13
	ADDQ $4, BX
	DECQ CX
	JMP tail1

done:
	MOVQ R8, n+80(FP)
	MOVQ R9, positions+88(FP)
	VZEROUPPER
	RET
#undef STEP

// LESS sets AX to the bits of those of 32 elements, in four registers with lanes
// as inversionsI32AVX2 loads them, that are less than Y8.
#define LESS(a, b, c, d) \
	VPCMPGTD a, Y8, Y9       \
	VPCMPGTD b, Y8, Y10      \
	VPCMPGTD c, Y8, Y11      \
	VPCMPGTD d, Y8, Y12      \
	VPACKSSDW Y10, Y9, Y9    \
	VPACKSSDW Y12, Y11, Y11  \
	VPACKSSWB Y11, Y9, Y9    \
	VPMOVMSKB Y9, AX

// func inversionsI32AVX2(a []int32) (inversions, equal int64)
// Requires: AVX2, POPCNT
//
// SI element i, CX elements left, R8 the bits of elements behind i, R9 inversions, R10 pairs that
// differ; as the AVX-512 kernel, with up to 32 elements in Y0–Y3 and up to 64 in Y0–Y7, from a
// copy on the stack with the greatest integers behind. Packing works in halves of a register: so
// elements 4k to 4k+3 of 16 are the lower half of Yk, and those 16 behind the upper one.
TEXT ·inversionsI32AVX2(SB), NOSPLIT, $256-40
	MOVQ a_base+0(FP), SI
	MOVQ a_len+8(FP), CX
	XORL R9, R9
	XORL R10, R10
	TESTQ CX, CX
	JZ done
	VPCMPEQD Y0, Y0, Y0
	VPSRLD $1, Y0, Y0
	LEAQ buf-256(SP), BX
	LEAQ github·com∕simdrank∕simdrank∕internal∕kern·Masks+64(SB), R11
	XORL AX, AX
	MOVQ CX, DX

copy8:
	CMPQ DX, $8
	JLT copyTail
	VMOVDQU (SI)(AX*1), Y1
	VMOVDQU Y1, (BX)(AX*1)
	ADDQ $32, AX
	SUBQ $8, DX
	JMP copy8

copyTail:
	CMPQ AX, $256
	JGE copied
	NEGQ DX
	VMOVDQU 32(R11)(DX*4), Y2
	VPMASKMOVD (SI)(AX*1), Y2, Y1
	VPBLENDVB Y2, Y1, Y0, Y1
	VMOVDQU Y1, (BX)(AX*1)
	XORL DX, DX
	ADDQ $32, AX
	JMP copyTail

copied:
	VMOVDQU (BX), X0
	VMOVDQU 16(BX), X1
	VMOVDQU 32(BX), X2
	VMOVDQU 48(BX), X3
	VINSERTI128 $1, 64(BX), Y0, Y0
	VINSERTI128 $1, 80(BX), Y1, Y1
	VINSERTI128 $1, 96(BX), Y2, Y2
	VINSERTI128 $1, 112(BX), Y3, Y3
	MOVQ $-2, R8
	CMPQ CX, $32
	JGT wide

loop32:
	VPBROADCASTD (SI), Y8
	LESS(Y0, Y1, Y2, Y3)
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

wide:
	VMOVDQU 128(BX), X4
	VMOVDQU 144(BX), X5
	VMOVDQU 160(BX), X6
	VMOVDQU 176(BX), X7
	VINSERTI128 $1, 192(BX), Y4, Y4
	VINSERTI128 $1, 208(BX), Y5, Y5
	VINSERTI128 $1, 224(BX), Y6, Y6
	VINSERTI128 $1, 240(BX), Y7, Y7

loop64:
	VPBROADCASTD (SI), Y8
	LESS(Y4, Y5, Y6, Y7)
	MOVQ AX, DX
	SHLQ $32, DX
	LESS(Y0, Y1, Y2, Y3)
	ORQ DX, AX
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
	MOVQ R9, inversions+24(FP)
	MOVQ AX, equal+32(FP)
	VZEROUPPER
	RET
#undef LESS

// func countPairsF64AVX2(x, y []float64) (concordant, discordant, untiedX, untiedY int64)
// Requires: AVX2
//
// SI x, DI y, CX length, BX first of the 4 elements in Y0, Y1, Y14 those that exist, DX the element
// they are compared with. Over all, each pair has one order in which x ascends, and one in
// which y does. Y4–Y7 are minus the counts.
TEXT ·countPairsF64AVX2(SB), NOSPLIT, $0-80
	MOVQ x_base+0(FP), SI
	MOVQ x_len+8(FP), CX
	MOVQ y_base+24(FP), DI
	LEAQ github·com∕simdrank∕simdrank∕internal∕kern·Masks+64(SB), R9
	VPXOR Y4, Y4, Y4
	VPXOR Y5, Y5, Y5
	VPXOR Y6, Y6, Y6
	VPXOR Y7, Y7, Y7
	XORL BX, BX

columns:
	CMPQ BX, CX
	JGE done
	MOVQ BX, R8
	SUBQ CX, R8 // minus the elements left
	CMPQ R8, $-4
	JGE mask
	MOVQ $-4, R8

mask:
	VMOVDQU 32(R9)(R8*8), Y14
	VMASKMOVPD (SI)(BX*8), Y14, Y0
	VMASKMOVPD (DI)(BX*8), Y14, Y1
	XORL DX, DX

rows:
	VBROADCASTSD (SI)(DX*8), Y2
	VBROADCASTSD (DI)(DX*8), Y3
	VCMPPD $1, Y0, Y2, Y8 // x of the row is less
	VCMPPD $1, Y1, Y3, Y9
	VCMPPD $1, Y3, Y1, Y10 // y is greater
	VPAND Y14, Y8, Y8
	VPAND Y14, Y9, Y9
	VPAND Y8, Y9, Y11
	VPAND Y8, Y10, Y10
	VPADDQ Y11, Y4, Y4
	VPADDQ Y10, Y5, Y5
	VPADDQ Y8, Y6, Y6
	VPADDQ Y9, Y7, Y7
	INCQ DX
	CMPQ DX, CX
	JLT rows
	ADDQ $4, BX
	JMP columns

#define SUM(y, x, to) \
	VEXTRACTI128 $1, y, X1 \
	VPADDQ X1, x, X0       \
	VPSHUFD $0x4e, X0, X1  \
	VPADDQ X1, X0, X0      \
	VMOVQ X0, AX           \
	NEGQ AX                \
	MOVQ AX, to

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
// DI dst, SI keys, CX elements left, R8 filter, R9 the last of its words, R10 positions found, R11
// the next position. Four keys a step without a branch, for a few in a hundred pass; then one.
TEXT ·filterI32AVX2(SB), NOSPLIT, $0-80
	MOVQ dst_base+0(FP), DI
	MOVQ keys_base+24(FP), SI
	MOVQ keys_len+32(FP), CX
	MOVQ filter_base+48(FP), R8
	MOVQ filter_len+56(FP), R9
	DECQ R9
	XORL R10, R10
	XORL R11, R11

#define STEP(i) \
	MOVL (4*i)(SI), AX      \
	LEAL i(R11), BX         \
	MOVL AX, DX             \
	SHRL $6, DX             \
	ANDL R9, DX             \
	MOVQ (R8)(DX*8), DX     \
	MOVL BX, (DI)(R10*4)    \
	BTQ AX, DX              \
	ADCQ $0, R10

loop4:
	CMPQ CX, $4
	JLT tail
	STEP(0)
	STEP(1)
	STEP(2)
	STEP(3)
	ADDQ $16, SI
	ADDL $4, R11
	SUBQ $4, CX
	JMP loop4

tail:
	TESTQ CX, CX
	JZ done
	STEP(0)
	ADDQ $4, SI
	INCL R11
	DECQ CX
	JMP tail

done:
	MOVQ R10, ret+72(FP)
	RET
#undef STEP
