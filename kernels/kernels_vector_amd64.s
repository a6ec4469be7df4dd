//go:build !purego

#include "go_asm.h"
#include "textflag.h"
#include "dispatch_amd64.h"
#include "vector_amd64.h"

// The vector kernels for AVX2 and FMA3. The order of operations is that of the doc comments in
// vector.go.

DATA minus0F64<>+0(SB)/8, $0x8000000000000000
GLOBL minus0F64<>(SB), RODATA|NOPTR, $8

DATA minus0F32<>+0(SB)/4, $0x80000000
GLOBL minus0F32<>(SB), RODATA|NOPTR, $4

// The bits of the numbers 0 to 15.
DATA bitCounts<>+0(SB)/8, $0x0302020102010100
DATA bitCounts<>+8(SB)/8, $0x0403030203020201
GLOBL bitCounts<>(SB), RODATA|NOPTR, $16

DATA lowHalves<>+0(SB)/8, $0x0f0f0f0f0f0f0f0f
GLOBL lowHalves<>(SB), RODATA|NOPTR, $8

// The one sum of a dot product or a distance, from 128 bits on.
#define RESULT_F32 \
	VPERMILPD $1, X0, X1    \
	VADDPS X1, X0, X0       \
	VMOVSHDUP X0, X1        \
	VADDSS X1, X0, X2

// L2 has the body of the dot products, dot_amd64.h, whose macros kernels_linear_amd64.s explains:
// a product becomes the square of the difference.

#define HALVE_F64 \
	VADDPD Y1, Y0, Y0       \
	VEXTRACTF128 $1, Y0, X1 \
	VADDPD X1, X0, X0       \
	VPERMILPD $1, X0, X1    \
	VADDSD X1, X0, X0       \
	VMOVSD X0, ret+24(FP)   \
	VZEROUPPER              \
	RET

#define HALVE_F32 \
	VADDPS Y1, Y0, Y0       \
	VEXTRACTF128 $1, Y0, X1 \
	VADDPS X1, X0, X0       \
	VPERMILPD $1, X0, X1    \
	VADDPS X1, X0, X0       \
	VMOVSHDUP X0, X1        \
	VADDSS X1, X0, X0       \
	VMOVSS X0, ret+24(FP)   \
	VZEROUPPER              \
	RET

// The halves of the three sums of a cosine, from 128 bits on.
#define RESULT_COSINE_F64 \
	VUNPCKLPD X4, X0, X1   \
	VUNPCKHPD X4, X0, X2   \
	VADDPD X2, X1, X1      \
	VPERMILPD $1, X8, X9   \
	VADDSD X9, X8, X8      \
	VSHUFPD $1, X8, X1, X3 \
	VSQRTPD X3, X3         \
	VPERMILPD $1, X3, X4   \
	VMULSD X4, X3, X3      \
	VDIVSD X3, X1, X1      \
	VXORPS X4, X4, X4      \
	VCMPSD $0, X4, X3, X4  \
	VANDNPD X1, X4, X1

#define RESULT_COSINE_F32 \
	VUNPCKLPD X4, X0, X1          \
	VUNPCKHPD X4, X0, X2          \
	VADDPS X2, X1, X1             \
	VPERMILPD $1, X8, X9          \
	VADDPS X9, X8, X8             \
	VSHUFPS $0x88, X8, X1, X2     \
	VSHUFPS $0xdd, X8, X1, X3     \
	VADDPS X3, X2, X2             \
	VMOVSHDUP X2, X3       \
	VPERMILPD $1, X2, X4   \
	VCVTSS2SD X3, X3, X3   \
	VCVTSS2SD X4, X4, X4   \
	VCVTSS2SD X2, X2, X2   \
	VMULSD X4, X3, X3      \
	VSQRTSD X3, X3, X4     \
	VDIVSD X4, X2, X2      \
	VCVTSD2SS X2, X2, X2   \
	VXORPS X4, X4, X4      \
	VCMPSD $0, X4, X3, X4  \
	VANDNPS X2, X4, X2

// func l2F64(x, y *float64, n int) float64
TEXT ·l2F64(SB), NOSPLIT, $0-32
	DISPATCH_WIDE(n+16(FP), ·wideF64(SB), ·l2F64AVX512(SB), ·l2F64AVX2(SB), ·l2F64Go(SB))

#define LOAD VMOVUPD
#define BY(op, y, t, u, acc) SUB y, t, t; op t, t, acc
#define REST(acc) SUB Y15, Y14, Y14; FMA Y14, Y14, acc
#define SUB VSUBPD
#define MUL VMULPD
#define FMA VFMADD231PD
#define ADD VADDPD
#define MINUS0(v) VBROADCASTSD minus0F64<>(SB), v
#define FILL MINUS0
#define MASKMOV VMASKMOVPD
#define MASK Y12
#define RESTX Y14
#define RESTY Y13
#define CONVERT
#define HALVE HALVE_F64
#define LANES 4
#define SIZE 8
#define BLOCKS ·l2F64Go(SB)

// func l2F64AVX2(x, y *float64, n int) float64
// Requires: AVX2, FMA3
//
// Registers: see dot_amd64.h. A step is 32 elements, eight vectors of 4; the whole vectors left
// are taken one by one, the rest under a mask.
TEXT ·l2F64AVX2(SB), NOSPLIT, $0-32
#include "dot_amd64.h"

// func l2F32(x, y *float32, n int) float32
TEXT ·l2F32(SB), NOSPLIT, $0-28
	DISPATCH_WIDE(n+16(FP), ·wideF32(SB), ·l2F32AVX512(SB), ·l2F32AVX2(SB), ·l2F32Go(SB))

#undef LOAD
#undef SUB
#undef MUL
#undef FMA
#undef ADD
#undef MINUS0
#undef MASKMOV
#undef HALVE
#undef LANES
#undef SIZE
#undef BLOCKS
#define LOAD VMOVUPS
#define SUB VSUBPS
#define MUL VMULPS
#define FMA VFMADD231PS
#define ADD VADDPS
#define MINUS0(v) VBROADCASTSS minus0F32<>(SB), v
#define MASKMOV VMASKMOVPS
#define HALVE HALVE_F32
#define LANES 8
#define SIZE 4
#define BLOCKS ·l2F32Go(SB)

// func l2F32AVX2(x, y *float32, n int) float32
// Requires: AVX2, FMA3
//
// Registers: see dot_amd64.h. A step is 64 elements, eight vectors of 8; the whole vectors left
// are taken one by one, the rest under a mask.
TEXT ·l2F32AVX2(SB), NOSPLIT, $0-28
#include "dot_amd64.h"

// func l2F32Wide(x, y *float32, n int) float64
TEXT ·l2F32Wide(SB), NOSPLIT, $0-32
	DISPATCH_WIDE(n+16(FP), ·wideF32Wide(SB), ·l2F32WideAVX512(SB), ·l2F32WideAVX2(SB), ·l2F32WideGo(SB))

