package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/internal/testkit"
	"github.com/simdrank/simdrank/rank/compare"
)

func TestCompare(t *testing.T) {
	dir := t.TempDir()
	train := writeTemp(t, "train.txt", letorText(t, part(0)))
	test := writeTemp(t, "test.txt", letorText(t, part(2)))
	weak, strong, scores := filepath.Join(dir, "weak.json"), filepath.Join(dir, "strong.json.gz"),
		filepath.Join(dir, "scores")
	if err := os.WriteFile(weak,
		[]byte(`{"format":"simdrank-linear","version":1,"intercept":0,"weights":[1,0,0,0,0,0,0,0]}`),
		0o666); err != nil {
		t.Fatal(err)
	}
	succeed(t, "", "train", "-d", train, "-o", strong)
	succeed(t, "", "predict", "-m", strong, "-d", test, "-o", scores)
	args := []string{"compare", "-d", test, weak, strong, scores, "--metric", "ndcg@10,tau-b", "--rounds", "2000"}

	c := decode[compare.Table](t, succeed(t, "", append(args, "--format", "json")...))
	if len(c.Systems) != 3 || c.Systems[0].Name != "weak.json" || c.Systems[1].Name != "strong.json.gz" ||
		c.Systems[2].Name != "scores" {
		t.Fatalf("systems: %+v", c.Systems)
	}
	for i, m := range c.Systems[1].Metrics {
		if m.Differences[0].Mean <= 0 || m.Differences[0].CorrectedP >= 0.05 || m.Differences[0].Stars() == "" {
			t.Errorf("%v: %+v", m.Metric, m.Differences)
		}
		if m.Differences[0] != c.Systems[2].Metrics[i].Differences[0] {
			t.Errorf("%v: a model and its scores differ: %+v, %+v", m.Metric, m.Differences,
				c.Systems[2].Metrics[i].Differences)
		}
	}
	for format, want := range map[string]string{
		"csv": "strong.json.gz,weak.json,ndcg@10,", "text": "strong.json.gz  0.",
		"markdown": "| strong.json.gz | 0.", "latex": `strong.json.gz & \textbf{0.`,
	} {
		t.Run(format, func(t *testing.T) {
			out := succeed(t, "", append(args, "--format", format)...)
			if !strings.Contains(out, want) || format != "csv" && !strings.Contains(out, "*") {
				t.Error(out)
			}
		})
	}
	if again := succeed(t, "", append(args, "--format", "json")...); again != succeed(t, "",
		append(args, "--format", "json")...) {
		t.Error("two runs with one seed differ")
	}

	all := succeed(t, "", append(args, "--all-pairs", "--correction", "tukey-hsd", "--interval", "student",
		"--power", "0.8", "--min-difference", "0.01")...)
	for _, want := range []string{"b  strong.json.gz  0.", "^a ", "\nscores          strong.json.gz  tau-b ", "HSD p",
		"find a difference of 0.01 at level 0.05 with power 0.8, - if 2^30 are not enough"} {
		if !strings.Contains(all, want) {
			t.Errorf("all pairs: want %q in %s", want, all)
		}
	}
	for flags, want := range map[string]string{
		"--power 1":                       "--power 1: ",
		"--power 0":                       "--power 0: ",
		"--min-difference 0.1":            "requires --power",
		"--power 0.8 --min-difference -1": "--min-difference -1: ",
		"--test t --correction tukey-hsd": "requires --test randomization, not t",
		"--correction sidak":              "must be holm, bonferroni or tukey-hsd",
		"--interval normal":               "must be bootstrap, student or none",
		"--power 0.8 --format latex":      "--power requires --format text, json or csv, not latex",
		"--test t --interval student":     "--rounds has no effect with",
	} {
		t.Run(flags, func(t *testing.T) {
			fail(t, exitUsage, "", append(slices.Clip(args), strings.Fields(flags)...), want)
		})
	}

	fail(t, exitUsage, "", []string{"compare", "-d", test, weak}, "at least two systems")
	fail(t, exitUsage, "", []string{"compare", weak, strong}, "requires --data (-d)")
	fail(t, exitUsage, "", []string{"compare", "-d", test, weak, strong, "--rounds", "0"}, "--rounds 0")
	fail(t, exitFailure, "", []string{"compare", "-d", test, weak, filepath.Join(dir, "none")}, "none: ")
	fail(t, exitFailure, "1\n2\n", []string{"compare", "-d", test, weak, "-"}, "2 scores, but")
}

