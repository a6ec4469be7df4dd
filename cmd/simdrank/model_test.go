package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/internal/cli"
	"github.com/simdrank/simdrank/internal/testkit"
)

// stumps is a model of two trees over two features.
const stumps = `{"format":"simdrank-lambdamart","version":1,"features":2,"bias":0.5,"trees":[
{"feature":[0],"threshold":[1.5],"left":[-1],"right":[-2],"leaf":[1,2]},
{"feature":[1],"threshold":[0],"left":[-1],"right":[-2],"leaf":[0,0.25]}]}
`

func TestTreeModel(t *testing.T) {
	model := writeTemp(t, "trees.json.gz", testkit.Gzip(stumps))
	data := writeTemp(t, "data.txt", "0 qid:1 1:1\n2 qid:1 1:2 2:1\n1 qid:1 1:1.5 2:3\n0 qid:2 1:1\n1 qid:2 2:1\n")
	if got := succeed(t, "", "predict", "-m", model, "-d", data); got != "1.5\n2.75\n1.75\n1.5\n1.75\n" {
		t.Errorf("predict: %q", got)
	}
	if got := succeed(t, stumps, "predict", "-m", "-", "-d", data); got != "1.5\n2.75\n1.75\n1.5\n1.75\n" {
		t.Errorf("predict with a model from a stream: %q", got)
	}
	if got := succeed(t, "", "eval", "-m", model, "-d", data, "--metric", "ndcg,tau-b"); strings.Count(got,
		"1.0000") != 2 {
		t.Errorf("eval: %s", got)
	}
	linear := writeTemp(t, "linear.json", `{"format":"simdrank-linear","version":1,"weights":[-1,0]}`)
	if got := succeed(t, "", "compare", "-d", data, linear, model, "--metric", "ndcg", "--rounds",
		"10"); !strings.Contains(got, "trees.json.gz  1.0000") {
		t.Errorf("compare: %s", got)
	}
	if got := succeed(t, "", "convert", "-i", model, "--to", "json", "-o", "-"); got != stumps {
		t.Errorf("convert: %q", got)
	}

	for _, format := range []string{"lightgbm", "xgboost"} {
		t.Run(format, func(t *testing.T) {
			other := filepath.Join(t.TempDir(), "other")
			succeed(t, "", "convert", "-i", model, "--to", format, "-o", other)
			if got := succeed(t, "", "predict", "-m", other, "-d", data); got != "1.5\n2.75\n1.75\n1.5\n1.75\n" {
				t.Errorf("predict with the model as %s: %q", format, got)
			}
			if got := succeed(t, "", "compare", "-d", data, linear, other, "--metric", "ndcg", "--rounds",
				"10"); !strings.Contains(got, "other        1.0000") {
				t.Errorf("compare with the model as %s: %s", format, got)
			}
			fail(t, exitFailure, "", []string{"convert", "-i", linear, "--to", format, "-o", other}, linear,
				"a linear model cannot be written as "+format)
		})
	}
	if got := succeed(t, "", "info", "-m",
		model); got != "2 trees over 2 features, 4 leaves, 2 in the largest\n0 and omitted features: value\n"+
		"features with missing values in training: not recorded\n" {
		t.Errorf("info: %q", got)
	}
	best := writeTemp(t, "best.json", strings.Replace(stumps, `"trees"`, `"best":1,"category_codes":true,"trees"`, 1))
	if got := succeed(t, "", "info", "-m", best); !strings.HasSuffix(got,
		"largest\nbest iteration: the first 1 tree\ncategories: "+cli.CategoryCodes+
			"\n0 and omitted features: value\nfeatures with missing values in training: not recorded\n") {
		t.Errorf("info: %q", got)
	}
	if got := succeed(t, "", "info", "-m", best, "--format", "json"); !strings.Contains(got, `"best": 1,`) ||
		!strings.Contains(got, `"category_codes": true`) {
		t.Errorf("info: %q", got)
	}
	if code, got, stderr := simdrank(t, "", "predict", "-m", best, "-d", data); code != exitOK ||
		got != "1.5\n2.75\n1.75\n1.5\n1.75\n" || !strings.Contains(stderr, "warning: "+best+": "+cli.CategoryCodes) {
		t.Errorf("categories by their codes: exit %d, %q, stderr %q", code, got, stderr)
	}
	if got := succeed(t, "", "info", "-m", linear); got != "linear, 2 features\n0 and omitted features: value\n" {
		t.Errorf("info: %q", got)
	}

	out := filepath.Join(t.TempDir(), "out")
	fail(t, exitFailure, "", []string{"convert", "-i", model, "--to", "svmlight", "-o", out}, model,
		"a tree model cannot be written as svmlight")
	wide := writeTemp(t, "wide.txt", "0 qid:1 3:1\n")
	fail(t, exitFailure, "", []string{"predict", "-m", model, "-d", wide}, wide, "features up to 3",
		model+" has features up to 2",
		"--ignore-extra-features")
	wider := writeTemp(t, "wider.txt",
		"0 qid:1 1:1 2:0 3:9\n2 qid:1 1:2 2:1\n1 qid:1 1:1.5 2:3 70:1\n0 qid:2 1:1 3:1\n1 qid:2 2:1 3:-1\n")
	scores := writeTemp(t, "scores", "1\n1\n1\n1\n1\n")
	for _, m := range []string{model, linear} {
		t.Run(testkit.CaseName(m), func(t *testing.T) {
			if a, b := succeed(t, "", "predict", "-m", m, "-d", data),
				succeed(t, "", "predict", "-m", m, "-d", wider, "--ignore-extra-features"); a != b {
				t.Errorf("predict without the extra features: %q, want %q", b, a)
			}
			for _, args := range [][]string{{"eval", "-m", m}, {"compare", scores, m, "--rounds", "10"}} {
				t.Run(testkit.CaseName(args...), func(t *testing.T) {
					fail(t, exitFailure, "", append(args, "-d", wider), wider, m+" has features up to 2",
						"--ignore-extra-features")
					if a, b := succeed(t, "", append(args, "-d", data)...),
						succeed(t, "", append(args, "-d", wider, "--ignore-extra-features")...); a != b {
						t.Errorf("%s without the extra features: %q, want %q", args[0], b, a)
					}
				})
			}
		})
	}
	// Scores need neither labels nor queries.
	const plain = "1:1\n1:2 2:1\n1:1.5 2:3\n1:1\n2:1\n"
	for _, text := range []string{
		plain,
		"0 1:1\n0 1:2 2:1\n0 1:1.5 2:3\n0 1:1\n0 2:1\n",
		"qid:1 1:1\nqid:2 1:2 2:1\n3 qid:1 1:1.5 2:3 # docid = 1\n\n-1 1:1\n2:1",
	} {
		t.Run(text, func(t *testing.T) {
			path := writeTemp(t, "plain.txt", text)
			for _, from := range []string{path, "-"} {
				if got := succeed(t, text, "predict", "-m", model, "-d", from); got != "1.5\n2.75\n1.75\n1.5\n1.75\n" {
					t.Errorf("%q", got)
				}
			}
			fail(t, exitFailure, "", []string{"eval", "-m", model, "-d", path}, path+":1:")
		})
	}
	fail(t, exitFailure, "", []string{"predict", "-m", model, "-d", writeTemp(t, "header", "label,a,b\n1,2,3\n")},
		":1:1: the label is not a number")
	groups := writeTemp(t, "groups", "2\n3\n")
	if got := succeed(t, plain, "predict", "-m", model, "-d", "-", "--group",
		groups); got != "1.5\n2.75\n1.75\n1.5\n1.75\n" {
		t.Errorf("predict with groups: %q", got)
	}
	if got := succeed(t, "0 qid:a 1:1\n0 qid:b 1:2\n0 qid:a 2:1\n", "predict", "-m", model, "-d", "-",
		"--gather"); got != "1.5\n2.5\n1.75\n" {
		t.Errorf("predict of scattered queries: %q", got)
	}
	for _, args := range [][]string{{"eval", "-s", scores, "-d", data}, {"eval", "--run", scores, "--qrels", data},
		{"compare", "--qrels", data, scores, scores}} {
		t.Run(testkit.CaseName(args...), func(t *testing.T) {
			fail(t, exitUsage, "", append(args, "--ignore-extra-features"), "ignore-extra-features",
				"cannot be combined with")
		})
	}
	for text, want := range map[string]string{
		"":                                 "empty",
		"hello":                            "hello",
		`{"format":"simdrank-lambdamart"`:  "the file ends too early",
		`{"format":"simdrank-lambdamart"}`: "version",
		strings.Replace(stumps, `"version":1`, `"version":2`, 1):     "version 2",
		strings.Replace(stumps, `"right":[-2]`, `"right":[-3]`, 1):   "tree",
		strings.Replace(stumps, `"feature":[1]`, `"feature":[2]`, 1): "feature",
	} {
		t.Run(text, func(t *testing.T) {
			bad := writeTemp(t, "bad", text)
			fail(t, exitFailure, "", []string{"predict", "-m", bad, "-d", data}, bad+": ", want)
		})
	}
}

