package lambdamart

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/internal/testkit"
	"github.com/simdrank/simdrank/rank"
)

// colors returns data whose labels depend on a text column.
func colors(rows int, list ...string) *rank.Dataset {
	d := rank.NewDataset(rows, 2)
	random := rand.New(rand.NewPCG(1, 2))
	for i := range rows {
		c := random.IntN(len(list))
		copy(d.Row(i), []float32{random.Float32(), float32(c)})
		d.Labels[i] = float64(len(list[c]) % 3)
		if i%20 == 19 {
			d.Row(i)[1] = float32(math.NaN())
			d.Offsets, d.QueryIDs = append(d.Offsets, i+1), append(d.QueryIDs, fmt.Sprint(i))
		}
	}
	d.Names = []string{"x", "color"}
	d.Categories = [][]string{nil, list}
	return d
}

func colorTrainer() *Trainer {
	t := DefaultTrainer()
	t.Trees, t.MinRows, t.CategoryRows, t.CategorySmooth = 3, 2, 1, 1
	return t
}

// TestTextCategories: text columns are categorical without an option, and the model contains their
// texts.
func TestTextCategories(t *testing.T) {
	d := colors(400, "red", "blue", "green", "black", "white", "yellow")
	texts := testkit.Must(colorTrainer().Fit(t.Context(), d)).Model
	numbers := *d
	numbers.Categories = nil
	trainer := colorTrainer()
	trainer.Categorical = []int{1}
	model := testkit.Must(trainer.Fit(t.Context(), &numbers)).Model
	if texts.Trees[0].Categories == nil || fmt.Sprint(texts.Trees) != fmt.Sprint(model.Trees) {
		t.Error("other trees than with Categorical")
	}
	if fmt.Sprintf("%q", texts.Categories) != fmt.Sprintf("%q", d.Categories) || model.Categories != nil {
		t.Errorf("categories %q", texts.Categories)
	}
	text := testkit.Must(texts.MarshalJSON())
	back := &Model{}
	if err := back.UnmarshalJSON(text); err != nil ||
		!strings.Contains(string(text), `,"categories":{"1":["red","blue",`) ||
		fmt.Sprintf("%q", back.Categories) != fmt.Sprintf("%q", texts.Categories) {
		t.Errorf("read %q, %v", back.Categories, err)
	}
	scores := make([]float64, d.Rows())
	for want, lists := range map[string][][]string{
		"":                                     {nil, {"red", "blue"}},
		"feature 0 (x) contains text categor":  {{"a"}, nil},
		"feature 1 (color): the text categori": {nil, {"blue"}},
	} {
		t.Run(want, func(t *testing.T) {
			other := *d
			other.Categories = lists
			err := texts.ScoreInto(t.Context(), scores, &other)
			if (err == nil) != (want == "") || want != "" && !strings.Contains(err.Error(), want) {
				t.Errorf("error %v", err)
			}
		})
	}
	if err := texts.SetFeatureNames([]string{"color", "y", "x"}); err != nil ||
		fmt.Sprintf("%q", texts.Categories) != `[["red" "blue" "green" "black" "white" "yellow"] [] []]` {
		t.Errorf("categories %q, %v", texts.Categories, err)
	}
	texts.SetZeroMissing(true)
	for _, tree := range texts.Trees {
		for s, f := range tree.Feature {
			if tree.ZeroMissing[s] != (f != 0) {
				t.Errorf("0 is missing for feature %d: %v", f, tree.ZeroMissing[s])
			}
		}
	}
}

// TestStartTexts continues training on data with more texts.
func TestStartTexts(t *testing.T) {
	start := testkit.Must(colorTrainer().Fit(t.Context(), colors(300, "red", "blue", "green", "black"))).Model
	more := colors(300, "red", "blue", "green", "black", "pink", "orange")
	trainer := colorTrainer()
	trainer.Start = start
	m := testkit.Must(trainer.Fit(t.Context(), more)).Model
	if !slices.Equal(m.Categories[1], more.Categories[1]) || len(start.Categories[1]) != 4 {
		t.Errorf("categories %q, start %q", m.Categories, start.Categories)
	}
	fewer := testkit.Must(trainer.Fit(t.Context(), colors(300, "red", "blue"))).Model
	if !slices.Equal(fewer.Categories[1], start.Categories[1]) {
		t.Errorf("categories %q", fewer.Categories)
	}
	refit := testkit.Must(colorTrainer().Refit(t.Context(), start, more, 0.5))
	if !slices.Equal(refit.Categories[1], start.Categories[1]) {
		t.Errorf("categories %q", refit.Categories)
	}
	numbers := colors(300, "red", "blue")
	numbers.Categories = nil
	zeros := colorTrainer()
	zeros.ZeroMissing = true
	for want, c := range map[string]struct {
		trainer *Trainer
		d       *rank.Dataset
	}{
		"text categories of the data are not numbered":        {trainer, colors(300, "blue", "red")},
		"but numbers in the data":                             {trainer, numbers},
		"ZeroMissing cannot be combined with text categories": {zeros, more},
	} {
		t.Run(want, func(t *testing.T) {
			if _, err := c.trainer.Fit(t.Context(), c.d); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("error %v", err)
			}
		})
	}
}

func TestInvalidTexts(t *testing.T) {
	tree := Tree{Feature: []int32{1}, Threshold: []float32{0}, Categories: [][]uint32{{1 << 2}}, Left: []int32{^0},
		Right: []int32{^1}, Leaf: []float64{1, 2}}
	for want, lists := range map[string][][]string{
		"": {nil, {"a", "b", "c"}},
		"category 2 is out of range; feature 1 has 2 text categories":           {nil, {"a", "b"}},
		"the number of lists in Categories is 1; it must be 2, one per feature": {{"a"}},
		`feature 0 has the text category "a" twice`:                             {{"a", "a"}, nil},
	} {
		t.Run(want, func(t *testing.T) {
			m := &Model{NumFeatures: 2, Trees: []Tree{tree}, Categories: lists}
			err := m.Validate()
			if (err == nil) != (want == "") || want != "" && !strings.Contains(err.Error(), want) {
				t.Errorf("error %v", err)
			}
		})
	}
	for _, text := range []string{`{"2":["a"]}`, `{"01":["a"]}`, `{"x":[]}`, `{"1":[1]}`, `["a"]`, `7`} {
		t.Run(text, func(t *testing.T) {
			_, err := Unmarshal([]byte(`{"format":"simdrank-lambdamart","version":1,"features":2,"bias":0,"categories":` + text +
				`,"trees":[]}`))
			if err == nil || !strings.Contains(err.Error(), "categories") {
				t.Errorf("error %v", err)
			}
		})
	}
}
