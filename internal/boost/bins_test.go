package boost

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/simdrank/simdrank/rank"
)

// oneColumn returns a dataset of one feature.
func oneColumn(x ...float32) *rank.Dataset {
	d := rank.NewDataset(len(x), 1)
	for i, v := range x {
		d.X[i*d.Stride] = v
	}
	return d
}

func newTestBins(t *testing.T, d *rank.Dataset, opts BinOptions) *Bins {
	t.Helper()
	b, err := NewBins(context.Background(), d, opts)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestBins(t *testing.T) {
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	next := func(v float32) float32 { return math.Nextafter32(v, inf) }
	for name, c := range map[string]struct {
		x    []float32
		opts BinOptions
		want Binning
		bins []uint8
	}{
		"every value its own": {
			x:    []float32{3, 1, 1, 2, 2, 1, 2, 3, 3},
			want: Binning{Bounds: []float32{1.5, 2.5, inf}, Other: -1, Missing: -1, Median: 1, Bins: 3},
			bins: []uint8{2, 0, 0, 1, 1, 0, 1, 2, 2},
		},
		"but of too few rows": {
			x:    []float32{1, 2, 3, 3, 4, 5},
			want: Binning{Bounds: []float32{3.5, inf}, Other: -1, Missing: -1, Bins: 2},
			bins: []uint8{0, 0, 0, 0, 1, 1},
		},
		"quantiles": {
			x:    []float32{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11},
			opts: BinOptions{MaxBins: 3},
			want: Binning{Bounds: []float32{3.5, 7.5, inf}, Other: -1, Missing: -1, Median: 1, Bins: 3},
			bins: []uint8{0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2},
		},
		"a value that fills a bin": {
			x:    []float32{1, 2, 3, 4, 4, 4, 4, 4, 4, 5, 6, 7},
			opts: BinOptions{MaxBins: 3},
			want: Binning{Bounds: []float32{3.5, 4.5, inf}, Other: -1, Missing: -1, Median: 1, Bins: 3},
			bins: []uint8{0, 0, 0, 1, 1, 1, 1, 1, 1, 2, 2, 2},
		},
		"neighboring floats, both zeros, infinities": {
			x: []float32{1, 1, 1, next(1), next(1), next(1), 0, float32(math.Copysign(0, -1)), 0, inf, inf, inf,
				-inf, -inf, -inf},
			want: Binning{Bounds: []float32{-inf, .5, 1, next(1), inf}, Other: -1, Missing: -1, Median: 2, Bins: 5},
			bins: []uint8{2, 2, 2, 3, 3, 3, 1, 1, 1, 4, 4, 4, 0, 0, 0},
		},
		"missing": {
			x:    []float32{nan, 0, 0, 0, 5, 5, 5},
			want: Binning{Bounds: []float32{2.5, inf}, Other: -1, Missing: 2, Bins: 3},
			bins: []uint8{2, 0, 0, 0, 1, 1, 1},
		},
		"missing values do not count for the median": {
			x:    []float32{nan, nan, nan, nan, 7, 7, 7, 5, 5, 5, nan, 7},
			want: Binning{Bounds: []float32{6, inf}, Other: -1, Missing: 2, Median: 1, Bins: 3},
			bins: []uint8{2, 2, 2, 2, 1, 1, 1, 0, 0, 0, 2, 1},
		},
		"of two medians the lower": {
			x:    []float32{7, 7, 7, 5, 5, 5},
			want: Binning{Bounds: []float32{6, inf}, Other: -1, Missing: -1, Bins: 2},
			bins: []uint8{1, 1, 1, 0, 0, 0},
		},
		"zero is missing": {
			x:    []float32{nan, 0, 0, 0, 5, 5, 5},
			opts: BinOptions{ZeroMissing: true},
			want: Binning{Bounds: []float32{inf}, Other: -1, Missing: 1, Bins: 2},
			bins: []uint8{1, 1, 1, 1, 0, 0, 0},
		},
		"all missing": {
			x:    []float32{nan, nan},
			want: Binning{Bounds: []float32{inf}, Other: -1, Missing: 1, Median: -1, Bins: 2},
			bins: []uint8{1, 1},
		},
		"missing takes one of few bins": {
			x:    []float32{1, 1, 1, 2, 2, 2, 3, 3, 3, nan},
			opts: BinOptions{MaxBins: 3},
			want: Binning{Bounds: []float32{2.5, inf}, Other: -1, Missing: 2, Bins: 3},
			bins: []uint8{0, 0, 0, 0, 0, 0, 1, 1, 1, 2},
		},
		"categories": {
			x:    []float32{7, 7, 3, 900, 900, 900, -1, nan},
			opts: BinOptions{Categorical: []int{0}},
			want: Binning{Categories: []int32{900, 7, 3}, Other: -1, Missing: 3, Bins: 4},
			bins: []uint8{1, 1, 2, 0, 0, 0, 3, 3},
		},
		"more categories than bins": {
			x:    []float32{7, 7, 3, 900, 900, 900, 0},
			opts: BinOptions{Categorical: []int{0}, MaxBins: 3},
			want: Binning{Categories: []int32{900, 7}, Other: 2, Missing: -1, Bins: 3},
			bins: []uint8{1, 1, 2, 0, 0, 0, 2},
		},
	} {
		t.Run(name, func(t *testing.T) {
			if c.opts.MaxBins == 0 {
				c.opts.MaxBins = 255
			}
			b := newTestBins(t, oneColumn(c.x...), c.opts)
			if got := b.feature[0]; !reflect.DeepEqual(got, c.want) {
				t.Errorf("%+v, want %+v", got, c.want)
			}
			if got := b.cols[:b.rows]; !slices.Equal(got, c.bins) {
				t.Errorf("bins %v, want %v", got, c.bins)
			}
		})
	}
}

// If a feature has no more values than bins, only its last bin may hold fewer than three sampled
// rows.
func TestBinRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(20, 1))
	for try := range 200 {
		x := make([]float32, 1+rng.IntN(300))
		for i := range x {
			x[i] = float32(math.Floor(rng.ExpFloat64() * float64(1+try)))
		}
		b := newTestBins(t, oneColumn(x...), BinOptions{MaxBins: 255})
		rows := make([]int, b.feature[0].Bins)
		for _, bin := range b.cols[:b.rows] {
			rows[bin]++
		}
		values := slices.Clone(x)
		slices.Sort(values)
		values = slices.Compact(values)
		if least := slices.Min(append(rows[:len(rows)-1:len(rows)-1], 3)); len(values) <= 255 && least < 3 {
			t.Errorf("bins of %v rows", rows)
		}
	}
}

