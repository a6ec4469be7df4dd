package rank

import (
	"context"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/memory"
	"github.com/simdrank/simdrank/kernels"
)

// A Linear scores a document by its features: s(x) = Intercept + Σⱼ Weights[j]·xⱼ. A feature that
// is left out is 0 and adds nothing; NaN makes the score NaN. Dense and sparse features give the
// same bits as long as the weights are finite.
//
// Package model writes and reads linear models. json.Marshal writes another form, which package
// model does not read.
type Linear struct {
	Weights   []float64
	Intercept float64 // the same for every document: no ranking depends on it

	FeatureNames []string // one per feature, in UTF-8; nil when they have none

	// Settings are the options that the model was trained with, defaults included, by name. Files
	// of models keep them, for people to read; nil when they are not known.
	Settings map[string]string

	// Report tells how the training went. It is nil unless [RankSVM.Fit] made
	// the model, and is not saved.
	Report *FitReport
}

// Score returns the score of one document. Features beyond the weights count
// nothing, those that x lacks are 0.
func (m *Linear) Score(x []float32) float64 {
	n := min(len(x), len(m.Weights))
	var s [1]float64
	kernels.GemvF32Wide(s[:], m.Weights[:n], x[:n], 1, n, n)
	return s[0] + m.Intercept
}

// Features returns the number of weights.
func (m *Linear) Features() int { return len(m.Weights) }

// ScoreInto implements [Model].
func (m *Linear) ScoreInto(ctx context.Context, dst []float64, d *Dataset) (err error) {
	defer memory.Begin().End(&err)
	if err := CheckScoring(d, m.Features()); err != nil {
		return err
	}
	if len(dst) != d.Rows() {
		return errs.Errorf("rank", "%d places for the scores of %d documents", len(dst), d.Rows())
	}
	const block = 1 << 14 // rows between looks at ctx
	for lo := 0; lo < len(dst); lo += block {
		if err := ctx.Err(); err != nil {
			return err
		}
		m.scoreRows(dst[lo:min(lo+block, len(dst))], d, lo)
	}
	return ctx.Err()
}

// scoreRows writes the scores of the rows from first on to dst.
func (m *Linear) scoreRows(dst []float64, d *Dataset, first int) {
	d.matrix().Scores(dst, first, m.Weights[:d.Cols])
	for i := range dst {
		dst[i] += m.Intercept // adding 0 makes −0 positive, as sparse rows give no −0
	}
}
