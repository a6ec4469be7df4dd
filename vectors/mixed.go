package vectors

import "github.com/simdrank/simdrank/internal/kern"

// dotWidenedLong returns the float32 dot product of vectors that are longer than a block, in the
// order of operations of DotF32. It is plain Go, because such calls are rare.
func dotWidenedLong[T int8 | uint8](x, y []T) float32 {
	sum := dotWidened(x[:kern.BlockLen], y[:kern.BlockLen])
	for i := kern.BlockLen; i < len(x); i += kern.BlockLen {
		end := min(i+kern.BlockLen, len(x))
		sum += dotWidened(x[i:end], y[i:end])
	}
	return sum
}
