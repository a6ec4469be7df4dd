package rank

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/simdrank/simdrank/internal/cpu"
	"github.com/simdrank/simdrank/internal/ranksvm"
	"github.com/simdrank/simdrank/internal/testkit"
)

// thin sets all features except one in n, at random, to zero. Some rows and columns have no nonzero
// feature left.
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

// Training on the nonzero features is bit-identical to training on all.
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
		"many features": {randomSet(5, 6, 9, ranksvm.MaxDense+40, 3), RankSVM{C: 1e-3, Unpenalized: []int{2}}},
	} {
		t.Run(name, func(t *testing.T) {
			thin(c.d, 40)
			for _, c.s.Loss = range []string{"squared-hinge", "logistic", "hinge"} {
				if c.s.Loss != "squared-hinge" && (testing.Short() || name == "long query") {
					continue
				}
				if testing.Short() && name != "queries" && name != "gains" { // minutes where FMA is emulated
					continue
				}
				c.s.Threads, c.s.Tol = 1, 1e-4
				tiers := cpu.Available()
				if testkit.Race {
					c.s.Tol, tiers = 1e-1, nil // its detector shows the effect of threads within a few passes
				}
				run := func(sparse bool) []float64 {
					p, w, err := ranksvm.NewProblem(t.Context(), c.s.options(), c.s.data(c.d))
					if err != nil {
						t.Fatal(err)
					}
					if p.Features.Offsets == nil {
						t.Fatal("not taken for sparse")
					}
					if !sparse {
						p.Features.Offsets = nil
					}
					training := ranksvm.New(p, w)
					switch err := training.Run(context.Background(), true); err {
					case nil, ranksvm.ErrStopped, ranksvm.ErrPrecision:
					default:
						t.Fatal(err)
					}
					weights := training.Weights()
					return weights.Unpack(nil)
				}
				dense := run(false)
				check := func(what string) {
					for j, w := range run(true) {
						if w != dense[j] { // −0 equals 0
							t.Fatalf("%v, %s: weight %d is %x, from the zeros too %x", c.s.Loss, what, j, w,
								dense[j])
						}
					}
				}
				for _, tier := range tiers {
					restore := cpu.Force(tier)
					check(tier.String())
					restore()
				}
				c.s.Threads = 3
				check("3 threads")
			}
		})
	}
}

// spreadColumns returns d in sparse form, with its columns spread over the given number of columns,
// and with some listed zeros.
func spreadColumns(d *Dataset, cols int) (wide *Dataset, at []int32) {
	r := rand.New(rand.NewPCG(uint64(cols), 7))
	step := cols / d.Cols
	for j := range d.Cols {
		at = append(at, int32(j*step+r.IntN(step-1)))
	}
	from := d.ToSparse().Sparse
	wide, c := &Dataset{}, &CSR{Offsets: []int{0}}
	*wide = *d
	wide.X, wide.Stride, wide.Cols, wide.Sparse = nil, 0, cols, c
	for i := range d.Rows() {
		columns, values := from.Row(i)
		for k, j := range columns {
			c.Columns, c.Values = append(c.Columns, at[j]), append(c.Values, values[k])
			if i%3 == 0 {
				c.Columns, c.Values = append(c.Columns, at[j]+1), append(c.Values, 0)
			}
		}
		c.Offsets = append(c.Offsets, len(c.Values))
	}
	return wide, at
}

// Very wide data in which all features are 0 are narrowed, too.
func TestRankSVMWideZeros(t *testing.T) {
	const cols = 1<<16 + 300
	d := &Dataset{Cols: cols, Labels: []float64{1, 0}, Offsets: []int{0, 2}, QueryIDs: []string{"a"},
		Sparse: &CSR{Offsets: []int{0, 1, 1}, Columns: []int32{cols - 1}, Values: []float32{0}}}
	p, _, err := ranksvm.NewProblem(t.Context(), new(RankSVM).options(), new(RankSVM).data(d))
	if err != nil || p.Features.Cols != 0 {
		t.Errorf("%d columns, %v", p.Features.Cols, err)
	}
	if m, err := new(RankSVM).Fit(t.Context(), d); err != nil || !slices.Equal(m.Weights, make([]float64, cols)) {
		t.Error(err)
	}
}

