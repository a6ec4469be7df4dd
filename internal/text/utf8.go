package text

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
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
	errString    = errors.New("is not a JSON string")
	errSurrogate = errors.New(`contains half of a surrogate pair, such as \ud83d, which is not a character`)
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
		i++ // skip the byte after the backslash, which may be another backslash
	}
	return s, nil
}

// escaped returns the code of the escape \uXXXX at the start of b, or 0.
func escaped(b []byte) rune {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' {
		return 0
	}
	var r rune
	for _, c := range b[2:6] { // package json has checked that these are hexadecimal digits
		r = r<<4 | rune(c&0xf)
		if c > '9' {
			r += 9
		}
	}
	return r
}

// WriteJSON writes v as indented JSON. It returns an error if v contains a string that is not
// UTF-8, because package json replaces such bytes with U+FFFD. Different names would become equal.
func WriteJSON(w io.Writer, v any) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		return err
	}
	// Go 1.26 writes an escape for a replaced byte, and Go 1.27 the character itself.
	if bytes.Contains(b.Bytes(), []byte(`\ufffd`)) || bytes.ContainsRune(b.Bytes(), utf8.RuneError) {
		if s := notUTF8(reflect.ValueOf(v)); s != "" {
			return NotUTF8("JSON", s)
		}
	}
	_, err := w.Write(b.Bytes())
	return err
}

// notUTF8 returns a string in v that is not UTF-8, or "" if there is none. It visits exported
// fields, elements and keys, but not the results of MarshalJSON and MarshalText.
func notUTF8(v reflect.Value) (found string) {
	switch v.Kind() {
	case reflect.String:
		if !utf8.ValidString(v.String()) {
			return v.String()
		}
	case reflect.Pointer, reflect.Interface:
		return notUTF8(v.Elem())
	case reflect.Slice, reflect.Array:
		for i := 0; i < v.Len() && found == ""; i++ {
			found = notUTF8(v.Index(i))
		}
	case reflect.Map:
		for entries := v.MapRange(); found == "" && entries.Next(); {
			if found = notUTF8(entries.Key()); found == "" {
				found = notUTF8(entries.Value())
			}
		}
	case reflect.Struct:
		for i := 0; i < v.NumField() && found == ""; i++ {
			if v.Type().Field(i).IsExported() {
				found = notUTF8(v.Field(i))
			}
		}
	}
	return found
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
			return "contains a blank or a control character"
		}
	}
	return ""
}
