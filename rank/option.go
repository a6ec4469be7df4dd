package rank

import (
	"cmp"
	"slices"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/metrics"
	"github.com/simdrank/simdrank/internal/ranksvm"
	"github.com/simdrank/simdrank/internal/text"
)

// Options configures the choices that a metric's definition leaves open, for example the gain or
// the order of ties. The zero value contains the defaults. Functions return an error if a field
// contains an unsupported word; the error lists the accepted words.
type Options struct {
	// Preset selects the conventions of another tool. Other fields override it if they are set.
	//
	//	sklearn     scikit-learn's ndcg_score: linear gain, tied scores averaged, 0 for a query
	//	            without relevant documents.
	//	trec_eval   trec_eval 10: linear gain, ties broken by descending document ID (key; the
	//	            method Lists of Qrels in rank/trec sets the keys), 0 for a query without
	//	            relevant documents, negative labels unjudged, an ideal ranking of all judged
	//	            documents. Its measure rbp is not supported: see [ParseMetric].
	//	trec_eval9  trec_eval 9, which rounds scores to float32, so that more of them are tied.
	//	            Otherwise it is like trec_eval.
	//	xgboost     The metrics ndcg and map of XGBoost: gain 2^r−1 on integer labels up to 31,
	//	            ties in input order, 1 for a query without relevant documents (0 with
	//	            XGBoost's "ndcg-").
	//	lightgbm    LightGBM's ndcg: gain 2^r−1 from a table for labels 0 to 30, ties in input
	//	            order, 1 for a query without relevant documents.
	//	catboost    CatBoost's NDCG with its defaults (type Base, denominator LogPosition): linear
	//	            gain, tied documents with the lower label first, 1 for a query without
	//	            relevant documents.
	//	letor4      The evaluation script of LETOR 4.0: gains 0, 1, 3 for labels 0 to 2, no
	//	            discount at ranks 1 and 2, ties in input order, 0 for a query without
	//	            relevant documents and for NDCG@k of a query with fewer than k documents.
	Preset string `hash:"Preset"`

	// Gain maps a relevance label r to the gain of a document:
	//
	//	exp     2^r − 1 (Burges et al. 2005). The default.
	//	linear  r (Järvelin and Kekäläinen 2002)
	Gain string `hash:"Gain"`
	// GainTable contains the gain of each integer label. If it is set, Gain is ignored.
	GainTable GainTable `hash:"GainTable"`

	// Discount maps the rank i of a document, counted from 1, to the weight of its gain:
	//
	//	log2      1/log₂(i+1). The default.
	//	position  1/i
	//	letor     1 at ranks 1 and 2, then 1/log₂(i): the script of LETOR 3 and 4
	Discount string `hash:"Discount"`

	// Ties is the order of documents with equal scores. −0 equals +0.
	//
	//	average      The mean over all orders of the tied documents (McSherry and Najork 2008),
	//	             which does not depend on the input order. Every metric has a closed form for
	//	             it, with two exceptions. INST uses the mean gain of the tied documents.
	//	             Tau-b, weighted tau and Spearman's correlation use their own terms for ties.
	//	             The default.
	//	stable       the input order
	//	pessimistic  lower labels first
	//	optimistic   higher labels first
	//	key          higher keys first ([List.TieKeys]), then the input order
	Ties string `hash:"Ties"`

	// Empty sets the value of a metric for queries on which it is undefined. These are queries
	// without relevant documents or, for pairwise metrics, with only one distinct label.
	//
	//	skip  NaN, which the mean omits. The default.
	//	zero  0
	//	one   1
	//	nan   NaN, which makes the mean NaN
	Empty string `hash:"Empty"`

	// MaxLabel is the highest label of the scale, which ERR requires. The default is 4.
	MaxLabel float64 `hash:"MaxLabel"`

	// NegativeUnjudged treats documents with negative labels as unjudged, as in TREC files. Such
	// documents are not relevant, their gain is 0, and bpref ignores them. If it is not set,
	// metrics that use relevance return an error for a negative label, and pairwise metrics accept
	// any label.
	NegativeUnjudged bool `hash:"NegativeUnjudged"`
	// JudgedOnly removes unjudged documents from the list before it is evaluated ("condensed
	// lists", Sakai 2007). It implies NegativeUnjudged.
	JudgedOnly bool `hash:"JudgedOnly"`
	// RetrievedOnly ignores relevant documents that are not in the list ([List.Unretrieved]). They
	// count neither in the ideal ranking nor in the number of relevant documents.
	RetrievedOnly bool `hash:"RetrievedOnly"`
	// NaNLast ranks NaN scores below all other scores and ties them with each other. Without it, a
	// NaN score is an error that names the document.
	NaNLast bool `hash:"NaNLast"`

	// Threads is the number of goroutines that evaluate queries. If it is 0 or negative, GOMAXPROCS
	// goroutines are used. Results do not depend on it.
	Threads int `file:"-"`
	// Progress reports the number of evaluated queries; see the package comment.
	Progress func(done, total int64) `file:"-" json:"-"`
}

