package compare

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/simdrank/simdrank/internal/num"
	"github.com/simdrank/simdrank/internal/parallel"
)

// A TestResult is the outcome of a test of paired values.
type TestResult struct {
	N         int     // pairs that entered
	Statistic float64 // as the test says
	P         float64 // two-sided
	Exact     bool    // P is a count of all signs, neither drawn nor approximated
}

var errTooFewPairs = errors.New("compare: a test needs at least two pairs of values")

// differences returns a − b.
func differences(a, b []float64) ([]float64, error) {
	if len(a) != len(b) {
		return nil, fmt.Errorf("compare: a test of %d and %d values: want pairs", len(a), len(b))
	}
	if len(a) < 2 {
		return nil, errTooFewPairs
	}
	d := make([]float64, len(a))
	for i := range a {
		if d[i] = minus(a[i], b[i]); math.IsNaN(d[i]) || math.IsInf(d[i], 0) {
			return nil, fmt.Errorf("compare: pair %d: the difference of %v and %v is not finite", i+1, a[i], b[i])
		}
	}
	return d, nil
}

// roundingShare is the share of values by which they differ if they are equal but for rounding.
// Those of metrics are sums and quotients of many numbers, each of which was rounded.
const roundingShare = 1e-12

// minus returns a − b, which is 0 if they are equal but for rounding.
func minus(a, b float64) float64 {
	d := a - b
	if math.Abs(d) < roundingShare*max(math.Abs(a), math.Abs(b)) {
		return 0
	}
	return d
}

// scaled returns values times 2^−exponent, the largest of which is below 1: neither their sums
// overflow nor do their squares, and these are not lost either.
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

// TTest is Student's t-test of paired values: the statistic is
//
//	t = d̄ / (s/√n)
//
// with d̄ the mean and s the standard deviation of the n differences a−b, and follows Student's
// distribution of n−1 degrees of freedom. Differences that are all 0 give t = 0 and p = 1; all the
// same otherwise, an infinite t and p = 0.
func TTest(a, b []float64) (TestResult, error) {
	d, err := differences(a, b)
	if err != nil {
		return TestResult{}, err
	}
	return studentT(momentsOf(d)), nil
}

func studentT(of moments) TestResult {
	r := TestResult{N: of.n, P: 1}
	if of.mean != 0 {
		r.Statistic = of.mean / math.Sqrt(of.variance/float64(of.n))
		r.P = num.StudentTails(r.Statistic, of.n-1)
	}
	return r
}

// moments are those of n values times 2^−exponent, see [scaled].
type moments struct {
	n        int
	mean     float64
	variance float64 // unbiased; 0 where all values are the same
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
	// The mean is rounded: without that the sum would be 0 (Chan, Golub and LeVeque 1983).
	n := float64(len(v))
	return moments{len(v), m, max(squares-float64(sum*sum)/n, 0) / (n - 1), exponent}
}

// wilcoxonExact is the largest number of pairs whose distribution is counted.
const wilcoxonExact = 50

// WilcoxonTest is Wilcoxon's signed-rank test of paired values (1945): the statistic is the smaller
// of the sums of ranks of |a−b| over the positive and over the negative differences. Pairs without
// difference are dropped; N is the number of the others. The p-value is exact for up to 50 pairs of
// different |a−b|, and by the normal distribution with correction for ties otherwise. Differences
// that are equal but for rounding, such as 0.3 − 0.2 and 0.2 − 0.1, are equal: they may differ by
// 1e-12 of the larger value of a pair.
func WilcoxonTest(a, b []float64) (TestResult, error) {
	d, err := differences(a, b)
	if err != nil {
		return TestResult{}, err
	}
	return wilcoxon(d, a, b), nil
}

