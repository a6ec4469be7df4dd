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

// PREEMPTED goes to slow, a function in Go, when the scheduler wants the goroutine, or its stack
// is small. Assembly cannot be preempted, and a loop over calls of it that the compiler has
// inlined hardly ever, so that a collection would wait for long. Go's own functions begin with
// this comparison with g.stackguard0, and so does slow, which stops there.
#define PREEMPTED(slow) \
	MOVQ (TLS), AX;   \
	CMPQ SP, 16(AX);  \
	JLS slow

// DISPATCH_BLOCKS is DISPATCH for two slices of equal length: long, a function in Go, takes those
// of more than a block, and all of them when the scheduler wants the goroutine.
#define DISPATCH_BLOCKS(avx512, avx2, generic, long) \
	PREEMPTED(blocks)                 \
	CMPQ x_len+8(FP), $const_blockLen \
	JGT blocks                        \
	DISPATCH(avx512, avx2, generic)   \
blocks: \
	JMP long

// DISPATCH_BY is DISPATCH_BLOCKS for a kernel whose code for avx512 wants a feature that not
// all processors of that tier have. Those without it run the code of avx2. The code for avx512
// looks for blocks and preemption itself, where there is more than a few vectors.
#define DISPATCH_BY(feature, avx512, avx2, generic, long) \
	CMPB feature, $0                  \
	JEQ 2(PC)                         \
	JMP avx512                        \
	DISPATCH_BLOCKS(avx2, avx2, generic, long)

#define AVX512 github·com∕simdrank∕simdrank∕internal∕cpu·UseAVX512(SB)
#define VNNI github·com∕simdrank∕simdrank∕internal∕cpu·UseVNNI(SB)
#define VPOPCNT github·com∕simdrank∕simdrank∕internal∕cpu·UseVPOPCNT(SB)
