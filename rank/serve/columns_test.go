package serve

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/internal/testkit"
	"github.com/simdrank/simdrank/rank"
)

// columnsOf returns the columns of a model with these names.
func columnsOf(names ...string) Columns {
	return testkit.Must(New(&rank.Linear{Weights: make([]float64, len(names)), FeatureNames: names})).Columns()
}

// showRow formats a row with its missing values.
func showRow(row []float32) string { return fmt.Sprint(row) }

// A columnsCase is a document, given by its values or as JSON.
type columnsCase struct {
	names  []string
	values map[string]float32
	want   string // a row, or part of an error
	known  string // the row with IgnoreUnknown, if it differs
}

var columnsCases = map[string]columnsCase{
	"all":     {[]string{"b", "a"}, map[string]float32{"a": 1, "b": 2}, "[7 2 1]", ""},
	"missing": {[]string{"b", "a"}, map[string]float32{"b": -2.5}, "[7 -2.5 NaN]", ""},
	"none":    {[]string{"b", "a"}, nil, "[7 NaN NaN]", ""},
	"empty name and blanks": {[]string{"", " a"}, map[string]float32{"": 1, " a": 2},
		"[7 1 2]", ""},
	"unknown": {[]string{"b", "a"}, map[string]float32{"b": 1, "c\n": 2},
		`serve: the model has no feature named "c\n" (set IgnoreUnknown to ignore it)`, "[7 1 NaN]"},
	"long": {[]string{"a"}, map[string]float32{strings.Repeat("x", 60): 2},
		`named "` + strings.Repeat("x", 48) + `…" (set`, "[7 NaN]"},
	"case":                        {[]string{"a"}, map[string]float32{"A": 2}, `no feature named "A"`, "[7 NaN]"},
	"underscores in the model":    {[]string{"a_b_c"}, map[string]float32{"a b c": 2}, "[7 2]", ""},
	"underscores in the document": {[]string{"a b c"}, map[string]float32{"a_b_c": 2}, "[7 2]", ""},
	"underscores in both":         {[]string{"a b_c"}, map[string]float32{"a_b c": 2}, "[7 2]", ""},
	"exact names first":           {[]string{"a b", "a_b"}, map[string]float32{"a_b": 1, "a b": 2}, "[7 2 1]", ""},
	"ambiguous name": {[]string{"a b_c", "a_b c"}, map[string]float32{"a_b_c": 1}, `no feature named "a_b_c"`,
		"[7 NaN NaN]"},
	"ambiguous blanks": {[]string{"a b_c", "a_b c"}, map[string]float32{"a b c": 1}, `no feature named "a b c"`,
		"[7 NaN NaN]"},
	"a third spelling": {[]string{"a b_c", "a_b c", "a_b_c"}, map[string]float32{"a b c": 1}, "[7 NaN NaN 1]", ""},
	"two spellings": {[]string{"a_b"}, map[string]float32{"a_b": 1, "a b": 1},
		`serve: found two values for the feature "a_b"`, ""},
	"no names":  {nil, map[string]float32{"a": 1}, "serve: the model has no feature names (use SetFeatureNames", ""},
	"two names": {[]string{"a", "b", "a"}, nil, `serve: two features of the model are named "a"`, ""},
}

// check compares a row or an error with the case.
func (c *columnsCase) check(t *testing.T, ignore bool, got []float32, err error) {
	t.Helper()
	want := c.want
	if ignore && c.known != "" {
		want = c.known
	}
	if !strings.HasPrefix(want, "[") {
		if err == nil || !strings.Contains(err.Error(), want) || showRow(got) != "[7]" {
			t.Errorf("%v, error %v, want %s", got, err, want)
		}
		return
	}
	if err != nil || showRow(got) != want {
		t.Errorf("%v, error %v, want %s", got, err, want)
	}
}