#undef LOAD
#undef BY
#undef SUB
#undef MUL
#undef FMA
#undef ADD
#undef MINUS0
#undef FILL
#undef MASK
#undef RESTX
#undef RESTY
#undef CONVERT
#undef HALVE
#undef LANES
#undef BLOCKS
#define LOAD VCVTPS2PD
#define BY(op, y, t, u, acc) VCVTPS2PD y, u; SUB u, t, t; op t, t, acc
#define SUB VSUBPD
#define MUL VMULPD
#define FMA VFMADD231PD
#define ADD VADDPD
#define MINUS0(v) VBROADCASTSD minus0F64<>(SB), v
#define FILL(v) VBROADCASTSS minus0F32<>(SB), v
#define MASK X12
#define RESTX X14
#define RESTY X13
#define CONVERT VCVTPS2PD X14, Y14; VCVTPS2PD X15, Y15
#define HALVE HALVE_F64
#define LANES 4
#define BLOCKS ·l2F32WideGo(SB)

// func l2F32WideAVX2(x, y *float32, n int) float64
// Requires: AVX2, FMA3
//
// Registers: see dot_amd64.h. A step is 32 elements, eight vectors of 4; the whole vectors left
// are taken one by one, the rest under a mask.
TEXT ·l2F32WideAVX2(SB), NOSPLIT, $0-32
#include "dot_amd64.h"

#undef LOAD
#undef BY
#undef REST
#undef SUB
#undef MUL
#undef FMA
#undef ADD
#undef MINUS0
#undef FILL
#undef MASKMOV
#undef MASK
#undef RESTX
#undef RESTY
#undef CONVERT
#undef HALVE
#undef LANES
#undef SIZE
#undef BLOCKS

// The others have the body compare_amd64.h, with macros for what they do not share. LOADX and LOADY
// load LANES elements of XSIZE and YSIZE bytes to a register; TERMS(x, y, a, b, c) adds what they
// make to the lanes a, b and c of the sums; RESTS loads elements CX, fewer than LANES, from R8 on,
// to Y14 and Y15; START prepares the lanes; RESULT makes the result of X0, X4 and X8.

// The three sums of a cosine. The squares start at +0, which changes no sum of squares.
#define START_COSINE \
	VMOVAPS Y0, Y1 \
	VMOVAPS Y0, Y2 \
	VMOVAPS Y0, Y3 \
	VXORPS X4, X4, X4 \
	VXORPS X5, X5, X5 \
	VXORPS X6, X6, X6 \
	VXORPS X7, X7, X7 \
	VXORPS X8, X8, X8 \
	VXORPS X9, X9, X9 \
	VXORPS X10, X10, X10 \
	VXORPS X11, X11, X11

#define TERMS(x, y, a, b, c) FMA y, x, a; FMA x, x, b; FMA y, y, c

// The rest by masked loads, with +0 in x and −0 in y where there is no element.
#define RESTS_MASKED(MASKMOV, FILL, m, f, x, y) \
	LEAQ github·com∕simdrank∕simdrank∕internal∕kern·Masks(SB), AX \
	MOVL CX, R10                        \
	NEGQ R10                            \
	VMOVUPS 96(AX)(R10*XSIZE), m        \
	MASKMOV (SI)(R8*XSIZE), m, x        \
	MASKMOV (DI)(R8*YSIZE), m, y        \
	FILL, f                             \
	VANDNPS f, m, f                     \
	VORPS f, y, y

#define FMA VFMADD231PD
#define ADD VADDPD
#define START VBROADCASTSD minus0F64<>(SB), Y0; START_COSINE
#define LOADX(m, r) VMOVUPD m, r
#define LOADY(m, r) VMOVUPD m, r
#define RESTS RESTS_MASKED(VMASKMOVPD, VBROADCASTSD minus0F64<>(SB), Y12, Y13, Y14, Y15)
#define LANES 4
#define XSIZE 8
#define YSIZE 8
#define RESULT RESULT_COSINE_F64

// func cosineF64(x, y *float64, n int) float64
TEXT ·cosineF64(SB), NOSPLIT, $0-32
	DISPATCH_BY(AVX512, ·cosineF64AVX512(SB), ·cosineF64AVX2(SB), ·cosineF64Go(SB))

// func cosineF64AVX2(x, y *float64, n int) float64
// Requires: AVX2, FMA3
//
// Registers: see compare_amd64.h. A step is 32 elements, eight vectors of 4, four of them in each
// of two passes; the whole vectors left are taken one by one, the rest under a mask.
TEXT ·cosineF64AVX2(SB), NOSPLIT, $192-32
#include "compare_amd64.h"
	VMOVSD X1, ret+24(FP)
	VZEROUPPER
	RET

#undef FMA
#undef ADD
#undef START
#undef LOADX
#undef LOADY
#undef RESTS
#undef LANES
#undef XSIZE
#undef YSIZE
#undef RESULT
#define FMA VFMADD231PS
#define ADD VADDPS
#define START VBROADCASTSS minus0F32<>(SB), Y0; START_COSINE
#define LOADX(m, r) VMOVUPS m, r
#define LOADY(m, r) VMOVUPS m, r
#define RESTS RESTS_MASKED(VMASKMOVPS, VBROADCASTSS minus0F32<>(SB), Y12, Y13, Y14, Y15)
#define LANES 8
#define XSIZE 4
#define YSIZE 4
#define RESULT RESULT_COSINE_F32

// func cosineF32(x, y *float32, n int) float32
TEXT ·cosineF32(SB), NOSPLIT, $0-28
	DISPATCH_BY(AVX512, ·cosineF32AVX512(SB), ·cosineF32AVX2(SB), ·cosineF32Go(SB))

// func cosineF32AVX2(x, y *float32, n int) float32
// Requires: AVX2, FMA3
//
// Registers: see compare_amd64.h. A step is 64 elements, eight vectors of 8, four of them in each
// of two passes; the whole vectors left are taken one by one, the rest under a mask.
TEXT ·cosineF32AVX2(SB), NOSPLIT, $192-28
#include "compare_amd64.h"
	VMOVSS X2, ret+24(FP)
	VZEROUPPER
	RET

#undef FMA
#undef ADD
#undef START
#undef LOADX
#undef LOADY
#undef RESTS
#undef LANES
#undef RESULT
#define FMA VFMADD231PD
#define ADD VADDPD
#define START VBROADCASTSD minus0F64<>(SB), Y0; START_COSINE
#define LOADX(m, r) VCVTPS2PD m, r
#define LOADY(m, r) VCVTPS2PD m, r
#define RESTS \
	RESTS_MASKED(VMASKMOVPS, VBROADCASTSS minus0F32<>(SB), X12, X13, X14, X15) \
	VCVTPS2PD X14, Y14 \
	VCVTPS2PD X15, Y15
#define LANES 4
#define RESULT RESULT_COSINE_F64

// func cosineF32Wide(x, y *float32, n int) float64
TEXT ·cosineF32Wide(SB), NOSPLIT, $0-32
	DISPATCH_BY(FP512,·cosineF32WideAVX512(SB),·cosineF32WideAVX2(SB), ·cosineF32WideGo(SB))

