package rank

import (
	"bytes"
	"context"
	"encoding/gob"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/simdrank/simdrank/internal/num"
	"github.com/simdrank/simdrank/internal/testkit"
)

// everyMetric contains all metrics. Those with a cutoff also occur with one, and rbp also with
// another persistence.
var everyMetric = func() string {
	var names []string
	for _, name := range MetricNames() {
		base, required := strings.CutSuffix(name, "@k")
		if !required {
			names = append(names, base)
		}
		if _, err := ParseMetric(base + "@3"); err == nil {
			names = append(names, base+"@3")
		}
	}
	return strings.Join(append(names, "rbp(0.95)@3"), ",")
}()

// randomLists returns lists with ties in labels and scores.
func randomLists(seed uint64, queries, most int) []List {
	rng := rand.New(rand.NewPCG(seed, 1))
	lists := make([]List, queries)
	for q := range lists {
		n := 1 + rng.IntN(most)
		l := List{ID: fmt.Sprint("q", q), Labels: make([]float64, n), Scores: make([]float64, n),
			TieKeys: make([]int64, n)}
		levels := 1 + rng.IntN(2*n)
		for i := range n {
			l.Labels[i] = float64(max(0, rng.IntN(7)-2))
			l.Scores[i] = float64(rng.IntN(levels)) / 3
			l.TieKeys[i] = rng.Int64N(int64(n))
		}
		lists[q] = withMore(l)
	}
	return lists
}

// withMore adds judgments of five subtopics, and a reference ranking that is derived from the
// labels.
func withMore(l List) List {
	l.Subtopics = []SubtopicLabel{}
	all := slices.Concat(l.Labels, l.Unretrieved)
	for d, label := range all {
		for s := range 5 {
			if h := (7*d + 5*s + 3*int(8*label) + 1000) % 9; h < 3 {
				l.Subtopics = append(l.Subtopics, SubtopicLabel{Document: d, Subtopic: s, Label: float64(h)})
			}
		}
	}
	n := len(l.Labels)
	l.Reference, l.ReferenceLen = make([]int32, n), n+3
	for i := range n {
		if i%4 != 3 {
			l.Reference[i] = int32(n + 3 - i)
		}
	}
	return l
}

// permuted returns the list with document p[i] at i.
func (l List) permuted(p []int) List {
	q := List{Unretrieved: l.Unretrieved, Reference: []int32{}, ReferenceLen: l.ReferenceLen}
	place := make([]int, len(p))
	for i, d := range p {
		q.Labels = append(q.Labels, l.Labels[d])
		q.Scores = append(q.Scores, l.Scores[d])
		q.Reference = append(q.Reference, l.Reference[d])
		place[d] = i
	}
	q.Subtopics = slices.Clone(l.Subtopics)
	for i, j := range q.Subtopics {
		if j.Document < len(p) {
			q.Subtopics[i].Document = place[j.Document]
		}
	}
	return q
}

// The closed forms for ties equal the mean over all orders of the tied documents.
func TestTiesAverageIsTheMeanOverOrders(t *testing.T) {
	avg := testkit.Must(NewEvaluator(everyMetric, Options{}))
	stable := testkit.Must(NewEvaluator(everyMetric, Options{Ties: "stable"}))
	lists := randomLists(1, 150, 6)
	if testing.Short() {
		lists = lists[:40] // emulated
	}
	for i, l := range lists {
		l.Unretrieved = []float64{2, 0}
		l = withMore(l)
		if i%2 == 1 { // a reference that is shorter than the list
			clear(l.Reference)
			l.ReferenceLen = len(l.Labels) / 2
			for k := range l.ReferenceLen {
				l.Reference[2*k] = int32(k + 1)
			}
		}
		got, err := avg.AppendValues(nil, &l)
		if err != nil {
			t.Fatal(err)
		}
		want := make([]float64, len(got))
		orders := 0
		permute(len(l.Labels), func(p []int) {
			q := l.permuted(p)
			v, err := stable.AppendValues(nil, &q)
			if err != nil {
				t.Fatal(err)
			}
			for m := range want {
				want[m] += v[m]
			}
			orders++
		})
		for m, w := range want {
			switch avg.Metrics()[m].String() {
			case "tau-b", "weighted-tau", "spearman": // these have their own terms for ties
				continue
			case "inst": // uses mean gains
				continue
			}
			if w /= float64(orders); math.Abs(got[m]-w) > 1e-13*max(1, w) {
				t.Errorf("%v of labels %v, scores %v: %v, mean over orders %v", avg.Metrics()[m], l.Labels, l.Scores,
					got[m], w)
			}
		}
	}
}

