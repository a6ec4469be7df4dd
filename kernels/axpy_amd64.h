// The whole vectors of Axpy, for AVX2 and AVX-512. VECTOR(off) computes y += alpha·x for LANES
// elements, BYTES long, at off: each vector is stored before the next one is loaded, see
// kernels_linear_avx512_amd64.s. Afterwards fewer than LANES elements are left, and at least one:
// if there are none, it jumps to done.
//
// Registers: SI: x; DI: y; DX: elements left; BX: bytes done; Y0: alpha, Z0 on AVX-512.

	XORL BX, BX
	SUBQ $(4*LANES), DX // if fewer than four vectors: goto whole
	JLT  whole

four:
	VECTOR(0) // y += alpha·x, four vectors
	VECTOR(BYTES)
	VECTOR((2*BYTES))
	VECTOR((3*BYTES))
	ADDQ $(4*BYTES), BX
	SUBQ $(4*LANES), DX
	JGE  four

whole:
	ADDQ $(3*LANES), DX // if fewer than LANES elements: goto tail
	JLT  tail

one:
	VECTOR(0) // y += alpha·x, one vector
	ADDQ $BYTES, BX
	SUBQ $LANES, DX
	JGE  one

tail:
	ADDQ $LANES, DX
	JEQ  done
