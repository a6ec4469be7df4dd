package model

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/simdrank/simdrank/internal/testkit"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

// TestRoundTrip writes random models in every format. What is written must be readable with the
// default limits, however large the categories, however deep the trees and however odd the numbers.
// Other tests compare the scores.
func TestRoundTrip(t *testing.T) {
	written := map[string]int{}
	for name, s := range testkit.Shapes {
		t.Run(name, func(t *testing.T) {
			if testing.Short() && s.Leaves > 1000 {
				t.Skip("takes long in emulation")
			}
			rng := rand.New(rand.NewPCG(1, uint64(len(name))))
			for range 2 {
				roundTrip(t, randomModel(rng, s), written)
				roundTrip(t, oddModel(rng, s), written)
			}
		})
	}
	for _, splits := range []int{500, 501, 1500} {
		t.Run(fmt.Sprint(splits, " levels"), func(t *testing.T) {
			m := &lambdamart.Model{NumFeatures: 1, Trees: []lambdamart.Tree{{Leaf: make([]float64, splits+1)}}}
			tree := &m.Trees[0]
			for s := range splits {
				tree.Feature, tree.Threshold = append(tree.Feature, 0), append(tree.Threshold, float32(splits-s))
				tree.Left, tree.Right = append(tree.Left, int32(s+1)), append(tree.Right, int32(^s))
				tree.Leaf[s] = float64(s)
			}
			tree.Left[splits-1] = int32(^splits)
			roundTrip(t, m, written)
		})
	}
	for format := range treeWriters {
		if written[format] < 10 {
			t.Errorf("%s: %d models were written", format, written[format])
		}
	}
}

// oddModel returns a model with odd properties that formats may not support.
func oddModel(rng *rand.Rand, s testkit.Shape) *lambdamart.Model {
	m := randomModel(rng, s)
	some := func(n int) bool { return rng.IntN(n) == 0 }
	if some(2) {
		m.FeatureNames = make([]string, m.NumFeatures)
		for j := range m.FeatureNames {
			m.FeatureNames[j] = fmt.Sprint([]string{"f", "", "Column_", "größe ", "\" \\", "a\n"}[rng.IntN(6)], j)
		}
	}
	if some(3) {
		m.Sigmoid = []float64{1, .5, 1e-300}[rng.IntN(3)]
	}
	if some(4) && len(m.Trees) > 0 {
		m.Average, m.Bias = true, 0
	}
	if some(4) {
		m.SetZeroMissing(some(2))
	}
	m.Best = rng.IntN(len(m.Trees) + 1)
	m.Bias = []float64{m.Bias, 0, 1e-310, -1e30, 1e300}[rng.IntN(5)]
	for i := range m.Trees {
		tree := &m.Trees[i]
		if some(2) {
			tree.Gain, tree.Weight, tree.Count, tree.LeafWeight, tree.LeafCount = nil, nil, nil, nil, nil
		}
		for l := range tree.Leaf {
			if some(100) {
				tree.Leaf[l] = []float64{1e-310, -0., 1e-50, 3e38, math.Copysign(0, -1)}[rng.IntN(5)]
			}
		}
		for k := range tree.Feature {
			if tree.Categories == nil || tree.Categories[k] == nil || !some(3) {
				continue
			}
			set := make([]uint32, []int{1, 20, 1000, 1 << 13}[rng.IntN(4)])
			for range rng.IntN(3) {
				set[rng.IntN(len(set))] |= 1 << rng.IntN(32)
			}
			tree.Categories[k] = set
			if some(2) {
				tree.Threshold[k] = lightgbmLeast
			}
		}
	}
	return m
}

// roundTrip writes a model in every format that supports it, and reads it back.
func roundTrip(t *testing.T, m *lambdamart.Model, written map[string]int) {
	t.Helper()
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	for _, format := range OptionWords("format") {
		t.Run(format, func(t *testing.T) {
			var b bytes.Buffer
			if Write(&b, m, format) != nil {
				return
			}
			written[format]++
			back, err := read(&b)
			if err != nil {
				t.Fatalf("cannot be read back: %v", err)
			}
			if back.NumFeatures > m.NumFeatures || len(back.Trees) < len(m.Trees) {
				t.Errorf("%d features and %d trees, want %d and %d", back.NumFeatures, len(back.Trees), m.NumFeatures,
					len(m.Trees))
			}
		})
	}
}
