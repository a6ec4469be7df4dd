// Type header for int8 with SDOT, which adds four products to a lane. bytes_arm64.h explains the
// macros.
#define START ZERO8; ZERO4
#define PRODUCTS(x, y, a, b, s) SDOTS4(y, x, s)
#define SQUARES(x, y, a, b, s) SABDB16(y, x, 22); UDOTS4(22, 22, s)
