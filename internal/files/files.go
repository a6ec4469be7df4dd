// Package files writes files whole or not at all.
package files

import (
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
