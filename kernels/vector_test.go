package kernels

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/simdrank/simdrank/internal/cpu"
	"github.com/simdrank/simdrank/internal/kern"
	"github.com/simdrank/simdrank/internal/kern/kerntest"
)

func l2SpecF64(x, y []float64) float64 { return dotSpecF64(minus(x, y), minus(x, y)) }
func l2SpecF32(x, y []float32) float32 { return dotSpecF32(minus(x, y), minus(x, y)) }

func cosineSpecF64(x, y []float64) float64 {
	norms := math.Sqrt(dotSpecF64(x, x)) * math.Sqrt(dotSpecF64(y, y))
	if norms == 0 {
		return 0
	}
	return dotSpecF64(x, y) / norms
}

func cosineSpecF32(x, y []float32) float32 {
	squared := float64(dotSpecF32(x, x)) * float64(dotSpecF32(y, y))
	if squared == 0 {
		return 0
	}
	return float32(float64(dotSpecF32(x, y)) / math.Sqrt(squared))
}

var _ = register(
	distanceEntry("L2F64", L2F64, l2SpecF64),
	distanceEntry("L2F32", L2F32, l2SpecF32),
	distanceEntry("CosineF64", CosineF64, cosineSpecF64),
	distanceEntry("CosineF32", CosineF32, cosineSpecF32),
	exactEntry("DotI8", DotI8, times),
	exactEntry("DotU8", DotU8, times),
	exactEntry("L2I8", L2I8, squareOff),
	exactEntry("L2U8", L2U8, squareOff),
	cosineBytesEntry("CosineI8", CosineI8),
	cosineBytesEntry("CosineU8", CosineU8),
	bitsEntry("HammingBits", HammingBits, hammingSpec),
	bitsEntry("JaccardBits", JaccardBits, jaccardSpec),
)

// exactEntry is for kernels of integers, whose specification is spec of one pair of elements.
func exactEntry[T int8 | uint8](name string, call func(x, y []T) int64, spec func(x, y int64) int64) entry {
	return entry{
		Name: name,
		Long: longVectors,
		Args: func(d *draw, n int) []any { return []any{drawnBytes[T](d, n), drawnBytes[T](d, n), make([]int64, 1)} },
		Call: func(a []any) { a[2].([]int64)[0] = call(a[0].([]T), a[1].([]T)) },
		Spec: func(a []any) { a[2].([]int64)[0] = exactSum(a[0].([]T), a[1].([]T), spec) },
		Cases: func() (cases [][]any) {
			for _, n := range []int{1, 31, 64, 1000, kern.BlockLen, kern.BlockLen + 1} {
				low, high := extremes[T](n)
				for _, c := range [][2][]T{{low, low}, {low, high}, {high, low}, {high, high}} {
					cases = append(cases, []any{c[0], c[1], make([]int64, 1)})
				}
			}
			return cases
		},
		Writes: []int{2},
	}
}

func cosineBytesEntry[T int8 | uint8](name string, call func(x, y []T) float32) entry {
	e := exactEntry[T](name, nil, nil)
	e.Args = func(d *draw, n int) []any {
		return []any{drawnBytes[T](d, n), drawnBytes[T](d, n), make([]float32, 1)}
	}
	cases := e.Cases
	e.Cases = func() [][]any {
		all := cases()
		for i := range all {
			all[i][2] = make([]float32, 1)
		}
		return all
	}
	e.Call = func(a []any) { a[2].([]float32)[0] = call(a[0].([]T), a[1].([]T)) }
	e.Spec = func(a []any) {
		x, y := a[0].([]T), a[1].([]T)
		squared := float64(exactSum(x, x, times)) * float64(exactSum(y, y, times))
		a[2].([]float32)[0] = 0
		if squared != 0 {
			a[2].([]float32)[0] = float32(float64(exactSum(x, y, times)) / math.Sqrt(squared))
		}
	}
	return e
}

// bitsEntry is for kernels of bits.
func bitsEntry[S int64 | float32](name string, call, spec func(x, y []uint64) S) entry {
	run := func(f func(x, y []uint64) S) func(a []any) {
		return func(a []any) { a[2].([]S)[0] = f(a[0].([]uint64), a[1].([]uint64)) }
	}
	return entry{
		Name: name,
		Long: longVectors,
		Args: func(d *draw, n int) []any {
			x, y := make([]uint64, n), make([]uint64, n)
			for i := range n {
				x[i], y[i] = d.Uint64(), d.Uint64()
				if d.Special {
					x[i], y[i] = []uint64{0, ^uint64(0), 1 << 63}[d.IntN(3)], []uint64{0, ^uint64(0), 1}[d.IntN(3)]
				}
			}
			return []any{x, y, make([]S, 1)}
		},
		Call:   run(call),
		Spec:   run(spec),
		Writes: []int{2},
	}
}

