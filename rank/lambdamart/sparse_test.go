package lambdamart

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/internal/cpu"
	"github.com/simdrank/simdrank/internal/testkit"
	"github.com/simdrank/simdrank/internal/trees"
	"github.com/simdrank/simdrank/rank"
)

// sparsed returns d with sparse features, a few of whose zeros are listed.
func sparsed(d *rank.Dataset) *rank.Dataset {
	s := *d
	s.X, s.Stride, s.Sparse = nil, 0, &rank.CSR{Offsets: []int{0}}
	for i := range d.Rows() {
		for j, v := range d.Row(i) {
			if v != 0 || (i+j)%17 == 0 {
				s.Sparse.Columns, s.Sparse.Values = append(s.Sparse.Columns, int32(j)), append(s.Sparse.Values, v)
			}
		}
		s.Sparse.Offsets = append(s.Sparse.Offsets, len(s.Sparse.Columns))
	}
	return &s
}

// thinned replaces values by zeros: all but those of a share of the rows, another one for each
// column. Some columns keep nothing, one is of negative zeros, and some hold NaN or are negative.
func thinned(d *rank.Dataset, seed uint64) *rank.Dataset {
	rng := rand.New(rand.NewPCG(seed, 5))
	shares := []int{1000, 20, 0, 300, 50, 100, 3, 500, 10}
	for j := range d.Cols {
		share := shares[j%len(shares)]
		for i := range d.Rows() {
			switch x := &d.Row(i)[j]; {
			case rng.IntN(1000) >= share:
				*x = 0
				if share == 0 {
					*x = float32(math.Copysign(0, -1))
				}
			case j%5 == 4:
				*x = 3 - *x
			case j > 3 && j%7 == 6 && rng.IntN(5) == 0:
				*x = nan
			}
		}
	}
	return d
}

// binOf returns the bin of row i in feature f.
func (b *bins) binOf(t *testing.T, i int, f int32) int {
	k, sparse := b.place(f)
	if !sparse {
		d := b.digits[f]
		if d.unit == 0 {
			return -1 // in no column
		}
		v := b.wide[i*b.stride+d.column]
		if b.cols != nil && b.cols[d.column*b.rows+i] != v {
			t.Fatalf("feature %d, row %d: byte %d in columns and %d in rows", f, i, b.cols[d.column*b.rows+i], v)
		}
		return int(v) / d.unit % b.feature[f].bins
	}
	s := &b.sparse
	rows, bins := s.of(k)
	at, listed := slices.BinarySearch(rows, uint32(i))
	for _, st := range s.stripes {
		for _, c := range st.entries[st.offsets[i]:st.offsets[i+1]] {
			if cell := st.at + int(c) - b.at[f]; cell >= 0 && cell < b.feature[f].bins {
				if !listed || cell != int(bins[at]) {
					t.Fatalf("feature %d, row %d: cell %d in a stripe, %v in columns", f, i, cell, listed)
				}
				return cell
			}
		}
	}
	if listed {
		t.Fatalf("feature %d, row %d: listed in columns, and in no stripe", f, i)
	}
	return int(s.usual[k])
}

