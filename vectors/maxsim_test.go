package vectors

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"unsafe"

	"github.com/simdrank/simdrank/internal/cpu"
	"github.com/simdrank/simdrank/internal/kern"
	"github.com/simdrank/simdrank/internal/testkit"
)

// maxSimShapes are at the edges of panels of 32 query tokens, of 3 and 8 rows, and of tiles.
var maxSimShapes = [][2]int{ // query tokens, columns
	{1, 1}, {2, 3}, {32, 4}, {33, 3}, {5, 8}, {4, 33}, {1, 130},
}

var maxSimNumbers = func() (n []int) {
	for i := range maxSimShapes {
		n = append(n, i)
	}
	return n
}()

// maxSimSpec computes a score with dot, which returns the dot product of two vectors.
func maxSimSpec[Q, E Element](q []Q, a []E, cols, stride int, doc [2]int, dot func(x []Q, y []E) float64) float64 {
	var sum float64
	for i := 0; i < len(q); i += cols {
		best := math.Inf(-1)
		for j := doc[0]; j < doc[1]; j++ {
			best = max(best, dot(q[i:][:cols], a[j*stride:][:cols]))
		}
		sum += best
	}
	if sum != sum {
		return math.NaN()
	}
	return sum
}

// columnDot adds products in column order, each with one rounding.
func columnDot[Q, E Element](x []Q, y []E) float64 {
	var sum float32
	for k := range x {
		sum = testkit.FMAF32(float32Of(x[k]), float32Of(y[k]), sum)
	}
	return float64(sum)
}

func exactDotI8(x, y []int8) float64 { return float64(dotI8Generic(x, y)) }

// float32Of converts an element, without rounding it.
func float32Of[E Element](v E) float32 {
	switch v := any(v).(type) {
	case F16:
		return v.Float32()
	case BF16:
		return v.Float32()
	case float32:
		return v
	case int8:
		return float32(v)
	}
	panic("no such kernel")
}

func maxSimEntry[Q, E Element](name string, dot func(x []Q, y []E) float64) entry {
	return entry{
		Name:    name,
		Lengths: maxSimNumbers,
		Long:    noLengths,
		Args: func(d *draw, n int) []any {
			queries, cols := maxSimShapes[n%len(maxSimShapes)][0], maxSimShapes[n%len(maxSimShapes)][1]
			a := testkit.Matrix{Rows: 1 + d.IntN(20), Cols: cols, Stride: cols + n%3}
			docs := []int32{0, int32(a.Rows)}
			for range d.IntN(3) {
				from := d.IntN(a.Rows + 1)
				docs = append(docs, int32(from), int32(from+d.IntN(a.Rows-from+1)))
			}
			return []any{make([]float64, len(docs)/2), drawnElements[Q](d, queries*cols),
				drawnElements[E](d, a.Elements()), a, docs}
		},
		Call: func(args []any) {
			a := args[3].(testkit.Matrix)
			var docs [4][2]int
			for i, v := range args[4].([]int32) {
				docs[i/2][i%2] = int(v)
			}
			dst := args[0].([]float64)
			MaxSim(dst, args[1].([]Q), args[2].([]E), a.Cols, a.Stride, docs[:len(dst)])
		},
		Spec: func(args []any) {
			a, docs := args[3].(testkit.Matrix), args[4].([]int32)
			for i := range args[0].([]float64) {
				args[0].([]float64)[i] = maxSimSpec(args[1].([]Q), args[2].([]E), a.Cols, a.Stride,
					[2]int{int(docs[2*i]), int(docs[2*i+1])}, dot)
			}
		},
		Writes: []int{0},
	}
}

var _ = register(
	maxSimEntry("maxSimF32", columnDot[float32, float32]),
	maxSimEntry("maxSimF16", columnDot[F16, F16]),
	maxSimEntry("maxSimBF16", columnDot[BF16, BF16]),
	maxSimEntry("maxSimF32F16", columnDot[float32, F16]),
	maxSimEntry("maxSimF32BF16", columnDot[float32, BF16]),
	maxSimEntry("maxSimF32I8", columnDot[float32, int8]),
	maxSimEntry("maxSimI8", exactDotI8),
)

