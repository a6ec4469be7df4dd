package mapped

import (
	"os"
	"unsafe"

	"golang.org/x/sys/windows"
)

func open(f *os.File, size int, write bool) (*File, error) {
	protect, access := uint32(windows.PAGE_READONLY), uint32(windows.FILE_MAP_READ)
	if write {
		protect, access = windows.PAGE_READWRITE, windows.FILE_MAP_WRITE
	}
	handle, err := windows.CreateFileMapping(windows.Handle(f.Fd()), nil, protect, 0, 0, nil)
	if err != nil {
		return nil, err
	}
	defer windows.CloseHandle(handle) // the view keeps the mapping
	at, err := windows.MapViewOfFile(handle, access, 0, 0, uintptr(size))
	if err != nil {
		return nil, err
	}
	// The memory is not Go's, which vet cannot know.
	b := unsafe.Slice((*byte)(*(*unsafe.Pointer)(unsafe.Pointer(&at))), size)
	return &File{Bytes: b, unmap: func() error { return windows.UnmapViewOfFile(at) }}, nil
}

// Sequential does nothing: Windows takes such advice when a file is opened, and not for mappings.
func Sequential([]byte) {}
