package compare

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/bits"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/internal/num"
	"github.com/simdrank/simdrank/internal/testkit"
	"github.com/simdrank/simdrank/rank"
)

// golden contains values of scipy, which bench/peers/metrics/golden.py computes.
type golden struct {
	A, B           []float64
	T              float64
	TP             float64 `json:"t_p"`
	WilcoxonExactP float64 `json:"wilcoxon_exact_p"`
	WilcoxonTensP  float64 `json:"wilcoxon_tens_p"`

	TInterval           [2]float64   `json:"t_interval"`
	RandomizationExactP float64      `json:"randomization_exact_p"`
	Hedges              [][2]float64 // pairs, factor
	Power               [][4]float64 // effect, level, pairs, power
	Queries             [][4]float64 // effect, level, power, pairs
}

func loadGolden(t *testing.T) *golden {
	t.Helper()
	var g struct{ Significance golden }
	readJSON(t, "metrics.json", &g)
	return &g.Significance
}

// readJSON reads test data of package rank.
func readJSON(t *testing.T, name string, into any) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../testdata", name))
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func metricNamed(metric string) rank.Metric {
	m, err := rank.ParseMetric(metric)
	if err != nil {
		panic(err)
	}
	return m
}

// minusAll returns the differences of two systems, computed as in Values.
func minusAll(a, b []float64) []float64 {
	d := make([]float64, len(a))
	for i := range a {
		d[i] = minus(a[i], b[i])
	}
	return d
}

func tTest(a, b []float64) testResult { return studentT(momentsOf(minusAll(a, b))) }

func tInterval(a, b []float64, level float64) (lo, hi float64) {
	return studentInterval(momentsOf(minusAll(a, b)), level)
}

