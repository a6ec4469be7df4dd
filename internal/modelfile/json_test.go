package modelfile

import (
	"strings"
	"testing"

	"github.com/simdrank/simdrank/internal/files"
)

func TestFirst(t *testing.T) {
	for _, c := range []struct{ doc, key, value, err string }{
		{`{}`, "", "", ""},
		{` { "c" : [ {"a":"no"} ] , "b" : 1 `, "b", "", ""},
		{`{"c":{"a":"no"},"a":"yes","b":`, "a", "yes", ""},
		{`{"c":1}`, "", "", ""},
		{`[]`, "", "", `byte 1: found "[]", expected '{'`},
		{`{"c":1`, "", "", "byte 7: the file ends too early: expected '}'"},
		{`{"c":1,}`, "", "", `byte 8: found "}", expected a name in quotes`},
		{`{"c":x,"a":"no"}`, "", "", `byte 6: found "x,\"a\":\"no\"}", expected a value`},
		{"{\"a\":\"caf\xe9\"}", "", "", `byte 6: text must be UTF-8, not "caf\xe9" (re-encode the file`},
		{"{\"\\u0061\xe9\":1}", "", "", "byte 2: text must be UTF-8"},
		{`{"a":"\udce9"}`, "", "", `byte 6: "\"\\udce9\"" contains half of a surrogate pair`},
		{`{"a":"\ud83d\ude00"}`, "a", "\U0001f600", ""},
		{`{"a":"x`, "", "", "the file ends within a string"},
		{`{"c":` + strings.Repeat("[", 1024), "", "", "arrays and objects are nested more than 1024 deep"},
	} {
		t.Run(c.doc, func(t *testing.T) {
			key, value, err := first([]byte(c.doc), files.BudgetOf(0), "a", "b")
			if key != c.key || value != c.value || (err == nil) != (c.err == "") ||
				err != nil && !strings.Contains(err.Error(), c.err) {
				t.Errorf("%q is %q, error %v; want %q, %q, %s", key, value, err, c.key, c.value, c.err)
			}
		})
	}
}
