package metrics

import (
	"cmp"
	"math"
	"slices"
)

// TauB returns tau-b (Kendall 1945). agreement is the number of concordant pairs minus discordant
// ones; differX and differY are the numbers of pairs that differ in x and in y. It returns NaN if
// differX or differY is 0. It uses the order of operations of scipy.stats.kendalltau, and limits
// the result to [−1, 1].
func TauB(agreement, differX, differY int64) float64 {
	if differX == 0 || differY == 0 {
		return math.NaN()
	}
	tau := float64(agreement) / math.Sqrt(float64(differX)) / math.Sqrt(float64(differY))
	return max(-1, min(1, tau))
}

// midRanks appends twice the rank of each value, counted from the smallest, to dst[:0]. Equal
// values have the mean of their ranks. order is scratch memory.
func midRanks(dst []float64, order *[]int32, v []float64) []float64 {
	o := (*order)[:0]
	dst = dst[:0]
	for i := range v {
		o = append(o, int32(i))
		dst = append(dst, 0)
	}
	slices.SortFunc(o, func(a, b int32) int { return cmp.Compare(v[a], v[b]) })
	for lo := 0; lo < len(o); {
		hi := lo + 1
		for hi < len(o) && v[o[hi]] == v[o[lo]] {
			hi++
		}
		for twice := float64(lo + hi + 1); lo < hi; lo++ {
			dst[o[lo]] = twice
		}
	}
	*order = o
	return dst
}

// Spearman computes Spearman's correlation of two slices. It holds scratch memory, and its zero
// value is ready for use.
type Spearman struct {
	order []int32
	u, v  []float64
}

// Of returns the correlation of x and y, or 0 if y is constant. x must not be constant.
func (s *Spearman) Of(x, y []float64) float64 {
	n := len(x)
	s.u, s.v = midRanks(s.u, &s.order, x), midRanks(s.v, &s.order, y)
	var xy, xx, yy float64
	for i := range n {
		// Twice the difference of a rank and the mean rank is an integer.
		a, b := s.u[i]-float64(n+1), s.v[i]-float64(n+1)
		xy += float64(a * b)
		xx += float64(a * a)
		yy += float64(b * b)
	}
	if yy == 0 {
		return 0
	}
	return max(-1, min(1, xy/math.Sqrt(xx)/math.Sqrt(yy)))
}

// WeightedTau computes the weighted tau (Vigna 2015) of two slices. It holds scratch memory, and
// its zero value is ready for use.
type WeightedTau struct {
	order, swap []int32
	weights     []float64
}

// Of returns the tau of x and y, weighted by the ranks of (x, y). It returns 0 if x or y is
// constant.
func (t *WeightedTau) Of(x, y []float64) float64 {
	n := len(x)
	t.order, t.weights = t.order[:0], t.weights[:0]
	for i := range x {
		t.order = append(t.order, int32(i))
		t.weights = append(t.weights, 0)
	}
	t.swap = append(t.swap[:0], t.order...)
	slices.SortFunc(t.order, func(a, b int32) int {
		if c := cmp.Compare(x[b], x[a]); c != 0 {
			return c
		}
		return cmp.Compare(y[b], y[a])
	})
	total := 0.0
	for rank, i := range t.order {
		t.weights[i] = 1 / float64(rank+1)
		total += t.weights[i]
	}
	// The total weight of the pairs within a run of m equal values is (m−1)·Σw.
	runs := func(equal func(a, b int32) bool) float64 {
		sum := 0.0
		for lo := 0; lo < n; {
			hi, w := lo, 0.0
			for ; hi < n && equal(t.order[lo], t.order[hi]); hi++ {
				w += t.weights[t.order[hi]]
			}
			sum += float64(float64(hi-lo-1) * w)
			lo = hi
		}
		return sum
	}
	all := float64(float64(n-1) * total)
	tiedX := runs(func(a, b int32) bool { return x[a] == x[b] })
	tiedBoth := runs(func(a, b int32) bool { return x[a] == x[b] && y[a] == y[b] })
	discordant := t.merge(t.order, t.swap, y)
	tiedY := runs(func(a, b int32) bool { return y[a] == y[b] }) // merge has sorted by y
	if all == tiedX || all == tiedY || n < 2 {
		return 0
	}
	tau := (all - tiedX - tiedY + tiedBoth - float64(2*discordant)) / math.Sqrt(all-tiedX) / math.Sqrt(all-tiedY)
	return max(-1, min(1, tau))
}

// merge sorts order stably by descending y and returns the weight of the pairs whose order this
// reverses (Knight 1966, with weights).
func (t *WeightedTau) merge(order, swap []int32, y []float64) float64 {
	n := len(order)
	if n < 2 {
		return 0
	}
	sum := t.merge(order[:n/2], swap[:n/2], y) + t.merge(order[n/2:], swap[n/2:], y)
	left, right := order[:n/2], order[n/2:]
	rest := 0.0 // the weight of the remaining elements of left
	for _, i := range left {
		rest += t.weights[i]
	}
	for k := range n {
		if len(right) == 0 || len(left) > 0 && y[left[0]] >= y[right[0]] {
			rest -= t.weights[left[0]]
			swap[k], left = left[0], left[1:]
			continue
		}
		if len(left) > 0 {
			sum += rest + float64(float64(len(left))*t.weights[right[0]])
		}
		swap[k], right = right[0], right[1:]
	}
	copy(order, swap)
	return sum
}
