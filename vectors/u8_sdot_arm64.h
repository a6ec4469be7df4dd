// Type header for uint8 with UDOT, which adds four products to a lane. bytes_arm64.h explains the
// macros.
#define START ZERO8; ZERO4
#define PRODUCTS(x, y, a, b, s) UDOTS4(y, x, s)
#define SQUARES(x, y, a, b, s) UABDB16(y, x, 22); UDOTS4(22, 22, s)