// permute calls f with every permutation of 0 to n-1.
func permute(n int, f func(p []int)) {
	p := make([]int, 0, n)
	used := make([]bool, n)
	var rec func()
	rec = func() {
		if len(p) == n {
			f(p)
			return
		}
		for i := range n {
			if !used[i] {
				used[i], p = true, append(p, i)
				rec()
				used[i], p = false, p[:len(p)-1]
			}
		}
	}
	rec()
}

// Averages over ties are between the extremes.
func TestTies(t *testing.T) {
	labels := []float64{0, 2, 1, 0, 1}
	// A constant model: the result does not depend on the input order.
	flat := make([]float64, len(labels))
	var values []float64
	for _, ties := range []string{"pessimistic", "average", "optimistic"} {
		v, err := Measure("ndcg", labels, flat, Options{Ties: ties})
		if err != nil {
			t.Fatal(err)
		}
		values = append(values, v)
	}
	if !(values[0] < values[1] && values[1] < values[2]) || values[2] != 1 {
		t.Errorf("pessimistic, average, optimistic NDCG of a constant model: %v", values)
	}
}

func TestEmpty(t *testing.T) {
	lists := []List{
		{ID: "a", Labels: []float64{0, 1}, Scores: []float64{1, 2}},
		{ID: "none", Labels: []float64{0, 0}, Scores: []float64{1, 2}},
		{ID: "the file contains no documents"},
	}
	for q := range lists {
		lists[q].Subtopics = []SubtopicLabel{}
		lists[q].Reference = make([]int32, len(lists[q].Labels))
	}
	lists[0].Subtopics = []SubtopicLabel{{Document: 1, Subtopic: 4, Label: 1}, {Document: 0, Subtopic: 9}}
	for _, c := range []struct {
		empty            string
		mean             float64
		counted, skipped int
	}{
		{"skip", 1, 1, 2},
		{"zero", 1. / 3, 3, 0},
		{"one", 1, 3, 0},
		{"nan", math.NaN(), 3, 0},
	} {
		t.Run(c.empty, func(t *testing.T) {
			e := testkit.Must(NewEvaluator(everyMetric, Options{Empty: c.empty}))
			res, err := e.EvalAll(context.Background(), lists)
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range []string{"ndcg", "map", "mrr", "auc", "pair-accuracy", "pair-accuracy-pooled", "tau-b",
				"compat", "alpha-ndcg@3", "nerr-ia@3", "nnrbp", "map-ia", "strec@3"} {
				m, mean := mustResult(t, res, name), c.mean
				if name == "pair-accuracy-pooled" && c.empty == "zero" {
					mean = 1 // a query without pairs has no weight
				}
				if m.Counted != c.counted || m.Skipped != c.skipped || !same(m.Mean, mean) {
					t.Errorf("empty %s: %s: mean %v, counted %d, skipped %d, want %v, %d, %d", c.empty, name, m.Mean,
						m.Counted, m.Skipped, mean, c.counted, c.skipped)
				}
			}
			if _, err := json.Marshal(res); err != nil {
				t.Error(err)
			}
		})
	}
}

