package rank

import (
	"context"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/memory"
)

// A Model scores documents by their features. [Linear] and the tree models and scorers of package
// lambdamart implement it.
//
// Features that a document lacks are 0. Some models treat 0 as missing (see Zeros of package
// lambdamart).
type Model interface {
	// Features returns the number of input features, including features that do not affect scores.
	Features() int

	// Score returns the score of one document. It uses only the first Features() elements of x.
	Score(x []float32) float64

	// ScoreInto writes the score of every document of d to dst, whose length must be d.Rows(). The
	// scores are bit-identical to the results of Score. The data needs neither labels nor queries.
	// It may have fewer columns than the model has features, but not more; see [CheckScoring]. If
	// ctx ends early, ScoreInto returns its error.
	ScoreInto(ctx context.Context, dst []float64, d *Dataset) error
}

// CheckScoring returns an error if a model with this number of features cannot score d. This is the
// case if d has more columns than the model has features, or if features of d are invalid (see
// [Dataset.Validate]). [Dataset.WithColumns] can drop columns. Implementations of [Model.ScoreInto]
// call it first.
func CheckScoring(d *Dataset, features int) (err error) {
	defer memory.Begin().End(&err)
	if err := d.validateMatrix(); err != nil {
		return err
	}
	if d.Cols > features {
		return errs.Errorf("rank", "the data has %d columns, but the number of model features is %d "+
			"(use WithColumns to drop columns)", d.Cols, features)
	}
	return nil
}
