//go:build !purego

#include "textflag.h"
#include "neon_arm64.h"

// Kernels that compare queries with many vectors, for NEON. DotF32 and L2F32 document the order of
// operations.

// func dotBlockF32NEON(dst []float32, dstride int, q []float32, queries, qstride int, a []float32, rows, cols, stride int, lanes *[512]float32)
// Requires: NEON
// Registers: see many_block_arm64.h.
TEXT ·dotBlockF32NEON(SB), NOSPLIT, $0-128
#define TERM(j, W, i, V, lane) VFMLA W.S4, V.S4, lane.S4
#include "many_block_arm64.h"

// func l2BlockF32NEON(dst []float32, dstride int, q []float32, queries, qstride int, a []float32, rows, cols, stride int, lanes *[512]float32)
// Requires: NEON
// Registers: see many_block_arm64.h.
TEXT ·l2BlockF32NEON(SB), NOSPLIT, $0-128
#define TERM(j, W, i, V, lane) FSUBS4(j, i, 22); VFMLA V22.S4, V22.S4, lane.S4
#include "many_block_arm64.h"

// func cosinesF32NEON(dst []float32, xx float32, yy []float32)
// Requires: NEON
//
// Registers: R0: the next element of dst; R1: remaining elements, an even number; R2: the next
// element of yy; V16: xx.
TEXT ·cosinesF32NEON(SB), NOSPLIT, $0-56
	LDP    dst_base+0(FP), (R0, R1)
	FMOVS  xx+24(FP), F16
	MOVD   yy_base+32(FP), R2
	FCVTSD F16, F16
	VDUP   V16.D[0], V16.D2
	CBZ    R1, done

loop:
	FMOVD   (R0), F0 // dst[i] /= √(xx·yy[i]), in float64
	FMOVD   (R2), F2
	FCVTLD2(0, 0)
	FCVTLD2(2, 2)
	FMULD2(16, 2, 2)
	FSQRTD2(2, 4)
	FDIVD2(4, 0, 0)
	FCMEQ0D2(2, 6) // the result is 0 if the divisor is 0
	BIC16(6, 0, 0)
	FCVTND2(0, 0)
	FMOVD   F0, (R0)
	ADD     $8, R0
	ADD     $8, R2
	SUBS    $2, R1
	BNE     loop

done:
	RET

// func fetchNEON(p unsafe.Pointer, size int)
// Requires: NEON
//
// Registers: R0: the next cache line; R1: the end.
TEXT ·fetchNEON(SB), NOSPLIT, $0-16
	LDP p+0(FP), (R0, R1)
	ADD R0, R1

line:
	PRFM (R0), PLDL2KEEP // prefetch each line of 64 bytes to L2
	ADD  $64, R0
	CMP  R1, R0
	BLO  line
	RET
