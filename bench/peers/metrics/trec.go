package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/simdrank/simdrank/bench/peers/internal/peer"
)

// trecMeasures are the arguments that select eight measures of trec_eval. runs.py prints the same.
var trecMeasures = []string{"map", "recip_rank", "P.10", "recall.1000", "Rprec", "bpref", "ndcg", "ndcg_cut.10"}

// A trecCase is a way to measure a run with simdrank and trec_eval.
type trecCase struct {
	what         string
	ours, theirs []string // arguments before the file names
}

func trecCases() []trecCase {
	var measures []string
	for _, m := range trecMeasures {
		measures = append(measures, "-m", m)
	}
	return []trecCase{
		{"`eval`, 8 measures", []string{"eval", "--metric", strings.Join(trecMeasures, ",")}, measures},
		{"`trec-eval`, official measures", []string{"trec-eval"}, nil},
		{"`trec-eval -m all_trec`", []string{"trec-eval", "-m", "all_trec"}, []string{"-m", "all_trec"}},
	}
}

// tools are the Python packages, with the environment variable for the number of threads.
var tools = []struct{ name, threads string }{{"pytrec_eval", ""}, {"ir_measures", ""}, {"ranx", "NUMBA_NUM_THREADS"}}

// A trecRun is a run of many lines with judgments. Rows time whole processes, which must print the
// same values.
type trecRun struct {
	t           *peer.Table
	command     string // simdrank's
	qrels, run  string
	description string
}

// newRun writes a run of 1000 documents per topic.
func newRun(ctx context.Context, t *peer.Table, dir string, topics int) trecRun {
	r := trecRun{t, peer.Command(ctx, dir), filepath.Join(dir, "qrels"), filepath.Join(dir, "run"),
		fmt.Sprintf("run of %dk lines", topics)}
	writeTREC(r.qrels, r.run, topics, 1000)
	return r
}

// compare prints a row of a peer's command.
func (r trecRun) compare(ctx context.Context, c trecCase, program peer.Program, threads int, env []string,
	name string, args ...string) {
	files := []string{r.qrels, r.run}
	if c.ours[0] == "eval" {
		files = []string{"--qrels", r.qrels, "--run", r.run}
	}
	ourEnv := []string{fmt.Sprintf("GOMAXPROCS=%d", threads)}
	_, ours := peer.Run(ctx, ourEnv, r.command, slices.Concat(c.ours, files)...)
	args = append(slices.Clip(args), r.qrels, r.run)
	_, theirs := peer.Run(ctx, env, name, args...)
	sameMeasures(string(ours), string(theirs))
	seconds := func(s float64, _ []byte) float64 { return s }
	r.t.Compare(peer.Row{What: r.description + ", " + c.what, Program: program, Threads: threads,
		Ours: func() float64 { return seconds(peer.Run(ctx, ourEnv, r.command, slices.Concat(c.ours, files)...)) },
		Peer: func() float64 { return seconds(peer.Run(ctx, env, name, args...)) }})
}

// compareTool prints the rows of a Python package.
func (r trecRun) compareTool(ctx context.Context, tool, threadsVariable string) {
	python := peer.Python(ctx, "bench/peers/metrics/peer.py")
	program := python.Program(tool, tool)
	peer.Check(python.Close())
	for threads := 1; threads <= min(2, runtime.NumCPU()) && (threads == 1 || threadsVariable != ""); threads++ {
		var env []string
		if threadsVariable != "" {
			env = []string{fmt.Sprintf("%s=%d", threadsVariable, threads)}
		}
		r.compare(ctx, trecCases()[0], program, threads, env, os.Getenv("PEERS_PYTHON"), "bench/peers/metrics/runs.py",
			tool)
	}
}

// trecRows compares simdrank's command with other programs on a run of a million lines.
func trecRows(ctx context.Context, t *peer.Table, dir string) {
	topics, pairs := 1000, 500
	if t.Quick {
		topics, pairs = 20, 100
	}
	run := newRun(ctx, t, dir, topics)
	for _, tool := range tools {
		if t.Quick && tool.name == "ranx" {
			continue // it compiles for up to minutes
		}
		run.compareTool(ctx, tool.name, tool.threads)
	}
	trecEval := os.Getenv("TREC_EVAL")
	if trecEval == "" {
		t.NotHere(run.description+": trec_eval", "TREC_EVAL")
		return
	}
	version := strings.Fields(string(peer.Must(exec.CommandContext(ctx, trecEval, "--version").CombinedOutput())))
	program := peer.Program{Peer: "trec_eval", Version: version[len(version)-1], Kernels: "none"}
	for _, c := range trecCases() {
		run.compare(ctx, c, program, 1, nil, trecEval, c.theirs...)
	}
	differ := samePairs(ctx, run.command, dir, pairs)
	t.Print(fmt.Sprintf("trec-eval, %d generated pairs: the same output", pairs), fmt.Sprint(pairs-differ),
		fmt.Sprint(pairs), float64(pairs-differ)/float64(pairs), 1)
}

