// The body of the kernels that compute one or three sums over two BF16 vectors. A header of terms
// defines its parameters START, FIRST and TERMS. compare_avx512_amd64.h describes them. COSINE is
// defined if there are three sums.
//
// A 32-bit lane contains two elements. The lower one becomes a float32 by a shift to the upper
// half, and the upper one by clearing the lower half. Therefore, 32 elements become a register of
// even elements and a register of odd elements. On Zen 5, 768 elements take 0.65 of the time of a
// conversion in order (cosine: 0.86). Up to 64 elements take up to a tenth longer. Of each 64
// elements, sum0, xx0 and yy0 contain the even lanes of the first 32, and sum1, xx1 and yy1 contain
// the odd lanes. The sums with the numbers 2 and 3 contain the lanes of the last 32 elements.
//
// Registers: Z16-Z23: elements; Z12-Z15, K1: temporaries.

#include "compare_names_avx512_amd64.h"
#define upper Z31 // mask of the upper halves of 32-bit lanes

// ex, ey = even elements of x and y. x, y = odd elements.
#define SPLIT(x, y, ex, ey) \
	VPSLLD $16, x, ex; VPSLLD $16, y, ey; VPANDD upper, x, x; VPANDD upper, y, y

// x, y, ex, ey = odd and even elements of the 32 elements at offset off.
#define LOAD(off, x, y, ex, ey) \
	VMOVDQU64 off(xNext), x; VMOVDQU64 off(yNext), y; \
	SPLIT(x, y, ex, ey)

// LOAD for the last left+32 elements, which are fewer than 32. The other lanes are +0 in x and −0
// in y. They add −0 to a sum of products, and +0 to sums of squares.
#define LAST(off, x, y, ex, ey) \
	LEAL 32(left), CX; MOVL $1, AX; SHLL CX, AX; DECL AX; KMOVD AX, K1; \
	MOVL $0x80008000, AX; VPBROADCASTD AX, y;                           \
	VMOVDQU16.Z off(xNext), K1, x; VMOVDQU16 off(yNext), K1, y;         \
	SPLIT(x, y, ex, ey)

// ya = the sum (g0+g1)+(g2+g3) of 16 lanes, with the upper half added to the lower half. za and zb
// contain the even and odd lanes of groups 0 and 1, and zc and zd of groups 2 and 3. ya contains 4
// even lanes, then 4 odd lanes.
#define HALVES(za, zb, zc, zd, ya, yb, yc, yd, xb) \
	VEXTRACTF64X4 $1, za, Y12; VEXTRACTF64X4 $1, zb, Y13; \
	VEXTRACTF64X4 $1, zc, Y14; VEXTRACTF64X4 $1, zd, Y15; \
	VADDPS Y12, ya, ya; VADDPS Y13, yb, yb;               \
	VADDPS Y14, yc, yc; VADDPS Y15, yd, yd;               \
	VADDPS yc, ya, ya; VADDPS yd, yb, yb;                 \
	VINSERTF128 $1, xb, ya, yc; VPERM2F128 $0x31, yb, ya, yd; VADDPS yd, yc, ya

	MOVQ x+0(FP), xNext // load the arguments
	MOVQ n+16(FP), left
	MOVQ y+8(FP), yNext
	MOVL $0xffff0000, AX
	VPBROADCASTD AX, upper
	SUBQ $64, left
	JLT initialize
	LOAD(0, Z16, Z17, Z18, Z19) // 64 elements initialize the sums
	LOAD(64, Z20, Z21, Z22, Z23)
	FIRST(Z18, Z19, sum0, xx0, yy0)
	FIRST(Z16, Z17, sum1, xx1, yy1)
	FIRST(Z22, Z23, sum2, xx2, yy2)
	FIRST(Z20, Z21, sum3, xx3, yy3)
	SUBQ $64, left
	JGE loop

tail: // process the elements from 64 on; left = remaining elements − 64
	CMPQ left, $-32
	JLT last0
	LOAD(128, Z16, Z17, Z18, Z19) // sums += terms of 32 elements
	TERMS(Z18, Z19, sum0, xx0, yy0)
	TERMS(Z16, Z17, sum1, xx1, yy1)
	JEQ sum
	LAST(192, Z20, Z21, Z22, Z23) // sums += terms of the last elements
	TERMS(Z22, Z23, sum2, xx2, yy2)
	TERMS(Z20, Z21, sum3, xx3, yy3)

sum:
#ifdef COSINE
	HALVES(Z4, Z5, Z6, Z7, Y4, Y5, Y6, Y7, X5) // Y4, Y8, Y0 = 8 lanes of xx, yy, xy
	HALVES(Z8, Z9, Z10, Z11, Y8, Y9, Y10, Y11, X9)
	HALVES(Z0, Z1, Z2, Z3, Y0, Y1, Y2, Y3, X1)
	VUNPCKLPD Y8, Y4, Y1 // Y1, Y0 = 4 lanes of xx and yy, and of xy
	VUNPCKHPD Y8, Y4, Y2
	VADDPS Y2, Y1, Y1
	VPERMILPD $5, Y0, Y3
	VADDPS Y3, Y0, Y0
	VSHUFPS $0x88, Y0, Y1, Y2 // X0 = xx, yy, xy
	VSHUFPS $0xdd, Y0, Y1, Y3
	VADDPS Y3, Y2, Y0
	VEXTRACTF128 $1, Y0, X1
	VADDPS X1, X0, X0
	VCVTPS2PD X0, Y0 // return xy / √(xx·yy) of float64, or 0 if xx·yy is 0
	VPERMILPD $1, X0, X3
	VMULSD X3, X0, X3
	VSQRTSD X3, X3, X4
	VEXTRACTF128 $1, Y0, X2
	QUOTIENT_F32
#undef COSINE
#else
	HALVES(Z0, Z1, Z2, Z3, Y0, Y1, Y2, Y3, X1) // Y0 = 8 lanes of the sum, reduced to 2
	VPERMILPD $5, Y0, Y1
	VADDPS Y1, Y0, Y0
	VMOVSHDUP Y0, Y1
	VADDPS Y1, Y0, Y0
	VEXTRACTF128 $1, Y0, X1 // return the sum of the even and the odd lane
	VADDSS X1, X0, X0
	VMOVSS X0, ret+24(FP)
	VZEROUPPER
	RET
#endif
	PCALIGN $64

loop:
	LOAD(128, Z16, Z17, Z18, Z19) // sums += terms of 64 elements
	LOAD(192, Z20, Z21, Z22, Z23)
	TERMS(Z18, Z19, sum0, xx0, yy0)
	TERMS(Z16, Z17, sum1, xx1, yy1)
	TERMS(Z22, Z23, sum2, xx2, yy2)
	TERMS(Z20, Z21, sum3, xx3, yy3)
	ADDQ $128, xNext // advance by 64 elements
	ADDQ $128, yNext
	SUBQ $64, left
	JGE loop
	JMP tail

last0: // fewer than 32 elements remain
	CMPQ left, $-64
	JEQ sum
	ADDQ $32, left
	LAST(128, Z16, Z17, Z18, Z19) // sums += terms of the last elements
	TERMS(Z18, Z19, sum0, xx0, yy0)
	TERMS(Z16, Z17, sum1, xx1, yy1)
	JMP sum

initialize: // initialize the sums if there are fewer than 64 elements
	START
	SUBQ $128, xNext
	SUBQ $128, yNext
	JMP tail

#undef upper
#undef SPLIT
#undef LOAD
#undef LAST
#undef HALVES
