// [Open] gives a file as memory, and [Begin] turns the faults of memory whose file was cut into
// errors.

package memory

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"sync"
	"unsafe"
)

// A File is the content of a file in memory: mapped where the operating system can, read where it
// cannot.
type File struct {
	Bytes []byte // never to be written, but for those of Create

	path   string
	unmap  func() error // nil when it was read
	remove string       // path of a file to remove on Close
}

// Open maps so many bytes of a file from its start. The caller has checked that it has them.
func Open(f *os.File, size int64) (*File, error) {
	if size > math.MaxInt {
		return nil, fmt.Errorf("%d bytes are more than this machine can address", size)
	}
	if size == 0 {
		return &File{path: f.Name()}, nil
	}
	m, err := open(f, int(size), false)
	if err != nil {
		return nil, fmt.Errorf("cannot be mapped into memory: %w", err)
	}
	m.path = f.Name()
	if m.unmap != nil {
		register(m)
	}
	return m, nil
}

// Foreign reports whether Bytes is memory that Go's collector knows nothing of.
func (m *File) Foreign() bool { return m.unmap != nil }

// Create makes a file of so many zeros, which must not exist yet, and maps it to be read and
// written. It has its place on the disk then. The file is removed at once where the operating
// system has its content live on, and elsewhere when it is closed.
func Create(path string, size int64) (m *File, err error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	defer func() {
		f.Close() // a mapping stays
		if removed := os.Remove(path); removed != nil && m != nil {
			m.remove = path
		}
	}()
	if size > math.MaxInt {
		return nil, fmt.Errorf("%s: %d bytes are more than this machine can address", path, size)
	}
	zeros := make([]byte, min(size, 1<<20))
	for at := int64(0); at < size; at += int64(len(zeros)) {
		if _, err := f.Write(zeros[:min(int64(len(zeros)), size-at)]); err != nil {
			return nil, err
		}
	}
	if size == 0 {
		return &File{path: path}, nil
	}
	if m, err = open(f, int(size), true); err != nil {
		return nil, fmt.Errorf("%s: cannot be mapped into memory: %w", path, err)
	}
	m.path = path
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
	err := unmap()
	if m.remove != "" {
		err = errors.Join(err, os.Remove(m.remove))
	}
	return err
}

// View returns the numbers that b holds, in place where their byte order is the machine's and they
// are aligned. It is nil of nil.
func View[T any](b []byte, order binary.ByteOrder) []T {
	if b == nil {
		return nil
	}
	size := int(unsafe.Sizeof(*new(T)))
	n := len(b) / size
	native := order.Uint16([]byte{1, 0}) == binary.NativeEndian.Uint16([]byte{1, 0})
	if p := unsafe.Pointer(unsafe.SliceData(b)); size == 1 || native && uintptr(p)%uintptr(size) == 0 {
		return unsafe.Slice((*T)(p), n)
	}
	s := make([]T, n)
	if _, err := binary.Decode(b, order, s); err != nil {
		panic(err) // T is no number, or the size not that of n
	}
	return s
}

// Buffer returns n bytes for what is read and not mapped, aligned for elements of 8 bytes.
func Buffer(n int) []byte {
	if n == 0 {
		return nil
	}
	words := Make[int64]((n + 7) / 8)
	return unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), n)
}

// live are the files that are mapped now.
var (
	mu   sync.Mutex
	live = map[*File][2]uintptr{} // address of the first byte, and after the last
)

func register(m *File) {
	mu.Lock()
	defer mu.Unlock()
	first := uintptr(unsafe.Pointer(unsafe.SliceData(m.Bytes)))
	live[m] = [2]uintptr{first, first + uintptr(len(m.Bytes))}
}

func forget(m *File) {
	mu.Lock()
	defer mu.Unlock()
	delete(live, m)
}

// A Watch is what [Begin] has changed.
type Watch struct{ old bool }

// Begin starts what [Watch.End] ends.
func Begin() Watch { return Watch{debug.SetPanicOnFault(true)} }

// End makes an error, an *fs.PathError, of the panic that reading a mapped file caused, which was
// cut since, or whose disk failed; other panics go on. It is for functions that return errors and
// read data which may be mapped:
//
//	defer memory.Begin().End(&err)
//
// What they have other goroutines do is watched as far as those are package parallel's.
func (w Watch) End(err *error) {
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
			return &fs.PathError{Op: "read", Path: m.path, Err: fmt.Errorf(
				"byte %d is gone: the file was cut while in use, or its disk failed", a-at[0])}
		}
	}
	return nil
}
