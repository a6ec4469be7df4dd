package vectors

import (
	"fmt"
	"slices"
	"testing"

	"github.com/simdrank/simdrank/internal/cpu"
	"github.com/simdrank/simdrank/internal/kern"
	"github.com/simdrank/simdrank/internal/testkit"
)

// Shapes at the edges of panels: sixteen vectors, 256 and 512 bytes, 32 queries and 64 rows. If
// four are processed at a time, every number of remaining queries and rows occurs. Smaller shapes
// are tested with the kernels of many vectors.
var blockShapes = [][3]int{ // queries, rows, bytes
	{2, 256, 1}, {33, 17, 31}, {2, 257, 16}, {17, 65, 64}, {3, 171, 15}, {5, 110, 104}, {16, 33, 248}, {17, 32, 256},
	{18, 30, 264}, {2, 256, 504}, {17, 33, 520}, {9, 67, 1100}, {35, 16, 513},
}

var blockNumbers = func() (n []int) {
	for i := range blockShapes {
		n = append(n, i)
	}
	return n
}()

// blockMatrices returns the shapes of queries and rows, for elements of the given size.
func blockMatrices(n, size int) (q, a testkit.Matrix) {
	shape := blockShapes[n%len(blockShapes)]
	cols := (shape[2] + size - 1) / size
	q = testkit.Matrix{Rows: shape[0], Cols: cols, Stride: cols + n%4}
	return q, testkit.Matrix{Rows: shape[1], Cols: cols, Stride: cols + n%3}
}

func panelsEntry[T int8 | uint8](name string, m metrics[T, T]) entry {
	e := blockEntry(name, m)
	e.Lengths = blockNumbers
	e.Args = func(d *draw, n int) []any {
		q, a := blockMatrices(n, 1)
		results := q.Rows * a.Rows
		return []any{make([]float32, results), make([]float32, results), make([]float32, results),
			drawnElements[T](d, q.Elements()), drawnElements[T](d, a.Elements()), a, q}
	}
	return e
}

var _ = register(
	panelsEntry("blockI8", metricsI8),
	panelsEntry("blockU8", metricsU8),
	entry{
		Name:    "blockBits",
		Lengths: blockNumbers,
		Long:    noLengths,
		Args: func(d *draw, n int) []any {
			q, a := blockMatrices(n, 8)
			words := make([]uint64, q.Elements()+a.Elements())
			for i := range words {
				words[i] = d.Uint64()
			}
			return []any{make([]float32, q.Rows*a.Rows), words[:q.Elements()], words[q.Elements():], q, a}
		},
		Call: func(args []any) {
			q, a := args[3].(testkit.Matrix), args[4].(testkit.Matrix)
			HammingBlock(args[0].([]float32), args[1].([]uint64), q.Rows, q.Stride, args[2].([]uint64), a.Rows, a.Cols,
				a.Stride)
		},
		Spec: func(args []any) {
			q, a := args[3].(testkit.Matrix), args[4].(testkit.Matrix)
			for i := range args[0].([]float32) {
				x, y := args[1].([]uint64)[i/a.Rows*q.Stride:], args[2].([]uint64)[i%a.Rows*a.Stride:]
				args[0].([]float32)[i] = float32(hammingSpec(x[:q.Cols], y[:a.Cols]))
			}
		},
		Writes: []int{0},
	},
)

// Vectors of extreme bytes: the longest ones that panels support, and some with sums beyond an
// int32.
func TestBlocksLong(t *testing.T) {
	testBlocksLong(t, metricsI8)
	testBlocksLong(t, metricsU8)
}

func testBlocksLong[T int8 | uint8](t *testing.T, m metrics[T, T]) {
	const queries, rows = 32, 16
	lengths := []int{600, 1 << 15, 33 << 10} // 33<<10·255² exceeds an int32
	if testing.Short() || kern.Race {
		lengths = lengths[:1] // longer vectors access no other memory, but have larger sums
	}
	for _, cols := range lengths {
		low, high := extremes[T](cols)
		pairs := slices.Concat(low, high, high, low)
		q, a := slices.Repeat(pairs, queries/4), slices.Repeat(pairs, rows/4)
		for k, one := range m.one {
			want := make([]float32, 4*4)
			for i := range want {
				want[i] = one(q[i/4*cols:][:cols], a[i%4*cols:][:cols])
			}
			for _, tier := range cpu.Available() {
				restore := cpu.Force(tier)
				got := make([]float32, queries*rows)
				m.block[k](got, q, queries, cols, a, rows, cols, cols)
				restore()
				for i, v := range got {
					if w := want[i/rows%4*4+i%rows%4]; v != w {
						t.Fatalf("%v, %d columns, metric %d, query %d, row %d: %v, want %v", tier, cols, k, i/rows,
							i%rows, v, w)
					}
				}
			}
		}
	}
}

// More queries than the kernels of any tier process at a time, and not a multiple of that.
func TestBlocksQueries(t *testing.T) {
	const queries, rows, cols = 131, 18, 40
	d := testkit.NewDraw(17, 0, false)
	q, a := drawnElements[int8](d, queries*cols), drawnElements[int8](d, rows*cols)
	for _, tier := range cpu.Available() {
		t.Run(tier.String(), func(t *testing.T) {
			restore := cpu.Force(tier)
			l2, cosines := make([]float32, queries*rows), make([]float32, queries*rows)
			L2Block(l2, q, queries, cols, a, rows, cols, cols)
			CosineBlock(cosines, q, queries, cols, a, rows, cols, cols)
			restore()
			for i := range l2 {
				x, y := q[i/rows*cols:][:cols], a[i%rows*cols:][:cols]
				if w, v := float32(l2I8Generic(x, y)), cosineI8Generic(x, y); l2[i] != w || cosines[i] != v {
					t.Fatalf("query %d, row %d: %v and %v, want %v and %v", i/rows, i%rows, l2[i], cosines[i],
						w, v)
				}
			}
		})
	}
}

// A processor without the features that panels require returns the same bits.
func TestBlocksWithoutFeatures(t *testing.T) {
	for _, e := range table {
		t.Run(e.Name, func(t *testing.T) {
			if len(e.Lengths) == 0 || &e.Lengths[0] != &blockNumbers[0] {
				return
			}
			for _, n := range blockNumbers {
				args := e.Args(testkit.NewDraw(13, uint64(n), false), n)
				e.Spec(args)
				want := fmt.Sprint(args[:len(e.Writes)])
				for _, tier := range cpu.Available() {
					restore := cpu.ForceWithoutFeatures(tier)
					e.Call(args)
					restore()
					if fmt.Sprint(args[:len(e.Writes)]) != want {
						t.Errorf("%v, shape %d: not the bits of the specification", tier, n)
					}
				}
			}
		})
	}
}
