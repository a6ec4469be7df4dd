package memory

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/simdrank/simdrank/internal/testkit"
)

// create makes a file of so many bytes and opens it.
func create(t *testing.T, size int) *os.File {
	t.Helper()
	path := filepath.Join(t.TempDir(), "data")
	if err := os.WriteFile(path, []byte(strings.Repeat("x", size)), 0o666); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func TestOpen(t *testing.T) {
	for _, size := range []int{0, 1, 100_000} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			m, err := Open(create(t, size), int64(size))
			if err != nil {
				t.Fatal(err)
			}
			if string(m.Bytes) != strings.Repeat("x", size) {
				t.Errorf("%d bytes of %d", len(m.Bytes), size)
			}
			Sequential(m.Bytes)
			Sequential(m.Bytes[size/2:])
			for range 2 { // closing again does nothing
				if err := m.Close(); err != nil || m.Bytes != nil {
					t.Errorf("%v, %d bytes left", err, len(m.Bytes))
				}
			}
		})
	}
	if len(live) != 0 {
		t.Errorf("%d files left in the table", len(live))
	}
	closed := create(t, 5)
	closed.Close()
	if m, err := Open(closed, 5); err == nil {
		t.Errorf("%v, %v", m, err)
	}
}

func TestBuffer(t *testing.T) {
	for _, n := range []int{0, 1, 8, 9} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			if b := Buffer(n); len(b) != n {
				t.Errorf("%d bytes of %d", len(b), n)
			}
		})
	}
}

func TestWatch(t *testing.T) {
	testkit.NeedFaults(t)
	f, other := create(t, 1<<20), create(t, 10)
	m, err := Open(f, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	n, err := Open(other, 10)
	if err != nil {
		t.Fatal(err)
	}
	defer n.Close()
	if err := f.Truncate(0); err != nil {
		t.Fatal(err)
	}
	// watch returns what do's panic becomes, as a panic and as an error.
	watch := func(do func() error) (panicked any, err error) {
		defer func() { panicked = recover() }()
		return nil, func() (err error) {
			defer Begin().End(&err)
			return do()
		}()
	}
	var sum byte
	read := func(b []byte) error {
		for i := range 2 {
			sum += b[500_000*i]
		}
		return nil
	}
	broken := errors.New("broken")
	if p, err := watch(func() error { return read(m.Bytes) }); err == nil || p != nil ||
		!strings.HasPrefix(err.Error(), "read "+f.Name()+": byte 0 is missing") {
		t.Error(err, p)
	}
	if p, err := watch(func() error { return read(m.Bytes[300_000:]) }); err == nil || p != nil ||
		!strings.HasPrefix(err.Error(), "read "+f.Name()+": byte 300000 ") {
		t.Error(err, p)
	}
	if p, err := watch(func() error { return broken }); err != broken || p != nil {
		t.Error(err, p)
	}
	if p, err := watch(func() error { panic("other") }); err != nil || p != "other" {
		t.Error(err, p)
	}
	// What is no mapped file's is a panic still.
	gone := m.Bytes
	forget(m)
	if p, err := watch(func() error { return read(gone) }); err != nil || p == nil {
		t.Error(err, p)
	}
	register(m)
}

// Panics and errors that a change of a mapped file explains name the file; others do not.
func TestChanged(t *testing.T) {
	past := time.Unix(1, 0)
	wrong := errors.New("wrong\nstack")
	outOfRange := func(i int) (err error) {
		defer Begin().End(&err)
		return fmt.Errorf("%d", []int{1}[i])
	}
	for _, c := range []struct {
		name   string
		change func(f *os.File) error
		want   bool
	}{
		{"not", func(*os.File) error { return nil }, false},
		{"read", func(f *os.File) error { _, err := f.ReadAt(make([]byte, 3), 0); return err }, false},
		{"written", func(f *os.File) error { _, err := f.WriteAt([]byte("y"), 5); return err }, true},
		{"longer", func(f *os.File) error {
			return errors.Join(f.Truncate(200), os.Chtimes(f.Name(), past, past))
		}, true},
		{"gone", func(f *os.File) error { return os.Remove(f.Name()) }, false},
		{"another", func(f *os.File) error {
			text, err := os.ReadFile(f.Name())
			return errors.Join(err, os.Rename(f.Name(), f.Name()+".old"), os.WriteFile(f.Name(), text, 0o666))
		}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := create(t, 100)
			if err := os.Chtimes(f.Name(), past, past); err != nil {
				t.Fatal(err)
			}
			m, err := Open(f, 100)
			if err != nil {
				t.Fatal(err)
			}
			defer m.Close()
			if !m.Foreign() {
				t.Skip("files are read here")
			}
			if err := c.change(f); err != nil {
				t.Skip(err) // what is mapped cannot be changed so here
			}
			var change *Change
			var path *fs.PathError
			if Changed(nil, m.Bytes) != nil || Changed(wrong, []byte("other")) != wrong {
				t.Error("an error of none, or of memory that is not mapped")
			}
			err = Changed(wrong, m.Bytes[50:])
			if !errors.Is(err, wrong) || errors.As(err, &change) != c.want || c.want && (!errors.As(err, &path) ||
				path.Path != f.Name() || change.Error() != "the file changed while in use: wrong") {
				t.Errorf("%v, want %v", err, c.want)
			}
			defer func() {
				if r := recover(); (r == nil) != c.want {
					t.Error(r)
				}
			}()
			if err := outOfRange(1); !errors.As(err, &path) || path.Path != f.Name() {
				t.Error(err)
			}
		})
	}
}

// Numbers are the same in place and not: at an address that is none of theirs, and in either order.
func TestView(t *testing.T) {
	want := []uint32{0x01020304, 0xa0b0c0d0}
	for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
		t.Run(order.String(), func(t *testing.T) {
			for shift := range 5 {
				b := Buffer(shift + 4*len(want))[shift:]
				for i, v := range want {
					order.PutUint32(b[4*i:], v)
				}
				if got := View[uint32](b, order); !slices.Equal(got, want) {
					t.Errorf("%d bytes on: %x, want %x", shift, got, want)
				}
			}
		})
	}
	if got := View[uint32](nil, binary.LittleEndian); got != nil {
		t.Errorf("nothing: %v", got)
	}
}
