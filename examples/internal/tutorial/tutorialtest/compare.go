// Package tutorialtest compares tutorials with what docs holds of them.
package tutorialtest

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/simdrank/simdrank/examples/internal/tutorial"
	"github.com/simdrank/simdrank/internal/testkit"
)

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
	if *testkit.Update {
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
