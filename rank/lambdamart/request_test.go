package lambdamart

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/simdrank/simdrank/internal/cpu"
	"github.com/simdrank/simdrank/internal/synth"
	"github.com/simdrank/simdrank/internal/testkit"
)

// requestModels returns random models of all testkit.Shapes, and models that the forms for single
// documents support only partly or not at all.
func requestModels() map[string]*Model {
	models := map[string]*Model{}
	for name, s := range testkit.Shapes {
		models[name] = randomModel(rand.New(rand.NewPCG(2, uint64(s.Leaves))), s)
	}
	rng := rand.New(rand.NewPCG(2, 3))
	for name, s := range map[string]testkit.Shape{
		"260 trees":     {Features: 50, Trees: 260, Leaves: 15, Missing: true},
		"255 leaves":    {Features: 50, Trees: 3, Leaves: 255, Missing: true},
		"256 leaves":    {Features: 50, Trees: 3, Leaves: 256, Missing: true, Zero: true, Categories: true},
		"many features": {Features: 900, Trees: 64, Leaves: 20},
	} {
		models[name] = randomModel(rng, s)
	}
	// Thresholds that searches do not evaluate.
	extreme := randomModel(rng, testkit.Shape{Features: 20, Trees: 70, Leaves: 15,
		Missing: true, Zero: true, Categories: true})
	for i := range extreme.Trees {
		extreme.Trees[i].Threshold[i%5] = []float32{math.MaxFloat32, -inf32, inf32, -math.MaxFloat32,
			float32(math.Copysign(0, -1))}[i%5]
	}
	models["extreme thresholds"] = extreme
	// More features than a cell can number.
	features := randomModel(rng, testkit.Shape{Features: 70_000, Trees: 2300, Leaves: 30})
	for i := range features.Trees {
		for s := range features.Trees[i].Feature {
			features.Trees[i].Feature[s] = int32(29*i + s)
		}
	}
	models["66,700 features"] = features
	// A chain to the left, and one with a split to its right whose cells are far from those of the
	// root.
	for name, right := range map[string]int32{"a deep tree": -1, "a wide tree": 19_999} {
		m := randomModel(rng, testkit.Shape{Features: 3, Trees: 1, Leaves: 20_001})
		t := &m.Trees[0]
		for s := range t.Feature {
			t.Left[s], t.Right[s] = int32(s+1), int32(^s)
		}
		t.Left[19_999] = ^20_000
		if right >= 0 {
			t.Left[19_998], t.Right[0], t.Right[19_999] = ^0, right, ^19_999
		}
		models[name] = m
	}
	// Trees 0 to 127 use other features than the rest. The last trees use more thresholds than fit
	// in a byte.
	parts := randomModel(rng, testkit.Shape{Features: 200, Trees: 300, Leaves: 31})
	parts.NumFeatures = 400
	for i := range parts.Trees {
		t := &parts.Trees[i]
		for s := range t.Feature {
			if i >= 128 {
				t.Feature[s] += 200
			}
			if i >= 192 && s < 3 {
				t.Feature[s], t.Threshold[s] = 7, float32(3*i+s)/100
			}
		}
	}
	models["parts"] = parts
	return models
}

