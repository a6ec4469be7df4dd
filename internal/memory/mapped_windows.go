package memory

import (
	"os"
	"syscall"
	"unsafe"
)

func open(f *os.File, size int, write bool) (*File, error) {
	protect, access := uint32(syscall.PAGE_READONLY), uint32(syscall.FILE_MAP_READ)
	if write {
		protect, access = syscall.PAGE_READWRITE, syscall.FILE_MAP_WRITE
	}
	handle, err := syscall.CreateFileMapping(syscall.Handle(f.Fd()), nil, protect, 0, 0, nil)
	if err != nil {
		return nil, err
	}
	defer syscall.CloseHandle(handle) // the view keeps the mapping open
	at, err := syscall.MapViewOfFile(handle, access, 0, 0, uintptr(size))
	if err != nil {
		return nil, err
	}
	// The memory does not belong to Go, which vet cannot know.
	b := unsafe.Slice((*byte)(*(*unsafe.Pointer)(unsafe.Pointer(&at))), size)
	return &File{Bytes: b, unmap: func() error { return syscall.UnmapViewOfFile(at) }}, nil
}
