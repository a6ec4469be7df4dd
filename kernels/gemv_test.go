package kernels

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/simdrank/simdrank/internal/cpu"
	"github.com/simdrank/simdrank/internal/kern"
	"github.com/simdrank/simdrank/internal/testkit"
)

var gemvLong = []int{2047, 4097, kern.BlockLen + 33}

// gemvEntry uses the spec of a row: a dot product with x or, for the transpose, an axpy with an
// element of x.
func gemvEntry[A, X float32 | float64](name string, call func(dst, x []X, a []A, rows, cols, stride int),
	dot func(row []A, x []X) X, axpy func(c X, row []A, dst []X)) entry {
	args := func(d *draw, m testkit.Matrix) []any {
		in, out := m.Cols, m.Rows
		if axpy != nil {
			in, out = out, in
		}
		return []any{testkit.Drawn[X](d, out), testkit.Drawn[A](d, m.Elements()), m, testkit.Drawn[X](d, in)}
	}
	return entry{
		Name: name,
		Long: gemvLong,
		Args: func(d *draw, n int) []any { return args(d, testkit.MatrixOf(d, n)) },
		Cases: func() (cases [][]any) {
			d := testkit.NewDraw(13, 14, false)
			// only the first block, or with the shortest second one
			for _, n := range []int{kern.BlockLen, kern.BlockLen + 1} {
				cases = append(cases, args(d, testkit.Matrix{Rows: 1, Cols: n, Stride: n}))
			}
			return cases
		},
		Call: func(a []any) {
			m := a[2].(testkit.Matrix)
			call(a[0].([]X), a[3].([]X), a[1].([]A), m.Rows, m.Cols, m.Stride)
		},
		Spec: func(a []any) {
			dst, m, x := a[0].([]X), a[2].(testkit.Matrix), a[3].([]X)
			for i := range m.Rows {
				row := a[1].([]A)[i*m.Stride:][:m.Cols]
				if axpy != nil {
					axpy(x[i], row, dst)
				} else {
					dst[i] = dot(row, x)
				}
			}
		},
		Writes: []int{0},
	}
}

var _ = register(
	gemvEntry("GemvF64", GemvF64, testkit.DotSpecF64, nil),
	gemvEntry("GemvF32", GemvF32, testkit.DotSpecF32, nil),
	gemvEntry("GemvF32Wide", GemvF32Wide, dotSpecMixed, nil),
	gemvEntry("AddGemvTF64", AddGemvTF64, nil, func(c float64, row, dst []float64) { axpySpec(c, row, dst, math.FMA) }),
	gemvEntry("AddGemvTF32", AddGemvTF32, nil,
		func(c float32, row, dst []float32) { axpySpec(c, row, dst, testkit.FMAF32) }),
	gemvEntry("AddGemvTF32Wide", AddGemvTF32Wide, nil,
		func(c float64, row []float32, dst []float64) { axpySpec(c, testkit.Wide(row), dst, math.FMA) }),
	entry{
		Name: "SpmvF32Wide",
		Long: gemvLong,
		Args: func(d *draw, n int) []any {
			offsets, index, value := sparseOf(d, n)
			return []any{d.F64s(len(offsets) - 1), offsets, index, value, d.F64s(n)}
		},
		Call: func(a []any) {
			SpmvF32Wide(a[0].([]float64), a[4].([]float64), a[1].([]int), a[2].([]int32), a[3].([]float32))
		},
		Spec: func(a []any) {
			dst, offsets, x := a[0].([]float64), a[1].([]int), a[4].([]float64)
			for i := range dst {
				// The elements are at their indices, and the other indices do not take part.
				var sum float64
				for start := 0; start < len(x); start += kern.BlockLen {
					var lanes [32][]float64
					for k := offsets[i]; k < offsets[i+1]; k++ {
						j := int(a[2].([]int32)[k]) - start
						if 0 <= j && j < kern.BlockLen {
							lanes[j%32] = append(lanes[j%32], float64(a[3].([]float32)[k]), x[start+j])
						}
					}
					sum += laneSpec(lanes)
				}
				dst[i] = sum
			}
		},
		Writes: []int{0},
	},
	entry{
		Name: "AddSpmvTF32Wide",
		Long: gemvLong,
		Args: func(d *draw, n int) []any {
			offsets, index, value := sparseOf(d, n)
			return []any{d.F64s(n), offsets, index, value, d.F64s(len(offsets) - 1)}
		},
		Call: func(a []any) {
			AddSpmvTF32Wide(a[0].([]float64), a[4].([]float64), a[1].([]int), a[2].([]int32), a[3].([]float32))
		},
		Spec: func(a []any) {
			dst, offsets := a[0].([]float64), a[1].([]int)
			for i, c := range a[4].([]float64) {
				for k := offsets[i]; k < offsets[i+1]; k++ {
					j := a[2].([]int32)[k]
					dst[j] = math.FMA(c, float64(a[3].([]float32)[k]), dst[j])
				}
			}
		},
		Writes: []int{0},
	},
)

