package rank

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/internal/cpu"
	"github.com/simdrank/simdrank/internal/ranksvm"
	"github.com/simdrank/simdrank/internal/testkit"
	"gonum.org/v1/gonum/mat"
)

// randomSet returns queries of documents whose labels depend noisily on the first features.
func randomSet(seed uint64, queries, docs, cols, levels int) *Dataset {
	r := rand.New(rand.NewPCG(seed, 1))
	d := NewDataset(queries*docs, cols)
	for q := range queries {
		for i := q * docs; i < (q+1)*docs; i++ {
			s := r.NormFloat64()
			for j := range d.Row(i) {
				v := r.NormFloat64()
				d.Row(i)[j] = float32(v)
				s += v / float64(j+1)
			}
			d.Labels[i] = math.Floor(float64(levels) / (1 + math.Exp(-s)))
		}
		d.Offsets = append(d.Offsets, (q+1)*docs)
		d.QueryIDs = append(d.QueryIDs, fmt.Sprint("q", q))
	}
	return d
}

// withWeights returns d with row weights, some of which are 0.
func withWeights(d *Dataset) *Dataset {
	weighted := *d
	weighted.Weights = make([]float64, d.Rows())
	for i := range weighted.Weights {
		weighted.Weights[i] = float64(i*7%5) / 2
	}
	return &weighted
}

// explicit is the objective of a RankSVM over explicit pairs.
type explicit struct {
	x      *mat.Dense // preferred document minus the other one
	weight []float64
	loss   string
}

func newExplicit(d *Dataset, s RankSVM, loss string) explicit {
	e := explicit{loss: loss}
	c := s.C
	if c == 0 {
		c = 1
	}
	var rows []float64
	for q := range d.Queries() {
		lo, hi := d.Query(q)
		start, pairs := len(e.weight), 0.0
		for i := lo; i < hi; i++ {
			for j := lo; j < hi; j++ {
				if d.Labels[i] <= d.Labels[j] {
					continue
				}
				for k := range d.Cols {
					rows = append(rows, float64(d.Row(i)[k])-float64(d.Row(j)[k]))
				}
				w := c
				if s.Gain != nil {
					w *= s.Gain(d.Labels[i]) - s.Gain(d.Labels[j])
				}
				if d.QueryWeights != nil {
					w *= d.QueryWeights[q]
				}
				if d.Weights != nil {
					w *= d.Weights[i]
				}
				if d.Weights == nil || d.Weights[i] > 0 {
					pairs++
				}
				e.weight = append(e.weight, w)
			}
		}
		if s.PerQuery {
			for i := start; i < len(e.weight); i++ {
				e.weight[i] /= pairs
			}
		}
	}
	e.x = mat.NewDense(len(e.weight), d.Cols, rows)
	return e
}

// value returns the objective at w and its gradient.
func (e explicit) value(w []float64, reg func(j int) float64) (f float64, g []float64) {
	g = make([]float64, len(w))
	for j, v := range w {
		f += 0.5 * reg(j) * v * v
		g[j] = reg(j) * v
	}
	for i, c := range e.weight {
		x := e.x.RawRowView(i)
		var z float64
		for j, v := range x {
			z += v * w[j]
		}
		var l, dl float64
		switch t := max(0, 1-z); e.loss {
		case "squared-hinge":
			l, dl = t*t, -2*t
		case "hinge":
			l = t
		case "logistic":
			l, dl = max(0, -z)+math.Log1p(math.Exp(-math.Abs(z))), -1/(1+math.Exp(z))
		}
		f += c * l
		for j, v := range x {
			g[j] += c * dl * v
		}
	}
	return f, g
}

func penalizeAll(int) float64 { return 1 }