// TestTrees: how many trees of a model score.
func TestTrees(t *testing.T) {
	data := writeTemp(t, "data.txt", "0 qid:1 1:1 2:1\n1 qid:1 1:2\n")
	three := strings.Replace(strings.TrimSuffix(stumps, "]}\n"), `"trees"`, `"best":2,"trees"`, 1) +
		`,{"feature":[0],"threshold":[1.5],"left":[-1],"right":[-2],"leaf":[4,8]}]}`
	model := writeTemp(t, "three.json", three)
	for trees, want := range map[string]string{"all": "5.75\n10.5\n", "best": "1.75\n2.5\n", "1": "1.5\n2.5\n",
		"2": "1.75\n2.5\n", "3": "5.75\n10.5\n"} {
		t.Run(trees, func(t *testing.T) {
			if got := succeed(t, "", "predict", "-m", model, "-d", data, "--trees", trees); got != want {
				t.Errorf("--trees %s: %q, want %q", trees, got, want)
			}
		})
	}
	if got := succeed(t, "", "predict", "-m", model, "-d", data); got != "5.75\n10.5\n" {
		t.Errorf("by default: %q", got)
	}
	// told apart by the second tree alone
	twice := writeTemp(t, "twice.txt", "0 qid:1 1:1 2:1\n1 qid:1 1:1\n0 qid:2 1:1 2:1\n1 qid:2 1:1\n")
	for trees, want := range map[string]string{"1": "0.5000", "best": "0.0000"} {
		t.Run(trees, func(t *testing.T) {
			if got := succeed(t, "", "eval", "-m", model, "-d", twice, "--metric", "pair-accuracy", "--trees",
				trees); !strings.Contains(got, want) {
				t.Errorf("eval --trees %s: %s, want %s", trees, got, want)
			}
			if got := succeed(t, "", "compare", "-d", twice, model, model, "--metric", "auc", "--rounds", "10",
				"--trees", trees); !strings.Contains(got, want) {
				t.Errorf("compare --trees %s: %s, want %s", trees, got, want)
			}
		})
	}
	if got := succeed(t, "", "importance", "-m", model, "--trees", "1", "--measure", "splits"); strings.Count(got,
		"\n") != 2 {
		t.Errorf("importance of the first tree: %s", got)
	}
	linear := writeTemp(t, "linear.json", `{"format":"simdrank-linear","version":1,"weights":[-1,0]}`)
	scores := writeTemp(t, "scores.txt", "1\n2\n")
	plain := writeTemp(t, "plain.json", stumps)
	for _, c := range []struct {
		code int
		args string
		want string
	}{
		{exitUsage, "predict -m MODEL -d DATA --trees 0", "must be all, best or a number greater than 0"},
		{exitUsage, "predict -m MODEL -d DATA --trees most", "must be all, best or a number greater than 0"},
		{exitUsage, "predict -m LINEAR -d DATA --trees 3", "--trees requires a tree model, but " + linear},
		{exitUsage, "compare -d DATA MODEL LINEAR --trees all", "--trees requires a tree model, but " + linear},
		{exitUsage, "eval -s SCORES -d DATA --trees best", scores + " is a score file"},
		{exitUsage, "eval --run SCORES --qrels DATA --trees best", "run"},
		{exitUsage, "compare --qrels DATA SCORES SCORES --trees best", "qrels"},
		{exitFailure, "predict -m MODEL -d DATA --trees 4", model + ": --trees 4: the model has only 3 trees"},
		{exitFailure, "eval -m PLAIN -d DATA --trees best", plain +
			": --trees best: the model does not record a best iteration"},
	} {
		t.Run(c.args, func(t *testing.T) {
			args := strings.NewReplacer("MODEL", model, "DATA", data, "LINEAR", linear, "SCORES", scores, "PLAIN",
				plain).Replace(c.args)
			fail(t, c.code, "", strings.Fields(args), c.want)
		})
	}
	// compare tells models from scores by their first bytes.
	for text, want := range map[string]string{
		"booster[0]:\n0:leaf=1\n": "XGBoost's text dump (dump_model) is not supported",
		"0:leaf=1\n":              "XGBoost's text dump",
		"{}":                      "unrecognized model JSON",
		"":                        "no numbers",
		"solve\n":                 `"solve"`,
		"[1,2]\n":                 `"[1"`,
	} {
		t.Run(text, func(t *testing.T) {
			other := writeTemp(t, "other", text)
			fail(t, exitFailure, "", []string{"compare", "-d", data, model, other}, other, want)
		})
	}
	indented := writeTemp(t, "indented.json", "\n  "+three)
	succeed(t, "", "compare", "-d", twice, model, indented, "--rounds", "10")
}

