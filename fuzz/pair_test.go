package fuzz

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/simdrank/simdrank/internal/cpu"
	"github.com/simdrank/simdrank/kernels"
)

// pairInput reads documents of 9 bytes: a byte and a score. The lowest bits of the byte determine
// whether a new label begins. A score is the bits of a float64 or, more often, a small integer
// divided by 16, so that ties and margins of exactly 1 occur.
func pairInput(data []byte) (z []float64, lower []int32, gain []float64) {
	for label := 0; len(data) >= 9; data = data[9:] {
		i := len(z)
		bits := binary.LittleEndian.Uint64(data[1:])
		score := float64(int8(bits)) / 16
		if data[0]&6 == 6 {
			score = math.Float64frombits(bits)
		}
		p := int32(0)
		if i > 0 {
			p = lower[i-1]
			if data[0]&1 == 1 {
				p = int32(i)
				label++
			}
		}
		z, lower, gain = append(z, score), append(lower, p), append(gain, float64(label))
	}
	return z, lower, gain
}

func pairSeeds(f *testing.F) {
	doc := func(flag byte, v uint64) []byte { return binary.LittleEndian.AppendUint64([]byte{flag}, v) }
	var grades, distinct, wild []byte
	for i := range uint64(40) {
		grades = append(grades, doc(byte((i%9)/8), i*37)...)
		distinct = append(distinct, doc(1, i*i*101)...)
		wild = append(wild, doc(7, math.Float64bits(float64(i)*1e3*float64(int64(i%3)-1)))...)
	}
	nan := append(append([]byte{}, grades...), doc(7, math.Float64bits(math.NaN()))...)
	inf := append(doc(6, math.Float64bits(math.Inf(-1))), distinct...)
	for _, d := range [][]byte{nil, grades, distinct, wild, nan, inf} {
		f.Add(d, 0.5)
	}
}

// checkTiers runs f on each tier and compares its results with plain Go bit by bit. NaNs are equal.
func checkTiers(t *testing.T, what string, f func() []float64) {
	t.Helper()
	restore := cpu.Force(cpu.Generic)
	want := f()
	restore()
	for _, tier := range cpu.Available()[1:] {
		restore := cpu.Force(tier)
		got := f()
		restore()
		for i := range want {
			if math.Float64bits(got[i]) != math.Float64bits(want[i]) && (got[i] == got[i] || want[i] == want[i]) {
				t.Errorf("%s, %v: result %d is %v, plain Go has %v", what, tier, i, got[i], want[i])
				return
			}
		}
	}
}

// fuzzPair compares the tiers on one loss or Hessian, with and without pair weights. f returns its
// results.
func fuzzPair(f *testing.F, call func(z []float64, lower []int32, gain []float64, param float64) []float64) {
	pairSeeds(f)
	f.Fuzz(func(t *testing.T, data []byte, param float64) {
		z, lower, gain := pairInput(data)
		checkTiers(t, "unweighted", func() []float64 { return call(z, lower, nil, param) })
		checkTiers(t, "weighted", func() []float64 { return call(z, lower, gain, param) })
	})
}

func FuzzPairSquaredHinge(f *testing.F) {
	fuzzPair(f, func(z []float64, lower []int32, gain []float64, _ float64) []float64 {
		c := make([]float64, len(z))
		return append(c, kernels.PairSquaredHinge(c, kernels.PairQuery{Scores: z, Lower: lower, Gain: gain, Weight: 1},
			new(kernels.Work)))
	})
}

func FuzzPairHuberHinge(f *testing.F) {
	fuzzPair(f, func(z []float64, lower []int32, gain []float64, delta float64) []float64 {
		c := make([]float64, len(z))
		return append(c, kernels.PairHuberHinge(c, kernels.PairQuery{Scores: z, Lower: lower, Gain: gain, Weight: 1},
			math.Abs(delta), new(kernels.Work)))
	})
}

func FuzzPairLogistic(f *testing.F) {
	fuzzPair(f, func(z []float64, lower []int32, gain []float64, sigma float64) []float64 {
		c := make([]float64, len(z))
		return append(c, kernels.PairLogistic(c, kernels.PairQuery{Scores: z, Lower: lower, Gain: gain, Weight: 1},
			sigma, new(kernels.Work)))
	})
}

// FuzzPairSweep repeats the documents until the hinge losses use the algorithm for long queries,
// which calls the kernel pairSweep.
func FuzzPairSweep(f *testing.F) {
	pairSeeds(f)
	f.Fuzz(func(t *testing.T, data []byte, delta float64) {
		if len(data) < 9 {
			return
		}
		for k := 0; len(data) < 9*600; k++ {
			data = append(data, data[k]^byte(k>>5))
		}
		z, lower, gain := pairInput(data)
		for _, gain := range [][]float64{nil, gain} {
			checkTiers(t, "long query", func() []float64 {
				c, d, work := make([]float64, len(z)), make([]float64, len(z)), new(kernels.Work)
				c = append(c, kernels.PairSquaredHinge(c,
					kernels.PairQuery{Scores: z, Lower: lower, Gain: gain, Weight: 1}, work))
				d = append(d, kernels.PairHuberHinge(d,
					kernels.PairQuery{Scores: z, Lower: lower, Gain: gain, Weight: 1}, math.Abs(delta), work))
				return append(c, d...)
			})
		}
	})
}

// fuzzElementwise compares the tiers on a function of a slice of arbitrary float64 values.
func fuzzElementwise(f *testing.F, call func(dst, x []float64)) {
	var seed []byte
	for _, v := range []float64{0, 1, -1, 709.78, 709.79, -708.4, -745.2, 1e-300, math.Inf(1), math.Inf(-1), math.NaN(),
		0.5 * math.Ln2} {
		seed = binary.LittleEndian.AppendUint64(seed, math.Float64bits(v))
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var x []float64
		for ; len(data) >= 8; data = data[8:] {
			x = append(x, math.Float64frombits(binary.LittleEndian.Uint64(data)))
		}
		checkTiers(t, "any values", func() []float64 {
			dst := make([]float64, len(x))
			call(dst, x)
			return dst
		})
	})
}

func FuzzExpF64(f *testing.F) { fuzzElementwise(f, kernels.ExpF64) }
