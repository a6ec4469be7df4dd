package main

import (
	"bufio"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
)

// inputName returns what errors should call an input.
func inputName(path string) string {
	if path == "-" {
		return "standard input"
	}
	return path
}

// openInput opens a file for reading; "-" is standard input. The name is what
// errors should call it.
func openInput(cmd *cobra.Command, path string) (r io.ReadCloser, name string, err error) {
	if path == "-" {
		return io.NopCloser(cmd.InOrStdin()), inputName(path), nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, path, inputError(path, err)
	}
	return f, path, nil
}

// await returns what read does, or the context's error as soon as that is done: a
// read from a terminal, a pipe or a slow disk knows no context, and is left behind.
func await[T any](ctx context.Context, read func() (T, error)) (T, error) {
	type outcome struct {
		value T
		err   error
	}
	done := make(chan outcome, 1)
	go func() {
		v, err := read()
		done <- outcome{v, err}
	}()
	select {
	case o := <-done:
		return o.value, o.err
	case <-ctx.Done():
		var zero T
		return zero, ctx.Err()
	}
}

var errTruncated = errors.New("the compressed data end early: the file is truncated")

// inputError words an error of reading the named file: gzip's and the file
// system's say too little or the name twice.
func inputError(name string, err error) error {
	var pathErr *fs.PathError
	switch {
	case errors.As(err, &pathErr):
		return fmt.Errorf("%s: %w", name, pathErr.Err)
	case errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("%s: %w", name, errTruncated)
	}
	return fmt.Errorf("%s: %w", name, err)
}

// writeOutput has write produce the content of a file; "-" is standard output. The
// content is gzipped when the name ends in .gz. The file appears whole or not at
// all: it is written beside path and renamed.
func writeOutput(cmd *cobra.Command, path string, write func(w io.Writer) error) error {
	if path == "-" {
		w := bufio.NewWriter(cmd.OutOrStdout())
		if err := write(w); err != nil {
			return err
		}
		return w.Flush()
	}
	f, commit, err := create(path)
	if err != nil {
		return err
	}
	err = writeFile(f, strings.HasSuffix(path, ".gz"), write)
	if err == nil {
		err = cmd.Context().Err()
	}
	return commit(err)
}

func writeFile(f *os.File, compress bool, write func(w io.Writer) error) error {
	w := bufio.NewWriterSize(f, 1<<16)
	if !compress {
		if err := write(w); err != nil {
			return err
		}
		return w.Flush()
	}
	z := gzip.NewWriter(w)
	if err := write(z); err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	return w.Flush()
}

// create opens a file to write path's content to. commit closes it and, given no
// error, puts it in path's place; given one, it removes it and returns the error.
// What is there and no regular file, such as a pipe or /dev/null, is written to as it is.
func create(path string) (f *os.File, commit func(error) error, err error) {
	target, mode := path, fs.FileMode(0o666)
	if info, err := os.Stat(path); err == nil {
		if info.IsDir() {
			return nil, nil, fmt.Errorf("%s: is a directory", path)
		}
		if !info.Mode().IsRegular() {
			f, err := os.OpenFile(path, os.O_WRONLY, 0)
			if err != nil {
				return nil, nil, err
			}
			return f, func(err error) error { return errors.Join(err, f.Close()) }, nil
		}
		// A link keeps pointing at its target and the target keeps its permissions.
		mode = info.Mode().Perm()
		if target, err = filepath.EvalSymlinks(path); err != nil {
			return nil, nil, err
		}
	}
	temp := tempName(target)
	// Not os.CreateTemp, whose 0600 would hide the file from others against the umask.
	f, err = os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, errors.Unwrap(err))
	}
	return f, func(err error) error {
		if err == nil {
			err = f.Sync()
		}
		if cerr := f.Close(); err == nil {
			err = cerr
		}
		if err == nil {
			err = os.Rename(temp, target)
		}
		if err != nil {
			os.Remove(temp)
			var pathErr *fs.PathError
			if errors.As(err, &pathErr) && pathErr.Path == temp {
				err = fmt.Errorf("%s: %w", path, pathErr.Err)
			}
		}
		return err
	}, nil
}

// writeFolder has write put files into a folder. One that is not there yet appears with all of them or not at all: it is
// made beside its place and renamed.
func writeFolder(dir string, write func(dir string) error) error {
	switch info, err := os.Stat(dir); {
	case err == nil && info.IsDir():
		return write(dir)
	case err == nil:
		return fmt.Errorf("%s: is not a folder", dir)
	}
	dir = filepath.Clean(dir)
	temp := tempName(dir)
	if err := os.Mkdir(temp, 0o777); err != nil {
		return inputError(dir, err)
	}
	err := write(temp)
	if err == nil {
		if err = os.Rename(temp, dir); err != nil {
			err = fmt.Errorf("%s: %w", dir, errors.Unwrap(err))
		}
	}
	if err != nil {
		os.RemoveAll(temp)
	}
	return err
}

// tempName returns a name beside path for what is to become it.
func tempName(path string) string {
	return filepath.Join(filepath.Dir(path), fmt.Sprintf(".%s.%08x.tmp", filepath.Base(path), rand.Uint32()))
}

// checkFiles returns an error of usage when two of the inputs are standard input,
// which can be read but once, or when output would replace one of them. Inputs that
// no flag names are "".
func checkFiles(output string, inputs ...string) error {
	var stdin int
	out, outErr := os.Stat(output)
	for _, path := range inputs {
		if path == "-" {
			stdin++
			continue
		}
		if outErr != nil || !out.Mode().IsRegular() || path == "" {
			continue
		}
		if in, err := os.Stat(path); err == nil && os.SameFile(in, out) {
			return usagef("--output %s would replace the input %s", output, path)
		}
	}
	if stdin > 1 {
		return usagef("only one input can be standard input")
	}
	return nil
}

// checkOutput returns an error when path cannot be written, for a command to find
// out before its work and not after.
func checkOutput(path string) error {
	if path == "-" {
		return nil
	}
	if info, err := os.Stat(path); err == nil && !info.IsDir() && !info.Mode().IsRegular() {
		return nil // opening a pipe would wait for its reader
	}
	_, commit, err := create(path)
	if err != nil {
		return err
	}
	if err := commit(errChecked); err != errChecked {
		return err
	}
	return nil
}

var errChecked = errors.New("checked")
