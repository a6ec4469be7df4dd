package main

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestPreferences(t *testing.T) {
	data := writeTemp(t, "d.txt", "qid:1 1:0.1 #docid = a\nqid:1 1:0.9 #docid = b\n"+
		"qid:2 1:0.1\nqid:2 1:0.1\nqid:2 1:0.9 #docid = c\nqid:2 1:0.9\n")
	valid := writeTemp(t, "v.txt", "1 qid:1 1:0.3\n0 qid:1 1:0.5\n")
	pairs := writeTemp(t, "p.txt", "1 b a\n1 a b 0.5\n")
	model := filepath.Join(t.TempDir(), "m.json")
	train := func(flags ...string) []string {
		return append([]string{"train", "-d", data, "--preferences", pairs, "-o", model}, flags...)
	}
	trees := []string{"--model", "lambdamart", "--min-rows", "1", "--min-hessian", "0", "--trees", "2"}
	for _, flags := range [][]string{nil, append(trees, "--objective", "pairwise", "--verbose")} {
		t.Run(strings.Join(flags, " "), func(t *testing.T) {
			succeed(t, "", train(flags...)...)
			if got := succeed(t, "", "info", "-m", model); !strings.Contains(got, "preferences") {
				t.Errorf("%s", got)
			}
			scores := strings.Fields(succeed(t, "", "predict", "-m", model, "-d", data))
			if len(scores) != 6 || scores[0] >= scores[1] { // both are positive or both are in ascending order as text
				t.Errorf("scores %q", scores)
			}
		})
	}
	for _, c := range []struct {
		want  string
		flags []string
	}{
		{"--preferences requires --objective pairwise", trees},
		{"--preferences requires --model ranksvm or lambdamart", []string{"--model", "ridge"}},
		{"--pair-weights cannot be combined with --preferences", []string{"--pair-weights", "gain"}},
		{"--truncation cannot be combined with --preferences",
			append(trees, "--objective", "pairwise", "--truncation", "5")},
		{"--position-bias pairwise cannot be combined with --preferences",
			append(trees, "--objective", "pairwise", "--position-bias", "pairwise")},
		{"--c-path with --preferences requires --valid", []string{"--c-path", "1,2"}},
		{"--report with --preferences requires --valid", []string{"--report", "r.html"}},
	} {
		t.Run(c.want, func(t *testing.T) { fail(t, exitUsage, "", train(c.flags...), c.want) })
	}
	fail(t, exitFailure, "", train("--valid", valid), "d.txt")
	pairs = writeTemp(t, "q.txt", "1 b a\n1 b x\n")
	fail(t, exitFailure, "", train(), `q.txt:2:5: document "x" is not in query "1"`)
}
