package rank

import (
	"slices"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/metrics"
	"github.com/simdrank/simdrank/internal/ranksvm"
	"github.com/simdrank/simdrank/internal/text"
)

// An Option chooses how a metric treats what its definition leaves open: [Gain], [GainTable],
// [Discount], [Ties], [Empty], [Switch] and [MaxLabel] each set one thing. A [Preset] sets
// everything as the named tool does. Options apply in order: an option after a preset overrides it.
// A value that its type does not name, such as Ties(9), is an error.
type Option interface{ apply(*policy) }

// ParseOption returns the option that a word stands for:
//
//	gain      exp, linear
//	discount  log2, position, letor
//	ties      average, stable, pessimistic, optimistic, key
//	empty     skip, zero, one, nan
//	preset    sklearn, trec_eval, trec_eval9, xgboost, lightgbm, catboost, letor4
func ParseOption(kind, word string) (Option, error) {
	switch kind {
	case "gain":
		return parseOption[Gain]("gain", optionWords[kind], word)
	case "discount":
		return parseOption[Discount]("discount", optionWords[kind], word)
	case "ties":
		return parseOption[Ties]("order of ties", optionWords[kind], word)
	case "empty":
		return parseOption[Empty]("treatment of empty queries", optionWords[kind], word)
	case "preset":
		return parseOption[Preset]("preset", optionWords[kind], word)
	}
	return nil, errs.Errorf("rank", "no option is named %q", kind)
}

// OptionWords returns the words that [ParseOption] reads as options of a kind or, if that is loss,
// those of [RankSVM].
func OptionWords(kind string) []string {
	return slices.DeleteFunc(slices.Clone(optionWords[kind]), func(word string) bool { return word == "" })
}

var optionWords = map[string][]string{
	"loss":     ranksvm.LossWords,
	"gain":     {GainExp: "exp", GainLinear: "linear"},
	"discount": {DiscountLog2: "log2", DiscountPosition: "position", DiscountLETOR: "letor"},
	"ties": {TiesAverage: "average", TiesStable: "stable", TiesPessimistic: "pessimistic",
		TiesOptimistic: "optimistic", TiesByKey: "key"},
	"empty": {EmptySkip: "skip", EmptyZero: "zero", EmptyOne: "one", EmptyNaN: "nan"},
	"preset": {Sklearn: "sklearn", TrecEval: "trec_eval", TrecEval9: "trec_eval9", XGBoost: "xgboost",
		LightGBM: "lightgbm", CatBoost: "catboost", LETOR4: "letor4"},
}

// parseOption returns the value of type T that a word of a list stands for.
func parseOption[T interface {
	~uint8
	Option
}](of string, words []string, word string) (Option, error) {
	v, err := text.ParseEnum[T]("rank: "+of, words, word)
	if err != nil {
		return nil, err
	}
	return v, nil
}

// Gain maps a relevance label r to the gain of a document.
type Gain uint8

const (
	GainExp    Gain = iota // 2^r − 1 (Burges et al. 2005): the default
	GainLinear             // r (Järvelin and Kekäläinen 2002)
)

// Of returns the gain of a label, the same bits on every machine: for [RankSVM]'s Gain.
func (g Gain) Of(label float64) float64 {
	if g == GainLinear {
		return label
	}
	return metrics.ExpGain(label)
}

// GainTable is a gain for each integer label from 0 on. Gains are from 0 to 2⁹⁶⁰ and do not
// decrease; a label without an entry is an error.
type GainTable []float64

// Discount maps the rank i of a document, counted from 1, to the weight of its gain.
type Discount uint8

const (
	DiscountLog2     Discount = iota // 1/log₂(i+1): the default
	DiscountPosition                 // 1/i
	// 1 at ranks 1 and 2, then 1/log₂(i): the script of LETOR 3 and 4
	DiscountLETOR
)

// Ties says in which order documents of equal score stand. −0 equals +0.
type Ties uint8

