package rank

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/simdrank/simdrank/internal/metricname"
)

// A Metric is a measure of one query's ranking with its cutoff and parameter,
// such as ndcg@10 or rbp(0.95). [ParseMetric] makes one.
type Metric struct {
	m     *measure
	k     int     // 0: the whole list
	param float64 // of measures that have one

	relevant RelevantFrom // 0: the policy's
}

// A measure defines one metric. The table below is all that the package knows of it: to
// add a metric, write its value function and a row.
type measure struct {
	name   string
	trec   string  // its name in trec_eval; "" when that lacks it
	k      cutoffs // whether it takes @k
	param  float64 // default of its parameter in brackets; 0 when it has none
	needs  need
	pooled bool // the mean weighs a query by its pairs with different labels
	value  func(r *ranking, m Metric) float64
}

type cutoffs uint8

const (
	cutoffOptional cutoffs = iota
	cutoffNone
	cutoffRequired
)

// need says what a measure reads of a ranking, so that the rest is not computed.
type need uint8

const (
	needGains  need = 1 << iota // gains and the ideal: undefined when the ideal is 0
	needBinary                  // relevance: undefined when nothing is relevant
	needPairs                   // every pair: undefined when all labels are equal
	needAll                     // the whole order, even with a cutoff
	needGrades                  // labels up to the highest of the scale
)

var measures = []measure{
	{name: "dcg", needs: needGains, value: (*ranking).dcg},
	{name: "ndcg", trec: "ndcg_cut", needs: needGains, value: (*ranking).ndcg},
	{name: "map", trec: "map_cut", needs: needBinary, value: (*ranking).averagePrecision},
	{name: "mrr", trec: "recip_rank", needs: needBinary, value: (*ranking).reciprocalRank},
	{name: "precision", trec: "P", k: cutoffRequired, needs: needBinary, value: (*ranking).precision},
	{name: "recall", trec: "recall", k: cutoffRequired, needs: needBinary, value: (*ranking).recall},
	{name: "f1", k: cutoffRequired, needs: needBinary, value: (*ranking).f1},
	{name: "success", trec: "success", k: cutoffRequired, needs: needBinary, value: (*ranking).success},
	{name: "r-precision", trec: "Rprec", k: cutoffNone, needs: needBinary | needAll, value: (*ranking).rPrecision},
	{name: "judged", k: cutoffRequired, value: (*ranking).judged},
	{name: "bpref", trec: "bpref", k: cutoffNone, needs: needBinary | needAll, value: (*ranking).bpref},
	{name: "err", needs: needBinary | needGrades, value: (*ranking).expectedReciprocalRank},
	{name: "rbp", param: 0.9, needs: needBinary, value: (*ranking).rankBiasedPrecision},
	{name: "auc", k: cutoffNone, needs: needBinary | needAll, value: (*ranking).auc},
	{name: "pair-accuracy", k: cutoffNone, needs: needPairs | needAll, value: (*ranking).pairAccuracy},
	{name: "pair-accuracy-pooled", k: cutoffNone, needs: needPairs | needAll, pooled: true,
		value: (*ranking).pairAccuracy},
	{name: "tau-b", k: cutoffNone, needs: needPairs | needAll, value: (*ranking).tauB},
	{name: "weighted-tau", k: cutoffNone, needs: needPairs | needAll, value: (*ranking).weightedTau},
	{name: "spearman", k: cutoffNone, needs: needPairs | needAll, value: (*ranking).spearman},
}

// Pooled reports whether the mean of the metric is over the pairs of all queries together, as of
// pair-accuracy-pooled: it has no values of queries that a test could compare.
func (m Metric) Pooled() bool { return m.m != nil && m.m.pooled }

// ParseMetric returns the metric of a name: dcg, ndcg, map, mrr, precision, recall, f1, success,
// r-precision, judged, bpref, err, rbp, auc, pair-accuracy, pair-accuracy-pooled, tau-b,
// weighted-tau or spearman, in any case. Those that look at the top of a list take a cutoff as in
// ndcg@10; precision, recall, f1, success and judged need one. rbp takes its persistence in
// brackets, as in rbp(0.95)@100; without, it is 0.9. Metrics of binary relevance take the least
// relevant label, as in map(rel=2), which goes before the option [RelevantFrom].
//
// Names of trec_eval (P_10, ndcg_cut.10, recip_rank, Rprec), ranx (hit_rate@5, rbp.95) and
// ir-measures (nDCG@10, P(rel=2)@10, AP, RR, RBP(p=0.8)) are understood too.
func ParseMetric(name string) (Metric, error) {
	bad := func(format string, args ...any) (Metric, error) {
		return Metric{}, fmt.Errorf("rank: metric %q: %s", name, fmt.Sprintf(format, args...))
	}
	n := metricname.Parse(name)
	if n.Open {
		return bad("want a parameter in brackets, as in rbp(0.95)")
	}
	i := slices.IndexFunc(measures, func(m measure) bool { return m.name == n.Base })
	if i < 0 {
		meant := ""
		if near := metricname.Near(name, measureNames()); near != nil {
			meant = "; did you mean " + strings.Join(near, " or ") + "?"
		}
		return bad("unknown: want one of %s%s", strings.Join(MetricNames(), ", "), meant)
	}
	def := &measures[i]
	m := Metric{m: def, param: def.param}
	if n.Params != nil {
		given := false // a persistence
		for param := range strings.SplitSeq(*n.Params, ",") {
			param = strings.TrimSpace(param)
			rel, isRel := strings.CutPrefix(param, "rel=")
			if !isRel {
				rel = strings.TrimPrefix(param, "p=")
			}
			v, err := strconv.ParseFloat(rel, 64)
			switch {
			case isRel && m.relevant != 0 || !isRel && given:
				return bad("parameter %q repeats one before it", param)
			case isRel && def.needs&needBinary == 0:
				return bad("%s asks for no relevant documents", def.name)
			case isRel && (err != nil || !(v > 0) || math.IsInf(v, 0)):
				return bad("want a label above 0, not %q", rel)
			case isRel:
				m.relevant = RelevantFrom(v)
				continue
			case def.param == 0:
				return bad("%s has no parameter %q", def.name, param)
			case err != nil || !(v > 0 && v < 1):
				return bad("want a parameter between 0 and 1, not %q", param)
			}
			m.param, given = v, true
		}
	}
	switch {
	case n.Cutoff != nil && def.k == cutoffNone:
		return bad("%s has no cutoff", def.name)
	case n.Cutoff != nil:
		k, err := strconv.Atoi(*n.Cutoff)
		if err != nil || k < 1 || (*n.Cutoff)[0] == '+' {
			return bad("want a cutoff of 1 or more, not %q", *n.Cutoff)
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
	for i, m := range measures {
		if m.k == cutoffRequired {
			names[i] += "@k"
		}
	}
	return names
}

func measureNames() []string {
	names := make([]string, len(measures))
	for i, m := range measures {
		names[i] = m.name
	}
	return names
}

func measureNamed(name string) *measure {
	return &measures[slices.IndexFunc(measures, func(m measure) bool { return m.name == name })]
}

// String returns the name that [ParseMetric] reads, in lower case and with the persistence of rbp.
func (m Metric) String() string {
	if m.m == nil {
		return "none"
	}
	s := m.m.name
	var params []string
	if m.m.param != 0 {
		params = append(params, strconv.FormatFloat(m.param, 'g', -1, 64))
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
func (m Metric) limit(n int) int {
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
		if m.m.param == 0 {
			return 0, fmt.Errorf("rank: %s has no persistence", m.m.name)
		}
		m.param = float64(o.persistence)
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

func named(name string) Metric { return Metric{m: measureNamed(name), param: measureNamed(name).param} }