func randomizationTest(t *testing.T, a, b []float64, rounds int, seed uint64) testResult {
	t.Helper()
	r, err := randomize(t.Context(), minusAll(a, b), rounds, seed, 2, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func bootstrapInterval(t *testing.T, a, b []float64, level float64, rounds int, seed uint64) (lo, hi float64) {
	t.Helper()
	lo, hi, err := bootstrap(t.Context(), minusAll(a, b), level, rounds, seed, 2, nil)
	if err != nil {
		t.Fatal(err)
	}
	return lo, hi
}

func TestSignificanceGolden(t *testing.T) {
	g := loadGolden(t)
	if r := tTest(g.A, g.B); !testkit.Near(r.statistic, g.T, 1e-12) || !testkit.Near(r.p, g.TP, 1e-12) {
		t.Errorf("t-test %+v, want t %v, p %v", r, g.T, g.TP)
	}
	if r := wilcoxon(minusAll(g.A, g.B), g.A, g.B); r.n != len(g.A)-3 || !testkit.Near(r.p, g.WilcoxonExactP, 1e-12) {
		t.Errorf("exact Wilcoxon %+v, want p %v", r, g.WilcoxonExactP)
	}
	var a, b []float64
	for i := range g.A {
		a, b = append(a, math.RoundToEven(g.A[i]*10)), append(b, math.RoundToEven(g.B[i]*10))
	}
	if r := wilcoxon(minusAll(a, b), a, b); !testkit.Near(r.p, g.WilcoxonTensP, 1e-12) {
		t.Errorf("Wilcoxon with ties %+v, want p %v", r, g.WilcoxonTensP)
	}
	lo, hi := tInterval(g.A, g.B, 0.9)
	if !testkit.Near(lo, g.TInterval[0], 1e-12) || !testkit.Near(hi, g.TInterval[1], 1e-12) {
		t.Errorf("t interval [%v, %v], want %v", lo, hi, g.TInterval)
	}
	if r := randomizationTest(t, g.A[:14], g.B[:14], 0, 0); r.p != g.RandomizationExactP || !r.exact {
		t.Errorf("exact randomization %+v, want p %v", r, g.RandomizationExactP)
	}
	// The randomization test of many pairs approaches the t-test.
	if r := randomizationTest(t, g.A, g.B, 100_000, 1); math.Abs(r.p-g.TP) > 0.02 {
		t.Errorf("randomization %+v, t-test p %v", r, g.TP)
	}
}

func TestPowerGolden(t *testing.T) {
	g := loadGolden(t)
	for _, c := range g.Hedges {
		t.Run(fmt.Sprint("hedges ", c), func(t *testing.T) {
			if got := hedges(int(c[0])); !testkit.Near(got, c[1], 1e-13) {
				t.Errorf("factor for %v pairs: %v, want %v", c[0], got, c[1])
			}
		})
	}
	if got := hedges(2); got != 0 {
		t.Errorf("factor for 2 pairs: %v, want 0", got)
	}
	for _, c := range g.Power {
		t.Run(fmt.Sprint("power ", c), func(t *testing.T) {
			if got := power(c[0], c[1], int(c[2])); !testkit.Near(got, c[3], 1e-12) {
				t.Errorf("power of effect %v, level %v, %v pairs: %v, want %v", c[0], c[1], c[2], got, c[3])
			}
		})
	}
	for _, c := range g.Queries {
		t.Run(fmt.Sprint("queries ", c), func(t *testing.T) {
			if got := queriesFor(c[0], c[1], c[2]); got != int(c[3]) {
				t.Errorf("effect %v, level %v, power %v: %v pairs, want %v", c[0], c[1], c[2], got, c[3])
			}
		})
	}
	if n := queriesFor(math.Inf(1), 0.05, 0.8); n != 2 {
		t.Errorf("infinite effect: %d pairs", n)
	}
	if n := queriesFor(0, 0.05, 0.8); n != 0 {
		t.Errorf("no effect: %d pairs", n)
	}
	// The power is 1 without a sum of 5·10¹² terms.
	if p := power(100, 0.05, 1<<30); p != 1 {
		t.Errorf("large effect on many pairs: %v", p)
	}
}

// TestStudentQuantile inverts probabilities down to the lowest significance level.
func TestStudentQuantile(t *testing.T) {
	for _, nu := range []int{1, 2, 5, 30, 400} {
		for _, p := range []float64{1, 0.9, 0.05, 1e-31, 1e-100} {
			t.Run(fmt.Sprint(nu, " ", p), func(t *testing.T) {
				q := studentQuantile(p, nu)
				if got := num.StudentTails(q, nu); !testkit.Near(got, p, 1e-12) {
					t.Errorf("%d degrees of freedom: %v has the probability %v, want %v", nu, q, got, p)
				}
			})
		}
	}
}

// TestRandomize compares with an implementation that assigns signs to values one at a time, from
// 64-bit words of math/rand/v2's generator, also with several goroutines.
func TestRandomize(t *testing.T) {
	for _, c := range []struct{ pairs, rounds int }{{1, 9}, {7, 300}, {63, 256}, {64, 257}, {65, 9000}, {200, 1000}} {
		t.Run(fmt.Sprint(c.pairs, " pairs"), func(t *testing.T) {
			d, sum := make([]float64, c.pairs), 0.0
			for i := range d {
				d[i] = float64(i*i%23-11+i%3) / 32
				sum += d[i]
			}
			rng, count := rand.NewPCG(5, 0x9e3779b97f4a7c15), 0
			nonzero := slices.DeleteFunc(slices.Clone(d), func(x float64) bool { return x == 0 })
			for range c.rounds {
				signed, word := 0.0, uint64(0)
				for i, x := range nonzero {
					if i%64 == 0 {
						word = rng.Uint64()
					}
					if word>>(i%64)&1 == 1 {
						x = -x
					}
					signed += x
				}
				if math.Abs(signed) >= math.Abs(sum) {
					count++
				}
			}
			want := testResult{c.pairs, mean(d), float64(count+1) / float64(c.rounds+1), false}
			for _, threads := range []int{1, 3} {
				got, err := randomize(t.Context(), d, c.rounds, 5, threads, nil)
				if err != nil || got != want {
					t.Errorf("%+v, %d threads: %+v, %v, want %+v", c, threads, got, err, want)
				}
			}
		})
	}
}

// TestRandomizeExact counts all combinations of signs for values that are tied except for rounding.
func TestRandomizeExact(t *testing.T) {
	tenths := []int{3, -1, 4, 1, -5, 0, 2, 6, -5, 3}
	a, b := make([]float64, len(tenths)), make([]float64, len(tenths))
	for i, x := range tenths {
		a[i], b[i] = float64(x+7)/10, 0.7
	}
	count := 0
	for signs := range 1 << len(tenths) {
		sum := 0
		for i, x := range tenths {
			sum += x - 2*x*(signs>>i&1)
		}
		if max(sum, -sum) >= 8 {
			count++
		}
	}
	want := float64(count) / float64(int(1)<<len(tenths))
	if r := randomizationTest(t, a, b, 0, 0); r.p != want || !r.exact {
		t.Errorf("%+v, want p %v", r, want)
	}
	// One pair too many for an exact count.
	long := make([]float64, exactPairs+1)
	for i := range long {
		long[i] = float64(i + 1)
	}
	zeros := make([]float64, len(long))
	if r := randomizationTest(t, long, zeros, 0, 0); r.exact || r.p != 1./(defaultRounds+1) {
		t.Errorf("%d pairs: %+v", len(long), r)
	}
	long[3] = 0
	if r := randomizationTest(t, long, zeros, 0, 0); !r.exact || r.p != 2./(1<<exactPairs) {
		t.Errorf("%d pairs and a zero: %+v", len(long)-1, r)
	}
}

// TestBootstrapOfFew checks that the interval of a few values is as long as Student's interval. The
// percentiles of Efron (1979) would make the interval of five values 37% shorter.
func TestBootstrapOfFew(t *testing.T) {
	for _, n := range []int{5, 12, 40} {
		t.Run(fmt.Sprint(n, " values"), func(t *testing.T) {
			values, zeros := make([]float64, n), make([]float64, n)
			for i := range values {
				values[i] = float64(i * i % 11)
			}
			lo, hi := bootstrapInterval(t, values, zeros, 0.95, 100_000, 1)
			low, high := tInterval(values, zeros, 0.95)
			if ratio := (hi - lo) / (high - low); ratio < 0.9 || ratio > 1.1 {
				t.Errorf("[%v, %v], Student's interval is [%v, %v]", lo, hi, low, high)
			}
		})
	}
}

// TestTukeyHSD counts all 6⁴ ways to permute the values of four queries among three systems.
func TestTukeyHSD(t *testing.T) {
	values := [][]float64{{0.1, 0.3, 0.2, 0.5}, {0.4, 0.2, 0.6, 0.7}, {0.9, 0.4, 0.5, 1}}
	orders := [][3]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}
	var means [3]float64
	for s, v := range values {
		means[s] = mean(v)
	}
	var want [3][3]float64
	for deal := range 6 * 6 * 6 * 6 {
		var sums [3]float64
		for q := range 4 {
			for s, from := range orders[deal%6] {
				sums[s] += values[from][q]
			}
			deal /= 6
		}
		for s := range want {
			for o := range want {
				if slices.Max(sums[:])-slices.Min(sums[:]) >= 4*math.Abs(means[s]-means[o])-1e-9 {
					want[s][o] += 1. / 1296
				}
			}
		}
	}
	got, err := tukeyHSD(t.Context(), values, 60_000, 4, 2, nil)
	if err != nil {
		t.Fatal(err)
	}
	for s := range want {
		for o := range want {
			if math.Abs(got[s][o]-want[s][o]) > 0.01 || s == o && got[s][o] != 1 {
				t.Errorf("systems %d and %d: p = %v, want %v", s, o, got[s][o], want[s][o])
			}
		}
	}
	if want[2][0] > 0.2 {
		t.Errorf("p = %v: no difference to test by", want[2][0])
	}
}

// Results with different metrics or queries are an error.
func TestCompareNoResults(t *testing.T) {
	systems := []System{{Name: "a", Results: &rank.Results{}}, {Name: "b"}}
	for range 2 {
		_, err := Compare(t.Context(), systems, Options{})
		if err == nil || err.Error() != "compare: b has no results" {
			t.Errorf("%v", err)
		}
		systems[0], systems[1] = systems[1], systems[0]
	}
}

// TestOrderTable: the tabulated orders equal the computed ones.
func TestOrderTable(t *testing.T) {
	rng := num.SplitMix(7)
	for systems := 2; systems <= tabledSystems; systems++ {
		rows := make([]int64, 6*systems)
		for i := range rows {
			rows[i] = int64(rng.Below(1000)) - 500
		}
		got, want := make([]int64, 300), make([]int64, 300)
		newOrderTable(systems).spreads(t.Context(), got, rows, rng)
		dealAll(t.Context(), want, rows, systems, rng)
		if !slices.Equal(got, want) {
			t.Errorf("%d systems: %d, want %d", systems, got, want)
		}
	}
}

// TestDeal permutes rows of so many systems that a word has too few bits.
func TestDeal(t *testing.T) {
	rng := num.SplitMix(1)
	row, at := make([]int64, 30), [30][30]int{}
	for range 9000 {
		for i := range row {
			row[i] = int64(i)
		}
		sums := slices.Repeat([]int64{100}, len(row))
		deal(sums, row, &rng)
		for i, x := range row {
			if at[i][x]++; sums[i] != 100+x {
				t.Fatalf("system %d gets %d, and its sum is %d", i, x, sums[i])
			}
		}
	}
	for i := range at {
		for x, count := range at[i] {
			if count < 200 || count > 400 { // 300 ± 17
				t.Errorf("system %d gets value %d %d times of 9000", i, x, count)
			}
		}
	}
}

// Few pairs: all combinations of signs can be counted. Of the 2⁴ signs of 1, 2, 3, 4, only the sums
// ±10 are as extreme.
func TestRandomizationTest(t *testing.T) {
	a, b := []float64{2, 3, 4, 5, 7}, []float64{1, 1, 1, 1, 7}
	r := randomizationTest(t, a, b, 400_000, 3)
	if math.Abs(r.p-2./16) > 0.002 || r.statistic != 2 {
		t.Errorf("%+v, want p near 1/8", r)
	}
	again, other := randomizationTest(t, a, b, 400_000, 3), randomizationTest(t, a, b, 400_000, 4)
	if again != r || other == r {
		t.Errorf("seeds 3, 3 and 4: %v, %v, %v", r, again, other)
	}
	// p is never 0: c is 0 in 9 rounds, except with probability 2·2⁻⁶⁰.
	long := make([]float64, 60)
	ones := slices.Repeat([]float64{1}, 60)
	if r := randomizationTest(t, ones, long, 9, 1); r.p != 0.1 {
		t.Errorf("p = %v, want 1/10", r.p)
	}
	if r := randomizationTest(t, long, long, 9, 1); r.p != 1 {
		t.Errorf("no difference: p = %v, want 1", r.p)
	}
}

func TestBootstrapInterval(t *testing.T) {
	g := loadGolden(t)
	lo, hi := bootstrapInterval(t, g.A, g.B, 0.95, 20_000, 1)
	// The interval is close to that of the t distribution for a mean of 25 differences.
	d := minusAll(g.A, g.B)
	se := mean(d) / g.T
	if math.Abs(lo-(mean(d)-2*se)) > 0.3*se || math.Abs(hi-(mean(d)+2*se)) > 0.3*se {
		t.Errorf("[%v, %v], mean %v, standard error %v", lo, hi, mean(d), se)
	}
	if lo, hi := bootstrapInterval(t, []float64{2, 3}, []float64{1, 2}, 0.5, 10, 1); lo != 1 || hi != 1 {
		t.Errorf("constant difference: [%v, %v]", lo, hi)
	}
}

// TestSampler compares with a loop over the numbers, some of which are drawn again.
func TestSampler(t *testing.T) {
	for _, n := range []int{2, 3, 8, 25, 300} {
		t.Run(fmt.Sprint(n, " values"), func(t *testing.T) {
			values := make([]float64, n)
			for i := range values {
				values[i] = 1 / float64(i+3)
			}
			want, got := make([]float64, 3*tickRounds+5), make([]float64, 3*tickRounds+5)
			s := newSampler(values, num.NewPCG(1, 2))
			rng := rand.New(rand.NewPCG(1, 2))
			for k := range want {
				sum := 0.0
				for range values {
					sum += values[rng.IntN(n)]
				}
				want[k] = sum / float64(n)
			}
			check := func(what string) {
				if err := s.sample(t.Context(), got, 2, nil); err != nil || !slices.Equal(got, want) {
					t.Errorf("%d values, %s: other means, %v", n, what, err)
				}
			}
			check("as they come")
			if s.shift > 0 {
				return
			}
			for _, few := range []uint64{5, uint64(3 * tickRounds * n)} { // one of so many is drawn anew
				s.bound = math.MaxUint64 / few
				source := rand.NewPCG(1, 2)
				for k := range want {
					sum := 0.0
					for left := n; left > 0; {
						if i, low := bits.Mul64(source.Uint64(), uint64(n)); low >= s.bound {
							sum += values[i]
							left--
						}
					}
					want[k] = sum / float64(n)
				}
				check(fmt.Sprintf("of %d one anew", few))
			}
		})
	}
}

// Differences of tenths are ranked like integers, although subtraction rounds them. The p-values
// are those of scipy 1.17.1's wilcoxon on the integers (method "asymptotic", correction False, and
// "exact" for the last row).
func TestWilcoxonOfRoundedDifferences(t *testing.T) {
	for _, c := range []struct {
		name         string
		a, b         []float64
		n            int
		statistic, p float64
	}{
		{"ties", []float64{.3, .2, .4, .9, .7}, []float64{.2, .1, .5, .1, .4}, 5, 2, 0.13079706180685857},
		{"zero", []float64{.3, .2, .5, .1, .6, .1 + .2}, []float64{.2, .1, .3, .4, .2, .3}, 5, 4, 0.34302782731118187},
		{"large values", []float64{1000.3, .2, .5, 1e5 + .1, .6}, []float64{1000.2, .1, .3, 1e5 + .4, .2}, 5, 4,
			0.34302782731118187},
		{"small differences", []float64{1 + 1e-9, 1 - 2e-9, 1 + 3e-9, 1 + 4e-9, 1 + 5e-9, 1 + 6e-9},
			[]float64{1, 1, 1, 1, 1, 1}, 6, 2, 0.09375},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := wilcoxon(minusAll(c.a, c.b), c.a, c.b)
			if r.n != c.n || r.statistic != c.statistic || !testkit.Near(r.p, c.p, 1e-14) {
				t.Errorf("%+v, want n %d, statistic %v, p %v", r, c.n, c.statistic, c.p)
			}
		})
	}
}

