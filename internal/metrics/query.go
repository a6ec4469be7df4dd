package metrics

import (
	"fmt"
	"math"
	"slices"

	"github.com/simdrank/simdrank/internal/order"
)

// A Query computes the metrics of a plan for one list after another and reuses its memory. It is
// not safe for concurrent use.
type Query struct {
	plan  *Plan
	rules *rules // the rules of the metric that is being computed

	judged  judged
	ideal   ideal
	ordered ordered

	pairs     pairs // from here on, memory of the metrics that need it
	topic     Topic
	reference reference
	user      Cascade
	overlap   Overlap

	discounts []float64 // the discounts of the first ranks, as many as discountTo has returned
	taken     []bool    // scratch: marks judged documents, or ranks of the reference that are in use
	u, v      []float64 // scratch: labels and gains
}

// NewQuery returns a Query for the plan.
func (p *Plan) NewQuery() *Query { return &Query{plan: p} }

// Values appends the value of each metric for a list to dst, or NaN if it is undefined. Errors
// about a label are *[LabelError].
func (q *Query) Values(dst []float64, l *List) ([]float64, error) {
	q.rules = q.plan.rules
	if err := q.judged.set(&q.rules.policy, l); err != nil {
		return dst, err
	}
	return q.values(dst)
}

// ValuesOfGrades is like Values but for a list whose labels are grades, with 255 for an unjudged
// document. The list has no unretrieved documents, keys, subtopics or reference.
func (q *Query) ValuesOfGrades(dst []float64, grades []uint8, scores []float32) ([]float64, error) {
	q.rules = q.plan.rules
	if err := q.judged.setGrades(&q.rules.policy, grades, scores); err != nil {
		return dst, err
	}
	return q.values(dst)
}

// values appends the value of each metric for the current list.
func (q *Query) values(dst []float64) ([]float64, error) {
	if err := q.rank(); err != nil {
		return dst, err
	}
	for i := range q.plan.steps {
		s := &q.plan.steps[i] // copying takes as long as a dot product of ten elements
		if q.rules != s.rules {
			q.judgeBy(s.rules)
		}
		v := math.NaN()
		if q.defined(s.metric.m.needs) {
			v = s.metric.m.value(q, &s.metric)
		}
		dst = append(dst, v)
	}
	return dst, nil
}

// rank sorts the documents and computes everything that the rules need.
func (q *Query) rank() error {
	r, j, o := q.rules, &q.judged, &q.ordered
	q.pairs.differing = 0
	if !o.tied && j.n >= order.TopKFrom && j.n <= order.BestGainsLimit && r.depth > 0 && r.depth < together &&
		r.compact(j) {
		j.fold(&r.policy)
		if o.bestGains(r, j) {
			return q.ideal.judge(r, j)
		}
	}
	if nan := o.sort(r, j); nan && !r.policy.NaNLast {
		i := slices.IndexFunc(j.scores, func(v float32) bool { return v != v })
		return fmt.Errorf("document %d: the score is NaN; it must be a number", j.place(i)+1)
	}
	if r.needs&(needGains|needBinary) != 0 {
		if err := q.ideal.judge(r, j); err != nil {
			return err
		}
	}
	o.resolve(&r.policy, j)
	if r.compact(j) {
		o.gainsOfKeys(r, j, &q.ideal)
		return nil
	}
	o.group(&r.policy, j)
	o.fill(r, j)
	if r.needs&needBinary != 0 {
		o.chance(&r.policy)
	}
	if r.needs&needPairs != 0 {
		q.pairs.fill(&r.policy, j, o)
	}
	if r.needs&needSubtopics != 0 {
		if err := q.checkSubtopics(); err != nil {
			return err
		}
		q.judgeSubtopics()
	}
	if r.needs&needReference != 0 {
		return q.refer()
	}
	return nil
}

// judgeBy changes to rules with another lowest relevant label.
func (q *Query) judgeBy(r *rules) {
	q.rules = r
	if r.needs&needBinary != 0 {
		if err := q.ideal.judge(r, &q.judged); err != nil {
			panic(err) // impossible, since the previous rules accepted the same labels
		}
		q.ordered.chance(&r.policy)
	}
	if r.needs&needSubtopics != 0 {
		q.judgeSubtopics()
	}
}

// compact reports whether the score as a float32 and the grade are all that the rules need of a
// document.
func (r *rules) compact(j *judged) bool {
	return r.needs == needGains && j.graded && j.exact && !r.policy.Ties.reorders()
}

// defined reports whether measures with the given needs have a value for the query.
func (q *Query) defined(needs need) bool {
	switch d := &q.ideal; {
	case needs&needGains != 0 && (len(d.gains) == 0 || d.gains[0] == 0), needs&needBinary != 0 && d.relevant == 0:
		return false
	case needs&needPairs != 0 && q.pairs.labelsEqual, needs&needSubtopics != 0 && q.topic.Subtopics() == 0:
		return false
	}
	return true
}

// relevantIn returns the number of relevant documents at ranks lo to hi−1.
func (q *Query) relevantIn(lo, hi int) int {
	n := 0
	for _, l := range q.ordered.labels[lo:hi] {
		if q.rules.policy.isRelevant(l) {
			n++
		}
	}
	return n
}

// judgedIn returns the number of judged documents at ranks lo to hi−1. Relevant documents are
// always judged.
func (q *Query) judgedIn(lo, hi int) int {
	n := 0
	for _, l := range q.ordered.labels[lo:hi] {
		if !q.rules.policy.unjudged(l) {
			n++
		}
	}
	return n
}

// hits returns the expected number of relevant documents among the first k.
func (q *Query) hits(k int) float64 {
	sum := 0.0
	for _, c := range q.ordered.chances[:k] {
		sum += c
	}
	return sum
}
