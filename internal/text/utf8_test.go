package text

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"
	"testing"
)

func TestCheckNames(t *testing.T) {
	if err := CheckNames([]string{"", "café", "\x00\ufffd"}, "column", 1); err != nil {
		t.Error(err)
	}
	const want = `the name of column 2 must be UTF-8, not "caf\xe9" (re-encode the file, for example with ` +
		"iconv -f WINDOWS-1252 -t UTF-8)"
	if err := CheckNames([]string{"a", "caf\xe9"}, "column", 1); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// TestUnquote: strings are those of package json, unless it replaces what they hold.
func TestUnquote(t *testing.T) {
	for raw, want := range map[string]error{
		`""`: nil, `"a\u00e9\n\"\\"`: nil, `"\\ud83d"`: nil, `"\ud83d\ude00"`: nil, `"\uD83D\uDE00\ud83d\ude00"`: nil,
		`"\ufffd` + "\ufffd\"": nil, `"\\\\"`: nil,
		"\"\xe9\"": ErrUTF8, "\"\xed\xa0\x80\"": ErrUTF8, "\"\\n\xff\"": ErrUTF8,
		`"\x"`: errString, "\"\n\"": errString, `"a`: errString,
		`"\ud83d"`: errSurrogate, `"\ude00\ud83d"`: errSurrogate, `"\ud83d\ud83d\ude00"`: errSurrogate,
		`"\ud83d\\ude00"`: errSurrogate, `"\uDCE9x"`: errSurrogate, `"\\\udce9"`: errSurrogate,
		`"\ud83dx\ude00"`: errSurrogate,
	} {
		t.Run(raw, func(t *testing.T) {
			var s string
			if want == nil {
				if err := json.Unmarshal([]byte(raw), &s); err != nil {
					t.Fatal(err)
				}
			}
			if got, err := Unquote([]byte(raw)); err != want || got != s {
				t.Errorf("%q, %v; want %q, %v", got, err, s, want)
			}
		})
	}
}

// TestWriteJSON: text that is not UTF-8 is an error wherever it is, and nothing is written.
func TestWriteJSON(t *testing.T) {
	var b bytes.Buffer
	v := map[string]any{"\ufffd": []string{`\ufffd`, `"\\`, "<é>"}}
	const want = "{\n  \"\ufffd\": [\n    \"\\\\ufffd\",\n    \"\\\"\\\\\\\\\",\n    \"<é>\"\n  ]\n}\n"
	if err := WriteJSON(&b, v); err != nil || b.String() != want {
		t.Errorf("%s, %v; want %s", b.String(), err, want)
	}
	b.Reset()
	for want, v := range map[string]any{
		`JSON must be UTF-8, not "t\xe9" (re-encode`:            []string{"t\\", "t\xe9"},
		`JSON must be UTF-8, not "\"\\\xff"`:                    &struct{ A any }{"\"\\\xff"},
		`JSON must be UTF-8, not "\xc3\xffé"`:                   map[string]int{"a": 1, "\xc3\xffé": 2},
		`JSON must be UTF-8, not "\xff"`:                        map[string][1]string{"\ufffd": {"\xff"}},
		`JSON must be UTF-8, not "xx` + strings.Repeat("x", 10): strings.Repeat("x", 100) + "\xe9",
		"json: unsupported value: NaN":                          math.NaN(),
	} {
		t.Run(want, func(t *testing.T) {
			if err := WriteJSON(&b, v); err == nil || !strings.Contains(err.Error(), want) || b.Len() > 0 {
				t.Errorf("%q: %v, want %s; written %q", v, err, want, b.String())
			}
		})
	}
}