// warned runs the command, which must succeed with one line of warning that holds every part of
// want, and returns what it printed.
func warned(t *testing.T, args []string, want ...string) string {
	t.Helper()
	code, stdout, stderr := simdrank(t, "", args...)
	if code != exitOK || strings.Count(stderr, "\n") != 1 || !strings.HasPrefix(stderr, "simdrank: warning: ") {
		t.Errorf("simdrank %s: exit %d, stderr is not one warning: %q", strings.Join(args, " "), code, stderr)
	}
	for _, w := range want {
		if !strings.Contains(stderr, w) {
			t.Errorf("simdrank %s: stderr %q lacks %q", strings.Join(args, " "), stderr, w)
		}
	}
	return stdout
}

func TestZeroMissing(t *testing.T) {
	// The trees of stumps send 0 left as a value, to 1 and 0, and right as missing, to 2 and 0.25.
	value := writeTemp(t, "value.json", stumps)
	missing := writeTemp(t, "missing.json", strings.ReplaceAll(stumps, `"left"`, `"zero_missing":[true],"left"`))
	dir := t.TempDir()
	unknown, lightgbm, xgboost := filepath.Join(dir, "unknown.json"), filepath.Join(dir, "lightgbm.txt"),
		filepath.Join(dir, "xgboost.json")
	succeed(t, "", "convert", "-i", value, "--to", "xgboost", "-o", unknown)
	text, err := os.ReadFile(unknown)
	if err != nil {
		t.Fatal(err)
	}
	foreign := strings.Replace(string(text), `"simdrank_zeros":"value"`, "", 1)
	if err := os.WriteFile(unknown, []byte(foreign), 0o666); err != nil {
		t.Fatal(err)
	}
	warned(t, []string{"convert", "-i", missing, "--to", "xgboost", "-o", xgboost}, missing, "missing=0")
	succeed(t, "", "convert", "-i", missing, "--to", "lightgbm", "-o", lightgbm)
	linear := writeTemp(t, "linear.json", `{"format":"simdrank-linear","version":1,"weights":[-1,0]}`)

	sparse := writeTemp(t, "sparse.txt", "1 qid:1 1:1 2:1\n0 qid:1 1:1\n0 qid:1 2:1\n")
	// all rows leave the second feature out
	narrow := writeTemp(t, "narrow.txt", "1 qid:1 1:1\n0 qid:1 1:0\n0 qid:1 1:2\n")
	dense := writeTemp(t, "dense.txt", "1 qid:1 1:1 2:1\n0 qid:1 1:1 2:0\n0 qid:1 1:0 2:1\n")
	const asValues, asMissing = "1.75\n1.5\n1.75\n", "1.75\n1.75\n2.75\n"
	const notSaid, contradicts = "does not record whether 0 is a value or missing", "was trained with 0 as "
	for _, c := range []struct {
		model, data, flag string
		want              string
		warning           string // of the model; "" is none
	}{
		{value, sparse, "", asValues, ""},
		{value, sparse, "--zero-missing=false", asValues, ""},
		{value, sparse, "--zero-missing", asMissing, contradicts + "a value"},
		{missing, sparse, "", asMissing, ""},
		{missing, sparse, "--zero-missing", asMissing, ""},
		{missing, sparse, "--zero-missing=false", asValues, contradicts + "missing"},
		{missing, dense, "", asMissing, ""},
		{lightgbm, sparse, "", asMissing, ""},
		{lightgbm, sparse, "--zero-missing=false", asValues, contradicts + "missing"},
		{xgboost, sparse, "", asMissing, ""},
		{xgboost, sparse, "--zero-missing", asMissing, ""},
		{unknown, sparse, "", asValues, notSaid},
		{unknown, sparse, "--zero-missing", asMissing, ""},
		{unknown, sparse, "--zero-missing=false", asValues, ""},
		{unknown, narrow, "", "1.5\n1.5\n2.5\n", notSaid},
		{unknown, narrow, "--zero-missing", "1.75\n2.75\n2.75\n", ""},
		{unknown, dense, "", asValues, ""},
		{unknown, dense, "--zero-missing", asMissing, ""},
		{linear, sparse, "--zero-missing", "-1\n-1\n0\n", ""},
	} {
		t.Run(testkit.CaseName(c.model, c.data, c.flag), func(t *testing.T) {
			args := []string{"predict", "-m", c.model, "-d", c.data}
			if c.flag != "" {
				args = append(args, c.flag)
			}
			var got string
			switch c.warning {
			case "":
				got = succeed(t, "", args...)
			case notSaid:
				got = warned(t, args, c.model, c.data, "--zero-missing", c.warning)
			default:
				got = warned(t, args, c.model, "--zero-missing", c.warning)
			}
			if got != c.want {
				t.Errorf("simdrank %s: %q, want %q", strings.Join(args, " "), got, c.want)
			}
		})
	}

	// All commands that score do the same, and standard output holds nothing but results.
	decode[prediction](t, warned(t, []string{"predict", "-m", unknown, "-d", sparse, "--format", "json"}, notSaid))
	order := []string{"eval", "-m", unknown, "-d", sparse, "--metric", "auc", "--format", "json"}
	if a, b := warned(t, order, unknown, sparse, notSaid), succeed(t, "", append(order, "--zero-missing")...); a == b ||
		!strings.Contains(b, `"mean": 0.25`) {
		t.Errorf("eval: %s and %s", a, b)
	}
	queries := writeTemp(t, "queries.txt",
		"1 qid:1 1:1 2:1\n0 qid:1 1:1\n0 qid:1 2:1\n1 qid:2 1:1 2:1\n0 qid:2 1:1\n0 qid:2 2:1\n")
	compare := []string{"compare", "-d", queries, linear, unknown, missing, "--metric", "auc", "--rounds", "10"}
	if a, b := warned(t, compare, unknown, queries, notSaid),
		succeed(t, "", append(compare, "--zero-missing")...); !strings.Contains(a, "unknown.json  0.7500") ||
		!strings.Contains(b, "unknown.json  0.2500") {
		t.Errorf("compare: %s and %s", a, b)
	}
	for _, args := range [][]string{
		{"eval", "-s", sparse, "-d", sparse, "--zero-missing"},
		{"eval", "--run", sparse, "--qrels", sparse, "--zero-missing"},
		{"compare", "--qrels", sparse, sparse, sparse, "--zero-missing"},
	} {
		t.Run(testkit.CaseName(args...), func(t *testing.T) {
			fail(t, exitUsage, "", args, "zero-missing")
		})
	}

	for model, want := range map[string]string{value: "value", missing: "missing", lightgbm: "missing",
		xgboost: "missing", unknown: "unknown", linear: "value"} {
		t.Run(testkit.CaseName(model), func(t *testing.T) {
			if i := decode[modelInfo](t, succeed(t, "", "info", "-m", model, "--format", "json")); i.Zeros != want {
				t.Errorf("zeros are %s, want %s", i.Zeros, want)
			}
		})
	}
	if got := succeed(t, "", "info", "-m", unknown); !strings.Contains(got,
		"0 and omitted features: not recorded; treated as a value, or as missing with --zero-missing\n") {
		t.Errorf("info: %q", got)
	}

	// What a model does not say stays so in our own format, and LightGBM's has no word for it.
	kept := filepath.Join(dir, "kept.json")
	succeed(t, "", "convert", "-i", unknown, "--to", "json", "-o", kept)
	warned(t, []string{"predict", "-m", kept, "-d", sparse}, kept, notSaid)
	warned(t, []string{"convert", "-i", unknown, "--to", "lightgbm", "-o", kept}, unknown,
		"the written model treats it as a value")
}

