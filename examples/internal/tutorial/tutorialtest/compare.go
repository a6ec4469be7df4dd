// Package tutorialtest compares tutorials with their files in docs.
package tutorialtest

import (
	"bytes"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/simdrank/simdrank/examples/internal/tutorial"
)

var update = flag.Bool("update", false, "write the files that the tests compare with")

// DataPath returns the path of a dataset in $SIMDRANK_DATA or in the default folder. If the dataset
// does not exist, the test fails if the variable is set and is skipped otherwise. In short mode it
// is skipped, too.
func DataPath(t *testing.T, name string) string {
	t.Helper()
	if testing.Short() {
		t.Skip("real data takes long in emulation")
	}
	dir := os.Getenv("SIMDRANK_DATA")
	missing := t.Fatalf
	if dir == "" {
		missing = t.Skipf
		dir = filepath.Join("..", "..", "..", "shared", "data")
	}
	path := filepath.Join(dir, name)
	if _, err := os.Stat(path); err != nil {
		missing("%s does not exist: put the datasets in %s, or set SIMDRANK_DATA to their folder", name, dir)
	}
	return path
}

// largest is the maximum size of a figure in bytes.
const largest = 60 << 10

// outside matches links from a page to other files.
var outside = regexp.MustCompile(`(src|href)="[^"#]+\.(svg|md|css|js)"`)

// Compare compares a tutorial with the folder docs/tutorials/NAME, which contains all of its files
// except index.html. With the flag -update it writes them.
func Compare(t *testing.T, name string, tut *tutorial.Tutorial) {
	t.Helper()
	out, err := tut.Files()
	if err != nil {
		t.Fatal(err)
	}
	if link := outside.Find(out["index.html"]); link != nil {
		t.Errorf("index.html refers to another file: %s", link)
	}
	delete(out, "index.html")
	docs := filepath.Join("..", "..", "docs", "tutorials", name)
	if *update {
		if err := os.RemoveAll(docs); err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(docs, 0o777); err != nil {
			t.Fatal(err)
		}
		for file, content := range out {
			if err := os.WriteFile(filepath.Join(docs, file), content, 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	for file, content := range out {
		kept, err := os.ReadFile(filepath.Join(docs, file))
		if err != nil || !bytes.Equal(kept, content) {
			t.Errorf("docs/tutorials/%s/%s differs from the output of the example (%v): go test ./examples/%s -update", name, file,
				err, name)
		}
		if len(content) > largest {
			t.Errorf("%s has %d bytes; the limit is %d", file, len(content), largest)
		}
	}
	err = filepath.WalkDir(docs, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && out[d.Name()] == nil {
			t.Errorf("%s is not a file of the tutorial", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}
