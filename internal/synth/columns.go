package synth

import "math/rand/v2"

// ColumnKinds are the pairs of columns that are used to measure rank correlation.
var ColumnKinds = []string{"random", "labels", "nearly-sorted", "reversed", "integers"}

// Columns returns two columns of n values. The result is deterministic:
//
//	random         both normally distributed and independent
//	labels         x from 0 to 4, y normally distributed
//	nearly-sorted  both ascending, except for n/100 random swaps in y
//	reversed       x ascending, y descending
//	integers       both from 0 to 999
func Columns(kind string, n int) (x, y []float64) {
	source := rand.NewPCG(1, uint64(n))
	r := rand.New(source)
	normal := func() float64 { return float64(bell(source, 1<<40)) }
	x, y = make([]float64, n), make([]float64, n)
	for i := range x {
		switch kind {
		case "random":
			x[i], y[i] = normal(), normal()
		case "labels":
			x[i], y[i] = float64(r.IntN(5)), normal()
		case "nearly-sorted":
			x[i], y[i] = float64(i), float64(i)
		case "reversed":
			x[i], y[i] = float64(i), float64(n-i)
		case "integers":
			x[i], y[i] = float64(r.IntN(1000)), float64(r.IntN(1000))
		default:
			panic("synth: no columns of kind " + kind)
		}
	}
	if kind == "nearly-sorted" {
		for range n / 100 {
			i, j := r.IntN(n), r.IntN(n)
			y[i], y[j] = y[j], y[i]
		}
	}
	return x, y
}
