package rank

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/internal/testkit"
)

// At the optimum the gradient is zero: −2·Σ xᵢrᵢ + 2·Alpha·w and Σ rᵢ.
func TestRidge(t *testing.T) {
	d := randomSet(1, 30, 20, 5, 4) // more rows than ridgeBlock
	for i := range d.Rows() {
		d.Row(i)[2] += 1e5 // a large mean
	}
	wide := thin(randomSet(2, 5, 5, maxNormal+100, 4), 30) // uses conjugate gradients
	for i := range wide.Rows() {
		wide.Row(i)[2] = 100 + float32(i)
	}
	weighted, wideWeighted := *d, *wide
	for _, d := range []*Dataset{&weighted, &wideWeighted} {
		d.Weights, d.QueryWeights = make([]float64, d.Rows()), make([]float64, d.Queries())
		for i := range d.Weights {
			d.Weights[i] = float64(i%4) / 2 // some are 0
		}
		for q := range d.QueryWeights {
			d.QueryWeights[q] = float64(q % 3)
		}
	}
	type problem struct {
		Ridge
		d *Dataset
	}
	for _, r := range []problem{{Ridge{}, d}, {Ridge{Alpha: 30}, d}, {Ridge{Alpha: 2, NoIntercept: true}, d},
		{Ridge{}, wide}, {Ridge{Alpha: 0.1, NoIntercept: true}, wide},
		{Ridge{}, &weighted}, {Ridge{Alpha: 2, NoIntercept: true}, &weighted}, {Ridge{}, &wideWeighted}} {
		t.Run(fmt.Sprintf("%+v, %d rows", r.Ridge, r.d.Rows()), func(t *testing.T) {
			d := r.d
			if testing.Short() && d == wide && !r.NoIntercept {
				return // emulated; the weighted case also has an intercept
			}
			m, err := r.Fit(context.Background(), d)
			if err != nil {
				t.Fatal(err)
			}
			alpha := r.Alpha
			if alpha == 0 {
				alpha = 1
			}
			g, sum, size := make([]float64, d.Cols), 0.0, 0.0
			v, _ := d.rowWeights()
			for i, y := range d.Labels {
				residual := v[i] * (y - m.Score(d.Row(i)))
				sum += residual
				for j, v := range d.Row(i) {
					g[j] += float64(v) * residual
					size = max(size, math.Abs(float64(v)))
				}
			}
			for j := range g {
				if g[j] -= alpha * m.Weights[j]; math.Abs(g[j]) > 1e-9*size*float64(d.Rows()) {
					t.Errorf("%+v: gradient %d is %g", r.Ridge, j, g[j])
				}
			}
			if !r.NoIntercept && math.Abs(sum) > 1e-7 {
				t.Errorf("%+v: residuals sum to %g", r.Ridge, sum)
			}
			if r.NoIntercept && m.Intercept != 0 {
				t.Errorf("%+v: intercept %v", r.Ridge, m.Intercept)
			}
		})
	}
}

// In very wide data, features that are 0 in all rows change neither the other weights nor errors.
func TestRidgeOfColumns(t *testing.T) {
	few := randomSet(1, 30, 20, 5, 4)
	const step = 14_000
	d := &Dataset{Cols: 1 + 5*step, Labels: few.Labels, Offsets: few.Offsets, QueryIDs: few.QueryIDs,
		Sparse: &CSR{Offsets: []int{0}}}
	for i := range few.Rows() {
		for j, v := range few.Row(i) {
			d.Sparse.Columns, d.Sparse.Values = append(d.Sparse.Columns, int32(step*j)), append(d.Sparse.Values, v)
		}
		d.Sparse.Columns, d.Sparse.Values = append(d.Sparse.Columns, 5*step), append(d.Sparse.Values, 0)
		d.Sparse.Offsets = append(d.Sparse.Offsets, len(d.Sparse.Values))
	}
	want, err := new(Ridge).Fit(t.Context(), few)
	if err != nil {
		t.Fatal(err)
	}
	for name, d := range map[string]*Dataset{"sparse": d, "dense": d.ToDense()} {
		t.Run(name, func(t *testing.T) {
			m, err := new(Ridge).Fit(t.Context(), d)
			if err != nil {
				t.Fatal(err)
			}
			for j, w := range m.Weights {
				v := 0.0
				if j%step == 0 && j < 5*step {
					v = want.Weights[j/step]
				}
				if w != v {
					t.Errorf("weight of feature %d is %v, want %v", j+1, w, v)
				}
			}
			if m.Intercept != want.Intercept || len(m.Weights) != d.Cols {
				t.Errorf("%d weights and the intercept %v, want %v", len(m.Weights), m.Intercept, want.Intercept)
			}
		})
	}
	d.Sparse.Values[6*7+3] = float32(math.NaN())
	const bad = "rank: row 7: feature 42001 is NaN; features must be finite"
	if _, err := new(Ridge).Fit(t.Context(), d); err == nil || err.Error() != bad {
		t.Errorf("%v, want %q", err, bad)
	}
	clear(d.Sparse.Values)
	if m, err := new(Ridge).Fit(t.Context(), d); err != nil || len(m.Weights) != d.Cols {
		t.Errorf("without values: %v", err)
	}
}