// Ties are dropped: with 1 of 6 differences positive, p is 2·(1+6)/2⁶.
func TestSignTest(t *testing.T) {
	a, b := []float64{2, 1, 1, 1, 5, 1, 1, .1 + .2, 1}, []float64{1, 2, 2, 2, 5, 2, 2, .3, 1}
	d, err := Values(t.Context(), [][]float64{b, a}, Options{Test: "sign", Interval: "student"})
	if err != nil {
		t.Fatal(err)
	}
	if got := d[1][0]; got.P != 14./64 || !got.Exact || got.Better != 1 || got.Worse != 5 {
		t.Errorf("%+v, want p %v", got, 14./64)
	}
}

func TestSignificanceEdges(t *testing.T) {
	same := []float64{1, 2}
	if r := tTest(same, same); r.p != 1 || r.statistic != 0 {
		t.Errorf("no difference: %+v", r)
	}
	if r := tTest([]float64{2, 3}, same); r.p != 0 || !math.IsInf(r.statistic, 1) {
		t.Errorf("the same difference: %+v", r)
	}
	if r := wilcoxon(minusAll(same, same), same, same); r.p != 1 || r.n != 0 {
		t.Errorf("no difference: %+v", r)
	}
}

// If all differences are equal, their variance is 0, even if their mean is rounded.
func TestSameDifferences(t *testing.T) {
	for n := 2; n < 200; n++ {
		for _, d := range []float64{0.1, 118. / 70, 5. / 42, -1e300, 1e-310} {
			a, b := slices.Repeat([]float64{d}, n), make([]float64, n)
			r := tTest(a, b)
			if r.p != 0 || !math.IsInf(r.statistic, 1-2*int(math.Float64bits(d)>>63)) {
				t.Fatalf("%d times %v: %+v", n, d, r)
			}
			lo, hi := tInterval(a, b, .95)
			if math.Abs(lo/d-1) > 1e-15 || hi != lo {
				t.Fatalf("%d times %v: from %v to %v", n, d, lo, hi)
			}
		}
	}
}

