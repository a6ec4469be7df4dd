package rank

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/simdrank/simdrank/internal/measures"
	"github.com/simdrank/simdrank/internal/metricname"
)

// A Metric is a measure of one query's ranking with its cutoff and parameter,
// such as ndcg@10 or rbp(0.95). [ParseMetric] makes one.
type Metric struct {
	m      *measure
	k      int        // 0: the whole list
	params [2]float64 // as many as the measure has

	relevant RelevantFrom // 0: the policy's
}

// A measure defines one metric. The table below is all that the package knows of it: to
// add a metric, write its value function and a row.
type measure struct {
	name   string
	trec   string                 // its name in trec_eval; "" when that lacks it
	k      cutoffs                // whether it takes @k
	params []metricname.Parameter // at most two
	needs  need
	pooled bool // the mean weighs a query by its pairs with different labels
	value  func(r *ranking, m *Metric) float64
}

// initials returns the parameters that a name without any means.
func (m *measure) initials() (values [2]float64) {
	for i, p := range m.params {
		values[i] = p.Initial
	}
	return values
}

func persistence(initial float64) []metricname.Parameter {
	return []metricname.Parameter{{Name: "p", Initial: initial, Most: 1, Open: true, Bare: true}}
}

var (
	instParameters = []metricname.Parameter{{Name: "T", Initial: 1, Least: 0.5, Most: 1e6},
		{Name: "max_rel", Most: math.MaxFloat64, Open: true}} // 0: relevant or not
	novelty = []metricname.Parameter{{Name: "alpha", Initial: 0.5, Most: 1},
		{Name: "beta", Initial: 0.5, Most: 1, Open: true}}
	// relevantFrom is the least relevant label, of metrics that ask for relevance.
	relevantFrom = metricname.Parameter{Name: "rel", Most: math.MaxFloat64, Open: true}
)

type cutoffs uint8

const (
	cutoffOptional cutoffs = iota
	cutoffNone
	cutoffRequired
)

// need says what a measure reads of a ranking, so that the rest is not computed.
type need uint8

const (
	needLabels    need = 1 << iota // labels in rank order, which all needs but needGains fill too
	needGains                      // gains and the ideal: undefined when the ideal is 0
	needBinary                     // relevance: undefined when nothing is relevant
	needPairs                      // every pair: undefined when all labels are equal
	needGrades                     // labels up to the highest of the scale
	needSubtopics                  // judgments of subtopics: undefined when no document is relevant to one
	needReference                  // the reference ranking
)

var metricTable = []measure{
	{name: "dcg", needs: needGains, value: (*ranking).dcg},
	{name: "ndcg", trec: "ndcg_cut", needs: needGains, value: (*ranking).ndcg},
	{name: "map", trec: "map_cut", needs: needBinary, value: (*ranking).averagePrecision},
	{name: "mrr", trec: "recip_rank", needs: needBinary, value: (*ranking).reciprocalRank},
	{name: "precision", trec: "P", k: cutoffRequired, needs: needBinary, value: (*ranking).precision},
	{name: "recall", trec: "recall", k: cutoffRequired, needs: needBinary, value: (*ranking).recall},
	{name: "f1", k: cutoffRequired, needs: needBinary, value: (*ranking).f1},
	{name: "success", trec: "success", k: cutoffRequired, needs: needBinary, value: (*ranking).success},
	{name: "r-precision", trec: "Rprec", k: cutoffNone, needs: needBinary, value: (*ranking).rPrecision},
	{name: "judged", k: cutoffRequired, needs: needLabels, value: (*ranking).judged},
	{name: "bpref", trec: "bpref", k: cutoffNone, needs: needBinary, value: (*ranking).bpref},
	{name: "err", needs: needBinary | needGrades, value: (*ranking).expectedReciprocalRank},
	{name: "rbp", params: persistence(0.9), needs: needBinary, value: (*ranking).rankBiasedPrecision},
	{name: "rbp-residual", params: persistence(0.9), needs: needLabels, value: (*ranking).rbpResidual},
	{name: "inst", k: cutoffNone, params: instParameters, needs: needBinary, value: (*ranking).inst},
	{name: "compat", k: cutoffNone, params: persistence(0.95), needs: needBinary, value: (*ranking).compat},
	{name: "auc", k: cutoffNone, needs: needBinary, value: (*ranking).auc},
	{name: "pair-accuracy", k: cutoffNone, needs: needPairs, value: (*ranking).pairAccuracy},
	{name: "pair-accuracy-pooled", k: cutoffNone, needs: needPairs, pooled: true, value: (*ranking).pairAccuracy},
	{name: "tau-b", k: cutoffNone, needs: needPairs, value: (*ranking).tauB},
	{name: "weighted-tau", k: cutoffNone, needs: needPairs, value: (*ranking).weightedTau},
	{name: "spearman", k: cutoffNone, needs: needPairs, value: (*ranking).spearman},
	{name: "alpha-dcg", k: cutoffRequired, params: novelty[:1], needs: needSubtopics, value: (*ranking).alphaDCG},
	{name: "alpha-ndcg", k: cutoffRequired, params: novelty[:1], needs: needSubtopics, value: (*ranking).alphaNDCG},
	{name: "err-ia", k: cutoffRequired, needs: needSubtopics, value: ofTopic((*measures.Topic).ERRIA)},
	{name: "nerr-ia", k: cutoffRequired, needs: needSubtopics, value: ofTopic((*measures.Topic).NERRIA)},
	{name: "nrbp", k: cutoffNone, params: novelty, needs: needSubtopics, value: ofTopic((*measures.Topic).NRBP)},
	{name: "nnrbp", k: cutoffNone, params: novelty, needs: needSubtopics, value: ofTopic((*measures.Topic).NNRBP)},
	{name: "map-ia", k: cutoffNone, needs: needSubtopics, value: ofTopic((*measures.Topic).MAPIA)},
	{name: "p-ia", k: cutoffRequired, needs: needSubtopics, value: ofTopic((*measures.Topic).PrecisionIA)},
	{name: "strec", k: cutoffRequired, needs: needSubtopics, value: ofTopic((*measures.Topic).SubtopicRecall)},
	{name: "rbo", k: cutoffNone, params: persistence(0.9), needs: needReference, value: ofCommon(measures.RBO)},
	{name: "rbo-min", k: cutoffNone, params: persistence(0.9), needs: needReference,
		value: ofCommon(measures.RBOLeast)},
	{name: "rbo-residual", k: cutoffNone, params: persistence(0.9), needs: needReference,
		value: ofCommon(measures.RBOResidual)},
}

