package metrics

import (
	"fmt"
	"math"

	"github.com/simdrank/simdrank/internal/num"
)

// A Policy configures what the definitions of metrics leave open. Package rank documents the
// options.
type Policy struct {
	LinearGain bool      // the gain of a label r is r instead of 2^r − 1
	GainTable  []float64 // if not nil, the gain of each integer label
	Discount   Discount
	Ties       Ties
	NaNLast    bool // NaN scores rank below all others instead of being an error

	NegativeUnjudged bool
	JudgedOnly       bool // implies NegativeUnjudged
	RetrievedOnly    bool

	relevantFrom float64 // 0: every label above 0; of a metric, by its name
	MaxLabel     float64 // the highest label of ERR's scale
	ShortZero    bool    // a query of fewer than k documents scores 0 at k
	Single       bool    // scores are rounded to float32
	IntegerMax   int     // if positive, labels must be integers from 0 to this
}

// Ties is the order of documents with tied scores. Package rank defines the names of its values.
type Ties uint8

const (
	TiesAverage     Ties = iota // the mean over all orders
	TiesStable                  // the order of the input
	TiesPessimistic             // lower labels first
	TiesOptimistic              // higher labels first
	TiesByKey                   // higher keys first, then the order of the input
)

// reorders reports whether tied documents leave the order of the input.
func (t Ties) reorders() bool { return t == TiesPessimistic || t == TiesOptimistic || t == TiesByKey }

// Gains above these limits have sums that are not finite.
const (
	MaxGain     = 0x1p960
	MaxExpLabel = 960 // with the gain 2^r−1
)

// ExpGain returns 2^label − 1.
func ExpGain(label float64) float64 {
	switch {
	case label != label:
		return label
	case label >= 1023:
		return math.Inf(1)
	case label < -1022:
		return -1
	}
	return num.Exp2m1(label)
}

// TableGain returns the gain of a label from a table for the labels 0, 1, 2, …. It returns NaN if
// the table has no entry.
func TableGain(table []float64, label float64) float64 {
	if i := int(label); label >= 0 && label < float64(len(table)) && float64(i) == label {
		return table[i]
	}
	return math.NaN()
}

// unjudged reports whether a label marks a document that nobody judged.
func (p *Policy) unjudged(label float64) bool { return label < 0 && p.NegativeUnjudged }

// isRelevant reports whether binary metrics count a label as relevant.
func (p *Policy) isRelevant(label float64) bool { return label > 0 && label >= p.relevantFrom }

// relevance is 1 for a relevant document, else 0.
func (p *Policy) relevance(label float64) float64 {
	if p.isRelevant(label) {
		return 1
	}
	return 0
}

// gainOf returns the gain of a label that is not NaN.
func (p *Policy) gainOf(label float64) (float64, *LabelError) {
	if label < 0 {
		if p.NegativeUnjudged {
			return 0, nil
		}
		return 0, badLabel("NegativeUnjudged", "label %v must not be negative", label)
	}
	if p.GainTable != nil {
		g := TableGain(p.GainTable, label)
		if g != g {
			return 0, badLabel("", "label %v has no entry in the gain table, which covers labels 0 to %d", label,
				len(p.GainTable)-1)
		}
		return g, nil
	}
	if p.IntegerMax > 0 && (label != math.Floor(label) || label > float64(p.IntegerMax)) {
		return 0, badLabel("", "label %v is not an integer from 0 to %d", label, p.IntegerMax)
	}
	if p.LinearGain {
		if label > MaxGain {
			return 0, badLabel("", "label %v is too large: gains must be at most %.2g", label, MaxGain)
		}
		return label + 0, nil // −0 gains +0, as it does as a grade
	}
	if label > MaxExpLabel {
		return 0, badLabel("Gain", "label %v is too large: the gain 2^r−1 supports labels up to %d", label, MaxExpLabel)
	}
	return ExpGain(label), nil
}

// A LabelError is an error about the label of a document.
type LabelError struct {
	Document int // index in the caller's list, from 0: first its labels, then unretrieved documents
	Label    float64
	Option   string // option of package rank that would accept the label; may be empty
	Err      error  // the problem
}

// Error describes the problem.
func (e *LabelError) Error() string { return e.Err.Error() }

// Unwrap returns Err.
func (e *LabelError) Unwrap() error { return e.Err }

// badLabel returns an error about a label whose document is not known yet.
func badLabel(option, format string, args ...any) *LabelError {
	return &LabelError{Option: option, Err: fmt.Errorf(format, args...)}
}
