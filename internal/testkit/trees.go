package testkit

import (
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/internal/text"
)

// A Tree has the fields of a tree of package lambdamart and can be converted to it. Tests of models
// share such trees, but cannot import each other's.
type Tree struct {
	Feature     []int32
	Threshold   []float32
	Categories  [][]uint32
	MissingLeft []bool
	ZeroMissing []bool
	Left, Right []int32
	Gain        []float64
	Weight      []float64
	Count       []int64

	Leaf       []float64
	LeafWeight []float64
	LeafCount  []int64
}

// A Shape describes random trees: their sizes, and whether splits send missing values left, treat
// zeros as missing, or test categories.
type Shape struct {
	Features, Trees, Leaves   int
	Missing, Zero, Categories bool
}

// Shapes are shapes that scoring and model formats must support.
var Shapes = map[string]Shape{
	"stumps":      {5, 40, 2, true, true, true},
	"leaves":      {5, 3, 1, false, false, false},
	"plain":       {7, 20, 31, false, false, false},
	"missing":     {20, 20, 31, true, false, false},
	"zero":        {20, 20, 32, true, true, false},
	"categories":  {20, 20, 33, true, true, true},
	"64 leaves":   {30, 9, 64, true, true, true},
	"65 leaves":   {30, 9, 65, true, true, true},
	"300 leaves":  {136, 5, 300, true, true, true},
	"1100 leaves": {40, 2, 1100, true, false, true},
	"5000 leaves": {40, 2, 5000, true, false, false}, // too large for a forest
	"far apart":   {2000, 3, 20, true, true, true},
	"no trees":    {3, 0, 1, false, false, false},
	"no features": {0, 2, 1, false, false, false},
}

// RandomTree returns a tree whose thresholds are small integers and halves, so that the values of
// synth.TreeRows equal some of them.
func RandomTree(rng *rand.Rand, s Shape) Tree {
	splits := s.Leaves - 1
	t := Tree{
		Feature: make([]int32, splits), Threshold: make([]float32, splits), Left: make([]int32, splits),
		Right:       make([]int32, splits),
		MissingLeft: make([]bool, splits), ZeroMissing: make([]bool, splits), Leaf: make([]float64, s.Leaves),
		Gain: make([]float64, splits), Weight: make([]float64, splits), Count: make([]int64, splits),
		LeafWeight: make([]float64, s.Leaves), LeafCount: make([]int64, s.Leaves),
	}
	if s.Categories {
		t.Categories = make([][]uint32, splits)
	}
	// As trees grow: a leaf becomes a split, which keeps the leaf's number for its left child.
	place := []*int32{nil}
	for n := range splits {
		leaf := rng.IntN(n + 1)
		if place[leaf] != nil {
			*place[leaf] = int32(n)
		}
		t.Left[n], t.Right[n] = int32(^leaf), int32(^(n + 1))
		place[leaf] = &t.Left[n]
		place = append(place, &t.Right[n])
		t.Feature[n] = int32(rng.IntN(s.Features))
		t.Threshold[n] = float32(rng.IntN(13)-6) / 2
		if rng.IntN(40) == 0 {
			t.Threshold[n] = []float32{inf32, -inf32, math.MaxFloat32, math.SmallestNonzeroFloat32, 1e-35}[rng.IntN(5)]
		}
		t.MissingLeft[n] = s.Missing && rng.IntN(2) == 0
		t.ZeroMissing[n] = s.Zero && rng.IntN(2) == 0
		if s.Categories && rng.IntN(3) == 0 {
			t.Threshold[n], t.Categories[n] = 0, []uint32{rng.Uint32(), rng.Uint32()}[:rng.IntN(3)]
			t.MissingLeft[n], t.ZeroMissing[n] = false, false
		}
		t.Gain[n] = float64(rng.IntN(100))
	}
	for l := range t.Leaf {
		t.Leaf[l] = rng.Float64() - .5
		t.LeafCount[l] = int64(1 + rng.IntN(50))
		t.LeafWeight[l] = float64(t.LeafCount[l]) / 4
	}
	t.SumLeaves()
	return t
}

// SumLeaves sets the weights and counts of splits to the sums over the leaves below.
func (t *Tree) SumLeaves() {
	var sum func(node int32) (float64, int64)
	sum = func(node int32) (float64, int64) {
		if node < 0 {
			if t.LeafCount == nil {
				return t.LeafWeight[^node], 0
			}
			return t.LeafWeight[^node], t.LeafCount[^node]
		}
		w, n := sum(t.Left[node])
		v, k := sum(t.Right[node])
		if t.Weight[node] = w + v; t.Count != nil {
			t.Count[node] = n + k
		}
		return w + v, n + k
	}
	if len(t.Feature) > 0 {
		sum(0)
	}
}

var inf32 = float32(math.Inf(1))

// ReadNumbers reads lines of numbers.
func ReadNumbers(t *testing.T, path string) [][]float64 {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var rows [][]float64
	for line := range strings.Lines(string(content)) {
		var row []float64
		for _, s := range strings.Fields(line) {
			v, err := text.ParseNumber(s, 64)
			if err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			row = append(row, v)
		}
		rows = append(rows, row)
	}
	return rows
}
