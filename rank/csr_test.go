package rank

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/simdrank/simdrank/internal/cpu"
	"github.com/simdrank/simdrank/internal/newton"
	"github.com/simdrank/simdrank/internal/ranksvm"
)

// thin sets all but one feature of n to zero, drawn at random; some rows and columns keep none.
func thin(d *Dataset, n int) *Dataset {
	r := rand.New(rand.NewPCG(uint64(n), 3))
	for i := range d.Rows() {
		for j := range d.Row(i) {
			if r.IntN(n) > 0 || i%7 == 3 || j%11 == 5 {
				d.Row(i)[j] = 0
			}
		}
	}
	return d
}

// Training on what is not zero gives the bits of training on all.
func TestRankSVMSparseBits(t *testing.T) {
	long := randomSet(2, 1, ranksvm.LongQuery+300, 240, 5)
	for name, c := range map[string]struct {
		d *Dataset
		s RankSVM
	}{
		"queries": {randomSet(1, 60, 20, 240, 4), RankSVM{C: 0.1}},
		"gains": {randomSet(3, 40, 20, 230, 4),
			RankSVM{C: 0.1, Gain: func(y float64) float64 { return y * y }, NonNegative: []int{0, 3}}},
		"long query":    {long, RankSVM{C: 1e-6, Standardize: true}},
		"sampled parts": {randomSet(4, 12, 300, 220, 3), RankSVM{C: 1e-4}},
		"many features": {randomSet(5, 6, 9, newton.MaxDense+40, 3), RankSVM{C: 1e-3, Unpenalized: []int{2}}},
	} {
		thin(c.d, 40)
		for _, c.s.Loss = range []Loss{SquaredHinge, Logistic, Hinge} {
			if c.s.Loss != SquaredHinge && (testing.Short() || name == "long query") {
				continue
			}
			c.s.Threads, c.s.Tol = 1, 1e-4
			run := func(sparse bool) []float64 {
				p, w, err := c.s.problem(c.d)
				if err != nil {
					t.Fatal(err)
				}
				if p.Features.Offsets == nil {
					t.Fatalf("%s: not taken for sparse", name)
				}
				if !sparse {
					p.Features.Offsets = nil
				}
				training := ranksvm.New(p, w)
				switch err := training.Run(context.Background(), true); err {
				case nil, newton.ErrStopped, newton.ErrPrecision:
				default:
					t.Fatal(err)
				}
				return training.Weights()
			}
			dense := run(false)
			check := func(what string) {
				for j, w := range run(true) {
					if w != dense[j] { // −0 equals 0
						t.Fatalf("%s, %v, %s: weight %d is %x, from the zeros too %x", name, c.s.Loss, what, j, w,
							dense[j])
					}
				}
			}
			for _, tier := range cpu.Available() {
				restore := cpu.Force(tier)
				check(tier.String())
				restore()
			}
			c.s.Threads = 3
			check("3 threads")
		}
	}
}

func TestCSR(t *testing.T) {
	for _, rows := range []int{1, 5, 600, 3 * blockDocs} {
		for _, c := range []struct {
			n    int // one value in n is not zero
			want bool
		}{{1, false}, {9, false}, {40, true}} {
			d := thin(randomSet(uint64(rows), rows, 1, 300, 2), c.n)
			t.Run(fmt.Sprint(rows, " rows, 1 in ", c.n), func(t *testing.T) {
				x := sparse(d, 3)
				if got := x != nil; got != c.want {
					t.Fatalf("sparse: %v, want %v", got, c.want)
				}
				if x == nil {
					return
				}
				if 2*len(x.Columns) > len(d.X)/5 {
					t.Errorf("%d values of %d: more than a fifth of the memory", len(x.Columns), len(d.X))
				}
				for i := range rows {
					row := make([]float32, d.Cols)
					index, value := x.Row(i)
					for k, j := range index {
						row[j] = value[k]
					}
					for j, v := range d.Row(i) {
						if row[j] != v {
							t.Fatalf("row %d, column %d: %v, want %v", i, j, row[j], v)
						}
					}
				}
			})
		}
	}
	d := thin(randomSet(1, 9, 9, 300, 2), 40)
	d.Row(7)[3] = float32(math.NaN())
	if _, err := new(RankSVM).Fit(context.Background(), d); err == nil ||
		err.Error() != "rank: row 7: feature 4 is NaN" {
		t.Errorf("a NaN among zeros: %v", err)
	}
}

// Scores of sparse rows have the bits of dense ones, zeros the sign.
func TestLinearSparseBits(t *testing.T) {
	d := thin(randomSet(1, 9, 9, 300, 2), 40)
	s := d.ToSparse()
	clear(s.Sparse.Values[:5]) // zeros that are listed
	d = s.ToDense()
	m := &Linear{Weights: make([]float64, 310)}
	for j := range m.Weights {
		m.Weights[j] = -1 / float64(j+1)
	}
	for _, m.Intercept = range []float64{0, 0.5} {
		for _, tier := range cpu.Available() {
			restore := cpu.Force(tier)
			want, got := make([]float64, d.Rows()), make([]float64, d.Rows())
			if err := errors.Join(m.ScoreInto(t.Context(), want, d), m.ScoreInto(t.Context(), got, s)); err != nil {
				t.Fatal(err)
			}
			for i := range want {
				one := m.Score(s.Row(i))
				if w := math.Float64bits(want[i]); math.Float64bits(got[i]) != w || math.Float64bits(one) != w {
					t.Errorf("%v: row %d: %x from sparse features, %x alone, %x from dense ones", tier, i, got[i], one,
						want[i])
				}
			}
			restore()
		}
	}
	s.Sparse.Columns[7] = 300
	if err := m.ScoreInto(t.Context(), make([]float64, d.Rows()), s); err == nil {
		t.Error("no error for a column beyond the last")
	}
}