// The squares of large differences overflow, and those of small ones underflow. Tests do not depend
// on the scale.
func TestScaledDifferences(t *testing.T) {
	of := func(exponent int) (r testResult, lo, hi, least, most, mean float64) {
		a, b := make([]float64, 40), make([]float64, 40)
		for i := range a {
			a[i], b[i] = math.Ldexp(float64(i*i%41), exponent), math.Ldexp(float64(i%19), exponent)
		}
		lo, hi = tInterval(a, b, .9)
		least, most = bootstrapInterval(t, a, b, .9, 500, 1)
		return tTest(a, b), lo, hi, least, most, randomizationTest(t, a, b, 500, 1).statistic
	}
	r, lo, hi, least, most, mean := of(0)
	for _, exponent := range []int{-1000, -600, 600, 1018} {
		t.Run(fmt.Sprint(exponent), func(t *testing.T) {
			r1, lo1, hi1, least1, most1, mean1 := of(exponent)
			for _, bound := range []*float64{&lo1, &hi1, &least1, &most1, &mean1} {
				*bound = math.Ldexp(*bound, -exponent)
			}
			if r1 != r || lo1 != lo || hi1 != hi || least1 != least || most1 != most || mean1 != mean {
				t.Errorf("times 2^%d: %+v, from %v to %v, from %v to %v, mean %v", exponent, r1, lo1, hi1, least1,
					most1, mean1)
			}
		})
	}
}

