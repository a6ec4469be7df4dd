package model

import (
	"bytes"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/internal/synth"
	"github.com/simdrank/simdrank/internal/testkit"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

// TestChange: Change returns the largest change that each format makes.
func TestChange(t *testing.T) {
	tree := func(threshold float32, missingLeft bool, leaves ...float64) lambdamart.Tree {
		return lambdamart.Tree{Feature: []int32{0}, Threshold: []float32{threshold}, MissingLeft: []bool{missingLeft},
			Left: []int32{^0}, Right: []int32{^1}, Leaf: leaves}
	}
	for _, c := range []struct {
		name   string
		trees  []lambdamart.Tree
		bias   float64
		format string
		want   Change
	}{
		{"exact", []lambdamart.Tree{tree(0.5, false, 1, 2)}, 0, "xgboost", Change{}},
		{"leaves", []lambdamart.Tree{tree(0.5, false, 1, 0.1), tree(0.5, false, 1, 0.1)}, 0, "xgboost",
			Change{Leaves: 2 * (float64(float32(0.1)) - 0.1)}},
		{"bias in leaves", []lambdamart.Tree{tree(0.5, true, 1, 3)}, 0.5, "ranklib", Change{}},
		{"missing in RankLib", []lambdamart.Tree{tree(0.5, false, 1, 4), tree(-0.5, false, 1, 2)}, 0, "ranklib",
			Change{Missing: 3}},
		{"missing in Solr", []lambdamart.Tree{tree(0.5, true, 1, 4)}, 0, "solr", Change{Missing: 3}},
		{"thresholds of Solr", []lambdamart.Tree{tree(3, false, 1, 9), tree(1e-36, false, 1, 3.5),
			tree(1e-35, false, 1, 2)}, 0, "solr", Change{Thresholds: 3.5, From: 0, To: 1e-36}},
		{"thresholds below 0", []lambdamart.Tree{tree(-1e-36, false, 1, 3.5)}, 0, "solr",
			Change{Thresholds: 2.5, From: -1.1368684e-13, To: -1e-36}},
		{"no trees", nil, 0.25, "xgboost-dump", Change{}},
		{"above all", []lambdamart.Tree{tree(inf32, false, 1, 2)}, 0, "xgboost", Change{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := &lambdamart.Model{NumFeatures: 1, Trees: c.trees, Bias: c.bias}
			var b bytes.Buffer
			if err := Write(&b, m, c.format); err != nil {
				t.Fatal(err)
			}
			back, err := read(&b)
			if err != nil {
				t.Fatal(err)
			}
			got, err := BoundChange(m, back)
			if err != nil || !testkit.Near(got.Leaves, c.want.Leaves, 1e-12) || got.Thresholds != c.want.Thresholds ||
				got.Missing != c.want.Missing || got.From != c.want.From || got.To != c.want.To {
				t.Errorf("%+v, %v, want %+v", got, err, c.want)
			}
		})
	}
}

// TestChangeOfUnseen: a copy of a model that was trained on complete data sends missing values to
// the same sides, if the format can express it.
func TestChangeOfUnseen(t *testing.T) {
	d := synth.Ranking(60, 5, 3)
	for i, v := range d.X {
		if v != v {
			d.X[i] = 0
		}
	}
	o := lambdamart.DefaultTrainer()
	o.Trees, o.Leaves = 4, 8
	r, err := o.Fit(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	for format, lost := range map[string]bool{
		"json": false, "lightgbm": false, "lightgbm-dump": false, "xgboost": false, "xgboost-ubj": false,
		"xgboost-dump": false, "ranklib": true, "solr": true,
	} {
		t.Run(format, func(t *testing.T) {
			m := *r.Model
			if err := m.SetFeatureNames([]string{"a", "b", "c", "d", "e"}); err != nil {
				t.Fatal(err)
			}
			var b bytes.Buffer
			if err := Write(&b, &m, format); err != nil {
				t.Fatal(err)
			}
			back, err := read(&b)
			if err != nil {
				t.Fatal(err)
			}
			change, err := BoundChange(&m, back)
			if err != nil || (change.Missing != 0) != lost {
				t.Errorf("%+v, %v, want a change of missing values: %t", change, err, lost)
			}
		})
	}
}

// TestChangeBound: no score of random models and documents changes by more than the bound.
func TestChangeBound(t *testing.T) {
	for _, f := range nestedFormats {
		t.Run(f.name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(41, 42))
			for range 20 {
				m := randomModel(rng, testkit.Shape{Features: 5, Trees: 6, Leaves: 20, Missing: true,
					Categories: f.categories})
				likeLightGBM(m)
				names := []string{"a", "b", "c", "d", "e"}
				if err := m.SetFeatureNames(names); err != nil {
					t.Fatal(err)
				}
				var b bytes.Buffer
				if err := Write(&b, m, f.format); err != nil {
					t.Fatal(err)
				}
				back, err := read(&b)
				if err != nil {
					t.Fatal(err)
				}
				change, err := BoundChange(m, back)
				if err != nil {
					t.Fatal(err)
				}
				if f.missing && change.Missing != 0 || !f.float32s && change.Leaves != 0 {
					t.Errorf("%+v of a format that loses nothing", change)
				}
				if back.FeatureNames != nil {
					if err := back.SetFeatureNames(names); err != nil {
						t.Fatal(err)
					}
				}
				d := synth.TreeRows(rng, 200, 5)
				for i := range d.Rows() {
					x := d.Row(i)
					for j, v := range x {
						if f.name == "XGBoost's dump" && v < 0 && v > -1 {
							x[j] = 1 // which is no category
						}
					}
					most := change.Leaves + change.Thresholds
					for _, v := range x {
						if v != v {
							most = change.Leaves + change.Thresholds + change.Missing
						}
					}
					if by := math.Abs(back.Score(x) - m.Score(x)); by > most+1e-12 {
						t.Fatalf("row %v changes by %v, and the bound is %v", x, by, most)
					}
				}
			}
		})
	}
}

