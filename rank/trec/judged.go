package trec

import (
	"bytes"
	"iter"
	"maps"
	"slices"

	"github.com/simdrank/simdrank/internal/order"
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

// Judge returns a [Judged] for each topic with judgments, by ascending identifier, byte by byte. It
// is overwritten by the next one. Documents stand in trec_eval's order: by descending score, equal
// ones by descending identifier. With single, scores that are equal as float32 count as equal, as
// in trec_eval 9.
func (q *Qrels) Judge(r *Run, single bool) iter.Seq[*Judged] {
	return func(yield func(*Judged) bool) {
		o := runOrder{rounded: single}
		var j Judged
		var retrieved []bool
		for _, id := range slices.Sorted(maps.Keys(q.byID)) {
			t := &q.topics[q.byID[id]]
			j = Judged{Topic: id, Ranked: j.Ranked[:0], Missed: j.Missed[:0]}
			retrieved = append(retrieved[:0], make([]bool, t.docs())...)
			if at, ok := r.byID[id]; ok {
				j.Answered = true
				rt := &r.topics[at]
				keys := o.of(rt)
				for rank := range rt.docs() {
					i := rank
					if keys != nil {
						i = order.KeyIndex(keys[rank])
					}
					relevance := NotPooled
					if d := t.index.find(rt.documents[i].hash,
						func(d int) bool { return bytes.Equal(t.doc(d), rt.doc(i)) }); d >= 0 {
						retrieved[d] = true
						if relevance = int(t.labels[d]); relevance < 0 {
							relevance = NotJudged
						}
					}
					j.Ranked = append(j.Ranked, relevance)
				}
			}
			for d, seen := range retrieved {
				if !seen {
					j.Missed = append(j.Missed, int(t.labels[d]))
				}
			}
			if !yield(&j) {
				return
			}
		}
	}
}

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
