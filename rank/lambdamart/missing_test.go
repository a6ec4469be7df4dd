package lambdamart

import (
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/simdrank/simdrank/internal/synth"
	"github.com/simdrank/simdrank/internal/testkit"
	"github.com/simdrank/simdrank/rank"
)

// TestMissingUnseen scores missing values of features that had none in training. They go where the
// lower median of the training data goes, and right at categorical splits.
func TestMissingUnseen(t *testing.T) {
	d := withoutMissing(synth.Ranking(60, 8, 3))
	for name, o := range map[string]Trainer{
		"plain":     *with(Trainer{Trees: 5, Leaves: 8}),
		"category":  *with(Trainer{Trees: 5, Leaves: 8, Categorical: []int{3}}),
		"monotone":  *with(Trainer{Trees: 5, Leaves: 8, Monotone: []int8{1, 1, -1}}),
		"allowed":   *with(Trainer{Trees: 5, Leaves: 8, Interactions: [][]int{{0, 1}, {1, 2, 4}}}),
		"smoothed":  *with(Trainer{Trees: 5, Leaves: 8, PathSmooth: 2}),
		"random":    *with(Trainer{Trees: 5, Leaves: 8, ExtraTrees: true}),
		"one value": *with(Trainer{Trees: 5, Leaves: 8, Bins: 2}),
		"zeros":     *with(Trainer{Trees: 5, Leaves: 8, ZeroMissing: true}),
	} {
		t.Run(name, func(t *testing.T) {
			d := d
			if o.ZeroMissing {
				d = withoutMissing(d)
				for i := range d.X {
					d.X[i]++ // zeros would be missing
				}
			}
			r, err := o.Fit(t.Context(), d)
			if err != nil {
				t.Fatal(err)
			}
			moved := 0
			for j := range d.Cols {
				instead := inf32
				if !slices.Contains(o.Categorical, j) {
					instead = median(d, j)
				}
				for i := range d.Rows() {
					missing, other := slices.Clone(d.Row(i)), slices.Clone(d.Row(i))
					missing[j], other[j] = nan32, instead
					got, want := r.Model.Score(missing), r.Model.Score(other)
					if got != want {
						t.Fatalf("row %d, feature %d: %v, and with %v %v", i, j, got, instead, want)
					}
					if got != r.Model.Score(d.Row(i)) {
						moved++
					}
				}
			}
			if moved == 0 {
				t.Error("no missing value changes a score")
			}
		})
	}
}

// median returns the lower median of a column.
func median(d *rank.Dataset, j int) float32 {
	values := make([]float32, d.Rows())
	for i := range values {
		values[i] = d.Row(i)[j]
	}
	slices.Sort(values)
	return values[(len(values)-1)/2]
}

// TestMissingScore trains on one feature that grows with the label. A document without it must not
// be among the best.
func TestMissingScore(t *testing.T) {
	d := rank.NewDataset(620, 1)
	d.Offsets, d.QueryIDs = nil, nil
	for i := range d.Rows() {
		if i%31 == 0 {
			d.Offsets, d.QueryIDs = append(d.Offsets, i), append(d.QueryIDs, fmt.Sprint(i/31))
		}
		d.Row(i)[0], d.Labels[i] = float32(i%31), float64(i%31/8)
	}
	d.Offsets = append(d.Offsets, d.Rows())
	for name, o := range map[string]Trainer{
		"leaf-wise":  *with(Trainer{Trees: 20}),
		"depth-wise": *with(Trainer{Trees: 20, DepthWise: true, Depth: 4}, "Leaves"),
		"monotone":   *with(Trainer{Trees: 20, Monotone: []int8{1}}),
	} {
		t.Run(name, func(t *testing.T) {
			r, err := o.Fit(t.Context(), d)
			if err != nil {
				t.Fatal(err)
			}
			score := func(v float32) float64 { return r.Model.Score([]float32{v}) }
			if got, low, high := score(nan32), score(0), score(30); !(low < got && got < high) || got != score(15) {
				t.Errorf("missing scores %v, 0 %v, the median %v, 30 %v", got, low, score(15), high)
			}
		})
	}
}