const (
	qrels = "q1 0 a 1\nq1 0 b 0\nq1 0 c 1\nq2 0 a 0\nq2 0 d 2\nq3 0 a 1\n"
	runA  = "q1 Q0 a 1 3 A\nq1 Q0 b 2 2 A\nq1 Q0 c 3 1 A\nq2 Q0 d 1 9 A\nq2 Q0 a 2 8 A\n"
	runB  = "q1 Q0 b 1 3 B\nq1 Q0 a 2 2 B\nq2 Q0 a 1 9 B\nq2 Q0 d 2 8 B\nq3 Q0 a 1 1 B\n"
)

func TestEvalRun(t *testing.T) {
	judgments, run := writeTemp(t, "qrels", qrels), writeTemp(t, "run.gz", testkit.Gzip(runA))
	got := warned(t, []string{"eval", "--qrels", judgments, "--run", run, "--metric", "map,P_2,tau-b", "--per-query",
		"--complete=false"}, run+": 1 of 3 topics with judgments have no results and are skipped")
	// By hand: q1 has its relevant documents at ranks 1 and 3, q2 at 1; q3 is not answered.
	want := `map                   	q1	0.8333
P_2                   	q1	0.5000
tau-b                 	q1	0.0000
map                   	q2	1.0000
P_2                   	q2	0.5000
tau-b                 	q2	1.0000
runid                 	all	A
num_q                 	all	2
map                   	all	0.9167
P_2                   	all	0.5000
tau-b                 	all	0.5000
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	const uncounted = "1 of 3 topics with judgments have no results and count as empty results"
	complete := decode[evaluated](t, warned(t, []string{"eval", "--qrels", judgments, "--run", run, "--format", "json"},
		run+": "+uncounted+" (use --complete=false to skip them)\n"))
	if m := complete.Metrics["map"]; m.Counted != 3 || m.Mean < 0.61 || m.Mean > 0.612 {
		t.Errorf("complete: %+v", m)
	}

	type row = map[string]any
	perQuery := decode[struct{ Queries []row }](t,
		warned(t, strings.Fields("eval -q --metric P_2 --format json --qrels "+judgments+" --run "+run))).Queries
	if len(perQuery) != 3 || perQuery[1]["query"] != "q2" || perQuery[1]["precision@2"] != 0.5 {
		t.Errorf("per query: %v", perQuery)
	}

	table := warned(t, []string{"compare", "--qrels", judgments, run, writeTemp(t, "b.run", runB), "--rounds", "100"},
		run+": "+uncounted+"\n")
	if !strings.Contains(table, "run.gz") || !strings.Contains(table, "b.run") {
		t.Errorf("compare: %s", table)
	}

	bad := writeTemp(t, "bad.run", runA+"q2 Q0 e 3\n")
	fail(t, exitFailure, "", []string{"eval", "--qrels", judgments, "--run", bad}, bad+":6: ", "4 fields")
	fail(t, exitFailure, "", []string{"eval", "--qrels", run, "--run", run}, run+":1")
	other := writeTemp(t, "other", "q9 0 a 1\n")
	fail(t, exitFailure, "", []string{"eval", "--qrels", other, "--run", run},
		"no topic of this run has judgments")
	fail(t, exitFailure, "", []string{"eval", "--complete", "--qrels", other, "--run", run},
		"no topic of this run has judgments")
	elsewhere := writeTemp(t, "elsewhere.run", "q9 Q0 a 1 3 A\n")
	unjudged, reference := elsewhere+": no topic of this run has judgments in "+judgments,
		[]string{"--reference", elsewhere}
	answersAll := writeTemp(t, "b.run", runB)
	fail(t, exitFailure, "", []string{"compare", "--qrels", judgments, answersAll, elsewhere}, unjudged)
	for _, complete := range []string{"--complete=false", "--complete"} {
		t.Run(complete, func(t *testing.T) {
			args := []string{"eval", complete, "--qrels", judgments, "--run"}
			fail(t, exitFailure, "", append(args, elsewhere), unjudged)
			fail(t, exitFailure, "", append(args, elsewhere, "--reference", run), unjudged)
		})
	}
	for _, complete := range []string{"--complete=false", "--complete"} {
		t.Run(complete, func(t *testing.T) {
			fail(t, exitFailure, "", append(reference, "eval", complete, "--qrels", judgments, "--run", run),
				elsewhere+": no topic of this run is in "+run+" and has judgments in "+judgments)
		})
	}
	first, second := writeTemp(t, "1", "q1 Q0 a 1 3 A\n"), writeTemp(t, "2", "q2 Q0 a 1 3 A\n")
	fail(t, exitFailure, "", strings.Fields("eval --qrels "+judgments+" --run "+first+" --reference "+second),
		second+": no topic of this run is in "+first+" and has judgments in "+judgments)
	fail(t, exitFailure, "", append(reference, "eval", "--run", run), elsewhere+": no topic of this run is in "+run)
	// Files that cannot be read topic by topic are read whole.
	scattered := writeTemp(t, "scattered.run", "q8 Q0 a 1 3 A\nq9 Q0 a 1 3 A\nq8 Q0 b 1 2 A\n")
	fail(t, exitFailure, "", []string{"eval", "--complete", "--qrels", judgments, "--run", scattered, "--reference",
		run}, scattered+": no topic of this run has judgments in "+judgments)
	fail(t, exitUsage, "", []string{"eval", "--qrels", judgments, "-m", "model.json"}, "qrels")
	fail(t, exitUsage, "", []string{"eval", "--run", run}, "qrels")
}

// A run that misses topics is measured alike by all commands, and by trec_eval -c. Each command
// reports the topics that some of the files lack.
func TestMissingTopics(t *testing.T) {
	judgments := writeTemp(t, "qrels", "q1 0 a 1\nq1 0 b 0\nq2 0 a 2\nq3 0 a 1\n")
	one := writeTemp(t, "one", "q1 Q0 a 1 2 s\nq1 Q0 b 2 1 s\n")
	all := writeTemp(t, "all", "q1 Q0 b 1 2 s\nq1 Q0 a 2 1 s\nq2 Q0 a 1 1 s\nq3 Q0 a 1 1 s\n")
	other := writeTemp(t, "other", "q1 Q0 a 1 2 s\nq4 Q0 a 1 1 s\nq5 Q0 a 1 1 s\n")
	files := map[string]string{"$qrels": judgments, "$one": one, "$all": all, "$other": other}
	for _, c := range []struct{ name, args, want, warning string }{
		{"eval", "eval --qrels $qrels --run $one --metric map", "num_q all 3 map all 0.3333",
			"count as empty results (use --complete=false to skip them)\n"},
		{"answered", "eval --qrels $qrels --run $one --metric map --complete=false", "num_q all 1 map all 1.0000",
			"one: 2 of 3 topics with judgments have no results and are skipped"},
		{"both", "eval --qrels $qrels --run $other --metric map", "num_q all 3 map all 0.3333",
			"(use --complete=false to skip them); 2 of 3 topics with results have no judgments and are skipped"},
		{"compare", "compare --qrels $qrels $one $all --metric map", "one 0.3333 all 0.8333",
			"one: 2 of 3 topics with judgments have no results and count as empty results"},
		{"all", "eval --qrels $qrels --run $all --metric map", "num_q all 3 map all 0.8333", ""},
		{"rbo", "eval --run $all --reference $other --metric rbo", "num_q all 3",
			"other: 2 of 3 evaluated topics are missing and count as empty results; " +
				"2 of 3 topics are not evaluated\n"},
		{"reference", "eval --qrels $qrels --run $one --reference $all --metric map,rbo", "map all 0.3333",
			"one: 2 of 3 topics with judgments have no results and count as empty results"},
		{"tune", "fuse $one $one --method combsum --tune $qrels --metric map", "",
			"qrels: 2 of 3 topics with judgments have no results and count as empty results"},
		{"tune with two", "fuse $one $all --method combsum --tune $qrels --metric map", "",
			"one: 2 of 3 topics are missing and are fused from the other runs\n"},
		{"fuse", "fuse $all $all", "", ""},
		{"trec-eval", "trec-eval -c -m map $qrels $one", "map all 0.3333",
			"one: 2 of 3 topics with judgments have no results and count as empty results\n"},
		{"trec-eval, both", "trec-eval -c -m map $qrels $other", "map all 0.3333",
			"count as empty results; 2 of 3 topics with results have no judgments and are skipped\n"},
		{"trec-eval, all", "trec-eval -m map $qrels $all", "map all 0.8333", ""},
		{"trec-eval 9", "trec-eval -m map --release 9 $qrels $one", "map all 1.0000",
			"one: 2 of 3 topics with judgments have no results and are skipped (use -c to count them)\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			args := strings.Fields(c.args)
			for i, arg := range args {
				if path := files[arg]; path != "" {
					args[i] = path
				}
			}
			code, stdout, stderr := simdrank(t, "", args...)
			if code != exitOK || !strings.Contains(strings.Join(strings.Fields(stdout), " "), c.want) {
				t.Errorf("exit %d, %s, want %q", code, stdout, c.want)
			}
			warnings := strings.Count(stderr, "simdrank: warning: ")
			if (warnings == 1) != (c.warning != "") || warnings > 1 || !strings.Contains(stderr, c.warning) {
				t.Errorf("stderr %q, want %q", stderr, c.warning)
			}
		})
	}
}

// Judgments of subtopics and a run to compare with, both by the metrics that ask for them.
func TestEvalSubtopicsAndReference(t *testing.T) {
	subtopics := writeTemp(t, "subtopics", "1 a A 1\n1 b B 1\n1 b D 1\n1 c C 1\n1 a B 0\n")
	run := writeTemp(t, "run", "1 Q0 A 1 9 r\n1 Q0 D 2 8 r\n1 Q0 E 3 7 r\n1 Q0 B 4 6 r\n2 Q0 x 1 1 r\n")
	other := writeTemp(t, "other", "1 Q0 D 1 9 o\n1 Q0 A 2 8 o\n")
	got := warned(t, strings.Fields("eval --metric alpha_nDCG@10,ERR_IA@5,NRBP,map --qrels "+subtopics+" --run "+run),
		run+": 1 of 2 topics with results have no judgments and are skipped\n")
	want := `runid                 	all	r
num_q                 	all	1
alpha-ndcg@10         	all	0.7869
err-ia@5              	all	0.3933
nrbp                  	all	0.3906
map                   	all	0.6875
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	// Of the first two ranks both are shared, of the first none.
	two := decode[evaluated](t, warned(t, []string{"eval", "--run", run, "--reference", other, "--format", "json"}))
	if m := two.Metrics["rbo(0.9)"]; m.Counted != 2 || m.Mean < .4 || m.Mean > .5 {
		t.Errorf("rbo: %+v", two)
	}
	_, got, _ = simdrank(t, "", "eval", "--qrels", subtopics, "--run", run, "--reference", run, "--metric",
		"strec@2,rbo(.5)")
	if !strings.Contains(got, "strec@2               \tall\t0.6667\nrbo(0.5)              \tall\t1.0000\n") {
		t.Errorf("both: %s", got)
	}
	both := writeTemp(t, "both", "1 a A 1\n1 b D 1\n2 a x 1\n2 b x 1\n")
	table := warned(t, []string{"compare", "--qrels", both, run, other, "--metric", "strec@1", "--rounds", "10"},
		other+": 1 of 2 topics with judgments have no results")
	if !strings.Contains(table, "0.7500") || !strings.Contains(table, "0.2500") {
		t.Errorf("compare: %s", table)
	}
	if _, _, stderr := simdrank(t, "", "fuse", run, other, "--method", "combsum", "--tune", subtopics, "--metric",
		"strec@1"); !strings.Contains(stderr, "strec@1 0.3333") {
		t.Errorf("tuned: %s", stderr)
	}

	data := writeTemp(t, "data.txt", "1 qid:1 1:1\n0 qid:1 1:2\n")
	fail(t, exitFailure, "", []string{"eval", "--qrels", subtopics, "--run", run}, subtopics+":5: ", "judged twice",
		"subtopic judgments are for metrics such as alpha-ndcg@20")
	onRun, onData := "eval --run "+run+" --reference "+other, "eval -d "+data+" -s "+data
	for want, args := range map[string]string{
		"subtopic judgments (use eval --run with -":   onData + " --metric strec@1",
		`"strek@5": the name is unknown`:              onData + " --metric strek@5",
		"--data cannot be combined with --reference":  onData + " --reference " + other,
		"rbo(0.9) requires another run":               "eval --qrels " + subtopics + " --run " + run + " --metric rbo",
		"--metric map requires --qrels":               onRun + " --metric map,rbo",
		"--reference requires one of the metrics rbo": onRun + " --metric map",
		"--complete requires --qrels":                 onRun + " --complete",
		"--reference requires --run":                  "eval --reference " + other + " --qrels " + subtopics,
		"compares two runs": "fuse --tune " + subtopics + " --metric rbo " + run + " " +
			other,
		"rbo-min(0.9) requires another run": "compare --metric rbo-min --qrels " + both + " " +
			run + " " + other,
		"alpha-ndcg@5 requires": "train --metric alpha_ndcg@5 -d " + data + " --valid " + data + " -o " +
			data + ".model",
	} {
		t.Run(want, func(t *testing.T) {
			fail(t, exitUsage, "", strings.Fields(args), want)
		})
	}
	fail(t, exitFailure, "", []string{"eval", "--run", run, "--reference", subtopics}, subtopics+":1: ", "fields")
}

