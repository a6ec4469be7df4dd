// Command metrics compares NDCG on each tier and one thread with numpy, xgboost and scikit-learn on
// the same arrays, and a randomization test with numpy. It checks that the values agree. It also
// compares simdrank's command on a TREC run with trec_eval, if the environment variable TREC_EVAL
// is its path.
package main

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/simdrank/simdrank/bench/peers/internal/peer"
	"github.com/simdrank/simdrank/internal/cpu"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/compare"
)

// A set contains n documents for each query, with labels from 0 to 4 and normally distributed
// float32 scores. The scores of a query are distinct.
type set struct {
	name       string
	queries, n int
	labels     []uint8
	scores     []float32
}

// A comparison contains the minimum ratio for each tier. neon uses the target of avx2.
type comparison struct {
	set    string
	k      int
	peer   string
	target map[cpu.Tier]float64
}

func targets(avx512, avx2, generic float64) map[cpu.Tier]float64 {
	return map[cpu.Tier]float64{cpu.AVX512: avx512, cpu.AVX2: avx2, cpu.NEON: avx2, cpu.Generic: generic}
}

var comparisons = []comparison{
	{"a", 10, "numpy", targets(22, 18, 3)},
	{"a", 10, "xgboost", targets(55, 45, 8)},
	{"a", 10, "sklearn", targets(280, 230, 40)},
	{"a", 0, "numpy", targets(22, 12, 5)},
	{"a", 0, "xgboost", targets(26, 14, 6)},
	{"b", 10, "numpy", nil},
	{"b", 0, "numpy", nil},
	{"c", 10, "numpy", targets(90, 80, 8)},
	{"c", 0, "numpy", targets(15, 9, 8)},
}

func main() { peer.Main("metrics", run) }

func run(ctx context.Context, t *peer.Table) {
	dir := peer.Must(os.MkdirTemp("", "metrics"))
	defer os.RemoveAll(dir)
	trecRows(ctx, t, dir)
	python := peer.Start(ctx, nil, "/usr/bin/python3", "bench/peers/metrics/peer.py")
	randomizationRows(t, python, dir)
	sets := []set{{name: "a", queries: 10_000, n: 120}, {name: "b", queries: 1000, n: 1000},
		{name: "c", queries: 1, n: 1_000_000}}
	if t.Quick {
		sets[0].queries = 1500
		sets[1].queries = 100
	}
	for _, s := range sets {
		s.fill()
		s.write(dir)
		versions := python.Call("load %s %d %d", dir, s.queries, s.n)
		t.Heading(fmt.Sprintf("%s: %d queries × %d (numpy %s, sklearn %s, xgboost %s)", s.name, s.queries, s.n,
			versions[0], versions[1], versions[2]), "ours", "peer")
		for _, c := range comparisons {
			if c.set != s.name {
				continue
			}
			for _, tier := range cpu.Available() {
				compareNDCG(t, python, &s, c, tier)
			}
		}
	}
	peer.Check(python.Close())
}

// randomizationRows times a randomization test, and compares two threads with one.
func randomizationRows(t *peer.Table, python *peer.Process, dir string) {
	const queries = 10_000
	rounds := 100_000
	if t.Quick {
		rounds = 40_000
	}
	rng := rand.New(rand.NewPCG(3, 4))
	d, zeros := make([]float64, queries), make([]float64, queries)
	for i := range d {
		d[i] = 0.002 + 0.2*rng.NormFloat64()
	}
	writeFloats(filepath.Join(dir, "differences"), d)
	version := python.Call("differences %s", dir)
	var p float64
	ours := func(threads int) func() float64 {
		return func() float64 {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(threads))
			return peer.Time(20*time.Millisecond, func() {
				p = peer.Must(compare.Values(context.Background(), [][]float64{zeros, d},
					compare.Options{Interval: "student", Rounds: rounds, Seed: 1}))[1][0].P
			})
		}
	}
	t.Heading(fmt.Sprintf("randomization, %d queries × %d rounds (numpy %s)", queries, rounds, version[0]), "ours",
		"peer")
	for _, c := range []struct {
		kind   string
		target float64
	}{{"signs", 10}, {"bits", 0}} {
		t.Compare(peer.Row{What: "numpy, " + c.kind + ", 1T", Target: c.target, Ours: ours(1),
			Peer: func() float64 {
				theirs := python.Floats("%s %d", c.kind, rounds)
				if off := math.Abs(theirs[1] - p); off > 6*math.Sqrt(2*p*(1-p)/float64(rounds)) {
					panic(fmt.Errorf("the p-value is %v in simdrank and %v in the peer", p, theirs[1]))
				}
				return theirs[0]
			}})
	}
	if runtime.NumCPU() > 1 {
		t.Compare(peer.Row{What: "2T: 1T", Target: 1.8, Ours: ours(2), Peer: ours(1)})
	}
}

