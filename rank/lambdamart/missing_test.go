package lambdamart

import (
	"fmt"
	"slices"
	"testing"

	"github.com/simdrank/simdrank/internal/synth"
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
