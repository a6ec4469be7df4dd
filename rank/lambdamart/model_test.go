package lambdamart

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/internal/cpu"
	"github.com/simdrank/simdrank/internal/synth"
	"github.com/simdrank/simdrank/internal/testkit"
	"github.com/simdrank/simdrank/rank"
)

var (
	nan32 = float32(math.NaN())
	inf32 = float32(math.Inf(1))
)

// randomModel returns a model of random trees.
func randomModel(rng *rand.Rand, s testkit.Shape) *Model {
	m := &Model{NumFeatures: s.Features, Bias: rng.Float64(), Trees: make([]Tree, s.Trees)}
	for i := range m.Trees {
		m.Trees[i] = randomTree(rng, s)
	}
	return m
}

func randomTree(rng *rand.Rand, s testkit.Shape) Tree {
	return Tree(testkit.RandomTree(rng, s))
}

// specScore computes the score exactly as defined.
func specScore(m *Model, x []float32) float64 {
	score := m.Bias
	for _, t := range m.Trees {
		node := int32(0)
		if len(t.Feature) == 0 {
			node = ^0
		}
		for node >= 0 {
			v := float32(0)
			if f := t.Feature[node]; int(f) < len(x) {
				v = x[f]
			}
			left := v <= t.Threshold[node]
			if t.Categories != nil && t.Categories[node] != nil {
				left = false
				for c := range 32 * len(t.Categories[node]) {
					if v >= t.Threshold[node] && math.Trunc(float64(v)) == float64(c) &&
						t.Categories[node][c/32]&(1<<(c%32)) != 0 {
						left = true
					}
				}
			}
			if math.IsNaN(float64(v)) || v == 0 && t.ZeroMissing[node] {
				left = t.MissingLeft[node]
			}
			if left {
				node = t.Left[node]
			} else {
				node = t.Right[node]
			}
		}
		score += t.Leaf[^node]
	}
	return score
}

func TestScore(t *testing.T) {
	for name, s := range testkit.Shapes {
		t.Run(name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(1, uint64(s.Leaves)))
			m := randomModel(rng, s)
			data := make([]*rank.Dataset, 3)
			want := make([][]float64, len(data))
			for i, cols := range []int{s.Features, s.Features + 3, max(s.Features-2, 0)} {
				data[i] = synth.TreeRows(rng, 1+rng.IntN(700), cols)
				for row := range data[i].Rows() {
					x := data[i].Row(row)
					want[i] = append(want[i], specScore(m, x))
					if got := m.Score(x); got != want[i][row] {
						t.Fatalf("%d columns: row %d scores %v, want %v", cols, row, got, want[i][row])
					}
				}
			}
			for _, tier := range cpu.Available() {
				restore := cpu.Force(tier)
				scorer, err := m.Scorer()
				if err != nil {
					t.Fatal(err)
				}
				for i, d := range data {
					got := make([]float64, d.Rows())
					if err := scorer.ScoreInto(t.Context(), got, d.WithColumns(s.Features)); err != nil {
						t.Fatal(err)
					}
					for row, g := range got {
						if g != want[i][row] {
							t.Fatalf("%v, %d columns: row %d scores %v, want %v", tier, d.Cols, row, g,
								want[i][row])
						}
					}
				}
				restore()
			}
		})
	}
}

// A new scorer accepts data with any number of columns.
func TestScorerColumns(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	s, err := randomModel(rng, testkit.Shape{Features: 20, Trees: 20, Leaves: 32,
		Missing: true, Zero: true, Categories: true}).Scorer()
	if err != nil {
		t.Fatal(err)
	}
	s.Threads = 1
	wide, narrow := synth.TreeRows(rng, 2, 20), synth.TreeRows(rng, 2, 9)
	dst := make([]float64, 2)
	if n := testing.AllocsPerRun(5, func() {
		for _, d := range []*rank.Dataset{wide, narrow} {
			if err := s.ScoreInto(t.Context(), dst, d); err != nil {
				t.Fatal(err)
			}
		}
	}); n > 20 {
		t.Errorf("two calls allocate %v times", n)
	}
}

