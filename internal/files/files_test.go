package files

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/simdrank/simdrank/internal/testkit"
)

func hello(w io.Writer) error { _, err := io.WriteString(w, "hello\n"); return err }

func TestSave(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	for _, name := range []string{"a.txt", "a.txt.gz", "a.txt"} { // the last one is there already
		t.Run(name, func(t *testing.T) {
			if err := Save(path(name), hello); err != nil {
				t.Fatal(err)
			}
			raw, err := os.ReadFile(path(name))
			if err != nil {
				t.Fatal(err)
			}
			if packed := bytes.HasPrefix(raw, []byte("\x1f\x8b")); packed != strings.HasSuffix(name, ".gz") {
				t.Errorf("compressed %v", packed)
			}
			got, err := Load(path(name), func(r io.Reader) (string, error) {
				if n := Size(r); n != int64(len(raw)) {
					t.Errorf("size %d of %d", n, len(raw))
				}
				text, err := BudgetOf(0).Uncompressed(r)
				if err != nil {
					return "", err
				}
				b, err := io.ReadAll(text)
				return string(b), err
			})
			if got != "hello\n" || err != nil {
				t.Errorf("%s holds %q, %v", name, got, err)
			}
		})
	}

	// A write that fails half way leaves what was there.
	dir = t.TempDir()
	if err := Save(path("a.txt"), hello); err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken")
	half := func(w io.Writer) error { hello(w); return broken }
	for _, name := range []string{"a.txt", "new.txt", "new.gz"} {
		t.Run(name, func(t *testing.T) {
			if err := Save(path(name), half); !errors.Is(err, broken) {
				t.Error(err)
			}
		})
	}
	if got := testkit.FileNames(t, dir); !slices.Equal(got, []string{"a.txt"}) {
		t.Errorf("the directory holds %q", got)
	}

	for _, bad := range []string{dir, filepath.Join(dir, "nowhere", "a.txt"), filepath.Join(path("a.txt"), "b")} {
		t.Run(filepath.Base(bad), func(t *testing.T) {
			if err := Save(bad, hello); err == nil || !strings.HasPrefix(err.Error(), bad+": ") ||
				strings.Contains(err.Error(), ".tmp") {
				t.Error(err)
			}
			if err := Check(bad); err == nil {
				t.Errorf("%s passes for writable", bad)
			}
		})
	}
	// Once it is written, it may not be put in the place of what is there by then.
	taken := path("taken")
	if err := Save(taken, func(io.Writer) error { return os.Mkdir(taken, 0o777) }); err == nil ||
		!strings.HasPrefix(err.Error(), taken+": ") || strings.Contains(err.Error(), ".tmp") {
		t.Error(err)
	}
	if err := Check(path("fresh")); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(path("fresh")); err == nil {
		t.Error("Check leaves a file")
	}
}

func TestUncompressed(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	hello(z)
	z.Close()
	for i, text := range []string{"hello\n", packed.String()} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			r, err := BudgetOf(0).Uncompressed(strings.NewReader(text))
			if err != nil {
				t.Fatal(err)
			}
			if got, err := io.ReadAll(r); string(got) != "hello\n" || err != nil {
				t.Errorf("%q, %v", got, err)
			}
		})
	}
	junk := strings.NewReader("\x1f\x8bjunk, long enough for a header")
	if _, err := BudgetOf(0).Uncompressed(junk); err != gzip.ErrHeader {
		t.Error(err)
	}
}