// hingeDual returns a lower bound of the minimum with hinge loss. A dual point is a coefficient,
// from 0 to its weight, for each pair. The derivatives of the loss with a rounded corner suggest
// good dual points near its minimum. Newton steps lead there until the bound is tight enough.
func (e explicit) hingeDual(w []float64, enough float64) float64 {
	_, d := e.x.Dims()
	best := math.Inf(-1)
	w = append([]float64(nil), w...)
	v := make([]float64, d)
	for width := 1e-2; width > 1e-8; width /= 3 {
		for range 30 {
			h := mat.NewSymDense(d, nil)
			for j := range d {
				h.SetSym(j, j, 1)
			}
			clear(v)
			var sum float64
			for i, c := range e.weight {
				x := e.x.RawRowView(i)
				a := (1-dot(x, w))/width + 0.5
				if a > 0 && a < 1 {
					h.SymRankOne(h, c/width, mat.NewVecDense(d, x))
				}
				a = c * min(max(a, 0), 1)
				sum += a
				for j := range v {
					v[j] += a * x[j]
				}
			}
			if best = max(best, sum-dot(v, v)/2); best >= enough {
				return best
			}
			g := make([]float64, d)
			for j := range g {
				g[j] = w[j] - v[j]
			}
			var chol mat.Cholesky
			var p mat.VecDense
			if dot(g, g) < 1e-20 || !chol.Factorize(h) || chol.SolveVecTo(&p, mat.NewVecDense(d, g)) != nil {
				break
			}
			before, at := e.rounded(w, width), append([]float64(nil), w...)
			for t := 1.0; t > 1e-6; t /= 2 {
				for j := range w {
					w[j] = at[j] - t*p.AtVec(j)
				}
				if e.rounded(w, width) < before {
					break
				}
			}
		}
	}
	return best
}

// rounded is the objective with a hinge whose corner is rounded over the given width.
func (e explicit) rounded(w []float64, width float64) float64 {
	f := dot(w, w) / 2
	for i, c := range e.weight {
		t := 1 - dot(e.x.RawRowView(i), w)
		a := min(max(t/width+0.5, 0), 1)
		f += c * (a*t + width/2*a*(1-a))
	}
	return f
}

// The objective is strongly convex, so f − min f ≤ ½‖∇f‖². This certifies the smooth losses on
// explicit pairs; a dual point certifies hinge.
func TestRankSVMOptimum(t *testing.T) {
	small := randomSet(1, 12, 14, 5, 4)
	scaled := randomSet(2, 12, 14, 5, 4)
	for i := range scaled.Rows() {
		scaled.Row(i)[0] = scaled.Row(i)[0]*1e4 + 1e5
		scaled.Row(i)[1] *= 1e-3
	}
	weighted := *small
	weighted.QueryWeights = make([]float64, 12)
	for q := range weighted.QueryWeights {
		weighted.QueryWeights[q] = float64(q % 4)
	}
	long := randomSet(5, 1, 300, 3, 5)
	for _, c := range []struct {
		name string
		d    *Dataset
		s    RankSVM
	}{
		{"defaults", small, RankSVM{}},
		{"row weights", withWeights(small), RankSVM{}},
		{"row weights of all options", withWeights(&weighted), RankSVM{C: 2, PerQuery: true, Gain: ExpGain}},
		{"row weights of a long query", withWeights(long), RankSVM{C: 1e-3}},
		{"weak", small, RankSVM{C: 1e-4}},
		{"strong", small, RankSVM{C: 100}},
		{"per query", small, RankSVM{C: 3, PerQuery: true}},
		{"query weights", &weighted, RankSVM{}},
		{"gain", small, RankSVM{Gain: ExpGain}},
		{"all options", &weighted, RankSVM{C: 2, PerQuery: true, Gain: func(label float64) float64 { return label }}},
		{"scales", scaled, RankSVM{C: 0.1}},
		{"many labels", randomSet(3, 3, 60, 4, 40), RankSVM{C: 0.01}},
		{"sampled", randomSet(4, 300, 12, 3, 3), RankSVM{C: 0.1}},
		{"long query", long, RankSVM{C: 1e-3}},
		{"one feature", randomSet(6, 5, 10, 1, 2), RankSVM{}},
	} {
		for _, loss := range []string{"squared-hinge", "hinge", "logistic"} {
			t.Run(fmt.Sprintf("%s/%v", c.name, loss), func(t *testing.T) {
				if testing.Short() && c.d.Rows() > 500 {
					t.Skip("takes long in emulation")
				}
				c.s.Loss = loss
				m, err := c.s.Fit(context.Background(), c.d)
				if err != nil {
					t.Fatal(err)
				}
				e := newExplicit(c.d, c.s, loss)
				f, g := e.value(m.Weights, penalizeAll)
				r := m.Report
				if !testkit.Near(r.Objective, f, 1e-12) {
					t.Errorf("objective %v, the pairs say %v", r.Objective, f)
				}
				if !r.Converged() || r.Gap > 1e-6 {
					t.Errorf("stop %v at gap %g", r.Stop, r.Gap)
				}
				var gap float64
				if loss == "hinge" {
					gap = f - e.hingeDual(m.Weights, f-0.9e-6*f)
				} else {
					// Tighter where a step of Newton's method on the pairs says so.
					gap = min(0.5*dot(g, g), newtonDecrement(e, m.Weights, g))
				}
				if gap > 1e-6*f {
					t.Errorf("relative gap %.3g (reported %.3g), %d passes", gap/f, r.Gap, r.Passes)
				}
			})
		}
	}
}

