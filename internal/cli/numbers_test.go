package cli

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/internal/testkit"
)

func TestReadNumbers(t *testing.T) {
	zipped := bytes.NewBufferString(testkit.Gzip("# scores\n1,2.5\n\n \t-3e2  4\r\n"))
	var got []string
	err := ReadNumbers(zipped, 2, func(column int, text string, v float64) error {
		got = append(got, fmt.Sprint(column, " ", text, " ", v))
		return nil
	})
	if want := []string{"0 1 1", "1 2.5 2.5", "0 -3e2 -300", "1 4 4"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v", got, err)
	}
	for in, want := range map[string]string{
		"1\n2 3\n":                   `line 2, column 3: unexpected "3" after 1 column`,
		"x\n":                        `line 1, column 1: "x" is not a number`,
		"1\n1e999\n":                 `line 2, column 1: "1e999" is out of range for float64`,
		"7\n":                        `line 1, column 1: "7": seven`,
		"# none\n":                   "data: the file contains no numbers",
		strings.Repeat("1", maxLine): "line 1: the line is longer than 1048576 bytes",
		"\x1f\x8b\x08":               "unexpected EOF",
	} {
		t.Run(in, func(t *testing.T) {
			err := ReadNumbers(strings.NewReader(in), 1, func(_ int, _ string, v float64) error {
				if v == 7 {
					return errors.New("seven")
				}
				return nil
			})
			if err == nil || err.Error() != want {
				t.Errorf("%v, want %s", err, want)
			}
		})
	}
}

func TestReadIDs(t *testing.T) {
	ids, err := ReadIDs(strings.NewReader("\ufeffd7\r\nd8 \n价格"))
	if want := []string{"d7", "d8", "价格"}; err != nil || !slices.Equal(ids, want) {
		t.Errorf("%q, %v", ids, err)
	}
	for in, want := range map[string]string{
		"a\n\nb\n":  "line 2: the line is empty; each line must contain one identifier",
		"a\nb\na\n": `line 3: the identifier is given twice: "a"`,
		"a\nb c\n":  `line 2: the identifier contains a blank or a control character: "b c"`,
		"a\xe9":     "line 1: the identifier",
	} {
		t.Run(in, func(t *testing.T) {
			if _, err := ReadIDs(strings.NewReader(in)); err == nil || !strings.HasPrefix(err.Error(), want) {
				t.Errorf("%v, want %s", err, want)
			}
		})
	}
}

func TestReadNames(t *testing.T) {
	names, err := ReadNames(strings.NewReader("\ufeffprice\n a b \r\n价格\n"))
	if want := []string{"price", "a b", "价格"}; err != nil || !slices.Equal(names, want) {
		t.Errorf("%q, %v", names, err)
	}
	for in, want := range map[string]string{
		"a\n\n":  "line 2: the line is empty; each line must contain one feature name",
		"a\na\n": `line 2: the feature name is given twice: "a"`, "": "data: the file contains no feature names",
	} {
		t.Run(in, func(t *testing.T) {
			if _, err := ReadNames(strings.NewReader(in)); err == nil || err.Error() != want {
				t.Errorf("%v, want %s", err, want)
			}
		})
	}
}
