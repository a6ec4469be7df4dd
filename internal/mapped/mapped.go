// Package mapped gives files as memory, and turns the faults of memory whose file was cut into
// errors.
package mapped

import (
	"fmt"
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/simdrank/simdrank/internal/hugepages"
)

// A File is the content of a file in memory: mapped where the operating system can, read where it
// cannot.
type File struct {
	Bytes []byte // never to be written

	path  string
	unmap func() error // nil when it was read
}

// Open maps so many bytes of a file from its start. The caller has checked that it has them.
func Open(f *os.File, size int64) (*File, error) {
	if size > math.MaxInt {
		return nil, fmt.Errorf("%s: %d bytes are more than this machine can address", f.Name(), size)
	}
	if size == 0 {
		return &File{path: f.Name()}, nil
	}
	m, err := open(f, int(size))
	if err != nil {
		return nil, fmt.Errorf("%s: cannot be mapped into memory: %w", f.Name(), err)
	}
	m.path = f.Name()
	if m.unmap != nil {
		register(m)
	}
	return m, nil
}

// Close unmaps the file: Bytes is gone.
func (m *File) Close() error {
	unmap := m.unmap
	m.unmap, m.Bytes = nil, nil
	if unmap == nil {
		return nil
	}
	forget(m)
	return unmap()
}

// Buffer returns n bytes for what is read and not mapped, aligned for elements of 8 bytes.
func Buffer(n int) []byte {
	if n == 0 {
		return nil
	}
	words := hugepages.Make[int64]((n + 7) / 8)
	return unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), n)
}

// live are the files that are mapped now, and lives their number.
var (
	mu    sync.Mutex
	live  = map[*File][2]uintptr{} // address of the first byte, and after the last
	lives atomic.Int64
)

func register(m *File) {
	mu.Lock()
	defer mu.Unlock()
	first := uintptr(unsafe.Pointer(unsafe.SliceData(m.Bytes)))
	live[m] = [2]uintptr{first, first + uintptr(len(m.Bytes))}
	lives.Add(1)
}

func forget(m *File) {
	mu.Lock()
	defer mu.Unlock()
	delete(live, m)
	lives.Add(-1)
}

// A Watch is what [Begin] has changed.
type Watch struct{ on, old bool }

// Begin starts what [Watch.End] ends. Where no file is mapped it does nothing.
func Begin() Watch {
	if lives.Load() == 0 {
		return Watch{}
	}
	return Watch{true, debug.SetPanicOnFault(true)}
}

// End makes an error of the panic that reading a mapped file caused, which was cut since, or whose
// disk failed; other panics go on. It is for functions that return errors and read data which may
// be mapped:
//
//	defer mapped.Begin().End(&err)
//
// What they have other goroutines do is watched as far as those are package parallel's.
func (w Watch) End(err *error) {
	if !w.on {
		return
	}
	debug.SetPanicOnFault(w.old)
	if r := recover(); r != nil {
		fault := faultOf(r)
		if fault == nil {
			panic(r)
		}
		*err = fault
	}
}

// faultOf returns the error that a panic stands for when it is a fault within a mapped file, else
// nil.
func faultOf(r any) error {
	fault, ok := r.(interface {
		runtime.Error
		Addr() uintptr
	})
	if !ok {
		return nil
	}
	mu.Lock()
	defer mu.Unlock()
	for m, at := range live {
		if a := fault.Addr(); a >= at[0] && a < at[1] {
			return fmt.Errorf("%s: byte %d cannot be read any more: the file was cut while in use, or its disk failed",
				m.path, a-at[0])
		}
	}
	return nil
}
