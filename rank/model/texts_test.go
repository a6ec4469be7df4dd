package model

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/internal/testkit"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/data"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

// TestTexts scores rows with text categories like LightGBM and XGBoost, also with models that were
// written and read. bench/peers/lambdamart/categories.py makes the files.
func TestTexts(t *testing.T) {
	f := testkit.Must(os.Open("testdata/texts/test.csv"))
	defer f.Close()
	d, err := data.Read(f, data.Options{Format: "csv", TextColumns: []string{"color", "size"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		file, column string
		formats      []string
		tolerance    float64
	}{
		{"lightgbm.txt", "lightgbm", []string{"json", "lightgbm", "lightgbm-v3"}, 0},
		{"xgboost.json", "xgboost", []string{"json", "xgboost", "xgboost-ubj"}, 1e-6},
	} {
		t.Run(c.file, func(t *testing.T) {
			m, err := Trees(Load("testdata/texts/" + c.file))
			if err != nil {
				t.Fatal(err)
			}
			models := []*lambdamart.Model{m}
			for _, format := range c.formats {
				var b bytes.Buffer
				if err := Write(&b, m, format); err != nil {
					t.Fatal(err)
				}
				models = append(models, testkit.Must(Trees(Read(&b))))
			}
			want := slices.Index(d.Names, c.column)
			for i, m := range models {
				const lists = `[[] ["black" "blue" "green" "red" "x,y"] ["1" "5" "7"]]`
				if got := fmt.Sprintf("%q", m.Categories); got != lists || m.CategoryCodes {
					t.Errorf("model %d: categories %s, want %s", i, got, lists)
				}
				aligned, err := (Alignment{IgnoreExtraFeatures: true}).ToModel(d, m)
				if err != nil {
					t.Fatal(err)
				}
				scores := make([]float64, d.Rows())
				if err := m.ScoreInto(t.Context(), scores, aligned); err != nil {
					t.Fatal(err)
				}
				for row, s := range scores {
					v := float64(d.Row(row)[want])
					if c.tolerance == 0 {
						s = float64(float32(s)) // the column was rounded
					}
					if math.Abs(s-v) > c.tolerance {
						t.Fatalf("model %d, row %d: score %v, want %v", i, row, s, v)
					}
				}
			}
		})
	}
}

// TestLightGBMTexts: what the values of a data frame become, and how they are written.
func TestLightGBMTexts(t *testing.T) {
	text := string(testkit.Must(os.ReadFile("testdata/texts/lightgbm.txt")))
	i := strings.Index(text, "pandas_categorical:")
	for _, c := range []struct{ values, want, written string }{
		{`[["a", "b", "c", "d", "e"], [1.5, 2.0, -3.25]]`, `["1.5" "2.0" "-3.25"]`, `[1.5,2.0,-3.25]`},
		{`[["a", "b", "c", "d", "e"], [true, false]]`, `["True" "False"]`, `[true,false]`},
		{`[["a", "b", "c", "d", "e"], ["01", "2", "3"]]`, `["01" "2" "3"]`, `["01","2","3"]`},
		{`[["a", "b", "c", "d", "e"], [1, "1", 3]]`, "codes", "null"},
		{`[["a", "b", "c"], [1, 2, 3]]`, "codes", "null"},
		{`[["a", "b", "c", "", "d"], [1, 2, 3]]`, "codes", "null"},
		{`[["a", "b", "c", "d", "e"]]`, "codes", "null"},
		{`[[0, 1, 2, 3, 4], [0, 1, 2]]`, "numbers", "null"},
	} {
		t.Run(c.values, func(t *testing.T) {
			m, err := Trees(Read(strings.NewReader(text[:i] + "pandas_categorical:" + c.values + "\n")))
			if err != nil {
				t.Fatal(err)
			}
			got := "numbers"
			switch {
			case m.CategoryCodes:
				got = "codes"
			case m.Categories != nil:
				got = fmt.Sprintf("%q", m.Categories[2])
			}
			var b bytes.Buffer
			if err := Write(&b, m, "lightgbm"); err != nil {
				t.Fatal(err)
			}
			_, written, _ := strings.Cut(b.String(), "pandas_categorical:")
			if got != c.want || !strings.HasSuffix(strings.Trim(written, "]\n"), strings.Trim(c.written, "]")) {
				t.Errorf("%s, want %s; written %s, want %s", got, c.want, written, c.written)
			}
			if m.Categories == nil {
				return
			}
			b.Reset()
			if err := Write(&b, m, "lightgbm-dump"); err != nil {
				t.Fatal(err)
			}
			if back, err := Trees(Read(&b)); err != nil || !reflect.DeepEqual(back.Categories, m.Categories) {
				t.Errorf("from the dump: %+v, %v", back, err)
			}
		})
	}
}

// TestXGBoostTexts: XGBoost 3.2 writes offsets of characters, so other texts than ASCII are not
// known.
func TestXGBoostTexts(t *testing.T) {
	text := string(testkit.Must(os.ReadFile("testdata/texts/xgboost.json")))
	letter := strconv.Itoa(int('x'))
	for change, want := range map[[2]string]string{
		{letter + ",44", letter + ",45"}: "texts",
		{letter + ",44", "-61,-68"}:      "codes",
		{"[1,5,7]", "[1,5,1]"}:           "codes",
		{"[1,5,7]", "[1,5]"}:             "codes",
	} {
		t.Run(fmt.Sprint(change), func(t *testing.T) {
			changed := strings.Replace(text, change[0], change[1], 1)
			m, err := Trees(Read(strings.NewReader(changed)))
			if err != nil || changed == text {
				t.Fatal(err)
			}
			if m.CategoryCodes != (want == "codes") || (m.Categories != nil) != (want == "texts") {
				t.Errorf("codes %v, categories %q; want %s", m.CategoryCodes, m.Categories, want)
			}
		})
	}
	m := testkit.Must(Trees(Read(strings.NewReader(text))))
	if _, err := (Alignment{}).ToModel(&rank.Dataset{}, m); err != nil {
		t.Error(err)
	}
}