// TestEvalPerQuery prints the table of single queries of LETOR data, some skipped.
func TestEvalPerQuery(t *testing.T) {
	data := writeTemp(t, "data.txt", "1 qid:a 1:1 #docid = x\n0 qid:a 1:2 #docid = y\n0 qid:b 1:1 #docid = z\n")
	scores := writeTemp(t, "scores", "1\n1\n3\n")
	got := succeed(t, "", "eval", "-s", scores, "-d", data, "-q", "--metric", "mrr")
	want := "  query     mrr\n      a  0.7500\n      b       -\n\n  metric    mean  counted  skipped\n     mrr  0.7500        1        1\n"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	// trec_eval puts equal scores in descending order of their ids: y, x.
	if got := succeed(t, "", "eval", "-s", scores, "-d", data, "--preset", "trec_eval", "--metric",
		"mrr"); !strings.Contains(got, "0.2500        2        0") {
		t.Errorf("trec_eval: %s", got)
	}
	for flag, want := range map[string]string{
		"--ties=optimistic": "1.0000        1        1", "--ties=pessimistic": "0.5000        1        1",
		"--empty=one":      "0.8750        2        0",
		"--preset=xgboost": "1.0000        2        0",
	} {
		t.Run(flag, func(t *testing.T) {
			if got := succeed(t, "", "eval", "-s", scores, "-d", data, flag, "--metric", "mrr"); !strings.Contains(got,
				want) {
				t.Error(got)
			}
		})
	}
	// Both documents are first equally often: half of s = (2¹−1)/2¹, and half of that behind the
	// other.
	if got := succeed(t, "", "eval", "-s", scores, "-d", data, "--metric", "err", "--max-label",
		"1"); !strings.Contains(got, "0.3750        1        1") {
		t.Errorf("err: %s", got)
	}
	fail(t, exitFailure, "", []string{"eval", "-s", scores, "-d", data, "--metric", "err", "--max-label", "0.5"},
		"label 1 exceeds 0.5, the highest label that err supports")
	fail(t, exitUsage, "", []string{"eval", "-s", scores, "-d", data, "--metric", "err", "--max-label", "-1"},
		"--max-label -1: must be greater than 0")
	data = writeTemp(t, "data.txt", "1 qid:a 1:1\n0 qid:a 1:2\n0 qid:b 1:1\n")
	fail(t, exitFailure, "", []string{"eval", "-s", scores, "-d", data, "--preset", "trec_eval"}, data, "--ties")
}