var gapProblems = flag.Int("gap-problems", 600, "random problems that TestRankSVMGap takes")

// gapProblem returns a random problem. It may be separable, sparse, or have more features than
// documents. Features are scaled over eight decades and may have means far from 0. Queries may be
// long or sampled. C and all options vary.
func gapProblem(seed uint64) (*Dataset, RankSVM) {
	r := rand.New(rand.NewPCG(seed, 77))
	queries, docs, cols := 1+r.IntN(30), 2+r.IntN(40), 1+r.IntN(12)
	switch r.IntN(12) {
	case 0, 1, 2, 3:
		docs, cols = 2+r.IntN(10), 1+r.IntN(80)
	case 4: // more than fits in a sample
		queries, docs = 100+r.IntN(100), 20
	case 5: // queries of which a sample contains parts
		queries, docs, cols = 1+r.IntN(6), 300+r.IntN(700), 1+r.IntN(4)
	}
	d := randomSet(seed, queries, docs, cols, 2+r.IntN(5))
	if r.IntN(3) == 0 {
		for i := range d.X {
			if r.IntN(20) > 0 {
				d.X[i] = 0
			}
		}
	}
	if r.IntN(2) == 0 { // without noise
		for i := range d.Labels {
			d.Labels[i] = 0
			if d.Row(i)[0]+d.Row(i)[cols-1] > 0 {
				d.Labels[i] = 1
			}
		}
	}
	if r.IntN(4) > 0 {
		for j := range cols {
			scale, mean := math.Pow(10, 8*r.Float64()-4), 0.0
			if r.IntN(4) == 0 {
				mean = 10 * r.Float64()
			}
			for i := range d.Rows() {
				d.Row(i)[j] = float32(scale * (float64(d.Row(i)[j]) + mean))
			}
		}
	}
	s := RankSVM{C: math.Pow(10, 8*r.Float64()-6), Loss: OptionWords("loss")[r.IntN(3)], Threads: 1}
	if r.IntN(3) == 0 {
		s.Tol = math.Pow(10, -2-4*r.Float64())
	}
	s.PerQuery, s.Standardize = r.IntN(4) == 0, r.IntN(6) == 0
	if r.IntN(4) == 0 {
		s.Gain = func(y float64) float64 { return math.Exp2(y) }
	}
	if r.IntN(4) == 0 {
		d.QueryWeights = make([]float64, queries)
		for q := range d.QueryWeights {
			d.QueryWeights[q] = float64(r.IntN(4))
		}
	}
	free := r.IntN(8) == 0
	for j := range cols {
		switch r.IntN(10) {
		case 0:
			s.NonNegative = append(s.NonNegative, j)
		case 1:
			if free {
				s.Unpenalized = append(s.Unpenalized, j)
			}
		}
	}
	return d, s
}

