// Package serve ranks the documents of requests with a trained model, for example in a web service.
//
// Load a model when the program starts, and share it among all requests:
//
//	ranker, err := serve.Load("model.txt") // simdrank, LightGBM, XGBoost, CatBoost, ONNX, …
//
// For each request, build one row of features per document, and rank the rows:
//
//	columns := ranker.Columns()
//	var x []float32
//	for _, doc := range documents {
//		x, err = columns.AppendRow(x, doc.Features) // a map such as {"bm25": 12.5, "clicks": 3}
//		…
//	}
//	for _, best := range ranker.AppendTopK(nil, x, len(documents), 10) {
//		fmt.Println(documents[best.Row], best.Score)
//	}
//
// If the model has text categories, their values are strings in JSON objects and structs. In maps,
// use [Columns.Category].
//
// Rows can also come from JSON objects ([Columns.AppendJSON]) and from structs ([StructRows]). If
// features are already in the order of the model, concatenate the rows yourself.
//
// # Missing values
//
// NaN is a missing value. Tree models have a direction for missing values at each split; the
// comment of package lambdamart explains which. [Ranker.UnseenMissing] reports features that are
// missing now but never were in training. Linear models do not support missing values: the
// score of a document with a missing feature is NaN, even if the weight of the feature is 0.
// Infinite features are compared and multiplied like other numbers.
package serve

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/kernels"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/explain"
	"github.com/simdrank/simdrank/rank/lambdamart"
	"github.com/simdrank/simdrank/rank/model"
)

// A Ranker is a model that was prepared for serving. It is immutable and safe for concurrent use.
// Its methods run on the calling goroutine.
type Ranker struct {
	model   rank.Model
	scorer  *lambdamart.Scorer // nil unless the model is a tree model
	linear  *rank.Linear       // nil unless the model is linear
	columns Columns

	explained   sync.Once
	explainer   *explain.Explainer
	unexplained error
}

// Load loads a model in any format that [model.Load] supports. Its errors name the file.
func Load(path string, o ...rank.ReadOptions) (*Ranker, error) {
	m, err := model.Load(path, o...)
	if err != nil {
		return nil, err
	}
	return New(m) // Load validated the model, so its error can be returned here too
}

// New prepares a model, which must not change afterwards. Use it instead of [Load] to change a
// model before you serve it, for example with [lambdamart.Model.Truncate]. It returns an error if
// the model is invalid.
//
// New supports all types that implement [rank.Model]. [*rank.Linear], [*lambdamart.Model] and
// [*lambdamart.Scorer] are fast; for other types, the Ranker calls Score once per document.
func New(m rank.Model) (*Ranker, error) {
	r := &Ranker{model: m}
	switch m := m.(type) {
	case *rank.Linear:
		if n := len(m.FeatureNames); m.FeatureNames != nil && n != len(m.Weights) {
			return nil, errs.Errorf("serve", "the number of names is %d; it must be %d, one per feature", n,
				len(m.Weights))
		}
		r.linear = m
	case *lambdamart.Model:
		scorer, err := m.Scorer()
		if err != nil {
			return nil, errs.Op("serve", err)
		}
		r.scorer = scorer
	case *lambdamart.Scorer:
		r.scorer = m
	}
	var texts [][]string
	if trees, ok := m.(*lambdamart.Model); ok {
		texts = trees.Categories
	}
	r.columns = newColumns(model.FeatureNames(m), texts)
	return r, nil
}

// Features returns the number of input features, including features that do not affect scores.
func (r *Ranker) Features() int { return r.model.Features() }

// Columns returns the inputs of the model, which convert named values to rows.
func (r *Ranker) Columns() Columns { return r.columns }

// Score returns the score of one document. The row must have Features() values; otherwise Score
// panics. It does not allocate.
func (r *Ranker) Score(row []float32) float64 {
	r.check("Score", row, 1)
	switch {
	case r.scorer != nil:
		return r.scorer.Score(row)
	case r.linear != nil:
		return r.linear.Score(row)
	}
	return r.model.Score(row)
}

