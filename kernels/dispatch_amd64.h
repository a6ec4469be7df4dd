// DISPATCH jumps to the function of the active tier, and leaves the arguments x, y and n in place.
// feature selects the avx512 code: it is a processor feature or the tier itself. The assembly
// functions never get more than blockLen elements. inGo divides longer vectors into blocks, and
// also contains the plain Go code. ci/dispatch/table.go documents the cost of a dispatch in Go.
//
// The CALL is never reached. It makes Go's assembler add the prologue of Go functions, in which the
// scheduler preempts goroutines. Functions without calls or with NOSPLIT have no prologue. Without
// a prologue, a loop that consists only of assembly and inlined code could not be preempted. The
// function is NOFRAME, because a jump cannot remove a frame.
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
