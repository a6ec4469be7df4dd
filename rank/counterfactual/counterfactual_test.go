package counterfactual

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash/fnv"
	"math"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/internal/num"
	"github.com/simdrank/simdrank/internal/testkit"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/compare"
)

// two returns two sessions. The first has clicks at the positions 1 and 4 of four documents, and
// the second has one at position 2 of three.
func two() *rank.Dataset {
	d := rank.NewDataset(7, 1)
	d.Offsets, d.QueryIDs = []int{0, 4, 7}, []string{"a", "b"}
	d.Labels, d.Positions = []float64{1, 0, 0, 1, 0, 1, 0}, []int32{1, 2, 3, 4, 3, 2, 1}
	return d
}

// simulate returns sessions of random documents, with clicks of a user who examines position k with
// the probability 1/k and clicks on each examined document with the probability relevances[row].
// The scores are unrelated to the positions, and some are equal.
func simulate(queries int, seed uint64) (d *rank.Dataset, scores, relevances []float64) {
	random := num.SplitMix(num.Mix(seed))
	const documents = 6
	d = rank.NewDataset(documents*queries, 1)
	d.Offsets, d.Positions = []int{0}, make([]int32, d.Rows())
	for i := range d.Labels {
		k := i % documents
		relevance := float64(random.Below(3)) / 2
		relevances = append(relevances, relevance)
		scores = append(scores, float64(relevance+float64(random.Below(4))))
		if d.Positions[i] = int32(k + 1); random.Float64()*float64(k+1) < relevance {
			d.Labels[i] = 1
		}
		if k == documents-1 {
			d.Offsets, d.QueryIDs = append(d.Offsets, i+1), append(d.QueryIDs, fmt.Sprint(i/documents))
		}
	}
	return d, scores, relevances
}

var inverse = []float64{1, 1. / 2, 1. / 3, 1. / 4, 1. / 5, 1. / 6}

func TestEvaluate(t *testing.T) {
	scores := []float64{1, 4, 3, 2, 5, 5, 4}
	d3, d4 := 0.5, 1/math.Log2(5) // discounts of ranks 3 and 4; the clicks are at ranks 4 and 3, and at 1.5
	tied := (1 + 1/math.Log2(3)) / 2
	for _, c := range []struct {
		metric      string
		maxWeight   float64
		first, next float64 // sums of w·λ of the queries
		weights     float64
		effective   float64
		limited     int
	}{
		{"dcg", 0, d4 + 4*d3, 2 * tied, 7, 49. / 21, 0},
		{"dcg@3", 0, 4 * d3, 2 * tied, 7, 49. / 21, 0},
		{"DCG@1", 0, 0, 1, 7, 49. / 21, 0},
		{"average-rank", 0, 4 + 4*3, 2 * 1.5, 7, 49. / 21, 0},
		{"average-rank", 2, 4 + 2*3, 2 * 1.5, 5, 25. / 9, 1},
		{"average-rank", 0.5, 2 + 1.5, 0.75, 1.5, 3, 3},
		{"average-rank", 4, 4 + 4*3, 2 * 1.5, 7, 49. / 21, 0},
	} {
		t.Run(fmt.Sprint(c.metric, c.maxWeight), func(t *testing.T) {
			o := Options{Propensities: inverse, MaxWeight: c.maxWeight}
			r, err := Evaluate(t.Context(), scores, two(), c.metric, o)
			if err != nil {
				t.Fatal(err)
			}
			if r.Queries != 2 || r.Clicks != 3 || r.Limited != c.limited ||
				!testkit.Near(r.EffectiveClicks, c.effective, 1e-14) {
				t.Errorf("%+v", r)
			}
			ips, snips := r.Estimates[0], r.Estimates[1]
			value := (c.first + c.next) / 2
			if len(r.Estimates) != 2 || ips.Metric != strings.ToLower(c.metric) || ips.Estimator != "ips" ||
				snips.Estimator != "snips" || !testkit.Near(ips.Value, value, 1e-14) ||
				!testkit.Near(ips.StandardError, math.Abs(c.first-c.next)/2, 1e-14) ||
				!testkit.Near(snips.Value, 2*value/c.weights, 1e-14) {
				t.Errorf("%+v", r.Estimates)
			}
			// Student's quantile for one degree of freedom
			if half := 12.706204736174694 * ips.StandardError; !testkit.Near(ips.High-ips.Value, half, 1e-12) ||
				!testkit.Near(ips.Value-ips.Low, half, 1e-12) {
				t.Errorf("the interval is from %v to %v, want ± %v", ips.Low, ips.High, half)
			}
		})
	}
}

