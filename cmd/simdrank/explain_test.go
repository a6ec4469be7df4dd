package main

import (
	"math"
	"path/filepath"
	"strings"
	"testing"
)

// explainModel weighs two features.
const explainModel = `{"format":"simdrank-linear","version":1,"intercept":0.5,"weights":[2,-1],` +
	`"feature_names":["bm25","length"]}`

// explainData are two queries, one without ids of documents.
const explainData = "2 qid:10 1:1 2:0.5 # docid = GX1\n" +
	"0 qid:10 1:0.25 2:1 # docid = GX2\n" +
	"1 qid:10 1:0.5 2:0.5 # docid = GX3\n" +
	"1 qid:22 1:1\n" +
	"0 qid:22 2:1\n"

func TestExplain(t *testing.T) {
	model, data := writeTemp(t, "model.json", explainModel), writeTemp(t, "test.txt", explainData)
	args := []string{"explain", "-m", model, "-d", data}
	want := `query 10, 3 documents

1. GX1  label 2  score 2, 1 above GX3
  feature  value  below  contribution  difference
     bm25      1    0.5            +2          +1
   others                                      +0

2. GX3  label 1  score 1, 1 above GX2
  feature  value  below  contribution  difference
     bm25    0.5   0.25            +1        +0.5
   others                                    +0.5
`
	if got := succeed(t, "", append(args, "--query", "10", "-k", "2", "--features", "1")...); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	// A document by its id and by its line; the last one is set against the base.
	last := decode[explanation](t, succeed(t, "", append(args, "--query", "10", "--doc", "GX2", "--format", "json")...))
	doc := last.Documents[0]
	if len(last.Documents) != 1 || last.Total != 3 || last.Base != .5 || doc.Rank != 3 || doc.Line != 2 ||
		doc.Next != "" || doc.Above != -.5 || len(doc.Features) != 2 || doc.Features[0].Name != "length" ||
		doc.Features[0].Feature != 2 || doc.Features[0].Difference != -1 || doc.Features[0].Next != nil {
		t.Errorf("%+v", last)
	}
	for _, name := range []string{"4", "5"} {
		t.Run(name, func(t *testing.T) {
			got := succeed(t, "", append(args, "--query", "22", "--doc", name)...)
			if !strings.Contains(got, ". line "+name+"  label") {
				t.Errorf("--doc %s: %s", name, got)
			}
		})
	}
	if got := succeed(t, "", append(args, "--query", "10", "--doc", "3")...); !strings.Contains(got, "2. GX3") {
		t.Errorf("document 3 by its line: %s", got)
	}
	// One query alone needs no name, and data no labels.
	one := writeTemp(t, "one.txt", "qid:7 1:1\nqid:7 1:2 2:3\n")
	if got := succeed(t, "", "explain", "-m", model, "-d", one); !strings.HasPrefix(got, "query 7, 2 documents\n") {
		t.Errorf("one query: %s", got)
	}

	fail(t, exitUsage, "", args, "explain requires --query, because ", "10, 22")
	fail(t, exitFailure, "", append(args, "--query", "11"), data, `no query "11" (it contains 2 queries: 10, 22)`)
	fail(t, exitFailure, "", append(args, "--query", "blue"), "(it contains 2 queries: 10, 22)")
	fail(t, exitFailure, "", append(args, "--query", "10", "--doc", "GX9"),
		`query 10 has no document "GX9" (it contains 3 documents`,
		"(it contains 3 documents: GX1, GX2, GX3")
	fail(t, exitFailure, "", append(args, "--query", "10", "--doc", "5"), `no document "5"`,
		"(it contains 3 documents: GX1, GX2, GX3")
	fail(t, exitUsage, "", append(args, "--query", "10", "-k", "-1"), "--documents -1")
	fail(t, exitUsage, "", append(args, "--query", "10", "--features", "0"), "--features 0")
	fail(t, exitUsage, "", append(args, "--query", "10", "--doc", "GX1", "-k", "2"), "cannot be combined with")
	fail(t, exitUsage, "", append(args, "--query", "10", "--trees", "2"), "--trees", "linear model")
	wide := writeTemp(t, "wide.txt", "0 qid:1 1:1 3:1\n")
	fail(t, exitFailure, "", []string{"explain", "-m", model, "-d", wide}, "--ignore-extra-features")
	missing := writeTemp(t, "missing.csv", "qid,label,bm25,length\n1,0,,2\n")
	fail(t, exitFailure, "", []string{"explain", "-m", model, "-d", missing}, "missing.csv:2", "score is NaN")
}

// TestExplainTrees trains trees, and adds up what is printed of them.
func TestExplainTrees(t *testing.T) {
	if testing.Short() {
		t.Skip("trains for seconds on emulated processors")
	}
	dir := filepath.Join(t.TempDir(), "demo")
	succeed(t, "", "demo", "--write", dir)
	train, trees := filepath.Join(dir, "train.txt"), filepath.Join(dir, "trees.json")
	succeed(t, "", "train", "-d", train, "--model", "lambdamart", "--trees", "20", "-o", trees)
	e := decode[explanation](t, succeed(t, "", "explain", "-m", trees, "-d", train, "--query", "3", "-k", "0",
		"--format", "json"))
	if e.Total < 2 || len(e.Documents) != e.Total {
		t.Fatalf("%d documents explained of %d", len(e.Documents), e.Total)
	}
	for _, doc := range e.Documents {
		sum := doc.Others
		for _, f := range doc.Features {
			sum += f.Difference
		}
		if len(doc.Features) > 5 || math.Abs(sum-doc.Above) > 1e-12 {
			t.Errorf("rank %d: differences add up to %v, scores differ by %v", doc.Rank, sum, doc.Above)
		}
	}
}
