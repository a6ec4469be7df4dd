package lambdamart

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/internal/boost"
	"github.com/simdrank/simdrank/internal/num"
	"github.com/simdrank/simdrank/internal/synth"
	"github.com/simdrank/simdrank/internal/testkit"
	"github.com/simdrank/simdrank/rank"
)

// dropping often drops trees.
var dropping = *with(Trainer{Trees: 8, Leaves: 8, Dart: true, DropRate: .5, SkipDrop: .2, QueryFraction: .8,
	Categorical: []int{3}, Seed: 4})

// LightGBM's procedure without stored state: each tree is grown from a model of the trees that are
// not dropped.
func TestDartByHand(t *testing.T) {
	queries := 60
	if testing.Short() {
		queries = 25 // emulated
	}
	d := synth.Ranking(queries, 8, 1)
	for _, c := range []Trainer{
		*with(Trainer{DropRate: .5}, "SkipDrop"),
		*with(Trainer{DropRate: .9, SkipDrop: .3, UniformDrop: true, LearningRate: .3}),
		*with(Trainer{DropRate: 1, MaxDrop: 2, XGBoostDart: true}, "SkipDrop"),
		*with(Trainer{DropRate: 1, MaxDrop: 3, UniformDrop: true}, "SkipDrop"),
		*with(Trainer{DropRate: .6, XGBoostDart: true, UniformDrop: true, LearningRate: .5}, "MaxDrop"),
		*with(Trainer{DropRate: 1, Leaves: 300, MinRows: 1}, "SkipDrop", "MaxDrop", "MinHessian"),
	} {
		t.Run(fmt.Sprint(c.LearningRate, " ", c.MaxDrop), func(t *testing.T) {
			for _, starts := range []int{0, 2} {
				c.Trees, c.Dart, c.Seed, c.Start = 7, true, 5, nil
				if starts > 0 {
					start, err := with(Trainer{Trees: starts, Leaves: 4}).Fit(t.Context(), d)
					if err != nil {
						t.Fatal(err)
					}
					c.Start = start.Model
				}
				r, err := c.Fit(t.Context(), d)
				if err != nil {
					t.Fatal(err)
				}
				o, err := c.filled(d)
				if err != nil {
					t.Fatal(err)
				}
				plain := c
				plain.Dart, plain.Trees = false, 1
				want := &Model{NumFeatures: 8}
				if c.Start != nil {
					want.Trees = slices.Clone(c.Start.Trees)
				}
				var weights []float64
				dropped := 0
				for i := range c.Trees {
					stream := num.SplitMix(num.Mix(boost.TreeKey(o.Seed, starts+i) + 4))
					uniform := func() float64 { return float64(stream.Next()>>11) / (1 << 53) }
					sum := 0.0
					for _, w := range weights {
						sum += w
					}
					n := float64(i)
					drop := map[int]bool{}
					if i > 0 && uniform() >= o.SkipDrop {
						for k, w := range weights {
							if o.MaxDrop > 0 && len(drop) == o.MaxDrop {
								break
							}
							chance := o.DropRate
							switch {
							case o.UniformDrop && o.MaxDrop > 0:
								chance = min(chance, float64(o.MaxDrop)/n)
							case o.UniformDrop:
							case o.MaxDrop > 0:
								chance = min(chance, float64(o.MaxDrop)*n/sum/sum) * w * n / sum
							default:
								chance *= w * n / sum
							}
							if uniform() < chance {
								drop[starts+k] = true
							}
						}
					}
					rest := &Model{NumFeatures: 8}
					for k := range want.Trees {
						if !drop[k] {
							rest.Trees = append(rest.Trees, want.Trees[k])
						}
					}
					k, rate := float64(len(drop)), o.LearningRate
					dropped += len(drop)
					plain.Start, plain.LearningRate = rest, rate/(k+1)
					keep := k / (k + 1)
					if o.XGBoostDart && k > 0 {
						plain.LearningRate, keep = rate/(k+rate), k/(k+rate)
					}
					next, err := plain.Fit(t.Context(), d)
					if err != nil {
						t.Fatal(err)
					}
					for k := range drop {
						tree := &want.Trees[k]
						tree.Leaf = slices.Clone(tree.Leaf)
						for l := range tree.Leaf {
							tree.Leaf[l] *= keep
						}
						weights[k-starts] *= keep
					}
					want.Trees = append(want.Trees, next.Model.Trees[len(rest.Trees)])
					weights = append(weights, plain.LearningRate)
				}
				if dropped == 0 {
					t.Errorf("%+v: no tree was dropped", c)
				}
				if len(r.Model.Trees) != len(want.Trees) {
					t.Fatalf("%+v: %d trees, want %d", c, len(r.Model.Trees), len(want.Trees))
				}
				for i := range want.Trees {
					for l, v := range want.Trees[i].Leaf {
						if got := r.Model.Trees[i].Leaf; len(got) != len(want.Trees[i].Leaf) ||
							math.Abs(got[l]-v) > 1e-6 {
							t.Fatalf("%+v: tree %d: %v, want %v", c, i, got, want.Trees[i].Leaf)
						}
					}
				}
			}
		})
	}
}