// randomDataset has columns of few values, of many, of mostly zeros, and with missing values.
func randomDataset(rows, cols int) *rank.Dataset {
	rng := rand.New(rand.NewPCG(uint64(rows), uint64(cols)))
	d := rank.NewDataset(rows, cols)
	for i := range rows {
		for j, row := 0, d.Row(i); j < cols; j++ {
			switch v := rng.Float32(); j % 4 {
			case 0:
				row[j] = float32(int(v * 7))
			case 1:
				row[j] = v
			case 2:
				row[j] = max(v-.7, 0)
			default:
				if row[j] = v * v; rng.IntN(9) == 0 {
					row[j] = float32(math.NaN())
				}
			}
		}
	}
	return d
}

// Both layouts hold the same bins, bins hold the values between their bounds, and no number of
// threads shows.
func TestBinsLayouts(t *testing.T) {
	d := randomDataset(5003, 21)
	one := newTestBins(t, d, BinOptions{MaxBins: 63, Threads: 1})
	if many := newTestBins(t, d, BinOptions{MaxBins: 63, Threads: 7}); !reflect.DeepEqual(one, many) {
		t.Error("bins of 7 threads differ from those of one")
	}
	for f, b := range one.feature {
		counts := make([]int, b.Bins)
		for i := range one.rows {
			bin, v := one.binOf(t, i, int32(f)), d.X[i*d.Stride+f]
			counts[bin]++
			if bin == b.Missing != (v != v) || v == v && (v > b.Bounds[bin] || bin > 0 && v <= b.Bounds[bin-1]) {
				t.Fatalf("feature %d: %v is in bin %d of %v, missing %d", f, v, bin, b.Bounds, b.Missing)
			}
		}
		if f%4 == 1 && (b.Bins != 63 || slices.Max(counts) > 5003/63+2 || slices.Min(counts) < 5003/63-2) {
			t.Errorf("feature %d: %d rows in bins of %v", f, one.rows, counts)
		}
		if b.Bins > 63 {
			t.Errorf("feature %d: %d bins", f, b.Bins)
		}
	}
	for i := range one.rows {
		for k := len(one.columns); k < one.stride; k++ {
			if one.wide[i*one.stride+k] != 0 {
				t.Fatalf("spare column %d has byte %d", k, one.wide[i*one.stride+k])
			}
		}
	}
}

