package kernels

import (
	"fmt"
	"unsafe"
)

// blockLen is how many elements of a vector one call of a kernel takes: the
// scheduler cannot preempt assembly, and 65536 elements are some microseconds.
// Dot products add whole blocks in order, which makes the number a part of
// their order of operations.
const blockLen = 1 << 16

// lengthError is what a kernel panics with when two lengths do not match.
type lengthError struct {
	what string
	a, b int
}

func (e lengthError) Error() string { return fmt.Sprintf("kernels: %s: %d and %d", e.what, e.a, e.b) }

// overlapError is what a kernel panics with when dst overlaps an input so that
// the order of its loop would show in the result.
type overlapError string

func (e overlapError) Error() string { return "kernels: " + string(e) }

// overlaps reports whether s and t share memory.
func overlaps[S, T any](s []S, t []T) bool {
	if len(s) == 0 || len(t) == 0 {
		return false
	}
	a, b := uintptr(unsafe.Pointer(&s[0])), uintptr(unsafe.Pointer(&t[0]))
	return a < b+uintptr(len(t))*unsafe.Sizeof(t[0]) && b < a+uintptr(len(s))*unsafe.Sizeof(s[0])
}

// shifted reports whether s and t, of equal length, share memory without being
// the same slice.
func shifted[T any](s, t []T) bool {
	if len(s) == 0 {
		return false
	}
	d := uintptr(unsafe.Pointer(&s[0])) - uintptr(unsafe.Pointer(&t[0]))
	n := uintptr(len(s)) * unsafe.Sizeof(s[0])
	return d != 0 && (d < n || -d < n)
}
