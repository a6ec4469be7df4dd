// The body of the blocks of queries in kernels_many_avx512_amd64.s, which says what the macros of
// each metric are.
//
// Two queries and four rows at a time: eight pairs. Their four groups of 16 lanes, which DotF32
// documents, are summed in two passes over the columns, two groups in each, so that every vector
// of lanes has a register. The rows of a call stay in L1, and so do the two queries. Meanwhile some
// lines of the rows that follow are fetched to L2.
//
// SI: the two queries; R8: their distance in bytes; R13: queries left. DI: the four rows; R9: the
// distance of two, R10: of four; AX: rows left. BX: whole steps of 64 columns, CX: those left. R12:
// the first query's place in dst, R11: the second query's distance from there. DX: what is fetched.
// K1-K4: the lanes of the groups that the rest has. Z0-Z7: a group of the pairs, those of the first
// query first; Z8-Z15: the next group; Z16-Z23: the sums of two groups; Z24-Z27: the queries; Z28,
// Z29: a row; Z30: anything; Z31: −0.

// Every lane −0.
#define CLEAR \
	VMOVAPS Z31, Z0  \
	VMOVAPS Z31, Z1  \
	VMOVAPS Z31, Z2  \
	VMOVAPS Z31, Z3  \
	VMOVAPS Z31, Z4  \
	VMOVAPS Z31, Z5  \
	VMOVAPS Z31, Z6  \
	VMOVAPS Z31, Z7  \
	VMOVAPS Z31, Z8  \
	VMOVAPS Z31, Z9  \
	VMOVAPS Z31, Z10 \
	VMOVAPS Z31, Z11 \
	VMOVAPS Z31, Z12 \
	VMOVAPS Z31, Z13 \
	VMOVAPS Z31, Z14 \
	VMOVAPS Z31, Z15

// Two vectors of a row and of both queries.
#define ROW(off, row, a, b, c, d) \
	VMOVUPS off row, Z28      \
	VMOVUPS (off+64) row, Z29 \
	TERM(Z24, Z28, a)         \
	TERM(Z25, Z28, b)         \
	TERM(Z26, Z29, c)         \
	TERM(Z27, Z29, d)

#define STEP(off) \
	VMOVUPS off(SI), Z24                   \
	VMOVUPS off(SI)(R8*1), Z25             \
	VMOVUPS (off+64)(SI), Z26              \
	VMOVUPS (off+64)(SI)(R8*1), Z27        \
	ROW(off, (DI), Z0, Z4, Z8, Z12)        \
	ROW(off, (DI)(R9*1), Z1, Z5, Z9, Z13)  \
	ROW(off, (DI)(R9*2), Z2, Z6, Z10, Z14) \
	ROW(off, (DI)(R10*1), Z3, Z7, Z11, Z15)

// The rest of a group.
#define RESTROW(off, row, K, a, b) \
	VMOVUPS.Z off row, K, Z28 \
	RESTTERM(Z24, Z28, K, a)  \
	RESTTERM(Z25, Z28, K, b)

#define REST(off, K, a, b, c, d, e, f, g, h) \
	VMOVUPS.Z off(SI), K, Z24         \
	VMOVUPS.Z off(SI)(R8*1), K, Z25   \
	RESTROW(off, (DI), K, a, e)       \
	RESTROW(off, (DI)(R9*1), K, b, f) \
	RESTROW(off, (DI)(R9*2), K, c, g) \
	RESTROW(off, (DI)(R10*1), K, d, h)

// The halves of two sums, or their quarters, added: those of a stay below those of b.
#define HALVE(a, b, z) \
	VSHUFF64X2 $0x44, b, a, Z30 \
	VSHUFF64X2 $0xee, b, a, z   \
	VADDPS z, Z30, z

#define QUARTER(a, b, z) \
	VSHUFF64X2 $0x88, b, a, Z30 \
	VSHUFF64X2 $0xdd, b, a, z   \
	VADDPS z, Z30, z

	MOVQ q_base+32(FP), SI
	MOVQ queries+56(FP), R13
	MOVQ qstride+64(FP), R8
	MOVQ rows+96(FP), AX
	MOVQ cols+104(FP), CX
	MOVQ stride+112(FP), R9
	MOVQ dst_base+0(FP), R12
	MOVQ dstride+24(FP), R11
	SHLQ $2, R8
	SHLQ $2, R9
	SHLQ $2, R11
	LEAQ (R9)(R9*2), R10
	MOVQ CX, BX
	SHRQ $6, BX
	MOVQ $1, DX
	SHLQ CX, DX // by the last six bits of CX: the rest
	DECQ DX
	KMOVW DX, K1
	SHRQ $16, DX
	KMOVW DX, K2
	SHRQ $16, DX
	KMOVW DX, K3
	SHRQ $16, DX
	KMOVW DX, K4
	VPTERNLOGD $0xff, Z31, Z31, Z31
	VPSLLD $31, Z31, Z31

	MOVQ AX, DX // what follows the rows
	IMULQ R9, DX
	ADDQ a_base+72(FP), DX

