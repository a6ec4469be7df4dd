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

var errTruncated = errors.New("the compressed data end early: the file is truncated")

// FileError completes an error of reading a file, or about what was read from it, by the name of
// the file, once. An error that names a line is about no more than that; gzip's and the file
// system's say too little or the name twice. An error of mapped data that changed keeps the name of
// its own file, which another one may be applied to.
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
		if parse.Line <= 1 && errors.As(parse.Err, &pathErr) { // nothing can be read, as of a directory
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

// WithFlags returns an error in which the names of the library's options are replaced by what hint
// says of them, for example "allowed by --gather"; "" is nothing.
func WithFlags(err error, hint func(o *rank.OptionError) string) error {
	switch e := err.(type) {
	case *errs.Error:
		return &errs.Error{Op: e.Op, At: e.At, Err: WithFlags(e.Err, hint)}
	case *rank.ParseError:
		place := *e
		place.Err = WithFlags(e.Err, hint)
		return &place
	case *rank.OptionError:
		if said := hint(e); said != "" {
			return fmt.Errorf("%w (%s)", e.Err, said)
		}
		return e.Err
	}
	if inner := errors.Unwrap(err); inner != nil && inner.Error() == err.Error() { // nothing but its type
		return WithFlags(inner, hint)
	}
	return err
}

// A FlagError is wrong usage of a flag, whose name has no hyphens here. The text of Err begins with
// the flag.
type FlagError struct {
	Flag string
	Err  error
}

// Flagf returns an error about a flag. The format goes on behind its name.
func Flagf(flag, format string, args ...any) error {
	return &FlagError{flag, fmt.Errorf("--"+flag+format, args...)}
}

// CheckWord returns an error about a flag whose word is not one of a list. of is what to call it.
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