// growth compares runs of 100k to 100M lines. The largest ones need 10 GB of disk space.
func growth(ctx context.Context, t *peer.Table, dir string) {
	sizes := []int{100, 1000, 10_000, 100_000}
	if t.Quick {
		sizes = []int{10, 100}
	}
	t.Rounds = 1
	for _, topics := range sizes {
		if !peer.Fits(300 * 1000 * float64(topics)) {
			fmt.Printf("%dk lines: skipped, because this machine has too little memory\n", topics)
			continue
		}
		newRun(ctx, t, dir, topics).compareTool(ctx, "pytrec_eval", "")
	}
}

// samePairs returns the number of cases from treceval.py for which simdrank's output differs from
// trec_eval's. If trec_eval rejects a case, simdrank must reject it, too.
func samePairs(ctx context.Context, command, dir string, pairs int) (differ int) {
	_, out := peer.Run(ctx, nil, os.Getenv("PEERS_PYTHON"), "bench/peers/metrics/treceval.py", fmt.Sprint(pairs), "2")
	var cases []struct {
		Flags      []string
		Qrels, Run string
		Output     *string
	}
	peer.Check(json.Unmarshal(out, &cases))
	qrels, run := filepath.Join(dir, "pair.qrels"), filepath.Join(dir, "pair.run")
	for _, c := range cases {
		peer.Check(os.WriteFile(qrels, []byte(c.Qrels), 0o600))
		peer.Check(os.WriteFile(run, []byte(c.Run), 0o600))
		args := slices.Concat([]string{"trec-eval"}, c.Flags, []string{qrels, run})
		var printed []byte
		err := peer.Catch(func() { _, printed = peer.Run(ctx, nil, command, args...) })
		lines := slices.DeleteFunc(strings.SplitAfter(string(printed), "\n"), func(line string) bool {
			return strings.HasPrefix(line, "rbp") && !strings.HasPrefix(line, "rbp_resid")
		})
		if (err != nil) != (c.Output == nil) || err == nil && strings.Join(lines, "") != *c.Output {
			fmt.Fprintf(os.Stderr, "differs from trec_eval: %v of\n%s\nand\n%s\n", c.Flags, c.Qrels, c.Run)
			differ++
		}
	}
	return differ
}

// sameMeasures reports a line of a peer's output that simdrank's output does not contain.
func sameMeasures(ours, theirs string) {
	printed := map[string]bool{}
	for line := range strings.Lines(ours) {
		printed[strings.Join(strings.Fields(line), " ")] = true
	}
	for line := range strings.Lines(theirs) {
		if line = strings.Join(strings.Fields(line), " "); !printed[line] && !strings.HasPrefix(line, "rbp ") {
			panic(fmt.Errorf("the peer prints %q, but simdrank prints:\n%s", line, ours))
		}
	}
}

// writeTREC writes judgments of 100 documents per topic, of which half are retrieved, and a run
// that is sorted by score.
func writeTREC(qrelsPath, runPath string, topics, docs int) {
	rng := rand.New(rand.NewPCG(1, 2))
	qrels := peer.Must(os.Create(qrelsPath))
	defer qrels.Close()
	run := peer.Must(os.Create(runPath))
	defer run.Close()
	q, r := bufio.NewWriter(qrels), bufio.NewWriter(run)
	for topic := range topics {
		score := 20.0
		for rank := range docs {
			id := fmt.Sprintf("clueweb09-en%04d-%02d-%05d", rng.IntN(10000), topic%100, rank)
			score -= rng.ExpFloat64() / 100
			fmt.Fprintf(r, "%d Q0 %s %d %.6f simdrank\n", topic+1, id, rank+1, score)
			if rank%20 == 0 {
				fmt.Fprintf(q, "%d 0 %s %d\n%d 0 missed-%d %d\n", topic+1, id, rng.IntN(3), topic+1, rank, rng.IntN(3))
			}
		}
	}
	for _, w := range []*bufio.Writer{q, r} {
		peer.Check(w.Flush())
	}
	peer.Check(qrels.Close())
	peer.Check(run.Close())
}
