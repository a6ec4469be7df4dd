// Package compare tests whether ranking systems differ significantly.
//
// Start with [Compare]: it tests the metric values of systems on the same queries and corrects the
// p-values for the number of pairs. It also computes confidence intervals, effect sizes and
// required sample sizes. [Means] computes the means of one system with confidence intervals. Both
// functions also report results for query groups. [Table.Write] prints the result. Use [Values] to
// compare values of your own.
//
// Errors have messages that name the system, metric or option; there are no error types to test
// for. If the context ends, functions return its error.
package compare

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/num"
	"github.com/simdrank/simdrank/internal/parallel"
	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/rank"
)

// A System is a ranker to compare, with its results. All systems must have results for the same
// queries.
type System struct {
	Name    string
	Results *rank.Results
}

// Options configures [Compare], [Means] and [Values]. The zero value is ready for use.
type Options struct {
	// Test is the two-sided test for the values of two systems:
	//
	//	randomization  Fisher's randomization (permutation) test, which Smucker et al. (2007)
	//	               recommend for comparing rankers. Each round assigns random signs to the
	//	               differences. If in c rounds the mean is at least as far from 0 as observed,
	//	               p is (c+1)/(Rounds+1). Means that differ only by rounding count as equal.
	//	               The default.
	//	t              Student's t-test with n−1 degrees of freedom: t = d̄/(s/√n). The n
	//	               differences have the mean d̄ and the standard deviation s. p is 1 if all
	//	               differences are 0, and 0 if all are equal but not 0.
	//	wilcoxon       Wilcoxon's signed-rank test (1945). Pairs without a difference are dropped.
	//	               p is exact for up to 50 pairs if no two |d| are equal. Otherwise it uses a
	//	               normal approximation, corrected for ties. Differences that vary only by
	//	               rounding, such as 0.3 − 0.2 and 0.2 − 0.1, count as equal. The tolerance is
	//	               1e-12 times the larger value of a pair.
	//	sign           The sign test. It compares the number of positive differences with the
	//	               binomial distribution for probability ½. Differences of 0 are dropped. p is
	//	               exact.
	Test string `json:"test"`

	// AllPairs compares each pair of systems. By default, systems are compared only with the first.
	AllPairs bool `json:"all_pairs"`

	// Correction corrects the p-values for testing several pairs of systems:
	//
	//	holm        Holm's method (1979). The p-values are sorted in ascending order, and the i-th
	//	            of m, counted from 0, is multiplied by m−i. A corrected value is at least the
	//	            previous corrected value and at most 1. The default.
	//	bonferroni  p times the number of pairs, at most 1.
	//	tukey-hsd   the randomized version of Tukey's test of honestly significant differences
	//	            (Carterette 2012). It requires the randomization test. Each round permutes the
	//	            values of every query among the systems at random. If in c rounds the
	//	            difference between the largest and the smallest mean is at least the observed
	//	            difference of the pair, p is (c+1)/(Rounds+1). This bounds the probability of
	//	            any false positive among all pairs.
	Correction string `json:"correction"`

	// Interval is the method for the confidence interval of a mean difference or, in [Means], of a
	// mean:
	//
	//	bootstrap  the expanded percentile bootstrap (Hesterberg 2015). It samples the values
	//	           Rounds times with replacement. The limits are percentiles of the sample means.
	//	           The percentiles are farther apart than those of Efron (1979), whose intervals
	//	           are too short for few queries. The default.
	//	student    Student's interval d̄ ± t·s/√n. A variable with Student's distribution of n−1
	//	           degrees of freedom is within ±t with probability Level.
	//	none       the limits are NaN.
	Interval string `json:"interval"`

	// Groups, if not nil, is the group name of each query, for example its category. [Compare] and
	// [Means] then also report each group's results in Table.ByGroup. [Compare] corrects the
	// p-values in groups for all pairs in all groups, separately from the p-values on all queries.
	// The correction tukey-hsd is not supported.
	Groups []string `json:"-"`

	// Rounds is the number of randomization and bootstrap rounds, at most 2³⁰. The default is
	// 100000. If Rounds is 0 and at most 20 queries differ, the randomization test is exact. It
	// counts all 2ⁿ sign combinations of these n differences, and p is c/2ⁿ.
	Rounds int `json:"-"`
	// Level is the level of the confidence intervals. The default is 0.95.
	Level float64 `json:"confidence_level"`
	// Seed is the random seed. The default is 0; the command simdrank compare uses 1.
	Seed uint64 `json:"-"`

	// Power, if positive, is the statistical power of a t-test, for example 0.8. Compare then
	// computes the number of queries that the test needs to detect a difference between two means.
	// The significance level is 0.05. The difference is MinDifference or, if that is 0, the
	// observed difference. The standard deviation is estimated from the observed differences. See
	// [Difference].
	Power         float64 `json:"power,omitempty"`
	MinDifference float64 `json:"min_difference,omitempty"`

	// Threads is the number of goroutines. If it is 0 or negative, GOMAXPROCS goroutines are used.
	// Results do not depend on it.
	Threads int `json:"-"`

	// Progress reports the rounds of all tests and intervals; see the comment of package rank.
	Progress func(done, total int64) `json:"-"`
}

