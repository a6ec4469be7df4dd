package main

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/simdrank/simdrank/internal/testkit"
)

// TestREADME runs the README's commands in order, compares their output with the README, and
// compiles its Go code.
func TestREADME(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the compiler, and trains for seconds on emulated processors")
	}
	path := filepath.Join("..", "..", "README.md")
	if _, err := os.Stat(path); err != nil {
		t.Skip(err) // the command on its own, outside the project's tree
	}
	testkit.Page(t, path, t.TempDir(), map[string]testkit.Command{
		"simdrank": func(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
			return run(t.Context(), args, stdin, stdout, stderr)
		},
	})
}