// TestLabelErrors checks that a label that a metric cannot take is named by its file and line.
func TestLabelErrors(t *testing.T) {
	data := writeTemp(t, "data.txt", "# labels\n1 qid:a 1:1\n0 qid:a 1:2\n\n1 qid:b 1:1\n-2 qid:b 1:2\n")
	scores := writeTemp(t, "scores", "1\n2\n3\n4\n")
	const negative = ":6: label -2 must not be negative (use --preset trec_eval to accept it)"
	fail(t, exitFailure, "", []string{"eval", "-d", data, "-s", scores}, "simdrank: "+data+negative)
	fail(t, exitFailure, "1 qid:b 1:1\n-2 qid:b 1:2\n",
		[]string{"eval", "-d", "-", "-s", writeTemp(t, "two", "1\n2\n")}, "simdrank: standard input:2: label -2")
	fail(t, exitFailure, "", []string{"compare", "-d", data, scores, scores}, "simdrank: "+data+negative)
	for _, args := range []string{"--c-path 1", "--model lambdamart --trees 2",
		"--model lambdamart --trees 2 --early-stopping 1"} {
		t.Run(args, func(t *testing.T) {
			train := writeTemp(t, "train.txt", letorText(t, small))
			out := filepath.Join(t.TempDir(), "model.json")
			fail(t, exitFailure, "", append([]string{"train", "-d", train, "--valid", data, "-o", out},
				strings.Fields(args)...), "simdrank: "+data+negative)
		})
	}

	// In TREC's files a negative relevance is no judgment, under any preset.
	judgments, run := writeTemp(t, "qrels", "# judged\nq1 0 a 40\nq1 0 b -3\nq1 0 c 1\n"),
		writeTemp(t, "run", "q1 Q0 b 1 3 r\nq1 Q0 c 2 2 r\nq1 Q0 u 3 1 r\n")
	const high = ":2: label 40 is not an integer from 0 to 30"
	trec := []string{"eval", "--qrels", judgments, "--run", run, "--preset", "lightgbm", "--metric"}
	if got := succeed(t, "", append(trec, "mrr")...); !strings.Contains(got, "recip_rank            \tall\t0.5000\n") {
		t.Errorf("unjudged documents: %s", got)
	}
	fail(t, exitFailure, "", append(trec, "ndcg"), "simdrank: "+judgments+high)
	fail(t, exitFailure, "", []string{"compare", "--qrels", judgments, run, run, "--preset", "lightgbm"},
		"simdrank: "+judgments+high)
}

