package kernels

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/simdrank/simdrank/internal/cpu"
)

// keyLengths reach over the steps of every kernel of keys, and leafLengths over
// all that a leaf takes.
var (
	keyLengths  = append(slices.Clone(shortLengths[:100]), 127, 128, 129, 255, 257, 1000)
	keyLong     = []int{4095, blockLen + 17, 2*blockLen + 37}
	leafLengths = shortLengths[:leafLen+1]
)

// keys32 draws keys: few different ones, extremes, or any.
func (d *draw) keys32(n int) []int32 {
	kind := d.IntN(4)
	s := make([]int32, n)
	for i := range s {
		switch kind {
		case 0:
			s[i] = int32(d.IntN(5))
		case 1:
			s[i] = []int32{math.MinInt32, -1, 0, 1, math.MaxInt32}[d.IntN(5)]
		default:
			s[i] = int32(d.Uint32())
		}
	}
	return s
}

func (d *draw) keys64(n int) []int64 {
	x, y := d.keys32(n), d.keys32(n)
	s := make([]int64, n)
	for i := range s {
		s[i] = int64(x[i])<<32 + int64(y[i])
	}
	return s
}

// numbers returns values that are no NaN.
func (d *draw) numbers(n int) []float64 {
	s := d.f64s(n)
	for i, v := range s {
		if v != v {
			s[i] = 1
		}
	}
	return s
}

// partitionSpec filters, twice; the rest is zero.
func partitionSpec[T int32 | int64](lo, hi, src []T, pivot T) (n, positions int64) {
	clear(lo)
	clear(hi)
	var l, h []T
	for i, v := range src {
		if v < pivot {
			l = append(l, v)
			positions += int64(i)
		} else {
			h = append(h, v)
		}
	}
	copy(lo, l)
	copy(hi, h)
	return int64(len(l)), positions
}

func pivotOf[T int32 | int64](d *draw, src []T) T {
	if len(src) == 0 || d.IntN(8) == 0 {
		return 0
	}
	return src[d.IntN(len(src))]
}

