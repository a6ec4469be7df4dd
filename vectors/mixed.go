package vectors

import "github.com/simdrank/simdrank/internal/kern"

// I4x2 is a pair of signed integers of four bits, −8 to 7: the first in the lower half of the byte,
// the second in the upper one, as ONNX packs INT4. In a vector of odd length the last half is 0,
// which adds nothing to a product or a distance.
type I4x2 uint8

// NewI4x2 returns the pair of the lower four bits of each.
func NewI4x2(first, second int8) I4x2 { return I4x2(first&15) | I4x2(second)<<4 }

// Int8 returns the two integers.
func (v I4x2) Int8() (first, second int8) { return int8(v<<4) >> 4, int8(v) >> 4 }

// dotWidenedLong returns x·y in float32, in the order of DotF32, for vectors of more than a block.
// It is in plain Go because few calls come here.
func dotWidenedLong[T int8 | uint8](x, y []T) float32 {
	sum := dotWidened(x[:kern.BlockLen], y[:kern.BlockLen])
	for i := kern.BlockLen; i < len(x); i += kern.BlockLen {
		end := min(i+kern.BlockLen, len(x))
		sum += dotWidened(x[i:end], y[i:end])
	}
	return sum
}