// A GainTable contains the gain of each integer label, starting with label 0. Gains must be from 0
// to 2⁹⁶⁰ and must not decrease. A label without an entry causes an error.
type GainTable []float64

// OptionWords returns the words that an option accepts, with the default first. Valid kinds are
// preset, gain, discount, ties and empty, for fields of [Options]; loss, for [RankSVM]; and
// calibration, for [Calibrate]. Only preset has no default.
func OptionWords(kind string) []string { return slices.Clone(optionWords[kind]) }

var optionWords = map[string][]string{
	"preset":   {"sklearn", "trec_eval", "trec_eval9", "xgboost", "lightgbm", "catboost", "letor4"},
	"gain":     {"exp", "linear"},
	"discount": {metrics.DiscountLog2: "log2", metrics.DiscountPosition: "position", metrics.DiscountLETOR: "letor"},
	"ties": {metrics.TiesAverage: "average", metrics.TiesStable: "stable", metrics.TiesPessimistic: "pessimistic",
		metrics.TiesOptimistic: "optimistic", metrics.TiesByKey: "key"},
	"empty": {emptySkip: "skip", emptyZero: "zero", emptyOne: "one", emptyNaN: "nan"},
	"loss":  ranksvm.LossWords,

	"calibration": {"isotonic", "platt"},
}

// empty is the parsed form of Options.Empty.
type empty uint8

const (
	emptySkip empty = iota
	emptyZero
	emptyOne
	emptyNaN
)

// ExpGain returns the gain 2^label − 1. It is bit-identical on every machine. You can use it as the
// Gain of [RankSVM].
func ExpGain(label float64) float64 { return metrics.ExpGain(label) }

const defaultMaxLabel = 4

// policy contains the parsed options. Its zero value contains the defaults, except for MaxLabel,
// which must be set.
type policy struct {
	metrics.Policy
	empty empty
}

// presets maps the values of Options.Preset to their choices.
var presets = map[string]policy{
	"sklearn": {metrics.Policy{LinearGain: true, Ties: metrics.TiesAverage}, emptyZero},
	"trec_eval": {metrics.Policy{LinearGain: true, Ties: metrics.TiesByKey, NegativeUnjudged: true},
		emptyZero},
	"trec_eval9": {metrics.Policy{LinearGain: true, Ties: metrics.TiesByKey, NegativeUnjudged: true, Single: true},
		emptyZero},
	"xgboost":  {metrics.Policy{Ties: metrics.TiesStable, IntegerMax: 31}, emptyOne},
	"lightgbm": {metrics.Policy{Ties: metrics.TiesStable, IntegerMax: 30}, emptyOne},
	"catboost": {metrics.Policy{LinearGain: true, Ties: metrics.TiesPessimistic}, emptyOne},
	"letor4": {metrics.Policy{GainTable: []float64{0, 1, 3}, Discount: metrics.DiscountLETOR, Ties: metrics.TiesStable,
		ShortZero: true}, emptyZero},
}

// policy checks the options and returns their choices.
func (o *Options) policy() (policy, error) {
	p := presets[o.Preset]
	gain := 0
	if err := cmp.Or(
		choose(new(int), "preset", "preset", o.Preset),
		choose(&gain, "gain", "gain", o.Gain),
		choose(&p.Discount, "discount", "discount", o.Discount),
		choose(&p.Ties, "order of ties", "ties", o.Ties),
		choose(&p.empty, "treatment of empty queries", "empty", o.Empty)); err != nil {
		return p, err
	}
	if o.Gain != "" {
		p.LinearGain, p.GainTable = gain > 0, nil
	}
	if o.GainTable != nil {
		p.GainTable = o.GainTable
	}
	p.MaxLabel = cmp.Or(o.MaxLabel, defaultMaxLabel)
	p.NegativeUnjudged = p.NegativeUnjudged || o.NegativeUnjudged || o.JudgedOnly
	p.JudgedOnly, p.RetrievedOnly, p.NaNLast = o.JudgedOnly, o.RetrievedOnly, o.NaNLast
	switch {
	case !(p.MaxLabel > 0) || p.MaxLabel > metrics.MaxExpLabel:
		return p, errs.Errorf("rank", "the highest label is %v; it must be greater than 0 and at most %d", p.MaxLabel,
			metrics.MaxExpLabel)
	case p.GainTable != nil && len(p.GainTable) == 0:
		return p, errs.New("rank", "the gain table is empty")
	}
	for i, g := range p.GainTable {
		if !(g >= 0) || g > metrics.MaxGain || i > 0 && g < p.GainTable[i-1] {
			return p, errs.Errorf("rank", "gain %v of label %d: gains must be from 0 to %.2g and must not decrease", g, i,
				metrics.MaxGain)
		}
	}
	return p, nil
}

// choose sets v to the value that a word of the given kind denotes. It leaves v unchanged if the
// word is empty. The parameter of is the name of the option in errors.
func choose[T ~int | ~uint8](v *T, of, kind, word string) (err error) {
	if word != "" {
		*v, err = text.ParseEnum[T]("rank", of, optionWords[kind], word)
	}
	return err
}
