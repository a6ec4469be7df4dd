package rank

import (
	"fmt"
	"math"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/internal/testkit"
)

// Values from the tutorial on learning to rank with LambdaMART. Its documents are in the order of
// their ranks.
func TestNDCGTutorial(t *testing.T) {
	for _, c := range []struct {
		labels              []float64
		dcg5, ndcg5, ndcg10 float64
	}{
		{[]float64{1, 0, 0, 1, 0, 0, 0, 1, 1, 0}, 1.4306765580733931, 0.5585075862632192, 0.7991748853900112},
		{[]float64{1, 0, 1, 0, 0, 0, 0, 0, 1, 1}, 1.5, 0.5855700749881525, 0.8159313210935148},
	} {
		t.Run(fmt.Sprint(c.labels), func(t *testing.T) {
			ideal := slices.Clone(c.labels)
			slices.Sort(ideal)
			slices.Reverse(ideal)
			for _, m := range []struct {
				metric string
				labels []float64
				want   float64
			}{
				{"dcg@5", c.labels, c.dcg5},
				{"dcg@5", ideal, 2.5616063116448506},
				{"ndcg@5", c.labels, c.ndcg5},
				{"ndcg@10", c.labels, c.ndcg10},
				{"ndcg", ideal, 1},
			} {
				t.Run(fmt.Sprint(m.metric, " ", m.labels), func(t *testing.T) {
					got, err := Measure(m.metric, m.labels, descending(len(m.labels)), Options{})
					if err != nil || got != m.want {
						t.Errorf("%s of %v = %v, %v, want %v", m.metric, m.labels, got, err, m.want)
					}
				})
			}
		})
	}
}

// descending returns scores that keep a list of n documents in order.
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
		t.Run(name, func(t *testing.T) {
			m, err := ParseMetric(name)
			if err != nil {
				t.Fatal(err)
			}
			if got := m.TrecName(); got != want {
				t.Errorf("%s is %q in trec_eval, want %q", name, got, want)
			}
			if want == "" {
				return
			}
			if back, err := ParseMetric(want); err != nil || back != m {
				t.Errorf("%s reads as %v, %v", want, back, err)
			}
		})
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
		t.Run(fmt.Sprint(c.b), func(t *testing.T) {
			for range 2 {
				l := withReference(c.a, c.b)
				got := valuesOf(t, l, fmt.Sprintf("rbo(%v)", c.p), Options{Empty: "zero"})[0]
				if !testkit.Near(got, c.want, 1e-15) {
					t.Errorf("rbo(%v) of %v and %v: %v, want %v", c.p, c.a, c.b, got, c.want)
				}
				c.a, c.b = c.b, c.a
			}
		})
	}
}

// withReference returns a list of the items of a, with b as its reference.
func withReference(a, b []int) List {
	l := List{Labels: make([]float64, len(a)), Reference: []int32{}, ReferenceLen: len(b)}
	for _, item := range a {
		l.Reference = append(l.Reference, int32(slices.Index(b, item)+1))
	}
	return l
}

// A metric with its own lowest relevant label equals the metric on labels in which lower ones are
// 0, whatever the other metrics are.
func TestOwnRelevance(t *testing.T) {
	const names = "map,precision@3,recall@3,f1@3,bpref,auc,rbp,mrr"
	own := strings.NewReplacer("@3,", "(rel=2)@3,", ",", "(rel=2),").Replace(names + ",")
	own = strings.TrimSuffix(own, ",")
	from := func(least float64, labels []float64) []float64 {
		labels = slices.Clone(labels)
		for i, v := range labels {
			if v < least {
				labels[i] = 0
			}
		}
		return labels
	}
	for _, ties := range []string{"average", "stable"} {
		t.Run(ties, func(t *testing.T) {
			lists := randomLists(5, 40, 12)
			lists = append(lists, List{Labels: []float64{.5, 2.5, 1}, Scores: []float64{1, 2, 2}})
			for _, l := range lists {
				eval := func(metrics string, labels []float64) []float64 {
					l := l
					l.Labels = labels
					v, err := testkit.Must(NewEvaluator(metrics, Options{Ties: ties})).AppendValues(nil, &l)
					if err != nil {
						t.Fatal(err)
					}
					return v
				}
				want := append(eval(names+",ndcg", l.Labels), eval(names, from(2, l.Labels))...)
				want = append(want, eval("map", from(1, l.Labels))...)
				if got := eval(names+",ndcg,"+own+",map(rel=1)", l.Labels); !slices.EqualFunc(got, want, same) {
					t.Fatalf("%v, %v: %v, want %v", l.Labels, l.Scores, got, want)
				}
			}
		})
	}
}

