package model

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/simdrank/simdrank/rank/lambdamart"
)

// randomTrees returns a model of trees of so many splits, each below a random leaf.
func randomTrees(trees, splits int) *lambdamart.Model {
	r := rand.New(rand.NewPCG(1, 2))
	m := &lambdamart.Model{NumFeatures: 136}
	for range trees {
		t := lambdamart.Tree{Leaf: []float64{r.NormFloat64()}, LeafWeight: []float64{1}, LeafCount: []int64{99}}
		parent := []int32{-1}
		for s := range splits {
			leaf := r.IntN(len(t.Leaf))
			if p := parent[leaf]; p >= 0 && t.Left[p] == ^int32(leaf) {
				t.Left[p] = int32(s)
			} else if p >= 0 {
				t.Right[p] = int32(s)
			}
			parent[leaf] = int32(s)
			parent = append(parent, int32(s))
			t.Feature = append(t.Feature, int32(r.IntN(136)))
			t.Threshold = append(t.Threshold, r.Float32())
			t.MissingLeft = append(t.MissingLeft, s%2 == 0)
			t.ZeroMissing = append(t.ZeroMissing, false)
			t.Left, t.Right = append(t.Left, ^int32(leaf)), append(t.Right, ^int32(len(t.Leaf)))
			t.Gain, t.Weight, t.Count = append(t.Gain, r.ExpFloat64()), append(t.Weight, 7.5), append(t.Count, 1234)
			t.Leaf, t.LeafWeight = append(t.Leaf, r.NormFloat64()), append(t.LeafWeight, 3.5)
			t.LeafCount = append(t.LeafCount, 321)
		}
		m.Trees = append(m.Trees, t)
	}
	return m
}

func BenchmarkRead(b *testing.B) {
	m := randomTrees(200, 62)
	for _, format := range []string{
		"json", "lightgbm", "lightgbm-dump", "xgboost", "xgboost-ubj", "xgboost-dump", "ranklib", "solr",
	} {
		b.Run(format, func(b *testing.B) {
			var text bytes.Buffer
			if err := Write(&text, m, format); err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(text.Len()))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Read(bytes.NewReader(text.Bytes())); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
