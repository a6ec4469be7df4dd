package trec

import (
	"context"
	"math"
	"slices"

	"github.com/simdrank/simdrank/internal/parallel"
)

// Judge joins a run with judgments: it calls do for each topic that both have, or with complete for
// each topic with judgments, numbered from 0 by ascending identifier, byte by byte. Up to threads
// goroutines do so at once for different topics (0 or less means GOMAXPROCS); worker, from 0, tells
// them apart. ranked has the relevance of the retrieved documents, 0 or more, −1 where the
// judgments do not name the document and −2 where they give it a negative relevance; it is empty
// if the run lacks the topic. missed has the relevance that the judgments give to documents that
// the run lacks. Both are overwritten by the worker's next call. Documents stand in trec_eval's
// order: by descending score, equal ones by descending identifier. With single, scores that are
// equal as float32 count as equal, as in trec_eval 9. It returns the context's error.
func (q *Qrels) Judge(ctx context.Context, r *Run, complete, single bool, threads int,
	do func(worker, topic int, id string, ranked, missed []int)) error {
	threads = parallel.Threads(threads)
	judges := make([]judge, threads)
	for i := range judges {
		judges[i].order.rounded = single
	}
	ids := q.joined(r, complete)
	return parallel.For(ctx, threads, len(ids), func(worker, i int) {
		j := &judges[worker]
		index := &q.indices[q.byID[ids[i]]]
		j.join(index, r)
		do(worker, i, index.topic.id, j.ranked, j.missed)
	})
}

// A judge joins topics, one at a time.
type judge struct {
	ranked, missed []int // see Judge
	order          runOrder
	retrieved      []bool
}

func (j *judge) join(x *docIndex, r *Run) {
	judged := x.topic.documents
	j.ranked, j.missed = j.ranked[:0], j.missed[:0]
	j.retrieved = append(j.retrieved[:0], make([]bool, len(judged))...)
	if at, ok := r.byID[x.topic.id]; ok {
		t := &r.topics[at]
		keys := j.order.of(t)
		j.ranked = slices.Grow(j.ranked, t.docs())[:t.docs()]
		for rank := range j.ranked {
			doc := &t.documents[ranked(keys, rank)]
			relevance := -1
			if d := x.find(doc.hash, t.text, int(doc.at)); d >= 0 {
				j.retrieved[d] = true
				if relevance = integer(judged[d].value); relevance < 0 {
					relevance = -2
				}
			}
			j.ranked[rank] = relevance
		}
	}
	for d, seen := range j.retrieved {
		if !seen {
			j.missed = append(j.missed, integer(judged[d].value))
		}
	}
}

// integer returns a label as an integer. As a float64, the highest ones are rounded to 2⁶³, which
// int64 lacks.
func integer(label float64) int { return int(min(label, math.Nextafter(1<<63, 0))) }
