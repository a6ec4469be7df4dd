package kernels

import (
	"math"
	"unsafe"

	"github.com/simdrank/simdrank/internal/kern"
)

// L2F64 returns the squared Euclidean distance Σ (x[i]−y[i])², 0 when the slices are empty. Each
// difference is rounded; then the order of operations is that of [DotF64] of the differences with
// themselves. x and y may overlap in any way.
//
// It panics when the lengths differ.
func L2F64(x, y []float64) float64 {
	if len(x) != len(y) {
		panic(unequal{l2F64Lengths, len(x), len(y)})
	}
	if kern.Race {
		kern.RaceRead(x)
		kern.RaceRead(y)
	}
	return l2F64(unsafe.SliceData(x), unsafe.SliceData(y), len(x))
}

// L2F32 is [L2F64] in float32 throughout, in the order of [DotF32].
//
// It panics when the lengths differ.
func L2F32(x, y []float32) float32 {
	if len(x) != len(y) {
		panic(unequal{l2F32Lengths, len(x), len(y)})
	}
	if kern.Race {
		kern.RaceRead(x)
		kern.RaceRead(y)
	}
	return l2F32(unsafe.SliceData(x), unsafe.SliceData(y), len(x))
}

// L2F32Wide is [L2F32] with a float64 sum: the bits of [L2F64] on the same data converted to
// float64.
//
// It panics when the lengths differ.
func L2F32Wide(x, y []float32) float64 {
	if len(x) != len(y) {
		panic(unequal{l2F32WideLengths, len(x), len(y)})
	}
	if kern.Race {
		kern.RaceRead(x)
		kern.RaceRead(y)
	}
	return l2F32Wide(unsafe.SliceData(x), unsafe.SliceData(y), len(x))
}

// CosineF64 returns the cosine of the angle between x and y, 1 for the same direction and −1 for
// opposite ones: x·y / (√(x·x)·√(y·y)). The three products are those of [DotF64], and the rest is
// rounded operation by operation, so that the result may exceed 1 by the last bits. It is 0 when
// the divisor is 0, as with a vector of zeros, and otherwise what the formula gives, also where
// products overflow. x and y may overlap in any way.
//
// It panics when the lengths differ.
func CosineF64(x, y []float64) float64 {
	if len(x) != len(y) {
		panic(unequal{cosineF64Lengths, len(x), len(y)})
	}
	if kern.Race {
		kern.RaceRead(x)
		kern.RaceRead(y)
	}
	return cosineF64(unsafe.SliceData(x), unsafe.SliceData(y), len(x))
}

// CosineF32 is the cosine of [CosineF64] of float32: the three products are those of [DotF32], and
// x·y / √((x·x)·(y·y)) is computed in float64, operation by operation, and rounded to float32.
//
// It panics when the lengths differ.
func CosineF32(x, y []float32) float32 {
	if len(x) != len(y) {
		panic(unequal{cosineF32Lengths, len(x), len(y)})
	}
	if kern.Race {
		kern.RaceRead(x)
		kern.RaceRead(y)
	}
	return cosineF32(unsafe.SliceData(x), unsafe.SliceData(y), len(x))
}

// CosineF32Wide is [CosineF32] with float64 sums: the bits of [CosineF64] on the same data
// converted to float64.
//
// It panics when the lengths differ.
func CosineF32Wide(x, y []float32) float64 {
	if len(x) != len(y) {
		panic(unequal{cosineF32WideLengths, len(x), len(y)})
	}
	if kern.Race {
		kern.RaceRead(x)
		kern.RaceRead(y)
	}
	return cosineF32Wide(unsafe.SliceData(x), unsafe.SliceData(y), len(x))
}

// HammingBits returns the number of bits in which x and y differ. x and y may overlap in any way.
//
// It panics when the lengths differ.
func HammingBits(x, y []uint64) int64 {
	if len(x) != len(y) {
		panic(unequal{hammingBitsLengths, len(x), len(y)})
	}
	if kern.Race {
		kern.RaceRead(x)
		kern.RaceRead(y)
	}
	return hammingBits(unsafe.SliceData(x), unsafe.SliceData(y), len(x))
}