func TestSparseBins(t *testing.T) {
	for _, c := range []struct {
		rows, cols int
		opts       binOptions
		empty      bool // many features have no bin but the usual one
	}{
		{rows: 1, cols: 9},
		{rows: 700, cols: 40},
		{rows: 700, cols: 40, opts: binOptions{MaxBins: 7}},
		{rows: 700, cols: 40, opts: binOptions{MaxBins: 2, ZeroMissing: true}},
		{rows: 5003, cols: 31, opts: binOptions{ZeroMissing: true}},
		{rows: 3000, cols: 64, opts: binOptions{Categorical: []int{0, 4, 8, 16, 20, 36, 60}}},
		{rows: 3000, cols: 64, opts: binOptions{Categorical: []int{0, 4, 8, 16, 20, 36, 60}, ZeroMissing: true,
			MaxBins: 5}},
		{rows: 4000, cols: 700},
		{rows: binSample + 60_000, cols: 5},
		{rows: binSample + 60_000, cols: 5, opts: binOptions{ZeroMissing: true, MaxBins: 9}},
	} {
		if testing.Short() && c.rows*c.cols > 1e6 {
			continue
		}
		if c.opts.MaxBins == 0 {
			c.opts.MaxBins = 255
		}
		name := fmt.Sprintf("%d×%d, %+v", c.rows, c.cols, c.opts)
		d := thinned(randomDataset(c.rows, c.cols), 1)
		for _, f := range c.opts.Categorical {
			for i := range c.rows {
				d.Row(i)[f] = float32(math.Floor(float64(d.Row(i)[f])))
			}
		}
		dense := newTestBins(t, d, c.opts)
		if c.rows > binSample {
			opts := c.opts
			opts.File = filepath.Join(t.TempDir(), "bins")
			b := newTestBins(t, d, opts)
			if !reflect.DeepEqual(b.feature, dense.feature) || !slices.Equal(b.cols, dense.cols) ||
				!slices.Equal(b.wide, dense.wide) {
				t.Errorf("%s: bins in a file differ", name)
			}
			b.close()
		}
		for _, threads := range []int{1, 3} {
			c.opts.Threads = threads
			s := newTestBins(t, sparsed(d), c.opts)
			if !reflect.DeepEqual(s.feature, dense.feature) || !reflect.DeepEqual(s.dropped, dense.dropped) {
				t.Errorf("%s: bins differ", name)
			}
			if c.cols >= 31 && (len(s.columns) == 0 || len(s.sparse.features) == 0) {
				t.Errorf("%s: %d columns and %d sparse features", name, len(s.columns), len(s.sparse.features))
			}
			if c.cols == 700 && threads > 1 && len(s.sparse.stripes) < 2 {
				t.Errorf("%s: %d stripes", name, len(s.sparse.stripes))
			}
			step := 1
			if testkit.Race {
				step = 17 // what threads do has been seen by now
			}
			for f := range s.feature {
				usual := dense.binOf(t, 0, int32(f))
				for i := 0; i < c.rows; i += step {
					want := dense.binOf(t, i, int32(f))
					if got := s.binOf(t, i, int32(f)); got != want && (got >= 0 || want != usual) {
						t.Fatalf("%s: feature %d, row %d: bin %d, want %d", name, f, i, got, want)
					}
				}
			}
		}
	}
}

// wide returns a dataset like that of ranking, most of whose columns are mostly 0.
func wide(queries, cols int, seed uint64) *rank.Dataset {
	d := ranking(queries, cols, seed)
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

// Models of sparse data have the bits of those of dense data, whatever the options.
func TestSparseSameBits(t *testing.T) {
	queries := 60
	if testing.Short() {
		queries = 25 // emulated
	}
	train, valid := wide(queries, 50, 1), wide(queries/3, 50, 2)
	sparse := sparsed(train)
	zero := mixed
	zero.ZeroMissing = true
	for _, c := range []struct {
		name string
		o    Trainer
	}{
		{"plain", Trainer{Trees: 5, Leaves: 12}},
		{"few rows", Trainer{Trees: 5, MinRows: 1, MinHessian: -1, Leaves: 60}},
		{"zero is missing", Trainer{Trees: 5, Leaves: 12, ZeroMissing: true}},
		{"depth-wise", Trainer{Trees: 4, DepthWise: true, Depth: 4, Objective: Pairwise}},
		{"cross entropy", Trainer{Trees: 4, Leaves: 7, Objective: XENDCG, Seed: 4}},
		{"few bins", Trainer{Trees: 4, Leaves: 7, Bins: 4}},
		{"two bins", Trainer{Trees: 4, Leaves: 20, Bins: 2, MinRows: 1, L1: .1, L2: 1, MinGain: .01}},
		{"categories", Trainer{Trees: 4, Leaves: 7, MinRows: 3, Categorical: []int{2, 3, 5, 9}, CategoryRows: 1,
			CategorySmooth: 1}},
		{"monotone", Trainer{Trees: 4, Leaves: 12, Monotone: []int8{1, 0, -1, 0, 1, -1, 1}}},
		{"mixed", mixed},
		{"mixed, zero is missing", zero},
		{"restrained", restrained},
		{"dart", dropping},
		{"early", Trainer{Trees: 30, Leaves: 9, EarlyStopping: 3}},
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
					got := fit(c.o, sparse, sparsed(valid))
					restore()
					if a, b := bitsOf(t, got.Model), bitsOf(t, want.Model); a != b {
						t.Errorf("%v, %d threads: hash %#x, dense %#x", tier, threads, a, b)
					}
					if !reflect.DeepEqual(got.Curves, want.Curves) || got.Best != want.Best {
						t.Errorf("%v, %d threads: other curves", tier, threads)
					}
				}
			}
			if c.o.Dart { // which cannot be resumed
				return
			}
			// Resumed after 2 trees, and grown once more.
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
			if a, b := bitsOf(t, again.Model), bitsOf(t, resumed); a != b {
				t.Errorf("resumed: hash %#x, retrained %#x", b, a)
			}
		})
	}
}

