package rank

import "github.com/simdrank/simdrank/internal/metrics"

// A Preset is a set of options that agrees with the tool it names.
type Preset uint8

const (
	// Sklearn is scikit-learn's ndcg_score: linear gain, tied scores averaged,
	// 0 for a query without relevant documents.
	Sklearn Preset = 1 + iota
	// TrecEval is trec_eval 10: linear gain, ties in the order of document identifiers, descending
	// ([TiesByKey]; Qrels.Lists of rank/trec has the keys), 0 for a query without relevant
	// documents, negative labels unjudged, the ideal over all judged documents. Its measure rbp is
	// not followed: see [ParseMetric].
	TrecEval
	// TrecEval9 is trec_eval 9, which rounds scores to float32, so that more of them tie. In all
	// else it is [TrecEval].
	TrecEval9
	// XGBoost is the metrics ndcg and map of XGBoost: gain 2^r−1 on integer labels up to 31, ties
	// in the order of the input, 1 for a query without relevant documents (its "ndcg-" is
	// EmptyZero).
	XGBoost
	// LightGBM is LightGBM's ndcg: gain 2^r−1 from a table for labels 0 to 30, ties in the order of
	// the input, 1 for a query without relevant documents.
	LightGBM
	// CatBoost is CatBoost's NDCG with its defaults (type Base, denominator LogPosition): linear
	// gain, tied documents with the lower label first, 1 for a query without relevant documents.
	CatBoost
	// LETOR4 is the evaluation script of LETOR 4.0: gains 0, 1, 3 for labels 0 to 2, ranks 1 and 2
	// undiscounted, ties in the order of the input, 0 for a query without relevant documents and
	// for NDCG@k of a query of fewer than k documents.
	LETOR4
)

func (p Preset) apply(o *policy) {
	switch p {
	case Sklearn:
		*o = policy{metrics.Policy{LinearGain: true, Ties: metrics.TiesAverage}, EmptyZero}
	case TrecEval, TrecEval9:
		*o = policy{metrics.Policy{LinearGain: true, Ties: metrics.TiesByKey, NegativeUnjudged: true,
			Single: p == TrecEval9}, EmptyZero}
	case XGBoost:
		*o = policy{metrics.Policy{Ties: metrics.TiesStable, IntegerMax: 31}, EmptyOne}
	case LightGBM:
		*o = policy{metrics.Policy{Ties: metrics.TiesStable, IntegerMax: 30}, EmptyOne}
	case CatBoost:
		*o = policy{metrics.Policy{LinearGain: true, Ties: metrics.TiesPessimistic}, EmptyOne}
	case LETOR4:
		*o = policy{metrics.Policy{GainTable: []float64{0, 1, 3}, Discount: metrics.DiscountLETOR,
			Ties: metrics.TiesStable, ShortZero: true}, EmptyZero}
	}
}
