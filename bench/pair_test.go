package bench

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/simdrank/simdrank/kernels"
)

// A pairQuery is a query with optional pair weights and buffers for derivatives.
type pairQuery struct {
	kernels.PairQuery
	c, gain []float64
}

// newPairQuery returns n random documents. If grades is 0, all labels are distinct.
func newPairQuery(n, grades int) pairQuery {
	rng := rand.New(rand.NewPCG(uint64(n), uint64(grades)))
	q := pairQuery{kernels.PairQuery{Scores: make([]float64, n), Lower: make([]int32, n), Weight: 1},
		make([]float64, n), make([]float64, n)}
	label := make([]int, n)
	for i := range label {
		label[i] = i
		if grades > 0 {
			label[i] = rng.IntN(grades)
		}
	}
	slices.Sort(label)
	for i, y := range label {
		q.Scores[i] = rng.NormFloat64() + 3*float64(i)/float64(n)
		q.gain[i] = float64(y)
		if i > 0 {
			q.Lower[i] = q.Lower[i-1]
			if y != label[i-1] {
				q.Lower[i] = int32(i)
			}
		}
	}
	return q
}

// benchmarkPair runs f on each tier on queries of several lengths, with 5 grades and with distinct
// labels. It reports the time per document and per pair.
func benchmarkPair(b *testing.B, lengths []int, f func(q pairQuery, work *kernels.Work)) {
	for _, grades := range []int{5, 0} {
		for _, n := range lengths {
			q := newPairQuery(n, grades)
			pairs := 0
			for _, p := range q.Lower {
				pairs += int(p)
			}
			what := fmt.Sprint(grades, " grades")
			if grades == 0 {
				what = "distinct"
			}
			benchTiers(b, fmt.Sprintf("%s/n=%d", what, n), func(b *testing.B) {
				work := kernels.Work{Threads: 1}
				for b.Loop() {
					f(q, &work)
				}
				ns := float64(b.Elapsed().Nanoseconds()) / float64(b.N)
				b.ReportMetric(ns/float64(n), "ns/doc")
				b.ReportMetric(ns/float64(pairs), "ns/pair")
			})
		}
	}
}

var (
	shortQueries = []int{64, 128, 256, 1024}
	longQueries  = []int{64, 128, 256, 1024, 4096, 100_000}
)

// BenchmarkPairSquaredHinge on long queries measures pairSweep.
func BenchmarkPairSquaredHinge(b *testing.B) {
	benchmarkPair(b, longQueries, func(q pairQuery, work *kernels.Work) {
		kernels.PairSquaredHinge(q.c, q.PairQuery, work)
	})
}

// BenchmarkPairWeighted uses the difference of grades, or of distinct labels, as pair weights.
func BenchmarkPairWeighted(b *testing.B) {
	benchmarkPair(b, shortQueries, func(q pairQuery, work *kernels.Work) {
		q.Gain = q.gain
		kernels.PairSquaredHinge(q.c, q.PairQuery, work)
	})
}

func BenchmarkPairHuberHinge(b *testing.B) {
	benchmarkPair(b, longQueries, func(q pairQuery, work *kernels.Work) {
		kernels.PairHuberHinge(q.c, q.PairQuery, 0.03, work)
	})
}

func BenchmarkPairLogistic(b *testing.B) {
	benchmarkPair(b, shortQueries, func(q pairQuery, work *kernels.Work) {
		kernels.PairLogistic(q.c, q.PairQuery, 1, work)
	})
}

func benchmarkElementwise(b *testing.B, f func(dst, x []float64)) {
	x, dst := make([]float64, 1024), make([]float64, 1024)
	for i := range x {
		x[i] = float64(i-512) / 40
	}
	benchTiers(b, fmt.Sprintf("n=%d", len(x)), func(b *testing.B) {
		for b.Loop() {
			f(dst, x)
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(x)), "ns/element")
	})
}

func BenchmarkExpF64(b *testing.B) { benchmarkElementwise(b, kernels.ExpF64) }
