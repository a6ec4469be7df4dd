package lambdamart

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/internal/boost"
	"github.com/simdrank/simdrank/internal/cpu"
	"github.com/simdrank/simdrank/internal/synth"
	"github.com/simdrank/simdrank/internal/testkit"
	"github.com/simdrank/simdrank/rank"
)

var nan = float32(math.NaN())

// with returns the default trainer with the nonzero fields of o, and with the named fields set to
// 0.
func with(o Trainer, zero ...string) *Trainer { return testkit.With(DefaultTrainer(), o, zero...) }

// modelHash returns a hash of all fields of a model.
func modelHash(t *testing.T, m *Model) uint64 {
	t.Helper()
	h := fnv.New64a()
	if m.Bias != 0 {
		fmt.Fprint(h, math.Float64bits(m.Bias))
	}
	for i := range m.Trees {
		tree := &m.Trees[i]
		for _, v := range []any{tree.Feature, tree.Threshold, tree.MissingLeft, tree.ZeroMissing, tree.Left, tree.Right,
			tree.Gain, tree.Weight, tree.Count, tree.Leaf, tree.LeafWeight, tree.LeafCount} {
			if err := binary.Write(h, binary.LittleEndian, v); err != nil {
				t.Fatal(err)
			}
		}
		for _, set := range tree.Categories {
			fmt.Fprint(h, set)
		}
	}
	return h.Sum64()
}

// mixed uses all options that affect bits.
var mixed = *with(Trainer{Trees: 6, Leaves: 12, MinRows: 5, Categorical: []int{3}, L1: .1, L2: 1, Monotone: []int8{1},
	QueryFraction: .9, RowFraction: .9, FeatureFraction: .8, Seed: 3})

// fitEverywhere compares the hash of the model that o grows on d, on every tier and with several
// numbers of threads.
func fitEverywhere(t *testing.T, name string, o Trainer, d *rank.Dataset, threads []int,
	hash func(*testing.T, *Model) uint64, want uint64) {
	t.Helper()
	for _, tier := range cpu.Available() {
		t.Run(tier.String(), func(t *testing.T) {
			for _, o.Threads = range threads {
				restore := cpu.Force(tier)
				r, err := o.Fit(t.Context(), d)
				restore()
				if err != nil {
					t.Fatal(err)
				}
				if got := hash(t, r.Model); got != want {
					t.Errorf("%s, %d threads: hash %#x, want %#x", name, o.Threads, got, want)
				}
			}
		})
	}
}

// The hashes are the same on every architecture.
func TestSameBits(t *testing.T) {
	d := synth.Ranking(60, 12, 1)
	for _, c := range []struct {
		name string
		o    Trainer
		want uint64
	}{
		{"plain", *with(Trainer{Trees: 6, Leaves: 12}), 0x36123e21f30faf03},
		{"depth-wise", *with(Trainer{Trees: 4, DepthWise: true, Depth: 4, Objective: Pairwise}, "Leaves"),
			0x1d85b356db26ed17},
		{"depth-wise, few leaves", *with(Trainer{Trees: 4, DepthWise: true, Leaves: 11}), 0xffcc7a1701351241},
		{"depth-wise, deep", *with(Trainer{Trees: 4, DepthWise: true, Leaves: 40, Depth: 7, MinRows: 2,
			FeatureFraction: .6}),
			0xa467eb54bb9f09d0},
		{"mixed", mixed, 0x177212b2706b4d8d},
		{"mean pairs", *with(Trainer{Trees: 3, Leaves: 6, MeanPairs: 2, Seed: 2}), 0x5c3fdd0ee570887e},
		{"listnet", *with(Trainer{Trees: 3, Leaves: 6, Objective: ListNet}), 0x9b33bfd4a4d4db46},
		{"yetirank", *with(Trainer{Trees: 3, Leaves: 6, Objective: YetiRank, Seed: 2, Permutations: 3, Decay: .9}),
			0x34cf4b0806db5684},
		{"query-rmse", *with(Trainer{Trees: 3, Leaves: 6, Objective: QueryRMSE}), 0x7ca45785ca7a06f3},
		{"binary", *with(Trainer{Trees: 3, Leaves: 6, Objective: Binary, Sigmoid: .8}), 0xbeaf6027e7745985},
		{"regression", *with(Trainer{Trees: 3, Leaves: 6, Objective: Regression}), 0x4e3fccf92503b66b},
		{"restrained", restrained, 0x1865726d16feaa8d},
		{"dart", dropping, 0xd752eac5fe547ec},
	} {
		t.Run(c.name, func(t *testing.T) {
			fitEverywhere(t, c.name, c.o, d, []int{1, 2, 3, 8}, modelHash, c.want)
		})
	}
}

