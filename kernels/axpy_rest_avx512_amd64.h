// The remainder of Axpy for AVX-512, after axpy_amd64.h: DX < LANES elements. LANES is 8 for
// float64, and 16 for float32, for which SINGLE is defined. No store uses a mask. The bytes of a
// masked store cannot be loaded before they are in the cache, and the next call often loads the
// elements that this call has stored. On a Zen 4, adding 5 elements repeatedly to the same y takes
// 0.65 of the time, and adding 46 float32 elements takes 0.79 of the time. If each call uses
// another y, a call takes 1.00 to 1.08 of the time.
//
// Registers: SI: x; DI: y; DX: remaining elements; BX: bytes that are done; Z0: alpha.

	TESTL $(LANES/2), DX
	JEQ quarter
	PART(VMOVUPS, Y0, Y1, Y2) // add 32 bytes if they remain
	ADDQ $32, BX

quarter:
	TESTL $(LANES/4), DX
	JEQ eighth
	PART(VMOVUPS, X0, X1, X2) // add 16 bytes if they remain
	ADDQ $16, BX

eighth: // add 8 bytes if they remain
#ifdef SINGLE
	TESTL $2, DX
	JEQ last
	PART(VMOVSD, X0, X1, X2)
	ADDQ $8, BX

last: // add 4 bytes if they remain
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
