// Package explain tells why a model ranks the documents of a query as it does: what each feature
// contributes to a score, and which features put a document above the next one.
package explain

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/memory"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/lambdamart"
	"github.com/simdrank/simdrank/rank/model"
)

// Contributions returns what each feature contributes to the score of each document of d: m+1
// values per row for a model of m features, of which the last is the same for all rows. The values
// of a row sum to its score, up to rounding.
//
// Feature j contributes wⱼ·xⱼ to the score of a linear model, and the last value is the intercept.
// For boosted trees they are the values of [lambdamart.Scorer.Contributions]. A model of another
// kind is an error.
func Contributions(ctx context.Context, m rank.Model, d *rank.Dataset) ([]float64, error) {
	if linear, ok := m.(*rank.Linear); ok {
		return linearContributions(ctx, linear, d)
	}
	scorer, ok := m.(*lambdamart.Scorer)
	if !ok {
		trees, ok := m.(*lambdamart.Model)
		if !ok {
			return nil, fmt.Errorf("explain: no contributions to scores of a %T", m)
		}
		var err error
		if scorer, err = trees.Scorer(); err != nil {
			return nil, errs.Wrap(err, "explain")
		}
	}
	dst := make([]float64, d.Rows()*(scorer.Features()+1))
	if err := scorer.Contributions(ctx, dst, d); err != nil {
		return nil, wrap(ctx, err)
	}
	return dst, nil
}

func linearContributions(ctx context.Context, m *rank.Linear, d *rank.Dataset) (dst []float64, err error) {
	defer memory.Begin().End(&err)
	if err := rank.CheckScoring(d, m.Features()); err != nil {
		return nil, errs.Wrap(err, "explain")
	}
	width := m.Features() + 1
	dst = make([]float64, d.Rows()*width)
	row := make([]float32, 0, d.Cols)
	for i := range d.Rows() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		phi := dst[i*width:][:width]
		row = d.AppendRow(row[:0], i)
		for j, x := range row {
			if x != 0 { // and else 0, not −0, as for a feature that d lacks
				phi[j] = m.Weights[j] * float64(x)
			}
		}
		phi[width-1] = m.Intercept
	}
	return dst, nil
}

// wrap names the package in an error, unless it is the context's own.
func wrap(ctx context.Context, err error) error {
	if err == nil || ctx.Err() != nil {
		return err
	}
	return errs.Wrap(err, "explain")
}

// Options are the choices of [Query]; the zero value is useful.
type Options struct {
	Documents int   // the best documents to explain, so many of them; 0 means all
	Rows      []int // rows of the dataset to explain in place of the best; nil means none
	Features  int   // features to list per document; 0 means 5
}

// A Ranking is a query, ranked by a model.
type Ranking struct {
	Query string // identifier
	Total int    // documents of the query
	// Base is the score that no feature contributes to: the intercept of a linear model, the mean
	// score of the rows that trees were trained on.
	Base      float64
	Documents []Document // those that were to be explained, best first
}

// A Document is explained by its difference from the next one of the ranking. The last one is set
// against no document but against Base.
type Document struct {
	Rank     int // from 1
	Row      int // of the dataset
	Next     int // row of the document below; −1 for the last one
	Score    float64
	Above    float64   // by how much Score is above that of the document below, or above Base
	Features []Feature // that moved it most, by descending |Difference|
	Others   float64   // sum of the differences of all other features
}

// A Feature of a document that is explained. Differences of all features sum to Document.Above, up
// to rounding.
type Feature struct {
	Column       int
	Name         string  // "" when neither data nor model name it
	Value        float32 // NaN is missing
	Next         float32 // value of the document below; 0 for the last one
	Contribution float64 // to the score: see [Contributions]
	Difference   float64 // how much more that is than for the document below; all of it for the last
}

