package rank

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/simdrank/simdrank/kernels"
)

// ErrNaN is what errors about NaN in the input wrap.
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
	DistinctX  int64 // different values of x
	DistinctY  int64 // different values of y

	triplesX, triplesY uint128 // Σ t(t−1)(t−2)/6 over the runs of t equal values
}

// KendallTau counts the concordant, discordant and tied pairs of x and y, two
// columns of equal length, in O(n log n) time (Knight 1966).
//
// Infinities are ordered as numbers are and equal each other; −0 equals +0. A NaN in
// either column is an error that wraps [ErrNaN] and names its index; columns of different lengths
// are an error. Fewer than two values and constant columns are not: see [Kendall].
func KendallTau(x, y []float64) (Kendall, error) {
	if len(x) != len(y) {
		return Kendall{}, fmt.Errorf("rank: Kendall's tau of %d and %d values", len(x), len(y))
	}
	type pair struct{ x, y float64 }
	pairs := make([]pair, len(x))
	for i := range x {
		if math.IsNaN(x[i]) {
			return Kendall{}, fmt.Errorf("rank: x[%d]: %w", i, ErrNaN)
		}
		if math.IsNaN(y[i]) {
			return Kendall{}, fmt.Errorf("rank: y[%d]: %w", i, ErrNaN)
		}
		pairs[i] = pair{x[i], y[i]}
	}
	slices.SortFunc(pairs, func(a, b pair) int {
		if c := cmp.Compare(a.x, b.x); c != 0 {
			return c
		}
		return cmp.Compare(a.y, b.y)
	})
	var tx, ty, both ties
	ys := make([]float64, len(x))
	for i, p := range pairs {
		tx.next(i > 0 && p.x == pairs[i-1].x)
		both.next(i > 0 && p == pairs[i-1])
		ys[i] = p.y
	}
	discordant := kernels.MergeCount(ys, make([]float64, len(x)))
	for i := range ys {
		ty.next(i > 0 && ys[i] == ys[i-1])
	}
	return newKendall(int64(len(x)), discordant, tx, ty, both.pairs), nil
}

// newKendall completes the counts of n values.
func newKendall(n int64, discordant int64, tx, ty ties, both int64) Kendall {
	k := Kendall{
		N:          n,
		Discordant: discordant,
		TiedX:      tx.pairs,
		TiedY:      ty.pairs,
		TiedBoth:   both,
		DistinctX:  tx.distinct,
		DistinctY:  ty.distinct,
		triplesX:   tx.triples,
		triplesY:   ty.triples,
	}
	k.Concordant = k.Pairs() - k.TiedX - k.TiedY + k.TiedBoth - k.Discordant
	return k
}

// ties gathers statistics of the runs of equal values in a sorted column.
type ties struct {
	run      int64 // values of the current run
	pairs    int64 // Σ t(t−1)/2
	triples  uint128
	distinct int64
}

// next takes the next value, which equals the one before it or starts a run: the
// r-th value of a run makes r−1 more pairs and (r−1)(r−2)/2 more triples.
func (t *ties) next(equal bool) {
	if !equal {
		t.run = 1
		t.distinct++
		return
	}
	t.pairs += t.run
	t.triples.add(0, uint64(t.run)*uint64(t.run-1)/2)
	t.run++
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
	if n0 == k.TiedX || n0 == k.TiedY {
		return math.NaN()
	}
	tau := float64(k.Concordant-k.Discordant) / math.Sqrt(float64(n0-k.TiedX)) / math.Sqrt(float64(n0-k.TiedY))
	return max(-1, min(1, tau))
}

// TauC returns tau-c (Stuart 1953): 2(P−Q)/(N²(m−1)/m) with m the lesser number of
// different values in a column, limited to [−1, 1].
func (k Kendall) TauC() float64 {
	n0 := k.Pairs()
	if n0 == k.TiedX || n0 == k.TiedY {
		return math.NaN()
	}
	m := min(k.DistinctX, k.DistinctY)
	hi, lo := bits.Mul64(uint64(k.N)*uint64(k.N), uint64(m-1))
	tau := 2 * float64(k.Concordant-k.Discordant) / (uint128{hi, lo}.float64() / float64(m))
	return max(-1, min(1, tau))
}

