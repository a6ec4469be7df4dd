package num

import (
	"bytes"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// reference adds with math/big, in more digits than any sum of float64 has.
func reference(values []float64) float64 {
	sum := new(big.Float).SetPrec(4096)
	for _, x := range values {
		sum.Add(sum, new(big.Float).SetPrec(4096).SetFloat64(x))
	}
	x, _ := sum.Float64()
	return x
}

func sumOf(values ...float64) *ExactSum {
	s := new(ExactSum)
	for _, x := range values {
		s.Add(x)
	}
	return s
}

func sameBits(a, b float64) bool {
	return math.Float64bits(a) == math.Float64bits(b) || math.IsNaN(a) && math.IsNaN(b)
}

func TestSum(t *testing.T) {
	const tiny, huge = math.SmallestNonzeroFloat64, math.MaxFloat64
	inf := math.Inf(1)
	for _, c := range []struct {
		values []float64
		want   float64
	}{
		{nil, 0},
		{[]float64{math.Copysign(0, -1)}, 0},
		{[]float64{1, 1e100, -1e100}, 1},
		{[]float64{huge, huge, -huge}, huge},
		{[]float64{huge, huge}, inf},
		{[]float64{-huge, -huge}, -inf},
		{[]float64{tiny, -tiny}, 0},
		{[]float64{-tiny, -tiny, -tiny}, -3 * tiny},
		{[]float64{huge, tiny, -huge}, tiny},
		{[]float64{1, 0x1p-53}, 1},                      // a tie, to even
		{[]float64{1 + 0x1p-52, 0x1p-53}, 1 + 0x1p-51},  // a tie, to even
		{[]float64{1, 0x1p-53, tiny}, 1 + 0x1p-52},      // just above a tie
		{[]float64{-1, -0x1p-53, -tiny}, -1 - 0x1p-52},  // the same below zero
		{[]float64{0x1p-1022, -tiny}, 0x1p-1022 - tiny}, // subnormal
		{[]float64{inf, 1}, inf},
		{[]float64{inf, -inf}, math.NaN()},
		{[]float64{math.NaN(), 1}, math.NaN()},
	} {
		t.Run(fmt.Sprint(c.values), func(t *testing.T) {
			if got := sumOf(c.values...).Value(); !sameBits(got, c.want) {
				t.Errorf("%v, want %v", got, c.want)
			}
		})
	}
}

// Sums of any values, in any order and cut in any way, are those of math/big, and have the same
// bytes.
func TestSumParts(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for round := range 200 {
		values := make([]float64, 1+rng.IntN(50))
		for i := range values {
			b := rng.Uint64()
			if round%2 == 0 { // values of alike size, which cancel
				b = b&^(0x7ff<<52) | uint64(1000+rng.IntN(60))<<52
			}
			if values[i] = math.Float64frombits(b); math.IsNaN(values[i]) || math.IsInf(values[i], 0) {
				values[i] = 1
			}
		}
		want, whole := reference(values), sumOf(values...)
		if got := whole.Value(); !sameBits(got, want) {
			t.Fatalf("%v: %v, want %v", values, got, want)
		}
		encoded, _ := whole.MarshalBinary()
		for range 4 {
			rng.Shuffle(len(values), func(i, j int) { values[i], values[j] = values[j], values[i] })
			var total ExactSum
			for rest := values; len(rest) > 0; {
				n := 1 + rng.IntN(len(rest))
				b, _ := sumOf(rest[:n]...).MarshalBinary()
				var part ExactSum
				if err := part.UnmarshalBinary(b); err != nil {
					t.Fatal(err)
				}
				total.Merge(&part)
				rest = rest[n:]
			}
			if got := total.Value(); !sameBits(got, want) {
				t.Fatalf("%v in parts: %v, want %v", values, got, want)
			}
			if b, _ := total.MarshalBinary(); !bytes.Equal(b, encoded) {
				t.Fatalf("%v in parts: bytes %x, want %x", values, b, encoded)
			}
		}
	}
}

// A sum has room for 2^62 values of any size, and carries that wait are resolved before a limb
// overflows.
func TestSumCarry(t *testing.T) {
	for _, x := range []float64{math.MaxFloat64, -math.MaxFloat64} {
		t.Run(fmt.Sprint(x), func(t *testing.T) {
			s, opposite := sumOf(x), sumOf(-x, 1)
			more := sumOf(-x)
			for range 62 {
				s.Merge(s)
				opposite.Merge(more)
				more.Merge(more)
			}
			if got := s.Value(); !math.IsInf(got, 0) || got > 0 != (x > 0) {
				t.Errorf("2^62 times %v: %v", x, got)
			}
			s.Merge(opposite)
			if got := s.Value(); got != 1 {
				t.Errorf("2^62 times %v and back, and 1: %v", x, got)
			}
			s.added = 1<<30 - 1
			if s.Add(0); s.added != 0 {
				t.Error("2^30 additions leave carries")
			}
		})
	}
}

func TestUnmarshalInvalid(t *testing.T) {
	good, _ := sumOf(1, -1e-300).MarshalBinary()
	for i, b := range [][]byte{nil, good[:9], good[:11], append([]byte{2}, good[1:]...),
		append(append(append([]byte{}, good[:9]...), 65), good[10:]...)} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if err := new(ExactSum).UnmarshalBinary(b); err == nil {
				t.Errorf("%x passes for a sum", b)
			}
		})
	}
}

