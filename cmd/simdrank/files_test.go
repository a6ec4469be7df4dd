package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/internal/testkit"
	"github.com/spf13/cobra"
)

// testCommand is a command with the given streams, for the helpers to use.
func testCommand(ctx context.Context, stdin io.Reader, stdout io.Writer) *cobra.Command {
	cmd := newRoot()
	cmd.SetContext(ctx)
	cmd.SetIn(stdin)
	cmd.SetOut(stdout)
	return cmd
}

func TestWriteOutput(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	cmd := testCommand(t.Context(), nil, io.Discard)
	hello := func(w io.Writer) error { _, err := io.WriteString(w, "hello\n"); return err }

	for _, name := range []string{"a.txt", "a.txt.gz", "a.txt"} { // the last one is there already
		t.Run(name, func(t *testing.T) {
			if err := writeOutput(cmd, path(name), hello); err != nil {
				t.Fatal(err)
			}
			got, err := os.ReadFile(path(name))
			if err != nil {
				t.Fatal(err)
			}
			if strings.HasSuffix(name, ".gz") {
				z, err := gzip.NewReader(bytes.NewReader(got))
				if err != nil {
					t.Fatal(err)
				}
				if got, err = io.ReadAll(z); err != nil {
					t.Fatal(err)
				}
			}
			if string(got) != "hello\n" {
				t.Errorf("%s holds %q", name, got)
			}
		})
	}

	// A write that fails half way, and one that an interrupt overtakes, leave what was there.
	broken := errors.New("broken")
	half := func(w io.Writer) error { hello(w); return broken }
	for _, name := range []string{"a.txt", "new.txt", "new.gz"} {
		t.Run(name, func(t *testing.T) {
			if err := writeOutput(cmd, path(name), half); !errors.Is(err, broken) {
				t.Error(err)
			}
			if err := writeOutput(testCommand(canceled(), nil, io.Discard), path(name), hello); !errors.Is(err,
				context.Canceled) {
				t.Error(err)
			}
		})
	}

	// An interrupt ends an output before its end.
	ctx, cancel := context.WithCancel(context.Background())
	endless := func(w io.Writer) error {
		for range 1 << 10 {
			if _, err := w.Write(make([]byte, 1<<16)); err != nil {
				return err
			}
			cancel()
		}
		return errors.New("was not ended")
	}
	ended := testCommand(ctx, nil, io.Discard)
	if err := writeOutput(ended, path("new.txt"), endless); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if got, want := testkit.FileNames(t, dir), []string{"a.txt", "a.txt.gz"}; !reflect.DeepEqual(got, want) {
		t.Errorf("the directory holds %q, want %q", got, want)
	}

	for _, bad := range []string{dir, filepath.Join(dir, "nowhere", "a.txt"), filepath.Join(path("a.txt"), "b")} {
		t.Run(testkit.CaseName(bad), func(t *testing.T) {
			if err := writeOutput(cmd, bad, hello); err == nil || !strings.HasPrefix(err.Error(), bad+": ") ||
				strings.Contains(err.Error(), ".tmp") {
				t.Error(err)
			}
			if err := checkFiles(bad); err == nil {
				t.Errorf("%s passes for writable", bad)
			}
		})
	}
	if err := checkFiles(path("fresh")); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(path("fresh")); err == nil {
		t.Error("checkFiles leaves a file")
	}
}

// TestCheckedFirst: no command writes over a file that it reads, and an output that cannot be
// written is an error before any input is read.
func TestCheckedFirst(t *testing.T) {
	names := writeTemp(t, "names.svg", "a\nb\n")
	for _, c := range []string{
		"predict -m m -d d --feature-names NAMES -o NAMES",
		"predict -m m -d d --positions NAMES -o NAMES",
		"report -m m -d d --feature-names NAMES -o NAMES",
		"report -m m -m NAMES -d d -o NAMES",
		"plot scores -m m -d d --positions NAMES -o NAMES",
		"plot curve --log NAMES -o NAMES",
		"refit -m m -d d --feature-names NAMES -o NAMES",
		"convert -i i --feature-names NAMES -o NAMES --to letor",
		"train -d d --feature-names NAMES -o NAMES",
		"train -d d --feature-names NAMES -o m --model lambdamart --checkpoint NAMES",
		"tune -d d --feature-names NAMES --study NAMES",
	} {
		t.Run(c, func(t *testing.T) {
			args := strings.Fields(strings.ReplaceAll(c, "NAMES", names))
			fail(t, exitUsage, "", args, "the output "+names+" would replace the input "+names)
		})
	}
	for _, c := range []string{
		"predict -m m -d - --feature-names -", "eval -m m -d - --feature-names -", "explain -m m -d - --positions -",
		"importance -m m -d - --feature-names -", "compare -d - --feature-names - m n",
		"report -m m -d - --feature-names - -o o",
	} {
		t.Run(c, func(t *testing.T) {
			fail(t, exitUsage, "", strings.Fields(c), "only one input can be standard input")
		})
	}
	nowhere := filepath.Join(t.TempDir(), "nowhere", "x")
	fail(t, exitFailure, "", strings.Fields("train -d d -o m --model lambdamart --checkpoint "+nowhere), nowhere)
}

