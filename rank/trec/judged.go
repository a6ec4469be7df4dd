package trec

import (
	"context"
	"iter"
	"maps"
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

// Judge returns a [Judged] for each topic with judgments, by ascending identifier, byte by byte. A
// later one overwrites it. Documents stand in trec_eval's order: by descending score, equal ones by
// descending identifier. With single, scores that are equal as float32 count as equal, as in
// trec_eval 9. Topics are joined some at a time, on as many threads as GOMAXPROCS says.
func (q *Qrels) Judge(r *Run, single bool) iter.Seq[*Judged] {
	return func(yield func(*Judged) bool) {
		threads := parallel.Threads(0)
		judges := make([]judge, threads)
		for i := range judges {
			judges[i].order.rounded = single
		}
		judged := make([]Judged, 32*threads)
		for ids := range slices.Chunk(slices.Sorted(maps.Keys(q.byID)), len(judged)) {
			// This context is never done.
			_ = parallel.For(context.Background(), threads, len(ids), func(worker, i int) {
				judges[worker].join(&judged[i], &q.topics[q.byID[ids[i]]], r)
			})
			for i := range ids {
				if !yield(&judged[i]) {
					return
				}
			}
		}
	}
}

// A judge joins topics, one at a time.
type judge struct {
	order     runOrder
	retrieved []bool
}

func (g *judge) join(j *Judged, t *qrelsTopic, r *Run) {
	*j = Judged{Topic: t.id, Ranked: j.Ranked[:0], Missed: j.Missed[:0]}
	g.retrieved = append(g.retrieved[:0], make([]bool, t.docs())...)
	if at, ok := r.byID[t.id]; ok {
		j.Answered = true
		rt := &r.topics[at]
		keys := g.order.of(rt)
		j.Ranked = slices.Grow(j.Ranked, rt.docs())[:rt.docs()]
		for rank := range j.Ranked {
			relevance := NotPooled
			if d := t.find(rt, ranked(keys, rank)); d >= 0 {
				g.retrieved[d] = true
				if relevance = integer(t.labels[d]); relevance < 0 {
					relevance = NotJudged
				}
			}
			j.Ranked[rank] = relevance
		}
	}
	for d, seen := range g.retrieved {
		if !seen {
			j.Missed = append(j.Missed, integer(t.labels[d]))
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
			if !yield(string(t.doc(d)), t.documents[d].score) {
				return
			}
		}
	}
}

// Answers reports whether the run retrieved documents for a topic.
func (r *Run) Answers(topic string) bool { _, ok := r.byID[topic]; return ok }