// TestChangeOfSets: splits by other sets of categories change scores, and splits by sets that
// differ only in empty words do not. A split by no category is one by the threshold −∞.
func TestChangeOfSets(t *testing.T) {
	by := func(threshold float32, set []uint32) *lambdamart.Model {
		return &lambdamart.Model{NumFeatures: 1, Trees: []lambdamart.Tree{{Feature: []int32{0},
			Threshold: []float32{threshold}, MissingLeft: []bool{false}, Left: []int32{^0}, Right: []int32{^1},
			Leaf: []float64{1, 4}, Categories: [][]uint32{set}}}}
	}
	for _, c := range []struct {
		name string
		a, b *lambdamart.Model
		want float64
	}{
		{"same", by(0, []uint32{1 << 2}), by(0, []uint32{1 << 2, 0}), 0},
		{"other category", by(0, []uint32{1 << 2}), by(0, []uint32{1 << 4}), 3},
		{"other word", by(0, []uint32{1 << 2}), by(0, []uint32{0, 1 << 2}), 3},
		{"threshold", by(0, []uint32{1 << 2}), by(2, nil), 3},
		{"none", by(0, []uint32{0}), by(float32(math.Inf(-1)), nil), 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got, err := BoundChange(c.a, c.b); err != nil || got.Thresholds != c.want {
				t.Errorf("%+v, %v, want %v by thresholds", got, err, c.want)
			}
		})
	}
}

func TestChangeOfOthers(t *testing.T) {
	type trees = lambdamart.Model
	m := stump()
	m.FeatureNames, m.Trees = []string{"x", "y"}, append(m.Trees, lambdamart.Tree{Leaf: []float64{0}})
	for want, change := range map[string]func(m *trees){
		"different numbers of trees, 2 and 1": func(m *trees) { m.Trees = nil },
		"tree 0: a split uses feature 1 in one model and feature 0 in the other": func(m *trees) {
			m.FeatureNames, m.UnknownOrder = []string{"y", "x"},
				true
		},
		"one model has a leaf": func(m *trees) { m.Trees[0] = lambdamart.Tree{Leaf: []float64{1}} },
		`has no feature "z"`: func(m *trees) {
			m.FeatureNames, m.UnknownOrder = []string{"x", "z"},
				true
		},
		"the value of leaf 0, 1.6e+308, is too large when the bias 1.7e+308 is added": func(m *trees) {
			m.Bias, m.Trees[0].Leaf[0] = 1.7e308, 1.6e308
		},
	} {
		t.Run(want, func(t *testing.T) {
			other := stump()
			other.Trees = append(other.Trees, lambdamart.Tree{Leaf: []float64{0}})
			change(other)
			if _, err := BoundChange(m, other); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%v, want %s", err, want)
			}
		})
	}
}
