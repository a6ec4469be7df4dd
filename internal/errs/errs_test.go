package errs

import (
	"errors"
	"io"
	"testing"
)

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		err        error
		bare, want string
	}{
		{errors.New("rank: no labels"), "no labels", "lambdamart: set 1: no labels"},
		{errors.New("lambdamart: rank: both"), "rank: both", "lambdamart: set 1: rank: both"},
		{errors.New("a.txt:3: no labels"), "a.txt:3: no labels", "lambdamart: set 1: a.txt:3: no labels"},
		{io.EOF, "EOF", "lambdamart: set 1: EOF"},
	} {
		got := Wrap(c.err, "lambdamart: set %d", 1)
		if got.Error() != c.want || Bare(c.err) != c.bare || !errors.Is(got, c.err) {
			t.Errorf("%v: %q and %q, want %q and %q", c.err, Bare(c.err), got, c.bare, c.want)
		}
	}
}
