package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/memory"
	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/rank"
)

var errTruncated = errors.New("the file is truncated: the compressed data end early")

// FileError adds the name of a file to an error about reading the file or about its contents. It
// adds the name once, and replaces errors of gzip and of the file system that say too little or
// repeat the name. An error about mapped data that changed keeps the name of its own file, because
// it may occur while another file is read.
func FileError(path string, err error) error {
	var parse *rank.ParseError
	var pathErr *fs.PathError
	switch {
	case err == nil || errors.Is(err, context.Canceled):
		return err
	case errors.As(err, new(*memory.Change)):
		if errors.As(err, &pathErr) {
			return errs.Wrap(pathErr.Err, "%s", pathErr.Path)
		}
		return err
	case errors.As(err, &parse):
		if parse.Line <= 1 && errors.As(parse.Err, &pathErr) { // nothing can be read, for example from a directory
			parse.Line, parse.Err = 0, pathErr.Err
		}
		parse.File = cmp.Or(parse.File, path)
		if errors.Is(parse.Err, io.ErrUnexpectedEOF) {
			parse.Err = errTruncated
		}
		return parse
	case errors.As(err, &pathErr):
		err = pathErr.Err
	case errors.Is(err, io.ErrUnexpectedEOF):
		err = errTruncated
	}
	return errs.Wrap(err, "%s", path)
}

// WithFlags returns an error in which hints replace the names of the library's options. hint
// returns a text such as "use --gather to group them", or "" for none.
func WithFlags(err error, hint func(o *rank.OptionError) string) error {
	switch e := err.(type) {
	case *errs.Error:
		return &errs.Error{Op: e.Op, At: e.At, Err: WithFlags(e.Err, hint)}
	case *rank.ParseError:
		place := *e
		place.Err = WithFlags(e.Err, hint)
		return &place
	case *rank.OptionError:
		if advice := hint(e); advice != "" {
			return fmt.Errorf("%w (%s)", e.Err, advice)
		}
		return e.Err
	}
	if inner := errors.Unwrap(err); inner != nil && inner.Error() == err.Error() { // it only adds a type
		return WithFlags(inner, hint)
	}
	return err
}

// A FlagError is an error about a flag. Flag is its name without hyphens. The text of Err begins
// with the flag.
type FlagError struct {
	Flag string
	Err  error
}

// Flagf returns an error about a flag. Its text is the name of the flag followed by the format.
func Flagf(flag, format string, args ...any) error {
	return &FlagError{flag, fmt.Errorf("--"+flag+format, args...)}
}

// CheckWord returns an error about a flag if word is not in words. of is the noun for the word.
func CheckWord(flag, of, word string, words []string) error {
	if _, err := text.ParseEnum[int]("", of, words, word); err != nil {
		return Flagf(flag, ": %w", err)
	}
	return nil
}

// Error returns the text.
func (e *FlagError) Error() string { return e.Err.Error() }

// Unwrap returns Err.
func (e *FlagError) Unwrap() error { return e.Err }
