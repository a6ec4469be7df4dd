package compare

import (
	"cmp"
	"context"
	"math"
	"math/bits"
	"slices"

	"github.com/simdrank/simdrank/internal/num"
	"github.com/simdrank/simdrank/internal/parallel"
)

// A testResult is the result of a significance test of paired values.
type testResult struct {
	n         int     // number of pairs that the test used
	statistic float64 // test statistic
	p         float64 // two-sided p-value
	exact     bool    // whether the test enumerated all combinations of signs
}

// roundingShare is the maximum relative difference of two metric values that are treated as equal.
// Such values may differ by rounding errors, because metric values are sums and quotients of many
// rounded numbers.
const roundingShare = 1e-12

// minus returns a − b. It returns 0 if a and b are equal except for rounding errors.
func minus(a, b float64) float64 {
	d := a - b
	if math.Abs(d) < roundingShare*max(math.Abs(a), math.Abs(b)) {
		return 0
	}
	return d
}

// scaled returns the values multiplied by 2^−exponent. After this scaling, the largest absolute
// value is below 1, so that sums and squares do not overflow, and relevant squares do not
// underflow.
func scaled(values []float64) (v []float64, exponent int) {
	largest := 0.0
	for _, x := range values {
		largest = max(largest, math.Abs(x))
	}
	_, exponent = math.Frexp(largest)
	v = make([]float64, len(values))
	for i, x := range values {
		v[i] = math.Ldexp(x, -exponent)
	}
	return v, exponent
}

func mean(v []float64) float64 {
	var m num.ExactMean
	m.Add(v, nil, false)
	return m.Value()
}

// studentT runs the t-test. With the mean d̄ and the standard deviation s of n differences, the
// statistic is d̄/(s/√n). The statistic is infinite if all differences are equal and not 0.
func studentT(of moments) testResult {
	r := testResult{n: of.n, p: 1}
	if of.mean != 0 {
		r.statistic = of.mean / math.Sqrt(of.variance/float64(of.n))
		r.p = num.StudentTails(r.statistic, of.n-1)
	}
	return r
}

// moments contains the mean and the variance of n values that [scaled] has multiplied by
// 2^−exponent.
type moments struct {
	n        int
	mean     float64
	variance float64 // unbiased variance; 0 if all values are equal
	exponent int
}

func momentsOf(values []float64) moments {
	v, exponent := scaled(values)
	m := mean(v)
	var sum, squares float64
	for _, x := range v {
		x -= m
		sum += x
		squares += float64(x * x)
	}
	// sum is 0 except for the rounding error of the mean. Correct the variance for this error
	// (Chan, Golub and LeVeque 1983).
	n := float64(len(v))
	return moments{len(v), m, max(squares-float64(sum*sum)/n, 0) / (n - 1), exponent}
}

// wilcoxonExact is the maximum number of pairs for which wilcoxon uses the exact distribution.
const wilcoxonExact = 50

// wilcoxon runs the signed-rank test on the differences d of a and b. It omits differences of 0 and
// ranks the others by |d|. Differences that may be equal except for rounding are ties, which share
// their mean rank. The ranks of positive differences and the ranks of negative differences are
// summed separately. The statistic is the smaller sum.
func wilcoxon(d, a, b []float64) testResult {
	type pair struct{ size, rounding, d float64 }
	pairs := make([]pair, 0, len(d))
	for i, x := range d {
		if x != 0 {
			pairs = append(pairs, pair{math.Abs(x), float64(roundingShare * max(math.Abs(a[i]), math.Abs(b[i]))), x})
		}
	}
	n := len(pairs)
	if n == 0 {
		return testResult{p: 1, exact: true}
	}
	slices.SortFunc(pairs, func(x, y pair) int {
		return cmp.Or(cmp.Compare(x.size, y.size), cmp.Compare(x.rounding, y.rounding))
	})
	var plus, minus, ties float64
	for lo := 0; lo < n; {
		hi := lo + 1
		for hi < n && pairs[hi].size-pairs[hi-1].size <= max(pairs[hi].rounding, pairs[hi-1].rounding) {
			hi++
		}
		run := float64(hi - lo)
		ties += float64(run*run*run) - run
		for rank := float64(float64(lo+hi+1) / 2); lo < hi; lo++ {
			if pairs[lo].d > 0 {
				plus += rank
			} else {
				minus += rank
			}
		}
	}
	r := testResult{n: n, statistic: min(plus, minus)}
	if n <= wilcoxonExact && ties == 0 {
		r.p, r.exact = wilcoxonP(n, int(r.statistic)), true
		return r
	}
	f := float64(n)
	sd := math.Sqrt((float64(f*(f+1)*(2*f+1)) - float64(ties/2)) / 24)
	z := (r.statistic - float64(f*(f+1)/4)) / sd
	r.p = num.NormalTails(z)
	return r
}