var _ = register(
	entry{
		name: "ScanF64",
		args: func(d *draw, n int) []any {
			x := d.f64s(n)
			switch d.IntN(4) {
			case 0:
				for i := range x {
					x[i] = float64(d.IntN(100))
				}
			case 1:
				for i := range x {
					x[i] = float64(float32(d.NormFloat64()))
				}
			}
			return []any{x, make([]float64, 2), make([]bool, 3)}
		},
		writes: []int{1, 2},
		call: func(a []any) {
			s := ScanF64(a[0].([]float64))
			if s.NaN {
				s = Scan{NaN: true}
			}
			copy(a[1].([]float64), []float64{s.Min, s.Max})
			copy(a[2].([]bool), []bool{s.NaN, s.Float32, s.Integer})
		},
		spec: func(a []any) {
			s := Scan{Min: math.Inf(1), Max: math.Inf(-1), Float32: true, Integer: true}
			for _, v := range a[0].([]float64) {
				s.Min, s.Max = min(s.Min, v)+0, max(s.Max, v)+0
				s.NaN = s.NaN || math.IsNaN(v)
				s.Float32 = s.Float32 && float64(float32(v)) == v
				s.Integer = s.Integer && math.Floor(v) == v
			}
			if s.NaN {
				s = Scan{NaN: true}
			}
			copy(a[1].([]float64), []float64{s.Min, s.Max})
			copy(a[2].([]bool), []bool{s.NaN, s.Float32, s.Integer})
		},
	},
	entry{
		name: "LinearKeysF64",
		args: func(d *draw, n int) []any {
			x := make([]float64, n)
			for i := range x {
				x[i] = 2*d.Float64() + 3
			}
			return []any{make([]int32, n), x, 4.0, 0x1p31 - 1}
		},
		writes: []int{0},
		call:   func(a []any) { LinearKeysF64(a[0].([]int32), a[1].([]float64), a[2].(float64), a[3].(float64)) },
		spec: func(a []any) {
			for i, v := range a[1].([]float64) {
				a[0].([]int32)[i] = int32(math.Trunc((v - a[2].(float64)) * a[3].(float64)))
			}
		},
	},
	entry{
		name:   "FloatKeysF64",
		args:   func(d *draw, n int) []any { return []any{make([]int32, n), d.numbers(n)} },
		writes: []int{0},
		call:   func(a []any) { FloatKeysF64(a[0].([]int32), a[1].([]float64)) },
		spec: func(a []any) {
			for i, v := range a[1].([]float64) {
				a[0].([]int32)[i] = floatKeySpec(float32(v))
			}
		},
	},
	entry{
		name:   "FloatKeysF32",
		args:   func(d *draw, n int) []any { return []any{make([]int32, n), d.f32s(n), make([]bool, 1)} },
		writes: []int{0, 2},
		call: func(a []any) {
			dst, x := a[0].([]int32), a[1].([]float32)
			a[2].([]bool)[0] = FloatKeysF32(dst, x)
			for i, v := range x {
				if v != v {
					dst[i] = 0
				}
			}
		},
		spec: func(a []any) {
			for i, v := range a[1].([]float32) {
				if v != v {
					a[0].([]int32)[i] = 0
					a[2].([]bool)[0] = true
				} else {
					a[0].([]int32)[i] = floatKeySpec(v)
				}
			}
		},
	},
	entry{
		name:   "PackKeys",
		args:   func(d *draw, n int) []any { return []any{make([]int64, n), d.keys32(n), d.keys32(n)} },
		writes: []int{0},
		call:   func(a []any) { PackKeys(a[0].([]int64), a[1].([]int32), a[2].([]int32)) },
		spec: func(a []any) {
			for i, x := range a[1].([]int32) {
				a[0].([]int64)[i] = int64(x)<<32 + int64(a[2].([]int32)[i]) + 1<<31
			}
		},
	},
	entry{
		name: "PartitionI64",
		args: func(d *draw, n int) []any {
			src := d.keys64(n)
			return []any{make([]int64, n), make([]int64, n), src, pivotOf(d, src), make([]int64, 1)}
		},
		lengths: keyLengths,
		long:    keyLong,
		writes:  []int{0, 1, 4},
		call: func(a []any) {
			lo, hi, src := a[0].([]int64), a[1].([]int64), a[2].([]int64)
			n := PartitionI64(lo, hi, src, a[3].(int64))
			clear(lo[n:])
			clear(hi[len(src)-n:])
			a[4].([]int64)[0] = int64(n)
		},
		spec: func(a []any) {
			a[4].([]int64)[0], _ = partitionSpec(a[0].([]int64), a[1].([]int64), a[2].([]int64), a[3].(int64))
		},
	},
	entry{
		name:    "SortI64",
		args:    func(d *draw, n int) []any { return []any{make([]int64, n), d.keys64(n)} },
		lengths: leafLengths,
		long:    []int{},
		writes:  []int{0},
		call: func(a []any) {
			if dst, src := a[0].([]int64), a[1].([]int64); len(src) <= leafLen {
				SortI64(dst, src)
			}
		},
		spec: func(a []any) {
			copy(a[0].([]int64), a[1].([]int64))
			slices.Sort(a[0].([]int64))
		},
	},
	entry{
		name: "SplitKeys",
		args: func(d *draw, n int) []any {
			keys := d.keys64(n + 1)
			slices.Sort(keys)
			return []any{make([]int32, n), make([]uint8, (n+7)/8), make([]uint8, (n+7)/8), keys}
		},
		lengths: keyLengths,
		long:    keyLong,
		writes:  []int{0, 1, 2},
		call: func(a []any) {
			SplitKeys(a[0].([]int32), a[1].([]uint8), a[2].([]uint8), a[3].([]int64))
		},
		spec: func(a []any) {
			keys := a[3].([]int64)
			for i := range a[0].([]int32) {
				a[0].([]int32)[i] = int32(keys[i+1]&math.MaxUint32 - 1<<31)
				if keys[i]>>32 != keys[i+1]>>32 {
					a[1].([]uint8)[i/8] |= 1 << (i % 8)
				}
				if keys[i] != keys[i+1] {
					a[2].([]uint8)[i/8] |= 1 << (i % 8)
				}
			}
		},
	},
	entry{
		name: "PartitionCountI32",
		args: func(d *draw, n int) []any {
			src := d.keys32(n)
			return []any{make([]int32, n), make([]int32, n), src, pivotOf(d, src), make([]int64, 2)}
		},
		lengths: keyLengths,
		long:    keyLong,
		writes:  []int{0, 1, 4},
		call: func(a []any) {
			lo, hi, src := a[0].([]int32), a[1].([]int32), a[2].([]int32)
			n, positions := PartitionCountI32(lo, hi, src, a[3].(int32))
			clear(lo[n:])
			clear(hi[len(src)-n:])
			copy(a[4].([]int64), []int64{int64(n), positions})
		},
		spec: func(a []any) {
			n, positions := partitionSpec(a[0].([]int32), a[1].([]int32), a[2].([]int32), a[3].(int32))
			copy(a[4].([]int64), []int64{n, positions})
		},
	},
	entry{
		name:    "InversionsI32",
		args:    func(d *draw, n int) []any { return []any{d.keys32(n), make([]int64, 2)} },
		lengths: leafLengths,
		long:    []int{},
		writes:  []int{1},
		call: func(a []any) {
			if v := a[0].([]int32); len(v) <= leafLen {
				inversions, equal := InversionsI32(v)
				copy(a[1].([]int64), []int64{inversions, equal})
			}
		},
		spec: func(a []any) {
			v, out := a[0].([]int32), a[1].([]int64)
			for j := range v {
				for i := range j {
					if v[i] > v[j] {
						out[0]++
					}
					if v[i] == v[j] {
						out[1]++
					}
				}
			}
		},
	},
	entry{
		name: "CountPairsF64",
		args: func(d *draw, n int) []any {
			return []any{d.numbers(n), d.numbers(n), make([]int64, 4)}
		},
		lengths: keyLengths,
		long:    []int{400},
		writes:  []int{2},
		call: func(a []any) {
			p, q, x, y := CountPairsF64(a[0].([]float64), a[1].([]float64))
			copy(a[2].([]int64), []int64{p, q, x, y})
		},
		spec: func(a []any) {
			x, y, out := a[0].([]float64), a[1].([]float64), a[2].([]int64)
			for j := range x {
				for i := range j {
					switch {
					case x[i] < x[j] && y[i] < y[j] || x[i] > x[j] && y[i] > y[j]:
						out[0]++
					case x[i] < x[j] && y[i] > y[j] || x[i] > x[j] && y[i] < y[j]:
						out[1]++
					}
					if x[i] != x[j] {
						out[2]++
					}
					if y[i] != y[j] {
						out[3]++
					}
				}
			}
		},
	},
)

