package align

import (
	"fmt"
	"math"
	"testing"

	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

// TestUnused scores data without features that no tree uses, such as the column of queries in a
// model that LightGBM has trained on a table.
func TestUnused(t *testing.T) {
	m := &lambdamart.Model{NumFeatures: 4, FeatureNames: []string{"qid", "x", "junk", "y"}, Trees: []lambdamart.Tree{{
		Feature: []int32{3, 1}, Threshold: []float32{1, 2}, Left: []int32{1, ^0}, Right: []int32{^2, ^1},
		Leaf: []float64{1, 2, 3}}}}
	for _, c := range []struct {
		names []string
		want  string
	}{
		{[]string{"y", "x"}, "[qid x junk y] [0 2 0 1]"},
		{[]string{"junk", "y", "x"}, "[qid x junk y] [0 3 1 2]"},
		{[]string{"qid", "x", "junk", "y"}, "[qid x junk y] [1 2 3 4]"},
		{[]string{"x", "qid", "junk"}, `data: no feature is named "y", as one of model is`},
		{[]string{"x", "y", "z"}, `data: model has no feature named "z": -o scores without`},
	} {
		dense := rank.NewDataset(2, len(c.names))
		dense.Names, dense.QueryIDs, dense.Offsets = c.names, []string{"1"}, []int{0, 2}
		for j := range c.names {
			dense.Row(0)[j], dense.Row(1)[j] = float32(j+1), float32(math.NaN())
		}
		for _, d := range []*rank.Dataset{dense, dense.ToSparse()} {
			got, err := ToModel(d, m, "data", "model", false, "-o")
			text := fmt.Sprint(err)
			if err == nil {
				text = fmt.Sprint(got.Names, got.ToDense().Row(0))
				if err := got.Validate(); err != nil {
					t.Error(err)
				}
			}
			if text != c.want {
				t.Errorf("%s: %s, want %s", c.names, text, c.want)
			}
		}
		if _, err := ToColumns(dense, m.FeatureNames, 4, "data", "model"); (err == nil) != (len(c.names) == 4) {
			t.Errorf("%s: training data: %v", c.names, err)
		}
	}
	linear := &rank.Linear{Weights: []float64{1, 0}, FeatureNames: []string{"x", "y"}}
	d := rank.NewDataset(1, 1)
	d.Names = []string{"x"}
	if _, err := ToModel(d, linear, "data", "model", false, ""); err == nil {
		t.Error("a linear model scores data without one of its features")
	}
}