// func cosineF32WideAVX2(x, y *float32, n int) float64
// Requires: AVX2, FMA3
//
// Registers: see compare_amd64.h. A step is 32 elements, eight vectors of 4, four of them in each
// of two passes; the whole vectors left are taken one by one, the rest under a mask.
TEXT ·cosineF32WideAVX2(SB), NOSPLIT, $192-32
#include "compare_amd64.h"
	VMOVSD X1, ret+24(FP)
	VZEROUPPER
	RET

#undef FMA
#undef ADD
#undef START
#undef LOADX
#undef LOADY
#undef RESTS
#undef LANES
#undef XSIZE
#undef YSIZE
#undef RESULT

#undef TERMS

// The kernels of bytes have the body bytes_amd64.h. LOAD makes 16 bytes words; TERMS0(x, y) and
// TERMS1 add those of two vectors to the sums; RESULT adds the sums up.

#define DOT(x, y, a) VPMADDWD y, x, x; VPADDD x, a, a
#define L2(x, y, a) VPSUBW y, x, x; DOT(x, x, a)
#define COSINE(x, y, a, b, c) \
	VPMADDWD y, x, Y6   \
	VPADDD Y6, a, a     \
	VPMADDWD x, x, x    \
	VPADDD x, b, b      \
	VPMADDWD y, y, y    \
	VPADDD y, c, c

// The eight sums of Y0 and of Y1, as the lower half of AX.
#define RESULT_BYTES \
	VPADDD Y1, Y0, Y0         \
	VEXTRACTI128 $1, Y0, X1   \
	VPADDD X1, X0, X0         \
	VPSHUFD $0x4e, X0, X1     \
	VPADDD X1, X0, X0         \
	VPSHUFD $0xb1, X0, X1     \
	VPADDD X1, X0, X0         \
	VMOVD X0, AX

// The cosine of the sums xy, xx and yy in Y0 to Y2 and Y3 to Y5, in X2.
#define RESULT_COSINE_BYTES(EXTEND) \
	VPADDD Y3, Y0, Y0         \
	VPADDD Y4, Y1, Y1         \
	VPADDD Y5, Y2, Y2         \
	VPHADDD Y1, Y0, Y0        \
	VPHADDD Y2, Y2, Y2        \
	VPHADDD Y2, Y0, Y0        \
	VEXTRACTI128 $1, Y0, X1   \
	VPADDD X1, X0, X0         \
	VMOVD X0, AX              \
	VPEXTRD $1, X0, CX        \
	VPEXTRD $2, X0, DX        \
	EXTEND                    \
	VXORPS X1, X1, X1         \
	VCVTSI2SDQ CX, X1, X3     \
	VCVTSI2SDQ DX, X1, X4     \
	VCVTSI2SDQ AX, X1, X2     \
	VMULSD X4, X3, X3         \
	VSQRTSD X3, X3, X4        \
	VDIVSD X4, X2, X2         \
	VCVTSD2SS X2, X2, X2      \
	VCMPSD $0, X1, X3, X4     \
	VANDNPS X2, X4, X2

#define SIGNED MOVLQSX AX, AX
#define UNSIGNED MOVL AX, AX

#define TERMS0(x, y) DOT(x, y, Y0)
#define TERMS1(x, y) DOT(x, y, Y1)

// func dotI8(x, y *int8, n int) int64
TEXT ·dotI8(SB), NOSPLIT, $0-32
	DISPATCH_BY(VNNI, ·dotI8AVX512(SB), ·dotI8AVX2(SB), ·dotI8Go(SB))

#define LOAD VPMOVSXBW
#define RESULT RESULT_BYTES; SIGNED

// func dotI8AVX2(x, y *int8, n int) int64
// Requires: AVX2
//
// Registers: see bytes_amd64.h. A step is 64 elements; whole vectors of 16 are left, and the last
// vector under a mask.
TEXT ·dotI8AVX2(SB), NOSPLIT, $32-32
#include "bytes_amd64.h"
	MOVQ AX, ret+24(FP)
	VZEROUPPER
	RET

#undef LOAD
#undef RESULT

// func dotU8(x, y *uint8, n int) int64
TEXT ·dotU8(SB), NOSPLIT, $0-32
	DISPATCH_BY(VNNI, ·dotU8AVX512(SB), ·dotU8AVX2(SB), ·dotU8Go(SB))

#define LOAD VPMOVZXBW
#define RESULT RESULT_BYTES; UNSIGNED

// func dotU8AVX2(x, y *uint8, n int) int64
// Requires: AVX2
//
// Registers: see bytes_amd64.h. A step is 64 elements; whole vectors of 16 are left, and the last
// vector under a mask.
TEXT ·dotU8AVX2(SB), NOSPLIT, $32-32
#include "bytes_amd64.h"
	MOVQ AX, ret+24(FP)
	VZEROUPPER
	RET

#undef LOAD
#undef TERMS0
#undef TERMS1
#undef RESULT

#define TERMS0(x, y) L2(x, y, Y0)
#define TERMS1(x, y) L2(x, y, Y1)

// func l2I8(x, y *int8, n int) int64
TEXT ·l2I8(SB), NOSPLIT, $0-32
	DISPATCH_BY(VNNI, ·l2I8AVX512(SB), ·l2I8AVX2(SB), ·l2I8Go(SB))

#define LOAD VPMOVSXBW
#define RESULT RESULT_BYTES; UNSIGNED

// func l2I8AVX2(x, y *int8, n int) int64
// Requires: AVX2
//
// Registers: see bytes_amd64.h. A step is 64 elements; whole vectors of 16 are left, and the last
// vector under a mask.
TEXT ·l2I8AVX2(SB), NOSPLIT, $32-32
#include "bytes_amd64.h"
	MOVQ AX, ret+24(FP)
	VZEROUPPER
	RET

#undef LOAD
#undef RESULT

// func l2U8(x, y *uint8, n int) int64
TEXT ·l2U8(SB), NOSPLIT, $0-32
	DISPATCH_BY(VNNI, ·l2U8AVX512(SB), ·l2U8AVX2(SB), ·l2U8Go(SB))

#define LOAD VPMOVZXBW
#define RESULT RESULT_BYTES; UNSIGNED

// func l2U8AVX2(x, y *uint8, n int) int64
// Requires: AVX2
//
// Registers: see bytes_amd64.h. A step is 64 elements; whole vectors of 16 are left, and the last
// vector under a mask.
TEXT ·l2U8AVX2(SB), NOSPLIT, $32-32
#include "bytes_amd64.h"
	MOVQ AX, ret+24(FP)
	VZEROUPPER
	RET

#undef LOAD
#undef TERMS0
#undef TERMS1
#undef RESULT

#define TERMS0(x, y) COSINE(x, y, Y0, Y1, Y2)
#define TERMS1(x, y) COSINE(x, y, Y3, Y4, Y5)

// func cosineI8(x, y *int8, n int) float32
TEXT ·cosineI8(SB), NOSPLIT, $0-28
	DISPATCH_BY(VNNI, ·cosineI8AVX512(SB), ·cosineI8AVX2(SB), ·cosineI8Go(SB))

#define LOAD VPMOVSXBW
#define RESULT RESULT_COSINE_BYTES(SIGNED)

