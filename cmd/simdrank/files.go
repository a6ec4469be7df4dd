package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/simdrank/simdrank/internal/cli"
	"github.com/simdrank/simdrank/internal/files"
	"github.com/simdrank/simdrank/internal/modelfile"
	"github.com/simdrank/simdrank/rank"
)

// inputName returns the name of an input for messages.
func inputName(path string) string {
	if path == "-" {
		return "standard input"
	}
	return path
}

// readOptions returns the options for all readers.
func readOptions(cmd *cobra.Command) rank.ReadOptions {
	return rank.ReadOptions{MemoryLimit: int64(*cmd.Flag("memory-limit").Value.(*cli.MemoryLimit)), Zstd: readZstd}
}

// readInput calls read with the contents of a file; "-" is standard input. Errors begin with the
// name of the file.
func readInput[T any](cmd *cobra.Command, path string, read func(r io.Reader, o ...rank.ReadOptions) (T, error)) (
	T, error) {
	reading := begin(cmd, "reading "+inputName(path), "bytes")
	defer reading.end()
	v, err := await(cmd.Context(), func() (T, error) {
		if path == "-" {
			return read(watched(cmd.InOrStdin(), reading), readOptions(cmd))
		}
		return files.Load(path, func(r io.Reader) (T, error) {
			return read(watched(r, reading), readOptions(cmd))
		})
	})
	return v, readError(path, err)
}

// await returns the result of read, or the context's error as soon as ctx is done. A read from a
// terminal, a pipe or a slow disk cannot be canceled; it is abandoned. After an error, the caller
// must not use variables that read writes.
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

// readNumbers reads a column of numbers. If check returns an error, it is reported for the number.
func readNumbers(cmd *cobra.Command, path string, check func(v float64) error) ([]float64, error) {
	var numbers []float64
	err := readColumns(cmd, path, 1, func(_ int, _ string, v float64) error {
		numbers = append(numbers, v)
		return check(v)
	})
	if err != nil {
		return nil, err // the abandoned read may still append
	}
	return numbers, nil
}

// ranked returns an error if v is NaN, which cannot be ranked.
func ranked(v float64) error {
	if math.IsNaN(v) {
		return rank.ErrNaN
	}
	return nil
}

// readColumns is like [cli.ReadNumbers] but reads a file; "-" is standard input.
func readColumns(cmd *cobra.Command, path string, n int, add func(column int, text string, v float64) error) error {
	_, err := readInput(cmd, path, func(r io.Reader, o ...rank.ReadOptions) (struct{}, error) {
		return struct{}{}, cli.ReadNumbers(r, n, add, o...)
	})
	return err
}

// readError adds the name of an input to an error, as [cli.FileError] does, unless the error is
// about a checkpoint or a study file.
func readError(path string, err error) error {
	if errors.As(err, new(*modelfile.FileError)) {
		return err
	}
	return cli.FileError(inputName(path), err)
}

// writeOutput writes a file as [files.Save] does; "-" is standard output.
func writeOutput(cmd *cobra.Command, path string, write func(w io.Writer) error) error {
	return writeSized(cmd, path, "bytes", 0, write)
}

// writeText is like writeOutput but writes a text.
func writeText(cmd *cobra.Command, path string, text *bytes.Buffer) error {
	return writeOutput(cmd, path, func(w io.Writer) error {
		_, err := text.WriteTo(w)
		return err
	})
}

// beside returns the writer for results that a command prints in addition to an output. It is
// standard error if the output is standard output.
func beside(cmd *cobra.Command, output string) io.Writer {
	if output == "-" {
		return cmd.ErrOrStderr()
	}
	return cmd.OutOrStdout()
}

// writeSized is like writeOutput, and shows the progress towards total, which is a number of bytes
// or, if the unit is not bytes, of lines. 0 means that it is unknown.
func writeSized(cmd *cobra.Command, path, unit string, total int64, write func(w io.Writer) error) error {
	if path == "-" {
		if !isRegular(cmd.OutOrStdout()) {
			return buffered(cmd.OutOrStdout(), write)
		}
		writing := begin(cmd, "writing standard output", unit)
		defer writing.end()
		return buffered(writing.writer(cmd.OutOrStdout(), total), write)
	}
	writing := begin(cmd, "writing "+path, unit)
	defer writing.end()
	return save(cmd, path, func(w io.Writer) error {
		w = &endedWriter{writing.writer(w, total), cmd.Context()}
		if err := buffered(w, write); err != nil {
			return err
		}
		return cmd.Context().Err() // if interrupted, the old file stays
	})
}

// An endedWriter fails when the context is done, which ends a long output.
type endedWriter struct {
	io.Writer
	ctx context.Context
}

func (w *endedWriter) Write(b []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	return w.Writer.Write(b)
}

// save is like [files.Save] but also compresses with zstd. An interrupt ends it even while it waits
// for the reader of a pipe.
func save(cmd *cobra.Command, path string, write func(w io.Writer) error) error {
	saveFile := files.Save
	if filepath.Ext(path) == ".zst" {
		saveFile, write = files.SaveRaw, inZstd(write)
	}
	if !files.Special(path) {
		return saveFile(path, write)
	}
	_, err := await(cmd.Context(), func() (struct{}, error) { return struct{}{}, saveFile(path, write) })
	return err
}

// buffered calls write with a buffered writer to w.
func buffered(w io.Writer, write func(w io.Writer) error) error {
	b := bufio.NewWriterSize(w, 1<<16)
	if err := write(b); err != nil {
		return err
	}
	return b.Flush()
}

// regular reports whether all paths name regular files, which can be read again.
func regular(paths ...string) bool {
	for _, path := range paths {
		if info, err := os.Stat(path); path == "-" || err != nil || !info.Mode().IsRegular() {
			return false
		}
	}
	return true
}

// isRegular reports whether w writes to a regular file, and not to a terminal or to another
// program, which may also write to the terminal.
func isRegular(w io.Writer) bool {
	if o, ok := w.(*files.Output); ok {
		w = o.Writer
	}
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode().IsRegular()
}

// checkFiles returns a usage error if two inputs are standard input, which can be read only once,
// or if output would replace an input. It returns an error if output cannot be written, so that a
// command fails early. Files that are not used are "".
func checkFiles(output string, inputs ...string) error {
	named := slices.DeleteFunc(slices.Clone(inputs), func(path string) bool { return path == "-" })
	if name := files.Replaced(output, named...); name != "" {
		return usagef("the output %s would replace the input %s", output, name)
	}
	if len(inputs)-len(named) > 1 {
		return usagef("only one input can be standard input")
	}
	if output == "" || output == "-" {
		return nil
	}
	return files.CheckRaw(output)
}
