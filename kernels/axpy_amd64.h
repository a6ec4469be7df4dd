// The whole vectors of Axpy, for AVX2 and AVX-512. VECTOR(off) computes y += alpha·x for the vector
// at offset off, which has LANES elements and BYTES bytes. VECTOR stores a vector before the next
// one is loaded, because this is faster (see kernels_linear_avx512_amd64.s). If no elements remain,
// the code jumps to done. Otherwise, it ends with 1 to LANES−1 remaining elements.
//
// Registers: SI: x; DI: y; DX: remaining elements, minus those of an iteration in the loops; BX:
// bytes that are done; Y0: alpha, or Z0 on AVX-512.

	XORL BX, BX
	SUBQ $(4*LANES), DX // if fewer than four vectors remain: goto whole
	JLT  whole

four:
	VECTOR(0) // y += alpha·x for four vectors
	VECTOR(BYTES)
	VECTOR((2*BYTES))
	VECTOR((3*BYTES))
	ADDQ $(4*BYTES), BX
	SUBQ $(4*LANES), DX
	JGE  four

whole:
	ADDQ $(3*LANES), DX // if fewer than LANES elements remain: goto tail
	JLT  tail

one:
	VECTOR(0) // y += alpha·x for one vector
	ADDQ $BYTES, BX
	SUBQ $LANES, DX
	JGE  one

tail:
	ADDQ $LANES, DX
	JEQ  done
