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

func TestPrintable(t *testing.T) {
	for text, want := range map[string]string{
		"":                            "",
		"Größe \u4e2d 😀\nline 2":      "Größe \u4e2d 😀\nline 2",
		"a\x1b[31m\r\t\x00\x7f.txt:3": `a\x1b[31m\r\t\x00\x7f.txt:3`,
		"a\u009b31m":                  `a\u009b31m`,
		"caf\xe9":                     `caf\xe9`,
		"\ufffd \"\\":                 "\ufffd \"\\",
	} {
		if got := Printable(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestLine(t *testing.T) {
	for text, want := range map[string]string{
		"Größe 😀":                     "Größe 😀",
		"a\tb\r\nc\v\fd":              "a b  c  d",
		"\x1b[2J\x00\u009b31mcaf\xe9": `\x1b[2J\x00\u009b31mcaf\xe9`,
	} {
		if got := Line(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