// significant is the level of significance: smaller p-values are significant.
const significant = 0.05

// tickRounds is the number of rounds between two calls of Progress.
const tickRounds = 1 << 11

// A Table contains the results of [Compare] or [Means]. Compare compares the systems with the first
// system (the baseline) or with each other.
type Table struct {
	Options         // options of the comparison, including defaults
	Systems []Row   `json:"systems"`
	ByGroup []Group `json:"groups,omitempty"` // results of each group in Options.Groups, worst first
}

// A Row contains the results of one system.
type Row struct {
	Name    string `json:"name"`
	Metrics []Cell `json:"metrics"`
}

// A Cell contains the mean of a system over the queries on which every system has a value. It also
// contains the differences from the baseline or, if all pairs are compared, from each earlier
// system. A mean over no queries is NaN, which is null in JSON.
type Cell struct {
	Metric      rank.Metric  `json:"metric"`
	Queries     int          `json:"queries"`
	Mean        float64      `json:"mean"`
	Low         float64      `json:"low"` // lower limit of the interval, which [Means] computes; otherwise NaN
	High        float64      `json:"high"`
	Differences []Difference `json:"differences,omitempty"` // empty for the first system
}

// A Difference compares the mean of a system with the mean of another system. In a group with fewer
// than two queries, the interval, the p-values and the effect sizes are NaN, which is null in JSON.
type Difference struct {
	Against string  `json:"against"` // name of the other system; "" if made by [Values]
	Mean    float64 `json:"mean"`
	Low     float64 `json:"low"` // lower limit of the confidence interval; NaN if Options.Interval is none
	High    float64 `json:"high"`
	P       float64 `json:"p"`
	// Exact reports whether P is the exact probability over all combinations of signs.
	Exact      bool    `json:"exact"`
	CorrectedP float64 `json:"p_corrected"` // P corrected for the number of pairs

	// CohenD is the effect size, Cohen's d of paired values: the mean of the differences divided by
	// their standard deviation. HedgesG is the unbiased version of CohenD,
	// d·Γ(ν/2)/(√(ν/2)·Γ((ν−1)/2)) for ν+1 queries (Hedges 1981). Both are 0 if all differences are
	// equal.
	CohenD  float64 `json:"cohen_d"`
	HedgesG float64 `json:"hedges_g"`

	// Needed is the number of queries that a t-test needs; see Options.Power. It is 0 if Power is 0
	// or if more than 2³⁰ queries would be needed.
	Needed int `json:"queries_needed,omitempty"`

	Better int `json:"better"`
	Worse  int `json:"worse"` // number of queries on which the system is better or worse
}

// These are names of tests, corrections and intervals.
const (
	randomization = "randomization"
	studentTest   = "t"
	bootstrapped  = "bootstrap"
	student       = "student"
	tukey         = "tukey-hsd"
)

// OptionWords returns the words that a field of [Options] accepts, with the default first. Valid
// kinds are test, correction and interval.
func OptionWords(kind string) []string { return slices.Clone(optionWords[kind]) }

var optionWords = map[string][]string{
	"test":       {randomization, studentTest, "wilcoxon", "sign"},
	"correction": {"holm", "bonferroni", tukey},
	"interval":   {bootstrapped, student, "none"},
}

