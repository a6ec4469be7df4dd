package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/internal/files"
	"github.com/simdrank/simdrank/internal/synth"
	"github.com/simdrank/simdrank/internal/testkit"
	"github.com/simdrank/simdrank/rank/data"
	rankmodel "github.com/simdrank/simdrank/rank/model"
)

// letorText returns a generated dataset as LETOR text.
func letorText(t *testing.T, config synth.Config) string {
	t.Helper()
	var b bytes.Buffer
	if err := data.WriteLETOR(&b, config.Dataset()); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// small is a problem that trains in milliseconds.
var small = synth.Config{Seed: 1, Rows: 600, Cols: 8, MaxDocs: 40}

func part(n uint64) synth.Config {
	c := small
	c.Part = n
	return c
}

func TestTrainPredictEval(t *testing.T) {
	dir := t.TempDir()
	train := writeTemp(t, "train.txt", letorText(t, part(0)))
	valid := writeTemp(t, "vali.txt.gz", testkit.Gzip(letorText(t, part(1))))
	test := writeTemp(t, "test.txt", letorText(t, part(2)))
	model := filepath.Join(dir, "model.json")
	scores := filepath.Join(dir, "scores.txt.gz")

	trained := decode[trainResult](t, succeed(t, "", "train", "-d", train, "--valid", valid, "-o", model, "--format",
		"json", "--verbose"))
	if s := trained.SVM; s == nil || s.Stop != "converged" || s.Gap > 1e-6 || len(trained.Iterations) != s.Iterations {
		t.Fatalf("trained: %+v, %d iterations", s, len(trained.Iterations))
	}

	// The command gives what the library does, whichever way the scores travel.
	d, err := data.Load(test, data.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := rankmodel.Load(model)
	if err != nil {
		t.Fatal(err)
	}
	want := make([]float64, d.Rows())
	if err := m.ScoreInto(t.Context(), want, d); err != nil {
		t.Fatal(err)
	}
	succeed(t, "", "predict", "-m", model, "-d", test, "-o", scores)
	written, err := readNumbers(testCommand(t.Context(), nil, nil), scores, ranked)
	if err != nil || !reflect.DeepEqual(written, want) {
		t.Errorf("predict: scores differ from the library's: %v", err)
	}
	if got := decode[prediction](t, succeed(t, "", "predict", "-m", model, "-d", test, "--format",
		"json")); !reflect.DeepEqual(got.Scores, want) {
		t.Error("predict: JSON scores differ from the library's")
	}
	ofModel := succeed(t, "", "eval", "-m", model, "-d", test, "--format", "json")
	ofScores := succeed(t, "", "eval", "-s", scores, "-d", test, "--format", "json")
	if ofModel != ofScores {
		t.Errorf("eval of the model and of its scores differ:\n%s\n%s", ofModel, ofScores)
	}
	got := decode[evaluated](t, ofModel).Metrics
	if len(got) != 5 {
		t.Errorf("eval: metrics %v", got)
	}
	for name, m := range got {
		if m.Counted+m.Skipped != d.Queries() {
			t.Errorf("%s: %d counted and %d skipped of %d queries", name, m.Counted, m.Skipped, d.Queries())
		}
	}
	if got["ndcg@10"].Mean < 0.6 || got["pair-accuracy"].Mean < 0.7 || got["tau-b"].Mean < 0.3 {
		t.Errorf("eval: the model has learnt nothing: %v", got)
	}
	if text := succeed(t, "", "eval", "-m", model, "-d", test); strings.Count(text, "\n") != 6 ||
		!strings.Contains(text, "ndcg@10") {
		t.Errorf("eval: %s", text)
	}
}

func TestTrainStreams(t *testing.T) {
	data := letorText(t, small)
	path := writeTemp(t, "train.txt", data)
	model := filepath.Join(t.TempDir(), "model.json")
	text := succeed(t, data, "train", "-d", "-", "-o", model, "--verbose", "--threads", "1")
	if !strings.Contains(text, "iteration 1 ") || !strings.Contains(text, "ranksvm trained in") {
		t.Errorf("report: %s", text)
	}
	file, err := os.ReadFile(model)
	if err != nil {
		t.Fatal(err)
	}
	// A model on standard output has it for itself; threads do not change a bit.
	code, stdout, stderr := simdrank(t, testkit.Gzip(data), "train", "-d", "-", "-o", "-", "--threads", "2")
	if code != exitOK || stdout != string(file) || !strings.Contains(stderr, "ranksvm trained in") {
		t.Errorf("exit %d, stdout %q, stderr %q", code, stdout, stderr)
	}
	// What is learnt from a file is what is learnt from a stream of it.
	succeed(t, "", "train", "-d", path, "-o", model+".gz")
	packed, err := os.Open(model + ".gz")
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	r, err := files.BudgetOf(0).Uncompressed(packed)
	if err != nil {
		t.Fatal(err)
	}
	if unpacked, err := io.ReadAll(r); err != nil || !bytes.Equal(unpacked, file) {
		t.Errorf("gzipped model: %q, %v", unpacked, err)
	}
}

func TestTrainOptions(t *testing.T) {
	path := writeTemp(t, "train.txt", letorText(t, small))
	var b strings.Builder
	for q := range part(0).Dataset().Queries() {
		fmt.Fprintln(&b, q%3)
	}
	weights := writeTemp(t, "weights", b.String())
	models := map[string]string{}
	for _, args := range []string{
		"", "--c 0.01", "--standardize", "--pair-weights label", "--pair-weights gain", "--weights " + weights,
		"--loss hinge", "--loss logistic", "--per-query", "--tol 0.1", "--model ridge", "--model ridge --alpha 100",
		"--model ridge --weights " + weights,
	} {
		t.Run(testkit.CaseName(args), func(t *testing.T) {
			model := succeedModel(t, append([]string{"train", "-d", path, "-o", "-"}, strings.Fields(args)...))
			if other, ok := models[model]; ok {
				t.Errorf("%q and %q give the same model", args, other)
			}
			models[model] = args
		})
	}
}

// unsettled returns the text of a model without the settings of its training.
func unsettled(model string) string {
	return regexp.MustCompile(`,"settings":{[^}]*}`).ReplaceAllString(model, "")
}

// TestTrainSettings: a model file has the settings of its training, and info and a page show them.
func TestTrainSettings(t *testing.T) {
	dir := t.TempDir()
	train, model, page := writeTemp(t, "train.txt", letorText(t, part(0))), filepath.Join(dir, "model.json"),
		filepath.Join(dir, "page.html")
	weights := writeTemp(t, "weights", strings.Repeat("2\n", 25))
	for flags, want := range map[string]map[string]string{
		"--c 0.5 --loss hinge": {"model": "ranksvm", "c": "0.5", "loss": "hinge", "pair_weights": "equal",
			"per_query": "false", "standardize": "false", "tol": "1e-06", "max_passes": "10000"},
		"--c-path 0.1,1 --cv 3 --pair-weights gain --normalize sum": {"model": "ranksvm", "c_path": "0.1,1", "cv": "3",
			"metric": "ndcg@10", "pair_weights": "gain", "normalize": "sum", "loss": "squared-hinge"},
		"--model ridge --alpha 3 --weights " + weights: {"model": "ridge", "alpha": "3", "no_intercept": "false",
			"weights": "of queries"},
		"--model lambdamart --trees 3 --valid " + train + " --early-stopping 2 --retrain --metric map": {
			"model": "lambdamart", "retrain": "true", "leaves": "31", "early_stopping": "0"},
	} {
		t.Run(testkit.CaseName(flags), func(t *testing.T) {
			args := append([]string{"train", "-d", train, "-o", model, "--report", page}, strings.Fields(flags)...)
			succeed(t, "", args...)
			got := decode[modelInfo](t, succeed(t, "", "info", "-m", model, "--format", "json")).Settings
			for name, value := range want {
				if got[name] != value {
					t.Errorf("%s: %s is %q, want %q", flags, name, got[name], value)
				}
			}
			if text := succeed(t, "", "info", "-m", model); !strings.Contains(text, "\ntraining settings\n") {
				t.Errorf("%s: info prints %s", flags, text)
			}
			succeed(t, "", "report", "-m", model, "-d", train, "-o", page)
			text, err := os.ReadFile(page)
			if err != nil {
				t.Fatal(err)
			}
			for name, value := range want {
				if line := fmt.Sprintf("<dt>%s</dt><dd>%s</dd>", name, value); !strings.Contains(string(text), line) {
					t.Errorf("%s: the page lacks %s", flags, line)
				}
			}
		})
	}
}

func TestTrainPath(t *testing.T) {
	train, valid := writeTemp(t, "train.txt", letorText(t, part(0))), writeTemp(t, "vali.txt", letorText(t, part(1)))
	for _, c := range []struct {
		args   string
		points int
	}{
		{"--c-path 1e-6,0.01,1 --valid " + valid, 3},
		{"--c-path auto --cv 2", 8},
		{"--c-path 0.1,0.01 --valid " + valid + " --cv 2 --metric tau-b,ndcg", 2},
		{"--c 0.1 --cv 4", 1},
	} {
		t.Run(testkit.CaseName(c.args), func(t *testing.T) {
			model := filepath.Join(t.TempDir(), "model.json")
			args := append([]string{"train", "-d", train, "-o", model}, strings.Fields(c.args)...)
			r := decode[trainResult](t, succeed(t, "", append(args, "--format", "json")...))
			best := r.Path.Points[0]
			for _, p := range r.Path.Points {
				if p.Score > best.Score {
					best = p
				}
			}
			if len(r.Path.Points) != c.points || r.Path.Best != best.C || r.SVM.C != best.C {
				t.Errorf("%+v, the model's C is %v", r.Path, r.SVM.C)
			}
			if (r.Valid != nil) != strings.Contains(c.args, "--valid") {
				t.Errorf("validation %v", r.Valid)
			}
			// The model is that of the best C, to the bit.
			if file, err := os.ReadFile(model); err != nil ||
				unsettled(string(file)) !=
					unsettled(succeedModel(t, []string{"train", "-d", train, "-o", "-", "--c", fmt.Sprint(best.C)})) {
				t.Errorf("the model is not that of C=%v, %v", best.C, err)
			}
			if text := succeed(t, "", args...); !strings.Contains(text, " *\n") {
				t.Error(text)
			}
		})
	}
	for _, p := range []string{"", " --c-path 0.01,1 --valid " + valid, " --c-path 0.01,1 --cv 2"} {
		t.Run(testkit.CaseName(p), func(t *testing.T) {
			args := strings.Fields("train -d " + train + " -o " + filepath.Join(t.TempDir(), "model.json") +
				" --max-passes 1 --format json" + p)
			code, stdout, stderr := simdrank(t, "", args...)
			r := decode[trainResult](t, stdout)
			if want := max(1, strings.Count(p, ",")*2); code != exitOK || strings.Count(stderr, "\n") != want ||
				strings.Count(stderr, "simdrank: warning: "+train+": ") != want ||
				strings.Count(stderr, " did not converge: ") != want {
				t.Errorf("exit %d, stderr %q", code, stderr)
			}
			if r.SVM.Converged || r.SVM.Stop != "passes" || !(r.SVM.Gap > 1e-6) || r.Path != nil &&
				r.Path.Points[0].Converged {
				t.Errorf("%+v, %+v", r.SVM, r.Path)
			}
		})
	}
	null := writeTemp(t, "null.txt", "# comment\n\n1 qid:1 1:1\n0 qid:1 1:NULL\n")
	for _, model := range []string{"ranksvm", "ridge"} {
		t.Run(model, func(t *testing.T) {
			fail(t, exitFailure, "", []string{"train", "-d", null, "-o", "-", "--null-as", "nan", "--model", model},
				null+":4: feature 1 is NaN")
		})
	}
	few := writeTemp(t, "few.txt", "1 qid:1 1:1\n0 qid:1 1:0\n")
	fail(t, exitFailure, "", []string{"train", "-d", few, "-o", "-", "--cv", "2"},
		few+": the number of folds is 2; it must be from 2 to the number of queries, 1")
	fail(t, exitFailure, "", []string{"train", "-d", few, "-o", "-", "--weights", writeTemp(t, "w", "1\n2\n3\n")},
		"w has 3 weights, but")
	fail(t, exitFailure, "", []string{"train", "-d", few, "-o", "-", "--weights", writeTemp(t, "w", "NaN\n")},
		`:1:1: "NaN": a weight must be finite and not negative`)
	fail(t, exitFailure, "", []string{"train", "-d", few, "-o", "-", "--weights", writeTemp(t, "w", "-1\n")},
		`w:1:1: "-1": a weight must be finite and not negative`)
}

// succeedModel returns the model that train writes to standard output.
func succeedModel(t *testing.T, args []string) string {
	t.Helper()
	code, stdout, stderr := simdrank(t, "", args...)
	if code != exitOK || !json.Valid([]byte(stdout)) {
		t.Fatalf("simdrank %s: exit %d, %s", strings.Join(args, " "), code, stderr)
	}
	return stdout
}

// TestGroups reads data without qid and the sizes of its queries, given and found.
func TestGroups(t *testing.T) {
	dir := t.TempDir()
	data, group := filepath.Join(dir, "train.txt"), filepath.Join(dir, "sizes")
	write := func(path, text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	const rows = "1 1:1\n0 1:2\n0 1:1\n1 1:3\n1 1:4\n"
	write(data, rows)
	write(group, "2\n3\n")
	fail(t, exitFailure, "", []string{"train", "-d", data, "-o", "-"}, "train.txt:1:3: ", "qid")
	want := succeedModel(t, []string{"train", "-d", data, "--group", group, "-o", "-"})
	write(data+".query", "2\n3\n")
	if got := succeedModel(t, []string{"train", "-d", data, "-o", "-"}); got != want {
		t.Errorf("found sizes give %s, want %s", got, want)
	}
	write(group, "2\n2\n")
	fail(t, exitFailure, "", []string{"train", "-d", data, "--group", group, "-o", "-"}, "train.txt")
	write(group, "2\nx\n")
	fail(t, exitFailure, "", []string{"train", "-d", data, "--group", group, "-o", "-"}, "sizes:2: ", `"x"`)
}

// TestBadData feeds each command what is no LETOR data: one line of error that says
// where, and no output.
func TestBadData(t *testing.T) {
	const good = "2 qid:1 1:0.5 2:1\n0 qid:1 1:0.1 2:0.3\n1 qid:2 1:0.2 2:0.9\n0 qid:2 1:0.7 2:0.1\n"
	model := writeTemp(t, "model.json", `{"format":"simdrank-linear","version":1,"intercept":0,"weights":[1,2]}`)
	long := testkit.Gzip(strings.Repeat(good[:18], 1000))
	for _, c := range []struct{ name, text, want string }{
		{"truncated line", good + "1 qid:3 1:", `:5:9: `},
		{"truncated qid", good + "1 qi", `:5:3: `},
		{"bad number", good + "1 qid:3 1:0.5x\n", `:5:9: the feature value is not a number: "1:0.5x"`},
		{"bad label", good + "one qid:3 1:0.5\n", `:5:1: the label is not a number: "one"`},
		{"negative index", good + "1 qid:3 -1:0.5\n", `:5:9: `},
		{"decreasing index", good + "1 qid:3 2:0.5 1:3\n", `:5:15: `},
		{"index 0", good + "1 qid:3 0:0.5\n", `:5:9: the feature index is 0 (use --zero-based if indices start at 0): "0:0.5"`},
		{"huge index", good + "1 qid:3 17000000:0.5\n", `the feature index exceeds the limit of 16777216 (use --max-feature to raise the limit)`},
		{"absurd index", good + "1 qid:3 99999999999999999999:0.5\n", `:5:9: `},
		{"no qid", good + "1 1:0.5\n", `:5:3: qid:… is missing`},
		{"NaN label", good + "NaN qid:3 1:0.5\n", `:5:1: the label must be finite: "NaN"`},
		{"infinite value", good + "1 qid:3 1:inf\n", `:5:9: `},
		{"NULL", good + "1 qid:3 1:NULL\n", `(use --null-as to accept it)`},
		{"scattered query", good + "1 qid:1 1:1\n", `(use --gather to group them)`},
		{"binary", "\x7fELF\x02\x01\x01\x00\x00\x00", `:1:1: `},
		{"zeros", strings.Repeat("\x00", 100), `:1:1: `},
		{"empty", "", `the file contains no documents`},
		{"blank", "\n\n", `the file contains no documents`},
		{"truncated gzip", long[:len(long)-9], `truncated`},
		{"gzip header", long[:6], `truncated`},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := writeTemp(t, "data.txt", c.text)
			scores := writeTemp(t, "scores.txt", "1\n2\n3\n4\n")
			dir := t.TempDir()
			out := filepath.Join(dir, "out")
			for _, args := range [][]string{
				{"train", "-d", path, "-o", out},
				{"predict", "-m", model, "-d", path, "-o", out},
				{"eval", "-m", model, "-d", path},
				{"eval", "-s", scores, "-d", path},
			} {
				t.Run(testkit.CaseName(args...), func(t *testing.T) {
					if args[0] == "predict" && (c.name == "no qid" || c.name == "scattered query") {
						return // it looks for no queries
					}
					fail(t, exitFailure, "", args, path, c.want)
				})
			}
			fail(t, exitFailure, c.text, []string{"train", "-d", "-", "-o", out}, "standard input:", c.want)
			if left := testkit.FileNames(t, dir); left != nil {
				t.Errorf("left %q", left)
			}
		})
	}
	for _, c := range []struct{ text, want string }{
		{"1 qid:1 1:1\n1 qid:1 1:2\n", "no query with a positive weight has documents with different labels"},
		{"1 qid:1\n0 qid:1\n", "no features"},
	} {
		t.Run(c.text, func(t *testing.T) {
			path := writeTemp(t, "data.txt", c.text)
			fail(t, exitFailure, "", []string{"train", "-d", path, "-o", "-"}, path+": ", c.want)
		})
	}
}

func TestBadModelsAndScores(t *testing.T) {
	data := writeTemp(t, "data.txt", "2 qid:1 1:0.5 2:1\n0 qid:1 1:0.1 2:0.3\n")
	for _, c := range []struct{ text, want string }{
		{"junk", "junk"},
		{"", "empty"},
		{"\x00\x01\x02", `\x00`},
		{`{"format":"simdrank-linear","version":1,"weights":[1`, "the file ends too early"},
		{`{"format":"simdrank-linear","version":9,"intercept":0,"weights":[1,2]}`, "version 9"},
		{`{"format":"simdrank-linear","version":1,"intercept":0,"weights":[1,NaN]}`,
			`element 1 of weights: "NaN" is not a finite number`},
		{`{"format":"simdrank-linear","version":1,"intercept":0,"weights":[1,null]}`, "weights[1]: found null, expected a number"},
		{`{"format":"simdrank-linear","version":1,"intercept":0,"weights":[1]}`, "features up to 2, but"},
	} {
		t.Run(c.text, func(t *testing.T) {
			model := writeTemp(t, "model.json", c.text)
			dir := t.TempDir()
			fail(t, exitFailure, "", []string{"predict", "-m", model, "-d", data, "-o", filepath.Join(dir, "out")},
				model, c.want)
			fail(t, exitFailure, "", []string{"eval", "-m", model, "-d", data}, model, c.want)
			if left := testkit.FileNames(t, dir); left != nil {
				t.Errorf("left %q", left)
			}
		})
	}
	// A model with more features than the data is fine: the missing ones are 0.
	model := writeTemp(t, "model.json", `{"format":"simdrank-linear","version":1,"intercept":0.5,"weights":[1,2,3]}`)
	if got := succeed(t, "", "predict", "-m", model, "-d", data); got != "3\n1.200000025331974\n" {
		t.Errorf("predict: %q", got)
	}

	for _, c := range []struct{ text, want string }{
		{"1\n", " has 1 score, but"},
		{"1\n2\n3\n", " has 3 scores, but"},
		{"1\nx\n", ":2:1: "},
		{"1\nNaN\n", ":2:1: "},
		{"1 2\n", ":1:3: "},
	} {
		t.Run(c.text, func(t *testing.T) {
			scores := writeTemp(t, "scores.txt", c.text)
			fail(t, exitFailure, "", []string{"eval", "-s", scores, "-d", data}, scores+c.want)
		})
	}
}

func TestTrainUsage(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"train -d x -o y --c 0", "--c 0"},
		{"train -d x -o y --c NaN", "--c NaN"},
		{"train -d x -o y --tol -1", "--tol -1"},
		{"train -d x -o y --cv 1", "--cv 1"},
		{"train -d x -o y --c-path 1,two", `"two"`},
		{"train -d x -o y --c-path 1,0", `"0"`},
		{"train -d x -o y --c-path 1 --c 1", "--c cannot be combined with --c-path"},
		{"train -d x -o y --threads -1", "--threads -1"},
		{"train -d x -o y --model tree", "must be ranksvm, ridge"},
		{"train -d x -o y --model ridge --c 1", "--c requires --model ranksvm"},
		{"train -d x -o y --alpha 1", "--alpha requires --model ridge"},
		{"train -d x -o y --metric nonsense", "nonsense"},
		{"eval -d x -m y --metric ndcg@0", "ndcg@0"},
		{"info -d x --max-feature 0", "must be a whole number from 1 to 134217728"},
		{"info -d x --max-feature 134217729", "must be a whole number from 1 to 134217728"},
	} {
		t.Run(c.args, func(t *testing.T) {
			fail(t, exitUsage, "", strings.Fields(c.args), c.want)
		})
	}
	// An output that cannot be written is found out before the work.
	fail(t, exitFailure, "", []string{"train", "-d", "no-such-data", "-o", filepath.Join(t.TempDir(), "no", "model")},
		"model: ")
}

