// The body of the cosines of bytes. It returns x·y, x·x and y·y in R5, R6 and R7, with 32 bits
// each. A type header defines START and PRODUCTS. bytes_arm64.h explains them.
//
// Registers: R3-R6: scratch; V0-V7: elements; V8-V11, V12-V15, V16-V19: the three sums; V20, V21:
// scratch.

#define EVEN(x, y) PRODUCTS(x, y, 8, 9, 8); PRODUCTS(x, x, 12, 13, 12); PRODUCTS(y, y, 16, 17, 16)
#define ODD(x, y) PRODUCTS(x, y, 10, 11, 9); PRODUCTS(x, x, 14, 15, 13); PRODUCTS(y, y, 18, 19, 17)
#define ONE EVEN(0, 4)
#define FOUR EVEN(0, 4); ODD(1, 5); EVEN(2, 6); ODD(3, 7)
#include "bytes_loop_arm64.h"
	VADDV V8.S4, V8 // add the lanes of each sum
	VADDV V12.S4, V12
	VADDV V16.S4, V16
	VMOV V8.S[0], R5
	VMOV V12.S[0], R6
	VMOV V16.S[0], R7

#undef EVEN
#undef ODD
#undef ONE
#undef FOUR
