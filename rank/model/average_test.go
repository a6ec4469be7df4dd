package model

import (
	"bytes"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/internal/testkit"
)

// TestAverageFormats: formats that know means keep them, with the bits of the leaves, and others
// have the sum of the shares.
func TestAverageFormats(t *testing.T) {
	rng := rand.New(rand.NewPCG(33, 34))
	m := randomModel(rng, testkit.Shape{Features: 5, Trees: 7, Leaves: 15, Missing: true})
	m.Bias = 0
	average(m)
	for _, c := range []struct {
		format string
		kept   bool
	}{{"json", true}, {"lightgbm", true}, {"lightgbm-dump", true}, {"xgboost", false}} {
		t.Run(c.format, func(t *testing.T) {
			var b bytes.Buffer
			if err := Write(&b, m, c.format); err != nil {
				t.Fatal(err)
			}
			back, err := read(&b)
			if err != nil {
				t.Fatal(err)
			}
			if back.Average != c.kept {
				t.Errorf("Average is %v", back.Average)
			}
			for i := range m.Trees {
				if c.kept && !slices.Equal(back.Trees[i].Leaf, m.Trees[i].Leaf) {
					t.Errorf("tree %d has the leaves %v, want %v", i, back.Trees[i].Leaf, m.Trees[i].Leaf)
				}
			}
		})
	}
	m.Bias = 1 // LightGBM has no bias beside a mean
	var b bytes.Buffer
	if err := Write(&b, m, "lightgbm"); err != nil {
		t.Fatal(err)
	}
	back, err := read(&b)
	if x := make([]float32, 5); err != nil || back.Average || !testkit.Near(back.Score(x), m.Score(x), 1e-12) {
		t.Errorf("a mean with a bias: %v", err)
	}
}

// TestRules: models score special values, and by their first trees, as their own library does. The
// models of testdata/rules are made by bench/peers/lambdamart/rules.py.
func TestRules(t *testing.T) {
	const dir = "testdata/rules/"
	rows := testkit.ReadNumbers(t, dir+"rows.txt")
	for _, file := range []string{"lightgbm-forest.txt", "lightgbm-forest.json", "lightgbm-zeros.txt",
		"lightgbm-zeros.json", "lightgbm-none.txt", "lightgbm-none.json", "xgboost.json"} {
		t.Run(file, func(t *testing.T) {
			all, err := loadTrees(dir + file)
			if err != nil {
				t.Fatal(err)
			}
			name, _, _ := strings.Cut(file, ".")
			scores := testkit.ReadNumbers(t, dir+name+".scores")
			for k := 1; k <= len(all.Trees); k++ {
				m := *all
				m.Truncate(k)
				for i, row := range rows {
					x := make([]float32, len(row))
					for j, v := range row {
						if x[j] = float32(v); name == "lightgbm-zeros" && math.Abs(v) < 1e-35 {
							x[j] = 0
						}
					}
					if got, want := m.Score(x), scores[i][k-1]; math.Abs(got-want) > 1e-6*max(1, math.Abs(want)) {
						t.Errorf("%d trees: row %v scores %v, want %v", k, x, got, want)
					}
				}
			}
			if all.Average != (name == "lightgbm-forest") {
				t.Errorf("Average is %v", all.Average)
			}
		})
	}
}

// TestMissingFeatures reads the missing types of LightGBM's models. Feature 2 is categorical.
func TestMissingFeatures(t *testing.T) {
	for file, want := range map[string][]bool{
		"rules/lightgbm-none.txt":    {false, true, false}, // no split uses feature 1
		"rules/lightgbm-none.json":   {false, true, false},
		"rules/lightgbm-zeros.txt":   {true, true, false},
		"rules/lightgbm-zeros.json":  {true, true, false},
		"rules/lightgbm-forest.txt":  {true, true, true},
		"rules/lightgbm-forest.json": {true, true, true},
		"rules/xgboost.json":         nil,
		"model.json":                 nil,
	} {
		t.Run(file, func(t *testing.T) {
			m, err := loadTrees("testdata/" + file)
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(m.MissingFeatures, want) {
				t.Errorf("%v, want %v", m.MissingFeatures, want)
			}
		})
	}
	// A copy in LightGBM's format sends missing values as before, but does not tell complete
	// features.
	m := stump()
	m.MissingFeatures = make([]bool, m.NumFeatures)
	for _, format := range []string{"lightgbm", "lightgbm-dump"} {
		t.Run(format, func(t *testing.T) {
			var b bytes.Buffer
			if err := Write(&b, m, format); err != nil {
				t.Fatal(err)
			}
			back, err := read(&b)
			if err != nil || !reflect.DeepEqual(back.MissingFeatures, []bool{true, true}) {
				t.Errorf("read back %v: %v", back, err)
			}
		})
	}
}