// TestColumns appends rows from maps and from JSON.
func TestColumns(t *testing.T) {
	for name, c := range columnsCases {
		for _, ignore := range []bool{false, true} {
			t.Run(fmt.Sprint(name, " ", ignore), func(t *testing.T) {
				columns := Columns{}
				if c.names != nil {
					columns = columnsOf(c.names...)
				}
				if columns.IgnoreUnknown = ignore; !slices.Equal(columns.Names(), c.names) {
					t.Errorf("names %q", columns.Names())
				}
				got, err := columns.AppendRow([]float32{7}, c.values)
				c.check(t, ignore, got, err)
				got, err = columns.AppendJSON([]float32{7}, testkit.Must(json.Marshal(nonNil(c.values))))
				c.check(t, ignore, got, err)
			})
		}
	}
	c := columnsOf("a", "b")
	got, err := c.AppendRow(nil, map[string]float32{"a": float32(math.Inf(-1)), "b": float32(math.NaN())})
	if err != nil || showRow(got) != "[-Inf NaN]" {
		t.Errorf("%v, error %v", got, err)
	}
	if c.Names()[0] = "x"; c.Names()[0] != "a" {
		t.Error("Names returned the model's slice")
	}
}

func nonNil(values map[string]float32) map[string]float32 {
	if values == nil {
		values = map[string]float32{}
	}
	return values
}

// TestMissingTwice: a missing value is a value, so a second one is an error.
func TestMissingTwice(t *testing.T) {
	c := columnsOf("a_b")
	for _, values := range []map[string]float32{{"a_b": missing, "a b": unset}, {"a_b": unset, "a b": 0}} {
		t.Run(fmt.Sprint(values), func(t *testing.T) {
			if got, err := c.AppendRow(nil, values); err == nil {
				t.Errorf("%v, no error", got)
			}
		})
	}
}