// func cosineI8AVX2(x, y *int8, n int) float32
// Requires: AVX2
//
// Registers: see bytes_amd64.h. A step is 64 elements; whole vectors of 16 are left, and the last
// vector under a mask.
TEXT ·cosineI8AVX2(SB), NOSPLIT, $32-28
#include "bytes_amd64.h"
	VMOVSS X2, ret+24(FP)
	VZEROUPPER
	RET

#undef LOAD
#undef RESULT

// func cosineU8(x, y *uint8, n int) float32
TEXT ·cosineU8(SB), NOSPLIT, $0-28
	DISPATCH_BY(VNNI, ·cosineU8AVX512(SB), ·cosineU8AVX2(SB), ·cosineU8Go(SB))

#define LOAD VPMOVZXBW
#define RESULT RESULT_COSINE_BYTES(UNSIGNED)

// func cosineU8AVX2(x, y *uint8, n int) float32
// Requires: AVX2
//
// Registers: see bytes_amd64.h. A step is 64 elements; whole vectors of 16 are left, and the last
// vector under a mask.
TEXT ·cosineU8AVX2(SB), NOSPLIT, $32-28
#include "bytes_amd64.h"
	VMOVSS X2, ret+24(FP)
	VZEROUPPER
	RET

#undef LOAD
#undef TERMS0
#undef TERMS1
#undef RESULT

// The counts of bits have the body bits_amd64.h. COUNT(v, acc) adds those of the words in v to acc.

#define COUNT(v, acc) \
	VPAND v, Y3, Y5       \
	VPSRLD $4, v, Y6      \
	VPAND Y6, Y3, Y6      \
	VPSHUFB Y5, Y2, Y5    \
	VPSHUFB Y6, Y2, Y6    \
	VPADDB Y6, Y5, Y5     \
	VPSADBW Y4, Y5, Y5    \
	VPADDQ Y5, acc, acc

#define TERMS(x, y) VPXOR y, x, x; COUNT(x, Y0)

// func hammingBits(x, y *uint64, n int) int64
TEXT ·hammingBits(SB), NOSPLIT, $0-32
	DISPATCH_BY(VPOPCNT, ·hammingBitsAVX512(SB), ·hammingBitsAVX2(SB), ·hammingBitsGo(SB))

// func hammingBitsAVX2(x, y *uint64, n int) int64
// Requires: AVX2
//
// Registers: see bits_amd64.h. A step is 8 words, two vectors of 4; one vector is left, and one
// under a mask.
TEXT ·hammingBitsAVX2(SB), NOSPLIT, $0-32
#include "bits_amd64.h"
	VMOVQ X0, ret+24(FP)
	VZEROUPPER
	RET

#undef TERMS
#define TERMS(x, y) VPAND y, x, Y12; VPOR y, x, x; COUNT(Y12, Y0); COUNT(x, Y1)

// func jaccardBits(x, y *uint64, n int) (both, either int64)
TEXT ·jaccardBits(SB), NOSPLIT, $0-40
	DISPATCH_BY(VPOPCNT, ·jaccardBitsAVX512(SB), ·jaccardBitsAVX2(SB), ·jaccardBitsGo(SB))

// func jaccardBitsAVX2(x, y *uint64, n int) (both, either int64)
// Requires: AVX2
//
// Registers: see bits_amd64.h. A step is 8 words, two vectors of 4; one vector is left, and one
// under a mask.
TEXT ·jaccardBitsAVX2(SB), NOSPLIT, $0-40
#include "bits_amd64.h"
	VEXTRACTI128 $1, Y1, X5
	VPADDQ X5, X1, X1
	VPSHUFD $0x4e, X1, X5
	VPADDQ X5, X1, X1
	VMOVQ X0, both+24(FP)
	VMOVQ X1, either+32(FP)
	VZEROUPPER
	RET

#undef TERMS

// The kernels of F16 and BF16 have the body compare_amd64.h, too.

#define LANES 8
#define XSIZE 2
#define YSIZE 2
#define FMA VFMADD231PS
#define ADD VADDPS

// One sum, +0 where there is no element. The other two are not looked at.
#define START_ONE \
	XORL AX, AX            \
	MOVL $0x80000000, CX   \
	CMPQ n+16(FP), $0   \
	CMOVLNE CX, AX         \
	VMOVD AX, X0           \
	VPBROADCASTD X0, Y0    \
	START_COSINE

// The rest, copied and converted, with −0 in y where there is no element.
#define RESTS \
	VXORPS X12, X12, X12           \
	VMOVUPS Y12, rest-224(SP)      \
	LEAQ (SI)(R8*2), R9            \
	LEAQ (DI)(R8*2), R10           \
	LEAQ rest-224(SP), R11         \
	MOVL CX, R8                    \
copy: \
	MOVW -2(R9)(R8*2), AX          \
	MOVW AX, -2(R11)(R8*2)         \
	MOVW -2(R10)(R8*2), AX         \
	MOVW AX, 14(R11)(R8*2)         \
	DECL R8                        \
	JNE copy                       \
	LOADX((R11), Y14)              \
	LOADY(16(R11), Y15)            \
	LEAQ github·com∕simdrank∕simdrank∕internal∕kern·Masks(SB), AX \
	NEGQ CX                        \
	VMOVUPS 96(AX)(CX*4), Y12      \
	VBROADCASTSS minus0F32<>(SB), Y13 \
	VANDNPS Y13, Y12, Y13          \
	VORPS Y13, Y15, Y15

#define F16(m, r) VCVTPH2PS m, r
#define BF16(m, r) VPMOVZXWD m, r; VPSLLD $16, r, r

#define TERMS(x, y, a, b, c) FMA y, x, a
#define START START_ONE
#define RESULT RESULT_F32

#define LOADX F16
#define LOADY F16

// func dotF16(x, y *F16, n int) float32
TEXT ·dotF16(SB), NOSPLIT, $0-28
	DISPATCH_BY(AVX512, ·dotF16AVX512(SB), ·dotF16AVX2(SB), ·dotF16Go(SB))

// func dotF16AVX2(x, y *F16, n int) float32
// Requires: AVX2, FMA3, F16C
//
// Registers: see compare_amd64.h. A step is 64 elements, eight vectors of 8, four of them in each
// of two passes; the whole vectors left are taken one by one, and the rest.
TEXT ·dotF16AVX2(SB), NOSPLIT, $224-28
#include "compare_amd64.h"
	VMOVSS X2, ret+24(FP)
	VZEROUPPER
	RET

#undef LOADX
#undef LOADY

#define LOADX BF16
#define LOADY BF16

// func dotBF16(x, y *BF16, n int) float32
TEXT ·dotBF16(SB), NOSPLIT, $0-28
	DISPATCH_BY(AVX512, ·dotBF16AVX512(SB), ·dotBF16AVX2(SB), ·dotBF16Go(SB))

// func dotBF16AVX2(x, y *BF16, n int) float32
// Requires: AVX2, FMA3
//
// Registers: see compare_amd64.h. A step is 64 elements, eight vectors of 8, four of them in each
// of two passes; the whole vectors left are taken one by one, and the rest.
TEXT ·dotBF16AVX2(SB), NOSPLIT, $224-28
#include "compare_amd64.h"
	VMOVSS X2, ret+24(FP)
	VZEROUPPER
	RET