// Results and errors do not depend on the number of threads.
func TestEvalAllThreads(t *testing.T) {
	lists := randomLists(2, 300, 40)
	e := testkit.Must(NewEvaluator(everyMetric, Options{Threads: 1}))
	want, err := e.EvalAll(context.Background(), lists)
	if err != nil {
		t.Fatal(err)
	}
	lists[250].Scores[0] = math.NaN()
	lists[100].Labels = lists[100].Labels[1:]
	_, wantErr := e.EvalAll(context.Background(), lists)
	if wantErr == nil || !strings.Contains(wantErr.Error(), "q100") {
		t.Fatalf("error %v, must be one of q100", wantErr)
	}
	for _, threads := range []int{2, 7, 0} {
		e := testkit.Must(NewEvaluator(everyMetric, Options{Threads: threads}))
		good := randomLists(2, 300, 40)
		got, err := e.EvalAll(context.Background(), good)
		if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%d threads: results differ: %v", threads, err)
		}
		if _, err := e.EvalAll(context.Background(), lists); err == nil || err.Error() != wantErr.Error() {
			t.Errorf("%d threads: error %v, want %v", threads, err, wantErr)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := e.EvalAll(ctx, randomLists(2, 300, 40)); err != context.Canceled {
		t.Errorf("canceled: %v", err)
	}
}

func TestEvalAllocatesNothing(t *testing.T) {
	if testkit.Race {
		t.Skip("a sync.Pool forgets some of its memory under the race detector")
	}
	lists := randomLists(3, 20, 200)
	e := testkit.Must(NewEvaluator(everyMetric, Options{}))
	dst := make([]float64, 0, 64)
	all := func() {
		for i := range lists {
			if _, err := e.AppendValues(dst, &lists[i]); err != nil {
				t.Fatal(err)
			}
		}
	}
	all()
	if n := testing.AllocsPerRun(10, all); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

// Goroutines that share an evaluator get the same bits as a single one, from each of its methods.
func TestEvalShared(t *testing.T) {
	lists := randomLists(3, 20, 200)
	d := randomSet(1, 20, 30, 3, 4)
	grades, scores := []uint8{0, 3, 1, 0, 2}, []float32{1, .5, .5, 3, 2}
	const few = "ndcg@10,map,tau-b,pair-accuracy-pooled"
	e, short := testkit.Must(NewEvaluator(everyMetric, Options{Threads: 2})), testkit.Must(NewEvaluator(few, Options{}))
	bits := func(values []float64, err error) string {
		if err != nil {
			return err.Error()
		}
		var b strings.Builder
		for _, v := range values {
			fmt.Fprintf(&b, "%x ", math.Float64bits(v))
		}
		return b.String()
	}
	means := func(r *Results, err error) string {
		if err != nil {
			return err.Error()
		}
		var all []float64
		for _, m := range r.Metrics {
			all = append(append(all, m.Mean), m.Values...)
		}
		return bits(all, nil)
	}
	calls := []func(e, short *Evaluator) string{
		func(e, _ *Evaluator) string { return means(e.EvalAll(t.Context(), lists)) },
		func(_, short *Evaluator) string { return means(short.EvalScores(t.Context(), d.Labels, d)) },
		func(_, short *Evaluator) string { return bits(short.AppendValuesOfGrades(nil, grades, scores)) },
		func(e, _ *Evaluator) string {
			o := e.Options()
			return fmt.Sprint(e, e.Metrics(), o)
		},
	}
	for i := range lists {
		calls = append(calls, func(e, _ *Evaluator) string { return bits(e.AppendValues(nil, &lists[i])) })
	}
	want := make([]string, len(calls))
	for i, call := range calls {
		every := testkit.Must(NewEvaluator(everyMetric, Options{Threads: 2}))
		want[i] = call(every, testkit.Must(NewEvaluator(few, Options{})))
	}
	var all sync.WaitGroup
	for g := range 8 {
		all.Go(func() {
			for i := range calls {
				i = (i + 3*g) % len(calls)
				if got := calls[i](e, short); got != want[i] {
					t.Errorf("goroutine %d, call %d: %s, want %s", g, i, got, want[i])
				}
			}
		})
	}
	all.Wait()
}

// No caller can modify an evaluator, and gob transfers all of it.
func TestEvaluatorIsImmutable(t *testing.T) {
	gains := GainTable{0, 1, 3}
	e := testkit.Must(NewEvaluator("NDCG@3,rbp(p=0.5)",
		Options{Gain: "linear", GainTable: gains, Empty: "zero", Threads: 3}))
	list := List{Labels: []float64{0, 2, 1}, Scores: []float64{3, 2, 1}}
	want, err := e.AppendValues(nil, &list)
	if err != nil {
		t.Fatal(err)
	}
	gains[2], e.Options().GainTable[2], e.Metrics()[0] = 100, 100, Metric{}
	var text bytes.Buffer
	if err := gob.NewEncoder(&text).Encode(e); err != nil {
		t.Fatal(err)
	}
	sent := new(Evaluator)
	if err := gob.NewDecoder(&text).Decode(sent); err != nil {
		t.Fatal(err)
	}
	for name, e := range map[string]*Evaluator{"made": e, "sent": sent} {
		t.Run(name, func(t *testing.T) {
			if got, err := e.AppendValues(nil, &list); err != nil || !slices.Equal(got, want) {
				t.Errorf("%v, %v, want %v", got, err, want)
			}
			if e.String() != "ndcg@3,rbp(0.5)" || fmt.Sprint(e.Options()) != fmt.Sprint(Options{Gain: "linear",
				GainTable: GainTable{0, 1, 3}, Empty: "zero", Threads: 3}) {
				t.Errorf("%v under %+v", e, e.Options())
			}
		})
	}
}

func TestEvalErrors(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		list List
		opts Options
		want string
	}{
		{List{Labels: []float64{1}, Scores: []float64{1, 2}}, Options{}, "the number of labels is 1"},
		{List{ID: "7", Labels: []float64{1, nan}, Scores: []float64{1, 2}}, Options{},
			"query 7: document 2: the label is NaN; it must be a number"},
		{List{Labels: []float64{1, 1}, Scores: []float64{1, nan}}, Options{},
			"document 2: the score is NaN; it must be a number"},
		{List{Labels: []float64{1, 0}, Scores: []float64{1, nan}}, Options{NaNLast: true}, ""},
		{List{Labels: []float64{1, -1}, Scores: []float64{1, 2}}, Options{},
			"document 2: label -1 must not be negative"},
		{List{Labels: []float64{1, -1}, Scores: []float64{1, 2}}, Options{NegativeUnjudged: true}, ""},
		{List{Labels: []float64{1}, Scores: []float64{1}, Unretrieved: []float64{0, -2}}, Options{},
			"unretrieved document 2: label -2"},
		{List{Labels: []float64{1, 3}, Scores: []float64{1, 2}}, Options{GainTable: GainTable{0, 1, 3}},
			"document 2: label 3 has no entry in the gain table, which covers labels 0 to 2"},
		{List{Labels: []float64{1.5}, Scores: []float64{1}}, Options{Preset: "lightgbm"},
			"label 1.5 is not an integer from 0 to 30"},
		{List{Labels: []float64{2000}, Scores: []float64{1}}, Options{}, "supports labels up to 960"},
		{List{Labels: []float64{math.Inf(1)}, Scores: []float64{1}}, Options{Gain: "linear"},
			"label +Inf is too large: gains must be at most 9.7e+288"},
		{List{Labels: []float64{0x1p960, 0x1p960}, Scores: []float64{1, 2}}, Options{Gain: "linear"}, ""},
		{List{Labels: []float64{1e308}, Scores: []float64{1}}, Options{Gain: "linear"}, "label 1e+308 is too large"},
		{List{Labels: []float64{1}, Scores: []float64{math.Inf(1)}}, Options{}, ""},
		{List{Labels: []float64{1}, Scores: []float64{1}}, Options{Ties: "key"}, "the number of tie keys is 0"},
	} {
		t.Run(c.want, func(t *testing.T) {
			e := testkit.Must(NewEvaluator("ndcg", c.opts))
			_, err := e.AppendValues(nil, &c.list)
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("%+v: error %v, want %q", c.list, err, c.want)
			}
		})
	}
	for _, opts := range []Options{
		{GainTable: GainTable{}}, {GainTable: GainTable{1, 0}}, {GainTable: GainTable{0, nan}},
		{GainTable: GainTable{0, 1e308}}, {MaxLabel: -1}, {MaxLabel: nan},
	} {
		t.Run(fmt.Sprintf("%+v", opts), func(t *testing.T) {
			if _, err := NewEvaluator("ndcg", opts); err == nil {
				t.Errorf("%v: no error", opts)
			}
		})
	}
	if _, err := NewEvaluator("", Options{}); err == nil {
		t.Error("NewEvaluator without metrics: no error")
	}
}