// After trees are subtracted and added, the scores equal those of the model, for all rows.
func TestDartScores(t *testing.T) {
	d := synth.Ranking(60, 8, 3)
	o, copied := dropping, *d
	e := testkit.Must(rank.NewEvaluator("ndcg,map", rank.Options{}))
	o.Validation = []Validation{{"train", d, e}, {"copy", &copied, e}}
	o.Trees = 20
	r, err := o.Fit(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	for m := range 2 {
		if !slices.Equal(r.Curves[m].Values, r.Curves[2+m].Values) {
			t.Errorf("%v on the training rows %v, on a copy of them %v", r.Curves[m].Metric, r.Curves[m].Values,
				r.Curves[2+m].Values)
		}
	}
	all, err := rank.Evaluate(t.Context(), r.Model, d, "ndcg,map", rank.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for m, want := range all.Metrics {
		if got := r.Curves[m].Values[19]; got != want.Mean {
			t.Errorf("%v: the curve ends at %v, the model has %v", want.Metric, got, want.Mean)
		}
	}
	if r.Best != 20 || r.Model.Best != 0 || len(r.Model.Trees) != 20 {
		t.Errorf("best %d, %d in the model of %d trees", r.Best, r.Model.Best, len(r.Model.Trees))
	}
	o.EarlyStopping = 3
	if _, err := o.Fit(t.Context(), d); err == nil || !strings.Contains(err.Error(), "cannot be combined with Dart") {
		t.Errorf("early stopping: %v", err)
	}
}

// A tree without splits does not change other trees. It ends training only if no tree was dropped.
func TestDartNoSplit(t *testing.T) {
	d := synth.Ranking(20, 8, 3)
	empty := 0
	for seed := range uint64(12) {
		o := *with(Trainer{Trees: 20, Dart: true, Leaves: 4, MinGain: 11, Seed: seed, DropRate: 1, MaxDrop: 1,
			UniformDrop: true, Validation: []Validation{{Name: "train", Data: d}}}, "SkipDrop")
		r, err := o.Fit(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		for i := range r.Model.Trees {
			if len(r.Model.Trees[i].Feature) == 0 {
				if empty++; r.Curves[0].Values[i] != r.Curves[0].Values[i-1] {
					t.Errorf("seed %d: tree %d has no splits, and the curve is %v", seed, i, r.Curves[0].Values)
				}
			}
		}
		all, err := rank.Evaluate(t.Context(), r.Model, d, "ndcg@10", rank.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Curves[0].Values; r.Stop != boost.StopNoSplit || got[len(got)-1] != all.Metrics[0].Mean {
			t.Errorf("seed %d: %s; the curve ends at %v, the model has %v", seed, r.Stop, got, all.Metrics[0].Mean)
		}
	}
	if empty == 0 {
		t.Error("every tree has splits")
	}
}
