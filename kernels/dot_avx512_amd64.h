// The body of the dot products in kernels_linear_avx512_amd64.s, which says what the macros of
// each type are.
//
// SI, DI: x, y; DX: elements left, which DISPATCH_WIDE has set, a block at most; Z0-Z3: the lanes.
//
// The first products are the lanes; a lane without an element is not written. Only the products
// of a last vector that are the lanes, too, fill up with −0, which changes no sum. Near the end
// of a page, the vector that ends with the last element is loaded instead of the last one.
//
// The loop far is for FROM < elements <= TO, see tuning_amd64.go. At 46 elements the order of the
// parts, and that they start half a cache line, is worth a tenth on Zen 5.

// MASK sets CX to the elements that the last vector lacks and K1 to those that it has.
#define MASK \
	MOVL DX, CX              \
	NEGL CX                  \
	ANDL $(LANES-1), CX      \
	MOVL $((1<<LANES)-1), AX \
	SHRL CX, AX              \
	KMOVW AX, K1

// MASKED loads the vectors at x and y to Z4 and Z5 under the mask, or goes on at edge when that
// would reach into the next page.
#define MASKED(x, y, edge) \
	CROSSES(x, LANES*SIZE, edge) \
	CROSSES(y, LANES*SIZE, edge) \
	LOAD.Z (x), K1, Z4           \
	LOAD.Z (y), K1, Z5

// PART does so with the last vectors of x and y.
#define PART(edge) \
	MASK                    \
	LEAL -1(DX), R10        \
	ANDL $-LANES, R10       \
	LEAQ (SI)(R10*SIZE), R8 \
	LEAQ (DI)(R10*SIZE), R9 \
	MASKED(R8, R9, edge)

// FRONT moves the last elements of Z4 and Z5 to the front.
#define FRONT \
	LEAQ order<>(SB), AX  \
	INDEX (AX)(CX*1), Z12 \
	MOVE Z4, Z12, Z4      \
	MOVE Z5, Z12, Z5

	MOVQ x+0(FP), SI
	MOVQ y+8(FP), DI
	CMPQ DX, $LANES
	JLE one // a vector or less
	CMPQ DX, $(4*LANES)
	JGE many // four vectors or more
	TESTL $(LANES-1), DX
	JNE fewPart
	LOAD (-LANES*SIZE)(SI)(DX*SIZE), Z4 // the last vector is whole
	BY(MUL, (-LANES*SIZE)(DI)(DX*SIZE), Z4, Z5, Z6)

few: // Z6: the products of the last vector, the second, third or fourth
	LOAD (SI), Z5
	BY(MUL, (DI), Z5, Z8, Z0)
	CMPL DX, $(2*LANES)
	JGT more

add:
	ADD Z6, Z0, Z0

halve:
	HALVE
	PCALIGN $32

more:
	LOAD (LANES*SIZE)(SI), Z5
	BY(MUL, (LANES*SIZE)(DI), Z5, Z8, Z1)
	ADD Z1, Z0, Z0
	CMPL DX, $(3*LANES)
	JLE add
	LOAD (2*LANES*SIZE)(SI), Z5
	BY(MUL, (2*LANES*SIZE)(DI), Z5, Z8, Z2)
	ADD Z6, Z2, Z2
	ADD Z2, Z0, Z0
	JMP halve
	PCALIGN $32

many:
	LOAD (0*LANES*SIZE)(SI), Z4
	LOAD (1*LANES*SIZE)(SI), Z5
	LOAD (2*LANES*SIZE)(SI), Z6
	LOAD (3*LANES*SIZE)(SI), Z7
	BY(MUL, (0*LANES*SIZE)(DI), Z4, Z8, Z0)
	BY(MUL, (1*LANES*SIZE)(DI), Z5, Z9, Z1)
	BY(MUL, (2*LANES*SIZE)(DI), Z6, Z10, Z2)
	BY(MUL, (3*LANES*SIZE)(DI), Z7, Z11, Z3)
	ADDQ $(4*LANES*SIZE), SI
	ADDQ $(4*LANES*SIZE), DI
	SUBQ $(8*LANES), DX // four vectors done, and four more at least?
	JLT tail
	PREEMPTED(stop) // once a call: blocks are short
#ifdef FROM
	LEAL (8*LANES-FROM-1)(DX), AX
	CMPL AX, $(TO-FROM-1) // unsigned: FROM < elements <= TO
	JLS far
#endif
	PCALIGN $64

near:
	LOAD (0*LANES*SIZE)(SI), Z4
	LOAD (1*LANES*SIZE)(SI), Z5
	LOAD (2*LANES*SIZE)(SI), Z6
	LOAD (3*LANES*SIZE)(SI), Z7
	BY(FMA, (0*LANES*SIZE)(DI), Z4, Z8, Z0)
	BY(FMA, (1*LANES*SIZE)(DI), Z5, Z9, Z1)
	BY(FMA, (2*LANES*SIZE)(DI), Z6, Z10, Z2)
	BY(FMA, (3*LANES*SIZE)(DI), Z7, Z11, Z3)
	ADDQ $(4*LANES*SIZE), SI
	ADDQ $(4*LANES*SIZE), DI
	SUBQ $(4*LANES), DX
	JGE near

