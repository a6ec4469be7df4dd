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

// randomModel returns a model of random trees.
func randomModel(rng *rand.Rand, s testkit.Shape) *lambdamart.Model {
	m := &lambdamart.Model{NumFeatures: s.Features, Bias: rng.Float64(), Trees: make([]lambdamart.Tree, s.Trees)}
	for i := range m.Trees {
		m.Trees[i] = lambdamart.Tree(testkit.RandomTree(rng, s))
	}
	return m
}
