package cli

import (
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/rank"
)

var errTruncated = errors.New("the compressed data end early: the file is truncated")

// Error completes an error of reading a file, or about what was read from it, by the name of the
// file, once. An error that names a line is about no more than that; gzip's and the file system's
// say too little or the name twice.
func FileError(path string, err error) error {
	var parse *rank.ParseError
	var pathErr *fs.PathError
	switch {
	case err == nil || errors.Is(err, context.Canceled):
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
