// Loads the tail for dot_arm64.h, up to seven float32, into V0 and V1 (x) and V2 and V3 (y).

	TBZ   $2, left, below4
	FMOVQ (tailX), F0 // load four elements
	FMOVQ (tailY), F2
	ADD   $16, tailX
	ADD   $16, tailY
	TBZ   $1, left, oneAfter4
	FMOVD (tailX), F1 // load the fifth and the sixth element
	VLD1  (tailY), V3.D[0]
	TBZ   $0, left, loaded
	ADD   $8, tailX // load the seventh element
	ADD   $8, tailY
	VLD1  (tailX), V1.S[2]
	VLD1  (tailY), V3.S[2]
	B     loaded

oneAfter4:
	TBZ   $0, left, loaded
	FMOVS (tailX), F1 // load the fifth element
	VLD1  (tailY), V3.S[0]
	B     loaded

below4:
	TBZ   $1, left, below2
	FMOVD (tailX), F0 // load two elements
	VLD1  (tailY), V2.D[0]
	TBZ   $0, left, loaded
	ADD   $8, tailX // load the third element
	ADD   $8, tailY
	VLD1  (tailX), V0.S[2]
	VLD1  (tailY), V2.S[2]
	B     loaded

below2:
	TBZ   $0, left, loaded
	FMOVS (tailX), F0 // load one element
	VLD1  (tailY), V2.S[0]

#undef tailX
#undef tailY
