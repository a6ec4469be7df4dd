package memory

import (
	"fmt"
	"math"
)

// rowAlign is the number of float32 values that rows are padded to: 64 bytes, a cache line and a
// full AVX-512 register.
const rowAlign = 16

// Stride returns the number of float32 values from one row to the next in a matrix of cols columns:
// cols rounded up to a multiple of 16. It panics if the result overflows an int.
func Stride(cols int) int {
	if cols > math.MaxInt-rowAlign {
		panic(fmt.Sprintf("%d columns are more than this machine can address", cols))
	}
	return (cols + rowAlign - 1) / rowAlign * rowAlign
}

// Matrix returns zeros for rows of stride values each. It panics if this machine cannot address
// them.
func Matrix(rows, stride int) []float32 {
	n, ok := Product(rows, stride)
	if !ok || n > math.MaxInt/4 {
		panic(fmt.Sprintf("%d rows of %d values are more than this machine can address", rows, stride))
	}
	return Make[float32](n)
}

// Sum returns the sum of two counts. It returns false if one of them is negative or if the sum
// overflows an int.
func Sum(a, b int) (sum int, ok bool) {
	sum = a + b
	return sum, a >= 0 && b >= 0 && sum >= 0
}

// Product is like [Sum] but for the product of two counts.
func Product(a, b int) (product int, ok bool) {
	product = a * b
	return product, a >= 0 && b >= 0 && (a == 0 || product/a == b && product >= 0)
}
