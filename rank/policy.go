package rank

import (
	"errors"
	"fmt"
	"math"
)

// policy holds every choice; its zero value is the package's default.
type policy struct {
	// of the one-call functions, which an Evaluator's metrics have in their names; 0 when not given
	k           int
	persistence Persistence

	gain       Gain
	table      GainTable // used instead of gain when not nil
	discount   Discount
	ties       Ties
	empty      Empty
	nans       NaNs
	judging    [numJudging]bool
	relevant   RelevantFrom // 0: every label above 0
	maxLabel   MaxLabel     // 0: defaultMaxLabel
	shortZero  bool         // a query of fewer than k documents scores 0 at k
	single     bool         // scores are rounded to float32
	integerMax int          // when above 0: labels are integers from 0 to this
}

// newPolicy applies options and checks the outcome.
func newPolicy(opts []Option) (policy, error) {
	var o policy
	for _, opt := range opts {
		if !known(opt) {
			return o, fmt.Errorf("rank: no such option: %v", opt)
		}
		opt.apply(&o)
	}
	if o.maxLabel == 0 {
		o.maxLabel = defaultMaxLabel
	}
	switch {
	case o.k < 0:
		return o, fmt.Errorf("rank: cutoff %d is negative", o.k)
	case !(o.persistence >= 0 && o.persistence < 1):
		return o, fmt.Errorf("rank: persistence %v: want a number between 0 and 1", float64(o.persistence))
	case !(o.relevant >= 0) || math.IsInf(float64(o.relevant), 0):
		return o, fmt.Errorf("rank: labels relevant from %v: want a number that is not negative", o.relevant)
	case !(o.maxLabel > 0) || o.maxLabel > maxExpLabel:
		return o, fmt.Errorf("rank: highest label %v: want a number above 0 and up to %d", o.maxLabel, maxExpLabel)
	case o.table != nil && len(o.table) == 0:
		return o, errors.New("rank: empty gain table")
	}
	for i, g := range o.table {
		if !(g >= 0) || g > maxGain || i > 0 && g < o.table[i-1] {
			return o, fmt.Errorf("rank: gain %v of label %d: gains are from 0 to %.2g and do not decrease", g, i, maxGain)
		}
	}
	return o, nil
}

// known reports whether an option that is one of a list is on it.
func known(opt Option) bool {
	switch v := opt.(type) {
	case Gain:
		return int(v) < len(gainNames)
	case Discount:
		return int(v) < len(discountNames)
	case Ties:
		return int(v) < len(tiesNames)
	case Empty:
		return int(v) < len(emptyNames)
	case NaNs:
		return int(v) < len(nanNames)
	case Judging:
		return v < numJudging
	case Preset:
		return v > 0 && int(v) < len(presetNames)
	}
	return true
}

// Larger gains have sums that are not finite.
const (
	maxGain     = 0x1p960
	maxExpLabel = 960 // with the gain 2^r−1
)

// unjudged reports whether a label marks a document that nobody judged.
func (o *policy) unjudged(label float64) bool { return label < 0 && o.judging[NegativeUnjudged] }

// isRelevant reports whether binary metrics count a label as relevant.
func (o *policy) isRelevant(label float64) bool {
	return label > 0 && label >= float64(o.relevant)
}

// gainOf returns the gain of a label that is not NaN.
func (o *policy) gainOf(label float64) (float64, error) {
	if label < 0 {
		if o.judging[NegativeUnjudged] {
			return 0, nil
		}
		return 0, &OptionError{Option: "NegativeUnjudged", Err: fmt.Errorf("label %v is negative", label)}
	}
	if o.table != nil {
		g := o.table.Of(label)
		if g != g {
			return 0, fmt.Errorf("label %v has no entry in the gain table of labels 0 to %d", label, len(o.table)-1)
		}
		return g, nil
	}
	if o.integerMax > 0 && (label != math.Floor(label) || label > float64(o.integerMax)) {
		return 0, fmt.Errorf("label %v is not an integer from 0 to %d", label, o.integerMax)
	}
	if o.gain == GainLinear {
		if label > maxGain {
			return 0, fmt.Errorf("label %v: gains are at most %.2g", label, maxGain)
		}
		return label + 0, nil // −0 gains +0, as it does as a grade
	}
	if label > maxExpLabel {
		return 0, &OptionError{Option: "GainLinear",
			Err: fmt.Errorf("label %v: the gain 2^r−1 takes labels up to %d", label, maxExpLabel)}
	}
	return GainExp.Of(label), nil
}
