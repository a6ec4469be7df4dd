package metrics

import (
	"errors"
	"fmt"
	"slices"

	"github.com/simdrank/simdrank/internal/order"
)

// This file contains the metrics of diversity. See [Topic] for their formulas.

// A SubtopicLabel is a document's judgment for a subtopic of its query.
type SubtopicLabel struct {
	Document int     // index from 0: first the list's Labels, then Unretrieved
	Subtopic int     // from 0 to 1,048,575
	Label    float64 // relevance label
}

// checkSubtopics returns an error if the judgments of subtopics are invalid.
func (q *Query) checkSubtopics() error {
	all := q.judged.list.Subtopics
	if all == nil {
		return errors.New("diversity metrics require subtopic judgments")
	}
	documents := q.judged.n + len(q.judged.dropped) + len(q.judged.list.Unretrieved)
	q.taken = Zeros(q.taken, documents)
	first := 0 // the first judgment of the current document
	for i, j := range all {
		if j.Document != all[first].Document {
			first = i
		}
		var wrong string
		switch {
		case j.Document < 0 || j.Document >= documents:
			wrong = fmt.Sprintf("document %d does not exist", j.Document)
		case j.Subtopic < 0 || j.Subtopic >= 1<<20:
			wrong = fmt.Sprintf("subtopic %d must be from 0 to 1048575", j.Subtopic)
		case j.Label != j.Label:
			wrong = "the label is NaN; it must be a number"
		case i == first && q.taken[j.Document], slices.ContainsFunc(all[first:i], func(other SubtopicLabel) bool {
			return other.Subtopic == j.Subtopic
		}):
			wrong = fmt.Sprintf("document %d is judged twice for subtopic %d, or its judgments are not adjacent",
				j.Document, j.Subtopic)
		default:
			q.taken[j.Document] = true
			continue
		}
		return fmt.Errorf("subtopic judgment %d: %s", i+1, wrong)
	}
	return nil
}

// judgeSubtopics fills q.topic from the judgments of subtopics.
func (q *Query) judgeSubtopics() {
	t := &q.topic
	t.Reset(q.judged.n + len(q.judged.list.Unretrieved))
	for _, j := range q.judged.list.Subtopics {
		d := q.judged.index(j.Document)
		if d >= 0 && (d < q.judged.n || !q.rules.policy.RetrievedOnly) && q.rules.policy.isRelevant(j.Label) {
			t.Add(d, j.Subtopic)
		}
	}
	for _, key := range q.ordered.keys {
		t.Ranked = append(t.Ranked, int32(order.KeyIndex(key)))
	}
	t.Ends, t.Depth = q.ordered.ends, len(q.ordered.keys)
	if depth := q.rules.depth; depth > 0 {
		t.Depth = min(depth, len(q.ordered.keys))
	}
}

func (q *Query) alphaDCG(m *Metric) float64 {
	return q.topic.AlphaDCG(m.params[0], q.discountTo(m.k))
}
func (q *Query) alphaNDCG(m *Metric) float64 {
	return q.topic.AlphaNDCG(m.params[0], q.discountTo(m.k))
}

// ofTopic converts a measure of topics to a value function.
func ofTopic(measure func(t *Topic, k int, params [2]float64) float64) func(*Query, *Metric) float64 {
	return func(q *Query, m *Metric) float64 { return measure(&q.topic, m.k, m.params) }
}
