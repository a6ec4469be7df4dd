package testkit

import (
	"bytes"
	"fmt"
	"os"
	"testing"
	"unsafe"
)

// canary fills what no kernel may use. As a float it is a NaN, so that reading
// it shows in a result; as an integer it is −1.
const canary = 0xff

// A Buffer is memory for one operand of a kernel at a time. If the operating system supports it
// (Linux, macOS, the BSDs), accesses to the pages before and after it fault.
type Buffer struct {
	mem  []byte // between the guard pages
	used []byte // the part that the last slice covers
}

// NewBuffer returns a Buffer for slices of up to size bytes, at any place. It is freed at the end
// of the test.
func NewBuffer(tb testing.TB, size int) *Buffer {
	tb.Helper()
	page := 64
	if Pages {
		page = os.Getpagesize()
	}
	size = (size + 128 + page - 1) / page * page
	mem, free, err := alloc(size, page)
	if err != nil {
		tb.Fatalf("guard: %v", err)
	}
	tb.Cleanup(free)
	return &Buffer{mem: mem}
}

// A Place is the position of a slice in its Buffer.
type Place struct {
	End    bool // the slice ends at the second guard page; otherwise it begins after the first one
	Offset int  // distance from that guard page in bytes, at most 128
}

// Places returns the places at which a kernel must be tested: next to both guard pages, and at
// every misalignment within a 64-byte vector of elements with the given size.
func Places(elem int) []Place {
	var p []Place
	for off := 0; off < 64; off += elem {
		p = append(p, Place{End: false, Offset: off}, Place{End: true, Offset: off})
	}
	return p
}

func (p Place) String() string {
	if p.End {
		return fmt.Sprintf("ending %d bytes before a guard page", p.Offset)
	}
	return fmt.Sprintf("starting %d bytes after a guard page", p.Offset)
}

// Copy fills the buffer with canaries, copies src to p and returns the copy. It overwrites the copy
// of an earlier call.
func Copy[T any](b *Buffer, src []T, p Place) []T {
	var zero T
	n := len(src) * int(unsafe.Sizeof(zero))
	start := p.Offset
	if p.End {
		start = len(b.mem) - n - p.Offset
	}
	if start < 0 || start+n > len(b.mem) {
		panic(fmt.Sprintf("guard: %d bytes at offset %d do not fit into a buffer of %d bytes", n, p.Offset, len(b.mem)))
	}
	b.mem[0] = canary
	for i := 1; i < len(b.mem); i *= 2 {
		copy(b.mem[i:], b.mem[:i])
	}
	b.used = b.mem[start : start+n]
	s := unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b.mem[start:]))), len(src))
	copy(s, src)
	return s
}

// Check returns an error if a canary around the last copy has changed.
func (b *Buffer) Check() error {
	start := int(uintptr(unsafe.Pointer(unsafe.SliceData(b.used))) - uintptr(unsafe.Pointer(&b.mem[0])))
	end := start + len(b.used)
	// Count is fast; the loop is for the message.
	if c := []byte{canary}; bytes.Count(b.mem[:start], c)+bytes.Count(b.mem[end:], c) == len(b.mem)-len(b.used) {
		return nil
	}
	for i := start - 1; i >= 0; i-- {
		if b.mem[i] != canary {
			return fmt.Errorf("byte %d before the slice was written", start-i)
		}
	}
	for i := end; ; i++ {
		if b.mem[i] != canary {
			return fmt.Errorf("byte %d after the slice was written", i-end)
		}
	}
}

// Beyond returns s extended by n elements. If s ends at the guard page, these lie within it, as for
// a kernel that reads too far.
func Beyond[T any](s []T, n int) []T { return unsafe.Slice(unsafe.SliceData(s), len(s)+n) }