// With the propensity 1 at each position, ips is the mean of DCG.
func TestWithoutBias(t *testing.T) {
	d, scores, _ := simulate(200, 1)
	e, err := rank.NewEvaluator("dcg,dcg@3", rank.Options{Empty: "zero"})
	if err != nil {
		t.Fatal(err)
	}
	want, err := e.EvalScores(t.Context(), scores, d)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Evaluate(t.Context(), scores, d, "dcg,dcg@3", Options{Propensities: []float64{1, 1, 1, 1, 1, 1}})
	if err != nil {
		t.Fatal(err)
	}
	for m, of := range want.Metrics {
		t.Run(of.Metric.String(), func(t *testing.T) {
			if got := r.Estimates[2*m].Value; !testkit.Near(got, of.Mean, 1e-13) {
				t.Errorf("%v, want %v", got, of.Mean)
			}
		})
	}
}

// Relative propensities divide ips, and do not change snips.
func TestRelativePropensities(t *testing.T) {
	d, scores, _ := simulate(50, 2)
	var r [2]*Results
	for i, factor := range []float64{1, 4} {
		o := Options{}
		for _, p := range inverse {
			o.Propensities = append(o.Propensities, factor*p)
		}
		var err error
		if r[i], err = Evaluate(t.Context(), scores, d, "dcg@3,average-rank", o); err != nil {
			t.Fatal(err)
		}
	}
	for k, a := range r[0].Estimates {
		t.Run(fmt.Sprint(a.Metric, a.Estimator), func(t *testing.T) {
			b, factor := r[1].Estimates[k], 4.
			if a.Estimator == "snips" {
				factor = 1
			}
			if a.Value != factor*b.Value || a.StandardError != factor*b.StandardError || a.High != factor*b.High {
				t.Errorf("%+v, want %v times %+v", a, factor, b)
			}
		})
	}
}

// ips is unbiased, its interval covers the true value, and snips is close and varies less.
// bench/clicks repeats this more often.
func TestAgainstTruth(t *testing.T) {
	const repetitions, queries = 150, 100
	d, scores, relevances := simulate(queries, 3)
	truth := map[string]float64{}
	all, ranks := 0.0, 0.0
	for q := range queries {
		lo, hi := d.Query(q)
		for i := lo; i < hi; i++ {
			rank := 0.5
			for j := lo; j < hi; j++ {
				if scores[j] > scores[i] {
					rank++
				} else if scores[j] == scores[i] {
					rank += 0.5
				}
			}
			all += relevances[i]
			ranks += relevances[i] * rank
		}
	}
	truth["ips"], truth["snips"] = ranks/queries, ranks/all
	random := num.SplitMix(4)
	sums, squares, covered := map[string]float64{}, map[string]float64{}, map[string]int{}
	for range repetitions {
		for i := range d.Labels {
			d.Labels[i] = 0
			if random.Float64()*float64(d.Positions[i]) < relevances[i] {
				d.Labels[i] = 1
			}
		}
		r, err := Evaluate(t.Context(), scores, d, "average-rank", Options{Propensities: inverse})
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range r.Estimates {
			relative := e.Value/truth[e.Estimator] - 1
			sums[e.Estimator] += relative
			squares[e.Estimator] += relative * relative
			if e.Low <= truth[e.Estimator] && truth[e.Estimator] <= e.High {
				covered[e.Estimator]++
			}
		}
	}
	for estimator, sum := range sums {
		t.Run(estimator, func(t *testing.T) {
			if z := sum / math.Sqrt(squares[estimator]); math.Abs(z) > 3 || covered[estimator] < repetitions*88/100 {
				t.Errorf("z %v, %d of %d intervals cover the true value", z, covered[estimator], repetitions)
			}
		})
	}
	if squares["snips"] > squares["ips"]/2 {
		t.Errorf("the squared relative errors are %v", squares)
	}
}

