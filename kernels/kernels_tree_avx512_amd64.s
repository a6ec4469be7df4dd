//go:build !purego

#include "textflag.h"

// Kernels of tree growing for AVX-512.

// func subI64AVX512(dst, a, b []int64)
//
// Requires: AVX512F
//
// DI dst   SI a   DX b   CX elements left   K1 the last ones
TEXT ·subI64AVX512(SB), NOSPLIT, $0-72
	MOVQ dst_base+0(FP), DI
	MOVQ dst_len+8(FP), CX
	MOVQ a_base+24(FP), SI
	MOVQ b_base+48(FP), DX
	SUBQ $32, CX
	JLT  few

loop:
	VMOVDQU64 (SI), Z0
	VMOVDQU64 64(SI), Z1
	VMOVDQU64 128(SI), Z2
	VMOVDQU64 192(SI), Z3
	VPSUBQ    (DX), Z0, Z0
	VPSUBQ    64(DX), Z1, Z1
	VPSUBQ    128(DX), Z2, Z2
	VPSUBQ    192(DX), Z3, Z3
	VMOVDQU64 Z0, (DI)
	VMOVDQU64 Z1, 64(DI)
	VMOVDQU64 Z2, 128(DI)
	VMOVDQU64 Z3, 192(DI)
	ADDQ      $256, SI
	ADDQ      $256, DX
	ADDQ      $256, DI
	SUBQ      $32, CX
	JGE       loop

few:
	ADDQ $24, CX
	JLT  tail

eight:
	VMOVDQU64 (SI), Z0
	VPSUBQ    (DX), Z0, Z0
	VMOVDQU64 Z0, (DI)
	ADDQ      $64, SI
	ADDQ      $64, DX
	ADDQ      $64, DI
	SUBQ      $8, CX
	JGE       eight

tail:
	ADDQ        $8, CX
	JEQ         done
	MOVL        $1, AX
	SHLL        CX, AX
	DECL        AX
	KMOVW       AX, K1
	VMOVDQU64.Z (SI), K1, Z0
	VMOVDQU64.Z (DX), K1, Z1
	VPSUBQ      Z1, Z0, Z0
	VMOVDQU64   Z0, K1, (DI)

done:
	VZEROUPPER
	RET

// 0 to 7, the lanes of a vector.
DATA treeLanes8<>+0(SB)/8, $0
DATA treeLanes8<>+8(SB)/8, $1
DATA treeLanes8<>+16(SB)/8, $2
DATA treeLanes8<>+24(SB)/8, $3
DATA treeLanes8<>+32(SB)/8, $4
DATA treeLanes8<>+40(SB)/8, $5
DATA treeLanes8<>+48(SB)/8, $6
DATA treeLanes8<>+56(SB)/8, $7
GLOBL treeLanes8<>(SB), RODATA|NOPTR, $64

// func bestSplitI64AVX512(cells []int64, start, total int64, alpha, lambda, minHess float64) (gain float64, bin int, sum int64)
//
// Requires: AVX512F, AVX512DQ
//
// Each lane keeps the first best of every eighth bin, and the lowest of the best lanes' bins comes out. Lanes behind
// the last bin repeat its split, with a higher bin: they never win.
//
// SI cells   CX cells left   Z31 total   Z30 alpha   Z29 lambda   Z28 minHess   Z27 2³¹   Z26 all bits but the sign   Z25 sum of the cells
// before   Z24 zero   Z23 7 in each lane   Z22 8 in each lane   Z9 numbers of the bins   Z8 sum, Z7 bin and Z6 gain of the best
// Z5 sums up to the bins   K1 which are allowed   Z0 g, l²y, gain   Z1 g and r²x on the right   Z2 h and x   Z3 h and y on the right
TEXT ·bestSplitI64AVX512(SB), NOSPLIT, $0-88
	MOVQ         cells_base+0(FP), SI
	MOVQ         cells_len+8(FP), CX
	VPBROADCASTQ start+24(FP), Z25
	VPBROADCASTQ total+32(FP), Z31
	VBROADCASTSD alpha+40(FP), Z30
	VBROADCASTSD lambda+48(FP), Z29
	VBROADCASTSD minHess+56(FP), Z28
	MOVL         $0x80000000, AX
	VPBROADCASTQ AX, Z27
	MOVQ         $0x7fffffffffffffff, AX
	VPBROADCASTQ AX, Z26
	VPXORQ       Z24, Z24, Z24
	MOVL         $7, AX
	VPBROADCASTQ AX, Z23
	INCL         AX
	VPBROADCASTQ AX, Z22
	VMOVDQU64    treeLanes8<>(SB), Z9
	VPXORQ       Z8, Z8, Z8
	VPTERNLOGQ   $0xff, Z7, Z7, Z7
	MOVQ         $0xbff0000000000000, AX      // −1
	VPBROADCASTQ AX, Z6
	SUBQ         $8, CX
	JLT          tail

