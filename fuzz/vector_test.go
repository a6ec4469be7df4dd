package fuzz

import (
	"encoding/binary"
	"math"
	"testing"
	"unsafe"

	"github.com/simdrank/simdrank/vectors"
)

func FuzzL2F64(f *testing.F)     { fuzzDot(f, "L2F64", vectors.L2F64) }
func FuzzL2F32(f *testing.F)     { fuzzDot(f, "L2F32", vectors.L2F32) }
func FuzzCosineF64(f *testing.F) { fuzzDot(f, "CosineF64", vectors.CosineF64) }
func FuzzCosineF32(f *testing.F) { fuzzDot(f, "CosineF32", vectors.CosineF32) }

// fuzzBytes converts the bytes to two vectors, which start skip mod 64 bytes after an allocation.
func fuzzBytes[T int8 | uint8, S int64 | float32](f *testing.F, name string, kernel func(x, y []T) S) {
	for i, n := range []int{0, 1, 30, 33, 130, 260, 700} {
		d := make([]byte, n)
		for k := range d {
			d[k] = []byte{0x80, 0x7f, 0, 0xff, byte(k * 37)}[k*7%5]
		}
		f.Add(d, uint8(i*25))
	}
	f.Fuzz(func(t *testing.T, data []byte, skip uint8) {
		d := append(make([]byte, skip%64), data...)[skip%64:]
		v := unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(d))), len(d))
		n := len(v) / 2
		checkTiers(t, name, func() []float64 { return []float64{float64(kernel(v[:n], v[len(v)-n:]))} })
	})
}

func FuzzDotI8(f *testing.F)    { fuzzBytes(f, "DotI8", vectors.DotI8) }
func FuzzDotU8(f *testing.F)    { fuzzBytes(f, "DotU8", vectors.DotU8) }
func FuzzL2I8(f *testing.F)     { fuzzBytes(f, "L2I8", vectors.L2I8) }
func FuzzL2U8(f *testing.F)     { fuzzBytes(f, "L2U8", vectors.L2U8) }
func FuzzCosineI8(f *testing.F) { fuzzBytes(f, "CosineI8", vectors.CosineI8) }
func FuzzCosineU8(f *testing.F) { fuzzBytes(f, "CosineU8", vectors.CosineU8) }

// fuzzBits converts the bytes to two sets.
func fuzzBits(f *testing.F, name string, call func(x, y []uint64) float64) {
	for _, n := range []int{0, 8, 24, 130, 300, 1100} {
		d := make([]byte, n)
		for k := range d {
			d[k] = byte(k * k * 37)
		}
		f.Add(d, uint8(n))
	}
	f.Fuzz(func(t *testing.T, data []byte, skip uint8) {
		v := make([]uint64, skip%8, len(data)/8+8)
		for ; len(data) >= 8; data = data[8:] {
			v = append(v, binary.LittleEndian.Uint64(data))
		}
		v = v[skip%8:]
		n := len(v) / 2
		checkTiers(t, name, func() []float64 { return []float64{call(v[:n], v[len(v)-n:])} })
	})
}

func FuzzHammingBits(f *testing.F) {
	fuzzBits(f, "HammingBits", func(x, y []uint64) float64 { return float64(vectors.HammingBits(x, y)) })
}

func FuzzJaccardBits(f *testing.F) {
	fuzzBits(f, "JaccardBits", func(x, y []uint64) float64 { return float64(vectors.JaccardBits(x, y)) })
}

// halves decodes the bits of numbers into a slice that starts skip mod 32 elements after the start
// of an allocation.
func halves[T vectors.F16 | vectors.BF16](data []byte, skip uint8) []T {
	v := make([]T, skip%32, len(data)/2+32)
	for ; len(data) >= 2; data = data[2:] {
		v = append(v, T(binary.LittleEndian.Uint16(data)))
	}
	return v[skip%32:]
}

