package rank

import (
	"errors"
	"math"
	"math/bits"
	"sync"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/metrics"
	"github.com/simdrank/simdrank/internal/num"
	"github.com/simdrank/simdrank/internal/order"
	"github.com/simdrank/simdrank/kernels"
)

// ErrNaN is what errors of [KendallTau] and its relatives about a NaN wrap. Those of trainings and
// metrics name the row or the document instead.
var ErrNaN = errors.New("NaN has no rank")

// Kendall holds the counts that Kendall's rank correlation rests on, of N pairs of
// values (x, y). All counts are exact. Every two of the N, N(N−1)/2 in all, are one
// of: concordant, discordant, tied in x, tied in y, tied in both, so that
//
//	N(N−1)/2 = Concordant + Discordant + TiedX + TiedY − TiedBoth
//
// The coefficients are methods. They are NaN where they are undefined: fewer than two
// values, or a column that is constant (TauA alone is then 0).
type Kendall struct {
	N          int64 // pairs of values
	Concordant int64 // P: x and y order the two alike
	Discordant int64 // Q: x and y order the two oppositely
	TiedX      int64 // equal in x, whether or not in y
	TiedY      int64 // equal in y, whether or not in x
	TiedBoth   int64 // equal in x and in y

	distinctX, distinctY int64   // different values
	triplesX, triplesY   float64 // Σt(t−1)(t−2)/6 over the runs of t equal values
}

// KendallTau counts the concordant, discordant and tied pairs of x and y, two
// columns of equal length, in O(n log n) time (after Knight 1966).
//
// Infinities are ordered as numbers are and equal each other; −0 equals +0. A NaN in
// either column is an error that wraps [ErrNaN] and names its index; columns of different lengths
// are an error. Fewer than two values and constant columns are not: see [Kendall].
//
// It is [KendallTauOf] with a workspace from a pool: one goroutine, no allocation once the pool is
// warm.
func KendallTau(x, y []float64) (Kendall, error) { return KendallTauOf(x, y, nil) }

var tauWork = sync.Pool{New: func() any { return &kernels.Work{Threads: 1} }}

// KendallTauOf is [KendallTau] of columns of any real types, such as integer labels and float32
// scores, with the options and the memory of work, which may be nil; the counts do not depend on
// it. With one thread, a call on columns no longer than those before allocates nothing.
func KendallTauOf[X, Y kernels.Real](x []X, y []Y, work *kernels.Work) (Kendall, error) {
	if len(x) != len(y) {
		return Kendall{}, errs.Errorf("rank", "Kendall's tau of %d and %d values", len(x), len(y))
	}
	if work == nil {
		work = tauWork.Get().(*kernels.Work)
		defer tauWork.Put(work)
	}
	counts, noNaN := kernels.CountTau(x, y, work)
	if !noNaN {
		return Kendall{}, nanError(x, y)
	}
	return newKendall(int64(len(x)), counts), nil
}

// nanError names the first NaN.
func nanError[X, Y kernels.Real](x []X, y []Y) error {
	for i := range x {
		if x[i] != x[i] {
			return errs.Errorf("rank", "x[%d]: %w", i, ErrNaN)
		}
		if y[i] != y[i] {
			return errs.Errorf("rank", "y[%d]: %w", i, ErrNaN)
		}
	}
	return nil
}

// newKendall completes the counts of n values.
func newKendall(n int64, c kernels.PairCounts) Kendall {
	k := Kendall{
		N:          n,
		Discordant: c.Discordant,
		TiedX:      c.X.Pairs,
		TiedY:      c.Y.Pairs,
		TiedBoth:   c.TiedBoth,
		distinctX:  c.X.Distinct,
		distinctY:  c.Y.Distinct,
		triplesX:   c.X.Triples,
		triplesY:   c.Y.Triples,
	}
	k.Concordant = k.Pairs() - k.TiedX - k.TiedY + k.TiedBoth - k.Discordant
	return k
}

// Pairs returns N(N−1)/2.
func (k Kendall) Pairs() int64 { return k.N * (k.N - 1) / 2 }

// TauA returns tau-a (Kendall 1938): (P−Q)/n₀ with n₀ = N(N−1)/2.
func (k Kendall) TauA() float64 {
	return float64(k.Concordant-k.Discordant) / float64(k.Pairs())
}

// TauB returns tau-b (Kendall 1945): (P−Q)/√((n₀−n₁)(n₀−n₂)) with n₀ = N(N−1)/2, n₁
// pairs tied in x and n₂ tied in y. It is computed in the order in which
// scipy.stats.kendalltau does, (P−Q)/√(n₀−n₁)/√(n₀−n₂), and limited to [−1, 1].
func (k Kendall) TauB() float64 {
	n0 := k.Pairs()
	return metrics.TauB(k.Concordant-k.Discordant, n0-k.TiedX, n0-k.TiedY)
}

// TauC returns tau-c (Stuart 1953): 2(P−Q)/(N²(m−1)/m) with m the lesser number of
// different values in a column, limited to [−1, 1].
func (k Kendall) TauC() float64 {
	n0 := k.Pairs()
	if n0 == k.TiedX || n0 == k.TiedY {
		return math.NaN()
	}
	m := min(k.distinctX, k.distinctY)
	hi, lo := bits.Mul64(uint64(k.N)*uint64(k.N), uint64(m-1))
	tau := 2 * float64(k.Concordant-k.Discordant) / (order.Uint128{Hi: hi, Lo: lo}.Float64() / float64(m))
	return max(-1, min(1, tau))
}

// Gamma returns gamma (Goodman and Kruskal 1954): (P−Q)/(P+Q). Ties count for nothing.
func (k Kendall) Gamma() float64 {
	return float64(k.Concordant-k.Discordant) / float64(k.Concordant+k.Discordant)
}

// PValue returns the two-sided p-value of the hypothesis that x and y are not associated, which all
// coefficients here share. Without ties and with N ≤ 33, or at most one pair out of order, it is
// exact (Kendall 1970, Rank Correlation Methods, 4th edition); otherwise it is that of the normal
// distribution with the variance corrected for ties (Noether 1967). These are the choices of
// scipy.stats.kendalltau.
func (k Kendall) PValue() float64 {
	n0 := k.Pairs()
	if n0 == k.TiedX || n0 == k.TiedY {
		return math.NaN()
	}
	if c := min(k.Concordant, k.Discordant); k.TiedX == 0 && k.TiedY == 0 && (k.N <= 33 || c <= 1) {
		return num.InversionTails(int(k.N), int(c))
	}
	n := float64(k.N)
	m := float64(n * (n - 1))
	// Over the runs of t equal values: Σt(t−1), Σt(t−1)(t−2), Σt(t−1)(2t+5).
	x1, y1 := float64(2*float64(k.TiedX)), float64(2*float64(k.TiedY))
	x2, y2 := float64(6*k.triplesX), float64(6*k.triplesY)
	x3, y3 := float64(2*x2)+float64(9*x1), float64(2*y2)+float64(9*y1)
	variance := (float64(m*(2*n+5))-x3-y3)/18 + float64(x1*y1)/(2*m) + float64(x2*y2)/(9*m*(n-2))
	z := float64(k.Concordant-k.Discordant) / math.Sqrt(variance)
	return num.NormalTails(z)
}
