package main

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/simdrank/simdrank/internal/testkit"
)

// TestDocs runs the commands of the page about clusters and compares their output with the page.
func TestDocs(t *testing.T) {
	if testing.Short() {
		t.Skip("trains for seconds on emulated processors")
	}
	root := filepath.Join("..", "..", "..")
	page := filepath.Join(root, "docs", "howto", "run-on-a-cluster.md")
	if _, err := os.Stat(page); err != nil {
		t.Skip(err) // the command by itself, outside the project's tree
	}
	fixtures, err := filepath.Abs(filepath.Join(root, "cmd", "simdrank", "testdata", "docs"))
	if err != nil {
		t.Fatal(err)
	}
	testkit.Page(t, page, fixtures, map[string]testkit.Command{
		"simdrank-beam": func(args []string, _ io.Reader, stdout, stderr io.Writer) int {
			return run(t.Context(), args, stdout, stderr)
		},
	})
}
