package text

import (
	"encoding/json"
	"math"
	"reflect"
	"strconv"
	"strings"
	"testing"
)

func TestEightDigits(t *testing.T) {
	for _, digits := range []string{"00000000", "99999999", "12345678", "00000001", "10000000"} {
		t.Run(digits, func(t *testing.T) {
			want, _ := strconv.ParseUint(digits, 10, 64)
			if got := EightDigits(Word([]byte(digits), 0) ^ Zeros); got != want {
				t.Errorf("read %d", got)
			}
		})
	}
	for c := range 256 {
		isDigit := c >= '0' && c <= '9'
		if got := NonDigits(uint64(c)*0x0101010101010101^Zeros) == 0; got != isDigit {
			t.Errorf("byte %q: digit %v", byte(c), got)
		}
	}
}

func TestParseNumber(t *testing.T) {
	for text, want := range map[string]float64{"1.5": 1.5, "-nan": math.NaN(), "NaN": math.NaN(), "+Inf": math.Inf(1),
		"-inf": math.Inf(-1), "2e3": 2000} {
		t.Run(text, func(t *testing.T) {
			if got, err := ParseNumber([]byte(text), 64); err != nil || got != want &&
				!(math.IsNaN(got) && math.IsNaN(want)) {
				t.Errorf("%v, %v", got, err)
			}
		})
	}
	for _, text := range []string{"", "0x1p3", "0X10", "1_000", "0_1.5", "nano", "1,5"} {
		t.Run(text, func(t *testing.T) {
			if got, err := ParseNumber(text, 64); err == nil {
				t.Error(got)
			}
		})
	}
}

func TestExcerpt(t *testing.T) {
	if got := Excerpt("short"); got != "short" {
		t.Errorf("%q", got)
	}
	if got, want := Excerpt([]byte(strings.Repeat("x", 49))), strings.Repeat("x", 48)+"…"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestLines(t *testing.T) {
	for text, want := range map[string][]string{
		"": nil, "\n": {""}, "a": {"a"}, " a b \r\n\n\tc": {"a b", "", "c"}, "a\nb\n": {"a", "b"},
	} {
		t.Run(text, func(t *testing.T) {
			l := Lines{Rest: []byte(text)}
			var got []string
			for line, ok := l.Next(); ok; line, ok = l.Next() {
				if got = append(got, line); l.Line != len(got) {
					t.Errorf("line %d has the number %d", len(got), l.Line)
				}
				if last := strings.TrimSuffix(strings.Split(text, "\n")[l.Line-1], "\r"); string(l.Last) != last {
					t.Errorf("line %d is %q, want %q", l.Line, l.Last, last)
				}
			}
			if !reflect.DeepEqual(got, want) || l.Line != len(want) {
				t.Errorf("%q, the last one number %d", got, l.Line)
			}
		})
	}
}

// A reader of JSON has the string back, and only what JSON asks for is escaped.
func TestAppendQuoted(t *testing.T) {
	for r := range rune(0x2030) { // with U+2028, a line separator
		s := "a" + string(r) + "b"
		quoted := AppendQuoted([]byte("x:"), s)
		var got string
		if err := json.Unmarshal(quoted[2:], &got); err != nil || got != s || string(quoted[:2]) != "x:" {
			t.Errorf("%q: %s, %v", s, quoted, err)
		}
		if escaped := r < ' ' || r == '"' || r == '\\'; escaped == strings.Contains(string(quoted), s) {
			t.Errorf("%q: %s", s, quoted)
		}
	}
	if got, want := string(AppendQuoted(nil, "\b\f\n\r\t\xff")), `"\u0008\u000c\n\r\t`+"\ufffd\""; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestCell(t *testing.T) {
	for in, want := range map[string]string{
		"": "", "a=1": "a=1", "'": "'", "'a": "'a", "-5": "-5", "+1.5e3": "+1.5e3", "-1e999": "-1e999", "-inf": "-inf",
		"=1": "'=1", "=cmd|' /C calc'!A0": "'=cmd|' /C calc'!A0", "+a": "'+a", "-": "'-", "-2+3": "'-2+3", "@x": "'@x",
		"\ta": "'\ta", "\r=1": "'\r=1", "'=1": "''=1", "''-5": "'''-5",
	} {
		t.Run(in, func(t *testing.T) {
			if got := Cell(in); got != want {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}