// Pooled reports whether the mean of the metric is over the pairs of all queries together, as of
// pair-accuracy-pooled: it has no values of queries that a test could compare.
func (m Metric) Pooled() bool { return m.m != nil && m.m.pooled }

// NeedsSubtopics reports whether the metric is one of diversity, which needs [List.Subtopics].
func (m Metric) NeedsSubtopics() bool { return m.m != nil && m.m.needs&needSubtopics != 0 }

// NeedsReference reports whether the metric compares with another ranking, which needs
// [List.Reference].
func (m Metric) NeedsReference() bool { return m.m != nil && m.m.needs&needReference != 0 }

// ParseMetric returns the metric of a name: dcg, ndcg, map, mrr, precision, recall, f1, success,
// r-precision, judged, bpref, err, rbp, rbp-residual, inst, compat, auc, pair-accuracy,
// pair-accuracy-pooled, tau-b, weighted-tau, spearman, alpha-dcg, alpha-ndcg, err-ia, nerr-ia,
// nrbp, nnrbp, map-ia, p-ia, strec, rbo, rbo-min or rbo-residual, in any case. Those that look at
// the top of a list take a cutoff as in ndcg@10, which precision, recall, f1, success, judged and
// most of those of diversity need. A persistence stands in brackets, as in rbp(0.95)@100; other
// numbers by name: alpha and beta, as in nrbp(alpha=0.7,beta=0.8), the T of inst and the label of
// its greatest gain, as in inst(T=2,max_rel=3), and the least relevant label, as in map(rel=2),
// which overrides the option [RelevantFrom].
//
// Names of trec_eval (P_10, ndcg_cut.10, recip_rank, Rprec), ndeval (alpha-nDCG@20, ERR-IA@20),
// ranx (hit_rate@5, rbp.95) and ir-measures (nDCG@10, P(rel=2)@10, AP, RR, RBP(p=0.8), AP_IA,
// StRecall@10) are understood too.
func ParseMetric(name string) (Metric, error) {
	bad := func(format string, args ...any) (Metric, error) {
		return Metric{}, fmt.Errorf("rank: metric %q: %s", name, fmt.Sprintf(format, args...))
	}
	n := metricname.Parse(name)
	if n.Open {
		return bad("want a parameter in brackets, as in rbp(0.95)")
	}
	i := slices.IndexFunc(metricTable, func(m measure) bool { return m.name == n.Base })
	if i < 0 {
		if near := metricname.Near(name, measureNames()); near != nil {
			return bad("unknown; did you mean %s?", strings.Join(near, " or "))
		}
		return bad("unknown: want one of %s", strings.Join(MetricNames(), ", "))
	}
	def := &metricTable[i]
	m := Metric{m: def, params: def.initials()}
	if n.Params != nil {
		params := def.params
		if def.needs&(needBinary|needSubtopics) != 0 {
			params = append(slices.Clip(params), relevantFrom)
		}
		values := append(m.params[:len(def.params):len(def.params)], 0)
		if err := metricname.Numbers(*n.Params, params, values); err != nil {
			return bad("%s: %v", def.name, err)
		}
		copy(m.params[:], values[:len(def.params)])
		m.relevant = RelevantFrom(values[len(def.params)])
	}
	switch {
	case n.Cutoff != nil && def.k == cutoffNone:
		return bad("%s has no cutoff", def.name)
	case n.Cutoff != nil:
		k, err := strconv.Atoi(*n.Cutoff)
		if err != nil || k < 1 || (*n.Cutoff)[0] == '+' {
			return bad("want a cutoff of 1 or more, not %q", *n.Cutoff)
		}
		if most := 1 << 20; k > most && def.needs&needSubtopics != 0 { // sums go on below the list
			return bad("want a cutoff of at most %d, not %d", most, k)
		}
		m.k = k
	case def.k == cutoffRequired:
		return bad("want a cutoff, as in %s@10", def.name)
	}
	return m, nil
}

