package files

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The library does not contain zstd. It refuses such files instead of reading compressed bytes as
// text, or writing text to a file whose name ends in .zst.
func TestNoZstd(t *testing.T) {
	if _, err := Uncompressed(strings.NewReader(zstdMagic + "x")); err != errNoZstd {
		t.Errorf("reading: %v", err)
	}
	path := filepath.Join(t.TempDir(), "a.zst")
	if err := Save(path, func(io.Writer) error { return nil }); err != errNoZstd {
		t.Errorf("writing: %v", err)
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("a file exists")
	}
}

func TestCompressed(t *testing.T) {
	for _, c := range []struct {
		start string
		want  bool
	}{{"", false}, {"\x1f", false}, {"\x1f\x8b", true}, {"\x28\xb5\x2f", false}, {zstdMagic, true}, {"1 2\n", false}} {
		t.Run(c.start, func(t *testing.T) {
			if got := Compressed([]byte(c.start)); got != c.want {
				t.Errorf("%q: %t", c.start, got)
			}
			if c.want {
				return
			}
			r, err := Uncompressed(strings.NewReader(c.start))
			if err != nil || Decompresses(r) {
				t.Fatalf("%q: %v", c.start, err)
			}
			if b, err := io.ReadAll(r); err != nil || !bytes.Equal(b, []byte(c.start)) {
				t.Errorf("%q: read %q, %v", c.start, b, err)
			}
		})
	}
	for name, want := range map[string]string{"a.csv.gz": "a.csv", "a.csv.zst": "a.csv", "a.gzip": "a.gzip",
		"zst": "zst"} {
		t.Run(name, func(t *testing.T) {
			if got := Stem(name); got != want {
				t.Errorf("%s, want %s", got, want)
			}
		})
	}
}
