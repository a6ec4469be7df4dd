// DISPATCH jumps to the function of the tier that runs, with x, y and n where they are: to the code
// of avx512 if the processor has the feature, which may be the tier. None gets more than blockLen
// elements. inGo cuts longer vectors into blocks, and has plain Go. ci/dispatch/table.go says what
// a dispatch in Go would cost.
//
// The call is never reached. Go's assembler gives a function with a call, unless it is NOSPLIT, the
// prologue of functions in Go, in which the scheduler preempts a goroutine: otherwise a loop that
// is all assembly and inlined code would not stop. NOFRAME because a jump cannot drop a frame.
#define DISPATCH(feature, avx512, avx2, inGo) \
	CMPQ n+16(FP), $const_blockLen \
	JGT go           \
	CMPB feature, $0 \
	JEQ 2(PC)        \
	JMP avx512       \
	CMPB AVX2, $0    \
	JEQ 2(PC)        \
	JMP avx2         \
	CMPB AVX512, $0  \
	JEQ go           \
	JMP avx2         \
go: \
	JMP inGo         \
	CALL inGo

#define AVX2 github·com∕simdrank∕simdrank∕internal∕cpu·UseAVX2(SB)
#define AVX512 github·com∕simdrank∕simdrank∕internal∕cpu·UseAVX512(SB)
#define VNNI github·com∕simdrank∕simdrank∕internal∕cpu·UseVNNI(SB)
#define VPOPCNT github·com∕simdrank∕simdrank∕internal∕cpu·UseVPOPCNT(SB)
#define FP512 github·com∕simdrank∕simdrank∕internal∕cpu·UseFP512(SB)
#define INTEL github·com∕simdrank∕simdrank∕internal∕cpu·UseIntel(SB)