func TestScorer(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	m := randomModel(rng, testkit.Shape{Features: 9, Trees: 12, Leaves: 31,
		Missing: true, Zero: true, Categories: true})
	for i := 3; i < 5; i++ { // traversed, between trees that are not
		m.Trees[i] = randomTree(rng, testkit.Shape{Features: 9, Trees: 1, Leaves: 5000, Missing: true, Zero: true})
	}
	d := synth.TreeRows(rng, 1500, 9)
	s, err := m.Scorer()
	if err != nil {
		t.Fatal(err)
	}
	known := map[int][]float64{}
	firsts := func(k int) []float64 {
		if known[k] == nil {
			part := *m
			part.Trees = m.Trees[:k]
			known[k] = make([]float64, d.Rows())
			for i := range known[k] {
				known[k][i] = specScore(&part, d.Row(i))
			}
		}
		return known[k]
	}
	dst := make([]float64, d.Rows())
	for _, threads := range []int{0, 1, 2, 5} {
		t.Run(fmt.Sprint(threads), func(t *testing.T) {
			s.Threads = threads
			if err := s.ScoreInto(t.Context(), dst, d); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(dst, firsts(12)) {
				t.Error("not the scores of all trees")
			}
		})
	}
	for _, room := range []int{stageScores, 4 * d.Rows(), 0} {
		t.Run(fmt.Sprint(room), func(t *testing.T) {
			for step, want := range map[int][]int{1: {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, 2: {2, 4, 6, 8, 10, 12},
				5: {5, 10, 12}, 13: {12}, math.MaxInt: {12}} {
				t.Run(fmt.Sprint(step), func(t *testing.T) {
					var stages []int
					if err := s.stages(t.Context(), dst, d, step, room, func(k int) error {
						stages = append(stages, k)
						if !slices.Equal(dst, firsts(k)) {
							t.Errorf("stage %d: not the scores of the first trees", k)
						}
						return nil
					}); err != nil || !slices.Equal(stages, want) {
						t.Errorf("stages %v: %v", stages, err)
					}
				})
			}
		})
	}
	stop := errors.New("stop")
	if err := s.StagesInto(t.Context(), dst, d, 1, func(k int) error { return stop }); err != stop {
		t.Errorf("an error of do: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.ScoreInto(ctx, dst, d); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
	if err := s.ScoreInto(t.Context(), dst[1:], d); err == nil {
		t.Error("too few places: no error")
	}
	d.X = d.X[1:]
	if err := s.ScoreInto(t.Context(), dst, d); err == nil {
		t.Error("a dataset that contradicts itself: no error")
	}
}

// Scoring with a model that was not validated ends, with a panic if its splits form a cycle.
func TestScoreCycle(t *testing.T) {
	for _, child := range []int32{0, 1} { // cycle of one split, or of two splits
		t.Run(fmt.Sprint(child), func(t *testing.T) {
			m := &Model{NumFeatures: 1, Trees: []Tree{{
				Feature: make([]int32, 2), Threshold: make([]float32, 2), Left: []int32{child, 0},
				Right: []int32{^0, ^1}, Leaf: make([]float64, 3),
			}}}
			if m.Score([]float32{1}) != 0 {
				t.Error("a path outside of the cycle")
			}
			defer func() {
				if err, _ := recover().(string); !strings.Contains(err, "cycle") {
					t.Errorf("%q", err)
				}
			}()
			m.Score([]float32{0})
		})
	}
}

// A tree that is as deep as it has splits does not overflow the stack, whichever way it is scored.
func TestScoreDeep(t *testing.T) {
	tree := Tree{Leaf: make([]float64, 1)}
	for i := range int32(mostLevels + 1) {
		tree.Feature, tree.Threshold = append(tree.Feature, 0), append(tree.Threshold, float32(i))
		if i > 0 {
			tree.Right[i-1] = i
		}
		tree.Left, tree.Right = append(tree.Left, ^i), append(tree.Right, ^(i+1))
		tree.Leaf = append(tree.Leaf, float64(i+1))
	}
	m := &Model{NumFeatures: 1, Trees: []Tree{tree}}
	s, err := m.Scorer()
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []float32{0, 1, 12_345, mostLevels, mostLevels + 1} {
		t.Run(fmt.Sprint(x), func(t *testing.T) {
			dst := make([]float64, 1)
			d := rank.NewDataset(1, 1)
			d.X[0] = x
			if err := s.ScoreInto(t.Context(), dst, d); err != nil {
				t.Fatal(err)
			}
			if want := float64(x); m.Score(d.X) != want || s.Score(d.X) != want || dst[0] != want {
				t.Errorf("%v, %v, %v", m.Score(d.X), s.Score(d.X), dst[0])
			}
		})
	}
	if walked := newWalkedTrees(newReadings(m.Trees)); walked != nil {
		t.Error("walked by recursion")
	}
}

// stump returns a valid model with one split, for tests to break.
func stump() *Model {
	return &Model{NumFeatures: 2, Trees: []Tree{{
		Feature: []int32{1}, Threshold: []float32{2}, Left: []int32{^0}, Right: []int32{^1}, Gain: []float64{4},
		Leaf: []float64{-1, 1},
	}}}
}

func TestValidate(t *testing.T) {
	if err := stump().Validate(); err != nil {
		t.Fatal(err)
	}
	// A cycle next to the tree, in which every child occurs once.
	cycle := &Model{NumFeatures: 1, Trees: []Tree{{
		Feature: make([]int32, 3), Threshold: make([]float32, 3), Left: []int32{^0, 2, 1}, Right: []int32{^1, ^2, ^3},
		Leaf: make([]float64, 4),
	}}}
	if err := cycle.Validate(); err == nil || !strings.Contains(err.Error(), "does not reach") {
		t.Errorf("a cycle beside the tree: %v", err)
	}
	for want, f := range map[string]func(m *Model, t *Tree){
		"number of features is -1": func(m *Model, t *Tree) { m.NumFeatures = -1 },
		"the number of names is 1": func(m *Model, t *Tree) { m.FeatureNames = []string{"a"} },
		"the number of values of MissingFeatures is 1": func(m *Model,
			t *Tree) {
			m.MissingFeatures = []bool{true}
		},
		"bias is NaN":           func(m *Model, t *Tree) { m.Bias = math.NaN() },
		"Best is 2; it must":    func(m *Model, t *Tree) { m.Best = 2 },
		"1 splits and 1 leaves": func(m *Model, t *Tree) { t.Leaf = t.Leaf[:1] },
		"the number of thresholds is 2": func(m *Model,
			t *Tree) {
			t.Threshold = append(t.Threshold, 1)
		},
		"the number of left children is 2":                  func(m *Model, t *Tree) { t.Left = append(t.Left, 1) },
		"the number of right children is 0":                 func(m *Model, t *Tree) { t.Right = nil },
		"the number of leaf counts is 1":                    func(m *Model, t *Tree) { t.LeafCount = []int64{1} },
		"feature 2 is out of range; it must be from 0 to 1": func(m *Model, t *Tree) { t.Feature[0] = 2 },
		"feature -1 is out of range":                        func(m *Model, t *Tree) { t.Feature[0] = -1 },
		"threshold is NaN":                                  func(m *Model, t *Tree) { t.Threshold[0] = nan32 },
		"value of leaf 1 is +Inf":                           func(m *Model, t *Tree) { t.Leaf[1] = math.Inf(1) },
		"gain of split 0 is NaN":                            func(m *Model, t *Tree) { t.Gain[0] = math.NaN() },
		"child 1 is out of range":                           func(m *Model, t *Tree) { t.Left[0] = 1 },
		"child -3 is out of range":                          func(m *Model, t *Tree) { t.Left[0] = -3 },
		"child -2147483648 is out":                          func(m *Model, t *Tree) { t.Left[0] = math.MinInt32 },
		"split 0 is reached by two":                         func(m *Model, t *Tree) { t.Left[0] = 0 },
		"leaf 1 is the child of two":                        func(m *Model, t *Tree) { t.Left[0] = ^1 },
		"the number of category sets is 2": func(m *Model, t *Tree) {
			t.Categories = make([][]uint32,
				2)
		},
		"the number of values of MissingLeft is 2": func(m *Model, t *Tree) {
			t.MissingLeft = make([]bool,
				2)
		},
		"the number of values of ZeroMissing is 2": func(m *Model, t *Tree) {
			t.ZeroMissing = make([]bool,
				2)
		},
		"the number of gains is 2":       func(m *Model, t *Tree) { t.Gain = make([]float64, 2) },
		"number of features is 16777217": func(m *Model, t *Tree) { m.NumFeatures = 1<<24 + 1 },
	} {
		t.Run(want, func(t *testing.T) {
			m := stump()
			f(m, &m.Trees[0])
			err := m.Validate()
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%v, want %q", err, want)
			}
			if _, err := m.Scorer(); err == nil {
				t.Error("a scorer")
			}
			if _, err := m.MarshalJSON(); err == nil {
				t.Error("written")
			}
		})
	}
}

func TestSetFeatureNames(t *testing.T) {
	m := randomModel(rand.New(rand.NewPCG(1, 2)), testkit.Shape{Features: 2, Trees: 3, Leaves: 9,
		Missing: true, Zero: true, Categories: true})
	m.FeatureNames, m.UnknownOrder = []string{"price", "color"}, true
	before := m.Score([]float32{1, 33})
	if err := m.SetFeatureNames([]string{"color", "age", "price"}); err != nil {
		t.Fatal(err)
	}
	if got := m.Score([]float32{33, 0, 1}); got != before || m.Features() != 3 || m.UnknownOrder ||
		m.Validate() != nil {
		t.Errorf("after: score %v, want %v", got, before)
	}
	plain := stump()
	if err := plain.SetFeatureNames([]string{"a", "b", "c"}); err != nil || plain.Features() != 3 ||
		plain.Score([]float32{0, 3}) != 1 {
		t.Errorf("a model without names: %v", err)
	}
	for want, c := range map[string]struct {
		m     *Model
		names []string
	}{
		`the names do not contain "price", which the model uses`:  {m, []string{"color", "age"}},
		"the number of names is 1; it must be 2, one per feature": {stump(), []string{"a"}},
		"the name of feature 1 is empty":                          {stump(), []string{"a", ""}},
		"features 0 and 1 have the same name, a":                  {stump(), []string{"a", "a"}},
	} {
		t.Run(want, func(t *testing.T) {
			if err := c.m.SetFeatureNames(c.names); err == nil || err.Error() != "lambdamart: "+want {
				t.Errorf("%q: %v, want %s", c.names, err, want)
			}
		})
	}
}

func TestImportance(t *testing.T) {
	m := &Model{NumFeatures: 3, Trees: []Tree{stump().Trees[0], stump().Trees[0], {Leaf: []float64{1}}}}
	gain, splits := m.Importance()
	if !slices.Equal(gain, []float64{0, 8, 0}) || !slices.Equal(splits, []int64{0, 2, 0}) {
		t.Errorf("gains %v, splits %v", gain, splits)
	}
}

func TestJSON(t *testing.T) {
	for name, s := range testkit.Shapes {
		t.Run(name, func(t *testing.T) {
			m := randomModel(rand.New(rand.NewPCG(5, 6)), s)
			m.Best = len(m.Trees) / 2
			m.FeatureNames = make([]string, m.NumFeatures)
			for i := range m.FeatureNames {
				m.FeatureNames[i] = string(rune('a'+i)) + "\"\\\n é\x00"
			}
			m.Settings = map[string]string{"trees": "7", "<\x00é": "\"]}"}
			for i := range m.Trees {
				if i%2 > 0 { // optional fields
					t := &m.Trees[i]
					t.Categories, t.MissingLeft, t.ZeroMissing, t.Gain = nil, nil, nil, nil
					t.Weight, t.Count, t.LeafWeight, t.LeafCount = nil, nil, nil, nil
				}
			}
			text, err := m.MarshalJSON()
			if err != nil {
				t.Fatal(err)
			}
			got := &Model{}
			if err := got.UnmarshalJSON(text); err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, m) {
				t.Errorf("read back %+v, want %+v", got, m)
			}
		})
	}
}

func TestJSONText(t *testing.T) {
	text, err := stump().MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"format":"simdrank-lambdamart","version":1,"features":2,"bias":0,"trees":[
{"feature":[1],"threshold":[2],"left":[-1],"right":[-2],"gain":[4],"leaf":[-1,1]}]}
`
	if string(text) != want {
		t.Errorf("%s, want %s", text, want)
	}
	// Optional fields may be empty.
	var empty Model
	err = empty.UnmarshalJSON([]byte(strings.Replace(want, `"gain":[4]`, `"gain":[],"weight":[],"count":[],`+
		`"leaf_weight":[],"leaf_count":[],"categories":[],"missing_left":[],"zero_missing":[]`, 1)))
	if err != nil || empty.Score([]float32{0, 3}) != 1 {
		t.Errorf("empty arrays: %v", err)
	}
	for _, c := range [][3]string{
		{`"version":1`, `"version":2`, "version 2 of simdrank-lambdamart is not supported; this release reads version 1"},
		{`"version":1`, `"version":"x"`, `version: "x" is not a whole number`},
		{`"features":2`, `"features":-2`, `features: "-2" is not a whole number`},
		{`"features":2,`, ``, `the field "features" is missing`},
		{`"features":2`, `"features":1e3`, `features: "1e3" is not a whole number`},
		{`"features":2`, `"features":2,"speed":3`, `unknown field "speed"`},
		{`"features":2`, `"features":2,"unknown_zeros":1`, "unknown_zeros: found the number 1, expected true or false"},
		{`"features":2`, `"features":2,"missing_features":[0,2]`,
			`element 1 of missing_features: "2" is not a whole number from 0 to 1`},
		{`"features":2`, `"features":2,"missing_features":[true]`,
			"missing_features[0]: found true, expected a number"},
		{`"features":2`, `"features":2,"settings":[]`, "settings: found an array, expected an object"},
		{`"features":2`, `"features":2,"settings":{"a":"b","trees":2}`,
			"settings.trees: found the number 2, expected a string"},
		{`"features":2`, `"features":2,"features":3`, `"features" appears twice`},
		{`"bias":0`, `"bias":[0]`, "bias: found an array, expected a number"},
		{`"bias":0`, `"bias":1e999`, "bias is +Inf"},
		{`"feature":[1]`, `"feature":[null]`, "trees[0].feature[0]: found null, expected a number"},
		{`"feature":[1]`, `"feature":[1.5]`, `element 0 of trees[0].feature: "1.5" is not a whole number`},
		{`"feature":[1]`, `"feature":1`, "trees[0].feature: found the number 1, expected an array of numbers"},
		{`"threshold":[2]`, `"threshold":[NaN]`, "threshold is NaN"},
		{`"threshold":[2]`, `"threshold":[]`, "the number of thresholds is 0"},
		{`"left":[-1]`, `"left":[0]`, "split 0 is reached by two paths"},
		{`"gain":[4]`, `"gains":[4]`, `trees[0]: unknown field "gains"`},
		{`"leaf":[-1,1]`, `"leaf":[-1,1,]`, `found "]}]}\n", expected a value`},
		{`"leaf":[-1,1]`, `"leaf":[-1,01]`, `byte`},
		{`]}]}`, `]}`, "the file ends too early: expected ']'"},
		{`]}]}`, `]}]}x`, `"x\n" after the end`},
		{`"simdrank-lambdamart"`, `"simdrank-linear"`, `format is "simdrank-linear"; it must be "simdrank-lambdamart"`},
		{want, `{"a`, "the file ends within a string"},
		{want, strings.Repeat(`{"a":`, 1100), "nested more than 1024 deep"},
	} {
		t.Run(strings.Join(c[:], " "), func(t *testing.T) {
			text := strings.Replace(want, c[0], c[1], 1)
			m := Model{Best: 1}
			err := m.UnmarshalJSON([]byte(text))
			if err == nil || !strings.HasPrefix(err.Error(), "lambdamart: ") || !strings.Contains(err.Error(), c[2]) {
				t.Errorf("%s for %s: %v, want %s", c[1], c[0], err, c[2])
			}
			if !reflect.DeepEqual(m, Model{Best: 1}) {
				t.Errorf("%s for %s: the model was changed", c[1], c[0])
			}
		})
	}
}

