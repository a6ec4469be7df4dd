// The body of the dot products and squared distances of bytes. It returns four lanes of the sum in
// V8. A type header defines START, which sets the sums to 0, PRODUCTS and SQUARES. The function
// defines TERM as PRODUCTS or SQUARES. TERM(x, y, a, b, s) adds the terms of 16 bytes in registers
// x and y to the sums a and b or, with SDOT, to the sum s.
//
// Registers: R4-R6: scratch; V0-V7: elements; V8-V15: sums; V16-V24: scratch.

#define ONE TERM(0, 4, 8, 9, 8)
#define FOUR ONE; TERM(1, 5, 10, 11, 9); TERM(2, 6, 12, 13, 10); TERM(3, 7, 14, 15, 11)
#include "bytes_loop_arm64.h"
	VADD V12.S4, V8.S4, V8.S4 // add all registers of the sum

#undef TERM
#undef ONE
#undef FOUR
