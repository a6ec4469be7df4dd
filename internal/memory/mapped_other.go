//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd || windows)

package memory

import (
	"io"
	"os"
)

func open(f *os.File, size int, _ bool) (*File, error) {
	b := Buffer(size)
	if _, err := io.ReadFull(io.NewSectionReader(f, 0, int64(size)), b); err != nil {
		return nil, err
	}
	return &File{Bytes: b}, nil
}
