package fuzz

import (
	"testing"
	"unsafe"

	"github.com/simdrank/simdrank/kernels"
)

// A shape splits numbers into a matrix with cols columns and padded rows, and a rest.
type shape struct{ rows, cols, stride int }

func shapeOf(n int, cols, pad uint8) shape {
	s := shape{cols: int(cols), stride: int(cols) + int(pad%9)}
	if s.cols > 0 && n >= s.cols {
		s.rows = (n-s.cols)/s.stride + 1
	}
	return s
}

// fuzzGemv uses the first numbers as the vector or, for a transposed matrix, the last ones.
func fuzzGemv[A, X number](f *testing.F, name string, transposed bool,
	kernel func(dst, x []X, a []A, rows, cols, stride int)) {
	linearSeeds(f, int(unsafe.Sizeof(A(0))))
	f.Fuzz(func(t *testing.T, data []byte, cols, pad uint8) {
		a := numbers[A](data, pad)
		s := shapeOf(len(a), cols, pad)
		if s.rows == 0 {
			return
		}
		vector := func(from []A) []X {
			v := make([]X, int(cols%16)+len(from))[cols%16:]
			for i := range v {
				v[i] = X(float64(from[i]) / 3) // uses all bits of the type
			}
			return v
		}
		checkTiers(t, name, func() []float64 {
			dst, x := make([]X, s.rows), vector(a[:s.cols])
			if transposed {
				dst, x = vector(a[len(a)-s.cols:]), vector(a[:s.rows])
			}
			kernel(dst, x, a, s.rows, s.cols, s.stride)
			return widened(dst...)
		})
	})
}

func FuzzGemvF64(f *testing.F)         { fuzzGemv(f, "GemvF64", false, kernels.GemvF64) }
func FuzzGemvF32(f *testing.F)         { fuzzGemv(f, "GemvF32", false, kernels.GemvF32) }
func FuzzGemvF32Wide(f *testing.F)     { fuzzGemv(f, "GemvF32Wide", false, kernels.GemvF32Wide) }
func FuzzAddGemvTF64(f *testing.F)     { fuzzGemv(f, "AddGemvTF64", true, kernels.AddGemvTF64) }
func FuzzAddGemvTF32(f *testing.F)     { fuzzGemv(f, "AddGemvTF32", true, kernels.AddGemvTF32) }
func FuzzAddGemvTF32Wide(f *testing.F) { fuzzGemv(f, "AddGemvTF32Wide", true, kernels.AddGemvTF32Wide) }

// sparse splits numbers into a CSR matrix with cols columns and a vector as long as its longer
// side. The row number determines the number of elements in a row. Columns are ascending.
func sparse(v []float32, cols, seed uint8) (offsets []int, index []int32, value []float32) {
	offsets = []int{0}
	if cols == 0 {
		return offsets, nil, nil
	}
	for k := 0; k < len(v); {
		step := 1 + (int(seed)+len(offsets)*7)%11
		for j := (len(offsets) * 5) % int(cols); j < int(cols) && k < len(v); j += step {
			index, value = append(index, int32(j)), append(value, v[k])
			k++
		}
		offsets = append(offsets, len(index))
	}
	return offsets, index, value
}

func FuzzSpmvF32Wide(f *testing.F) {
	linearSeeds(f, 4)
	f.Fuzz(func(t *testing.T, data []byte, cols, seed uint8) {
		v := float32s(data, seed)
		offsets, index, value := sparse(v, cols, seed)
		x := make([]float64, cols)
		for j := range x {
			x[j] = float64(j) - 3.7
			if len(v) > 0 {
				x[j] = float64(v[j*3%len(v)]) / 3
			}
		}
		checkTiers(t, "SpmvF32Wide", func() []float64 {
			dst := make([]float64, len(offsets)-1)
			kernels.SpmvF32Wide(dst, x, offsets, index, value)
			return dst
		})
	})
}

func FuzzAddSpmvTF32Wide(f *testing.F) {
	linearSeeds(f, 4)
	f.Fuzz(func(t *testing.T, data []byte, cols, seed uint8) {
		v := float32s(data, seed)
		offsets, index, value := sparse(v, cols, seed)
		c := make([]float64, len(offsets)-1)
		for i := range c {
			c[i] = float64(v[i*5%len(v)]) / 3
		}
		checkTiers(t, "AddSpmvTF32Wide", func() []float64 {
			dst := make([]float64, cols)
			kernels.AddSpmvTF32Wide(dst, c, offsets, index, value)
			return dst
		})
	})
}

func FuzzNonzerosF32(f *testing.F) {
	linearSeeds(f, 4)
	f.Fuzz(func(t *testing.T, data []byte, skip, keep uint8) {
		row := float32s(data, skip)
		for i := range row {
			if keep>>(i%8)&1 == 0 {
				row[i] = 0
			}
		}
		checkTiers(t, "NonzerosF32", func() []float64 {
			index, value := make([]int32, len(row)), make([]float32, len(row))
			out := []float64{float64(kernels.NonzerosF32(index, value, row))}
			for i, j := range index {
				out = append(out, float64(j), float64(value[i]))
			}
			return out
		})
	})
}
