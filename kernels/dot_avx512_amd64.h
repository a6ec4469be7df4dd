// The body of the dot products and squared distances of one element type. BY(op, y, t, u, sum)
// computes the terms of t, a vector of x, and y, a vector in memory. op is MUL (sum = terms) or FMA
// (sum += terms). BY may overwrite t, and u is a temporary. BY_K1(op, sum) does the same for Z4 and
// Z5, in the lanes of K1. If FROM is defined, the body also contains the loop at label ahead, which
// prefetches. This loop is used if FROM < elements <= TO. tuning_amd64.go explains these limits.
//
// The first terms initialize the sums. Lanes without an element are not written, except if the
// last, partial vector is one of the first vectors. In this case, the other lanes become −0, which
// changes no sum. The last vector is loaded under a mask. Near the end of a page, the code instead
// loads the vector that ends with the last element, and moves its elements to the front.
//
// The order of the parts, and their alignment to half a cache line, make 46 elements a tenth faster
// on Zen 5.
//
// Registers: K1: mask of the last vector's elements; CX: number of lanes without an element in the
// last vector; R8, R9: addresses of the last vectors of x and y; Z4-Z7: elements of x; Z5, Z8-Z11:
// elements of y.

#define xNext SI // address of the next elements of x
#define yNext DI // address of the next elements of y
#define left  DX // number of remaining elements, minus 4·LANES in the loops
#define sum0  Z0 // four groups of LANES lanes
#define sum1  Z1
#define sum2  Z2
#define sum3  Z3

// Computes the terms of the next four vectors: sum[g] = terms of vector g (MUL), or sum[g] += terms
// (FMA).
#define FOUR(op) \
	LOADX((0*LANES*XSIZE)(xNext), Z4); LOADX((1*LANES*XSIZE)(xNext), Z5);                         \
	LOADX((2*LANES*XSIZE)(xNext), Z6); LOADX((3*LANES*XSIZE)(xNext), Z7);                         \
	BY(op, (0*LANES*YSIZE)(yNext), Z4, Z8, sum0); BY(op, (1*LANES*YSIZE)(yNext), Z5, Z9, sum1);   \
	BY(op, (2*LANES*YSIZE)(yNext), Z6, Z10, sum2); BY(op, (3*LANES*YSIZE)(yNext), Z7, Z11, sum3); \
	ADDQ $(4*LANES*XSIZE), xNext; ADDQ $(4*LANES*YSIZE), yNext

// CX = number of lanes without an element in the last vector. K1 = mask of the other lanes.
#define MASK \
	MOVL left, CX; NEGL CX; ANDL $(LANES-1), CX; \
	MOVL $((1<<LANES)-1), AX; SHRL CX, AX; KMOVW AX, K1

// Z4, Z5 = the vectors at x and y under the mask. If a vector reaches into the next page: goto
// edge.
#define MASKED(x, y, edge) \
	CROSSES(x, LANES*XSIZE, edge) \
	CROSSES(y, LANES*YSIZE, edge) \
	LOADX_K((x), K1, Z4); LOADY_K((y), K1, Z5)

// MASK and MASKED for the last vectors of x and y.
#define LAST(edge) \
	MASK; LEAL -1(left), R10; ANDL $-LANES, R10;              \
	LEAQ (xNext)(R10*XSIZE), R8; LEAQ (yNext)(R10*YSIZE), R9; \
	MASKED(R8, R9, edge)

// Z4, Z5 = the whole vectors that end with the last elements.
#define LASTWHOLE \
	LOADX((-LANES*XSIZE)(xNext)(left*XSIZE), Z4); LOADY((-LANES*YSIZE)(yNext)(left*YSIZE), Z5)

// Moves the last elements of Z4 and Z5 to the front.
#define FRONT \
	LEAQ order<>(SB), AX; INDEX (AX)(CX*1), Z12; \
	MOVE Z4, Z12, Z4; MOVE Z5, Z12, Z5

	MOVQ x+0(FP), xNext // load the arguments; branch on left
	MOVQ n+16(FP), left
	MOVQ y+8(FP), yNext
	CMPQ left, $LANES
	JLE only
	CMPQ left, $(4*LANES)
	JGE fourOrMore
	TESTL $(LANES-1), left
	JNE lastPart
	LOADX((-LANES*XSIZE)(xNext)(left*XSIZE), Z4) // Z6 = terms of the last vector, which is complete
	BY(MUL, (-LANES*YSIZE)(yNext)(left*YSIZE), Z4, Z5, Z6)

upToFour: // if there are two to four vectors; Z6 contains the terms of the last one
	LOADX((xNext), Z5) // sum0 = terms of the first vector
	BY(MUL, (yNext), Z5, Z8, sum0)
	CMPL left, $(2*LANES)
	JGT second

add:
	ADD Z6, sum0, sum0

halve:
	HALVE // return the sum of the lanes of sum0
	PCALIGN $32

second:
	LOADX((LANES*XSIZE)(xNext), Z5) // sum0 += terms of the second vector
	BY(MUL, (LANES*YSIZE)(yNext), Z5, Z8, sum1)
	ADD sum1, sum0, sum0
	CMPL left, $(3*LANES)
	JLE add
	LOADX((2*LANES*XSIZE)(xNext), Z5) // sum0 += terms of the third vector + terms of the last vector
	BY(MUL, (2*LANES*YSIZE)(yNext), Z5, Z8, sum2)
	ADD Z6, sum2, sum2
	ADD sum2, sum0, sum0
	JMP halve
	PCALIGN $32

