package metrics

import (
	"sync"

	"github.com/simdrank/simdrank/internal/num"
)

// Discount maps the rank of a document to the weight of its gain. Package rank defines the names of
// its values.
type Discount uint8

const (
	DiscountLog2     Discount = iota // 1/log₂(i+1) for rank i, counted from 1
	DiscountPosition                 // 1/i
	DiscountLETOR                    // 1 at ranks 1 and 2, then 1/log₂(i)
)

// discountTable returns the weights of ranks 1 to n, at indices 0 to n−1.
func discountTable(d Discount, n int) []float64 {
	t := make([]float64, n)
	if d == DiscountPosition {
		for i := range t {
			t[i] = 1 / float64(i+1)
		}
		return t
	}
	logs := num.Log2Integers(n + 1)
	for i := range t {
		switch {
		case d == DiscountLog2:
			t[i] = 1 / logs[i+2]
		case i < 2:
			t[i] = 1
		default:
			t[i] = 1 / logs[i+1]
		}
	}
	return t
}

// smallTables returns the discounts of short lists, computed once.
var smallTables = [...]func() []float64{
	DiscountLog2:     sync.OnceValue(func() []float64 { return discountTable(DiscountLog2, SmallTable) }),
	DiscountPosition: sync.OnceValue(func() []float64 { return discountTable(DiscountPosition, SmallTable) }),
	DiscountLETOR:    sync.OnceValue(func() []float64 { return discountTable(DiscountLETOR, SmallTable) }),
}

// SmallTable is the number of ranks whose discounts are cached.
const SmallTable = 2048

// Discounts returns the weights of at least n ranks. The caller must not modify them. Up to
// [SmallTable] ranks are computed once.
func Discounts(d Discount, n int) []float64 {
	if n <= SmallTable {
		return smallTables[d]()
	}
	return discountTable(d, n)
}
