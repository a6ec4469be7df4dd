package ranksvm

import (
	"context"
	"errors"
)

// ErrRowWeights is the error of training on data with weights of rows: a pair has two.
var ErrRowWeights = errors.New("rank: RankSVM takes weights of queries, and the dataset has weights of rows")

// Data are what package rank trains on: its datasets, or those of package rankbeam.
type Data interface {
	// Columns returns the number of features, and their names, nil where they have none.
	Columns() (n int, names []string)

	// Fill sets what a problem says of the data: features and labels or a Source, with Columns, and
	// the weights of the queries, which c and perQuery are for; see Weights.
	Fill(p *Problem, c float64, perQuery bool)

	// Variances sets v to the variance of each column over the rows, or to 1 where that is 0.
	Variances(ctx context.Context, v []float64) error

	// NotFinite returns an error that names what makes an objective not finite.
	NotFinite(ctx context.Context) error

	// Queries returns the number of queries.
	Queries() int

	// Without returns the data without the queries of fold f. Query q is of fold[q].
	Without(fold []int, f int) Data

	// Validate returns what measures weights on the validation data.
	Validate(ctx context.Context, w []float64) (float64, error)

	// CrossValidate returns what measures each of a list of models: query q is scored by the
	// weights models[k][fold[q]].
	CrossValidate(ctx context.Context, fold []int, models [][]PackedWeights) ([]float64, error)
}

// DensityStep returns the distance of the rows, of so many, that the density of features is first
// estimated of, so that dense ones cost next to nothing.
func DensityStep(rows int) int { return max(rows/256, 1) }
