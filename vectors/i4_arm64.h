// Type header: pairs of int4 in a byte, each as a byte of 16 times its value, so that a sum is 256
// times as large: at most 65536 pairs make less than 2³¹ in a lane. V24: the lower half of each
// byte. bytes_arm64.h explains the macros.
#define START VMOVI $15, V24.B16; ZERO8
#define PRODUCTS(x, y, a, b, s) \
	SPLIT_I4(x, y) \
	SMULLH8(23, 22, 20); SMULL2H8(23, 22, 21); SADALPS4(20, a); SADALPS4(21, b) \
	SMULLH8(y, x, 20); SMULL2H8(y, x, 21); SADALPS4(20, a); SADALPS4(21, b)
#define SQUARES(x, y, a, b, s) \
	SPLIT_I4(x, y); SABDB16(23, 22, 22); SABDB16(y, x, x) \
	UMULLH8(22, 22, 20); UMULL2H8(22, 22, 21); UADALPS4(20, a); UADALPS4(21, b) \
	UMULLH8(x, x, 20); UMULL2H8(x, x, 21); UADALPS4(20, a); UADALPS4(21, b)
