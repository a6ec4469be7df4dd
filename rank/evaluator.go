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

// A List is one query to evaluate. It contains documents, in any order, with their labels and
// scores.
type List struct {
	ID     string    // name of the query in results and errors; may be empty
	Labels []float64 // relevance label of each document
	Scores []float64 // score of each document; the document with the highest score has rank 1

	// Unretrieved contains the labels of judged documents that are not in the list. They count as
	// missed relevant documents, and they belong to the ideal ranking. It is nil if there are none.
	Unretrieved []float64
	// Subtopics contains the subtopic judgments, with all judgments of one document adjacent.
	// Diversity metrics require it: they return an error if it is nil. Documents with equal gains
	// have the same order in the ideal ranking as in Subtopics. Other metrics use Labels.
	Subtopics []SubtopicLabel
	// Reference contains each document's rank in another ranking, counted from 1, or 0 if that
	// ranking does not contain the document. Metrics that compare two rankings return an error if
	// it is nil.
	Reference []int32
	// ReferenceLen is the number of documents in Reference, including documents that are not in the
	// list.
	ReferenceLen int
	// TieKeys breaks ties between documents if [Options].Ties is key: higher keys come first.
	TieKeys []int64

	// Place returns the position of a document's label in the input file, for use in errors.
	// Documents are numbered from 0: first the elements of Labels, then the elements of
	// Unretrieved. Readers set Place. It may be nil, or return nil, if the position is not known.
	Place func(document int, label float64) *ParseError `json:"-"`
}

// A SubtopicLabel is the judgment of one document for one subtopic of its query.
type SubtopicLabel struct {
	Document int     // index of the document, counted from 0: first Labels, then Unretrieved
	Subtopic int     // from 0 to 1,048,575
	Label    float64 // relevance label
}

