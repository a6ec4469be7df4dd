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

	// Mixed is set for trees that use everything that scoring supports, although some model formats
	// do not: category sets of all sizes and thresholds, and features whose missing values go
	// right, go left, go to a side that depends on the threshold, or go to random sides.
	Mixed bool
}

// Shapes are shapes that scoring and model formats must support.
var Shapes = map[string]Shape{
	"stumps":      {Features: 5, Trees: 40, Leaves: 2, Missing: true, Zero: true, Categories: true},
	"leaves":      {Features: 5, Trees: 3, Leaves: 1},
	"plain":       {Features: 7, Trees: 20, Leaves: 31},
	"missing":     {Features: 20, Trees: 20, Leaves: 31, Missing: true},
	"zero":        {Features: 20, Trees: 20, Leaves: 32, Missing: true, Zero: true},
	"categories":  {Features: 20, Trees: 20, Leaves: 33, Missing: true, Zero: true, Categories: true},
	"64 leaves":   {Features: 30, Trees: 9, Leaves: 64, Missing: true, Zero: true, Categories: true},
	"65 leaves":   {Features: 30, Trees: 9, Leaves: 65, Missing: true, Zero: true, Categories: true},
	"300 leaves":  {Features: 136, Trees: 5, Leaves: 300, Missing: true, Zero: true, Categories: true},
	"1100 leaves": {Features: 40, Trees: 2, Leaves: 1100, Missing: true, Categories: true},
	"5000 leaves": {Features: 40, Trees: 2, Leaves: 5000, Missing: true}, // too large for a forest
	"far apart":   {Features: 2000, Trees: 3, Leaves: 20, Missing: true, Zero: true, Categories: true},
	"no trees":    {Features: 3, Trees: 0, Leaves: 1},
	"no features": {Features: 0, Trees: 2, Leaves: 1},
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
		if s.Mixed {
			t.mix(rng, n)
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

// mix changes split n as [Shape].Mixed describes.
func (t *Tree) mix(rng *rand.Rand, n int) {
	feature := t.Feature[n]
	if t.Categories == nil || t.Categories[n] == nil {
		switch feature % 4 {
		case 0:
			t.MissingLeft[n] = false
		case 1:
			t.MissingLeft[n] = float32(feature%11-5)/2 <= t.Threshold[n]
		case 2:
			t.MissingLeft[n] = true
		}
		t.ZeroMissing[n] = feature%3 == 0 || feature%3 == 1 && t.ZeroMissing[n]
		return
	}
	if rng.IntN(4) > 0 {
		t.Threshold[n] = math.Nextafter32(-1, 0)
	} else if rng.IntN(4) == 0 {
		t.Threshold[n] = []float32{-.25, .5, 2.5, -inf32, inf32}[rng.IntN(5)]
	}
	t.MissingLeft[n], t.ZeroMissing[n] = rng.IntN(4) == 0, rng.IntN(4) == 0
	set := make([]uint32, 1+rng.IntN(3)) // dense
	for i := range set {
		set[i] = rng.Uint32()
	}
	switch rng.IntN(4) {
	case 0:
		set[0], set = 1<<rng.IntN(3), set[:1] // one of few sets
	case 1:
		set = make([]uint32, 1+rng.IntN(60)) // sparse
		set[rng.IntN(len(set))] = 1 << rng.IntN(32)
	}
	t.Categories[n] = set
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