var _ = register(entry{
	Name: "NonzerosF32",
	Args: func(d *draw, n int) []any {
		row := d.F32s(n)
		for of, i := 1+d.IntN(30), 0; i < n; i++ {
			if d.IntN(of) > 0 {
				row[i] = float32(math.Copysign(0, d.Float64()-0.5))
			}
		}
		index := make([]int32, n)
		for i := range index {
			index[i] = -1
		}
		return []any{index, d.F32s(n), row, make([]int, 1)}
	},
	Call: func(a []any) {
		a[3].([]int)[0] = NonzerosF32(a[0].([]int32), a[1].([]float32), a[2].([]float32))
	},
	Spec: func(a []any) {
		n := 0
		for i, v := range a[2].([]float32) {
			if v != 0 {
				a[0].([]int32)[n], a[1].([]float32)[n] = int32(i), v
				n++
			}
		}
		a[3].([]int)[0] = n
	},
	Writes: []int{0, 1, 3},
})

// sparseOf returns a random sparse matrix with n columns: any number of rows, some of them empty,
// some full.
func sparseOf(d *draw, n int) (offsets []int, index []int32, value []float32) {
	rows, skip := d.IntN(20), d.IntN(3)
	if n > 1000 {
		rows = d.IntN(3)
	}
	index, value = make([]int32, skip), d.F32s(skip)
	offsets = []int{skip}
	for range rows {
		if of := d.IntN(12); of > 0 {
			for j := range n {
				if d.IntN(of) == 0 {
					index, value = append(index, int32(j)), append(value, d.F32())
				}
			}
		}
		offsets = append(offsets, len(index))
	}
	return offsets, index, value
}

// laneSpec is dotSpec of the factors in each lane, plus 0.
func laneSpec(lanes [32][]float64) float64 {
	var x, y []float64
	longest := 0
	for _, l := range lanes {
		longest = max(longest, len(l)/2)
	}
	for k := range longest {
		for _, l := range lanes {
			// A lane without an element acts as −0.
			factors := [2]float64{math.Copysign(0, -1), 1}
			if 2*k < len(l) {
				factors = [2]float64{l[2*k], l[2*k+1]}
			}
			x, y = append(x, factors[0]), append(y, factors[1])
		}
	}
	return testkit.DotSpec(x, y, 8, math.FMA) + 0
}

// Gemv on the dense matrix is bit-identical.
func TestSpmvAsGemv(t *testing.T) {
	d := testkit.NewDraw(9, 10, false)
	for _, n := range []int{1, 31, 136, 1000, kern.BlockLen + 100, 2*kern.BlockLen + 7} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			offsets, index, value := sparseOf(d, n)
			rows := len(offsets) - 1
			a := make([]float32, rows*n)
			for i := range rows {
				for k := offsets[i]; k < offsets[i+1]; k++ {
					a[i*n+int(index[k])] = value[k]
				}
			}
			for _, tier := range cpu.Available() {
				restore := cpu.Force(tier)
				x, want, got := d.F64s(n), make([]float64, rows), make([]float64, rows)
				GemvF32Wide(want, x, a, rows, n, n)
				SpmvF32Wide(got, x, offsets, index, value)
				c, wantT, gotT := d.F64s(rows), d.F64s(n), make([]float64, n)
				copy(gotT, wantT)
				AddGemvTF32Wide(wantT, c, a, rows, n, n)
				AddSpmvTF32Wide(gotT, c, offsets, index, value)
				restore()
				if !slices.Equal(got, want) || !slices.Equal(gotT, wantT) { // −0 equals 0
					t.Errorf("%v: sparse and dense differ", tier)
				}
			}
		})
	}
}