#undef LOADX
#undef LOADY
#undef TERMS

#define TERMS(x, y, a, b, c) VSUBPS y, x, Y12; FMA Y12, Y12, a

#define LOADX F16
#define LOADY F16

// func l2F16(x, y *F16, n int) float32
TEXT ·l2F16(SB), NOSPLIT, $0-28
	DISPATCH_BY(AVX512, ·l2F16AVX512(SB), ·l2F16AVX2(SB), ·l2F16Go(SB))

// func l2F16AVX2(x, y *F16, n int) float32
// Requires: AVX2, FMA3, F16C
//
// Registers: see compare_amd64.h. A step is 64 elements, eight vectors of 8, four of them in each
// of two passes; the whole vectors left are taken one by one, and the rest.
TEXT ·l2F16AVX2(SB), NOSPLIT, $224-28
#include "compare_amd64.h"
	VMOVSS X2, ret+24(FP)
	VZEROUPPER
	RET

#undef LOADX
#undef LOADY

#define LOADX BF16
#define LOADY BF16

// func l2BF16(x, y *BF16, n int) float32
TEXT ·l2BF16(SB), NOSPLIT, $0-28
	DISPATCH_BY(AVX512, ·l2BF16AVX512(SB), ·l2BF16AVX2(SB), ·l2BF16Go(SB))

// func l2BF16AVX2(x, y *BF16, n int) float32
// Requires: AVX2, FMA3
//
// Registers: see compare_amd64.h. A step is 64 elements, eight vectors of 8, four of them in each
// of two passes; the whole vectors left are taken one by one, and the rest.
TEXT ·l2BF16AVX2(SB), NOSPLIT, $224-28
#include "compare_amd64.h"
	VMOVSS X2, ret+24(FP)
	VZEROUPPER
	RET

#undef LOADX
#undef LOADY
#undef TERMS
#undef START
#undef RESULT

#define TERMS(x, y, a, b, c) FMA y, x, a; FMA x, x, b; FMA y, y, c
#define START VBROADCASTSS minus0F32<>(SB), Y0; START_COSINE
#define RESULT RESULT_COSINE_F32

#define LOADX F16
#define LOADY F16

// func cosineF16(x, y *F16, n int) float32
TEXT ·cosineF16(SB), NOSPLIT, $0-28
	DISPATCH_BY(AVX512, ·cosineF16AVX512(SB), ·cosineF16AVX2(SB), ·cosineF16Go(SB))

// func cosineF16AVX2(x, y *F16, n int) float32
// Requires: AVX2, FMA3, F16C
//
// Registers: see compare_amd64.h. A step is 64 elements, eight vectors of 8, four of them in each
// of two passes; the whole vectors left are taken one by one, and the rest.
TEXT ·cosineF16AVX2(SB), NOSPLIT, $224-28
#include "compare_amd64.h"
	VMOVSS X2, ret+24(FP)
	VZEROUPPER
	RET

#undef LOADX
#undef LOADY

#define LOADX BF16
#define LOADY BF16

// func cosineBF16(x, y *BF16, n int) float32
TEXT ·cosineBF16(SB), NOSPLIT, $0-28
	DISPATCH_BY(AVX512, ·cosineBF16AVX512(SB), ·cosineBF16AVX2(SB), ·cosineBF16Go(SB))

// func cosineBF16AVX2(x, y *BF16, n int) float32
// Requires: AVX2, FMA3
//
// Registers: see compare_amd64.h. A step is 64 elements, eight vectors of 8, four of them in each
// of two passes; the whole vectors left are taken one by one, and the rest.
TEXT ·cosineBF16AVX2(SB), NOSPLIT, $224-28
#include "compare_amd64.h"
	VMOVSS X2, ret+24(FP)
	VZEROUPPER
	RET

#undef LOADX
#undef LOADY
#undef TERMS
#undef START
#undef RESULT

#undef LANES
#undef XSIZE
#undef YSIZE
#undef FMA
#undef ADD
#undef RESTS

// The kernels of float32 and a small type have the body compare_amd64.h, too.

#define LANES 8
#define XSIZE 4
#define FMA VFMADD231PS
#define ADD VADDPS
#define LOADX(m, r) VMOVUPS m, r

#define I8(m, r) VPMOVSXBD m, r; VCVTDQ2PS r, r
#define U8(m, r) VPMOVZXBD m, r; VCVTDQ2PS r, r

// The rest, that of y copied by MOVY and converted, with −0 in y where there is no element.
#define RESTS_SMALL(MOVY) \
	VXORPS X12, X12, X12           \
	VMOVUPS X12, rest-208(SP)      \
	LEAQ (DI)(R8*YSIZE), R10       \
	LEAQ rest-208(SP), R11         \
	MOVL CX, R9                    \
copy: \
	MOVY -YSIZE(R10)(R9*YSIZE), AX \
	MOVY AX, -YSIZE(R11)(R9*YSIZE) \
	DECL R9                        \
	JNE copy                       \
	LOADY((R11), Y15)              \
	LEAQ github·com∕simdrank∕simdrank∕internal∕kern·Masks(SB), AX \
	NEGQ CX                        \
	VMOVUPS 96(AX)(CX*4), Y12      \
	VMASKMOVPS (SI)(R8*4), Y12, Y14 \
	VBROADCASTSS minus0F32<>(SB), Y13 \
	VANDNPS Y13, Y12, Y13          \
	VORPS Y13, Y15, Y15

#define TERMS(x, y, a, b, c) FMA y, x, a
#define START START_ONE
#define RESULT RESULT_F32

#define YSIZE 2
#define RESTS RESTS_SMALL(MOVW)

#define LOADY F16

// func dotF32F16(x *float32, y *F16, n int) float32
TEXT ·dotF32F16(SB), NOSPLIT, $0-28
	DISPATCH_BY(AVX512, ·dotF32F16AVX512(SB), ·dotF32F16AVX2(SB), ·dotF32F16Go(SB))

// func dotF32F16AVX2(x *float32, y *F16, n int) float32
// Requires: AVX2, FMA3, F16C
//
// Registers: see compare_amd64.h. A step is 64 elements, eight vectors of 8, four of them in each
// of two passes; the whole vectors left are taken one by one, and the rest.
TEXT ·dotF32F16AVX2(SB), NOSPLIT, $208-28
#include "compare_amd64.h"
	VMOVSS X2, ret+24(FP)
	VZEROUPPER
	RET

#undef LOADY

#define LOADY BF16

// func dotF32BF16(x *float32, y *BF16, n int) float32
TEXT ·dotF32BF16(SB), NOSPLIT, $0-28
	DISPATCH_BY(AVX512, ·dotF32BF16AVX512(SB), ·dotF32BF16AVX2(SB), ·dotF32BF16Go(SB))

