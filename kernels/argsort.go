package kernels

import (
	"cmp"
	"math"
	"slices"

	"github.com/simdrank/simdrank/internal/kern"
	"github.com/simdrank/simdrank/internal/order"
)

// ArgsortF64 sets keys so that order.KeyIndex(keys[r]) is the index in x of the value that has
// rank r in ascending order, equal values in the order of their indices. −0 equals
// +0; NaNs go to either end. tmp is scratch of the same length that must not overlap keys.
func ArgsortF64(keys, tmp []int64, x []float64) {
	if len(keys) != len(x) {
		panic(kern.Lengths("ArgsortF64: lengths of keys and x", len(keys), len(x)))
	}
	if len(x) == 0 {
		return
	}
	least, most := ascendingKey(x[0]), ascendingKey(x[0])
	for _, v := range x {
		k := ascendingKey(v)
		least, most = min(least, k), max(most, k)
	}
	// The 32 leading bits in which the values differ, above the index.
	shift := 0
	for (most-least)>>shift >= 1<<32 {
		shift++
	}
	for i, v := range x {
		keys[i] = (int64((ascendingKey(v)-least)>>shift)-1<<31)<<32 | int64(i)
	}
	order.SortKeys(keys, tmp)
	if shift == 0 {
		return
	}
	// Values that agree in those bits stand next to each other.
	for from := 0; from < len(keys); {
		to := from + 1
		for to < len(keys) && order.KeyTied(keys[to], keys[from]) {
			to++
		}
		if to-from > 1 {
			slices.SortFunc(keys[from:to], func(a, b int64) int {
				if c := cmp.Compare(x[order.KeyIndex(a)], x[order.KeyIndex(b)]); c != 0 {
					return c
				}
				return cmp.Compare(a, b)
			})
		}
		from = to
	}
}

// ascendingKey maps floats to integers in the same order; both zeros have one key.
func ascendingKey(v float64) uint64 {
	b := math.Float64bits(v + 0)
	return b ^ (uint64(int64(b)>>63) | 1<<63)
}
