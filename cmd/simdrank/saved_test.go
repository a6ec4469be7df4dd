package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestSavedResults compares saved results with each other, with runs and with scores.
func TestSavedResults(t *testing.T) {
	judgments, good, bad := gateFiles(t)
	saved := filepath.Join(t.TempDir(), "saved.json.gz")
	evaluate := []string{"eval", "--qrels", judgments, "--run", good, "--metric", "mrr,map"}
	if got, want := succeed(t, "", append(evaluate, "--save", saved)...), succeed(t, "", evaluate...); got != want {
		t.Errorf("--save prints %s, want %s", got, want)
	}
	args := []string{"compare", "--metric", "mrr", "--interval", "student", "--format", "csv"}
	against := func(base string) string {
		got := succeed(t, "", append(args, "--qrels", judgments, base, bad)...)
		return strings.ReplaceAll(got, filepath.Base(base), "base")
	}
	if got, want := against(saved), against(good); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	only := succeed(t, "", "compare", saved, saved, "--interval", "student")
	if !strings.Contains(only, "mrr     map\n") || !strings.Contains(only, "saved.json.gz  1.0000  1.0000") {
		t.Errorf("only saved results: %s", only)
	}
	code, _, stderr := simdrank(t, "", append(args, "--qrels", judgments, saved, bad, "--fail-if", "mrr<-.4")...)
	if code != exitGate || !strings.Contains(stderr, "bad differs from saved.json.gz by -0.5 in mrr") {
		t.Errorf("exit %d, %s", code, stderr)
	}

	// The queries of data are in another order than the saved ones.
	data := writeTemp(t, "data.txt", "1 qid:a 1:1\n0 qid:a 1:2\n0 qid:b 1:1\n1 qid:b 1:2\n")
	reversed := writeTemp(t, "reversed.txt", "0 qid:b 1:1\n1 qid:b 1:2\n1 qid:a 1:1\n0 qid:a 1:2\n")
	other := writeTemp(t, "other.txt", "1 qid:a 1:1\n0 qid:a 1:2\n0 qid:c 1:1\n1 qid:c 1:2\n")
	scores := writeTemp(t, "scores", "2\n1\n2\n1\n")
	letor := filepath.Join(t.TempDir(), "letor.json")
	succeed(t, "", "eval", "-d", data, "-s", scores, "--metric", "mrr", "--save", letor)
	got := succeed(t, "", append(args, "-d", reversed, scores, letor, "--per-query")...)
	const want = "query,metric,system,value,difference\nb,mrr,scores,0.5,\nb,mrr,letor.json,0.5,0\n" +
		"a,mrr,scores,1,\na,mrr,letor.json,1,0\n"
	if got != want {
		t.Errorf("%s, want %s", got, want)
	}
	fail(t, exitUsage, "", []string{"eval", "-d", data, "-s", scores, "--save", "-"},
		"--save and --output must be different files")

	for _, c := range []struct {
		code       int
		args, want string
	}{
		{exitFailure, "-d " + other + " --metric mrr " + letor + " " + scores,
			`the queries differ: 1 of 2 queries of ` + scores + ` are not in ` + letor + ` (for example "c"); 1 of 2`},
		{exitFailure, "-d " + data + " --metric map " + letor + " " + scores,
			letor + " has no values of map; its metrics are mrr (use --metric to select them)"},
		{exitFailure, "-d " + data + " --metric mrr --ties stable " + letor + " " + scores,
			letor + " was evaluated with --ties average, but this command evaluates with --ties stable"},
		{exitFailure, letor + " " + saved,
			saved + " was evaluated with --preset trec_eval, but " + letor + " was evaluated with --preset none"},
		{exitUsage, letor + " " + scores, "compare requires --data (-d)"},
		{exitUsage, letor + " none", "compare requires --data (-d)"},
		{exitUsage, letor + " " + letor + " --ties stable", "--ties cannot be combined with saved results"},
		{exitUsage, letor + " " + letor + " --gather", "--gather cannot be combined with saved results"},
		{exitUsage, letor + " " + letor + " --metric mrrr", `metric "mrrr": the name is unknown`},
		{exitUsage, letor + " " + letor + " --fail-if map<0", "requires --metric map"},
	} {
		t.Run(c.want, func(t *testing.T) {
			fail(t, c.code, "", append([]string{"compare"}, strings.Fields(c.args)...), c.want)
		})
	}
	fail(t, exitUsage, "", []string{"eval", "-d", data, "-s", scores, "--save", data}, "would replace the input")
}
