package model

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

// TestUnused scores data without features that no tree uses, such as the column of queries in a
// model that LightGBM has trained on a table.
func TestUnused(t *testing.T) {
	m := &lambdamart.Model{NumFeatures: 4, FeatureNames: []string{"qid", "x", "junk", "y"}, Trees: []lambdamart.Tree{{
		Feature: []int32{3, 1}, Threshold: []float32{1, 2}, Left: []int32{1, ^0}, Right: []int32{^2, ^1},
		Leaf: []float64{1, 2, 3}}}}
	for _, c := range []struct {
		names []string
		want  string
	}{
		{[]string{"y", "x"}, "[qid x junk y] [0 2 0 1]"},
		{[]string{"junk", "y", "x"}, "[qid x junk y] [0 3 1 2]"},
		{[]string{"qid", "x", "junk", "y"}, "[qid x junk y] [1 2 3 4]"},
		{[]string{"x", "qid", "junk"}, `data: no feature named "y", which model requires`},
		{[]string{"x", "y", "z"}, `data: model has no feature named "z" (change the option IgnoreExtraFeatures)`},
	} {
		t.Run(c.want, func(t *testing.T) {
			dense := rank.NewDataset(2, len(c.names))
			dense.Names, dense.QueryIDs, dense.Offsets = c.names, []string{"1"}, []int{0, 2}
			for j := range c.names {
				dense.Row(0)[j], dense.Row(1)[j] = float32(j+1), float32(math.NaN())
			}
			for _, d := range []*rank.Dataset{dense, dense.ToSparse()} {
				got, err := (Alignment{DataName: "data", ModelName: "model"}).ToModel(d, m)
				text := fmt.Sprint(err)
				if err == nil {
					text = fmt.Sprint(got.Names, got.ToDense().Row(0))
					if err := got.Validate(); err != nil {
						t.Error(err)
					}
				}
				if text != c.want {
					t.Errorf("%s: %s, want %s", c.names, text, c.want)
				}
			}
			if _, err := (Alignment{}).ToColumns(dense, m.FeatureNames, 4, nil); (err == nil) != (len(c.names) == 4) {
				t.Errorf("%s: training data: %v", c.names, err)
			}
		})
	}
	linear := &rank.Linear{Weights: []float64{1, 0}, FeatureNames: []string{"x", "y"}}
	d := rank.NewDataset(1, 1)
	d.Names = []string{"x"}
	if _, err := (Alignment{}).ToModel(d, linear); err == nil {
		t.Error("a linear model scores data without one of its features")
	}
}

// TestSpaces: LightGBM writes underscores for the spaces in names.
func TestSpaces(t *testing.T) {
	for _, c := range []struct {
		model, data []string
		want        []float32 // values of the data's columns 1, 2, …, in the order of the model
		err         string
	}{
		{[]string{"a", "first_price"}, []string{"first price", "a"}, []float32{2, 1}, ""},
		{[]string{"_b__c_", "b_c"}, []string{"b c", " b  c "}, []float32{2, 1}, ""},
		{[]string{"a_b"}, []string{"a_b", "a b"}, nil, `the model has no feature named "a b" (change the option`},
		{[]string{"price"}, []string{"_price"}, nil, `no feature named "price"`},
		{[]string{"a_b", "a b"}, []string{"a b", "a_b"}, []float32{2, 1}, ""},
		{[]string{"_lead", " first price "}, []string{"first price", "lead"}, []float32{2, 1}, ""},
		{[]string{"_a", "a_", "_a_"}, []string{"a ", " a ", " a"}, []float32{3, 1, 2}, ""},
		{[]string{"_a", "a_"}, []string{"a", "b"}, nil, `the data: no feature named "a_", which the model requires`},
		{[]string{"a b"}, []string{"a-b"}, nil, `the data: no feature named "a b", which the model requires`},
		{[]string{"a_b"}, []string{"a\u00a0b"}, nil, `no feature named "a_b"`},
		{[]string{"a_b", "a b"}, []string{"a b", "c"}, nil, `no feature named "a_b"`},
		{[]string{"a_b_c"}, []string{"a b_c", "a_b c"}, nil,
			`the data: "a b_c" and "a_b c" could both be the feature "a_b_c" of the model: rename one of them`},
		{[]string{"a", "a"}, []string{"a", "b"}, nil,
			`the model: two features are named "a", so columns of the data cannot be matched by name`},
	} {
		t.Run(fmt.Sprint(c.model, " ", c.data), func(t *testing.T) {
			d := rank.NewDataset(1, len(c.data))
			d.Names = c.data
			for j := range c.data {
				d.Row(0)[j] = float32(j + 1)
			}
			m := &rank.Linear{Weights: make([]float64, len(c.model)), FeatureNames: c.model}
			got, err := (Alignment{}).ToModel(d, m)
			switch {
			case c.err != "":
				if err == nil || !strings.Contains(err.Error(), c.err) {
					t.Errorf("%q of %q: error %v, want %s", c.model, c.data, err, c.err)
				}
			case err != nil:
				t.Errorf("%q of %q: %v", c.model, c.data, err)
			case !slices.Equal(got.Row(0), c.want):
				t.Errorf("%q of %q: %v, want %v", c.model, c.data, got.Row(0), c.want)
			}
		})
	}
}

// TestTextCategories aligns data whose texts have other numbers, in other columns.
func TestTextCategories(t *testing.T) {
	m := &lambdamart.Model{NumFeatures: 2, FeatureNames: []string{"x", "color"},
		Categories: [][]string{nil, {"red", "blue"}}}
	if got := TextFeatures(m); !slices.Equal(got, []string{"color"}) {
		t.Errorf("TextFeatures is %q", got)
	}
	data := func(lists ...[]string) *rank.Dataset {
		d := rank.NewDataset(3, 2)
		for i := range 3 {
			copy(d.Row(i), []float32{float32(i), 5})
		}
		d.Names, d.Categories = []string{"color", "x"}, lists
		d.Offsets, d.QueryIDs = []int{0, 3}, []string{"q"}
		return d
	}
	for _, c := range []struct {
		name  string
		lists [][]string
		want  string
	}{
		{"texts", [][]string{{"green", "blue", "red"}, nil}, `[[] ["red" "blue" "green"]] [5 2] [5 1] [5 0]`},
		{"numbers", nil, "[] [5 0] [5 1] [5 2]"},
		{"texts of a number", [][]string{nil, {"a"}},
			"the data: feature 1 (x) contains text categories, but the model has no texts for it"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, err := (Alignment{}).ToModel(data(c.lists...), m)
			got := fmt.Sprint(err)
			if err == nil {
				got = fmt.Sprintf("%q %v %v %v", d.Categories, d.Row(0), d.Row(1), d.Row(2))
			}
			if got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
			d, err = (Alignment{ModelName: "the model"}).ToColumns(data(c.lists...), m.FeatureNames, 2, m.Categories)
			if err == nil {
				got = fmt.Sprintf("%q %v %v %v", d.Categories, d.Row(0), d.Row(1), d.Row(2))
			}
			if got != c.want {
				t.Errorf("ToColumns: %s, want %s", got, c.want)
			}
		})
	}
}
