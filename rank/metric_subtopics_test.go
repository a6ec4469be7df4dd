package rank

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/internal/testkit"
)

// valuesOf returns the metrics of one list in the given order.
func valuesOf(t *testing.T, l List, names string, opts Options) []float64 {
	t.Helper()
	l.Scores = descending(len(l.Labels))
	opts.NegativeUnjudged = true
	v, err := testkit.Must(NewEvaluator(names, opts)).AppendValues(nil, &l)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// Expected values from the tests of pyndeval 0.0.6 (ndeval 4.5) and of ir-measures 0.4.3, which
// calls it.
func TestDiversityAgainstNdeval(t *testing.T) {
	// Documents A, D, E, B; C is missed. Subtopics a: A, b: B and D, c: C.
	py := List{Labels: []float64{1, 1, -1, 1}, Unretrieved: []float64{1}, Subtopics: []SubtopicLabel{
		{1, 1, 1}, {4, 2, 1}, {3, 1, 1}, {0, 0, 1}}}
	// Documents D0, D2, D3, D1, D4 and D1, D3, D4, D2; judgments of the latter are of D0, D3, D5.
	irA := List{Labels: []float64{0, 1, 2, 1, 0}, Subtopics: []SubtopicLabel{
		{0, 0, 0}, {3, 0, 1}, {1, 0, 1}, {1, 1, 1}, {2, 1, 2}, {4, 0, 0}}}
	irB := List{Labels: []float64{-1, 2, -1, -1}, Unretrieved: []float64{1, 2}, Subtopics: []SubtopicLabel{
		{4, 0, 1}, {1, 0, 2}, {5, 1, 2}}}
	for i, c := range []struct {
		list  List
		names string
		want  []float64
	}{
		{py, "ERR-IA@5,ERR-IA@10,ERR-IA@100,nERR-IA@5,nERR-IA@100", []float64{.3933, .3907, .3907, .8297, .8297}},
		{py, "alpha-DCG@5,alpha-DCG@10,alpha-DCG@20,alpha-nDCG@5,alpha-nDCG@100",
			[]float64{.4052, .3998, .3997, .7868, .7868}},
		{py, "NRBP,nNRBP,MAP-IA,P-IA@5,P-IA@100,strec@5,strec@1", []float64{.3906, .8620, .5, .2, .01, 2. / 3, 1. / 3}},
		{irA, "ERR_IA@20", []float64{.4659}},
		{irB, "ERR_IA@20", []float64{.1803}},
		// From rank 2 on, only D3 is relevant, for subtopic 1.
		{irA, "P_IA(rel=2)@2,P_IA(rel=2)@3,StRecall(rel=2)@5,AP_IA(rel=2)", []float64{0, 1. / 3, 1, 1. / 3}},
	} {
		t.Run(fmt.Sprint(i, " ", c.names), func(t *testing.T) {
			for i, got := range valuesOf(t, c.list, c.names, Options{}) {
				if math.Abs(got-c.want[i]) > 1e-4 {
					t.Errorf("value %d is %v, want %v", i+1, got, c.want[i])
				}
			}
		})
	}
}

// Compares with the definitions, implemented with counts in maps.
func TestDiversityAgainstDefinitions(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 200 {
		n, missed := rng.IntN(12), rng.IntN(6)
		l := List{Labels: make([]float64, n), Unretrieved: make([]float64, missed), Subtopics: []SubtopicLabel{}}
		of := make([][]int, n+missed) // subtopics for which a document is relevant
		var docs []int                // in the order of the ideal ranking
		for _, d := range rng.Perm(n + missed) {
			for s := range 6 {
				if label := rng.IntN(5) - 2; label >= -1 {
					l.Subtopics = append(l.Subtopics, SubtopicLabel{d, 10 * s, float64(label)})
					if label > 0 {
						of[d] = append(of[d], s)
					}
				}
			}
			docs = append(docs, d)
		}
		total := map[int]int{}
		for _, subtopics := range of {
			for _, s := range subtopics {
				total[s]++
			}
		}
		topics, k := float64(len(total)), 1+rng.IntN(15)
		gains := func(order []int, alpha float64) (gains []float64) {
			above := map[int]int{}
			for _, d := range order {
				g := 0.0
				for _, s := range of[d] {
					g += math.Pow(1-alpha, float64(above[s]))
					above[s]++
				}
				gains = append(gains, g)
			}
			return gains
		}
		run := make([]int, n)
		for i := range run {
			run[i] = i
		}
		ideal := func(alpha float64) (order []int) {
			for range docs {
				best, at := -1.0, 0
				for _, d := range docs {
					if slices.Contains(order, d) {
						continue
					}
					if g := gains(append(slices.Clone(order), d), alpha); g[len(order)] > best+1e-9 {
						best, at = g[len(order)], d
					}
				}
				order = append(order, at)
			}
			return order
		}
		sum := func(gains []float64, k int, weight func(i float64) float64) (sum float64) {
			for i, g := range gains[:min(k, len(gains))] {
				sum += g * weight(float64(i+1))
			}
			return sum
		}
		perfect := func(alpha float64, weight func(i float64) float64) (sum float64) {
			for i := range k {
				sum += topics * math.Pow(1-alpha, float64(i)) * weight(float64(i+1))
			}
			return sum
		}
		log := func(i float64) float64 { return 1 / math.Log2(i+1) }
		inverse := func(i float64) float64 { return 1 / i }
		biased := func(i float64) float64 { return math.Pow(.8, i-1) }
		once := func(i float64) float64 { return 1 }
		ap := 0.0
		for s, r := range total {
			hits := 0.0
			for i, d := range run {
				if slices.Contains(of[d], s) {
					hits++
					ap += hits / float64(i+1) / float64(r) / topics
				}
			}
		}
		want := []float64{
			sum(gains(run, .3), k, log) / perfect(.3, log),
			sum(gains(run, .3), k, log) / sum(gains(ideal(.3), .3), k, log),
			sum(gains(run, .5), k, inverse) / perfect(.5, inverse),
			sum(gains(run, .5), k, inverse) / sum(gains(ideal(.5), .5), k, inverse),
			(1 - .7*.8) / topics * sum(gains(run, .3), n, biased),
			sum(gains(run, .3), n, biased) / sum(gains(ideal(.3), .3), n+missed, biased),
			ap,
			sum(gains(run, 0), k, once) / float64(k) / topics,
			sum(gains(run, 1), k, once) / topics,
		}
		names := strings.ReplaceAll("alpha-dcg(alpha=.3)@k,alpha-ndcg(alpha=.3)@k,err-ia@k,nerr-ia@k,"+
			"nrbp(alpha=.3,beta=.8),nnrbp(alpha=.3,beta=.8),map-ia,p-ia@k,strec@k", "@k", "@"+strconv.Itoa(k))
		for i, got := range valuesOf(t, l, names, Options{}) {
			if topics == 0 != math.IsNaN(got) || topics > 0 && math.Abs(got-want[i]) > 1e-12 {
				t.Fatalf("%s of %v: value %d is %v, want %v", names, l.Subtopics, i+1, got, want[i])
			}
		}
	}
}

// RetrievedOnly ignores judgments of documents that were not retrieved, and JudgedOnly ignores
// unjudged documents.
func TestDiversityJudging(t *testing.T) {
	l := List{Labels: []float64{-1, 1, -1, 2}, Unretrieved: []float64{1},
		Subtopics: []SubtopicLabel{{4, 2, 1}, {1, 0, 1}, {3, 0, 1}, {3, 1, 2}},
		Reference: []int32{1, 2, 0, 3}, ReferenceLen: 3}
	const names = "strec@2,p-ia@2,map-ia,p-ia(rel=2)@2,rbo(.5)"
	for _, c := range []struct {
		judging Options
		want    []float64
	}{
		{Options{}, []float64{1. / 3, 1. / 6, (1./2+2./4)/2/3 + 1./4/3, 0, 0}},
		{Options{RetrievedOnly: true}, []float64{1. / 2, 1. / 4, (1./2+2./4)/2/2 + 1./4/2, 0, 0}},
		// The order is 1, 3. Their ranks in the reference are 2 and 3.
		{Options{JudgedOnly: true}, []float64{2. / 3, 3. / 6, 1./3 + 1./2/3, 1. / 2, 0}},
	} {
		t.Run(fmt.Sprint(c.want), func(t *testing.T) {
			got := valuesOf(t, l, names, c.judging)
			for i, w := range c.want[:4] {
				if math.Abs(got[i]-w) > 1e-15 {
					t.Errorf("%v: value %d is %v, want %v", c.judging, i+1, got[i], w)
				}
			}
			compared := []int{1, 2, 9, 3}
			if c.judging.JudgedOnly {
				compared = []int{2, 3}
			}
			if want := valuesOf(t, withReference(compared, []int{1, 2, 3}), "rbo(.5)", Options{})[0]; got[4] != want {
				t.Errorf("%v: rbo %v, want %v", c.judging, got[4], want)
			}
		})
	}
}

// Compares INST with the tests of ir-measures 0.4.3, which use binary judgments and cut ranks at
// 1000, and with the sum over a million ranks.
func TestINST(t *testing.T) {
	for _, c := range []struct {
		labels []float64 // none of a miss
		t      string
		cut    float64
	}{
		{[]float64{1, 0, 1, 1, -1, -1, 1, 0, 1, 0}, "1", .7934},
		{[]float64{1, 0, 1, 1, -1, -1, 1, 0, 1, 0}, "2", .5994},
		{[]float64{1, 1, -1, -1, 1, 0, 1, 1, 1, 0}, "1", .9226},
		{[]float64{1, 1, -1, -1, 1, 0, 1, 1, 1, 0}, "2", .6924},
		{[]float64{-1, -1, -1, 0, 0, 1, 1, 1, 0, 1}, "1", .0888},
		{[]float64{-1, -1, -1, 0, 0, 1, 1, 1, 0, 1}, "2", .1397},
	} {
		t.Run(fmt.Sprint(c.cut), func(t *testing.T) {
			wanted := map[string]float64{"1": 1, "2": 2}[c.t]
			sum := func(ranks int) float64 {
				var gain, all, weights float64
				weight := 1.0
				for i := 1; i <= ranks; i++ {
					g := 0.0
					if i <= len(c.labels) {
						g = max(c.labels[i-1], 0)
					}
					all += weight * g
					weights += weight
					gain += g
					at := float64(i) + 2*wanted - gain
					weight *= (at - 1) / at * (at - 1) / at
				}
				return all / weights
			}
			if got := sum(1000); math.Abs(got-c.cut) > 1e-4 {
				t.Errorf("T = %s, cut: %v, want %v", c.t, got, c.cut)
			}
			want := sum(1e6)
			for _, name := range []string{"inst(T=" + c.t + ")", "inst(max_rel=1,T=" + c.t + ")"} {
				if got := valuesOf(t, List{Labels: c.labels}, name, Options{})[0]; math.Abs(got-want) > 1e-6 {
					t.Errorf("%s: %v, want %v", name, got, want)
				}
			}
		})
	}
	// Gains ½, ⅔ and 1, of labels from 2 on.
	labels := []float64{3, 1, 4, 7, 0}
	got := valuesOf(t, List{Labels: labels}, "inst(max_rel=6,rel=2)", Options{})[0]
	want := valuesOf(t, List{Labels: []float64{3, -1, 4, 6, -1}}, "inst(max_rel=6)", Options{})[0]
	if got != want || !(got > .3 && got < .9) {
		t.Errorf("graded: %v, want %v", got, want)
	}
	// Documents that are not relevant have no effect, whatever their label.
	got = valuesOf(t, List{Labels: []float64{1, -1, math.Inf(-1)}}, "inst(max_rel=1e-320)", Options{})[0]
	if want := valuesOf(t, List{Labels: []float64{1, 0, 0}}, "inst", Options{})[0]; got != want {
		t.Errorf("smallest max_rel: %v, want %v", got, want)
	}
	// A user who wants half a document stops at once after finding one.
	if got := valuesOf(t, List{Labels: []float64{1, 0}}, "inst(T=.5)", Options{})[0]; got != 1 {
		t.Errorf("T = ½: %v", got)
	}
	// Tied documents have the mean gain.
	tied := List{Labels: []float64{1, 0}, Scores: []float64{1, 1}}
	half := valuesOf(t, List{Labels: []float64{.5, .5}}, "inst(max_rel=1)", Options{})[0]
	if v, err := testkit.Must(NewEvaluator("inst", Options{})).AppendValues(nil, &tied); err != nil || v[0] != half {
		t.Errorf("tied: %v, %v, want %v", v, err, half)
	}
}

// Computed by hand: two of four documents are unjudged and tied with a judged one.
func TestRBPResidual(t *testing.T) {
	l := List{Labels: []float64{1, -1, 0, -1}}
	got := valuesOf(t, l, "rbp-residual(.5),rbp-residual(.5)@2,rbp-residual(.5)@9,rbp(.5)", Options{})
	for i, want := range []float64{.25 + .0625 + .0625, .25 + .25, .375, .5} {
		if got[i] != want {
			t.Errorf("value %d is %v, want %v", i+1, got[i], want)
		}
	}
	l.Scores = []float64{2, 1, 1, 0}
	v, err := testkit.Must(NewEvaluator("rbp-residual(.5)", Options{NegativeUnjudged: true})).AppendValues(nil, &l)
	if want := (.25+.125)/2 + .0625 + .0625; err != nil || v[0] != want {
		t.Errorf("tied: %v, %v, want %v", v, err, want)
	}
	got = valuesOf(t, List{Labels: []float64{0, -1}}, "rbp,rbp-residual", Options{})
	if want := .1*.9 + .81; !math.IsNaN(got[0]) || math.Abs(got[1]-want) > 1e-15 {
		t.Errorf("nothing relevant: %v, want NaN and %v", got, want)
	}
}

// Compares with the definition, which uses rankings and their sets of documents.
func TestCompat(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for range 100 {
		n, missed := rng.IntN(9), rng.IntN(5)
		labels := make([]float64, n+missed)
		ideal := []int{}
		for d := range labels {
			if labels[d] = float64(max(-1, rng.IntN(6)-2)); labels[d] > 0 {
				ideal = append(ideal, d)
			}
		}
		slices.SortStableFunc(ideal, func(a, b int) int { return int(labels[b] - labels[a]) })
		var score, best float64
		for d := 1; d <= max(n, len(ideal)); d++ {
			common := 0
			for _, doc := range ideal[:min(d, len(ideal))] {
				if doc < min(d, n) {
					common++
				}
			}
			score += math.Pow(.7, float64(d-1)) * float64(common) / float64(d)
			best += math.Pow(.7, float64(d-1)) * float64(min(d, len(ideal))) / float64(d)
		}
		got := valuesOf(t, List{Labels: labels[:n], Unretrieved: labels[n:]}, "compat(.7)", Options{})[0]
		if want := score / best; math.IsNaN(got) != (len(ideal) == 0) || math.Abs(got-want) > 1e-14 {
			t.Fatalf("%v, missed %v: %v, want %v", labels[:n], labels[n:], got, want)
		}
	}
}

// Ranks that do not affect any bit of the result are omitted: results are bit-identical, also for
// large groups of ties.
func TestCompatOfTies(t *testing.T) {
	const n = 2000
	for i, want := range []uint64{0x3fc82e475b4a2257, 0x3fc9999999999996, 0x3fc991d8340f9200, 0x3fc9999999b6c357} {
		l := List{Labels: make([]float64, n), Scores: make([]float64, n), Unretrieved: []float64{3, 1, 2, 2}}
		for d := range n {
			l.Labels[d] = float64(max(0, (7*d+i)%5-2+i%2))
			l.Scores[d] = -float64(d / (n / []int{1, 2, 3, 50}[i]))
		}
		name := []string{"compat", "compat(.8)", "compat(.99)", "compat"}[i]
		got, err := testkit.Must(NewEvaluator(name, Options{})).AppendValues(nil, &l)
		if err != nil || math.Float64bits(got[0]) != want {
			t.Errorf("case %d: %v, bits %#x, want %#x, %v", i, got, math.Float64bits(got[0]), want, err)
		}
	}
}

// The bounds are attained by rankings that continue with new documents and by rankings that
// continue with the most helpful documents. The extrapolated value is between them.
func TestRBOMetrics(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	for range 200 {
		n, m := rng.IntN(8), rng.IntN(8)
		a, b := rng.Perm(12)[:n], rng.Perm(12)[:m]
		l := withReference(a, b)
		p := []float64{.3, .8, .95}[rng.IntN(3)]
		ps := "(" + map[float64]string{.3: ".3", .8: ".8", .95: ".95"}[p] + ")"
		got := valuesOf(t, l, "rbo"+ps+",rbo-min"+ps+",rbo-residual"+ps, Options{Empty: "zero"})
		if over := got[0] - got[1]; n+m > 0 && (over < -1e-12 || over > got[2]+1e-12) {
			t.Fatalf("%v, %v: %v, want between %v and %v more", a, b, got[0], got[1], got[2])
		}
		if least := longRBO(a, b, p); math.Abs(got[1]-least) > 1e-12 {
			t.Fatalf("%v, %v: least %v, want %v", a, b, got[1], least)
		}
		if most := longRBO(goOn(a, b), goOn(b, a), p); math.Abs(got[1]+got[2]-most) > 1e-12 {
			t.Fatalf("%v, %v, %v: greatest %v, want %v", a, b, p, got[1]+got[2], most)
		}
	}
}

// goOn appends to a the documents of b that a lacks, and then documents that both share.
func goOn(a, b []int) []int {
	a = slices.Clone(a)
	for _, d := range b {
		if !slices.Contains(a, d) {
			a = append(a, d)
		}
	}
	for d := 1000; len(a) < 1200; d++ {
		a = append(a, d)
	}
	return a
}

// longRBO computes the definition over as many ranks as matter.
func longRBO(a, b []int, p float64) float64 {
	sum, common, weight := 0.0, 0, 1-p
	has := map[int]int{}
	for d := 1; d <= 1200; d++ {
		for _, list := range [][]int{a, b} {
			if d <= len(list) {
				if has[list[d-1]]++; has[list[d-1]] == 2 {
					common++
				}
			}
		}
		sum += weight * float64(common) / float64(d)
		weight *= p
	}
	return sum
}

func TestSubtopicAndReferenceErrors(t *testing.T) {
	base := List{ID: "q", Labels: []float64{1, 0}, Scores: []float64{2, 1}, Unretrieved: []float64{1}}
	sub := func(judgments ...SubtopicLabel) List {
		l := base
		l.Subtopics = append([]SubtopicLabel{}, judgments...)
		return l
	}
	ref := func(length int, ranks ...int32) List {
		l := base
		l.Reference, l.ReferenceLen = append([]int32{}, ranks...), length
		return l
	}
	for _, c := range []struct {
		list        List
		names, want string
	}{
		{base, "map,p-ia@5", "rank: query q: diversity metrics require subtopic judgments"},
		{base, "rbo", "rank: query q: rbo requires a reference ranking"},
		{sub(SubtopicLabel{3, 0, 1}), "map-ia", "subtopic judgment 1: document 3 does not exist"},
		{sub(SubtopicLabel{-1, 0, 1}), "map-ia", "document -1 does not exist"},
		{sub(SubtopicLabel{0, 0, 1}, SubtopicLabel{0, -1, 1}), "map-ia", "subtopic judgment 2: subtopic -1"},
		{sub(SubtopicLabel{0, 1 << 20, 1}), "map-ia", "subtopic 1048576 must be from 0 to 1048575"},
		{sub(SubtopicLabel{0, 0, math.NaN()}), "map-ia", "the label is NaN; it must be a number"},
		{sub(SubtopicLabel{0, 0, 1}, SubtopicLabel{0, 0, 1}), "map-ia", "document 0 is judged twice for subtopic 0"},
		{sub(SubtopicLabel{0, 0, 1}, SubtopicLabel{1, 0, 1}, SubtopicLabel{0, 1, 1}), "map-ia", "not adjacent"},
		{sub(SubtopicLabel{2, 7, 1}, SubtopicLabel{0, 7, 0}), "map-ia", ""},
		{ref(2, 1), "rbo", "the number of reference ranks is 1 (for a reference of 2 documents)"},
		{ref(2, 1, 3), "rbo", "document 2: rank 3"},
		{ref(2, 1, -1), "rbo", "document 2: rank -1"},
		{ref(2, 2, 2), "rbo", "document 2: rank 2"},
		{ref(-1, 0, 0), "rbo", "reference of -1"},
		{ref(math.MaxInt32, 0, 0), "rbo", "reference of 2147483647"},
		{ref(0, 0, 0), "rbo", ""},
	} {
		t.Run(fmt.Sprint(c.names, " ", c.want), func(t *testing.T) {
			_, err := testkit.Must(NewEvaluator(c.names, Options{})).AppendValues(nil, &c.list)
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("error %v, want %q", err, c.want)
			}
		})
	}
	twice := sub(SubtopicLabel{0, 0, 1}, SubtopicLabel{0, 0, 1})
	e := testkit.Must(NewEvaluator("strec(rel=3)@3,strec(rel=1)@3", Options{}))
	if _, err := e.AppendValues(nil, &twice); err == nil {
		t.Error("judged twice where only one metric sees it: no error")
	}
	for name, want := range map[string][2]bool{"ndcg": {}, "nrbp": {true, false}, "rbo-min": {false, true}} {
		t.Run(name, func(t *testing.T) {
			m := testkit.Must(NewEvaluator(name, Options{})).Metrics()[0]
			if got := [2]bool{m.NeedsSubtopics(), m.NeedsReference()}; got != want {
				t.Error(got)
			}
		})
	}
	if m := (Metric{}); m.NeedsSubtopics() || m.NeedsReference() {
		t.Error("no metric needs something")
	}
}
