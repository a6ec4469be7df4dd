// The end of the dot products of NEON and of the rows of gemv: the rest in V0 to V3, into the two
// lanes that come next, and the sum of the lanes, into F0. TYPE is the lanes' arrangement,
// FADD(m, n, d) its addition, and HALVE adds the elements of V16.

	VFMLA V2.TYPE, V0.TYPE, V30.TYPE // after seven steps of 32 bytes
	VFMLA V3.TYPE, V1.TYPE, V31.TYPE
	B     reduce

rest6:
	VFMLA V2.TYPE, V0.TYPE, V28.TYPE
	VFMLA V3.TYPE, V1.TYPE, V29.TYPE
	B     reduce

rest5:
	VFMLA V2.TYPE, V0.TYPE, V26.TYPE
	VFMLA V3.TYPE, V1.TYPE, V27.TYPE
	B     reduce

rest4:
	VFMLA V2.TYPE, V0.TYPE, V24.TYPE
	VFMLA V3.TYPE, V1.TYPE, V25.TYPE
	B     reduce

rest3:
	VFMLA V2.TYPE, V0.TYPE, V22.TYPE
	VFMLA V3.TYPE, V1.TYPE, V23.TYPE
	B     reduce

rest2:
	VFMLA V2.TYPE, V0.TYPE, V20.TYPE
	VFMLA V3.TYPE, V1.TYPE, V21.TYPE
	B     reduce

rest1:
	VFMLA V2.TYPE, V0.TYPE, V18.TYPE
	VFMLA V3.TYPE, V1.TYPE, V19.TYPE
	B     reduce

rest0:
	VFMLA V2.TYPE, V0.TYPE, V16.TYPE
	VFMLA V3.TYPE, V1.TYPE, V17.TYPE
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
