package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/data"
	"github.com/simdrank/simdrank/rank/lambdamart"
	"github.com/simdrank/simdrank/rank/model"
)

// The flags of growing reach the library, and refit writes what its Refit returns.
func TestGrowAndRefit(t *testing.T) {
	text := letorText(t, small)
	train, dir := writeTemp(t, "train.txt", text), t.TempDir()
	d, err := data.Read(strings.NewReader(text), data.Options{})
	if err != nil {
		t.Fatal(err)
	}
	grown := filepath.Join(dir, "grown.json")
	succeed(t, "", "train", "-d", train, "-o", grown, "--model", "lambdamart", "--trees", "9", "--extra-trees",
		"--node-fraction", "0.8", "--interactions", "1-4;4-8", "--max-delta-step", "0.5", "--path-smooth", "3",
		"--dart", "--drop-rate", "0.6", "--skip-drop", "0", "--max-drop", "3", "--uniform-drop", "--xgboost-dart")
	o := *trainer(lambdamart.Trainer{Trees: 9, ExtraTrees: true, NodeFeatureFraction: .8, MaxDeltaStep: .5,
		PathSmooth: 3, Interactions: [][]int{{0, 1, 2, 3}, {3, 4, 5, 6, 7}}, Dart: true, DropRate: .6, MaxDrop: 3,
		UniformDrop: true, XGBoostDart: true}, "SkipDrop")
	want, err := o.Fit(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	same := func(path string, m *lambdamart.Model) {
		t.Helper()
		got, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != written(t, m) {
			t.Errorf("%s: another model", path)
		}
	}
	same(grown, want.Model)

	out := filepath.Join(dir, "refit.json")
	succeed(t, "", "refit", "-m", grown, "-d", train, "-o", out, "--refit-decay", "0.2", "--l2", "1", "--objective",
		"map")
	refit, err := trainer(lambdamart.Trainer{Objective: lambdamart.MAP, L2: 1}).Refit(t.Context(), want.Model, d, .2)
	if err != nil {
		t.Fatal(err)
	}
	same(out, refit)
	succeed(t, "", "refit", "-m", grown, "-d", train, "-o", out, "--sigmoid", "2", "--no-norm", "--label-gain",
		"0,1,2,4,5", "--mean-pairs", "3", "--seed", "4")
	refit, err = trainer(lambdamart.Trainer{Sigmoid: 2, NoNorm: true, Gains: rank.GainTable{0, 1, 2, 4, 5},
		MeanPairs: 3, Seed: 4}).Refit(t.Context(), want.Model, d, .9)
	if err != nil {
		t.Fatal(err)
	}
	same(out, refit)

	// The sigmoid of log loss is the model's.
	binary := filepath.Join(dir, "binary.json")
	succeed(t, "", "train", "-d", train, "-o", binary, "--model", "lambdamart", "--trees", "2", "--objective", "binary",
		"--sigmoid", "0.5")
	succeed(t, "", "refit", "-m", binary, "-d", train, "-o", out, "--objective", "binary")
	if got, err := model.Trees(model.Load(out)); err != nil || got.Sigmoid != .5 {
		t.Errorf("a model of log loss: %v", err)
	}
	succeed(t, "", "refit", "-m", binary, "-d", train, "-o", out, "--objective", "binary", "--sigmoid", ".5")
	fail(t, exitUsage, "", []string{"refit", "-m", binary, "-d", train, "-o", out, "--objective", "binary", "--sigmoid",
		"2"}, "--sigmoid 2: must be 0.5, because "+binary+" was trained with it")
	fail(t, exitUsage, "", []string{"refit", "-m", binary, "-d", train, "-o", out, "--objective", "binary",
		"--no-norm"}, "--no-norm requires --objective ndcg, map or pairwise")
	fail(t, exitUsage, "", []string{"refit", "-m", binary, "-d", train, "-o", out},
		binary+" was trained on log loss and requires --objective binary")

	// Data may lack features that the model has.
	narrow := writeTemp(t, "narrow.txt", "1 qid:1 1:1\n0 qid:1 2:2\n")
	succeed(t, "", "refit", "-m", grown, "-d", narrow, "-o", out)
	wide := writeTemp(t, "wide.txt", "1 qid:1 1:1\n0 qid:1 9:2\n")
	fail(t, exitFailure, "", []string{"refit", "-m", grown, "-d", wide, "-o", out}, wide, "features up to 9")
	linear := writeTemp(t, "linear.json", `{"format":"simdrank-linear","version":1,"weights":[1]}`)
	fail(t, exitFailure, "", []string{"refit", "-m", linear, "-d", train, "-o", out},
		linear+" is a linear model; refit requires a tree model")
	high := writeTemp(t, "high.txt", "99 qid:1 1:1\n0 qid:1 1:2\n")
	fail(t, exitFailure, "", []string{"refit", "-m", grown, "-d", high, "-o", out}, high+":1: ")
	fail(t, exitUsage, "", []string{"refit", "-m", grown, "-d", train, "-o", out, "--refit-decay", "2"},
		"--refit-decay 2: must be from 0 to 1")
	fail(t, exitUsage, "", []string{"refit", "-m", grown, "-d", train, "-o", out, "--learning-rate", "0"},
		"--learning-rate 0: must be greater than 0")
}