func hammingSpec(x, y []uint64) (differ int64) {
	for i := range x {
		for b := range 64 {
			differ += int64((x[i]^y[i])>>b) & 1
		}
	}
	return differ
}

func jaccardSpec(x, y []uint64) float32 {
	var both, either float64
	for i := range x {
		for b := range 64 {
			both += float64((x[i] & y[i]) >> b & 1)
			either += float64((x[i] | y[i]) >> b & 1)
		}
	}
	if either == 0 {
		return 1
	}
	return float32(both / either)
}

// exactSum adds f of all pairs of elements.
func exactSum[T int8 | uint8](x, y []T, f func(x, y int64) int64) (sum int64) {
	for i := range x {
		sum += f(int64(x[i]), int64(y[i]))
	}
	return sum
}

func times(x, y int64) int64     { return x * y }
func squareOff(x, y int64) int64 { return (x - y) * (x - y) }

// drawnBytes returns n bytes, the least and the greatest ones above all where values are special.
func drawnBytes[T int8 | uint8](d *draw, n int) []T {
	low, high := extremes[T](1)
	s := make([]T, n)
	for i := range s {
		s[i] = T(d.Uint32() >> 24)
		if d.Special {
			s[i] = []T{low[0], high[0], 0, s[i]}[d.IntN(4)]
		}
	}
	return s
}

// extremes returns n times the least byte, and the greatest.
func extremes[T int8 | uint8](n int) (low, high []T) {
	least, greatest := T(0), ^T(0)
	if greatest < 0 {
		least = 1
		for least > 0 {
			least <<= 1
		}
		greatest = ^least
	}
	return slices.Repeat([]T{least}, n), slices.Repeat([]T{greatest}, n)
}

// distanceEntry is dotEntry with one long length: there are many kernels of this kind, and
// emulators are slow.
func distanceEntry[T float32 | float64](name string, call, spec func(x, y []T) T) entry {
	e := dotEntry(name, call, spec)
	e.Long = longVectors
	return e
}

var longVectors = []int{kern.BlockLen + 37}

// A processor without the features that kernels use inside of tiers has the same bits.
func TestWithoutFeatures(t *testing.T) {
	for _, e := range table {
		if e.Long == nil || &e.Long[0] != &longVectors[0] {
			continue
		}
		d := kerntest.NewDraw(13, 14, true)
		for _, n := range []int{0, 1, 15, 16, 17, 63, 64, 65, 100, 127, 300, 1000} {
			args := e.Args(d, n)
			for _, tier := range cpu.Available() {
				results := [2]any{}
				for i, force := range []func(cpu.Tier) func(){cpu.Force, cpu.ForceWithoutFeatures} {
					restore := force(tier)
					e.Call(args)
					restore()
					results[i] = fmt.Sprint(args[e.Writes[0]])
				}
				if results[0] != results[1] {
					t.Errorf("%s, %v, n = %d: %v without features, %v with them", e.Name, tier, n, results[1],
						results[0])
				}
			}
		}
	}
}

// The norm is the root of the dot product, rounded once.
func TestNorm(t *testing.T) {
	for _, n := range []int{0, 1, 3, 100} {
		x64, x32 := numbersTo[float64](n), numbersTo[float32](n)
		if got, want := NormF64(x64), math.Sqrt(DotF64(x64, x64)); got != want {
			t.Errorf("n = %d: NormF64 = %v, want %v", n, got, want)
		}
		if got, want := NormF32(x32), float32(math.Sqrt(float64(DotF32(x32, x32)))); got != want {
			t.Errorf("n = %d: NormF32 = %v, want %v", n, got, want)
		}
	}
	if got := NormF32([]float32{3, -4}); got != 5 {
		t.Errorf("NormF32(3, -4) = %v", got)
	}
}

// numbersTo returns 1 to n.
func numbersTo[T float32 | float64](n int) []T {
	x := make([]T, n)
	for i := range x {
		x[i] = T(i + 1)
	}
	return x
}