fourOrMore: // if there are at least four vectors
	FOUR(MUL) // sum[g] = terms of vector g, for four vectors
	SUBQ $(8*LANES), left // if fewer than four further vectors remain: goto tail
	JLT tail
#ifdef FROM
	LEAL (8*LANES-FROM-1)(left), AX // if FROM < elements <= TO: goto far, with one unsigned comparison
	CMPL AX, $(TO-FROM-1)
	JLS far
#endif
	PCALIGN $64

near:
	FOUR(FMA) // sum[g] += terms of vector g, for four vectors
	SUBQ $(4*LANES), left
	JGE near

tail: // fewer than four vectors remain
	ADDQ $(4*LANES), left
	JEQ sum
	TESTL $(LANES-1), left
	JNE tailPart
	LOADX((xNext), Z4) // sum[g] += terms of vector g; all vectors are whole
	BY(FMA, (yNext), Z4, Z8, sum0)
	CMPL left, $(2*LANES)
	JLT sum
	LOADX((LANES*XSIZE)(xNext), Z5)
	BY(FMA, (LANES*YSIZE)(yNext), Z5, Z9, sum1)
	JEQ sum
	LOADX((2*LANES*XSIZE)(xNext), Z6) // the third vector
	BY(FMA, (2*LANES*YSIZE)(yNext), Z6, Z10, sum2)

sum:
	ADD sum1, sum0, sum0 // return the sum of (sum0+sum1) + (sum2+sum3)
	ADD sum3, sum2, sum2
	ADD sum2, sum0, sum0
	HALVE
	PCALIGN $32

tailPart:
	LAST(tailEdge) // Z4, Z5 = the last vector

remainder: // sum[g] += terms of vector g, with the last one under the mask
	CMPL left, $LANES
	JLE last0
	LOADX((xNext), Z6)
	BY(FMA, (yNext), Z6, Z8, sum0)
	CMPL left, $(2*LANES)
	JLE last1
	LOADX((LANES*XSIZE)(xNext), Z6) // the second vector
	BY(FMA, (LANES*YSIZE)(yNext), Z6, Z8, sum1)
	CMPL left, $(3*LANES)
	JLE last2
	LOADX((2*LANES*XSIZE)(xNext), Z6) // the third vector and the last one
	BY(FMA, (2*LANES*YSIZE)(yNext), Z6, Z8, sum2)
	BY_K1(FMA, sum3)
	JMP sum
	PCALIGN $32

last0:
	BY_K1(FMA, sum0) // sum0 += terms of the last vector
	JMP sum
	PCALIGN $32

last1:
	BY_K1(FMA, sum1) // sum1 += terms of the last vector
	JMP sum
	PCALIGN $32

last2:
	BY_K1(FMA, sum2) // sum2 += terms of the last vector
	JMP sum
	PCALIGN $32

only: // if there is at most one vector; the flags are from comparing left with LANES
	JEQ onlyWhole
	TESTQ left, left
	JEQ empty
	MASK // Z4, Z5 = the elements; sum0 = −0
	MINUS0(sum0)
	MASKED(xNext, yNext, onlyEdge)

onlyTerms:
	BY_K1(MUL, sum0) // sum0 = terms in the lanes of K1
	JMP halve
	PCALIGN $32

lastPart:
	LAST(lastEdge) // Z4, Z5 = the last vector

lastTerms:
	MINUS0(Z6) // Z6 = terms of the last vector, with −0 in the other lanes
	BY_K1(MUL, Z6)
	JMP upToFour
	PCALIGN $32

onlyWhole:
	LOADX((xNext), Z4) // sum0 = terms of the only vector
	BY(MUL, (yNext), Z4, Z5, sum0)
	JMP halve

onlyEdge:
	MOVL $-1, AX // K2 = mask of the last lanes, so that nothing before the slice is read
	SHLL CX, AX
	KMOVW AX, K2
	LOADX_K((-LANES*XSIZE)(xNext)(left*XSIZE), K2, Z4)
	LOADY_K((-LANES*YSIZE)(yNext)(left*YSIZE), K2, Z5)
	FRONT
	JMP onlyTerms

lastEdge:
	LASTWHOLE // Z4, Z5 = the last elements, moved to the front
	FRONT
	JMP lastTerms

tailEdge:
	LASTWHOLE
	FRONT
	JMP remainder
#ifdef FROM
	PCALIGN $32

far: // on Intel, goto near; otherwise prefetch
	CMPB INTEL, $0
	JNE near

ahead:
	PREFETCHT0 const_dotAhead(xNext) // prefetch four lines of x and of y
	PREFETCHT0 const_dotAhead(yNext)
	PREFETCHT0 (const_dotAhead+64)(xNext)
	PREFETCHT0 (const_dotAhead+64)(yNext)
	PREFETCHT0 (const_dotAhead+128)(xNext)
	PREFETCHT0 (const_dotAhead+128)(yNext)
	PREFETCHT0 (const_dotAhead+192)(xNext)
	PREFETCHT0 (const_dotAhead+192)(yNext)
	FOUR(FMA) // sum[g] += terms of vector g, for four vectors
	SUBQ $(4*LANES), left
	JGE ahead
	JMP tail
#undef FROM
#undef TO
#endif

empty:
	VPXOR X0, X0, X0
	JMP halve

#undef xNext
#undef yNext
#undef left
#undef sum0
#undef sum1
#undef sum2
#undef sum3
#undef FOUR
#undef MASK
#undef MASKED
#undef LAST
#undef LASTWHOLE
#undef FRONT
