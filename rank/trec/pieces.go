package trec

import (
	"cmp"
	"context"
	"errors"
	"hash/maphash"
	"io"
	"iter"
	"slices"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/num"
	"github.com/simdrank/simdrank/internal/parallel"
	"github.com/simdrank/simdrank/rank"
)

// pieceSize is about how much text a piece holds: what is made of it fits the processor's cache.
const pieceSize = 2 << 20

// errScattered is what an error of runPieces wraps when the lines of a topic do not stand together.
var errScattered = errors.New("the lines of the topic do not stand together, and the run is read topic by topic")

// errStopped ends a reading whose consumer wants no more.
var errStopped = errors.New("stopped")

// runPieces reads a run as [ReadRun] does, but some whole topics at a time, of about as much text
// as size, for one that is larger than the memory. A piece is overwritten by the next one. The
// first error ends it; errScattered may be known only after pieces with the topic. Besides a piece,
// 8 bytes per topic and the table of them are kept, of JSON the topics. With a GOMAXPROCS above 1,
// another goroutine reads ahead of the pieces until they end.
func runPieces(r io.Reader, size int, o ...rank.ReadOptions) iter.Seq2[*Run, error] {
	return func(yield func(*Run, error) bool) {
		seen := map[uint64]struct{}{} // hashes of topics
		err := readRuns(r, "", size, o, func(run *Run) error {
			err := unseen(seen, run)
			if err == nil && !yield(run, nil) {
				err = errStopped
			}
			return err
		})
		if err != nil && err != errStopped {
			yield(nil, err)
		}
	}
}

// unseen adds the topics of a run to those of the pieces before, and returns an error when one was
// there.
func unseen(seen map[uint64]struct{}, run *Run) error {
	for i := range run.topics {
		t := &run.topics[i]
		hash := maphash.String(seed, t.id)
		if _, ok := seen[hash]; ok {
			return &rank.ParseError{Line: t.line(0), Text: t.id, Err: errScattered}
		}
		seen[hash] = struct{}{}
	}
	return nil
}

var seed = maphash.MakeSeed()

// ErrUnjudged is the error of [Evaluate] and [EvalPieces] for a run that answers no topic with
// judgments: likely it is of other topics, and if the judgments are Complete would count as 0.
var ErrUnjudged = errs.New("trec", "no topic of the run has judgments")

// ErrUnreferred is the error of [EvalPieces] if the run and the reference both answer no topic that
// is measured: nothing is compared, and of Complete judgments each topic would count as 0, or as 1
// if neither answers it.
var ErrUnreferred = errs.New("trec", "no measured topic is in the run and in the reference")

// EvalPieces measures a run that comes in pieces of whole topics, as [StreamRuns] has them: the
// results are those of [rank.Evaluator.EvalAll] for the lists of the whole run (see [Qrels.Lists]),
// to the bit. A piece may be overwritten by the next one.
//
// With a reference, the ranking of another run, rank's metrics rbo, rbo-min and rbo-residual
// compare the two; without one it is nil. They are read as by [Together], and the reference ranking
// is empty for a topic that the reference does not answer. q may be nil: all topics of the run then
// count, with judgments of no document. [ErrUnjudged] and, of a reference, [ErrUnreferred] are
// errors. Each piece is an operation of its own for Progress of [rank.Options].
func EvalPieces(ctx context.Context, e *rank.Evaluator, q *Qrels, run, reference iter.Seq2[*Run, error]) (
	*rank.Results, error) {
	complete := q != nil && q.Complete
	all := newResults(e)
	answered, referred := false, reference == nil
	add := func(lists []rank.List, run, other *Run) error {
		for _, l := range lists {
			here := len(l.Labels) > 0
			answered = answered || here
			referred = referred || here && other.answers(l.ID)
		}
		if reference != nil {
			setReference(lists, run, other)
		}
		return all.add(ctx, lists)
	}
	together := alone(run)
	if reference != nil {
		together = Together(run, reference)
	}
	lists := newLister(parallel.Threads(0), true)
	for pieces, err := range together {
		if err != nil {
			return nil, err
		}
		r, other := pieces[0], pieces[len(pieces)-1]
		var of []rank.List
		if q == nil {
			of = r.lists()
		} else {
			topics := r
			if complete && len(r.topics) == 0 {
				topics = other // what the reference has that the run lacks comes behind the run's topics
			}
			of = lists.lists(q, r, q.joined(topics, false))
		}
		if err := add(of, r, other); err != nil {
			return nil, err
		}
	}
	switch {
	case !answered:
		return nil, ErrUnjudged
	case !referred:
		return nil, ErrUnreferred
	}
	if complete {
		if err := add(lists.lists(q, &Run{}, all.missed(q)), &Run{}, &Run{}); err != nil {
			return nil, err
		}
	}
	return all.sorted(), nil
}

// alone yields the pieces of a single run as [Together] does.
func alone(run iter.Seq2[*Run, error]) iter.Seq2[[]*Run, error] {
	return func(yield func([]*Run, error) bool) {
		for r, err := range run {
			if !yield([]*Run{r}, err) {
				return
			}
		}
	}
}

// results puts those of pieces together.
type results struct {
	e   *rank.Evaluator
	all *rank.Results
}

func newResults(e *rank.Evaluator) *results {
	r := &results{e, &rank.Results{}}
	for _, m := range e.Metrics() {
		r.all.Metrics = append(r.all.Metrics, rank.MetricResult{Metric: m})
	}
	return r
}

// add measures lists.
func (r *results) add(ctx context.Context, lists []rank.List) error {
	more, err := r.e.EvalAll(ctx, lists)
	if err != nil {
		return err
	}
	r.all.QueryIDs = append(r.all.QueryIDs, more.QueryIDs...)
	for i, m := range more.Metrics {
		to := &r.all.Metrics[i]
		to.Values = append(to.Values, m.Values...)
		to.Weights = append(to.Weights, m.Weights...)
		to.Skipped += m.Skipped
	}
	return nil
}

// missed returns the topics that have judgments and no results, ascending.
func (r *results) missed(q *Qrels) []string {
	answered := make(map[string]bool, len(r.all.QueryIDs))
	for _, id := range r.all.QueryIDs {
		answered[id] = true
	}
	missed := slices.DeleteFunc(q.Topics(), func(id string) bool { return answered[id] })
	slices.Sort(missed)
	return missed
}

// sorted returns the results by topic, with their means.
func (r *results) sorted() *rank.Results {
	all := r.all
	order := make([]int, len(all.QueryIDs))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(all.QueryIDs[a], all.QueryIDs[b]) })
	all.QueryIDs = ordered(all.QueryIDs, order)
	for i := range all.Metrics {
		m := &all.Metrics[i]
		m.Values, m.Weights = ordered(m.Values, order), ordered(m.Weights, order)
		var mean num.ExactMean
		mean.Add(m.Values, m.Weights, m.Skipped > 0) // a policy skips all NaN or none
		m.Mean, m.Counted = mean.Value(), mean.Counted
	}
	return all
}

// ordered returns values in an order; nil for nil.
func ordered[T any](values []T, order []int) []T {
	if values == nil {
		return nil
	}
	out := make([]T, len(values))
	for i, from := range order {
		out[i] = values[from]
	}
	return out
}