// func dotF32BF16AVX2(x *float32, y *BF16, n int) float32
// Requires: AVX2, FMA3
//
// Registers: see compare_amd64.h. A step is 64 elements, eight vectors of 8, four of them in each
// of two passes; the whole vectors left are taken one by one, and the rest.
TEXT ·dotF32BF16AVX2(SB), NOSPLIT, $208-28
#include "compare_amd64.h"
	VMOVSS X2, ret+24(FP)
	VZEROUPPER
	RET

#undef LOADY

#undef YSIZE
#undef RESTS

#define YSIZE 1
#define RESTS RESTS_SMALL(MOVB)

#define LOADY I8

// func dotF32I8(x *float32, y *int8, n int) float32
TEXT ·dotF32I8(SB), NOSPLIT, $0-28
	DISPATCH_BY(AVX512, ·dotF32I8AVX512(SB), ·dotF32I8AVX2(SB), ·dotF32I8Go(SB))

// func dotF32I8AVX2(x *float32, y *int8, n int) float32
// Requires: AVX2, FMA3
//
// Registers: see compare_amd64.h. A step is 64 elements, eight vectors of 8, four of them in each
// of two passes; the whole vectors left are taken one by one, and the rest.
TEXT ·dotF32I8AVX2(SB), NOSPLIT, $208-28
#include "compare_amd64.h"
	VMOVSS X2, ret+24(FP)
	VZEROUPPER
	RET

#undef LOADY

#define LOADY U8

// func dotF32U8(x *float32, y *uint8, n int) float32
TEXT ·dotF32U8(SB), NOSPLIT, $0-28
	DISPATCH_BY(AVX512, ·dotF32U8AVX512(SB), ·dotF32U8AVX2(SB), ·dotF32U8Go(SB))

// func dotF32U8AVX2(x *float32, y *uint8, n int) float32
// Requires: AVX2, FMA3
//
// Registers: see compare_amd64.h. A step is 64 elements, eight vectors of 8, four of them in each
// of two passes; the whole vectors left are taken one by one, and the rest.
TEXT ·dotF32U8AVX2(SB), NOSPLIT, $208-28
#include "compare_amd64.h"
	VMOVSS X2, ret+24(FP)
	VZEROUPPER
	RET

#undef LOADY

#undef YSIZE
#undef RESTS

#undef TERMS
#undef START
#undef RESULT

#define TERMS(x, y, a, b, c) VSUBPS y, x, Y12; FMA Y12, Y12, a
#define START START_ONE
#define RESULT RESULT_F32

#define YSIZE 2
#define RESTS RESTS_SMALL(MOVW)

#define LOADY F16

// func l2F32F16(x *float32, y *F16, n int) float32
TEXT ·l2F32F16(SB), NOSPLIT, $0-28
	DISPATCH_BY(AVX512, ·l2F32F16AVX512(SB), ·l2F32F16AVX2(SB), ·l2F32F16Go(SB))

// func l2F32F16AVX2(x *float32, y *F16, n int) float32
// Requires: AVX2, FMA3, F16C
//
// Registers: see compare_amd64.h. A step is 64 elements, eight vectors of 8, four of them in each
// of two passes; the whole vectors left are taken one by one, and the rest.
TEXT ·l2F32F16AVX2(SB), NOSPLIT, $208-28
#include "compare_amd64.h"
	VMOVSS X2, ret+24(FP)
	VZEROUPPER
	RET

#undef LOADY

#define LOADY BF16

// func l2F32BF16(x *float32, y *BF16, n int) float32
TEXT ·l2F32BF16(SB), NOSPLIT, $0-28
	DISPATCH_BY(AVX512, ·l2F32BF16AVX512(SB), ·l2F32BF16AVX2(SB), ·l2F32BF16Go(SB))

// func l2F32BF16AVX2(x *float32, y *BF16, n int) float32
// Requires: AVX2, FMA3
//
// Registers: see compare_amd64.h. A step is 64 elements, eight vectors of 8, four of them in each
// of two passes; the whole vectors left are taken one by one, and the rest.
TEXT ·l2F32BF16AVX2(SB), NOSPLIT, $208-28
#include "compare_amd64.h"
	VMOVSS X2, ret+24(FP)
	VZEROUPPER
	RET

#undef LOADY

#undef YSIZE
#undef RESTS

#define YSIZE 1
#define RESTS RESTS_SMALL(MOVB)

#define LOADY I8

// func l2F32I8(x *float32, y *int8, n int) float32
TEXT ·l2F32I8(SB), NOSPLIT, $0-28
	DISPATCH_BY(AVX512, ·l2F32I8AVX512(SB), ·l2F32I8AVX2(SB), ·l2F32I8Go(SB))

// func l2F32I8AVX2(x *float32, y *int8, n int) float32
// Requires: AVX2, FMA3
//
// Registers: see compare_amd64.h. A step is 64 elements, eight vectors of 8, four of them in each
// of two passes; the whole vectors left are taken one by one, and the rest.
TEXT ·l2F32I8AVX2(SB), NOSPLIT, $208-28
#include "compare_amd64.h"
	VMOVSS X2, ret+24(FP)
	VZEROUPPER
	RET

#undef LOADY

#define LOADY U8

// func l2F32U8(x *float32, y *uint8, n int) float32
TEXT ·l2F32U8(SB), NOSPLIT, $0-28
	DISPATCH_BY(AVX512, ·l2F32U8AVX512(SB), ·l2F32U8AVX2(SB), ·l2F32U8Go(SB))

// func l2F32U8AVX2(x *float32, y *uint8, n int) float32
// Requires: AVX2, FMA3
//
// Registers: see compare_amd64.h. A step is 64 elements, eight vectors of 8, four of them in each
// of two passes; the whole vectors left are taken one by one, and the rest.
TEXT ·l2F32U8AVX2(SB), NOSPLIT, $208-28
#include "compare_amd64.h"
	VMOVSS X2, ret+24(FP)
	VZEROUPPER
	RET

#undef LOADY

#undef YSIZE
#undef RESTS

#undef TERMS
#undef START
#undef RESULT

#define TERMS(x, y, a, b, c) FMA y, x, a; FMA x, x, b; FMA y, y, c
#define START VBROADCASTSS minus0F32<>(SB), Y0; START_COSINE
#define RESULT RESULT_COSINE_F32

#define YSIZE 2
#define RESTS RESTS_SMALL(MOVW)

#define LOADY F16

// func cosineF32F16(x *float32, y *F16, n int) float32
TEXT ·cosineF32F16(SB), NOSPLIT, $0-28
	DISPATCH_BY(AVX512, ·cosineF32F16AVX512(SB), ·cosineF32F16AVX2(SB), ·cosineF32F16Go(SB))

// func cosineF32F16AVX2(x *float32, y *F16, n int) float32
// Requires: AVX2, FMA3, F16C
//
// Registers: see compare_amd64.h. A step is 64 elements, eight vectors of 8, four of them in each
// of two passes; the whole vectors left are taken one by one, and the rest.
TEXT ·cosineF32F16AVX2(SB), NOSPLIT, $208-28
#include "compare_amd64.h"
	VMOVSS X2, ret+24(FP)
	VZEROUPPER
	RET

#undef LOADY

#define LOADY BF16

