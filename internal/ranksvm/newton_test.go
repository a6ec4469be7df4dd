package ranksvm

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/simdrank/simdrank/kernels"
)

// logistic is Σ ln(1+exp(−aᵢ·w)). Its Hessians are multiplied by inflate, so that steps of less
// than their length make slow progress.
type logistic struct {
	rows      [][]float64
	inflate   float64
	matrix    float64 // of Traits
	matrices  int     // Hessians that were one
	gradients int
	fail      error // of the gradient, from the third on
	scale     float64
}

// newLogistic draws n rows of d values, the first variable on the largest scale.
func newLogistic(n, d int) *logistic {
	r := rand.New(rand.NewPCG(uint64(n), uint64(d)))
	l := &logistic{inflate: 1, scale: 1}
	for range n {
		row := make([]float64, d)
		for j := range row {
			row[j] = (r.Float64() - 0.4) * math.Ldexp(8, -2*j)
		}
		l.rows = append(l.rows, row)
	}
	return l
}

func (l *logistic) Gradient(_ context.Context, w, g []float64) (float64, error) {
	if l.gradients++; l.fail != nil && l.gradients > 2 {
		return 0, l.fail
	}
	clear(g)
	var f float64
	for _, a := range l.rows {
		z := kernels.DotF64(a, w)
		f += l.scale * math.Log1p(math.Exp(-z))
		kernels.AxpyF64(-l.scale/(1+math.Exp(z)), a, g)
	}
	return f, nil
}

func (l *logistic) Hessian(_ context.Context, w, h []float64, diagonal bool) error {
	clear(h)
	n := len(w)
	if !diagonal {
		l.matrices++
	}
	for _, a := range l.rows {
		p := 1 / (1 + math.Exp(kernels.DotF64(a, w)))
		for i, x := range a {
			if diagonal {
				h[i] += l.inflate * l.scale * p * (1 - p) * x * x
				continue
			}
			kernels.AxpyF64(l.inflate*l.scale*p*(1-p)*x, a[i:], h[i*n+i:(i+1)*n])
		}
	}
	return nil
}

func (l *logistic) Traits() Traits { return Traits{Hessian: 2, Matrix: l.matrix} }

func ridge(n int) Penalty {
	p := Penalty{R: make([]float64, n)}
	for j := range p.R {
		p.R[j] = 1
	}
	return p
}

func always() bool { return true }

// largest returns the largest element of the gradient of the variables that may move.
func (s *Solver) largest() float64 {
	var m float64
	for j, g := range s.g {
		if s.penalty.NonNegative == nil || !s.penalty.NonNegative[j] || s.W[j] > 0 || g < 0 {
			m = max(m, math.Abs(g))
		}
	}
	return m
}

func TestMinimize(t *testing.T) {
	for _, c := range []struct {
		name        string
		n, d        int
		inflate     float64
		nonNegative []bool
		matrix      float64
		matrices    bool
	}{
		{"newton", 60, 5, 1, nil, 0, true},
		{"slow", 60, 5, 30, nil, 0, true},
		{"bounds", 60, 5, 1, []bool{true, true, true, false, true}, 0, true},
		{"one", 7, 1, 1, nil, 0, true},
		{"diagonal", 3, MaxDense + 1, 1, nil, 0, false},
		{"diagonal first", 60, 5, 1, nil, 3, true},
		{"diagonal first, bounds", 60, 5, 1, []bool{true, true, true, false, true}, 3, true},
		{"diagonal alone", 60, 5, 1, nil, 1000, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := newLogistic(c.n, c.d)
			o.inflate, o.matrix = c.inflate, c.matrix
			for i, row := range o.rows { // a variable that wants to be negative
				if i%3 > 0 && len(row) > 1 {
					row[1] = -math.Abs(row[1])
				}
			}
			p := ridge(c.d)
			p.NonNegative = c.nonNegative
			s := newSolver(p, make([]float64, c.d), always)
			if err := s.Minimize(t.Context(), o, 1e-12); err != nil {
				t.Fatal(err)
			}
			if c.matrices != (o.matrices > 0) {
				t.Errorf("%d Hessian matrices", o.matrices)
			}
			if m := s.largest(); m > 1e-4 {
				t.Errorf("gradient up to %g at the minimum", m)
			}
			if s.Gap > 1e-12*s.F || s.Bound < 0 {
				t.Errorf("gap %g of %g, bound %g", s.Gap, s.F, s.Bound)
			}
			for j := range c.nonNegative {
				if w := s.W[j]; c.nonNegative[j] && w < 0 || j == 1 && w != 0 {
					t.Errorf("variable %d is %v", j, w)
				}
			}
		})
	}
}

