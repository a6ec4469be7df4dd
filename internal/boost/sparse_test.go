package boost

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

	"github.com/simdrank/simdrank/internal/synth"
	"github.com/simdrank/simdrank/internal/testkit"
	"github.com/simdrank/simdrank/internal/trees"
	"github.com/simdrank/simdrank/rank"
)

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
func (b *Bins) binOf(t *testing.T, i int, f int32) int {
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
		return int(v) / d.unit % b.feature[f].Bins
	}
	s := &b.sparse
	rows, bins := s.of(k)
	at, listed := slices.BinarySearch(rows, uint32(i))
	for _, st := range s.stripes {
		for _, c := range st.entries[st.offsets[i]:st.offsets[i+1]] {
			if cell := st.at + int(c) - b.at[f]; cell >= 0 && cell < b.feature[f].Bins {
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
		opts       BinOptions
		empty      bool // many features have no bin but the usual one
	}{
		{rows: 1, cols: 9},
		{rows: 700, cols: 40},
		{rows: 700, cols: 40, opts: BinOptions{MaxBins: 7}},
		{rows: 700, cols: 40, opts: BinOptions{MaxBins: 2, ZeroMissing: true}},
		{rows: 5003, cols: 31, opts: BinOptions{ZeroMissing: true}},
		{rows: 3000, cols: 64, opts: BinOptions{Categorical: []int{0, 4, 8, 16, 20, 36, 60}}},
		{rows: 3000, cols: 64, opts: BinOptions{Categorical: []int{0, 4, 8, 16, 20, 36, 60}, ZeroMissing: true,
			MaxBins: 5}},
		{rows: 4000, cols: 700},
		{rows: binSample + 60_000, cols: 5},
		{rows: binSample + 60_000, cols: 5, opts: BinOptions{ZeroMissing: true, MaxBins: 9}},
	} {
		t.Run(fmt.Sprint(c.rows, " ", c.cols), func(t *testing.T) {
			if testing.Short() && c.rows*c.cols > 1e6 {
				return
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
				b.Close()
			}
			for _, threads := range []int{1, 3} {
				c.opts.Threads = threads
				s := newTestBins(t, synth.SparseWithZeros(d), c.opts)
				if !reflect.DeepEqual(s.feature, dense.feature) || !reflect.DeepEqual(s.Dropped, dense.Dropped) {
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

func TestSparseErrors(t *testing.T) {
	d := rank.NewDataset(3, 2)
	d.Row(1)[1] = 2.5
	_, err := NewBins(context.Background(), synth.SparseWithZeros(d), BinOptions{MaxBins: 9, Categorical: []int{0, 1}})
	if err == nil || !strings.Contains(err.Error(), "row 1: 2.5 is not a category of feature 2") {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := NewBins(ctx, synth.SparseWithZeros(d), BinOptions{MaxBins: 9}); err != context.Canceled {
		t.Errorf("canceled: %v", err)
	}
}
