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
