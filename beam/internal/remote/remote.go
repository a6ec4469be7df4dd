// Package remote reads and writes files of Beam's file systems.
package remote

import (
	"context"
	"io"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"

	"github.com/simdrank/simdrank/internal/files"
	"github.com/simdrank/simdrank/rank"
)

// Load opens a file and passes its content to read.
func Load[T any](ctx context.Context, name string, read func(r io.Reader) (T, error)) (T, error) {
	var none T
	system, err := filesystem.New(ctx, name)
	if err != nil {
		return none, err
	}
	defer system.Close()
	r, err := system.OpenRead(ctx, name)
	if err != nil {
		return none, err
	}
	defer r.Close()
	return read(r)
}

// ReadAll returns the content of a file. By default the memory limit is 2 GiB.
func ReadAll(ctx context.Context, name string, o ...rank.ReadOptions) ([]byte, error) {
	return Load(ctx, name, func(r io.Reader) ([]byte, error) {
		return io.ReadAll(files.BudgetOf(0, o...).Reader(r, "the contents of the file", 1))
	})
}

// Save writes b to a file.
func Save(ctx context.Context, path string, b []byte) error {
	return Create(ctx, path, func(w io.Writer) error {
		_, err := w.Write(b)
		return err
	})
}

// Create creates a file, to which write writes the content.
func Create(ctx context.Context, path string, write func(w io.Writer) error) error {
	system, err := filesystem.New(ctx, path)
	if err != nil {
		return err
	}
	defer system.Close()
	w, err := system.OpenWrite(ctx, path)
	if err != nil {
		return err
	}
	if err := write(w); err != nil {
		w.Close()
		return err
	}
	return w.Close()
}
