package report

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

// Figures of very wide models and data are those of their columns that occur.
func TestWideColumns(t *testing.T) {
	const step = 9001
	few := small()
	wide := *few
	wide.Names, wide.X, wide.Stride, wide.Cols = nil, nil, 0, 1+step*few.Cols
	from := few.ToSparse().Sparse
	wide.Sparse = &rank.CSR{Offsets: from.Offsets, Columns: slices.Clone(from.Columns), Values: from.Values}
	for k := range wide.Sparse.Columns {
		wide.Sparse.Columns[k] *= step
	}
	for j := range few.Names {
		few.Names[j] = fmt.Sprint(1 + step*j)
	}
	m := trees(t, few)
	spread := *m
	spread.NumFeatures, spread.FeatureNames, spread.Trees = wide.Cols, nil, slices.Clone(m.Trees)
	spread.MissingFeatures = nil
	for i := range spread.Trees {
		tree := &spread.Trees[i]
		tree.Feature = slices.Clone(tree.Feature)
		for s := range tree.Feature {
			tree.Feature[s] *= step
		}
	}
	linear := &rank.Linear{Weights: []float64{1, -0.5, 2, 0, 0.25, 1, 1, 0}, FeatureNames: few.Names}
	spreadLinear := &rank.Linear{Weights: make([]float64, wide.Cols)}
	for j, w := range linear.Weights {
		spreadLinear.Weights[j*step] = w
	}
	// Data may lack the last features of a model.
	cut, cutWide := few.WithColumns(5), wide.WithColumns(1+4*step)
	for _, c := range []struct {
		name, figure string
		m, wide      rank.Model
		d, wideData  *rank.Dataset
	}{
		{"importance", "importance", m, &spread, few, &wide},
		{"gain", "importance", m, &spread, nil, nil},
		{"shap", "shap", m, &spread, few, &wide},
		{"shap of fewer columns", "shap", m, &spread, cut, cutWide},
		{"weights", "importance", linear, spreadLinear, few, &wide},
		{"weights of fewer columns", "importance", linear, spreadLinear, cut, cutWide},
	} {
		t.Run(c.name, func(t *testing.T) {
			figure := func(m rank.Model, d *rank.Dataset) string {
				t.Helper()
				chart, err := (&Page{Systems: []System{{Model: m, Data: d}}}).Figure(t.Context(), c.figure)
				if err != nil {
					t.Fatal(err)
				}
				var b bytes.Buffer
				if err := chart.WriteSVG(&b); err != nil {
					t.Fatal(err)
				}
				return b.String()
			}
			if got, want := figure(c.wide, c.wideData), figure(c.m, c.d); got != want {
				t.Errorf("%s\nwant\n%s", got, want)
			}
		})
	}
	if got := duplicateColumns(&wide); fmt.Sprint(got) != fmt.Sprint([][2]int{{2 * step, 6 * step}}) {
		t.Errorf("duplicates %v", got)
	}
	narrow, d, err := usedByTrees(&spread, &wide)
	if err != nil || narrow.NumFeatures > few.Cols || d.Cols != narrow.NumFeatures {
		t.Errorf("%d features, %d columns, %v", narrow.NumFeatures, d.Cols, err)
	}
	if slices.ContainsFunc(spread.Trees, func(t lambdamart.Tree) bool { return slices.Max(t.Feature) < step }) {
		t.Error("the model was changed")
	}
}
