package rank

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/internal/testkit"
	"github.com/simdrank/simdrank/kernels"
)

// lcg returns n integers below m: the generator of bench/peers/tau/golden.py.
func lcg(n, m int, seed uint64) []float64 {
	v := make([]float64, n)
	for i := range v {
		seed = seed*6364136223846793005 + 1442695040888963407
		v[i] = float64((seed >> 33) % uint64(m))
	}
	return v
}

// Values of scipy 1.10.1, computed by bench/peers/tau/golden.py.
var kendallGolden = []struct {
	n, mx, my                    int
	addX                         bool
	tauB, tauC, pValue, weighted float64
}{
	{2, 1073741824, 1073741824, false, -1.0, -1.0, 1.0, -1.0},
	{3, 1073741824, 1073741824, false, -0.33333333333333337, -0.3333333333333333, 1.0, -0.36363636363636354},
	{5, 1073741824, 1073741824, false, 0.0, 0.0, 1.0, -0.14963503649635043},
	{10, 1073741824, 1073741824, false, -0.1111111111111111, -0.1111111111111111, 0.7274895282186948,
		-0.12232609251983334},
	{20, 1073741824, 1073741824, true, 0.39999999999999997, 0.4, 0.013532373706902114, 0.6167175631704165},
	{33, 1073741824, 1073741824, false, 0.06439393939393939, 0.06439393939393939, 0.6118087992973932,
		0.06263274951243382},
	{34, 1073741824, 1073741824, false, 0.016042780748663103, 0.016042780748663103, 0.8938612370762378,
		0.02552784417093703},
	{40, 1073741824, 1073741824, true, 0.5025641025641026, 0.5025641025641026, 4.942692777271822e-06,
		0.625089571053363},
	{10, 3, 5, false, 0.2875986542715254, 0.3, 0.3147020598717719, 0.3831241455468011},
	{30, 5, 1073741824, false, -0.1175552072443464, -0.12777777777777777, 0.3982581797535161, -0.20041428835327837},
	{64, 2, 2, false, 0.25482359571881275, 0.234375, 0.043114446783075355, 0.5145276762564697},
	{100, 5, 1000, true, 0.09855167243607198, 0.1095, 0.18237948344796295, 0.18644730638417525},
	{129, 1, 7, false, math.NaN(), math.NaN(), math.NaN(), math.NaN()},
	{200, 7, 7, true, 0.5706672852093462, 0.5826916666666667, 6.081432860871044e-27, 0.7547570089337254},
	{1000, 1000, 5, false, 0.01181526984072854, 0.01319, 0.6095977774597312, 0.3312526383059465},
	{5000, 50, 1073741824, true, 0.006439930303154282, 0.006503836734693878, 0.4989896984168878, 0.13925870728613907},
}

func TestKendallGolden(t *testing.T) {
	for _, g := range kendallGolden {
		t.Run(fmt.Sprint(g.tauB), func(t *testing.T) {
			x, y := lcg(g.n, g.mx, 1), lcg(g.n, g.my, 2)
			if g.addX {
				for i := range y {
					y[i] += x[i]
				}
			}
			k, err := KendallTau(x, y)
			if err != nil {
				t.Fatal(err)
			}
			if got := k.TauB(); !same(got, g.tauB) {
				t.Errorf("n=%d %d %d: tau-b %v, want %v", g.n, g.mx, g.my, got, g.tauB)
			}
			if got := k.TauC(); !same(got, g.tauC) {
				t.Errorf("n=%d %d %d: tau-c %v, want %v", g.n, g.mx, g.my, got, g.tauC)
			}
			if got := k.PValue(); !testkit.Near(got, g.pValue, 1e-12) {
				t.Errorf("n=%d %d %d: p-value %v, want %v", g.n, g.mx, g.my, got, g.pValue)
			}
		})
	}
}

// same reports whether two floats are equal or both NaN.
func same(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }

// Exact p-values of a perfect and of a nearly perfect order for any n, from scipy 1.10.1.
func TestKendallExactP(t *testing.T) {
	for _, c := range []struct {
		n               int
		perfect, oneOff float64
	}{
		{3, 0.3333333333333333, 1},
		{50, 6.575898833266317e-65, 3.287949416633158e-63},
		{171, 0, 2.755801935583541e-307},
	} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			x, y := make([]float64, c.n), make([]float64, c.n)
			for i := range x {
				x[i], y[i] = float64(i), float64(i)
			}
			k, _ := KendallTau(x, y)
			if got := k.PValue(); math.Abs(got-c.perfect) > 1e-12*c.perfect+1e-300 {
				t.Errorf("n=%d in order: p-value %v, want %v", c.n, got, c.perfect)
			}
			y[0], y[1] = 1, 0
			k, _ = KendallTau(x, y)
			if got := k.PValue(); !testkit.Near(got, c.oneOff, 1e-12) {
				t.Errorf("n=%d one pair off: p-value %v, want %v", c.n, got, c.oneOff)
			}
		})
	}
}

func TestKendallCounts(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		x, y                  []float64
		p, q, tx, ty, both    int64
		distinctX, distinctY  int64
		tauA, tauB, tauC, gam float64
	}{
		{nil, nil, 0, 0, 0, 0, 0, 0, 0, math.NaN(), math.NaN(), math.NaN(), math.NaN()},
		{[]float64{1}, []float64{2}, 0, 0, 0, 0, 0, 1, 1, math.NaN(), math.NaN(), math.NaN(), math.NaN()},
		{[]float64{1, 1, 1}, []float64{1, 2, 3}, 0, 0, 3, 0, 0, 1, 3, 0, math.NaN(), math.NaN(), math.NaN()},
		{[]float64{1, 1}, []float64{5, 5}, 0, 0, 1, 1, 1, 1, 1, 0, math.NaN(), math.NaN(), math.NaN()},
		{[]float64{-inf, math.Copysign(0, -1), 0, inf, inf}, []float64{1, 2, 3, 4, 5}, 8, 0, 2, 0, 0, 3, 5, 0.8,
			0.8944271909999157, 0.96, 1},
		{[]float64{1, 2, 3, 4}, []float64{inf, 1, 0, -inf}, 0, 6, 0, 0, 0, 4, 4, -1, -1, -1, -1},
		{[]float64{12, 2, 1, 12, 2}, []float64{1, 4, 7, 1, 0}, 2, 6, 2, 1, 1, 3, 4, -0.4, -0.4714045207910316, -0.48,
			-0.5},
	} {
		t.Run(fmt.Sprint(c.x), func(t *testing.T) {
			k, err := KendallTau(c.x, c.y)
			if err != nil {
				t.Fatal(err)
			}
			got := [...]int64{k.Concordant, k.Discordant, k.TiedX, k.TiedY, k.TiedBoth, k.distinctX, k.distinctY}
			want := [...]int64{c.p, c.q, c.tx, c.ty, c.both, c.distinctX, c.distinctY}
			if got != want {
				t.Errorf("%v %v: P, Q, tied x, y, both, distinct x, y = %v, want %v", c.x, c.y, got, want)
			}
			if !same(k.TauA(), c.tauA) || !same(k.TauB(), c.tauB) || !same(k.TauC(), c.tauC) ||
				!same(k.Gamma(), c.gam) {
				t.Errorf("%v %v: tau-a, b, c, gamma = %v %v %v %v, want %v %v %v %v", c.x, c.y,
					k.TauA(), k.TauB(), k.TauC(), k.Gamma(), c.tauA, c.tauB, c.tauC, c.gam)
			}
		})
	}
}

func TestKendallErrors(t *testing.T) {
	if _, err := KendallTau([]float64{1, 2}, []float64{1}); err == nil || !strings.Contains(err.Error(), "2 and 1") {
		t.Errorf("lengths 2 and 1: error %v", err)
	}
	for _, c := range []struct {
		x, y []float64
		want string
	}{
		{[]float64{1, math.NaN()}, []float64{1, 2}, "x[1]"},
		{[]float64{1, 2, 3}, []float64{1, 2, math.NaN()}, "y[2]"},
	} {
		t.Run(c.want, func(t *testing.T) {
			if _, err := KendallTau(c.x, c.y); !errors.Is(err, ErrNaN) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v %v: error %v, want ErrNaN at %s", c.x, c.y, err, c.want)
			}
		})
	}
}

