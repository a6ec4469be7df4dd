package rank

import (
	"cmp"
	"slices"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/metrics"
	"github.com/simdrank/simdrank/internal/ranksvm"
	"github.com/simdrank/simdrank/internal/text"
)

// Options choose how a metric treats what its definition leaves open. The zero value is the
// defaults. A word that a field does not accept is an error that lists the ones it accepts.
type Options struct {
	// Preset sets everything as the tool that it names does. The other fields override it.
	//
	//	sklearn     scikit-learn's ndcg_score: linear gain, tied scores averaged, 0 for a query
	//	            without relevant documents.
	//	trec_eval   trec_eval 10: linear gain, ties in the order of document identifiers,
	//	            descending (key; Qrels.Lists of rank/trec has the keys), 0 for a query without
	//	            relevant documents, negative labels unjudged, the ideal over all judged
	//	            documents. Its measure rbp is not followed: see [ParseMetric].
	//	trec_eval9  trec_eval 9, which rounds scores to float32, so that more of them tie. In all
	//	            else it is trec_eval.
	//	xgboost     The metrics ndcg and map of XGBoost: gain 2^r−1 on integer labels up to 31,
	//	            ties in the order of the input, 1 for a query without relevant documents (its
	//	            "ndcg-" is 0).
	//	lightgbm    LightGBM's ndcg: gain 2^r−1 from a table for labels 0 to 30, ties in the order
	//	            of the input, 1 for a query without relevant documents.
	//	catboost    CatBoost's NDCG with its defaults (type Base, denominator LogPosition): linear
	//	            gain, tied documents with the lower label first, 1 for a query without
	//	            relevant documents.
	//	letor4      The evaluation script of LETOR 4.0: gains 0, 1, 3 for labels 0 to 2, ranks 1
	//	            and 2 undiscounted, ties in the order of the input, 0 for a query without
	//	            relevant documents and for NDCG@k of a query of fewer than k documents.
	Preset string `hash:"Preset"`

	// Gain maps a relevance label r to the gain of a document:
	//
	//	exp     2^r − 1 (Burges et al. 2005). The default.
	//	linear  r (Järvelin and Kekäläinen 2002)
	Gain string `hash:"Gain"`
	// GainTable, if it is not nil, has the gains instead of Gain.
	GainTable GainTable `hash:"GainTable"`

	// Discount maps the rank i of a document, counted from 1, to the weight of its gain:
	//
	//	log2      1/log₂(i+1). The default.
	//	position  1/i
	//	letor     1 at ranks 1 and 2, then 1/log₂(i): the script of LETOR 3 and 4
	Discount string `hash:"Discount"`

	// Ties says in which order documents of equal score are. −0 equals +0.
	//
	//	average      The mean over all orders of the tied documents (McSherry and Najork 2008),
	//	             which does not depend on the order of the input. Every metric here has it in
	//	             closed form, but for INST, which takes the mean gain of the tied documents,
	//	             and for tau-b, weighted tau and Spearman's correlation, whose own terms for
	//	             ties it lets stand. The default.
	//	stable       the order of the input
	//	pessimistic  lower labels first
	//	optimistic   higher labels first
	//	key          higher keys first ([List.TieKeys]), then the order of the input
	Ties string `hash:"Ties"`

	// Empty is the value of a query for which a metric is undefined: no document is relevant or,
	// for metrics of pairs, no two labels differ.
	//
	//	skip  not counted: its value is NaN and the mean leaves it out. The default.
	//	zero  0
	//	one   1
	//	nan   NaN, and so is the mean
	Empty string `hash:"Empty"`

	MaxLabel float64 `hash:"MaxLabel"` // the highest label of the scale, which ERR needs; 0 means 4

	// NegativeUnjudged takes negative labels to mark documents that nobody judged, as in TREC's
	// files: they are not relevant, their gain is 0, and bpref ignores them. Without it a negative
	// label is an error for the metrics that ask for relevance; those of pairs take any label.
	NegativeUnjudged bool `hash:"NegativeUnjudged"`
	// JudgedOnly removes unjudged documents from the list before it is measured ("condensed
	// lists", Sakai 2007). It implies NegativeUnjudged.
	JudgedOnly bool `hash:"JudgedOnly"`
	// RetrievedOnly leaves the relevant documents that the list does not hold
	// ([List.Unretrieved]) out of the ideal ranking and the number of relevant documents.
	RetrievedOnly bool `hash:"RetrievedOnly"`
	// NaNLast takes a score that is NaN to be below every other score, and tied with other NaNs.
	// Without it NaN is an error that names the document.
	NaNLast bool `hash:"NaNLast"`

	// Threads is the number of goroutines that measure many queries; 0 or less means GOMAXPROCS.
	// Results do not depend on it.
	Threads int `file:"-"`
	// Progress reports how many of many queries have been measured; see the comment of the package.
	Progress func(done, total int64) `file:"-" json:"-"`
}

// GainTable is a gain for each integer label from 0 on. Gains are from 0 to 2⁹⁶⁰ and do not
// decrease; a label without an entry is an error.
type GainTable []float64

// OptionWords returns the words that an option accepts, the default first. The kind is preset,
// which has no default, gain, discount, ties or empty, of [Options], or loss, of [RankSVM].
func OptionWords(kind string) []string { return slices.Clone(optionWords[kind]) }

var optionWords = map[string][]string{
	"preset":   {"sklearn", "trec_eval", "trec_eval9", "xgboost", "lightgbm", "catboost", "letor4"},
	"gain":     {"exp", "linear"},
	"discount": {metrics.DiscountLog2: "log2", metrics.DiscountPosition: "position", metrics.DiscountLETOR: "letor"},
	"ties": {metrics.TiesAverage: "average", metrics.TiesStable: "stable", metrics.TiesPessimistic: "pessimistic",
		metrics.TiesOptimistic: "optimistic", metrics.TiesByKey: "key"},
	"empty": {emptySkip: "skip", emptyZero: "zero", emptyOne: "one", emptyNaN: "nan"},
	"loss":  ranksvm.LossWords,
}

// empty is the value of Options.Empty.
type empty uint8

const (
	emptySkip empty = iota
	emptyZero
	emptyOne
	emptyNaN
)

// ExpGain returns the gain 2^label − 1, the same bits on every machine: for [RankSVM]'s Gain.
func ExpGain(label float64) float64 { return metrics.ExpGain(label) }

const defaultMaxLabel = 4

// policy holds every choice; its zero value is the package's default.
type policy struct {
	metrics.Policy
	empty empty
}

// presets are those of the words.
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

// policy returns the choices that the options make, checked.
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
		return p, errs.Errorf("rank", "highest label %v: want a number above 0 and up to %d", p.MaxLabel,
			metrics.MaxExpLabel)
	case p.GainTable != nil && len(p.GainTable) == 0:
		return p, errs.New("rank", "empty gain table")
	}
	for i, g := range p.GainTable {
		if !(g >= 0) || g > metrics.MaxGain || i > 0 && g < p.GainTable[i-1] {
			return p, errs.Errorf("rank", "gain %v of label %d: gains are from 0 to %.2g and do not decrease", g, i,
				metrics.MaxGain)
		}
	}
	return p, nil
}

// choose sets v to the value that a word of a kind stands for, unless the word is "". of is what
// errors call the kind.
func choose[T ~int | ~uint8](v *T, of, kind, word string) (err error) {
	if word != "" {
		*v, err = text.ParseEnum[T]("rank", of, optionWords[kind], word)
	}
	return err
}
