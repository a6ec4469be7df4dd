// The end of the dot products of NEON and of the rows of gemv: the rest in V0 to V3, into the two
// lanes that come next, and the sum of the lanes, into F0. TYPE is the lanes' arrangement,
// FADD(m, n, d) its addition, and HALVE adds the elements of V16.

	TERM(2, V2, 0, V0, V30) // after seven steps of 32 bytes
	TERM(3, V3, 1, V1, V31)
	B     reduce

rest6:
	TERM(2, V2, 0, V0, V28)
	TERM(3, V3, 1, V1, V29)
	B     reduce

rest5:
	TERM(2, V2, 0, V0, V26)
	TERM(3, V3, 1, V1, V27)
	B     reduce

rest4:
	TERM(2, V2, 0, V0, V24)
	TERM(3, V3, 1, V1, V25)
	B     reduce

rest3:
	TERM(2, V2, 0, V0, V22)
	TERM(3, V3, 1, V1, V23)
	B     reduce

rest2:
	TERM(2, V2, 0, V0, V20)
	TERM(3, V3, 1, V1, V21)
	B     reduce

rest1:
	TERM(2, V2, 0, V0, V18)
	TERM(3, V3, 1, V1, V19)
	B     reduce

rest0:
	TERM(2, V2, 0, V0, V16)
	TERM(3, V3, 1, V1, V17)
	B     reduce

reduce: // (g₀+g₁)+(g₂+g₃) lane by lane into V16 to V19, then halves
	FADD(20, 16, 16)
	FADD(21, 17, 17)
	FADD(22, 18, 18)
	FADD(23, 19, 19)
	FADD(28, 24, 24)
	FADD(29, 25, 25)
	FADD(30, 26, 26)
	FADD(31, 27, 27)
	FADD(24, 16, 16)
	FADD(25, 17, 17)
	FADD(26, 18, 18)
	FADD(27, 19, 19)
	FADD(18, 16, 16)
	FADD(19, 17, 17)
	FADD(17, 16, 16)
	HALVE