func TestBonferroni(t *testing.T) {
	got := bonferroni([]float64{0.01, 0.4, 0.5})
	for i, want := range []float64{0.03, 1, 1} {
		if !testkit.Near(got[i], want, 1e-15) {
			t.Errorf("bonferroni: %v", got)
		}
	}
}

func TestHolm(t *testing.T) {
	for _, c := range []struct{ p, want []float64 }{
		// the example of R's p.adjust page
		{[]float64{0.01, 0.04, 0.03, 0.005}, []float64{0.03, 0.06, 0.06, 0.02}},
		{[]float64{0.5, 0.6}, []float64{1, 1}},
		{[]float64{0.04, 0.01}, []float64{0.04, 0.02}},
		{nil, nil},
	} {
		t.Run(fmt.Sprint(c.p), func(t *testing.T) {
			got := holm(c.p)
			for i := range c.want {
				if !testkit.Near(got[i], c.want[i], 1e-15) {
					t.Errorf("holm(%v) = %v, want %v", c.p, got, c.want)
					break
				}
			}
		})
	}
}

// systems returns results of a baseline, of a better ranker and of an equal one on 40 queries, one
// of which is skipped.
func systems() []System {
	metric := metricNamed("map")
	ids := make([]string, 40)
	values := [3][]float64{}
	for q := range ids {
		ids[q] = string(rune('a'+q%26)) + string(rune('a'+q/26))
		v := 0.3 + 0.01*float64(q*7%11)
		if q == 5 {
			values[1] = append(values[1], math.NaN())
		} else {
			values[1] = append(values[1], v+0.05+0.01*float64(q%3))
		}
		values[0], values[2] = append(values[0], v), append(values[2], v+0.02*float64(q%2)-0.01)
	}
	var s []System
	for i, name := range []string{"base|line_1", "better & more", "[equal]*"} {
		s = append(s, System{name, &rank.Results{QueryIDs: ids,
			Metrics: []rank.MetricResult{{Metric: metric, Values: values[i]}}}})
	}
	return s
}

func TestCompare(t *testing.T) {
	for _, test := range []string{"randomization", "t", "wilcoxon", "sign"} {
		t.Run(test, func(t *testing.T) {
			c, err := Compare(context.Background(), systems(), Options{Test: test, Rounds: 5000, Seed: 1})
			if err != nil {
				t.Fatal(err)
			}
			better, equal := c.Systems[1].Metrics[0], c.Systems[2].Metrics[0]
			if len(c.Systems[0].Metrics[0].Differences) > 0 || better.Queries != 39 {
				t.Errorf("%v: baseline %+v, %d queries", test, c.Systems[0].Metrics[0], better.Queries)
			}
			d := &better.Differences[0]
			if d.Better != 39 || d.Worse != 0 || d.Stars() != "**" ||
				!(d.Low > .05 && d.High < .07 && d.Low < d.Mean && d.Mean < d.High) || d.CorrectedP < d.P {
				t.Errorf("%v: better: %+v", test, d)
			}
			if equal.Differences[0].Stars() != "" {
				t.Errorf("%v: equal: %+v", test, equal.Differences)
			}
			var text, md, tex, js strings.Builder
			for _, err := range []error{c.Write(&text, "text"), c.Write(&md, "markdown"), c.Write(&tex, "latex"),
				c.Write(&js, "json")} {
				if err != nil {
					t.Fatal(err)
				}
			}
			for _, s := range []struct{ got, want string }{
				{text.String(), "better & more  0.4108**\n"},
				{text.String(), test + " test against base|line_1, two-sided, Holm-corrected for 2 systems"},
				{md.String(), "| base\\|line\\_1 | 0.3513 |\n| better \\& more | 0.4108\\*\\*<br>\\[+0.05"},
				{md.String(), "0.01;\nbrackets: 95% bootstrap interval of the difference from base\\|line\\_1;\nqueries: 39\n"},
				{tex.String(), "base\\textbar{}line\\_1 & 0.3513 \\\\\nbetter \\& more & \\textbf{0.4108}$^{**}$ \\\\\n" +
					" & {\\footnotesize $[+0.05"},
				{tex.String(), "\n{[}equal]{*} & "},
				{tex.String(), "\\multicolumn{2}{l}{\\footnotesize {*} p $<$ 0.05, {*}{*} p $<$ 0.01} \\\\\n"},
			} {
				if !strings.Contains(s.got, s.want) {
					t.Errorf("%v: want %q in\n%s", test, s.want, s.got)
				}
			}
			var back Table
			if err := json.Unmarshal([]byte(js.String()), &back); err != nil ||
				back.Systems[1].Metrics[0].Metric != better.Metric || back.Systems[1].Metrics[0].Differences[0] != *d {
				t.Errorf("%v: JSON: %v\n%s", test, err, js.String())
			}
		})
	}
}

