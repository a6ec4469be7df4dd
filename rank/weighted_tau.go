package rank

import (
	"context"
	"math"
	"math/bits"
	"slices"
	"sync/atomic"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/metrics"
	"github.com/simdrank/simdrank/internal/num"
	"github.com/simdrank/simdrank/internal/parallel"
	"github.com/simdrank/simdrank/kernels"
)

// WeightedTau returns the weighted tau of two columns (Vigna 2015), in which pairs with high values
// count more; see weighted-tau in [ParseMetric]. It corresponds to scipy.stats.weightedtau with
// default arguments. It is NaN if there are fewer than two values or if a column is constant.
//
// p is the two-sided p-value from a permutation test for association between x and y. Each round
// permutes y at random. If in c rounds the weighted tau is at least as far from 0 as observed, p is
// (c+1)/(rounds+1). Values that differ only by rounding count as equal. If rounds is 0, p is NaN.
//
// WeightedTau uses the options Threads and Progress of work, which may be nil. Progress counts
// rounds. The results do not depend on work. The errors are the same as for [KendallTau]. If the
// context ends, its error is returned.
func WeightedTau(ctx context.Context, x, y []float64, rounds int, seed uint64, work *kernels.Work) (
	tau, p float64, err error) {
	if len(x) != len(y) {
		return 0, 0, errs.Errorf("rank", "the columns for the weighted tau differ in length: %d and %d values", len(x),
			len(y))
	}
	if err := nanError(x, y); err != nil {
		return 0, 0, err
	}
	constant := func(v []float64) bool {
		return !slices.ContainsFunc(v, func(value float64) bool { return value != v[0] })
	}
	if constant(x) || constant(y) {
		return math.NaN(), math.NaN(), nil
	}
	if work == nil {
		work = &kernels.Work{}
	}
	tau = new(permuted).tau(x, y)
	if rounds <= 0 {
		return tau, math.NaN(), nil
	}
	far, err := countFar(ctx, x, y, math.Abs(tau)-tauRounding, rounds, num.NewPCG(seed, 0x243f6a8885a308d3), work)
	return tau, float64(far+1) / float64(rounds+1), err
}

// tauRounding is the maximum difference between two weighted taus that are treated as equal. The
// values are sums of n rounded weights, divided by their total.
const tauRounding = 1e-12

// countFar returns the number of permutations of y whose weighted tau is at least as far from 0 as
// least. Round r uses the numbers r·n to (r+1)·n of the stream.
func countFar(ctx context.Context, x, y []float64, least float64, rounds int, stream num.PCG, work *kernels.Work) (
	int64, error) {
	n := len(x)
	threads := parallel.Threads(work.Threads)
	workers := make([]permuted, threads)
	progress := parallel.NewProgress(work.Progress, int64(rounds))
	block := max(1, min(256, 1<<18/n)) // rounds of a task, which take a few milliseconds
	var far atomic.Int64
	err := parallel.For(ctx, threads, (rounds+block-1)/block, func(worker, task int) {
		w := &workers[worker]
		first, last := task*block, min((task+1)*block, rounds)
		words := stream.Every(uint64(first)*uint64(n), 1)
		count := 0
		for range last - first {
			if math.Abs(w.tau(x, w.shuffled(y, &words))) >= least {
				count++
			}
		}
		far.Add(int64(count))
		progress.Add(int64(last - first))
	})
	if err != nil {
		return 0, err
	}
	progress.Finish()
	return far.Load(), nil
}

// A permuted computes the weighted tau of permuted columns. It holds scratch memory.
type permuted struct {
	work  metrics.WeightedTau
	words []uint64
	y     []float64
}

// tau returns the mean over the two orders of the ranks.
func (w *permuted) tau(x, y []float64) float64 { return (w.work.Of(x, y) + w.work.Of(y, x)) / 2 }

// shuffled returns a random permutation of y (Fisher and Yates). The probabilities of permutations
// differ by less than n/2⁶⁴.
func (w *permuted) shuffled(y []float64, stream *num.PCG) []float64 {
	if w.words == nil {
		w.words = make([]uint64, len(y))
	}
	stream.Fill(w.words)
	w.y = append(w.y[:0], y...)
	for i := len(y) - 1; i > 0; i-- {
		j, _ := bits.Mul64(w.words[i], uint64(i+1))
		w.y[i], w.y[j] = w.y[j], w.y[i]
	}
	return w.y
}