// floatKeySpec counts float32 from zero.
func floatKeySpec(v float32) int32 {
	if v == 0 {
		return 0
	}
	if v < 0 {
		return ^int32(math.Float32bits(-v)) // −1 is that of −0
	}
	return int32(math.Float32bits(v))
}

// In place is how the quicksorts partition: lo is src.
func TestPartitionInPlace(t *testing.T) {
	forTiers(t, func(t *testing.T, d *draw) {
		for n := range 300 {
			a, b := d.keys64(n), d.keys32(n)
			lo64, hi64 := make([]int64, n), make([]int64, n)
			lo32, hi32 := make([]int32, n), make([]int32, n)
			p, q := pivotOf(d, a), pivotOf(d, b)
			want64, _ := partitionSpec(lo64, hi64, a, p)
			want32, positions := partitionSpec(lo32, hi32, b, q)
			free64, free32 := make([]int64, n), make([]int32, n)
			if got := PartitionI64(a, free64, a, p); int64(got) != want64 ||
				!slices.Equal(a[:got], lo64[:got]) || !slices.Equal(free64[:n-got], hi64[:n-got]) {
				t.Fatalf("PartitionI64, n = %d: %d below the pivot, want %d, or others", n, got, want64)
			}
			if got, pos := PartitionCountI32(b, free32, b, q); int64(got) != want32 || pos != positions ||
				!slices.Equal(b[:got], lo32[:got]) || !slices.Equal(free32[:n-got], hi32[:n-got]) {
				t.Fatalf("PartitionCountI32, n = %d: %d, %d below the pivot, want %d, %d, or others", n, got, pos, want32, positions)
			}
			if n <= leafLen {
				c := d.keys64(n)
				want := slices.Sorted(slices.Values(c))
				SortI64(c, c)
				if !slices.Equal(c, want) {
					t.Fatalf("SortI64 in place, n = %d: %v", n, c)
				}
			}
		}
	})
}

