package serve

import (
	"fmt"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/internal/testkit"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

// textRanker returns a model with text categories.
func textRanker() *Ranker {
	return testkit.Must(New(&lambdamart.Model{NumFeatures: 3, FeatureNames: []string{"x", "color", "size"},
		Categories: [][]string{nil, {"red", "grün \"1\""}, {"5", "True"}}}))
}

func TestJSONTexts(t *testing.T) {
	c := textRanker().Columns()
	for object, want := range map[string]string{
		`{"x": 1, "color": "red", "size": 5}`:        "[1 0 0]",
		`{"color": "gr\u00fcn \"1\"", "size": true}`: "[NaN 1 1]",
		`{"color": "pink", "size": "5"}`:             "[NaN 2 0]",
		`{"color": null, "size": ""}`:                "[NaN NaN NaN]",
		`{"color": "", "size": 5.0}`:                 "[NaN NaN 2]",
		`{"x": "red"}`:                               `serve: feature "x" is "red"; it must be a number or null`,
		`{"color": ["red"]}`:                         `serve: feature "color" is an array; it must be a string or null`,
		`{"color": "red`:                             "serve: byte 11: found",
		`{"color": "\ud83d"}`:                        `serve: feature "color": the value "\ud83d" contains half`,
		`{"color": "red", "color": "red"}`:           `serve: found two values for the feature "color"`,
		`{"color":`:                                  "serve: byte 10: the object ends too early: expected a string or null",
	} {
		t.Run(object, func(t *testing.T) {
			row, err := c.AppendJSON(nil, []byte(object))
			got := showRow(row)
			if err != nil {
				got = err.Error()
			}
			if !strings.HasPrefix(got, want) {
				t.Errorf("%s, want %s", got, want)
			}
		})
	}
}

func TestStructTexts(t *testing.T) {
	type row struct {
		X     float32 `feature:"x"`
		Color string  `feature:"color"`
		Size  *string `feature:"size"`
	}
	c := textRanker().Columns()
	s := testkit.Must(NewStructRows[row](c))
	five := "5"
	for want, v := range map[string]row{
		"[1 0 0]":     {1, "red", &five},
		"[2 2 NaN]":   {2, "pink", nil},
		"[3 NaN NaN]": {3, "", new(string)},
	} {
		t.Run(want, func(t *testing.T) {
			if got := showRow(s.AppendRow(nil, &v)); got != want {
				t.Errorf("%s, want %s", got, want)
			}
		})
	}
	dst, v := make([]float32, 0, 3), row{1, "red", &five}
	object := []byte(`{"x": 1, "color": "red", "size": 5}`)
	if n := testing.AllocsPerRun(20, func() {
		s.AppendRow(dst, &v)
		c.AppendJSON(dst, object)
	}); n != 0 {
		t.Errorf("allocates %v times", n)
	}
	type number struct {
		X     float32 `feature:"x"`
		Color int     `feature:"color"`
		Size  string  `feature:"size"`
	}
	_, err := NewStructRows[number](c)
	const want = `field Color of serve.number: type int is not supported: the feature "color" has text categories`
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v", err)
	}
}

func TestCategory(t *testing.T) {
	c := textRanker().Columns()
	for _, test := range [][3]string{
		{"color", "red", "0 <nil>"},
		{"color", "pink", "2 <nil>"},
		{"color", "", "NaN <nil>"},
		{"x", "red", `0 serve: feature "x" is a number and has no text categories`},
		{"weight", "red", `0 serve: the model has no feature named "weight"`},
	} {
		t.Run(fmt.Sprint(test), func(t *testing.T) {
			v, err := c.Category(test[0], test[1])
			if got := fmt.Sprint(v, err); !strings.HasPrefix(got, test[2]) {
				t.Errorf("%s, want %s", got, test[2])
			}
		})
	}
}