// check returns an error if an option is invalid, and sets the defaults.
func (o *Options) check() error {
	for _, choice := range []struct {
		kind string
		word *string
	}{{"test", &o.Test}, {"correction", &o.Correction}, {"interval", &o.Interval}} {
		var err error
		*choice.word, err = text.Choose("compare", choice.kind, optionWords[choice.kind], *choice.word)
		if err != nil {
			return err
		}
	}
	if o.Level == 0 {
		o.Level = 0.95
	}
	switch {
	case o.Rounds < 0 || o.Rounds > maxRounds:
		return errs.Errorf("compare", "the number of rounds is %d; it must be from 1 to %d, or 0 for the default", o.Rounds, maxRounds)
	case !(o.Level > 0 && o.Level < 1):
		return errs.Errorf("compare", "the confidence level is %v; it must be greater than 0 and less than 1", o.Level)
	case o.Correction == tukey && o.Test != randomization:
		return errs.Errorf("compare", "Tukey's HSD requires the randomization test, not %v", o.Test)
	case o.Correction == tukey && o.Groups != nil:
		return errs.New("compare", "Tukey's HSD is not supported for groups of queries")
	case !(o.Power >= 0 && o.Power < 1):
		return errs.Errorf("compare", "the power is %v; it must be at least 0 and less than 1", o.Power)
	case !(o.MinDifference >= 0) || math.IsInf(o.MinDifference, 0):
		return errs.Errorf("compare", "the minimum difference is %v; it must be finite and not negative", o.MinDifference)
	case o.MinDifference > 0 && o.Power == 0:
		return errs.Errorf("compare", "MinDifference (%v) requires Power",
			o.MinDifference)
	}
	return nil
}

// Compare tests each metric of the systems against the first system or, with Options.AllPairs,
// against each other system. All systems must have the same metrics and queries. Queries that are
// skipped for any system are excluded for all. All queries count equally, as in the means of
// [rank.Results]. The p-values of each metric are corrected for the number of system pairs. Compare
// returns an error for pair-accuracy-pooled, which has no mean over queries. The same seed produces
// the same results with any number of threads.
//
// Use [Values] to compare systems by values of your own.
func Compare(ctx context.Context, systems []System, o Options) (*Table, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	if len(systems) < 2 {
		return nil, errs.Errorf("compare", "the number of systems is %d; it must be at least 2", len(systems))
	}
	for _, s := range systems {
		if s.Results == nil {
			return nil, errs.Errorf("compare", "%s has no results", s.Name)
		}
	}
	base := systems[0]
	for _, s := range systems[1:] {
		if err := alike(base, s); err != nil {
			return nil, err
		}
	}
	parts, err := o.parts(base.Results)
	if err != nil {
		return nil, err
	}
	metrics := len(base.Results.Metrics)
	families := make([][]sample, metrics*min(len(parts), 2)) // of all queries, then of the groups
	for m := range metrics {
		for k := range parts {
			values, err := common(systems, m, parts[k].queries)
			if err != nil {
				return nil, err
			}
			family := &families[min(k, 1)*metrics+m]
			*family = append(*family, sample{values: values})
		}
		if n := len(families[m][0].values[0]); n < 2 {
			return nil, errs.Errorf("compare", "%v is defined for every system on %d queries; at least 2 are required",
				base.Results.Metrics[m].Metric, n)
		}
	}
	if err := o.differ(ctx, families, len(systems)); err != nil {
		return nil, err
	}
	for k := range parts {
		parts[k].Systems = make([]Row, len(systems))
		for i, system := range systems {
			row := Row{Name: system.Name, Metrics: make([]Cell, metrics)}
			for m := range row.Metrics {
				s := families[min(k, 1)*metrics+m][max(k, 1)-1]
				for j := range s.differences[i] {
					s.differences[i][j].Against = systems[j].Name
				}
				row.Metrics[m] = Cell{Metric: base.Results.Metrics[m].Metric, Queries: len(s.values[i]),
					Mean: mean(s.values[i]), Low: math.NaN(), High: math.NaN(), Differences: s.differences[i]}
			}
			parts[k].Systems[i] = row
		}
	}
	return o.table(parts), nil
}