// The padding between rows is not used.
func TestGemvPadding(t *testing.T) {
	const rows, stride = 11, 80
	nan := math.NaN()
	for cols := 1; cols <= stride; cols++ {
		a64, a32 := make([]float64, rows*stride), make([]float32, rows*stride)
		for i := range a64 {
			a64[i], a32[i] = 1, 1
			if i%stride >= cols {
				a64[i], a32[i] = nan, float32(nan)
			}
		}
		x64, x32, c64, c32 := make([]float64, cols), make([]float32, cols), make([]float64, rows), make([]float32, rows)
		for i := range x64 {
			x64[i], x32[i] = 1, 1
		}
		for i := range c64 {
			c64[i], c32[i] = 1, 1
		}
		for _, tier := range cpu.Available() {
			restore := cpu.Force(tier)
			d64, d32, dw := make([]float64, rows), make([]float32, rows), make([]float64, rows)
			GemvF64(d64, x64, a64, rows, cols, stride)
			GemvF32(d32, x32, a32, rows, cols, stride)
			GemvF32Wide(dw, x64, a32, rows, cols, stride)
			for i := range d64 {
				if want := float64(cols); d64[i] != want || d32[i] != float32(want) || dw[i] != want {
					t.Fatalf("%v, cols = %d: row %d sums to %v, %v, %v", tier, cols, i, d64[i], d32[i], dw[i])
				}
			}
			d64, d32, dw = make([]float64, cols), make([]float32, cols), make([]float64, cols)
			AddGemvTF64(d64, c64, a64, rows, cols, stride)
			AddGemvTF32(d32, c32, a32, rows, cols, stride)
			AddGemvTF32Wide(dw, c64, a32, rows, cols, stride)
			for i := range d64 {
				if d64[i] != rows || d32[i] != rows || dw[i] != rows {
					t.Fatalf("%v, cols = %d: column %d sums to %v, %v, %v", tier, cols, i, d64[i], d32[i], dw[i])
				}
			}
			restore()
		}
	}
}

// Rows that do not fit in registers, with tails of every length, are bit-identical to the dot
// product. The matrices are in every level of the caches. Matrices of the wide kernels and of the
// transposes are also followed by enough data to be treated as in L3 or memory. Shorter rows with
// gaps between them are tested, too.
func TestGemvLongRows(t *testing.T) {
	if testkit.PlainAlone() {
		t.Skip("plain Go takes rows of any length the same way")
	}
	gemvLongRows(t, cpu.Available())
}

// The same for every kind of processor with AVX-512.
func TestGemvLongRowsCores(t *testing.T) {
	if kern.Race || !slices.Contains(cpu.Available(), cpu.AVX512) {
		t.Skip("no AVX-512 here, or the race detector, which sees the same")
	}
	for _, core := range cpu.Cores() {
		t.Run(core.String(), func(t *testing.T) {
			restore := cpu.ForceCore(core)
			gemvLongRows(t, []cpu.Tier{cpu.AVX512})
			restore()
		})
	}
}