func TestMean(t *testing.T) {
	nan := math.NaN()
	values, weights := []float64{0.5, nan, 0.25, -1}, []float64{2, 1, 4, 0}
	for _, c := range []struct {
		weights          []float64
		skip             bool
		mean             float64
		counted, skipped int
	}{
		{nil, true, -0.25 / 3, 3, 1},
		{weights, true, 2.0 / 6, 3, 1},
		{nil, false, nan, 4, 0},
	} {
		t.Run(fmt.Sprint(c.mean), func(t *testing.T) {
			for cut := range len(values) + 1 {
				var a, b ExactMean
				w := c.weights
				if w == nil {
					a.Add(values[:cut], nil, c.skip)
					b.Add(values[cut:], nil, c.skip)
				} else {
					a.Add(values[:cut], w[:cut], c.skip)
					b.Add(values[cut:], w[cut:], c.skip)
				}
				b.Merge(&a)
				if !sameBits(b.Value(), c.mean) || b.Counted != c.counted || b.Skipped != c.skipped {
					t.Errorf("%+v cut at %d: %v of %d, %d skipped", c, cut, b.Value(), b.Counted, b.Skipped)
				}
			}
		})
	}
	const huge = math.MaxFloat64
	inf := math.Inf(1)
	for _, c := range []struct {
		values, weights []float64
		want            float64
	}{
		{[]float64{huge, huge, huge}, nil, huge},
		{[]float64{-huge, -huge, huge}, nil, -huge / 3},
		{[]float64{.5, .5, .5}, []float64{huge, huge, huge}, .5},
		{[]float64{1, 0, 1, 0}, []float64{huge, huge / 2, huge / 2, huge}, .5},
		{[]float64{1, 1, -1, 0}, []float64{huge, huge, huge / 2, huge / 2}, .5},
		{[]float64{inf, 1}, nil, inf},
		{[]float64{inf, -inf}, nil, nan},
		{[]float64{1, 1}, []float64{inf, 1}, nan},
	} {
		t.Run(fmt.Sprint(c.values), func(t *testing.T) {
			var m ExactMean
			if m.Add(c.values, c.weights, false); !sameBits(m.Value(), c.want) {
				t.Errorf("weighted %v: %v, want %v", c.weights, m.Value(), c.want)
			}
		})
	}
	if got := new(ExactMean).Value(); !math.IsNaN(got) {
		t.Errorf("the mean of nothing is %v", got)
	}
}

func TestAllocations(t *testing.T) {
	var m ExactMean
	values := []float64{1, 2, 3}
	if n := testing.AllocsPerRun(9, func() { m.Add(values, nil, true) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkSum(b *testing.B) {
	var s ExactSum
	for i := range b.N {
		s.Add(1 / float64(i+1))
	}
}