// Gamma returns gamma (Goodman and Kruskal 1954): (P−Q)/(P+Q). Ties count for nothing.
func (k Kendall) Gamma() float64 {
	return float64(k.Concordant-k.Discordant) / float64(k.Concordant+k.Discordant)
}

// PValue returns the two-sided p-value of the hypothesis that x and y are not
// associated, which all coefficients here share. Without ties and with N ≤ 33, or at most one pair out of
// order, it is exact (Kendall 1970, Rank Correlation Methods, 4th edition); otherwise it is that of the
// normal distribution with the variance corrected for ties (Noether 1967). These are
// the choices of scipy.stats.kendalltau.
func (k Kendall) PValue() float64 {
	n0 := k.Pairs()
	if n0 == k.TiedX || n0 == k.TiedY {
		return math.NaN()
	}
	if c := min(k.Concordant, k.Discordant); k.TiedX == 0 && k.TiedY == 0 && (k.N <= 33 || c <= 1) {
		return exactP(int(k.N), int(c))
	}
	n := float64(k.N)
	m := n * (n - 1)
	// Over the runs of t equal values: Σt(t−1), Σt(t−1)(t−2), Σt(t−1)(2t+5).
	x1, y1 := 2*float64(k.TiedX), 2*float64(k.TiedY)
	x2, y2 := 6*k.triplesX.float64(), 6*k.triplesY.float64()
	x3, y3 := float64(2*x2)+float64(9*x1), float64(2*y2)+float64(9*y1)
	variance := (float64(m*(2*n+5))-x3-y3)/18 + float64(x1*y1)/(2*m) + float64(x2*y2)/(9*m*(n-2))
	z := float64(k.Concordant-k.Discordant) / math.Sqrt(variance)
	return math.Erfc(math.Abs(z) / math.Sqrt2) // exact far into the tail, where 1 − CDF is 0
}

// exactP returns the probability of at most c inversions, or as many the other way
// round, in a random permutation of n ≥ 2; c is at most half of the pairs.
func exactP(n, c int) float64 {
	if n == 2 || 4*c == n*(n-1) {
		return 1
	}
	if c <= 1 { // 1 permutation has no inversion, n−1 have one
		p := 2.0
		for i := 2; i <= n-c && p > 0; i++ {
			p /= float64(i)
		}
		return p
	}
	// prob[i] is the probability of i inversions in a permutation of j: the last
	// element adds 0 to j−1 of them, each as likely.
	prob := make([]float64, c+1)
	next := make([]float64, c+1)
	prob[0] = 1
	for j := 2; j <= n; j++ {
		for i := range next {
			sum := 0.0
			for _, p := range prob[max(0, i-j+1) : i+1] {
				sum += p
			}
			next[i] = sum / float64(j)
		}
		prob, next = next, prob
	}
	sum := 0.0
	for _, p := range prob {
		sum += p
	}
	return min(1, 2*sum)
}

// A uint128 counts triples: 2³¹ equal values have 2⁹⁰.
type uint128 struct{ hi, lo uint64 }

func (u *uint128) add(hi, lo uint64) {
	var carry uint64
	u.lo, carry = bits.Add64(u.lo, lo, 0)
	u.hi, _ = bits.Add64(u.hi, hi, carry)
}

// float64 returns the nearest float64, ties to even: the bits below the top 64 are
// folded into the last of these, which the conversion then rounds.
func (u uint128) float64() float64 {
	if u.hi == 0 {
		return float64(u.lo)
	}
	shift := uint(64 - bits.LeadingZeros64(u.hi))
	top := u.hi<<(64-shift) | u.lo>>shift
	if u.lo<<(64-shift) != 0 {
		top |= 1
	}
	return math.Ldexp(float64(top), int(shift))
}
