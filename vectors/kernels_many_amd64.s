//go:build !purego

#include "textflag.h"

// Kernels that compare queries with many vectors, for AVX2. DotF32 and L2F32 document the order of
// operations.

// func dotBlockF32AVX2(dst []float32, dstride int, q []float32, queries, qstride int, a []float32, rows, cols, stride, lines int, lanes *[528]float32)
// Requires: AVX2, FMA3
// Registers: see many_block_amd64.h.
TEXT ·dotBlockF32AVX2(SB), NOSPLIT, $0-136
#define TERM(x, y, acc) VFMADD231PS y, x, acc
#include "many_block_amd64.h"

// func l2BlockF32AVX2(dst []float32, dstride int, q []float32, queries, qstride int, a []float32, rows, cols, stride, lines int, lanes *[528]float32)
// Requires: AVX2, FMA3
// Registers: see many_block_amd64.h.
TEXT ·l2BlockF32AVX2(SB), NOSPLIT, $0-136
#define TERM(x, y, acc) VSUBPS y, x, Y14; VFMADD231PS Y14, Y14, acc
#include "many_block_amd64.h"

// func cosinesF32AVX2(dst []float32, xx float32, yy []float32)
// Requires: AVX2
// Registers: DI, SI: next elements of dst and yy; CX: remaining elements, a multiple of 4; Y0: xx;
// Y5: 0.
TEXT ·cosinesF32AVX2(SB), NOSPLIT, $0-56
	MOVQ dst_base+0(FP), DI
	MOVQ dst_len+8(FP), CX
	MOVQ yy_base+32(FP), SI
	VXORPS X5, X5, X5
	VCVTSS2SD xx+24(FP), X5, X0
	VBROADCASTSD X0, Y0

four:
	SUBQ $4, CX
	JLT done
	VCVTPS2PD (DI), Y1 // convert to float64: Y1 = dst, the products x·y; Y2 = xx·yy
	VCVTPS2PD (SI), Y2
	VMULPD Y0, Y2, Y2
	VSQRTPD Y2, Y3 // dst = dst / √(xx·yy), or 0 if the product is 0
	VDIVPD Y3, Y1, Y1
	VCMPPD $0, Y5, Y2, Y4
	VANDNPD Y1, Y4, Y1
	VCVTPD2PSY Y1, X1
	VMOVUPS X1, (DI)
	ADDQ $16, DI // advance by four elements
	ADDQ $16, SI
	JMP four

done:
	VZEROUPPER
	RET

// func fetchAVX2(p unsafe.Pointer, size int)
// Requires: nothing beyond amd64
// Registers: SI: the next cache line; CX: the end.
TEXT ·fetchAVX2(SB), NOSPLIT, $0-16
	MOVQ p+0(FP), SI
	MOVQ size+8(FP), CX
	ADDQ SI, CX

line: // prefetch each line to L2
	PREFETCHT1 (SI)
	ADDQ $64, SI
	CMPQ SI, CX
	JLT line
	RET