// The gap that a training reports is a bound for all kinds of problems, and a converged training is
// within its tolerance.
func TestRankSVMGap(t *testing.T) {
	problems := *gapProblems
	if testing.Short() || testkit.Race {
		problems /= 60 // fused multiply-adds are slow in emulation; and problems have one thread
	}
	trained, converged, best := 0, 0, 0
	nothing, unbounded := 0, 0    // problems without pairs; problems without a minimum
	seeds := []uint64{8109, 9852} // rounding makes these Hessians indefinite
	for seed := range uint64(problems) {
		seeds = append(seeds, seed)
	}
	for _, seed := range seeds {
		d, s := gapProblem(seed)
		m, err := s.Fit(context.Background(), d)
		switch {
		case err != nil && strings.Contains(err.Error(), "cannot train: no query"):
			nothing++
			continue
		case err != nil:
			t.Errorf("problem %d: %v", seed, err)
			continue
		}
		trained++
		tol := s.Tol
		if tol == 0 {
			tol = 1e-6
		}
		tight := s
		tight.Start, tight.Tol = m, 1e-11
		if s.Loss == "hinge" {
			tight.Tol = 1e-8
		}
		lower, err := tight.Fit(context.Background(), d)
		switch {
		case err != nil && s.Unpenalized != nil:
			unbounded++ // on separable data, unpenalized weights may grow without limit
			continue
		case err != nil:
			t.Errorf("problem %d to %g: %v", seed, tight.Tol, err)
			continue
		}
		if lower.Report.Gap < tol/10 {
			best++
		}
		r := m.Report
		gap := (r.Objective - lower.Report.Objective) / r.Objective
		if r.Converged() {
			converged++
			if r.Gap > tol {
				t.Errorf("problem %d: converged to %g with a gap of at most %g", seed, tol, r.Gap)
			}
		}
		// A pair's loss is rounded to about 2^-52.
		rounding := 1e-12 + 0x1p-50*s.C*float64(r.Pairs)/r.Objective
		if gap > r.Gap+rounding {
			t.Errorf("problem %d, %d×%d documents, %d features, C = %g, %v, %v: %.3g above the minimum, at most %.3g by the report",
				seed, d.Queries(), d.Rows()/d.Queries(), d.Cols, s.C, s.Loss, r.Stop, gap, r.Gap)
		}
	}
	t.Logf("%d problems, %d converged, %d with a minimum known ten times as well as the tolerance; %d without pairs, %d without a minimum",
		trained, converged, best, nothing, unbounded)
	if nothing > 1+problems/40 || unbounded > 1+problems/1000 {
		t.Errorf("of %d problems %d have no pairs, and %d no minimum", problems, nothing, unbounded)
	}
	if converged < trained*9/10 {
		t.Errorf("%d of %d problems converged", converged, trained)
	}
}

// With so many features that no Hessian matrix is stored, the gap is still a bound.
func TestRankSVMManyFeatures(t *testing.T) {
	d := randomSet(14, 4, 8, ranksvm.MaxDense+100, 3)
	for _, loss := range []string{"squared-hinge", "logistic", "hinge"} {
		t.Run(loss, func(t *testing.T) {
			s := RankSVM{C: 1e-4, Loss: loss, NonNegative: []int{0, 1}, Tol: 1e-6}
			if testing.Short() {
				s.Tol = 1e-3 // fused multiply-adds are slow in emulation
			}
			m, err := s.Fit(context.Background(), d)
			if err != nil {
				t.Fatal(err)
			}
			f, g := newExplicit(d, s, loss).value(m.Weights, penalizeAll)
			if !testkit.Near(f, m.Report.Objective, 1e-12) || !m.Report.Converged() {
				t.Errorf("objective %v, the pairs say %v; stop %v", m.Report.Objective, f, m.Report.Stop)
			}
			for j := range 2 {
				if m.Weights[j] == 0 && g[j] > 0 {
					g[j] = 0
				}
			}
			if gap := dot(g, g) / 2; loss != "hinge" && gap > s.Tol*f {
				t.Errorf("relative gap %g", gap/f)
			}
		})
	}
}

func dot(x, y []float64) (s float64) {
	for i := range x {
		s += x[i] * y[i]
	}
	return s
}

