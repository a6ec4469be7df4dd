// Package explain tells why a model ranks the documents of a query as it does: what each feature
// contributes to a score, and which features put a document above the next one.
package explain

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/memory"
	"github.com/simdrank/simdrank/internal/parallel"
	"github.com/simdrank/simdrank/kernels"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/lambdamart"
	"github.com/simdrank/simdrank/rank/model"
)

// An Explainer explains the scores of a model. It is for many calls, and several goroutines may
// share it.
type Explainer struct {
	// Threads is the number of goroutines that explain scores of trees. 0 or less means GOMAXPROCS.
	// Contributions do not depend on it.
	Threads int
	// Progress reports how many documents ContributionsInto has explained; see the comment of
	// package rank.
	Progress func(done, total int64)

	model  rank.Model
	linear *rank.Linear // nil for trees
	games  games        // of trees
	scorer func() (*lambdamart.Scorer, error)
}

// New returns an Explainer of a [*rank.Linear] or a [*lambdamart.Model], which must not change
// later. It returns an error if the model is of another kind, if the trees are not valid, and if
// they know neither the counts nor the weights of all splits and leaves.
func New(m rank.Model) (*Explainer, error) {
	e := &Explainer{model: m}
	switch m := m.(type) {
	case *rank.Linear:
		e.linear = m
	case *lambdamart.Model:
		if err := m.Validate(); err != nil {
			return nil, errs.Op("explain", err)
		}
		e.games = games{slots: map[int32]int32{}, mean: m.Bias}
		for i := range m.Trees {
			if err := e.games.add(&m.Trees[i]); err != nil {
				return nil, errs.Errorf("explain", "tree %d: %w", i, err)
			}
		}
		e.scorer = sync.OnceValues(m.Scorer)
	default:
		return nil, errs.Errorf("explain", "no contributions to scores of a %T", m)
	}
	return e, nil
}

// ContributionsInto writes to dst what each feature contributes to the score of each document of d:
// m+1 values per row for a model of m features, of which the last is the same for all rows. The
// values of a row sum to its score, up to rounding.
//
// Feature j contributes wⱼ·xⱼ to the score of a linear model, and the last value is the intercept.
//
// Feature j contributes its Shapley value to the score of boosted trees. A feature that is not
// known is averaged over by following both children of a split by the share of training rows that
// went there (TreeSHAP, path-dependent; Lundberg et al. 2020). Shares are those of the trees'
// counts or, in a model that does not know these, of their weights, which is what XGBoost does. The
// last value is the mean score of the training rows.
//
// The values are those of the definition up to rounding, and the same bits everywhere, for any
// number of threads.
func (e *Explainer) ContributionsInto(ctx context.Context, dst []float64, d *rank.Dataset) error {
	if err := rank.CheckScoring(d, e.model.Features()); err != nil {
		return errs.Op("explain", err)
	}
	width := e.model.Features() + 1
	if len(dst) != d.Rows()*width {
		return errs.Errorf("explain", "%d places for the %d contributions to each of %d scores", len(dst), width,
			d.Rows())
	}
	if e.linear != nil {
		return e.linearContributions(ctx, dst, d)
	}
	return e.treeContributions(ctx, dst, d)
}

