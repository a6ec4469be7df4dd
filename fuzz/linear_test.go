package fuzz

import (
	"encoding/binary"
	"math"
	"testing"
	"unsafe"

	"github.com/simdrank/simdrank/kernels"
)

// linearSeeds adds vectors of ordinary, special and canceling numbers with the given number of
// bytes per element. Their lengths are more than one iteration, odd numbers, and zero.
func linearSeeds(f *testing.F, size int) {
	number := func(d []byte, v float64) []byte {
		if size == 8 {
			return binary.LittleEndian.AppendUint64(d, math.Float64bits(v))
		}
		return binary.LittleEndian.AppendUint32(d, math.Float32bits(float32(v)))
	}
	wild := []float64{0, math.Copysign(0, -1), 1, -1, math.Inf(1), math.NaN(), 1e-310, -1e-40, 1e300, -3e38, 5e-200,
		7e-30}
	var plain, special, canceling []byte
	for i := range 170 {
		plain = number(plain, float64(i*37%101)/7-6)
		special = number(special, wild[i*7%len(wild)])
		canceling = number(canceling, math.Ldexp(float64(1-2*(i&1)), i/2%50))
	}
	for i, d := range [][]byte{nil, plain[:size], plain[:31*size], plain, special, special[:97*size], canceling,
		canceling[:66*size]} {
		f.Add(d, uint8(i*25), uint8(i*i*3))
	}
}

// float64s decodes the bits of numbers into a slice that starts skip mod 8 elements after the start
// of an allocation.
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

// numbers calls float64s or float32s.
func numbers[T number](data []byte, skip uint8) []T {
	if v, ok := any(float64s(data, skip)).([]T); ok {
		return v
	}
	return any(float32s(data, skip)).([]T)
}

// widened returns the numbers as float64. Different bits stay different.
func widened[T number](x ...T) []float64 {
	w := make([]float64, len(x))
	for i, v := range x {
		w[i] = float64(v)
	}
	return w
}

func clone[T any](x []T) []T { return append([]T(nil), x...) }

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

func fuzzAxpy[T number](f *testing.F, name string, kernel func(alpha T, x, y []T)) {
	linearSeeds(f, int(unsafe.Sizeof(T(0))))
	f.Fuzz(func(t *testing.T, data []byte, skip, _ uint8) {
		v := numbers[T](data, skip)
		if len(v) == 0 {
			return
		}
		alpha, v := v[0], v[1:]
		n := len(v) / 2
		checkTiers(t, name, func() []float64 {
			y := clone(v[n : 2*n])
			kernel(alpha, v[:n], y)
			return widened(y...)
		})
	})
}

func FuzzAxpyF64(f *testing.F) { fuzzAxpy(f, "AxpyF64", kernels.AxpyF64) }
func FuzzAxpyF32(f *testing.F) { fuzzAxpy(f, "AxpyF32", kernels.AxpyF32) }