// newtonDecrement returns ½gᵀH⁻¹g with the Hessian of the pairs.
func newtonDecrement(e explicit, w, g []float64) float64 {
	d := len(w)
	h := mat.NewSymDense(d, nil)
	for j := range d {
		h.SetSym(j, j, 1)
	}
	for i, c := range e.weight {
		x := mat.NewVecDense(d, e.x.RawRowView(i))
		z := mat.Dot(x, mat.NewVecDense(d, w))
		var second float64
		switch p := 1 / (1 + math.Exp(-z)); {
		case e.loss == "logistic":
			second = p * (1 - p)
		case z < 1:
			second = 2
		}
		h.SymRankOne(h, c*second, x)
	}
	var chol mat.Cholesky
	if !chol.Factorize(h) {
		return math.Inf(1)
	}
	var p mat.VecDense
	if err := chol.SolveVecTo(&p, mat.NewVecDense(d, g)); err != nil {
		return math.Inf(1)
	}
	return 0.5 * mat.Dot(&p, mat.NewVecDense(d, g))
}

// Tests bounds and unpenalized weights: the Karush–Kuhn–Tucker conditions hold on the pairs.
func TestRankSVMConstraints(t *testing.T) {
	d := randomSet(7, 20, 12, 6, 3)
	for i := range d.Rows() { // two features whose optimal weights are negative
		d.Row(i)[0], d.Row(i)[2] = -d.Row(i)[0], -d.Row(i)[2]
	}
	for _, loss := range []string{"squared-hinge", "logistic"} {
		t.Run(loss, func(t *testing.T) {
			s := RankSVM{Loss: loss, C: 0.05, Unpenalized: []int{1}, NonNegative: []int{0, 1, 2, 3, 4}, Tol: 1e-10}
			m, err := s.Fit(context.Background(), d)
			if err != nil {
				t.Fatal(err)
			}
			f, g := newExplicit(d, s, loss).value(m.Weights, func(j int) float64 {
				if j == 1 {
					return 0
				}
				return 1
			})
			if !testkit.Near(f, m.Report.Objective, 1e-12) {
				t.Errorf("objective %v, the pairs say %v", m.Report.Objective, f)
			}
			atBound := 0
			for j, w := range m.Weights {
				switch {
				case w < 0 && j != 5:
					t.Errorf("weight %d is %v", j, w)
				case w == 0 && j != 5:
					atBound++
					if g[j] < 0 {
						t.Errorf("weight %d is 0 though the gradient %v asks for more", j, g[j])
					}
				case math.Abs(g[j]) > 1e-3:
					t.Errorf("weight %d is free with gradient %v", j, g[j])
				}
			}
			if atBound < 2 {
				t.Errorf("%d weights at their bound, want those of features 0 and 2: %v", atBound, m.Weights)
			}
		})
	}
}

// A standardized training does not depend on the units of the features, and its penalty is the
// requested one.
func TestRankSVMStandardize(t *testing.T) {
	d, metric := randomSet(13, 20, 12, 4, 3), randomSet(13, 20, 12, 4, 3)
	for i := range d.Rows() {
		d.Row(i)[3] = 7 // a constant
		metric.Row(i)[3] = 7
		metric.Row(i)[0] = d.Row(i)[0] * 1024
		metric.Row(i)[1] = d.Row(i)[1] / 4096
	}
	for _, loss := range []string{"squared-hinge", "hinge", "logistic"} {
		t.Run(loss, func(t *testing.T) {
			s := RankSVM{Loss: loss, C: 0.03, Standardize: true, Tol: 1e-9}
			a, err := s.Fit(context.Background(), d)
			if err != nil {
				t.Fatal(err)
			}
			b, err := s.Fit(context.Background(), metric)
			if err != nil {
				t.Fatal(err)
			}
			for j, unit := range []float64{1024, 1.0 / 4096, 1, 1} {
				if !testkit.Near(a.Weights[j], b.Weights[j]*unit, 1e-3) {
					t.Errorf("weight %d is %v, in other units %v", j, a.Weights[j], b.Weights[j]*unit)
				}
			}
			variance := make([]float64, 4)
			for j := range variance {
				var sum, squares float64
				for i := range d.Rows() {
					v := float64(d.Row(i)[j])
					sum, squares = sum+v, squares+v*v
				}
				n := float64(d.Rows())
				variance[j] = squares/n - sum/n*sum/n
			}
			f, _ := newExplicit(d, s, loss).value(a.Weights, func(j int) float64 { return variance[j] })
			if !testkit.Near(f, a.Report.Objective, 1e-10) {
				t.Errorf("objective %v, the pairs say %v", a.Report.Objective, f)
			}
		})
	}
}

