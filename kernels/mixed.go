package kernels

import (
	"unsafe"

	"github.com/simdrank/simdrank/internal/kern"
)

// Distances of a query in float32 from vectors of small types: the query is not rounded, as it
// would be for two vectors of the small type. There is a function for each type, as there is for
// two vectors of one type: a generic one would look at the type in every call.

// DotF32F16 returns the dot product Σ q[i]·x[i]: the bits of [DotF32] of q and the numbers of x as
// float32, which holds them exactly. q and x may overlap in any way.
//
// It panics when the lengths differ.
func DotF32F16(q []float32, x []F16) float32 {
	if len(q) != len(x) {
		panic(unequal{dotF32F16Lengths, len(q), len(x)})
	}
	if kern.Race {
		kern.RaceRead(q)
		kern.RaceRead(x)
	}
	return dotF32F16(unsafe.SliceData(q), unsafe.SliceData(x), len(q))
}

// DotF32BF16 is [DotF32F16] of bfloat16.
//
// It panics when the lengths differ.
func DotF32BF16(q []float32, x []BF16) float32 {
	if len(q) != len(x) {
		panic(unequal{dotF32BF16Lengths, len(q), len(x)})
	}
	if kern.Race {
		kern.RaceRead(q)
		kern.RaceRead(x)
	}
	return dotF32BF16(unsafe.SliceData(q), unsafe.SliceData(x), len(q))
}

// DotF32I8 is [DotF32F16] of signed bytes.
//
// It panics when the lengths differ.
func DotF32I8(q []float32, x []int8) float32 {
	if len(q) != len(x) {
		panic(unequal{dotF32I8Lengths, len(q), len(x)})
	}
	if kern.Race {
		kern.RaceRead(q)
		kern.RaceRead(x)
	}
	return dotF32I8(unsafe.SliceData(q), unsafe.SliceData(x), len(q))
}

// DotF32U8 is [DotF32F16] of unsigned bytes.
//
// It panics when the lengths differ.
func DotF32U8(q []float32, x []uint8) float32 {
	if len(q) != len(x) {
		panic(unequal{dotF32U8Lengths, len(q), len(x)})
	}
	if kern.Race {
		kern.RaceRead(q)
		kern.RaceRead(x)
	}
	return dotF32U8(unsafe.SliceData(q), unsafe.SliceData(x), len(q))
}

// L2F32F16 returns the squared Euclidean distance Σ (q[i]−x[i])²: the bits of [L2F32] of q and the
// numbers of x as float32. q and x may overlap in any way.
//
// It panics when the lengths differ.
func L2F32F16(q []float32, x []F16) float32 {
	if len(q) != len(x) {
		panic(unequal{l2F32F16Lengths, len(q), len(x)})
	}
	if kern.Race {
		kern.RaceRead(q)
		kern.RaceRead(x)
	}
	return l2F32F16(unsafe.SliceData(q), unsafe.SliceData(x), len(q))
}

// L2F32BF16 is [L2F32F16] of bfloat16.
//
// It panics when the lengths differ.
func L2F32BF16(q []float32, x []BF16) float32 {
	if len(q) != len(x) {
		panic(unequal{l2F32BF16Lengths, len(q), len(x)})
	}
	if kern.Race {
		kern.RaceRead(q)
		kern.RaceRead(x)
	}
	return l2F32BF16(unsafe.SliceData(q), unsafe.SliceData(x), len(q))
}

// L2F32I8 is [L2F32F16] of signed bytes.
//
// It panics when the lengths differ.
func L2F32I8(q []float32, x []int8) float32 {
	if len(q) != len(x) {
		panic(unequal{l2F32I8Lengths, len(q), len(x)})
	}
	if kern.Race {
		kern.RaceRead(q)
		kern.RaceRead(x)
	}
	return l2F32I8(unsafe.SliceData(q), unsafe.SliceData(x), len(q))
}

// L2F32U8 is [L2F32F16] of unsigned bytes.
//
// It panics when the lengths differ.
func L2F32U8(q []float32, x []uint8) float32 {
	if len(q) != len(x) {
		panic(unequal{l2F32U8Lengths, len(q), len(x)})
	}
	if kern.Race {
		kern.RaceRead(q)
		kern.RaceRead(x)
	}
	return l2F32U8(unsafe.SliceData(q), unsafe.SliceData(x), len(q))
}