// JaccardBits returns the Jaccard index |x∩y| / |x∪y| of two sets of bits: the number of bits set
// in both over that of bits set in either, exact counts divided in float64 and rounded to float32.
// It is 1 where no bit is set, as scipy.spatial.distance.jaccard has it. x and y may overlap in any
// way.
//
// It panics when the lengths differ.
func JaccardBits(x, y []uint64) float32 {
	if len(x) != len(y) {
		panic(kern.Lengths("JaccardBits: len(x) and len(y) differ", len(x), len(y)))
	}
	if kern.Race {
		kern.RaceRead(x)
		kern.RaceRead(y)
	}
	both, either := jaccardBits(unsafe.SliceData(x), unsafe.SliceData(y), len(x))
	if either == 0 {
		return 1
	}
	return float32(float64(both) / float64(either))
}

// NormF64 returns the Euclidean norm √(x·x), where x·x is that of [DotF64], which overflows or
// underflows when elements do not lie between about 1e−154 and 1e154.
func NormF64(x []float64) float64 { return math.Sqrt(DotF64(x, x)) }

// NormF32 returns the Euclidean norm √(x·x), where x·x is that of [DotF32], which overflows or
// underflows when elements do not lie between about 1e−19 and 1e19.
func NormF32(x []float32) float32 { return float32(math.Sqrt(float64(DotF32(x, x)))) }

// DotI8 returns the dot product Σ x[i]·y[i], which is exact up to 2^48 elements, 0 when the slices
// are empty. x and y may overlap in any way.
//
// It panics when the lengths differ.
func DotI8(x, y []int8) int64 {
	if len(x) != len(y) {
		panic(unequal{dotI8Lengths, len(x), len(y)})
	}
	if kern.Race {
		kern.RaceRead(x)
		kern.RaceRead(y)
	}
	return dotI8(unsafe.SliceData(x), unsafe.SliceData(y), len(x))
}

// DotU8 is [DotI8] of unsigned bytes, exact up to 2^47 elements.
//
// It panics when the lengths differ.
func DotU8(x, y []uint8) int64 {
	if len(x) != len(y) {
		panic(unequal{dotU8Lengths, len(x), len(y)})
	}
	if kern.Race {
		kern.RaceRead(x)
		kern.RaceRead(y)
	}
	return dotU8(unsafe.SliceData(x), unsafe.SliceData(y), len(x))
}

// L2I8 returns the squared Euclidean distance Σ (x[i]−y[i])², which is exact up to 2^47 elements, 0
// when the slices are empty. x and y may overlap in any way.
//
// It panics when the lengths differ.
func L2I8(x, y []int8) int64 {
	if len(x) != len(y) {
		panic(unequal{l2I8Lengths, len(x), len(y)})
	}
	if kern.Race {
		kern.RaceRead(x)
		kern.RaceRead(y)
	}
	return l2I8(unsafe.SliceData(x), unsafe.SliceData(y), len(x))
}

// L2U8 is [L2I8] of unsigned bytes.
//
// It panics when the lengths differ.
func L2U8(x, y []uint8) int64 {
	if len(x) != len(y) {
		panic(unequal{l2U8Lengths, len(x), len(y)})
	}
	if kern.Race {
		kern.RaceRead(x)
		kern.RaceRead(y)
	}
	return l2U8(unsafe.SliceData(x), unsafe.SliceData(y), len(x))
}

// CosineI8 returns the cosine of the angle between x and y, x·y / √((x·x)·(y·y)), where the three
// products are those of [DotI8] and the rest is computed in float64, operation by operation, and
// rounded to float32. It is 0 when the divisor is 0, as with a vector of zeros. x and y may overlap
// in any way.
//
// It panics when the lengths differ.
func CosineI8(x, y []int8) float32 {
	if len(x) != len(y) {
		panic(unequal{cosineI8Lengths, len(x), len(y)})
	}
	if kern.Race {
		kern.RaceRead(x)
		kern.RaceRead(y)
	}
	return cosineI8(unsafe.SliceData(x), unsafe.SliceData(y), len(x))
}

