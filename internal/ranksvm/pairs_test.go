package ranksvm

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// queries draws a problem of six queries over d features, one of them without pairs; sparse if
// asked.
func queries(d int, loss Loss, sparse bool) *Problem {
	r := rand.New(rand.NewPCG(uint64(d), 1))
	p := &Problem{Loss: loss, Threads: 2, C: 1, PerQuery: true}
	p.Queries = []int{0}
	p.Features = Matrix{Cols: d, Stride: (d + 15) &^ 15}
	for q := range 6 {
		for range 2 + 5*q {
			p.Labels = append(p.Labels, float64(r.IntN(min(q, 4)+1)))
			row := make([]float32, p.Features.Stride)
			for j := range d {
				if r.IntN(3) > 0 {
					row[j] = float32(r.IntN(65)-32) / 32
				}
			}
			p.Features.X = append(p.Features.X, row...)
		}
		p.Queries = append(p.Queries, len(p.Labels))
	}
	p.QueryWeights = []float64{1, 2, 3, 4, 5, 6}
	if sparse {
		x := &p.Features
		x.Offsets = []int{0}
		for i := range p.Labels {
			for j, v := range x.X[i*x.Stride : (i+1)*x.Stride] {
				if v != 0 {
					x.Columns, x.Values = append(x.Columns, int32(j)), append(x.Values, v)
				}
			}
			x.Offsets = append(x.Offsets, len(x.Values))
		}
		x.X, x.Stride = nil, 0
	}
	return p
}

// row returns the features of a document.
func (p *Problem) row(i int) []float64 {
	x, row := &p.Features, make([]float64, p.Features.Cols)
	if x.Offsets == nil {
		for j := range row {
			row[j] = float64(x.X[i*x.Stride+j])
		}
		return row
	}
	columns, values := x.row(i)
	for k, j := range columns {
		row[j] = float64(values[k])
	}
	return row
}

// of returns the loss of a pair with its first and second derivative, by definition.
func (pl pairLoss) of(z float64) (l, d, dd float64) {
	switch pl.kind {
	case SquaredHinge:
		if z < 1 {
			return (1 - z) * (1 - z), -2 * (1 - z), 2
		}
	case Logistic:
		p := 1 / (1 + math.Exp(z))
		return math.Log1p(math.Exp(-z)), -p, p * (1 - p)
	case Hinge:
		a := (1-z)/pl.width + 0.5
		switch {
		case a >= 1:
			return 1 - z, -1, 0
		case a > 0:
			return a*(1-z) + pl.width/2*a*(1-a), -a, 1 / pl.width
		}
	}
	return 0, 0, 0
}

// Loss, gradient and Hessian are sums over the pairs written out.
func TestPairSet(t *testing.T) {
	for _, d := range []int{1, 5, 19} {
		t.Run(fmt.Sprint(d), func(t *testing.T) {
			for _, loss := range []Loss{SquaredHinge, Hinge, Logistic} {
				for _, gain := range []func(float64) float64{nil, func(y float64) float64 { return y * y }} {
					dense, sparse := queries(d, loss, false), queries(d, loss, true)
					dense.Gain, sparse.Gain = gain, gain
					for _, at := range []float64{0, 0.3} {
						pl := pairLoss{kind: loss}
						if loss == Hinge {
							pl.width = 1.5
						}
						w := make([]float64, d)
						for j := range w {
							w[j] = at * float64(j%3-1)
						}
						w[0] = at
						want := pairByPair(dense, pl, w)
						got := computed(t, dense, pl, w)
						if gain == nil {
							for i, v := range computed(t, listed(dense), pl, w) {
								if math.Abs(v-want[i]) > 1e-12*(1+math.Abs(want[i])) {
									t.Errorf("loss %d, w = %v: value %d of listed pairs is %v, want %v", loss, at, i, v,
										want[i])
								}
							}
						}
						for i, v := range computed(t, sparse, pl, w) {
							if v != got[i] {
								t.Errorf("loss %d: value %d is %v from sparse features, %v from dense", loss, i, v,
									got[i])
							}
							if math.Abs(v-want[i]) > 1e-12*(1+math.Abs(want[i])) {
								t.Errorf("loss %d, w = %v: value %d is %v, the pairs say %v", loss, at, i, v,
									want[i])
							}
						}
					}
				}
			}
		})
	}
}

// listed returns the problem with all its pairs listed.
func listed(p *Problem) *Problem {
	l := *p
	l.Pairs = make([][]Pair, len(p.Queries)-1)
	for q := range l.Pairs {
		labels := p.Labels[p.Queries[q]:p.Queries[q+1]]
		for i, better := range labels {
			for j, worse := range labels {
				if better > worse {
					l.Pairs[q] = append(l.Pairs[q], Pair{int32(i), int32(j), 1})
				}
			}
		}
	}
	return &l
}