// Unjudged documents have the same effect as if they were not in the list.
func TestJudgingLeavesOut(t *testing.T) {
	with := List{Labels: []float64{1, -1, 0, 2, -1, 1}, Scores: []float64{3, 3, 3, 2, 2, 2},
		TieKeys: []int64{1, 9, 2, 4, 8, 5}, Unretrieved: []float64{3, 1}}
	without := List{Labels: []float64{1, 0, 2, 1}, Scores: []float64{3, 3, 2, 2}, TieKeys: []int64{1, 2, 4, 5}}
	const metrics = "ndcg,map,bpref,recall@2,precision@3,judged@3,rbp-residual,compat,tau-b"
	for _, ties := range OptionWords("ties") {
		left := Options{Ties: ties, JudgedOnly: true, RetrievedOnly: true}
		got, err1 := testkit.Must(NewEvaluator(metrics, left)).AppendValues(nil, &with)
		want, err2 := testkit.Must(NewEvaluator(metrics, Options{Ties: ties})).AppendValues(nil, &without)
		if err1 != nil || err2 != nil || !slices.Equal(got, want) {
			t.Errorf("%v: %v, %v, want %v, %v", ties, got, err1, want, err2)
		}
	}
}

// NaN scores rank below −Inf, and pairs treat them as ties.
func TestNaNLast(t *testing.T) {
	labels, scores := []float64{1, 2, 0, 0}, []float64{math.NaN(), math.Inf(-1), math.NaN(), 1}
	e := testkit.Must(NewEvaluator("mrr,pair-accuracy,tau-b", Options{NaNLast: true}))
	got, err := e.AppendValues(nil, &List{Labels: labels, Scores: scores})
	// The labels in ranked order are 0, 2, and then 1 and 0 tied. The pairs of 2 with 1 and with
	// the lower 0 are in order; its pair with the upper 0 is not. The pairs of 1 count one half for
	// the tie and nothing for the upper 0.
	k, _ := KendallTau(labels, []float64{-2, -1, -2, 0})
	if err != nil || got[0] != .5 || got[1] != 2.5/5 || got[2] != k.TauB() {
		t.Errorf("%v, %v", got, err)
	}
}

