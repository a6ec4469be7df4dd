// Package explain explains why a model ranks the documents of a query as it does.
//
// Start with [New], which returns an [Explainer] for a linear or a tree model. [Explainer.Explain]
// shows which features put a document above the next one. [Explainer.ContributionsInto] computes
// the contribution of each feature to each score (SHAP values for trees). Package importance
// measures how much a ranking metric depends on each feature.
//
// Errors about a row wrap [*rank.ParseError] if the row was read from a file. If the context ends,
// functions return its error.
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

// An Explainer explains the scores of a model. Make it once and use it for many calls; it is safe
// for concurrent use.
type Explainer struct {
	// Threads is the number of goroutines that explain scores of tree models. If it is 0 or
	// negative, GOMAXPROCS goroutines are used. Contributions do not depend on it.
	Threads int
	// Progress reports the number of documents that ContributionsInto has explained; see the
	// comment of package rank.
	Progress func(done, total int64)

	model  rank.Model
	linear *rank.Linear // nil if the model is a tree model
	games  games        // used if the model is a tree model
	scorer func() (*lambdamart.Scorer, error)
}

// New returns an Explainer for a [*rank.Linear] or a [*lambdamart.Model]. The model must not change
// afterwards. New returns an error if the model has another type or if its trees are not valid. It
// also returns an error if the trees have neither the counts nor the weights of all splits and
// leaves.
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
		for slot := range e.games.features {
			e.games.order = append(e.games.order, int32(slot))
		}
		slices.SortFunc(e.games.order, func(a, b int32) int {
			return cmp.Compare(e.games.features[a], e.games.features[b])
		})
		e.scorer = sync.OnceValues(m.Scorer)
	default:
		return nil, errs.Errorf("explain", "models of type %T are not supported", m)
	}
	return e, nil
}

// ContributionsInto writes to dst the contribution of each feature to the score of each document of
// d. For a model with m features it writes m+1 values per row; the last value is the same for all
// rows. The values of a row sum to its score, up to rounding.
//
// In a linear model, feature j contributes wⱼ·xⱼ, and the last value is the intercept.
//
// In a tree model, feature j contributes its Shapley value (TreeSHAP, path-dependent; Lundberg et
// al. 2020). Shapley values require scores of documents with unknown features. At a split on an
// unknown feature, both children are followed and weighted by their fractions of the training rows.
// The fractions are computed from the trees' counts. If a model has no counts, they are computed
// from its weights, as in XGBoost. The last value is the mean score of the training rows.
//
// The values are accurate up to rounding, and bit-identical on every machine and for any number of
// threads.
func (e *Explainer) ContributionsInto(ctx context.Context, dst []float64, d *rank.Dataset) error {
	if err := rank.CheckScoring(d, e.model.Features()); err != nil {
		return errs.Op("explain", err)
	}
	if m, ok := e.model.(*lambdamart.Model); ok {
		if err := m.CheckCategories(d.Categories); err != nil {
			return errs.Op("explain", err)
		}
	}
	width := e.model.Features() + 1
	if len(dst) != d.Rows()*width {
		return errs.Errorf("explain", "the length of dst is %d; it must be %d contributions × %d scores", len(dst), width,
			d.Rows())
	}
	if e.linear != nil {
		return e.linearContributions(ctx, dst, d, e.linear.Weights)
	}
	return e.treeContributions(ctx, dst, width, d, e.games.features)
}

// linearContributions writes the contributions of the columns of d with the given weights.
func (e *Explainer) linearContributions(ctx context.Context, dst []float64, d *rank.Dataset,
	weights []float64) (err error) {
	defer memory.Begin().End(&err)
	width := len(weights) + 1
	clear(dst)
	progress := parallel.NewProgress(e.Progress, int64(d.Rows()))
	for i := range d.Rows() {
		if err := ctx.Err(); err != nil {
			return err
		}
		if i%shapRows == 0 {
			progress.Reach(int64(i))
		}
		phi := dst[i*width:][:width]
		add := func(j int, x float32) {
			if x != 0 { // the product may be −0, but features that d lacks contribute +0
				phi[j] = weights[j] * float64(x)
			}
		}
		if d.Sparse != nil {
			columns, values := d.Sparse.Row(i)
			for k, j := range columns {
				add(int(j), values[k])
			}
		} else {
			for j, x := range d.Row(i) {
				add(j, x)
			}
		}
		phi[width-1] = e.linear.Intercept
	}
	progress.Finish()
	return nil
}

// contributing returns the columns that may contribute to the scores of d, in ascending order, and
// the contributions of these columns. few is d without other columns.
func (e *Explainer) contributing(ctx context.Context, d *rank.Dataset) (columns []int32, few *rank.Dataset,
	phi []float64, err error) {
	if e.linear != nil {
		columns = occurring(d)
	} else {
		for _, slot := range e.games.order {
			columns = append(columns, e.games.features[slot])
		}
	}
	var known []int
	for _, j := range columns {
		if int(j) < d.Cols {
			known = append(known, int(j))
		}
	}
	if few, err = d.SubsetColumns(known); err != nil {
		return nil, nil, nil, err
	}
	width := len(columns) + 1
	phi = make([]float64, d.Rows()*width)
	if e.linear != nil {
		weights := make([]float64, len(columns))
		for k, j := range columns {
			weights[k] = e.linear.Weights[j]
		}
		return columns, few, phi, e.linearContributions(ctx, phi, few, weights)
	}
	places := make([]int32, len(columns)) // index in columns of each slot
	for k, slot := range e.games.order {
		places[slot] = int32(k)
	}
	return columns, few, phi, e.treeContributions(ctx, phi, width, few, places)
}