const (
	// TiesAverage, the default, takes the mean over all orders of the tied documents (McSherry and
	// Najork 2008): it does not depend on the order of the input. Every metric here has it in
	// closed form, but for INST, which takes the mean gain of the tied documents, and for tau-b,
	// weighted tau and Spearman's correlation, whose own terms for ties it lets stand.
	TiesAverage     Ties = iota
	TiesStable           // the order of the input
	TiesPessimistic      // lower labels first
	TiesOptimistic       // higher labels first
	TiesByKey            // higher keys first ([List.TieKeys]), then the order of the input
)

// Empty sets the value of a query for which a metric is undefined: no document is relevant or, for
// metrics of pairs, no two labels differ.
type Empty uint8

const (
	EmptySkip Empty = iota // not counted: its value is NaN and the mean leaves it out; the default
	EmptyZero              // 0
	EmptyOne               // 1
	EmptyNaN               // NaN, and so is the mean
)

// A Switch turns on what is off by default.
type Switch uint8

const (
	// NegativeUnjudged takes negative labels to mark documents that nobody judged, as in TREC's
	// files: they are not relevant, their gain is 0, and bpref ignores them. Without it a negative
	// label is an error for the metrics that ask for relevance; those of pairs take any label.
	NegativeUnjudged Switch = iota
	// JudgedOnly removes unjudged documents from the list before it is measured ("condensed
	// lists", Sakai 2007). It implies NegativeUnjudged.
	JudgedOnly
	// RetrievedOnly leaves the relevant documents that the list does not hold
	// ([List.Unretrieved]) out of the ideal ranking and the number of relevant documents.
	RetrievedOnly
	// NaNLast takes a score that is NaN to be below every other score, and tied with other NaNs.
	// Without it NaN is an error that names the document.
	NaNLast

	switches
)

// MaxLabel is the highest label of the scale, which ERR needs: default 4.
type MaxLabel float64

const defaultMaxLabel = 4

// policy holds every choice; its zero value is the package's default.
type policy struct {
	metrics.Policy
	empty Empty
}

func (g Gain) apply(o *policy)      { o.LinearGain, o.GainTable = g == GainLinear, nil }
func (t GainTable) apply(o *policy) { o.GainTable = t }
func (d Discount) apply(o *policy)  { o.Discount = metrics.Discount(d) }
func (t Ties) apply(o *policy)      { o.Ties = metrics.Ties(t) }
func (e Empty) apply(o *policy)     { o.empty = e }
func (m MaxLabel) apply(o *policy)  { o.MaxLabel = float64(m) }

func (s Switch) apply(o *policy) {
	switch s {
	case NegativeUnjudged:
		o.NegativeUnjudged = true
	case JudgedOnly:
		o.JudgedOnly, o.NegativeUnjudged = true, true
	case RetrievedOnly:
		o.RetrievedOnly = true
	case NaNLast:
		o.NaNLast = true
	}
}

// newPolicy applies options and checks the outcome.
func newPolicy(opts []Option) (policy, error) {
	var o policy
	for _, opt := range opts {
		if !known(opt) {
			return o, errs.Errorf("rank", "no such option: %T(%d)", opt, opt)
		}
		opt.apply(&o)
	}
	if o.MaxLabel == 0 {
		o.MaxLabel = defaultMaxLabel
	}
	switch {
	case !(o.MaxLabel > 0) || o.MaxLabel > metrics.MaxExpLabel:
		return o, errs.Errorf("rank", "highest label %v: want a number above 0 and up to %d", o.MaxLabel,
			metrics.MaxExpLabel)
	case o.GainTable != nil && len(o.GainTable) == 0:
		return o, errs.New("rank", "empty gain table")
	}
	for i, g := range o.GainTable {
		if !(g >= 0) || g > metrics.MaxGain || i > 0 && g < o.GainTable[i-1] {
			return o, errs.Errorf("rank", "gain %v of label %d: gains are from 0 to %.2g and do not decrease", g, i,
				metrics.MaxGain)
		}
	}
	return o, nil
}

// known reports whether an option that is one of a list is on it.
func known(opt Option) bool {
	switch v := opt.(type) {
	case Gain:
		return v <= GainLinear
	case Discount:
		return v <= DiscountLETOR
	case Ties:
		return v <= TiesByKey
	case Empty:
		return v <= EmptyNaN
	case Switch:
		return v < switches
	case Preset:
		return v > 0 && v <= LETOR4
	}
	return true
}
