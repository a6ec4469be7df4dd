package kernels

import "github.com/simdrank/simdrank/internal/kern"

// unequal is what a kernel of two vectors panics with when their lengths differ: which kernel, and
// the lengths. It is an array because the compiler counts the fields that the literal of a struct
// names, with which the exported functions would be too long to be inlined. They are as long as
// they may be, which a test of ci/lint asserts; longer ones take kern.Lengths.
type unequal [3]int

func (e unequal) Error() string {
	return kern.LengthError{What: whatDiffers[e[0]], A: e[1], B: e[2]}.Error()
}

const (
	dotF64Lengths = iota
	dotF32Lengths
	dotF32WideLengths
	l2F64Lengths
	l2F32Lengths
	l2F32WideLengths
	cosineF64Lengths
	cosineF32Lengths
	cosineF32WideLengths
	hammingBitsLengths
	dotI8Lengths
	dotU8Lengths
	l2I8Lengths
	l2U8Lengths
	cosineI8Lengths
	cosineU8Lengths
	dotF16Lengths
	dotBF16Lengths
	l2F16Lengths
	l2BF16Lengths
	cosineF16Lengths
	cosineBF16Lengths
	dotF32F16Lengths
	dotF32BF16Lengths
	dotF32I8Lengths
	dotF32U8Lengths
	l2F32F16Lengths
	l2F32BF16Lengths
	l2F32I8Lengths
	l2F32U8Lengths
	cosineF32F16Lengths
	cosineF32BF16Lengths
	cosineF32I8Lengths
	cosineF32U8Lengths
	dotI4Lengths
	l2I4Lengths
)

var whatDiffers = [...]string{
	dotF64Lengths:        "DotF64: len(x) and len(y) differ",
	dotF32Lengths:        "DotF32: len(x) and len(y) differ",
	dotF32WideLengths:    "DotF32Wide: len(x) and len(y) differ",
	l2F64Lengths:         "L2F64: len(x) and len(y) differ",
	l2F32Lengths:         "L2F32: len(x) and len(y) differ",
	l2F32WideLengths:     "L2F32Wide: len(x) and len(y) differ",
	cosineF64Lengths:     "CosineF64: len(x) and len(y) differ",
	cosineF32Lengths:     "CosineF32: len(x) and len(y) differ",
	cosineF32WideLengths: "CosineF32Wide: len(x) and len(y) differ",
	hammingBitsLengths:   "HammingBits: len(x) and len(y) differ",
	dotI8Lengths:         "DotI8: len(x) and len(y) differ",
	dotU8Lengths:         "DotU8: len(x) and len(y) differ",
	l2I8Lengths:          "L2I8: len(x) and len(y) differ",
	l2U8Lengths:          "L2U8: len(x) and len(y) differ",
	cosineI8Lengths:      "CosineI8: len(x) and len(y) differ",
	cosineU8Lengths:      "CosineU8: len(x) and len(y) differ",
	dotF16Lengths:        "DotF16: len(x) and len(y) differ",
	dotBF16Lengths:       "DotBF16: len(x) and len(y) differ",
	l2F16Lengths:         "L2F16: len(x) and len(y) differ",
	l2BF16Lengths:        "L2BF16: len(x) and len(y) differ",
	cosineF16Lengths:     "CosineF16: len(x) and len(y) differ",
	cosineBF16Lengths:    "CosineBF16: len(x) and len(y) differ",
	dotF32F16Lengths:     "DotF32F16: len(q) and len(x) differ",
	dotF32BF16Lengths:    "DotF32BF16: len(q) and len(x) differ",
	dotF32I8Lengths:      "DotF32I8: len(q) and len(x) differ",
	dotF32U8Lengths:      "DotF32U8: len(q) and len(x) differ",
	l2F32F16Lengths:      "L2F32F16: len(q) and len(x) differ",
	l2F32BF16Lengths:     "L2F32BF16: len(q) and len(x) differ",
	l2F32I8Lengths:       "L2F32I8: len(q) and len(x) differ",
	l2F32U8Lengths:       "L2F32U8: len(q) and len(x) differ",
	cosineF32F16Lengths:  "CosineF32F16: len(q) and len(x) differ",
	cosineF32BF16Lengths: "CosineF32BF16: len(q) and len(x) differ",
	cosineF32I8Lengths:   "CosineF32I8: len(q) and len(x) differ",
	cosineF32U8Lengths:   "CosineF32U8: len(q) and len(x) differ",
	dotI4Lengths:         "DotI4: len(x) and len(y) differ",
	l2I4Lengths:          "L2I4: len(x) and len(y) differ",
}