// wilcoxonP returns the two-sided p-value: twice the fraction of the 2ⁿ combinations of signs for
// which the ranks with a positive sign sum to at most w.
func wilcoxonP(n, w int) float64 {
	ways := make([]float64, w+1) // number of sets of ranks with each sum: at most 2⁵⁰, so it is exact
	ways[0] = 1
	for rank := 1; rank <= n; rank++ {
		for s := w; s >= rank; s-- {
			ways[s] += ways[s-rank]
		}
	}
	sum := 0.0
	for _, x := range ways {
		sum += x
	}
	return min(1, math.Ldexp(sum, 1-n))
}

// bootstrap returns the bootstrap confidence interval of the mean. It reports its rounds to
// progress. The sample means of n values vary less than the mean of n queries, by the factor
// √((n−1)/n), and the normal distribution of many sample means has shorter tails than Student's.
// The interval therefore uses the percentiles ±t·√(n/(n−1)) of the normal distribution (Hesterberg
// 2015).
func bootstrap(ctx context.Context, d []float64, level float64, rounds int, seed uint64, threads int,
	progress *parallel.Progress) (lo, hi float64, err error) {
	rounds = cmp.Or(rounds, defaultRounds)
	means := make([]float64, rounds)
	v, exponent := scaled(d)
	s := newSampler(v, num.NewPCG(seed, 0xb5ad4eceda1ce2a9))
	if err := s.sample(ctx, means, threads, progress); err != nil {
		return 0, 0, err
	}
	at := func(p float64) float64 { // returns a quantile, interpolated linearly between sorted means
		x := float64(p * float64(rounds-1))
		i := min(int(x), rounds-1)
		low, failed := nth(ctx, means, i)
		high, _ := nth(ctx, means, min(i+1, rounds-1))
		err = cmp.Or(err, failed)
		return low + float64((x-float64(i))*(high-low))
	}
	n := float64(len(d))
	tail := float64(num.NormalTails(float64(studentQuantile(1-level, len(d)-1)*math.Sqrt(n/(n-1)))) / 2)
	lo, hi = math.Ldexp(at(tail), exponent), math.Ldexp(at(1-tail), exponent)
	return lo, hi, err
}

// nth returns the value at index k, counted from 0, of the sorted values. It does not sort the
// values. Instead it determines 16 bits of the result at a time by counting values.
func nth(ctx context.Context, values []float64, k int) (float64, error) {
	const digit, negative = 1 << 16, 1 << 63
	found, counts := uint64(0), make([]int, digit)
	for shift := 48; shift >= 0; shift -= 16 {
		clear(counts)
		for part := range slices.Chunk(values, 1<<22) {
			if err := ctx.Err(); err != nil {
				return 0, err
			}
			for _, v := range part {
				key := math.Float64bits(v) ^ negative // larger values have larger keys
				if key < negative {
					key = ^(key ^ negative)
				}
				if key>>(shift+16) == found {
					counts[key>>shift%digit]++
				}
			}
		}
		d := 0
		for ; k >= counts[d]; d++ {
			k -= counts[d]
		}
		found = found<<16 | uint64(d)
	}
	if found < negative {
		return math.Float64frombits(^found), nil
	}
	return math.Float64frombits(found ^ negative), nil
}