// TestCompareAllPairs compares four systems with each other, with every correction.
func TestCompareAllPairs(t *testing.T) {
	s := systems()
	s = append(s, System{"other $_|", s[1].Results})
	o := Options{AllPairs: true, Rounds: 5000, Seed: 1, Power: 0.8, Interval: "student"}
	p := map[string][]float64{}
	for _, o.Correction = range []string{"holm", "bonferroni", "tukey-hsd"} {
		t.Run(o.Correction, func(t *testing.T) {
			c, err := Compare(t.Context(), s, o)
			if err != nil {
				t.Fatal(err)
			}
			var raw []float64
			for i, row := range c.Systems {
				if len(row.Metrics[0].Differences) != i {
					t.Fatalf("%v: %d differences of system %d", o.Correction, len(row.Metrics[0].Differences), i)
				}
				for j, d := range row.Metrics[0].Differences {
					if d.Against != s[j].Name {
						t.Errorf("%v: difference %d of system %d is against %q", o.Correction, j, i, d.Against)
					}
					raw, p[o.Correction] = append(raw, d.P), append(p[o.Correction], d.CorrectedP)
				}
			}
			for i, row := range c.Systems {
				all := &Group{Systems: c.Systems}
				if got, want := c.marks(all, i, 0), []string{"", "ac", "", "ac"}[i]; got != want {
					t.Errorf("%v: marks of %s: %q, want %q", o.Correction, row.Name, got, want)
				}
			}
			switch o.Correction {
			case "holm":
				if want := holm(raw); !slices.Equal(p["holm"], want) {
					t.Errorf("Holm: %v, want %v", p["holm"], want)
				}
			case "bonferroni":
				for k, x := range raw {
					if got := p["bonferroni"][k]; got != min(1, 6*x) {
						t.Errorf("Bonferroni: %v, want six times %v", got, x)
					}
				}
			case "tukey-hsd":
				var values [4][]float64
				for q := range s[0].Results.QueryIDs {
					for i := range s {
						if q != 5 { // which is skipped
							values[i] = append(values[i], s[i].Results.Metrics[0].Values[q])
						}
					}
				}
				want, err := tukeyHSD(t.Context(), values[:], o.Rounds, o.Seed, 1, nil)
				if err != nil || p["tukey-hsd"][1] != want[2][0] || p["tukey-hsd"][5] != want[3][2] {
					t.Errorf("HSD: %v, want %v, %v", p["tukey-hsd"], want, err)
				}
			}
			d := c.Systems[1].Metrics[0].Differences[0]
			lo, hi := tInterval(differences(s[1], s[0]))
			needed := queriesFor(d.CohenD, significant, 0.8)
			if d.Low != lo || d.High != hi || d.Needed != needed || d.HedgesG >= d.CohenD || d.HedgesG < 0.9*d.CohenD {
				t.Errorf("%v: %+v, want [%v, %v], %d queries", o.Correction, d, lo, hi, needed)
			}
			// The same systems cannot be distinguished.
			if d := c.Systems[3].Metrics[0].Differences[1]; d.Needed != 0 || d.CohenD != 0 || d.P != 1 {
				t.Errorf("%v: equal systems: %+v", o.Correction, d)
			}
		})
	}
	o.MinDifference, o.Correction = 0.001, "holm"
	c, err := Compare(t.Context(), s, o)
	if err != nil {
		t.Fatal(err)
	}
	d := c.Systems[1].Metrics[0].Differences[0]
	if want := queriesFor(0.001/d.Mean*d.CohenD, significant, 0.8); d.Needed != want {
		t.Errorf("least difference: %d queries, want %d", d.Needed, want)
	}
	var text, md, tex, lines strings.Builder
	for _, err := range []error{c.Write(&text, "text"), c.Write(&md, "markdown"), c.Write(&tex, "latex"),
		c.Write(&lines, "csv")} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, s := range []struct{ got, want string }{
		{text.String(), "#  system         map\na  base|line_1    0.3513\nb  better & more  0.4108^ac\n"},
		{text.String(), "randomization test of all pairs, two-sided, Holm-corrected for 6 pairs: letters name"},
		{text.String(), "mean     95% Student interval "},
		{text.String(), "find a difference of 0.001 at level 0.05 with power 0.8, - if"},
		{md.String(), "| # | System | map |\n|:--|:--|--:|\n| a | base\\|line\\_1 | 0.3513 |\n"},
		{md.String(), "| d | other \\$\\_\\| | 0.4108<sup>ac</sup><br>\\[+0.05"},
		{tex.String(), "\\begin{tabular}{llr}\n\\toprule\n\\# & System & map \\\\\n\\midrule\n"},
		{tex.String(), "d & other \\$\\_\\textbar{} & \\textbf{0.4108}$^{ac}$ \\\\\n & & {\\footnotesize $[+0.05"},
		{lines.String(), "base|line_1,,map,39,0.35128205128205126,,,,,,,,,,,\n"},
		{lines.String(), "better & more,base|line_1,map,39,0.41"},
	} {
		if !strings.Contains(s.got, s.want) {
			t.Errorf("want %q in\n%s", s.want, s.got)
		}
	}
	if n := strings.Count(lines.String(), "\n"); n != 8 {
		t.Errorf("%d lines, want 8:\n%s", n, lines.String())
	}
	for system, want := range map[int]string{0: "a", 25: "z", 26: "aa", 27: "ab", 52: "ba"} {
		t.Run(want, func(t *testing.T) {
			if got := c.letter(system); got != want {
				t.Errorf("letter of system %d: %s, want %s", system, got, want)
			}
		})
	}
}