// occurring returns the columns in which a row may have a value other than 0, in ascending order.
func occurring(d *rank.Dataset) (columns []int32) {
	if d.Sparse != nil {
		columns = slices.Clone(d.Sparse.Columns)
		slices.Sort(columns)
		return slices.Compact(columns)
	}
	for j := range d.Cols {
		columns = append(columns, int32(j))
	}
	return columns
}

// Options configures [Explainer.Explain]. The zero value is ready for use.
type Options struct {
	// Documents is the number of documents to explain, starting with the best. 0 means all.
	Documents int
	// Rows lists the rows of the dataset to explain instead of the best documents.
	Rows []int
	// Features is the number of features to list per document. The default is 5.
	Features int
}

// A Ranking is a query that was ranked by a model.
type Ranking struct {
	Query string // ID of the query
	Total int    // number of documents of the query
	// Base is the part of the score to which no feature contributes. It is the intercept of a
	// linear model, or the mean score of a tree model's training rows.
	Base      float64
	Documents []Document // explained documents, best first
}

// A Document is explained by comparing it with the document ranked just below it. The last document
// is compared with [Ranking].Base.
type Document struct {
	Rank  int // counted from 1
	Row   int // row in the dataset
	Next  int // row of the document below; −1 for the last one
	Score float64
	// Above is Score minus the score of the document below or, for the last document, minus Base.
	Above    float64
	Features []Feature // features with the largest effect on Above, by descending |Difference|
	Others   float64   // sum of the differences of all other features
}

// A Feature describes the effect of one feature on a document. The Differences of all features sum
// to Document.Above, up to rounding.
type Feature struct {
	Column       int
	Name         string  // "" if neither the data nor the model has names
	Value        float32 // NaN means missing
	Next         float32 // value in the document below; 0 for the last document
	Contribution float64 // contribution to the score; see [Explainer.ContributionsInto]
	// Difference is Contribution minus the contribution in the document below. For the last
	// document it is Contribution.
	Difference float64
}

// Explain ranks the documents of query q of d by descending score; ties are broken by row. It
// explains the best documents, or the documents that the options select. Labels are not needed.
// Explain returns an error if d does not fit the model, if a row is not in the query, or if a score
// is not finite.
func (e *Explainer) Explain(ctx context.Context, d *rank.Dataset, q int, o Options) (*Ranking, error) {
	if q < 0 || q >= d.Queries() {
		return nil, errs.Errorf("explain", "query %d is out of range: the dataset has %d queries", q, d.Queries())
	}
	if len(d.Labels) == 0 { // SubsetQueries requires labels
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
		return nil, errs.During(ctx, "explain", err)
	}
	first := d.Offsets[q]
	for i, s := range scores {
		if math.IsNaN(s) || math.IsInf(s, 0) {
			return nil, errs.During(ctx, "explain", d.RowError(first+i,
				fmt.Errorf("the score is %v; scores must be finite", s)))
		}
	}
	order := kernels.AppendOrder(nil, scores, nil)
	ranks, err := o.ranks(order, first)
	if err != nil {
		return nil, err
	}

	// Compute contributions only for the documents to explain and the documents just below them.
	var rows []int
	at := make([]int, len(order)+1) // index of each rank's document in rows, plus 1; 0 if rows does not contain it
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
	columns, few, phi, err := e.contributing(ctx, part)
	if err != nil {
		return nil, errs.During(ctx, "explain", err)
	}
	l := lister{columns: columns, phi: phi, data: few, names: part.Names, most: cmp.Or(o.Features, 5)}
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

// ranks returns the ranks to explain, counted from 0. order contains the documents of the query by
// rank, and first is the first row of the query in the dataset.
func (o *Options) ranks(order []int, first int) ([]int, error) {
	if o.Documents < 0 || o.Features < 0 {
		return nil, errs.Errorf("explain", "Documents is %d and Features is %d; neither may be negative", o.Documents, o.Features)
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
			return nil, errs.Errorf("explain", "row %d is not in the query (rows %d–%d)", row, first,
				first+len(order)-1)
		}
		ranks = append(ranks, r)
	}
	slices.Sort(ranks)
	if ranks = slices.Compact(ranks); len(ranks) == 0 {
		return nil, errs.New("explain", "an explanation requires at least one document")
	}
	return ranks, nil
}

// A lister lists the features of documents.
type lister struct {
	columns []int32
	phi     []float64     // contributions of columns
	data    *rank.Dataset // columns of the rows for which phi has contributions
	names   []string      // names of all features
	most    int           // maximum number of features to list
}

// list sets the features of the document in row i, and the difference of the others. next is the
// row of the document just below it, or −1 if there is none. list returns the part of the score to
// which no feature contributes.
func (l *lister) list(doc *Document, i, next int) (base float64) {
	width := len(l.columns) + 1
	phi := l.phi[i*width:][:width]
	x := l.data.Row(i)
	var below []float64
	var y []float32
	if next >= 0 {
		below, y = l.phi[next*width:][:width], l.data.Row(next)
	} else {
		below = make([]float64, width)
	}
	var moved []int
	for j := range width - 1 {
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
		f := Feature{Column: int(l.columns[j]), Contribution: phi[j], Difference: difference(j)}
		if f.Column < len(l.names) {
			f.Name = l.names[f.Column]
		}
		if j < len(x) { // the value is 0 if the data lacks the column
			f.Value = x[j]
		}
		if j < len(y) {
			f.Next = y[j]
		}
		doc.Features = append(doc.Features, f)
	}
	return phi[width-1]
}
