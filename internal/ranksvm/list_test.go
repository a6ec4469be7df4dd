package ranksvm

import (
	"math"
	"slices"
	"testing"
)

// The parts of a unit contain each of its pairs once, with the weights of the unit, so that the
// losses of the parts add up to the loss of the unit.
func TestSplitList(t *testing.T) {
	u := unit{n: 9, weight: 3, full: 2, list: []Pair{}}
	for i := range 9 {
		u.rows = append(u.rows, int32(100+i))
		u.list = append(u.list, Pair{int32(i), int32((i + 4) % 9), float64(i)}, Pair{int32((i + 1) % 9), int32(i), 1})
	}
	z := make([]float64, 9)
	for i := range z {
		z[i] = math.Sin(float64(i))
	}
	pl := pairLoss{kind: Logistic}
	c, sums := make([]float64, 9), make([]float64, 9)
	want, got := pl.eval(nil, &u, z, c), 0.0
	var all []Pair
	for _, part := range splitList(&u, 5) {
		if part.weight != 3 || part.full != 2 || part.first != -1 || part.n != len(part.rows) || part.pairs > 5 {
			t.Errorf("%+v", part)
		}
		zs, cs := make([]float64, part.n), make([]float64, part.n)
		for i, r := range part.rows {
			zs[i] = z[r-100]
		}
		got += pl.eval(nil, &part, zs, cs)
		for i, r := range part.rows {
			sums[r-100] += cs[i]
		}
		for _, p := range part.list {
			all = append(all, Pair{part.rows[p.Better] - 100, part.rows[p.Worse] - 100, p.Weight})
		}
	}
	if len(all) != len(u.list) || slices.ContainsFunc(u.list, func(p Pair) bool { return !slices.Contains(all, p) }) {
		t.Errorf("pairs %v, want %v", all, u.list)
	}
	if math.Abs(got-want) > 1e-12*want {
		t.Errorf("loss %v, want %v", got, want)
	}
	for i := range c {
		if math.Abs(sums[i]-c[i]) > 1e-12 {
			t.Errorf("derivative %d: %v, want %v", i, sums[i], c[i])
		}
	}
}