func TestParseMetric(t *testing.T) {
	for in, want := range map[string]string{
		"ndcg@10": "ndcg@10", " map": "map", "rbp(0.95)@100": "rbp(0.95)@100", "rbp": "rbp(0.9)",
		"P_10":       "precision@10",
		"ndcg_cut_5": "ndcg@5", "recip_rank": "mrr", "Rprec": "r-precision", "map_cut_10": "map@10", "tau-b": "tau-b",
		"success_1": "success@1",
		"NDCG@10":   "ndcg@10", "Map": "map", "RBP(0.5)@5": "rbp(0.5)@5", "p_5": "precision@5", "NDCG_Cut_5": "ndcg@5",
		"rprec": "r-precision", "Tau-B": "tau-b",
		"nDCG@10": "ndcg@10", "P(rel=2)@10": "precision(rel=2)@10", "AP": "map", "RR": "mrr", "ndcg_cut.10": "ndcg@10",
		"hit_rate@5": "success@5", "f1@10": "f1@10", "Judged@3": "judged@3", "RBP(p=0.8)": "rbp(0.8)",
		"rbp.95":              "rbp(0.95)",
		"RBP(p=0.8, rel=2)@5": "rbp(0.8,rel=2)@5", "map(rel=1.5)": "map(rel=1.5)",
		"alpha-nDCG@20": "alpha-ndcg@20", "alpha_nDCG(alpha=0.5)@10": "alpha-ndcg@10", "α_nDCG@5": "alpha-ndcg@5",
		"alpha_DCG(rel=2,alpha=.7)@5": "alpha-dcg(alpha=0.7,rel=2)@5", "ERR_IA@20": "err-ia@20",
		"nERR-IA_10": "nerr-ia@10", "NRBP(beta=.8)": "nrbp(beta=0.8)", "nNRBP": "nnrbp", "AP_IA": "map-ia",
		"MAP-IA": "map-ia", "P_IA(rel=2)@5": "p-ia(rel=2)@5", "StRecall@10": "strec@10",
		"INST(T=1.5, max_rel=3)": "inst(T=1.5,max_rel=3)", "INST": "inst", "Compat(p=0.8)": "compat(0.8)",
		"compat": "compat(0.95)", "rbo(p=.8)": "rbo(0.8)", "rbp_resid": "rbp-residual(0.9)",
	} {
		m, err := ParseMetric(in)
		if err != nil || m.String() != want {
			t.Errorf("ParseMetric(%q) = %v, %v, want %s", in, m, err, want)
		}
		if again, err := ParseMetric(m.String()); err != nil || again != m {
			t.Errorf("ParseMetric(%q) = %v, %v", m.String(), again, err)
		}
	}
	for in, want := range map[string]string{
		"": "unknown", "nope": "must be one of dcg, ndcg,", "ndcg@": "cutoff", "ndcg@0": "cutoff must be at least 1",
		"ndcg@-3": "cutoff", "ndcg@+3": "cutoff", "ndcg@1e2": "cutoff",
		"precision": "for example precision@10", "alpha-ndcg@1048577": "at most 1048576, not 1048577",
		"tau-b@5": "does not support a cutoff", "rbp(1)": "greater than 0 and less than 1",
		"rbp(NaN)": "less than 1", "rbp(": "parenthesis", "map(0.5)": "unknown parameter",
		"bpref_5": "bpref does not support a cutoff",
		"_5":      "unknown", "ndgc@3": `"ndgc@3": the name is unknown; did you mean ndcg?`,
		"map(rel=0)": "the value must be greater than 0",
		"map(rel=x)": `not "x"`, "map(rel=p=2)": `not "p=2"`,
		"rbp(0.9,0.8)": `parameter "0.8" is given twice`, "map(rel=1,rel=2)": `parameter "rel=2" is given twice`,
		"ndcg(rel=2)": "ndcg: unknown parameter", "inst(T=.4)": "from 0.5 to", "nrbp(.5)": `unknown parameter ".5"`,
		"nrbp(beta=1)": "less than 1", "alpha-ndcg(alpha=1.5)@3": "from 0 to 1", "alpha-ndcg": "cutoff",
		"err-ia(alpha=.3)@5": "unknown parameter", "inst(max_rel=0)": "greater than 0",
		"alpha_dng@5":  "did you mean alpha-dcg",
		"map(rel=inf)": "greater than 0", "map()": "unknown parameter", "map(2)": "unknown parameter",
	} {
		if m, err := ParseMetric(in); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("ParseMetric(%q) = %v, %v, want an error with %q", in, m, err, want)
		}
	}
	if _, err := NewEvaluator("ndcg,map,ndcg", Options{}); err == nil {
		t.Error("a metric twice: no error")
	}
	var m Metric
	if err := json.Unmarshal([]byte(`"ndcg@10"`), &m); err != nil ||
		m.String() != "ndcg@10" {
		t.Errorf("%v, %v", m, err)
	}
}

