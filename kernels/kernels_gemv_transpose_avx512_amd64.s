//go:build !purego

#include "go_asm.h"
#include "textflag.h"

// The transpose of gemv for AVX-512, in the order of operations that gemv.go documents. The header
// gemvt_avx512_amd64.h contains the body of all functions. The body requires at least one column
// and one row.
//
// The body divides the columns into strips of up to 28 vectors. All strips have the same width,
// except the last one. A strip of dst stays in Z0-Z27 while all rows are processed, with its last
// vector in Z27. Each width has its own loops. For 220 columns of AddGemvTF32Wide in L2 (Zen 5),
// one strip of 28 vectors is faster than two strips of 14 vectors, which take 1.16 times as long.
//
// The hardware prefetcher identifies a load instruction by its address, and prefetches if the data
// address of the load advances by a constant distance. If there are gaps between a strip's parts of
// two rows, prefetching makes L3 and memory 1.4 times as fast on Zen 5, but L2 slower by half. The
// prefetcher seems to distinguish 128 loads by the low bits of their instruction addresses, and ten
// or more loads that are 16 bytes apart evict each other. The instructions of the second loop,
// which is for matrices in L2, are placed in this way to avoid prefetching.

// func addGemvTF64AVX512(dst, a []float64, rows, cols, stride int, c []float64)
// Requires: AVX512F
//
// Registers: see gemvt_avx512_amd64.h. Strips have up to 28 vectors of 8 columns.
TEXT ·addGemvTF64AVX512(SB), NOSPLIT, $0-96
#define MOV VMOVUPD
#define FMA VFMADD231PD
#define FMA213 VFMADD213PD
#define BROADCAST VBROADCASTSD
#define LOG 3
#include "gemvt_avx512_amd64.h"

// func addGemvTF32AVX512(dst, a []float32, rows, cols, stride int, c []float32)
// Requires: AVX512F
//
// Registers: see gemvt_avx512_amd64.h. Strips have up to 28 vectors of 16 columns.
TEXT ·addGemvTF32AVX512(SB), NOSPLIT, $0-96
#define MOV VMOVUPS
#define FMA VFMADD231PS
#define FMA213 VFMADD213PS
#define BROADCAST VBROADCASTSS
#define LOG 2
#include "gemvt_avx512_amd64.h"

// func addGemvTF32WideAVX512(dst []float64, a []float32, rows, cols, stride int, c []float64)
// Requires: AVX512F
//
// Registers: see gemvt_avx512_amd64.h. If rows are longer than one strip, the columns are not
// divided into strips, which take a third longer if the matrix is in memory. Instead, groups of
// four rows are processed over all columns, and dst is loaded and stored for each group. If the
// matrix is in memory, single rows are processed with prefetching, because four concurrent streams
// are slower.
TEXT ·addGemvTF32WideAVX512(SB), NOSPLIT, $0-96
	CMPQ cols+56(FP), $224
	JGT long
#define WIDE
#define MOV VMOVUPD
#define FMA VFMADD231PD
#define FMA213 VFMADD213PD
#define BROADCAST VBROADCASTSD
#define LOG 3
#include "gemvt_avx512_amd64.h"
#undef WIDE

#define FP512 github·com∕simdrank∕simdrank∕internal∕cpu·UseFP512(SB)
#define dst   DI
#define row0  SI  // address of a row, or of the first of four rows
#define row1  R10
#define row2  R11
#define row3  R12
#define step  R9  // bytes from a row to the next
#define rowC  R8  // address of the row's element of c
#define left  BX  // remaining rows
#define done  CX  // number of columns before the current vector
#define last  DX  // number of columns before the last vector
#define block R13 // number of columns before the last four whole vectors
#define ahead AX  // prefetch address in the row

// Add c·row to dst in Z0-Z3: BLOCK for four vectors, VECTOR for one, MASKED for the last one.
#define BLOCK(row, c) VCVTPS2PD (row)(done*4), Z4; VCVTPS2PD 32(row)(done*4), Z5; \
	VCVTPS2PD 64(row)(done*4), Z6; VCVTPS2PD 96(row)(done*4), Z7; VFMADD231PD Z4, c, Z0; \
	VFMADD231PD Z5, c, Z1; VFMADD231PD Z6, c, Z2; VFMADD231PD Z7, c, Z3
