// Loads the tail for dot_arm64.h, up to three float64, into V0 and V1 (x) and V2 and V3 (y).

	TBZ   $1, left, below2
	FMOVQ (tailX), F0 // load two elements
	FMOVQ (tailY), F2
	TBZ   $0, left, loaded
	ADD   $16, tailY // load the third element
	FMOVD 16(tailX), F1
	VLD1  (tailY), V3.D[0]
	B     loaded

below2:
	TBZ   $0, left, loaded
	FMOVD (tailX), F0 // load one element
	VLD1  (tailY), V2.D[0]

#undef tailX
#undef tailY
