package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/rank/data"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

// Factors of positions are learned from a file or a column of positions, and are in what train and
// info print, in the model, its page and its figure.
func TestPositionBias(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	train := writeTemp(t, "train.txt", letorText(t, part(0)))
	d, err := data.Load(train, data.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var lines strings.Builder
	for q := range d.Queries() {
		lo, hi := d.Query(q)
		for i := lo; i < hi; i++ {
			d.Positions = append(d.Positions, int32(i-lo+1))
			fmt.Fprintln(&lines, i-lo+1)
		}
	}
	positions := writeTemp(t, "positions", lines.String())
	valid := writeTemp(t, "valid.txt", letorText(t, part(1)))
	args := []string{"train", "-d", train, "-o", "model.json", "--model", "lambdamart", "--trees", "3"}
	given := append(slices.Clone(args), "--positions", positions)
	with := func(more string) []string { return append(slices.Clone(given), strings.Fields(more)...) }
	for _, c := range []struct {
		args string
		want lambdamart.Trainer
		text string
	}{
		{"--position-bias additive --position-l2 0.1",
			*trainer(lambdamart.Trainer{Trees: 3, PositionBias: "additive", PositionL2: .1}),
			"positions (additive)  1  "},
		{"--position-bias pairwise --position-norm 0",
			*trainer(lambdamart.Trainer{Trees: 3, PositionBias: "pairwise"}, "PositionNorm"), "\nt⁻  "},
		{"--position-bias pairwise", *trainer(lambdamart.Trainer{Trees: 3, PositionBias: "pairwise"}), "\nt⁺  "},
	} {
		t.Run(c.args, func(t *testing.T) {
			out := succeed(t, "", with(c.args)...)
			r, err := c.want.Fit(t.Context(), d)
			if err != nil {
				t.Fatal(err)
			}
			if readFile(t, "model.json") != written(t, r.Model) {
				t.Error("the model is not the library's")
			}
			info := succeed(t, "", "info", "-m", "model.json")
			if !strings.Contains(out, c.text) || !strings.Contains(info, c.text) {
				t.Errorf("%q is missing in\n%s\nor\n%s", c.text, out, info)
			}
		})
	}

	out := decode[struct {
		Trees struct{ Positions positionFactors } `json:"lambdamart"`
	}](t, succeed(t, "", with("--position-bias pairwise --format json --report page.html")...))
	info := decode[modelInfo](t, succeed(t, "", "info", "-m", "model.json", "--format", "json"))
	if f := out.Trees.Positions; f.Kind != "pairwise" || len(f.Plus) != len(f.Position) || f.Plus[0] != 1 ||
		!slices.Equal(f.Minus, info.Positions.Minus) {
		t.Errorf("train prints %+v, info %+v", out, info)
	}
	succeed(t, "", "plot", "positions", "-m", "model.json", "-o", "x.svg")
	fail(t, exitUsage, "", []string{"plot", "positions", "-m", "model.json", "-d", "data.txt", "-o", "x.svg"},
		"--data (-d) has no effect with plot positions")
	for _, file := range []string{"page.html", "x.svg"} {
		t.Run(file, func(t *testing.T) {
			if text := readFile(t, file); !strings.Contains(text, "t⁻ (not clicked)") {
				t.Errorf("%s has no figure of positions", file)
			}
		})
	}

	fail(t, exitFailure, "", append(args, "--position-bias", "additive"), train,
		"document positions, which the data does not contain", "--positions FILE")
	fail(t, exitUsage, "", with("--position-bias pairwise --position-norm -1"),
		"--position-norm -1: must be at least 0")
	fail(t, exitUsage, "", with("--position-bias pairwise --position-l2 NaN"),
		"--position-l2 NaN: must be finite")
	if err := os.Rename("model.json", "start.json"); err != nil {
		t.Fatal(err)
	}
	fail(t, exitFailure, "", with("--position-bias additive --start start.json"),
		"the position bias is additive, but the model to start from was trained with the position bias pairwise")
	fail(t, exitFailure, "", with("--position-bias pairwise --objective xe-ndcg"), "such as ndcg, not xe-ndcg")
	fail(t, exitFailure, "", with("--position-bias pairwise --retrain --early-stopping 2 --valid "+valid),
		"--retrain with --position-bias also requires positions in")
	fail(t, exitUsage, "", append([]string{"train", "-d", train, "-o", positions}, given[len(args):]...),
		"would replace the input "+positions)
	succeed(t, "", args...)
	fail(t, exitFailure, "", strings.Fields("plot positions -m model.json -o y.svg"), "trained without a position bias")
	succeed(t, "", "train", "-d", train, "-o", "linear.json", "--model", "ridge")
	fail(t, exitUsage, "", strings.Fields("plot positions -m linear.json -o y.svg"), "linear.json is a linear model")
	if _, err := os.Stat(filepath.Join(dir, "y.svg")); err == nil {
		t.Error("a failure left a figure")
	}
}
