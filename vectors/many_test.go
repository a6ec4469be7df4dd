package vectors

import (
	"fmt"
	"math"
	"testing"
	"unsafe"

	"github.com/simdrank/simdrank/internal/cpu"
	"github.com/simdrank/simdrank/internal/kern"
	"github.com/simdrank/simdrank/internal/testkit"
	"github.com/simdrank/simdrank/kernels"
)

var manyLengths = func() (n []int) {
	for i := range 36 {
		n = append(n, i)
	}
	for _, i := range []int{48, 64, 80, 96, 128, 256, 768} {
		n = append(n, i-1, i, i+1)
	}
	return n
}()

// metrics contains the kernels of the three metrics for a pair of types: for rows, IDs and blocks,
// and the kernels of two vectors, which are their specification.
type metrics[Q, E Element] struct {
	rows  []func(dst []float32, q []Q, a []E, rows, cols, stride int)
	ids   []func(dst []float32, q []Q, a []E, cols, stride int, ids []int32)
	block []func(dst []float32, q []Q, queries, qstride int, a []E, rows, cols, stride int)
	one   []func(x []Q, y []E) float32
}

// only returns only one of the metrics.
func (m metrics[Q, E]) only(k metric) metrics[Q, E] {
	return metrics[Q, E]{m.rows[k : k+1], m.ids[k : k+1], m.block[k : k+1], m.one[k : k+1]}
}

func metricsOf[Q, E Element](dot, l2, cosine func(x []Q, y []E) float32) metrics[Q, E] {
	return metrics[Q, E]{
		rows:  []func([]float32, []Q, []E, int, int, int){DotRows[Q, E], L2Rows[Q, E], CosineRows[Q, E]},
		ids:   []func([]float32, []Q, []E, int, int, []int32){DotIDs[Q, E], L2IDs[Q, E], CosineIDs[Q, E]},
		block: []func([]float32, []Q, int, int, []E, int, int, int){DotBlock[Q, E], L2Block[Q, E], CosineBlock[Q, E]},
		one:   []func([]Q, []E) float32{dot, l2, cosine},
	}
}

// narrowed is a kernel of two vectors with a rounded result.
func narrowed[T any, S float32 | float64 | int64](one func(x, y []T) S) func(x, y []T) float32 {
	return func(x, y []T) float32 { return float32(one(x, y)) }
}

var (
	metricsF64     = metricsOf(narrowed(kernels.DotF64), narrowed(l2F64Generic), narrowed(cosineF64Generic))
	metricsF32     = metricsOf(kernels.DotF32, l2F32Generic, cosineF32Generic)
	metricsF16     = metricsOf(dotF16Generic, l2F16Generic, cosineF16Generic)
	metricsB16     = metricsOf(dotBF16Generic, l2BF16Generic, cosineBF16Generic)
	metricsI8      = metricsOf(narrowed(dotI8Generic), narrowed(l2I8Generic), cosineI8Generic)
	metricsF32F16  = metricsOf(dotF32F16Generic, l2F32F16Generic, cosineF32F16Generic)
	metricsF32BF16 = metricsOf(dotF32BF16Generic, l2F32BF16Generic, cosineF32BF16Generic)
	metricsF32I8   = metricsOf(dotF32I8Generic, l2F32I8Generic, cosineF32I8Generic)
	metricsF32U8   = metricsOf(dotF32U8Generic, l2F32U8Generic, cosineF32U8Generic)
	metricsU8      = metricsOf(narrowed(dotU8Generic), narrowed(l2U8Generic), cosineU8Generic)
)

// drawnElements returns n random elements of any type.
func drawnElements[T Element](d *draw, n int) []T {
	switch any(*new(T)).(type) {
	case float64:
		return any(d.F64s(n)).([]T)
	case float32:
		return any(d.F32s(n)).([]T)
	case F16:
		return any(drawnHalves(d, n, NewF16)).([]T)
	case BF16:
		return any(drawnHalves(d, n, NewBF16)).([]T)
	case int8:
		return any(drawnBytes[int8](d, n)).([]T)
	}
	return any(drawnBytes[uint8](d, n)).([]T)
}

// rowsEntry, idsEntry and blockEntry run the metrics with separate results.