// All models handle data of other shapes alike.
func TestScoringContract(t *testing.T) {
	trees := stump()
	scorer, err := trees.Scorer()
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range []rank.Model{&rank.Linear{Weights: []float64{1, 10}}, trees, scorer} {
		t.Run(fmt.Sprintf("%T", m), func(t *testing.T) {
			if m.Features() != 2 {
				t.Errorf("%T: %d features, want 2", m, m.Features())
			}
			score := func(d *rank.Dataset) []float64 {
				t.Helper()
				dst := make([]float64, d.Rows())
				if err := m.ScoreInto(t.Context(), dst, d); err != nil {
					t.Errorf("%T: %v", m, err)
				}
				return dst
			}
			rows := [][]float32{{1, 2, 7}, {-3, 4, 8}, {0.5, 0, 9}}
			wide, narrow := rank.NewDataset(3, 3), rank.NewDataset(3, 1)
			for i, x := range rows {
				copy(wide.Row(i), x)
				copy(narrow.Row(i), x)
			}
			bare := &rank.Dataset{X: wide.X, Cols: 2, Stride: wide.Stride} // neither labels nor queries
			if bare.Rows() != 3 {
				t.Fatalf("%d rows, want 3", bare.Rows())
			}
			for _, d := range []*rank.Dataset{bare, wide.WithColumns(2)} {
				for i, got := range score(d) {
					if want := m.Score(rows[i]); got != want || want != m.Score(rows[i][:2]) {
						t.Errorf("%T: row %d: %v, want %v", m, i, got, want)
					}
				}
			}
			for i, got := range score(narrow) { // features that it lacks are 0
				if want := m.Score([]float32{rows[i][0], 0}); got != want || want != m.Score(rows[i][:1]) {
					t.Errorf("%T: row %d of one column: %v, want %v", m, i, got, want)
				}
			}
			canceled, cancel := context.WithCancel(t.Context())
			cancel()
			bad := *bare
			bad.X = bad.X[1:]
			for _, c := range []struct {
				ctx    context.Context
				d      *rank.Dataset
				places int
				want   string
			}{
				{t.Context(), wide, 3, "rank: the data has 3 columns, but the number of model features is 2"},
				{t.Context(), bare, 2, "the length of dst is 2; it must be 3, one per document"},
				{t.Context(), &bad, 2, "rank: the number of values in X is 47"},
				{canceled, bare, 3, "context canceled"},
			} {
				t.Run(c.want, func(t *testing.T) {
					err := m.ScoreInto(c.ctx, make([]float64, c.places), c.d)
					if err == nil || !strings.Contains(err.Error(), c.want) {
						t.Errorf("%T: error %v, want %q", m, err, c.want)
					}
				})
			}
		})
	}
}

