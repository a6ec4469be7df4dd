// The steps of a dot product in NEON, for the dots and for gemv. kernels_linear_arm64.s says
// which registers hold what.

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

#define LANES_F64 MOVD $0x8000000000000000, R5; LANES(D2)
#define LANES_F32 MOVD $0x80000000, R5; LANES(S4)

// 64 bytes of each operand, at an offset from R0 (x) and R1 (y), into four lanes.
#define MULADD(off, T, a, b, c, d) \
	FLDPQ off(R0), (F0, F1)      \
	FLDPQ off(R1), (F4, F5)      \
	FLDPQ (off+32)(R0), (F2, F3) \
	FLDPQ (off+32)(R1), (F6, F7) \
	VFMLA V4.T, V0.T, a.T        \
	VFMLA V5.T, V1.T, b.T        \
	VFMLA V6.T, V2.T, c.T        \
	VFMLA V7.T, V3.T, d.T

// 256 bytes of each.
#define MULADD256(T) \
	MULADD(0, T, V16, V17, V18, V19)   \
	MULADD(64, T, V20, V21, V22, V23)  \
	MULADD(128, T, V24, V25, V26, V27) \
	MULADD(192, T, V28, V29, V30, V31)

// The next 32 bytes of each into two lanes when at least min elements are left
// over, else the rest.
#define LEFT(min, off, T, a, b, rest) \
	CMP   $min, R2          \
	BLT   rest              \
	FLDPQ off(R0), (F4, F5) \
	FLDPQ off(R1), (F6, F7) \
	VFMLA V6.T, V4.T, a.T   \
	VFMLA V7.T, V5.T, b.T

// The rest, in V0 to V3, into two lanes.
#define REST(T, a, b) \
	VFMLA V2.T, V0.T, a.T \
	VFMLA V3.T, V1.T, b.T \
	B     reduce

// The elements left over, R2 of them, n to a step of 32 bytes.
#define LEFTOVER(n, T) \
	LEFT(1*n, 0, T, V16, V17, rest0)   \
	LEFT(2*n, 32, T, V18, V19, rest1)  \
	LEFT(3*n, 64, T, V20, V21, rest2)  \
	LEFT(4*n, 96, T, V22, V23, rest3)  \
	LEFT(5*n, 128, T, V24, V25, rest4) \
	LEFT(6*n, 160, T, V26, V27, rest5) \
	LEFT(7*n, 192, T, V28, V29, rest6) \
	RESTS(T)

#define RESTS(T) \
	REST(T, V30, V31) \
rest6: \
	REST(T, V28, V29) \
rest5: \
	REST(T, V26, V27) \
rest4: \
	REST(T, V24, V25) \
rest3: \
	REST(T, V22, V23) \
rest2: \
	REST(T, V20, V21) \
rest1: \
	REST(T, V18, V19) \
rest0: \
	REST(T, V16, V17)

// Sets V0 to V3 to what fills the rest up.
#define FILL \
	VEOR V0.B16, V0.B16, V0.B16 \
	VEOR V1.B16, V1.B16, V1.B16 \
	VMOV V15.B16, V2.B16        \
	VMOV V15.B16, V3.B16

// Loads the rest: the last R2 mod 4 float64 of R2 left over.
#define REST_F64 \
	FILL                     \
	AND   $28, R2, R3        \
	ADD   R3<<3, R1, R4      \
	ADD   R3<<3, R0, R3      \
	TBZ   $1, R2, below2     \
	FMOVQ (R3), F0           \
	FMOVQ (R4), F2           \
	TBZ   $0, R2, loaded     \
	ADD   $16, R4            \
	FMOVD 16(R3), F1         \
	VLD1  (R4), V3.D[0]      \
	B     loaded             \
below2: \
	TBZ   $0, R2, loaded     \
	FMOVD (R3), F0           \
	VLD1  (R4), V2.D[0]      \
loaded:

// Loads the rest: the last R2 mod 8 float32 of R2 left over.
#define REST_F32 \
	FILL                        \
	AND   $56, R2, R3           \
	ADD   R3<<2, R1, R4         \
	ADD   R3<<2, R0, R3         \
	TBZ   $2, R2, below4        \
	FMOVQ (R3), F0              \
	FMOVQ (R4), F2              \
	ADD   $16, R3               \
	ADD   $16, R4               \
	TBZ   $1, R2, one1          \
	FMOVD (R3), F1              \
	VLD1  (R4), V3.D[0]         \
	TBZ   $0, R2, loaded        \
	ADD   $8, R3                \
	ADD   $8, R4                \
	VLD1  (R3), V1.S[2]         \
	VLD1  (R4), V3.S[2]         \
	B     loaded                \
one1: \
	TBZ   $0, R2, loaded        \
	FMOVS (R3), F1              \
	VLD1  (R4), V3.S[0]         \
	B     loaded                \
below4: \
	TBZ   $1, R2, one0          \
	FMOVD (R3), F0              \
	VLD1  (R4), V2.D[0]         \
	TBZ   $0, R2, loaded        \
	ADD   $8, R3                \
	ADD   $8, R4                \
	VLD1  (R3), V0.S[2]         \
	VLD1  (R4), V2.S[2]         \
	B     loaded                \
one0: \
	TBZ   $0, R2, loaded        \
	FMOVS (R3), F0              \
	VLD1  (R4), V2.S[0]         \
loaded:

// The tree: (g₀+g₁)+(g₂+g₃) lane by lane into V16 to V19, then halves, into F0.
#define TREE(FADD) \
	FADD(20, 16, 16) \
	FADD(21, 17, 17) \
	FADD(22, 18, 18) \
	FADD(23, 19, 19) \
	FADD(28, 24, 24) \
	FADD(29, 25, 25) \
	FADD(30, 26, 26) \
	FADD(31, 27, 27) \
	FADD(24, 16, 16) \
	FADD(25, 17, 17) \
	FADD(26, 18, 18) \
	FADD(27, 19, 19) \
	FADD(18, 16, 16) \
	FADD(19, 17, 17) \
	FADD(17, 16, 16)

#define TREE_F64 TREE(FADDD2); FADDPD(16, 0)

#define TREE_F32 \
	TREE(FADDS4)                         \
	VEXT $8, V16.B16, V16.B16, V17.B16   \
	FADDS4(17, 16, 16)                   \
	FADDPS(16, 0)

// Dot product of R2 > 0 elements at R0 and R1, into F0. Changes R0 to R5.
#define DOT_F64 \
	LANES_F64              \
	LSR  $5, R2, R5        \
	AND  $31, R2           \
	CBZ  R5, left          \
	PCALIGN $16            \
loop32: \
	MULADD256(D2)          \
	ADD  $256, R0          \
	ADD  $256, R1          \
	SUBS $1, R5            \
	BNE  loop32            \
left: \
	CBZ  R2, reduce        \
	REST_F64               \
	LEFTOVER(4, D2)        \
reduce: \
	TREE_F64

#define DOT_F32 \
	LANES_F32              \
	LSR  $6, R2, R5        \
	AND  $63, R2           \
	CBZ  R5, left          \
	PCALIGN $16            \
loop64: \
	MULADD256(S4)          \
	ADD  $256, R0          \
	ADD  $256, R1          \
	SUBS $1, R5            \
	BNE  loop64            \
left: \
	CBZ  R2, reduce        \
	REST_F32               \
	LEFTOVER(8, S4)        \
reduce: \
	TREE_F32

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