// Query ranks the documents of query q of d by a model, by descending score and equal scores by
// row, and explains the best of them, or those that the options name. It needs no labels. It is an
// error when d does not fit the model, when a row is none of the query, and when a score is not
// finite.
func Query(ctx context.Context, m rank.Model, d *rank.Dataset, q int, o Options) (*Ranking, error) {
	if q < 0 || q >= d.Queries() {
		return nil, fmt.Errorf("explain: query %d of a dataset with %d queries", q, d.Queries())
	}
	if len(d.Labels) == 0 { // without which there are no subsets
		labeled := *d
		labeled.Labels = make([]float64, d.Rows())
		d = &labeled
	}
	query, err := d.SubsetQueries([]int{q})
	if err != nil {
		return nil, errs.Wrap(err, "explain")
	}
	scores := make([]float64, query.Rows())
	if err := m.ScoreInto(ctx, scores, query); err != nil {
		return nil, wrap(ctx, err)
	}
	first := d.Offsets[q]
	for i, s := range scores {
		if math.IsNaN(s) || math.IsInf(s, 0) {
			return nil, wrap(ctx, d.RowError(first+i, fmt.Errorf("the score is %v", s)))
		}
	}
	order := rank.Order(nil, nil, scores)
	ranks, err := o.ranks(order, first)
	if err != nil {
		return nil, err
	}

	// Contributions are made for the documents that are explained and for those below them.
	var rows []int
	at := make([]int, len(order)+1) // place of each rank among the rows, from 1
	for _, r := range ranks {
		for _, r := range []int{r, r + 1} {
			if r < len(order) && at[r] == 0 {
				rows = append(rows, order[r])
				at[r] = len(rows)
			}
		}
	}
	part, err := query.SubsetRows(rows)
	if err != nil {
		return nil, errs.Wrap(err, "explain")
	}
	phi, err := Contributions(ctx, m, part)
	if err != nil {
		return nil, err
	}
	e := explainer{width: m.Features() + 1, phi: phi, data: part, names: part.Names, most: cmp.Or(o.Features, 5)}
	if e.names == nil {
		e.names = model.FeatureNames(m)
	}
	ranking := &Ranking{Query: d.QueryIDs[q], Total: len(order)}
	for _, r := range ranks {
		doc := Document{Rank: r + 1, Row: first + order[r], Next: -1, Score: scores[order[r]]}
		next := at[r+1] - 1
		if next >= 0 {
			doc.Next = first + order[r+1]
			doc.Above = doc.Score - scores[order[r+1]]
		}
		base := e.explain(&doc, at[r]-1, next)
		if ranking.Base = base; next < 0 {
			doc.Above = doc.Score - base
		}
		ranking.Documents = append(ranking.Documents, doc)
	}
	return ranking, nil
}

// ranks returns the ranks, from 0, to explain of rows in the order of a ranking, the first of which
// is a row of the dataset.
func (o *Options) ranks(order []int, first int) ([]int, error) {
	if o.Documents < 0 || o.Features < 0 {
		return nil, fmt.Errorf("explain: %d documents, %d features: want numbers from 0", o.Documents, o.Features)
	}
	var ranks []int
	if o.Rows == nil {
		n := len(order)
		if o.Documents > 0 {
			n = min(n, o.Documents)
		}
		for r := range n {
			ranks = append(ranks, r)
		}
	}
	for _, row := range o.Rows {
		r := slices.Index(order, row-first)
		if r < 0 {
			return nil, fmt.Errorf("explain: row %d is none of the query, whose rows are %d to %d", row, first,
				first+len(order)-1)
		}
		ranks = append(ranks, r)
	}
	slices.Sort(ranks)
	if ranks = slices.Compact(ranks); len(ranks) == 0 {
		return nil, errors.New("explain: no documents to explain")
	}
	return ranks, nil
}

// An explainer lists features of documents.
type explainer struct {
	width int
	phi   []float64
	data  *rank.Dataset // rows of phi
	names []string
	most  int // features to list
}

// explain fills in the features of the document at row i, with that of row next below it, which is
// −1 for none, and returns the contribution of no feature.
func (e *explainer) explain(doc *Document, i, next int) (base float64) {
	phi := e.phi[i*e.width:][:e.width]
	x := e.data.Row(i)
	var below []float64
	var y []float32
	if next >= 0 {
		below, y = e.phi[next*e.width:][:e.width], e.data.Row(next)
	} else {
		below = make([]float64, e.width)
	}
	var moved []int
	for j := range e.width - 1 {
		if phi[j] != below[j] {
			moved = append(moved, j)
		}
	}
	difference := func(j int) float64 { return phi[j] - below[j] }
	slices.SortStableFunc(moved, func(a, b int) int {
		return cmp.Compare(math.Abs(difference(b)), math.Abs(difference(a)))
	})
	for k, j := range moved {
		if k >= e.most {
			doc.Others += difference(j)
			continue
		}
		f := Feature{Column: j, Contribution: phi[j], Difference: difference(j)}
		if j < len(e.names) {
			f.Name = e.names[j]
		}
		if j < len(x) { // else the data lack the column, which is 0
			f.Value = x[j]
		}
		if j < len(y) {
			f.Next = y[j]
		}
		doc.Features = append(doc.Features, f)
	}
	return phi[e.width-1]
}
