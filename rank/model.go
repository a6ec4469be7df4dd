package rank

// A Model scores documents by their features: [Linear] is one, and so are the
// trees of package lambdamart.
type Model interface {
	// Score returns the score of one document.
	Score(x []float32) float64

	// ScoreInto writes the score of every document of d to dst, which must hold
	// d.Rows() values. Score of a row gives the same bits.
	ScoreInto(dst []float64, d *Dataset) error
}
