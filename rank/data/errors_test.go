package data_test

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/internal/testkit"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/data"
)

// A program can branch on the errors that the comment of the package lists.
func TestErrorKinds(t *testing.T) {
	_, err := data.Load(filepath.Join(t.TempDir(), "none.txt"), data.Options{})
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
	read := func(r io.Reader, o data.Options) error {
		in, err := data.NewInput(r, o)
		if err == nil {
			_, err = in.Read()
		}
		return err
	}
	parse, option := (*rank.ParseError)(nil), (*rank.OptionError)(nil)
	err = read(strings.NewReader("1 qid:1 1:1\n0 qid:1 0:1\n"), data.Options{Format: "letor"})
	if !errors.As(err, &parse) || parse.Line != 2 || !errors.As(err, &option) || option.Option != "ZeroBased" {
		t.Errorf("feature 0 of LETOR text: %v", err)
	}
	err = read(strings.NewReader("label,qid,a\n1,1,2\n0,1,?\n"), data.Options{Format: "csv"})
	if !errors.As(err, &parse) || parse.Line != 3 || !errors.As(err, &option) || option.Option != "Missing" ||
		option.Value != "?" {
		t.Errorf("a word in a table: %v", err)
	}
	packed := bytes.NewBufferString(testkit.Gzip(strings.Repeat("1 qid:1 1:1\n", 100)))
	err = read(bytes.NewReader(packed.Bytes()[:packed.Len()-10]), data.Options{Format: "letor"})
	if !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("truncated data: %v", err)
	}
}