func TestMinimizeErrors(t *testing.T) {
	failure := errors.New("failure")
	for _, c := range []struct {
		name string
		o    *logistic
		more int // iterations until progress reports false; 0: never
		tol  float64
		want error
	}{
		{"gradient", &logistic{rows: newLogistic(9, 3).rows, inflate: 1, scale: 1, fail: failure}, 0, 1e-9, failure},
		{"progress", newLogistic(9, 3), 2, 1e-15, ErrStopped},
		{"precision", newLogistic(9, 3), 0, 0, ErrPrecision},
		{"precision by a diagonal", &logistic{rows: newLogistic(9, 3).rows, inflate: 1, scale: 1, matrix: 1000}, 0, 0,
			ErrPrecision},
		{"value", &logistic{rows: [][]float64{{1, 2}}, inflate: 1, scale: math.Inf(1)}, 0, 1e-9, ErrNotFinite},
		{"Hessian", &logistic{rows: [][]float64{{1, 2}}, inflate: math.Inf(1), scale: 1}, 0, 1e-9, ErrNotFinite},
	} {
		t.Run(c.name, func(t *testing.T) {
			n := 0
			s := newSolver(ridge(len(c.o.rows[0])), make([]float64, len(c.o.rows[0])), func() bool {
				n++
				return n != c.more
			})
			if err := s.Minimize(t.Context(), c.o, c.tol); err != c.want {
				t.Errorf("%v, want %v", err, c.want)
			}
			if c.more > 0 && n != c.more {
				t.Errorf("%d iterations, want %d", n, c.more)
			}
		})
	}
}

// corner is the squared hinge of the sum of all variables: behind the corner, where that is 1, it
// curves by their number more than before.
type corner struct{ gradients int }

func (c *corner) Gradient(_ context.Context, w, g []float64) (float64, error) {
	c.gradients++
	left := 1.0
	for _, v := range w {
		left -= v
	}
	left = max(left, 0)
	for j := range g {
		g[j] = -2 * left
	}
	return float64(left * left), nil
}

func (c *corner) Hessian(_ context.Context, _, h []float64, _ bool) error {
	for j := range h {
		h[j] = 2
	}
	return nil
}

func (c *corner) Traits() Traits { return Traits{Hessian: 8} }

// A corner that is far nearer than a step is long is found by halving: steps of a fiftieth took 444
// gradients.
func TestCorner(t *testing.T) {
	const n = 10 * MaxDense
	c := &corner{}
	s := newSolver(ridge(n), make([]float64, n), always)
	if err := s.Minimize(t.Context(), c, 1e-9); err != nil {
		t.Fatal(err)
	}
	if want := 1.0 / (2*n + 1); math.Abs(s.F-want) > 1e-9*want || c.gradients > 100 {
		t.Errorf("%g after %d gradients, want %g", s.F, c.gradients, want)
	}
}

// wall falls evenly up to a corner at 1.7, behind which it rises steeply.
type wall struct{}

func (wall) Gradient(_ context.Context, w, g []float64) (float64, error) {
	behind := max(w[0]-1.7, 0)
	g[0] = 2e12*behind - 100
	return 1000 - float64(100*w[0]) + 1e12*behind*behind, nil
}

func (wall) Hessian(_ context.Context, _, h []float64, _ bool) error {
	h[0] = 0
	return nil
}

func (wall) Traits() Traits { return Traits{} }

// The halves of a step make one pair of L-BFGS: they have the same direction, and would drive out
// all others.
func TestCornerIsOnePair(t *testing.T) {
	iterations := 0
	s := newSolver(ridge(1), make([]float64, 1), func() bool {
		iterations++
		return iterations < 2
	})
	if err := s.Minimize(t.Context(), wall{}, 1e-9); err != ErrStopped {
		t.Fatal(err)
	}
	if w := s.W[0]; !(math.Abs(w-1.7) < 1e-6) {
		t.Errorf("the step leads to %v, not to the corner", w)
	}
	c := &s.curvature
	if len(c.s) != 1 || !(math.Abs(c.s[0][0]-s.W[0]) < 1e-12) || !(math.Abs(c.y[0][0]-(s.g[0]+100)) < 1e-12) ||
		c.sy[0] != c.s[0][0]*c.y[0][0] {
		t.Errorf("pairs %v, %v, %v after a step to %v with gradient %v", c.s, c.y, c.sy, s.W, s.g)
	}
}

