package importance

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/simdrank/simdrank/internal/num"
	"github.com/simdrank/simdrank/internal/synth"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/compare"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

// permuted returns a dense copy of d in which each query's values of the columns are permuted.
func permuted(d *rank.Dataset, columns []int, seed, repeat uint64) *rank.Dataset {
	from := d.ToDense()
	to := *from
	to.X = slices.Clone(from.X)
	for q := range d.Queries() {
		random := num.SplitMix(num.Mix(num.Mix(num.Mix(seed)+repeat) + uint64(q)))
		lo, hi := d.Query(q)
		var rows []int
		for i := range hi - lo {
			rows = append(rows, lo+i)
			k := random.Below(i + 1)
			rows[i], rows[k] = rows[k], rows[i]
		}
		for i, row := range rows {
			for _, j := range columns {
				to.Row(lo + i)[j] = from.Row(row)[j]
			}
		}
	}
	return &to
}

// foreign is a model of a type that this module does not know.
type foreign struct{ rank.Model }

func evaluator(t *testing.T, names string) *rank.Evaluator {
	t.Helper()
	e, err := rank.NewEvaluator(names, rank.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// wanted computes a drop from permuted copies of the data.
func wanted(t *testing.T, m rank.Model, d *rank.Dataset, p *Permutation, columns []int) Drop {
	t.Helper()
	values := func(d *rank.Dataset) []float64 {
		r, err := rank.Evaluate(t.Context(), m, d, "ndcg@5", rank.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return r.Metrics[0].Values
	}
	before := values(d)
	drops := make([]float64, len(before))
	for repeat := range p.Repeats {
		for q, v := range values(permuted(d, columns, p.Seed, uint64(repeat))) {
			drops[q] += before[q] - v
		}
	}
	var defined []float64
	for _, v := range drops {
		if !math.IsNaN(v) {
			defined = append(defined, v/float64(p.Repeats))
		}
	}
	r, err := compare.Values(t.Context(), [][]float64{make([]float64, len(defined)), defined},
		compare.Options{Interval: "student", Test: "t"})
	if err != nil {
		t.Fatal(err)
	}
	return Drop{Features: columns, Mean: r[1][0].Mean, Low: r[1][0].Low, High: r[1][0].High}
}

func sameDrop(a, b Drop) bool { return a.Mean == b.Mean && a.Low == b.Low && a.High == b.High }

// models returns one model of each kind, trained on some data, and the data.
func models(t *testing.T) (map[string]rank.Model, *rank.Dataset) {
	t.Helper()
	d := synth.Config{Seed: 3, Rows: 600, Cols: 9}.Dataset()
	linear, err := (&rank.Ridge{}).Fit(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	trainer := lambdamart.DefaultTrainer()
	trainer.Trees, trainer.Leaves = 8, 7
	fit, err := trainer.Fit(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	return map[string]rank.Model{"linear": linear, "trees": fit.Model}, d
}

// TestDrops compares drops with the evaluation of permuted copies, bit by bit.
func TestDrops(t *testing.T) {
	all, dense := models(t)
	dense.Labels = slices.Clone(dense.Labels)
	lo, hi := dense.Query(1)
	clear(dense.Labels[lo:hi]) // the metric is undefined
	gaps := *dense
	gaps.X = slices.Clone(dense.X)
	for i := range gaps.Rows() {
		if i%3 == 0 {
			gaps.Row(i)[2] = float32(math.NaN())
		}
	}
	few := dense.WithColumns(7) // the model has two more features
	for name, m := range all {
		t.Run(name, func(t *testing.T) {
			data := map[string]*rank.Dataset{"dense": dense, "sparse": dense.ToSparse(), "narrow": few}
			if name == "trees" {
				data["missing"] = &gaps
			}
			for kind, d := range data {
				t.Run(kind, func(t *testing.T) {
					for _, m := range []rank.Model{m, foreign{m}} {
						p := Permutation{Groups: [][]int{{2}, {4, 1, 4}, {0, 8}}, Repeats: 2, Seed: 7, Threads: 1}
						mean, drops, err := p.Drops(t.Context(), m, d, evaluator(t, "ndcg@5,map"))
						if err != nil {
							t.Fatal(err)
						}
						r, err := rank.Evaluate(t.Context(), m, d, "ndcg@5", rank.Options{})
						if err != nil || mean != r.Metrics[0].Mean {
							t.Errorf("mean %v, want %v (%v)", mean, r.Metrics[0].Mean, err)
						}
						for g, columns := range p.Groups {
							known := slices.DeleteFunc(slices.Clone(columns), func(j int) bool { return j >= d.Cols })
							want := wanted(t, m, d, &p, known)
							got := drops[g]
							if !sameDrop(got, want) || got.Mean == 0 || !slices.Equal(got.Features, columns) {
								t.Errorf("%T: group %v: %+v, want %+v", m, columns, got, want)
							}
						}
						p.Threads = 3
						if _, again, err := p.Drops(t.Context(), m, d, evaluator(t, "ndcg@5")); err != nil ||
							!slices.EqualFunc(again, drops, sameDrop) {
							t.Errorf("%T: three threads: %v, want %v (%v)", m, again, drops, err)
						}
					}
				})
			}
		})
	}
}

// TestDropsOfLongQueries uses queries of more rows than a block has.
func TestDropsOfLongQueries(t *testing.T) {
	d := synth.Config{Seed: 5, Rows: 9000, Cols: 3, MinDocs: 4500, MaxDocs: 4500}.Dataset()
	m := &rank.Linear{Weights: []float64{1, -.5, 2}}
	for name, d := range map[string]*rank.Dataset{"dense": d, "sparse": d.ToSparse()} {
		t.Run(name, func(t *testing.T) {
			p := Permutation{Repeats: 1, Seed: 1}
			_, drops, err := p.Drops(t.Context(), m, d, evaluator(t, "ndcg@5"))
			if err != nil {
				t.Fatal(err)
			}
			for j, got := range drops {
				if want := wanted(t, m, d, &p, []int{j}); !sameDrop(got, want) {
					t.Errorf("feature %d: %+v, want %+v", j, got, want)
				}
			}
		})
	}
}

// TestDropsOfUnusedFeatures: the drop is exactly 0 unless permuting changes the scores.
func TestDropsOfUnusedFeatures(t *testing.T) {
	d := rank.NewDataset(8, 3)
	d.Offsets, d.QueryIDs = []int{0, 4, 8}, []string{"a", "b"}
	for i := range 8 {
		d.Labels[i] = float64(i % 4 / 3)
		copy(d.Row(i), []float32{float32(i % 4), float32(i / 4), float32(i)}) // the second is constant in each query
	}
	m := &rank.Linear{Weights: []float64{1, 5, 0}}
	mean, drops, err := (&Permutation{Repeats: 20}).Drops(t.Context(), m, d, evaluator(t, "p@1"))
	if err != nil {
		t.Fatal(err)
	}
	if mean != 1 || len(drops) != 2 || !sameDrop(drops[1], Drop{}) || !slices.Equal(drops[1].Features, []int{1}) {
		t.Errorf("mean %v, drops %+v", mean, drops)
	}
	if v := drops[0].Mean; math.Abs(v-.75) > .2 { // one in four permutations leaves the relevant document at the top
		t.Errorf("drop %v, want about 0.75", v)
	}
	_, drops, err = (&Permutation{Groups: [][]int{{2}}}).Drops(t.Context(), m, d, evaluator(t, "p@1"))
	if err != nil || drops[0].Mean != 0 {
		t.Errorf("a feature without a weight: %+v (%v)", drops, err)
	}
}

// shy fails if the first feature of the first row is not the one of the data.
type shy struct {
	rank.Model
	first float32
}

func (m shy) ScoreInto(ctx context.Context, dst []float64, d *rank.Dataset) error {
	if d.X[0] != m.first {
		return errors.New("who moved my feature")
	}
	return m.Model.ScoreInto(ctx, dst, d)
}

func TestDropsErrors(t *testing.T) {
	all, d := models(t)
	m := all["linear"]
	two, err := d.SubsetQueries([]int{0, 1})
	if err != nil {
		t.Fatal(err)
	}
	clear(two.Labels[:two.Offsets[1]])
	unlabeled := *d
	unlabeled.Labels = nil
	for _, c := range []struct {
		name   string
		p      Permutation
		m      rank.Model
		d      *rank.Dataset
		metric string
		want   string
	}{
		{"repeats", Permutation{Repeats: -1}, m, d, "map", "Repeats is -1; it must not be negative"},
		{"empty group", Permutation{Groups: [][]int{{1}, {}}}, m, d, "map", "group 1 is empty"},
		{"feature", Permutation{Groups: [][]int{{9}}}, m, d, "map",
			"group 0 contains feature 9; features must be from 0 to 8"},
		{"pooled", Permutation{}, m, d, "pair-accuracy-pooled", "has no drop per query (use pair-accuracy)"},
		{"one query", Permutation{}, m, two, "ndcg", "ndcg is defined on 1 queries; at least 2 are required"},
		{"columns", Permutation{}, &rank.Linear{Weights: []float64{1}}, d, "map", "the data has 9 columns"},
		{"labels", Permutation{}, m, &unlabeled, "map", "labels"},
		{"scoring", Permutation{}, shy{m, d.X[0]}, d, "map", "permuted feature 1: who moved my feature"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, _, err := c.p.Drops(t.Context(), c.m, c.d, evaluator(t, c.metric))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
}

// TestDropsCanceled: the end of the context ends the work soon.
func TestDropsCanceled(t *testing.T) {
	all, d := models(t)
	ctx, cancel := context.WithCancel(t.Context())
	var at time.Time
	p := Permutation{Repeats: 1 << 30, Threads: 2, Progress: func(done, _ int64) {
		if done > 5000 && at.IsZero() {
			at = time.Now()
			cancel()
		}
	}}
	_, _, err := p.Drops(ctx, all["trees"], d, evaluator(t, "map"))
	if took := time.Since(at); !errors.Is(err, context.Canceled) || took > 5*time.Second {
		t.Errorf("%v after %v", err, took)
	}
}
