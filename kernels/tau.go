package kernels

import (
	"math"

	"github.com/simdrank/simdrank/internal/kern"
	"github.com/simdrank/simdrank/internal/order"
	"github.com/simdrank/simdrank/internal/parallel"
)

// Real is a type whose values are ordered numbers.
type Real interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~float32 | ~float64
}

// PairCounts are the counts of every two of n values (x, y).
type PairCounts struct {
	Discordant int64 // ordered oppositely by x and y
	TiedBoth   int64 // equal in x and in y
	X, Y       TieCounts
}

// TieCounts are the counts of the runs of t equal values in a sorted column.
type TieCounts struct {
	Distinct int64   // runs
	Pairs    int64   // Σ t(t−1)/2
	Triples  float64 // Σ t(t−1)(t−2)/6: the float64 nearest to the exact number
}

// CountTau counts the concordant and discordant pairs of x and y, in O(n log n) operations on any
// input. It reports false, and no counts, if one holds a NaN. −0 equals +0, and infinities of a
// sign equal each other. x and y may overlap in any way. The counts are exact, whatever the number
// of threads.
//
// It panics if the lengths differ or are more than 2³¹−1.
func CountTau[X, Y Real](x []X, y []Y, work *Work) (counts PairCounts, noNaN bool) {
	switch {
	case len(x) != len(y):
		panic(kern.Lengths("kernels: CountTau: len(x) and len(y) differ", len(x), len(y)))
	case len(x) > math.MaxInt32:
		panic(kern.Lengths("kernels: CountTau: len(x) is more than an index can be", len(x), math.MaxInt32))
	}
	work = work.given()
	work.tau.Threads, work.tau.Progress = parallel.Threads(work.Threads), work.Progress
	exact, noNaN := order.CountTau(&work.tau, x, y)
	return PairCounts{exact.Discordant, exact.TiedBoth, ties(exact.X), ties(exact.Y)}, noNaN
}

// ties rounds the count of triples.
func ties(t order.Ties) TieCounts { return TieCounts{t.Distinct, t.Pairs, t.Triples.Float64()} }
