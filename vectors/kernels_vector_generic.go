package vectors

import (
	"math"
	"math/bits"

	"github.com/simdrank/simdrank/internal/kern"
)

// This file contains plain Go for vectors of at most one block. The file kernels_linear_generic.go
// in package kernels explains the form of the code. Lanes start at −0, so that adding the first
// product does not change the product.

func l2F64Generic(x, y []float64) float64 {
	if len(x) == 0 {
		return 0
	}
	var lane, d [32]float64
	kern.ClearLanes(lane[:])
	for len(x) > 0 {
		n := min(32, len(x))
		subtract(d[:n], x[:n], y[:n])
		addProductsF64(lane[:n], d[:n], d[:n])
		x, y = x[n:], y[n:]
	}
	return kern.SumLanesF64(&lane)
}

func l2F32Generic(x, y []float32) float32 {
	if len(x) == 0 {
		return 0
	}
	var lane, d [64]float32
	kern.ClearLanes(lane[:])
	for len(x) > 0 {
		n := min(64, len(x))
		subtract(d[:n], x[:n], y[:n])
		addProductsF32(lane[:n], d[:n], d[:n])
		x, y = x[n:], y[n:]
	}
	return kern.SumLanesF32(&lane)
}

func cosineF64Generic(x, y []float64) float64 {
	if len(x) == 0 {
		return 0
	}
	var lanes [3][32]float64
	for k := range lanes {
		kern.ClearLanes(lanes[k][:])
	}
	for len(x) > 0 {
		n := min(32, len(x))
		addProductsF64(lanes[0][:n], x[:n], y[:n])
		addProductsF64(lanes[1][:n], x[:n], x[:n])
		addProductsF64(lanes[2][:n], y[:n], y[:n])
		x, y = x[n:], y[n:]
	}
	return cosineOfF64(kern.SumLanesF64(&lanes[0]), kern.SumLanesF64(&lanes[1]), kern.SumLanesF64(&lanes[2]))
}

func cosineF32Generic(x, y []float32) float32 {
	if len(x) == 0 {
		return 0
	}
	var lanes [3][64]float32
	for k := range lanes {
		kern.ClearLanes(lanes[k][:])
	}
	for len(x) > 0 {
		n := min(64, len(x))
		addProductsF32(lanes[0][:n], x[:n], y[:n])
		addProductsF32(lanes[1][:n], x[:n], x[:n])
		addProductsF32(lanes[2][:n], y[:n], y[:n])
		x, y = x[n:], y[n:]
	}
	return cosineOf(kern.SumLanesF32(&lanes[0]), kern.SumLanesF32(&lanes[1]), kern.SumLanesF32(&lanes[2]))
}

func dotI8Generic(x, y []int8) int64  { return dotBytes(x, y) }
func dotU8Generic(x, y []uint8) int64 { return dotBytes(x, y) }
func l2I8Generic(x, y []int8) int64   { return l2Bytes(x, y) }
func l2U8Generic(x, y []uint8) int64  { return l2Bytes(x, y) }
func cosineI8Generic(x, y []int8) float32 {
	return cosineOf(dotBytes(x, y), dotBytes(x, x), dotBytes(y, y))
}
func cosineU8Generic(x, y []uint8) float32 {
	return cosineOf(dotBytes(x, y), dotBytes(x, x), dotBytes(y, y))
}

func hammingBitsGeneric(x, y []uint64) (sum int64) {
	y = y[:len(x)]
	for i, v := range x {
		sum += int64(bits.OnesCount64(v ^ y[i]))
	}
	return sum
}

func jaccardBitsGeneric(x, y []uint64) (both, either int64) {
	y = y[:len(x)]
	for i, v := range x {
		both += int64(bits.OnesCount64(v & y[i]))
		either += int64(bits.OnesCount64(v | y[i]))
	}
	return both, either
}

