package kernels

import (
	"math"

	"github.com/simdrank/simdrank/internal/kern"
	"github.com/simdrank/simdrank/internal/order"
)

// ArgsortWork is the workspace of [ArgsortF64], 16 bytes per value. The zero value is ready for
// use; it grows to the longest slice that it meets, after which sorting allocates nothing. It is
// not safe for concurrent use.
type ArgsortWork struct{ work order.ArgsortWork }

// ArgsortF64 sets dst to the indices of x in ascending order of their values: dst[r] is the index
// of the value that has rank r. Equal values stand in ascending order of their indices. −0 equals
// +0; NaNs come last and equal each other. It takes O(n log n) operations on any input. dst may
// overlap x.
//
// It panics if the lengths differ, if x has more than 2³¹−1 elements, and if work is nil.
func ArgsortF64(dst []int32, x []float64, work *ArgsortWork) {
	switch {
	case len(dst) != len(x):
		panic(kern.Lengths("kernels: ArgsortF64: len(dst) and len(x) differ", len(dst), len(x)))
	case len(x) > math.MaxInt32:
		panic(kern.Lengths("kernels: ArgsortF64: len(x) is more than an index can be", len(x), math.MaxInt32))
	case work == nil:
		panic(kern.NilError("kernels: ArgsortF64: work"))
	}
	for r, k := range work.work.Sort(x, nil, nil) {
		dst[r] = int32(order.KeyIndex(k))
	}
}