// Queries that are read together give what each alone does, as those of sparse rows are: more than
// a group of them, some without pairs, and a long one of few bytes.
func TestTogether(t *testing.T) {
	const d = 2
	r := rand.New(rand.NewPCG(3, 1))
	dense := &Problem{Threads: 1, Block: 1 << 20, C: 1}
	dense.Queries, dense.Features = []int{0}, Matrix{Cols: d, Stride: 4}
	for q := range 200 {
		n, grades := 150, 3
		switch {
		case q == 3:
			n = LongQuery + 1
		case q%7 == 0 && q < 20:
			grades = 1
		}
		for range n {
			dense.Labels = append(dense.Labels, float64(r.IntN(grades)))
			dense.Features.X = append(dense.Features.X, float32(r.IntN(65)-32), float32(r.IntN(64)+1), 0, 0)
		}
		dense.Queries = append(dense.Queries, len(dense.Labels))
	}
	sparse := *dense
	sparse.Features = Matrix{Cols: d, Offsets: []int{0}}
	for i := range dense.Labels {
		x := &sparse.Features
		x.Columns, x.Values = append(x.Columns, 0, 1), append(x.Values, dense.Features.X[4*i:4*i+d]...)
		x.Offsets = append(x.Offsets, len(x.Values))
	}
	w := []float64{.03, -.01}
	var want, got [d]float64
	one, err := newPairSet(&sparse).loss(t.Context(), pairLoss{}, w, want[:])
	if err != nil {
		t.Fatal(err)
	}
	set := newPairSet(dense)
	all, err := set.loss(t.Context(), pairLoss{}, w, got[:])
	if err != nil || all != one || got != want {
		t.Errorf("together %v, %v, one by one %v, %v, error %v", all, got, one, want, err)
	}
	for _, c := range []struct{ from, want int }{{0, 2}, {1, 1}, {3, 3}, {12, groupBytes / 16 / 150}} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			if k := set.together(set.units[c.from:]); k != c.want {
				t.Errorf("%d units from %d on are a group, want %d", k, c.from, c.want)
			}
		})
	}
}

// pairByPair returns loss, gradient, Hessian and an estimate of its diagonal over pairs written
// out.
func pairByPair(p *Problem, pl pairLoss, w []float64) []float64 {
	d := len(w)
	out := make([]float64, 1+d+d*d+d)
	for q := range len(p.Queries) - 1 {
		var pairs [][2]int
		for i := p.Queries[q]; i < p.Queries[q+1]; i++ {
			for j := p.Queries[q]; j < p.Queries[q+1]; j++ {
				if p.Labels[i] > p.Labels[j] {
					pairs = append(pairs, [2]int{i, j})
				}
			}
		}
		degree := make([]float64, len(p.Labels))
		for _, ij := range pairs {
			c := p.weight(q, int64(len(pairs)))
			if p.Gain != nil {
				c *= p.Gain(p.Labels[ij[0]]) - p.Gain(p.Labels[ij[1]])
			}
			x, z := p.row(ij[0]), 0.0
			for a, v := range p.row(ij[1]) {
				x[a] -= v
				z += x[a] * w[a]
			}
			l, first, second := pl.of(z)
			out[0] += c * l
			for a := range d {
				out[1+a] += c * first * x[a]
				for b := a; b < d; b++ {
					out[1+d+a*d+b] += c * second * x[a] * x[b]
				}
			}
			degree[ij[0]] += c * second
			degree[ij[1]] += c * second
		}
		for a := range d {
			var all, sum, squares float64
			for i, g := range degree {
				v := p.row(i)[a]
				all, sum, squares = all+g, sum+g*v, squares+g*v*v
			}
			if all > 0 {
				out[1+d+d*d+a] += squares - sum*sum/all
			}
		}
	}
	return out
}

// computed returns what written does.
func computed(t *testing.T, p *Problem, pl pairLoss, w []float64) []float64 {
	t.Helper()
	d := len(w)
	out := make([]float64, 1+d+d*d+d)
	s := newPairSet(p)
	var err error
	if out[0], err = s.loss(t.Context(), pl, w, out[1:1+d]); err != nil {
		t.Fatal(err)
	}
	if err := s.hessian(t.Context(), pl, w, out[1+d:1+d+d*d], false); err != nil {
		t.Fatal(err)
	}
	if err := s.hessian(t.Context(), pl, w, out[1+d+d*d:], true); err != nil {
		t.Fatal(err)
	}
	for a := range d { // below the diagonal nothing is promised
		clear(out[1+d+a*d : 1+d+a*d+a])
	}
	return out
}

// Samples weigh as much as what they are drawn from, and hold each document at most once.
func TestSample(t *testing.T) {
	p := queries(5, SquaredHinge, false)
	s := newPairSet(p)
	if all, whole, err := s.sample(t.Context(), s.docs, 1000); !whole || all != s || err != nil {
		t.Error("a sample of everything is not everything")
	}
	weight := func(s *pairSet) (sum float64) {
		for _, u := range s.units {
			sum += u.weight * float64(u.pairs)
		}
		return sum
	}
	for _, c := range []struct{ docs, length int }{{20, 1000}, {40, 4}, {1000, 4}, {1, 3}} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			part, whole, err := s.sample(t.Context(), c.docs, c.length)
			if err != nil || whole || part.docs < min(c.docs, s.docs/2) {
				t.Errorf("%d documents of %d, whole: %v", part.docs, s.docs, whole)
			}
			if got, want := weight(part), weight(s); math.Abs(got/want-1) > 1e-12 {
				t.Errorf("weight %v, want %v", got, want)
			}
			seen := map[int32]bool{}
			for _, u := range part.units {
				if c.length < 100 && len(u.rows) > 2*c.length {
					t.Errorf("a part of %d documents", len(u.rows))
				}
				for k, r := range u.rows {
					if seen[r] {
						t.Errorf("document %d twice", r)
					}
					seen[r] = true
					below := 0
					for _, other := range u.rows {
						if p.Labels[other] < p.Labels[r] {
							below++
						}
					}
					if int(u.lower[k]) != below {
						t.Errorf("%d documents below document %d, want %d", u.lower[k], r, below)
					}
				}
			}
		})
	}
}
