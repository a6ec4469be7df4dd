package trec

import (
	"cmp"
	"context"
	"errors"
	"hash/maphash"
	"io"
	"iter"
	"os"
	"slices"

	"github.com/simdrank/simdrank/internal/exact"
	"github.com/simdrank/simdrank/rank"
)

// pieceSize is about how much text a piece holds: what is made of it fits the processor's cache.
const pieceSize = 2 << 20

// ErrScattered is what an error of [RunPieces] wraps when the lines of a topic do not stand
// together. [ReadRun] reads such a run.
var ErrScattered = errors.New("the lines of the topic do not stand together, and the run is read topic by topic")

// RunPieces reads a run as [ReadRun] does, but some whole topics at a time, for one that is larger
// than the memory. A piece is overwritten by the next one. The first error ends it; [ErrScattered]
// is one when the lines of a topic do not stand together, which may be known only after pieces with
// the topic. Besides a piece, 8 bytes per topic and the table of them are kept. JSON is one piece.
// With a GOMAXPROCS above 1, another goroutine reads ahead of the pieces until they end.
func RunPieces(r io.Reader) iter.Seq2[*Run, error] { return runPieces(r, "", pieceSize) }

// LoadRunPieces reads a file as [RunPieces] does.
func LoadRunPieces(path string) iter.Seq2[*Run, error] {
	return func(yield func(*Run, error) bool) {
		f, err := os.Open(path)
		if err != nil {
			yield(nil, err)
			return
		}
		defer f.Close()
		runPieces(f, path, pieceSize)(yield)
	}
}

func runPieces(r io.Reader, file string, size int) iter.Seq2[*Run, error] {
	return func(yield func(*Run, error) bool) {
		stopped := errors.New("stopped")
		seen := map[uint64]struct{}{} // hashes of topics
		err := readRuns(r, file, size, func(run *Run) error {
			err := unseen(seen, run, file)
			if err == nil && !yield(run, nil) {
				err = stopped
			}
			return err
		})
		if err != nil && err != stopped {
			yield(nil, err)
		}
	}
}

// unseen adds the topics of a run to those of the pieces before, and returns an error when one was
// there.
func unseen(seen map[uint64]struct{}, run *Run, file string) error {
	for i := range run.topics {
		t := &run.topics[i]
		hash := maphash.String(seed, t.id)
		if _, ok := seen[hash]; ok {
			return &rank.ParseError{File: file, Line: t.line(0), Text: t.id, Err: ErrScattered}
		}
		seen[hash] = struct{}{}
	}
	return nil
}

var seed = maphash.MakeSeed()

// EvalPieces measures a run that comes in pieces of whole topics, as [RunPieces] yields them: the
// results are those of [rank.Evaluator.EvalAll] for the lists of the whole run (see [Qrels.Lists]),
// to the bit. A piece may be overwritten by the next one.
func (q *Qrels) EvalPieces(ctx context.Context, e *rank.Evaluator, pieces iter.Seq2[*Run, error],
	complete bool) (*rank.Results, error) {
	all := &rank.Results{}
	for _, m := range e.Metrics() {
		all.Metrics = append(all.Metrics, rank.MetricResult{Metric: m})
	}
	add := func(lists []rank.List) error {
		r, err := e.EvalAll(ctx, lists)
		if err != nil {
			return err
		}
		all.QueryIDs = append(all.QueryIDs, r.QueryIDs...)
		for i, m := range r.Metrics {
			to := &all.Metrics[i]
			to.Values = append(to.Values, m.Values...)
			to.Weights = append(to.Weights, m.Weights...)
			to.Skipped += m.Skipped
		}
		return nil
	}
	var lists lister
	for r, err := range pieces {
		if err == nil {
			err = add(lists.lists(q, r, q.joined(r, false)))
		}
		if err != nil {
			return nil, err
		}
	}
	if complete {
		answered := make(map[string]bool, len(all.QueryIDs))
		for _, id := range all.QueryIDs {
			answered[id] = true
		}
		missed := slices.DeleteFunc(q.Topics(), func(id string) bool { return answered[id] })
		slices.Sort(missed)
		if err := add(lists.lists(q, &Run{}, missed)); err != nil {
			return nil, err
		}
	}
	order := make([]int, len(all.QueryIDs))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(all.QueryIDs[a], all.QueryIDs[b]) })
	all.QueryIDs = ordered(all.QueryIDs, order)
	for i := range all.Metrics {
		m := &all.Metrics[i]
		m.Values, m.Weights = ordered(m.Values, order), ordered(m.Weights, order)
		var mean exact.Mean
		mean.Add(m.Values, m.Weights, m.Skipped > 0) // a policy skips all NaN or none
		m.Mean, m.Counted = mean.Value(), mean.Counted
	}
	return all, nil
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
