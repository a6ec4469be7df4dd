package kernels

import (
	"math"

	"github.com/simdrank/simdrank/internal/kern"
	"github.com/simdrank/simdrank/internal/order"
	"github.com/simdrank/simdrank/internal/parallel"
)

// Real is a constraint for integer and floating-point types.
type Real interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~float32 | ~float64
}

// PairCounts contains the pair counts of two columns x and y. A pair consists of two rows.
type PairCounts struct {
	Discordant int64 // number of pairs that x and y order differently
	TiedBoth   int64 // number of pairs that are tied in both x and y
	X, Y       TieCounts
}

// TieCounts describes the ties of a column. A run is a group of t equal values.
type TieCounts struct {
	Distinct int64   // number of runs
	Pairs    int64   // Σ t(t−1)/2
	Triples  float64 // Σ t(t−1)(t−2)/6, rounded to float64
}

// CountTau counts the concordant, discordant and tied pairs of x and y, as Kendall's tau requires.
// It runs in O(n log n) time for any input of n values. If x or y contains a NaN, CountTau returns
// false and no counts. −0 equals +0, and infinities of the same sign are tied. x and y may overlap.
// The counts are exact for any number of threads.
//
// It panics if the lengths differ or exceed 2³¹−1.
func CountTau[X, Y Real](x []X, y []Y, work *Work) (counts PairCounts, noNaN bool) {
	switch {
	case len(x) != len(y):
		panic(kern.Lengths("kernels: CountTau: len(x) and len(y) differ: %d and %d", len(x), len(y)))
	case len(x) > math.MaxInt32:
		panic(kern.Lengths("kernels: CountTau: len(x) is %d; the limit is %d", len(x), math.MaxInt32))
	}
	work = work.given()
	work.tau.Threads, work.tau.Progress = parallel.Threads(work.Threads), work.Progress
	exact, noNaN := order.CountTau(&work.tau, x, y)
	return PairCounts{exact.Discordant, exact.TiedBoth, ties(exact.X), ties(exact.Y)}, noNaN
}

// ties converts t to a TieCounts, and rounds the number of triples to float64.
func ties(t order.Ties) TieCounts { return TieCounts{t.Distinct, t.Pairs, t.Triples.Float64()} }