// TestEvalPresetTREC follows trec_eval 10 and 9, and keeps its names for its measures.
func TestEvalPresetTREC(t *testing.T) {
	judgments, run := writeTemp(t, "qrels", "q1 0 a 1\nq1 0 b 0\n"),
		writeTemp(t, "run", "q1 Q0 a 1 100.00000002 r more\n# c\nq1 Q0 b 2 100.00000001 r\n")
	for preset, want := range map[string]string{"trec_eval": "1.0000", "trec_eval9": "0.5000"} {
		t.Run(preset, func(t *testing.T) {
			got := succeed(t, "", "eval", "--qrels", judgments, "--run", run, "--preset", preset, "--metric", "MAP,RBP")
			// Both documents tie in single precision, and the greater identifier comes first.
			if !strings.Contains(got, "map                   \tall\t"+want+"\n") ||
				!strings.Contains(got, "rbp(0.9)              \tall\t0.") {
				t.Error(got)
			}
		})
	}
	data, scores := writeTemp(t, "data.txt", "1 qid:1 1:1 # docid = a\n0 qid:1 1:1 # docid = b\n"),
		writeTemp(t, "scores", "100.00000002\n100.00000001\n")
	for preset, want := range map[string]string{"trec_eval": "1.0000", "trec_eval9": "0.5000"} {
		t.Run(preset, func(t *testing.T) {
			if got := succeed(t, "", "eval", "-d", data, "-s", scores, "--preset", preset, "--metric",
				"map"); !strings.Contains(got, want) {
				t.Error(got)
			}
		})
	}
}