func halfSeeds(f *testing.F) {
	for i, n := range []int{0, 2, 60, 66, 260, 520, 1400} {
		d := make([]byte, n)
		for k := range d {
			d[k] = []byte{0x80, 0x3c, 0, byte(k * 37), byte(k * k)}[k*7%5]
		}
		f.Add(d, uint8(i*25))
	}
}

func fuzzHalves[T vectors.F16 | vectors.BF16](f *testing.F, name string, kernel func(x, y []T) float32) {
	halfSeeds(f)
	f.Fuzz(func(t *testing.T, data []byte, skip uint8) {
		v := halves[T](data, skip)
		n := len(v) / 2
		checkTiers(t, name, func() []float64 { return []float64{float64(kernel(v[:n], v[len(v)-n:]))} })
	})
}

func FuzzDotF16(f *testing.F)     { fuzzHalves(f, "DotF16", vectors.DotF16) }
func FuzzDotBF16(f *testing.F)    { fuzzHalves(f, "DotBF16", vectors.DotBF16) }
func FuzzL2F16(f *testing.F)      { fuzzHalves(f, "L2F16", vectors.L2F16) }
func FuzzL2BF16(f *testing.F)     { fuzzHalves(f, "L2BF16", vectors.L2BF16) }
func FuzzCosineF16(f *testing.F)  { fuzzHalves(f, "CosineF16", vectors.CosineF16) }
func FuzzCosineBF16(f *testing.F) { fuzzHalves(f, "CosineBF16", vectors.CosineBF16) }

// fuzzMixed converts the bytes to a float32 vector and a vector of T, which start skip mod 16
// elements after the start of an allocation.
func fuzzMixed[T vectors.F16 | vectors.BF16 | int8 | uint8](f *testing.F, name string,
	kernel func(q []float32, x []T) float32) {
	linearSeeds(f, 4)
	f.Fuzz(func(t *testing.T, data []byte, skip, skipX uint8) {
		size := int(unsafe.Sizeof(T(0)))
		n := len(data) / (4 + size)
		q := float32s(data[:4*n], skip)
		x := make([]T, int(skipX%16)+n)[skipX%16:]
		for i := range x {
			for _, b := range data[4*n+i*size:][:size] {
				x[i] = T(uint16(x[i])<<8 | uint16(b))
			}
		}
		checkTiers(t, name, func() []float64 { return widened(kernel(q, x)) })
	})
}

func FuzzDotF32F16(f *testing.F)     { fuzzMixed(f, "DotF32F16", vectors.DotF32F16) }
func FuzzDotF32BF16(f *testing.F)    { fuzzMixed(f, "DotF32BF16", vectors.DotF32BF16) }
func FuzzDotF32I8(f *testing.F)      { fuzzMixed(f, "DotF32I8", vectors.DotF32I8) }
func FuzzDotF32U8(f *testing.F)      { fuzzMixed(f, "DotF32U8", vectors.DotF32U8) }
func FuzzL2F32F16(f *testing.F)      { fuzzMixed(f, "L2F32F16", vectors.L2F32F16) }
func FuzzL2F32BF16(f *testing.F)     { fuzzMixed(f, "L2F32BF16", vectors.L2F32BF16) }
func FuzzL2F32I8(f *testing.F)       { fuzzMixed(f, "L2F32I8", vectors.L2F32I8) }
func FuzzL2F32U8(f *testing.F)       { fuzzMixed(f, "L2F32U8", vectors.L2F32U8) }
func FuzzCosineF32F16(f *testing.F)  { fuzzMixed(f, "CosineF32F16", vectors.CosineF32F16) }
func FuzzCosineF32BF16(f *testing.F) { fuzzMixed(f, "CosineF32BF16", vectors.CosineF32BF16) }
func FuzzCosineF32I8(f *testing.F)   { fuzzMixed(f, "CosineF32I8", vectors.CosineF32I8) }
func FuzzCosineF32U8(f *testing.F)   { fuzzMixed(f, "CosineF32U8", vectors.CosineF32U8) }

