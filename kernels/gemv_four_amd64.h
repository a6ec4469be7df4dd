// The body of gemv on AVX2 for four rows at a time, which share the loads of x. The body requires a
// multiple of four rows, and at least one column.
//
// The registers can hold only two lanes of each row. Therefore, the code reads the rows once for
// each pair of lanes, in the order of the sums: lanes 0 and 2, 4 and 6, 1 and 3, 5 and 7. The body
// ends with a jump to done.
//
// Registers: Y0-Y3: the first lane of the pair, for each row; Y4-Y7: the second lane; ROWMASK: mask
// of the last vector of a row; Y14: four elements of a row, converted.

#define step3 R8  // bytes from a row to the third after it
#define pair  CX  // number of the pair's first lane
#define todo  DX  // remaining iterations, then number of vectors from the first lane to the last vector
#define sum0  Y9  // sum of the lanes of each row
#define sum1  Y10
#define sum2  Y11
#define sum3  Y15

// Applies the macro do to the vectors at offset off of the four rows, and to their lanes.
#define ROWS(do, off, a, b, c, d) do(off(place), a); do(off(place)(step*1), b); \
	do(off(place)(step*2), c); do(off(place)(step3*1), d)
// lane += the last vector of a row · xs
#define LAST(at, lane) \
	VMASKMOVPS at, ROWMASK, ROWLAST \
	CONVERT                         \
	FMA Y14, xs, lane

#include "gemv_last_amd64.h"
	VMOVUPS lastX, savedX-32(SP)
	LEAQ (step)(step*2), step3
	SHRQ $LOGLANES, whole // whole = number of vectors before the last one

four: // the next four rows
	LEAQ const_gemvAhead(nextRow), ahead
	XORL pair, pair

half: // sums = -0
	VMOVAPD minus0, sum0
	VMOVAPD minus0, sum1
	VMOVAPD minus0, sum2
	VMOVAPD minus0, sum3

lanes: // place, xPlace = addresses of vector pair; todo = ⌊(whole+5-pair)/8⌋
	CMPQ whole, pair
	JLT nextPair // if these lanes contain no vector: goto nextPair
	IMUL3Q $(LANES*SIZE), pair, place
	ADDQ nextRow, place
	MOVQ pair, xPlace
	SHLQ $5, xPlace
	ADDQ xStart, xPlace
	LEAQ 5(whole), todo // if todo is 0: lanes = -0
	SUBQ pair, todo
	SHRQ $3, todo
	JNE first
	VMOVAPD minus0, Y0
	VMOVAPD minus0, Y1
	VMOVAPD minus0, Y2
	VMOVAPD minus0, Y3
	VMOVAPD minus0, Y4 // the second lane
	VMOVAPD minus0, Y5
	VMOVAPD minus0, Y6
	VMOVAPD minus0, Y7
	JMP tail

first: // lanes = rows · x
	AHEAD4
	VMOVUPS (xPlace), xs
	ROWS(FIRST, 0, Y0, Y1, Y2, Y3)
	VMOVUPS 64(xPlace), xs
	ROWS(FIRST, (2*LANES*SIZE), Y4, Y5, Y6, Y7)
	JMP nextEight

eight: // lanes += rows · x, for two of eight vectors
	AHEAD4
	VMOVUPS (xPlace), xs
	ROWS(BY, 0, Y0, Y1, Y2, Y3)
	VMOVUPS 64(xPlace), xs
	ROWS(BY, (2*LANES*SIZE), Y4, Y5, Y6, Y7)

nextEight: // advance by eight vectors
	ADDQ $(8*LANES*SIZE), place
	ADDQ $256, xPlace
	DECQ todo
	JNE eight

tail: // todo = (last vector - first lane) mod 8; if todo > 2, the last vector is in other lanes
	MOVL whole, todo
	SUBL pair, todo
	ANDL $7, todo
	CMPL todo, $2
	JHI add
	TESTL todo, todo // if todo is 0, the last vector is in the first lane
	JEQ last
	VMOVUPS (xPlace), xs
	ROWS(BY, 0, Y0, Y1, Y2, Y3)
	CMPL todo, $2 // if todo is 2, the last vector is in the second lane
	JNE add
	VMOVUPS savedX-32(SP), xs
	ROWS(LAST, (2*LANES*SIZE), Y4, Y5, Y6, Y7)
	JMP add

last:
	VMOVUPS savedX-32(SP), xs
	ROWS(LAST, 0, Y0, Y1, Y2, Y3)

add: // sums += first lane + second lane
	ADD Y4, Y0, Y0
	ADD Y5, Y1, Y1
	ADD Y6, Y2, Y2
	ADD Y7, Y3, Y3
	ADD Y0, sum0, sum0
	ADD Y1, sum1, sum1
	ADD Y2, sum2, sum2
	ADD Y3, sum3, sum3

nextPair: // pairs of lanes start at 0, 4, 1 and 5; after 4, the sums of the even lanes are saved
	XORL $4, pair
	TESTL $4, pair
	JNE lanes
	TESTL pair, pair
	JNE sum
	VMOVUPS sum0, even0-160(SP) // save the sums of the even lanes
	VMOVUPS sum1, even1-128(SP)
	VMOVUPS sum2, even2-96(SP)
	VMOVUPS sum3, even3-64(SP)
	INCL pair
	JMP half

sum: // Y0-Y3 = even + odd lanes of each row
	ADD even0-160(SP), sum0, Y0
	ADD even1-128(SP), sum1, Y1
	ADD even2-96(SP), sum2, Y2
	ADD even3-64(SP), sum3, Y3
	VPERM2F128 $0x20, Y2, Y0, Y4 // add the upper half to the lower half, for rows 0 and 2, and for rows 1 and 3
	VPERM2F128 $0x31, Y2, Y0, Y5
	VPERM2F128 $0x20, Y3, Y1, Y6
	VPERM2F128 $0x31, Y3, Y1, Y7
	ADD Y5, Y4, Y0
	ADD Y7, Y6, Y1
	VUNPCKLPD Y1, Y0, Y2 // add the halves again: Y0 = sums of rows 0, 1, 2 and 3
	VUNPCKHPD Y1, Y0, Y3
	ADD Y3, Y2, Y0
	STORE4
	ADDQ $(4*XSIZE), dst // the next four rows
	LEAQ (nextRow)(step*4), nextRow
	SUBQ $4, left
	JNE four
	JMP done

edgeX: // load the last vector of x, near the end of a page; executed once
	EDGE(32, XSIZE, Y12, lastX, lastX)
	JMP fill

#undef step3
#undef pair
#undef todo
#undef sum0
#undef sum1
#undef sum2
#undef sum3
#undef ROWS
#undef LAST
#include "gemv_clear_amd64.h"