// lists returns a list for each query of the dataset, with the given score for each row. The lists
// share memory with the dataset and the scores.
func (d *Dataset) lists(scores []float64) ([]List, error) {
	if len(scores) != d.Rows() {
		return nil, errs.Errorf("rank", "the number of scores is %d; it must be %d, one per row", len(scores), d.Rows())
	}
	lists := make([]List, d.Queries())
	for q := range lists {
		lo, hi := d.Query(q)
		lists[q] = List{Labels: d.Labels[lo:hi], Scores: scores[lo:hi]}
		if file, line := d.Place(lo); line > 0 {
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

// Evaluate scores the documents of d with a model and evaluates the ranking of each query. The
// names are metric names, separated by commas, as in [NewEvaluator]. For example, Metrics[0].Mean
// of the results is the mean of the first metric.
//
// Dataset weights are ignored. A query for which a metric is undefined, such as one without
// relevant documents, is skipped unless [Options].Empty sets a value.
//
// Evaluate supports only built-in metrics. For your own metric, call [Model.ScoreInto] and compute
// the metric on the labels and scores of each [Dataset.Query]. To test such values for
// significance, use Values of package compare.
func Evaluate(ctx context.Context, m Model, d *Dataset, names string, o Options) (*Results, error) {
	e, err := NewEvaluator(names, o)
	if err != nil {
		return nil, err
	}
	return e.evalModel(ctx, m, d)
}

// An Evaluator computes a fixed list of metrics with fixed options. It sorts each query only once.
// It is immutable and safe for concurrent use. It reuses memory: a call allocates only if its query
// is larger than all earlier queries.
type Evaluator struct {
	options   Options
	metrics   []Metric
	plan      *metrics.Plan
	empty     empty
	byKey     bool      // whether ties are broken by key
	subtopics bool      // whether a metric requires subtopic judgments
	workers   sync.Pool // pool of *worker
}

// A worker is the workspace of one goroutine.
type worker struct {
	query     *metrics.Query
	list      metrics.List
	reference metrics.Reference
	subtopics []metrics.SubtopicLabel
}

// NewEvaluator returns an evaluator of one or more metrics. The names are separated by commas; see
// [ParseMetric].
func NewEvaluator(names string, o Options) (*Evaluator, error) {
	e := new(Evaluator)
	if err := e.set(names, o); err != nil {
		return nil, err
	}
	return e, nil
}

// set initializes a new evaluator with metrics and options.
func (e *Evaluator) set(names string, o Options) error {
	o.GainTable = slices.Clone(o.GainTable)
	p, err := o.policy()
	if err != nil {
		return err
	}
	if names == "" {
		return errs.New("rank", "at least one metric is required")
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
			return errs.Errorf("rank", "metric %s is given twice", m)
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

// sentEvaluator contains the data that MarshalBinary encodes.
type sentEvaluator struct {
	Names   string
	Options Options
}

// MarshalBinary encodes the metric names and the options. It lets encoding/gob send an evaluator to
// another process. Progress is not sent.
func (e *Evaluator) MarshalBinary() ([]byte, error) {
	return json.Marshal(sentEvaluator{e.String(), e.options})
}

// mostSent is the maximum length of the data that UnmarshalBinary accepts, in bytes.
const mostSent = 1 << 20

// UnmarshalBinary decodes the output of [Evaluator.MarshalBinary] into a new evaluator. It returns
// an error if data is longer than 1 MiB, because the decoded evaluator uses much more memory than
// its encoding.
func (e *Evaluator) UnmarshalBinary(data []byte) error {
	if len(data) > mostSent {
		return errs.Errorf("rank", "the encoded evaluator has %d bytes; it must have at most %d", len(data), mostSent)
	}
	var sent sentEvaluator
	if err := json.Unmarshal(data, &sent); err != nil {
		return errs.Op("rank", err)
	}
	return e.set(sent.Names, sent.Options)
}

// Metrics returns the metrics, in the order of their values in results.
func (e *Evaluator) Metrics() []Metric { return slices.Clone(e.metrics) }

// String returns the metric names, separated by commas, in a form that [NewEvaluator] accepts.
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

// AppendValues appends the value of each metric for one query to dst. A value is NaN if the query
// is skipped ([Options].Empty). An error identifies the document by its position in the list. If a
// label was read from a file, an error about it wraps a *[ParseError] instead.
func (e *Evaluator) AppendValues(dst []float64, l *List) ([]float64, error) {
	w := e.worker()
	dst, err := e.appendValues(w, dst, l)
	e.workers.Put(w)
	return dst, err
}

// AppendValuesOfGrades is like [Evaluator.AppendValues] but accepts labels as bytes from 0 to 254,
// and float32 scores. This form of a query is the most compact and therefore the fastest. With the
// option NegativeUnjudged, the byte 255 marks a document without a judgment. It does not support
// the tie order key, which needs the keys of a [List].
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

// appendValues is like AppendValues, but uses the memory of worker w.
func (e *Evaluator) appendValues(w *worker, dst []float64, l *List) ([]float64, error) {
	list := &w.list // set single fields, because assigning the whole struct is slower
	list.Labels, list.Scores, list.Unretrieved, list.TieKeys = l.Labels, l.Scores, l.Unretrieved, l.TieKeys
	list.Reference, list.Subtopics = nil, nil
	if l.Reference != nil {
		w.reference = metrics.Reference{Ranks: l.Reference, Len: l.ReferenceLen}
		list.Reference = &w.reference
	}
	if e.subtopics && l.Subtopics != nil {
		w.subtopics = w.subtopics[:0] // must not become nil, which means that the list has no subtopic judgments
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

// fillEmpty replaces undefined values with 0 or 1 if the options require it.
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

// labelError converts an error of package metrics to an error about a list. documents is the number
// of documents in the list. If the line of a label is known, the error contains it.
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
		return errs.Wrap(cause, "unretrieved document %d", missed+1)
	}
	return errs.Wrap(cause, "document %d", e.Document+1)
}

// A MetricResult contains the values of one metric for many queries.
type MetricResult struct {
	Metric Metric
	// Values is the value of each query. It is NaN if the query was skipped.
	Values []float64
	// Weights is the weight of each query in Mean. For pair-accuracy-pooled it is the number of
	// pairs. It is nil if all queries have the same weight.
	Weights []float64
	// Mean is the mean over the counted queries or, for pair-accuracy-pooled, over their pairs. It
	// is NaN if no query was counted.
	Mean    float64
	Counted int
	Skipped int
}

// Results contains the metrics of many queries.
type Results struct {
	QueryIDs []string
	Metrics  []MetricResult
}

// Metric returns the result of the metric with this name. It returns an error if [ParseMetric] does
// not know the name or if the metric was not evaluated.
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
	return nil, errs.Errorf("rank", "metric %v was not evaluated: the metrics are %s", m, strings.Join(names, ", "))
}

// MarshalJSON encodes r as {"ndcg@10": {"mean": …, "counted": …, "skipped": …}, …}. A mean that is
// not a number becomes null. Values of single queries are omitted.
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

// EvalAll evaluates many queries with [Options].Threads goroutines. Results are bit-identical for
// any number of goroutines. Means are also bit-identical for any order of the queries, because
// their sums are exact and rounded only once.
func (e *Evaluator) EvalAll(ctx context.Context, lists []List) (_ *Results, err error) {
	defer memory.Begin().End(&err)
	nm := len(e.metrics)
	values := make([]float64, len(lists)*nm)
	var pairs []float64 // number of pairs of each query; nil if no mean requires it
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

// evalModel scores the documents of d with a model and evaluates the resulting rankings.
func (e *Evaluator) evalModel(ctx context.Context, m Model, d *Dataset) (*Results, error) {
	scores := make([]float64, d.Rows())
	if err := m.ScoreInto(ctx, scores, d); err != nil {
		return nil, err
	}
	return e.EvalScores(ctx, scores, d)
}

// EvalScores evaluates the queries of d with the given score of each row. If ties are broken by
// key, as with the preset trec_eval, tied documents are ordered by descending document ID. In that
// case it returns an error if d has no document IDs.
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
				Err: errors.New("ties are broken by document ID, but the data has no document IDs")})
		}
		for q := range lists {
			lo, hi := d.Query(q)
			lists[q].TieKeys = orderKeys(d.DocIDs[lo:hi])
		}
	}
	return e.EvalAll(ctx, lists)
}

// orderKeys returns the rank of each ID in the sorted IDs.
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

// evalLists fills values with one row of metric values per list. If pairs is not nil, evalLists
// sets its elements to the number of pairs with different labels in each list.
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
	var failed atomic.Int64 // first query that failed, whatever the number of threads is
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