// ParseMetrics returns the metrics of a list of names between commas.
func ParseMetrics(list string) ([]Metric, error) {
	var ms []Metric
	for _, name := range metricname.Split(list) {
		m, err := ParseMetric(name)
		if err != nil {
			return nil, err
		}
		if slices.Contains(ms, m) {
			return nil, fmt.Errorf("rank: metric %s is named twice", m)
		}
		ms = append(ms, m)
	}
	return ms, nil
}

// MustParseMetrics is [ParseMetrics] for a list that is part of the program. It panics on an error.
func MustParseMetrics(list string) []Metric {
	ms, err := ParseMetrics(list)
	if err != nil {
		panic(err)
	}
	return ms
}

// MetricNames returns the names that [ParseMetric] knows, those that need a cutoff with "@k".
func MetricNames() []string {
	names := measureNames()
	for i, m := range metricTable {
		if m.k == cutoffRequired {
			names[i] += "@k"
		}
	}
	return names
}

func measureNames() []string {
	names := make([]string, len(metricTable))
	for i, m := range metricTable {
		names[i] = m.name
	}
	return names
}

// String returns the name that [ParseMetric] reads, in lower case, with the persistence and with
// those of the other parameters that are not the default.
func (m Metric) String() string {
	if m.m == nil {
		return "none"
	}
	s := m.m.name
	var params []string
	for i, p := range m.m.params {
		if v := strconv.FormatFloat(m.params[i], 'g', -1, 64); p.Name == "p" {
			params = append(params, v)
		} else if m.params[i] != p.Initial {
			params = append(params, p.Name+"="+v)
		}
	}
	if m.relevant != 0 {
		params = append(params, "rel="+strconv.FormatFloat(float64(m.relevant), 'g', -1, 64))
	}
	if params != nil {
		s += "(" + strings.Join(params, ",") + ")"
	}
	if m.k > 0 {
		s += "@" + strconv.Itoa(m.k)
	}
	return s
}

// MarshalText is String, for JSON.
func (m Metric) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// UnmarshalText is [ParseMetric].
func (m *Metric) UnmarshalText(text []byte) (err error) {
	*m, err = ParseMetric(string(text))
	return err
}

// TrecName returns the name that trec_eval gives the metric, as P_10 for precision@10;
// "" when trec_eval lacks it.
func (m Metric) TrecName() string {
	switch {
	case m.m == nil || m.m.trec == "" || m.relevant != 0:
		return ""
	case m.k == 0:
		return strings.TrimSuffix(m.m.trec, "_cut")
	case m.m.k == cutoffRequired || strings.HasSuffix(m.m.trec, "_cut"):
		return m.m.trec + "_" + strconv.Itoa(m.k)
	}
	return ""
}

// Cutoff returns k, or 0 for the whole list.
func (m Metric) Cutoff() int { return m.k }

// limit returns how many of n ranks a metric looks at.
func (m *Metric) limit(n int) int {
	if m.k > 0 && m.k < n {
		return m.k
	}
	return n
}

// one computes one metric of one query for the functions below.
func one(m Metric, labels, scores []float64, opts []Option) (float64, error) {
	o, err := newPolicy(opts)
	if err != nil {
		return 0, err
	}
	if o.k > 0 {
		if m.m.k == cutoffNone {
			return 0, fmt.Errorf("rank: %s has no cutoff", m.m.name)
		}
		m.k = o.k
	}
	if o.persistence > 0 {
		if m.m.params == nil { // of a metric with a function, that of rbp is the only one
			return 0, fmt.Errorf("rank: %s has no persistence", m.m.name)
		}
		m.params[0] = float64(o.persistence)
	}
	e, err := newEvaluator([]Metric{m}, o)
	if err != nil {
		return 0, err
	}
	var value [1]float64
	if _, err := e.Eval(value[:0], &List{Labels: labels, Scores: scores}); err != nil {
		return 0, err
	}
	return value[0], nil
}

func named(name string) Metric {
	i := slices.IndexFunc(metricTable, func(m measure) bool { return m.name == name })
	return Metric{m: &metricTable[i], params: metricTable[i].initials()}
}
