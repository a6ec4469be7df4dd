package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestImportanceByPermutation uses a model that ranks perfectly by its first feature.
func TestImportanceByPermutation(t *testing.T) {
	model := writeTemp(t, "linear.json", `{"format":"simdrank-linear","version":1,"weights":[1,0.1,0],`+
		`"feature_names":["bm25","length","age"]}`)
	data := writeTemp(t, "data.csv", "label,qid,bm25,length,age\n"+
		"2,1,3,1,0\n1,1,2,1,5\n0,1,1,1,7\n0,1,0,1,7\n1,2,3,2,1\n0,2,2,2,2\n0,2,1,2,3\n0,2,0,2,4\n")
	args := []string{"importance", "-m", model, "-d", data, "--measure", "permutation", "--repeats", "50"}
	r := decode[metricDrops](t, succeed(t, "", append(args, "--format", "json")...))
	if len(r.Features) != 2 || r.Metric.String() != "ndcg@10" || r.Mean != 1 || r.Repeats != 50 {
		t.Fatalf("%+v", r)
	}
	first, second := r.Features[0], r.Features[1]
	if *first.Feature != 1 || first.Name != "bm25" || !(first.Low < first.Drop && first.Drop < first.High) ||
		first.Drop < .1 || second.Name != "length" || second.Drop != 0 || second.High != 0 {
		t.Errorf("%+v, %+v", first, second)
	}
	for _, threads := range []string{"1", "3"} {
		t.Run("threads "+threads, func(t *testing.T) {
			same := decode[metricDrops](t, succeed(t, "", append(args, "--format", "json", "--threads", threads)...))
			if same.Features[0].Drop != first.Drop || same.Features[0].High != first.High {
				t.Errorf("%+v, want %+v", same.Features[0], first)
			}
		})
	}
	if got := succeed(t, "", append(args, "--metric", "p@1")...); !strings.HasPrefix(got,
		"precision@1 1.0000\n\n  feature    drop      low    high\n     bm25  0.66") || !strings.HasSuffix(got,
		"\n   length  0.0000   0.0000  0.0000\n") {
		t.Errorf("text: %s", got)
	}
	args = append(args, "--feature-groups", "text=bm25-length;none=age;1,3")
	groups := decode[metricDrops](t, succeed(t, "", append(args, "--format", "json")...))
	if len(groups.Features) != 0 || len(groups.Groups) != 3 || groups.Groups[0].Group != "text" ||
		groups.Groups[0].Drop != first.Drop || groups.Groups[1].Group != "1,3" || groups.Groups[2].Drop != 0 {
		t.Errorf("%+v", groups)
	}
	if got := succeed(t, "", append(args, "--format", "csv")...); !strings.HasPrefix(got,
		"group,features,drop,low,high\ntext,1 2,0.") || !strings.HasSuffix(got, "\nnone,3,0,0,0\n") {
		t.Errorf("csv: %s", got)
	}
}

func TestImportancePermutationErrors(t *testing.T) {
	train := writeTemp(t, "train.txt", letorText(t, small))
	trees := filepath.Join(t.TempDir(), "trees.json")
	succeed(t, "", "train", "-d", train, "--model", "lambdamart", "--trees", "3", "-o", trees)
	one := writeTemp(t, "one.txt", "1 qid:1 1:1\n0 qid:1 1:2\n")
	for _, c := range []struct {
		code int
		args string
		want string
	}{
		{exitUsage, "--measure permutation", "--measure permutation requires --data (-d)"},
		{exitUsage, "--repeats 3", "--repeats requires --measure permutation"},
		{exitUsage, "-d DATA --measure shap --metric map", "--metric requires --measure permutation"},
		{exitUsage, "-d DATA --measure permutation --repeats 0", "--repeats 0: must be greater than 0"},
		{exitUsage, "-d DATA --measure permutation --threads -1", "--threads -1: must be at least 0"},
		{exitUsage, "-d DATA --measure permutation --metric map,ndcg",
			"--measure permutation requires one metric (--metric lists 2)"},
		{exitUsage, "-d DATA --measure permutation --feature-groups a=x",
			`--feature-groups: "x" is not a feature number`},
		{exitUsage, "-d DATA --measure permutation --feature-groups a=", "--feature-groups a=: sets must not be empty"},
		{exitFailure, "-d DATA --measure permutation --metric pair-accuracy-pooled", "use pair-accuracy"},
		{exitFailure, "-d ONE --measure permutation", "ndcg@10 is defined on 1 queries; at least 2 are required"},
	} {
		t.Run(c.args, func(t *testing.T) {
			args := strings.NewReplacer("DATA", train, "ONE", one).Replace(c.args)
			fail(t, c.code, "", append([]string{"importance", "-m", trees}, strings.Fields(args)...), c.want)
		})
	}
}
