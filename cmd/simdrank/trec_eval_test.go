package main

import (
	"github.com/simdrank/simdrank/internal/testkit"
	"regexp"
	"strings"
	"testing"
)

// The flags reach the library, in the forms that scripts for trec_eval use.
func TestTrecEvalCommand(t *testing.T) {
	qrels := writeTemp(t, "qrels.txt", "1 0 a 2\n1 0 b 1\n1 0 c 0\n2 0 a 1\n")
	run := writeTemp(t, "run.txt", "1 Q0 c 1 3 r\n1 Q0 b 2 2 r\n1 Q0 a 3 1 r\n1 Q0 d 4 0 r\n")
	prefs := writeTemp(t, "prefs.txt", "1 u 0 a 1\n1 u 0 c 2\n")
	for flags, want := range map[string]string{
		"-c -m P.1,2":                         "P_1 all 0.0000|P_2 all 0.2500|",
		"-cqn -mP.2":                          "P_2 1 0.5000|P_2 2 0.0000|",
		"-cl2 -mP.4":                          "P_4 all 0.1250|",
		"-c -M2 -m num_ret":                   "num_ret all 2|",
		"-c -J -m num_ret":                    "num_ret all 3|",
		"-c -N 9 -m utility.0,0,0,1":          "utility_0,0,0,1 all 6.0000|",
		"--release 9 -m num_q":                "num_q all 1|",
		"-m runid --complete_rel_info_wanted": "runid all r|",
	} {
		t.Run(flags, func(t *testing.T) {
			got := warned(t, append(append([]string{"trec-eval"}, strings.Fields(flags)...), qrels, run),
				run+": 1 of 2 topics with judgments have no results")
			lines := ""
			for line := range strings.Lines(got) {
				lines += strings.Join(strings.Fields(line), " ") + "|"
			}
			if lines != want {
				t.Errorf("%s, want %s", lines, want)
			}
		})
	}
	got := succeed(t, "", "trec-eval", "-R", "prefs", "-m", "prefs_simp", prefs, run)
	if want := "prefs_simp            \tall\t1.0000\n"; got != want {
		t.Errorf("preferences: %q, want %q", got, want)
	}
	got = warned(t, []string{"trec-eval", "-cq", "-m", "map", "-m", "gm_map", "--format", "json", qrels, run})
	got = regexp.MustCompile(`(\.\d{4})\d+|\s`).ReplaceAllString(got, "$1")
	if want := `{"run":"r","all":{"gm_map":0.0024,"map":0.2916},"topics":[{"topic":"1","values":{"map":0.5833}},` +
		`{"topic":"2","values":{"map":0}}]}`; got != want {
		t.Errorf("JSON: %s, want %s", got, want)
	}
	text := "1 Q0 a 1 x r\n"
	for _, c := range []struct {
		args  []string
		stdin string
		code  int
		want  string
	}{
		{[]string{qrels}, "", exitUsage, "trec-eval requires two files, judgments and a run (found 1)"},
		{[]string{"-m", "bogus", qrels, run}, "", exitUsage, `--measure (-m): unknown measure "bogus"`},
		{[]string{"-l", "-1", qrels, run}, "", exitUsage, "--level_for_rel (-l) -1: must be at least 0"},
		{[]string{"-M", "0", qrels, run}, "", exitUsage, "--Max_retrieved_per_topic (-M) 0: must be at least 1"},
		{[]string{"-N", "-1", qrels, run}, "", exitUsage, "--Number_docs_in_coll (-N) -1: must be at least 0"},
		{[]string{"-", "-"}, "", exitUsage, "only one input can be standard input"},
		{[]string{qrels, run}, "", exitFailure, "the run contains no documents for the judged topic 2 (use -c to count it"},
		{[]string{qrels, "-"}, text, exitFailure, `standard input:1:10: the score is not a number: "x"`},
		{[]string{run, run}, "", exitFailure, run + ":1: found 6 fields; there must be 4"},
	} {
		t.Run(testkit.CaseName(c.args...), func(t *testing.T) {
			fail(t, c.code, c.stdin, append([]string{"trec-eval"}, c.args...), c.want)
		})
	}
}