// Values is like [Compare] but tests values of your own: values[s][q] is the value of system s on
// query q. It returns the differences of each system from the first system or, with
// Options.AllPairs, from each earlier system. The first system has no differences. If all values of
// the first system are 0, the differences are the means of the other systems, with their confidence
// intervals. Values returns an error if there are fewer than two systems or two queries, if systems
// have different numbers of values, if a value is NaN or infinite, or if Options.Groups is set.
func Values(ctx context.Context, values [][]float64, o Options) ([][]Difference, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	if o.Groups != nil {
		return nil, errs.New("compare", "Groups requires Compare or Means")
	}
	if len(values) < 2 || len(values[0]) < 2 {
		return nil, errs.New("compare", "a test requires at least two systems with two values each")
	}
	for s, v := range values {
		if len(v) != len(values[0]) {
			return nil, errs.Errorf("compare", "system %d has %d values but the first system has %d", s+1, len(v),
				len(values[0]))
		}
		for q, x := range v {
			if !(math.Abs(x) <= math.MaxFloat64/2) {
				return nil, errs.Errorf("compare", "value %d of system %d is %v; values must be finite",
					q+1, s+1, x)
			}
		}
	}
	family := []sample{{values: values}}
	if err := o.differ(ctx, [][]sample{family}, len(values)); err != nil {
		return nil, err
	}
	return family[0].differences, nil
}

// A sample contains the values of a metric on some queries, and their differences.
type sample struct {
	values      [][]float64    // by system and query
	differences [][]Difference // by system and other system
}

// differ computes the differences of each sample. It corrects the p-values of each family of
// samples. Samples with fewer than two queries are not tested, and the correction ignores them.
func (o *Options) differ(ctx context.Context, families [][]sample, systems int) error {
	var pairs [][2]int
	var samples []*sample
	tested := 0 // samples
	for _, family := range families {
		for k := range family {
			samples = append(samples, &family[k])
			family[k].differences = make([][]Difference, systems)
			if len(family[k].values[0]) > 1 {
				tested++
			}
		}
	}
	for i := range systems {
		against := min(i, 1)
		if o.AllPairs {
			against = i
		}
		for j := range against {
			pairs = append(pairs, [2]int{i, j})
		}
		for _, s := range samples {
			s.differences[i] = make([]Difference, against)
		}
	}
	threads := parallel.Threads(o.Threads)
	progress := o.progress(tested, len(pairs))
	err := parallel.For(ctx, threads, len(samples)*len(pairs), func(_, task int) {
		s, pair := samples[task/len(pairs)], pairs[task%len(pairs)]
		o.measure(ctx, &s.differences[pair[0]][pair[1]], s.values[pair[0]], s.values[pair[1]],
			max(1, threads/(len(samples)*len(pairs))), progress)
	})
	if err != nil {
		return err
	}
	for _, family := range families {
		if err := o.correct(ctx, family, pairs, threads, progress); err != nil {
			return err
		}
	}
	progress.Finish()
	return nil
}

// correct corrects the p-values of a family of samples.
func (o *Options) correct(ctx context.Context, family []sample, pairs [][2]int, threads int,
	progress *parallel.Progress) error {
	var tests []*Difference
	var ps []float64
	for _, s := range family {
		for _, pair := range pairs {
			if d := &s.differences[pair[0]][pair[1]]; len(s.values[0]) > 1 {
				tests, ps = append(tests, d), append(ps, d.P)
			}
		}
	}
	switch o.Correction {
	case "holm":
		ps = holm(ps)
	case "bonferroni":
		ps = bonferroni(ps)
	case tukey: // the family is one sample of at least two queries
		all, err := tukeyHSD(ctx, family[0].values, o.Rounds, o.Seed, threads, progress)
		if err != nil {
			return err
		}
		for k, pair := range pairs {
			ps[k] = all[pair[0]][pair[1]]
		}
	}
	for k, d := range tests {
		d.CorrectedP = ps[k]
	}
	return nil
}

// progress returns the progress of a comparison, which counts rounds.
func (o *Options) progress(samples, pairs int) *parallel.Progress {
	total := 0
	if o.Test == randomization {
		total += pairs
	}
	if o.Interval == bootstrapped {
		total += pairs
	}
	if o.Correction == tukey {
		total++
	}
	return parallel.NewProgress(o.Progress, int64(total*samples)*int64(cmp.Or(o.Rounds, defaultRounds)))
}

