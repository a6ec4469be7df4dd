package text

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// Reencode is the advice for a file that is not UTF-8.
const Reencode = "re-encode the file, for example with iconv -f WINDOWS-1252 -t UTF-8"

// NotUTF8 returns an error about s, which is not UTF-8. what is the subject of the error.
func NotUTF8(what, s string) error {
	return fmt.Errorf("%s must be UTF-8, not %q (%s)", what, Excerpt(s), Reencode)
}

// CheckNames returns an error for the first name that is not UTF-8. The error says which name of
// what it is, numbered from first.
func CheckNames(names []string, what string, first int) error {
	for i, name := range names {
		if !utf8.ValidString(name) {
			return NotUTF8(fmt.Sprintf("the name of %s %d", what, first+i), name)
		}
	}
	return nil
}

// The faults of JSON strings.
var (
	ErrUTF8      = errors.New("is not UTF-8")
	errString    = errors.New("is not a string of JSON")
	errSurrogate = errors.New(`has half of a surrogate pair, such as \ud83d, which is not a character`)
)

// Unquote returns the content of a JSON string; raw includes the quotes. Package json would replace
// invalid UTF-8 and unpaired surrogates by U+FFFD, so that different names could become equal.
// Errors continue a sentence about the string.
func Unquote(raw []byte) (string, error) {
	if !utf8.Valid(raw) {
		return "", ErrUTF8
	}
	var s string
	if err := json.Unmarshal(raw, &s); err != nil {
		return "", errString
	}
	for i := 0; i < len(raw); i++ {
		if raw[i] != '\\' {
			continue
		}
		if r := escaped(raw[i:]); utf16.IsSurrogate(r) {
			if utf16.DecodeRune(r, escaped(raw[i+6:])) == utf8.RuneError {
				return "", errSurrogate
			}
			i += 6
		}
		i++ // the byte after the backslash may be another one
	}
	return s, nil
}

// escaped returns the code of the escape \uXXXX that b begins with, or 0.
func escaped(b []byte) rune {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' {
		return 0
	}
	var r rune
	for _, c := range b[2:6] { // hexadecimal digits, as package json has found
		r = r<<4 | rune(c&0xf)
		if c > '9' {
			r += 9
		}
	}
	return r
}

// WriteJSON writes v as indented JSON. It returns an error for text that is not UTF-8, because
// package json would replace invalid bytes by U+FFFD, so that different names could become equal.
func WriteJSON(w io.Writer, v any) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		return err
	}
	if s := replaced(b.Bytes()); s != "" {
		return fmt.Errorf("JSON must be UTF-8, and the text %s is not (%s)", Excerpt(s), Reencode)
	}
	_, err := w.Write(b.Bytes())
	return err
}

// replaced returns the first string, with its quotes, in which package json has replaced bytes by
// U+FFFD: it writes an escape in their place, and the character where the text had it. It returns
// "" where there is none.
func replaced(doc []byte) string {
	start := 0 // of the last string
	for i, open := 0, false; i < len(doc); i++ {
		switch {
		case doc[i] == '"':
			if open = !open; open {
				start = i
			}
		case doc[i] == '\\' && escaped(doc[i:]) == utf8.RuneError:
			end := i + bytes.IndexByte(doc[i:], '"')
			return string(doc[start : end+1])
		case doc[i] == '\\':
			i++
		}
	}
	return ""
}

// CheckField returns an error if a word cannot be a name in a file of blank-separated fields; see
// [FieldFault].
func CheckField(word string) error {
	if what := FieldFault(word); what != "" {
		return fmt.Errorf("the name %q %s", word, what)
	}
	return nil
}

// FieldFault describes why a word cannot be a blank-separated field. It returns "" if it can.
func FieldFault[T string | []byte](word T) string {
	if len(word) == 0 {
		return "is empty"
	}
	for i := range len(word) {
		if word[i] <= ' ' {
			return "has a blank or a control character in it"
		}
	}
	return ""
}