func rowsEntry[Q, E Element](name string, m metrics[Q, E]) entry {
	return entry{
		Name:    name,
		Lengths: manyLengths,
		Long:    noLengths,
		Args: func(d *draw, n int) []any {
			s := testkit.MatrixOf(d, n)
			return []any{make([]float32, s.Rows), make([]float32, s.Rows), make([]float32, s.Rows),
				drawnElements[Q](d, n), drawnElements[E](d, s.Elements()), s}
		},
		Call: func(a []any) {
			s := a[5].(testkit.Matrix)
			for k, call := range m.rows {
				call(a[k].([]float32), a[3].([]Q), a[4].([]E), s.Rows, s.Cols, s.Stride)
			}
		},
		Spec: func(a []any) {
			s := a[5].(testkit.Matrix)
			for k, one := range m.one {
				for i := range s.Rows {
					a[k].([]float32)[i] = one(a[3].([]Q), a[4].([]E)[i*s.Stride:][:s.Cols])
				}
			}
		},
		Writes: []int{0, 1, 2},
	}
}

func idsEntry[Q, E Element](name string, m metrics[Q, E]) entry {
	return entry{
		Name:    name,
		Lengths: manyLengths,
		Long:    noLengths,
		Args: func(d *draw, n int) []any {
			s := testkit.MatrixOf(d, n)
			ids := make([]int32, d.IntN(20)*min(1, s.Rows))
			for i := range ids {
				ids[i] = int32(d.IntN(s.Rows))
			}
			return []any{make([]float32, len(ids)), make([]float32, len(ids)), make([]float32, len(ids)),
				drawnElements[Q](d, n), drawnElements[E](d, s.Elements()), s, ids}
		},
		Call: func(a []any) {
			s := a[5].(testkit.Matrix)
			for k, call := range m.ids {
				call(a[k].([]float32), a[3].([]Q), a[4].([]E), s.Cols, s.Stride, a[6].([]int32))
			}
		},
		Spec: func(a []any) {
			s := a[5].(testkit.Matrix)
			for k, one := range m.one {
				for i, id := range a[6].([]int32) {
					a[k].([]float32)[i] = one(a[3].([]Q), a[4].([]E)[int(id)*s.Stride:][:s.Cols])
				}
			}
		},
		Writes: []int{0, 1, 2},
	}
}

func blockEntry[Q, E Element](name string, m metrics[Q, E]) entry {
	return entry{
		Name:    name,
		Lengths: manyLengths,
		Long:    noLengths,
		Args: func(d *draw, n int) []any {
			q, s := testkit.MatrixOf(d, n), testkit.MatrixOf(d, n)
			q.Rows = min(q.Rows, 9)
			return []any{make([]float32, q.Rows*s.Rows), make([]float32, q.Rows*s.Rows), make([]float32, q.Rows*s.Rows),
				drawnElements[Q](d, q.Elements()), drawnElements[E](d, s.Elements()), s, q}
		},
		Call: func(a []any) {
			s, q := a[5].(testkit.Matrix), a[6].(testkit.Matrix)
			for k, call := range m.block {
				call(a[k].([]float32), a[3].([]Q), q.Rows, q.Stride, a[4].([]E), s.Rows, s.Cols, s.Stride)
			}
		},
		Spec: func(a []any) {
			s, q := a[5].(testkit.Matrix), a[6].(testkit.Matrix)
			for k, one := range m.one {
				for i := range q.Rows {
					for j := range s.Rows {
						a[k].([]float32)[i*s.Rows+j] = one(a[3].([]Q)[i*q.Stride:][:q.Cols],
							a[4].([]E)[j*s.Stride:][:s.Cols])
					}
				}
			}
		},
		Writes: []int{0, 1, 2},
	}
}