// A sampler samples values with replacement. It converts the random numbers of a stream to indices
// like IntN of math/rand/v2: the index is the upper half of the product of a random number and the
// number n of values. If the lower half of the product is below a bound, the remainder of 2⁶⁴
// divided by n, the sampler uses another random number instead.
type sampler struct {
	values []float64
	stream num.PCG
	shift  int // if the number of values is a power of two, the shift that selects the low bits of a random number
	bound  uint64
}

func newSampler(values []float64, stream num.PCG) *sampler {
	n := uint64(len(values))
	s := &sampler{values: values, stream: stream, bound: -n % n}
	if s.bound == 0 {
		s.shift = bits.LeadingZeros64(n) + 1
	}
	return s
}

// sample sets means to the means of random samples, each of the size of values. Goroutines compute
// blocks of samples in parallel. A block starts at its position in the stream, under the assumption
// that no earlier random number was rejected. If numbers in a block are rejected, with a
// probability below n/2⁶⁴ each, later blocks are computed again from their correct positions.
func (s *sampler) sample(ctx context.Context, means []float64, threads int,
	progress *parallel.Progress) error {
	for stream := s.stream; len(means) > 0; {
		blocks := (len(means) + tickRounds - 1) / tickRounds
		more := make([]uint64, blocks) // number of rejected random numbers in each block
		err := parallel.For(ctx, threads, blocks, func(_, block int) {
			first := block * tickRounds
			part := means[first:min(first+tickRounds, len(means))]
			more[block] = s.block(ctx, part, stream.Every(uint64(first)*uint64(len(s.values)), 1))
			if stream == s.stream {
				progress.Add(int64(len(part)))
			}
		})
		if err != nil {
			return err
		}
		again := slices.IndexFunc(more, func(n uint64) bool { return n > 0 })
		if again < 0 {
			return nil
		}
		done := min((again+1)*tickRounds, len(means))
		stream = stream.Every(uint64(done)*uint64(len(s.values))+more[again], 1)
		means = means[done:]
	}
	return nil
}

// block sets means to the means of samples, and returns the number of rejected random numbers. It
// returns early if ctx ends.
func (s *sampler) block(ctx context.Context, means []float64, stream num.PCG) (more uint64) {
	var words [256]uint64
	next, step := 0, max(1, 1<<14/len(s.values)) // check ctx before sample next, and then every step samples
	for k := range means {
		if k == next {
			if next += step; ctx.Err() != nil {
				return more
			}
		}
		sum := 0.0
		for left := len(s.values); left > 0; {
			part := words[:min(left, len(words))]
			stream.Fill(part)
			for _, w := range part {
				i, low := bits.Mul64(w<<(s.shift&63), uint64(len(s.values)))
				if low < s.bound {
					more++
					continue
				}
				sum += s.values[i]
				left--
			}
		}
		means[k] = sum / float64(len(s.values))
	}
	return more
}

// studentInterval returns the confidence interval d̄ ± t·s/√n, where t is a quantile of Student's
// t-distribution.
func studentInterval(of moments, level float64) (lo, hi float64) {
	half := float64(studentQuantile(1-level, of.n-1) * math.Sqrt(of.variance/float64(of.n)))
	return math.Ldexp(of.mean-half, of.exponent), math.Ldexp(of.mean+half, of.exponent)
}

// holm returns p-values corrected by Holm's method.
func holm(p []float64) []float64 {
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	corrected := make([]float64, len(p))
	least := 0.0
	for i, at := range order {
		least = max(least, min(1, float64(len(p)-i)*p[at]))
		corrected[at] = least
	}
	return corrected
}

func bonferroni(p []float64) []float64 {
	corrected := make([]float64, len(p))
	for i, x := range p {
		corrected[i] = min(1, float64(len(p))*x)
	}
	return corrected
}
