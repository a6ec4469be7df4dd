// Package tutorialtest compares tutorials with what docs holds of them.
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

// DataPath returns the path of a dataset in $SIMDRANK_DATA, or where checkouts have it. If there is
// none, the test fails if the variable names the folder, and is skipped otherwise, as are short
// tests.
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
		missing("no %s: put the datasets in %s, or name their folder in SIMDRANK_DATA", name, dir)
	}
	return path
}

// largest is the size of the largest picture that is kept, in bytes.
const largest = 60 << 10

// outside are links of a page to files.
var outside = regexp.MustCompile(`(src|href)="[^"#]+\.(svg|md|css|js)"`)

// Compare compares a tutorial with the folder docs/tutorials/NAME, which has all of its files but
// index.html. With the flag -update it writes them there.
func Compare(t *testing.T, name string, tut *tutorial.Tutorial) {
	t.Helper()
	out, err := tut.Files()
	if err != nil {
		t.Fatal(err)
	}
	if link := outside.Find(out["index.html"]); link != nil {
		t.Errorf("index.html wants a file: %s", link)
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
			t.Errorf("docs/tutorials/%s/%s is not what the example makes (%v): go test ./examples/%s -update", name, file,
				err, name)
		}
		if len(content) > largest {
			t.Errorf("%s has %d bytes, at most %d are wanted", file, len(content), largest)
		}
	}
	err = filepath.WalkDir(docs, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && out[d.Name()] == nil {
			t.Errorf("%s is no file of the tutorial", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}
