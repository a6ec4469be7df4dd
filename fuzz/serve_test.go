package fuzz

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"testing"
	"unicode/utf8"

	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/serve"
)

// FuzzAppendJSON compares the rows of JSON objects with package json. A row of other text, or of an
// object with an unknown or repeated name or a value that is not a float32, is an error.
func FuzzAppendJSON(f *testing.F) {
	for _, seed := range []string{`{"a": 1.5, "b\n": null}`, `{"\u0061":-0e-1, "b\n" :3e38}`, `{"a":1e39}`,
		`{"a":1,"a":2}`, `{"id":"D80","a":7,"x":[{"a":1}]}`, `{"a":01}`, `{"a":1}{}`, `{"a":"1"}`, `{"\ud800":1}`,
		"{\"\xff\":1}", `[1]`, ``} {
		f.Add([]byte(seed), len(seed)%2 == 0)
	}
	names := []string{"a", "b\n"}
	ranker, err := serve.New(&rank.Linear{Weights: make([]float64, 2), FeatureNames: names})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text []byte, ignore bool) {
		columns := ranker.Columns()
		columns.IgnoreUnknown = ignore
		row, err := columns.AppendJSON([]float32{7}, text)
		want, valid := objectRow(text, names, ignore)
		switch {
		case err != nil && len(row) != 1:
			t.Errorf("%q: row %v and error %v", text, row, err)
		case valid && utf8.Valid(text) && !bytes.Contains(bytes.ToLower(text), []byte(`\ud`)) && err != nil:
			t.Errorf("%q: error %v, want %v", text, err, want)
		case err == nil && (!valid || len(row) != 3 || differ(row[1], want[0]) || differ(row[2], want[1])):
			t.Errorf("%q: %v, want %v, %v", text, row, want, valid)
		}
	})
}

// objectRow returns the row of an object with two names. It returns false if AppendJSON must fail.
func objectRow(text []byte, names []string, ignore bool) (row [2]float32, valid bool) {
	row = [2]float32{float32(math.NaN()), float32(math.NaN())}
	d := json.NewDecoder(bytes.NewReader(text))
	if open, err := d.Token(); err != nil || open != json.Delim('{') || !json.Valid(text) {
		return row, false
	}
	seen := map[string]bool{}
	for d.More() {
		var value json.RawMessage
		name, _ := d.Token()
		if err := d.Decode(&value); err != nil {
			return row, false
		}
		for j := range row {
			if name != names[j] {
				continue
			}
			if string(value) == "null" {
				break
			}
			v, err := strconv.ParseFloat(string(value), 32)
			if err != nil {
				return row, false
			}
			row[j] = float32(v)
		}
		known := name == names[0] || name == names[1]
		if !known && !ignore || known && seen[name.(string)] {
			return row, false
		}
		seen[name.(string)] = true
	}
	return row, true
}

func differ(a, b float32) bool {
	return math.Float32bits(a) != math.Float32bits(b) && (a == a || b == b)
}