// Documents at the edges of blocks of rows and of tiles, and bytes whose products are not exact in
// float32.
func TestMaxSimLong(t *testing.T) {
	d := testkit.NewDraw(31, 32, false)
	checkMaxSimLong(t, d, 1, 150, 120, exactDotI8) // two tiles
	checkMaxSimLong(t, d, 2, 7, maxSimExact, exactDotI8)
	checkMaxSimLong(t, d, 2, 7, maxSimExact+1, exactDotI8)
	checkMaxSimLong(t, d, 1, 600, 9, columnDot[F16, F16])
	if !testing.Short() && !kern.Race {
		checkMaxSimLong(t, d, 1, 12, 6600, columnDot[float32, float32])
		checkMaxSimLong(t, d, 1, 9, kern.BlockLen+1, columnDot[BF16, BF16])
		checkMaxSimLong(t, d, 2, 9, 1<<15, exactDotI8)
		checkMaxSimLong(t, d, 2, 9, 1<<15+1, exactDotI8)
	}
}

func checkMaxSimLong[T Element](t *testing.T, d *draw, queries, rows, cols int, dot func(x, y []T) float64) {
	q, a := drawnElements[T](d, queries*cols), drawnElements[T](d, rows*cols)
	if low, high := extremes[int8](cols); cols == maxSimExact || cols == 1<<15 {
		copy(any(q).([]int8), slices.Concat(low, high))
		copy(any(a).([]int8), slices.Concat(low, high))
	}
	var docs [][2]int
	for i := range min(rows, 9) {
		docs = append(docs, [2]int{i, max(i, rows-i/2)})
	}
	t.Run(fmt.Sprintf("%T %d queries %d rows %d columns", q, queries, rows, cols), func(t *testing.T) {
		want, got := make([]float64, len(docs)), make([]float64, len(docs))
		for i, doc := range docs {
			want[i] = maxSimSpec(q, a, cols, cols, doc, dot)
		}
		for _, tier := range cpu.Available() {
			restore := cpu.Force(tier)
			MaxSim(got, q, a, cols, cols, docs)
			restore()
			if !slices.Equal(got, want) {
				t.Errorf("%v: %v, want %v", tier, got, want)
			}
		}
	})
}

func TestMaxSimSpecial(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	rows := func(special float32, at int) []float32 { // 20 rows of two columns
		a := make([]float32, 40)
		for i := range a {
			a[i] = 1
		}
		a[at] = special
		return a
	}
	for _, c := range []struct {
		name string
		q, a []float32
		doc  [2]int
		want float64
	}{
		{"no tokens in the document", []float32{1, 2}, rows(1, 0), [2]int{3, 3}, math.Inf(-1)},
		{"no tokens in the document, NaN in the query", []float32{nan, 2}, rows(1, 0), [2]int{3, 3}, math.Inf(-1)},
		{"no tokens in the query", nil, rows(nan, 0), [2]int{0, 20}, 0},
		{"no tokens at all", nil, nil, [2]int{}, 0},
		{"NaN in the first row", []float32{1, 2}, rows(nan, 0), [2]int{0, 20}, math.NaN()},
		{"NaN in a row", []float32{1, 2}, rows(nan, 13), [2]int{0, 20}, math.NaN()},
		{"NaN in the last row", []float32{1, 2}, rows(nan, 39), [2]int{0, 20}, math.NaN()},
		{"NaN in another document", []float32{1, 2}, rows(nan, 39), [2]int{0, 19}, 3},
		{"NaN in the query", []float32{1, 2, nan, 1}, rows(1, 0), [2]int{0, 20}, math.NaN()},
		{"0·Inf", []float32{0, 2}, rows(inf, 4), [2]int{0, 20}, math.NaN()},
		{"Inf", []float32{1, 2}, rows(inf, 4), [2]int{0, 20}, math.Inf(1)},
		{"-Inf in one row", []float32{1, 2}, rows(-inf, 4), [2]int{0, 20}, 3},
		{"only -Inf", []float32{1, 2}, rows(-inf, 4), [2]int{2, 3}, math.Inf(-1)},
		{"Inf and -Inf", []float32{inf, 1, -inf, 1}, rows(1, 0), [2]int{0, 20}, math.NaN()},
		{"negative", []float32{-1, 0, 0, -3}, rows(2, 0), [2]int{0, 20}, -4},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, tier := range cpu.Available() {
				restore := cpu.Force(tier)
				var got [1]float64
				MaxSim(got[:], c.q, c.a, 2, 2, [][2]int{c.doc})
				restore()
				if math.Float64bits(got[0]) != math.Float64bits(c.want) {
					t.Errorf("%v: %v, want %v", tier, got[0], c.want)
				}
			}
		})
	}
}