loop:
	VMOVDQU64 (SI), Z5

sums:
	// Of two, of four, then of all cells up to each, then with those before.
	VALIGNQ $7, Z24, Z5, Z0
	VPADDQ  Z0, Z5, Z5
	VALIGNQ $6, Z24, Z5, Z0
	VPADDQ  Z0, Z5, Z5
	VALIGNQ $4, Z24, Z5, Z0
	VPADDQ  Z0, Z5, Z5
	VPERMQ  Z5, Z23, Z0
	VPADDQ  Z25, Z5, Z5
	VPADDQ  Z0, Z25, Z25

	// The lower halves are g; the upper halves are h, after 2³¹ is added.
	VPSUBQ    Z5, Z31, Z1
	VPADDQ    Z27, Z5, Z2
	VPADDQ    Z27, Z1, Z3
	VPSRAQ    $32, Z2, Z2
	VPSRAQ    $32, Z3, Z3
	VCVTQQ2PD Z2, Z2
	VCVTQQ2PD Z3, Z3
	VMINPD    Z2, Z3, Z4
	VCMPPD    $0x1d, Z28, Z4, K1 // at least minHess
	KORTESTB  K1, K1
	JEQ       next
	VPMOVQD   Z5, Y0
	VPMOVQD   Z1, Y1
	VCVTDQ2PD Y0, Z0
	VCVTDQ2PD Y1, Z1

	VPANDQ    Z26, Z0, Z0
	VPANDQ    Z26, Z1, Z1
	VSUBPD    Z30, Z0, Z0
	VSUBPD    Z30, Z1, Z1
	VMAXPD    Z24, Z0, Z0
	VMAXPD    Z24, Z1, Z1
	VADDPD    Z29, Z2, Z2
	VADDPD    Z29, Z3, Z3
	VMULPD    Z0, Z0, Z0
	VMULPD    Z1, Z1, Z1
	VMULPD    Z3, Z0, Z0
	VMULPD    Z2, Z1, Z1
	VADDPD    Z1, Z0, Z0
	VMULPD    Z3, Z2, Z2
	VDIVPD    Z2, Z0, Z0
	VCMPPD    $0x1e, Z6, Z0, K1, K1 // greater
	VMOVAPD   Z0, K1, Z6
	VMOVDQA64 Z9, K1, Z7
	VMOVDQA64 Z5, K1, Z8

next:
	VPADDQ Z22, Z9, Z9
	ADDQ   $64, SI
	SUBQ   $8, CX
	JGE    loop

tail:
	ADDQ        $8, CX
	JLE         done
	MOVL        $1, AX
	SHLL        CX, AX
	DECL        AX
	KMOVW       AX, K1
	VMOVDQU64.Z (SI), K1, Z5
	XORL        CX, CX
	JMP         sums

done:
	VEXTRACTF64X4 $1, Z6, Y0
	VMAXPD        Y0, Y6, Y0
	VEXTRACTF128  $1, Y0, X1
	VMAXPD        X1, X0, X0
	VPERMILPD     $1, X0, X1
	VMAXPD        X1, X0, X0
	VMOVSD        X0, gain+64(FP)
	VBROADCASTSD  X0, Z0
	VCMPPD        $4, Z0, Z6, K1          // not equal: then the bin is made the greatest number
	VPTERNLOGQ    $0xff, Z7, Z7, K1, Z7
	VEXTRACTI64X4 $1, Z7, Y0
	VPMINUQ       Z0, Z7, Z0
	VEXTRACTI128  $1, Y0, X1
	VPMINUQ       Z1, Z0, Z0
	VPSHUFD       $0x4e, X0, X1
	VPMINUQ       Z1, Z0, Z0
	VMOVQ         X0, bin+72(FP)
	VPBROADCASTQ  X0, Z0
	VPCMPEQQ      Z0, Z7, K1
	VPCOMPRESSQ   Z8, K1, Z0
	VMOVQ         X0, sum+80(FP)
	VZEROUPPER
	RET
