//go:build unix

package mapped

import (
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

func open(f *os.File, size int, write bool) (*File, error) {
	prot := unix.PROT_READ
	if write {
		prot |= unix.PROT_WRITE
	}
	b, err := unix.Mmap(int(f.Fd()), 0, size, prot, unix.MAP_SHARED)
	if err != nil {
		return nil, err
	}
	return &File{Bytes: b, unmap: func() error { return unix.Munmap(b) }}, nil
}

// Sequential tells the operating system that a part of a mapped file will be read from its start to
// its end, perhaps several times: it then reads farther ahead.
func Sequential(b []byte) {
	if len(b) == 0 {
		return
	}
	// Advice is for whole pages. An error changes nothing.
	before := uintptr(unsafe.Pointer(unsafe.SliceData(b))) & uintptr(os.Getpagesize()-1)
	if after := uintptr(os.Getpagesize()) - before; before > 0 && after < uintptr(len(b)) {
		b = b[after:]
	}
	_ = unix.Madvise(b, unix.MADV_SEQUENTIAL)
}
