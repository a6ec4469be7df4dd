package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/rank/trec"
)

func TestInspect(t *testing.T) {
	judgments, run := writeTemp(t, "qrels", qrels), writeTemp(t, "run", runA+"q9 Q0 a 1 1 A\n")
	args := []string{"info", "--qrels", judgments, "--run", run}
	const want = `topics with judgments         3
  without results             1
  without relevant documents  0
topics in the run             3
  without judgments           1
documents of judged topics    5
  with tied scores            0 (0.0%)
duplicate judgments           0
duplicate documents           0

ranks      documents  judged      topics with a tie across the last rank
1 to 10    5          5 (100.0%)  0
1 to 100   5          5 (100.0%)  0
1 to 1000  5          5 (100.0%)  0
`
	if got := succeed(t, "", args...); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	got := decode[trec.Inspection](t, succeed(t, "", append(args, "--format", "json")...))
	if got.Unanswered != 1 || got.UnjudgedTopics != 1 || len(got.Cutoffs) != 3 || got.Cutoffs[2].K != 1000 {
		t.Errorf("JSON: %+v", got)
	}
	if got := succeed(t, "", append(args, "--format", "csv")...); !strings.Contains(got,
		"\ntopics_without_judgments,1\n") || !strings.Contains(got, "\ncutoffs.1.judged_documents,5\n") {
		t.Errorf("CSV: %s", got)
	}
	fail(t, exitUsage, "", []string{"info", "--qrels", judgments}, "--qrels and --run require each other")
	fail(t, exitUsage, "", []string{"info", "--run", run, "-d", run}, "--data cannot be combined with --run")
}

// TestInspectDuplicates inspects files that other commands reject.
func TestInspectDuplicates(t *testing.T) {
	judgments := writeTemp(t, "qrels", "q1 0 a 1\nq2 0 a 1\nq1 0 a 0\n")
	run := writeTemp(t, "run", "q2 Q0 a 1 3 A\nq1 Q0 a 1 3 A\nq1 Q0 a 2 2 A\nq2 Q0 a 2 2 A\nq2 Q0 a 2 3 A\n")
	firstJudgment := judgments + ":3: topic q1: the document is judged twice, first in line 1 "
	firstDocument := run + ":3: topic q1: the document is retrieved twice, first in line 2: "
	args := []string{"info", "--qrels", judgments, "--run", run, "--format"}
	for format, parts := range map[string][]string{
		"text": {"\n  with tied scores            0 (0.0%)\n",
			"\nduplicate judgments           1 in 1 topic, for example " + firstJudgment,
			"\nduplicate documents           3 in 2 topics, for example " + firstDocument + "\"a\"\n",
			"\n1 to 10    2          2 (100.0%)  0\n"},
		"json": {`"documents": 2,`, `"lines": 1,`, `"first": "` + firstJudgment, `"lines": 3,`, `"topics": 2,`,
			`"first": "` + firstDocument + `\"a\""`},
		"csv": {"\nduplicate_judgments.lines,1\n", "\nduplicate_documents.topics,2\n",
			"\nduplicate_documents.first,\"" + firstDocument},
	} {
		t.Run(format, func(t *testing.T) {
			got := succeed(t, "", append(args, format)...)
			for _, part := range parts {
				if !strings.Contains(got, part) {
					t.Errorf("%s\ndoes not contain %q", got, part)
				}
			}
		})
	}
	good := writeTemp(t, "good", "q1 0 a 1\n")
	fail(t, exitFailure, "", []string{"eval", "--qrels", judgments, "--run", run}, firstJudgment)
	fail(t, exitFailure, "", []string{"eval", "--qrels", good, "--run", run}, run, "is retrieved twice")
}

// TestSuspicions evaluates runs of 12 documents. All scores are equal, or few documents are judged.
func TestSuspicions(t *testing.T) {
	var deep, run, tied strings.Builder
	for i := range 12 {
		fmt.Fprintf(&deep, "1 0 d%02d 1\n1 0 other%[1]d 0\n", i)
		fmt.Fprintf(&run, "1 Q0 e%02d %d %d r\n", i, i, 20-i)
		fmt.Fprintf(&tied, "1 Q0 d%02d %d 1 r\n", i, i)
	}
	fmt.Fprint(&run, "1 Q0 d00 13 0 r\n")
	judgments, sparse := writeTemp(t, "deep", deep.String()), writeTemp(t, "sparse", "1 0 d00 1\n")
	foreign, equal := writeTemp(t, "run", run.String()), writeTemp(t, "tied", tied.String())
	const few = "only 0 of 10 documents at ranks 1 to 10 are judged"
	const ties = "in 1 of 1 topics, the documents at ranks 10 and 11 have equal scores"
	for _, c := range []struct{ name, qrels, run, want string }{
		{"unjudged", judgments, foreign, "simdrank: warning: " + foreign + ": " + few + "\n"},
		{"sparse", sparse, foreign, ""},
		{"tied", judgments, equal, "simdrank: warning: " + equal + ": " + ties + "\n"},
		{"all", writeTemp(t, "more", deep.String()+"2 0 d00 1\n"), equal, "simdrank: warning: " + equal + ": 1 of 2 " +
			"topics with judgments have no results and count as empty results (use --complete=false to skip them); " +
			ties + "\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			code, _, stderr := simdrank(t, "", "eval", "--qrels", c.qrels, "--run", c.run, "--metric", "map")
			if code != exitOK || stderr != c.want {
				t.Errorf("exit %d, stderr %q, want %q", code, stderr, c.want)
			}
		})
	}
}
