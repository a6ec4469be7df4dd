// What sorts int64 in vectors of 8, in order and in topk: the two copies of this file are the
// same to the byte (the lint compares them), for the go command does not see when a header of
// another package changes. Z29 and Z30 are scratch, Z31 is reverseI64, and LANES sets K1 to K6.

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

// LANES sets K1, K3 and K5 to the lanes that keep the lesser of two at the distances 1, 2 and 4,
// and K2, K4 and K6 to those that keep the greater. It uses AX.
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

// ORDER makes a the lesser and b the greater of each lane.
#define ORDER(a, b) \
	VPMINSQ b, a, Z30 \
	VPMAXSQ b, a, b   \
	VMOVDQA64 Z30, a

// ORDERREV merges a with the reverse of b: lesser lanes to a, greater ones to b.
#define ORDERREV(a, b) \
	VPERMQ b, Z31, Z30  \
	VPMAXSQ Z30, a, b   \
	VPMINSQ Z30, a, a

// CROSSREV is ORDERREV of a, b and of c, d where the reverse of d faces a.
#define CROSSREV(a, c, b, d) \
	VPERMQ b, Z31, Z29  \
	VPERMQ d, Z31, Z30  \
	VPMAXSQ Z30, a, b   \
	VPMINSQ Z30, a, a   \
	VPMAXSQ Z29, c, d   \
	VPMINSQ Z29, c, c

// FIX takes r and its permutation in Z30: lanes of least keep the lesser, those of most
// the greater.
#define FIX(r, least, most) \
	VPMINSQ Z30, r, least, r \
	VPMAXSQ Z30, r, most, r

// CLEAN sorts a register that is bitonic: distances 4, 2 and 1.
#define CLEAN(r) \
	VSHUFI64X2 $0x4e, r, r, Z30 \
	FIX(r, K5, K6)              \
	VPERMQ $0x4e, r, Z30        \
	FIX(r, K3, K4)              \
	VPSHUFD $0x4e, r, Z30       \
	FIX(r, K1, K2)

// SORT8 sorts a register: pairs, fours, all.
#define SORT8(r) \
	VPSHUFD $0x4e, r, Z30 \
	FIX(r, K1, K2)        \
	VPERMQ $0x1b, r, Z30  \
	FIX(r, K3, K4)        \
	VPSHUFD $0x4e, r, Z30 \
	FIX(r, K1, K2)        \
	VPERMQ r, Z31, Z30    \
	FIX(r, K5, K6)        \
	VPERMQ $0x4e, r, Z30  \
	FIX(r, K3, K4)        \
	VPSHUFD $0x4e, r, Z30 \
	FIX(r, K1, K2)
