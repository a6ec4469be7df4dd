// The body of kernels that compare vectors of bytes. The sums are exact, so the order does not
// matter. The body has these parameters: LOAD loads 16 bytes as 16-bit words. TERMS0 and TERMS1 add
// terms of two vectors of words to sums in Y0 to Y5.
//
// An iteration processes 64 bytes. Whole vectors of 16 bytes follow, and then the tail under a
// mask.
//
// Registers: Y8-Y15: elements as words; AX, CX, R8: scratch.

#define xPtr SI // address of the next bytes of x
#define yPtr DI // address of the next bytes of y
#define left DX // number of remaining bytes − bytes per iteration

	MOVQ x+0(FP), xPtr
	MOVQ n+16(FP), left
	MOVQ y+8(FP), yPtr
	VPXOR X0, X0, X0 // all sums = 0
	VPXOR X1, X1, X1
	VPXOR X2, X2, X2
	VPXOR X3, X3, X3
	VPXOR X4, X4, X4
	VPXOR X5, X5, X5
	CMPQ left, $16 // if left < 16: goto short
	JLT short
	SUBQ $64, left
	JLT end
	PCALIGN $32

loop:
	LOAD (xPtr), Y8 // add the terms of 32 bytes
	LOAD (yPtr), Y9
	LOAD 16(xPtr), Y10
	LOAD 16(yPtr), Y11
	TERMS0(Y8, Y9)
	TERMS1(Y10, Y11)
	LOAD 32(xPtr), Y12 // add the terms of the other 32 bytes
	LOAD 32(yPtr), Y13
	LOAD 48(xPtr), Y14
	LOAD 48(yPtr), Y15
	TERMS0(Y12, Y13)
	TERMS1(Y14, Y15)
	ADDQ $64, xPtr // advance by 64 bytes
	ADDQ $64, yPtr
	SUBQ $64, left
	JGE loop

end:
	ADDQ $(64-16), left // if left < 16: goto tail
	JLT tail

vector: // add the terms of 16 bytes
	LOAD (xPtr), Y8
	LOAD (yPtr), Y9
	TERMS0(Y8, Y9)
	ADDQ $16, xPtr
	ADDQ $16, yPtr
	SUBQ $16, left
	JGE vector

tail:
	ADDQ $16, left // if no bytes remain: goto sum
	JEQ sum
	LEAQ github·com∕simdrank∕simdrank∕internal∕kern·Masks(SB), AX // load the 16 bytes that end with the last byte
	VMOVDQU (AX)(left*2), Y12
	LOAD -16(xPtr)(left*1), Y8
	LOAD -16(yPtr)(left*1), Y9
	VPAND Y12, Y8, Y8 // mask them, and add their terms
	VPAND Y12, Y9, Y9
	TERMS1(Y8, Y9)
	JMP sum

short: // if there are fewer than 16 bytes: copy them to buffers of zeros
	VMOVDQU X0, x-32(SP)
	VMOVDQU X0, y-16(SP)
	LEAQ x-32(SP), R8
	TESTQ left, left
	JEQ sum

copy: // copy a byte of x and of y
	MOVBLZX -1(xPtr)(left*1), AX
	MOVBLZX -1(yPtr)(left*1), CX
	MOVB AX, -1(R8)(left*1)
	MOVB CX, 15(R8)(left*1)
	DECQ left
	JNE copy
	LOAD (R8), Y8 // add the terms of the copies
	LOAD 16(R8), Y9
	TERMS0(Y8, Y9)

sum:
#undef xPtr
#undef yPtr
#undef left
