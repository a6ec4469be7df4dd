package metrics

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// A Metric is a measure of one query's ranking with its cutoff and parameters; see [Parse].
type Metric struct {
	m      *measure
	k      int        // cutoff; 0 for the whole list
	params [2]float64 // the parameters of the measure, in its order

	relevant float64 // the lowest relevant label; 0 for the policy's
}

// A measure defines one metric. To add a metric, write its value function and add a row to
// metricTable.
type measure struct {
	name   string
	trec   string      // name in trec_eval; "" if trec_eval does not have the metric
	k      cutoffs     // whether the name accepts @k
	params []parameter // at most two
	needs  need
	pooled bool // whether the mean weights each query by its number of pairs with different labels
	value  func(q *Query, m *Metric) float64
}

// initials returns the default values of the parameters.
func (m *measure) initials() (values [2]float64) {
	for i, p := range m.params {
		values[i] = p.initial
	}
	return values
}

func persistence(initial float64) []parameter {
	return []parameter{{name: "p", initial: initial, most: 1, open: true, bare: true}}
}

var (
	instParameters = []parameter{{name: "T", initial: 1, least: 0.5, most: 1e6},
		{name: "max_rel", most: math.MaxFloat64, open: true}} // 0 means binary relevance
	novelty = []parameter{{name: "alpha", initial: 0.5, most: 1},
		{name: "beta", initial: 0.5, most: 1, open: true}}
	// relevantFrom is the lowest relevant label, for metrics of binary relevance.
	relevantFrom = parameter{name: "rel", most: math.MaxFloat64, open: true}
)

type cutoffs uint8

const (
	cutoffOptional cutoffs = iota
	cutoffNone
	cutoffRequired
)

// need lists the parts of a ranking that a measure reads, so that the others are not computed.
type need uint8

const (
	needLabels    need = 1 << iota // labels in rank order; implied by all others except needGains
	needGains                      // gains and the ideal ranking: undefined if the ideal DCG is 0
	needBinary                     // binary relevance: undefined if no document is relevant
	needPairs                      // pairs of documents: undefined if all labels are equal
	needGrades                     // labels up to the highest label of the scale
	needSubtopics                  // judgments of subtopics: undefined if no subtopic has a relevant document
	needReference                  // the reference ranking
)

var metricTable = []measure{
	{name: "dcg", needs: needGains, value: (*Query).dcg},
	{name: "ndcg", trec: "ndcg_cut", needs: needGains, value: (*Query).ndcg},
	{name: "map", trec: "map_cut", needs: needBinary, value: (*Query).averagePrecision},
	{name: "mrr", trec: "recip_rank", needs: needBinary, value: (*Query).reciprocalRank},
	{name: "precision", trec: "P", k: cutoffRequired, needs: needBinary, value: (*Query).precision},
	{name: "recall", trec: "recall", k: cutoffRequired, needs: needBinary, value: (*Query).recall},
	{name: "f1", k: cutoffRequired, needs: needBinary, value: (*Query).f1},
	{name: "success", trec: "success", k: cutoffRequired, needs: needBinary, value: (*Query).success},
	{name: "r-precision", trec: "Rprec", k: cutoffNone, needs: needBinary, value: (*Query).rPrecision},
	{name: "judged", k: cutoffRequired, needs: needLabels, value: (*Query).judgedShare},
	{name: "bpref", trec: "bpref", k: cutoffNone, needs: needBinary, value: (*Query).bpref},
	{name: "err", needs: needBinary | needGrades, value: (*Query).expectedReciprocalRank},
	{name: "rbp", params: persistence(0.9), needs: needBinary, value: (*Query).rankBiasedPrecision},
	{name: "rbp-residual", params: persistence(0.9), needs: needLabels, value: (*Query).rbpResidual},
	{name: "inst", k: cutoffNone, params: instParameters, needs: needBinary, value: (*Query).inst},
	{name: "compat", k: cutoffNone, params: persistence(0.95), needs: needBinary, value: (*Query).compat},
	{name: "auc", k: cutoffNone, needs: needBinary, value: (*Query).auc},
	{name: "pair-accuracy", k: cutoffNone, needs: needPairs, value: (*Query).pairAccuracy},
	{name: "pair-accuracy-pooled", k: cutoffNone, needs: needPairs, pooled: true, value: (*Query).pairAccuracy},
	{name: "tau-b", k: cutoffNone, needs: needPairs, value: (*Query).tauB},
	{name: "weighted-tau", k: cutoffNone, needs: needPairs, value: (*Query).weightedTau},
	{name: "spearman", k: cutoffNone, needs: needPairs, value: (*Query).spearman},
	{name: "alpha-dcg", k: cutoffRequired, params: novelty[:1], needs: needSubtopics, value: (*Query).alphaDCG},
	{name: "alpha-ndcg", k: cutoffRequired, params: novelty[:1], needs: needSubtopics, value: (*Query).alphaNDCG},
	{name: "err-ia", k: cutoffRequired, needs: needSubtopics, value: ofTopic((*Topic).ERRIA)},
	{name: "nerr-ia", k: cutoffRequired, needs: needSubtopics, value: ofTopic((*Topic).NERRIA)},
	{name: "nrbp", k: cutoffNone, params: novelty, needs: needSubtopics, value: ofTopic((*Topic).NRBP)},
	{name: "nnrbp", k: cutoffNone, params: novelty, needs: needSubtopics, value: ofTopic((*Topic).NNRBP)},
	{name: "map-ia", k: cutoffNone, needs: needSubtopics, value: ofTopic((*Topic).MAPIA)},
	{name: "p-ia", k: cutoffRequired, needs: needSubtopics, value: ofTopic((*Topic).PrecisionIA)},
	{name: "strec", k: cutoffRequired, needs: needSubtopics, value: ofTopic((*Topic).SubtopicRecall)},
	{name: "rbo", k: cutoffNone, params: persistence(0.9), needs: needReference, value: ofCommon(RBO)},
	{name: "rbo-min", k: cutoffNone, params: persistence(0.9), needs: needReference,
		value: ofCommon(RBOLeast)},
	{name: "rbo-residual", k: cutoffNone, params: persistence(0.9), needs: needReference,
		value: ofCommon(RBOResidual)},
}

// Pooled reports whether the mean is computed over the pairs of all queries.
func (m Metric) Pooled() bool { return m.m != nil && m.m.pooled }

// NeedsSubtopics reports whether the metric needs [List.Subtopics].
func (m Metric) NeedsSubtopics() bool { return m.m != nil && m.m.needs&needSubtopics != 0 }

// NeedsReference reports whether the metric needs [List.Reference].
func (m Metric) NeedsReference() bool { return m.m != nil && m.m.needs&needReference != 0 }

// Parse returns the metric with the given name, as documented in rank.ParseMetric.
func Parse(name string) (Metric, error) {
	bad := func(format string, args ...any) (Metric, error) {
		return Metric{}, fmt.Errorf("metric %q: %s", name, fmt.Sprintf(format, args...))
	}
	n := parseName(name)
	if n.open {
		return bad("a closing parenthesis is missing: the form is rbp(0.95)")
	}
	i := slices.IndexFunc(metricTable, func(m measure) bool { return m.name == n.base })
	if i < 0 {
		if near := near(name, measureNames()); near != nil {
			return bad("the name is unknown; did you mean %s?", strings.Join(near, " or "))
		}
		return bad("the name is unknown; it must be one of %s", strings.Join(Names(), ", "))
	}
	def := &metricTable[i]
	m := Metric{m: def, params: def.initials()}
	if n.params != nil {
		params := def.params
		if def.needs&(needBinary|needSubtopics) != 0 {
			params = append(slices.Clip(params), relevantFrom)
		}
		values := append(m.params[:len(def.params):len(def.params)], 0)
		if err := readParams(*n.params, params, values); err != nil {
			return bad("%s: %v", def.name, err)
		}
		copy(m.params[:], values[:len(def.params)])
		m.relevant = values[len(def.params)]
	}
	switch {
	case n.cutoff != nil && def.k == cutoffNone:
		return bad("%s does not support a cutoff", def.name)
	case n.cutoff != nil:
		k, err := strconv.Atoi(*n.cutoff)
		if err != nil || k < 1 || (*n.cutoff)[0] == '+' {
			return bad("the cutoff must be at least 1, not %q", *n.cutoff)
		}
		if most := 1 << 20; k > most && def.needs&needSubtopics != 0 { // the sums continue below the list
			return bad("the cutoff must be at most %d, not %d", most, k)
		}
		m.k = k
	case def.k == cutoffRequired:
		return bad("a cutoff is required, for example %s@10", def.name)
	}
	return m, nil
}

// Names returns the names that [Parse] accepts. Names that require a cutoff end in "@k".
func Names() []string {
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

// String returns the name in the form that [Parse] accepts. The name is in lower case, and contains
// the persistence and all other parameters that differ from their defaults.
func (m Metric) String() string {
	if m.m == nil {
		return "none"
	}
	s := m.m.name
	var params []string
	for i, p := range m.m.params {
		if v := strconv.FormatFloat(m.params[i], 'g', -1, 64); p.name == "p" {
			params = append(params, v)
		} else if m.params[i] != p.initial {
			params = append(params, p.name+"="+v)
		}
	}
	if m.relevant != 0 {
		params = append(params, "rel="+strconv.FormatFloat(m.relevant, 'g', -1, 64))
	}
	if params != nil {
		s += "(" + strings.Join(params, ",") + ")"
	}
	if m.k > 0 {
		s += "@" + strconv.Itoa(m.k)
	}
	return s
}

// TrecName returns trec_eval's name for the metric, for example P_10 for precision@10. It returns
// "" if trec_eval does not have the metric.
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

// limit returns the number of ranks, out of n, that the metric includes.
func (m *Metric) limit(n int) int {
	if m.k > 0 && m.k < n {
		return m.k
	}
	return n
}
