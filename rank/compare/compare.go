// Package compare tells whether systems differ by more than chance: [Compare] tests their values on
// the same queries, corrects for the number of pairs, and gives confidence intervals, sizes of
// effects and how many queries would show them. [Values] does it for any values.
package compare

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/parallel"
	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/rank"
)

// A System is a ranker under comparison: its results on the same queries as the others'.
type System struct {
	Name    string
	Results *rank.Results
}

// Options are the choices of [Compare]; the zero value is useful.
type Options struct {
	// Test is the test of the values of two systems, two-sided:
	//
	//	randomization  Fisher's randomization (permutation) test, which Smucker et al. (2007)
	//	               recommend for comparing rankers. p is (c+1)/(Rounds+1), where c of the
	//	               rounds of random signs of the differences give a mean at least as far from
	//	               0. Means that are equal but for rounding count as equal. The default.
	//	t              Student's t-test of n−1 degrees of freedom: t = d̄/(s/√n), with d̄ the mean
	//	               and s the standard deviation of the n differences. p is 1 if all
	//	               differences are 0, and 0 if all are the same otherwise.
	//	wilcoxon       Wilcoxon's signed-rank test (1945). Pairs without difference are dropped.
	//	               p is exact for up to 50 pairs of different |d|, and by the normal
	//	               distribution with correction for ties otherwise. Differences that are equal
	//	               but for rounding, such as 0.3 − 0.2 and 0.2 − 0.1, are equal: they may
	//	               differ by 1e-12 of the larger value of a pair.
	Test string `json:"test"`

	AllPairs bool `json:"all_pairs"` // compare every two systems, not only each with the first

	// Correction makes up for testing many pairs of systems at once:
	//
	//	holm        Holm's method (1979): p-values sorted ascending, the i-th of m, from 0, times
	//	            m−i, never below the one before it and at most 1. The default.
	//	bonferroni  p times the number of pairs, at most 1.
	//	tukey-hsd   the randomized version of Tukey's test of honestly significant differences
	//	            (Carterette 2012), for the randomization test. In each round the values of
	//	            every query are dealt to the systems at random. p is (c+1)/(Rounds+1), where
	//	            in c of the rounds the largest mean and the smallest are at least as far apart
	//	            as those of the pair. So the chance of any false find among all pairs is
	//	            bounded.
	Correction string `json:"correction"`

	// Interval is the confidence interval of the mean difference:
	//
	//	bootstrap  the percentile bootstrap (Efron 1979): from the means of Rounds samples of
	//	           the differences with replacement. The default.
	//	t          Student's interval d̄ ± t·s/√n, with t what the distribution of n−1 degrees of
	//	           freedom is within with the probability Level.
	Interval string `json:"interval"`

	// Rounds of randomization and of the bootstrap, up to 2³⁰. 0 means 100000, and an exact
	// randomization test if at most 20 queries differ: p is c/2ⁿ of all signs of these n.
	Rounds int     `json:"-"`
	Level  float64 `json:"confidence_level"` // of the confidence intervals; 0 means 0.95
	Seed   uint64  `json:"-"`                // of what is drawn; simdrank compare has 1 by default

	// Power asks how many queries a t-test needs to find MinDifference between two means or, if
	// that is 0, the difference observed, with this probability, such as 0.8, at the level of
	// significance 0.05. The standard deviation is the observed one. 0 does not ask.
	Power         float64 `json:"power,omitempty"`
	MinDifference float64 `json:"min_difference,omitempty"`

	Threads int `json:"-"` // goroutines; 0 or less means GOMAXPROCS. Results do not depend on it

	// Progress reports the rounds of all tests and intervals; see the comment of package rank.
	Progress func(done, total int64) `json:"-"`
}

// significant is the p-value below which a difference is significant.
const significant = 0.05

// tickRounds is the number of rounds between two calls of Progress.
const tickRounds = 1 << 11

// A Table sets systems against the first of them, the baseline, or against each other.
type Table struct {
	Options       // those of the comparison, with defaults set
	Systems []Row `json:"systems"`
}

// A Row is a system of the table.
type Row struct {
	Name    string `json:"name"`
	Metrics []Cell `json:"metrics"`
}

// A Cell is a mean over the queries that every system was scored on, and how it differs from
// the baseline's or, where all pairs are compared, from that of each system before this one.
type Cell struct {
	Metric      rank.Metric  `json:"metric"`
	Queries     int          `json:"queries"`
	Mean        float64      `json:"mean"`
	Differences []Difference `json:"differences,omitempty"` // none for the first system
}