// TestPairAccuracy checks that pair-accuracy is one number in eval and compare, and that the pooled
// one is not compared.
func TestPairAccuracy(t *testing.T) {
	data := writeTemp(t, "data.txt", "1 qid:a 1:1\n0 qid:a 1:2\n2 qid:b 1:1\n1 qid:b 1:2\n0 qid:b 1:3\n1 qid:c 1:3\n")
	scores := writeTemp(t, "scores", "1\n2\n3\n2\n1\n1\n")
	for metric, want := range map[string]string{"pair-accuracy": "0.5000        2        1",
		"pair-accuracy-pooled": "0.7500        2        1"} {
		t.Run(metric, func(t *testing.T) {
			got := succeed(t, "", "eval", "-d", data, "-s", scores, "--metric", metric)
			if !strings.Contains(got, want) {
				t.Error(got)
			}
		})
	}
	compare := []string{"compare", "-d", data, scores, scores, "--rounds", "10", "--metric"}
	if got := succeed(t, "", append(compare, "pair-accuracy")...); !strings.Contains(got, "scores  0.5000\n") {
		t.Error(got)
	}
	fail(t, exitFailure, "", append(compare, "tau-b,pair-accuracy-pooled"),
		"pair-accuracy-pooled is pooled over all queries", "use pair-accuracy")
}