func dotF16Generic(x, y []F16) float32                   { return dotWidened(x, y) }
func dotBF16Generic(x, y []BF16) float32                 { return dotWidened(x, y) }
func l2F16Generic(x, y []F16) float32                    { return l2Widened(x, y) }
func l2BF16Generic(x, y []BF16) float32                  { return l2Widened(x, y) }
func cosineF16Generic(x, y []F16) float32                { return cosineWidened(x, y) }
func cosineBF16Generic(x, y []BF16) float32              { return cosineWidened(x, y) }
func dotF32F16Generic(x []float32, y []F16) float32      { return dotWidened(x, y) }
func dotF32BF16Generic(x []float32, y []BF16) float32    { return dotWidened(x, y) }
func dotF32I8Generic(x []float32, y []int8) float32      { return dotWidened(x, y) }
func dotF32U8Generic(x []float32, y []uint8) float32     { return dotWidened(x, y) }
func l2F32F16Generic(x []float32, y []F16) float32       { return l2Widened(x, y) }
func l2F32BF16Generic(x []float32, y []BF16) float32     { return l2Widened(x, y) }
func l2F32I8Generic(x []float32, y []int8) float32       { return l2Widened(x, y) }
func l2F32U8Generic(x []float32, y []uint8) float32      { return l2Widened(x, y) }
func cosineF32F16Generic(x []float32, y []F16) float32   { return cosineWidened(x, y) }
func cosineF32BF16Generic(x []float32, y []BF16) float32 { return cosineWidened(x, y) }
func cosineF32I8Generic(x []float32, y []int8) float32   { return cosineWidened(x, y) }
func cosineF32U8Generic(x []float32, y []uint8) float32  { return cosineWidened(x, y) }

func f16FromF32Generic(dst []F16, src []float32) {
	dst = dst[:len(src)]
	for i, v := range src {
		dst[i] = NewF16(v)
	}
}

func f32FromF16Generic(dst []float32, src []F16) {
	dst = dst[:len(src)]
	for i, v := range src {
		dst[i] = v.Float32()
	}
}

func bF16FromF32Generic(dst []BF16, src []float32) {
	dst = dst[:len(src)]
	for i, v := range src {
		dst[i] = NewBF16(v)
	}
}

func f32FromBF16Generic(dst []float32, src []BF16) {
	dst = dst[:len(src)]
	for i, v := range src {
		dst[i] = v.Float32()
	}
}

// scaleI8Generic returns the largest |x[i]| that is finite, or 0 if there is none. ScaleI8 computes
// the scale from the result.
func scaleI8Generic(x []float32) float32 {
	size := int32(0)
	for _, v := range x {
		// As integers, the bits of positive numbers have the same order as the numbers, and the
		// bits of infinity and NaN are greater than all finite numbers.
		if b := int32(math.Float32bits(v) &^ (1 << 31)); b < 0x7f800000 {
			size = max(size, b)
		}
	}
	return math.Float32frombits(uint32(size))
}

func quantizeI8Generic(dst []int8, src []float32, scale float32) {
	dst = dst[:len(src)]
	for i, v := range src {
		switch v /= scale; {
		case v != v:
			dst[i] = 0
		case v >= 127:
			dst[i] = 127
		case v <= -127:
			dst[i] = -127
		default:
			// In float32, the last bit of numbers from 2²³ to 2²⁴ is worth 1, so the addition
			// rounds to an integer.
			dst[i] = int8(math.Float32bits(v + 0x1.8p23))
		}
	}
}

func dequantizeI8Generic(dst []float32, src []int8, scale float32) {
	dst = dst[:len(src)]
	for i, v := range src {
		dst[i] = float32(v) * scale
	}
}

func signBitsGeneric(dst []uint64, src []float32) {
	for w := range dst {
		word := uint64(0)
		for i, v := range src[64*w : min(64*w+64, len(src))] {
			if v > 0 {
				word |= 1 << i
			}
		}
		dst[w] = word
	}
}

// smaller is a constraint for types that float32 represents exactly.
type smaller interface {
	float32 | F16 | BF16 | int8 | uint8
}

func dotWidened[X, Y smaller](x []X, y []Y) float32 {
	if len(x) == 0 {
		return 0
	}
	var lane, a, b [64]float32
	kern.ClearLanes(lane[:])
	for ; len(x) > 0; x, y = x[min(64, len(x)):], y[min(64, len(y)):] {
		n := min(64, len(x))
		widen(a[:n], x)
		widen(b[:n], y)
		addProductsF32(lane[:n], a[:n], b[:n])
	}
	return kern.SumLanesF32(&lane)
}

