package fuzz

import (
	"encoding/binary"
	"testing"
	"unsafe"

	"github.com/simdrank/simdrank/kernels"
)

func FuzzL2F64(f *testing.F)     { fuzzDot(f, "L2F64", kernels.L2F64) }
func FuzzL2F32(f *testing.F)     { fuzzDot(f, "L2F32", kernels.L2F32) }
func FuzzCosineF64(f *testing.F) { fuzzDot(f, "CosineF64", kernels.CosineF64) }
func FuzzCosineF32(f *testing.F) { fuzzDot(f, "CosineF32", kernels.CosineF32) }

// fuzzBytes makes two vectors of the bytes, which start skip mod 64 bytes after an allocation does.
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

func FuzzDotI8(f *testing.F)    { fuzzBytes(f, "DotI8", kernels.DotI8) }
func FuzzDotU8(f *testing.F)    { fuzzBytes(f, "DotU8", kernels.DotU8) }
func FuzzL2I8(f *testing.F)     { fuzzBytes(f, "L2I8", kernels.L2I8) }
func FuzzL2U8(f *testing.F)     { fuzzBytes(f, "L2U8", kernels.L2U8) }
func FuzzCosineI8(f *testing.F) { fuzzBytes(f, "CosineI8", kernels.CosineI8) }
func FuzzCosineU8(f *testing.F) { fuzzBytes(f, "CosineU8", kernels.CosineU8) }

// fuzzBits makes two sets of the bytes.
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
	fuzzBits(f, "HammingBits", func(x, y []uint64) float64 { return float64(kernels.HammingBits(x, y)) })
}

func FuzzJaccardBits(f *testing.F) {
	fuzzBits(f, "JaccardBits", func(x, y []uint64) float64 { return float64(kernels.JaccardBits(x, y)) })
}
