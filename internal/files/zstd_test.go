package files

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/rank"
)

// The library does not contain zstd. It refuses such files instead of reading compressed bytes as
// text, or writing text to a file whose name ends in .zst.
func TestNoZstd(t *testing.T) {
	const content = zstdMagic + "x"
	_, err := BudgetOf(0).Uncompressed(strings.NewReader(content))
	if option := (*rank.OptionError)(nil); !errors.As(err, &option) || option.Option != "Zstd" {
		t.Errorf("reading: %v", err)
	}
	path := filepath.Join(t.TempDir(), "a.zst")
	if err := Save(path, func(io.Writer) error { return nil }); err != errWriteZstd || Check(path) != err {
		t.Errorf("writing: %v", err)
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("a file exists")
	}
	mark := func(r io.Reader) (io.Reader, error) { return io.MultiReader(r, strings.NewReader("!")), nil }
	o := rank.ReadOptions{Zstd: mark}
	r, err := BudgetOf(0, BudgetOf(0, o).Options()).Uncompressed(strings.NewReader(content))
	if err != nil || !Decompresses(r) {
		t.Fatal(err)
	}
	if b, err := io.ReadAll(r); err != nil || string(b) != content+"!" {
		t.Errorf("read %q, %v", b, err)
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
			r, err := BudgetOf(0).Uncompressed(strings.NewReader(c.start))
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