// A Difference is that of a system's mean and another one's.
type Difference struct {
	Against    string  `json:"against"` // the other system's name; "" if made by [Values]
	Mean       float64 `json:"mean"`
	Low        float64 `json:"low"` // confidence interval
	High       float64 `json:"high"`
	P          float64 `json:"p"`
	Exact      bool    `json:"exact"`       // P is a count of all signs, neither drawn nor approximated
	CorrectedP float64 `json:"p_corrected"` // P corrected for the number of pairs

	// CohenD is the size of the effect, Cohen's d of paired values: the mean over the standard
	// deviation of the differences of queries. HedgesG is d·Γ(ν/2)/(√(ν/2)·Γ((ν−1)/2)) for ν+1
	// queries (Hedges 1981), which is not biased. Both are 0 where all differences are the same.
	CohenD  float64 `json:"cohen_d"`
	HedgesG float64 `json:"hedges_g"`

	// Needed is the number of queries that Options.Power asks for; 0 where it does not, and where
	// 2³⁰ are too few.
	Needed int `json:"queries_needed,omitempty"`

	Better int `json:"better"`
	Worse  int `json:"worse"` // queries on which the system is better and worse
}

// Names of tests, corrections and intervals that more than the check below asks for.
const (
	randomization = "randomization"
	student       = "t" // the test, and the interval
	bootstrapped  = "bootstrap"
	tukey         = "tukey-hsd"
)

// OptionWords returns the words that a field of [Options] accepts, the default first. The kind is
// test, correction or interval.
func OptionWords(kind string) []string { return slices.Clone(optionWords[kind]) }

var optionWords = map[string][]string{
	"test":       {randomization, student, "wilcoxon"},
	"correction": {"holm", "bonferroni", tukey},
	"interval":   {bootstrapped, student},
}

// check completes options.
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
		return errs.Errorf("compare", "%d rounds: want 1 to %d, or 0 for the default", o.Rounds, maxRounds)
	case !(o.Level > 0 && o.Level < 1):
		return errs.Errorf("compare", "confidence level %v: want one between 0 and 1", o.Level)
	case o.Correction == tukey && o.Test != randomization:
		return errs.Errorf("compare", "Tukey's HSD is a randomization test here, and does not correct the test %v", o.Test)
	case !(o.Power >= 0 && o.Power < 1):
		return errs.Errorf("compare", "power %v: want one between 0 and 1", o.Power)
	case !(o.MinDifference >= 0) || math.IsInf(o.MinDifference, 0):
		return errs.Errorf("compare", "least difference %v: want a finite one of 0 or more", o.MinDifference)
	case o.MinDifference > 0 && o.Power == 0:
		return errs.Errorf("compare", "a least difference of %v is for the number of queries, which a power asks for",
			o.MinDifference)
	}
	return nil
}

