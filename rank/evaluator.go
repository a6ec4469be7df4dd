package rank

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/memory"
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
	// Reference is another ranking, for the metrics that compare with one.
	Reference *Reference
	// TieKeys orders documents of equal score under [TiesByKey]: higher keys first.
	TieKeys []int64

	// Weight is that of the query in the means of [Evaluator.EvalAll]. Queries of which none has
	// a weight above 0 weigh alike.
	Weight float64

	// Place finds the label of a document, counted from 0 and through Labels and Unretrieved, in
	// the file that it was read from; nil, or returning nil, when that is not known. Readers set
	// it, so that errors name the line.
	Place func(document int, label float64) *ParseError `json:"-"`
}

// Lists returns a list for each query of the dataset, with the given score for each
// row. The lists share memory with both.
func (d *Dataset) Lists(scores []float64) ([]List, error) {
	if len(scores) != d.Rows() {
		return nil, fmt.Errorf("rank: %d scores for %d rows", len(scores), d.Rows())
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
// metrics, names between commas as [ParseMetrics] reads them, under the options.
//
// It takes no metric of one's own. For that, score with Model.ScoreInto and hand the rows lo to hi
// of each [Dataset.Query], labels and scores, to a function; the tests of package compare take its
// values.
func Evaluate(ctx context.Context, m Model, d *Dataset, metrics string, opts ...Option) (*Results, error) {
	ms, err := ParseMetrics(metrics)
	if err != nil {
		return nil, err
	}
	e, err := NewEvaluator(ms, opts...)
	if err != nil {
		return nil, err
	}
	return e.EvalModel(ctx, m, d)
}

// An Evaluator computes metrics of queries under one set of options, all of them from one sort of a
// query. After it has seen the largest query it allocates nothing. It is for one goroutine at a
// time; [Evaluator.EvalAll] uses as many as Threads says.
type Evaluator struct {
	// Threads is the number of goroutines of EvalAll; 0 or less means GOMAXPROCS. Results do not
	// depend on it.
	Threads int

	metrics []Metric
	plan    *plan
	plans   map[RelevantFrom]*plan // of metrics by their own least relevant label; plan at 0
	r       ranking
	others  []*Evaluator // EvalAll's, one for each goroutine but the first
}

// A plan is what an evaluator's workers share, and do not write to.
type plan struct {
	o     policy
	needs need
	depth int // ranks that the metrics look at; 0 for all

	// Of the label that each grade stands for. What metrics cannot take gains 0.
	gains    [256]float64
	folded   [256]float64 // the same, but for unjudgedFolded
	relevant [256]bool
	valid    int // the metrics take grades below this, and but for unjudgedGrade no others
}

func (p *plan) setRelevant() {
	for g := range p.relevant {
		p.relevant[g] = p.o.isRelevant(labelOf[g])
	}
}

// Labels from 0 to 254 that are integers are handled as grades, a byte each.
const unjudgedGrade = 255

// labelOf has the label of each grade.
var labelOf = func() (labels [256]float64) {
	for g := range labels {
		labels[g] = float64(g)
	}
	labels[unjudgedGrade] = -1
	return labels
}()

// NewEvaluator returns an evaluator of the metrics. Cutoffs and persistence are part of the
// metrics: the options [At] and [Persistence] are errors.
func NewEvaluator(metrics []Metric, opts ...Option) (*Evaluator, error) {
	o, err := newPolicy(opts)
	if err != nil {
		return nil, err
	}
	if o.k != 0 {
		return nil, fmt.Errorf("rank: option At(%d): name the cutoff in the metric, as in ndcg@%d", o.k, o.k)
	}
	if p := o.persistence; p != 0 {
		return nil, fmt.Errorf("rank: option Persistence(%v): name it in the metric, as in rbp(%v)", p, p)
	}
	return newEvaluator(slices.Clone(metrics), o)
}

func newEvaluator(metrics []Metric, o policy) (*Evaluator, error) {
	p := &plan{o: o}
	if len(metrics) == 0 {
		return nil, errors.New("rank: no metrics to evaluate")
	}
	all := false
	for _, m := range metrics {
		if m.m == nil {
			return nil, errors.New("rank: metric without a name: ParseMetric makes one")
		}
		if m.k == 0 && m.m.k == cutoffRequired {
			return nil, fmt.Errorf("rank: %s needs a cutoff, as in %s@10", m.m.name, m.m.name)
		}
		p.needs |= m.m.needs
		all = all || m.k == 0
		p.depth = max(p.depth, m.k)
	}
	if all {
		p.depth = 0
	}
	for p.valid < unjudgedGrade {
		gain, err := p.gainIfNeeded(float64(p.valid))
		if err != nil {
			break
		}
		p.gains[p.valid] = gain
		p.valid++
	}
	// One by one: as one block, Go 1.26's copy on s390x faults beyond the end, seen under QEMU.
	for i := range p.folded {
		if i != unjudgedFolded {
			p.folded[i] = p.gains[i]
		}
	}
	p.setRelevant()
	plans := map[RelevantFrom]*plan{0: p}
	for _, m := range metrics {
		if plans[m.relevant] == nil {
			own := *p
			own.o.relevant = m.relevant
			own.setRelevant()
			plans[m.relevant] = &own
		}
	}
	return &Evaluator{metrics: metrics, plan: p, plans: plans}, nil
}

// Metrics returns the metrics in the order of the values.
func (e *Evaluator) Metrics() []Metric { return slices.Clone(e.metrics) }

// Eval appends the value of each metric on one query to dst. A value is NaN when the query is
// skipped ([EmptySkip]). Errors name the document by its place in the list; those about a label
// that was read from a file wrap a *[ParseError] instead.
func (e *Evaluator) Eval(dst []float64, l *List) ([]float64, error) {
	if err := e.r.set(e.plan, l); err != nil {
		if l.ID != "" {
			return dst, fmt.Errorf("rank: query %s: %w", l.ID, err)
		}
		return dst, fmt.Errorf("rank: %w", err)
	}
	return e.values(dst), nil
}

// EvalGrades is Eval of a query in its most compact form, the fastest to read: labels as bytes from
// 0 to 254, with 255 for a document without judgment under the option [NegativeUnjudged], and
// float32 scores. The option [TiesByKey] needs the keys of a [List].
func (e *Evaluator) EvalGrades(dst []float64, grades []uint8, scores []float32) ([]float64, error) {
	if err := e.r.setGrades(e.plan, grades, scores); err != nil {
		return dst, fmt.Errorf("rank: %w", err)
	}
	return e.values(dst), nil
}

// values appends the metrics of the query that r holds.
func (e *Evaluator) values(dst []float64) []float64 {
	for i := range e.metrics {
		m := &e.metrics[i] // a copy costs as much as a dot product of ten
		if len(e.plans) > 1 && e.r.o != &e.plans[m.relevant].o {
			e.r.judgeBy(e.plans[m.relevant])
		}
		v := math.NaN()
		if e.r.defined(m.m.needs) {
			v = m.m.value(&e.r, m)
		}
		if math.IsNaN(v) {
			switch e.plan.o.empty {
			case EmptyZero:
				v = 0
			case EmptyOne:
				v = 1
			}
		}
		dst = append(dst, v)
	}
	return dst
}

// gainIfNeeded returns the gain of a label, or why the metrics of the plan cannot take the label.
func (p *plan) gainIfNeeded(label float64) (float64, error) {
	if p.needs&needGrades != 0 && label > float64(p.o.maxLabel) {
		return 0, &OptionError{Option: "MaxLabel",
			Err: fmt.Errorf("label %v: err needs labels up to %v, the highest of its scale", label, p.o.maxLabel)}
	}
	g, err := p.o.gainOf(label)
	if p.needs&needGains == 0 && label >= 0 {
		err = nil // binary metrics need no gain
	}
	return g, err
}

// A MetricResult is one metric over many queries.
type MetricResult struct {
	Metric Metric
	Values []float64 // of each query, NaN where it was skipped
	// of each query in Mean, for pair-accuracy-pooled times its pairs; nil when all weigh alike
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
	return nil, fmt.Errorf("rank: no result of %v: the metrics are %s", m, strings.Join(names, ", "))
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

// EvalAll evaluates many queries, on several threads. The results are the same bits on any number
// of them, and so are means in any order of the queries: their sums are exact, and rounded once.
func (e *Evaluator) EvalAll(ctx context.Context, lists []List) (_ *Results, err error) {
	defer memory.Begin().End(&err)
	var weights []float64 // of the queries, when one has a weight
	for q := range lists {
		w := lists[q].Weight
		if !(w >= 0) || math.IsInf(w, 0) {
			return nil, fmt.Errorf("rank: weight %v of query %d: want a number that is not negative", w, q+1)
		}
		if w > 0 && weights == nil {
			weights = make([]float64, len(lists))
		}
		if weights != nil {
			weights[q] = w
		}
	}
	nm := len(e.metrics)
	values := make([]float64, len(lists)*nm)
	var pairs []float64 // of each query, when a mean asks for them
	if slices.ContainsFunc(e.metrics, func(m Metric) bool { return m.m.pooled }) {
		pairs = make([]float64, len(lists))
	}
	if err := e.evalLists(ctx, lists, values, pairs); err != nil {
		return nil, err
	}
	if pairs != nil && weights != nil {
		for q, w := range weights {
			pairs[q] *= w
		}
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
		if m.Weights = weights; m.Metric.m.pooled {
			m.Weights = pairs
		}
		var mean num.ExactMean
		mean.Add(m.Values, m.Weights, e.plan.o.empty == EmptySkip)
		m.Mean, m.Counted, m.Skipped = mean.Value(), mean.Counted, mean.Skipped
	}
	return res, nil
}

// EvalModel scores the documents of d with a model and evaluates its queries.
func (e *Evaluator) EvalModel(ctx context.Context, m Model, d *Dataset) (*Results, error) {
	scores := make([]float64, d.Rows())
	if err := m.ScoreInto(ctx, scores, d); err != nil {
		return nil, err
	}
	return e.EvalScores(ctx, scores, d)
}

// EvalScores evaluates the queries of d by the given score of each row. Under [TiesByKey], as of
// the preset [TrecEval], documents of equal score stand in descending order of their ids, which d
// must have.
func (e *Evaluator) EvalScores(ctx context.Context, scores []float64, d *Dataset) (_ *Results, err error) {
	defer memory.Begin().End(&err)
	if err := d.validateQueries(); err != nil {
		return nil, err
	}
	lists, err := d.Lists(scores)
	if err != nil {
		return nil, err
	}
	if e.plan.o.ties == TiesByKey {
		if d.DocIDs == nil {
			return nil, fmt.Errorf("rank: %w", &OptionError{Option: "Ties",
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
	threads := parallel.Threads(e.Threads)
	batch := parallel.Batch(len(lists), threads)
	batches := (len(lists) + batch - 1) / batch
	threads = max(1, min(threads, batches))
	for len(e.others) < threads-1 {
		e.others = append(e.others, &Evaluator{metrics: e.metrics, plan: e.plan, plans: e.plans})
	}
	workers := append([]*Evaluator{e}, e.others[:threads-1]...)
	nm := len(e.metrics)
	var failed atomic.Int64 // first query that failed, so that the error does not depend on threads
	failed.Store(math.MaxInt64)
	err := parallel.For(ctx, len(workers), batches, func(worker, b int) {
		e := workers[worker]
		for q := b * batch; q < min((b+1)*batch, len(lists)) && int64(q) < failed.Load(); q++ {
			if _, err := e.Eval(values[q*nm:q*nm:(q+1)*nm], &lists[q]); err != nil {
				for f := failed.Load(); int64(q) < f; f = failed.Load() {
					failed.CompareAndSwap(f, int64(q))
				}
				return
			}
			if pairs != nil {
				pairs[q] = e.r.labelPairs
			}
		}
	})
	if q := failed.Load(); q < math.MaxInt64 {
		_, err = e.Eval(nil, &lists[q])
		if err != nil && lists[q].ID == "" {
			err = errs.Wrap(err, "rank: query %d", q+1)
		}
	}
	return err
}
