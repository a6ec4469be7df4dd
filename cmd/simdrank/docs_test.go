package main

import (
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/internal/testkit"
)

// TestDocs runs the commands and programs of the README and of the pages below docs, and compares
// their output with the pages. The page about Beam is tested with its command.
func TestDocs(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs, and trains for seconds on emulated processors")
	}
	root := filepath.Join("..", "..")
	if _, err := os.Stat(filepath.Join(root, "docs")); err != nil {
		t.Skip(err) // the command on its own, outside the project's tree
	}
	fixtures, err := filepath.Abs(filepath.Join("testdata", "docs"))
	if err != nil {
		t.Fatal(err)
	}
	commands := map[string]testkit.Command{
		"simdrank": func(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
			return run(t.Context(), args, stdin, stdout, stderr)
		},
	}
	pages, err := fs.Glob(os.DirFS(root), "docs/*/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range append(pages, "README.md") {
		if folder := path.Dir(page); folder == "docs/contributing" || page == "docs/howto/run-on-a-cluster.md" {
			continue
		}
		t.Run(strings.TrimSuffix(page, ".md"), func(t *testing.T) {
			testkit.Page(t, filepath.Join(root, filepath.FromSlash(page)), fixtures, commands)
		})
	}
}
