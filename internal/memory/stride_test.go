package memory

import (
	"fmt"
	"math"
	"testing"
)

func TestSumAndProduct(t *testing.T) {
	for _, c := range []struct {
		a, b         int
		sum, product bool
	}{
		{0, 0, true, true}, {3, 4, true, true}, {0, math.MaxInt, true, true}, {math.MaxInt, 0, true, true},
		{1, math.MaxInt, false, true}, {math.MaxInt, 1, false, true}, {math.MaxInt, math.MaxInt, false, false},
		{2, math.MaxInt / 2, true, true}, {2, math.MaxInt/2 + 1, true, false}, {16, math.MaxInt/8 + 1, true, false},
		{-1, 3, false, false}, {3, -1, false, false}, {-2, -2, false, false}, {math.MinInt, -1, false, false},
	} {
		t.Run(fmt.Sprint(c.a, c.b), func(t *testing.T) {
			if n, ok := Sum(c.a, c.b); ok != c.sum || ok && n != c.a+c.b {
				t.Errorf("sum %d, %v", n, ok)
			}
			if n, ok := Product(c.a, c.b); ok != c.product || ok && n != c.a*c.b {
				t.Errorf("product %d, %v", n, ok)
			}
		})
	}
}

// Sizes that wrap around are no small slices.
func TestMatrix(t *testing.T) {
	if x := Matrix(3, Stride(17)); len(x) != 96 {
		t.Errorf("%d values", len(x))
	}
	for _, c := range []struct {
		name string
		do   func()
	}{
		{"no product", func() { Matrix(16, math.MaxInt/8+1) }},
		{"bytes", func() { Matrix(1, math.MaxInt/4+1) }},
		{"negative", func() { Matrix(-1, 16) }},
		{"stride", func() { Stride(math.MaxInt - 3) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			c.do()
		})
	}
}