// If there are very many columns, those in which all rows are 0 are not trained. The other weights
// are those without these columns, for dense and sparse data.
func TestRankSVMWide(t *testing.T) {
	if testing.Short() {
		t.Skip("minutes where FMA is emulated: not run in short mode")
	}
	const cols = 1<<16 + 300
	d := thin(randomSet(1, 10, 20, 240, 4), 40)
	for j := range d.Cols { // every column occurs
		d.Row(j % d.Rows())[j] = 1
	}
	wide, at := spreadColumns(d, cols)
	dense := *wide
	dense.Sparse, dense.Stride = nil, cols
	for i := range wide.Rows() {
		dense.X = wide.AppendRow(dense.X, i)
	}
	start := &Linear{Weights: make([]float64, cols)}
	unpenalized, nonNegative := cols-1, int(at[0])+1 // all rows are 0
	for _, j := range []int{unpenalized, nonNegative, nonNegative + 1, int(at[7])} {
		start.Weights[j] = -0.5
	}
	few := &Linear{Weights: make([]float64, d.Cols)}
	few.Weights[7] = -0.5
	for _, s := range []RankSVM{
		{C: 0.1, Tol: 1e-4},
		{C: 0.1, Tol: 1e-4, Loss: "hinge", Standardize: true},
		{C: 0.1, Tol: 1e-4, Start: few, Unpenalized: []int{3}, NonNegative: []int{0, 4}},
	} {
		t.Run(fmt.Sprint(s.Loss, " ", s.Unpenalized), func(t *testing.T) {
			want, err := s.Fit(t.Context(), d)
			if err != nil {
				t.Fatal(err)
			}
			weights := make([]float64, cols)
			for j, v := range want.Weights {
				weights[at[j]] = v
			}
			if s.Start != nil {
				s.Start = start
				s.Unpenalized = []int{int(at[3]), unpenalized}
				s.NonNegative = []int{int(at[0]), int(at[4]), nonNegative}
				weights[unpenalized] = -0.5 // no pair depends on it
			}
			for name, d := range map[string]*Dataset{"sparse": wide, "dense": &dense} {
				t.Run(name, func(t *testing.T) {
					m, err := s.Fit(t.Context(), d)
					if err != nil {
						t.Fatal(err)
					}
					if !slices.Equal(m.Weights, weights) {
						t.Error("other weights than without the columns of zeros")
					}
					if m.Report.Passes != want.Report.Passes || m.Report.Objective != want.Report.Objective {
						t.Errorf("%+v, want %+v", m.Report, want.Report)
					}
				})
			}
		})
	}
	s, cs := RankSVM{Tol: 1e-3}, []float64{1e-3, 1e-1}
	_, want, err := s.FitPath(t.Context(), d, cs, CSelection{Folds: 2})
	if err != nil {
		t.Fatal(err)
	}
	_, p, err := s.FitPath(t.Context(), wide, cs, CSelection{Folds: 2})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(p, want) {
		t.Errorf("cross-validation: %+v, want %+v", p, want)
	}
}

