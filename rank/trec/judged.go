package trec

import (
	"context"
	"math"

	"github.com/simdrank/simdrank/internal/parallel"
	"github.com/simdrank/simdrank/rank"
)

// Judge joins a run with judgments for measures that are not those of [rank.Evaluator]: it calls do
// for each topic that both have, or with complete for each topic with judgments, numbered from 0 by
// ascending identifier, byte by byte. Up to threads goroutines do so at once for different topics
// (0 or less means GOMAXPROCS); worker, from 0, tells them apart. It returns the context's error.
//
// The list is as of [Qrels.Lists], with these differences. The label of a document that the
// judgments do not name is NaN. Documents stand by descending score, and with single those whose
// scores are equal as float32 count as equal, as in trec_eval 9; without TieKeys. Place counts on
// through Subtopics, and then names the document. The next call of the worker overwrites the list.
func (q *Qrels) Judge(ctx context.Context, r *Run, complete, single bool, threads int,
	do func(worker, topic int, l *rank.List)) error {
	threads = parallel.Threads(threads)
	m := newLister(threads, single)
	lists, values := make([]rank.List, threads), make([][]float64, threads)
	ids := q.joined(r, complete)
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

// integer returns a label as an integer. As a float64, the highest ones are rounded to 2⁶³, which
// int64 lacks.
func integer(label float64) int { return int(min(label, math.Nextafter(1<<63, 0))) }