func TestRidgeErrors(t *testing.T) {
	good := randomSet(1, 2, 5, 3, 3)
	bad := randomSet(1, 2, 5, 3, 3)
	bad.Row(4)[1] = float32(math.Inf(1))
	weighted := randomSet(1, 2, 5, 3, 3)
	weighted.Weights = make([]float64, 10)
	wide, wideBad := NewDataset(3, maxNormal+1), NewDataset(3, maxNormal+1)
	for _, d := range []*Dataset{wide, wideBad} {
		d.Offsets, d.QueryIDs, d.Labels[1] = []int{0, 3}, []string{"a"}, 1
		d.Row(1)[2] = 3
	}
	wideBad.Row(2)[7] = float32(math.NaN())
	canceled, cancel := context.WithCancel(context.Background())
	cancel()
	for _, c := range []struct {
		ctx  context.Context
		r    Ridge
		d    *Dataset
		want string
	}{
		{context.Background(), Ridge{Alpha: -1}, good, "Alpha is -1"},
		{context.Background(), Ridge{}, NewDataset(0, 3), "no rows"},
		{context.Background(), Ridge{}, NewDataset(0, 0), "no rows"},
		{context.Background(), Ridge{}, bad, "row 4: feature 2 is +Inf"},
		{canceled, Ridge{}, good, "canceled"},
		{context.Background(), Ridge{}, weighted, "no row has a positive weight"},
		{context.Background(), Ridge{}, wideBad, "row 2: feature 8 is NaN"},
		{canceled, Ridge{}, wide, "stopped after 0 steps: context canceled"},
	} {
		t.Run(c.want, func(t *testing.T) {
			if _, err := c.r.Fit(c.ctx, c.d); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want error %q", err, c.want)
			}
		})
	}
	if _, err := (&Ridge{}).Fit(canceled, good); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
}

// A weight has the same effect as that number of rows. It is multiplied by the weight of its query.
func TestRidgeWeights(t *testing.T) {
	d := randomSet(3, 6, 10, 4, 3)
	d.Weights, d.QueryWeights = make([]float64, d.Rows()), make([]float64, d.Queries())
	var rows []int
	for q := range d.Queries() {
		d.QueryWeights[q] = float64(1 + q%2)
		for i, end := d.Query(q); i < end; i++ {
			d.Weights[i] = float64(i % 3)
			rows = append(rows, slices.Repeat([]int{i}, (1+q%2)*(i%3))...)
		}
	}
	repeated := NewDataset(len(rows), d.Cols)
	for i, r := range rows {
		copy(repeated.Row(i), d.Row(r))
		repeated.Labels[i] = d.Labels[r]
	}
	repeated.Offsets, repeated.QueryIDs = []int{0, len(rows)}, []string{"a"}
	m, err := new(Ridge).Fit(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	want, err := new(Ridge).Fit(t.Context(), repeated)
	if err != nil {
		t.Fatal(err)
	}
	for j, w := range want.Weights {
		if !testkit.Near(m.Weights[j], w, 1e-12) {
			t.Errorf("weight %d: %v, with repeated rows %v", j, m.Weights[j], w)
		}
	}
	if !testkit.Near(m.Intercept, want.Intercept, 1e-12) {
		t.Errorf("intercept %v, with repeated rows %v", m.Intercept, want.Intercept)
	}
}

// A canceled Ridge ends within a block of rows and within the factorization of the normal
// equations.
func TestRidgeStops(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long without fused multiply-adds")
	}
	for _, rows := range []int{256, 4} { // of which the rows, and the factor, take seconds
		t.Run(fmt.Sprint(rows), func(t *testing.T) {
			d := randomSet(1, 2, rows/2, maxNormal, 3)
			ctx := testkit.EndAfter(t.Context(), 20)
			_, err := new(Ridge).Fit(ctx, d)
			if asked := ctx.Asked.Load(); !errors.Is(err, context.Canceled) || asked > 40 {
				t.Errorf("%v, asked %d times", err, asked)
			}
		})
	}
}
