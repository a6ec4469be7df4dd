package trec

import (
	"context"
	"iter"
	"math"
	"slices"

	"github.com/simdrank/simdrank/internal/parallel"
)

// Relevance of retrieved documents that nobody judged, in a [Judged].
const (
	NotPooled = -1 // the judgments do not name the document
	NotJudged = -2 // they give it a negative relevance
)

// A Judged is a run's answer to a topic in the light of the judgments.
type Judged struct {
	Topic    string
	Answered bool  // the run has the topic
	Ranked   []int // relevance of the retrieved documents, the best first: 0 or more, NotPooled or NotJudged
	Missed   []int // relevance that the judgments give to documents that the run lacks
}

// Judge joins a run with judgments: it calls do for each topic that both have, or with complete for
// each topic with judgments, numbered from 0 by ascending identifier, byte by byte. Up to threads
// goroutines do so at once for different topics (0 or less means GOMAXPROCS); worker, from 0, tells
// them apart. What is judged is overwritten by the worker's next call. Documents stand in
// trec_eval's order: by descending score, equal ones by descending identifier. With single, scores
// that are equal as float32 count as equal, as in trec_eval 9. It returns the context's error.
func (q *Qrels) Judge(ctx context.Context, r *Run, complete, single bool, threads int,
	do func(worker, topic int, judged *Judged)) error {
	threads = parallel.Threads(threads)
	judges := make([]judge, threads)
	for i := range judges {
		judges[i].order.rounded = single
	}
	ids := q.joined(r, complete)
	return parallel.For(ctx, threads, len(ids), func(worker, i int) {
		j := &judges[worker]
		j.join(&q.indices[q.byID[ids[i]]], r)
		do(worker, i, &j.judged)
	})
}

// A judge joins topics, one at a time.
type judge struct {
	judged    Judged
	order     runOrder
	retrieved []bool
}

func (g *judge) join(x *docIndex, r *Run) {
	j, judged := &g.judged, x.topic.documents
	*j = Judged{Topic: x.topic.id, Ranked: j.Ranked[:0], Missed: j.Missed[:0]}
	g.retrieved = append(g.retrieved[:0], make([]bool, len(judged))...)
	if at, ok := r.byID[j.Topic]; ok {
		j.Answered = true
		t := &r.topics[at]
		keys := g.order.of(t)
		j.Ranked = slices.Grow(j.Ranked, t.docs())[:t.docs()]
		for rank := range j.Ranked {
			doc := &t.documents[ranked(keys, rank)]
			relevance := NotPooled
			if d := x.find(doc.hash, t.text, int(doc.at)); d >= 0 {
				g.retrieved[d] = true
				if relevance = integer(judged[d].value); relevance < 0 {
					relevance = NotJudged
				}
			}
			j.Ranked[rank] = relevance
		}
	}
	for d, seen := range g.retrieved {
		if !seen {
			j.Missed = append(j.Missed, integer(judged[d].value))
		}
	}
}

// integer returns a label as an integer. As a float64, the highest ones are rounded to 2⁶³, which
// int64 lacks.
func integer(label float64) int { return int(min(label, math.Nextafter(1<<63, 0))) }

// Documents returns the documents that the run retrieved for a topic with their scores, in the
// order of the file.
func (r *Run) Documents(topic string) iter.Seq2[string, float64] {
	return func(yield func(string, float64) bool) {
		i, ok := r.byID[topic]
		if !ok {
			return
		}
		t := &r.topics[i]
		for d := range t.docs() {
			if !yield(string(t.doc(d)), t.documents[d].value) {
				return
			}
		}
	}
}