// TestMissingFeatures compares the features that a model records as missing in training.
func TestMissingFeatures(t *testing.T) {
	d := synth.Ranking(40, 6, 3) // feature 1 has missing values
	d.Row(77)[4], d.Row(5)[3] = nan32, -1
	binned := func(o Trainer, d *rank.Dataset) (*Result, error) {
		b, err := o.Bin(t.Context(), d)
		if err != nil {
			return nil, err
		}
		return o.FitBinned(t.Context(), b)
	}
	known := func(missing ...bool) *Model {
		return &Model{NumFeatures: 6, Trees: []Tree{{Leaf: []float64{1}}}, MissingFeatures: missing}
	}
	base := Trainer{Trees: 2, Leaves: 5}
	some := []bool{false, true, false, false, true, false}
	for name, c := range map[string]struct {
		set  func(o *Trainer)
		want []bool
	}{
		"plain":    {func(*Trainer) {}, some},
		"category": {func(o *Trainer) { o.Categorical = []int{3} }, []bool{false, true, false, true, true, false}},
		"zeros":    {func(o *Trainer) { o.ZeroMissing = true }, []bool{true, true, true, true, true, true}},
		"no split": {func(o *Trainer) { o.MinRows = 1000 }, some},
		"sampled":  {func(o *Trainer) { o.RowFraction = .1 }, some},
		"start": {func(o *Trainer) { o.Start = known(false, false, true, false, false, false) },
			[]bool{false, true, true, false, true, false}},
		"start, complete":      {func(o *Trainer) { o.Start = known(make([]bool, 6)...) }, some},
		"start, unknown":       {func(o *Trainer) { o.Start = known() }, nil},
		"start, without trees": {func(o *Trainer) { o.Start = &Model{NumFeatures: 6} }, some},
	} {
		t.Run(name, func(t *testing.T) {
			o := *with(base)
			c.set(&o)
			file := o
			file.BinsFile = filepath.Join(t.TempDir(), "bins")
			check := func(how string, r *Result, err error) {
				t.Helper()
				if err != nil {
					t.Fatal(err)
				}
				if got := r.Model.MissingFeatures; !reflect.DeepEqual(got, c.want) {
					t.Errorf("%s: %v, want %v", how, got, c.want)
				}
			}
			for _, threads := range []int{1, 3} {
				o.Threads, file.Threads = threads, threads
				for _, d := range []*rank.Dataset{d, synth.SparseWithZeros(d)} {
					r, err := o.Fit(t.Context(), d)
					check(fmt.Sprint("sparse ", d.Sparse != nil), r, err)
					r, err = file.Fit(t.Context(), d)
					check(fmt.Sprint("file of bins, sparse ", d.Sparse != nil), r, err)
					if o.Start == nil {
						r, err = binned(o, d)
						check(fmt.Sprint("binned, sparse ", d.Sparse != nil), r, err)
					}
				}
			}
		})
	}

	r, err := with(base).Fit(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	refit, err := with(base).Refit(t.Context(), r.Model, withoutMissing(d), .5)
	if err != nil {
		t.Fatal(err)
	}
	cut := *r.Model
	cut.Truncate(1)
	for name, m := range map[string]*Model{"refit": refit, "truncated": &cut} {
		t.Run(name, func(t *testing.T) {
			if !slices.Equal(m.MissingFeatures, r.Model.MissingFeatures) {
				t.Errorf("%v, want %v", m.MissingFeatures, r.Model.MissingFeatures)
			}
		})
	}
	if err := r.Model.SetFeatureNames([]string{"a", "b", "c", "d", "e", "f", "new"}); err != nil {
		t.Fatal(err)
	}
	if err := r.Model.SetFeatureNames([]string{"e", "f", "new", "a", "newer", "b", "c", "d"}); err != nil {
		t.Fatal(err)
	}
	want := []bool{true, false, true, false, true, true, false, false}
	if got := r.Model.MissingFeatures; !slices.Equal(got, want) {
		t.Errorf("with other columns %v, want %v", got, want)
	}
}

func TestMissingFeaturesJSON(t *testing.T) {
	for _, c := range []struct {
		fields string
		want   []bool
	}{
		{`"features":3,"bias":0,`, nil},
		{`"features":3,"bias":0,"missing_features":[],`, make([]bool, 3)},
		{`"features":3,"bias":0,"missing_features":[0,2],`, []bool{true, false, true}},
		{`"features":0,"bias":0,"missing_features":[],`, []bool{}},
	} {
		text, want := `{"format":"simdrank-lambdamart","version":1,`+c.fields+`"trees":[]}`+"\n", c.want
		t.Run(c.fields, func(t *testing.T) {
			m := &Model{}
			if err := m.UnmarshalJSON([]byte(text)); err != nil || !reflect.DeepEqual(m.MissingFeatures, want) {
				t.Errorf("%v, want %v (%v)", m.MissingFeatures, want, err)
			}
			if got := string(testkit.Must(m.MarshalJSON())); got != text {
				t.Errorf("written as %s, want %s", got, text)
			}
		})
	}
}
