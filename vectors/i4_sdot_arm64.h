// Type header: as i4_arm64.h, four products added to a lane at once.
#define START VMOVI $15, V24.B16; ZERO8
#define PRODUCTS(x, y, a, b, s) SPLIT_I4(x, y); SDOTS4(23, 22, a); SDOTS4(y, x, b)
#define SQUARES(x, y, a, b, s) \
	SPLIT_I4(x, y); SABDB16(23, 22, 22); SABDB16(y, x, x); UDOTS4(22, 22, a); UDOTS4(x, x, b)
