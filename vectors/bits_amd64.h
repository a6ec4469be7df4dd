// The body of kernels that count bits. Its parameter TERMS(x, y) adds the bit counts for two
// vectors of words to sum0 and, if there are two sums, to sum1. At the end, the lower half of X0
// contains sum0, and TERMS is undefined.
//
// An iteration processes 8 words, or two vectors. At most one whole vector follows, and then the
// tail under a mask.
//
// Registers: Y5-Y13: words, masks and counts.

#define xPtr   SI // address of the next words of x
#define yPtr   DI // address of the next words of y
#define left   DX // number of remaining words, minus 8 in the loop
#define sum0   Y0 // four partial sums
#define sum1   Y1
#define counts Y2 // table of the bit counts of 0 to 15
#define low    Y3 // mask of the lower half of each byte
#define zero   Y4

// acc += bit count of each word of v. A table contains the counts of half bytes.
#define COUNT(v, acc) \
	VPAND v, low, Y5                               \
	VPSRLD $4, v, Y6; VPAND Y6, low, Y6            \
	VPSHUFB Y5, counts, Y5; VPSHUFB Y6, counts, Y6 \
	VPADDB Y6, Y5, Y5; VPSADBW zero, Y5, Y5        \
	VPADDQ Y5, acc, acc

	MOVQ x+0(FP), xPtr
	MOVQ n+16(FP), left
	MOVQ y+8(FP), yPtr
	VPXOR X0, X0, X0 // sum0 = sum1 = 0
	VPXOR X1, X1, X1
	VPXOR X4, X4, X4
	VBROADCASTI128 bitCounts<>(SB), counts
	VPBROADCASTQ lowHalves<>(SB), low
	SUBQ $8, left // if left < 8: goto tail
	JLT tail
	PCALIGN $32

loop: // add the counts of two vectors
	VMOVDQU (xPtr), Y8
	VMOVDQU (yPtr), Y9
	TERMS(Y8, Y9)
	VMOVDQU 32(xPtr), Y10
	VMOVDQU 32(yPtr), Y11
	TERMS(Y10, Y11)
	ADDQ $64, xPtr // advance by two vectors
	ADDQ $64, yPtr
	SUBQ $8, left
	JGE loop

tail: // fewer than two vectors remain
	ADDQ $8, left
	JEQ sum
	SUBQ $4, left
	JLT masked
	VMOVDQU (xPtr), Y8 // add the counts of one vector
	VMOVDQU (yPtr), Y9
	TERMS(Y8, Y9)
	JEQ sum
	ADDQ $32, xPtr
	ADDQ $32, yPtr
	SUBQ $4, left

masked: // add the counts of the last words; zeros have no bits
	LEAQ github·com∕simdrank∕simdrank∕internal∕kern·Masks(SB), AX
	NEGQ left
	VMOVDQU 64(AX)(left*8), Y7
	VPMASKMOVQ (xPtr), Y7, Y10
	VPMASKMOVQ (yPtr), Y7, Y11
	TERMS(Y10, Y11)

sum: // add the four partial sums
	VEXTRACTI128 $1, sum0, X5
	VPADDQ X5, X0, X0
	VPSHUFD $0x4e, X0, X5
	VPADDQ X5, X0, X0
#undef xPtr
#undef yPtr
#undef left
#undef sum0
#undef sum1
#undef counts
#undef low
#undef zero
#undef COUNT
#undef TERMS
