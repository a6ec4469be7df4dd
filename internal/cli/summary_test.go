package cli

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/data"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

func TestData(t *testing.T) {
	r := &data.Description{Queries: 2, Rows: 30, Cols: 22, RowsPerQuery: [5]int{1, 2, 3, 4, 5}, NonZero: 330,
		Absent: 7, NaN: 8, Infinite: 9, Constant: []int{1}, Weights: true, Positions: true}
	for label := range 22 {
		r.Labels = append(r.Labels, data.LabelCount{Label: float64(label), Rows: 1})
	}
	r.Labels[0].Label = math.NaN()
	s := NewData(r)
	var text strings.Builder
	if err := s.Text(&text, "sparse", 3); err != nil {
		t.Fatal(err)
	}
	const labels = "NaN: 1, 1: 1, 2: 1, 3: 1, 4: 1, 5: 1, 6: 1, 7: 1, 8: 1, 9: 1, 10: 1, 11: 1, 12: 1, 13: 1, " +
		"14: 1, 15: 1, 16: 1, 17: 1, 18: 1, 19: 1 and 2 more"
	if want := `queries              2
documents            30
documents per query  1 to 5; quartiles 2, 3, 4
labels               ` + labels + `
features             22
not zero             330 (50%), sparse storage
omitted by rows      7
missing (NaN)        8
infinite             9
constant features    2
duplicated rows      3
weights              yes
positions            yes
`; text.String() != want {
		t.Errorf("%s\nwant\n%s", text.String(), want)
	}

	names := make([]string, 22)
	for j := range names {
		names[j] = fmt.Sprint("f", j)
	}
	s = NewData(&data.Description{Cols: 22, Constant: []int{1, 2}, Labels: r.Labels[:2], Names: names})
	text = strings.Builder{}
	if err := s.Text(&text, "", -1); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(text.String(), "not zero             0 (0%)\n") ||
		!strings.HasSuffix(text.String(), "missing (NaN)        0\nconstant features    f1, f2\n") {
		t.Error(text.String())
	}
	b, err := json.Marshal(s)
	if want := `{"queries":0,"documents":0,"features":22,"documents_per_query":[0,0,0,0,0],"labels":[{"label":null,` +
		`"documents":1},{"label":1,"documents":1}],"nonzero":0,"density":0,"absent":0,"nan":0,"infinite":0,` +
		`"constant_features":["f1","f2"],"weights":false,"positions":false}`; err != nil || string(b) != want {
		t.Errorf("%v, %s\nwant %s", err, b, want)
	}
	if b, err = json.Marshal([]Number{Number(math.Inf(1)), 0.5}); err != nil || string(b) != "[null,0.5]" {
		t.Errorf("%s, %v", b, err)
	}
}

func TestLeaves(t *testing.T) {
	m := &lambdamart.Model{Trees: []lambdamart.Tree{{Leaf: []float64{1}}, {Leaf: []float64{2, 3, 4}}}}
	if n := Leaves(m); n != 4 {
		t.Errorf("%d leaves, want 4", n)
	}
}

func TestCPath(t *testing.T) {
	s := NewCPath("map", &rank.Linear{Report: &rank.FitReport{C: 1}}, []rank.CPoint{
		{C: 0.1, Value: 0.25, Unconverged: 1, Gap: 0.5}, {C: 1, Value: 0.5}})
	var text strings.Builder
	if err := s.Text(&text); err != nil {
		t.Fatal(err)
	}
	if want := "\n    C     map\n  0.1  0.2500\n    1  0.5000 *\n"; text.String() != want {
		t.Errorf("got %q, want %q", text.String(), want)
	}
	got, err := json.Marshal(s)
	if want := `{"metric":"map","best":1,"points":[{"c":0.1,"score":0.25,"converged":false,"gap":0.5},` +
		`{"c":1,"score":0.5,"converged":true,"gap":0}]}`; err != nil || string(got) != want {
		t.Errorf("got %s, %v, want %s", got, err, want)
	}
}

func TestRankSVM(t *testing.T) {
	r := &rank.FitReport{C: 2, Pairs: 3, Queries: 4, Objective: 5, Gap: 6, Stop: "passes",
		Iterations: 7, Passes: 8}
	want := RankSVM{"hinge", 2, 3, 4, 5, 6, "passes", false, 7, 8}
	if got := *NewRankSVM("hinge", r); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if r.Stop = "converged"; !NewRankSVM("hinge", r).Converged {
		t.Error("converged, and not said")
	}
}