// func cosineF32BF16(x *float32, y *BF16, n int) float32
TEXT ·cosineF32BF16(SB), NOSPLIT, $0-28
	DISPATCH_BY(AVX512,·cosineF32BF16AVX512(SB),·cosineF32BF16AVX2(SB), ·cosineF32BF16Go(SB))

// func cosineF32BF16AVX2(x *float32, y *BF16, n int) float32
// Requires: AVX2, FMA3
//
// Registers: see compare_amd64.h. A step is 64 elements, eight vectors of 8, four of them in each
// of two passes; the whole vectors left are taken one by one, and the rest.
TEXT ·cosineF32BF16AVX2(SB), NOSPLIT, $208-28
#include "compare_amd64.h"
	VMOVSS X2, ret+24(FP)
	VZEROUPPER
	RET

#undef LOADY

#undef YSIZE
#undef RESTS

#define YSIZE 1
#define RESTS RESTS_SMALL(MOVB)

#define LOADY I8

// func cosineF32I8(x *float32, y *int8, n int) float32
TEXT ·cosineF32I8(SB), NOSPLIT, $0-28
	DISPATCH_BY(AVX512, ·cosineF32I8AVX512(SB), ·cosineF32I8AVX2(SB), ·cosineF32I8Go(SB))

// func cosineF32I8AVX2(x *float32, y *int8, n int) float32
// Requires: AVX2, FMA3
//
// Registers: see compare_amd64.h. A step is 64 elements, eight vectors of 8, four of them in each
// of two passes; the whole vectors left are taken one by one, and the rest.
TEXT ·cosineF32I8AVX2(SB), NOSPLIT, $208-28
#include "compare_amd64.h"
	VMOVSS X2, ret+24(FP)
	VZEROUPPER
	RET

#undef LOADY

#define LOADY U8

// func cosineF32U8(x *float32, y *uint8, n int) float32
TEXT ·cosineF32U8(SB), NOSPLIT, $0-28
	DISPATCH_BY(AVX512, ·cosineF32U8AVX512(SB), ·cosineF32U8AVX2(SB), ·cosineF32U8Go(SB))

// func cosineF32U8AVX2(x *float32, y *uint8, n int) float32
// Requires: AVX2, FMA3
//
// Registers: see compare_amd64.h. A step is 64 elements, eight vectors of 8, four of them in each
// of two passes; the whole vectors left are taken one by one, and the rest.
TEXT ·cosineF32U8AVX2(SB), NOSPLIT, $208-28
#include "compare_amd64.h"
	VMOVSS X2, ret+24(FP)
	VZEROUPPER
	RET

#undef LOADY

#undef YSIZE
#undef RESTS

#undef TERMS
#undef START
#undef RESULT

#undef LANES
#undef XSIZE
#undef FMA
#undef ADD
#undef LOADX

// The kernels of integers of four bits have the body bytes_amd64.h, which makes words of the pairs.

#define LOAD VPMOVSXBW

// The second of each pair in Y6 and Y7, the first in x and y.
#define HALVES(x, y) \
	VPSRAW $4, x, Y6    \
	VPSRAW $4, y, Y7    \
	VPSLLW $12, x, x    \
	VPSLLW $12, y, y    \
	VPSRAW $12, x, x    \
	VPSRAW $12, y, y

#define TERMS0(x, y) HALVES(x, y); DOT(Y6, Y7, Y0); DOT(x, y, Y1)
#define TERMS1 TERMS0
#define RESULT RESULT_BYTES; SIGNED

// func dotI4(x, y *I4x2, n int) int64
TEXT ·dotI4(SB), NOSPLIT, $0-32
	DISPATCH_BY(VNNI, ·dotI4AVX512(SB), ·dotI4AVX2(SB), ·dotI4Go(SB))

// func dotI4AVX2(x, y *I4x2, n int) int64
// Requires: AVX2
//
// Registers: see bytes_amd64.h. A step is 64 pairs; whole vectors of 16 are left, and the last
// vector under a mask.
TEXT ·dotI4AVX2(SB), NOSPLIT, $32-32
#include "bytes_amd64.h"
	MOVQ AX, ret+24(FP)
	VZEROUPPER
	RET

#undef TERMS0
#undef TERMS1
#undef RESULT

#define TERMS0(x, y) HALVES(x, y); L2(Y6, Y7, Y0); L2(x, y, Y1)
#define TERMS1 TERMS0
#define RESULT RESULT_BYTES; UNSIGNED

// func l2I4(x, y *I4x2, n int) int64
TEXT ·l2I4(SB), NOSPLIT, $0-32
	DISPATCH_BY(VNNI, ·l2I4AVX512(SB), ·l2I4AVX2(SB), ·l2I4Go(SB))

// func l2I4AVX2(x, y *I4x2, n int) int64
// Requires: AVX2
//
// Registers: see bytes_amd64.h. A step is 64 pairs; whole vectors of 16 are left, and the last
// vector under a mask.
TEXT ·l2I4AVX2(SB), NOSPLIT, $32-32
#include "bytes_amd64.h"
	MOVQ AX, ret+24(FP)
	VZEROUPPER
	RET

#undef TERMS0
#undef TERMS1
#undef RESULT

#undef LOAD

// Conversions: SI, DI: src, dst; DX: numbers left, a multiple of 16.

// func f16FromF32AVX2(dst []F16, src []float32)
// Requires: AVX2, F16C
//
// Registers: see above. A step is 8 numbers; there is no rest.
TEXT ·f16FromF32AVX2(SB), NOSPLIT, $0-48
	MOVQ dst_base+0(FP), DI
	MOVQ src_base+24(FP), SI
	MOVQ src_len+32(FP), DX
	SUBQ $8, DX
	JLT done

loop:
	VMOVUPS (SI), Y0
	VCVTPS2PH $0, Y0, (DI)
	ADDQ $32, SI
	ADDQ $16, DI
	SUBQ $8, DX
	JGE loop

done:
	VZEROUPPER
	RET

// func f32FromF16AVX2(dst []float32, src []F16)
// Requires: AVX2, F16C
//
// Registers: see above. A step is 8 numbers; there is no rest.
TEXT ·f32FromF16AVX2(SB), NOSPLIT, $0-48
	MOVQ dst_base+0(FP), DI
	MOVQ src_base+24(FP), SI
	MOVQ src_len+32(FP), DX
	SUBQ $8, DX
	JLT done

loop:
	F16((SI), Y0)
	VMOVUPS Y0, (DI)
	ADDQ $16, SI
	ADDQ $32, DI
	SUBQ $8, DX
	JGE loop

done:
	VZEROUPPER
	RET

// func bF16FromF32AVX2(dst []BF16, src []float32)
// Requires: AVX2
//
// Registers: see above. A step is 8 numbers; there is no rest.
TEXT ·bF16FromF32AVX2(SB), NOSPLIT, $0-48
	MOVQ dst_base+0(FP), DI
	MOVQ src_base+24(FP), SI
	MOVQ src_len+32(FP), DX
	SUBQ $8, DX
	JLT done
	MOVL $0x7fff, AX
	VMOVD AX, X4
	VPBROADCASTD X4, Y4
	MOVL $1, AX
	VMOVD AX, X5
	VPBROADCASTD X5, Y5
	MOVL $0x40, AX
	VMOVD AX, X6
	VPBROADCASTD X6, Y6

