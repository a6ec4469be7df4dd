// Package kern contains shared code of the kernel packages: the checks and panics of their
// contracts, block lengths, parts of the reference implementations in Go, and race detector
// annotations.
package kern

import (
	"fmt"
	"math"
	"math/bits"
	"unsafe"
)

// BlockLen is the number of vector elements per call of a kernel. The scheduler cannot preempt
// assembly, and 65536 elements take a few microseconds. Dot products add whole blocks in order, so
// BlockLen is part of their order of operations.
const BlockLen = 1 << 16

// Error is the value that a kernel panics with if its arguments are invalid. Like an index out of
// range, it is a [runtime.Error]. It begins with the name of the kernel, preceded by the package
// name if the package is public: "kernels: DotF64: …".
type Error string

func (e Error) Error() string { return string(e) }

// RuntimeError marks e as a [runtime.Error].
func (Error) RuntimeError() {}

// Lengths returns the error for two lengths that do not match, or for a length that exceeds its
// limit. The format names the kernel and prints both numbers. The parameters are not variadic, so
// that kernels that call Lengths can be inlined.
func Lengths(format string, a, b int) Error { return Error(fmt.Sprintf(format, a, b)) }

// Value is like [Lengths] but for a parameter that is out of range.
func Value(format string, v float64) Error { return Error(fmt.Sprintf(format, v)) }

// Overlaps reports whether s and t share memory.
func Overlaps[S, T any](s []S, t []T) bool {
	if len(s) == 0 || len(t) == 0 {
		return false
	}
	a, b := uintptr(unsafe.Pointer(&s[0])), uintptr(unsafe.Pointer(&t[0]))
	return a < b+uintptr(len(t))*unsafe.Sizeof(t[0]) && b < a+uintptr(len(s))*unsafe.Sizeof(s[0])
}

// Shifted reports whether s and t, which have the same length, share memory without being the same
// slice.
func Shifted[T any](s, t []T) bool {
	if len(s) == 0 {
		return false
	}
	d := uintptr(unsafe.Pointer(&s[0])) - uintptr(unsafe.Pointer(&t[0]))
	n := uintptr(len(s)) * unsafe.Sizeof(s[0])
	return d != 0 && (d < n || -d < n)
}

// RowsOf returns how many rows have about n elements in total. If the matrix has at most n
// elements, it returns all rows without a division.
func RowsOf(n, rows, cols int) int {
	if hi, lo := bits.Mul(uint(rows), uint(cols)); hi == 0 && lo <= uint(n) {
		return max(1, rows)
	}
	return max(1, n/max(1, cols))
}

// CheckMatrix panics on behalf of a kernel if the rows of a matrix exceed a or if dst overlaps a.
func CheckMatrix[V, M any](kernel string, dst []V, a []M, rows, cols, stride int) {
	switch {
	case stride < cols:
		panic(Lengths(kernel+": stride is %d; it must be at least cols, %d", stride, cols))
	case !Holds(len(a), rows, cols, stride):
		panic(Error(fmt.Sprintf("%s: a has %d elements, too few for %d rows of %d columns with stride %d", kernel, len(a),
			rows, cols, stride)))
	case Overlaps(dst, a):
		panic(Error(kernel + ": dst overlaps a"))
	}
}

// Holds reports whether n elements are sufficient for the given number of rows, which do not
// overlap.
func Holds(n, rows, cols, stride int) bool {
	hi, lo := bits.Mul(uint(rows-1), uint(stride))
	return stride >= cols && (rows == 0 || n >= cols && hi == 0 && lo <= uint(n-cols))
}

// FloatKey returns an integer that orders like the value: a < b if and only if FloatKey(a) <
// FloatKey(b). −0 has the key of +0. The key of a NaN is above or below all others, by its sign.
func FloatKey(v float32) int32 {
	b := int32(math.Float32bits(v + 0))
	return b ^ b>>31&math.MaxInt32
}
