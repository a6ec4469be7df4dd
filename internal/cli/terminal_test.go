package cli

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// A terminal gets characters whole, however they are cut into writes.
func TestTerminalWriter(t *testing.T) {
	const text = "a\tb\x1b\u202eé😀\xff\n"
	for n := range len(text) + 1 {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			var out bytes.Buffer
			w := &terminalWriter{w: &out}
			for _, part := range []string{text[:n], text[n:]} {
				if k, err := io.WriteString(w, part); k != len(part) || err != nil {
					t.Errorf("%d bytes of %d, %v", k, len(part), err)
				}
			}
			if want := "a\tb\\x1b\\u202eé😀\\xff\n"; out.String() != want {
				t.Errorf("%q, want %q", &out, want)
			}
		})
	}
}

// Files and other writers get all bytes.
func TestForTerminal(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "file"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for _, w := range []io.Writer{file, new(bytes.Buffer)} {
		t.Run(fmt.Sprintf("%T", w), func(t *testing.T) {
			if got := ForTerminal(w); got != w {
				t.Errorf("%T", got)
			}
		})
	}
}