#define VECTOR(row, c) VCVTPS2PD (row)(done*4), Z4; VFMADD231PD Z4, c, Z0
#define MASKED(row, c) VCVTPS2PD.Z (row)(done*4), K1, Z4; VFMADD231PD Z4, c, Z0
// FOUR applies the macro do to four rows. ONE applies it to one row, and prefetches.
#define FOUR(do) do(row0, Z24); do(row1, Z25); do(row2, Z26); do(row3, Z27)
#define ONE(do) PREFETCHT0 (ahead)(done*4); PREFETCHT0 64(ahead)(done*4); do(row0, Z24)
// Processes all columns of the rows: blocks of four vectors, whole vectors, and the last vector.
#define COLUMNS(block4, vector, masked, rows) \
	XORL done, done; PCALIGN $64; \
block4: VMOVUPD (dst)(done*8), Z0; VMOVUPD 64(dst)(done*8), Z1; \
	VMOVUPD 128(dst)(done*8), Z2; VMOVUPD 192(dst)(done*8), Z3; \
	rows(BLOCK); \
	VMOVUPD Z0, (dst)(done*8); VMOVUPD Z1, 64(dst)(done*8); \
	VMOVUPD Z2, 128(dst)(done*8); VMOVUPD Z3, 192(dst)(done*8); \
	ADDQ $32, done; CMPQ done, block; JLE block4; CMPQ done, last; JEQ masked; \
vector: VMOVUPD (dst)(done*8), Z0; rows(VECTOR); VMOVUPD Z0, (dst)(done*8); \
	ADDQ $8, done; CMPQ done, last; JLT vector; \
masked: VMOVUPD.Z (dst)(done*8), K1, Z0; rows(MASKED); VMOVUPD Z0, K1, (dst)(done*8)

long:
	MOVQ dst_base+0(FP), dst
	MOVQ a_base+24(FP), row0
	MOVQ rows+48(FP), left
	MOVQ cols+56(FP), DX
	MOVQ stride+64(FP), step // step = 4·stride
	SHLQ $2, step
	MOVQ c_base+72(FP), rowC
	MOVQ DX, CX // K1 = 255 >> (-cols mod 8)
	NEGQ CX
	ANDQ $7, CX
	MOVL $255, AX
	SHRL CX, AX
	KMOVW AX, K1
	DECQ last // last = (cols-1) &^ 7
	ANDQ $-8, last
	LEAQ -32(last), block
	CMPQ a_len+32(FP), $(const_gemvMemory/4) // if the matrix is in memory: goto single
	JGT single

four: // if left < 4: goto remainder
	SUBQ $4, left
	JLT remainder
	LEAQ (row0)(step*1), row1
	LEAQ (row0)(step*2), row2
	LEAQ (row1)(step*2), row3
	VBROADCASTSD (rowC), Z24 // dst += c[i]·row0 + … + c[i+3]·row3
	VBROADCASTSD 8(rowC), Z25
	VBROADCASTSD 16(rowC), Z26
	VBROADCASTSD 24(rowC), Z27
	COLUMNS(blockFour, vectorFour, maskedFour, FOUR)
	ADDQ $32, rowC // the next four rows
	LEAQ (row0)(step*4), row0
	JMP four

remainder:
	ADDQ $4, left
	JEQ end

single: // ahead = row0; processors that split 512-bit operations do not prefetch from memory
	MOVQ row0, ahead
	CMPB FP512, $0
	JEQ one
	ADDQ $const_gemvAheadMemory, ahead

one: // dst += c[i]·row0
	VBROADCASTSD (rowC), Z24
	COLUMNS(blockOne, vectorOne, maskedOne, ONE)
	ADDQ $8, rowC
	ADDQ step, row0 // the next row
	ADDQ step, ahead
	DECQ left
	JNE one

end:
	VZEROUPPER
	RET

#undef FP512
#undef dst
#undef row0
#undef row1
#undef row2
#undef row3
#undef step
#undef rowC
#undef left
#undef done
#undef last
#undef block
#undef ahead
#undef BLOCK
#undef VECTOR
#undef MASKED
#undef FOUR
#undef ONE
#undef COLUMNS
