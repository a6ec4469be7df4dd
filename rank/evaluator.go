package rank

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/simdrank/simdrank/kernels"
)

// A List is one query to evaluate: documents with their labels and scores, in any order.
type List struct {
	ID     string    // names the query in results and errors; may be empty
	Labels []float64 // relevance label of each document
	Scores []float64 // score of each document: the highest is at rank 1

	// Unretrieved holds the labels of judged documents that the list lacks. They count as
	// relevant documents that were missed and in the ideal ranking; nil when there are none.
	Unretrieved []float64
	// TieKeys orders documents of equal score under [TiesByKey]: higher keys first.
	TieKeys []int64
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
		if q < len(d.QueryIDs) {
			lists[q].ID = d.QueryIDs[q]
		}
	}
	return lists, nil
}

// An Evaluator computes metrics of queries under one set of options, all of them
// from one sort of a query. After it has seen the largest query it allocates nothing. It is for one goroutine
// at a time; [Evaluator.EvalAll] uses as many as Threads says.
type Evaluator struct {
	// Threads is the number of goroutines of EvalAll; 0 means GOMAXPROCS. Results do not
	// depend on it.
	Threads int
	// Weights are the weights of EvalAll's queries in the means; nil weighs them alike.
	Weights []float64

	metrics []Metric
	o       policy
	needs   need
	depth   int // ranks that the metrics look at; 0 for all
	r       ranking
}

// NewEvaluator returns an evaluator of the metrics. Cutoffs are part of the metrics: the option [At] is an error.
func NewEvaluator(metrics []Metric, opts ...Option) (*Evaluator, error) {
	o, err := newPolicy(opts)
	if err != nil {
		return nil, err
	}
	if o.k != 0 {
		return nil, fmt.Errorf("rank: option At(%d): name the cutoff in the metric, as in ndcg@%d", o.k, o.k)
	}
	return newEvaluator(slices.Clone(metrics), o)
}

func newEvaluator(metrics []Metric, o policy) (*Evaluator, error) {
	e := &Evaluator{metrics: metrics, o: o}
	if len(metrics) == 0 {
		return nil, fmt.Errorf("rank: no metrics to evaluate")
	}
	all := false
	for _, m := range metrics {
		if m.m == nil {
			return nil, fmt.Errorf("rank: metric without a name: ParseMetric makes one")
		}
		if m.k == 0 && m.m.k == cutoffRequired {
			return nil, fmt.Errorf("rank: %s needs a cutoff, as in %s@10", m.m.name, m.m.name)
		}
		e.needs |= m.m.needs
		all = all || m.k == 0
		e.depth = max(e.depth, m.k)
	}
	if all || e.needs&needAll != 0 {
		e.depth = 0
	}
	return e, nil
}

// Metrics returns the metrics in the order of the values.
func (e *Evaluator) Metrics() []Metric { return slices.Clone(e.metrics) }

// Eval appends the value of each metric on one query to dst. A value is NaN when the query is
// skipped ([EmptySkip]). Errors name the document by its place in the list.
func (e *Evaluator) Eval(dst []float64, l *List) ([]float64, error) {
	e.r.o = &e.o
	if err := e.r.set(l, e.needs, e.depth); err != nil {
		if l.ID != "" {
			return dst, fmt.Errorf("rank: query %s: %w", l.ID, err)
		}
		return dst, fmt.Errorf("rank: %w", err)
	}
	for _, m := range e.metrics {
		v := math.NaN()
		if e.r.defined(m.m.needs) {
			v = m.m.value(&e.r, m)
		}
		if math.IsNaN(v) {
			switch e.o.empty {
			case EmptyZero:
				v = 0
			case EmptyOne:
				v = 1
			}
		}
		dst = append(dst, v)
	}
	return dst, nil
}

// A MetricResult is one metric over many queries.
type MetricResult struct {
	Metric  Metric
	Values  []float64 // of each query, NaN where it was skipped
	Mean    float64   // over the counted queries, for pair-accuracy over their pairs; NaN when there are none
	Counted int
	Skipped int
}

// Results are the metrics of many queries.
type Results struct {
	QueryIDs []string
	Metrics  []MetricResult
}

