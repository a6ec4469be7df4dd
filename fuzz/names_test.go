package fuzz

import (
	"bytes"
	"encoding/csv"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/data"
	"github.com/simdrank/simdrank/rank/datafile"
	"github.com/simdrank/simdrank/rank/lambdamart"
	"github.com/simdrank/simdrank/rank/model"
)

// FuzzNames gives two features any names. Data files and models in every format must keep these
// names when they are written and read. Exceptions are spaces in LightGBM's formats, which become
// underscores, and names that denote positions. Names that are not UTF-8 must be neither written
// nor read.
func FuzzNames(f *testing.F) {
	for _, seed := range [][2]string{{"first price", "b"}, {"a b", "a_b"}, {"caf\xe9", "caf\xe8"}, {"", "="},
		{"f1", "f0"}, {"a\u3000", "\u00a0b"}, {"\"a\"", "b\r\n"}, {"Column_0", "Column_1"}, {"1", "2"}, {"a", "a"},
		{"\x00", "\t"},
		{"pandas_categorical:[", "[a: b]"}, {"\\ud800", "\xed\xa0\x80"}} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		names := []string{a, b}
		valid := utf8.ValidString(a) && utf8.ValidString(b)
		d := rank.NewDataset(1, 2)
		d.Names, d.Offsets, d.QueryIDs = names, []int{0, 1}, []string{"q"}
		var file bytes.Buffer
		if err := datafile.Write(&file, d); (err == nil) != (valid && a != b) {
			t.Fatalf("%q: %v", names, err)
		} else if err == nil {
			back, err := datafile.Read(&file)
			if err != nil || !slices.Equal(back.Names, names) {
				t.Fatalf("%q: data file with %v, %v", names, back, err)
			}
		}
		var text bytes.Buffer
		w := csv.NewWriter(&text)
		w.Write(names)
		w.Write([]string{"1", "2"})
		w.Flush()
		back, err := data.Read(&text, data.Options{Format: "csv", Unlabeled: true, NoQueries: true})
		trimmed := []string{strings.Trim(a, " \t"), strings.Trim(b, " \t")}
		if err == nil && (!valid || back.Cols == 2 && !slices.Equal(back.Names, trimmed)) { // or a name has a role
			t.Fatalf("%q: table with %q", names, back.Names)
		}
		linear := &rank.Linear{Weights: []float64{1, 2}, FeatureNames: names}
		trees := &lambdamart.Model{NumFeatures: 2, FeatureNames: names, Trees: []lambdamart.Tree{{
			Feature: []int32{0, 1}, Threshold: []float32{2, 3}, Left: []int32{1, -1}, Right: []int32{-3, -2},
			Leaf: []float64{1, 2, 4}}}}
		nameModel(t, linear, "json", names, valid)
		for _, format := range model.OptionWords("format")[3:] {
			nameModel(t, trees, format, names, valid)
		}
		nameModel(t, trees, "json", names, valid)
	})
}

// nameModel writes a model with names, and reads it again.
func nameModel(t *testing.T, m rank.Model, format string, names []string, valid bool) {
	var b bytes.Buffer
	err := model.Write(&b, m, format)
	if err != nil {
		if b.Len() > 0 || valid && (format == "json" || format == "xgboost") {
			t.Fatalf("%v: %q: %v", format, names, err)
		}
		return
	}
	back, err := model.Read(&b)
	if !valid || err != nil {
		t.Fatalf("%v: %q are written, and read with the error %v", format, names, err)
	}
	spaced := []string{strings.ReplaceAll(names[0], " ", "_"), strings.ReplaceAll(names[1], " ", "_")}
	if got := model.FeatureNames(back); got != nil && !slices.Equal(got, names) &&
		!(slices.Equal(got, spaced) && strings.HasPrefix(format, "lightgbm")) {
		t.Fatalf("%v: %q become %q", format, names, got)
	}
}
