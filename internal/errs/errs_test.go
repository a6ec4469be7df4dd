package errs

import (
	"errors"
	"io"
	"testing"
)

func TestError(t *testing.T) {
	for _, c := range []struct {
		err        error
		bare, want string
	}{
		{New("rank", "no labels"), "no labels", "lambdamart: set 1: no labels"},
		{Op("lambdamart", Errorf("rank", "%d %w", 3, io.EOF)), "3 EOF", "lambdamart: set 1: 3 EOF"},
		{Op("rank", Wrap(New("tune", "bad"), "query %q", "a: b")), `query "a: b": bad`,
			`lambdamart: set 1: query "a: b": bad`},
		{errors.New("rank: a.txt:3: no labels"), "rank: a.txt:3: no labels",
			"lambdamart: set 1: rank: a.txt:3: no labels"},
		{io.EOF, "EOF", "lambdamart: set 1: EOF"},
	} {
		t.Run(c.bare, func(t *testing.T) {
			got := Op("lambdamart", Wrap(c.err, "set %d", 1))
			if got.Error() != c.want || Bare(c.err) != c.bare || !errors.Is(got, c.err) {
				t.Errorf("%v: %q and %q, want %q and %q", c.err, Bare(c.err), got, c.bare, c.want)
			}
		})
	}
	if err := Op("rank", Wrap(io.EOF, "row 2")); err.Error() != "rank: row 2: EOF" || !errors.Is(err, io.EOF) {
		t.Error(err)
	}
}

func TestPrintable(t *testing.T) {
	for text, want := range map[string]string{
		"":                            "",
		"Größe \u4e2d 😀\nline 2":      "Größe \u4e2d 😀\nline 2",
		"a\x1b[31m\r\t\x00\x7f.txt:3": `a\x1b[31m\r\t\x00\x7f.txt:3`,
		"a\u009b31m":                  `a\u009b31m`,
		"a\u202eb\u2066\u200f\u061c":  `a\u202eb\u2066\u200f\u061c`,
		"a\u2028b\u2029":              `a\u2028b\u2029`,
		"a\u200db\u00a0\u3000":        "a\u200db\u00a0\u3000",
		"caf\xe9":                     `caf\xe9`,
		"\ufffd \"\\":                 "\ufffd \"\\",
	} {
		t.Run(text, func(t *testing.T) {
			if got := Printable(text); got != want {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}

func TestLine(t *testing.T) {
	for text, want := range map[string]string{
		"Größe 😀":                     "Größe 😀",
		"a\tb\r\nc\v\fd":              "a b  c  d",
		"\x1b[2J\x00\u009b31mcaf\xe9": `\x1b[2J\x00\u009b31mcaf\xe9`,
	} {
		t.Run(text, func(t *testing.T) {
			if got := Line(text); got != want {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}
