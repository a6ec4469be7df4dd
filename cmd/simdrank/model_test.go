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
	best := writeTemp(t, "best.json", strings.Replace(stumps, `"trees"`, `"best":1,"category_codes":true,"trees"`, 1))
	if got := succeed(t, "", "info", "-m", best); !strings.HasSuffix(got, "largest\nbest iteration: the first 1 tree\ncategories: "+categoryCodes+"\n") {
		t.Errorf("info: %q", got)
	}
	if got := succeed(t, "", "info", "-m", best, "--format", "json"); !strings.Contains(got, `"best": 1,`) || !strings.Contains(got, `"category_codes": true`) {
		t.Errorf("info: %q", got)
	}
	if code, got, stderr := simdrank(t, "", "predict", "-m", best, "-d", data); code != exitOK || got != "1.5\n2.75\n1.75\n1.5\n1.75\n" || !strings.Contains(stderr, "warning: "+best+": "+categoryCodes) {
		t.Errorf("categories by their codes: exit %d, %q, stderr %q", code, got, stderr)
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

// TestTrees: how many trees of a model score.
func TestTrees(t *testing.T) {
	data := writeTemp(t, "data.txt", "0 qid:1 1:1 2:1\n1 qid:1 1:2\n")
	three := strings.Replace(strings.TrimSuffix(stumps, "]}\n"), `"trees"`, `"best":2,"trees"`, 1) +
		`,{"feature":[0],"threshold":[1.5],"left":[-1],"right":[-2],"leaf":[4,8]}]}`
	model := writeTemp(t, "three.json", three)
	for trees, want := range map[string]string{"all": "5.75\n10.5\n", "best": "1.75\n2.5\n", "1": "1.5\n2.5\n", "2": "1.75\n2.5\n", "3": "5.75\n10.5\n"} {
		if got := succeed(t, "", "predict", "-m", model, "-d", data, "--trees", trees); got != want {
			t.Errorf("--trees %s: %q, want %q", trees, got, want)
		}
	}
	if got := succeed(t, "", "predict", "-m", model, "-d", data); got != "5.75\n10.5\n" {
		t.Errorf("by default: %q", got)
	}
	other := writeTemp(t, "other.txt", "0 qid:1 1:1 2:1\n1 qid:1 1:1\n0 qid:2 1:1 2:1\n1 qid:2 1:1\n") // told apart by the second tree alone
	for trees, want := range map[string]string{"1": "0.5000", "best": "0.0000"} {
		if got := succeed(t, "", "eval", "-m", model, "-d", other, "--metric", "pair-accuracy", "--trees", trees); !strings.Contains(got, want) {
			t.Errorf("eval --trees %s: %s, want %s", trees, got, want)
		}
		if got := succeed(t, "", "compare", "-d", other, model, model, "--metric", "auc", "--rounds", "10", "--trees", trees); !strings.Contains(got, want) {
			t.Errorf("compare --trees %s: %s, want %s", trees, got, want)
		}
	}
	if got := succeed(t, "", "importance", "-m", model, "--trees", "1", "--by", "splits"); strings.Count(got, "\n") != 2 {
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
		{exitUsage, "predict -m MODEL -d DATA --trees 0", "want all, best or a number above 0"},
		{exitUsage, "predict -m MODEL -d DATA --trees most", "want all, best or a number above 0"},
		{exitUsage, "predict -m LINEAR -d DATA --trees 3", "--trees: " + linear + " is a linear model"},
		{exitUsage, "compare -d DATA MODEL LINEAR --trees all", "--trees: " + linear + " is a linear model"},
		{exitUsage, "eval -s SCORES -d DATA --trees best", "--trees: " + scores + " is a file of scores"},
		{exitUsage, "eval --run SCORES --qrels DATA --trees best", "run"},
		{exitUsage, "compare --qrels DATA SCORES SCORES --trees best", "qrels"},
		{exitFailure, "predict -m MODEL -d DATA --trees 4", model + ": --trees 4: the model has 3 trees"},
		{exitFailure, "eval -m PLAIN -d DATA --trees best", plain + ": --trees best: the model does not name a best iteration"},
	} {
		args := strings.NewReplacer("MODEL", model, "DATA", data, "LINEAR", linear, "SCORES", scores, "PLAIN", plain).Replace(c.args)
		fail(t, c.code, "", strings.Fields(args), c.want)
	}
	dump := writeTemp(t, "dump.txt", "booster[0]:\n0:leaf=1\n")
	fail(t, exitFailure, "", []string{"compare", "-d", data, model, dump}, dump, "a dump by XGBoost's dump_model")
}