func TestZeroMissingTraining(t *testing.T) {
	var text strings.Builder
	for i := range 300 { // a category from 0 to 4, and a feature that a third of the rows leave out
		fmt.Fprintf(&text, "%d qid:%d 1:%d", (i*7%11+i%5)%3, i/20, i%5)
		if i*7%11 > 3 {
			fmt.Fprintf(&text, " 2:%d", i*7%11-7)
		}
		fmt.Fprintln(&text, " 3:1")
	}
	train := writeTemp(t, "train.txt", text.String())
	dir := t.TempDir()
	model, xgboost, other := filepath.Join(dir, "model.json"), filepath.Join(dir, "xgboost.json"),
		filepath.Join(dir, "other.json")
	fit := func(output string, args ...string) []string {
		return append([]string{"train", "-d", train, "--model", "lambdamart", "--trees", "5", "-o", output}, args...)
	}
	succeed(t, "", fit(model, "--zero-missing", "--categorical", "1")...)
	code, _, stderr := simdrank(t, "", "convert", "-i", model, "--to", "xgboost", "-o", xgboost)
	if code != exitOK || !strings.Contains(stderr, "missing=0") || !strings.Contains(stderr, "to float32") {
		t.Errorf("exit code %d, %s", code, stderr)
	}
	scores := func(model string) []float64 {
		return decode[prediction](t, succeed(t, "", "predict", "-m", model, "-d", train, "--format", "json")).Scores
	}
	before, after := scores(model), scores(xgboost)
	for i := range before {
		if math.Abs(before[i]-after[i]) > 1e-6 { // XGBoost's leaves are float32
			t.Fatalf("document %d scores %v as XGBoost's model, %v before", i+1, after[i], before[i])
		}
	}
	fail(t, exitFailure, "", fit(other, "--start", model), model, "trained with 0 as missing", "--zero-missing")
	succeed(t, "", fit(other, "--start", model, "--zero-missing")...)
	succeed(t, "", fit(model)...)
	fail(t, exitFailure, "", fit(other, "--start", model, "--zero-missing"), model, "trained with 0 as a value",
		"--zero-missing")
}

