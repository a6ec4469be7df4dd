package testkit

import (
	"fmt"
	"math"
	"runtime"
	"testing"

	"github.com/simdrank/simdrank/internal/kern"
)

// DotSpec computes a dot product in the documented order of operations. width is 8 for float64 and
// 16 for float32, and fma rounds to that type.
func DotSpec[T float32 | float64](x, y []T, width int, fma func(x, y, z T) T) T {
	if len(x) > kern.BlockLen {
		sum := DotSpec(x[:kern.BlockLen], y[:kern.BlockLen], width, fma)
		for x, y = x[kern.BlockLen:], y[kern.BlockLen:]; len(x) > 0; {
			n := min(kern.BlockLen, len(x))
			sum += DotSpec(x[:n], y[:n], width, fma)
			x, y = x[n:], y[n:]
		}
		return sum
	}
	// Lanes without an element are nil and take no part.
	lanes := make([]*T, 4*width)
	for i := range x {
		if l := lanes[i%len(lanes)]; l == nil {
			product := T(x[i] * y[i])
			lanes[i%len(lanes)] = &product
		} else {
			*l = fma(x[i], y[i], *l)
		}
	}
	add := func(a, b *T) *T {
		if a == nil {
			return b
		}
		if b == nil {
			return a
		}
		s := *a + *b
		return &s
	}
	for k := range width {
		lanes[k] = add(add(lanes[k], lanes[width+k]), add(lanes[2*width+k], lanes[3*width+k]))
	}
	for ; width > 1; width /= 2 {
		for k := range width / 2 {
			lanes[k] = add(lanes[k], lanes[width/2+k])
		}
	}
	if lanes[0] == nil {
		return 0
	}
	return *lanes[0]
}

// DotSpecF64 is like DotSpec but for float64.
func DotSpecF64(x, y []float64) float64 { return DotSpec(x, y, 8, math.FMA) }

// DotSpecF32 is like DotSpec but for float32.
func DotSpecF32(x, y []float32) float32 { return DotSpec(x, y, 16, FMAF32) }

// FMAF32 returns x·y + z rounded once.
func FMAF32(x, y, z float32) float32 {
	p, w := float64(float64(x)*float64(y)), float64(z)
	s := p + w
	if kern.IsMidpoint(s) {
		s = kern.RoundToOdd(p, w, s)
	}
	return float32(s)
}

// DotEntry describes a kernel that takes two vectors and returns a number.
func DotEntry[T, S float32 | float64](name string, call, spec func(x, y []T) S) Entry {
	run := func(f func(x, y []T) S) func(a []any) {
		return func(a []any) { a[2].([]S)[0] = f(a[0].([]T), a[1].([]T)) }
	}
	return Entry{
		Name:   name,
		Args:   func(d *Draw, n int) []any { return []any{Drawn[T](d, n), Drawn[T](d, n), Drawn[S](d, 1)} },
		Call:   run(call),
		Spec:   run(spec),
		Writes: []int{2},
	}
}

// Wide converts to float64, exactly.
func Wide(x []float32) []float64 {
	w := make([]float64, len(x))
	for i, v := range x {
		w[i] = float64(v)
	}
	return w
}

// Minus returns the rounded differences a − b.
func Minus[T float32 | float64](a, b []T) []T {
	d := make([]T, len(a))
	for i := range d {
		d[i] = a[i] - b[i]
	}
	return d
}

// Drawn returns d.F64s or d.F32s.
func Drawn[T float32 | float64](d *Draw, n int) []T {
	if _, wide := any(T(0)).(float64); wide {
		return any(d.F64s(n)).([]T)
	}
	return any(d.F32s(n)).([]T)
}

// A Matrix is the shape of a row-major matrix.
type Matrix struct{ Rows, Cols, Stride int }

// Elements returns the number of elements up to the end of the last row.
func (m Matrix) Elements() int { return max(0, m.Rows-1)*m.Stride + min(1, m.Rows)*m.Cols }

// MatrixOf returns a random shape with n columns: any number of rows, half of the time with padding
// between them.
func MatrixOf(d *Draw, n int) Matrix {
	m := Matrix{Rows: d.IntN(20), Cols: n, Stride: n}
	if n > 1000 {
		m.Rows = d.IntN(3)
	}
	if d.IntN(2) == 0 {
		m.Stride += d.IntN(20)
	}
	return m
}

// MustPanic calls f, a kernel, and returns the text of its panic, which must be a [runtime.Error].
func MustPanic(t *testing.T, what string, f func()) (text string) {
	t.Helper()
	defer func() {
		p := recover()
		if p == nil {
			t.Errorf("%s: no panic", what)
			return
		}
		if _, ok := p.(runtime.Error); !ok {
			t.Errorf("%s: panic with a %T", what, p)
		}
		text = fmt.Sprint(p)
	}()
	f()
	return ""
}