// The model does not depend on threads or tier: it is bit-identical.
func TestRankSVMBits(t *testing.T) {
	sets := map[string]*Dataset{
		"queries": randomSet(8, 400, 20, 17, 5),
		"long":    randomSet(9, 1, ranksvm.LongQuery+500, 3, 5),
	}
	for name, d := range sets {
		t.Run(name, func(t *testing.T) {
			for _, loss := range []string{"squared-hinge", "hinge", "logistic"} {
				t.Run(loss, func(t *testing.T) {
					s := RankSVM{Loss: loss, C: 1e-3, Threads: 1}
					if name == "long" {
						if loss != "squared-hinge" {
							return
						}
						s.PerQuery, s.Tol = true, 1e-2
					}
					if testing.Short() {
						s.Tol = 1e-2 // fused multiply-adds are slow in emulation
					}
					want, err := s.Fit(context.Background(), d)
					if err != nil {
						t.Fatal(err)
					}
					check := func(what string) {
						got, err := s.Fit(context.Background(), d)
						if err != nil {
							t.Fatal(err)
						}
						for j, w := range want.Weights {
							if math.Float64bits(w) != math.Float64bits(got.Weights[j]) {
								t.Fatalf("%s: weight %d is %x, on one thread %x", what, j, got.Weights[j],
									w)
							}
						}
					}
					threads := []int{2, 3, 8}
					if testing.Short() {
						threads = threads[1:2]
					}
					for _, n := range threads {
						s.Threads = n
						check(fmt.Sprint(n, " threads"))
					}
					for _, tier := range cpu.Available() {
						if tier == cpu.Active() {
							continue
						}
						restore := cpu.Force(tier)
						check(tier.String())
						restore()
					}
				})
			}
		})
	}
}

func TestRankSVMStart(t *testing.T) {
	d := randomSet(10, 600, 15, 6, 4)
	s := RankSVM{C: 0.01}
	cold, err := s.Fit(context.Background(), d)
	if err != nil {
		t.Fatal(err)
	}
	s.Start = cold
	warm, err := s.Fit(context.Background(), d)
	if err != nil {
		t.Fatal(err)
	}
	if warm.Report.Passes > 1 || !testkit.Near(warm.Report.Objective, cold.Report.Objective, 1e-6) {
		t.Errorf("from the optimum: %d passes to %v, cold %d to %v", warm.Report.Passes, warm.Report.Objective,
			cold.Report.Passes, cold.Report.Objective)
	}
}