// Tests the arithmetic at 2³¹ values without allocating them: one half of x is tied, and y is the
// reverse of x.
func TestKendallHuge(t *testing.T) {
	const n, tied = 1 << 31, 1 << 30
	half := kernels.TieCounts{Distinct: n - tied + 1, Pairs: tied * (tied - 1) / 2,
		Triples: tied * (tied - 1) * (tied - 2) / 6}
	k := newKendall(n, kernels.PairCounts{
		Discordant: int64(n)*(n-1)/2 - half.Pairs,
		X:          half,
		Y:          kernels.TieCounts{Distinct: n},
	})
	if k.Concordant != 0 || k.Discordant != n*(n-1)/2-half.Pairs {
		t.Errorf("P, Q = %d, %d", k.Concordant, k.Discordant)
	}
	if got := k.TauA(); !testkit.Near(got, -0.75, 1e-9) {
		t.Errorf("tau-a %v, want -0.75", got)
	}
	if got := k.TauB(); !testkit.Near(got, -math.Sqrt(0.75), 1e-9) {
		t.Errorf("tau-b %v, want -√0.75", got)
	}
	if got := k.TauC(); !testkit.Near(got, -0.75, 1e-8) {
		t.Errorf("tau-c %v, want -0.75", got)
	}
	if got := k.PValue(); got != 0 {
		t.Errorf("p-value %v, want 0", got)
	}
}

func TestWeightedTauGolden(t *testing.T) {
	for _, g := range kendallGolden {
		t.Run(fmt.Sprint(g.tauB), func(t *testing.T) {
			if math.IsNaN(g.weighted) {
				return // a constant column; another test covers it
			}
			x, y := lcg(g.n, g.mx, 1), lcg(g.n, g.my, 2)
			if g.addX {
				for i := range y {
					y[i] += x[i]
				}
			}
			got, err := Measure("weighted-tau", x, y, Options{})
			if err != nil || !testkit.Near(got, g.weighted, 1e-12) {
				t.Errorf("n=%d %d %d: weighted tau %v, %v, want %v", g.n, g.mx, g.my, got, err, g.weighted)
			}
		})
	}
}

// The same columns as float32, integers and named types, with one workspace for all.
func TestKendallTauOf(t *testing.T) {
	type label int8
	var c kernels.Work
	for _, n := range []int{7, 40, 3000} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			x, y := lcg(n, 5, 3), lcg(n, 1<<20, 4)
			want, err := KendallTau(x, y)
			if err != nil {
				t.Fatal(err)
			}
			labels, ints, scores := make([]label, n), make([]int, n), make([]float32, n)
			for i := range x {
				labels[i], ints[i], scores[i] = label(x[i]), int(y[i]), float32(y[i])
			}
			if got, err := KendallTauOf(labels, scores, &c); err != nil || got != want {
				t.Errorf("labels and float32: %+v, %v, want %+v", got, err, want)
			}
			if got, err := KendallTauOf(x, ints, &c); err != nil || got != want {
				t.Errorf("float64 and int: %+v, %v, want %+v", got, err, want)
			}
			if got, err := KendallTauOf(scores, scores, nil); err != nil || got.Gamma() != 1 {
				t.Errorf("float32 with itself: %+v, %v", got, err)
			}
		})
	}
}

func TestKendallAllocations(t *testing.T) {
	if testkit.Race {
		t.Skip("the race detector allocates")
	}
	x, y := lcg(5000, 5, 3), lcg(5000, 1<<30, 4)
	var c kernels.Work
	for _, n := range []int{10, 200, 5000} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			if a := testing.AllocsPerRun(5, func() { KendallTauOf(x[:n], y[:n], &c) }); a != 0 {
				t.Errorf("%v allocations per call", a)
			}
		})
	}
}