// Compare tests systems against the first of them, or against each other, metric by metric. All
// must have the same metrics and queries. A query that is skipped for one system does not enter for
// any, and all others count alike: the weights of queries, by which [rank.Results] have their
// means, do not enter. p-values are corrected for the pairs of a metric. The metric
// pair-accuracy-pooled, which has no mean over queries, is an error.
// The same seed gives the same results, with any number of threads.
//
// [Values] compares systems by values of your own.
func Compare(ctx context.Context, systems []System, o Options) (*Table, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	if len(systems) < 2 {
		return nil, errs.Errorf("compare", "%d systems to compare: want two or more", len(systems))
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
	c := &Table{Options: o, Systems: make([]Row, len(systems))}
	for i, s := range systems {
		c.Systems[i] = Row{Name: s.Name, Metrics: make([]Cell, len(base.Results.Metrics))}
	}
	values := make([][][]float64, len(base.Results.Metrics)) // of each metric and system
	for m := range values {
		var err error
		if values[m], err = common(systems, m); err != nil {
			return nil, err
		}
	}
	differences, err := o.differ(ctx, values, len(systems))
	if err != nil {
		return nil, err
	}
	for m, of := range differences {
		for i, d := range of {
			for k := range d {
				d[k].Against = systems[k].Name
			}
			c.Systems[i].Metrics[m] = Cell{Metric: base.Results.Metrics[m].Metric, Queries: len(values[m][i]),
				Mean: mean(values[m][i]), Differences: d}
		}
	}
	return c, nil
}

// Values tests systems as [Compare] does, by values of your own: values[s][q] is the value of
// system s on query q. It returns the differences of each system, none for the first one: from the
// first system or, with Options.AllPairs, from each one before it. With zeros for the first system,
// these are the means of the others and their intervals. It returns an error if there are fewer
// than two systems or two queries, systems have different numbers of values, or a value is NaN or
// infinite.
func Values(ctx context.Context, values [][]float64, o Options) ([][]Difference, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	if len(values) < 2 || len(values[0]) < 2 {
		return nil, errs.New("compare", "a test needs at least two systems with two values each")
	}
	for s, v := range values {
		if len(v) != len(values[0]) {
			return nil, errs.Errorf("compare", "system %d has %d values, the first one has %d", s+1, len(v),
				len(values[0]))
		}
		for q, x := range v {
			if !(math.Abs(x) <= math.MaxFloat64/2) {
				return nil, errs.Errorf("compare", "value %d of system %d is %v: differences would not be finite",
					q+1, s+1, x)
			}
		}
	}
	differences, err := o.differ(ctx, [][][]float64{values}, len(values))
	if err != nil {
		return nil, err
	}
	return differences[0], nil
}

// differ returns the differences of each system by metric, of values by metric, system and query.
func (o *Options) differ(ctx context.Context, values [][][]float64, systems int) ([][][]Difference, error) {
	var pairs [][2]int
	differences := make([][][]Difference, len(values))
	for m := range values {
		differences[m] = make([][]Difference, systems)
	}
	for i := range systems {
		against := min(i, 1)
		if o.AllPairs {
			against = i
		}
		for j := range against {
			pairs = append(pairs, [2]int{i, j})
		}
		for m := range values {
			differences[m][i] = make([]Difference, against)
		}
	}
	threads := parallel.Threads(o.Threads)
	progress := o.progress(len(values), len(pairs))
	err := parallel.For(ctx, threads, len(values)*len(pairs), func(_, task int) {
		m, pair := task/len(pairs), pairs[task%len(pairs)]
		o.measure(ctx, &differences[m][pair[0]][pair[1]], values[m][pair[0]], values[m][pair[1]],
			max(1, threads/(len(values)*len(pairs))), progress)
	})
	if err != nil {
		return nil, err
	}
	for m := range values {
		ps := make([]float64, len(pairs))
		for k, pair := range pairs {
			ps[k] = differences[m][pair[0]][pair[1]].P
		}
		switch o.Correction {
		case "holm":
			ps = holm(ps)
		case "bonferroni":
			ps = bonferroni(ps)
		case tukey:
			all, err := tukeyHSD(ctx, values[m], o.Rounds, o.Seed, threads, progress)
			if err != nil {
				return nil, err
			}
			for k, pair := range pairs {
				ps[k] = all[pair[0]][pair[1]]
			}
		}
		for k, pair := range pairs {
			differences[m][pair[0]][pair[1]].CorrectedP = ps[k]
		}
	}
	progress.Finish()
	return differences, nil
}

// progress returns what counts rounds, of all that there are.
func (o *Options) progress(metrics, pairs int) *parallel.Progress {
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
	return parallel.NewProgress(o.Progress, int64(total*metrics)*int64(cmp.Or(o.Rounds, defaultRounds)))
}

// common returns the values of metric m by system, of the queries on which all systems have one.
func common(systems []System, m int) ([][]float64, error) {
	metric := systems[0].Results.Metrics[m].Metric
	if metric.Pooled() {
		return nil, errs.Errorf("compare", "%v is a share of the pairs of all queries together, which no test of queries compares: want pair-accuracy",
			metric)
	}
	values := make([][]float64, len(systems))
	for q, id := range systems[0].Results.QueryIDs {
		if slices.ContainsFunc(systems, func(s System) bool { return math.IsNaN(s.Results.Metrics[m].Values[q]) }) {
			continue
		}
		for i, s := range systems {
			v := s.Results.Metrics[m].Values[q]
			if math.Abs(v) > math.MaxFloat64/2 {
				return nil, errs.Errorf("compare", "%v of %s is %v on query %q: differences would not be finite",
					metric, s.Name, v, id)
			}
			values[i] = append(values[i], v)
		}
	}
	if len(values[0]) < 2 {
		return nil, errs.Errorf("compare", "%v is defined on %d of the queries for every system, want two or more", metric,
			len(values[0]))
	}
	return values, nil
}

// alike checks that two systems were measured alike.
func alike(a, b System) error {
	if len(a.Results.Metrics) != len(b.Results.Metrics) {
		return errs.Errorf("compare", "%s has %d metrics, %s has %d", a.Name, len(a.Results.Metrics), b.Name,
			len(b.Results.Metrics))
	}
	for m := range a.Results.Metrics {
		if x, y := a.Results.Metrics[m].Metric, b.Results.Metrics[m].Metric; x != y {
			return errs.Errorf("compare", "%s has the metric %v where %s has %v", a.Name, x, b.Name, y)
		}
	}
	if len(a.Results.QueryIDs) != len(b.Results.QueryIDs) {
		return errs.Errorf("compare", "%s has %d queries, %s has %d", a.Name, len(a.Results.QueryIDs), b.Name,
			len(b.Results.QueryIDs))
	}
	for q, id := range a.Results.QueryIDs {
		if other := b.Results.QueryIDs[q]; id != other {
			return errs.Errorf("compare", "query %d of %s is %q, of %s %q", q+1, a.Name, id, b.Name, other)
		}
	}
	return nil
}

// measure sets all of a difference but what it is against and the corrected p-value. It leaves off
// where ctx ends.
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
	m := momentsOf(d)
	to.Mean = math.Ldexp(m.mean, m.exponent)
	var test testResult
	switch o.Test {
	case student:
		test = studentT(m)
	case "wilcoxon":
		test = wilcoxon(d, a, b)
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
	switch o.Interval {
	case bootstrapped:
		to.Low, to.High, _ = bootstrap(ctx, d, o.Level, o.Rounds, o.Seed, threads, progress)
	case student:
		to.Low, to.High = studentInterval(m, o.Level)
	}
}
