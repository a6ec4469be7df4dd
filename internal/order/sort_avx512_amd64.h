// Macros that sort int64 in vectors of 8. Registers: Z29, Z30: scratch; Z31: reverseI64; K1-K6: set
// by LANES.

// reverseI64 is the permutation that reverses the 8 lanes of a register.
DATA reverseI64<>+0x00(SB)/8, $7
DATA reverseI64<>+0x08(SB)/8, $6
DATA reverseI64<>+0x10(SB)/8, $5
DATA reverseI64<>+0x18(SB)/8, $4
DATA reverseI64<>+0x20(SB)/8, $3
DATA reverseI64<>+0x28(SB)/8, $2
DATA reverseI64<>+0x30(SB)/8, $1
DATA reverseI64<>+0x38(SB)/8, $0
GLOBL reverseI64<>(SB), RODATA|NOPTR, $64

// LANES sets K1, K3 and K5 to the lanes that keep the lesser of two elements at distances 1, 2 and
// 4. It sets K2, K4 and K6 to the lanes that keep the greater one. It uses AX.
#define LANES \
	MOVL $0x55, AX \
	KMOVB AX, K1   \
	KNOTB K1, K2   \
	MOVL $0x33, AX \
	KMOVB AX, K3   \
	KNOTB K3, K4   \
	MOVL $0x0f, AX \
	KMOVB AX, K5   \
	KNOTB K5, K6

// ORDER sets a to the lesser and b to the greater of each lane.
#define ORDER(a, b) \
	VPMINSQ b, a, Z30 \
	VPMAXSQ b, a, b   \
	VMOVDQA64 Z30, a

// ORDERREV merges a with the reverse of b. The lesser elements go to a, the greater ones to b.
#define ORDERREV(a, b) \
	VPERMQ b, Z31, Z30  \
	VPMAXSQ Z30, a, b   \
	VPMINSQ Z30, a, a

// CROSSREV merges a with the reverse of d, and c with the reverse of b. The lesser elements go to a
// and c, the greater ones to b and d.
#define CROSSREV(a, c, b, d) \
	VPERMQ b, Z31, Z29  \
	VPERMQ d, Z31, Z30  \
	VPMAXSQ Z30, a, b   \
	VPMINSQ Z30, a, a   \
	VPMAXSQ Z29, c, d   \
	VPMINSQ Z29, c, c

// FIX compares r with its permutation in Z30. The lanes in least keep the lesser element, and the
// lanes in most the greater one.
#define FIX(r, least, most) \
	VPMINSQ Z30, r, least, r \
	VPMAXSQ Z30, r, most, r

// CLEAN sorts a bitonic register: it orders lanes at distances 4, 2 and 1.
#define CLEAN(r) \
	VSHUFI64X2 $0x4e, r, r, Z30 \
	FIX(r, K5, K6)              \
	VPERMQ $0x4e, r, Z30        \
	FIX(r, K3, K4)              \
	VPSHUFD $0x4e, r, Z30       \
	FIX(r, K1, K2)

// SORT8 sorts a register: pairs, then fours, then all 8 lanes.
#define SORT8(r) \
	VPSHUFD $0x4e, r, Z30 \
	FIX(r, K1, K2)        \
	VPERMQ $0x1b, r, Z30  \ // each pair with the reverse of the other one
	FIX(r, K3, K4)        \
	VPSHUFD $0x4e, r, Z30 \
	FIX(r, K1, K2)        \
	VPERMQ r, Z31, Z30    \ // each four with the reverse of the other one
	FIX(r, K5, K6)        \
	VPERMQ $0x4e, r, Z30  \
	FIX(r, K3, K4)        \
	VPSHUFD $0x4e, r, Z30 \
	FIX(r, K1, K2)