// TestTrecEval compares with trec_eval's own output for its own files.
func TestTrecEval(t *testing.T) {
	judgments, run := testkit.DataPath(t, "trec/qrels.test.gz"), testkit.DataPath(t, "trec/results.test.gz")
	golden, err := os.ReadFile(testkit.DataPath(t, "trec/out.test.aq"))
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for line := range strings.Lines(string(golden)) {
		known[line] = true
	}
	lines := 0
	for line := range strings.Lines(succeed(t, "", "eval", "--qrels", judgments, "--run", run, "-q")) {
		if lines++; !known[line] {
			t.Errorf("trec_eval does not print %q", line)
		}
	}
	if want := 4*15 + 2; lines != want { // 15 metrics of 3 topics and all
		t.Errorf("%d lines, want %d", lines, want)
	}
}

func TestConvert(t *testing.T) {
	dir := t.TempDir()
	const model = `{"format":"simdrank-linear","version":1,"intercept":0.1,"weights":[0.30000000000000004,0,-1e-300]}` +
		"\n"
	path := writeTemp(t, "model.json", model)
	for _, format := range []string{"json", "svmlight", "liblinear"} {
		t.Run(format, func(t *testing.T) {
			out := filepath.Join(dir, format)
			succeed(t, "", "convert", "-i", path, "--to", format, "-o", out)
			if back := succeed(t, "", "convert", "-i", out, "--to", "json", "-o", "-"); back != model {
				t.Errorf("%s and back: %s", format, back)
			}
		})
	}
	data := writeTemp(t, "data.txt", "1 0:0.5 2:1\n0 0:2\n1 1:NULL\n")
	group := writeTemp(t, "sizes", "1\n2\n")
	got := succeed(t, "", "convert", "-i", data, "--group", group, "--zero-based", "--null-as", "7", "--to", "letor",
		"-o", "-")
	if want := "1 qid:1 1:0.5 3:1\n0 qid:2 1:2\n1 qid:2 2:7\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}

	out := filepath.Join(dir, "out")
	fail(t, exitFailure, "", []string{"convert", "-i", data, "--to", "json", "-o", out}, data)
	fail(t, exitFailure, "", []string{"convert", "-i", path, "--to", "letor", "-o", out}, path+":1:1")
	fail(t, exitUsage, "", []string{"convert", "-i", path, "-o", out}, "to")
	if help := succeed(t, "", "convert", "--help"); strings.Contains(help, "(default json)") {
		t.Error("help names a default for --to, which is required")
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("a failed conversion leaves a file")
	}
}