// CosineU8 is [CosineI8] of unsigned bytes.
//
// It panics when the lengths differ.
func CosineU8(x, y []uint8) float32 {
	if len(x) != len(y) {
		panic(unequal{cosineU8Lengths, len(x), len(y)})
	}
	if kern.Race {
		kern.RaceRead(x)
		kern.RaceRead(y)
	}
	return cosineU8(unsafe.SliceData(x), unsafe.SliceData(y), len(x))
}

// The sums of blocks of slices longer than kern.BlockLen. On amd64 the dispatch calls these for
// shorter ones, too, when the goroutine is to be preempted.

func l2F64Long(x, y []float64) (sum float64) {
	for at := 0; at < len(x); at += kern.BlockLen {
		end := min(at+kern.BlockLen, len(x))
		sum += L2F64(x[at:end], y[at:end])
	}
	return sum
}

func l2F32Long(x, y []float32) (sum float32) {
	for at := 0; at < len(x); at += kern.BlockLen {
		end := min(at+kern.BlockLen, len(x))
		sum += L2F32(x[at:end], y[at:end])
	}
	return sum
}

func l2F32WideLong(x, y []float32) (sum float64) {
	for at := 0; at < len(x); at += kern.BlockLen {
		end := min(at+kern.BlockLen, len(x))
		sum += L2F32Wide(x[at:end], y[at:end])
	}
	return sum
}

// DotF64 cuts into blocks by itself.
func cosineF64Long(x, y []float64) float64 {
	return cosineOfF64(DotF64(x, y), DotF64(x, x), DotF64(y, y))
}

func cosineF32Long(x, y []float32) float32 {
	return cosineOf(DotF32(x, y), DotF32(x, x), DotF32(y, y))
}

func cosineF32WideLong(x, y []float32) float64 {
	return cosineOfF64(DotF32Wide(x, y), DotF32Wide(x, x), DotF32Wide(y, y))
}

func dotI8Long(x, y []int8) (sum int64) {
	for at := 0; at < len(x); at += kern.BlockLen {
		end := min(at+kern.BlockLen, len(x))
		sum += DotI8(x[at:end], y[at:end])
	}
	return sum
}

func dotU8Long(x, y []uint8) (sum int64) {
	for at := 0; at < len(x); at += kern.BlockLen {
		end := min(at+kern.BlockLen, len(x))
		sum += DotU8(x[at:end], y[at:end])
	}
	return sum
}

func l2I8Long(x, y []int8) (sum int64) {
	for at := 0; at < len(x); at += kern.BlockLen {
		end := min(at+kern.BlockLen, len(x))
		sum += L2I8(x[at:end], y[at:end])
	}
	return sum
}

func l2U8Long(x, y []uint8) (sum int64) {
	for at := 0; at < len(x); at += kern.BlockLen {
		end := min(at+kern.BlockLen, len(x))
		sum += L2U8(x[at:end], y[at:end])
	}
	return sum
}

func cosineI8Long(x, y []int8) float32 {
	return cosineOf(DotI8(x, y), DotI8(x, x), DotI8(y, y))
}

func cosineU8Long(x, y []uint8) float32 {
	return cosineOf(DotU8(x, y), DotU8(x, x), DotU8(y, y))
}

func hammingBitsLong(x, y []uint64) (sum int64) {
	for at := 0; at < len(x); at += kern.BlockLen {
		end := min(at+kern.BlockLen, len(x))
		sum += HammingBits(x[at:end], y[at:end])
	}
	return sum
}

func jaccardBitsLong(x, y []uint64) (both, either int64) {
	for at := 0; at < len(x); at += kern.BlockLen {
		end := min(at+kern.BlockLen, len(x))
		b, e := jaccardBits(&x[at], &y[at], end-at)
		both, either = both+b, either+e
	}
	return both, either
}
