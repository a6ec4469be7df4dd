// The whole vectors of Axpy and AxpyDiff, for AVX2 and AVX-512: VECTOR(off) is one of LANES
// elements, BYTES long, at off. SI, R8, DI: x or a, b, y; DX: elements left, BX: bytes done. What
// is left is fewer than LANES, and more than none: else it goes on at done.

	XORL BX, BX
	SUBQ $(4*LANES), DX
	JLT  few

four:
	VECTOR(0)
	VECTOR(BYTES)
	VECTOR((2*BYTES))
	VECTOR((3*BYTES))
	ADDQ $(4*BYTES), BX
	SUBQ $(4*LANES), DX
	JGE  four

few:
	ADDQ $(3*LANES), DX
	JLT  rest

one:
	VECTOR(0)
	ADDQ $BYTES, BX
	SUBQ $LANES, DX
	JGE  one

rest:
	ADDQ $LANES, DX
	JEQ  done
