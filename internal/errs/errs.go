// Package errs contains errors with fields for the package and for the place in the input, and
// makes error texts safe to print.
package errs

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// An Error is an error of a package, or at a place in its input, or both. Its text is built when
// Error is called, so a caller can first change the fields of the wrapped error, for example of a
// rank.OptionError.
type Error struct {
	// Op is the package that was called, or "".
	Op string
	// At is a place such as "tree 3" or a file name, or "".
	At  string
	Err error
}

// Error returns "op: at: what is wrong". Only the outermost package is named.
func (e *Error) Error() string {
	if e.Op == "" {
		return e.bare()
	}
	return e.Op + ": " + e.bare()
}

func (e *Error) bare() string {
	if e.At == "" {
		return Bare(e.Err)
	}
	return e.At + ": " + Bare(e.Err)
}

// Unwrap returns Err.
func (e *Error) Unwrap() error { return e.Err }

// ErrNoDocuments reports a data file without documents.
var ErrNoDocuments = errors.New("the file contains no documents")

// New returns an error of a package.
func New(op, text string) error { return &Error{Op: op, Err: errors.New(text)} }

// Errorf returns an error of a package. Its text is built at once. For an error with fields that a
// caller may change, use [Op] or [Wrap].
func Errorf(op, format string, args ...any) error {
	return &Error{Op: op, Err: fmt.Errorf(format, args...)}
}

// Op returns err as an error of a package.
func Op(op string, err error) error { return &Error{Op: op, Err: err} }

// During is like [Op], but returns err itself if it is nil or if the context has ended.
func During(ctx context.Context, op string, err error) error {
	if err == nil || ctx.Err() != nil {
		return err
	}
	return Op(op, err)
}

// Wrap returns an error that states where err happened.
func Wrap(err error, format string, args ...any) error {
	return &Error{At: fmt.Sprintf(format, args...), Err: err}
}

// Bare returns the text of err without the package name.
func Bare(err error) string {
	if e, ok := err.(*Error); ok {
		return e.bare()
	}
	return err.Error()
}

// Printable returns text that is safe to print to a terminal. Control characters except newlines,
// characters that change the text direction or separate lines, and invalid UTF-8 are escaped as in
// a Go string. Such characters can come from file names and file contents, and a terminal
// interprets them.
func Printable(text string) string {
	var b strings.Builder
	for len(text) > 0 {
		r, n := utf8.DecodeRuneInString(text)
		if r == utf8.RuneError && n == 1 ||
			r != '\n' && unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp, unicode.Bidi_Control) {
			quoted := strconv.Quote(text[:n])
			b.WriteString(quoted[1 : len(quoted)-1])
		} else {
			b.WriteString(text[:n])
		}
		text = text[n:]
	}
	return b.String()
}

// Line is like [Printable] but for a line of text or a table cell. Newlines and tabs become spaces.
func Line(text string) string { return Printable(blanks.Replace(text)) }

var blanks = strings.NewReplacer("\t", " ", "\n", " ", "\v", " ", "\f", " ", "\r", " ")
