// Package errs keeps the names of packages in errors to one, at the start, and makes errors safe to
// print.
package errs

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// prefixes are the packages whose errors begin with their name.
var prefixes = []string{"rank: ", "data: ", "trec: ", "treceval: ", "fusion: ", "datafile: ", "compare: ",
	"lambdamart: ", "model: ", "nearest: ", "vectorfile: ", "explain: ", "pairwise: ", "report: ", "tune: "}

// Bare returns the text of err without the name of the package that it begins with.
func Bare(err error) string {
	text := err.Error()
	for _, p := range prefixes {
		if bare, ok := strings.CutPrefix(text, p); ok {
			return bare
		}
	}
	return text
}

// Printable returns a text for a terminal: control characters but newlines, and what is no UTF-8,
// are written as in a Go string. They come from names of files, which may hold any byte, and a
// terminal obeys them.
func Printable(text string) string {
	var b strings.Builder
	for len(text) > 0 {
		r, n := utf8.DecodeRuneInString(text)
		if r == utf8.RuneError && n == 1 || unicode.IsControl(r) && r != '\n' {
			quoted := strconv.Quote(text[:n])
			b.WriteString(quoted[1 : len(quoted)-1])
		} else {
			b.WriteString(text[:n])
		}
		text = text[n:]
	}
	return b.String()
}

// Line is [Printable] for a line of text or a cell of a table, which newlines and tabs would end:
// each becomes a space.
func Line(text string) string { return Printable(blanks.Replace(text)) }

var blanks = strings.NewReplacer("\t", " ", "\n", " ", "\v", " ", "\f", " ", "\r", " ")

type wrapped struct {
	text string
	err  error
}

func (w *wrapped) Error() string { return w.text }
func (w *wrapped) Unwrap() error { return w.err }

// Wrap returns an error that wraps err and says before it where it happened, without the name of
// the package that err begins with: the format begins with one, or with the name of a file.
func Wrap(err error, format string, args ...any) error {
	return &wrapped{fmt.Sprintf(format, args...) + ": " + Bare(err), err}
}
