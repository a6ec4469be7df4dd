package main

import (
	"math"
	"path/filepath"
	"strings"
	"testing"
)

func TestImportanceOfWeights(t *testing.T) {
	model := writeTemp(t, "linear.json", `{"format":"simdrank-linear","version":1,"weights":[2,-10,0,1],`+
		`"feature_names":["bm25","length","age","none"]}`)
	data := writeTemp(t, "data.txt", "0 qid:1 1:1 2:1 3:9\n0 qid:1 1:3 2:1.25\n0 qid:1 1:1 2:1\n0 qid:1 1:3 2:1.25\n")
	args := []string{"importance", "-m", model, "-d", data}
	want := `  feature  effect  share  weight  deviation
     bm25       2  61.5%       2          1
   length    1.25  38.5%     -10      0.125
     none       0   0.0%       1          0
`
	if got := succeed(t, "", args...); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := succeed(t, "", append(args, "--measure", "weight")...); got != want {
		t.Errorf("--measure weight: got\n%s", got)
	}
	r := decode[importances](t, succeed(t, "", append(args, "--measure", "shap", "--format", "json")...))
	if len(r.Features) != 3 || r.Features[1].SHAP != 4 {
		t.Fatalf("%+v", r)
	}
	if i := r.Features[0]; i.Feature != 2 || i.Name != "length" || *i.Weight != -10 || *i.Deviation != .125 ||
		*i.Effect != 1.25 || i.Share != 11.25/15.25 || i.SHAP != 11.25 || i.Gain != nil || i.Splits != nil {
		t.Errorf("%+v", r)
	}
	if got := succeed(t, "", append(args, "--measure", "shap")...); !strings.HasPrefix(got,
		"  feature   SHAP  share  weight  deviation  effect\n   length  11.25  73.8%     -10      0.125    1.25\n") {
		t.Errorf("--measure shap: %s", got)
	}
	csv := writeTemp(t, "nan.csv", "bm25,length,age,none\n1,,2,3\n")
	trees := writeTemp(t, "trees.json", stumps)
	for _, c := range []struct {
		code int
		args string
		want string
	}{
		{exitUsage, "-m LINEAR", "importance of a linear model requires --data (-d)"},
		{exitUsage, "-m LINEAR -d DATA --measure gain", "--measure gain requires a tree model, but " + model},
		{exitUsage, "-m LINEAR -d DATA --trees 3", "--trees requires a tree model, but " + model},
		{exitUsage, "-m TREES --measure weight", "--measure weight requires a linear model, but " + trees},
		{exitUsage, "-m TREES -d DATA", "--data (-d) has no effect with --measure gain"},
		{exitUsage, "-m TREES --measure shap", "--measure shap requires --data (-d)"},
		{exitUsage, "-m - -d -", "only one input can be standard input"},
		{exitFailure, "-m LINEAR -d CSV", csv + ": values of feature 2 (length) must be finite"},
		{exitFailure, "-m TREES -d DATA --measure shap", "features up to 3"},
		{exitFailure, "-m TREES -d DATA --ignore-extra-features --measure shap",
			trees + ": tree 0: contributions require the counts or the weights"},
	} {
		t.Run(c.args, func(t *testing.T) {
			args := strings.NewReplacer("LINEAR", model, "TREES", trees, "DATA", data, "CSV", csv).Replace(c.args)
			fail(t, c.code, "", append([]string{"importance"}, strings.Fields(args)...), c.want)
		})
	}
}

// TestImportanceBySHAP: the means of what predict --contributions writes.
func TestImportanceBySHAP(t *testing.T) {
	train := writeTemp(t, "train.txt", letorText(t, small))
	model := filepath.Join(t.TempDir(), "model.json")
	succeed(t, "", "train", "-d", train, "--model", "lambdamart", "--trees", "3", "-o", model)
	phi := decode[struct{ Contributions [][]float64 }](t, succeed(t, "", "predict", "-m", model, "-d", train,
		"--contributions", "--format", "json")).Contributions
	args := []string{"importance", "-m", model, "-d", train, "--measure", "shap"}
	r := decode[importances](t, succeed(t, "", append(args, "--format", "json")...))
	total := 0.0
	for k, i := range r.Features {
		mean := 0.0
		for _, row := range phi {
			mean += math.Abs(row[i.Feature-1]) / float64(len(phi))
		}
		if math.Abs(mean-i.SHAP) > 1e-12 || k > 0 && i.SHAP > r.Features[k-1].SHAP || *i.Splits == 0 {
			t.Errorf("%+v, want the mean %v", i, mean)
		}
		total += i.Share
	}
	if len(r.Features) < 2 || math.Abs(total-1) > 1e-9 {
		t.Errorf("%+v", r)
	}
	if got := succeed(t, "", args...); !strings.Contains(got, "SHAP  share") {
		t.Error(got)
	}
}