func (e *Explainer) linearContributions(ctx context.Context, dst []float64, d *rank.Dataset) (err error) {
	defer memory.Begin().End(&err)
	m := e.linear
	width := m.Features() + 1
	clear(dst)
	row := make([]float32, 0, d.Cols)
	progress := parallel.NewProgress(e.Progress, int64(d.Rows()))
	for i := range d.Rows() {
		if err := ctx.Err(); err != nil {
			return err
		}
		if i%shapRows == 0 {
			progress.Reach(int64(i))
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
	progress.Finish()
	return nil
}

// wrap names the package in an error, unless it is the context's own.
func wrap(ctx context.Context, err error) error {
	if err == nil || ctx.Err() != nil {
		return err
	}
	return errs.Op("explain", err)
}

// Options are the choices of [Explainer.Explain]; the zero value is useful.
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
	Contribution float64 // to the score: see [Explainer.ContributionsInto]
	Difference   float64 // how much more that is than for the document below; all of it for the last
}

// Explain ranks the documents of query q of d by the model, by descending score and equal scores by
// row, and explains the best of them, or those that the options name. It needs no labels. It is an
// error when d does not fit the model, when a row is none of the query, and when a score is not
// finite.
func (e *Explainer) Explain(ctx context.Context, d *rank.Dataset, q int, o Options) (*Ranking, error) {
	if q < 0 || q >= d.Queries() {
		return nil, errs.Errorf("explain", "query %d of a dataset with %d queries", q, d.Queries())
	}
	if len(d.Labels) == 0 { // without which there are no subsets
		labeled := *d
		labeled.Labels = make([]float64, d.Rows())
		d = &labeled
	}
	query, err := d.SubsetQueries([]int{q})
	if err != nil {
		return nil, errs.Op("explain", err)
	}
	m := e.model
	if e.scorer != nil {
		if m, err = e.scorer(); err != nil {
			return nil, errs.Op("explain", err)
		}
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
	order := kernels.AppendOrder(nil, scores, nil)
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
		return nil, errs.Op("explain", err)
	}
	width := m.Features() + 1
	phi := make([]float64, len(rows)*width)
	if err := e.ContributionsInto(ctx, phi, part); err != nil {
		return nil, err
	}
	l := lister{width: width, phi: phi, data: part, names: part.Names, most: cmp.Or(o.Features, 5)}
	if l.names == nil {
		l.names = model.FeatureNames(e.model)
	}
	ranking := &Ranking{Query: d.QueryIDs[q], Total: len(order)}
	for _, r := range ranks {
		doc := Document{Rank: r + 1, Row: first + order[r], Next: -1, Score: scores[order[r]]}
		next := at[r+1] - 1
		if next >= 0 {
			doc.Next = first + order[r+1]
			doc.Above = doc.Score - scores[order[r+1]]
		}
		base := l.list(&doc, at[r]-1, next)
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
		return nil, errs.Errorf("explain", "%d documents, %d features: want numbers from 0", o.Documents, o.Features)
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
			return nil, errs.Errorf("explain", "row %d is none of the query, whose rows are %d to %d", row, first,
				first+len(order)-1)
		}
		ranks = append(ranks, r)
	}
	slices.Sort(ranks)
	if ranks = slices.Compact(ranks); len(ranks) == 0 {
		return nil, errs.New("explain", "no documents to explain")
	}
	return ranks, nil
}

// A lister lists the features of documents.
type lister struct {
	width int
	phi   []float64
	data  *rank.Dataset // rows of phi
	names []string
	most  int // features to list
}

// list fills in the features of the document at row i, with that of row next below it, which is
// −1 for none, and returns the contribution of no feature.
func (l *lister) list(doc *Document, i, next int) (base float64) {
	phi := l.phi[i*l.width:][:l.width]
	x := l.data.Row(i)
	var below []float64
	var y []float32
	if next >= 0 {
		below, y = l.phi[next*l.width:][:l.width], l.data.Row(next)
	} else {
		below = make([]float64, l.width)
	}
	var moved []int
	for j := range l.width - 1 {
		if phi[j] != below[j] {
			moved = append(moved, j)
		}
	}
	difference := func(j int) float64 { return phi[j] - below[j] }
	slices.SortStableFunc(moved, func(a, b int) int {
		return cmp.Compare(math.Abs(difference(b)), math.Abs(difference(a)))
	})
	for k, j := range moved {
		if k >= l.most {
			doc.Others += difference(j)
			continue
		}
		f := Feature{Column: j, Contribution: phi[j], Difference: difference(j)}
		if j < len(l.names) {
			f.Name = l.names[j]
		}
		if j < len(x) { // else the data lack the column, which is 0
			f.Value = x[j]
		}
		if j < len(y) {
			f.Next = y[j]
		}
		doc.Features = append(doc.Features, f)
	}
	return phi[l.width-1]
}