// TestTableNames writes names that contain special characters of a format, and a table without
// metrics.
func TestTableNames(t *testing.T) {
	s := systems()
	s[1].Name, s[2].Name = "[a]\vb\f<c>", "*d & e"
	c, err := Compare(t.Context(), s, Options{Rounds: 10, Interval: "student"})
	if err != nil {
		t.Fatal(err)
	}
	none := Table{Systems: []Row{{Name: "a"}, {Name: "b"}}}
	for _, form := range []struct {
		format string
		want   []string
	}{
		{"text", []string{"\n[a] b <c>    0.", "\n*d & e       0."}},
		{"markdown", []string{`| \[a] b \<c> | 0.`, `| \*d \& e | 0.`}},
		{"latex", []string{"\n{[}a] b \\textless{}c\\textgreater{} & ", "\n{*}d \\& e & "}},
		{"csv", []string{"\n[a]\vb\f<c>,", "\n*d & e,"}},
		{"json", []string{`"[a]\u000bb\f<c>"`, `"*d & e"`}},
	} {
		t.Run(form.format, func(t *testing.T) {
			var got strings.Builder
			if err := c.Write(&got, form.format); err != nil {
				t.Fatal(err)
			}
			for _, want := range form.want {
				if !strings.Contains(got.String(), want) {
					t.Errorf("want %q in\n%s", want, got.String())
				}
			}
			if err := none.Write(io.Discard, form.format); err != nil {
				t.Error(err)
			}
		})
	}
}

// differences returns the values of two systems without those of query 5, and a level.
func differences(a, b System) (x, y []float64, level float64) {
	without := func(s System) []float64 { return slices.Delete(slices.Clone(s.Results.Metrics[0].Values), 5, 6) }
	return without(a), without(b), 0.95
}

// TestCompareThreads checks that results do not depend on the number of goroutines.
func TestCompareThreads(t *testing.T) {
	var want string
	for _, threads := range []int{1, 2, 5} {
		t.Run(fmt.Sprint(threads, " threads"), func(t *testing.T) {
			o := Options{AllPairs: true, Correction: "tukey-hsd", Rounds: 9000, Threads: threads}
			c, err := Compare(t.Context(), systems(), o)
			if err != nil {
				t.Fatal(err)
			}
			var got strings.Builder
			if err := c.Write(&got, "json"); err != nil {
				t.Fatal(err)
			}
			if want == "" {
				want = got.String()
			}
			if got.String() != want {
				t.Errorf("%d threads: %s, want %s", threads, got.String(), want)
			}
		})
	}
}

// TestCompareExact checks that the legend says which p-values are exact.
func TestCompareExact(t *testing.T) {
	s := systems()
	copy(s[2].Results.Metrics[0].Values[3:], s[0].Results.Metrics[0].Values[3:])
	c, err := Compare(t.Context(), s, Options{Interval: "student"})
	const want = "randomization test (exact in 1 of 2 cases) against"
	if err != nil {
		t.Fatal(err)
	}
	if test, _ := c.legend(); !strings.HasPrefix(test, want) {
		t.Errorf("want %q in %q", want, test)
	}
	for i := range s {
		r := *s[i].Results
		r.QueryIDs = r.QueryIDs[:4]
		r.Metrics = []rank.MetricResult{{Metric: r.Metrics[0].Metric, Values: r.Metrics[0].Values[:4]}}
		s[i].Results = &r
	}
	for _, c := range []struct {
		o    Options
		want string
	}{
		{Options{Interval: "student"}, "\nexact randomization test against"},
		{Options{Interval: "student", Rounds: 10}, "\nrandomization test against"},
		{Options{Interval: "student", Test: "wilcoxon"}, "\nwilcoxon test against"},
		{Options{Interval: "student", Test: "sign"}, "\nexact sign test against"},
	} {
		t.Run(c.want, func(t *testing.T) {
			table, err := Compare(t.Context(), s, c.o)
			if err != nil {
				t.Fatal(err)
			}
			var text strings.Builder
			if err := table.Write(&text, "text"); err != nil || !strings.Contains(text.String(), c.want) {
				t.Errorf("%+v: %v, want %q in %s", c.o, err, c.want, text.String())
			}
		})
	}
}

