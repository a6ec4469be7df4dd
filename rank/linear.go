package rank

import (
	"fmt"

	"github.com/simdrank/simdrank/kernels"
)

// A Linear scores a document by its features: s(x) = Intercept + Σⱼ Weights[j]·xⱼ. A feature that is left out is 0 and adds
// nothing; NaN makes the score NaN.
type Linear struct {
	Weights   []float64
	Intercept float64 // the same for every document: no ranking depends on it

	// Report tells how the training went. It is nil unless [RankSVM.Fit] made
	// the model, and is not saved.
	Report *FitReport
}

// Score returns the score of one document. Features beyond the weights count
// nothing, those that x lacks are 0.
func (m *Linear) Score(x []float32) float64 {
	n := min(len(x), len(m.Weights))
	var s [1]float64
	kernels.GemvF32Wide(s[:], x[:n], 1, n, n, m.Weights[:n])
	return s[0] + m.Intercept
}

// ScoreInto writes the score of every document of d to dst, which must hold
// d.Rows() values. Score of a row gives the same bits.
func (m *Linear) ScoreInto(dst []float64, d *Dataset) error {
	if len(dst) != d.Rows() {
		return fmt.Errorf("rank: %d places for the scores of %d documents", len(dst), d.Rows())
	}
	m.scoreRows(dst, d, 0)
	return nil
}

// scoreRows writes the scores of the rows from first on to dst.
func (m *Linear) scoreRows(dst []float64, d *Dataset, first int) {
	n := min(d.Cols, len(m.Weights))
	kernels.GemvF32Wide(dst, d.X[first*d.Stride:], len(dst), n, d.Stride, m.Weights[:n])
	if m.Intercept != 0 {
		for i := range dst {
			dst[i] += m.Intercept
		}
	}
}
