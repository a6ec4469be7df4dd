// The remainder of Axpy for AVX-512, after axpy_amd64.h: DX < LANES elements, LANES
// being 8 for float64 or, if SINGLE is defined, 16 for float32. Nothing is stored under a mask:
// the bytes of such a store cannot be loaded before it is in the cache, and often the next call
// loads the elements that this one stored. On a Zen 4, 5 elements that are added to the same ones
// again take 0.65 of the time, 46 of float32 0.79; those that are added to others take 1.00 to
// 1.08.
//
// Registers: SI: x; DI: y; DX: elements left; BX: bytes done; Z0: alpha.

	TESTL $(LANES/2), DX
	JEQ quarter
	PART(VMOVUPS, Y0, Y1, Y2) // 32 bytes, if they remain
	ADDQ $32, BX

quarter:
	TESTL $(LANES/4), DX
	JEQ eighth
	PART(VMOVUPS, X0, X1, X2) // 16 bytes
	ADDQ $16, BX

eighth: // 8 bytes
#ifdef SINGLE
	TESTL $2, DX
	JEQ last
	PART(VMOVSD, X0, X1, X2)
	ADDQ $8, BX

last: // 4 bytes
	TESTL $1, DX
	JEQ done
	PART(VMOVSS, X0, X1, X2)
#undef SINGLE
#else
	TESTL $1, DX
	JEQ done
	PART(VMOVSD, X0, X1, X2)
#endif

done:
	VZEROUPPER
	RET

#undef VECTOR
#undef PART
#undef LANES
#undef BYTES
