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

// DISPATCH_WIDE is DISPATCH for slices of len elements: those of at most most run the code of
// avx512, which finds the length in DX. One comparison is for the tier, for processors that split
// what has 512 bits, and for what is cut into blocks; see tuning_amd64.go.
#define DISPATCH_WIDE(len, most, avx512, avx2, generic) \
	MOVQ len, DX  \
	CMPQ DX, most \
	JGT narrow    \
	JMP avx512    \
narrow: \
	DISPATCH(avx2, avx2, generic)

// PREEMPTED goes to slow, a function in Go, when the scheduler wants the goroutine, or its stack
// is small. Assembly cannot be preempted, and a loop over calls of it that the compiler has
// inlined hardly ever, so that a collection would wait for long. Go's own functions begin with
// this comparison with g.stackguard0, and so does slow, which stops there.
#define PREEMPTED(slow) \
	MOVQ (TLS), AX;   \
	CMPQ SP, 16(AX);  \
	JLS slow

// DISPATCH_BY is DISPATCH for two vectors of n elements and code for avx512 that wants a feature,
// or just the tier; processors of the tier without it run the code of avx2. inGo, a function in Go,
// has plain Go. It takes more than a block, too, and all there is when the scheduler wants the
// goroutine: here for avx2, while the code for avx512 looks for both where it has a loop.
#define DISPATCH_BY(feature, avx512, avx2, inGo) \
	CMPB feature, $0               \
	JEQ 2(PC)                      \
	JMP avx512                     \
	PREEMPTED(go)                  \
	CMPQ n+16(FP), $const_blockLen \
	JGT go                         \
	DISPATCH(avx2, avx2, inGo)     \
go: \
	JMP inGo

#define AVX512 github·com∕simdrank∕simdrank∕internal∕cpu·UseAVX512(SB)
#define VNNI github·com∕simdrank∕simdrank∕internal∕cpu·UseVNNI(SB)
#define FP512 github·com∕simdrank∕simdrank∕internal∕cpu·UseFP512(SB)
#define INTEL github·com∕simdrank∕simdrank∕internal∕cpu·UseIntel(SB)
#define VPOPCNT github·com∕simdrank∕simdrank∕internal∕cpu·UseVPOPCNT(SB)

// SPLITS goes to label on a processor that splits what has 512 bits.
#define SPLITS(label) \
	CMPB AVX512, $0; \
	JEQ 3(PC);       \
	CMPB FP512, $0;  \
	JEQ label