// TestPairAccuracyMean checks that pair-accuracy is averaged over queries like any other metric,
// and pair-accuracy-pooled over pairs.
func TestPairAccuracyMean(t *testing.T) {
	lists := []List{
		{Labels: []float64{1, 0}, Scores: []float64{1, 2}},                     // 0 of 1 pair
		{Labels: []float64{3, 2, 1, 0, 0}, Scores: []float64{5, 4, 3, 2, 2}},   // 9 of 9
		{Labels: []float64{1, 1}, Scores: []float64{1, 2}},                     // no pair
		{Labels: []float64{0, 1, 2, 2}, Scores: []float64{7, 7, 7, 8}},         // 3.5 of 5
		{Labels: []float64{0, 1, 0, 0, 0}, Scores: []float64{0, 1, 2, -1, -2}}, // 3 of 4
	}
	for _, c := range []struct {
		opts    Options
		pooled  float64
		mean    float64
		counted int
	}{
		{Options{}, 15.5 / 19, (0 + 1 + .7 + .75) / 4, 4},
		{Options{Empty: "one"}, 15.5 / 19, (0 + 1 + 1 + .7 + .75) / 5, 5},
		{Options{Empty: "zero"}, 15.5 / 19, (0 + 1 + 0 + .7 + .75) / 5, 5},
	} {
		t.Run(fmt.Sprint(c.mean), func(t *testing.T) {
			e, err := NewEvaluator("pair-accuracy-pooled,pair-accuracy", c.opts)
			if err != nil {
				t.Fatal(err)
			}
			r, err := e.EvalAll(t.Context(), lists)
			if err != nil {
				t.Fatal(err)
			}
			for i, want := range []float64{c.pooled, c.mean} {
				if m := r.Metrics[i]; math.Abs(m.Mean-want) > 1e-15 || m.Counted != c.counted {
					t.Errorf("%v: %v %v of %d, want %v of %d", c.opts, m.Metric, m.Mean, m.Counted, want, c.counted)
				}
			}
		})
	}
}

