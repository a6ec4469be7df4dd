package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/simdrank/simdrank/internal/testkit"
	"github.com/simdrank/simdrank/rank"
)

// The words of flags are the names of the library's values.
func TestWordsOf(t *testing.T) {
	for _, c := range []struct {
		got         []string
		n           int
		first, last string
	}{
		{rank.OptionWords("loss"), 3, "squared-hinge", "logistic"},
	} {
		if len(c.got) != c.n || c.got[0] != c.first || c.got[c.n-1] != c.last || slices.Contains(c.got, "") {
			t.Errorf("%q, want %d words from %s to %s", c.got, c.n, c.first, c.last)
		}
	}
}

func TestEvalHelpListsMetrics(t *testing.T) {
	help := strings.Join(strings.Fields(succeed(t, "", "eval", "--help")), " ")
	if want := "these metrics: " + strings.Join(rank.MetricNames(), ", ") + "."; !strings.Contains(help, want) {
		t.Errorf("the help lacks %q: %s", want, help)
	}
}

// Equal scores in the order of document ids, descending, as --ties key and --preset trec_eval ask
// for; data without ids are refused.
func TestEvalTiesByID(t *testing.T) {
	const rows = "1 qid:1 1:1 # docid = a\n0 qid:1 1:1 # docid = b\n"
	data := writeTemp(t, "data.txt", rows)
	nameless := writeTemp(t, "nameless.txt", strings.ReplaceAll(rows, "docid", "id"))
	scores := writeTemp(t, "scores.txt", "0\n0\n")
	for flags, want := range map[string]string{
		"--ties key":                             "0.5000",
		"--preset trec_eval":                     "0.5000",
		"--preset trec_eval --ties stable":       "1.0000",
		"--ties average":                         "0.7500",
		"--preset sklearn --ties key":            "0.5000",
		"--preset trec_eval9 --empty skip":       "0.5000",
		"--preset trec_eval --ties pessimistic ": "0.5000",
	} {
		t.Run(flags, func(t *testing.T) {
			args := append([]string{"eval", "-s", scores, "-d", data, "--metric", "mrr"}, strings.Fields(flags)...)
			if got := succeed(t, "", args...); !strings.Contains(got, want) {
				t.Errorf("%s, want %s", got, want)
			}
		})
	}
	for flags, want := range map[string]string{
		"--ties key":                      "--ties key breaks ties by document ID",
		"--preset trec_eval9":             "--preset trec_eval9 breaks ties by document ID",
		"--preset trec_eval --empty zero": "--preset trec_eval breaks ties by document ID",
	} {
		t.Run(flags, func(t *testing.T) {
			args := append([]string{"eval", "-s", scores, "-d", nameless, "--metric", "mrr"}, strings.Fields(flags)...)
			fail(t, exitFailure, "", args, nameless+": "+want, "use another value of --ties")
		})
	}
	succeed(t, "", "eval", "-s", scores, "-d", nameless, "--preset", "trec_eval", "--ties", "stable")
}

// Scores stand in the order of the lines of the data, also where queries are gathered: predict
// writes them so, and eval and compare take them so.
func TestScoresByLine(t *testing.T) {
	data := writeTemp(t, "data.txt", "1 qid:1 1:3\n# a line of comment\n0 qid:2 1:5\n0 qid:1 1:1\n\n1 qid:2 1:4\n")
	model := writeTemp(t, "model.json", `{"format":"simdrank-linear","version":1,"intercept":0,"weights":[1]}`)
	got := succeed(t, "", "predict", "-m", model, "-d", data, "--gather")
	if got != "3\n5\n1\n4\n" {
		t.Errorf("predict: %q, want the lines in order", got)
	}
	scores := writeTemp(t, "scores.txt", got)
	for _, args := range [][]string{
		{"eval", "-d", data, "--gather", "--per-query", "--metric", "mrr"},
		{"compare", "-d", data, "--gather", "--metric", "mrr"},
	} {
		t.Run(testkit.CaseName(args...), func(t *testing.T) {
			byModel, byScores := append(args, "-m", model), append(args, "-s", scores)
			if args[0] == "compare" {
				byModel, byScores = append(args, model, model), append(args, scores, scores)
			}
			a, b := succeed(t, "", byModel...), succeed(t, "", byScores...)
			if b = strings.ReplaceAll(b, "scores.txt", "model.json"); a != b || !strings.Contains(a, "0.75") {
				t.Errorf("%s of the model: %s, of its scores: %s", args[0], a, b)
			}
		})
	}
}

// Flags for the input format are rejected if runs are evaluated.
func TestDialectOfRuns(t *testing.T) {
	run := writeTemp(t, "run.txt", "1 Q0 a 1 1 r\n")
	qrels := writeTemp(t, "qrels.txt", "1 0 a 1\n")
	cmd := new(cobra.Command)
	addDialectFlags(cmd)
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		value := cmp.Or(f.DefValue, "|")
		flag := fmt.Sprintf("--%s=%s", f.Name, value)
		for _, args := range [][]string{{"eval", "--run", run}, {"compare", run, run}} {
			fail(t, exitUsage, "", append(args, "--qrels", qrels, flag), "--"+f.Name, " cannot be combined with --")
		}
	})
}
