package order

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/internal/cpu"
	"github.com/simdrank/simdrank/internal/kern"
	"github.com/simdrank/simdrank/internal/testkit"
)

// keyLengths reach over the steps of every kernel of keys, and LeafLengths over
// all that a leaf takes.
var (
	keyLengths  = append(slices.Clone(testkit.ShortLengths[:100]), 127, 128, 129, 255, 257, 1000)
	keyLong     = []int{4095, kern.BlockLen + 17, 2*kern.BlockLen + 37}
	LeafLengths = testkit.ShortLengths[:LeafLen+1]
)

// keys32 draws keys: few different ones, extremes, or any.
func keys32(d *draw, n int) []int32 {
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

func keys64(d *draw, n int) []int64 {
	x, y := keys32(d, n), keys32(d, n)
	s := make([]int64, n)
	for i := range s {
		s[i] = int64(x[i])<<32 + int64(y[i])
	}
	return s
}

// numbers returns values that are no NaN.
func numbers(d *draw, n int) []float64 {
	s := d.F64s(n)
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

// cellsOf draws keys, and what their cells depend on.
func cellsOf(d *draw, n int) (lo int64, shift int, keys []int64) {
	keys = keys64(d, n)
	return pivotOf(d, keys), d.IntN(64), keys
}

// cellOf returns the cell of a key, of n cells.
func cellOf(key, lo int64, shift, n int) int {
	return int((uint64(key) - uint64(lo)) >> shift % uint64(n))
}

func pivotOf[T int32 | int64](d *draw, src []T) T {
	if len(src) == 0 || d.IntN(8) == 0 {
		return 0
	}
	return src[d.IntN(len(src))]
}

var _ = register(
	entry{
		Name: "ScanF64",
		Args: func(d *draw, n int) []any {
			x := d.F64s(n)
			kinds := []func() float64{
				func() float64 { return float64(d.IntN(100)) },
				func() float64 { return float64(float32(d.NormFloat64())) },
				func() float64 { return math.Trunc(1e12 * d.NormFloat64()) },
				d.NormFloat64,
				math.NaN,
			}
			if kind := d.IntN(len(kinds)); kind < 3 {
				for i := range x {
					x[i] = kinds[kind]()
				}
				if n > 0 && d.IntN(4) > 0 { // kernels look for no more of what has been seen
					x[d.IntN(n)] = kinds[d.IntN(len(kinds))]()
					x[d.IntN(n)] = kinds[d.IntN(4)]()
				}
			}
			return []any{x, make([]float64, 2), make([]bool, 3)}
		},
		Writes: []int{1, 2},
		Call: func(a []any) {
			s := ScanF64(a[0].([]float64))
			if s.NaN {
				s = Scan{NaN: true}
			}
			copy(a[1].([]float64), []float64{s.Min, s.Max})
			copy(a[2].([]bool), []bool{s.NaN, s.Float32, s.Integer})
		},
		Spec: func(a []any) {
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
		Name: "LinearKeysF64",
		Args: func(d *draw, n int) []any {
			x := make([]float64, n)
			for i := range x {
				x[i] = 2*d.Float64() + 3
			}
			return []any{make([]int32, n), x, 4.0, 0x1p31 - 1}
		},
		Writes: []int{0},
		Call:   func(a []any) { LinearKeysF64(a[0].([]int32), a[1].([]float64), a[2].(float64), a[3].(float64)) },
		Spec: func(a []any) {
			for i, v := range a[1].([]float64) {
				a[0].([]int32)[i] = int32(math.Trunc((v - a[2].(float64)) * a[3].(float64)))
			}
		},
	},
	entry{
		Name:   "FloatKeysF64",
		Args:   func(d *draw, n int) []any { return []any{make([]int32, n), numbers(d, n)} },
		Writes: []int{0},
		Call:   func(a []any) { FloatKeysF64(a[0].([]int32), a[1].([]float64)) },
		Spec: func(a []any) {
			for i, v := range a[1].([]float64) {
				a[0].([]int32)[i] = floatKeySpec(float32(v))
			}
		},
	},
	entry{
		Name:   "FloatKeysF32",
		Args:   func(d *draw, n int) []any { return []any{make([]int32, n), d.F32s(n), make([]bool, 1)} },
		Writes: []int{0, 2},
		Call: func(a []any) {
			dst, x := a[0].([]int32), a[1].([]float32)
			a[2].([]bool)[0] = FloatKeysF32(dst, x)
			for i, v := range x {
				if v != v {
					dst[i] = 0
				}
			}
		},
		Spec: func(a []any) {
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
		Name:   "PackKeys",
		Args:   func(d *draw, n int) []any { return []any{make([]int64, n), keys32(d, n), keys32(d, n)} },
		Writes: []int{0},
		Call:   func(a []any) { PackKeys(a[0].([]int64), a[1].([]int32), a[2].([]int32)) },
		Spec: func(a []any) {
			for i, x := range a[1].([]int32) {
				a[0].([]int64)[i] = int64(x)<<32 + int64(a[2].([]int32)[i]) + 1<<31
			}
		},
	},
	entry{
		Name: "PartitionI64",
		Args: func(d *draw, n int) []any {
			src := keys64(d, n)
			return []any{make([]int64, n), make([]int64, n), src, pivotOf(d, src), make([]int64, 1)}
		},
		Lengths: keyLengths,
		Long:    keyLong,
		Writes:  []int{0, 1, 4},
		Call: func(a []any) {
			lo, hi, src := a[0].([]int64), a[1].([]int64), a[2].([]int64)
			n := PartitionI64(lo, hi, src, a[3].(int64))
			clear(lo[n:])
			clear(hi[len(src)-n:])
			a[4].([]int64)[0] = int64(n)
		},
		Spec: func(a []any) {
			a[4].([]int64)[0], _ = partitionSpec(a[0].([]int64), a[1].([]int64), a[2].([]int64), a[3].(int64))
		},
	},
	entry{
		Name:    "SortI64",
		Args:    func(d *draw, n int) []any { return []any{make([]int64, n), keys64(d, n)} },
		Lengths: LeafLengths,
		Long:    []int{},
		Writes:  []int{0},
		Call: func(a []any) {
			if dst, src := a[0].([]int64), a[1].([]int64); len(src) <= LeafLen {
				SortI64(dst, src)
			}
		},
		Spec: func(a []any) {
			copy(a[0].([]int64), a[1].([]int64))
			slices.Sort(a[0].([]int64))
		},
	},
	entry{
		Name: "SplitKeys",
		Args: func(d *draw, n int) []any {
			keys := keys64(d, n+1)
			slices.Sort(keys)
			return []any{make([]int32, n), make([]uint8, (n+7)/8), make([]uint8, (n+7)/8), keys}
		},
		Lengths: keyLengths,
		Long:    keyLong,
		Writes:  []int{0, 1, 2},
		Call: func(a []any) {
			SplitKeys(a[0].([]int32), a[1].([]uint8), a[2].([]uint8), a[3].([]int64))
		},
		Spec: func(a []any) {
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
		Name: "PartitionCountI32",
		Args: func(d *draw, n int) []any {
			src := keys32(d, n)
			return []any{make([]int32, n), make([]int32, n), src, pivotOf(d, src), make([]int64, 2)}
		},
		Lengths: keyLengths,
		Long:    keyLong,
		Writes:  []int{0, 1, 4},
		Call: func(a []any) {
			lo, hi, src := a[0].([]int32), a[1].([]int32), a[2].([]int32)
			n, positions := PartitionCountI32(lo, hi, src, a[3].(int32))
			clear(lo[n:])
			clear(hi[len(src)-n:])
			copy(a[4].([]int64), []int64{int64(n), positions})
		},
		Spec: func(a []any) {
			n, positions := partitionSpec(a[0].([]int32), a[1].([]int32), a[2].([]int32), a[3].(int32))
			copy(a[4].([]int64), []int64{n, positions})
		},
	},
	entry{
		Name:    "InversionsI32",
		Args:    func(d *draw, n int) []any { return []any{keys32(d, n), make([]int64, 2)} },
		Lengths: LeafLengths,
		Long:    []int{},
		Writes:  []int{1},
		Call: func(a []any) {
			if v := a[0].([]int32); len(v) <= LeafLen {
				inversions, equal := InversionsI32(v)
				copy(a[1].([]int64), []int64{inversions, equal})
			}
		},
		Spec: func(a []any) {
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
		Name: "CountPairsF64",
		Args: func(d *draw, n int) []any {
			return []any{numbers(d, n), numbers(d, n), make([]int64, 4)}
		},
		Lengths: keyLengths,
		Long:    []int{400},
		Writes:  []int{2},
		Call: func(a []any) {
			p, q, x, y := CountPairsF64(a[0].([]float64), a[1].([]float64))
			copy(a[2].([]int64), []int64{p, q, x, y})
		},
		Spec: func(a []any) {
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
			a, b := keys64(d, n), keys32(d, n)
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
				t.Fatalf("PartitionCountI32, n = %d: %d, %d below the pivot, want %d, %d, or others", n, got, pos,
					want32, positions)
			}
			if n <= LeafLen {
				c := keys64(d, n)
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
	s64, s32 := make([]int64, 130), make([]int32, 100)
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
		"SpreadI64 dst":        func() { SpreadI64(s64[:1], make([]uint32, 1), s64[2:4], 0, 0) },
		"SpreadI64 cells":      func() { SpreadI64(s64[:2], make([]uint32, 3), s64[2:4], 0, 0) },
		"SpreadI64 none":       func() { SpreadI64(s64[:2], nil, s64[2:4], 0, 0) },
		"SpreadI64 shift":      func() { SpreadI64(s64[:2], make([]uint32, 1), s64[2:4], 0, 64) },
		"SpreadI64 negative":   func() { SpreadI64(s64[:2], make([]uint32, 1), s64[2:4], 0, -1) },
		"SpreadI64 overlap":    func() { SpreadI64(s64[:2], make([]uint32, 1), s64[1:3], 0, 0) },
		"SortI64":              func() { SortI64(s64[:1], s64[:2]) },
		"SortI64 long":         func() { SortI64(s64[:65], s64[:65]) },
		"InversionsI32 long":   func() { InversionsI32(s32[:65]) },
		"SplitKeys":            func() { SplitKeys(s32[:2], bytes, bytes, s64[:2]) },
		"SplitKeys bits":       func() { SplitKeys(s32[:9], bytes[:1], bytes, s64[:10]) },
		"FilterI32 dst":        func() { FilterI32(s32[:1], s32[2:4], make([]uint64, 1)) },
		"FilterI32 filter":     func() { FilterI32(s32[:2], s32[2:4], make([]uint64, 3)) },
		"FilterI32 none":       func() { FilterI32(s32[:2], s32[2:4], nil) },
		"FilterI32 overlap":    func() { FilterI32(s32[:2], s32[1:3], make([]uint64, 1)) },
		"SortKeys tmp":         func() { SortKeys(s64[:3], s64[3:5]) },
		"SortKeys overlap":     func() { SortKeys(s64[:3], s64[2:5]) },
		"CountPairsF64":        func() { CountPairsF64(make([]float64, 1), make([]float64, 2)) },
	} {
		t.Run(name, func(t *testing.T) {
			func() {
				defer func() {
					kernel, _, _ := strings.Cut(name, " ")
					if err, ok := recover().(error); !ok || !strings.Contains(err.Error(), kernel+": ") {
						t.Errorf("no panic with an error of %s: %v", kernel, err)
					}
				}()
				f()
			}()
		})
	}
}

// forTiers runs f with every tier.
func forTiers(t *testing.T, f func(t *testing.T, d *draw)) {
	for _, tier := range cpu.Available() {
		t.Run(tier.String(), func(t *testing.T) {
			defer cpu.Force(tier)()
			f(t, testkit.NewDraw(7, 8, false))
		})
	}
}

var _ = register(
	entry{
		Name: "TallyI64",
		Args: func(d *draw, n int) []any {
			lo, shift, keys := cellsOf(d, n)
			cells := make([]uint32, 1<<d.IntN(9))
			for i := range cells {
				cells[i] = d.Uint32()
			}
			return []any{cells, keys, lo, shift}
		},
		Lengths: keyLengths,
		Long:    keyLong[:1],
		Writes:  []int{0},
		Call:    func(a []any) { tallyI64(a[0].([]uint32), a[1].([]int64), a[2].(int64), a[3].(int)) },
		Spec: func(a []any) {
			cells := a[0].([]uint32)
			for _, k := range a[1].([]int64) {
				cells[cellOf(k, a[2].(int64), a[3].(int), len(cells))]++
			}
		},
	},
	entry{
		Name: "MoveI64", // by SpreadI64: cells tell only once where keys go
		Args: func(d *draw, n int) []any {
			lo, shift, keys := cellsOf(d, n)
			return []any{make([]int64, n), make([]uint32, 1<<d.IntN(9)), keys, lo, shift}
		},
		Lengths: keyLengths,
		Long:    keyLong,
		Writes:  []int{0, 1},
		Call: func(a []any) {
			SpreadI64(a[0].([]int64), a[1].([]uint32), a[2].([]int64), a[3].(int64), a[4].(int))
		},
		Spec: func(a []any) {
			ends := a[1].([]uint32)
			cells := make([][]int64, len(ends))
			for _, k := range a[2].([]int64) {
				cell := cellOf(k, a[3].(int64), a[4].(int), len(cells))
				cells[cell] = append(cells[cell], k)
			}
			n := 0
			for i, c := range cells {
				n += copy(a[0].([]int64)[n:], c)
				ends[i] = uint32(n)
			}
		},
	},
	entry{
		Name: "FilterI32",
		Args: func(d *draw, n int) []any {
			filter := make([]uint64, 1<<d.IntN(7))
			for i := range filter {
				filter[i] = d.Uint64() & d.Uint64()
			}
			return []any{make([]int32, n), keys32(d, n), filter, make([]int64, 1)}
		},
		Lengths: keyLengths,
		Long:    []int{4095},
		Writes:  []int{0, 3},
		Call: func(a []any) {
			dst := a[0].([]int32)
			n := FilterI32(dst, a[1].([]int32), a[2].([]uint64))
			clear(dst[n:])
			a[3].([]int64)[0] = int64(n)
		},
		Spec: func(a []any) {
			dst, keys, filter, n := a[0].([]int32), a[1].([]int32), a[2].([]uint64), a[3].([]int64)
			clear(dst)
			for i, k := range keys {
				if bit := uint32(k) % uint32(64*len(filter)); filter[bit/64]>>(bit%64)&1 != 0 {
					dst[n[0]] = int32(i)
					n[0]++
				}
			}
		},
	},
	entry{
		Name: "MergeKeys",
		Args: func(d *draw, n int) []any {
			n = LeafLen + 1 + n%LeafLen
			keys := make([]int64, n)
			RankKeysF32(keys, d.F32s(n))
			if d.Special {
				for i := range keys { // the same number twice, and the greatest
					keys[i] = []int64{math.MaxInt64, math.MinInt64, 0, keys[i]}[d.IntN(4)]
				}
			}
			slices.Sort(keys[:LeafLen])
			slices.Sort(keys[LeafLen:])
			return []any{keys}
		},
		Call:   func(a []any) { mergeKeys(a[0].([]int64)) },
		Spec:   func(a []any) { slices.Sort(a[0].([]int64)) },
		Writes: []int{0},
	},
	entry{
		Name: "SortKeys",
		Args: func(d *draw, n int) []any {
			keys := make([]int64, n)
			RankKeysF32(keys, d.F32s(n))
			if d.IntN(4) == 0 {
				d.Shuffle(n, func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
			}
			return []any{keys, make([]int64, n)}
		},
		Call: func(a []any) {
			SortKeys(a[0].([]int64), a[1].([]int64))
			clear(a[1].([]int64))
		},
		Spec:   func(a []any) { slices.Sort(a[0].([]int64)) },
		Writes: []int{0, 1},
	},
)

// Elements that differ in any of their bits, all or but for the last, have the inversions that they
// have in plain Go: kernels look at some of the bits first.
func TestInversionsWidths(t *testing.T) {
	d := testkit.NewDraw(1, 2, false)
	for width := 1; width <= 32; width++ {
		for _, n := range []int{16, 33, 48, 63, 64} {
			base, a := int32(d.Uint32()), make([]int32, n)
			for i := range a {
				a[i] = base + int32(d.Uint32()>>(32-width)) // the sum may wrap around
			}
			for range 2 {
				inversions, equal := inversionsI32Generic(a)
				for _, tier := range cpu.Available() {
					restore := cpu.Force(tier)
					if i, e := InversionsI32(a); i != inversions || e != equal {
						t.Errorf("%v, %d bits, n = %d: %d inversions and %d equal, want %d and %d",
							tier, width, n, i, e, inversions, equal)
					}
					restore()
				}
				a[n-1] = a[0] ^ 1 // differs in a bit that is left out
			}
		}
	}
}
