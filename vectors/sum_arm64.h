// The last part of a dot product or a squared distance. It adds the remaining whole blocks of 32
// bytes after the iterations, using WHOLE of the previous part. It then adds the tail, which is in
// V0 and V1 (x) and in V2 and V3 (y), to the next two registers of lanes. Finally, it sums the
// lanes V16 to V31. The result is in F0.

#define TAIL(a, b) TERMS(0, V0, 2, V2, a, a, a); TERMS(1, V1, 3, V3, b, b, b); B reduce

loaded:
	WHOLE(0, V16, V17, tail0) // lanes += terms of 32 bytes, while they remain
	WHOLE(1, V18, V19, tail1)
	WHOLE(2, V20, V21, tail2)
	WHOLE(3, V22, V23, tail3)
	WHOLE(4, V24, V25, tail4)
	WHOLE(5, V26, V27, tail5)
	WHOLE(6, V28, V29, tail6)
	TAIL(V30, V31) // lanes += terms of the tail; its padding adds −0
tail6:
	TAIL(V28, V29)
tail5:
	TAIL(V26, V27)
tail4:
	TAIL(V24, V25)
tail3:
	TAIL(V22, V23)
tail2:
	TAIL(V20, V21)
tail1:
	TAIL(V18, V19)
tail0:
	TAIL(V16, V17)

reduce:
	FADD(20, 16, 16); FADD(21, 17, 17); FADD(22, 18, 18); FADD(23, 19, 19) // g₀+g₁
	FADD(28, 24, 24); FADD(29, 25, 25); FADD(30, 26, 26); FADD(31, 27, 27) // g₂+g₃
	FADD(24, 16, 16); FADD(25, 17, 17); FADD(26, 18, 18); FADD(27, 19, 19) // (g₀+g₁)+(g₂+g₃)
	FADD(18, 16, 16); FADD(19, 17, 17); FADD(17, 16, 16) // add halves until one element remains
	HALVE(16, V16, 0, 17, V17)

#undef TERMS
#undef TAIL
#undef WHOLE