func TestSaveFolder(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	fill := func(dir string) error { return os.WriteFile(filepath.Join(dir, "a"), nil, 0o666) }
	broken := errors.New("broken")
	half := func(dir string) error { fill(dir); return broken }
	if err := SaveFolder(path("new"), half); !errors.Is(err, broken) || testkit.FileNames(t, dir) != nil {
		t.Errorf("half a folder: %v, left %q", err, testkit.FileNames(t, dir))
	}
	// Errors of the system name the file that was to be.
	if err := SaveFolder(path("new"), func(dir string) error {
		return os.Mkdir(filepath.Join(dir, "nowhere", "b"), 0o777)
	}); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), path("new/nowhere/b")) ||
		strings.Contains(err.Error(), ".tmp") {
		t.Errorf("an error in a new folder: %v", err)
	}
	for range 2 { // the second time it is there
		if err := SaveFolder(path("new")+string(filepath.Separator), fill); err != nil ||
			!slices.Equal(testkit.FileNames(t, path("new")), []string{"a"}) {
			t.Error(err)
		}
	}
	if err := SaveFolder(path("new"), half); !errors.Is(err, broken) || testkit.FileNames(t, path("new")) == nil {
		t.Errorf("a folder that was there: %v", err)
	}
	for _, bad := range []string{filepath.Join(path("new"), "a"), filepath.Join(path("none"), "new")} {
		t.Run(filepath.Base(bad), func(t *testing.T) {
			if err := SaveFolder(bad, fill); err == nil || !strings.HasPrefix(err.Error(), bad+": ") ||
				strings.Contains(err.Error(), ".tmp") {
				t.Error(err)
			}
		})
	}
	if got := testkit.FileNames(t, dir); !slices.Equal(got, []string{"new"}) {
		t.Errorf("the directory holds %q", got)
	}
}

func TestSaveUnix(t *testing.T) {
	if runtime.GOOS == "windows" || runtime.GOOS == "wasip1" {
		t.Skip("permissions, links and devices of Unix")
	}
	dir := t.TempDir()

	real, link := filepath.Join(dir, "real"), filepath.Join(dir, "link")
	if err := os.WriteFile(real, nil, 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("real", link); err != nil {
		t.Fatal(err)
	}
	if err := Save(link, hello); err != nil {
		t.Fatal(err)
	}
	info, err := os.Lstat(real)
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(real); string(got) != "hello\n" || info.Mode() != 0o640 {
		t.Errorf("the link's target holds %q, mode %v", got, info.Mode())
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link was replaced: %v, %v", info, err)
	}

	if err := Save(os.DevNull, hello); err != nil {
		t.Error(err)
	}
	if info, err := os.Stat(os.DevNull); err != nil || info.Mode().IsRegular() {
		t.Errorf("%s was replaced: %v, %v", os.DevNull, info, err)
	}
}

// TestReplaced compares files, not names.
func TestReplaced(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"a", "b"} {
		if err := os.WriteFile(name, nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	here := "." + string(filepath.Separator) + "a"
	for i, c := range []struct {
		output string
		inputs []string
		want   string
	}{
		{"a", []string{"b", "", "none", here, "a"}, here},
		{"a", []string{"b"}, ""},
		{"none", []string{"none"}, ""},
		{".", []string{"."}, ""},
		{"", []string{""}, ""},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if got := Replaced(c.output, c.inputs...); got != c.want {
				t.Errorf("%q replaces %q of %q, want %q", c.output, got, c.inputs, c.want)
			}
		})
	}
}

// An Output keeps its first error, and writes nothing after it.
func TestOutput(t *testing.T) {
	r, w := io.Pipe()
	first := errors.New("first")
	r.CloseWithError(first)
	o := &Output{Writer: w}
	if n, err := io.WriteString(o, "x"); n != 0 || err != first {
		t.Errorf("%d, %v", n, err)
	}
	var b bytes.Buffer
	o.Writer = &b
	if n, err := io.WriteString(o, "x"); n != 0 || err != first || o.Err != first || b.Len() > 0 {
		t.Errorf("%d, %v, %v, %q", n, err, o.Err, b.String())
	}
	o.Err = nil
	if n, err := io.WriteString(o, "x"); n != 1 || err != nil || b.String() != "x" {
		t.Errorf("%d, %v, %q", n, err, b.String())
	}
}

