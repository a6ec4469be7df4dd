package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// stumps is a model of two trees over two features.
const stumps = `{"format":"simdrank-lambdamart","version":1,"features":2,"bias":0.5,"trees":[
{"feature":[0],"threshold":[1.5],"left":[-1],"right":[-2],"leaf":[1,2]},
{"feature":[1],"threshold":[0],"left":[-1],"right":[-2],"leaf":[0,0.25]}]}
`

func TestTreeModel(t *testing.T) {
	model := writeTemp(t, "trees.json.gz", gzipped(stumps))
	data := writeTemp(t, "data.txt", "0 qid:1 1:1\n2 qid:1 1:2 2:1\n1 qid:1 1:1.5 2:3\n0 qid:2 1:1\n1 qid:2 2:1\n")
	if got := succeed(t, "", "predict", "-m", model, "-d", data); got != "1.5\n2.75\n1.75\n1.5\n1.75\n" {
		t.Errorf("predict: %q", got)
	}
	if got := succeed(t, stumps, "predict", "-m", "-", "-d", data); got != "1.5\n2.75\n1.75\n1.5\n1.75\n" {
		t.Errorf("predict with a model from a stream: %q", got)
	}
	if got := succeed(t, "", "eval", "-m", model, "-d", data, "--metric", "ndcg,tau-b"); strings.Count(got, "1.0000") != 2 {
		t.Errorf("eval: %s", got)
	}
	linear := writeTemp(t, "linear.json", `{"format":"simdrank-linear","version":1,"weights":[-1,0]}`)
	if got := succeed(t, "", "compare", "-d", data, linear, model, "--metric", "ndcg", "--rounds", "10"); !strings.Contains(got, "trees.json.gz  1.0000") {
		t.Errorf("compare: %s", got)
	}
	if got := succeed(t, "", "convert", "-i", model, "--to", "json", "-o", "-"); got != stumps {
		t.Errorf("convert: %q", got)
	}

	for _, format := range []string{"lightgbm", "xgboost"} {
		other := filepath.Join(t.TempDir(), "other")
		succeed(t, "", "convert", "-i", model, "--to", format, "-o", other)
		if got := succeed(t, "", "predict", "-m", other, "-d", data); got != "1.5\n2.75\n1.75\n1.5\n1.75\n" {
			t.Errorf("predict with the model as %s: %q", format, got)
		}
		if got := succeed(t, "", "compare", "-d", data, linear, other, "--metric", "ndcg", "--rounds", "10"); !strings.Contains(got, "other        1.0000") {
			t.Errorf("compare with the model as %s: %s", format, got)
		}
		fail(t, exitFailure, "", []string{"convert", "-i", linear, "--to", format, "-o", other}, linear, format+" is a format of models of trees")
	}
	if got := succeed(t, "", "info", "-m", model); got != "2 trees over 2 features, 4 leaves, 2 in the largest\n" {
		t.Errorf("info: %q", got)
	}
	if got := succeed(t, "", "info", "-m", linear); got != "linear, 2 features\n" {
		t.Errorf("info: %q", got)
	}

	out := filepath.Join(t.TempDir(), "out")
	fail(t, exitFailure, "", []string{"convert", "-i", model, "--to", "svmlight", "-o", out}, model, "svmlight is a format of linear models")
	wide := writeTemp(t, "wide.txt", "0 qid:1 3:1\n")
	fail(t, exitFailure, "", []string{"predict", "-m", model, "-d", wide}, wide, "features up to 3", model+" has 2")
	for text, want := range map[string]string{
		"":                                 "empty",
		"hello":                            "hello",
		`{"format":"simdrank-lambdamart"`:  "ends",
		`{"format":"simdrank-lambdamart"}`: "version",
		strings.Replace(stumps, `"version":1`, `"version":2`, 1):     "version 2",
		strings.Replace(stumps, `"right":[-2]`, `"right":[-3]`, 1):   "tree",
		strings.Replace(stumps, `"feature":[1]`, `"feature":[2]`, 1): "feature",
	} {
		bad := writeTemp(t, "bad", text)
		fail(t, exitFailure, "", []string{"predict", "-m", bad, "-d", data}, bad+": ", want)
	}
}
