package model

import (
	"io"
	"math"
	"math/rand/v2"

	"github.com/simdrank/simdrank/internal/testkit"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

var (
	nan32 = float32(math.NaN())
	inf32 = float32(math.Inf(1))
)

// read reads boosted trees.
func read(r io.Reader) (*lambdamart.Model, error) { return Trees(Read(r)) }

// loadTrees reads boosted trees from a file.
func loadTrees(path string) (*lambdamart.Model, error) { return Trees(Load(path)) }

// A shape says what random trees may have.
type shape struct {
	features, trees, leaves   int
	missing, zero, categories bool
}

// randomModel returns a model of random trees.
func randomModel(rng *rand.Rand, s shape) *lambdamart.Model {
	m := &lambdamart.Model{NumFeatures: s.features, Bias: rng.Float64(), Trees: make([]lambdamart.Tree, s.trees)}
	for i := range m.Trees {
		m.Trees[i] = lambdamart.Tree(testkit.RandomTree(rng, s.features, s.leaves, s.missing, s.zero, s.categories))
	}
	return m
}

var shapes = map[string]shape{
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
