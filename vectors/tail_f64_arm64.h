// Loads the tail of dot_arm64.h, up to three float64, to V0, V1 (x) and V2, V3 (y).

	TBZ   $1, left, below2
	FMOVQ (tailX), F0 // two
	FMOVQ (tailY), F2
	TBZ   $0, left, loaded
	ADD   $16, tailY // and a third
	FMOVD 16(tailX), F1
	VLD1  (tailY), V3.D[0]
	B     loaded

below2:
	TBZ   $0, left, loaded
	FMOVD (tailX), F0 // one
	VLD1  (tailY), V2.D[0]

#undef tailX
#undef tailY
