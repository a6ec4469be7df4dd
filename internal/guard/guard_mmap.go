//go:build linux || darwin || freebsd || netbsd || openbsd

package guard

import "golang.org/x/sys/unix"

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

// Pages tells whether reads beyond a Buffer fault here; where they do not,
// only the canaries watch.
const Pages = true