// Shared bytes of features, and rows that are read for partitions, do not change a bit: the hashes
// are those with separate bytes.
func TestSameBitsOfFewValues(t *testing.T) {
	d := synth.FewValues(synth.Ranking(60, 24, 5))
	kept := boost.ColumnBytes
	defer func() { boost.ColumnBytes = kept }()
	for _, c := range []struct {
		name string
		o    Trainer
		want uint64
	}{
		{"plain", *with(Trainer{Trees: 6, Leaves: 12}), 0x8d2ef464bd8cac37},
		{"depth-wise", *with(Trainer{Trees: 4, DepthWise: true, Depth: 4, FeatureFraction: .5, RowFraction: .8},
			"Leaves"),
			0xe7916507fbb8a581},
		{"mixed", mixed, 0xb43c5881d397577c},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, boost.ColumnBytes = range []int{kept, 0} {
				for _, d := range []*rank.Dataset{d, synth.SparseWithZeros(d)} {
					for _, threads := range []int{1, 3} {
						c.o.Threads = threads
						r, err := c.o.Fit(t.Context(), d)
						if err != nil {
							t.Fatal(err)
						}
						if d.Sparse == nil && boost.ColumnBytes == 0 {
							if want := int64(d.Rows() * 16); r.BinBytes != want { // 24 features
								t.Errorf("%d bytes of bins, want %d", r.BinBytes, want)
							}
						}
						if got := modelHash(t, r.Model); got != c.want {
							t.Errorf("sparse %v, %d bytes of columns, %d threads: hash %#x, want %#x",
								d.Sparse != nil, boost.ColumnBytes, threads, got, c.want)
						}
					}
				}
			}
		})
	}
}

// Many rows are divided among threads.
func TestSameBitsOfParts(t *testing.T) {
	if testing.Short() {
		t.Skip("too many rows for emulation")
	}
	d := synth.Ranking(3000, 5, 1)
	if d.Rows() < 2<<14 { // number of rows of a part
		t.Fatalf("%d rows", d.Rows())
	}
	for _, o := range []Trainer{*with(Trainer{Trees: 3}), *with(Trainer{Trees: 3, RowFraction: .9})} {
		t.Run(fmt.Sprint(o.RowFraction), func(t *testing.T) {
			var want uint64
			for _, threads := range []int{1, 2, 3} {
				o.Threads = threads
				r, err := o.Fit(t.Context(), d)
				if err != nil {
					t.Fatal(err)
				}
				if got := modelHash(t, r.Model); want == 0 {
					want = got
				} else if got != want {
					t.Errorf("%d threads: hash %#x, on one %#x", threads, got, want)
				}
			}
		})
	}
}

func TestFitLearns(t *testing.T) {
	train, test := synth.Ranking(150, 8, 1), synth.Ranking(60, 8, 2)
	ndcg := func(t *testing.T, scores []float64) float64 {
		r, err := testkit.Must(rank.NewEvaluator("ndcg@10", rank.Options{})).EvalScores(t.Context(), scores, test)
		if err != nil {
			t.Fatal(err)
		}
		return r.Metrics[0].Mean
	}
	scores := make([]float64, test.Rows())
	svm := rank.RankSVM{}
	linear, err := svm.Fit(t.Context(), withoutMissing(train))
	if err != nil {
		t.Fatal(err)
	}
	if err := linear.ScoreInto(t.Context(), scores, withoutMissing(test)); err != nil {
		t.Fatal(err)
	}
	baseline := ndcg(t, scores)
	for name, o := range map[string]Trainer{
		"leaf-wise":  *with(Trainer{Trees: 60, Leaves: 8, Categorical: []int{3}}),
		"depth-wise": *with(Trainer{Trees: 60, DepthWise: true, Depth: 3, Categorical: []int{3}}, "Leaves"),
		"sampled":    *with(Trainer{Trees: 60, Leaves: 8, QueryFraction: .7, RowFraction: .9, FeatureFraction: .8}),
		"monotone":   *with(Trainer{Trees: 60, Leaves: 8, Monotone: []int8{1, 1, -1}}),
	} {
		t.Run(name, func(t *testing.T) {
			if testing.Short() && name != "leaf-wise" {
				return // a bit-identical model learns equally well
			}
			r, err := o.Fit(t.Context(), train)
			if err != nil {
				t.Fatal(err)
			}
			if err := r.Model.Validate(); err != nil {
				t.Error(err)
			}
			if err := r.Model.ScoreInto(t.Context(), scores, test); err != nil {
				t.Fatal(err)
			}
			if got := ndcg(t, scores); got < baseline+.02 {
				t.Errorf("NDCG@10 %.4f of data that was held out, a linear model has %.4f", got, baseline)
			}
		})
	}
}

