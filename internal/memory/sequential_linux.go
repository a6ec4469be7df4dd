package memory

import (
	"os"
	"syscall"
	"unsafe"
)

// Sequential tells the operating system that a part of a mapped file will be read sequentially,
// perhaps several times, so that it reads further ahead. It uses package syscall instead of x/sys,
// which contains assembly that a purego build must not have.
func Sequential(b []byte) {
	if len(b) == 0 {
		return
	}
	// Advice applies to whole pages. An error has no consequence.
	before := uintptr(unsafe.Pointer(unsafe.SliceData(b))) & uintptr(os.Getpagesize()-1)
	if after := uintptr(os.Getpagesize()) - before; before > 0 && after < uintptr(len(b)) {
		b = b[after:]
	}
	_ = syscall.Madvise(b, syscall.MADV_SEQUENTIAL)
}
