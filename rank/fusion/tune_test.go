package fusion

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/internal/testkit"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/trec"
)

// The first run ranks the relevant document of topic 1 first and that of topic 2 last. The second
// run does the opposite, with a wider margin in topic 2. With min-max, a of topic 1 is above b if
// w₁ > w₂/2, and b of topic 2 is above a if w₂ > w₁/2.
func TestTune(t *testing.T) {
	runs := []*trec.Run{
		mustRun(t, "1 Q0 a 1 4 A\n1 Q0 b 2 0 A\n1 Q0 c 3 0 A\n2 Q0 a 1 2 A\n2 Q0 b 2 1 A\n2 Q0 c 3 0 A\n"),
		mustRun(t, "1 Q0 b 1 2 B\n1 Q0 a 2 1 B\n1 Q0 c 3 0 B\n2 Q0 b 1 4 B\n2 Q0 a 2 0 B\n2 Q0 c 3 0 B\n"),
	}
	judgments, err := trec.ReadQrels(strings.NewReader("1 0 a 1\n1 0 c -1\n2 0 b 1\n"))
	if err != nil {
		t.Fatal(err)
	}
	evaluator := func(names string) *rank.Evaluator {
		e, err := rank.NewEvaluator(names, rank.Options{Preset: "trec_eval"})
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	f := Fuser{Method: "combsum"}
	for _, c := range []struct {
		grid [][]float64
		want []float64
		mean float64
	}{
		{[][]float64{{1, 0}, {0, 1}, {.4, .6}, {1, 1}}, []float64{.4, .6}, 1},
		{[][]float64{{1, 0}, {0, 1}}, []float64{1, 0}, .75}, // equal: the first is returned
		{[][]float64{{0, 1}, {1, 0}}, []float64{0, 1}, .75},
	} {
		t.Run(fmt.Sprint(c.grid), func(t *testing.T) {
			calls := testkit.NewProgress(t)
			f.Threads, f.Progress = 8, calls.Report
			got, mean, err := f.Tune(t.Context(), runs, judgments, evaluator("mrr"), c.grid)
			if err != nil || !slices.Equal(got, c.want) || mean != c.mean {
				t.Errorf("%v: %v, %v, %v, want %v, %v", c.grid, got, mean, err, c.want, c.mean)
			}
			if n := int64(len(c.grid)); calls.Calls != n || calls.Total != n {
				t.Errorf("%d calls with total %d, want %d", calls.Calls, calls.Total, n)
			}
			calls.Check(2)
		})
	}
	if f.Progress = nil; f.Weights != nil {
		t.Error("Tune changed its Fuser")
	}
	others, err := trec.ReadQrels(strings.NewReader("7 0 a 1\n"))
	if err != nil {
		t.Fatal(err)
	}
	grid := [][]float64{{1, 1}}
	for _, c := range []struct {
		f         Fuser
		judgments *trec.Qrels
		metric    string
		grid      [][]float64
		want      string
	}{
		{Fuser{Method: "isr"}, judgments, "mrr", grid, "method isr does not support weights (supported: rrf"},
		{f, judgments, "mrr", nil, "the grid is empty; it must contain at least one list of weights"},
		{f, judgments, "mrr,map", grid, `the evaluator has the metrics "mrr,map"; it must`},
		{f, judgments, "mrr", [][]float64{{1}}, "the number of weights is 1"},
		{f, others, "mrr", grid, "no topic of the runs has judgments"},
	} {
		t.Run(c.want, func(t *testing.T) {
			_, _, err := c.f.Tune(t.Context(), runs, c.judgments, evaluator(c.metric), c.grid)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %s", err, c.want)
			}
		})
	}
}

func TestParseGrid(t *testing.T) {
	for _, c := range []struct {
		text string
		runs int
		want string
	}{
		{"0:1:.5", 2, "[[0 0.5] [0.5 0] [0.5 0.5] [0.5 1] [1 0.5]]"},
		{"0:1:1", 3, "[[0 0 1] [0 1 0] [0 1 1] [1 0 0] [1 0 1] [1 1 0] [1 1 1]]"},
		{".1:.3:.1", 1, "[[0.1]]"},
		{".1:.3:.1", 2, "[[0.1 0.1] [0.1 0.2] [0.1 0.3] [0.2 0.1] [0.2 0.3] [0.3 0.1] [0.3 0.2]]"},
		{"2:2:1", 2, "[[2 2]]"},
		{"1:2", 2, `fusion: grid "1:2" must have the form FROM:TO:STEP, as in 0:1:0.1`},
		{"0:1:0x1p-3", 2, `fusion: grid "0:1:0x1p-3": "0x1p-3" is not a finite number`},
		{"0:1:x", 2, `fusion: grid "0:1:x": "x" is not a finite number`},
		{"0:inf:1", 2, `fusion: grid "0:inf:1": "inf" is not a finite number`},
		{"-1:1:1", 2, `fusion: grid "-1:1:1": weights must not be negative`},
		{"1:0:1", 2, `fusion: grid "1:0:1": the end must not be less than the start`},
		{"0:1:0", 2, `fusion: grid "0:1:0": the step must be positive`},
		{"0:0:1", 2, `fusion: grid "0:0:1" has no positive weight`},
		{"0:1e300:1e-300", 1, `fusion: grid "0:1e300:1e-300" has more than 100000 combinations`},
		{"0:1:.1", 5, `fusion: grid "0:1:.1" has more than 100000 combinations for 5 runs`},
		{"0:1:1", 0, "fusion: at least one run is required"},
	} {
		t.Run(fmt.Sprint(c.text, " ", c.runs), func(t *testing.T) {
			grid, err := ParseGrid(c.text, c.runs)
			got := fmt.Sprint(grid)
			if err != nil {
				got = err.Error()
			}
			if got != c.want {
				t.Errorf("%s for %d runs: %s, want %s", c.text, c.runs, got, c.want)
			}
		})
	}
	if grid, err := ParseGrid("0:1:.1", 2); err != nil || len(grid) != 65 || !slices.Equal(grid[1], []float64{.1, 0}) {
		t.Errorf("0:1:.1: %d combinations, %v", len(grid), err)
	}
}
