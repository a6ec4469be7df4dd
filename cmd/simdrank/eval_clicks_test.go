package main

import (
	"strings"
	"testing"

	"github.com/simdrank/simdrank/internal/testkit"
)

// clickedData writes two sessions with clicks at the positions 1 and 4, and at position 2.
func clickedData(t *testing.T) (data, scores, propensities string) {
	data = writeTemp(t, "clicks.csv",
		"qid,label,position,x\na,1,1,1\na,0,2,4\na,0,3,3\na,1,4,2\nb,0,3,5\nb,1,2,5\nb,0,1,4\n")
	return data, writeTemp(t, "scores.txt", "1\n4\n3\n2\n5\n5\n4\n"),
		writeTemp(t, "propensities.txt", "1\n0.5\n0.4\n0.25\n")
}

func TestEvalClicks(t *testing.T) {
	data, scores, propensities := clickedData(t)
	model := writeTemp(t, "model.json", `{"format":"simdrank-linear","version":1,"intercept":0,"weights":[1]}`)
	for _, c := range []struct {
		flags, want string
	}{
		{"-s " + scores + " --metric average-rank", "average-rank  ips        9.5000    6.5000"},
		{"-m " + model + " --metric average-rank", "average-rank  snips      2.7143    0.6939"},
		{"-s " + scores + " --metric dcg@3,average-rank --max-weight 2", "average-rank  ips        6.5000    3.5000"},
		{"-s " + scores + " --max-weight 2", "limited the weight of 1 click\n"},
		{"-s " + scores, "3 clicks in 2 queries; as informative as 2.3 clicks with equal weights\n"},
		{"-s " + scores, "\ndcg@10        ips"},
		{"-s " + scores + " --metric average-rank --format csv",
			"\naverage-rank,ips,9.5,6.5,-73.0903307"},
		{"-s " + scores + " --metric average-rank --format json", `"effective_clicks": 2.3333333333333335`},
	} {
		t.Run(testkit.CaseName(strings.Fields(c.flags)...), func(t *testing.T) {
			args := append([]string{"eval", "-d", data, "--propensities", propensities}, strings.Fields(c.flags)...)
			if got := succeed(t, "", args...); !strings.Contains(got, c.want) {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

// Propensities that a model has learned are read from the model.
func TestEvalLearnedPropensities(t *testing.T) {
	data, scores, propensities := clickedData(t)
	model := writeTemp(t, "model.json", "")
	succeed(t, "", "train", "-d", data, "--model", "lambdamart", "--position-bias", "additive", "--trees", "3",
		"--min-rows", "1", "--leaves", "2", "-o", model)
	args := []string{"eval", "-s", scores, "-d", data, "--propensities"}
	if got := succeed(t, "", append(args, model)...); !strings.Contains(got, "3 clicks in 2 queries") {
		t.Error(got)
	}
	unbiased := writeTemp(t, "unbiased.json", "")
	succeed(t, "", "train", "-d", data, "--model", "lambdamart", "--trees", "3", "--min-rows", "1", "-o", unbiased)
	linear := writeTemp(t, "linear.json", `{"format":"simdrank-linear","version":1,"intercept":0,"weights":[1]}`)
	for _, c := range []struct {
		propensities string
		exit         int
		want         string
	}{
		{unbiased, exitFailure, unbiased + ": the model was trained without a position bias"},
		{linear, exitUsage, "--propensities requires a tree model or a file of numbers, but " + linear + " is a linear model"},
		{writeTemp(t, "zero.txt", "1\n0\n"), exitFailure, `zero.txt:2:1: "0": propensities must be positive and finite`},
		{writeTemp(t, "short.txt", "1\n0.5\n"), exitFailure,
			data + ":5: the click at position 4 requires a positive propensity for this position"},
		{"missing.txt", exitFailure, "missing.txt: "},
	} {
		t.Run(c.want, func(t *testing.T) { fail(t, c.exit, "", append(args, c.propensities), c.want) })
	}
	for flags, want := range map[string]string{
		"--metric ndcg":       "--metric ndcg cannot be combined with --propensities: the metrics must be dcg, dcg@k or average-rank",
		"--max-weight 0":      "--max-weight 0: must be greater than 0",
		"--gain linear":       "--gain cannot be combined with --propensities",
		"--per-query":         "--per-query cannot be combined with --propensities",
		"--position-column -": data + " has no positions (use --positions or --position-column)",
	} {
		t.Run(flags, func(t *testing.T) {
			exit := exitUsage
			if strings.HasPrefix(flags, "--position") {
				exit = exitFailure
			}
			fail(t, exit, "", append(append(args, propensities), strings.Fields(flags)...), want)
		})
	}
	fail(t, exitUsage, "", []string{"eval", "-s", scores, "-d", data, "--max-weight", "3"},
		"--max-weight requires --propensities")
}