// unproved is an objective whose proofs always want a decrement that is less by excess. It counts
// what the solver does about that.
type unproved struct {
	*logistic
	s      *Solver
	before float64 // the decrement an iteration ago
	excess float64

	proofs, samples         int // how often each may grow
	proved, late            int // proofs, and those that the steps of the time of a larger one do not reach
	askedProof, askedSample int
}

func (u *unproved) Traits() Traits {
	return Traits{Hessian: 8, Proof: 1, NextProof: 3, Share: 1e30}
}

func (u *unproved) Prove(context.Context, Point) (Proof, error) {
	u.proved++
	if rate := u.s.decrement / u.before; u.excess*rate*rate*rate > 1 {
		u.late++
	}
	return NoProof(u.excess), nil
}

func (u *unproved) GrowProof() bool {
	u.askedProof++
	return u.askedProof <= u.proofs
}

func (u *unproved) GrowSample(context.Context) (bool, error) {
	u.askedSample++
	return u.askedSample <= u.samples, nil
}

// Proofs grow where steps to one would take longer than a larger one, and only there; the sample
// grows where proofs cannot.
func TestProofsGrow(t *testing.T) {
	for _, c := range []struct {
		name            string
		inflate, excess float64
		proofs, samples int
		late            bool
	}{
		{"fast steps", 1, 8, 9, 9, false},
		{"slow steps", 300, 1e6, 9, 9, true},
		{"slow steps, no larger proof", 300, 1e6, 0, 2, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			u := &unproved{logistic: newLogistic(60, 6), excess: c.excess, before: math.Inf(1), proofs: c.proofs,
				samples: c.samples}
			u.inflate = c.inflate
			end := errors.New("end")
			u.s = newSolver(ridge(6), make([]float64, 6), func() bool {
				u.before = u.s.decrement
				if u.s.Gap < 1e-9*u.s.F {
					u.fail = end
				}
				return true
			})
			if err := u.s.Minimize(t.Context(), u, 1e-15); err != end {
				t.Fatal(err)
			}
			if u.proved < 2 || u.late > 0 != c.late {
				t.Errorf("%d proofs, %d of them too late", u.proved, u.late)
			}
			if u.askedProof != u.late || u.askedSample != max(0, u.late-c.proofs) {
				t.Errorf("proofs grow %d times and the sample %d, where %d proofs are late", u.askedProof,
					u.askedSample, u.late)
			}
		})
	}
}

// A diagonal becomes that of its tempers which the last steps agree with; where they agree with the
// diagonal itself, it stays as it is.
func TestTemper(t *testing.T) {
	const n = 9
	for k := range 5 {
		m := &curvature{fixed: make([]bool, n)}
		m.use(true)
		m.fixed[4] = true
		r := ridge(n).R
		r[5], r[6], r[7] = 0, 0, 3
		for j := range m.h {
			m.h[j] = math.Ldexp(1, 3*j)
		}
		m.h[6] = 0 // neither penalty nor curvature: it has no part in anything
		m.add(r)
		want := make([]float64, n)
		for j, h := range m.h {
			if want[j] = h; r[j] > 0 {
				want[j] = r[j] * math.Pow(h/r[j], float64(k)/4)
			}
		}
		rng := rand.New(rand.NewPCG(1, 2))
		zeros := make([]float64, n)
		for range temperSteps + 2 { // the first two say something else
			s, y := make([]float64, n), make([]float64, n)
			for j := range s {
				s[j] = rng.Float64() - 0.5
				if y[j] = 7 * want[j] * s[j]; len(m.s) < 2 {
					y[j] = s[j]
				} else if m.fixed[j] {
					y[j] = 1e30
				}
			}
			m.learn(zeros, s, zeros, y, false)
		}
		before := slices.Clone(m.h)
		if !m.factorize(t.Context()) {
			t.Fatal("not finite")
		}
		if k == 4 && !slices.Equal(m.h, before) {
			t.Errorf("the diagonal has changed from %v to %v", before, m.h)
		}
		for j, h := range m.h {
			if !(math.Abs(h-want[j]) <= 1e-14*want[j]) {
				t.Errorf("power %d/4: variable %d has %v, want %v", k, j, h, want[j])
			}
		}
	}
}
