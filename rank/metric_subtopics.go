package rank

import (
	"errors"
	"fmt"
	"slices"

	"github.com/simdrank/simdrank/internal/measures"
	"github.com/simdrank/simdrank/internal/order"
)

// This file holds the metrics of diversity: see [measures.Topic] for their formulas.

// A SubtopicLabel is the judgment of a document for a subtopic of its query.
type SubtopicLabel struct {
	Document int     // from 0: through the list's Labels, then through Unretrieved
	Subtopic int     // from 0 to 1,048,575
	Label    float64 // relevance label
}

// checkSubtopics returns what is wrong with the judgments of subtopics.
func (r *ranking) checkSubtopics() error {
	all := r.list.Subtopics
	if all == nil {
		return errors.New("no judgments of subtopics, which metrics of diversity need")
	}
	documents := r.n + len(r.dropped) + len(r.list.Unretrieved)
	r.taken = measures.Zeros(r.taken, documents)
	first := 0 // judgment of the same document
	for i, j := range all {
		if j.Document != all[first].Document {
			first = i
		}
		var wrong string
		switch {
		case j.Document < 0 || j.Document >= documents:
			wrong = fmt.Sprintf("no document %d", j.Document)
		case j.Subtopic < 0 || j.Subtopic >= 1<<20:
			wrong = fmt.Sprintf("subtopic %d: want 0 to 1048575", j.Subtopic)
		case j.Label != j.Label:
			wrong = "the label is NaN"
		case i == first && r.taken[j.Document], slices.ContainsFunc(all[first:i], func(other SubtopicLabel) bool {
			return other.Subtopic == j.Subtopic
		}):
			wrong = fmt.Sprintf("document %d is judged twice for subtopic %d, or apart from its other judgments",
				j.Document, j.Subtopic)
		default:
			r.taken[j.Document] = true
			continue
		}
		return fmt.Errorf("judgment %d of a subtopic: %s", i+1, wrong)
	}
	return nil
}

// judgeSubtopics fills the topic.
func (r *ranking) judgeSubtopics(p *plan) {
	t := &r.topic
	t.Reset(r.n + len(r.list.Unretrieved))
	for _, j := range r.list.Subtopics {
		d := r.index(j.Document)
		if d >= 0 && (d < r.n || !r.o.judging[RetrievedOnly]) && r.o.isRelevant(j.Label) {
			t.Add(d, j.Subtopic)
		}
	}
	for _, key := range r.keys {
		t.Ranked = append(t.Ranked, int32(order.KeyIndex(key)))
	}
	t.Ends, t.Depth = r.ends, len(r.keys)
	if p.depth > 0 {
		t.Depth = min(p.depth, len(r.keys))
	}
}

func (r *ranking) alphaDCG(m *Metric) float64 {
	return r.topic.AlphaDCG(m.params[0], r.discountTo(m.k))
}
func (r *ranking) alphaNDCG(m *Metric) float64 {
	return r.topic.AlphaNDCG(m.params[0], r.discountTo(m.k))
}

// ofTopic makes a metric of a measure of topics.
func ofTopic(measure func(t *measures.Topic, k int, params [2]float64) float64) func(*ranking, *Metric) float64 {
	return func(r *ranking, m *Metric) float64 { return measure(&r.topic, m.k, m.params) }
}