// prediction is what predict prints as JSON.
type prediction struct {
	Scores []float64 `json:"scores"`
}

// Trees of text whose features were counted from 0, as LightGBM does, know one more than those who
// count from 1, and nothing of the first. A model that was trained here says how it counted: data
// that lack its last feature are no other case of that.
func TestCountedFromZero(t *testing.T) {
	data := writeTemp(t, "data.txt", letorText(t, small))
	model := filepath.Join(t.TempDir(), "trees.json")
	succeed(t, "", "train", "-d", data, "--zero-based", "--model", "lambdamart", "--trees", "2", "-o", model)
	for _, args := range [][]string{{"predict"}, {"eval"}, {"refit", "-o", filepath.Join(t.TempDir(), "refit.json")}} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			args = append(args, "-m", model, "-d", data)
			warned(t, args, model+" has 9 features and never uses the first, and "+data+" has 8", "--zero-based")
			succeed(t, "", append(args, "--zero-based")...)
		})
	}
	on := []string{"train", "--model", "lambdamart", "--trees", "1", "-o", filepath.Join(t.TempDir(), "on.json"),
		"-d", data, "--start", model}
	fail(t, exitFailure, "", on, model+" has 9 features and never uses the first, and "+data+" has 8",
		"--zero-based")
	succeed(t, "", append(on, "--zero-based")...)
	succeed(t, "", "train", "-d", data, "--model", "lambdamart", "--trees", "2", "-o", model)
	succeed(t, "", "predict", "-m", model, "-d", data)
	succeed(t, "", on...)
	const reverse = " was trained on features 1 to 8 (omit --zero-based)"
	fail(t, exitFailure, "", append(on, "--zero-based"), data+" has features 0 to 8, but "+model+reverse)
	fail(t, exitFailure, "", []string{"eval", "--zero-based", "-m", model, "-d", data}, model+reverse)
	const last = "0 qid:last 8:1\n"
	second := regexp.MustCompile(` [18]:\S+`).ReplaceAllString(letorText(t, small), "")
	data = writeTemp(t, "second.txt", second+last)
	succeed(t, "", "train", "-d", data, "--model", "lambdamart", "--trees", "2", "-o", model)
	lacking := writeTemp(t, "lacking.txt", second)
	succeed(t, "", "predict", "-m", model, "-d", lacking)
	text, err := os.ReadFile(model)
	if err != nil {
		t.Fatal(err)
	}
	model = writeTemp(t, "model.json", unsettled(string(text)))
	warned(t, []string{"predict", "-m", model, "-d", lacking}, model+" has 8 features")
	// The last feature may stand in a later part, of 16 MB.
	line := "0 qid:1 7:1" + strings.Repeat(" ", 1000) + "\n"
	late := writeTemp(t, "late.txt", strings.Repeat(line, 18_000)+last)
	succeed(t, "", "predict", "-m", model, "-d", late)
}