loop:
	VMOVUPS (SI), Y0
	VPSRLD $16, Y0, Y1
	VPOR Y6, Y1, Y3 // a NaN made quiet
	VCMPPS $3, Y0, Y0, Y7
	VPAND Y5, Y1, Y2
	VPADDD Y4, Y2, Y2
	VPADDD Y0, Y2, Y2 // rounded
	VPSRLD $16, Y2, Y2
	VBLENDVPS Y7, Y3, Y2, Y2
	VEXTRACTI128 $1, Y2, X3
	VPACKUSDW X3, X2, X2
	VMOVDQU X2, (DI)
	ADDQ $32, SI
	ADDQ $16, DI
	SUBQ $8, DX
	JGE loop

done:
	VZEROUPPER
	RET

// func f32FromBF16AVX2(dst []float32, src []BF16)
// Requires: AVX2
//
// Registers: see above. A step is 8 numbers; there is no rest.
TEXT ·f32FromBF16AVX2(SB), NOSPLIT, $0-48
	MOVQ dst_base+0(FP), DI
	MOVQ src_base+24(FP), SI
	MOVQ src_len+32(FP), DX
	SUBQ $8, DX
	JLT done

loop:
	BF16((SI), Y0)
	VMOVUPS Y0, (DI)
	ADDQ $16, SI
	ADDQ $32, DI
	SUBQ $8, DX
	JGE loop

done:
	VZEROUPPER
	RET

// Quantizers: SI, DI: src, dst; DX: numbers left, a multiple of 16, or of 64 for bits of signs.

DATA finite<>+0(SB)/4, $0x7f7fffff
GLOBL finite<>(SB), RODATA|NOPTR, $4

DATA sizes<>+0(SB)/4, $0x7fffffff
GLOBL sizes<>(SB), RODATA|NOPTR, $4

DATA highest<>+0(SB)/4, $0x42fe0000 // 127
GLOBL highest<>(SB), RODATA|NOPTR, $4

DATA lowest<>+0(SB)/4, $0xc2fe0000
GLOBL lowest<>(SB), RODATA|NOPTR, $4

// The sizes in v as integers, 0 in the place of what is not finite, and the greater ones in acc.
#define GREATER(v, t, acc) \
	VPAND Y15, v, v       \
	VPCMPGTD Y14, v, t    \
	VPANDN v, t, v        \
	VPMAXSD v, acc, acc

// func scaleI8AVX2(x []float32) float32
// Requires: AVX2
//
// Registers: see above; Y14, Y15: the largest finite number, all bits but the sign. A step is 16
// numbers; there is no rest.
TEXT ·scaleI8AVX2(SB), NOSPLIT, $0-28
	MOVQ x_base+0(FP), SI
	MOVQ x_len+8(FP), DX
	VPBROADCASTD finite<>(SB), Y14
	VPBROADCASTD sizes<>(SB), Y15
	VPXOR X0, X0, X0
	VPXOR X1, X1, X1
	SUBQ $16, DX
	JLT done

loop:
	VMOVDQU (SI), Y2
	VMOVDQU 32(SI), Y3
	GREATER(Y2, Y4, Y0)
	GREATER(Y3, Y5, Y1)
	ADDQ $64, SI
	SUBQ $16, DX
	JGE loop

done:
	VPMAXSD Y1, Y0, Y0
	VEXTRACTI128 $1, Y0, X1
	VPMAXSD X1, X0, X0
	VPSHUFD $0x4e, X0, X1
	VPMAXSD X1, X0, X0
	VPSHUFD $0xb1, X0, X1
	VPMAXSD X1, X0, X0
	VMOVSS X0, ret+24(FP)
	VZEROUPPER
	RET

// Eight quotients as integers; the divisor, 127 and −127 in Y13, Y14 and Y15.
#define QUOTIENTS(m, v, t) \
	VMOVUPS m, v          \
	VDIVPS Y13, v, v      \
	VCMPPS $7, v, v, t    \
	VANDPS t, v, v        \
	VMINPS Y14, v, v      \
	VMAXPS Y15, v, v      \
	VCVTPS2DQ v, v

// func quantizeI8AVX2(dst []int8, src []float32, scale float32)
// Requires: AVX2
//
// Registers: see above. A step is 16 numbers; there is no rest.
TEXT ·quantizeI8AVX2(SB), NOSPLIT, $0-52
	MOVQ dst_base+0(FP), DI
	MOVQ src_base+24(FP), SI
	MOVQ src_len+32(FP), DX
	VBROADCASTSS scale+48(FP), Y13
	VBROADCASTSS highest<>(SB), Y14
	VBROADCASTSS lowest<>(SB), Y15
	SUBQ $16, DX
	JLT done

loop:
	QUOTIENTS((SI), Y0, Y2)
	QUOTIENTS(32(SI), Y1, Y3)
	VPACKSSDW Y1, Y0, Y0
	VPERMQ $0xd8, Y0, Y0
	VEXTRACTI128 $1, Y0, X1
	VPACKSSWB X1, X0, X0
	VMOVDQU X0, (DI)
	ADDQ $64, SI
	ADDQ $16, DI
	SUBQ $16, DX
	JGE loop

done:
	VZEROUPPER
	RET

// func dequantizeI8AVX2(dst []float32, src []int8, scale float32)
// Requires: AVX2
//
// Registers: see above; Y13: the scale. A step is 16 numbers; there is no rest.
TEXT ·dequantizeI8AVX2(SB), NOSPLIT, $0-52
	MOVQ dst_base+0(FP), DI
	MOVQ src_base+24(FP), SI
	MOVQ src_len+32(FP), DX
	VBROADCASTSS scale+48(FP), Y13
	SUBQ $16, DX
	JLT done

loop:
	VPMOVSXBD (SI), Y0
	VPMOVSXBD 8(SI), Y1
	VCVTDQ2PS Y0, Y0
	VCVTDQ2PS Y1, Y1
	VMULPS Y13, Y0, Y0
	VMULPS Y13, Y1, Y1
	VMOVUPS Y0, (DI)
	VMOVUPS Y1, 32(DI)
	ADDQ $16, SI
	ADDQ $64, DI
	SUBQ $16, DX
	JGE loop

done:
	VZEROUPPER
	RET

// func signBitsAVX2(dst []uint64, src []float32)
// Requires: AVX2
//
// Registers: see above; Y15: zeros. A step is 8 numbers, of which there are no rest.
TEXT ·signBitsAVX2(SB), NOSPLIT, $0-48
	MOVQ dst_base+0(FP), DI
	MOVQ src_base+24(FP), SI
	MOVQ src_len+32(FP), DX
	VXORPS X15, X15, X15
	SUBQ $8, DX
	JLT done

loop:
	VCMPPS $1, (SI), Y15, Y0 // 0 < number
	VMOVMSKPS Y0, AX
	MOVB AX, (DI)
	ADDQ $32, SI
	INCQ DI
	SUBQ $8, DX
	JGE loop

done:
	VZEROUPPER
	RET