// fuzzNarrow compares the bits of the results, including NaNs.
func fuzzNarrow[T vectors.F16 | vectors.BF16](f *testing.F, name string, kernel func(dst []T, src []float32)) {
	linearSeeds(f, 4)
	f.Fuzz(func(t *testing.T, data []byte, skip, _ uint8) {
		src := float32s(data, skip)
		checkTiers(t, name, func() []float64 {
			dst, out := make([]T, len(src)), make([]float64, len(src))
			kernel(dst, src)
			for i, v := range dst {
				out[i] = float64(uint16(v))
			}
			return out
		})
	})
}

func FuzzF16FromF32(f *testing.F)  { fuzzNarrow(f, "F16FromF32", vectors.F16FromF32) }
func FuzzBF16FromF32(f *testing.F) { fuzzNarrow(f, "BF16FromF32", vectors.BF16FromF32) }

func fuzzWiden[T vectors.F16 | vectors.BF16](f *testing.F, name string, kernel func(dst []float32, src []T)) {
	halfSeeds(f)
	f.Fuzz(func(t *testing.T, data []byte, skip uint8) {
		src := halves[T](data, skip)
		checkTiers(t, name, func() []float64 {
			dst := make([]float32, len(src))
			kernel(dst, src)
			return widened(dst...)
		})
	})
}

func FuzzF32FromF16(f *testing.F)  { fuzzWiden(f, "F32FromF16", vectors.F32FromF16) }
func FuzzF32FromBF16(f *testing.F) { fuzzWiden(f, "F32FromBF16", vectors.F32FromBF16) }

func FuzzScaleI8(f *testing.F) {
	linearSeeds(f, 4)
	f.Fuzz(func(t *testing.T, data []byte, skip, _ uint8) {
		x := float32s(data, skip)
		checkTiers(t, "ScaleI8", func() []float64 { return widened(vectors.ScaleI8(x)) })
	})
}

// FuzzQuantizeI8 reads the scale from the end of the data.
func FuzzQuantizeI8(f *testing.F) {
	linearSeeds(f, 4)
	f.Fuzz(func(t *testing.T, data []byte, skip, _ uint8) {
		src, scale := float32s(data, skip), float32(1)
		if n := len(src); n > 0 && src[n-1] >= 0 && src[n-1] <= math.MaxFloat32 {
			src, scale = src[:n-1], src[n-1]
		}
		checkTiers(t, "QuantizeI8", func() []float64 {
			dst, out := make([]int8, len(src)), make([]float64, len(src))
			vectors.QuantizeI8(dst, src, scale)
			for i, v := range dst {
				out[i] = float64(v)
			}
			return out
		})
	})
}

// FuzzDequantizeI8 reads the scale from the start of the data.
func FuzzDequantizeI8(f *testing.F) {
	linearSeeds(f, 4)
	f.Fuzz(func(t *testing.T, data []byte, skip, _ uint8) {
		if len(data) < 4 {
			return
		}
		scale := math.Float32frombits(binary.LittleEndian.Uint32(data))
		src := make([]int8, int(skip%64)+len(data)-4)[skip%64:]
		for i := range src {
			src[i] = int8(data[4+i])
		}
		checkTiers(t, "DequantizeI8", func() []float64 {
			dst := make([]float32, len(src))
			vectors.DequantizeI8(dst, src, scale)
			return widened(dst...)
		})
	})
}

func FuzzSignBits(f *testing.F) {
	linearSeeds(f, 4)
	f.Fuzz(func(t *testing.T, data []byte, skip, _ uint8) {
		src := float32s(data, skip)
		checkTiers(t, "SignBits", func() []float64 {
			dst := make([]uint64, (len(src)+63)/64)
			vectors.SignBits(dst, src)
			out := make([]float64, 2*len(dst))
			for i, w := range dst {
				out[2*i], out[2*i+1] = float64(uint32(w)), float64(w>>32)
			}
			return out
		})
	})
}