func TestJSON(t *testing.T) {
	for text, want := range map[string]string{
		` { } `: "[NaN NaN NaN]",
		"\t{\r\n\"a\" : 1 , \"é\\u0009\"\n:\n-0.5e+1 }\n": "[1 -5 NaN]",
		`{"b\/\"":1E-2,"\u0061":0,"\u00e9\t":1e-60}`:      "[0 0 0.01]",
		`{"a": null}`:                             "[NaN NaN NaN]",
		`{"a":3.4028235e38}`:                      "[3.4028235e+38 NaN NaN]",
		`{"a":-3.4028236e38}`:                     `feature "a" is -3.4028236e38, which is out of range for float32`,
		`{"a":1e9999}`:                            `feature "a" is 1e9999, which is out of range for float32`,
		`{"a":` + strings.Repeat("9", 100) + `}`:  `feature "a" is ` + strings.Repeat("9", 48) + "…, which",
		`{"a":1,"a":2}`:                           `found two values for the feature "a"`,
		`{"a":null,"a":2}`:                        `found two values for the feature "a"`,
		`{"a":1,"\u0061":2}`:                      `found two values for the feature "a"`,
		`{"a":"1"}`:                               `feature "a" is "1"; it must be a number or null`,
		`{"a":"` + strings.Repeat("z", 60) + `"}`: `feature "a" is "` + strings.Repeat("z", 48) + `…"; it must be`,
		`{"a":true}`:                              `feature "a" is "true"; it must be a number or null`,
		`{"a":NaN,"c":1}`:                         `feature "a" is "NaN"; it must be a number or null`,
		`{"a":-Infinity}`:                         `feature "a" is "-Infinity"; it must`,
		`{"a":+1}`:                                `feature "a" is "+1"; it must`,
		`{"a":01}`:                                `feature "a" is "01"; it must`,
		`{"a":.5}`:                                `feature "a" is ".5"; it must`,
		`{"a":1.}`:                                `feature "a" is "1."; it must`,
		`{"a":1e}`:                                `feature "a" is "1e"; it must`,
		`{"a":1e+}`:                               `feature "a" is "1e+"; it must`,
		`{"a":-}`:                                 `feature "a" is "-"; it must`,
		`{"a":nul}`:                               `feature "a" is "nul"; it must`,
		`{"a":{"b":1}}`:                           `feature "a" is an object; it must`,
		`{"a":[1]}`:                               `feature "a" is an array; it must`,
		`{"a":,"c":1}`:                            `feature "a" is ",\"c\":1}"; it must`,
		`{"a":'1}`:                                `feature "a" is "'1"; it must`,
		`{"a":1x}`:                                `byte 7: found "x}", expected a comma or a closing brace`,
		`{"a":nullx}`:                             `byte 10: found "x}", expected a comma or a closing brace`,
		`{"a":0x10}`:                              `byte 7: found "x10}", expected a comma or a closing brace`,
		`{"a":1_0}`:                               `byte 7: found "_0}", expected a comma or a closing brace`,
		`{"a":1,}`:                                `byte 8: found "}", expected a name in quotes`,
		`{,}`:                                     `byte 2: found ",}", expected a name in quotes`,
		`{a:1}`:                                   `byte 2: found "a:1}", expected a name in quotes`,
		`{"a"}`:                                   `byte 5: found "}", expected a colon`,
		`{"a`:                                     `byte 2: found "\"a", expected a name in quotes`,
		`{"a\`:                                    `expected a name in quotes`,
		"{\"a\n\":1}":                             `expected a name in quotes`,
		`{"a":`:                                   `byte 6: the object ends too early: expected a number or null`,
		`{"a": 1`:                                 `byte 8: the object ends too early: expected a comma or a closing brace`,
		`{"a":1} {}`:                              `byte 9: found "{}", expected the end of the object`,
		`{"a":1}` + "\x00":                        `byte 8: found "\x00", expected the end of the object`,
		`[1]`:                                     `byte 1: found "[1]", expected an object`,
		`null`:                                    `byte 1: found "null", expected an object`,
		``:                                        `byte 1: the object ends too early: expected an object`,
		` `:                                       `byte 2: the object ends too early: expected an object`,
		"\ufeff{}":                                `byte 1: found "\ufeff{}", expected an object`,
		`{"\x":1}`:                                `the name "\x" is not a JSON string`,
		`{"\ud83d":1}`:                            `the name "\ud83d" contains half of a surrogate pair`,
		"{\"\xff\\t\":1}":                         `is not UTF-8`,
		"{\"\xff\":1}":                            `no feature named "\xff"`,
		`{"a":1 "b\/\"":2}`:                       `byte 8: found "\"b`,
		"{\"a\":1,\u00a0\"\"}":                    `expected a name in quotes`,
	} {
		t.Run(text, func(t *testing.T) {
			for _, ignore := range []bool{false, true} {
				c := columnsOf("a", "é\t", `b/"`)
				if c.IgnoreUnknown = ignore; ignore && strings.HasPrefix(want, "no feature") {
					continue
				}
				got, err := c.AppendJSON([]float32{7}, []byte(text))
				if row, ok := strings.CutPrefix(want, "["); ok {
					if err != nil || showRow(got) != "[7 "+row {
						t.Errorf("%v, error %v, want %s", got, err, want)
					}
				} else if err == nil || showRow(got) != "[7]" || !strings.HasPrefix(err.Error(), "serve: ") ||
					!strings.Contains(err.Error(), want) {
					t.Errorf("%v, error %v, want %s", got, err, want)
				}
			}
		})
	}
}

// TestJSONIgnored: ignored names may have values of any type, which must be valid.
func TestJSONIgnored(t *testing.T) {
	c := columnsOf("a")
	c.IgnoreUnknown = true
	for value, want := range map[string]string{
		`"D80"`:                        "[2]",
		`"é\u0000\""`:                  "[2]",
		`-1.5e400`:                     "[2]",
		`true`:                         "[2]",
		`null`:                         "[2]",
		` [{"a": [1, "]}"]}, {}] `:     "[2]",
		`{"a": 3, "b": {}}`:            "[2]",
		`[1,[]]`:                       "[2]",
		`"\x"`:                         "expected a value",
		`"\`:                           "expected a value",
		`[1`:                           "expected a value",
		`{"a"}`:                        "expected a value",
		`tru`:                          "expected a value",
		`NaN`:                          "expected a value",
		``:                             "expected a value",
		strings.Repeat(`[`, 1_000_000): "expected a value",
		`1 2`:                          "expected a comma",
	} {
		t.Run(fmt.Sprintf("%.20s", value), func(t *testing.T) {
			got, err := c.AppendJSON(nil, []byte(`{"x":`+value+`,"a":2}`))
			if strings.HasPrefix(want, "[") {
				if err != nil || showRow(got) != want {
					t.Errorf("%v, error %v, want %s", got, err, want)
				}
			} else if err == nil || len(got) > 0 || !strings.Contains(err.Error(), want) || len(err.Error()) > 200 {
				t.Errorf("%v, error %v, want %s", got, err, want)
			}
		})
	}
}