func TestTrainInterrupted(t *testing.T) {
	dir := t.TempDir()
	path := writeTemp(t, "train.txt", letorText(t, small))
	var stdout, stderr bytes.Buffer
	code := run(canceled(), []string{"train", "-d", path, "-o", filepath.Join(dir, "model.json")}, nil, &stdout,
		&stderr)
	if code != exitFailure || stderr.String() != "simdrank: interrupted\n" || stdout.Len() > 0 {
		t.Errorf("exit %d, stdout %q, stderr %q", code, &stdout, &stderr)
	}
	if left := testkit.FileNames(t, dir); left != nil {
		t.Errorf("left %q", left)
	}

	// While it trains: the first iteration's report ends the context.
	ctx, cancel := context.WithCancel(t.Context())
	args := []string{"train", "-d", path, "-o", filepath.Join(dir, "model.json"), "--verbose", "--tol", "1e-15"}
	code = run(ctx, args, nil, writerFunc(func(b []byte) (int, error) { cancel(); return len(b), nil }), io.Discard)
	if left := testkit.FileNames(t, dir); code != exitFailure || left != nil {
		t.Errorf("exit %d, left %q", code, left)
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(b []byte) (int, error) { return f(b) }

func TestDemo(t *testing.T) {
	if testing.Short() {
		t.Skip("nine trainings take a minute under emulation, and have tests of their own there")
	}
	type ranker struct {
		Name    string
		Metrics map[string]struct{ Mean float64 }
	}
	type problem struct{ Rankers []ranker }
	got := decode[struct{ Problems []problem }](t, succeed(t, "", "demo", "--format", "json")).Problems
	if len(got) != 3 {
		t.Fatalf("problems %+v", got)
	}
	// Each ranker is the best where it has its point.
	for i, best := range []string{"RankSVM", "LambdaMART", "ridge"} {
		t.Run(best, func(t *testing.T) {
			rankers := map[string]ranker{}
			for _, r := range got[i].Rankers {
				rankers[r.Name] = r
			}
			if len(rankers) != 4 {
				t.Fatalf("problem %d: rankers %+v", i+1, got[i].Rankers)
			}
			for _, metric := range strings.Split(demoMetrics, ",") {
				for name, r := range rankers {
					if better := r.Metrics[metric].Mean; name != best && better >= rankers[best].Metrics[metric].Mean {
						t.Errorf("problem %d, %s: %s has %v, %s %v", i+1, metric, name, better, best,
							rankers[best].Metrics[metric].Mean)
					}
				}
			}
			if p := rankers["random"].Metrics["pair-accuracy"].Mean; math.Abs(p-0.5) > 0.02 {
				t.Errorf("problem %d: random scores order %v of the pairs", i+1, p)
			}
		})
	}
	dir := filepath.Join(t.TempDir(), "new")
	if text := succeed(t, "", "demo", "--write", dir); !strings.Contains(text, "3. Labels use the same scale") {
		t.Errorf("demo: %s", text)
	}
	if got := strings.Join(testkit.FileNames(t, filepath.Join(dir, "curves")), " "); got != "test.txt train.txt" {
		t.Errorf("demo writes %s", got)
	}
	succeed(t, "", "demo", "--write", dir) // over its own files
	own := writeTemp(t, "test.txt", "1 qid:1 1:1\n")
	fail(t, exitFailure, "", []string{"demo", "--write", filepath.Dir(own)}, own+" already exists with other contents")
	if left := testkit.FileNames(t, filepath.Dir(own)); len(left) != 1 {
		t.Errorf("demo leaves %q", left)
	}
	page := filepath.Join(dir, "demo.html")
	if text := succeed(t, "", "demo", "--report", page); !strings.Contains(text, page) {
		t.Errorf("demo: %s", text)
	}
	if html, err := os.ReadFile(page); err != nil || !strings.Contains(string(html), "RankSVM") ||
		!strings.Contains(string(html), "LambdaMART") {
		t.Errorf("demo writes a page of %d bytes, %v", len(html), err)
	}
	fail(t, exitUsage, "", []string{"demo", "--report", "-"}, "must be a file")
	// The data left behind are those that the table speaks of.
	model := filepath.Join(dir, "model.json")
	succeed(t, "", "train", "-d", filepath.Join(dir, "train.txt"), "--c", "0.01", "-o", model)
	eval := decode[evaluated](t, succeed(t, "", "eval", "-m", model, "-d", filepath.Join(dir, "test.txt"), "--format",
		"json"))
	if a, b := eval.Metrics["ndcg@10"].Mean, got[0].Rankers[2].Metrics["ndcg@10"].Mean; a != b {
		t.Errorf("ndcg@10 is %v, the demo says %v", a, b)
	}
}

// TestCheckFiles: an input is not replaced by the output, nor standard input read twice.
func TestCheckFiles(t *testing.T) {
	data := letorText(t, small)
	path := writeTemp(t, "train.txt", data)
	model := writeTemp(t, "model.json", `{"format":"simdrank-linear","version":1,"intercept":0,"weights":[1,2]}`)
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(path, link); err != nil {
		t.Skip(err)
	}
	for _, args := range [][]string{
		{"train", "-d", path, "-o", path},
		{"train", "-d", path, "-o", link},
		{"train", "-d", "-", "--valid", path, "-o", path},
		{"train", "-d", path, "--model", "lambdamart", "-o", "m.json", "--feature-names", model, "--checkpoint", model},
		{"tune", "-d", path, "-o", model, "--positions", model},
		{"predict", "-m", model, "-d", path, "-o", path},
		{"predict", "-m", model, "-d", path, "-o", model},
	} {
		t.Run(testkit.CaseName(args...), func(t *testing.T) {
			fail(t, exitUsage, data, args, "would replace")
		})
	}
	if now, err := os.ReadFile(path); err != nil || string(now) != data {
		t.Errorf("the data have changed: %v", err)
	}
	for _, args := range [][]string{
		{"train", "-d", "-", "--valid", "-", "-o", "-"},
		{"predict", "-m", "-", "-d", "-"},
		{"eval", "-s", "-", "-d", "-"},
		{"compare", "-d", "-", "-", model},
	} {
		t.Run(testkit.CaseName(args...), func(t *testing.T) {
			fail(t, exitUsage, data, args, "only one input can be standard input")
		})
	}
	fail(t, exitUsage, "", []string{"train", "-d", path, "-o", "-", "--c-path", ""}, "--c-path is empty")
	fail(t, exitFailure, "1\n", []string{"eval", "-s", "-", "-d", path}, "standard input has 1 score")
}
