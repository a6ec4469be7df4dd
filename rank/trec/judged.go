package trec

import (
	"context"
	"math"

	"github.com/simdrank/simdrank/internal/parallel"
	"github.com/simdrank/simdrank/rank"
)

// Judge joins a run with judgments, for measures that [rank.Evaluator] does not support. It calls
// do for each topic with judgments, except for unanswered topics if SkipUnanswered is set. Topics
// are numbered from 0 by ascending ID, byte by byte. Up to threads goroutines process different
// topics concurrently; if threads is 0 or negative, GOMAXPROCS goroutines are used. The argument
// worker is the goroutine's number, counted from 0. Judge returns the context's error.
//
// The list is like a list of [Qrels.Lists], with these differences:
//
//   - A document without a judgment has the label NaN.
//   - Documents are sorted by descending score, and there are no TieKeys. With the preset
//     trec_eval9, scores that are equal as float32 are ties.
//   - Place also accepts positions in Subtopics, which are numbered after Unretrieved. For these,
//     its result contains the document ID.
//
// Each goroutine reuses its list for the next topic, so do must not keep l.
func (q *Qrels) Judge(ctx context.Context, r *Run, preset string, threads int,
	do func(worker, topic int, l *rank.List)) error {
	threads = parallel.Threads(threads)
	m := newLister(threads, preset == "trec_eval9")
	lists, values := make([]rank.List, threads), make([][]float64, threads)
	ids := q.joined(r, !q.SkipUnanswered)
	return parallel.For(ctx, threads, len(ids), func(worker, i int) {
		judged, retrieved := q.sizes(r, ids[i])
		if n := judged + 2*retrieved; n > len(values[worker]) {
			values[worker] = make([]float64, n+n/4)
		}
		l := &lists[worker]
		m.list(l, worker, q, r, ids[i], math.NaN(), values[worker])
		do(worker, i, l)
	})
}

// integer converts a label to an integer. The largest int64 labels become 2⁶³ in float64, which
// int64 cannot represent, so integer limits the label.
func integer(label float64) int { return int(min(label, math.Nextafter(1<<63, 0))) }
