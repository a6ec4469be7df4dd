// The start of bytes_avx512_amd64.h and cosine_bytes_avx512_amd64.h. It processes fewer than 128
// bytes, and otherwise jumps to the body. WIDEN converts 32 bytes to 16-bit words, WORDS(x, y) adds
// the terms of two vectors of words to the sums, CLEAR sets the sums to 0, and RESULT returns the
// result.
//
// Words need twice as many iterations as bytes, but no correction for a bias. On Zen 5, 96 bytes
// take 0.7 to 0.8 of the time in this way.
//
// Registers: Z20-Z22: words of x; Z24-Z26: words of y; K1: mask of the last vector's elements.

#define xNext SI  // address of the next bytes of x
#define yNext DI  // address of the next bytes of y
#define left  DX  // number of remaining bytes − bytes per iteration, or − 32 before the loops
#define one   Z30 // 1 in each byte
#define half  Z31 // 128 in each byte

	MOVQ x+0(FP), xNext // load the arguments
	MOVQ n+16(FP), left
	MOVQ y+8(FP), yNext
	CLEAR
	CMPQ left, $128
	JGE atLeast128
	SUBQ $32, left
	JLT last
	WIDEN (xNext), Z20 // sums += terms of bytes 0-31
	WIDEN (yNext), Z24
	WORDS(Z20, Z24)
	SUBQ $32, left
	JLT last1
	WIDEN 32(xNext), Z21 // sums += terms of bytes 32-63
	WIDEN 32(yNext), Z25
	WORDS(Z21, Z25)
	SUBQ $32, left
	JLT last2
	WIDEN 64(xNext), Z22 // sums += terms of bytes 64-95
	WIDEN 64(yNext), Z26
	WORDS(Z22, Z26)
	JEQ result
	ADDQ $96, xNext
	ADDQ $96, yNext
	SUBQ $32, left

last: // left+32 bytes remain, fewer than 32
	ADDQ $32, left
	JEQ result
	MOVL $1, AX // K1 = mask of the remaining bytes
	MOVL left, CX
	SHLL CX, AX
	DECL AX
	KMOVD AX, K1
	WIDEN.Z (xNext), K1, Z20 // sums += terms of these bytes; zeros add nothing
	WIDEN.Z (yNext), K1, Z24
	WORDS(Z20, Z24)

result:
	RESULT
	PCALIGN $32

last1: // the remaining bytes follow bytes 0-31
	ADDQ $32, xNext
	ADDQ $32, yNext
	JMP last

last2: // the remaining bytes follow bytes 0-63
	ADDQ $64, xNext
	ADDQ $64, yNext
	JMP last
	PCALIGN $32
