package cli

import (
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/simdrank/simdrank/internal/errs"
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
	if line.Error() != `a.txt:3: index is 0 (allowed by the option ZeroBased): "0:1"` {
		t.Errorf("the error itself is now %v", line)
	}
}
