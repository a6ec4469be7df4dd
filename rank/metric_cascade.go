package rank

import (
	"slices"

	"github.com/simdrank/simdrank/internal/portable"
)

// This file holds the metrics of a user who looks from the top and stops: reciprocal rank, success
// and expected reciprocal rank.

// ReciprocalRank returns 1/i for the rank i of the first relevant document, 0
// when none is among the first k (Voorhees 1999). Its mean over queries is MRR, the metric "mrr".
func ReciprocalRank(labels, scores []float64, opts ...Option) (float64, error) {
	return one(named("mrr"), labels, scores, opts)
}

func (r *ranking) reciprocalRank(m Metric) float64 {
	return r.cascade(m.limit(r.n), r.relevance, reciprocal)
}

// Success returns 1 when a relevant document is among the first k, else 0: the metric
// "success@k", also called hit rate. The cutoff k ([At]) is required.
func Success(labels, scores []float64, opts ...Option) (float64, error) {
	return one(named("success"), labels, scores, opts)
}

func (r *ranking) success(m Metric) float64 {
	return r.cascade(m.limit(r.n), r.relevance, func(int) float64 { return 1 })
}

// ERR returns the expected reciprocal rank (Chapelle et al. 2009): a user looks from the top and
// stops at a document with probability s(r) = (2^r−1)/2^max, with max the highest label of the
// scale ([MaxLabel], default 4; a higher label is an error):
//
//	ERR@k = Σ (1/i)·s(rᵢ)·∏ (1−s(rⱼ)), j < i, i = 1 … k
func ERR(labels, scores []float64, opts ...Option) (float64, error) {
	return one(named("err"), labels, scores, opts)
}

func (r *ranking) expectedReciprocalRank(m Metric) float64 {
	top := portable.Exp2m1(float64(r.o.maxLabel)) + 1
	return r.cascade(m.limit(r.n), func(label float64) float64 {
		if label <= 0 {
			return 0
		}
		return portable.Exp2m1(label) / top
	}, reciprocal)
}

// cascade returns Σ weight(i)·P(the user stops at rank i) over the first k ranks, for
// a user who looks from the top and stops at a document with a probability that its label gives.
func (r *ranking) cascade(k int, stop func(label float64) float64, weight func(rank int) float64) float64 {
	sum, alive := 0.0, 1.0 // alive: the probability that the user has come this far
	for lo, hi := 0, 0; lo < k && alive > 0; lo = hi {
		hi = r.end(lo)
		if hi == lo+1 {
			s := stop(r.labels[lo])
			sum += float64(weight(lo+1) * float64(alive*s))
			alive *= 1 - s
			continue
		}
		// The mean over the orders of the tied documents: pass[j] is the probability to pass j of
		// them.
		most := min(hi, k) - lo
		r.stops = r.stops[:0]
		for _, label := range r.labels[lo:hi] {
			r.stops = append(r.stops, stop(label))
		}
		slices.Sort(r.stops)
		pass := r.passing(most)
		for j := 1; j < len(pass); j++ {
			sum += float64(weight(lo+j) * float64(alive*(pass[j-1]-pass[j])))
		}
		for _, s := range r.stops {
			alive *= 1 - s
		}
	}
	return sum
}

// passing returns, for j from 0 to most, the probability to pass j documents that are drawn one
// after the other from those with the sorted probabilities of r.stops; no more of it than is above
// 1e-18.
//
// Of documents that are alike it is (1−s)^j. Documents of two kinds, n of one and m of the other,
// are passed with
//
//	pass[j] = Σ C(n,h)·C(m,j−h)/C(n+m,j) · a[h]·b[j−h]
//
// so that the kinds are joined one by one. Of the hypergeometric weights only those matter that are
// not far from the greatest: √j of them, or fewer where a or b have fallen to nothing.
func (r *ranking) passing(most int) []float64 {
	const nothing = 1e-18
	a, b, joined := r.pass[0], r.pass[1], r.pass[2]
	a = append(a[:0], 1) // of no documents yet
	n := 0
	for lo := 0; lo < len(r.stops); {
		s, m := r.stops[lo], 0
		for lo+m < len(r.stops) && r.stops[lo+m] == s {
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
	r.pass = [3][]float64{a, b, joined}
	return a
}

// joint returns the mean of a[h]·b[j−h] when h of j documents drawn are from n, the others from m;
// a and b are 0 beyond their ends.
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

func reciprocal(i int) float64 { return 1 / float64(i) }
