// What the dot products of NEON and gemv share; kernels_linear_arm64.s says which registers hold
// what.

// TERM adds what the elements of x (register V and number i) and y (W and j) make to a lane: the
// product, unless it is defined again.
#define TERM(j, W, i, V, lane) VFMLA W.TYPE, V.TYPE, lane.TYPE

// Every lane −0.
#define LANES(T) \
	VDUP R5, V15.T          \
	VMOV V15.B16, V16.B16   \
	VMOV V15.B16, V17.B16   \
	VMOV V15.B16, V18.B16   \
	VMOV V15.B16, V19.B16   \
	VMOV V15.B16, V20.B16   \
	VMOV V15.B16, V21.B16   \
	VMOV V15.B16, V22.B16   \
	VMOV V15.B16, V23.B16   \
	VMOV V15.B16, V24.B16   \
	VMOV V15.B16, V25.B16   \
	VMOV V15.B16, V26.B16   \
	VMOV V15.B16, V27.B16   \
	VMOV V15.B16, V28.B16   \
	VMOV V15.B16, V29.B16   \
	VMOV V15.B16, V30.B16   \
	VMOV V15.B16, V31.B16

// Sets V0 to V3 to what fills the rest up: +0 in x, −0 in y.
#define FILL \
	VEOR V0.B16, V0.B16, V0.B16 \
	VEOR V1.B16, V1.B16, V1.B16 \
	VMOV V15.B16, V2.B16        \
	VMOV V15.B16, V3.B16

// Loads the rest of one float32 operand, the last R2 mod 4 elements of those left
// over, which start at p, to V.
#define REST_WIDE(p, V, below2, loaded) \
	AND   $28, R2, R3        \
	ADD   R3<<2, p, R3       \
	TBZ   $1, R2, below2     \
	VLD1  (R3), V.D[0]       \
	TBZ   $0, R2, loaded     \
	ADD   $8, R3             \
	VLD1  (R3), V.S[2]       \
	B     loaded             \
below2: \
	TBZ   $0, R2, loaded     \
	VLD1  (R3), V.S[0]       \
loaded:
