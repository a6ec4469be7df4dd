package rank

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/memory"
	"github.com/simdrank/simdrank/internal/metrics"
	"github.com/simdrank/simdrank/internal/num"
	"github.com/simdrank/simdrank/internal/parallel"
)

// A List is one query to evaluate: documents with their labels and scores, in any order.
type List struct {
	ID     string    // names the query in results and errors; may be empty
	Labels []float64 // relevance label of each document
	Scores []float64 // score of each document: the highest is at rank 1

	// Unretrieved holds the labels of judged documents that the list lacks. They count as
	// relevant documents that were missed and in the ideal ranking; nil when there are none.
	Unretrieved []float64
	// Subtopics holds judgments of subtopics, for the metrics of diversity, which refuse a nil one.
	// Those of a document stand together. Of documents that gain the same, the ideal ranking has
	// the one first that comes first here. The other metrics go by Labels.
	Subtopics []SubtopicLabel
	// Reference is another ranking, for the metrics that compare with one, which refuse a nil one:
	// the rank of each document of the list there, from 1, or 0 when it lacks the document.
	Reference []int32
	// ReferenceLen is the number of documents of Reference, those that the list lacks included.
	ReferenceLen int
	// TieKeys orders documents of equal score if [Options].Ties is key: higher keys first.
	TieKeys []int64

	// Place finds the label of a document, counted from 0 and through Labels and Unretrieved, in
	// the file that it was read from; nil, or returning nil, when that is not known. Readers set
	// it, so that errors name the line.
	Place func(document int, label float64) *ParseError `json:"-"`
}

// A SubtopicLabel is the judgment of a document for a subtopic of its query.
type SubtopicLabel struct {
	Document int     // from 0: through the list's Labels, then through Unretrieved
	Subtopic int     // from 0 to 1,048,575
	Label    float64 // relevance label
}

// lists returns a list for each query of the dataset, with the given score for each
// row. The lists share memory with both.
func (d *Dataset) lists(scores []float64) ([]List, error) {
	if len(scores) != d.Rows() {
		return nil, errs.Errorf("rank", "%d scores for %d rows", len(scores), d.Rows())
	}
	lists := make([]List, d.Queries())
	for q := range lists {
		lo, hi := d.Query(q)
		lists[q] = List{Labels: d.Labels[lo:hi], Scores: scores[lo:hi]}
		if file, line := d.place(lo); line > 0 {
			lists[q].Place = func(document int, _ float64) *ParseError {
				if lo+document >= hi {
					return nil
				}
				return &ParseError{File: file, Line: d.Line(lo + document)}
			}
		}
		if q < len(d.QueryIDs) {
			lists[q].ID = d.QueryIDs[q]
		}
	}
	return lists, nil
}

// Evaluate scores the documents of d with a model and measures the ranking of each query by the
// metrics of these names, between commas as [NewEvaluator] reads them, under the options. The mean
// of the first metric is Metrics[0].Mean of the results.
//
// The weights of the dataset do not count. A query for which a metric is undefined, such as one
// without relevant documents, is skipped, unless [Options].Empty gives it a value.
//
// It takes no metric of one's own. For that, score with Model.ScoreInto and hand the rows lo to hi
// of each [Dataset.Query], labels and scores, to a function; the tests of package compare take its
// values.
func Evaluate(ctx context.Context, m Model, d *Dataset, names string, o Options) (*Results, error) {
	e, err := NewEvaluator(names, o)
	if err != nil {
		return nil, err
	}
	return e.evalModel(ctx, m, d)
}

// An Evaluator says by which metrics rankings are measured, under which options. It computes all
// metrics from one sort of a query. It is immutable and safe for concurrent use. It keeps memory
// for the next calls, which allocate nothing once it has seen the largest query.
type Evaluator struct {
	options   Options
	metrics   []Metric
	plan      *metrics.Plan
	empty     empty
	byKey     bool      // ties are ordered by key
	subtopics bool      // a metric needs judgments of subtopics
	workers   sync.Pool // of *worker
}

// A worker holds the memory of one goroutine.
type worker struct {
	query     *metrics.Query
	list      metrics.List
	reference metrics.Reference
	subtopics []metrics.SubtopicLabel
}

// NewEvaluator returns an evaluator of metrics: one or more names that [ParseMetric] reads, between
// commas.
func NewEvaluator(names string, o Options) (*Evaluator, error) {
	e := new(Evaluator)
	if err := e.set(names, o); err != nil {
		return nil, err
	}
	return e, nil
}

// set makes a new evaluator one of these metrics.
func (e *Evaluator) set(names string, o Options) error {
	o.GainTable = slices.Clone(o.GainTable)
	p, err := o.policy()
	if err != nil {
		return err
	}
	if names == "" {
		return errs.New("rank", "no metrics to evaluate")
	}
	e.options, e.empty, e.byKey = o, p.empty, p.Ties == metrics.TiesByKey
	var computed []metrics.Metric
	seen := map[Metric]bool{}
	for _, name := range metrics.Split(names) {
		m, err := ParseMetric(name)
		if err != nil {
			return err
		}
		if seen[m] {
			return errs.Errorf("rank", "metric %s is named twice", m)
		}
		seen[m] = true
		e.metrics, computed = append(e.metrics, m), append(computed, m.m)
		e.subtopics = e.subtopics || m.NeedsSubtopics()
	}
	if e.plan, err = metrics.NewPlan(computed, p.Policy); err != nil {
		return errs.Op("rank", err)
	}
	return nil
}

// sentEvaluator is what MarshalBinary writes.
type sentEvaluator struct {
	Names   string
	Options Options
}

// MarshalBinary returns the names and the options, so that encoding/gob can send an evaluator to
// another process. Progress is not sent.
func (e *Evaluator) MarshalBinary() ([]byte, error) {
	return json.Marshal(sentEvaluator{e.String(), e.options})
}

// mostSent is the largest number of bytes of an evaluator that UnmarshalBinary reads.
const mostSent = 1 << 20

// UnmarshalBinary makes a new evaluator of what [Evaluator.MarshalBinary] returned. It returns an
// error if that is longer than 1 MiB, because an evaluator takes many times the length of its
// names.
func (e *Evaluator) UnmarshalBinary(data []byte) error {
	if len(data) > mostSent {
		return errs.Errorf("rank", "an evaluator of %d bytes, must be at most %d", len(data), mostSent)
	}
	var sent sentEvaluator
	if err := json.Unmarshal(data, &sent); err != nil {
		return errs.Op("rank", err)
	}
	return e.set(sent.Names, sent.Options)
}

// Metrics returns the metrics in the order of the values.
func (e *Evaluator) Metrics() []Metric { return slices.Clone(e.metrics) }

// String returns the names of the metrics, between commas, as [NewEvaluator] reads them.
func (e *Evaluator) String() string {
	names := make([]string, len(e.metrics))
	for i, m := range e.metrics {
		names[i] = m.String()
	}
	return strings.Join(names, ",")
}

// Options returns the options that were given to [NewEvaluator].
func (e *Evaluator) Options() Options {
	o := e.options
	o.GainTable = slices.Clone(o.GainTable)
	return o
}

// AppendValues appends the value of each metric on one query to dst. A value is NaN when the query
// is skipped ([Options].Empty). Errors name the document by its place in the list; those about a
// label that was read from a file wrap a *[ParseError] instead.
func (e *Evaluator) AppendValues(dst []float64, l *List) ([]float64, error) {
	w := e.worker()
	dst, err := e.appendValues(w, dst, l)
	e.workers.Put(w)
	return dst, err
}

// AppendValuesOfGrades is like [Evaluator.AppendValues] for a query in its most compact form, which
// is the fastest to read: labels as bytes from 0 to 254, with 255 for a document without judgment
// under the option NegativeUnjudged, and float32 scores. The order key of ties needs the keys of a
// [List].
func (e *Evaluator) AppendValuesOfGrades(dst []float64, grades []uint8, scores []float32) ([]float64, error) {
	w, n := e.worker(), len(dst)
	dst, err := w.query.ValuesOfGrades(dst, grades, scores)
	e.workers.Put(w)
	if err != nil {
		return dst, errs.Op("rank", labelError(err, len(grades), nil))
	}
	e.fillEmpty(dst[n:])
	return dst, nil
}

func (e *Evaluator) worker() *worker {
	if w, ok := e.workers.Get().(*worker); ok {
		return w
	}
	return &worker{query: e.plan.NewQuery(), subtopics: []metrics.SubtopicLabel{}}
}

// appendValues is AppendValues with the memory of a worker.
func (e *Evaluator) appendValues(w *worker, dst []float64, l *List) ([]float64, error) {
	list := &w.list // as a whole it takes longer to set
	list.Labels, list.Scores, list.Unretrieved, list.TieKeys = l.Labels, l.Scores, l.Unretrieved, l.TieKeys
	list.Reference, list.Subtopics = nil, nil
	if l.Reference != nil {
		w.reference = metrics.Reference{Ranks: l.Reference, Len: l.ReferenceLen}
		list.Reference = &w.reference
	}
	if e.subtopics && l.Subtopics != nil {
		w.subtopics = w.subtopics[:0] // not nil, as the list's is not
		for _, s := range l.Subtopics {
			w.subtopics = append(w.subtopics, metrics.SubtopicLabel(s))
		}
		list.Subtopics = w.subtopics
	}
	n := len(dst)
	dst, err := w.query.Values(dst, list)
	if err != nil {
		err = labelError(err, len(l.Labels), l.Place)
		if l.ID != "" {
			return dst, errs.Op("rank", errs.Wrap(err, "query %s", l.ID))
		}
		return dst, errs.Op("rank", err)
	}
	e.fillEmpty(dst[n:])
	return dst, nil
}

// fillEmpty replaces undefined values by 0 or 1 if the options say so.
func (e *Evaluator) fillEmpty(values []float64) {
	if e.empty != emptyZero && e.empty != emptyOne {
		return
	}
	for i, v := range values {
		if v != v {
			values[i] = float64(e.empty - emptyZero)
		}
	}
}

// labelError returns an error of package metrics about a list of so many documents in the terms of
// the caller: a label is named by its line, if that is known.
func labelError(err error, documents int, placeOf func(document int, label float64) *ParseError) error {
	e, ok := err.(*metrics.LabelError)
	if !ok {
		return err
	}
	cause := e.Err
	if e.Option != "" {
		cause = &OptionError{Option: e.Option, Err: e.Err}
	}
	if placeOf != nil {
		if place := placeOf(e.Document, e.Label); place != nil {
			place.Err = cause
			return place
		}
	}
	if missed := e.Document - documents; missed >= 0 {
		return errs.Wrap(cause, "document %d of those not retrieved", missed+1)
	}
	return errs.Wrap(cause, "document %d", e.Document+1)
}

// A MetricResult is one metric over many queries.
type MetricResult struct {
	Metric Metric
	Values []float64 // of each query, NaN where it was skipped
	// of each query in Mean: the pairs of pair-accuracy-pooled; nil when all weigh alike
	Weights []float64
	// over the counted queries, for pair-accuracy-pooled over their pairs; NaN when there are none
	Mean    float64
	Counted int
	Skipped int
}

// Results are the metrics of many queries.
type Results struct {
	QueryIDs []string
	Metrics  []MetricResult
}

// Metric returns the result of the metric of that name. A name that [ParseMetric] does not know,
// and a metric that was not evaluated, are an error.
func (r *Results) Metric(name string) (*MetricResult, error) {
	m, err := ParseMetric(name)
	if err != nil {
		return nil, err
	}
	names := make([]string, len(r.Metrics))
	for i := range r.Metrics {
		if r.Metrics[i].Metric == m {
			return &r.Metrics[i], nil
		}
		names[i] = r.Metrics[i].Metric.String()
	}
	return nil, errs.Errorf("rank", "no result of %v: the metrics are %s", m, strings.Join(names, ", "))
}

// MarshalJSON writes {"ndcg@10": {"mean": …, "counted": …, "skipped": …}, …}; a
// mean that is not a number is null. Values of single queries are left out.
func (r *Results) MarshalJSON() ([]byte, error) {
	type summary struct {
		Mean    *float64 `json:"mean"`
		Counted int      `json:"counted"`
		Skipped int      `json:"skipped"`
	}
	out := make(map[string]summary, len(r.Metrics))
	for _, m := range r.Metrics {
		s := summary{Counted: m.Counted, Skipped: m.Skipped}
		if !math.IsNaN(m.Mean) && !math.IsInf(m.Mean, 0) {
			s.Mean = &m.Mean
		}
		out[m.Metric.String()] = s
	}
	return json.Marshal(out)
}

// EvalAll evaluates many queries, on the goroutines of [Options].Threads. The results are the same
// bits on any number of them, and so are means in any order of the queries: their sums are exact,
// and rounded once.
func (e *Evaluator) EvalAll(ctx context.Context, lists []List) (_ *Results, err error) {
	defer memory.Begin().End(&err)
	nm := len(e.metrics)
	values := make([]float64, len(lists)*nm)
	var pairs []float64 // of each query, when a mean asks for them
	if slices.ContainsFunc(e.metrics, Metric.Pooled) {
		pairs = make([]float64, len(lists))
	}
	if err := e.evalLists(ctx, lists, values, pairs); err != nil {
		return nil, err
	}
	res := &Results{QueryIDs: make([]string, len(lists)), Metrics: make([]MetricResult, nm)}
	for q := range lists {
		res.QueryIDs[q] = lists[q].ID
	}
	columns := make([]float64, len(values))
	for i := range res.Metrics {
		m := &res.Metrics[i]
		m.Metric, m.Values = e.metrics[i], columns[i*len(lists):(i+1)*len(lists):(i+1)*len(lists)]
		for q := range lists {
			m.Values[q] = values[q*nm+i]
		}
		if m.Metric.Pooled() {
			m.Weights = pairs
		}
		var mean num.ExactMean
		mean.Add(m.Values, m.Weights, e.empty == emptySkip)
		m.Mean, m.Counted, m.Skipped = mean.Value(), mean.Counted, mean.Skipped
	}
	return res, nil
}

// evalModel scores the documents of d with a model and evaluates its queries.
func (e *Evaluator) evalModel(ctx context.Context, m Model, d *Dataset) (*Results, error) {
	scores := make([]float64, d.Rows())
	if err := m.ScoreInto(ctx, scores, d); err != nil {
		return nil, err
	}
	return e.EvalScores(ctx, scores, d)
}

// EvalScores evaluates the queries of d by the given score of each row. If ties are ordered by key,
// as with the preset trec_eval, documents of equal score are in descending order of their ids,
// which d must have.
func (e *Evaluator) EvalScores(ctx context.Context, scores []float64, d *Dataset) (_ *Results, err error) {
	defer memory.Begin().End(&err)
	if err := d.validateQueries(); err != nil {
		return nil, err
	}
	lists, err := d.lists(scores)
	if err != nil {
		return nil, err
	}
	if e.byKey {
		if d.DocIDs == nil {
			return nil, errs.Op("rank", &OptionError{Option: "Ties",
				Err: errors.New("equal scores are to be ordered by document id, and the dataset has none")})
		}
		for q := range lists {
			lo, hi := d.Query(q)
			lists[q].TieKeys = orderKeys(d.DocIDs[lo:hi])
		}
	}
	return e.EvalAll(ctx, lists)
}

// orderKeys returns the place of each identifier among the others.
func orderKeys(ids []string) []int64 {
	order := make([]int, len(ids))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(ids[a], ids[b]) })
	keys := make([]int64, len(ids))
	for place, i := range order {
		keys[i] = int64(place)
	}
	return keys
}

// evalLists fills values, a row of metrics for each list, and pairs, the number of pairs with
// different labels in each, unless it is nil.
func (e *Evaluator) evalLists(ctx context.Context, lists []List, values, pairs []float64) error {
	threads := parallel.Threads(e.options.Threads)
	batch := parallel.Batch(len(lists), threads)
	batches := (len(lists) + batch - 1) / batch
	threads = max(1, min(threads, batches))
	workers := make([]*worker, threads)
	for i := range workers {
		workers[i] = e.worker()
		defer e.workers.Put(workers[i])
	}
	nm := len(e.metrics)
	progress := parallel.NewProgress(e.options.Progress, int64(len(lists)))
	var failed atomic.Int64 // first query that failed, so that the error does not depend on threads
	failed.Store(math.MaxInt64)
	err := parallel.For(ctx, len(workers), batches, func(at, b int) {
		w := workers[at]
		lo, hi := b*batch, min((b+1)*batch, len(lists))
		for q := lo; q < hi && int64(q) < failed.Load(); q++ {
			if _, err := e.appendValues(w, values[q*nm:q*nm:(q+1)*nm], &lists[q]); err != nil {
				for f := failed.Load(); int64(q) < f; f = failed.Load() {
					failed.CompareAndSwap(f, int64(q))
				}
				return
			}
			if pairs != nil {
				pairs[q] = w.query.LabelPairs()
			}
		}
		progress.Add(int64(hi - lo))
	})
	if q := failed.Load(); q < math.MaxInt64 {
		_, err = e.appendValues(workers[0], nil, &lists[q])
		if err != nil && lists[q].ID == "" {
			err = errs.Op("rank", errs.Wrap(err, "query %d", q+1))
		}
	}
	return err
}