// ScoreRowsInto sets dst[i] to the score of row i of x. Each row has Features() values, and there
// are len(dst) rows; otherwise ScoreRowsInto panics. The scores are bit-identical to [Ranker.Score]
// and to the scores of the model. It does not allocate.
func (r *Ranker) ScoreRowsInto(dst []float64, x []float32) {
	r.check("ScoreRowsInto", x, len(dst))
	n := r.Features()
	switch {
	case r.scorer != nil:
		r.scorer.ScoreRowsInto(dst, x, len(dst), n, n)
	case r.linear != nil:
		kernels.GemvF32Wide(dst, r.linear.Weights, x, len(dst), n, n)
		for i := range dst {
			dst[i] += r.linear.Intercept
		}
	default:
		for i := range dst {
			dst[i] = r.model.Score(x[i*n : (i+1)*n])
		}
	}
}

// check panics unless x contains the given number of rows.
func (r *Ranker) check(method string, x []float32, rows int) {
	if n := r.Features(); len(x) != rows*n {
		panic(fmt.Sprintf("serve: %s: the length of x is %d; it must be %d (rows: %d, features: %d)", method, len(x),
			rows*n, rows, n))
	}
}

// Ranked is a document of a request: its row and its score.
type Ranked struct {
	Row   int     `json:"row"`
	Score float64 `json:"score"`
}

// AppendTopK appends the best k rows of x to dst, or all rows if there are fewer than k. They are
// sorted by descending score. Ties are sorted by ascending row, and NaN scores come last. x has the
// given number of rows of Features() values each; otherwise AppendTopK panics. It also panics if
// rows or k is negative. It allocates only if the capacity of dst is too small.
func (r *Ranker) AppendTopK(dst []Ranked, x []float32, rows, k int) []Ranked {
	if rows < 0 || k < 0 {
		panic(fmt.Sprintf("serve: AppendTopK: rows is %d and k is %d; neither may be negative", rows, k))
	}
	r.check("AppendTopK", x, rows)
	w := works.Get().(*work)
	defer works.Put(w)
	w.scores = slices.Grow(w.scores[:0], rows)[:rows]
	r.ScoreRowsInto(w.scores, x)
	w.order = kernels.AppendTopK(w.order[:0], w.scores, k, &w.kernel)
	for _, row := range w.order {
		dst = append(dst, Ranked{row, w.scores[row]})
	}
	return dst
}

// UnseenMissing counts the values of x that are missing although their features were never missing
// in training, and returns the row and the feature of the first such value. A service can reject
// such requests, or count them. x contains whole rows of Features() values; otherwise UnseenMissing
// panics. It does not allocate. The result is 0, −1, −1 if no such value exists, or if the model
// does not record which features were missing in training (see MissingFeatures of
// [lambdamart.Model]).
func (r *Ranker) UnseenMissing(x []float32) (count, row, feature int) {
	n := r.Features()
	rows := len(x) / max(n, 1)
	r.check("UnseenMissing", x, rows)
	if r.scorer == nil {
		return 0, -1, -1
	}
	return r.scorer.UnseenMissing(x, rows, n, n)
}

// A work contains buffers that requests reuse.
type work struct {
	scores []float64
	order  []int
	kernel kernels.Work
}

var works = sync.Pool{New: func() any { return new(work) }}

// ContributionsInto writes to dst the contribution of each feature to the score of a document, and
// then the base value, which does not depend on the features. The values are defined by
// [explain.Explainer.ContributionsInto]. x may contain the rows of several documents: each has
// Features() values in x and one more in dst. Otherwise ContributionsInto panics.
//
// Each call prepares all trees of a tree model, so one call for several documents is faster. Calls
// return an error if the contributions of the model are not defined, for example because its trees
// lack the counts and the weights of their splits.
func (r *Ranker) ContributionsInto(dst []float64, x []float32) error {
	n := r.Features()
	if len(dst)%(n+1) != 0 {
		panic(fmt.Sprintf("serve: ContributionsInto: the length of dst is %d; it must be a multiple of %d", len(dst), n+1))
	}
	rows := len(dst) / (n + 1)
	r.check("ContributionsInto", x, rows)
	r.explained.Do(func() {
		if r.explainer, r.unexplained = explain.New(r.model); r.unexplained == nil {
			r.explainer.Threads = 1
		}
	})
	if r.unexplained != nil {
		return errs.Op("serve", r.unexplained)
	}
	d := &rank.Dataset{Labels: make([]float64, rows), X: x, Cols: n, Stride: n}
	return r.explainer.ContributionsInto(context.Background(), dst, d)
}
