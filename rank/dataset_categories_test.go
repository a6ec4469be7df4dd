package rank

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// textData returns data with a text column between two columns of numbers.
func textData(list []string, codes ...float32) *Dataset {
	d := NewDataset(len(codes), 3)
	for i, v := range codes {
		copy(d.Row(i), []float32{float32(i), v, 7})
	}
	d.Categories = [][]string{nil, list, nil}
	d.Offsets, d.QueryIDs = []int{0, len(codes)}, []string{"q"}
	return d
}

// showTexts returns the lists and the second column.
func showTexts(d *Dataset) string {
	var codes []float32
	for i := range d.Rows() {
		codes = append(codes, d.Row(i)[1])
	}
	return fmt.Sprintf("%q %v", d.Categories, codes)
}

func TestWithCategories(t *testing.T) {
	nan := float32(math.NaN())
	red := textData([]string{"red", "blue"}, 0, 1, nan, 0, 5)
	for _, c := range []struct {
		name  string
		lists [][]string
		want  string
	}{
		{"other order", [][]string{nil, {"blue", "green", "red"}, nil}, `[[] ["blue" "green" "red"] []] [2 0 NaN 2 3]`},
		{"unknown text", [][]string{nil, {"blue", "green"}}, `[[] ["blue" "green" "red"] []] [2 0 NaN 2 3]`},
		{"same order", [][]string{nil, {"red", "blue", "green"}, nil}, `[[] ["red" "blue" "green"] []] [0 1 NaN 0 5]`},
		{"beginning", [][]string{nil, {"red"}, nil}, `[[] ["red" "blue"] []] [0 1 NaN 0 5]`},
		{"numbers", [][]string{{"a"}, nil, nil}, `[[] ["red" "blue"] []] [0 1 NaN 0 5]`},
		{"none", nil, `[[] ["red" "blue"] []] [0 1 NaN 0 5]`},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, d := range []*Dataset{red, red.ToSparse()} {
				got, err := d.WithCategories(c.lists)
				if err != nil {
					t.Fatal(err)
				}
				if err := got.Validate(); err != nil || showTexts(got) != c.want || got.Row(3)[2] != 7 {
					t.Errorf("%s, row %v, %v; want %s", showTexts(got), got.Row(3), err, c.want)
				}
			}
		})
	}
	if showTexts(red) != `[[] ["red" "blue"] []] [0 1 NaN 0 5]` {
		t.Errorf("the data changed to %s", showTexts(red))
	}
}

func TestConcatCategories(t *testing.T) {
	a, b := textData([]string{"red", "blue"}, 0, 1), textData([]string{"green", "red"}, 0, 1)
	numbers := textData(nil, 3)
	numbers.Categories = nil
	for _, c := range []struct {
		name  string
		parts []*Dataset
		want  string
	}{
		{"texts", []*Dataset{a, b}, `[[] ["red" "blue" "green"] []] [0 1 2 0]`},
		{"sparse", []*Dataset{a.ToSparse(), b}, `[[] ["red" "blue" "green"] []] [0 1 2 0]`},
		{"with numbers", []*Dataset{a, numbers}, `[[] [] []] [0 1 3]`},
		{"numbers", []*Dataset{numbers}, `[] [3]`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := showTexts(Concat(c.parts...)); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

func TestSubsetCategories(t *testing.T) {
	d := textData([]string{"red", "blue"}, 0, 1)
	columns, err := d.SubsetColumns([]int{1, 0})
	if err != nil {
		t.Fatal(err)
	}
	rows, err := d.SubsetRows([]int{1})
	if err != nil {
		t.Fatal(err)
	}
	for want, d := range map[string]*Dataset{
		`[["red" "blue"] []]`:       columns,
		`[[] ["red" "blue"] []]`:    rows,
		`[[] ["red" "blue"]]`:       d.WithColumns(2),
		`[[] ["red" "blue"] [] []]`: d.WithColumns(4),
	} {
		t.Run(want, func(t *testing.T) {
			if got := fmt.Sprintf("%q", d.Categories); got != want || d.Validate() != nil {
				t.Errorf("%s, %v", got, d.Validate())
			}
		})
	}
}

func TestCategoryErrors(t *testing.T) {
	train := func(d *Dataset) error { _, err := (&RankSVM{}).Fit(t.Context(), d); return err }
	named := textData([]string{"red"}, 0, 0)
	named.Names = []string{"a", "color", "c"}
	short := textData(nil, 0)
	short.Categories = [][]string{nil}
	for want, do := range map[string]func() error{
		"the number of lists in Categories is 1; it must be 3": short.Validate,
		`has the text category "red" twice`:                    textData([]string{"red", "red"}, 0).Validate,
		"feature 2 has an empty text category":                 textData([]string{""}, 0).Validate,
		"the text category of feature 2 must be UTF-8":         textData([]string{"\xff"}, 0).Validate,
		"feature 2 contains text categories, but": func() error {
			_, err := (&Ridge{}).Fit(t.Context(), textData([]string{"red"}, 0, 0))
			return err
		},
		`(set the option Ignore to "color")`: func() error { return train(named) },
		"feature 2 contains text categories": func() error {
			m := &Linear{Weights: []float64{1, 2, 3}}
			return m.ScoreInto(t.Context(), make([]float64, 1), textData([]string{"red"}, 0))
		},
	} {
		t.Run(want, func(t *testing.T) {
			if err := do(); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("error %v", err)
			}
		})
	}
}
