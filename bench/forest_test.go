package bench

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/simdrank/simdrank/internal/trees"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/explain"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

// forestTree returns a random tree with the shape of a tree that is grown leaf-wise. Features are
// uniform in [0, 1). Thresholds are the boundaries of 254 bins, so trees share many thresholds.
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
		t.Threshold = append(t.Threshold, float32(50+rng.IntN(154))/254)
	}
	for l := range t.Leaf {
		t.Leaf[l] = rng.Float64() - .5
	}
	return t
}

// BenchmarkForest scores documents with 136 features on one thread: with the kernels
// ForestColumnsF32, ForestTestsF32, ForestSelect and ForestAddF64, and tree by tree with
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
		{500, 31}, {1000, 31}, {1000, 64}} {
		m := &lambdamart.Model{NumFeatures: features}
		for range c.trees {
			m.Trees = append(m.Trees, forestTree(rng, features, c.leaves))
		}
		name := fmt.Sprintf("%dx%d", c.trees, c.leaves)
		benchTiers(b, name, func(b *testing.B) {
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

// BenchmarkForestColumnsF32 copies the columns of a block.
func BenchmarkForestColumnsF32(b *testing.B) {
	for _, cols := range []int{46, 136} {
		x := make([]float32, trees.ForestRows*144)
		dst := make([]float32, cols*trees.ForestRows)
		benchTiers(b, fmt.Sprint(cols), func(b *testing.B) {
			for b.Loop() {
				trees.ForestColumnsF32(dst, x, trees.ForestRows, cols, 144)
			}
			perUpdate(b, len(dst), "value")
		})
	}
}

// BenchmarkForestTestsF32 tests the values of a feature.
func BenchmarkForestTestsF32(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	values := make([]float32, trees.ForestRows)
	for i := range values {
		values[i] = rng.Float32()
	}
	for _, n := range []int{5, 20, 100, 250} {
		thresholds := make([]float32, n)
		for i := range thresholds {
			thresholds[i] = float32(i) / float32(n)
		}
		dst := make([]uint64, n*trees.ForestWords)
		benchTiers(b, fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				trees.ForestTestsF32(dst, values, thresholds)
			}
			perUpdate(b, len(values), "value")
		})
	}
}

// BenchmarkForestTranspose transposes the bits of 1024 categorical splits.
func BenchmarkForestTranspose(b *testing.B) {
	const splits = 1024
	rows := make([]uint64, splits*trees.ForestWords)
	benchTiers(b, fmt.Sprint(splits), func(b *testing.B) {
		for b.Loop() {
			trees.ForestTranspose(rows, trees.ForestWords)
		}
		perUpdate(b, splits*trees.ForestRows, "bit")
	})
}

// BenchmarkForestSelect computes the planes of 32 trees with 31 leaves. Each takes about 55
// operations, and an operation depends on the eighth operation before it.
func BenchmarkForestSelect(b *testing.B) {
	const tests, ops = 3000, 32 * 55
	rng := rand.New(rand.NewPCG(1, 1))
	rows := make([]uint64, (tests+16)*trees.ForestWords)
	var list []uint32
	for i := range ops {
		lane := tests + i%8
		list = append(list, uint32(lane*trees.ForestWords), uint32(rng.IntN(tests)*trees.ForestWords),
			uint32(lane*trees.ForestWords), uint32((tests+8+i%8)*trees.ForestWords))
	}
	benchTiers(b, "32x31", func(b *testing.B) {
		for b.Loop() {
			trees.ForestSelect(rows, list)
		}
		perUpdate(b, ops, "operation")
	})
}

// BenchmarkForestAddF64 adds the leaf values of 32 trees.
func BenchmarkForestAddF64(b *testing.B) {
	for _, n := range []uint8{5, 6, 8} {
		list := slices.Repeat([]uint8{n}, 32)
		planes := make([]uint64, 32*int(n)*trees.ForestWords)
		leaves, scores := make([]float64, 32<<n), make([]float64, trees.ForestRows)
		benchTiers(b, fmt.Sprint(1<<n), func(b *testing.B) {
			for b.Loop() {
				trees.ForestAddF64(scores, planes, list, leaves)
			}
			perUpdate(b, 32*len(scores), "leaf")
		})
	}
}

// BenchmarkContributions explains scores of 100 trees with 31 leaves and 136 features on one
// thread.
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
	e, err := explain.New(m)
	if err != nil {
		b.Fatal(err)
	}
	e.Threads = 1
	d := rank.NewDataset(rows, features)
	d.Offsets, d.QueryIDs = []int{0, rows}, []string{"1"}
	for i := range d.X {
		d.X[i] = rng.Float32()
	}
	dst := make([]float64, rows*(features+1))
	for b.Loop() {
		if err := e.ContributionsInto(b.Context(), dst, d); err != nil {
			b.Fatal(err)
		}
	}
	perUpdate(b, rows, "row")
}
