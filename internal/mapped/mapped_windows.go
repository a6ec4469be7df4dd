package mapped

import (
	"os"
	"unsafe"

	"golang.org/x/sys/windows"
)

func open(f *os.File, size int) (*File, error) {
	handle, err := windows.CreateFileMapping(windows.Handle(f.Fd()), nil, windows.PAGE_READONLY, 0, 0, nil)
	if err != nil {
		return nil, err
	}
	defer windows.CloseHandle(handle) // the view keeps the mapping
	at, err := windows.MapViewOfFile(handle, windows.FILE_MAP_READ, 0, 0, uintptr(size))
	if err != nil {
		return nil, err
	}
	// The memory is not Go's, which vet cannot know.
	b := unsafe.Slice((*byte)(*(*unsafe.Pointer)(unsafe.Pointer(&at))), size)
	return &File{Bytes: b, unmap: func() error { return windows.UnmapViewOfFile(at) }}, nil
}

// Sequential does nothing: Windows takes such advice when a file is opened, and not for mappings.
func Sequential([]byte) {}
