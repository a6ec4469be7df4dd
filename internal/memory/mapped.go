// [Open] maps a file into memory. [Begin] turns panics into errors if they are caused by a file
// that was truncated or changed.

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
	"strings"
	"sync"
	"unsafe"

	"github.com/simdrank/simdrank/internal/errs"
)

// A File is the content of a file in memory. The content is mapped if the operating system supports
// it, and read otherwise.
type File struct {
	Bytes []byte // read-only, except in files of Create

	path   string
	opened fs.FileInfo  // the file when it was mapped; nil for Create
	number int          // number of files that were mapped before
	unmap  func() error // nil if the file was read
	remove string       // path of a file that Close removes
}

// Open maps the first size bytes of a file. The caller has checked that the file has them.
func Open(f *os.File, size int64) (*File, error) {
	if size > math.MaxInt {
		return nil, fmt.Errorf("%d bytes are more than this machine can address", size)
	}
	if size == 0 {
		return &File{path: f.Name()}, nil
	}
	m, err := open(f, int(size), false)
	if err != nil {
		return nil, fmt.Errorf("the file cannot be mapped into memory: %w", err)
	}
	m.path = f.Name()
	if m.unmap != nil {
		if m.opened, err = f.Stat(); err != nil {
			return nil, errors.Join(err, m.unmap())
		}
		register(m)
	}
	return m, nil
}

// Foreign reports whether Bytes is memory that Go's garbage collector does not manage.
func (m *File) Foreign() bool { return m.unmap != nil }

// Create creates a file of size zeros, which must not exist yet, and maps it for reading and
// writing. The disk space is then reserved. If the operating system keeps the content of a deleted
// file while it is open, the file is removed at once; otherwise Close removes it.
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
		return nil, fmt.Errorf("%s: the file cannot be mapped into memory: %w", path, err)
	}
	m.path = path
	if m.unmap != nil {
		register(m)
	}
	return m, nil
}

// Close unmaps the file. Bytes must not be used afterwards.
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

// View returns b as numbers. They share memory with b if their byte order is the machine's and they
// are aligned. View returns nil if b is nil.
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
		panic(err) // T is not a number type, or n has another size
	}
	return s
}

// Buffer returns n bytes for data that is read rather than mapped, aligned for 8-byte elements.
func Buffer(n int) []byte {
	if n == 0 {
		return nil
	}
	words := Make[int64]((n + 7) / 8)
	return unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), n)
}

// live contains the currently mapped files.
var (
	mu   sync.Mutex
	live = map[*File][2]uintptr{} // address of the first byte, and the address after the last
	all  int                      // number of files that were mapped so far
)

func register(m *File) {
	mu.Lock()
	defer mu.Unlock()
	m.number = all
	all++
	first := uintptr(unsafe.Pointer(unsafe.SliceData(m.Bytes)))
	live[m] = [2]uintptr{first, first + uintptr(len(m.Bytes))}
}

func forget(m *File) {
	mu.Lock()
	defer mu.Unlock()
	delete(live, m)
}

// A Watch is the setting that [Begin] changed.
type Watch struct{ old bool }

// Begin starts to watch for faults, until [Watch.End].
func Begin() Watch { return Watch{debug.SetPanicOnFault(true)} }

// End converts a panic that was caused by reading a mapped file to an error: an *fs.PathError
// around a [*Change]. Memory faults if the file was truncated or its disk failed. If the file has
// changed, numbers that were checked before can be indices out of range. Other panics continue.
// Functions that return errors and read data that may be mapped use it like this:
//
//	defer memory.Begin().End(&err)
//
// Work in other goroutines is also watched if it runs through package parallel.
func (w Watch) End(err *error) {
	debug.SetPanicOnFault(w.old)
	if r := recover(); r != nil {
		cause, ok := r.(runtime.Error)
		if !ok {
			panic(r)
		}
		fault := faultOf(cause)
		if fault == nil {
			fault = changeOf(cause)
		}
		if fault == nil {
			panic(r)
		}
		*err = fault
	}
}

// A Change reports that a mapped file changed while it was in use.
type Change struct {
	Err error // the consequence: a missing byte, or a value that was checked before and is invalid now
}

// Error returns the text of the error.
func (c *Change) Error() string {
	if _, ok := c.Err.(gone); ok {
		return c.Err.Error()
	}
	text, _, _ := strings.Cut(errs.Bare(c.Err), "\n") // without the stack
	return "the file changed while in use: " + text
}

// Unwrap returns Err.
func (c *Change) Unwrap() error { return c.Err }

// gone is the position of a byte that cannot be read any more.
type gone uint64

func (g gone) Error() string {
	return fmt.Sprintf("byte %d is missing: the file was truncated while in use, or its disk failed", uint64(g))
}

// Changed checks whether the mapped file that contains s has changed. If so, it returns err, which
// may be nil, as an error about that file. Use it for errors about numbers that were checked when
// the file was opened.
func Changed[T any](err error, s []T) error {
	if err == nil || len(s) == 0 {
		return err
	}
	mu.Lock()
	defer mu.Unlock()
	if m := holder(uintptr(unsafe.Pointer(&s[0]))); m != nil && m.changed() {
		return m.failure(err)
	}
	return err
}

// changeOf returns the error about a mapped file whose change may have caused err. If there are
// several, it uses the file that was opened last. If there is none, it returns nil.
func changeOf(err error) error {
	mu.Lock()
	defer mu.Unlock()
	var last *File
	for m := range live {
		if (last == nil || m.number > last.number) && m.changed() {
			last = m
		}
	}
	if last == nil {
		return nil
	}
	return last.failure(err)
}

// failure returns the error for the consequence of a change.
func (m *File) failure(err error) error {
	return &fs.PathError{Op: "read", Path: m.path, Err: &Change{err}}
}

// holder returns the mapped file that contains an address, or nil.
func holder(address uintptr) *File {
	for m, at := range live {
		if address >= at[0] && address < at[1] {
			return m
		}
	}
	return nil
}

// changed reports whether the file has another size or time than when it was mapped. A file that
// was removed or replaced keeps its content while it is mapped, so it explains no panic.
func (m *File) changed() bool {
	if m.opened == nil {
		return false
	}
	now, err := os.Stat(m.path)
	return err == nil && os.SameFile(m.opened, now) && (now.Size() != m.opened.Size() ||
		!now.ModTime().Equal(m.opened.ModTime()))
}

// faultOf returns the error for a panic that is a fault within a mapped file, or nil.
func faultOf(r runtime.Error) error {
	fault, ok := r.(interface{ Addr() uintptr })
	if !ok {
		return nil
	}
	mu.Lock()
	defer mu.Unlock()
	m := holder(fault.Addr())
	if m == nil {
		return nil
	}
	return m.failure(gone(fault.Addr() - live[m][0]))
}