// wilcoxon is the test of the differences d of a and b.
func wilcoxon(d, a, b []float64) TestResult {
	type pair struct{ size, rounding, d float64 }
	pairs := make([]pair, 0, len(d))
	for i, x := range d {
		if x != 0 {
			pairs = append(pairs, pair{math.Abs(x), float64(roundingShare * max(math.Abs(a[i]), math.Abs(b[i]))), x})
		}
	}
	n := len(pairs)
	if n == 0 {
		return TestResult{P: 1, Exact: true}
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
	r := TestResult{N: n, Statistic: min(plus, minus)}
	if n <= wilcoxonExact && ties == 0 {
		r.P, r.Exact = wilcoxonP(n, int(r.Statistic)), true
		return r
	}
	f := float64(n)
	sd := math.Sqrt((float64(f*(f+1)*(2*f+1)) - float64(ties/2)) / 24)
	z := (r.Statistic - float64(f*(f+1)/4)) / sd
	r.P = num.NormalTails(z)
	return r
}

// wilcoxonP is twice the share of the 2ⁿ signs of ranks 1 to n whose positive ranks add up to
// w or less.
func wilcoxonP(n, w int) float64 {
	ways := make([]float64, w+1) // subsets of the ranks with each sum: at most 2⁵⁰, so exact
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

// BootstrapInterval returns the percentile bootstrap confidence interval (Efron 1979) of the mean
// difference a−b at a level such as 0.95, from the given number of samples of the pairs with
// replacement; 0 means 100000. The same seed gives the same interval, with any number of
// processors.
//
// With zeros for b it is the interval of the mean of a, such as that of a metric of one system. NaN
// is an error: leave out the queries that rank.Results have as NaN, which were skipped.
func BootstrapInterval(a, b []float64, level float64, rounds int, seed uint64) (lo, hi float64, err error) {
	if err := checkLevel(level); err != nil {
		return 0, 0, err
	}
	if err := checkRounds(rounds); err != nil {
		return 0, 0, err
	}
	d, err := differences(a, b)
	if err != nil {
		return 0, 0, err
	}
	return bootstrap(context.Background(), d, level, rounds, seed, parallel.Threads(0), func(int) {})
}

func checkLevel(level float64) error {
	if !(level > 0 && level < 1) {
		return fmt.Errorf("compare: confidence level %v: want one between 0 and 1", level)
	}
	return nil
}

// bootstrap is the interval of differences. It calls made with the number of rounds after some of
// them.
func bootstrap(ctx context.Context, d []float64, level float64, rounds int, seed uint64, threads int,
	made func(rounds int)) (lo, hi float64, err error) {
	rounds = cmp.Or(rounds, defaultRounds)
	means := make([]float64, rounds)
	v, exponent := scaled(d)
	s := newSampler(v, num.NewPCG(seed, 0xb5ad4eceda1ce2a9))
	if err := s.sample(ctx, means, threads, made); err != nil {
		return 0, 0, err
	}
	slices.Sort(means)
	at := func(p float64) float64 { // linear between the order statistics
		x := float64(p * float64(rounds-1))
		i := min(int(x), rounds-1)
		j := min(i+1, rounds-1)
		return means[i] + float64((x-float64(i))*(means[j]-means[i]))
	}
	return math.Ldexp(at((1-level)/2), exponent), math.Ldexp(at((1+level)/2), exponent), nil
}

// A sampler draws values with replacement. It takes the numbers of a stream as the IntN of
// math/rand/v2 does, which draws anew where the lower half of a product with the number of values
// is below a bound, the remainder of 2⁶⁴ divided by that number.
type sampler struct {
	values []float64
	stream num.PCG
	shift  int // of a number, to take as many of its lower bits as a power of two has
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

// sample sets means to those of samples as large as the values, one after the other. Goroutines
// share them by the places of their numbers in the stream, as if none was drawn anew. After a block
// with one that was, of which there is less than one in 2⁶⁴/n, the others begin again, further on.
func (s *sampler) sample(ctx context.Context, means []float64, threads int, made func(rounds int)) error {
	for stream := s.stream; len(means) > 0; {
		blocks := (len(means) + tickRounds - 1) / tickRounds
		more := make([]uint64, blocks) // numbers drawn anew
		err := parallel.For(ctx, threads, blocks, func(_, block int) {
			first := block * tickRounds
			part := means[first:min(first+tickRounds, len(means))]
			more[block] = s.block(part, stream.Every(uint64(first)*uint64(len(s.values)), 1))
			if stream == s.stream {
				made(len(part))
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

// block sets means to those of samples, and returns how many numbers were drawn anew.
func (s *sampler) block(means []float64, stream num.PCG) (more uint64) {
	var words [256]uint64
	for k := range means {
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

// TInterval returns Student's confidence interval of the mean difference a−b at a level such as
// 0.95: d̄ ± t·s/√n, with d̄ the mean and s the standard deviation of the n differences, and t what
// Student's distribution of n−1 degrees of freedom is within with the probability of the level.
func TInterval(a, b []float64, level float64) (lo, hi float64, err error) {
	if err := checkLevel(level); err != nil {
		return 0, 0, err
	}
	d, err := differences(a, b)
	if err != nil {
		return 0, 0, err
	}
	lo, hi = studentInterval(momentsOf(d), level)
	return lo, hi, nil
}

func studentInterval(of moments, level float64) (lo, hi float64) {
	half := float64(studentQuantile(1-level, of.n-1) * math.Sqrt(of.variance/float64(of.n)))
	return math.Ldexp(of.mean-half, of.exponent), math.Ldexp(of.mean+half, of.exponent)
}

// Holm returns p-values adjusted for testing all of their hypotheses together (Holm 1979): sorted
// ascending, the i-th of m, from 0, times m−i, never below the one before it and at most 1. A NaN
// stands for no test and stays NaN.
func Holm(p []float64) []float64 {
	order := make([]int, 0, len(p))
	for i, x := range p {
		if !math.IsNaN(x) {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	adjusted := slices.Clone(p)
	least := 0.0
	for i, at := range order {
		least = max(least, min(1, float64(len(order)-i)*p[at]))
		adjusted[at] = least
	}
	return adjusted
}

// Bonferroni returns p-values adjusted for testing all of their hypotheses together: times their
// number, at most 1. A NaN stands for no test and stays NaN.
func Bonferroni(p []float64) []float64 {
	tests := 0
	for _, x := range p {
		if !math.IsNaN(x) {
			tests++
		}
	}
	adjusted := slices.Clone(p)
	for i, x := range p {
		adjusted[i] = min(1, float64(tests)*x)
	}
	return adjusted
}