func TestReadColumns(t *testing.T) {
	want := [2][]float64{{1, -2e3, 5}, {2, 4, 6.5}}
	read := func(cmd *cobra.Command, path string) (columns [2][]float64, err error) {
		err = readColumns(cmd, path, 2, func(k int, _ string, v float64) error {
			columns[k] = append(columns[k], v)
			return ranked(v)
		})
		return columns, err
	}
	text := "# two systems\r\n1 2\r\n\n  -2e3,\t4\n5,6.5"
	for name, content := range map[string]string{"plain": text, "gzip": testkit.Gzip(text)} {
		t.Run(name, func(t *testing.T) {
			got, err := read(testCommand(t.Context(), strings.NewReader(content), nil), "-")
			if err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%v, %v", got, err)
			}
			got, err = read(testCommand(t.Context(), nil, nil), writeTemp(t, "columns", content))
			if err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%v, %v", got, err)
			}
		})
	}

	long := testkit.Gzip(strings.Repeat("1 2\n3 5\n", 1000))
	for _, c := range []struct{ name, text, want string }{
		{"word", "1 2\n3 four\n", `:2:3: "four" is not a number`},
		{"header", "x,y\n1,2\n", `:1:1: "x" is not a number`},
		{"NaN", "1 2\nNaN 3\n", `:2:1: "NaN": NaN cannot be ranked`},
		{"underscore", "1 2\n1_0 3\n", `:2:1: "1_0" is not a number`},
		{"hexadecimal", "1 2\n1 0x1p3\n", `:2:3: "0x1p3" is not a number`},
		{"range", "1 2\n1 1e999\n", `:2:3: "1e999" is out of range`},
		{"too few", "1 2\n\n3\n", `:3: found 1 column; each line must have 2`},
		{"too many", "1 2 3\n", `:1:5: unexpected "3" after 2 columns`},
		{"empty", "", ": the file contains no numbers"},
		{"only comments", "# 1 2\n", ": the file contains no numbers"},
		{"binary", "\x00\x01\x02\n", `:1:1: "\x00\x01\x02" is not a number`},
		{"long line", strings.Repeat("1 ", 1<<20), ":1: the line is longer"},
		{"truncated gzip", long[:len(long)-9], "truncated"},
		{"gzip header", long[:5], "truncated"},
		{"gzip junk", "\x1f\x8bjunk, long enough for a header", "gzip: invalid header"},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := writeTemp(t, "columns", c.text)
			_, err := read(testCommand(t.Context(), nil, nil), path)
			if err == nil || !strings.HasPrefix(err.Error(), path+":") || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %s", err, c.want)
			}
		})
	}

	if _, err := read(testCommand(t.Context(), nil, nil), filepath.Join(t.TempDir(), "none")); !errors.Is(err,
		os.ErrNotExist) {
		t.Errorf("missing file: %v", err)
	}
	if _, err := read(testCommand(t.Context(), nil, nil), t.TempDir()); err == nil ||
		!strings.Contains(err.Error(), "directory") {
		t.Errorf("directory: %v", err)
	}
}

// TestInterruptWhileWaiting reads from a pipe that nobody writes to.
func TestInterruptWhileWaiting(t *testing.T) {
	r, w := io.Pipe()
	defer w.Close()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() {
		_, err := readNumbers(testCommand(ctx, r, nil), "-", ranked)
		done <- err
	}()
	fmt.Fprintln(w, 1)
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
