package cli

import (
	"io"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/simdrank/simdrank/internal/errs"
)

// ForTerminal returns a writer that escapes control characters if w is a terminal, because any
// output, such as a model or a run, may go there. Output to files and to other programs is not
// changed.
func ForTerminal(w io.Writer) io.Writer {
	if f, ok := w.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
			return &terminalWriter{w: w}
		}
	}
	return w
}

// A terminalWriter escapes text as [errs.Printable] does, except tabs.
type terminalWriter struct {
	w    io.Writer
	rest []byte // start of an incomplete character
}

func (t *terminalWriter) Write(p []byte) (int, error) {
	b := append(t.rest, p...)
	end := len(b)
	for i := max(0, end-utf8.UTFMax+1); i < end; i++ {
		if utf8.RuneStart(b[i]) && !utf8.FullRune(b[i:]) {
			end = i
		}
	}
	parts := strings.Split(string(b[:end]), "\t")
	for i := range parts {
		parts[i] = errs.Printable(parts[i])
	}
	t.rest = slices.Clone(b[end:])
	if _, err := io.WriteString(t.w, strings.Join(parts, "\t")); err != nil {
		return 0, err
	}
	return len(p), nil
}
