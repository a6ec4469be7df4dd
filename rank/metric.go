package rank

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/simdrank/simdrank/internal/order"
	"github.com/simdrank/simdrank/internal/portable"
)

// A Metric is a measure of one query's ranking with its cutoff and parameter,
// such as ndcg@10 or rbp(0.95). [ParseMetric] makes one.
type Metric struct {
	m     *measure
	k     int     // 0: the whole list
	param float64 // of measures that have one
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
	{name: "success", trec: "success", k: cutoffRequired, needs: needBinary, value: (*ranking).success},
	{name: "r-precision", trec: "Rprec", k: cutoffNone, needs: needBinary | needAll, value: (*ranking).rPrecision},
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

// ParseMetric returns the metric of a name: dcg, ndcg, map, mrr, precision, recall, success,
// r-precision, bpref, err, rbp, auc, pair-accuracy, pair-accuracy-pooled, tau-b, weighted-tau or
// spearman, in any case. Those that look at the top of a list take a cutoff as in ndcg@10;
// precision, recall and success need one. rbp takes its persistence in brackets, as in
// rbp(0.95)@100; without, it is 0.9. The names of trec_eval (P_10, ndcg_cut_10, map_cut_10,
// recip_rank, recall_10, success_10, Rprec) are understood too.
func ParseMetric(name string) (Metric, error) {
	bad := func(format string, args ...any) (Metric, error) {
		return Metric{}, fmt.Errorf("rank: metric %q: %s", name, fmt.Sprintf(format, args...))
	}
	base, cut, hasCut := strings.Cut(strings.TrimSpace(name), "@")
	base, param, hasParam := strings.Cut(base, "(")
	if hasParam {
		var closed bool
		if param, closed = strings.CutSuffix(param, ")"); !closed {
			return bad("want a parameter in brackets, as in rbp(0.95)")
		}
	}
	def := measureNamed(base)
	if def == nil && !hasCut && !hasParam {
		if def = measureOfTREC(base); def == nil {
			if i := strings.LastIndexByte(base, '_'); i >= 0 {
				def, cut, hasCut = measureOfTREC(base[:i]), base[i+1:], true
				if def != nil && def.k == cutoffNone {
					def = nil
				}
			}
		}
	}
	if def == nil {
		return bad("unknown: want one of %s", strings.Join(MetricNames(), ", "))
	}
	m := Metric{m: def, param: def.param}
	if hasParam {
		v, err := strconv.ParseFloat(param, 64)
		switch {
		case def.param == 0:
			return bad("%s has no parameter", def.name)
		case err != nil || !(v > 0 && v < 1):
			return bad("want a parameter between 0 and 1, not %q", param)
		}
		m.param = v
	}
	switch {
	case hasCut && def.k == cutoffNone:
		return bad("%s has no cutoff", def.name)
	case hasCut:
		k, err := strconv.Atoi(cut)
		if err != nil || k < 1 || cut[0] == '+' {
			return bad("want a cutoff of 1 or more, not %q", cut)
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
	for name := range strings.SplitSeq(list, ",") {
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
	names := make([]string, len(measures))
	for i, m := range measures {
		names[i] = m.name
		if m.k == cutoffRequired {
			names[i] += "@k"
		}
	}
	return names
}

func measureNamed(name string) *measure {
	for i := range measures {
		if strings.EqualFold(measures[i].name, name) {
			return &measures[i]
		}
	}
	return nil
}

func measureOfTREC(name string) *measure {
	for i := range measures {
		if strings.EqualFold(measures[i].trec, name) && name != "" {
			return &measures[i]
		}
	}
	return nil
}

// String returns the name that [ParseMetric] reads, in lower case and with the persistence of rbp.
func (m Metric) String() string {
	if m.m == nil {
		return "none"
	}
	s := m.m.name
	if m.m.param != 0 {
		s += "(" + strconv.FormatFloat(m.param, 'g', -1, 64) + ")"
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
	case m.m == nil || m.m.trec == "":
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

// DCG returns the discounted cumulative gain of one query at cutoff k ([At]; default: no cutoff):
//
//	DCG@k = Σ gain(rᵢ)·discount(i), i = 1 … k
//
// where rᵢ is the label of the document at rank i by descending score (Järvelin and Kekäläinen
// 2002; the default gain 2^r−1 and discount 1/log₂(i+1) are Burges et al.'s of 2005). The terms
// enter in the order of [kernels.DotF64]. A query without gain is treated as [Empty] says: skipped,
// hence NaN, by default.
func DCG(labels, scores []float64, opts ...Option) (float64, error) {
	return one(named("dcg"), labels, scores, opts)
}

// NDCG returns DCG@k divided by the DCG@k of the ideal ranking, by descending
// label: 1 is best. See [DCG] for formula and options; a k above the number of
// documents is that number, and a query without gain is NaN unless [Empty] says otherwise.
func NDCG(labels, scores []float64, opts ...Option) (float64, error) {
	return one(named("ndcg"), labels, scores, opts)
}

func (r *ranking) dcg(m Metric) float64 {
	return r.weigh(r.gains, m.limit(r.n))
}

func (r *ranking) ndcg(m Metric) float64 {
	if r.short(m.k) {
		return 0
	}
	return r.weigh(r.gains, m.limit(r.n)) / r.idealDCG(m.limit(len(r.ideal)))
}

// AveragePrecision returns the mean over all relevant documents of the precision at their ranks, 0
// for those below the cutoff or not retrieved (TREC; XGBoost's map and trec_eval's map_cut divide
// by all relevant documents too, whatever k is):
//
//	AP@k = (1/R)·Σ relᵢ·P@i, i = 1 … k
//
// Its mean over queries is MAP, the metric "map".
func AveragePrecision(labels, scores []float64, opts ...Option) (float64, error) {
	return one(named("map"), labels, scores, opts)
}

func (r *ranking) averagePrecision(m Metric) float64 {
	k := m.limit(r.n)
	sum, before := 0.0, 0.0
	for lo, hi := 0, 0; lo < k; lo = hi {
		hi = r.end(lo)
		// Of size documents tied, rel are relevant: the one at the j-th place is so with
		// probability rel/size, and then the j−1 before it hold (j−1)(rel−1)/(size−1) others in the
		// mean.
		rel, size := float64(r.relevantIn(lo, hi)), float64(hi-lo)
		if rel > 0 {
			step := 0.0
			if size > 1 {
				step = (rel - 1) / (size - 1)
			}
			for i := lo; i < min(hi, k); i++ {
				hits := before + 1 + float64(float64(i-lo)*step)
				sum += rel / size * hits / float64(i+1)
			}
		}
		before += rel
	}
	return sum / float64(r.relevant)
}

// ReciprocalRank returns 1/i for the rank i of the first relevant document, 0
// when none is among the first k (Voorhees 1999). Its mean over queries is MRR, the metric "mrr".
func ReciprocalRank(labels, scores []float64, opts ...Option) (float64, error) {
	return one(named("mrr"), labels, scores, opts)
}

func (r *ranking) reciprocalRank(m Metric) float64 {
	return r.cascade(m.limit(r.n), r.relevance, reciprocal)
}

// Success returns 1 when a relevant document is among the first k, else 0: the metric
// "success@k", also called hit rate. The cutoff k ([At]) is required.
func Success(labels, scores []float64, opts ...Option) (float64, error) {
	return one(named("success"), labels, scores, opts)
}

func (r *ranking) success(m Metric) float64 {
	return r.cascade(m.limit(r.n), r.relevance, func(int) float64 { return 1 })
}

// Precision returns the share of relevant documents among the first k: the metric "precision@k". A
// list shorter than k counts as if documents that are not relevant followed, as in trec_eval. The
// cutoff k ([At]) is required.
func Precision(labels, scores []float64, opts ...Option) (float64, error) {
	return one(named("precision"), labels, scores, opts)
}

func (r *ranking) precision(m Metric) float64 {
	return r.hits(m.limit(r.n)) / float64(m.k)
}

// Recall returns the share of all relevant documents that are among the first k:
// the metric "recall@k". The cutoff k ([At]) is required.
func Recall(labels, scores []float64, opts ...Option) (float64, error) {
	return one(named("recall"), labels, scores, opts)
}

func (r *ranking) recall(m Metric) float64 {
	return r.hits(m.limit(r.n)) / float64(r.relevant)
}

// RPrecision returns the precision at R, the number of relevant documents (TREC): the metric
// "r-precision".
func RPrecision(labels, scores []float64, opts ...Option) (float64, error) {
	return one(named("r-precision"), labels, scores, opts)
}

func (r *ranking) rPrecision(Metric) float64 {
	return r.hits(min(r.relevant, r.n)) / float64(r.relevant)
}

// Bpref returns binary preference (Buckley and Voorhees 2004, as trec_eval computes it
// since version 8), which ignores documents that nobody judged:
//
//	bpref = (1/R)·Σ 1 − min(n_d, R)/min(N, R)   over the relevant documents d retrieved
//
// with n_d the judged documents above d that are not relevant, N all of those, R all relevant ones.
func Bpref(labels, scores []float64, opts ...Option) (float64, error) {
	return one(named("bpref"), labels, scores, opts)
}

func (r *ranking) bpref(Metric) float64 {
	most := min(r.relevant, r.nonrelevant)
	sum, above := 0.0, 0
	for lo, hi := 0, 0; lo < r.n; lo = hi {
		hi = r.end(lo)
		rel := r.relevantIn(lo, hi)
		non := 0
		for _, l := range r.labels[lo:hi] {
			if !r.o.isRelevant(l) && !r.o.unjudged(l) {
				non++
			}
		}
		if rel > 0 {
			// Of non documents tied with d, each number from 0 to non stands above it equally
			// likely.
			lost := 0.0
			for n := above; n <= above+non; n++ {
				if n >= r.relevant { // and so on to the end
					lost += float64(above + non - n + 1)
					break
				}
				if n > 0 {
					lost += float64(min(n, r.relevant)) / float64(most)
				}
			}
			sum += float64(float64(rel) * (1 - lost/float64(non+1)))
		}
		above += non
	}
	return sum / float64(r.relevant)
}

// ERR returns the expected reciprocal rank (Chapelle et al. 2009): a user looks from the top and
// stops at a document with probability s(r) = (2^r−1)/2^max, with max the highest label of the
// scale ([MaxLabel], default 4; a higher label is an error):
//
//	ERR@k = Σ (1/i)·s(rᵢ)·∏ (1−s(rⱼ)), j < i, i = 1 … k
func ERR(labels, scores []float64, opts ...Option) (float64, error) {
	return one(named("err"), labels, scores, opts)
}

func (r *ranking) expectedReciprocalRank(m Metric) float64 {
	top := portable.Exp2m1(float64(r.o.maxLabel)) + 1
	return r.cascade(m.limit(r.n), func(label float64) float64 {
		if label <= 0 {
			return 0
		}
		return portable.Exp2m1(label) / top
	}, reciprocal)
}

// cascade returns Σ weight(i)·P(the user stops at rank i) over the first k ranks, for
// a user who looks from the top and stops at a document with a probability that its label gives.
func (r *ranking) cascade(k int, stop func(label float64) float64, weight func(rank int) float64) float64 {
	sum, alive := 0.0, 1.0 // alive: the probability that the user has come this far
	for lo, hi := 0, 0; lo < k && alive > 0; lo = hi {
		hi = r.end(lo)
		if hi == lo+1 {
			s := stop(r.labels[lo])
			sum += float64(weight(lo+1) * float64(alive*s))
			alive *= 1 - s
			continue
		}
		// The mean over the orders of the tied documents: pass[j] is the probability to pass j of
		// them.
		most := min(hi, k) - lo
		r.stops = r.stops[:0]
		for _, label := range r.labels[lo:hi] {
			r.stops = append(r.stops, stop(label))
		}
		slices.Sort(r.stops)
		pass := r.passing(most)
		for j := 1; j < len(pass); j++ {
			sum += float64(weight(lo+j) * float64(alive*(pass[j-1]-pass[j])))
		}
		for _, s := range r.stops {
			alive *= 1 - s
		}
	}
	return sum
}

// passing returns, for j from 0 to most, the probability to pass j documents that are drawn one
// after the other from those with the sorted probabilities of r.stops; no more of it than is above
// 1e-18.
//
// Of documents that are alike it is (1−s)^j. Documents of two kinds, n of one and m of the other,
// are passed with
//
//	pass[j] = Σ C(n,h)·C(m,j−h)/C(n+m,j) · a[h]·b[j−h]
//
// so that the kinds are joined one by one. Of the hypergeometric weights only those matter that are
// not far from the greatest: √j of them, or fewer where a or b have fallen to nothing.
func (r *ranking) passing(most int) []float64 {
	const nothing = 1e-18
	a, b, joined := r.pass[0], r.pass[1], r.pass[2]
	a = append(a[:0], 1) // of no documents yet
	n := 0
	for lo := 0; lo < len(r.stops); {
		s, m := r.stops[lo], 0
		for lo+m < len(r.stops) && r.stops[lo+m] == s {
			m++
		}
		b = append(b[:0], 1)
		for j := 1; j <= min(m, most) && b[j-1] >= nothing; j++ {
			b = append(b, float64(b[j-1]*(1-s)))
		}
		if lo += m; n == 0 {
			a, b, n = b, a, m
			continue
		}
		joined = append(joined[:0], 1)
		for j := 1; j <= min(n+m, most) && joined[j-1] >= nothing; j++ {
			joined = append(joined, joint(a, b, n, m, j))
		}
		a, joined = joined, a
		n += m
	}
	r.pass = [3][]float64{a, b, joined}
	return a
}

// joint returns the mean of a[h]·b[j−h] when h of j documents drawn are from n, the others from m;
// a and b are 0 beyond their ends.
func joint(a, b []float64, n, m, j int) float64 {
	least, greatest := max(0, j-m), min(n, j)
	mode := min(max(int(float64(j+1)*float64(n+1)/float64(n+m+2)), least), greatest)
	// The weights relative to that of the mode, and their sum.
	sum, weights := 0.0, 0.0
	add := func(h int, w float64) {
		weights += w
		if h < len(a) && j-h < len(b) {
			sum += float64(float64(w*a[h]) * b[j-h])
		}
	}
	add(mode, 1)
	w := 1.0
	for h := mode; h < greatest && w > 1e-20; h++ {
		w = float64(w * (float64(n-h) * float64(j-h) / (float64(h+1) * float64(m-j+h+1))))
		add(h+1, w)
	}
	w = 1
	for h := mode; h > least && w > 1e-20; h-- {
		w = float64(w * (float64(h) * float64(m-j+h) / (float64(n-h+1) * float64(j-h+1))))
		add(h-1, w)
	}
	return sum / weights
}

func reciprocal(i int) float64 { return 1 / float64(i) }

// RBP returns rank-biased precision (Moffat and Zobel 2008) of persistence p, the
// probability that a user looks at the next document:
//
//	RBP = (1−p)·Σ relᵢ·p^(i−1), i = 1 … k
//
// The metric is "rbp(p)", and "rbp" means rbp(0.9). It is not the measure rbp of trec_eval 10,
// which takes graded labels and scales them by bounds that it leaves uninitialized: its value
// depends on the compiler, and on the other measures asked for.
func RBP(labels, scores []float64, p float64, opts ...Option) (float64, error) {
	if !(p > 0 && p < 1) {
		return 0, fmt.Errorf("rank: persistence %v: want a number between 0 and 1", p)
	}
	m := named("rbp")
	m.param = p
	return one(m, labels, scores, opts)
}

func (r *ranking) rankBiasedPrecision(m Metric) float64 {
	sum, weight := 0.0, 1-m.param
	for _, rel := range r.chances[:m.limit(r.n)] {
		sum += float64(rel * weight)
		weight *= m.param
	}
	return sum
}

// AUC returns the area under the ROC curve of one query: the share of pairs of a relevant and
// another document that are ordered rightly, equal scores counting one half (Hanley and McNeil
// 1982) unless [Ties] puts them in an order. It is undefined, and treated as [Empty] says, without
// documents of both kinds. Unjudged documents are left out.
func AUC(labels, scores []float64, opts ...Option) (float64, error) {
	return one(named("auc"), labels, scores, opts)
}

func (r *ranking) auc(Metric) float64 {
	var right, rels, nons float64 // right counts halves
	for lo, hi := 0, 0; lo < r.n; lo = hi {
		hi = r.end(lo)
		var rel, non float64
		for _, l := range r.labels[lo:hi] {
			if r.o.isRelevant(l) {
				rel++
			} else if !r.o.unjudged(l) {
				non++
			}
		}
		right += float64(2*rels*non) + float64(rel*non)
		rels, nons = rels+rel, nons+non
	}
	if rels == 0 || nons == 0 {
		return math.NaN()
	}
	return right / (2 * rels * nons)
}

// PairAccuracy returns the share of pairs of documents with different labels that the
// scores order rightly, equal scores counting one half:
//
//	(P + T/2) / (P + Q + T)
//
// with P concordant and Q discordant pairs and T those with equal scores. It is undefined, and
// treated as [Empty] says, when all labels are equal. Labels may be any numbers; unjudged documents
// are left out.
//
// Over many queries, the metric "pair-accuracy" is the mean of the queries' values, as of every
// other metric (SVMrank's loss is 1 less that mean where no scores are equal). The metric
// "pair-accuracy-pooled" is the share of all pairs of all queries (CatBoost's PairAccuracy): its
// mean weighs a query by its pairs, so that queries without pairs have no influence whatever
// [Empty] says, but for [EmptyNaN].
func PairAccuracy(labels, scores []float64, opts ...Option) (float64, error) {
	return one(named("pair-accuracy"), labels, scores, opts)
}

func (r *ranking) pairAccuracy(Metric) float64 {
	k := r.kendall()
	r.labelPairs = float64(k.Pairs() - k.TiedX)
	return (float64(k.Concordant) + float64(float64(k.TiedY-k.TiedBoth)/2)) / r.labelPairs
}

// tauB is [KendallTau]'s tau-b of labels and scores; 0 when the scores are constant and the labels
// are not: a ranker that tells nothing apart agrees with nothing, and is not let off.
func (r *ranking) tauB(Metric) float64 {
	k := r.kendall()
	if k.DistinctY == 1 {
		return 0
	}
	return k.TauB()
}

func (r *ranking) kendall() Kendall {
	r.pairsOf.Threads = 1
	k, err := KendallTauOf(&r.pairsOf, r.x, r.y)
	if err != nil {
		panic(err) // lengths are equal, and pairs has left no NaN
	}
	return k
}

// pairs fills x and y with the labels and scores of judged documents, in rank order; ranks
// stand in for the scores when some are NaN. It tells whether two labels differ.
func (r *ranking) pairs() bool {
	r.x, r.y = r.x[:0], r.y[:0]
	nans := r.n > 0 && math.IsNaN(r.score(order.KeyIndex(r.keys[r.n-1])))
	place := 0.0
	for i, l := range r.labels {
		if i > 0 && !r.tiedAt(i) {
			place--
		}
		if r.o.unjudged(l) {
			continue
		}
		r.x = append(r.x, l)
		if nans {
			r.y = append(r.y, place)
		} else {
			r.y = append(r.y, r.score(order.KeyIndex(r.keys[i])))
		}
	}
	for _, l := range r.x {
		if l != r.x[0] {
			return true
		}
	}
	return false
}

// Spearman returns Spearman's rank correlation (1904) of labels and scores: Pearson's correlation
// of their ranks, equal values taking the mean of theirs. It is undefined, and treated as [Empty]
// says, when all labels are equal, and 0 when only all scores are.
func Spearman(labels, scores []float64, opts ...Option) (float64, error) {
	return one(named("spearman"), labels, scores, opts)
}

func (r *ranking) spearman(Metric) float64 {
	n := len(r.x)
	r.u, r.v = midRanks(r.u, &r.order, r.x), midRanks(r.v, &r.order, r.y)
	var xy, xx, yy float64
	for i := range n {
		// Twice the ranks less their mean: integers.
		a, b := r.u[i]-float64(n+1), r.v[i]-float64(n+1)
		xy += float64(a * b)
		xx += float64(a * a)
		yy += float64(b * b)
	}
	if yy == 0 {
		return 0
	}
	return max(-1, min(1, xy/math.Sqrt(xx)/math.Sqrt(yy)))
}

// midRanks appends to dst[:0] twice the rank of each value from the smallest, equal values taking
// the mean of theirs. order is scratch.
func midRanks(dst []float64, order *[]int32, v []float64) []float64 {
	o := (*order)[:0]
	dst = dst[:0]
	for i := range v {
		o = append(o, int32(i))
		dst = append(dst, 0)
	}
	slices.SortFunc(o, func(a, b int32) int { return cmp.Compare(v[a], v[b]) })
	for lo := 0; lo < len(o); {
		hi := lo + 1
		for hi < len(o) && v[o[hi]] == v[o[lo]] {
			hi++
		}
		for twice := float64(lo + hi + 1); lo < hi; lo++ {
			dst[o[lo]] = twice
		}
	}
	*order = o
	return dst
}

// RBO returns the rank-biased overlap of two rankings (Webber, Moffat and Zobel 2010), extrapolated
// from what of them is given (their equation 32): 1 for the same order, 0 without common items. The
// shorter ranking has s items and the longer l, X_d is the number of items that their first d have
// in common:
//
//	RBO = (1−p)/p·(Σ X_d/d·p^d + Σ X_s(d−s)/(s·d)·p^d) + ((X_l−X_s)/l + X_s/s)·p^l
//
// with d from 1 to l in the first sum and from s+1 to l in the second. The persistence p, between 0
// and 1, is the weight of a rank relative to the one above. A ranking holds no item twice. Two
// empty rankings have the overlap 1, an empty and another one 0. [Run.Ranking] gives the rankings
// of runs.
//
// It is a function and no [Metric], for these measure one ranking by labels.
func RBO[T comparable](a, b []T, p float64) (float64, error) {
	if !(p > 0 && p < 1) {
		return 0, fmt.Errorf("rank: persistence %v: want a number between 0 and 1", p)
	}
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(a) == 0 {
		if len(b) == 0 {
			return 1, nil
		}
		return 0, nil
	}
	s, l := len(a), len(b)
	const inA, inB = 1, 2
	seen := make(map[T]uint8, l)
	common := 0
	enter := func(item T, list uint8) error {
		had := seen[item]
		if had&list != 0 {
			return fmt.Errorf("rank: a ranking holds %v twice", item)
		}
		if had != 0 {
			common++
		}
		seen[item] = had | list
		return nil
	}
	var sum, commonS float64
	weight := 1.0 // p^d
	for d := 1; d <= l; d++ {
		if d <= s {
			if err := enter(a[d-1], inA); err != nil {
				return 0, err
			}
		}
		if err := enter(b[d-1], inB); err != nil {
			return 0, err
		}
		weight *= p
		x := float64(common)
		if d <= s {
			commonS = x
		} else {
			x += commonS * float64(d-s) / float64(s)
		}
		sum += float64(x / float64(d) * weight)
	}
	last := (float64(common)-commonS)/float64(l) + commonS/float64(s)
	return float64((1-p)/p*sum) + float64(last*weight), nil
}

// WeightedTau returns the weighted tau of labels and scores (Vigna 2015), in which a swap
// at the top counts more: tau-b with the weight
//
//	w(i, j) = 1/(ρᵢ+1) + 1/(ρⱼ+1)
//
// for each pair, the mean of the values with ranks ρ (from 0) by label, then score and by score,
// then label, both descending: scipy.stats.weightedtau with its defaults. It is undefined, and
// treated as [Empty] says, when all labels are equal, and 0 when only all scores are.
func WeightedTau(labels, scores []float64, opts ...Option) (float64, error) {
	return one(named("weighted-tau"), labels, scores, opts)
}

func (r *ranking) weightedTau(Metric) float64 {
	return (r.tau.of(r.x, r.y) + r.tau.of(r.y, r.x)) / 2
}

// weightedTau holds the scratch memory of its computation.
type weightedTau struct {
	order, swap []int32
	weights     []float64
}

// of returns the tau of x and y weighted by the ranks of (x, y); 0 when either is constant.
func (t *weightedTau) of(x, y []float64) float64 {
	n := len(x)
	t.order, t.weights = t.order[:0], t.weights[:0]
	for i := range x {
		t.order = append(t.order, int32(i))
		t.weights = append(t.weights, 0)
	}
	t.swap = append(t.swap[:0], t.order...)
	slices.SortFunc(t.order, func(a, b int32) int {
		if c := cmp.Compare(x[b], x[a]); c != 0 {
			return c
		}
		return cmp.Compare(y[b], y[a])
	})
	total := 0.0
	for rank, i := range t.order {
		t.weights[i] = 1 / float64(rank+1)
		total += t.weights[i]
	}
	// The pairs of a run of m equal values weigh (m−1)·Σw together.
	runs := func(equal func(a, b int32) bool) float64 {
		sum := 0.0
		for lo := 0; lo < n; {
			hi, w := lo, 0.0
			for ; hi < n && equal(t.order[lo], t.order[hi]); hi++ {
				w += t.weights[t.order[hi]]
			}
			sum += float64(float64(hi-lo-1) * w)
			lo = hi
		}
		return sum
	}
	all := float64(float64(n-1) * total)
	tiedX := runs(func(a, b int32) bool { return x[a] == x[b] })
	tiedBoth := runs(func(a, b int32) bool { return x[a] == x[b] && y[a] == y[b] })
	discordant := t.merge(t.order, t.swap, y)
	tiedY := runs(func(a, b int32) bool { return y[a] == y[b] }) // merge has sorted by y
	if all == tiedX || all == tiedY || n < 2 {
		return 0
	}
	tau := (all - tiedX - tiedY + tiedBoth - float64(2*discordant)) / math.Sqrt(all-tiedX) / math.Sqrt(all-tiedY)
	return max(-1, min(1, tau))
}

// merge sorts order by descending y, stably, and returns the weight of the pairs that it
// puts the other way round (Knight's count, 1966, with weights).
func (t *weightedTau) merge(order, swap []int32, y []float64) float64 {
	n := len(order)
	if n < 2 {
		return 0
	}
	sum := t.merge(order[:n/2], swap[:n/2], y) + t.merge(order[n/2:], swap[n/2:], y)
	left, right := order[:n/2], order[n/2:]
	rest := 0.0 // weight of what remains of left
	for _, i := range left {
		rest += t.weights[i]
	}
	for k := range n {
		if len(right) == 0 || len(left) > 0 && y[left[0]] >= y[right[0]] {
			rest -= t.weights[left[0]]
			swap[k], left = left[0], left[1:]
			continue
		}
		if len(left) > 0 {
			sum += rest + float64(float64(len(left))*t.weights[right[0]])
		}
		swap[k], right = right[0], right[1:]
	}
	copy(order, swap)
	return sum
}
