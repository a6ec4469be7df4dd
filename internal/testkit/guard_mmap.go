//go:build linux || darwin || freebsd || netbsd || openbsd

package testkit

import (
	"os"
	"path/filepath"
	"runtime/debug"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// alloc maps size bytes between two pages that fault.
func alloc(size, page int) (mem []byte, free func(), err error) {
	all, err := unix.Mmap(-1, 0, size+2*page, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		return nil, nil, err
	}
	for _, g := range [][]byte{all[:page], all[page+size:]} {
		if err := unix.Mprotect(g, unix.PROT_NONE); err != nil {
			unix.Munmap(all)
			return nil, nil, err
		}
	}
	return all[page : page+size : page+size], func() { unix.Munmap(all) }, nil
}

// Pages reports whether reads beyond a Buffer fault on this system. If not, only the canaries
// detect errors.
const Pages = true

// NeedFaults skips a test if accesses to a truncated mapped file do not fault, or if the fault does
// not report its address, as under QEMU for some architectures.
func NeedFaults(tb testing.TB) {
	tb.Helper()
	f, err := os.Create(filepath.Join(tb.TempDir(), "cut"))
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	const size = 1 << 20
	if err := f.Truncate(size); err != nil {
		tb.Fatal(err)
	}
	b, err := unix.Mmap(int(f.Fd()), 0, size, unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		tb.Fatal(err)
	}
	defer unix.Munmap(b)
	if err := f.Truncate(0); err != nil {
		tb.Fatal(err)
	}
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		fault, ok := recover().(interface{ Addr() uintptr })
		if !ok || fault.Addr() != uintptr(unsafe.Pointer(&b[size/2+1])) {
			tb.Skip("memory of a file that was cut does not fault here, or not with its address")
		}
	}()
	tb.Log(b[size/2+1])
}