// CosineF32F16 returns the cosine of the angle between q and x: the bits of [CosineF32] of q and
// the numbers of x as float32. q and x may overlap in any way.
//
// It panics when the lengths differ.
func CosineF32F16(q []float32, x []F16) float32 {
	if len(q) != len(x) {
		panic(unequal{cosineF32F16Lengths, len(q), len(x)})
	}
	if kern.Race {
		kern.RaceRead(q)
		kern.RaceRead(x)
	}
	return cosineF32F16(unsafe.SliceData(q), unsafe.SliceData(x), len(q))
}

// CosineF32BF16 is [CosineF32F16] of bfloat16.
//
// It panics when the lengths differ.
func CosineF32BF16(q []float32, x []BF16) float32 {
	if len(q) != len(x) {
		panic(unequal{cosineF32BF16Lengths, len(q), len(x)})
	}
	if kern.Race {
		kern.RaceRead(q)
		kern.RaceRead(x)
	}
	return cosineF32BF16(unsafe.SliceData(q), unsafe.SliceData(x), len(q))
}

// CosineF32I8 is [CosineF32F16] of signed bytes.
//
// It panics when the lengths differ.
func CosineF32I8(q []float32, x []int8) float32 {
	if len(q) != len(x) {
		panic(unequal{cosineF32I8Lengths, len(q), len(x)})
	}
	if kern.Race {
		kern.RaceRead(q)
		kern.RaceRead(x)
	}
	return cosineF32I8(unsafe.SliceData(q), unsafe.SliceData(x), len(q))
}

// CosineF32U8 is [CosineF32F16] of unsigned bytes.
//
// It panics when the lengths differ.
func CosineF32U8(q []float32, x []uint8) float32 {
	if len(q) != len(x) {
		panic(unequal{cosineF32U8Lengths, len(q), len(x)})
	}
	if kern.Race {
		kern.RaceRead(q)
		kern.RaceRead(x)
	}
	return cosineF32U8(unsafe.SliceData(q), unsafe.SliceData(x), len(q))
}

// I4x2 is a pair of signed integers of four bits, −8 to 7: the first in the lower half of the byte,
// the second in the upper one, as ONNX packs INT4. In a vector of odd length the last half is 0,
// which adds nothing to a product or a distance.
type I4x2 uint8

// NewI4x2 returns the pair of the lower four bits of each.
func NewI4x2(first, second int8) I4x2 { return I4x2(first&15) | I4x2(second)<<4 }

// Int8 returns the two integers.
func (v I4x2) Int8() (first, second int8) { return int8(v<<4) >> 4, int8(v) >> 4 }

// DotI4 returns the dot product Σ x[i]·y[i] of all integers, which is exact up to 2^55 pairs, 0
// when the slices are empty. x and y may overlap in any way.
//
// It panics when the lengths differ.
func DotI4(x, y []I4x2) int64 {
	if len(x) != len(y) {
		panic(unequal{dotI4Lengths, len(x), len(y)})
	}
	if kern.Race {
		kern.RaceRead(x)
		kern.RaceRead(y)
	}
	return dotI4(unsafe.SliceData(x), unsafe.SliceData(y), len(x))
}

// L2I4 returns the squared Euclidean distance Σ (x[i]−y[i])² of all integers, which is exact up to
// 2^54 pairs, 0 when the slices are empty. x and y may overlap in any way.
//
// It panics when the lengths differ.
func L2I4(x, y []I4x2) int64 {
	if len(x) != len(y) {
		panic(unequal{l2I4Lengths, len(x), len(y)})
	}
	if kern.Race {
		kern.RaceRead(x)
		kern.RaceRead(y)
	}
	return l2I4(unsafe.SliceData(x), unsafe.SliceData(y), len(x))
}

// The sums of blocks, as in vector.go.

func dotF32F16Long(x []float32, y []F16) float32 {
	n := min(kern.BlockLen, len(x))
	sum := DotF32F16(x[:n], y[:n])
	for i := kern.BlockLen; i < len(x); i += kern.BlockLen {
		end := min(i+kern.BlockLen, len(x))
		sum += DotF32F16(x[i:end], y[i:end])
	}
	return sum
}

