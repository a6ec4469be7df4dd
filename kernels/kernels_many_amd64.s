//go:build !purego

#include "textflag.h"

// Kernels of many vectors for AVX2.

// func fetchAVX2(p unsafe.Pointer, size int)
// Requires: nothing beyond amd64
//
// SI: a line; CX: the end.
TEXT ·fetchAVX2(SB), NOSPLIT, $0-16
	MOVQ p+0(FP), SI
	MOVQ size+8(FP), CX
	ADDQ SI, CX

line:
	PREFETCHT0 (SI)
	ADDQ $64, SI
	CMPQ SI, CX
	JLT line
	RET
