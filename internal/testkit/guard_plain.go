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

// Pages reports whether reads beyond a Buffer fault on this system. If not, only the canaries
// detect errors.
const Pages = false

// NeedFaults skips the test, because memory does not fault here.
func NeedFaults(tb testing.TB) { tb.Skip("files are not mapped here, or cannot be cut then") }
