// Macros that the NEON kernels with lanes of float32 or float64 share. The type header of a
// function, such as f64_arm64.h or f32_f16_arm64.h, defines TYPE, FSUB and MINUS0.

#define nextX R0 // address of the next elements of x
#define nextY R1 // address of the next elements of y
#define left  R2 // number of elements or of remaining elements, in some loops − elements per iteration

// These macros add the terms of a dot product, a squared distance or a cosine to the lanes a, b and
// c. V, register number i, contains elements of x. W, register number j, contains elements of y.
// The distance overwrites V with x−y.
#define DOT_TERMS(i, V, j, W, a, b, c) VFMLA W.TYPE, V.TYPE, a.TYPE
#define L2_TERMS(i, V, j, W, a, b, c) FSUB(j, i, i); VFMLA V.TYPE, V.TYPE, a.TYPE
#define COSINE_TERMS(i, V, j, W, a, b, c) \
	VFMLA W.TYPE, V.TYPE, a.TYPE \
	VFMLA V.TYPE, V.TYPE, b.TYPE \
	VFMLA W.TYPE, W.TYPE, c.TYPE

// Sets V15 and the lanes V16 to V31 to −0. It changes R5.
#define LANES \
	MOVD $MINUS0, R5        \
	VDUP R5, V15.TYPE       \
	VMOV V15.B16, V16.B16; VMOV V15.B16, V17.B16; VMOV V15.B16, V18.B16; VMOV V15.B16, V19.B16 \
	VMOV V15.B16, V20.B16; VMOV V15.B16, V21.B16; VMOV V15.B16, V22.B16; VMOV V15.B16, V23.B16 \
	VMOV V15.B16, V24.B16; VMOV V15.B16, V25.B16; VMOV V15.B16, V26.B16; VMOV V15.B16, V27.B16 \
	VMOV V15.B16, V28.B16; VMOV V15.B16, V29.B16; VMOV V15.B16, V30.B16; VMOV V15.B16, V31.B16

// Sets V0 to V3 to the padding of a tail: +0 in x (V0, V1), −0 in y (V2, V3).
#define PAD_TAIL \
	VEOR V0.B16, V0.B16, V0.B16; VEOR V1.B16, V1.B16, V1.B16 \
	VMOV V15.B16, V2.B16; VMOV V15.B16, V3.B16

// Loads the last left mod 4 float32 of an operand into V. p is the address of the operand's next
// elements.
#define LOAD_TAIL_F32(p, V, below2, loaded) \
	AND   $28, left, R3      \
	ADD   R3<<2, p, R3       \
	TBZ   $1, left, below2   \
	VLD1  (R3), V.D[0]       \
	TBZ   $0, left, loaded   \
	ADD   $8, R3             \
	VLD1  (R3), V.S[2]       \
	B     loaded             \
below2: \
	TBZ   $0, left, loaded   \
	VLD1  (R3), V.S[0]       \
loaded:
