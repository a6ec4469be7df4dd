package rank

import (
	"math"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The figures of the tutorial on learning to rank with LambdaMART: its documents
// stand in the order of their ranks.
func TestNDCGTutorial(t *testing.T) {
	for _, c := range []struct {
		labels              []float64
		dcg5, ndcg5, ndcg10 float64
	}{
		{[]float64{1, 0, 0, 1, 0, 0, 0, 1, 1, 0}, 1.4306765580733931, 0.5585075862632192, 0.7991748853900112},
		{[]float64{1, 0, 1, 0, 0, 0, 0, 0, 1, 1}, 1.5, 0.5855700749881525, 0.8159313210935148},
	} {
		ideal := slices.Clone(c.labels)
		slices.Sort(ideal)
		slices.Reverse(ideal)
		for _, f := range []struct {
			name string
			f    func(labels, scores []float64, opts ...Option) (float64, error)
			k    At
			in   []float64
			want float64
		}{
			{"DCG@5", DCG, 5, c.labels, c.dcg5},
			{"ideal DCG@5", DCG, 5, ideal, 2.5616063116448506},
			{"NDCG@5", NDCG, 5, c.labels, c.ndcg5},
			{"NDCG@10", NDCG, 10, c.labels, c.ndcg10},
			{"ideal NDCG", NDCG, 0, ideal, 1},
		} {
			got, err := f.f(f.in, descending(len(f.in)), f.k)
			if err != nil || got != f.want {
				t.Errorf("%s of %v = %v, %v, want %v", f.name, f.in, got, err, f.want)
			}
		}
	}
}

// descending returns scores that leave a list of n as it is.
func descending(n int) []float64 {
	s := make([]float64, n)
	for i := range s {
		s[i] = -float64(i)
	}
	return s
}

func TestTrecName(t *testing.T) {
	for name, want := range map[string]string{
		"precision@10": "P_10", "ndcg": "ndcg", "ndcg@5": "ndcg_cut_5", "map": "map", "map@100": "map_cut_100",
		"mrr":    "recip_rank",
		"mrr@10": "", "r-precision": "Rprec", "recall@30": "recall_30", "rbp": "", "tau-b": "",
	} {
		m, err := ParseMetric(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := m.TrecName(); got != want {
			t.Errorf("%s is %q in trec_eval, want %q", name, got, want)
		}
		if want == "" {
			continue
		}
		if back, err := ParseMetric(want); err != nil || back != m {
			t.Errorf("%s reads as %v, %v", want, back, err)
		}
	}
}

// Values computed by hand from the formula.
func TestRBO(t *testing.T) {
	for _, c := range []struct {
		a, b []int
		p    float64
		want float64
	}{
		{[]int{1, 2, 3}, []int{1, 2, 3}, 0.9, 1},
		{[]int{1, 2, 3}, []int{4, 5, 6}, 0.9, 0},
		{[]int{1, 2, 3}, []int{1, 3, 2}, 0.5, 1*.5 + .5*.25 + 1*.125 + 1*.125},
		{[]int{1, 2}, []int{1, 3, 2, 4}, 0.5, 1*.5 + .5*.25 + (2./3+1./6)*.125 + (2./4+2./8)*.0625 + (1./4+1./2)*.0625},
		{nil, nil, 0.5, 1},
		{nil, []int{1}, 0.5, 0},
	} {
		for range 2 {
			got, err := RBO(c.a, c.b, c.p)
			if err != nil || !near(got, c.want, 1e-15) {
				t.Errorf("RBO(%v, %v, %v) = %v, %v, want %v", c.a, c.b, c.p, got, err, c.want)
			}
			c.a, c.b = c.b, c.a
		}
	}
	for _, p := range []float64{0, 1, -1, math.NaN()} {
		if _, err := RBO([]int{1}, []int{1}, p); err == nil {
			t.Errorf("p = %v: no error", p)
		}
	}
	if _, err := RBO([]string{"a", "b", "a"}, []string{"c"}, 0.5); err == nil {
		t.Error("an item twice: no error")
	}
}

// A metric with a least relevant label of its own is the metric under the option, in any company.
func TestOwnRelevance(t *testing.T) {
	const names = "map,precision@3,recall@3,f1@3,bpref,auc,rbp,mrr,err"
	own := strings.NewReplacer("@3,", "(rel=2)@3,", ",", "(rel=2),").Replace(names + ",")
	own = strings.TrimSuffix(own, ",")
	mixed := MustParseMetrics(names + ",ndcg," + own + ",map(rel=1)")
	for _, ties := range []Ties{TiesAverage, TiesStable} {
		lists := randomLists(5, 40, 12)
		lists = append(lists, List{Labels: []float64{.5, 2.5, 1}, Scores: []float64{1, 2, 2}})
		for _, l := range lists {
			eval := func(metrics []Metric, opts ...Option) []float64 {
				e, err := NewEvaluator(metrics, append(opts, ties, MaxLabel(9))...)
				if err != nil {
					t.Fatal(err)
				}
				v, err := e.Eval(nil, &l)
				if err != nil {
					t.Fatal(err)
				}
				return v
			}
			want := append(eval(MustParseMetrics(names+",ndcg")), eval(MustParseMetrics(names), RelevantFrom(2))...)
			want = append(want, eval(MustParseMetrics("map"), RelevantFrom(1))...)
			if got := eval(mixed); !slices.EqualFunc(got, want, same) {
				t.Fatalf("%v, %v: %v, want %v", l.Labels, l.Scores, got, want)
			}
		}
	}
}

// By hand: of five documents one is unjudged, and two are tied at the cutoff.
func TestF1AndJudged(t *testing.T) {
	labels, scores := []float64{1, 0, -1, 0, 2}, []float64{5, 4, 3, 3, 1}
	for _, c := range []struct {
		f    func(labels, scores []float64, opts ...Option) (float64, error)
		k    At
		want float64
	}{
		{F1, 1, 2. / 3}, {F1, 4, 2. / 6}, {F1, 9, 4. / 11}, {F1, math.MaxInt, 4. / (math.MaxInt + 2.)},
		{Judged, 2, 1}, {Judged, 3, 2.5 / 3}, {Judged, 4, .75}, {Judged, 9, .8},
	} {
		got, err := c.f(labels, scores, c.k, NegativeUnjudged)
		if err != nil || got < 0 || math.Abs(got-c.want) > 1e-15 {
			t.Errorf("at %d: %v, %v, want %v", c.k, got, err, c.want)
		}
	}
}

// Metrics of pairs, too, take equal scores in the order of the option. The relevant document is
// before both others, or between them.
func TestTiesOfPairs(t *testing.T) {
	list := List{Labels: []float64{1, 0, 0}, Scores: []float64{2, 1, 2}, TieKeys: []int64{1, 2, 3}}
	first := []float64{1, 1, 1, 2 / math.Sqrt(6), 1.5 / math.Sqrt(3)}
	between := []float64{.5, .5, .5, 0, 0}
	for ties, want := range map[Ties][]float64{TiesAverage: {.75, .75, .75, .5, .5}, TiesStable: first,
		TiesPessimistic: between, TiesOptimistic: first, TiesByKey: between} {
		e, err := NewEvaluator(MustParseMetrics("auc,pair-accuracy,pair-accuracy-pooled,tau-b,spearman"), ties)
		if err != nil {
			t.Fatal(err)
		}
		got, err := e.Eval(nil, &list)
		if err != nil {
			t.Fatal(err)
		}
		for i := range want {
			if math.Abs(got[i]-want[i]) > 1e-15 {
				t.Errorf("%v, ties %v: %v, want %v", e.Metrics()[i], ties, got[i], want[i])
			}
		}
	}
}

// A constant ranker of many documents, of which few are relevant, takes no square of their number.
func TestERRConstantScores(t *testing.T) {
	n := 300_000
	if testing.Short() {
		n = 30_000
	}
	labels := make([]float64, n)
	for i := range 40 {
		labels[i] = float64(i%4 + 1)
	}
	// Far from the top a document is relevant independently of the others: the ranks of the first
	// are uniform.
	got, err := ERR(labels, make([]float64, n))
	if err != nil || !(got > 1e-5 && got < 1e-2) {
		t.Errorf("ERR %v, %v", got, err)
	}
}

// metricFunctions has the function of each metric.
var metricFunctions = map[string]func(labels, scores []float64, opts ...Option) (float64, error){
	"dcg":                  DCG,
	"ndcg":                 NDCG,
	"map":                  AveragePrecision,
	"mrr":                  ReciprocalRank,
	"precision":            Precision,
	"recall":               Recall,
	"f1":                   F1,
	"judged":               Judged,
	"success":              Success,
	"r-precision":          RPrecision,
	"bpref":                Bpref,
	"err":                  ERR,
	"rbp":                  RBP,
	"auc":                  AUC,
	"pair-accuracy":        PairAccuracy,
	"pair-accuracy-pooled": PairAccuracy, // which it is of one query
	"weighted-tau":         WeightedTau,
	"spearman":             Spearman,
}

// withoutFunction are metrics that have none: of the first, KendallTau has it.
var withoutFunction = []string{"tau-b", "rbp-residual", "inst", "compat", "alpha-dcg", "alpha-ndcg", "err-ia",
	"nerr-ia", "nrbp", "nnrbp", "map-ia", "p-ia", "strec", "rbo", "rbo-min", "rbo-residual"}

// Each function of one metric is the Evaluator's value of that name, and each metric has one.
func TestFunctionsAreTheEvaluators(t *testing.T) {
	lists := randomLists(11, 60, 20)
	policies := [][]Option{nil, {TiesOptimistic, GainLinear, EmptyOne},
		{TiesStable, DiscountPosition, EmptyZero, RelevantFrom(2)}, {Sklearn}}
	for i := range metricTable {
		def := &metricTable[i]
		f := metricFunctions[def.name]
		if f == nil {
			if !slices.Contains(withoutFunction, def.name) {
				t.Errorf("%s: no function", def.name)
			}
			continue
		}
		ks := map[cutoffs][]At{cutoffOptional: {0, 1, 5}, cutoffNone: {0}, cutoffRequired: {1, 5}}[def.k]
		ps := []Persistence{0}
		if def.params != nil {
			ps = append(ps, 0.5)
		}
		for _, opts := range policies {
			for n := range len(ks) * len(ps) {
				k, p := ks[n%len(ks)], ps[n/len(ks)]
				m := Metric{m: def, k: int(k), params: def.initials()}
				if p > 0 {
					m.params[0] = float64(p)
				}
				e, err := NewEvaluator([]Metric{m}, opts...)
				if err != nil {
					t.Fatal(err)
				}
				for _, l := range lists {
					want, err := e.Eval(nil, &List{Labels: l.Labels, Scores: l.Scores})
					if err != nil {
						t.Fatal(err)
					}
					got, err := f(l.Labels, l.Scores, append(slices.Clip(opts), k, p)...)
					if err != nil || !same(got, want[0]) {
						t.Fatalf("%v %v of %v, %v: %v, %v, want %v", m, opts, l.Labels, l.Scores, got, err, want[0])
					}
				}
			}
		}
	}
	for _, f := range []func(labels, scores []float64, opts ...Option) (float64, error){Precision, Recall, Success} {
		if _, err := f([]float64{1}, []float64{1}); err == nil {
			t.Error("no cutoff: no error")
		}
	}
	if _, err := AUC([]float64{1}, []float64{1}, At(3)); err == nil {
		t.Error("auc with a cutoff: no error")
	}
	if _, err := NDCG([]float64{1}, []float64{1}, Persistence(0.5)); err == nil {
		t.Error("ndcg with a persistence: no error")
	}
	// A preset leaves what is no choice of a tool alone.
	got, err := RBP([]float64{0, 1, 1}, []float64{3, 2, 1}, At(2), Persistence(0.5), Sklearn)
	if err != nil || got != 0.25 {
		t.Errorf("rbp(0.5)@2 before a preset: %v, %v, want 0.25", got, err)
	}
}

// The names that ParseMetric lists in its comment are those that it knows.
func TestParseMetricListsNames(t *testing.T) {
	source, err := os.ReadFile("metric.go")
	if err != nil {
		t.Fatal(err)
	}
	list := regexp.MustCompile(`(?s)returns the metric of a name: (.*?), in any case`).FindSubmatch(source)
	if list == nil {
		t.Fatal("no list")
	}
	got := regexp.MustCompile(`( or\b|\s|//|,)+`).ReplaceAllString(string(list[1]), " ")
	if want := strings.ReplaceAll(strings.Join(MetricNames(), " "), "@k", ""); got != want {
		t.Errorf("the comment lists %s, want %s", got, want)
	}
}
