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
	sum, alive := 0.0, 1.0 // alive is the probability that the user reaches the rank
	for lo, hi := 0, 0; lo < k && alive > 0; lo = hi {
		hi = End(ends, lo)
		if hi == lo+1 {
			s := stop(labels[lo])
			sum += float64(weight(lo+1) * float64(alive*s))
			alive *= 1 - s
			continue
		}
		// Take the mean over all orders of the tied documents: pass[j] is the probability that the
		// user passes j of them.
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

// passing returns the probability that a user passes j documents, for j from 0 to most. The
// documents are drawn without replacement from those with the sorted stop probabilities c.stops.
// The result ends before the first probability that is not above 1e-18.
//
// For documents with the same stop probability s, it is (1−s)^j. For n documents of one kind, with
// the probabilities a, and m of another, with b, it is
//
//	pass[j] = Σ C(n,h)·C(m,j−h)/C(n+m,j) · a[h]·b[j−h]
//
// so the kinds are added one by one.
func (c *Cascade) passing(most int) []float64 {
	const nothing = 1e-18
	a, b, joined := c.pass[0], c.pass[1], c.pass[2]
	a = append(a[:0], 1) // before any documents are added
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

// joint returns the mean of a[h]·b[j−h] if j documents are drawn from n + m and h of them are among
// the n. a and b are 0 beyond their ends. The weights are hypergeometric. Only about √j of them are
// large enough to matter, or fewer if a or b end earlier.
func joint(a, b []float64, n, m, j int) float64 {
	least, greatest := max(0, j-m), min(n, j)
	mode := min(max(int(float64(j+1)*float64(n+1)/float64(n+m+2)), least), greatest)
	// weights is the sum of the weights, relative to the weight of the mode.
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

// reciprocalRank returns 1/i, where i is the rank of the first relevant document, or 0 if the first
// k documents include none (Voorhees 1999).
func (q *Query) reciprocalRank(m *Metric) float64 {
	return q.stop(m, q.rules.policy.relevance, reciprocal)
}

// success returns 1 if the first k documents include a relevant one, and 0 otherwise.
func (q *Query) success(m *Metric) float64 {
	return q.stop(m, q.rules.policy.relevance, func(int) float64 { return 1 })
}

// expectedReciprocalRank returns the ERR (Chapelle et al. 2009). A user reads from the top and
// stops at a document with probability s(r) = (2^r−1)/2^max, where max is the highest label of the
// scale:
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

// stop returns [Cascade.Sum] over the ranks that the metric includes.
func (q *Query) stop(m *Metric, stop func(label float64) float64, weight func(rank int) float64) float64 {
	return q.user.Sum(q.ordered.labels, q.ordered.ends, m.limit(q.judged.n), stop, weight)
}

// AddPrecisions adds to sum the precision at each rank that has a relevant document, from lo,
// counted from 0, up to but excluding hi and k. relevant documents are among those that are tied
// there, and before is the number of relevant documents above them.
func AddPrecisions(sum float64, lo, hi, k int, relevant, before float64) float64 {
	// Any of the tied documents is relevant with probability relevant/size. If the j-th of them is,
	// the j−1 before it include (j−1)(relevant−1)/(size−1) relevant ones on average.
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