// The values of queries compare two rankings: the difference of the means is the mean difference.
func TestValues(t *testing.T) {
	d, scores, _ := simulate(400, 5)
	reversed := make([]float64, len(scores))
	for i, s := range scores {
		reversed[i] = -s
	}
	o := Options{Propensities: inverse}
	a, err := Evaluate(t.Context(), scores, d, "dcg@3", o)
	if err != nil {
		t.Fatal(err)
	}
	b, err := Evaluate(t.Context(), reversed, d, "dcg@3", o)
	if err != nil {
		t.Fatal(err)
	}
	for k := range a.Estimates {
		t.Run(a.Estimates[k].Estimator, func(t *testing.T) {
			x, y := a.Estimates[k], b.Estimates[k]
			c, err := compare.Values(t.Context(), [][]float64{y.Values, x.Values},
				compare.Options{Test: "t", Interval: "student"})
			if err != nil || !testkit.Near(c[1][0].Mean, x.Value-y.Value, 1e-13) || c[1][0].P > 0.01 {
				t.Errorf("%+v, %v", c, err)
			}
		})
	}
}

func TestErrors(t *testing.T) {
	valid := Options{Propensities: inverse}
	scores := []float64{1, 2, 3, 4, 5, 6, 7}
	for want, c := range map[string]struct {
		metrics string
		o       Options
		change  func(d *rank.Dataset)
	}{
		"metric ndcg@3 is not supported; metrics must be dcg, dcg@k or average-rank": {"dcg,ndcg@3", valid, nil},
		`metric "": the name is unknown`:                                             {"dcg,", valid, nil},
		"row 3: the click at position 4 requires a positive propensity for this position": {"dcg",
			Options{Propensities: inverse[:3]}, nil},
		"row 5: the click at position 2 requires a positive propensity for this position": {"dcg",
			Options{Propensities: []float64{1, 0, 1, 1}}, nil},
		"position 2: the propensity is -1; it must be positive and finite, or 0": {"dcg",
			Options{Propensities: []float64{1, -1, 1, 1}}, nil},
		"position 5: the propensity is NaN; it must be positive and finite, or 0": {"dcg",
			Options{Propensities: []float64{1, 1, 1, 1, math.NaN()}}, nil},
		"the maximum weight is -2; it must be positive, or 0 for no limit": {"dcg",
			Options{Propensities: inverse, MaxWeight: -2}, nil},
		"row 1: the label is 2; it must be 1 for a click and 0 otherwise": {"dcg", valid,
			func(d *rank.Dataset) { d.Labels[1] = 2 }},
		"line 7: the label is -1; it must be 1 for a click and 0 otherwise": {"dcg", valid,
			func(d *rank.Dataset) { d.Labels[1] = -1 }},
		"the data must contain the position of each document": {"dcg", valid,
			func(d *rank.Dataset) { d.Positions = nil }},
		"the data contains no clicks": {"dcg", valid, func(d *rank.Dataset) { clear(d.Labels) }},
		"the data must contain at least two queries": {"dcg", valid,
			func(d *rank.Dataset) { d.Offsets = d.Offsets[:2] }},
		"the number of scores is 7; it must be 4, one per row": {"dcg", valid, func(d *rank.Dataset) {
			d.Offsets, d.Labels, d.Positions = d.Offsets[:2], d.Labels[:4], d.Positions[:4]
			d.X = d.X[:4]
		}},
	} {
		t.Run(want, func(t *testing.T) {
			d := two()
			if strings.HasPrefix(want, "line") {
				d.SetLine(1, 7)
			}
			if c.change != nil {
				c.change(d)
			}
			_, err := Evaluate(t.Context(), scores, d, c.metrics, c.o)
			if err == nil || !strings.HasPrefix(err.Error(), "counterfactual: "+want) {
				t.Errorf("%v, want %s", err, want)
			}
		})
	}
	scores[2] = math.NaN()
	if _, err := Evaluate(t.Context(), scores, two(), "dcg", valid); err == nil ||
		err.Error() != "counterfactual: row 2: the score is NaN; it must be a number" {
		t.Error(err)
	}
}

// Every architecture and tier must compute the same.
func TestBits(t *testing.T) {
	d, scores, _ := simulate(50, 6)
	r, err := Evaluate(t.Context(), scores, d, "dcg@3,dcg,average-rank", Options{Propensities: inverse, MaxWeight: 5.5})
	if err != nil {
		t.Fatal(err)
	}
	h := fnv.New64a()
	h.Write(binary.LittleEndian.AppendUint64(nil, math.Float64bits(r.EffectiveClicks)))
	for _, e := range r.Estimates {
		for _, v := range append([]float64{e.Value, e.StandardError, e.Low, e.High}, e.Values...) {
			h.Write(binary.LittleEndian.AppendUint64(nil, math.Float64bits(v)))
		}
	}
	if got, want := hex.EncodeToString(h.Sum(nil)), "a9f7246b56e15401"; got != want {
		t.Errorf("the bits have the hash %s, want %s", got, want)
	}
}