// TestRequestScores compares the scores of single documents and requests with those of Model.Score.
func TestRequestScores(t *testing.T) {
	tiers, trees := cpu.Available(), []int{0, 1, 63, 65, 200}
	if testing.Short() || testkit.Race { // no threads
		tiers, trees = []cpu.Tier{cpu.Active()}, []int{0, 65}
	}
	for name, m := range requestModels() {
		t.Run(name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(7, 7))
			scorers := make([][]*Scorer, len(tiers)) // scorers of the first trees, by their number; 0 means all
			for i, tier := range tiers {
				restore := cpu.Force(tier)
				for _, n := range trees {
					part := *m
					if n > 0 && n < len(m.Trees) {
						part.Trees = m.Trees[:n]
					}
					s, err := part.Scorer()
					if err != nil {
						t.Fatal(err)
					}
					scorers[i] = append(scorers[i], s)
				}
				restore()
			}
			for _, cols := range []int{m.NumFeatures, m.NumFeatures + 3, max(m.NumFeatures-2, 0), 0} {
				rows := 1 + rng.IntN(20)
				if cols > 1000 && len(tiers) == 1 {
					rows = min(rows, 3)
				}
				d := synth.TreeRows(rng, rows, cols)
				stride := cols + rng.IntN(4)
				x := make([]float32, (rows-1)*stride+cols)
				for i := range rows {
					copy(x[i*stride:], d.Row(i)[:cols])
				}
				for i, tier := range tiers {
					restore := cpu.Force(tier)
					for _, s := range scorers[i] {
						want, got, one := make([]float64, rows), make([]float64, rows), make([]float64, rows)
						for i := range want {
							want[i] = s.model.Score(x[i*stride:][:cols])
							one[i] = s.Score(x[i*stride:][:cols])
						}
						if s.ScoreRowsInto(got, x, rows, cols, stride); !slices.Equal(got, want) ||
							!slices.Equal(one, want) {
							t.Fatalf("%v, %d columns, %d trees: scores\n%v\n%v, want\n%v", tier, cols,
								len(s.model.Trees), got, one, want)
						}
					}
					restore()
				}
			}
		})
	}
}

// TestRequestForms: models have the form that they are meant to test.
func TestRequestForms(t *testing.T) {
	models := requestModels()
	for name, want := range map[string]struct {
		ranked int // number of tables
		walked bool
	}{
		"plain": {1, true}, "255 leaves": {1, true}, "256 leaves": {0, true}, "260 trees": {1, true},
		"many features": {0, true}, "parts": {3, true}, "a deep tree": {0, true}, "a wide tree": {0, false},
		"66,700 features": {0, false}, "no trees": {0, true},
	} {
		t.Run(name, func(t *testing.T) {
			list := newReadings(models[name].Trees)
			for _, packs := range []bool{false, true} {
				if got, _ := newRankedTrees(list, !packs, packs); len(got) != want.ranked {
					t.Errorf("%d tables of ranks, want %d (packs %v)", len(got), want.ranked, packs)
				}
			}
			if got := newWalkedTrees(list) != nil; got != want.walked {
				t.Errorf("cells %v, want %v", got, want.walked)
			}
		})
	}
}

// TestRequests scores requests of one row up to more than a block.
func TestRequests(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 11))
	m := randomModel(rng, testkit.Shape{Features: 9, Trees: 70, Leaves: 12,
		Missing: true, Zero: true, Categories: true})
	d := synth.TreeRows(rng, 700, 9)
	var want []float64
	for i := range d.Rows() {
		want = append(want, m.Score(d.Row(i)))
	}
	for _, tier := range cpu.Available() {
		t.Run(tier.String(), func(t *testing.T) {
			for _, force := range []func(cpu.Tier) func(){cpu.Force, cpu.ForceWithoutFeatures} {
				restore := force(tier)
				s, err := m.Scorer()
				if err != nil {
					t.Fatal(err)
				}
				for _, rows := range []int{1, 3, 4, 5, 16, 17, 20, 21, 24, 25, 32, 33, 50, 51, 57, 64, 65, 114,
					115, 128,
					200, 216, 217, 256, 257, 288, 289, 384, 385, 512, 600, 700} {
					got := make([]float64, rows)
					if s.ScoreRowsInto(got, d.X, rows, 9, d.Stride); !slices.Equal(got, want[:rows]) {
						t.Errorf("%d rows: not the scores of the model", rows)
					}
				}
				restore()
			}
		})
	}
}

