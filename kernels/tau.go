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
	X, Y       Ties
}

// Ties are the counts of the runs of t equal values in a sorted column.
type Ties struct {
	Distinct int64   // runs
	Pairs    int64   // Σ t(t−1)/2
	Triples  float64 // Σ t(t−1)(t−2)/6: the float64 nearest to the exact number
}

// A TauCounter counts concordant and discordant pairs in O(n log n) operations on any input, and
// keeps its memory for the next call: 24 bytes per value or, for long columns, about 12. Many ties
// of values that are neither integers nor float32 take up to 13 more. The zero value is ready. It
// is not safe for concurrent use.
type TauCounter struct {
	Threads int // goroutines for long columns; 0 or less means GOMAXPROCS

	// Progress, unless it is nil, is called now and then with how much of a call on long columns is
	// done, and of how much. Several goroutines may call it at once. A call that has to count
	// twice, for too many values share keys, begins anew.
	Progress func(done, total int64)

	counter order.TauCounter
}

// CountTau counts the pairs of x and y. It reports false, and no counts, if one holds a NaN. −0
// equals +0, and infinities of a sign equal each other. x and y may overlap in any way. The counts
// are exact, whatever the number of threads.
//
// It panics if the lengths differ or are more than 2³¹−1, and if c is nil.
func CountTau[X, Y Real](c *TauCounter, x []X, y []Y) (counts PairCounts, noNaN bool) {
	if len(x) != len(y) {
		panic(kern.Lengths("kernels: CountTau: len(x) and len(y) differ", len(x), len(y)))
	}
	exact, noNaN := order.CountTau(c.checked("kernels: CountTau", len(x)), x, y)
	return PairCounts{exact.Discordant, exact.TiedBoth, ties(exact.X), ties(exact.Y)}, noNaN
}

// checked returns the counter with the options of c. It panics if there is none, or if the indices
// of n values need more than 31 bits.
func (c *TauCounter) checked(name string, n int) *order.TauCounter {
	if c == nil {
		panic(kern.Error(name + ": c is nil"))
	}
	if n > math.MaxInt32 {
		panic(kern.Lengths(name+": len(x) is more than an index can be", n, math.MaxInt32))
	}
	c.counter.Threads, c.counter.Progress = parallel.Threads(c.Threads), c.Progress
	return &c.counter
}

// ties rounds the count of triples.
func ties(t order.Ties) Ties { return Ties{t.Distinct, t.Pairs, t.Triples.Float64()} }
