// Package errs has errors that say of which package they are and where in their input, in fields,
// and makes errors safe to print.
package errs

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// An Error is an error of a package, or at a place of its input, or both. Its text is made when it
// is asked for, so that a caller may change the fields of what it wraps, as rank.OptionError.
type Error struct {
	Op  string // the package that was called, "" for none
	At  string // such as "tree 3" or the name of a file, "" for none
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

// New returns an error of a package.
func New(op, text string) error { return &Error{Op: op, Err: errors.New(text)} }

// Errorf returns an error of a package. An error with fields that a caller may change comes by [Op]
// or [Wrap]; here its text would be made at once.
func Errorf(op, format string, args ...any) error {
	return &Error{Op: op, Err: fmt.Errorf(format, args...)}
}

// Op returns an error that says which package was called.
func Op(op string, err error) error { return &Error{Op: op, Err: err} }

// Wrap returns an error that says where err happened.
func Wrap(err error, format string, args ...any) error {
	return &Error{At: fmt.Sprintf(format, args...), Err: err}
}

// Bare returns the text of err without the name of the package.
func Bare(err error) string {
	if e, ok := err.(*Error); ok {
		return e.bare()
	}
	return err.Error()
}

// Printable returns a text for a terminal: control characters except newlines, characters that turn
// the direction of text or separate lines, and bytes that are not UTF-8 are written as in a Go
// string. They come from names of files and from what files hold, and a terminal obeys them.
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

// Line is [Printable] for a line of text or a cell of a table, which newlines and tabs would end:
// each becomes a space.
func Line(text string) string { return Printable(blanks.Replace(text)) }

var blanks = strings.NewReplacer("\t", " ", "\n", " ", "\v", " ", "\f", " ", "\r", " ")