func TestRankSVMStops(t *testing.T) {
	d := randomSet(11, 600, 15, 6, 4)
	for _, loss := range []string{"squared-hinge", "hinge"} {
		t.Run(loss, func(t *testing.T) {
			var seen []FitReport
			ctx, cancel := context.WithCancel(context.Background())
			s := RankSVM{Loss: loss, Tol: 1e-12, OnIteration: func(p FitReport) {
				seen = append(seen, p)
				if p.Passes >= 2 {
					cancel()
				}
			}}
			m, err := s.Fit(ctx, d)
			if !errors.Is(err, context.Canceled) || m == nil || m.Report.Stop != "canceled" {
				t.Fatalf("canceled: model %v, error %v", m, err)
			}
			if last := seen[len(seen)-1]; last.Objective != m.Report.Objective {
				t.Errorf("canceled at objective %v, model has %v", last.Objective, m.Report.Objective)
			}
			for i := range seen[1:] {
				if !seen[i].Sampled && loss != "hinge" && seen[i+1].Objective > seen[i].Objective {
					t.Errorf("objective rises from %v to %v", seen[i].Objective, seen[i+1].Objective)
				}
			}

			m, err = (&RankSVM{Loss: loss, Tol: 1e-12, MaxPasses: 2}).Fit(context.Background(), d)
			if err != nil || m.Report.Stop != "passes" || m.Report.Passes > 4 {
				t.Errorf("MaxPasses 2: %+v, %v", m.Report, err)
			}
		})
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if m, err := new(RankSVM).Fit(ctx, d); !errors.Is(err, context.Canceled) || m == nil {
		t.Errorf("canceled before the start: %v, %v", m, err)
	}
}

// A canceled training ends within a pass over one query, whose pairs take half a minute.
func TestRankSVMStopsWithinQuery(t *testing.T) {
	const rows = 400_000
	d := NewDataset(rows, 1)
	for i := range d.Labels {
		d.X[i*d.Stride], d.Labels[i] = float32(i%10), float64(i%2)
	}
	d.Offsets, d.QueryIDs = []int{0, rows}, []string{"1"}
	ctx := testkit.EndAfter(t.Context(), 40)
	_, err := (&RankSVM{Loss: "logistic", Threads: 1}).Fit(ctx, d)
	if asked := ctx.Asked.Load(); !errors.Is(err, context.Canceled) || asked > 80 {
		t.Errorf("%v, asked %d times", err, asked)
	}
}

func TestRankSVMErrors(t *testing.T) {
	good := randomSet(12, 4, 6, 3, 3)
	flat := randomSet(12, 4, 6, 3, 1)
	with := func(change func(d *Dataset)) *Dataset {
		d := randomSet(12, 4, 6, 3, 3)
		change(d)
		return d
	}
	nan := math.NaN()
	for _, c := range []struct {
		want string
		s    RankSVM
		d    *Dataset
	}{
		{"C is -1", RankSVM{C: -1}, good},
		{"C is NaN", RankSVM{C: nan}, good},
		{"Tol is 2", RankSVM{Tol: 2}, good},
		{"MaxPasses is -1", RankSVM{MaxPasses: -1}, good},
		{`loss "x": must be one of squared-hinge, hinge, logistic`, RankSVM{Loss: "x"}, good},
		{"the number of query weights is 1", RankSVM{}, with(func(d *Dataset) { d.QueryWeights = []float64{1} })},
		{"weight of query q1 is -1", RankSVM{},
			with(func(d *Dataset) { d.QueryWeights = []float64{1, -1, 1, 1} })},
		{"cannot train: no query with a positive weight", RankSVM{},
			with(func(d *Dataset) { d.Weights = make([]float64, d.Rows()) })},
		{"unpenalized feature 3 does not exist", RankSVM{Unpenalized: []int{3}}, good},
		{"non-negative feature -1 does not exist", RankSVM{NonNegative: []int{-1}}, good},
		{"the starting model has 1 weights", RankSVM{Start: &Linear{Weights: []float64{1}}}, good},
		{"weight 1 of the starting model is NaN", RankSVM{Start: &Linear{Weights: []float64{0, nan, 0}}}, good},
		{"gain of label 1 is -1, which is less than", RankSVM{Gain: func(y float64) float64 { return -y }}, good},
		{"gain of label 0 is NaN", RankSVM{Gain: func(y float64) float64 { return nan }}, good},
		{"cannot train: no query", RankSVM{}, flat},
		{"cannot train: no query", RankSVM{}, NewDataset(0, 3)},
		{"cannot train: no query", RankSVM{}, with(func(d *Dataset) { d.QueryWeights = make([]float64, 4) })},
		{"no features", RankSVM{}, NewDataset(0, 0)},
		{"row 5: the label is NaN", RankSVM{}, with(func(d *Dataset) { d.Labels[5] = nan })},
		{"row 7: feature 2 is NaN", RankSVM{}, with(func(d *Dataset) { d.Row(7)[1] = float32(nan) })},
		{"row 7: feature 3 is +Inf", RankSVM{Loss: "hinge"},
			with(func(d *Dataset) { d.Row(7)[2] = float32(math.Inf(1)) })},
		{"query offsets", RankSVM{}, with(func(d *Dataset) { d.Offsets[4] = 99 })},
	} {
		t.Run(c.want, func(t *testing.T) {
			if m, err := c.s.Fit(context.Background(), c.d); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, %v; want error %q", m, err, c.want)
			}
		})
	}
}