// common returns the values of metric m for each system on some queries. It omits queries for which
// a system has no value.
func common(systems []System, m int, queries []int) ([][]float64, error) {
	metric := systems[0].Results.Metrics[m].Metric
	if metric.Pooled() {
		return nil, errs.Errorf("compare", "%v is pooled over all queries and cannot be tested per query (use pair-accuracy)",
			metric)
	}
	values := make([][]float64, len(systems))
	for _, q := range queries {
		if slices.ContainsFunc(systems, func(s System) bool { return math.IsNaN(s.Results.Metrics[m].Values[q]) }) {
			continue
		}
		for i, s := range systems {
			v := s.Results.Metrics[m].Values[q]
			if math.Abs(v) > math.MaxFloat64/2 {
				return nil, errs.Errorf("compare", "%v of %s is %v on query %q; values must be finite",
					metric, s.Name, v, s.Results.QueryIDs[q])
			}
			values[i] = append(values[i], v)
		}
	}
	return values, nil
}

// alike returns an error unless two systems were evaluated with the same metrics and queries.
func alike(a, b System) error {
	if len(a.Results.Metrics) != len(b.Results.Metrics) {
		return errs.Errorf("compare", "%s has %d metrics but %s has %d", a.Name, len(a.Results.Metrics), b.Name,
			len(b.Results.Metrics))
	}
	for m := range a.Results.Metrics {
		if x, y := a.Results.Metrics[m].Metric, b.Results.Metrics[m].Metric; x != y {
			return errs.Errorf("compare", "%s has the metric %v but %s has %v", a.Name, x, b.Name, y)
		}
	}
	if len(a.Results.QueryIDs) != len(b.Results.QueryIDs) {
		return errs.Errorf("compare", "%s has %d queries but %s has %d", a.Name, len(a.Results.QueryIDs), b.Name,
			len(b.Results.QueryIDs))
	}
	for q, id := range a.Results.QueryIDs {
		if other := b.Results.QueryIDs[q]; id != other {
			return errs.Errorf("compare", "query %d of %s is %q but query %[1]d of %[4]s is %[5]q",
				q+1, a.Name, id, b.Name, other)
		}
	}
	return nil
}

// measure compares the values a and b, and sets all fields of a difference except Against and
// CorrectedP. It returns early if ctx ends.
func (o *Options) measure(ctx context.Context, to *Difference, a, b []float64, threads int,
	progress *parallel.Progress) {
	d := make([]float64, len(a))
	for i := range a {
		d[i] = minus(a[i], b[i])
		switch {
		case d[i] > 0:
			to.Better++
		case d[i] < 0:
			to.Worse++
		}
	}
	to.Low, to.High = math.NaN(), math.NaN()
	if len(d) < 2 {
		to.Mean, to.P, to.CorrectedP = mean(d), math.NaN(), math.NaN()
		to.CohenD, to.HedgesG = math.NaN(), math.NaN()
		return
	}
	m := momentsOf(d)
	to.Mean = math.Ldexp(m.mean, m.exponent)
	var test testResult
	switch o.Test {
	case studentTest:
		test = studentT(m)
	case "wilcoxon":
		test = wilcoxon(d, a, b)
	case "sign":
		test = testResult{p: num.SignTails(to.Better+to.Worse, min(to.Better, to.Worse)), exact: true}
	case randomization:
		var err error
		if test, err = randomize(ctx, d, o.Rounds, o.Seed, threads, progress); err != nil {
			return
		}
	}
	to.P, to.Exact = test.p, test.exact
	sd := math.Sqrt(m.variance)
	if sd > 0 {
		to.CohenD = m.mean / sd
		to.HedgesG = float64(hedges(len(d)) * to.CohenD)
	}
	if o.Power > 0 {
		size := math.Abs(m.mean)
		if o.MinDifference > 0 {
			size = math.Ldexp(o.MinDifference, -m.exponent)
		}
		if size > 0 {
			to.Needed = queriesFor(size/sd, significant, o.Power)
		}
	}
	to.Low, to.High = o.interval(ctx, d, m, threads, progress)
}

// interval returns the confidence interval of the mean of at least two values. It returns NaN if no
// interval is wanted, and returns early if ctx ends.
func (o *Options) interval(ctx context.Context, values []float64, m moments, threads int,
	progress *parallel.Progress) (lo, hi float64) {
	switch o.Interval {
	case bootstrapped:
		lo, hi, _ = bootstrap(ctx, values, o.Level, o.Rounds, o.Seed, threads, progress)
		return lo, hi
	case student:
		return studentInterval(m, o.Level)
	}
	return math.NaN(), math.NaN()
}
