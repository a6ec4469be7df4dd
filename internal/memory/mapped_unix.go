//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package memory

import (
	"os"
	"syscall"
)

func open(f *os.File, size int, write bool) (*File, error) {
	prot := syscall.PROT_READ
	if write {
		prot |= syscall.PROT_WRITE
	}
	b, err := syscall.Mmap(int(f.Fd()), 0, size, prot, syscall.MAP_SHARED)
	if err != nil {
		return nil, err
	}
	return &File{Bytes: b, unmap: func() error { return syscall.Munmap(b) }}, nil
}