func TestOrderPanics(t *testing.T) {
	s64, s32 := make([]int64, 100), make([]int32, 100)
	bytes := make([]uint8, 100)
	for name, f := range map[string]func(){
		"LinearKeysF64":        func() { LinearKeysF64(s32[:1], make([]float64, 2), 0, 1) },
		"FloatKeysF64":         func() { FloatKeysF64(s32[:1], make([]float64, 2)) },
		"FloatKeysF32":         func() { FloatKeysF32(s32[:1], make([]float32, 2)) },
		"PackKeys":             func() { PackKeys(s64[:1], s32[:2], s32[:1]) },
		"PartitionI64 lo":      func() { PartitionI64(s64[:1], make([]int64, 2), s64[:2], 0) },
		"PartitionI64 hi":      func() { PartitionI64(s64[:2], make([]int64, 1), s64[:2], 0) },
		"PartitionI64 overlap": func() { PartitionI64(s64[1:3], make([]int64, 2), s64[:2], 0) },
		"PartitionI64 same":    func() { PartitionI64(s64[:2], s64[:2], s64[4:6], 0) },
		"PartitionCountI32 lo": func() { PartitionCountI32(s32[:1], make([]int32, 2), s32[:2], 0) },
		"SortI64":              func() { SortI64(s64[:1], s64[:2]) },
		"SortI64 long":         func() { SortI64(s64[:65], s64[:65]) },
		"InversionsI32 long":   func() { InversionsI32(s32[:65]) },
		"SplitKeys":            func() { SplitKeys(s32[:2], bytes, bytes, s64[:2]) },
		"SplitKeys bits":       func() { SplitKeys(s32[:9], bytes[:1], bytes, s64[:10]) },
		"CountPairsF64":        func() { CountPairsF64(make([]float64, 1), make([]float64, 2)) },
		"MergeCount":           func() { MergeCount(s32[:2], s32[4:5]) },
		"CountTau":             func() { CountTau(&TauCounter{}, s32[:2], s32[:1]) },
		"RankColumn":           func() { RankColumn(&TauCounter{}, s32[:2], s32[:1]) },
	} {
		func() {
			defer func() {
				if _, ok := recover().(error); !ok {
					t.Errorf("%s: no panic with an error", name)
				}
			}()
			f()
		}()
	}
}

// forTiers runs f with every tier.
func forTiers(t *testing.T, f func(t *testing.T, d *draw)) {
	for _, tier := range cpu.Available() {
		t.Run(tier.String(), func(t *testing.T) {
			defer cpu.Force(tier)()
			f(t, &draw{rand.New(rand.NewPCG(7, 8)), false})
		})
	}
}