func writeFloats(path string, values []float64) {
	var bytes []byte
	for _, v := range values {
		bytes = binary.LittleEndian.AppendUint64(bytes, math.Float64bits(v))
	}
	peer.Check(os.WriteFile(path, bytes, 0o600))
}

func (s *set) fill() {
	rng := rand.New(rand.NewPCG(uint64(s.queries), uint64(s.n)))
	s.labels, s.scores = make([]uint8, s.queries*s.n), make([]float32, s.queries*s.n)
	for q := range s.queries {
		labels, scores := s.labels[q*s.n:][:s.n], s.scores[q*s.n:][:s.n]
		for i, p := range rng.Perm(s.n) {
			labels[i] = uint8(rng.IntN(5))
			scores[i] = float32(math.Erfinv(2*(float64(p)+.5)/float64(s.n) - 1))
		}
	}
}

func (s *set) write(dir string) {
	peer.Check(os.WriteFile(filepath.Join(dir, "labels"), s.labels, 0o600))
	bytes := make([]byte, 0, 4*len(s.scores))
	for _, v := range s.scores {
		bytes = binary.LittleEndian.AppendUint32(bytes, math.Float32bits(v))
	}
	peer.Check(os.WriteFile(filepath.Join(dir, "scores"), bytes, 0o600))
}

// compareNDCG checks that the means of both sides agree, and times them.
func compareNDCG(t *peer.Table, python *peer.Process, s *set, c comparison, tier cpu.Tier) {
	defer cpu.Force(tier)()
	name, preset := "ndcg", "xgboost"
	if c.k > 0 {
		name = fmt.Sprintf("ndcg@%d", c.k)
	}
	if c.peer == "sklearn" {
		preset = "sklearn"
	}
	e := peer.Must(rank.NewEvaluator(name, rank.Options{Preset: preset}))
	var value [1]float64
	var mean float64
	evaluate := func() {
		sum := 0.0
		for lo := 0; lo < len(s.labels); lo += s.n {
			peer.Must(e.AppendValuesOfGrades(value[:0], s.labels[lo:lo+s.n], s.scores[lo:lo+s.n]))
			sum += value[0]
		}
		mean = sum / float64(s.queries)
	}
	evaluate()
	theirs := python.Floats("%s %d", c.peer, c.k)
	what := fmt.Sprintf("%s, %s: %s, %v", name, s.name, c.peer, tier)
	if len(theirs) != 2 || math.Abs(theirs[1]-mean) > 1e-12 {
		panic(fmt.Errorf("%s: the mean is %.17g in simdrank and %v in the peer", what, mean, theirs[1:]))
	}
	t.Compare(peer.Row{
		What: what, Target: c.target[tier],
		Ours: func() float64 { return peer.Time(20*time.Millisecond, evaluate) },
		Peer: func() float64 { return python.Seconds("%s %d", c.peer, c.k) },
	})
}

// trecMeasures are the arguments that select eight measures of trec_eval.
var trecMeasures = []string{"map", "recip_rank", "P.10", "recall.1000", "Rprec", "bpref", "ndcg", "ndcg_cut.10"}

// trecTargets are the minimum ratios of trec_eval's time to simdrank's, with one and two threads.
// The times include the start of the process and reading.
var trecTargets = [2]float64{8, 12}