var _ = register(
	rowsEntry("manyRowsF64", metricsF64), idsEntry("manyIDsF64", metricsF64), blockEntry("manyBlockF64", metricsF64),
	rowsEntry("dotRowsF32", metricsF32.only(dotMetric)), rowsEntry("l2RowsF32", metricsF32.only(l2Metric)),
	rowsEntry("cosineRowsF32", metricsF32.only(cosineMetric)), idsEntry("manyIDsF32", metricsF32),
	blockEntry("dotBlockF32", metricsF32.only(dotMetric)), blockEntry("l2BlockF32", metricsF32.only(l2Metric)),
	blockEntry("cosineBlockF32", metricsF32.only(cosineMetric)),
	rowsEntry("manyRowsF16", metricsF16), idsEntry("manyIDsF16", metricsF16), blockEntry("manyBlockF16", metricsF16),
	rowsEntry("manyRowsBF16", metricsB16), idsEntry("manyIDsBF16", metricsB16), blockEntry("manyBlockBF16", metricsB16),
	blockEntry("manyBlockF32F16", metricsF32F16), blockEntry("manyBlockF32BF16", metricsF32BF16),
	blockEntry("manyBlockF32I8", metricsF32I8), blockEntry("manyBlockF32U8", metricsF32U8),
	idsEntry("manyIDsF32BF16", metricsF32BF16), idsEntry("manyIDsF32I8", metricsF32I8),
	rowsEntry("manyRowsI8", metricsI8), idsEntry("manyIDsI8", metricsI8), blockEntry("manyBlockI8", metricsI8),
	rowsEntry("manyRowsU8", metricsU8), idsEntry("manyIDsU8", metricsU8), blockEntry("manyBlockU8", metricsU8),
)

var _ = register(entry{
	Name:    "cosinesF32",
	Lengths: manyLengths,
	Long:    noLengths,
	Args:    func(d *draw, n int) []any { return []any{d.F32s(n), abs(d.F32s(1)), abs(d.F32s(n))} },
	Call:    func(a []any) { cosinesF32(a[0].([]float32), a[1].([]float32)[0], a[2].([]float32)) },
	Spec: func(a []any) {
		for i, xy := range a[0].([]float32) {
			squared := float64(a[1].([]float32)[0]) * float64(a[2].([]float32)[i])
			a[0].([]float32)[i] = 0
			if squared != 0 {
				a[0].([]float32)[i] = float32(float64(xy) / math.Sqrt(squared))
			}
		}
	},
	Writes: []int{0},
}, entry{
	Name:    "fetch", // the address may be invalid: nothing happens
	Lengths: []int{1, 2, 15, 16, 17, 40},
	Long:    noLengths,
	Args:    func(d *draw, n int) []any { return []any{d.F32s(n)} },
	Call: func(a []any) {
		x := a[0].([]float32)
		fetch(unsafe.Pointer(unsafe.SliceData(x)), 4*len(x))
		fetch(nil, 100)
	},
	Spec: func([]any) {},
})

// abs changes the signs of negative numbers.
func abs(x []float32) []float32 {
	for i, v := range x {
		x[i] = float32(math.Abs(float64(v)))
	}
	return x
}

// Rows, ids and blocks of bits have the counts of HammingBits.
func TestManyHamming(t *testing.T) {
	d := testkit.NewDraw(21, 22, false)
	words := func(n int) []uint64 {
		s := make([]uint64, n)
		for i := range s {
			s[i] = d.Uint64()
		}
		return s
	}
	for _, tier := range cpu.Available() {
		t.Run(tier.String(), func(t *testing.T) {
			restore := cpu.Force(tier)
			for _, n := range []int{0, 1, 2, 7, 16, 33} {
				s, q := testkit.MatrixOf(d, n), testkit.MatrixOf(d, n)
				a, x := words(s.Elements()), words(q.Elements())
				block, rows, listed := make([]float32, q.Rows*s.Rows), make([]float32, s.Rows), make([]float32, s.Rows)
				ids := make([]int32, s.Rows)
				for i := range ids {
					ids[i] = int32(d.IntN(s.Rows))
				}
				HammingBlock(block, x, q.Rows, q.Stride, a, s.Rows, n, s.Stride)
				for i := range q.Rows {
					y := x[i*q.Stride:][:n]
					HammingRows(rows, y, a, s.Rows, n, s.Stride)
					HammingIDs(listed, y, a, n, s.Stride, ids)
					for j := range rows {
						want := float32(hammingSpec(y, a[j*s.Stride:][:n]))
						if rows[j] != want || block[i*s.Rows+j] != want || listed[j] != rows[ids[j]] {
							t.Fatalf("%d words, query %d, row %d: %v, %v and %v, want %v", n, i, j, rows[j],
								block[i*s.Rows+j], listed[j], want)
						}
					}
				}
			}
			restore()
		})
	}
}

