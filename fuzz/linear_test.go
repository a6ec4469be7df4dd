package fuzz

import (
	"encoding/binary"
	"math"
	"testing"
	"unsafe"

	"github.com/simdrank/simdrank/kernels"
)

// linearSeeds adds vectors of ordinary, special and cancelling numbers of so many
// bytes each: a whole round of lanes and more, odd lengths, and none.
func linearSeeds(f *testing.F, size int) {
	number := func(d []byte, v float64) []byte {
		if size == 8 {
			return binary.LittleEndian.AppendUint64(d, math.Float64bits(v))
		}
		return binary.LittleEndian.AppendUint32(d, math.Float32bits(float32(v)))
	}
	wild := []float64{0, math.Copysign(0, -1), 1, -1, math.Inf(1), math.NaN(), 1e-310, -1e-40, 1e300, -3e38, 5e-200, 7e-30}
	var plain, special, cancelling []byte
	for i := range 170 {
		plain = number(plain, float64(i*37%101)/7-6)
		special = number(special, wild[i*7%len(wild)])
		cancelling = number(cancelling, math.Ldexp(float64(1-2*(i&1)), i/2%50))
	}
	for i, d := range [][]byte{nil, plain[:size], plain[:31*size], plain, special, special[:97*size], cancelling, cancelling[:66*size]} {
		f.Add(d, uint8(i*25), uint8(i*i*3))
	}
}

// float64s decodes the bits of numbers into a slice that starts skip mod 8 elements
// after an allocation does.
func float64s(data []byte, skip uint8) []float64 {
	v := make([]float64, skip%8, len(data)/8+8)
	for ; len(data) >= 8; data = data[8:] {
		v = append(v, math.Float64frombits(binary.LittleEndian.Uint64(data)))
	}
	return v[skip%8:]
}

func float32s(data []byte, skip uint8) []float32 {
	v := make([]float32, skip%16, len(data)/4+16)
	for ; len(data) >= 4; data = data[4:] {
		v = append(v, math.Float32frombits(binary.LittleEndian.Uint32(data)))
	}
	return v[skip%16:]
}

type number interface{ float32 | float64 }

// numbers is float64s or float32s.
func numbers[T number](data []byte, skip uint8) []T {
	if v, ok := any(float64s(data, skip)).([]T); ok {
		return v
	}
	return any(float32s(data, skip)).([]T)
}

// widened returns the numbers as float64, which keeps their bits apart.
func widened[T number](x ...T) []float64 {
	w := make([]float64, len(x))
	for i, v := range x {
		w[i] = float64(v)
	}
	return w
}

func clone[T any](x []T) []T { return append([]T(nil), x...) }

// A shape cuts numbers into a matrix of cols columns, padded rows, and what is left.
type shape struct{ rows, cols, stride int }

func shapeOf(n int, cols, pad uint8) shape {
	s := shape{cols: int(cols), stride: int(cols) + int(pad%9)}
	if s.cols > 0 && n >= s.cols {
		s.rows = (n-s.cols)/s.stride + 1
	}
	return s
}

func fuzzDot[T, S number](f *testing.F, name string, kernel func(x, y []T) S) {
	linearSeeds(f, int(unsafe.Sizeof(T(0))))
	f.Fuzz(func(t *testing.T, data []byte, skip, _ uint8) {
		v := numbers[T](data, skip)
		n := len(v) / 2
		checkTiers(t, name, func() []float64 { return widened(kernel(v[:n], v[len(v)-n:])) })
	})
}

func FuzzDotF64(f *testing.F)     { fuzzDot(f, "DotF64", kernels.DotF64) }
func FuzzDotF32(f *testing.F)     { fuzzDot(f, "DotF32", kernels.DotF32) }
func FuzzDotF32Wide(f *testing.F) { fuzzDot(f, "DotF32Wide", kernels.DotF32Wide) }

// fuzzAxpy passes a second vector for kernels of a difference.
func fuzzAxpy[T number](f *testing.F, name string, kernel func(alpha T, x, b, y []T)) {
	linearSeeds(f, int(unsafe.Sizeof(T(0))))
	f.Fuzz(func(t *testing.T, data []byte, skip, _ uint8) {
		v := numbers[T](data, skip)
		if len(v) == 0 {
			return
		}
		alpha, v := v[0], v[1:]
		n := len(v) / 3
		checkTiers(t, name, func() []float64 {
			y := clone(v[2*n : 3*n])
			kernel(alpha, v[:n], v[n:2*n], y)
			return widened(y...)
		})
	})
}

func FuzzAxpyF64(f *testing.F) {
	fuzzAxpy(f, "AxpyF64", func(alpha float64, x, _, y []float64) { kernels.AxpyF64(alpha, x, y) })
}

func FuzzAxpyF32(f *testing.F) {
	fuzzAxpy(f, "AxpyF32", func(alpha float32, x, _, y []float32) { kernels.AxpyF32(alpha, x, y) })
}

func FuzzAxpyDiffF64(f *testing.F) { fuzzAxpy(f, "AxpyDiffF64", kernels.AxpyDiffF64) }
func FuzzAxpyDiffF32(f *testing.F) { fuzzAxpy(f, "AxpyDiffF32", kernels.AxpyDiffF32) }

// fuzzGemv makes the vector from the first numbers, or the last where the matrix is transposed.
func fuzzGemv[A, X number](f *testing.F, name string, transposed bool, kernel func(dst []X, a []A, rows, cols, stride int, x []X)) {
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
				v[i] = X(float64(from[i]) / 3) // as many bits as the type has
			}
			return v
		}
		checkTiers(t, name, func() []float64 {
			dst, x := make([]X, s.rows), vector(a[:s.cols])
			if transposed {
				dst, x = vector(a[len(a)-s.cols:]), vector(a[:s.rows])
			}
			kernel(dst, a, s.rows, s.cols, s.stride, x)
			return widened(dst...)
		})
	})
}

func FuzzGemvF64(f *testing.F)      { fuzzGemv(f, "GemvF64", false, kernels.GemvF64) }
func FuzzGemvF32(f *testing.F)      { fuzzGemv(f, "GemvF32", false, kernels.GemvF32) }
func FuzzGemvF32Wide(f *testing.F)  { fuzzGemv(f, "GemvF32Wide", false, kernels.GemvF32Wide) }
func FuzzGemvTF64(f *testing.F)     { fuzzGemv(f, "GemvTF64", true, kernels.GemvTF64) }
func FuzzGemvTF32(f *testing.F)     { fuzzGemv(f, "GemvTF32", true, kernels.GemvTF32) }
func FuzzGemvTF32Wide(f *testing.F) { fuzzGemv(f, "GemvTF32Wide", true, kernels.GemvTF32Wide) }

// sparse cuts numbers into a CSR matrix of cols columns and a vector as long as the longer side of it: each row takes
// as many elements as its turn says, in ascending columns.
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
			kernels.SpmvF32Wide(dst, offsets, index, value, x)
			return dst
		})
	})
}

func FuzzSpmvTF32Wide(f *testing.F) {
	linearSeeds(f, 4)
	f.Fuzz(func(t *testing.T, data []byte, cols, seed uint8) {
		v := float32s(data, seed)
		offsets, index, value := sparse(v, cols, seed)
		c := make([]float64, len(offsets)-1)
		for i := range c {
			c[i] = float64(v[i*5%len(v)]) / 3
		}
		checkTiers(t, "SpmvTF32Wide", func() []float64 {
			dst := make([]float64, cols)
			kernels.SpmvTF32Wide(dst, offsets, index, value, c)
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
