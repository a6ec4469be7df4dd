// The body of the kernels of rows in kernels_many_avx512_amd64.s. It sets dst[r] to the metric of q
// and row r of a. CLEAR initializes the sums. TERM(off, t, a, b) adds the terms of the elements at
// offset off to sum a and norm b, and uses register t. REMAINDER(off, k, a, b) does the same under
// mask k. RESULT sets X0 to the metric.
//
// Registers: AX: the next element of dst; DX: remaining rows; CX: remaining iterations; K1-K4:
// masks of the elements in each vector of the remainder.

#define sum0  Z0  // sums of the metric, four groups of 16 lanes
#define sum1  Z1
#define sum2  Z2
#define sum3  Z3
#define norm0 Z4  // Σ a·a
#define norm1 Z5
#define norm2 Z6
#define norm3 Z7
#define qNext SI  // address of the next elements of q
#define aNext DI  // address of the next elements of the row
#define query R8  // address of q
#define row   R9  // address of the row
#define bytes R10 // bytes from a row to the next
#define loops BX  // number of iterations of 64 columns
#define minus0 Z31 // −0 in every lane

	MOVQ dst_base+0(FP), AX // load the arguments
	MOVQ q_base+24(FP), query
	MOVQ a_base+48(FP), row
	MOVQ rows+72(FP), DX
	MOVQ cols+80(FP), CX
	MOVQ stride+88(FP), bytes
	SHLQ $2, bytes
	MOVQ CX, loops // loops = cols / 64
	SHRQ $6, loops
	MOVQ $1, DI // K1-K4 = masks of the last cols % 64 columns; SHLQ counts modulo 64
	SHLQ CX, DI
	DECQ DI
	KMOVW DI, K1 // each mask is for 16 columns
	SHRQ $16, DI
	KMOVW DI, K2
	SHRQ $16, DI
	KMOVW DI, K3
	SHRQ $16, DI
	KMOVW DI, K4
	VPTERNLOGD $0xff, minus0, minus0, minus0 // minus0 = all ones << 31
	VPSLLD $31, minus0, minus0

nextRow:
	CLEAR // sums = −0
	MOVQ query, qNext
	MOVQ row, aNext
	MOVQ loops, CX
	TESTQ CX, CX
	JEQ remainder
	PCALIGN $32

loop:
	TERM(0, Z8, sum0, norm0) // sums += terms of 64 columns
	TERM(64, Z9, sum1, norm1)
	TERM(128, Z10, sum2, norm2)
	TERM(192, Z11, sum3, norm3)
	ADDQ $256, qNext
	ADDQ $256, aNext
	DECQ CX
	JNE loop

remainder:
	KTESTW K1, K1 // sums += terms of the remainder, up to the first empty mask
	JEQ result
	REMAINDER(0, K1, sum0, norm0)
	KTESTW K2, K2
	JEQ result
	REMAINDER(64, K2, sum1, norm1)
	KTESTW K3, K3
	JEQ result // if there is no third vector: goto result
	REMAINDER(128, K3, sum2, norm2)
	KTESTW K4, K4
	JEQ result
	REMAINDER(192, K4, sum3, norm3)

result:
	RESULT // store the result, and advance by a row
	VMOVSS X0, (AX)
	ADDQ $4, AX
	ADDQ bytes, row
	DECQ DX
	JNE nextRow
	VZEROUPPER
	RET

#undef sum0
#undef sum1
#undef sum2
#undef sum3
#undef norm0
#undef norm1
#undef norm2
#undef norm3
#undef qNext
#undef aNext
#undef query
#undef row
#undef bytes
#undef loops
#undef minus0
#undef CLEAR
#undef TERM
#undef REMAINDER
#undef RESULT
