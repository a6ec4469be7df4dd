package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/internal/testkit"
)

// scatteredRun returns a run of so many topics, and the same documents with the last line of the
// first topic at the end.
func scatteredRun(topics int) (together, scattered string) {
	var b strings.Builder
	for topic := range topics {
		for d := range 50 {
			fmt.Fprintf(&b, "%d Q0 document-with-a-long-name-%d %d %d r\n", topic, d, d, 100-d)
		}
	}
	together = b.String()
	lines := strings.SplitAfter(together, "\n")
	return together, strings.Join(lines[:49], "") + strings.Join(lines[50:], "") + lines[49]
}

// A run is measured topic by topic, and whole where the lines of a topic do not stand together,
// with the same results; also from a pipe.
func TestScatteredRuns(t *testing.T) {
	together, scattered := scatteredRun(2000) // more than a piece
	var judged strings.Builder
	for topic := range 2000 {
		fmt.Fprintf(&judged, "%d 0 document-with-a-long-name-%d 1\n", topic, topic%60)
	}
	qrels := writeTemp(t, "qrels.txt", judged.String())
	for _, args := range [][]string{
		{"trec-eval", "-q", "-m", "all_trec", qrels},
		{"eval", "--per-query", "--qrels", qrels, "--run"},
	} {
		t.Run(testkit.CaseName(args...), func(t *testing.T) {
			if testing.Short() && args[0] == "eval" {
				return // on emulated processors
			}
			read := func(stdin, path string) string { return succeed(t, stdin, append(args, path)...) }
			want := read("", writeTemp(t, "run.txt", together))
			for name, got := range map[string]string{
				"file":    read("", writeTemp(t, "run.txt", scattered)),
				"pipe":    read(scattered, "-"),
				"gzipped": read(testkit.Gzip(scattered), "-"),
				"sorted":  read(together, "-"),
			} {
				if got != want {
					t.Errorf("%s of %s: other results", args[0], name)
				}
			}
		})
	}
}

// An interrupt ends the wait for a pipe.
func TestInterruptedRun(t *testing.T) {
	qrels := writeTemp(t, "qrels.txt", "1 0 a 1\n")
	r, w := io.Pipe()
	defer w.Close()
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		io.WriteString(w, "1 Q0 a 1 1 r\n")
		cancel()
	}()
	var stderr strings.Builder
	code := run(ctx, []string{"trec-eval", qrels, "-"}, r, io.Discard, &stderr)
	if code != exitFailure || stderr.String() != "simdrank: interrupted\n" {
		t.Errorf("exit %d, %q", code, stderr.String())
	}
}

// Judgments and runs of JSON, as ranx writes them, are read where those of TREC are.
func TestJSONRuns(t *testing.T) {
	qrels := writeTemp(t, "qrels.txt", "1 0 a 2\n1 0 b 1\n1 0 c 0\n2 0 a 1\n")
	qrelsJSON := writeTemp(t, "qrels.json", `{"1": {"a": 2, "b": 1, "c": 0}, "2": {"a": 1}}`)
	run := writeTemp(t, "mine.json", "1 Q0 c 1 3 mine\n1 Q0 b 2 2 mine\n1 Q0 a 3 1 mine\n2 Q0 a 4 0 mine\n")
	runJSON := writeTemp(t, "mine.json", testkit.Gzip(`{"1": {"c": 3, "b": 2.0, "a": 1}, "2": {"a": 0}}`))
	for _, args := range [][]string{
		{"trec-eval", "-q", "Q", "R"},
		{"eval", "--qrels", "Q", "--run", "R"},
		{"compare", "--qrels", "Q", "R", "R"},
		{"fuse", "R", "R", "--tune", "Q", "--metric", "map", "--method", "combsum", "--run-name", "x"},
	} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			with := func(q, r string) string {
				named := make([]string, len(args))
				for i, arg := range args {
					named[i] = map[string]string{"Q": q, "R": r}[arg]
					if named[i] == "" {
						named[i] = arg
					}
				}
				code, stdout, stderr := simdrank(t, "", named...)
				if code != exitOK {
					t.Fatal(stderr)
				}
				return stdout
			}
			if got, want := with(qrelsJSON, runJSON), with(qrels, run); got != want {
				t.Errorf("%s: %s\nwant\n%s", args[0], got, want)
			}
		})
	}
	bad := writeTemp(t, "bad.json", "{\"1\":\n{\"a\": \"x\"}}")
	place := bad + ":2:7: topic 1: document a: "
	fail(t, exitFailure, "", []string{"trec-eval", qrels, bad}, place+"the score is not a finite number")
	fail(t, exitFailure, "", []string{"trec-eval", bad, run}, place+"the relevance is not an integer")
	fail(t, exitFailure, "", []string{"trec-eval", "-R", "prefs", qrelsJSON, run}, qrelsJSON+":1:13: ")
}
