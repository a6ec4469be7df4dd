package kernels

import (
	"math"

	"github.com/simdrank/simdrank/internal/kern"
	"github.com/simdrank/simdrank/internal/order"
)

// ArgsortF64 sets dst to the indices of x, sorted by ascending value. Thus dst[r] is the index of
// the value with rank r. Ties are sorted by ascending index. −0 equals +0. NaNs come last and are
// tied. It runs in O(n log n) time for any input of n values. dst may overlap x.
//
// It panics if the lengths differ or if x has more than 2³¹−1 elements.
func ArgsortF64(dst []int32, x []float64, work *Work) {
	switch {
	case len(dst) != len(x):
		panic(kern.Lengths("kernels: ArgsortF64: len(dst) and len(x) differ: %d and %d", len(dst), len(x)))
	case len(x) > math.MaxInt32:
		panic(kern.Lengths("kernels: ArgsortF64: len(x) is %d; the limit is %d", len(x), math.MaxInt32))
	}
	for r, k := range work.given().argsort.Sort(x, nil, nil) {
		dst[r] = int32(order.KeyIndex(k))
	}
}