// Blocks divide queries and rows. With any number of remaining queries or rows, results are
// bit-identical to the kernels of two vectors.
func TestManyCuts(t *testing.T) {
	d := testkit.NewDraw(23, 24, false)
	for _, c := range []struct{ queries, rows, cols int }{
		{65, 7, 33}, {2, 515, 9}, {3, 29, 200}, {5, 514, 1}, {67, 4, 5}, {13, 5, 1536}, {5, 21, 400}, {2, 33, 700},
	} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			checkBlocks(t, d, metricsF32, c.queries, c.rows, c.cols)
			checkBlocks(t, d, metricsF16, c.queries, c.rows, c.cols)
		})
	}
	if !testing.Short() {
		checkBlocks(t, d, metricsF32, 5, 4, 43_700) // one query more than fit in 1 MiB
	}
}

func checkBlocks[T Element](t *testing.T, d *draw, m metrics[T, T], queries, rows, cols int) {
	t.Helper()
	q, a := drawnElements[T](d, queries*cols), drawnElements[T](d, rows*cols)
	dst, want := make([]float32, queries*rows), make([]float32, queries*rows)
	for k, block := range m.block {
		for i := range want {
			want[i] = m.one[k](q[i/rows*cols:][:cols], a[i%rows*cols:][:cols])
		}
		for _, tier := range cpu.Available() {
			restore := cpu.Force(tier)
			block(dst, q, queries, cols, a, rows, cols, cols)
			restore()
			if i := testkit.Differs(dst, want); i >= 0 {
				t.Errorf("%v, metric %d, %d queries, %d rows, %d columns: query %d, row %d: %v, want %v", tier, k,
					queries, rows, cols, i/rows, i%rows, dst[i], want[i])
			}
		}
	}
}

// Dot products become the cosines of two vectors, also if there are more than a kernel accepts.
func TestCosines(t *testing.T) {
	const cols = 3
	d := testkit.NewDraw(25, 26, false)
	for _, n := range []int{0, 1, 7, 16, 37, kern.BlockLen + 5} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			q, a := d.F32s(cols), d.F32s(n*cols)
			dst, yy, want := make([]float32, n), make([]float32, n), make([]float32, n)
			for i := range yy {
				row := a[i*cols:][:cols]
				yy[i], want[i] = kernels.DotF32(row, row), CosineF32(q, row)
			}
			for _, tier := range cpu.Available() {
				restore := cpu.Force(tier)
				DotRows(dst, q, a, n, cols, cols)
				Cosines(dst, kernels.DotF32(q, q), yy)
				restore()
				if i := testkit.Differs(dst, want); i >= 0 {
					t.Errorf("%v: row %d: %v, want %v", tier, i, dst[i], want[i])
				}
			}
		})
	}
}

// A caller's arrays stay on the stack, although a generic kernel converts slices to interfaces.
func TestManyStack(t *testing.T) {
	if kern.Race {
		t.Skip("the race detector allocates")
	}
	if a := testing.AllocsPerRun(10, func() {
		var q [8]float32
		var a [64]float32
		var dst [64]float32
		ids := [4]int32{3, 1, 2, 0}
		DotRows(dst[:8], q[:], a[:], 8, 8, 8)
		L2IDs(dst[:4], q[:], a[:], 8, 8, ids[:])
		CosineBlock(dst[:], a[:], 8, 8, a[:], 8, 8, 8)
		var h [64]F16
		DotBlock(dst[:], h[:], 8, 8, h[:], 8, 8, 8)
	}); a != 0 {
		t.Errorf("%v allocations", a)
	}
}

