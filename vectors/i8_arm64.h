// Type header for int8. Products have 16 bits, and pairs of them are added to 32-bit sums.
// bytes_arm64.h explains the macros.
#define START ZERO8; ZERO4
#define PRODUCTS(x, y, a, b, s) SMULLH8(y, x, 20); SMULL2H8(y, x, 21); SADALPS4(20, a); SADALPS4(21, b)
#define SQUARES(x, y, a, b, s) \
	SABDB16(y, x, 22) \
	UMULLH8(22, 22, 20); UMULL2H8(22, 22, 21); UADALPS4(20, a); UADALPS4(21, b)