func TestCSR(t *testing.T) {
	for _, rows := range []int{1, 5, 600, 3 * blockDocs} {
		for _, c := range []struct {
			n    int // one value in n is not zero
			want bool
		}{{1, false}, {9, false}, {40, true}} {
			d := NewDataset(rows, 300)
			for i := range d.X {
				d.X[i] = float32(i + 1)
			}
			d = thin(d, c.n)
			t.Run(fmt.Sprint(rows, " rows, 1 in ", c.n), func(t *testing.T) {
				x, _ := sparse(d, 3)
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
		err.Error() != "rank: row 7: feature 4 is NaN; features must be finite" {
		t.Errorf("a NaN among zeros: %v", err)
	}
}

// Scores of sparse rows are bit-identical to those of dense rows, including the sign of zeros.
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
		t.Run(fmt.Sprint(m.Intercept), func(t *testing.T) {
			for _, tier := range cpu.Available() {
				restore := cpu.Force(tier)
				want, got := make([]float64, d.Rows()), make([]float64, d.Rows())
				if err := errors.Join(m.ScoreInto(t.Context(), want, d), m.ScoreInto(t.Context(), got, s)); err != nil {
					t.Fatal(err)
				}
				for i := range want {
					one := m.Score(s.Row(i))
					if w := math.Float64bits(want[i]); math.Float64bits(got[i]) != w || math.Float64bits(one) != w {
						t.Errorf("%v: row %d: %x from sparse features, %x alone, %x from dense ones",
							tier, i, got[i], one,
							want[i])
					}
				}
				restore()
			}
		})
	}
	s.Sparse.Columns[7] = 300
	if err := m.ScoreInto(t.Context(), make([]float64, d.Rows()), s); err == nil {
		t.Error("no error for a column beyond the last")
	}
}

// listZeros returns d with sparse features in which some rows list zeros.
func listZeros(d *Dataset) *Dataset {
	s := d.ToSparse()
	from, to := s.Sparse, &CSR{Offsets: []int{0}}
	for i := range d.Rows() {
		columns, values := from.Row(i)
		if n := len(columns); i%3 == 0 && n > 0 && int(columns[n-1]) < d.Cols-1 {
			columns, values = append(columns, int32(d.Cols-1)), append(values, 0)
		}
		to.Columns, to.Values = append(to.Columns, columns...), append(to.Values, values...)
		to.Offsets = append(to.Offsets, len(to.Values))
	}
	s.Sparse = to
	return s
}

// Dense and sparse features train the same models, for few and for many nonzero features.
func TestSparseFits(t *testing.T) {
	queries, tol := 40, 1e-4
	if testing.Short() || testkit.Race {
		queries, tol = 20, 5e-2 // fused multiply-adds are slow in emulation
	}
	full := randomSet(1, queries, 20, 120, 4) // more rows than ridgeBlock
	few := thin(randomSet(2, queries, 20, 240, 4), 40)
	wide := thin(randomSet(3, 12, 12, maxNormal+50, 3), 60)
	long := thin(randomSet(4, 1, 9000, 90, 5), 8)
	unscaled := thin(randomSet(6, 40, 20, 240, 4), 40)
	for i := range unscaled.Rows() {
		for j := range unscaled.Row(i) {
			unscaled.Row(i)[j] *= float32(math.Ldexp(1, 4*(j%9)-16))
		}
	}
	many := thin(randomSet(5, 6, 9, 2100, 3), 3)
	full.QueryWeights = make([]float64, full.Queries())
	for q := range full.QueryWeights {
		full.QueryWeights[q] = float64(q % 3)
	}
	svm := func(s RankSVM) func(d *Dataset) ([]float64, error) {
		s.Tol = tol
		return func(d *Dataset) ([]float64, error) {
			m, err := s.Fit(t.Context(), d)
			if err != nil {
				return nil, err
			}
			// With more than MaxDense features, there is no bound on changes by unpenalized ones.
			if !m.Report.Converged() && (s.Unpenalized == nil || d.Cols <= ranksvm.MaxDense) {
				return nil, fmt.Errorf("stopped: %s", m.Report.Stop)
			}
			return append(m.Weights, m.Report.Objective, m.Report.Gap), nil
		}
	}
	ridge := func(r Ridge) func(d *Dataset) ([]float64, error) {
		return func(d *Dataset) ([]float64, error) {
			m, err := r.Fit(t.Context(), d)
			if err != nil {
				return nil, err
			}
			return append(m.Weights, m.Intercept), nil
		}
	}
	path := func(s RankSVM, valid bool) func(d *Dataset) ([]float64, error) {
		s.Tol = 10 * tol
		return func(d *Dataset) ([]float64, error) {
			sel := CSelection{Folds: 2}
			if valid {
				sel.Valid = d
			}
			m, p, err := s.FitPath(t.Context(), d, []float64{1e-4, 1e-3}, sel)
			if err != nil {
				return nil, err
			}
			return append(m.Weights, p[0].Value, p[1].Value), nil
		}
	}
	for i, c := range []struct {
		name string
		d    *Dataset
		fit  func(d *Dataset) ([]float64, error)
	}{
		{"squared hinge", full, svm(RankSVM{C: 0.1})},
		{"squared hinge, few", few, svm(RankSVM{C: 0.1, PerQuery: true})},
		{"squared hinge, long", long, svm(RankSVM{C: 1e-6, Standardize: true})},
		{"squared hinge, many", many, svm(RankSVM{C: 1e-3, Unpenalized: []int{1}})},
		{"squared hinge, wide", wide, svm(RankSVM{C: 1e-2, Standardize: true, NonNegative: []int{0, 7}})},
		{"squared hinge, unscaled", unscaled, svm(RankSVM{C: 10})},
		{"logistic, unscaled", unscaled, svm(RankSVM{C: 1, Loss: "logistic"})},
		{"logistic", full, svm(RankSVM{C: 0.1, Loss: "logistic", Gain: func(label float64) float64 { return label }})},
		{"hinge, few", few, svm(RankSVM{C: 0.1, Loss: "hinge", Standardize: true, NonNegative: []int{3}})},
		{"hinge, many", many, svm(RankSVM{C: 1e-3, Loss: "hinge"})},
		{"path by validation", full, path(RankSVM{}, true)},
		{"path by folds", few, path(RankSVM{Standardize: true}, false)},
		{"ridge", full, ridge(Ridge{})},
		{"ridge, few", few, ridge(Ridge{Alpha: 0.01})},
		{"ridge, no intercept", few, ridge(Ridge{NoIntercept: true})},
		{"ridge, wide", wide, ridge(Ridge{})},
		{"ridge, wide, no intercept", wide, ridge(Ridge{Alpha: 0.1, NoIntercept: true})},
	} {
		t.Run(c.name, func(t *testing.T) {
			if testing.Short() && (c.d == long || c.d == wide || c.d == many || i%2 == 1 || c.name == "hinge, few") {
				t.Skip("takes long in emulation")
			}
			want, err := c.fit(c.d)
			if err != nil {
				t.Fatal(err)
			}
			got, err := c.fit(listZeros(c.d))
			if err != nil {
				t.Fatal(err)
			}
			for j := range want {
				if math.Float64bits(got[j]) != math.Float64bits(want[j]) {
					t.Fatalf("number %d of %d is %x from sparse features, %x from dense ones", j, len(want), got[j],
						want[j])
				}
			}
		})
	}
}