// mustResult returns the result of a metric.
func mustResult(t *testing.T, r *Results, name string) *MetricResult {
	t.Helper()
	m, err := r.Metric(name)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestEvaluate(t *testing.T) {
	d := NewDataset(5, 1)
	d.Offsets, d.QueryIDs, d.DocIDs = []int{0, 3, 5}, []string{"1", "2"}, []string{"a", "b", "c", "a", "b"}
	copy(d.Labels, []float64{2, 0, 1, 0, 1})
	for i, v := range []float32{3, 2, 2, 1, 5} {
		d.Row(i)[0] = v
	}
	m := &Linear{Weights: []float64{2}}
	for _, c := range []struct {
		opts Options
		want [2]float64 // of ndcg@2 of the first query, and of the mean
	}{
		{Options{}, [2]float64{(3 + 0.5/math.Log2(3)) / (3 + 1/math.Log2(3)), 0}},
		{Options{Preset: "trec_eval"}, [2]float64{1, 1}}, // the document c before b
		{Options{Ties: "stable"}, [2]float64{3 / (3 + 1/math.Log2(3)), 0}},
	} {
		t.Run(fmt.Sprintf("%+v", c.opts), func(t *testing.T) {
			r, err := Evaluate(t.Context(), m, d, "map,ndcg@2", c.opts)
			if err != nil {
				t.Fatal(err)
			}
			ndcg := mustResult(t, r, "ndcg@2")
			mean := (c.want[0] + 1) / 2
			if !testkit.Near(ndcg.Values[0], c.want[0], 1e-15) || !testkit.Near(ndcg.Mean, mean, 1e-15) {
				t.Errorf("%v: %v, mean %v, want %v", c.opts, ndcg.Values, ndcg.Mean, c.want[0])
			}
			if _, err := r.Metric("ndcg"); err == nil ||
				err.Error() != "rank: metric ndcg was not evaluated: the metrics are map, ndcg@2" {
				t.Errorf("a metric that was not asked for: %v", err)
			}
			if _, err := r.Metric("nonsense"); err == nil || !strings.Contains(err.Error(), "unknown") {
				t.Errorf("an unknown metric: %v", err)
			}
		})
	}
	nameless, canceled := *d, func() context.Context {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		return ctx
	}
	nameless.DocIDs = nil
	broken := *d
	broken.Offsets = []int{0, 1}
	for _, c := range []struct {
		ctx     context.Context
		d       *Dataset
		metrics string
		ties    string
		want    string
	}{
		{t.Context(), d, "nonsense", "", "unknown"},
		{t.Context(), d, "ndcg", "nonsense", `order of ties "nonsense": must be one of average`},
		{t.Context(), &nameless, "ndcg", "key", "the data has no document IDs"},
		{t.Context(), NewDataset(2, 2), "ndcg", "", "the data has 2 columns, but the number of model features is 1"},
		{t.Context(), &broken, "ndcg", "", "query offsets"},
		{canceled(), d, "ndcg", "", "context canceled"},
	} {
		t.Run(c.want, func(t *testing.T) {
			_, err := Evaluate(c.ctx, m, c.d, c.metrics, Options{Ties: c.ties})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: error %v, want %q", c.metrics, err, c.want)
			}
		})
	}
}

// TestMeansOfParts checks that means are bit-identical in any order of the queries. It also adds up
// values and weights of parts, such as files on several machines.
func TestMeansOfParts(t *testing.T) {
	e, err := NewEvaluator("ndcg,map,tau-b,pair-accuracy,pair-accuracy-pooled", Options{NegativeUnjudged: true})
	if err != nil {
		t.Fatal(err)
	}
	lists := bitsLists(t)
	rng := rand.New(rand.NewPCG(3, 4))
	want, err := e.EvalAll(t.Context(), lists)
	if err != nil {
		t.Fatal(err)
	}
	for range 5 {
		rng.Shuffle(len(lists), func(i, j int) { lists[i], lists[j] = lists[j], lists[i] })
		means := make([]num.ExactMean, len(e.Metrics()))
		for rest := lists; len(rest) > 0; {
			n := 1 + rng.IntN(len(rest))
			part, err := e.EvalAll(t.Context(), rest[:n])
			if err != nil {
				t.Fatal(err)
			}
			for i, m := range part.Metrics {
				var mean num.ExactMean
				mean.Add(m.Values, m.Weights, true)
				means[i].Merge(&mean)
			}
			rest = rest[n:]
		}
		for i, m := range want.Metrics {
			if got := &means[i]; got.Value() != m.Mean || got.Counted != m.Counted || got.Skipped != m.Skipped {
				t.Errorf("%v: %v of %d in parts, want %v of %d", m.Metric, got.Value(),
					got.Counted, m.Mean, m.Counted)
			}
		}
	}
}