// Invalid arguments panic before anything is computed, with the same message on every tier.
func TestManyArguments(t *testing.T) {
	dst, q, a := make([]float32, 6), make([]float32, 4), make([]float32, 22)
	for _, c := range []struct {
		want string
		call func()
	}{
		{"vectors: DotRows: len(dst) and rows differ: 6 and 5", func() { DotRows(dst, q, a, 5, 4, 4) }},
		{"vectors: L2Rows: len(q) and cols differ: 4 and 3", func() { L2Rows(dst, q, a, 6, 3, 4) }},
		{"vectors: CosineRows: stride is 3; it must be at least cols, 4", func() { CosineRows(dst, q, a, 6, 4, 3) }},
		{"vectors: DotRows: a has 22 elements, too few for 6 rows of 4 columns with stride 4",
			func() { DotRows(dst, q, a, 6, 4, 4) }},
		{"vectors: DotRows: dst overlaps q", func() { DotRows(dst, dst[:4], a, 6, 4, 4) }},
		{"vectors: DotRows: dst overlaps a", func() { DotRows(a[:5], q, a, 5, 4, 4) }},
		{"vectors: DotRows: no kernel for float32 queries and float64 rows",
			func() { DotRows(nil, q, []float64{}, 0, 4, 4) }},
		{"vectors: L2Rows: no kernel for uint8 queries and vectors.F16 rows",
			func() { L2Rows(nil, []uint8{}, []F16{}, 0, 0, 0) }},
		{"vectors: Cosines: len(dst) and len(yy) differ: 6 and 5", func() { Cosines(dst, 1, a[:5]) }},
		{"vectors: Cosines: dst overlaps yy", func() { Cosines(dst[:5], 1, dst[1:]) }},
		{"vectors: DotIDs: len(dst) and len(ids) differ: 6 and 1", func() { DotIDs(dst, q, a, 4, 4, []int32{0}) }},
		{"vectors: L2IDs: ID 5 is out of range: there are 5 rows",
			func() { L2IDs(dst[:3], q, a, 4, 4, []int32{4, 5, 6}) }},
		{"vectors: CosineIDs: ID -1 is out of range: there are 5 rows",
			func() { CosineIDs(dst[:2], q, a, 4, 4, []int32{0, -1}) }},
		{"vectors: DotIDs: ID 0 is out of range: there are 0 rows",
			func() { DotIDs(dst[:1], q, a[:3], 4, 4, []int32{0}) }},
		{"vectors: DotIDs: ID -1 is out of range: there are " + fmt.Sprint(math.MaxInt) + " rows",
			func() { DotIDs(dst[:1], q[:0], a[:0], 0, 0, []int32{-1}) }},
		{"vectors: DotBlock: len(dst) is 6; it must be queries·rows, 1·5",
			func() { DotBlock(dst, q, 1, 4, a, 5, 4, 4) }},
		{"vectors: L2Block: qstride is 3; it must be at least cols, 4", func() { L2Block(dst, a, 2, 3, a, 3, 4, 4) }},
		{"vectors: CosineBlock: q has 4 elements, too few for 2 queries of 4 elements with stride 4",
			func() { CosineBlock(dst, q, 2, 4, a, 3, 4, 4) }},
		{"vectors: DotBlock: queries, rows and cols must not be negative, but one is -1",
			func() { DotBlock(nil, q, -1, 4, a, 0, 4, 4) }},
		{"vectors: HammingRows: len(dst) and rows differ: 6 and 5", func() { HammingRows(dst, nil, nil, 5, 0, 0) }},
	} {
		t.Run(fmt.Sprintf("%.60s", c.want), func(t *testing.T) {
			for i := range dst {
				dst[i] = 7
			}
			for _, tier := range cpu.Available() {
				restore := cpu.Force(tier)
				if got := testkit.MustPanic(t, c.want, c.call); got != c.want {
					t.Errorf("%v: panic %q, want %q", tier, got, c.want)
				}
				restore()
			}
			for i, v := range dst {
				if v != 7 {
					t.Errorf("%s: dst[%d] was written", c.want, i)
				}
			}
		})
	}
	DotIDs(dst[:2], q[:0], a[:0], 0, 0, []int32{0, math.MaxInt32}) // there can be any number of rows without elements
	DotIDs(dst[:2], q, a, 4, 9, []int32{2, 2})
	DotBlock[float32, float32](nil, nil, math.MaxInt, 0, nil, 0, 0, 0) // and so are queries if there are no rows
	HammingBlock(nil, nil, math.MaxInt, 0, nil, 0, 0, 0)
}