// Invalid arguments panic before anything is computed, with the same message on every tier.
func TestMaxSimArguments(t *testing.T) {
	dst, q, a, docs := make([]float64, 2), make([]float32, 8), make([]float32, 20), [][2]int{{0, 2}, {1, 3}}
	halves := make([]F16, 20)
	for _, c := range []struct {
		want string
		call func()
	}{
		{"vectors: MaxSim: cols is 0; it must be at least 1", func() { MaxSim(dst, q, a, 0, 4, docs) }},
		{"vectors: MaxSim: len(q) is 8; it must be a multiple of cols, 3", func() { MaxSim(dst, q, a, 3, 4, docs) }},
		{"vectors: MaxSim: len(dst) and len(docs) differ: 2 and 1", func() { MaxSim(dst, q, a, 4, 4, docs[1:]) }},
		{"vectors: MaxSim: stride is 3; it must be at least cols, 4", func() { MaxSim(dst, q, a, 4, 3, docs) }},
		{"vectors: MaxSim: document 1 is [1 6]; it must be a range of the 5 rows of a",
			func() { MaxSim(dst, q, a, 4, 4, [][2]int{{0, 5}, {1, 6}}) }},
		{"vectors: MaxSim: document 0 is [-1 1]; it must be a range of the 5 rows of a",
			func() { MaxSim(dst[:1], q, a, 4, 4, [][2]int{{-1, 1}}) }},
		{"vectors: MaxSim: document 0 is [3 2]; it must be a range of the 5 rows of a",
			func() { MaxSim(dst[:1], q, a, 4, 4, [][2]int{{3, 2}}) }},
		{"vectors: MaxSim: dst overlaps docs",
			func() { MaxSim(unsafe.Slice((*float64)(unsafe.Pointer(&docs[0])), 2), q, a, 4, 4, docs) }},
		{"vectors: MaxSim: dst overlaps q",
			func() { MaxSim(dst, unsafe.Slice((*float32)(unsafe.Pointer(&dst[0])), 4), a, 4, 4, docs) }},
		{"vectors: MaxSim: dst overlaps a",
			func() { MaxSim(dst, q, unsafe.Slice((*float32)(unsafe.Pointer(&dst[0])), 4), 4, 4, [][2]int{{}, {}}) }},
		{"vectors: MaxSim: no kernel for vectors.F16 queries and float32 documents",
			func() { MaxSim(dst, halves, a, 4, 4, docs) }},
		{"vectors: MaxSim: no kernel for uint8 queries and uint8 documents",
			func() { MaxSim[uint8, uint8](nil, nil, nil, 1, 1, nil) }},
	} {
		t.Run(fmt.Sprintf("%.80s", c.want), func(t *testing.T) {
			for _, tier := range cpu.Available() {
				restore := cpu.Force(tier)
				if got := testkit.MustPanic(t, c.want, c.call); got != c.want {
					t.Errorf("%v: panic %q, want %q", tier, got, c.want)
				}
				restore()
			}
			if dst[0] != 0 || dst[1] != 0 {
				t.Error("dst was written")
			}
		})
	}
}

// A processor without the features that the kernels of bytes require returns the same scores. The
// bytes include the lowest one, which has no positive counterpart.
func TestMaxSimWithoutFeatures(t *testing.T) {
	d := testkit.NewDraw(35, 36, false)
	for i, cols := range []int{1, 4, 63, 64, 65, 130} {
		t.Run(fmt.Sprint(cols), func(t *testing.T) {
			q, a := drawnElements[int8](d, 34*i*cols), drawnElements[int8](d, 11*cols) // no query tokens at first
			a[0] = -128
			copy(q, a[:1])
			docs := [][2]int{{0, 11}, {3, 4}, {2, 2}}
			want, got := make([]float64, len(docs)), make([]float64, len(docs))
			for i, doc := range docs {
				want[i] = maxSimSpec(q, a, cols, cols, doc, exactDotI8)
			}
			for _, tier := range cpu.Available() {
				for _, force := range []func(cpu.Tier) func(){cpu.Force, cpu.ForceWithoutFeatures} {
					restore := force(tier)
					MaxSim(got, q, a, cols, cols, docs)
					restore()
					if !slices.Equal(got, want) {
						t.Errorf("%v: %v, want %v", tier, got, want)
					}
				}
			}
		})
	}
}
