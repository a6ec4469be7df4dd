// Package compare tells whether systems differ by more than chance: [Compare] tests their values on
// the same queries, corrects for the number of pairs, and gives confidence intervals, sizes of
// effects and how many queries would show them. The tests themselves take any paired values.
package compare

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/simdrank/simdrank/internal/parallel"
	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/rank"
)

// A System is a ranker under comparison: its results on the same queries as the others'.
type System struct {
	Name    string
	Results *rank.Results
}

// A Test is a test of the values of two systems.
type Test uint8

const (
	TestRandomization Test = iota // [RandomizationTest]: the default
	TestStudent                   // [TTest]
	TestWilcoxon                  // [WilcoxonTest]
)

var testNames = []string{TestRandomization: "randomization", TestStudent: "t", TestWilcoxon: "wilcoxon"}

// ParseTest returns the test of a name: randomization, t or wilcoxon.
func ParseTest(name string) (Test, error) {
	return text.ParseEnum[Test]("compare: test", testNames, name)
}

// String returns the name that [ParseTest] reads.
func (t Test) String() string { return text.EnumName("Test", testNames, t) }

// MarshalText is String, for JSON.
func (t Test) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// UnmarshalText is [ParseTest].
func (t *Test) UnmarshalText(text []byte) (err error) {
	*t, err = ParseTest(string(text))
	return err
}

// A Correction makes up for testing many pairs of systems at once.
type Correction uint8

const (
	CorrectionHolm       Correction = iota // [Holm]: the default
	CorrectionBonferroni                   // [Bonferroni]
	CorrectionTukey                        // [TukeyHSD]: for the randomization test
)

var correctionNames = []string{CorrectionHolm: "holm", CorrectionBonferroni: "bonferroni",
	CorrectionTukey: "tukey-hsd"}

// ParseCorrection returns the correction of a name: holm, bonferroni or tukey-hsd.
func ParseCorrection(name string) (Correction, error) {
	return text.ParseEnum[Correction]("compare: correction", correctionNames, name)
}

// String returns the name that [ParseCorrection] reads.
func (c Correction) String() string { return text.EnumName("Correction", correctionNames, c) }

// MarshalText is String, for JSON.
func (c Correction) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText is [ParseCorrection].
func (c *Correction) UnmarshalText(text []byte) (err error) {
	*c, err = ParseCorrection(string(text))
	return err
}

// An Interval is a confidence interval of the mean difference of two systems.
type Interval uint8

const (
	IntervalBootstrap Interval = iota // [BootstrapInterval]: the default
	IntervalStudent                   // [TInterval]
)

var intervalNames = []string{IntervalBootstrap: "bootstrap", IntervalStudent: "t"}

// ParseInterval returns the interval of a name: bootstrap or t.
func ParseInterval(name string) (Interval, error) {
	return text.ParseEnum[Interval]("compare: interval", intervalNames, name)
}

// String returns the name that [ParseInterval] reads.
func (i Interval) String() string { return text.EnumName("Interval", intervalNames, i) }

// MarshalText is String, for JSON.
func (i Interval) MarshalText() ([]byte, error) { return []byte(i.String()), nil }

// UnmarshalText is [ParseInterval].
func (i *Interval) UnmarshalText(text []byte) (err error) {
	*i, err = ParseInterval(string(text))
	return err
}

// Options are the choices of [Compare]; the zero value is useful.
type Options struct {
	Test       Test       `json:"test"`
	AllPairs   bool       `json:"all_pairs"` // compare every two systems, not only each with the first
	Correction Correction `json:"correction"`
	Interval   Interval   `json:"interval"`
	// Rounds of randomization and of the bootstrap, up to 2³⁰. 0 means 100000, and the exact
	// [RandomizationTest] where at most 20 queries differ.
	Rounds int     `json:"-"`
	Level  float64 `json:"confidence_level"` // of the confidence intervals; 0 means 0.95
	Seed   uint64  `json:"-"`                // of what is drawn; simdrank compare has 1 by default

	// Power asks how many queries [TTest] needs to find MinDifference between two means or, if
	// that is 0, the difference observed, with this probability, such as 0.8, at the level of
	// significance 0.05. The standard deviation is the observed one. 0 does not ask.
	Power         float64 `json:"power,omitempty"`
	MinDifference float64 `json:"min_difference,omitempty"`

	Threads int `json:"-"` // goroutines; 0 or less means GOMAXPROCS. Results do not depend on it

	// Progress is called now and then with the rounds that have been made, and with all there are.
	// Calls do not overlap.
	Progress func(done, total int) `json:"-"`
}

