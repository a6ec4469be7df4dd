// The body of the kernels of kernels_vector_avx512_amd64.s that make one or three sums of two
// vectors of BF16; that file says what the macros of each kernel are.
//
// A double word holds two elements: the lower one moved up, and the upper one with the lower one
// cleared, are the two as float32. So the lanes of even elements of half a step stand in one
// register, and those of odd ones in the next. On Zen 5, 768 elements take .65 of the time (cosine:
// .86) that widening them in order takes; up to 64 elements take up to a tenth more.
//
// SI, DI: x, y, or the 64 elements before what is left of them; DX: elements left; Z0-Z3, Z4-Z7,
// Z8-Z11: the lanes of each sum; Z16-Z23: elements; Z31: mask of the upper halves.

// Elements of both, as loaded to x and y: the even ones to ex and ey.
#define SPLIT(x, y, ex, ey) \
	VPSLLD $16, x, ex  \
	VPSLLD $16, y, ey  \
	VPANDD Z31, x, x   \
	VPANDD Z31, y, y

#define PAIRS(at, x, y, ex, ey) \
	VMOVDQU64 at(SI), x   \
	VMOVDQU64 at(DI), y   \
	SPLIT(x, y, ex, ey)

// The same of elements DX+32, fewer than 32, with +0 in x and −0 in y where there is none: that
// adds −0 to a product, and +0 to squares.
#define PART(at, x, y, ex, ey) \
	LEAL 32(DX), CX          \
	MOVL $1, AX              \
	SHLL CX, AX              \
	DECL AX                  \
	KMOVD AX, K1             \
	MOVL $0x80008000, AX     \
	VPBROADCASTD AX, y       \
	VMOVDQU16.Z at(SI), K1, x \
	VMOVDQU16 at(DI), K1, y  \
	SPLIT(x, y, ex, ey)

	MOVQ x+0(FP), SI
	MOVQ n+16(FP), DX
	MOVQ y+8(FP), DI
	MOVL $0xffff0000, AX
	VPBROADCASTD AX, Z31
	SUBQ $64, DX
	JLT few
	PAIRS(0, Z16, Z17, Z18, Z19)
	PAIRS(64, Z20, Z21, Z22, Z23)
	FIRST(Z18, Z19, Z0, Z4, Z8)
	FIRST(Z16, Z17, Z1, Z5, Z9)
	FIRST(Z22, Z23, Z2, Z6, Z10)
	FIRST(Z20, Z21, Z3, Z7, Z11)
	SUBQ $64, DX
	JGE more

tail: // fewer than two vectors; DX is two vectors less than what is left
	CMPQ DX, $-32
	JLT rest0
	PAIRS(128, Z16, Z17, Z18, Z19)
	TERMS(Z18, Z19, Z0, Z4, Z8)
	TERMS(Z16, Z17, Z1, Z5, Z9)
	JEQ sum
	PART(192, Z20, Z21, Z22, Z23)
	TERMS(Z22, Z23, Z2, Z6, Z10)
	TERMS(Z20, Z21, Z3, Z7, Z11)

sum:
	RESULT
	PCALIGN $32

more: // four vectors or more
	CMPQ DX, $(const_blockLen-128)
	JGT long
	PREEMPTED(stop)
	PCALIGN $64

loop:
	PAIRS(128, Z16, Z17, Z18, Z19)
	PAIRS(192, Z20, Z21, Z22, Z23)
	TERMS(Z18, Z19, Z0, Z4, Z8)
	TERMS(Z16, Z17, Z1, Z5, Z9)
	TERMS(Z22, Z23, Z2, Z6, Z10)
	TERMS(Z20, Z21, Z3, Z7, Z11)
	ADDQ $128, SI
	ADDQ $128, DI
	SUBQ $64, DX
	JGE loop
	JMP tail

rest0:
	CMPQ DX, $-64
	JEQ sum
	ADDQ $32, DX
	PART(128, Z16, Z17, Z18, Z19)
	TERMS(Z18, Z19, Z0, Z4, Z8)
	TERMS(Z16, Z17, Z1, Z5, Z9)
	JMP sum

few: // the lanes start empty
	START
	SUBQ $128, SI
	SUBQ $128, DI
	JMP tail

stop: // from the start, in Go, which yields

long: // more than a block: in blocks, in Go
	VZEROUPPER
	JMP BLOCKS

#undef SPLIT
#undef PAIRS
#undef PART