func gemvLongRows(t *testing.T, tiers []cpu.Tier) {
	d := testkit.NewDraw(11, 12, false)
	followed, followed64 := make([]float32, 8<<20), make([]float64, 3<<20)
	check := func(rows, cols, stride int) {
		a64, x64, a32, x32 := d.F64s(rows*stride), d.F64s(cols), d.F32s(rows*stride), d.F32s(cols)
		c, dt := d.F64s(rows), d.F64s(cols)
		wantT, wantT64, wantT32 := slices.Clone(dt), slices.Clone(dt), narrow(dt)
		addGemvTF32WideGeneric(wantT, a32, rows, cols, stride, c)
		addGemvTF64Generic(wantT64, a64, rows, cols, stride, c)
		addGemvTF32Generic(wantT32, a32, rows, cols, stride, narrow(c))
		copy(followed, a32)
		copy(followed64, a64)
		for _, tier := range tiers {
			restore := cpu.Force(tier)
			d64, d32, dw := make([]float64, rows), make([]float32, rows), make([]float64, rows)
			GemvF64(d64, x64, a64, rows, cols, stride)
			GemvF32(d32, x32, a32, rows, cols, stride)
			for _, a := range [][]float64{followed64, a64} {
				t64 := slices.Clone(dt)
				AddGemvTF64(t64, c, a, rows, cols, stride)
				if j := testkit.Differs(t64, wantT64); j >= 0 {
					t.Errorf("AddGemvTF64, %v, %d of %d elements in rows of %d, column %d: %v, want %v", tier,
						rows*stride, len(a), cols, j, t64[j], wantT64[j])
				}
			}
			for _, a := range [][]float32{followed, followed[:1<<19], a32} {
				t32 := narrow(dt)
				AddGemvTF32(t32, narrow(c), a, rows, cols, stride)
				if j := testkit.Differs(t32, wantT32); j >= 0 {
					t.Errorf("AddGemvTF32, %v, %d of %d elements in rows of %d, column %d: %v, want %v", tier,
						rows*stride, len(a), cols, j, t32[j], wantT32[j])
				}
				dt := slices.Clone(dt)
				AddGemvTF32Wide(dt, c, a, rows, cols, stride)
				if j := testkit.Differs(dt, wantT); j >= 0 {
					t.Errorf("AddGemvTF32Wide, %v, %d of %d elements in rows of %d, column %d: %v, want %v", tier,
						rows*stride, len(a), cols, j, dt[j], wantT[j])
				}
				GemvF32Wide(dw, x64, a, rows, cols, stride)
				for i := range rows {
					if want := dotF64Generic(testkit.Wide(a32[i*stride:][:cols]),
						x64); math.Float64bits(dw[i]) != math.Float64bits(want) {
						t.Errorf("GemvF32Wide, %v, %d of %d elements in rows of %d, row %d: %v, want %v", tier,
							rows*stride, len(a), cols, i, dw[i], want)
					}
				}
			}
			restore()
			for i := range rows {
				row64, row32 := a64[i*stride:][:cols], a32[i*stride:][:cols]
				if want := dotF64Generic(row64, x64); math.Float64bits(d64[i]) != math.Float64bits(want) {
					t.Errorf("GemvF64, %v, %d columns, row %d: %v, want %v", tier, cols, i, d64[i], want)
				}
				if want := dotF32Generic(row32, x32); math.Float32bits(d32[i]) != math.Float32bits(want) {
					t.Errorf("GemvF32, %v, %d columns, row %d: %v, want %v", tier, cols, i, d32[i], want)
				}
			}
		}
	}
	for cols := 220; cols < 620; cols += 1 + cols%3 {
		check(11, cols, cols)
	}
	check(403, 46, 46) // more than gemvL1 bytes
	check(403, 100, 100)
	check(101, 181, 181) // more than addGemvTSplit columns
	check(245, 137, 137)
	// Rows with gaps, of every width that fits in registers: more than gemvL1 bytes without the
	// gaps, and three times that.
	for cols := 5; cols <= 221; cols += 8 {
		check(48<<10/4/cols+1, cols, cols+19)
		check(144<<10/4/cols+1, cols, cols+19)
	}
	// float64 fills more than a call of 1 MiB, and float32 most of one
	for _, cols := range []int{680, 684, 692, 700} {
		check(250_000/cols, cols, cols)
	}
}
