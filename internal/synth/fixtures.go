package synth

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/simdrank/simdrank/rank"
)

// The following datasets are for tests, whose expected results depend on every value.

// Ranking returns a seeded dataset of queries with 5 to 30 documents and at least 4 features. The
// labels, 0 to 4, rise with features 0 and 1, fall with feature 2, and depend on the category in
// feature 3. Features from 4 on are noise. A tenth of the values of feature 1 is missing.
func Ranking(queries, cols int, seed uint64) *rank.Dataset {
	rnd := rand.New(rand.NewPCG(seed, 1))
	var rows int
	offsets := []int{0}
	ids := make([]string, queries)
	for q := range queries {
		rows += 5 + rnd.IntN(26)
		offsets, ids[q] = append(offsets, rows), fmt.Sprint("q", q)
	}
	d := rank.NewDataset(rows, cols)
	d.Offsets, d.QueryIDs = offsets, ids
	for i := range rows {
		x := d.Row(i)
		for f := range x {
			x[f] = float32(rnd.IntN(64)) / 8
		}
		x[3] = float32(rnd.IntN(12))
		y := x[0] + x[1] - x[2] + float32(float32(rnd.IntN(40))/8)
		if c := int(x[3]); c == 2 || c == 3 || c == 7 {
			y += 4
		}
		if rnd.IntN(10) == 0 {
			x[1] = float32(math.NaN())
		}
		d.Labels[i] = math.Floor(float64(min(max((y-5)/2, 0), 4)))
	}
	return d
}

// FewValues reduces the columns of a dataset of [Ranking] to between 1 and 64 values, including
// missing ones, so that many columns share a byte. It returns d.
func FewValues(d *rank.Dataset) *rank.Dataset {
	for i := range d.Rows() {
		for j, v := range d.Row(i) {
			n := []float32{2, 2, 16, 3, 64, 16, 2, 7, 40, 1, 33}[j%11]
			if d.Row(i)[j] = float32(math.Floor(float64(v * n / 8))); j%4 == 3 && i%9 == 0 {
				d.Row(i)[j] = float32(math.NaN())
			}
		}
	}
	return d
}

// SparseWithZeros returns d with sparse features, which also list a few zeros.
func SparseWithZeros(d *rank.Dataset) *rank.Dataset {
	s := *d
	s.X, s.Stride, s.Sparse = nil, 0, &rank.CSR{Offsets: []int{0}}
	for i := range d.Rows() {
		for j, v := range d.Row(i) {
			if v != 0 || (i+j)%17 == 0 {
				s.Sparse.Columns, s.Sparse.Values = append(s.Sparse.Columns, int32(j)), append(s.Sparse.Values, v)
			}
		}
		s.Sparse.Offsets = append(s.Sparse.Offsets, len(s.Sparse.Columns))
	}
	return &s
}

// Table returns a dataset of one query with the given rows.
func Table(rows ...[]float32) *rank.Dataset {
	d := rank.NewDataset(len(rows), len(rows[0]))
	for i, x := range rows {
		copy(d.Row(i), x)
	}
	d.Offsets, d.QueryIDs = []int{0, len(rows)}, []string{"q"}
	return d
}

// TreeRows returns a dataset of one query whose values equal thresholds of testkit.RandomTree:
// small integers and halves, missing values and extreme values.
func TreeRows(rng *rand.Rand, rows, cols int) *rank.Dataset {
	inf, zero := float32(math.Inf(1)), float32(math.Copysign(0, -1))
	d := rank.NewDataset(rows, cols)
	for i := range rows {
		x := d.Row(i)
		for j := range x {
			x[j] = float32(rng.IntN(13)-6) / 2
			switch rng.IntN(16) {
			case 0:
				x[j] = float32(math.NaN())
			case 1:
				x[j] = []float32{inf, -inf, math.MaxFloat32, -math.MaxFloat32, math.SmallestNonzeroFloat32, zero,
					40, 63, 64, 1e9}[rng.IntN(10)]
			}
		}
	}
	d.Offsets, d.QueryIDs = []int{0, rows}, []string{"1"}
	return d
}