queries:
	MOVQ a_base+72(FP), DI
	MOVQ rows+96(FP), AX

rows:
	MOVQ lines+120(FP), CX
	TESTQ CX, CX
	JEQ begin

fetch:
	PREFETCHT1 (DX)
	ADDQ $64, DX
	DECQ CX
	JNE fetch

begin:
	CLEAR
	MOVQ BX, CX
	TESTQ CX, CX
	JEQ rest01
	PCALIGN $64

step01:
	STEP(0)
	ADDQ $256, SI
	ADDQ $256, DI
	DECQ CX
	JNE step01

rest01:
	KTESTW K1, K1
	JEQ sum01
	REST(0, K1, Z0, Z1, Z2, Z3, Z4, Z5, Z6, Z7)
	KTESTW K2, K2
	JEQ sum01
	REST(64, K2, Z8, Z9, Z10, Z11, Z12, Z13, Z14, Z15)

sum01:
	MOVQ BX, CX
	SHLQ $8, CX
	SUBQ CX, SI
	SUBQ CX, DI
	VADDPS Z8, Z0, Z16
	VADDPS Z9, Z1, Z17
	VADDPS Z10, Z2, Z18
	VADDPS Z11, Z3, Z19
	VADDPS Z12, Z4, Z20
	VADDPS Z13, Z5, Z21
	VADDPS Z14, Z6, Z22
	VADDPS Z15, Z7, Z23
	CLEAR
	MOVQ BX, CX
	TESTQ CX, CX
	JEQ rest23
	PCALIGN $64

step23:
	STEP(128)
	ADDQ $256, SI
	ADDQ $256, DI
	DECQ CX
	JNE step23

rest23:
	KTESTW K3, K3
	JEQ sum23
	REST(128, K3, Z0, Z1, Z2, Z3, Z4, Z5, Z6, Z7)
	KTESTW K4, K4
	JEQ sum23
	REST(192, K4, Z8, Z9, Z10, Z11, Z12, Z13, Z14, Z15)

sum23:
	MOVQ BX, CX
	SHLQ $8, CX
	SUBQ CX, SI
	SUBQ CX, DI
	VADDPS Z8, Z0, Z0
	VADDPS Z9, Z1, Z1
	VADDPS Z10, Z2, Z2
	VADDPS Z11, Z3, Z3
	VADDPS Z12, Z4, Z4
	VADDPS Z13, Z5, Z5
	VADDPS Z14, Z6, Z6
	VADDPS Z15, Z7, Z7
	VADDPS Z0, Z16, Z0
	VADDPS Z1, Z17, Z1
	VADDPS Z2, Z18, Z2
	VADDPS Z3, Z19, Z3
	VADDPS Z4, Z20, Z4
	VADDPS Z5, Z21, Z5
	VADDPS Z6, Z22, Z6
	VADDPS Z7, Z23, Z7
	HALVE(Z0, Z1, Z0)
	HALVE(Z2, Z3, Z2)
	HALVE(Z4, Z5, Z4)
	HALVE(Z6, Z7, Z6)
	QUARTER(Z0, Z2, Z0)
	QUARTER(Z4, Z6, Z4)
	VUNPCKLPD Z4, Z0, Z1
	VUNPCKHPD Z4, Z0, Z2
	VADDPS Z2, Z1, Z0
	VMOVSHDUP Z0, Z1
	VADDPS Z1, Z0, Z0
	VMOVUPS order32<>(SB), Y3
	VPERMPS Z0, Z3, Z0
	VMOVUPS X0, (R12)
	VEXTRACTF128 $1, Y0, (R12)(R11*1)
	ADDQ $16, R12
	LEAQ (DI)(R9*4), DI
	SUBQ $4, AX
	JNE rows

	// the next two queries
	MOVQ rows+96(FP), CX
	SHLQ $2, CX
	SUBQ CX, R12
	LEAQ (R12)(R11*2), R12
	LEAQ (SI)(R8*2), SI
	SUBQ $2, R13
	JNE queries
	VZEROUPPER
	RET

#undef CLEAR
#undef ROW
#undef STEP
#undef RESTROW
#undef REST
#undef HALVE
#undef QUARTER
