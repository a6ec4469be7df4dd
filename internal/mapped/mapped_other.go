//go:build !unix && !windows

package mapped

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

// Sequential does nothing: the file has been read.
func Sequential([]byte) {}
