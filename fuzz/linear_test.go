package fuzz

import (
	"encoding/binary"
	"math"
	"testing"

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
		plain = number(plain, float64(i*37%101)/16-3)
		special = number(special, wild[i*7%len(wild)])
		cancelling = number(cancelling, math.Ldexp(float64(1-2*(i&1)), i/2%50))
	}
	for i, d := range [][]byte{nil, plain[:size], plain[:31*size], plain, special, special[:97*size], cancelling, cancelling[:66*size]} {
		f.Add(d, uint8(i*5), uint8(i*i*3))
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

// widened returns the numbers as float64, which keeps their bits apart.
func widened(x ...float32) []float64 {
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

func FuzzDotF64(f *testing.F) {
	linearSeeds(f, 8)
	f.Fuzz(func(t *testing.T, data []byte, skip, _ uint8) {
		v := float64s(data, skip)
		n := len(v) / 2
		checkTiers(t, "DotF64", func() []float64 { return []float64{kernels.DotF64(v[:n], v[len(v)-n:])} })
	})
}

func FuzzDotF32(f *testing.F) {
	linearSeeds(f, 4)
	f.Fuzz(func(t *testing.T, data []byte, skip, _ uint8) {
		v := float32s(data, skip)
		n := len(v) / 2
		checkTiers(t, "DotF32", func() []float64 { return widened(kernels.DotF32(v[:n], v[len(v)-n:])) })
	})
}

func FuzzDotF32Wide(f *testing.F) {
	linearSeeds(f, 4)
	f.Fuzz(func(t *testing.T, data []byte, skip, _ uint8) {
		v := float32s(data, skip)
		n := len(v) / 2
		checkTiers(t, "DotF32Wide", func() []float64 { return []float64{kernels.DotF32Wide(v[:n], v[len(v)-n:])} })
	})
}

func FuzzAxpyF64(f *testing.F) {
	linearSeeds(f, 8)
	f.Fuzz(func(t *testing.T, data []byte, skip, _ uint8) {
		v := float64s(data, skip)
		if len(v) == 0 {
			return
		}
		alpha, v := v[0], v[1:]
		n := len(v) / 2
		checkTiers(t, "AxpyF64", func() []float64 {
			y := clone(v[len(v)-n:])
			kernels.AxpyF64(alpha, v[:n], y)
			return y
		})
	})
}

func FuzzAxpyF32(f *testing.F) {
	linearSeeds(f, 4)
	f.Fuzz(func(t *testing.T, data []byte, skip, _ uint8) {
		v := float32s(data, skip)
		if len(v) == 0 {
			return
		}
		alpha, v := v[0], v[1:]
		n := len(v) / 2
		checkTiers(t, "AxpyF32", func() []float64 {
			y := clone(v[len(v)-n:])
			kernels.AxpyF32(alpha, v[:n], y)
			return widened(y...)
		})
	})
}

func FuzzAxpyDiffF64(f *testing.F) {
	linearSeeds(f, 8)
	f.Fuzz(func(t *testing.T, data []byte, skip, _ uint8) {
		v := float64s(data, skip)
		if len(v) == 0 {
			return
		}
		alpha, v := v[0], v[1:]
		n := len(v) / 3
		checkTiers(t, "AxpyDiffF64", func() []float64 {
			y := clone(v[2*n : 3*n])
			kernels.AxpyDiffF64(alpha, v[:n], v[n:2*n], y)
			return y
		})
	})
}

func FuzzAxpyDiffF32(f *testing.F) {
	linearSeeds(f, 4)
	f.Fuzz(func(t *testing.T, data []byte, skip, _ uint8) {
		v := float32s(data, skip)
		if len(v) == 0 {
			return
		}
		alpha, v := v[0], v[1:]
		n := len(v) / 3
		checkTiers(t, "AxpyDiffF32", func() []float64 {
			y := clone(v[2*n : 3*n])
			kernels.AxpyDiffF32(alpha, v[:n], v[n:2*n], y)
			return widened(y...)
		})
	})
}

func FuzzGemvF64(f *testing.F) {
	linearSeeds(f, 8)
	f.Fuzz(func(t *testing.T, data []byte, cols, pad uint8) {
		a := float64s(data, pad)
		s := shapeOf(len(a), cols, pad)
		x := float64s(data, cols)[:min(s.cols, len(a))]
		checkTiers(t, "GemvF64", func() []float64 {
			dst := make([]float64, s.rows)
			if s.rows > 0 {
				kernels.GemvF64(dst, a, s.rows, s.cols, s.stride, x)
			}
			return dst
		})
	})
}

func FuzzGemvF32(f *testing.F) {
	linearSeeds(f, 4)
	f.Fuzz(func(t *testing.T, data []byte, cols, pad uint8) {
		a := float32s(data, pad)
		s := shapeOf(len(a), cols, pad)
		x := float32s(data, cols)[:min(s.cols, len(a))]
		checkTiers(t, "GemvF32", func() []float64 {
			dst := make([]float32, s.rows)
			if s.rows > 0 {
				kernels.GemvF32(dst, a, s.rows, s.cols, s.stride, x)
			}
			return widened(dst...)
		})
	})
}

func FuzzGemvF32Wide(f *testing.F) {
	linearSeeds(f, 4)
	f.Fuzz(func(t *testing.T, data []byte, cols, pad uint8) {
		a := float32s(data, pad)
		s := shapeOf(len(a), cols, pad)
		x := widened(a[:min(s.cols, len(a))]...)
		for j := range x {
			x[j] *= 1 + 0x1p-40 // bits that float32 does not have
		}
		checkTiers(t, "GemvF32Wide", func() []float64 {
			dst := make([]float64, s.rows)
			if s.rows > 0 {
				kernels.GemvF32Wide(dst, a, s.rows, s.cols, s.stride, x)
			}
			return dst
		})
	})
}

func FuzzGemvTF64(f *testing.F) {
	linearSeeds(f, 8)
	f.Fuzz(func(t *testing.T, data []byte, cols, pad uint8) {
		a := float64s(data, pad)
		s := shapeOf(len(a), cols, pad)
		if s.rows == 0 {
			return
		}
		checkTiers(t, "GemvTF64", func() []float64 {
			dst := clone(a[len(a)-s.cols:])
			kernels.GemvTF64(dst, a, s.rows, s.cols, s.stride, clone(a[:s.rows]))
			return dst
		})
	})
}

func FuzzGemvTF32(f *testing.F) {
	linearSeeds(f, 4)
	f.Fuzz(func(t *testing.T, data []byte, cols, pad uint8) {
		a := float32s(data, pad)
		s := shapeOf(len(a), cols, pad)
		if s.rows == 0 {
			return
		}
		checkTiers(t, "GemvTF32", func() []float64 {
			dst := clone(a[len(a)-s.cols:])
			kernels.GemvTF32(dst, a, s.rows, s.cols, s.stride, clone(a[:s.rows]))
			return widened(dst...)
		})
	})
}

func FuzzGemvTF32Wide(f *testing.F) {
	linearSeeds(f, 4)
	f.Fuzz(func(t *testing.T, data []byte, cols, pad uint8) {
		a := float32s(data, pad)
		s := shapeOf(len(a), cols, pad)
		if s.rows == 0 {
			return
		}
		checkTiers(t, "GemvTF32Wide", func() []float64 {
			dst := widened(a[len(a)-s.cols:]...)
			kernels.GemvTF32Wide(dst, a, s.rows, s.cols, s.stride, widened(a[:s.rows]...))
			return dst
		})
	})
}

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
