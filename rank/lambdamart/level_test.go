package lambdamart

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/simdrank/simdrank/internal/cpu"
	"github.com/simdrank/simdrank/internal/synth"
)

// ofDifferences lists trainings whose objectives depend only on score differences.
var ofDifferences = map[string]Trainer{
	"ndcg":           *DefaultTrainer(),
	"without norm":   *with(Trainer{NoNorm: true}),
	"steep":          *with(Trainer{Sigmoid: 2000}),
	"map":            *with(Trainer{Objective: MAP}),
	"pairwise":       *with(Trainer{Objective: Pairwise}),
	"mean pairs":     *with(Trainer{MeanPairs: 2}),
	"xe-ndcg":        *with(Trainer{Objective: XENDCG}),
	"listnet":        *with(Trainer{Objective: ListNet}),
	"yetirank":       *with(Trainer{Objective: YetiRank}),
	"query-rmse":     *with(Trainer{Objective: QueryRMSE}),
	"additive bias":  *with(Trainer{PositionBias: additiveBias}),
	"pairwise bias":  *with(Trainer{PositionBias: pairwiseBias}),
	"dart":           *with(Trainer{Dart: true, DropRate: .7}, "SkipDrop", "MaxDrop"),
	"dart, pairwise": *with(Trainer{Dart: true, DropRate: .7, Objective: Pairwise}, "SkipDrop", "MaxDrop"),
}

// Derivatives are bit-identical if a number that rounds no score is added to all scores of a query.
func TestLevelOfQuery(t *testing.T) {
	rng := rand.New(rand.NewPCG(16, 1))
	labels, scores := make([]float64, 50), make([]float64, 50)
	for i := range labels {
		labels[i] = float64(max(0, rng.IntN(8)-3))
		scores[i] = math.Round(rng.NormFloat64()*0x1p20) / 0x1p20
	}
	d := labeledSet(labels)
	for i := range labels {
		d.Positions = append(d.Positions, int32(i+1))
	}
	for name, tr := range ofDifferences {
		t.Run(name, func(t *testing.T) {
			derive := func(level float64) []float32 {
				o, err := newObjective(&tr, d, 1)
				if err != nil {
					t.Fatal(err)
				}
				if tr.PositionBias == pairwiseBias {
					if o.loss.(*pairs).positions, err = newPositions(&tr, d, &Model{}, 1); err != nil {
						t.Fatal(err)
					}
				}
				raised := slices.Clone(scores)
				for i := range raised {
					raised[i] += level
				}
				grad := make([]float32, 2*len(labels))
				o.derivatives(t.Context(), 0, 3, 0, raised, grad[:len(labels)], grad[len(labels):])
				return grad
			}
			for _, tier := range cpu.Available() {
				restore := cpu.Force(tier)
				want := derive(0)
				for _, level := range []float64{3, -1e3, 1e5, 1e7, -1e9} {
					if got := derive(level); !slices.Equal(got, want) {
						t.Errorf("%v: scores raised by %v have the derivatives\n%v, not\n%v", tier, level, got, want)
					}
				}
				restore()
			}
		})
	}
}

// QueryRMSE does not depend on the level of the labels either.
func TestLevelOfLabels(t *testing.T) {
	scores, want, got := []float64{.5, .25, -3}, make([]float32, 6), make([]float32, 6)
	for level, dst := range map[float64][]float32{0: want, 1 << 50: got} {
		o, err := newObjective(with(Trainer{Objective: QueryRMSE}), labeledSet([]float64{level + 1, level, level + 2}),
			1)
		if err != nil {
			t.Fatal(err)
		}
		o.derivatives(t.Context(), 0, 0, 0, scores, dst[:3], dst[3:])
	}
	if !slices.Equal(got, want) {
		t.Errorf("derivatives %v, want %v", got, want)
	}
}

// A training that starts from a model grows the same trees if the model adds a constant to all
// scores, by its bias or by its trees. Leaves differ only by rounding of the scores.
func TestLevelOfStart(t *testing.T) {
	const most = 1e-7
	d := synth.Ranking(40, 8, 11)
	d.Positions = make([]int32, d.Rows())
	for q := range d.Queries() {
		lo, hi := d.Query(q)
		for i := lo; i < hi; i++ {
			d.Positions[i] = int32(i - lo + 1)
		}
	}
	leaf := func(level float64) []Tree {
		return []Tree{{Leaf: []float64{level}, LeafWeight: []float64{0}, LeafCount: []int64{0}}}
	}
	for name, o := range ofDifferences {
		t.Run(name, func(t *testing.T) {
			o.Trees, o.Leaves, o.MinRows, o.Categorical, o.Seed = 5, 12, 5, []int{3}, 3
			fit := func(start Model) []Tree {
				t.Helper()
				start.NumFeatures = d.Cols
				switch o.PositionBias {
				case additiveBias:
					start.PositionFactors = &PositionFactors{Position: []int32{1}, Bias: []float64{0}}
				case pairwiseBias:
					start.PositionFactors = &PositionFactors{Position: []int32{1}, Plus: []float64{1},
						Minus: []float64{1}}
				}
				o.Start = &start
				r, err := o.Fit(t.Context(), d)
				if err != nil {
					t.Fatal(err)
				}
				return r.Model.Trees[len(start.Trees):]
			}
			byBias, byTree := fit(Model{}), fit(Model{Trees: leaf(0)})
			for _, level := range []float64{-1e3, 1e5, 1e7} {
				sameTrees(t, fmt.Sprintf("bias %v", level), fit(Model{Bias: level}), byBias, most)
				sameTrees(t, fmt.Sprintf("tree of %v", level), fit(Model{Trees: leaf(level)}), byTree, most)
			}
		})
	}
}

// sameTrees compares the splits of trees exactly, and their leaves up to a tolerance.
func sameTrees(t *testing.T, name string, got, want []Tree, most float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %d trees, want %d", name, len(got), len(want))
		return
	}
	for i := range want {
		g, w := &got[i], &want[i]
		if !slices.Equal(g.Feature, w.Feature) || !slices.Equal(g.Threshold, w.Threshold) ||
			!slices.Equal(g.MissingLeft, w.MissingLeft) || !slices.Equal(g.Left, w.Left) ||
			!slices.Equal(g.Right, w.Right) || !slices.EqualFunc(g.Categories, w.Categories, slices.Equal) {
			t.Errorf("%s: tree %d has other splits: %+v, want %+v", name, i, *g, *w)
			return
		}
		for l, v := range w.Leaf {
			if !(math.Abs(g.Leaf[l]-v) <= most) {
				t.Errorf("%s: leaf %d of tree %d is %v, want %v", name, l, i, g.Leaf[l], v)
			}
		}
	}
}

// Refitting does not depend on the level of the scores either.
func TestLevelOfRefit(t *testing.T) {
	d := synth.Ranking(30, 8, 12)
	o := *with(Trainer{Trees: 3, Leaves: 6})
	r, err := o.Fit(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	other := synth.Ranking(30, 8, 13)
	want, err := o.Refit(t.Context(), r.Model, other, .5)
	if err != nil {
		t.Fatal(err)
	}
	r.Model.Bias = 1e6
	got, err := o.Refit(t.Context(), r.Model, other, .5)
	if err != nil {
		t.Fatal(err)
	}
	sameTrees(t, "refitted", got.Trees, want.Trees, 1e-7)
}
