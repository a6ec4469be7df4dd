package lambdamart

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/simdrank/simdrank/internal/cpu"
	"github.com/simdrank/simdrank/internal/synth"
	"github.com/simdrank/simdrank/internal/testkit"
	"github.com/simdrank/simdrank/rank"
)

// wide returns a dataset like ranking, but most of its columns are mostly 0.
func wide(queries, cols int, seed uint64) *rank.Dataset {
	d := synth.Ranking(queries, cols, seed)
	rng := rand.New(rand.NewPCG(seed, 6))
	for i := range d.Rows() {
		x := d.Row(i)
		for j := range x {
			if j != 1 && rng.IntN(20) >= []int{20, 1, 3, 6, 2, 1}[j%6] {
				x[j] = 0
			}
			if j == 2 || j == 5 || j == 9 {
				x[j] = float32(int(x[j]))
			}
			if j > 5 && j%7 == 0 && x[j] != 0 && rng.IntN(6) == 0 {
				x[j] = nan
			}
		}
	}
	return d
}

// Models of sparse and dense data are bit-identical for all options.
func TestSparseSameBits(t *testing.T) {
	queries := 60
	if testing.Short() {
		queries = 25 // emulated
	}
	train, valid := wide(queries, 50, 1), wide(queries/3, 50, 2)
	sparse := synth.SparseWithZeros(train)
	zero := mixed
	zero.ZeroMissing = true
	for _, c := range []struct {
		name string
		o    Trainer
	}{
		{"plain", *with(Trainer{Trees: 5, Leaves: 12})},
		{"few rows", *with(Trainer{Trees: 5, MinRows: 1, Leaves: 60}, "MinHessian")},
		{"zero is missing", *with(Trainer{Trees: 5, Leaves: 12, ZeroMissing: true})},
		{"depth-wise", *with(Trainer{Trees: 4, DepthWise: true, Depth: 4, Objective: Pairwise}, "Leaves")},
		{"cross entropy", *with(Trainer{Trees: 4, Leaves: 7, Objective: XENDCG, Seed: 4})},
		{"few bins", *with(Trainer{Trees: 4, Leaves: 7, Bins: 4})},
		{"two bins", *with(Trainer{Trees: 4, Leaves: 20, Bins: 2, MinRows: 1, L1: .1, L2: 1, MinGain: .01})},
		{"categories", *with(Trainer{Trees: 4, Leaves: 7, MinRows: 3, Categorical: []int{2, 3, 5, 9}, CategoryRows: 1,
			CategorySmooth: 1})},
		{"monotone", *with(Trainer{Trees: 4, Leaves: 12, Monotone: []int8{1, 0, -1, 0, 1, -1, 1}})},
		{"mixed", mixed},
		{"mixed, zero is missing", zero},
		{"restrained", restrained},
		{"dart", dropping},
		{"early", *with(Trainer{Trees: 30, Leaves: 9, EarlyStopping: 3})},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.o.Threads = 1
			fit := func(o Trainer, d, v *rank.Dataset) *Result {
				t.Helper()
				o.Validation = []Validation{{Name: "valid", Data: v}, {Name: "train", Data: d}}
				r, err := o.Fit(t.Context(), d)
				if err != nil {
					t.Fatal(err)
				}
				return r
			}
			want := fit(c.o, train, valid)
			numbers := []int{1, 2, 8}
			if testing.Short() {
				numbers = numbers[1:2] // emulated
			}
			for _, tier := range cpu.Available() {
				for _, threads := range numbers {
					c.o.Threads = threads
					restore := cpu.Force(tier)
					got := fit(c.o, sparse, synth.SparseWithZeros(valid))
					restore()
					if a, b := modelHash(t, got.Model), modelHash(t, want.Model); a != b {
						t.Errorf("%v, %d threads: hash %#x, dense %#x", tier, threads, a, b)
					}
					if !reflect.DeepEqual(got.Curves, want.Curves) || got.Best != want.Best {
						t.Errorf("%v, %d threads: other curves", tier, threads)
					}
				}
			}
			if c.o.Dart { // cannot be resumed
				return
			}
			// Resume after 2 trees, and compare with uninterrupted training.
			o := c.o
			o.Trees, o.EarlyStopping = 2, 0
			first := fit(o, sparse, valid)
			o.Start, o.Trees, o.EarlyStopping = first.Model, c.o.Trees-2, 0
			again, err := c.o.Retrain(t.Context(), want, sparse)
			if err != nil {
				t.Fatal(err)
			}
			k := len(again.Model.Trees)
			resumed := fit(o, sparse, valid).Model
			resumed.Trees = resumed.Trees[:k]
			if a, b := modelHash(t, again.Model), modelHash(t, resumed); a != b {
				t.Errorf("resumed: hash %#x, retrained %#x", b, a)
			}
		})
	}
}

