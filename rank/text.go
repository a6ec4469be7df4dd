package rank

import (
	"fmt"
	"io"
	"strings"

	"github.com/simdrank/simdrank/internal/files"
)

// A ParseError says where a text file is wrong and why. Readers of this package
// return the first error of the file; errors about data that were read from one wrap it, too.
type ParseError struct {
	File   string // path as given; empty when reading from an io.Reader
	Line   int    // from 1
	Column int    // in bytes from 1; 0 when the error is about the whole line or file
	Text   string // the offending text, cut to a readable length; may be empty
	Err    error  // what is wrong with it
}

// Error returns "file:line:column: what is wrong: text".
func (e *ParseError) Error() string {
	var s strings.Builder
	if e.File != "" {
		fmt.Fprintf(&s, "%s:%d", e.File, e.Line)
		if e.Column > 0 {
			fmt.Fprintf(&s, ":%d", e.Column)
		}
	} else {
		fmt.Fprintf(&s, "line %d", e.Line)
		if e.Column > 0 {
			fmt.Fprintf(&s, ", column %d", e.Column)
		}
	}
	fmt.Fprintf(&s, ": %v", e.Err)
	if e.Text != "" {
		fmt.Fprintf(&s, ": %q", e.Text)
	}
	return s.String()
}

// Unwrap returns Err.
func (e *ParseError) Unwrap() error { return e.Err }

// excerpt returns text as it stands in a ParseError.
func excerpt(text []byte) string {
	const limit = 48
	if len(text) <= limit {
		return string(text)
	}
	return string(text[:limit]) + "…"
}

// uncompressed returns r, or the text that r holds compressed with gzip.
func uncompressed(r io.Reader) (io.Reader, error) {
	text, err := files.Uncompressed(r)
	if err != nil {
		return nil, fmt.Errorf("cannot read on: %w", err)
	}
	return text, nil
}

// load has read take the content of a file, which its errors name.
func load[T any](path string, read func(io.Reader, string) (T, error)) (T, error) {
	return files.Load(path, func(r io.Reader) (T, error) { return read(r, path) })
}