func TestCompareErrors(t *testing.T) {
	for name, change := range map[string]func(s []System) []System{
		"one":     func(s []System) []System { return s[:1] },
		"queries": func(s []System) []System { s[1].Results.QueryIDs = s[1].Results.QueryIDs[1:]; return s },
		"ids": func(s []System) []System {
			s[1].Results.QueryIDs = slices.Clone(s[1].Results.QueryIDs)
			s[1].Results.QueryIDs[3] = "other"
			return s
		},
		"metrics": func(s []System) []System { s[2].Results.Metrics[0].Metric = metricNamed("ndcg"); return s },
		"skipped": func(s []System) []System {
			s[2].Results.Metrics[0].Values = slices.Repeat([]float64{math.NaN()}, 40)
			return s
		},
		"infinite": func(s []System) []System { s[2].Results.Metrics[0].Values[7] = math.Inf(-1); return s },
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := Compare(context.Background(), change(systems()), Options{Rounds: 10}); err == nil {
				t.Errorf("%s: no error", name)
			}
		})
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Compare(ctx, systems(), Options{}); err != context.Canceled {
		t.Errorf("canceled: %v", err)
	}
	for _, o := range []Options{{Test: "z"}, {Correction: "z"}, {Interval: "z"}, {Rounds: -1}, {Rounds: 1<<30 + 1},
		{Level: 1}, {Level: math.NaN()}, {Test: "t", Correction: "tukey-hsd"},
		{Power: 1}, {Power: math.NaN()}, {MinDifference: 0.1},
		{Power: 0.8, MinDifference: -0.1}, {Power: 0.8, MinDifference: math.Inf(1)}} {
		t.Run(fmt.Sprintf("%+v", o), func(t *testing.T) {
			if _, err := Compare(t.Context(), systems(), o); err == nil {
				t.Errorf("%+v: no error", o)
			}
		})
	}
	for _, bad := range [][][]float64{{{1, 2}}, {{1}, {1}}, {{1, 2}, {1}}, {{1, math.NaN()}, {1, 2}},
		{{1, 2}, {1, math.Inf(1)}}} {
		t.Run(fmt.Sprint(bad), func(t *testing.T) {
			if _, err := Values(t.Context(), bad, Options{Rounds: 10}); err == nil {
				t.Errorf("%v: no error", bad)
			}
		})
	}
	if _, err := Values(t.Context(), [][]float64{{1, 2}, {1, 2}}, Options{Rounds: -1}); err == nil {
		t.Error("-1 rounds: no error")
	}
	if err := new(Table).Write(io.Discard, "z"); err == nil {
		t.Error("unknown format: no error")
	}
}

// TestValues compares with a table of the same values.
func TestValues(t *testing.T) {
	s := systems()
	o := Options{AllPairs: true, Rounds: 500, Seed: 2}
	table, err := Compare(t.Context(), s, o)
	if err != nil {
		t.Fatal(err)
	}
	var values [][]float64
	for i := range s {
		v, _, _ := differences(s[i], s[i])
		values = append(values, v)
	}
	got, err := Values(t.Context(), values, o)
	if err != nil || len(got) != len(s) {
		t.Fatalf("%v, %v", got, err)
	}
	for i, row := range table.Systems {
		want := row.Metrics[0].Differences
		for k := range want {
			want[k].Against = ""
		}
		if !slices.Equal(got[i], want) {
			t.Errorf("system %d: %+v, want %+v", i, got[i], want)
		}
	}
}

// TestProgress checks that rounds are counted, and that the context ends them.
func TestProgress(t *testing.T) {
	results := func(values ...float64) *rank.Results {
		return &rank.Results{QueryIDs: make([]string, len(values)), Metrics: []rank.MetricResult{
			{Values: values}}}
	}
	systems := []System{{"a", results(0, .5, 1)}, {"b", results(1, .5, .5)}, {"c", results(0, 1, .5)}}
	for _, c := range []struct {
		o     Options
		total int64
	}{
		{Options{Rounds: 10_000}, 40_000},
		{Options{Rounds: 10_000, Correction: "tukey-hsd"}, 50_000},
		{Options{Rounds: 10_000, Test: "t"}, 20_000},
		{Options{Interval: "student"}, 200_000}, // exact
	} {
		t.Run(fmt.Sprint(c.total), func(t *testing.T) {
			calls := testkit.NewProgress(t)
			c.o.Threads, c.o.Progress = 8, calls.Report
			if _, err := Compare(t.Context(), systems, c.o); err != nil || calls.Total != c.total {
				t.Errorf("%d rounds, want %d; %v", calls.Total, c.total, err)
			}
			calls.Check(2)
		})
	}
	ctx, cancel := context.WithCancel(t.Context())
	rounds := int64(0)
	_, err := Compare(ctx, systems, Options{Threads: 1, Rounds: 1 << 30, Progress: func(done, _ int64) {
		rounds = done
		cancel()
	}})
	if err != context.Canceled || rounds != tickRounds {
		t.Errorf("%v after %d rounds", err, rounds)
	}
}

// nth must find the same value as sorting.
func TestNth(t *testing.T) {
	for _, n := range []int{1, 2, 5, 1000} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(1, uint64(n)))
			values := make([]float64, n)
			for i := range values {
				values[i] = math.Ldexp(float64(rng.IntN(9)-4), rng.IntN(2000)-1000)
			}
			sorted := slices.Sorted(slices.Values(values))
			for k, want := range sorted {
				if got, err := nth(t.Context(), values, k); got != want || err != nil {
					t.Fatalf("place %d: %v, %v, want %v", k, got, err, want)
				}
			}
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			if _, err := nth(ctx, values, 0); err != context.Canceled {
				t.Error(err)
			}
		})
	}
}

// A canceled test or interval ends within a block of rounds on many queries.
func TestCompareStops(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long without fused multiply-adds")
	}
	values := make([][]float64, 2)
	for s := range values {
		values[s] = make([]float64, 3_000_000)
		for q := range values[s] {
			values[s][q] = float64((q*7919 + s) % 1000)
		}
	}
	for name, o := range map[string]Options{
		"randomization": {Test: "randomization", Interval: "student"},
		"bootstrap":     {Test: "t", Interval: "bootstrap"},
		"Tukey":         {Test: "randomization", Interval: "student", Correction: "tukey-hsd", AllPairs: true},
	} {
		t.Run(name, func(t *testing.T) {
			o.Threads, o.Rounds = 1, 1e6
			ctx := testkit.EndAfter(t.Context(), 20)
			_, err := Values(ctx, values, o)
			if asked := ctx.Asked.Load(); !errors.Is(err, context.Canceled) || asked > 40 {
				t.Errorf("%v, asked %d times", err, asked)
			}
		})
	}
}
