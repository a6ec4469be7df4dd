// DISPATCH jumps to the function of the active tier and leaves the arguments x, y and n in place.
// It jumps to the avx512 code if the processor has the feature, which may be the tier itself. No
// function gets more than blockLen elements. inGo divides longer vectors into blocks and contains
// the plain Go code. ci/dispatch/table.go gives the cost of a dispatch in Go.
//
// The call is never reached. Because of it, Go's assembler adds the prologue of Go functions,
// unless a function is NOSPLIT. The scheduler preempts a goroutine in this prologue; otherwise, a
// loop of only assembly and inlined code could not be stopped. The function is NOFRAME because a
// jump cannot remove a frame.
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
