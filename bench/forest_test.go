package bench

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/simdrank/simdrank/internal/trees"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

// forestTree returns a random tree of the shape that growing the best leaf gives. Features are
// uniform in [0, 1).
func forestTree(rng *rand.Rand, features, leaves int) lambdamart.Tree {
	t := lambdamart.Tree{Leaf: make([]float64, leaves)}
	place := []*int32{nil}
	t.Left, t.Right = make([]int32, leaves-1), make([]int32, leaves-1)
	for n := range leaves - 1 {
		leaf := rng.IntN(n + 1)
		if place[leaf] != nil {
			*place[leaf] = int32(n)
		}
		t.Left[n], t.Right[n] = int32(^leaf), int32(^(n + 1))
		place[leaf] = &t.Left[n]
		place = append(place, &t.Right[n])
		t.Feature = append(t.Feature, int32(rng.IntN(features)))
		t.Threshold = append(t.Threshold, .2+.6*rng.Float32())
	}
	for l := range t.Leaf {
		t.Leaf[l] = rng.Float64() - .5
	}
	return t
}

// BenchmarkForest scores documents of 136 features by 100 trees, on one thread: with the keys and
// the additions of the kernels ForestKeysF32 and ForestAddF64, and tree by tree through
// Model.Score.
func BenchmarkForest(b *testing.B) {
	const rows, features = 10_000, 136
	rng := rand.New(rand.NewPCG(1, 1))
	d := rank.NewDataset(rows, features)
	d.Offsets, d.QueryIDs = []int{0, rows}, []string{"1"}
	for i := range rows {
		for j := range d.Row(i) {
			d.Row(i)[j] = rng.Float32()
		}
	}
	dst := make([]float64, rows)
	for _, c := range []struct{ trees, leaves int }{{100, 8}, {100, 31}, {100, 64}, {100, 128}, {100, 256}, {100, 1024},
		{1000, 31}} {
		m := &lambdamart.Model{NumFeatures: features}
		for range c.trees {
			m.Trees = append(m.Trees, forestTree(rng, features, c.leaves))
		}
		name := fmt.Sprintf("%dx%d", c.trees, c.leaves)
		forTiers(b, name, func(b *testing.B) {
			s, err := m.Scorer()
			if err != nil {
				b.Fatal(err)
			}
			s.Threads = 1
			for b.Loop() {
				if err := s.ScoreInto(b.Context(), dst, d); err != nil {
					b.Fatal(err)
				}
			}
			perUpdate(b, rows, "row")
		})
		b.Run(name+"/walk", func(b *testing.B) {
			for b.Loop() {
				for i := range dst {
					dst[i] = m.Score(d.Row(i))
				}
			}
			perUpdate(b, rows, "row")
		})
	}
}

// BenchmarkForestKeysF32 makes the keys of a block.
func BenchmarkForestKeysF32(b *testing.B) {
	for _, cols := range []int{46, 136} {
		x := make([]float32, trees.ForestRows*144)
		dst := make([]int32, cols*trees.ForestRows)
		forTiers(b, fmt.Sprint(cols), func(b *testing.B) {
			for b.Loop() {
				trees.ForestKeysF32(dst, x, trees.ForestRows, cols, 144)
			}
			perUpdate(b, cols*trees.ForestRows, "key")
		})
	}
}

// BenchmarkContributions explains scores of 100 trees of 31 leaves and 136 features, on one thread.
func BenchmarkContributions(b *testing.B) {
	const rows, features = 64, 136
	rng := rand.New(rand.NewPCG(1, 1))
	m := &lambdamart.Model{NumFeatures: features}
	for range 100 {
		t := forestTree(rng, features, 31)
		t.Weight, t.LeafWeight = make([]float64, 30), make([]float64, 31)
		for i := range t.LeafWeight {
			t.LeafWeight[i] = 1 + rng.Float64()
		}
		for i := range t.Weight {
			t.Weight[i] = 1 + rng.Float64()
		}
		m.Trees = append(m.Trees, t)
	}
	s, err := m.Scorer()
	if err != nil {
		b.Fatal(err)
	}
	s.Threads = 1
	d := rank.NewDataset(rows, features)
	d.Offsets, d.QueryIDs = []int{0, rows}, []string{"1"}
	for i := range d.X {
		d.X[i] = rng.Float32()
	}
	dst := make([]float64, rows*(features+1))
	for b.Loop() {
		if err := s.Contributions(b.Context(), dst, d); err != nil {
			b.Fatal(err)
		}
	}
	perUpdate(b, rows, "row")
}