tail: // fewer than four vectors
	ADDQ $(4*LANES), DX
	JEQ sum
	TESTL $(LANES-1), DX
	JNE tailPart
	LOAD (SI), Z4
	BY(FMA, (DI), Z4, Z8, Z0)
	CMPL DX, $(2*LANES)
	JLT sum
	LOAD (LANES*SIZE)(SI), Z5
	BY(FMA, (LANES*SIZE)(DI), Z5, Z9, Z1)
	JEQ sum
	LOAD (2*LANES*SIZE)(SI), Z6
	BY(FMA, (2*LANES*SIZE)(DI), Z6, Z10, Z2)

sum:
	ADD Z1, Z0, Z0
	ADD Z3, Z2, Z2
	ADD Z2, Z0, Z0
	HALVE
	PCALIGN $32

tailPart:
	PART(tailEdge)

left:
	CMPL DX, $LANES
	JLE last0
	LOAD (SI), Z6
	BY(FMA, (DI), Z6, Z8, Z0)
	CMPL DX, $(2*LANES)
	JLE last1
	LOAD (LANES*SIZE)(SI), Z6
	BY(FMA, (LANES*SIZE)(DI), Z6, Z8, Z1)
	CMPL DX, $(3*LANES)
	JLE last2
	LOAD (2*LANES*SIZE)(SI), Z6
	BY(FMA, (2*LANES*SIZE)(DI), Z6, Z8, Z2)
	REST(FMA, Z3)
	JMP sum
	PCALIGN $32

last0:
	REST(FMA, Z0)
	JMP sum
	PCALIGN $32

last1:
	REST(FMA, Z1)
	JMP sum
	PCALIGN $32

last2:
	REST(FMA, Z2)
	JMP sum
	PCALIGN $32

one: // the flags are those of DX and LANES
	JEQ oneWhole
	TESTQ DX, DX
	JEQ empty
	MASK
	MINUS0(Z0)
	MASKED(SI, DI, oneEdge)

product:
	REST(MUL, Z0)
	JMP halve
	PCALIGN $32

fewPart:
	PART(fewEdge)

fewProduct:
	MINUS0(Z6)
	REST(MUL, Z6)
	JMP few
	PCALIGN $32

oneWhole:
	LOAD (SI), Z4
	BY(MUL, (DI), Z4, Z5, Z0)
	JMP halve

oneEdge: // under the mask of the last elements: nothing before the slice is read
	MOVL $-1, AX
	SHLL CX, AX
	KMOVW AX, K2
	LOAD.Z (-LANES*SIZE)(SI)(DX*SIZE), K2, Z4
	LOAD.Z (-LANES*SIZE)(DI)(DX*SIZE), K2, Z5
	FRONT
	JMP product

fewEdge:
	LOAD (-LANES*SIZE)(SI)(DX*SIZE), Z4
	LOAD (-LANES*SIZE)(DI)(DX*SIZE), Z5
	FRONT
	JMP fewProduct

tailEdge:
	LOAD (-LANES*SIZE)(SI)(DX*SIZE), Z4
	LOAD (-LANES*SIZE)(DI)(DX*SIZE), Z5
	FRONT
	JMP left
#ifdef FROM
	PCALIGN $32

far: // as near, and ahead, except on Intel
	CMPB INTEL, $0
	JNE near

ahead:
	PREFETCHT0 const_dotAhead(SI)
	PREFETCHT0 const_dotAhead(DI)
	PREFETCHT0 (const_dotAhead+64)(SI)
	PREFETCHT0 (const_dotAhead+64)(DI)
	PREFETCHT0 (const_dotAhead+128)(SI)
	PREFETCHT0 (const_dotAhead+128)(DI)
	PREFETCHT0 (const_dotAhead+192)(SI)
	PREFETCHT0 (const_dotAhead+192)(DI)
	LOAD (0*LANES*SIZE)(SI), Z4
	LOAD (1*LANES*SIZE)(SI), Z5
	LOAD (2*LANES*SIZE)(SI), Z6
	LOAD (3*LANES*SIZE)(SI), Z7
	BY(FMA, (0*LANES*SIZE)(DI), Z4, Z8, Z0)
	BY(FMA, (1*LANES*SIZE)(DI), Z5, Z9, Z1)
	BY(FMA, (2*LANES*SIZE)(DI), Z6, Z10, Z2)
	BY(FMA, (3*LANES*SIZE)(DI), Z7, Z11, Z3)
	ADDQ $(4*LANES*SIZE), SI
	ADDQ $(4*LANES*SIZE), DI
	SUBQ $(4*LANES), DX
	JGE ahead
	JMP tail
#endif

empty:
	VPXOR X0, X0, X0
	JMP halve

stop: // from the start, in Go, which yields
	VZEROUPPER
	JMP BLOCKS

#undef MASK
#undef MASKED
#undef PART
#undef FRONT