func l2Widened[X, Y smaller](x []X, y []Y) float32 {
	if len(x) == 0 {
		return 0
	}
	var lane, a, b [64]float32
	kern.ClearLanes(lane[:])
	for ; len(x) > 0; x, y = x[min(64, len(x)):], y[min(64, len(y)):] {
		n := min(64, len(x))
		widen(a[:n], x)
		widen(b[:n], y)
		subtract(a[:n], a[:n], b[:n])
		addProductsF32(lane[:n], a[:n], a[:n])
	}
	return kern.SumLanesF32(&lane)
}

func cosineWidened[X, Y smaller](x []X, y []Y) float32 {
	if len(x) == 0 {
		return 0
	}
	var lanes [3][64]float32
	var a, b [64]float32
	for k := range lanes {
		kern.ClearLanes(lanes[k][:])
	}
	for ; len(x) > 0; x, y = x[min(64, len(x)):], y[min(64, len(y)):] {
		n := min(64, len(x))
		widen(a[:n], x)
		widen(b[:n], y)
		addProductsF32(lanes[0][:n], a[:n], b[:n])
		addProductsF32(lanes[1][:n], a[:n], a[:n])
		addProductsF32(lanes[2][:n], b[:n], b[:n])
	}
	return cosineOf(kern.SumLanesF32(&lanes[0]), kern.SumLanesF32(&lanes[1]), kern.SumLanesF32(&lanes[2]))
}

// widen converts the first len(dst) elements of src to float32.
func widen[T smaller](dst []float32, src []T) {
	src = src[:len(dst)]
	switch src := any(src).(type) {
	case []float32:
		copy(dst, src)
	case []F16:
		f32FromF16Generic(dst, src)
	case []BF16:
		f32FromBF16Generic(dst, src)
	case []int8:
		for i, v := range src {
			dst[i] = float32(v)
		}
	case []uint8:
		for i, v := range src {
			dst[i] = float32(v)
		}
	}
}

func dotBytes[T int8 | uint8](x, y []T) (sum int64) {
	y = y[:len(x)]
	for i, v := range x {
		sum += int64(int32(v) * int32(y[i]))
	}
	return sum
}

func l2Bytes[T int8 | uint8](x, y []T) (sum int64) {
	y = y[:len(x)]
	for i, v := range x {
		d := int32(v) - int32(y[i])
		sum += int64(d * d)
	}
	return sum
}

// cosineOfF64 returns the cosine of two float64 vectors x and y from their products.
func cosineOfF64(xy, xx, yy float64) float64 {
	norms := math.Sqrt(xx) * math.Sqrt(yy)
	if norms == 0 {
		return 0
	}
	return xy / norms
}

// cosineOf is like cosineOfF64, but for other types. It computes in float64, which represents
// products of float32 exactly.
func cosineOf[T float32 | int64](xy, xx, yy T) float32 {
	squared := float64(xx) * float64(yy)
	if squared == 0 {
		return 0
	}
	return float32(float64(xy) / math.Sqrt(squared))
}

// subtract sets d to the rounded differences x − y.
func subtract[T float32 | float64](d, x, y []T) {
	x, y = x[:len(d)], y[:len(d)]
	for k := range d {
		d[k] = x[k] - y[k]
	}
}

// addProductsF64 adds the products x·y to the lanes by fused multiply-adds.
func addProductsF64(lane, x, y []float64) {
	x, y = x[:len(lane)], y[:len(lane)]
	for k := range lane {
		lane[k] = math.FMA(x[k], y[k], lane[k])
	}
}

func addProductsF32(lane, x, y []float32) {
	x, y = x[:len(lane)], y[:len(lane)]
	for k := range lane {
		p, z := float64(float64(x[k])*float64(y[k])), float64(lane[k])
		s := p + z
		if kern.IsMidpoint(s) {
			s = kern.RoundToOdd(p, z, s)
		}
		lane[k] = float32(s)
	}
}
