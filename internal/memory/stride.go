package memory

import (
	"fmt"
	"math"
)

// rowAlign is the number of float32 values that rows are padded to: 64 bytes, a cache line and a
// full AVX-512 register.
const rowAlign = 16

// Stride returns the number of float32 values from one row to the next of a matrix of so many
// columns: cols rounded up to 16. It panics if no int holds that.
func Stride(cols int) int {
	if cols > math.MaxInt-rowAlign {
		panic(fmt.Sprintf("%d columns are more than this machine can address", cols))
	}
	return (cols + rowAlign - 1) / rowAlign * rowAlign
}

// Matrix returns the zeros of so many rows of stride values each. It panics if they are more than
// this machine can address.
func Matrix(rows, stride int) []float32 {
	n, ok := Product(rows, stride)
	if !ok || n > math.MaxInt/4 {
		panic(fmt.Sprintf("%d rows of %d values are more than this machine can address", rows, stride))
	}
	return Make[float32](n)
}

// Sum returns the sum of two counts, and reports whether both are counts, which are not negative,
// and an int holds the sum.
func Sum(a, b int) (sum int, ok bool) {
	sum = a + b
	return sum, a >= 0 && b >= 0 && sum >= 0
}

// Product is [Sum] for the product of two counts.
func Product(a, b int) (product int, ok bool) {
	product = a * b
	return product, a >= 0 && b >= 0 && (a == 0 || product/a == b && product >= 0)
}