func TestRequestPanics(t *testing.T) {
	s, err := stump().Scorer()
	if err != nil {
		t.Fatal(err)
	}
	x, dst := make([]float32, 11), make([]float64, 3)
	for want, f := range map[string]func(){
		"ScoreRowsInto: the length of dst is 3":   func() { s.ScoreRowsInto(dst, x, 2, 2, 4) },
		"ScoreRowsInto: -1 rows and 2 columns":    func() { s.ScoreRowsInto(dst, x, -1, 2, 4) },
		"ScoreRowsInto: 3 rows and -2 columns":    func() { s.ScoreRowsInto(dst, x, 3, -2, 4) },
		"ScoreRowsInto: stride is 1":              func() { s.ScoreRowsInto(dst, x, 3, 2, 1) },
		"ScoreRowsInto: x has 11 values, too few": func() { s.ScoreRowsInto(dst, x, 3, 4, 4) },
		"ScoreRowsInto: x has 0 values, too few":  func() { s.ScoreRowsInto(dst, nil, 3, 1, math.MaxInt) },
		"UnseenMissing: stride is 1":              func() { s.UnseenMissing(x, 3, 2, 1) },
		"UnseenMissing: x has 11 values, too few": func() { s.UnseenMissing(x, 3, 4, 4) },
	} {
		t.Run(want, func(t *testing.T) {
			func() {
				defer func() {
					if p := recover(); p == nil || !strings.Contains(fmt.Sprint(p), "lambdamart: "+want) {
						t.Errorf("panic %v, want %q", p, want)
					}
				}()
				f()
			}()
		})
	}
	s.ScoreRowsInto(dst, x, 3, 3, 4) // the last row ends where x does
	s.ScoreRowsInto(dst, nil, 3, 0, 0)
	s.ScoreRowsInto(nil, nil, 0, 3, 3)
}

// TestRequestAllocations: neither documents nor requests allocate, in any form.
func TestRequestAllocations(t *testing.T) {
	if testkit.Race || testing.Short() {
		t.Skip("the race detector allocates, and emulation takes long")
	}
	rng := rand.New(rand.NewPCG(9, 9))
	m := randomModel(rng, testkit.Shape{Features: 20, Trees: 100, Leaves: 31,
		Missing: true, Zero: true, Categories: true})
	d := synth.TreeRows(rng, 600, 20)
	scores := make([]float64, 600)
	for _, tier := range cpu.Available() {
		t.Run(tier.String(), func(t *testing.T) {
			restore := cpu.Force(tier)
			s, err := m.Scorer()
			if err != nil {
				t.Fatal(err)
			}
			for name, f := range map[string]func(){
				"Score":         func() { s.Score(d.Row(0)) },
				"ScoreRowsInto": func() { s.ScoreRowsInto(scores[:30], d.X, 30, 20, d.Stride) },
				"blocks":        func() { s.ScoreRowsInto(scores, d.X, 600, 20, d.Stride) },
			} {
				if n := testing.AllocsPerRun(20, f); n != 0 {
					t.Errorf("%s allocates %v times", name, n)
				}
			}
			restore()
		})
	}
}

// TestRequestsAtOnce: goroutines share a scorer.
func TestRequestsAtOnce(t *testing.T) {
	rng := rand.New(rand.NewPCG(10, 10))
	m := randomModel(rng, testkit.Shape{Features: 20, Trees: 100, Leaves: 31,
		Missing: true, Zero: true, Categories: true})
	d := synth.TreeRows(rng, 30, 20)
	s, err := m.Scorer()
	if err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			scores := make([]float64, 30)
			for range 5 {
				s.ScoreRowsInto(scores, d.X, 30, 20, d.Stride)
				for i, got := range scores {
					if want := m.Score(d.Row(i)); got != want || s.Score(d.Row(i)) != want {
						t.Errorf("row %d scores %v, want %v", i, got, want)
						return
					}
				}
			}
		})
	}
	group.Wait()
}
