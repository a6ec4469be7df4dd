//go:build !(linux || darwin || freebsd || netbsd || openbsd)

package testkit

import (
	"testing"
	"unsafe"
)

// alloc makes a plain buffer, aligned to 64 bytes: here only the canaries watch.
func alloc(size, _ int) (mem []byte, free func(), err error) {
	all := make([]byte, size+64)
	skip := -int(uintptr(unsafe.Pointer(&all[0]))) & 63
	return all[skip : skip+size : skip+size], func() {}, nil
}

// Pages reports whether reads beyond a Buffer fault here; where they do not,
// only the canaries watch.
const Pages = false

// NeedFaults skips: memory does not fault here.
func NeedFaults(tb testing.TB) { tb.Skip("files are not mapped here, or cannot be cut then") }