// significant is the p-value below which a difference is significant.
const significant = 0.05

// tickRounds is the number of rounds between two calls of Progress.
const tickRounds = 1 << 11

// A Table sets systems against the first of them, the baseline, or against each other.
type Table struct {
	Options       // those of the comparison, with Level set
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
	Against    string  `json:"against"` // the other system
	Mean       float64 `json:"mean"`
	Low        float64 `json:"low"` // confidence interval
	High       float64 `json:"high"`
	P          float64 `json:"p"`
	Exact      bool    `json:"exact"`       // see [TestResult]
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

// check completes options.
func (o *Options) check() error {
	if o.Level == 0 {
		o.Level = 0.95
	}
	if err := checkRounds(o.Rounds); err != nil {
		return err
	}
	if err := checkLevel(o.Level); err != nil {
		return err
	}
	switch {
	case int(o.Test) >= len(testNames):
		return fmt.Errorf("compare: unknown test %v", o.Test)
	case int(o.Correction) >= len(correctionNames):
		return fmt.Errorf("compare: unknown correction %v", o.Correction)
	case int(o.Interval) >= len(intervalNames):
		return fmt.Errorf("compare: unknown interval %v", o.Interval)
	case o.Correction == CorrectionTukey && o.Test != TestRandomization:
		return fmt.Errorf("compare: Tukey's HSD is a randomization test here, and does not correct the test %v", o.Test)
	case !(o.Power >= 0 && o.Power < 1):
		return fmt.Errorf("compare: power %v: want one between 0 and 1", o.Power)
	case !(o.MinDifference >= 0) || math.IsInf(o.MinDifference, 0):
		return fmt.Errorf("compare: least difference %v: want a finite one of 0 or more", o.MinDifference)
	case o.MinDifference > 0 && o.Power == 0:
		return fmt.Errorf("compare: a least difference of %v is for the number of queries, which a power asks for",
			o.MinDifference)
	}
	return nil
}

// Compare tests systems against the first of them, or against each other, metric by metric. All
// must have the same metrics and queries. A query that is skipped for one system does not enter for
// any, and all others count alike: the weights of queries, by which [rank.Results] have their
// means, do not enter. p-values are corrected for the pairs of a metric. The metric
// pair-accuracy-pooled, which has no mean over queries, is an error.
//
// Values of a metric of one's own, one per query, go to [RandomizationTest], [TTest] or
// [WilcoxonTest] by pairs of systems, and the p-values to [Holm] or [Bonferroni]; or those of all
// systems at once to [TukeyHSD].
func Compare(ctx context.Context, systems []System, o Options) (*Table, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	if len(systems) < 2 {
		return nil, fmt.Errorf("compare: %d systems to compare: want two or more", len(systems))
	}
	for _, s := range systems {
		if s.Results == nil {
			return nil, fmt.Errorf("compare: %s has no results", s.Name)
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
	var pairs [][2]int
	for i := range systems {
		against := min(i, 1)
		if o.AllPairs {
			against = i
		}
		for j := range against {
			pairs = append(pairs, [2]int{i, j})
		}
		for m, v := range values {
			cell := Cell{Metric: base.Results.Metrics[m].Metric, Queries: len(v[i]), Mean: mean(v[i])}
			cell.Differences = make([]Difference, against)
			c.Systems[i].Metrics[m] = cell
		}
	}

	ctx = parallel.Watch(ctx, nil)
	threads := parallel.Threads(o.Threads)
	made := o.progress(len(values), len(pairs))
	err := parallel.For(ctx, threads, len(values)*len(pairs), func(_, task int) {
		m, pair := task/len(pairs), pairs[task%len(pairs)]
		d := &c.Systems[pair[0]].Metrics[m].Differences[pair[1]]
		d.Against = systems[pair[1]].Name
		o.measure(ctx, d, values[m][pair[0]], values[m][pair[1]], max(1, threads/(len(values)*len(pairs))), made)
	})
	if err != nil {
		return nil, err
	}
	for m := range values {
		differences := make([]*Difference, len(pairs))
		ps := make([]float64, len(pairs))
		for k, pair := range pairs {
			differences[k] = &c.Systems[pair[0]].Metrics[m].Differences[pair[1]]
			ps[k] = differences[k].P
		}
		switch o.Correction {
		case CorrectionHolm:
			ps = Holm(ps)
		case CorrectionBonferroni:
			ps = Bonferroni(ps)
		case CorrectionTukey:
			all, err := tukeyHSD(ctx, values[m], o.Rounds, o.Seed, threads, made)
			if err != nil {
				return nil, err
			}
			for k, pair := range pairs {
				ps[k] = all[pair[0]][pair[1]]
			}
		}
		for k, p := range ps {
			differences[k].CorrectedP = p
		}
	}
	return c, nil
}

// progress returns what counts rounds for Progress, of all that there are.
func (o *Options) progress(metrics, pairs int) func(rounds int) {
	var lock sync.Mutex
	done, total := 0, 0
	if o.Test == TestRandomization {
		total += pairs
	}
	if o.Interval == IntervalBootstrap {
		total += pairs
	}
	if o.Correction == CorrectionTukey {
		total++
	}
	total *= metrics * cmp.Or(o.Rounds, defaultRounds)
	return func(rounds int) {
		if o.Progress == nil || rounds == 0 {
			return
		}
		lock.Lock()
		defer lock.Unlock()
		done += rounds
		o.Progress(done, total)
	}
}

// common returns the values of metric m by system, of the queries on which all systems have one.
func common(systems []System, m int) ([][]float64, error) {
	metric := systems[0].Results.Metrics[m].Metric
	if metric.Pooled() {
		return nil, fmt.Errorf("compare: %v is a share of the pairs of all queries together, which no test of queries compares: want pair-accuracy",
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
				return nil, fmt.Errorf("compare: %v of %s is %v on query %q: differences would not be finite",
					metric, s.Name, v, id)
			}
			values[i] = append(values[i], v)
		}
	}
	if len(values[0]) < 2 {
		return nil, fmt.Errorf("compare: %v is defined on %d of the queries for every system, want two or more", metric,
			len(values[0]))
	}
	return values, nil
}

// alike checks that two systems were measured alike.
func alike(a, b System) error {
	if len(a.Results.Metrics) != len(b.Results.Metrics) {
		return fmt.Errorf("compare: %s has %d metrics, %s has %d", a.Name, len(a.Results.Metrics), b.Name,
			len(b.Results.Metrics))
	}
	for m := range a.Results.Metrics {
		if x, y := a.Results.Metrics[m].Metric, b.Results.Metrics[m].Metric; x != y {
			return fmt.Errorf("compare: %s has the metric %v where %s has %v", a.Name, x, b.Name, y)
		}
	}
	if len(a.Results.QueryIDs) != len(b.Results.QueryIDs) {
		return fmt.Errorf("compare: %s has %d queries, %s has %d", a.Name, len(a.Results.QueryIDs), b.Name,
			len(b.Results.QueryIDs))
	}
	for q, id := range a.Results.QueryIDs {
		if other := b.Results.QueryIDs[q]; id != other {
			return fmt.Errorf("compare: query %d of %s is %q, of %s %q", q+1, a.Name, id, b.Name, other)
		}
	}
	return nil
}

// measure sets all of a difference but what it is against and the corrected p-value. It leaves off
// where ctx ends.
func (o *Options) measure(ctx context.Context, to *Difference, a, b []float64, threads int, made func(rounds int)) {
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
	var test TestResult
	switch o.Test {
	case TestStudent:
		test = studentT(m)
	case TestWilcoxon:
		test = wilcoxon(d, a, b)
	case TestRandomization:
		var err error
		if test, err = randomize(ctx, d, o.Rounds, o.Seed, threads, made); err != nil {
			return
		}
	}
	to.P, to.Exact = test.P, test.Exact
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
	case IntervalBootstrap:
		to.Low, to.High, _ = bootstrap(ctx, d, o.Level, o.Rounds, o.Seed, threads, made)
	case IntervalStudent:
		to.Low, to.High = studentInterval(m, o.Level)
	}
}