// TestInfoMissing: info lists the features with missing values in training. It omits features that
// no split uses.
func TestInfoMissing(t *testing.T) {
	const line = "features with missing values in training: "
	for missing, want := range map[string]struct{ text, json string }{
		`"features":3,`:                          {"not recorded", ""},
		`"features":3,"missing_features":[],`:    {"none", "[]"},
		`"features":3,"missing_features":[2],`:   {"none", "[]"},
		`"features":3,"missing_features":[0,1],`: {"1, 2", `["1","2"]`},
		`"features":3,"missing_features":[0,2],"feature_names":["bm\u001b25","age","x"],`: {`bm\x1b25`, `["bm\u001b25"]`},
	} {
		t.Run(missing, func(t *testing.T) {
			path := writeTemp(t, "m.json", strings.Replace(stumps, `"features":2,`, missing, 1))
			if got := succeed(t, "", "info", "-m", path); !strings.HasSuffix(got, "\n"+line+want.text+"\n") {
				t.Errorf("%q, want %q", got, want.text)
			}
			got := decode[map[string]any](t, succeed(t, "", "info", "-m", path, "--format", "json"))
			list, given := got["missing_features"]
			if given != (want.json != "") || given && testkit.JSON(list) != want.json {
				t.Errorf("%v, want %s", list, want.json)
			}
		})
	}
}
