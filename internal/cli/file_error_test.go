package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"testing"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/memory"
	"github.com/simdrank/simdrank/rank"
)

type wrapped struct{ error }

func (w wrapped) Unwrap() error { return w.error }

func TestWithFlags(t *testing.T) {
	option := &rank.OptionError{Option: "ZeroBased", Err: errors.New("index is 0")}
	line := &rank.ParseError{File: "a.txt", Line: 3, Text: "0:1", Err: option}
	for _, c := range []struct {
		err  error
		want string
	}{
		{io.EOF, "EOF"},
		{option, "index is 0 (use --zero-based)"},
		{&rank.OptionError{Option: "other", Err: io.EOF}, "EOF"},
		{line, `a.txt:3: index is 0 (use --zero-based): "0:1"`},
		{wrapped{errs.Op("rank", errs.Wrap(line, "set 1"))}, `set 1: a.txt:3: index is 0 (use --zero-based): "0:1"`},
		{fmt.Errorf("at: %w", io.EOF), "at: EOF"},
	} {
		t.Run(fmt.Sprint(c.err), func(t *testing.T) {
			got := WithFlags(c.err, func(o *rank.OptionError) string {
				if o.Option == "ZeroBased" {
					return "use --zero-based"
				}
				return ""
			})
			if errs.Bare(got) != c.want {
				t.Errorf("%v, want %s", errs.Bare(got), c.want)
			}
		})
	}
	if line.Error() != `a.txt:3: index is 0 (change the option ZeroBased): "0:1"` {
		t.Errorf("the error itself is now %v", line)
	}
}

// An error of mapped data that changed names the data, whatever the caller was about to do with it.
func TestFileErrorOfChange(t *testing.T) {
	line := &rank.ParseError{Line: 3, Err: errors.New("the weight is NaN")}
	change := &fs.PathError{Op: "read", Path: "data.simdrank", Err: &memory.Change{Err: line}}
	for _, c := range []struct {
		err  error
		want string
	}{
		{change, "data.simdrank: the file changed while in use: line 3: the weight is NaN"},
		{errs.Op("explain", change), "data.simdrank: the file changed while in use: line 3: the weight is NaN"},
		{&fs.PathError{Op: "read", Path: "/dev/stdin", Err: io.EOF}, "model.json: EOF"},
		{line, "model.json:3: the weight is NaN"},
	} {
		t.Run(c.want, func(t *testing.T) {
			if got := FileError("model.json", c.err); got.Error() != c.want {
				t.Errorf("%v", got)
			}
		})
	}
}
