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

// pieceSize is the approximate size of a piece in bytes of text. A parsed piece must fit in the
// processor's cache.
const pieceSize = 2 << 20

// errScattered means that the lines of a topic are not adjacent. Errors of runPieces wrap it.
var errScattered = errors.New("the topic is not contiguous: streaming requires all lines of a topic to be adjacent")

// errStopped ends reading after the consumer has stopped the iteration.
var errStopped = errors.New("stopped")

// runPieces reads a run like [ReadRun], but yields pieces that consist of whole topics. A piece
// comes from about size bytes of text, and the next piece overwrites it. The first error ends the
// sequence. If a topic is scattered, runPieces may notice it only after it has yielded pieces with
// the topic. In addition to the current piece, it keeps an 8-byte hash per topic, and for JSON also
// the topic IDs. If GOMAXPROCS is greater than 1, another goroutine reads ahead until the sequence
// ends. d is as for readRuns.
func runPieces(r io.Reader, size int, o []rank.ReadOptions, d *Duplicates) iter.Seq2[*Run, error] {
	return func(yield func(*Run, error) bool) {
		seen := map[uint64]struct{}{} // hashes of the topics so far
		err := readRuns(r, "", size, o, d, func(run *Run) error {
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

// unseen adds the topics of a run to seen. It returns an error if seen already contains one of
// them.
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

// ErrUnjudged is the error of [Evaluate] and [EvalPieces] if the run answers no topic with
// judgments. Usually such a run belongs to other topics: all its results would be 0.
var ErrUnjudged = errs.New("trec", "no topic of the run has judgments")

// ErrUnreferred is the error of [EvalPieces] if neither the run nor the reference answers a topic
// that is evaluated. Then nothing is compared: each topic would have the value 0, or 1 if neither
// run answers it.
var ErrUnreferred = errs.New("trec", "the run and the reference have no evaluated topic in common")

// EvalPieces evaluates a run that is streamed in pieces of whole topics, for example by
// [StreamRuns]. The results are bit-identical to [rank.Evaluator.EvalAll] on the lists of the whole
// run; see [Qrels.Lists]. The next piece may overwrite the previous one.
//
// The metrics rbo, rbo-min and rbo-residual of package rank compare the run with reference, which
// may be nil. EvalPieces reads both runs as [Together] does. The reference ranking is empty for a
// topic that the reference does not answer. If q is nil, all topics of the run are evaluated,
// without judgments. EvalPieces may return [ErrUnjudged] and, with a reference, [ErrUnreferred].
// Progress of [rank.Options] reports each piece as a separate operation.
func EvalPieces(ctx context.Context, e *rank.Evaluator, q *Qrels, run, reference iter.Seq2[*Run, error]) (
	*rank.Results, error) {
	complete := q != nil && !q.SkipUnanswered
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
				topics = other // list the topics that only the reference contains
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

// alone yields the pieces of a single run in the same form as [Together].
func alone(run iter.Seq2[*Run, error]) iter.Seq2[[]*Run, error] {
	return func(yield func([]*Run, error) bool) {
		for r, err := range run {
			if !yield([]*Run{r}, err) {
				return
			}
		}
	}
}

// results collects the results of all pieces.
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

// add evaluates the lists of a piece and collects the results.
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

// missed returns the topics that have judgments but no results, in ascending order.
func (r *results) missed(q *Qrels) []string {
	answered := make(map[string]bool, len(r.all.QueryIDs))
	for _, id := range r.all.QueryIDs {
		answered[id] = true
	}
	missed := slices.DeleteFunc(q.Topics(), func(id string) bool { return answered[id] })
	slices.Sort(missed)
	return missed
}

// sorted sorts the results by topic and computes their means.
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
		mean.Add(m.Values, m.Weights, m.Skipped > 0) // the options skip either all NaN values or none
		m.Mean, m.Counted = mean.Value(), mean.Counted
	}
	return all
}

// ordered returns the values in the given order, or nil if values is nil.
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
