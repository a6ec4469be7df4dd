package rank

import (
	"context"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/memory"
)

// A Model scores documents by their features: [Linear] is one, and so are the trees of
// package lambdamart and their Scorer.
//
// Features that a document lacks are 0; a model may take 0 for missing (Zeros of package
// lambdamart).
type Model interface {
	// Features returns the number of features that the model knows.
	Features() int

	// Score returns the score of one document. Features beyond the model's count nothing.
	Score(x []float32) float64

	// ScoreInto writes the score of every document of d to dst, which must hold d.Rows()
	// values. Score of a row gives the same bits. d needs neither labels nor queries. It may
	// have fewer columns than the model has features, but not more: see [CheckScoring]. When
	// ctx is done first, its error is returned.
	ScoreInto(ctx context.Context, dst []float64, d *Dataset) error
}

// CheckScoring returns an error if a model with this number of features cannot score d: if d has
// more columns, which [Dataset.WithColumns] can drop, or if its features are not valid (see
// [Dataset.Validate]). Implementations of [Model.ScoreInto] call it first.
func CheckScoring(d *Dataset, features int) (err error) {
	defer memory.Begin().End(&err)
	if err := d.validateMatrix(); err != nil {
		return err
	}
	if d.Cols > features {
		return errs.Errorf("rank", "the data have %d columns, the model %d features: WithColumns drops columns", d.Cols,
			features)
	}
	return nil
}