// A trecCase is a way to measure a run with both programs.
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
		{"eval, 8 measures", []string{"eval", "--metric", strings.Join(trecMeasures, ",")}, measures},
		{"trec-eval, official", []string{"trec-eval"}, nil},
		{"trec-eval, all_trec", []string{"trec-eval", "-m", "all_trec"}, []string{"-m", "all_trec"}},
	}
}

// trecRows compares simdrank's command with trec_eval on a run of a million lines. It times whole
// processes, which must print the same values. It also compares their outputs for generated files.
func trecRows(ctx context.Context, t *peer.Table, dir string) {
	topics, docs, pairs := 1000, 1000, 500
	if t.Quick {
		topics, pairs = 200, 100
	}
	trecEval := peer.NewRival(ctx, "TREC_EVAL", dir)
	version := "trec_eval"
	if trecEval.Program != "" {
		out := peer.Must(exec.CommandContext(ctx, trecEval.Program, "--version").CombinedOutput())
		version = strings.TrimSpace(string(out))
	}
	t.Heading(fmt.Sprintf("simdrank, TREC run of %d lines (%s)", topics*docs, version), "ours", "peer")
	type variant struct {
		trecCase
		tier    cpu.Tier
		threads int
	}
	var variants []variant
	for _, c := range trecCases() {
		for _, tier := range cpu.Available() {
			if tier == cpu.Active() || c.ours[0] == "eval" {
				variants = append(variants, variant{c, tier, 1})
			}
		}
		if runtime.NumCPU() > 1 {
			variants = append(variants, variant{c, cpu.Active(), 2})
		}
	}
	what := func(v variant) string { return fmt.Sprintf("%s, %v, %dT: trec_eval", v.what, v.tier, v.threads) }
	same := fmt.Sprintf("trec-eval, %d generated pairs: the same output", pairs)
	if trecEval.Program == "" {
		for _, v := range variants {
			t.NotHere(what(v), trecEval.Variable)
		}
		t.NotHere(same, trecEval.Variable)
		return
	}

	qrels, run := filepath.Join(dir, "qrels"), filepath.Join(dir, "run")
	writeTREC(qrels, run, topics, docs)
	for _, v := range variants {
		env := []string{fmt.Sprintf("GOMAXPROCS=%d", v.threads), fmt.Sprintf("SIMDRANK_CPU=%v", v.tier)}
		files := []string{qrels, run}
		if v.ours[0] == "eval" {
			files = []string{"--qrels", qrels, "--run", run}
		}
		var oursPrinted, theirsPrinted []byte
		t.Compare(peer.Row{
			What: what(v), Target: trecTargets[v.threads-1],
			Ours: func() (seconds float64) {
				seconds, oursPrinted = peer.Run(ctx, env, trecEval.Command, slices.Concat(v.ours, files)...)
				return seconds
			},
			Peer: func() (seconds float64) {
				seconds, theirsPrinted = peer.Run(ctx, nil, trecEval.Program,
					append(slices.Clip(v.theirs), qrels, run)...)
				return seconds
			},
		})
		sameMeasures(string(oursPrinted), string(theirsPrinted))
	}
	differ := samePairs(ctx, trecEval.Command, dir, pairs)
	t.Print(same, fmt.Sprint(pairs-differ), fmt.Sprint(pairs), float64(pairs-differ)/float64(pairs), 1)
}

// samePairs returns the number of cases from treceval.py for which simdrank's output differs from
// trec_eval's. If trec_eval rejects a case, simdrank must reject it, too.
func samePairs(ctx context.Context, command, dir string, pairs int) (differ int) {
	_, out := peer.Run(ctx, nil, "/usr/bin/python3", "bench/peers/metrics/treceval.py", fmt.Sprint(pairs), "2")
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

// sameMeasures reports a line of trec_eval's output that simdrank's output does not contain.
func sameMeasures(ours, theirs string) {
	printed := map[string]bool{}
	for line := range strings.Lines(ours) {
		printed[strings.Join(strings.Fields(line), " ")] = true
	}
	for line := range strings.Lines(theirs) {
		if line = strings.Join(strings.Fields(line), " "); !printed[line] && !strings.HasPrefix(line, "rbp ") {
			panic(fmt.Errorf("trec_eval prints %q, but simdrank prints:\n%s", line, ours))
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
