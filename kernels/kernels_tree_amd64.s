//go:build !purego

#include "textflag.h"

// Kernels of tree growing for AVX2.

// FEATURE adds DX to a cell of feature f, whose histogram is 264·8 bytes behind that of the feature before it.
#define FEATURE(f, byte) \
	MOVBLZX byte, AX; \
	ADDQ    DX, (f*2112)(DI)(AX*8)

// FEATURES adds DX to the cells that the bytes of BX name.
#define FEATURES \
	FEATURE(0, BL); \
	FEATURE(1, BH); \
	SHRQ $16, BX; \
	FEATURE(2, BL); \
	FEATURE(3, BH); \
	SHRQ $16, BX; \
	FEATURE(4, BL); \
	FEATURE(5, BH); \
	SHRQ $16, BX; \
	FEATURE(6, BL); \
	FEATURE(7, BH)

// AHEAD is how many rows the bins are fetched ahead: at eight cycles a row, the time of an access to memory.
#define AHEAD 128

// func histogramU8AVX2(hist []int64, bins []uint8, stride int, rows []uint32, gh []int64)
//
// Requires: nothing
//
// The processor reads, adds and writes one cell a cycle, from the nearest cache. The rest of the loop hides behind that, if
// the bins are near. Addresses that are fetched ahead may lie behind the end of bins: that is no access.
//
// DI hist   SI bins   R8 stride   R9 next row number   R10 next value   CX rows left   R11 row's offset
// R12 AHEAD rows, in bytes   R13 rows left that have none AHEAD   BX the row's bins   DX value   AX bin
TEXT ·histogramU8AVX2(SB), NOSPLIT, $0-104
	MOVQ  hist_base+0(FP), DI
	MOVQ  bins_base+24(FP), SI
	MOVQ  stride+48(FP), R8
	MOVQ  rows_base+56(FP), R9
	MOVQ  gh_base+80(FP), R10
	MOVQ  gh_len+88(FP), CX
	TESTQ CX, CX
	JEQ   done
	TESTQ R9, R9
	JEQ   all

	// CX of the rows have one AHEAD, then R13 have none.
	MOVQ    rows_len+64(FP), AX
	SUBQ    $AHEAD, AX
	XORL    R13, R13
	CMPQ    AX, R13
	CMOVQLT R13, AX
	MOVQ    CX, R13
	CMPQ    AX, CX
	CMOVQLT AX, CX
	SUBQ    CX, R13
	TESTQ   CX, CX
	JEQ     last

listed:
	MOVL       (AHEAD*4)(R9), R11
	IMULQ      R8, R11
	PREFETCHT0 (SI)(R11*1)
	MOVL       (R9), R11
	IMULQ      R8, R11
	MOVQ       (SI)(R11*1), BX
	MOVQ       (R10), DX
	FEATURES
	ADDQ       $4, R9
	ADDQ       $8, R10
	DECQ       CX
	JNE        listed
	TESTQ      R13, R13
	JEQ        done

last:
	MOVL  (R9), R11
	IMULQ R8, R11
	MOVQ  (SI)(R11*1), BX
	MOVQ  (R10), DX
	FEATURES
	ADDQ  $4, R9
	ADDQ  $8, R10
	DECQ  R13
	JNE   last

done:
	RET

all:
	IMUL3Q $AHEAD, R8, R12

next:
	PREFETCHT0 (SI)(R12*1)
	MOVQ       (SI), BX
	MOVQ       (R10), DX
	FEATURES
	ADDQ       R8, SI
	ADDQ       $8, R10
	DECQ       CX
	JNE        next
	RET
