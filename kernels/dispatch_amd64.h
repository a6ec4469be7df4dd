// DISPATCH jumps to the function of the tier that runs, each given as ·name(SB). Go would
// do the same in a function of its own, whose call takes a nanosecond.
#define DISPATCH(avx512, avx2, generic) \
	CMPB github·com∕simdrank∕simdrank∕internal∕cpu·UseAVX512(SB), $0; \
	JEQ 2(PC);   \
	JMP avx512;  \
	CMPB github·com∕simdrank∕simdrank∕internal∕cpu·UseAVX2(SB), $0; \
	JEQ 2(PC);   \
	JMP avx2;    \
	JMP generic

// PREEMPTED goes to slow, a function in Go, when the scheduler wants the goroutine, or its stack is small. Assembly cannot be preempted, and a
// loop over calls of it that the compiler has inlined hardly ever, so that a collection would wait for long. Go's own functions begin with
// this comparison with g.stackguard0, and so does slow, which stops there.
#define PREEMPTED(slow) \
	MOVQ (TLS), AX;   \
	CMPQ SP, 16(AX);  \
	JLS slow

// FITS goes to no when PREEMPTED does, and unless AVX-512 runs, the operands of gemv or of its transpose fit and make one call, dst overlaps
// none of the others, and the last vector of the last row, loaded under a mask, does not reach beyond its
// page. Everything else, also what is wrong, is for Go. dst has dstLen elements of vsize bytes
// and x has xLen, one of them BX (rows) and the other DX (cols); a has elements of msize bytes, lanes to a vector.
#define FITS(dstLen, xLen, vsize, msize, lanes, no) \
	CMPB github·com∕simdrank∕simdrank∕internal∕cpu·UseAVX512(SB), $0; \
	JEQ no;                       \
	PREEMPTED(no);                \
	MOVQ rows+48(FP), BX;         \
	MOVQ cols+56(FP), DX;         \
	MOVQ stride+64(FP), R9;       \
	MOVQ a_len+32(FP), R11;       \
	CMPQ dstLen, dst_len+8(FP);   \
	JNE no;                       \
	CMPQ xLen, x_len+80(FP);      \
	JNE no;                       \
	CMPQ DX, R9;                  \
	JGT no;                       \
	LEAQ -1(DX), R10;             \
	CMPQ R10, $65536;             \
	JCC no;                       \
	MOVQ BX, AX;                  \
	IMULQ DX, AX;                 \
	DECQ AX;                      \
	CMPQ AX, $(1048576/msize);    \
	JCC no;                       \
	LEAQ -1(BX), CX;              \
	IMULQ R9, CX;                 \
	JOS no;                       \
	LEAQ (CX)(DX*1), AX;          \
	CMPQ AX, R11;                 \
	JHI no;                       \
	MOVQ dst_base+0(FP), DI;      \
	MOVQ a_base+24(FP), SI;       \
	MOVQ x_base+72(FP), R8;       \
	ANDQ $-lanes, R10;            \
	ADDQ R10, CX;                 \
	LEAQ (SI)(CX*msize), CX;      \
	ANDL $4095, CX;               \
	CMPL CX, $(4096-lanes*msize); \
	JHI no;                       \
	LEAQ (DI)(dstLen*vsize), AX;  \
	LEAQ (R8)(xLen*vsize), R12;   \
	LEAQ (SI)(R11*msize), R13;    \
	CMPQ AX, R8;                  \
	JLS 3(PC);                    \
	CMPQ R12, DI;                 \
	JHI no;                       \
	CMPQ AX, SI;                  \
	JLS 3(PC);                    \
	CMPQ R13, DI;                 \
	JHI no