// Metric returns the result of the metric of that name, nil when there is none.
func (r *Results) Metric(name string) *MetricResult {
	m, err := ParseMetric(name)
	if err != nil {
		return nil
	}
	for i := range r.Metrics {
		if r.Metrics[i].Metric == m {
			return &r.Metrics[i]
		}
	}
	return nil
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

// EvalAll evaluates many queries, on several threads. The results are the same bits on any number of
// them: means are sums in the order of the queries.
func (e *Evaluator) EvalAll(ctx context.Context, lists []List) (*Results, error) {
	if e.Weights != nil && len(e.Weights) != len(lists) {
		return nil, fmt.Errorf("rank: %d weights for %d queries", len(e.Weights), len(lists))
	}
	for q, w := range e.Weights {
		if !(w >= 0) || math.IsInf(w, 0) {
			return nil, fmt.Errorf("rank: weight %v of query %d: want a number that is not negative", w, q+1)
		}
	}
	nm := len(e.metrics)
	values := make([]float64, len(lists)*nm)
	var pairs []float64 // of each query, when a mean asks for them
	if slices.ContainsFunc(e.metrics, func(m Metric) bool { return m.m.perPair }) {
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
		sum, weight := 0.0, 0.0
		for q := range lists {
			v := values[q*nm+i]
			m.Values[q] = v
			if math.IsNaN(v) && e.o.empty == EmptySkip {
				m.Skipped++
				continue
			}
			m.Counted++
			w := 1.0
			if e.Weights != nil {
				w = e.Weights[q]
			}
			if m.Metric.m.perPair {
				w *= pairs[q]
			}
			sum += float64(w * v)
			weight += w
		}
		m.Mean = sum / weight
	}
	return res, nil
}

// evalLists fills values, a row of metrics for each list, and pairs, the number of pairs with
// different labels that pair-accuracy has found in each, unless it is nil.
func (e *Evaluator) evalLists(ctx context.Context, lists []List, values, pairs []float64) error {
	const batch = 16 // queries that a worker takes at a time
	threads := e.Threads
	if threads <= 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	threads = max(1, min(threads, (len(lists)+batch-1)/batch))

	nm := len(e.metrics)
	var next atomic.Int64
	var failed atomic.Int64 // first query that failed, so that the error does not depend on threads
	failed.Store(math.MaxInt64)
	errs := make([]error, threads)
	work := func(e *Evaluator, t int) {
		for ctx.Err() == nil {
			lo := int(next.Add(1)-1) * batch
			if lo >= len(lists) || int64(lo) > failed.Load() {
				return
			}
			for q := lo; q < min(lo+batch, len(lists)); q++ {
				if _, err := e.Eval(values[q*nm:q*nm:(q+1)*nm], &lists[q]); err != nil {
					if lists[q].ID == "" {
						err = fmt.Errorf("rank: query %d: %w", q+1, err)
					}
					for f := failed.Load(); int64(q) < f; f = failed.Load() {
						if failed.CompareAndSwap(f, int64(q)) {
							errs[t] = err
						}
					}
					return
				}
				if pairs != nil {
					pairs[q] = e.r.labelPairs
				}
			}
		}
	}
	var wg sync.WaitGroup
	for t := 1; t < threads; t++ {
		wg.Go(func() { work(&Evaluator{metrics: e.metrics, o: e.o, needs: e.needs, depth: e.depth}, t) })
	}
	work(e, 0)
	wg.Wait()
	if q := failed.Load(); q < math.MaxInt64 {
		// A worker's error stands at the query that it failed at; of several the first query counts.
		_, err := e.Eval(nil, &lists[q])
		if err != nil && lists[q].ID == "" {
			err = fmt.Errorf("rank: query %d: %w", q+1, err)
		}
		return err
	}
	return ctx.Err()
}

// A ranking is one query in the order of its scores, as the measures see it. Slices are in rank
// order, and hold the first depth ranks and those tied with the last of them.
type ranking struct {
	o *policy

	n           int     // documents of the list
	relevant    int     // relevant documents, those that were not retrieved included
	nonrelevant int     // judged documents that are not relevant, likewise
	labelPairs  float64 // pairs with different labels, once pairAccuracy has counted them
	labels      []float64
	ends        []int32   // where the tied documents of each rank end; empty when every document stands alone
	gains       []float64 // mean gain of the tied documents
	chances     []float64 // share of relevant documents among the tied ones
	ideal       []float64 // gains in ideal order
	discounts   []float64 // of the policy, at least as many as ranks
	idealZero   bool
	labelsEqual bool

	scores []float64 // in rank order
	order  []int32   // the list's index of each rank
	list   List      // what is ranked
	kept   List      // scratch: the list without unjudged documents
	pass   []float64 // scratch of cascade
	x, y   []float64 // labels and scores, for the measures of pairs
	u, v   []float64 // scratch: their ranks
	tau    weightedTau
}

// set ranks a list.
func (r *ranking) set(l *List, needs need, depth int) error {
	if err := r.check(l); err != nil {
		return err
	}
	r.labelPairs = 0
	r.list = *l
	if r.o.judging[JudgedOnly] {
		r.condense()
	}
	r.n = len(r.list.Labels)
	if r.n > math.MaxInt32 {
		return fmt.Errorf("%d documents: more than %d", r.n, math.MaxInt32)
	}
	r.sort()
	r.labels, r.scores = r.labels[:0], r.scores[:0]
	for _, i := range r.order {
		r.labels = append(r.labels, r.list.Labels[i])
		r.scores = append(r.scores, r.list.Scores[i])
	}
	r.group()
	if needs&(needGains|needBinary) != 0 {
		if err := r.judge(needs); err != nil {
			return err
		}
	}
	if needs&needPairs != 0 {
		r.labelsEqual = !r.pairs()
	}
	return nil
}

func (r *ranking) check(l *List) error {
	if len(l.Labels) != len(l.Scores) {
		return fmt.Errorf("%d labels for %d scores", len(l.Labels), len(l.Scores))
	}
	if r.o.ties == TiesByKey && len(l.TieKeys) != len(l.Scores) {
		return fmt.Errorf("%d tie keys for %d scores", len(l.TieKeys), len(l.Scores))
	}
	for i, v := range l.Labels {
		if math.IsNaN(v) {
			return fmt.Errorf("document %d: the label is NaN", i+1)
		}
	}
	if r.o.nans == NaNError {
		for i, v := range l.Scores {
			if math.IsNaN(v) {
				return fmt.Errorf("document %d: the score is NaN (the option NaNLast ranks it last)", i+1)
			}
		}
	}
	for i, v := range l.Unretrieved {
		if math.IsNaN(v) {
			return fmt.Errorf("document %d of those not retrieved: the label is NaN", i+1)
		}
	}
	return nil
}

// condense leaves unjudged documents out.
func (r *ranking) condense() {
	k := &r.kept
	k.Labels, k.Scores, k.TieKeys = k.Labels[:0], k.Scores[:0], k.TieKeys[:0]
	for i, l := range r.list.Labels {
		if r.o.unjudged(l) {
			continue
		}
		k.Labels = append(k.Labels, l)
		k.Scores = append(k.Scores, r.list.Scores[i])
		if r.list.TieKeys != nil {
			k.TieKeys = append(k.TieKeys, r.list.TieKeys[i])
		}
	}
	r.list.Labels, r.list.Scores, r.list.TieKeys = k.Labels, k.Scores, k.TieKeys
}

// sort fills order: by descending score, NaN last, then as the policy says.
func (r *ranking) sort() {
	r.order = r.order[:0]
	for i := range r.n {
		r.order = append(r.order, int32(i))
	}
	l := &r.list
	slices.SortFunc(r.order, func(a, b int32) int {
		if c := cmp.Compare(l.Scores[b], l.Scores[a]); c != 0 {
			return c
		}
		c := 0
		switch r.o.ties {
		case TiesPessimistic:
			c = cmp.Compare(l.Labels[a], l.Labels[b])
		case TiesOptimistic:
			c = cmp.Compare(l.Labels[b], l.Labels[a])
		case TiesByKey:
			c = cmp.Compare(l.TieKeys[b], l.TieKeys[a])
		}
		if c == 0 {
			c = cmp.Compare(a, b)
		}
		return c
	})
}

// tied tells whether two scores are: NaNs are tied with each other.
func tied(a, b float64) bool { return a == b || a != a && b != b }

// group finds the tied documents, when the policy averages over them.
func (r *ranking) group() {
	r.ends = r.ends[:0]
	n := len(r.scores)
	if r.o.ties != TiesAverage {
		return
	}
	ties := false
	for i := 1; i < n && !ties; i++ {
		ties = tied(r.scores[i-1], r.scores[i])
	}
	if !ties {
		return
	}
	for lo := 0; lo < n; {
		hi := lo + 1
		for hi < n && tied(r.scores[lo], r.scores[hi]) {
			hi++
		}
		for ; lo < hi; lo++ {
			r.ends = append(r.ends, int32(hi))
		}
	}
}

// end returns the end of the group of tied ranks that begins at lo.
func (r *ranking) end(lo int) int {
	if len(r.ends) == 0 {
		return lo + 1
	}
	return int(r.ends[lo])
}

// judge fills what depends on gains and relevance.
func (r *ranking) judge(needs need) error {
	unretrieved := r.list.Unretrieved
	if r.o.judging[RetrievedOnly] {
		unretrieved = nil
	}
	r.relevant, r.nonrelevant = 0, 0
	r.gains, r.ideal, r.chances = r.gains[:0], r.ideal[:0], r.chances[:0]
	for i, l := range r.list.Labels {
		if err := r.count(l, needs); err != nil {
			return fmt.Errorf("document %d: %w", i+1, err)
		}
	}
	for i, l := range unretrieved {
		if err := r.count(l, needs); err != nil {
			return fmt.Errorf("document %d of those not retrieved: %w", i+1, err)
		}
	}
	if needs&needGains != 0 {
		slices.SortFunc(r.ideal, func(a, b float64) int { return cmp.Compare(b, a) })
		r.idealZero = len(r.ideal) == 0 || r.ideal[0] == 0
		if n := max(r.n, len(r.ideal)); len(r.discounts) < n {
			r.discounts = discounts(r.o.discount, n)
		}
		for _, l := range r.labels {
			g, _ := r.o.gainOf(l) // count has seen that there is one
			r.gains = append(r.gains, g)
		}
		r.average(r.gains)
	}
	if needs&needBinary != 0 {
		for _, l := range r.labels {
			c := 0.0
			if r.o.isRelevant(l) {
				c = 1
			}
			r.chances = append(r.chances, c)
		}
		r.average(r.chances)
	}
	return nil
}

// count enters a label into the ideal ranking and the numbers of relevant and other documents.
func (r *ranking) count(label float64, needs need) error {
	g, err := r.o.gainOf(label)
	if err != nil {
		if needs&needGains == 0 && label >= 0 {
			err = nil // binary metrics need no gain
		} else {
			return err
		}
	}
	switch {
	case r.o.unjudged(label):
		return nil
	case r.o.isRelevant(label):
		r.relevant++
	default:
		r.nonrelevant++
	}
	r.ideal = append(r.ideal, g)
	return nil
}

// average replaces values by the means of tied documents.
func (r *ranking) average(v []float64) {
	for lo := 0; lo < len(r.ends); {
		hi := r.end(lo)
		sum := 0.0
		for _, x := range v[lo:hi] {
			sum += x
		}
		for mean := sum / float64(hi-lo); lo < hi; lo++ {
			v[lo] = mean
		}
	}
}

// defined tells whether the query leaves measures of these needs with a value.
func (r *ranking) defined(needs need) bool {
	switch {
	case needs&needGains != 0 && r.idealZero, needs&needBinary != 0 && r.relevant == 0:
		return false
	case needs&needPairs != 0 && r.labelsEqual:
		return false
	}
	return true
}

// short tells whether the policy gives a list of this length 0 at cutoff k.
func (r *ranking) short(k int) bool { return r.o.shortZero && r.n < k }

// weigh sums the first k gains times discounts.
func (r *ranking) weigh(gains, discounts []float64, k int) float64 {
	return kernels.DotF64(gains[:k], discounts[:k])
}

// relevantIn counts relevant documents at ranks lo to hi-1.
func (r *ranking) relevantIn(lo, hi int) int {
	n := 0
	for _, l := range r.labels[lo:hi] {
		if r.o.isRelevant(l) {
			n++
		}
	}
	return n
}

// hits returns the expected number of relevant documents among the first k.
func (r *ranking) hits(k int) float64 {
	sum := 0.0
	for _, c := range r.chances[:k] {
		sum += c
	}
	return sum
}