// If most columns of sparse data are 0 in all rows, training skips them. Options refer to the
// columns of the data, and samples are as if nothing was skipped.
func TestSparseSameBitsOfColumns(t *testing.T) {
	if testing.Short() {
		t.Skip("too many columns for emulation")
	}
	const cols, step = 70_000, 1401
	few := wide(8, 50, 1)
	d := rank.NewDataset(few.Rows(), cols)
	d.Labels, d.Offsets, d.QueryIDs = few.Labels, few.Offsets, few.QueryIDs
	for i := range few.Rows() {
		for j, v := range few.Row(i) {
			d.Row(i)[j*step] = v
		}
	}
	monotone := make([]int8, 49*step)
	monotone[step], monotone[4*step] = 1, -1
	for _, c := range []struct {
		name string
		o    Trainer
	}{
		{"plain", *with(Trainer{Trees: 3, Leaves: 12, MinRows: 2})},
		{"mixed", *with(Trainer{Trees: 4, MinRows: 2, Monotone: monotone,
			Categorical: []int{2 * step, 3 * step, 7}, CategoryRows: 1,
			QueryFraction: .9, RowFraction: .9, FeatureFraction: .5, NodeFeatureFraction: .7, Seed: 3})},
		{"random thresholds", *with(Trainer{Trees: 4, MinRows: 2, ExtraTrees: true, Seed: 9,
			Interactions: [][]int{{0, step, 8, 3 * step, 6 * step}, {4 * step, 5 * step}, {9}}})},
		{"zero is missing", *with(Trainer{Trees: 1, MinRows: 2, ZeroMissing: true, FeatureFraction: .5})},
	} {
		t.Run(c.name, func(t *testing.T) {
			want, err := c.o.Fit(t.Context(), d)
			if err != nil {
				t.Fatal(err)
			}
			got, err := c.o.Fit(t.Context(), synth.SparseWithZeros(d))
			if err != nil {
				t.Fatal(err)
			}
			if len(want.Model.Trees[0].Feature) < 2 {
				t.Fatal("too few splits")
			}
			if a, b := modelHash(t, got.Model), modelHash(t, want.Model); a != b {
				t.Errorf("hash %#x, dense %#x", a, b)
			}
			if !slices.Equal(got.Model.MissingFeatures, want.Model.MissingFeatures) {
				t.Error("other missing features than those of dense data")
			}
		})
	}
	d.X, d.Stride, d.Sparse = nil, 0, &rank.CSR{Offsets: make([]int, d.Rows()+1)}
	r, err := DefaultTrainer().Fit(t.Context(), d)
	if err != nil || r.Stop != "no-split" {
		t.Errorf("without values: %+v, %v", r, err)
	}
}

// Many rows are divided among threads, and few histograms are kept.
func TestSparseSameBitsOfParts(t *testing.T) {
	if testing.Short() {
		t.Skip("too many rows for emulation")
	}
	d := wide(2500, 24, 7)
	o := *with(Trainer{Trees: 3, RowFraction: .95, Threads: 1})
	want, err := o.Fit(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	o.Threads = 4
	got, err := o.Fit(t.Context(), synth.SparseWithZeros(d))
	if err != nil {
		t.Fatal(err)
	}
	if a, b := modelHash(t, got.Model), modelHash(t, want.Model); a != b {
		t.Errorf("hash %#x, dense %#x", a, b)
	}
}

// Scores and contributions are bit-identical for sparse and dense documents.
func TestSparseScores(t *testing.T) {
	train := wide(60, 50, 1)
	for k, o := range []Trainer{mixed, *with(Trainer{Trees: 4, Leaves: 40, ZeroMissing: true, MinRows: 2}),
		*with(Trainer{Trees: 3, Leaves: 2000, MinRows: 1}, "MinHessian"),
		*with(Trainer{Trees: 3, Categorical: []int{2, 5, 9}, CategoryRows: 1, MinRows: 2, Interactions: [][]int{{2, 5,
			9, 13}}}, "CategorySmooth")} {
		t.Run(fmt.Sprint(k), func(t *testing.T) {
			r, err := o.Fit(t.Context(), train)
			if err != nil {
				t.Fatal(err)
			}
			if len(o.Categorical) == 3 && r.Model.Trees[0].Categories == nil {
				t.Fatal("no split of categories")
			}
			if o.Leaves == 2000 && len(r.Model.Trees[0].Leaf) < 300 {
				t.Fatalf("%d leaves", len(r.Model.Trees[0].Leaf))
			}
			s, err := r.Model.Scorer()
			if err != nil {
				t.Fatal(err)
			}
			for _, cols := range []int{50, 30, 4, 1} {
				d := wide(7, 50, 3).WithColumns(cols)
				rows := d.Rows()
				sparse := synth.SparseWithZeros(wide(7, 50, 3)).WithColumns(cols)
				for _, tier := range cpu.Available() {
					restore := cpu.Force(tier)
					want, got := make([]float64, rows), make([]float64, rows)
					for range 2 {
						if err := s.ScoreInto(t.Context(), want, d); err != nil {
							t.Fatal(err)
						}
						if err := s.ScoreInto(t.Context(), got, sparse); err != nil {
							t.Fatal(err)
						}
						if !slices.Equal(got, want) {
							t.Errorf("%d columns, %v: scores differ", cols, tier)
						}
					}
					for i := range want {
						if want[i] != r.Model.Score(d.Row(i)) {
							t.Fatalf("row %d", i)
						}
					}
					restore()
				}
			}
		})
	}
}

// The memory that a scorer keeps does not reference a dataset, which may be a file that was closed.
func TestBlocksKeepNoData(t *testing.T) {
	// The tree is too large for a forest, so that it is traversed.
	m := randomModel(rand.New(rand.NewPCG(7, 8)), testkit.Shape{Features: 9, Trees: 1, Leaves: 5000})
	s, err := m.Scorer()
	if err != nil {
		t.Fatal(err)
	}
	s.Threads = 1
	d := synth.SparseWithZeros(synth.TreeRows(rand.New(rand.NewPCG(9, 9)), 20, 9))
	if err := s.ScoreInto(t.Context(), make([]float64, d.Rows()), d); err != nil {
		t.Fatal(err)
	}
	if b := s.forest.newBlock(); b.row.last != nil {
		t.Error("a block has columns of a row")
	}
}
