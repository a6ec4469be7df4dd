package lambdamart_test

import (
	"fmt"
	"math"
	"os"
	"testing"

	"github.com/simdrank/simdrank/internal/testkit"
	"github.com/simdrank/simdrank/rank/data"
	"github.com/simdrank/simdrank/rank/lambdamart"
	"github.com/simdrank/simdrank/rank/model"
)

// The scores are those of LightGBM 4.6's command; see bench/peers/lambdamart/growing.py. LightGBM
// uses a table for its sigmoid and float32 gradients; simdrank rounds gradients to integers.
func TestGrowingLightGBM(t *testing.T) {
	open := func(name string) *os.File {
		f, err := os.Open("testdata/lightgbm/" + name)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	file := open("growing.csv")
	defer file.Close()
	d, err := data.Read(file, data.Options{Format: "csv"})
	if err != nil {
		t.Fatal(err)
	}
	want := testkit.ReadNumbers(t, "testdata/lightgbm/growing.txt")
	compare := func(what string, m *lambdamart.Model) {
		t.Helper()
		worst := 0.0
		for i, s := range want[0] {
			worst = max(worst, math.Abs(m.Score(d.Row(i))-s))
		}
		if len(want[0]) != d.Rows() || !(worst <= 1e-5) {
			t.Errorf("%s: scores are up to %v apart", what, worst)
		}
		want = want[1:]
	}
	for _, o := range []lambdamart.Trainer{
		{Interactions: [][]int{{0, 1}, {1, 2, 3}}},
		{Objective: lambdamart.Regression, Interactions: [][]int{{0, 4}, {1}, {2, 3, 4}}},
		{MaxDeltaStep: .4, MinRows: 1},
		{Objective: lambdamart.Regression, MaxDeltaStep: .5, L1: 2, L2: 3, Monotone: []int8{1, 0, -1}},
		{Objective: lambdamart.Regression, PathSmooth: 4},
		{Objective: lambdamart.Regression, PathSmooth: 20, MaxDeltaStep: .6, L1: 1, L2: 2,
			Interactions: [][]int{{0, 1, 2}, {2, 3, 4}}},
	} {
		o.Trees, o.Leaves = 6, 8
		if o.MinRows == 0 {
			o.MinRows = 5
		}
		r, err := testkit.With(lambdamart.DefaultTrainer(), o).Fit(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		compare(fmt.Sprintf("%+v", o), r.Model)
	}

	file = open("refit-from.txt")
	defer file.Close()
	m, err := model.Trees(model.Read(file))
	if err != nil {
		t.Fatal(err)
	}
	var queries []int
	for q := 40; q < d.Queries(); q++ {
		queries = append(queries, q)
	}
	part, err := d.SubsetQueries(queries)
	if err != nil {
		t.Fatal(err)
	}
	part.Names = nil // LightGBM has other names
	for _, c := range []struct {
		o     lambdamart.Trainer
		decay float64
	}{{lambdamart.Trainer{}, .9}, {lambdamart.Trainer{L1: .1, L2: 1, MaxDeltaStep: .3}, .3}} {
		fit, err := testkit.With(lambdamart.DefaultTrainer(), c.o).Refit(t.Context(), m, part, c.decay)
		if err != nil {
			t.Fatal(err)
		}
		compare(fmt.Sprintf("refitted by %+v", c), fit)
	}
}