// Bytes are shared by as many features as fit, in the least room that will do.
func TestJoin(t *testing.T) {
	for _, c := range []struct {
		bins []int
		want [][]int32
	}{
		{nil, nil},
		{[]int{255, 256, 129}, [][]int32{{0}, {1}, {2}}},
		{[]int{16, 16, 16, 17}, [][]int32{{0, 1}, {2}, {3}}},
		{[]int{2, 2, 2, 2, 2, 2, 2, 2, 2}, [][]int32{{0, 1, 2, 3, 4, 5, 6, 7}, {8}}},
		{[]int{2, 100, 3, 60, 128}, [][]int32{{0, 1}, {2, 3}, {4}}},
		{[]int{1, 1, 200, 1, 128}, [][]int32{{0, 1, 3, 4}, {2}}},
		{[]int{1, 1, 200}, [][]int32{{0, 1}, {2}}},
	} {
		t.Run(fmt.Sprint(c.bins), func(t *testing.T) {
			b := &Bins{features: len(c.bins), feature: make([]Binning, len(c.bins))}
			var dense []int32
			for f, n := range c.bins {
				b.feature[f].Bins, dense = n, append(dense, int32(f))
			}
			if b.join(dense); !reflect.DeepEqual(b.columns, c.want) {
				t.Errorf("columns %v, want %v", b.columns, c.want)
			}
			for k, fs := range b.columns {
				unit := 1
				for _, f := range fs {
					if b.digits[f] != (digit{k, unit}) {
						t.Errorf("feature %d is %+v, want column %d, unit %d", f, b.digits[f], k, unit)
					}
					unit *= c.bins[f]
				}
			}
		})
	}
}

// Missing values that the sample of rows has none of get a bin, whether or not features share
// bytes.
func TestBinsMissingBeyondSample(t *testing.T) {
	if testing.Short() {
		t.Skip("too many rows for emulation")
	}
	const rows = binSample + 5
	values := []int{3, 16, 1, 255}
	sampled := make([]bool, rows)
	for _, r := range SampleRows(rows) {
		sampled[r] = true
	}
	at := slices.Index(sampled, false)
	for f, n := range values {
		d := rank.NewDataset(rows, len(values))
		for i := range rows {
			for j, n := range values {
				d.Row(i)[j] = float32(i % n)
			}
		}
		d.Row(at)[f] = nan
		for _, file := range []string{"", filepath.Join(t.TempDir(), "bins")} {
			b := newTestBins(t, d, BinOptions{MaxBins: 255, File: file})
			if got := b.feature[f]; got.Missing != n || got.Bins != n+1 {
				t.Errorf("feature %d of %d values: %d bins, missing %d", f, n, got.Bins, got.Missing)
			}
			for _, i := range []int{0, at, rows - 1} {
				for j, n := range values {
					want := i % n
					if i == at && j == f {
						want = n
					}
					if got := b.binOf(t, i, int32(j)); got != want {
						t.Errorf("missing in feature %d: row %d, feature %d: bin %d, want %d", f, i, j, got, want)
					}
				}
			}
			b.Close()
		}
	}
}

func TestSampleRows(t *testing.T) {
	if s := SampleRows(3); !slices.Equal(s, []uint32{0, 1, 2}) {
		t.Errorf("of 3 rows %v", s)
	}
	const rows = 3*binSample + 17
	s := SampleRows(rows)
	for k := range s {
		if lo, hi := int64(k)*rows/binSample, int64(k+1)*rows/binSample; int64(s[k]) < lo || int64(s[k]) >= hi {
			t.Fatalf("sample %d is row %d, want %d to %d", k, s[k], lo, hi-1)
		}
	}
}

func TestBinsErrors(t *testing.T) {
	for name, c := range map[string]struct {
		d    *rank.Dataset
		opts BinOptions
		want string
	}{
		"no rows": {oneColumn(), BinOptions{MaxBins: 9}, "lambdamart: cannot train on 0 rows and 1 features: the data must have rows and features"},
		"feature": {rank.NewDataset(1, 3), BinOptions{MaxBins: 9, Categorical: []int{3}},
			"lambdamart: categorical feature 3 does not exist: features are numbered 0 to 2"},
		"no category": {oneColumn(1, 2.5), BinOptions{MaxBins: 9, Categorical: []int{0}},
			"lambdamart: row 1: 2.5 is not a category of feature 1; it must be an integer below 16777216"},
		"too large": {oneColumn(1 << 24), BinOptions{MaxBins: 9, Categorical: []int{0}},
			"lambdamart: row 0: 1.6777216e+07 is not a category of feature 1; it must be an integer below 16777216"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := NewBins(context.Background(), c.d, c.opts); err == nil || err.Error() != c.want {
				t.Errorf("%v, want %s", err, c.want)
			}
		})
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := NewBins(ctx, oneColumn(1, 2), BinOptions{MaxBins: 9}); err != context.Canceled {
		t.Errorf("canceled: %v", err)
	}
}

// BenchmarkBins bins rows of 136 features by one thread.
func BenchmarkBins(b *testing.B) {
	for _, rows := range []int{100_000, 1_000_000} {
		d := randomDataset(rows, 136)
		b.Run(fmt.Sprint(rows), func(b *testing.B) {
			for b.Loop() {
				if _, err := NewBins(context.Background(), d, BinOptions{MaxBins: 255, Threads: 1}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(rows*136), "ns/value")
		})
	}
}