// Computed by hand: one of five documents is unjudged, and two are tied at the cutoff.
func TestF1AndJudged(t *testing.T) {
	labels, scores := []float64{1, 0, -1, 0, 2}, []float64{5, 4, 3, 3, 1}
	for _, c := range []struct {
		metric string
		k      int
		want   float64
	}{
		{"f1", 1, 2. / 3}, {"f1", 4, 2. / 6}, {"f1", 9, 4. / 11}, {"f1", math.MaxInt, 4. / (math.MaxInt + 2.)},
		{"judged", 2, 1}, {"judged", 3, 2.5 / 3}, {"judged", 4, .75}, {"judged", 9, .8},
	} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			got, err := Measure(fmt.Sprintf("%s@%d", c.metric, c.k), labels, scores, Options{NegativeUnjudged: true})
			if err != nil || got < 0 || math.Abs(got-c.want) > 1e-15 {
				t.Errorf("%s@%d: %v, %v, want %v", c.metric, c.k, got, err, c.want)
			}
		})
	}
}

// Pairwise metrics also order ties according to the option. The relevant document is above both
// others, or between them.
func TestTiesOfPairs(t *testing.T) {
	list := List{Labels: []float64{1, 0, 0}, Scores: []float64{2, 1, 2}, TieKeys: []int64{1, 2, 3}}
	first := []float64{1, 1, 1, 2 / math.Sqrt(6), 1.5 / math.Sqrt(3)}
	between := []float64{.5, .5, .5, 0, 0}
	for ties, want := range map[string][]float64{"average": {.75, .75, .75, .5, .5}, "stable": first,
		"pessimistic": between, "optimistic": first, "key": between} {
		t.Run(ties, func(t *testing.T) {
			e, err := NewEvaluator("auc,pair-accuracy,pair-accuracy-pooled,tau-b,spearman",
				Options{Ties: ties})
			if err != nil {
				t.Fatal(err)
			}
			got, err := e.AppendValues(nil, &list)
			if err != nil {
				t.Fatal(err)
			}
			for i := range want {
				if math.Abs(got[i]-want[i]) > 1e-15 {
					t.Errorf("%v: %v, want %v", e.Metrics()[i], got[i], want[i])
				}
			}
		})
	}
}

// A constant ranker of many documents with few relevant ones takes less than quadratic time.
func TestERRConstantScores(t *testing.T) {
	n := 300_000
	if testing.Short() {
		n = 30_000
	}
	labels := make([]float64, n)
	for i := range 40 {
		labels[i] = float64(i%4 + 1)
	}
	// Far from the top, documents are relevant independently of each other: the ranks of the first
	// documents are uniform.
	got, err := Measure("err", labels, make([]float64, n), Options{})
	if err != nil || !(got > 1e-5 && got < 1e-2) {
		t.Errorf("ERR %v, %v", got, err)
	}
}

// Measure returns the same value as the Evaluator.
func TestMeasure(t *testing.T) {
	for _, opts := range []Options{{}, {Ties: "optimistic", Gain: "linear", Empty: "one"}, {Preset: "sklearn"},
		{Ties: "stable", Discount: "position", Empty: "zero"}} {
		t.Run(fmt.Sprint(opts.Preset, " ", opts.Ties), func(t *testing.T) {
			for _, m := range testkit.Must(NewEvaluator(everyMetric, Options{})).Metrics() {
				if m.NeedsSubtopics() || m.NeedsReference() {
					continue
				}
				for _, l := range randomLists(11, 20, 20) {
					want, err := testkit.Must(NewEvaluator(m.String(), opts)).AppendValues(nil,
						&List{Labels: l.Labels, Scores: l.Scores})
					if err != nil {
						t.Fatal(err)
					}
					got, err := Measure(m.String(), l.Labels, l.Scores, opts)
					if err != nil || !same(got, want[0]) {
						t.Fatalf("%v %v of %v, %v: %v, %v, want %v", m, opts, l.Labels, l.Scores, got, err, want[0])
					}
				}
			}
		})
	}
	for _, name := range []string{"nonsense", "precision", "strec@3", "rbo"} {
		t.Run(name, func(t *testing.T) {
			if _, err := Measure(name, []float64{1}, []float64{1}, Options{}); err == nil {
				t.Error("no error")
			}
		})
	}
	if _, err := Measure("ndcg", []float64{1}, []float64{1}, Options{Empty: "9"}); err == nil {
		t.Error("unknown option: no error")
	}
}

// The names in the comment of ParseMetric are the names that it accepts.
func TestParseMetricListsNames(t *testing.T) {
	source, err := os.ReadFile("metric.go")
	if err != nil {
		t.Fatal(err)
	}
	list := regexp.MustCompile(`(?s)The names are (.*?)\. Case`).FindSubmatch(source)
	if list == nil {
		t.Fatal("no list")
	}
	got := regexp.MustCompile(`( and\b|\s|//|,)+`).ReplaceAllString(string(list[1]), " ")
	if want := strings.ReplaceAll(strings.Join(MetricNames(), " "), "@k", ""); got != want {
		t.Errorf("the comment lists %s, want %s", got, want)
	}
}