// What is hopeless gains no more than the bar, and what gains less is hopeless.
func TestHopeless(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	for range 2000 {
		cell := func() int64 { return rng.Int64N(1000)<<32 + rng.Int64N(2001) - 1000 }
		part, rest := cell(), cell()
		lambda, base := float64(rng.IntN(3)), float64(rng.IntN(1000))
		s := trees.BestSplitI64([]int64{part, rest}, 0, part+rest, 0, lambda, 1, 0)
		if s.Bin < 0 {
			continue
		}
		for _, c := range []struct {
			share float64 // of the gain that the bar is
			want  bool
		}{{0, false}, {1 - 1e-9, false}, {1, false}, {1 + 1e-9, true}, {2, true}} {
			best := c.share*s.Gain - base
			for _, side := range []int64{part, rest} {
				if got := hopeless(part+rest, side, lambda, base, best); got != c.want && s.Gain > 0 {
					t.Fatalf("%#x of %#x, %v times its gain of %v: %v", side, part+rest, c.share, s.Gain, got)
				}
			}
		}
	}
}

// Many rows are cut into parts for threads, few histograms are kept.
func TestSparseSameBitsOfParts(t *testing.T) {
	if testing.Short() {
		t.Skip("too many rows for emulation")
	}
	d := wide(2500, 24, 7)
	o := Trainer{Trees: 3, RowFraction: .95, Threads: 1}
	want, err := o.Fit(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	o.Threads = 4
	got, err := o.Fit(t.Context(), sparsed(d))
	if err != nil {
		t.Fatal(err)
	}
	if a, b := bitsOf(t, got.Model), bitsOf(t, want.Model); a != b {
		t.Errorf("hash %#x, dense %#x", a, b)
	}
}

// Scores and contributions of sparse documents have the bits of those of dense ones.
func TestSparseScores(t *testing.T) {
	train := wide(60, 50, 1)
	for _, o := range []Trainer{mixed, {Trees: 4, Leaves: 40, ZeroMissing: true, MinRows: 2},
		{Trees: 3, Leaves: 2000, MinRows: 1, MinHessian: -1},
		{Trees: 3, Categorical: []int{2, 5, 9}, CategoryRows: 1, CategorySmooth: -1, MinRows: 2,
			Interactions: [][]int{{2, 5, 9, 13}}}} {
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
			d := wide(7, 50, 3).FirstColumns(cols)
			rows := d.Rows()
			sparse := sparsed(wide(7, 50, 3)).FirstColumns(cols)
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
	}
}

func TestSparseErrors(t *testing.T) {
	d := rank.NewDataset(3, 2)
	d.Row(1)[1] = 2.5
	_, err := newBins(context.Background(), sparsed(d), binOptions{MaxBins: 9, Categorical: []int{0, 1}})
	if err == nil || !strings.Contains(err.Error(), "row 1: 2.5 is no category of feature 2") {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := newBins(ctx, sparsed(d), binOptions{MaxBins: 9}); err != context.Canceled {
		t.Errorf("canceled: %v", err)
	}
}

// Memory that a scorer keeps does not hold on to a dataset, which may be a file that is closed.
func TestBlocksKeepNoData(t *testing.T) {
	m := randomModel(rand.New(rand.NewPCG(7, 8)), shape{9, 1, 5000, false, false, false}) // is walked through
	s, err := m.Scorer()
	if err != nil {
		t.Fatal(err)
	}
	s.Threads = 1
	d := sparsed(randomData(rand.New(rand.NewPCG(9, 9)), 20, 9))
	if err := s.ScoreInto(t.Context(), make([]float64, d.Rows()), d); err != nil {
		t.Fatal(err)
	}
	if b := s.forest.newBlock(); b.row.last != nil {
		t.Error("a block has columns of a row")
	}
}
