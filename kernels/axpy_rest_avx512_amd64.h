// The rest of Axpy and AxpyDiff for AVX-512, fewer than LANES elements, which are 8 of float64 or,
// where SINGLE is defined, 16 of float32. Nothing is stored under a mask: what such a store wrote
// cannot be loaded before it is in the cache, and often the next call loads what this one stored.
// On a Zen 4, 5 elements that are added to the same ones again take .65 of the time, 46 of float32
// .79; those that are added to others take 1.00 to 1.08.

	TESTL $(LANES/2), DX
	JEQ quarter
	PIECE(VMOVUPS, Y0, Y1, Y2)
	ADDQ $32, BX

quarter:
	TESTL $(LANES/4), DX
	JEQ eighth
	PIECE(VMOVUPS, X0, X1, X2)
	ADDQ $16, BX

eighth: // 8 bytes
#ifdef SINGLE
	TESTL $2, DX
	JEQ last
	PIECE(VMOVSD, X0, X1, X2)
	ADDQ $8, BX

last:
	TESTL $1, DX
	JEQ done
	PIECE(VMOVSS, X0, X1, X2)
#else
	TESTL $1, DX
	JEQ done
	PIECE(VMOVSD, X0, X1, X2)
#endif

done:
	VZEROUPPER
	RET
