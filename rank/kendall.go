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

// ErrNaN is the error that [KendallTau] and related functions wrap if a value is NaN. Errors of
// training and metrics name the row or the document instead.
var ErrNaN = errors.New("NaN cannot be ranked")

// Kendall contains the exact counts on which Kendall's rank correlation is based, for N pairs of
// values (x, y). Each of the N(N−1)/2 pairs of observations is concordant, discordant, tied in x,
// tied in y or tied in both, so that
//
//	N(N−1)/2 = Concordant + Discordant + TiedX + TiedY − TiedBoth
//
// The coefficients are methods. They are NaN if they are undefined: if there are fewer than two
// values or if a column is constant. As an exception, TauA is 0 if a column is constant.
type Kendall struct {
	N          int64 // number of pairs of values
	Concordant int64 // P: pairs that x and y order in the same way
	Discordant int64 // Q: pairs that x and y order in opposite ways
	TiedX      int64 // pairs that are equal in x
	TiedY      int64 // pairs that are equal in y
	TiedBoth   int64 // pairs that are equal in x and in y

	distinctX, distinctY int64   // number of distinct values
	triplesX, triplesY   float64 // Σt(t−1)(t−2)/6, where t is the length of each run of equal values
}

// KendallTau counts the concordant, discordant and tied pairs of two columns, x and y, of equal
// length. It runs in O(n log n) time (after Knight 1966).
//
// Infinities are ordered like other numbers, and −0 equals +0. KendallTau returns an error if the
// columns differ in length. If a column contains NaN, it returns an error that wraps [ErrNaN] and
// names the index. Fewer than two values or a constant column are not errors; see [Kendall].
//
// KendallTau is like [KendallTauOf] but uses one goroutine and a pooled workspace. Once the pool is
// warm, it does not allocate.
func KendallTau(x, y []float64) (Kendall, error) { return KendallTauOf(x, y, nil) }

var tauWork = sync.Pool{New: func() any { return &kernels.Work{Threads: 1} }}

// KendallTauOf is like [KendallTau] but accepts columns of any real types, for example integer
// labels and float32 scores. It uses the options and the memory of work, which may be nil. The
// counts do not depend on work. With one thread, a call does not allocate if earlier columns were
// at least as long.
func KendallTauOf[X, Y kernels.Real](x []X, y []Y, work *kernels.Work) (Kendall, error) {
	if len(x) != len(y) {
		return Kendall{}, errs.Errorf("rank", "the columns for Kendall's tau differ in length: %d and %d values", len(x), len(y))
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

// nanError returns an error that names the first NaN.
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

// newKendall derives the fields of Kendall from the pair counts of n values.
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

// Pairs returns the number of pairs of observations, N(N−1)/2.
func (k Kendall) Pairs() int64 { return k.N * (k.N - 1) / 2 }

// TauA returns tau-a (Kendall 1938): (P−Q)/n₀ with n₀ = N(N−1)/2.
func (k Kendall) TauA() float64 {
	return float64(k.Concordant-k.Discordant) / float64(k.Pairs())
}

// TauB returns tau-b (Kendall 1945): (P−Q)/√((n₀−n₁)(n₀−n₂)) with n₀ = N(N−1)/2, n₁ pairs tied in x
// and n₂ pairs tied in y. It uses the order of operations of scipy.stats.kendalltau,
// (P−Q)/√(n₀−n₁)/√(n₀−n₂), and clamps the result to [−1, 1].
func (k Kendall) TauB() float64 {
	n0 := k.Pairs()
	return metrics.TauB(k.Concordant-k.Discordant, n0-k.TiedX, n0-k.TiedY)
}

// TauC returns tau-c (Stuart 1953): 2(P−Q)/(N²(m−1)/m), where m is the smaller of the two columns'
// numbers of distinct values. It clamps the result to [−1, 1].
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

// Gamma returns gamma (Goodman and Kruskal 1954): (P−Q)/(P+Q). Ties are ignored.
func (k Kendall) Gamma() float64 {
	return float64(k.Concordant-k.Discordant) / float64(k.Concordant+k.Discordant)
}

// PValue returns the two-sided p-value of the hypothesis that x and y are not associated. All
// coefficients share it. Without ties it is exact if N ≤ 33 or if at most one pair is out of order
// (Kendall 1970, Rank Correlation Methods, 4th edition). Otherwise it uses the normal approximation
// with a variance that is corrected for ties (Noether 1967). scipy.stats.kendalltau makes the same
// choices.
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
	// The following variables are sums over runs of t equal values: x1 of t(t−1), x2 of
	// t(t−1)(t−2), and x3 of t(t−1)(2t+5). y1, y2 and y3 are the same sums for y.
	x1, y1 := float64(2*float64(k.TiedX)), float64(2*float64(k.TiedY))
	x2, y2 := float64(6*k.triplesX), float64(6*k.triplesY)
	x3, y3 := float64(2*x2)+float64(9*x1), float64(2*y2)+float64(9*y1)
	variance := (float64(m*(2*n+5))-x3-y3)/18 + float64(x1*y1)/(2*m) + float64(x2*y2)/(9*m*(n-2))
	z := float64(k.Concordant-k.Discordant) / math.Sqrt(variance)
	return num.NormalTails(z)
}