func TestAppendValuesOfGrades(t *testing.T) {
	e := testkit.Must(NewEvaluator("ndcg", Options{NegativeUnjudged: true}))
	condensed := testkit.Must(NewEvaluator("ndcg", Options{JudgedOnly: true}))
	nan := float32(math.NaN())
	for name, c := range map[string]struct {
		e      *Evaluator
		grades []uint8
		scores []float32
		same   List
		want   string // error
	}{
		"unjudged": {e: e, grades: []uint8{1, 255, 2}, scores: []float32{3, 2, 1},
			same: List{Labels: []float64{1, -1, 2}, Scores: []float64{3, 2, 1}}},
		"condensed": {e: condensed, grades: []uint8{1, 255, 2}, scores: []float32{3, 2, 1},
			same: List{Labels: []float64{1, 2}, Scores: []float64{3, 1}}},
		"no gain": {e: testkit.Must(NewEvaluator("ndcg", Options{Empty: "one"})),
			grades: []uint8{0, 0}, scores: []float32{1, 2},
			same: List{Labels: []float64{0, 0}, Scores: []float64{1, 2}}},
		"lengths": {e: e, grades: []uint8{1}, scores: []float32{1, 2}, want: "rank: the number of grades is 1; it must be 2, one per score"},
		"not judged": {e: testkit.Must(NewEvaluator("ndcg", Options{})),
			grades: []uint8{1, 255}, scores: []float32{1, 2},
			want: "rank: document 2: label -1 must not be negative (change the option NegativeUnjudged)"},
		"NaN": {e: condensed, grades: []uint8{1, 255, 2}, scores: []float32{1, 2, nan},
			want: "rank: document 3: the score is NaN; it must be a number"},
		"keys": {e: testkit.Must(NewEvaluator("ndcg", Options{Ties: "key"})), grades: []uint8{1}, scores: []float32{1},
			want: "rank: tie keys are not supported for grades"},
		"subtopics": {e: testkit.Must(NewEvaluator("strec@3", Options{})), grades: []uint8{1}, scores: []float32{1},
			want: "rank: diversity metrics require subtopic judgments"},
		"scale": {e: testkit.Must(NewEvaluator("err", Options{})), grades: []uint8{1, 5}, scores: []float32{1, 2},
			want: "rank: document 2: label 5 exceeds 4, the highest label that err supports " +
				"(change the option MaxLabel)"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := c.e.AppendValuesOfGrades(nil, c.grades, c.scores)
			if c.want != "" {
				if err == nil || err.Error() != c.want {
					t.Fatalf("error %v, want %s", err, c.want)
				}
				return
			}
			want, wantErr := c.e.AppendValues(nil, &c.same)
			if err != nil || wantErr != nil || !slices.Equal(got, want) {
				t.Fatalf("%v, %v, want %v, %v", got, err, want, wantErr)
			}
		})
	}
}

// A call for one short list allocates only a little memory.
func TestShortListMemory(t *testing.T) {
	labels, scores := make([]float64, 100), descending(100)
	labels[3] = 1
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	const calls = 100
	for range calls {
		Measure("ndcg@10", labels, scores, Options{})
	}
	runtime.ReadMemStats(&after)
	if size := (after.TotalAlloc - before.TotalAlloc) / calls; size > 48<<10 {
		t.Errorf("%d bytes", size)
	}
}

// TestUnmarshalBinaryLength: a long list of metrics is rejected before it is read.
func TestUnmarshalBinaryLength(t *testing.T) {
	for _, length := range []int{1 << 20, 1<<20 + 1} {
		t.Run(strconv.Itoa(length), func(t *testing.T) {
			text := `{"Names":"ndcg"}`
			text += strings.Repeat(" ", length-len(text))
			err := new(Evaluator).UnmarshalBinary([]byte(text))
			if (err == nil) != (length == 1<<20) || err != nil && err.Error() !=
				"rank: the encoded evaluator has 1048577 bytes; it must have at most 1048576" {
				t.Errorf("error %v", err)
			}
		})
	}
}
