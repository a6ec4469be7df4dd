package metrics

import (
	"slices"

	"github.com/simdrank/simdrank/internal/num"
)

// End returns the end of the documents that are tied with the document at rank lo.
func End(ends []int32, lo int) int {
	if len(ends) == 0 {
		return lo + 1
	}
	return int(ends[lo])
}

// Zeros returns n zeros, in the memory of s if it is long enough. Under the race detector,
// appending a slice that is created for this purpose would allocate that slice too.
func Zeros[T any](s []T, n int) []T {
	s = slices.Grow(s[:0], n)[:n]
	clear(s)
	return s
}

// A Cascade models a user who reads from the top and stops at a document with a probability that
// depends on its label. The zero value is ready for use.
type Cascade struct {
	stops []float64
	pass  [3][]float64
}

// Sum returns Σ weight(i)·P(the user stops at rank i), i from 1 to k. labels are the labels of the
// documents in rank order.
func (c *Cascade) Sum(labels []float64, ends []int32, k int, stop func(label float64) float64,
	weight func(rank int) float64) float64 {
	sum, alive := 0.0, 1.0 // alive: the probability that the user has come this far
	for lo, hi := 0, 0; lo < k && alive > 0; lo = hi {
		hi = End(ends, lo)
		if hi == lo+1 {
			s := stop(labels[lo])
			sum += float64(weight(lo+1) * float64(alive*s))
			alive *= 1 - s
			continue
		}
		// The mean over the orders of the tied documents: pass[j] is the probability to pass j of
		// them.
		most := min(hi, k) - lo
		c.stops = c.stops[:0]
		for _, label := range labels[lo:hi] {
			c.stops = append(c.stops, stop(label))
		}
		slices.Sort(c.stops)
		pass := c.passing(most)
		for j := 1; j < len(pass); j++ {
			sum += float64(weight(lo+j) * float64(alive*(pass[j-1]-pass[j])))
		}
		for _, s := range c.stops {
			alive *= 1 - s
		}
	}
	return sum
}

// passing returns, for j from 0 to most, the probability to pass j documents that are drawn one
// after the other from those with the sorted probabilities of c.stops; no more of it than is above
// 1e-18.
//
// Of documents that are alike it is (1−s)^j. Documents of two kinds, n of one and m of the other,
// are passed with
//
//	pass[j] = Σ C(n,h)·C(m,j−h)/C(n+m,j) · a[h]·b[j−h]
//
// so that the kinds are joined one by one.
func (c *Cascade) passing(most int) []float64 {
	const nothing = 1e-18
	a, b, joined := c.pass[0], c.pass[1], c.pass[2]
	a = append(a[:0], 1) // of no documents yet
	n := 0
	for lo := 0; lo < len(c.stops); {
		s, m := c.stops[lo], 0
		for lo+m < len(c.stops) && c.stops[lo+m] == s {
			m++
		}
		b = append(b[:0], 1)
		for j := 1; j <= min(m, most) && b[j-1] >= nothing; j++ {
			b = append(b, float64(b[j-1]*(1-s)))
		}
		if lo += m; n == 0 {
			a, b, n = b, a, m
			continue
		}
		joined = append(joined[:0], 1)
		for j := 1; j <= min(n+m, most) && joined[j-1] >= nothing; j++ {
			joined = append(joined, joint(a, b, n, m, j))
		}
		a, joined = joined, a
		n += m
	}
	c.pass = [3][]float64{a, b, joined}
	return a
}

// joint returns the mean of a[h]·b[j−h] when h of j documents drawn are from n, the others from m;
// a and b are 0 beyond their ends. Of the weights, which are hypergeometric, only those matter that
// are not far from the greatest: √j of them, or fewer where a or b have fallen to nothing.
func joint(a, b []float64, n, m, j int) float64 {
	least, greatest := max(0, j-m), min(n, j)
	mode := min(max(int(float64(j+1)*float64(n+1)/float64(n+m+2)), least), greatest)
	// The weights relative to that of the mode, and their sum.
	sum, weights := 0.0, 0.0
	add := func(h int, w float64) {
		weights += w
		if h < len(a) && j-h < len(b) {
			sum += float64(float64(w*a[h]) * b[j-h])
		}
	}
	add(mode, 1)
	w := 1.0
	for h := mode; h < greatest && w > 1e-20; h++ {
		w = float64(w * (float64(n-h) * float64(j-h) / (float64(h+1) * float64(m-j+h+1))))
		add(h+1, w)
	}
	w = 1
	for h := mode; h > least && w > 1e-20; h-- {
		w = float64(w * (float64(h) * float64(m-j+h) / (float64(n-h+1) * float64(j-h+1))))
		add(h-1, w)
	}
	return sum / weights
}

// reciprocalRank is 1/i for the rank i of the first relevant document, 0 when none is among the
// first k (Voorhees 1999).
func (q *Query) reciprocalRank(m *Metric) float64 {
	return q.stop(m, q.rules.policy.relevance, reciprocal)
}

// success is 1 when a relevant document is among the first k, else 0.
func (q *Query) success(m *Metric) float64 {
	return q.stop(m, q.rules.policy.relevance, func(int) float64 { return 1 })
}

// expectedReciprocalRank is ERR (Chapelle et al. 2009): a user looks from the top and stops at a
// document with probability s(r) = (2^r−1)/2^max, with max the highest label of the scale:
//
//	ERR@k = Σ (1/i)·s(rᵢ)·∏ (1−s(rⱼ)), j < i, i = 1 … k
func (q *Query) expectedReciprocalRank(m *Metric) float64 {
	top := num.Exp2m1(q.rules.policy.MaxLabel) + 1
	return q.stop(m, func(label float64) float64 {
		if label <= 0 {
			return 0
		}
		return num.Exp2m1(label) / top
	}, reciprocal)
}

func reciprocal(i int) float64 { return 1 / float64(i) }

// stop is [Cascade.Sum] over the ranks that a metric looks at.
func (q *Query) stop(m *Metric, stop func(label float64) float64, weight func(rank int) float64) float64 {
	return q.user.Sum(q.ordered.labels, q.ordered.ends, m.limit(q.judged.n), stop, weight)
}

// AddPrecisions adds to sum the precision at each rank that has a relevant document, from lo,
// counted from 0, up to but excluding hi and k. relevant documents are among those that are tied
// there, and before is the number of relevant documents above them.
func AddPrecisions(sum float64, lo, hi, k int, relevant, before float64) float64 {
	// Of size documents tied, the one at the j-th place is relevant with probability relevant/size,
	// and then the j−1 before it hold (j−1)(relevant−1)/(size−1) others in the mean.
	size, step := float64(hi-lo), 0.0
	if size > 1 {
		step = (relevant - 1) / (size - 1)
	}
	for i := lo; i < min(hi, k); i++ {
		hits := before + 1 + float64(float64(i-lo)*step)
		sum += relevant / size * hits / float64(i+1)
	}
	return sum
}
