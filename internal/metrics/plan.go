package metrics

import (
	"fmt"

	"github.com/simdrank/simdrank/internal/order"
)

// A Plan is a set of metrics to compute for each query under one policy. It is safe for concurrent
// use.
type Plan struct {
	steps []step
	rules *rules // the rules of metrics whose names do not set the lowest relevant label
}

// A step of a plan is one metric.
type step struct {
	metric Metric
	rules  *rules
}

// rules combine a policy with the needs of all metrics of a plan, in tables for ranking.
type rules struct {
	policy Policy
	needs  need
	depth  int // number of ranks that the metrics include; 0 for all

	// By grade. A grade that the metrics do not accept has the gain 0.
	gains    [256]float64
	folded   [256]float64 // gains in which order.FoldedGrade stands for unjudgedGrade
	relevant [256]bool
	valid    int // the metrics accept grades below this; of the others, at most unjudgedGrade
}

// NewPlan returns the plan of the metrics under a policy.
func NewPlan(metrics []Metric, policy Policy) (*Plan, error) {
	r := &rules{policy: policy}
	all := false
	for _, m := range metrics {
		if m.k == 0 && m.m.k == cutoffRequired {
			return nil, fmt.Errorf("%s requires a cutoff, for example %s@10", m.m.name, m.m.name)
		}
		r.needs |= m.m.needs
		all = all || m.k == 0
		r.depth = max(r.depth, m.k)
	}
	if all {
		r.depth = 0
	}
	for r.valid < unjudgedGrade {
		gain, err := r.gainIfNeeded(float64(r.valid))
		if err != nil {
			break
		}
		r.gains[r.valid] = gain
		r.valid++
	}
	// Copy one element at a time: a block copy of Go 1.26 on s390x faults beyond the end (seen with
	// QEMU).
	for i := range r.folded {
		if i != order.FoldedGrade {
			r.folded[i] = r.gains[i]
		}
	}
	r.setRelevant()
	byLabel := map[float64]*rules{0: r}
	p := &Plan{rules: r}
	for _, m := range metrics {
		own := byLabel[m.relevant]
		if own == nil {
			own = new(rules)
			*own = *r
			own.policy.relevantFrom = m.relevant
			own.setRelevant()
			byLabel[m.relevant] = own
		}
		p.steps = append(p.steps, step{m, own})
	}
	return p, nil
}

func (r *rules) setRelevant() {
	for g := range r.relevant {
		r.relevant[g] = r.policy.isRelevant(labelOf[g])
	}
}

// gainIfNeeded returns the gain of a label, or an error if the metrics do not accept the label.
func (r *rules) gainIfNeeded(label float64) (float64, *LabelError) {
	if r.needs&needGrades != 0 && label > r.policy.MaxLabel {
		return 0, badLabel("MaxLabel", "label %v exceeds %v, the highest label that err supports", label,
			r.policy.MaxLabel)
	}
	g, err := r.policy.gainOf(label)
	if r.needs&needGains == 0 && label >= 0 {
		err = nil // binary metrics need no gain
	}
	return g, err
}

// unjudgedGrade is the grade of unjudged documents. Grades are integer labels from 0 to 254, stored
// in a byte each.
const unjudgedGrade = order.UnjudgedGrade

// labelOf contains the label of each grade.
var labelOf = func() (labels [256]float64) {
	for g := range labels {
		labels[g] = float64(g)
	}
	labels[unjudgedGrade] = -1
	return labels
}()