// Links without a target stay what they are.
func TestSaveLinkWithoutTarget(t *testing.T) {
	dir := t.TempDir()
	for _, to := range []string{"nothing", "link"} {
		t.Run(to, func(t *testing.T) {
			link := filepath.Join(dir, "link")
			if err := os.Symlink(to, link); err != nil {
				t.Skip(err)
			}
			err := Save(link, func(io.Writer) error { return nil })
			if err == nil || !strings.HasPrefix(err.Error(), link+": the link has no target: ") {
				t.Errorf("a link to %s: %v", to, err)
			}
			if got, err := os.Readlink(link); got != to || os.Remove(link) != nil {
				t.Errorf("the link to %s leads to %q: %v", to, got, err)
			}
		})
	}
}

// Where a link's own folder takes no files, as that of /proc does, that of its target may.
func TestScratchOfLink(t *testing.T) {
	to, err := os.Create(filepath.Join(t.TempDir(), "to"))
	if err != nil {
		t.Fatal(err)
	}
	defer to.Close()
	link := fmt.Sprintf("/proc/self/fd/%d", to.Fd())
	if got, err := os.Readlink(link); err != nil || got != to.Name() {
		t.Skip("no /proc with links to open files")
	}
	_, done, err := Scratch(link)
	if err != nil {
		t.Fatal(err)
	}
	done()
}

// Names of the longest length that file systems take can be written.
func TestSaveLongNames(t *testing.T) {
	for _, c := range []struct{ name, char string }{{"ASCII", "x"}, {"UTF-8", "é"}} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			long := strings.Repeat(c.char, 251/len(c.char))
			for _, name := range []string{long + ".txt", long[:240] + ".json", long[:240] + "a"} {
				t.Run(fmt.Sprint(len(name)), func(t *testing.T) {
					path := filepath.Join(dir, name)
					if err := os.WriteFile(path, nil, 0o666); err != nil {
						t.Skip(err) // some file systems take no such names
					}
					if err := Save(path, hello); err != nil {
						t.Error(err)
					}
					if _, done, err := Scratch(path); err != nil {
						t.Error(err)
					} else {
						done()
					}
					if temp := filepath.Base(tempName(path)); !utf8.ValidString(temp) || len(temp) > longestName {
						t.Errorf("%d bytes: %q", len(temp), temp)
					}
				})
			}
		})
	}
}

// What killed programs have left of a file is removed after a day, and nothing else is.
func TestRemoveOld(t *testing.T) {
	dir := t.TempDir()
	old, now := time.Now().Add(-abandoned-time.Minute), time.Now()
	for name, changed := range map[string]time.Time{
		".a.txt.01234567.tmp":  old,
		".a.txt.89abcdef.tmp":  now, // a program may be writing it
		".a.txt.0123456.tmp":   old, // names that are not ours
		".a.txt.0123456g.tmp":  old,
		".a.txt.+1234567.tmp":  old,
		".a.txt.01234567.temp": old,
		".b.txt.01234567.tmp":  old, // of another file
		"a.txt.01234567.tmp":   old,
		".f.01234567.tmp/part": old,
		".f.01234568.tmp/part": now,
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o666); err != nil {
			t.Fatal(err)
		}
		for ; path != dir; path = filepath.Dir(path) {
			if err := os.Chtimes(path, changed, changed); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := Check(filepath.Join(dir, "a.txt")); err != nil {
		t.Error(err)
	}
	if err := SaveFolder(filepath.Join(dir, "f"), func(string) error { return nil }); err != nil {
		t.Error(err)
	}
	want := []string{".a.txt.+1234567.tmp", ".a.txt.0123456.tmp", ".a.txt.01234567.temp", ".a.txt.0123456g.tmp",
		".a.txt.89abcdef.tmp", ".b.txt.01234567.tmp", ".f.01234568.tmp", "a.txt.01234567.tmp", "f"}
	if got := testkit.FileNames(t, dir); !slices.Equal(got, want) {
		t.Errorf("the folder holds %q,\nwant %q", got, want)
	}
}
