package main

import (
	"errors"
	"github.com/simdrank/simdrank/internal/testkit"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// predictData has ids, queries out of order and a document without an id.
const predictData = "2 qid:10 1:1 2:0.5 # docid = GX1\n" +
	"0 qid:10 1:2 2:-1 # docid = GX2\n" +
	"1 qid:10 1:2 2:-1 # docid = GX3\n" +
	"1 qid:22 1:1\n"

func TestPredictForms(t *testing.T) {
	data := writeTemp(t, "data.txt", predictData)
	trees := writeTemp(t, "trees.json", stumps)
	linear := writeTemp(t, "linear.json", explainModel)
	predict := func(t *testing.T, model string, args ...string) string {
		return succeed(t, "", append([]string{"predict", "-m", model, "-d", data}, args...)...)
	}
	for _, c := range []struct {
		model, args, want string
	}{
		{linear, "", "2\n5.5\n5.5\n2.5\n"},
		{linear, "--format json", "{\n  \"scores\": [\n    2,\n    5.5,\n    5.5,\n    2.5\n  ]\n}\n"},
		{linear, "--format csv", "query,document,score\n10,GX1,2\n10,GX2,5.5\n10,GX3,5.5\n22,4,2.5\n"},
		{linear, "--format trec", "10 Q0 GX2 1 5.5 simdrank\n10 Q0 GX3 2 5.5 simdrank\n10 Q0 GX1 3 2 simdrank\n" +
			"22 Q0 4 1 2.5 simdrank\n"},
		{linear, "--contributions", "2\t-0.5\t0.5\n4\t1\t0.5\n4\t1\t0.5\n2\t0\t0.5\n"},
		{linear, "--contributions --format csv",
			"query,document,bm25,length,bias\n10,GX1,2,-0.5,0.5\n10,GX2,4,1,0.5\n10,GX3,4,1,0.5\n22,4,2,0,0.5\n"},
		{linear, "--contributions --format json",
			"{\n  \"contributions\": [\n    [2,-0.5,0.5],\n    [4,1,0.5],\n    [4,1,0.5],\n    [2,0,0.5]\n  ]\n}\n"},
		{trees, "--leaves", "0\t1\n1\t0\n1\t0\n0\t0\n"},
		{trees, "--leaves --trees 1", "0\n1\n1\n0\n"},
		{trees, "--leaves --format csv", "query,document,tree_0,tree_1\n10,GX1,0,1\n10,GX2,1,0\n10,GX3,1,0\n22,4,0,0\n"},
		{trees, "--leaves --format json", "{\n  \"leaves\": [\n    [0,1],\n    [1,0],\n    [1,0],\n    [0,0]\n  ]\n}\n"},
	} {
		t.Run(c.args, func(t *testing.T) {
			if got := predict(t, c.model, strings.Fields(c.args)...); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}

	// A file of data is one part, and text of a table another.
	binary := filepath.Join(t.TempDir(), "data.simdrank")
	succeed(t, "", "convert", "-i", data, "-o", binary)
	csv := writeTemp(t, "data.csv", "label,qid,doc,length,bm25\n2,10,GX1,0.5,1\n0,10,\"G,\"\"2\",-1,2\n")
	for path, want := range map[string]string{
		binary: "query,document,score\n10,GX1,2\n10,GX2,5.5\n10,GX3,5.5\n22,4,2.5\n",
		csv:    "query,document,score\n10,GX1,2\n10,\"G,\"\"2\",5.5\n",
	} {
		t.Run(testkit.CaseName(path), func(t *testing.T) {
			if got := succeed(t, "", "predict", "-m", linear, "-d", path, "--format", "csv"); got != want {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}

	// What predict writes as a run, eval reads.
	run, qrels := filepath.Join(t.TempDir(), "run.gz"), writeTemp(t, "qrels", "10 0 GX1 1\n10 0 GX2 0\n")
	predict(t, linear, "--format", "trec", "--run-name", "mine", "-o", run)
	if got := warned(t, []string{"eval", "--run", run, "--qrels", qrels, "--metric",
		"mrr"}, "1 of 2 topics with results have no judgments"); !strings.Contains(got, "0.3333") ||
		!strings.Contains(got, "mine") {
		t.Errorf("eval of the run: %s", got)
	}

	// The order of the lines, also where queries are gathered and scaled.
	scattered := writeTemp(t, "scattered.txt", "0 qid:a 1:1\n0 qid:b 1:5\n0 qid:a 1:3\n")
	if got := succeed(t, "", "predict", "-m", linear, "-d", scattered, "--gather", "--normalize",
		"linear"); got != "0.5\n0.5\n2.5\n" {
		t.Errorf("gathered and scaled: %q", got)
	}
	if got := succeed(t, "", "predict", "-m", linear, "-d", scattered, "--gather", "--format",
		"csv"); got != "query,document,score\na,1,2.5\na,3,6.5\nb,2,10.5\n" {
		t.Errorf("gathered, with queries: %q", got)
	}

	none := writeTemp(t, "none.txt", "1:1\n")
	blank := writeTemp(t, "blank.csv", "qid,doc,bm25,length\n1,a b,1,2\n")
	broken := writeTemp(t, "broken.csv", "qid,doc,bm25,length\n1,\"a\nb\",1,2\n")
	comment := writeTemp(t, "comment.csv", "qid,doc,bm25,length\n#1,a,1,2\n")
	missing := writeTemp(t, "missing.csv", "qid,doc,bm25,length\n1,a,,2\n")
	wide := writeTemp(t, "wide.txt", "1:1\n1:1 3:1\n")
	kept := writeTemp(t, "kept", "before\n")
	for _, c := range []struct {
		code int
		args string
		want []string
	}{
		{exitUsage, "-m LINEAR -d DATA --leaves", []string{"--leaves", linear + " is a linear model"}},
		{exitUsage, "-m TREES -d DATA --leaves --contributions", []string{"cannot be combined with"}},
		{exitUsage, "-m TREES -d DATA --leaves --format trec",
			[]string{"--leaves cannot be combined with --format trec"}},
		{exitUsage, "-m TREES -d DATA --run-name x", []string{"--run-name requires --format trec"}},
		{exitUsage, "-m TREES -d DATA --format xml", []string{"text, json, trec or csv"}},
		{exitFailure, "-m TREES -d DATA --contributions", []string{trees, "require the counts or the weights"}},
		{exitFailure, "-m LINEAR -d NONE --format csv", []string{none + ":1", "qid"}},
		{exitFailure, "-m LINEAR -d SCATTERED --format trec", []string{scattered + ":3", "--gather"}},
		{exitFailure, "-m LINEAR -d BLANK --format trec", []string{blank, `the document ID is "a b"`}},
		{exitFailure, "-m LINEAR -d BROKEN --format trec", []string{broken, `the document ID is "a\nb"`}},
		{exitFailure, "-m LINEAR -d COMMENT --format trec", []string{comment, `the query ID is "#1"`}},
		{exitFailure, "-m LINEAR -d MISSING --format trec", []string{missing, "score is NaN"}},
		{exitFailure, "-m LINEAR -d WIDE -o KEPT", []string{wide, "features up to 3"}},
	} {
		t.Run(c.args, func(t *testing.T) {
			args := strings.NewReplacer("LINEAR", linear, "TREES", trees, "DATA", data, "NONE", none, "SCATTERED",
				scattered, "BLANK", blank, "BROKEN", broken, "COMMENT", comment, "MISSING", missing, "WIDE", wide,
				"KEPT", kept).Replace(c.args)
			fail(t, c.code, "", append([]string{"predict"}, strings.Fields(args)...), c.want...)
		})
	}
	if text, err := os.ReadFile(kept); err != nil || string(text) != "before\n" {
		t.Errorf("a prediction that failed left %q, %v", text, err)
	}
	for _, name := range []string{"a b", "a\vb"} {
		t.Run(name, func(t *testing.T) {
			fail(t, exitUsage, "", []string{"predict", "-m", trees, "-d", data, "--format", "trec", "--run-name", name},
				"contains a blank or a control character")
		})
	}
}

// TestPredictProbabilities: probabilities of trees that were trained by log loss, and refused of
// others before anything is written.
func TestPredictProbabilities(t *testing.T) {
	data := writeTemp(t, "data.txt", predictData)
	trees := writeTemp(t, "trees.json", stumps)
	binary := writeTemp(t, "binary.json", `{"format":"simdrank-lambdamart","version":1,"features":2,"bias":1,`+
		`"sigmoid":2,"trees":[{"feature":[0],"threshold":[1],"left":[-1],"right":[-2],"leaf":[-1,999]}]}`)
	linear := writeTemp(t, "linear.json", explainModel)
	for form, want := range map[string]string{
		"text": "0.5\n1\n1\n0.5\n",
		"csv":  "query,document,probability\n10,GX1,0.5\n10,GX2,1\n10,GX3,1\n22,4,0.5\n",
		"json": "{\n  \"probabilities\": [\n    0.5,\n    1,\n    1,\n    0.5\n  ]\n}\n",
		"trec": "10 Q0 GX2 1 1 simdrank\n10 Q0 GX3 2 1 simdrank\n10 Q0 GX1 3 0.5 simdrank\n22 Q0 4 1 0.5 simdrank\n",
	} {
		t.Run(form, func(t *testing.T) {
			if got := succeed(t, "", "predict", "-m", binary, "-d", data, "--probabilities", "--format",
				form); got != want {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
	fail(t, exitFailure, "", []string{"predict", "-m", trees, "-d", data + ".none", "--probabilities"}, trees,
		"require a model that was trained with log loss")
	fail(t, exitUsage, "", []string{"predict", "-m", linear, "-d", data, "--probabilities"}, linear,
		"--probabilities", "is a linear model")
}

// TestPredictContributions: contributions of trees sum to the scores.
func TestPredictContributions(t *testing.T) {
	dir := t.TempDir()
	model := filepath.Join(dir, "model.json")
	var text strings.Builder
	for i := range 120 {
		text.WriteString(strings.NewReplacer("L", string('0'+rune(i*7%3)), "Q", string('a'+rune(i/12)), "X",
			string('0'+rune(i*5%9)), "Y", string('0'+rune(i*i%7))).Replace("L qid:Q 1:X 2:Y\n"))
	}
	data := writeTemp(t, "train.txt", text.String())
	succeed(t, "", "train", "-d", data, "--model", "lambdamart", "--trees", "3", "--min-rows", "3", "-o", model)
	scores := decode[prediction](t, succeed(t, "", "predict", "-m", model, "-d", data, "--format", "json")).Scores
	phi := decode[struct{ Contributions [][]float64 }](t, succeed(t, "", "predict", "-m", model, "-d", data,
		"--contributions", "--format", "json")).Contributions
	if len(phi) != len(scores) {
		t.Fatalf("%d rows, want %d", len(phi), len(scores))
	}
	for i, row := range phi {
		if sum := row[0] + row[1] + row[2]; len(row) != 3 || math.Abs(sum-scores[i]) > 1e-9 {
			t.Errorf("row %d: %v sum to %v, want %v", i, row, sum, scores[i])
		}
	}
}

// An output that cannot be written is not the model's fault.
func TestPredictFailedWrite(t *testing.T) {
	data := writeTemp(t, "data.txt", strings.Repeat("1 qid:1 1:1 2:0.5\n", 1<<12))
	stdout, w := io.Pipe()
	stdout.CloseWithError(errors.New("full"))
	for what, model := range map[string]string{
		"--contributions": writeTemp(t, "linear.json", explainModel),
		"--leaves":        writeTemp(t, "trees.json", stumps),
	} {
		t.Run(what, func(t *testing.T) {
			var stderr strings.Builder
			code := run(t.Context(), []string{"predict", "-m", model, "-d", data, what},
				strings.NewReader(""), w, &stderr)
			if code != exitFailure || stderr.String() != "simdrank: full\n" {
				t.Errorf("exit %d, %q", code, stderr.String())
			}
		})
	}
}

// Rows that list no feature at all have scores, for what is left out is 0.
func TestPredictNoFeatures(t *testing.T) {
	train := writeTemp(t, "train.txt", letorText(t, small))
	none := writeTemp(t, "none.txt", "1 qid:1\n0 qid:1\n")
	zeros := writeTemp(t, "zeros.txt", "1 qid:1 8:0\n0 qid:1 8:0\n")
	data := filepath.Join(t.TempDir(), "none.simdrank")
	succeed(t, "", "convert", "-i", none, "-o", data)
	for _, kind := range []string{"ridge", "lambdamart"} {
		t.Run(kind, func(t *testing.T) {
			model := filepath.Join(t.TempDir(), kind)
			args := []string{"train", "-d", train, "--model", kind, "-o", model}
			if kind == "lambdamart" {
				args = append(args, "--trees", "2")
			}
			succeed(t, "", args...)
			for _, command := range []string{"predict", "predict --contributions", "eval", "explain", "importance"} {
				t.Run(command, func(t *testing.T) {
					args := append(strings.Fields(command), "-m", model, "-d")
					if kind == "lambdamart" && command == "importance" {
						args = append([]string{"importance", "--measure", "shap"}, args[1:]...)
					}
					want := succeed(t, "", append(args, zeros)...)
					for _, d := range []string{none, data} {
						if got := succeed(t, "", append(args, d)...); got != want && command != "explain" {
							t.Errorf("%s of %s: %s, want %s", command, d, got, want)
						}
					}
				})
			}
		})
	}
}