// withoutMissing returns d with missing values replaced by 0.
func withoutMissing(d *rank.Dataset) *rank.Dataset {
	c := *d
	c.X = slices.Clone(d.X)
	for i, v := range c.X {
		if v != v {
			c.X[i] = 0
		}
	}
	return &c
}

// Scores of training rows come from the partitions and not from the model. They must agree for
// sampled rows and others, missing values and categories.
func TestTrainingScoresAreTheModels(t *testing.T) {
	d := synth.Ranking(60, 8, 3)
	o, copied := mixed, *d
	e := testkit.Must(rank.NewEvaluator("ndcg,map", rank.Options{}))
	o.Validation = []Validation{{"train", d, e}, {"copy", &copied, e}}
	r, err := o.Fit(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Curves) != 4 {
		t.Fatalf("%d curves, want 4", len(r.Curves))
	}
	for m := range 2 {
		if !slices.Equal(r.Curves[m].Values, r.Curves[2+m].Values) {
			t.Errorf("%v on the training rows %v, on a copy of them %v", r.Curves[m].Metric, r.Curves[m].Values,
				r.Curves[2+m].Values)
		}
	}
}

func TestMonotone(t *testing.T) {
	d := synth.Ranking(100, 8, 4)
	// against the data in feature 1
	o := *with(Trainer{Trees: 20, Leaves: 20, MinRows: 3, Monotone: []int8{1, -1, 0, 0, 1}})
	r, err := o.Fit(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	x := make([]float32, 8)
	for i := range min(d.Rows(), 200) {
		for f, sign := range o.Monotone {
			copy(x, d.Row(i))
			last := math.Inf(-1)
			for v := range 65 {
				if sign < 0 {
					v = 64 - v
				}
				x[f] = float32(v) / 8
				if s := r.Model.Score(x); sign != 0 && s < last {
					t.Fatalf("row %d: feature %d at %v: score %v after %v", i, f, x[f], s, last)
				} else {
					last = s
				}
			}
		}
	}
	if _, splits := r.Model.Importance(); splits[0] == 0 {
		t.Error("no split on the feature that matters")
	}
}

func TestEarlyStopping(t *testing.T) {
	train, test := synth.Ranking(60, 8, 1), synth.Ranking(30, 8, 2)
	o := *with(Trainer{Trees: 200, LearningRate: .5, MinRows: 3, EarlyStopping: 4})
	o.Validation = []Validation{{"test", test, testkit.Must(rank.NewEvaluator("ndcg@5,map", rank.Options{}))}}
	calls := 0
	o.OnTree = func(p *Result) error {
		if calls++; p.Grown != calls || len(p.Curves) != 2 || len(p.Curves[1].Values) != calls {
			t.Errorf("call %d: %+v", calls, p)
		}
		return nil
	}
	r, err := o.Fit(t.Context(), train)
	if err != nil {
		t.Fatal(err)
	}
	values := r.Curves[0].Values
	best := slices.Index(values, slices.Max(values)) + 1
	if r.Stop != boost.StopEarly || r.Best != best || r.Grown != best+4 || len(values) != r.Grown ||
		len(r.Model.Trees) != best || calls != r.Grown {
		t.Errorf("%v: %d trees, best %d, %d in the model, %d calls; the curve has its maximum at %d: %v", r.Stop,
			r.Grown, r.Best, len(r.Model.Trees), calls, best, values)
	}

	o.OnTree = nil
	all, err := o.Retrain(t.Context(), r, train)
	if err != nil {
		t.Fatal(err)
	}
	if modelHash(t, all.Model) != modelHash(t, r.Model) {
		t.Error("trained again on the same data, the model differs")
	}
}

func TestResume(t *testing.T) {
	d := synth.Ranking(60, 8, 5)
	o := mixed
	whole, err := o.Fit(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	o.Trees = 2
	part, err := o.Fit(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	o.Trees, o.Start = 4, part.Model
	r, err := o.Fit(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	if len(part.Model.Trees) != 2 || r.Grown != 4 || modelHash(t, r.Model) != modelHash(t, whole.Model) {
		t.Errorf("a resumed model of %d trees differs from one of %d", len(r.Model.Trees), len(whole.Model.Trees))
	}
	if !maps.Equal(r.Model.Settings, whole.Model.Settings) {
		t.Errorf("a resumed model has the settings %q, another %q", r.Model.Settings, whole.Model.Settings)
	}
}

// A model contains the options of its training.
func TestSettings(t *testing.T) {
	d := synth.Ranking(20, 8, 4)
	o := *with(Trainer{Trees: 2, DepthWise: true, Categorical: []int{3}, Monotone: []int8{1}, EarlyStopping: 1,
		Threads: 2, Validation: []Validation{{Name: "valid", Data: d}}}, "MinHessian", "Truncation", "Leaves")
	r, err := o.Fit(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"model": "lambdamart", "objective": "ndcg", "trees": "2", "leaves": "64",
		"depth": "6", "depth_wise": "true", "learning_rate": "0.1", "min_hessian": "0", "truncation": "all",
		"sigmoid": "1", "gains": "2^label-1", "categorical": "4", "monotone": "1+", "metric": "ndcg@10",
		"early_stopping": "1", "seed": "0", "threads": "", "validation": "", "bins_file": ""} {
		t.Run(name, func(t *testing.T) {
			if got := r.Model.Settings[name]; got != want {
				t.Errorf("%s is %q, want %q", name, got, want)
			}
		})
	}
}

// If a model does not specify its treatment of zeros, its trees adopt the treatment of the training
// that continues from it.
func TestResumeUnknownZeros(t *testing.T) {
	for _, missing := range []bool{false, true} {
		t.Run(fmt.Sprint(missing), func(t *testing.T) {
			start := stump()
			start.NumFeatures, start.UnknownZeros = 4, true
			o := *with(Trainer{Trees: 1, ZeroMissing: missing, Start: start})
			r, err := o.Fit(t.Context(), synth.Ranking(20, 4, 1))
			if err != nil {
				t.Fatal(err)
			}
			want, score := false, -1.0
			if missing {
				want, score = true, 1
			}
			first := Model{NumFeatures: 4, Trees: r.Model.Trees[:1]}
			if r.Model.ZeroMissing() != want || first.Score([]float32{0, 0}) != score {
				t.Errorf("zeros are missing: %v, and score %v, want %v and %v", r.Model.ZeroMissing(),
					first.Score([]float32{0, 0}), want, score)
			}
			if !start.UnknownZeros || start.Trees[0].ZeroMissing != nil {
				t.Error("the model to start from was changed")
			}
		})
	}
}

func TestZeroMissingCategories(t *testing.T) {
	d := rank.NewDataset(200, 1)
	for i := range d.Rows() {
		d.Row(i)[0], d.Labels[i] = float32(i%3), float64(i%3%2)
	}
	d.Offsets, d.QueryIDs = []int{0, 100, 200}, []string{"a", "b"}
	o := *with(Trainer{Trees: 1, ZeroMissing: true, Categorical: []int{0}})
	r, err := o.Fit(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Model.Trees[0].Feature) == 0 || !r.Model.ZeroMissing() {
		t.Errorf("zeros are values in %+v", r.Model.Trees)
	}
}

func TestCancel(t *testing.T) {
	d := synth.Ranking(60, 8, 6)
	ctx, cancel := context.WithCancel(t.Context())
	o := *with(Trainer{Trees: 50, OnTree: func(p *Result) error {
		if p.Grown == 3 {
			cancel()
		}
		return nil
	}})
	r, err := o.Fit(ctx, d)
	if !errors.Is(err, context.Canceled) || r == nil || r.Stop != boost.StopCanceled || len(r.Model.Trees) != 3 {
		t.Fatalf("%+v, %v", r, err)
	}
	if r, err := o.Fit(ctx, d); !errors.Is(err, context.Canceled) || r != nil {
		t.Errorf("a context that is done: %v, %v", r, err)
	}
}

// A custom metric controls early stopping, whether higher or lower values are better.
func TestMeasures(t *testing.T) {
	train, test := synth.Ranking(60, 8, 1), synth.Ranking(30, 8, 2)
	loss := func(scores []float64, d *rank.Dataset) (sum float64, err error) {
		if d != test || len(scores) != d.Rows() {
			return 0, errors.New("other data")
		}
		for i, s := range scores {
			sum += (s - d.Labels[i]) * (s - d.Labels[i]) / float64(len(scores))
		}
		return sum, nil
	}
	gain := func(scores []float64, d *rank.Dataset) (float64, error) {
		v, err := loss(scores, d)
		return -v, err
	}
	o := *with(Trainer{Objective: Regression, Trees: 200, LearningRate: .5, MinRows: 3, EarlyStopping: 4})
	var results []*Result
	for _, m := range []CustomMetric{{Name: "mse", Value: loss, Lower: true}, {Name: "gain", Value: gain}} {
		t.Run(m.Name, func(t *testing.T) {
			o.CustomMetrics = []CustomMetric{m}
			o.Validation = []Validation{{"test", test, testkit.Must(rank.NewEvaluator("ndcg@5", rank.Options{}))}}
			r, err := o.Fit(t.Context(), train)
			if err != nil {
				t.Fatal(err)
			}
			v := r.Curves[0].Values
			if r.Curves[0].Metric != m.Name || r.Curves[1].Metric != "ndcg@5" || r.Stop != boost.StopEarly ||
				len(r.Model.Trees) != r.Best || m.Lower && v[r.Best-1] != slices.Min(v) {
				t.Errorf("best of %d are %d: %v", r.Grown, r.Best, r.Curves)
			}
			if got := r.Model.Settings["metric"]; got != m.Name {
				t.Errorf("the settings tell the metric %q, want %q", got, m.Name)
			}
			results = append(results, r)
		})
	}
	if len(results) < 2 {
		return // a case failed, or -run selected another
	}
	if modelHash(t, results[0].Model) != modelHash(t, results[1].Model) {
		t.Error("the two directions differ")
	}
	if _, err := o.Retrain(t.Context(), results[0], train); err != nil {
		t.Error(err)
	}
	if _, err := o.Refit(t.Context(), results[0].Model, train, .5); err != nil {
		t.Error(err)
	}
	bad := errors.New("bad luck")
	for want, m := range map[string]CustomMetric{
		"set 1 (test), a after tree 1: bad luck": {Name: "a",
			Value: func([]float64, *rank.Dataset) (float64, error) { return 0, bad }},
		"set 1 (test), b after tree 1: the value is NaN; it must be a number": {Name: "b",
			Value: func([]float64, *rank.Dataset) (float64, error) { return math.NaN(), nil }},
		`set 1 (test): custom metric "c" has no Value function`: {Name: "c"},
	} {
		t.Run(want, func(t *testing.T) {
			o.CustomMetrics, o.Validation = []CustomMetric{m}, []Validation{{Name: "test", Data: test}}
			if _, err := o.Fit(t.Context(), train); err == nil || err.Error() != "lambdamart: validation "+want {
				t.Errorf("%v, want %s", err, want)
			}
		})
	}
}

// OnTree ends training and keeps the trees so far.
func TestOnTreeStops(t *testing.T) {
	d := synth.Ranking(60, 8, 6)
	want, err := with(Trainer{Trees: 3}).Fit(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	full := errors.New("disk full")
	for _, failure := range []error{ErrStop, fmt.Errorf("enough: %w", ErrStop), full} {
		t.Run(failure.Error(), func(t *testing.T) {
			o := *with(Trainer{Trees: 50, OnTree: func(p *Result) error {
				if p.Grown == 3 {
					return failure
				}
				return nil
			}})
			r, err := o.Fit(t.Context(), d)
			if errors.Is(err, full) != (failure == full) || err != nil && failure != full {
				t.Errorf("%v: error %v", failure, err)
			}
			if r == nil || r.Stop != boost.StopProgress || r.Grown != 3 ||
				modelHash(t, r.Model) != modelHash(t, want.Model) {
				t.Errorf("%v: %+v", failure, r)
			}
		})
	}
}

// TestBytes: a result contains the memory of the bins and of the training.
func TestBytes(t *testing.T) {
	d := synth.Ranking(40, 8, 9)
	r, err := with(Trainer{Trees: 3}).Fit(t.Context(), d)
	if err != nil || r.BinBytes != int64(16*d.Rows()) || r.TrainBytes <= r.BinBytes {
		t.Errorf("%v, %d bytes of bins, %d in all", err, r.BinBytes, r.TrainBytes)
	}
}

func TestScoresTooLarge(t *testing.T) {
	o := *with(Trainer{LearningRate: 1e308, MinRows: 1}, "MinHessian")
	_, err := o.Fit(t.Context(), synth.Ranking(20, 8, 10))
	if err == nil || !strings.Contains(err.Error(), "not finite") {
		t.Errorf("error %v", err)
	}
}

func TestNoSplit(t *testing.T) {
	d := synth.Ranking(5, 8, 7)
	clear(d.Labels)
	o := *DefaultTrainer()
	r, err := o.Fit(t.Context(), d)
	if err != nil || r.Stop != boost.StopNoSplit || len(r.Model.Trees) != 0 {
		t.Errorf("without a pair of labels that differ: %+v, %v", r, err)
	}
	d.Labels[0] = 1
	clear(d.X)
	for name, d := range map[string]*rank.Dataset{"dense": d, "sparse": synth.SparseWithZeros(d)} {
		t.Run(name, func(t *testing.T) {
			if r, err = o.Fit(t.Context(), d); err != nil || r.Stop != boost.StopNoSplit || len(r.Model.Trees) != 0 {
				t.Errorf("without values: %+v, %v", r, err)
			}
		})
	}
}

// Errors about the zero Trainer and forgotten defaults mention DefaultTrainer.
func TestZeroTrainer(t *testing.T) {
	for want, o := range map[string]*Trainer{
		"Objective is nil (use DefaultTrainer, which sets the defaults)":                  {},
		"Trees is 0; it must be at least 1 (use DefaultTrainer, which sets the defaults)": {Objective: NDCG, Bins: 9},
		"Bins is 0; it must be at least 2 (use DefaultTrainer, which sets the defaults)":  {Objective: NDCG, Trees: 9},
	} {
		t.Run(want, func(t *testing.T) {
			if _, err := o.Fit(t.Context(), synth.Ranking(5, 8, 8)); err == nil || err.Error() != "lambdamart: "+want {
				t.Errorf("%v, want %s", err, want)
			}
		})
	}
}

// Tests leaves and depth without limits and with one of them.
func TestLimits(t *testing.T) {
	d := synth.Ranking(5, 8, 8)
	for _, c := range []struct {
		o             Trainer
		leaves, depth int
	}{
		{*DefaultTrainer(), 31, 0},
		{*with(Trainer{Depth: 3}), 31, 3},
		{*with(Trainer{DepthWise: true}, "Leaves"), 64, 6},
		{*with(Trainer{DepthWise: true, Depth: 3}, "Leaves"), 8, 3},
		{*with(Trainer{DepthWise: true, Leaves: 20}), 20, 0},
		{*with(Trainer{Depth: 40}, "Leaves"), 65536, 40},
	} {
		t.Run(fmt.Sprint(c.leaves, " ", c.depth), func(t *testing.T) {
			if o, err := c.o.filled(d); err != nil || o.Leaves != c.leaves || o.Depth != c.depth {
				t.Errorf("%+v: %+v, %v", c.o, o, err)
			}
		})
	}
}

// Bins in a file, which is read in parts, give the same models, and the file is deleted.
func TestBinsFile(t *testing.T) {
	queries := 4500 // of 79,000 rows
	if testing.Short() {
		queries = 50
	}
	d := synth.Ranking(queries, 8, 4)
	dir := t.TempDir()
	if rows := d.Rows(); !testing.Short() && rows < 1<<16*6/5 { // rows of a part
		t.Fatalf("%d rows are one part", rows)
	}
	file := filepath.Join(dir, "bins")
	for _, o := range []Trainer{
		*with(Trainer{Trees: 2, Leaves: 9}),
		*with(Trainer{Trees: 2, DepthWise: true, Depth: 4, Categorical: []int{3}}, "Leaves"),
		*with(Trainer{Trees: 2, DepthWise: true, Depth: 4, RowFraction: .7, FeatureFraction: .5, ZeroMissing: true},
			"Leaves"),
	} {
		t.Run(fmt.Sprint(o.DepthWise, " ", o.ZeroMissing), func(t *testing.T) {
			want, err := o.Fit(t.Context(), d)
			if err != nil {
				t.Fatal(err)
			}
			o.BinsFile, o.Threads = file, 3
			for _, d := range []*rank.Dataset{d, synth.SparseWithZeros(d)} {
				got, err := o.Fit(t.Context(), d)
				if err != nil {
					t.Fatal(err)
				}
				if a, b := modelHash(t, got.Model), modelHash(t, want.Model); a != b {
					t.Errorf("%+v: hash %#x, in memory %#x", o, a, b)
				}
				if d.Sparse == nil && got.BinBytes != 0 {
					t.Errorf("%d bytes of bins in memory", got.BinBytes)
				}
			}
			for _, o.BinsFile = range []string{filepath.Join(dir, "none", "bins"), dir} {
				if _, err := o.Fit(t.Context(), d); err == nil || !strings.Contains(err.Error(), o.BinsFile) {
					t.Errorf("%s: %v", o.BinsFile, err)
				}
			}
			// Nothing remains if training is stopped or does not begin.
			o.BinsFile = file
			ctx, cancel := context.WithCancel(t.Context())
			o.OnTree = func(*Result) error { cancel(); return nil }
			if _, err := o.Fit(ctx, d); !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
			o.Validation = []Validation{{Name: "none"}}
			if _, err := o.Fit(t.Context(), d); err == nil {
				t.Error("a validation set without data")
			}
			if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
				t.Errorf("left: %v, %v", left, err)
			}
		})
	}
}

// Column names become the feature names of the model.
func TestFeatureNames(t *testing.T) {
	d := synth.Ranking(20, 5, 3)
	d.Names = []string{"bm25", "age", "clicks", "kind", "größe"}
	r, err := with(Trainer{Trees: 2}).Fit(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(r.Model.FeatureNames, d.Names) {
		t.Errorf("%q, want %q", r.Model.FeatureNames, d.Names)
	}
	if r, err := with(Trainer{Trees: 1, Start: r.Model}).Fit(t.Context(), synth.Ranking(20, 5, 3)); err != nil ||
		!slices.Equal(r.Model.FeatureNames, d.Names) {
		t.Errorf("resumed on data without names: %v", err)
	}
	d.Names = slices.Clone(d.Names)
	d.Names[2] = "dwell"
	const want = `feature 2 is "dwell" in the data and "clicks" in the model to start from`
	if _, err := with(Trainer{Trees: 1, Start: r.Model}).Fit(t.Context(), d); err == nil ||
		!strings.Contains(err.Error(), want) {
		t.Errorf("other names: %v", err)
	}
}

// Categories that training does not distinguish are reported.
func TestDroppedCategories(t *testing.T) {
	d := synth.Ranking(60, 6, 3)
	rows := d.Rows()
	for i := range rows {
		d.Row(i)[3], d.Row(i)[4], d.Row(i)[5] = float32(i%300), float32(i%7-2), float32(i%9)
	}
	o := *with(Trainer{Trees: 2, Categorical: []int{3, 4, 5}})
	r, err := o.Fit(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	rare := 0 // number of rows with categories 254 to 299
	for i := range rows {
		if i%300 >= 254 {
			rare++
		}
	}
	want := []DroppedCategories{{Feature: 3, Categories: 46, Rows: rare},
		{Feature: 4, Negative: (rows+6)/7 + (rows+5)/7}}
	if !slices.Equal(r.Dropped, want) {
		t.Errorf("%+v, want %+v", r.Dropped, want)
	}
}

func TestFitRefuses(t *testing.T) {
	d := synth.Ranking(5, 8, 8)
	for want, o := range map[string]Trainer{
		"Trees is -1":           *with(Trainer{Trees: -1}),
		"Leaves is 1":           *with(Trainer{Leaves: 1}),
		"Bins is 256":           *with(Trainer{Bins: 256}),
		"LearningRate is NaN":   *with(Trainer{LearningRate: math.NaN()}),
		"RowFraction is 1.5":    *with(Trainer{RowFraction: 1.5}),
		"QueryFraction is -0.5": *with(Trainer{QueryFraction: -.5}),
		"L2 is -1":              *with(Trainer{L2: -1}),
		"unknown Objective(9)":  *with(Trainer{Objective: Builtin(9)}),
		"EarlyStopping requires a validation set": *with(Trainer{EarlyStopping: 5}),
		"CustomMetrics require a validation set":  *with(Trainer{CustomMetrics: make([]CustomMetric, 1)}),
		"cannot be combined with MeanPairs":       *with(Trainer{PositionBias: pairwiseBias, MeanPairs: 1}),
		"Monotone of feature 1 is 2":              *with(Trainer{Monotone: []int8{0, 2}}),
		"the length of Monotone is 9":             *with(Trainer{Monotone: make([]int8, 9)}),
		"feature 0 is categorical":                *with(Trainer{Monotone: []int8{1}, Categorical: []int{0}}),
		"categorical feature 8":                   *with(Trainer{Categorical: []int{8}}),
		"start from has 3 features":               *with(Trainer{Start: &Model{NumFeatures: 3}}),
		"set 1 (a): the data is missing":          *with(Trainer{Validation: []Validation{{Name: "a"}}}),
		"set 1 (b): the set has 9 features": *with(Trainer{Validation: []Validation{{"b", synth.Ranking(2, 9, 1),
			nil}}}),
		"NodeFeatureFraction is 2":                   *with(Trainer{NodeFeatureFraction: 2}),
		"MaxDeltaStep is -1":                         *with(Trainer{MaxDeltaStep: -1}),
		"PathSmooth is NaN":                          *with(Trainer{PathSmooth: math.NaN()}),
		"set 1 of Interactions is empty":             *with(Trainer{Interactions: [][]int{{1}, {}}}),
		"set 0 of Interactions contains feature 8":   *with(Trainer{Interactions: [][]int{{1, 8}}}),
		"MinRows is -1; it must be at least 0":       *with(Trainer{MinRows: -1}),
		"MeanPairs is -1":                            *with(Trainer{MeanPairs: -1}),
		"Truncation is -1":                           *with(Trainer{Truncation: -1}),
		"MinHessian is -1; it must be at least 0":    *with(Trainer{MinHessian: -1}),
		"SkipDrop is 1.5; it must be at least 0 and": *with(Trainer{SkipDrop: 1.5}),
		"Bins is 0":          *with(Trainer{}, "Bins"),
		"MaxCategories is 0": *with(Trainer{}, "MaxCategories"),
		"RowFraction is 0":   *with(Trainer{}, "RowFraction"),
		"LearningRate is 0":  *with(Trainer{}, "LearningRate"),
		"Sigmoid is 0":       *with(Trainer{}, "Sigmoid"),
		"Permutations is 0":  *with(Trainer{Objective: YetiRank}, "Permutations"),
		"Decay is 0":         *with(Trainer{Objective: YetiRank}, "Decay"),
	} {
		t.Run(want, func(t *testing.T) {
			if _, err := o.Fit(t.Context(), d); err == nil || !strings.Contains(err.Error(), want) ||
				!strings.HasPrefix(err.Error(), "lambdamart: ") {
				t.Errorf("error %v, want one about %q", err, want)
			}
		})
	}
	if _, err := new(Trainer).Retrain(t.Context(), &Result{}, d); err == nil ||
		err.Error() != "lambdamart: the result to retrain has no trees" {
		t.Errorf("no trees: %v", err)
	}
	valid := synth.Ranking(2, 8, 1)
	clear(valid.Labels)
	e := testkit.Must(rank.NewEvaluator("auc", rank.Options{}))
	o := *with(Trainer{Trees: 2, Validation: []Validation{{Name: "c", Data: valid, Evaluator: e}}})
	if _, err := o.Fit(t.Context(), d); err == nil ||
		err.Error() != "lambdamart: validation set 1 (c): auc is undefined for all 2 queries" {
		t.Errorf("no query counts: %v", err)
	}
}