func TestUsedFeatures(t *testing.T) {
	m := &Model{NumFeatures: 9, FeatureNames: strings.Split("abcdefghi", ""),
		MissingFeatures: []bool{false, true, false, true, false, true, false, true, false},
		Categories:      [][]string{8: {"x"}, 2: {"red", "blue"}},
		Trees: []Tree{{Feature: []int32{7, 2}, Threshold: []float32{1, 2}, Left: []int32{1, -1}, Right: []int32{-2, -3},
			Leaf: []float64{1, 2, 3}}, {Leaf: []float64{4}}}}
	few, features := m.UsedFeatures()
	if err := few.Validate(); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(features, []int32{2, 7}) || few.NumFeatures != 2 ||
		!slices.Equal(few.FeatureNames, []string{"c", "h"}) ||
		!slices.Equal(few.MissingFeatures, []bool{false, true}) ||
		!reflect.DeepEqual(few.Categories, [][]string{{"red", "blue"}, nil}) ||
		!slices.Equal(few.Trees[0].Feature, []int32{1, 0}) {
		t.Errorf("features %v, %+v", features, few)
	}
	if !slices.Equal(m.Trees[0].Feature, []int32{7, 2}) {
		t.Error("the model was changed")
	}
	if few, _ := (&Model{NumFeatures: 3}).UsedFeatures(); few.NumFeatures != 0 || few.FeatureNames != nil ||
		few.MissingFeatures != nil {
		t.Errorf("without trees: %+v", few)
	}
}
