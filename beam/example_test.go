package rankbeam_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	rankbeam "github.com/simdrank/simdrank/beam"
	"github.com/simdrank/simdrank/rank"
)

// This example evaluates a dataset in two files. Programs must call beam.Init before they run a
// job; the tests of this package do so in TestMain.
func ExampleJob_Evaluate() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	for name, text := range map[string]string{
		"part-0.txt": "1 qid:1 1:0.5 2:3\n0 qid:1 1:0.25 2:1\n",
		"part-1.txt": "0 qid:2 1:0.75 2:2\n2 qid:2 1:0.5 2:1\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			fmt.Println(err)
			return
		}
	}

	evaluator, err := rank.NewEvaluator("mrr,ndcg@10", rank.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	job := rankbeam.Job{Data: rankbeam.Data{Glob: filepath.Join(dir, "part-*.txt")}, Evaluator: evaluator}
	model := rankbeam.System{Name: "linear", Model: &rank.Linear{Weights: []float64{1, 2}}}
	results, pass, err := job.Evaluate(context.Background(), model, "")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(pass.Files, "files,", pass.Queries, "queries,", pass.Rows, "documents")
	for _, m := range results.Metrics {
		fmt.Printf("%v %.4f\n", m.Metric, m.Mean)
	}
	// Output:
	// 2 files, 2 queries, 4 documents
	// mrr 0.7500
	// ndcg@10 0.8155
}
