package rank

import (
	"context"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/memory"
	"github.com/simdrank/simdrank/kernels"
)

// A Linear model scores a document by its features: s(x) = Intercept + Σⱼ Weights[j]·xⱼ. An omitted
// feature is 0 and adds nothing. A NaN feature makes the score NaN. Scores of dense and sparse
// features are bit-identical if the weights are finite.
//
// Package model reads and writes linear models. The output of json.Marshal is a different format,
// which package model cannot read.
type Linear struct {
	Weights   []float64
	Intercept float64 // added to every score; does not affect rankings

	FeatureNames []string // name of each feature, in UTF-8; nil if the features have no names

	// Settings contains the options of the training by name, including defaults. It is nil if they
	// are not known. Model files store it for information only.
	Settings map[string]string

	// Calibration maps scores to relevance probabilities. It is nil if the model is not calibrated.
	// Package model stores it only in the format json.
	Calibration *Calibration

	// Report describes the training. It is not saved, and is nil unless [RankSVM.Fit] made the
	// model.
	Report *FitReport
}

// Score returns the score of one document. It ignores features without a weight, and treats
// features that x lacks as 0.
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
	if err := d.onlyNumbers(); err != nil {
		return err
	}
	if len(dst) != d.Rows() {
		return errs.Errorf("rank", "the length of dst is %d; it must be %d, one per document", len(dst), d.Rows())
	}
	const block = 1 << 14 // number of rows between checks of ctx
	for lo := 0; lo < len(dst); lo += block {
		if err := ctx.Err(); err != nil {
			return err
		}
		m.scoreRows(dst[lo:min(lo+block, len(dst))], d, lo)
	}
	return ctx.Err()
}

// scoreRows writes the scores of consecutive rows to dst. first is the first row.
func (m *Linear) scoreRows(dst []float64, d *Dataset, first int) {
	d.matrix().Scores(dst, first, m.Weights[:d.Cols])
	for i := range dst {
		dst[i] += m.Intercept // even if the intercept is 0: −0 becomes +0, as for sparse rows
	}
}
