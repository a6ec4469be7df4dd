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

	relevantFrom float64 // lowest relevant label, set by the name of a metric; 0 for every label above 0
	MaxLabel     float64 // the highest label of ERR's scale
	ShortZero    bool    // a query with fewer than k documents has the value 0 at cutoff k
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

// reorders reports whether tied documents do not keep the order of the input.
func (t Ties) reorders() bool { return t == TiesPessimistic || t == TiesOptimistic || t == TiesByKey }

// Sums of gains above these limits may not be finite.
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

// unjudged reports whether a label marks an unjudged document.
func (p *Policy) unjudged(label float64) bool { return label < 0 && p.NegativeUnjudged }

// isRelevant reports whether metrics of binary relevance count a label as relevant.
func (p *Policy) isRelevant(label float64) bool { return label > 0 && label >= p.relevantFrom }

// relevance returns 1 for a relevant document and 0 for others.
func (p *Policy) relevance(label float64) float64 {
	if p.isRelevant(label) {
		return 1
	}
	return 0
}

// gainOf returns the gain of a label. The label is not NaN.
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
		return label + 0, nil // turns −0 into +0, like the conversion to a grade
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

// badLabel returns an error about the label of a document. The caller adds the document.
func badLabel(option, format string, args ...any) *LabelError {
	return &LabelError{Option: option, Err: fmt.Errorf(format, args...)}
}
