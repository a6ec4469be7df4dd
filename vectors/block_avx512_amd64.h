// The body of the tile kernels in kernels_block_avx512_amd64.s. A tile contains one vector for each
// of 16 queries, with one element for each of 16 rows. An iteration adds the products of one word
// of each query and one word of each row. TERM(i, sum) adds the products of query i's word and the
// rows' words in Z16 to sum. It uses Z17 as a temporary.
//
// Each iteration also prefetches one line of the rows of later calls. 16 iterations prefetch a line
// of each of 16 rows, and the next 16 iterations prefetch the following lines.
//
// Registers: Z0-Z15: sums of queries 0-15; Z16: words of the rows.

#define sums     DI  // address of the tile
#define words    SI  // address of the next words of the queries
#define rowWords R8  // address of the next words of the rows
#define count    DX  // number of iterations
#define step     BX  // number of completed iterations
#define ahead    R9  // address of the next line to prefetch
#define rowBytes R10 // bytes from a row to the next
#define back     R11 // bytes from the end of the 16th row to the next line of the first row

// EACH repeats OP(i, sum) for every query i.
#define EACH(OP) \
	OP(0, Z0); OP(1, Z1); OP(2, Z2); OP(3, Z3);     \
	OP(4, Z4); OP(5, Z5); OP(6, Z6); OP(7, Z7);     \
	OP(8, Z8); OP(9, Z9); OP(10, Z10); OP(11, Z11); \
	OP(12, Z12); OP(13, Z13); OP(14, Z14); OP(15, Z15)

#define LOAD(i, sum) VMOVDQU32 (64*i)(sums), sum
#define STORE(i, sum) VMOVDQU32 sum, (64*i)(sums)

// dst[i] = scale·sum + norm + add[i], in float32; dst advances to the next query.
#define RESULT(i, sum) \
	VPMULLD Z16, sum, sum           \
	VPADDD Z17, sum, sum            \
	VPADDD.BCST (4*i)(SI), sum, sum \
	VCVTDQ2PS sum, sum              \
	VMOVUPS sum, (DI)               \
	ADDQ R8, DI

	MOVQ tile+0(FP), sums // load the arguments
	MOVQ q+8(FP), words
	MOVQ a+16(FP), rowWords
	MOVQ steps+24(FP), count
	MOVQ fetch+32(FP), ahead
	MOVQ stride+40(FP), rowBytes
	MOVQ rowBytes, back // back = 16·rowBytes − 64
	SHLQ $4, back
	SUBQ $64, back
	XORL step, step
	CMPB fresh+48(FP), $0
	JNE fresh
	EACH(LOAD) // sum[i] = tile[i]
	JMP start

fresh: // sum[i] = 0
	VPXOR X0, X0, X0; VPXOR X1, X1, X1; VPXOR X2, X2, X2; VPXOR X3, X3, X3
	VPXOR X4, X4, X4; VPXOR X5, X5, X5; VPXOR X6, X6, X6; VPXOR X7, X7, X7
	VPXOR X8, X8, X8; VPXOR X9, X9, X9; VPXOR X10, X10, X10; VPXOR X11, X11, X11
	VPXOR X12, X12, X12; VPXOR X13, X13, X13; VPXOR X14, X14, X14; VPXOR X15, X15, X15

start:
	PCALIGN $64

loop:
	VMOVDQU32 (rowWords), Z16 // load words of the rows, and prefetch a line of a later row
	PREFETCHT0 (ahead)
	ADDQ rowBytes, ahead
	EACH(TERM) // sum[i] += word of query i · words of the rows
	ADDQ $64, words // advance by a word
	ADDQ $64, rowWords
	INCQ step
	CMPQ step, count
	JEQ done
	TESTL $15, step // after 16 rows, ahead = next line of the first row
	JNE loop
	SUBQ back, ahead
	JMP loop

done:
	MOVQ result+56(FP), AX // if result == nil: tile[i] = sum[i]
	TESTQ AX, AX
	JNE results
	EACH(STORE)
	VZEROUPPER
	RET

results:
	MOVQ blockResult_dst(AX), DI // reuse the registers of the loop
	MOVQ blockResult_stride(AX), R8
	MOVQ blockResult_add(AX), SI
	MOVQ blockResult_norm(AX), BX
	VPBROADCASTD blockResult_scale(AX), Z16
	VMOVDQU32 (BX), Z17
	SHLQ $2, R8
	EACH(RESULT) // dst[i] = float32(scale·sum[i] + norm + add[i])
	VZEROUPPER
	RET

#undef sums
#undef words
#undef rowWords
#undef count
#undef step
#undef ahead
#undef rowBytes
#undef back
#undef EACH
#undef LOAD
#undef STORE
#undef RESULT
#undef TERM
