// Package files writes files whole or not at all, and reads them.
package files

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Save has write produce the content of a file. The file appears whole or not at
// all: it is written beside path and renamed.
func Save(path string, write func(w io.Writer) error) error {
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".tmp*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // after the rename there is nothing left to remove
	err = write(f)
	if err == nil {
		err = f.Chmod(0o644) // CreateTemp's 0600 would hide the file from others
	}
	if err == nil {
		err = f.Sync()
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	return err
}

// Load has read take the content of a file, and names the file in what goes wrong.
func Load[T any](path string, read func(r io.Reader) (T, error)) (T, error) {
	var none T
	f, err := os.Open(path)
	if err != nil {
		return none, err
	}
	defer f.Close()
	v, err := read(f)
	if err != nil {
		return none, fmt.Errorf("%s: %w", path, err)
	}
	return v, nil
}