func dotF32BF16Long(x []float32, y []BF16) float32 {
	n := min(kern.BlockLen, len(x))
	sum := DotF32BF16(x[:n], y[:n])
	for i := kern.BlockLen; i < len(x); i += kern.BlockLen {
		end := min(i+kern.BlockLen, len(x))
		sum += DotF32BF16(x[i:end], y[i:end])
	}
	return sum
}

func dotF32I8Long(x []float32, y []int8) float32 {
	n := min(kern.BlockLen, len(x))
	sum := DotF32I8(x[:n], y[:n])
	for i := kern.BlockLen; i < len(x); i += kern.BlockLen {
		end := min(i+kern.BlockLen, len(x))
		sum += DotF32I8(x[i:end], y[i:end])
	}
	return sum
}

func dotF32U8Long(x []float32, y []uint8) float32 {
	n := min(kern.BlockLen, len(x))
	sum := DotF32U8(x[:n], y[:n])
	for i := kern.BlockLen; i < len(x); i += kern.BlockLen {
		end := min(i+kern.BlockLen, len(x))
		sum += DotF32U8(x[i:end], y[i:end])
	}
	return sum
}

func l2F32F16Long(x []float32, y []F16) (sum float32) {
	for at := 0; at < len(x); at += kern.BlockLen {
		end := min(at+kern.BlockLen, len(x))
		sum += L2F32F16(x[at:end], y[at:end])
	}
	return sum
}

func l2F32BF16Long(x []float32, y []BF16) (sum float32) {
	for at := 0; at < len(x); at += kern.BlockLen {
		end := min(at+kern.BlockLen, len(x))
		sum += L2F32BF16(x[at:end], y[at:end])
	}
	return sum
}

func l2F32I8Long(x []float32, y []int8) (sum float32) {
	for at := 0; at < len(x); at += kern.BlockLen {
		end := min(at+kern.BlockLen, len(x))
		sum += L2F32I8(x[at:end], y[at:end])
	}
	return sum
}

func l2F32U8Long(x []float32, y []uint8) (sum float32) {
	for at := 0; at < len(x); at += kern.BlockLen {
		end := min(at+kern.BlockLen, len(x))
		sum += L2F32U8(x[at:end], y[at:end])
	}
	return sum
}

func cosineF32F16Long(x []float32, y []F16) float32 {
	return cosineOf(DotF32F16(x, y), DotF32(x, x), DotF16(y, y))
}

func cosineF32BF16Long(x []float32, y []BF16) float32 {
	return cosineOf(DotF32BF16(x, y), DotF32(x, x), DotBF16(y, y))
}

func cosineF32I8Long(x []float32, y []int8) float32 {
	return cosineOf(DotF32I8(x, y), DotF32(x, x), squaresWidened(y))
}

func cosineF32U8Long(x []float32, y []uint8) float32 {
	return cosineOf(DotF32U8(x, y), DotF32(x, x), squaresWidened(y))
}

// squaresWidened returns x·x in float32, in the order of DotF32. It is in plain Go because few
// calls come here: for vectors of more than a block, and when the scheduler wants the goroutine.
func squaresWidened[T int8 | uint8](x []T) float32 {
	n := min(kern.BlockLen, len(x))
	sum := dotWidened(x[:n], x[:n])
	for i := kern.BlockLen; i < len(x); i += kern.BlockLen {
		end := min(i+kern.BlockLen, len(x))
		sum += dotWidened(x[i:end], x[i:end])
	}
	return sum
}

func dotI4Long(x, y []I4x2) (sum int64) {
	for at := 0; at < len(x); at += kern.BlockLen {
		end := min(at+kern.BlockLen, len(x))
		sum += DotI4(x[at:end], y[at:end])
	}
	return sum
}

func l2I4Long(x, y []I4x2) (sum int64) {
	for at := 0; at < len(x); at += kern.BlockLen {
		end := min(at+kern.BlockLen, len(x))
		sum += L2I4(x[at:end], y[at:end])
	}
	return sum
}
